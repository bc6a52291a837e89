// SPDX-License-Identifier: Apache-2.0
//
// Properties of totem_lists, included at the end of the module. The numbers are those of docs/contract/lists.md.

    // The whole of both RAMs is followed, so the sizes are small; no rule depends on them.
    // An entry has a place in its list, given when it was pushed: what LISTS_POP, LISTS_PEEK and LISTS_REPLACE show has
    // the first place, and no other entry of the list has the same.
    localparam P = A + 2;       // bits of a place; places wrap
    localparam [1:0] F_FRESH = 2'd0, F_RETURNED = 2'd1, F_HELD = 2'd2, F_LISTED = 2'd3;
    initial assume (rst);

    // What the RAMs hold.
    reg [ENTRIES*A-1:0] f_link;
    reg [LISTS*2*A-1:0] f_ends;
    reg [A-1:0]         f_link_read;
    reg [2*A-1:0]       f_ends_read;

    // The same said by the ports: where every entry is, and at which place; the first place of each list.
    reg [ENTRIES*2-1:0] f_kind, f_kind_done, f_kind_next;
    reg [ENTRIES*L-1:0] f_list, f_list_next;
    reg [ENTRIES*P-1:0] f_place, f_place_next;
    reg [LISTS*P-1:0]   f_first, f_first_next;
    reg [LISTS*C-1:0]   f_count, f_count_next;
    reg [C-1:0]         f_stack, f_stack_next;      // entries that were given back; the last has the highest place

    // The request on its way: of the lists, or LISTS_TAKE, LISTS_FREE and others one clock long.
    reg                 f_busy = 1'b0, f_short = 1'b0;
    reg [2:0]           f_op;
    reg [L-1:0]         f_at;
    reg [A-1:0]         f_entry;
    reg [2:0]           f_since;        // clocks since it was accepted
    reg                 f_long;         // its link is read: two clocks more
    reg [A-1:0]         f_shown;        // the answer, kept
    reg                 f_none;         // LISTS_TAKE found nothing

    wire                f_accept  = request_valid && request_ready;
    wire                f_names   = request_op == LISTS_PUSH_TAIL || request_op == LISTS_PUSH_HEAD ||
                                    request_op == LISTS_REPLACE || request_op == LISTS_FREE;
    wire                f_push    = f_op == LISTS_PUSH_TAIL || f_op == LISTS_PUSH_HEAD;
    wire [P-1:0]        f_front   = f_first[f_at*P +: P];
    wire [C-1:0]        f_length  = f_count[f_at*C +: C];
    wire                f_empty   = f_length == {C{1'b0}};
    wire [A-1:0]        f_gone    = answer_valid ? answer_entry : f_shown;  // what LISTS_POP and LISTS_REPLACE remove
    wire [A-1:0]        f_free    = f_stack != {C{1'b0}} ? top_q : mark_q[A-1:0];
    wire                f_done    = f_busy && request_ready && !(f_empty && !f_push);
    wire [A-1:0]        f_below   = f_link[head_q*A +: A];

    integer e, k, l;
    reg [C-1:0]         f_number, f_frees, f_returns;
    reg [A-1:0]         f_other;
    reg [P-1:0]         f_behind;

    always @* begin
        assume (link_read_data == f_link_read);                 // A2 links
        assume (ends_read_data == f_ends_read);                 // A3 ends

        f_kind_done  = f_kind;
        f_list_next  = f_list;
        f_place_next = f_place;
        f_first_next = f_first;
        f_count_next = f_count;
        f_stack_next = f_stack;
        if (f_done && (f_op == LISTS_POP || f_op == LISTS_REPLACE))
            f_kind_done[f_gone*2 +: 2] = F_HELD;
        if (f_done && (f_push || f_op == LISTS_REPLACE)) begin
            f_kind_done[f_entry*2 +: 2]  = F_LISTED;
            f_list_next[f_entry*L +: L]  = f_at;
            f_place_next[f_entry*P +: P] = f_op == LISTS_REPLACE ? f_front :
                                           f_op == LISTS_PUSH_HEAD ? f_front - {{P-1{1'b0}}, 1'b1} :
                                           f_front + {{P-C{1'b0}}, f_length};
        end
        if (f_done && f_op == LISTS_PUSH_HEAD) f_first_next[f_at*P +: P] = f_front - {{P-1{1'b0}}, 1'b1};
        if (f_done && f_op == LISTS_POP)       f_first_next[f_at*P +: P] = f_front + {{P-1{1'b0}}, 1'b1};
        if (f_done && f_push)            f_count_next[f_at*C +: C] = f_length + {{C-1{1'b0}}, 1'b1};
        if (f_done && f_op == LISTS_POP)       f_count_next[f_at*C +: C] = f_length - {{C-1{1'b0}}, 1'b1};

        f_kind_next = f_kind_done;
        if (f_accept && request_op == LISTS_TAKE && room != {C{1'b0}}) begin
            f_kind_next[f_free*2 +: 2] = F_HELD;
            f_stack_next               = f_stack == {C{1'b0}} ? f_stack : f_stack - {{C-1{1'b0}}, 1'b1};
        end
        if (f_accept && request_op == LISTS_FREE) begin
            f_kind_next[request_entry*2 +: 2]  = F_RETURNED;
            f_place_next[request_entry*P +: P] = {{P-C{1'b0}}, f_stack};
            f_stack_next                       = f_stack + {{C-1{1'b0}}, 1'b1};
        end
        if (f_accept && f_names)
            assume (f_kind_done[request_entry*2 +: 2] == F_HELD);  // A1 held
    end

    always @(posedge clk) begin
        f_kind  <= f_kind_next;
        f_list  <= f_list_next;
        f_place <= f_place_next;
        f_first <= f_first_next;
        f_count <= f_count_next;
        f_stack <= f_stack_next;
        if (link_write_enable) f_link[link_write_addr*A +: A]     <= link_write_data;
        if (ends_write_enable) f_ends[ends_write_addr*2*A +: 2*A] <= ends_write_data;
        if (link_read_enable)  f_link_read <= f_link[link_read_addr*A +: A];
        if (ends_read_enable)  f_ends_read <= f_ends[ends_read_addr*2*A +: 2*A];

        if (request_ready) f_busy <= 1'b0;
        f_short <= 1'b0;
        f_since <= f_since == 3'd7 ? 3'd7 : f_since + 3'd1;
        if (answer_valid) f_shown <= answer_entry;
        if (f_accept) begin
            f_busy  <= request_op <= LISTS_REPLACE;
            f_short <= request_op > LISTS_REPLACE;
            f_op    <= request_op;
            f_at    <= request_list;
            f_entry <= request_op == LISTS_TAKE ? f_free : request_entry;
            f_none  <= request_op == LISTS_TAKE && room == {C{1'b0}};
            f_since <= 3'd1;
            f_long  <= request_op == LISTS_TAKE && f_stack != {C{1'b0}};
        end else if (f_busy && f_since == 3'd2)
            f_long  <= (f_op == LISTS_POP || f_op == LISTS_REPLACE) && f_length > {{C-1{1'b0}}, 1'b1};
        if (rst) begin
            f_kind  <= {ENTRIES{F_FRESH}};
            f_count <= {LISTS*C{1'b0}};
            f_stack <= {C{1'b0}};
            f_busy  <= 1'b0;
            f_short <= 1'b0;
            f_since <= 3'd7;
            f_long  <= 1'b0;
        end
    end

    always @*
        if (!rst) begin
            f_frees = {C{1'b0}};
            for (e = 0; e < ENTRIES; e = e + 1)
                if (f_kind[e*2 +: 2] == F_FRESH || f_kind[e*2 +: 2] == F_RETURNED)
                    f_frees = f_frees + {{C-1{1'b0}}, 1'b1};
            assert (room == f_frees);                                                        // 1 conserved
            if (f_accept && request_op == LISTS_TAKE && f_frees != {C{1'b0}})
                assert (f_kind_done[f_free*2 +: 2] == F_FRESH ||
                        f_kind_done[f_free*2 +: 2] == F_RETURNED);                           // 1 conserved
            if (f_short && f_op == LISTS_TAKE && !f_none)
                assert (answer_valid && !answer_refused && answer_entry == f_entry);         // 1 conserved
            if (f_short && f_op == LISTS_FREE)
                assert (answer_valid && !answer_refused && answer_entry == f_entry);         // 1 conserved
            if (f_short && (f_op > LISTS_FREE || (f_op == LISTS_TAKE && f_none)))
                assert (answer_valid && answer_refused);                                     // 4 refused
            if (f_busy && f_since == 3'd3) begin
                assert (answer_valid);                                                       // 6 clocks
                assert (answer_refused == (!f_push && f_empty));                             // 4 refused
                if (f_push) assert (answer_entry == f_entry);                                // 1 conserved
                else if (!f_empty)
                    assert (f_kind[answer_entry*2 +: 2] == F_LISTED && f_list[answer_entry*L +: L] == f_at &&
                            f_place[answer_entry*P +: P] == f_front);                        // 2 order
            end
            assert (answer_valid == (f_short || (f_busy && f_since == 3'd3)));               // 6 clocks
            if (f_busy) assert (request_ready == (f_since == (f_long ? 3'd5 : 3'd3)) && f_since <= 3'd5);  // 6 clocks
            else assert (request_ready == (f_since >= 3'd3 || !f_long));                     // 6 clocks
            for (l = 0; l < LISTS; l = l + 1)
                assert (filled[l] == (f_count[l*C +: C] != {C{1'b0}}));                      // 3 filled
            assert (!(link_read_enable && link_write_enable) && !(ends_read_enable && ends_write_enable));  // 5 apart
            for (e = 0; e < ENTRIES; e = e + 1)
                for (k = 0; k < e; k = k + 1) begin
                    if (f_kind[e*2 +: 2] == F_LISTED && f_kind[k*2 +: 2] == F_LISTED &&
                        f_list[e*L +: L] == f_list[k*L +: L])
                        assert (f_place[e*P +: P] != f_place[k*P +: P]);                     // 2 order
                    if (f_kind[e*2 +: 2] == F_RETURNED && f_kind[k*2 +: 2] == F_RETURNED)
                        assert (f_place[e*P +: P] != f_place[k*P +: P]);                     // 1 conserved
                end

            // helpers
            // Places of a list are dense, and a link leads to the next one.
            for (l = 0; l < LISTS; l = l + 1) begin
                f_number = {C{1'b0}};
                for (e = 0; e < ENTRIES; e = e + 1)
                    if (f_kind[e*2 +: 2] == F_LISTED && f_list[e*L +: L] == l)
                        f_number = f_number + {{C-1{1'b0}}, 1'b1};
                assert (f_count[l*C +: C] == f_number);
                if (f_number != {C{1'b0}}) begin
                    f_other = f_ends[l*2*A +: A];
                    assert (f_kind[f_other*2 +: 2] == F_LISTED && f_list[f_other*L +: L] == l &&
                            f_place[f_other*P +: P] == f_first[l*P +: P]);
                    f_other = f_ends[l*2*A + A +: A];
                    f_behind = f_first[l*P +: P] + {{P-C{1'b0}}, f_number} - {{P-1{1'b0}}, 1'b1};
                    assert (f_kind[f_other*2 +: 2] == F_LISTED && f_list[f_other*L +: L] == l &&
                            f_place[f_other*P +: P] == f_behind);
                end
            end
            for (e = 0; e < ENTRIES; e = e + 1)
                if (f_kind[e*2 +: 2] == F_LISTED) begin
                    f_other  = f_link[e*A +: A];
                    f_behind = f_place[e*P +: P] - f_first[f_list[e*L +: L]*P +: P];
                    assert (f_behind < {{P-C{1'b0}}, f_count[f_list[e*L +: L]*C +: C]});
                    if (f_behind + {{P-1{1'b0}}, 1'b1} != {{P-C{1'b0}}, f_count[f_list[e*L +: L]*C +: C]})
                        assert (f_kind[f_other*2 +: 2] == F_LISTED && f_list[f_other*L +: L] == f_list[e*L +: L] &&
                                f_place[f_other*P +: P] == f_place[e*P +: P] + {{P-1{1'b0}}, 1'b1});
                end

            // Free entries: from mark on, and a list from top.
            f_returns = {C{1'b0}};
            for (e = 0; e < ENTRIES; e = e + 1) begin
                assert ((f_kind[e*2 +: 2] == F_FRESH) == ({{32-C{1'b0}}, mark_q} <= e));
                if (f_kind[e*2 +: 2] == F_RETURNED) begin
                    f_returns = f_returns + {{C-1{1'b0}}, 1'b1};
                    f_other   = phase_q == LISTS_RETURN && entry_q == e ? head_q : f_link[e*A +: A];
                    assert (f_place[e*P +: P] < {{P-C{1'b0}}, f_stack});
                    if (f_place[e*P +: P] != {P{1'b0}})
                        assert (f_kind[f_other*2 +: 2] == F_RETURNED &&
                                f_place[f_other*P +: P] == f_place[e*P +: P] - {{P-1{1'b0}}, 1'b1});
                end
            end
            assert (mark_q <= ALL && returned_q == f_stack && f_stack == f_returns);
            f_other = phase_q == LISTS_FOLLOW && op_q == LISTS_TAKE ? f_below :
                      phase_q == LISTS_NEXT && op_q == LISTS_TAKE ? f_link_read : top_q;
            if (f_stack != {C{1'b0}})
                assert (f_kind[f_other*2 +: 2] == F_RETURNED &&
                        f_place[f_other*P +: P] == {{P-C{1'b0}}, f_stack} - {{P-1{1'b0}}, 1'b1});

            // The request on its way.
            assert (phase_q <= LISTS_WRITE && !(f_busy && f_short));
            if (phase_q == LISTS_READ || phase_q == LISTS_LOOK || phase_q == LISTS_WRITE) assert (f_busy);
            if (phase_q == LISTS_RETURN)
                assert (f_short && f_op == LISTS_FREE && entry_q == f_entry && f_since == 3'd1);
            if (phase_q == LISTS_FOLLOW || phase_q == LISTS_NEXT) assert (f_busy || (f_op == LISTS_TAKE && f_long));
            if (!f_busy && f_long && f_since < 3'd3)
                assert (f_op == LISTS_TAKE && op_q == LISTS_TAKE &&
                        phase_q == (f_since == 3'd1 ? LISTS_FOLLOW : LISTS_NEXT));
            if (f_short) assert (f_since == 3'd1);
            if (f_busy) begin
                assert (op_q == f_op && list_q == f_at && entry_q == f_entry && f_op <= LISTS_REPLACE &&
                        f_since != 3'd0);
                if (f_push || f_op == LISTS_REPLACE) assert (f_kind[f_entry*2 +: 2] == F_HELD);
                if (f_since == 3'd1) assert (phase_q == LISTS_READ && !f_long);
                if (f_since == 3'd2)
                    assert (phase_q == LISTS_LOOK && f_ends_read == f_ends[f_at*2*A +: 2*A] && !f_long);
                if (f_since >= 3'd3 && !f_empty) begin
                    assert (tail_q == f_ends[f_at*2*A + A +: A] && sole_q == (f_length == {{C-1{1'b0}}, 1'b1}));
                    if (f_since == 3'd3 || f_since == 3'd4) assert (head_q == f_ends[f_at*2*A +: A]);
                    if (!f_push) assert (f_gone == f_ends[f_at*2*A +: A]);
                    if (f_since == 3'd4) assert (f_link_read == f_link[f_gone*A +: A]);
                    if (f_since == 3'd5) assert (head_q == f_link[f_gone*A +: A]);
                end
                if (f_since == 3'd3)
                    assert (phase_q == (f_long ? LISTS_FOLLOW :
                                        f_op == LISTS_PEEK || (f_empty && !f_push) ? LISTS_REST : LISTS_WRITE) &&
                            f_long == ((f_op == LISTS_POP || f_op == LISTS_REPLACE) && f_length > {{C-1{1'b0}}, 1'b1}));
                if (f_since >= 3'd4)
                    assert (f_long && phase_q == (f_since == 3'd4 ? LISTS_NEXT : LISTS_WRITE) && !f_push &&
                            f_op != LISTS_PEEK && f_length > {{C-1{1'b0}}, 1'b1});
            end
        end

    always @(posedge clk)
        if (!rst) begin
            cover (f_busy && f_op == LISTS_POP && f_long && request_ready);
            cover (f_busy && f_op == LISTS_REPLACE && answer_valid && !answer_refused);
            cover (f_long && !f_busy && f_since == 3'd2 && f_stack != {C{1'b0}});
            cover (f_short && f_none);
        end
