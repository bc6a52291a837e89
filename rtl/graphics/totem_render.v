// SPDX-License-Identifier: Apache-2.0
//
// totem_render: the server of a graphics pipe: registers, lookups and draws of its ring.
//
// Policy    words of a stream are taken as they come; a packet ends when its effect is certain: operations are in
//           the hands of frames, a lookup is answered, the message of a draw is taken.
// Latency   a stream one word a clock; a draw about 24 clocks and 3 for each pair of user data.
// Boundary  outputs are states. Nothing is offered to frames behind a group before context knows of its end.
// Cost      about 1250 flip-flops, of which 384 are the words held; a RAM of 512 x 32.
// Proved    words held keep their order and are not lost (5); hash, draw and end of a group find frames idle (2); a
//           packet is answered once (4), and not given back behind a draw (3).
// Twin      cmodel/graphics/totem_render.c, same names.

`default_nettype none
`include "totem_pm4.vh"

module totem_render #(
    parameter SETS   = 8,                   // a power of two, 2 to 16
    parameter EPOCHS = 8,                   // a power of two, 2 to 8
    parameter QUEUES = 8,                   // a power of two, 2 to 8
    parameter SLOTS  = 64,                  // at most 64
    parameter VGPRS  = 2048,                // at most 8191
    parameter LDS    = 512                  // at most 512
) (
    input  wire                             clk,
    input  wire                             rst,
    // execute
    input  wire                             execute_service_valid,
    input  wire [4:0]                       execute_service_kind,
    input  wire [31:0]                      execute_service_control,
    input  wire [39:0]                      execute_service_address,
    input  wire [63:0]                      execute_service_data,
    input  wire [31:0]                      execute_service_extra,
    input  wire                             execute_service_stop,
    input  wire                             execute_service_read_done,
    input  wire [31:0]                      execute_service_read_data,
    input  wire                             execute_service_resume,
    input  wire                             execute_service_resume_plain,
    input  wire                             execute_service_group_end,
    input  wire [$clog2(QUEUES)-1:0]        execute_dispatch_queue,
    output wire                             room,
    output wire                             empty,
    output wire                             read,
    output wire [39:0]                      read_addr,
    output wire                             done,
    output wire [7:0]                       code,
    output wire [31:0]                      word,
    output wire                             again,
    output wire [13:0]                      skip,
    output wire [13:0]                      group,
    // frames
    input  wire                             frames_op_ready,
    input  wire                             frames_idle,
    input  wire                             frames_read_valid,
    input  wire [31:0]                      frames_read_data,
    output wire                             op_valid,
    output wire [1:0]                       op_kind,
    output wire [15:0]                      op_index,
    output wire [31:0]                      op_data,
    output wire [31:0]                      op_mask,
    // context
    input  wire                             context_hash_ready,
    input  wire                             context_answer_valid,
    input  wire [1:0]                       context_answer,
    input  wire                             context_draw_ready,
    input  wire [$clog2(SETS)-1:0]          context_current,
    output wire                             hash_valid,
    output wire [31:0]                      hash_data,
    output wire [13:0]                      hash_count,
    output wire                             group_end,
    output wire                             draw_valid,
    output wire                             clear,
    output wire                             resume_valid,
    output wire                             resume_plain,
    // fence
    output wire                             draw_begun,
    input  wire [QUEUES*$clog2(EPOCHS)-1:0] fence_epoch,
    // draws
    input  wire                             draws_free,
    input  wire                             draws_message_ready,
    output wire                             message_valid,
    output wire [63:0]                      message_word,
    output wire                             message_last,
    // PS_RESERVE
    input  wire [6:0]                       settings_reserve_slots,
    input  wire [11:0]                      settings_reserve_vgprs,
    input  wire [9:0]                       settings_reserve_lds,
    // controls
    output wire                             throttle_write_valid,
    output wire                             throttle_write_second,
    output wire [31:0]                      throttle_write_data,
    // register GRAPHICS
    input  wire                             graphics_hp3d,
    input  wire [1:0]                       graphics_generation,
    // shader RAM
    output wire                             shader_write_enable,
    output wire [8:0]                       shader_write_addr,
    output wire [31:0]                      shader_write_data,
    output wire                             shader_read_enable,
    output wire [8:0]                       shader_read_addr,
    input  wire [31:0]                      shader_read_data
);
`include "totem_frames_values.vh"
`include "totem_graphics_values.vh"
`include "totem_render_values.vh"
    localparam S = $clog2(SETS);
    localparam E = $clog2(EPOCHS);

    generate
        if (SETS < 2 || SETS > 16 || SETS != (1 << S) || EPOCHS < 2 || EPOCHS > 8 || EPOCHS != (1 << E)
            || QUEUES < 2 || QUEUES > 8 || QUEUES != (1 << $clog2(QUEUES)) || VGPRS < 1 || VGPRS > 8191
            || LDS < 1 || LDS > 512 || SLOTS < 1 || SLOTS > 64) begin : check
            totem_render_needs_sizes_as_its_parameters_say refused ();
        end
    endgenerate

    localparam [13:0] RSRC1_GS = `TOTEM_SH_SPI_SHADER_PGM_RSRC1_GS, RSRC2_GS = `TOTEM_SH_SPI_SHADER_PGM_RSRC2_GS;

    reg [3:0]   phase_q, phase_d;
    reg [3:0]   held_q;
    reg [127:0] held_index_q;
    reg [255:0] held_data_q;
    reg         put_q, put_d;
    reg [8:0]   put_index_q, put_index_d;
    reg [31:0]  put_data_q, put_data_d;
    reg         ending_q;
    reg [3:0]   inside_q;
    reg         group_end_q;
    reg [5:0]   primitive_q, primitive_d;
    reg [31:0]  instances_q, instances_d;
    reg [39:0]  base_q, base_d;
    reg [1:0]   wrote_q, wrote_d;
    reg [4:0]   kind_q, kind_d;
    reg [31:0]  control_q, control_d;
    reg [39:0]  address_q, address_d;
    reg [63:0]  data_q, data_d;
    reg [31:0]  extra_q, extra_d;
    reg [2:0]   item_q, item_d;
    reg [31:0]  left_q, left_d;
    reg         issued_q, issued_d;
    reg [39:0]  arguments_q, arguments_d;
    reg [31:0]  vertices_q, vertices_d;
    reg [31:0]  copies_q, copies_d;
    reg         old_q, old_d;
    reg [2:0]   asked_q, asked_d;
    reg [2:0]   got_q, got_d;
    reg [3:0]   place_q, place_d;
    reg         look_q;
    reg [5:0]   points_q, points_d;
    reg [1:0]   stages_q, stages_d;
    reg [31:0]  scratch_q, scratch_d;
    reg [31:0]  rsrc1_q, rsrc1_d;
    reg [31:0]  rsrc2_q, rsrc2_d;
    reg [39:0]  program_addr_q, program_addr_d;
    reg [1:0]   throttle_q, throttle_d;
    reg [31:0]  pixel_rsrc1_q, pixel_rsrc1_d;
    reg [31:0]  pixel_rsrc2_q, pixel_rsrc2_d;
    reg [39:0]  pixel_program_q, pixel_program_d;
    reg         pixel_wave32_q, pixel_wave32_d;
    reg [S-1:0] set_q, set_d;
    reg [E-1:0] epoch_q, epoch_d;
    reg         hp3d_q, hp3d_d;
    reg [5:0]   step_q, step_d;
    reg         part_q, part_d;
    reg [4:0]   fetch_q, fetch_d;
    reg [4:0]   fetched_q;
    reg         half_q, half_d;
    reg [31:0]  low_q, low_d;
    reg         full_q, full_d;
    reg [63:0]  state_word_q, state_word_d;
    reg [7:0]   code_q, code_d;
    reg [31:0]  word_q, word_d;
    reg         again_q, again_d;
    reg [13:0]  skip_q, skip_d;
    reg [13:0]  group_q, group_d;
    reg         resume_valid_q, resume_valid_d;
    reg         resume_plain_q, resume_plain_d;
    reg         draw_begun_q, draw_begun_d;
    reg         clear_q, clear_d;
    reg         throttle_write_valid_q, throttle_write_valid_d;
    reg         throttle_write_second_q, throttle_write_second_d;
    reg [31:0]  throttle_write_data_q, throttle_write_data_d;

    // Registers that reset leaves alone read 0 at start, as in the model.
    initial begin
        held_index_q = 0; held_data_q = 0; put_index_q = 0; put_data_q = 0; control_q = 0; address_q = 0; data_q = 0;
        extra_q = 0; left_q = 0; arguments_q = 0; vertices_q = 0; copies_q = 0; points_q = 0; stages_q = 0;
        scratch_q = 0; rsrc1_q = 0; rsrc2_q = 0; program_addr_q = 0; throttle_q = 0; pixel_rsrc1_q = 0;
        pixel_rsrc2_q = 0; pixel_program_q = 0; pixel_wave32_q = 0; set_q = 0; epoch_q = 0; hp3d_q = 0; fetched_q = 0;
        low_q = 0; state_word_q = 0; code_q = 0; word_q = 0; again_q = 0; skip_q = 0; group_q = 0; resume_plain_q = 0;
        throttle_write_second_q = 0; throttle_write_data_q = 0;
    end

    wire                   of_context = execute_service_valid && execute_service_kind == `TOTEM_KIND_CONTEXT;
    wire                   free, op_taken;
    wire                   still = free && frames_idle;
    wire [3:0]             next_held, next_inside;
    wire [127:0]           next_held_index;
    wire [255:0]           next_held_data;
    wire                   next_ending, next_group_end;

    totem_render_frames frames (
        .write(of_context), .write_index(execute_service_address[15:0]), .write_data(execute_service_data[31:0]),
        .group_ends(execute_service_group_end), .resume(execute_service_resume),
        .phase(phase_q), .packet_kind(kind_q), .packet_index(address_q[15:0]), .packet_data(data_q),
        .load_index(extra_q[15:0]), .load_data(low_q), .asked(asked_q),
        .frames_op_ready(frames_op_ready), .frames_idle(frames_idle),
        .op_valid(op_valid), .op_kind(op_kind), .op_index(op_index), .op_data(op_data), .op_mask(op_mask),
        .held(held_q), .held_index(held_index_q), .held_data(held_data_q), .ending(ending_q), .inside_held(inside_q),
        .free(free), .op_taken(op_taken), .held_d(next_held), .held_index_d(next_held_index),
        .held_data_d(next_held_data), .ending_d(next_ending), .inside_d(next_inside), .group_end_d(next_group_end)
    );

    wire                   geometry, wave32, too_large, pixel_large, header;
    wire [6:0]             vgprs, pixel_vgprs;
    wire [8:0]             blocks, pixel_blocks;
    wire [4:0]             words, pixel_words;

    totem_render_registers #(.SLOTS(SLOTS), .VGPRS(VGPRS), .LDS(LDS)) registers (
        .wrote(wrote_q), .old(old_q), .stages(stages_q), .rsrc1(rsrc1_q), .rsrc2(rsrc2_q),
        .pixel_rsrc1(pixel_rsrc1_q), .pixel_rsrc2(pixel_rsrc2_q),
        .reserve_slots(settings_reserve_slots), .reserve_vgprs(settings_reserve_vgprs),
        .reserve_lds(settings_reserve_lds),
        .geometry(geometry), .vgprs(vgprs), .blocks(blocks), .wave32(wave32), .words(words), .too_large(too_large),
        .pixel_vgprs(pixel_vgprs), .pixel_blocks(pixel_blocks), .pixel_words(pixel_words), .pixel_large(pixel_large),
        .gather(phase_q == RENDER_GATHER), .place(place_q), .part(part_q), .fetch(fetch_q), .half(half_q),
        .addr(shader_read_addr)
    );

    totem_render_message #(.SET_BITS(S), .EPOCH_BITS(E)) message (
        .send(phase_q == RENDER_SEND), .step(step_q), .full(full_q), .state_word(state_word_q),
        .vertices(vertices_q), .copies(copies_q), .primitive_type(primitive_q), .points(points_q), .set_number(set_q),
        .epoch(epoch_q), .hp3d(hp3d_q),
        .wave32(wave32), .vgprs(vgprs), .blocks(blocks), .words(words), .program_addr(program_addr_q),
        .throttle(throttle_q),
        .pixel_wave32(pixel_wave32_q && !old_q), .pixel_vgprs(pixel_rsrc1_q[5:0]), .pixel_blocks(pixel_blocks),
        .pixel_words(pixel_words), .pixel_program(pixel_program_q),
        .header(header), .valid(message_valid), .word(message_word), .last(message_last)
    );

    assign room         = held_q < 4'd5;
    assign empty        = free;
    assign read         = phase_q == RENDER_READ;
    assign read_addr    = {address_q[39:2], 2'd0};
    assign done         = phase_q == RENDER_DONE;
    assign code         = code_q;
    assign word         = word_q;
    assign again        = again_q;
    assign skip         = skip_q;
    assign group        = group_q;
    assign hash_valid   = phase_q == RENDER_LOW || phase_q == RENDER_HIGH;
    assign hash_data    = (phase_q == RENDER_HIGH) ? data_q[63:32] : data_q[31:0];
    assign hash_count   = control_q[13:0];
    assign group_end    = group_end_q;
    assign draw_valid   = phase_q == RENDER_ISSUE;
    assign resume_valid = resume_valid_q;
    assign resume_plain = resume_plain_q;
    assign draw_begun   = draw_begun_q;
    assign clear        = clear_q;

    assign throttle_write_valid  = throttle_write_valid_q;
    assign throttle_write_second = throttle_write_second_q;
    assign throttle_write_data   = throttle_write_data_q;

    assign shader_write_enable = put_q;
    assign shader_write_addr   = put_index_q;
    assign shader_write_data   = put_data_q;
    wire   gathers             = phase_q == RENDER_GATHER && place_q < 4'd9;
    wire   fetches             = phase_q == RENDER_SEND && fetch_q < (part_q ? pixel_words : words) &&
                                 (!half_q || !full_q);
    assign shader_read_enable  = gathers || fetches;

    wire        throttle_first  = execute_service_address[15:0] == {2'd0, `TOTEM_UCONFIG_SPI_GS_THROTTLE_CNTL1};
    wire        throttle_second = execute_service_address[15:0] == {2'd0, `TOTEM_UCONFIG_SPI_GS_THROTTLE_CNTL2};
    wire [31:0] first_instances, first_left, first_vertices, first_copies;
    wire [39:0] first_base, first_arguments, first_address;
    wire [2:0]  first_item;
    wire [3:0]  first_phase;
    wire        first_finish, first_draw, load_beyond, load_index;

    totem_render_packet packet (
        .kind(execute_service_kind), .control(execute_service_control), .address(execute_service_address),
        .data(execute_service_data), .extra(execute_service_extra),
        .instances(instances_q), .base(base_q), .item(item_q), .left(left_q), .arguments(arguments_q),
        .vertices(vertices_q), .copies(copies_q),
        .instances_d(first_instances), .base_d(first_base), .item_d(first_item), .left_d(first_left),
        .arguments_d(first_arguments), .address_d(first_address), .vertices_d(first_vertices),
        .copies_d(first_copies), .phase_d(first_phase), .finish(first_finish), .draw(first_draw),
        .load_beyond(load_beyond), .load_index(load_index)
    );

    wire [7:0]  next_code;
    wire [31:0] next_word;
    wire        next_again;
    wire [13:0] next_skip, next_group;

    wire        loads       = execute_service_kind == `TOTEM_KIND_LOAD;
    wire        misplaced   = item_q == ITEM_OFFSET && execute_service_read_data[15:10] != 6'd0;

    totem_render_answer answers (
        .phase(phase_q), .beyond(loads && load_beyond), .index(loads && load_index),
        .address(execute_service_address[31:0]), .misplaced(misplaced), .offset(execute_service_read_data),
        .extra(execute_service_extra), .left(left_q), .control(control_q),
        .answer_valid(context_answer_valid), .answer(context_answer),
        .too_large(too_large), .blocks(blocks), .vgprs(vgprs), .pixel_blocks(pixel_blocks), .pixel_vgprs(pixel_vgprs),
        .code(next_code), .word(next_word), .again(next_again), .skip(next_skip), .group(next_group)
    );

    wire [31:0] number      = (execute_service_read_data < data_q[31:0]) ? execute_service_read_data : data_q[31:0];

    reg finish;         // the packet is done
    reg draw;           // the arguments of a draw are there
    always @* begin
        phase_d        = phase_q;
        put_index_d    = put_index_q;
        put_data_d     = put_data_q;
        primitive_d    = primitive_q;
        instances_d    = instances_q;
        base_d         = base_q;
        wrote_d        = wrote_q;
        kind_d         = kind_q;
        control_d      = control_q;
        address_d      = address_q;
        data_d         = data_q;
        extra_d        = extra_q;
        item_d         = item_q;
        left_d         = left_q;
        issued_d       = issued_q;
        arguments_d    = arguments_q;
        vertices_d     = vertices_q;
        copies_d       = copies_q;
        old_d          = old_q;
        asked_d        = asked_q;
        got_d          = got_q;
        place_d        = place_q;
        points_d       = points_q;
        stages_d       = stages_q;
        scratch_d      = scratch_q;
        rsrc1_d        = rsrc1_q;
        rsrc2_d        = rsrc2_q;
        program_addr_d = program_addr_q;
        set_d          = set_q;
        epoch_d        = epoch_q;
        hp3d_d         = hp3d_q;
        step_d         = step_q;
        fetch_d        = fetch_q;
        half_d         = half_q;
        low_d          = low_q;
        full_d         = full_q;
        state_word_d   = state_word_q;
        code_d         = code_q;
        word_d         = word_q;
        again_d        = again_q;
        skip_d         = skip_q;
        group_d        = group_q;
        resume_plain_d = resume_plain_q;
        throttle_d      = throttle_q;
        pixel_rsrc1_d   = pixel_rsrc1_q;
        pixel_rsrc2_d   = pixel_rsrc2_q;
        pixel_program_d = pixel_program_q;
        pixel_wave32_d  = pixel_wave32_q;
        part_d          = part_q;
        throttle_write_second_d = throttle_write_second_q;
        throttle_write_data_d   = throttle_write_data_q;
        finish         = 1'b0;
        draw           = 1'b0;

        // 1 Pulses
        put_d                  = 1'b0;
        resume_valid_d         = 1'b0;
        draw_begun_d           = 1'b0;
        clear_d                = 1'b0;
        throttle_write_valid_d = 1'b0;

        // 3 Streams
        if (execute_service_valid && execute_service_kind == `TOTEM_KIND_SHADER
            && execute_service_address[15:9] == 7'd0) begin
            put_d       = 1'b1;
            put_index_d = execute_service_address[8:0];
            put_data_d  = execute_service_data[31:0];
            if (execute_service_address[8:0] == RSRC1_GS[8:0])
                wrote_d[0] = 1'b1;
            if (execute_service_address[8:0] == RSRC2_GS[8:0])
                wrote_d[1] = 1'b1;
        end
        if (execute_service_valid && execute_service_kind == `TOTEM_KIND_USER) begin
            if (execute_service_address[15:0] == {2'd0, `TOTEM_UCONFIG_VGT_PRIMITIVE_TYPE})
                primitive_d = execute_service_data[5:0];
            if (execute_service_address[15:0] == {2'd0, `TOTEM_UCONFIG_VGT_NUM_INSTANCES})
                instances_d = execute_service_data[31:0];
            if ((throttle_first || throttle_second) && graphics_generation == GENERATION_GFX11) begin
                throttle_write_valid_d  = 1'b1;
                throttle_write_second_d = throttle_second;
                throttle_write_data_d   = execute_service_data[31:0];
            end
        end

        case (phase_q)
            // 4 Packet
            RENDER_IDLE:
                if (execute_service_valid && execute_service_kind >= `TOTEM_KIND_MODIFY) begin
                    kind_d      = execute_service_kind;
                    control_d   = execute_service_control;
                    data_d      = execute_service_data;
                    extra_d     = execute_service_extra;
                    issued_d    = 1'b0;
                    instances_d = first_instances;
                    base_d      = first_base;
                    item_d      = first_item;
                    left_d      = first_left;
                    arguments_d = first_arguments;
                    address_d   = first_address;
                    vertices_d  = first_vertices;
                    copies_d    = first_copies;
                    phase_d     = first_phase;
                    finish      = first_finish;
                    draw        = first_draw;
                end
            // 5 Op
            RENDER_OP:
                if (op_taken) begin
                    if (kind_q == `TOTEM_KIND_CLEAR) begin
                        wrote_d = 2'd0;
                        clear_d = 1'b1;
                    end
                    finish = 1'b1;
                end
            // 6 Read
            RENDER_READ:
                if (execute_service_read_done)
                    case (item_q)
                        ITEM_OFFSET:
                            if (misplaced)
                                finish = 1'b1;
                            else begin
                                extra_d[15:0] = execute_service_read_data[15:0];
                                address_d     = address_q + 40'd4;
                                item_d        = ITEM_REGISTER;
                            end
                        ITEM_REGISTER: begin
                            low_d   = execute_service_read_data;
                            phase_d = RENDER_PUT;
                        end
                        ITEM_NUMBER:
                            if (number == 32'd0)
                                finish = 1'b1;
                            else begin
                                left_d    = number;
                                item_d    = ITEM_VERTICES;
                                address_d = arguments_q;
                            end
                        ITEM_VERTICES: begin
                            vertices_d = execute_service_read_data;
                            item_d     = ITEM_INSTANCES;
                            address_d  = address_q + 40'd4;
                        end
                        default: begin
                            copies_d = execute_service_read_data;
                            draw     = 1'b1;
                        end
                    endcase
                else if (!execute_service_valid)
                    phase_d = RENDER_IDLE;
            // 7 Put
            RENDER_PUT:
                if (op_taken) begin
                    extra_d   = extra_q + 32'd1;
                    address_d = address_q + 40'd4;
                    left_d    = left_q - 32'd1;
                    phase_d   = RENDER_READ;
                    finish    = left_q == 32'd1 || execute_service_stop;
                    if (extra_q[31])
                        item_d = ITEM_OFFSET;
                end
            // 8 Gather
            RENDER_GATHER: begin
                if (op_taken)
                    asked_d = asked_q + 3'd1;
                if (frames_read_valid) begin
                    got_d = got_q + 3'd1;
                    if (got_q == 3'd0)
                        points_d = frames_read_data[`TOTEM_VGT_LS_HS_CONFIG_HS_NUM_INPUT_CP];
                    else if (got_q == 3'd1)
                        stages_d = {frames_read_data[`TOTEM_VGT_SHADER_STAGES_EN_VS_W32_EN],
                                    frames_read_data[`TOTEM_VGT_SHADER_STAGES_EN_GS_W32_EN]};
                    else if (got_q == 3'd2)
                        scratch_d = frames_read_data;
                    else
                        pixel_wave32_d = frames_read_data[`TOTEM_SPI_PS_IN_CONTROL_PS_W32_EN];
                end
                if (gathers)
                    place_d = place_q + 4'd1;
                if (look_q)
                    case (place_q)
                        4'd1: rsrc1_d = shader_read_data;
                        4'd2: rsrc2_d = shader_read_data;
                        4'd3: program_addr_d[31:0]   = shader_read_data;
                        4'd4: program_addr_d[39:32]  = shader_read_data[7:0];
                        4'd5: pixel_rsrc1_d = shader_read_data;
                        4'd6: pixel_rsrc2_d = shader_read_data;
                        4'd7: pixel_program_d[31:0]  = shader_read_data;
                        4'd8: pixel_program_d[39:32] = shader_read_data[7:0];
                        4'd9: throttle_d = (graphics_generation != GENERATION_GFX11 || !geometry) ? 2'd0
                            : {shader_read_data[`TOTEM_SPI_SHADER_PGM_RSRC4_GS_SPI_THROTTLE_EN],
                               shader_read_data[`TOTEM_SPI_SHADER_PGM_RSRC4_GS_PH_THROTTLE_EN]};
                        default: ;
                    endcase
                if (got_q == 3'd4 && place_q == 4'd9 && !look_q)
                    phase_d = RENDER_FIT;
            end
            // 9 Fit
            RENDER_FIT:
                if (too_large || pixel_large)
                    finish = 1'b1;
                else
                    phase_d = RENDER_WAIT;
            // 10 Wait
            RENDER_WAIT:
                if (still && draws_free)
                    phase_d = RENDER_ISSUE;
                else
                    finish = execute_service_stop && !issued_q;
            // 11 Issue
            RENDER_ISSUE:
                if (context_draw_ready) begin
                    set_d        = context_current;
                    epoch_d      = fence_epoch[execute_dispatch_queue*E +: E];
                    hp3d_d       = graphics_hp3d;
                    issued_d     = 1'b1;
                    draw_begun_d = 1'b1;
                    step_d       = 6'd0;
                    part_d       = 1'b0;
                    fetch_d      = 5'd0;
                    half_d       = 1'b0;
                    full_d       = 1'b0;
                    phase_d      = RENDER_SEND;
                end else
                    finish = execute_service_stop && !issued_q;
            // 12 Send
            RENDER_SEND: begin
                if (message_valid && draws_message_ready) begin
                    step_d = step_q + 6'd1;
                    if (step_q > 6'd2 && !header)
                        full_d = 1'b0;
                    if (message_last)
                        phase_d = RENDER_NEXT;
                end
                if (fetches) begin
                    half_d = !half_q;
                    if (half_q) begin
                        fetch_d = fetch_q + 5'd1;
                        if (!part_q && fetch_q == words - 5'd1) begin
                            fetch_d = 5'd0;
                            part_d  = 1'b1;
                        end
                    end
                end
                if (look_q) begin
                    if (half_q)
                        low_d = shader_read_data;
                    else begin
                        full_d       = 1'b1;
                        state_word_d = {(fetched_q == 5'd1) ? scratch_q : shader_read_data, low_q};
                    end
                end
            end
            // 13 Next
            RENDER_NEXT:
                if (left_q <= 32'd1 || kind_q != `TOTEM_KIND_DRAW_MULTI)
                    finish = 1'b1;
                else begin
                    left_d      = left_q - 32'd1;
                    arguments_d = arguments_q + {8'd0, data_q[63:32]};
                    address_d   = arguments_q + {8'd0, data_q[63:32]};
                    item_d      = ITEM_VERTICES;
                    phase_d     = RENDER_READ;
                end
            // 14 Lookup
            RENDER_HASH:
                if (still)
                    phase_d = RENDER_LOW;
                else
                    finish = execute_service_stop;
            RENDER_LOW:
                if (context_hash_ready)
                    phase_d = RENDER_HIGH;
            RENDER_HIGH:
                if (context_hash_ready)
                    phase_d = RENDER_ANSWER;
            // 15 Answer
            RENDER_ANSWER:
                if (context_answer_valid)
                    finish = 1'b1;
                else if (execute_service_stop) begin
                    resume_valid_d = 1'b1;
                    resume_plain_d = 1'b0;
                    finish         = 1'b1;
                end
            // 16 Done
            RENDER_DONE:
                phase_d = RENDER_IDLE;
            default: ;
        endcase

        if (draw) begin
            phase_d = RENDER_NEXT;
            if (vertices_d != 32'd0 && copies_d != 32'd0) begin
                asked_d = 3'd0;
                got_d   = 3'd0;
                place_d = 4'd0;
                old_d   = graphics_generation == GENERATION_GFX9;
                phase_d = RENDER_GATHER;
            end
        end
        if (finish) begin
            phase_d = RENDER_DONE;
            code_d  = next_code;
            word_d  = next_word;
            again_d = next_again;
            skip_d  = next_skip;
            group_d = next_group;
        end

        // 18 Resume
        if (execute_service_resume) begin
            resume_valid_d = 1'b1;
            resume_plain_d = execute_service_resume_plain;
        end
    end

    always @(posedge clk) begin
        phase_q        <= phase_d;
        held_q         <= next_held;
        held_index_q   <= next_held_index;
        held_data_q    <= next_held_data;
        put_q          <= put_d;
        put_index_q    <= put_index_d;
        put_data_q     <= put_data_d;
        ending_q       <= next_ending;
        inside_q       <= next_inside;
        group_end_q    <= next_group_end;
        primitive_q    <= primitive_d;
        instances_q    <= instances_d;
        base_q         <= base_d;
        wrote_q        <= wrote_d;
        kind_q         <= kind_d;
        control_q      <= control_d;
        address_q      <= address_d;
        data_q         <= data_d;
        extra_q        <= extra_d;
        item_q         <= item_d;
        left_q         <= left_d;
        issued_q       <= issued_d;
        arguments_q    <= arguments_d;
        vertices_q     <= vertices_d;
        copies_q       <= copies_d;
        old_q          <= old_d;
        asked_q        <= asked_d;
        got_q          <= got_d;
        place_q        <= place_d;
        points_q       <= points_d;
        stages_q       <= stages_d;
        scratch_q      <= scratch_d;
        rsrc1_q        <= rsrc1_d;
        rsrc2_q        <= rsrc2_d;
        program_addr_q <= program_addr_d;
        set_q          <= set_d;
        epoch_q        <= epoch_d;
        hp3d_q         <= hp3d_d;
        step_q         <= step_d;
        fetch_q        <= fetch_d;
        half_q         <= half_d;
        low_q          <= low_d;
        full_q         <= full_d;
        state_word_q   <= state_word_d;
        code_q         <= code_d;
        word_q         <= word_d;
        again_q        <= again_d;
        skip_q         <= skip_d;
        group_q        <= group_d;
        resume_valid_q <= resume_valid_d;
        resume_plain_q <= resume_plain_d;
        draw_begun_q   <= draw_begun_d;
        clear_q        <= clear_d;
        throttle_q      <= throttle_d;
        pixel_rsrc1_q   <= pixel_rsrc1_d;
        pixel_rsrc2_q   <= pixel_rsrc2_d;
        pixel_program_q <= pixel_program_d;
        pixel_wave32_q  <= pixel_wave32_d;
        part_q          <= part_d;
        if (shader_read_enable)
            fetched_q <= fetch_q;
        throttle_write_valid_q  <= throttle_write_valid_d;
        throttle_write_second_q <= throttle_write_second_d;
        throttle_write_data_q   <= throttle_write_data_d;
        look_q         <= shader_read_enable;
        if (rst) begin
            phase_q        <= RENDER_IDLE;
            held_q         <= 4'd0;
            put_q          <= 1'b0;
            ending_q       <= 1'b0;
            inside_q       <= 4'd0;
            group_end_q    <= 1'b0;
            primitive_q    <= 6'd0;
            instances_q    <= 32'd1;
            base_q         <= 40'd0;
            wrote_q        <= 2'd0;
            kind_q         <= 5'd0;
            item_q         <= ITEM_REGISTER;
            issued_q       <= 1'b0;
            old_q          <= 1'b0;
            asked_q        <= 3'd0;
            got_q          <= 3'd0;
            place_q        <= 4'd0;
            look_q         <= 1'b0;
            step_q         <= 6'd0;
            part_q         <= 1'b0;
            throttle_write_valid_q <= 1'b0;
            fetch_q        <= 5'd0;
            half_q         <= 1'b0;
            full_q         <= 1'b0;
            resume_valid_q <= 1'b0;
            draw_begun_q   <= 1'b0;
            clear_q        <= 1'b0;
        end
    end

`ifdef FORMAL
`include "totem_render_properties.vh"
`endif
endmodule

`default_nettype wire
