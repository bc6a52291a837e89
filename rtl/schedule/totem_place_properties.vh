// SPDX-License-Identifier: Apache-2.0
//
// Properties of totem_place, included at the end of the module. The numbers are those of docs/contract/place.md.

    // Two picked slots, and what was shown of them; no rule depends on which they are.
    localparam [7:0] F_N = N;
    initial assume (rst);
    (* anyconst *) wire [2*B-1:0] f_any;
    reg [7:0]   f_age = 8'd0;           // clocks since the start; 0: no scan, F_N + 3: its answer
    reg [3:0]   f_priority;             // of the queue
    reg         f_may;                  // it may evict any
    reg [15:0]  f_pick;
    reg [5:0]   f_class;                // 3 bits each: the reason by which it could be taken
    reg [9:0]   f_running;
    reg [7:0]   f_mapped, f_level;
    reg [47:0]  f_clocks;
    reg [2:0]   f_now;
    reg [61:0]  f_rank;                 // reason and key, 31 bits each
    reg         f_first;                // pick 0 comes before pick 1 by the order of its reason
    reg [7:0]   f_choice;
    wire        f_rests = f_age == 8'd0 || f_age == F_N + 8'd3;
    integer     k;

    always @* begin
        f_now = PLACE_NONE;
        if (slot_usable && slot_phase == SLOT_RUNNING) begin
            if (f_may && slot_turn) f_now = PLACE_YIELD;
            if (slot_turn && slot_used && f_priority == slot_priority) f_now = PLACE_QUANTUM;
            if (f_priority > slot_priority) f_now = PLACE_LOWER;
            if (slot_parked) f_now = PLACE_PARKED;
            if (!slot_wants) f_now = PLACE_IDLE;
        end
        if (slot_usable && slot_phase == SLOT_EMPTY &&
            !(pipe_empty <= spare && {1'b0, f_priority} + 5'd1 <= pipe_highest))
            f_now = PLACE_FREE;

        for (k = 0; k < 2; k = k + 1) begin
            f_pick[k*8 +: 8]   = {{8-B{1'b0}}, f_any[k*B +: B]} < F_N ? {{8-B{1'b0}}, f_any[k*B +: B]} : 8'd0;
            f_rank[k*31 +: 31] = {f_class[k*3 +: 3], 28'd0};
            if (f_class[k*3 +: 3] <= PLACE_PARKED)
                f_rank[k*31 + 19 +: 9] = {f_running[k*5 +: 5], f_mapped[k*4 +: 4]};
            else if (f_class[k*3 +: 3] != PLACE_NONE)
                f_rank[k*31 +: 24] = ~f_clocks[k*24 +: 24];
            if (f_class[k*3 +: 3] == PLACE_LOWER)
                f_rank[k*31 + 24 +: 4] = f_level[k*4 +: 4];
        end
        f_choice = {{8-B{1'b0}}, chosen};

        f_first = f_pick[7:0] < f_pick[15:8];
        if (f_class[2:0] >= PLACE_LOWER && f_clocks[23:0] != f_clocks[47:24])
            f_first = f_clocks[23:0] > f_clocks[47:24];
        if (f_class[2:0] == PLACE_LOWER && f_level[3:0] != f_level[7:4])
            f_first = f_level[3:0] < f_level[7:4];
        if (f_class[2:0] < PLACE_LOWER && f_mapped[3:0] != f_mapped[7:4])
            f_first = f_mapped[3:0] < f_mapped[7:4];
        if (f_class[2:0] < PLACE_LOWER && f_running[4:0] != f_running[9:5])
            f_first = f_running[4:0] < f_running[9:5];
    end

    always @(posedge clk) begin
        f_age <= f_rests ? {7'd0, start} : f_age + 8'd1;
        if (f_rests && start) begin
            f_priority <= start_priority;
            f_may      <= start_yield;
        end
        for (k = 0; k < 2; k = k + 1)
            if (f_age == f_pick[k*8 +: 8] + 8'd2) begin
                f_class[k*3 +: 3]    <= f_now;
                f_running[k*5 +: 5]  <= pipe_running;
                f_mapped[k*4 +: 4]   <= pipe_mapped;
                f_level[k*4 +: 4]    <= slot_priority;
                f_clocks[k*24 +: 24] <= slot_selected;
            end
        if (rst) f_age <= 8'd0;
    end

    always @*
        if (!rst) begin
            if (done && found && f_choice == f_pick[7:0] && f_pick[7:0] != f_pick[15:8]) begin
                assert (f_class[2:0] <= f_class[5:3]);                                       // 1 best
                if (f_class[2:0] == f_class[5:3]) assert (f_first);                          // 1 best
            end
            if (done && found) assert (f_choice < F_N);                                      // 2 true
            if (done && found && f_choice == f_pick[7:0]) assert (f_class[2:0] == reason);   // 2 true
            if (done && !found) assert (f_class[2:0] == PLACE_NONE && reason == PLACE_NONE);  // 3 none
            assert (done == (f_age == F_N + 8'd3));                                          // 4 once
            assert (ask == (f_age >= 8'd1 && f_age <= F_N));                                 // 5 all
            if (ask) assert ({{8-B{1'b0}}, slot} + 8'd1 == f_age);                           // 5 all

            // helpers
            assert (f_age <= F_N + 8'd3);
            assert (shown_q == (f_age >= 8'd2 && f_age <= F_N + 8'd1));
            assert (ranked_q == (f_age >= 8'd3 && f_age <= F_N + 8'd2));
            if (shown_q) assert ({{8-B{1'b0}}, shown_slot_q} + 8'd2 == f_age);
            if (ranked_q) assert ({{8-B{1'b0}}, ranked_slot_q} + 8'd3 == f_age);
            if (!ask) assert (slot_q == {B{1'b0}});
            if (f_age != 8'd0) begin
                assert (candidate_q == f_priority && yield_q == f_may);
                if (found) assert (f_choice + 8'd4 <= f_age);
            end
            for (k = 0; k < 2; k = k + 1) begin
                if (f_age == f_pick[k*8 +: 8] + 8'd3)
                    assert ({ranked_reason_q, ranked_key_q} == f_rank[k*31 +: 31]);
                if (f_age > f_pick[k*8 +: 8] + 8'd3) begin
                    assert ({reason_q, key_q} <= f_rank[k*31 +: 31]);
                    if (found && {reason_q, key_q} == f_rank[k*31 +: 31]) assert (f_choice <= f_pick[k*8 +: 8]);
                    if (found && f_choice == f_pick[k*8 +: 8]) assert ({reason_q, key_q} == f_rank[k*31 +: 31]);
                end
            end
        end

    always @(posedge clk)
        if (!rst) begin
            cover (done && reason == PLACE_QUANTUM && f_class[5:3] == PLACE_YIELD && f_choice == f_pick[7:0]);
            cover (done && !found);
            cover (done && start && reason == PLACE_LOWER && f_class[5:3] == PLACE_LOWER && f_choice != f_pick[15:8]);
        end
