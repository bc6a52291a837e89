// SPDX-License-Identifier: Apache-2.0
//
// totem_render_answer: part of totem_render: what a packet that ends in this clock answers.
//
// Policy    a packet that gives way before its effect is certain comes again; an error has its word.
// Boundary  pure function. It counts only if the packet ends.
// Twin      finish(), fail() and again() in cmodel/graphics/totem_render.c.

`default_nettype none
`include "totem_pm4.vh"

module totem_render_answer (
    input  wire [3:0]  phase,
    input  wire        beyond,          // registers behind the last one are to be loaded
    input  wire        index,           // an address is none
    input  wire [31:0] address,
    input  wire        misplaced,       // an offset that was read is beyond the last register
    input  wire [31:0] offset,
    input  wire [31:0] extra,
    input  wire [31:0] left,
    input  wire [31:0] control,
    input  wire        answer_valid,    // of a lookup
    input  wire [1:0]  answer,
    // waves that do not fit
    input  wire        too_large,
    input  wire [8:0]  blocks,
    input  wire [6:0]  vgprs,
    input  wire [8:0]  pixel_blocks,
    input  wire [6:0]  pixel_vgprs,
    output reg  [7:0]  code,
    output reg  [31:0] word,
    output wire        again,
    output reg  [13:0] skip,
    output reg  [13:0] group
);
`include "totem_context_values.vh"
`include "totem_render_values.vh"
    assign again = (phase == RENDER_PUT && left != 32'd1) || phase == RENDER_WAIT || phase == RENDER_ISSUE ||
                   phase == RENDER_HASH || (phase == RENDER_ANSWER && !answer_valid);

    always @* begin
        code  = 8'd0;
        word  = 32'd0;
        skip  = 14'd0;
        group = 14'd0;
        if (phase == RENDER_IDLE && beyond) begin
            code = `TOTEM_ERROR_PACKET_CONTEXT_OFFSET;
            word = extra;
        end else if (phase == RENDER_IDLE && index) begin
            code = `TOTEM_ERROR_PACKET_FEATURE;
            word = address;
        end
        if (phase == RENDER_READ && misplaced) begin
            code = `TOTEM_ERROR_PACKET_CONTEXT_OFFSET;
            word = offset;
        end
        if (phase == RENDER_FIT) begin
            code = `TOTEM_ERROR_PACKET_DRAW_STATE;
            word = too_large ? {7'd0, blocks, 9'd0, vgprs} : {7'h40, pixel_blocks, 9'd0, pixel_vgprs};
        end
        if (phase == RENDER_ANSWER && answer_valid)
            case (answer)
                ANSWER_HIT:   skip  = control[13:0];
                ANSWER_MISS:  group = control[13:0];
                ANSWER_PLAIN: ;
                default: begin
                    code = `TOTEM_ERROR_PACKET_BOUNCE_COUNT;
                    word = control;
                end
            endcase
    end
endmodule

`default_nettype wire
