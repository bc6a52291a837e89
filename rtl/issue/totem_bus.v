// SPDX-License-Identifier: Apache-2.0
//
// totem_bus: the command bus from the front ends to the engines.
//
// Policy    the words of a clock take the lanes in turn, front ends ascending, from where the clock
//           before stopped. The sources of a front end take its place in turn, a word at a time, if
//           others wait; a place that nobody wants is that of source 0. Sources keep the credits, so
//           the bus never stalls.
// Latency   one clock, whatever the lane: order between a source and an engine is kept.
// Boundary  lane_* are flip-flops, source_ready follows from some. Payload counts only while lane_valid.
// Cost      80 flip-flops a lane and a choice of FE_COUNT words before each; of SOURCES, one more choice
//           for each front end. LANES below FE_COUNT is refused; LANES need not be a power of two.
// Proof     invariants 1 (range), 2 (once), 3 (place), 4 (bound).
// Twin      cmodel/issue/totem_bus.h, docs/contract/bus.md.

`default_nettype none

module totem_bus #(
    parameter FE_COUNT = 4,
    parameter LANES    = 8,
    parameter SOURCES  = 1              // of a front end
) (
    input  wire                           clk,
    input  wire                           rst,
    // front ends
    input  wire [FE_COUNT*SOURCES-1:0]    source_valid,
    input  wire [FE_COUNT*SOURCES*64-1:0] source_word,
    input  wire [FE_COUNT*SOURCES*16-1:0] source_tag,
    output wire [FE_COUNT*SOURCES-1:0]    source_ready,
    // lanes
    output wire [LANES-1:0]               lane_valid,
    output wire [LANES*64-1:0]            lane_word,
    output wire [LANES*16-1:0]            lane_tag
);
    localparam TURN_BITS  = (LANES > 1) ? $clog2(LANES) : 1;
    localparam OWNER_BITS = (SOURCES > 1) ? $clog2(SOURCES) : 1;

    generate
        if (FE_COUNT < 1 || LANES < FE_COUNT || SOURCES < 1) begin : check
            totem_bus_needs_FE_COUNT_and_SOURCES_from_1_and_LANES_not_below_FE_COUNT refused ();
        end
    endgenerate

    reg [FE_COUNT*OWNER_BITS-1:0] owner_q, owner_d;
    reg [TURN_BITS-1:0] turn_q, turn_d;
    reg [LANES-1:0]     lane_valid_q, lane_valid_d;
    reg [LANES*64-1:0]  lane_word_q, lane_word_d;
    reg [LANES*16-1:0]  lane_tag_q, lane_tag_d;

    // Registers that reset leaves alone read 0 at start, as in the model.
    initial begin
        lane_word_q = {LANES*64{1'b0}};
        lane_tag_q  = {LANES*16{1'b0}};
    end

    assign lane_valid = lane_valid_q;
    assign lane_word  = lane_word_q;
    assign lane_tag   = lane_tag_q;

    // The word that each front end sends: that of its owner.
    wire [FE_COUNT-1:0]    sent_valid;
    wire [FE_COUNT*64-1:0] sent_word;
    wire [FE_COUNT*16-1:0] sent_tag;
    genvar f, n;
    generate
        for (f = 0; f < FE_COUNT; f = f + 1) begin : g_front
            wire [OWNER_BITS-1:0] owner = owner_q[f*OWNER_BITS +: OWNER_BITS];
            wire [SOURCES-1:0]    ours;
            for (n = 0; n < SOURCES; n = n + 1) begin : g_source
                assign ours[n] = {{32-OWNER_BITS{1'b0}}, owner} == n;
            end
            assign source_ready[f*SOURCES +: SOURCES] = ours;

            // 3 Owner. From the farthest to the nearest after the owner, so that the nearest stays.
            reg [63:0]           word;
            reg [15:0]           tag;
            reg [OWNER_BITS-1:0] next;
            integer              k;
            always @* begin
                word = 64'd0;
                tag  = 16'd0;
                for (k = 0; k < SOURCES; k = k + 1) begin
                    word = word | (source_word[(f*SOURCES + k)*64 +: 64] & {64{ours[k]}});
                    tag  = tag | (source_tag[(f*SOURCES + k)*16 +: 16] & {16{ours[k]}});
                end
                next = {OWNER_BITS{1'b0}};
                for (k = SOURCES - 1; k >= 0; k = k - 1)
                    if (source_valid[f*SOURCES + k] && k < {{32-OWNER_BITS{1'b0}}, owner})
                        next = k[OWNER_BITS-1:0];
                for (k = SOURCES - 1; k >= 0; k = k - 1)
                    if (source_valid[f*SOURCES + k] && k > {{32-OWNER_BITS{1'b0}}, owner})
                        next = k[OWNER_BITS-1:0];
                owner_d[f*OWNER_BITS +: OWNER_BITS] = next;
            end
            assign sent_valid[f]         = |(source_valid[f*SOURCES +: SOURCES] & ours);
            assign sent_word[f*64 +: 64] = word;
            assign sent_tag[f*16 +: 16]  = tag;
        end
    endgenerate

    // 1 Lanes
    // 2 Turn. turn_d runs through the lanes of this clock and ends as the first lane of the next clock.
    integer front;
    always @* begin
        turn_d       = turn_q;
        lane_valid_d = {LANES{1'b0}};
        lane_word_d  = lane_word_q;
        lane_tag_d   = lane_tag_q;
        for (front = 0; front < FE_COUNT; front = front + 1)
            if (sent_valid[front]) begin
                lane_valid_d[turn_d]         = 1'b1;
                lane_word_d[turn_d*64 +: 64] = sent_word[front*64 +: 64];
                lane_tag_d[turn_d*16 +: 16]  = sent_tag[front*16 +: 16];
                turn_d = ({{32-TURN_BITS{1'b0}}, turn_d} == LANES - 1) ? {TURN_BITS{1'b0}} : turn_d + 1'b1;
            end
    end

    always @(posedge clk) begin
        owner_q      <= owner_d;
        turn_q       <= turn_d;
        lane_valid_q <= lane_valid_d;
        lane_word_q  <= lane_word_d;
        lane_tag_q   <= lane_tag_d;
        if (rst) begin
            owner_q      <= {FE_COUNT*OWNER_BITS{1'b0}};
            turn_q       <= {TURN_BITS{1'b0}};
            lane_valid_q <= {LANES{1'b0}};
        end
    end

    // formal: configs=full,board,mini,pole
    // formal: params=FE_COUNT=2,LANES=3,SOURCES=3 configs=mini
`ifdef FORMAL
`include "totem_bus_properties.vh"
`endif
endmodule

`default_nettype wire
