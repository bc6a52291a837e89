// SPDX-License-Identifier: Apache-2.0
//
// totem_any: whether any of several bits is 1.
//
// Boundary  combinational.
// Twin      cmodel/lib/totem_any.h, TOTEM_ANY(name, count); docs/contract/any.md.

`default_nettype none

module totem_any #(
    parameter COUNT = 4     // 1 to 64
) (
    input  wire [COUNT-1:0] each,
    output wire             any
);
    assign any = |each;
endmodule

`default_nettype wire
