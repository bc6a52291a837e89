// SPDX-License-Identifier: Apache-2.0
//
// Kinds of words on the load bus of a pipe (docs/architecture.md, Load bus).

`ifndef TOTEM_LOAD_VH
`define TOTEM_LOAD_VH

`define TOTEM_LOAD_ACTIVE 5'd0
`define TOTEM_LOAD_QUEUE_PRIORITY 5'd1
`define TOTEM_LOAD_PIPE_PRIORITY 5'd2
`define TOTEM_LOAD_QUANTUM 5'd3
`define TOTEM_LOAD_PQ_BASE 5'd4
`define TOTEM_LOAD_PQ_CONTROL 5'd5
`define TOTEM_LOAD_RPTR 5'd6
`define TOTEM_LOAD_WPTR 5'd7
`define TOTEM_LOAD_REPORT_ADDR 5'd8
`define TOTEM_LOAD_MQD_ADDR 5'd9
`define TOTEM_LOAD_RESUME 5'd10
`define TOTEM_LOAD_SKIP 5'd11
`define TOTEM_LOAD_BUFFER 5'd12
`define TOTEM_LOAD_BUFFER_LEFT 5'd13
`define TOTEM_LOAD_SEQUENCE 5'd14
`define TOTEM_LOAD_POLLED 5'd15
`define TOTEM_LOAD_MOVED 5'd16

`endif
