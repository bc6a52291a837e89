// SPDX-License-Identifier: Apache-2.0
//
// Properties of totem_dispatches, included at the end of the module, numbered as in docs/contract/dispatches.md.

    initial assume (rst);
    (* anyconst *) wire [SET_BITS-1:0] f_set;   // any set; its uses and waves are counted from the ports alone
    reg [1:0]  f_uses   = 2'd0;         // as context counts them, behind this clock's
    reg [15:0] f_waves  = 16'd0;
    reg        f_open   = 1'b0;         // a dispatch is under way, on f_now
    reg [SET_BITS-1:0] f_now;
    reg        f_draw   = 1'b0;         // in the clock before the end of a draw came, of this set
    reg [SET_BITS-1:0] f_drawn;
    reg        f_start  = 1'b0;         // in the clock before a dispatch started
    reg        f_wanted = 1'b0;         // in the clock before nobody needed the use of f_set

    reg [15:0] f_granted;
    reg [2:0]  f_ended;
    reg        f_fair;
    reg        f_lower;                 // a lower set is over
    integer    f_e, f_s;
    always @* begin
        f_granted = 16'd0;
        f_ended   = 3'd0;
        f_fair    = !use_valid || (!render_draw_valid && context_draw_ready && context_current == dispatch_set);
        for (f_e = 0; f_e < SE_COUNT; f_e = f_e + 1) begin
            if (grant_valid[f_e]) begin
                if (!f_open || grant_set[f_e*SET_BITS +: SET_BITS] != f_now) f_fair = 1'b0;
                if (grant_set[f_e*SET_BITS +: SET_BITS] == f_set)
                    f_granted = f_granted + {9'd0, grant_waves[f_e*7 +: 7]};
            end
            if (complete_valid[f_e] && complete_set[f_e*SET_BITS +: SET_BITS] == f_set)
                f_ended = f_ended + 3'd1;
        end
        // Every set is like the one picked: what is asked of its completions is asked of all.
        for (f_s = 0; f_s < SETS; f_s = f_s + 1)
            if (f_below[f_s]) f_fair = 1'b0;
        if (f_waves + f_granted > 16'd1023) f_fair = 1'b0;
        assume (f_fair);                                                                            // A1 fair
        f_lower = 1'b0;
        for (f_s = 0; f_s < SETS; f_s = f_s + 1)
            if (f_s < f_set && held_q[f_s] && flight_q[f_s*10 +: 10] == 10'd0 && !(open_q && dispatch_set_q == f_s))
                f_lower = 1'b1;
    end

    // More ends on a set than waves in flight there.
    wire [SETS-1:0] f_below;
    generate
        for (g = 0; g < SETS; g = g + 1) begin : g_fair
            reg [2:0] f_n;
            integer   f_k;
            always @* begin
                f_n = 3'd0;
                for (f_k = 0; f_k < SE_COUNT; f_k = f_k + 1)
                    f_n = f_n + {2'd0, complete_valid[f_k] && complete_set[f_k*SET_BITS +: SET_BITS] == g};
            end
            assign f_below[g] = flight_q[g*10 +: 10] < {7'd0, f_n};
        end
    endgenerate

    wire f_own  = end_valid && !f_draw && end_set == f_set;            // a use of f_set ends
    wire f_need = (f_open && f_now == f_set) || f_waves != 16'd0;

    always @(posedge clk) begin
        f_uses  <= f_uses + {1'b0, use_valid && context_current == f_set} - {1'b0, f_own};
        f_waves <= f_waves + f_granted - {13'd0, f_ended};
        f_open  <= packet_start || (f_open && walker_busy);
        if (packet_start)
            f_now <= context_current;
        f_draw  <= draws_end_valid;
        f_drawn <= draws_end_set;
        f_start <= packet_start;
        f_wanted <= !f_need && f_uses == 2'd1 && !f_own && !packet_start && !draws_end_valid && !f_lower;
        if (rst) begin
            f_uses  <= 2'd0;
            f_waves <= 16'd0;
            f_open  <= 1'b0;
            f_draw  <= 1'b0;
            f_start <= 1'b0;
            f_wanted <= 1'b0;
        end
    end

    always @*
        if (!rst) begin
            assert (f_uses == {1'b0, held_q[f_set]} + {1'b0, f_own}
                              - {1'b0, use_valid && dispatch_set_q == f_set});                      // 1 uses
            assert (f_uses <= 2'd1);                                                                // 1 uses
            if (f_own) assert (f_uses == 2'd1);                                                     // 1 uses
            if (f_need && !(f_start && f_now == f_set)) assert (f_uses == 2'd1 && !f_own);          // 1 uses
            assert ({6'd0, flight_q[f_set*10 +: 10]} == f_waves);                                   // 2 flight
            if (!held_q[f_set]) assert (f_waves == 16'd0);                                          // 2 flight
            if (f_wanted) assert (f_own);                                                           // 3 returned
            if (idle) assert (!f_need && f_uses == 2'd0 && !end_valid);                             // 3 returned
            if (f_draw) assert (end_valid && end_set == f_drawn);                                   // 4 passed
            assert (!fault);                                                                        // 5 fault

            // helpers
            assert (open_q == f_open);
            if (f_open) assert (dispatch_set_q == f_now && held_q[f_now]);
            if (use_valid) assert (f_start && f_open);
            if (f_open && f_now == f_set) assert (held_q[f_set]);

            cover (f_own && dispatch_set != f_set);
            cover (f_start && use_valid && held_q != (held_q & (~held_q + 1'b1)));
            cover (f_own && packet_start && context_current == f_set);
            cover (f_waves > 16'd64 && f_ended == 3'd1);
        end
