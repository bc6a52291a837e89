// SPDX-License-Identifier: Apache-2.0
//
// Rules 32 to 34 of totem_task (pointers that wait), included in the `always` block that makes its next state.
//
// Policy    a dependent joins the pointers that wait; the first of them gets its entry, or goes to spill.
// Twin      cmodel/task/totem_task_save.c.

            // 32 Stash
            TASK_STASH:
                if (!put_valid_q && !spill_restore_valid) begin
                    put_valid_d  = 1'b1;
                    put_x_d      = queue_q;
                    put_data_d   = load_target_q[loaded*32 +: 32];
                    put_resume_d = 1'b0;
                    phase_d      = TASK_FREE;
                end
            // 33 Drawn
            TASK_DRAW:
                phase_d = TASK_DRAWN;
            TASK_DRAWN: begin
                drawn_d[queue_q*7 +: 7] = draw_place + 7'd1;
                if (unload_q) begin
                    if (kept_q[queue_q]) begin
                        free_d                  = free_q + 1'b1;
                        taken_d[queue_q*C +: C] = taken_q[queue_q*C +: C] - 1'b1;
                    end
                    own_d   = store_read_data;
                    phase_d = TASK_UNLOADED;
                end else begin
                    word_d  = store_read_data;
                    phase_d = TASK_TAKE;
                end
            end
            // 34 Unloaded
            TASK_UNLOADED: begin
                unload_d = 1'b0;
                last_d   = 1'b0;
                phase_d  = TASK_IDLE;
            end
