// SPDX-License-Identifier: Apache-2.0
//
// totem_route: accesses of one master to several targets, channels or cache portions.
//
// Policy    responses of an ID come in the order of its requests, and an ID that waits stops no other one: its read is
//           put aside, a response that comes early is kept. What has no target is answered with SLVERR. Responses of
//           several targets are merged in turn.
// Latency   1 clock each way.
// Boundary  requests with their target -> inbox -> targets; beats of each target -> two registers -> master.
// Mask      to_ar_*, to_aw_*, to_w_* count only while the valid of some target.
// Cost      of each read ID 51 flip-flops, of each write ID 11, of each target 169; 2 x 102 + 146 for requests and
//           data.
// Proved    1 order, 2 bound, 3 held, 4 refused, 5 exact, 6 alone.
// Twin      cmodel/partition/totem_route.c, same names.

`default_nettype none

module totem_route #(
    parameter TARGETS = 4,      // 1 to 4
    parameter MASTERS = 8,      // of a target, 2 to 8
    parameter READERS = 6,      // of the master, as of memory
    parameter STREAMS = 6,
    parameter FENCES  = 8,
    parameter READER_BITS   = $clog2(READERS),
    parameter WRITE_ID_BITS = 1 + $clog2(STREAMS > FENCES ? STREAMS : FENCES),  // at most 6
    parameter TARGET_BITS   = $clog2(MASTERS) + WRITE_ID_BITS                   // of an ID at a target
) (
    input  wire                                clk,
    input  wire                                rst,
    input  wire [1:0]                          source_number,
    // master
    input  wire                                master_ar_valid,
    input  wire [READER_BITS-1:0]              master_ar_id,
    input  wire [3:0]                          master_ar_len,
    input  wire                                master_ar_lock,
    input  wire                                read_hit,
    input  wire [1:0]                          read_target,
    input  wire [36:0]                         read_addr,
    output wire                                ar_ready,
    input  wire                                master_aw_valid,
    input  wire [WRITE_ID_BITS-1:0]            master_aw_id,
    input  wire [3:0]                          master_aw_len,
    input  wire                                master_aw_lock,
    input  wire                                write_hit,
    input  wire [1:0]                          write_target,
    input  wire [36:0]                         write_addr,
    output wire                                aw_ready,
    input  wire                                master_w_valid,
    input  wire [63:0]                         master_w_data,
    input  wire [7:0]                          master_w_strobe,
    input  wire                                master_w_last,
    output wire                                w_ready,
    output wire                                r_valid,
    output reg  [READER_BITS-1:0]              r_id,
    output reg  [63:0]                         r_data,
    output reg  [1:0]                          r_response,
    output reg                                 r_last,
    input  wire                                master_r_ready,
    output wire                                b_valid,
    output reg  [WRITE_ID_BITS-1:0]            b_id,
    output reg  [1:0]                          b_response,
    input  wire                                master_b_ready,
    // targets
    output reg  [TARGETS-1:0]                  to_ar_valid,
    output wire [READER_BITS-1:0]              to_ar_id,
    output wire [36:0]                         to_ar_addr,
    output wire [3:0]                          to_ar_len,
    output wire                                to_ar_lock,
    input  wire [TARGETS-1:0]                  target_ar_ready,
    output reg  [TARGETS-1:0]                  to_aw_valid,
    output wire [WRITE_ID_BITS-1:0]            to_aw_id,
    output wire [36:0]                         to_aw_addr,
    output wire [3:0]                          to_aw_len,
    output wire                                to_aw_lock,
    input  wire [TARGETS-1:0]                  target_aw_ready,
    output reg  [TARGETS-1:0]                  to_w_valid,
    output wire [63:0]                         to_w_data,
    output wire [7:0]                          to_w_strobe,
    output wire                                to_w_last,
    input  wire [TARGETS-1:0]                  target_w_ready,
    input  wire [TARGETS-1:0]                  target_r_valid,
    input  wire [TARGETS-1:0]                  target_r_ready,
    input  wire [TARGETS*TARGET_BITS-1:0]      target_r_id,
    input  wire [TARGETS*64-1:0]               target_r_data,
    input  wire [TARGETS*2-1:0]                target_r_response,
    input  wire [TARGETS-1:0]                  target_r_last,
    output reg  [TARGETS-1:0]                  r_room,
    input  wire [TARGETS-1:0]                  target_b_valid,
    input  wire [TARGETS-1:0]                  target_b_ready,
    input  wire [TARGETS*TARGET_BITS-1:0]      target_b_id,
    input  wire [TARGETS*2-1:0]                target_b_response,
    output reg  [TARGETS-1:0]                  b_room,
    // partition
    output reg  [TARGETS-1:0]                  busy,
    output reg                                 idle,
    output wire                                refused_valid,
    output wire [WRITE_ID_BITS-1:0]            refused_id,
    output wire                                refused_write,
    output wire [31:0]                         refusals
);
    localparam R = READER_BITS;
    localparam W = WRITE_ID_BITS;
    localparam T = TARGET_BITS;
    localparam READ_IDS  = 1 << R;
    localparam WRITE_IDS = 1 << W;
    localparam [2:0] HERE = TARGETS;    // place of what is refused in the turns
    localparam [2:0] KEPT = TARGETS + 1;    // of responses that were kept
    localparam [1:0] NONE = 2'd0;       // response of nothing

    generate
        if (TARGETS < 1 || TARGETS > 4 || MASTERS < 2 || MASTERS > 8) begin : check
            totem_route_needs_TARGETS_1_to_4_and_MASTERS_2_to_8 refused ();
        end
        if (R < 1 || W < 2 || W > 6 || R > W) begin : check_ids
            totem_route_needs_write_IDs_of_2_to_6_bits_and_read_IDs_of_no_more refused ();
        end
    endgenerate

`include "totem_route_values.vh"

    reg [TARGETS*3-1:0]   waits_q, waits_d;
    reg [READ_IDS*2-1:0]  reads_q, reads_d;
    reg [READ_IDS*3-1:0]  read_at_q, read_at_d;
    reg [READ_IDS-1:0]    aside_valid_q, aside_valid_d;
    reg [READ_IDS*45-1:0] aside_q, aside_d;
    reg [R-1:0]           aside_turn_q, aside_turn_d;
    reg                   head_stands_q, head_stands_d;
    reg [WRITE_IDS*2-1:0] writes_q, writes_d, early_q, early_d;
    reg [WRITE_IDS*3-1:0] write_at_q, write_at_d, write_then_q, write_then_d;
    reg [WRITE_IDS-1:0]   early_valid_q, early_valid_d;
    reg [W-1:0]           early_turn_q, early_turn_d;
    reg                   open_q, open_d;
    reg [2:0]             open_at_q, open_at_d;
    reg [W-1:0]           open_id_q, open_id_d;
    reg [TARGETS*2-1:0]   r_count_q, r_count_d, b_count_q, b_count_d;
    reg [TARGETS*64-1:0]  r_head_q, r_head_d, r_tail_q, r_tail_d;
    reg [TARGETS*9-1:0]   r_head_tag_q, r_head_tag_d, r_tail_tag_q, r_tail_tag_d;
    reg [TARGETS*8-1:0]   b_head_q, b_head_d, b_tail_q, b_tail_d;
    reg [2:0]             r_turn_q, r_turn_d, b_turn_q, b_turn_d;
    reg                   read_refused_q, read_refused_d, write_refused_q, write_refused_d;
    reg [R-1:0]           read_refused_id_q, read_refused_id_d;
    reg [W-1:0]           write_refused_id_q, write_refused_id_d;
    reg [3:0]             read_refused_left_q, read_refused_left_d;
    reg                   refused_valid_q, refused_valid_d, refused_write_q, refused_write_d;
    reg [W-1:0]           refused_id_q, refused_id_d;
    reg [31:0]            refusals_q, refusals_d;

    initial begin
        aside_valid_q = 0; aside_q = 0; aside_turn_q = 0; head_stands_q = 0; write_then_q = 0; early_valid_q = 0;
        early_q = 0; early_turn_q = 0; waits_q = 0; reads_q = 0; writes_q = 0; read_at_q = 0; write_at_q = 0; open_q =
        0; open_at_q = 0; open_id_q = 0; r_count_q = 0; b_count_q = 0; r_head_q = 0; r_tail_q = 0; r_head_tag_q = 0;
        r_tail_tag_q = 0; b_head_q = 0; b_tail_q = 0; r_turn_q = 0; b_turn_q = 0; read_refused_q = 0; write_refused_q
        = 0; read_refused_id_q = 0; write_refused_id_q = 0; read_refused_left_q = 0; refused_valid_q = 0;
        refused_write_q = 0; refused_id_q = 0; refusals_q = 0;
    end

    // The inboxes.
    wire        ar_some, aw_some, data_some, strobe_some, strobe_room;
    wire [50:0] ar_word, aw_word;
    wire [8:0]  strobe_word;
    wire [5:0]  new_ar_id = {{6-R{1'b0}}, master_ar_id};
    wire [5:0]  new_aw_id = {{6-W{1'b0}}, master_aw_id};
    reg         read_goes, aw_goes, w_goes, head_moves, from_aside;
    wire        ar_take = head_moves || (read_goes && !from_aside);

    totem_inbox #(.WIDTH(51)) ar (
        .clk(clk), .rst(rst), .in_valid(master_ar_valid), .in_ready(ar_ready),
        .in_data({new_ar_id, read_hit ? {1'b0, read_target} : ROUTE_NOWHERE, master_ar_lock, master_ar_len, read_addr}),
        .out_valid(ar_some), .out_data(ar_word), .out_take(ar_take)
    );
    totem_inbox #(.WIDTH(51)) aw (
        .clk(clk), .rst(rst), .in_valid(master_aw_valid), .in_ready(aw_ready),
        .in_data({new_aw_id, write_hit ? {1'b0, write_target} : ROUTE_NOWHERE, master_aw_lock, master_aw_len,
                  write_addr}),
        .out_valid(aw_some), .out_data(aw_word), .out_take(aw_goes)
    );
    totem_inbox #(.WIDTH(64)) data (
        .clk(clk), .rst(rst), .in_valid(master_w_valid), .in_ready(w_ready), .in_data(master_w_data),
        .out_valid(data_some), .out_data(to_w_data), .out_take(w_goes)
    );
    totem_inbox #(.WIDTH(9)) strobe (
        .clk(clk), .rst(rst), .in_valid(master_w_valid && w_ready), .in_ready(strobe_room),
        .in_data({master_w_last, master_w_strobe}), .out_valid(strobe_some), .out_data(strobe_word), .out_take(w_goes)
    );

    // The read that may leave: one that was put aside, or the first of the inbox.
    reg          head_may, read_may, aw_may, some_aside;
    reg  [R-1:0] aside_pick;
    reg  [44:0]  read_word;
    wire [R-1:0] head_id   = ar_word[45 +: R];
    wire [2:0]   ar_target = ar_word[44:42];
    wire [2:0]   aw_target = aw_word[44:42];
    wire [2:0]   to_target = read_word[44:42];
    wire         w_may     = open_q && data_some;
    reg [READ_IDS-1:0] aside_may;
    integer      i, c;

    always @* begin
        for (i = 0; i < READ_IDS; i = i + 1)
            aside_may[i] = aside_valid_q[i] && reads_q[i*2 +: 2] == 2'd0 &&
                           !(aside_q[i*45 + 42 +: 3] == ROUTE_NOWHERE && read_refused_q);
        some_aside = aside_may != {READ_IDS{1'b0}};
        aside_pick = aside_turn_q;
        for (i = READ_IDS - 1; i >= 0; i = i - 1)
            if (aside_may[i] && i[R-1:0] < aside_turn_q)
                aside_pick = i[R-1:0];
        for (i = READ_IDS - 1; i >= 0; i = i - 1)
            if (aside_may[i] && i[R-1:0] >= aside_turn_q)
                aside_pick = i[R-1:0];
        from_aside = some_aside && !head_stands_q;
        read_word  = ar_word[44:0];
        for (i = 0; i < READ_IDS; i = i + 1)
            if (from_aside && i[R-1:0] == aside_pick)
                read_word = aside_q[i*45 +: 45];
    end

    assign {to_ar_lock, to_ar_len, to_ar_addr} = read_word[41:0];
    assign {to_aw_lock, to_aw_len, to_aw_addr} = aw_word[41:0];
    assign to_ar_id    = from_aside ? aside_pick : head_id;
    assign to_aw_id    = aw_word[45 +: W];
    assign to_w_strobe = strobe_word[7:0];
    assign to_w_last   = strobe_word[8];

    always @* begin
        head_may   = 1'b0;
        head_moves = 1'b0;
        aw_may     = 1'b0;
        for (i = 0; i < READ_IDS; i = i + 1) begin
            if (i[R-1:0] == head_id && ar_some && !aside_valid_q[i]) begin
                head_may   = (reads_q[i*2 +: 2] == 2'd0 ||
                              (reads_q[i*2 +: 2] != 2'd3 && read_at_q[i*3 +: 3] == ar_target &&
                               ar_target != ROUTE_NOWHERE)) &&
                             !(ar_target == ROUTE_NOWHERE && read_refused_q);
                head_moves = reads_q[i*2 +: 2] != 2'd0 &&
                             (read_at_q[i*3 +: 3] != ar_target || ar_target == ROUTE_NOWHERE);
            end
        end
        for (i = 0; i < WRITE_IDS; i = i + 1)
            if (i[W-1:0] == to_aw_id && !writes_q[i*2 + 1] && !early_valid_q[i])
                aw_may = aw_some && !open_q && !(aw_target == ROUTE_NOWHERE && write_refused_q);
        read_may  = from_aside || head_may;
        read_goes = read_may && to_target == ROUTE_NOWHERE;
        aw_goes   = aw_may && aw_target == ROUTE_NOWHERE;
        w_goes    = w_may && open_at_q == ROUTE_NOWHERE;
        for (c = 0; c < TARGETS; c = c + 1) begin
            to_ar_valid[c] = read_may && to_target == c[2:0];
            to_aw_valid[c] = aw_may && aw_target == c[2:0];
            to_w_valid[c]  = w_may && open_at_q == c[2:0];
            if (to_ar_valid[c] && target_ar_ready[c])
                read_goes = 1'b1;
            if (to_aw_valid[c] && target_aw_ready[c])
                aw_goes = 1'b1;
            if (to_w_valid[c] && target_w_ready[c])
                w_goes = 1'b1;
        end
    end

    // Responses to the master: the first from the turn on; those below it come behind.
    reg [4:0]     r_has;        // the targets, then what is refused
    reg [5:0]     due;          // likewise, then what was kept
    reg [4:0]     moves;
    reg [2:0]     r_pick, b_pick;
    reg [W-1:0]   early_pick;
    reg [WRITE_IDS-1:0] early_may;

    always @* begin
        r_has = 5'd0;
        due   = 6'd0;
        moves = 5'd0;
        for (c = 0; c < TARGETS; c = c + 1) begin
            r_has[c] = r_count_q[c*2 +: 2] != 2'd0;
            for (i = 0; i < WRITE_IDS; i = i + 1)
                if (b_count_q[c*2 +: 2] != 2'd0 && i[W-1:0] == b_head_q[c*8 +: W]) begin
                    due[c]   = write_at_q[i*3 +: 3] == c[2:0];
                    moves[c] = write_at_q[i*3 +: 3] != c[2:0];
                end
        end
        r_has[TARGETS] = read_refused_q;
        for (i = 0; i < WRITE_IDS; i = i + 1) begin
            if (write_refused_q && i[W-1:0] == write_refused_id_q) begin
                due[TARGETS]   = write_at_q[i*3 +: 3] == ROUTE_NOWHERE;
                moves[TARGETS] = write_at_q[i*3 +: 3] != ROUTE_NOWHERE;
            end
            early_may[i] = early_valid_q[i] && writes_q[i*2 +: 2] == 2'd1;
        end
        due[TARGETS+1] = early_may != {WRITE_IDS{1'b0}};
        early_pick     = early_turn_q;
        for (i = WRITE_IDS - 1; i >= 0; i = i - 1)
            if (early_may[i] && i[W-1:0] < early_turn_q)
                early_pick = i[W-1:0];
        for (i = WRITE_IDS - 1; i >= 0; i = i - 1)
            if (early_may[i] && i[W-1:0] >= early_turn_q)
                early_pick = i[W-1:0];
        r_pick = r_turn_q;
        b_pick = b_turn_q;
        for (c = TARGETS; c >= 0; c = c - 1)
            if (r_has[c] && c[2:0] < r_turn_q)
                r_pick = c[2:0];
        for (c = TARGETS; c >= 0; c = c - 1)
            if (r_has[c] && c[2:0] >= r_turn_q)
                r_pick = c[2:0];
        for (c = TARGETS + 1; c >= 0; c = c - 1)
            if (due[c] && c[2:0] < b_turn_q)
                b_pick = c[2:0];
        for (c = TARGETS + 1; c >= 0; c = c - 1)
            if (due[c] && c[2:0] >= b_turn_q)
                b_pick = c[2:0];
    end

    wire r_some  = r_has != 5'd0;
    wire b_some  = due != 6'd0;
    wire r_taken = r_some && master_r_ready;
    wire b_taken = b_some && master_b_ready;

    assign r_valid = r_some;
    assign b_valid = b_some;

    always @* begin
        r_id       = {R{1'b0}};
        r_data     = 64'd0;
        r_response = NONE;
        r_last     = 1'b0;
        b_id       = {W{1'b0}};
        b_response = NONE;
        for (c = 0; c < TARGETS; c = c + 1) begin
            if (r_some && r_pick == c[2:0]) begin
                r_id       = r_head_tag_q[c*9 +: R];
                r_data     = r_head_q[c*64 +: 64];
                r_response = r_head_tag_q[c*9 + 6 +: 2];
                r_last     = r_head_tag_q[c*9 + 8];
            end
            if (b_some && b_pick == c[2:0]) begin
                b_id       = b_head_q[c*8 +: W];
                b_response = b_head_q[c*8 + 6 +: 2];
            end
        end
        if (r_some && r_pick == HERE) begin
            r_id       = read_refused_id_q;
            r_response = ROUTE_SLVERR;
            r_last     = read_refused_left_q == 4'd0;
        end
        if (b_some && b_pick == HERE) begin
            b_id       = write_refused_id_q;
            b_response = ROUTE_SLVERR;
        end
        for (i = 0; i < WRITE_IDS; i = i + 1)
            if (b_some && b_pick == KEPT && i[W-1:0] == early_pick) begin
                b_id       = early_pick;
                b_response = early_q[i*2 +: 2];
            end
    end

    // What waits here or is outstanding.
    always @* begin
        idle = !ar_some && !aw_some && !data_some && !open_q && aside_valid_q == {READ_IDS{1'b0}} &&
               reads_q == {READ_IDS*2{1'b0}} && writes_q == {WRITE_IDS*2{1'b0}};
        for (c = 0; c < TARGETS; c = c + 1) begin
            r_room[c] = r_count_q[c*2 +: 2] != 2'd2;
            b_room[c] = b_count_q[c*2 +: 2] != 2'd2;
            busy[c]   = waits_q[c*3 +: 3] != 3'd0;
            for (i = 0; i < READ_IDS; i = i + 1)
                if ((aside_valid_q[i] && aside_q[i*45 + 42 +: 3] == c[2:0]) ||
                    (reads_q[i*2 +: 2] != 2'd0 && read_at_q[i*3 +: 3] == c[2:0]))
                    busy[c] = 1'b1;
            for (i = 0; i < WRITE_IDS; i = i + 1)
                if ((writes_q[i*2 +: 2] != 2'd0 && write_at_q[i*3 +: 3] == c[2:0]) ||
                    (writes_q[i*2 + 1] && write_then_q[i*3 +: 3] == c[2:0]))
                    busy[c] = 1'b1;
        end
    end

    assign refused_valid = refused_valid_q;
    assign refused_id    = refused_id_q;
    assign refused_write = refused_write_q;
    assign refusals      = refusals_q;

    wire [TARGETS-1:0] beat_comes, response_comes;
    wire               new_read  = master_ar_valid && ar_ready;
    wire               new_write = master_aw_valid && aw_ready;
    wire               no_read  = read_goes && to_target == ROUTE_NOWHERE;
    wire               no_write = aw_goes && aw_target == ROUTE_NOWHERE;
    wire               unused   = &{1'b0, strobe_some, strobe_room, ar_word[50:45], aw_word[50:45], target_r_id};

    genvar g;
    generate
        for (g = 0; g < TARGETS; g = g + 1) begin : g_target
            assign beat_comes[g]     = target_r_valid[g] && target_r_ready[g] && r_room[g] &&
                                       {{4+W-T{1'b0}}, target_r_id[g*T+W +: T-W]} == {2'd0, source_number};
            assign response_comes[g] = target_b_valid[g] && target_b_ready[g] && b_room[g] &&
                                       {{4+W-T{1'b0}}, target_b_id[g*T+W +: T-W]} == {2'd0, source_number};
        end
    endgenerate

    reg        takes;
    reg [8:0]  beat_tag;
    reg [7:0]  response;

    always @* begin
        reads_d             = reads_q;
        read_at_d           = read_at_q;
        writes_d            = writes_q;
        write_at_d          = write_at_q;
        write_then_d        = write_then_q;
        aside_valid_d       = aside_valid_q;
        aside_d             = aside_q;
        aside_turn_d        = aside_turn_q;
        early_valid_d       = early_valid_q;
        early_d             = early_q;
        early_turn_d        = early_turn_q;
        open_d              = open_q;
        open_at_d           = open_at_q;
        open_id_d           = open_id_q;
        r_count_d           = r_count_q;
        r_head_d            = r_head_q;
        r_head_tag_d        = r_head_tag_q;
        r_tail_d            = r_tail_q;
        r_tail_tag_d        = r_tail_tag_q;
        r_turn_d            = r_turn_q;
        b_count_d           = b_count_q;
        b_head_d            = b_head_q;
        b_tail_d            = b_tail_q;
        b_turn_d            = b_turn_q;
        read_refused_d      = read_refused_q;
        read_refused_id_d   = read_refused_id_q;
        read_refused_left_d = read_refused_left_q;
        write_refused_d     = write_refused_q;
        write_refused_id_d  = write_refused_id_q;
        takes               = 1'b0;
        beat_tag            = 9'd0;
        response            = 8'd0;

        // 1 Requests: the inboxes above, and what is in them.
        for (c = 0; c < TARGETS; c = c + 1)
            waits_d[c*3 +: 3] = waits_q[c*3 +: 3] + {2'd0, new_read && read_hit && read_target == c[1:0]} +
                                {2'd0, new_write && write_hit && write_target == c[1:0]} -
                                {2'd0, ar_take && ar_target == c[2:0]} - {2'd0, aw_goes && aw_target == c[2:0]};

        // 2 Read
        for (i = 0; i < READ_IDS; i = i + 1) begin
            if (read_goes && i[R-1:0] == to_ar_id) begin
                reads_d[i*2 +: 2]   = reads_q[i*2 +: 2] + 2'd1;
                read_at_d[i*3 +: 3] = to_target;
                if (from_aside)
                    aside_valid_d[i] = 1'b0;
            end
            if (head_moves && i[R-1:0] == head_id) begin
                aside_valid_d[i]     = 1'b1;
                aside_d[i*45 +: 45]  = ar_word[44:0];
            end
        end
        head_stands_d = head_may && !from_aside && !read_goes;
        if (from_aside)
            aside_turn_d = !read_goes ? aside_pick : aside_pick + 1'b1;
        if (no_read) begin
            read_refused_d      = 1'b1;
            read_refused_id_d   = to_ar_id;
            read_refused_left_d = to_ar_len;
        end

        // 3 Beats
        for (c = 0; c < TARGETS; c = c + 1) begin
            takes    = r_taken && r_pick == c[2:0];
            beat_tag = {target_r_last[c], target_r_response[c*2 +: 2], {6-R{1'b0}}, target_r_id[c*T +: R]};
            if (takes) begin
                r_head_d[c*64 +: 64]   = r_tail_q[c*64 +: 64];
                r_head_tag_d[c*9 +: 9] = r_tail_tag_q[c*9 +: 9];
            end
            if (beat_comes[c] && (r_count_q[c*2 +: 2] == 2'd0 || (takes && r_count_q[c*2 +: 2] == 2'd1))) begin
                r_head_d[c*64 +: 64]   = target_r_data[c*64 +: 64];
                r_head_tag_d[c*9 +: 9] = beat_tag;
            end else if (beat_comes[c]) begin
                r_tail_d[c*64 +: 64]   = target_r_data[c*64 +: 64];
                r_tail_tag_d[c*9 +: 9] = beat_tag;
            end
            r_count_d[c*2 +: 2] = r_count_q[c*2 +: 2] + {1'b0, beat_comes[c]} - {1'b0, takes};
        end

        // 4 To the master
        if (r_taken && r_pick == HERE) begin
            read_refused_left_d = read_refused_left_q - 4'd1;
            if (r_last)
                read_refused_d = 1'b0;
        end
        for (i = 0; i < READ_IDS; i = i + 1)
            if (r_taken && r_last && i[R-1:0] == r_id)
                reads_d[i*2 +: 2] = reads_d[i*2 +: 2] - 2'd1;
        if (r_some)
            r_turn_d = !r_taken ? r_pick : r_pick == HERE ? 3'd0 : r_pick + 3'd1;

        // 5 Write
        for (i = 0; i < WRITE_IDS; i = i + 1) begin
            if (b_taken && i[W-1:0] == b_id) begin
                writes_d[i*2 +: 2]   = writes_q[i*2 +: 2] - 2'd1;
                write_at_d[i*3 +: 3] = write_then_q[i*3 +: 3];
            end
            if (aw_goes && i[W-1:0] == to_aw_id) begin
                if (writes_d[i*2 +: 2] == 2'd0)
                    write_at_d[i*3 +: 3] = aw_target;
                else
                    write_then_d[i*3 +: 3] = aw_target;
                writes_d[i*2 +: 2] = writes_d[i*2 +: 2] + 2'd1;
            end
        end
        if (aw_goes) begin
            open_d    = 1'b1;
            open_at_d = aw_target;
            open_id_d = to_aw_id;
        end

        // 6 Data
        if (w_goes && to_w_last) begin
            open_d = 1'b0;
            if (open_at_q == ROUTE_NOWHERE) begin
                write_refused_d    = 1'b1;
                write_refused_id_d = open_id_q;
            end
        end

        // 7 Responses
        for (c = 0; c < TARGETS; c = c + 1) begin
            takes    = moves[c] || (b_taken && b_pick == c[2:0]);
            response = {target_b_response[c*2 +: 2], {6-W{1'b0}}, target_b_id[c*T +: W]};
            for (i = 0; i < WRITE_IDS; i = i + 1)
                if (moves[c] && i[W-1:0] == b_head_q[c*8 +: W]) begin
                    early_valid_d[i]   = 1'b1;
                    early_d[i*2 +: 2]  = b_head_q[c*8 + 6 +: 2];
                end
            if (takes)
                b_head_d[c*8 +: 8] = b_tail_q[c*8 +: 8];
            if (response_comes[c] && (b_count_q[c*2 +: 2] == 2'd0 || (takes && b_count_q[c*2 +: 2] == 2'd1)))
                b_head_d[c*8 +: 8] = response;
            else if (response_comes[c])
                b_tail_d[c*8 +: 8] = response;
            b_count_d[c*2 +: 2] = b_count_q[c*2 +: 2] + {1'b0, response_comes[c]} - {1'b0, takes};
        end
        if (moves[TARGETS] || (b_taken && b_pick == HERE))
            write_refused_d = 1'b0;
        for (i = 0; i < WRITE_IDS; i = i + 1) begin
            if (moves[TARGETS] && i[W-1:0] == write_refused_id_q) begin
                early_valid_d[i]  = 1'b1;
                early_d[i*2 +: 2] = ROUTE_SLVERR;
            end
            if (b_taken && b_pick == KEPT && i[W-1:0] == early_pick)
                early_valid_d[i] = 1'b0;
        end
        if (b_some && b_pick == KEPT)
            early_turn_d = !b_taken ? early_pick : early_pick + 1'b1;
        if (b_some)
            b_turn_d = !b_taken ? b_pick : b_pick == KEPT ? 3'd0 : b_pick + 3'd1;

        // 8 Refusals
        refused_valid_d = no_read || no_write;
        refused_write_d = refused_write_q;
        refused_id_d    = refused_id_q;
        if (refused_valid_d) begin
            refused_write_d = no_write;
            refused_id_d    = no_write ? to_aw_id : {{W-R{1'b0}}, to_ar_id};
        end
        refusals_d = refusals_q + {31'd0, no_read} + {31'd0, no_write};
    end

    always @(posedge clk) begin
        waits_q             <= waits_d;
        reads_q             <= reads_d;
        read_at_q           <= read_at_d;
        aside_valid_q       <= aside_valid_d;
        aside_q             <= aside_d;
        aside_turn_q        <= aside_turn_d;
        head_stands_q       <= head_stands_d;
        write_then_q        <= write_then_d;
        early_valid_q       <= early_valid_d;
        early_q             <= early_d;
        early_turn_q        <= early_turn_d;
        writes_q            <= writes_d;
        write_at_q          <= write_at_d;
        open_q              <= open_d;
        open_at_q           <= open_at_d;
        open_id_q           <= open_id_d;
        r_count_q           <= r_count_d;
        r_head_q            <= r_head_d;
        r_head_tag_q        <= r_head_tag_d;
        r_tail_q            <= r_tail_d;
        r_tail_tag_q        <= r_tail_tag_d;
        r_turn_q            <= r_turn_d;
        b_count_q           <= b_count_d;
        b_head_q            <= b_head_d;
        b_tail_q            <= b_tail_d;
        b_turn_q            <= b_turn_d;
        read_refused_q      <= read_refused_d;
        read_refused_id_q   <= read_refused_id_d;
        read_refused_left_q <= read_refused_left_d;
        write_refused_q     <= write_refused_d;
        write_refused_id_q  <= write_refused_id_d;
        refused_valid_q     <= refused_valid_d;
        refused_write_q     <= refused_write_d;
        refused_id_q        <= refused_id_d;
        refusals_q          <= refusals_d;
        if (rst) begin
            aside_valid_q   <= {READ_IDS{1'b0}};
            aside_turn_q    <= {R{1'b0}};
            head_stands_q   <= 1'b0;
            early_valid_q   <= {WRITE_IDS{1'b0}};
            early_turn_q    <= {W{1'b0}};
            waits_q         <= {TARGETS*3{1'b0}};
            reads_q         <= {READ_IDS*2{1'b0}};
            writes_q        <= {WRITE_IDS*2{1'b0}};
            open_q          <= 1'b0;
            r_count_q       <= {TARGETS*2{1'b0}};
            r_turn_q        <= 3'd0;
            b_count_q       <= {TARGETS*2{1'b0}};
            b_turn_q        <= 3'd0;
            read_refused_q  <= 1'b0;
            write_refused_q <= 1'b0;
            refused_valid_q <= 1'b0;
            refusals_q      <= 32'd0;
        end
    end

`ifdef FORMAL
`include "totem_route_properties.vh"
`endif
endmodule

`default_nettype wire
