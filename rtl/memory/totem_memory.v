// SPDX-License-Identifier: Apache-2.0
//
// totem_memory: AXI4 master of a front end.
//
// Policy    read requesters (three per pipe) and write requesters (four per pipe) are taken in turn. At most two
//           reads of a requester and two writes of a stream (reports, packet writes, MQDs) are outstanding and answered
//           in order (2 outstanding, 8 oldest). Fence writes share IDs of their own, one write each, so that none waits
//           for another's answer (6 fences). A read waits for the response of an outstanding write to the same 4 KiB
//           (5 ordered). A response that shows no progress over a whole period is given up: MEMORY_TIME_OUT for the
//           requester; the ID stays reserved until the late response has come and been dropped. Every request has
//           exactly one end (3 ends, 4 acknowledged).
// Latency   read request to AR 2 clocks, read beat to requester 1, write message to AW and W 4, response to ack 1.
//           An exclusive access has AxLOCK and the ID that poll and packet writes of a pipe share by their number; it
//           never takes one of the shared IDs (13 exclusive).
// Boundary  everything on the AXI and on the requesters' side is a function of state; payloads are stable while
//           valid && !ready (1 stable). R and B are always ready. A burst longer or shorter than asked for reaches the
//           requester with the length it asked for, or shorter with an error on its last beat.
// Cost      READERS: each one a request of 42 bits; STREAMS: each one two addresses of 38 bits and as many comparators;
//           FENCES: each one an address and a comparator. A burst: a shift register of 16 beats, 1024 bits, so that no
//           beat waits for data (14 burst) and its requester is done with it.
// Parts     _patience (rules 1 to 3), _answers (what 5, 6, 9 and 10 decide by), _read_pick (7), _write_pick (11, 12),
//           _path (13).
// Twin      cmodel/memory/totem_memory.c, same names.

`default_nettype none
`include "totem_pm4.vh"

module totem_memory #(
    parameter FE_PIPES = 2,                 // 1 to 3: compute pipes, then the graphics pipe
    parameter READERS = 6,                  // requesters of the channels of rtl/top/machine.yaml: at least 3*FE_PIPES
    parameter WRITERS = 8,                  // STREAMS + FE_PIPES
    parameter STREAMS = 6,                  // at least 3*FE_PIPES
    parameter FENCES  = 8,                  // at least 1
    parameter READER_BITS = $clog2(READERS),
    parameter WRITER_BITS = $clog2(WRITERS),
    parameter ID_BITS = 1 + $clog2(STREAMS > FENCES ? STREAMS : FENCES)
) (
    input  wire                   clk,
    input  wire                   rst,
    // readers
    input  wire [READERS-1:0]     read_valid,
    input  wire [READERS*40-1:0]  read_addr,
    input  wire [READERS*5-1:0]   read_beats,
    input  wire [FE_PIPES-1:0]    poll_read_exclusive,
    output wire [READERS-1:0]     read_ready,
    output wire                   data_valid,
    output wire [READER_BITS-1:0] data_target,
    output wire [63:0]            data_word,
    output wire                   data_last,
    output wire [1:0]             data_error,
    output wire                   data_exokay,
    // writers
    input  wire [WRITERS-1:0]     write_valid,
    input  wire [WRITERS*64-1:0]  write_word,
    input  wire [FE_PIPES-1:0]    fence_write_room,
    input  wire [FE_PIPES-1:0]    packet_fence_write,
    input  wire [FE_PIPES-1:0]    record_write_valid,
    input  wire [FE_PIPES*64-1:0] record_write_word,
    output wire [WRITERS-1:0]     write_ready,
    output wire                   ack_valid,
    output wire [WRITER_BITS-1:0] ack_target,
    output wire [5:0]             ack_tag,
    output wire [1:0]             ack_error,
    output wire [39:0]            ack_addr,
    output wire                   ack_exclusive,
    output wire                   ack_exokay,
    // registers
    input  wire [31:0]            settings_timeout,
    input  wire [23:0]            settings_dequeue_timeout,
    input  wire [FE_PIPES-1:0]    kill_overdue,
    output wire                   idle,
    output wire                   dead,
    output wire                   error_valid,
    output wire [63:0]            error_word,
    input  wire                   events_error_ready,
    // AXI4
    output wire [ID_BITS-1:0]     m_axi_awid,
    output wire [39:0]            m_axi_awaddr,
    output wire [7:0]             m_axi_awlen,
    output wire [2:0]             m_axi_awsize,
    output wire [1:0]             m_axi_awburst,
    output wire                   m_axi_awlock,
    output wire                   m_axi_awvalid,
    input  wire                   m_axi_awready,
    output wire [63:0]            m_axi_wdata,
    output wire [7:0]             m_axi_wstrb,
    output wire                   m_axi_wlast,
    output wire                   m_axi_wvalid,
    input  wire                   m_axi_wready,
    input  wire [ID_BITS-1:0]     m_axi_bid,
    input  wire [1:0]             m_axi_bresp,
    input  wire                   m_axi_bvalid,
    output wire                   m_axi_bready,
    output wire [READER_BITS-1:0] m_axi_arid,
    output wire [39:0]            m_axi_araddr,
    output wire [7:0]             m_axi_arlen,
    output wire [2:0]             m_axi_arsize,
    output wire [1:0]             m_axi_arburst,
    output wire                   m_axi_arlock,
    output wire                   m_axi_arvalid,
    input  wire                   m_axi_arready,
    input  wire [READER_BITS-1:0] m_axi_rid,
    input  wire [63:0]            m_axi_rdata,
    input  wire [1:0]             m_axi_rresp,
    input  wire                   m_axi_rlast,
    input  wire                   m_axi_rvalid,
    output wire                   m_axi_rready
);
    generate
        if (FE_PIPES < 1 || FE_PIPES > 3 || READERS < 3*FE_PIPES || STREAMS < 3*FE_PIPES ||
            WRITERS != STREAMS + FE_PIPES || FENCES < 1) begin : check
            totem_memory_needs_FE_PIPES_1_to_3_and_the_requesters_of_each refused ();
        end
    endgenerate

`include "totem_memory_values.vh"

    localparam [1:0] EXOKAY = 2'd1;         // of AXI4
    localparam R = READERS;
    localparam S = STREAMS;                 // streams of writes; the requesters behind them are fences
    localparam W = WRITERS;
    localparam F = FENCES;
    localparam PATH_BITS = $clog2(R + 1);
    localparam [31:0] LAST_READER = R - 1, LAST_WRITER = W - 1;
    localparam [READER_BITS-1:0] NEXT_READER = 1;
    localparam [WRITER_BITS-1:0] NEXT_WRITER = 1;

    reg [31:0]       period_q, period_d;
    // reads
    reg [R-1:0]      ask_valid_q, ask_valid_d;
    reg [R*37-1:0]   ask_addr_q, ask_addr_d;
    reg [R*5-1:0]    ask_beats_q, ask_beats_d;
    reg [FE_PIPES-1:0] ask_exclusive_q, ask_exclusive_d;
    reg [READER_BITS-1:0] read_turn_q, read_turn_d;
    reg              ar_valid_q, ar_valid_d;
    reg [READER_BITS-1:0] ar_id_q, ar_id_d;
    reg [36:0]       ar_addr_q, ar_addr_d;
    reg [3:0]        ar_len_q, ar_len_d;
    reg              ar_lock_q, ar_lock_d;
    reg [R*2-1:0]    reads_q, reads_d;
    reg [R*2-1:0]    reads_late_q, reads_late_d;
    reg [R*5-1:0]    beats_q, beats_d;
    reg [R*5-1:0]    beats_next_q, beats_next_d;
    reg [R-1:0]      read_old_q, read_old_d;
    reg [R-1:0]      read_expired_q, read_expired_d;
    reg              data_valid_q, data_valid_d;
    reg [READER_BITS-1:0] data_target_q, data_target_d;
    reg [63:0]       data_word_q, data_word_d;
    reg              data_last_q, data_last_d;
    reg [1:0]        data_error_q, data_error_d;
    reg              data_exokay_q, data_exokay_d;
    // writes
    reg [1:0]        stage_q, stage_d;
    reg [WRITER_BITS-1:0] serve_q, serve_d;
    reg [WRITER_BITS-1:0] write_turn_q, write_turn_d;
    reg [36:0]       held_addr_q, held_addr_d;
    reg [7:0]        held_strobe_q, held_strobe_d;
    reg [5:0]        held_tag_q, held_tag_d;
    reg [63:0]       held_data_q, held_data_d;
    reg              held_exclusive_q, held_exclusive_d;
    reg              held_burst_q, held_burst_d;
    reg [4:0]        fill_q, fill_d;
    reg [1023:0]     buffer_q, buffer_d;
    reg              held_old_q, held_old_d;
    reg              held_fail_q, held_fail_d;
    reg              aw_valid_q, aw_valid_d;
    reg              w_valid_q, w_valid_d;
    reg [ID_BITS-1:0] aw_id_q, aw_id_d;
    reg [36:0]       aw_addr_q, aw_addr_d;
    reg              aw_lock_q, aw_lock_d;
    reg              aw_burst_q, aw_burst_d;
    reg [7:0]        w_strobe_q, w_strobe_d;
    reg [63:0]       w_data_q, w_data_d;
    reg [29:0]       w_mask_q, w_mask_d;
    reg [3:0]        left_q, left_d;
    reg [S*2-1:0]    writes_q, writes_d;
    reg [S*2-1:0]    writes_late_q, writes_late_d;
    reg [S*2*6-1:0]  write_tag_q, write_tag_d;
    reg [S*2*38-1:0] write_addr_q, write_addr_d;
    reg [S*2-1:0]    write_exclusive_q, write_exclusive_d;
    reg [S-1:0]      write_old_q, write_old_d;
    reg [S-1:0]      write_expired_q, write_expired_d;
    reg [F-1:0]      fence_busy_q, fence_busy_d;
    reg [F-1:0]      fence_late_q, fence_late_d;
    reg [F-1:0]      fence_old_q, fence_old_d;
    reg [F-1:0]      fence_expired_q, fence_expired_d;
    reg [F*WRITER_BITS-1:0] fence_owner_q, fence_owner_d;
    reg [F*6-1:0]    fence_tag_q, fence_tag_d;
    reg [F*38-1:0]   fence_addr_q, fence_addr_d;
    reg [W-1:0]      wait_old_q, wait_old_d;
    reg [W-1:0]      give_up_q, give_up_d;
    reg              ack_valid_q, ack_valid_d;
    reg [WRITER_BITS-1:0] ack_target_q, ack_target_d;
    reg [5:0]        ack_tag_q, ack_tag_d;
    reg [1:0]        ack_error_q, ack_error_d;
    reg [37:0]       ack_addr_q, ack_addr_d;
    reg              ack_exclusive_q, ack_exclusive_d;
    reg              ack_exokay_q, ack_exokay_d;
    reg [R:0]        told_q, told_d;
    reg [1:0]        error_left_q, error_left_d;
    reg [PATH_BITS-1:0] error_path_q, error_path_d;

    // Registers that reset leaves alone read 0 at start, as in the model.
    initial begin
        period_q = 0; ask_valid_q = 0; ask_addr_q = 0; ask_beats_q = 0; read_turn_q = 0;
        ar_valid_q = 0; ar_id_q = 0; ar_addr_q = 0; ar_len_q = 0;
        reads_q = 0; reads_late_q = 0; beats_q = 0; beats_next_q = 0; read_old_q = 0; read_expired_q = 0;
        data_valid_q = 0; data_target_q = 0; data_word_q = 0; data_last_q = 0; data_error_q = 0;
        stage_q = 0; serve_q = 0; write_turn_q = 0;
        held_addr_q = 0; held_strobe_q = 0; held_tag_q = 0; held_data_q = 0; held_old_q = 0; held_fail_q = 0;
        aw_valid_q = 0; w_valid_q = 0; aw_id_q = 0; aw_addr_q = 0; w_strobe_q = 0; w_data_q = 0;
        writes_q = 0; writes_late_q = 0; write_tag_q = 0; write_addr_q = 0; write_old_q = 0; write_expired_q = 0;
        wait_old_q = 0; give_up_q = 0;
        fence_busy_q = 0; fence_late_q = 0; fence_old_q = 0; fence_expired_q = 0;
        fence_owner_q = 0; fence_tag_q = 0; fence_addr_q = 0;
        ack_valid_q = 0; ack_target_q = 0; ack_tag_q = 0; ack_error_q = 0; ack_addr_q = 0;
        told_q = 0; error_left_q = 0; error_path_q = 0;
        ask_exclusive_q = 0; ar_lock_q = 0; data_exokay_q = 0; held_exclusive_q = 0; aw_lock_q = 0;
        write_exclusive_q = 0; ack_exclusive_q = 0; ack_exokay_q = 0;
        held_burst_q = 0; fill_q = 0; buffer_q = 0; aw_burst_q = 0; w_mask_q = 0; left_q = 0;
    end

    assign read_ready    = ~ask_valid_q;
    assign data_valid    = data_valid_q;
    assign data_target   = data_target_q;
    assign data_word     = data_word_q;
    assign data_last     = data_last_q;
    assign data_error    = data_error_q;
    assign data_exokay   = data_exokay_q;
    assign write_ready   = (stage_q == MEMORY_FIRST || stage_q == MEMORY_SECOND) ?
                           ({{(W-1){1'b0}}, 1'b1} << serve_q) : {W{1'b0}};
    assign ack_valid     = ack_valid_q;
    assign ack_target    = ack_target_q;
    assign ack_tag       = ack_tag_q;
    assign ack_error     = ack_error_q;
    assign ack_addr      = {ack_addr_q, 2'b00};
    assign ack_exclusive = ack_exclusive_q;
    assign ack_exokay    = ack_exokay_q;
    assign idle          = !(|ask_valid_q) && !(|reads_q) && !(|writes_q) && !(|fence_busy_q) &&
                           stage_q == MEMORY_REST && !data_valid_q && !ack_valid_q;
    assign error_valid   = error_left_q != 2'd0;
    assign error_word    = (error_left_q == 2'd2) ? {`TOTEM_ERROR_MEMORY_PATH_DEAD, 56'd0} :
                                                    {{64-PATH_BITS{1'b0}}, error_path_q};

    assign m_axi_awid    = aw_id_q;
    assign m_axi_awaddr  = {aw_addr_q, 3'b000};
    assign m_axi_awlen   = {4'd0, {4{aw_burst_q}}};
    assign m_axi_awsize  = 3'd3;
    assign m_axi_awburst = 2'd1;
    assign m_axi_awlock  = aw_lock_q;
    assign m_axi_awvalid = aw_valid_q;
    assign m_axi_wdata   = w_data_q;
    assign m_axi_wstrb   = w_strobe_q;
    assign m_axi_wlast   = left_q == 4'd0;
    assign m_axi_wvalid  = w_valid_q;
    assign m_axi_bready  = 1'b1;
    assign m_axi_arid    = ar_id_q;
    assign m_axi_araddr  = {ar_addr_q, 3'b000};
    assign m_axi_arlen   = {4'd0, ar_len_q};
    assign m_axi_arsize  = 3'd3;
    assign m_axi_arburst = 2'd1;
    assign m_axi_arlock  = ar_lock_q;
    assign m_axi_arvalid = ar_valid_q;
    assign m_axi_rready  = 1'b1;

    wire        reads_due    = |read_expired_q;
    wire        writes_due   = (|write_expired_q) || (|fence_expired_q);
    wire [37:0] message_addr = {held_addr_q, held_strobe_q[3:0] == 4'd0};

    wire [31:0]  period_aged;
    wire [R-1:0] read_old_aged, read_expired_aged;
    wire [S-1:0] write_old_aged, write_expired_aged;
    wire [F-1:0] fence_old_aged, fence_expired_aged;
    wire [W-1:0] wait_old_aged, give_up_aged;
    wire         held_old_aged, held_fail_aged;
    totem_memory_patience #(
        .FE_PIPES(FE_PIPES), .READERS(READERS), .WRITERS(WRITERS), .STREAMS(STREAMS), .FENCES(FENCES)
    ) aged (
        .settings_timeout(settings_timeout), .settings_dequeue_timeout(settings_dequeue_timeout),
        .kill_overdue(kill_overdue), .period(period_q), .period_aged(period_aged),
        .ask_valid(ask_valid_q), .reads(reads_q), .read_old(read_old_q), .read_expired(read_expired_q),
        .read_old_aged(read_old_aged), .read_expired_aged(read_expired_aged),
        .writes(writes_q), .write_old(write_old_q), .write_expired(write_expired_q),
        .write_old_aged(write_old_aged), .write_expired_aged(write_expired_aged),
        .fence_busy(fence_busy_q), .fence_old(fence_old_q), .fence_expired(fence_expired_q),
        .fence_old_aged(fence_old_aged), .fence_expired_aged(fence_expired_aged),
        .offered(offered), .barred(barred), .stage(stage_q), .serve(serve_q),
        .wait_old(wait_old_q), .give_up(give_up_q),
        .wait_old_aged(wait_old_aged), .give_up_aged(give_up_aged),
        .held_old(held_old_q), .held_fail(held_fail_q), .held_old_aged(held_old_aged), .held_fail_aged(held_fail_aged)
    );

    wire         beat_forwarded, beat_last, response_forwarded;
    wire [1:0]   beat_error, response_error;
    wire [R-1:0] read_drop, read_forward, read_due;
    wire [S-1:0] write_drop, write_forward, write_due;
    wire [F-1:0] fence_drop, fence_forward, fence_due;
    totem_memory_answers #(.READERS(READERS), .STREAMS(STREAMS), .FENCES(FENCES)) answers (
        .m_axi_rvalid(m_axi_rvalid), .m_axi_rid(m_axi_rid), .m_axi_rresp(m_axi_rresp), .m_axi_rlast(m_axi_rlast),
        .m_axi_bvalid(m_axi_bvalid), .m_axi_bid(m_axi_bid), .m_axi_bresp(m_axi_bresp),
        .reads(reads_q), .reads_late(reads_late_q), .beats(beats_q), .read_expired(read_expired_q),
        .beat_forwarded(beat_forwarded), .beat_error(beat_error), .beat_last(beat_last),
        .read_drop(read_drop), .read_forward(read_forward), .read_due(read_due),
        .writes(writes_q), .writes_late(writes_late_q), .write_expired(write_expired_q),
        .response_forwarded(response_forwarded), .response_error(response_error),
        .write_drop(write_drop), .write_forward(write_forward), .write_due(write_due),
        .fence_busy(fence_busy_q), .fence_late(fence_late_q), .fence_expired(fence_expired_q),
        .fence_drop(fence_drop), .fence_forward(fence_forward), .fence_due(fence_due)
    );

    wire [R-1:0] read_pick;
    wire [36:0]  pick_addr;
    wire [4:0]   pick_beats;
    wire         read_blocked;
    totem_memory_read_pick #(.READERS(READERS), .STREAMS(STREAMS), .FENCES(FENCES)) read_picks (
        .ask_valid(ask_valid_q), .ask_addr(ask_addr_q), .ask_beats(ask_beats_q), .reads(reads_q),
        .reads_late(reads_late_q), .read_turn(read_turn_q), .read_pick(read_pick), .pick_addr(pick_addr),
        .pick_beats(pick_beats), .read_blocked(read_blocked), .stage(stage_q), .held_fail(held_fail_q),
        .held_page(held_addr_q[36:9]), .writes(writes_q), .write_addr(write_addr_q), .fence_busy(fence_busy_q),
        .fence_addr(fence_addr_q)
    );

    wire [W-1:0] offered, barred, serve_at, write_pick;
    wire [F-1:0] vacant;
    wire [S-1:0] borrows;
    wire [63:0]  serve_word;
    wire         serve_offered, serve_may;
    totem_memory_write_pick #(
        .FE_PIPES(FE_PIPES), .WRITERS(WRITERS), .STREAMS(STREAMS), .FENCES(FENCES)
    ) write_picks (
        .write_valid(write_valid), .write_word(write_word), .fence_write_room(fence_write_room),
        .packet_fence_write(packet_fence_write), .record_write_valid(record_write_valid),
        .record_write_word(record_write_word), .offered(offered), .writes(writes_q), .writes_late(writes_late_q),
        .fence_busy(fence_busy_q), .fence_late(fence_late_q), .fence_owner(fence_owner_q), .vacant(vacant),
        .left(left_q), .borrows(borrows), .barred(barred), .serve(serve_q), .serve_at(serve_at),
        .serve_word(serve_word), .serve_offered(serve_offered), .serve_may(serve_may), .write_turn(write_turn_q), .give_up(give_up_q),
        .write_pick(write_pick)
    );

    wire [FE_PIPES-1:0] poll_pick, poll_asked, execute_at;
    totem_memory_exclusive #(.FE_PIPES(FE_PIPES), .READERS(READERS), .WRITERS(WRITERS)) exclusive (
        .read_pick(read_pick), .read_asked(read_valid & ~ask_valid_q), .serve_at(serve_at), .poll_pick(poll_pick),
        .poll_asked(poll_asked), .execute_at(execute_at)
    );

    wire [R:0]           told_next;
    wire [1:0]           error_left_next;
    wire [PATH_BITS-1:0] error_path_next;
    totem_memory_path #(.READERS(READERS), .FENCES(FENCES)) paths (
        .reads_late(reads_late_q), .fence_late(fence_late_q), .dead(dead), .told(told_q), .error_left(error_left_q),
        .error_path(error_path_q), .events_error_ready(events_error_ready), .told_next(told_next),
        .error_left_next(error_left_next), .error_path_next(error_path_next)
    );

    // Dwords of the beat that is shown next: of the burst that leaves, or the first of the one that is held.
    wire [1:0]  beat_dwords = (left_q != 4'd0) ? w_mask_q[1:0] : held_data_q[1:0];
    wire [7:0]  beat_strobe = {{4{beat_dwords[1]}}, {4{beat_dwords[0]}}};
    wire        unsendable = held_exclusive_q && |(serve_at[S-1:0] & borrows);
    reg         read_send;
    reg         fail_held;      // the held message ends without being sent
    reg [W-1:0] send_at;        // it is sent, one bit per requester
    reg         to_pool;        // with an ID for fence writes
    integer     i;

    always @* begin
        period_d       = period_aged;
        ask_valid_d    = ask_valid_q;
        ask_addr_d     = ask_addr_q;
        ask_beats_d    = ask_beats_q;
        read_turn_d    = read_turn_q;
        ar_valid_d     = ar_valid_q;
        ar_id_d        = ar_id_q;
        ar_addr_d      = ar_addr_q;
        ar_len_d       = ar_len_q;
        ar_lock_d      = ar_lock_q;
        ask_exclusive_d = ask_exclusive_q;
        reads_d        = reads_q;
        reads_late_d   = reads_late_q;
        beats_d        = beats_q;
        beats_next_d   = beats_next_q;
        read_old_d     = read_old_aged;
        read_expired_d = read_expired_aged;
        data_target_d  = data_target_q;
        data_word_d    = data_word_q;
        data_last_d    = data_last_q;
        data_error_d   = data_error_q;
        data_exokay_d  = data_exokay_q;
        stage_d        = stage_q;
        serve_d        = serve_q;
        write_turn_d   = write_turn_q;
        held_addr_d    = held_addr_q;
        held_strobe_d  = held_strobe_q;
        held_tag_d     = held_tag_q;
        held_data_d    = held_data_q;
        held_exclusive_d = held_exclusive_q;
        held_burst_d   = held_burst_q;
        fill_d         = fill_q;
        buffer_d       = buffer_q;
        held_old_d     = held_old_aged;
        held_fail_d    = held_fail_aged;
        aw_valid_d     = aw_valid_q;
        w_valid_d      = w_valid_q;
        aw_id_d        = aw_id_q;
        aw_addr_d      = aw_addr_q;
        aw_lock_d      = aw_lock_q;
        aw_burst_d     = aw_burst_q;
        w_strobe_d     = w_strobe_q;
        w_data_d       = w_data_q;
        w_mask_d       = w_mask_q;
        left_d         = left_q;
        writes_d       = writes_q;
        writes_late_d  = writes_late_q;
        write_tag_d    = write_tag_q;
        write_addr_d   = write_addr_q;
        write_exclusive_d = write_exclusive_q;
        write_old_d    = write_old_aged;
        write_expired_d = write_expired_aged;
        wait_old_d     = wait_old_aged;
        give_up_d      = give_up_aged;
        ack_target_d   = ack_target_q;
        ack_tag_d      = ack_tag_q;
        ack_error_d    = ack_error_q;
        ack_addr_d     = ack_addr_q;
        ack_exclusive_d = ack_exclusive_q;
        ack_exokay_d   = ack_exokay_q;
        told_d         = told_next;
        error_left_d   = error_left_next;
        error_path_d   = error_path_next;
        fence_busy_d    = fence_busy_q;
        fence_late_d    = fence_late_q;
        fence_old_d     = fence_old_aged;
        fence_expired_d = fence_expired_aged;
        fence_owner_d   = fence_owner_q;
        fence_tag_d     = fence_tag_q;
        fence_addr_d    = fence_addr_q;

        // 4 No answer
        data_valid_d = 1'b0;
        ack_valid_d  = 1'b0;

        // 5 Read beat
        for (i = 0; i < R; i = i + 1) begin
            if (read_drop[i] && m_axi_rlast)
                reads_late_d[i*2 +: 2] = reads_late_q[i*2 +: 2] - 2'd1;
            if (read_forward[i]) begin
                data_target_d     = i[READER_BITS-1:0];
                read_old_d[i]     = 1'b0;
                read_expired_d[i] = 1'b0;
                beats_d[i*5 +: 5] = beats_q[i*5 +: 5] - 5'd1;
                if (beat_last) begin
                    reads_d[i*2 +: 2] = reads_q[i*2 +: 2] - 2'd1;
                    beats_d[i*5 +: 5] = beats_next_q[i*5 +: 5];
                    if (!m_axi_rlast)
                        reads_late_d[i*2 +: 2] = 2'd1;
                end
            end
        end
        if (beat_forwarded || reads_due) begin
            data_valid_d = 1'b1;
            data_word_d  = beat_forwarded ? m_axi_rdata : 64'd0;
            data_last_d  = !beat_forwarded || beat_last;
            data_error_d = beat_forwarded ? beat_error : MEMORY_TIME_OUT;
            data_exokay_d = beat_forwarded && m_axi_rresp == EXOKAY;
        end

        // 6 A read given up
        for (i = 0; i < R; i = i + 1)
            if (read_due[i]) begin
                data_target_d = i[READER_BITS-1:0];
                read_old_d[i] = 1'b0;
                if (reads_q[i*2 +: 2] != 2'd0) begin
                    reads_d[i*2 +: 2]      = reads_q[i*2 +: 2] - 2'd1;
                    reads_late_d[i*2 +: 2] = reads_late_d[i*2 +: 2] + 2'd1;
                    beats_d[i*5 +: 5]      = beats_next_q[i*5 +: 5];
                    if (reads_q[i*2 +: 2] == 2'd1)
                        read_expired_d[i] = 1'b0;
                end else begin
                    ask_valid_d[i]    = 1'b0;
                    read_expired_d[i] = 1'b0;
                end
            end

        // 7 Read address: the turn goes past a blocked request too, since those behind it need not wait.
        if (m_axi_arready)
            ar_valid_d = 1'b0;
        read_send = !ar_valid_d && (|read_pick) && !reads_due && !read_blocked;
        for (i = 0; i < R; i = i + 1)
            if (!ar_valid_d && read_pick[i]) begin
                read_turn_d = (i == LAST_READER) ? {READER_BITS{1'b0}} : i[READER_BITS-1:0] + NEXT_READER;
                if (read_send) begin
                    ar_id_d        = i[READER_BITS-1:0];
                    ask_valid_d[i] = 1'b0;
                    if (reads_d[i*2 +: 2] == 2'd0) begin
                        beats_d[i*5 +: 5] = pick_beats;
                        read_old_d[i]     = 1'b0;
                        read_expired_d[i] = 1'b0;
                    end else
                        beats_next_d[i*5 +: 5] = pick_beats;
                    reads_d[i*2 +: 2] = reads_d[i*2 +: 2] + 2'd1;
                end
            end
        if (read_send) begin
            ar_valid_d = 1'b1;
            ar_addr_d  = pick_addr;
            ar_len_d   = pick_beats[3:0] - 4'd1;
            ar_lock_d  = |(poll_pick & ask_exclusive_q);
        end

        // 8 Request
        for (i = 0; i < R; i = i + 1)
            if (read_valid[i] && !ask_valid_q[i]) begin
                ask_valid_d[i]         = 1'b1;
                ask_addr_d[i*37 +: 37] = read_addr[i*40 + 3 +: 37];
                ask_beats_d[i*5 +: 5]  = read_beats[i*5 +: 5];
            end

        ask_exclusive_d = (poll_asked & poll_read_exclusive) | (~poll_asked & ask_exclusive_q);

        // 9 Write response
        for (i = 0; i < F; i = i + 1) begin
            if (fence_drop[i])
                fence_late_d[i] = 1'b0;
            if (fence_forward[i] || fence_due[i]) begin
                ack_target_d       = fence_owner_q[i*WRITER_BITS +: WRITER_BITS];
                ack_tag_d          = fence_tag_q[i*6 +: 6];
                ack_addr_d         = fence_addr_q[i*38 +: 38];
                ack_exclusive_d    = 1'b0;
                fence_busy_d[i]    = 1'b0;
                fence_expired_d[i] = 1'b0;
            end
        end
        for (i = 0; i < S; i = i + 1) begin
            if (write_drop[i])
                writes_late_d[i*2 +: 2] = writes_late_q[i*2 +: 2] - 2'd1;
            if (write_forward[i] || write_due[i]) begin
                ack_target_d             = i[WRITER_BITS-1:0];
                ack_tag_d                = write_tag_q[i*12 +: 6];
                ack_addr_d               = write_addr_q[i*76 +: 38];
                ack_exclusive_d          = write_exclusive_q[i*2];
                write_exclusive_d[i*2]   = write_exclusive_q[i*2 + 1];
                writes_d[i*2 +: 2]       = writes_q[i*2 +: 2] - 2'd1;
                write_tag_d[i*12 +: 6]   = write_tag_q[i*12 + 6 +: 6];
                write_addr_d[i*76 +: 38] = write_addr_q[i*76 + 38 +: 38];
                write_old_d[i]           = 1'b0;
                if (write_forward[i] || writes_q[i*2 +: 2] == 2'd1)
                    write_expired_d[i] = 1'b0;
            end
        end

        // 10 A write given up
        fail_held = stage_q == MEMORY_HELD && (held_fail_q || unsendable) && !response_forwarded && !writes_due;
        if (response_forwarded || writes_due || fail_held) begin
            ack_valid_d = 1'b1;
            ack_error_d = response_forwarded ? response_error : MEMORY_TIME_OUT;
            ack_exokay_d = response_forwarded && m_axi_bresp == EXOKAY;
        end
        fence_late_d = fence_late_d | fence_due;
        for (i = 0; i < S; i = i + 1)
            if (write_due[i])
                writes_late_d[i*2 +: 2] = writes_late_d[i*2 +: 2] + 2'd1;
        if (fail_held) begin
            ack_target_d = serve_q;
            ack_tag_d    = held_tag_q;
            ack_addr_d   = message_addr;
            ack_exclusive_d = held_exclusive_q;
            stage_d      = MEMORY_REST;
        end

        // 11 Write address and data
        if (m_axi_awready)
            aw_valid_d = 1'b0;
        if (m_axi_wready)
            w_valid_d = w_valid_q && left_q != 4'd0;
        if (w_valid_q && m_axi_wready && left_q != 4'd0) begin
            left_d     = left_q - 4'd1;
            w_data_d   = buffer_q[63:0];
            w_strobe_d = beat_strobe;
            w_mask_d   = w_mask_q >> 2;
            buffer_d   = buffer_q >> 64;
        end
        send_at = (stage_q == MEMORY_HELD && !held_fail_q && !unsendable && !aw_valid_d && !w_valid_d && !writes_due &&
                   serve_may) ? serve_at : {W{1'b0}};
        to_pool = |(send_at & {{FE_PIPES{1'b1}}, borrows});
        for (i = 0; i < F; i = i + 1)
            if (to_pool && vacant[i]) begin
                fence_busy_d[i]                             = 1'b1;
                fence_old_d[i]                              = 1'b0;
                fence_expired_d[i]                          = 1'b0;
                fence_owner_d[i*WRITER_BITS +: WRITER_BITS] = serve_q;
                fence_tag_d[i*6 +: 6]                       = held_tag_q;
                fence_addr_d[i*38 +: 38]                    = message_addr;
                aw_id_d                                     = {1'b1, i[ID_BITS-2:0]};
            end
        for (i = 0; i < S; i = i + 1)
            if (send_at[i] && !borrows[i]) begin
                if (writes_d[i*2 +: 2] == 2'd0) begin
                    write_tag_d[i*12 +: 6]   = held_tag_q;
                    write_addr_d[i*76 +: 38] = message_addr;
                    write_exclusive_d[i*2]   = held_exclusive_q;
                    write_old_d[i]           = 1'b0;
                end else begin
                    write_tag_d[i*12 + 6 +: 6]    = held_tag_q;
                    write_addr_d[i*76 + 38 +: 38] = message_addr;
                    write_exclusive_d[i*2 + 1]    = held_exclusive_q;
                end
                writes_d[i*2 +: 2] = writes_d[i*2 +: 2] + 2'd1;
                aw_id_d            = i[ID_BITS-1:0];
            end
        if (|send_at) begin
            aw_valid_d = 1'b1;
            w_valid_d  = 1'b1;
            aw_addr_d  = held_addr_q;
            aw_lock_d  = held_exclusive_q;
            aw_burst_d = held_burst_q;
            w_strobe_d = held_strobe_q;
            w_data_d   = held_data_q;
            stage_d    = MEMORY_REST;
            if (held_burst_q) begin
                w_strobe_d = beat_strobe;
                w_data_d   = buffer_q[63:0];
                w_mask_d   = held_data_q[31:2];
                buffer_d   = buffer_q >> 64;
                left_d     = 4'd15;
            end
        end

        // 12 Write message
        for (i = 0; i < W; i = i + 1)
            if (stage_q == MEMORY_REST && write_pick[i]) begin
                stage_d       = MEMORY_FIRST;
                serve_d       = i[WRITER_BITS-1:0];
                write_turn_d  = (i == LAST_WRITER) ? {WRITER_BITS{1'b0}} : i[WRITER_BITS-1:0] + NEXT_WRITER;
                held_old_d    = 1'b0;
                held_fail_d   = barred[i];
                wait_old_d[i] = 1'b0;
                give_up_d[i]  = 1'b0;
            end
        if (stage_q == MEMORY_FIRST && serve_offered) begin
            held_addr_d   = serve_word[39:3];
            held_strobe_d = serve_word[47:40];
            held_tag_d    = serve_word[53:48];
            stage_d       = MEMORY_SECOND;
            held_exclusive_d = execute_at != {FE_PIPES{1'b0}} && serve_word[54];
            held_burst_d  = serve_word[55];
            fill_d        = {serve_word[55], 4'd0};
        end
        if (stage_q == MEMORY_SECOND && serve_offered) begin
            if (fill_q == 5'd0)
                stage_d = MEMORY_HELD;
            else
                fill_d = fill_q - 5'd1;
            if (!held_burst_q || fill_q == 5'd16)
                held_data_d = serve_word;
            else if (!held_fail_q)          // a message that fails may come while the buffer is not empty
                buffer_d = {serve_word, buffer_q[1023:64]};
        end
    end

    always @(posedge clk) begin
        period_q       <= period_d;
        ask_valid_q    <= ask_valid_d;
        ask_addr_q     <= ask_addr_d;
        ask_beats_q    <= ask_beats_d;
        read_turn_q    <= read_turn_d;
        ar_valid_q     <= ar_valid_d;
        ar_id_q        <= ar_id_d;
        ar_addr_q      <= ar_addr_d;
        ar_len_q       <= ar_len_d;
        reads_q        <= reads_d;
        reads_late_q   <= reads_late_d;
        beats_q        <= beats_d;
        beats_next_q   <= beats_next_d;
        read_old_q     <= read_old_d;
        read_expired_q <= read_expired_d;
        data_valid_q   <= data_valid_d;
        data_target_q  <= data_target_d;
        data_word_q    <= data_word_d;
        data_last_q    <= data_last_d;
        data_error_q   <= data_error_d;
        stage_q        <= stage_d;
        serve_q        <= serve_d;
        write_turn_q   <= write_turn_d;
        held_addr_q    <= held_addr_d;
        held_strobe_q  <= held_strobe_d;
        held_tag_q     <= held_tag_d;
        held_data_q    <= held_data_d;
        held_burst_q   <= held_burst_d;
        fill_q         <= fill_d;
        buffer_q       <= buffer_d;
        held_old_q     <= held_old_d;
        held_fail_q    <= held_fail_d;
        aw_valid_q     <= aw_valid_d;
        w_valid_q      <= w_valid_d;
        aw_id_q        <= aw_id_d;
        aw_addr_q      <= aw_addr_d;
        w_strobe_q     <= w_strobe_d;
        w_data_q       <= w_data_d;
        w_mask_q       <= w_mask_d;
        left_q         <= left_d;
        writes_q       <= writes_d;
        writes_late_q  <= writes_late_d;
        write_tag_q    <= write_tag_d;
        write_addr_q   <= write_addr_d;
        write_old_q    <= write_old_d;
        write_expired_q <= write_expired_d;
        wait_old_q     <= wait_old_d;
        give_up_q      <= give_up_d;
        ack_valid_q    <= ack_valid_d;
        ack_target_q   <= ack_target_d;
        ack_tag_q      <= ack_tag_d;
        ack_error_q    <= ack_error_d;
        ack_addr_q     <= ack_addr_d;
        ask_exclusive_q   <= ask_exclusive_d;
        ar_lock_q         <= ar_lock_d;
        data_exokay_q     <= data_exokay_d;
        held_exclusive_q  <= held_exclusive_d;
        aw_lock_q         <= aw_lock_d;
        aw_burst_q        <= aw_burst_d;
        write_exclusive_q <= write_exclusive_d;
        ack_exclusive_q   <= ack_exclusive_d;
        ack_exokay_q      <= ack_exokay_d;
        told_q         <= told_d;
        error_left_q   <= error_left_d;
        error_path_q   <= error_path_d;
        fence_busy_q    <= fence_busy_d;
        fence_late_q    <= fence_late_d;
        fence_old_q     <= fence_old_d;
        fence_expired_q <= fence_expired_d;
        fence_owner_q   <= fence_owner_d;
        fence_tag_q     <= fence_tag_d;
        fence_addr_q    <= fence_addr_d;
        if (rst) begin
            period_q        <= 32'd0;
            ask_valid_q     <= {R{1'b0}};
            read_turn_q     <= {READER_BITS{1'b0}};
            ar_valid_q      <= 1'b0;
            reads_q         <= {2*R{1'b0}};
            reads_late_q    <= {2*R{1'b0}};
            read_old_q      <= {R{1'b0}};
            read_expired_q  <= {R{1'b0}};
            data_valid_q    <= 1'b0;
            stage_q         <= MEMORY_REST;
            serve_q         <= {WRITER_BITS{1'b0}};
            write_turn_q    <= {WRITER_BITS{1'b0}};
            held_exclusive_q <= 1'b0;
            held_burst_q    <= 1'b0;
            fill_q          <= 5'd0;
            aw_burst_q      <= 1'b0;
            left_q          <= 4'd0;
            held_old_q      <= 1'b0;
            held_fail_q     <= 1'b0;
            aw_valid_q      <= 1'b0;
            w_valid_q       <= 1'b0;
            writes_q        <= {2*S{1'b0}};
            writes_late_q   <= {2*S{1'b0}};
            write_old_q     <= {S{1'b0}};
            write_expired_q <= {S{1'b0}};
            fence_busy_q    <= {F{1'b0}};
            fence_late_q    <= {F{1'b0}};
            fence_old_q     <= {F{1'b0}};
            fence_expired_q <= {F{1'b0}};
            wait_old_q      <= {W{1'b0}};
            give_up_q       <= {W{1'b0}};
            ack_valid_q     <= 1'b0;
            told_q          <= {(R+1){1'b0}};
            error_left_q    <= 2'd0;
        end
    end
`ifdef FORMAL
`include "totem_memory_properties.vh"
`endif
endmodule

`default_nettype wire
