// SPDX-License-Identifier: Apache-2.0
//
// Properties of totem_pixel, included at the end of the module. The numbers are those of docs/contract/pixel.md.

    // The last header of a draw state is what the RAM gives a clock behind a read of its word, if no header of it came
    // in the clock of the read or since.
    initial assume (rst);
    wire f_some = count_q != 2'd0 && fifo_threads_q[6:0] != 7'd0;        // the oldest is a wave
    (* anyseq *) wire f_pick;
    (* anyconst *) wire [DRAW_BITS-1:0] f_state;

    wire        f_in    = scan_wave_valid && scan_wave_fe == fe_number && ready;
    wire        f_out   = head_valid && pop;
    wire        f_write = header_valid && header_state == f_state;

    reg [1:0]   f_size = 2'd0;                      // waves that came, less those that left
    reg         f_inside = 1'b0;                    // the picked wave is here
    reg         f_ahead;                            // and another one before it
    reg [DRAW_BITS+7:0] f_wave;                     // {mark, threads, draw state}
    reg         f_left = 1'b0;                      // the picked wave left one clock ago
    reg [15:0]  f_given = 16'd0, f_back = 16'd0;    // marks that came, and were given back
    reg [32:0]  f_granted = 33'd0;
    reg         f_asked = 1'b0;                     // header f_state was read one clock ago, and none of it came then
    reg         f_known = 1'b0;                     // the last header of f_state has been read:
    reg [63:0]  f_header;                           // this
    reg [1:0]   f_wait = 2'd0;                      // clocks for which the oldest, a wave, has not been the head
    reg         f_hp3d = 1'b0;

    // What leaves: a grant, or a mark alone that is the oldest.
    reg         f_leaves;
    always @* begin
        f_leaves = f_out;
        if (f_size != 2'd0 && fifo_threads_q[6:0] == 7'd0) f_leaves = 1'b1;
    end

    always @(posedge clk) begin
        f_size <= f_size + {1'b0, f_in} - {1'b0, f_leaves};
        f_left <= 1'b0;
        if (!f_inside) begin
            f_inside <= f_in && f_pick;
            f_ahead  <= f_size == 2'd1 && !f_leaves;
            f_wave   <= {scan_wave_mark, scan_wave_threads, scan_wave_state};
        end else if (f_leaves) begin
            f_inside <= f_ahead;
            f_ahead  <= 1'b0;
            f_left   <= !f_ahead;
        end
        f_given   <= f_given + {15'd0, f_in && scan_wave_mark};
        f_back    <= f_back + {15'd0, mark_valid};
        f_granted <= f_granted + {32'd0, f_out};
        f_asked   <= header_read_enable && header_read_addr == f_state && !f_write;
        if (f_asked)
            f_header <= header_read_data;
        f_known   <= (f_known || f_asked) && !f_write;
        f_wait <= head_valid || header_valid || f_leaves || f_size == 2'd0 ? 2'd0 : f_wait + 2'd1;
        f_hp3d <= scan_hp3d;
        if (rst) begin
            f_size    <= 2'd0;
            f_inside  <= 1'b0;
            f_left    <= 1'b0;
            f_given   <= 16'd0;
            f_back    <= 16'd0;
            f_granted <= 33'd0;
            f_asked   <= 1'b0;
            f_known   <= 1'b0;
            f_wait    <= 2'd0;
            f_hp3d    <= 1'b0;
        end
    end

    wire [DRAW_BITS+7:0] f_first  = {fifo_mark_q[0], fifo_threads_q[6:0], fifo_state_q[DRAW_BITS-1:0]};
    wire [DRAW_BITS+7:0] f_second = {fifo_mark_q[1], fifo_threads_q[13:7], fifo_state_q[DRAW_BITS +: DRAW_BITS]};

    always @*
        if (!rst) begin
            assert (f_size <= 2'd2 && count_q == f_size && ready == (f_size != 2'd2));              // 1 order
            if (f_inside) assert (f_ahead < f_size && (f_ahead ? f_second : f_first) == f_wave);    // 1 order
            if (f_inside && !f_ahead && head_valid)
                assert ({head_threads, head_state} == f_wave[DRAW_BITS+6:0] && head_threads != 7'd0);  // 1 order
            assert (head_number == f_granted);                                                      // 1 order
            assert (idle == (f_size == 2'd0 && !mark_valid));                                       // 1 order

            if (f_left) assert (mark_valid == f_wave[DRAW_BITS+7]);                                 // 2 marks
            if (f_left && mark_valid) assert (mark_state == f_wave[DRAW_BITS-1:0]);                 // 2 marks
            assert (f_given == f_back + mark_valid + (f_size >= 2'd1 && fifo_mark_q[0]) +
                               (f_size == 2'd2 && fifo_mark_q[1]));                                 // 2 marks

            if (head_valid && head_state == f_state) begin
                assert (f_known);                                                                   // 3 header
                assert ({head_wave32, head_lds, head_program} == {f_header[55:46], f_header[39:0]});  // 3 header
                assert (head_vgprs == {1'b0, f_header[45:40]} + 7'd1);                              // 3 header
                assert (head_set == f_header[56 +: SET_BITS]);                                      // 3 header
                assert (head_epoch == f_header[60 +: EPOCH_BITS]);                                  // 3 header
                assert (head_hp3d == (f_header[63] || f_hp3d));                                     // 3 header
            end

            if (header_read_enable)
                assert (f_size != 2'd0 && fifo_threads_q[6:0] != 7'd0 && header_read_addr == head_state);  // 4 reads

            assert (f_wait <= 2'd2);                                                                // 5 progress
            if (f_wait == 2'd2) assert (head_valid);                                                // 5 progress

            // helpers
            assert (urgent_q == f_hp3d);
            if (held_q && held_state_q == f_state) assert (f_known && header_q == f_header);
            if (fetched_q && held_state_q == f_state) assert (f_asked);
            assert (!(fetched_q && (held_q || look_q)));
            if (fetched_q) assert (f_some && held_state_q == head_state);
            if (f_some && !head_valid && !fetched_q && !look_q) assert (f_wait == 2'd0);
            if (look_q) assert (!(held_q && held_state_q == head_state) && f_wait == 2'd0);
            if (fetched_q) assert (f_wait <= 2'd1);
        end

    always @(posedge clk)
        if (!rst) begin
            cover (head_valid && head_number == 33'd3 && f_size == 2'd2);
            cover (f_left && mark_valid && f_wave[DRAW_BITS +: 7] == 7'd0);
            cover (head_valid && head_state == f_state && head_program == 40'h600d);
            cover (f_wait == 2'd2 && head_valid);
        end
