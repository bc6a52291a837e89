// SPDX-License-Identifier: Apache-2.0
//
// Properties of totem_dc, included at the end of the module. The numbers are those of docs/contract/dc.md.

    initial assume (rst);
    wire       f_pipe   = PIPES > 1 && stream_pipe_q;
    wire [2:0] f_stream = (f_pipe ? SE_COUNT[2:0] : 3'd0) + {1'b0, stream_engine_q};
    wire       f_quiet  = !packet_stop[f_pipe] && !packet_start[f_pipe];
    wire       f_spare  = !buffer_q[f_stream*1 +: 1];
    integer    f_n, f_e;
    reg [PIPES*2-1:0] f_levels = {PIPES*2{1'b0}};   // priorities in the clock before
    reg [1:0]  f_told = 2'd0;               // what the engine knew then
    reg        f_news;                      // some engine is to be told in this clock
    reg [3:0]  f_lost;                      // granted or returned there
    reg        f_unsure, f_waits, f_whose;
    reg [2:0]  f_ahead;                     // engines before it that do not know them
    reg [5:0]  f_late = 6'd0;               // clocks that it does not know, and the bus takes words
    reg [1:0]  f_gap = 2'd3;                // such clocks since a priority was sent, 3: or more
    reg        f_able, f_could = 1'b0;      // a group and an engine that may take it
    reg [PIPES-1:0] f_starts = {PIPES{1'b0}};   // a grid began
    (* anyconst *) wire f_choice;            // a pipe and an engine
    (* anyconst *) wire [1:0] f_engine;
    wire       f_own    = PIPES > 1 && f_choice;
    wire [2:0] f_place  = (f_own ? SE_COUNT[2:0] : 3'd0) + {1'b0, f_engine};
    wire [3:0] f_gone   = {3'd0, grant_valid[f_place]} +
                          (answer_valid[f_place] ? {1'b0, answer_count[f_engine*3 +: 3]} : 4'd0);
    reg        f_kept = 1'b0;               // the word on the bus was not taken
    reg [79:0] f_word_before;
    reg [3:0]  f_read;                      // address that the state RAMs show
    wire       f_stuck  = bus_valid_q && !bus_ready;
    wire       f_goes   = !f_stuck && !stale_q && !f_news;
    wire       f_tells  = bus_valid_q && !f_kept && bus_tag_q[12:11] == WORD_GROUP[1:0] &&     // or WORD_PRIORITY
                          bus_tag_q[8] == f_own && bus_tag_q[5:4] == f_engine;
    wire       f_call   = bus_valid_q && !f_kept && bus_tag_q[13:11] == WORD_RECALL && bus_word_q[0] &&
                          bus_tag_q[8] == f_own;
    reg  [6:0] f_lacks = 7'd0;
    reg        f_called = 1'b0;             // called back, and nothing granted since
    wire       f_grant  = |grant_valid[f_own*SE_COUNT +: SE_COUNT];
    reg        f_lasted;
    reg        f_states = 1'b0;             // a word of state was due
    reg        f_table = 1'b0;              // a partial group's word was due
    reg [12:0] f_threads;                   // of that group
    reg        f_narrow;
    wire [31:0] f_word  = stream_partial_q[0] ? state_high_data[f_pipe*32 +: 32] : state_low_data[f_pipe*32 +: 32];
    wire [13:0] f_up    = {1'b0, f_threads} + (f_narrow ? 14'd31 : 14'd63);
    wire [6:0]  f_waves = f_narrow ? f_up[11:5] : f_up[12:6];
    wire [6:0]  f_odd   = {1'b0, !f_narrow && f_threads[5], f_threads[4:0]};    // of the last wave, 0: all
    always @* begin
        assume (f_engine < SE_COUNT);                                                        // A1 engine
        f_able  = 1'b0;
        f_news  = 1'b0;
        f_waits = 1'b0;
        f_ahead = 3'd0;
        for (f_n = 0; f_n < PIPES; f_n = f_n + 1)
            for (f_e = 0; f_e < SE_COUNT; f_e = f_e + 1)
                if (walker_group_valid[f_n] && !packet_stop[f_n] && !packet_start[f_n] && !take_q[f_n] &&
                    recalled_q[f_n*SE_COUNT +: SE_COUNT] == {SE_COUNT{1'b0}} &&
                    bank_engines[f_n*SE_COUNT + f_e] && walker_room[f_n*SE_COUNT + f_e] &&
                    presented_q[(f_n*SE_COUNT + f_e)*3 +: 3] != 3'd4 &&
                    (header_sent_q[f_n*SE_COUNT + f_e] ?
                     used_q[(f_n*SE_COUNT + f_e)*8 + {buffer_q[f_n*SE_COUNT + f_e], 2'b00} +: 4] != 4'd15 :
                     used_q[(f_n*SE_COUNT + f_e)*8 + {!buffer_q[f_n*SE_COUNT + f_e], 2'b00} +: 4] == 4'd0))
                    f_able = 1'b1;
        for (f_n = 0; f_n < PLACES; f_n = f_n + 1) begin
            f_whose = f_n >= SE_COUNT;
            f_lost  = grant_valid[f_n] + (answer_valid[f_n] ? {1'b0, answer_count[(f_n % SE_COUNT)*3 +: 3]} : 4'd0);
            f_unsure = presented_q[f_n*3 +: 3] > f_lost && !packet_stop[f_whose] && !packet_start[f_whose] &&
                       !recalled_q[f_n] && told_q[f_n*2 +: 2] != arbiter_pipe_priority[f_whose*2 +: 2];
            if (f_unsure)
                f_news = !(bus_tag_q[13:11] == WORD_PRIORITY && (bus_valid_q || stream_valid_q));
            if (f_n == f_place)
                f_waits = f_unsure;
            if (f_n < f_place && told_q[f_n*2 +: 2] != f_levels[f_whose*2 +: 2])
                f_ahead = f_ahead + 3'd1;
        end
    end

    always @(posedge clk) begin
        f_could  <= !rst && f_able && !stream_valid_q;
        f_lacks  <= (rst || grant_valid[f_place] || {1'b0, presented_q[f_place*3 +: 3]} <= f_gone ||
                     !(issue_free_slots[f_engine*7 +: 7] < dispatch_waves[f_own*7 +: 7] ||
                       issue_free_vgprs_left[f_engine*12 +: 12] < total_q[f_own*13 +: 13] ||
                       issue_free_lds_left[f_engine*10 +: 10] < bank_lds[f_own*9 +: 9])) ? 7'd0 :
                    (f_lacks == 7'd64) ? 7'd64 : f_lacks + 7'd1;
        f_lasted  <= f_lacks == 7'd64;
        f_called  <= !rst && ((f_called && !f_grant) ||
                              (f_call && !f_grant));
        f_levels <= arbiter_pipe_priority;
        f_told   <= rst ? 2'd0 : told_q[f_place*2 +: 2];
        f_late   <= (rst || !f_waits) ? 6'd0 :
                    ((f_levels == arbiter_pipe_priority) ? f_late : 6'd0) + {5'd0, !f_stuck};
        if (rst)
            f_gap <= 2'd3;
        else if (!f_stuck)
            f_gap <= f_news ? 2'd0 : (f_gap == 2'd3) ? 2'd3 : f_gap + 2'd1;
        f_starts <= rst ? {PIPES{1'b0}} : packet_start;
        f_kept   <= !rst && bus_valid_q && !bus_ready;
        f_word_before <= {bus_tag_q, bus_word_q};
        if (state_read_enable[f_pipe])
            f_read <= state_read_addr[f_pipe*4 +: 4];
        if (rst || bus_ready || !bus_valid_q) begin
            f_states <= !rst && f_goes && stream_valid_q && f_quiet && stream_step_q != STREAM_HEADER_B &&
                        stream_step_q < STREAM_TABLE && stream_step_q <= {1'b0, bank_words[f_pipe*4 +: 4]};
            f_table  <= !rst && f_goes && stream_valid_q && stream_step_q > STREAM_TABLE;
            f_threads <= f_word[12:0];
            f_narrow  <= dispatch_wave32[f_pipe];
        end
        if (!rst) begin
            if (f_kept)
                assert (bus_valid_q && {bus_tag_q, bus_word_q} == f_word_before && take_q == {PIPES{1'b0}} &&
                        killed_q == {PIPES{1'b0}});                                          // 11 stays
            if (stream_valid_q && !stale_q && stream_step_q != STREAM_HEADER_B && stream_step_q < STREAM_TABLE)
                assert (f_read == stream_step_q[3:0] - 4'd1 - {3'd0, stream_scratch_q});     // 12 own
            if (stream_valid_q && !stale_q && stream_step_q > STREAM_TABLE)
                assert (f_read == 4'd10 + {2'd0, stream_partial_q[2:1]});                    // 12 own
            if (f_could) assert (bus_valid_q);                                               // 7 works
            assert (shorts_q[f_place*7 +: 7] == f_lacks);                                    // 10 patience
            if (f_call) begin
                if (bus_tag_q[5:4] == f_engine) assert (f_lasted);                           // 10 patience
                assert (!f_called && moved_q[f_own]);                                        // 10 patience
            end
            if (f_called) assert (moved_q[f_own]);                                           // 10 patience
            for (f_n = 0; f_n < PIPES; f_n = f_n + 1)
                if (f_starts[f_n]) assert (header_sent_q[f_n*SE_COUNT +: SE_COUNT] == {SE_COUNT{1'b0}});  // 8 anew
            assert ((bus_valid_q && bus_tag_q[13:11] == WORD_STATE) == f_states);            // 9 words
            assert ((bus_valid_q && bus_tag_q[13:11] == WORD_PARTIAL) == f_table);           // 9 words
            if (f_table && f_threads != 13'd0)
                assert (bus_word_q[6:0] == f_waves &&
                        bus_word_q[13:7] == (f_odd == 7'd0 ? (f_narrow ? 7'd32 : 7'd64) : f_odd));  // 9 words
            assert (last_q <= LAST_ENGINE && stream_engine_q <= LAST_ENGINE &&
                    stream_step_q <= STREAM_PARTIAL);                                        // 1 range
            assert (served_q <= LAST_PIPE && stream_pipe_q <= LAST_PIPE);                    // 1 range
            for (f_n = 0; f_n < PLACES; f_n = f_n + 1)
                assert (presented_q[f_n*3 +: 3] <= 3'd4);                                    // 1 range
            assert (PIPES == 1 || !(take_q[0] && take_q[PIPES-1]));                          // 2 take
            for (f_n = 0; f_n < PIPES; f_n = f_n + 1)
                if (take_q[f_n]) begin
                    assert (bus_valid_q && bus_tag_q[13:11] == WORD_GROUP && bus_tag_q[8] == f_n[0]);  // 2 take
                    assert (bus_tag_q[5:4] == take_engine_q);                                // 2 take
                    assert (!(|recalled_q[f_n*SE_COUNT +: SE_COUNT]));                       // 3 recalled
                end
            if (stream_valid_q) begin
                assert (!(|recalled_q[f_pipe*SE_COUNT +: SE_COUNT]));                        // 3 recalled
            end
            if (stream_valid_q && stream_step_q < STREAM_TABLE) begin
                assert (used_q[f_stream*8 + f_spare*4 +: 4] == 4'd0);                        // 4 buffer
                assert (presented_q[f_stream*3 +: 3] < 3'd4 && !header_sent_q[f_stream*1 +: 1]);  // 4 buffer
            end
            for (f_n = 0; f_n < PIPES; f_n = f_n + 1)
                if (killed_q[f_n])
                    assert (bus_valid_q && bus_tag_q[13:11] == WORD_KILL && bus_tag_q[8] == f_n[0]);  // 6 killed
            if (bus_valid_q && (bus_tag_q[13:11] == WORD_HEADER_A || bus_tag_q[13:11] == WORD_HEADER_B))
                assert (stream_valid_q);                                                     // 5 header
            if (bus_valid_q && bus_tag_q[13:11] != WORD_GROUP)
                assert ((bus_tag_q[10:9] == 2'd0 || bus_tag_q[13:11] == WORD_PRIORITY) && !bus_tag_q[15]);  // 13 tag
            if (bus_valid_q && bus_tag_q[13:11] >= WORD_RECALL)
                assert (!bus_tag_q[14]);                                                     // 13 tag
            assert (told_q[f_place*2 +: 2] == (f_tells ? bus_tag_q[10:9] : f_told));         // 14 told
            // In four clocks one engine is told, of those before it first.
            if (!f_tells)
                assert (f_late <= {1'b0, f_place - f_ahead, 2'b00} + {4'd0, f_gap});         // 14 told
            if (bus_tag_q[13:11] == WORD_PRIORITY && bus_valid_q)
                assert (f_gap == 2'd0);                                                      // 14 told
            if (bus_tag_q[13:11] == WORD_PRIORITY && !bus_valid_q && stream_valid_q)
                assert (!stale_q && (f_gap == 2'd1 ||
                                     (f_gap == 2'd2 && stream_step_q > STREAM_TABLE)));      // 14 told
        end
        cover (stream_valid_q && stream_step_q == STREAM_TABLE - 5'd1);
        cover (killed_q[PIPES-1]);
        cover (f_late == 6'd4);
        cover (stale_q && stream_step_q == STREAM_STATE + 5'd2);
        cover (f_lacks == 7'd12);
    end
