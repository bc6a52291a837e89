// SPDX-License-Identifier: Apache-2.0
//
// totem_render_packet: part of totem_render: what a packet begins with.
//
// Policy    a packet without anything to fetch, to write or to draw is finished at once.
// Boundary  pure function of the packet, as execute gives it.
// Twin      begin() in cmodel/graphics/totem_render.c.

`default_nettype none
`include "totem_pm4.vh"

module totem_render_packet (
    input  wire [4:0]  kind,
    input  wire [31:0] control,
    input  wire [39:0] address,
    input  wire [63:0] data,
    input  wire [31:0] extra,
    // state, as it is and behind this clock
    input  wire [31:0] instances,
    input  wire [39:0] base,
    input  wire [2:0]  item,
    input  wire [31:0] left,
    input  wire [39:0] arguments,
    input  wire [31:0] vertices,
    input  wire [31:0] copies,
    output reg  [31:0] instances_d,
    output reg  [39:0] base_d,
    output reg  [2:0]  item_d,
    output reg  [31:0] left_d,
    output reg  [39:0] arguments_d,
    output reg  [39:0] address_d,
    output reg  [31:0] vertices_d,
    output reg  [31:0] copies_d,
    output reg  [3:0]  phase_d,
    output reg         finish,          // the packet is done
    output reg         draw,            // the arguments of a draw are there
    output wire        load_beyond,
    output wire        load_index       // the address is none
);
`include "totem_render_values.vh"
    wire [39:0] indirect = base + {8'd0, extra};
    wire [13:0] count    = control[13:0];

    wire        offsets  = extra[31];       // stand in memory
    assign load_index  = address[1:0] != 2'd0 && count != 14'd0;
    assign load_beyond = !offsets && {1'b0, extra[15:0]} + {3'd0, count} > 17'h00400;

    wire unused = &{1'b0, control, data};

    always @* begin
        instances_d = instances;
        base_d      = base;
        item_d      = item;
        left_d      = left;
        arguments_d = arguments;
        address_d   = address;
        vertices_d  = vertices;
        copies_d    = copies;
        phase_d     = RENDER_READ;
        finish      = 1'b0;
        draw        = 1'b0;
        case (kind)
            `TOTEM_KIND_MODIFY, `TOTEM_KIND_CLEAR:
                phase_d = RENDER_OP;
            `TOTEM_KIND_LOAD: begin
                finish = load_beyond || load_index || count == 14'd0;
                if (!finish) begin
                    item_d = offsets ? ITEM_OFFSET : ITEM_REGISTER;
                    left_d = {18'd0, count};
                end
            end
            `TOTEM_KIND_INSTANCES: begin
                instances_d = data[31:0];
                finish      = 1'b1;
            end
            `TOTEM_KIND_BASE: begin
                if (control[3:0] == 4'd1)
                    base_d = address;
                finish = 1'b1;
            end
            `TOTEM_KIND_DRAW: begin
                left_d     = 32'd1;
                vertices_d = data[31:0];
                copies_d   = instances;
                draw       = 1'b1;
            end
            `TOTEM_KIND_DRAW_INDIRECT: begin
                left_d      = 32'd1;
                item_d      = ITEM_VERTICES;
                arguments_d = indirect;
                address_d   = indirect;
            end
            `TOTEM_KIND_DRAW_MULTI: begin
                arguments_d = indirect;
                if (control[30])
                    item_d = ITEM_NUMBER;
                else if (data[31:0] == 32'd0)
                    finish = 1'b1;
                else begin
                    left_d    = data[31:0];
                    item_d    = ITEM_VERTICES;
                    address_d = indirect;
                end
            end
            `TOTEM_KIND_BOUNCE:
                phase_d = RENDER_HASH;
            default:
                finish = 1'b1;
        endcase
    end
endmodule

`default_nettype wire
