// SPDX-License-Identifier: Apache-2.0
//
// totem_scan: scan converter of an engine: primitives of all assemblers of the path become pixel waves of 64 or 32,
//             each of one draw state.
//
// Policy    assemblers in turn; but the draw state whose pixels are collected goes on while any assembler has a
//           primitive of it in front. A wave ends when it is full, at a mark, or when only other draw states wait.
//           Primitives of a draw that was killed have no pixels; their marks go on.
// Latency   a primitive that the hub gives in clock t is on offer as a wave in t+3 at the earliest; 16 pixels a clock.
// Boundary  all outputs are functions of state: each hub has two places here, so one primitive a clock from any.
// Mask      wave_* count only while wave_valid.
// Cost      SE_COUNT x 56 flip-flops of places, FE_COUNT x DRAW_STATES x (3 + log2(EPOCHS)) of headers, about 60 more.
// Proved    sizes of waves (1), marks (2), pixels (3), why a wave ends (4), order of primitives (5), kills (6).
// Twin      cmodel/throttle/totem_scan.c, same names.

`default_nettype none

module totem_scan #(
    parameter FE_COUNT    = 4,                      // front ends, 1 to 4
    parameter SE_COUNT    = 4,                      // primitive assemblers, 1 to 4
    parameter EPOCHS      = 8,                      // a power of two, 2 to 8
    parameter DRAW_STATES = 16,                     // a power of two, 2 to 16
    parameter EPOCH_BITS  = $clog2(EPOCHS),         // follow from the others
    parameter DRAW_BITS   = $clog2(DRAW_STATES)
) (
    input  wire                          clk,
    input  wire                          rst,
    // hubs of the assemblers
    input  wire [SE_COUNT-1:0]           hub_valid,
    input  wire [SE_COUNT*32-1:0]        hub_data,
    output wire [SE_COUNT-1:0]           hub_ready,
    // geometry
    input  wire [FE_COUNT-1:0]           header_valid,
    input  wire [FE_COUNT*DRAW_BITS-1:0] header_state,
    input  wire [FE_COUNT*64-1:0]        header_data,
    // engine_kill
    input  wire                          kill_valid,
    input  wire [1:0]                    kill_fe,
    input  wire [1:0]                    kill_pipe,
    input  wire [EPOCHS-1:0]             kill_epochs,
    // pixel
    output wire                          wave_valid,
    output wire [1:0]                    wave_fe,
    output wire [DRAW_BITS-1:0]          wave_state,
    output wire [6:0]                    wave_threads,
    output wire                          wave_mark,
    input  wire [FE_COUNT-1:0]           pixel_ready,
    output wire                          hp3d,
    // rest
    output wire                          idle
);
`include "totem_issue_values.vh"
    generate
        if (FE_COUNT < 1 || FE_COUNT > 4 || SE_COUNT < 1 || SE_COUNT > 4 || EPOCHS < 2 || EPOCHS > 8 ||
            EPOCHS != (1 << EPOCH_BITS) || DRAW_STATES < 2 || DRAW_STATES > 16 ||
            DRAW_STATES != (1 << DRAW_BITS)) begin : check
            totem_scan_needs_FE_COUNT_and_SE_COUNT_1_to_4_powers_of_two_EPOCHS_2_to_8_and_DRAW_STATES_2_to_16 refuse ();
        end
    endgenerate

    localparam       STATES   = FE_COUNT*DRAW_STATES;   // of all front ends
    localparam       PLACE    = $clog2(STATES);
    localparam       W        = 27;                     // bits of a primitive

    reg [SE_COUNT*2-1:0]        waiting_q, waiting_d;
    reg [SE_COUNT*W-1:0]        head_q, head_d;
    reg [SE_COUNT*W-1:0]        tail_q, tail_d;
    reg [STATES-1:0]            wave32_q, wave32_d;
    reg [STATES-1:0]            urgent_q, urgent_d;
    reg [STATES*EPOCH_BITS-1:0] epoch_q, epoch_d;
    reg [STATES-1:0]            dead_q, dead_d;
    reg                         prim_valid_q, prim_valid_d;
    reg [19:0]                  left_q, left_d;
    reg                         mark_q, mark_d;
    reg [1:0]                   fe_q, fe_d;
    reg [DRAW_BITS-1:0]         draw_q, draw_d;
    reg [6:0]                   count_q, count_d;
    reg [1:0]                   turn_q, turn_d;
    reg                         wave_valid_q, wave_valid_d;
    reg [1:0]                   wave_fe_q, wave_fe_d;
    reg [DRAW_BITS-1:0]         wave_state_q, wave_state_d;
    reg [6:0]                   wave_threads_q, wave_threads_d;
    reg                         wave_mark_q, wave_mark_d;

    // Registers that reset leaves alone read 0 at start, as in the model.
    initial begin
        waiting_q = 0; head_q = 0; tail_q = 0; wave32_q = 0; urgent_q = 0; epoch_q = 0; dead_q = 0; prim_valid_q = 0;
        left_q = 0; mark_q = 0; fe_q = 0; draw_q = 0; count_q = 0; turn_q = 0; wave_valid_q = 0; wave_fe_q = 0;
        wave_state_q = 0; wave_threads_q = 0; wave_mark_q = 0;
    end

    // Primitives that wait: whether they are of the draw state here, and of an HP3D pipe.
    wire [SE_COUNT-1:0] waits, same, presses;
    genvar g;
    generate
        for (g = 0; g < SE_COUNT; g = g + 1) begin : g_assembler
            wire [1:0]           fe   = head_q[g*W + 21 +: 2];
            wire [DRAW_BITS-1:0] draw = head_q[g*W + 23 +: DRAW_BITS];
            wire [1:0]           real_fe;
            wire [DRAW_BITS+1:0] index = {real_fe, draw};

            if (FE_COUNT == 4) assign real_fe = fe;
            else if (FE_COUNT == 3) assign real_fe = fe == 2'd3 ? 2'd0 : fe;
            else if (FE_COUNT == 2) assign real_fe = {1'b0, fe[0]};
            else assign real_fe = 2'd0;

            assign waits[g]     = waiting_q[g*2 +: 2] != 2'd0;
            assign same[g]      = waits[g] && fe == fe_q && draw == draw_q;
            assign presses[g]   = waits[g] && urgent_q[index[PLACE-1:0]];
            assign hub_ready[g] = !waiting_q[g*2 + 1];
            wire unused = &{1'b0, index, fe, head_q[g*W +: W]};
        end

        // The draw state here.
        wire [1:0] real_fe;
        if (FE_COUNT == 4) assign real_fe = fe_q;
        else if (FE_COUNT == 3) assign real_fe = fe_q == 2'd3 ? 2'd0 : fe_q;
        else if (FE_COUNT == 2) assign real_fe = {1'b0, fe_q[0]};
        else assign real_fe = 2'd0;
    endgenerate

    wire [DRAW_BITS+1:0] index = {real_fe, draw_q};
    wire [PLACE-1:0]     here  = index[PLACE-1:0];
    wire                 gone  = dead_q[here];

    // Pixels of this clock.
    wire [6:0]  size   = wave32_q[here] ? 7'd32 : 7'd64;
    wire [19:0] pixels = gone ? 20'd0 : left_q;
    wire [6:0]  held   = gone ? 7'd0 : count_q;
    wire [6:0]  room   = held >= size ? 7'd0 : size - held;
    wire [4:0]  most   = room > 7'd16 ? 5'd16 : room[4:0];
    wire [4:0]  take   = pixels < {15'd0, most} ? pixels[4:0] : most;
    wire [6:0]  after  = held + {2'd0, take};
    wire        ends   = prim_valid_q && pixels == {15'd0, take};
    wire [3:0]  taking = {{4-FE_COUNT{1'b1}}, pixel_ready};
    wire        free   = !wave_valid_q || taking[wave_fe_q];
    wire        closes = ends && mark_q;
    wire        gives  = prim_valid_q && (after >= size || closes);
    wire        stuck  = gives && !free;

    wire        others = !prim_valid_q && !gone && count_q != 7'd0 && waits != {SE_COUNT{1'b0}} &&
                         same == {SE_COUNT{1'b0}};

    wire        open   = !prim_valid_q || (ends && !stuck);
    wire        rest   = !gives && (prim_valid_q ? after != 7'd0 : held != 7'd0);

    // The first of those in question from `turn` on.
    reg [SE_COUNT-1:0] asks;
    reg [SE_COUNT-1:0] chosen;
    reg [1:0]          choice;
    integer            k;
    always @* begin
        asks = same;
        if (same == {SE_COUNT{1'b0}} && !rest)
            asks = waits;
        choice = 2'd0;
        for (k = SE_COUNT - 1; k >= 0; k = k - 1)
            if (asks[k] && k[1:0] < turn_q)
                choice = k[1:0];
        for (k = SE_COUNT - 1; k >= 0; k = k - 1)
            if (asks[k] && k[1:0] >= turn_q)
                choice = k[1:0];
        for (k = 0; k < SE_COUNT; k = k + 1)
            chosen[k] = open && asks[k] && choice == k[1:0];
    end

    assign wave_valid   = wave_valid_q;
    assign wave_fe      = wave_fe_q;
    assign wave_state   = wave_state_q;
    assign wave_threads = wave_threads_q;
    assign wave_mark    = wave_mark_q;
    assign hp3d         = presses != {SE_COUNT{1'b0}} || ((prim_valid_q || count_q != 7'd0) && urgent_q[here]);
    assign idle         = waits == {SE_COUNT{1'b0}} && !prim_valid_q && count_q == 7'd0 && !wave_valid_q;

    // Not all of a header matters here, nor the last bits of a hub's word.
    wire unused = &{1'b0, index, hub_data, header_data};

    integer n, m;
    always @* begin
        waiting_d      = waiting_q;
        head_d         = head_q;
        tail_d         = tail_q;
        wave32_d       = wave32_q;
        urgent_d       = urgent_q;
        epoch_d        = epoch_q;
        dead_d         = dead_q;
        prim_valid_d   = prim_valid_q;
        left_d         = left_q;
        mark_d         = mark_q;
        fe_d           = fe_q;
        draw_d         = draw_q;
        count_d        = count_q;
        turn_d         = turn_q;
        wave_fe_d      = wave_fe_q;
        wave_state_d   = wave_state_q;
        wave_threads_d = wave_threads_q;
        wave_mark_d    = wave_mark_q;
        // 1 Taken
        wave_valid_d   = wave_valid_q && !free;

        // 2 Collect
        if (prim_valid_q && !stuck) begin
            left_d       = pixels - {15'd0, take};
            count_d      = gives ? 7'd0 : after;
            prim_valid_d = !ends;
        end
        // 3 Leftovers
        if (!prim_valid_q && (gone || (others && free)))
            count_d = 7'd0;
        if ((gives || others) && free) begin
            wave_valid_d   = 1'b1;
            wave_fe_d      = fe_q;
            wave_state_d   = draw_q;
            wave_threads_d = prim_valid_q ? after : count_q;
            wave_mark_d    = closes;
        end

        // 4 Next primitive
        for (n = 0; n < SE_COUNT; n = n + 1) begin
            if (chosen[n]) begin
                prim_valid_d = 1'b1;
                left_d       = head_q[n*W +: 20];
                mark_d       = head_q[n*W + 20];
                fe_d         = head_q[n*W + 21 +: 2];
                draw_d       = head_q[n*W + 23 +: DRAW_BITS];
                turn_d       = n == SE_COUNT - 1 ? 2'd0 : n[1:0] + 2'd1;
            end
            if (chosen[n] || !waits[n])
                head_d[n*W +: W] = hub_ready[n] ? hub_data[n*32 +: W] : tail_q[n*W +: W];
            if (hub_ready[n])
                tail_d[n*W +: W] = hub_data[n*32 +: W];
            waiting_d[n*2 +: 2] = waiting_q[n*2 +: 2] + {1'b0, hub_valid[n] && hub_ready[n]} - {1'b0, chosen[n]};
        end

        for (n = 0; n < FE_COUNT; n = n + 1)
            for (m = 0; m < DRAW_STATES; m = m + 1) begin
                // 5 Kill
                if (kill_valid && kill_pipe == PIPE_GRAPHICS && kill_fe == n[1:0] &&
                    kill_epochs[epoch_q[(n*DRAW_STATES + m)*EPOCH_BITS +: EPOCH_BITS]])
                    dead_d[n*DRAW_STATES + m] = 1'b1;
                // 6 Header
                if (header_valid[n] && header_state[n*DRAW_BITS +: DRAW_BITS] == m[DRAW_BITS-1:0]) begin
                    wave32_d[n*DRAW_STATES + m]                           = header_data[n*64 + 55];
                    epoch_d[(n*DRAW_STATES + m)*EPOCH_BITS +: EPOCH_BITS] = header_data[n*64 + 60 +: EPOCH_BITS];
                    urgent_d[n*DRAW_STATES + m]                           = header_data[n*64 + 63];
                    dead_d[n*DRAW_STATES + m]                             = 1'b0;
                end
            end
    end

    always @(posedge clk) begin
        waiting_q      <= waiting_d;
        head_q         <= head_d;
        tail_q         <= tail_d;
        wave32_q       <= wave32_d;
        urgent_q       <= urgent_d;
        epoch_q        <= epoch_d;
        dead_q         <= dead_d;
        prim_valid_q   <= prim_valid_d;
        left_q         <= left_d;
        mark_q         <= mark_d;
        fe_q           <= fe_d;
        draw_q         <= draw_d;
        count_q        <= count_d;
        turn_q         <= turn_d;
        wave_valid_q   <= wave_valid_d;
        wave_fe_q      <= wave_fe_d;
        wave_state_q   <= wave_state_d;
        wave_threads_q <= wave_threads_d;
        wave_mark_q    <= wave_mark_d;
        if (rst) begin
            waiting_q    <= {SE_COUNT*2{1'b0}};
            wave32_q     <= {STATES{1'b0}};
            urgent_q     <= {STATES{1'b0}};
            epoch_q      <= {STATES*EPOCH_BITS{1'b0}};
            dead_q       <= {STATES{1'b0}};
            prim_valid_q <= 1'b0;
            fe_q         <= 2'd0;
            draw_q       <= {DRAW_BITS{1'b0}};
            count_q      <= 7'd0;
            turn_q       <= 2'd0;
            wave_valid_q <= 1'b0;
        end
    end

    // formal: maxsteps=4
    // formal: maxsteps=4 params=FE_COUNT=2,SE_COUNT=2,EPOCHS=2,DRAW_STATES=2 configs=mini
    // formal: maxsteps=4 params=FE_COUNT=3,SE_COUNT=3,EPOCHS=2,DRAW_STATES=2 configs=mini
    // formal: maxsteps=4 params=FE_COUNT=4,SE_COUNT=4,EPOCHS=2,DRAW_STATES=4 configs=mini
`ifdef FORMAL
`include "totem_scan_properties.vh"
`endif
endmodule

`default_nettype wire
