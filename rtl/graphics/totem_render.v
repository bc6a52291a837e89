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
    localparam S = $clog2(SETS);
    localparam E = $clog2(EPOCHS);

    generate
        if (SETS < 2 || SETS > 16 || SETS != (1 << S) || EPOCHS < 2 || EPOCHS > 8 || EPOCHS != (1 << E)
            || QUEUES < 2 || QUEUES > 8 || QUEUES != (1 << $clog2(QUEUES)) || VGPRS < 1 || VGPRS > 8191
            || LDS < 1 || LDS > 512 || SLOTS < 1 || SLOTS > 64) begin : check
            totem_render_needs_sizes_as_its_parameters_say refused ();
        end
    endgenerate

    localparam [3:0] IDLE = 4'd0, OP = 4'd1, READ = 4'd2, PUT = 4'd3, GATHER = 4'd4, FIT = 4'd5, WAIT = 4'd6;
    localparam [3:0] ISSUE = 4'd7, SEND = 4'd8, NEXT = 4'd9, HASH = 4'd10, LOW = 4'd11, HIGH = 4'd12, ANSWER = 4'd13;
    localparam [3:0] DONE = 4'd14;
    localparam [1:0] REGISTER = 2'd0, NUMBER = 2'd1, VERTICES = 2'd2, COPIES = 2'd3;            // what is read

    reg [3:0]   phase_q, phase_d;
    reg [3:0]   held_q, held_d;
    reg [127:0] held_index_q, held_index_d;
    reg [255:0] held_data_q, held_data_d;
    reg         put_q, put_d;
    reg [8:0]   put_index_q, put_index_d;
    reg [31:0]  put_data_q, put_data_d;
    reg         ending_q, ending_d;
    reg [3:0]   inside_q, inside_d;
    reg         group_end_q, group_end_d;
    reg [5:0]   primitive_q, primitive_d;
    reg [31:0]  instances_q, instances_d;
    reg [39:0]  base_q, base_d;
    reg [1:0]   wrote_q, wrote_d;
    reg [4:0]   kind_q, kind_d;
    reg [31:0]  control_q, control_d;
    reg [39:0]  address_q, address_d;
    reg [63:0]  data_q, data_d;
    reg [31:0]  extra_q, extra_d;
    reg [1:0]   item_q, item_d;
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
    reg         throttle_write_valid_q, throttle_write_valid_d;
    reg         throttle_write_second_q, throttle_write_second_d;
    reg [31:0]  throttle_write_data_q, throttle_write_data_d;

    // Registers that reset leaves alone read 0 at start, as in the model.
    initial begin
        phase_q = 0;     held_q = 0;      held_index_q = 0; held_data_q = 0; put_q = 0;       put_index_q = 0;
        put_data_q = 0;  ending_q = 0;    inside_q = 0;     group_end_q = 0; primitive_q = 0; instances_q = 1;
        base_q = 0;      wrote_q = 0;     kind_q = 0;       control_q = 0;   address_q = 0;   data_q = 0;
        extra_q = 0;     item_q = 0;      left_q = 0;       issued_q = 0;    arguments_q = 0; vertices_q = 0;
        copies_q = 0;    old_q = 0;       asked_q = 0;      got_q = 0;       place_q = 0;     look_q = 0;
        points_q = 0;    stages_q = 0;    scratch_q = 0;    rsrc1_q = 0;     rsrc2_q = 0;     program_addr_q = 0;
        set_q = 0;       epoch_q = 0;     hp3d_q = 0;       step_q = 0;      fetch_q = 0;     half_q = 0;
        low_q = 0;       full_q = 0;      state_word_q = 0; code_q = 0;      word_q = 0;      again_q = 0;
        skip_q = 0;      group_q = 0;     resume_valid_q = 0; resume_plain_q = 0; draw_begun_q = 0;
        throttle_q = 0;  pixel_rsrc1_q = 0; pixel_rsrc2_q = 0; pixel_program_q = 0; pixel_wave32_q = 0; part_q = 0;
        fetched_q = 0;   throttle_write_valid_q = 0; throttle_write_second_q = 0; throttle_write_data_q = 0;
    end

    // Who may go to frames: words held, those behind the end of a group not before context knows of it.
    wire free  = held_q == 4'd0 && !ending_q;
    wire still = free && frames_idle;
    wire asks  = phase_q == GATHER && asked_q < 3'd4;
    wire flows = held_q != 4'd0;
    assign op_valid = (flows && (!ending_q || inside_q != 4'd0)) || (free && (phase_q == OP || phase_q == PUT || asks));
    assign op_kind  = flows ? 2'd0 : (phase_q == OP) ? {1'b0, kind_q == `TOTEM_KIND_CLEAR}
                    : (phase_q == PUT) ? 2'd0 : 2'd2;
    assign op_index = flows ? held_index_q[15:0] : (phase_q == OP) ? address_q[15:0] : (phase_q == PUT) ? extra_q[15:0]
                    : (asked_q == 3'd0) ? 16'h02d6 : (asked_q == 3'd1) ? 16'h02d5
                    : (asked_q == 3'd2) ? 16'h01ba : 16'h01b6;
    assign op_data  = flows ? held_data_q[31:0] : (phase_q == OP) ? data_q[63:32] : (phase_q == PUT) ? low_q : 32'd0;
    assign op_mask  = (flows || phase_q == PUT) ? 32'hffffffff : (phase_q == OP) ? data_q[31:0] : 32'd0;
    wire op_taken = op_valid && !flows && frames_op_ready;     // that of the packet

    // The stage that draws, and what its registers say.
    wire        geometry   = wrote_q[0];
    wire [8:0]  at_rsrc1   = geometry ? 9'h08a : 9'h04a;
    wire [8:0]  at_rsrc2   = wrote_q[1] ? 9'h08b : 9'h04b;
    wire [8:0]  at_rsrc3   = geometry ? 9'h087 : 9'h046;
    wire [8:0]  at_program = !geometry ? 9'h048 : old_q ? 9'h084 : 9'h0c8;
    wire [8:0]  at_user    = !geometry ? 9'h04c : old_q ? 9'h0cc : 9'h08c;
    wire [6:0]  vgprs      = {1'b0, rsrc1_q[5:0]} + 7'd1;
    wire [8:0]  blocks     = wrote_q[1] ? {1'b0, rsrc2_q[26:19]} : 9'd0;
    wire        wave32     = !old_q && (geometry ? stages_q[0] : stages_q[1]);
    wire [5:0]  user       = {old_q ? rsrc2_q[28] : rsrc2_q[27], rsrc2_q[5:1]};
    wire [5:0]  most       = user[5] ? 6'd32 : user;
    wire [5:0]  pairs      = most + 6'd1;
    wire [4:0]  words      = pairs[5:1] + 5'd2;
    wire        too_large  = {25'd0, vgprs} + {20'd0, settings_reserve_vgprs} > VGPRS
                          || {23'd0, blocks} + {22'd0, settings_reserve_lds} > LDS
                          || {25'd0, settings_reserve_slots} >= SLOTS;

    // Its pixel waves.
    wire [6:0]  pixel_vgprs  = {1'b0, pixel_rsrc1_q[5:0]} + 7'd1;
    wire [8:0]  pixel_blocks = {1'b0, pixel_rsrc2_q[15:8]};
    wire [5:0]  pixel_user   = {pixel_rsrc2_q[27], pixel_rsrc2_q[5:1]};
    wire [5:0]  pixel_most   = pixel_user[5] ? 6'd32 : pixel_user;
    wire [5:0]  pixel_pairs  = pixel_most + 6'd1;
    wire [4:0]  pixel_words  = pixel_pairs[5:1] + 5'd2;
    wire        pixel_large  = {5'd0, pixel_vgprs} > settings_reserve_vgprs
                            || {1'b0, pixel_blocks} > settings_reserve_lds || settings_reserve_slots == 7'd0;
    wire [63:0] pixel_header = {hp3d_q, {(3-E){1'b0}}, epoch_q, {(4-S){1'b0}}, set_q, pixel_wave32_q && !old_q,
                                pixel_blocks, pixel_rsrc1_q[5:0], pixel_program_q};

    assign room         = held_q < 4'd5;
    assign empty        = free;
    assign read         = phase_q == READ;
    assign read_addr    = {address_q[39:2], 2'd0};
    assign done         = phase_q == DONE;
    assign code         = code_q;
    assign word         = word_q;
    assign again        = again_q;
    assign skip         = skip_q;
    assign group        = group_q;
    assign hash_valid   = phase_q == LOW || phase_q == HIGH;
    assign hash_data    = (phase_q == HIGH) ? data_q[63:32] : data_q[31:0];
    assign hash_count   = control_q[13:0];
    assign group_end    = group_end_q;
    assign draw_valid   = phase_q == ISSUE;
    assign resume_valid = resume_valid_q;
    assign resume_plain = resume_plain_q;
    assign draw_begun   = draw_begun_q;

    assign throttle_write_valid  = throttle_write_valid_q;
    assign throttle_write_second = throttle_write_second_q;
    assign throttle_write_data   = throttle_write_data_q;

    assign shader_write_enable = put_q;
    assign shader_write_addr   = put_index_q;
    assign shader_write_data   = put_data_q;
    wire   gathers             = phase_q == GATHER && place_q < 4'd9;
    wire   fetches             = phase_q == SEND && fetch_q < (part_q ? pixel_words : words) && (!half_q || !full_q);
    assign shader_read_enable  = gathers || fetches;

    reg [8:0] gather_addr;
    always @*
        case (place_q)
            4'd0:    gather_addr = at_rsrc1;
            4'd1:    gather_addr = at_rsrc2;
            4'd2:    gather_addr = at_program;
            4'd3:    gather_addr = at_program + 9'd1;
            4'd4:    gather_addr = 9'h00a;
            4'd5:    gather_addr = 9'h00b;
            4'd6:    gather_addr = 9'h008;
            4'd7:    gather_addr = 9'h009;
            default: gather_addr = 9'h081;
        endcase
    wire [8:0] user_place = {3'd0, fetch_q - 5'd2, half_q};
    assign shader_read_addr    = (phase_q == GATHER) ? gather_addr
                               : (fetch_q == 5'd0) ? (part_q ? {8'h05, half_q} : half_q ? at_rsrc2 : at_rsrc1)
                               : (fetch_q == 5'd1) ? (part_q ? 9'h007 : at_rsrc3)
                               : (part_q ? 9'h00c : at_user) + user_place;

    wire [5:0] header_step = {1'b0, words} + 6'd3;
    assign message_valid = phase_q == SEND && (step_q < 6'd3 || step_q == header_step || full_q);
    assign message_last  = step_q == header_step + {1'b0, pixel_words};
    assign message_word  = (step_q == 6'd0) ? {copies_q, vertices_q}
                         : (step_q == 6'd1) ? {17'd0, pixel_words, words, hp3d_q, {(3-E){1'b0}}, epoch_q, {(4-S){1'b0}},
                                               set_q, blocks, vgprs, wave32, points_q, primitive_q}
                         : (step_q == 6'd2) ? {22'd0, throttle_q, program_addr_q}
                         : (step_q == header_step) ? pixel_header : state_word_q;

    wire        load_beyond = {1'b0, execute_service_extra[15:0]} + {3'd0, execute_service_control[13:0]} > 17'h00400;
    wire [39:0] indirect    = base_q + {8'd0, execute_service_extra};
    wire [31:0] number      = (execute_service_read_data < data_q[31:0]) ? execute_service_read_data : data_q[31:0];

    reg finish;         // the packet is done
    reg draw;           // the arguments of a draw are there
    integer n;
    always @* begin
        phase_d        = phase_q;
        held_d         = held_q;
        held_index_d   = held_index_q;
        held_data_d    = held_data_q;
        put_d          = 1'b0;
        put_index_d    = put_index_q;
        put_data_d     = put_data_q;
        ending_d       = ending_q;
        inside_d       = inside_q;
        group_end_d    = 1'b0;
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
        resume_valid_d = 1'b0;
        resume_plain_d = resume_plain_q;
        draw_begun_d   = 1'b0;
        throttle_d      = throttle_q;
        pixel_rsrc1_d   = pixel_rsrc1_q;
        pixel_rsrc2_d   = pixel_rsrc2_q;
        pixel_program_d = pixel_program_q;
        pixel_wave32_d  = pixel_wave32_q;
        part_d          = part_q;
        throttle_write_valid_d  = 1'b0;
        throttle_write_second_d = throttle_write_second_q;
        throttle_write_data_d   = throttle_write_data_q;
        finish         = 1'b0;
        draw           = 1'b0;

        // The words held move up, then the one that comes joins them.
        if (flows && op_valid && frames_op_ready) begin
            held_d       = held_q - 4'd1;
            held_index_d = held_index_q >> 16;
            held_data_d  = held_data_q >> 32;
            if (inside_q != 4'd0)
                inside_d = inside_q - 4'd1;
        end
        if (execute_service_valid && execute_service_kind == `TOTEM_KIND_CONTEXT && held_d < 4'd8) begin
            for (n = 0; n < 8; n = n + 1)
                if (n == {28'd0, held_d}) begin
                    held_index_d[n*16 +: 16] = execute_service_address[15:0];
                    held_data_d[n*32 +: 32]  = execute_service_data[31:0];
                end
            held_d = held_d + 4'd1;
        end
        if (execute_service_valid && execute_service_kind == `TOTEM_KIND_SHADER
            && execute_service_address[15:9] == 7'd0) begin
            put_d       = 1'b1;
            put_index_d = execute_service_address[8:0];
            put_data_d  = execute_service_data[31:0];
            if (execute_service_address[8:0] == 9'h08a)
                wrote_d[0] = 1'b1;
            if (execute_service_address[8:0] == 9'h08b)
                wrote_d[1] = 1'b1;
        end
        if (execute_service_valid && execute_service_kind == `TOTEM_KIND_USER) begin
            if (execute_service_address[15:0] == 16'h0242)
                primitive_d = execute_service_data[5:0];
            if (execute_service_address[15:0] == 16'h024d)
                instances_d = execute_service_data[31:0];
            if (execute_service_address[15:1] == 15'h0222 && graphics_generation == 2'd2) begin
                throttle_write_valid_d  = 1'b1;
                throttle_write_second_d = execute_service_address[0];
                throttle_write_data_d   = execute_service_data[31:0];
            end
        end

        case (phase_q)
            IDLE:
                if (execute_service_valid && execute_service_kind >= `TOTEM_KIND_MODIFY) begin
                    kind_d    = execute_service_kind;
                    control_d = execute_service_control;
                    address_d = execute_service_address;
                    data_d    = execute_service_data;
                    extra_d   = execute_service_extra;
                    issued_d  = 1'b0;
                    case (execute_service_kind)
                        `TOTEM_KIND_MODIFY, `TOTEM_KIND_CLEAR: phase_d = OP;
                        `TOTEM_KIND_LOAD: begin
                            finish = load_beyond || execute_service_control[13:0] == 14'd0;
                            if (!finish) begin
                                item_d  = REGISTER;
                                left_d  = {18'd0, execute_service_control[13:0]};
                                phase_d = READ;
                            end
                        end
                        `TOTEM_KIND_INSTANCES: begin
                            instances_d = execute_service_data[31:0];
                            finish      = 1'b1;
                        end
                        `TOTEM_KIND_BASE: begin
                            if (execute_service_control[3:0] == 4'd1)
                                base_d = execute_service_address;
                            finish = 1'b1;
                        end
                        `TOTEM_KIND_DRAW: begin
                            left_d     = 32'd1;
                            vertices_d = execute_service_data[31:0];
                            copies_d   = instances_q;
                            draw       = 1'b1;
                        end
                        `TOTEM_KIND_DRAW_INDIRECT: begin
                            left_d      = 32'd1;
                            item_d      = VERTICES;
                            arguments_d = indirect;
                            address_d   = indirect;
                            phase_d     = READ;
                        end
                        `TOTEM_KIND_DRAW_MULTI: begin
                            arguments_d = indirect;
                            if (execute_service_control[30]) begin
                                item_d  = NUMBER;
                                phase_d = READ;
                            end else if (execute_service_data[31:0] == 32'd0)
                                finish = 1'b1;
                            else begin
                                left_d    = execute_service_data[31:0];
                                item_d    = VERTICES;
                                address_d = indirect;
                                phase_d   = READ;
                            end
                        end
                        `TOTEM_KIND_BOUNCE: phase_d = HASH;
                        default: finish = 1'b1;
                    endcase
                end

            OP:
                if (op_taken) begin
                    if (kind_q == `TOTEM_KIND_CLEAR)
                        wrote_d = 2'd0;
                    finish = 1'b1;
                end

            READ:
                if (execute_service_read_done)
                    case (item_q)
                        REGISTER: begin
                            low_d   = execute_service_read_data;
                            phase_d = PUT;
                        end
                        NUMBER:
                            if (number == 32'd0)
                                finish = 1'b1;
                            else begin
                                left_d    = number;
                                item_d    = VERTICES;
                                address_d = arguments_q;
                            end
                        VERTICES: begin
                            vertices_d = execute_service_read_data;
                            item_d     = COPIES;
                            address_d  = address_q + 40'd4;
                        end
                        default: begin
                            copies_d = execute_service_read_data;
                            draw     = 1'b1;
                        end
                    endcase
                else if (!execute_service_valid)
                    phase_d = IDLE;

            PUT:
                if (op_taken) begin
                    extra_d   = extra_q + 32'd1;
                    address_d = address_q + 40'd4;
                    left_d    = left_q - 32'd1;
                    phase_d   = READ;
                    finish    = left_q == 32'd1 || execute_service_stop;
                end

            GATHER: begin
                if (op_taken)
                    asked_d = asked_q + 3'd1;
                if (frames_read_valid) begin
                    got_d = got_q + 3'd1;
                    if (got_q == 3'd0)
                        points_d = frames_read_data[13:8];
                    else if (got_q == 3'd1)
                        stages_d = frames_read_data[23:22];
                    else if (got_q == 3'd2)
                        scratch_d = frames_read_data;
                    else
                        pixel_wave32_d = frames_read_data[15];
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
                        4'd9: throttle_d = (graphics_generation == 2'd2 && geometry) ? shader_read_data[15:14] : 2'd0;
                        default: ;
                    endcase
                if (got_q == 3'd4 && place_q == 4'd9 && !look_q)
                    phase_d = FIT;
            end

            FIT:
                if (too_large || pixel_large)
                    finish = 1'b1;
                else
                    phase_d = WAIT;

            WAIT:
                if (still && draws_free)
                    phase_d = ISSUE;
                else
                    finish = execute_service_stop && !issued_q;

            ISSUE:
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
                    phase_d      = SEND;
                end else
                    finish = execute_service_stop && !issued_q;

            SEND: begin
                if (message_valid && draws_message_ready) begin
                    step_d = step_q + 6'd1;
                    if (step_q > 6'd2 && step_q != header_step)
                        full_d = 1'b0;
                    if (message_last)
                        phase_d = NEXT;
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

            NEXT:
                if (left_q <= 32'd1 || kind_q != `TOTEM_KIND_DRAW_MULTI)
                    finish = 1'b1;
                else begin
                    left_d      = left_q - 32'd1;
                    arguments_d = arguments_q + {8'd0, data_q[63:32]};
                    address_d   = arguments_q + {8'd0, data_q[63:32]};
                    item_d      = VERTICES;
                    phase_d     = READ;
                end

            HASH:
                if (still)
                    phase_d = LOW;
                else
                    finish = execute_service_stop;

            LOW:
                if (context_hash_ready)
                    phase_d = HIGH;

            HIGH:
                if (context_hash_ready)
                    phase_d = ANSWER;

            ANSWER:
                if (context_answer_valid)
                    finish = 1'b1;
                else if (execute_service_stop) begin
                    resume_valid_d = 1'b1;
                    resume_plain_d = 1'b0;
                    finish         = 1'b1;
                end

            DONE:
                phase_d = IDLE;

            default: ;
        endcase

        if (draw) begin
            asked_d = 3'd0;
            got_d   = 3'd0;
            place_d = 4'd0;
            old_d   = graphics_generation == 2'd0;
            phase_d = GATHER;
            if (vertices_d == 32'd0 || copies_d == 32'd0)
                phase_d = NEXT;
        end
        if (draw && phase_d == NEXT) begin
            asked_d = asked_q;
            got_d   = got_q;
            place_d = place_q;
            old_d   = old_q;
        end
        if (finish) begin
            phase_d = DONE;
            code_d  = 8'd0;
            word_d  = 32'd0;
            skip_d  = 14'd0;
            group_d = 14'd0;
            again_d = (phase_q == PUT && left_q != 32'd1) || phase_q == WAIT || phase_q == ISSUE || phase_q == HASH
                      || (phase_q == ANSWER && !context_answer_valid);
            if (phase_q == IDLE && execute_service_kind == `TOTEM_KIND_LOAD && load_beyond) begin
                code_d = `TOTEM_ERROR_PACKET_CONTEXT_OFFSET;
                word_d = execute_service_extra;
            end
            if (phase_q == FIT) begin
                code_d = `TOTEM_ERROR_PACKET_DRAW_STATE;
                word_d = too_large ? {7'd0, blocks, 9'd0, vgprs} : {7'h40, pixel_blocks, 9'd0, pixel_vgprs};
            end
            if (phase_q == ANSWER && context_answer_valid)
                case (context_answer)
                    2'd0: skip_d  = control_q[13:0];
                    2'd1: group_d = control_q[13:0];
                    2'd2: ;
                    default: begin
                        code_d = `TOTEM_ERROR_PACKET_BOUNCE_COUNT;
                        word_d = control_q;
                    end
                endcase
        end

        if (execute_service_group_end) begin
            ending_d = 1'b1;
            inside_d = held_d;
        end else if (ending_q && inside_q == 4'd0 && frames_idle) begin
            ending_d    = 1'b0;
            group_end_d = 1'b1;
        end
        if (execute_service_resume) begin
            resume_valid_d = 1'b1;
            resume_plain_d = execute_service_resume_plain;
            ending_d       = 1'b0;
            inside_d       = 4'd0;
        end
    end

    always @(posedge clk) begin
        phase_q        <= phase_d;
        held_q         <= held_d;
        held_index_q   <= held_index_d;
        held_data_q    <= held_data_d;
        put_q          <= put_d;
        put_index_q    <= put_index_d;
        put_data_q     <= put_data_d;
        ending_q       <= ending_d;
        inside_q       <= inside_d;
        group_end_q    <= group_end_d;
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
            phase_q        <= IDLE;
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
            item_q         <= 2'd0;
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
        end
    end

    // An offset of a LOAD has 16 bits.
    wire unused = &{1'b0, address_q[1:0], pairs[0], pixel_pairs[0]};

`ifdef FORMAL
`include "totem_render_properties.vh"
`endif
endmodule

`default_nettype wire
