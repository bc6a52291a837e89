// SPDX-License-Identifier: Apache-2.0
//
// totem_cells: RAMs of the sizes of the board of mini, and two products; totem_cells_bench compares its netlist
// with it. All RAMs get the same accesses; where MEETS is 0 a write that meets the read is left out.

`default_nettype none

module totem_cells #(
    parameter COUNT = 18                    // of RAMs
) (
    input  wire                clk,
    input  wire                write_enable,
    input  wire [14:0]         write_addr,
    input  wire [63:0]         write_data,
    input  wire                read_enable,
    input  wire [14:0]         read_addr,
    output wire [COUNT*64-1:0] read_data,
    output wire [35:0]         product,
    output wire [35:0]         signed_product
);
    // MEETS, address bits, width
    localparam [12*COUNT-1:0] SIZES = {
        1'd0, 4'd15, 7'd8,  1'd0, 4'd13, 7'd8,  1'd1, 4'd6, 7'd6,   1'd1, 4'd6, 7'd12,  1'd1, 4'd3, 7'd32,
        1'd1, 4'd4, 7'd32,  1'd1, 4'd6, 7'd32,  1'd0, 4'd6, 7'd32,  1'd1, 4'd7, 7'd32,  1'd1, 4'd8, 7'd32,
        1'd1, 4'd9, 7'd32,  1'd1, 4'd10, 7'd32, 1'd0, 4'd11, 7'd32, 1'd1, 4'd4, 7'd64,  1'd1, 4'd6, 7'd64,
        1'd1, 4'd7, 7'd64,  1'd1, 4'd8, 7'd64,  1'd0, 4'd9, 7'd64
    };

    genvar n;
    generate
        for (n = 0; n < COUNT; n = n + 1) begin : g_ram
            localparam WIDTH = SIZES[12*n +: 7];
            localparam BITS  = SIZES[12*n + 7 +: 4];
            localparam MEETS = SIZES[12*n + 11];

            wire [WIDTH-1:0] data;

            totem_ram #(.WIDTH(WIDTH), .DEPTH(1 << BITS), .MEETS(MEETS)) ram (
                .clk(clk),
                .write_enable(write_enable && (MEETS == 1 || write_addr[BITS-1:0] != read_addr[BITS-1:0])),
                .write_addr(write_addr[BITS-1:0]), .write_data(write_data[WIDTH-1:0]), .read_enable(read_enable),
                .read_addr(read_addr[BITS-1:0]), .read_data(data)
            );
            assign read_data[64*n +: 64] = {{64-WIDTH{1'b0}}, data};
        end
    endgenerate

    assign product        = {18'd0, write_data[17:0]} * {18'd0, write_data[35:18]};
    assign signed_product = $signed(write_data[17:0]) * $signed(write_data[35:18]);
endmodule

`default_nettype wire
