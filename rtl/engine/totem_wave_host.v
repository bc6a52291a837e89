// SPDX-License-Identifier: Apache-2.0
//
// totem_wave_host: part of totem_wave: what a host access reads, what it would write, and whether it is refused.
//
// Boundary  combinational; the registers stand in totem_wave. error counts for an access, merged for a write.
// Twin      host_value and host_error_of in cmodel/engine/totem_wave.c.

`default_nettype none

`include "totem_pm4.vh"
`include "totem_regs.vh"

module totem_wave_host #(
    parameter SLOTS    = 64,
    parameter GRAPHICS = 0,
    parameter TASKS    = 0
) (
    input  wire             host_write,
    input  wire [7:0]       host_dword,
    input  wire [3:0]       host_strobe,
    input  wire [31:0]      host_data,
    // registers
    input  wire [16*32-1:0] duration,
    input  wire [16*5-1:0]  spread,
    input  wire [31:0]      seed,
    input  wire [15:0]      rate,
    input  wire [16*3-1:0]  multiplier,
    input  wire [16*8-1:0]  culled,
    input  wire [16*20-1:0] pixels,
    input  wire [16*32-1:0] child,
    input  wire [31:0]      children,
    input  wire [31:0]      refused,
    input  wire [SLOTS-1:0] occupied,
    // which register; none of them also for the rest
    output wire             to_duration,
    output wire             to_spread,
    output wire             to_seed,
    output wire             to_rate,
    output wire             to_export,
    output wire             to_pixels,
    output wire             to_child,
    // the access
    output reg  [31:0]      present,
    output wire [31:0]      merged,
    output wire [4:0]       error
);
    localparam [7:0] CODE_HOLE = `TOTEM_ERROR_HOST_HOLE, CODE_READ_ONLY = `TOTEM_ERROR_HOST_READ_ONLY,
                     CODE_VALUE = `TOTEM_ERROR_HOST_VALUE;
    localparam [7:0] CHILD_END = `TOTEM_REG_ENGINE_CHILD + 8'd16;
    localparam [4:0] SPREAD_MAX = 5'd30;    // with 30 bits of duration a deadline is within 2^31 clocks
    localparam [2:0] MULTIPLIER_MAX = 3'd4; // 64 primitives give 256 at most

    wire [3:0]  entry  = host_dword[3:0];
    wire        slots  = host_dword == `TOTEM_REG_ENGINE_OCCUPIED_LOW || host_dword == `TOTEM_REG_ENGINE_OCCUPIED_HIGH;
    wire        counts = TASKS != 0 &&
                         (host_dword == `TOTEM_REG_ENGINE_CHILDREN || host_dword == `TOTEM_REG_ENGINE_REFUSED);
    wire        there  = to_duration || to_spread || to_seed || to_rate || to_export || to_pixels || to_child ||
                         slots || counts;
    wire        illegal;
    reg  [63:0] running;

    assign to_duration = host_dword < `TOTEM_REG_ENGINE_SPREAD;
    assign to_spread   = host_dword >= `TOTEM_REG_ENGINE_SPREAD && host_dword < `TOTEM_REG_ENGINE_SEED;
    assign to_seed     = host_dword == `TOTEM_REG_ENGINE_SEED;
    assign to_rate     = host_dword == `TOTEM_REG_ENGINE_RATE;
    assign to_export   = GRAPHICS != 0 && host_dword >= `TOTEM_REG_ENGINE_EXPORT &&
                         host_dword < `TOTEM_REG_ENGINE_PIXELS;
    assign to_pixels   = GRAPHICS != 0 && host_dword >= `TOTEM_REG_ENGINE_PIXELS &&
                         host_dword < `TOTEM_REG_ENGINE_CHILD;
    assign to_child    = TASKS != 0 && host_dword >= `TOTEM_REG_ENGINE_CHILD && host_dword < CHILD_END;

    // 11 Host, continued
    always @* begin
        running            = 64'd0;
        running[SLOTS-1:0] = occupied;
        present            = 32'd0;
        if (to_duration)
            present = duration[entry*32 +: 32];
        else if (to_spread)
            present = {27'd0, spread[entry*5 +: 5]};
        else if (to_export)
            present = {16'd0, culled[entry*8 +: 8], 5'd0, multiplier[entry*3 +: 3]};
        else if (to_pixels)
            present = {12'd0, pixels[entry*20 +: 20]};
        else if (to_child)
            present = child[entry*32 +: 32];
        else if (counts)
            present = host_dword == `TOTEM_REG_ENGINE_CHILDREN ? children : refused;
        else
            case (host_dword)
                `TOTEM_REG_ENGINE_SEED:          present = seed;
                `TOTEM_REG_ENGINE_RATE:          present = {16'd0, rate};
                `TOTEM_REG_ENGINE_OCCUPIED_LOW:  present = running[31:0];
                `TOTEM_REG_ENGINE_OCCUPIED_HIGH: present = running[63:32];
                default: ;
            endcase
    end

    assign merged  = {host_strobe[3] ? host_data[31:24] : present[31:24],
                      host_strobe[2] ? host_data[23:16] : present[23:16],
                      host_strobe[1] ? host_data[15:8]  : present[15:8],
                      host_strobe[0] ? host_data[7:0]   : present[7:0]};
    assign illegal = (to_spread && (merged[31:5] != 27'd0 || merged[4:0] > SPREAD_MAX)) ||
                     (to_seed && merged == 32'd0) ||
                     (to_rate && merged[31:16] != 16'd0) ||
                     (to_export && (merged[31:16] != 16'd0 || merged[7:3] != 5'd0 || merged[2:0] > MULTIPLIER_MAX)) ||
                     (to_pixels && merged[31:20] != 12'd0);
    assign error   = !there                           ? CODE_HOLE[4:0] :
                     host_write && (slots || counts) ? CODE_READ_ONLY[4:0] :
                     host_write && illegal           ? CODE_VALUE[4:0] : 5'd0;

    wire unused = &{1'b0, CODE_HOLE[7:5], CODE_READ_ONLY[7:5], CODE_VALUE[7:5]};
endmodule

`default_nettype wire
