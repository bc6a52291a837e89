// SPDX-License-Identifier: Apache-2.0
//
// totem_fold: folds the outputs of one block in every clock of a run into 16 bits; one of a chain.
//
// Policy    four output bits and their masks end at one flip-flop, so that a board has cells and wires for it.
// Latency   the outputs of clock n are in the signature from n + 3 on.
// Boundary  chain_out is the state.
// Cost      a flip-flop for four output bits and 32 more, up to two thirds of a LUT4 for each bit.
// Proved    1 start, 2 stays, 3 inverse of the contract.
// Twin      cmodel/bridge/totem_fold.c, same names.

`default_nettype none

module totem_fold #(
    parameter WIDTH = 100
) (
    input  wire             clk,
    input  wire             rst,
    // signature
    input  wire             signature_live,
    input  wire             signature_shift,
    // chain
    input  wire [15:0]      chain_in,
    output wire [15:0]      chain_out,
    // block
    input  wire [WIDTH-1:0] data,
    input  wire [WIDTH-1:0] keep
);
`include "totem_fold_values.vh"

    localparam WORDS = (WIDTH + 15) / 16;

    localparam PARTS = (WORDS + 3) / 4;

    reg [PARTS*16-1:0] parts_q, parts_d;
    reg [15:0]         fold_q, fold_d;
    reg [15:0]         signature_q, signature_d;

    assign chain_out = signature_q;

    wire [WORDS*16-1:0] kept = {{WORDS*16-WIDTH{1'b0}}, data & keep};
    wire [WORDS*16-1:0] turned;
    genvar              n;
    generate
        for (n = 0; n < WORDS; n = n + 1) begin : turn
            localparam LEFT = (5*n) % 16;
            if (LEFT == 0) begin : whole
                assign turned[n*16 +: 16] = kept[n*16 +: 16];
            end else begin : part
                assign turned[n*16 +: 16] = {kept[n*16 +: 16-LEFT], kept[n*16 + 16 - LEFT +: LEFT]};
            end
        end
    endgenerate

    integer w;
    always @* begin
        // 1 Parts
        parts_d = {PARTS*16{1'b0}};
        for (w = 0; w < WORDS; w = w + 1)
            parts_d[w/4*16 +: 16] = parts_d[w/4*16 +: 16] ^ turned[w*16 +: 16];
        // 2 Fold
        fold_d = 16'd0;
        for (w = 0; w < PARTS; w = w + 1)
            fold_d = fold_d ^ parts_q[w*16 +: 16];
        // 3 Step
        signature_d = signature_q;
        if (signature_live)
            signature_d = {signature_q[14:0], 1'b0} ^ {1'b0, signature_q[15:1]} ^ (signature_q & FOLD_RULE) ^ fold_q;
        else if (signature_shift)
            signature_d = chain_in;
    end

    always @(posedge clk) begin
        parts_q     <= parts_d;
        fold_q      <= fold_d;
        signature_q <= signature_d;
        if (rst)
            signature_q <= FOLD_START;
    end

`ifdef FORMAL
`include "totem_fold_properties.vh"
`endif
endmodule

`default_nettype wire
