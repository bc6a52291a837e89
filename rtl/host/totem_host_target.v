// SPDX-License-Identifier: Apache-2.0
//
// totem_host_target: part of totem_host: where an access goes, from its address.
//
// Policy    what does not exist in this machine is a hole. In windows and tallies numbers from 8 on are rings.
// Boundary  combinational.
// Twin      find in cmodel/host/totem_host.c.

`default_nettype none

// Icarus loses macros with arguments between the files of a library: this file reads them itself.
`undef TOTEM_REGS_VH
`include "totem_regs.vh"

module totem_host_target #(
    parameter FE_COUNT = 4,
    parameter PIPES    = 2,
    parameter QUEUES   = 8,
    parameter SE_COUNT = 4,
    parameter GRAPHICS = 0,
    parameter TASKS    = 0,
    parameter RUNLIST  = 0,
    parameter RUN_QUEUES = 1024
) (
    input  wire [17:0] a,               // dword address
    output reg  [3:0]  target,
    output reg  [3:0]  index,           // pipe, or PIPE_COUNT + ring; engine; of a page: ring, front end
    output wire [2:0]  request_queue,
    output wire [7:0]  request_dword
);
`include "totem_host_values.vh"

    localparam PIPE_COUNT = FE_COUNT*PIPES;
    localparam [31:0] FRONTS = (1 << FE_COUNT) - 1;
    localparam [7:0]  RINGS  = (GRAPHICS != 0) ? FRONTS[7:0] : 8'd0;    // that exist
    localparam [7:0]  TASK_PAGES  = (TASKS != 0) ? FRONTS[7:0] : 8'd0;       // likewise
    localparam [63:0] EXISTS = (GRAPHICS != 0) ? `TOTEM_REG_MACHINE_EXISTS
                               : `TOTEM_REG_MACHINE_EXISTS & ~`TOTEM_REG_MACHINE_WITH_GRAPHICS;

    wire [3:0]  number = `TOTEM_REG_PIPE_HIT(a) ? a[`TOTEM_REG_PIPE_INDEX] : a[14:11];
    wire [2:0]  queue  = `TOTEM_REG_PIPE_HIT(a) ? a[`TOTEM_REG_QUEUE_INDEX] : a[10:8];
    wire        there  = number[3] ? RINGS[number[2:0]] && queue == 3'd0
                                   : number < PIPE_COUNT[3:0] && {1'b0, queue} < QUEUES[3:0];
    wire [3:0]  place_of_number = {1'b0, number[2:0]} + (GRAPHICS != 0 && number[3] ? PIPE_COUNT[3:0] : 4'd0);
    wire        engine_there = {2'd0, a[`TOTEM_REG_STATS_INDEX]} < SE_COUNT[3:0];
    always @* begin
        target = TARGET_HOLE;
        index  = 4'd0;
        if (`TOTEM_REG_MACHINE_HIT(a)) begin
            if (EXISTS[a[`TOTEM_REG_MACHINE_DWORD]] && (a[5:4] != 2'd2 || {1'b0, a[2:0]} < PIPE_COUNT[3:0])
                && (a[5:3] != 3'd7 || RINGS[{1'b0, a[1:0]}]))
                target = TARGET_GLOBAL;
        end else if (`TOTEM_REG_EVENTS_HIT(a))
            target = TARGET_EVENTS;
        else if (`TOTEM_REG_ENGINE_HIT(a)) begin
            index = {2'd0, a[`TOTEM_REG_ENGINE_INDEX]};
            if (index < SE_COUNT[3:0])
                target = TARGET_ENGINE;
        end else if (`TOTEM_REG_STATS_HIT(a)) begin
            index = {2'd0, a[`TOTEM_REG_STATS_INDEX]};
            if (engine_there && `TOTEM_REG_WAITS_HIT(a) && {1'b0, a[`TOTEM_REG_WAITS_INDEX]} < PIPE_COUNT[3:0])
                target = TARGET_STATS;
            if (engine_there && `TOTEM_REG_RING_WAITS_HIT(a) && RINGS[{1'b0, a[`TOTEM_REG_RING_WAITS_INDEX]}])
                target = TARGET_RING_STATS;
            if (engine_there && `TOTEM_REG_GEOMETRY_WAITS_HIT(a) && RINGS[{1'b0, a[`TOTEM_REG_GEOMETRY_WAITS_INDEX]}])
                target = TARGET_GEOMETRY_STATS;
            if (engine_there && `TOTEM_REG_PIXEL_WAITS_HIT(a) && RINGS[{1'b0, a[`TOTEM_REG_PIXEL_WAITS_INDEX]}])
                target = TARGET_PIXEL_STATS;
        end else if (`TOTEM_REG_DOORBELL_HIT(a)) begin
            index = {1'b0, a[5:3]};
            if (index < PIPE_COUNT[3:0] && {1'b0, a[2:0]} < QUEUES[3:0])
                target = TARGET_DOORBELL;
        end else if (GRAPHICS != 0 && `TOTEM_REG_RING_DOORBELL_HIT(a)) begin
            index = {2'd0, a[`TOTEM_REG_RING_DOORBELL_INDEX]} + PIPE_COUNT[3:0];
            if (RINGS[{1'b0, a[`TOTEM_REG_RING_DOORBELL_INDEX]}])
                target = TARGET_DOORBELL;
        end else if (GRAPHICS != 0 && `TOTEM_REG_GRAPHICS_HIT(a)) begin
            index = {2'd0, a[`TOTEM_REG_GRAPHICS_INDEX]};
            if (RINGS[index[2:0]])
                target = TARGET_PAGE;
        end else if (GRAPHICS != 0 && `TOTEM_REG_CONTROLS_HIT(a))
            target = TARGET_CONTROLS;
        else if (TASKS != 0 && `TOTEM_REG_TASKS_HIT(a)) begin
            index = {2'd0, a[`TOTEM_REG_TASKS_INDEX]};
            if (TASK_PAGES[index[2:0]])
                target = TARGET_TASKS;
        end else if (RUNLIST != 0 && `TOTEM_REG_RUNLIST_HIT(a))
            target = TARGET_LEDGER;
        else if (RUNLIST != 0 && `TOTEM_REG_ENTRY_HIT(a) &&
                 {1'b0, a[`TOTEM_REG_ENTRY_INDEX]} < RUN_QUEUES[10:0])
            target = TARGET_BELL;
        else if (`TOTEM_REG_PIPE_HIT(a) && `TOTEM_REG_QUEUE_HIT(a)) begin
            index = place_of_number;
            if (there)
                target = TARGET_WINDOW;
        end else if (`TOTEM_REG_TALLY_HIT(a)) begin
            index = place_of_number;
            if (there)
                target = TARGET_TALLY;
        end
    end

    assign request_queue = (target == TARGET_DOORBELL && `TOTEM_REG_DOORBELL_HIT(a)) ? a[2:0] :
                           (target == TARGET_WINDOW || target == TARGET_TALLY) ? queue : 3'd0;
    assign request_dword = (target == TARGET_WINDOW) ? {2'd0, a[`TOTEM_REG_QUEUE_DWORD]} :
                           (target == TARGET_RING_STATS || target == TARGET_GEOMETRY_STATS ||
                            target == TARGET_PIXEL_STATS) ? {4'd0, a[3:0]} : a[7:0];
endmodule

`default_nettype wire
