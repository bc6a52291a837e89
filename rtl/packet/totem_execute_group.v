// SPDX-License-Identifier: Apache-2.0
//
// totem_execute_group: part of totem_execute: waves of a work-group, and whether it fits an empty engine.
//
// Boundary  pure function; `too_large` is of the waves given, not of those computed here.
// Twin      shape() and fit() in cmodel/packet/totem_execute_grid.c.

`default_nettype none

module totem_execute_group #(
    parameter SLOTS = 64,                   // at most 64
    parameter VGPRS = 2048,                 // at most 8191
    parameter LDS   = 512                   // at most 512
) (
    input  wire [12:0] threads,     // of the group
    input  wire        wave32,
    output wire [8:0]  waves,
    output wire [6:0]  last_threads,
    input  wire [8:0]  group_waves,
    input  wire [6:0]  vgprs,       // blocks of a wave
    input  wire [8:0]  lds,         // blocks of the group
    output wire        too_large
);
    localparam [8:0]  MOST_WAVES = SLOTS[8:0];
    localparam [13:0] MOST_VGPRS = VGPRS[13:0];
    localparam [9:0]  MOST_LDS   = LDS[9:0];

    wire [13:0] raised = {1'b0, threads} + (wave32 ? 14'd31 : 14'd63);
    wire [5:0]  others = threads[5:0] - 6'd1;
    wire [15:0] blocks = {7'd0, group_waves} * {9'd0, vgprs};

    assign waves        = wave32 ? raised[13:5] : {1'b0, raised[13:6]};
    assign last_threads = {1'b0, others[5] && !wave32, others[4:0]} + 7'd1;
    assign too_large    = group_waves > MOST_WAVES || blocks > {2'd0, MOST_VGPRS} || {1'b0, lds} > MOST_LDS;

    wire unused = &{1'b0, raised[4:0]};
endmodule

`default_nettype wire
