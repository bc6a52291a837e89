// SPDX-License-Identifier: Apache-2.0
//
// Properties of totem_runner, included at the end of the module. The numbers are those of docs/contract/runner.md.

    initial assume (rst);
    (* anyconst *) wire [Q-1:0] f_queue;
    reg       f_owes = 1'b0;            // f_queue: taken, and neither granted nor refused nor mapped anew since
    reg       f_was = 1'b0;             // it could run in the clock before
    reg [3:0] f_saved = 4'd15;          // clocks since save
    reg       f_loaded = 1'b0;          // the bank was loaded
    reg       f_asked = 1'b0;
    reg       f_early = 1'b0;           // its unfinished task could not run in the clock before
    reg [Q-1:0] f_place = {Q{1'b0}};
    wire f_maps = load_valid && load_kind == LOAD_ACTIVE && load_queue == f_queue;
    always @(posedge clk) begin
        if (!rst) begin
            if (phase_q != RUNNER_IDLE && phase_q != RUNNER_DONE)
                assume (packet_service_valid && arbiter_selected_valid);                             // A1 service
            if (f_asked) assume (arbiter_selected == f_place);  // A1 service
            if (phase_q == RUNNER_FIT || on || (phase_q == RUNNER_LOAD && held_q && go_queue_q == queue_q))
                assume (task_written[queue_q]);  // A2 written
            if (f_loaded && !go_q && !save_q) assume (bank_loaded);  // A3 loaded
        end
        f_asked  <= !rst && phase_d != RUNNER_IDLE;
        f_place  <= arbiter_selected;
        f_owes   <= !rst && !f_maps && ((f_owes && !((granted_d || refused_d) && queue_q == f_queue))
                                        || (taken_d && arbiter_selected == f_queue));
        f_was    <= task_run[f_queue];
        f_early  <= !rst && task_resume[f_queue] && !(task_run[f_queue] && bank_prepared[f_queue]);
        f_saved  <= rst ? 4'd15 : save_q ? 4'd1 : (f_saved != 4'd15) ? f_saved + 4'd1 : f_saved;
        f_loaded <= !rst && bank_loaded && !go_q && !save_q;
        if (!rst) begin
            if (phase_q != RUNNER_IDLE) assert (f_asked && queue_q == f_place);              // 1 start
            assert (begun_q[f_queue] == f_owes);                                             // 2 taken
            if (taken_q && queue_q == f_queue) assert (f_was);                               // 2 taken
            if (taken_q) assert (phase_q == RUNNER_LOAD);                                    // 2 taken
            if (begun_q[f_queue]) assert (due[f_queue]);                                     // 4 due
            assert (stall[f_queue] == f_early);                                              // 4 due
            if (f_early) assert (begun_q[f_queue] || !due[f_queue]);                         // 4 due
            if (phase_q == RUNNER_FIT || on) assert (held_q && go_queue_q == queue_q && !go_q);  // 1 start
            if (start) assert (bank_loaded);                                                 // 1 start
            if (save) assert (phase_q == RUNNER_DONE && again && !held_q);                   // 1 start
            if (go) assert (!on || phase_q == RUNNER_IDLE);                                  // 3 distance
            if (go) assert (f_saved > 4'd3);                                                 // 3 distance
            if (f_saved < 4'd4) assert ({1'b0, f_saved} + {1'b0, pause_q} >= 5'd3);          // 3 distance
            if (pause_q != 4'd0) assert (!held_q && pause_q <= PAUSE);  // helper
            if (go_q) assert (held_q && loading_q);  // helper
            assert (!(taken && granted) && !(granted && refused));  // helper
            cover (granted && f_owes == 1'b0);
            cover (save);
            cover (refused);
        end
    end
