// SPDX-License-Identifier: Apache-2.0
//
// totem_drain: what a slot whose queue leaves waits for.
//
// Policy    the queue does not have the pipe, memory has its records and reports, and by the type of its request: all
//           waves of its mapping have ended (drain), the kill of the slot has ended (reset), or waves run on (leave).
// Boundary  combinational; hqd knows which slots are to leave, and when.
// Twin      cmodel/queue/totem_drain.c, docs/contract/drain.md.

`default_nettype none

module totem_drain #(
    parameter QUEUES = 8,
    parameter QUEUE_BITS = $clog2(QUEUES)   // follows from QUEUES, not to be set
) (
    // hqd
    input  wire [QUEUES*3-1:0]   hqd_dequeue,
    input  wire [QUEUES-1:0]     hqd_killing,
    // arbiter
    input  wire                  arbiter_selected_valid,
    input  wire [QUEUE_BITS-1:0] arbiter_selected,
    input  wire [QUEUES-1:0]     arbiter_active,
    // fence, task, kill, record, fetch
    input  wire [QUEUES-1:0]     fence_settled,
    input  wire [QUEUES-1:0]     task_owed,
    input  wire [QUEUES-1:0]     kill_ended,
    input  wire [QUEUES-1:0]     record_busy,
    input  wire [QUEUES-1:0]     fetch_reporting,
    // hqd
    output wire [QUEUES-1:0]     not_selected,
    output wire [QUEUES-1:0]     drained,
    output wire [QUEUES-1:0]     free
);
`include "totem_hqd_values.vh"

    wire [QUEUES-1:0] writing = record_busy | fetch_reporting;
    wire [QUEUES-1:0] ended;
    genvar g;
    generate
        for (g = 0; g < QUEUES; g = g + 1) begin : slot
            wire [2:0] type_of = hqd_dequeue[g*3 +: 3];
            assign ended[g] = (type_of == DEQUEUE_RESET) ? hqd_killing[g] && kill_ended[g] :
                              (type_of == DEQUEUE_LEAVE || fence_settled[g]) && !task_owed[g];
        end
    endgenerate

    assign not_selected = ~({{QUEUES-1{1'b0}}, arbiter_selected_valid} << arbiter_selected);
    assign drained      = ended & ~writing;
    assign free         = ~arbiter_active & ~writing;

`ifdef FORMAL
`include "totem_drain_properties.vh"
`endif
endmodule

`default_nettype wire
