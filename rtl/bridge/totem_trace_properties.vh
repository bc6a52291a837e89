// SPDX-License-Identifier: Apache-2.0
//
// Properties of totem_trace, included at the end of the module. The numbers are those of its contract.

    initial assume (rst);
    reg        f_past    = 1'b0;
    reg        f_run     = 1'b0;                // a run has begun since reset
    reg [31:0] f_clocks  = 32'd0;               // clocks of the run so far
    reg        f_looked  = 1'b0;                // in the clock before a clock of the run, not its first, was looked at
    reg [31:0] f_before  = 32'd0;               // the levels before it, of those that counted
    reg [31:0] f_mask    = 32'd0;
    reg        f_fired   = 1'b0;
    reg        f_steady  = 1'b0;                // `behind` has not been written since the trigger
    reg [15:0] f_behind  = 16'd0;               // events kept behind the trigger
    reg [31:0] f_written = 32'd0;
    reg        f_kept    = 1'b0;
    reg        f_start   = 1'b0;
    wire       f_stops   = capture_q == TRACE_STOPPED;
    wire       f_trigger = (kind_q == TRIGGER_ACCESS && matches_q && suits_q) || (kind_q == TRIGGER_RISE && rises_q);

    always @(posedge clk) begin
        f_past    <= !rst;
        f_run     <= !rst && (f_run || boot_start);
        f_clocks  <= (rst || boot_start) ? 32'd0 : f_clocks + {31'd0, boot_running};
        f_looked  <= !rst && !boot_start && levels_live_q && !first_q;
        f_before  <= before_q;
        f_mask    <= mask_q;
        f_written <= written_q;
        f_kept    <= record_write_enable;
        f_start   <= boot_start;
        if (rst || boot_start) begin
            f_fired  <= 1'b0;
            f_steady <= 1'b1;
            f_behind <= 16'd0;
        end else begin
            if (record_write_enable && capture_q == TRACE_ARMED && f_trigger)
                f_fired <= 1'b1;
            if (record_write_enable && f_fired)
                f_behind <= f_behind + 16'd1;
            if (behind_d != behind_q && (f_fired || (record_write_enable && f_trigger)))
                f_steady <= 1'b0;
        end
        if (!rst) begin
            assume (!(boot_start && boot_running));                                             // A1 run
            if (f_run)
                assert (f_clocks == clock_q + 32'd1 + {31'd0, levels_live_q} + {31'd0, pins_live_q}); // 1 clock
            if (f_looked && !event_q) assert (((before_q ^ f_before) & f_mask) == 32'd0);       // 2 change
            assert (!(record_write_enable && record_read_enable));                              // 3 apart
            if (f_stops) assert (!record_write_enable);                                         // 4 behind
            if (f_stops && f_steady) assert (f_behind == behind_q);                             // 4 behind
            if (f_past)
                assert (written_q == (f_start ? 32'd0 : f_written + {31'd0, f_kept}));          // 5 place
            // helpers
            assert (f_fired == (capture_q == TRACE_BEHIND || f_stops));
            if (!f_fired) assert (f_behind == 16'd0);
            if (capture_q == TRACE_BEHIND) assert (left_q != 16'd0);
            if (capture_q == TRACE_BEHIND && f_steady) assert (f_behind + left_q == behind_q);
            if (!f_run) assert (capture_q == TRACE_OFF);
            cover (f_stops && f_behind == 16'd2);
            cover (access_q == TRACE_TAKE && capture_q == TRACE_BEHIND);
        end
    end
