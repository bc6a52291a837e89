// SPDX-License-Identifier: Apache-2.0
//
// totem_panel_bench: a person at the board, under Icarus: green, runs counted, a fault planted with the
// button, red with the mark, red after the button is let go, green again after restart. For runs of
// 100 clocks (fpga/check.sh model TOP --clocks 100).

`default_nettype none

module totem_panel_bench;
    reg        clk = 1'b0;
    reg        restart_button = 1'b0;
    reg        plant_button = 1'b0;
    wire [7:0] led;
    integer    passed = 0, failed = 0;
    reg [4:0]  runs;

    totem_panel #(.BEAT(8)) panel (
        .clk(clk),
        .restart_button(restart_button),
        .plant_button(plant_button),
        .led(led)
    );

    // The same with the fault built in; its clock stops when it has been seen, to save time.
    reg        seen = 1'b0;
    wire       clk_planted = clk && !seen;
    wire [7:0] led_planted;

    totem_panel #(.BEAT(8), .PLANT(1)) planted (
        .clk(clk_planted),
        .restart_button(1'b0),
        .plant_button(1'b0),
        .led(led_planted)
    );

    always #5 clk = !clk;

    task see(input good, input [8*48-1:0] what);
        begin
            if (good) begin
                passed = passed + 1;
                $display("ok   %0s", what);
            end else begin
                failed = failed + 1;
                $display("FAIL %0s: LEDs %b", what, led);
            end
        end
    endtask

    initial begin
        #(10*100) see(led[2:1] == 2'b00, "dark before the first verdict");
        #(10*300) see(led[2:1] == 2'b01 && led[7:3] == 5'd1, "green after the first run");
        see(led_planted[2:0] == 3'b100, "PLANT = 1 is red");
        see(led_planted[7:3] == 5'd6, "its first wrong mark is 2^6, after clock 51");
        seen = 1'b1;
        runs = led[7:3];
        #(10*1100) see(led[2:1] == 2'b01 && led[7:3] > runs, "runs are repeated and counted");
        plant_button = 1'b1;
        #(10*1100) see(led[2:0] == 3'b100, "a planted fault shows red, nothing blinks");
        see(led[7:3] == 5'd0, "the first mark is wrong: from the start");
        plant_button = 1'b0;
        #(10*1100) see(led[2:1] == 2'b10, "red stays");
        restart_button = 1'b1;
        #(10*20) restart_button = 1'b0;
        #(10*300) see(led[2:1] == 2'b01, "green again after restart");
        #(10*100) plant_button = 1'b1;      // no run: nothing to spoil
        #(10*20) plant_button = 1'b0;
        #(10*1100) see(led[2:1] == 2'b01, "a fault between two runs harms none");
        $display("%0d passed, %0d failed", passed, failed);
        $finish;
    end
endmodule

`default_nettype wire
