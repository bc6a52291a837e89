// SPDX-License-Identifier: Apache-2.0
//
// Properties of totem_memory, included at the end of the module. The numbers are those of docs/contract/memory.md.

    // A requester of each kind, and an ID of fence writes, are picked at will and followed. f_owes: memory owes a
    // response for that ID. f_ahead writes of the stream end before the one that f_watch follows, picked at will.
    initial assume (rst);
    (* anyconst *) wire [READER_BITS-1:0] f_reader;
    (* anyconst *) wire [WRITER_BITS-1:0] f_writer;
    (* anyconst *) wire [ID_BITS-2:0] f_fence;
    always @* assume (f_reader < R && f_writer < W && f_fence < F);                          // A1 range
    wire        f_is_fence = f_writer >= S;
    wire        f_stream0  = f_writer < S;
    reg  [4:0]  f_out;                      // outstanding writes of the writer
    integer     k;
    always @* begin
        f_out = f_is_fence ? 5'd0 : {3'd0, writes_q[f_writer*2 +: 2]};
        for (k = 0; k < F; k = k + 1)
            f_out = f_out + {4'd0, fence_busy_q[k] && fence_owner_q[k*WRITER_BITS +: WRITER_BITS] == f_writer};
    end
    reg         f_owes = 1'b0;
    wire        f_sent = aw_valid_d && (!aw_valid_q || m_axi_awready) && aw_id_d == {1'b1, f_fence};
    wire        f_back = m_axi_bvalid && m_axi_bid == {1'b1, f_fence};
    reg         f_past = 1'b0, f_error_held = 1'b0;
    reg  [63:0] f_error;
    reg  [R:0]  f_told, f_open;
    reg         f_ar_held = 1'b0, f_aw_held = 1'b0, f_w_held = 1'b0, f_ar_new = 1'b0;
    reg [READER_BITS+41:0] f_ar;
    reg [ID_BITS+45:0] f_aw;
    reg         f_aw_new = 1'b0, f_read_locks, f_locks;     // what is asked for is exclusive
    reg         f_asked_lock;
    reg [72:0]  f_w;
    reg [1:0]   f_reads_owed = 2'd0;
    reg [4:0]   f_writes_owed = 5'd0;
    wire        f_read_in   = read_valid[f_reader] && read_ready[f_reader];
    wire        f_read_out  = data_valid_q && data_last_q && data_target_q == f_reader;
    reg         f_offers;                   // the writer has a word, as the ports say
    reg  [63:0] f_word;
    always @* begin
        f_read_locks = 1'b0;
        f_locks      = 1'b0;
        f_offers = write_valid[f_writer];
        f_word   = write_word[f_writer*64 +: 64];
        for (k = 0; k < FE_PIPES; k = k + 1) begin
            if (f_writer == 2*k + 1 && (packet_fence_write[k] || !fence_write_room[k]))
                f_offers = 1'b0;
            if (f_reader == 2*k + 1) f_read_locks = poll_read_exclusive[k];
            if (f_writer == 2*k + 1) f_locks = f_word[54];
            if (f_writer == 2*FE_PIPES + k && record_write_valid[k]) begin
                f_offers = 1'b1;
                f_word   = record_write_word[k*64 +: 64];
            end
        end
    end
    wire        f_write_in  = stage_q == MEMORY_SECOND && stage_d == MEMORY_HELD && write_ready[f_writer] && f_offers;
    // One beat of every burst is followed: what it and the dwords of the burst were when they were taken, and are of
    // the burst that leaves. f_words: words of the message behind the first that are taken, f_beats: beats that have left.
    (* anyconst *) wire [3:0] f_nth;
    reg  [4:0]  f_words = 5'd0;
    reg  [3:0]  f_beats = 4'd0;
    reg  [63:0] f_taken_beat, f_beat;
    reg  [31:0] f_taken_dwords, f_dwords;
    reg         f_served;                   // the requester that is served has a word
    reg  [63:0] f_serve;
    always @* begin
        f_served = write_valid[serve_q];
        f_serve  = write_word[serve_q*64 +: 64];
        for (k = 0; k < FE_PIPES; k = k + 1) begin
            if (serve_q == 2*k + 1 && (packet_fence_write[k] || !fence_write_room[k]))
                f_served = 1'b0;
            if (serve_q == 2*FE_PIPES + k && record_write_valid[k]) begin
                f_served = 1'b1;
                f_serve  = record_write_word[k*64 +: 64];
            end
        end
    end
    wire        f_word_in = stage_q == MEMORY_SECOND && f_served;
    wire        f_sends   = stage_q == MEMORY_HELD && aw_valid_d && (!aw_valid_q || m_axi_awready);
    wire [4:0]  f_where   = 5'd17 - f_words + {1'b0, f_nth};
    wire        f_write_out = ack_valid_q && ack_target_q == f_writer;
    reg  [41:0] f_asked;                    // address and beats of the reader's request
    (* anyseq *) wire f_pick;
    reg         f_watch = 1'b0;
    reg  [4:0]  f_ahead;
    reg  [46:0] f_first, f_write;           // {exclusive, tag, address} of the message that arrives, and of the write
    wire [46:0] f_ack = {ack_exclusive, ack_tag, ack_addr};
    wire [4:0]  f_place = f_ahead - {4'd0, f_write_out};
    reg  [46:0] f_stored;                   // what is kept of the write that f_place others are before
    always @* begin
        f_stored = {held_exclusive_q, held_tag_q, held_addr_q, held_strobe_q[3:0] == 4'd0, 2'd0};
        if (f_place < {3'd0, writes_q[f_writer*2 +: 2]} && f_place == 5'd0)
            f_stored = {write_exclusive_q[f_writer*2], write_tag_q[f_writer*12 +: 6],
                        write_addr_q[f_writer*76 +: 38], 2'd0};
        else if (f_place < {3'd0, writes_q[f_writer*2 +: 2]})
            f_stored = {write_exclusive_q[f_writer*2 + 1], write_tag_q[f_writer*12 + 6 +: 6],
                        write_addr_q[f_writer*76 + 38 +: 38], 2'd0};
        else if (f_place < f_out)
            for (k = 0; k < F; k = k + 1)
                if (fence_busy_q[k] && fence_owner_q[k*WRITER_BITS +: WRITER_BITS] == f_writer)
                    f_stored = {1'b0, fence_tag_q[k*6 +: 6], fence_addr_q[k*38 +: 38], 2'd0};
    end
    reg  [31:0] f_patience, f_period;
    reg  [R:0]  f_dead;                     // paths that are
    always @* begin
        for (k = 0; k < R; k = k + 1)
            f_dead[k] = reads_late_q[2*k] || reads_late_q[2*k+1];
        f_dead[R] = fence_late_q == {F{1'b1}};
        f_patience = settings_timeout;
        if (kill_overdue != 0 && settings_dequeue_timeout != 24'd0 &&
            (settings_timeout == 32'd0 || {8'd0, settings_dequeue_timeout[23:12], 12'hfff} < settings_timeout))
            f_patience = {8'd0, settings_dequeue_timeout[23:12], 12'hfff};
    end

    always @(posedge clk) begin
        f_past        <= !rst;
        f_ar_held     <= !rst && ar_valid_q && !m_axi_arready;
        f_aw_held     <= !rst && aw_valid_q && !m_axi_awready;
        f_w_held      <= !rst && w_valid_q && !m_axi_wready;
        f_error_held  <= !rst && error_valid && !events_error_ready;
        f_error       <= error_word;
        f_told        <= told_q & f_dead;
        f_open        <= ~f_dead;
        f_period      <= (rst || f_patience == 32'd0 || {1'b0, period_q} + 33'd1 >= {1'b0, f_patience}) ? 32'd0
                         : period_q + 32'd1;
        if (read_valid[f_reader] && read_ready[f_reader]) begin
            f_asked <= {read_addr[f_reader*40 + 3 +: 37], read_beats[f_reader*5 +: 5]};
            f_asked_lock <= f_read_locks;
        end
        if (stage_q == MEMORY_FIRST && write_ready[f_writer] && f_offers)
            f_first <= {f_locks, f_word[53:48], f_word[39:3], f_word[43:40] == 4'd0, 2'd0};
        if (!f_watch) begin
            f_watch <= f_write_in && f_pick && f_stream0;
            f_ahead <= f_writes_owed - {4'd0, f_write_out};
            f_write <= f_first;
        end else if (f_write_out) begin
            f_watch <= f_ahead != 5'd0;
            f_ahead <= f_place;
        end
        if (rst) f_watch <= 1'b0;
        f_ar_new      <= !rst && ar_valid_d && (!ar_valid_q || m_axi_arready);
        f_aw_new      <= !rst && aw_valid_d && (!aw_valid_q || m_axi_awready);
        f_ar          <= {ar_id_q, ar_addr_q, ar_len_q, ar_lock_q};
        f_aw          <= {aw_id_q, aw_addr_q, aw_lock_q, m_axi_awlen};
        f_w           <= {w_data_q, w_strobe_q, m_axi_wlast};
        f_words       <= (rst || stage_q == MEMORY_FIRST) ? 5'd0 : f_words + {4'd0, f_word_in};
        if (f_word_in && f_words == 5'd0) f_taken_dwords <= f_serve[31:0];
        if (f_word_in && f_words == {1'b0, f_nth} + 5'd1 && !held_fail_q) f_taken_beat <= f_serve;
        f_beats <= (rst || f_sends) ? 4'd0 : f_beats + {3'd0, w_valid_q && m_axi_wready};
        if (f_sends) begin
            f_beat   <= f_taken_beat;
            f_dwords <= f_taken_dwords;
        end
        f_reads_owed  <= rst ? 2'd0 : f_reads_owed + {1'b0, f_read_in} - {1'b0, f_read_out};
        f_writes_owed <= rst ? 5'd0 : f_writes_owed + {4'd0, f_write_in} - {4'd0, f_write_out};
        f_owes        <= !rst && (f_sent || (f_owes && !f_back));
        if (f_past) begin
            assert (f_owes == (fence_busy_q[f_fence] || fence_late_q[f_fence]));             // 6 fences
            assert ((fence_busy_q & fence_late_q) == {F{1'b0}} &&
                    (fence_expired_q & ~fence_busy_q) == {F{1'b0}});                         // 6 fences
            assert (!(f_sent && f_owes));                                                    // 6 fences
            if (f_ar_new && fence_busy_q[f_fence])
                assert (fence_addr_q[f_fence*38 + 10 +: 28] != ar_addr_q[36:9]);             // 5 ordered
            if (f_error_held) assert (error_valid && error_word == f_error);                 // 1 stable
            assert (error_left_q <= 2'd2);                                                   // 10 numbers
            assert ((f_told & ~told_q) == 0 && (f_open & told_q) == 0);                      // 11 told
            if (f_ar_held) assert (ar_valid_q && f_ar == {ar_id_q, ar_addr_q, ar_len_q, ar_lock_q});  // 1 stable
            if (f_aw_held) assert (aw_valid_q && f_aw == {aw_id_q, aw_addr_q, aw_lock_q, m_axi_awlen});  // 1 stable
            if (f_w_held)  assert (w_valid_q && f_w == {w_data_q, w_strobe_q, m_axi_wlast});  // 1 stable
            if (stage_q == MEMORY_HELD) assert (f_words == (held_burst_q ? 5'd17 : 5'd1));   // 14 burst
            if (stage_q == MEMORY_SECOND) assert (f_words == (held_burst_q ? 5'd16 - fill_q : 5'd0));  // helper
            if (stage_q == MEMORY_SECOND) assert (fill_q <= {held_burst_q, 4'd0});           // helper
            if (left_q != 4'd0) assert (w_valid_q && (stage_q == MEMORY_REST || held_fail_q));  // 14 burst
            if (w_valid_q)
                assert (f_beats == (aw_burst_q ? 4'd15 - left_q : 4'd0) &&
                        m_axi_wlast == (f_beats == m_axi_awlen[3:0]));                       // 14 burst
            if (w_valid_q && aw_burst_q && f_beats == f_nth)
                assert (m_axi_wdata == f_beat &&
                        m_axi_wstrb == {{4{f_dwords[{f_nth, 1'b1}]}}, {4{f_dwords[{f_nth, 1'b0}]}}});  // 14 burst
            if (stage_q[1] && held_burst_q && f_words != 5'd0)
                assert (held_data_q[31:0] == f_taken_dwords);                                // helper
            if (stage_q[1] && held_burst_q && f_words > {1'b0, f_nth} + 5'd1 && !held_fail_q)
                assert (buffer_q[f_where[3:0]*64 +: 64] == f_taken_beat);                    // helper
            if (w_valid_q && aw_burst_q && f_beats < f_nth)
                assert (buffer_q[(f_nth - f_beats - 4'd1)*64 +: 64] == f_beat);              // helper
            if (left_q != 4'd0)
                assert (aw_burst_q && w_mask_q == (f_dwords >> {5'd16 - {1'b0, left_q}, 1'b0}));  // helper
            if (f_ar_new && ar_id_q == f_reader)
                assert (m_axi_araddr == {f_asked[41:5], 3'd0} &&
                        m_axi_arlen == ((f_asked + 42'd31) & 42'd15));                       // 7 asked
            if (f_ar_new && ar_id_q == f_reader) assert (m_axi_arlock == f_asked_lock);      // 13 exclusive
            if (f_aw_new && aw_id_q == f_writer) assert (m_axi_awlock == f_first[46]);       // 13 exclusive
            if (f_aw_new && aw_id_q[ID_BITS-1]) assert (!m_axi_awlock);                      // 13 exclusive
            if (stage_q[1] && held_exclusive_q) assert (serve_q[0] && serve_q < 2*FE_PIPES);  // 13 exclusive
            for (k = 0; k < FE_PIPES; k = k + 1)
                if (f_reader == 2*k + 1 && ask_valid_q[f_reader])
                    assert (ask_exclusive_q[k] == f_asked_lock);                             // helper
            if (ask_valid_q[f_reader] && f_reader[0] == 1'b0) assert (!f_asked_lock);        // helper
            if (ask_valid_q[f_reader])
                assert (f_asked == {ask_addr_q[f_reader*37 +: 37], ask_beats_q[f_reader*5 +: 5]});  // helper
            if (f_watch) assert (f_stream0);                                                 // helper
            if (f_watch && f_ahead == 5'd0 && f_write_out) assert (f_ack == f_write);        // 8 oldest
            if (f_watch && (f_ahead != 5'd0 || !f_write_out))
                assert (f_stored == f_write && f_ahead < f_writes_owed);                     // helper
            if (stage_q[1] && serve_q == f_writer)
                assert (f_first == {held_exclusive_q, held_tag_q, held_addr_q, held_strobe_q[3:0] == 4'd0,
                                    2'd0});                                                  // helper
            // What is given up without an ID has waited as long as the stream's write before it, which goes first.
            if (f_stream0 && stage_q != MEMORY_REST && serve_q == f_writer)
                assert (f_out == {3'd0, writes_q[f_writer*2 +: 2]} && f_out <= 5'd1
                        && !wait_old_q[f_writer] && !give_up_q[f_writer]);                   // helper
            if (f_stream0 && writes_late_q[f_writer*2 +: 2] != 2'd0 && writes_q[f_writer*2 +: 2] != 2'd0)
                assert (write_expired_q[f_writer]);                                          // helper
            if (stage_q == MEMORY_FIRST || stage_q == MEMORY_SECOND) assert (!held_old_q);   // helper
            if (f_stream0 && writes_q[f_writer*2 +: 2] != 2'd0) begin
                if (wait_old_q[f_writer] || (held_old_q && stage_q == MEMORY_HELD && serve_q == f_writer))
                    assert (write_old_q[f_writer] || write_expired_q[f_writer]);             // helper
                if (give_up_q[f_writer] || (held_fail_q && stage_q != MEMORY_REST && serve_q == f_writer))
                    assert (write_expired_q[f_writer]);                                      // helper
            end
            assert (period_q == f_period);                                                   // 9 period
            assert (read_turn_q < R && serve_q < W && write_turn_q < W);                     // 10 numbers
            assert ({1'b0, reads_q[f_reader*2 +: 2]} + {1'b0, reads_late_q[f_reader*2 +: 2]} <= 3'd2);  // 2 outstanding
            if (f_stream0)
                assert ({1'b0, writes_q[f_writer*2 +: 2]} +
                        {1'b0, writes_late_q[f_writer*2 +: 2]} <= 3'd2);                     // 2 outstanding
            if (read_expired_q[f_reader])
                assert (reads_q[f_reader*2 +: 2] != 2'd0 || ask_valid_q[f_reader]);          // 2 outstanding
            if (f_stream0 && write_expired_q[f_writer]) assert (writes_q[f_writer*2 +: 2] != 2'd0);  // 2 outstanding
            // Up to four ends may be owed (request, two reads, the beat on its way): counted modulo 4.
            assert (f_reads_owed ==
                    {1'b0, ask_valid_q[f_reader]} + reads_q[f_reader*2 +: 2] + {1'b0, f_read_out});  // 3 ends
            assert (f_writes_owed == {4'd0, stage_q == MEMORY_HELD &&
                    serve_q == f_writer} + f_out + {4'd0, f_write_out});                     // 4 acknowledged
            assert (!fence_busy_q[f_fence] || fence_owner_q[f_fence*WRITER_BITS +: WRITER_BITS] < W);  // 6 fences
            // A stream that has borrowed an ID has nothing else outstanding: its writes stay in order.
            if (f_stream0 && f_out != {3'd0, writes_q[f_writer*2 +: 2]})
                assert (f_out == 5'd1 && writes_q[f_writer*2 +: 2] == 2'd0);                 // 8 oldest
            if (f_stream0 && f_ar_new && writes_q[f_writer*2 +: 2] != 2'd0)
                assert (write_addr_q[f_writer*76 + 10 +: 28] != ar_addr_q[36:9]);            // 5 ordered
            if (f_stream0 && f_ar_new && writes_q[f_writer*2 + 1])
                assert (write_addr_q[f_writer*76 + 48 +: 28] != ar_addr_q[36:9]);            // 5 ordered
        end
    end
