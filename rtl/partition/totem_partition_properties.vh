// SPDX-License-Identifier: Apache-2.0
//
// Properties of totem_partition, included at the end of the module. The numbers are those of
// docs/contract/partition.md.

    // Any unit, path, slice, portion; no rule depends on which they are.
    localparam [7:0] F_SLICES = SLICES;
    initial assume (rst);
    (* anyconst *) wire [4:0] f_any_unit;
    (* anyconst *) wire [1:0] f_any_fe, f_any_se, f_any_other, f_any_portion, f_any_channel, f_any_slice, f_any_below;
    (* anyconst *) wire [2:0] f_any_lane;
    (* anyconst *) wire [1:0] f_path, f_rival;
    (* anyconst *) wire [1:0] f_turn;                       // of the four homes
    (* anyconst *) wire       f_sender;
    wire [4:0] f_unit    = f_any_unit < UNITS ? f_any_unit : 5'd0;
    wire [4:0] f_fe      = f_any_fe < FE_COUNT ? f_any_fe : 5'd0;
    wire [4:0] f_se      = f_any_se < SE_COUNT ? f_any_se : 5'd0;
    wire [4:0] f_other   = f_any_other < SE_COUNT ? f_any_other : 5'd0;
    wire [4:0] f_lane    = f_any_lane < LANES ? f_any_lane : 5'd0;
    wire [4:0] f_portion = f_any_portion < PORTIONS ? f_any_portion : 5'd0;
    wire [4:0] f_channel = f_any_channel < CHANNELS ? f_any_channel : 5'd0;
    wire [4:0] f_slice   = f_any_slice < SLICES ? f_any_slice : 5'd0;
    wire [4:0] f_below   = f_any_below < SLICES ? f_any_below : 5'd0;

    wire [2:0] f_owner      = owner[f_unit*3 +: 3];
    wire [2:0] f_wanted     = wanted[f_unit*3 +: 3];
    wire [2:0] f_of_fe      = owner[f_fe*3 +: 3];
    wire [2:0] f_of_se      = owner[(SE_AT+f_se)*3 +: 3];
    wire [2:0] f_of_other   = owner[(SE_AT+f_other)*3 +: 3];
    wire [2:0] f_of_lane    = owner[(LANE_AT+f_lane)*3 +: 3];
    wire [2:0] f_of_portion = owner[(PORTION_AT+f_portion)*3 +: 3];
    wire [2:0] f_of_channel = owner[(CHANNEL_AT+f_channel)*3 +: 3];

    // Where a request is.
    wire f_answer = phase_q == PARTITION_ANSWER;
    wire f_under  = phase_q != PARTITION_ANSWER && phase_q != PARTITION_REST;
    wire f_enters = mail_send && !mail_busy;

    reg        f_past = 1'b0;
    reg [2:0]  f_owner_was, f_wanted_was;       // in the clock before
    reg        f_commit_was;
    reg [2:0]  f_before;                        // owner of the unit when the request was accepted
    reg [15:0] f_sends = 16'd0, f_answers = 16'd0;          // of the sender
    reg [31:0] f_answered = 32'd0;              // of all
    reg [7:0]  f_age = 8'd0;                    // clocks since the request was sent, until it is answered or given away
    reg [2:0]  f_given;                         // slices of the path in the decision
    reg        f_decided;                       // the map comes from a decision
    reg        f_gives = 1'b0;                  // in the clock before a slice was given
    reg [2:0]  f_share_was, f_rival_was;
    reg [7:0]  f_weight_was, f_opposes_was;
    reg [2:0]  f_stale = 3'd1;                  // clocks since the commit or reset, until homes are valid

    wire [2:0] f_share = share_q[f_path*3 +: 3];
    wire [1:0] f_kind  = mail_q[1:0];
    wire       f_part  = f_kind == REQUEST_PATHS ? {1'b0, f_path} < mail_q[34:32] : mail_q[8'd63 + f_path*8'd32];
    wire       f_decides = phase_q == PARTITION_WEIGH || phase_q == PARTITION_GIVE || phase_q == PARTITION_KEEP ||
                           phase_q == PARTITION_FILL || phase_q == PARTITION_SPREAD;

    // Units of the path by kind in both maps: front ends, engines, lanes, portions, channels; of 4 bits each.
    reg [19:0] f_owns, f_gets;
    reg [2:0]  f_spread;                        // what the slices say of a unit
    reg        f_alike;                         // that is wanted of all
    reg [5:0]  f_sum;                           // of shares, before `step` in WEIGH
    reg [5:0]  f_placed, f_mine;                // slices with a path, with the path
    integer    e;
    always @* begin
        f_owns   = 20'd0;
        f_gets   = 20'd0;
        f_alike  = 1'b1;
        f_spread = 3'd0;
        f_sum    = 6'd0;
        f_placed = 6'd0;
        f_mine   = 6'd0;
        for (e = 0; e < UNITS; e = e + 1) begin
            if (e < SE_AT) begin
                f_spread     = slice_q[(e % SLICES)*3 +: 3];
                f_owns[3:0]  = f_owns[3:0] + (owner[e*3 +: 3] == f_path);
                f_gets[3:0]  = f_gets[3:0] + (wanted[e*3 +: 3] == f_path);
            end else if (e < LANE_AT) begin
                f_spread     = slice_q[((e - SE_AT) % SLICES)*3 +: 3];
                f_owns[7:4]  = f_owns[7:4] + (owner[e*3 +: 3] == f_path);
                f_gets[7:4]  = f_gets[7:4] + (wanted[e*3 +: 3] == f_path);
            end else if (e < PORTION_AT) begin
                f_spread     = slice_q[((e - LANE_AT) % SLICES)*3 +: 3];
                f_owns[11:8] = f_owns[11:8] + (owner[e*3 +: 3] == f_path);
                f_gets[11:8] = f_gets[11:8] + (wanted[e*3 +: 3] == f_path);
            end else if (e < CHANNEL_AT) begin
                f_spread      = slice_q[((e - PORTION_AT) % SLICES)*3 +: 3];
                f_owns[15:12] = f_owns[15:12] + (owner[e*3 +: 3] == f_path);
                f_gets[15:12] = f_gets[15:12] + (wanted[e*3 +: 3] == f_path);
            end else begin
                f_spread      = slice_q[((e - CHANNEL_AT) % SLICES)*3 +: 3];
                f_owns[19:16] = f_owns[19:16] + (owner[e*3 +: 3] == f_path);
                f_gets[19:16] = f_gets[19:16] + (wanted[e*3 +: 3] == f_path);
            end
            if (wanted[e*3 +: 3] != f_spread) f_alike = 1'b0;
        end
        for (e = 0; e < 4; e = e + 1) begin
            if (phase_q != PARTITION_WEIGH || e < step_q) f_sum = f_sum + share_q[e*3 +: 3];
            if (e < SLICES && (phase_q != PARTITION_KEEP || e < step_q)) begin
                f_placed = f_placed + (slice_q[e*3 +: 3] < OWNER_NONE);
                f_mine   = f_mine + (slice_q[e*3 +: 3] == f_path);
            end
        end
    end

    wire f_owns_whole = f_owns == 20'd0 || (f_owns[3:0] != 4'd0 && f_owns[7:4] != 4'd0 && f_owns[11:8] != 4'd0 &&
                        f_owns[15:12] != 4'd0 && f_owns[19:16] != 4'd0 && f_owns[3:0] <= f_owns[11:8]);
    wire f_gets_whole = f_gets == 20'd0 || (f_gets[3:0] != 4'd0 && f_gets[7:4] != 4'd0 && f_gets[11:8] != 4'd0 &&
                        f_gets[15:12] != 4'd0 && f_gets[19:16] != 4'd0 && f_gets[3:0] <= f_gets[11:8]);

    // Two slices: that the path owns them, and what the decision says so far.
    wire       f_had = owner[f_slice*3 +: 3] == f_path && owner[(SE_AT+f_slice)*3 +: 3] == f_path &&
                       owner[(PORTION_AT+f_slice)*3 +: 3] == f_path && owner[(CHANNEL_AT+f_slice)*3 +: 3] == f_path;
    wire       f_had_below = owner[f_below*3 +: 3] == f_path && owner[(SE_AT+f_below)*3 +: 3] == f_path &&
                       owner[(PORTION_AT+f_below)*3 +: 3] == f_path && owner[(CHANNEL_AT+f_below)*3 +: 3] == f_path;
    wire [2:0] f_says       = slice_q[f_slice*3 +: 3];
    wire [2:0] f_says_below = slice_q[f_below*3 +: 3];
    wire       f_places     = phase_q == PARTITION_FILL || phase_q == PARTITION_SPREAD;
    wire       f_said       = f_places || (phase_q == PARTITION_KEEP && f_slice < step_q);
    wire       f_said_below = f_places || (phase_q == PARTITION_KEEP && f_below < step_q);
    wire       f_loses      = f_said && f_had && f_says != f_path;

    // The homes of the path: one of them, and the one before it.
    wire [1:0] f_first  = homes[f_path*8 +: 2];
    wire [1:0] f_home   = homes[f_path*8 + f_turn*2 +: 2];
    wire [1:0] f_prior  = homes[f_path*8 + (f_turn == 2'd0 ? 2'd0 : f_turn - 2'd1)*2 +: 2];
    wire       f_listed = homes_valid || home_step_q > f_path;
    wire       f_stored = f_of_portion == f_path;           // the picked portion is one of them

    always @(posedge clk) begin
        f_past       <= !rst;
        f_owner_was  <= f_owner;
        f_wanted_was <= f_wanted;
        f_commit_was <= change_valid && quiesce_commit;
        f_sends      <= f_sends + (mail_send && mail_source == f_sender);
        f_answers    <= f_answers + (answer_valid && answer_source == f_sender);
        f_answered   <= f_answered + answer_valid;
        f_age        <= f_enters ? 8'd1 : f_under && !change_valid ? f_age + 8'd1 : 8'd0;
        f_stale      <= change_valid && quiesce_commit ? 3'd1 : homes_valid ? 3'd0 : f_stale + 3'd1;
        if (f_enters) begin
            f_before  <= f_owner;
            f_decided <= 1'b0;
        end
        if (phase_q == PARTITION_SPREAD) f_decided <= 1'b1;
        if (phase_q == PARTITION_GIVE && left_q == 3'd0) f_given <= f_share;
        f_gives       <= phase_q == PARTITION_GIVE && left_q != 3'd0;
        f_share_was   <= f_share;
        f_rival_was   <= share_q[f_rival*3 +: 3];
        f_weight_was  <= weight_q[f_path*8 +: 8];
        f_opposes_was <= weight_q[f_rival*8 +: 8];
        if (rst) begin
            f_sends    <= 16'd0;
            f_answers  <= 16'd0;
            f_answered <= 32'd0;
            f_age      <= 8'd0;
            f_gives    <= 1'b0;
            f_stale    <= 3'd1;
        end
    end

    always @*
        if (!rst) begin
            assert (f_owner <= OWNER_NONE && f_wanted <= OWNER_NONE);                               // 1 owner
            assert (foreign_fe_se[f_fe*SE_COUNT + f_se] ==
                    !(f_of_fe == f_of_se && f_of_fe < OWNER_NONE));                                 // 2 foreign
            assert (foreign_fe_lane[f_fe*LANES + f_lane] ==
                    !(f_of_fe == f_of_lane && f_of_fe < OWNER_NONE));                               // 2 foreign
            assert (foreign_lane_se[f_lane*SE_COUNT + f_se] ==
                    !(f_of_lane == f_of_se && f_of_se < OWNER_NONE));                               // 2 foreign
            assert (foreign_se_se[f_se*SE_COUNT + f_other] ==
                    (f_se != f_other && !(f_of_se == f_of_other && f_of_se < OWNER_NONE)));         // 2 foreign
            assert (foreign_se_se[f_se*SE_COUNT + f_other] ==
                    foreign_se_se[f_other*SE_COUNT + f_se]);                                        // 2 foreign
            assert (foreign_se_portion[f_se*PORTIONS + f_portion] ==
                    !(f_of_se == f_of_portion && f_of_se < OWNER_NONE));                            // 2 foreign
            assert (foreign_portion_channel[f_portion*CHANNELS + f_channel] ==
                    !(f_of_portion == f_of_channel && f_of_channel < OWNER_NONE));                  // 2 foreign
            assert (foreign_fe_channel[f_fe*CHANNELS + f_channel] ==
                    !(f_of_fe == f_of_channel && f_of_fe < OWNER_NONE));                            // 2 foreign
            assert (foreign_fe_portion[f_fe*PORTIONS + f_portion] ==
                    !(f_of_fe == f_of_portion && f_of_fe < OWNER_NONE));                            // 2 foreign
            if (f_past && f_owner != f_owner_was) assert (f_commit_was && f_owner == f_wanted_was); // 3 still
            if (change_valid && !committed_q) assert (changes[f_unit] == (f_owner != f_wanted));    // 3 still
            if (change_valid && committed_q) assert (f_owner == f_wanted);                          // 3 still
            if (f_answer && answer_code != REQUEST_DONE) assert (f_owner == f_before);              // 4 intact
            assert (f_owns_whole);                                                                  // 5 whole
            if (change_valid) assert (f_gets_whole);                                                // 5 whole
            assert (f_sends - f_answers == (phase_q != PARTITION_REST && source_q == f_sender) +
                    (refused_q && refused_source_q == f_sender));                                   // 6 once
            if (f_under && !change_valid) assert (f_age < 8'd12 + 8'd3*F_SLICES);                   // 6 once
            if (phase_q == PARTITION_GIVE && f_part) assert (f_share != 3'd0);                      // 7 least
            if (phase_q == PARTITION_GIVE) assert (f_sum + left_q == SLICES);                       // 8 conserving
            if (phase_q == PARTITION_SPREAD) assert (f_placed == SLICES && f_mine == f_given);      // 8 conserving
            if (f_gives && f_share != f_share_was) begin
                assert (f_share_was != 3'd0 && f_share == f_share_was + 3'd1);                      // 9 greatest
                if (f_rival_was != 3'd0 && f_rival < f_path)
                    assert ({3'd0, f_opposes_was}*f_share_was < {3'd0, f_weight_was}*f_rival_was);  // 9 greatest
                if (f_rival_was != 3'd0 && f_rival > f_path)
                    assert ({3'd0, f_opposes_was}*f_share_was <= {3'd0, f_weight_was}*f_rival_was); // 9 greatest
            end
            if (phase_q == PARTITION_SPREAD && f_loses && f_says_below == f_path)
                assert (f_had_below && f_below < f_slice);                                          // 10 kept
            if (f_decided && (phase_q == PARTITION_CHECK || phase_q == PARTITION_JUDGE))
                assert (fails_q == 6'd0);                                                           // 11 sound
            if (homes_valid && f_owns[15:12] != 4'd0) begin
                assert (owner[(PORTION_AT+f_home)*3 +: 3] == f_path && f_home < PORTIONS);          // 12 homes
                if (f_stored) assert (f_first <= f_portion);                                        // 12 homes
                if (f_turn != 2'd0 && f_home <= f_prior) assert (f_home == f_first);                // 12 homes
                if (f_turn != 2'd0 && f_stored)
                    assert (f_portion <= f_prior || (f_home > f_prior && f_portion >= f_home));     // 12 homes
            end
            if (homes_valid) assert (fe_per_path[f_path*3 +: 3] == f_owns[3:0]);                    // 12 homes
            if (homes_valid) assert (lanes_per_path[f_path*4 +: 4] == f_owns[11:8]);                // 12 homes
            assert (f_stale <= 3'd5 && (f_stale != 3'd5 || homes_valid));                           // 12 homes
            assert (done_count + refused_count == f_answered);                                      // 13 counted

            // helpers
            assert (phase_q <= PARTITION_ANSWER && !(f_answer && code_q == REQUEST_BUSY));
            if (f_under && !(change_valid && committed_q)) assert (f_owner == f_before);
            if ((phase_q == PARTITION_CHECK && step_q > f_path) || phase_q == PARTITION_JUDGE)
                if (fails_q == 6'd0) assert (f_gets_whole);
            // The place of a request, and its age.
            if (phase_q == PARTITION_READ) assert (f_age == 8'd1);
            if (phase_q == PARTITION_WEIGH) assert (f_age == 8'd2 + step_q);
            if (phase_q == PARTITION_GIVE) assert (f_age + left_q < 8'd6 + F_SLICES);
            if (phase_q == PARTITION_KEEP) assert (f_age <= 8'd6 + F_SLICES + step_q);
            if (phase_q == PARTITION_FILL) assert (f_age <= 8'd6 + 8'd2*F_SLICES + step_q);
            if (phase_q == PARTITION_SPREAD) assert (f_age <= 8'd6 + 8'd3*F_SLICES);
            if (phase_q == PARTITION_CHECK) assert (f_age <= 8'd7 + 8'd3*F_SLICES + step_q);
            if (phase_q == PARTITION_GIVE || phase_q == PARTITION_SPREAD) assert (step_q == 2'd0);
            if (phase_q == PARTITION_KEEP || phase_q == PARTITION_FILL) assert (step_q < SLICES);
            if (!f_under || change_valid) assert (f_age == 8'd0 || change_valid || f_answer);
            // The decision.
            if (f_decides) assert (fails_q == 6'd0 && (f_kind == REQUEST_PATHS || f_kind == REQUEST_APPLICATIONS));
            if (phase_q == PARTITION_WEIGH && f_path < step_q) assert (f_share == f_part);
            if (phase_q == PARTITION_GIVE) assert ((f_share != 3'd0) == f_part);
            if (phase_q == PARTITION_WEIGH || phase_q == PARTITION_GIVE) assert (f_sum + left_q == SLICES);
            if (phase_q == PARTITION_KEEP || f_places) begin
                assert (f_sum + f_placed == SLICES);
                assert (f_share + f_mine == f_given);
            end
            for (e = 0; e < SLICES; e = e + 1) begin
                if (f_places || (phase_q == PARTITION_KEEP && e < step_q)) assert (slice_q[e*3 +: 3] <= OWNER_NONE);
                if (phase_q == PARTITION_FILL && e < step_q) assert (slice_q[e*3 +: 3] < OWNER_NONE);
            end
            if (f_loses) assert (f_share == 3'd0);
            if (f_loses && f_said_below && f_says_below == f_path) assert (f_had_below && f_below < f_slice);
            if (phase_q == PARTITION_KEEP && f_said && f_says == f_path) assert (f_had);
            if (f_decided && (phase_q == PARTITION_CHECK || phase_q == PARTITION_JUDGE)) begin
                assert (f_alike);
                assert (f_placed == SLICES);
            end
            // Homes of a path that are listed already.
            if (!homes_valid) assert (f_stale == home_step_q + 3'd1);
            if (homes_valid) assert (home_step_q == 2'd0 && (f_stale == 3'd0 || f_stale == 3'd5));
            if (f_listed) begin
                assert (fe_per_path[f_path*3 +: 3] == f_owns[3:0] && lanes_per_path[f_path*4 +: 4] == f_owns[11:8]);
                if (f_owns[15:12] != 4'd0) begin
                    assert (owner[(PORTION_AT+f_home)*3 +: 3] == f_path && f_home < PORTIONS);
                    if (f_stored) assert (f_first <= f_portion);
                    if (f_turn != 2'd0 && f_home <= f_prior) assert (f_home == f_first);
                    if (f_turn != 2'd0 && f_stored)
                        assert (f_portion <= f_prior || (f_home > f_prior && f_portion >= f_home));
                end
            end
        end

    always @(posedge clk)
        if (!rst) begin
            cover (f_answer && code_q == REQUEST_DONE && f_owner == 3'd2 && homes_valid);
            cover (f_answer && code_q == REQUEST_TIMEOUT && refused_q && f_wanted == OWNER_NONE);
            cover (f_answer && code_q == REQUEST_EMPTY_SE);
            cover (phase_q == PARTITION_SPREAD && f_says == 3'd3);
        end
