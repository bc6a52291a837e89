// SPDX-License-Identifier: Apache-2.0
//
// Properties of totem_epoch, included at the end of the module. The numbers are those of docs/contract/epoch.md.

    // Assumed: packet closes only where there is room, one thing at a time; record's queue is not selected. fence ends
    // an epoch only if its turn has come; writes are answered of epochs whose turn has come.
    // Contract 2: the turn of a closed epoch has come exactly if all that its mapping took before it are done; f_older
    // is a list of these for every epoch of the slot, made from closes, mappings and what is done.
    // Contract 3: an epoch of the present mapping waits for none of an earlier one, and the reverse.
    // Contract 4: an epoch is taken only if it is free.
    // Contract 5: present says whether the chosen epoch became current in the present mapping (f_mine), is not
    // reserved, and the slot is mapped.
    // Contract 8: a reserved epoch is free when its last end has come.
    // Contract 9: of a mapped slot what is given up is over, and earlier mappings keep all; of an unmapped one exactly
    // the pairs keep their message.
    // Contract 10: a shut epoch has a pair and no room; it stays shut until it is done, given up with its mapping, or
    // another is free, and then no longer.
    // Contract 11: flushed ends only by a close, or where a slot is abandoned; an epoch is reserved only there.
    // Contract 12: behind a fence without an answer all of its mapping are hushed until RESUME or SKIP, and none else.
    initial assume (rst);
    (* anyconst *) wire [Q-1:0] f_queue;
    (* anyconst *) wire [E-1:0] f_epoch;
    wire [E-1:0]      f_now   = epoch_q[f_queue*E +: E];
    wire [E-1:0]      f_now_d = epoch_d[f_queue*E +: E];
    wire [EPOCHS-1:0] f_shuts = closed_q[f_queue*EPOCHS +: EPOCHS];
    wire [EPOCHS-1:0] f_bound = f_shuts | FIRST << f_now;                           // closed or current
    wire [EPOCHS-1:0] f_turns = turn[f_queue*EPOCHS +: EPOCHS];
    wire [EPOCHS-1:0] f_waits = waits_q[f_queue*EPOCHS +: EPOCHS];
    wire [EPOCHS-1:0] f_mute  = silent_q[f_queue*EPOCHS +: EPOCHS];
    wire [EPOCHS-1:0] f_helds = reserved_q[f_queue*EPOCHS +: EPOCHS];
    wire              f_held  = f_helds[f_epoch];
    wire              f_shut  = f_shuts[f_now];
    wire              f_pair  = pair_q[{f_queue, f_epoch}];
    wire              f_full  = !flight_empty[{f_queue, f_epoch}];
    wire              f_lost  = settle_drop_valid && settle_drop_queue == f_queue;
    wire              f_done  = fence_done && fence_serve == f_queue;
    wire              f_stored = intake_close && intake_close_queue == f_queue;
    wire              f_close = packet_fence_close && arbiter_selected == f_queue;
    wire              f_load  = load_valid && load_kind == `TOTEM_LOAD_ACTIVE && load_queue == f_queue;
    wire              f_resumes = load_valid && (load_kind == `TOTEM_LOAD_RESUME || load_kind == `TOTEM_LOAD_SKIP) &&
                                  load_queue == f_queue;
    wire              f_mapping = f_load && load_data[0];
    wire              f_silence = fence_write_ack && ack_error == 2'd3 && ack_tag[Q-1:0] == f_queue;
    wire [E-1:0]      f_answer = ack_tag[3 +: E];
    reg [EPOCHS*EPOCHS-1:0] f_older = 0, f_older_d; // of every epoch: those that its mapping took before it, not done
    reg [EPOCHS-1:0]  f_dumb = 0, f_dumb_d;         // a fence of its mapping, it or one before, was never answered
    reg [EPOCHS-1:0]  f_mines = FIRST, f_mines_d;   // became current in the present mapping
    reg [EPOCHS-1:0]  f_gone;                       // given up in this clock
    reg [EPOCHS-1:0]  f_list;
    reg [E-1:0]       f_one;
    reg f_was   = 1'b1;             // flushed in the clock before
    reg f_calm  = 1'b0;             // and nothing that ends it came
    reg f_loose = 1'b1;             // not reserved in the clock before, and not abandoned
    reg f_had   = 1'b0;             // something in flight in the clock before
    reg f_used  = 1'b0;             // the epoch was the current one
    integer e, k;

    always @* begin
        f_older_d = f_older;
        f_dumb_d  = f_dumb;
        f_mines_d = f_mines;
        f_gone    = f_lost && mapped_q[f_queue] ? f_mines : NONE;
        for (e = 0; e < EPOCHS; e = e + 1) begin
            if (f_silence && (e == f_answer || f_older[e*EPOCHS + f_answer])) f_dumb_d[e] = 1'b1;
            if (f_resumes && f_mines[e]) f_dumb_d[e] = 1'b0;
        end
        if (f_now != f_now_d) begin
            f_older_d[f_now_d*EPOCHS +: EPOCHS] = f_older[f_now*EPOCHS +: EPOCHS] | FIRST << f_now;
            f_dumb_d[f_now_d]  = f_dumb_d[f_now];
            f_mines_d[f_now_d] = 1'b1;
        end
        for (e = 0; e < EPOCHS; e = e + 1) begin
            if (f_done) f_older_d[e*EPOCHS + fence_serve_epoch] = 1'b0;
            f_older_d[e*EPOCHS +: EPOCHS] = f_older_d[e*EPOCHS +: EPOCHS] & ~f_gone;
        end
        if (f_lost) begin
            if (mapped_q[f_queue]) f_dumb_d[f_now_d] = silent_d[{f_queue, f_now_d}];    // no fence follows
            f_mines_d = mapped_q[f_queue] ? FIRST << f_now_d : ALL;
        end
        if (f_mapping) begin
            f_older_d[f_now_d*EPOCHS +: EPOCHS] = NONE;
            f_dumb_d[f_now_d] = 1'b0;
            f_mines_d         = FIRST << f_now_d;
        end
        if (rst) begin
            f_older_d = {EPOCHS*EPOCHS{1'b0}};
            f_dumb_d  = NONE;
            f_mines_d = FIRST;
        end
    end

    always @(posedge clk) begin
        if (!rst) begin
            if (f_close) assume (room[f_queue] && !f_stored);
            if (f_stored) assume (!f_shut && (room[f_queue] || intake_close_pair) && !f_helds[f_now]);
            if (f_mapping) assume (room[f_queue] && !f_close && !f_stored);
            // hqd abandons only what has left the pipe, and a mapping does not go on in an epoch that is reserved.
            if (f_lost) assume (!f_close && !f_stored && !f_load && !f_resumes && !fence_done);
            if (f_lost && f_silence) assume (mapped_q[f_queue] && !f_mines[f_answer]);
            if (f_done) assume (f_turns[fence_serve_epoch]);
            if (f_silence) assume (f_turns[f_answer] && !(f_done && f_answer == fence_serve_epoch));
            // What is in flight is of an epoch that is not done, or reserved.
            if (f_full && !f_held) assume (f_bound[f_epoch]);
            if (f_full && !f_had) assume (f_used);          // only the current one is granted and written
        end
        f_older <= f_older_d;
        f_dumb  <= f_dumb_d;
        f_mines <= f_mines_d;
        f_was   <= rst || flushed[f_queue];
        f_calm  <= !rst && !f_close && !f_stored && !f_lost;
        f_loose <= rst || (!f_held && !f_lost);
        f_had   <= !rst && f_full;
        f_used  <= !rst && f_epoch == f_now && !f_held && !f_lost;

        if (!rst) begin
            for (k = 0; k < EPOCHS; k = k + 1)
                if (f_bound[k]) begin
                    f_list = f_older[k*EPOCHS +: EPOCHS];
                    f_one  = before_q[(f_queue*EPOCHS + k)*E +: E];
                    assert ((f_list & ~f_shuts) == NONE && !f_list[k] && !f_list[f_now]);
                    assert (f_waits[k] == (f_list != NONE));                                            // 2
                    if (f_waits[k])
                        assert (f_list[f_one] && f_list == (f_older[f_one*EPOCHS +: EPOCHS] | FIRST << f_one));
                    if (f_shuts[k]) assert (f_turns[k] == (f_list == NONE));                            // 2
                    assert (f_dumb[k] == (f_mute[k] || (f_list & f_mute) != NONE));
                    assert (own_q[f_queue*EPOCHS + k] == f_mines[k] && f_mines[f_now]);
                    assert ((f_list & (f_mines[k] ? ~f_mines : f_mines)) == NONE);                      // 3
                    for (e = 0; e < k; e = e + 1)       // no two wait for the same one
                        if (f_bound[e] && f_waits[e] && f_waits[k])
                            assert (before_q[(f_queue*EPOCHS + e)*E +: E] != f_one);
                end
            if (f_now != f_now_d) assert (!f_bound[f_now_d] && !f_helds[f_now_d]);                      // 4
            if (f_bound[f_epoch] && f_full)
                assert (present[{f_queue, f_epoch}] == (mapped_q[f_queue] && f_mines[f_epoch] && !f_held));     // 5
            if (!mapped_q[f_queue] || f_held) assert (!present[{f_queue, f_epoch}]);                    // 5
            if (f_held && !f_full) assert (!reserved_d[{f_queue, f_epoch}]);                            // 8
            if (f_lost && f_bound[f_epoch] && (f_mines[f_epoch] || !mapped_q[f_queue])) begin           // 9
                assert (closed_d[{f_queue, f_epoch}] == (!mapped_q[f_queue] && f_shuts[f_epoch]));
                if (!f_pair) assert (!message_d[{f_queue, f_epoch}] || mapped_q[f_queue]);
                if (f_pair) assert (message_d[{f_queue, f_epoch}] == message[{f_queue, f_epoch}]);
                assert (reserved_d[{f_queue, f_epoch}] == f_full);
            end
            if (f_lost && mapped_q[f_queue] && f_bound[f_epoch] && !f_mines[f_epoch])                   // 9
                assert (closed_d[{f_queue, f_epoch}] && reserved_d[{f_queue, f_epoch}] == (f_held && f_full) &&
                        message_d[{f_queue, f_epoch}] == message[{f_queue, f_epoch}]);
            if (f_shut)
                assert (message[{f_queue, f_now}] && pair_q[{f_queue, f_now}] && !room[f_queue]);       // 10
            if (f_shut && (f_bound | f_helds) != ALL)
                assert (f_now != f_now_d && !closed_d[{f_queue, f_now_d}]);                             // 10
            if (f_shut && f_now == f_now_d && !(f_lost && mapped_q[f_queue]))
                assert (closed_d[{f_queue, f_now}] || (f_done && fence_serve_epoch == f_now));          // 10
            if (f_was && f_calm) assert (flushed[f_queue]);                                             // 11
            if (f_loose) assert (!f_held);                                                              // 11
            if (f_turns[f_epoch])
                assert (hushed[{f_queue, f_epoch}] == (f_dumb[f_epoch] && !f_pair));                    // 12
            cover (fence_done && message[{fence_serve, fence_serve_epoch}]);
            cover (f_shut && settle_drop_valid);
            cover (f_done && !f_mines[fence_serve_epoch] && f_shuts[f_now - ONE]);
        end
    end
