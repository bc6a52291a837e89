// SPDX-License-Identifier: Apache-2.0
//
// totem_ulx3s_machine: the machine on the ULX3S, 25 MHz from the oscillator, serial line through the USB
// port US1. Button F1 is the reset. A high wifi_gpio0 keeps the board's ESP32 from taking the FPGA over.
// Parameters are those of fpga/ulx3s/board.yaml.

`default_nettype none

module totem_ulx3s_machine #(
    parameter NUMBER    = 1,
    parameter CLOCK_KHZ = 25000,
    parameter MEMORY    = 262144,
    parameter DIVIDE    = 25
) (
    input  wire       clk,
    input  wire       button_f1,
    input  wire       ftdi_txd,             // from the host
    output wire       ftdi_rxd,             // to the host
    output wire       wifi_gpio0,
    output wire [7:0] led
);
    assign wifi_gpio0 = 1'b1;

    totem_machine_panel #(
        .NUMBER(NUMBER),
        .CLOCK_KHZ(CLOCK_KHZ),
        .MEMORY(MEMORY),
        .DIVIDE(DIVIDE)
    ) panel (
        .clk(clk),
        .button(button_f1),
        .locked(1'b1),
        .rxd(ftdi_txd),
        .txd(ftdi_rxd),
        .led(led)
    );
endmodule

`default_nettype wire
