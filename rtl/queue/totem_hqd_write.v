// SPDX-License-Identifier: Apache-2.0
//
// totem_hqd_write: part of totem_hqd: what a write of a dword does to its slot, or why it is refused.
//
// Policy    write pointers; dwords that cannot be written; MAP and CONTROL; ACTIVE; dequeue requests, a reset before
//           the lock; then the lock of a mapped queue, and the dwords that others hear of. docs/contract/hqd.md, rule
//           6.
// Boundary  pure function.
// Twin      step_decide() in cmodel/queue/totem_hqd.c.

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
    input  wire        by_mqd,
    // the slot
    input  wire        mapped,
    input  wire        departs,
    input  wire [2:0]  asked,           // job of mqd
    input  wire        saving,          // its save is asked for, or is now
    input  wire [2:0]  leave,           // type of dequeue request
    input  wire        stopped,
    input  wire        waiting,
    output reg  [4:0]  error,           // 0: none
    output reg  [3:0]  phase,           // the next one: HQD_DONE, HQD_STORE, HQD_RING or HQD_MAP
    output reg  [31:0] word,            // to be stored, or to be sent as write pointer
    output reg         window,          // the window is to be loaded by mqd
    output reg         new_departs,
    output reg  [2:0]  new_leave,
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
    wire held       = mapped && !departs;
    wire locked     = asked == REQUEST_WINDOW && !by_mqd;               // the window is being loaded
    wire skips      = control[`TOTEM_REG_QUEUE_CONTROL_SKIP];
    wire goes_on    = held && asked != REQUEST_PRELOAD && stopped && (!skips || waiting);
    wire [2:0] asks = merged[`TOTEM_REG_QUEUE_CP_HQD_DEQUEUE_REQUEST_DEQUEUE_REQ];

    always @* begin
        error       = 5'd0;
        phase       = HQD_DONE;
        word        = merged;
        window      = 1'b0;
        new_departs = departs;
        new_leave   = leave;
        later       = 1'b0;
        settles     = 1'b0;
        drains      = 1'b0;
        send        = 1'b0;
        kind        = LOAD_ACTIVE;
        load        = 40'd0;
        if (bell) begin
            if (held)
                phase  = HQD_RING;
            else
                error = DOORBELL_UNMAPPED[4:0];
        end else if (read_only)
            error = READ_ONLY[4:0];
        else if (dword == `TOTEM_REG_QUEUE_MAP) begin
            if (mapped || asked != REQUEST_NONE || leave != DEQUEUE_NONE)
                error = MAP_BUSY[4:0];
            else if (strobe != 4'hf || control[2:0] != 3'd0)
                error = VALUE[4:0];
            else begin
                phase  = HQD_STORE;
                window = 1'b1;
                word   = control;
            end
        end else if (dword == `TOTEM_REG_QUEUE_CONTROL) begin
            if (control > 32'd2)
                error = VALUE[4:0];
            else if (control != 32'd0) begin
                send = goes_on;
                kind = skips ? LOAD_SKIP : LOAD_RESUME;
                if (!goes_on)
                    error = RESUME[4:0];
            end
        end else if (is_active && merged[`TOTEM_REG_QUEUE_CP_HQD_ACTIVE_ACTIVE]) begin
            word[`TOTEM_REG_QUEUE_CP_HQD_ACTIVE_ACTIVE] = 1'b0;
            if (departs || locked || leave != DEQUEUE_NONE)
                error = MAP_BUSY[4:0];
            else
                phase  = mapped ? HQD_STORE : HQD_MAP;
        end else if (is_active) begin
            phase  = HQD_STORE;
            // It takes the place of a request that waits, but for a reset.
            if (mapped && (!departs || (leave != DEQUEUE_NONE && leave != DEQUEUE_RESET && !saving))) begin
                new_departs = 1'b1;
                new_leave   = DEQUEUE_NONE;
                settles     = 1'b1;
                send        = asked != REQUEST_PRELOAD;
            end
        end else if (is_request && !by_mqd && asks == DEQUEUE_RESET && asked != REQUEST_WINDOW) begin
            // A reset is taken also where another request waits, and in a slot that is not active.
            word[`TOTEM_REG_QUEUE_CP_HQD_DEQUEUE_REQUEST_DEQUEUE_REQ] = 3'd0;
            phase       = HQD_STORE;
            later       = saving && leave != DEQUEUE_RESET;
            new_leave   = DEQUEUE_RESET;
            new_departs = mapped;
            settles     = held;
        end else if (is_request && !by_mqd && asks == DEQUEUE_NONE && departs && leave == DEQUEUE_NONE)
            phase  = HQD_STORE;             // nothing to be taken back
        else if (!by_mqd && (departs || (mapped && !LIVE[dword]) || locked))
            error = LOCKED[4:0];
        else if (is_request) begin
            word[`TOTEM_REG_QUEUE_CP_HQD_DEQUEUE_REQUEST_DEQUEUE_REQ] = 3'd0;
            if (by_mqd || asks == DEQUEUE_NONE)
                phase  = HQD_STORE;
            else if (asks > DEQUEUE_LEAVE)
                error = DEQUEUE_TYPE[4:0];
            else if (!mapped)
                error = DEQUEUE[4:0];
            else begin
                phase       = HQD_STORE;
                new_leave   = asks;
                new_departs = 1'b1;
                settles     = 1'b1;
                drains      = asks == DEQUEUE_SAVE_WAVES;
            end
        end else if (mapped && is_pipe && merged[`TOTEM_REG_QUEUE_CP_HQD_PIPE_PRIORITY_PIPE_PRIORITY] == 2'd3)
            error = VALUE[4:0];
        else if (mapped && dword == `TOTEM_REG_QUEUE_CP_HQD_PQ_WPTR_LO)
            phase  = HQD_RING;
        else begin
            phase  = HQD_STORE;
            case (dword)
                `TOTEM_REG_QUEUE_CP_HQD_PIPE_PRIORITY: begin
                    send = mapped;
                    kind = LOAD_PIPE_PRIORITY;
                    load = {38'd0, merged[`TOTEM_REG_QUEUE_CP_HQD_PIPE_PRIORITY_PIPE_PRIORITY]};
                end
                `TOTEM_REG_QUEUE_CP_HQD_QUEUE_PRIORITY: begin
                    send = strobe[0];
                    kind = LOAD_QUEUE_PRIORITY;
                    load = {36'd0, merged[`TOTEM_REG_QUEUE_CP_HQD_QUEUE_PRIORITY_PRIORITY_LEVEL]};
                end
                `TOTEM_REG_QUEUE_CP_HQD_QUANTUM: begin
                    send = mapped;
                    kind = LOAD_QUANTUM;
                    load = {8'd0, merged};
                end
                default: ;
            endcase
        end
    end
endmodule

`default_nettype wire
