// SPDX-License-Identifier: Apache-2.0
//
// Properties of totem_walker, included at the end of the module. The numbers are those of docs/contract/walker.md.

    initial assume (rst);
    reg [3:0]   f_seen;                     // places of the window from head on that were walked to
    reg [511:0] f_ids, f_ids_d;             // their ids, from head on
    reg [519:0] f_after, f_after_d;         // what the walk gave behind each of them: {ends, id}
    reg [39:0]  f_times;                    // how often each place is in the FIFOs
    // Who offers, who takes, and when the window slides.
    wire [2:0]  f_place  = head_q + ahead_q[2:0];
    wire        f_there  = presented_q[f_place] || granted_q[f_place];
    wire        f_window = !beyond_q && ahead_q < 4'd8;
    wire [3:0]  f_room   = {{(4-SE_COUNT){1'b0}}, room};
    wire        f_moves  = busy_q && f_window && (f_there || (dc_take && !stop_q && f_room[dc_take_engine]));
    wire        f_slides = busy_q && granted_q[head_q] && (f_moves || ahead_q != 4'd0);
    // The group behind another one, by dimensions that go on.
    wire [2:0]  f_inner  = {{1'b0, next_q[63:48]} + 17'd1 < {1'b0, last_q[63:48]},
                            {1'b0, next_q[47:32]} + 17'd1 < {1'b0, last_q[47:32]},
                            {1'b0, next_q[31:0]} + 33'd1 < {1'b0, last_q[31:0]}};
    wire [2:0]  f_lower  = {{1'b0, low_q[63:48]} + 17'd1 < {1'b0, last_q[63:48]},
                            {1'b0, low_q[47:32]} + 17'd1 < {1'b0, last_q[47:32]},
                            {1'b0, low_q[31:0]} + 33'd1 < {1'b0, last_q[31:0]}};
    wire [64:0] f_walk     = f_inner[0] ? {1'b0, next_q[63:32], next_q[31:0] + 32'd1} :
                             f_inner[1] ? {1'b0, next_q[63:48], next_q[47:32] + 16'd1, first_q[31:0]} :
                                          {!f_inner[2], next_q[63:48] + 16'd1, first_q[47:0]};
    wire [64:0] f_low_walk = f_lower[0] ? {1'b0, low_q[63:32], low_q[31:0] + 32'd1} :
                             f_lower[1] ? {1'b0, low_q[63:48], low_q[47:32] + 16'd1, first_q[31:0]} :
                                          {!f_lower[2], low_q[63:48] + 16'd1, first_q[47:0]};
    wire [63:0] f_begin  = packet_start_resume ? bank_restart : packet_start_fresh_at_zero ? 64'd0 : bank_origin;
    wire [63:0] f_end    = packet_start_resume ? bank_restart_end : packet_start_end;
    reg         f_began = 1'b0;             // a walk was to begin
    reg         f_inside;                   // in the grid
    reg [7:0]   f_mask;                     // with these places granted
    wire        f_new        = f_moves && ahead_q == f_seen;
    wire        f_given_up   = stopped && !packet_stop;
    integer     f_e, f_n, f_p;

    always @* begin
        f_times = 40'd0;
        for (f_p = 0; f_p < 8; f_p = f_p + 1)
            for (f_n = 0; f_n < SE_COUNT*4; f_n = f_n + 1)
                f_times[f_p*5 +: 5] = f_times[f_p*5 +: 5] +
                    {4'd0, f_n % 4 < count_q[(f_n/4)*3 +: 3] && fifo_q[f_n*3 +: 3] == f_p[2:0]};
        f_ids_d   = f_ids;
        f_after_d = f_after;
        for (f_n = 0; f_n < 8; f_n = f_n + 1)
            if (f_new && ahead_q == f_n[3:0]) begin
                f_ids_d[f_n*64 +: 64]   = next_q;
                f_after_d[f_n*65 +: 65] = f_walk;
            end
        if (f_slides) begin
            f_ids_d   = {64'd0, f_ids_d[511:64]};
            f_after_d = {65'd0, f_after_d[519:65]};
        end
    end

    always @(posedge clk) begin
        f_began  <= !rst && packet_start && !busy_q;
        f_inside <= f_begin[31:0] < f_end[31:0] && f_begin[47:32] < f_end[47:32] && f_begin[63:48] < f_end[63:48];
        f_mask   <= {8{packet_start_resume}} & {bank_restart_mask, 1'b0};
        f_ids   <= f_ids_d;
        f_after <= f_after_d;
        f_seen  <= f_seen + {3'd0, f_new} - {3'd0, f_slides};

        if (busy_q && f_seen != 4'd0 && low_q == f_ids[63:0]) assume (f_low_walk == f_after[64:0]);  // A1 step
        if (busy_q && low_q == next_q) assume (f_low_walk == f_walk);                        // A1 step
        for (f_n = 0; f_n < 8; f_n = f_n + 1)
            if (busy_q && f_n[3:0] < f_seen && ahead_q == f_n[3:0] && next_q == f_ids[f_n*64 +: 64])
                assume (f_walk == f_after[f_n*65 +: 65]);                                    // A1 step
        if (rst || (packet_start && !busy_q))
            f_seen <= 4'd0;

        if (!rst) begin
            for (f_e = 0; f_e < SE_COUNT; f_e = f_e + 1) begin
                assert (count_q[f_e*3 +: 3] <= 3'd4);                                        // 1 places
                if (!busy_q) assert (count_q[f_e*3 +: 3] == 3'd0);                           // 5 rest
                if (grant_valid[f_e] && count_q[f_e*3 +: 3] != 3'd0)
                    assert (presented_q[fifo_q[f_e*12 +: 3]] && !granted_q[fifo_q[f_e*12 +: 3]]);  // 1 places
            end
            assert (ahead_q <= 4'd8);                                                        // 2 lowest
            for (f_n = 0; f_n < 8; f_n = f_n + 1) begin
                if (busy_q) assert (f_times[f_n*5 +: 5] == {4'd0, presented_q[f_n]});        // 1 places
                if (busy_q) assert (!(presented_q[f_n] && granted_q[f_n]));                  // 1 places
                if (busy_q && presented_q[f_n]) assert ({1'b0, f_n[2:0] - head_q} < f_seen); // 1 places
                if (busy_q && {1'b0, f_n[2:0] - head_q} < ahead_q)
                    assert (presented_q[f_n] || granted_q[f_n]);                             // 2 lowest
                if (busy_q && !busy_d && !f_given_up && {1'b0, f_n[2:0] - head_q} < ahead_q + {3'd0, f_moves})
                    assert (granted_d[f_n] || (f_slides && f_n[2:0] == head_q));             // 3 granted
                if (stopped && busy_q) assert (!presented_q[f_n]);                           // 5 rest
            end
            if (f_began) assert (busy_q == f_inside && granted_q == f_mask && low_q == next_q);  // 6 begin
            assert (group_partial == (~f_inner & {3{partial_q}}));                           // 6 begin
            for (f_n = 0; f_n < 7; f_n = f_n + 1)
                assert (mask[f_n] == granted_q[(head_q + f_n[2:0] + 3'd1) & 3'd7]);          // 5 rest
            if (f_slides) assert (granted_q[head_q]);                                        // 3 granted
            if (busy_q && !busy_d && !f_given_up) assert (beyond_d);                         // 3 granted
            if (stopped && busy_q) assert (!granted_q[head_q]);                              // 5 rest

            // The ids of the window are a stretch of the walk.
            if (busy_q) begin
                assert (f_seen <= 4'd8 && ahead_q <= f_seen);                                // 4 walk
                if (f_seen == 4'd0) assert (next_q == low_q && !beyond_q);                   // 4 walk
                if (f_seen != 4'd0) assert (f_ids[63:0] == low_q);                           // 4 walk
                for (f_n = 0; f_n < 8; f_n = f_n + 1) begin
                    if (ahead_q < f_seen && ahead_q == f_n[3:0])
                        assert (next_q == f_ids[f_n*64 +: 64] && !beyond_q);                 // 4 walk
                    if (ahead_q == f_seen && ahead_q == f_n[3:0] + 4'd1)
                        assert ({beyond_q, next_q} == f_after[f_n*65 +: 65]);                // 4 walk
                end
                for (f_n = 0; f_n < 7; f_n = f_n + 1)
                    if (f_n[3:0] + 4'd1 < f_seen)
                        assert ({1'b0, f_ids[(f_n+1)*64 +: 64]} == f_after[f_n*65 +: 65]);   // 4 walk
            end
            cover (busy_q && !busy_d && !f_given_up && head_q == 3'd5);
        end
    end
