// SPDX-License-Identifier: Apache-2.0
//
// totem_machine_panel: the machine on a board but for pins and clock: totem_board with its reset and its LEDs, the same
// on every board. Parameters are those of fpga/<board>/board.yaml.
//
// Reset lasts 256 clocks from power-on, or from when the button is let go and the PLL has locked. LEDs:
//
//   0 blinks three times in two seconds at 25 MHz while the clock runs   4 a frame was dropped since reset
//   1 the machine is out of reset                                        5 its interrupt pin
//   2 a run is under way                                                 6 an access of the boot list failed
//   3 a right frame has come, for two thirds of a second                    7 a run has ended
//
// Initial values count: the FPGA's configuration sets every flip-flop.

`default_nettype none

module totem_machine_panel #(
    parameter NUMBER    = 1,
    parameter CLOCK_KHZ = 25000,
    parameter MEMORY    = 262144,           // bytes
    parameter DIVIDE    = 25,               // clocks of a bit on the serial line
    parameter BEAT      = 23                // bit of the clock count that blinks
) (
    input  wire       clk,
    input  wire       button,               // not synchronous, 1 = pressed
    input  wire       locked,               // of the PLL, not synchronous; 1 without one
    input  wire       rxd,
    output wire       txd,
    output wire [7:0] led
);
    wire        heard;
    wire        machine_reset;
    wire        is_running;
    wire        has_failed;
    wire        irq_pin;
    wire [15:0] frames_dropped;

    reg [1:0]    hold_q    = 2'b11;
    reg [7:0]    count_q   = 8'd0;
    reg          rst_q     = 1'b1;          // a flip-flop of its own drives the whole machine
    reg [BEAT:0] beat_q    = 0;
    reg [BEAT:0] stretch_q = 0;             // clocks for which LED 3 is still lit
    reg          ran_q     = 1'b0;          // a run was under way since the machine's reset
    reg [7:0]    led_q     = 8'd0;

    assign led = led_q;

    always @(posedge clk) begin
        hold_q  <= {hold_q[0], button || !locked};
        count_q <= hold_q[1] ? 8'd0 : count_q + {7'd0, rst_q};
        rst_q   <= hold_q[1] || (rst_q && count_q != 8'd255);
    end

    always @(posedge clk) begin
        beat_q    <= beat_q + 1'b1;
        stretch_q <= heard ? {BEAT+1{1'b1}} : stretch_q - {{BEAT{1'b0}}, |stretch_q};
        ran_q     <= is_running || (ran_q && !machine_reset);
        led_q     <= {ran_q && !is_running && !machine_reset, has_failed, irq_pin, |frames_dropped, |stretch_q,
                      is_running, !machine_reset, beat_q[BEAT]};
        if (rst_q) begin
            stretch_q <= 0;
            ran_q     <= 1'b0;
        end
    end

    totem_board #(
        .NUMBER(NUMBER),
        .CLOCK_KHZ(CLOCK_KHZ),
        .BYTES(MEMORY),
        .DIVIDE(DIVIDE)
    ) board (
        .clk(clk),
        .rst(rst_q),
        .rxd(rxd),
        .txd(txd),
        .heard(heard),
        .machine_reset(machine_reset),
        .running(is_running),
        .failed(has_failed),
        .irq_pin(irq_pin),
        .dropped(frames_dropped)
    );
endmodule

`default_nettype wire
