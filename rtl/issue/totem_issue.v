// SPDX-License-Identifier: Apache-2.0
//
// totem_issue: issue stage of an engine: which pipe's group is launched next.
//
// Policy    best tier with an eligible head; in it the least recently issued pipe, by the totem pole: a
//           list of all pipes, the one on top most favoured; who is granted goes to the bottom. A head that
//           holds the engine blocks what would pass it in its own and lower tiers.
//           Slots, VGPRs and LDS are counted here: taken at the grant, given back at the wave's end.
// Latency   a head in clock n is granted in n+1. Fit, choice and counting close in one clock, because a
//           fit registered a clock ahead could not know the grant decided meanwhile.
// Boundary  every output but idle is a flip-flop. A head granted in this clock is not looked at again: its
//           port pops at the end of the clock.
// Mask      grant_* count only while grant_valid.
// Cost      of a pipe: three subtractions, whose signs are the fit and whose results are the new
//           counts, so the choice only selects. List of P x log2(P) flip-flops.
// Proof     contracts 1 to 8 in this file: permutation, one grant, eligibility, conservation, bounds.
// Twin      cmodel/issue/totem_issue.h, docs/contract/issue.md.

`default_nettype none

module totem_issue #(
    parameter FE_COUNT = 4,             // 1 to 4
    parameter PIPES    = 2,             // 1 or 2
    parameter QUEUES   = 8,
    parameter EPOCHS   = 8,
    parameter SLOTS    = 64,            // 1 to 64
    parameter VGPRS    = 2048,          // 1 to 2048
    parameter LDS      = 512,           // 1 to 512
    parameter QUEUE_BITS = (QUEUES > 1) ? $clog2(QUEUES) : 1,   // follow from the others
    parameter EPOCH_BITS = (EPOCHS > 1) ? $clog2(EPOCHS) : 1,
    parameter ORDER_BITS = (FE_COUNT*PIPES > 1) ? $clog2(FE_COUNT*PIPES) : 1
) (
    input  wire                                 clk,
    input  wire                                 rst,
    // ports
    input  wire [FE_COUNT*PIPES-1:0]            head_valid,
    input  wire [FE_COUNT*PIPES*2-1:0]          head_priority,
    input  wire [FE_COUNT*PIPES-1:0]            head_buffer,
    input  wire [FE_COUNT*PIPES-1:0]            head_new,
    input  wire [FE_COUNT*PIPES*64-1:0]         head_group,
    input  wire [FE_COUNT*PIPES*7-1:0]          head_waves,
    input  wire [FE_COUNT*PIPES*7-1:0]          head_threads,
    input  wire [FE_COUNT*PIPES-1:0]            head_wave32,
    input  wire [FE_COUNT*PIPES*7-1:0]          head_vgprs,
    input  wire [FE_COUNT*PIPES*13-1:0]         head_total,
    input  wire [FE_COUNT*PIPES*9-1:0]          head_lds,
    input  wire [FE_COUNT*PIPES*40-1:0]         head_program,
    input  wire [FE_COUNT*PIPES*QUEUE_BITS-1:0] head_queue,
    input  wire [FE_COUNT*PIPES*EPOCH_BITS-1:0] head_epoch,
    // hold
    input  wire [FE_COUNT*PIPES-1:0]            hold_valid,
    input  wire [FE_COUNT*PIPES*FE_COUNT*PIPES-1:0] hold_before,
    // events
    input  wire                                 events_stop,
    // launch
    input  wire                                 launch_room,
    output wire                                 grant_valid,
    output wire [1:0]                           grant_fe,
    output wire [1:0]                           grant_pipe,
    output wire                                 grant_buffer,
    output wire                                 grant_new,
    output wire [63:0]                          grant_group,
    output wire [6:0]                           grant_waves,
    output wire [6:0]                           grant_threads,
    output wire                                 grant_wave32,
    output wire [6:0]                           grant_vgprs,
    output wire [8:0]                           grant_lds,
    output wire [39:0]                          grant_program,
    output wire [QUEUE_BITS-1:0]                grant_queue,
    output wire [EPOCH_BITS-1:0]                grant_epoch,
    // retire
    input  wire                                 free_valid,
    input  wire [6:0]                           free_vgprs,
    input  wire [8:0]                           free_lds,
    // reports
    output wire [6:0]                           free_slots,
    output wire [11:0]                          free_vgprs_left,
    output wire [9:0]                           free_lds_left,
    output wire [FE_COUNT*PIPES*ORDER_BITS-1:0] order,
    output wire [FE_COUNT*PIPES-1:0]            lacks,
    output wire [FE_COUNT*PIPES-1:0]            passed,
    output wire                                 idle,
    output wire                                 fault
);
    localparam COUNT = FE_COUNT*PIPES;
    localparam SHIFT = (PIPES > 1) ? 1 : 0;         // a pipe's number, so shifted, is that of its front end

    // Above these limits a count that overflows could wrap before it is seen.
    generate
        if (FE_COUNT < 1 || FE_COUNT > 4 || PIPES < 1 || PIPES > 2 || SLOTS < 1 || SLOTS > 64 ||
            VGPRS < 1 || VGPRS > 2048 || LDS < 1 || LDS > 512 ||
            QUEUES > (1 << QUEUE_BITS) || EPOCHS > (1 << EPOCH_BITS)) begin : check
            totem_issue_needs_FE_COUNT_1_to_4_PIPES_1_or_2_SLOTS_to_64_VGPRS_to_2048_LDS_to_512_and_BITS_that_follow refused ();
        end
    endgenerate

    // Tiers 1 (HP3D) and 3 (GFX) belong to graphics contenders.
    localparam [2:0] CS_HIGH   = 3'd0;
    localparam [2:0] CS_MEDIUM = 3'd2;
    localparam [2:0] CS_LOW    = 3'd4;

    // Places in the order of their numbers: the reset value of the pole.
    wire [COUNT*ORDER_BITS-1:0] in_order;
    genvar                      f;
    generate
        for (f = 0; f < COUNT; f = f + 1) begin : g_in_order
            localparam [ORDER_BITS-1:0] PIPE = f;
            assign in_order[f*ORDER_BITS +: ORDER_BITS] = PIPE;
        end
    endgenerate

    reg [COUNT*ORDER_BITS-1:0] order_q, order_d;
    reg [6:0]                  free_slots_q, free_slots_d;
    reg [11:0]                 free_vgprs_left_q, free_vgprs_left_d;
    reg [9:0]                  free_lds_left_q, free_lds_left_d;
    reg                        grant_valid_q, grant_valid_d;
    reg [1:0]                  grant_fe_q, grant_fe_d;
    reg [1:0]                  grant_pipe_q, grant_pipe_d;
    reg                        grant_buffer_q, grant_buffer_d;
    reg                        grant_new_q, grant_new_d;
    reg [63:0]                 grant_group_q, grant_group_d;
    reg [6:0]                  grant_waves_q, grant_waves_d;
    reg [6:0]                  grant_threads_q, grant_threads_d;
    reg                        grant_wave32_q, grant_wave32_d;
    reg [6:0]                  grant_vgprs_q, grant_vgprs_d;
    reg [8:0]                  grant_lds_q, grant_lds_d;
    reg [39:0]                 grant_program_q, grant_program_d;
    reg [QUEUE_BITS-1:0]       grant_queue_q, grant_queue_d;
    reg [EPOCH_BITS-1:0]       grant_epoch_q, grant_epoch_d;
    reg [COUNT-1:0]            lacks_q, lacks_d;
    reg [COUNT-1:0]            passed_q, passed_d;
    reg                        fault_q, fault_d;

    integer start;
    initial begin
        for (start = 0; start < COUNT; start = start + 1)
            order_q[start*ORDER_BITS +: ORDER_BITS] = start[ORDER_BITS-1:0];
        free_slots_q      = SLOTS[6:0];
        free_vgprs_left_q = VGPRS[11:0];
        free_lds_left_q   = LDS[9:0];
        grant_valid_q     = 1'b0;
        grant_fe_q        = 2'd0;
        grant_pipe_q      = 2'd0;
        grant_buffer_q    = 1'b0;
        grant_new_q       = 1'b0;
        grant_group_q     = 64'd0;
        grant_waves_q     = 7'd0;
        grant_threads_q   = 7'd0;
        grant_wave32_q    = 1'b0;
        grant_vgprs_q     = 7'd0;
        grant_lds_q       = 9'd0;
        grant_program_q   = 40'd0;
        grant_queue_q     = {QUEUE_BITS{1'b0}};
        grant_epoch_q     = {EPOCH_BITS{1'b0}};
        lacks_q           = {COUNT{1'b0}};
        passed_q          = {COUNT{1'b0}};
        fault_q           = 1'b0;
    end

    assign grant_valid     = grant_valid_q;
    assign grant_fe        = grant_fe_q;
    assign grant_pipe      = grant_pipe_q;
    assign grant_buffer    = grant_buffer_q;
    assign grant_new       = grant_new_q;
    assign grant_group     = grant_group_q;
    assign grant_waves     = grant_waves_q;
    assign grant_threads   = grant_threads_q;
    assign grant_wave32    = grant_wave32_q;
    assign grant_vgprs     = grant_vgprs_q;
    assign grant_lds       = grant_lds_q;
    assign grant_program   = grant_program_q;
    assign grant_queue     = grant_queue_q;
    assign grant_epoch     = grant_epoch_q;
    assign free_slots      = free_slots_q;
    assign free_vgprs_left = free_vgprs_left_q;
    assign free_lds_left   = free_lds_left_q;
    assign order           = order_q;
    assign lacks           = lacks_q;
    assign passed          = passed_q;
    assign idle            = free_slots_q == SLOTS[6:0];
    assign fault           = fault_q;

    // A head alone: what would be left, with the sign as one more bit, and its tier.
    wire [COUNT-1:0]    wants;
    wire [COUNT-1:0]    fits;
    wire [COUNT-1:0]    eligible;
    wire [COUNT*3-1:0]  tier;
    wire [COUNT*8-1:0]  slots_after;
    wire [COUNT*14-1:0] vgprs_after;
    wire [COUNT*11-1:0] lds_after;

    // Holds, from registers and head_valid alone: beside the fit, not behind it.
    reg  [COUNT-1:0]    blocked;
    integer             own, other;

    generate
        for (f = 0; f < COUNT; f = f + 1) begin : g_head
            localparam FE   = f / PIPES;
            localparam PIPE = f % PIPES;
            assign slots_after[f*8 +: 8]   = {1'b0, free_slots_q} - {1'b0, head_waves[f*7 +: 7]};
            assign vgprs_after[f*14 +: 14] = {2'b0, free_vgprs_left_q} - {1'b0, head_total[f*13 +: 13]};
            assign lds_after[f*11 +: 11]   = {1'b0, free_lds_left_q} - {2'b0, head_lds[f*9 +: 9]};
            assign tier[f*3 +: 3]          = (head_priority[f*2 +: 2] == 2'd2) ? CS_HIGH :
                                             (head_priority[f*2 +: 2] == 2'd1) ? CS_MEDIUM : CS_LOW;
            assign wants[f]    = head_valid[f] && !(grant_valid_q && grant_fe_q == FE[1:0] && grant_pipe_q == PIPE[1:0]);
            assign fits[f]     = !slots_after[f*8 + 7] && !vgprs_after[f*14 + 13] && !lds_after[f*11 + 10];
            assign eligible[f] = wants[f] && fits[f] && !blocked[f] && launch_room && !events_stop && !fault_q;
        end
    endgenerate

    always @* begin
        blocked = {COUNT{1'b0}};
        for (own = 0; own < COUNT; own = own + 1)
            for (other = 0; other < COUNT; other = other + 1)
                if (other != own && wants[other] && hold_valid[other] &&
                    (tier[other*3 +: 3] < tier[own*3 +: 3] ||
                     (tier[other*3 +: 3] == tier[own*3 +: 3] &&
                      (!hold_valid[own] || hold_before[own*COUNT + other]))))
                    blocked[own] = 1'b1;
    end

    // Choice. offers has a place for every number an element of the list can show, so that a damaged
    // list finds nobody rather than somebody.
    integer n, place;
    reg [COUNT-1:0]      high, medium, low;     // eligible, by tier
    reg [7:0]            offers;
    reg [COUNT-1:0]      named;     // place n of the pole names a pipe on offer
    reg [COUNT-1:0]      reached;   // it or one above it does
    reg                  found;
    reg [ORDER_BITS-1:0] winner;    // its number
    reg [COUNT-1:0]      chosen;    // and as one bit
    reg [7:0]            seen;

    always @* begin
        for (n = 0; n < COUNT; n = n + 1) begin
            high[n]   = eligible[n] && tier[n*3 +: 3] == CS_HIGH;
            medium[n] = eligible[n] && tier[n*3 +: 3] == CS_MEDIUM;
            low[n]    = eligible[n] && tier[n*3 +: 3] == CS_LOW;
        end
        offers             = 8'd0;
        offers[0 +: COUNT] = |high ? high : |medium ? medium : low;

        seen   = 8'd0;
        found  = 1'b0;
        winner = {ORDER_BITS{1'b0}};
        for (n = 0; n < COUNT; n = n + 1) begin
            seen     = seen | (8'd1 << order_q[n*ORDER_BITS +: ORDER_BITS]);
            named[n] = |(offers & (8'd1 << order_q[n*ORDER_BITS +: ORDER_BITS]));
            if (named[n] && !found)
                winner = order_q[n*ORDER_BITS +: ORDER_BITS];
            found      = found || named[n];
            reached[n] = found;
        end
        for (n = 0; n < COUNT; n = n + 1)
            chosen[n] = found && winner == n[ORDER_BITS-1:0];
    end

    always @* begin
        order_d           = order_q;
        free_slots_d      = free_slots_q;
        free_vgprs_left_d = free_vgprs_left_q;
        free_lds_left_d   = free_lds_left_q;
        grant_valid_d     = found;
        grant_fe_d        = grant_fe_q;
        grant_pipe_d      = grant_pipe_q;
        grant_buffer_d    = grant_buffer_q;
        grant_new_d       = grant_new_q;
        grant_group_d     = grant_group_q;
        grant_waves_d     = grant_waves_q;
        grant_threads_d   = grant_threads_q;
        grant_wave32_d    = grant_wave32_q;
        grant_vgprs_d     = grant_vgprs_q;
        grant_lds_d       = grant_lds_q;
        grant_program_d   = grant_program_q;
        grant_queue_d     = grant_queue_q;
        grant_epoch_d     = grant_epoch_q;
        fault_d           = fault_q || seen[COUNT-1:0] != {COUNT{1'b1}} || free_slots_q > SLOTS[6:0] ||
                            free_vgprs_left_q > VGPRS[11:0] || free_lds_left_q > LDS[9:0];

        lacks_d           = wants & ~fits;
        passed_d          = eligible & ~chosen;

        for (place = 0; place < COUNT; place = place + 1)
            if (chosen[place]) begin
                free_slots_d      = slots_after[place*8 +: 7];
                free_vgprs_left_d = vgprs_after[place*14 +: 12];
                free_lds_left_d   = lds_after[place*11 +: 10];
                grant_fe_d        = place[SHIFT +: 2];
                grant_pipe_d      = {1'b0, PIPES > 1 && place[0]};
                grant_buffer_d    = head_buffer[place];
                grant_new_d       = head_new[place];
                grant_group_d     = head_group[place*64 +: 64];
                grant_waves_d     = head_waves[place*7 +: 7];
                grant_threads_d   = head_threads[place*7 +: 7];
                grant_wave32_d    = head_wave32[place];
                grant_vgprs_d     = head_vgprs[place*7 +: 7];
                grant_lds_d       = head_lds[place*9 +: 9];
                grant_program_d   = head_program[place*40 +: 40];
                grant_queue_d     = head_queue[place*QUEUE_BITS +: QUEUE_BITS];
                grant_epoch_d     = head_epoch[place*EPOCH_BITS +: EPOCH_BITS];
            end

        // reached begins at the winner, so the list moves up from there and only if there is one.
        for (place = 0; place < COUNT - 1; place = place + 1)
            if (reached[place])
                order_d[place*ORDER_BITS +: ORDER_BITS] = order_q[(place+1)*ORDER_BITS +: ORDER_BITS];
        if (found)
            order_d[(COUNT-1)*ORDER_BITS +: ORDER_BITS] = winner;

        if (free_valid) begin
            free_slots_d      = free_slots_d + 7'd1;
            free_vgprs_left_d = free_vgprs_left_d + {5'd0, free_vgprs};
            free_lds_left_d   = free_lds_left_d + {1'b0, free_lds};
        end
    end

    always @(posedge clk) begin
        order_q           <= order_d;
        free_slots_q      <= free_slots_d;
        free_vgprs_left_q <= free_vgprs_left_d;
        free_lds_left_q   <= free_lds_left_d;
        grant_valid_q     <= grant_valid_d;
        grant_fe_q        <= grant_fe_d;
        grant_pipe_q      <= grant_pipe_d;
        grant_buffer_q    <= grant_buffer_d;
        grant_new_q       <= grant_new_d;
        grant_group_q     <= grant_group_d;
        grant_waves_q     <= grant_waves_d;
        grant_threads_q   <= grant_threads_d;
        grant_wave32_q    <= grant_wave32_d;
        grant_vgprs_q     <= grant_vgprs_d;
        grant_lds_q       <= grant_lds_d;
        grant_program_q   <= grant_program_d;
        grant_queue_q     <= grant_queue_d;
        grant_epoch_q     <= grant_epoch_d;
        lacks_q           <= lacks_d;
        passed_q          <= passed_d;
        fault_q           <= fault_d;
        if (rst) begin
            order_q           <= in_order;
            free_slots_q      <= SLOTS[6:0];
            free_vgprs_left_q <= VGPRS[11:0];
            free_lds_left_q   <= LDS[9:0];
            grant_valid_q     <= 1'b0;
            lacks_q           <= {COUNT{1'b0}};
            passed_q          <= {COUNT{1'b0}};
            fault_q           <= 1'b0;
        end
    end

`ifdef FORMAL
    // Contract 1: the pole holds every pipe once; no self-check error is reachable.
    // Contract 2: no pipe is granted in two consecutive clocks (its FIFO pops in the first).
    // Contract 3: a grant is the head, as it was a clock before, of a pipe that had one that fitted.
    // Contract 4: free and allocated resources add up to the totals: none leaked, none given twice.
    //             Assumed of retire: it frees only what was granted.
    // Contract 5: who has been granted is the last of the pole then.
    // Contract 6: while a pipe is eligible without a break, at most COUNT - 1 grants of its tier go to
    //             others: those not yet gone stand above it.
    // Contract 7: nothing of its own or a lower tier passes the oldest hold of a tier.
    // Contract 8: such a head is granted in time, if no better tier wants and waves end: at most F_ENDS + 2
    //             clocks after both began, if an engine is empty once nothing was granted for F_ENDS clocks.
    // formal: configs=full,board,pole
    // formal: params=FE_COUNT=2,PIPES=2 configs=mini
    initial assume (rst);
    (* anyconst *) wire [ORDER_BITS-1:0] f_pipe;
    (* anyconst *) wire [2:0]            f_tier;
    reg [6:0]  f_slots = 7'd0;
    reg [11:0] f_vgprs = 12'd0;
    reg [9:0]  f_lds   = 10'd0;
    reg        f_grant = 1'b0;          // a grant of this contender, one clock before
    reg [ORDER_BITS-1:0] f_before;
    reg        f_fitted;
    reg [63:0] f_group;
    reg [3:0]  f_count = 4'd0, f_above;
    reg        f_past;
    integer    f_n;

    function [2:0] f_level(input [1:0] which);      // tier of a priority
        f_level = which == 2'd2 ? 3'd0 : which == 2'd1 ? 3'd2 : 3'd4;
    endfunction
    localparam [3:0] F_ENDS = 4'd5;
    wire [ORDER_BITS-1:0] f_winner = (PIPES > 1) ? {grant_fe_d, grant_pipe_d[0]} : {1'b0, grant_fe_d};  // with a grant
    wire [ORDER_BITS-1:0] f_granted = (PIPES > 1) ? {grant_fe_q, grant_pipe_q[0]} : {1'b0, grant_fe_q};
    reg  [COUNT-1:0] f_all;                         // numbers that are in the pole
    reg        f_won = 1'b0;                        // a grant in the clock before, and to whom
    reg  [ORDER_BITS-1:0] f_last;
    wire       f_here    = head_valid[f_pipe] && !(grant_valid_q && f_granted == f_pipe) &&
                           f_level(head_priority[f_pipe*2 +: 2]) == f_tier;
    wire       f_waiting = f_here && !f_stopped && f_fit;
    wire       f_fit     = head_waves[f_pipe*7 +: 7] <= free_slots_q &&
                           head_total[f_pipe*13 +: 13] <= free_vgprs_left_q &&
                           head_lds[f_pipe*9 +: 9] <= free_lds_left_q;
    reg        f_passing = 1'b0;
    reg  [2:0] f_level_won;
    reg        f_stopped;               // some hold is in front of it
    reg        f_better;                // a head of a better tier, not granted just now
    reg  [3:0] f_still = 4'd0;          // clocks without a grant, and none was decided
    reg  [3:0] f_wait  = 4'd0;          // clocks that it is the oldest hold of the best tier
    wire       f_first = f_here && hold_valid[f_pipe] && !f_stopped && !f_better && launch_room && !events_stop;

    always @* begin
        f_above   = 4'd0;
        f_past    = 1'b0;
        f_stopped = 1'b0;
        f_better  = 1'b0;
        f_all     = {COUNT{1'b0}};
        for (f_n = 0; f_n < COUNT; f_n = f_n + 1) begin
            if (order_q[f_n*ORDER_BITS +: ORDER_BITS] == f_pipe)
                f_past = 1'b1;
            f_all = f_all | (8'd1 << order_q[f_n*ORDER_BITS +: ORDER_BITS]);
            if (!f_past)
                f_above = f_above + 4'd1;
            if (f_n != f_pipe && head_valid[f_n] && !(grant_valid_q && f_granted == f_n)) begin
                if (f_level(head_priority[f_n*2 +: 2]) < f_level(head_priority[f_pipe*2 +: 2])) begin
                    f_better  = 1'b1;
                    f_stopped = f_stopped || hold_valid[f_n];
                end
                if (f_level(head_priority[f_n*2 +: 2]) == f_level(head_priority[f_pipe*2 +: 2]) && hold_valid[f_n] &&
                    !(hold_valid[f_pipe] && !hold_before[f_pipe*COUNT + f_n]))
                    f_stopped = 1'b1;
            end
        end
    end

    // Of two holds one began first.
    integer f_m;
    always @*
        for (f_n = 0; f_n < COUNT; f_n = f_n + 1)
            for (f_m = 0; f_m < f_n; f_m = f_m + 1)
                if (hold_valid[f_n] && hold_valid[f_m])
                    assume (hold_before[f_n*COUNT + f_m] != hold_before[f_m*COUNT + f_n]);

    always @* begin
        assume (f_pipe < COUNT);
        // Waves end, and a group fits an empty engine.
        assume (f_still < F_ENDS || (free_slots_q == SLOTS && free_vgprs_left_q == VGPRS && free_lds_left_q == LDS));
        assume (!head_valid[f_pipe] || (head_waves[f_pipe*7 +: 7] <= SLOTS && head_total[f_pipe*13 +: 13] <= VGPRS &&
                                        head_lds[f_pipe*9 +: 9] <= LDS));
        assume (!free_valid || (f_slots != 7'd0 && free_vgprs <= f_vgprs && free_lds <= f_lds));
    end

    always @(posedge clk) begin
        f_slots <= f_slots + (grant_valid_d ? head_waves[f_winner*7 +: 7] : 7'd0) - {6'd0, free_valid};
        f_vgprs <= f_vgprs + (grant_valid_d ? head_total[f_winner*13 +: 12] : 12'd0) -
                (free_valid ? {5'd0, free_vgprs} : 12'd0);
        f_lds   <= f_lds + (grant_valid_d ? {1'b0, head_lds[f_winner*9 +: 9]} : 10'd0) -
                (free_valid ? {1'b0, free_lds} : 10'd0);
        f_grant  <= grant_valid_q;
        f_won    <= !rst && grant_valid_d;
        f_last   <= f_winner;
        f_before <= f_granted;
        f_fitted <= launch_room && !events_stop && head_valid[f_winner] &&
                head_waves[f_winner*7 +: 7] <= free_slots_q &&
                    head_total[f_winner*13 +: 13] <= free_vgprs_left_q &&
                            head_lds[f_winner*9 +: 9] <= free_lds_left_q;
        f_group  <= head_group[f_winner*64 +: 64];
        if (!f_waiting || (grant_valid_d && f_winner == f_pipe))
            f_count <= 4'd0;
        else if (grant_valid_d && f_level(head_priority[f_winner*2 +: 2]) == f_tier)
            f_count <= f_count + 4'd1;
        f_still   <= grant_valid_d ? 4'd0 : (f_still == 4'd15) ? f_still : f_still + 4'd1;
        f_wait    <= (f_first && !grant_valid_d) ? f_wait + 4'd1 : 4'd0;
        // It holds, is the oldest of its tier, and does not fit.
        f_passing   <= !rst && f_here && hold_valid[f_pipe] && !f_stopped && !f_fit;
        f_level_won <= f_level(head_priority[f_winner*2 +: 2]);
        if (rst) begin
            f_still <= 4'd0;
            f_wait  <= 4'd0;
            f_slots <= 7'd0;
            f_vgprs <= 12'd0;
            f_lds   <= 10'd0;
            f_grant <= 1'b0;
            f_count <= 4'd0;
        end

        if (!rst) begin
            assert (f_all == {COUNT{1'b1}});                                        // 1
            assert (!fault_q);                                                      // 1
            if (grant_valid_q) assert (!(f_grant && f_before == f_granted));          // 2
            if (grant_valid_q) assert (f_fitted && grant_group_q == f_group);       // 3
            assert (free_slots_q + f_slots == SLOTS);                               // 4
            assert (free_vgprs_left_q + f_vgprs == VGPRS);                          // 4
            assert (free_lds_left_q + f_lds == LDS);                                // 4
            if (f_won) assert (order_q[(COUNT-1)*ORDER_BITS +: ORDER_BITS] == f_last);   // 5
            assert (f_count + f_above <= COUNT - 1);                                // 6
            if (f_passing && grant_valid_q) assert (f_level_won < f_tier);          // 7
            assert (f_wait <= F_ENDS + 4'd1);                                       // 8
            assert (f_wait <= f_still + 4'd1);
        end
        cover (f_count == COUNT - 1);                                               // 6 is tight
        cover (f_wait == F_ENDS);
    end
`endif
endmodule

`default_nettype wire
