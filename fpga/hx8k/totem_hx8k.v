// SPDX-License-Identifier: Apache-2.0
//
// totem_hx8k: the self-check on the iCE40 HX8K breakout board, 12 MHz. The board has no button: PLANT = 1
// plants a fault.

`default_nettype none

module totem_hx8k #(
    parameter PLANT = 0
) (
    input  wire       clk,
    output wire [7:0] led
);
    totem_panel #(
        .BEAT(22),
        .PLANT(PLANT)
    ) panel (
        .clk(clk),
        .restart_button(1'b0),
        .plant_button(1'b0),
        .led(led)
    );
endmodule

`default_nettype wire
