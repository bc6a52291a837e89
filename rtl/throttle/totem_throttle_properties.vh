// SPDX-License-Identifier: Apache-2.0
//
// Properties of totem_throttle, included at the end of the module. The numbers are those of docs/contract/throttle.md.

    initial assume (rst);
    (* anyconst *) wire [SLOT_BITS-1:0] f_slot;

    reg              f_was = 1'b0;              // the clock before was not one of reset
    reg              f_gate, f_granted;
    reg [31:0]       f_closed = 32'd0;          // clocks with the gate closed
    reg [10:0]       f_left = 11'd0;            // clocks in which no geometry wave may be granted
    reg [6:0]        f_granted_only = 7'd0;     // granted, not launched
    reg [6:0]        f_running = 7'd0;          // launched and not ended
    reg [SLOTS-1:0]  f_busy = {SLOTS{1'b0}};    // their slots
    reg [SLOTS-1:0]  f_live;                    // of the clock before
    reg [7:0]        f_total_before;
    reg [6:0]        f_limit_1 = 7'd0, f_limit_2 = 7'd0, f_limit_3 = 7'd0;     // so many clocks ago
    wire [22:0]      f_count  = wide_q ? {stalls_q, 1'b0} : {1'b0, stalls_q};
    wire [3:0]       f_code   = controls_cntl1[23:20];
    wire             f_sample = {10'd0, elapsed_q} + 32'd1 >= ((f_code == 4'd0) ? 32'd100 : 32'd125 << f_code);
    reg [31:0]       f_clock = 32'd0, f_launched, f_from, f_freed, f_sampled;
    reg [31:0]       f_word;                    // of f_slot in the RAM
    reg [8*26-1:0]   f_sums = {8*26{1'b0}};     // of the youngest count, the two youngest, ..; below 2^26, see f_counts
    reg              f_read = 1'b0, f_freeing = 1'b0, f_freed_read = 1'b0;

    // Dead cycles of a geometry wave that is granted now: no measurement that is on says more, and one says so.
    wire f_a = controls_ph_enable | grant_throttle[0];
    wire f_b = controls_spi_enable | grant_throttle[1];
    wire f_c = f_b & |controls_cntl2[5:2];
    reg [10:0] f_dead;
    always @* begin
        f_dead = 11'd0;
        if (f_a && stall_a > f_dead) f_dead = stall_a;
        if (f_b && stall_b > f_dead) f_dead = stall_b;
        if (f_c && stall_c > f_dead) f_dead = stall_c;
    end

    // What leaving status 0 gives, of the clock before.
    reg         f_off = 1'b0;
    reg  [3:0]  f_base, f_step;
    reg         f_level;
    wire [15:0] f_base_dead = 16'd16 << (f_base > 4'd6 ? 4'd6 : f_base);
    wire [15:0] f_step_dead = 16'd16 << (f_step > 4'd6 ? 4'd6 : f_step);
    wire [15:0] f_dead_00   = f_level ? f_base_dead << seen_status_q
                                      : f_base_dead + f_step_dead * {14'd0, seen_status_q} - f_step_dead;
    wire [15:0] f_left_00   = seen_status_q == 2'd0 ? 16'd0 : f_dead_00 > 16'd1024 ? 16'd1024 : f_dead_00;

    wire f_geometry = grant_valid && grant_kind == WAVE_GEOMETRY;
    wire f_launch   = alloc_valid && alloc_kind == WAVE_GEOMETRY;
    wire f_free     = free_valid && free_kind == WAVE_GEOMETRY;
    reg [6:0]  f_ones, f_lives;         // bits of f_busy, of live
    reg        f_counts;        // every count is possible
    reg        f_sums_good;     // each sum is the one before it and one count more
    integer    f_n;
    always @* begin
        f_ones  = 7'd0;
        f_lives = 7'd0;
        for (f_n = 0; f_n < SLOTS; f_n = f_n + 1) begin
            f_ones  = f_ones + {6'd0, f_busy[f_n]};
            f_lives = f_lives + {6'd0, live_q[f_n]};
        end
        f_counts    = 1'b1;
        f_sums_good = f_sums[25:0] == {3'd0, history_q[22:0]};
        for (f_n = 0; f_n < 8; f_n = f_n + 1) begin
            f_counts = f_counts && history_q[f_n*23 +: 23] <= 23'd8192000;
            if (f_n > 0)
                f_sums_good = f_sums_good
                              && f_sums[f_n*26 +: 26] == f_sums[f_n*26-26 +: 26] + {3'd0, history_q[f_n*23 +: 23]};
        end
    end
    wire [7:0] f_total = {1'b0, f_granted_only} + {1'b0, f_running};
    wire [SLOTS-1:0] f_one = 1;

    always @* begin
        if (f_geometry) assume (f_was && f_gate && !f_granted && f_total < SLOTS);                  // A1 grants
        if (f_launch) assume (f_granted_only != 7'd0 && !f_busy[alloc_slot]);                       // A2 launches
        if (f_free)
            assume (f_running != 7'd0 && f_busy[free_slot] && !(born_valid_q && born_slot_q == free_slot));  // A3 ends
        if (f_read) assume (life_read_data == f_word);                                              // A4 ram
    end

    always @(posedge clk) begin
        f_was          <= !rst;
        f_gate         <= gate;
        f_granted      <= f_geometry;
        f_closed       <= gate ? f_closed : f_closed + 32'd1;
        f_left         <= f_geometry ? f_dead : (f_left == 11'd0) ? 11'd0 : f_left - 11'd1;
        f_granted_only <= f_granted_only + {6'd0, f_geometry} - {6'd0, f_launch};
        f_running      <= f_running + {6'd0, f_launch} - {6'd0, f_free};
        f_busy         <= (f_busy | (f_launch ? f_one << alloc_slot : {SLOTS{1'b0}}))
                          & ~(f_free ? f_one << free_slot : {SLOTS{1'b0}});
        f_live         <= live_q;
        f_off          <= !rst && !controls_ph_enable && !enables_q[0];
        f_base         <= controls_cntl1[7:4];
        f_step         <= controls_cntl1[11:8];
        f_level        <= controls_cntl2[16];
        f_total_before <= f_total;
        f_limit_1      <= controls_limit;
        f_limit_2      <= f_limit_1;
        f_limit_3      <= f_limit_2;
        f_clock        <= f_clock + 32'd1;
        if (f_sample)
            for (f_n = 0; f_n < 8; f_n = f_n + 1)
                f_sums[f_n*26 +: 26] <= {3'd0, f_count} + (f_n == 0 ? 26'd0 : f_sums[(f_n == 0 ? 0 : f_n-1)*26 +: 26]);
        if (f_launch && alloc_slot == f_slot) f_launched <= f_clock;
        if (f_free && free_slot == f_slot) f_freed <= f_clock;
        if (f_free && free_slot == f_slot) f_from <= f_launched;
        if (f_sample) f_sampled <= f_clock;
        if (life_write_enable && life_write_addr == f_slot) f_word <= life_write_data;
        f_read         <= life_read_enable && life_read_addr == f_slot;
        f_freeing      <= f_free && free_slot == f_slot;
        f_freed_read   <= f_freeing;
        if (rst) begin
            f_left         <= 11'd0;
            f_sums         <= {8*26{1'b0}};
            f_granted_only <= 7'd0;
            f_running      <= 7'd0;
            f_busy         <= {SLOTS{1'b0}};
            f_closed       <= 32'd0;
            f_limit_1      <= 7'd0;
            f_limit_2      <= 7'd0;
            f_limit_3      <= 7'd0;
            f_clock        <= 32'd0;
            f_read         <= 1'b0;
            f_freeing      <= 1'b0;
            f_freed_read   <= 1'b0;
        end
    end

    always @*
        if (!rst) begin
            assert (stall_a <= 1024 && stall_b <= 1024 && stall_c <= 1024);                         // 1 most
            if (f_geometry) assert (f_left == 11'd0);                                               // 2 gap
            if (f_left <= 11'd1 && (f_limit_1 == 7'd0 || f_total < {1'b0, f_limit_1})) assert (gate);  // 2 gap
            if (f_was && f_total > f_total_before && f_limit_3 != 7'd0)
                assert (f_total <= {1'b0, f_limit_3});                                              // 3 limit
            assert (f_sums_good && sum_q == f_sums[7*26 +: 26]);                                    // 4 sum
            assert ({1'b0, waves_q} == f_total);                                                    // 5 waves
            if (SLOTS <= 16) assert (f_lives <= waves_q);                                           // 5 waves
            if (life_read_enable)
                assert (!(life_write_enable && life_write_addr == life_read_addr));                 // 6 meets
            if (life_read_enable) assert (f_was && f_live[life_read_addr]);                         // 6 meets
            if (life_write_enable) assert (f_was && !f_live[life_write_addr]);                      // 6 meets
            assert (!(look_valid_q && end_valid_q) && !(looked_q && ended_q));                      // 7 lifetime
            if (f_read && f_freed_read) assert (ended_q && lived == f_freed - f_from - 32'd3);      // 7 lifetime
            if (f_freed_read) assert (f_read);                                                      // 7 lifetime
            if (f_read && !f_freed_read)
                assert (looked_q && lived == f_sampled - f_launched + 32'd1);                       // 7 lifetime
            if (f_off) assert (stall_a == f_left_00);                                               // 8 fresh
            assert (closed == f_closed);                                                            // 9 closed

            // helpers
            assert (dead == ((f_left == 11'd0) ? 10'd0 : f_left[9:0] - 10'd1) && f_left <= 11'd1024);
            assert (limit_q == f_limit_1);
            assert (live_q == (f_busy & ~(born_valid_q ? f_one << born_slot_q : {SLOTS{1'b0}})));
            if (born_valid_q) assert (f_busy[born_slot_q]);
            assert (f_total <= SLOTS && f_granted_only <= SLOTS && f_running <= SLOTS);
            if (SLOTS <= 16) assert (f_ones == f_running);
            assert (elapsed_q <= 22'd4095999 && {1'b0, stalls_q} <= {1'b0, elapsed_q} + 23'd1 && f_counts);
            assert (now_q == f_clock);
            if (walk_q || look_valid_q || looked_q) assert (walk_time_q == f_sampled);
            if (f_busy[f_slot] && born_valid_q && born_slot_q == f_slot) assert (f_launched == f_clock - 32'd1);
            if (live_q[f_slot] || (look_valid_q && look_slot_q == f_slot) || (f_read && !f_freed_read))
                assert (f_word == f_launched);
            if (f_freeing || f_freed_read) assert (f_word == f_from);
            assert (f_freeing == (end_valid_q && end_slot_q == f_slot));
            if (f_freeing) assert (f_freed == f_clock - 32'd1);
            if (f_freed_read) assert (f_freed == f_clock - 32'd2);
        end

    always @(posedge clk)
        if (!rst && f_was) begin
            cover (f_left == 11'd3);
            cover (!gate && dead == 10'd0 && limit_q == 7'd1);
            cover (f_freed_read && !life_write_enable);
            cover (life_read_enable && life_write_enable);
            cover (f_off && f_geometry && f_a && stall_a == 11'd96);
            cover (f_geometry && f_c && !f_a && f_total == 8'd1);
        end
