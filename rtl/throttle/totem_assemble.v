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
    generate
        if (SE_COUNT < 1 || SE_COUNT > 4 || SLOTS < 2 || SLOTS > 64 || SLOTS != (1 << SLOT_BITS) ||
            DRAW_STATES < 2 || DRAW_STATES > 16 || DRAW_STATES != (1 << DRAW_BITS)) begin : check
            totem_assemble_needs_SE_COUNT_1_to_4_and_powers_of_two_SLOTS_2_to_64_and_DRAW_STATES_2_to_16 refuse ();
        end
    endgenerate

    localparam [1:0]  GEOMETRY = 2'd1;
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
        ready_d      = 1'b0;
        cull_valid_d = 1'b0;
        cull_fe_d    = cull_fe_q;
        cull_state_d = cull_state_q;
        cull_count_d = cull_count_q;
        fault_d      = fault_q;

        if (done_valid && owes_q[done_slot]) begin
            fault_d           = 1'b1;
            owes_d[done_slot] = 1'b0;
        end

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

        if (accept) begin
            next_d = next_q + 9'd1;
            turn_d = {1'b0, turn_q} == LAST ? 2'd0 : turn_q + 2'd1;
        end

        if (ends) begin
            run_d   = 1'b0;
            ready_d = 1'b1;
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

        if (alloc_valid && alloc_kind == GEOMETRY) begin
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

`ifdef FORMAL
    // Numbered as the invariants of the contract, for a converter and a slot picked at will. Nothing is assumed of the
    // neighbours: 4 counts only while they have kept their promise (f_kept).
    // formal: maxsteps=4
    // formal: maxsteps=4 params=SE_COUNT=2,SLOTS=4,DRAW_STATES=4 configs=mini
    // formal: maxsteps=4 params=SE_COUNT=3,SLOTS=4,DRAW_STATES=4 configs=mini
    // formal: maxsteps=4 params=SE_COUNT=4,SLOTS=8,DRAW_STATES=8 configs=mini
    initial assume (rst);
    (* anyconst *) wire [1:0]           f_converter;
    (* anyconst *) wire [SLOT_BITS-1:0] f_slot;
    always @* assume (f_converter < SE_COUNT);

    // The export that is under way, as the core offers it, and what of it was pushed.
    reg                   f_run = 1'b0;     // it is not answered
    reg [SLOT_BITS-1:0]   f_place;
    reg [8:0]             f_primitives;
    reg [19:0]            f_pixels;
    reg                   f_owed;           // its slot owed an export
    reg [8:0]             f_total;          // primitives pushed
    reg [8:0]             f_here;           // to the picked converter
    reg                   f_marks;          // a mark to it
    // What each slot has, from allocs and answers.
    reg [SLOTS-1:0]       f_owes = {SLOTS{1'b0}};
    reg [OWNER-1:0]       f_owner;          // of the picked slot
    reg [OWNER-1:0]       f_whose;          // of the export, if it is of the picked slot
    reg                   f_kept = 1'b1;    // the neighbours have kept their promise
    // The offer one clock ago.
    reg                   f_stood = 1'b0;   // it was not taken
    reg [SE_COUNT-1:0]    f_stood_valid;
    reg [31:0]            f_stood_data;

    wire        f_begin = export_valid && !f_run;
    wire        f_push  = (push_valid & hub_push_ready) != {SE_COUNT{1'b0}};
    wire        f_push_here = push_valid[f_converter] && hub_push_ready[f_converter];
    wire [31:0] f_data  = push_data[f_converter*32 +: 32];
    wire        f_alloc = alloc_valid && alloc_kind == 2'd1;
    // Whether all that happens in this clock is allowed.
    wire        f_clean = !(f_begin && !f_owes[export_slot]) && !(done_valid && f_owes[done_slot]) &&
                          !(f_alloc && f_owes[alloc_slot]);
    // Number of the next primitive for the picked converter, if there is one.
    wire [1:0]  f_off   = f_converter >= turn_q ? f_converter - turn_q : f_converter + SE_COUNT - turn_q;
    wire [9:0]  f_next  = {1'b0, next_q} + {8'd0, f_off};

    always @(posedge clk) begin
        if (f_begin) begin
            f_run        <= 1'b1;
            f_place      <= export_slot;
            f_primitives <= export_primitives;
            f_pixels     <= export_pixels;
            f_owed       <= f_owes[export_slot];
            f_total      <= 9'd0;
            f_here       <= 9'd0;
            f_marks      <= 1'b0;
            f_whose      <= f_owner;
        end
        if (f_push)
            f_total <= f_total + 9'd1;
        if (f_push_here) begin
            f_here  <= f_here + 9'd1;
            f_marks <= f_data[20];
        end
        if (export_ready) begin
            f_run <= 1'b0;
            f_owes[f_place] <= 1'b0;
        end
        if (f_alloc) begin
            f_owes[alloc_slot] <= 1'b1;
            if (alloc_slot == f_slot)
                f_owner <= {alloc_draw, alloc_fe};
        end
        f_kept        <= f_kept && f_clean;
        f_stood       <= push_valid != {SE_COUNT{1'b0}} && !f_push;
        f_stood_valid <= push_valid;
        f_stood_data  <= push_data[31:0];
        if (rst) begin
            f_run   <= 1'b0;
            f_owes  <= {SLOTS{1'b0}};
            f_kept  <= 1'b1;
            f_stood <= 1'b0;
        end
    end

    integer f_n, f_offers;
    always @* begin
        f_offers = 0;
        for (f_n = 0; f_n < SE_COUNT; f_n = f_n + 1)
            f_offers = f_offers + push_valid[f_n];

        if (!rst) begin
            assert (turn_q < SE_COUNT);                                                                         // 1
            if (run_q) assert (turn_q == next_q % SE_COUNT && next_q <= primitives_q);                          // 1

            if (export_ready) begin                                                                             // 2
                assert (f_run);
                if (f_kept) assert (f_owed && f_total == f_primitives);
                if (f_total != 9'd0) begin
                    assert (f_total == f_primitives);
                    assert (f_marks == f_converter < f_primitives);
                    assert (f_here == (f_primitives + SE_COUNT - 1 - f_converter) / SE_COUNT);
                end
                assert (cull_valid == (f_primitives < SE_COUNT && good_q));
                if (cull_valid) assert (cull_count == SE_COUNT - f_primitives);
            end else assert (!cull_valid);
            if (push_valid[f_converter]) begin
                assert (f_run && !f_marks);                             // nothing follows the marked one
                assert (f_total % SE_COUNT == f_converter);
                assert (f_data[19:0] == f_pixels && f_data[31:27] == 5'd0);
            end

            assert (f_offers <= 1);                                                                             // 3
            if (f_stood) assert (push_valid == f_stood_valid && f_data == f_stood_data);                        // 3

            if (f_kept) assert (!fault);                                                                        // 4

            if (f_kept && f_run && f_place == f_slot) begin                                                     // 5
                if (push_valid[f_converter])
                    assert ({f_data[23 +: DRAW_BITS], f_data[22:21]} == f_whose);
                if (cull_valid)
                    assert ({cull_state, cull_fe} == f_whose);
            end

            // Helpers.
            assert (f_run == (run_q || ready_q) && !(run_q && ready_q));
            assert (idle == !f_run);
            if (f_run)
                assert (f_place == slot_q && f_primitives == primitives_q && f_pixels == pixels_q && f_total == next_q);
            if (f_run && f_kept) assert (f_owed && good_q && f_owes[f_place]);
            if (ready_q && good_q) assert (f_total == f_primitives);
            if (f_run && !good_q) assert (f_total == 9'd0);
            if (run_q && good_q) begin
                assert (f_marks == (f_converter < f_primitives && f_next >= primitives_q));
                assert (f_here == (next_q + SE_COUNT - 1 - f_converter) / SE_COUNT);
            end
            if (f_kept) assert (owes_q == (f_owes & ~({{SLOTS-1{1'b0}}, ready_q} << slot_q)));
            if (f_owes[f_slot]) assert (owner_q[f_slot*OWNER +: OWNER] == f_owner);
            if (f_kept && f_run && f_place == f_slot) assert (whose_q == f_whose);
        end
    end

    always @(posedge clk)
        if (!rst) begin
            cover (export_ready && f_total > SE_COUNT && f_kept);
            cover (cull_valid && cull_count == SE_COUNT);
            cover (f_stood && f_push);
            cover (fault && !f_run);
        end
`endif
endmodule

`default_nettype wire
