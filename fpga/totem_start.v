// SPDX-License-Identifier: Apache-2.0
//
// totem_start: the reset of a board. It lasts 256 clocks from power-on, or from when the button is let go
// and the PLL has locked.
//
// Initial values count: the FPGA's configuration sets every flip-flop.

`default_nettype none

module totem_start (
    input  wire clk,
    input  wire button,                     // not synchronous, 1 = pressed
    input  wire locked,                     // of the PLL, not synchronous; 1 without one
    output wire rst
);
    reg [1:0] hold_q  = 2'b11;
    reg [7:0] count_q = 8'd0;
    reg       rst_q   = 1'b1;               // a flip-flop of its own drives the whole machine

    assign rst = rst_q;

    always @(posedge clk) begin
        hold_q  <= {hold_q[0], button || !locked};
        count_q <= hold_q[1] ? 8'd0 : count_q + {7'd0, rst_q};
        rst_q   <= hold_q[1] || (rst_q && count_q != 8'd255);
    end
endmodule

`default_nettype wire
