// SPDX-License-Identifier: Apache-2.0
//
// Properties of totem_frames, included at the end of the module. The numbers are those of docs/contract/frames.md.

    // A register f_x is picked at will; its bank is f_bank, its row f_row. f_word holds the RAM's word of it in every
    // frame, f_value what it is to be in every set: both follow the ports. An operation that left in the clock before
    // shows at the outputs.
    initial assume (rst);
    (* anyconst *) wire [REGISTER_BITS-1:0] f_x;
    reg [(SETS+2)*32-1:0]       f_word;
    reg [SETS*32-1:0]           f_value;
    reg [$clog2(SETS)-1:0]      f_set;              // the current set
    reg                         f_seen;             // f_x was read in the clock before: frame and word
    reg [FRAME_BITS-1:0]        f_seen_frame;
    reg [31:0]                  f_seen_word;
    reg [4*2-1:0]               f_kind;             // operations as they were given, in a ring
    reg [4*16-1:0]              f_index;
    reg [4*32-1:0]              f_data, f_mask;
    reg [1:0]                   f_head, f_tail;
    reg                         f_table;            // a word for the table is under way
    reg [REGISTER_BITS-1:0]     f_table_index;
    reg [31:0]                  f_table_data;
    reg                         f_known = 1'b0;     // the last clock was without rst; the others are of that clock
    reg                         f_used, f_idle, f_filter, f_roll, f_moved, f_copying;
    reg [31:0]                  f_written, f_filtered, f_exposed;
    reg                         f_exposes;          // something waited for a copy
    reg                         f_ran, f_must;      // operation 0 had no cause to wait; in two clocks
    reg                         f_second, f_flows;  // operation 1 had none
    reg                         f_turn;             // the table had no cause to wait
    reg                         f_ahead;            // copy-ahead had none
    reg [COUNT_BITS-1:0]        f_free_q;           // clocks of the copy in which bank f_bank was free
    reg [1:0]                   f_over;             // clocks since the last row was read
    integer                     f_i, f_j;

    wire [BANK_BITS-1:0]  f_bank  = f_x[BANK_BITS-1:0];
    wire [ROW_BITS-1:0]   f_row   = f_x[REGISTER_BITS-1:BANK_BITS];
    wire                  f_rolls = (context_roll_want || roll_want) && context_roll_free && roll_room;
    wire [FRAME_BITS-1:0] f_frame = frame[f_set*FRAME_BITS +: FRAME_BITS];
    wire [31:0]           f_load  = f_word[(SETS+1)*32 +: 32];

    // What left.
    wire                  f_filters = filtered != f_filtered;
    wire [2:0]            f_leaves  = {2'd0, read_valid} + {2'd0, refused} + {2'd0, cleared} + {2'd0, changed} +
                                      {2'd0, f_filters};
    wire [1:0]            f_o_kind  = f_kind[f_head*2 +: 2];
    wire [15:0]           f_o_index = f_index[f_head*16 +: 16];
    wire [31:0]           f_o_data  = f_data[f_head*32 +: 32];
    wire [31:0]           f_o_mask  = f_mask[f_head*32 +: 32];
    wire                  f_o_bad   = f_o_kind == OP_REFUSED ||
                                      (f_o_kind != OP_CLEAR && {16'd0, f_o_index} >= REGISTERS);
    wire                  f_o_mine  = f_o_index == {{(16-REGISTER_BITS){1'b0}}, f_x};
    wire [31:0]           f_before  = f_value[f_set*32 +: 32];
    wire [31:0]           f_after   = f_before ^ ((f_before ^ f_o_data) & f_o_mask);

    // Operations 0 and 1, from the ring.
    wire [1:0]            f_zero   = f_head + f_leaves[1:0];
    wire [1:0]            f_one    = f_zero + 2'd1;
    wire [1:0]            f_held   = f_tail - f_zero;
    wire [1:0]            f_kind0  = f_kind[f_zero*2 +: 2];
    wire [1:0]            f_kind1  = f_kind[f_one*2 +: 2];
    wire [15:0]           f_index0 = f_index[f_zero*16 +: 16];
    wire [15:0]           f_index1 = f_index[f_one*16 +: 16];
    wire                  f_bad0   = f_kind0 == OP_REFUSED || (f_kind0 != OP_CLEAR && {16'd0, f_index0} >= REGISTERS);
    wire                  f_bad1   = f_kind1 == OP_REFUSED || (f_kind1 != OP_CLEAR && {16'd0, f_index1} >= REGISTERS);
    wire                  f_move0  = f_held != 2'd0 && !f_bad0 && f_kind0 != OP_CLEAR;
    wire                  f_move1  = f_held > 2'd1 && !f_bad1 && f_kind1 != OP_CLEAR;
    wire                  f_clear0 = f_held != 2'd0 && f_kind0 == OP_CLEAR;
    wire [BANK_BITS-1:0]  f_bank0  = f_index0[BANK_BITS-1:0];
    wire [BANK_BITS-1:0]  f_bank1  = f_index1[BANK_BITS-1:0];
    wire [BANK_BITS-1:0]  f_bank2  = put_index_q[BANK_BITS-1:0];
    wire [COUNT_BITS-1:0] f_row0   = {1'b0, f_index0[REGISTER_BITS-1:BANK_BITS]};
    wire [COUNT_BITS-1:0] f_row1   = {1'b0, f_index1[REGISTER_BITS-1:BANK_BITS]};
    wire [COUNT_BITS-1:0] f_row2   = {1'b0, put_index_q[REGISTER_BITS-1:BANK_BITS]};

    // Rows on which operations may not work: those that a copy into the current set, or out of it into another one, has
    // not done.
    wire                  f_away   = copying && copy_target != spare_q;
    wire                  f_part   = f_away && (copy_target == f_frame || copy_source_q == f_frame);
    wire                  f_there0 = !f_part || copy_done_q[f_bank0*COUNT_BITS +: COUNT_BITS] > f_row0;
    wire                  f_there1 = !f_part || copy_done_q[f_bank1*COUNT_BITS +: COUNT_BITS] > f_row1;
    wire                  f_there2 = !f_part || copy_done_q[f_bank2*COUNT_BITS +: COUNT_BITS] > f_row2;
    wire                  f_lacks0 = f_move0 && !look_q && !roll_want && !f_there0;
    wire                  f_lacks1 = f_move1 && look_q && !roll_want && !f_there1;
    wire                  f_stays  = f_clear0 && !roll_want && !table_look_q && !context_used && f_away &&
                                     copy_target != f_frame;
    wire                  f_cause  = roll_want || f_lacks0 || f_stays || (f_clear0 && table_look_q);
    wire                  f_pass0  = f_move0 && !look_q && !roll_want && f_there0;
    wire                  f_pass1  = f_move1 && look_q && !roll_want && f_there1;
    wire                  f_host   = table_held_q && !table_look_q && !f_pass0 && !f_pass1 && !f_clear0 &&
                                     !(copying && copy_source_q == SETS + 1);
    wire                  f_taken  = (f_pass0 && f_bank0 == f_bank) || (f_pass1 && f_bank1 == f_bank) ||
                                     (f_host && table_index_q[BANK_BITS-1:0] == f_bank);

    // The copy at the row of f_x.
    wire [COUNT_BITS-1:0] f_read   = copy_read_q[f_bank*COUNT_BITS +: COUNT_BITS];
    wire [COUNT_BITS-1:0] f_done   = copy_done_q[f_bank*COUNT_BITS +: COUNT_BITS];
    wire                  f_copied = {1'b0, f_row} < f_done;
    wire [31:0]           f_source = f_word[copy_source_q*32 +: 32];
    wire                  f_begins = copying && (!f_copying || cleared);
    wire [COUNT_BITS-1:0] f_free   = f_begins ? {COUNT_BITS{1'b0}} : f_free_q;
    reg                   f_all;
    wire                  f_looks  = look_q && op_index_q[REGISTER_BITS-1:0] == f_x;
    wire                  f_past   = past_q && past_frame_q == now_q && past_index_q == f_x;

    // Ports of the bank of f_x.
    wire [ADDR_BITS-1:0]  f_write_addr  = ram_write_addr[f_bank*ADDR_BITS +: ADDR_BITS];
    wire [ADDR_BITS-1:0]  f_read_addr   = ram_read_addr[f_bank*ADDR_BITS +: ADDR_BITS];
    wire [FRAME_BITS-1:0] f_write_frame = f_write_addr[ADDR_BITS-1:ROW_BITS];
    wire [FRAME_BITS-1:0] f_read_frame  = f_read_addr[ADDR_BITS-1:ROW_BITS];
    wire                  f_writes      = ram_write_enable[f_bank] && f_write_addr[ROW_BITS-1:0] == f_row;
    wire                  f_reads       = ram_read_enable[f_bank] && f_read_addr[ROW_BITS-1:0] == f_row;

    reg [(SETS+2)*32-1:0] f_word_d;
    reg [SETS*32-1:0]     f_value_d;

    always @* begin
        if (context_roll_want || context_hit_valid) assume (idle && !op_valid);                     // A1 idle
        assume (!(context_roll_want && context_hit_valid));                                         // A1 idle
        if (context_roll_free) assume (context_roll_set != f_set);                                  // A2 other
        if (f_known && (f_roll || (!f_used && !f_idle && !f_moved))) assume (!context_used);        // A3 used
        if (f_seen) assume (ram_read_data[f_bank*32 +: 32] == f_seen_word);                         // A4 ram

        f_word_d = f_word;
        for (f_i = 0; f_i < SETS + 2; f_i = f_i + 1)
            if (f_writes && f_write_frame == f_i)
                f_word_d[f_i*32 +: 32] = ram_write_data[f_bank*32 +: 32];

        // The current set's value with what left, then of the set that a roll takes.
        f_value_d = f_value;
        for (f_i = 0; f_i < SETS; f_i = f_i + 1) begin
            if (f_set == f_i || (f_rolls && context_roll_set == f_i))
                f_value_d[f_i*32 +: 32] = cleared ? f_load : (changed && f_o_mine) ? f_after : f_before;
            if (rst)
                f_value_d[f_i*32 +: 32] = f_word_d[f_i*32 +: 32];
        end

        f_all = 1'b1;
        for (f_i = 0; f_i < BANKS; f_i = f_i + 1)
            if (copy_read_q[f_i*COUNT_BITS +: COUNT_BITS] != ROWS) f_all = 1'b0;
    end

    always @(posedge clk) begin
        f_word       <= f_word_d;
        f_value      <= f_value_d;
        f_set        <= f_rolls ? context_roll_set : context_hit_valid ? context_hit_set : f_set;
        f_seen       <= f_reads;
        f_seen_frame <= f_read_frame;
        f_seen_word  <= f_word[f_read_frame*32 +: 32];
        for (f_i = 0; f_i < 4; f_i = f_i + 1)
            if (op_valid && op_ready && f_tail == f_i) begin
                f_kind[f_i*2 +: 2]    <= op_kind;
                f_index[f_i*16 +: 16] <= op_index;
                f_data[f_i*32 +: 32]  <= op_data;
                f_mask[f_i*32 +: 32]  <= op_mask;
            end
        f_tail  <= f_tail + {1'b0, op_valid && op_ready};
        f_head  <= f_zero;
        f_table <= (table_valid && table_ready) || (f_table && !put_table_q);
        if (table_valid && table_ready) begin
            f_table_index <= table_index;
            f_table_data  <= table_data;
        end
        f_known    <= !rst;
        f_used     <= context_used;
        f_idle     <= idle;
        f_filter   <= filter_enable;
        f_roll     <= f_rolls;
        f_moved    <= f_rolls || context_hit_valid;
        f_copying  <= copying;
        f_written  <= written;
        f_filtered <= filtered;
        f_exposed  <= exposed_clocks;
        f_exposes  <= f_lacks0 || f_lacks1 || f_stays ||
                      ((roll_want || context_roll_want) && context_roll_free && f_away);
        f_ran      <= f_held != 2'd0 && !f_cause;
        f_must     <= f_held != 2'd0 && !f_cause && (!f_move0 || (f_ran && f_leaves == 3'd0));
        f_second   <= f_move0 && f_move1 && f_there1;
        f_flows    <= f_second && f_leaves != 3'd0;
        f_turn     <= f_host;
        f_ahead    <= (context_used || context_has_tag) && !copying && !fresh_q && !put_q && !f_rolls &&
                      !context_hit_valid;
        f_free_q   <= f_free + {{ROW_BITS{1'b0}}, copying && !f_taken && f_free != ROWS};
        f_over     <= (copying && f_all) ? f_over + 2'd1 : 2'd0;
        if (rst) begin
            f_set      <= 0;
            f_seen     <= 1'b0;
            f_head     <= 2'd0;
            f_tail     <= 2'd0;
            f_table    <= 1'b0;
            f_copying  <= 1'b0;
            f_filtered <= 32'd0;
            f_ran      <= 1'b0;
            f_must     <= 1'b0;
            f_second   <= 1'b0;
            f_flows    <= 1'b0;
            f_turn     <= 1'b0;
            f_ahead    <= 1'b0;
            f_over     <= 2'd0;
        end
    end

    always @*
        if (f_known && !rst) begin
            for (f_i = 0; f_i < SETS; f_i = f_i + 1) begin
                assert (frame[f_i*FRAME_BITS +: FRAME_BITS] <= SETS);                               // 1 frames
                assert (frame[f_i*FRAME_BITS +: FRAME_BITS] != spare_q);                            // 1 frames
                for (f_j = 0; f_j < f_i; f_j = f_j + 1)
                    assert (frame[f_i*FRAME_BITS +: FRAME_BITS] != frame[f_j*FRAME_BITS +: FRAME_BITS]);  // 1 frames
            end
            assert (spare_q <= SETS && now_q == f_frame);                                           // 1 frames
            if (copying) begin
                assert (copy_target <= SETS && copy_source_q <= SETS + 1);                          // 1 frames
                assert (copy_source_q != copy_target && copy_source_q != spare_q);                  // 1 frames
                assert (fresh_q == (copy_target == spare_q));                                       // 1 frames
                if (fresh_q) assert (copy_source_q == now_q);                                       // 1 frames
            end

            for (f_i = 0; f_i < SETS; f_i = f_i + 1)
                if (!(cleared && f_set == f_i))
                    assert (f_value[f_i*32 +: 32] ==
                            ((copying && copy_target == frame[f_i*FRAME_BITS +: FRAME_BITS] && !f_copied)
                             ? f_source : f_word[frame[f_i*FRAME_BITS +: FRAME_BITS]*32 +: 32]));   // 2 registers
            if (cleared)
                assert (copying && copy_target == f_frame && copy_source_q == SETS + 1 && !f_copied);  // 2 registers
            assert (f_leaves <= 3'd1);                                                              // 3 operations
            if (f_leaves != 3'd0) assert (f_tail != f_head);                                        // 3 operations
            assert (op_count_q == f_held && !(op_count_q == 2'd3 && f_leaves != 3'd0));             // 3 operations
            assert (idle == (f_held == 2'd0 && !changed));                                          // 3 operations
            if (read_valid) begin
                assert (f_o_kind == OP_READ && !f_o_bad);                                           // 3 operations
                if (f_o_mine) assert (read_data == f_before);                                       // 3 operations
            end
            if (refused) assert (f_o_bad);                                                          // 3 operations
            if (cleared) assert (f_o_kind == OP_CLEAR && (f_roll || !f_used));                      // 3 operations
            if (changed) begin
                assert (f_o_kind == OP_WRITE && !f_o_bad &&
                        f_o_index == {{(16-REGISTER_BITS){1'b0}}, put_index_q});                    // 3 operations
                assert (put_frame_q == f_frame && !f_used && !context_used);                        // 3 operations
                if (f_o_mine) assert (put_data_q == f_after && !(f_filter && f_after == f_before)); // 3 operations
            end
            if (f_filters) begin
                assert (f_o_kind == OP_WRITE && !f_o_bad && f_filter);                              // 3 operations
                if (f_o_mine) assert (f_after == f_before);                                         // 3 operations
            end
            if (roll_want) assert (f_held != 2'd0 && !f_bad0 && f_kind0 != OP_READ);                // 3 operations
            if (f_must) assert (f_leaves != 3'd0 || roll_want);                                     // 4 progress
            if (f_flows) assert (f_leaves != 3'd0 || roll_want);                                    // 4 progress
            assert (f_table == (table_held_q || put_table_q));                                      // 5 table
            if (put_table_q) begin
                assert (put_q && put_frame_q == SETS + 1);                                          // 5 table
                assert (put_index_q == f_table_index && put_data_q == f_table_data);                // 5 table
            end
            if (f_turn) assert (table_look_q);                                                      // 5 table

            for (f_i = 0; f_i < BANKS; f_i = f_i + 1)
                if (copying) begin
                    assert (copy_read_q[f_i*COUNT_BITS +: COUNT_BITS] <= ROWS);                     // 6 copy
                    assert (copy_read_q[f_i*COUNT_BITS +: COUNT_BITS] == copy_done_q[f_i*COUNT_BITS +: COUNT_BITS] +
                            {{ROW_BITS{1'b0}}, copy_look_q[f_i]} + {{ROW_BITS{1'b0}}, copy_put_q[f_i]});  // 6 copy
                end else
                    assert (!copy_look_q[f_i] && !copy_put_q[f_i]);                                 // 6 copy
            if (copying) assert (f_read == f_free);                                                 // 6 copy
            if (f_ahead && !changed && !cleared)
                assert (f_begins && copy_source_q == f_frame && copy_target == spare_q);            // 6 copy
            if (copying && f_all) assert (f_over <= 2'd2);                                          // 6 copy
            if (copying && f_all && f_over == 2'd2) assert (copy_look_q == 0 && copy_put_q == 0);   // 6 copy
            if (copying && f_all && f_over == 2'd1) assert (copy_look_q == 0);                      // 6 copy

            for (f_i = 0; f_i < BANKS; f_i = f_i + 1) begin
                assert (!(put_q && put_index_q[BANK_BITS-1:0] == f_i && copy_put_q[f_i]));          // 7 banks
                assert (!(ram_write_enable[f_i] && ram_read_enable[f_i] &&
                          ram_write_addr[f_i*ADDR_BITS +: ADDR_BITS] ==
                          ram_read_addr[f_i*ADDR_BITS +: ADDR_BITS]));                              // 7 banks
            end

            if (f_writes) begin
                assert (f_write_frame <= SETS + 1);                                                 // 8 writers
                if (f_write_frame == SETS + 1) assert (put_table_q);                                // 8 writers
                else if (f_write_frame != spare_q)
                    assert ((changed && f_o_mine && f_write_frame == f_frame) ||
                            (copying && copy_target == f_write_frame && !f_copied));                // 8 writers
            end
            assert (written == f_written + {31'd0, changed});                                       // 9 statistics
            assert (exposed_clocks == f_exposed + {31'd0, f_exposes});                              // 9 statistics

            // helpers
            // The stages.
            for (f_i = 0; f_i < 3; f_i = f_i + 1)
                if (op_count_q > f_i) begin
                    f_j = (f_zero + f_i) % 4;
                    assert (op_kind_q[f_i*2 +: 2] == f_kind[f_j*2 +: 2] || op_kind_q[f_i*2 +: 2] == OP_REFUSED);
                    assert ((op_kind_q[f_i*2 +: 2] == OP_REFUSED) ==
                            (f_kind[f_j*2 +: 2] == OP_REFUSED ||
                             (f_kind[f_j*2 +: 2] != OP_CLEAR && {16'd0, f_index[f_j*16 +: 16]} >= REGISTERS)));
                    assert (op_index_q[f_i*REGISTER_BITS +: REGISTER_BITS] == f_index[f_j*16 +: REGISTER_BITS]);
                    assert (op_data_q[f_i*32 +: 32] == f_data[f_j*32 +: 32]);
                    assert (op_mask_q[f_i*32 +: 32] == f_mask[f_j*32 +: 32]);
                end
            if (look_q) assert (f_move0 && !roll_want && !table_look_q && f_there0);
            if (table_look_q) assert (table_held_q);
            if (table_held_q) assert (table_index_q == f_table_index && table_data_q == f_table_data);
            if (table_look_q || put_table_q) assert (!(copying && copy_source_q == SETS + 1));
            if (changed) assert (!fresh_q && f_there2);
            for (f_i = 0; f_i < BANKS; f_i = f_i + 1)
                if (copy_look_q[f_i])
                    assert (!(look_q && f_bank0 == f_i) && !(table_look_q && table_index_q[BANK_BITS-1:0] == f_i));
            // The word of f_x on its way.
            if (past_q && past_index_q == f_x)
                assert (past_frame_q <= SETS + 1 && past_data_q == f_word[past_frame_q*32 +: 32]);
            if (f_looks && !f_past)
                assert (f_seen && f_seen_frame == now_q && f_seen_word == f_word[now_q*32 +: 32]);
            if (copy_look_q[f_bank] && f_read == {1'b0, f_row} + 1)
                assert (f_seen && f_seen_frame == copy_source_q && f_seen_word == f_source);
            if (copy_put_q[f_bank] && f_done == {1'b0, f_row}) assert (copy_data_q[f_bank*32 +: 32] == f_source);
            if (fresh_q && (!copying || f_copied)) assert (f_word[spare_q*32 +: 32] == f_word[now_q*32 +: 32]);

            cover (f_rolls && copying && roll_want);
            cover (f_rolls && copying && context_roll_want);
            cover (f_lacks0 && copy_target == f_frame);
            cover (f_lacks0 && copy_target != f_frame);
            cover (f_copying && !copying && f_moved && !f_roll && !f_all);      // a hit stops a copy
            cover (cleared && f_copying && !f_roll);                            // CLEAR in place during a copy
            cover (changed && f_looks && f_o_mine);                             // forwarding
            cover (f_past && !put_q && f_looks);
            cover (fresh_q && !copying && f_rolls);
            cover (read_valid && f_o_mine && f_before != f_load && f_before != 32'd0);
        end
