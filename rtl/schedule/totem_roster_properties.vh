// SPDX-License-Identifier: Apache-2.0
//
// Properties of totem_roster, included at the end of the module. The numbers are those of docs/contract/roster.md.

    // The whole of both RAMs is followed, so the sizes are small; no rule depends on them.
    // The lists as the ports say them: an entry that is in a list has a rank there, 0 of the first. The lists change in
    // the clock in which the last link and the ends are written; what they become is known from the answer on.
    // Larger sizes than these Yosys would not even read.
    generate
    if (RUN_QUEUES <= 32) begin : judged
    initial assume (rst);

    // What the RAMs hold.
    reg [RUN_QUEUES*2*A-1:0] f_link;
    reg [RUN_LISTS*2*A-1:0]  f_ends;
    reg [2*A-1:0]            f_link_read, f_ends_read;

    reg [RUN_QUEUES-1:0]     f_in, f_in_after, f_in_next;
    reg [RUN_QUEUES*L-1:0]   f_list, f_list_after, f_list_next;
    reg [RUN_QUEUES*C-1:0]   f_rank, f_rank_after;
    reg [RUN_LISTS*C-1:0]    f_count, f_count_after, f_count_next;

    // The request on its way.
    reg                      f_busy = 1'b0;
    reg [1:0]                f_op;
    reg [L-1:0]              f_at;
    reg [A-1:0]              f_entry;
    reg [2:0]                f_since;       // clocks since it was accepted
    reg                      f_long;        // of one that is answered: it writes two links

    wire         f_accept = request_valid && request_ready;
    wire         f_push   = f_op == ROSTER_PUSH || f_op == ROSTER_PUSH_FIRST;
    wire         f_remove = f_op == ROSTER_REMOVE;
    wire [C-1:0] f_length = f_count[f_at*C +: C];
    wire [C-1:0] f_place  = f_rank[f_entry*C +: C];
    wire         f_empty  = f_length == {C{1'b0}};
    wire         f_inner  = f_remove ? f_place != {C{1'b0}} && f_place + {{C-1{1'b0}}, 1'b1} != f_length :
                            f_push && !f_empty;
    wire         f_done   = f_busy && request_ready;
    wire         f_known  = f_busy && f_since >= 3'd3;      // it is answered
    wire [A-1:0] f_first  = f_ends[f_at*2*A +: A];          // ends of its list
    wire [A-1:0] f_last   = f_ends[f_at*2*A + A +: A];

    integer e, k, l;
    reg [C-1:0]  f_number, f_all, f_this;
    reg [A-1:0]  f_other;
    reg [L-1:0]  f_home;

    always @* begin
        assume (link_read_data == f_link_read);                                  // A3 links
        assume (ends_read_data == f_ends_read);                                  // A4 ends

        // What the request makes of the lists.
        f_in_after    = f_in;
        f_list_after  = f_list;
        f_rank_after  = f_rank;
        f_count_after = f_count;
        for (e = 0; e < RUN_QUEUES; e = e + 1)
            if (f_in[e] && f_list[e*L +: L] == f_at) begin
                if (f_op == ROSTER_PUSH_FIRST)
                    f_rank_after[e*C +: C] = f_rank[e*C +: C] + {{C-1{1'b0}}, 1'b1};
                if (f_remove && f_rank[e*C +: C] > f_place)
                    f_rank_after[e*C +: C] = f_rank[e*C +: C] - {{C-1{1'b0}}, 1'b1};
            end
        if (f_push) begin
            f_in_after[f_entry]          = 1'b1;
            f_list_after[f_entry*L +: L] = f_at;
            f_rank_after[f_entry*C +: C] = f_op == ROSTER_PUSH ? f_length : {C{1'b0}};
            f_count_after[f_at*C +: C]   = f_length + {{C-1{1'b0}}, 1'b1};
        end
        if (f_remove) begin
            f_in_after[f_entry]        = 1'b0;
            f_count_after[f_at*C +: C] = f_length - {{C-1{1'b0}}, 1'b1};
        end

        f_in_next    = f_busy ? f_in_after : f_in;
        f_list_next  = f_busy ? f_list_after : f_list;
        f_count_next = f_known ? f_count_after : f_count;
        if (f_accept && (request_op == ROSTER_PUSH || request_op == ROSTER_PUSH_FIRST))
            assume (!f_in_next[request_entry]);                                  // A1 pushed
        if (f_accept && request_op == ROSTER_REMOVE) begin
            assume (f_in_next[request_entry]);                                   // A2 removed
            assume (f_list_next[request_entry*L +: L] == request_list);          // A2 removed
        end
    end

    always @(posedge clk) begin
        if (f_done) begin
            f_in    <= f_in_after;
            f_list  <= f_list_after;
            f_rank  <= f_rank_after;
            f_count <= f_count_after;
        end
        if (link_write_enable) f_link[link_write_addr*2*A +: 2*A] <= link_write_data;
        if (ends_write_enable) f_ends[ends_write_addr*2*A +: 2*A] <= ends_write_data;
        if (link_read_enable)  f_link_read <= f_link[link_read_addr*2*A +: 2*A];
        if (ends_read_enable)  f_ends_read <= f_ends[ends_read_addr*2*A +: 2*A];

        if (request_ready) f_busy <= 1'b0;
        f_since <= f_since == 3'd7 ? 3'd7 : f_since + 3'd1;
        if (f_since == 3'd2) f_long <= f_inner;
        if (f_accept) begin
            f_busy  <= 1'b1;
            f_op    <= request_op;
            f_at    <= request_list;
            f_entry <= request_entry;
            f_since <= 3'd1;
            f_long  <= 1'b0;
        end
        if (rst) begin
            f_busy  <= 1'b0;
            f_in    <= {RUN_QUEUES{1'b0}};
            f_count <= {RUN_LISTS*C{1'b0}};
            f_since <= 3'd7;
        end
    end

    always @*
        if (!rst) begin
            assert (answer_valid == (f_busy && f_since == 3'd3));                            // 7 clocks
            assert (request_ready == (!f_busy || f_since == (f_long ? 3'd6 : 3'd3)));        // 7 clocks
            if (f_busy) assert (f_since >= 3'd1 && f_since <= 3'd6);                         // 7 clocks
            if (answer_valid) begin
                assert (answer_refused == (f_op == ROSTER_FIRST && f_empty));                // 4 refused
                if (f_op != ROSTER_FIRST) assert (answer_entry == f_entry);                  // 5 answer
                else if (!f_empty)
                    assert (f_in[answer_entry] && f_list[answer_entry*L +: L] == f_at &&
                            f_rank[answer_entry*C +: C] == {C{1'b0}});                       // 1 order
            end
            assert (!(link_read_enable && link_write_enable) && !(ends_read_enable && ends_write_enable));  // 6 apart

            // Ranks of a list are 0, 1, .. : each once.
            f_all = {C{1'b0}};
            for (l = 0; l < RUN_LISTS; l = l + 1) begin
                f_number = {C{1'b0}};
                for (e = 0; e < RUN_QUEUES; e = e + 1)
                    if (f_in[e] && f_list[e*L +: L] == l)
                        f_number = f_number + {{C-1{1'b0}}, 1'b1};
                f_all = f_all + f_count_next[l*C +: C];
                assert (f_count[l*C +: C] == f_number);                                      // helper
                assert (filled[l] == (f_count_next[l*C +: C] != {C{1'b0}}));                 // 3 filled
                if (f_number != {C{1'b0}}) begin
                    f_other = f_ends[l*2*A +: A];
                    assert (f_in[f_other] && f_list[f_other*L +: L] == l &&
                            f_rank[f_other*C +: C] == {C{1'b0}});                            // 2 chain
                    f_other = f_ends[l*2*A + A +: A];
                    assert (f_in[f_other] && f_list[f_other*L +: L] == l &&
                            f_rank[f_other*C +: C] + {{C-1{1'b0}}, 1'b1} == f_number);       // 2 chain
                end
            end
            assert (waiting == f_all);                                                       // 3 filled
            for (e = 0; e < RUN_QUEUES; e = e + 1) begin
                for (k = 0; k < e; k = k + 1)
                    if (f_in[e] && f_in[k] && f_list[e*L +: L] == f_list[k*L +: L])
                        assert (f_rank[e*C +: C] != f_rank[k*C +: C]);                       // 1 order
                f_home = f_list[e*L +: L];
                f_this = f_rank[e*C +: C];
                if (f_in[e]) begin
                    assert (f_this < f_count[f_home*C +: C]);                                // 1 order
                    // Of ROSTER_REMOVE the first of two links passes the entry already while the second is written.
                    f_other = f_busy && f_since == 3'd6 && f_remove && ahead_q == e ? f_entry : f_link[e*2*A +: A];
                    if (f_this + {{C-1{1'b0}}, 1'b1} != f_count[f_home*C +: C])
                        assert (f_in[f_other] && f_list[f_other*L +: L] == f_home &&
                                f_rank[f_other*C +: C] == f_this + {{C-1{1'b0}}, 1'b1});     // 2 chain
                    f_other = f_link[e*2*A + A +: A];
                    if (f_this != {C{1'b0}})
                        assert (f_in[f_other] && f_list[f_other*L +: L] == f_home &&
                                f_rank[f_other*C +: C] + {{C-1{1'b0}}, 1'b1} == f_this);     // 2 chain
                end
            end

            // helpers
            // The request on its way.
            assert (phase_q <= ROSTER_WRITE);
            if (!f_busy) assert (phase_q == ROSTER_REST);
            else begin
                assert (op_q == f_op && list_q == f_at && entry_q == f_entry);
                assert (f_in[f_entry] == f_remove || f_op == ROSTER_FIRST);
                if (f_remove) assert (f_list[f_entry*L +: L] == f_at);
                case (f_since)
                    3'd1:    assert (phase_q == ROSTER_READ && !f_long);
                    3'd2:    assert (phase_q == ROSTER_LOOK && !f_long);
                    3'd3:    assert (phase_q == (f_long ? ROSTER_AHEAD :
                                                 f_op == ROSTER_FIRST ? ROSTER_REST : ROSTER_WRITE));
                    3'd4:    assert (phase_q == ROSTER_BEHIND && f_long);
                    3'd5:    assert (phase_q == ROSTER_LINK && f_long);
                    default: assert (phase_q == ROSTER_WRITE && f_long);
                endcase
                if (f_since == 3'd2)
                    assert (f_ends_read == f_ends[f_at*2*A +: 2*A] && f_link_read == f_link[f_entry*2*A +: 2*A]);
                if (f_since >= 3'd3) assert (f_long == f_inner && (f_op == ROSTER_FIRST || linked_q == f_inner));
                if (f_since >= 3'd3 && !f_empty && f_op != ROSTER_FIRST) begin
                    assert (f_remove && f_place != {C{1'b0}} ?
                            ahead_q == f_link[f_entry*2*A + A +: A] : ahead_q == f_last);
                    assert (f_remove && f_place + {{C-1{1'b0}}, 1'b1} != f_length ?
                            behind_q == f_link[f_entry*2*A +: A] : behind_q == f_first);
                end
                if (f_since == 3'd4) assert (f_link_read == f_link[ahead_q*2*A +: 2*A]);
                if (f_since == 3'd5)
                    assert (ahead_previous_q == f_link[ahead_q*2*A + A +: A] &&
                            f_link_read == f_link[behind_q*2*A +: 2*A]);
                if (f_since == 3'd6)
                    case (f_op)
                        ROSTER_PUSH:       assert (f_link[ahead_q*2*A +: 2*A] == {ahead_previous_q, f_entry});
                        ROSTER_PUSH_FIRST: assert (f_link[f_entry*2*A +: 2*A] == {ahead_q, behind_q} &&
                                                   behind_next_q == f_link[behind_q*2*A +: A]);
                        default:           assert (f_link[ahead_q*2*A +: 2*A] == {ahead_previous_q, behind_q} &&
                                                   behind_next_q == f_link[behind_q*2*A +: A]);
                    endcase
            end
        end

    always @(posedge clk)
        if (!rst) begin
            cover (f_done && f_remove && f_long);
            cover (f_done && f_remove && !f_long && f_length == {{C-2{1'b0}}, 2'd2});
            cover (f_done && f_op == ROSTER_PUSH_FIRST && f_long);
            cover (answer_valid && f_op == ROSTER_FIRST && !answer_refused);
        end
    end
    endgenerate
