// SPDX-License-Identifier: Apache-2.0
//
// totem_bus: the command bus from the front ends to the engines.
//
// Policy    the words of a clock take the lanes in turn, front ends ascending, from where the clock
//           before stopped. The sender keeps the credits, so the bus never stalls.
// Latency   one clock, whatever the lane: order between a front end and an engine is kept.
// Boundary  lane_* are flip-flops. Payload counts only while lane_valid.
// Cost      80 flip-flops a lane and a choice of FE_COUNT words before each. LANES below FE_COUNT
//           is refused; LANES need not be a power of two.
// Proof     contracts 1 (turn), 2 (every word arrives once, unchanged) in this file.
// Twin      cmodel/issue/totem_bus.h, docs/contract/bus.md.

`default_nettype none

module totem_bus #(
    parameter FE_COUNT = 4,
    parameter LANES    = 8
) (
    input  wire                   clk,
    input  wire                   rst,
    // front ends
    input  wire [FE_COUNT-1:0]    dc_valid,
    input  wire [FE_COUNT*64-1:0] dc_word,
    input  wire [FE_COUNT*16-1:0] dc_tag,
    // lanes
    output wire [LANES-1:0]       lane_valid,
    output wire [LANES*64-1:0]    lane_word,
    output wire [LANES*16-1:0]    lane_tag
);
    localparam TURN_BITS = (LANES > 1) ? $clog2(LANES) : 1;

    generate
        if (FE_COUNT < 1 || LANES < FE_COUNT) begin : check
            totem_bus_needs_FE_COUNT_from_1_and_LANES_not_below_it refused ();
        end
    endgenerate

    reg [TURN_BITS-1:0] turn_q, turn_d;
    reg [LANES-1:0]     lane_valid_q, lane_valid_d;
    reg [LANES*64-1:0]  lane_word_q, lane_word_d;
    reg [LANES*16-1:0]  lane_tag_q, lane_tag_d;

    initial begin
        turn_q       = {TURN_BITS{1'b0}};
        lane_valid_q = {LANES{1'b0}};
        lane_word_q  = {LANES*64{1'b0}};
        lane_tag_q   = {LANES*16{1'b0}};
    end

    assign lane_valid = lane_valid_q;
    assign lane_word  = lane_word_q;
    assign lane_tag   = lane_tag_q;

    // turn_d runs through the lanes of this clock and ends as the next clock's first: rank and
    // modulo in one.
    integer front;
    always @* begin
        turn_d       = turn_q;
        lane_valid_d = {LANES{1'b0}};
        lane_word_d  = lane_word_q;
        lane_tag_d   = lane_tag_q;
        for (front = 0; front < FE_COUNT; front = front + 1)
            if (dc_valid[front]) begin
                lane_valid_d[turn_d]         = 1'b1;
                lane_word_d[turn_d*64 +: 64] = dc_word[front*64 +: 64];
                lane_tag_d[turn_d*16 +: 16]  = dc_tag[front*16 +: 16];
                turn_d = ({{32-TURN_BITS{1'b0}}, turn_d} == LANES - 1) ? {TURN_BITS{1'b0}} : turn_d + 1'b1;
            end
    end

    always @(posedge clk) begin
        turn_q       <= turn_d;
        lane_valid_q <= lane_valid_d;
        lane_word_q  <= lane_word_d;
        lane_tag_q   <= lane_tag_d;
        if (rst) begin
            turn_q       <= {TURN_BITS{1'b0}};
            lane_valid_q <= {LANES{1'b0}};
        end
    end

`ifdef FORMAL
    // Contract 1: turn names a lane.
    // Contract 2: a front end picked at will finds its word on exactly one lane, one clock later,
    //             and there are as many words on lanes as there were at the front ends.
    // Equal words would hide a doubled one, so contract 2 counts as well as looks.
    initial assume (rst);
    (* anyconst *) wire [$clog2(FE_COUNT+1)-1:0] f_front;
    reg        f_valid = 1'b0;
    reg [79:0] f_word;
    reg [7:0]  f_sent = 8'd0;
    reg [7:0]  f_sum, f_lanes;
    reg        f_found;
    integer    n;

    always @* begin
        f_sum   = 8'd0;
        f_lanes = 8'd0;
        f_found = 1'b0;
        for (n = 0; n < FE_COUNT; n = n + 1)
            f_sum = f_sum + {7'd0, dc_valid[n]};
        for (n = 0; n < LANES; n = n + 1) begin
            f_lanes = f_lanes + {7'd0, lane_valid_q[n]};
            if (lane_valid_q[n] && {lane_tag_q[n*16 +: 16], lane_word_q[n*64 +: 64]} == f_word)
                f_found = 1'b1;
        end
    end

    always @(posedge clk) begin
        f_sent <= rst ? 8'd0 : f_sum;
        f_valid <= (f_front < FE_COUNT) && dc_valid[f_front] && !rst;
        f_word  <= {dc_tag[f_front*16 +: 16], dc_word[f_front*64 +: 64]};

        if (!rst) begin
            assert ({{32-TURN_BITS{1'b0}}, turn_q} < LANES);    // 1
            assert (f_lanes == f_sent);                         // 2
            if (f_valid) assert (f_found);                      // 2
        end
        cover (f_lanes == FE_COUNT);
    end
`endif
endmodule

`default_nettype wire
