// SPDX-License-Identifier: Apache-2.0
//
// Properties of totem_retire, included at the end of the module. The numbers are those of docs/contract/retire.md.

    initial assume (rst);
    reg [SLOTS-1:0]           f_used = 0;       // launch may not use the slot: allocated and not freed
    reg [SLOTS-1:0]           f_runs = 0;       // the core has not answered
    reg [SLOTS-1:0]           f_lives = 0;      // counted in live
    reg [SLOTS*SLOT_BITS-1:0] f_names = 0;      // name of the group of the slot's wave
    reg [6:0]                 f_rest = 0;       // waves of the group at the launch port still to come
    reg [SLOTS*64-1:0]        f_table = 0;      // the RAM
    reg [63:0]                f_read = 0;
    (* anyconst *) wire [SLOT_BITS-1:0] f_name;
    reg [6:0]                 f_sum;            // what live must be for f_name
    (* anyconst *) wire [SLOT_BITS-1:0] f_slot; // a wave, picked at will: what it took with it
    reg [6:0]                 f_vgprs;
    reg [1:0]                 f_fe;
    reg [1:0]                 f_pipe;
    reg [QUEUE_BITS-1:0]      f_queue;
    reg [EPOCH_BITS-1:0]      f_epoch;
    reg [1:0]                 f_kind;
    reg [DRAW_BITS-1:0]       f_draw;
    reg                       f_spare;          // a name is free
    reg                       f_mine, f_last, f_ended;  // the wave looked up was the last of its group; one clock later
    reg [8:0]                 f_lds;
    reg [6:0]                 f_each;           // the same for every name, where there are few
    integer                   f_s, f_n;

    wire [SLOT_BITS-1:0] f_group = f_names[look_slot_q*SLOT_BITS +: SLOT_BITS];
    wire f_run_now = f_runs[done_slot] || (alloc_valid && alloc_slot == done_slot);

    always @* begin
        f_spare = 1'b0;
        for (f_s = 0; f_s < SLOTS; f_s = f_s + 1)
            f_spare = f_spare || live_q[f_s*7 +: 7] == 7'd0;
        f_sum  = name_q == f_name ? f_rest : 7'd0;
        for (f_s = 0; f_s < SLOTS; f_s = f_s + 1)
            f_sum = f_sum + {6'd0, f_lives[f_s] && f_names[f_s*SLOT_BITS +: SLOT_BITS] == f_name};
        f_last = name_q != f_group || f_rest == 7'd0;
        for (f_s = 0; f_s < SLOTS; f_s = f_s + 1)
            if (f_lives[f_s] && f_s[SLOT_BITS-1:0] != look_slot_q && f_names[f_s*SLOT_BITS +: SLOT_BITS] == f_group)
                f_last = 1'b0;
    end

    always @(posedge clk) begin
        if (alloc_valid && alloc_first) begin
            if (SLOTS <= 4) assert (rst || f_spare);                                         // 1 fault
            else assume (f_spare);                                                           // A1 name
        end
        f_mine  <= f_group == f_name;
        f_ended <= f_last;
        f_lds   <= f_read[LDS_AT +: 9];
        assume (table_read_data == f_read);                                                  // A2 table
        assume (!alloc_valid || !f_used[alloc_slot]);                                        // A3 slot
        assume (!alloc_valid || alloc_first == (f_rest == 7'd0));                            // A4 first
        assume (!alloc_valid || (alloc_waves != 7'd0 && alloc_waves <= 7'd64));              // A5 waves
        assume (!done_valid || f_run_now);                                                   // A6 done

        if (table_read_enable)
            f_read <= f_table[table_read_addr*64 +: 64];
        if (table_write_enable)
            f_table[table_write_addr*64 +: 64] <= table_write_data;
        if (look_valid_q)
            f_lives[look_slot_q] <= 1'b0;
        if (free_valid)
            f_used[free_slot] <= 1'b0;
        if (alloc_valid) begin
            f_used[alloc_slot]  <= 1'b1;
            f_runs[alloc_slot]  <= 1'b1;
            f_lives[alloc_slot] <= 1'b1;
            f_names[alloc_slot*SLOT_BITS +: SLOT_BITS] <= write_word_d[NAME_AT +: SLOT_BITS];
            f_rest <= (alloc_first ? alloc_waves : f_rest) - 7'd1;
            if (alloc_slot == f_slot) begin
                f_vgprs <= alloc_vgprs;
                f_fe    <= alloc_fe;
                f_pipe  <= alloc_pipe;
                f_queue <= alloc_queue;
                f_epoch <= alloc_epoch;
                f_kind  <= (GRAPHICS != 0) ? alloc_kind : WAVE_COMPUTE;
                f_draw  <= (GRAPHICS != 0) ? alloc_draw : {DRAW_BITS{1'b0}};
            end
        end
        if (done_valid)
            f_runs[done_slot] <= 1'b0;
        if (rst) begin
            f_used  <= {SLOTS{1'b0}};
            f_runs  <= {SLOTS{1'b0}};
            f_lives <= {SLOTS{1'b0}};
            f_rest  <= 7'd0;
        end

        if (GRAPHICS == 0)
            assert (complete_kind_q == WAVE_COMPUTE && complete_draw_q == {DRAW_BITS{1'b0}});  // 3 once
        if (!rst) begin
            if (end_valid_q) assert (occupied_q[end_slot_q]);                                // 1 fault
            if (look_valid_q && f_read[NAME_AT +: SLOT_BITS] == f_name)
                assert (live_q[f_name*7 +: 7] != 7'd0);                                      // 1 fault
            assert (live_q[f_name*7 +: 7] == f_sum);                                        // 2 living
            assert (f_rest <= 7'd63 && f_sum <= 7'd64);                                     // 2 living
            for (f_n = 0; f_n < SLOTS && SLOTS <= 4; f_n = f_n + 1) begin
                f_each = name_q == f_n[SLOT_BITS-1:0] ? f_rest : 7'd0;
                for (f_s = 0; f_s < SLOTS; f_s = f_s + 1)
                    f_each = f_each + {6'd0, f_lives[f_s] && f_names[f_s*SLOT_BITS +: SLOT_BITS] == f_n[SLOT_BITS-1:0]};
                assert (live_q[f_n*7 +: 7] == f_each);                                      // 2 living
            end
            if (free_valid && f_mine) assert (free_lds_q == (f_ended ? f_lds : 9'd0));      // 2 living
            if (free_valid && free_slot_q == f_slot)
                assert (f_used[f_slot] && free_vgprs_q == f_vgprs && complete_fe_q == f_fe &&
                        complete_pipe_q == f_pipe && complete_queue_q == f_queue && complete_epoch_q == f_epoch &&
                        (GRAPHICS == 0 || (complete_kind_q == f_kind && complete_draw_q == f_draw)) &&
                        free_kind == complete_kind_q);                                       // 3 once
            for (f_s = 0; f_s < SLOTS; f_s = f_s + 1) begin
                assert (f_used[f_s] == (f_lives[f_s] || (free_valid_q && free_slot_q == f_s[SLOT_BITS-1:0]))); // 3 once
                assert ({2'd0, f_runs[f_s]} + {2'd0, end_valid_q && end_slot_q == f_s[SLOT_BITS-1:0]} +
                        {2'd0, read_valid_q && read_slot_q == f_s[SLOT_BITS-1:0]} +
                        {2'd0, look_valid_q && look_slot_q == f_s[SLOT_BITS-1:0]} == {2'd0, f_lives[f_s]});  // 3 once

                // helpers
                assert (occupied_q[f_s] == (f_runs[f_s] || (end_valid_q && end_slot_q == f_s[SLOT_BITS-1:0])));
                assert (!(f_lives[f_s] && free_valid_q && free_slot_q == f_s[SLOT_BITS-1:0]));
                if (f_lives[f_s] && write_valid_q && write_slot_q == f_s[SLOT_BITS-1:0])
                    assert (write_word_q[NAME_AT +: SLOT_BITS] == f_names[f_s*SLOT_BITS +: SLOT_BITS]);
                else if (f_lives[f_s])
                    assert (f_table[f_s*64+NAME_AT +: SLOT_BITS] == f_names[f_s*SLOT_BITS +: SLOT_BITS]);
                if (look_valid_q && look_slot_q == f_s[SLOT_BITS-1:0])
                    assert (f_read[NAME_AT +: SLOT_BITS] == f_names[f_s*SLOT_BITS +: SLOT_BITS]);
                if (read_valid_q && read_slot_q == f_s[SLOT_BITS-1:0])
                    assert (!(write_valid_q && write_slot_q == f_s[SLOT_BITS-1:0]));
            end
            if (f_lives[f_slot] && write_valid_q && write_slot_q == f_slot)
                assert (write_word_q[VGPRS_AT +: 7] == f_vgprs && write_word_q[FE_AT +: 2] == f_fe &&
                        write_word_q[PIPE_AT +: 2] == f_pipe && write_word_q[QUEUE_AT +: QUEUE_BITS] == f_queue &&
                        write_word_q[EPOCH_AT +: EPOCH_BITS] == f_epoch && write_word_q[KIND_AT +: 2] == f_kind &&
                        write_word_q[DRAW_AT +: DRAW_BITS] == f_draw);
            else if (f_lives[f_slot])
                assert (f_table[f_slot*64+VGPRS_AT +: 7] == f_vgprs && f_table[f_slot*64+FE_AT +: 2] == f_fe &&
                        f_table[f_slot*64+PIPE_AT +: 2] == f_pipe &&
                        f_table[f_slot*64+QUEUE_AT +: QUEUE_BITS] == f_queue &&
                        f_table[f_slot*64+EPOCH_AT +: EPOCH_BITS] == f_epoch &&
                        f_table[f_slot*64+KIND_AT +: 2] == f_kind &&
                        f_table[f_slot*64+DRAW_AT +: DRAW_BITS] == f_draw);
            if (look_valid_q && look_slot_q == f_slot)
                assert (f_read[VGPRS_AT +: 7] == f_vgprs && f_read[FE_AT +: 2] == f_fe &&
                        f_read[PIPE_AT +: 2] == f_pipe && f_read[QUEUE_AT +: QUEUE_BITS] == f_queue &&
                        f_read[EPOCH_AT +: EPOCH_BITS] == f_epoch && f_read[KIND_AT +: 2] == f_kind &&
                        f_read[DRAW_AT +: DRAW_BITS] == f_draw);
            cover (free_valid && free_lds_q != 9'd0 && alloc_valid);
        end
    end
