// SPDX-License-Identifier: Apache-2.0
//
// Properties of totem_draws, included at the end of the module. The numbers are those of docs/contract/draws.md.

    initial assume (rst);
    integer f_d, f_e;

    // ---- the words of a draw, as they leave the inbox, and what goes to the bus

    reg [2:0]  f_phase = STEP_COUNTS;
    reg [4:0]  f_words, f_pixel_words;
    reg [31:0] f_vertices, f_all;           // of an instance, instances
    reg [46:0] f_shape;                     // word 1
    reg [5:0]  f_first, f_step;
    reg        f_dropped;
    reg [32:0] f_number;
    reg [1:0]  f_turn = 2'd0;
    reg [9:0]  f_left;                      // vertices of the present instance that no sent wave covers
    reg [31:0] f_rest;                      // instances not yet sent to their end
    reg [3:0]  f_waves;                     // waves of 64 prepared of the first instance
    reg [3:0]  f_ahead;                     // and still to be prepared of a later one
    reg [2:0]  f_odd;                       // vertices of an instance that make no primitive

    wire       f_open = !bus_valid || bus_ready;
    wire       f_put  = f_open && bus_valid_d;
    wire       f_send = f_put && bus_tag_d[10:9] == DRAW_WAVE;
    wire       f_take = word_valid && (f_phase == STEP_COUNTS ? taken_q != {DRAW_STATES{1'b1}}
                                       : f_phase == STEP_SHAPE || (f_phase < STEP_WAVES && f_open));
    wire       f_small = f_vertices < 32'd1024 && f_first < 6'd8;

    // Vertices of the first primitive and of each further one, by what a type is made of.
    reg [5:0]  f_corner;
    reg        f_strip, f_pairs;            // after the first a vertex each, two vertices each
    always @* begin
        f_corner = 6'd0;
        f_strip  = 1'b0;
        f_pairs  = 1'b0;
        case (word[5:0])
            6'd1:                               f_corner = 6'd1;
            6'd2, 6'd3, 6'd18:                  f_corner = 6'd2;
            6'd4, 6'd5, 6'd6, 6'd7, 6'd17, 6'd21: f_corner = 6'd3;
            6'd10, 6'd11, 6'd19, 6'd20:         f_corner = 6'd4;
            6'd12, 6'd13:                       f_corner = 6'd6;
            6'd9:                               f_corner = word[11:6];
            default: ;
        endcase
        case (word[5:0])
            6'd3, 6'd5, 6'd6, 6'd11, 6'd18, 6'd21: f_strip = 1'b1;
            6'd13, 6'd20:                       f_pairs = 1'b1;
            default: ;
        endcase
    end
    wire       f_some  = f_corner != 6'd0 && f_vertices >= {26'd0, f_corner} && f_all != 32'd0;

    // A wave that is sent, of a draw of which (3) is claimed: its numbers have ten bits.
    wire [9:0]  f_each  = {7'd0, f_step[2:0]};
    wire [9:0]  f_head  = {7'd0, f_first[2:0]};
    wire [6:0]  f_size  = bus_word_d[22:16];
    wire [9:0]  f_cover = f_size * f_each;
    wire [9:0]  f_after = f_left - f_cover;
    wire        f_last  = f_after < f_head;                 // of its instance
    wire        f_final = f_last && f_rest == 32'd1;        // of its draw
    wire        f_none  = f_rest == 32'd0;
    wire [2:0]  f_close = f_phase != STEP_WAVES ? f_phase : !f_small ? step_d
                          : f_dropped || f_none || (f_send && f_final) ? STEP_COUNTS : STEP_WAVES;

    // The wave that is prepared, and what is left behind it.
    wire [9:0]  f_size_cover = wave_size_q * f_each;
    wire [9:0]  f_size_after = f_left - f_size_cover;
    wire        f_size_last  = wave_valid_q && f_size_after < f_head;
    wire [9:0]  f_behind     = f_size_last ? f_vertices[9:0] : wave_valid_q ? f_size_after : f_left;
    wire [9:0]  f_tail       = tail_q * f_each;
    wire [9:0]  f_waves_all  = (f_waves * f_each) << 6;
    wire [9:0]  f_ahead_all  = (f_ahead * f_each) << 6;
    wire        f_prepared   = wave_valid_d && (!wave_valid_q || f_send);
    wire        f_early      = instances_q == f_all;        // of the first instance

    always @(posedge clk) begin
        f_phase <= f_close;
        if (f_take)
            case (f_phase)
                STEP_COUNTS: begin
                    f_phase    <= STEP_SHAPE;
                    f_vertices <= word[31:0];
                    f_all      <= word[63:32];
                    f_number   <= 33'd0;
                end
                STEP_SHAPE: begin
                    f_phase <= STEP_HEADER;
                    f_shape <= word[46:0];
                    f_words <= word[41:37];
                    f_pixel_words <= word[46:42];
                    f_first <= f_corner;
                    f_step  <= f_strip ? 6'd1 : f_pairs ? 6'd2 : f_corner;
                    f_left  <= f_vertices[9:0];
                    f_rest  <= f_some ? f_all : 32'd0;
                    f_waves <= 4'd0;
                    f_dropped <= 1'b0;
                end
                STEP_HEADER: f_phase <= (f_words == 5'd0) ? STEP_PIXEL_HEADER : STEP_STATE;
                STEP_STATE: begin
                    f_words <= f_words - 5'd1;
                    f_phase <= (f_words == 5'd1) ? STEP_PIXEL_HEADER : STEP_STATE;
                end
                STEP_PIXEL_HEADER: f_phase <= (f_pixel_words == 5'd0) ? STEP_WAVES : STEP_PIXEL_STATE;
                default: begin
                    f_pixel_words <= f_pixel_words - 5'd1;
                    f_phase       <= (f_pixel_words == 5'd1) ? STEP_WAVES : STEP_PIXEL_STATE;
                end
            endcase
        if (f_send) begin
            f_number <= f_number + 33'd1;
            f_turn   <= (f_turn + 2'd1 == SE_COUNT) ? 2'd0 : f_turn + 2'd1;
            f_left   <= f_last ? f_vertices[9:0] : f_after;
            f_rest   <= f_rest - {31'd0, f_last};
        end
        if (f_prepared) begin
            f_waves <= f_waves + {3'd0, f_early && left_q[9:6] >= f_each[3:0]};
            f_ahead <= (instances_q != instances_d) ? f_waves : f_ahead - 4'd1;
            if (f_early && instances_q != instances_d)
                f_odd <= left_q[2:0];
        end
        if (kill_word_valid && f_phase >= STEP_HEADER && kill_word_epochs[f_shape[33 +: EPOCH_BITS]])
            f_dropped <= 1'b1;
        if (rst) begin
            f_phase <= STEP_COUNTS;
            f_turn  <= 2'd0;
        end
    end

    wire [15:0] f_tag = {{4-DRAW_BITS{1'b0}}, draw_q, 3'd0, 1'b1, !f_shape[36], f_shape[36], 2'd0, fe_number, 2'd0};

    always @*
        if (!rst) begin
            if (bus_valid && !bus_ready)
                assert (bus_valid_d && bus_word_d == bus_word && bus_tag_d == bus_tag);     // 2 bus
            if (f_put) assert (f_phase >= STEP_HEADER);                                     // 2 bus
            if (f_phase >= STEP_HEADER && f_phase <= STEP_PIXEL_STATE) assert (f_put == f_take);  // 2 bus
            if (f_put && f_phase == STEP_HEADER)
                assert (bus_word_d == {22'd0, word[41:0]} && bus_tag_d == f_tag);           // 2 bus
            if (f_put && f_phase == STEP_PIXEL_HEADER)
                assert (bus_word_d == word && bus_tag_d == (f_tag | 16'h600));              // 2 bus
            if (f_put && (f_phase == STEP_STATE || f_phase == STEP_PIXEL_STATE))
                assert (bus_word_d == word && bus_tag_d == (f_tag | 16'h200));              // 2 bus
            if (f_put && f_phase == STEP_WAVES) begin
                assert (bus_tag_d == (f_tag | 16'h400 | {10'd0, f_turn, 4'd0}));            // 2 bus
                assert (bus_word_d[63:31] == f_number && bus_word_d[23] == f_shape[12]);    // 2 bus
                assert (bus_word_d[15:0] == {f_shape[28:20], f_shape[19:13]});              // 2 bus
                assert ({1'b0, bus_word_d[30:27]} < SETS);                                  // 2 bus
                assert (bus_word_d[27 +: SET_BITS] == f_shape[29 +: SET_BITS]);             // 2 bus
                assert ({1'b0, bus_word_d[26:24]} < EPOCHS);                                // 2 bus
                assert (bus_word_d[24 +: EPOCH_BITS] == f_shape[33 +: EPOCH_BITS]);         // 2 bus
                assert (!f_dropped);                                                        // 2 bus
            end

            if (f_send && f_small) begin
                assert (f_rest != 32'd0 && f_size >= 7'd1 && f_size <= 7'd64);              // 3 primitives
                assert (f_left >= f_cover && f_after >= f_head - f_each);                   // 3 primitives
                if (!f_last) assert (f_size == 7'd64);                                      // 3 primitives
            end

            assert (turn_q == f_turn && f_turn < SE_COUNT);                                 // 5 step
            if (f_phase < STEP_HEADER) assert (!more_q && !wave_valid_q);                   // 5 step
        end

    // ---- counts and ends

    reg [SE_COUNT*DRAW_STATES*4-1:0] f_wait = 0;    // waves sent to an engine and not granted, by draw state
    reg [DRAW_STATES*11-1:0]         f_run  = 0;    // waves of a draw state granted and not ended
    reg [DRAW_STATES*6-1:0]          f_queued;
    reg [SE_COUNT*7-1:0]             f_used;
    reg [DRAW_STATES*3-1:0]          f_granted, f_ended;
    reg                              f_bad;
    always @* begin
        f_queued  = 0;
        f_used    = 0;
        f_granted = 0;
        f_ended   = 0;
        f_bad     = 1'b0;
        for (f_d = 0; f_d < DRAW_STATES; f_d = f_d + 1) begin
            for (f_e = 0; f_e < SE_COUNT; f_e = f_e + 1) begin
                f_queued[f_d*6 +: 6] = f_queued[f_d*6 +: 6] + {2'd0, f_wait[(f_e*DRAW_STATES + f_d)*4 +: 4]};
                f_used[f_e*7 +: 7]   = f_used[f_e*7 +: 7] + {3'd0, f_wait[(f_e*DRAW_STATES + f_d)*4 +: 4]};
                if (grant_valid[f_e] && grant_state[f_e*DRAW_BITS +: DRAW_BITS] == f_d) begin
                    f_granted[f_d*3 +: 3] = f_granted[f_d*3 +: 3] + 3'd1;
                    if (f_wait[(f_e*DRAW_STATES + f_d)*4 +: 4] == 4'd0)
                        f_bad = 1'b1;
                end
                if (complete_valid[f_e] && complete_state[f_e*DRAW_BITS +: DRAW_BITS] == f_d)
                    f_ended[f_d*3 +: 3] = f_ended[f_d*3 +: 3] + 3'd1;
            end
            if ({8'd0, f_ended[f_d*3 +: 3]} > f_run[f_d*11 +: 11])
                f_bad = 1'b1;
        end
        assume (!f_bad);                                                                    // A1 engines
    end

    (* anyconst *) wire [DRAW_BITS-1:0] f_mine;     // a draw state, and its draw
    reg                  f_life = 1'b0, f_sent = 1'b0, f_marks;
    reg [EPOCH_BITS-1:0] f_epoch;
    reg [SET_BITS-1:0]   f_set;
    wire                 f_begins = f_take && f_phase == STEP_COUNTS && draw_d == f_mine;
    wire                 f_ends   = taken_q[f_mine] && !taken_d[f_mine];

    always @(posedge clk) begin
        for (f_d = 0; f_d < DRAW_STATES; f_d = f_d + 1) begin
            for (f_e = 0; f_e < SE_COUNT; f_e = f_e + 1)
                f_wait[(f_e*DRAW_STATES + f_d)*4 +: 4] <= f_wait[(f_e*DRAW_STATES + f_d)*4 +: 4]
                    + {3'd0, f_send && bus_tag_d[12 +: DRAW_BITS] == f_d && bus_tag_d[5:4] == f_e}
                    - {3'd0, grant_valid[f_e] && grant_state[f_e*DRAW_BITS +: DRAW_BITS] == f_d};
            f_run[f_d*11 +: 11] <= f_run[f_d*11 +: 11] + {8'd0, f_granted[f_d*3 +: 3]} - {8'd0, f_ended[f_d*3 +: 3]};
        end
        if (f_begins)
            {f_life, f_sent} <= 2'b10;
        if (f_phase == STEP_SHAPE && f_take && draw_q == f_mine)
            {f_epoch, f_set} <= {word[33 +: EPOCH_BITS], word[29 +: SET_BITS]};
        f_marks <= draw_count_empty[f_mine] && !rst;
        if (f_phase == STEP_WAVES && step_d == STEP_COUNTS && draw_q == f_mine)
            f_sent <= 1'b1;
        if (f_ends)
            f_life <= 1'b0;
        if (rst) begin
            f_wait <= 0;
            f_run  <= 0;
            f_life <= 1'b0;
        end
    end

    reg [4:0] f_enders;
    always @* begin
        f_enders = 5'd0;
        for (f_d = 0; f_d < DRAW_STATES; f_d = f_d + 1)
            f_enders = f_enders + {4'd0, taken_q[f_d] && !taken_d[f_d]};
        if (!rst) begin
            for (f_e = 0; f_e < SE_COUNT; f_e = f_e + 1)
                assert (f_used[f_e*7 +: 7] == {3'd0, used_q[f_e*4 +: 4]} && used_q[f_e*4 +: 4] <= 4'd8);  // 1 counts
            for (f_d = 0; f_d < DRAW_STATES; f_d = f_d + 1) begin
                assert (f_queued[f_d*6 +: 6] == queued_q[f_d*6 +: 6]);                      // 1 counts
                assert ({1'b0, flight_q[f_d*10 +: 10]} ==
                        {5'd0, f_queued[f_d*6 +: 6]} + f_run[f_d*11 +: 11]);                // 1 counts
                assert (!f_run[f_d*11 + 10]);                                               // 1 counts
                if (!taken_q[f_d])
                    assert (flight_q[f_d*10 +: 10] == 10'd0);                               // 1 counts
            end

            assert (taken_q[f_mine] == f_life);                                             // 4 end
            if (f_life) begin
                assert (sent_q[f_mine] == f_sent && drained_q[f_mine] == f_marks);          // 4 end
                assert (f_sent == !(f_phase != STEP_COUNTS && draw_q == f_mine));           // 4 end
                if (f_sent || f_phase >= STEP_HEADER)
                    assert ({epoch_q[f_mine*EPOCH_BITS +: EPOCH_BITS], set_q[f_mine*SET_BITS +: SET_BITS]} ==
                            {f_epoch, f_set});                                              // 4 end
            end
            if (f_begins) assert (!f_life);                                                 // 4 end
            assert (f_enders == {4'd0, end_valid});                                         // 4 end
            if (f_ends) assert (f_life && f_sent && flight_q[f_mine*10 +: 10] == 10'd0 && f_marks);  // 4 end
            if (f_ends) assert (end_set == f_set && end_epoch == f_epoch);                  // 4 end
            if (f_life && f_sent && f_marks && flight_q[f_mine*10 +: 10] == 10'd0) assert (end_valid);  // 4 end
            if (idle) assert (!f_life && f_phase == STEP_COUNTS && !word_valid && !bus_valid);  // 4 end

            assert (!fault);                                                                // 6 fault

            cover (f_send && f_size == 7'd64);
            cover (f_send && f_size == 7'd2 && f_rest == 32'd2);
            cover (f_ends && f_number == 33'd2);
            cover (f_ends && f_number == 33'd0);
        end
    end

    // ---- what the induction needs

    // helpers
    always @*
        if (!rst) begin
            // State is what the words have said.
            assert (step_q == f_phase && f_phase <= STEP_WAVES);
            if (f_phase == STEP_SHAPE) assert (behind_q == f_vertices && instances_q == f_all && number_q == f_number);
            if (f_phase != STEP_COUNTS) assert (taken_q[draw_q] && !sent_q[draw_q]);
            if (f_phase == STEP_SHAPE) assert (!dropped_q);
            if (f_phase >= STEP_HEADER) begin
                assert ({pixel_words_q, words_q, hp3d_q, lds_q, vgprs_q, wave32_q} ==
                        {f_pixel_words, f_words, f_shape[36], f_shape[28:20], f_shape[19:13], f_shape[12]});
                assert (set_q[draw_q*SET_BITS +: SET_BITS] == f_shape[29 +: SET_BITS]);
                assert (epoch_q[draw_q*EPOCH_BITS +: EPOCH_BITS] == f_shape[33 +: EPOCH_BITS]);
                assert (number_q == f_number && stride_q == f_step && dropped_q == f_dropped);
                assert (f_step <= f_first && (f_step != 6'd0 || f_rest == 32'd0));
                if (f_phase == STEP_STATE) assert (words_q != 5'd0);
                if (f_phase >= STEP_PIXEL_HEADER) assert (words_q == 5'd0);
                if (f_phase == STEP_PIXEL_STATE) assert (pixel_words_q != 5'd0);
                if (f_phase == STEP_WAVES) assert (pixel_words_q == 5'd0);
                assert (behind_q == f_vertices - {26'd0, f_first});
                if (f_step == 6'd0) assert (!more_q && !wave_valid_q);
                if (f_small) assert (f_none == (!more_q && !wave_valid_q));
                if (f_small) assert (more_q == (f_rest != {31'd0, f_size_last}));
            end

            // The wave that is prepared.
            if (f_phase == STEP_WAVES && f_small)
                assert (step_d == f_close);
            if (f_phase >= STEP_HEADER && f_small && !f_none) begin
                assert (f_rest <= f_all && f_rest == instances_q + {31'd0, f_size_last});
                assert (f_each != 10'd0 && f_vertices[9:0] >= f_head);
                if (wave_valid_q) begin
                    assert (wave_size_q >= 7'd1 && wave_size_q <= 7'd64);
                    assert (f_left >= f_size_cover && f_size_after >= f_head - f_each);
                    if (!f_size_last) assert (wave_size_q == 7'd64);
                end
                if (more_q) begin
                    assert (instances_q != 32'd0 && left_q[31:10] == 22'd0 && behind_q[31:10] == 22'd0);
                    assert (f_behind == 12'd0 + f_head + left_q[9:0] + (f_early ? f_tail : 10'd0));
                    if (tail_bit_q != TAIL_KNOWN) begin
                        assert (f_early && tail_bit_q <= 3'd5);
                        assert ((tail_q & ((7'd2 << tail_bit_q) - 7'd1)) == 6'd0);
                        if (tail_bit_q != 3'd5) assert (left_q[9:0] < (f_each << (tail_bit_q + 3'd1)));
                    end
                    assert (f_waves * f_each < 10'd16);
                    if (f_early) begin
                        assert (behind_q[9:0] == 12'd0 + left_q[9:0] + f_tail + f_waves_all);
                        if (tail_bit_q == TAIL_KNOWN) assert (left_q[9:0] < f_each);
                    end else begin
                        assert (tail_bit_q == TAIL_KNOWN && f_odd < f_each && f_ahead <= f_waves);
                        assert (behind_q[9:0] == 12'd0 + f_odd + f_tail + f_waves_all);
                        assert (left_q[9:0] == 12'd0 + f_odd + f_tail + f_ahead_all);
                    end
                end
            end
        end
