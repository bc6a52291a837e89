// SPDX-License-Identifier: Apache-2.0
//
// totem_lights: what the LEDs of a board say of totem_board, slow enough to be seen.
//
//   0 blinks three times in two seconds at 25 MHz while the clock runs   4 a frame was dropped since reset
//   1 the machine is out of reset                                        5 its interrupt pin
//   2 a run is under way                                                 6 an access of the boot list failed
//   3 a right frame has come, for a third of a second                    7 a run has ended
//
// Initial values count: the FPGA's configuration sets every flip-flop.

`default_nettype none

module totem_lights #(
    parameter BEAT = 23                     // bit of the clock count that blinks
) (
    input  wire        clk,
    input  wire        rst,
    // totem_board
    input  wire        heard,
    input  wire        machine_reset,
    input  wire        running,
    input  wire        failed,
    input  wire        irq_pin,
    input  wire [15:0] dropped,
    output wire [7:0]  led
);
    reg [BEAT:0] beat_q    = 0;
    reg [BEAT:0] stretch_q = 0;             // clocks for which LED 3 is still lit
    reg          ran_q     = 1'b0;          // a run was under way since the machine's reset
    reg [7:0]    led_q     = 8'd0;

    assign led = led_q;

    always @(posedge clk) begin
        beat_q    <= beat_q + 1'b1;
        stretch_q <= heard ? {BEAT+1{1'b1}} : stretch_q - {{BEAT{1'b0}}, |stretch_q};
        ran_q     <= running || (ran_q && !machine_reset);
        led_q     <= {ran_q && !running && !machine_reset, failed, irq_pin, |dropped, |stretch_q, running,
                      !machine_reset, beat_q[BEAT]};
        if (rst) begin
            stretch_q <= 0;
            ran_q     <= 1'b0;
        end
    end
endmodule

`default_nettype wire
