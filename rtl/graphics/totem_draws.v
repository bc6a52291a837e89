// SPDX-License-Identifier: Apache-2.0
//
// totem_draws: draws of a graphics pipe, from messages of render to geometry waves on the command bus.
//
// Policy    one draw after the other: header, state words, waves, to the engines in turn. The wave that is sent next is
//           prepared beside it. No divider: a wave of 64 primitives takes a subtraction, the last wave of an instance
//           six, once a draw.
// Latency   header on the bus four clocks after word 0 is accepted, then a state word a clock, then a wave a clock.
// Boundary  an inbox towards render; what goes to the bus stands in registers until bus_ready. The end of a draw is
//           told from the counts of its draw state.
// Mask      bus_word and bus_tag count only while bus_valid, end_set and end_epoch while end_valid.
// Cost      a draw state: 19 flip-flops, its set and its epoch. The draw under way about 190, bus and inbox 209.
// Proved    credits and counts (1), order on the bus and turns (2), each primitive once (3), one end, behind all of
//           the draw (4), fault (6).
// Twin      cmodel/graphics/totem_draws.c, same names.

`default_nettype none

module totem_draws #(
    parameter SE_COUNT    = 4,                      // 1 to 4
    parameter EPOCHS      = 8,                      // a power of two, 2 to 8
    parameter SETS        = 8,                      // a power of two, 2 to 16
    parameter DRAW_STATES = 16,                     // a power of two, 2 to 16
    parameter EPOCH_BITS  = $clog2(EPOCHS),         // follow from the others
    parameter SET_BITS    = $clog2(SETS),
    parameter DRAW_BITS   = $clog2(DRAW_STATES)
) (
    input  wire                          clk,
    input  wire                          rst,
    // render
    input  wire                          render_draw_valid,
    output wire                          draw_ready,
    input  wire [63:0]                   render_draw_word,
    output wire                          room,
    // bus
    input  wire [1:0]                    fe_number,
    output wire                          bus_valid,
    output wire [63:0]                   bus_word,
    output wire [15:0]                   bus_tag,
    input  wire                          bus_ready,
    // engines
    input  wire [SE_COUNT-1:0]           grant_valid,
    input  wire [SE_COUNT*DRAW_BITS-1:0] grant_state,
    input  wire [SE_COUNT-1:0]           complete_valid,
    input  wire [SE_COUNT*DRAW_BITS-1:0] complete_state,
    // kill
    input  wire                          kill_word_valid,
    input  wire [EPOCHS-1:0]             kill_word_epochs,
    // marks
    input  wire [DRAW_STATES-1:0]        marks_empty,
    // context, fence
    output wire                          end_valid,
    output wire [SET_BITS-1:0]           end_set,
    output wire [EPOCH_BITS-1:0]         end_epoch,
    // rest, self-check
    output wire                          idle,
    output wire                          fault
);
    generate
        if (SE_COUNT < 1 || SE_COUNT > 4 || EPOCHS < 2 || EPOCHS > 8 || EPOCHS != (1 << EPOCH_BITS) || SETS < 2 ||
            SETS > 16 || SETS != (1 << SET_BITS) || DRAW_STATES < 2 || DRAW_STATES > 16 ||
            DRAW_STATES != (1 << DRAW_BITS)) begin : check
            totem_draws_needs_SE_COUNT_1_to_4_and_powers_of_two_EPOCHS_2_to_8_SETS_and_DRAW_STATES_2_to_16 refuse ();
        end
    endgenerate

    localparam [2:0] FIRST = 3'd0, SHAPE = 3'd1, PROGRAM = 3'd2, STATE = 3'd3, PIXEL = 3'd4, PIXEL_STATE = 3'd5;
    localparam [2:0] WAVES = 3'd6;
    localparam [1:0] KIND_HEADER = 2'd0, KIND_STATE = 2'd1, KIND_WAVE = 2'd2, KIND_PIXEL = 2'd3;
    localparam [2:0] KNOWN = 3'd7;

    reg [2:0]                        step_q, step_d;
    reg [DRAW_BITS-1:0]              draw_q, draw_d;
    reg [4:0]                        words_q, words_d;
    reg [4:0]                        pixel_words_q, pixel_words_d;
    reg                              hp3d_q, hp3d_d;
    reg                              wave32_q, wave32_d;
    reg [6:0]                        vgprs_q, vgprs_d;
    reg [8:0]                        lds_q, lds_d;
    reg [5:0]                        stride_q, stride_d;
    reg [31:0]                       behind_q, behind_d;
    reg [31:0]                       left_q, left_d;
    reg [31:0]                       instances_q, instances_d;
    reg                              more_q, more_d;
    reg [5:0]                        tail_q, tail_d;
    reg [2:0]                        tail_bit_q, tail_bit_d;
    reg                              wave_valid_q, wave_valid_d;
    reg [6:0]                        wave_size_q, wave_size_d;
    reg [32:0]                       number_q, number_d;
    reg                              dropped_q, dropped_d;
    reg [1:0]                        turn_q, turn_d;
    reg [SE_COUNT*4-1:0]             used_q, used_d;
    reg [DRAW_STATES-1:0]            taken_q, taken_d;
    reg [DRAW_STATES-1:0]            sent_q, sent_d;
    reg [DRAW_STATES-1:0]            drained_q;
    reg [DRAW_STATES*6-1:0]          queued_q, queued_d;
    reg [DRAW_STATES*10-1:0]         flight_q, flight_d;
    reg [DRAW_STATES*SET_BITS-1:0]   set_q, set_d;
    reg [DRAW_STATES*EPOCH_BITS-1:0] epoch_q, epoch_d;
    reg                              bus_valid_q, bus_valid_d;
    reg [63:0]                       bus_word_q, bus_word_d;
    reg [15:0]                       bus_tag_q, bus_tag_d;
    reg                              fault_q, fault_d;

    // Registers that reset leaves alone read 0 at start, as in the model.
    initial begin
        step_q = 0; more_q = 0; wave_valid_q = 0; turn_q = 0; used_q = 0; taken_q = 0; queued_q = 0; flight_q = 0;
        bus_valid_q = 0; fault_q = 0;
        draw_q = 0; words_q = 0; pixel_words_q = 0; hp3d_q = 0; wave32_q = 0; vgprs_q = 0; lds_q = 0; stride_q = 0;
        behind_q = 0; left_q = 0; instances_q = 0; tail_q = 0; tail_bit_q = 0; wave_size_q = 0; number_q = 0; dropped_q = 0;
        sent_q = 0; drained_q = 0; set_q = 0; epoch_q = 0; bus_word_q = 0; bus_tag_q = 0;
    end

    wire        word_valid;
    wire [63:0] word;
    wire        take;

    totem_inbox #(.WIDTH(64)) inbox (
        .clk(clk), .rst(rst), .in_valid(render_draw_valid), .in_ready(draw_ready), .in_data(render_draw_word),
        .out_valid(word_valid), .out_data(word), .out_take(take)
    );

    // ---- draw states: which is free, whose ends are due; the lowest of each

    wire [DRAW_STATES-1:0] empty;       // nothing of it is in flight
    reg  [DRAW_BITS-1:0]   free, over;
    genvar                 g;
    integer                d, e;

    generate
        for (g = 0; g < DRAW_STATES; g = g + 1) begin : g_state
            assign empty[g] = flight_q[g*10 +: 10] == 10'd0;
        end
    endgenerate

    wire [DRAW_STATES-1:0] ready_end = taken_q & sent_q & empty & drained_q;

    always @* begin
        free = {DRAW_BITS{1'b0}};
        over = {DRAW_BITS{1'b0}};
        for (d = DRAW_STATES - 1; d >= 0; d = d - 1) begin
            if (!taken_q[d])  free = d[DRAW_BITS-1:0];
            if (ready_end[d]) over = d[DRAW_BITS-1:0];
        end
    end

    wire any_free = !(&taken_q);

    assign end_valid      = |ready_end;
    assign end_set        = set_q[over*SET_BITS +: SET_BITS];
    assign end_epoch      = epoch_q[over*EPOCH_BITS +: EPOCH_BITS];
    assign room           = step_q == FIRST && !word_valid && any_free;
    assign idle           = step_q == FIRST && !word_valid && !bus_valid_q && taken_q == {DRAW_STATES{1'b0}};
    assign bus_valid      = bus_valid_q;
    assign bus_word       = bus_word_q;
    assign bus_tag        = bus_tag_q;
    assign fault          = fault_q;

    // ---- primitive types: vertices of the first primitive, and of each further one; 0 without primitives

    reg [5:0] type_first, type_step;
    always @*
        case (word[5:0])
            6'h01:                      {type_first, type_step} = {6'd1, 6'd1};
            6'h02:                      {type_first, type_step} = {6'd2, 6'd2};
            6'h03, 6'h12:               {type_first, type_step} = {6'd2, 6'd1};
            6'h04, 6'h07, 6'h11:        {type_first, type_step} = {6'd3, 6'd3};
            6'h05, 6'h06, 6'h15:        {type_first, type_step} = {6'd3, 6'd1};
            6'h09:                      {type_first, type_step} = {word[11:6], word[11:6]};
            6'h0a, 6'h13:               {type_first, type_step} = {6'd4, 6'd4};
            6'h0b:                      {type_first, type_step} = {6'd4, 6'd1};
            6'h0c:                      {type_first, type_step} = {6'd6, 6'd6};
            6'h0d:                      {type_first, type_step} = {6'd6, 6'd2};
            6'h14:                      {type_first, type_step} = {6'd4, 6'd2};
            default:                    {type_first, type_step} = {6'd0, 6'd0};
        endcase
    wire [32:0] behind_first = {1'b0, behind_q} - {27'd0, type_first};

    // ---- the wave to be sent, and the next one

    wire        open  = !bus_valid_q || bus_ready;
    wire        full  = left_q[31:6] >= {20'd0, stride_q};
    wire [11:0] piece = {6'd0, stride_q} << tail_bit_q;      // vertices of the primitives that a bit of the tail means
    wire        fits  = left_q[11:0] >= piece;

    reg         credit;         // the engine whose turn it is has room
    always @* begin
        credit = 1'b0;
        for (e = 0; e < SE_COUNT; e = e + 1)
            if (turn_q == e[1:0]) credit = !used_q[e*4 + 3];
    end

    wire send = step_q == WAVES && wave_valid_q && !dropped_q && credit && open &&
                flight_q[draw_q*10 +: 10] != 10'd1023;
    wire gap  = !wave_valid_q || send;

    wire [2:0] now_epoch = {{3-EPOCH_BITS{1'b0}}, epoch_q[draw_q*EPOCH_BITS +: EPOCH_BITS]};
    wire [3:0] now_set   = {{4-SET_BITS{1'b0}}, set_q[draw_q*SET_BITS +: SET_BITS]};

    assign take = step_q == FIRST && any_free || step_q == SHAPE ||
                  (step_q == PROGRAM || step_q == STATE || step_q == PIXEL || step_q == PIXEL_STATE) && open;
    wire   taken_word = take && word_valid;

    reg                put;
    reg [1:0]          put_kind, put_engine;
    reg [2:0]          grants, completions;
    reg                one;

    always @* begin
        step_d       = step_q;
        draw_d       = draw_q;
        words_d      = words_q;
        pixel_words_d = pixel_words_q;
        hp3d_d       = hp3d_q;
        wave32_d     = wave32_q;
        vgprs_d      = vgprs_q;
        lds_d        = lds_q;
        stride_d     = stride_q;
        behind_d     = behind_q;
        left_d       = left_q;
        instances_d  = instances_q;
        more_d       = more_q;
        tail_d       = tail_q;
        tail_bit_d   = tail_bit_q;
        wave_valid_d = wave_valid_q && !send;
        wave_size_d  = wave_size_q;
        number_d     = number_q;
        dropped_d    = dropped_q;
        turn_d       = turn_q;
        used_d       = used_q;
        taken_d      = taken_q;
        sent_d       = sent_q;
        queued_d     = queued_q;
        flight_d     = flight_q;
        set_d        = set_q;
        epoch_d      = epoch_q;
        bus_word_d   = bus_word_q;
        bus_tag_d    = bus_tag_q;
        fault_d      = fault_q;
        put          = 1'b0;
        put_kind     = KIND_HEADER;
        put_engine   = 2'd0;
        grants       = 3'd0;
        completions  = 3'd0;
        one          = 1'b0;

        // The next wave.
        if (more_q) begin
            if (full) begin
                if (gap) begin
                    wave_valid_d = 1'b1;
                    wave_size_d  = 7'd64;
                    left_d       = {left_q[31:6] - {20'd0, stride_q}, left_q[5:0]};
                end
            end else if (tail_bit_q != KNOWN) begin
                if (fits) begin
                    left_d = {20'd0, left_q[11:0] - piece};
                    tail_d = tail_q | (6'd1 << tail_bit_q);
                end
                tail_bit_d = tail_bit_q - 3'd1;
            end else if (gap) begin
                wave_valid_d = 1'b1;
                wave_size_d  = {1'b0, tail_q} + 7'd1;
                left_d       = behind_q;
                instances_d  = instances_q - 32'd1;
                more_d       = instances_q != 32'd1;
            end
        end

        case (step_q)
            FIRST:
                if (taken_word) begin
                    behind_d    = word[31:0];
                    instances_d = word[63:32];
                    number_d    = 33'd0;
                    dropped_d   = 1'b0;
                    draw_d      = free;
                    step_d      = SHAPE;
                    for (d = 0; d < DRAW_STATES; d = d + 1)
                        if (free == d[DRAW_BITS-1:0]) begin
                            taken_d[d] = 1'b1;
                            sent_d[d]  = 1'b0;
                        end
                end
            SHAPE:
                if (taken_word) begin
                    wave32_d   = word[12];
                    vgprs_d    = word[19:13];
                    lds_d      = word[28:20];
                    hp3d_d     = word[36];
                    words_d    = word[41:37];
                    pixel_words_d = word[46:42];
                    stride_d   = type_step;
                    behind_d   = behind_first[31:0];
                    left_d     = behind_first[31:0];
                    more_d     = type_step != 6'd0 && !behind_first[32] && instances_q != 32'd0;
                    tail_d     = 6'd0;
                    tail_bit_d = 3'd5;
                    step_d     = PROGRAM;
                    for (d = 0; d < DRAW_STATES; d = d + 1)
                        if (draw_q == d[DRAW_BITS-1:0]) begin
                            set_d[d*SET_BITS +: SET_BITS]       = word[29 +: SET_BITS];
                            epoch_d[d*EPOCH_BITS +: EPOCH_BITS] = word[33 +: EPOCH_BITS];
                        end
                end
            PROGRAM:
                if (taken_word) begin
                    put        = 1'b1;
                    bus_word_d = {22'd0, word[41:0]};
                    step_d     = (words_q == 5'd0) ? PIXEL : STATE;
                end
            STATE:
                if (taken_word) begin
                    put        = 1'b1;
                    put_kind   = KIND_STATE;
                    bus_word_d = word;
                    words_d    = words_q - 5'd1;
                    if (words_q == 5'd1)
                        step_d = PIXEL;
                end
            PIXEL:
                if (taken_word) begin
                    put        = 1'b1;
                    put_kind   = KIND_PIXEL;
                    bus_word_d = word;
                    step_d     = (pixel_words_q == 5'd0) ? WAVES : PIXEL_STATE;
                end
            PIXEL_STATE:
                if (taken_word) begin
                    put           = 1'b1;
                    put_kind      = KIND_STATE;
                    bus_word_d    = word;
                    pixel_words_d = pixel_words_q - 5'd1;
                    if (pixel_words_q == 5'd1)
                        step_d = WAVES;
                end
            WAVES: begin
                if (send) begin
                    put        = 1'b1;
                    put_kind   = KIND_WAVE;
                    put_engine = turn_q;
                    bus_word_d = {number_q, now_set, now_epoch, wave32_q, wave_size_q, lds_q, vgprs_q};
                    number_d   = number_q + 33'd1;
                    turn_d     = ({30'd0, turn_q} == SE_COUNT - 1) ? 2'd0 : turn_q + 2'd1;
                end
                if (dropped_q || ((send || !wave_valid_q) && !more_q)) begin
                    step_d       = FIRST;
                    more_d       = 1'b0;
                    wave_valid_d = 1'b0;
                    for (d = 0; d < DRAW_STATES; d = d + 1)
                        if (draw_q == d[DRAW_BITS-1:0]) sent_d[d] = 1'b1;
                end
            end
            default: ;
        endcase

        bus_valid_d = put || (bus_valid_q && !bus_ready);
        if (put)
            bus_tag_d = {{4-DRAW_BITS{1'b0}}, draw_q, 1'b0, put_kind, 1'b1, hp3d_q ? 2'd1 : 2'd2, put_engine, fe_number,
                         2'd0};

        // Counts. What would fall below zero stays there.
        for (e = 0; e < SE_COUNT; e = e + 1) begin
            one = grant_valid[e] && used_q[e*4 +: 4] != 4'd0;
            used_d[e*4 +: 4] = used_q[e*4 +: 4] - {3'd0, one} + {3'd0, send && turn_q == e[1:0]};
            if (grant_valid[e] && !one)
                fault_d = 1'b1;
        end
        for (d = 0; d < DRAW_STATES; d = d + 1) begin
            grants      = 3'd0;
            completions = 3'd0;
            for (e = 0; e < SE_COUNT; e = e + 1) begin
                if (grant_state[e*DRAW_BITS +: DRAW_BITS] == d[DRAW_BITS-1:0])
                    grants = grants + {2'd0, grant_valid[e]};
                if (complete_state[e*DRAW_BITS +: DRAW_BITS] == d[DRAW_BITS-1:0])
                    completions = completions + {2'd0, complete_valid[e]};
            end
            one = send && draw_q == d[DRAW_BITS-1:0];
            if (queued_q[d*6 +: 6] < {3'd0, grants} || flight_q[d*10 +: 10] < {7'd0, completions})
                fault_d = 1'b1;
            queued_d[d*6 +: 6]   = ((queued_q[d*6 +: 6] < {3'd0, grants}) ? 6'd0
                                    : queued_q[d*6 +: 6] - {3'd0, grants}) + {5'd0, one};
            flight_d[d*10 +: 10] = ((flight_q[d*10 +: 10] < {7'd0, completions}) ? 10'd0
                                    : flight_q[d*10 +: 10] - {7'd0, completions}) + {9'd0, one};
            if (end_valid && over == d[DRAW_BITS-1:0])
                taken_d[d] = 1'b0;
        end

        if (kill_word_valid && step_q != FIRST && step_q != SHAPE &&
            kill_word_epochs[now_epoch[EPOCH_BITS-1:0]])
            dropped_d = 1'b1;
    end

    always @(posedge clk) begin
        step_q       <= step_d;
        draw_q       <= draw_d;
        words_q      <= words_d;
        pixel_words_q <= pixel_words_d;
        hp3d_q       <= hp3d_d;
        wave32_q     <= wave32_d;
        vgprs_q      <= vgprs_d;
        lds_q        <= lds_d;
        stride_q     <= stride_d;
        behind_q     <= behind_d;
        left_q       <= left_d;
        instances_q  <= instances_d;
        more_q       <= more_d;
        tail_q       <= tail_d;
        tail_bit_q   <= tail_bit_d;
        wave_valid_q <= wave_valid_d;
        wave_size_q  <= wave_size_d;
        number_q     <= number_d;
        dropped_q    <= dropped_d;
        turn_q       <= turn_d;
        used_q       <= used_d;
        taken_q      <= taken_d;
        sent_q       <= sent_d;
        drained_q    <= marks_empty;
        queued_q     <= queued_d;
        flight_q     <= flight_d;
        set_q        <= set_d;
        epoch_q      <= epoch_d;
        bus_valid_q  <= bus_valid_d;
        bus_word_q   <= bus_word_d;
        bus_tag_q    <= bus_tag_d;
        fault_q      <= fault_d;
        if (rst) begin
            step_q       <= FIRST;
            more_q       <= 1'b0;
            wave_valid_q <= 1'b0;
            turn_q       <= 2'd0;
            used_q       <= {SE_COUNT*4{1'b0}};
            taken_q      <= {DRAW_STATES{1'b0}};
            queued_q     <= {DRAW_STATES*6{1'b0}};
            flight_q     <= {DRAW_STATES*10{1'b0}};
            bus_valid_q  <= 1'b0;
            fault_q      <= 1'b0;
            drained_q    <= {DRAW_STATES{1'b0}};
        end
    end

`ifdef FORMAL
    // Numbered as the invariants of the contract. Assumed of the engines: a grant names a wave that was sent to that
    // engine and not granted, a completion one that was granted and has not ended. Each primitive once (3) is claimed
    // of draws with less than 1024 vertices an instance and patches of at most 7: others take the same subtractions.
    // formal: configs=board alone=1 apart=1 timeout=1200
    // formal: params=SE_COUNT=2,EPOCHS=2,SETS=2,DRAW_STATES=2 configs=full,mini,pole alone=1 apart=1 timeout=1200
    initial assume (rst);
    integer f_d, f_e;

    // ---- the words of a draw, as they leave the inbox, and what goes to the bus

    reg [2:0]  f_phase = 3'd0;
    reg [4:0]  f_words, f_pixel_words;
    reg [31:0] f_vertices, f_all;           // of an instance, instances
    reg [46:0] f_shape;                     // word 1
    reg [5:0]  f_first, f_step;
    reg        f_dropped;
    reg [32:0] f_number;
    reg [1:0]  f_turn = 2'd0;
    reg [9:0]  f_left;                      // vertices of the present instance that no sent wave covers
    reg [31:0] f_rest;                      // instances not yet sent to their end
    reg [3:0]  f_waves;                     // waves of 64 prepared of the first instance
    reg [3:0]  f_ahead;                     // and still to be prepared of a later one
    reg [2:0]  f_odd;                       // vertices of an instance that make no primitive

    wire       f_open = !bus_valid || bus_ready;
    wire       f_put  = f_open && bus_valid_d;
    wire       f_send = f_put && bus_tag_d[10:9] == 2'd2;
    wire       f_take = word_valid && (f_phase == 3'd0 ? taken_q != {DRAW_STATES{1'b1}}
                                       : f_phase == 3'd1 || (f_phase < 3'd6 && f_open));
    wire       f_small = f_vertices < 32'd1024 && f_first < 6'd8;

    // Vertices of the first primitive and of each further one, by what a type is made of.
    reg [5:0]  f_corner;
    reg        f_strip, f_pairs;            // after the first a vertex each, two vertices each
    always @* begin
        f_corner = 6'd0;
        f_strip  = 1'b0;
        f_pairs  = 1'b0;
        case (word[5:0])
            6'd1:                               f_corner = 6'd1;
            6'd2, 6'd3, 6'd18:                  f_corner = 6'd2;
            6'd4, 6'd5, 6'd6, 6'd7, 6'd17, 6'd21: f_corner = 6'd3;
            6'd10, 6'd11, 6'd19, 6'd20:         f_corner = 6'd4;
            6'd12, 6'd13:                       f_corner = 6'd6;
            6'd9:                               f_corner = word[11:6];
            default: ;
        endcase
        case (word[5:0])
            6'd3, 6'd5, 6'd6, 6'd11, 6'd18, 6'd21: f_strip = 1'b1;
            6'd13, 6'd20:                       f_pairs = 1'b1;
            default: ;
        endcase
    end
    wire       f_some  = f_corner != 6'd0 && f_vertices >= {26'd0, f_corner} && f_all != 32'd0;

    // A wave that is sent, of a draw of which (3) is claimed: its numbers have ten bits.
    wire [9:0]  f_each  = {7'd0, f_step[2:0]};
    wire [9:0]  f_head  = {7'd0, f_first[2:0]};
    wire [6:0]  f_size  = bus_word_d[22:16];
    wire [9:0]  f_cover = f_size * f_each;
    wire [9:0]  f_after = f_left - f_cover;
    wire        f_last  = f_after < f_head;                 // of its instance
    wire        f_final = f_last && f_rest == 32'd1;        // of its draw
    wire        f_none  = f_rest == 32'd0;
    wire [2:0]  f_close = f_phase != 3'd6 ? f_phase : !f_small ? step_d
                          : f_dropped || f_none || (f_send && f_final) ? 3'd0 : 3'd6;

    // The wave that is prepared, and what is left behind it.
    wire [9:0]  f_size_cover = wave_size_q * f_each;
    wire [9:0]  f_size_after = f_left - f_size_cover;
    wire        f_size_last  = wave_valid_q && f_size_after < f_head;
    wire [9:0]  f_behind     = f_size_last ? f_vertices[9:0] : wave_valid_q ? f_size_after : f_left;
    wire [9:0]  f_tail       = tail_q * f_each;
    wire [9:0]  f_waves_all  = (f_waves * f_each) << 6;
    wire [9:0]  f_ahead_all  = (f_ahead * f_each) << 6;
    wire        f_prepared   = wave_valid_d && (!wave_valid_q || f_send);
    wire        f_early      = instances_q == f_all;        // of the first instance

    always @(posedge clk) begin
        f_phase <= f_close;
        if (f_take)
            case (f_phase)
                3'd0: begin
                    f_phase    <= 3'd1;
                    f_vertices <= word[31:0];
                    f_all      <= word[63:32];
                    f_number   <= 33'd0;
                end
                3'd1: begin
                    f_phase <= 3'd2;
                    f_shape <= word[46:0];
                    f_words <= word[41:37];
                    f_pixel_words <= word[46:42];
                    f_first <= f_corner;
                    f_step  <= f_strip ? 6'd1 : f_pairs ? 6'd2 : f_corner;
                    f_left  <= f_vertices[9:0];
                    f_rest  <= f_some ? f_all : 32'd0;
                    f_waves <= 4'd0;
                    f_dropped <= 1'b0;
                end
                3'd2: f_phase <= (f_words == 5'd0) ? 3'd4 : 3'd3;
                3'd3: begin
                    f_words <= f_words - 5'd1;
                    f_phase <= (f_words == 5'd1) ? 3'd4 : 3'd3;
                end
                3'd4: f_phase <= (f_pixel_words == 5'd0) ? 3'd6 : 3'd5;
                default: begin
                    f_pixel_words <= f_pixel_words - 5'd1;
                    f_phase       <= (f_pixel_words == 5'd1) ? 3'd6 : 3'd5;
                end
            endcase
        if (f_send) begin
            f_number <= f_number + 33'd1;
            f_turn   <= (f_turn + 2'd1 == SE_COUNT) ? 2'd0 : f_turn + 2'd1;
            f_left   <= f_last ? f_vertices[9:0] : f_after;
            f_rest   <= f_rest - {31'd0, f_last};
        end
        if (f_prepared) begin
            f_waves <= f_waves + {3'd0, f_early && left_q[9:6] >= f_each[3:0]};
            f_ahead <= (instances_q != instances_d) ? f_waves : f_ahead - 4'd1;
            if (f_early && instances_q != instances_d)
                f_odd <= left_q[2:0];
        end
        if (kill_word_valid && f_phase >= 3'd2 && kill_word_epochs[f_shape[33 +: EPOCH_BITS]])
            f_dropped <= 1'b1;
        if (rst) begin
            f_phase <= 3'd0;
            f_turn  <= 2'd0;
        end
    end

    wire [15:0] f_tag = {{4-DRAW_BITS{1'b0}}, draw_q, 3'd0, 1'b1, !f_shape[36], f_shape[36], 2'd0, fe_number, 2'd0};

    always @*
        if (!rst) begin
            // Helpers: state is what the words have said.
            assert (step_q == f_phase && f_phase <= 3'd6);
            assert (turn_q == f_turn && f_turn < SE_COUNT);
            if (f_phase == 3'd1) assert (behind_q == f_vertices && instances_q == f_all && number_q == f_number);
            if (f_phase != 3'd0) assert (taken_q[draw_q] && !sent_q[draw_q]);
            if (f_phase == 3'd1) assert (!dropped_q);
            if (f_phase < 3'd2) assert (!more_q && !wave_valid_q);
            if (f_phase >= 3'd2) begin
                assert ({pixel_words_q, words_q, hp3d_q, lds_q, vgprs_q, wave32_q} ==
                        {f_pixel_words, f_words, f_shape[36], f_shape[28:20], f_shape[19:13], f_shape[12]});
                assert (set_q[draw_q*SET_BITS +: SET_BITS] == f_shape[29 +: SET_BITS]);
                assert (epoch_q[draw_q*EPOCH_BITS +: EPOCH_BITS] == f_shape[33 +: EPOCH_BITS]);
                assert (number_q == f_number && stride_q == f_step && dropped_q == f_dropped);
                assert (f_step <= f_first && (f_step != 6'd0 || f_rest == 32'd0));
                if (f_phase == 3'd3) assert (words_q != 5'd0);
                if (f_phase >= 3'd4) assert (words_q == 5'd0);
                if (f_phase == 3'd5) assert (pixel_words_q != 5'd0);
                if (f_phase == 3'd6) assert (pixel_words_q == 5'd0);
                assert (behind_q == f_vertices - {26'd0, f_first});
                if (f_step == 6'd0) assert (!more_q && !wave_valid_q);
                if (f_small) assert (f_none == (!more_q && !wave_valid_q));
                if (f_small) assert (more_q == (f_rest != {31'd0, f_size_last}));
            end

            if (bus_valid && !bus_ready)                                                                        // 2
                assert (bus_valid_d && bus_word_d == bus_word && bus_tag_d == bus_tag);
            if (f_put) assert (f_phase >= 3'd2);
            if (f_phase >= 3'd2 && f_phase <= 3'd5) assert (f_put == f_take);
            if (f_put && f_phase == 3'd2)
                assert (bus_word_d == {22'd0, word[41:0]} && bus_tag_d == f_tag);
            if (f_put && f_phase == 3'd4)
                assert (bus_word_d == word && bus_tag_d == (f_tag | 16'h600));
            if (f_put && (f_phase == 3'd3 || f_phase == 3'd5))
                assert (bus_word_d == word && bus_tag_d == (f_tag | 16'h200));
            if (f_put && f_phase == 3'd6) begin
                assert (bus_tag_d == (f_tag | 16'h400 | {10'd0, f_turn, 4'd0}));
                assert (bus_word_d[63:31] == f_number && bus_word_d[23] == f_shape[12]);
                assert (bus_word_d[15:0] == {f_shape[28:20], f_shape[19:13]});
                assert ({1'b0, bus_word_d[30:27]} < SETS && bus_word_d[27 +: SET_BITS] == f_shape[29 +: SET_BITS]);
                assert ({1'b0, bus_word_d[26:24]} < EPOCHS);
                assert (bus_word_d[24 +: EPOCH_BITS] == f_shape[33 +: EPOCH_BITS]);
                assert (!f_dropped);
            end

            if (f_send && f_small) begin                                                                        // 3
                assert (f_rest != 32'd0 && f_size >= 7'd1 && f_size <= 7'd64);
                assert (f_left >= f_cover && f_after >= f_head - f_each);
                if (!f_last) assert (f_size == 7'd64);
            end
            if (f_phase == 3'd6 && f_small)
                assert (step_d == f_close);
            if (f_phase >= 3'd2 && f_small && !f_none) begin
                assert (f_rest <= f_all && f_rest == instances_q + {31'd0, f_size_last});
                assert (f_each != 10'd0 && f_vertices[9:0] >= f_head);
                if (wave_valid_q) begin
                    assert (wave_size_q >= 7'd1 && wave_size_q <= 7'd64);
                    assert (f_left >= f_size_cover && f_size_after >= f_head - f_each);
                    if (!f_size_last) assert (wave_size_q == 7'd64);
                end
                if (more_q) begin
                    assert (instances_q != 32'd0 && left_q[31:10] == 22'd0 && behind_q[31:10] == 22'd0);
                    assert (f_behind == 12'd0 + f_head + left_q[9:0] + (f_early ? f_tail : 10'd0));
                    if (tail_bit_q != 3'd7) begin
                        assert (f_early && tail_bit_q <= 3'd5);
                        assert ((tail_q & ((7'd2 << tail_bit_q) - 7'd1)) == 6'd0);
                        if (tail_bit_q != 3'd5) assert (left_q[9:0] < (f_each << (tail_bit_q + 3'd1)));
                    end
                    assert (f_waves * f_each < 10'd16);
                    if (f_early) begin
                        assert (behind_q[9:0] == 12'd0 + left_q[9:0] + f_tail + f_waves_all);
                        if (tail_bit_q == 3'd7) assert (left_q[9:0] < f_each);
                    end else begin
                        assert (tail_bit_q == 3'd7 && f_odd < f_each && f_ahead <= f_waves);
                        assert (behind_q[9:0] == 12'd0 + f_odd + f_tail + f_waves_all);
                        assert (left_q[9:0] == 12'd0 + f_odd + f_tail + f_ahead_all);
                    end
                end
            end
        end

    // ---- counts and ends

    reg [SE_COUNT*DRAW_STATES*4-1:0] f_wait = 0;    // waves sent to an engine and not granted, by draw state
    reg [DRAW_STATES*11-1:0]         f_run  = 0;    // waves of a draw state granted and not ended
    reg [DRAW_STATES*6-1:0]          f_queued;
    reg [SE_COUNT*7-1:0]             f_used;
    reg [DRAW_STATES*3-1:0]          f_granted, f_ended;
    reg                              f_bad;
    always @* begin
        f_queued  = 0;
        f_used    = 0;
        f_granted = 0;
        f_ended   = 0;
        f_bad     = 1'b0;
        for (f_d = 0; f_d < DRAW_STATES; f_d = f_d + 1) begin
            for (f_e = 0; f_e < SE_COUNT; f_e = f_e + 1) begin
                f_queued[f_d*6 +: 6] = f_queued[f_d*6 +: 6] + {2'd0, f_wait[(f_e*DRAW_STATES + f_d)*4 +: 4]};
                f_used[f_e*7 +: 7]   = f_used[f_e*7 +: 7] + {3'd0, f_wait[(f_e*DRAW_STATES + f_d)*4 +: 4]};
                if (grant_valid[f_e] && grant_state[f_e*DRAW_BITS +: DRAW_BITS] == f_d) begin
                    f_granted[f_d*3 +: 3] = f_granted[f_d*3 +: 3] + 3'd1;
                    if (f_wait[(f_e*DRAW_STATES + f_d)*4 +: 4] == 4'd0)
                        f_bad = 1'b1;
                end
                if (complete_valid[f_e] && complete_state[f_e*DRAW_BITS +: DRAW_BITS] == f_d)
                    f_ended[f_d*3 +: 3] = f_ended[f_d*3 +: 3] + 3'd1;
            end
            if ({8'd0, f_ended[f_d*3 +: 3]} > f_run[f_d*11 +: 11])
                f_bad = 1'b1;
        end
        assume (!f_bad);
    end

    (* anyconst *) wire [DRAW_BITS-1:0] f_mine;     // a draw state, and its draw
    reg                  f_life = 1'b0, f_sent = 1'b0, f_marks;
    reg [EPOCH_BITS-1:0] f_epoch;
    reg [SET_BITS-1:0]   f_set;
    wire                 f_begins = f_take && f_phase == 3'd0 && draw_d == f_mine;
    wire                 f_ends   = taken_q[f_mine] && !taken_d[f_mine];

    always @(posedge clk) begin
        for (f_d = 0; f_d < DRAW_STATES; f_d = f_d + 1) begin
            for (f_e = 0; f_e < SE_COUNT; f_e = f_e + 1)
                f_wait[(f_e*DRAW_STATES + f_d)*4 +: 4] <= f_wait[(f_e*DRAW_STATES + f_d)*4 +: 4]
                    + {3'd0, f_send && bus_tag_d[12 +: DRAW_BITS] == f_d && bus_tag_d[5:4] == f_e}
                    - {3'd0, grant_valid[f_e] && grant_state[f_e*DRAW_BITS +: DRAW_BITS] == f_d};
            f_run[f_d*11 +: 11] <= f_run[f_d*11 +: 11] + {8'd0, f_granted[f_d*3 +: 3]} - {8'd0, f_ended[f_d*3 +: 3]};
        end
        if (f_begins)
            {f_life, f_sent} <= 2'b10;
        if (f_phase == 3'd1 && f_take && draw_q == f_mine)
            {f_epoch, f_set} <= {word[33 +: EPOCH_BITS], word[29 +: SET_BITS]};
        f_marks <= marks_empty[f_mine] && !rst;
        if (f_phase == 3'd6 && step_d == 3'd0 && draw_q == f_mine)
            f_sent <= 1'b1;
        if (f_ends)
            f_life <= 1'b0;
        if (rst) begin
            f_wait <= 0;
            f_run  <= 0;
            f_life <= 1'b0;
        end
    end

    reg [4:0] f_enders;
    always @* begin
        f_enders = 5'd0;
        for (f_d = 0; f_d < DRAW_STATES; f_d = f_d + 1)
            f_enders = f_enders + {4'd0, taken_q[f_d] && !taken_d[f_d]};
        if (!rst) begin
            for (f_e = 0; f_e < SE_COUNT; f_e = f_e + 1)                                                        // 1
                assert (f_used[f_e*7 +: 7] == {3'd0, used_q[f_e*4 +: 4]} && used_q[f_e*4 +: 4] <= 4'd8);
            for (f_d = 0; f_d < DRAW_STATES; f_d = f_d + 1) begin
                assert (f_queued[f_d*6 +: 6] == queued_q[f_d*6 +: 6]);
                assert ({1'b0, flight_q[f_d*10 +: 10]} == {5'd0, f_queued[f_d*6 +: 6]} + f_run[f_d*11 +: 11]);
                assert (!f_run[f_d*11 + 10]);
                if (!taken_q[f_d])
                    assert (flight_q[f_d*10 +: 10] == 10'd0);
            end

            assert (taken_q[f_mine] == f_life);                                                                 // 4
            if (f_life) begin
                assert (sent_q[f_mine] == f_sent && drained_q[f_mine] == f_marks);
                assert (f_sent == !(f_phase != 3'd0 && draw_q == f_mine));
                if (f_sent || f_phase >= 3'd2)
                    assert ({epoch_q[f_mine*EPOCH_BITS +: EPOCH_BITS], set_q[f_mine*SET_BITS +: SET_BITS]} ==
                            {f_epoch, f_set});
            end
            if (f_begins) assert (!f_life);
            assert (f_enders == {4'd0, end_valid});
            if (f_ends) assert (f_life && f_sent && flight_q[f_mine*10 +: 10] == 10'd0 && f_marks);
            if (f_ends) assert (end_set == f_set && end_epoch == f_epoch);
            if (f_life && f_sent && f_marks && flight_q[f_mine*10 +: 10] == 10'd0) assert (end_valid);
            if (idle) assert (!f_life && f_phase == 3'd0 && !word_valid && !bus_valid);

            assert (!fault);                                                                                    // 6

            cover (f_send && f_size == 7'd64);
            cover (f_send && f_size == 7'd2 && f_rest == 32'd2);
            cover (f_ends && f_number == 33'd2);
            cover (f_ends && f_number == 33'd0);
        end
    end
`endif
endmodule

`default_nettype wire
