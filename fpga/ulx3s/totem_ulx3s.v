// SPDX-License-Identifier: Apache-2.0
//
// totem_ulx3s: the self-check on the ULX3S, 25 MHz. Button F1 restarts, button F2 plants a fault while it
// is held. A high wifi_gpio0 keeps the board's ESP32 from taking the FPGA over.

`default_nettype none

module totem_ulx3s #(
    parameter PLANT = 0
) (
    input  wire       clk,
    input  wire       button_f1,
    input  wire       button_f2,
    output wire       wifi_gpio0,
    output wire [7:0] led
);
    assign wifi_gpio0 = 1'b1;

    totem_panel #(
        .BEAT(23),
        .PLANT(PLANT)
    ) panel (
        .clk(clk),
        .restart_button(button_f1),
        .plant_button(button_f2),
        .led(led)
    );
endmodule

`default_nettype wire
