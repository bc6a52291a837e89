// SPDX-License-Identifier: Apache-2.0
//
// LUT4: look-up table of the ECP5, as Yosys' model of it, in one expression: Verilator's code for a netlist gets three
// times as small.

`default_nettype none

module LUT4 #(
    parameter [15:0] INIT = 16'd0
) (
    input  wire A,
    input  wire B,
    input  wire C,
    input  wire D,
    output wire Z
);
    assign Z = INIT[{D, C, B, A}];
endmodule

`default_nettype wire
