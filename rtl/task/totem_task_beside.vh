// SPDX-License-Identifier: Apache-2.0
//
// Rules 1 to 6 of totem_task (beside the job), included in the `always` block that makes its next state.
//
// Policy    what happens in every clock, whatever the job does: mappings begin and end, pointers are given back, runner
//           acts, the registers of next tasks are written.
// Twin      cmodel/task/totem_task.c.

        // 1 Defaults
        answered_d = answered_q | tmd_load_answer_valid;
        turn_d     = turn_q ^ (PIPES == 2 && runner_launch_valid != {PIPES{1'b0}});
        called_d   = 1'b0;

        // 2 Mappings
        gone_d  = gone_q & ~away;
        purge_d = purge_q | (gone_q & away);
        for (p = 0; p < PIPES; p = p + 1) begin
            told = (p[0] && PIPES == 2 ? {1'b1, {(X-1){1'b0}}} : {X{1'b0}}) | {{X-Q{1'b0}}, hqd_load_queue[p*Q +: Q]};
            maps = hqd_load_valid[p] && hqd_load_kind[p*5 +: 5] == LOAD_ACTIVE;
            if (maps) begin
                live_d[told] = hqd_load_data[p*40];
                if (!hqd_load_data[p*40])
                    gone_d[told] = 1'b1;
            end
        end
        for (e = 0; e < ENTRIES; e = e + 1) begin
            told = owner_q[e*X +: X];
            if (out_q[e] && gone_q[told] && away[told])
                orphaned_d[e] = 1'b1;
            // 3 Abandoned
            for (p = 0; p < PIPES; p = p + 1)
                if (slot_idle_drop_valid[p] && slot_idle_drop_queue[p*Q +: Q] == told[Q-1:0]
                    && (PIPES == 1 || told[X-1] == p[0]) && out_q[e] && !(orphaned_q[e] && epoch_mapped[told])
                    && !(finish_ending[told] && finish_item[told*N +: N] == e[N-1:0]))
                    lost_d[e] = 1'b1;
        end
        // 4 Given back
        put_valid_d = 1'b0;
        restored_d  = 1'b0;
        if (put_valid_q) begin
            stored_d[put_x_q*7 +: 7] = put_place + 7'd1;
            if (put_resume_q)
                resume_d[put_x_q] = 1'b1;
        end else if (spill_restore_valid) begin
            put_valid_d  = 1'b1;
            put_x_d      = spill_restore_queue;
            put_data_d   = spill_restore_pointer;
            put_resume_d = spill_restore_resume;
            restored_d   = 1'b1;
        end

        // 5 Runner
        for (p = 0; p < PIPES; p = p + 1) begin
            told = (p[0] && PIPES == 2 ? {1'b1, {(X-1){1'b0}}} : {X{1'b0}}) | {{X-Q{1'b0}}, runner_queue[p*Q +: Q]};
            if (runner_taken[p]) begin
                running_d[told] = 1'b1;
                resume_d[told]  = 1'b0;
                started_d[told*4 +: 4]           = started_q[told*4 +: 4] + 4'd1;
                age_d[entry_q[told*N +: N]*4 +: 4] = started_q[told*4 +: 4];
                if (dependent_q[entry_q[told*N +: N]] && prefetch_q[entry_q[told*N +: N]])
                    child_d[entry_q[told*N +: N]*2 +: 2] = CHILD_WANTED;
            end
            if (runner_granted[p]) begin
                next_d[told]    = 1'b0;
                running_d[told] = 1'b0;
                set_d[told]     = 1'b0;
                out_d[entry_q[told*N +: N]] = 1'b1;
            end
            if (runner_refused[p]) begin
                running_d[told] = 1'b0;
                drop_d[told]    = 1'b1;
            end
        end

        // 6 Registers
        if (setup_valid_q) begin
            if (setup_done) begin
                setup_valid_d = 1'b0;
                if (!stale_q)
                    set_d[setup_x_q] = 1'b1;
            end
        end else if (unset != {ALL{1'b0}}) begin
            setup_valid_d = 1'b1;
            setup_x_d     = write_x;
            setup_item_d  = entry_q[write_x*N +: N];
            setup_resume_d = resume_q[write_x];
            stale_d       = 1'b0;
        end
