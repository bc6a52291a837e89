// SPDX-License-Identifier: Apache-2.0
//
// Properties of totem_setup, included at the end of the module. The numbers are those of docs/contract/setup.md.

    initial assume (rst);
    reg         f_asked = 1'b0;
    reg         f_pipe;
    reg [Q-1:0] f_queue;
    reg [N-1:0] f_entry;
    reg [4:0]   f_writes = 5'd0;            // registers that the bank has taken since the request
    wire        f_own   = phase_q != SETUP_REST && phase_q < SETUP_RELAY;
    wire [4:0]  f_saved = (resume_q && step_q >= BEHIND) ? 5'd4 : 5'd0;
    always @(posedge clk) begin
        if (!rst) begin
            if (f_asked && phase_q != SETUP_REST && phase_q < SETUP_RELAY)
                assume (task_setup_valid && task_setup_pipe == f_pipe && task_setup_queue == f_queue
                        && task_setup_entry == f_entry);                                                // A1 held
            if (PIPES == 1) assume (!task_setup_pipe);                                           // A2 pipes
        end
        if (phase_q == SETUP_REST && task_setup_valid) begin
            f_pipe  <= task_setup_pipe;
            f_queue <= task_setup_queue;
            f_entry <= task_setup_entry;
        end
        f_asked  <= !rst && phase_d != SETUP_REST && phase_d < SETUP_RELAY;
        f_writes <= (rst || phase_q == SETUP_REST) ? 5'd0 : f_writes + {4'd0, |(bank_valid & bank_ready)};
        if (!rst) begin
            assert (step_q <= 5'd23);                                                        // 1 steps
            if (step_q == 5'd23) assert (phase_q >= SETUP_DRAIN || phase_q == SETUP_REST);   // 1 steps
            if (phase_q >= SETUP_DRAIN && phase_q < SETUP_RELAY) assert (step_q == 5'd23);   // 1 steps
            if (resume_q)
                assert (step_q <= BEFORE || step_q >= BEHIND || phase_q == SETUP_REST
                        || phase_q >= SETUP_RELAY);                                              // 1 steps
            if (phase_q == SETUP_READ || phase_q == SETUP_TAKE)
                assert (step_q == 5'd0 || step_q == 5'd2 || step_q == 5'd5 || step_q == 5'd13
                        || step_q == 5'd14);                                                     // 1 steps
            if (f_own) assert (f_asked && pipe_q == f_pipe && queue_q == f_queue && entry_q == f_entry);  // 2 writes
            if (f_own) assert (f_writes == step_q - f_saved);                                // 2 writes
            if (load_valid != {PIPES{1'b0}})
                assert (f_writes == 5'd23 - f_saved && bank_valid == {PIPES{1'b0}});         // 2 writes
            if (done) assert (f_writes == 5'd23 - f_saved);                                  // 2 writes
            cover (done);
        end
    end
