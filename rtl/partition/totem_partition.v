// SPDX-License-Identifier: Apache-2.0
//
// totem_partition: says who owns every unit, checks requests for another map, and decides for applications.
//
// Policy    refused requests change nothing; one slice for each path, the others to the greatest weight / slices held;
//           a path keeps the lowest slices that it owns.
// Latency   a map that is named: 7 clocks to quiesce or to its refusal; one that is decided: at most 12 + 3*SLICES.
// Boundary  what the mailbox, the weights and quiesce say goes into registers; outputs are functions of state only. The
//           owners change in one clock, the one with quiesce_commit; foreign masks are a comparison behind them.
// Mask      the answer counts only while answer_valid, wanted and changes only while change_valid.
// Cost      495 flip-flops, and 7 of each unit.
// Proved    1 owner, 2 foreign, 3 still, 4 intact, 5 whole, 6 once, 7 least, 8 conserving, 9 greatest, 10 kept,
//           11 sound, 12 homes, 13 counted.
// Twin      cmodel/partition/totem_partition.c, same names.

`default_nettype none

module totem_partition #(
    parameter FE_COUNT = 4,     // a front end, engine, portion or channel costs the masks of its pairs
    parameter SE_COUNT = 4,
    parameter LANES    = 8,     // FE_COUNT to 8
    parameter PORTIONS = 4,
    parameter CHANNELS = 4
) (
    input  wire                                                   clk,
    input  wire                                                   rst,
    // mailbox
    input  wire                                                   mail_valid,
    input  wire [3:0]                                             mail_index,
    input  wire [31:0]                                            mail_data,
    input  wire                                                   mail_send,
    input  wire                                                   mail_source,
    output wire                                                   mail_busy,
    output wire                                                   answer_valid,
    output wire [3:0]                                             answer_code,
    output wire                                                   answer_source,
    // host
    input  wire                                                   weight_write,
    input  wire [3:0]                                             weight_index,
    input  wire [7:0]                                             weight_value,
    // front ends, channels
    input  wire [FE_COUNT-1:0]                                    without_mqd,
    input  wire [CHANNELS-1:0]                                    live_window,
    // quiesce
    output wire [(FE_COUNT+SE_COUNT+LANES+PORTIONS+CHANNELS)*3-1:0] wanted,
    output wire [FE_COUNT+SE_COUNT+LANES+PORTIONS+CHANNELS-1:0]   changes,
    output wire                                                   change_valid,
    input  wire                                                   quiesce_commit,
    input  wire                                                   quiesce_done,
    input  wire                                                   quiesce_released,
    // all
    output wire [(FE_COUNT+SE_COUNT+LANES+PORTIONS+CHANNELS)*3-1:0] owner,
    output wire [FE_COUNT*SE_COUNT-1:0]                           foreign_fe_se,
    output wire [FE_COUNT*LANES-1:0]                              foreign_fe_lane,
    output wire [LANES*SE_COUNT-1:0]                              foreign_lane_se,
    output wire [SE_COUNT*SE_COUNT-1:0]                           foreign_se_se,
    output wire [SE_COUNT*PORTIONS-1:0]                           foreign_se_portion,
    output wire [PORTIONS*CHANNELS-1:0]                           foreign_portion_channel,
    output wire [FE_COUNT*CHANNELS-1:0]                           foreign_fe_channel,
    output wire [FE_COUNT*PORTIONS-1:0]                           foreign_fe_portion,
    output wire [FE_COUNT*2-1:0]                                  path_of_fe,
    output wire [SE_COUNT*2-1:0]                                  path_of_se,
    output wire [LANES*2-1:0]                                     path_of_lane,
    output wire [PORTIONS*2-1:0]                                  path_of_portion,
    output wire [CHANNELS*2-1:0]                                  path_of_channel,
    output wire [31:0]                                            homes,
    output wire [11:0]                                            fe_per_path,
    output wire [15:0]                                            lanes_per_path,
    output wire                                                   homes_valid,
    // registers
    output wire [31:0]                                            done_count,
    output wire [31:0]                                            refused_count
);
`include "totem_partition_values.vh"

    // Number of the first unit of a kind.
    localparam SE_AT      = FE_COUNT;
    localparam LANE_AT    = SE_AT + SE_COUNT;
    localparam PORTION_AT = LANE_AT + LANES;
    localparam CHANNEL_AT = PORTION_AT + PORTIONS;
    localparam UNITS      = CHANNEL_AT + CHANNELS;

    localparam LEAST_FE      = FE_COUNT < SE_COUNT ? FE_COUNT : SE_COUNT;     // there are as many lanes as front ends
    localparam LEAST_PORTION = PORTIONS < CHANNELS ? PORTIONS : CHANNELS;
    localparam SLICES        = LEAST_FE < LEAST_PORTION ? LEAST_FE : LEAST_PORTION;
    localparam [31:0] LAST   = SLICES - 1;
    localparam [31:0] ALL    = SLICES;

    generate
        if (FE_COUNT < 1 || FE_COUNT > 4 || SE_COUNT < 1 || SE_COUNT > 4 || LANES < FE_COUNT || LANES > 8 ||
            PORTIONS < 1 || PORTIONS > 4 || CHANNELS < 1 || CHANNELS > 4) begin : check
            totem_partition_needs_1_to_4_of_each_kind_and_FE_COUNT_to_8_lanes refused ();
        end
    endgenerate

    reg [159:0]       mail_q, mail_d;
    reg               beyond_q, beyond_d;
    reg [3:0]         phase_q, phase_d;
    reg [1:0]         step_q, step_d;
    reg               source_q, source_d;
    reg [3:0]         code_q, code_d;
    reg               refused_q, refused_d;
    reg               refused_source_q, refused_source_d;
    reg [127:0]       weights_q, weights_d;
    reg [31:0]        weight_q, weight_d;
    reg [11:0]        share_q, share_d;
    reg [2:0]         left_q, left_d;
    reg [11:0]        slice_q, slice_d;
    reg [UNITS*3-1:0] wanted_q, wanted_d;
    reg [UNITS-1:0]   changes_q, changes_d;
    reg [5:0]         fails_q, fails_d;
    reg               committed_q, committed_d;
    reg [UNITS*3-1:0] owner_q, owner_d;
    reg [31:0]        homes_q, homes_d;
    reg [11:0]        fe_per_path_q, fe_per_path_d;
    reg [15:0]        lanes_per_path_q, lanes_per_path_d;
    reg               homes_valid_q, homes_valid_d;
    reg [1:0]         home_step_q, home_step_d;
    reg [31:0]        done_count_q, done_count_d;
    reg [31:0]        refused_count_q, refused_count_d;

    // Registers that reset leaves alone read 0 at start, as in the model.
    initial begin
        mail_q = 0; beyond_q = 0; phase_q = 0; step_q = 0; source_q = 0; code_q = 0; refused_q = 0;
        refused_source_q = 0; weights_q = 0; weight_q = 0; share_q = 0; left_q = 0; slice_q = 0; wanted_q = 0;
        changes_q = 0; fails_q = 0; committed_q = 0; owner_q = 0; homes_q = 0; fe_per_path_q = 0;
        lanes_per_path_q = 0; homes_valid_q = 0; home_step_q = 0; done_count_q = 0; refused_count_q = 0;
    end

    wire answers = phase_q == PARTITION_ANSWER;
    wire busy    = phase_q != PARTITION_REST && !answers;
    wire accept  = mail_send && !busy;

    assign mail_busy      = busy;
    assign answer_valid   = answers || refused_q;
    assign answer_code    = answers ? code_q : REQUEST_BUSY;
    assign answer_source  = answers ? source_q : refused_source_q;
    assign wanted         = wanted_q;
    assign changes        = changes_q;
    assign change_valid   = phase_q == PARTITION_CHANGE;
    assign owner          = owner_q;
    assign homes          = homes_q;
    assign fe_per_path    = fe_per_path_q;
    assign lanes_per_path = lanes_per_path_q;
    assign homes_valid    = homes_valid_q;
    assign done_count     = done_count_q;
    assign refused_count  = refused_count_q;

    function foreign(input [2:0] a, input [2:0] b);
        foreign = a[2] || b[2] || a[1:0] != b[1:0];
    endfunction

    genvar a, b;
    generate
        for (a = 0; a < FE_COUNT; a = a + 1) begin : g_fe
            assign path_of_fe[a*2 +: 2] = owner_q[a*3 +: 2];
            for (b = 0; b < SE_COUNT; b = b + 1) begin : g_se
                assign foreign_fe_se[a*SE_COUNT + b] = foreign(owner_q[a*3 +: 3], owner_q[(SE_AT+b)*3 +: 3]);
            end
            for (b = 0; b < LANES; b = b + 1) begin : g_lane
                assign foreign_fe_lane[a*LANES + b] = foreign(owner_q[a*3 +: 3], owner_q[(LANE_AT+b)*3 +: 3]);
            end
            for (b = 0; b < PORTIONS; b = b + 1) begin : g_portion
                assign foreign_fe_portion[a*PORTIONS + b] = foreign(owner_q[a*3 +: 3], owner_q[(PORTION_AT+b)*3 +: 3]);
            end
            for (b = 0; b < CHANNELS; b = b + 1) begin : g_channel
                assign foreign_fe_channel[a*CHANNELS + b] = foreign(owner_q[a*3 +: 3], owner_q[(CHANNEL_AT+b)*3 +: 3]);
            end
        end
        for (a = 0; a < SE_COUNT; a = a + 1) begin : g_se
            assign path_of_se[a*2 +: 2] = owner_q[(SE_AT+a)*3 +: 2];
            for (b = 0; b < SE_COUNT; b = b + 1) begin : g_se
                assign foreign_se_se[a*SE_COUNT + b] =
                    a != b && foreign(owner_q[(SE_AT+a)*3 +: 3], owner_q[(SE_AT+b)*3 +: 3]);
            end
            for (b = 0; b < PORTIONS; b = b + 1) begin : g_portion
                assign foreign_se_portion[a*PORTIONS + b] =
                    foreign(owner_q[(SE_AT+a)*3 +: 3], owner_q[(PORTION_AT+b)*3 +: 3]);
            end
        end
        for (a = 0; a < LANES; a = a + 1) begin : g_lane
            assign path_of_lane[a*2 +: 2] = owner_q[(LANE_AT+a)*3 +: 2];
            for (b = 0; b < SE_COUNT; b = b + 1) begin : g_se
                assign foreign_lane_se[a*SE_COUNT + b] =
                    foreign(owner_q[(LANE_AT+a)*3 +: 3], owner_q[(SE_AT+b)*3 +: 3]);
            end
        end
        for (a = 0; a < PORTIONS; a = a + 1) begin : g_portion
            assign path_of_portion[a*2 +: 2] = owner_q[(PORTION_AT+a)*3 +: 2];
            for (b = 0; b < CHANNELS; b = b + 1) begin : g_channel
                assign foreign_portion_channel[a*CHANNELS + b] =
                    foreign(owner_q[(PORTION_AT+a)*3 +: 3], owner_q[(CHANNEL_AT+b)*3 +: 3]);
            end
        end
        for (a = 0; a < CHANNELS; a = a + 1) begin : g_channel
            assign path_of_channel[a*2 +: 2] = owner_q[(CHANNEL_AT+a)*3 +: 2];
        end
    endgenerate

    // The request: what it names, and what it says about path `step`.
    wire [1:0] kind  = mail_q[1:0];
    wire [2:0] paths = mail_q[34:32];
    reg        misnamed;
    reg [4:0]  application;         // it is there, its resolution, its complexity
    reg        present;
    reg [7:0]  weighs;
    integer    m;
    always @* begin
        misnamed    = beyond_q;
        application = 5'd0;
        for (m = 0; m < 32; m = m + 1)
            if (mail_q[32 + m*4 +: 4] > (m < UNITS ? {1'b0, OWNER_NONE} : 4'd0)) misnamed = 1'b1;
        for (m = 0; m < 4; m = m + 1)
            if (m[1:0] == step_q) application = {mail_q[63 + m*32], mail_q[32 + m*32 +: 4]};
        present = kind == REQUEST_PATHS ? {1'b0, step_q} < paths : application[4];
        weighs  = 8'd1;
        for (m = 0; m < 16; m = m + 1)
            if (kind != REQUEST_PATHS && m[3:0] == {application[1:0], application[3:2]}) weighs = weights_q[m*8 +: 8];
    end

    // The path that gets the next slice: of two pairs, then of their winners. The first of a pair has the lower number.
    function beats(input [10:0] one, input [10:0] other);       // weight and share of each
        beats = other[2:0] != 3'd0 && (one[2:0] == 3'd0 ||
                {3'd0, other[10:3]}*{8'd0, one[2:0]} > {3'd0, one[10:3]}*{8'd0, other[2:0]});
    endfunction

    wire        second   = beats({weight_q[7:0], share_q[2:0]}, {weight_q[15:8], share_q[5:3]});
    wire        fourth   = beats({weight_q[23:16], share_q[8:6]}, {weight_q[31:24], share_q[11:9]});
    wire [10:0] lower    = second ? {weight_q[15:8], share_q[5:3]} : {weight_q[7:0], share_q[2:0]};
    wire [10:0] upper    = fourth ? {weight_q[31:24], share_q[11:9]} : {weight_q[23:16], share_q[8:6]};
    wire [1:0]  greatest = beats(lower, upper) ? {1'b1, fourth} : {1'b0, second};

    // Slice `step` in the present map, and paths that still get slices.
    reg [2:0] keeper;
    reg [1:0] taker;
    reg       kept;             // the keeper still gets a slice
    reg       unkept;           // nobody keeps slice `step`
    integer   k;
    always @* begin
        keeper = OWNER_NONE;
        unkept = 1'b0;
        for (k = 0; k < SLICES; k = k + 1)
            if (k[1:0] == step_q && owner_q[(SE_AT+k)*3 +: 3] == owner_q[k*3 +: 3] &&
                owner_q[(PORTION_AT+k)*3 +: 3] == owner_q[k*3 +: 3] &&
                owner_q[(CHANNEL_AT+k)*3 +: 3] == owner_q[k*3 +: 3])
                keeper = owner_q[k*3 +: 3];
        for (k = 0; k < 4; k = k + 1)
            if (k[1:0] == step_q) unkept = slice_q[k*3 +: 3] == OWNER_NONE;
        taker = 2'd3;
        kept  = 1'b0;
        for (k = 3; k >= 0; k = k - 1) begin
            if (share_q[k*3 +: 3] != 3'd0) taker = k[1:0];
            if (keeper == {1'b0, k[1:0]}) kept = share_q[k*3 +: 3] != 3'd0;
        end
    end

    // What is wanted: has path `step` some of each kind, and which units change hands.
    reg [4:0]       has;
    reg [3:0]       front_ends, lanes;
    reg [5:0]       lacks;
    reg [UNITS-1:0] moved;
    reg [3:0]       verdict;        // REQUEST_DONE: none
    integer         w;
    always @* begin
        has        = 5'd0;
        front_ends = 4'd0;
        lanes      = 4'd0;
        for (w = 0; w < UNITS; w = w + 1) begin
            moved[w] = wanted_q[w*3 +: 3] != owner_q[w*3 +: 3];
            if (wanted_q[w*3 +: 3] == {1'b0, step_q}) begin
                has[w < SE_AT ? 0 : w < LANE_AT ? 1 : w < PORTION_AT ? 2 : w < CHANNEL_AT ? 3 : 4] = 1'b1;
                if (w < SE_AT) front_ends = front_ends + 4'd1;
                if (w >= LANE_AT && w < PORTION_AT) lanes = lanes + 4'd1;
            end
        end
        lacks = {front_ends > lanes, has == 5'd0 ? 5'd0 : ~has};

        verdict = moved == {UNITS{1'b0}} ? REQUEST_SAME : REQUEST_DONE;
        if ((moved[CHANNEL_AT +: CHANNELS] & live_window) != {CHANNELS{1'b0}}) verdict = REQUEST_LIVE_WINDOW;
        if ((moved[0 +: FE_COUNT] & without_mqd) != {FE_COUNT{1'b0}})          verdict = REQUEST_MQD;
        if (fails_q[5]) verdict = REQUEST_LANES;
        if (fails_q[4]) verdict = REQUEST_EMPTY_CHANNEL;
        if (fails_q[3]) verdict = REQUEST_EMPTY_PORTION;
        if (fails_q[2]) verdict = REQUEST_EMPTY_LANE;
        if (fails_q[1]) verdict = REQUEST_EMPTY_SE;
        if (fails_q[0]) verdict = REQUEST_EMPTY_FE;
    end

    // Portions of path `home_step`, one behind the other, and its counts.
    reg [7:0] home;
    reg [2:0] fe_listed;
    reg [3:0] lanes_listed;
    reg [1:0] lowest, next;
    integer   h, g;
    always @* begin
        lowest       = 2'd0;
        fe_listed    = 3'd0;
        lanes_listed = 4'd0;
        for (g = PORTIONS - 1; g >= 0; g = g - 1)
            if (owner_q[(PORTION_AT+g)*3 +: 3] == {1'b0, home_step_q}) lowest = g[1:0];
        home = {6'd0, lowest};
        for (h = 1; h < 4; h = h + 1) begin
            next = lowest;
            for (g = PORTIONS - 1; g >= 0; g = g - 1)
                if (owner_q[(PORTION_AT+g)*3 +: 3] == {1'b0, home_step_q} && g[1:0] > home[h*2-2 +: 2]) next = g[1:0];
            home[h*2 +: 2] = next;
        end
        for (h = 0; h < FE_COUNT; h = h + 1)
            if (owner_q[h*3 +: 3] == {1'b0, home_step_q}) fe_listed = fe_listed + 3'd1;
        for (h = 0; h < LANES; h = h + 1)
            if (owner_q[(LANE_AT+h)*3 +: 3] == {1'b0, home_step_q}) lanes_listed = lanes_listed + 4'd1;
    end

    wire took = committed_q || quiesce_commit;

    integer n;
    always @* begin
        mail_d           = mail_q;
        beyond_d         = beyond_q;
        phase_d          = phase_q;
        step_d           = step_q;
        source_d         = source_q;
        code_d           = code_q;
        refused_source_d = refused_source_q;
        weights_d        = weights_q;
        weight_d         = weight_q;
        share_d          = share_q;
        left_d           = left_q;
        slice_d          = slice_q;
        wanted_d         = wanted_q;
        changes_d        = changes_q;
        fails_d          = fails_q;
        committed_d      = committed_q;
        owner_d          = owner_q;
        homes_d          = homes_q;
        fe_per_path_d    = fe_per_path_q;
        lanes_per_path_d = lanes_per_path_q;
        homes_valid_d    = homes_valid_q;
        home_step_d      = home_step_q;
        done_count_d     = done_count_q;
        refused_count_d  = refused_count_q;

        // 1 Mail
        if (mail_valid && !busy) begin
            for (n = 0; n < 5; n = n + 1)
                if (mail_index == n[3:0]) mail_d[n*32 +: 32] = mail_data;
            if (mail_index > 4'd4 && mail_data != 32'd0) beyond_d = 1'b1;
        end

        // 2 Weights
        for (n = 0; n < 16; n = n + 1)
            if (weight_write && weight_index == n[3:0]) weights_d[n*8 +: 8] = weight_value;

        case (phase_q)
            // 3 Read
            PARTITION_READ: begin
                step_d  = 2'd0;
                left_d  = ALL[2:0];
                fails_d = 6'd0;
                phase_d = PARTITION_ANSWER;
                if (mail_q[31:2] != 30'd0 || (kind == REQUEST_PATHS && paths > 3'd4)) code_d = REQUEST_KIND;
                else if (kind == REQUEST_NO_CHANGE) code_d = REQUEST_SAME;
                else if (kind != REQUEST_OWNERS) phase_d = PARTITION_WEIGH;
                else if (misnamed) code_d = REQUEST_UNIT;
                else begin
                    phase_d = PARTITION_CHECK;
                    for (n = 0; n < UNITS; n = n + 1) wanted_d[n*3 +: 3] = mail_q[32 + n*4 +: 3];
                end
            end

            // 4 Weigh
            PARTITION_WEIGH: begin
                for (n = 0; n < 4; n = n + 1)
                    if (n[1:0] == step_q) begin
                        weight_d[n*8 +: 8] = weighs;
                        share_d[n*3 +: 3]  = {2'd0, present};
                    end
                left_d = left_q - {2'd0, present};
                step_d = step_q + 2'd1;
                if (present && left_q == 3'd0) begin
                    code_d  = REQUEST_EMPTY_FE;
                    phase_d = PARTITION_ANSWER;
                end else if (step_q == 2'd3) begin
                    phase_d = PARTITION_GIVE;
                    if (left_q == ALL[2:0] && !present) begin
                        code_d  = REQUEST_KIND;
                        phase_d = PARTITION_ANSWER;
                    end
                end
            end

            // 5 Give
            PARTITION_GIVE:
                if (left_q == 3'd0) phase_d = PARTITION_KEEP;
                else begin
                    left_d = left_q - 3'd1;
                    for (n = 0; n < 4; n = n + 1)
                        if (greatest == n[1:0]) share_d[n*3 +: 3] = share_q[n*3 +: 3] + 3'd1;
                end

            // 6 Keep
            PARTITION_KEEP: begin
                for (n = 0; n < 4; n = n + 1) begin
                    if (step_q == n[1:0]) slice_d[n*3 +: 3] = kept ? keeper : OWNER_NONE;
                    if (kept && keeper == {1'b0, n[1:0]}) share_d[n*3 +: 3] = share_q[n*3 +: 3] - 3'd1;
                end
                step_d = step_q == LAST[1:0] ? 2'd0 : step_q + 2'd1;
                if (step_q == LAST[1:0]) phase_d = PARTITION_FILL;
            end

            // 7 Fill
            PARTITION_FILL: begin
                for (n = 0; n < 4; n = n + 1) begin
                    if (unkept && step_q == n[1:0]) slice_d[n*3 +: 3] = {1'b0, taker};
                    if (unkept && taker == n[1:0]) share_d[n*3 +: 3] = share_q[n*3 +: 3] - 3'd1;
                end
                step_d = step_q == LAST[1:0] ? 2'd0 : step_q + 2'd1;
                if (step_q == LAST[1:0]) phase_d = PARTITION_SPREAD;
            end

            // 8 Spread
            PARTITION_SPREAD: begin
                for (n = 0; n < FE_COUNT; n = n + 1) wanted_d[n*3 +: 3] = slice_q[(n % SLICES)*3 +: 3];
                for (n = 0; n < SE_COUNT; n = n + 1) wanted_d[(SE_AT+n)*3 +: 3] = slice_q[(n % SLICES)*3 +: 3];
                for (n = 0; n < LANES; n = n + 1) wanted_d[(LANE_AT+n)*3 +: 3] = slice_q[(n % SLICES)*3 +: 3];
                for (n = 0; n < PORTIONS; n = n + 1) wanted_d[(PORTION_AT+n)*3 +: 3] = slice_q[(n % SLICES)*3 +: 3];
                for (n = 0; n < CHANNELS; n = n + 1) wanted_d[(CHANNEL_AT+n)*3 +: 3] = slice_q[(n % SLICES)*3 +: 3];
                phase_d = PARTITION_CHECK;
            end

            // 9 Check
            PARTITION_CHECK: begin
                fails_d = fails_q | lacks;
                step_d  = step_q + 2'd1;
                if (step_q == 2'd3) phase_d = PARTITION_JUDGE;
            end

            // 10 Judge
            PARTITION_JUDGE: begin
                changes_d   = moved;
                committed_d = 1'b0;
                code_d      = verdict;
                phase_d     = verdict == REQUEST_DONE ? PARTITION_CHANGE : PARTITION_ANSWER;
            end

            // 11 Change
            PARTITION_CHANGE: begin
                if (quiesce_commit) begin
                    owner_d     = wanted_q;
                    committed_d = 1'b1;
                end
                if (quiesce_done || quiesce_released) begin
                    code_d  = took ? REQUEST_DONE : REQUEST_TIMEOUT;
                    phase_d = PARTITION_ANSWER;
                end
            end

            // 12 Answer
            PARTITION_ANSWER: phase_d = PARTITION_REST;

            default: phase_d = phase_q;
        endcase

        // 12 Answer, continued
        if (phase_d == PARTITION_ANSWER) begin
            mail_d   = 160'd0;
            beyond_d = 1'b0;
        end
        if (answer_valid) begin
            if (answer_code == REQUEST_DONE || answer_code == REQUEST_SAME) done_count_d = done_count_q + 32'd1;
            else refused_count_d = refused_count_q + 32'd1;
        end

        // 13 Request
        if (accept) begin
            phase_d  = PARTITION_READ;
            source_d = mail_source;
        end

        // 14 Refuse
        refused_d = (mail_send && busy) || (refused_q && answers);
        if (mail_send && busy) refused_source_d = mail_source;

        // 15 Homes
        if (!homes_valid_q) begin
            for (n = 0; n < 4; n = n + 1)
                if (home_step_q == n[1:0]) begin
                    homes_d[n*8 +: 8]          = home;
                    fe_per_path_d[n*3 +: 3]    = fe_listed;
                    lanes_per_path_d[n*4 +: 4] = lanes_listed;
                end
            home_step_d   = home_step_q + 2'd1;
            homes_valid_d = home_step_q == 2'd3;
        end
        if (change_valid && quiesce_commit) begin
            homes_valid_d = 1'b0;
            home_step_d   = 2'd0;
        end
    end

    always @(posedge clk) begin
        mail_q           <= mail_d;
        beyond_q         <= beyond_d;
        phase_q          <= phase_d;
        step_q           <= step_d;
        source_q         <= source_d;
        code_q           <= code_d;
        refused_q        <= refused_d;
        refused_source_q <= refused_source_d;
        weights_q        <= weights_d;
        weight_q         <= weight_d;
        share_q          <= share_d;
        left_q           <= left_d;
        slice_q          <= slice_d;
        wanted_q         <= wanted_d;
        changes_q        <= changes_d;
        fails_q          <= fails_d;
        committed_q      <= committed_d;
        owner_q          <= owner_d;
        homes_q          <= homes_d;
        fe_per_path_q    <= fe_per_path_d;
        lanes_per_path_q <= lanes_per_path_d;
        homes_valid_q    <= homes_valid_d;
        home_step_q      <= home_step_d;
        done_count_q     <= done_count_d;
        refused_count_q  <= refused_count_d;
        if (rst) begin
            mail_q          <= 160'd0;
            beyond_q        <= 1'b0;
            phase_q         <= PARTITION_REST;
            step_q          <= 2'd0;
            code_q          <= REQUEST_DONE;
            refused_q       <= 1'b0;
            weights_q       <= 128'h100c0804_0c090603_08060402_04030201;       // (complexity + 1)*(resolution + 1)
            wanted_q        <= {UNITS{3'd0}};
            changes_q       <= {UNITS{1'b0}};
            owner_q         <= {UNITS{3'd0}};
            homes_valid_q   <= 1'b0;
            home_step_q     <= 2'd0;
            done_count_q    <= 32'd0;
            refused_count_q <= 32'd0;
        end
    end

    // formal: maxsteps=3
    // formal: maxsteps=3 params=FE_COUNT=3,SE_COUNT=2,LANES=5,PORTIONS=4,CHANNELS=3 configs=mini
`ifdef FORMAL
`include "totem_partition_properties.vh"
`endif
endmodule

`default_nettype wire
