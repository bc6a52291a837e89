// SPDX-License-Identifier: Apache-2.0
//
// totem_render_message: part of totem_render: the words of a draw's message.
//
// Policy    three words of the draw, its state words, the header of its pixel waves, their state words.
// Boundary  pure function.
// Twin      cmodel/graphics/totem_render_message.c.

`default_nettype none

module totem_render_message #(
    parameter SET_BITS   = 3,       // 1 to 4
    parameter EPOCH_BITS = 3        // 1 to 3
) (
    input  wire                  send,          // the message is under way
    input  wire [5:0]            step,
    input  wire                  full,
    input  wire [63:0]           state_word,
    // the draw
    input  wire [31:0]           vertices,
    input  wire [31:0]           copies,
    input  wire [5:0]            primitive_type,
    input  wire [5:0]            points,
    input  wire [SET_BITS-1:0]   set_number,
    input  wire [EPOCH_BITS-1:0] epoch,
    input  wire                  hp3d,
    // its geometry waves
    input  wire                  wave32,
    input  wire [6:0]            vgprs,
    input  wire [8:0]            blocks,
    input  wire [4:0]            words,
    input  wire [39:0]           program_addr,
    input  wire [1:0]            throttle,
    // its pixel waves
    input  wire                  pixel_wave32,
    input  wire [5:0]            pixel_vgprs,   // less 1
    input  wire [8:0]            pixel_blocks,
    input  wire [4:0]            pixel_words,
    input  wire [39:0]           pixel_program,
    // the word
    output wire                  header,        // it is the pixel header
    output wire                  valid,
    output wire [63:0]           word,
    output wire                  last
);
    wire [5:0] header_step = {1'b0, words} + 6'd3;
    wire [3:0] set_field   = {{(4-SET_BITS){1'b0}}, set_number};
    wire [2:0] epoch_field = {{(3-EPOCH_BITS){1'b0}}, epoch};

    assign header = step == header_step;
    assign valid  = send && (step < 6'd3 || header || full);
    assign last   = step == header_step + {1'b0, pixel_words};
    assign word   = (step == 6'd0) ? {copies, vertices}
                  : (step == 6'd1) ? {17'd0, pixel_words, words, hp3d, epoch_field, set_field, blocks, vgprs, wave32,
                                      points, primitive_type}
                  : (step == 6'd2) ? {22'd0, throttle, program_addr}
                  : header ? {hp3d, epoch_field, set_field, pixel_wave32, pixel_blocks, pixel_vgprs, pixel_program}
                  : state_word;
endmodule

`default_nettype wire
