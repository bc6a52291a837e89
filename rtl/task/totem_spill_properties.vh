// SPDX-License-Identifier: Apache-2.0
//
// Properties of totem_spill, included at the end of the module. The numbers are those of docs/contract/spill.md.

    initial assume (rst);
    reg [6:0] f_owed  = 7'd0;
    reg [6:0] f_gave  = 7'd0;               // tasks given back
    reg [6:0] f_sent  = 7'd0;               // writes of the request
    wire      f_idle  = phase_q == SPILL_REST || phase_q == SPILL_END || phase_q == SPILL_DONE;
    always @(posedge clk) begin
        f_owed <= rst ? 7'd0 : f_owed + {6'd0, write_valid && write_ready && step_q} - {6'd0, write_ack};
        f_gave <= (rst || phase_q == SPILL_REST) ? 7'd0 : f_gave + {6'd0, restore_valid && task_restore_ready};
        f_sent <= (rst || phase_q == SPILL_REST) ? 7'd0 : f_sent + {6'd0, write_valid && write_ready && step_q};
        if (!rst) begin
            if (write_ack) assume (f_owed != 7'd0);                                              // A1 acknowledged
            if (phase_q == SPILL_UNLOAD && task_unload_done && count_q == 7'd64)
                assume (task_unload_last);                                                       // A2 tasks

            assert (phase_q <= SPILL_DONE);                                                       // 1 owed
            assert (owed_q == f_owed && f_owed <= f_sent && f_sent <= 7'd69);                    // 1 owed
            if (phase_q == SPILL_REST || phase_q == SPILL_DONE) assert (owed_q == 7'd0);           // 1 owed
            if (op_q == SPILL_LOAD && phase_q != SPILL_REST) assert (f_sent == 7'd0);              // 2 access
            if (phase_q == SPILL_CLEAN || phase_q == SPILL_ASK || phase_q == SPILL_HEAR || phase_q == SPILL_RESTORE)
                assert (op_q == SPILL_LOAD && owed_q == 7'd0);                                    // 2 access
            if (phase_q == SPILL_UNLOAD || phase_q == SPILL_WRITE || phase_q == SPILL_LAST)
                assert (op_q != SPILL_LOAD);                                                      // 2 access
            if (phase_q == SPILL_ASK || phase_q == SPILL_HEAR || phase_q == SPILL_RELAY || phase_q == SPILL_WRITE)
                assert ((dword_q >= DWORD_RESTART_X && dword_q <= DWORD_RESTART_Z) || dword_q == DWORD_RELAUNCH
                        || (dword_q >= DWORD_COUNT && dword_q <= DWORD_LAST));                   // 2 access
            if (op_q == SPILL_LOAD && !f_idle && phase_q != SPILL_CLEAN && dword_q >= DWORD_FIRST)
                assert (f_gave == dword_q - DWORD_FIRST && f_gave < count_q);                    // 3 count
            if (op_q == SPILL_LOAD && (phase_q == SPILL_END || phase_q == SPILL_DONE))
                assert (code_q != 8'd0 || f_gave == count_q);                                    // 3 count

            // helpers
            if (op_q != SPILL_LOAD && phase_q != SPILL_REST) assert (count_q <= 7'd64);
            if (op_q != SPILL_LOAD && !f_idle)
                assert (f_sent == count_q + (!resume_q ? 7'd0
                        : dword_q >= DWORD_COUNT || phase_q == SPILL_LAST || phase_q == SPILL_UNLOAD ? 7'd4
                        : dword_q == DWORD_RELAUNCH ? 7'd3 : dword_q[6:0] - DWORD_RESTART_X[6:0]));
            if (phase_q == SPILL_RELAY) assert (op_q <= SPILL_SAVE && resume_q);
            if (resume_q && phase_q != SPILL_REST && op_q != SPILL_SAVE) assert (op_q == SPILL_LOAD);
            if (phase_q == SPILL_RELAY) assert (dword_q < DWORD_COUNT);
            if (phase_q == SPILL_WRITE && dword_q < DWORD_COUNT) assert (op_q == SPILL_SAVE && resume_q);
            if (phase_q == SPILL_WRITE && dword_q > DWORD_COUNT)
                assert (dword_q == DWORD_FIRST + {2'd0, count_q} && op_q == SPILL_SAVE);
            if (phase_q == SPILL_UNLOAD) assert (op_q == SPILL_SAVE && (!resume_q || dword_q >= DWORD_RELAUNCH));
            if (resume_q && phase_q == SPILL_UNLOAD) assert (dword_q == DWORD_RELAUNCH || dword_q > DWORD_COUNT);
            if (step_q) assert (phase_q == SPILL_WRITE);
            if (phase_q == SPILL_CLEAN)
                assert (dword_q == DWORD_COUNT && count_q == 7'd0 && f_gave == 7'd0 && !resume_q);
            if (op_q == SPILL_LOAD && !f_idle && phase_q != SPILL_CLEAN) begin
                assert (count_q <= 7'd64);
                if (dword_q < DWORD_FIRST) assert (f_gave == 7'd0 && (dword_q == DWORD_COUNT) == (count_q == 7'd0));
                if (dword_q < DWORD_COUNT) assert (resume_q);
                if (dword_q == DWORD_COUNT) assert (!resume_q && (phase_q == SPILL_ASK || phase_q == SPILL_HEAR));
                if (phase_q == SPILL_RESTORE) assert (dword_q >= DWORD_FIRST);
            end
            if (op_q == SPILL_LOAD && !f_idle) assert (code_q == 8'd0);
            cover (phase_q == SPILL_DONE && op_q == SPILL_LOAD && resume_q);
            cover (phase_q == SPILL_DONE && op_q == SPILL_SAVE && count_q == 7'd1);
        end
    end
