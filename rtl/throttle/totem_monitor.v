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
// Proved    status (1), an empty hub polls 0 (2), thresholds in order (3), intervals (4), status held meanwhile (5).
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

    wire [22:0]  clocks  = (interval == 4'd0) ? 23'd100 : 23'd125 << interval;
    wire [C-1:0] write_0 = write_thresholds[0 +: C];
    wire [C-1:0] write_1 = write_thresholds[C +: C];
    wire [C-1:0] write_2 = write_thresholds[2*C +: C];
    wire         ordered = write_0 != {C{1'b0}} && write_0 < write_1 && write_1 < write_2 && write_2 <= FULL;
    reg  [2:0]   reached;       // some FIFO holds as many as the threshold

    integer n;
    always @* begin
        elapsed_d    = elapsed_q + 22'd1;
        thresholds_d = thresholds_q;
        refused_d    = write_valid && !ordered;
        status_d     = status_q;
        polled_d     = 1'b0;

        reached = 3'd0;
        for (n = 0; n < SE_COUNT; n = n + 1) begin
            if (count[n*C +: C] >= thresholds_q[0 +: C])
                reached[0] = 1'b1;
            if (count[n*C +: C] >= thresholds_q[C +: C])
                reached[1] = 1'b1;
            if (count[n*C +: C] >= thresholds_q[2*C +: C])
                reached[2] = 1'b1;
        end

        if ({1'b0, elapsed_q} + 23'd1 >= clocks) begin
            elapsed_d = 22'd0;
            status_d  = reached[2] ? 2'd3 : reached[1] ? 2'd2 : {1'b0, reached[0]};
            polled_d  = 1'b1;
        end

        if (write_valid && ordered)
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

`ifdef FORMAL
    // Contract 1: the status of a poll is the class of the fullest FIFO by the thresholds in force in the clock before:
    //             no FIFO is in a higher class, and one is in this class. 0 until the first poll.
    // Contract 2: a hub without primitives polls 0.
    // Contract 3: the thresholds ascend from 1 to DEPTH; a write that would change that changes nothing and is refused,
    //             every other one is taken.
    // Contract 4: a poll is shown as many clocks after the last one (or reset) as the interval says, if that did not
    //             change; if it did, in the first clock in which so many have passed, and never earlier.
    // Contract 5: status changes at polls only.
    // formal: maxsteps=4
    // formal: maxsteps=4 params=SE_COUNT=1,DEPTH=4
    // formal: maxsteps=4 params=SE_COUNT=3,DEPTH=128 configs=full
    initial assume (rst);
    (* anyconst *) wire [1:0] f_fifo;

    reg                   f_after = 1'b0;       // the clock before was not one of reset
    reg [SE_COUNT*C-1:0]  f_counts;             // inputs and outputs of the clock before
    reg [3*C-1:0]         f_thresholds;
    reg [3:0]             f_interval;
    reg                   f_write;
    reg [3*C-1:0]         f_written;
    reg [1:0]             f_status;
    reg [31:0]            f_since = 32'd0;      // clocks since the one that showed the last poll, or since reset
    reg                   f_steady = 1'b0;      // the interval has not changed since
    reg                   f_any;                // some poll was shown since reset

    // The lengths, one by one.
    reg  [31:0] f_length;
    always @*
        case (f_interval)
            0: f_length = 100;           1: f_length = 250;           2: f_length = 500;           3: f_length = 1000;
            4: f_length = 2000;          5: f_length = 4000;          6: f_length = 8000;          7: f_length = 16000;
            8: f_length = 32000;         9: f_length = 64000;        10: f_length = 128000;       11: f_length = 256000;
           12: f_length = 512000;       13: f_length = 1024000;      14: f_length = 2048000;
           default: f_length = 4096000;
        endcase

    // Class of a FIFO: how many of the thresholds it reaches.
    reg [7:0] f_class;
    reg       f_same;       // some FIFO is in the class that is shown
    integer   f_n;
    always @* begin
        f_same  = 1'b0;
        f_class = 8'd0;
        for (f_n = 0; f_n < SE_COUNT; f_n = f_n + 1) begin
            f_class[f_n*2 +: 2] = {1'b0, !(f_counts[f_n*C +: C] < f_thresholds[0 +: C])}
                                + {1'b0, !(f_counts[f_n*C +: C] < f_thresholds[C +: C])}
                                + {1'b0, !(f_counts[f_n*C +: C] < f_thresholds[2*C +: C])};
            f_same = f_same || f_class[f_n*2 +: 2] == status;
        end
    end

    wire f_good = f_written[0 +: C] >= 1 && f_written[C +: C] > f_written[0 +: C] &&
                  f_written[2*C +: C] > f_written[C +: C] && DEPTH >= f_written[2*C +: C];

    always @(posedge clk) begin
        f_after      <= !rst;
        f_counts     <= count;
        f_thresholds <= thresholds;
        f_interval   <= interval;
        f_write      <= write_valid;
        f_written    <= write_thresholds;
        f_status     <= status;
        f_since      <= polled ? 32'd1 : f_since + 32'd1;
        f_steady     <= polled ? 1'b1 : f_steady && (interval == f_interval || f_since == 32'd0);
        f_any        <= f_any || polled;
        if (rst) begin
            f_since  <= 32'd0;
            f_steady <= 1'b1;
            f_any    <= 1'b0;
        end
    end

    always @* assume (f_fifo < SE_COUNT);

    always @*
        if (!rst) begin
            if (polled) assert (f_after && f_class[f_fifo*2 +: 2] <= status && f_same);                     // 1
            if (!f_any && !polled) assert (status == 2'd0);                                                 // 1
            if (polled && f_counts == {SE_COUNT*C{1'b0}}) assert (status == 2'd0);                          // 2
            assert (thresholds[0 +: C] >= 1 && thresholds[0 +: C] < thresholds[C +: C] &&                   // 3
                    thresholds[C +: C] < thresholds[2*C +: C] && thresholds[2*C +: C] <= DEPTH);
            if (f_after) begin
                assert (refused == (f_write && !f_good));                                                   // 3
                assert (thresholds == ((f_write && f_good) ? f_written : f_thresholds));                    // 3
                assert (polled == (f_since >= f_length));                                                   // 4
                if (polled && f_steady) assert (f_since == f_length);                                       // 4
                if (status != f_status) assert (polled);                                                    // 5
            end else
                assert (!refused && !polled && thresholds == {DEPTH[C-1:0] - FIRST, SECOND, FIRST});

            // Helpers: the counter is the time since the last poll.
            assert ({10'd0, elapsed_q} == (polled ? 32'd0 : f_since));
            assert (f_since <= 32'd4096000);
        end

    always @(posedge clk)
        if (!rst) begin
            cover (polled && status == 2'd2 && f_steady);
            cover (polled && !f_steady);
            cover (refused && f_written[0 +: C] == f_written[C +: C]);
            cover (polled && f_write && thresholds != f_thresholds);
        end
`endif
endmodule

`default_nettype wire
