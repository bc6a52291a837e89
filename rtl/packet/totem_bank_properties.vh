// SPDX-License-Identifier: Apache-2.0
//
// Properties of totem_bank, included at the end of the module. The numbers are those of docs/contract/bank.md.

    initial assume (rst);
    (* anyconst *) wire [QBITS-1:0] f_queue;    // any queue: the claims hold for all of them
    reg [2:0] f_words = 3'd0;               // words of the save under way
    reg       f_gone = 1'b0;                // the queue left and was mapped anew; its next go is to come
    reg [2:0] f_wrote = 3'd0;               // packet_write 1, 2, 3 clocks ago
    reg [2:0] f_saved = 3'd0;               // packet_save likewise
    reg [4:0] f_since = 5'd0;               // clocks since go
    reg [QBITS+1:0] f_waits = {QBITS+2{1'b0}};      // products of others since something of f_queue is due
    wire      f_mapped  = load_valid && (load_kind == LOAD_ACTIVE || load_kind == LOAD_MOVED) &&
                          load_data[0] && load_queue == queue_q;
    wire [3:0] f_stage  = stage_q[f_queue*4 +: 4];
    wire [3:0] f_own    = stage_q[queue_q*4 +: 4];
    wire [3:0] f_turn   = stage_q[derive_queue_q*4 +: 4];
    wire       f_loads  = load_valid && load_data[0] && load_queue == f_queue &&
                          (load_kind == LOAD_ACTIVE || load_kind == LOAD_MOVED);
    reg        f_begun = 1'b0;              // NUM_THREAD of f_queue was written
    reg        f_above = 1'b0;              // a partial field was above the full one
    reg        f_lost  = 1'b0;              // what a product asked for was not read
    reg        f_grid  = 1'b0;              // f_queue has an unfinished grid
    reg [3:0]  f_step  = DERIVE_IDLE;              // of the product, in the clock before
    reg [12:0] f_field = 13'd0;             // what it took
    // Of dimension x, y, z the partial field counts if bit 0, 1, 2 of the combination is set; 8191 means that or more.
    wire [3:0]  f_combo = f_turn - STAGE_FULL;
    wire        f_part  = f_combo[derive_step_q == DERIVE_READ_Y ? 2'd0 : derive_step_q == DERIVE_READ_Z ? 2'd1 : 2'd2];
    wire [15:0] f_half  = f_part ? ram_read_data[31:16] : ram_read_data[15:0];
    wire [9:0]  f_mask  = derive_step_q == DERIVE_TAKE_WORD ? `TOTEM_SH_COMPUTE_STATIC_THREAD_MGMT_SE0 :
                          derive_step_q == DERIVE_TAKE_SE0  ? `TOTEM_SH_COMPUTE_STATIC_THREAD_MGMT_SE1 :
                          derive_step_q == DERIVE_TAKE_SE1  ? `TOTEM_SH_COMPUTE_STATIC_THREAD_MGMT_SE2 :
                                                              `TOTEM_SH_COMPUTE_STATIC_THREAD_MGMT_SE3;
    wire [5:0]  f_users = {1'b0, user_q} + 6'd1;
    wire [QBITS-1:0] f_ahead = f_queue - derive_turn_q - 1'b1;     // turns before its own

    reg              f_stray;                   // a stage that does not occur, or of a queue being cleared
    integer          f_place;
    always @* begin
        f_stray = 1'b0;
        for (f_place = 0; f_place < QUEUES; f_place = f_place + 1)
            f_stray = f_stray || stage_q[f_place*4 +: 4] > STAGE_LAST ||
                      (stage_q[f_place*4 +: 4] != STAGE_NONE &&
                       (clear_pending_q[f_place] || (clear_active_q && clear_queue_q == f_place[QBITS-1:0])));
    end

    always @(posedge clk) begin
        if (!rst) begin
            if (packet_write || packet_start || packet_save || packet_forget) assume (loaded_q);     // A1 packet
            assume (!(packet_save && packet_forget));                                                // A1 packet
            if (packet_start || packet_save) assume (!busy && !packet_write);                        // A1 packet
            if (packet_save) assume (f_wrote == 3'd0);                                               // A1 packet
            assume (!(arbiter_go && (packet_write || packet_start || packet_save)));                 // A3 arbiter
            if (arbiter_go) assume (f_wrote == 3'd0 && f_saved == 3'd0 && prepared[arbiter_selected]);  // A3 arbiter
            if (f_mapped) assume (!loading_q && !saving_q && !packet_write && !divide_read && !asked_q);  // A4 hqd
            if (load_valid && (load_kind == LOAD_ACTIVE || load_kind == LOAD_MOVED) && load_data[0] &&
                (arbiter_go || go_pending_q))
                assume (load_queue != (arbiter_go ? arbiter_selected : next_queue_q));               // A4 hqd
            if (load_valid && load_data[0] &&
                (load_kind == LOAD_MOVED || (load_kind == LOAD_ACTIVE && load_data[1])))
                assume (!clear_pending_q[load_queue] && !(clear_active_q && clear_queue_q == load_queue));  // A5 mqd
            if (f_gone) assume (!packet_write && !packet_start && !packet_save && !divide_read);     // A4 hqd
            if (divide_read)
                assume (loaded_q && !busy && !packet_write && !arbiter_go && divide_read_place <= 2'd2);  // A2 divide
            if (access_valid_q && access_write_q && (loading_q || asked_q)) assume (access_queue_q != queue_q); // A5 mqd
        end
        f_gone <= (f_gone || f_mapped) && !arbiter_go && !loading_d;
        if (packet_save)
            f_words <= 3'd0;
        else if (saving_q && !write_valid_q)
            f_words <= f_words + 3'd1;
        f_wrote <= {f_wrote[1:0], packet_write};
        f_saved <= {f_saved[1:0], packet_save};
        f_since <= arbiter_go ? 5'd1 : f_since + {4'd0, go_pending_q || loading_q};
        if (f_stage == STAGE_NONE || (derive_step_q == DERIVE_IDLE && derive_queue_d == f_queue))
            f_waits <= {QBITS+2{1'b0}};
        else if (derive_step_q == DERIVE_IDLE)
            f_waits <= f_waits + 1'b1;
        f_begun <= packet_write && {3'b100, packet_offset} >= `TOTEM_SH_COMPUTE_NUM_THREAD_X &&
                   {3'b100, packet_offset} <= `TOTEM_SH_COMPUTE_NUM_THREAD_Z &&
                   queue_q == f_queue && !f_loads && !(access_valid_q && access_write_q && access_queue_q == f_queue);
        if (derive_step_q == DERIVE_READ_Y || derive_step_q == DERIVE_READ_Z || derive_step_q == DERIVE_TAKE_Z)
            f_above <= ram_read_data[31:16] > ram_read_data[15:0] || (f_above && derive_step_q != DERIVE_READ_Y);
        f_step  <= derive_step_q;
        f_field <= (f_half > 16'd8191) ? 13'd8191 : f_half[12:0];
        f_lost  <= (loading_q || asked_q) && derive_step_q >= DERIVE_READ_X && derive_step_q < DERIVE_TAKE_SE3 &&
                   !(derive_step_q > DERIVE_READ_Z && derive_step_q < DERIVE_READ_WORDS);
        if (f_loads)
            f_grid <= load_data[2] && (load_kind == LOAD_MOVED ? f_grid : load_data[1]);
        else if (queue_q == f_queue && (packet_save || packet_start || packet_forget))
            f_grid <= packet_save;
        if (rst) begin
            f_begun <= 1'b0;
            f_lost  <= 1'b0;
            f_grid  <= 1'b0;
            f_step  <= DERIVE_IDLE;
            f_gone  <= 1'b0;
            f_words <= 3'd0;
            f_wrote <= 3'd0;
            f_saved <= 3'd0;
            f_waits <= {QBITS+2{1'b0}};
        end

        assert (above_q == f_above);                                                         // 8 fields
        if (!rst) begin
            if (ram_write_enable && ram_read_enable) assert (ram_write_addr != ram_read_addr);  // 1 meets
            assert (!(loading_q && saving_q));                                               // 2 exclusive
            assert (!(loaded_q && (loading_q || go_pending_q)));                             // 2 exclusive
            assert (!(loaded_q && saving_q));                                                // 2 exclusive
            assert (!(loading_q && go_pending_q));                                           // 2 exclusive
            if (loading_q) assert (prepared[queue_q]);                                       // 2 exclusive
            if (saving_q) assert (step_q <= 5'd6 && {2'b00, f_words} == step_q);             // 3 save
            assert (!f_stray && derive_step_q <= DERIVE_TAKE_SE3);                           // 4 products
            if (derive_step_q != DERIVE_IDLE) assert (f_turn != STAGE_NONE);                 // 4 products
            if (derive_step_q >= DERIVE_READ_WORDS) assert (f_turn == STAGE_WORDS);          // 4 products
            if (derive_step_q >= DERIVE_READ_X && derive_step_q <= DERIVE_TIMES_Z)
                assert (f_turn != STAGE_WORDS);  // 4 products
            if (loading_q || go_pending_q) assert (f_since <= 5'd21);                        // 5 bound
            assert (f_waits + {1'b0, f_ahead, !derive_own_q} <= 2 * QUEUES - 1);             // 6 turns
            assert (prepared[f_queue] == (f_stage == STAGE_NONE && !clear_pending_q[f_queue] &&
                                          !(clear_active_q && clear_queue_q == f_queue)));   // 8 fields
            if (f_begun)
                assert (f_stage == STAGE_FULL && (derive_step_q == DERIVE_IDLE
                        || derive_queue_q != f_queue));  // 7 prepared
            if (f_step == DERIVE_READ_Y && derive_step_q == DERIVE_READ_Z) assert (factor_q == f_field);  // 8 fields
            if (f_step == DERIVE_READ_Z && derive_step_q == DERIVE_TAKE_Z) assert (times_y_q == f_field);  // 8 fields
            if (f_step == DERIVE_TAKE_Z && derive_step_q == DERIVE_TIMES_Y) assert (times_z_q == f_field);  // 8 fields
            if (f_lost)
                assert (derive_step_q == DERIVE_IDLE || derive_step_q == (f_step < DERIVE_READ_WORDS
                        ? DERIVE_READ_X : DERIVE_READ_WORDS));  // 8 fields
            if (derive_step_q >= DERIVE_TAKE_WORD && derive_step_q <= DERIVE_TAKE_SE2 && !loading_q && !asked_q)
                assert (ram_read_enable && ram_read_addr == {derive_queue_q, f_mask[6:0]});  // 8 fields
            assert (saved_q[f_queue] == f_grid);                                             // 9 saved
            assert (words == {3'd0, scratch} + (user_q > 5'd16 ? 4'd10 : 4'd2 + f_users[4:1])); // 10 words
            assert (restart_origin ==
                    (initiator[`TOTEM_COMPUTE_DISPATCH_INITIATOR_FORCE_START_AT_000] ? 64'd0 : origin));  // 10 words

            // helpers
            if (loading_q) assert (!write_valid_q && !stale_q && step_q <= 5'd16 && f_since <= step_q + 5'd5);
            if (go_pending_q) assert (!write_valid_q && !stale_q &&
                                      (saving_q ? f_since + 5'd3 <= step_q : f_since <= 5'd4));
            if (go_pending_q) assert (prepared[next_queue_q]);
            if (saving_q) assert (!write_valid_q && !stale_q);
            if (saving_q && f_saved == 3'd0) assert (step_q >= 5'd3);
            if (f_saved[0]) assert (saving_q && step_q == 5'd0);
            if (f_saved[1]) assert (saving_q && step_q == 5'd1);
            if (f_saved[2]) assert (saving_q && step_q == 5'd2);
            if (write_valid_q) assert (f_wrote[0]);
            if (stale_q) assert (f_wrote[0] || f_wrote[1]);
            if (f_wrote != 3'd0) assert (!loading_q && !go_pending_q);
            if (loaded_q && !f_gone) assert (f_own != STAGE_WORDS && !clear_pending_q[queue_q] &&
                                             !(clear_active_q && clear_queue_q == queue_q));
            if (asked_q) assert (!loading_q && !write_valid_q && asked_place_q <= 2'd2 && !f_gone &&
                                 !(clear_active_q && clear_queue_q == queue_q));
            cover (loaded_q && saved_q[queue_q]);
            cover (loading_q && f_since == 5'd21);      // the bound is reached
            cover (loaded_q && derive_step_q == DERIVE_RESULT && ram_write_enable && derive_queue_q != queue_q);
        end
    end
