// SPDX-License-Identifier: Apache-2.0
//
// totem_turn: clocks in which a queue has the pipe.
//
// Latency   a clock is counted in the next one.
// Twin      cmodel/queue/totem_turn.c, docs/contract/turn.md.

`default_nettype none

module totem_turn (
    input  wire        clk,
    input  wire        rst,
    input  wire        arbiter_selected_valid,
    output wire [31:0] clocks
);
    reg [31:0] clocks_q, clocks_d;

    initial clocks_q = 32'd0;

    assign clocks = clocks_q;

    always @* clocks_d = clocks_q + {31'd0, arbiter_selected_valid};

    always @(posedge clk) begin
        clocks_q <= clocks_d;
        if (rst)
            clocks_q <= 32'd0;
    end
endmodule

`default_nettype wire
