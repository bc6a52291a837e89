// SPDX-License-Identifier: Apache-2.0
//
// totem_kill: ends the waves of slots that are being reset.
//
// Policy    tells every engine which epochs of a slot are to end, slot after slot, again and again until nothing of
//           them is in flight, so no engine stores a kill. After the time-out epoch abandons what is left. A reset
//           that takes too long for another reason makes memory give up accesses earlier.
// Latency   first word 1 clock after killing; a round of SE_COUNT words, then 63 clocks of pause.
// Boundary  every output is a flip-flop; a word stays until dc has put it on the bus.
// Cost      26 flip-flops a queue and about 30.
// Proved    a word stays as it is until it is taken (invariant 1); two words for one engine are at least 64 clocks
//           apart (2); a slot is never abandoned without a time-out, nor before it (3); a stage of a reset that lasts
//           longer is overdue, and no other (4); with the time-out 0 none is (5).
// Twin      cmodel/queue/totem_kill.c, same names.

`default_nettype none

module totem_kill #(
    parameter QUEUES   = 8,                 // a power of two, 2 to 8
    parameter EPOCHS   = 8,                 // 2 to 8
    parameter SE_COUNT = 4                  // 1 to 4
) (
    input  wire                      clk,
    input  wire                      rst,
    // hqd
    input  wire [QUEUES-1:0]         hqd_resetting,
    input  wire [QUEUES-1:0]         hqd_killing,
    output wire [QUEUES-1:0]         ended,
    // fence
    input  wire [QUEUES*EPOCHS-1:0]  fence_targets,
    input  wire [QUEUES-1:0]         fence_quiet,
    input  wire [QUEUES-1:0]         fence_settled,
    input  wire [QUEUES-1:0]         fence_abandoned,
    output wire [QUEUES-1:0]         abandon,
    // memory
    output wire                      overdue,
    // dc
    output wire                      word_valid,
    output wire [1:0]                word_engine,
    output wire [$clog2(QUEUES)-1:0] word_queue,
    output wire [EPOCHS-1:0]         word_epochs,
    input  wire                      dc_killed,
    // host
    input  wire [23:0]               settings_dequeue_timeout,
    input  wire [63:0]               clock
);
    localparam Q = $clog2(QUEUES);
    localparam T = 24 - Q;                  // bits of a time in units of QUEUES clocks

    generate
        if (QUEUES < 2 || QUEUES > 8 || QUEUES != (1 << Q) || EPOCHS < 2 || EPOCHS > 8 || SE_COUNT < 1 ||
            SE_COUNT > 4) begin : check
            totem_kill_needs_QUEUES_2_4_or_8_and_EPOCHS_2_to_8_and_SE_COUNT_1_to_4 refused ();
        end
    endgenerate

    localparam LAST_ENGINE = SE_COUNT - 1;

    reg [QUEUES*T-1:0] since_q, since_d;
    reg [QUEUES-1:0]   before_q, before_d;
    reg [QUEUES-1:0]   slow_q, slow_d;
    reg [QUEUES-1:0]   abandon_q, abandon_d;
    reg [QUEUES-1:0]   expired_q, expired_d;
    reg [QUEUES-1:0]   ended_q, ended_d;
    reg                word_valid_q, word_valid_d;
    reg [1:0]          word_engine_q, word_engine_d;
    reg [Q-1:0]        word_queue_q, word_queue_d;
    reg [EPOCHS-1:0]   word_epochs_q, word_epochs_d;
    reg [5:0]          pause_q, pause_d;

    // A register that reset leaves alone reads 0 at start, as in the model.
    initial word_epochs_q = {EPOCHS{1'b0}};

    assign ended       = ended_q;
    assign abandon     = abandon_q;
    assign overdue     = slow_q != {QUEUES{1'b0}};
    assign word_valid  = word_valid_q;
    assign word_engine = word_engine_q;
    assign word_queue  = word_queue_q;
    assign word_epochs = word_epochs_q;

    wire [Q-1:0] turn  = clock[Q-1:0];
    wire [T-1:0] past  = since_q[turn*T +: T];
    wire [T-1:0] limit = settings_dequeue_timeout[23:Q];
    wire         timed = settings_dequeue_timeout != 24'd0;
    wire unused = &{1'b0, clock[63:Q]};

    // The first slot after the last one that has something to be killed.
    reg          found;
    reg [Q-1:0]  chosen, candidate;
    integer      n;
    always @* begin
        found  = 1'b0;
        chosen = word_queue_q;
        for (n = QUEUES; n > 0; n = n - 1) begin
            candidate = word_queue_q + n[Q-1:0];
            if (hqd_killing[candidate] && fence_targets[candidate*EPOCHS +: EPOCHS] != {EPOCHS{1'b0}}) begin
                found  = 1'b1;
                chosen = candidate;
            end
        end
    end

    wire [QUEUES-1:0] stays = hqd_resetting & ~(hqd_killing ^ before_q);

    integer q;
    always @* begin
        since_d       = since_q;
        word_valid_d  = word_valid_q;
        word_engine_d = word_engine_q;
        word_queue_d  = word_queue_q;
        word_epochs_d = word_epochs_q;
        pause_d       = pause_q;

        // 1 Rounds
        if (word_valid_q) begin
            if (dc_killed) begin
                if (word_engine_q == LAST_ENGINE[1:0]) begin
                    word_valid_d = 1'b0;
                    pause_d      = 6'd63;
                end else
                    word_engine_d = word_engine_q + 2'd1;
            end
        end else if (pause_q != 6'd0)
            pause_d = pause_q - 6'd1;
        else if (found) begin
            word_valid_d  = 1'b1;
            word_engine_d = 2'd0;
            word_queue_d  = chosen;
            word_epochs_d = fence_targets[chosen*EPOCHS +: EPOCHS];
        end

        // 2 Time
        abandon_d = abandon_q;
        if (past != {T{1'b1}})
            since_d[turn*T +: T] = past + {{(T-1){1'b0}}, 1'b1};
        slow_d = slow_q;
        if (past >= limit) begin
            slow_d[turn]    = 1'b1;
            abandon_d[turn] = abandon_q[turn] || !expired_q[turn];
        end
        // 3 End
        abandon_d = abandon_d & ~fence_quiet & ~fence_abandoned;
        expired_d = (expired_q | fence_abandoned) & hqd_killing;
        ended_d   = hqd_killing & (fence_quiet | (expired_q & fence_settled));
        // 4 Stages
        slow_d    = slow_d & stays & {QUEUES{timed}};
        abandon_d = abandon_d & hqd_killing & stays & {QUEUES{timed}};
        before_d  = hqd_killing;
        for (q = 0; q < QUEUES; q = q + 1)
            if (!stays[q])
                since_d[q*T +: T] = {T{1'b0}};
    end

    always @(posedge clk) begin
        since_q       <= since_d;
        before_q      <= before_d;
        slow_q        <= slow_d;
        abandon_q     <= abandon_d;
        expired_q     <= expired_d;
        ended_q       <= ended_d;
        word_valid_q  <= word_valid_d;
        word_engine_q <= word_engine_d;
        word_queue_q  <= word_queue_d;
        word_epochs_q <= word_epochs_d;
        pause_q       <= pause_d;
        if (rst) begin
            since_q       <= {QUEUES*T{1'b0}};
            before_q      <= {QUEUES{1'b0}};
            slow_q        <= {QUEUES{1'b0}};
            abandon_q     <= {QUEUES{1'b0}};
            expired_q     <= {QUEUES{1'b0}};
            ended_q       <= {QUEUES{1'b0}};
            word_valid_q  <= 1'b0;
            word_engine_q <= 2'd0;
            word_queue_q  <= {Q{1'b0}};
            pause_q       <= 6'd0;
        end
    end

    // formal: configs=full,board,pole
    // formal: params=SE_COUNT=3 configs=mini
`ifdef FORMAL
`include "totem_kill_properties.vh"
`endif
endmodule

`default_nettype wire
