// SPDX-License-Identifier: Apache-2.0
//
// MULT18X18D: multiplier of the ECP5, to simulate a netlist; Yosys has it as a black box. Written from Lattice
// FPGA-TN-02205 (sysDSP usage guide).
//
// Policy    as Yosys uses it: the product of A and B, both signed or both not, without a register. Other parameters are
//           refused when the model is built, other levels of pins stop the simulation.
// Latency   none.

`default_nettype none

module MULT18X18D (
    input  wire A17, A16, A15, A14, A13, A12, A11, A10, A9, A8, A7, A6, A5, A4, A3, A2, A1, A0,
    input  wire B17, B16, B15, B14, B13, B12, B11, B10, B9, B8, B7, B6, B5, B4, B3, B2, B1, B0,
    input  wire C17, C16, C15, C14, C13, C12, C11, C10, C9, C8, C7, C6, C5, C4, C3, C2, C1, C0,
    input  wire SRIA17, SRIA16, SRIA15, SRIA14, SRIA13, SRIA12, SRIA11, SRIA10, SRIA9, SRIA8, SRIA7, SRIA6, SRIA5,
                SRIA4, SRIA3, SRIA2, SRIA1, SRIA0,
    input  wire SRIB17, SRIB16, SRIB15, SRIB14, SRIB13, SRIB12, SRIB11, SRIB10, SRIB9, SRIB8, SRIB7, SRIB6, SRIB5,
                SRIB4, SRIB3, SRIB2, SRIB1, SRIB0,
    input  wire SIGNEDA, SIGNEDB, SOURCEA, SOURCEB,
    input  wire CLK3, CLK2, CLK1, CLK0, CE3, CE2, CE1, CE0, RST3, RST2, RST1, RST0,
    output wire SROA17, SROA16, SROA15, SROA14, SROA13, SROA12, SROA11, SROA10, SROA9, SROA8, SROA7, SROA6, SROA5,
                SROA4, SROA3, SROA2, SROA1, SROA0,
    output wire SROB17, SROB16, SROB15, SROB14, SROB13, SROB12, SROB11, SROB10, SROB9, SROB8, SROB7, SROB6, SROB5,
                SROB4, SROB3, SROB2, SROB1, SROB0,
    output wire ROA17, ROA16, ROA15, ROA14, ROA13, ROA12, ROA11, ROA10, ROA9, ROA8, ROA7, ROA6, ROA5, ROA4, ROA3,
                ROA2, ROA1, ROA0,
    output wire ROB17, ROB16, ROB15, ROB14, ROB13, ROB12, ROB11, ROB10, ROB9, ROB8, ROB7, ROB6, ROB5, ROB4, ROB3,
                ROB2, ROB1, ROB0,
    output wire ROC17, ROC16, ROC15, ROC14, ROC13, ROC12, ROC11, ROC10, ROC9, ROC8, ROC7, ROC6, ROC5, ROC4, ROC3,
                ROC2, ROC1, ROC0,
    output wire P35, P34, P33, P32, P31, P30, P29, P28, P27, P26, P25, P24, P23, P22, P21, P20, P19, P18, P17, P16,
                P15, P14, P13, P12, P11, P10, P9, P8, P7, P6, P5, P4, P3, P2, P1, P0,
    output wire SIGNEDP
);
    parameter REG_INPUTA_CLK   = "NONE";
    parameter REG_INPUTB_CLK   = "NONE";
    parameter REG_INPUTC_CLK   = "NONE";
    parameter REG_PIPELINE_CLK = "NONE";
    parameter REG_OUTPUT_CLK   = "NONE";

    generate
        if (REG_INPUTA_CLK != "NONE" || REG_INPUTB_CLK != "NONE" || REG_INPUTC_CLK != "NONE" ||
            REG_PIPELINE_CLK != "NONE" || REG_OUTPUT_CLK != "NONE") begin : check
            MULT18X18D_has_a_parameter_that_fpga_cells_MULT18X18D_v_does_not_model refused ();
        end
    endgenerate

    wire [17:0] a = {A17, A16, A15, A14, A13, A12, A11, A10, A9, A8, A7, A6, A5, A4, A3, A2, A1, A0};
    wire [17:0] b = {B17, B16, B15, B14, B13, B12, B11, B10, B9, B8, B7, B6, B5, B4, B3, B2, B1, B0};

    assign {P35, P34, P33, P32, P31, P30, P29, P28, P27, P26, P25, P24, P23, P22, P21, P20, P19, P18, P17, P16, P15,
            P14, P13, P12, P11, P10, P9, P8, P7, P6, P5, P4, P3, P2, P1, P0} =
        {{18{SIGNEDA && a[17]}}, a} * {{18{SIGNEDB && b[17]}}, b};
    assign SIGNEDP = SIGNEDA || SIGNEDB;

    always @*
        if (SOURCEA || SOURCEB) begin
            $display("MULT18X18D: a pin has a level that fpga/cells/MULT18X18D.v does not model");
            $stop;
        end
endmodule

`default_nettype wire
