// SPDX-License-Identifier: Apache-2.0
//
// totem_upper: what the upper dword of an address says: whether it is one of two, and what of it the memory port shows.
//
// Boundary  combinational.
// Twin      cmodel/lib/totem_upper.c; docs/contract/upper.md.

`default_nettype none

module totem_upper (
    input  wire [15:0] address,
    input  wire [7:0]  above,
    output wire        strange,
    output wire [7:0]  page
);
    wire paired = above != 8'd0;
    wire far    = address[15:8] != 8'd0;

    assign strange = (far && address[15:8] != above) || (paired && address[7]);
    assign page    = {paired ? far : address[7], address[6:0]};
endmodule

`default_nettype wire
