// SPDX-License-Identifier: Apache-2.0
//
// totem_dc: dispatch controller of a front end: two pipes to one word a clock on the bus.
//
// Policy    the pipe of the higher pipe priority, else the one not served last; its group goes to the engine
//           with the most slots left (reported, less what waits there from here) among those where it
//           fits, else among all; equal: the next after the last used. A group's header goes first where
//           the engine has not got it. A stop recalls what waits at the engines. A pipe priority written goes
//           to the engines where groups wait, between two words of whatever else is sent.
// Latency   an offer in clock n is on the bus in n+1, as header A or as the group itself; a header with w
//           state words is followed by its group w+3 clocks after the offer. A word that bus_ready does
//           not take stays there; in a stream the state is then read again, a clock more.
// Boundary  every output is a flip-flop, except state_read_*, which say where the header stream is.
// Mask      bus_word and bus_tag count only while bus_valid, state_read_addr while enabled.
// Cost      of an engine and pipe: 16 flip-flops.
// Proof     invariants 1 (range) to 14 (told).
// Parts     totem_dc_engines.
// Twin      cmodel/issue/totem_dc.c, same names.

`default_nettype none

module totem_dc #(
    parameter PIPES    = 2,             // 1 or 2
    parameter SE_COUNT = 4,             // 1 to 4
    parameter QUEUES   = 8,
    parameter EPOCHS   = 8,
    parameter SETS     = 8,             // up to 16
    parameter SLOTS    = 64,            // sizes of an engine bound what it reports
    parameter VGPRS    = 2048,
    parameter LDS      = 512,
    parameter QUEUE_BITS = (QUEUES > 1) ? $clog2(QUEUES) : 1,   // follow from the others
    parameter EPOCH_BITS = (EPOCHS > 1) ? $clog2(EPOCHS) : 1,
    parameter SET_BITS   = (SETS > 1) ? $clog2(SETS) : 1
) (
    input  wire                        clk,
    input  wire                        rst,
    // walkers
    input  wire [PIPES-1:0]            walker_group_valid,
    input  wire [PIPES*64-1:0]         walker_group,
    input  wire [PIPES*3-1:0]          walker_group_partial,
    input  wire [PIPES*SE_COUNT-1:0]   walker_room,
    input  wire [PIPES*SE_COUNT-1:0]   walker_outstanding,
    input  wire [PIPES-1:0]            packet_stop,
    output wire [PIPES-1:0]            take,
    output wire [1:0]                  take_engine,
    // dispatches
    input  wire [PIPES-1:0]            packet_start,
    input  wire [PIPES*7-1:0]          dispatch_waves,
    input  wire [PIPES*7-1:0]          dispatch_threads,
    input  wire [PIPES-1:0]            dispatch_wave32,
    input  wire [PIPES*6-1:0]          dispatch_invalidate,
    input  wire [PIPES*QUEUE_BITS-1:0] dispatch_queue,
    input  wire [PIPES*EPOCH_BITS-1:0] dispatch_epoch,
    input  wire [PIPES*SET_BITS-1:0]   dispatch_set,
    input  wire [PIPES*2-1:0]          arbiter_pipe_priority,
    // banks
    input  wire [PIPES*40-1:0]         bank_program_addr,
    input  wire [PIPES*7-1:0]          bank_vgprs,
    input  wire [PIPES*9-1:0]          bank_lds,
    input  wire [PIPES*SE_COUNT-1:0]   bank_engines,
    input  wire [PIPES-1:0]            bank_scratch,
    input  wire [PIPES*4-1:0]          bank_words,
    // state RAMs of each pipe
    output wire [PIPES-1:0]            state_read_enable,
    output wire [PIPES*4-1:0]          state_read_addr,
    input  wire [PIPES*32-1:0]         state_low_data,
    input  wire [PIPES*32-1:0]         state_high_data,
    // engines
    input  wire [SE_COUNT*7-1:0]       issue_free_slots,
    input  wire [SE_COUNT*12-1:0]      issue_free_vgprs_left,
    input  wire [SE_COUNT*10-1:0]      issue_free_lds_left,
    input  wire [PIPES*SE_COUNT-1:0]   grant_valid,
    input  wire [PIPES*SE_COUNT-1:0]   release_valid,
    input  wire [SE_COUNT-1:0]         release_buffer,
    input  wire [PIPES*SE_COUNT-1:0]   answer_valid,
    input  wire [SE_COUNT*3-1:0]       answer_count,
    // kill
    input  wire [PIPES-1:0]            kill_word_valid,
    input  wire [PIPES*2-1:0]          kill_word_engine,
    input  wire [PIPES*QUEUE_BITS-1:0] kill_word_queue,
    input  wire [PIPES*EPOCHS-1:0]     kill_word_epochs,
    output wire [PIPES-1:0]            killed,
    // bus
    input  wire [1:0]                  fe_number,
    input  wire [1:0]                  bus_class,
    input  wire                        bus_ready,
    output wire                        bus_valid,
    output wire [63:0]                 bus_word,
    output wire [15:0]                 bus_tag
);
`include "totem_dc_values.vh"
    generate
        if (PIPES < 1 || PIPES > 2 || SE_COUNT < 1 || SE_COUNT > 4 || QUEUES < 1 || QUEUES > 8 || EPOCHS < 1 ||
            EPOCHS > 8 || SLOTS < 1 || SLOTS > 64 || VGPRS < 1 || VGPRS > 2048 || LDS < 1 || LDS > 512 ||
            SET_BITS > 4) begin : check
            totem_dc_needs_PIPES_1_or_2_SE_COUNT_1_to_4_QUEUES_and_EPOCHS_to_8_and_sizes_of_issue refused ();
        end
    endgenerate

    localparam PLACES = PIPES*SE_COUNT;     // index pipe*SE_COUNT + engine

    localparam [6:0] PATIENCE   = 7'd64;    // clocks without room until a group is called back

    reg [PLACES*3-1:0] presented_q, presented_d;
    reg [PLACES*8-1:0] used_q, used_d;
    reg [PLACES-1:0]   buffer_q, buffer_d;
    reg [PLACES-1:0]   header_sent_q, header_sent_d;
    reg [PLACES-1:0]   recalled_q, recalled_d;
    reg [PLACES*2-1:0] told_q, told_d;
    reg [PLACES*7-1:0] shorts_q, shorts_d;
    reg [PIPES-1:0]    moved_q, moved_d;
    reg [PIPES*13-1:0] total_q, total_d;
    reg                served_q, served_d;
    reg [1:0]          last_q, last_d;
    reg                stream_valid_q, stream_valid_d;
    reg                stream_pipe_q, stream_pipe_d;
    reg [1:0]          stream_engine_q, stream_engine_d;
    reg [4:0]          stream_step_q, stream_step_d;
    reg                stream_scratch_q, stream_scratch_d;
    reg [2:0]          stream_partial_q, stream_partial_d;
    reg                stale_q, stale_d;
    reg                bus_valid_q, bus_valid_d;
    reg [63:0]         bus_word_q, bus_word_d;
    reg [15:0]         bus_tag_q, bus_tag_d;
    reg [PIPES-1:0]    take_q, take_d;
    reg [1:0]          take_engine_q, take_engine_d;
    reg [PIPES-1:0]    killed_q, killed_d;

    localparam LAST_PIPE   = PIPES - 1;
    localparam [SE_COUNT-1:0] ONE = 1;
    localparam LAST_ENGINE = SE_COUNT - 1;

    // Registers that reset leaves alone read 0 at start, as in the model.
    initial begin
        stream_partial_q = 3'd0;
        bus_word_q       = 64'd0;
        bus_tag_q        = 16'd0;
    end

    assign killed      = killed_q;
    assign take        = take_q;
    assign take_engine = take_engine_q;
    assign bus_valid   = bus_valid_q;
    assign bus_word    = bus_word_q;
    assign bus_tag     = bus_tag_q;

    wire [PLACES*3-1:0]    held;
    wire [PLACES-1:0]      open;
    wire [PLACES-1:0]      lacking;
    wire [PIPES-1:0]       some;            // an engine is possible
    wire [PIPES*2-1:0]     best;            // engine for a group of the pipe, if there is some
    wire [PLACES-1:0]      better;
    wire [PLACES-1:0]      untold;
    wire [PIPES-1:0]       quiet;
    wire [PIPES-1:0]       ready;

    totem_dc_engines #(.PIPES(PIPES), .SE_COUNT(SE_COUNT)) engines (
        .presented(presented_q), .used(used_q), .buffer(buffer_q), .header_sent(header_sent_q), .total(total_q),
        .last(last_q), .walker_room(walker_room), .dispatch_waves(dispatch_waves),
        .arbiter_pipe_priority(arbiter_pipe_priority), .bank_lds(bank_lds), .bank_engines(bank_engines),
        .issue_free_slots(issue_free_slots), .issue_free_vgprs_left(issue_free_vgprs_left),
        .issue_free_lds_left(issue_free_lds_left), .grant_valid(grant_valid), .answer_valid(answer_valid),
        .answer_count(answer_count), .held(held), .open(open), .lacking(lacking), .some(some), .best(best)
    );

    // The state word of the step before, where the stream has waited: the RAMs read it again.
    wire       blocked   = bus_valid_q && !bus_ready;
    wire       turned    = bus_tag_q[13:11] == WORD_PRIORITY && (bus_valid_q || stream_valid_q);
    wire [4:0] read_step = stream_step_q - {4'd0, stale_q};

    genvar p, s;
    generate
        for (p = 0; p < PIPES; p = p + 1) begin : g_pipe
            for (s = 0; s < SE_COUNT; s = s + 1) begin : g_better
                localparam I = p*SE_COUNT + s;
                assign untold[I] = held[I*3 +: 3] != 3'd0 && quiet[p] && !recalled_q[I] &&
                                   told_q[I*2 +: 2] != arbiter_pipe_priority[p*2 +: 2];
                assign better[I] = shorts_q[I*7 +: 7] == PATIENCE && quiet[p] && !moved_q[p] &&
                                   !(|recalled_q[p*SE_COUNT +: SE_COUNT]) &&
                                   |(open[p*SE_COUNT +: SE_COUNT] & ~(ONE << s));
            end
            assign quiet[p] = !packet_stop[p] && !packet_start[p];
            assign ready[p] = walker_group_valid[p] && quiet[p] && !take_q[p] &&
                              !(|recalled_q[p*SE_COUNT +: SE_COUNT]) && some[p];
            assign state_read_enable[p]      = stream_valid_q && stream_pipe_q == p;
            assign state_read_addr[p*4 +: 4] = (read_step == STREAM_TABLE) ? 4'd10 + {2'd0, stream_partial_q[2:1]} :
                read_step[3:0] - {3'd0, stream_scratch_q};
        end
    endgenerate

    // Whose turn it is: the streamed header's, else the better ready pipe's.
    wire       stream_pipe = (PIPES > 1) && stream_pipe_q;
    wire       second      = (PIPES > 1) && ready[PIPES-1] &&
                             (!ready[0] || arbiter_pipe_priority[(PIPES-1)*2 +: 2] > arbiter_pipe_priority[1:0] ||
                              (arbiter_pipe_priority[(PIPES-1)*2 +: 2] == arbiter_pipe_priority[1:0] && !served_q));
    wire       pipe        = stream_valid_q ? stream_pipe : second;
    wire [1:0] engine      = stream_valid_q ? stream_engine_q : best[pipe*2 +: 2];
    wire [2:0] place       = (pipe ? SE_COUNT[2:0] : 3'd0) + {1'b0, engine};
    wire       sent        = header_sent_q[place*1 +: 1];
    wire       finishing   = stream_valid_q && stream_step_q >= STREAM_TABLE;      // its group is presented
    wire       buffer      = buffer_q[place*1 +: 1] ^ (stream_valid_q ? !finishing : !sent);

    // The partial group: threads from the table, cut into waves.
    wire [31:0] word_low      = state_low_data[pipe*32 +: 32];
    wire [31:0] word_high     = state_high_data[pipe*32 +: 32];
    wire [12:0] table_threads = stream_partial_q[0] ? word_high[12:0] : word_low[12:0];
    wire [12:0] table_last    = table_threads - 13'd1;
    wire        narrow        = dispatch_wave32[pipe*1 +: 1];
    wire [13:0] table_up      = {1'b0, table_threads} + (narrow ? 14'd31 : 14'd63);
    wire [6:0]  table_waves   = narrow ? table_up[11:5] : table_up[12:6];
    wire [6:0]  table_rest    = {1'b0, table_last[5] && !narrow, table_last[4:0]} + 7'd1;

    wire unused = &{1'b0, word_high[31:13], word_low[31:13], table_up[13], table_up[4:0], table_last[12:6]};

    wire [2:0] partial     = walker_group_partial[pipe*3 +: 3];

    integer    n, e, b;
    reg [PIPES-1:0] kills;          // words that wait
    reg        kill_pipe;           // pipe of the first of them
    reg        tells;               // a new pipe priority
    reg        tell_pipe;
    reg [1:0]  tell_engine;
    reg [2:0]  tell_place;
    reg        recall;
    reg        calls;               // what is recalled is called back to another engine
    reg        recall_pipe;
    reg [1:0]  recall_engine;
    reg [2:0]  recall_place;
    reg        present;             // the group of pipe goes to engine with buffer
    reg        send;
    reg [2:0]  kind;
    reg [63:0] payload;
    reg        tag_pipe;
    reg [1:0]  tag_engine;
    reg [3:0]  less;

    always @* begin
        // 2 Notices
        presented_d     = held;
        used_d          = used_q;
        buffer_d        = buffer_q;
        header_sent_d   = header_sent_q;
        recalled_d      = recalled_q & ~answer_valid;
        told_d          = told_q;
        shorts_d        = {PLACES*7{1'b0}};
        moved_d         = moved_q;
        total_d         = total_q;
        served_d        = served_q;
        last_d          = last_q;
        stream_valid_d  = stream_valid_q;
        stream_pipe_d   = stream_pipe_q;
        stream_engine_d = stream_engine_q;
        stream_step_d   = stream_step_q;
        stream_scratch_d = stream_scratch_q;
        stream_partial_d = stream_partial_q;
        bus_word_d      = bus_word_q;
        bus_tag_d       = bus_tag_q;
        take_d          = {PIPES{1'b0}};
        take_engine_d   = take_engine_q;
        killed_d        = {PIPES{1'b0}};

        // 2 Notices, continued
        for (n = 0; n < PIPES; n = n + 1) begin
            total_d[n*13 +: 13] = {6'd0, dispatch_waves[n*7 +: 7]} * {6'd0, bank_vgprs[n*7 +: 7]};
            if (|grant_valid[n*SE_COUNT +: SE_COUNT])
                moved_d[n] = 1'b0;
            for (e = 0; e < SE_COUNT; e = e + 1)
                if (lacking[n*SE_COUNT + e] && !grant_valid[n*SE_COUNT + e])
                    shorts_d[(n*SE_COUNT + e)*7 +: 7] = shorts_q[(n*SE_COUNT + e)*7 +: 7] +
                                                        {6'd0, shorts_q[(n*SE_COUNT + e)*7 +: 7] != PATIENCE};
            for (e = 0; e < SE_COUNT; e = e + 1)
                for (b = 0; b < 2; b = b + 1) begin
                    less = {3'd0, release_valid[n*SE_COUNT + e] && release_buffer[e] == b[0]};
                    if (answer_valid[n*SE_COUNT + e] && buffer_q[n*SE_COUNT + e] == b[0])
                        less = less + {1'b0, answer_count[e*3 +: 3]};
                    used_d[(n*SE_COUNT + e)*8 + b*4 +: 4] = (used_q[(n*SE_COUNT + e)*8 + b*4 +: 4] < less) ? 4'd0 :
                                                            used_q[(n*SE_COUNT + e)*8 + b*4 +: 4] - less;
                end
        end

        // From the last to the first, so that the first stays.
        // 3 Priority
        tells       = 1'b0;
        tell_pipe   = 1'b0;
        tell_engine = 2'd0;
        for (n = PIPES - 1; n >= 0; n = n - 1)
            for (e = SE_COUNT - 1; e >= 0; e = e - 1)
                if (untold[n*SE_COUNT + e]) begin
                    tells       = !turned;
                    tell_pipe   = n[0];
                    tell_engine = e[1:0];
                end
        tell_place = (tell_pipe ? SE_COUNT[2:0] : 3'd0) + {1'b0, tell_engine};

        recall        = 1'b0;
        calls         = 1'b0;
        recall_pipe   = 1'b0;
        recall_engine = 2'd0;
        // 6 Call back
        for (n = PIPES - 1; n >= 0; n = n - 1)
            for (e = SE_COUNT - 1; e >= 0; e = e - 1)
                if (better[n*SE_COUNT + e]) begin
                    recall        = 1'b1;
                    calls         = 1'b1;
                    recall_pipe   = n[0];
                    recall_engine = e[1:0];
                end
        // 5 Recall
        for (n = PIPES - 1; n >= 0; n = n - 1)
            for (e = SE_COUNT - 1; e >= 0; e = e - 1)
                if (packet_stop[n] && walker_outstanding[n*SE_COUNT + e] && !recalled_q[n*SE_COUNT + e]) begin
                    recall        = 1'b1;
                    calls         = 1'b0;
                    recall_pipe   = n[0];
                    recall_engine = e[1:0];
                end
        recall_place = (recall_pipe ? SE_COUNT[2:0] : 3'd0) + {1'b0, recall_engine};

        // 7 Kill
        kills     = kill_word_valid & ~killed_q;
        kill_pipe = (PIPES > 1) && !kills[0];

        send       = 1'b0;
        present    = 1'b0;
        kind       = WORD_GROUP;
        payload    = walker_group[pipe*64 +: 64];
        tag_pipe   = pipe;
        tag_engine = engine;
        // 1 Bus
        stale_d    = stream_valid_q && (blocked || tells);
        if (blocked)
            send = 1'b0;
        else if (tells) begin
            send       = 1'b1;
            kind       = WORD_PRIORITY;
            payload    = 64'd0;
            tag_pipe   = tell_pipe;
            tag_engine = tell_engine;
            told_d[tell_place*2 +: 2] = arbiter_pipe_priority[tell_pipe*2 +: 2];
        end else if (stale_q && stream_valid_q)
            send = 1'b0;
        else if (stream_valid_q) begin
            // 4 Stream
            stream_step_d = stream_step_q + 5'd1;
            if (stream_step_q == STREAM_TABLE)
                send = 1'b0;
            else if (finishing) begin
                stream_valid_d = 1'b0;
                stream_step_d  = stream_step_q;
                send           = 1'b1;
                kind           = WORD_PARTIAL;
                payload        = {50'd0, table_rest, table_waves};
            end else if (!quiet[pipe*1 +: 1]) begin
                // What this header was for is recalled or over; without a group it has no effect.
                stream_valid_d = 1'b0;
                stream_step_d  = stream_step_q;
            end else if (stream_step_q == STREAM_HEADER_B) begin
                send    = 1'b1;
                kind    = WORD_HEADER_B;
                payload = {36'd0, {(4-SET_BITS){1'b0}}, dispatch_set[pipe*SET_BITS +: SET_BITS],
                           bank_words[pipe*4 +: 4], {(3-EPOCH_BITS){1'b0}},
                           dispatch_epoch[pipe*EPOCH_BITS +: EPOCH_BITS],
                           {(3-QUEUE_BITS){1'b0}}, dispatch_queue[pipe*QUEUE_BITS +: QUEUE_BITS],
                           dispatch_threads[pipe*7 +: 7], dispatch_waves[pipe*7 +: 7]};
            end else if (stream_step_q <= {1'b0, bank_words[pipe*4 +: 4]}) begin
                send    = 1'b1;
                kind    = WORD_STATE;
                payload = {word_high, word_low};
            end else begin
                stream_valid_d = 1'b0;
                stream_step_d  = stream_step_q;
                present        = walker_group_valid[pipe*1 +: 1];
            end
        end else if (recall) begin
            send       = 1'b1;
            kind       = WORD_RECALL;
            payload    = {63'd0, calls ? RECALL_ELSEWHERE : RECALL_STOP};
            tag_pipe   = recall_pipe;
            tag_engine = recall_engine;
            recalled_d[recall_place*1 +: 1] = 1'b1;
            if (calls)
                moved_d[recall_pipe*1 +: 1] = 1'b1;
        end else if (|kills) begin
            send            = 1'b1;
            kind            = WORD_KILL;
            payload         = 64'd0;
            payload[8 +: EPOCHS]     = kill_word_epochs[kill_pipe*EPOCHS +: EPOCHS];
            payload[0 +: QUEUE_BITS] = kill_word_queue[kill_pipe*QUEUE_BITS +: QUEUE_BITS];
            tag_pipe        = kill_pipe;
            tag_engine      = kill_word_engine[kill_pipe*2 +: 2];
            killed_d[kill_pipe*1 +: 1] = 1'b1;
        end else if (|ready) begin
            // 8 Group
            present = sent;
            if (!sent) begin
                send            = 1'b1;
                kind            = WORD_HEADER_A;
                payload         = {bank_scratch[pipe*1 +: 1], dispatch_invalidate[pipe*6 +: 6],
                                   dispatch_wave32[pipe*1 +: 1], bank_lds[pipe*9 +: 9], bank_vgprs[pipe*7 +: 7],
                                   bank_program_addr[pipe*40 +: 40]};
                stream_valid_d  = 1'b1;
                stream_pipe_d   = pipe;
                stream_engine_d = engine;
                stream_step_d   = STREAM_HEADER_B;
                stream_scratch_d = bank_scratch[pipe*1 +: 1];
            end
        end

        if (present) begin
            send                            = 1'b1;
            take_d[pipe*1 +: 1]             = 1'b1;
            take_engine_d                   = engine;
            served_d                        = pipe;
            last_d                          = engine;
            header_sent_d[place*1 +: 1]     = 1'b1;
            buffer_d[place*1 +: 1]          = buffer;
            told_d[place*2 +: 2]            = arbiter_pipe_priority[pipe*2 +: 2];
            // 9 Partial group
            if (partial != 3'd0) begin
                stream_valid_d   = 1'b1;
                stream_pipe_d    = pipe;
                stream_engine_d  = engine;
                stream_step_d    = STREAM_TABLE;
                stream_partial_d = partial;
            end
            presented_d[place*3 +: 3]       = presented_d[place*3 +: 3] + 3'd1;
            used_d[place*8 + buffer*4 +: 4] = used_d[place*8 + buffer*4 +: 4] + 4'd1;
        end

        // 1 Bus, continued
        bus_valid_d = send || blocked;
        if (send) begin
            bus_word_d = payload;
            bus_tag_d  = {present && partial != 3'd0, buffer && kind < WORD_RECALL, kind,
                          (kind == WORD_GROUP || kind == WORD_PRIORITY) ? arbiter_pipe_priority[tag_pipe*2 +: 2] : 2'd0,
                          tag_pipe,
                          bus_class, tag_engine, fe_number, 2'd0};
        end

        // 10 New dispatch
        for (n = 0; n < PIPES; n = n + 1)
            if (packet_start[n])
                header_sent_d[n*SE_COUNT +: SE_COUNT] = {SE_COUNT{1'b0}};
    end

    always @(posedge clk) begin
        presented_q     <= presented_d;
        used_q          <= used_d;
        buffer_q        <= buffer_d;
        header_sent_q   <= header_sent_d;
        recalled_q      <= recalled_d;
        told_q          <= told_d;
        shorts_q        <= shorts_d;
        moved_q         <= moved_d;
        total_q         <= total_d;
        served_q        <= served_d;
        last_q          <= last_d;
        stream_valid_q  <= stream_valid_d;
        stream_pipe_q   <= stream_pipe_d;
        stream_engine_q <= stream_engine_d;
        stream_step_q   <= stream_step_d;
        stream_scratch_q <= stream_scratch_d;
        stream_partial_q <= stream_partial_d;
        stale_q         <= stale_d;
        bus_valid_q     <= bus_valid_d;
        bus_word_q      <= bus_word_d;
        bus_tag_q       <= bus_tag_d;
        take_q          <= take_d;
        take_engine_q   <= take_engine_d;
        killed_q        <= killed_d;
        if (rst) begin
            presented_q     <= {PLACES*3{1'b0}};
            used_q          <= {PLACES*8{1'b0}};
            buffer_q        <= {PLACES{1'b0}};
            header_sent_q   <= {PLACES{1'b0}};
            recalled_q      <= {PLACES{1'b0}};
            told_q          <= {PLACES*2{1'b0}};
            shorts_q        <= {PLACES*7{1'b0}};
            moved_q         <= {PIPES{1'b0}};
            total_q         <= {PIPES*13{1'b0}};
            served_q        <= LAST_PIPE[0];
            last_q          <= LAST_ENGINE[1:0];
            stream_valid_q  <= 1'b0;
            stream_pipe_q   <= 1'b0;
            stream_engine_q <= 2'd0;
            stream_step_q   <= STREAM_HEADER_B;
            stream_scratch_q <= 1'b0;
            stale_q         <= 1'b0;
            bus_valid_q     <= 1'b0;
            take_q          <= {PIPES{1'b0}};
            take_engine_q   <= 2'd0;
            killed_q        <= {PIPES{1'b0}};
        end
    end

    // formal: configs=full,board,pole
    // formal: params=PIPES=2,SE_COUNT=2 configs=mini
`ifdef FORMAL
`include "totem_dc_properties.vh"
`endif
endmodule

`default_nettype wire
