// SPDX-License-Identifier: Apache-2.0
//
// totem_pixel: pixel waves of one front end at one engine: a FIFO of two behind scan, and the head for issue.
//
// Policy    first in, first out. The header of the oldest wave is read ahead and kept until another draw state needs
//           it, so waves of one draw follow each other at any rate. A mark alone leaves at once.
// Latency   a wave that arrives at an empty FIFO is the head one clock later, three if its draw state is another one.
// Boundary  all outputs are functions of state: the header is kept in a register, HP3D primitives count a clock late.
// Mask      head_* count only while head_valid, mark_state while mark_valid, the RAM's address while its enable.
// Cost      64 flip-flops of header, 2 x (8 + log2(DRAW_STATES)) of FIFO, about 50 in all else.
// Proved    order, none lost (1), marks (2), the header of the head (3), reads of the header RAM (4), progress (5).
// Twin      cmodel/throttle/totem_pixel.c, same names.

`default_nettype none

module totem_pixel #(
    parameter EPOCHS      = 8,                      // a power of two, 2 to 8
    parameter SETS        = 8,                      // a power of two, 2 to 16
    parameter DRAW_STATES = 16,                     // a power of two, 2 to 16
    parameter EPOCH_BITS  = $clog2(EPOCHS),         // follow from the others
    parameter SET_BITS    = $clog2(SETS),
    parameter DRAW_BITS   = $clog2(DRAW_STATES)
) (
    input  wire                  clk,
    input  wire                  rst,
    // what it is: constant
    input  wire [1:0]            fe_number,
    // scan
    input  wire                  scan_wave_valid,
    input  wire [1:0]            scan_wave_fe,
    input  wire [DRAW_BITS-1:0]  scan_wave_state,
    input  wire [6:0]            scan_wave_threads,
    input  wire                  scan_wave_mark,
    input  wire                  scan_hp3d,
    output wire                  ready,
    // geometry
    input  wire                  header_valid,
    input  wire [DRAW_BITS-1:0]  header_state,
    // header RAM
    output wire                  header_read_enable,
    output wire [DRAW_BITS-1:0]  header_read_addr,
    input  wire [63:0]           header_read_data,
    // issue
    output wire                  head_valid,
    output wire                  head_hp3d,
    output wire [6:0]            head_vgprs,
    output wire [8:0]            head_lds,
    output wire                  head_wave32,
    output wire [39:0]           head_program,
    output wire [EPOCH_BITS-1:0] head_epoch,
    output wire [DRAW_BITS-1:0]  head_state,
    output wire [SET_BITS-1:0]   head_set,
    output wire [32:0]           head_number,
    output wire [6:0]            head_threads,
    input  wire                  pop,
    // draws
    output wire                  mark_valid,
    output wire [DRAW_BITS-1:0]  mark_state,
    // rest
    output wire                  idle
);
    generate
        if (EPOCHS < 2 || EPOCHS > 8 || EPOCHS != (1 << EPOCH_BITS) || SETS < 2 || SETS > 16 ||
            SETS != (1 << SET_BITS) || DRAW_STATES < 2 || DRAW_STATES > 16 ||
            DRAW_STATES != (1 << DRAW_BITS)) begin : check
            totem_pixel_needs_powers_of_two_EPOCHS_2_to_8_SETS_and_DRAW_STATES_2_to_16 refuse ();
        end
    endgenerate

    reg [1:0]             count_q, count_d;
    reg [2*DRAW_BITS-1:0] fifo_state_q, fifo_state_d;
    reg [13:0]            fifo_threads_q, fifo_threads_d;
    reg [1:0]             fifo_mark_q, fifo_mark_d;
    reg                   fetched_q, fetched_d;
    reg                   held_q, held_d;
    reg [DRAW_BITS-1:0]   held_state_q, held_state_d;
    reg [63:0]            header_q, header_d;
    reg                   look_q, look_d;
    reg [DRAW_BITS-1:0]   look_state_q, look_state_d;
    reg                   urgent_q, urgent_d;
    reg [32:0]            number_q, number_d;
    reg                   mark_valid_q, mark_valid_d;
    reg [DRAW_BITS-1:0]   mark_state_q, mark_state_d;

    // Registers that reset leaves alone read 0 at start, as in the model.
    initial begin
        count_q = 0; fifo_state_q = 0; fifo_threads_q = 0; fifo_mark_q = 0; fetched_q = 0; held_q = 0;
        held_state_q = 0; header_q = 0; look_q = 0; look_state_q = 0; urgent_q = 0; number_q = 0; mark_valid_q = 0;
        mark_state_q = 0;
    end

    wire                 some   = count_q != 2'd0;
    wire                 wave   = some && fifo_threads_q[6:0] != 7'd0;
    wire [DRAW_BITS-1:0] oldest = fifo_state_q[DRAW_BITS-1:0];
    wire                 leaves = (head_valid && pop) || (some && !wave);
    wire                 accept = scan_wave_valid && scan_wave_fe == fe_number && ready;
    // What the FIFO holds of the next clock, before the wave that arrives.
    wire [1:0]           stay   = count_q - {1'b0, leaves};

    assign ready              = count_q < 2'd2;
    assign head_valid         = wave && held_q && held_state_q == oldest;
    assign head_hp3d          = header_q[63] || urgent_q;
    assign head_vgprs         = {1'b0, header_q[45:40]} + 7'd1;
    assign head_lds           = header_q[54:46];
    assign head_wave32        = header_q[55];
    assign head_program       = header_q[39:0];
    assign head_epoch         = header_q[60 +: EPOCH_BITS];
    assign head_state         = oldest;
    assign head_set           = header_q[56 +: SET_BITS];
    assign head_number        = number_q;
    assign head_threads       = fifo_threads_q[6:0];
    assign header_read_enable = look_q;
    assign header_read_addr   = look_state_q;
    assign mark_valid         = mark_valid_q;
    assign mark_state         = mark_state_q;
    assign idle               = !some && !mark_valid_q;

    // Numbers of sets and epochs have the width of their configuration.
    wire unused = &{1'b0, header_q};

    always @* begin
        fifo_state_d   = fifo_state_q;
        fifo_threads_d = fifo_threads_q;
        fifo_mark_d    = fifo_mark_q;
        number_d       = number_q;
        mark_state_d   = mark_state_q;
        // 2 Header
        fetched_d      = look_q;
        held_d         = (held_q || fetched_q) && !look_q;
        held_state_d   = look_q ? look_state_q : held_state_q;
        header_d       = fetched_q ? header_read_data : header_q;
        // 6 Urgent
        urgent_d       = scan_hp3d;

        // 1 Leave
        mark_valid_d = 1'b0;
        if (leaves) begin
            fifo_state_d[DRAW_BITS-1:0] = fifo_state_q[DRAW_BITS +: DRAW_BITS];
            fifo_threads_d[6:0]         = fifo_threads_q[13:7];
            fifo_mark_d[0]              = fifo_mark_q[1];
            mark_valid_d                = fifo_mark_q[0];
            mark_state_d                = oldest;
            if (head_valid)
                number_d = number_q + 33'd1;
        end

        // 3 Arrival
        if (accept) begin
            if (stay == 2'd0) begin
                fifo_state_d[DRAW_BITS-1:0] = scan_wave_state;
                fifo_threads_d[6:0]         = scan_wave_threads;
                fifo_mark_d[0]              = scan_wave_mark;
            end else begin
                fifo_state_d[DRAW_BITS +: DRAW_BITS] = scan_wave_state;
                fifo_threads_d[13:7]                 = scan_wave_threads;
                fifo_mark_d[1]                       = scan_wave_mark;
            end
        end
        count_d = stay + {1'b0, accept};

        // 4 Stale
        if (header_valid && header_state == held_state_d) begin
            fetched_d = 1'b0;
            held_d    = 1'b0;
        end

        // 5 Look
        look_d       = count_d != 2'd0 && fifo_threads_d[6:0] != 7'd0 &&
                       !((held_d || fetched_d) && held_state_d == fifo_state_d[DRAW_BITS-1:0]);
        look_state_d = look_d ? fifo_state_d[DRAW_BITS-1:0] : look_state_q;
    end

    always @(posedge clk) begin
        count_q        <= count_d;
        fifo_state_q   <= fifo_state_d;
        fifo_threads_q <= fifo_threads_d;
        fifo_mark_q    <= fifo_mark_d;
        fetched_q      <= fetched_d;
        held_q         <= held_d;
        held_state_q   <= held_state_d;
        header_q       <= header_d;
        look_q         <= look_d;
        look_state_q   <= look_state_d;
        urgent_q       <= urgent_d;
        number_q       <= number_d;
        mark_valid_q   <= mark_valid_d;
        mark_state_q   <= mark_state_d;
        if (rst) begin
            count_q      <= 2'd0;
            fetched_q    <= 1'b0;
            held_q       <= 1'b0;
            look_q       <= 1'b0;
            urgent_q     <= 1'b0;
            number_q     <= 33'd0;
            mark_valid_q <= 1'b0;
        end
    end

    // formal: maxsteps=4
`ifdef FORMAL
`include "totem_pixel_properties.vh"
`endif
endmodule

`default_nettype wire
