// SPDX-License-Identifier: Apache-2.0
//
// Properties of totem_assemble, included at the end of the module. The numbers are those of docs/contract/assemble.md.

    // Any converter and any slot. Nothing is assumed of the neighbours: some claims count only while they have kept
    // their promise (f_kept).
    initial assume (rst);
    (* anyconst *) wire [1:0]           f_any;
    (* anyconst *) wire [SLOT_BITS-1:0] f_slot;
    wire [1:0]            f_converter = (f_any < SE_COUNT) ? f_any : 2'd0;

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
    wire        f_alloc = alloc_valid && alloc_kind == WAVE_GEOMETRY;
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
            assert (turn_q < SE_COUNT);                                                             // 1 turn
            if (run_q) assert (turn_q == next_q % SE_COUNT && next_q <= primitives_q);              // 1 turn

            if (export_ready) begin
                assert (f_run);                                                                     // 2 export
                if (f_kept) assert (f_owed && f_total == f_primitives);                             // 2 export
                if (f_total != 9'd0) begin
                    assert (f_total == f_primitives);                                               // 2 export
                    assert (f_marks == f_converter < f_primitives);                                 // 2 export
                    assert (f_here == (f_primitives + SE_COUNT - 1 - f_converter) / SE_COUNT);      // 2 export
                end
                assert (cull_valid == (f_primitives < SE_COUNT && good_q));                         // 2 export
                if (cull_valid) assert (cull_count == SE_COUNT - f_primitives);                     // 2 export
            end else assert (!cull_valid);                                                          // 2 export
            if (push_valid[f_converter]) begin
                // Nothing follows the marked one.
                assert (f_run && !f_marks);                                                         // 2 export
                assert (f_total % SE_COUNT == f_converter);                                         // 2 export
                assert (f_data[19:0] == f_pixels && f_data[31:27] == 5'd0);                         // 2 export
            end

            assert (f_offers <= 1);                                                                 // 3 offer
            if (f_stood) assert (push_valid == f_stood_valid && f_data == f_stood_data);            // 3 offer

            if (f_kept) assert (!fault);                                                            // 4 fault

            if (f_kept && f_run && f_place == f_slot) begin
                if (push_valid[f_converter])
                    assert ({f_data[23 +: DRAW_BITS], f_data[22:21]} == f_whose);                   // 5 owner
                if (cull_valid)
                    assert ({cull_state, cull_fe} == f_whose);                                      // 5 owner
            end

            // helpers
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
