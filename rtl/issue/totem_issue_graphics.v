// SPDX-License-Identifier: Apache-2.0
//
// totem_issue_graphics: part of totem_issue: the heads of graphics, whether they fit, and which one wins.
//
// Policy    geometry and pixels of tier HP3D or GFX, groups of the graphics queues of tier GFX; which of a tier,
//           totem_issue_turns says. Geometry leaves PS_RESERVE, less what pixels hold; holds block what would pass them,
//           pixels only those of better tiers, while no geometry is in flight and none is owed.
// Boundary  combinational. A head has the index kind*FE_COUNT + front end; kinds as grant_kind.
// Cost      of a head three subtractions, of geometry three more; the choice only selects.
// Twin      look, choose and grant_graphics in cmodel/issue/totem_issue.c.

`default_nettype none

module totem_issue_graphics #(
    parameter FE_COUNT = 4,
    parameter QUEUE_BITS = 3,
    parameter EPOCH_BITS = 3,
    parameter RING_BITS  = 1,
    parameter SET_BITS   = 3,
    parameter DRAW_BITS  = 4,
    parameter FE_BITS    = 2
) (
    // heads
    input  wire [FE_COUNT-1:0]            geometry_valid,
    input  wire [FE_COUNT-1:0]            geometry_hp3d,
    input  wire [FE_COUNT*7-1:0]          geometry_vgprs,
    input  wire [FE_COUNT*9-1:0]          geometry_lds,
    input  wire [FE_COUNT-1:0]            geometry_wave32,
    input  wire [FE_COUNT*40-1:0]         geometry_program,
    input  wire [FE_COUNT*EPOCH_BITS-1:0] geometry_epoch,
    input  wire [FE_COUNT*DRAW_BITS-1:0]  geometry_draw,
    input  wire [FE_COUNT*SET_BITS-1:0]   geometry_set,
    input  wire [FE_COUNT*33-1:0]         geometry_number,
    input  wire [FE_COUNT*7-1:0]          geometry_primitives,
    input  wire [FE_COUNT*2-1:0]          geometry_throttle,
    input  wire [FE_COUNT-1:0]            graphics_head_valid,
    input  wire [FE_COUNT-1:0]            graphics_head_buffer,
    input  wire [FE_COUNT-1:0]            graphics_head_new,
    input  wire [FE_COUNT*64-1:0]         graphics_head_group,
    input  wire [FE_COUNT*7-1:0]          graphics_head_waves,
    input  wire [FE_COUNT*7-1:0]          graphics_head_threads,
    input  wire [FE_COUNT-1:0]            graphics_head_wave32,
    input  wire [FE_COUNT*7-1:0]          graphics_head_vgprs,
    input  wire [FE_COUNT*13-1:0]         graphics_head_total,
    input  wire [FE_COUNT*9-1:0]          graphics_head_lds,
    input  wire [FE_COUNT*40-1:0]         graphics_head_program,
    input  wire [FE_COUNT*RING_BITS-1:0]  graphics_head_queue,
    input  wire [FE_COUNT*EPOCH_BITS-1:0] graphics_head_epoch,
    input  wire [FE_COUNT*SET_BITS-1:0]   graphics_head_set,
    input  wire [FE_COUNT-1:0]            pixel_valid,
    input  wire [FE_COUNT-1:0]            pixel_hp3d,
    input  wire [FE_COUNT*7-1:0]          pixel_vgprs,
    input  wire [FE_COUNT*9-1:0]          pixel_lds,
    input  wire [FE_COUNT-1:0]            pixel_wave32,
    input  wire [FE_COUNT*40-1:0]         pixel_program,
    input  wire [FE_COUNT*EPOCH_BITS-1:0] pixel_epoch,
    input  wire [FE_COUNT*DRAW_BITS-1:0]  pixel_draw,
    input  wire [FE_COUNT*SET_BITS-1:0]   pixel_set,
    input  wire [FE_COUNT*33-1:0]         pixel_number,
    input  wire [FE_COUNT*7-1:0]          pixel_threads,
    // what stands in the way
    input  wire [3*FE_COUNT-1:0]          popped,       // granted in this clock
    input  wire                           open,         // a grant may be decided
    input  wire                           gate,
    input  wire                           stop_hp3d,    // a pipe of a better tier holds
    input  wire                           stop_gfx,
    input  wire                           drained,      // that holds back pixels too
    input  wire [FE_COUNT-1:0]            holding,      // a group wants and holds
    input  wire [FE_COUNT*FE_COUNT-1:0]   hold_before,
    input  wire                           high_some,    // a pipe of CS_HIGH, of CS_MEDIUM is eligible
    input  wire                           medium_some,
    // counts
    input  wire [6:0]                     free_slots,
    input  wire [11:0]                    free_vgprs,
    input  wire [9:0]                     free_lds,
    input  wire [6:0]                     held_slots,   // by pixel waves
    input  wire [11:0]                    held_vgprs,
    input  wire [9:0]                     held_lds,
    input  wire [6:0]                     reserve_slots,
    input  wire [11:0]                    reserve_vgprs,
    input  wire [9:0]                     reserve_lds,
    // state of the turns
    input  wire [5:0]                     hp3d_order,
    input  wire [5:0]                     gfx_order,
    input  wire [3*FE_BITS-1:0]           hp3d_turn,
    input  wire [3*FE_BITS-1:0]           gfx_turn,
    output wire [5:0]                     hp3d_order_d,
    output wire [5:0]                     gfx_order_d,
    output wire [3*FE_BITS-1:0]           hp3d_turn_d,
    output wire [3*FE_BITS-1:0]           gfx_turn_d,
    // the winner, if a tier of graphics wins
    output wire                           win_hp3d,
    output wire                           win_gfx,
    output reg  [1:0]                     fe,
    output reg  [1:0]                     kind,
    output reg                            buffer,
    output reg                            fresh,
    output reg  [63:0]                    group,
    output reg  [6:0]                     waves,
    output reg  [6:0]                     threads,
    output reg                            wave32,
    output reg  [6:0]                     vgprs,
    output reg  [8:0]                     lds,
    output reg  [39:0]                    program_addr,
    output reg  [QUEUE_BITS-1:0]          ring,
    output reg  [EPOCH_BITS-1:0]          epoch,
    output reg  [DRAW_BITS-1:0]           draw,
    output reg  [SET_BITS-1:0]            context_set,
    output reg  [6:0]                     primitives,
    output reg  [1:0]                     throttle,
    output reg  [6:0]                     slots_left,   // after it
    output reg  [11:0]                    vgprs_left,
    output reg  [9:0]                     lds_left,
    // statistics
    output wire [FE_COUNT-1:0]            group_lacks,
    output wire [FE_COUNT-1:0]            group_passed,
    output wire [FE_COUNT-1:0]            geometry_lacks,
    output wire [FE_COUNT-1:0]            geometry_passed,
    output wire [FE_COUNT-1:0]            pixel_lacks,
    output wire [FE_COUNT-1:0]            pixel_passed
);
`include "totem_issue_values.vh"
    localparam HEADS = 3*FE_COUNT;
    localparam [FE_COUNT-1:0] ONE = 1;

    // 1 Heads, continued. A head alone: what it needs, and what would be left, with the sign as one more bit; of
    // geometry also of the reserve.
    wire [HEADS-1:0]    wants = {pixel_valid, geometry_valid, graphics_head_valid} & ~popped;
    wire [HEADS-1:0]    hp3d  = {pixel_hp3d, geometry_hp3d, {FE_COUNT{1'b0}}};
    wire [HEADS*7-1:0]  need_slots = {{2*FE_COUNT{7'd1}}, graphics_head_waves};
    wire [HEADS*9-1:0]  need_lds   = {pixel_lds, geometry_lds, graphics_head_lds};
    wire [HEADS*13-1:0] need_vgprs;
    wire [HEADS*8-1:0]  slots_after;
    wire [HEADS*14-1:0] vgprs_after;
    wire [HEADS*11-1:0] lds_after;
    wire [HEADS-1:0]    fits;
    wire [HEADS-1:0]    blocked;

    genvar h;
    generate
        for (h = 0; h < HEADS; h = h + 1) begin : g_head
            localparam F = h % FE_COUNT;
            localparam KIND = h / FE_COUNT;
            wire         enough = !slots_after[h*8 + 7] && !vgprs_after[h*14 + 13] && !lds_after[h*11 + 10];
            assign need_vgprs[h*13 +: 13] =
                (KIND[1:0] == WAVE_COMPUTE)  ? graphics_head_total[F*13 +: 13] :
                (KIND[1:0] == WAVE_GEOMETRY) ? {6'd0, geometry_vgprs[F*7 +: 7]} : {6'd0, pixel_vgprs[F*7 +: 7]};
            assign slots_after[h*8 +: 8]   = {1'b0, free_slots} - {1'b0, need_slots[h*7 +: 7]};
            assign vgprs_after[h*14 +: 14] = {2'b0, free_vgprs} - {1'b0, need_vgprs[h*13 +: 13]};
            assign lds_after[h*11 +: 11]   = {1'b0, free_lds} - {2'b0, need_lds[h*9 +: 9]};
            if (KIND[1:0] == WAVE_GEOMETRY) begin : g_geometry
                wire [8:0]  slots_over = {2'b0, free_slots} + {2'b0, held_slots} - {2'b0, reserve_slots} - 9'd1;
                wire [13:0] vgprs_over = {2'b0, free_vgprs} + {2'b0, held_vgprs} - {2'b0, reserve_vgprs} -
                                         {1'b0, need_vgprs[h*13 +: 13]};
                wire [11:0] lds_over   = {2'b0, free_lds} + {2'b0, held_lds} - {2'b0, reserve_lds} -
                                         {3'b0, need_lds[h*9 +: 9]};
                wire        unused     = &{1'b0, slots_over[7:0], vgprs_over[12:0], lds_over[10:0]};
                assign fits[h]    = enough && !slots_over[8] && !vgprs_over[13] && !lds_over[11];
                assign blocked[h] = hp3d[h] ? stop_hp3d : stop_gfx || |holding;
            end else begin : g_other
                wire [FE_COUNT-1:0] others = holding & ~(ONE << F);
                wire [FE_COUNT-1:0] older  = holding[F] ? hold_before[F*FE_COUNT +: FE_COUNT] : {FE_COUNT{1'b1}};
                assign fits[h]    = enough;
                assign blocked[h] = (KIND[1:0] == WAVE_COMPUTE) ? stop_gfx || |(others & older) :
                                    drained && (hp3d[h] ? stop_hp3d : stop_gfx);
            end
        end
    endgenerate

    // 3 Holds, continued
    wire [HEADS-1:0] asks     = wants & ~blocked;
    wire [HEADS-1:0] eligible = asks & fits & {{FE_COUNT{1'b1}}, {FE_COUNT{gate}}, {FE_COUNT{1'b1}}} & {HEADS{open}};
    wire             hp3d_some, gfx_some;
    wire [HEADS-1:0] hp3d_contender, gfx_contender;

    // 5 Winner, continued
    assign win_hp3d = hp3d_some && !high_some;
    assign win_gfx  = gfx_some && !high_some && !hp3d_some && !medium_some;

    totem_issue_turns #(.FE_COUNT(FE_COUNT)) in_hp3d (
        .asks(asks & hp3d), .able(eligible), .order(hp3d_order), .turn(hp3d_turn), .take(win_hp3d),
        .some(hp3d_some), .contender(hp3d_contender), .order_d(hp3d_order_d), .turn_d(hp3d_turn_d));
    totem_issue_turns #(.FE_COUNT(FE_COUNT)) in_gfx (
        .asks(asks & ~hp3d), .able(eligible), .order(gfx_order), .turn(gfx_turn), .take(win_gfx),
        .some(gfx_some), .contender(gfx_contender), .order_d(gfx_order_d), .turn_d(gfx_turn_d));

    wire [HEADS-1:0] chosen = (hp3d_contender & {HEADS{win_hp3d}}) | (gfx_contender & {HEADS{win_gfx}});

    assign group_lacks     = wants[0 +: FE_COUNT] & (~fits[0 +: FE_COUNT] | blocked[0 +: FE_COUNT]);
    assign group_passed    = eligible[0 +: FE_COUNT] & ~chosen[0 +: FE_COUNT];
    assign geometry_lacks  = wants[FE_COUNT +: FE_COUNT] &
                             (~fits[FE_COUNT +: FE_COUNT] | blocked[FE_COUNT +: FE_COUNT]);
    assign geometry_passed = eligible[FE_COUNT +: FE_COUNT] & ~chosen[FE_COUNT +: FE_COUNT];
    assign pixel_lacks     = wants[2*FE_COUNT +: FE_COUNT] &
                             (~fits[2*FE_COUNT +: FE_COUNT] | blocked[2*FE_COUNT +: FE_COUNT]);
    assign pixel_passed    = eligible[2*FE_COUNT +: FE_COUNT] & ~chosen[2*FE_COUNT +: FE_COUNT];

    wire [HEADS*40-1:0]         all_program = {pixel_program, geometry_program, graphics_head_program};
    wire [HEADS*EPOCH_BITS-1:0] all_epoch   = {pixel_epoch, geometry_epoch, graphics_head_epoch};
    wire [HEADS-1:0]            all_wave32  = {pixel_wave32, geometry_wave32, graphics_head_wave32};
    wire [HEADS*7-1:0]          all_vgprs   = {pixel_vgprs, geometry_vgprs, graphics_head_vgprs};

    // 6 Grant, continued
    integer n, at;

    always @* begin
        {fe, kind, buffer, fresh, group, waves, threads, wave32} = {2'd0, WAVE_COMPUTE, 2'd0, 64'd0, 7'd0, 7'd0, 1'b0};
        {vgprs, lds, program_addr, primitives, slots_left, vgprs_left, lds_left} =
            {7'd0, 9'd0, 40'd0, 7'd0, 7'd0, 12'd0, 10'd0};
        at          = 0;
        throttle    = 2'd0;
        ring        = {QUEUE_BITS{1'b0}};
        epoch       = {EPOCH_BITS{1'b0}};
        draw        = {DRAW_BITS{1'b0}};
        context_set = {SET_BITS{1'b0}};
        for (n = 0; n < HEADS; n = n + 1)
            if (chosen[n]) begin
                at           = n % FE_COUNT;
                fe           = at[1:0];
                kind         = (n < FE_COUNT) ? WAVE_COMPUTE : (n < 2*FE_COUNT) ? WAVE_GEOMETRY : WAVE_PIXEL;
                waves        = need_slots[n*7 +: 7];
                wave32       = all_wave32[n];
                vgprs        = all_vgprs[n*7 +: 7];
                lds          = need_lds[n*9 +: 9];
                program_addr = all_program[n*40 +: 40];
                epoch        = all_epoch[n*EPOCH_BITS +: EPOCH_BITS];
                slots_left   = slots_after[n*8 +: 7];
                vgprs_left   = vgprs_after[n*14 +: 12];
                lds_left     = lds_after[n*11 +: 10];
                if (n < FE_COUNT) begin
                    buffer  = graphics_head_buffer[at];
                    fresh   = graphics_head_new[at];
                    group   = graphics_head_group[at*64 +: 64];
                    threads = graphics_head_threads[at*7 +: 7];
                    ring[0 +: RING_BITS] = graphics_head_queue[at*RING_BITS +: RING_BITS];
                    context_set          = graphics_head_set[at*SET_BITS +: SET_BITS];
                    draw[0 +: SET_BITS]  = context_set;     // of a group the completions tell the set
                end else begin
                    fresh       = 1'b1;
                    threads     = (n >= 2*FE_COUNT) ? pixel_threads[at*7 +: 7] : all_wave32[n] ? 7'd32 : 7'd64;
                    group[32:0] = (n < 2*FE_COUNT) ? geometry_number[at*33 +: 33] : pixel_number[at*33 +: 33];
                    draw        = (n < 2*FE_COUNT) ? geometry_draw[at*DRAW_BITS +: DRAW_BITS] :
                                                     pixel_draw[at*DRAW_BITS +: DRAW_BITS];
                    context_set = (n < 2*FE_COUNT) ? geometry_set[at*SET_BITS +: SET_BITS] :
                                                     pixel_set[at*SET_BITS +: SET_BITS];
                    if (n < 2*FE_COUNT) begin
                        primitives = geometry_primitives[at*7 +: 7];
                        throttle   = geometry_throttle[at*2 +: 2];
                    end
                end
            end
    end
endmodule

`default_nettype wire
