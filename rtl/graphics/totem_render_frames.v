// SPDX-License-Identifier: Apache-2.0
//
// totem_render_frames: part of totem_render: what is offered to frames, and the words that wait for it.
//
// Policy    context writes of a stream go first, in their order; those behind the end of a group, and what a packet
//           has for frames, wait until context knows of that end.
// Boundary  pure function: the held words as they are, and as they are in the next clock.
// Twin      cmodel/graphics/totem_render_frames.c.

`default_nettype none
`include "totem_pm4.vh"

module totem_render_frames (
    // a word of the stream
    input  wire         write,          // it writes a context register
    input  wire [15:0]  write_index,
    input  wire [31:0]  write_data,
    input  wire         group_ends,     // a group has ended with it
    input  wire         resume,
    // the packet in hand
    input  wire [3:0]   phase,
    input  wire [4:0]   packet_kind,
    input  wire [15:0]  packet_index,
    input  wire [63:0]  packet_data,    // value and mask
    input  wire [15:0]  load_index,
    input  wire [31:0]  load_data,
    input  wire [2:0]   asked,
    // frames
    input  wire         frames_op_ready,
    input  wire         frames_idle,
    output wire         op_valid,
    output wire [1:0]   op_kind,
    output wire [15:0]  op_index,
    output wire [31:0]  op_data,
    output wire [31:0]  op_mask,
    // state
    input  wire [3:0]   held,
    input  wire [127:0] held_index,
    input  wire [255:0] held_data,
    input  wire         ending,
    input  wire [3:0]   inside_held,
    output wire         free,
    output wire         op_taken,
    output reg  [3:0]   held_d,
    output reg  [127:0] held_index_d,
    output reg  [255:0] held_data_d,
    output reg          ending_d,
    output reg  [3:0]   inside_d,
    output reg          group_end_d
);
`include "totem_frames_values.vh"
`include "totem_render_values.vh"
    wire flows  = held != 4'd0;
    wire asks   = phase == RENDER_GATHER && asked < 3'd4;
    wire packet = phase == RENDER_OP || phase == RENDER_PUT || asks;

    assign free     = !flows && !ending;
    assign op_taken = op_valid && !flows && frames_op_ready;
    assign op_valid = (flows && (!ending || inside_held != 4'd0)) || (free && packet);
    assign op_kind  = (flows || phase == RENDER_PUT) ? OP_WRITE
                    : (phase != RENDER_OP) ? OP_READ
                    : (packet_kind == `TOTEM_KIND_CLEAR) ? OP_CLEAR : OP_WRITE;

    reg [13:0] gathered;
    always @*
        case (asked)
            3'd0:    gathered = `TOTEM_CONTEXT_VGT_LS_HS_CONFIG;
            3'd1:    gathered = `TOTEM_CONTEXT_VGT_SHADER_STAGES_EN;
            3'd2:    gathered = `TOTEM_CONTEXT_SPI_TMPRING_SIZE;
            default: gathered = `TOTEM_CONTEXT_SPI_PS_IN_CONTROL;
        endcase

    assign op_index = flows ? held_index[15:0] : (phase == RENDER_OP) ? packet_index
                    : (phase == RENDER_PUT) ? load_index : {2'd0, gathered};
    assign op_data  = flows ? held_data[31:0] : (phase == RENDER_OP) ? packet_data[63:32]
                    : (phase == RENDER_PUT) ? load_data : 32'd0;
    assign op_mask  = (flows || phase == RENDER_PUT) ? 32'hffffffff
                    : (phase == RENDER_OP) ? packet_data[31:0] : 32'd0;

    integer n;
    always @* begin
        held_d       = held;
        held_index_d = held_index;
        held_data_d  = held_data;
        ending_d     = ending;
        inside_d     = inside_held;
        group_end_d  = 1'b0;

        // 2 Operation
        if (flows && op_valid && frames_op_ready) begin
            held_d       = held - 4'd1;
            held_index_d = held_index >> 16;
            held_data_d  = held_data >> 32;
            if (inside_held != 4'd0)
                inside_d = inside_held - 4'd1;
        end

        // 3 Streams, continued
        if (write && held_d < 4'd8) begin
            for (n = 0; n < 8; n = n + 1)
                if (n == {28'd0, held_d}) begin
                    held_index_d[n*16 +: 16] = write_index;
                    held_data_d[n*32 +: 32]  = write_data;
                end
            held_d = held_d + 4'd1;
        end

        // 17 Groups
        if (group_ends) begin
            ending_d = 1'b1;
            inside_d = held_d;
        end else if (ending && inside_held == 4'd0 && frames_idle) begin
            ending_d    = 1'b0;
            group_end_d = 1'b1;
        end
        // 18 Resume, continued
        if (resume) begin
            ending_d = 1'b0;
            inside_d = 4'd0;
        end
    end
endmodule

`default_nettype wire
