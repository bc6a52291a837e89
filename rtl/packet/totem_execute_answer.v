// SPDX-License-Identifier: Apache-2.0
//
// totem_execute_answer: part of totem_execute: what a read brings, and whether it satisfies a wait.
//
// Boundary  pure function of its inputs.
// Twin      condition() and answer() in cmodel/packet/totem_execute.c.

`default_nettype none
`include "totem_pm4.vh"

module totem_execute_answer (
    input  wire        register,    // a register of the window was read, not memory
    input  wire        upper,       // the upper dword of a word of memory
    input  wire [31:0] window_data,
    input  wire [63:0] memory_data,
    input  wire [2:0]  compare,
    input  wire [31:0] reference,
    input  wire [31:0] mask,
    output wire [31:0] read,
    output reg         holds
);
    assign read = register ? window_data : upper ? memory_data[63:32] : memory_data[31:0];

    wire [31:0] masked = read & mask;
    always @* begin
        case (compare)
            `TOTEM_COMPARE_LT: holds = masked < reference;
            `TOTEM_COMPARE_LE: holds = masked <= reference;
            `TOTEM_COMPARE_EQ: holds = masked == reference;
            `TOTEM_COMPARE_NE: holds = masked != reference;
            `TOTEM_COMPARE_GE: holds = masked >= reference;
            `TOTEM_COMPARE_GT: holds = masked > reference;
            default:           holds = 1'b1;
        endcase
    end
endmodule

`default_nettype wire
