// SPDX-License-Identifier: Apache-2.0
//
// Properties of totem_context, included at the end of the module. The numbers are those of docs/contract/context.md.

    // Any two sets; what they ought to be is told from the ports alone. Nothing is assumed of the neighbours.
    initial assume (rst);
    (* anyconst *) wire [BITS-1:0] f_set;
    (* anyconst *) wire [BITS-1:0] f_other;
    reg [BITS-1:0] f_current = {BITS{1'b0}};
    reg            f_half    = 1'b0;
    reg            f_asked   = 1'b0;        // a high dword has come, the answer has not been seen before this clock
    reg            f_due     = 1'b0;        // the answer is due
    reg            f_hit     = 1'b0;        // it is a hit
    reg            f_flushed = 1'b0;        // a flush in the clock before
    reg [1:0]      f_kind;
    reg            f_plain   = 1'b0;
    reg [31:0]     f_low;
    reg [63:0]     f_hash;
    reg            f_group   = 1'b0;        // a group was open in the clock before, and was not ended there
    reg            f_tagged  = 1'b0;        // f_set has the tag f_tag
    reg [63:0]     f_tag;
    reg            f_waiting = 1'b0;        // a roll has left f_set, and no event has come since
    reg [9:0]      f_issued  = 10'd0;       // draws taken on f_set
    reg [9:0]      f_ended   = 10'd0;       // ends of f_set that were not refused, up to the clock before the last
    reg            f_end     = 1'b0;        // an end of f_set in the clock before
    reg            f_end_any = 1'b0;        // any end
    reg            f_end_bad = 1'b0;        // it found no draw on f_set
    reg            f_later   = 1'b0;        // f_set was made current later than f_other

    wire           f_busy   = f_asked && !answer_valid;
    wire           f_decided = f_kind != LOOKUP_CAM || hit_valid || (!used && !has_tag) || (roll_free && frames_room);
    wire           f_open   = f_group || (answer_valid && answer == ANSWER_MISS && !f_flushed);
    wire           f_roll   = (roll_want || frames_want) && roll_free && frames_room;
    wire           f_take   = hash_valid && hash_ready;
    wire [9:0]     f_count  = f_issued - f_ended - {9'd0, f_end && !end_refused};
    wire           f_free   = current != f_set && f_count == 10'd0 && !f_waiting;
    wire           f_equal  = f_tagged && f_tag == f_hash;

    always @(posedge clk) begin
        f_current <= hit_valid ? hit_set : f_roll ? roll_set : current;
        f_half    <= f_half != f_take && !resume_valid;
        f_asked   <= ((f_take && f_half) || f_busy) && !resume_valid;
        f_due     <= f_busy && !resume_valid && f_decided;
        f_hit     <= hit_valid;
        f_flushed <= graphics_flush_valid;
        if (f_take && !f_half)
            f_low <= hash_data;
        if (f_take && f_half) begin
            f_hash <= {hash_data, f_low};
            f_kind <= !bounce_enable ? ANSWER_PLAIN : f_plain ? LOOKUP_MISS : (hash_count != 14'd0) ? LOOKUP_CAM
                      : ANSWER_REFUSED;
        end
        if (graphics_flush_valid && graphics_flush_plain &&
            ((f_take && f_half && bounce_enable && hash_count != 14'd0) ||
             (f_busy && f_kind == LOOKUP_CAM && !f_decided)))
            f_kind <= LOOKUP_MISS;
        f_plain <= resume_valid && resume_plain || graphics_flush_valid && graphics_flush_plain ||
                   f_plain && !render_clear;
        f_group <= f_open && !group_end && !resume_valid && !graphics_flush_valid;

        if (resume_valid || graphics_flush_valid || (f_roll && roll_set == f_set))
            f_tagged <= 1'b0;
        else if (current == f_set && f_open && group_end)
            f_tagged <= 1'b1;
        else if (current == f_set && (frames_changed || frames_cleared))
            f_tagged <= 1'b0;
        if (current == f_set && f_open && group_end)
            f_tag <= f_hash;

        if (f_roll && current == f_set)
            f_waiting <= 1'b1;
        else if (done[f_set])
            f_waiting <= 1'b0;

        if (draw_valid && draw_ready && current == f_set)
            f_issued <= f_issued + 10'd1;
        f_ended   <= f_ended + {9'd0, f_end && !end_refused};
        f_end     <= end_valid && end_set == f_set;
        f_end_any <= end_valid;
        f_end_bad <= f_count == 10'd0;

        if (hit_valid && (hit_set == f_set || hit_set == f_other))
            f_later <= hit_set == f_set;
        else if (f_roll && (roll_set == f_set || roll_set == f_other))
            f_later <= roll_set == f_set;

        if (rst) begin
            f_current <= {BITS{1'b0}};
            f_half    <= 1'b0;
            f_asked   <= 1'b0;
            f_due     <= 1'b0;
            f_hit     <= 1'b0;
            f_flushed <= 1'b0;
            f_plain   <= 1'b0;
            f_group   <= 1'b0;
            f_tagged  <= 1'b0;
            f_waiting <= 1'b0;
            f_issued  <= 10'd0;
            f_ended   <= 10'd0;
            f_end     <= 1'b0;
            f_end_any <= 1'b0;
            f_later   <= f_set == {BITS{1'b0}} || (f_other != {BITS{1'b0}} && f_set > f_other);
        end
    end

    integer f_i, f_j, f_k;

    always @*
        if (!rst) begin
            for (f_i = 0; f_i < SETS; f_i = f_i + 1) begin
                for (f_j = 0; f_j < f_i; f_j = f_j + 1)
                    if (tagged_q[f_i] && tagged_q[f_j])
                        assert ({tag_high_q[f_i*32 +: 32], tag_low_q[f_i*32 +: 32]} !=
                                {tag_high_q[f_j*32 +: 32], tag_low_q[f_j*32 +: 32]});               // 1 match
                if (tagged_q[f_i] && group_q)
                    assert ({tag_high_q[f_i*32 +: 32], tag_low_q[f_i*32 +: 32]} !=
                            {hash_high_q, hash_low_q});                                             // 1 match
            end
            if (f_busy && f_kind == LOOKUP_CAM && f_equal) assert (hit_valid && hit_set == f_set);  // 1 match
            if (hit_valid) assert (f_busy && f_kind == LOOKUP_CAM);                                 // 1 match
            if (hit_valid && hit_set == f_set) assert (f_equal);                                    // 1 match

            if (roll_free && roll_set == f_set) assert (f_free);                                    // 2 retired
            if (f_free) assert (roll_free);                                                         // 2 retired

            for (f_i = 0; f_i < SETS; f_i = f_i + 1)
                for (f_j = 0; f_j < SETS; f_j = f_j + 1) begin
                    if (f_j >= f_i) assert (!newer_q[f_i*SETS + f_j]);                              // 3 order
                    else for (f_k = 0; f_k < f_j; f_k = f_k + 1) begin
                        if (newer_q[f_i*SETS + f_j] && newer_q[f_j*SETS + f_k])
                            assert (newer_q[f_i*SETS + f_k]);                                       // 3 order
                        if (!newer_q[f_i*SETS + f_j] && !newer_q[f_j*SETS + f_k])
                            assert (!newer_q[f_i*SETS + f_k]);                                      // 3 order
                    end
                end
            if (f_set > f_other) assert (newer_q[f_set*SETS + f_other] == f_later);                 // 3 order
            if (f_set < f_other) assert (newer_q[f_other*SETS + f_set] == !f_later);                // 3 order
            if (current == f_set && f_set != f_other) assert (f_later);                             // 3 order
            if (roll_free && f_free && roll_set == f_other && f_set != f_other) begin
                assert (f_tagged || !tagged_q[f_other]);                                            // 3 order
                if (tagged_q[f_other] == f_tagged) assert (f_later);                                // 3 order
            end

            assert ({2'd0, uses_q[f_set*8 +: 8]} == f_count && f_count <= 10'd255);                 // 4 uses
            if (current == f_set) assert (used == (f_count != 10'd0));                              // 4 uses
            if (current == f_set) assert (draw_ready == (!f_busy && f_count != 10'd255));           // 4 uses
            if (f_end) assert (end_refused == f_end_bad);                                           // 4 uses
            if (!f_end_any) assert (!end_refused);                                                  // 4 uses

            assert (pending_q[f_set] == f_waiting);                                                 // 5 events
            assert (done[f_set] == (f_waiting && f_count == 10'd0));                                // 5 events

            assert (!fault);                                                                        // 6 fault

            assert (answer_valid == f_due);                                                         // 7 answer
            if (answer_valid)
                assert (f_asked && answer == ((f_kind == LOOKUP_MISS) ? ANSWER_PLAIN : (f_kind != LOOKUP_CAM) ? f_kind
                                              : f_hit ? ANSWER_HIT : ANSWER_MISS));                 // 7 answer
            assert (group == f_open);                                                               // 7 answer
            assert (roll_want == (f_busy && f_kind == LOOKUP_CAM && !hit_valid && (used || has_tag)));  // 7 answer

            assert (hash_ready == (!f_open && (f_half || !f_busy || hit_valid)));                   // 8 ready

            if (f_flushed) assert (tagged_q == {SETS{1'b0}} && !group);                             // 9 owner
            if (f_plain) assert (tagged_q == {SETS{1'b0}} && !group && !hit_valid);                 // 9 owner
            if (f_plain && f_busy) assert (f_kind != LOOKUP_CAM);                                   // 9 owner

            // helpers
            // State is what the ports have said.
            assert (current == f_current);
            assert (half_q == f_half && looking_q == f_busy && plain_q == f_plain);
            assert (!(f_half && f_busy));
            assert (idle == (!f_half && !f_busy));
            if (f_half) assert (low_q == f_low && !f_open);
            if (f_busy || f_open) assert ({hash_high_q, hash_low_q} == f_hash);
            if (f_busy) assert (kind_q == f_kind && !f_open);
            if (f_open) assert (!has_tag);
            assert (tagged_q[f_set] == f_tagged);
            if (f_tagged) assert ({tag_high_q[f_set*32 +: 32], tag_low_q[f_set*32 +: 32]} == f_tag);
            if (current == f_set) assert (has_tag == f_tagged);
            for (f_i = 0; f_i < SETS; f_i = f_i + 1) begin
                if (half_q) assert (near_q[f_i] == (tag_low_q[f_i*32 +: 32] == low_q));
                if (looking_q)
                    assert (match_q[f_i] ==
                            ({tag_high_q[f_i*32 +: 32], tag_low_q[f_i*32 +: 32]} == {hash_high_q, hash_low_q}));
            end

            cover (hit_valid && misses == 32'd1 && hit_set != current);
            cover (f_roll && tagged_q[roll_set]);
            cover (roll_want && !roll_free);
            cover (hit_valid && pending_q[hit_set] && !done[hit_set]);
            cover (group_end && group && zero == {SETS{1'b0}});
            cover (hash_valid && hash_ready && hit_valid);
            cover (done[0] && f_roll && current == {BITS{1'b0}});
        end
