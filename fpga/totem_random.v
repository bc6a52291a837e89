// SPDX-License-Identifier: Apache-2.0
//
// totem_random: 64 random bits a clock, the same as random_next of fpga/check.h.
//
// Policy    a cellular automaton of rules 90 and 150: a bit becomes the sum of its two neighbours, and
//           of itself where RULE is 1. With this RULE it passes through all 2^64 - 1 states but 0
//           (minimal polynomial of degree 64, order checked by all seven prime factors of 2^64 - 1).
// Cost      one flip-flop and one LUT of three inputs a bit; one level of logic.

`default_nettype none

module totem_random #(
    parameter [63:0] SEED = 64'd1           // not 0
) (
    input  wire        clk,
    input  wire        load,                // SEED in the next clock
    output wire [63:0] bits
);
    localparam [63:0] RULE = 64'h420b0ebe378c74dc;

    reg [63:0] bits_q = 64'd0;

    assign bits = bits_q;

    always @(posedge clk) begin
        bits_q <= {bits_q[62:0], 1'b0} ^ {1'b0, bits_q[63:1]} ^ (bits_q & RULE);
        if (load)
            bits_q <= SEED;
    end
endmodule

`default_nettype wire
