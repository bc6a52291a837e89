// SPDX-License-Identifier: Apache-2.0
//
// The netlist of totem_ulx3s_machine with the ports of totem_board that fpga/simulate_board.cpp uses (fpga/netlist.sh).

`default_nettype none

module totem_board (
    input  wire clk,
    input  wire rst,
    input  wire rxd,
    output wire txd,
    output wire running
);
    wire [7:0] led;

    assign running = led[2];

    totem_ulx3s_machine top (
        .clk(clk),
        .button_f1(rst),
        .ftdi_txd(rxd),
        .ftdi_rxd(txd),
        .wifi_gpio0(),
        .led(led)
    );
endmodule

`default_nettype wire
