// SPDX-License-Identifier: Apache-2.0
//
// totem_poll: polls the conditions for which the queues of a pipe wait, reads the write pointers of queues
// without a doorbell, and owns the pipe's poll port.
//
// Policy    one read in flight; waits that are due and write pointers that are wanted take turns, and with the reads of
//           the packet processor. One queue's deadlines are compared per clock, those of the clock counter's low bits.
// Latency   a read of the packet processor reaches memory, or hqd if it is for a register, one clock after it is
//           taken, a poll three, of a pointer nine.
// Boundary  conditions lie in a RAM that `packet` writes; a wait that has ended is kept until its packet is passed,
//           or waits again and rests first. A dropped wait's answer is thrown away. Where a write pointer stands is
//           read from the window each time, and what was read goes the way of a doorbell: `hqd` checks and hands it
//           on.
// Cost      QUEUES x 57 flip-flops, 110 more; one 33-bit subtraction, one 32-bit comparison.
// Proved    a request does not change until it is taken (invariant 2); ended and waiting exclude each other (1); polls
//           of one wait keep their distance (3), reads of one write pointer too (4); messages do not change (5).
// Twin      cmodel/packet/totem_poll.c, same names.

`default_nettype none
`include "totem_pm4.vh"
`include "totem_regs.vh"

module totem_poll #(
    parameter QUEUES = 8                    // a power of two, 2 to 8
) (
    input  wire                      clk,
    input  wire                      rst,
    // hqd
    input  wire                      load_valid,
    input  wire [$clog2(QUEUES)-1:0] load_queue,
    input  wire [4:0]                load_kind,
    input  wire [39:0]               load_data,
    // arbiter
    input  wire [QUEUES-1:0]         arbiter_active,
    // packet
    input  wire [QUEUES-1:0]         packet_halted,
    input  wire [$clog2(QUEUES)-1:0] dispatch_queue,
    input  wire                      packet_commit,
    input  wire                      packet_wait_valid,
    input  wire                      packet_wait_last,
    input  wire [1:0]                packet_wait_step,
    input  wire                      packet_wait_timer,
    input  wire [63:0]               packet_wait_word,
    input  wire                      packet_poll_valid,
    input  wire [39:0]               packet_poll_addr,
    input  wire                      packet_poll_register,
    input  wire                      packet_poll_exclusive,
    output wire                      packet_read_ready,
    output wire                      packet_answer,
    output wire [QUEUES-1:0]         waiting,
    output wire [QUEUES-1:0]         ended,
    output wire [QUEUES*2-1:0]       error,
    // condition RAM
    output wire                      ram_read_enable,
    output wire [$clog2(QUEUES)+1:0]   ram_read_addr,
    input  wire [63:0]               ram_read_data,
    // hqd
    output wire [QUEUES-1:0]         polled,
    output wire [QUEUES-1:0]         once,
    output wire                      access_valid,
    output wire                      access_write,
    output wire [$clog2(QUEUES)-1:0] access_queue,
    output wire [5:0]                access_dword,
    output wire [31:0]               access_data,
    input  wire                      hqd_done,
    input  wire [4:0]                hqd_error,
    input  wire [31:0]               hqd_rdata,
    // packet
    output wire                      halt,
    output wire [$clog2(QUEUES)-1:0] halt_queue,
    // events
    output wire                      error_valid,
    output wire [63:0]               error_word,
    output wire                      error_second,
    input  wire                      events_mqd_error_ready,
    input  wire                      record_error_valid,
    input  wire                      mqd_error_valid,
    // memory
    output wire                      busy,
    output wire                      read_valid,
    output wire [39:0]               read_addr,
    output wire [4:0]                read_beats,
    output wire                      read_exclusive,
    input  wire                      read_ready,
    input  wire                      data_valid,
    input  wire [63:0]               data_word,
    input  wire [1:0]                data_error,
    // host
    input  wire [63:0]               clock,
    input  wire [QUEUES-1:0]         host_poll_once,
    input  wire [31:0]               settings_address_high,
    input  wire [1:0]                fe_number,
    input  wire                      settings_poll_enable,
    input  wire [7:0]                settings_poll_period
);
`include "totem_hqd_values.vh"
`include "totem_memory_values.vh"
`include "totem_poll_values.vh"
    localparam Q = $clog2(QUEUES);

    generate
        if (QUEUES < 2 || QUEUES > 8 || QUEUES != (1 << Q)) begin : check
            totem_poll_needs_QUEUES_a_power_of_two_from_2_to_8 refused ();
        end
    endgenerate

    localparam [7:0] OUT_OF_RANGE = `TOTEM_ERROR_HOST_DOORBELL_RANGE;
    localparam [7:0] READ_FAILED  = `TOTEM_ERROR_MEMORY_READ_SLVERR - 8'd1;     // plus the error of the beat

    reg [3:0]           phase_q, phase_d;
    reg                 own_q, own_d;
    reg                 exclusive_q, exclusive_d;
    reg                 pointer_q, pointer_d;
    reg [Q-1:0]         queue_q, queue_d;
    reg                 live_q, live_d;
    reg [37:0]          address_q, address_d;
    reg [31:0]          value_q, value_d;
    reg [1:0]           fault_q, fault_d;
    reg [2:0]           compare_q, compare_d;
    reg                 whole_q, whole_d;
    reg [63:0]          mask_q, mask_d;
    reg [19:0]          pause_q, pause_d;
    reg [QUEUES-1:0]    waiting_q, waiting_d;
    reg [QUEUES-1:0]    timer_q, timer_d;
    reg [QUEUES-1:0]    due_q, due_d;
    reg [QUEUES-1:0]    ended_q, ended_d;
    reg [QUEUES*2-1:0]  error_q, error_d;
    reg [QUEUES*33-1:0] deadline_q, deadline_d;
    reg [QUEUES-1:0]    polled_q, polled_d;
    reg [QUEUES-1:0]    ripe_q, ripe_d;
    reg [QUEUES-1:0]    once_q, once_d;
    reg [QUEUES-1:0]    wanted_q, wanted_d;
    reg [QUEUES*13-1:0] again_q, again_d;

    // Registers that reset leaves alone read 0 at start, as in the model.
    initial begin
        phase_q = 0;   own_q = 0;   queue_q = 0; live_q = 0;  address_q = 0; compare_q = 0; pause_q = 0;
        waiting_q = 0; timer_q = 0; due_q = 0;   ended_q = 0; error_q = 0;   deadline_q = 0;
        pointer_q = 0; value_q = 0; fault_q = 0; polled_q = 0; ripe_q = 0;  once_q = 0;    wanted_q = 0; again_q = 0;
        whole_q = 0;   mask_q = 0;  exclusive_q = 0;
    end

    wire polls   = phase_q != POLL_FREE && !own_q && !pointer_q && live_q;   // for a wait that is still there
    wire fetches = phase_q != POLL_FREE && !own_q && pointer_q;              // a write pointer, wanted or not

    // Who wants a poll, waits in the low half; the next one is the first above the one polled last, else the first of
    // all.
    wire [QUEUES*2-1:0] places = {wanted_q, due_q};
    wire [QUEUES*2-1:0] above  = {QUEUES*2{1'b1}} << {pointer_q, queue_q} << 1;
    wire [QUEUES*2-1:0] behind = |(places & above) ? places & above : places;
    reg  [Q:0]          next;
    integer i;
    always @* begin
        next = {Q+1{1'b0}};
        for (i = QUEUES*2 - 1; i >= 0; i = i - 1)
            if (behind[i])
                next = i[Q:0];
    end

    assign packet_read_ready = phase_q == POLL_FREE && !(own_q && |places);
    assign packet_answer     = (phase_q == POLL_ANSWER || phase_q == POLL_WINDOW) && own_q;
    assign waiting           = waiting_q;
    assign ended             = ended_q;
    assign error             = error_q;
    assign ram_read_enable   = phase_q == POLL_LOOK || phase_q == POLL_TAKE || phase_q == POLL_MASK;
    assign ram_read_addr     = {queue_q, phase_q == POLL_MASK, phase_q == POLL_TAKE};
    assign busy              = phase_q != POLL_FREE;
    assign read_valid        = phase_q == POLL_ASK;
    assign read_addr         = {address_q[37:1], 3'd0};
    assign read_beats        = 5'd1;
    assign read_exclusive    = own_q && exclusive_q;
    assign polled            = polled_q;
    assign once              = once_q;
    assign access_valid      = (phase_q == POLL_WINDOW && own_q) ||
        ((phase_q == POLL_LOW || phase_q == POLL_HIGH || phase_q == POLL_GIVE || phase_q == POLL_WINDOW) && live_q);
    assign access_write      = phase_q == POLL_GIVE;
    // The address of a register is its byte address at the host port.
    assign access_queue      = phase_q == POLL_WINDOW ? address_q[6 +: Q] : queue_q;
    assign access_dword      = phase_q == POLL_WINDOW ? address_q[5:0] :
                               phase_q == POLL_LOW  ? `TOTEM_REG_QUEUE_CP_HQD_PQ_WPTR_POLL_ADDR :
                               phase_q == POLL_HIGH ? `TOTEM_REG_QUEUE_CP_HQD_PQ_WPTR_POLL_ADDR_HI :
                                   `TOTEM_REG_QUEUE_CP_HQD_PQ_WPTR_LO;
    assign access_data       = value_q;
    assign halt              = phase_q == POLL_HALT && live_q;
    assign halt_queue        = queue_q;
    assign error_valid       = phase_q == POLL_RECORD || phase_q == POLL_WORD;
    assign error_second      = phase_q == POLL_WORD;
    wire [2:0] number        = {{3-Q{1'b0}}, queue_q};
    wire [7:0] code          = fault_q == MEMORY_OK ? `TOTEM_ERROR_PACKET_WPTR_RANGE : READ_FAILED + {6'd0, fault_q};
    assign error_word        = phase_q == POLL_RECORD ? {code, 5'd0, number, 8'd0, address_q, 2'd0} : {32'd0, value_q};

    // record and mqd have that error source too: both words of a message go without a word of another between.
    wire       told          = events_mqd_error_ready && (error_second || !(record_error_valid || mqd_error_valid));

    // The deadline that is looked at in this clock.
    wire [Q-1:0] visit    = clock[Q-1:0];
    wire [32:0]  past     = clock[32:0] - deadline_q[visit*33 +: 33];
    wire         reached  = waiting_q[visit] && !due_q[visit] && !(polls && queue_q == visit) && !past[32];

    wire [12:0]  late     = clock[12:0] - again_q[visit*13 +: 13];
    wire         ripens   = polled_q[visit] && !(fetches && queue_q == visit) && !late[12];
    wire         unused_strange;
    wire [7:0]   page;
    totem_upper upper (
        .address(hqd_rdata[15:0]), .above(settings_address_high[fe_number*8 +: 8]), .strange(unused_strange),
        .page(page)
    );
    wire [12:0]  period   = settings_poll_period[7:2] == 6'd0 ? 13'd64 : {1'b0, settings_poll_period, 4'd0};

    wire [31:0] beat      = address_q[0] ? data_word[63:32] : data_word[31:0];
    wire [31:0] dword     = (phase_q == POLL_WINDOW ? hqd_rdata : beat) & ram_read_data[63:32];
    wire [63:0] value     = whole_q ? data_word & mask_q : {32'd0, dword};
    wire [63:0] reference = whole_q ? ram_read_data : {32'd0, ram_read_data[31:0]};
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
    // A timer runs for its clocks; a wait that begins again rests as it does between two polls.
    wire [19:0] between = packet_wait_word[58:45] == 14'd0 ? 20'd64 : {packet_wait_word[58:43], 4'd0};
    wire [31:0] rest    = packet_wait_timer ? packet_wait_word[31:0] : {12'd0, between};
    wire unused  = &{1'b0, clock[63:33], packet_wait_word[63:59], packet_wait_word[42:32], packet_poll_addr[1:0],
                     past[31:0], late[11:0], load_data[39:1]};

    always @* begin
        phase_d    = phase_q;
        own_d      = own_q;
        exclusive_d = exclusive_q;
        pointer_d  = pointer_q;
        queue_d    = queue_q;
        live_d     = live_q;
        address_d  = address_q;
        value_d    = value_q;
        fault_d    = fault_q;
        compare_d  = compare_q;
        whole_d    = whole_q;
        mask_d     = mask_q;
        pause_d    = pause_q;
        waiting_d  = waiting_q;
        timer_d    = timer_q;
        due_d      = due_q;
        ended_d    = ended_q;
        error_d    = error_q;
        deadline_d = deadline_q;
        polled_d   = polled_q;
        ripe_d     = ripe_q;
        once_d     = once_q;
        again_d    = again_q;
        // 7 Wanted
        wanted_d   = arbiter_active & ~packet_halted & (once_q | ripe_q & {QUEUES{settings_poll_enable}});

        // 1 Deadlines
        if (reached) begin
            if (timer_q[visit]) begin
                waiting_d[visit]       = 1'b0;
                ended_d[visit]         = 1'b1;
                error_d[visit*2 +: 2]  = 2'd0;
            end else
                due_d[visit] = 1'b1;
        end
        if (ripens)
            ripe_d[visit] = 1'b1;

        // 2 Read in hand
        case (phase_q)
            POLL_FREE:
                if (packet_poll_valid && packet_read_ready) begin
                    own_d     = 1'b1;
                    address_d = packet_poll_addr[39:2];
                    exclusive_d = packet_poll_exclusive;
                    phase_d   = packet_poll_register ? POLL_WINDOW : POLL_ASK;
                end else if (|places) begin
                    {pointer_d, queue_d} = next;
                    own_d   = 1'b0;
                    live_d  = 1'b1;
                    phase_d = next[Q] ? POLL_LOW : POLL_LOOK;
                    if (next[Q]) begin
                        ripe_d[next[Q-1:0]] = 1'b0;
                        once_d[next[Q-1:0]] = 1'b0;
                    end else
                        due_d[next[Q-1:0]] = 1'b0;
                end
            POLL_LOOK:
                phase_d = POLL_TAKE;
            POLL_TAKE: begin
                address_d = ram_read_data[39:2];
                compare_d = ram_read_data[42:40];
                pause_d   = (ram_read_data[58:45] == 14'd0) ? 20'd64 : {ram_read_data[58:43], 4'd0};
                whole_d   = ram_read_data[60];
                phase_d   = ram_read_data[60] ? POLL_MASK : ram_read_data[59] ? POLL_WINDOW : POLL_ASK;
            end
            POLL_MASK: begin
                mask_d  = ram_read_data;
                phase_d = POLL_ASK;
            end
            POLL_ASK:
                if (read_ready) begin
                    if (fetches)
                        again_d[queue_q*13 +: 13] = clock[12:0] + period;
                    if (polls)
                        deadline_d[queue_q*33 +: 33] = clock[32:0] + {13'd0, pause_q};
                    phase_d = POLL_ANSWER;
                end
            POLL_ANSWER:
                if (data_valid) begin
                    phase_d = POLL_FREE;
                    if (polls && (data_error != MEMORY_OK || holds)) begin
                        waiting_d[queue_q]      = 1'b0;
                        due_d[queue_q]          = 1'b0;
                        ended_d[queue_q]        = 1'b1;
                        error_d[queue_q*2 +: 2] = data_error;
                    end
                    if (fetches && live_q) begin
                        fault_d = data_error;
                        value_d = data_error == MEMORY_OK ? data_word[31:0] : {address_q[29:0], 2'd0};
                        phase_d = data_error == MEMORY_OK ? POLL_GIVE : POLL_HALT;
                    end
                end
            POLL_WINDOW:
                if (hqd_done || !(own_q || live_q)) begin
                    phase_d = POLL_FREE;
                    if (!own_q && live_q) begin
                        deadline_d[queue_q*33 +: 33] = clock[32:0] + {13'd0, pause_q};
                        if (holds) begin
                            waiting_d[queue_q]      = 1'b0;
                            due_d[queue_q]          = 1'b0;
                            ended_d[queue_q]        = 1'b1;
                            error_d[queue_q*2 +: 2] = 2'd0;
                        end
                    end
                end
            POLL_LOW:
                if (!live_q)
                    phase_d = POLL_FREE;
                else if (hqd_done) begin
                    address_d[29:0] = {hqd_rdata[31:3], 1'b0};
                    phase_d         = POLL_HIGH;
                end
            POLL_HIGH:
                if (!live_q)
                    phase_d = POLL_FREE;
                else if (hqd_done) begin
                    address_d[37:30] = page;
                    phase_d          = POLL_ASK;
                    if (address_d == 38'd0) begin   // nowhere
                        polled_d[queue_q] = 1'b0;
                        ripe_d[queue_q]   = 1'b0;
                        phase_d           = POLL_FREE;
                    end
                end
            POLL_GIVE:
                if (!live_q)
                    phase_d = POLL_FREE;
                else if (hqd_done)
                    phase_d = hqd_error == OUT_OF_RANGE[4:0] ? POLL_HALT : POLL_FREE;
            POLL_HALT: begin
                phase_d = live_q ? POLL_RECORD : POLL_FREE;
                if (live_q)
                    once_d[queue_q] = 1'b1;         // read again after RESUME
            end
            POLL_RECORD:
                if (told)
                    phase_d = POLL_WORD;
            POLL_WORD:
                if (told)
                    phase_d = POLL_FREE;
            default: ;
        endcase

        // 3 Passed
        if (packet_commit)
            ended_d[dispatch_queue] = 1'b0;

        // 4 Wait
        if (packet_wait_valid && (packet_wait_timer || packet_wait_step == 2'd0))
            deadline_d[dispatch_queue*33 +: 33] = clock[32:0] + {1'b0, rest};
        if (packet_wait_valid && packet_wait_last && arbiter_active[dispatch_queue]) begin
            waiting_d[dispatch_queue] = 1'b1;
            ended_d[dispatch_queue]   = 1'b0;
            timer_d[dispatch_queue]   = packet_wait_timer;
            due_d[dispatch_queue]     = !packet_wait_timer && !ended_q[dispatch_queue];
        end

        // 5 Load bus
        if (dropped) begin
            waiting_d[load_queue] = 1'b0;
            due_d[load_queue]     = 1'b0;
            ended_d[load_queue]   = 1'b0;
            if (queue_d == load_queue && !pointer_d)
                live_d = 1'b0;
        end
        // What a read under way brings may be older than the pointer that the host has written.
        if (load_valid && (load_kind == LOAD_ACTIVE || load_kind == LOAD_WPTR) && queue_d == load_queue && pointer_d)
            live_d = 1'b0;
        if (load_valid && load_kind == LOAD_ACTIVE) begin
            polled_d[load_queue] = polled_d[load_queue] && load_data[0];
            ripe_d[load_queue]   = polled_d[load_queue];
            once_d[load_queue]   = once_d[load_queue] && load_data[0];
        end
        if (load_valid && load_kind == LOAD_POLLED) begin
            polled_d[load_queue] = load_data[0];
            ripe_d[load_queue]   = 1'b0;
            once_d[load_queue]   = once_d[load_queue] && !load_data[1];
        end
        // 6 One-shot
        once_d = once_d | host_poll_once;
    end

    always @(posedge clk) begin
        phase_q    <= phase_d;
        own_q      <= own_d;
        exclusive_q <= exclusive_d;
        pointer_q  <= pointer_d;
        queue_q    <= queue_d;
        live_q     <= live_d;
        address_q  <= address_d;
        value_q    <= value_d;
        fault_q    <= fault_d;
        compare_q  <= compare_d;
        whole_q    <= whole_d;
        mask_q     <= mask_d;
        pause_q    <= pause_d;
        waiting_q  <= waiting_d;
        timer_q    <= timer_d;
        due_q      <= due_d;
        ended_q    <= ended_d;
        error_q    <= error_d;
        deadline_q <= deadline_d;
        polled_q   <= polled_d;
        ripe_q     <= ripe_d;
        once_q     <= once_d;
        wanted_q   <= wanted_d;
        again_q    <= again_d;
        if (rst) begin
            phase_q   <= POLL_FREE;
            own_q     <= 1'b0;
            exclusive_q <= 1'b0;
            pointer_q <= 1'b0;
            queue_q   <= {Q{1'b0}};
            live_q    <= 1'b0;
            whole_q   <= 1'b0;
            waiting_q <= {QUEUES{1'b0}};
            timer_q   <= {QUEUES{1'b0}};
            due_q     <= {QUEUES{1'b0}};
            ended_q   <= {QUEUES{1'b0}};
            error_q   <= {QUEUES*2{1'b0}};
            polled_q  <= {QUEUES{1'b0}};
            ripe_q    <= {QUEUES{1'b0}};
            once_q    <= {QUEUES{1'b0}};
            wanted_q  <= {QUEUES{1'b0}};
        end
    end

`ifdef FORMAL
`include "totem_poll_properties.vh"
`endif
endmodule

`default_nettype wire
