// SPDX-License-Identifier: Apache-2.0
//
// DP16KD: block RAM of the ECP5, to simulate a netlist; Yosys has it as a black box. Written from Lattice
// FPGA-TN-02204 (memory usage guide).
//
// Policy    as Yosys uses it for totem_ram: port A writes, port B reads; no output register, no reset, rising edges.
//           Other parameters are refused when the model is built, other levels of pins stop the simulation. What the
//           maker leaves open reads as X: bits that port A writes in the same clock.
// Latency   read data follows CEB by one clock and stays until the next read.
// Boundary  512 rows of 36 bits, four bytes of 9; widths 1, 2 and 4 leave the ninth bit of a byte alone. When 18
//           or 36 bits are written, the lowest two or four bits of the address are byte enables. A read of 36 has its
//           lower half on DOA. INITVAL: 16 words of 18 bits, each in 20 bits.

`default_nettype none

module DP16KD (
    input  wire DIA17, DIA16, DIA15, DIA14, DIA13, DIA12, DIA11, DIA10, DIA9, DIA8, DIA7, DIA6, DIA5, DIA4, DIA3,
                DIA2, DIA1, DIA0,
    input  wire ADA13, ADA12, ADA11, ADA10, ADA9, ADA8, ADA7, ADA6, ADA5, ADA4, ADA3, ADA2, ADA1, ADA0,
    input  wire CLKA, CEA, OCEA, WEA, RSTA, CSA2, CSA1, CSA0,
    output wire DOA17, DOA16, DOA15, DOA14, DOA13, DOA12, DOA11, DOA10, DOA9, DOA8, DOA7, DOA6, DOA5, DOA4, DOA3,
                DOA2, DOA1, DOA0,
    input  wire DIB17, DIB16, DIB15, DIB14, DIB13, DIB12, DIB11, DIB10, DIB9, DIB8, DIB7, DIB6, DIB5, DIB4, DIB3,
                DIB2, DIB1, DIB0,
    input  wire ADB13, ADB12, ADB11, ADB10, ADB9, ADB8, ADB7, ADB6, ADB5, ADB4, ADB3, ADB2, ADB1, ADB0,
    input  wire CLKB, CEB, OCEB, WEB, RSTB, CSB2, CSB1, CSB0,
    output wire DOB17, DOB16, DOB15, DOB14, DOB13, DOB12, DOB11, DOB10, DOB9, DOB8, DOB7, DOB6, DOB5, DOB4, DOB3,
                DOB2, DOB1, DOB0
);
    parameter DATA_WIDTH_A        = 18;
    parameter DATA_WIDTH_B        = 18;
    parameter CLKAMUX             = "CLKA";
    parameter CLKBMUX             = "CLKB";
    parameter REGMODE_A           = "NOREG";
    parameter REGMODE_B           = "NOREG";
    parameter CSDECODE_A          = "0b000";
    parameter CSDECODE_B          = "0b000";
    parameter WRITEMODE_A         = "NORMAL";       // what a port that writes reads at the same time: nobody looks
    parameter WRITEMODE_B         = "NORMAL";
    parameter RESETMODE           = "SYNC";         // RSTA and RSTB are 0
    parameter ASYNC_RESET_RELEASE = "SYNC";
    parameter GSR                 = "ENABLED";
    parameter
        INITVAL_00 = 320'd0, INITVAL_01 = 320'd0, INITVAL_02 = 320'd0, INITVAL_03 = 320'd0,
        INITVAL_04 = 320'd0, INITVAL_05 = 320'd0, INITVAL_06 = 320'd0, INITVAL_07 = 320'd0,
        INITVAL_08 = 320'd0, INITVAL_09 = 320'd0, INITVAL_0A = 320'd0, INITVAL_0B = 320'd0,
        INITVAL_0C = 320'd0, INITVAL_0D = 320'd0, INITVAL_0E = 320'd0, INITVAL_0F = 320'd0,
        INITVAL_10 = 320'd0, INITVAL_11 = 320'd0, INITVAL_12 = 320'd0, INITVAL_13 = 320'd0,
        INITVAL_14 = 320'd0, INITVAL_15 = 320'd0, INITVAL_16 = 320'd0, INITVAL_17 = 320'd0,
        INITVAL_18 = 320'd0, INITVAL_19 = 320'd0, INITVAL_1A = 320'd0, INITVAL_1B = 320'd0,
        INITVAL_1C = 320'd0, INITVAL_1D = 320'd0, INITVAL_1E = 320'd0, INITVAL_1F = 320'd0,
        INITVAL_20 = 320'd0, INITVAL_21 = 320'd0, INITVAL_22 = 320'd0, INITVAL_23 = 320'd0,
        INITVAL_24 = 320'd0, INITVAL_25 = 320'd0, INITVAL_26 = 320'd0, INITVAL_27 = 320'd0,
        INITVAL_28 = 320'd0, INITVAL_29 = 320'd0, INITVAL_2A = 320'd0, INITVAL_2B = 320'd0,
        INITVAL_2C = 320'd0, INITVAL_2D = 320'd0, INITVAL_2E = 320'd0, INITVAL_2F = 320'd0,
        INITVAL_30 = 320'd0, INITVAL_31 = 320'd0, INITVAL_32 = 320'd0, INITVAL_33 = 320'd0,
        INITVAL_34 = 320'd0, INITVAL_35 = 320'd0, INITVAL_36 = 320'd0, INITVAL_37 = 320'd0,
        INITVAL_38 = 320'd0, INITVAL_39 = 320'd0, INITVAL_3A = 320'd0, INITVAL_3B = 320'd0,
        INITVAL_3C = 320'd0, INITVAL_3D = 320'd0, INITVAL_3E = 320'd0, INITVAL_3F = 320'd0;

    generate
        if ((DATA_WIDTH_A != 1 && DATA_WIDTH_A != 2 && DATA_WIDTH_A != 4 && DATA_WIDTH_A != 9 && DATA_WIDTH_A != 18 &&
             DATA_WIDTH_A != 36) ||
            (DATA_WIDTH_B != 1 && DATA_WIDTH_B != 2 && DATA_WIDTH_B != 4 && DATA_WIDTH_B != 9 && DATA_WIDTH_B != 18 &&
             DATA_WIDTH_B != 36) ||
            CLKAMUX != "CLKA" || CLKBMUX != "CLKB" || REGMODE_A != "NOREG" || REGMODE_B != "NOREG" ||
            CSDECODE_A != "0b000" || CSDECODE_B != "0b000") begin : check
            DP16KD_has_a_parameter_that_fpga_cells_DP16KD_v_does_not_model refused ();
        end
    endgenerate

    // Bits of a row that an access of that width has, before it is moved to its place.
    localparam [35:0] BITS_A = ~(36'hfffffffff << DATA_WIDTH_A);
    localparam [35:0] BITS_B = ~(36'hfffffffff << DATA_WIDTH_B);
    // Bits of address 4:0 that choose the place in the row: 5 for width 1, none for 36.
    localparam [4:0] PLACE_A = 5'd0 - (DATA_WIDTH_A - DATA_WIDTH_A / 9);
    localparam [4:0] PLACE_B = 5'd0 - (DATA_WIDTH_B - DATA_WIDTH_B / 9);
    localparam [20479:0] INIT = {
        INITVAL_3F, INITVAL_3E, INITVAL_3D, INITVAL_3C, INITVAL_3B, INITVAL_3A, INITVAL_39, INITVAL_38,
        INITVAL_37, INITVAL_36, INITVAL_35, INITVAL_34, INITVAL_33, INITVAL_32, INITVAL_31, INITVAL_30,
        INITVAL_2F, INITVAL_2E, INITVAL_2D, INITVAL_2C, INITVAL_2B, INITVAL_2A, INITVAL_29, INITVAL_28,
        INITVAL_27, INITVAL_26, INITVAL_25, INITVAL_24, INITVAL_23, INITVAL_22, INITVAL_21, INITVAL_20,
        INITVAL_1F, INITVAL_1E, INITVAL_1D, INITVAL_1C, INITVAL_1B, INITVAL_1A, INITVAL_19, INITVAL_18,
        INITVAL_17, INITVAL_16, INITVAL_15, INITVAL_14, INITVAL_13, INITVAL_12, INITVAL_11, INITVAL_10,
        INITVAL_0F, INITVAL_0E, INITVAL_0D, INITVAL_0C, INITVAL_0B, INITVAL_0A, INITVAL_09, INITVAL_08,
        INITVAL_07, INITVAL_06, INITVAL_05, INITVAL_04, INITVAL_03, INITVAL_02, INITVAL_01, INITVAL_00
    };

    wire [13:0] addr_a = {ADA13, ADA12, ADA11, ADA10, ADA9, ADA8, ADA7, ADA6, ADA5, ADA4, ADA3, ADA2, ADA1, ADA0};
    wire [13:0] addr_b = {ADB13, ADB12, ADB11, ADB10, ADB9, ADB8, ADB7, ADB6, ADB5, ADB4, ADB3, ADB2, ADB1, ADB0};
    wire [35:0] data_a = {DIB17, DIB16, DIB15, DIB14, DIB13, DIB12, DIB11, DIB10, DIB9, DIB8, DIB7, DIB6, DIB5, DIB4,
                          DIB3, DIB2, DIB1, DIB0,
                          DIA17, DIA16, DIA15, DIA14, DIA13, DIA12, DIA11, DIA10, DIA9, DIA8, DIA7, DIA6, DIA5, DIA4,
                          DIA3, DIA2, DIA1, DIA0};

    reg  [35:0] data_q [0:511];
    reg  [35:0] read_q;

    // Nine bits a byte.
    wire [4:0]  in_a    = addr_a[4:0] & PLACE_A;
    wire [4:0]  in_b    = addr_b[4:0] & PLACE_B;
    wire [5:0]  place_a = {1'b0, in_a[4:3], 3'd0} + {4'd0, in_a[4:3]} + {3'd0, in_a[2:0]};
    wire [5:0]  place_b = {1'b0, in_b[4:3], 3'd0} + {4'd0, in_b[4:3]} + {3'd0, in_b[2:0]};
    wire [35:0] bytes_a = {{9{addr_a[3]}}, {9{addr_a[2]}}, {9{addr_a[1]}}, {9{addr_a[0]}}};
    wire [35:0] write_a = ((DATA_WIDTH_A >= 18 ? bytes_a : 36'hfffffffff) & BITS_A) << place_a;
    wire        write   = CEA && WEA;

    assign {DOB17, DOB16, DOB15, DOB14, DOB13, DOB12, DOB11, DOB10, DOB9, DOB8, DOB7, DOB6, DOB5, DOB4, DOB3, DOB2,
            DOB1, DOB0} =
        (DATA_WIDTH_B == 36) ? read_q[35:18] : read_q[17:0];
    assign {DOA17, DOA16, DOA15, DOA14, DOA13, DOA12, DOA11, DOA10, DOA9, DOA8, DOA7, DOA6, DOA5, DOA4, DOA3, DOA2,
            DOA1, DOA0} =
        (DATA_WIDTH_B == 36) ? read_q[17:0] : 18'bx;

    // In steps: simulators copy the whole vector that they take a slice of.
    reg [20479:0] init;
    reg [319:0]   slice;
    integer       n;
    integer       row;
    initial begin
        init = INIT;
        for (n = 0; n < 64; n = n + 1) begin
            slice = init[320*n +: 320];
            for (row = 0; row < 8; row = row + 1)
                data_q[8*n + row] = {slice[40*row + 20 +: 18], slice[40*row +: 18]};
        end
        read_q = 36'd0;
    end

    always @(posedge CLKA)
        if (write)
            data_q[addr_a[13:5]] <= (data_q[addr_a[13:5]] & ~write_a) | ((data_a << place_a) & write_a);

    always @(posedge CLKB)
        if (CEB)
            read_q <= (write && addr_a[13:5] == addr_b[13:5] && |(write_a & (BITS_B << place_b))) ? 36'bx :
                      (data_q[addr_b[13:5]] >> place_b) & BITS_B;

    always @(posedge CLKB)
        if (WEB || RSTA || RSTB || !OCEB || CSA2 || CSA1 || CSA0 || CSB2 || CSB1 || CSB0) begin
            $display("DP16KD: a pin has a level that fpga/cells/DP16KD.v does not model");
            $stop;
        end
endmodule

`default_nettype wire
