// SPDX-License-Identifier: Apache-2.0
//
// totem_hqd_write: part of totem_hqd: what a write of a dword does to its slot, or why it is refused.
//
// Policy    write pointers; dwords that cannot be written; MAP and CONTROL; ACTIVE; dequeue requests, a reset before
//           the lock; then the lock of a mapped queue, and the dwords that other blocks hear of. The points of rule 6
//           in docs/contract/hqd.md.
// Boundary  pure function.
// Twin      write_dword() in cmodel/queue/totem_hqd.c.

`default_nettype none

`include "totem_pm4.vh"
`include "totem_regs.vh"

module totem_hqd_write (
    // the write
    input  wire [5:0]  dword,
    input  wire [31:0] merged,          // the dword with what is written
    input  wire [31:0] control,         // only what is written
    input  wire [3:0]  strobe,
    input  wire        bell,            // a doorbell, or a pointer that poll brings
    input  wire        from_mqd,
    // the slot
    input  wire        active,
    input  wire        leaving,
    input  wire [2:0]  request,
    input  wire        saving,          // its save is asked for in this clock, or was before
    input  wire [2:0]  dequeue,
    input  wire        view_stopped,
    input  wire        view_waiting,
    output reg  [4:0]  error,           // 0: none
    output reg  [3:0]  phase,           // the next one: HQD_DONE, HQD_STORE, HQD_RING or HQD_MAP
    output reg  [31:0] word,            // to be stored, or to be sent as write pointer
    output reg         window,          // the window is to be loaded by mqd
    output reg         new_leaving,
    output reg  [2:0]  new_dequeue,
    output reg         accepted,        // a dequeue request is taken
    output reg         later,           // the reset begins when the save has ended
    output reg         settles,
    output reg         drains,          // a request that saves waves
    output reg         send,
    output reg  [4:0]  kind,
    output reg  [39:0] load
);
`include "totem_hqd_values.vh"
    localparam [7:0] DOORBELL_UNMAPPED = `TOTEM_ERROR_HOST_DOORBELL_UNMAPPED, READ_ONLY = `TOTEM_ERROR_HOST_READ_ONLY;
    localparam [7:0] VALUE = `TOTEM_ERROR_HOST_VALUE, RESUME = `TOTEM_ERROR_HOST_RESUME;
    localparam [7:0] LOCKED = `TOTEM_ERROR_HOST_LOCKED, DEQUEUE_TYPE = `TOTEM_ERROR_HOST_DEQUEUE_TYPE;
    localparam [7:0] DEQUEUE = `TOTEM_ERROR_HOST_DEQUEUE, MAP_BUSY = `TOTEM_ERROR_HOST_MAP_BUSY;
    // Dwords that can be written while the queue is active; ACTIVE itself has its own rule.
    localparam [63:0] LIVE = `TOTEM_REG_QUEUE_LIVE;

    wire is_active  = dword == `TOTEM_REG_QUEUE_CP_HQD_ACTIVE;
    wire is_request = dword == `TOTEM_REG_QUEUE_CP_HQD_DEQUEUE_REQUEST;
    wire is_pipe    = dword == `TOTEM_REG_QUEUE_CP_HQD_PIPE_PRIORITY;
    wire read_only  = (dword >= `TOTEM_REG_QUEUE_RPTR && dword <= `TOTEM_REG_QUEUE_STATE)
                      || dword == `TOTEM_REG_QUEUE_SEQUENCE || dword == `TOTEM_REG_QUEUE_SEQUENCE_ENDED;
    wire held       = active && !leaving;
    wire locked     = request == REQUEST_WINDOW && !from_mqd;
    wire skips      = control[`TOTEM_REG_QUEUE_CONTROL_SKIP];
    wire resumes    = held && request != REQUEST_PRELOAD && view_stopped && (!skips || view_waiting);
    wire [2:0] asks = merged[`TOTEM_REG_QUEUE_CP_HQD_DEQUEUE_REQUEST_DEQUEUE_REQ];

    always @* begin
        error       = 5'd0;
        phase       = HQD_DONE;
        word        = merged;
        window      = 1'b0;
        new_leaving = leaving;
        new_dequeue = dequeue;
        accepted    = 1'b0;
        later       = 1'b0;
        settles     = 1'b0;
        drains      = 1'b0;
        send        = 1'b0;
        kind        = LOAD_ACTIVE;
        load        = 40'd0;
        if (bell) begin
            if (held)
                phase = HQD_RING;
            else
                error = DOORBELL_UNMAPPED[4:0];
        end else if (read_only)
            error = READ_ONLY[4:0];
        else if (dword == `TOTEM_REG_QUEUE_MAP) begin
            if (active || request != REQUEST_NONE || dequeue != DEQUEUE_NONE)
                error = MAP_BUSY[4:0];
            else if (strobe != 4'hf || control[2:0] != 3'd0)
                error = VALUE[4:0];
            else begin
                phase = HQD_STORE;
                window = 1'b1;
                word   = control;
            end
        end else if (dword == `TOTEM_REG_QUEUE_CONTROL) begin
            if (control > 32'd2)
                error = VALUE[4:0];
            else if (control != 32'd0) begin
                send = resumes;
                kind = skips ? LOAD_SKIP : LOAD_RESUME;
                if (!resumes)
                    error = RESUME[4:0];
            end
        end else if (is_active && merged[`TOTEM_REG_QUEUE_CP_HQD_ACTIVE_ACTIVE]) begin
            word[`TOTEM_REG_QUEUE_CP_HQD_ACTIVE_ACTIVE] = 1'b0;
            if (leaving || locked || dequeue != DEQUEUE_NONE)
                error = MAP_BUSY[4:0];
            else
                phase = active ? HQD_STORE : HQD_MAP;
        end else if (is_active) begin
            phase = HQD_STORE;
            // It replaces a request that waits, except a reset.
            if (active && (!leaving || (dequeue != DEQUEUE_NONE && dequeue != DEQUEUE_RESET && !saving))) begin
                new_leaving = 1'b1;
                new_dequeue = DEQUEUE_NONE;
                settles     = 1'b1;
                send        = request != REQUEST_PRELOAD;
            end
        end else if (is_request && !from_mqd && asks == DEQUEUE_RESET && request != REQUEST_WINDOW) begin
            // A reset is taken also where another request waits, and in a slot that is not active.
            word[`TOTEM_REG_QUEUE_CP_HQD_DEQUEUE_REQUEST_DEQUEUE_REQ] = 3'd0;
            phase       = HQD_STORE;
            later       = saving && dequeue != DEQUEUE_RESET;
            new_dequeue = DEQUEUE_RESET;
            accepted    = 1'b1;
            new_leaving = active;
            settles     = held;
        end else if (is_request && !from_mqd && asks == DEQUEUE_NONE && leaving && dequeue == DEQUEUE_NONE)
            phase = HQD_STORE;          // there is no request to be taken back
        else if (!from_mqd && (leaving || (active && !LIVE[dword]) || locked))
            error = LOCKED[4:0];
        else if (is_request) begin
            word[`TOTEM_REG_QUEUE_CP_HQD_DEQUEUE_REQUEST_DEQUEUE_REQ] = 3'd0;
            if (from_mqd || asks == DEQUEUE_NONE)
                phase = HQD_STORE;
            else if (asks > DEQUEUE_LEAVE)
                error = DEQUEUE_TYPE[4:0];
            else if (!active)
                error = DEQUEUE[4:0];
            else begin
                phase       = HQD_STORE;
                new_dequeue = asks;
                accepted    = 1'b1;
                new_leaving = 1'b1;
                settles     = 1'b1;
                drains      = asks == DEQUEUE_SAVE_WAVES;
            end
        end else if (active && is_pipe && merged[`TOTEM_REG_QUEUE_CP_HQD_PIPE_PRIORITY_PIPE_PRIORITY] == 2'd3)
            error = VALUE[4:0];
        else if (active && dword == `TOTEM_REG_QUEUE_CP_HQD_PQ_WPTR_LO)
            phase = HQD_RING;
        else begin
            phase = HQD_STORE;
            case (dword)
                `TOTEM_REG_QUEUE_CP_HQD_PIPE_PRIORITY: begin
                    send = active;
                    kind = LOAD_PIPE_PRIORITY;
                    load = {38'd0, merged[`TOTEM_REG_QUEUE_CP_HQD_PIPE_PRIORITY_PIPE_PRIORITY]};
                end
                `TOTEM_REG_QUEUE_CP_HQD_QUEUE_PRIORITY: begin
                    send = strobe[0];
                    kind = LOAD_QUEUE_PRIORITY;
                    load = {36'd0, merged[`TOTEM_REG_QUEUE_CP_HQD_QUEUE_PRIORITY_PRIORITY_LEVEL]};
                end
                `TOTEM_REG_QUEUE_CP_HQD_QUANTUM: begin
                    send = active;
                    kind = LOAD_QUANTUM;
                    load = {8'd0, merged};
                end
                default: ;
            endcase
        end
    end
endmodule

`default_nettype wire
