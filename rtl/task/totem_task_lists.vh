// SPDX-License-Identifier: Apache-2.0
//
// Rules 18 to 26 of totem_task (entries and lists), included in the `always` block that makes its next state.
//
// Policy    one request to lists, or to a tmd_load, at a time; the answer says what the job does next. An entry that
//           overtakes the next task waits three clocks with `run` low: then it is known whether runner took that task.
// Twin      cmodel/task/totem_task_lists.c.

            // 18 Request
            TASK_TAKE, TASK_BACK, TASK_PUSH, TASK_POP, TASK_FREE:
                if (lists_request_ready)
                    phase_d = phase_q + 5'd1;
            // 19 Taken
            TASK_TAKEN:
                if (lists_answer_valid) begin
                    if (!reserved) begin
                        free_d                  = free_q - 1'b1;
                        taken_d[queue_q*C +: C] = taken_q[queue_q*C +: C] + 1'b1;
                    end
                    loading_d[ask_q]            = 1'b1;
                    load_job_d[ask_q*2 +: 2]    = job_q;
                    load_queue_d[ask_q*X +: X]  = queue_q;
                    load_item_d[ask_q*N +: N]   = lists_answer_entry;
                    load_group_d                = group;
                    load_target_d[ask_q*32 +: 32] = (job_q == JOB_LAUNCH) ? pointer : word_q;
                    item_d                      = lists_answer_entry;
                    owner_d[lists_answer_entry*X +: X] = queue_q;
                    orphaned_d[lists_answer_entry] = 1'b0;
                    out_d[lists_answer_entry]   = 1'b0;
                    lost_d[lists_answer_entry]  = 1'b0;
                    phase_d                     = TASK_LOAD;
                    if (job_q == JOB_LAUNCH)
                        waiting_d = waiting_q | of_job_pipe[PIPES-1:0];
                    else if (job_q != JOB_OTHER) begin
                        parent_d[ask_q*N +: N]      = item_q;
                        child_d[item_q*2 +: 2]      = CHILD_COMING;
                        child_item_d[item_q*N +: N] = lists_answer_entry;
                    end
                end
            // 20 Back
            TASK_BACKED:
                if (lists_answer_valid) begin
                    replace = 1'b1;
                    phase_d = TASK_PUSH;
                end
            // 21 Pushed
            TASK_PUSHED:
                if (lists_answer_valid) begin
                    if (job_q == JOB_LAUNCH)
                        phase_d = TASK_ANSWER;
                    else if (job_q == JOB_OTHER)
                        phase_d = TASK_IDLE;
                    else if (heir_q) begin
                        heir_d  = 1'b0;
                        item_d  = kin_q;
                        phase_d = TASK_FREE;
                    end else
                        phase_d = TASK_CLOSE;
                end
            // 22 Popped
            TASK_POPPED:
                if (lists_answer_valid && (purge_q[queue_q] || unload_q)) begin
                    item_d  = lists_answer_entry;
                    phase_d = purge_q[queue_q] ? TASK_FREE : TASK_LOOK;
                end else if (lists_answer_valid) begin
                    next_d[queue_q]         = 1'b1;
                    early_d[queue_q]        = 1'b0;
                    set_d[queue_q]          = 1'b0;
                    entry_d[queue_q*N +: N] = lists_answer_entry;
                    phase_d                 = TASK_IDLE;
                end
            // 23 Freed
            TASK_FREED:
                if (lists_answer_valid) begin
                    free_d                  = free_q + 1'b1;
                    taken_d[queue_q*C +: C] = taken_q[queue_q*C +: C] - 1'b1;
                    case (job_q)
                        JOB_LAUNCH:  phase_d = TASK_ANSWER;
                        JOB_PREFETCH: begin
                            child_d[parent_q[loaded*N +: N]*2 +: 2] = CHILD_NONE;
                            phase_d = TASK_IDLE;
                        end
                        JOB_OVER:    phase_d = (code_q != 8'd0) ? TASK_FAULT : TASK_CLOSE;
                        default: begin
                            phase_d = (code_q != 8'd0) ? TASK_FAULT : unload_q ? TASK_UNLOADED : TASK_IDLE;
                            // Unless the unfinished one is there already.
                            if (code_q != 8'd0 && !kept_q[queue_q] && !next_q[queue_q] && !listed[queue_q])
                                resume_d[queue_q] = 1'b0;
                        end
                    endcase
                end
            // 24 Load
            TASK_LOAD:
                if (tmd_load_request_ready[ask_q]) begin
                    ask_d   = !ask_q;
                    phase_d = TASK_IDLE;
                end
            TASK_STORE:
                if (job_q == JOB_PREFETCH) begin
                    child_d[parent_q[loaded*N +: N]*2 +: 2] = CHILD_HERE;
                    phase_d = TASK_IDLE;
                end else
                    phase_d = TASK_INSERT;
            // 25 Insert
            TASK_INSERT:
                if (job_q == JOB_OVER && incomplete[queue_q] && !head_q[item_q] && !stands_q[item_q])
                    phase_d = TASK_STASH;
                else if (placed[queue_q] && early_q[queue_q]) begin
                    replace = 1'b1;
                    phase_d = TASK_PUSH;
                end else if (placed[queue_q] && overtakes) begin
                    count_d = 2'd3;
                    phase_d = TASK_HOLD;
                end else
                    phase_d = TASK_PUSH;
            TASK_HOLD:
                if (count_q != 2'd0)
                    count_d = count_q - 2'd1;
                else
                    phase_d = placed[queue_q] ? TASK_BACK : TASK_PUSH;
            // 26 Answer
            TASK_ANSWER: begin
                waiting_d = waiting_q & ~of_job_pipe[PIPES-1:0];
                phase_d   = TASK_IDLE;
            end
