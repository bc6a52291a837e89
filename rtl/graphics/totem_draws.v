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
//           the draw (4), what stands between draws (5), fault (6).
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
    // draw_count
    input  wire [DRAW_STATES-1:0]        draw_count_empty,
    // context, fence
    output wire                          end_valid,
    output wire [SET_BITS-1:0]           end_set,
    output wire [EPOCH_BITS-1:0]         end_epoch,
    // rest, self-check
    output wire                          idle,
    output wire                          fault
);
`include "totem_draws_values.vh"
    generate
        if (SE_COUNT < 1 || SE_COUNT > 4 || EPOCHS < 2 || EPOCHS > 8 || EPOCHS != (1 << EPOCH_BITS) || SETS < 2 ||
            SETS > 16 || SETS != (1 << SET_BITS) || DRAW_STATES < 2 || DRAW_STATES > 16 ||
            DRAW_STATES != (1 << DRAW_BITS)) begin : check
            totem_draws_needs_SE_COUNT_1_to_4_and_powers_of_two_EPOCHS_2_to_8_SETS_and_DRAW_STATES_2_to_16 refuse ();
        end
    endgenerate

    localparam [2:0] TAIL_KNOWN = 3'd7;     // of tail_bit: every bit of the tail is decided

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
        behind_q = 0; left_q = 0; instances_q = 0; tail_q = 0; tail_bit_q = 0; wave_size_q = 0; number_q = 0;
        dropped_q = 0; sent_q = 0; drained_q = 0; set_q = 0; epoch_q = 0; bus_word_q = 0; bus_tag_q = 0;
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
    assign room           = step_q == STEP_COUNTS && !word_valid && any_free;
    assign idle           = step_q == STEP_COUNTS && !word_valid && !bus_valid_q && taken_q == {DRAW_STATES{1'b0}};
    assign bus_valid      = bus_valid_q;
    assign bus_word       = bus_word_q;
    assign bus_tag        = bus_tag_q;
    assign fault          = fault_q;

    // ---- primitive types

    reg [5:0] type_first, type_step;
    always @*
        case (word[5:0])
            PRIMITIVE_POINT_LIST:               {type_first, type_step} = {6'd1, 6'd1};
            PRIMITIVE_LINE_LIST:                {type_first, type_step} = {6'd2, 6'd2};
            PRIMITIVE_LINE_STRIP,
            PRIMITIVE_LINE_LOOP:                {type_first, type_step} = {6'd2, 6'd1};
            PRIMITIVE_TRIANGLE_LIST,
            PRIMITIVE_RECTANGLE_2D,
            PRIMITIVE_RECTANGLE_LIST:           {type_first, type_step} = {6'd3, 6'd3};
            PRIMITIVE_TRIANGLE_FAN,
            PRIMITIVE_TRIANGLE_STRIP,
            PRIMITIVE_POLYGON:                  {type_first, type_step} = {6'd3, 6'd1};
            PRIMITIVE_PATCH:                    {type_first, type_step} = {word[11:6], word[11:6]};
            PRIMITIVE_LINE_LIST_ADJACENCY,
            PRIMITIVE_QUAD_LIST:                {type_first, type_step} = {6'd4, 6'd4};
            PRIMITIVE_LINE_STRIP_ADJACENCY:     {type_first, type_step} = {6'd4, 6'd1};
            PRIMITIVE_TRIANGLE_LIST_ADJACENCY:  {type_first, type_step} = {6'd6, 6'd6};
            PRIMITIVE_TRIANGLE_STRIP_ADJACENCY: {type_first, type_step} = {6'd6, 6'd2};
            PRIMITIVE_QUAD_STRIP:               {type_first, type_step} = {6'd4, 6'd2};
            default:                            {type_first, type_step} = {6'd0, 6'd0};
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

    wire send = step_q == STEP_WAVES && wave_valid_q && !dropped_q && credit && open &&
                flight_q[draw_q*10 +: 10] != 10'd1023;
    wire gap  = !wave_valid_q || send;

    wire [2:0] now_epoch = {{3-EPOCH_BITS{1'b0}}, epoch_q[draw_q*EPOCH_BITS +: EPOCH_BITS]};
    wire [3:0] now_set   = {{4-SET_BITS{1'b0}}, set_q[draw_q*SET_BITS +: SET_BITS]};

    assign take = step_q == STEP_COUNTS && any_free || step_q == STEP_SHAPE ||
                  (step_q == STEP_HEADER || step_q == STEP_STATE || step_q == STEP_PIXEL_HEADER ||
                   step_q == STEP_PIXEL_STATE) && open;
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
        put_kind     = DRAW_HEADER;
        put_engine   = 2'd0;
        grants       = 3'd0;
        completions  = 3'd0;
        one          = 1'b0;

        // 7 Prepare
        if (more_q) begin
            if (full) begin
                if (gap) begin
                    wave_valid_d = 1'b1;
                    wave_size_d  = 7'd64;
                    left_d       = {left_q[31:6] - {20'd0, stride_q}, left_q[5:0]};
                end
            end else if (tail_bit_q != TAIL_KNOWN) begin
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
            // 2 Word 0
            STEP_COUNTS:
                if (taken_word) begin
                    behind_d    = word[31:0];
                    instances_d = word[63:32];
                    number_d    = 33'd0;
                    dropped_d   = 1'b0;
                    draw_d      = free;
                    step_d      = STEP_SHAPE;
                    for (d = 0; d < DRAW_STATES; d = d + 1)
                        if (free == d[DRAW_BITS-1:0]) begin
                            taken_d[d] = 1'b1;
                            sent_d[d]  = 1'b0;
                        end
                end
            // 3 Word 1
            STEP_SHAPE:
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
                    step_d     = STEP_HEADER;
                    for (d = 0; d < DRAW_STATES; d = d + 1)
                        if (draw_q == d[DRAW_BITS-1:0]) begin
                            set_d[d*SET_BITS +: SET_BITS]       = word[29 +: SET_BITS];
                            epoch_d[d*EPOCH_BITS +: EPOCH_BITS] = word[33 +: EPOCH_BITS];
                        end
                end
            // 4 Header
            STEP_HEADER:
                if (taken_word) begin
                    put        = 1'b1;
                    bus_word_d = {22'd0, word[41:0]};
                    step_d     = (words_q == 5'd0) ? STEP_PIXEL_HEADER : STEP_STATE;
                end
            // 5 State words
            STEP_STATE:
                if (taken_word) begin
                    put        = 1'b1;
                    put_kind   = DRAW_STATE_WORD;
                    bus_word_d = word;
                    words_d    = words_q - 5'd1;
                    if (words_q == 5'd1)
                        step_d = STEP_PIXEL_HEADER;
                end
            STEP_PIXEL_HEADER:
                if (taken_word) begin
                    put        = 1'b1;
                    put_kind   = DRAW_PIXEL_HEADER;
                    bus_word_d = word;
                    step_d     = (pixel_words_q == 5'd0) ? STEP_WAVES : STEP_PIXEL_STATE;
                end
            STEP_PIXEL_STATE:
                if (taken_word) begin
                    put           = 1'b1;
                    put_kind      = DRAW_STATE_WORD;
                    bus_word_d    = word;
                    pixel_words_d = pixel_words_q - 5'd1;
                    if (pixel_words_q == 5'd1)
                        step_d = STEP_WAVES;
                end
            STEP_WAVES: begin
                // 6 Send
                if (send) begin
                    put        = 1'b1;
                    put_kind   = DRAW_WAVE;
                    put_engine = turn_q;
                    bus_word_d = {number_q, now_set, now_epoch, wave32_q, wave_size_q, lds_q, vgprs_q};
                    number_d   = number_q + 33'd1;
                    turn_d     = ({30'd0, turn_q} == SE_COUNT - 1) ? 2'd0 : turn_q + 2'd1;
                end
                // 8 Finish
                if (dropped_q || ((send || !wave_valid_q) && !more_q)) begin
                    step_d       = STEP_COUNTS;
                    more_d       = 1'b0;
                    wave_valid_d = 1'b0;
                    for (d = 0; d < DRAW_STATES; d = d + 1)
                        if (draw_q == d[DRAW_BITS-1:0]) sent_d[d] = 1'b1;
                end
            end
            default: ;
        endcase

        // 1 Inputs
        bus_valid_d = put || (bus_valid_q && !bus_ready);
        if (put)
            bus_tag_d = {{4-DRAW_BITS{1'b0}}, draw_q, 1'b0, put_kind, 1'b1, hp3d_q ? CLASS_HP3D : CLASS_GFX,
                         put_engine, fe_number, 2'd0};

        // 9 Counts
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
            // 10 End
            if (end_valid && over == d[DRAW_BITS-1:0])
                taken_d[d] = 1'b0;
        end

        // 11 Kill
        if (kill_word_valid && step_q != STEP_COUNTS && step_q != STEP_SHAPE &&
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
        drained_q    <= draw_count_empty;
        queued_q     <= queued_d;
        flight_q     <= flight_d;
        set_q        <= set_d;
        epoch_q      <= epoch_d;
        bus_valid_q  <= bus_valid_d;
        bus_word_q   <= bus_word_d;
        bus_tag_q    <= bus_tag_d;
        fault_q      <= fault_d;
        if (rst) begin
            step_q       <= STEP_COUNTS;
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

    // formal: configs=board alone=1 apart=1 timeout=1200
    // formal: params=SE_COUNT=2,EPOCHS=2,SETS=2,DRAW_STATES=2 configs=full,mini,pole alone=1 apart=1 timeout=1200
`ifdef FORMAL
`include "totem_draws_properties.vh"
`endif
endmodule

`default_nettype wire
