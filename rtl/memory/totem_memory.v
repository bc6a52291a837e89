// SPDX-License-Identifier: Apache-2.0
//
// totem_memory: AXI4 master of a front end.
//
// Policy    read requesters (three per pipe) and write requesters (four per pipe) are taken in turn. At most two
//           reads of a requester and two writes of a stream (reports, packet writes, MQDs) are outstanding and answered
//           in order. Fence writes share IDs of their own, one write each, so that none waits for another's answer. A
//           read waits for the response of an outstanding write to the same 4 KiB. A response that shows no progress
//           over a whole period of so many clocks (`patience`) is given up: error 3 for the requester, the ID stays
//           reserved until the late response has come and been dropped. Every request gets exactly one end (contract 3
//           and 4).
// Latency   read request to AR 2 clocks, read beat to requester 1, write message to AW and W 4, response to ack 1.
// Boundary  everything on the AXI and on the requesters' side is a function of state; payloads are stable while
//           valid && !ready (contract 1). R and B are always ready. A burst longer or shorter than asked for
//           reaches the requester with the length it asked for, or shorter with an error on its last beat.
// Cost      READERS: each one a request of 42 bits; STREAMS: each one two addresses of 38 bits and as many comparators;
//           FENCES: each one an address and a comparator.
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
    output wire [READERS-1:0]     read_ready,
    output wire                   data_valid,
    output wire [READER_BITS-1:0] data_target,
    output wire [63:0]            data_word,
    output wire                   data_last,
    output wire [1:0]             data_error,
    // writers
    input  wire [WRITERS-1:0]     write_valid,
    input  wire [WRITERS*64-1:0]  write_word,
    input  wire [FE_PIPES-1:0]       fence_write_room,
    input  wire [FE_PIPES-1:0]       packet_fence_write,
    input  wire [FE_PIPES-1:0]       record_write_valid,
    input  wire [FE_PIPES*64-1:0]    record_write_word,
    output wire [WRITERS-1:0]     write_ready,
    output wire                   ack_valid,
    output wire [WRITER_BITS-1:0] ack_target,
    output wire [5:0]             ack_tag,
    output wire [1:0]             ack_error,
    output wire [39:0]            ack_addr,
    // registers
    input  wire [31:0]            settings_timeout,
    input  wire [23:0]            settings_dequeue_timeout,
    input  wire [FE_PIPES-1:0]       kill_overdue,
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
    reg [READER_BITS-1:0] read_turn_q, read_turn_d;
    reg              ar_valid_q, ar_valid_d;
    reg [READER_BITS-1:0] ar_id_q, ar_id_d;
    reg [36:0]       ar_addr_q, ar_addr_d;
    reg [3:0]        ar_len_q, ar_len_d;
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
    // writes
    reg [1:0]        stage_q, stage_d;
    reg [WRITER_BITS-1:0] serve_q, serve_d;
    reg [WRITER_BITS-1:0] write_turn_q, write_turn_d;
    reg [36:0]       held_addr_q, held_addr_d;
    reg [7:0]        held_strobe_q, held_strobe_d;
    reg [5:0]        held_tag_q, held_tag_d;
    reg [63:0]       held_data_q, held_data_d;
    reg              held_old_q, held_old_d;
    reg              held_fail_q, held_fail_d;
    reg              aw_valid_q, aw_valid_d;
    reg              w_valid_q, w_valid_d;
    reg [ID_BITS-1:0] aw_id_q, aw_id_d;
    reg [36:0]       aw_addr_q, aw_addr_d;
    reg [7:0]        w_strobe_q, w_strobe_d;
    reg [63:0]       w_data_q, w_data_d;
    reg [S*2-1:0]    writes_q, writes_d;
    reg [S*2-1:0]    writes_late_q, writes_late_d;
    reg [S*2*6-1:0]  write_tag_q, write_tag_d;
    reg [S*2*38-1:0] write_addr_q, write_addr_d;
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
    end

    assign read_ready    = ~ask_valid_q;
    assign data_valid    = data_valid_q;
    assign data_target   = data_target_q;
    assign data_word     = data_word_q;
    assign data_last     = data_last_q;
    assign data_error    = data_error_q;
    assign write_ready   = (stage_q == 2'd1 || stage_q == 2'd2) ? ({{(W-1){1'b0}}, 1'b1} << serve_q) : {W{1'b0}};
    assign ack_valid     = ack_valid_q;
    assign ack_target    = ack_target_q;
    assign ack_tag       = ack_tag_q;
    assign ack_error     = ack_error_q;
    assign ack_addr      = {ack_addr_q, 2'b00};
    assign idle          = !(|ask_valid_q) && !(|reads_q) && !(|writes_q) && !(|fence_busy_q) && stage_q == 2'd0 &&
                           !data_valid_q && !ack_valid_q;
    assign dead          = |closed;
    assign error_valid   = error_left_q != 2'd0;
    assign error_word    = (error_left_q == 2'd2) ? {`TOTEM_ERROR_MEMORY_PATH_DEAD, 56'd0} :
                                                    {{64-PATH_BITS{1'b0}}, error_path_q};

    // Paths without an ID: read requesters, writes.
    reg  [R:0]   closed;
    integer      path;
    always @* begin
        for (path = 0; path < R; path = path + 1)
            closed[path] = reads_late_q[path*2 +: 2] != 2'd0;
        closed[R] = &fence_late_q;
    end
    wire [R:0] untold = closed & ~told_q;
    assign m_axi_awid    = aw_id_q;
    assign m_axi_awaddr  = {aw_addr_q, 3'b000};
    assign m_axi_awlen   = 8'd0;
    assign m_axi_awsize  = 3'd3;
    assign m_axi_awburst = 2'd1;
    assign m_axi_awvalid = aw_valid_q;
    assign m_axi_wdata   = w_data_q;
    assign m_axi_wstrb   = w_strobe_q;
    assign m_axi_wlast   = 1'b1;
    assign m_axi_wvalid  = w_valid_q;
    assign m_axi_bready  = 1'b1;
    assign m_axi_arid    = ar_id_q;
    assign m_axi_araddr  = {ar_addr_q, 3'b000};
    assign m_axi_arlen   = {4'd0, ar_len_q};
    assign m_axi_arsize  = 3'd3;
    assign m_axi_arburst = 2'd1;
    assign m_axi_arvalid = ar_valid_q;
    assign m_axi_rready  = 1'b1;

    // While a reset takes too long the periods are those of its time-out, rounded up to 4096 n - 1.
    wire [31:0] hurried       = {8'd0, settings_dequeue_timeout | 24'h000fff};
    wire        hurry         = (|kill_overdue) && settings_dequeue_timeout != 24'd0 &&
                                (settings_timeout == 32'd0 || settings_timeout > hurried);
    wire [31:0] patience      = hurry ? hurried : settings_timeout;
    wire        tick          = patience != 32'd0 && period_q >= patience - 32'd1;
    wire        any_read_due  = |read_expired_q;
    wire        any_write_due = (|write_expired_q) || (|fence_expired_q);
    wire [37:0] message_addr  = {held_addr_q, held_strobe_q[3:0] == 4'd0};
    // Read beat: its requester, what that expects. One bit per requester: arrays are small, and indexed writes of
    // flattened arrays would become barrel shifters.
    wire [1:0]  r_error       = m_axi_rresp[1] ? {m_axi_rresp[0], !m_axi_rresp[0]} : 2'd0;
    reg  [R-1:0] r_at, r_late, r_forward, r_expected, due_read, read_can, read_pick;
    reg  [S-1:0] b_at, b_late, b_forward, due_write;
    reg  [F-1:0] f_at, f_late, f_forward, due_fence, free;
    reg  [W-1:0] offered;                   // write_valid, with the gate of packet and with record
    reg  [W-1:0] serve_at, send_at, may, shut, write_can, write_pick;
    reg  [S-1:0] lends, borrows;            // a stream has a fence's ID, or would take one, since its own is reserved
    reg          to_pool;                   // the message that leaves takes a fence's ID
    integer      j;
    reg         r_any, r_fits, r_last, b_any, fail_held;
    reg         serve_valid;
    reg  [63:0] serve_word;
    reg         serve_free;
    reg  [36:0] pick_addr;
    reg  [4:0]  pick_beats;
    reg         read_blocked;
    reg         read_send;
    integer     i;

    always @* begin
        period_d       = (tick || patience == 32'd0) ? 32'd0 : period_q + 32'd1;
        ask_valid_d    = ask_valid_q;
        ask_addr_d     = ask_addr_q;
        ask_beats_d    = ask_beats_q;
        read_turn_d    = read_turn_q;
        ar_valid_d     = ar_valid_q && !m_axi_arready;
        ar_id_d        = ar_id_q;
        ar_addr_d      = ar_addr_q;
        ar_len_d       = ar_len_q;
        reads_d        = reads_q;
        reads_late_d   = reads_late_q;
        beats_d        = beats_q;
        beats_next_d   = beats_next_q;
        read_old_d     = read_old_q;
        read_expired_d = read_expired_q;
        data_valid_d   = 1'b0;
        data_target_d  = data_target_q;
        data_word_d    = data_word_q;
        data_last_d    = data_last_q;
        data_error_d   = data_error_q;
        stage_d        = stage_q;
        serve_d        = serve_q;
        write_turn_d   = write_turn_q;
        held_addr_d    = held_addr_q;
        held_strobe_d  = held_strobe_q;
        held_tag_d     = held_tag_q;
        held_data_d    = held_data_q;
        held_old_d     = held_old_q;
        held_fail_d    = held_fail_q;
        aw_valid_d     = aw_valid_q && !m_axi_awready;
        w_valid_d      = w_valid_q && !m_axi_wready;
        aw_id_d        = aw_id_q;
        aw_addr_d      = aw_addr_q;
        w_strobe_d     = w_strobe_q;
        w_data_d       = w_data_q;
        writes_d       = writes_q;
        writes_late_d  = writes_late_q;
        write_tag_d    = write_tag_q;
        write_addr_d   = write_addr_q;
        write_old_d    = write_old_q;
        write_expired_d = write_expired_q;
        wait_old_d     = wait_old_q;
        give_up_d      = give_up_q;
        ack_valid_d    = 1'b0;
        ack_target_d   = ack_target_q;
        ack_tag_d      = ack_tag_q;
        ack_error_d    = ack_error_q;
        ack_addr_d     = ack_addr_q;
        told_d         = told_q & closed;
        error_left_d   = error_left_q;
        error_path_d   = error_path_q;
        fence_busy_d    = fence_busy_q;
        fence_late_d    = fence_late_q;
        fence_old_d     = fence_old_q;
        fence_expired_d = fence_expired_q;
        fence_owner_d   = fence_owner_q;
        fence_tag_d     = fence_tag_q;
        fence_addr_d    = fence_addr_q;

        // Message about a path that has been shut.
        if (error_left_q != 2'd0) begin
            if (events_error_ready)
                error_left_d = error_left_q - 2'd1;
        end else if (|untold) begin
            told_d       = told_d | (untold & (~untold + {{R{1'b0}}, 1'b1}));
            error_left_d = 2'd2;
            for (i = R; i >= 0; i = i - 1)
                if (untold[i])
                    error_path_d = i[PATH_BITS-1:0];
        end

        // Who is meant, one bit per requester.
        for (i = 0; i < R; i = i + 1) begin
            r_at[i]       = m_axi_rvalid && m_axi_rid == i[READER_BITS-1:0];
            r_late[i]     = r_at[i] && reads_late_q[i*2 +: 2] != 2'd0;
            r_forward[i]  = r_at[i] && !r_late[i] && reads_q[i*2 +: 2] != 2'd0;
            r_expected[i] = beats_q[i*5 +: 5] == 5'd1;
            read_can[i]   = ask_valid_q[i] && !reads_q[i*2 + 1] && reads_late_q[i*2 +: 2] == 2'd0;
        end
        r_any     = |r_forward;
        r_fits    = m_axi_rlast == (|(r_forward & r_expected));
        r_last    = m_axi_rlast || !r_fits;
        due_read  = read_expired_q & (~read_expired_q + {{(R-1){1'b0}}, 1'b1});
        read_pick = read_can & ({R{1'b1}} << read_turn_q);
        if (read_pick == {R{1'b0}})
            read_pick = read_can;
        read_pick = read_pick & (~read_pick + {{(R-1){1'b0}}, 1'b1});
        serve_valid = 1'b0;
        serve_word  = 64'd0;
        serve_free  = 1'b0;
        free = ~(fence_busy_q | fence_late_q);
        free = free & (~free + {{(F-1){1'b0}}, 1'b1});
        for (i = 0; i < F; i = i + 1) begin
            f_at[i]      = m_axi_bvalid && m_axi_bid == {1'b1, i[ID_BITS-2:0]};
            f_late[i]    = f_at[i] && fence_late_q[i];
            f_forward[i] = f_at[i] && !fence_late_q[i] && fence_busy_q[i];
        end
        for (i = 0; i < S; i = i + 1) begin
            b_at[i]      = m_axi_bvalid && m_axi_bid == i[ID_BITS-1:0];
            b_late[i]    = b_at[i] && writes_late_q[i*2 +: 2] != 2'd0;
            b_forward[i] = b_at[i] && !b_late[i] && writes_q[i*2 +: 2] != 2'd0;
            lends[i]     = 1'b0;
            for (j = 0; j < F; j = j + 1)
                lends[i] = lends[i] ||
                           (fence_busy_q[j] && fence_owner_q[j*WRITER_BITS +: WRITER_BITS] == i[WRITER_BITS-1:0]);
            borrows[i]   = writes_late_q[i*2 +: 2] != 2'd0;
            may[i]       = !lends[i] && (borrows[i] ? writes_q[i*2 +: 2] == 2'd0 && (|free) : !writes_q[i*2 + 1]);
            shut[i]      = borrows[i] && (&fence_late_q);
        end
        for (i = S; i < W; i = i + 1) begin
            may[i]  = |free;
            shut[i] = &fence_late_q;
        end
        offered = write_valid;
        for (i = 0; i < FE_PIPES; i = i + 1) begin
            offered[2*i+1]     = write_valid[2*i+1] && fence_write_room[i] && !packet_fence_write[i];
            offered[2*FE_PIPES+i] = write_valid[2*FE_PIPES+i] || record_write_valid[i];
        end
        for (i = 0; i < W; i = i + 1) begin
            serve_at[i]  = serve_q == i[WRITER_BITS-1:0];
            if (serve_at[i]) begin
                serve_valid = offered[i];
                serve_word  = write_word[i*64 +: 64];
                serve_free  = may[i];
            end
            write_can[i] = offered[i] && (may[i] || (shut[i] && give_up_q[i]));
        end
        for (i = 0; i < FE_PIPES; i = i + 1)
            if (serve_at[2*FE_PIPES+i] && record_write_valid[i])
                serve_word = record_write_word[i*64 +: 64];
        b_any      = (|b_forward) || (|f_forward);
        fail_held  = stage_q == 2'd3 && held_fail_q && !b_any && !any_write_due;
        due_write  = write_expired_q & (~write_expired_q + {{(S-1){1'b0}}, 1'b1});
        due_fence  = (|write_expired_q) ? {F{1'b0}} : fence_expired_q & (~fence_expired_q + {{(F-1){1'b0}}, 1'b1});
        write_pick = write_can & ({W{1'b1}} << write_turn_q);
        if (write_pick == {W{1'b0}})
            write_pick = write_can;
        write_pick = write_pick & (~write_pick + {{(W-1){1'b0}}, 1'b1});
        send_at = (stage_q == 2'd3 && !held_fail_q && !aw_valid_d && !w_valid_d && !any_write_due && serve_free) ?
                  serve_at : {W{1'b0}};
        to_pool = |(send_at & {{FE_PIPES{1'b1}}, borrows});

        // Patience: what was there at the last tick and is there still has waited a whole period.
        for (i = 0; i < R; i = i + 1)
            if (tick && (ask_valid_q[i] || reads_q[i*2 +: 2] != 2'd0)) begin
                read_old_d[i]     = 1'b1;
                read_expired_d[i] = read_expired_q[i] || read_old_q[i];
            end
        for (i = 0; i < S; i = i + 1)
            if (tick && writes_q[i*2 +: 2] != 2'd0) begin
                write_old_d[i]     = 1'b1;
                write_expired_d[i] = write_expired_q[i] || write_old_q[i];
            end
        if (tick) begin
            fence_old_d     = fence_old_q | fence_busy_q;
            fence_expired_d = fence_expired_q | (fence_old_q & fence_busy_q);
        end
        for (i = 0; i < W; i = i + 1) begin
            if (!shut[i]) begin
                wait_old_d[i] = 1'b0;
                give_up_d[i]  = 1'b0;
            end else if (tick && offered[i] && !(stage_q != 2'd0 && serve_at[i])) begin
                wait_old_d[i] = 1'b1;
                give_up_d[i]  = give_up_q[i] || wait_old_q[i];
            end
        end
        if (tick && stage_q == 2'd3) begin
            held_old_d  = 1'b1;
            held_fail_d = held_fail_q || held_old_q;
        end

        // The read that may leave. The turn moves on also past a blocked one: those behind it need not wait.
        pick_addr  = 37'd0;
        pick_beats = 5'd0;
        for (i = 0; i < R; i = i + 1)
            if (read_pick[i]) begin
                pick_addr  = ask_addr_q[i*37 +: 37];
                pick_beats = ask_beats_q[i*5 +: 5];
            end
        read_blocked = stage_q[1] && !held_fail_q && held_addr_q[36:9] == pick_addr[36:9];
        for (i = 0; i < S; i = i + 1) begin
            if (writes_q[i*2 +: 2] != 2'd0 && write_addr_q[i*76 + 10 +: 28] == pick_addr[36:9])
                read_blocked = 1'b1;
            if (writes_q[i*2 + 1] && write_addr_q[i*76 + 48 +: 28] == pick_addr[36:9])
                read_blocked = 1'b1;
        end
        for (i = 0; i < F; i = i + 1)
            if (fence_busy_q[i] && fence_addr_q[i*38 + 10 +: 28] == pick_addr[36:9])
                read_blocked = 1'b1;
        read_send = !ar_valid_d && (|read_pick) && !any_read_due && !read_blocked;
        if (read_send) begin
            ar_valid_d = 1'b1;
            ar_addr_d  = pick_addr;
            ar_len_d   = pick_beats[3:0] - 4'd1;
        end

        // Reads: a beat, else one given up; then the one that leaves; then the new request.
        if (r_any || any_read_due) begin
            data_valid_d = 1'b1;
            data_word_d  = r_any ? m_axi_rdata : 64'd0;
            data_last_d  = r_any ? r_last : 1'b1;
            data_error_d = !r_any ? 2'd3 :
                           (r_error == 2'd0 && !r_fits) ? 2'd1 : r_error;
        end
        for (i = 0; i < R; i = i + 1) begin
            if (r_late[i] && m_axi_rlast)
                reads_late_d[i*2 +: 2] = reads_late_q[i*2 +: 2] - 2'd1;
            if (r_forward[i]) begin
                data_target_d     = i[READER_BITS-1:0];
                read_old_d[i]     = 1'b0;
                read_expired_d[i] = 1'b0;
                beats_d[i*5 +: 5] = beats_q[i*5 +: 5] - 5'd1;
                if (r_last) begin
                    reads_d[i*2 +: 2] = reads_q[i*2 +: 2] - 2'd1;
                    beats_d[i*5 +: 5] = beats_next_q[i*5 +: 5];
                    if (!m_axi_rlast)
                        reads_late_d[i*2 +: 2] = 2'd1;
                end
            end else if (!r_any && due_read[i]) begin
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
            if (!(ar_valid_q && !m_axi_arready) && read_pick[i]) begin
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
            if (read_valid[i] && !ask_valid_q[i]) begin
                ask_valid_d[i]         = 1'b1;
                ask_addr_d[i*37 +: 37] = read_addr[i*40 + 3 +: 37];
                ask_beats_d[i*5 +: 5]  = read_beats[i*5 +: 5];
            end
        end

        // Writes: a response, else one given up, else the held message that fails; then the one that leaves.
        if (b_any || any_write_due || fail_held) begin
            ack_valid_d = 1'b1;
            ack_error_d = !b_any ? 2'd3 : m_axi_bresp[1] ? {m_axi_bresp[0], !m_axi_bresp[0]} : 2'd0;
        end
        if (fail_held) begin
            ack_target_d = serve_q;
            ack_tag_d    = held_tag_q;
            ack_addr_d   = message_addr;
            stage_d      = 2'd0;
        end
        for (i = 0; i < F; i = i + 1) begin
            if (f_late[i])
                fence_late_d[i] = 1'b0;
            if (f_forward[i] || (!b_any && due_fence[i])) begin
                ack_target_d       = fence_owner_q[i*WRITER_BITS +: WRITER_BITS];
                ack_tag_d          = fence_tag_q[i*6 +: 6];
                ack_addr_d         = fence_addr_q[i*38 +: 38];
                fence_busy_d[i]    = 1'b0;
                fence_expired_d[i] = 1'b0;
                if (!f_forward[i])
                    fence_late_d[i] = 1'b1;
            end
            if (to_pool && free[i]) begin
                fence_busy_d[i]          = 1'b1;
                fence_old_d[i]           = 1'b0;
                fence_expired_d[i]       = 1'b0;
                fence_owner_d[i*WRITER_BITS +: WRITER_BITS] = serve_q;
                fence_tag_d[i*6 +: 6]    = held_tag_q;
                fence_addr_d[i*38 +: 38] = message_addr;
                aw_id_d                  = {1'b1, i[ID_BITS-2:0]};
            end
        end
        for (i = 0; i < S; i = i + 1) begin
            if (b_late[i])
                writes_late_d[i*2 +: 2] = writes_late_q[i*2 +: 2] - 2'd1;
            if (b_forward[i] || (!b_any && due_write[i])) begin
                ack_target_d            = i[WRITER_BITS-1:0];
                ack_tag_d               = write_tag_q[i*12 +: 6];
                ack_addr_d              = write_addr_q[i*76 +: 38];
                writes_d[i*2 +: 2]      = writes_q[i*2 +: 2] - 2'd1;
                write_tag_d[i*12 +: 6]  = write_tag_q[i*12 + 6 +: 6];
                write_addr_d[i*76 +: 38] = write_addr_q[i*76 + 38 +: 38];
                write_old_d[i]          = 1'b0;
                if (b_forward[i] || writes_q[i*2 +: 2] == 2'd1)
                    write_expired_d[i] = 1'b0;
                if (!b_forward[i])
                    writes_late_d[i*2 +: 2] = writes_late_d[i*2 +: 2] + 2'd1;
            end
            if (send_at[i] && !borrows[i]) begin
                if (writes_d[i*2 +: 2] == 2'd0) begin
                    write_tag_d[i*12 +: 6]   = held_tag_q;
                    write_addr_d[i*76 +: 38] = message_addr;
                    write_old_d[i]           = 1'b0;
                end else begin
                    write_tag_d[i*12 + 6 +: 6]    = held_tag_q;
                    write_addr_d[i*76 + 38 +: 38] = message_addr;
                end
                writes_d[i*2 +: 2] = writes_d[i*2 +: 2] + 2'd1;
                aw_id_d            = i[ID_BITS-1:0];
            end
        end
        for (i = 0; i < W; i = i + 1)
            if (stage_q == 2'd0 && write_pick[i]) begin
                stage_d       = 2'd1;
                serve_d       = i[WRITER_BITS-1:0];
                write_turn_d  = (i == LAST_WRITER) ? {WRITER_BITS{1'b0}} : i[WRITER_BITS-1:0] + NEXT_WRITER;
                held_old_d    = 1'b0;
                held_fail_d   = shut[i];
                wait_old_d[i] = 1'b0;
                give_up_d[i]  = 1'b0;
            end
        if (|send_at) begin
            aw_valid_d = 1'b1;
            w_valid_d  = 1'b1;
            aw_addr_d  = held_addr_q;
            w_strobe_d = held_strobe_q;
            w_data_d   = held_data_q;
            stage_d    = 2'd0;
        end

        // Write message.
        if (stage_q == 2'd1 && serve_valid) begin
            held_addr_d   = serve_word[39:3];
            held_strobe_d = serve_word[47:40];
            held_tag_d    = serve_word[53:48];
            stage_d       = 2'd2;
        end
        if (stage_q == 2'd2 && serve_valid) begin
            held_data_d = serve_word;
            stage_d     = 2'd3;
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
        held_old_q     <= held_old_d;
        held_fail_q    <= held_fail_d;
        aw_valid_q     <= aw_valid_d;
        w_valid_q      <= w_valid_d;
        aw_id_q        <= aw_id_d;
        aw_addr_q      <= aw_addr_d;
        w_strobe_q     <= w_strobe_d;
        w_data_q       <= w_data_d;
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
            stage_q         <= 2'd0;
            serve_q         <= {WRITER_BITS{1'b0}};
            write_turn_q    <= {WRITER_BITS{1'b0}};
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
