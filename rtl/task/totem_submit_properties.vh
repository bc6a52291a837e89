// SPDX-License-Identifier: Apache-2.0
//
// Properties of totem_submit, included at the end of the module. The numbers are those of docs/contract/submit.md.

    initial assume (rst);
    (* anyconst *) wire [1:0] f_se;                 // an engine
    reg           f_past = 1'b0;
    reg [1:0]     f_fe;                             // number of the front end, a constant
    reg           f_asks, f_host;                   // it asked, the host too, a clock ago and without an answer
    reg [31:0]    f_pointer, f_data;
    reg [7:0]     f_dword;
    reg [3:0]     f_strobe;
    reg           f_write, f_pends, f_ends;
    reg [X-1:0]   f_x;
    reg [31:0]    f_word;
    reg [3:0]     f_calls;                          // calls of others that ended since it asks
    wire          f_mine = wave_task_valid[f_se] && wave_task_fe[f_se*2 +: 2] == fe_number;
    wire          f_begin = tasks_over_ready && (finish_over_trap
                                                 || (tasks_report_write_enable && reports_q[tasks_report_write_addr]));
    // Places of the round that come before the engine.
    wire [3:0]    f_se_4 = {2'd0, f_se}, f_turn = {1'b0, turn_q}, f_round = {1'b0, HOST} + 4'd1;
    wire [3:0]    f_ahead = (f_turn <= f_se_4) ? f_se_4 - f_turn : f_se_4 + f_round - f_turn;

    reg           f_taken;                          // events takes it
    integer f;
    always @* begin
        f_taken = 1'b0;
        for (f = 0; f < PIPES; f = f + 1)
            if (interrupt_valid[f] && events_interrupt_ready[f] && !fence_interrupt_valid[f] && !mqd_interrupt_valid[f])
                f_taken = 1'b1;
        assume (f_se < SE_COUNT);  // A1 engine
        if (!rst) begin
            assume (!tasks_call_done || call_valid_q);  // A2 answers
            assume (!tasks_over_ready || room);  // A3 room
            if (f_past) assume (fe_number == f_fe);  // A4 constant
            if (f_past && f_asks) assume (f_mine && wave_task_pointer[f_se*32 +: 32] == f_pointer);  // A5 held
            if (f_past && f_host)
                assume (host_valid && host_write == f_write && host_dword == f_dword && host_strobe == f_strobe
                        && host_data == f_data);  // A5 held
        end
    end
    always @(posedge clk) begin
        f_past    <= !rst;
        f_fe      <= fe_number;
        f_asks    <= f_mine && !task_ready_q[f_se];
        f_pointer <= wave_task_pointer[f_se*32 +: 32];
        f_host    <= host_valid && !host_done_q;
        f_write   <= host_write;
        f_dword   <= host_dword;
        f_strobe  <= host_strobe;
        f_data    <= host_data;
        f_pends   <= interrupt_q && !f_taken;
        f_ends    <= f_begin;
        f_x       <= f_begin ? tasks_report_write_addr : interrupt_queue_q;
        f_word    <= f_begin ? tasks_report_write_data[63:32] : interrupt_word_q;
        f_calls   <= (rst || !f_mine || task_ready_q[f_se]) ? 4'd0
                     : f_calls + {3'd0, call_valid_q && tasks_call_done && turn_q != {1'b0, f_se}};
    end
    always @*
        if (!rst && f_past) begin
            assert (turn_q <= HOST);                                                         // 1 answer
            if (task_ready_q[f_se]) assert (f_asks && f_mine);                               // 1 answer
            if (call_valid_q && turn_q == {1'b0, f_se}) assert (f_asks && call_pointer_q == f_pointer);  // 1 answer
            if (call_valid_q && turn_q == HOST) assert (step_q == SUBMIT_LAUNCH);              // 4 access
            if (step_q != SUBMIT_REST) assert (f_host && !host_done_q);                        // 4 access
            if (step_q == SUBMIT_LAUNCH) assert (f_write && f_dword == `TOTEM_REG_TASKS_TASK_LAUNCH);  // 4 access
            assert (interrupt_q == (f_pends || f_ends));                                     // 3 interrupt
            if (interrupt_q) assert (interrupt_queue_q == f_x && interrupt_word_q == f_word);  // 3 interrupt
            if (f_mine && !task_ready_q[f_se]) assert (f_calls < f_round && f_calls + f_ahead < f_round);  // 2 round
        end
    always @(posedge clk)
        if (!rst) begin
            cover (task_ready_q[0] && refused_q);
            cover (task_ready_q[0] && !refused_q);
            cover (launches_q == 32'd1);
            cover (interrupt_q);
        end
