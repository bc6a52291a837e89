// SPDX-License-Identifier: Apache-2.0
//
// Properties of totem_signature, included at the end of the module. The numbers are those of its contract.

    initial assume (rst);
    reg        f_past     = 1'b0;
    reg        f_quiet    = 1'b0;               // in the clock before nothing of a run was left, and none began
    reg [63:0] f_was      = 64'd0;
    reg [31:0] f_run      = 32'd0;              // clocks of the run so far
    reg [31:0] f_steps    = 32'd0;              // of these, those in the signature
    reg [31:0] f_gap      = 32'd0;
    reg        f_step     = 1'b0;               // a step was made in the clock before
    reg        f_zero     = 1'b0;               // and it was the last of an interval
    reg        f_full     = 1'b0;
    reg        f_high     = 1'b0;               // the upper half of a checkpoint is asked for
    reg        f_shown    = 1'b0;               // the RAM has shown it in the clock before
    reg [31:0] f_half     = 32'd0;
    reg        f_fold     = 1'b0;               // a fold was read in the clock before

    always @(posedge clk) begin
        f_past  <= !rst;
        f_quiet <= !rst && !boot_start && !fold_live_q;
        f_was   <= signature_q;
        f_run   <= (rst || boot_start) ? 32'd0 : f_run + {31'd0, boot_running};
        f_steps <= (rst || boot_start) ? 32'd0 : f_steps + {31'd0, fold_live_q};
        f_step  <= !rst && !boot_start && fold_live_q;
        f_zero  <= gap_q == 32'd0;
        f_gap   <= gap_q;
        f_fold  <= !rst && bridge_points_valid && access_q == SIGNATURE_REST && !bridge_request_write &&
                   bridge_request_address[18:17] == 2'b10 && !boot_running && !words_live_q && !fold_live_q;
        if (access_q == SIGNATURE_REST)
            f_high <= bridge_request_address[2];
        f_shown <= !rst && bridge_points_valid && access_q == SIGNATURE_TAKE;
        f_half  <= point_read_data >> (f_high ? 32 : 0);
        f_full  <= !rst && !boot_start && points_q == POINTS;
        if (!rst) begin
            assume (!(boot_start && boot_running));                                             // A1 run
            assert (f_run == f_steps + {31'd0, words_live_q} + {31'd0, fold_live_q});           // 1 covers
            if (f_past && f_quiet) assert (signature_q == f_was && gap_q == f_gap);             // 1 covers
            assert (mark_q == (f_step && f_zero));                                              // 2 point
            if (f_step && !f_zero) assert (gap_q == f_gap - 32'd1);                             // 2 point
            assert (!(point_write_enable && point_read_enable));                                // 3 apart
            assert (points_q <= POINTS);                                                        // 4 full
            if (f_full) assert (!point_write_enable && points_q == POINTS);                     // 4 full
            assert (!(fold_shift && fold_live));                                                // 5 folds
            assert (fold_shift == f_fold);                                                      // 5 folds
            if (f_shown) assert (done && rdata == f_half);                                      // 6 half
            if (access_q == SIGNATURE_READ || access_q == SIGNATURE_TAKE) assert (upper_q == f_high); // helper
            cover (mark_q && points_q == 2);
            cover (access_q == SIGNATURE_TAKE);
        end
    end
