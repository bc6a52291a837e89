// SPDX-License-Identifier: Apache-2.0
//
// totem_access: who is served next at the window of a pipe's queues, and what the one served now asks for.
//
// Policy    host, mqd and poll in turn; one that does not ask is passed over (invariant 2).
// Boundary  combinational; hqd keeps who was served last, and serves one at a time.
// Twin      cmodel/queue/totem_access.c, docs/contract/access.md.

`default_nettype none

`include "totem_regs.vh"

module totem_access #(
    parameter QUEUES = 8
) (
    // host
    input  wire                        host_valid,
    input  wire                        host_write,
    input  wire                        host_doorbell,
    input  wire [2:0]                  host_queue,
    input  wire [7:0]                  host_dword,
    input  wire [3:0]                  host_strobe,
    input  wire [31:0]                 host_data,
    // mqd
    input  wire                        mqd_access_valid,
    input  wire [1:0]                  mqd_access_kind,
    input  wire [$clog2(QUEUES)-1:0]   mqd_access_queue,
    input  wire [5:0]                  mqd_access_dword,
    input  wire [39:0]                 mqd_access_data,
    // poll
    input  wire                        poll_access_valid,
    input  wire                        poll_access_write,
    input  wire [$clog2(QUEUES)-1:0]   poll_access_queue,
    input  wire [5:0]                  poll_access_dword,
    input  wire [31:0]                 poll_access_data,
    // hqd
    input  wire                        hqd_from_mqd,
    input  wire                        hqd_pointer,
    output wire                        next_valid,
    output wire                        next_from_mqd,
    output wire                        next_pointer,
    output wire [$clog2(QUEUES)-1:0]   next_queue,
    output wire [5:0]                  next_dword,
    output wire                        write,
    output wire                        doorbell,
    output wire                        load,
    output wire [3:0]                  strobe,
    output wire [39:0]                 data
);
`include "totem_mqd_values.vh"
    wire unused = &{1'b0, host_queue, host_dword[7:6]};     // high bits: fewer than 8 queues, a window of 64 dwords

    // Who was served last, and who asks before the others: {poll, mqd, host}.
    wire [2:0] asks  = {poll_access_valid, mqd_access_valid, host_valid};
    wire [2:0] after = hqd_pointer ? asks : hqd_from_mqd ? {asks[1:0], asks[2]} : {asks[0], asks[2:1]};
    wire [2:0] first = after & (~after + 3'd1);             // the nearest after the last one
    wire [2:0] next  = hqd_pointer ? first : hqd_from_mqd ? {first[0], first[2:1]} : {first[1:0], first[2]};

    assign next_valid    = |asks;
    assign next_from_mqd = next[1];
    assign next_pointer  = next[2];
    assign next_queue    = next[0] ? host_queue[$clog2(QUEUES)-1:0] : next[1] ? mqd_access_queue : poll_access_queue;
    assign next_dword    = next[1] ? mqd_access_dword : !next[0] ? poll_access_dword :
                          host_doorbell ? `TOTEM_REG_QUEUE_CP_HQD_PQ_WPTR_LO : host_dword[5:0];

    wire       is_host = !hqd_from_mqd && !hqd_pointer;
    assign write    = hqd_from_mqd ? mqd_access_kind == ACCESS_WRITE : hqd_pointer ? poll_access_write : host_write;
    assign load     = hqd_from_mqd && mqd_access_kind >= ACCESS_LOAD;
    assign doorbell = is_host && host_doorbell;
    assign strobe   = is_host ? host_strobe : 4'hf;
    assign data     = hqd_from_mqd ? mqd_access_data : {8'd0, hqd_pointer ? poll_access_data : host_data};

`ifdef FORMAL
`include "totem_access_properties.vh"
`endif
endmodule

`default_nettype wire
