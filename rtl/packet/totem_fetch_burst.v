// SPDX-License-Identifier: Apache-2.0
//
// totem_fetch_burst: part of totem_fetch: rule 5, address and length of the next burst of a queue.
//
// Policy    as long as the block of 128 bytes, the ring or buffer and the room on chip allow.
// Boundary  pure function of the terms of the queue.
// Twin      ask() in cmodel/packet/totem_fetch.c.

`default_nettype none

module totem_fetch_burst (
    input  wire        buffer,
    input  wire [37:0] buffer_addr,
    input  wire [19:0] buffer_left,
    input  wire [31:0] base,
    input  wire [4:0]  size,
    input  wire [31:0] wptr,
    input  wire [4:0]  start,
    input  wire [8:0]  held,
    input  wire [16:0] ahead,
    input  wire [31:0] next,
    output wire [37:0] address,         // byte address [39:2] of its first dword
    output wire [5:0]  dwords,
    output wire [4:0]  beats
);
    wire [31:0] ring_mask = (32'd2 << size) - 32'd1;
    wire [31:0] ring      = next & ring_mask;
    wire [31:0] left      = buffer ? {12'd0, buffer_left - {3'd0, ahead}} : wptr - next;
    wire [8:0]  room      = 9'd64 - {4'd0, start} - held;
    wire [5:0]  ring_end  = (6'd2 << size[1:0]) - ring[5:0];
    wire [5:0]  block     = 6'd32 - {1'b0, address[4:0]};
    wire [5:0]  in_block  = (left < {26'd0, block}) ? left[5:0] : block;
    wire [5:0]  in_room   = (room < {3'd0, in_block}) ? room[5:0] : in_block;

    assign address = buffer ? buffer_addr + {21'd0, ahead} : {base, 6'd0} + {6'd0, ring};
    assign dwords  = (!buffer && size < 5'd4 && ring_end < in_room) ? ring_end : in_room;
    assign beats   = dwords[5:1] + {4'd0, dwords[0] || address[0]};
endmodule

`default_nettype wire
