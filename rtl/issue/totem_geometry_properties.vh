// SPDX-License-Identifier: Apache-2.0
//
// Properties of totem_geometry, included at the end of the module. The numbers are those of docs/contract/geometry.md.

    // The RAM of programs is modelled at the ports, for a draw state picked at will.
    initial assume (rst);
    (* anyseq *) wire f_pick;
    (* anyconst *) wire [DRAW_BITS-1:0] f_state;
    integer                             f_n;

    // The word for this block.
    reg         f_valid;
    reg [63:0]  f_word;
    reg [15:0]  f_tag;
    always @* begin
        f_valid = 1'b0;
        f_word  = 64'd0;
        f_tag   = 16'd0;
        for (f_n = 0; f_n < LANES; f_n = f_n + 1)
            if (bus_lane_valid[f_n] && bus_lane_tag[f_n*16 + 2 +: 2] == fe_number && bus_lane_tag[f_n*16 + 8] &&
                (bus_lane_tag[f_n*16 + 6] ^ bus_lane_tag[f_n*16 + 7]) &&
                (bus_lane_tag[f_n*16 + 9 +: 2] != DRAW_WAVE || bus_lane_tag[f_n*16 + 4 +: 2] == se_number)) begin
                f_valid = 1'b1;
                f_word  = f_word | bus_lane_word[f_n*64 +: 64];
                f_tag   = f_tag | bus_lane_tag[f_n*16 +: 16];
            end
    end
    wire        f_header = f_valid && f_tag[10:9] == DRAW_HEADER;
    wire        f_words  = f_valid && f_tag[10:9] == DRAW_STATE_WORD;
    wire        f_wave   = f_valid && f_tag[10:9] == DRAW_WAVE;
    wire        f_pixel  = f_valid && f_tag[10:9] == DRAW_PIXEL_HEADER;

    reg [3:0]   f_size  = 4'd0;     // waves that came with room, less those popped
    reg         f_over  = 1'b0;     // one came without
    reg         f_held  = 1'b0;     // a wave picked at will is here
    reg [3:0]   f_ahead;            // waves before it
    reg [64+DRAW_BITS:0] f_kept;    // it, as it came
    reg         f_came  = 1'b0;     // a header of f_state has come
    reg [39:0]  f_program;          // the program of the last one
    reg [1:0]   f_enables;          // and its enables
    reg [39:0]  f_ram, f_read;      // program RAM: word f_state, and what was read last if that was f_state
    reg         f_mine  = 1'b0;     // it was
    reg [4:0]   f_index = 5'd0;     // state words since the last header
    reg         f_write = 1'b0;     // a state word came
    reg         f_half  = 1'b0;     // the last header was a pixel header
    reg         f_which = 1'b0;     // it was when that word came
    reg         f_head  = 1'b0;     // a pixel header came
    reg [DRAW_BITS+68:0] f_written; // its place and itself

    wire        f_out   = pop && head_valid;
    wire        f_in    = f_wave && f_size != 4'd8;

    always @(posedge clk) begin
        f_size <= f_size + {3'd0, f_in} - {3'd0, f_out};
        f_over <= f_over || (f_wave && !f_in);
        if (!f_held) begin
            f_held  <= f_in && f_pick;
            f_ahead <= f_size - {3'd0, f_out};
            f_kept  <= {f_tag[7:6] == CLASS_HP3D, f_tag[12 +: DRAW_BITS], f_word};
        end else if (f_out) begin
            f_held  <= f_ahead != 4'd0;
            f_ahead <= f_ahead - 4'd1;
        end
        if (f_header && f_tag[12 +: DRAW_BITS] == f_state) begin
            f_came    <= 1'b1;
            f_program <= f_word[39:0];
            f_enables <= f_word[41:40];
        end
        if (program_write_enable && program_write_addr == f_state)
            f_ram <= program_write_data;
        if (program_read_enable) begin
            f_mine <= program_read_addr == f_state;
            f_read <= f_ram;
        end
        if (f_valid && !f_wave)
            f_index <= f_words ? f_index + 5'd1 : 5'd0;
        if (f_header || f_pixel)
            f_half <= f_pixel;
        f_write   <= f_words;
        f_which   <= f_half;
        f_head    <= f_pixel;
        f_written <= {f_tag[12 +: DRAW_BITS], f_index, f_word};
        if (rst) begin
            f_size  <= 4'd0;
            f_over  <= 1'b0;
            f_held  <= 1'b0;
            f_came  <= 1'b0;
            f_mine  <= 1'b0;
            f_index <= 5'd0;
            f_write <= 1'b0;
            f_half  <= 1'b0;
            f_head  <= 1'b0;
        end
    end

    wire [2:0] f_place = first_q + f_ahead[2:0];

    always @*
        if (!rst) begin
            assert (count_q == f_size && f_size <= 4'd8 && overrun == f_over);               // 1 room
            assert (idle == (f_size == 4'd0));                                               // 1 room

            if (f_held) begin
                assert (f_ahead < f_size);                                                   // 2 order
                assert ({fifo_hp3d_q[f_place], fifo_state_q[f_place*DRAW_BITS +: DRAW_BITS],
                         fifo_word_q[f_place*64 +: 64]} == f_kept);                          // 2 order
                if (f_ahead == 4'd0) begin
                    assert ({head_hp3d, head_state} == f_kept[64 +: DRAW_BITS+1]);           // 2 order
                    assert ({head_number, head_wave32, head_primitives, head_lds, head_vgprs} ==
                            {f_kept[63:31], f_kept[23:0]});                                  // 2 order
                    assert (head_epoch == f_kept[24 +: EPOCH_BITS] && head_set == f_kept[27 +: SET_BITS]);  // 2 order
                end
            end

            if (f_came)
                assert (((program_write_enable && program_write_addr == f_state) ? program_write_data : f_ram) ==
                        f_program);                                                          // 3 program
            if (held_q)
                assert (f_mine == (held_state_q == f_state));                                // 3 program
            if (held_q && f_mine && f_came)
                assert (f_read == f_ram && f_read == f_program);                             // 3 program
            if (head_valid && head_state == f_state)
                assert (f_mine && (!f_came || (f_read == f_program && head_throttle == f_enables)));  // 3 program
            if (f_came) assert (enables_q[f_state*2 +: 2] == f_enables);                     // 3 program

            if (program_read_enable)
                assert (!program_write_enable);                                              // 4 apart

            assert (state_write_enable == (f_write && !f_which) && pixel_write_enable == (f_write &&
                    f_which));  // 5 words
            assert (index_q == f_index && pixels_q == f_half && header_write_enable == f_head);  // 5 words
            if (f_write)
                assert ({state_write_addr, state_write_data} == f_written &&
                        {pixel_write_addr, pixel_write_data} == f_written);                  // 5 words
            if (f_head)
  
                                     assert ({header_write_addr, header_write_data} == {f_written[69 +: DRAW_BITS], f_written[63:0]});  // 5 words

            cover (f_held && f_ahead == 4'd3);
            cover (!idle && program_write_enable && program_write_addr == head_state);
            cover (overrun);
        end
