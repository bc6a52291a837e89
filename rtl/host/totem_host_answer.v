// SPDX-License-Identifier: Apache-2.0
//
// totem_host_answer: part of totem_host, rule 6: the answer of the block that has the access.
//
// Boundary  combinational. A tally or statistics never refuse.
// Twin      step_wait in cmodel/host/totem_host.c.

`default_nettype none

module totem_host_answer #(
    parameter FE_COUNT = 4,
    parameter PIPES    = 2,
    parameter SE_COUNT = 4,
    parameter GRAPHICS = 0
) (
    input  wire [3:0]                    target,
    input  wire [3:0]                    index,
    input  wire [FE_COUNT*PIPES-1:0]     hqd_done,
    input  wire [FE_COUNT*PIPES*5-1:0]   hqd_error,
    input  wire [FE_COUNT*PIPES*32-1:0]  hqd_rdata,
    input  wire [FE_COUNT*PIPES-1:0]     tally_done,
    input  wire [FE_COUNT*PIPES*16-1:0]  tally_rdata,
    input  wire [FE_COUNT-1:0]           graphics_hqd_done,
    input  wire [FE_COUNT*5-1:0]         graphics_hqd_error,
    input  wire [FE_COUNT*32-1:0]        graphics_hqd_rdata,
    input  wire [FE_COUNT-1:0]           graphics_tally_done,
    input  wire [FE_COUNT*16-1:0]        graphics_tally_rdata,
    input  wire [FE_COUNT-1:0]           graphics_done,
    input  wire [FE_COUNT*5-1:0]         graphics_error,
    input  wire [FE_COUNT*32-1:0]        graphics_rdata,
    input  wire [FE_COUNT-1:0]           submit_done,
    input  wire [FE_COUNT*5-1:0]         submit_error,
    input  wire [FE_COUNT*32-1:0]        submit_rdata,
    input  wire [SE_COUNT-1:0]           wave_done,
    input  wire [SE_COUNT*5-1:0]         wave_error,
    input  wire [SE_COUNT*32-1:0]        wave_rdata,
    input  wire [SE_COUNT-1:0]           stats_done,
    input  wire [SE_COUNT*32-1:0]        stats_rdata,
    input  wire [SE_COUNT-1:0]           graphics_stats_done,
    input  wire [SE_COUNT*32-1:0]        graphics_stats_rdata,
    input  wire [SE_COUNT-1:0]           geometry_stats_done,
    input  wire [SE_COUNT*32-1:0]        geometry_stats_rdata,
    input  wire [SE_COUNT-1:0]           pixel_stats_done,
    input  wire [SE_COUNT*32-1:0]        pixel_stats_rdata,
    input  wire                          events_done,
    input  wire [4:0]                    events_error,
    input  wire [31:0]                   events_rdata,
    input  wire                          controls_done,
    input  wire [4:0]                    controls_error,
    input  wire [31:0]                   controls_rdata,
    input  wire                          ledger_done,
    input  wire [4:0]                    ledger_error,
    input  wire [31:0]                   ledger_rdata,
    input  wire                          bell_done,
    input  wire [4:0]                    bell_error,
    input  wire [31:0]                   bell_rdata,
    output reg                           finish,
    output reg  [4:0]                    code,
    output reg  [31:0]                   data
);
`include "totem_host_values.vh"

    localparam PIPE_COUNT = FE_COUNT*PIPES;
    localparam PLACES     = PIPE_COUNT + FE_COUNT;                      // pipes, then rings
    localparam FULL       = (GRAPHICS != 0) ? PLACES : PIPE_COUNT;      // of these exist

    wire [PLACES-1:0]    hqd_ends    = {graphics_hqd_done, hqd_done};
    wire [PLACES*5-1:0]  hqd_refuses = {graphics_hqd_error, hqd_error};
    wire [PLACES*32-1:0] hqd_gives   = {graphics_hqd_rdata, hqd_rdata};
    wire [PLACES-1:0]    tally_ends  = {graphics_tally_done, tally_done};
    wire [PLACES*16-1:0] tally_gives = {graphics_tally_rdata, tally_rdata};

    // 6 Wait
    integer at;
    always @* begin
        finish = 1'b0;
        code   = 5'd0;
        data   = 32'd0;
        for (at = 0; at < FULL; at = at + 1) begin
            if ((target == TARGET_DOORBELL || target == TARGET_WINDOW) && index == at[3:0]) begin
                finish = hqd_ends[at];
                code   = hqd_refuses[at*5 +: 5];
                data   = hqd_gives[at*32 +: 32];
            end
            if (target == TARGET_TALLY && index == at[3:0]) begin
                finish = tally_ends[at];
                data   = {16'd0, tally_gives[at*16 +: 16]};
            end
        end
        for (at = 0; at < FE_COUNT; at = at + 1)
            if (target == TARGET_PAGE && index == at[3:0]) begin
                finish = graphics_done[at];
                code   = graphics_error[at*5 +: 5];
                data   = graphics_rdata[at*32 +: 32];
            end
        for (at = 0; at < SE_COUNT; at = at + 1) begin
            if (target == TARGET_ENGINE && index == at[3:0]) begin
                finish = wave_done[at];
                code   = wave_error[at*5 +: 5];
                data   = wave_rdata[at*32 +: 32];
            end
            if (target == TARGET_STATS && index == at[3:0]) begin
                finish = stats_done[at];
                data   = stats_rdata[at*32 +: 32];
            end
            if (target == TARGET_RING_STATS && index == at[3:0]) begin
                finish = graphics_stats_done[at];
                data   = graphics_stats_rdata[at*32 +: 32];
            end
            if (target == TARGET_GEOMETRY_STATS && index == at[3:0]) begin
                finish = geometry_stats_done[at];
                data   = geometry_stats_rdata[at*32 +: 32];
            end
            if (target == TARGET_PIXEL_STATS && index == at[3:0]) begin
                finish = pixel_stats_done[at];
                data   = pixel_stats_rdata[at*32 +: 32];
            end
        end
        for (at = 0; at < FE_COUNT; at = at + 1)
            if (target == TARGET_TASKS && index == at[3:0]) begin
                finish = submit_done[at];
                code   = submit_error[at*5 +: 5];
                data   = submit_rdata[at*32 +: 32];
            end
        if (target == TARGET_EVENTS) begin
            finish = events_done;
            code   = events_error;
            data   = events_rdata;
        end
        if (target == TARGET_CONTROLS) begin
            finish = controls_done;
            code   = controls_error;
            data   = controls_rdata;
        end
        if (target == TARGET_LEDGER) begin
            finish = ledger_done;
            code   = ledger_error;
            data   = ledger_rdata;
        end
        if (target == TARGET_BELL) begin
            finish = bell_done;
            code   = bell_error;
            data   = bell_rdata;
        end
    end
endmodule

`default_nettype wire
