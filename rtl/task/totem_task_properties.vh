// SPDX-License-Identifier: Apache-2.0
//
// Properties of totem_task, included at the end of the module. The numbers are those of docs/contract/task.md.

    localparam [1:0] F_FREE = 2'd0, F_HELD = 2'd1, F_LISTED = 2'd2;
    initial assume (rst);

    // The lists, from their port: where every entry is, its queue and level; the request that is not answered.
    reg [ENTRIES*2-1:0] f_kind, f_level;
    reg [ENTRIES*X-1:0] f_own;
    reg                 f_asks;
    reg [2:0]           f_op;
    reg [X+1:0]         f_list;
    reg [N-1:0]         f_entry;
    // Of every entry: granted and not reported; child of f_parent, which is not over; names itself as dependent.
    reg [ENTRIES-1:0]   f_out, f_child, f_self;
    reg [ENTRIES*N-1:0] f_parent;
    reg                 f_round;        // the task that is over is inserted again
    // Of every queue: mapped; abandoned or unloaded, and not mapped again.
    reg [ALL-1:0]       f_mapped, f_off;
    reg [1:0]           f_load;         // each tmd_load has a load
    reg                 f_placed;       // a dependent of the task that is over has its place
    reg [4:0]           f_steps;        // clocks of the job of that task without those that wait
    reg [1:0]           f_stays;        // clocks that it waits in TASK_IDLE without a load
    // Inputs and outputs a clock ago, of `run` and the queue that has the pipe also two.
    reg                 f_over, f_calls, f_unloads, f_restores, f_called, f_ended;
    reg [X-1:0]         f_over_x, f_call_x, f_unload_x, f_restore_x;
    reg [N-1:0]         f_over_e;
    reg [PIPES-1:0]     f_launches, f_pipe_1, f_pipe_2, f_taken_1, f_taken_2;
    reg [PIPES*Q-1:0]   f_launch_queue, f_queue_1, f_queue_2;
    reg [ALL-1:0]       f_run_1, f_run_2;

    wire                f_over_job = phase_q != TASK_IDLE && job_q == JOB_OVER;
    wire                f_insert   = phase_q == TASK_INSERT || phase_q == TASK_HOLD
        || phase_q == TASK_BACK || phase_q == TASK_BACKED
                                     || phase_q == TASK_PUSH || phase_q == TASK_PUSHED;
    wire                f_heir     = f_over_job && f_insert && heir_q;
    wire [N-1:0]        f_over_item = f_heir ? kin_q : item_q;     // the entry of the task that is over
    wire                f_dead     = f_over_job
                                     && (phase_q == TASK_CLOSE || phase_q == TASK_REPORT
                                     || (phase_q == TASK_FAULT && looked_q));
    wire                f_draws    = job_q == JOB_OTHER && !unload_q && (phase_q == TASK_TAKE || phase_q == TASK_TAKEN);
    wire                f_item     = (f_insert && (job_q != JOB_OVER || heir_q))
                                     || ((phase_q == TASK_STORE || phase_q == TASK_FREE || phase_q == TASK_FREED)
                                         && (job_q == JOB_LAUNCH || job_q == JOB_OTHER))
                                     || (job_q == JOB_OTHER && (phase_q == TASK_LOOK
                                     || phase_q == TASK_SEE || phase_q == TASK_DECIDE));
    wire                f_waits    = (list_valid && !lists_request_ready) || (f_asks && !lists_answer_valid)
                                     || (phase_q == TASK_LOAD && !tmd_load_request_ready[ask_q])
                                     || (phase_q == TASK_FAULT && !runner_fault_ready[queue_q/QUEUES])
                                     || (phase_q == TASK_CLOSE && !submit_room)
                                     || (phase_q == TASK_STASH && (put_valid_q || spill_restore_valid));
    // Loads of new tasks; the parent of the job's entry, if it has one.
    wire [1:0]          f_plain    = {loading_q[1] && (load_job_q[3:2] == JOB_LAUNCH || load_job_q[3:2] == JOB_OTHER),
                                      loading_q[0] && (load_job_q[1:0] == JOB_LAUNCH || load_job_q[1:0] == JOB_OTHER)};
    wire                f_loader   = (phase_q == TASK_LOAD) ? ask_q : !deal_q;
    // A load is for a task that is over; for a pointer of a queue that waited.
    wire [1:0]          f_over_for = {loading_q[1] && load_job_q[3:2] == JOB_OVER,
                                      loading_q[0] && load_job_q[1:0] == JOB_OVER};
    wire                f_loading_over = |f_over_for;
    reg  [ALL-1:0]      f_coming;
    integer             fq;
    always @*
        for (fq = 0; fq < ALL; fq = fq + 1)
            f_coming[fq] = (loading_q[0] && load_job_q[1:0] == JOB_OTHER && load_queue_q[0 +: X] == fq[X-1:0])
                           || (loading_q[1] && load_job_q[3:2] == JOB_OTHER && load_queue_q[X +: X] == fq[X-1:0]);
    wire [N-1:0]        f_came     = parent_q[f_loader*N +: N];
    wire                f_push     = list_valid && lists_request_ready && phase_q == TASK_PUSH && job_q == JOB_OVER;

    // The numbers of contract 1, the holders of contract 2, and who may be a parent.
    reg [C-1:0]         f_frees, f_without;
    reg [C+3:0]         f_sum;
    reg [ALL*C-1:0]     f_owned;
    reg [ALL-1:0]       f_unselected;
    reg [LISTS-1:0]     f_filled;
    reg [ENTRIES*3-1:0] f_holders;
    reg [ENTRIES-1:0]   f_began;        // granted, and neither freed nor put back; or running or given up
    reg [ENTRIES-1:0]   f_held;         // it is the child of one task,
    reg                 f_twice;        // or one is the child of two
    reg [ALL-1:0]       f_leads;        // a task of the queue leads
    reg                 f_settles;      // an early child can run from the next clock on
    reg [X:0]           f_x;
    integer             fe, fx, fp, fk;
    always @* begin
        f_frees   = {C{1'b0}};
        f_holders = {ENTRIES*3{1'b0}};
        f_began   = {ENTRIES{1'b0}};
        f_settles = 1'b0;
        f_owned   = {ALL*C{1'b0}};
        f_without = {C{1'b0}};
        f_sum     = {4'd0, free_q};
        f_filled  = {LISTS{1'b0}};
        f_held    = {ENTRIES{1'b0}};
        f_twice   = 1'b0;
        f_leads   = {ALL{1'b0}};
        for (fe = 0; fe < ENTRIES; fe = fe + 1)
            if (child_q[fe*2+1]) begin
                f_twice = f_twice || f_held[child_item_q[fe*N +: N]];
                f_held[child_item_q[fe*N +: N]] = 1'b1;
                if (child_q[fe*2] && entry_q[f_own[fe*X +: X]*N +: N] == child_item_q[fe*N +: N])
                    f_leads[f_own[fe*X +: X]] = 1'b1;
            end
        for (fe = 0; fe < ENTRIES; fe = fe + 1) begin
            if (f_kind[fe*2 +: 2] == F_LISTED) f_filled[{f_own[fe*X +: X], f_level[fe*2 +: 2]}] = 1'b1;
            f_frees = f_frees + {{C-1{1'b0}}, f_kind[fe*2 +: 2] == F_FREE};
            if (f_kind[fe*2 +: 2] != F_FREE) f_owned[f_own[fe*X +: X]*C +: C] = f_owned[f_own[fe*X +: X]*C +: C] + 1'b1;
            f_began[fe] = out_q[fe] && !(f_dead && item_q == fe[N-1:0]);
            f_holders[fe*3 +: 3] = {2'd0, f_began[fe]} + {2'd0, f_item && item_q == fe[N-1:0]}
                + {2'd0, f_held[fe] && !(early_q[f_own[fe*X +: X]] && entry_q[f_own[fe*X +: X]*N +: N] == fe[N-1:0])}
                + {2'd0, f_plain[0] && load_item_q[0 +: N] == fe[N-1:0]}
                + {2'd0, f_plain[1] && load_item_q[N +: N] == fe[N-1:0]};
            for (fx = 0; fx < ALL; fx = fx + 1) begin
                if (next_q[fx] && entry_q[fx*N +: N] == fe[N-1:0])
                    f_holders[fe*3 +: 3] = f_holders[fe*3 +: 3] + 3'd1;
                if (next_q[fx] && !early_q[fx] && (running_q[fx] || drop_q[fx])
                    && entry_q[fx*N +: N] == fe[N-1:0])
                    f_began[fe] = 1'b1;
            end
        end
        for (fx = 0; fx < ALL; fx = fx + 1) begin
            if (early_q[fx] && !early_d[fx] && next_d[fx]) f_settles = 1'b1;
            f_without        = f_without + {{C-1{1'b0}}, taken_q[fx*C +: C] == {C{1'b0}}};
            f_sum            = f_sum + {4'd0, taken_q[fx*C +: C]};
            f_unselected[fx] = !arbiter_selected_valid[fx/QUEUES]
                               || arbiter_selected[(fx/QUEUES)*Q +: Q] != fx[Q-1:0];
        end
    end

    always @* begin
        f_x = {X+1{1'b0}};
        if (!rst) begin
            // lists
            if (f_asks) assume (!lists_request_ready);                                               // A1 lists
            assume (!lists_answer_valid || f_asks);                                                  // A1 lists
            if (lists_answer_valid && f_op == LISTS_TAKE)
                assume (f_kind[lists_answer_entry*2 +: 2] == F_FREE);                                // A1 lists
            if (lists_answer_valid && f_op == LISTS_POP)
                assume (f_kind[lists_answer_entry*2 +: 2] == F_LISTED
                        && f_list == {f_own[lists_answer_entry*X +: X],
                                      f_level[lists_answer_entry*2 +: 2]});                          // A1 lists
            if (!f_asks) assume (lists_filled == f_filled);                                          // A1 lists
            // tmd_load, setup
            assume ((tmd_load_answer_valid & ~f_load) == 2'd0);                                               // A2 load
            assume (!setup_done || setup_valid);                                                     // A2 load
            // the pointer RAM
            if (phase_q == TASK_SEE)
                assume ((pointer_read_data[31:0] == pointer_read_data[63:32]) == f_self[item_q]);    // A3 pointers
            // finish
            if (f_over)
                assume (finish_over_valid && finish_over_queue == f_over_x
                        && finish_over_entry == f_over_e);                                           // A4 ends
            if (finish_over_valid)
                assume (out_q[finish_over_entry] && !lost_q[finish_over_entry]
                        && f_own[finish_over_entry*X +: X] == finish_over_queue
                        && finish_ending[finish_over_queue]
                        && finish_item[finish_over_queue*N +: N] == finish_over_entry);              // A4 ends
            if (f_ended) assume (!finish_over_valid);                                                // A4 ends
            // submit, spill
            if (f_calls) assume (submit_call_valid && submit_call_queue == f_call_x);                    // A5 held
            if (f_unloads) assume (spill_unload_valid && spill_unload_queue == f_unload_x);            // A5 held
            if (f_restores) assume (spill_restore_valid && spill_restore_queue == f_restore_x);        // A5 held
            if (spill_unload_valid) assume (f_unselected[spill_unload_queue]);                         // A7 mapping
            if (spill_restore_valid)
                assume (!f_mapped[spill_restore_queue] && !gone_q[spill_restore_queue]
                        && !purge_q[spill_restore_queue]);                                            // A7 mapping
            for (fp = 0; fp < PIPES; fp = fp + 1) begin
                // runner
                f_x = fp*QUEUES + runner_queue[fp*Q +: Q];
                assume ({1'b0, runner_taken[fp]} + {1'b0, runner_granted[fp]}
                        + {1'b0, runner_refused[fp]} <= 2'd1);                                       // A6 runner
                if (runner_taken[fp] || runner_granted[fp] || runner_refused[fp])
                    assume (!f_unselected[f_x] && !purge_q[f_x] && (f_mapped[f_x] || gone_q[f_x]));  // A6 runner
                if (runner_taken[fp])
                    assume (!running_q[f_x] && f_pipe_1[fp] && f_queue_1[fp*Q +: Q] == runner_queue[fp*Q +: Q]
                            && (f_run_1[f_x] || (f_run_2[f_x] && f_pipe_2[fp]
                                                 && f_queue_2[fp*Q +: Q] == runner_queue[fp*Q +: Q])));  // A6 runner
                if (runner_taken[fp]) assume (!f_taken_1[fp] && !f_taken_2[fp]);                     // A6 runner
                if (runner_granted[fp] || runner_refused[fp]) assume (running_q[f_x]);               // A6 runner
                if (f_launches[fp])
                    assume (runner_launch_valid[fp]
                            && runner_launch_queue[fp*Q +: Q] == f_launch_queue[fp*Q +: Q]);         // A5 held
                // mappings
                f_x = fp*QUEUES + arbiter_selected[fp*Q +: Q];
                if (arbiter_selected_valid[fp]) assume (f_mapped[f_x] || gone_q[f_x] || purge_q[f_x]);  // A7 mapping
                f_x = fp*QUEUES + hqd_load_queue[fp*Q +: Q];
                if (hqd_load_valid[fp] && hqd_load_kind[fp*5 +: 5] == LOAD_ACTIVE && hqd_load_data[fp*40])
                    assume (!f_mapped[f_x] && !gone_q[f_x]);                                         // A7 mapping
                f_x = fp*QUEUES + slot_idle_drop_queue[fp*Q +: Q];
                if (slot_idle_drop_valid[fp])
                    assume (f_unselected[f_x] && (epoch_mapped[f_x] || !f_mapped[f_x])); // A7 mapping
            end
            for (fx = 0; fx < ALL; fx = fx + 1)
                if (f_off[fx]) assume (f_unselected[fx]);                                            // A7 mapping
        end
    end

    always @(posedge clk) begin
        // lists
        if (list_valid && lists_request_ready) begin
            f_asks  <= 1'b1;
            f_op    <= list_op;
            f_list  <= list_list;
            f_entry <= list_entry;
        end
        if (lists_answer_valid) begin
            f_asks <= 1'b0;
            case (f_op)
                LISTS_TAKE: begin
                    f_kind[lists_answer_entry*2 +: 2] <= F_HELD;
                    f_own[lists_answer_entry*X +: X]  <= f_list[X+1:2];
                end
                LISTS_POP:  f_kind[lists_answer_entry*2 +: 2] <= F_HELD;
                LISTS_FREE: f_kind[f_entry*2 +: 2] <= F_FREE;
                default: begin
                    f_kind[f_entry*2 +: 2]  <= F_LISTED;
                    f_level[f_entry*2 +: 2] <= f_list[1:0];
                end
            endcase
            if (f_op == LISTS_FREE) f_child[f_entry] <= 1'b0;
            if (f_op == LISTS_TAKE) begin
                f_child[lists_answer_entry]          <= job_q == JOB_PREFETCH;
                f_parent[lists_answer_entry*N +: N]  <= item_q;
            end
        end
        f_load <= (f_load | ({load_second, load_valid} & tmd_load_request_ready)) & ~tmd_load_answer_valid;
        if (pointer_write_enable) f_self[pointer_write_addr] <= pointer_write_data[31:0] == pointer_write_data[63:32];
        for (fe = 0; fe < ENTRIES; fe = fe + 1)
            if (finish_over_valid && f_own[fe*X +: X] == finish_over_queue
                && f_parent[fe*N +: N] == finish_over_entry && !(lists_answer_valid && f_op == LISTS_TAKE
                                                                 && lists_answer_entry == fe[N-1:0]))
                f_child[fe] <= 1'b0;
        for (fp = 0; fp < PIPES; fp = fp + 1) begin
            if (runner_granted[fp]) f_out[entry[(fp*QUEUES + runner_queue[fp*Q +: Q])*N +: N]] <= 1'b1;
            if (hqd_load_valid[fp] && hqd_load_kind[fp*5 +: 5] == LOAD_ACTIVE) begin
                f_mapped[fp*QUEUES + hqd_load_queue[fp*Q +: Q]] <= hqd_load_data[fp*40];
                if (hqd_load_data[fp*40]) f_off[fp*QUEUES + hqd_load_queue[fp*Q +: Q]] <= 1'b0;
            end
            if (slot_idle_drop_valid[fp] && epoch_mapped[fp*QUEUES + slot_idle_drop_queue[fp*Q +: Q]])
                f_off[fp*QUEUES + slot_idle_drop_queue[fp*Q +: Q]] <= 1'b1;
        end
        if (spill_unload_valid) f_off[spill_unload_queue] <= 1'b1;
        if (over_ready) f_out[finish_over_entry] <= 1'b0;
        if (phase_q == TASK_DECIDE && job_q == JOB_OVER)
            f_round <= f_self[item_q] && dependent_q[item_q] && !orphaned_q[item_q];
        else if (over_ready || (answered_q[deal_q] && phase_q == TASK_IDLE
                                && tmd_load_answer_error[deal_q*8 +: 8] != 8'd0
                                && load_job_q[deal_q*2 +: 2] == JOB_OVER))
            f_round <= 1'b0;
        // the task that is over
        f_placed <= !over_ready && (f_placed || f_push || f_settles);
        f_steps  <= phase_q == TASK_IDLE && !f_loading_over ? 5'd0
                    : f_steps + {4'd0, f_over_job && !f_waits};
        f_stays  <= phase_q == TASK_IDLE && finish_over_valid && loading_q == 2'd0 && !over_last ? f_stays + 2'd1
                    : 2'd0;
        // inputs
        f_over         <= finish_over_valid && !over_ready;
        f_ended        <= over_ready;
        f_over_x       <= finish_over_queue;
        f_over_e       <= finish_over_entry;
        f_calls        <= submit_call_valid && !call_done;
        f_called       <= call_done;
        f_call_x       <= submit_call_queue;
        f_unloads      <= spill_unload_valid && !unload_done;
        f_unload_x     <= spill_unload_queue;
        f_restores     <= spill_restore_valid && !restore_ready;
        f_restore_x    <= spill_restore_queue;
        f_launches     <= runner_launch_valid & ~launch_done;
        f_launch_queue <= runner_launch_queue;
        f_run_1        <= run;
        f_run_2        <= f_run_1;
        f_pipe_1       <= arbiter_selected_valid;
        f_pipe_2       <= f_pipe_1;
        f_taken_1      <= runner_taken;
        f_taken_2      <= f_taken_1;
        f_queue_1      <= arbiter_selected;
        f_queue_2      <= f_queue_1;
        if (rst) begin
            f_kind     <= {ENTRIES{F_FREE}};
            f_asks     <= 1'b0;
            f_load     <= 2'd0;
            f_out      <= {ENTRIES{1'b0}};
            f_child    <= {ENTRIES{1'b0}};
            f_mapped   <= {ALL{1'b0}};
            f_off      <= {ALL{1'b0}};
            f_placed   <= 1'b0;
            f_round    <= 1'b0;
            f_steps    <= 5'd0;
            f_stays    <= 2'd0;
            f_over     <= 1'b0;
            f_ended    <= 1'b0;
            f_calls    <= 1'b0;
            f_called   <= 1'b0;
            f_unloads  <= 1'b0;
            f_restores <= 1'b0;
            f_launches <= {PIPES{1'b0}};
            f_taken_1  <= {PIPES{1'b0}};
            f_taken_2  <= {PIPES{1'b0}};
            f_run_1    <= {ALL{1'b0}};
            f_run_2    <= {ALL{1'b0}};
        end
    end

    // Pointers of every queue for which an entry is set aside.
    wire [ALL*8-1:0]    f_aside;
    // The launch of a pipe is loaded by each tmd_load.
    reg  [PIPES*2-1:0]  f_launching;
    always @*
        for (fk = 0; fk < PIPES*2; fk = fk + 1)
            f_launching[fk] = loading_q[fk%2] && load_job_q[(fk%2)*2 +: 2] == JOB_LAUNCH
                              && load_queue_q[(fk%2)*X +: X]/QUEUES == fk/2;
    genvar              g;
    generate
        for (g = 0; g < ALL; g = g + 1) begin : f_of_queue
            wire [6:0] waiting = stored_q[g*7 +: 7] - drawn_q[g*7 +: 7];
            assign f_aside[g*8 +: 8] = !kept_q[g] ? 8'd0 : {1'b0, waiting} + {7'd0, put_valid_q && put_x_q == g}
                                                           + {7'd0, f_draws && queue_q == g};
        end
    endgenerate

    always @*
        if (!rst) begin
            assert (f_sum == ENTRIES);                                                               // 1 count
            assert (free_q >= f_without);                                                            // 3 reserve
            if (phase_q == TASK_TAKE) assert (f_frees != {C{1'b0}});                                 // 3 reserve
            if (phase_q == TASK_POP) assert (f_filled[{queue_q, place_q}]);                          // 3 reserve
            if (phase_q == TASK_PUSH || phase_q == TASK_FREE || phase_q == TASK_BACK)
                assert (f_kind[list_entry*2 +: 2] == F_HELD
                        && f_own[list_entry*X +: X] == list_list[X+1:2]);                            // 2 holder
            if (f_over_job)
                assert (phase_q != TASK_TAKE && phase_q != TASK_TAKEN && phase_q != TASK_DRAW
                        && phase_q != TASK_DRAWN);                                                   // 4 prompt
            assert (!(f_stays == 2'd2 && phase_q == TASK_IDLE));                                     // 4 prompt
            if (over_ready) assert (f_steps <= 5'd20);                                               // 4 prompt
            if (phase_q == TASK_PUSH) assert (!f_child[item_q]);                                     // 5 parent
            if (f_push || f_settles) assert (finish_over_valid && !f_placed && !(f_push && f_settles));  // 5 parent
            if (over_ready)
                assert (finish_over_valid && finish_over_queue == queue_q && finish_over_entry == item_q
                        && f_out[item_q] && !f_ended);  // 6 once
            if (report_write_enable)
                assert (over_ready && report_write_addr == finish_over_queue && !f_round);           // 6 once
            if (call_done) assert (submit_call_valid && f_calls && !f_called);                         // 6 once
            for (fp = 0; fp < PIPES; fp = fp + 1)
                if (launch_done[fp])
                    assert (f_launches[fp] && queue_q == fp*QUEUES + runner_launch_queue[fp*Q +: Q]);  // 6 once
            for (fx = 0; fx < ALL; fx = fx + 1) begin
                assert (taken_q[fx*C +: C] == 10'd0 + f_owned[fx*C +: C] + f_aside[fx*8 +: 8]);      // 1 count
                if (run[fx])
                    assert (!f_child[entry_q[fx*N +: N]] && !out_q[entry_q[fx*N +: N]]);             // 5 parent
            end
            for (fe = 0; fe < ENTRIES; fe = fe + 1)
                assert (f_holders[fe*3 +: 3] == {2'd0, f_kind[fe*2 +: 2] == F_HELD});                // 2 holder

            assert (phase_q <= TASK_STASH);  // 9 phases
            assert (f_load == (loading_q & ~answered_q & ~{load_second, load_valid}));  // 8 load
            for (fx = 0; fx < ALL; fx = fx + 1) begin
                if (early_q[fx])
                    assert (next_q[fx] && f_leads[fx] && !running_q[fx] && !drop_q[fx]);  // 7 next
                if (running_q[fx]) assert (next_q[fx] && set_q[fx] && !drop_q[fx]);  // 7 next
            end

            // helpers
            // The request of lists, what phases go with which job.
            assert (f_asks == (phase_q == TASK_TAKEN || phase_q == TASK_BACKED
                    || phase_q == TASK_PUSHED || phase_q == TASK_POPPED
                               || phase_q == TASK_FREED));
            if (f_asks) assert (f_list[X+1:2] == queue_q);
            if (phase_q == TASK_TAKEN) assert (f_op == LISTS_TAKE);
            if (phase_q == TASK_POPPED) assert (f_op == LISTS_POP);
            if (phase_q == TASK_FREED) assert (f_op == LISTS_FREE && f_entry == item_q);
            if (phase_q == TASK_PUSHED) assert (f_op <= LISTS_PUSH_HEAD && f_entry == item_q);
            if (phase_q == TASK_BACKED) assert (f_op == LISTS_PUSH_HEAD && f_entry == entry_q[queue_q*N +: N]);
            if (phase_q == TASK_BACK || phase_q == TASK_BACKED)
                assert (next_q[queue_q] && !running_q[queue_q] && !drop_q[queue_q]
                                                              && !early_q[queue_q]);
            if (phase_q == TASK_POP || phase_q == TASK_POPPED) assert (job_q == JOB_OTHER && !next_q[queue_q]);
            if (phase_q == TASK_DRAW || phase_q == TASK_DRAWN || phase_q == TASK_UNLOADED) assert (job_q == JOB_OTHER);
            if (phase_q == TASK_CLOSE || phase_q == TASK_REPORT || phase_q == TASK_STASH) assert (job_q == JOB_OVER);
            if (phase_q == TASK_ANSWER) assert (job_q == JOB_LAUNCH);
            if (phase_q == TASK_FAULT) assert (job_q == JOB_OVER || job_q == JOB_OTHER);
            if (job_q == JOB_OTHER && (phase_q == TASK_LOOK || phase_q == TASK_SEE || phase_q == TASK_DECIDE))
                assert (unload_q);
            if (phase_q == TASK_LOOK || phase_q == TASK_SEE || phase_q == TASK_DECIDE) assert (job_q != JOB_LAUNCH);
            if (unload_q)
                assert (job_q == JOB_OTHER && code_q == 8'd0
                        && (phase_q == TASK_POP || phase_q == TASK_POPPED || phase_q == TASK_LOOK
                        || phase_q == TASK_SEE || phase_q == TASK_DECIDE
                            || phase_q == TASK_FREE || phase_q == TASK_FREED
                            || phase_q == TASK_DRAW || phase_q == TASK_DRAWN
                            || phase_q == TASK_UNLOADED));
            if (last_q) assert (phase_q == TASK_UNLOADED);
            if (heir_q) assert (f_heir);
            if (phase_q == TASK_DECIDE) assert ((word_q == own_q) == f_self[item_q]);
            if (f_round)
                assert (silent_q && ((f_over_job && looked_q) || f_loading_over));
            // Room for what is taken.
            if (((phase_q == TASK_TAKE || phase_q == TASK_TAKEN || phase_q == TASK_DRAW
                || phase_q == TASK_DRAWN) && !unload_q
                 && !(job_q == JOB_OTHER && kept_q[queue_q]))
                || (job_q == JOB_PREFETCH && (phase_q == TASK_LOOK || phase_q == TASK_SEE || phase_q == TASK_DECIDE)))
                assert (taken_q[queue_q*C +: C] == {C{1'b0}} ? free_q != {C{1'b0}} : free_q > f_without);
            if ((phase_q == TASK_DRAW || phase_q == TASK_DRAWN) && kept_q[queue_q])
                assert (stored_q[queue_q*7 +: 7] != drawn_q[queue_q*7 +: 7]);
            if (phase_q == TASK_STASH)
                assert (!kept_q[queue_q] && !heir_q);
            if (unload_q) assert (f_off[queue_q] && f_unloads && f_unload_x == queue_q);
            if (f_over_job && phase_q == TASK_FAULT && !looked_q) assert (!settled_q);
            if (f_over_job && (f_insert || phase_q == TASK_STORE || phase_q == TASK_STASH) && orphaned_q[f_over_item])
                assert (purge_q[queue_q]);
            if (phase_q == TASK_HOLD) assert (!early_q[queue_q]);
            if (f_heir && !kept_q[queue_q])
                assert (stored_q[queue_q*7 +: 7] == drawn_q[queue_q*7 +: 7] && !(put_valid_q && put_x_q == queue_q)
                        && !f_coming[queue_q]);
            if (f_dead) assert (f_kind[item_q*2 +: 2] != F_HELD);
            if (f_over_job && phase_q != TASK_FAULT && phase_q != TASK_LOOK && phase_q != TASK_SEE
                && phase_q != TASK_DECIDE)
                assert (looked_q);
            if (f_loading_over) assert (looked_q);
            if (phase_q == TASK_HOLD && count_q != 2'd3) assert (!f_run_1[queue_q]);
            if (phase_q == TASK_HOLD && !count_q[1]) assert (!f_run_2[queue_q]);
            if (phase_q == TASK_BACK || phase_q == TASK_BACKED) assert (!f_run_1[queue_q] && !f_run_2[queue_q]);
            // Loads.
            assert ((answered_q & ~loading_q) == 2'd0);
            assert (loading_q[deal_q] || loading_q == 2'd0);
            assert ((ask_q != deal_q) == ((loading_q[0] != loading_q[1]) != (phase_q == TASK_LOAD)));
            if (phase_q == TASK_LOAD)
                assert (loading_q[ask_q] && !answered_q[ask_q] && load_job_q[ask_q*2 +: 2] == job_q
                        && load_queue_q[ask_q*X +: X] == queue_q && load_item_q[ask_q*N +: N] == item_q);
            if (phase_q == TASK_TAKE || phase_q == TASK_TAKEN) assert (!loading_q[ask_q]);
            if ((phase_q == TASK_DRAW || phase_q == TASK_DRAWN) && !unload_q) assert (!loading_q[ask_q]);
            if (job_q == JOB_PREFETCH && (phase_q == TASK_LOOK || phase_q == TASK_SEE || phase_q == TASK_DECIDE))
                assert (!loading_q[ask_q]);
            for (fk = 0; fk < 2; fk = fk + 1)
                if (loading_q[fk]) begin
                    assert (f_own[load_item_q[fk*N +: N]*X +: X] == load_queue_q[fk*X +: X]);
                    if (load_job_q[fk*2 +: 2] == JOB_PREFETCH)
                        assert (child_q[parent_q[fk*N +: N]*2 +: 2] == CHILD_COMING
                                && f_own[parent_q[fk*N +: N]*X +: X] == load_queue_q[fk*X +: X]
                                && child_item_q[parent_q[fk*N +: N]*N +: N] == load_item_q[fk*N +: N]);
                    if (load_job_q[fk*2 +: 2] == JOB_OVER)
                        assert (out_q[load_item_q[fk*N +: N]] && finish_over_valid
                                && finish_over_queue == load_queue_q[fk*X +: X]
                                && finish_over_entry == load_item_q[fk*N +: N]
                                && child_q[load_item_q[fk*N +: N]*2 +: 2] == CHILD_NONE && f_steps <= 5'd5 && !f_placed
                                && (!orphaned_q[load_item_q[fk*N +: N]] || purge_q[load_queue_q[fk*X +: X]])
                                && !(loading_q[1-fk] && load_job_q[(1-fk)*2 +: 2] == JOB_OVER));
                end
            if (loading_q == 2'b11) assert (load_item_q[0 +: N] != load_item_q[N +: N]);
            if (f_over_job) assert (!f_loading_over || phase_q == TASK_LOAD);
            for (fe = 0; fe < ENTRIES; fe = fe + 1)
                if (stands_q[fe])
                    assert (dependent_q[fe] && (phase_q == TASK_STORE && item_q == fe[N-1:0]
                                                ? word_q == load_target_q[(deal_q ? 0 : 32) +: 32] : f_self[fe]));
            // Early loads.
            if (job_q == JOB_PREFETCH && phase_q != TASK_IDLE) begin
                if (phase_q == TASK_LOOK || phase_q == TASK_SEE || phase_q == TASK_DECIDE
                    || phase_q == TASK_TAKE || phase_q == TASK_TAKEN)
                    assert (child_q[item_q*2 +: 2] == CHILD_WANTED && f_own[item_q*X +: X] == queue_q);
                else begin
                    assert (phase_q == TASK_LOAD || phase_q == TASK_STORE || phase_q == TASK_FREE
                            || phase_q == TASK_FREED);
                    assert (child_q[f_came*2 +: 2] == CHILD_COMING && f_own[f_came*X +: X] == queue_q
                            && item_q == child_item_q[f_came*N +: N]);
                    for (fk = 0; fk < 2; fk = fk + 1)
                        if (loading_q[fk] && phase_q != TASK_LOAD) assert (load_item_q[fk*N +: N] != item_q);
                end
                if (phase_q == TASK_TAKE || phase_q == TASK_TAKEN) assert (!stands_q[item_q]);
            end
            // The task that is over.
            if (f_over_job) begin
                assert (finish_over_valid && finish_over_queue == queue_q && finish_over_entry == f_over_item);
                assert (out_q[f_over_item]);
                if (phase_q == TASK_LOOK || phase_q == TASK_SEE || phase_q == TASK_DECIDE
                    || (phase_q == TASK_FAULT && !looked_q)) begin
                    if (loading_q[ask_q])
                        assert (!dependent_q[item_q] || settled_q || child_q[item_q*2 +: 2] == CHILD_HERE);
                    assert (child_q[item_q*2 +: 2] != CHILD_COMING);
                    if (settled_q) assert (child_q[item_q*2 +: 2] == CHILD_NONE);
                end else assert (child_q[f_over_item*2 +: 2] == CHILD_NONE);
                if (f_heir) assert (!f_child[item_q] && f_kind[kin_q*2 +: 2] == F_HELD
                                    && f_own[item_q*X +: X] == queue_q);
                if (child_q[f_over_item*2 +: 2] == CHILD_HERE) assert (!f_child[child_item_q[f_over_item*N +: N]]);
                if (f_placed)
                    assert (phase_q == TASK_FREE || phase_q == TASK_FREED || phase_q == TASK_PUSHED
                            || phase_q == TASK_CLOSE
                                      || phase_q == TASK_REPORT || (phase_q == TASK_FAULT && looked_q)
                                      || (settled_q && (phase_q == TASK_LOOK || phase_q == TASK_SEE
                                      || phase_q == TASK_DECIDE)));
                case (phase_q)
                    TASK_FAULT:   assert (f_steps <= (looked_q ? 5'd17 : 5'd0));
                    TASK_LOOK:    assert (f_steps <= 5'd1);
                    TASK_SEE:     assert (f_steps <= 5'd2);
                    TASK_DECIDE:     assert (f_steps <= 5'd3);
                    TASK_LOAD:    assert (f_steps <= 5'd4);
                    TASK_STORE:   assert (f_steps <= 5'd5);
                    TASK_INSERT:  assert (f_steps <= 5'd6);
                    TASK_HOLD:    assert (f_steps + {3'd0, count_q} <= 5'd10);
                    TASK_STASH:   assert (f_steps <= 5'd7);
                    TASK_BACK:    assert (f_steps <= 5'd11);
                    TASK_BACKED:  assert (f_steps <= 5'd12);
                    TASK_PUSH:    assert (f_steps <= 5'd13);
                    TASK_PUSHED:  assert (f_steps <= 5'd14);
                    TASK_FREE:    assert (f_steps <= 5'd15);
                    TASK_FREED:   assert (f_steps <= 5'd16);
                    TASK_CLOSE:   assert (f_steps <= 5'd18);
                    default: assert (phase_q == TASK_REPORT && f_steps <= 5'd19);
                endcase
            end else assert (!f_placed);
            if (f_stays == 2'd1 && phase_q == TASK_IDLE) assert (called_q);
            assert (f_stays <= 2'd2);
            // Launches.
            if (job_q == JOB_LAUNCH && phase_q != TASK_IDLE)
                for (fp = 0; fp < PIPES; fp = fp + 1)
                    if (queue_q/QUEUES == fp)
                        assert (f_launches[fp] && queue_q == fp*QUEUES + runner_launch_queue[fp*Q +: Q]);
            for (fp = 0; fp < PIPES; fp = fp + 1) begin
                if (waiting_q[fp])
                    assert (f_launching[fp*2] || f_launching[fp*2+1]
                            || (job_q == JOB_LAUNCH && phase_q != TASK_IDLE && queue_q/QUEUES == fp));
                for (fk = 0; fk < 2; fk = fk + 1)
                    if (f_launching[fp*2+fk])
                        assert (waiting_q[fp] && f_launches[fp] && !f_launching[fp*2+1-fk]
                                && load_queue_q[fk*X +: X] == fp*QUEUES + runner_launch_queue[fp*Q +: Q]
                                && !(job_q == JOB_LAUNCH && phase_q != TASK_IDLE && phase_q != TASK_LOAD
                                     && queue_q/QUEUES == fp));
            end
            if (f_item) assert (f_own[item_q*X +: X] == queue_q);
            // Every queue: its next task, its child, its mapping.
            for (fx = 0; fx < ALL; fx = fx + 1) begin
                if (next_q[fx]) assert (f_own[entry_q[fx*N +: N]*X +: X] == fx);
                if (drop_q[fx] || set_q[fx]) assert (next_q[fx]);
                if (setup_valid_q && !stale_q && setup_x_q == fx)
                    assert (next_q[fx] && !running_q[fx] && !drop_q[fx] && !set_q[fx]
                            && entry_q[fx*N +: N] == setup_item_q);
                if (f_pipe_1[fx/QUEUES] && f_queue_1[(fx/QUEUES)*Q +: Q] == fx%QUEUES && !f_taken_1[fx/QUEUES]
                    && (f_run_1[fx] || (f_run_2[fx] && f_pipe_2[fx/QUEUES] && !f_taken_2[fx/QUEUES]
                                        && f_queue_2[(fx/QUEUES)*Q +: Q] == fx%QUEUES)))
                    assert (next_q[fx] && set_q[fx] && !early_q[fx] && !drop_q[fx] && !running_q[fx] && !purge_q[fx]
                            && (f_mapped[fx] || gone_q[fx]));
                if (kept_q[fx]) assert (f_mapped[fx] || gone_q[fx] || purge_q[fx]);
                if (live_q[fx]) assert (f_mapped[fx]);
                if (gone_q[fx]) assert (!f_mapped[fx]);
            end
            // Every entry: its child.
            assert (!f_twice);
            for (fe = 0; fe < ENTRIES; fe = fe + 1) begin
                if (child_q[fe*2 +: 2] == CHILD_COMING)
                    assert ((loading_q[0] && load_job_q[1:0] == JOB_PREFETCH && parent_q[0 +: N] == fe[N-1:0]
                             && load_item_q[0 +: N] == child_item_q[fe*N +: N])
                            || (loading_q[1] && load_job_q[3:2] == JOB_PREFETCH && parent_q[N +: N] == fe[N-1:0]
                                && load_item_q[N +: N] == child_item_q[fe*N +: N])
                            || (job_q == JOB_PREFETCH && f_came == fe[N-1:0]
                                && (phase_q == TASK_STORE || phase_q == TASK_FREE || phase_q == TASK_FREED)));
                if (child_q[fe*2+1] || (job_q == JOB_PREFETCH && phase_q != TASK_IDLE && queue_q == f_own[fe*X +: X]))
                    assert (kept_q[f_own[fe*X +: X]]
                            || (stored_q[f_own[fe*X +: X]*7 +: 7] == drawn_q[f_own[fe*X +: X]*7 +: 7]
                                && !(put_valid_q && put_x_q == f_own[fe*X +: X])
                                && !((f_draws || phase_q == TASK_STASH) && queue_q == f_own[fe*X +: X])
                                && !f_coming[f_own[fe*X +: X]]));
                if (child_q[fe*2 +: 2] != CHILD_NONE)
                    assert (f_began[fe] && dependent_q[fe] && (!orphaned_q[fe] || purge_q[f_own[fe*X +: X]])
                            && (f_mapped[f_own[fe*X +: X]] || gone_q[f_own[fe*X +: X]] || purge_q[f_own[fe*X +: X]]));
                if (child_q[fe*2+1])
                    assert (f_own[child_item_q[fe*N +: N]*X +: X] == f_own[fe*X +: X]
                            && !stands_q[fe]);
                if (f_kind[fe*2 +: 2] != F_FREE || out_q[fe]) assert (owner_q[fe*X +: X] == f_own[fe*X +: X]);
                if (f_began[fe]) assert (f_kind[fe*2 +: 2] == F_HELD);
                assert (f_kind[fe*2 +: 2] <= F_LISTED);
                if (out_q[fe]) assert (f_out[fe]);
                if (out_q[fe] && !orphaned_q[fe]) assert (f_mapped[f_own[fe*X +: X]] || gone_q[f_own[fe*X +: X]]);
                if (lost_q[fe]) assert (out_q[fe] && !(f_over_job && f_over_item == fe[N-1:0]));
                if (orphaned_q[fe] && f_kind[fe*2 +: 2] != F_FREE && !(out_q[fe] && f_began[fe])
                    && !((phase_q == TASK_FREE || phase_q == TASK_FREED) && item_q == fe[N-1:0]))
                    assert (purge_q[f_own[fe*X +: X]]);
                if (f_child[fe])
                    assert ((child_q[f_parent[fe*N +: N]*2+1] && child_item_q[f_parent[fe*N +: N]*N +: N] == fe[N-1:0])
                            || ((phase_q == TASK_FREE || phase_q == TASK_FREED) && item_q == fe[N-1:0]));
                if (f_child[fe]) assert (f_kind[fe*2 +: 2] == F_HELD);
            end
        end

    always @(posedge clk)
        if (!rst) begin
            cover (launch_done[0] && !launch_again && launch_code == 8'd0);
            cover (launch_done[0] && launch_again);
            cover (call_done && call_answer == CALL_TAKEN);
        end
