// SPDX-License-Identifier: Apache-2.0
//
// Properties of totem_monitor, included at the end of the module. The numbers are those of docs/contract/monitor.md.

    initial assume (rst);
    (* anyconst *) wire [1:0] f_any;
    wire [1:0]            f_fifo = (f_any < SE_COUNT) ? f_any : 2'd0;   // any FIFO

    reg                   f_after = 1'b0;       // the clock before was not one of reset
    reg [SE_COUNT*C-1:0]  f_counts;             // inputs and outputs of the clock before
    reg [3*C-1:0]         f_thresholds;
    reg [3:0]             f_interval;
    reg                   f_write;
    reg [3*C-1:0]         f_written;
    reg [1:0]             f_status;
    reg [31:0]            f_since = 32'd0;      // clocks since the one that showed the last poll, or since reset
    reg                   f_steady = 1'b0;      // the interval has not changed since
    reg                   f_shown;              // some poll was shown since reset

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
        f_shown      <= f_shown || polled;
        if (rst) begin
            f_since  <= 32'd0;
            f_steady <= 1'b1;
            f_shown  <= 1'b0;
        end
    end

    always @*
        if (!rst) begin
            if (polled) assert (f_after && f_class[f_fifo*2 +: 2] <= status && f_same);             // 1 class
            if (!f_shown && !polled) assert (status == 2'd0);                                       // 1 class
            if (f_after && status != f_status) assert (polled);                                     // 1 class
            if (polled && f_counts == {SE_COUNT*C{1'b0}}) assert (status == 2'd0);                  // 2 empty
            assert (thresholds[0 +: C] >= 1 && thresholds[0 +: C] < thresholds[C +: C] &&
                    thresholds[C +: C] < thresholds[2*C +: C] && thresholds[2*C +: C] <= DEPTH);    // 3 thresholds
            if (f_after) begin
                assert (refused == (f_write && !f_good));                                           // 3 thresholds
                assert (thresholds == ((f_write && f_good) ? f_written : f_thresholds));            // 3 thresholds
                assert (polled == (f_since >= f_length));                                           // 4 interval
                if (polled && f_steady) assert (f_since == f_length);                               // 4 interval
            end
            assert ({10'd0, elapsed_q} == (polled ? 32'd0 : f_since));                              // 5 elapsed
            assert (f_since <= 32'd4096000);                                                        // 5 elapsed

            // helpers
            if (!f_after) assert (!refused && !polled && thresholds == {DEPTH[C-1:0] - FIRST, SECOND, FIRST});
        end

    always @(posedge clk)
        if (!rst) begin
            cover (polled && status == 2'd2 && f_steady);
            cover (polled && !f_steady);
            cover (refused && f_written[0 +: C] == f_written[C +: C]);
            cover (polled && f_write && thresholds != f_thresholds);
        end
