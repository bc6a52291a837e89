// SPDX-License-Identifier: Apache-2.0
//
// totem_view: what a dword of a queue's window reads, and why the queue does not run.
//
// Policy    the window RAM has what was written; view inserts bits and words that other blocks store. The reason is
//           that of the first obstacle: what keeps the slot, then the queue, then its turn.
// Boundary  combinational: of the queue and the dword that hqd names, in the clock in which the RAM's word stands
//           there.
// Twin      cmodel/queue/totem_view.c, docs/contract/view.md.

`default_nettype none

`include "totem_regs.vh"

module totem_view #(
    parameter QUEUES = 8,
    parameter QUEUE_BITS = $clog2(QUEUES)   // follows from QUEUES, not to be set
) (
    // hqd
    input  wire [QUEUE_BITS-1:0] hqd_shown_queue,
    input  wire [5:0]            hqd_shown_dword,
    input  wire [QUEUES-1:0]     hqd_active,
    input  wire [QUEUES-1:0]     hqd_leaving,
    input  wire [QUEUES*3-1:0]   hqd_dequeue,
    input  wire [QUEUES*3-1:0]   hqd_request,
    input  wire [QUEUES-1:0]     hqd_killing,
    // RAMs
    input  wire [31:0]           window_data,
    input  wire [31:0]           sequence_data,
    // arbiter
    input  wire                  arbiter_selected_valid,
    input  wire [QUEUE_BITS-1:0] arbiter_selected,
    input  wire [QUEUES-1:0]     arbiter_ready,
    input  wire [QUEUES*4-1:0]   arbiter_queue_priority,
    // fetch
    input  wire [QUEUES-1:0]     fetch_pending,
    input  wire [QUEUES-1:0]     fetch_line,
    input  wire [QUEUES*32-1:0]  fetch_rptr,
    input  wire [QUEUES*32-1:0]  fetch_wptr,
    // packet
    input  wire [QUEUES-1:0]     packet_unfinished,
    input  wire [QUEUES-1:0]     packet_halted,
    input  wire [QUEUES-1:0]     packet_wait_flush,
    input  wire [QUEUES-1:0]     packet_wait_epoch,
    // service
    input  wire                  schedule_waiting,
    // poll
    input  wire [QUEUES-1:0]     poll_waiting,
    input  wire [QUEUES-1:0]     poll_polled,
    input  wire [QUEUES-1:0]     poll_once,
    // fence
    input  wire [QUEUES*16-1:0]  fence_waves,
    input  wire [QUEUES-1:0]     fence_room,
    input  wire [QUEUES-1:0]     fence_flushed,
    input  wire [QUEUES-1:0]     fence_idle,
    // record, mqd
    input  wire [QUEUES-1:0]     record_top_pending,
    input  wire [QUEUES-1:0]     record_end_pending,
    input  wire [QUEUES-1:0]     mqd_records_differ,
    // hqd
    output reg  [31:0]           value,
    output wire                  waiting,
    output wire                  stopped
);
`include "totem_hqd_values.vh"

    // What other blocks say of the queue.
    wire [QUEUE_BITS-1:0] queue = hqd_shown_queue;
    wire        active   = hqd_active[queue];
    wire        leaving  = hqd_leaving[queue];
    wire [2:0]  request    = hqd_request[queue*3 +: 3];
    wire [31:0] rptr     = fetch_rptr[queue*32 +: 32];
    wire [31:0] wptr     = fetch_wptr[queue*32 +: 32];
    wire        selected = arbiter_selected_valid && arbiter_selected == queue;
    wire        halted   = packet_halted[queue] && active;
    wire        flushing = packet_wait_flush[queue] && !fence_flushed[queue];
    wire        lacking  = packet_wait_epoch[queue] && !fence_room[queue];
    wire        idle     = fence_idle[queue] && !packet_unfinished[queue] && !waiting;

    // While a switch loads the queue, its buffer is closed for a moment.
    assign waiting = active && (fetch_pending[queue] || request == REQUEST_SWITCH_LOAD);
    assign stopped = packet_halted[queue] && !selected;

    wire        preloads = request == REQUEST_PRELOAD && !leaving;
    wire        maps     = preloads || (request == REQUEST_WINDOW && !leaving);
    wire        moves    = request == REQUEST_SWITCH_SAVE || request == REQUEST_SWITCH_LOAD;
    reg  [3:0]  reason;
    always @* begin
        if (hqd_killing[queue])                 reason = `TOTEM_REG_QUEUE_STATE_REASON_KILLING;
        else if (preloads && mqd_records_differ[queue]) reason = `TOTEM_REG_QUEUE_STATE_REASON_RECORDS;
        else if (maps)                          reason = `TOTEM_REG_QUEUE_STATE_REASON_MAPPING;
        else if (!active)                       reason = `TOTEM_REG_QUEUE_STATE_REASON_UNMAPPED;
        else if (leaving)                       reason = `TOTEM_REG_QUEUE_STATE_REASON_LEAVING;
        else if (moves)                         reason = `TOTEM_REG_QUEUE_STATE_REASON_MOVING;
        else if (selected)                      reason = `TOTEM_REG_QUEUE_STATE_REASON_RUNNING;
        else if (halted)                        reason = `TOTEM_REG_QUEUE_STATE_REASON_HALTED;
        else if (flushing)                      reason = `TOTEM_REG_QUEUE_STATE_REASON_FLUSH;
        else if (lacking)                       reason = `TOTEM_REG_QUEUE_STATE_REASON_EPOCH;
        else if (poll_waiting[queue] || (schedule_waiting && queue == 0)) reason = `TOTEM_REG_QUEUE_STATE_REASON_WAIT;
        else if (arbiter_ready[queue])          reason = `TOTEM_REG_QUEUE_STATE_REASON_WAITS_TURN;
        else if (!fetch_pending[queue])         reason = `TOTEM_REG_QUEUE_STATE_REASON_EMPTY;
        else                                    reason = `TOTEM_REG_QUEUE_STATE_REASON_LINE;
    end

    always @* begin
        value = window_data;
        case (hqd_shown_dword)
            `TOTEM_REG_QUEUE_CP_HQD_ACTIVE:
                value[`TOTEM_REG_QUEUE_CP_HQD_ACTIVE_ACTIVE] = active;
            `TOTEM_REG_QUEUE_CP_HQD_QUEUE_PRIORITY:
                value[`TOTEM_REG_QUEUE_CP_HQD_QUEUE_PRIORITY_PRIORITY_LEVEL] = arbiter_queue_priority[queue*4 +: 4];
            `TOTEM_REG_QUEUE_CP_HQD_QUANTUM:
                value[`TOTEM_REG_QUEUE_CP_HQD_QUANTUM_QUANTUM_ACTIVE] =
                    selected && window_data[`TOTEM_REG_QUEUE_CP_HQD_QUANTUM_QUANTUM_EN];
            `TOTEM_REG_QUEUE_CP_HQD_PQ_CONTROL:
                value[`TOTEM_REG_QUEUE_CP_HQD_PQ_CONTROL_PQ_EMPTY] = !waiting;
            `TOTEM_REG_QUEUE_CP_HQD_HQ_STATUS0:
                value[`TOTEM_REG_QUEUE_CP_HQD_HQ_STATUS0_QUEUE_IDLE] = idle;
            `TOTEM_REG_QUEUE_CP_HQD_DEQUEUE_REQUEST:
                value[`TOTEM_REG_QUEUE_CP_HQD_DEQUEUE_REQUEST_DEQUEUE_REQ] = hqd_dequeue[queue*3 +: 3];
            `TOTEM_REG_QUEUE_CP_HQD_PQ_RPTR:    if (active) value = rptr;
            `TOTEM_REG_QUEUE_CP_HQD_PQ_WPTR_LO: if (active) value = wptr;
            `TOTEM_REG_QUEUE_RPTR:              value = rptr;
            `TOTEM_REG_QUEUE_WPTR:              value = wptr;
            `TOTEM_REG_QUEUE_WAVES:             value = {16'd0, fence_waves[queue*16 +: 16]};
            `TOTEM_REG_QUEUE_STATE:
                value = {12'd0, reason, poll_polled[queue] || poll_once[queue], record_end_pending[queue],
                         record_top_pending[queue], poll_waiting[queue], fence_room[queue], leaving, idle, lacking,
                         flushing, halted, packet_unfinished[queue], fetch_line[queue], waiting, arbiter_ready[queue],
                         selected, active};
            `TOTEM_REG_QUEUE_SEQUENCE, `TOTEM_REG_QUEUE_SEQUENCE_ENDED: value = sequence_data;
            `TOTEM_REG_QUEUE_MAP, `TOTEM_REG_QUEUE_CONTROL:             value = 32'd0;
            default: ;
        endcase
    end

`ifdef FORMAL
`include "totem_view_properties.vh"
`endif
endmodule

`default_nettype wire
