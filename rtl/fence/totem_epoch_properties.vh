// SPDX-License-Identifier: Apache-2.0
//
// Properties of totem_epoch, included at the end of the module. The numbers are those of docs/contract/epoch.md.

    initial assume (rst);
    (* anyconst *) wire [Q-1:0] f_queue;
    (* anyconst *) wire [E-1:0] f_epoch;
    wire [E-1:0]      f_now   = epoch_q[f_queue*E +: E];
    wire [E-1:0]      f_now_d = epoch_d[f_queue*E +: E];
    wire [EPOCHS-1:0] f_closed = closed_q[f_queue*EPOCHS +: EPOCHS];
    wire [EPOCHS-1:0] f_bound      = f_closed | FIRST << f_now;                      // closed or current
    wire [EPOCHS-1:0] f_turns      = turn[f_queue*EPOCHS +: EPOCHS];
    wire [EPOCHS-1:0] f_waits      = waits_q[f_queue*EPOCHS +: EPOCHS];
    wire [EPOCHS-1:0] f_unanswered = unanswered_q[f_queue*EPOCHS +: EPOCHS];
    wire [EPOCHS-1:0] f_helds      = reserved_q[f_queue*EPOCHS +: EPOCHS];
    wire              f_held       = f_helds[f_epoch];
    wire              f_blocked  = f_closed[f_now];
    wire              f_pair  = pair_q[{f_queue, f_epoch}];
    wire              f_full  = !flight_empty[{f_queue, f_epoch}];
    wire              f_lost  = slot_idle_drop_valid && slot_idle_drop_queue == f_queue;
    wire              f_done  = fence_done && fence_serve == f_queue;
    wire              f_stored = intake_close && intake_close_queue == f_queue;
    wire              f_close = packet_fence_close && arbiter_selected == f_queue;
    wire              f_load  = load_valid && load_kind == LOAD_ACTIVE && load_queue == f_queue;
    wire              f_resumes = load_valid && (load_kind == LOAD_RESUME || load_kind == LOAD_SKIP) &&
                                  load_queue == f_queue;
    wire              f_mapping   = f_load && load_data[0];
    wire              f_timed_out = fence_write_ack && ack_error == MEMORY_TIME_OUT && ack_tag[Q-1:0] == f_queue;
    wire [E-1:0]      f_answer = ack_tag[3 +: E];
    reg [EPOCHS*EPOCHS-1:0] f_older = 0, f_older_d; // of every epoch: those that its mapping took before it, not done
    reg [EPOCHS-1:0]  f_failed = 0, f_failed_d;     // a fence of its mapping, it or one before, was never answered
    reg [EPOCHS-1:0]  f_mines = FIRST, f_mines_d;   // became current in the present mapping
    reg [EPOCHS-1:0]  f_gone;                       // abandoned in this clock
    reg [EPOCHS-1:0]  f_list;
    reg [E-1:0]       f_one;
    reg f_was   = 1'b1;             // flushed in the clock before
    reg f_calm  = 1'b0;             // and nothing that ends it came
    reg f_loose = 1'b1;             // not reserved in the clock before, and not abandoned
    reg f_had   = 1'b0;             // something in flight in the clock before
    reg f_used  = 1'b0;             // the epoch was the current one
    integer e, k;

    always @* begin
        f_older_d  = f_older;
        f_failed_d = f_failed;
        f_mines_d  = f_mines;
        f_gone     = f_lost && mapped_q[f_queue] ? f_mines : NONE;
        for (e = 0; e < EPOCHS; e = e + 1) begin
            if (f_timed_out && (e == f_answer || f_older[e*EPOCHS + f_answer])) f_failed_d[e] = 1'b1;
            if (f_resumes && f_mines[e]) f_failed_d[e] = 1'b0;
        end
        if (f_now != f_now_d) begin
            f_older_d[f_now_d*EPOCHS +: EPOCHS] = f_older[f_now*EPOCHS +: EPOCHS] | FIRST << f_now;
            f_failed_d[f_now_d] = f_failed_d[f_now];
            f_mines_d[f_now_d]  = 1'b1;
        end
        for (e = 0; e < EPOCHS; e = e + 1) begin
            if (f_done) f_older_d[e*EPOCHS + fence_serve_epoch] = 1'b0;
            f_older_d[e*EPOCHS +: EPOCHS] = f_older_d[e*EPOCHS +: EPOCHS] & ~f_gone;
        end
        if (f_lost) begin
            if (mapped_q[f_queue]) f_failed_d[f_now_d] = unanswered_d[{f_queue, f_now_d}]; // no fence follows
            f_mines_d = mapped_q[f_queue] ? FIRST << f_now_d : ALL;
        end
        if (f_mapping) begin
            f_older_d[f_now_d*EPOCHS +: EPOCHS] = NONE;
            f_failed_d[f_now_d] = 1'b0;
            f_mines_d           = FIRST << f_now_d;
        end
        if (rst) begin
            f_older_d  = {EPOCHS*EPOCHS{1'b0}};
            f_failed_d = NONE;
            f_mines_d  = FIRST;
        end
    end

    always @(posedge clk) begin
        if (!rst) begin
            if (f_close) assume (room[f_queue] && !f_stored);                                           // A1 close
            if (f_stored) assume (!f_blocked && (room[f_queue] || intake_close_pair) && !f_helds[f_now]);  // A2 pair
            if (f_mapping) assume (room[f_queue] && !f_close && !f_stored);                             // A3 map
            if (f_lost) assume (!f_close && !f_stored && !f_load && !f_resumes && !fence_done);         // A4 drop
            if (f_lost && f_timed_out) assume (mapped_q[f_queue] && !f_mines[f_answer]);                // A4 drop
            if (f_done) assume (f_turns[fence_serve_epoch]);                                            // A5 done
            if (f_timed_out) assume (f_turns[f_answer] && !(f_done && f_answer == fence_serve_epoch));  // A6 answer
            if (f_full && !f_held) assume (f_bound[f_epoch]);                                           // A7 flight
            if (f_full && !f_had) assume (f_used);                                                      // A7 flight
        end
        f_older  <= f_older_d;
        f_failed <= f_failed_d;
        f_mines  <= f_mines_d;
        f_was    <= rst || flushed[f_queue];
        f_calm   <= !rst && !f_close && !f_stored && !f_lost;
        f_loose  <= rst || (!f_held && !f_lost);
        f_had    <= !rst && f_full;
        f_used   <= !rst && f_epoch == f_now && !f_held && !f_lost;

        if (!rst) begin
            for (k = 0; k < EPOCHS; k = k + 1)
                if (f_bound[k]) begin
                    f_list = f_older[k*EPOCHS +: EPOCHS];
                    f_one  = before_q[(f_queue*EPOCHS + k)*E +: E];
                    assert ((f_list & ~f_closed) == NONE && !f_list[k] && !f_list[f_now]);              // helper
                    assert (f_waits[k] == (f_list != NONE));                                            // 2 turn
                    if (f_waits[k])
                        assert (f_list[f_one] &&
                                f_list == (f_older[f_one*EPOCHS +: EPOCHS] | FIRST << f_one));          // 1 chain
                    if (f_closed[k]) assert (f_turns[k] == (f_list == NONE));                           // 2 turn
                    assert (f_failed[k] == (f_unanswered[k] || (f_list & f_unanswered) != NONE));       // helper
                    assert (own_q[f_queue*EPOCHS + k] == f_mines[k] && f_mines[f_now]);                 // 1 chain
                    assert ((f_list & (f_mines[k] ? ~f_mines : f_mines)) == NONE);                      // 3 mapping
                    for (e = 0; e < k; e = e + 1)       // no two wait for the same one
                        if (f_bound[e] && f_waits[e] && f_waits[k])
                            assert (before_q[(f_queue*EPOCHS + e)*E +: E] != f_one);                    // 1 chain
                end
            if (f_now != f_now_d) assert (!f_bound[f_now_d] && !f_helds[f_now_d]);                      // 4 taken
            if (f_bound[f_epoch] && f_full)
                assert (present[{f_queue, f_epoch}] ==
                        (mapped_q[f_queue] && f_mines[f_epoch] && !f_held));                            // 5 present
            if (!mapped_q[f_queue] || f_held) assert (!present[{f_queue, f_epoch}]);                    // 5 present
            if (f_held && !f_full) assert (!reserved_d[{f_queue, f_epoch}]);                            // 6 late
            if (f_lost && f_bound[f_epoch] && (f_mines[f_epoch] || !mapped_q[f_queue])) begin
                assert (closed_d[{f_queue, f_epoch}] == (!mapped_q[f_queue] && f_closed[f_epoch]));     // 7 abandoned
                if (!f_pair) assert (!message_d[{f_queue, f_epoch}] || mapped_q[f_queue]);              // 7 abandoned
                if (f_pair) assert (message_d[{f_queue, f_epoch}] == message[{f_queue, f_epoch}]);      // 7 abandoned
                assert (reserved_d[{f_queue, f_epoch}] == f_full);                                      // 7 abandoned
            end
            if (f_lost && mapped_q[f_queue] && f_bound[f_epoch] && !f_mines[f_epoch])
                assert (closed_d[{f_queue, f_epoch}] && reserved_d[{f_queue, f_epoch}] == (f_held && f_full) &&
                        message_d[{f_queue, f_epoch}] == message[{f_queue, f_epoch}]);                  // 7 abandoned
            if (f_blocked)
                assert (message[{f_queue, f_now}] && pair_q[{f_queue, f_now}] && !room[f_queue]);       // 8 blocked
            if (f_blocked && (f_bound | f_helds) != ALL)
                assert (f_now != f_now_d && !closed_d[{f_queue, f_now_d}]);                             // 8 blocked
            if (f_blocked && f_now == f_now_d && !(f_lost && mapped_q[f_queue]))
                assert (closed_d[{f_queue, f_now}] || (f_done && fence_serve_epoch == f_now));          // 8 blocked
            if (f_was && f_calm) assert (flushed[f_queue]);                                             // 9 flushed
            if (f_loose) assert (!f_held);                                                              // 9 flushed
            if (f_turns[f_epoch])
                assert (inhibited[{f_queue, f_epoch}] == (f_failed[f_epoch] && !f_pair));               // 10 inhibited
            cover (fence_done && message[{fence_serve, fence_serve_epoch}]);
            cover (f_blocked && slot_idle_drop_valid);
            cover (f_done && !f_mines[fence_serve_epoch] && f_closed[f_now - ONE]);
        end
    end
