// SPDX-License-Identifier: Apache-2.0
//
// totem_execute_wait: part of totem_execute: rule 3, the phases that wait for a neighbour.
//
// Policy    a phase ends when its neighbour says so. A queue that is to leave leaves between two polls, and inside a
//           dispatch after a recall of what is not granted; if all is granted then, the packet is finished.
// Boundary  pure function of phase and neighbours. Its outputs count in its phases.
// Twin      cmodel/packet/totem_execute_wait.c.

`default_nettype none

module totem_execute_wait (
    input  wire [4:0] phase,
    input  wire [1:0] step,
    input  wire       last,
    input  wire       is_task,
    input  wire       message_end,      // the word of the wait message is the last one
    input  wire       executed,
    input  wire       close,
    // neighbours, of the queue
    input  wire       leave,
    input  wire       active,
    input  wire       due,
    input  wire       walker_busy,
    input  wire       walker_stopped,
    input  wire       room,
    input  wire       flushed,
    input  wire       moved,            // the current epoch is another one than that of the message
    input  wire       fence_ready,
    input  wire       write_ready,
    input  wire       read_ready,
    input  wire       events_ready,
    // what it does
    output reg  [4:0] phase_next,
    output reg  [1:0] step_next,
    output reg        finish,
    output reg        ran,              // .. the dispatch, whose groups are granted
    output reg        begun,            // the dispatch has started
    output reg        save,             // its rest is kept
    output reg        reopen,           // the flush is over
    output reg        wait_flush,
    output reg        wait_epoch,
    output reg        epoch,            // the task is in the present epoch
    output reg        task_done,
    output reg        halt
);
`include "totem_execute_values.vh"
    // 3 Phase, continued: a phase that waits.
    always @* begin
        phase_next = phase;
        step_next  = step;
        finish     = 1'b0;
        ran        = 1'b0;
        begun      = 1'b0;
        save       = 1'b0;
        reopen     = 1'b0;
        wait_flush = 1'b0;
        wait_epoch = 1'b0;
        epoch      = 1'b0;
        task_done  = 1'b0;
        halt       = 1'b0;
        case (phase)
            EXECUTE_START: begin
                begun      = 1'b1;
                phase_next = EXECUTE_RUN;
            end

            EXECUTE_RUN:
                if (!walker_busy) begin
                    ran    = 1'b1;
                    finish = 1'b1;
                end else if (leave)
                    phase_next = EXECUTE_STOP;

            EXECUTE_STOP:
                if (walker_stopped && walker_busy) begin
                    save       = active;
                    phase_next = EXECUTE_LEAVE;
                end else if (walker_stopped) begin
                    ran    = 1'b1;
                    finish = 1'b1;
                end

            EXECUTE_FLUSH:
                if (!close) begin       // fence has seen the close
                    if (flushed) begin
                        reopen = 1'b1;
                        finish = 1'b1;
                    end else begin
                        wait_flush = 1'b1;
                        phase_next = EXECUTE_LEAVE;
                    end
                end

            EXECUTE_RELEASE:
                if (fence_ready) begin
                    step_next = step + 2'd1;
                    if (step[1])
                        phase_next = EXECUTE_CLOSED;
                end

            EXECUTE_CLOSED:
                if (moved && is_task) begin
                    task_done  = 1'b1;
                    phase_next = EXECUTE_READY;
                end else if (moved)
                    finish = 1'b1;

            EXECUTE_TASK:           // its end closes the epoch: nothing of the queue does that before
                if (!room) begin
                    wait_epoch = 1'b1;
                    phase_next = EXECUTE_LEAVE;
                end else begin
                    epoch      = 1'b1;
                    phase_next = EXECUTE_SERVICE;
                end

            EXECUTE_WRITE:
                if (write_ready) begin
                    if (step == 2'd0)
                        step_next = 2'd1;
                    else if (last)
                        finish = 1'b1;
                    else
                        phase_next = EXECUTE_READY;
                end

            EXECUTE_POLL:
                if (read_ready)
                    phase_next = EXECUTE_ANSWER;

            EXECUTE_RETRY:
                if (!executed)
                    phase_next = leave || due ? EXECUTE_LEAVE : EXECUTE_POLL;

            EXECUTE_GIVE:
                if (message_end)
                    phase_next = EXECUTE_LEAVE;
                else
                    step_next = step + 2'd1;

            EXECUTE_ERROR:
                if (events_ready && step == 2'd0)
                    step_next = 2'd1;
                else if (events_ready) begin
                    halt       = 1'b1;
                    phase_next = EXECUTE_LEAVE;
                end

            default: ;
        endcase
    end
endmodule

`default_nettype wire
