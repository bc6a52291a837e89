// SPDX-License-Identifier: Apache-2.0
//
// Properties of totem_portion, included at the end of the module. The numbers are those of docs/contract/portion.md.

    // Any two engines, any place, any two entries; no rule depends on which they are.
    localparam [3:0] F_E = E;
    initial assume (rst);
    (* anyconst *) wire [3:0] f_any;
    (* anyconst *) wire [5:0] f_place;
    (* anyconst *) wire [WRITE_BITS-1:0] f_entry, f_entry2;
    (* anyseq *)   wire       f_pick;       // the write that f_engine gives is followed
    wire [B-1:0] f_engine = {30'd0, f_any[1:0]} < E ? f_any[B-1:0] : {B{1'b0}};
    wire [B-1:0] f_other  = {30'd0, f_any[3:2]} < E ? f_any[2 +: B] : {B{1'b0}};

    // What the registers of f_engine hold.
    wire [2:0]   f_phase  = phase_q[f_engine*3 +: 3];
    wire [36:0]  f_addr   = read_addr_q[f_engine*37 +: 37];
    wire [33:0]  f_line   = f_addr[36:3];
    wire [5:0]   f_at     = {f_addr[8:5], f_addr[4:3] ^ f_addr[10:9]};
    wire         f_there  = write_valid_q[f_engine];
    wire         f_busy   = f_phase == PORTION_FILL || f_phase == PORTION_FULL;
    wire [36:0]  f_sent_word = m_aw_addr[39:3];
    wire [5:0]   f_sent_at   = {f_sent_word[8:5], f_sent_word[4:3] ^ f_sent_word[10:9]};
    wire [33:0]  f_entry_line  = flying_line_q[f_entry*34 +: 34];
    wire [5:0]   f_entry_at    = {f_entry_line[5:2], f_entry_line[1:0] ^ f_entry_line[7:6]};
    wire [33:0]  f_entry2_line = flying_line_q[f_entry2*34 +: 34];

    // Fills and writes whose response is still to come.
    reg [E-1:0]  f_out  = {E{1'b0}};
    reg [W-1:0]  f_sent = {W{1'b0}};
    reg          f_r_known, f_b_known;
    integer      a, b, c;
    always @* begin
        f_r_known = 1'b0;
        f_b_known = 1'b0;
        for (a = 0; a < E; a = a + 1)
            if (route_r_id == a && f_out[a]) f_r_known = 1'b1;
        for (a = 0; a < W; a = a + 1)
            if (route_b_id == a && f_sent[a]) f_b_known = 1'b1;
        if (route_r_valid) assume (f_r_known);                                                      // A2 beats
        if (route_b_valid) assume (f_b_known);                                                      // A3 responses
    end

    // The tag of the followed place.
    reg          f_tagged = 1'b0;       // it was written
    reg [27:0]   f_tag;
    reg          f_latest = 1'b0;       // the last read was of that word
    reg [27:0]   f_register;
    reg          f_brought = 1'b0;      // a fill of the place has ended
    reg [27:0]   f_brought_tag;         // the line of the last one
    always @* if (f_latest) assume (tag_read_data == f_register);                                   // A1 ram

    // The places that snoops and flushes empty in this clock.
    reg          f_snoop, f_snoop_mine;
    reg [33:0]   f_snooped;
    always @* begin
        f_snoop      = flush;
        f_snoop_mine = flush;
        f_snooped    = 34'd0;
        for (c = 0; c < FE_COUNT; c = c + 1)
            for (b = 0; b < 2; b = b + 1) begin
                f_snooped = snoop_addr[c*34 +: 34] + {33'd0, b[0]};
                if (snoop_valid[c] && (b == 0 || snoop_pair[c])) begin
                    if (f_place == {f_snooped[5:2], f_snooped[1:0] ^ f_snooped[7:6]}) f_snoop = 1'b1;
                    if (f_at == {f_snooped[5:2], f_snooped[1:0] ^ f_snooped[7:6]}) f_snoop_mine = 1'b1;
                end
            end
    end

    // The clock before.
    reg          f_past = 1'b0;
    reg          f_was_snoop, f_was_snoop_mine;
    reg [2:0]    f_was_phase;
    reg          f_aw_was_free;
    reg          f_was_r, f_was_b, f_was_ar, f_was_aw;
    reg [63:0]   f_was_r_data, f_was_w_data;
    reg [B+S+2:0] f_was_r_rest;
    reg [B+S+1:0] f_was_b_all;
    reg [B+39:0] f_was_ar_all;
    reg [WRITE_BITS+47:0] f_was_aw_all;
    reg          f_was_flying;
    reg [W-1:0]  f_was_all_flying;
    reg [33:0]   f_was_line;            // of the entry
    reg          f_was_chief;           // a read came first
    reg          f_was_chief_write;
    reg [B-1:0]  f_was_first;
    reg          f_was_behind;
    reg [33:0]   f_was_chief_line, f_was_write_line;
    reg [5:0]    f_was_chief_at;
    reg          f_was_look, f_was_stuck;
    reg [B-1:0]  f_was_turn;
    wire         f_new  = f_past && f_aw_was_free && m_aw_valid;        // a write was sent
    reg [B-1:0]  f_sender;                                              // by this engine
    wire         f_hit  = f_past && f_was_phase == PORTION_WAIT && f_phase == PORTION_ANSWER;
    wire         f_miss = f_past && f_was_phase == PORTION_WAIT && f_phase == PORTION_FILL;
    wire         f_end  = f_past && f_was_phase == PORTION_FILL && f_phase == PORTION_FULL;

    // Of f_engine: its fill was hurt; beats of its fill; beats of its answer that are to come.
    reg          f_hurt  = 1'b0;
    reg          f_error = 1'b0;
    reg [2:0]    f_count = 3'd0;
    reg [3:0]    f_left  = 4'd0;
    reg [S-1:0]  f_id;
    wire         f_hurts = f_past && (f_was_snoop_mine || (f_new && f_sent_at == f_at) ||
                                      (f_was_phase == PORTION_FILL && f_hurt));
    wire         f_asks  = m_ar_valid && m_ar_id == f_engine;
    wire         f_beat  = beat_valid_q && beat_fill_q == f_engine;
    wire [2:0]   f_fill_word = fill_word_q[f_engine*3 +: 3];
    wire [1:0]   f_resp      = read_resp_q[f_engine*2 +: 2];
    reg [E-1:0]  f_fills;               // engines that fill, or whose fill has ended and is not answered yet
    reg [E-1:0]  f_serve, f_fetch, f_head, f_tail;      // of each engine: where beats of its answer are
    wire         f_read_accepted = engine_ar_valid[f_engine] && ar_ready[f_engine];
    wire         f_answer = r_valid && r_engine == f_engine;

    // The followed write of f_engine, and a read behind it.
    reg          f_kept = 1'b0;         // it has been taken and is not known to be sent
    reg          f_gone = 1'b0;         // it is in flight
    reg          f_done = 1'b0;         // its response has just come
    reg          f_after = 1'b0;        // a read of its line was taken behind it
    reg [33:0]   f_write_line;
    reg [S-1:0]  f_write_id;
    reg [WRITE_BITS-1:0] f_slot;
    wire         f_flies = f_gone || (f_kept && !f_there);
    wire [WRITE_BITS-1:0] f_slot_now = f_gone ? f_slot : m_aw_id;
    wire         f_open  = f_kept || f_gone;
    wire         f_takes = engine_aw_valid[f_engine] && aw_ready[f_engine] && f_pick && !f_open;
    wire         f_ends  = f_flies && route_b_valid && m_b_ready && route_b_id == f_slot_now;

    // Lookups of f_other since f_engine wants.
    reg [1:0]    f_looks = 2'd0;
    wire         f_waits = f_phase == PORTION_WAIT || f_phase == PORTION_FULL;
    // How far behind f_other an engine is, in the order of turns.
    wire [3:0]   f_way  = {{4-B{1'b0}}, f_engine} + (f_engine < f_other ? F_E : 4'd0) - {{4-B{1'b0}}, f_other};
    wire [3:0]   f_came = {{4-B{1'b0}}, turn_q} + (turn_q < f_other ? F_E : 4'd0) - {{4-B{1'b0}}, f_other};

    // Any engine that fills the followed place, other than the one that looks.
    reg          f_filled_beside;
    reg [36:0]   f_each;
    reg [E*6-1:0] f_places;
    reg [W-1:0]  f_taken;               // entry that was taken last
    always @* begin
        f_taken         = {W{1'b0}};
        f_filled_beside = 1'b0;
        f_each          = 37'd0;
        f_sender        = {B{1'b0}};
        for (a = 0; a < E; a = a + 1) begin
            f_each = read_addr_q[a*37 +: 37];
            f_serve[a] = serve_valid_q && serve_engine_q == a;
            f_fetch[a] = fetched_q && fetched_engine_q == a;
            f_head[a]  = held_q != 2'd0 && head_engine_q == a;
            f_tail[a]  = held_q == 2'd2 && tail_engine_q == a;
            f_places[a*6 +: 6] = {f_each[8:5], f_each[4:3] ^ f_each[10:9]};
            f_fills[a] = phase_q[a*3 +: 3] == PORTION_FILL || phase_q[a*3 +: 3] == PORTION_FULL;
            if (f_fills[a] && f_places[a*6 +: 6] == f_place && turn_q != a)
                f_filled_beside = 1'b1;
        end
        for (a = 0; a < W; a = a + 1)
            if (m_aw_id == a) begin
                f_sender   = flying_engine_q[a*B +: B];
                f_taken[a] = 1'b1;
            end
    end

    always @(posedge clk) begin
        f_past           <= !rst;
        f_was_snoop      <= f_snoop;
        f_was_snoop_mine <= f_snoop_mine;
        f_was_phase      <= f_phase;
        f_aw_was_free    <= !m_aw_valid || route_aw_ready;
        f_was_r          <= r_valid && !r_ready;
        f_was_r_data     <= r_data;
        f_was_r_rest     <= {r_engine, r_id, r_resp, r_last};
        f_was_b          <= b_valid && !b_ready;
        f_was_b_all      <= {b_engine, b_id, b_resp};
        f_was_ar         <= m_ar_valid && !route_ar_ready;
        f_was_ar_all     <= {m_ar_id, m_ar_addr};
        f_was_aw         <= m_aw_valid && !route_aw_ready;
        f_was_aw_all     <= {m_aw_id, m_aw_addr, m_w_strb};
        f_was_w_data     <= m_w_data;
        f_was_flying     <= flying_q[f_entry];
        f_was_all_flying <= flying_q;
        f_was_line       <= f_entry_line;
        f_was_look       <= look_q;
        f_was_turn       <= turn_q;
        f_was_stuck      <= (serve_valid_q && !(data_read_enable && serve_left_q == 3'd0)) ||
                            (m_ar_valid && !route_ar_ready);
        f_was_chief       <= 1'b0;
        f_was_chief_write <= 1'b0;
        f_was_first       <= first_q;
        for (b = 0; b < E; b = b + 1)
            if (first_q == b) begin
                f_was_chief       <= !first_write_q && phase_q[b*3 +: 3] == PORTION_WAIT;
                f_was_chief_write <= write_valid_q[b] && (first_write_q ||
                                     (phase_q[b*3 +: 3] == PORTION_WAIT && behind_q[b]));
                f_was_behind      <= behind_q[b];
                f_was_chief_line  <= read_addr_q[b*37 + 3 +: 34];
                f_was_chief_at    <= {read_addr_q[b*37 + 5 +: 4],
                                      read_addr_q[b*37 + 3 +: 2] ^ read_addr_q[b*37 + 9 +: 2]};
                f_was_write_line  <= write_addr_q[b*37 + 3 +: 34];
            end

        for (b = 0; b < E; b = b + 1) begin
            if (m_ar_valid && route_ar_ready && m_ar_id == b) f_out[b] <= 1'b1;
            if (route_r_valid && route_r_last && route_r_id == b) f_out[b] <= 1'b0;
        end
        for (b = 0; b < W; b = b + 1) begin
            if (m_aw_valid && route_aw_ready && m_aw_id == b) f_sent[b] <= 1'b1;
            if (route_b_valid && m_b_ready && route_b_id == b) f_sent[b] <= 1'b0;
        end

        if (tag_write_enable && tag_write_addr == f_place) begin
            f_tagged <= 1'b1;
            f_tag    <= tag_write_data;
        end
        if (tag_read_enable) begin
            f_latest   <= f_tagged && tag_read_addr == f_place;
            f_register <= f_tag;
        end
        for (b = 0; b < E; b = b + 1)
            if (data_write_enable && beat_fill_q == b && beat_last_q && data_write_addr[8:3] == f_place) begin
                f_brought     <= 1'b1;
                f_brought_tag <= read_addr_q[b*37 + 9 +: 28];
            end

        f_hurt <= f_hurts;
        if (f_asks && route_ar_ready) begin
            f_error <= 1'b0;
            f_count <= 3'd0;
        end else if (route_r_valid && route_r_id == f_engine) begin
            if (route_r_resp[1] || route_r_last != (f_count == 3'd7)) f_error <= 1'b1;
            f_count <= f_count + 3'd1;
        end
        if (f_read_accepted) begin
            f_left <= {1'b0, engine_ar_len[f_engine*3 +: 3]} + 4'd1;
            f_id   <= engine_ar_id[f_engine*S +: S];
        end else if (f_answer && r_ready)
            f_left <= f_left - 4'd1;

        f_done <= f_ends;
        if (f_takes) begin
            f_kept       <= 1'b1;
            f_write_line <= engine_aw_addr[f_engine*40 + 6 +: 34];
            f_write_id   <= engine_aw_id[f_engine*S +: S];
        end else begin
            f_kept <= f_kept && f_there;
            f_gone <= f_flies && !f_ends;
            f_slot <= f_slot_now;
        end
        if (f_read_accepted)
            f_after <= f_open && !f_ends && engine_ar_addr[f_engine*40 + 6 +: 34] == f_write_line;
        else if (f_phase == PORTION_EMPTY || f_ends)
            f_after <= 1'b0;

        if (!f_waits || (tag_read_enable && turn_q == f_engine)) f_looks <= 2'd0;
        else if (tag_read_enable && turn_q == f_other)           f_looks <= f_looks + 2'd1;

        if (rst) begin
            f_out   <= {E{1'b0}};
            f_sent  <= {W{1'b0}};
            f_left  <= 4'd0;
            f_kept  <= 1'b0;
            f_gone  <= 1'b0;
            f_done  <= 1'b0;
            f_after <= 1'b0;
            f_looks <= 2'd0;
            f_brought <= 1'b0;
        end
    end

    always @*
        if (!rst) begin
            if (f_phase == PORTION_FILL) assert (!valid_q[f_at]);                                   // 1 filling
            for (a = 0; a < E; a = a + 1)
                if (f_engine != a && f_busy && f_at == f_places[a*6 +: 6]) assert (!f_fills[a]);    // 2 one
            if (serve_valid_q && data_read_addr[8:3] == f_at && serve_engine_q != f_engine)
                assert (f_phase != PORTION_FILL);                                                   // 2 one
            assert ({1'b0, f_phase == PORTION_FILL} ==
                    {1'b0, f_asks} + {1'b0, f_out[f_engine]} + {1'b0, f_beat && beat_last_q});      // 3 outstanding
            assert ({1'b0, flying_q[f_entry]} ==
                    {1'b0, m_aw_valid && m_aw_id == f_entry} + {1'b0, f_sent[f_entry]});            // 3 outstanding
            if (f_past && f_was_snoop) assert (!valid_q[f_place]);                                  // 4 emptied
            if (f_new && f_sent_at == f_place) assert (!valid_q[f_place]);                          // 4 emptied
            if (f_end && (f_hurts || f_error)) assert (!valid_q[f_at]);                             // 5 poisoned
            if (f_answer) assert (f_left != 4'd0 && r_last == (f_left == 4'd1) && r_id == f_id);    // 6 beats
            assert (ar_ready[f_engine] == (f_left == 4'd0));                                        // 6 beats
            if (f_past && f_was_r)
                assert (r_valid && r_data == f_was_r_data &&
                        {r_engine, r_id, r_resp, r_last} == f_was_r_rest);                          // 7 steady
            if (f_past && f_was_b) assert (b_valid && {b_engine, b_id, b_resp} == f_was_b_all);     // 7 steady
            if (f_past && f_was_ar) assert (m_ar_valid && {m_ar_id, m_ar_addr} == f_was_ar_all);    // 7 steady
            if (f_past && f_was_aw)
                assert (m_aw_valid && m_w_data == f_was_w_data &&
                        {m_aw_id, m_aw_addr, m_w_strb} == f_was_aw_all);                            // 7 steady
            if (f_hit && f_at == f_place) assert (f_brought && f_brought_tag == f_line[33:6]);      // 8 hit
            if (data_read_enable && f_at == data_read_addr[8:3]) assert (f_phase != PORTION_FILL);  // 9 apart
            if (flying_q[f_entry]) begin
                if (f_entry_at == f_place && valid_q[f_place])
                    assert (f_brought_tag != f_entry_line[33:6]);                                   // 10 coherent
                if (f_phase == PORTION_FILL && f_line == f_entry_line) assert (f_hurts);            // 10 coherent
            end
            if (f_past && f_was_flying && f_was_line == f_line) assert (!f_hit && !f_miss);         // 10 coherent
            if (f_after) assert (f_phase == PORTION_WAIT);                                          // 10 coherent
            if (f_entry != f_entry2 && flying_q[f_entry] && flying_q[f_entry2]) begin
                assert (f_entry_line != f_entry2_line);                                             // 11 order
                assert (flying_engine_q[f_entry*B +: B] != flying_engine_q[f_entry2*B +: B] ||
                        flying_id_q[f_entry*S +: S] != flying_id_q[f_entry2*S +: S]);               // 11 order
            end
            if (f_done) assert (b_valid && b_engine == f_engine && b_id == f_write_id);             // 11 order
            if (f_miss && f_was_chief && f_was_chief_at == f_at) assert (f_was_first == f_engine);  // 12 first
            if (f_new && f_was_chief && f_was_chief_line == f_sent_word[36:3])
                assert (f_sender == f_was_first && f_was_behind);                                   // 12 first
            if (f_new && f_was_chief_write && f_sender != f_was_first) begin
                assert (f_was_write_line != f_sent_word[36:3]);                                     // 12 first
                assert ((f_was_all_flying | f_taken) != {W{1'b1}});                                 // 12 first
            end
            if (f_other != f_engine) assert (f_looks <= 2'd1);                                      // 13 turn
            if (f_past && f_was_look && look_q) assert (f_was_turn == turn_q && f_was_stuck);       // 13 turn

            // helpers
            assert (first_q < E && turn_q < E && write_turn_q < E && held_q <= 2'd2);
            if (serve_valid_q) assert (serve_engine_q < E);
            if (fetched_q) assert (fetched_engine_q < E);
            if (held_q != 2'd0) assert (head_engine_q < E);
            if (held_q == 2'd2) assert (tail_engine_q < E);
            if (m_ar_valid) assert (m_ar_id < E);
            if (flying_q[f_entry]) assert (flying_engine_q[f_entry*B +: B] < E);
            for (a = 0; a < E; a = a + 1) begin
                assert (phase_q[a*3 +: 3] <= PORTION_ANSWER);
                assert ({1'b0, phase_q[a*3 +: 3] == PORTION_FILL} == {1'b0, m_ar_valid && m_ar_id == a} +
                        {1'b0, f_out[a]} + {1'b0, beat_valid_q && beat_fill_q == a && beat_last_q});
                if (m_ar_valid && m_ar_id == a) assert (m_ar_line_q == read_addr_q[a*37 + 3 +: 34]);
                if (behind_q[a]) assert (write_valid_q[a]);
                if (look_q && turn_q == a)
                    assert (phase_q[a*3 +: 3] == PORTION_WAIT || phase_q[a*3 +: 3] == PORTION_FULL);
                assert ((f_serve[a] || f_fetch[a] || f_head[a] || f_tail[a]) ==
                        (phase_q[a*3 +: 3] == PORTION_ANSWER));
                if (f_fetch[a]) assert (fetched_last_q == !f_serve[a]);
                if (f_tail[a]) assert (tail_last_q == !(f_serve[a] || f_fetch[a]));
                if (f_head[a]) assert (head_last_q == !(f_serve[a] || f_fetch[a] || f_tail[a]));
                // Of every engine what is said above of one.
                for (c = 0; c < a; c = c + 1)
                    if (f_places[c*6 +: 6] == f_places[a*6 +: 6]) assert (!(f_fills[c] && f_fills[a]));
                if (serve_valid_q && serve_engine_q != a && data_read_addr[8:3] == f_places[a*6 +: 6])
                    assert (phase_q[a*3 +: 3] != PORTION_FILL);
                if (phase_q[a*3 +: 3] == PORTION_FILL) begin
                    if (f_places[a*6 +: 6] == f_place) begin
                        assert (!valid_q[f_place]);
                        if (!(m_ar_valid && m_ar_id == a))
                            assert (f_tagged && f_tag == read_addr_q[a*37 + 9 +: 28]);
                    end
                    if (flying_q[f_entry] && f_entry_line == read_addr_q[a*37 + 3 +: 34]) assert (poisoned_q[a]);
                end
            end
            // Tags of the followed place.
            if (valid_q[f_place]) assert (f_brought && f_tagged && f_brought_tag == f_tag);
            if (look_q && turn_q == f_engine && f_at == f_place && f_tagged)
                assert (f_filled_beside || (f_latest && f_register == f_tag));
            // The fill of f_engine.
            if (f_beat) assert (f_phase == PORTION_FILL && (f_out[f_engine] || beat_last_q));
            if (f_phase == PORTION_FILL) begin
                assert (poisoned_q[f_engine] == f_hurts);
                if (f_asks) assert (f_fill_word == 3'd0 && f_resp == 2'd0);
                else begin
                    assert (f_count == f_fill_word + {2'd0, f_beat});
                    assert (f_error == (f_resp != 2'd0 ||
                                        (f_beat && (beat_resp_q[1] || beat_last_q != (f_fill_word == 3'd7)))));
                end
            end
            // Its answer.
            if (f_phase != PORTION_EMPTY) assert (f_id == read_id_q[f_engine*S +: S]);
            if (f_waits || f_phase == PORTION_FILL) assert (f_left == {1'b0, read_len_q[f_engine*3 +: 3]} + 4'd1);
            if (f_phase == PORTION_ANSWER)
                assert (f_left == (f_serve[f_engine] ? {1'b0, serve_left_q} + 4'd1 : 4'd0) +
                                  {3'd0, f_fetch[f_engine]} + {3'd0, f_head[f_engine]} + {3'd0, f_tail[f_engine]});
            // The followed write.
            assert (!(f_kept && f_gone));
            if (f_kept && f_there)
                assert (write_addr_q[f_engine*37 + 3 +: 34] == f_write_line &&
                        write_id_q[f_engine*S +: S] == f_write_id);
            if (f_flies)
                assert (flying_q[f_slot_now] && flying_line_q[f_slot_now*34 +: 34] == f_write_line &&
                        flying_engine_q[f_slot_now*B +: B] == f_engine && flying_id_q[f_slot_now*S +: S] == f_write_id);
            if (f_kept && !f_there) assert (f_new);
            if (f_after) begin
                assert (f_open && f_line == f_write_line);
                if (f_kept && f_there) assert (behind_q[f_engine]);
            end
            // Turns.
            if (f_other != f_engine && f_looks == 2'd1 && f_waits) begin
                assert (f_came <= f_way);
                if (turn_q == f_other) assert (look_q);
                if (turn_q == f_engine) assert (!look_q);
            end
        end

    always @(posedge clk)
        if (!rst) begin
            cover (f_end && f_hurts && !f_error);
            cover (f_answer && r_last && r_resp == 2'd3);
            cover (f_done && f_phase == PORTION_WAIT && f_line == f_write_line);
        end
