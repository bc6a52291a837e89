// SPDX-License-Identifier: Apache-2.0
//
// totem_waits: blocks hold and issue of one engine, for a property that neither can state alone.
//
// Property  invariant 5 (served) of docs/contract/hold.md, with W = ENDS: a presented group is granted or returned
//           within f_bound counted clocks.
// Note      no part of the machine. The rest of the engine is left open: heads, sizes, ends of waves. Runs of
//           mini have 4 pipes, of full 8; slots, ENDS and HOLD_AFTER are small (docs/issue.md, Holds).

`default_nettype none

module totem_waits #(
    parameter FE_COUNT   = 4,           // 1 to 4
    parameter PIPES      = 2,           // 1 or 2
    parameter SLOTS      = 4,
    parameter VGPRS      = 4,
    parameter LDS        = 2,
    parameter ENDS       = 3,           // clocks after the last grant, until all waves have ended
    parameter ORDER_BITS = (FE_COUNT*PIPES > 1) ? $clog2(FE_COUNT*PIPES) : 1    // follows from the others
) (
    input  wire                         clk,
    input  wire                         rst,
    input  wire [FE_COUNT*PIPES-1:0]    head_valid,
    input  wire [FE_COUNT*PIPES*2-1:0]  head_priority,
    input  wire [FE_COUNT*PIPES*7-1:0]  head_waves,
    input  wire [FE_COUNT*PIPES*13-1:0] head_total,
    input  wire [FE_COUNT*PIPES*9-1:0]  head_lds,
    input  wire                         events_stop,
    input  wire                         launch_room,
    input  wire                         free_valid,
    input  wire [6:0]                   free_vgprs,
    input  wire [8:0]                   free_lds,
    output wire                         grant_valid
);
`include "totem_port_values.vh"
`include "totem_issue_values.vh"
    localparam COUNT = FE_COUNT*PIPES;

    wire [1:0]                  grant_fe, grant_pipe;
    wire [6:0]                  free_slots;
    wire [11:0]                 free_vgprs_left;
    wire [9:0]                  free_lds_left;
    wire [COUNT-1:0]            lacks, hold_valid;
    wire [COUNT*COUNT-1:0]      hold_before;
    wire [COUNT*ORDER_BITS-1:0] order;
    wire [COUNT*24-1:0]         waited;
    (* anyconst *) wire [1:0]   after_high;     // HOLD_AFTER of the tiers
    (* anyconst *) wire [1:0]   after_medium;
    (* anyconst *) wire [1:0]   after_low;

    totem_hold #(.FE_COUNT(FE_COUNT), .PIPES(PIPES)) hold (
        .clk(clk), .rst(rst), .head_valid(head_valid), .head_priority(head_priority), .issue_lacks(lacks),
        .issue_order(order), .grant_valid(grant_valid), .grant_fe(grant_fe), .grant_pipe(grant_pipe),
        .settings_hold_high({22'd0, after_high}), .settings_hold_medium({22'd0, after_medium}),
        .settings_hold_low({22'd0, after_low}), .valid(hold_valid), .hold_before(hold_before), .waited(waited));

    totem_issue #(.FE_COUNT(FE_COUNT), .PIPES(PIPES), .SLOTS(SLOTS), .VGPRS(VGPRS), .LDS(LDS)) issue (
        .clk(clk), .rst(rst), .head_valid(head_valid), .head_priority(head_priority), .head_waves(head_waves),
        .head_total(head_total), .head_lds(head_lds), .geometry_valid({FE_COUNT{1'b0}}),
        .graphics_head_valid({FE_COUNT{1'b0}}), .pixel_valid({FE_COUNT{1'b0}}), .hold_valid(hold_valid),
        .hold_before(hold_before), .graphics_hold_valid({FE_COUNT{1'b0}}), .events_stop(events_stop),
        .launch_room(launch_room), .grant_valid(grant_valid), .grant_fe(grant_fe), .grant_pipe(grant_pipe),
        .free_valid(free_valid), .free_vgprs(free_vgprs), .free_lds(free_lds), .free_kind(WAVE_COMPUTE),
        .free_slots(free_slots), .free_vgprs_left(free_vgprs_left), .free_lds_left(free_lds_left), .order(order),
        .lacks(lacks));

`ifdef FORMAL
    // formal: params=FE_COUNT=2,PIPES=2 configs=mini
    // formal: params=FE_COUNT=4,PIPES=2 configs=full covers=0
    initial assume (rst);
    localparam EACH  = ENDS + 3;        // a hold, once it is the oldest
    localparam FIRST = 2*COUNT + 1;     // until it holds, beyond HOLD_AFTER: passed, or others begin to hold
    (* anyconst *) wire [ORDER_BITS-1:0] f_pipe;

    function [2:0] f_level(input [1:0] which);      // tier of a priority
        f_level = which == PRIORITY_HIGH ? TIER_CS_HIGH : which == PRIORITY_MEDIUM ? TIER_CS_MEDIUM : TIER_CS_LOW;
    endfunction

    wire [2:0]  f_tier  = f_level(head_priority[f_pipe*2 +: 2]);
    wire [1:0]  f_after = f_tier == TIER_CS_HIGH ? after_high : f_tier == TIER_CS_MEDIUM ? after_medium : after_low;
    reg  [COUNT-1:0]   f_granted;       // in this clock
    reg  [COUNT-1:0]   f_was = {COUNT{1'b0}};           // presented and not granted, a clock before
    reg  [COUNT*2-1:0] f_priority;
    reg  [3:0]  f_still = 4'd0;         // clocks without a grant, saturating
    wire        f_ends  = f_still < ENDS || (free_slots == SLOTS && free_vgprs_left == VGPRS && free_lds_left == LDS);
    reg         f_good;                 // the assumptions hold in this clock
    reg         f_past;
    reg  [3:0]  f_above, f_open, f_older;       // in the pole; of these without a hold; older holds of its tier
    reg  [COUNT-1:0] f_seen;
    integer     f_n, f_a, f_b, f_k;
    always @* begin
        f_good  = head_valid[f_pipe] && f_ends;
        f_past  = 1'b0;
        f_above = 4'd0;
        f_open  = 4'd0;
        f_older = 4'd0;
        f_seen  = {COUNT{1'b0}};
        for (f_n = 0; f_n < COUNT; f_n = f_n + 1) begin
            f_granted[f_n] = grant_valid && {30'd0, grant_pipe} < PIPES && grant_fe*PIPES + grant_pipe == f_n;
            f_seen = f_seen | ({{(COUNT-1){1'b0}}, 1'b1} << order[f_n*ORDER_BITS +: ORDER_BITS]);
            if (order[f_n*ORDER_BITS +: ORDER_BITS] == f_pipe)
                f_past = 1'b1;
            if (!f_past)
                f_above = f_above + 4'd1;
            if (!f_past && !hold_valid[order[f_n*ORDER_BITS +: ORDER_BITS]])
                f_open = f_open + 4'd1;
        end
        for (f_n = 0; f_n < COUNT; f_n = f_n + 1) begin
            if (head_valid[f_n] && f_level(head_priority[f_n*2 +: 2]) < f_tier)
                f_good = 1'b0;
            if (f_was[f_n] && !(head_valid[f_n] && head_priority[f_n*2 +: 2] == f_priority[f_n*2 +: 2]))
                f_good = 1'b0;
            if (f_n != f_pipe && head_valid[f_n] && !f_granted[f_n] && hold_valid[f_n] &&
                hold_before[f_pipe*COUNT + f_n] && f_level(head_priority[f_n*2 +: 2]) == f_tier)
                f_older = f_older + 4'd1;
            assume (!head_valid[f_n] || (head_waves[f_n*7 +: 7] <= SLOTS && head_total[f_n*13 +: 13] <= VGPRS &&
                                         head_lds[f_n*9 +: 9] <= LDS));     // issue, A3 empty
        end
        assume (f_pipe < COUNT);
    end

    wire        f_go   = launch_room && !events_stop;
    wire        f_new  = !f_good || f_granted[f_pipe];  // the count begins anew
    reg  [7:0]  f_run  = 8'd0;          // counted clocks
    reg  [7:0]  f_lack = 8'd0;          // clocks of lacking in them,
    reg  [7:0]  f_pass = 8'd0;          // and those in which others were granted instead
    reg  [7:0]  f_base = 8'd0;          // counted clocks when it began to hold
    reg  [7:0]  f_since = 8'd0;         // counted clocks since then, or since the last grant
    wire        f_passed = grant_valid && !lacks[f_pipe];
    wire [23:0] f_waited = waited[f_pipe*24 +: 24];
    wire [7:0]  f_short  = f_waited < {22'd0, f_after} ? f_waited[7:0] : {6'd0, f_after};
    wire [7:0]  f_first = {6'd0, f_after} + FIRST;
    wire [7:0]  f_bound = f_first + COUNT*EACH;

    always @(posedge clk) begin
        f_was      <= head_valid & ~f_granted;
        f_priority <= head_priority;
        f_still    <= grant_valid ? 4'd0 : f_still == 4'd15 ? f_still : f_still + 4'd1;
        f_run      <= f_run + {7'd0, f_go};
        f_lack     <= f_lack + {7'd0, lacks[f_pipe]};
        f_pass     <= f_pass + {7'd0, f_passed};
        f_since    <= grant_valid ? 8'd0 : f_since + {7'd0, f_go};
        if (!hold_valid[f_pipe]) begin
            f_base  <= f_run + {7'd0, f_go};
            f_since <= 8'd0;
        end
        if (rst || f_new) begin
            f_run   <= 8'd0;
            f_lack  <= 8'd0;
            f_pass  <= 8'd0;
            f_base  <= 8'd0;
            f_since <= 8'd0;
        end
        if (rst) begin
            f_was   <= {COUNT{1'b0}};
            f_still <= 4'd0;
        end
        if (!rst) begin
            assert (f_seen == {COUNT{1'b1}});   // issue, 1 permutation
            // Holds are in one order: of two one is older, and what is older than an older one is so, too.
            for (f_a = 0; f_a < COUNT; f_a = f_a + 1)
                for (f_b = 0; f_b < COUNT; f_b = f_b + 1) begin
                    assert (!(hold_valid[f_a] && hold_valid[f_b] && f_a != f_b) ||
                            hold_before[f_a*COUNT + f_b] != hold_before[f_b*COUNT + f_a]);  // hold, 2 age
                    for (f_k = 0; f_k < COUNT; f_k = f_k + 1)
                        assert (!(hold_before[f_a*COUNT + f_b] && hold_before[f_b*COUNT + f_k]) ||
                                hold_before[f_a*COUNT + f_k]);      // hold, 2 age
                end
            if (!f_new) begin
                assert (f_run <= f_bound);      // hold, 5 served; issue, 8 served, for one hold
                // Every counted clock it lacks, or another of its tier is granted: that one stood above it.
                if (!hold_valid[f_pipe]) begin
                    assert (f_run <= f_lack + {7'd0, lacks[f_pipe]} + f_pass + {7'd0, f_passed});  // helper
                    assert (f_pass + {7'd0, f_passed} + {4'd0, f_above} <= COUNT - 1);  // helper
                    // From HOLD_AFTER on it begins to hold, or another one that stands above it.
                    assert (f_lack <= f_short + COUNT - 1 - {4'd0, f_open});  // helper
                end
                // Then one older hold after the other is granted.
                assert (f_base <= f_first);  // helper
                if (hold_valid[f_pipe]) begin
                    assert (f_run <= f_base + (COUNT - 1 - {4'd0, f_older})*EACH + f_since + 8'd1);  // helper
                    assert (f_since <= (f_still < ENDS ? {4'd0, f_still} : ENDS) + 8'd1 +
                                       {7'd0, grant_valid});            // helper
                end
            end
        end
        cover (!f_new && f_run > f_first);
    end
`endif
endmodule

`default_nettype wire
