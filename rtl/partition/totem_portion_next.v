// SPDX-License-Identifier: Apache-2.0
//
// totem_portion_next: the next engine in turn, part of totem_portion.
//
// The lowest engine above the present one that wants, or else the lowest that wants; the present one if none wants.
// Twin      next_of in cmodel/partition/totem_portion.c.

`default_nettype none

module totem_portion_next #(
    parameter SE_COUNT = 4,
    parameter SE_BITS  = SE_COUNT > 1 ? $clog2(SE_COUNT) : 1
) (
    input  wire [SE_COUNT-1:0] wants,
    input  wire [SE_BITS-1:0]  engine,
    output reg  [SE_BITS-1:0]  next
);
    integer n;
    always @* begin
        next = engine;
        for (n = SE_COUNT - 1; n >= 0; n = n - 1)
            if (wants[n])
                next = n[SE_BITS-1:0];
        for (n = SE_COUNT - 1; n >= 0; n = n - 1)
            if (wants[n] && n[SE_BITS-1:0] > engine)
                next = n[SE_BITS-1:0];
    end
endmodule

`default_nettype wire
