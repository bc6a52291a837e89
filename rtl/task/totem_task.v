// SPDX-License-Identifier: Apache-2.0
//
// totem_task: which task of a queue runs next, of the queues of a front end.
//
// Policy    launches join the list of their queue, at its tail or head; every queue has a next task, whose registers
//           are written ahead; the dependent of a running task is loaded early, takes the place of the next task while
//           the list is empty, and runs when its parent is over. Every queue has one entry that no other takes.
// Latency   a dependent that is in its place can run in the clock after its parent is over.
// Boundary  one job at a time; loads and the writing of registers go on beside it.
// Calls     launches of the host and of waves are answered at once, and loaded later, into an entry set aside.
// Mapping   a queue that is unmapped is emptied, at a dequeue through roll; what roll gives back waits for entries.
// Cost      about 80 flip-flops for each queue, 12 for each entry.
// Proved    entries are counted (1) and have one holder (2); every queue has one that no other takes (3); the end of a
//           task takes none and waits for neighbours alone (4); a dependent is placed once, behind its parent's end (5);
//           one report for an end, one answer for a launch or call (6). With 2 queues and 4 entries.
// Twin      cmodel/task/totem_task.c, same names.

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
    input  wire [PIPES-1:0]                         settle_drop_valid,
    input  wire [PIPES*$clog2(QUEUES)-1:0]          settle_drop_queue,
    input  wire [PIPES*QUEUES-1:0]                  epoch_mapped,
    output wire [PIPES*QUEUES-1:0]                  owed,
    output wire [PIPES*QUEUES-1:0]                  purging,
    output wire [PIPES*QUEUES-1:0]                  resume,
    // roll
    input  wire                                     roll_unload_valid,
    input  wire [$clog2(PIPES*QUEUES)-1:0]          roll_unload_queue,
    output wire                                     unload_done,
    output wire                                     unload_last,
    output wire [31:0]                              unload_pointer,
    input  wire                                     roll_restore_valid,
    input  wire [$clog2(PIPES*QUEUES)-1:0]          roll_restore_queue,
    input  wire [31:0]                              roll_restore_pointer,
    input  wire                                     roll_restore_resume,
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
    // meta
    output wire                                     load_valid,
    output wire [$clog2(ENTRIES)-1:0]               load_entry,
    output wire [31:0]                              load_pointer,
    output wire [5:0]                               load_group,
    input  wire                                     meta_request_ready,
    input  wire                                     meta_answer_valid,
    input  wire [7:0]                               meta_answer_error,
    input  wire [31:0]                              meta_answer_word,
    input  wire [5:0]                               meta_answer_group,
    input  wire                                     meta_answer_head,
    input  wire                                     meta_answer_dependent,
    input  wire [31:0]                              meta_answer_pointer,
    input  wire                                     meta_answer_prefetch,
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
    // desk
    input  wire                                     desk_call_valid,
    input  wire [$clog2(PIPES*QUEUES)-1:0]          desk_call_queue,
    input  wire [31:0]                              desk_call_pointer,
    output wire                                     call_done,
    output wire [1:0]                               call_answer,
    input  wire                                     desk_room,
    // runner: errors
    output wire [PIPES-1:0]                         fault_valid,
    output wire [$clog2(QUEUES)-1:0]                fault_queue,
    output wire [7:0]                               fault_code,
    output wire [31:0]                              fault_word,
    output wire [39:0]                              fault_addr,
    output wire                                     fault_stray,
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

    localparam [4:0] IDLE = 5'd0, TAKE = 5'd1, TAKEN = 5'd2, LOAD = 5'd3, INSERT = 5'd4, HOLD = 5'd5, BACK = 5'd6;
    localparam [4:0] BACKED = 5'd7, PUSH = 5'd8, PUSHED = 5'd9, POP = 5'd10, POPPED = 5'd11, FREE = 5'd12;
    localparam [4:0] FREED = 5'd13, LOOK = 5'd14, SEE = 5'd15, CLOSE = 5'd16, REPORT = 5'd17, ANSWER = 5'd18;
    localparam [4:0] FAULT = 5'd19, STORE = 5'd20, KIN = 5'd21, UNLOADED = 5'd22, DRAW = 5'd23, DRAWN = 5'd24;
    localparam [4:0] STASH = 5'd25;
    localparam [1:0] LAUNCH = 2'd0, PREFETCH = 2'd1, OVER = 2'd2, OTHER = 2'd3;             // jobs
    localparam [1:0] OK = 2'd0, UNMAPPED = 2'd1, FULL = 2'd2;                               // answers to calls
    localparam [1:0] NONE = 2'd0, WANTED = 2'd1, COMING = 2'd2, HERE = 2'd3;                // child
    localparam [2:0] PUSH_TAIL = 3'd0, PUSH_HEAD = 3'd1, TO_POP = 3'd2, TO_TAKE = 3'd5, TO_FREE = 3'd6;  // of lists
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
    reg                 loading_q, loading_d;
    reg                 answered_q, answered_d;
    reg [1:0]           load_job_q, load_job_d;
    reg [X-1:0]         load_queue_q, load_queue_d;
    reg [N-1:0]         load_item_q, load_item_d;
    reg [31:0]          load_target_q, load_target_d;
    reg [5:0]           load_group_q, load_group_d;
    reg                 turn_q, turn_d;
    reg [PIPES-1:0]     waiting_q, waiting_d;
    reg [ENTRIES-1:0]   dependent_q, dependent_d;
    reg [ENTRIES-1:0]   prefetch_q, prefetch_d;
    reg [ENTRIES-1:0]   head_q, head_d;
    reg [ENTRIES*2-1:0] level_q, level_d;
    reg [ALL-1:0]       next_q, next_d;
    reg [ALL*N-1:0]     entry_q, entry_d;
    reg [ALL-1:0]       early_q, early_d;
    reg [ALL-1:0]       set_q, set_d;
    reg [ALL-1:0]       running_q, running_d;
    reg [ALL-1:0]       drop_q, drop_d;
    reg [ALL*2-1:0]     child_q, child_d;
    reg [ALL*N-1:0]     child_item_q, child_item_d;
    reg [ALL*N-1:0]     child_of_q, child_of_d;
    reg                 setup_valid_q, setup_valid_d;
    reg [X-1:0]         setup_x_q, setup_x_d;
    reg [N-1:0]         setup_item_q, setup_item_d;
    reg                 setup_resume_q, setup_resume_d;
    reg                 stale_q, stale_d;
    reg [ENTRIES*X-1:0] owner_q, owner_d;
    reg [ENTRIES-1:0]   out_q, out_d;
    reg [ENTRIES-1:0]   stray_q, stray_d;
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
        phase_q = 0;  queue_q = 0;  job_q = 0;     item_q = 0;     place_q = 0;   count_q = 0;   again_q = 0;
        code_q = 0;   word_q = 0;   address_q = 0; looked_q = 0;   settled_q = 0; heir_q = 0;    kin_q = 0;
        silent_q = 0; own_q = 0;    total_q = 0;   free_q = ENTRIES[C-1:0];       taken_q = 0;   loading_q = 0;
        answered_q = 0; load_job_q = 0; load_queue_q = 0; load_item_q = 0; load_target_q = 0; load_group_q = 0; turn_q = 0;
        waiting_q = 0; dependent_q = 0; prefetch_q = 0; head_q = 0; level_q = 0;  next_q = 0;    entry_q = 0;
        early_q = 0;  set_q = 0;    running_q = 0; drop_q = 0;     child_q = 0;   child_item_q = 0; child_of_q = 0;
        setup_valid_q = 0; setup_x_q = 0; setup_item_q = 0; setup_resume_q = 0; stale_q = 0;
        owner_q = 0;  out_q = 0;    stray_q = 0;   lost_q = 0;     gone_q = 0;    purge_q = 0;   resume_q = 0;
        stored_q = 0; drawn_q = 0;  unload_q = 0;  last_q = 0;     put_valid_q = 0; put_x_q = 0; put_data_q = 0;
        restored_q = 0;
        put_resume_q = 0; live_q = 0; kept_q = 0;   called_q = 0;  call_answer_q = 0;
    end

    // Of every queue: what it has, and what it wants. The lowest one is dealt with.
    reg [ALL-1:0]   lone;                   // it has no entry
    reg [C-1:0]     lonely;                 // so many have none
    reg [ALL-1:0]   roomy, listed, dropping, wanting, empty, early;
    reg [X-1:0]     drop_x, want_x, fill_x, early_x, write_x;
    reg [ALL-1:0]   unset;                  // its registers are to be written
    reg [ALL-1:0]   waits, short;           // pointers wait; not all that was given back is there
    reg [ALL-1:0]   here;                   // its child is loaded
    reg [ALL-1:0]   lacks;                  // it wants an entry, and there is none for it
    reg [X-1:0]     here_x;
    reg [ALL-1:0]   asked;                  // roll takes a task out
    reg [ALL-1:0]   empties, draws, away;
    reg [X-1:0]     empty_x, draw_x;
    integer n;
    always @* begin
        lonely = {C{1'b0}};
        for (n = 0; n < ALL; n = n + 1) begin
            lone[n] = taken_q[n*C +: C] == {C{1'b0}};
            lonely  = lonely + {{(C-1){1'b0}}, lone[n]};
        end
        drop_x  = {X{1'b0}};
        want_x  = {X{1'b0}};
        fill_x  = {X{1'b0}};
        early_x = {X{1'b0}};
        write_x = {X{1'b0}};
        empty_x = {X{1'b0}};
        draw_x  = {X{1'b0}};
        here_x  = {X{1'b0}};
        for (n = ALL - 1; n >= 0; n = n - 1) begin
            roomy[n]    = lone[n] ? free_q != {C{1'b0}} : free_q > lonely;
            listed[n]   = |lists_filled[n*4 +: 4];
            dropping[n] = drop_q[n]
                          && !(child_q[n*2 +: 2] == COMING && child_of_q[n*N +: N] == entry_q[n*N +: N]);
            waits[n]    = drawn_q[n*7 +: 7] != stored_q[n*7 +: 7];
            short[n]    = !kept_q[n]
                          && (waits[n] || (loading_q && load_job_q == OTHER && load_queue_q == n[X-1:0]));
            here[n]     = child_q[n*2 +: 2] == HERE;
            wanting[n]  = child_q[n*2 +: 2] == WANTED && roomy[n] && !short[n];
            empty[n]    = !next_q[n] && listed[n];
            early[n]    = !next_q[n] && here[n];
            unset[n]    = next_q[n] && !running_q[n] && !drop_q[n] && !set_q[n];
            if (dropping[n]) drop_x = n[X-1:0];
            if (wanting[n])  want_x = n[X-1:0];
            if (empty[n])    fill_x = n[X-1:0];
            if (early[n])    early_x = n[X-1:0];
            draws[n]    = waits[n] && (roomy[n] || kept_q[n]) && !gone_q[n] && !purge_q[n];
            lacks[n]    = !roomy[n] && !gone_q[n] && !purge_q[n]
                          && ((waits[n] && !kept_q[n]) || (launches && launch_x == n[X-1:0])
                              || (calls && live_q[n] && desk_call_queue == n[X-1:0]));
            if (here[n])     here_x = n[X-1:0];
            // own_q and total_q are those of a task that is over until its dependent is loaded.
            asked[n]    = roll_unload_valid && roll_unload_queue == n[X-1:0] && !(loading_q && load_job_q == OVER);
            away[n]     = !(arbiter_selected_valid[n/QUEUES] && arbiter_selected[(n/QUEUES)*Q +: Q] == n[Q-1:0]);
            if (unset[n])    write_x = n[X-1:0];
            if (draws[n])    draw_x = n[X-1:0];
        end
        // The queues that are emptied come before those of which roll takes a task out.
        for (n = 0; n < ALL; n = n + 1)
            empties[n] = (purge_q[n] || asked[n]) && !(loading_q && load_queue_q == n[X-1:0])
                         && !(put_valid_q && put_x_q == n[X-1:0]);
        for (n = ALL - 1; n >= 0; n = n - 1)
            if (empties[n] && !purge_q[n]) empty_x = n[X-1:0];
        for (n = ALL - 1; n >= 0; n = n - 1)
            if (empties[n] && purge_q[n]) empty_x = n[X-1:0];
    end

    // The launch, or call, that is looked at.
    wire [1:0]   of_turn     = 2'd1 << turn_q;
    wire         launches    = |(runner_launch_valid & ~waiting_q & of_turn[PIPES-1:0]) && !loading_q;
    wire [Q-1:0] launch_q    = runner_launch_queue[(PIPES == 2 && turn_q ? Q : 0) +: Q];
    wire [X:0]   turn_place  = {turn_q, {X{1'b0}}} >> (PIPES == 2 ? 1 : X + 1);
    wire [X-1:0] launch_x    = turn_place[X-1:0] | {{X-Q{1'b0}}, launch_q};
    wire         calls       = desk_call_valid && !called_q && !put_valid_q && !roll_restore_valid;
    wire [6:0]   call_waits  = stored_q[desk_call_queue*7 +: 7] - drawn_q[desk_call_queue*7 +: 7];

    // Of every entry: whether it is owed, and the lowest that is lost.
    reg [ALL-1:0] owes;
    reg [N-1:0]   lost_e;
    integer       m;
    always @* begin
        owes   = {ALL{1'b0}};
        lost_e = {N{1'b0}};
        for (m = ENTRIES - 1; m >= 0; m = m - 1) begin
            if (out_q[m] && !stray_q[m])
                owes[owner_q[m*X +: X]] = 1'b1;
            if (lost_q[m])
                lost_e = m[N-1:0];
        end
    end

    // The queue of the job.
    wire [N-1:0] own_entry   = entry_q[queue_q*N +: N];
    wire         placed      = next_q[queue_q] && !running_q[queue_q] && !drop_q[queue_q];
    wire [1:0]   child       = child_q[queue_q*2 +: 2];
    wire         own_child   = child != NONE && child_of_q[queue_q*N +: N] == item_q;
    wire [1:0]   item_level  = level_q[item_q*2 +: 2];
    wire [1:0]   next_level  = level_q[own_entry*2 +: 2];
    // What was given back keeps its order.
    wire         to_head     = head_q[item_q] && (job_q != OTHER || kept_q[queue_q]);
    wire         overtakes   = !resume_q[queue_q] && (item_level > next_level || (item_level == next_level && to_head));
    wire         reserved    = job_q == OTHER && kept_q[queue_q];   // the entry of a call
    wire [8:0]   empty_waits = {2'd0, stored_q[empty_x*7 +: 7] - drawn_q[empty_x*7 +: 7]};
    wire         job_pipe    = PIPES == 2 && queue_q[X-1];
    wire [1:0]   of_job_pipe = 2'd1 << job_pipe;
    wire [5:0]   group       = {fe_number, job_pipe, {(3-Q){1'b0}}, queue_q[Q-1:0]};
    wire         held        = phase_q == HOLD || phase_q == BACK || phase_q == BACKED;
    wire [ALL-1:0] of_queue  = {{(ALL-1){1'b0}}, 1'b1} << queue_q;
    wire [X-1:0] pop_x       = (empties != {ALL{1'b0}}) ? empty_x : fill_x;
    wire [3:0]   fills       = lists_filled[pop_x*4 +: 4];
    wire [1:0]   top         = fills[3] ? 2'd3 : fills[2] ? 2'd2 : fills[1] ? 2'd1 : 2'd0;

    // The task that is over.
    wire [X-1:0] over_x      = finish_over_queue;
    wire [N-1:0] over_e      = finish_over_entry;
    wire [1:0]   over_child  = child_q[over_x*2 +: 2];
    wire         over_own    = over_child != NONE && child_of_q[over_x*N +: N] == over_e;
    wire         over_here   = over_own && over_child == HERE;
    wire         over_waits  = (loading_q && load_job_q == OVER) || (over_own && over_child == COMING)
                               || (loading_q && dependent_q[over_e] && !over_here);

    wire [31:0]  pointer     = runner_launch_pointer[(job_pipe ? 32 : 0) +: 32];

    assign launch_done  = of_job_pipe[PIPES-1:0] & {PIPES{phase_q == ANSWER}};
    assign launch_again = again_q;
    assign launch_code  = code_q;
    assign launch_word  = word_q;
    wire [ALL-1:0] open = roomy & ~short & ~gone_q & ~purge_q;
    assign room         = open;
    assign pending      = (next_q & ~early_q & ~purge_q) | waits;
    assign written      = set_q;
    assign run          = next_q & set_q & ~early_q & ~running_q & ~drop_q & ~purge_q & ~(of_queue & {ALL{held}});
    assign present      = 1'b1;
    assign idle         = phase_q == IDLE && free_q == ENTRIES[C-1:0] && waits == {ALL{1'b0}};
    assign owed         = owes;
    assign purging      = gone_q | purge_q;
    assign resume       = resume_q;
    assign entry        = entry_q;
    assign list_valid   = phase_q == TAKE || phase_q == BACK || phase_q == PUSH || phase_q == POP || phase_q == FREE;
    assign list_op      = (phase_q == TAKE) ? TO_TAKE : (phase_q == BACK) ? PUSH_HEAD
                          : (phase_q == PUSH) ? (to_head ? PUSH_HEAD : PUSH_TAIL) : (phase_q == POP) ? TO_POP : TO_FREE;
    assign list_list    = {queue_q, (phase_q == POP) ? place_q : (phase_q == BACK) ? next_level : item_level};
    assign list_entry   = (phase_q == BACK) ? own_entry : item_q;
    assign load_valid   = phase_q == LOAD;
    assign load_entry   = load_item_q;
    assign load_pointer = load_target_q;
    assign load_group   = load_group_q;
    assign setup_valid  = setup_valid_q;
    assign setup_pipe   = PIPES == 2 && setup_x_q[X-1];
    assign setup_queue  = setup_x_q[Q-1:0];
    assign setup_entry  = setup_item_q;
    assign setup_resume = setup_resume_q;
    assign over_ready   = phase_q == REPORT;
    assign call_done    = called_q;
    assign call_answer  = call_answer_q;
    assign fault_valid  = of_job_pipe[PIPES-1:0] & {PIPES{phase_q == FAULT}};
    assign fault_queue  = queue_q[Q-1:0];
    assign fault_code   = code_q;
    assign fault_word   = word_q;
    assign fault_addr   = address_q;
    assign fault_stray  = stray_q[item_q] && job_q == OVER;
    assign unload_done  = phase_q == UNLOADED;
    assign unload_last  = last_q;
    assign unload_pointer = own_q;

    wire [6:0]   put_place   = stored_q[put_x_q*7 +: 7];
    wire [6:0]   draw_place  = drawn_q[queue_q*7 +: 7];
    assign restore_ready      = restored_q;
    assign store_write_enable = put_valid_q;
    assign store_write_addr   = {put_x_q, put_place[5:0]};
    assign store_write_data   = put_data_q;
    assign store_read_enable  = phase_q == DRAW;
    assign store_read_addr    = {queue_q, draw_place[5:0]};
    assign pointer_write_enable = phase_q == STORE;
    assign pointer_write_addr   = item_q;
    assign pointer_write_data   = {word_q, load_target_q};
    assign pointer_read_enable  = phase_q == LOOK;
    assign pointer_read_addr    = item_q;
    assign report_read_enable   = phase_q == LOOK;
    assign report_read_addr     = queue_q;
    assign report_write_enable  = phase_q == REPORT && !silent_q;
    assign report_write_addr    = queue_q;
    assign report_write_data    = {own_q, total_q};

    wire unused = &{1'b0, of_job_pipe, of_turn, turn_place, fills[0], report_read_data[63:32], empty_waits,
                    meta_answer_group[3:0], hqd_load_data};

    reg         replace;    // the next task of the queue gives up its place
    reg [X-1:0] told;       // queue of a notice
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
        loading_d     = loading_q;
        answered_d    = answered_q || meta_answer_valid;
        load_job_d    = load_job_q;
        load_queue_d  = load_queue_q;
        load_item_d   = load_item_q;
        load_target_d = load_target_q;
        load_group_d  = load_group_q;
        turn_d        = turn_q ^ (PIPES == 2 && runner_launch_valid != {PIPES{1'b0}});
        waiting_d     = waiting_q;
        dependent_d   = dependent_q;
        prefetch_d    = prefetch_q;
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
        child_of_d    = child_of_q;
        setup_valid_d = setup_valid_q;
        setup_x_d     = setup_x_q;
        setup_item_d  = setup_item_q;
        stale_d       = stale_q;
        setup_resume_d = setup_resume_q;
        owner_d       = owner_q;
        out_d         = out_q;
        stray_d       = stray_q;
        lost_d        = lost_q;
        gone_d        = gone_q & ~away;
        purge_d       = purge_q | (gone_q & away);
        resume_d      = resume_q;
        stored_d      = stored_q;
        drawn_d       = drawn_q;
        unload_d      = unload_q;
        last_d        = last_q;
        put_valid_d   = 1'b0;
        restored_d    = 1'b0;
        put_x_d       = put_x_q;
        put_data_d    = put_data_q;
        put_resume_d  = put_resume_q;
        live_d        = live_q;
        kept_d        = kept_q;
        called_d      = 1'b0;
        call_answer_d = call_answer_q;
        replace       = 1'b0;
        told          = {X{1'b0}};
        maps          = 1'b0;

        for (p = 0; p < PIPES; p = p + 1) begin
            told = (p[0] && PIPES == 2 ? {1'b1, {(X-1){1'b0}}} : {X{1'b0}}) | {{X-Q{1'b0}}, hqd_load_queue[p*Q +: Q]};
            maps = hqd_load_valid[p] && hqd_load_kind[p*5 +: 5] == 5'd0;
            if (maps) begin
                live_d[told] = hqd_load_data[p*40];
                if (!hqd_load_data[p*40])
                    gone_d[told] = 1'b1;
            end
        end
        for (e = 0; e < ENTRIES; e = e + 1) begin
            told = owner_q[e*X +: X];
            if (out_q[e] && gone_q[told] && away[told])
                stray_d[e] = 1'b1;
            for (p = 0; p < PIPES; p = p + 1)
                if (settle_drop_valid[p] && settle_drop_queue[p*Q +: Q] == told[Q-1:0]
                    && (PIPES == 1 || told[X-1] == p[0]) && out_q[e] && !(stray_q[e] && epoch_mapped[told])
                    && !(finish_ending[told] && finish_item[told*N +: N] == e[N-1:0]))
                    lost_d[e] = 1'b1;
        end
        if (put_valid_q) begin
            stored_d[put_x_q*7 +: 7] = put_place + 7'd1;
            if (put_resume_q)
                resume_d[put_x_q] = 1'b1;
        end else if (roll_restore_valid) begin
            put_valid_d  = 1'b1;
            put_x_d      = roll_restore_queue;
            put_data_d   = roll_restore_pointer;
            put_resume_d = roll_restore_resume;
            restored_d   = 1'b1;
        end

        for (p = 0; p < PIPES; p = p + 1) begin
            told = (p[0] && PIPES == 2 ? {1'b1, {(X-1){1'b0}}} : {X{1'b0}}) | {{X-Q{1'b0}}, runner_queue[p*Q +: Q]};
            if (runner_taken[p]) begin
                running_d[told] = 1'b1;
                resume_d[told]  = 1'b0;
                if (child_q[told*2 +: 2] == NONE && dependent_q[entry_q[told*N +: N]]
                    && prefetch_q[entry_q[told*N +: N]]) begin
                    child_d[told*2 +: 2]    = WANTED;
                    child_of_d[told*N +: N] = entry_q[told*N +: N];
                end
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

        case (phase_q)
            IDLE:
                if (answered_q) begin
                    answered_d = 1'b0;
                    loading_d  = 1'b0;
                    queue_d    = load_queue_q;
                    item_d     = load_item_q;
                    job_d      = load_job_q;
                    code_d     = meta_answer_error;
                    address_d  = {load_target_q, 8'd0};
                    if (meta_answer_error != 8'd0) begin
                        word_d  = meta_answer_word;
                        phase_d = FREE;
                    end else begin
                        word_d                       = meta_answer_pointer;
                        dependent_d[load_item_q]     = meta_answer_dependent;
                        prefetch_d[load_item_q]      = meta_answer_prefetch;
                        head_d[load_item_q]          = meta_answer_head;
                        level_d[load_item_q*2 +: 2]  = settings_task_priority ? meta_answer_group[5:4] : 2'd0;
                        phase_d                      = STORE;
                    end
                end else if (calls && !(lacks[desk_call_queue] && here != {ALL{1'b0}})) begin
                    called_d = 1'b1;
                    if (!live_q[desk_call_queue])
                        call_answer_d = UNMAPPED;
                    else if (!open[desk_call_queue] || call_waits == 7'd64)
                        call_answer_d = FULL;
                    else begin
                        call_answer_d                   = OK;
                        free_d                          = free_q - 1'b1;
                        taken_d[desk_call_queue*C +: C] = taken_q[desk_call_queue*C +: C] + 1'b1;
                        kept_d[desk_call_queue]         = 1'b1;
                        put_valid_d                     = 1'b1;
                        put_x_d                         = desk_call_queue;
                        put_data_d                      = desk_call_pointer;
                        put_resume_d                    = 1'b0;
                    end
                end else if (finish_over_valid && !over_waits) begin
                    queue_d   = over_x;
                    item_d    = over_e;
                    job_d     = OVER;
                    looked_d  = 1'b0;
                    settled_d = 1'b0;
                    heir_d    = 1'b0;
                    silent_d  = stray_q[over_e];
                    if (finish_over_error != 2'd0) begin
                        code_d    = WRITE_FAILED + {6'd0, finish_over_error};
                        word_d    = finish_over_addr[31:0];
                        address_d = finish_over_addr;
                        phase_d   = FAULT;
                    end else begin
                        code_d  = 8'd0;
                        phase_d = LOOK;
                        if (over_here && next_q[over_x] && early_q[over_x]) begin
                            early_d[over_x]        = 1'b0;
                            child_d[over_x*2 +: 2] = NONE;
                            settled_d              = 1'b1;
                        end
                    end
                end else if (lacks != {ALL{1'b0}} && here != {ALL{1'b0}}) begin
                    queue_d                = here_x;
                    job_d                  = OTHER;
                    code_d                 = 8'd0;
                    unload_d               = 1'b0;
                    child_d[here_x*2 +: 2] = NONE;
                    item_d                 = child_item_q[here_x*N +: N];
                    phase_d                = FREE;
                    replace                = next_q[here_x] && early_q[here_x];
                end else if (launches) begin
                    queue_d = launch_x;
                    job_d   = LAUNCH;
                    code_d  = 8'd0;
                    again_d = !open[launch_x];
                    phase_d = open[launch_x] ? TAKE : ANSWER;
                end else if (dropping != {ALL{1'b0}}) begin
                    queue_d = drop_x;
                    job_d   = OTHER;
                    code_d  = 8'd0;
                    phase_d = FREE;
                    if (child_q[drop_x*2 +: 2] == HERE && child_of_q[drop_x*N +: N] == entry_q[drop_x*N +: N]) begin
                        child_d[drop_x*2 +: 2] = NONE;
                        item_d                 = child_item_q[drop_x*N +: N];
                    end else begin
                        drop_d[drop_x] = 1'b0;
                        next_d[drop_x] = 1'b0;
                        set_d[drop_x]  = 1'b0;
                        item_d         = entry_q[drop_x*N +: N];
                        if (child_q[drop_x*2 +: 2] != NONE && child_of_q[drop_x*N +: N] == entry_q[drop_x*N +: N])
                            child_d[drop_x*2 +: 2] = NONE;
                    end
                end else if (lost_q != {ENTRIES{1'b0}}) begin
                    lost_d[lost_e] = 1'b0;
                    out_d[lost_e]  = 1'b0;
                    queue_d        = owner_q[lost_e*X +: X];
                    item_d         = lost_e;
                    job_d          = OTHER;
                    code_d         = 8'd0;
                    phase_d        = FREE;
                end else if (empties != {ALL{1'b0}}) begin
                    queue_d  = empty_x;
                    job_d    = OTHER;
                    code_d   = 8'd0;
                    unload_d = !purge_q[empty_x];
                    if (!purge_q[empty_x])
                        live_d[empty_x] = 1'b0;
                    if (child_q[empty_x*2 +: 2] != NONE) begin
                        child_d[empty_x*2 +: 2] = NONE;
                        unload_d                = 1'b0;
                        if (child_q[empty_x*2 +: 2] == HERE) begin
                            item_d  = child_item_q[empty_x*N +: N];
                            phase_d = FREE;
                            replace = next_q[empty_x] && early_q[empty_x];
                        end
                    end else if (next_q[empty_x]) begin
                        replace            = 1'b1;
                        running_d[empty_x] = 1'b0;
                        drop_d[empty_x]    = 1'b0;
                        item_d             = entry_q[empty_x*N +: N];
                        phase_d            = purge_q[empty_x] ? FREE : LOOK;
                    end else if (listed[empty_x]) begin
                        place_d = top;
                        phase_d = POP;
                    end else if (waits[empty_x] && !purge_q[empty_x])
                        phase_d = DRAW;
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
                            phase_d = UNLOADED;
                        end
                    end
                end else if (!loading_q && wanting != {ALL{1'b0}}) begin
                    queue_d = want_x;
                    job_d   = PREFETCH;
                    item_d  = child_of_q[want_x*N +: N];
                    phase_d = LOOK;
                end else if (empty != {ALL{1'b0}}) begin
                    queue_d  = fill_x;
                    job_d    = OTHER;
                    code_d   = 8'd0;
                    unload_d = 1'b0;
                    place_d  = top;
                    phase_d = POP;
                end else if (early != {ALL{1'b0}}) begin
                    next_d[early_x]         = 1'b1;
                    early_d[early_x]        = 1'b1;
                    set_d[early_x]          = 1'b0;
                    entry_d[early_x*N +: N] = child_item_q[early_x*N +: N];
                end else if (!loading_q && draws != {ALL{1'b0}}) begin
                    queue_d  = draw_x;
                    job_d    = OTHER;
                    code_d   = 8'd0;
                    unload_d = 1'b0;
                    phase_d  = DRAW;
                end
            TAKE, BACK, PUSH, POP, FREE:
                if (lists_request_ready)
                    phase_d = phase_q + 5'd1;
            TAKEN:
                if (lists_answer_valid) begin
                    if (!reserved) begin
                        free_d                  = free_q - 1'b1;
                        taken_d[queue_q*C +: C] = taken_q[queue_q*C +: C] + 1'b1;
                    end
                    loading_d                = 1'b1;
                    load_job_d               = job_q;
                    load_queue_d             = queue_q;
                    load_group_d             = group;
                    load_item_d              = lists_answer_entry;
                    item_d                   = lists_answer_entry;
                    owner_d[lists_answer_entry*X +: X] = queue_q;
                    stray_d[lists_answer_entry] = 1'b0;
                    out_d[lists_answer_entry]   = 1'b0;
                    lost_d[lists_answer_entry]  = 1'b0;
                    phase_d                  = LOAD;
                    if (job_q == LAUNCH) begin
                        waiting_d     = waiting_q | of_job_pipe[PIPES-1:0];
                        load_target_d = pointer;
                    end else if (job_q == OTHER)
                        load_target_d = word_q;
                    else begin
                        child_d[queue_q*2 +: 2]      = COMING;
                        child_item_d[queue_q*N +: N] = lists_answer_entry;
                        load_target_d                = word_q;
                    end
                end
            BACKED:
                if (lists_answer_valid) begin
                    replace = 1'b1;
                    phase_d = PUSH;
                end
            PUSHED:
                if (lists_answer_valid) begin
                    if (job_q == LAUNCH)
                        phase_d = ANSWER;
                    else if (job_q == OTHER)
                        phase_d = IDLE;
                    else if (heir_q) begin
                        heir_d  = 1'b0;
                        item_d  = kin_q;
                        phase_d = FREE;
                    end else
                        phase_d = CLOSE;
                end
            POPPED:
                if (lists_answer_valid && (purge_q[queue_q] || unload_q)) begin
                    item_d  = lists_answer_entry;
                    phase_d = purge_q[queue_q] ? FREE : LOOK;
                end else if (lists_answer_valid) begin
                    next_d[queue_q]         = 1'b1;
                    early_d[queue_q]        = 1'b0;
                    set_d[queue_q]          = 1'b0;
                    entry_d[queue_q*N +: N] = lists_answer_entry;
                    phase_d                 = IDLE;
                end
            FREED:
                if (lists_answer_valid) begin
                    free_d                  = free_q + 1'b1;
                    taken_d[queue_q*C +: C] = taken_q[queue_q*C +: C] - 1'b1;
                    case (job_q)
                        LAUNCH:  phase_d = ANSWER;
                        PREFETCH: begin
                            child_d[queue_q*2 +: 2] = NONE;
                            phase_d                 = IDLE;
                        end
                        OVER:    phase_d = (code_q != 8'd0) ? FAULT : CLOSE;
                        default: begin
                            phase_d = (code_q != 8'd0) ? FAULT : unload_q ? UNLOADED : IDLE;
                            // Unless the unfinished one is there already.
                            if (code_q != 8'd0 && !kept_q[queue_q] && !next_q[queue_q] && !listed[queue_q])
                                resume_d[queue_q] = 1'b0;
                        end
                    endcase
                end
            LOAD:
                if (meta_request_ready)
                    phase_d = IDLE;
            STORE:
                if (job_q == PREFETCH) begin
                    child_d[queue_q*2 +: 2] = HERE;
                    phase_d                 = IDLE;
                end else
                    phase_d = INSERT;
            INSERT:
                if (job_q == OVER && short[queue_q] && !head_q[item_q])
                    phase_d = STASH;
                else if (placed && early_q[queue_q]) begin
                    replace = 1'b1;
                    phase_d = PUSH;
                end else if (placed && overtakes) begin
                    count_d = 2'd3;
                    phase_d = HOLD;
                end else
                    phase_d = PUSH;
            HOLD:
                if (count_q != 2'd0)
                    count_d = count_q - 2'd1;
                else
                    phase_d = placed ? BACK : PUSH;
            LOOK:
                phase_d = SEE;
            SEE: begin
                own_d   = pointer_read_data[31:0];
                word_d  = pointer_read_data[63:32];
                total_d = report_read_data[31:0] + 32'd1;
                phase_d = KIN;
            end
            KIN:
                if (job_q == PREFETCH) begin
                    phase_d = TAKE;
                    if (word_q == own_q) begin
                        child_d[queue_q*2 +: 2] = NONE;
                        phase_d                 = IDLE;
                    end
                end else begin
                    looked_d = 1'b1;
                    if (job_q == OTHER || settled_q || stray_q[item_q] || !dependent_q[item_q])
                        phase_d = FREE;
                    else if (word_q == own_q) begin
                        silent_d = 1'b1;
                        phase_d  = INSERT;
                        if (own_child)
                            child_d[queue_q*2 +: 2] = NONE;
                    end else if (own_child && child == HERE) begin
                        child_d[queue_q*2 +: 2] = NONE;
                        if (next_q[queue_q] && early_q[queue_q]) begin
                            early_d[queue_q] = 1'b0;
                            phase_d          = FREE;
                        end else begin
                            heir_d  = 1'b1;
                            kin_d   = item_q;
                            item_d  = child_item_q[queue_q*N +: N];
                            phase_d = INSERT;
                        end
                    end else begin
                        if (own_child)
                            child_d[queue_q*2 +: 2] = NONE;
                        loading_d     = 1'b1;
                        load_job_d    = OVER;
                        load_queue_d  = queue_q;
                        load_group_d  = group;
                        load_item_d   = item_q;
                        load_target_d = word_q;
                        phase_d       = LOAD;
                    end
                end
            FAULT:
                if (|(runner_fault_ready & of_job_pipe[PIPES-1:0])) begin
                    code_d  = 8'd0;
                    phase_d = (job_q == OTHER) ? IDLE : looked_q ? CLOSE : LOOK;
                end
            CLOSE:
                if (desk_room)
                    phase_d = REPORT;
            ANSWER: begin
                waiting_d = waiting_q & ~of_job_pipe[PIPES-1:0];
                phase_d   = IDLE;
            end
            REPORT: begin
                out_d[item_q] = 1'b0;
                phase_d       = IDLE;
            end
            UNLOADED: begin
                unload_d = 1'b0;
                last_d   = 1'b0;
                phase_d  = IDLE;
            end
            STASH:
                if (!put_valid_q && !roll_restore_valid) begin
                    put_valid_d  = 1'b1;
                    put_x_d      = queue_q;
                    put_data_d   = silent_q ? own_q : load_target_q;
                    put_resume_d = 1'b0;
                    phase_d      = FREE;
                end
            DRAW:
                phase_d = DRAWN;
            DRAWN: begin
                drawn_d[queue_q*7 +: 7] = draw_place + 7'd1;
                if (unload_q) begin
                    if (kept_q[queue_q]) begin
                        free_d                  = free_q + 1'b1;
                        taken_d[queue_q*C +: C] = taken_q[queue_q*C +: C] - 1'b1;
                    end
                    own_d   = store_read_data;
                    phase_d = UNLOADED;
                end else begin
                    word_d  = store_read_data;
                    phase_d = TAKE;
                end
            end
            default: ;
        endcase

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
        child_of_q    <= child_of_d;
        setup_valid_q <= setup_valid_d;
        setup_x_q     <= setup_x_d;
        setup_item_q  <= setup_item_d;
        stale_q       <= stale_d;
        setup_resume_q <= setup_resume_d;
        owner_q       <= owner_d;
        out_q         <= out_d;
        stray_q       <= stray_d;
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
            phase_q       <= IDLE;
            queue_q       <= {X{1'b0}};
            job_q         <= LAUNCH;
            count_q       <= 2'd0;
            again_q       <= 1'b0;
            code_q        <= 8'd0;
            looked_q      <= 1'b0;
            settled_q     <= 1'b0;
            heir_q        <= 1'b0;
            silent_q      <= 1'b0;
            free_q        <= ENTRIES[C-1:0];
            taken_q       <= {ALL*C{1'b0}};
            loading_q     <= 1'b0;
            answered_q    <= 1'b0;
            turn_q        <= 1'b0;
            waiting_q     <= {PIPES{1'b0}};
            next_q        <= {ALL{1'b0}};
            early_q       <= {ALL{1'b0}};
            set_q         <= {ALL{1'b0}};
            running_q     <= {ALL{1'b0}};
            drop_q        <= {ALL{1'b0}};
            child_q       <= {ALL*2{1'b0}};
            setup_valid_q <= 1'b0;
            stale_q       <= 1'b0;
            out_q         <= {ENTRIES{1'b0}};
            stray_q       <= {ENTRIES{1'b0}};
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
