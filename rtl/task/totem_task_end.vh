// SPDX-License-Identifier: Apache-2.0
//
// Rules 27 to 31 of totem_task (the end of a task), included in the `always` block that makes its next state.
//
// Policy    the pointers of the task are read; they say whether its dependent is in its place, is inserted, or is
//           loaded. The report comes last.
// Twin      cmodel/task/totem_task_end.c.

            // 27 Look
            TASK_LOOK:
                phase_d = TASK_SEE;
            TASK_SEE: begin
                own_d   = pointer_read_data[31:0];
                word_d  = pointer_read_data[63:32];
                total_d = report_read_data[31:0] + 32'd1;
                phase_d = TASK_DECIDE;
            end
            TASK_DECIDE:
                // 28 Early
                if (job_q == JOB_PREFETCH) begin
                    phase_d = TASK_TAKE;
                    if (stands_q[item_q]) begin
                        child_d[item_q*2 +: 2] = CHILD_NONE;
                        phase_d                = TASK_IDLE;
                    end
                // 29 Decide
                end else begin
                    looked_d               = 1'b1;
                    child_d[item_q*2 +: 2] = CHILD_NONE;
                    if (word_q == own_q && dependent_q[item_q])
                        silent_d = 1'b1;
                    if (item_here && item_leads) begin
                        early_d[queue_q] = 1'b0;
                        phase_d          = TASK_FREE;
                    end else if (item_here) begin
                        heir_d  = 1'b1;
                        kin_d   = item_q;
                        item_d  = child_item_q[item_q*N +: N];
                        phase_d = TASK_INSERT;
                    end else if (job_q == JOB_OTHER || settled_q || orphaned_q[item_q] || !dependent_q[item_q])
                        phase_d = TASK_FREE;
                    else if (stands_q[item_q])
                        phase_d = TASK_INSERT;
                    else begin
                        loading_d[ask_q]              = 1'b1;
                        load_job_d[ask_q*2 +: 2]      = JOB_OVER;
                        load_queue_d[ask_q*X +: X]    = queue_q;
                        load_item_d[ask_q*N +: N]     = item_q;
                        load_group_d                  = group;
                        load_target_d[ask_q*32 +: 32] = word_q;
                        phase_d                       = TASK_LOAD;
                    end
                end
            // 30 Fault
            TASK_FAULT:
                if (|(runner_fault_ready & of_job_pipe[PIPES-1:0])) begin
                    code_d  = 8'd0;
                    phase_d = (job_q == JOB_OTHER) ? TASK_IDLE : looked_q ? TASK_CLOSE : TASK_LOOK;
                end
            // 31 Report
            TASK_CLOSE:
                if (submit_room)
                    phase_d = TASK_REPORT;
            TASK_REPORT: begin
                out_d[item_q] = 1'b0;
                phase_d       = TASK_IDLE;
            end
