// SPDX-License-Identifier: Apache-2.0
//
// totem_task: which task of a queue runs next, of the queues of a front end.
//
// Policy    launches join the list of their queue, at its tail or head. Every queue has a next task, whose registers
//           are written ahead. The dependent of every running task is loaded early, when there is an entry that nobody
//           else asks for. That of the oldest takes the place of the next task while the list is empty, and runs when
//           its parent is over. Every queue has one entry that no other takes.
//           Launches of the host and of waves (calls) are answered at once, and loaded later, into an entry set aside.
//           A queue that is unmapped is emptied, at a dequeue through spill; what spill gives back waits for entries.
// Latency   a dependent that is in its place can run in the clock after its parent is over.
// Boundary  one job at a time. Loads, of which two are under way, and the writing of registers, need no job.
// Files     state, terms and outputs stand here; the rules of the next state in five files, one for each section of the
//           contract's Next state, which the `always` block includes: they write the same registers, so as modules they
//           would have all of these as ports.
// Cost      about 70 flip-flops for each queue, 24 for each entry.
// Proved    entries are counted (1) and have one holder (2); every queue has one that no other takes (3); the end of a
//           task takes none and waits for neighbours alone (4); a dependent is placed once, behind its parent's end
//           (5); one report for an end, one answer for a launch or call (6). With 2 queues and 4 entries.
// Twin      cmodel/task/totem_task.c and its parts, same names.

`default_nettype none
`include "totem_pm4.vh"

module totem_task #(
    parameter PIPES   = 2,                  // 1 or 2
    parameter QUEUES  = 8,                  // a power of two, 2 to 8
    parameter ENTRIES = 64,                 // a power of two, PIPES*QUEUES to 256
    parameter LISTS   = 64                  // 4*PIPES*QUEUES
) (
    input  wire                                     clk,
    input  wire                                     rst,
    // runner
    input  wire [PIPES-1:0]                         runner_launch_valid,
    input  wire [PIPES*$clog2(QUEUES)-1:0]          runner_launch_queue,
    input  wire [PIPES*32-1:0]                      runner_launch_pointer,
    output wire [PIPES-1:0]                         launch_done,
    output wire                                     launch_again,
    output wire [7:0]                               launch_code,
    output wire [31:0]                              launch_word,
    output wire [PIPES*QUEUES-1:0]                  room,
    output wire [PIPES*QUEUES-1:0]                  pending,
    output wire [PIPES*QUEUES-1:0]                  written,
    output wire [PIPES*QUEUES-1:0]                  run,
    output wire                                     present,
    output wire                                     idle,
    output wire [PIPES*QUEUES*$clog2(ENTRIES)-1:0]  entry,
    input  wire [PIPES-1:0]                         runner_taken,
    input  wire [PIPES-1:0]                         runner_granted,
    input  wire [PIPES-1:0]                         runner_refused,
    input  wire [PIPES*$clog2(QUEUES)-1:0]          runner_queue,
    // mappings and their ends
    input  wire [PIPES-1:0]                         hqd_load_valid,
    input  wire [PIPES*$clog2(QUEUES)-1:0]          hqd_load_queue,
    input  wire [PIPES*5-1:0]                       hqd_load_kind,
    input  wire [PIPES*40-1:0]                      hqd_load_data,
    input  wire [PIPES-1:0]                         arbiter_selected_valid,
    input  wire [PIPES*$clog2(QUEUES)-1:0]          arbiter_selected,
    input  wire [PIPES-1:0]                         slot_idle_drop_valid,
    input  wire [PIPES*$clog2(QUEUES)-1:0]          slot_idle_drop_queue,
    input  wire [PIPES*QUEUES-1:0]                  epoch_mapped,
    output wire [PIPES*QUEUES-1:0]                  owed,
    output wire [PIPES*QUEUES-1:0]                  purging,
    output wire [PIPES*QUEUES-1:0]                  resume,
    // spill
    input  wire                                     spill_unload_valid,
    input  wire [$clog2(PIPES*QUEUES)-1:0]          spill_unload_queue,
    output wire                                     unload_done,
    output wire                                     unload_last,
    output wire [31:0]                              unload_pointer,
    input  wire                                     spill_restore_valid,
    input  wire [$clog2(PIPES*QUEUES)-1:0]          spill_restore_queue,
    input  wire [31:0]                              spill_restore_pointer,
    input  wire                                     spill_restore_resume,
    output wire                                     restore_ready,
    // lists
    output wire                                     list_valid,
    output wire [2:0]                               list_op,
    output wire [$clog2(LISTS)-1:0]                 list_list,
    output wire [$clog2(ENTRIES)-1:0]               list_entry,
    input  wire                                     lists_request_ready,
    input  wire                                     lists_answer_valid,
    input  wire [$clog2(ENTRIES)-1:0]               lists_answer_entry,
    input  wire [LISTS-1:0]                         lists_filled,
    // tmd_load
    output wire                                     load_valid,
    output wire                                     load_second,
    output wire [$clog2(ENTRIES)-1:0]               load_entry,
    output wire [31:0]                              load_pointer,
    output wire [5:0]                               load_group,
    input  wire [1:0]                               tmd_load_request_ready,
    input  wire [1:0]                               tmd_load_answer_valid,
    input  wire [15:0]                              tmd_load_answer_error,
    input  wire [63:0]                              tmd_load_answer_word,
    input  wire [11:0]                              tmd_load_answer_group,
    input  wire [1:0]                               tmd_load_answer_head,
    input  wire [1:0]                               tmd_load_answer_dependent,
    input  wire [63:0]                              tmd_load_answer_pointer,
    input  wire [1:0]                               tmd_load_answer_prefetch,
    input  wire [1:0]                               tmd_load_answer_renew,
    // setup
    output wire                                     setup_valid,
    output wire                                     setup_pipe,
    output wire [$clog2(QUEUES)-1:0]                setup_queue,
    output wire [$clog2(ENTRIES)-1:0]               setup_entry,
    output wire                                     setup_resume,
    input  wire                                     setup_done,
    // finish
    input  wire                                     finish_over_valid,
    input  wire [$clog2(PIPES*QUEUES)-1:0]          finish_over_queue,
    input  wire [$clog2(ENTRIES)-1:0]               finish_over_entry,
    input  wire [1:0]                               finish_over_error,
    input  wire [39:0]                              finish_over_addr,
    output wire                                     over_ready,
    input  wire [PIPES*QUEUES-1:0]                  finish_ending,
    input  wire [PIPES*QUEUES*$clog2(ENTRIES)-1:0]  finish_item,
    // submit
    input  wire                                     submit_call_valid,
    input  wire [$clog2(PIPES*QUEUES)-1:0]          submit_call_queue,
    input  wire [31:0]                              submit_call_pointer,
    output wire                                     call_done,
    output wire [1:0]                               call_answer,
    input  wire                                     submit_room,
    // runner: errors
    output wire [PIPES-1:0]                         fault_valid,
    output wire [$clog2(QUEUES)-1:0]                fault_queue,
    output wire [7:0]                               fault_code,
    output wire [31:0]                              fault_word,
    output wire [39:0]                              fault_addr,
    output wire                                     fault_orphaned,
    input  wire [PIPES-1:0]                         runner_fault_ready,
    // host, constant
    input  wire                                     settings_task_priority,
    input  wire [1:0]                               fe_number,
    // RAM of pointers
    output wire                                     pointer_write_enable,
    output wire [$clog2(ENTRIES)-1:0]               pointer_write_addr,
    output wire [63:0]                              pointer_write_data,
    output wire                                     pointer_read_enable,
    output wire [$clog2(ENTRIES)-1:0]               pointer_read_addr,
    input  wire [63:0]                              pointer_read_data,
    // RAM of reports
    output wire                                     report_write_enable,
    output wire [$clog2(PIPES*QUEUES)-1:0]          report_write_addr,
    output wire [63:0]                              report_write_data,
    output wire                                     report_read_enable,
    output wire [$clog2(PIPES*QUEUES)-1:0]          report_read_addr,
    input  wire [63:0]                              report_read_data,
    // RAM of pointers that wait for entries
    output wire                                     store_write_enable,
    output wire [$clog2(PIPES*QUEUES)+5:0]          store_write_addr,
    output wire [31:0]                              store_write_data,
    output wire                                     store_read_enable,
    output wire [$clog2(PIPES*QUEUES)+5:0]          store_read_addr,
    input  wire [31:0]                              store_read_data
);
`include "totem_hqd_values.vh"
`include "totem_lists_values.vh"
`include "totem_memory_values.vh"
`include "totem_task_values.vh"
    localparam Q   = $clog2(QUEUES);
    localparam N   = $clog2(ENTRIES);
    localparam X   = $clog2(PIPES * QUEUES);
    localparam ALL = PIPES * QUEUES;
    localparam C   = $clog2(ENTRIES + 1);

    generate
        if (PIPES < 1 || PIPES > 2 || QUEUES < 2 || QUEUES > 8 || QUEUES != (1 << Q) || ENTRIES < ALL || ENTRIES > 256
            || ENTRIES != (1 << N) || LISTS != 4 * ALL) begin : check
            totem_task_needs_sizes_as_its_parameters_say refused ();
        end
    endgenerate

    localparam [7:0] WRITE_FAILED = `TOTEM_ERROR_MEMORY_WRITE_SLVERR - 8'd1;                // plus the error

    reg [4:0]           phase_q, phase_d;
    reg [X-1:0]         queue_q, queue_d;
    reg [1:0]           job_q, job_d;
    reg [N-1:0]         item_q, item_d;
    reg [1:0]           place_q, place_d;
    reg [1:0]           count_q, count_d;
    reg                 again_q, again_d;
    reg [7:0]           code_q, code_d;
    reg [31:0]          word_q, word_d;
    reg [39:0]          address_q, address_d;
    reg                 looked_q, looked_d;
    reg                 settled_q, settled_d;
    reg                 heir_q, heir_d;
    reg [N-1:0]         kin_q, kin_d;
    reg                 silent_q, silent_d;
    reg [31:0]          own_q, own_d;
    reg [31:0]          total_q, total_d;
    reg [C-1:0]         free_q, free_d;
    reg [ALL*C-1:0]     taken_q, taken_d;
    reg                 ask_q, ask_d;
    reg                 deal_q, deal_d;
    reg [1:0]           loading_q, loading_d;
    reg [1:0]           answered_q, answered_d;
    reg [3:0]           load_job_q, load_job_d;
    reg [2*X-1:0]       load_queue_q, load_queue_d;
    reg [2*N-1:0]       load_item_q, load_item_d;
    reg [63:0]          load_target_q, load_target_d;
    reg [5:0]           load_group_q, load_group_d;
    reg                 turn_q, turn_d;
    reg [PIPES-1:0]     waiting_q, waiting_d;
    reg [ENTRIES-1:0]   dependent_q, dependent_d;
    reg [ENTRIES-1:0]   prefetch_q, prefetch_d;
    reg [ENTRIES-1:0]   stands_q, stands_d;
    reg [ENTRIES-1:0]   head_q, head_d;
    reg [ENTRIES*2-1:0] level_q, level_d;
    reg [ALL-1:0]       next_q, next_d;
    reg [ALL*N-1:0]     entry_q, entry_d;
    reg [ALL-1:0]       early_q, early_d;
    reg [ALL-1:0]       set_q, set_d;
    reg [ALL-1:0]       running_q, running_d;
    reg [ALL-1:0]       drop_q, drop_d;
    reg [ALL*4-1:0]     started_q, started_d;
    reg [ENTRIES*4-1:0] age_q, age_d;
    reg [ENTRIES*2-1:0] child_q, child_d;
    reg [ENTRIES*N-1:0] child_item_q, child_item_d;
    reg [2*N-1:0]       parent_q, parent_d;
    reg                 setup_valid_q, setup_valid_d;
    reg [X-1:0]         setup_x_q, setup_x_d;
    reg [N-1:0]         setup_item_q, setup_item_d;
    reg                 setup_resume_q, setup_resume_d;
    reg                 stale_q, stale_d;
    reg [ENTRIES*X-1:0] owner_q, owner_d;
    reg [ENTRIES-1:0]   out_q, out_d;
    reg [ENTRIES-1:0]   orphaned_q, orphaned_d;
    reg [ENTRIES-1:0]   lost_q, lost_d;
    reg [ALL-1:0]       gone_q, gone_d;
    reg [ALL-1:0]       purge_q, purge_d;
    reg [ALL-1:0]       resume_q, resume_d;
    reg [ALL*7-1:0]     stored_q, stored_d;
    reg [ALL*7-1:0]     drawn_q, drawn_d;
    reg [ALL-1:0]       live_q, live_d;
    reg [ALL-1:0]       kept_q, kept_d;
    reg                 called_q, called_d;
    reg [1:0]           call_answer_q, call_answer_d;
    reg                 unload_q, unload_d;
    reg                 last_q, last_d;
    reg                 put_valid_q, put_valid_d;
    reg [X-1:0]         put_x_q, put_x_d;
    reg [31:0]          put_data_q, put_data_d;
    reg                 put_resume_q, put_resume_d;
    reg                 restored_q, restored_d;

    // Registers that reset leaves alone read 0 at start, as in the model.
    initial begin
        item_q = 0;       place_q = 0;      word_q = 0;       address_q = 0;     kin_q = 0;        own_q = 0;
        total_q = 0;      load_job_q = 0;   load_queue_q = 0; load_item_q = 0;   load_target_q = 0; load_group_q = 0;
        dependent_q = 0;  prefetch_q = 0;       head_q = 0;       level_q = 0;       entry_q = 0;
        child_item_q = 0; parent_q = 0;     setup_x_q = 0;    setup_item_q = 0; setup_resume_q = 0; owner_q = 0;
        call_answer_q = 0; put_x_q = 0;     put_data_q = 0;   put_resume_q = 0; started_q = 0;    age_q = 0;
    end

    // The two loads. Of what is dealt with: what it loads for, and who it is.
    wire         full       = loading_q[ask_q];
    wire         loaded     = !deal_q;                              // the load of the job
    wire         deals      = answered_q[deal_q];
    wire [7:0]   deal_error = tmd_load_answer_error[deal_q*8 +: 8];
    wire [5:0]   deal_group = tmd_load_answer_group[deal_q*6 +: 6];
    wire [N-1:0] deal_item  = load_item_q[deal_q*N +: N];
    wire         loads_over = (loading_q[0] && load_job_q[1:0] == JOB_OVER)
                              || (loading_q[1] && load_job_q[3:2] == JOB_OVER);

    // The launch, or call, that is looked at.
    wire [1:0]   of_turn    = 2'd1 << turn_q;
    wire         launches   = |(runner_launch_valid & ~waiting_q & of_turn[PIPES-1:0]) && !full;
    wire [Q-1:0] launch_q   = runner_launch_queue[(PIPES == 2 && turn_q ? Q : 0) +: Q];
    wire [X:0]   turn_place = {turn_q, {X{1'b0}}} >> (PIPES == 2 ? 1 : X + 1);
    wire [X-1:0] launch_x   = turn_place[X-1:0] | {{X-Q{1'b0}}, launch_q};
    wire         calls      = submit_call_valid && !called_q && !put_valid_q && !spill_restore_valid;
    wire [6:0]   call_waits = stored_q[submit_call_queue*7 +: 7] - drawn_q[submit_call_queue*7 +: 7];

    // Of every queue: what it has, and what it wants.
    reg [ALL-1:0] lone;                     // it has no entry
    reg [C-1:0]   queues_without_entry;                   // so many have none
    reg [ALL-1:0] loads, coming;            // a load is for it; for a pointer of it that waited
    reg [ALL-1:0] spare, waits, incomplete, lacks, listed, empties, away;
    reg [ALL-1:0] dropping;                 // its task was refused, and no child of that is being loaded
    reg [ALL-1:0] asked;                    // spill takes a task out
    integer       n;
    always @* begin
        queues_without_entry = {C{1'b0}};
        for (n = 0; n < ALL; n = n + 1) begin
            lone[n] = taken_q[n*C +: C] == {C{1'b0}};
            queues_without_entry = queues_without_entry + {{(C-1){1'b0}}, lone[n]};
        end
        for (n = 0; n < ALL; n = n + 1) begin
            spare[n]      = lone[n] ? free_q != {C{1'b0}} : free_q > queues_without_entry;
            waits[n]      = drawn_q[n*7 +: 7] != stored_q[n*7 +: 7];
            loads[n]      = (loading_q[0] && load_queue_q[0 +: X] == n[X-1:0])
                            || (loading_q[1] && load_queue_q[X +: X] == n[X-1:0]);
            coming[n]     = (loading_q[0] && load_queue_q[0 +: X] == n[X-1:0] && load_job_q[1:0] == JOB_OTHER)
                            || (loading_q[1] && load_queue_q[X +: X] == n[X-1:0] && load_job_q[3:2] == JOB_OTHER);
            incomplete[n] = !kept_q[n] && (waits[n] || coming[n]);
            lacks[n]      = !spare[n] && !gone_q[n] && !purge_q[n]
                            && ((waits[n] && !kept_q[n]) || (launches && launch_x == n[X-1:0])
                                || (calls && live_q[n] && submit_call_queue == n[X-1:0]));
            listed[n]     = |lists_filled[n*4 +: 4];
            away[n]       = !(arbiter_selected_valid[n/QUEUES] && arbiter_selected[(n/QUEUES)*Q +: Q] == n[Q-1:0]);
            dropping[n]   = drop_q[n] && child_q[entry_q[n*N +: N]*2 +: 2] != CHILD_COMING;
            asked[n]      = spill_unload_valid && spill_unload_queue == n[X-1:0] && !loads_over;
            empties[n]    = (purge_q[n] || asked[n]) && !loads[n] && !(put_valid_q && put_x_q == n[X-1:0]);
        end
    end
    wire [ALL-1:0] placed  = next_q & ~running_q & ~drop_q;
    wire [ALL-1:0] unset   = placed & ~set_q;                                       // its registers are to be written
    wire [ALL-1:0] empty   = ~next_q & listed;                                      // it needs a next task
    wire [ALL-1:0] draws   = waits & (spare | kept_q) & ~gone_q & ~purge_q & ~(resume_q & coming);
    // Those that are emptied come before the one of which spill takes a task out.
    wire [ALL-1:0] emptied = |(empties & purge_q) ? empties & purge_q : empties;

    wire           asks    = submit_call_valid || |(runner_launch_valid & ~waiting_q);  // somebody asks for an entry

    // The lowest of each.
    reg  [ENTRIES-1:0] here, wanting, losing, kids;
    reg  [ALL-1:0]     owes, hopes, early;
    wire [X-1:0] write_x, drop_x, empty_x, want_x, fill_x, early_x, draw_x;
    wire [N-1:0] here_e, lost_e, kid_e;
    totem_task_first #(.COUNT(ALL), .WIDTH(X)) first_write (.members(unset), .first(write_x));
    totem_task_first #(.COUNT(ALL), .WIDTH(X)) first_drop (.members(dropping), .first(drop_x));
    totem_task_first #(.COUNT(ALL), .WIDTH(X)) first_empty (.members(emptied), .first(empty_x));
    totem_task_first #(.COUNT(ALL), .WIDTH(X)) first_want (.members(hopes), .first(want_x));
    totem_task_first #(.COUNT(ALL), .WIDTH(X)) first_fill (.members(empty), .first(fill_x));
    totem_task_first #(.COUNT(ALL), .WIDTH(X)) first_early (.members(early), .first(early_x));
    totem_task_first #(.COUNT(ALL), .WIDTH(X)) first_draw (.members(draws), .first(draw_x));
    totem_task_first #(.COUNT(ENTRIES), .WIDTH(N)) first_here (.members(here), .first(here_e));
    totem_task_first #(.COUNT(ENTRIES), .WIDTH(N)) first_lost (.members(losing), .first(lost_e));
    totem_task_first #(.COUNT(ENTRIES), .WIDTH(N)) first_kid (.members(kids), .first(kid_e));

    // Of every entry: its child. Of every queue: a task of its mapping is granted, and not yet reported; the child of
    // one of its tasks can be loaded, or become its next task.
    integer m;
    always @* begin
        owes  = {ALL{1'b0}};
        hopes = {ALL{1'b0}};
        early = {ALL{1'b0}};
        for (m = 0; m < ENTRIES; m = m + 1) begin
            here[m]    = child_q[m*2 +: 2] == CHILD_HERE;
            wanting[m] = child_q[m*2 +: 2] == CHILD_WANTED && spare[owner_q[m*X +: X]]
                         && !incomplete[owner_q[m*X +: X]];
            losing[m]  = lost_q[m] && child_q[m*2 +: 2] != CHILD_COMING;
            kids[m]    = child_q[m*2 +: 2] != CHILD_NONE && owner_q[m*X +: X] == empty_x;
            if (out_q[m] && !orphaned_q[m])
                owes[owner_q[m*X +: X]] = 1'b1;
            if (wanting[m])
                hopes[owner_q[m*X +: X]] = 1'b1;
            if (here[m] && !next_q[owner_q[m*X +: X]])
                early[owner_q[m*X +: X]] = 1'b1;
        end
    end

    // The oldest task of a queue with such a child: for rule 15 if there is one, else for rule 17.
    wire         of_early = early != {ALL{1'b0}};
    wire [X-1:0] old_x    = of_early ? early_x : want_x;
    reg  [ENTRIES-1:0] parents;
    wire [N-1:0]       old_e;
    integer            a;
    always @* begin
        for (a = 0; a < ENTRIES; a = a + 1)
            parents[a] = (of_early ? here[a] : wanting[a]) && owner_q[a*X +: X] == old_x;
    end
    totem_task_oldest #(.COUNT(ENTRIES), .WIDTH(N)) oldest_parent (.members(parents), .ages(age_q), .oldest(old_e));

    // The queue of the job.
    wire [N-1:0] own_entry   = entry_q[queue_q*N +: N];
    wire         item_here   = child_q[item_q*2 +: 2] == CHILD_HERE;
    wire [X-1:0] item_x      = owner_q[item_q*X +: X];
    wire         item_leads  = early_q[item_x] && entry_q[item_x*N +: N] == child_item_q[item_q*N +: N];
    wire [1:0]   item_level  = level_q[item_q*2 +: 2];
    wire [1:0]   next_level  = level_q[own_entry*2 +: 2];
    // What was given back keeps its order.
    wire         to_head     = head_q[item_q] && (job_q != JOB_OTHER || reserved);
    wire         overtakes   = !resume_q[queue_q] && (item_level > next_level || (item_level == next_level && to_head));
    wire         reserved    = job_q == JOB_OTHER && kept_q[queue_q];   // the entry of a call
    wire [8:0]   empty_waits = {2'd0, stored_q[empty_x*7 +: 7] - drawn_q[empty_x*7 +: 7]};
    wire         job_pipe    = PIPES == 2 && queue_q[X-1];
    wire [1:0]   of_job_pipe = 2'd1 << job_pipe;
    wire [5:0]   group       = {fe_number, job_pipe, {(3-Q){1'b0}}, queue_q[Q-1:0]};
    wire         held        = phase_q == TASK_HOLD || phase_q == TASK_BACK || phase_q == TASK_BACKED;
    wire [ALL-1:0] of_queue  = {{(ALL-1){1'b0}}, 1'b1} << queue_q;
    wire [X-1:0] pop_x       = (empties != {ALL{1'b0}}) ? empty_x : fill_x;
    wire [3:0]   fills       = lists_filled[pop_x*4 +: 4];
    wire [1:0]   top         = fills[3] ? 2'd3 : fills[2] ? 2'd2 : fills[1] ? 2'd1 : 2'd0;

    // The task that is over.
    wire [X-1:0] over_x      = finish_over_queue;
    wire [N-1:0] over_e      = finish_over_entry;
    wire [1:0]   over_child  = child_q[over_e*2 +: 2];
    wire [X-1:0] over_owner  = owner_q[over_e*X +: X];
    wire         over_leads  = over_child == CHILD_HERE && early_q[over_owner]
                               && entry_q[over_owner*N +: N] == child_item_q[over_e*N +: N];
    wire         over_last   = stands_q[over_e] && !head_q[over_e] && !kept_q[over_x]
                               && (coming[over_x] || draws[over_x]);    // behind those that were given back
    wire         over_waits  = loads_over || over_last
                               || (dependent_q[over_e] && (over_child == CHILD_COMING
                                                           || (full && over_child != CHILD_HERE)));

    wire [31:0]  pointer     = runner_launch_pointer[(job_pipe ? 32 : 0) +: 32];

    assign launch_done  = of_job_pipe[PIPES-1:0] & {PIPES{phase_q == TASK_ANSWER}};
    assign launch_again = again_q;
    assign launch_code  = code_q;
    assign launch_word  = word_q;
    assign room         = (spare | {ALL{here != {ENTRIES{1'b0}}}}) & ~incomplete & ~gone_q & ~purge_q;
    assign pending      = (next_q & ~early_q & ~purge_q) | waits;
    assign written      = set_q;
    assign run          = next_q & set_q & ~early_q & ~running_q & ~drop_q & ~purge_q & ~(of_queue & {ALL{held}});
    assign present      = 1'b1;
    assign idle         = phase_q == TASK_IDLE && free_q == ENTRIES[C-1:0] && waits == {ALL{1'b0}};
    assign owed         = owes;
    assign purging      = gone_q | purge_q;
    assign resume       = resume_q;
    assign entry        = entry_q;
    assign list_valid   = phase_q == TASK_TAKE || phase_q == TASK_BACK || phase_q == TASK_PUSH || phase_q == TASK_POP
                          || phase_q == TASK_FREE;
    assign list_op      = (phase_q == TASK_TAKE) ? LISTS_TAKE : (phase_q == TASK_BACK) ? LISTS_PUSH_HEAD
                          : (phase_q == TASK_PUSH) ? (to_head ? LISTS_PUSH_HEAD : LISTS_PUSH_TAIL)
                          : (phase_q == TASK_POP) ? LISTS_POP : LISTS_FREE;
    assign list_list    = {queue_q, (phase_q == TASK_POP) ? place_q : (phase_q == TASK_BACK) ? next_level : item_level};
    assign list_entry   = (phase_q == TASK_BACK) ? own_entry : item_q;
    assign load_valid   = phase_q == TASK_LOAD && !ask_q;
    assign load_second  = phase_q == TASK_LOAD && ask_q;
    assign load_entry   = item_q;
    assign load_pointer = load_target_q[ask_q*32 +: 32];
    assign load_group   = load_group_q;
    assign setup_valid  = setup_valid_q;
    assign setup_pipe   = PIPES == 2 && setup_x_q[X-1];
    assign setup_queue  = setup_x_q[Q-1:0];
    assign setup_entry  = setup_item_q;
    assign setup_resume = setup_resume_q;
    assign over_ready   = phase_q == TASK_REPORT;
    assign call_done    = called_q;
    assign call_answer  = call_answer_q;
    assign fault_valid  = of_job_pipe[PIPES-1:0] & {PIPES{phase_q == TASK_FAULT}};
    assign fault_queue  = queue_q[Q-1:0];
    assign fault_code   = code_q;
    assign fault_word   = word_q;
    assign fault_addr   = address_q;
    assign fault_orphaned = orphaned_q[item_q] && job_q == JOB_OVER;
    assign unload_done  = phase_q == TASK_UNLOADED;
    assign unload_last  = last_q;
    assign unload_pointer = own_q;

    wire [6:0]   put_place   = stored_q[put_x_q*7 +: 7];
    wire [6:0]   draw_place  = drawn_q[queue_q*7 +: 7];
    assign restore_ready      = restored_q;
    assign store_write_enable = put_valid_q;
    assign store_write_addr   = {put_x_q, put_place[5:0]};
    assign store_write_data   = put_data_q;
    assign store_read_enable  = phase_q == TASK_DRAW;
    assign store_read_addr    = {queue_q, draw_place[5:0]};
    assign pointer_write_enable = phase_q == TASK_STORE;
    assign pointer_write_addr   = item_q;
    assign pointer_write_data   = {word_q, load_target_q[loaded*32 +: 32]};
    assign pointer_read_enable  = phase_q == TASK_LOOK;
    assign pointer_read_addr    = item_q;
    assign report_read_enable   = phase_q == TASK_LOOK;
    assign report_read_addr     = queue_q;
    assign report_write_enable  = phase_q == TASK_REPORT && !silent_q;
    assign report_write_addr    = queue_q;
    assign report_write_data    = {own_q, total_q};

    wire unused = &{1'b0, of_job_pipe, of_turn, turn_place, fills[0], report_read_data[63:32], empty_waits,
                    deal_group[3:0], hqd_load_data};

    reg         replace;    // the next task of the queue gives up its place
    reg         parting;    // the child of a task is freed
    reg [N-1:0] from;       // that task,
    reg         leads;      // which is the parent of the next task
    reg [X-1:0] told;       // queue of a notice, or of an entry
    reg         maps;       // it is the beginning or end of a mapping
    integer     p, e;
    always @* begin
        phase_d       = phase_q;
        queue_d       = queue_q;
        job_d         = job_q;
        item_d        = item_q;
        place_d       = place_q;
        count_d       = count_q;
        again_d       = again_q;
        code_d        = code_q;
        word_d        = word_q;
        address_d     = address_q;
        looked_d      = looked_q;
        settled_d     = settled_q;
        heir_d        = heir_q;
        kin_d         = kin_q;
        silent_d      = silent_q;
        own_d         = own_q;
        total_d       = total_q;
        free_d        = free_q;
        taken_d       = taken_q;
        ask_d         = ask_q;
        deal_d        = deal_q;
        loading_d     = loading_q;
        answered_d    = answered_q;
        load_job_d    = load_job_q;
        load_queue_d  = load_queue_q;
        load_item_d   = load_item_q;
        load_target_d = load_target_q;
        load_group_d  = load_group_q;
        turn_d        = turn_q;
        waiting_d     = waiting_q;
        dependent_d   = dependent_q;
        prefetch_d    = prefetch_q;
        stands_d      = stands_q;
        head_d        = head_q;
        level_d       = level_q;
        next_d        = next_q;
        entry_d       = entry_q;
        early_d       = early_q;
        set_d         = set_q;
        running_d     = running_q;
        drop_d        = drop_q;
        child_d       = child_q;
        child_item_d  = child_item_q;
        parent_d      = parent_q;
        started_d     = started_q;
        age_d         = age_q;
        parting       = 1'b0;
        from          = {N{1'b0}};
        setup_valid_d = setup_valid_q;
        setup_x_d     = setup_x_q;
        setup_item_d  = setup_item_q;
        stale_d       = stale_q;
        setup_resume_d = setup_resume_q;
        owner_d       = owner_q;
        out_d         = out_q;
        orphaned_d    = orphaned_q;
        lost_d        = lost_q;
        gone_d        = gone_q;
        purge_d       = purge_q;
        resume_d      = resume_q;
        stored_d      = stored_q;
        drawn_d       = drawn_q;
        unload_d      = unload_q;
        last_d        = last_q;
        put_valid_d   = put_valid_q;
        restored_d    = restored_q;
        put_x_d       = put_x_q;
        put_data_d    = put_data_q;
        put_resume_d  = put_resume_q;
        live_d        = live_q;
        kept_d        = kept_q;
        called_d      = called_q;
        call_answer_d = call_answer_q;
        replace       = 1'b0;
        told          = {X{1'b0}};
        maps          = 1'b0;

`include "totem_task_beside.vh"

        case (phase_q)
`include "totem_task_begin.vh"
`include "totem_task_lists.vh"
`include "totem_task_end.vh"
`include "totem_task_save.vh"
            default: ;
        endcase

        told  = owner_q[from*X +: X];
        leads = early_q[told] && entry_q[told*N +: N] == child_item_q[from*N +: N];
        if (parting) begin
            item_d  = child_item_q[from*N +: N];
            phase_d = TASK_FREE;
            replace = leads;
        end
        if (replace) begin
            next_d[queue_d]  = 1'b0;
            early_d[queue_d] = 1'b0;
            set_d[queue_d]   = 1'b0;
            if (setup_x_d == queue_d)
                stale_d = 1'b1;
        end
    end

    always @(posedge clk) begin
        phase_q       <= phase_d;
        queue_q       <= queue_d;
        job_q         <= job_d;
        item_q        <= item_d;
        place_q       <= place_d;
        count_q       <= count_d;
        again_q       <= again_d;
        code_q        <= code_d;
        word_q        <= word_d;
        address_q     <= address_d;
        looked_q      <= looked_d;
        settled_q     <= settled_d;
        heir_q        <= heir_d;
        kin_q         <= kin_d;
        silent_q      <= silent_d;
        own_q         <= own_d;
        total_q       <= total_d;
        free_q        <= free_d;
        taken_q       <= taken_d;
        ask_q         <= ask_d;
        deal_q        <= deal_d;
        loading_q     <= loading_d;
        answered_q    <= answered_d;
        load_job_q    <= load_job_d;
        load_queue_q  <= load_queue_d;
        load_item_q   <= load_item_d;
        load_target_q <= load_target_d;
        load_group_q  <= load_group_d;
        turn_q        <= turn_d;
        waiting_q     <= waiting_d;
        dependent_q   <= dependent_d;
        prefetch_q    <= prefetch_d;
        stands_q      <= stands_d;
        head_q        <= head_d;
        level_q       <= level_d;
        next_q        <= next_d;
        entry_q       <= entry_d;
        early_q       <= early_d;
        set_q         <= set_d;
        running_q     <= running_d;
        drop_q        <= drop_d;
        child_q       <= child_d;
        child_item_q  <= child_item_d;
        parent_q      <= parent_d;
        started_q     <= started_d;
        age_q         <= age_d;
        setup_valid_q <= setup_valid_d;
        setup_x_q     <= setup_x_d;
        setup_item_q  <= setup_item_d;
        stale_q       <= stale_d;
        setup_resume_q <= setup_resume_d;
        owner_q       <= owner_d;
        out_q         <= out_d;
        orphaned_q    <= orphaned_d;
        lost_q        <= lost_d;
        gone_q        <= gone_d;
        purge_q       <= purge_d;
        resume_q      <= resume_d;
        stored_q      <= stored_d;
        drawn_q       <= drawn_d;
        live_q        <= live_d;
        kept_q        <= kept_d;
        called_q      <= called_d;
        call_answer_q <= call_answer_d;
        unload_q      <= unload_d;
        last_q        <= last_d;
        put_valid_q   <= put_valid_d;
        restored_q    <= restored_d;
        put_x_q       <= put_x_d;
        put_data_q    <= put_data_d;
        put_resume_q  <= put_resume_d;
        if (rst) begin
            phase_q       <= TASK_IDLE;
            queue_q       <= {X{1'b0}};
            job_q         <= JOB_LAUNCH;
            count_q       <= 2'd0;
            again_q       <= 1'b0;
            code_q        <= 8'd0;
            looked_q      <= 1'b0;
            settled_q     <= 1'b0;
            heir_q        <= 1'b0;
            silent_q      <= 1'b0;
            free_q        <= ENTRIES[C-1:0];
            taken_q       <= {ALL*C{1'b0}};
            ask_q         <= 1'b0;
            deal_q        <= 1'b0;
            loading_q     <= 2'd0;
            answered_q    <= 2'd0;
            turn_q        <= 1'b0;
            waiting_q     <= {PIPES{1'b0}};
            stands_q      <= {ENTRIES{1'b0}};
            next_q        <= {ALL{1'b0}};
            early_q       <= {ALL{1'b0}};
            set_q         <= {ALL{1'b0}};
            running_q     <= {ALL{1'b0}};
            drop_q        <= {ALL{1'b0}};
            child_q       <= {ENTRIES*2{1'b0}};
            setup_valid_q <= 1'b0;
            stale_q       <= 1'b0;
            out_q         <= {ENTRIES{1'b0}};
            orphaned_q    <= {ENTRIES{1'b0}};
            lost_q        <= {ENTRIES{1'b0}};
            gone_q        <= {ALL{1'b0}};
            purge_q       <= {ALL{1'b0}};
            resume_q      <= {ALL{1'b0}};
            stored_q      <= {ALL*7{1'b0}};
            drawn_q       <= {ALL*7{1'b0}};
            live_q        <= {ALL{1'b0}};
            kept_q        <= {ALL{1'b0}};
            called_q      <= 1'b0;
            unload_q      <= 1'b0;
            last_q        <= 1'b0;
            put_valid_q   <= 1'b0;
            restored_q    <= 1'b0;
        end
    end
    // formal: apart=1 params=PIPES=1,QUEUES=2,ENTRIES=4,LISTS=8
`ifdef FORMAL
`include "totem_task_properties.vh"
`endif
endmodule

`default_nettype wire
