// SPDX-License-Identifier: Apache-2.0
//
// totem_poll: looks after the conditions for which the queues of a pipe wait, and owns the pipe's poll port.
//
// Policy    one read in flight; queues that are due take turns, and with the reads of the packet processor.
//           One queue's deadline is compared per clock, that of the clock counter's low bits.
// Latency   a read of the packet processor reaches memory one clock after it is taken, a poll three.
// Boundary  conditions lie in a RAM that `packet` writes; a wait that has ended is kept until its packet
//           is passed. A dropped wait's answer is thrown away.
// Cost      QUEUES x 40 flip-flops, 75 more; one 33-bit subtraction, one 32-bit comparison.
// Proved    a request stands still until it is taken (2); ended and waiting exclude each other (1); polls of
//           one wait keep their distance (3).
// Twin      cmodel/queue/totem_poll.c, same names.

`default_nettype none
`include "totem_pm4.vh"

module totem_poll #(
    parameter QUEUES = 8                    // a power of two, 2 to 8
) (
    input  wire                      clk,
    input  wire                      rst,
    // hqd
    input  wire                      load_valid,
    input  wire [$clog2(QUEUES)-1:0] load_queue,
    input  wire [3:0]                load_kind,
    // arbiter
    input  wire [QUEUES-1:0]         arbiter_active,
    // packet
    input  wire [$clog2(QUEUES)-1:0] packet_queue,
    input  wire                      packet_commit,
    input  wire                      packet_wait,
    input  wire                      packet_wait_last,
    input  wire                      packet_wait_timer,
    input  wire [63:0]               packet_wait_word,
    input  wire                      packet_read_valid,
    input  wire [39:0]               packet_read_addr,
    output wire                      packet_read_ready,
    output wire                      packet_answer,
    output wire [QUEUES-1:0]         waiting,
    output wire [QUEUES-1:0]         ended,
    output wire [QUEUES*2-1:0]       error,
    // condition RAM
    output wire                      ram_read_enable,
    output wire [$clog2(QUEUES):0]   ram_read_addr,
    input  wire [63:0]               ram_read_data,
    // memory
    output wire                      busy,
    output wire                      read_valid,
    output wire [39:0]               read_addr,
    input  wire                      read_ready,
    input  wire                      data_valid,
    input  wire [63:0]               data_word,
    input  wire [1:0]                data_error,
    // host
    input  wire [63:0]               clock
);
    localparam Q = $clog2(QUEUES);

    generate
        if (QUEUES < 2 || QUEUES > 8 || QUEUES != (1 << Q)) begin : check
            totem_poll_needs_QUEUES_a_power_of_two_from_2_to_8 refused ();
        end
    endgenerate

    localparam [2:0] FREE = 3'd0, LOOK = 3'd1, TAKE = 3'd2, ASK = 3'd3, ANSWER = 3'd4;
    localparam [3:0] LOAD_ACTIVE = 4'd0, LOAD_RESUME = 4'd10, LOAD_SKIP = 4'd11;

    reg [2:0]           phase_q, phase_d;
    reg                 own_q, own_d;
    reg [Q-1:0]         queue_q, queue_d;
    reg                 live_q, live_d;
    reg [37:0]          address_q, address_d;
    reg [2:0]           compare_q, compare_d;
    reg [19:0]          pause_q, pause_d;
    reg [QUEUES-1:0]    waiting_q, waiting_d;
    reg [QUEUES-1:0]    timer_q, timer_d;
    reg [QUEUES-1:0]    due_q, due_d;
    reg [QUEUES-1:0]    ended_q, ended_d;
    reg [QUEUES*2-1:0]  error_q, error_d;
    reg [QUEUES*33-1:0] deadline_q, deadline_d;

    // Registers that reset leaves alone read 0 at start, as in the model.
    initial begin
        phase_q = 0;   own_q = 0;   queue_q = 0; live_q = 0;  address_q = 0; compare_q = 0; pause_q = 0;
        waiting_q = 0; timer_q = 0; due_q = 0;   ended_q = 0; error_q = 0;   deadline_q = 0;
    end

    wire polls = phase_q != FREE && !own_q && live_q;   // for a wait that is still there

    assign packet_read_ready = phase_q == FREE && !(own_q && |due_q);
    assign packet_answer     = phase_q == ANSWER && own_q;
    assign waiting           = waiting_q;
    assign ended             = ended_q;
    assign error             = error_q;
    assign ram_read_enable   = phase_q == LOOK || phase_q == TAKE;
    assign ram_read_addr     = {queue_q, phase_q == TAKE};
    assign busy              = phase_q != FREE;
    assign read_valid        = phase_q == ASK;
    assign read_addr         = {address_q[37:1], 3'd0};

    // The deadline that is looked at in this clock.
    wire [Q-1:0] visit    = clock[Q-1:0];
    wire [32:0]  past     = clock[32:0] - deadline_q[visit*33 +: 33];
    wire         reached  = waiting_q[visit] && !due_q[visit] && !(polls && queue_q == visit) && !past[32];

    // The first due queue behind the one polled last, else the first of all.
    wire [QUEUES-1:0] above  = {QUEUES{1'b1}} << queue_q << 1;
    wire [QUEUES-1:0] behind = |(due_q & above) ? due_q & above : due_q;
    reg  [Q-1:0]      next;
    integer i;
    always @* begin
        next = {Q{1'b0}};
        for (i = QUEUES - 1; i >= 0; i = i - 1)
            if (behind[i])
                next = i[Q-1:0];
    end

    wire [31:0] value     = (address_q[0] ? data_word[63:32] : data_word[31:0]) & ram_read_data[63:32];
    wire [31:0] reference = ram_read_data[31:0];
    wire        below     = value < reference;
    wire        equal     = value == reference;
    reg         holds;
    always @* begin
        case (compare_q)
            `TOTEM_COMPARE_LT: holds = below;
            `TOTEM_COMPARE_LE: holds = below || equal;
            `TOTEM_COMPARE_EQ: holds = equal;
            `TOTEM_COMPARE_NE: holds = !equal;
            `TOTEM_COMPARE_GE: holds = !below;
            `TOTEM_COMPARE_GT: holds = !below && !equal;
            default:           holds = 1'b1;
        endcase
    end

    wire dropped = load_valid && (load_kind == LOAD_ACTIVE || load_kind == LOAD_RESUME || load_kind == LOAD_SKIP);
    wire unused  = &{1'b0, clock[63:33], packet_wait_word[63:32], packet_read_addr[1:0], past[31:0]};

    always @* begin
        phase_d    = phase_q;
        own_d      = own_q;
        queue_d    = queue_q;
        live_d     = live_q;
        address_d  = address_q;
        compare_d  = compare_q;
        pause_d    = pause_q;
        waiting_d  = waiting_q;
        timer_d    = timer_q;
        due_d      = due_q;
        ended_d    = ended_q;
        error_d    = error_q;
        deadline_d = deadline_q;

        if (reached) begin
            if (timer_q[visit]) begin
                waiting_d[visit]       = 1'b0;
                ended_d[visit]         = 1'b1;
                error_d[visit*2 +: 2]  = 2'd0;
            end else
                due_d[visit] = 1'b1;
        end

        case (phase_q)
            FREE:
                if (packet_read_valid && packet_read_ready) begin
                    own_d     = 1'b1;
                    address_d = packet_read_addr[39:2];
                    phase_d   = ASK;
                end else if (|due_q) begin
                    queue_d     = next;
                    due_d[next] = 1'b0;
                    own_d       = 1'b0;
                    live_d      = 1'b1;
                    phase_d     = LOOK;
                end
            LOOK:
                phase_d = TAKE;
            TAKE: begin
                address_d = ram_read_data[39:2];
                compare_d = ram_read_data[42:40];
                pause_d   = (ram_read_data[58:45] == 14'd0) ? 20'd64 : {ram_read_data[58:43], 4'd0};
                phase_d   = ASK;
            end
            ASK:
                if (read_ready) begin
                    if (polls)
                        deadline_d[queue_q*33 +: 33] = clock[32:0] + {13'd0, pause_q};
                    phase_d = ANSWER;
                end
            ANSWER:
                if (data_valid) begin
                    phase_d = FREE;
                    if (polls && (data_error != 2'd0 || holds)) begin
                        waiting_d[queue_q]      = 1'b0;
                        due_d[queue_q]          = 1'b0;
                        ended_d[queue_q]        = 1'b1;
                        error_d[queue_q*2 +: 2] = data_error;
                    end
                end
            default: ;
        endcase

        if (packet_commit)
            ended_d[packet_queue] = 1'b0;

        if (packet_wait && packet_wait_last && arbiter_active[packet_queue]) begin
            waiting_d[packet_queue]           = 1'b1;
            ended_d[packet_queue]             = 1'b0;
            timer_d[packet_queue]             = packet_wait_timer;
            due_d[packet_queue]               = !packet_wait_timer;
            deadline_d[packet_queue*33 +: 33] = clock[32:0] + {1'b0, packet_wait_word[31:0]};
        end

        if (dropped) begin
            waiting_d[load_queue] = 1'b0;
            due_d[load_queue]     = 1'b0;
            ended_d[load_queue]   = 1'b0;
            if (queue_d == load_queue)
                live_d = 1'b0;
        end
    end

    always @(posedge clk) begin
        phase_q    <= phase_d;
        own_q      <= own_d;
        queue_q    <= queue_d;
        live_q     <= live_d;
        address_q  <= address_d;
        compare_q  <= compare_d;
        pause_q    <= pause_d;
        waiting_q  <= waiting_d;
        timer_q    <= timer_d;
        due_q      <= due_d;
        ended_q    <= ended_d;
        error_q    <= error_d;
        deadline_q <= deadline_d;
        if (rst) begin
            phase_q   <= FREE;
            own_q     <= 1'b0;
            queue_q   <= {Q{1'b0}};
            live_q    <= 1'b0;
            waiting_q <= {QUEUES{1'b0}};
            timer_q   <= {QUEUES{1'b0}};
            due_q     <= {QUEUES{1'b0}};
            ended_q   <= {QUEUES{1'b0}};
            error_q   <= {QUEUES*2{1'b0}};
        end
    end

`ifdef FORMAL
    // Contract 1: a queue is due only while it waits for memory; it does not wait and have ended at once.
    // Contract 2: a request stands still until it is taken.
    // Contract 3: two polls of one wait, of a queue picked at will, are asked for 64 clocks apart, or more.
    // Assumed: the clock counter counts; a queue that waits, or whose wait has ended, hands nothing over.
    initial assume (rst);
    (* anyconst *) wire [Q-1:0] f_queue;
    reg         f_held = 1'b0;
    reg  [39:0] f_addr;
    reg  [32:0] f_clock;
    reg         f_counts = 1'b0;
    reg         f_polled = 1'b0;            // the wait of f_queue has been polled
    reg  [6:0]  f_since = 7'd0;             // clocks since then, at most 64
    wire        f_mine  = polls && queue_q == f_queue;
    wire        f_asked = f_mine && phase_q == ASK && read_ready;
    wire        f_begin = packet_wait && packet_wait_last && arbiter_active[packet_queue] && packet_queue == f_queue;
    wire [32:0] f_left  = deadline_q[f_queue*33 +: 33] - clock[32:0];

    always @* begin
        if (f_counts) assume (clock[32:0] == f_clock + 33'd1);
        if (packet_wait) assume (!waiting_q[packet_queue]);
    end

    always @(posedge clk) begin
        f_held   <= !rst && read_valid && !read_ready;
        f_addr   <= read_addr;
        f_clock  <= clock[32:0];
        f_counts <= 1'b1;
        if (f_since != 7'd64)
            f_since <= f_since + 7'd1;
        if (f_asked) begin
            f_polled <= 1'b1;
            f_since  <= 7'd1;
        end
        if (rst || f_begin || !waiting_q[f_queue])
            f_polled <= 1'b0;
        if (rst)
            f_since <= 7'd64;
    end

    always @*
        if (!rst) begin
            assert ((due_q & ~waiting_q) == {QUEUES{1'b0}} && (due_q & timer_q) == {QUEUES{1'b0}});             // 1
            assert ((waiting_q & ended_q) == {QUEUES{1'b0}});
            assert (phase_q <= ANSWER);
            if (polls) assert (waiting_q[queue_q] && !timer_q[queue_q] && !due_q[queue_q]);
            if (phase_q == ASK && !own_q || phase_q == ANSWER) assert (own_q || pause_q >= 20'd64);
            if (f_held) assert (read_valid && read_addr == f_addr);                                            // 2
            assert (f_since <= 7'd64);
            if (f_polled && waiting_q[f_queue] && f_since < 7'd64) begin
                assert (!due_q[f_queue] && (!f_mine || phase_q == ANSWER));
                assert (f_left >= 33'd64 - {26'd0, f_since} && !f_left[32]);
            end
            if (f_asked) assert (!f_polled || f_since == 7'd64);                                               // 3
            cover (f_asked && f_polled);
        end
`endif
endmodule

`default_nettype wire
