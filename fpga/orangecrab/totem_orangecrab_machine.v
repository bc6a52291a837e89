// SPDX-License-Identifier: Apache-2.0
//
// totem_orangecrab_machine: the machine on the OrangeCrab r0.2, 24 MHz from a PLL. The board has no serial
// line of its own: an adapter with 3.3 V levels is at pin 0 (to the host) and pin 1 (from the host). The
// button is the reset. Its one LED has three colours: green blinks while the clock runs, blue is a run
// under way, red says that a frame was dropped or that an access of the boot list failed.
// Parameters are those of fpga/orangecrab/board.yaml.

`default_nettype none

module totem_orangecrab_machine #(
    parameter NUMBER    = 2,
    parameter CLOCK_KHZ = 24000,
    parameter MEMORY    = 262144,
    parameter DIVIDE    = 24
) (
    input  wire       clk48,
    input  wire       button_n,
    input  wire       rxd,                  // pin 1 of the header, from the host
    output wire       txd,                  // pin 0, to the host
    output wire [2:0] led_n                 // blue, green, red; 0 = on
);
    wire clk;
    wire locked;
    wire alive;
    wire running;
    wire dropped;
    wire failed;
    wire unused_released, unused_received, unused_irq, unused_ended;    // no LED is left

    assign led_n = ~{running, alive, dropped || failed};

    // 48 MHz / 2 is compared with the output; the oscillator inside runs at 20 times that, 480 MHz.
    (* FREQUENCY_PIN_CLKI = "48", FREQUENCY_PIN_CLKOP = "24", ICP_CURRENT = "12", LPF_RESISTOR = "8",
       MFG_ENABLE_FILTEROPAMP = "1", MFG_GMCREF_SEL = "2" *)
    EHXPLLL #(
        .CLKI_DIV(2),
        .CLKFB_DIV(1),
        .CLKOP_DIV(20),
        .CLKOP_CPHASE(9),
        .CLKOP_FPHASE(0),
        .CLKOP_ENABLE("ENABLED"),
        .FEEDBK_PATH("CLKOP"),
        .OUTDIVIDER_MUXA("DIVA"),
        .PLLRST_ENA("DISABLED"),
        .INTFB_WAKE("DISABLED"),
        .STDBY_ENABLE("DISABLED"),
        .DPHASE_SOURCE("DISABLED")
    ) pll (
        .CLKI(clk48),
        .CLKFB(clk),
        .CLKOP(clk),
        .LOCK(locked),
        .RST(1'b0),
        .STDBY(1'b0),
        .PHASESEL0(1'b0),
        .PHASESEL1(1'b0),
        .PHASEDIR(1'b0),
        .PHASESTEP(1'b0),
        .PHASELOADREG(1'b0),
        .PLLWAKESYNC(1'b0),
        .ENCLKOP(1'b0)
    );

    totem_machine_panel #(
        .NUMBER(NUMBER),
        .CLOCK_KHZ(CLOCK_KHZ),
        .MEMORY(MEMORY),
        .DIVIDE(DIVIDE)
    ) panel (
        .clk(clk),
        .button(!button_n),
        .locked(locked),
        .rxd(rxd),
        .txd(txd),
        .led({unused_ended, failed, unused_irq, dropped, unused_received, running, unused_released, alive})
    );
endmodule

`default_nettype wire
