// SPDX-License-Identifier: Apache-2.0
//
// totem_pipe_idle: one pipe at rest.
//
// Policy    no work-group ungranted, nothing in flight, no mapped queue with something to fetch, no queue leaving.
// Boundary  combinational.
// Twin      cmodel/queue/totem_pipe_idle.c, docs/contract/pipe_idle.md.

`default_nettype none

module totem_pipe_idle #(
    parameter QUEUES = 8,
    parameter QUEUE_BITS = (QUEUES > 1) ? $clog2(QUEUES) : 1    // follows from the others
) (
    input  wire                  walker_busy,
    input  wire                  fetch_busy,
    input  wire                  hqd_busy,
    input  wire                  mqd_busy,
    input  wire                  poll_busy,
    input  wire [QUEUES-1:0]     record_busy,
    input  wire [QUEUES-1:0]     fence_idle,
    input  wire [QUEUES-1:0]     packet_unfinished,
    input  wire [QUEUES-1:0]     packet_halted,
    input  wire [QUEUES-1:0]     arbiter_active,
    input  wire                  arbiter_selected_valid,
    input  wire [QUEUE_BITS-1:0] arbiter_selected,
    input  wire [QUEUES-1:0]     fetch_pending,
    input  wire [QUEUES-1:0]     poll_once,
    output wire                  idle
);
    wire              busy     = walker_busy || fetch_busy || hqd_busy || mqd_busy || poll_busy;
    wire [QUEUES-1:0] selected = {{(QUEUES-1){1'b0}}, arbiter_selected_valid} << arbiter_selected;
    wire [QUEUES-1:0] asks     = arbiter_active & (fetch_pending | (poll_once & ~packet_halted));
    wire [QUEUES-1:0] leaving  = selected & ~arbiter_active;

    assign idle = !busy && (record_busy | ~fence_idle | packet_unfinished | asks | leaving) == {QUEUES{1'b0}};
endmodule

`default_nettype wire
