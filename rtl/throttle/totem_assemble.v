// SPDX-License-Identifier: Apache-2.0
//
// totem_assemble: primitive assembler of an engine: exports of geometry waves become primitives, one a clock, for the
//                 scan converters in turn, the last one of a wave for each converter with a mark.
//
// Policy    one export after the other, as the core offers them; primitive k goes to converter k modulo SE_COUNT. A
//           full FIFO of the hub holds the assembler. Marks of converters that get no primitive are given back at once.
// Latency   an export on offer in clock t has its first primitive on offer in t+1; export_ready comes one clock behind
//           the last one, and three clocks lie between the last primitive of a wave and the first one of the next.
// Boundary  all outputs are functions of state: the export is captured when it begins.
// Mask      push_data counts only while push_valid, cull_* while cull_valid.
// Cost      SLOTS x (3 + log2(DRAW_STATES)) flip-flops say whose wave a slot has, about 65 more are the export.
// Proved    turns (1), primitives and marks of an export (2), offers stand (3), no fault (4), whose they are (5).
// Twin      cmodel/throttle/totem_assemble.c, same names.

`default_nettype none

module totem_assemble #(
    parameter SE_COUNT    = 4,                      // scan converters, 1 to 4
    parameter SLOTS       = 64,                     // a power of two, 2 to 64
    parameter DRAW_STATES = 16,                     // a power of two, 2 to 16
    parameter SLOT_BITS   = $clog2(SLOTS),          // follow from the others
    parameter DRAW_BITS   = $clog2(DRAW_STATES)
) (
    input  wire                   clk,
    input  wire                   rst,
    // launch
    input  wire                   alloc_valid,
    input  wire [SLOT_BITS-1:0]   alloc_slot,
    input  wire [1:0]             alloc_kind,
    input  wire [1:0]             alloc_fe,
    input  wire [DRAW_BITS-1:0]   alloc_draw,
    // core
    input  wire                   export_valid,
    input  wire [SLOT_BITS-1:0]   export_slot,
    input  wire [8:0]             export_primitives,
    input  wire [19:0]            export_pixels,
    output wire                   export_ready,
    input  wire                   done_valid,
    input  wire [SLOT_BITS-1:0]   done_slot,
    // hub
    output wire [SE_COUNT-1:0]    push_valid,
    output wire [SE_COUNT*32-1:0] push_data,
    input  wire [SE_COUNT-1:0]    hub_push_ready,
    // draws of the front ends
    output wire                   cull_valid,
    output wire [1:0]             cull_fe,
    output wire [DRAW_BITS-1:0]   cull_state,
    output wire [2:0]             cull_count,
    // rest, self-check
    output wire                   idle,
    output wire                   fault
);
`include "totem_issue_values.vh"
    generate
        if (SE_COUNT < 1 || SE_COUNT > 4 || SLOTS < 2 || SLOTS > 64 || SLOTS != (1 << SLOT_BITS) ||
            DRAW_STATES < 2 || DRAW_STATES > 16 || DRAW_STATES != (1 << DRAW_BITS)) begin : check
            totem_assemble_needs_SE_COUNT_1_to_4_and_powers_of_two_SLOTS_2_to_64_and_DRAW_STATES_2_to_16 refuse ();
        end
    endgenerate

    localparam [31:0] COUNT    = SE_COUNT;
    localparam [2:0]  ENGINES  = COUNT[2:0];
    localparam [2:0]  LAST     = ENGINES - 3'd1;
    localparam        OWNER    = DRAW_BITS + 2;     // {draw state, front end}

    reg [SLOTS-1:0]       owes_q, owes_d;
    reg [SLOTS*OWNER-1:0] owner_q, owner_d;
    reg                   run_q, run_d;
    reg                   good_q, good_d;
    reg [SLOT_BITS-1:0]   slot_q, slot_d;
    reg [OWNER-1:0]       whose_q, whose_d;
    reg [8:0]             primitives_q, primitives_d;
    reg [19:0]            pixels_q, pixels_d;
    reg [8:0]             next_q, next_d;
    reg [1:0]             turn_q, turn_d;
    reg                   ready_q, ready_d;
    reg                   cull_valid_q, cull_valid_d;
    reg [1:0]             cull_fe_q, cull_fe_d;
    reg [DRAW_BITS-1:0]   cull_state_q, cull_state_d;
    reg [2:0]             cull_count_q, cull_count_d;
    reg                   fault_q, fault_d;

    // Registers that reset leaves alone read 0 at start, as in the model.
    initial begin
        owes_q = 0; owner_q = 0; run_q = 0; good_q = 0; slot_q = 0; whose_q = 0; primitives_q = 0; pixels_q = 0;
        next_q = 0; turn_q = 0; ready_q = 0; cull_valid_q = 0; cull_fe_q = 0; cull_state_q = 0; cull_count_q = 0;
        fault_q = 0;
    end

    // One bit wider than a count, so that the sum cannot wrap.
    wire        mark    = {1'b0, next_q} + {7'd0, ENGINES} >= {1'b0, primitives_q};
    wire        offer   = run_q && good_q && next_q < primitives_q;
    wire        accept  = (push_valid & hub_push_ready) != {SE_COUNT{1'b0}};
    wire        closes  = {1'b0, next_q} + 10'd1 == {1'b0, primitives_q};
    wire        ends    = run_q && (!good_q || primitives_q <= next_q || (accept && closes));
    wire [3:0]  draw    = {{4-DRAW_BITS{1'b0}}, whose_q[2 +: DRAW_BITS]};

    genvar g;
    generate
        for (g = 0; g < SE_COUNT; g = g + 1) begin : g_converter
            assign push_valid[g]         = offer && turn_q == g;
            assign push_data[g*32 +: 32] = {5'd0, draw, whose_q[1:0], mark, pixels_q};
        end
    endgenerate

    assign export_ready = ready_q;
    assign cull_valid   = cull_valid_q;
    assign cull_fe      = cull_fe_q;
    assign cull_state   = cull_state_q;
    assign cull_count   = cull_count_q;
    assign idle         = !run_q && !ready_q && !cull_valid_q;
    assign fault        = fault_q;

    integer n;
    always @* begin
        owes_d       = owes_q;
        owner_d      = owner_q;
        run_d        = run_q;
        good_d       = good_q;
        slot_d       = slot_q;
        whose_d      = whose_q;
        primitives_d = primitives_q;
        pixels_d     = pixels_q;
        next_d       = next_q;
        turn_d       = turn_q;
        ready_d      = ends;
        cull_valid_d = 1'b0;
        cull_fe_d    = cull_fe_q;
        cull_state_d = cull_state_q;
        cull_count_d = cull_count_q;
        fault_d      = fault_q;

        // 1 Without export
        if (done_valid && owes_q[done_slot]) begin
            fault_d           = 1'b1;
            owes_d[done_slot] = 1'b0;
        end

        // 2 Begin
        if (!run_q && !ready_q && export_valid) begin
            run_d        = 1'b1;
            good_d       = owes_q[export_slot];
            slot_d       = export_slot;
            whose_d      = owner_q[export_slot*OWNER +: OWNER];
            primitives_d = export_primitives;
            pixels_d     = export_pixels;
            next_d       = 9'd0;
            turn_d       = 2'd0;
        end

        // 3 Take
        if (accept) begin
            next_d = next_q + 9'd1;
            turn_d = {1'b0, turn_q} == LAST ? 2'd0 : turn_q + 2'd1;
        end

        // 4 End
        if (ends) begin
            run_d = 1'b0;
            if (!good_q)
                fault_d = 1'b1;
            else begin
                owes_d[slot_q] = 1'b0;
                if (primitives_q < {6'd0, ENGINES}) begin
                    cull_valid_d = 1'b1;
                    cull_count_d = ENGINES - primitives_q[2:0];
                    cull_fe_d    = whose_q[1:0];
                    cull_state_d = whose_q[2 +: DRAW_BITS];
                end
            end
        end

        // 5 Allocation
        if (alloc_valid && alloc_kind == WAVE_GEOMETRY) begin
            owes_d[alloc_slot] = 1'b1;
            for (n = 0; n < SLOTS; n = n + 1)
                if (alloc_slot == n[SLOT_BITS-1:0])
                    owner_d[n*OWNER +: OWNER] = {alloc_draw, alloc_fe};
        end
    end

    always @(posedge clk) begin
        owes_q       <= owes_d;
        owner_q      <= owner_d;
        run_q        <= run_d;
        good_q       <= good_d;
        slot_q       <= slot_d;
        whose_q      <= whose_d;
        primitives_q <= primitives_d;
        pixels_q     <= pixels_d;
        next_q       <= next_d;
        turn_q       <= turn_d;
        ready_q      <= ready_d;
        cull_valid_q <= cull_valid_d;
        cull_fe_q    <= cull_fe_d;
        cull_state_q <= cull_state_d;
        cull_count_q <= cull_count_d;
        fault_q      <= fault_d;
        if (rst) begin
            owes_q       <= {SLOTS{1'b0}};
            run_q        <= 1'b0;
            next_q       <= 9'd0;
            turn_q       <= 2'd0;
            ready_q      <= 1'b0;
            cull_valid_q <= 1'b0;
            fault_q      <= 1'b0;
        end
    end

    // formal: maxsteps=4
    // formal: maxsteps=4 params=SE_COUNT=2,SLOTS=4,DRAW_STATES=4 configs=mini
    // formal: maxsteps=4 params=SE_COUNT=3,SLOTS=4,DRAW_STATES=4 configs=mini
    // formal: maxsteps=4 params=SE_COUNT=4,SLOTS=8,DRAW_STATES=8 configs=mini
`ifdef FORMAL
`include "totem_assemble_properties.vh"
`endif
endmodule

`default_nettype wire
