// SPDX-License-Identifier: Apache-2.0
//
// totem_host_registers: part of totem_host: what a register of the machine reads.
//
// Boundary  combinational; state of the block, and counters of its neighbours, come in.
// Twin      global_value and counter_value in cmodel/host/totem_host.c.

`default_nettype none

`include "totem_config.vh"
`include "totem_regs.vh"

module totem_host_registers #(
    parameter FE_COUNT = 4,
    parameter PIPES    = 2,
    parameter QUEUES   = 8,
    parameter SE_COUNT = 4,
    parameter EPOCHS   = 8,
    parameter SLOTS    = 64,
    parameter VGPRS    = 2048,
    parameter LDS      = 512,
    parameter LANES    = 8,
    parameter GRAPHICS = 0
) (
    input  wire [5:0]  dword,
    // state
    input  wire [31:0]  clock_low,
    input  wire [31:0]  clock_high,
    input  wire [15:0]  lost,
    input  wire [31:0]  settings_timeout,
    input  wire [23:0]  settings_quantum_unit0,
    input  wire [23:0]  settings_quantum_unit1,
    input  wire [23:0]  settings_turn_limit,
    input  wire         settings_event_on_priority_write,
    input  wire         settings_priority_write_open,
    input  wire         settings_mqd_save,
    input  wire         settings_task_priority,
    input  wire         settings_group_strict,
    input  wire         settings_strict,
    input  wire         settings_rsrc3_gfx9,
    input  wire [2:0]   settings_die,
    input  wire [23:0]  settings_dequeue_timeout,
    input  wire [31:0]  settings_address_high,
    input  wire [23:0]  host_timeout,
    input  wire [23:0]  settings_hold_high,
    input  wire [23:0]  settings_hold_medium,
    input  wire [23:0]  settings_hold_low,
    input  wire [23:0]  settings_hold_graphics,
    input  wire [9:0]   settings_reserve_lds,
    input  wire [11:0]  settings_reserve_vgprs,
    input  wire [6:0]   settings_reserve_slots,
    input  wire [7:0]   settings_poll_period,
    input  wire         settings_poll_enable,
    // neighbours
    input  wire        machine_idle,
    input  wire [FE_COUNT-1:0] memory_dead,
    input  wire [FE_COUNT*PIPES*16-1:0] hqd_drains,
    input  wire [FE_COUNT*PIPES*16-1:0] fence_lost,
    input  wire [FE_COUNT*PIPES*16-1:0] fence_late,
    input  wire [FE_COUNT*16-1:0] graphics_hqd_drains,
    input  wire [FE_COUNT*16-1:0] graphics_fence_lost,
    input  wire [FE_COUNT*16-1:0] graphics_fence_late,
    output reg  [31:0] value
);
    localparam PIPE_COUNT = FE_COUNT*PIPES;
    localparam [31:0] FEATURES = {28'd0, `TOTEM_RUNLIST != 0, `TOTEM_PARTITION != 0, `TOTEM_TASKS != 0, GRAPHICS != 0};
    localparam [31:0] COUNTS = (SE_COUNT << 24) | (QUEUES << 16) | (PIPES << 8) | FE_COUNT;
    localparam [31:0] FRONT = (`TOTEM_COUNT_BITS << 16) | (LANES << 8) | EPOCHS;
    localparam [31:0] ENGINES = SLOTS;
    localparam [31:0] RESOURCES = (LDS << 16) | VGPRS;

    integer counter;
    always @* begin
        case (dword)
            `TOTEM_REG_MACHINE_MAGIC:          value = `TOTEM_REG_MACHINE_MAGIC_VALUE;
            `TOTEM_REG_MACHINE_VERSION:        value = `TOTEM_REG_MACHINE_VERSION_VALUE;
            `TOTEM_REG_MACHINE_CONFIG_HASH:    value = `TOTEM_CONFIG_HASH;
            `TOTEM_REG_MACHINE_FEATURES:       value = FEATURES;
            `TOTEM_REG_MACHINE_COUNTS:         value = COUNTS;
            `TOTEM_REG_MACHINE_FRONT:          value = FRONT;
            `TOTEM_REG_MACHINE_ENGINE:         value = ENGINES;
            `TOTEM_REG_MACHINE_RESOURCES:      value = RESOURCES;
            `TOTEM_REG_MACHINE_CLOCK_LO:       value = clock_low;
            `TOTEM_REG_MACHINE_CLOCK_HI:       value = clock_high;
            `TOTEM_REG_MACHINE_STATUS:         value = {{24-FE_COUNT{1'b0}}, memory_dead, 7'd0, machine_idle};
            `TOTEM_REG_MACHINE_ERRORS_LOST:    value = {16'd0, lost};
            `TOTEM_REG_MACHINE_MEMORY_TIMEOUT: value = settings_timeout;
            `TOTEM_REG_MACHINE_QUANTUM_UNIT0:  value = {8'd0, settings_quantum_unit0};
            `TOTEM_REG_MACHINE_QUANTUM_UNIT1:  value = {8'd0, settings_quantum_unit1};
            `TOTEM_REG_MACHINE_TURN_LIMIT:     value = {8'd0, settings_turn_limit};
            `TOTEM_REG_MACHINE_QUEUE_OPTIONS: begin
                value = 32'd0;
                value[`TOTEM_REG_MACHINE_QUEUE_OPTIONS_EVENT_ON_PRIORITY_WRITE] = settings_event_on_priority_write;
                value[`TOTEM_REG_MACHINE_QUEUE_OPTIONS_PRIO_WRITE_OPEN]         = settings_priority_write_open;
                value[`TOTEM_REG_MACHINE_QUEUE_OPTIONS_MQD_SAVE]                = settings_mqd_save;
                value[`TOTEM_REG_MACHINE_QUEUE_OPTIONS_TMD_PRIORITY]            = settings_task_priority;
                value[`TOTEM_REG_MACHINE_QUEUE_OPTIONS_GROUP_STRICT]            = settings_group_strict;
                value[`TOTEM_REG_MACHINE_QUEUE_OPTIONS_STRICT]                  = settings_strict;
                value[`TOTEM_REG_MACHINE_QUEUE_OPTIONS_RSRC3_GFX9]              = settings_rsrc3_gfx9;
                value[`TOTEM_REG_MACHINE_QUEUE_OPTIONS_DIE]                     = settings_die;
            end
            `TOTEM_REG_MACHINE_DEQUEUE_TIMEOUT: value = {8'd0, settings_dequeue_timeout};
            `TOTEM_REG_MACHINE_ADDRESS_HIGH: value = settings_address_high;
            `TOTEM_REG_MACHINE_HOST_TIMEOUT: value = {8'd0, host_timeout};
            `TOTEM_REG_MACHINE_HOLD_AFTER_HIGH:   value = {8'd0, settings_hold_high};
            `TOTEM_REG_MACHINE_HOLD_AFTER_MEDIUM: value = {8'd0, settings_hold_medium};
            `TOTEM_REG_MACHINE_HOLD_AFTER_LOW:    value = {8'd0, settings_hold_low};
            `TOTEM_REG_MACHINE_HOLD_AFTER_GFX:    value = (GRAPHICS != 0) ? {8'd0, settings_hold_graphics} : 32'd0;
            `TOTEM_REG_MACHINE_PS_RESERVE:
                value = {2'd0, settings_reserve_lds, settings_reserve_vgprs, 1'b0, settings_reserve_slots};
            `TOTEM_REG_MACHINE_CP_PQ_WPTR_POLL_CNTL: begin
                value = 32'd0;
                value[`TOTEM_REG_MACHINE_CP_PQ_WPTR_POLL_CNTL_PERIOD] = settings_poll_period;
                value[`TOTEM_REG_MACHINE_CP_PQ_WPTR_POLL_CNTL_EN]     = settings_poll_enable;
            end
            default:                           value = 32'd0;
        endcase
        for (counter = 0; counter < PIPE_COUNT; counter = counter + 1) begin
            if (dword == `TOTEM_REG_MACHINE_DRAINS + counter[5:0])
                value = {16'd0, hqd_drains[counter*16 +: 16]};
            if (dword == `TOTEM_REG_MACHINE_ABANDONED + counter[5:0])
                value = {fence_late[counter*16 +: 16], fence_lost[counter*16 +: 16]};
        end
        for (counter = 0; counter < (GRAPHICS != 0 ? FE_COUNT : 0); counter = counter + 1) begin
            if (dword == `TOTEM_REG_MACHINE_RING_DRAINS + counter[5:0])
                value = {16'd0, graphics_hqd_drains[counter*16 +: 16]};
            if (dword == `TOTEM_REG_MACHINE_RING_ABANDONED + counter[5:0])
                value = {graphics_fence_late[counter*16 +: 16], graphics_fence_lost[counter*16 +: 16]};
        end
    end
endmodule

`default_nettype wire
