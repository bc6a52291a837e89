// SPDX-License-Identifier: Apache-2.0
//
// totem_match: which of several tagged words are meant for one receiver.
//
// Boundary  combinational.
// Twin      cmodel/lib/totem_match.h, TOTEM_MATCH(name, count, type); docs/contract/match.md.

`default_nettype none

module totem_match #(
    parameter COUNT = 4,    // 1 to 64
    parameter WIDTH = 2     // 1 to 64
) (
    input  wire [COUNT-1:0]       valid,
    input  wire [COUNT*WIDTH-1:0] tag,
    input  wire [WIDTH-1:0]       value,
    output wire [COUNT-1:0]       mine
);
    genvar n;
    generate
        for (n = 0; n < COUNT; n = n + 1) begin : g_word
            assign mine[n] = valid[n] && tag[n*WIDTH +: WIDTH] == value;
        end
    endgenerate
endmodule

`default_nettype wire
