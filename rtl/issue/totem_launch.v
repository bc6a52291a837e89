// SPDX-License-Identifier: Apache-2.0
//
// totem_launch: launch port of a shader engine: the waves of granted groups, one per clock.
//
// Policy    groups in the order granted, waves in ascending order, each in the lowest free slot; a
//           group's waves are not interrupted. Room is asked for so late that the next group is here
//           just when the port gets free, and never later (docs/contract/launch.md).
// Latency   grant in clock n: first wave in n+1; a wave in every clock while grants follow room.
// Boundary  launch_valid and its payload are functions of state; the wave stays until launch_ready.
// Cost      three groups of about 146 flip-flops, 162 with graphics: one launches, one is behind it, and one
//           that was decided before room could fall. A bit and an input of a priority encoder per slot.
// Twin      cmodel/issue/totem_launch.c, same names.

`default_nettype none

module totem_launch #(
    parameter FE_COUNT = 4,                 // 1 to 4; a front end has 2 bits in any case
    parameter QUEUES   = 8,
    parameter EPOCHS   = 8,
    parameter SLOTS    = 64,                // a power of two from 2 to 64
    parameter SETS     = 8,
    parameter DRAW_STATES = 16,
    parameter GRAPHICS = 0,                 // 0: kind, draw state, set and primitives are 0
    parameter SET_BITS = (SETS > 1) ? $clog2(SETS) : 1,      // follow from the others
    parameter DRAW_BITS = (DRAW_STATES > 1) ? $clog2(DRAW_STATES) : 1
) (
    input  wire                      clk,
    input  wire                      rst,
    // issue
    input  wire                      grant_valid,
    input  wire [1:0]                grant_fe,
    input  wire [1:0]                grant_pipe,
    input  wire                      grant_buffer,
    input  wire                      grant_new,
    input  wire [63:0]               grant_group,
    input  wire [6:0]                grant_waves,
    input  wire [6:0]                grant_threads,
    input  wire                      grant_wave32,
    input  wire [5:0]                grant_invalidate,
    input  wire [6:0]                grant_vgprs,
    input  wire [8:0]                grant_lds,
    input  wire [39:0]               grant_program,
    input  wire [$clog2(QUEUES)-1:0] grant_queue,
    input  wire [$clog2(EPOCHS)-1:0] grant_epoch,
    input  wire [1:0]                grant_kind,
    input  wire [DRAW_BITS-1:0]      grant_draw,
    input  wire [SET_BITS-1:0]       grant_set,
    input  wire [6:0]                grant_primitives,
    output wire                      room,
    // core
    output wire                      launch_valid,
    output wire [1:0]                launch_kind,
    output wire [1:0]                launch_path,
    output wire [1:0]                launch_fe,
    output wire [1:0]                launch_pipe,
    output wire [$clog2(QUEUES)-1:0] launch_queue,
    output wire [$clog2(EPOCHS)-1:0] launch_epoch,
    output wire [63:0]               launch_group,
    output wire [6:0]                launch_index,
    output wire [6:0]                launch_waves,
    output wire                      launch_wave32,
    output wire [5:0]                launch_invalidate,
    output wire [6:0]                launch_threads,
    output wire [39:0]               launch_program,
    output wire [6:0]                launch_vgprs,
    output wire [8:0]                launch_lds,
    output wire [$clog2(SLOTS)-1:0]  launch_slot,
    output wire                      launch_buffer,
    output wire                      launch_state_new,
    output wire [DRAW_BITS-1:0]      launch_draw,
    output wire [SET_BITS-1:0]       launch_set,
    output wire [6:0]                launch_primitives,
    input  wire                      launch_ready,
    output wire [1:0]                header,
    // front end
    output wire                      release_valid,
    output wire [1:0]                release_fe,
    output wire [1:0]                release_pipe,
    output wire                      release_buffer,
    // retire
    output wire                      alloc_valid,
    output wire [$clog2(SLOTS)-1:0]  alloc_slot,
    output wire                      alloc_first,
    output wire [6:0]                alloc_waves,
    output wire [1:0]                alloc_fe,
    output wire [1:0]                alloc_pipe,
    output wire [$clog2(QUEUES)-1:0] alloc_queue,
    output wire [$clog2(EPOCHS)-1:0] alloc_epoch,
    output wire [1:0]                alloc_kind,
    output wire [DRAW_BITS-1:0]      alloc_draw,
    output wire [6:0]                alloc_vgprs,
    output wire [8:0]                alloc_lds,
    input  wire                      free_valid,
    input  wire [$clog2(SLOTS)-1:0]  free_slot,
    // rest
    output wire                      idle
);
`include "totem_issue_values.vh"
    localparam QUEUE_BITS = $clog2(QUEUES);
    localparam EPOCH_BITS = $clog2(EPOCHS);
    localparam SLOT_BITS  = $clog2(SLOTS);

    generate
        if (FE_COUNT < 1 || FE_COUNT > 4 || QUEUES < 2 || EPOCHS < 2 || SLOTS < 2 || SLOTS > 64 ||
            SLOTS != (1 << SLOT_BITS) || SETS > (1 << SET_BITS) || DRAW_STATES > (1 << DRAW_BITS)) begin : check
            totem_launch_needs_FE_COUNT_1_to_4_QUEUES_and_EPOCHS_from_2_SLOTS_a_power_of_two_to_64 refused ();
        end
    endgenerate

    reg [1:0]              count_q, count_d;
    reg                    asked_q, asked_d;
    reg [6:0]              index_q, index_d;
    reg [3*2-1:0]          fe_q, fe_d;
    reg [3*2-1:0]          pipe_q, pipe_d;
    reg [3*1-1:0]          buffer_q, buffer_d;
    reg [3*1-1:0]          fresh_q, fresh_d;
    reg [3*64-1:0]         group_q, group_d;
    reg [3*7-1:0]          waves_q, waves_d;
    reg [3*7-1:0]          threads_q, threads_d;
    reg [3*1-1:0]          wave32_q, wave32_d;
    reg [3*6-1:0]          invalidate_q, invalidate_d;
    reg [3*7-1:0]          vgprs_q, vgprs_d;
    reg [3*9-1:0]          lds_q, lds_d;
    reg [3*40-1:0]         program_addr_q, program_addr_d;
    reg [3*QUEUE_BITS-1:0] queue_q, queue_d;
    reg [3*EPOCH_BITS-1:0] epoch_q, epoch_d;
    reg [3*2-1:0]          kind_q, kind_d;
    reg [3*DRAW_BITS-1:0]  draw_q, draw_d;
    reg [3*SET_BITS-1:0]   set_q, set_d;
    reg [3*7-1:0]          primitives_q, primitives_d;
    reg [SLOTS-1:0]        used_q, used_d;
    reg                    slot_valid_q, slot_valid_d;
    reg [SLOT_BITS-1:0]    slot_q, slot_d;
    reg                    release_valid_q, release_valid_d;
    reg [1:0]              release_fe_q, release_fe_d;
    reg [1:0]              release_pipe_q, release_pipe_d;
    reg                    release_buffer_q, release_buffer_d;
    reg                    alloc_valid_q, alloc_valid_d;
    reg [SLOT_BITS-1:0]    alloc_slot_q, alloc_slot_d;
    reg                    alloc_first_q, alloc_first_d;
    reg [6:0]              alloc_waves_q, alloc_waves_d;
    reg [1:0]              alloc_fe_q, alloc_fe_d;
    reg [1:0]              alloc_pipe_q, alloc_pipe_d;
    reg [QUEUE_BITS-1:0]   alloc_queue_q, alloc_queue_d;
    reg [EPOCH_BITS-1:0]   alloc_epoch_q, alloc_epoch_d;
    reg [1:0]              alloc_kind_q, alloc_kind_d;
    reg [DRAW_BITS-1:0]    alloc_draw_q, alloc_draw_d;
    reg [6:0]              alloc_vgprs_q, alloc_vgprs_d;
    reg [8:0]              alloc_lds_q, alloc_lds_d;

    // Registers that reset leaves alone read 0 at start, as in the model.
    initial begin
        fe_q             = 6'd0;
        pipe_q           = 6'd0;
        buffer_q         = 3'd0;
        fresh_q          = 3'd0;
        group_q          = 192'd0;
        waves_q          = 21'd0;
        threads_q        = 21'd0;
        wave32_q         = 3'd0;
        invalidate_q     = 18'd0;
        vgprs_q          = 21'd0;
        lds_q            = 27'd0;
        program_addr_q   = 120'd0;
        queue_q          = {3*QUEUE_BITS{1'b0}};
        epoch_q          = {3*EPOCH_BITS{1'b0}};
        kind_q           = 6'd0;
        draw_q           = {3*DRAW_BITS{1'b0}};
        set_q            = {3*SET_BITS{1'b0}};
        primitives_q     = 21'd0;
        slot_q           = {SLOT_BITS{1'b0}};
        release_fe_q     = 2'd0;
        release_pipe_q   = 2'd0;
        release_buffer_q = 1'b0;
        alloc_slot_q     = {SLOT_BITS{1'b0}};
        alloc_first_q    = 1'b0;
        alloc_waves_q    = 7'd0;
        alloc_fe_q       = 2'd0;
        alloc_pipe_q     = 2'd0;
        alloc_queue_q    = {QUEUE_BITS{1'b0}};
        alloc_epoch_q    = {EPOCH_BITS{1'b0}};
        alloc_kind_q     = 2'd0;
        alloc_draw_q     = {DRAW_BITS{1'b0}};
        alloc_vgprs_q    = 7'd0;
        alloc_lds_q      = 9'd0;
    end

    wire [6:0]           rest  = waves_q[6:0] - index_q;
    wire                 last  = rest <= 7'd1;
    wire [7:0]           pair  = {1'b0, rest} + {1'b0, waves_q[13:7]};

    // The slot is found one wave ahead and then kept, so that the offer is stable until accepted.
    wire [SLOTS-1:0]     mine  = {{SLOTS-1{1'b0}}, slot_valid_q} << slot_q;
    wire [SLOTS-1:0]     spare = ~used_q & ~mine;

    // A grant of this clock is needed, at the earliest, two clocks from now.
    wire soon = count_q == 2'd0 || (count_q == 2'd1 && rest <= 7'd2) || (count_q == 2'd2 && pair <= 8'd2);

    assign room             = {1'b0, count_q} + {2'd0, asked_q} <= 3'd2 && soon;
    assign launch_valid     = count_q != 2'd0 && slot_valid_q;
    assign idle             = !launch_valid;
    assign launch_kind      = kind_q[1:0];
    assign launch_draw      = draw_q[DRAW_BITS-1:0];
    assign launch_set       = set_q[SET_BITS-1:0];
    assign launch_primitives = primitives_q[6:0];
    assign launch_path      = 2'd0;
    assign launch_fe        = fe_q[1:0];
    assign launch_pipe      = pipe_q[1:0];
    assign launch_queue     = queue_q[QUEUE_BITS-1:0];
    assign launch_epoch     = epoch_q[EPOCH_BITS-1:0];
    assign launch_group     = group_q[63:0];
    assign launch_index     = index_q;
    assign launch_waves     = waves_q[6:0];
    assign launch_wave32    = wave32_q[0];
    assign launch_invalidate = launch_state_new ? invalidate_q[5:0] : 6'd0;
    assign launch_threads   = last ? threads_q[6:0] : wave32_q[0] ? 7'd32 : 7'd64;
    assign launch_program   = program_addr_q[39:0];
    assign launch_vgprs     = vgprs_q[6:0];
    assign launch_lds       = lds_q[8:0];
    assign launch_slot      = slot_q;
    assign launch_buffer    = buffer_q[0];
    assign header           = {pipe_q[0], buffer_q[0]};
    assign launch_state_new = fresh_q[0] && index_q == 7'd0;
    assign release_valid    = release_valid_q;
    assign release_fe       = release_fe_q;
    assign release_pipe     = release_pipe_q;
    assign release_buffer   = release_buffer_q;
    assign alloc_valid      = alloc_valid_q;
    assign alloc_slot       = alloc_slot_q;
    assign alloc_first      = alloc_first_q;
    assign alloc_waves      = alloc_waves_q;
    assign alloc_fe         = alloc_fe_q;
    assign alloc_pipe       = alloc_pipe_q;
    assign alloc_queue      = alloc_queue_q;
    assign alloc_epoch      = alloc_epoch_q;
    assign alloc_kind       = alloc_kind_q;
    assign alloc_draw       = alloc_draw_q;
    assign alloc_vgprs      = alloc_vgprs_q;
    assign alloc_lds        = alloc_lds_q;

    wire       accept = launch_valid && launch_ready;
    wire       finish = accept && last;
    wire [1:0] behind = count_q - {1'b0, finish};
    wire       arrive = grant_valid && asked_q && behind != 2'd3;
    integer    slot;

    always @* begin
        // 1 Room
        asked_d          = room;
        // 2 Allocation
        alloc_valid_d    = accept;
        alloc_slot_d     = accept ? slot_q : alloc_slot_q;
        alloc_first_d    = accept ? index_q == 7'd0 : alloc_first_q;
        alloc_waves_d    = accept ? waves_q[6:0] : alloc_waves_q;
        alloc_fe_d       = accept ? fe_q[1:0] : alloc_fe_q;
        alloc_pipe_d     = accept ? pipe_q[1:0] : alloc_pipe_q;
        alloc_queue_d    = accept ? queue_q[QUEUE_BITS-1:0] : alloc_queue_q;
        alloc_epoch_d    = accept ? epoch_q[EPOCH_BITS-1:0] : alloc_epoch_q;
        alloc_kind_d     = accept ? kind_q[1:0] : alloc_kind_q;
        alloc_draw_d     = accept ? draw_q[DRAW_BITS-1:0] : alloc_draw_q;
        alloc_vgprs_d    = accept ? vgprs_q[6:0] : alloc_vgprs_q;
        alloc_lds_d      = accept ? lds_q[8:0] : alloc_lds_q;
        // 3 Release
        release_valid_d  = finish && kind_q[1:0] == WAVE_COMPUTE;
        release_fe_d     = finish ? fe_q[1:0] : release_fe_q;
        release_pipe_d   = finish ? pipe_q[1:0] : release_pipe_q;
        release_buffer_d = finish ? buffer_q[0] : release_buffer_q;

        // 4 Index
        index_d        = finish ? 7'd0 : index_q + {6'd0, accept};
        // 5 Finish
        count_d        = count_q - {1'b0, finish} + {1'b0, arrive};
        fe_d           = finish ? {fe_q[5:4], fe_q[5:2]} : fe_q;
        pipe_d         = finish ? {pipe_q[5:4], pipe_q[5:2]} : pipe_q;
        buffer_d       = finish ? {buffer_q[2], buffer_q[2:1]} : buffer_q;
        fresh_d        = finish ? {fresh_q[2], fresh_q[2:1]} : fresh_q;
        group_d        = finish ? {group_q[191:128], group_q[191:64]} : group_q;
        waves_d        = finish ? {waves_q[20:14], waves_q[20:7]} : waves_q;
        threads_d      = finish ? {threads_q[20:14], threads_q[20:7]} : threads_q;
        wave32_d       = finish ? {wave32_q[2], wave32_q[2:1]} : wave32_q;
        invalidate_d   = finish ? {invalidate_q[17:12], invalidate_q[17:6]} : invalidate_q;
        vgprs_d        = finish ? {vgprs_q[20:14], vgprs_q[20:7]} : vgprs_q;
        lds_d          = finish ? {lds_q[26:18], lds_q[26:9]} : lds_q;
        program_addr_d = finish ? {program_addr_q[119:80], program_addr_q[119:40]} : program_addr_q;
        queue_d        = finish ? {queue_q[2*QUEUE_BITS +: QUEUE_BITS], queue_q[QUEUE_BITS +: 2*QUEUE_BITS]} : queue_q;
        epoch_d        = finish ? {epoch_q[2*EPOCH_BITS +: EPOCH_BITS], epoch_q[EPOCH_BITS +: 2*EPOCH_BITS]} : epoch_q;
        kind_d         = finish ? {kind_q[5:4], kind_q[5:2]} : kind_q;
        draw_d         = finish ? {draw_q[2*DRAW_BITS +: DRAW_BITS], draw_q[DRAW_BITS +: 2*DRAW_BITS]} : draw_q;
        set_d          = finish ? {set_q[2*SET_BITS +: SET_BITS], set_q[SET_BITS +: 2*SET_BITS]} : set_q;
        primitives_d   = finish ? {primitives_q[20:14], primitives_q[20:7]} : primitives_q;
        // 6 Arrival
        if (arrive) begin
            fe_d[behind*2 +: 2]                   = grant_fe;
            pipe_d[behind*2 +: 2]                 = grant_pipe;
            buffer_d[behind]                      = grant_buffer;
            fresh_d[behind]                       = grant_new;
            group_d[behind*64 +: 64]              = grant_group;
            waves_d[behind*7 +: 7]                = grant_waves;
            threads_d[behind*7 +: 7]              = grant_threads;
            wave32_d[behind]                      = grant_wave32;
            invalidate_d[behind*6 +: 6]           = grant_invalidate;
            vgprs_d[behind*7 +: 7]                = grant_vgprs;
            lds_d[behind*9 +: 9]                  = grant_lds;
            program_addr_d[behind*40 +: 40]       = grant_program;
            queue_d[behind*QUEUE_BITS +: QUEUE_BITS] = grant_queue;
            epoch_d[behind*EPOCH_BITS +: EPOCH_BITS] = grant_epoch;
            kind_d[behind*2 +: 2]                 = (GRAPHICS != 0) ? grant_kind : WAVE_COMPUTE;
            draw_d[behind*DRAW_BITS +: DRAW_BITS] = (GRAPHICS != 0) ? grant_draw : {DRAW_BITS{1'b0}};
            set_d[behind*SET_BITS +: SET_BITS]    = (GRAPHICS != 0) ? grant_set : {SET_BITS{1'b0}};
            primitives_d[behind*7 +: 7]           = (GRAPHICS != 0) ? grant_primitives : 7'd0;
        end

        // 7 Slots
        used_d = used_q;
        if (free_valid)
            used_d[free_slot] = 1'b0;
        if (accept)
            used_d[slot_q] = 1'b1;
        // 8 Next slot
        slot_valid_d = slot_valid_q;
        slot_d       = slot_q;
        if (accept || !slot_valid_q) begin
            slot_valid_d = |spare;
            for (slot = SLOTS - 1; slot >= 0; slot = slot - 1)      // the lowest free one
                if (spare[slot])
                    slot_d = slot[SLOT_BITS-1:0];
        end
    end

    always @(posedge clk) begin
        count_q          <= count_d;
        asked_q          <= asked_d;
        index_q          <= index_d;
        fe_q             <= fe_d;
        pipe_q           <= pipe_d;
        buffer_q         <= buffer_d;
        fresh_q          <= fresh_d;
        group_q          <= group_d;
        waves_q          <= waves_d;
        threads_q        <= threads_d;
        wave32_q         <= wave32_d;
        invalidate_q     <= invalidate_d;
        vgprs_q          <= vgprs_d;
        lds_q            <= lds_d;
        program_addr_q   <= program_addr_d;
        queue_q          <= queue_d;
        epoch_q          <= epoch_d;
        kind_q           <= kind_d;
        draw_q           <= draw_d;
        set_q            <= set_d;
        primitives_q     <= primitives_d;
        used_q           <= used_d;
        slot_valid_q     <= slot_valid_d;
        slot_q           <= slot_d;
        release_valid_q  <= release_valid_d;
        release_fe_q     <= release_fe_d;
        release_pipe_q   <= release_pipe_d;
        release_buffer_q <= release_buffer_d;
        alloc_valid_q    <= alloc_valid_d;
        alloc_slot_q     <= alloc_slot_d;
        alloc_first_q    <= alloc_first_d;
        alloc_waves_q    <= alloc_waves_d;
        alloc_fe_q       <= alloc_fe_d;
        alloc_pipe_q     <= alloc_pipe_d;
        alloc_queue_q    <= alloc_queue_d;
        alloc_epoch_q    <= alloc_epoch_d;
        alloc_kind_q     <= alloc_kind_d;
        alloc_draw_q     <= alloc_draw_d;
        alloc_vgprs_q    <= alloc_vgprs_d;
        alloc_lds_q      <= alloc_lds_d;
        if (rst) begin
            count_q         <= 2'd0;
            asked_q         <= 1'b0;
            index_q         <= 7'd0;
            used_q          <= {SLOTS{1'b0}};
            slot_valid_q    <= 1'b0;
            release_valid_q <= 1'b0;
            alloc_valid_q   <= 1'b0;
        end
    end

`ifdef FORMAL
`include "totem_launch_properties.vh"
`endif
endmodule

`default_nettype wire
