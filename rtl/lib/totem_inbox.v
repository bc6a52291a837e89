// SPDX-License-Identifier: Apache-2.0
//
// totem_inbox: two-entry buffer on the receiving side of every handshake.
//
// Policy    first in, first out; at most two words.
// Latency   a word accepted in clock t can be taken in t+1; one word per clock, sustained.
// Boundary  in_ready, out_valid and out_data are functions of state alone; so full rate needs the second entry.
// Proved    1 bound, 2 order.
// Mask      out_data counts only while out_valid.
// Cost      about 1.1 LUT4 and 2 flip-flops per bit: head loads on take or when empty, tail
//           loads whenever there is room, so neither needs the full state in its data path.
// Twin      cmodel/lib/totem_inbox.h, same names.

`default_nettype none

module totem_inbox #(
    parameter WIDTH = 64            // 1..64
) (
    input  wire             clk,
    input  wire             rst,
    // sender
    input  wire             in_valid,
    output wire             in_ready,
    input  wire [WIDTH-1:0] in_data,
    // owner
    output wire             out_valid,
    output wire [WIDTH-1:0] out_data,
    input  wire             out_take
);
    reg [1:0]       count_q, count_d;
    reg [WIDTH-1:0] head_q, head_d;
    reg [WIDTH-1:0] tail_q, tail_d;

    // Registers that reset leaves alone read 0 at start, as in the model.
    initial begin
        count_q = 2'd0;
        head_q  = {WIDTH{1'b0}};
        tail_q  = {WIDTH{1'b0}};
    end

    assign in_ready  = !count_q[1];
    assign out_valid = (count_q != 2'd0);
    assign out_data  = head_q;

    wire accept = in_valid && in_ready;
    wire take   = out_take && out_valid;

    always @* begin
        head_d = head_q;
        tail_d = tail_q;
        // 1 Head
        if (take || !out_valid)
            head_d = count_q[1] ? tail_q : in_data;
        // 2 Tail
        if (in_ready)
            tail_d = in_data;
        // 3 Count
        count_d = count_q + {1'b0, accept} - {1'b0, take};
    end

    always @(posedge clk) begin
        count_q <= count_d;
        head_q  <= head_d;
        tail_q  <= tail_d;
        if (rst)
            count_q <= 2'd0;
    end

`ifdef FORMAL
`include "totem_inbox_properties.vh"
`endif
endmodule

`default_nettype wire
