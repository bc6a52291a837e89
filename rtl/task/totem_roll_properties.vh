// SPDX-License-Identifier: Apache-2.0
//
// Properties of totem_roll, included at the end of the module. The numbers are those of docs/contract/roll.md.

    // Contract 1: writes are counted exactly, and all are acknowledged when a request is done.
    // Contract 2: what is read and written. Contract 3: a load gives back what dword 383 says, ascending.
    // Assumed: acknowledges come for what was sent; at most 64 tasks of a queue are taken out.
    initial assume (rst);
    reg [6:0] f_owed  = 7'd0;
    reg [6:0] f_gave  = 7'd0;               // tasks given back
    reg [6:0] f_sent  = 7'd0;               // writes of the request
    wire      f_idle  = phase_q == REST || phase_q == END || phase_q == DONE;
    always @(posedge clk) begin
        f_owed <= rst ? 7'd0 : f_owed + {6'd0, write_valid && write_ready && step_q} - {6'd0, write_ack};
        f_gave <= (rst || phase_q == REST) ? 7'd0 : f_gave + {6'd0, restore_valid && task_restore_ready};
        f_sent <= (rst || phase_q == REST) ? 7'd0 : f_sent + {6'd0, write_valid && write_ready && step_q};
        if (!rst) begin
            if (write_ack) assume (f_owed != 7'd0);
            if (phase_q == UNLOAD && task_unload_done && count_q == 7'd64) assume (task_unload_last);
            assert (phase_q <= DONE);                                                                       // 1
            assert (owed_q == f_owed && f_owed <= f_sent && f_sent <= 7'd69);                               // 1
            if (phase_q == REST || phase_q == DONE) assert (owed_q == 7'd0);                                // 1
            if (op_q == LOAD && phase_q != REST) assert (f_sent == 7'd0);                                   // 2
            if (op_q != LOAD && phase_q != REST) assert (count_q <= 7'd64);
            if (op_q != LOAD && !f_idle)
                assert (f_sent == count_q + (!resume_q ? 7'd0 : dword_q >= COUNT || phase_q == LAST || phase_q == UNLOAD
                        ? 7'd4 : dword_q == RELAUNCH ? 7'd3 : dword_q[6:0] - 7'd28));
            if (phase_q == CLEAN || phase_q == ASK || phase_q == HEAR || phase_q == RESTORE)                 // 2
                assert (op_q == LOAD && owed_q == 7'd0);
            if (phase_q == UNLOAD || phase_q == WRITE || phase_q == LAST) assert (op_q != LOAD);            // 2
            if (phase_q == RELAY) assert (op_q <= SAVE && resume_q);
            if (resume_q && phase_q != REST && op_q != SAVE) assert (op_q == LOAD);
            if (phase_q == ASK || phase_q == HEAR || phase_q == RELAY || phase_q == WRITE)                  // 2
                assert ((dword_q >= RESTART && dword_q <= RESTART_Z) || dword_q == RELAUNCH
                        || (dword_q >= COUNT && dword_q <= 9'd447));
            if (phase_q == RELAY) assert (dword_q < COUNT);
            if (phase_q == WRITE && dword_q < COUNT) assert (op_q == SAVE && resume_q);
            if (phase_q == WRITE && dword_q > COUNT) assert (dword_q == FIRST + {2'd0, count_q} && op_q == SAVE);
            if (phase_q == UNLOAD) assert (op_q == SAVE && (!resume_q || dword_q >= RELAUNCH));
            if (resume_q && phase_q == UNLOAD) assert (dword_q == RELAUNCH || dword_q > COUNT);
            if (step_q) assert (phase_q == WRITE);
            if (phase_q == CLEAN) assert (dword_q == COUNT && count_q == 7'd0 && f_gave == 7'd0 && !resume_q);
            if (op_q == LOAD && !f_idle && phase_q != CLEAN) begin
                assert (count_q <= 7'd64);
                if (dword_q >= FIRST) assert (f_gave == dword_q - FIRST && f_gave < count_q);               // 3
                else assert (f_gave == 7'd0 && (dword_q == COUNT) == (count_q == 7'd0));
                if (dword_q < COUNT) assert (resume_q);
                if (dword_q == COUNT) assert (!resume_q && (phase_q == ASK || phase_q == HEAR));
                if (phase_q == RESTORE) assert (dword_q >= FIRST);
            end
            if (op_q == LOAD && (phase_q == END || phase_q == DONE)) assert (code_q != 8'd0 || f_gave == count_q);  // 3
            if (op_q == LOAD && !f_idle) assert (code_q == 8'd0);
            cover (phase_q == DONE && op_q == LOAD && resume_q);
            cover (phase_q == DONE && op_q == SAVE && count_q == 7'd1);
        end
    end
