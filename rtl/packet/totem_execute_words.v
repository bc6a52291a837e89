// SPDX-License-Identifier: Apache-2.0
//
// totem_execute_words: part of totem_execute: the words of its messages (docs/architecture.md).
//
// Boundary  pure function of what the packet left in the registers and of the number of the word.
// Twin      messages() in cmodel/packet/totem_execute.c.

`default_nettype none
`include "totem_pm4.vh"

module totem_execute_words (
    input  wire        timer,       // the wait is for a timer
    input  wire        window,      // .. for a register of the window
    input  wire        waits_64,     // .. for a word of 64 bits
    input  wire        wide,         // 64 bits are copied
    input  wire        exclusive,    // the write is
    input  wire        task_end,    // the fence message is the end of a task
    input  wire [1:0]  step,
    input  wire [2:0]  slot,
    input  wire [2:0]  epoch,
    input  wire [31:0] control,
    input  wire [39:0] address,
    input  wire [63:0] data,
    input  wire [31:0] extra,
    input  wire [63:0] second,
    input  wire [7:0]  code,
    output wire [63:0] fence,
    output wire [63:0] write,
    output wire [63:0] error,
    output wire        wait_last,
    output wire [63:0] wait_word
);
    wire [2:0] data_sel = control[`TOTEM_PM4_RELEASE_MEM_DATA_SEL];
    wire [2:0] int_sel  = control[`TOTEM_PM4_RELEASE_MEM_INT_SEL];
    wire       first    = step == 2'd0;

    assign fence     = first ? {17'd0, task_end, int_sel, data_sel, address[39:2], 2'd0}
                       : (step == 2'd1) ? data : {32'd0, extra};
    assign write     = first ? {9'd0, exclusive, epoch, slot, wide ? 8'hff : address[2] ? 8'hf0 : 8'h0f, address[39:3],
                                3'd0}
                       : wide ? data : {data[31:0], data[31:0]};
    assign error     = first ? {code, 5'd0, slot, 8'd0, address} : {32'd0, extra};
    assign wait_last = timer || step[1] || (!first && !waits_64);
    wire [39:0] place = window ? {6'd0, address[31:0], 2'd0} : address;
    assign wait_word = timer ? {32'd0, data[31:0]}
                     : first ? {3'd0, waits_64, window, extra[15:0], control[`TOTEM_PM4_WAIT_REG_MEM_FUNCTION], place}
                     : (waits_64 && !step[1]) ? second : data;

    wire unused = &{1'b0, control[28:27], control[23:3]};
endmodule

`default_nettype wire
