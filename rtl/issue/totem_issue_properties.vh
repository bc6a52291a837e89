// SPDX-License-Identifier: Apache-2.0
//
// Properties of totem_issue, included at the end of the module. The numbers are those of docs/contract/issue.md.

    initial assume (rst);
    (* anyconst *) wire [ORDER_BITS-1:0] f_pipe;
    (* anyconst *) wire [2:0]            f_tier;
    reg [6:0]  f_slots = 7'd0;
    reg [11:0] f_vgprs = 12'd0;
    reg [9:0]  f_lds   = 10'd0;
    reg        f_grant = 1'b0;          // a grant of this contender, one clock before
    reg [5:0]  f_before;
    reg        f_fitted;
    reg [63:0] f_group;
    reg [3:0]  f_count = 4'd0, f_above;
    reg        f_past;
    integer    f_n;

    function f_each(input [5:0] kinds);             // 0, 1 and 2, each once
        f_each = kinds[1:0] != 2'd3 && kinds[3:2] != 2'd3 && kinds[5:4] != 2'd3 &&
                 kinds[1:0] != kinds[3:2] && kinds[1:0] != kinds[5:4] && kinds[3:2] != kinds[5:4];
    endfunction
    function [2:0] f_level(input [1:0] which);      // tier of a priority
        f_level = which == 2'd2 ? TIER_CS_HIGH : which == 2'd1 ? TIER_CS_MEDIUM : TIER_CS_LOW;
    endfunction
    localparam [3:0] F_ENDS = 4'd5;
    wire [ORDER_BITS-1:0] f_winner = (PIPES > 1) ? {grant_fe_d, grant_pipe_d[0]} : {1'b0, grant_fe_d};  // with a grant
    wire [5:0] f_head = {grant_pipe_q, grant_kind_q, grant_fe_q};
    // What the winner needs, if there is one.
    wire       f_drawn = grant_pipe_d[1];
    wire [1:0] f_fe    = grant_fe_d;
    wire       f_gs    = f_drawn && grant_kind_d == WAVE_GEOMETRY;
    wire       f_ps    = f_drawn && grant_kind_d == WAVE_PIXEL;
    wire       f_valid = f_gs ? geometry_valid[f_fe] : f_ps ? pixel_valid[f_fe] :
                         f_drawn ? graphics_head_valid[f_fe] : head_valid[f_winner];
    wire [6:0] f_waves = f_gs || f_ps ? 7'd1 : f_drawn ? graphics_head_waves[f_fe*7 +: 7] : head_waves[f_winner*7 +: 7];
    wire [12:0] f_total = f_gs ? {6'd0, geometry_vgprs[f_fe*7 +: 7]} : f_ps ? {6'd0, pixel_vgprs[f_fe*7 +: 7]} :
                          f_drawn ? graphics_head_total[f_fe*13 +: 13] : head_total[f_winner*13 +: 13];
    wire [8:0] f_need  = f_gs ? geometry_lds[f_fe*9 +: 9] : f_ps ? pixel_lds[f_fe*9 +: 9] :
                         f_drawn ? graphics_head_lds[f_fe*9 +: 9] : head_lds[f_winner*9 +: 9];
    wire       f_hp3d  = f_gs ? geometry_hp3d[f_fe] : f_ps && pixel_hp3d[f_fe];
    wire [2:0] f_level_now = f_drawn ? (f_hp3d ? TIER_HP3D : TIER_GFX) : f_level(head_priority[f_winner*2 +: 2]);
    reg  [6:0]  f_geometry = 7'd0;      // geometry waves in flight
    reg         f_debt = 1'b0;          // a pipe that held was granted, and no pixel wave since
    wire        f_free = f_geometry != 7'd0 || f_debt;     // pixel waves are not held back
    reg         f_free_was = 1'b0;
    reg  [6:0]  f_pixels = 7'd0;        // what pixel waves hold
    reg  [11:0] f_pixel_vgprs = 12'd0;
    reg  [9:0]  f_pixel_lds = 10'd0;
    reg        f_gs_won = 1'b0, f_ps_won = 1'b0, f_drawn_won = 1'b0, f_hp3d_won, f_left, f_open;
    reg  [1:0] f_kind_won;
    // A front end in the turns of a kind in a tier.
    (* anyconst *) wire [1:0] f_kind;
    (* anyconst *) wire [1:0] f_front;
    (* anyconst *) wire       f_high;
    wire [FE_COUNT-1:0] f_heads = f_kind == WAVE_GEOMETRY ? geometry_valid & (f_high ? geometry_hp3d : ~geometry_hp3d) :
                                  f_kind == WAVE_PIXEL ? pixel_valid & (f_high ? pixel_hp3d : ~pixel_hp3d) :
                                  f_high ? {FE_COUNT{1'b0}} : graphics_head_valid;
    wire [2:0] f_turn  = f_high ? hp3d_turn_q[f_kind*FE_BITS +: FE_BITS] : gfx_turn_q[f_kind*FE_BITS +: FE_BITS];
    wire       f_calm  = hold_valid == {COUNT{1'b0}} && (f_kind == WAVE_PIXEL ||
                                                         graphics_hold_valid == {FE_COUNT{1'b0}});
    wire       f_mine  = grant_valid_d && f_drawn && grant_kind_d == f_kind && f_hp3d == f_high;
    wire       f_popped = grant_valid_q && grant_pipe_q == PIPE_GRAPHICS && grant_kind_q == f_kind;
    wire       f_asks  = GRAPHICS != 0 && f_calm && f_heads[f_front] && !(f_popped && grant_fe_q == f_front);
    reg        f_some;                  // one of them has the turn: the first that asks from the turn on
    reg  [2:0] f_has, f_next;
    integer    f_k;
    always @* begin
        f_some = 1'b0;
        f_has  = 3'd0;
        for (f_k = FE_COUNT - 1; f_k >= 0; f_k = f_k - 1) begin
            f_next = (f_turn + f_k >= FE_COUNT) ? f_turn + f_k - FE_COUNT : f_turn + f_k;
            if (f_heads[f_next[1:0]] && !(f_popped && {1'b0, grant_fe_q} == f_next)) begin
                f_some = GRAPHICS != 0 && f_calm;
                f_has  = f_next;
            end
        end
    end
    reg        f_by_turn = 1'b1;        // who won had the turn
    wire [2:0] f_ahead = ({1'b0, f_front} >= f_turn) ? f_front - f_turn : f_front + FE_COUNT - f_turn;
    reg        f_kept = 1'b0;
    reg  [2:0] f_turn_was;
    reg  [2:0] f_turns = 3'd0;          // grants to others while it asks

    wire [ORDER_BITS-1:0] f_granted = (PIPES > 1) ? {grant_fe_q, grant_pipe_q[0]} : {1'b0, grant_fe_q};
    reg  [COUNT-1:0] f_all;                         // numbers that are in the pole
    reg        f_won = 1'b0;                        // a grant in the clock before, and to whom
    reg  [ORDER_BITS-1:0] f_last;
    wire       f_here    = head_valid[f_pipe] && !(grant_valid_q && !grant_pipe_q[1] && f_granted == f_pipe) &&
                           f_level(head_priority[f_pipe*2 +: 2]) == f_tier;
    wire       f_waiting = f_here && !f_stopped && f_fit;
    wire       f_fit     = head_waves[f_pipe*7 +: 7] <= free_slots_q &&
                           head_total[f_pipe*13 +: 13] <= free_vgprs_left_q &&
                           head_lds[f_pipe*9 +: 9] <= free_lds_left_q;
    reg        f_passing = 1'b0;
    reg  [2:0] f_level_won;
    reg        f_stopped;               // some hold is in front of it
    reg        f_better;                // a head of a better tier, not granted just now
    reg  [3:0] f_still = 4'd0;          // clocks without a grant, and none was decided
    wire       f_ends = f_still < F_ENDS || (free_slots_q == SLOTS && free_vgprs_left_q == VGPRS &&
                                             free_lds_left_q == LDS);     // waves have ended in time
    reg  [3:0] f_wait  = 4'd0;          // clocks that it is the oldest hold of the best tier, and waves end
    wire       f_first = f_here && hold_valid[f_pipe] && !f_stopped && !f_better && launch_room && !events_stop;

    always @* begin
        f_above   = 4'd0;
        f_past    = 1'b0;
        f_stopped = 1'b0;
        f_better  = 1'b0;
        f_all     = {COUNT{1'b0}};
        for (f_n = 0; f_n < COUNT; f_n = f_n + 1) begin
            if (order_q[f_n*ORDER_BITS +: ORDER_BITS] == f_pipe)
                f_past = 1'b1;
            f_all = f_all | (8'd1 << order_q[f_n*ORDER_BITS +: ORDER_BITS]);
            if (!f_past)
                f_above = f_above + 4'd1;
            if (f_n != f_pipe && head_valid[f_n] && !(grant_valid_q && !grant_pipe_q[1] && f_granted == f_n)) begin
                if (f_level(head_priority[f_n*2 +: 2]) < f_level(head_priority[f_pipe*2 +: 2])) begin
                    f_better  = 1'b1;
                    f_stopped = f_stopped || hold_valid[f_n];
                end
                if (f_level(head_priority[f_n*2 +: 2]) == f_level(head_priority[f_pipe*2 +: 2]) && hold_valid[f_n] &&
                    !(hold_valid[f_pipe] && !hold_before[f_pipe*COUNT + f_n]))
                    f_stopped = 1'b1;
            end
        end
        // Graphics: a hold of a group stops CS_LOW; better is what may pass an oldest hold.
        if (GRAPHICS != 0) begin
            for (f_n = 0; f_n < FE_COUNT; f_n = f_n + 1)
                if (graphics_head_valid[f_n] && graphics_hold_valid[f_n] && f_tier == TIER_CS_LOW &&
                    !(grant_valid_q && grant_pipe_q[1] && grant_kind_q == WAVE_COMPUTE && grant_fe_q == f_n))
                    f_stopped = 1'b1;
            f_better = f_better || (|pixel_valid && f_free) || (f_tier > TIER_HP3D && |(pixel_valid & pixel_hp3d)) ||
                       (f_tier == TIER_CS_LOW && |pixel_valid) ||
                       (f_tier > TIER_HP3D && |(geometry_valid & geometry_hp3d)) ||
                       (f_tier == TIER_CS_LOW && (|geometry_valid || |graphics_head_valid));
        end
    end

    integer f_m;
    always @*
        for (f_n = 0; f_n < COUNT; f_n = f_n + 1)
            for (f_m = 0; f_m < f_n; f_m = f_m + 1)
                if (hold_valid[f_n] && hold_valid[f_m])
                    assume (hold_before[f_n*COUNT + f_m] != hold_before[f_m*COUNT + f_n]);   // A1 age

    always @* begin
        assume (f_pipe < COUNT);                                                             // A2 ours
        assume (!head_valid[f_pipe] || (head_waves[f_pipe*7 +: 7] <= SLOTS && head_total[f_pipe*13 +: 13] <= VGPRS &&
                                        head_lds[f_pipe*9 +: 9] <= LDS));                    // A3 empty
        assume (!free_valid || (GRAPHICS != 0 && free_kind == WAVE_PIXEL ?
                                f_pixels != 7'd0 && free_vgprs <= f_pixel_vgprs && free_lds <= f_pixel_lds :
                                (GRAPHICS == 0 || (free_kind == WAVE_GEOMETRY ? f_geometry != 7'd0 :
                                                   f_slots - f_pixels != f_geometry)) &&
                                f_slots != f_pixels && free_vgprs <= f_vgprs - f_pixel_vgprs &&
                                free_lds <= f_lds - f_pixel_lds));                           // A4 ends
        assume (f_kind < 2'd3 && f_front < FE_COUNT);                                        // A2 ours
    end

    always @(posedge clk) begin
        f_slots <= f_slots + (grant_valid_d ? f_waves : 7'd0) - {6'd0, free_valid};
        f_vgprs <= f_vgprs + (grant_valid_d ? f_total[11:0] : 12'd0) -
                (free_valid ? {5'd0, free_vgprs} : 12'd0);
        f_lds   <= f_lds + (grant_valid_d ? {1'b0, f_need} : 10'd0) -
                (free_valid ? {1'b0, free_lds} : 10'd0);
        f_grant  <= grant_valid_q;
        f_won    <= !rst && grant_valid_d;
        f_last   <= f_winner;
        f_before <= f_head;
        f_gs_won    <= !rst && grant_valid_d && f_gs;
        f_geometry  <= f_geometry + (grant_valid_d && f_gs) -
                       (free_valid && GRAPHICS != 0 && free_kind == WAVE_GEOMETRY);
        if (GRAPHICS != 0 && grant_valid_d && (f_ps || (!f_drawn && hold_valid[f_winner])))
            f_debt <= !f_ps;
        f_free_was  <= f_free;
        f_drawn_won <= !rst && grant_valid_d && f_drawn;
        f_hp3d_won  <= f_hp3d;
        f_kind_won  <= grant_kind_d;
        f_open      <= gate && !(grant_valid && grant_kind == WAVE_GEOMETRY);
        f_left      <= 7'd1 + {2'b0, settings_reserve_slots} <= {2'b0, free_slots_q} + f_pixels &&
                       {2'b0, f_total} + settings_reserve_vgprs <= {2'b0, free_vgprs_left_q} + f_pixel_vgprs &&
                       {3'b0, f_need} + settings_reserve_lds <= {2'b0, free_lds_left_q} + f_pixel_lds;
        f_pixels      <= f_pixels + (grant_valid_d && f_ps) - (free_valid && GRAPHICS != 0 && free_kind == WAVE_PIXEL);
        f_pixel_vgprs <= f_pixel_vgprs + (grant_valid_d && f_ps ? f_total[11:0] : 12'd0) -
                         (free_valid && GRAPHICS != 0 && free_kind == WAVE_PIXEL ? free_vgprs : 12'd0);
        f_pixel_lds   <= f_pixel_lds + (grant_valid_d && f_ps ? f_need : 10'd0) -
                         (free_valid && GRAPHICS != 0 && free_kind == WAVE_PIXEL ? free_lds : 10'd0);
        f_kept     <= !rst && f_some && !(f_mine && {1'b0, f_fe} == f_has);
        f_turn_was <= f_has;
        f_by_turn  <= !(f_mine && f_calm) || (f_some && {1'b0, f_fe} == f_has);
        f_turns    <= (rst || !f_asks || (f_mine && f_fe == f_front)) ? 3'd0 : f_turns + {2'd0, f_mine};
        f_fitted <= launch_room && !events_stop && f_valid && f_waves <= free_slots_q && f_total <= free_vgprs_left_q &&
                    f_need <= free_lds_left_q;
        f_group  <= f_gs ? {31'd0, geometry_number[f_fe*33 +: 33]} : f_ps ? {31'd0, pixel_number[f_fe*33 +: 33]} :
                    f_drawn ? graphics_head_group[f_fe*64 +: 64] : head_group[f_winner*64 +: 64];
        if (!f_waiting || (grant_valid_d && !f_drawn && f_winner == f_pipe))
            f_count <= 4'd0;
        else if (grant_valid_d && f_level_now == f_tier)
            f_count <= f_count + 4'd1;
        f_still   <= grant_valid_d ? 4'd0 : (f_still == 4'd15) ? f_still : f_still + 4'd1;
        f_wait    <= (f_first && !grant_valid_d && f_ends) ? f_wait + 4'd1 : 4'd0;
        // It holds, is the oldest of its tier, and does not fit.
        f_passing   <= !rst && f_here && hold_valid[f_pipe] && !f_stopped && !f_fit;
        f_level_won <= f_level_now;
        f_ps_won    <= grant_valid_d && f_ps;
        if (rst) begin
            f_still <= 4'd0;
            f_wait  <= 4'd0;
            f_slots <= 7'd0;
            f_vgprs <= 12'd0;
            f_lds   <= 10'd0;
            f_grant <= 1'b0;
            f_count <= 4'd0;
            f_pixels <= 7'd0;
            f_geometry <= 7'd0;
            f_debt <= 1'b0;
            f_pixel_vgprs <= 12'd0;
            f_pixel_lds   <= 10'd0;
        end

        if (!rst) begin
            assert (f_all == {COUNT{1'b1}});                                                 // 1 permutation
            assert (!fault_q);                                                               // 1 permutation
            if (grant_valid_q) assert (!(f_grant && f_before == f_head));                    // 2 twice
            if (grant_valid_q) assert (f_fitted && grant_group_q == f_group);                // 3 head
            assert (free_slots_q + f_slots == SLOTS);                                        // 4 conserved
            assert (free_vgprs_left_q + f_vgprs == VGPRS);                                   // 4 conserved
            assert (free_lds_left_q + f_lds == LDS);                                         // 4 conserved
            if (f_won && !f_drawn_won) assert (order_q[(COUNT-1)*ORDER_BITS +: ORDER_BITS] == f_last);  // 5 last
            assert (f_count + f_above <= COUNT - 1);                                         // 6 fair
            if (f_passing && grant_valid_q && !(f_ps_won && (f_free_was || f_level_won <= f_tier)))
                assert (f_level_won < f_tier);                                               // 7 hold
            assert (owed_q == f_debt);                                                       // 7 hold
            assert (f_wait <= F_ENDS + 4'd1);                                                // 8 served
            assert (f_wait <= f_still + 4'd1);                                               // 8 served
            if (f_gs_won) assert (f_left && f_open);                                         // 9 reserve
            assert (held_slots_q == f_pixels && held_vgprs_q == f_pixel_vgprs && held_lds_q ==
                    f_pixel_lds);                                                            // 10 pixels
            assert (geometry_slots_q == f_geometry && f_geometry <= f_slots - f_pixels);     // 10 pixels
            if (GRAPHICS == 0) assert (f_geometry == 7'd0 && f_pixels == 7'd0);              // 10 pixels
            assert (f_pixels <= f_slots && f_pixel_vgprs <= f_vgprs && f_pixel_lds <= f_lds);  // 10 pixels
            assert (f_each(hp3d_order_q) && f_each(gfx_order_q));                            // 1 permutation
            if (f_drawn_won) assert ((f_hp3d_won ? hp3d_order_q[5:4] : gfx_order_q[5:4]) == f_kind_won);  // 5 last
            assert (f_turn < FE_COUNT);                                                      // 11 turn
            if (f_kept) assert (f_turn == f_turn_was);                                       // 11 turn
            assert (f_by_turn || !f_drawn_won);                                              // 11 turn
            if (GRAPHICS != 0) assert (f_turns == 3'd0 || f_turns + f_ahead <= FE_COUNT - 1);  // 11 turn
        end
        cover (f_count == COUNT - 1);                                               // fair is tight
        cover (f_wait == F_ENDS);
        cover (GRAPHICS == 0 || (f_gs_won && held_slots_q != 7'd0));
        cover (GRAPHICS == 0 || (f_passing && pixel_valid != {FE_COUNT{1'b0}} && !f_free && !grant_valid_q));
        cover (GRAPHICS == 0 || {29'd0, f_turns} == FE_COUNT - 1);                            // turn is tight
    end
