// SPDX-License-Identifier: Apache-2.0
//
// totem_execute_answer: part of totem_execute: what a read brings, and whether it satisfies a wait.
//
// Boundary  pure function of its inputs.
// Twin      holds() and answer() in cmodel/packet/totem_execute.c.

`default_nettype none
`include "totem_pm4.vh"

module totem_execute_answer (
    input  wire        window,      // a register of the window was read, not memory
    input  wire        upper,       // the upper dword of a word of memory
    input  wire [31:0] window_data,
    input  wire [63:0] memory_data,
    input  wire [2:0]  compare,
    input  wire        whole,       // the wait is for the whole word of memory
    input  wire [63:0] data,        // {mask, limit}, of a whole word its limit
    input  wire [63:0] second,      // its mask
    output wire [31:0] read,
    output reg         holds
);
    assign read = window ? window_data : upper ? memory_data[63:32] : memory_data[31:0];

    wire [63:0] masked = whole ? memory_data & second : {32'd0, read & data[63:32]};
    wire [63:0] limit  = whole ? data : {32'd0, data[31:0]};
    always @* begin
        case (compare)
            `TOTEM_COMPARE_LT: holds = masked < limit;
            `TOTEM_COMPARE_LE: holds = masked <= limit;
            `TOTEM_COMPARE_EQ: holds = masked == limit;
            `TOTEM_COMPARE_NE: holds = masked != limit;
            `TOTEM_COMPARE_GE: holds = masked >= limit;
            `TOTEM_COMPARE_GT: holds = masked > limit;
            default:           holds = 1'b1;
        endcase
    end
endmodule

`default_nettype wire
