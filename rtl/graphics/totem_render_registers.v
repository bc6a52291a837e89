// SPDX-License-Identifier: Apache-2.0
//
// totem_render_registers: part of totem_render: which shader registers a draw reads, and what they say.
//
// Policy    the stage that makes geometry waves is GS if the stream has written its resource words, else VS. Before
//           GFX10 the program of GS, and its user data, stand with the registers of ES.
// Boundary  pure function.
// Twin      cmodel/graphics/totem_render_registers.c.

`default_nettype none
`include "totem_pm4.vh"

module totem_render_registers #(
    parameter SLOTS = 64,
    parameter VGPRS = 2048,
    parameter LDS   = 512
) (
    // the draw
    input  wire [1:0]  wrote,
    input  wire        old,
    input  wire [1:0]  stages,
    input  wire [31:0] rsrc1,
    input  wire [31:0] rsrc2,
    input  wire [31:0] pixel_rsrc1,
    input  wire [31:0] pixel_rsrc2,
    // PS_RESERVE
    input  wire [6:0]  reserve_slots,
    input  wire [11:0] reserve_vgprs,
    input  wire [9:0]  reserve_lds,
    // its geometry waves
    output wire        geometry,
    output wire [6:0]  vgprs,
    output wire [8:0]  blocks,
    output wire        wave32,
    output wire [4:0]  words,
    output wire        too_large,
    // its pixel waves
    output wire [6:0]  pixel_vgprs,
    output wire [8:0]  pixel_blocks,
    output wire [4:0]  pixel_words,
    output wire        pixel_large,
    // the register that is read
    input  wire        gather,      // of those that the draw gathers; else of those in its state words
    input  wire [3:0]  place,
    input  wire        part,
    input  wire [4:0]  fetch,
    input  wire        half,
    output wire [8:0]  addr
);
    assign geometry = wrote[0];

    wire [13:0] at_rsrc1   = geometry ? `TOTEM_SH_SPI_SHADER_PGM_RSRC1_GS : `TOTEM_SH_SPI_SHADER_PGM_RSRC1_VS;
    wire [13:0] at_rsrc2   = wrote[1] ? `TOTEM_SH_SPI_SHADER_PGM_RSRC2_GS : `TOTEM_SH_SPI_SHADER_PGM_RSRC2_VS;
    wire [13:0] at_rsrc3   = geometry ? `TOTEM_SH_SPI_SHADER_PGM_RSRC3_GS : `TOTEM_SH_SPI_SHADER_PGM_RSRC3_VS;
    wire [13:0] at_program = !geometry ? `TOTEM_SH_SPI_SHADER_PGM_LO_VS
                           : old ? `TOTEM_SH_SPI_SHADER_PGM_LO_ES_GFX9 : `TOTEM_SH_SPI_SHADER_PGM_LO_ES_GFX10;
    wire [13:0] at_user    = !geometry ? `TOTEM_SH_SPI_SHADER_USER_DATA_VS_0
                           : old ? `TOTEM_SH_SPI_SHADER_USER_DATA_ES_0 : `TOTEM_SH_SPI_SHADER_USER_DATA_GS_0;

    // GFX9 has the high bit of USER_SGPR in bit 28.
    wire        high    = old ? rsrc2[28] : rsrc2[`TOTEM_SPI_SHADER_PGM_RSRC2_GS_USER_SGPR_MSB];
    wire [5:0]  user    = {high, rsrc2[`TOTEM_SPI_SHADER_PGM_RSRC2_GS_USER_SGPR]};
    wire [5:0]  most    = user[5] ? 6'd32 : user;
    wire [5:0]  pairs   = most + 6'd1;
    assign      vgprs   = {1'b0, rsrc1[`TOTEM_SPI_SHADER_PGM_RSRC1_GS_VGPRS]} + 7'd1;
    assign      blocks  = wrote[1] ? {1'b0, rsrc2[`TOTEM_SPI_SHADER_PGM_RSRC2_GS_LDS_SIZE]} : 9'd0;
    assign      wave32  = !old && (geometry ? stages[0] : stages[1]);
    assign      words   = pairs[5:1] + 5'd2;
    assign      too_large = {25'd0, vgprs} + {20'd0, reserve_vgprs} > VGPRS
                         || {23'd0, blocks} + {22'd0, reserve_lds} > LDS
                         || {25'd0, reserve_slots} >= SLOTS;

    wire [5:0]  pixel_user  = {pixel_rsrc2[`TOTEM_SPI_SHADER_PGM_RSRC2_PS_USER_SGPR_MSB],
                               pixel_rsrc2[`TOTEM_SPI_SHADER_PGM_RSRC2_PS_USER_SGPR]};
    wire [5:0]  pixel_most  = pixel_user[5] ? 6'd32 : pixel_user;
    wire [5:0]  pixel_pairs = pixel_most + 6'd1;
    assign      pixel_vgprs  = {1'b0, pixel_rsrc1[`TOTEM_SPI_SHADER_PGM_RSRC1_PS_VGPRS]} + 7'd1;
    assign      pixel_blocks = {1'b0, pixel_rsrc2[`TOTEM_SPI_SHADER_PGM_RSRC2_PS_EXTRA_LDS_SIZE]};
    assign      pixel_words  = pixel_pairs[5:1] + 5'd2;
    assign      pixel_large  = {5'd0, pixel_vgprs} > reserve_vgprs || {1'b0, pixel_blocks} > reserve_lds
                            || reserve_slots == 7'd0;

    reg [13:0] gathered;
    always @*
        case (place)
            4'd0:    gathered = at_rsrc1;
            4'd1:    gathered = at_rsrc2;
            4'd2:    gathered = at_program;
            4'd3:    gathered = at_program + 14'd1;
            4'd4:    gathered = `TOTEM_SH_SPI_SHADER_PGM_RSRC1_PS;
            4'd5:    gathered = `TOTEM_SH_SPI_SHADER_PGM_RSRC2_PS;
            4'd6:    gathered = `TOTEM_SH_SPI_SHADER_PGM_LO_PS;
            4'd7:    gathered = `TOTEM_SH_SPI_SHADER_PGM_HI_PS;
            default: gathered = `TOTEM_SH_SPI_SHADER_PGM_RSRC4_GS;
        endcase

    wire [4:0]  pair  = fetch - 5'd2;
    wire [13:0] first = part ? (half ? `TOTEM_SH_SPI_SHADER_PGM_RSRC2_PS : `TOTEM_SH_SPI_SHADER_PGM_RSRC1_PS)
                             : (half ? at_rsrc2 : at_rsrc1);
    wire [13:0] rsrc3 = part ? `TOTEM_SH_SPI_SHADER_PGM_RSRC3_PS : at_rsrc3;
    wire [13:0] data  = (part ? `TOTEM_SH_SPI_SHADER_USER_DATA_PS_0 : at_user) + {8'd0, pair, half};
    wire [13:0] at    = gather ? gathered : (fetch == 5'd0) ? first : (fetch == 5'd1) ? rsrc3 : data;
    assign      addr  = at[8:0];

    // The RAM has 512 registers; the resource words have more fields.
    wire        unused = &{1'b0, at, rsrc1, rsrc2, pixel_rsrc1, pixel_rsrc2, pairs, pixel_pairs};
endmodule

`default_nettype wire
