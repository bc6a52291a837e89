// SPDX-License-Identifier: Apache-2.0
//
// totem_issue_pipes: part of totem_issue: the heads of pipes, their tier, whether they fit, and what blocks them.
//
// Policy    a head that holds the engine blocks what would pass it in its own and lower tiers; a group of a graphics
//           queue that holds blocks CS_LOW.
// Boundary  combinational. The index of a pipe is that of totem_issue. Holds are beside the fit, not behind it.
// Cost      of a pipe: three subtractions, whose signs are the fit and whose results are the new counts.
// Twin      rules 1 to 3 in cmodel/issue/totem_issue.c.

`default_nettype none

module totem_issue_pipes #(
    parameter COUNT = 8                         // pipes
) (
    // ports
    input  wire [COUNT-1:0]       head_valid,
    input  wire [COUNT*2-1:0]     head_priority,
    input  wire [COUNT*7-1:0]     head_waves,
    input  wire [COUNT*13-1:0]    head_total,
    input  wire [COUNT*9-1:0]     head_lds,
    // what stands in the way
    input  wire [COUNT-1:0]       popped,       // granted in this clock
    input  wire                   open,
    input  wire [COUNT-1:0]       hold_valid,
    input  wire [COUNT*COUNT-1:0] hold_before,
    input  wire                   group_holds,  // some group of a graphics queue wants and holds
    // counts
    input  wire [6:0]             free_slots,
    input  wire [11:0]            free_vgprs,
    input  wire [9:0]             free_lds,
    // terms
    output wire [COUNT-1:0]       lacks,
    output wire [COUNT-1:0]       eligible,
    output reg  [COUNT-1:0]       in_high,      // eligible, of that tier
    output reg  [COUNT-1:0]       in_medium,
    output reg  [COUNT-1:0]       in_low,
    output reg                    high_holds,   // some pipe of the tier wants and holds
    output reg                    medium_holds,
    // what is left if the head is granted, with the sign as one more bit
    output wire [COUNT*8-1:0]     slots_after,
    output wire [COUNT*14-1:0]    vgprs_after,
    output wire [COUNT*11-1:0]    lds_after
);
`include "totem_port_values.vh"
`include "totem_issue_values.vh"
    wire [COUNT*3-1:0] tier;
    wire [COUNT-1:0]   wants;
    wire [COUNT-1:0]   fits;
    reg  [COUNT-1:0]   blocked;
    wire [COUNT-1:0]   holding = wants & hold_valid;
    integer            own, other;
    genvar             f;

    generate
        for (f = 0; f < COUNT; f = f + 1) begin : g_head
            // 1 Heads
            assign slots_after[f*8 +: 8]   = {1'b0, free_slots} - {1'b0, head_waves[f*7 +: 7]};
            assign vgprs_after[f*14 +: 14] = {2'b0, free_vgprs} - {1'b0, head_total[f*13 +: 13]};
            assign lds_after[f*11 +: 11]   = {1'b0, free_lds} - {2'b0, head_lds[f*9 +: 9]};
            assign wants[f]                = head_valid[f] && !popped[f];
            assign fits[f] = !slots_after[f*8 + 7] && !vgprs_after[f*14 + 13] && !lds_after[f*11 + 10];
            // 2 Tier
            assign tier[f*3 +: 3] = (head_priority[f*2 +: 2] == PRIORITY_HIGH)   ? TIER_CS_HIGH :
                                    (head_priority[f*2 +: 2] == PRIORITY_MEDIUM) ? TIER_CS_MEDIUM : TIER_CS_LOW;
        end
    endgenerate

    // 3 Holds
    always @* begin
        blocked = {COUNT{1'b0}};
        for (own = 0; own < COUNT; own = own + 1)
            for (other = 0; other < COUNT; other = other + 1)
                if (other != own && holding[other] &&
                    (tier[other*3 +: 3] < tier[own*3 +: 3] ||
                     (tier[other*3 +: 3] == tier[own*3 +: 3] &&
                      (!hold_valid[own] || hold_before[own*COUNT + other]))))
                    blocked[own] = 1'b1;
        for (own = 0; own < COUNT; own = own + 1)
            if (group_holds && tier[own*3 +: 3] == TIER_CS_LOW)
                blocked[own] = 1'b1;
    end

    assign eligible = wants & fits & ~blocked & {COUNT{open}};
    assign lacks    = wants & ~(fits & ~blocked);

    always @* begin
        high_holds   = 1'b0;
        medium_holds = 1'b0;
        for (own = 0; own < COUNT; own = own + 1) begin
            high_holds     = high_holds || (holding[own] && tier[own*3 +: 3] == TIER_CS_HIGH);
            medium_holds   = medium_holds || (holding[own] && tier[own*3 +: 3] == TIER_CS_MEDIUM);
            in_high[own]   = eligible[own] && tier[own*3 +: 3] == TIER_CS_HIGH;
            in_medium[own] = eligible[own] && tier[own*3 +: 3] == TIER_CS_MEDIUM;
            in_low[own]    = eligible[own] && tier[own*3 +: 3] == TIER_CS_LOW;
        end
    end
endmodule

`default_nettype wire
