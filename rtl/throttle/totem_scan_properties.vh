// SPDX-License-Identifier: Apache-2.0
//
// Properties of totem_scan, included at the end of the module. The numbers are those of docs/contract/scan.md.

    // Any draw state and any assembler. Nothing is assumed of the neighbours: sizes of waves count only while headers
    // come as promised (f_calm).
    initial assume (rst);
    (* anyconst *) wire [1:0]           f_any_fe;
    (* anyconst *) wire [1:0]           f_any_assembler;
    (* anyconst *) wire [DRAW_BITS-1:0] f_draw;
    (* anyseq *) wire                   f_pick;
    wire [1:0] f_fe        = (f_any_fe < FE_COUNT) ? f_any_fe : 2'd0;
    wire [1:0] f_assembler = (f_any_assembler < SE_COUNT) ? f_any_assembler : 2'd0;

    // The primitive that is chosen, and who waits, of any draw state and of that here.
    integer     f_n, f_choices;
    reg [W-1:0] f_prim;
    reg         f_pop, f_any, f_same;
    always @* begin
        f_choices = 0;
        f_prim    = {W{1'b0}};
        f_any     = 1'b0;
        f_same    = 1'b0;
        for (f_n = 0; f_n < SE_COUNT; f_n = f_n + 1) begin
            if (chosen[f_n]) begin
                f_choices = f_choices + 1;
                f_prim    = f_prim | head_q[f_n*W +: W];
            end
            if (waiting_q[f_n*2 +: 2] != 2'd0) begin
                f_any = 1'b1;
                if (head_q[f_n*W + 21 +: 2] == fe_q && head_q[f_n*W + 23 +: DRAW_BITS] == draw_q)
                    f_same = 1'b1;
            end
        end
        f_pop = f_choices != 0;
    end

    // The followed draw state.
    wire        f_here   = fe_q == f_fe && draw_q == f_draw;
    wire        f_wave   = wave_valid && wave_fe == f_fe && wave_state == f_draw;
    wire        f_takes  = f_pop && f_prim[22:21] == f_fe && f_prim[23 +: DRAW_BITS] == f_draw;
    wire        f_leaves = f_wave && pixel_ready[f_fe];
    wire        f_header = header_valid[f_fe] && header_state[f_fe*DRAW_BITS +: DRAW_BITS] == f_draw;
    wire        f_none   = !f_takes && !f_wave && !(f_here && (prim_valid_q || count_q != 7'd0));
    wire [3:0]  f_accepts = {{4-FE_COUNT{1'b1}}, pixel_ready};
    wire        f_stands = wave_valid && !f_accepts[wave_fe];   // the wave on the port is not taken

    reg [EPOCH_BITS-1:0] f_epoch = {EPOCH_BITS{1'b0}};          // of its last header
    reg         f_wave32 = 1'b0;
    reg         f_killed = 1'b0;                                // since a header that found nothing of it here
    reg         f_dead   = 1'b0;                                // since its last header
    reg         f_calm   = 1'b1;                                // all headers of it have found nothing of it here
    reg [23:0]  f_taken = 24'd0, f_given = 24'd0;               // its pixels; in 24 bits
    reg [7:0]   f_marks_taken = 8'd0, f_marks_given = 8'd0;
    reg [23:0]  f_to_mark;                                      // taken with its last marked primitive, and before
    reg [23:0]  f_to_wave;                                      // the same when the wave on the port was made
    // One clock ago.
    reg         f_popped = 1'b0;                                // a primitive was chosen, this one
    reg [W-1:0] f_last;
    reg         f_stood = 1'b0;                                 // the wave on the port was not taken
    reg [DRAW_BITS+9:0] f_stood_wave;
    reg         f_was_dead = 1'b0;
    reg         f_was32, f_others;                              // its size; only other draw states waited
    // A primitive of the picked assembler.
    reg [1:0]   f_size  = 2'd0;                                 // that wait
    reg [1:0]   f_place = 2'd0;                                 // 0 not inside, 1 at the head, 2 behind it
    reg [W-1:0] f_word;

    wire        f_in    = hub_valid[f_assembler] && hub_ready[f_assembler];
    wire        f_out   = chosen[f_assembler];
    wire [1:0]  f_then  = f_size + {1'b0, f_in} - {1'b0, f_out};

    always @(posedge clk) begin
        if (f_header) begin
            f_epoch  <= header_data[f_fe*64 + 60 +: EPOCH_BITS];
            f_wave32 <= header_data[f_fe*64 + 55];
        end
        if (f_header && f_none)
            f_killed <= 1'b0;
        else if (kill_valid && kill_pipe == PIPE_GRAPHICS && kill_fe == f_fe && kill_epochs[f_epoch] && !f_header)
            f_killed <= 1'b1;
        if (f_header)
            f_dead <= 1'b0;
        else if (kill_valid && kill_pipe == PIPE_GRAPHICS && kill_fe == f_fe && kill_epochs[f_epoch])
            f_dead <= 1'b1;
        f_was_dead    <= f_dead;
        f_calm        <= f_calm && !(f_header && !f_none);
        f_taken       <= f_taken + (f_takes ? {4'd0, f_prim[19:0]} : 24'd0);
        f_given       <= f_header && f_none ? f_taken : f_given + (f_leaves ? {17'd0, wave_threads} : 24'd0);
        f_marks_taken <= f_marks_taken + {7'd0, f_takes && f_prim[20]};
        f_marks_given <= f_marks_given + {7'd0, f_leaves && wave_mark};
        if (f_takes && f_prim[20])
            f_to_mark <= f_taken + {4'd0, f_prim[19:0]};
        if (!f_stands)
            f_to_wave <= f_to_mark;
        f_popped     <= f_pop;
        f_last       <= f_prim;
        f_stood      <= f_stands;
        f_stood_wave <= {wave_fe, wave_state, wave_threads, wave_mark};
        f_was32      <= f_wave32;
        f_others     <= !prim_valid_q && f_any && !f_same;
        f_size       <= f_then;
        if (f_place == 2'd0) begin
            if (f_in && f_pick)
                f_place <= f_then;
            f_word <= hub_data[f_assembler*32 +: W];
        end else if (f_out)
            f_place <= f_place - 2'd1;
        if (rst) begin
            f_epoch       <= {EPOCH_BITS{1'b0}};
            f_wave32      <= 1'b0;
            f_killed      <= 1'b0;
            f_calm        <= 1'b1;
            f_dead        <= 1'b0;
            f_was_dead    <= 1'b0;
            f_taken       <= 24'd0;
            f_given       <= 24'd0;
            f_marks_taken <= 8'd0;
            f_marks_given <= 8'd0;
            f_popped      <= 1'b0;
            f_stood       <= 1'b0;
            f_size        <= 2'd0;
            f_place       <= 2'd0;
        end
    end

    localparam [6:0] F_64 = 7'd64, F_32 = 7'd32;
    integer f_at;
    always @* begin
        f_at = f_fe*DRAW_STATES + f_draw;
        if (!rst) begin
            assert (count_q <= 7'd63);                                                              // 1 size
            if (wave_valid) assert (wave_threads <= 7'd64 && (wave_threads != 7'd0 || wave_mark));  // 1 size
            if (f_calm && f_here) assert (count_q < (f_wave32 ? F_32 : F_64));                      // 1 size
            if (f_calm && f_wave) assert (wave_threads <= (f_wave32 ? F_32 : F_64));                // 1 size

            assert (f_marks_taken == f_marks_given + (f_wave && wave_mark) +
                                     (f_here && prim_valid_q && mark_q));                           // 2 marks
            if (f_wave && wave_mark && !f_killed) assert (f_given + wave_threads == f_to_wave);     // 2 marks

            if (!f_killed)
                assert (f_taken == f_given + (f_wave ? {17'd0, wave_threads} : 24'd0) +
                                   (f_here ? {17'd0, count_q} : 24'd0) +
                                   (f_here && prim_valid_q ? {4'd0, left_q} : 24'd0));              // 3 pixels

            if (f_wave && !f_stood)
                assert (wave_mark || wave_threads >= (f_was32 ? F_32 : F_64) || f_others);          // 4 waves
            if (f_stood)
                assert (wave_valid && {wave_fe, wave_state, wave_threads, wave_mark} == f_stood_wave);  // 4 waves

            assert (f_choices <= 1);                                                                // 5 order
            if (f_out) assert (f_size != 2'd0);                                                     // 5 order
            if (f_popped)
                assert (prim_valid_q && {draw_q, fe_q, mark_q, left_q} == f_last[DRAW_BITS+22:0]);  // 5 order
            assert (f_size <= 2'd2 && waiting_q[f_assembler*2 +: 2] == f_size && f_place <= f_size);  // 5 order
            assert (hub_ready[f_assembler] == (f_size != 2'd2));                                    // 5 order
            if (f_place == 2'd1) assert (head_q[f_assembler*W +: W] == f_word);                     // 5 order
            if (f_place == 2'd2) assert (tail_q[f_assembler*W +: W] == f_word);                     // 5 order
            if (f_wave && !f_stood && f_was_dead) assert (wave_threads == 7'd0);                    // 6 dead

            // helpers
            assert (turn_q < SE_COUNT);
            assert (epoch_q[f_at*EPOCH_BITS +: EPOCH_BITS] == f_epoch && wave32_q[f_at] == f_wave32);
            assert (dead_q[f_at] == f_dead && (f_killed || !f_dead));
            if (f_here && prim_valid_q && mark_q) assert (f_to_mark == f_taken);
        end
    end

    always @(posedge clk)
        if (!rst) begin
            cover (f_wave && wave_threads == 7'd64 && wave_mark && f_calm);
            cover (f_wave && wave_threads == 7'd32 && !wave_mark && f_wave32 && f_calm && !f_killed);
            cover (f_wave && wave_threads == 7'd0 && f_killed && f_calm && f_taken != 24'd0);
            cover (f_wave && !f_stood && wave_threads == 7'd5 && !wave_mark);
        end
