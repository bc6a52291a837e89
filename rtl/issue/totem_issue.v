// SPDX-License-Identifier: Apache-2.0
//
// totem_issue: issue stage of an engine: which group or graphics wave is launched next.
//
// Policy    best tier with an eligible head; in it the least recently issued pipe, by the totem pole, or the contender
//           of graphics. Slots, VGPRs and LDS are counted: taken at the grant, given back at the wave's end.
// Latency   a head in clock n is granted in n+1. Fit, choice and counting close in one clock, because a
//           fit registered a clock ahead could not know the grant decided meanwhile.
// Boundary  every output but idle is a flip-flop. A head granted in this clock is not looked at again: its
//           port pops at the end of the clock.
// Mask      grant_* count only while grant_valid.
// Cost      the pole has P x log2(P) flip-flops; the choice only selects among counts that are there already.
// Proof     invariants 1 (permutation) to 11 (turn).
// Parts     totem_issue_pipes (heads of pipes), totem_issue_pole (which of them), totem_issue_graphics (heads of
//           graphics; which of them: totem_issue_turns).
// Twin      cmodel/issue/totem_issue.c, same names.

`default_nettype none

module totem_issue #(
    parameter FE_COUNT = 4,             // 1 to 4
    parameter PIPES    = 2,             // 1 or 2
    parameter QUEUES   = 8,
    parameter EPOCHS   = 8,
    parameter SLOTS    = 64,            // 1 to 64
    parameter VGPRS    = 2048,          // 1 to 2048
    parameter LDS      = 512,           // 1 to 512
    parameter GRAPHICS_QUEUES = 2,      // up to QUEUES
    parameter SETS     = 8,
    parameter DRAW_STATES = 16,
    parameter GRAPHICS = 0,             // 0: no head of graphics is ever valid
    parameter QUEUE_BITS = (QUEUES > 1) ? $clog2(QUEUES) : 1,   // follow from the others
    parameter EPOCH_BITS = (EPOCHS > 1) ? $clog2(EPOCHS) : 1,
    parameter RING_BITS  = (GRAPHICS_QUEUES > 1) ? $clog2(GRAPHICS_QUEUES) : 1,
    parameter SET_BITS   = (SETS > 1) ? $clog2(SETS) : 1,
    parameter DRAW_BITS  = (DRAW_STATES > 1) ? $clog2(DRAW_STATES) : 1,
    parameter FE_BITS    = (FE_COUNT > 1) ? $clog2(FE_COUNT) : 1,
    parameter ORDER_BITS = (FE_COUNT*PIPES > 1) ? $clog2(FE_COUNT*PIPES) : 1
) (
    input  wire                                 clk,
    input  wire                                 rst,
    // ports
    input  wire [FE_COUNT*PIPES-1:0]            head_valid,
    input  wire [FE_COUNT*PIPES*2-1:0]          head_priority,
    input  wire [FE_COUNT*PIPES-1:0]            head_buffer,
    input  wire [FE_COUNT*PIPES-1:0]            head_new,
    input  wire [FE_COUNT*PIPES*64-1:0]         head_group,
    input  wire [FE_COUNT*PIPES*7-1:0]          head_waves,
    input  wire [FE_COUNT*PIPES*7-1:0]          head_threads,
    input  wire [FE_COUNT*PIPES-1:0]            head_wave32,
    input  wire [FE_COUNT*PIPES*6-1:0]          head_invalidate,
    input  wire [FE_COUNT*PIPES*7-1:0]          head_vgprs,
    input  wire [FE_COUNT*PIPES*13-1:0]         head_total,
    input  wire [FE_COUNT*PIPES*9-1:0]          head_lds,
    input  wire [FE_COUNT*PIPES*40-1:0]         head_program,
    input  wire [FE_COUNT*PIPES*QUEUE_BITS-1:0] head_queue,
    input  wire [FE_COUNT*PIPES*EPOCH_BITS-1:0] head_epoch,
    // geometry, graphics ports, pixels
    input  wire [FE_COUNT-1:0]                  geometry_valid,
    input  wire [FE_COUNT-1:0]                  geometry_hp3d,
    input  wire [FE_COUNT*7-1:0]                geometry_vgprs,
    input  wire [FE_COUNT*9-1:0]                geometry_lds,
    input  wire [FE_COUNT-1:0]                  geometry_wave32,
    input  wire [FE_COUNT*40-1:0]               geometry_program,
    input  wire [FE_COUNT*EPOCH_BITS-1:0]       geometry_epoch,
    input  wire [FE_COUNT*DRAW_BITS-1:0]        geometry_draw,
    input  wire [FE_COUNT*SET_BITS-1:0]         geometry_set,
    input  wire [FE_COUNT*33-1:0]               geometry_number,
    input  wire [FE_COUNT*7-1:0]                geometry_primitives,
    input  wire [FE_COUNT*2-1:0]                geometry_throttle,
    input  wire [FE_COUNT-1:0]                  graphics_head_valid,
    input  wire [FE_COUNT-1:0]                  graphics_head_buffer,
    input  wire [FE_COUNT-1:0]                  graphics_head_new,
    input  wire [FE_COUNT*64-1:0]               graphics_head_group,
    input  wire [FE_COUNT*7-1:0]                graphics_head_waves,
    input  wire [FE_COUNT*7-1:0]                graphics_head_threads,
    input  wire [FE_COUNT-1:0]                  graphics_head_wave32,
    input  wire [FE_COUNT*7-1:0]                graphics_head_vgprs,
    input  wire [FE_COUNT*13-1:0]               graphics_head_total,
    input  wire [FE_COUNT*9-1:0]                graphics_head_lds,
    input  wire [FE_COUNT*40-1:0]               graphics_head_program,
    input  wire [FE_COUNT*RING_BITS-1:0]        graphics_head_queue,
    input  wire [FE_COUNT*EPOCH_BITS-1:0]       graphics_head_epoch,
    input  wire [FE_COUNT*SET_BITS-1:0]         graphics_head_set,
    input  wire [FE_COUNT-1:0]                  pixel_valid,
    input  wire [FE_COUNT-1:0]                  pixel_hp3d,
    input  wire [FE_COUNT*7-1:0]                pixel_vgprs,
    input  wire [FE_COUNT*9-1:0]                pixel_lds,
    input  wire [FE_COUNT-1:0]                  pixel_wave32,
    input  wire [FE_COUNT*40-1:0]               pixel_program,
    input  wire [FE_COUNT*EPOCH_BITS-1:0]       pixel_epoch,
    input  wire [FE_COUNT*DRAW_BITS-1:0]        pixel_draw,
    input  wire [FE_COUNT*SET_BITS-1:0]         pixel_set,
    input  wire [FE_COUNT*33-1:0]               pixel_number,
    input  wire [FE_COUNT*7-1:0]                pixel_threads,
    // throttle
    input  wire                                 gate,
    // settings
    input  wire [6:0]                           settings_reserve_slots,
    input  wire [11:0]                          settings_reserve_vgprs,
    input  wire [9:0]                           settings_reserve_lds,
    // hold
    input  wire [FE_COUNT*PIPES-1:0]            hold_valid,
    input  wire [FE_COUNT*PIPES*FE_COUNT*PIPES-1:0] hold_before,
    input  wire [FE_COUNT-1:0]                  graphics_hold_valid,
    input  wire [FE_COUNT*FE_COUNT-1:0]         graphics_hold_before,
    // events
    input  wire                                 events_stop,
    // launch
    input  wire                                 launch_room,
    output wire                                 grant_valid,
    output wire [1:0]                           grant_fe,
    output wire [1:0]                           grant_pipe,
    output wire                                 grant_buffer,
    output wire                                 grant_new,
    output wire [63:0]                          grant_group,
    output wire [6:0]                           grant_waves,
    output wire [6:0]                           grant_threads,
    output wire                                 grant_wave32,
    output wire [5:0]                           grant_invalidate,
    output wire [6:0]                           grant_vgprs,
    output wire [8:0]                           grant_lds,
    output wire [39:0]                          grant_program,
    output wire [QUEUE_BITS-1:0]                grant_queue,
    output wire [EPOCH_BITS-1:0]                grant_epoch,
    output wire [1:0]                           grant_kind,
    output wire [DRAW_BITS-1:0]                 grant_draw,
    output wire [SET_BITS-1:0]                  grant_set,
    output wire [6:0]                           grant_primitives,
    output wire [1:0]                           grant_throttle,
    output wire                                 grant_drawn,
    // retire
    input  wire                                 free_valid,
    input  wire [6:0]                           free_vgprs,
    input  wire [8:0]                           free_lds,
    input  wire [1:0]                           free_kind,
    // reports
    output wire [6:0]                           free_slots,
    output wire [11:0]                          free_vgprs_left,
    output wire [9:0]                           free_lds_left,
    output wire [FE_COUNT*PIPES*ORDER_BITS-1:0] order,
    output wire [FE_COUNT*PIPES-1:0]            lacks,
    output wire [FE_COUNT*PIPES-1:0]            passed,
    output wire [FE_COUNT-1:0]                  group_lacks,
    output wire [FE_COUNT-1:0]                  group_passed,
    output wire [FE_COUNT*FE_BITS-1:0]          group_order,
    output wire [FE_COUNT-1:0]                  geometry_lacks,
    output wire [FE_COUNT-1:0]                  geometry_passed,
    output wire [FE_COUNT-1:0]                  pixel_lacks,
    output wire [FE_COUNT-1:0]                  pixel_passed,
    output wire                                 idle,
    output wire                                 fault
);
`include "totem_issue_values.vh"
    localparam COUNT = FE_COUNT*PIPES;
    localparam SHIFT = (PIPES > 1) ? 1 : 0;         // a pipe's number, so shifted, is that of its front end

    // Above these limits a count that overflows could wrap before it is seen.
    generate
        if (FE_COUNT < 1 || FE_COUNT > 4 || PIPES < 1 || PIPES > 2 || SLOTS < 1 || SLOTS > 64 ||
            VGPRS < 1 || VGPRS > 2048 || LDS < 1 || LDS > 512 ||
            RING_BITS > QUEUE_BITS || QUEUES > (1 << QUEUE_BITS) || EPOCHS > (1 << EPOCH_BITS) ||
            SETS > (1 << SET_BITS) || DRAW_STATES > (1 << DRAW_BITS) || SET_BITS > DRAW_BITS) begin : check
            totem_issue_needs_FE_COUNT_1_to_4_PIPES_1_or_2_SLOTS_to_64_VGPRS_to_2048_LDS_to_512_and_BITS_that_follow
                refused ();
        end
    endgenerate

    function [3:0] all_kinds(input [5:0] kinds);    // those in an order
        all_kinds = 4'd1 << kinds[1:0] | 4'd1 << kinds[3:2] | 4'd1 << kinds[5:4];
    endfunction

    // Places in the order of their numbers: the reset value of the pole.
    wire [COUNT*ORDER_BITS-1:0] in_order;
    genvar                      f;
    generate
        for (f = 0; f < COUNT; f = f + 1) begin : g_in_order
            localparam [ORDER_BITS-1:0] PIPE = f;
            assign in_order[f*ORDER_BITS +: ORDER_BITS] = PIPE;
        end
    endgenerate

    reg [COUNT*ORDER_BITS-1:0] order_q, order_d;
    reg [6:0]                  free_slots_q, free_slots_d;
    reg [11:0]                 free_vgprs_left_q, free_vgprs_left_d;
    reg [9:0]                  free_lds_left_q, free_lds_left_d;
    reg                        grant_valid_q, grant_valid_d;
    reg [1:0]                  grant_fe_q, grant_fe_d;
    reg [1:0]                  grant_pipe_q, grant_pipe_d;
    reg                        grant_buffer_q, grant_buffer_d;
    reg                        grant_new_q, grant_new_d;
    reg [63:0]                 grant_group_q, grant_group_d;
    reg [6:0]                  grant_waves_q, grant_waves_d;
    reg [6:0]                  grant_threads_q, grant_threads_d;
    reg                        grant_wave32_q, grant_wave32_d;
    reg [5:0]                  grant_invalidate_q, grant_invalidate_d;
    reg [6:0]                  grant_vgprs_q, grant_vgprs_d;
    reg [8:0]                  grant_lds_q, grant_lds_d;
    reg [39:0]                 grant_program_q, grant_program_d;
    reg [QUEUE_BITS-1:0]       grant_queue_q, grant_queue_d;
    reg [EPOCH_BITS-1:0]       grant_epoch_q, grant_epoch_d;
    reg [COUNT-1:0]            lacks_q, lacks_d;
    reg [COUNT-1:0]            passed_q, passed_d;
    reg [1:0]                  grant_kind_q, grant_kind_d;
    reg [DRAW_BITS-1:0]        grant_draw_q, grant_draw_d;
    reg [SET_BITS-1:0]         grant_set_q, grant_set_d;
    reg [6:0]                  grant_primitives_q, grant_primitives_d;
    reg [1:0]                  grant_throttle_q, grant_throttle_d;
    reg [5:0]                  hp3d_order_q, hp3d_order_d;
    reg [5:0]                  gfx_order_q, gfx_order_d;
    reg [3*FE_BITS-1:0]        hp3d_turn_q, hp3d_turn_d;
    reg [3*FE_BITS-1:0]        gfx_turn_q, gfx_turn_d;
    reg [6:0]                  held_slots_q, held_slots_d;
    reg [11:0]                 held_vgprs_q, held_vgprs_d;
    reg [9:0]                  held_lds_q, held_lds_d;
    reg [6:0]                  geometry_slots_q, geometry_slots_d;
    reg                        owed_q, owed_d;
    reg [FE_COUNT-1:0]         group_lacks_q, group_lacks_d;
    reg [FE_COUNT-1:0]         group_passed_q, group_passed_d;
    reg [FE_COUNT-1:0]         geometry_lacks_q, geometry_lacks_d;
    reg [FE_COUNT-1:0]         geometry_passed_q, geometry_passed_d;
    reg [FE_COUNT-1:0]         pixel_lacks_q, pixel_lacks_d;
    reg [FE_COUNT-1:0]         pixel_passed_q, pixel_passed_d;
    reg                        fault_q, fault_d;

    // Registers that reset leaves alone read 0 at start, as in the model.
    initial begin
        grant_fe_q         = 2'd0;
        grant_pipe_q       = 2'd0;
        grant_buffer_q     = 1'b0;
        grant_new_q        = 1'b0;
        grant_group_q      = 64'd0;
        grant_waves_q      = 7'd0;
        grant_threads_q    = 7'd0;
        grant_wave32_q     = 1'b0;
        grant_invalidate_q = 6'd0;
        grant_vgprs_q      = 7'd0;
        grant_lds_q        = 9'd0;
        grant_program_q    = 40'd0;
        grant_queue_q      = {QUEUE_BITS{1'b0}};
        grant_epoch_q      = {EPOCH_BITS{1'b0}};
        grant_kind_q       = WAVE_COMPUTE;
        grant_draw_q       = {DRAW_BITS{1'b0}};
        grant_set_q        = {SET_BITS{1'b0}};
        grant_primitives_q = 7'd0;
        grant_throttle_q   = 2'd0;
    end

    assign grant_valid     = grant_valid_q;
    assign grant_fe        = grant_fe_q;
    assign grant_pipe      = grant_pipe_q;
    assign grant_buffer    = grant_buffer_q;
    assign grant_new       = grant_new_q;
    assign grant_group     = grant_group_q;
    assign grant_waves     = grant_waves_q;
    assign grant_threads   = grant_threads_q;
    assign grant_wave32    = grant_wave32_q;
    assign grant_invalidate = grant_invalidate_q;
    assign grant_vgprs     = grant_vgprs_q;
    assign grant_lds       = grant_lds_q;
    assign grant_program   = grant_program_q;
    assign grant_queue     = grant_queue_q;
    assign grant_epoch     = grant_epoch_q;
    assign free_slots      = free_slots_q;
    assign free_vgprs_left = free_vgprs_left_q;
    assign free_lds_left   = free_lds_left_q;
    assign order           = order_q;
    assign lacks           = lacks_q;
    assign passed          = passed_q;
    assign idle            = free_slots_q == SLOTS[6:0];
    assign fault           = fault_q;
    assign grant_kind      = grant_kind_q;
    assign grant_draw      = grant_draw_q;
    assign grant_set       = grant_set_q;
    assign grant_primitives = grant_primitives_q;
    assign grant_throttle  = grant_throttle_q;
    assign grant_drawn     = grant_kind_q != WAVE_COMPUTE;
    assign group_lacks     = group_lacks_q;
    assign group_passed    = group_passed_q;
    assign geometry_lacks  = geometry_lacks_q;
    assign geometry_passed = geometry_passed_q;
    assign pixel_lacks     = pixel_lacks_q;
    assign pixel_passed    = pixel_passed_q;

    wire                  open = launch_room && !events_stop && !fault_q;
    wire [COUNT-1:0]      popped;                           // heads of pipes: granted in this clock
    wire [COUNT-1:0]      eligible, in_high, in_medium, in_low, p_lacks;
    wire                  high_holds, medium_holds;
    wire [COUNT*8-1:0]    slots_after;
    wire [COUNT*14-1:0]   vgprs_after;
    wire [COUNT*11-1:0]   lds_after;

    // Graphics: beside the pipes, never behind their choice. Without it all its heads are 0, and nothing of it is left.
    wire [FE_COUNT-1:0]  group_holding;                     // a group of a graphics queue wants and holds
    wire [3*FE_COUNT-1:0] g_popped;                         // its heads: granted in this clock
    wire                 win_hp3d, win_gfx;
    wire [1:0]           g_fe, g_kind;
    wire                 g_buffer, g_new, g_wave32;
    wire [63:0]          g_group;
    wire [6:0]           g_waves, g_threads, g_vgprs, g_primitives, g_slots_left;
    wire [8:0]           g_lds;
    wire [39:0]          g_program;
    wire [QUEUE_BITS-1:0] g_queue;
    wire [EPOCH_BITS-1:0] g_epoch;
    wire [DRAW_BITS-1:0] g_draw;
    wire [SET_BITS-1:0]  g_set;
    wire [11:0]          g_vgprs_left;
    wire [9:0]           g_lds_left;
    wire [5:0]           g_hp3d_order, g_gfx_order;
    wire [3*FE_BITS-1:0] g_hp3d_turn, g_gfx_turn;
    wire [FE_COUNT-1:0]  g_group_lacks, g_group_passed, g_geometry_lacks, g_geometry_passed;
    wire [FE_COUNT-1:0]  g_pixel_lacks, g_pixel_passed;
    wire [1:0]           g_throttle;
    wire                 g_gate = gate && !(grant_valid_q && grant_kind_q == WAVE_GEOMETRY);
    wire [FE_COUNT-1:0]  present = {FE_COUNT{GRAPHICS != 0}};

    generate
        for (f = 0; f < COUNT; f = f + 1) begin : g_pipe
            localparam FE   = f / PIPES;
            localparam PIPE = f % PIPES;
            assign popped[f] = grant_valid_q && grant_fe_q == FE[1:0] && grant_pipe_q == PIPE[1:0];
        end
        for (f = 0; f < 3*FE_COUNT; f = f + 1) begin : g_graphics
            localparam FE   = f % FE_COUNT;
            localparam KIND = f / FE_COUNT;
            assign g_popped[f] = grant_valid_q && grant_pipe_q == PIPE_GRAPHICS && grant_kind_q == KIND[1:0] &&
                                 grant_fe_q == FE[1:0];
        end
        for (f = 0; f < FE_COUNT; f = f + 1) begin : g_turn
            localparam [2:0] NUMBER = f, MOST = FE_COUNT[2:0];
            wire [2:0] place = {{(3-FE_BITS){1'b0}}, gfx_turn_q[0 +: FE_BITS]} + NUMBER;
            wire [2:0] front = (place >= MOST) ? place - MOST : place;
            wire       unused = &{1'b0, front};
            assign group_order[f*FE_BITS +: FE_BITS] = front[FE_BITS-1:0];
        end
    endgenerate
    assign group_holding = graphics_head_valid & graphics_hold_valid & ~g_popped[0 +: FE_COUNT] & present;

    totem_issue_pipes #(.COUNT(COUNT)) pipes (
        .head_valid(head_valid), .head_priority(head_priority), .head_waves(head_waves), .head_total(head_total),
        .head_lds(head_lds), .popped(popped), .open(open), .hold_valid(hold_valid), .hold_before(hold_before),
        .group_holds(|group_holding), .free_slots(free_slots_q), .free_vgprs(free_vgprs_left_q),
        .free_lds(free_lds_left_q), .lacks(p_lacks), .eligible(eligible), .in_high(in_high), .in_medium(in_medium),
        .in_low(in_low), .high_holds(high_holds), .medium_holds(medium_holds), .slots_after(slots_after),
        .vgprs_after(vgprs_after), .lds_after(lds_after));

    totem_issue_graphics #(
        .FE_COUNT(FE_COUNT), .QUEUE_BITS(QUEUE_BITS), .EPOCH_BITS(EPOCH_BITS), .RING_BITS(RING_BITS),
        .SET_BITS(SET_BITS), .DRAW_BITS(DRAW_BITS), .FE_BITS(FE_BITS)
    ) graphics (
        .geometry_valid(geometry_valid & present), .geometry_hp3d(geometry_hp3d), .geometry_vgprs(geometry_vgprs),
        .geometry_lds(geometry_lds), .geometry_wave32(geometry_wave32), .geometry_program(geometry_program),
        .geometry_epoch(geometry_epoch), .geometry_draw(geometry_draw), .geometry_set(geometry_set),
        .geometry_number(geometry_number), .geometry_primitives(geometry_primitives),
        .geometry_throttle(geometry_throttle), .graphics_head_valid(graphics_head_valid & present),
        .graphics_head_buffer(graphics_head_buffer), .graphics_head_new(graphics_head_new),
        .graphics_head_group(graphics_head_group), .graphics_head_waves(graphics_head_waves),
        .graphics_head_threads(graphics_head_threads), .graphics_head_wave32(graphics_head_wave32),
        .graphics_head_vgprs(graphics_head_vgprs), .graphics_head_total(graphics_head_total),
        .graphics_head_lds(graphics_head_lds), .graphics_head_program(graphics_head_program),
        .graphics_head_queue(graphics_head_queue), .graphics_head_epoch(graphics_head_epoch),
        .graphics_head_set(graphics_head_set), .pixel_valid(pixel_valid & present), .pixel_hp3d(pixel_hp3d),
        .pixel_vgprs(pixel_vgprs), .pixel_lds(pixel_lds), .pixel_wave32(pixel_wave32), .pixel_program(pixel_program),
        .pixel_epoch(pixel_epoch), .pixel_draw(pixel_draw), .pixel_set(pixel_set), .pixel_number(pixel_number),
        .pixel_threads(pixel_threads),
        .popped(g_popped), .open(open), .gate(g_gate),
        .stop_hp3d(high_holds), .stop_gfx(high_holds || medium_holds),
        .drained(geometry_slots_q == 7'd0 && !owed_q),
        .holding(group_holding), .hold_before(graphics_hold_before), .high_some(|in_high), .medium_some(|in_medium),
        .free_slots(free_slots_q), .free_vgprs(free_vgprs_left_q), .free_lds(free_lds_left_q),
        .held_slots(held_slots_q), .held_vgprs(held_vgprs_q), .held_lds(held_lds_q),
        .reserve_slots(settings_reserve_slots), .reserve_vgprs(settings_reserve_vgprs),
        .reserve_lds(settings_reserve_lds),
        .hp3d_order(hp3d_order_q), .gfx_order(gfx_order_q), .hp3d_turn(hp3d_turn_q), .gfx_turn(gfx_turn_q),
        .hp3d_order_d(g_hp3d_order), .gfx_order_d(g_gfx_order), .hp3d_turn_d(g_hp3d_turn), .gfx_turn_d(g_gfx_turn),
        .win_hp3d(win_hp3d), .win_gfx(win_gfx), .fe(g_fe), .kind(g_kind), .buffer(g_buffer), .fresh(g_new),
        .group(g_group), .waves(g_waves), .threads(g_threads), .wave32(g_wave32), .vgprs(g_vgprs), .lds(g_lds),
        .program_addr(g_program), .ring(g_queue), .epoch(g_epoch), .draw(g_draw), .context_set(g_set),
        .primitives(g_primitives), .throttle(g_throttle),
        .slots_left(g_slots_left), .vgprs_left(g_vgprs_left), .lds_left(g_lds_left),
        .group_lacks(g_group_lacks), .group_passed(g_group_passed),
        .geometry_lacks(g_geometry_lacks), .geometry_passed(g_geometry_passed),
        .pixel_lacks(g_pixel_lacks), .pixel_passed(g_pixel_passed));

    // 5 Winner, continued: the pipes on offer are those of the best tier, none if a tier of graphics wins.
    wire [COUNT-1:0]            offers = |in_high ? in_high : win_hp3d ? {COUNT{1'b0}} :
                                         |in_medium ? in_medium : win_gfx ? {COUNT{1'b0}} : in_low;
    wire                        found;
    wire [COUNT-1:0]            chosen;
    wire [COUNT*ORDER_BITS-1:0] p_order;
    wire                        whole;
    integer                     place;

    totem_issue_pole #(.COUNT(COUNT), .ORDER_BITS(ORDER_BITS)) pole (
        .order(order_q), .offers(offers), .found(found), .chosen(chosen), .order_d(p_order), .whole(whole));

    always @* begin
        order_d           = p_order;
        free_slots_d      = free_slots_q;
        free_vgprs_left_d = free_vgprs_left_q;
        free_lds_left_d   = free_lds_left_q;
        grant_valid_d     = found || win_hp3d || win_gfx;
        grant_fe_d        = grant_fe_q;
        grant_pipe_d      = grant_pipe_q;
        grant_buffer_d    = grant_buffer_q;
        grant_new_d       = grant_new_q;
        grant_group_d     = grant_group_q;
        grant_waves_d     = grant_waves_q;
        grant_threads_d   = grant_threads_q;
        grant_wave32_d    = grant_wave32_q;
        grant_invalidate_d = grant_invalidate_q;
        grant_vgprs_d     = grant_vgprs_q;
        grant_lds_d       = grant_lds_q;
        grant_program_d   = grant_program_q;
        grant_queue_d     = grant_queue_q;
        grant_epoch_d     = grant_epoch_q;
        // 9 Self-check
        fault_d           = fault_q || !whole || free_slots_q > SLOTS[6:0] ||
                            free_vgprs_left_q > VGPRS[11:0] || free_lds_left_q > LDS[9:0] ||
                            held_slots_q > SLOTS[6:0] || held_vgprs_q > VGPRS[11:0] || held_lds_q > LDS[9:0] ||
                            all_kinds(hp3d_order_q) != 4'b0111 || all_kinds(gfx_order_q) != 4'b0111;

        grant_kind_d      = grant_kind_q;
        grant_draw_d      = grant_draw_q;
        grant_set_d       = grant_set_q;
        grant_primitives_d = grant_primitives_q;
        grant_throttle_d  = grant_throttle_q;
        hp3d_order_d      = g_hp3d_order;
        gfx_order_d       = g_gfx_order;
        hp3d_turn_d       = g_hp3d_turn;
        gfx_turn_d        = g_gfx_turn;
        held_slots_d      = held_slots_q;
        geometry_slots_d  = geometry_slots_q;
        owed_d            = owed_q;
        held_vgprs_d      = held_vgprs_q;
        held_lds_d        = held_lds_q;
        group_lacks_d     = g_group_lacks;
        group_passed_d    = g_group_passed;
        geometry_lacks_d  = g_geometry_lacks;
        geometry_passed_d = g_geometry_passed;
        pixel_lacks_d     = g_pixel_lacks;
        pixel_passed_d    = g_pixel_passed;

        lacks_d           = p_lacks;
        passed_d          = eligible & ~chosen;

        // 6 Grant
        for (place = 0; place < COUNT; place = place + 1)
            if (chosen[place]) begin
                free_slots_d      = slots_after[place*8 +: 7];
                free_vgprs_left_d = vgprs_after[place*14 +: 12];
                free_lds_left_d   = lds_after[place*11 +: 10];
                grant_fe_d        = place[SHIFT +: 2];
                grant_pipe_d      = {1'b0, PIPES > 1 && place[0]};
                grant_buffer_d    = head_buffer[place];
                grant_new_d       = head_new[place];
                grant_group_d     = head_group[place*64 +: 64];
                grant_waves_d     = head_waves[place*7 +: 7];
                grant_threads_d   = head_threads[place*7 +: 7];
                grant_wave32_d    = head_wave32[place];
                grant_invalidate_d = head_invalidate[place*6 +: 6];
                grant_vgprs_d     = head_vgprs[place*7 +: 7];
                grant_lds_d       = head_lds[place*9 +: 9];
                grant_program_d   = head_program[place*40 +: 40];
                grant_queue_d     = head_queue[place*QUEUE_BITS +: QUEUE_BITS];
                grant_epoch_d     = head_epoch[place*EPOCH_BITS +: EPOCH_BITS];
            end

        if (found) begin
            grant_kind_d       = WAVE_COMPUTE;
            grant_draw_d       = {DRAW_BITS{1'b0}};
            grant_set_d        = {SET_BITS{1'b0}};
            grant_primitives_d = 7'd0;
            grant_throttle_d   = 2'd0;
            // 8 Counts, continued
            owed_d             = owed_q || (GRAPHICS != 0 && |(chosen & hold_valid));
        end
        if (win_hp3d || win_gfx) begin
            free_slots_d       = g_slots_left;
            free_vgprs_left_d  = g_vgprs_left;
            free_lds_left_d    = g_lds_left;
            grant_fe_d         = g_fe;
            grant_pipe_d       = PIPE_GRAPHICS;
            grant_buffer_d     = g_buffer;
            grant_new_d        = g_new;
            grant_group_d      = g_group;
            grant_waves_d      = g_waves;
            grant_threads_d    = g_threads;
            grant_wave32_d     = g_wave32;
            grant_invalidate_d = 6'd0;
            grant_vgprs_d      = g_vgprs;
            grant_lds_d        = g_lds;
            grant_program_d    = g_program;
            grant_queue_d      = g_queue;
            grant_epoch_d      = g_epoch;
            grant_kind_d       = g_kind;
            grant_draw_d       = g_draw;
            grant_set_d        = g_set;
            grant_primitives_d = g_primitives;
            grant_throttle_d   = g_throttle;
            // 8 Counts, continued
            if (g_kind == WAVE_PIXEL) begin
                held_slots_d = held_slots_d + 7'd1;
                held_vgprs_d = held_vgprs_d + {5'd0, g_vgprs};
                held_lds_d   = held_lds_d + {1'b0, g_lds};
                owed_d       = 1'b0;
            end
            if (g_kind == WAVE_GEOMETRY)
                geometry_slots_d = geometry_slots_d + 7'd1;
        end

        // 8 Counts
        if (free_valid) begin
            free_slots_d      = free_slots_d + 7'd1;
            free_vgprs_left_d = free_vgprs_left_d + {5'd0, free_vgprs};
            free_lds_left_d   = free_lds_left_d + {1'b0, free_lds};
            if (GRAPHICS != 0 && free_kind == WAVE_PIXEL) begin
                held_slots_d = held_slots_d - 7'd1;
                held_vgprs_d = held_vgprs_d - {5'd0, free_vgprs};
                held_lds_d   = held_lds_d - {1'b0, free_lds};
            end
            if (GRAPHICS != 0 && free_kind == WAVE_GEOMETRY)
                geometry_slots_d = geometry_slots_d - 7'd1;
        end
    end

    always @(posedge clk) begin
        order_q           <= order_d;
        free_slots_q      <= free_slots_d;
        free_vgprs_left_q <= free_vgprs_left_d;
        free_lds_left_q   <= free_lds_left_d;
        grant_valid_q     <= grant_valid_d;
        grant_fe_q        <= grant_fe_d;
        grant_pipe_q      <= grant_pipe_d;
        grant_buffer_q    <= grant_buffer_d;
        grant_new_q       <= grant_new_d;
        grant_group_q     <= grant_group_d;
        grant_waves_q     <= grant_waves_d;
        grant_threads_q   <= grant_threads_d;
        grant_wave32_q    <= grant_wave32_d;
        grant_invalidate_q <= grant_invalidate_d;
        grant_vgprs_q     <= grant_vgprs_d;
        grant_lds_q       <= grant_lds_d;
        grant_program_q   <= grant_program_d;
        grant_queue_q     <= grant_queue_d;
        grant_epoch_q     <= grant_epoch_d;
        lacks_q           <= lacks_d;
        passed_q          <= passed_d;
        grant_kind_q      <= grant_kind_d;
        grant_draw_q      <= grant_draw_d;
        grant_set_q       <= grant_set_d;
        grant_primitives_q <= grant_primitives_d;
        grant_throttle_q  <= grant_throttle_d;
        hp3d_order_q      <= hp3d_order_d;
        gfx_order_q       <= gfx_order_d;
        hp3d_turn_q       <= hp3d_turn_d;
        gfx_turn_q        <= gfx_turn_d;
        held_slots_q      <= held_slots_d;
        geometry_slots_q  <= geometry_slots_d;
        owed_q            <= owed_d;
        held_vgprs_q      <= held_vgprs_d;
        held_lds_q        <= held_lds_d;
        group_lacks_q     <= group_lacks_d;
        group_passed_q    <= group_passed_d;
        geometry_lacks_q  <= geometry_lacks_d;
        geometry_passed_q <= geometry_passed_d;
        pixel_lacks_q     <= pixel_lacks_d;
        pixel_passed_q    <= pixel_passed_d;
        fault_q           <= fault_d;
        if (rst) begin
            order_q           <= in_order;
            free_slots_q      <= SLOTS[6:0];
            free_vgprs_left_q <= VGPRS[11:0];
            free_lds_left_q   <= LDS[9:0];
            grant_valid_q     <= 1'b0;
            lacks_q           <= {COUNT{1'b0}};
            passed_q          <= {COUNT{1'b0}};
            hp3d_order_q      <= {2'd2, 2'd1, 2'd0};
            gfx_order_q       <= {2'd2, 2'd1, 2'd0};
            hp3d_turn_q       <= {3*FE_BITS{1'b0}};
            gfx_turn_q        <= {3*FE_BITS{1'b0}};
            held_slots_q      <= 7'd0;
            geometry_slots_q  <= 7'd0;
            owed_q            <= 1'b0;
            held_vgprs_q      <= 12'd0;
            held_lds_q        <= 10'd0;
            group_lacks_q     <= {FE_COUNT{1'b0}};
            group_passed_q    <= {FE_COUNT{1'b0}};
            geometry_lacks_q  <= {FE_COUNT{1'b0}};
            geometry_passed_q <= {FE_COUNT{1'b0}};
            pixel_lacks_q     <= {FE_COUNT{1'b0}};
            pixel_passed_q    <= {FE_COUNT{1'b0}};
            fault_q           <= 1'b0;
        end
    end

    // formal: configs=full,board,pole
    // formal: params=FE_COUNT=2,PIPES=2 configs=mini
    // formal: params=FE_COUNT=3,PIPES=2,GRAPHICS=1 configs=board
`ifdef FORMAL
`include "totem_issue_properties.vh"
`endif
endmodule

`default_nettype wire
