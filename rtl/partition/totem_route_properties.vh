// SPDX-License-Identifier: Apache-2.0
//
// Properties of totem_route, included at the end of the module. The numbers are those of docs/contract/route.md.

    initial assume (rst);
    (* anyconst *) wire [W-1:0] f_id;               // any ID: of writes, its low bits of reads
    wire [R-1:0] f_rid = f_id[R-1:0];
    (* anyconst *) wire [1:0]   f_any;
    wire [1:0]  f_c = f_any < TARGETS ? f_any : 2'd0;                       // any target
    reg         f_was = 1'b0;                       // the clock before was not one of reset

    wire [1:0]  f_reads   = reads_q[f_rid*2 +: 2];
    wire [2:0]  f_read_at = read_at_q[f_rid*3 +: 3];
    wire [1:0]  f_writes  = writes_q[f_id*2 +: 2];
    wire        f_read    = |(to_ar_valid & target_ar_ready) && to_ar_id == f_rid;  // goes to a target
    wire        f_goes    = |(to_aw_valid & target_aw_ready);
    wire        f_write   = f_goes && to_aw_id == f_id;
    wire        f_taken   = r_valid && master_r_ready && r_id == f_rid;

    // Refusals begin with the clock before.
    reg         f_refused = 1'b0, f_closed = 1'b0;
    reg [3:0]   f_asked, f_length;
    reg [4:0]   f_count;
    wire        f_rise   = read_refused_q && !f_refused;
    wire        f_opens  = open_q && open_at_q == ROUTE_NOWHERE && !f_closed;
    wire [3:0]  f_len    = f_rise ? f_asked : f_length;
    wire [4:0]  f_given  = f_rise ? 5'd0 : f_count;

    // Of the ID: what targets still owe, what is held here; its newest beat here is not the last of its read.
    reg [2:0]   f_due = 3'd0, f_left = 3'd0;
    wire [2:0]  f_out    = f_left + {2'd0, f_rise && read_refused_id_q == f_rid};
    reg [3:0]   f_lasts;
    reg         f_open, f_beat, f_last, f_stray;
    reg [2:0]   f_target;                           // of the write that goes
    integer     k;

    // Writes of the ID in their order: where each is, and whether its target still owes the response.
    reg [1:0]   f_count_w = 2'd0;
    reg [2:0]   f_first, f_second;
    reg         f_owes_first, f_owes_second;
    wire        f_void = f_opens && open_id_q == f_id;          // a refused one has just begun
    wire [1:0]  f_stores = f_count_w + {1'b0, f_void};
    wire [2:0]  f_at     = f_void && f_count_w == 2'd0 ? ROUTE_NOWHERE : f_first;
    wire [2:0]  f_then   = f_void && f_count_w != 2'd0 ? ROUTE_NOWHERE : f_second;
    wire        f_owes   = f_at != ROUTE_NOWHERE && f_owes_first;
    wire        f_owed   = f_then != ROUTE_NOWHERE && f_owes_second;
    wire        f_kept   = early_valid_q[f_id];
    wire        f_answer = b_valid && master_b_ready && b_id == f_id;
    reg [2:0]   f_held, f_meant;                    // responses at one place: those that are there, and should be
    reg         f_wrong, f_takes_first, f_takes_second;

    always @* begin
        f_lasts     = 4'd0;
        f_open      = 1'b0;
        f_beat      = 1'b0;
        f_last      = 1'b0;
        f_stray     = 1'b0;
        f_wrong     = 1'b0;
        f_takes_first  = 1'b0;
        f_takes_second = 1'b0;
        f_target    = 3'd0;
        for (k = 0; k < TARGETS; k = k + 1) begin
            if (to_aw_valid[k]) f_target = k[2:0];
            if (r_count_q[k*2 +: 2] != 2'd0 && r_head_tag_q[k*9 +: R] == f_rid) begin
                f_lasts = f_lasts + {3'd0, r_head_tag_q[k*9 + 8]};
                f_open  = !r_head_tag_q[k*9 + 8];
                if (f_reads == 2'd0 || f_read_at != k[2:0]) f_stray = 1'b1;
            end
            if (r_count_q[k*2 +: 2] == 2'd2 && r_tail_tag_q[k*9 +: R] == f_rid) begin
                f_lasts = f_lasts + {3'd0, r_tail_tag_q[k*9 + 8]};
                f_open  = !r_tail_tag_q[k*9 + 8];
                if (f_reads == 2'd0 || f_read_at != k[2:0]) f_stray = 1'b1;
            end
            if (target_r_valid[k] && target_r_ready[k] && r_room[k] &&
                    {{4+W-T{1'b0}}, target_r_id[k*T+W +: T-W]} == {2'd0, source_number} &&
                    target_r_id[k*T +: R] == f_rid) begin
                f_beat = 1'b1;
                f_last = target_r_last[k];
                assume (f_due != 3'd0 && f_read_at == k[2:0]);                  // A1 answers
            end
            if (target_b_valid[k] && target_b_ready[k] && b_room[k] &&
                    {{4+W-T{1'b0}}, target_b_id[k*T +: T]} == {2'd0, source_number, f_id}) begin
                assume ((f_stores != 2'd0 && f_owes && f_at == k[2:0]) ||
                        (f_stores == 2'd2 && f_owed && f_then == k[2:0]));      // A1 answers
                if (f_stores != 2'd0 && f_owes && f_at == k[2:0]) f_takes_first = 1'b1;
                else f_takes_second = 1'b1;
            end
            f_held  = {2'd0, b_count_q[k*2 +: 2] != 2'd0 && b_head_q[k*8 +: W] == f_id} +
                      {2'd0, b_count_q[k*2 +: 2] == 2'd2 && b_tail_q[k*8 +: W] == f_id};
            f_meant = {2'd0, f_stores != 2'd0 && f_at == k[2:0] && !f_owes && !(f_stores == 2'd1 && f_kept)} +
                      {2'd0, f_stores == 2'd2 && f_then == k[2:0] && !f_owed && !f_kept};
            if (f_held != f_meant) f_wrong = 1'b1;
        end
        f_held  = {2'd0, write_refused_q && write_refused_id_q == f_id} +
                  {2'd0, open_q && open_at_q == ROUTE_NOWHERE && open_id_q == f_id};
        f_meant = {2'd0, f_stores != 2'd0 && f_at == ROUTE_NOWHERE && !(f_stores == 2'd1 && f_kept)} +
                  {2'd0, f_stores == 2'd2 && f_then == ROUTE_NOWHERE && !f_kept};
        if (f_held != f_meant) f_wrong = 1'b1;
    end

    // What is offered and not taken.
    wire [72:0]   f_r  = {r_data, r_response, r_last, {6-R{1'b0}}, r_id};
    wire [41:0]   f_ar = {to_ar_addr, to_ar_len, to_ar_lock};
    wire [41:0]   f_aw = {to_aw_addr, to_aw_len, to_aw_lock};
    reg           f_r_stood = 1'b0, f_b_stood = 1'b0, f_ar_stood = 1'b0, f_aw_stood = 1'b0, f_w_stood = 1'b0;
    reg [72:0]    f_r_was;
    reg [W+1:0]   f_b_was;
    reg [41:0]    f_ar_was, f_aw_was;
    reg [63:0]    f_w_was;
    reg           f_r_has, f_b_has;                 // the one whose turn it is has something
    // The write whose data are on their way to a target.
    reg           f_sending = 1'b0;
    reg [2:0]     f_to;

    always @* begin
        f_r_has = r_turn_q == HERE && read_refused_q;
        f_b_has = b_turn_q == HERE && write_refused_q && write_at_q[write_refused_id_q*3 +: 3] == ROUTE_NOWHERE;
        if (b_turn_q == KEPT && early_valid_q[early_turn_q] && writes_q[early_turn_q*2 +: 2] == 2'd1) f_b_has = 1'b1;
        for (k = 0; k < TARGETS; k = k + 1) begin
            if (r_turn_q == k[2:0] && r_count_q[k*2 +: 2] != 2'd0) f_r_has = 1'b1;
            if (b_turn_q == k[2:0] && b_count_q[k*2 +: 2] != 2'd0 &&
                write_at_q[b_head_q[k*8 +: W]*3 +: 3] == k[2:0]) f_b_has = 1'b1;
        end
    end

    always @(posedge clk) begin
        f_was      <= !rst;
        f_refused  <= read_refused_q;
        f_closed   <= open_q && open_at_q == ROUTE_NOWHERE;
        f_asked    <= to_ar_len;
        f_length   <= f_len;
        f_count    <= f_given + {4'd0, f_taken && f_read_at == ROUTE_NOWHERE};
        f_due      <= f_due + {2'd0, f_read} - {2'd0, f_beat && f_last};
        f_left     <= f_out + {2'd0, f_read} - {2'd0, f_taken && r_last};
        f_count_w     <= f_stores + {1'b0, f_write} - {1'b0, f_answer};
        f_first       <= f_answer ? f_then : f_at;
        f_owes_first  <= f_answer ? f_owed && !f_takes_second : f_owes && !f_takes_first;
        f_second      <= f_then;
        f_owes_second <= f_owed && !f_takes_second;
        if (f_write && f_stores == {1'b0, f_answer}) begin
            f_first      <= f_target;
            f_owes_first <= 1'b1;
        end else if (f_write) begin
            f_second      <= f_target;
            f_owes_second <= 1'b1;
        end
        f_r_stood  <= r_valid && !master_r_ready;
        f_b_stood  <= b_valid && !master_b_ready && b_id == f_id;
        f_ar_stood <= to_ar_valid[f_c] && !target_ar_ready[f_c] && to_ar_id == f_rid;
        f_aw_stood <= to_aw_valid[f_c] && !target_aw_ready[f_c] && to_aw_id == f_id;
        f_w_stood  <= to_w_valid[f_c] && !target_w_ready[f_c];
        f_r_was    <= f_r;
        f_b_was    <= {b_id, b_response};
        f_ar_was   <= f_ar;
        f_aw_was   <= f_aw;
        f_w_was    <= to_w_data;
        if (f_goes) begin
            f_sending <= 1'b1;
            f_to      <= f_target;
        end else if (|(to_w_valid & target_w_ready) && to_w_last)
            f_sending <= 1'b0;
        if (rst) begin
            f_refused  <= 1'b0;
            f_closed   <= 1'b0;
            f_due      <= 3'd0;
            f_left     <= 3'd0;
            f_count_w  <= 2'd0;
            f_r_stood  <= 1'b0;
            f_b_stood  <= 1'b0;
            f_ar_stood <= 1'b0;
            f_aw_stood <= 1'b0;
            f_w_stood  <= 1'b0;
            f_sending  <= 1'b0;
        end

        if (f_was) begin
            assert (!f_stray);                                                                          // 1 order
            assert (f_out <= 3'd3 && f_stores <= 2'd2);                                                 // 2 bound
            if (b_valid && b_id == f_id) assert (f_stores != 2'd0 && !f_owes);                          // 1 order
            if (b_valid && b_id == f_id && f_at == ROUTE_NOWHERE) assert (b_response == ROUTE_SLVERR);  // 1 order
            for (k = 0; k < TARGETS; k = k + 1)
                assert (r_count_q[k*2 +: 2] != 2'd3 && b_count_q[k*2 +: 2] != 2'd3);                    // 2 bound
            if (f_r_stood) assert (r_valid && f_r == f_r_was);                                          // 3 held
            if (f_b_stood) assert (b_valid && {b_id, b_response} == f_b_was);                           // 3 held
            if (f_ar_stood) assert (to_ar_valid[f_c] && to_ar_id == f_rid && f_ar == f_ar_was);         // 3 held
            if (f_aw_stood) assert (to_aw_valid[f_c] && to_aw_id == f_id && f_aw == f_aw_was);          // 3 held
            if (f_w_stood) assert (to_w_valid[f_c] && to_w_data == f_w_was);                            // 3 held
            if (r_valid && r_id == f_rid && f_read_at == ROUTE_NOWHERE)
                assert (r_response == ROUTE_SLVERR && r_last == (f_given == {1'b0, f_len}));            // 4 refused
            assert ({1'b0, f_reads} == f_out);                                                          // 5 exact
            assert (f_writes == f_stores);                                                              // 5 exact
            if (to_w_valid[f_c]) assert (f_sending && f_to == {1'b0, f_c});                             // 6 alone
            // helpers
            assert (r_turn_q <= HERE && b_turn_q <= KEPT);
            assert (!f_wrong && (!f_kept || f_stores != 2'd0));
            if (f_kept) assert (!(f_stores == 2'd1 ? f_owes : f_owed));
            if (f_stores == 2'd2 && f_at == f_then && f_owes) assert (f_owed);
            if (f_stores != 2'd0) assert (write_at_q[f_id*3 +: 3] == f_at);
            if (f_stores == 2'd2) assert (write_then_q[f_id*3 +: 3] == f_then);
            if (f_kept && early_q[f_id*2 +: 2] != ROUTE_SLVERR)
                assert ((f_stores == 2'd1 ? f_at : f_then) != ROUTE_NOWHERE);
            assert ({2'd0, f_reads} == {1'b0, f_due} + f_lasts + {3'd0, read_refused_q && read_refused_id_q == f_rid});
            if (f_open) assert (f_due != 3'd0);
            if (read_refused_q && read_refused_id_q == f_rid)
                assert (f_reads == 2'd1 && f_read_at == ROUTE_NOWHERE);
            if (f_reads != 2'd0 && f_read_at == ROUTE_NOWHERE)
                assert (read_refused_q && read_refused_id_q == f_rid);
            if (read_refused_q && read_refused_id_q == f_rid)
                assert ({2'd0, read_refused_left_q} + {1'b0, f_given} == {2'd0, f_len});
            if (f_r_stood) assert (f_r_has);
            if (f_b_stood) assert (f_b_has);
            assert (f_sending == (open_q && open_at_q != ROUTE_NOWHERE) && (!f_sending || f_to == open_at_q));
            assert (!(open_q && open_at_q == ROUTE_NOWHERE && write_refused_q));
            cover (f_out == 3'd3);
            cover (r_valid && r_id == f_rid && f_read_at == ROUTE_NOWHERE && !r_last);
            cover (f_aw_stood);
            cover (f_kept && b_valid && b_id == f_id && f_stores == 2'd1);
            cover (aside_valid_q[f_rid] && to_ar_valid[f_c] && to_ar_id == f_rid);
        end
    end
