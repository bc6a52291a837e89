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
// Proof     invariants 1 (room), 2 (order), 3 (program), 4 (apart), 5 (words).
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
`include "totem_draws_values.vh"
    generate
        if (LANES < 1 || EPOCHS < 2 || EPOCHS > 8 || EPOCHS != (1 << EPOCH_BITS) || SETS < 2 || SETS > 16 ||
            SETS != (1 << SET_BITS) || DRAW_STATES < 2 || DRAW_STATES > 16 ||
            DRAW_STATES != (1 << DRAW_BITS)) begin : check
            totem_geometry_needs_LANES_from_1_and_powers_of_two_EPOCHS_2_to_8_SETS_and_DRAW_STATES_2_to_16 refuse ();
        end
    endgenerate

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
            if (bus_lane_valid[lane] && lane_tag[3:2] == fe_number &&
                (lane_tag[7:6] == CLASS_HP3D || lane_tag[7:6] == CLASS_GFX) && lane_tag[8] &&
                (lane_tag[10:9] != DRAW_WAVE || lane_tag[5:4] == se_number)) begin
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
        // 3 Read ahead
        held_d                 = held_q || program_read_enable;
        held_state_d           = program_read_enable ? lead : held_state_q;
        index_d                = index_q;
        pixels_d               = pixels_q;
        // 1 Writes
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

        // 2 Grant
        if (pop && head_valid) begin
            count_d = count_q - 4'd1;
            first_d = first_q + 3'd1;
        end

        if (word_valid)
            case (kind)
                // 4 Headers
                DRAW_HEADER: begin
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
                // 5 State word
                DRAW_STATE_WORD: begin
                    state_write_enable_d = !pixels_q;
                    pixel_write_enable_d = pixels_q;
                    state_write_addr_d   = {state, index_q};
                    state_write_data_d   = word;
                    index_d              = index_q + 5'd1;
                end
                // 6 Wave
                DRAW_WAVE:
                    if (count_q == 4'd8)
                        overrun_d = 1'b1;
                    else begin
                        for (n = 0; n < 8; n = n + 1)
                            if (place == n[2:0]) begin
                                fifo_word_d[n*64 +: 64]                = word;
                                fifo_state_d[n*DRAW_BITS +: DRAW_BITS] = state;
                                fifo_hp3d_d[n]                         = tag[7:6] == CLASS_HP3D;
                            end
                        count_d = count_d + 4'd1;
                    end
                // 4 Headers, continued
                DRAW_PIXEL_HEADER: begin
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
`include "totem_geometry_properties.vh"
`endif
endmodule

`default_nettype wire
