// SPDX-License-Identifier: Apache-2.0
//
// Properties of totem_roll, included at the end of the module. The numbers are those of docs/contract/roll.md.

    initial assume (rst);
    reg [6:0] f_owed  = 7'd0;
    reg [6:0] f_gave  = 7'd0;               // tasks given back
    reg [6:0] f_sent  = 7'd0;               // writes of the request
    wire      f_idle  = phase_q == ROLL_REST || phase_q == ROLL_END || phase_q == ROLL_DONE;
    always @(posedge clk) begin
        f_owed <= rst ? 7'd0 : f_owed + {6'd0, write_valid && write_ready && step_q} - {6'd0, write_ack};
        f_gave <= (rst || phase_q == ROLL_REST) ? 7'd0 : f_gave + {6'd0, restore_valid && task_restore_ready};
        f_sent <= (rst || phase_q == ROLL_REST) ? 7'd0 : f_sent + {6'd0, write_valid && write_ready && step_q};
        if (!rst) begin
            if (write_ack) assume (f_owed != 7'd0);                                              // A1 acknowledged
            if (phase_q == ROLL_UNLOAD && task_unload_done && count_q == 7'd64)
                assume (task_unload_last);                                                       // A2 tasks

            assert (phase_q <= ROLL_DONE);                                                       // 1 owed
            assert (owed_q == f_owed && f_owed <= f_sent && f_sent <= 7'd69);                    // 1 owed
            if (phase_q == ROLL_REST || phase_q == ROLL_DONE) assert (owed_q == 7'd0);           // 1 owed
            if (op_q == ROLL_LOAD && phase_q != ROLL_REST) assert (f_sent == 7'd0);              // 2 access
            if (phase_q == ROLL_CLEAN || phase_q == ROLL_ASK || phase_q == ROLL_HEAR || phase_q == ROLL_RESTORE)
                assert (op_q == ROLL_LOAD && owed_q == 7'd0);                                    // 2 access
            if (phase_q == ROLL_UNLOAD || phase_q == ROLL_WRITE || phase_q == ROLL_LAST)
                assert (op_q != ROLL_LOAD);                                                      // 2 access
            if (phase_q == ROLL_ASK || phase_q == ROLL_HEAR || phase_q == ROLL_RELAY || phase_q == ROLL_WRITE)
                assert ((dword_q >= DWORD_RESTART_X && dword_q <= DWORD_RESTART_Z) || dword_q == DWORD_RELAUNCH
                        || (dword_q >= DWORD_COUNT && dword_q <= DWORD_LAST));                   // 2 access
            if (op_q == ROLL_LOAD && !f_idle && phase_q != ROLL_CLEAN && dword_q >= DWORD_FIRST)
                assert (f_gave == dword_q - DWORD_FIRST && f_gave < count_q);                    // 3 count
            if (op_q == ROLL_LOAD && (phase_q == ROLL_END || phase_q == ROLL_DONE))
                assert (code_q != 8'd0 || f_gave == count_q);                                    // 3 count

            // helpers
            if (op_q != ROLL_LOAD && phase_q != ROLL_REST) assert (count_q <= 7'd64);
            if (op_q != ROLL_LOAD && !f_idle)
                assert (f_sent == count_q + (!resume_q ? 7'd0
                        : dword_q >= DWORD_COUNT || phase_q == ROLL_LAST || phase_q == ROLL_UNLOAD ? 7'd4
                        : dword_q == DWORD_RELAUNCH ? 7'd3 : dword_q[6:0] - DWORD_RESTART_X[6:0]));
            if (phase_q == ROLL_RELAY) assert (op_q <= ROLL_SAVE && resume_q);
            if (resume_q && phase_q != ROLL_REST && op_q != ROLL_SAVE) assert (op_q == ROLL_LOAD);
            if (phase_q == ROLL_RELAY) assert (dword_q < DWORD_COUNT);
            if (phase_q == ROLL_WRITE && dword_q < DWORD_COUNT) assert (op_q == ROLL_SAVE && resume_q);
            if (phase_q == ROLL_WRITE && dword_q > DWORD_COUNT)
                assert (dword_q == DWORD_FIRST + {2'd0, count_q} && op_q == ROLL_SAVE);
            if (phase_q == ROLL_UNLOAD) assert (op_q == ROLL_SAVE && (!resume_q || dword_q >= DWORD_RELAUNCH));
            if (resume_q && phase_q == ROLL_UNLOAD) assert (dword_q == DWORD_RELAUNCH || dword_q > DWORD_COUNT);
            if (step_q) assert (phase_q == ROLL_WRITE);
            if (phase_q == ROLL_CLEAN)
                assert (dword_q == DWORD_COUNT && count_q == 7'd0 && f_gave == 7'd0 && !resume_q);
            if (op_q == ROLL_LOAD && !f_idle && phase_q != ROLL_CLEAN) begin
                assert (count_q <= 7'd64);
                if (dword_q < DWORD_FIRST) assert (f_gave == 7'd0 && (dword_q == DWORD_COUNT) == (count_q == 7'd0));
                if (dword_q < DWORD_COUNT) assert (resume_q);
                if (dword_q == DWORD_COUNT) assert (!resume_q && (phase_q == ROLL_ASK || phase_q == ROLL_HEAR));
                if (phase_q == ROLL_RESTORE) assert (dword_q >= DWORD_FIRST);
            end
            if (op_q == ROLL_LOAD && !f_idle) assert (code_q == 8'd0);
            cover (phase_q == ROLL_DONE && op_q == ROLL_LOAD && resume_q);
            cover (phase_q == ROLL_DONE && op_q == ROLL_SAVE && count_q == 7'd1);
        end
    end
