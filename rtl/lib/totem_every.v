// SPDX-License-Identifier: Apache-2.0
//
// totem_every: whether all of several bits are 1.
//
// Boundary  combinational.
// Twin      cmodel/lib/totem_every.h, TOTEM_EVERY(name, count); docs/contract/every.md.

`default_nettype none

module totem_every #(
    parameter COUNT = 4     // 1 to 64
) (
    input  wire [COUNT-1:0] each,
    output wire             all
);
    assign all = &each;
endmodule

`default_nettype wire
