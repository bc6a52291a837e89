// SPDX-License-Identifier: Apache-2.0
//
// totem_fetch_queue: part of totem_fetch: the terms of one queue.
//
// Policy    a queue wants a burst while dwords of its stream are neither on chip nor on their way, and there is room in
//           its 64 dwords; a queue that is not running wants its block, and at least 16 dwords.
// Boundary  pure function of the registers of the queue and of the bursts on their way. One instance a queue, so that
//           all queues are looked at in every clock.
// Twin      find_terms(), flight(), open(), line() in cmodel/packet/totem_fetch.c.

`default_nettype none

module totem_fetch_queue (
    input  wire        mine,            // it is the running queue
    input  wire [14:0] slid,
    input  wire        fetches,         // it may fetch without running
    input  wire [4:0]  size,
    input  wire [31:0] rptr,
    input  wire [31:0] wptr,
    input  wire        buffer,
    input  wire [4:0]  buffer_place,    // place in the 128-byte block
    input  wire [19:0] buffer_left,
    input  wire [6:0]  have,
    input  wire [1:0]  fault,
    // on their way to it
    input  wire        lands,
    input  wire [1:0]  land_count,
    input  wire [1:0]  land_error,
    input  wire [5:0]  burst_first,
    input  wire [5:0]  burst_second,
    output wire [4:0]  start,
    output wire [8:0]  held,
    output wire [16:0] ahead,
    output wire [31:0] next,            // the ring pointer of the first dword not on its way
    output wire        wants,
    output wire        pending,
    output wire        line
);
`include "totem_memory_values.vh"

    wire [14:0] slide  = mine ? slid : 15'd0;
    wire [8:0]  flight = {7'd0, lands ? land_count : 2'd0} + {3'd0, burst_first} + {3'd0, burst_second};
    wire        failed = fault != MEMORY_OK || (lands && land_error != MEMORY_OK);
    wire [4:0]  ring   = (size >= 5'd4) ? 5'h1f : (5'd2 << size[1:0]) - 5'd1;
    wire        open   = buffer ? {12'd0, buffer_left} != {15'd0, ahead} : next != wptr;
    wire        near   = held < 9'd16 || {4'd0, start} + held < 9'd32;

    assign start   = ((buffer ? buffer_place : rptr[4:0]) + slide[4:0]) & (buffer ? 5'h1f : ring);
    assign held    = {2'd0, have} + flight;
    assign ahead   = {2'd0, slide} + {8'd0, held};
    assign next    = rptr + {15'd0, ahead};
    assign wants   = !failed && open && (mine ? {4'd0, start} + held < 9'd64 : fetches && near);
    assign pending = buffer || rptr != wptr;
    // No packet needs more than 8 of its dwords to act.
    assign line    = fault != MEMORY_OK || have >= 7'd8 || (have != 7'd0 && flight == 9'd0 && !open);
endmodule

`default_nettype wire
