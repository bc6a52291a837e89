// SPDX-License-Identifier: Apache-2.0
//
// totem_geometry: geometry of one front end at one engine: draw states into RAMs, waves into a FIFO of 8.
//
// Policy    first in, first out. The program of the head is read ahead from its RAM, and read again only when the head
//           has another draw state, so waves of one draw follow each other at any rate.
// Latency   a wave on the lane is the head one clock later, two if its draw state is not that of the wave before.
// Boundary  all outputs are functions of state. The program RAM's read_data goes to issue directly; its words are never
//           read while they are written (MEETS 0).
// Mask      head_* count only while head_valid, addresses and data of RAMs while their enable.
// Cost      8 x (65 + log2(DRAW_STATES)) flip-flops of FIFO, about 140 in all else.
// Proved    room (1), order (2), the program of the head (3), no meeting in the program RAM (4), state words (5).
// Twin      cmodel/issue/totem_geometry.c, same names.

`default_nettype none

module totem_geometry #(
    parameter LANES       = 8,                      // at least 1
    parameter EPOCHS      = 8,                      // a power of two, 2 to 8
    parameter SETS        = 8,                      // a power of two, 2 to 16
    parameter DRAW_STATES = 16,                     // a power of two, 2 to 16
    parameter EPOCH_BITS  = $clog2(EPOCHS),         // follow from the others
    parameter SET_BITS    = $clog2(SETS),
    parameter DRAW_BITS   = $clog2(DRAW_STATES)
) (
    input  wire                  clk,
    input  wire                  rst,
    // what it is: constants
    input  wire [1:0]            fe_number,
    input  wire [1:0]            se_number,
    // bus
    input  wire [LANES-1:0]      bus_lane_valid,
    input  wire [LANES*64-1:0]   bus_lane_word,
    input  wire [LANES*16-1:0]   bus_lane_tag,
    // issue
    output wire                  head_valid,
    output wire                  head_hp3d,
    output wire [DRAW_BITS-1:0]  head_state,
    output wire [6:0]            head_vgprs,
    output wire [8:0]            head_lds,
    output wire [6:0]            head_primitives,
    output wire                  head_wave32,
    output wire [EPOCH_BITS-1:0] head_epoch,
    output wire [SET_BITS-1:0]   head_set,
    output wire [32:0]           head_number,
    output wire [1:0]            head_throttle,
    input  wire                  pop,
    // state RAM
    output wire                  state_write_enable,
    output wire [DRAW_BITS+4:0]  state_write_addr,
    output wire [63:0]           state_write_data,
    // pixel RAM
    output wire                  pixel_write_enable,
    output wire [DRAW_BITS+4:0]  pixel_write_addr,
    output wire [63:0]           pixel_write_data,
    // header RAM, scan, pixel
    output wire                  header_write_enable,
    output wire [DRAW_BITS-1:0]  header_write_addr,
    output wire [63:0]           header_write_data,
    // program RAM
    output wire                  program_write_enable,
    output wire [DRAW_BITS-1:0]  program_write_addr,
    output wire [39:0]           program_write_data,
    output wire                  program_read_enable,
    output wire [DRAW_BITS-1:0]  program_read_addr,
    // rest, self-check
    output wire                  idle,
    output wire                  overrun
);
    generate
        if (LANES < 1 || EPOCHS < 2 || EPOCHS > 8 || EPOCHS != (1 << EPOCH_BITS) || SETS < 2 || SETS > 16 ||
            SETS != (1 << SET_BITS) || DRAW_STATES < 2 || DRAW_STATES > 16 ||
            DRAW_STATES != (1 << DRAW_BITS)) begin : check
            totem_geometry_needs_LANES_from_1_and_powers_of_two_EPOCHS_2_to_8_SETS_and_DRAW_STATES_2_to_16 refuse ();
        end
    endgenerate

    localparam [1:0] KIND_HEADER = 2'd0, KIND_STATE = 2'd1, KIND_WAVE = 2'd2, KIND_PIXEL = 2'd3;
    localparam [1:0] HP3D = 2'd1, GFX = 2'd2;

    reg [3:0]             count_q, count_d;
    reg [2:0]             first_q, first_d;
    reg [8*64-1:0]        fifo_word_q, fifo_word_d;
    reg [8*DRAW_BITS-1:0] fifo_state_q, fifo_state_d;
    reg [7:0]             fifo_hp3d_q, fifo_hp3d_d;
    reg                   held_q, held_d;
    reg [DRAW_BITS-1:0]   held_state_q, held_state_d;
    reg [4:0]             index_q, index_d;
    reg                   pixels_q, pixels_d;
    reg                   state_write_enable_q, state_write_enable_d;
    reg [DRAW_BITS+4:0]   state_write_addr_q, state_write_addr_d;
    reg [63:0]            state_write_data_q, state_write_data_d;
    reg                   pixel_write_enable_q, pixel_write_enable_d;
    reg                   header_write_enable_q, header_write_enable_d;
    reg                   program_write_enable_q, program_write_enable_d;
    reg [DRAW_BITS-1:0]   program_write_addr_q, program_write_addr_d;
    reg [39:0]            program_write_data_q, program_write_data_d;
    reg [DRAW_STATES*2-1:0] enables_q, enables_d;
    reg                   overrun_q, overrun_d;

    // Registers that reset leaves alone read 0 at start, as in the model.
    initial begin
        count_q = 0; first_q = 0; held_q = 0; index_q = 0; state_write_enable_q = 0; program_write_enable_q = 0;
        overrun_q = 0; pixels_q = 0; pixel_write_enable_q = 0; header_write_enable_q = 0;
        enables_q = 0;
        fifo_word_q = 0; fifo_state_q = 0; fifo_hp3d_q = 0; held_state_q = 0; state_write_addr_q = 0;
        state_write_data_q = 0; program_write_addr_q = 0; program_write_data_q = 0;
    end

    // The head, and its program.
    wire [63:0]          head = fifo_word_q[first_q*64 +: 64];
    wire [DRAW_BITS-1:0] lead = fifo_state_q[first_q*DRAW_BITS +: DRAW_BITS];
    wire                 some = count_q != 4'd0;
    wire                 here = held_q && held_state_q == lead;

    assign head_valid      = some && here;
    assign head_hp3d       = fifo_hp3d_q[first_q];
    assign head_state      = lead;
    assign head_vgprs      = head[6:0];
    assign head_lds        = head[15:7];
    assign head_primitives = head[22:16];
    assign head_wave32     = head[23];
    assign head_epoch      = head[24 +: EPOCH_BITS];
    assign head_set        = head[27 +: SET_BITS];
    assign head_number     = head[63:31];
    assign head_throttle   = enables_q[lead*2 +: 2];

    assign program_read_enable  = some && !here && !program_write_enable_q;
    assign program_read_addr    = lead;
    assign state_write_enable   = state_write_enable_q;
    assign state_write_addr     = state_write_addr_q;
    assign state_write_data     = state_write_data_q;
    assign pixel_write_enable   = pixel_write_enable_q;
    assign pixel_write_addr     = state_write_addr_q;
    assign pixel_write_data     = state_write_data_q;
    assign header_write_enable  = header_write_enable_q;
    assign header_write_addr    = program_write_addr_q;
    assign header_write_data    = state_write_data_q;
    assign program_write_enable = program_write_enable_q;
    assign program_write_addr   = program_write_addr_q;
    assign program_write_data   = program_write_data_q;
    assign idle                 = !some;
    assign overrun              = overrun_q;

    // The word on the bus for this block: at most one lane carries one in a clock.
    reg        word_valid;
    reg [63:0] word;
    reg [15:0] tag;
    reg [15:0] lane_tag;
    integer    lane;

    always @* begin
        word_valid = 1'b0;
        word       = 64'd0;
        tag        = 16'd0;
        lane_tag   = 16'd0;
        for (lane = 0; lane < LANES; lane = lane + 1) begin
            lane_tag = bus_lane_tag[lane*16 +: 16];
            if (bus_lane_valid[lane] && lane_tag[3:2] == fe_number && (lane_tag[7:6] == HP3D || lane_tag[7:6] == GFX) &&
                lane_tag[8] && (lane_tag[10:9] != KIND_WAVE || lane_tag[5:4] == se_number)) begin
                word_valid = 1'b1;
                word       = word | bus_lane_word[lane*64 +: 64];
                tag        = tag | lane_tag;
            end
        end
    end

    wire [1:0]           kind  = tag[10:9];
    wire [DRAW_BITS-1:0] state = tag[12 +: DRAW_BITS];
    wire [2:0]           place = first_q + count_q[2:0];

    // Path, front end and engine brought the word here; numbers have the width of their configuration.
    wire unused = &{1'b0, tag, head};

    integer n;
    always @* begin
        count_d                = count_q;
        first_d                = first_q;
        fifo_word_d            = fifo_word_q;
        fifo_state_d           = fifo_state_q;
        fifo_hp3d_d            = fifo_hp3d_q;
        held_d                 = held_q || program_read_enable;
        held_state_d           = program_read_enable ? lead : held_state_q;
        index_d                = index_q;
        pixels_d               = pixels_q;
        state_write_enable_d   = 1'b0;
        pixel_write_enable_d   = 1'b0;
        header_write_enable_d  = 1'b0;
        state_write_addr_d     = state_write_addr_q;
        state_write_data_d     = state_write_data_q;
        program_write_enable_d = 1'b0;
        program_write_addr_d   = program_write_addr_q;
        program_write_data_d   = program_write_data_q;
        enables_d              = enables_q;
        overrun_d              = overrun_q;

        if (pop && head_valid) begin
            count_d = count_q - 4'd1;
            first_d = first_q + 3'd1;
        end

        if (word_valid)
            case (kind)
                KIND_HEADER: begin
                    program_write_enable_d = 1'b1;
                    program_write_addr_d   = state;
                    program_write_data_d   = word[39:0];
                    for (n = 0; n < DRAW_STATES; n = n + 1)
                        if (state == n[DRAW_BITS-1:0]) enables_d[n*2 +: 2] = word[41:40];
                    index_d                = 5'd0;
                    pixels_d               = 1'b0;
                    if (held_state_d == state)
                        held_d = 1'b0;
                end
                KIND_STATE: begin
                    state_write_enable_d = !pixels_q;
                    pixel_write_enable_d = pixels_q;
                    state_write_addr_d   = {state, index_q};
                    state_write_data_d   = word;
                    index_d              = index_q + 5'd1;
                end
                KIND_WAVE:
                    if (count_q == 4'd8)
                        overrun_d = 1'b1;
                    else begin
                        for (n = 0; n < 8; n = n + 1)
                            if (place == n[2:0]) begin
                                fifo_word_d[n*64 +: 64]                = word;
                                fifo_state_d[n*DRAW_BITS +: DRAW_BITS] = state;
                                fifo_hp3d_d[n]                         = tag[7:6] == HP3D;
                            end
                        count_d = count_d + 4'd1;
                    end
                KIND_PIXEL: begin
                    header_write_enable_d = 1'b1;
                    program_write_addr_d  = state;
                    state_write_data_d    = word;
                    index_d               = 5'd0;
                    pixels_d              = 1'b1;
                end
            endcase
    end

    always @(posedge clk) begin
        count_q                <= count_d;
        first_q                <= first_d;
        fifo_word_q            <= fifo_word_d;
        fifo_state_q           <= fifo_state_d;
        fifo_hp3d_q            <= fifo_hp3d_d;
        held_q                 <= held_d;
        held_state_q           <= held_state_d;
        index_q                <= index_d;
        pixels_q               <= pixels_d;
        pixel_write_enable_q   <= pixel_write_enable_d;
        header_write_enable_q  <= header_write_enable_d;
        state_write_enable_q   <= state_write_enable_d;
        state_write_addr_q     <= state_write_addr_d;
        state_write_data_q     <= state_write_data_d;
        program_write_enable_q <= program_write_enable_d;
        program_write_addr_q   <= program_write_addr_d;
        program_write_data_q   <= program_write_data_d;
        enables_q              <= enables_d;
        overrun_q              <= overrun_d;
        if (rst) begin
            count_q                <= 4'd0;
            first_q                <= 3'd0;
            held_q                 <= 1'b0;
            index_q                <= 5'd0;
            pixels_q               <= 1'b0;
            pixel_write_enable_q   <= 1'b0;
            header_write_enable_q  <= 1'b0;
            state_write_enable_q   <= 1'b0;
            program_write_enable_q <= 1'b0;
            overrun_q              <= 1'b0;
            enables_q              <= {2*DRAW_STATES{1'b0}};
        end
    end

`ifdef FORMAL
    // Numbered as the invariants of the contract. The RAM of programs is told from the ports for a draw state picked at
    // will; nothing is assumed of the neighbours.
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
                (bus_lane_tag[f_n*16 + 9 +: 2] != 2'd2 || bus_lane_tag[f_n*16 + 4 +: 2] == se_number)) begin
                f_valid = 1'b1;
                f_word  = f_word | bus_lane_word[f_n*64 +: 64];
                f_tag   = f_tag | bus_lane_tag[f_n*16 +: 16];
            end
    end
    wire        f_header = f_valid && f_tag[10:9] == 2'd0;
    wire        f_words  = f_valid && f_tag[10:9] == 2'd1;
    wire        f_wave   = f_valid && f_tag[10:9] == 2'd2;
    wire        f_pixel  = f_valid && f_tag[10:9] == 2'd3;

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
            f_kept  <= {f_tag[7:6] == 2'd1, f_tag[12 +: DRAW_BITS], f_word};
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
            assert (count_q == f_size && f_size <= 4'd8 && overrun == f_over);                                  // 1
            assert (idle == (f_size == 4'd0));

            if (f_held) begin                                                                                   // 2
                assert (f_ahead < f_size);
                assert ({fifo_hp3d_q[f_place], fifo_state_q[f_place*DRAW_BITS +: DRAW_BITS],
                         fifo_word_q[f_place*64 +: 64]} == f_kept);
                if (f_ahead == 4'd0) begin
                    assert ({head_hp3d, head_state} == f_kept[64 +: DRAW_BITS+1]);
                    assert ({head_number, head_wave32, head_primitives, head_lds, head_vgprs} ==
                            {f_kept[63:31], f_kept[23:0]});
                    assert (head_epoch == f_kept[24 +: EPOCH_BITS] && head_set == f_kept[27 +: SET_BITS]);
                end
            end

            if (f_came)                                                                                         // 3
                assert (((program_write_enable && program_write_addr == f_state) ? program_write_data : f_ram) ==
                        f_program);
            if (held_q)
                assert (f_mine == (held_state_q == f_state));
            if (held_q && f_mine && f_came)
                assert (f_read == f_ram && f_read == f_program);
            if (head_valid && head_state == f_state)
                assert (f_mine && (!f_came || (f_read == f_program && head_throttle == f_enables)));
            if (f_came) assert (enables_q[f_state*2 +: 2] == f_enables);

            if (program_read_enable)                                                                            // 4
                assert (!program_write_enable);

            assert (state_write_enable == (f_write && !f_which) && pixel_write_enable == (f_write && f_which));   // 5
            assert (index_q == f_index && pixels_q == f_half && header_write_enable == f_head);
            if (f_write)
                assert ({state_write_addr, state_write_data} == f_written &&
                        {pixel_write_addr, pixel_write_data} == f_written);
            if (f_head)
                assert ({header_write_addr, header_write_data} == {f_written[69 +: DRAW_BITS], f_written[63:0]});

            cover (f_held && f_ahead == 4'd3);
            cover (!idle && program_write_enable && program_write_addr == head_state);
            cover (overrun);
        end
`endif
endmodule

`default_nettype wire
