// SPDX-License-Identifier: Apache-2.0
//
// totem_runlist_access: part of totem_runlist: which register an access goes to, and what is written.
//
// Policy    by act and step; window of the slot, or its doorbell (docs/contract/runlist.md, Outputs).
// Boundary  combinational.
// Twin      totem_runlist_outputs of cmodel/schedule/totem_runlist.c.

`default_nettype none

`include "totem_regs.vh"

module totem_runlist_access #(
    parameter SLOTS  = 64,              // slots of the machine
    parameter QUEUES = 8                // queues of a pipe
) (
    input  wire [3:0]                act,
    input  wire [3:0]                step,
    input  wire [$clog2(SLOTS)-1:0]  slot,
    input  wire                      late,          // ACT_RESET of a queue that leaves
    input  wire                      resets,        // the entry is removed, and reset
    input  wire [36:0]               mqd,           // byte address [39:3]
    input  wire [3:0]                queue_priority,
    input  wire [31:0]               pointer,
    output wire [17:0]               address,       // bits [19:2]
    output wire [31:0]               data
);
`include "totem_hqd_values.vh"
`include "totem_runlist_values.vh"
    localparam S = $clog2(SLOTS);
    localparam Q = $clog2(QUEUES);

    wire [5:0] number   = {{6-S{1'b0}}, slot};
    wire [5:0] upper    = number >> Q;
    wire [5:0] lower    = number & ((6'd1 << Q) - 6'd1);
    wire       fills    = act == ACT_FILL;
    wire       ranks    = act == ACT_PRIORITY || (act == ACT_IN && step == 4'd1);
    wire       leaves   = act == ACT_EVICT || act == ACT_REMOVE || act == ACT_RESET;
    wire [2:0] way      = late || act == ACT_REMOVE || (act == ACT_EVICT && resets) ? DEQUEUE_RESET : DEQUEUE_LEAVE;
    wire       high     = step == 4'd1;
    wire [5:0] dword    = fills ? (high ? `TOTEM_REG_QUEUE_CP_MQD_BASE_ADDR_HI : `TOTEM_REG_QUEUE_MAP) :
                          ranks ? `TOTEM_REG_QUEUE_CP_HQD_QUEUE_PRIORITY : `TOTEM_REG_QUEUE_CP_HQD_DEQUEUE_REQUEST;

    assign address = fills || ranks || leaves ? {3'd0, 2'h2, upper[2:0], 1'b0, lower[2:0], dword} :
                                                {12'h040, upper[2:0], lower[2:0]};
    assign data    = fills  ? (high ? {24'd0, mqd[36:29]} : {mqd[28:0], 3'd0}) :
                     ranks  ? {28'd0, queue_priority} :
                     leaves ? {29'd0, way} : pointer;

    wire unused = &{1'b0, upper[5:3], lower[5:3]};
endmodule

`default_nettype wire
