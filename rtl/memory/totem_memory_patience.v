// SPDX-License-Identifier: Apache-2.0
//
// totem_memory_patience: part of totem_memory, rules 1 to 3: who has waited a whole period without progress.
//
// Policy    what waited at the last tick and waits still is expired. Later rules of the block overrule these values.
// Boundary  combinational; state of the block comes in, its values after rules 1 to 3 go out as *_aged.
// Twin      step_patience in cmodel/memory/totem_memory.c.

`default_nettype none

module totem_memory_patience #(
    parameter FE_PIPES = 2,
    parameter READERS  = 6,
    parameter WRITERS  = 8,
    parameter STREAMS  = 6,
    parameter FENCES   = 8,
    parameter WRITER_BITS = $clog2(WRITERS)
) (
    // registers
    input  wire [31:0]            settings_timeout,
    input  wire [23:0]            settings_dequeue_timeout,
    input  wire [FE_PIPES-1:0]    kill_overdue,
    input  wire [31:0]            period,
    output wire [31:0]            period_aged,
    // reads
    input  wire [READERS-1:0]     ask_valid,
    input  wire [READERS*2-1:0]   reads,
    input  wire [READERS-1:0]     read_old,
    input  wire [READERS-1:0]     read_expired,
    output reg  [READERS-1:0]     read_old_aged,
    output reg  [READERS-1:0]     read_expired_aged,
    // writes
    input  wire [STREAMS*2-1:0]   writes,
    input  wire [STREAMS-1:0]     write_old,
    input  wire [STREAMS-1:0]     write_expired,
    output reg  [STREAMS-1:0]     write_old_aged,
    output reg  [STREAMS-1:0]     write_expired_aged,
    input  wire [FENCES-1:0]      fence_busy,
    input  wire [FENCES-1:0]      fence_old,
    input  wire [FENCES-1:0]      fence_expired,
    output wire [FENCES-1:0]      fence_old_aged,
    output wire [FENCES-1:0]      fence_expired_aged,
    // messages
    input  wire [WRITERS-1:0]     offered,
    input  wire [WRITERS-1:0]     barred,
    input  wire [1:0]             stage,
    input  wire [WRITER_BITS-1:0] serve,
    input  wire [WRITERS-1:0]     wait_old,
    input  wire [WRITERS-1:0]     give_up,
    output reg  [WRITERS-1:0]     wait_old_aged,
    output reg  [WRITERS-1:0]     give_up_aged,
    input  wire                   held_old,
    input  wire                   held_fail,
    output wire                   held_old_aged,
    output wire                   held_fail_aged
);
`include "totem_memory_values.vh"

    // While a reset takes too long the periods are those of its time-out, rounded up to 4096 n - 1.
    wire [31:0] hurried  = {8'd0, settings_dequeue_timeout | 24'h000fff};
    wire        hurry    = (|kill_overdue) && settings_dequeue_timeout != 24'd0 &&
                           (settings_timeout == 32'd0 || settings_timeout > hurried);
    wire [31:0] patience = hurry ? hurried : settings_timeout;
    wire        tick     = patience != 32'd0 && period >= patience - 32'd1;

    // 1 Period
    assign period_aged = (tick || patience == 32'd0) ? 32'd0 : period + 32'd1;

    integer i;
    always @* begin
        // 2 Patience of reads
        read_old_aged     = read_old;
        read_expired_aged = read_expired;
        for (i = 0; i < READERS; i = i + 1)
            if (tick && (ask_valid[i] || reads[i*2 +: 2] != 2'd0)) begin
                read_old_aged[i]     = 1'b1;
                read_expired_aged[i] = read_expired[i] || read_old[i];
            end

        // 3 Patience of writes
        write_old_aged     = write_old;
        write_expired_aged = write_expired;
        for (i = 0; i < STREAMS; i = i + 1)
            if (tick && writes[i*2 +: 2] != 2'd0) begin
                write_old_aged[i]     = 1'b1;
                write_expired_aged[i] = write_expired[i] || write_old[i];
            end
        wait_old_aged = wait_old;
        give_up_aged  = give_up;
        for (i = 0; i < WRITERS; i = i + 1)
            if (!barred[i]) begin
                wait_old_aged[i] = 1'b0;
                give_up_aged[i]  = 1'b0;
            end else if (tick && offered[i] && !(stage != MEMORY_REST && serve == i[WRITER_BITS-1:0])) begin
                wait_old_aged[i] = 1'b1;
                give_up_aged[i]  = give_up[i] || wait_old[i];
            end
    end

    assign fence_old_aged     = tick ? fence_old | fence_busy : fence_old;
    assign fence_expired_aged = tick ? fence_expired | (fence_old & fence_busy) : fence_expired;
    assign held_old_aged      = held_old || (tick && stage == MEMORY_HELD);
    assign held_fail_aged     = held_fail || (tick && stage == MEMORY_HELD && held_old);
endmodule

`default_nettype wire
