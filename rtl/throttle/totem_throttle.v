// SPDX-License-Identifier: Apache-2.0
//
// totem_throttle: dead cycles between the grants of geometry waves at an engine.
//
// Policy    the largest of three measurements, each at most 1024: A, fullness of the primitive hub, at its polls; B,
//           use of registers and LDS while pixel waves find no room, at samples; C, lifetime of geometry waves, at the
//           end of each and at samples. It is computed then, and loaded when a geometry wave is granted.
// Latency   a poll or sample in clock t counts for grants in t + 1; a lifetime 7 clocks behind its done, those of waves
//           in flight SLOTS + 3 behind the sample.
// Boundary  every output is a flip-flop or a function of few of them; no input reaches an output in its clock.
// Cost      SLOTS + about 510 flip-flops; four products of a sum with 4 bits, no division.
// Proved    at most 1024 (1), no grant too early, and the gate opens in time (2), the limit (3), the sum (4), waves
//           counted (5), the RAM never read and written at one word (6), A without a past (8), clocks with the gate closed (9), in
//           this file.
// Twin      cmodel/throttle/totem_throttle.c, same names.

`default_nettype none

`include "totem_regs.vh"

module totem_throttle #(
    parameter FE_COUNT = 4,         // front ends, 1 to 4
    parameter SLOTS    = 64,        // wave slots, a power of two, 2 to 64
    parameter VGPRS    = 2048,      // VGPR blocks, up to 2048
    parameter LDS      = 512,       // LDS blocks, up to 512
    parameter SLOT_BITS = (SLOTS > 1) ? $clog2(SLOTS) : 1       // follows from the others
) (
    input  wire                 clk,
    input  wire                 rst,
    // monitor
    input  wire [1:0]           monitor_status,
    input  wire                 monitor_polled,
    // issue
    input  wire                 grant_valid,
    input  wire [1:0]           grant_kind,
    input  wire [6:0]           grant_vgprs,
    input  wire [8:0]           grant_lds,
    input  wire [1:0]           grant_throttle,
    input  wire [FE_COUNT-1:0]  issue_pixel_lacks,
    output wire                 gate,
    // launch
    input  wire                 alloc_valid,
    input  wire [SLOT_BITS-1:0] alloc_slot,
    input  wire [1:0]           alloc_kind,
    // retire
    input  wire                 free_valid,
    input  wire [SLOT_BITS-1:0] free_slot,
    input  wire [1:0]           free_kind,
    input  wire [6:0]           free_vgprs,
    input  wire [8:0]           free_lds,
    // pixel
    input  wire [FE_COUNT-1:0]  pixel_wave32,
    // controls
    input  wire [31:0]          controls_cntl1,
    input  wire [31:0]          controls_cntl2,
    input  wire                 controls_ph_enable,
    input  wire                 controls_spi_enable,
    input  wire                 controls_b_hold,
    input  wire [6:0]           controls_limit,
    // controls
    output wire [31:0]          closed,
    output wire [9:0]           dead,
    output wire [10:0]          stall_a,
    output wire [10:0]          stall_b,
    output wire [10:0]          stall_c,
    // life RAM
    output wire                 life_write_enable,
    output wire [SLOT_BITS-1:0] life_write_addr,
    output wire [31:0]          life_write_data,
    output wire                 life_read_enable,
    output wire [SLOT_BITS-1:0] life_read_addr,
    input  wire [31:0]          life_read_data
);
`include "totem_controls_values.vh"
`include "totem_issue_values.vh"
`include "totem_throttle_values.vh"
    generate
        if (FE_COUNT < 1 || FE_COUNT > 4 || SLOTS < 2 || SLOTS > 64 || SLOTS != (1 << SLOT_BITS) || VGPRS < 1 ||
            VGPRS > 2048 || LDS < 1 || LDS > 512) begin : check
            totem_throttle_needs_FE_COUNT_1_to_4_SLOTS_a_power_of_two_to_64_VGPRS_to_2048_LDS_to_512 refused ();
        end
    endgenerate

    localparam [10:0] MOST  = 11'd1024;
    localparam [12:0] ALL_VGPRS = VGPRS[12:0];
    localparam [10:0] ALL_LDS   = LDS[10:0];

    reg [31:0]          now_q, now_d;
    reg [6:0]           waves_q, waves_d;
    reg [11:0]          gs_vgprs_q, gs_vgprs_d;
    reg [9:0]           gs_lds_q, gs_lds_d;
    reg [11:0]          ps_vgprs_q, ps_vgprs_d;
    reg [9:0]           ps_lds_q, ps_lds_d;
    reg [1:0]           enables_q, enables_d;
    reg [9:0]           dead_q, dead_d;
    reg [31:0]          closed_q, closed_d;
    reg [10:0]          stall_a_q, stall_a_d;
    reg [1:0]           seen_status_q, seen_status_d;
    reg [10:0]          stall_b_q, stall_b_d;
    reg [21:0]          elapsed_q, elapsed_d;
    reg [21:0]          stalls_q, stalls_d;
    reg                 wide_q, wide_d;
    reg [8*23-1:0]      history_q, history_d;
    reg [25:0]          sum_q, sum_d;
    reg [10:0]          stall_c_q, stall_c_d;
    reg [1:0]           late_q, late_d;
    reg [1:0]           old_q, old_d;
    reg [SLOTS-1:0]     live_q, live_d;
    reg [6:0]           limit_q, limit_d;
    reg                 born_valid_q, born_valid_d;
    reg [SLOT_BITS-1:0] born_slot_q, born_slot_d;
    reg                 end_valid_q, end_valid_d;
    reg [SLOT_BITS-1:0] end_slot_q, end_slot_d;
    reg                 ended_q, ended_d;
    reg                 walk_q, walk_d;
    reg [SLOT_BITS-1:0] walk_slot_q, walk_slot_d;
    reg [31:0]          walk_time_q, walk_time_d;
    reg                 look_valid_q, look_valid_d;
    reg [SLOT_BITS-1:0] look_slot_q, look_slot_d;
    reg                 looked_q, looked_d;
    reg [1:0]           finish_q, finish_d;

    // Registers that reset leaves alone read 0 at start, as in the model.
    initial begin
        now_q = 32'd0; waves_q = 7'd0; gs_vgprs_q = 12'd0; gs_lds_q = 10'd0; ps_vgprs_q = 12'd0; ps_lds_q = 10'd0;
        enables_q = 2'd0; dead_q = 10'd0; closed_q = 32'd0; stall_a_q = 11'd0; seen_status_q = 2'd0;
        stall_b_q = 11'd0; elapsed_q = 22'd0; stalls_q = 22'd0; wide_q = 1'b0; history_q = {8*23{1'b0}}; sum_q = 26'd0;
        stall_c_q = 11'd0; late_q = LATE_NO; old_q = 2'd0; live_q = {SLOTS{1'b0}}; limit_q = 7'd0;
        born_valid_q = 1'b0; born_slot_q = {SLOT_BITS{1'b0}}; end_valid_q = 1'b0; end_slot_q = {SLOT_BITS{1'b0}};
        ended_q = 1'b0; walk_q = 1'b0; walk_slot_q = {SLOT_BITS{1'b0}}; walk_time_q = 32'd0; look_valid_q = 1'b0;
        look_slot_q = {SLOT_BITS{1'b0}}; looked_q = 1'b0; finish_q = 2'd0;
    end

    assign gate              = dead_q == 10'd0 && (limit_q == 7'd0 || waves_q < limit_q);
    assign closed            = closed_q;
    assign dead              = dead_q;
    assign stall_a           = stall_a_q;
    assign stall_b           = stall_b_q;
    assign stall_c           = stall_c_q;
    assign life_write_enable = born_valid_q;
    assign life_write_addr   = born_slot_q;
    assign life_write_data   = now_q - 32'd1;
    assign life_read_enable  = look_valid_q || end_valid_q;
    assign life_read_addr    = end_valid_q ? end_slot_q : look_slot_q;

    // Fields of the registers.
    wire [3:0] ph_base   = controls_cntl1[`TOTEM_REG_CONTROLS_SPI_GS_THROTTLE_CNTL1_PH_THROTTLE_BASE];
    wire [3:0] ph_step   = controls_cntl1[`TOTEM_REG_CONTROLS_SPI_GS_THROTTLE_CNTL1_PH_THROTTLE_STEP_SIZE];
    wire [3:0] vgpr_code = controls_cntl1[`TOTEM_REG_CONTROLS_SPI_GS_THROTTLE_CNTL1_SPI_VGPR_THRESHOLD];
    wire [3:0] lds_code  = controls_cntl1[`TOTEM_REG_CONTROLS_SPI_GS_THROTTLE_CNTL1_SPI_LDS_THRESHOLD];
    wire [3:0] interval  = controls_cntl1[`TOTEM_REG_CONTROLS_SPI_GS_THROTTLE_CNTL1_SPI_POLL_INTERVAL];
    wire [3:0] spi_base  = controls_cntl1[`TOTEM_REG_CONTROLS_SPI_GS_THROTTLE_CNTL1_SPI_THROTTLE_BASE];
    wire [3:0] spi_step  = controls_cntl1[`TOTEM_REG_CONTROLS_SPI_GS_THROTTLE_CNTL1_SPI_THROTTLE_STEP_SIZE];
    wire [1:0] mode      = controls_cntl2[`TOTEM_REG_CONTROLS_SPI_GS_THROTTLE_CNTL2_SPI_THROTTLE_MODE];
    wire [3:0] life_code = controls_cntl2[`TOTEM_REG_CONTROLS_SPI_GS_THROTTLE_CNTL2_GRP_LIFETIME_THRESHOLD];
    wire [1:0] factor    = controls_cntl2[`TOTEM_REG_CONTROLS_SPI_GS_THROTTLE_CNTL2_GRP_LIFETIME_THRESHOLD_FACTOR];
    wire [2:0] penalty_1 = controls_cntl2[`TOTEM_REG_CONTROLS_SPI_GS_THROTTLE_CNTL2_GRP_LIFETIME_PENALTY1];
    wire [2:0] penalty_2 = controls_cntl2[`TOTEM_REG_CONTROLS_SPI_GS_THROTTLE_CNTL2_GRP_LIFETIME_PENALTY2];
    wire [1:0] stall_code = controls_cntl2[`TOTEM_REG_CONTROLS_SPI_GS_THROTTLE_CNTL2_PS_STALL_THRESHOLD];
    wire       ph_mode   = controls_cntl2[`TOTEM_REG_CONTROLS_SPI_GS_THROTTLE_CNTL2_PH_MODE];

    // Dead cycles of the codes: 6 and above are all 1024.
    wire [10:0] ph_base_dead   = (ph_base > 4'd5) ? MOST : 11'd16 << ph_base[2:0];
    wire [10:0] ph_step_dead   = (ph_step > 4'd5) ? MOST : 11'd16 << ph_step[2:0];
    wire [10:0] spi_base_dead  = (spi_base > 4'd5) ? MOST : 11'd16 << spi_base[2:0];
    wire [10:0] spi_step_dead  = (spi_step > 4'd5) ? MOST : 11'd16 << spi_step[2:0];
    wire [10:0] penalty_1_dead = (penalty_1 > 3'd5) ? MOST : 11'd16 << penalty_1;
    wire [10:0] penalty_2_dead = (penalty_2 > 3'd5) ? MOST : 11'd16 << penalty_2;

    // Gate: what a geometry wave that is granted in this clock loads.
    wire        geometry = grant_valid && grant_kind == WAVE_GEOMETRY;
    wire        pixels   = grant_valid && grant_kind == WAVE_PIXEL;
    wire        ends     = free_valid && free_kind == WAVE_GEOMETRY;
    wire        leaves   = free_valid && free_kind == WAVE_PIXEL;
    wire        spi_on   = controls_spi_enable || grant_throttle[1];
    wire [10:0] load_a   = (controls_ph_enable || grant_throttle[0]) ? stall_a_q : 11'd0;
    wire [10:0] load_b   = spi_on ? stall_b_q : 11'd0;
    wire [10:0] load_c   = (spi_on && life_code != 4'd0) ? stall_c_q : 11'd0;
    wire [10:0] load_ab  = (load_a > load_b) ? load_a : load_b;
    wire [10:0] load     = (load_ab > load_c) ? load_ab : load_c;
    wire [10:0] left     = load - 11'd1;
    wire        unused   = &{1'b0, controls_cntl1, controls_cntl2, left};

    // A: the class at once, or a step up or down for each class. While A is off, every clock begins at status 0.
    wire        a_counts  = controls_ph_enable || enables_q[0];
    wire [1:0]  status    = monitor_polled ? monitor_status : seen_status_q;
    wire [1:0]  earlier   = a_counts ? seen_status_q : 2'd0;
    wire [13:0] ph_step_1 = {3'd0, ph_step_dead};
    reg  [13:0] a_next;         // not yet cut to 1024
    always @* begin
        a_next = {3'd0, stall_a_q};
        if (ph_mode == PH_MODE_LEVEL)
            case (status)
                2'd0:    a_next = 14'd0;
                2'd1:    a_next = {2'd0, ph_base_dead, 1'b0};
                2'd2:    a_next = {1'b0, ph_base_dead, 2'd0};
                default: a_next = {ph_base_dead, 3'd0};
            endcase
        else
            case ({status, earlier})
                4'b00_00, 4'b00_01, 4'b00_10, 4'b00_11: a_next = 14'd0;
                4'b01_00: a_next = {3'd0, ph_base_dead};
                4'b10_00: a_next = {3'd0, ph_base_dead} + ph_step_1;
                4'b11_00: a_next = {3'd0, ph_base_dead} + {ph_step_1[12:0], 1'b0};
                4'b10_01, 4'b11_10, 4'b11_11: a_next = a_next + ph_step_1;
                4'b11_01: a_next = a_next + {ph_step_1[12:0], 1'b0};
                4'b01_10, 4'b10_11: a_next = (stall_a_q < ph_step_dead) ? 14'd0 : a_next - ph_step_1;
                4'b01_11: a_next = (a_next < {ph_step_1[12:0], 1'b0}) ? 14'd0 : a_next - {ph_step_1[12:0], 1'b0};
                default: ;
            endcase
    end

    // Stalls of pixel waves.
    wire [22:0] length = (interval == 4'd0) ? 23'd100 : 23'd125 << interval;
    wire        sample = {1'b0, elapsed_q} + 23'd1 >= length;
    wire        walking = walk_q || look_valid_q || looked_q || finish_q != 2'd0;
    wire        rests  = sample && !walking && live_q == {SLOTS{1'b0}} && !born_valid_q;
    wire        lack   = issue_pixel_lacks != {FE_COUNT{1'b0}};
    reg         wave64;
    integer     n;
    always @* begin
        wave64 = 1'b0;
        for (n = FE_COUNT - 1; n >= 0; n = n - 1)
            if (issue_pixel_lacks[n])
                wave64 = !pixel_wave32[n];
    end

    // B. What is compared is multiplied out: tenths by 10, the average by 8.
    wire [22:0] count    = wide_q ? {stalls_q, 1'b0} : {1'b0, stalls_q};
    wire [23:0] most     = wide_q ? {length, 1'b0} : {1'b0, length};
    wire [24:0] enough   = (stall_code == 2'd0) ? 25'd0 : {2'd0, length} << (stall_code - 2'd1);
    wire        starved  = count != 23'd0 && ({count, 3'd0} >= sum_q || {1'b0, count} >= most)
                           && {count, 3'd0} >= {1'b0, enough};
    wire [10:0] of_lds   = (mode == SPI_MODE_ENGINE) ? ALL_LDS : {1'b0, gs_lds_q} + {1'b0, ps_lds_q};
    wire [12:0] of_vgprs = (mode == SPI_MODE_ENGINE) ? ALL_VGPRS : {1'b0, gs_vgprs_q} + {1'b0, ps_vgprs_q};
    wire [13:0] lds_10   = {1'b0, gs_lds_q, 3'd0} + {3'd0, gs_lds_q, 1'b0};
    wire [15:0] vgprs_10 = {1'b0, gs_vgprs_q, 3'd0} + {3'd0, gs_vgprs_q, 1'b0};
    wire [14:0] lds_part = {4'd0, of_lds} * {11'd0, lds_code};
    wire [16:0] vgprs_part = {4'd0, of_vgprs} * {13'd0, vgpr_code};
    wire        lds_high   = mode >= SPI_MODE_ANY || (gs_lds_q != 10'd0 && {1'b0, lds_10} >= lds_part);
    wire        vgprs_high = mode >= SPI_MODE_ANY || (gs_vgprs_q != 12'd0 && {1'b0, vgprs_10} >= vgprs_part);
    wire        active   = (controls_spi_enable || enables_q[1]) && starved && (lds_high || vgprs_high);
    wire [11:0] b_up     = {1'b0, stall_b_q} + {1'b0, spi_step_dead};

    // C. One lifetime a clock comes back from the RAM: that of a wave that has ended, or of one in flight.
    wire [31:0] lived     = ended_q ? now_q - life_read_data - 32'd5 : walk_time_q - life_read_data + 32'd1;
    wire [17:0] threshold = {6'd0, life_code, 8'd0} << {factor, 1'b0};
    wire        beyond    = life_code != 4'd0 && !lived[31] && lived > {14'd0, threshold};
    wire        twice     = lived > {13'd0, threshold, 1'b0};
    wire [1:0]  lateness  = !beyond ? LATE_NO : twice ? LATE_TWICE : LATE_ONCE;
    reg  [1:0]  late_new, old_new, worse;
    reg  [10:0] penalty;        // of worse

    always @* begin
        // 1 Clock
        now_d        = now_q + 32'd1;
        limit_d      = controls_limit;
        born_valid_d = alloc_valid && alloc_kind == WAVE_GEOMETRY;
        born_slot_d  = alloc_slot;

        // 2 Count
        waves_d    = waves_q + {6'd0, geometry} - {6'd0, ends};
        gs_vgprs_d = gs_vgprs_q + (geometry ? {5'd0, grant_vgprs} : 12'd0) - (ends ? {5'd0, free_vgprs} : 12'd0);
        gs_lds_d   = gs_lds_q + (geometry ? {1'b0, grant_lds} : 10'd0) - (ends ? {1'b0, free_lds} : 10'd0);
        ps_vgprs_d = ps_vgprs_q + (pixels ? {5'd0, grant_vgprs} : 12'd0) - (leaves ? {5'd0, free_vgprs} : 12'd0);
        ps_lds_d   = ps_lds_q + (pixels ? {1'b0, grant_lds} : 10'd0) - (leaves ? {1'b0, free_lds} : 10'd0);

        // 3 Gate
        enables_d = geometry ? grant_throttle : enables_q;
        dead_d    = (dead_q == 10'd0) ? 10'd0 : dead_q - 10'd1;
        if (geometry && load != 11'd0)
            dead_d = left[9:0];
        closed_d = closed_q + {31'd0, !gate};

        // 4 Measurement A
        seen_status_d = status;
        stall_a_d     = stall_a_q;
        if (monitor_polled || !a_counts)
            stall_a_d = (a_next > {3'd0, MOST}) ? MOST : a_next[10:0];

        // 5 Stalls
        elapsed_d = sample ? 22'd0 : elapsed_q + 22'd1;
        stalls_d  = (sample ? 22'd0 : stalls_q) + {21'd0, lack};
        wide_d    = lack ? wave64 : wide_q && !sample;

        // 6 Measurement B
        stall_b_d = stall_b_q;
        history_d = history_q;
        sum_d     = sum_q;
        if (sample) begin
            if (active)
                stall_b_d = (stall_b_q == 11'd0) ? spi_base_dead : (b_up > {1'b0, MOST}) ? MOST : b_up[10:0];
            else if (controls_b_hold)
                stall_b_d = (count == 23'd0) ? 11'd0 : stall_b_q;
            else
                stall_b_d = (stall_b_q < spi_step_dead) ? 11'd0 : stall_b_q - spi_step_dead;
            history_d = {history_q[7*23-1:0], count};
            sum_d     = sum_q + {3'd0, count} - {3'd0, history_q[7*23 +: 23]};
        end

        // 7 Measurement C
        end_valid_d = ends && live_q[free_slot];
        end_slot_d  = free_slot;
        ended_d     = end_valid_q;
        look_slot_d = walk_slot_q;
        looked_d    = look_valid_q;

        late_new  = (ended_q && lateness > late_q) ? lateness : late_q;
        old_new   = (looked_q && lateness > old_q) ? lateness : old_q;
        stall_c_d = stall_c_q;
        worse     = late_new;
        if (finish_q[1] && old_new > late_new)
            worse = old_new;
        penalty = (worse == LATE_NO) ? 11'd0 : (worse == LATE_ONCE) ? penalty_2_dead : penalty_1_dead;
        if (finish_q[1] || (ended_q && lateness != LATE_NO) || rests)
            stall_c_d = penalty;

        late_d       = late_new;
        old_d        = old_new;
        walk_d       = walk_q;
        walk_slot_d  = walk_slot_q;
        walk_time_d  = walk_time_q;
        look_valid_d = 1'b0;
        finish_d     = {finish_q[0], 1'b0};
        if (walk_q && !ends) begin
            look_valid_d = live_q[walk_slot_q];
            walk_slot_d  = walk_slot_q + 1'b1;
            if (walk_slot_q == {SLOT_BITS{1'b1}}) begin
                walk_d      = 1'b0;
                finish_d[0] = 1'b1;
            end
        end
        if (sample) begin
            // A walk that is not over has seen waves of the interval before; what it saw counts for this one.
            old_d = late_new;
            if (walking && old_new > late_new)
                old_d = old_new;
            late_d = LATE_NO;
            if (!rests) begin
                walk_d      = 1'b1;
                walk_slot_d = {SLOT_BITS{1'b0}};
                walk_time_d = now_q;
                finish_d    = 2'd0;
            end
        end

        // 8 Live
        live_d = live_q;
        for (n = 0; n < SLOTS; n = n + 1) begin
            if (ends && free_slot == n[SLOT_BITS-1:0])
                live_d[n] = 1'b0;
            if (born_valid_q && born_slot_q == n[SLOT_BITS-1:0])
                live_d[n] = 1'b1;
        end
    end

    always @(posedge clk) begin
        now_q         <= now_d;
        waves_q       <= waves_d;
        gs_vgprs_q    <= gs_vgprs_d;
        gs_lds_q      <= gs_lds_d;
        ps_vgprs_q    <= ps_vgprs_d;
        ps_lds_q      <= ps_lds_d;
        enables_q     <= enables_d;
        dead_q        <= dead_d;
        closed_q      <= closed_d;
        stall_a_q     <= stall_a_d;
        seen_status_q <= seen_status_d;
        stall_b_q     <= stall_b_d;
        elapsed_q     <= elapsed_d;
        stalls_q      <= stalls_d;
        wide_q        <= wide_d;
        history_q     <= history_d;
        sum_q         <= sum_d;
        stall_c_q     <= stall_c_d;
        late_q        <= late_d;
        old_q         <= old_d;
        live_q        <= live_d;
        limit_q       <= limit_d;
        born_valid_q  <= born_valid_d;
        born_slot_q   <= born_slot_d;
        end_valid_q   <= end_valid_d;
        end_slot_q    <= end_slot_d;
        ended_q       <= ended_d;
        walk_q        <= walk_d;
        walk_slot_q   <= walk_slot_d;
        walk_time_q   <= walk_time_d;
        look_valid_q  <= look_valid_d;
        look_slot_q   <= look_slot_d;
        looked_q      <= looked_d;
        finish_q      <= finish_d;
        if (rst) begin
            now_q         <= 32'd0;
            waves_q       <= 7'd0;
            gs_vgprs_q    <= 12'd0;
            gs_lds_q      <= 10'd0;
            ps_vgprs_q    <= 12'd0;
            ps_lds_q      <= 10'd0;
            enables_q     <= 2'd0;
            dead_q        <= 10'd0;
            closed_q      <= 32'd0;
            stall_a_q     <= 11'd0;
            seen_status_q <= 2'd0;
            stall_b_q     <= 11'd0;
            elapsed_q     <= 22'd0;
            stalls_q      <= 22'd0;
            wide_q        <= 1'b0;
            history_q     <= {8*23{1'b0}};
            sum_q         <= 26'd0;
            stall_c_q     <= 11'd0;
            late_q        <= LATE_NO;
            old_q         <= 2'd0;
            live_q        <= {SLOTS{1'b0}};
            limit_q       <= 7'd0;
            born_valid_q  <= 1'b0;
            end_valid_q   <= 1'b0;
            ended_q       <= 1'b0;
            walk_q        <= 1'b0;
            look_valid_q  <= 1'b0;
            looked_q      <= 1'b0;
            finish_q      <= 2'd0;
        end
    end
    // formal: maxsteps=2
    // formal: maxsteps=2 params=SLOTS=2,FE_COUNT=1
    // formal: maxsteps=2 params=SLOTS=8,FE_COUNT=2 configs=full,board
`ifdef FORMAL
`include "totem_throttle_properties.vh"
`endif
endmodule

`default_nettype wire
