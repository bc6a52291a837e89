// SPDX-License-Identifier: Apache-2.0
//
// totem_monitor: fullness of a primitive hub as two bits, polled.
//
// Policy    at a poll, the fullest FIFO against three thresholds: 0 below the first, 3 from the third on. Thresholds
//           that are not in ascending order from 1 to DEPTH are refused and change nothing.
// Latency   a poll sees the counts of the clock before the one that shows it; a write holds from the next clock on.
// Boundary  every output is a flip-flop. The interval is that of the present clock, so a shorter one holds at once.
// Cost      3 comparators of a count for each FIFO, in parallel: "some FIFO reaches the threshold" is the class of the
//           fullest one without looking for it. 26 + 3*(log2(DEPTH) + 1) flip-flops.
// Proved    status (1), an empty hub polls 0 (2), thresholds in order (3), intervals (4), the time since a poll (5).
// Twin      cmodel/throttle/totem_monitor.c, same names.

`default_nettype none

module totem_monitor #(
    parameter SE_COUNT = 4,     // FIFOs, 1 to 4
    parameter DEPTH    = 64     // primitives of a FIFO, a power of two, 4 to 128
) (
    input  wire                                clk,
    input  wire                                rst,
    // hub
    input  wire [SE_COUNT*$clog2(DEPTH+1)-1:0] count,
    // registers of the engine
    input  wire [3:0]                          interval,
    input  wire                                write_valid,
    input  wire [3*$clog2(DEPTH+1)-1:0]        write_thresholds,
    output wire [3*$clog2(DEPTH+1)-1:0]        thresholds,
    output wire                                refused,
    // throttle of the engine
    output wire [1:0]                          status,
    output wire                                polled
);
    localparam A = $clog2(DEPTH);
    localparam C = A + 1;

    generate
        if (SE_COUNT < 1 || SE_COUNT > 4 || DEPTH < 4 || DEPTH > 128 || DEPTH != (1 << A)) begin : check
            totem_monitor_needs_SE_COUNT_1_to_4_and_DEPTH_a_power_of_two_from_4_to_128 illegal ();
        end
    endgenerate

    localparam [C-1:0]   FULL  = DEPTH;
    localparam [C-1:0]   FIRST = DEPTH / 4, SECOND = DEPTH / 2, THIRD = DEPTH / 4 * 3;
    localparam [3*C-1:0] RESET = {THIRD, SECOND, FIRST};

    reg [21:0]    elapsed_q, elapsed_d;
    reg [3*C-1:0] thresholds_q, thresholds_d;
    reg           refused_q, refused_d;
    reg [1:0]     status_q, status_d;
    reg           polled_q, polled_d;

    initial begin
        elapsed_q = 22'd0; thresholds_q = RESET; refused_q = 1'b0; status_q = 2'd0; polled_q = 1'b0;
    end

    assign thresholds = thresholds_q;
    assign refused    = refused_q;
    assign status     = status_q;
    assign polled     = polled_q;

    wire [22:0]  length  = (interval == 4'd0) ? 23'd100 : 23'd125 << interval;
    wire [C-1:0] write_0 = write_thresholds[0 +: C];
    wire [C-1:0] write_1 = write_thresholds[C +: C];
    wire [C-1:0] write_2 = write_thresholds[2*C +: C];
    wire         poll    = {1'b0, elapsed_q} + 23'd1 >= length;
    wire         good    = write_0 != {C{1'b0}} && write_0 < write_1 && write_1 < write_2 && write_2 <= FULL;
    reg  [2:0]   reached;       // some FIFO holds as many as the threshold

    integer n;
    always @* begin
        elapsed_d    = elapsed_q + 22'd1;
        thresholds_d = thresholds_q;
        status_d     = status_q;
        polled_d     = poll;

        // 1 Poll
        reached = 3'd0;
        for (n = 0; n < SE_COUNT; n = n + 1) begin
            if (count[n*C +: C] >= thresholds_q[0 +: C])
                reached[0] = 1'b1;
            if (count[n*C +: C] >= thresholds_q[C +: C])
                reached[1] = 1'b1;
            if (count[n*C +: C] >= thresholds_q[2*C +: C])
                reached[2] = 1'b1;
        end

        if (poll) begin
            elapsed_d = 22'd0;
            status_d  = reached[2] ? 2'd3 : reached[1] ? 2'd2 : {1'b0, reached[0]};
        end

        // 2 Thresholds
        refused_d = write_valid && !good;
        if (write_valid && good)
            thresholds_d = write_thresholds;
    end

    always @(posedge clk) begin
        elapsed_q    <= elapsed_d;
        thresholds_q <= thresholds_d;
        refused_q    <= refused_d;
        status_q     <= status_d;
        polled_q     <= polled_d;
        if (rst) begin
            elapsed_q    <= 22'd0;
            thresholds_q <= RESET;
            refused_q    <= 1'b0;
            status_q     <= 2'd0;
            polled_q     <= 1'b0;
        end
    end

    // formal: maxsteps=4
    // formal: maxsteps=4 params=SE_COUNT=1,DEPTH=4
    // formal: maxsteps=4 params=SE_COUNT=3,DEPTH=128 configs=full
`ifdef FORMAL
`include "totem_monitor_properties.vh"
`endif
endmodule

`default_nettype wire
