// SPDX-License-Identifier: Apache-2.0
//
// Properties of totem_runner, included at the end of the module. The numbers are those of docs/contract/runner.md.

    // Contract 1: a task starts only begun and loaded; it is saved only out of a stopped grid.
    // Contract 2: granted and refused come only for what was taken and is not answered; taken only for what could run.
    // Contract 3: go is never while a grid runs, nor within 3 clocks behind a save.
    // Contract 4: a task that is begun is due; a queue whose unfinished task cannot run yet is stalled.
    // Assumed: a queue has the pipe while something is asked for, the same one; the registers of a task stay set
    // while it runs; the bank keeps `loaded` until the next go or save.
    initial assume (rst);
    (* anyconst *) wire [Q-1:0] f_queue;
    reg       f_owes = 1'b0;            // f_queue: taken, and neither granted nor refused nor mapped anew since
    reg       f_was = 1'b0;             // it could run in the clock before
    reg [3:0] f_saved = 4'd15;          // clocks since save
    reg       f_loaded = 1'b0;          // the bank was loaded
    reg       f_asked = 1'b0;
    reg       f_early = 1'b0;           // its unfinished task could not run in the clock before
    reg [Q-1:0] f_place = {Q{1'b0}};
    wire f_maps = load_valid && load_kind == `TOTEM_LOAD_ACTIVE && load_queue == f_queue;
    always @(posedge clk) begin
        if (!rst) begin
            if (phase_q != IDLE && phase_q != DONE) assume (packet_service_valid && arbiter_selected_valid);
            if (f_asked) assume (arbiter_selected == f_place);
            if (phase_q == FIT || on || (phase_q == LOAD && held_q && go_queue_q == queue_q))
                assume (task_written[queue_q]);
            if (f_loaded && !go_q && !save_q) assume (bank_loaded);
        end
        f_asked  <= !rst && phase_d != IDLE;
        f_place  <= arbiter_selected;
        f_owes   <= !rst && !f_maps && ((f_owes && !((granted_d || refused_d) && queue_q == f_queue))
                                        || (taken_d && arbiter_selected == f_queue));
        f_was    <= task_run[f_queue];
        f_early  <= !rst && task_resume[f_queue] && !(task_run[f_queue] && bank_prepared[f_queue]);
        f_saved  <= rst ? 4'd15 : save_q ? 4'd1 : (f_saved != 4'd15) ? f_saved + 4'd1 : f_saved;
        f_loaded <= !rst && bank_loaded && !go_q && !save_q;
        if (!rst) begin
            if (phase_q != IDLE) assert (f_asked && queue_q == f_place);                                // 1
            assert (begun_q[f_queue] == f_owes);                                                        // 2
            if (taken_q && queue_q == f_queue) assert (f_was);                                          // 2
            if (taken_q) assert (phase_q == LOAD);                                                      // 2
            if (begun_q[f_queue]) assert (due[f_queue]);                                                // 4
            assert (stall[f_queue] == f_early);                                                         // 4
            if (f_early) assert (begun_q[f_queue] || !due[f_queue]);                                    // 4
            if (phase_q == FIT || on) assert (held_q && go_queue_q == queue_q && !go_q);                // 1
            if (start) assert (bank_loaded);                                                            // 1
            if (save) assert (phase_q == DONE && again && !held_q);                                     // 1
            if (go) assert (!on || phase_q == IDLE);                                                    // 3
            if (go) assert (f_saved > 4'd3);                                                            // 3
            if (f_saved < 4'd4) assert ({1'b0, f_saved} + {1'b0, pause_q} >= 5'd3);                    // 3
            if (pause_q != 4'd0) assert (!held_q && pause_q <= PAUSE);
            if (go_q) assert (held_q && loading_q);
            assert (!(taken && granted) && !(granted && refused));
            cover (granted && f_owes == 1'b0);
            cover (save);
            cover (refused);
        end
    end
