// SPDX-License-Identifier: Apache-2.0
//
// totem_hold: which heads hold an engine, because they have lacked it for too long.
//
// Policy    a clock per pipe counts while its head wants, and does not fit or is blocked by another hold
//           (issue_lacks); a grant clears it, a return does not. At HOLD_AFTER of its tier the head holds the
//           engine until it is granted or returned. One hold begins a clock, of several that are due the one
//           nearest to the top of the pole: so no two are of one age.
// Latency   a hold begins HOLD_AFTER + 2 clocks after the first clock in which its head lacked the engine.
// Boundary  all outputs are flip-flops. What a hold blocks is decided in totem_issue.
// Cost      of a pipe: a counter of 24 bits, FE_COUNT*PIPES + 1 flip-flops.
// Proof     invariants 1 (names) to 4 (pole); 5 (served) in synth/formal/totem_waits.v.
// Twin      cmodel/issue/totem_hold.h, docs/contract/hold.md.

`default_nettype none

module totem_hold #(
    parameter FE_COUNT = 4,             // 1 to 4
    parameter PIPES    = 2,             // 1 or 2
    parameter ORDER_BITS = (FE_COUNT*PIPES > 1) ? $clog2(FE_COUNT*PIPES) : 1    // follows from the others
) (
    input  wire                                     clk,
    input  wire                                     rst,
    // ports
    input  wire [FE_COUNT*PIPES-1:0]                head_valid,
    input  wire [FE_COUNT*PIPES*2-1:0]              head_priority,
    // issue
    input  wire [FE_COUNT*PIPES-1:0]                issue_lacks,
    input  wire [FE_COUNT*PIPES*ORDER_BITS-1:0]     issue_order,
    input  wire                                     grant_valid,
    input  wire [1:0]                               grant_fe,
    input  wire [1:0]                               grant_pipe,
    // settings
    input  wire [23:0]                              settings_hold_high,
    input  wire [23:0]                              settings_hold_medium,
    input  wire [23:0]                              settings_hold_low,
    // holds
    output wire [FE_COUNT*PIPES-1:0]                valid,
    output wire [FE_COUNT*PIPES*FE_COUNT*PIPES-1:0] hold_before,
    // stats
    output wire [FE_COUNT*PIPES*24-1:0]             waited
);
`include "totem_port_values.vh"
    localparam COUNT = FE_COUNT*PIPES;

    generate
        if (FE_COUNT < 1 || FE_COUNT > 4 || PIPES < 1 || PIPES > 2) begin : check
            totem_hold_needs_FE_COUNT_1_to_4_and_PIPES_1_or_2 refused ();
        end
    endgenerate

    reg [COUNT-1:0]       valid_q, valid_d;
    reg [COUNT*COUNT-1:0] hold_before_q, hold_before_d;
    reg [COUNT*24-1:0]    waited_q, waited_d;

    assign valid       = valid_q;
    assign hold_before = hold_before_q;
    assign waited      = waited_q;

    // A pipe alone.
    wire [COUNT-1:0] granted;
    wire [COUNT-1:0] due;
    genvar           p;
    generate
        for (p = 0; p < COUNT; p = p + 1) begin : g_pipe
            localparam FE   = p / PIPES;
            localparam PIPE = p % PIPES;
            wire [23:0] after = (head_priority[p*2 +: 2] == PRIORITY_HIGH) ? settings_hold_high :
                                (head_priority[p*2 +: 2] == PRIORITY_MEDIUM) ? settings_hold_medium : settings_hold_low;
            assign granted[p] = grant_valid && grant_fe == FE[1:0] && grant_pipe == PIPE[1:0];
            assign due[p]     = !valid_q[p] && !granted[p] && head_valid[p] && issue_lacks[p] &&
                                waited_q[p*24 +: 24] >= after;
        end
    endgenerate

    // 3 Begin. The one that is due and begins: named has a place for every number that an element of the pole can show.
    reg  [7:0]       named;
    reg              found;
    reg  [COUNT-1:0] begins;
    wire [COUNT-1:0] stays = valid_q & head_valid & ~granted;
    integer          n, m;

    always @* begin
        found  = 1'b0;
        named  = 8'd0;
        for (n = 0; n < COUNT; n = n + 1) begin
            if (!found)
                named = {{(8-COUNT){1'b0}}, due} & (8'd1 << issue_order[n*ORDER_BITS +: ORDER_BITS]);
            found = found || named != 8'd0;
        end
        begins = named[COUNT-1:0];
    end

    always @* begin
        // 2 End
        valid_d  = stays | begins;
        waited_d = waited_q;
        for (n = 0; n < COUNT; n = n + 1) begin
            for (m = 0; m < COUNT; m = m + 1)
                hold_before_d[n*COUNT + m] = stays[m] && ((stays[n] && hold_before_q[n*COUNT + m]) || begins[n]);
            // 1 Clocks
            if (granted[n])
                waited_d[n*24 +: 24] = 24'd0;
            else if (issue_lacks[n] && waited_q[n*24 +: 24] != 24'hFFFFFF)
                waited_d[n*24 +: 24] = waited_q[n*24 +: 24] + 24'd1;
        end
    end

    always @(posedge clk) begin
        valid_q       <= valid_d;
        hold_before_q <= hold_before_d;
        waited_q      <= waited_d;
        if (rst) begin
            valid_q       <= {COUNT{1'b0}};
            hold_before_q <= {COUNT*COUNT{1'b0}};
            waited_q      <= {COUNT*24{1'b0}};
        end
    end

    // formal: configs=full,board,pole
    // formal: params=FE_COUNT=2,PIPES=2 configs=mini
`ifdef FORMAL
`include "totem_hold_properties.vh"
`endif
endmodule

`default_nettype wire
