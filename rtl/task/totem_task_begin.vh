// SPDX-License-Identifier: Apache-2.0
//
// Rules 7 to 17 of totem_task (a job begins), included in the `always` block that makes its next state.
//
// Policy    a load that has ended comes first, then calls, then tasks that are over, so that none of them waits for
//           memory. Of each kind the lowest queue comes first. A call is answered in this clock and is no job.
// Twin      cmodel/task/totem_task_begin.c.

            TASK_IDLE:
                // 7 Loaded
                if (deals) begin
                    deal_d             = !deal_q;
                    answered_d[deal_q] = 1'b0;
                    loading_d[deal_q]  = 1'b0;
                    queue_d            = load_queue_q[deal_q*X +: X];
                    item_d             = deal_item;
                    job_d              = load_job_q[deal_q*2 +: 2];
                    again_d            = 1'b0;
                    code_d             = deal_error;
                    address_d          = {load_target_q[deal_q*32 +: 32], 8'd0};
                    if (deal_error != 8'd0) begin
                        silent_d = silent_q && load_job_q[deal_q*2 +: 2] != JOB_OVER;
                        word_d   = tmd_load_answer_word[deal_q*32 +: 32];
                        phase_d  = TASK_FREE;
                    end else begin
                        word_d                     = tmd_load_answer_pointer[deal_q*32 +: 32];
                        dependent_d[deal_item]     = tmd_load_answer_dependent[deal_q];
                        prefetch_d[deal_item]      = tmd_load_answer_prefetch[deal_q];
                        stands_d[deal_item]        = tmd_load_answer_dependent[deal_q]
                                                     && !tmd_load_answer_renew[deal_q]
                                                     && tmd_load_answer_pointer[deal_q*32 +: 32]
                                                        == load_target_q[deal_q*32 +: 32];
                        head_d[deal_item]          = tmd_load_answer_head[deal_q];
                        level_d[deal_item*2 +: 2]  = settings_task_priority ? deal_group[5:4] : 2'd0;
                        phase_d                    = TASK_STORE;
                    end
                // 8 Call
                end else if (calls && !(lacks[submit_call_queue] && here != {ENTRIES{1'b0}})) begin
                    called_d = 1'b1;
                    if (!live_q[submit_call_queue])
                        call_answer_d = CALL_UNMAPPED;
                    else if (!room[submit_call_queue] || call_waits == 7'd64)
                        call_answer_d = CALL_FULL;
                    else begin
                        call_answer_d                   = CALL_TAKEN;
                        free_d                          = free_q - 1'b1;
                        taken_d[submit_call_queue*C +: C] = taken_q[submit_call_queue*C +: C] + 1'b1;
                        kept_d[submit_call_queue]         = 1'b1;
                        put_valid_d                     = 1'b1;
                        put_x_d                         = submit_call_queue;
                        put_data_d                      = submit_call_pointer;
                        put_resume_d                    = 1'b0;
                    end
                // 9 Over
                end else if (finish_over_valid && !over_waits) begin
                    queue_d   = over_x;
                    item_d    = over_e;
                    job_d     = JOB_OVER;
                    looked_d  = 1'b0;
                    settled_d = 1'b0;
                    heir_d    = 1'b0;
                    silent_d  = orphaned_q[over_e];
                    if (finish_over_error != MEMORY_OK) begin
                        code_d    = WRITE_FAILED + {6'd0, finish_over_error};
                        word_d    = finish_over_addr[31:0];
                        address_d = finish_over_addr;
                        phase_d   = TASK_FAULT;
                    end else begin
                        code_d  = 8'd0;
                        phase_d = TASK_LOOK;
                        if (over_leads) begin
                            early_d[over_x]        = 1'b0;
                            child_d[over_e*2 +: 2] = CHILD_NONE;
                            settled_d              = 1'b1;
                        end
                    end
                // 10 Yield
                end else if (lacks != {ALL{1'b0}} && here != {ENTRIES{1'b0}}) begin
                    queue_d                = owner_q[here_e*X +: X];
                    job_d                  = JOB_OTHER;
                    code_d                 = 8'd0;
                    unload_d               = 1'b0;
                    child_d[here_e*2 +: 2] = CHILD_WANTED;
                    parting                = 1'b1;
                    from                   = here_e;
                // 11 Launch
                end else if (launches) begin
                    queue_d = launch_x;
                    job_d   = JOB_LAUNCH;
                    code_d  = 8'd0;
                    again_d = !room[launch_x];
                    phase_d = room[launch_x] ? TASK_TAKE : TASK_ANSWER;
                // 12 Refused
                end else if (dropping != {ALL{1'b0}}) begin
                    queue_d = drop_x;
                    job_d   = JOB_OTHER;
                    code_d  = 8'd0;
                    phase_d = TASK_FREE;
                    from    = entry_q[drop_x*N +: N];
                    item_d  = from;
                    child_d[from*2 +: 2] = CHILD_NONE;
                    if (here[from])
                        parting = 1'b1;
                    else begin
                        drop_d[drop_x] = 1'b0;
                        next_d[drop_x] = 1'b0;
                        set_d[drop_x]  = 1'b0;
                    end
                // 13 Lost
                end else if (losing != {ENTRIES{1'b0}}) begin
                    queue_d  = owner_q[lost_e*X +: X];
                    item_d   = lost_e;
                    job_d    = JOB_OTHER;
                    code_d   = 8'd0;
                    unload_d = 1'b0;
                    phase_d  = TASK_FREE;
                    child_d[lost_e*2 +: 2] = CHILD_NONE;
                    if (here[lost_e]) begin
                        parting = 1'b1;
                        from    = lost_e;
                    end else begin
                        lost_d[lost_e] = 1'b0;
                        out_d[lost_e]  = 1'b0;
                    end
                // 14 Empty
                end else if (empties != {ALL{1'b0}}) begin
                    queue_d  = empty_x;
                    job_d    = JOB_OTHER;
                    code_d   = 8'd0;
                    unload_d = !purge_q[empty_x];
                    if (!purge_q[empty_x])
                        live_d[empty_x] = 1'b0;
                    if (kids != {ENTRIES{1'b0}}) begin
                        child_d[kid_e*2 +: 2] = CHILD_NONE;
                        unload_d              = 1'b0;
                        parting               = here[kid_e];
                        from                  = kid_e;
                    end else if (next_q[empty_x]) begin
                        replace            = 1'b1;
                        running_d[empty_x] = 1'b0;
                        drop_d[empty_x]    = 1'b0;
                        item_d             = entry_q[empty_x*N +: N];
                        phase_d            = purge_q[empty_x] ? TASK_FREE : TASK_LOOK;
                    end else if (listed[empty_x]) begin
                        place_d = top;
                        phase_d = TASK_POP;
                    end else if (waits[empty_x] && !purge_q[empty_x])
                        phase_d = TASK_DRAW;
                    else begin
                        stored_d[empty_x*7 +: 7] = 7'd0;
                        drawn_d[empty_x*7 +: 7]  = 7'd0;
                        purge_d[empty_x]         = 1'b0;
                        kept_d[empty_x]          = 1'b0;
                        if (kept_q[empty_x]) begin
                            free_d                  = free_q + empty_waits[C-1:0];
                            taken_d[empty_x*C +: C] = taken_q[empty_x*C +: C] - empty_waits[C-1:0];
                        end
                        if (purge_q[empty_x])
                            resume_d[empty_x] = 1'b0;
                        else begin
                            last_d  = 1'b1;
                            phase_d = TASK_UNLOADED;
                        end
                    end
                // 15 Fill
                end else if (empty != {ALL{1'b0}}) begin
                    queue_d  = fill_x;
                    job_d    = JOB_OTHER;
                    code_d   = 8'd0;
                    unload_d = 1'b0;
                    place_d  = top;
                    phase_d  = TASK_POP;
                end else if (of_early) begin
                    next_d[early_x]         = 1'b1;
                    early_d[early_x]        = 1'b1;
                    set_d[early_x]          = 1'b0;
                    entry_d[early_x*N +: N] = child_item_q[old_e*N +: N];
                // 16 Draw
                end else if (!full && draws != {ALL{1'b0}}) begin
                    queue_d  = draw_x;
                    job_d    = JOB_OTHER;
                    code_d   = 8'd0;
                    unload_d = 1'b0;
                    phase_d  = TASK_DRAW;
                // 17 Prefetch
                end else if (!full && !loads_over && !asks && hopes != {ALL{1'b0}}) begin
                    queue_d = want_x;
                    job_d   = JOB_PREFETCH;
                    item_d  = old_e;
                    phase_d = TASK_LOOK;
                end
