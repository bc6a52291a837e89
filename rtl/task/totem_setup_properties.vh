// SPDX-License-Identifier: Apache-2.0
//
// Properties of totem_setup, included at the end of the module. The numbers are those of docs/contract/setup.md.

    // Contract 1: steps go with phases. Contract 2: 23 writes of the queue of the request, its load word, done.
    // Assumed: a request stays until it is done, and falls then.
    initial assume (rst);
    reg         f_asked = 1'b0;
    reg         f_pipe;
    reg [Q-1:0] f_queue;
    reg [N-1:0] f_entry;
    reg [4:0]   f_writes = 5'd0;            // registers that the bank has taken since the request
    wire        f_own   = phase_q != REST && phase_q < RELAY;
    wire [4:0]  f_saved = (resume_q && step_q >= BEHIND) ? 5'd4 : 5'd0;
    always @(posedge clk) begin
        if (!rst) begin
            if (f_asked && phase_q != REST && phase_q < RELAY)
                assume (task_setup_valid && task_setup_pipe == f_pipe && task_setup_queue == f_queue
                        && task_setup_entry == f_entry);
            if (PIPES == 1) assume (!task_setup_pipe);
        end
        if (phase_q == REST && task_setup_valid) begin
            f_pipe  <= task_setup_pipe;
            f_queue <= task_setup_queue;
            f_entry <= task_setup_entry;
        end
        f_asked  <= !rst && phase_d != REST && phase_d < RELAY;
        f_writes <= (rst || phase_q == REST) ? 5'd0 : f_writes + {4'd0, |(bank_valid & bank_ready)};
        if (!rst) begin
            assert (step_q <= 5'd23);                                                                       // 1
            if (step_q == 5'd23) assert (phase_q >= DRAIN || phase_q == REST);                              // 1
            if (phase_q >= DRAIN && phase_q < RELAY) assert (step_q == 5'd23);                              // 1
            if (resume_q) assert (step_q <= BEFORE || step_q >= BEHIND || phase_q == REST || phase_q >= RELAY); // 1
            if (phase_q == READ || phase_q == TAKE)                                                                       // 1
                assert (step_q == 5'd0 || step_q == 5'd2 || step_q == 5'd5 || step_q == 5'd9 || step_q == 5'd10);
            if (f_own) assert (f_asked && pipe_q == f_pipe && queue_q == f_queue && entry_q == f_entry);  // 2
            if (f_own) assert (f_writes == step_q - f_saved);                                               // 2
            if (load_valid != {PIPES{1'b0}}) assert (f_writes == 5'd23 - f_saved && bank_valid == {PIPES{1'b0}});   // 2
            if (done) assert (f_writes == 5'd23 - f_saved);                                                 // 2
            cover (done);
        end
    end
