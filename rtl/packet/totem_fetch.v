// SPDX-License-Identifier: Apache-2.0
//
// totem_fetch: lines, pointers and dword delivery of the queues of a pipe.
//
// Policy    every queue has 64 dwords on chip at most: the 128-byte block of its position and the one behind it. A
//           queue that is not running gets its block, and at least 16 dwords, one burst at a time, higher
//           priority first, equal ones in turn; the running queue comes before them, but not twice in succession while
//           another waits. Read pointers move only by commits and are reported when a queue becomes empty, at a switch
//           and per block.
// Latency   go to first dword 3 clocks, then one dword per clock; doorbell to read request 3 clocks.
// Boundary  a burst stays inside 128 bytes (invariant 1), the ring and the write pointer. Dropped lines: bursts on
//           their way are marked dead and their beats thrown away. A beat that failed ends what is on chip with its error.
// Cost      about 215 flip-flops per queue and 370 for the rest; every queue has its own adders,
//           so that all are looked at in every clock. Lines live in a RAM of QUEUES*32 x 64 (MEETS 1).
// Twin      cmodel/packet/totem_fetch.c, same names.

`default_nettype none
`include "totem_pm4.vh"

module totem_fetch #(
    parameter QUEUES = 8,                   // 2, 4 or 8
    parameter QUEUE_BITS = $clog2(QUEUES)   // follows from QUEUES, not to be set
) (
    input  wire                  clk,
    input  wire                  rst,
    // load bus
    input  wire                  load_valid,
    input  wire [QUEUE_BITS-1:0] load_queue,
    input  wire [4:0]            load_kind,
    input  wire [39:0]           load_data,
    // arbiter
    input  wire                  arbiter_go,
    input  wire [QUEUE_BITS-1:0] arbiter_selected,
    input  wire [QUEUES-1:0]     arbiter_active,
    input  wire [QUEUES*4-1:0]   arbiter_queue_priority,
    // settings
    input  wire                  settings_mqd_save,
    // packet
    output wire                  dword_valid,
    output wire [31:0]           dword_data,
    output wire [1:0]            dword_error,
    input  wire                  packet_dword_ready,
    output wire [31:0]           available,
    output wire                  in_buffer,
    output wire [39:0]           position,
    output wire [39:0]           fault_position,
    input  wire                  packet_commit,
    input  wire [14:0]           packet_commit_count,
    input  wire                  packet_drop,
    input  wire                  packet_open,
    input  wire [39:0]           packet_open_addr,
    input  wire [19:0]           packet_open_size,
    input  wire                  packet_left,
    // queues
    output wire [QUEUES-1:0]     pending,
    output wire [QUEUES-1:0]     line,
    output wire [QUEUES*32-1:0]  rptr,
    output wire [QUEUES*32-1:0]  wptr,
    output wire [QUEUES-1:0]     buffer,
    output wire [QUEUES*38-1:0]  buffer_addr,
    output wire [QUEUES*20-1:0]  buffer_left,
    // lines
    output wire                  line_write_enable,
    output wire [QUEUE_BITS+4:0] line_write_addr,
    output wire [63:0]           line_write_data,
    output wire                  line_read_enable,
    output wire [QUEUE_BITS+4:0] line_read_addr,
    input  wire [63:0]           line_read_data,
    // memory
    output wire                  read_valid,
    output wire [39:0]           read_addr,
    output wire [4:0]            read_beats,
    input  wire                  read_ready,
    input  wire                  data_valid,
    input  wire [63:0]           data_word,
    input  wire                  data_last,
    input  wire [1:0]            data_error,
    output wire                  write_valid,
    output wire [63:0]           write_word,
    input  wire                  write_ready,
    input  wire                  write_ack,
    input  wire [1:0]            ack_error,
    output wire                  halt,
    output wire [QUEUE_BITS-1:0] halt_queue,
    output wire                  error_valid,
    output wire [63:0]           error_word,
    input  wire                  events_error_ready,
    // hqd, pipe
    input  wire                  hqd_offer_valid,
    input  wire [QUEUE_BITS-1:0] hqd_offer_queue,
    input  wire [31:0]           hqd_offer_wptr,
    output wire                  offer_fits,
    output wire [QUEUES-1:0]     reporting,
    output wire                  busy
);
`include "totem_hqd_values.vh"
`include "totem_memory_values.vh"
`include "totem_fetch_values.vh"
    localparam Q = QUEUE_BITS;

    generate
        if (QUEUES != 2 && QUEUES != 4 && QUEUES != 8) begin : check
            totem_fetch_needs_QUEUES_2_4_or_8 refused ();
        end
    endgenerate

    // pointers
    reg [QUEUES*32-1:0] base_q, base_d;
    reg [QUEUES*5-1:0]  size_q, size_d;
    reg [QUEUES*5-1:0]  block_q, block_d;
    reg [QUEUES-1:0]    quiet_q, quiet_d;
    reg [QUEUES*32-1:0] rptr_q, rptr_d;
    reg [QUEUES*32-1:0] wptr_q, wptr_d;
    reg [QUEUES-1:0]    buffer_q, buffer_d;
    reg [QUEUES*38-1:0] buffer_addr_q, buffer_addr_d;
    reg [QUEUES*20-1:0] buffer_left_q, buffer_left_d;
    reg [QUEUES*7-1:0]  have_q, have_d;
    reg [QUEUES*2-1:0]  fault_q, fault_d;
    reg [QUEUES*38-1:0] report_addr_q, report_addr_d;
    reg [QUEUES-1:0]    report_due_q, report_due_d;
    // delivery
    reg                 running_q, running_d;
    reg [Q-1:0]         queue_q, queue_d;
    reg [14:0]          given_q, given_d;
    reg [14:0]          slid_q, slid_d;
    reg [1:0]           out_count_q, out_count_d;
    reg [95:0]          out_data_q, out_data_d;
    reg [5:0]           out_error_q, out_error_d;
    reg                 reading_q, reading_d;
    reg                 reading_high_q, reading_high_d;
    reg [1:0]           reading_error_q, reading_error_d;
    // bursts
    reg                 pick_valid_q, pick_valid_d;
    reg [Q-1:0]         pick_q, pick_d;
    reg                 turn_q, turn_d;
    reg [Q-1:0]         last_q, last_d;
    reg                 read_valid_q, read_valid_d;
    reg [36:0]          read_addr_q, read_addr_d;
    reg [4:0]           read_beats_q, read_beats_d;
    reg [1:0]           burst_count_q, burst_count_d;
    reg [2*Q-1:0]       burst_queue_q, burst_queue_d;
    reg [1:0]           burst_live_q, burst_live_d;
    reg [11:0]          burst_index_q, burst_index_d;
    reg [11:0]          burst_dwords_q, burst_dwords_d;
    reg                 land_valid_q, land_valid_d;
    reg [Q-1:0]         land_queue_q, land_queue_d;
    reg [1:0]           land_count_q, land_count_d;
    reg [1:0]           land_error_q, land_error_d;
    reg [4:0]           land_word_q, land_word_d;
    reg [63:0]          land_data_q, land_data_d;
    // reports
    reg [2:0]           report_state_q, report_state_d;
    reg [Q-1:0]         report_queue_q, report_queue_d;
    reg [37:0]          report_to_q, report_to_d;
    reg [31:0]          report_value_q, report_value_d;
    reg                 report_live_q, report_live_d;
    reg [1:0]           report_error_q, report_error_d;
    reg                 halt_q, halt_d;
    // a write pointer that is asked about
    reg [Q-1:0]         offer_queue_q, offer_queue_d;
    reg [31:0]          offer_wptr_q, offer_wptr_d;

    // Registers that reset leaves alone read 0 at start, as in the model.
    initial begin
        base_q = 0; size_q = 0; block_q = 0; quiet_q = 0; rptr_q = 0; wptr_q = 0;
        buffer_q = 0; buffer_addr_q = 0; buffer_left_q = 0; have_q = 0; fault_q = 0; report_addr_q = 0;
        report_due_q = 0;
        running_q = 0; queue_q = 0; given_q = 0; slid_q = 0; out_count_q = 0; out_data_q = 0; out_error_q = 0;
        reading_q = 0; reading_high_q = 0; reading_error_q = 0;
        pick_valid_q = 0; pick_q = 0; turn_q = 0; last_q = 0; read_valid_q = 0; read_addr_q = 0; read_beats_q = 0;
        burst_count_q = 0; burst_queue_q = 0; burst_live_q = 0; burst_index_q = 0; burst_dwords_q = 0;
        land_valid_q = 0; land_queue_q = 0; land_count_q = 0; land_error_q = 0; land_word_q = 0; land_data_q = 0;
        report_state_q = 0; report_queue_q = 0; report_to_q = 0; report_value_q = 0; report_live_q = 0;
        report_error_q = 0; halt_q = 0;
        offer_queue_q = 0; offer_wptr_q = 0;
    end

    // One record of 256 bits per queue, so that a queue is looked up once for all its fields.
    wire [QUEUES*256-1:0] record;
    wire [255:0] run  = record[{queue_q, 8'd0} +: 256];
    wire [255:0] look = record[{pick_q, 8'd0} +: 256];
    wire [QUEUES-1:0]     wants;

    // The running queue.
    wire [31:0] run_rptr   = run[31:0];
    wire [31:0] run_wptr   = run[63:32];
    wire [37:0] run_addr   = run[101:64];
    wire [19:0] run_left   = run[121:102];
    wire [6:0]  run_have   = run[128:122];
    wire [1:0]  run_fault  = run[130:129];
    wire [4:0]  run_block  = run[135:131];
    wire [4:0]  run_start  = run[200:196];
    wire [4:0]  run_size   = run[214:210];
    wire        reports = run[215];
    wire        run_buffer = run[216];
    wire [31:0] ring_mask  = (32'd2 << run_size) - 32'd1;
    wire [37:0] run_ring   = {run[248:217], 6'd0} + {6'd0, run_rptr & ring_mask};
    // The first dword not asked for; none is behind one that failed.
    wire [37:0] run_missing = {run[248:217], 6'd0} + {6'd0, run[195:164] & ring_mask};
    // Delivery: the next dword to be read lies `depth` behind the first one on chip.
    wire [15:0] place      = {1'b0, given_q} + {14'd0, out_count_q} + {15'd0, reading_q};
    wire        place_room = running_q && {1'b0, out_count_q} + {2'b00, reading_q} < 3'd3 && place >= {1'b0, slid_q};
    wire [15:0] depth      = place - {1'b0, slid_q};
    wire        read_dword = place_room && depth < {9'd0, run_have};
    wire        read_fault = place_room && depth >= {9'd0, run_have} && run_fault != MEMORY_OK;
    wire [5:0]  place_index = run_buffer ? run_addr[5:0] + place[5:0] :
                              (run_rptr[5:0] + place[5:0]) & ring_mask[5:0];

    assign dword_valid       = out_count_q != 2'd0;
    assign dword_data        = out_data_q[31:0];
    assign dword_error       = out_error_q[1:0];
    assign available         = run_buffer ? {12'd0, run_left} : run_wptr - run_rptr;
    assign in_buffer         = run_buffer;
    assign position          = {run_buffer ? run_addr : run_ring, 2'b00};
    assign fault_position    = {run_buffer ? run_addr + {21'd0, run[152:136]} : run_missing, 2'b00};
    assign rptr              = rptr_q;
    assign wptr              = wptr_q;
    assign buffer      = buffer_q;
    assign buffer_addr = buffer_addr_q;
    assign buffer_left = buffer_left_q;
    assign line_write_enable = land_valid_q && land_error_q == MEMORY_OK;
    assign line_write_addr   = {land_queue_q, land_word_q};
    assign line_write_data   = land_data_q;
    assign line_read_enable  = read_dword;
    assign line_read_addr    = {queue_q, place_index[5:1]};
    assign read_valid        = read_valid_q;
    assign read_addr         = {read_addr_q, 3'b000};
    assign read_beats        = read_beats_q;
    assign halt              = halt_q;
    assign halt_queue        = report_queue_q;
    assign reporting         = report_due_q | ({{QUEUES-1{1'b0}}, report_state_q != REPORT_NONE} << report_queue_q);
    assign busy              = |reporting;

    // How far the offered and the present write pointer are ahead of the read pointer, in a ring of 2 << size dwords.
    wire [63:0] offer      = record[{offer_queue_q, 8'd0} +: 64];
    wire [31:0] offer_ring = 32'd2 << size_q[offer_queue_q*5 +: 5];
    wire [31:0] offer_lead = offer_wptr_q - offer[31:0];
    assign offer_fits      = offer_lead <= offer_ring && offer_lead >= offer[63:32] - offer[31:0];

    // The terms of every queue, and its record.
    genvar g;
    generate
        for (g = 0; g < QUEUES; g = g + 1) begin : status
            wire        first  = burst_live_q[0] && burst_queue_q[0 +: Q] == g[Q-1:0];
            wire        second = burst_live_q[1] && burst_queue_q[Q +: Q] == g[Q-1:0];
            wire [4:0]  start;
            wire [8:0]  held;
            wire [16:0] ahead;
            wire [31:0] next;
            totem_fetch_queue terms (
                .mine(running_q && queue_q == g[Q-1:0]), .slid(slid_q),
                .fetches(!settings_mqd_save && arbiter_active[g]), .size(size_q[g*5 +: 5]),
                .rptr(rptr_q[g*32 +: 32]), .wptr(wptr_q[g*32 +: 32]), .buffer(buffer_q[g]),
                .buffer_place(buffer_addr_q[g*38 +: 5]), .buffer_left(buffer_left_q[g*20 +: 20]),
                .have(have_q[g*7 +: 7]), .fault(fault_q[g*2 +: 2]),
                .lands(land_valid_q && land_queue_q == g[Q-1:0]), .land_count(land_count_q), .land_error(land_error_q),
                .burst_first(first ? burst_dwords_q[5:0] : 6'd0), .burst_second(second ? burst_dwords_q[11:6] : 6'd0),
                .start(start), .held(held), .ahead(ahead), .next(next),
                .wants(wants[g]), .pending(pending[g]), .line(line[g])
            );
            assign record[g*256 +: 256] = {7'd0, base_q[g*32 +: 32], buffer_q[g],
                                           report_addr_q[g*38 +: 38] != 38'd0 && !quiet_q[g],
                                           size_q[g*5 +: 5], held, start, next, 11'd0,
                                           ahead, block_q[g*5 +: 5], fault_q[g*2 +: 2], have_q[g*7 +: 7],
                                           buffer_left_q[g*20 +: 20], buffer_addr_q[g*38 +: 38], wptr_q[g*32 +: 32],
                                           rptr_q[g*32 +: 32]};
        end
    endgenerate

    wire         candidate_valid;
    wire [Q-1:0] candidate;
    totem_fetch_candidate #(.QUEUES(QUEUES)) choice (
        .wants(wants), .queue_priority(arbiter_queue_priority), .running(running_q), .own_queue(queue_q), .turn(turn_q),
        .served(last_q), .pick_valid(candidate_valid), .pick(candidate)
    );

    wire         look_run = running_q && pick_q == queue_q;
    wire [37:0]  look_addr;
    wire [5:0]   look_dwords;
    wire [4:0]   look_beats;
    totem_fetch_burst burst (
        .buffer(look[216]), .buffer_addr(look[101:64]), .buffer_left(look[121:102]), .base(look[248:217]),
        .size(look[214:210]), .wptr(look[63:32]), .start(look[200:196]), .held(look[209:201]), .ahead(look[152:136]),
        .next(look[195:164]), .address(look_addr), .dwords(look_dwords), .beats(look_beats)
    );

    wire [2:0]        next_report;
    wire [Q-1:0]      next_report_queue;
    wire [37:0]       next_report_to;
    wire [31:0]       next_report_value;
    wire              next_report_live, report_halts;
    wire [1:0]        next_report_error;
    wire [QUEUES-1:0] report_begun;
    totem_fetch_report #(.QUEUES(QUEUES)) report (
        .due(report_due_q), .addresses(report_addr_q), .pointers(rptr_q), .active(arbiter_active),
        .write_ready(write_ready), .write_ack(write_ack), .ack_error(ack_error), .error_ready(events_error_ready),
        .report_state_q(report_state_q), .report_queue_q(report_queue_q), .report_to_q(report_to_q),
        .report_value_q(report_value_q), .report_live_q(report_live_q), .report_error_q(report_error_q),
        .report_state_d(next_report), .report_queue_d(next_report_queue), .report_to_d(next_report_to),
        .report_value_d(next_report_value), .report_live_d(next_report_live), .report_error_d(next_report_error),
        .halt(report_halts), .begun(report_begun),
        .write_valid(write_valid), .write_word(write_word), .error_valid(error_valid), .error_word(error_word)
    );

    // Beat.
    wire [1:0]          beat_most  = burst_index_q[0] ? 2'd1 : 2'd2;
    wire [1:0]          beat_taken = (burst_dwords_q[5:0] < {4'd0, beat_most}) ? burst_dwords_q[1:0] : beat_most;
    wire [Q-1:0]        beat_queue = burst_queue_q[Q-1:0];
    wire [4:0]          beat_word  = burst_index_q[5:1] + 5'd1;
    // Commit.
    wire                commit     = packet_commit && running_q;
    wire [14:0]         over       = (packet_commit_count > slid_q) ? packet_commit_count - slid_q : 15'd0;
    wire                ends       = run_buffer && {5'd0, packet_commit_count} >= run_left;
    wire [31:0]         moved      = run_rptr + {17'd0, packet_commit_count};
    wire                transfer   = dword_valid && packet_dword_ready;
    wire                sliding    = running_q && !packet_commit && given_q >= slid_q && given_q - slid_q >= 15'd33 &&
                                     run_have >= 7'd33;
    wire [63:0]         load_record = record[{load_queue, 8'd0} +: 64];
    wire                load_behind = load_data[31:0] - load_record[31:0] < load_record[63:32] - load_record[31:0];
    reg [6:0]           commit_have;
    reg                 restart;
    reg [1:0]           out_place;
    reg [QUEUES-1:0]    drop;
    reg                 now_buffer;
    integer             i;

    always @* begin
        base_d          = base_q;
        size_d          = size_q;
        block_d         = block_q;
        quiet_d         = quiet_q;
        rptr_d          = rptr_q;
        wptr_d          = wptr_q;
        buffer_d        = buffer_q;
        buffer_addr_d   = buffer_addr_q;
        buffer_left_d   = buffer_left_q;
        have_d          = have_q;
        fault_d         = fault_q;
        report_addr_d   = report_addr_q;
        report_due_d    = report_due_q & ~report_begun;
        running_d       = running_q;
        queue_d         = queue_q;
        given_d         = given_q;
        slid_d          = slid_q;
        out_count_d     = out_count_q;
        out_data_d      = out_data_q;
        out_error_d     = out_error_q;
        reading_d       = read_dword || read_fault;
        reading_high_d  = reading_high_q;
        reading_error_d = reading_error_q;
        pick_valid_d    = candidate_valid;
        pick_d          = candidate_valid ? candidate : pick_q;
        turn_d          = turn_q;
        last_d          = last_q;
        // 4 Request taken
        read_valid_d    = read_valid_q && !read_ready;
        read_addr_d     = read_addr_q;
        read_beats_d    = read_beats_q;
        burst_count_d   = burst_count_q;
        burst_queue_d   = burst_queue_q;
        burst_live_d    = burst_live_q;
        burst_index_d   = burst_index_q;
        burst_dwords_d  = burst_dwords_q;
        land_valid_d    = 1'b0;
        land_queue_d    = land_queue_q;
        land_count_d    = land_count_q;
        land_error_d    = land_error_q;
        land_word_d     = land_word_q;
        land_data_d     = land_data_q;
        report_state_d  = next_report;
        report_queue_d  = next_report_queue;
        report_to_d     = next_report_to;
        report_value_d  = next_report_value;
        report_live_d   = next_report_live;
        report_error_d  = next_report_error;
        offer_queue_d   = hqd_offer_valid ? hqd_offer_queue : offer_queue_q;
        offer_wptr_d    = hqd_offer_valid ? hqd_offer_wptr : offer_wptr_q;
        halt_d          = report_halts;
        drop            = {QUEUES{1'b0}};

        // 3 Beat
        if (data_valid && burst_count_q != 2'd0) begin
            if (burst_live_q[0]) begin
                land_valid_d = 1'b1;
                land_queue_d = beat_queue;
                land_error_d = data_error;
                land_count_d = (data_error == MEMORY_OK) ? beat_taken : 2'd0;
                land_word_d  = burst_index_q[5:1];
                land_data_d  = data_word;
            end
            burst_dwords_d[5:0] = burst_dwords_q[5:0] - {4'd0, beat_taken};
            burst_index_d[5:0]  = {beat_word, 1'b0};
            if (data_last) begin
                burst_queue_d[0 +: Q] = burst_queue_q[Q +: Q];
                burst_live_d          = {1'b0, burst_live_d[1]};
                burst_index_d[5:0]    = burst_index_q[11:6];
                burst_dwords_d[5:0]   = burst_dwords_q[11:6];
                burst_count_d         = burst_count_q - 2'd1;
            end
        end

        // 5 Burst
        if (pick_valid_q && !read_valid_q && !burst_count_q[1] && wants[pick_q]) begin
            read_valid_d = 1'b1;
            read_addr_d  = look_addr[37:1];
            read_beats_d = look_beats;
            if (burst_count_d == 2'd0) begin
                burst_queue_d[0 +: Q] = pick_q;
                burst_live_d[0]       = 1'b1;
                burst_index_d[5:0]    = look_addr[5:0];
                burst_dwords_d[5:0]   = look_dwords;
            end else begin
                burst_queue_d[Q +: Q] = pick_q;
                burst_live_d[1]       = 1'b1;
                burst_index_d[11:6]   = look_addr[5:0];
                burst_dwords_d[11:6]  = look_dwords;
            end
            burst_count_d = burst_count_d + 2'd1;
            turn_d        = look_run;
            if (!look_run)
                last_d = pick_q;
        end

        // 3 Beat, continued. Nothing lands behind a beat that failed, not even the burst asked for in the same clock.
        if (data_valid && burst_count_q != 2'd0 && burst_live_q[0] && data_error != MEMORY_OK) begin
            if (burst_queue_d[0 +: Q] == beat_queue)
                burst_live_d[0] = 1'b0;
            if (burst_queue_d[Q +: Q] == beat_queue)
                burst_live_d[1] = 1'b0;
        end

        // 7 Reading
        if (reading_d) begin
            reading_high_d  = place_index[0];
            reading_error_d = read_dword ? 2'd0 : run_fault;
        end
        // 8 Output buffer
        if (transfer) begin
            out_data_d[63:0] = out_data_q[95:32];
            out_error_d[3:0] = out_error_q[5:2];
            given_d          = given_q + 15'd1;
        end
        out_place = out_count_q - {1'b0, transfer};
        if (reading_q)
            for (i = 0; i < 3; i = i + 1)
                if (out_place == i[1:0]) begin
                    out_data_d[i*32 +: 32] = reading_high_q ? line_read_data[63:32] : line_read_data[31:0];
                    out_error_d[i*2 +: 2]  = reading_error_q;
                end
        out_count_d = out_place + {1'b0, reading_q};

        // 10 Commit. Landing dwords are there already for it.
        commit_have = run_have + ((land_valid_q && land_queue_q == queue_q) ? {5'd0, land_count_q} : 7'd0);
        restart     = packet_open || ends || over > {8'd0, commit_have};
        now_buffer  = packet_open || (run_buffer && !ends);
        if (commit && !restart) begin
            slid_d = (packet_commit_count > slid_q) ? 15'd0 : slid_q - packet_commit_count;
            if (packet_drop || packet_commit_count > given_q) begin
                given_d     = 15'd0;
                out_count_d = 2'd0;
                reading_d   = 1'b0;
            end else
                given_d = given_d - packet_commit_count;
        end
        // 9 Slide
        if (sliding)
            slid_d = slid_q + 15'd32 - {10'd0, run_start};

        // 2 Landing. And of the running queue: slide and commit.
        for (i = 0; i < QUEUES; i = i + 1) begin
            if (land_valid_q && land_queue_q == i[Q-1:0]) begin
                have_d[i*7 +: 7] = have_q[i*7 +: 7] + {5'd0, land_count_q};
                if (land_error_q != MEMORY_OK)
                    fault_d[i*2 +: 2] = land_error_q;
            end
            if (queue_q == i[Q-1:0]) begin
                if (sliding)
                    have_d[i*7 +: 7] = have_d[i*7 +: 7] - 7'd32 + {2'd0, run_start};
                if (commit) begin
                    if (buffer_q[i]) begin
                        buffer_addr_d[i*38 +: 38] = run_addr + {23'd0, packet_commit_count};
                        buffer_left_d[i*20 +: 20] = run_left - {5'd0, packet_commit_count};
                    end else
                        rptr_d[i*32 +: 32] = moved;
                    buffer_d[i] = now_buffer;
                    if (packet_open) begin
                        buffer_addr_d[i*38 +: 38] = packet_open_addr[39:2];
                        buffer_left_d[i*20 +: 20] = packet_open_size;
                    end
                    if (restart)
                        drop[i] = 1'b1;
                    else
                        have_d[i*7 +: 7] = commit_have - over[6:0];
                    if (reports && ((!now_buffer && (run_buffer ? run_rptr : moved) == run_wptr) ||
                                       (!run_buffer && run_block != 5'd31
                                           && ((run_rptr ^ moved) >> run_block >> 1) != 32'd0)))
                        report_due_d[i] = 1'b1;
                end
                if (packet_left && running_q) begin
                    if (slid_d != 15'd0)
                        drop[i] = 1'b1;
                    if (reports)
                        report_due_d[i] = 1'b1;
                end
            end
        end

        // 11 Left and go
        if (packet_left && running_q)
            running_d = 1'b0;
        if (arbiter_go) begin
            running_d = 1'b1;
            queue_d   = arbiter_selected;
        end
        if ((packet_left && running_q) || arbiter_go) begin
            given_d     = 15'd0;
            slid_d      = 15'd0;
            out_count_d = 2'd0;
            reading_d   = 1'b0;
        end

        // 12 Load
        for (i = 0; i < QUEUES; i = i + 1)
            if (load_valid && load_queue == i[Q-1:0])
                case (load_kind)
                    LOAD_ACTIVE:   // the report under way is of a mapping that ends
                        if (report_queue_d == load_queue)
                            report_live_d = 1'b0;
                    LOAD_PQ_BASE: begin
                        base_d[i*32 +: 32] = load_data[39:8];
                        drop[i]            = 1'b1;
                    end
                    LOAD_PQ_CONTROL: begin
                        size_d[i*5 +: 5]  = load_data[4:0];
                        block_d[i*5 +: 5] = load_data[13] ? 5'd31 : load_data[12:8];
                        quiet_d[i]        = load_data[27];
                    end
                    LOAD_RPTR: begin
                        rptr_d[i*32 +: 32] = load_data[31:0];
                        buffer_d[i]        = 1'b0;
                        drop[i]            = 1'b1;
                    end
                    LOAD_WPTR:   // what lies before the old write pointer may be under way already
                        if (!(arbiter_active[i] && load_behind))
                            wptr_d[i*32 +: 32] = load_data[31:0];
                    LOAD_REPORT_ADDR: begin
                        report_addr_d[i*38 +: 38] = load_data[39:2];
                        report_due_d[i]           = 1'b0;
                    end
                    LOAD_RESUME, LOAD_SKIP, LOAD_MOVED: drop[i] = 1'b1;
                    LOAD_BUFFER: buffer_addr_d[i*38 +: 38] = load_data[39:2];
                    LOAD_BUFFER_LEFT: begin
                        buffer_left_d[i*20 +: 20] = load_data[19:0];
                        buffer_d[i]               = load_data[19:0] != 20'd0;
                        drop[i]                   = 1'b1;
                    end
                    default: ;
                endcase

        // 13 Drop
        for (i = 0; i < QUEUES; i = i + 1)
            if (drop[i]) begin
                have_d[i*7 +: 7]  = 7'd0;
                fault_d[i*2 +: 2] = MEMORY_OK;
                if (burst_queue_d[0 +: Q] == i[Q-1:0])
                    burst_live_d[0] = 1'b0;
                if (burst_queue_d[Q +: Q] == i[Q-1:0])
                    burst_live_d[1] = 1'b0;
                if (land_queue_d == i[Q-1:0])
                    land_valid_d = 1'b0;
                if (queue_q == i[Q-1:0]) begin
                    given_d     = 15'd0;
                    slid_d      = 15'd0;
                    out_count_d = 2'd0;
                    reading_d   = 1'b0;
                end
            end
    end

    always @(posedge clk) begin
        base_q          <= base_d;
        size_q          <= size_d;
        block_q         <= block_d;
        quiet_q         <= quiet_d;
        rptr_q          <= rptr_d;
        wptr_q          <= wptr_d;
        buffer_q        <= buffer_d;
        buffer_addr_q   <= buffer_addr_d;
        buffer_left_q   <= buffer_left_d;
        have_q          <= have_d;
        fault_q         <= fault_d;
        report_addr_q   <= report_addr_d;
        report_due_q    <= report_due_d;
        running_q       <= running_d;
        queue_q         <= queue_d;
        given_q         <= given_d;
        slid_q          <= slid_d;
        out_count_q     <= out_count_d;
        out_data_q      <= out_data_d;
        out_error_q     <= out_error_d;
        reading_q       <= reading_d;
        reading_high_q  <= reading_high_d;
        reading_error_q <= reading_error_d;
        pick_valid_q    <= pick_valid_d;
        pick_q          <= pick_d;
        turn_q          <= turn_d;
        last_q          <= last_d;
        read_valid_q    <= read_valid_d;
        read_addr_q     <= read_addr_d;
        read_beats_q    <= read_beats_d;
        burst_count_q   <= burst_count_d;
        burst_queue_q   <= burst_queue_d;
        burst_live_q    <= burst_live_d;
        burst_index_q   <= burst_index_d;
        burst_dwords_q  <= burst_dwords_d;
        land_valid_q    <= land_valid_d;
        land_queue_q    <= land_queue_d;
        land_count_q    <= land_count_d;
        land_error_q    <= land_error_d;
        land_word_q     <= land_word_d;
        land_data_q     <= land_data_d;
        report_state_q  <= report_state_d;
        report_queue_q  <= report_queue_d;
        report_to_q     <= report_to_d;
        report_value_q  <= report_value_d;
        report_live_q   <= report_live_d;
        report_error_q  <= report_error_d;
        halt_q          <= halt_d;
        offer_queue_q   <= offer_queue_d;
        offer_wptr_q    <= offer_wptr_d;
        if (rst) begin
            rptr_q          <= {QUEUES*32{1'b0}};
            wptr_q          <= {QUEUES*32{1'b0}};
            buffer_q        <= {QUEUES{1'b0}};
            have_q          <= {QUEUES*7{1'b0}};
            fault_q         <= {QUEUES*2{1'b0}};
            report_due_q    <= {QUEUES{1'b0}};
            running_q       <= 1'b0;
            queue_q         <= {Q{1'b0}};
            given_q         <= 15'd0;
            slid_q          <= 15'd0;
            out_count_q     <= 2'd0;
            reading_q       <= 1'b0;
            pick_valid_q    <= 1'b0;
            turn_q          <= 1'b0;
            last_q          <= {Q{1'b0}};
            read_valid_q    <= 1'b0;
            burst_count_q   <= 2'd0;
            burst_live_q    <= 2'b00;
            land_valid_q    <= 1'b0;
            report_state_q  <= REPORT_NONE;
            report_queue_q  <= {Q{1'b0}};
            report_live_q   <= 1'b0;
            halt_q          <= 1'b0;
        end
    end

    wire unused = &{1'b0, packet_open_addr[1:0], load_data[1:0],
                     run[255:249], run[209:201], run[163:153], look[255:249], look[215], look[163:153], look[135:122],
                     look[31:0]};

    // formal: maxsteps=2
`ifdef FORMAL
`include "totem_fetch_properties.vh"
`endif
endmodule

`default_nettype wire
