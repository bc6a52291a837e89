// SPDX-License-Identifier: Apache-2.0
//
// totem_pick: one of several words, by its number; the first if there is none of the number.
//
// Boundary  combinational.
// Twin      cmodel/lib/totem_pick.h, TOTEM_PICK(name, count, type); docs/contract/pick.md.

`default_nettype none

module totem_pick #(
    parameter COUNT      = 4,   // 1 to 64
    parameter WIDTH      = 64,  // 1 to 64
    parameter INDEX_BITS = 2    // 1 to 8
) (
    input  wire [COUNT*WIDTH-1:0] words,
    input  wire [INDEX_BITS-1:0]  index,
    output wire [WIDTH-1:0]       word
);
    reg [WIDTH-1:0] chosen;
    integer         n;

    assign word = chosen;

    always @* begin
        chosen = words[WIDTH-1:0];
        for (n = 1; n < COUNT; n = n + 1)
            if ({{(32-INDEX_BITS){1'b0}}, index} == n)
                chosen = words[n*WIDTH +: WIDTH];
    end
endmodule

`default_nettype wire
