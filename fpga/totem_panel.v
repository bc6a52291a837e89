// SPDX-License-Identifier: Apache-2.0
//
// totem_panel: self-check, eight LEDs and two buttons, the same on every board.
//
// LEDs      [0] blinks: the clock runs and nothing is wrong. [1] the last run passed. [2] a run failed
//           (stays until restart). [7:3] while green the number of passed runs; when red the number k
//           of the first mark that was wrong: the first wrong clock lies between 2^(k-1) and 2^k.
// Restart   a run begins at every beat, 2^(BEAT+1) clocks apart if that is longer than a run; the
//           first failure stops this. The restart button forgets it.
// Plant     while the button is held one bit of the block's outputs is flipped before it is looked at.
//           PLANT = 1 flips it in the middle clock of every run instead.

`default_nettype none

module totem_panel #(
    parameter BEAT  = 22,
    parameter PLANT = 0
) (
    input  wire       clk,
    input  wire       restart_button,       // not synchronous, 1 = pressed
    input  wire       plant_button,
    output wire [7:0] led
);
    reg [1:0]    restart_q = 2'd0;
    reg [1:0]    plant_q   = 2'd0;
    reg [BEAT:0] beat_q    = {BEAT+1{1'b0}};
    reg          again_q   = 1'b0;
    reg          passed_q  = 1'b0;
    reg          failed_q  = 1'b0;
    reg          seen_q    = 1'b0;
    reg [4:0]    runs_q    = 5'd0;

    wire         pass;
    wire         fail;
    wire         running;
    wire [4:0]   first;
    wire [63:0]  unused_signature;          // for simulation
    wire [31:0]  unused_folded;

    assign led = {failed_q ? first : runs_q, failed_q, passed_q && !failed_q, beat_q[BEAT] && !failed_q};

    totem_selfcheck #(
        .PLANT(PLANT)
    ) selfcheck (
        .clk(clk),
        .restart(again_q),
        .plant(plant_q[1]),
        .running(running),
        .pass(pass),
        .fail(fail),
        .first(first),
        .signature(unused_signature),
        .folded(unused_folded)
    );

    always @(posedge clk) begin
        restart_q <= {restart_q[0], restart_button};
        plant_q   <= {plant_q[0], plant_button};
        beat_q    <= beat_q + {{BEAT{1'b0}}, 1'b1};
        again_q   <= restart_q[1] || (seen_q && !failed_q && beat_q == {BEAT+1{1'b0}});
        if (pass && !seen_q && !again_q) begin
            passed_q <= 1'b1;
            seen_q   <= 1'b1;
            runs_q   <= runs_q + 5'd1;
        end
        if (fail && !again_q)
            failed_q <= 1'b1;
        if (running)
            seen_q <= 1'b0;
        if (restart_q[1]) begin
            passed_q <= 1'b0;
            failed_q <= 1'b0;
            seen_q   <= 1'b0;
            runs_q   <= 5'd0;
        end
    end
endmodule

`default_nettype wire
