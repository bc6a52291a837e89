// SPDX-License-Identifier: Apache-2.0
//
// totem_fence: epochs of the queue slots of a pipe.
//
// Policy    counts waves and packet writes in flight per (queue, epoch); closed epochs of a slot are
//           done in order: count 0, fence write acknowledged, interrupt sent. Slots take turns; while
//           one awaits its acknowledge the others go on. Every failed write becomes a record, and a halt
//           if it is of the present mapping.
// Latency   last completion to the end of an epoch without a write: 2 clocks; with one: 4 clocks and
//           the write itself.
// Boundary  every word goes straight to the entry RAM; messages of packet and of record take turns. write_room bounds
//           the packet writes whose failure may have to be kept.
// Cost      10 flip-flops and an adder per (queue, epoch): several engines may end waves of any
//           entries in one clock.
// Proved    nothing lost, nothing doubled (property 1); no epoch done early, twice or out of turn (2, 3);
//           a halt only for the present mapping (5); a place for every failed packet write (6); of what is abandoned only the
//           pairs of an unmapped slot are still written (9); an epoch is shut only by a pair, and no longer than needed (10);
//           idle does not end from within (11); nothing is tried behind a fence without an answer (12).
// Twin      cmodel/fence/totem_fence.c, same names.

`default_nettype none
`include "totem_load.vh"
`include "totem_pm4.vh"

module totem_fence #(
    parameter QUEUES   = 8,                 // a power of two, 2 to 8
    parameter EPOCHS   = 8,                 // a power of two, 2 to 8
    parameter SE_COUNT = 4                  // 1 to 4
) (
    input  wire                                             clk,
    input  wire                                             rst,
    // packet
    input  wire                                             packet_close,
    input  wire                                             packet_valid,
    input  wire [63:0]                                      packet_word,
    output wire                                             packet_ready,
    input  wire                                             packet_write,
    input  wire [$clog2(QUEUES)-1:0]                        arbiter_selected,
    // record
    input  wire                                             record_valid,
    input  wire [63:0]                                      record_word,
    input  wire [$clog2(QUEUES)-1:0]                        record_queue,
    output wire                                             record_ready,
    // what the slots show
    output wire [QUEUES*$clog2(EPOCHS)-1:0]                 epoch,
    output wire [QUEUES-1:0]                                room,
    output wire [QUEUES-1:0]                                flushed,
    output wire [QUEUES*16-1:0]                             waves,
    output wire [QUEUES-1:0]                                idle,
    output wire [QUEUES-1:0]                                settled,
    // kill
    output wire [QUEUES*EPOCHS-1:0]                         targets,
    output wire [QUEUES-1:0]                                quiet,
    input  wire [QUEUES-1:0]                                kill_abandon,
    output wire [QUEUES-1:0]                                abandoned,
    output wire [15:0]                                      lost,
    output wire [15:0]                                      late,
    // packet
    output wire                                             write_room,
    output wire                                             halt,
    output wire [$clog2(QUEUES)-1:0]                        halt_queue,
    // load bus
    input  wire                                             load_valid,
    input  wire [$clog2(QUEUES)-1:0]                        load_queue,
    input  wire [4:0]                                       load_kind,
    input  wire [39:0]                                      load_data,
    // engines
    input  wire [SE_COUNT-1:0]                              grant_valid,
    input  wire [SE_COUNT*7-1:0]                            grant_waves,
    input  wire [SE_COUNT*$clog2(QUEUES)-1:0]               grant_queue,
    input  wire [SE_COUNT*$clog2(EPOCHS)-1:0]               grant_epoch,
    input  wire [SE_COUNT-1:0]                              complete_valid,
    input  wire [SE_COUNT*$clog2(QUEUES)-1:0]               complete_queue,
    input  wire [SE_COUNT*$clog2(EPOCHS)-1:0]               complete_epoch,
    // fence entry RAM
    output wire                                             ram_write_enable,
    output wire [$clog2(QUEUES)+$clog2(EPOCHS)+1:0]         ram_write_addr,
    output wire [63:0]                                      ram_write_data,
    output wire                                             ram_read_enable,
    output wire [$clog2(QUEUES)+$clog2(EPOCHS)+1:0]         ram_read_addr,
    input  wire [63:0]                                      ram_read_data,
    // memory
    output wire                                             write_valid,
    output wire [63:0]                                      write_word,
    input  wire                                             write_ready,
    input  wire                                             write_ack,
    input  wire                                             packet_write_ack,
    input  wire [5:0]                                       ack_tag,
    input  wire [1:0]                                       ack_error,
    input  wire [39:0]                                      ack_addr,
    // events
    output wire                                             interrupt_valid,
    output wire [63:0]                                      interrupt_word,
    input  wire                                             events_interrupt_ready,
    output wire                                             error_valid,
    output wire [63:0]                                      error_word,
    input  wire                                             events_error_ready,
    // host
    input  wire [63:0]                                      clock
);
    localparam Q = $clog2(QUEUES);
    localparam E = $clog2(EPOCHS);
    localparam ENTRIES = QUEUES * EPOCHS;
    localparam C = 10;                      // bits of a count
    localparam K = 4;                       // places for failed packet writes
    localparam [4:0] LOAD_ACTIVE = `TOTEM_LOAD_ACTIVE;

    generate
        if (QUEUES < 2 || QUEUES > 8 || QUEUES != (1 << Q) || EPOCHS < 2 || EPOCHS > 8 || EPOCHS != (1 << E)
            || SE_COUNT < 1 || SE_COUNT > 4) begin : check
            totem_fence_needs_QUEUES_and_EPOCHS_2_4_or_8_and_SE_COUNT_1_to_4 refused ();
        end
    endgenerate

    localparam [2:0] IDLE = 3'd0, READ = 3'd1, WRITE = 3'd2, INTERRUPT = 3'd4, DONE = 3'd5, ERROR = 3'd6;
    localparam [7:0] TIMEOUT = `TOTEM_ERROR_HOST_DEQUEUE_TIMEOUT;
    localparam [1:0] TIME_OUT = 2'd3;       // error of a write that was never answered
    localparam [2:0] CODE_TIMEOUT = 3'd4;   // waves did not end in time
    localparam [7:0] WRITE_FAILED = `TOTEM_ERROR_MEMORY_WRITE_SLVERR - 8'd1;    // plus the error of the response

    reg [QUEUES*E-1:0]  epoch_q, epoch_d;
    reg [QUEUES*E-1:0]  oldest_q, oldest_d;
    reg [QUEUES*E-1:0]  first_q, first_d;
    reg [QUEUES-1:0]    mapped_q, mapped_d;
    reg [QUEUES-1:0]    shut_q, shut_d;         // the current epoch is closed, there was none to go on with
    reg [ENTRIES-1:0]   message_q, message_d;
    reg [ENTRIES-1:0]   pair_q, pair_d;
    reg [ENTRIES-1:0]   reserved_q, reserved_d;
    reg [QUEUES-1:0]    abandoned_q, abandoned_d;
    reg [15:0]          lost_q, lost_d;
    reg [15:0]          late_q, late_d;
    reg [ENTRIES*C-1:0] count_q, count_d;
    reg [QUEUES*16-1:0] waves_q, waves_d;
    reg [1:0]           place_q, place_d;
    reg                 guest_q, guest_d;
    reg                 store_valid_q, store_valid_d;
    reg [63:0]          store_word_q, store_word_d;
    reg [1:0]           store_place_q, store_place_d;
    reg [Q-1:0]         store_queue_q, store_queue_d;
    reg                 store_guest_q, store_guest_d;
    reg [QUEUES-1:0]    sent_q, sent_d;
    reg [QUEUES-1:0]    answered_q, answered_d;
    reg [QUEUES-1:0]    notify_q, notify_d;
    reg [QUEUES*2-1:0]  fault_q, fault_d;
    reg [QUEUES-1:0]    silent_q, silent_d;
    reg [QUEUES-1:0]    silent_before_q, silent_before_d;
    reg [2:0]           owed_q, owed_d;
    reg [2:0]           failures_q, failures_d;
    reg [K*Q-1:0]       failure_queue_q, failure_queue_d;
    reg [K*2-1:0]       failure_code_q, failure_code_d;
    reg [K*40-1:0]      failure_addr_q, failure_addr_d;
    reg [2:0]           phase_q, phase_d;
    reg [Q-1:0]         serve_q, serve_d;
    reg [1:0]           step_q, step_d;
    reg                 again_q, again_d;
    reg [39:0]          address_q, address_d;
    reg [2:0]           data_sel_q, data_sel_d;
    reg [2:0]           int_sel_q, int_sel_d;
    reg [63:0]          data_q, data_d;
    reg [31:0]          ctxid_q, ctxid_d;
    reg [2:0]           code_q, code_d;
    reg                 own_q, own_d;
    reg                 halt_q, halt_d;
    reg [Q-1:0]         halt_queue_q, halt_queue_d;

    // Registers that reset leaves alone read 0 at start, as in the model.
    initial begin
        epoch_q = 0;       oldest_q = 0;      first_q = 0;       mapped_q = 0;      message_q = 0;
        pair_q = 0;        store_guest_q = 0; reserved_q = 0;    abandoned_q = 0;   lost_q = 0;        late_q = 0;
        count_q = 0;       waves_q = 0;       place_q = 0;       guest_q = 0;       store_valid_q = 0; store_word_q = 0;
        store_place_q = 0; store_queue_q = 0; sent_q = 0;        answered_q = 0;    notify_q = 0;
        silent_q = 0;      silent_before_q = 0;
        fault_q = 0;       owed_q = 0;        failures_q = 0;    failure_queue_q = 0;
        failure_code_q = 0; failure_addr_q = 0;
        phase_q = 0;       serve_q = 0;       step_q = 0;        again_q = 0;       address_q = 0;
        data_sel_q = 0;    int_sel_q = 0;     data_q = 0;        ctxid_q = 0;       code_q = 0;
        own_q = 0;         halt_q = 0;        halt_queue_q = 0;  shut_q = 0;
    end

    // What every slot shows.
    wire [ENTRIES-1:0] empty;               // nothing in flight
    wire [QUEUES-1:0]  earlier;             // its oldest closed epoch is of an earlier mapping
    wire [QUEUES-1:0]  due;                 // its oldest closed epoch can end
    wire [QUEUES*E-1:0] after;              // epoch to go on with,
    wire [QUEUES-1:0]  free;                // which is free
    wire [QUEUES-1:0]  gives_up;            // what is left of it can be abandoned now
    wire [ENTRIES-1:0] given_up;            // epochs that are, then
    genvar g, e_of;
    generate
        for (g = 0; g < ENTRIES; g = g + 1) begin : entry
            assign empty[g] = count_q[g*C +: C] == {C{1'b0}};
        end
        for (g = 0; g < QUEUES; g = g + 1) begin : slot
            localparam [Q-1:0] SLOT = g;
            wire [E-1:0] now  = epoch_q[g*E +: E];
            wire [E-1:0] old  = oldest_q[g*E +: E];
            wire [E-1:0] own  = mapped_q[g] ? first_q[g*E +: E] : old;      // first of those that a kill means
            wire [EPOCHS-1:0] held = reserved_q[g*EPOCHS +: EPOCHS];
            reg  [E-1:0] next;
            integer      hop;
            always @* begin
                next = now + {{(E-1){1'b0}}, 1'b1};
                for (hop = EPOCHS - 1; hop > 0; hop = hop - 1)
                    if (!held[now + hop[E-1:0]])
                        next = now + hop[E-1:0];
            end
            wire [E-1:0] next_way = next - now - {{(E-1){1'b0}}, 1'b1};
            wire [E-1:0] old_way  = old - now - {{(E-1){1'b0}}, 1'b1};
            wire [E-1:0] own_way  = now - own;
            for (e_of = 0; e_of < EPOCHS; e_of = e_of + 1) begin : of_epoch
                localparam [E-1:0] EPOCH = e_of;
                wire [E-1:0] way = EPOCH - own;
                assign given_up[g*EPOCHS + e_of] = way <= own_way;
                assign targets[g*EPOCHS + e_of]  = !none[e_of] && (!mapped_q[g] || (!held[e_of] && way <= own_way));
            end
            wire [EPOCHS-1:0] none = empty[g*EPOCHS +: EPOCHS];
            wire [K-1:0]      kept;         // failures of this queue
            assign kept[0] = failures_q != 3'd0 && failure_queue_q[0 +: Q] == SLOT;
            assign kept[1] = failures_q > 3'd1 && failure_queue_q[Q +: Q] == SLOT;
            assign kept[2] = failures_q > 3'd2 && failure_queue_q[2*Q +: Q] == SLOT;
            assign kept[3] = failures_q > 3'd3 && failure_queue_q[3*Q +: Q] == SLOT;
            assign after[g*E +: E] = next;
            assign earlier[g] = first_q[g*E +: E] != old;
            assign free[g]    = !held[next] && next_way < old_way;
            assign room[g]    = free[g] && !shut_q[g];
            assign flushed[g] = now == old && !shut_q[g];
            assign settled[g] = first_q[g*E +: E] == now && !shut_q[g] && (none[now] || held[now]);
            assign idle[g]    = flushed[g] && none[now] && held == {EPOCHS{1'b0}} && kept == {K{1'b0}} && !(phase_q == ERROR && serve_q == SLOT)
                                && !(store_valid_q && store_queue_q == SLOT);
            assign quiet[g]   = mapped_q[g] ? targets[g*EPOCHS +: EPOCHS] == {EPOCHS{1'b0}} && (settled[g] || earlier[g]) : idle[g];
            assign due[g]     = !flushed[g] && (answered_q[g] || (!sent_q[g] && (none[old] || held[old])));
            wire behind = mapped_q[g] && earlier[g];                        // its fence comes first
            assign gives_up[g] = kill_abandon[g] && !abandoned_q[g] && !(record_valid && record_queue == SLOT) && !(store_valid_q && store_queue_q == SLOT)
                                 && (behind || !(sent_q[g] || answered_q[g])) && !quiet[g];
        end
    endgenerate
    assign epoch        = epoch_q;
    assign waves        = waves_q;
    assign abandoned    = abandoned_q;
    assign lost         = lost_q;
    assign late         = late_q;
    assign halt         = halt_q;
    assign halt_queue   = halt_queue_q;
    assign write_room   = {1'b0, owed_q} + {1'b0, failures_q} <= K[3:0];
    assign packet_ready = !guest_q;
    assign record_ready = guest_q;

    // A word that arrives.
    wire         word_valid = guest_q ? record_valid : packet_valid;
    wire [Q-1:0] word_queue = guest_q ? record_queue : arbiter_selected;

    wire [E-1:0] store_epoch = epoch_q[store_queue_q*E +: E];
    wire [E-1:0] serve_epoch = oldest_q[serve_q*E +: E];
    // What was closed behind a fence without an answer is not tried, but a pair of record's.
    wire         hushed      = !pair_q[{serve_q, serve_epoch}] && (earlier[serve_q] ? silent_before_q[serve_q] : silent_q[serve_q]);
    wire         serve_last  = epoch_q[serve_q*E +: E] == serve_epoch;      // it is the current one, shut
    assign ram_write_enable = store_valid_q;
    assign ram_write_addr   = {store_queue_q, store_epoch, store_place_q};
    assign ram_write_data   = store_word_q;
    assign ram_read_enable  = phase_q == READ && step_q != 2'd3;
    assign ram_read_addr    = {serve_q, serve_epoch, step_q};

    // Memory, interrupt and error messages.
    wire        interrupts = int_sel_q == `TOTEM_INT_INTERRUPT || int_sel_q == `TOTEM_INT_INTERRUPT_AFTER_WRITE;
    wire        narrow = data_sel_q == `TOTEM_DATA_32_BITS;
    wire [7:0]  strobe = !narrow ? 8'hff : address_q[2] ? 8'hf0 : 8'h0f;
    wire [63:0] wide   = narrow ? {data_q[31:0], data_q[31:0]} : data_q;
    wire [2:0]  serve3 = {{(3-Q){1'b0}}, serve_q};
    wire [2:0]  epoch3 = {{(3-E){1'b0}}, serve_epoch};
    assign write_valid     = phase_q == WRITE;
    assign write_word      = (step_q == 2'd0) ? {10'd0, epoch3, serve3, strobe, address_q[39:3], 3'd0} : wide;
    assign interrupt_valid = phase_q == INTERRUPT;
    assign interrupt_word  = {29'd0, serve3, ctxid_q};
    assign error_valid     = phase_q == ERROR;
    wire        timeout = code_q == CODE_TIMEOUT;
    assign error_word      = (step_q == 2'd0) ? {timeout ? TIMEOUT : WRITE_FAILED + {6'd0, code_q[1:0]}, 5'd0, serve3, 8'd0, address_q}
                                              : {32'd0, timeout ? data_q[31:0] : address_q[31:0]};

    // Events of the counts: the grants of one clock are of one dispatch, so they have one target.
    reg            any_grant;
    reg [8:0]      grant_sum;
    reg [Q+E-1:0]  grant_entry;
    wire [E-1:0]   packet_epoch = epoch_q[arbiter_selected*E +: E];
    wire [Q+E-1:0] write_entry  = {arbiter_selected, packet_epoch};
    wire [Q-1:0]   ack_queue    = ack_tag[Q-1:0];
    wire [E-1:0]   ack_epoch    = ack_tag[3 +: E];
    wire [Q+E-1:0] ack_entry    = {ack_queue, ack_epoch};
    wire unused = &{1'b0, ack_tag, load_data};  // the fields of the tag have 3 bits whatever the sizes

    // An answer is of the present mapping unless its epoch lies before `first` in the ring that starts at `oldest`.
    wire [E-1:0]   ack_oldest = oldest_q[ack_queue*E +: E];
    wire [E-1:0]   ack_first  = first_q[ack_queue*E +: E];
    wire [E-1:0]   ack_age    = ack_epoch - ack_oldest;
    wire [E-1:0]   first_age  = ack_first - ack_oldest;
    wire           ack_bad    = ack_error != 2'd0;
    wire           ack_own    = mapped_q[ack_queue] && !reserved_q[ack_entry] && ack_age >= first_age;
    wire           mapping    = load_valid && load_kind == LOAD_ACTIVE;
    wire [E-1:0]   load_epoch = epoch_q[load_queue*E +: E];
    wire [E-1:0]   load_next  = after[load_queue*E +: E];

    wire [QUEUES-1:0] moves = shut_q & free;        // the slot goes on in another epoch

    wire changes = grant_valid != {SE_COUNT{1'b0}} || complete_valid != {SE_COUNT{1'b0}} || packet_write || packet_write_ack;

    // Pick: the first due queue after the last one served.
    reg [Q-1:0] pick, candidate;

    integer i, n, e;
    reg [C-1:0] tally;
    reg [15:0]  total;

    // Abandon: the lowest of the queues that can be.
    reg [Q-1:0] lost_queue;
    reg [3:0]   lost_sum, late_sum;
    wire [EPOCHS-1:0] lost_epochs  = given_up[lost_queue*EPOCHS +: EPOCHS];
    wire [EPOCHS-1:0] lost_flying  = lost_epochs & ~empty[lost_queue*EPOCHS +: EPOCHS];
    wire [EPOCHS-1:0] lost_current = {{(EPOCHS-1){1'b0}}, 1'b1} << epoch_q[lost_queue*E +: E];
    wire [EPOCHS-1:0] lost_pairs   = pair_q[lost_queue*EPOCHS +: EPOCHS];
    wire [EPOCHS-1:0] lost_fences  = lost_epochs & message_q[lost_queue*EPOCHS +: EPOCHS] & ~lost_current & ~lost_pairs;
    wire [EPOCHS-1:0] lost_closed  = shut_q[lost_queue] ? {EPOCHS{1'b1}} : ~lost_current;
    wire [EPOCHS-1:0] lost_keeps   = mapped_q[lost_queue] ? {EPOCHS{1'b0}} : lost_pairs & lost_closed;       // written all the same
    wire [EPOCHS-1:0] lost_others  = reserved_q[lost_queue*EPOCHS +: EPOCHS] & ~empty[lost_queue*EPOCHS +: EPOCHS] & ~lost_epochs;
    reg  [7:0]        lost_mask;

    always @* begin
        grant_sum   = 9'd0;
        grant_entry = {(Q+E){1'b0}};
        any_grant   = 1'b0;
        for (i = 0; i < SE_COUNT; i = i + 1)
            if (grant_valid[i]) begin
                if (!any_grant)
                    grant_entry = {grant_queue[i*Q +: Q], grant_epoch[i*E +: E]};
                any_grant = 1'b1;
                grant_sum = grant_sum + {2'd0, grant_waves[i*7 +: 7]};
            end
        lost_queue  = {Q{1'b0}};
        lost_sum    = 4'd0;
        late_sum    = 4'd0;
        lost_mask   = 8'd0;
        for (i = QUEUES - 1; i >= 0; i = i - 1)
            if (gives_up[i])
                lost_queue = i[Q-1:0];
        for (i = 0; i < EPOCHS; i = i + 1)
            lost_sum = lost_sum + {3'd0, lost_fences[i]};
        lost_mask[EPOCHS-1:0] = lost_flying | lost_others;
        for (i = 0; i < SE_COUNT; i = i + 1)
            late_sum = late_sum + {3'd0, complete_valid[i] && reserved_q[{complete_queue[i*Q +: Q], complete_epoch[i*E +: E]}]};
        pick      = serve_q;
        candidate = serve_q;
        for (i = QUEUES - 1; i > 0; i = i - 1) begin
            candidate = serve_q + i[Q-1:0];
            if (due[candidate])
                pick = candidate;
        end
    end

    wire [E-1:0] pick_epoch = oldest_q[pick*E +: E];

    always @* begin
        epoch_d       = epoch_q;
        oldest_d      = oldest_q;
        first_d       = first_q;
        mapped_d      = mapped_q;
        shut_d        = shut_q & ~moves;
        message_d     = message_q;
        pair_d        = pair_q;
        reserved_d    = reserved_q & ~empty;
        abandoned_d   = {QUEUES{1'b0}};
        lost_d        = lost_q;
        late_d        = (late_q > 16'hffff - {12'd0, late_sum}) ? 16'hffff : late_q + {12'd0, late_sum};
        count_d       = count_q;
        waves_d       = waves_q;
        place_d       = place_q;
        guest_d       = guest_q ? !(record_valid && place_q[1]) : record_valid && !packet_valid && place_q == 2'd0;
        store_valid_d = word_valid;
        store_word_d  = store_word_q;
        store_place_d = store_place_q;
        store_queue_d = store_queue_q;
        store_guest_d = store_guest_q;
        sent_d        = sent_q;
        answered_d    = answered_q;
        notify_d      = notify_q;
        fault_d       = fault_q;
        silent_d      = silent_q;
        silent_before_d = silent_before_q & earlier;
        owed_d        = owed_q + {2'd0, packet_write} - {2'd0, packet_write_ack};
        failures_d      = failures_q;
        failure_queue_d = failure_queue_q;
        failure_code_d  = failure_code_q;
        failure_addr_d  = failure_addr_q;
        phase_d       = phase_q;
        serve_d       = serve_q;
        step_d        = step_q;
        again_d       = again_q;
        address_d     = address_q;
        data_sel_d    = data_sel_q;
        int_sel_d     = int_sel_q;
        data_d        = data_q;
        ctxid_d       = ctxid_q;
        code_d        = code_q;
        own_d         = own_q;
        halt_d        = (write_ack || packet_write_ack) && ack_bad && ack_own;
        halt_queue_d  = halt_d ? ack_queue : halt_queue_q;
        tally         = {C{1'b0}};
        total         = 16'd0;
        n             = 0;
        e             = 0;

        if (changes) begin
            for (n = 0; n < ENTRIES; n = n + 1) begin
                tally = count_q[n*C +: C] + ((any_grant && grant_entry == n[Q+E-1:0]) ? {1'b0, grant_sum} : {C{1'b0}});
                for (e = 0; e < SE_COUNT; e = e + 1)
                    tally = tally - {{(C-1){1'b0}},
                        complete_valid[e] && {complete_queue[e*Q +: Q], complete_epoch[e*E +: E]} == n[Q+E-1:0]};
                tally = tally + {{(C-1){1'b0}}, packet_write && write_entry == n[Q+E-1:0]};
                count_d[n*C +: C] = tally - {{(C-1){1'b0}}, packet_write_ack && ack_entry == n[Q+E-1:0]};
            end
            for (n = 0; n < QUEUES; n = n + 1) begin
                total = waves_q[n*16 +: 16] + ((any_grant && grant_entry[Q+E-1:E] == n[Q-1:0]) ? {7'd0, grant_sum} : 16'd0);
                for (e = 0; e < SE_COUNT; e = e + 1)
                    total = total - {15'd0, complete_valid[e] && complete_queue[e*Q +: Q] == n[Q-1:0]};
                waves_d[n*16 +: 16] = total;
            end
        end

        if (write_ack) begin
            sent_d[ack_queue]         = 1'b0;
            answered_d[ack_queue]     = 1'b1;
            fault_d[ack_queue*2 +: 2] = ack_error;
            if (ack_error == TIME_OUT) begin
                if (ack_age >= first_age)
                    silent_d[ack_queue] = 1'b1;
                else
                    silent_before_d[ack_queue] = 1'b1;
            end
        end

        if (word_valid) begin
            store_word_d  = guest_q ? record_word : packet_word;
            store_place_d = place_q;
            store_queue_d = word_queue;
            store_guest_d = guest_q;
            place_d       = place_q[1] ? 2'd0 : place_q + 2'd1;
        end

        if (store_valid_q && store_place_q == 2'd2) begin
            message_d[{store_queue_q, store_epoch}] = 1'b1;
            pair_d[{store_queue_q, store_epoch}]    = store_guest_q;
            if (free[store_queue_q])
                epoch_d[store_queue_q*E +: E] = after[store_queue_q*E +: E];
            else
                shut_d[store_queue_q] = 1'b1;
        end
        for (n = 0; n < QUEUES; n = n + 1)
            if (moves[n])
                epoch_d[n*E +: E] = after[n*E +: E];
        if (packet_close) begin
            message_d[write_entry]       = 1'b0;
            epoch_d[arbiter_selected*E +: E] = after[arbiter_selected*E +: E];
        end

        case (phase_q)
            IDLE:
                if (failures_q != 3'd0) begin
                    serve_d         = failure_queue_q[0 +: Q];
                    code_d          = {1'b0, failure_code_q[1:0]};
                    address_d       = failure_addr_q[39:0];
                    own_d           = 1'b0;
                    step_d          = 2'd0;
                    failures_d      = failures_q - 3'd1;
                    failure_queue_d[0 +: (K-1)*Q]  = failure_queue_q[Q +: (K-1)*Q];
                    failure_code_d[0 +: (K-1)*2]   = failure_code_q[2 +: (K-1)*2];
                    failure_addr_d[0 +: (K-1)*40]  = failure_addr_q[40 +: (K-1)*40];
                    phase_d         = ERROR;
                end else if (gives_up != {QUEUES{1'b0}}) begin
                    reserved_d[lost_queue*EPOCHS +: EPOCHS] = lost_flying | lost_others;
                    message_d[lost_queue*EPOCHS +: EPOCHS]  = message_d[lost_queue*EPOCHS +: EPOCHS] & (~lost_epochs | lost_keeps);
                    first_d[lost_queue*E +: E]              = mapped_q[lost_queue] ? epoch_q[lost_queue*E +: E] : oldest_q[lost_queue*E +: E];
                    shut_d[lost_queue]                      = shut_d[lost_queue] && !mapped_q[lost_queue];
                    abandoned_d[lost_queue]                 = 1'b1;
                    lost_d    = (lost_q > 16'hffff - {12'd0, lost_sum}) ? 16'hffff : lost_q + {12'd0, lost_sum};
                    serve_d   = lost_queue;
                    own_d     = 1'b0;
                    code_d    = CODE_TIMEOUT;
                    address_d = 40'd0;
                    data_d    = {52'd0, lost_sum, lost_mask};
                    step_d    = 2'd0;
                    phase_d   = ERROR;
                end else if (due != {QUEUES{1'b0}}) begin
                    serve_d = pick;
                    step_d  = 2'd0;
                    own_d   = 1'b1;
                    again_d = answered_q[pick];
                    if (answered_q[pick]) begin
                        answered_d[pick] = 1'b0;
                        code_d           = {1'b0, fault_q[pick*2 +: 2]};
                        phase_d          = (fault_q[pick*2 +: 2] != 2'd0 || notify_q[pick]) ? READ : DONE;
                    end else begin
                        code_d  = 3'd0;
                        phase_d = message_q[{pick, pick_epoch}] ? READ : DONE;
                    end
                end
            READ: begin
                step_d = step_q + 2'd1;
                if (step_q == 2'd1) begin
                    address_d  = ram_read_data[39:0];
                    data_sel_d = ram_read_data[42:40];
                    int_sel_d  = ram_read_data[45:43];
                end
                if (step_q == 2'd2)
                    data_d = ram_read_data;
                if (step_q == 2'd3) begin
                    ctxid_d = ram_read_data[31:0];
                    if (data_sel_q == `TOTEM_DATA_GPU_CLOCK || data_sel_q == `TOTEM_DATA_SYSTEM_CLOCK)
                        data_d = clock;
                    step_d  = 2'd0;
                    if (again_q)
                        phase_d = (code_q != 3'd0) ? ERROR : INTERRUPT;
                    else if (data_sel_q != `TOTEM_DATA_NONE && hushed) begin
                        code_d  = {1'b0, TIME_OUT};
                        phase_d = ERROR;
                    end else
                        phase_d = (data_sel_q != `TOTEM_DATA_NONE) ? WRITE : interrupts ? INTERRUPT : DONE;
                end
            end
            WRITE:
                if (write_ready) begin
                    if (step_q == 2'd0)
                        step_d = 2'd1;
                    else begin
                        sent_d[serve_q]   = 1'b1;
                        notify_d[serve_q] = interrupts;
                        phase_d           = IDLE;
                    end
                end
            INTERRUPT:
                if (events_interrupt_ready)
                    phase_d = DONE;
            DONE: begin
                message_d[{serve_q, serve_epoch}] = 1'b0;     // it may be passed over, reserved
                if (serve_last)
                    shut_d[serve_q] = 1'b0;                   // open again
                else begin
                    oldest_d[serve_q*E +: E] = serve_epoch + {{(E-1){1'b0}}, 1'b1};
                    if (first_q[serve_q*E +: E] == serve_epoch)
                        first_d[serve_q*E +: E] = serve_epoch + {{(E-1){1'b0}}, 1'b1};
                end
                phase_d = IDLE;
            end
            ERROR:
                if (events_error_ready) begin
                    if (step_q == 2'd0)
                        step_d = 2'd1;
                    else
                        phase_d = own_q ? DONE : IDLE;
                end
            default: ;
        endcase

        // Behind the others, also where the oldest is taken up in this clock.
        if (packet_write_ack && ack_bad && !failures_d[2]) begin
            failure_queue_d[failures_d[1:0]*Q +: Q]  = ack_queue;
            failure_code_d[failures_d[1:0]*2 +: 2]   = ack_error;
            failure_addr_d[failures_d[1:0]*40 +: 40] = ack_addr;
            failures_d = failures_d + 3'd1;
        end

        if (load_valid && (load_kind == `TOTEM_LOAD_RESUME || load_kind == `TOTEM_LOAD_SKIP))
            silent_d[load_queue] = 1'b0;
        if (mapping) begin
            mapped_d[load_queue] = load_data[0];
            if (load_data[0]) begin
                silent_before_d[load_queue] = silent_d[load_queue] || silent_before_d[load_queue];
                silent_d[load_queue]        = 1'b0;
                first_d[load_queue*E +: E] = load_epoch;
                if (!empty[{load_queue, load_epoch}]) begin
                    message_d[{load_queue, load_epoch}] = 1'b0;
                    epoch_d[load_queue*E +: E]          = load_next;
                    first_d[load_queue*E +: E]          = load_next;
                end
            end
        end
    end

    always @(posedge clk) begin
        epoch_q       <= epoch_d;
        oldest_q      <= oldest_d;
        first_q       <= first_d;
        mapped_q      <= mapped_d;
        shut_q        <= shut_d;
        message_q     <= message_d;
        pair_q        <= pair_d;
        reserved_q    <= reserved_d;
        abandoned_q   <= abandoned_d;
        lost_q        <= lost_d;
        late_q        <= late_d;
        count_q       <= count_d;
        waves_q       <= waves_d;
        place_q       <= place_d;
        guest_q       <= guest_d;
        store_valid_q <= store_valid_d;
        store_word_q  <= store_word_d;
        store_place_q <= store_place_d;
        store_queue_q <= store_queue_d;
        store_guest_q <= store_guest_d;
        sent_q        <= sent_d;
        answered_q    <= answered_d;
        notify_q      <= notify_d;
        fault_q       <= fault_d;
        silent_q      <= silent_d;
        silent_before_q <= silent_before_d;
        owed_q        <= owed_d;
        failures_q      <= failures_d;
        failure_queue_q <= failure_queue_d;
        failure_code_q  <= failure_code_d;
        failure_addr_q  <= failure_addr_d;
        phase_q       <= phase_d;
        serve_q       <= serve_d;
        step_q        <= step_d;
        again_q       <= again_d;
        address_q     <= address_d;
        data_sel_q    <= data_sel_d;
        int_sel_q     <= int_sel_d;
        data_q        <= data_d;
        ctxid_q       <= ctxid_d;
        code_q        <= code_d;
        own_q         <= own_d;
        halt_q        <= halt_d;
        halt_queue_q  <= halt_queue_d;
        if (rst) begin
            epoch_q       <= {QUEUES*E{1'b0}};
            oldest_q      <= {QUEUES*E{1'b0}};
            reserved_q    <= {ENTRIES{1'b0}};
            abandoned_q   <= {QUEUES{1'b0}};
            lost_q        <= 16'd0;
            late_q        <= 16'd0;
            count_q       <= {ENTRIES*C{1'b0}};
            waves_q       <= {QUEUES*16{1'b0}};
            place_q       <= 2'd0;
            guest_q       <= 1'b0;
            store_valid_q <= 1'b0;
            store_place_q <= 2'd0;
            first_q       <= {QUEUES*E{1'b0}};
            mapped_q      <= {QUEUES{1'b0}};
            shut_q        <= {QUEUES{1'b0}};
            sent_q        <= {QUEUES{1'b0}};
            answered_q    <= {QUEUES{1'b0}};
            silent_q      <= {QUEUES{1'b0}};
            silent_before_q <= {QUEUES{1'b0}};
            owed_q        <= 3'd0;
            failures_q    <= 3'd0;
            code_q        <= 3'd0;
            phase_q       <= IDLE;
            serve_q       <= {Q{1'b0}};
            step_q        <= 2'd0;
            halt_q        <= 1'b0;
        end
    end

`ifdef FORMAL
    // formal: maxsteps=4 params=QUEUES=2,EPOCHS=4,SE_COUNT=2 timeout=900
    // (the adders of 64 entries are beyond this prover; no rule depends on how many there are)
    // Assumed: packet closes only where there is room, one thing at a time; its words follow each other. record's queue
    // is not selected, and it keeps its message up.
    // Contract 1: the count of an entry, picked at will, is what was granted and written less what ended.
    // Contract 2: an epoch is done only if it is closed, in its turn: oldest goes up by one, never past epoch.
    // Contract 3: only an epoch with nothing in flight is taken up.
    // Contract 4: a close never runs into the oldest epoch.
    // Contract 5: a halt is of a queue that is mapped, for an epoch of its present mapping, and then always. f_mine
    // says whether the chosen epoch became current in the present mapping.
    // Contract 6: a failed packet write always finds a place, if a write is offered to memory only with write_room;
    // f_waits is a write that memory has not taken.
    // Contract 7: a queue has one fence write under way, and its epoch is not done before the acknowledge.
    // Contract 8: a reserved epoch has no fence, or a pair of record's; it is free when its last end has come; what is given up has no write
    // with memory.
    // Contract 9: of a mapped slot what is given up keeps no message, and earlier mappings keep all; of an unmapped one exactly the pairs stay.
    // Contract 10: a shut epoch has a pair and no room; it stays shut until it is done, given up with its mapping, or another is free, and then no longer.
    // Contract 11: idle ends only by a word of packet or record, a close, a packet write or its answer, or a grant, not by something that was on its way.
    // Contract 12: behind a fence of the present mapping without an answer no other is written, until RESUME, SKIP or a mapping; but pairs are.
    initial assume (rst);
    (* anyconst *) wire [Q-1:0] f_queue;
    (* anyconst *) wire [E-1:0] f_epoch;
    reg [C-1:0] f_count = {C{1'b0}};
    reg [C-1:0] f_delta;
    reg [C-1:0] f_out;                  // ends of the entry in this clock: never more than there are
    wire [E-1:0] f_now = epoch_q[f_queue*E +: E];
    wire [E-1:0] f_old = oldest_q[f_queue*E +: E];
    wire [E-1:0] f_now_d = epoch_d[f_queue*E +: E];
    wire [E-1:0] f_old_d = oldest_d[f_queue*E +: E];
    wire f_storing = store_valid_q && store_place_q == 2'd2;
    wire [E-1:0] f_next = after[f_queue*E +: E];
    wire         f_held = reserved_q[{f_queue, f_epoch}];
    wire         f_shut = shut_q[f_queue];
    wire         f_closed = f_epoch != f_now || f_shut;
    wire         f_open = f_old == f_now && !f_shut;                              // no epoch is closed
    wire         f_kept = message_q[{f_queue, f_epoch}] && f_closed;              // closed with a fence
    wire         f_lost = phase_q == IDLE && failures_q == 3'd0 && gives_up[f_queue] && lost_queue == f_queue;
    wire f_pipe = ((packet_close || packet_valid || packet_write) && arbiter_selected == f_queue)
                          || (any_grant && grant_entry[Q+E-1:E] == f_queue);      // the pipe works for the queue
    wire f_guest = store_valid_q ? store_guest_q : guest_q;                 // the message that is stored is record's
    wire f_used = f_pipe || ((store_valid_q || place_q != 2'd0) && store_queue_q == f_queue);
    integer k;

    reg  [Q-1:0] f_record;          // whose message record sent in the clock before
    reg  f_mine = 1'b1;
    reg  f_hushed = 1'b0;           // a fence of the present mapping was not answered
    reg  f_calm = 1'b0;             // idle in the clock before, and nothing came
    reg  f_waits = 1'b0;
    (* anyseq *) wire f_take;
    wire [E-1:0] f_first   = first_q[f_queue*E +: E];
    wire [E-1:0] f_age     = f_epoch - f_old;
    wire [E-1:0] f_now_age = f_now - f_old;
    wire [E-1:0] f_fst_age = f_first - f_old;
    wire f_mapping = mapping && load_data[0] && load_queue == f_queue;
    wire f_working = (phase_q == READ || phase_q == WRITE || phase_q == INTERRUPT || phase_q == DONE
                      || (phase_q == ERROR && own_q)) && serve_q == f_queue;

    always @* begin
        f_out = {{(C-1){1'b0}}, packet_write_ack && ack_queue == f_queue && ack_epoch == f_epoch};
        for (k = 0; k < SE_COUNT; k = k + 1)
            if (complete_valid[k] && complete_queue[k*Q +: Q] == f_queue && complete_epoch[k*E +: E] == f_epoch)
                f_out = f_out + {{(C-1){1'b0}}, 1'b1};
        f_delta = {C{1'b0}};
        for (k = 0; k < SE_COUNT; k = k + 1) begin
            if (grant_valid[k] && grant_queue[k*Q +: Q] == f_queue && grant_epoch[k*E +: E] == f_epoch)
                f_delta = f_delta + {3'd0, grant_waves[k*7 +: 7]};
            if (complete_valid[k] && complete_queue[k*Q +: Q] == f_queue && complete_epoch[k*E +: E] == f_epoch)
                f_delta = f_delta - {{(C-1){1'b0}}, 1'b1};
        end
        if (packet_write && arbiter_selected == f_queue && f_now == f_epoch)
            f_delta = f_delta + {{(C-1){1'b0}}, 1'b1};
        if (packet_write_ack && ack_tag[Q-1:0] == f_queue && ack_tag[3 +: E] == f_epoch)
            f_delta = f_delta - {{(C-1){1'b0}}, 1'b1};
    end

    always @(posedge clk) begin
        if (!rst) begin
            for (k = 0; k < SE_COUNT; k = k + 1)
                if (grant_valid[k])
                    assume ({grant_queue[k*Q +: Q], grant_epoch[k*E +: E]} == grant_entry);
            assume (!(packet_close && (packet_valid || (store_valid_q && store_queue_q == arbiter_selected) || (place_q != 2'd0 && !guest_q))));
            assume (!(word_valid && f_storing && word_queue == store_queue_q));
            if ((packet_close || packet_valid) && arbiter_selected == f_queue) assume (room[f_queue]);
            if (place_q != 2'd0 && !guest_q && packet_valid) assume (arbiter_selected == store_queue_q);
            if (guest_q) assume (record_valid && record_queue == f_record);
            if (record_valid && record_queue == f_queue) assume (!f_shut && !reserved_q[{f_queue, f_now}]);
            if (record_valid && (packet_close || packet_valid)) assume (arbiter_selected != record_queue);
            if (f_mapping)
                assume (room[f_queue] && !((packet_close || packet_valid) && arbiter_selected == f_queue) && !(record_valid && record_queue == f_queue)
                        && !((store_valid_q || place_q != 2'd0) && store_queue_q == f_queue));
            // hqd abandons only what has left the pipe (record may send a message of it), and a mapping does not go on in an epoch that is reserved.
            if (kill_abandon[f_queue]) assume (!f_pipe && !(place_q != 2'd0 && !guest_q && store_queue_q == f_queue) && !(mapping && load_queue == f_queue));
            if (f_used) assume (!reserved_q[{f_queue, f_now}]);
            if (any_grant && grant_entry[Q+E-1:E] == f_queue) assume (grant_entry[E-1:0] == f_now);
            assume (f_count >= f_out);
            if (write_ack && ack_queue == f_queue) assume (sent_q[f_queue] && ack_epoch == f_old);
            assume (!(write_ack && packet_write_ack));
            assume (!(packet_write && f_waits));
            if (packet_write_ack) assume (owed_q > {2'd0, f_waits});
        end
        f_count <= f_count + f_delta;
        if (f_mapping)
            f_mine <= f_now_d == f_epoch;
        else if (f_lost)
            f_mine <= !mapped_q[f_queue] || f_epoch == f_now || f_epoch == f_now_d;     // the two differ if it was shut
        else if (f_now != f_now_d && f_now_d == f_epoch)
            f_mine <= 1'b1;
        f_record <= record_queue;
        if (rst || (load_valid && load_queue == f_queue && (f_mapping || load_kind == `TOTEM_LOAD_RESUME || load_kind == `TOTEM_LOAD_SKIP)))
            f_hushed <= 1'b0;
        else if (write_ack && ack_error == TIME_OUT && ack_queue == f_queue && f_old == f_first)
            f_hushed <= 1'b1;
        f_calm   <= !rst && idle[f_queue] && f_epoch == f_now && !f_pipe && !(packet_write_ack && ack_queue == f_queue) && !(word_valid && word_queue == f_queue);
        f_waits <= packet_write || (f_waits && !(f_take && write_room));
        if (rst) begin
            f_count <= {C{1'b0}};
            f_mine  <= 1'b1;
            f_waits <= 1'b0;
        end

        if (!rst) begin
            assert (f_count == count_q[{f_queue, f_epoch}*C +: C]);                                     // 1
            if (f_calm) assert (idle[f_queue]);                                                         // 11
            if (f_hushed) assert (silent_q[f_queue]);                                                   // 12
            if (f_hushed && phase_q == WRITE && serve_q == f_queue && f_old == f_first) assert (pair_q[{f_queue, f_old}]);
            if (f_old != f_old_d) begin
                assert (f_old_d == f_old + {{(E-1){1'b0}}, 1'b1} && f_old != f_now && serve_q == f_queue); // 2
                assert (phase_q == DONE);
            end
            if (phase_q == IDLE && (phase_d == READ || phase_d == DONE) && serve_d == f_queue && f_old == f_epoch && !again_d)
                assert (f_count == {C{1'b0}} || f_held);                                                // 3
            if (f_now != f_now_d) assert (f_now_d == f_next && f_next != f_old && !reserved_q[{f_queue, f_next}]); // 4
            if (f_working) assert (!f_open && !sent_q[f_queue] && !answered_q[f_queue]);          // 7
            if (sent_q[f_queue] || answered_q[f_queue]) assert (!f_open);
            assert (!(sent_q[f_queue] && answered_q[f_queue]));
            assert (f_fst_age <= f_now_age);
            if (f_epoch == f_now) assert (f_mine);
            if (f_age <= f_now_age && (f_kept || (f_count != {C{1'b0}} && !f_held))) assert (f_mine == (f_age >= f_fst_age));
            if (f_held && message_q[{f_queue, f_epoch}]) assert (pair_q[{f_queue, f_epoch}] && (f_age < f_now_age || (f_epoch == f_now && f_shut)));                                 // 8
            if (f_held && f_count == {C{1'b0}}) assert (!reserved_d[{f_queue, f_epoch}]);               // 8
            if (f_lost) assert (!f_working && first_d[f_queue*E +: E] == (mapped_q[f_queue] ? f_now : f_old));                 // 8
            if (f_lost && (sent_q[f_queue] || answered_q[f_queue])) assert (mapped_q[f_queue] && f_first != f_old);            // 8
            if (f_lost && f_kept && f_age <= f_now_age)
                assert (message_d[{f_queue, f_epoch}] == (mapped_q[f_queue] ? f_age < f_fst_age : pair_q[{f_queue, f_epoch}])); // 9
            if (f_lost && mapped_q[f_queue] && f_age < f_fst_age)
                assert (reserved_d[{f_queue, f_epoch}] == (f_held && f_count != {C{1'b0}}));                                // 9
            if (f_working && phase_q != DONE) assert (message_q[{f_queue, f_old}]);
            if (sent_q[f_queue] || answered_q[f_queue]) assert (message_q[{f_queue, f_old}]);
            if ((write_ack || packet_write_ack) && ack_bad && ack_queue == f_queue && ack_epoch == f_epoch && f_age <= f_now_age)
                assert (halt_d == (mapped_q[f_queue] && f_mine && !f_held) && (!halt_d || halt_queue_d == f_queue)); // 5
            if (!write_ack && !packet_write_ack) assert (!halt_d);
            assert ({1'b0, owed_q} + {1'b0, failures_q} <= 4'd4 + {3'd0, f_waits} && owed_q >= {2'd0, f_waits});
            if (packet_write_ack && ack_bad) assert (failures_d == failures_q + 3'd1 || phase_q == IDLE && failures_d == failures_q); // 6
            if ((store_valid_q || place_q != 2'd0) && store_queue_q == f_queue) assert (!f_shut && (room[f_queue] || f_guest));
            if (f_shut) assert (message_q[{f_queue, f_now}] && pair_q[{f_queue, f_now}] && !room[f_queue]);                    // 10
            if (f_shut && free[f_queue]) assert (f_now_d == f_next && !shut_d[f_queue]);                // 10
            if (f_shut && f_now == f_now_d && !(f_lost && mapped_q[f_queue])) assert (shut_d[f_queue] || (phase_q == DONE && f_working && f_old == f_now)); // 10
            assert (store_place_q != 2'd3 && place_q != 2'd3);
            if (f_storing) assert (place_q == 2'd0 || guest_q);
            if (store_valid_q && !f_storing) assert (place_q == store_place_q + 2'd1);
            if (guest_q && place_q != 2'd0) assert (store_queue_q == f_record);
            assert (phase_q <= ERROR && phase_q != 3'd3 && failures_q <= 3'd4);
            cover (phase_q == DONE && message_q[{serve_q, serve_epoch}]);
        end
    end
`endif
endmodule

`default_nettype wire
