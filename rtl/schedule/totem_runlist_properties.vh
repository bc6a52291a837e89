// SPDX-License-Identifier: Apache-2.0
//
// Properties of totem_runlist, included at the end of the module. The numbers are those of docs/contract/runlist.md.

    // The words of all entries are followed, and where they stand in lists, so the sizes are small; no rule depends on
    // them. In an act the entry in hand stands between its word in the RAM and the one that will be written; f_word and
    // f_names say what counts. With that, what the contract says of RUNLIST_REST holds in every clock, but for the slot
    // in hand. f_loose: its old entry has left it already. f_given: it is left for the entry in hand. f_passes: it
    // runs, and its entry is not yet, or no more, RUN_MAPPED.
    // Larger sizes than these Yosys would not even read.
    generate
    if (RUN_QUEUES <= 32 && N <= 8) begin : judged
    localparam F = RUN_QUEUES;
    localparam W = E + 136;
    initial assume (rst);

    reg [F*10-1:0] f_head;              // [63:54] of every head: removed, waits, state, tenant, priority
    reg [F*S-1:0]  f_slot;              // slot in every tail
    reg [9:0]      f_head_read;         // what was read last
    reg [S-1:0]    f_slot_read;
    reg [1:0]      f_read;              // which word of its entry that was
    reg [F-1:0]    f_in;                // it stands in a list,
    reg [F*6-1:0]  f_list;              // in this one
    reg            f_was = 1'b0;        // the clock before was no reset
    reg            f_stood = 1'b0;      // something was asked and not answered
    reg [W-1:0]    f_asked;
    reg [3:0]      f_phase;
    reg            f_commanded, f_valid, f_done;
    (* anyconst *) wire [5:0] f_pick;   // any list
    reg            f_full, f_seen;      // since the choice began: it was filled; its first was looked at,
    reg [31:0]     f_pick_since;        // which began to wait then,
    reg [31:0]     f_since;             // and `eldest` then
    reg [7:0]      f_row = 8'd0;        // placements since the last YIELD, but those beside
    reg            f_missed = 1'b0;     // the last scan was for a YIELD and found none;
    reg            f_beside;            // .. when the placement began
    reg [7:0]      f_yield;             // YIELD when the choice began
    reg            f_found = 1'b0;      // a scan has found a slot, and nothing was placed

    wire           f_load   = phase_q == RUNLIST_HEAD || phase_q == RUNLIST_TAIL || phase_q == RUNLIST_LOADED;
    wire           f_act    = phase_q == RUNLIST_ACT;
    wire           f_answer = phase_q == RUNLIST_ANSWER;
    wire           f_writes = phase_q == RUNLIST_STORE || phase_q == RUNLIST_STORED;
    wire           f_swept  = phase_q != RUNLIST_SWEEP;
    wire           f_rests  = phase_q == RUNLIST_REST || !f_swept;
    wire [9:0]     f_top    = head_q[63:54];
    wire [9:0]     f_mine   = f_head[entry_q*10 +: 10];
    wire [1:0]     f_there  = place_phase_q[slot_q*2 +: 2];
    wire [E-1:0]   f_who    = place_entry_q[slot_q*E +: E];
    wire           f_own    = f_there != PHASE_EMPTY && f_who == entry_q;
    // The roster has what the word in hand says.
    wire           f_pushed = ((f_answer || f_act) && ((act_q == ACT_ADD && step_q == 4'd9) ||
                                  (act_q == ACT_PRIORITY && step_q == 4'd2) || (act_q == ACT_EVENT && step_q == 4'd1) ||
                                  (act_q == ACT_OUT && step_q == 4'd3) || (act_q == ACT_FILL && step_q == 4'd3)));
    wire           f_hurries = !f_rests && act_q == ACT_REMOVE && step_q == 4'd4;
    wire           f_counts = f_pushed || f_writes || f_hurries;
    wire           f_evicts = !f_rests && act_q == ACT_EVICT && !f_load;
    wire           f_stored = f_act && ((act_q == ACT_ADD && step_q == 4'd11) ||
                                  (act_q == ACT_REMOVE && step_q == 4'd3) ||
                                  (act_q >= ACT_PRIORITY && act_q <= ACT_FILL && step_q == 4'd4));
    // It has left its list, and nothing says so yet.
    wire           f_gone   = ((f_answer || f_act) && step_q == 4'd1 &&
                                  (act_q == ACT_REMOVE || act_q == ACT_PRIORITY || act_q == ACT_PLACE)) ||
                              (act_q == ACT_REMOVE && step_q == 4'd2 && (phase_q == RUNLIST_ORDER || f_act)) ||
                              (act_q == ACT_PRIORITY && step_q == 4'd2 && phase_q == RUNLIST_REQUEST);
    wire           f_placed = act_q == ACT_PLACE && (f_writes || (f_act && step_q == 4'd2));
    wire           f_given  = !f_rests && (act_q == ACT_FILL || f_placed || (act_q == ACT_OUT && !f_own));
    // A save has failed: who has claimed the slot is given back, and the entry stays in it.
    wire           f_returns = act_q == ACT_FILL && step_q >= 4'd3 && f_there == PHASE_LEAVING;
    wire           f_stays  = act_q == ACT_OUT && step_q == 4'd5;
    wire           f_loose  = !f_rests && !f_returns && !f_stays && (act_q == ACT_FILL || (act_q == ACT_OUT &&
                                  (!f_own || f_counts || (f_act && step_q == 4'd4))));
    wire           f_passes = !f_rests && (act_q == ACT_EVICT ||
                                           (act_q == ACT_IN && step_q >= 4'd1 && step_q <= 4'd3));

    reg [F*10-1:0] f_word;              // what counts of every entry
    reg [F*S-1:0]  f_names;             // its slot
    reg [C-1:0]    f_removals;
    integer        e, s;
    always @* begin
        if (f_read == 2'd0) assume (ram_read_data[63:54] == f_head_read);                           // A2 words
        if (f_read == 2'd1) assume (ram_read_data[S-1:0] == f_slot_read);                           // A2 words
        f_word  = f_swept ? f_head : {F*10{1'b0}};
        f_names = f_slot;
        for (e = 0; e < F; e = e + 1)
            if (entry_q == e[E-1:0]) begin
                if (f_evicts)
                    f_word[e*10 +: 10] = {f_top[9:8], RUN_MOVING, f_top[5:0]};
                else if (f_counts)
                    f_word[e*10 +: 10] = f_top;
                else if (f_gone)
                    f_word[e*10 + 8] = 1'b0;
                if (f_placed)
                    f_names[e*S +: S] = tail_q[S-1:0];
            end
        f_removals = {C{1'b0}};
        for (e = 0; e < F; e = e + 1)
            f_removals = f_removals + {{C-1{1'b0}}, f_word[e*10 + 9]};
    end

    // Choice. Level and place of f_pick among the lists that are looked at.
    wire           f_rival  = yielding_q || f_pick[3:0] == list_q[3:0];
    wire           f_behind = yielding_q ? f_pick < list_q : f_pick[5:4] < list_q[5:4];
    wire           f_picks  = !f_rests && act_q == ACT_CHOOSE;
    wire           f_places = !f_rests && act_q == ACT_PLACE;
    wire           f_looks  = f_picks && f_act && step_q == 4'd2;
    wire           f_chosen = (f_picks && |f_at[4:3]) || (f_places && f_at[0]);
    wire           f_starts = f_rests || act_q == ACT_AHEAD;

    wire           f_takes  = request_valid && roster_request_ready && request_op != ROSTER_FIRST;
    wire [W-1:0]   f_asks   = {phase_q, order_op, order_data, request_op, request_list, entry_q, access_address,
                               access_data, read_addr};

    // Kinds of phases: a step is done in one of them, and decided in RUNLIST_ACT.
    wire           f_list_on = request_valid || f_answer;
    wire           f_reads   = read_valid || phase_q == RUNLIST_BEAT;
    wire           f_scans   = start || phase_q == RUNLIST_SCAN;
    wire [15:0]    f_at      = 16'd1 << step_q;
    reg            f_step;
    always @*
        case (act_q)
            ACT_ADD:      f_step = (f_load && f_at[0]) || (f_reads && (f_at[7] || |f_at[5:1])) ||
                                   (order_valid && (f_at[6] || f_at[8] || f_at[10])) || (f_list_on && f_at[9]) ||
                                   (f_writes && f_at[11]) || (f_act && |f_at[11:0]);
            ACT_REMOVE:   f_step = (f_load && f_at[0]) || (f_list_on && f_at[1]) || (order_valid && f_at[2]) ||
                                   (f_writes && f_at[3]) || (access_valid && f_at[4]) || (f_act && |f_at[4:0]);
            ACT_PRIORITY: f_step = (f_load && f_at[0]) || (f_list_on && |f_at[2:1]) || (access_valid && f_at[3]) ||
                                   (f_writes && f_at[4]) || (f_act && |f_at[4:0]);
            ACT_EVENT:    f_step = (f_load && f_at[0]) || (f_list_on && f_at[1]) || (order_valid && f_at[2]) ||
                                   (access_valid && f_at[3]) || (f_writes && f_at[4]) || (f_act && |f_at[4:0]);
            ACT_IN:       f_step = (f_load && f_at[0]) || (access_valid && (f_at[1] || f_at[3])) ||
                                   (order_valid && f_at[2]) || (f_writes && f_at[4]) || (f_act && |f_at[4:0]);
            ACT_OUT:      f_step = (f_load && f_at[0]) || (order_valid && |f_at[2:1]) || (f_list_on && f_at[3]) ||
                                   (f_writes && |f_at[5:4]) || (f_act && |f_at[5:0]);
            ACT_FILL:     f_step = (f_load && (f_at[0] || f_at[5])) || (access_valid && |f_at[2:1]) ||
                                   (f_list_on && f_at[3]) || (f_writes && f_at[4]) || (order_valid && f_at[6]) ||
                                   (f_act && |f_at[6:0]);
            ACT_CHOOSE:   f_step = (f_list_on && f_at[2]) || (f_load && |f_at[3:2]) || (f_act && |f_at[4:0]);
            ACT_PLACE:    f_step = (f_scans && f_at[0]) || (f_list_on && f_at[1]) || (f_writes && f_at[2]) ||
                                   (f_act && |f_at[2:0]);
            ACT_EVICT:    f_step = (f_load && f_at[0]) || (f_writes && f_at[1]) || (access_valid && f_at[2]) ||
                                   (f_act && |f_at[2:0]);
            ACT_RESET:    f_step = (access_valid && f_at[1]) || (f_act && |f_at[1:0]);
            ACT_AHEAD:    f_step = (f_scans || f_act) && f_at[0];
            default:      f_step = 1'b0;
        endcase

    always @(posedge clk) begin
        if (!rst) begin
            assume (!(bell_order_done && !order_valid));                                        // A1 answers
            assume (!(roster_answer_valid && !f_answer));                                       // A1 answers
            assume (!(place_done && phase_q != RUNLIST_SCAN));                                  // A1 answers
            assume (!(proxy_done && !access_valid));                                            // A1 answers
            assume (!(data_valid && phase_q != RUNLIST_BEAT));                                  // A1 answers
            if (roster_answer_valid && act_q == ACT_CHOOSE && !roster_answer_refused)
                assume (f_in[roster_answer_entry] && f_list[roster_answer_entry*6 +: 6] == list_q);  // A3 lists
            if (place_done && place_found)
                assume (owned_q[place_chosen] && !claimed_q[place_chosen] &&
                        (place_phase_q[place_chosen*2 +: 2] == PHASE_RUNNING ||
                         (!ahead_q && place_phase_q[place_chosen*2 +: 2] == PHASE_EMPTY)));     // A4 shown
            if (f_was && f_valid && !f_done) assume (command_valid);                            // A5 held
        end
        if (!rst && (f_picks || f_places) && aged_q) assume (age_q != 32'hFFFFFFFF);            // A6 waits
        if (!rst && f_looks) assume (now_q - tail_q[63:32] != 32'hFFFFFFFF);                    // A6 waits
        if (f_starts) f_yield <= settings_yield;
        if (f_places && f_act && step_q == 4'd0) begin
            f_missed <= wrong_q && yielding_q;
            f_beside <= f_missed;
        end
        if (f_places && f_act && step_q == 4'd1 && !f_beside)
            f_row <= yielding_q ? 8'd0 : f_row == 8'hFF ? 8'hFF : f_row + 8'd1;
        f_full  <= roster_filled[f_pick] && (f_starts || f_full);
        f_seen  <= !f_starts && (f_seen || (f_looks && list_q == f_pick));
        f_found <= !rst && (f_found ? !(f_places && f_act && (step_q == 4'd1 ||
                                        (step_q == 4'd0 && f_missed && word_q[2:0] != PLACE_FREE))) :
                                      place_done && place_found && act_q == ACT_PLACE);
        if (f_looks && list_q == f_pick) f_pick_since <= tail_q[63:32];
        if (f_looks && (!aged_q || now_q - tail_q[63:32] > now_q - f_since)) f_since <= tail_q[63:32];
        if (rst) f_row <= 8'd0;
        if (rst) f_missed <= 1'b0;
        f_was       <= !rst;
        f_stood     <= !rst && ((order_valid && !bell_order_done) || (request_valid && !roster_request_ready) ||
                                (access_valid && !proxy_done) || (read_valid && !read_ready) ||
                                (f_answer && !roster_answer_valid) || (phase_q == RUNLIST_SCAN && !place_done) ||
                                (phase_q == RUNLIST_BEAT && !data_valid));
        f_asked     <= f_asks;
        f_phase     <= phase_q;
        f_commanded <= commanded_q;
        f_valid     <= command_valid;
        f_done      <= command_done;
        if (ram_read_enable) begin
            f_read      <= ram_read_addr[1:0];
            f_head_read <= f_head[ram_read_addr[E+1:2]*10 +: 10];
            f_slot_read <= f_slot[ram_read_addr[E+1:2]*S +: S];
        end
        for (e = 0; e < F; e = e + 1) begin
            if (ram_write_enable && ram_write_addr == {e[E-1:0], 2'd0}) f_head[e*10 +: 10] <= ram_write_data[63:54];
            if (ram_write_enable && ram_write_addr == {e[E-1:0], 2'd1}) f_slot[e*S +: S]   <= ram_write_data[S-1:0];
            if (f_takes && request_entry == e[E-1:0]) begin
                f_in[e]          <= request_op != ROSTER_REMOVE;
                f_list[e*6 +: 6] <= request_list;
            end
        end
        if (rst) f_in <= {F{1'b0}};

        if (!rst && f_was) begin
            for (e = 0; e < F; e = e + 1) begin
                assert (f_in[e] == (f_word[e*10 + 6 +: 2] == RUN_LISTED && f_word[e*10 + 8]));              // 1 one
                if (f_in[e]) assert (f_list[e*6 +: 6] == f_word[e*10 +: 6]);                                // 1 one
                if (f_word[e*10 + 8]) assert (f_word[e*10 + 9] || f_word[e*10 + 6 +: 2] == RUN_LISTED);     // helper
                if (f_word[e*10 + 9]) assert (f_word[e*10 + 6 +: 2] == RUN_MOVING);                        // 6 removals
                if (!f_swept && e[E-1:0] < entry_q) assert (f_head[e*10 +: 10] == 10'd0);                   // helper
                for (s = 0; s < N; s = s + 1)
                    if (f_word[e*10 + 7] && f_names[e*S +: S] == s[S-1:0]) begin
                        assert ((place_phase_q[s*2 +: 2] != PHASE_EMPTY && place_entry_q[s*E +: E] == e[E-1:0] &&
                                 !(f_loose && slot_q == s[S-1:0])) !=
                                ((claimed_q[s] && claimant_q[s*E +: E] == e[E-1:0]) ||
                                 (f_given && slot_q == s[S-1:0] && entry_q == e[E-1:0])));                  // 2 inverse
                        if (f_word[e*10 + 6]) assert (place_phase_q[s*2 +: 2] == PHASE_RUNNING);            // 3 running
                    end
            end
            for (s = 0; s < N; s = s + 1) begin
                for (e = 0; e < F; e = e + 1) begin
                    if (place_phase_q[s*2 +: 2] != PHASE_EMPTY && place_entry_q[s*E +: E] == e[E-1:0] &&
                            !(f_loose && slot_q == s[S-1:0])) begin
                        assert (f_word[e*10 + 7] && f_names[e*S +: S] == s[S-1:0]);                         // 2 inverse
                        if (!(f_passes && slot_q == s[S-1:0]))
                            assert (f_word[e*10 + 6] == (place_phase_q[s*2 +: 2] == PHASE_RUNNING));        // 3 running
                    end
                    if (claimed_q[s] && claimant_q[s*E +: E] == e[E-1:0])
                        assert (f_word[e*10 + 6 +: 2] == RUN_MOVING && f_names[e*S +: S] == s[S-1:0]);      // 2 inverse
                end
                if (claimed_q[s])
                    assert (place_phase_q[s*2 +: 2] == PHASE_LEAVING ||
                            (act_q == ACT_EVICT && !f_rests && slot_q == s[S-1:0]));                        // 2 inverse
                if (claimed_q[s] && slot_q == s[S-1:0]) assert (!f_given);                                  // 2 inverse
            end
            assert (!owned_q[0] && place_phase_q[1:0] == PHASE_EMPTY);                                      // helper
            assert (removals_q == f_removals);                                                             // 6 removals

            // What is asked, and of whom.
            if (f_stood) assert (f_asks == f_asked);                                                        // 4 asked
            assert ({2'd0, order_valid} + {2'd0, f_list_on} + {2'd0, f_scans} + {2'd0, access_valid} +
                    {2'd0, f_reads} <= 3'd1);                                                               // 4 asked
            if (request_valid && request_op == ROSTER_REMOVE)
                assert (f_in[entry_q] && f_list[entry_q*6 +: 6] == list_q);                                 // 1 one
            if (request_valid && (request_op == ROSTER_PUSH || request_op == ROSTER_PUSH_FIRST))
                assert (!f_in[entry_q] && list_q == f_top[5:0] && f_top[9:6] == {2'b01, RUN_LISTED} &&
                        !f_mine[9] && (!f_mine[7] || act_q == ACT_OUT || act_q == ACT_FILL));               // 1 one
            if (access_valid) assert (owned_q[slot_q] || f_there != PHASE_EMPTY);                           // 5 own
            if (command_done) assert (phase_q == RUNLIST_REST && f_valid && !f_done);                      // 7 answered
            if (f_commanded && f_phase != RUNLIST_REST && phase_q == RUNLIST_REST)
                assert (command_done || f_phase == RUNLIST_SWEEP);                                         // 7 answered
            if (!f_rests && commanded_q)
                assert (command_valid && !command_done && (act_q == ACT_ADD || act_q == ACT_REMOVE ||
                        act_q == ACT_PRIORITY || act_q == ACT_EVICT));                                     // 7 answered

            // The word in hand.
            if (phase_q == RUNLIST_TAIL)   assert (f_read == 2'd0 && f_head_read == f_mine);                // helper
            if (phase_q == RUNLIST_LOADED) assert (f_read == 2'd1 && f_slot_read == f_slot[entry_q*S +: S]);  // helper
            if (phase_q == RUNLIST_LOADED || (f_act && step_q == 4'd0 && act_q <= ACT_FILL && act_q != ACT_CHOOSE) ||
                (act_q == ACT_REMOVE && (request_valid || f_answer || order_valid || (f_act && step_q <= 4'd2))) ||
                (act_q == ACT_PRIORITY && step_q == 4'd1 && !f_rests) ||
                (act_q == ACT_EVENT && (order_valid || access_valid || (f_act && step_q[1]))) ||
                (act_q == ACT_IN && (order_valid || access_valid || (f_act && step_q <= 4'd3))) ||
                (act_q == ACT_OUT && (order_valid || (f_act && step_q <= 4'd2))) ||
                (act_q == ACT_FILL && (access_valid || order_valid || (f_act && (step_q <= 4'd2 || |f_at[6:5])))) ||
                (act_q == ACT_CHOOSE && f_act && (step_q == 4'd2 || step_q == 4'd3)) ||
                (act_q == ACT_PLACE && !f_rests && !f_writes) || (act_q == ACT_EVICT && access_valid) ||
                (f_act && act_q == ACT_EVICT && step_q != 4'd0) || phase_q == RUNLIST_STORED || f_stored)
                assert (f_top == f_mine);                                                                   // helper
            if (!f_rests && !f_load && act_q != ACT_ADD && act_q != ACT_CHOOSE && act_q < ACT_RESET &&
                    !(act_q == ACT_PLACE && !(f_act && step_q == 4'd2)))
                assert (tail_q[S-1:0] == f_slot[entry_q*S +: S]);                                           // helper
            if (f_placed) assert (tail_q[S-1:0] == slot_q && f_top[9:6] == {2'b00, RUN_MOVING});            // helper
            if (!f_rests && !f_load && act_q == ACT_ADD && step_q != 4'd0) begin
                assert (f_top[9] == 1'b0 && f_top[7:6] == RUN_LISTED);                                      // helper
                if (step_q <= 4'd10 && !f_pushed) assert (f_mine[7:6] == RUN_FREE);                         // helper
                if (step_q <= 4'd8 || step_q == 4'd10) assert (!f_top[8]);                                  // helper
            end
            if (!f_rests && act_q == ACT_REMOVE && (f_list_on || order_valid || (f_act && |f_at[2:1])))
                assert (f_mine[7:6] == RUN_LISTED);                                                         // helper
            if (f_gone) assert (f_mine[7:6] == RUN_LISTED && !f_mine[9]);                                   // helper
            if (f_gone && act_q == ACT_PRIORITY) assert (f_top[9:6] == {2'b01, RUN_LISTED});                // helper
            if (!f_rests && act_q == ACT_PRIORITY && f_at[3]) assert (f_top[9:6] == f_mine[9:6]);           // helper
            if (!f_rests && act_q == ACT_EVICT && !f_load && !f_at[0])
                assert (f_top[7:6] == RUN_MOVING && (f_top[9] || !f_top[8]));                               // helper
            if (!f_rests && act_q == ACT_EVICT && f_act && f_at[0])
                assert (f_top[7:0] == f_mine[7:0] && f_mine[7] &&
                        (f_top[9] || {f_top[8], f_mine[9:8]} == 3'd0));                                     // helper
            if (!f_rests && act_q == ACT_IN && !f_writes && !(f_act && f_at[4]))
                assert (f_mine[7:6] == RUN_MOVING);                                                         // helper
            if (!f_rests && act_q == ACT_OUT && |f_at[2:1]) assert (f_top[9] == f_at[2]);                   // helper
            if (!f_rests && act_q == ACT_FILL && |f_at[2:1]) assert (owned_q[slot_q] && !f_top[9]);         // helper
            if (!f_rests && act_q == ACT_FILL && f_at[6]) assert (f_top[9]);                                // helper
            if (!f_rests && act_q == ACT_CHOOSE && f_act && f_at[4]) assert (aged_q);                       // helper

            // The slot in hand.
            if (!f_rests)
                case (act_q)
                    ACT_PRIORITY, ACT_EVENT:
                        if (order_valid || access_valid || (f_act && (f_at[3] || (act_q == ACT_EVENT && f_at[2]))))
                            assert (f_mine[7:6] == RUN_MAPPED && f_slot[entry_q*S +: S] == slot_q);         // helper
                    ACT_REMOVE: if (f_hurries)
                        assert (f_own && f_there == PHASE_LEAVING && f_top[9:6] == {2'b11, RUN_MOVING} &&
                                f_mine[7:6] == RUN_MOVING && f_slot[entry_q*S +: S] == slot_q);             // helper
                    ACT_IN:
                        assert (f_own && !claimed_q[slot_q] &&
                                f_there == (step_q == 4'd0 ? PHASE_LOADING : PHASE_RUNNING));               // helper
                    ACT_OUT: if (f_stays)
                        assert (f_own && f_there == PHASE_RUNNING && !f_top[9] && f_top[7:6] == RUN_MAPPED &&
                                f_slot[entry_q*S +: S] == slot_q);                                          // helper
                    else begin
                        assert (f_there != PHASE_RUNNING);                                                  // helper
                        if (f_load || (f_act && f_at[0] && !f_top[9])) assert (f_own);                      // helper
                        if (!f_counts && !(f_act && step_q == 4'd4))
                            assert (f_mine[7:6] == RUN_MOVING && f_slot[entry_q*S +: S] == slot_q);         // helper
                        else
                            assert (!f_top[7]);                                                             // helper
                    end
                    ACT_FILL: begin
                        assert (!f_own && !claimed_q[slot_q]);                                              // helper
                        assert (f_there == PHASE_EMPTY || f_there == PHASE_LEAVING);                        // helper
                        if (|f_at[6:5]) assert (f_there == PHASE_LEAVING);                                  // helper
                        if (!f_counts && !(f_act && step_q == 4'd4))
                            assert (f_mine[7:6] == RUN_MOVING && f_slot[entry_q*S +: S] == slot_q);         // helper
                        else
                            assert (!f_top[7]);                                                             // helper
                    end
                    ACT_PLACE: if (request_valid || f_answer || f_writes || (f_act && (step_q != 4'd0 || !wrong_q)))
                        assert (owned_q[slot_q] && !claimed_q[slot_q] && !f_own &&
                                (f_there == PHASE_EMPTY || f_there == PHASE_RUNNING));                      // helper
                    ACT_EVICT: assert (f_own && f_there == PHASE_RUNNING);                                  // helper
                    ACT_AHEAD: if (f_act && !wrong_q)
                        assert (f_there == PHASE_RUNNING && !claimed_q[slot_q]);                            // helper
                    ACT_RESET: assert (f_there == PHASE_LOADING || f_there == PHASE_LEAVING);               // helper
                    default: ;
                endcase
            if (!f_rests && act_q == ACT_CHOOSE && aged_q) assert (f_in[eldest_q]);                         // helper
            if (!f_rests && act_q == ACT_CHOOSE && (f_load || (f_act && (step_q == 4'd2 || step_q == 4'd3))))
                assert (f_in[entry_q]);                                                                     // helper
            if (!f_rests && act_q == ACT_PLACE && (f_scans || (f_act && step_q == 4'd0)))
                assert (f_in[entry_q]);                                                                     // helper
            if (!f_rests && act_q >= ACT_CHOOSE && act_q <= ACT_PLACE) assert (!ahead_q);                   // helper
            if (!f_rests && act_q == ACT_AHEAD) assert (ahead_q);                                           // helper
            if (!f_rests) assert (f_step);                                                                  // 8 steps

            // Who is next.
            if (f_found) assert (f_places);                                                                 // 9 yields
            if (f_found) assert ((f_act && f_at[0] && !wrong_q) || f_at[1]);                                // helper
            if (f_places && (f_at[1] || (f_act && f_at[0] && !wrong_q))) assert (f_found);                  // helper
            if (f_places && f_at[1] && f_beside) assert (!yielding_q && word_q[2:0] == PLACE_FREE);         // 9 yields
            assert (missed_q == f_missed);                                                                  // helper
            if (f_picks || (f_places && f_at[0])) assert (!(yielding_q && f_missed));                       // helper
            if (f_places && f_at[1] && f_act && !yielding_q && !f_beside && f_yield != 8'd0)
                assert ({1'b0, f_row} + 9'd1 < {1'b0, f_yield});                                            // 9 yields
            if ((f_picks || (f_places && |f_at[1:0])) && !yielding_q && !(f_places && f_at[1] ? f_beside : f_missed) &&
                    f_yield != 8'd0)
                assert ({1'b0, f_row} + 9'd1 < {1'b0, f_yield});                                            // helper
            assert (next_yield_q >= f_row);                                                                 // helper
            if (f_places && f_at[0] && f_full && f_rival)
                assert (f_seen && now_q - f_since >= now_q - f_pick_since);                                 // 10 eldest
            if (f_places && f_at[0]) assert (entry_q == eldest_q);                                          // 10 eldest
            if ((f_picks || (f_places && f_at[0])) && aged_q) assert (age_q == now_q - f_since);            // helper
            if ((f_picks || (f_places && f_at[0])) && f_seen)
                assert (aged_q && now_q - f_since >= now_q - f_pick_since);                                 // helper
            if (f_picks && !f_at[0] && f_full && f_rival && (f_behind || |f_at[4:3])) assert (f_seen);      // helper
            if (f_picks && !f_at[0] && !yielding_q && f_full && f_pick[3:0] != list_q[3:0])
                assert (f_pick[3:0] < list_q[3:0]);                                                         // 10 eldest
            if (f_chosen) assert (aged_q && list_q[5:4] == 2'd3);                                           // helper
            if (f_picks && f_at[3]) assert (entry_q == eldest_q);                                           // helper
            cover (command_done && owned_q != NO_SLOT);
            cover (command_done && command_answer == RUN_MQD);
            cover (phase_q == RUNLIST_BEAT && step_q == 4'd2);
            cover (event_take && command_valid);
            cover (f_answer);
        end
    end
    end
    endgenerate
