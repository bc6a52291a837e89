// SPDX-License-Identifier: Apache-2.0
//
// totem_draw_count: what is left of each draw behind its geometry waves: marks of scan converters and pixel waves.
//
// Policy    a geometry wave that is granted brings one mark for each converter; they are given back one by one or
//           together. A pixel wave counts from its grant to its end.
// Latency   what comes in a clock is in `empty` in the next one.
// Boundary  outputs are functions of the counts.
// Cost      12 flip-flops for each draw state.
// Proved    count (1), fault (2).
// Twin      cmodel/graphics/totem_draw_count.c, same names.

`default_nettype none

module totem_draw_count #(
    parameter SE_COUNT    = 4,                      // 1 to 4
    parameter DRAW_STATES = 16,                     // a power of two, 2 to 16
    parameter DRAW_BITS   = $clog2(DRAW_STATES)     // follows
) (
    input  wire                          clk,
    input  wire                          rst,
    // issue
    input  wire [SE_COUNT-1:0]           geometry_valid,
    input  wire [SE_COUNT-1:0]           pixel_valid,
    input  wire [SE_COUNT*DRAW_BITS-1:0] grant_state,
    // retire
    input  wire [SE_COUNT-1:0]           complete_valid,
    input  wire [SE_COUNT*DRAW_BITS-1:0] complete_state,
    // pixel, assemble
    input  wire [SE_COUNT-1:0]           mark_valid,
    input  wire [SE_COUNT*DRAW_BITS-1:0] mark_state,
    input  wire [SE_COUNT-1:0]           cull_valid,
    input  wire [SE_COUNT*DRAW_BITS-1:0] cull_state,
    input  wire [SE_COUNT*3-1:0]         cull_count,
    // draws
    output wire [DRAW_STATES-1:0]        empty,
    // rest, self-check
    output wire                          idle,
    output wire                          fault
);
    generate
        if (SE_COUNT < 1 || SE_COUNT > 4 || DRAW_STATES < 2 || DRAW_STATES > 16 ||
            DRAW_STATES != (1 << DRAW_BITS)) begin : check
            totem_draw_count_needs_SE_COUNT_1_to_4_and_DRAW_STATES_a_power_of_two_from_2_to_16 refuse ();
        end
    endgenerate

    localparam [2:0] ENGINES = SE_COUNT[2:0];

    reg [DRAW_STATES*12-1:0] count_q, count_d;
    reg                      fault_q, fault_d;

    initial begin
        count_q = 0; fault_q = 0;
    end

    genvar g;
    generate
        for (g = 0; g < DRAW_STATES; g = g + 1) begin : g_state
            assign empty[g] = count_q[g*12 +: 12] == 12'd0;
        end
    endgenerate
    assign idle  = &empty;
    assign fault = fault_q;

    reg [4:0] more;         // at most 16
    reg [5:0] less;         // at most 4 * (1 + 1 + 7)
    integer   d, e;

    always @* begin
        count_d = count_q;
        fault_d = fault_q;
        more    = 5'd0;
        less    = 6'd0;
        // 1 Count
        for (d = 0; d < DRAW_STATES; d = d + 1) begin
            more = 5'd0;
            less = 6'd0;
            for (e = 0; e < SE_COUNT; e = e + 1) begin
                if (grant_state[e*DRAW_BITS +: DRAW_BITS] == d[DRAW_BITS-1:0]) begin
                    if (geometry_valid[e]) more = more + {2'd0, ENGINES};
                    if (pixel_valid[e])    more = more + 5'd1;
                end
                if (complete_valid[e] && complete_state[e*DRAW_BITS +: DRAW_BITS] == d[DRAW_BITS-1:0])
                    less = less + 6'd1;
                if (mark_valid[e] && mark_state[e*DRAW_BITS +: DRAW_BITS] == d[DRAW_BITS-1:0])
                    less = less + 6'd1;
                if (cull_valid[e] && cull_state[e*DRAW_BITS +: DRAW_BITS] == d[DRAW_BITS-1:0])
                    less = less + {3'd0, cull_count[e*3 +: 3]};
            end
            if ({6'd0, less} > count_q[d*12 +: 12]) begin
                fault_d              = 1'b1;
                count_d[d*12 +: 12] = {7'd0, more};
            end else
                count_d[d*12 +: 12] = count_q[d*12 +: 12] - {6'd0, less} + {7'd0, more};
        end
    end

    always @(posedge clk) begin
        count_q <= count_d;
        fault_q <= fault_d;
        if (rst) begin
            count_q <= {DRAW_STATES*12{1'b0}};
            fault_q <= 1'b0;
        end
    end

`ifdef FORMAL
`include "totem_draw_count_properties.vh"
`endif
endmodule

`default_nettype wire
