// SPDX-License-Identifier: Apache-2.0
//
// totem_epoch: epochs of the queue slots of a pipe.
//
// Policy    a slot's epochs are a ring: closed by a message, a flush or a mapping, done in order. What is abandoned and
//           still has something in flight is reserved, and passed over until that has ended.
// Latency   a close is seen one clock later.
// Boundary  packet closes only with room; record's messages close also without, and the epoch is shut.
// Proved    no epoch done twice or out of turn (property 2); no close runs into the oldest one (4); present says what
//           belongs to the present mapping (5); of what is abandoned only the pairs of an unmapped slot stay (8, 9); an
//           epoch is shut only by a pair, and no longer than needed (10); flushed ends only by a close (11).
// Twin      cmodel/fence/totem_epoch.c, same names.

`default_nettype none
`include "totem_load.vh"

module totem_epoch #(
    parameter QUEUES = 8,                   // a power of two, 2 to 8
    parameter EPOCHS = 8                    // a power of two, 2 to 8
) (
    input  wire                                 clk,
    input  wire                                 rst,
    // packet
    input  wire                                 packet_fence_close,
    input  wire [$clog2(QUEUES)-1:0]            arbiter_selected,
    // intake
    input  wire                                 intake_close,
    input  wire [$clog2(QUEUES)-1:0]            intake_close_queue,
    input  wire                                 intake_close_pair,
    // flight
    input  wire [QUEUES*EPOCHS-1:0]             flight_empty,
    // settle
    input  wire                                 settle_drop_valid,
    input  wire [$clog2(QUEUES)-1:0]            settle_drop_queue,
    // fence
    input  wire                                 fence_done,
    input  wire [$clog2(QUEUES)-1:0]            fence_serve,
    // load bus
    input  wire                                 load_valid,
    input  wire [$clog2(QUEUES)-1:0]            load_queue,
    input  wire [4:0]                           load_kind,
    input  wire [39:0]                          load_data,
    // the slots
    output wire [QUEUES*$clog2(EPOCHS)-1:0]     current,
    output wire [QUEUES*$clog2(EPOCHS)-1:0]     oldest,
    output wire [QUEUES-1:0]                    room,
    output wire [QUEUES-1:0]                    flushed,
    output wire [QUEUES-1:0]                    single,
    output wire [QUEUES-1:0]                    earlier,
    output wire [QUEUES-1:0]                    mapped,
    output wire [QUEUES*EPOCHS-1:0]             reserved,
    output wire [QUEUES*EPOCHS-1:0]             present,
    output wire [QUEUES-1:0]                    message,
    output wire [QUEUES-1:0]                    pair,
    // what is abandoned
    output wire [QUEUES-1:0]                    abandoned,
    output wire [11:0]                          dropped,
    output wire [15:0]                          lost
);
    localparam Q = $clog2(QUEUES);
    localparam E = $clog2(EPOCHS);
    localparam ENTRIES = QUEUES * EPOCHS;
    localparam [4:0] LOAD_ACTIVE = `TOTEM_LOAD_ACTIVE;
    localparam [E-1:0] ONE = {{(E-1){1'b0}}, 1'b1};

    generate
        if (QUEUES < 2 || QUEUES > 8 || QUEUES != (1 << Q) || EPOCHS < 2 || EPOCHS > 8 || EPOCHS != (1 << E))
        begin : check
            totem_epoch_needs_QUEUES_and_EPOCHS_2_4_or_8 refused ();
        end
    endgenerate

    reg [QUEUES*E-1:0] epoch_q, epoch_d;
    reg [QUEUES*E-1:0] oldest_q, oldest_d;
    reg [QUEUES*E-1:0] first_q, first_d;
    reg [QUEUES-1:0]   mapped_q, mapped_d;
    reg [QUEUES-1:0]   shut_q, shut_d;          // the current epoch is closed, there was none to go on with
    reg [ENTRIES-1:0]  message_q, message_d;
    reg [ENTRIES-1:0]  pair_q, pair_d;
    reg [ENTRIES-1:0]  reserved_q, reserved_d;
    reg [QUEUES-1:0]   abandoned_q, abandoned_d;
    reg [11:0]         dropped_q, dropped_d;
    reg [15:0]         lost_q, lost_d;

    // Registers that reset leaves alone read 0 at start, as in the model.
    initial begin
        epoch_q = 0;   oldest_q = 0; first_q = 0;    mapped_q = 0;    shut_q = 0;
        message_q = 0; pair_q = 0;   reserved_q = 0; abandoned_q = 0; dropped_q = 0; lost_q = 0;
    end

    wire [QUEUES*E-1:0] after;              // epoch to go on with,
    wire [QUEUES-1:0]   free;               // which is free
    wire [ENTRIES-1:0]  meant;              // epochs that a kill means
    genvar g, e_of;
    generate
        for (g = 0; g < QUEUES; g = g + 1) begin : slot
            wire [E-1:0]      now  = epoch_q[g*E +: E];
            wire [E-1:0]      old  = oldest_q[g*E +: E];
            wire [E-1:0]      own  = mapped_q[g] ? first_q[g*E +: E] : old;     // first of those that a kill means
            wire [EPOCHS-1:0] held = reserved_q[g*EPOCHS +: EPOCHS];
            wire [EPOCHS-1:0] with_message = message_q[g*EPOCHS +: EPOCHS];
            wire [EPOCHS-1:0] with_pair    = pair_q[g*EPOCHS +: EPOCHS];
            reg  [E-1:0]      next;
            integer           hop;
            always @* begin
                next = now + ONE;
                for (hop = EPOCHS - 1; hop > 0; hop = hop - 1)
                    if (!held[now + hop[E-1:0]])
                        next = now + hop[E-1:0];
            end
            wire [E-1:0] next_way = next - now - ONE;
            wire [E-1:0] old_way  = old - now - ONE;
            wire [E-1:0] own_way  = now - own;
            for (e_of = 0; e_of < EPOCHS; e_of = e_of + 1) begin : of_epoch
                localparam [E-1:0] EPOCH = e_of;
                wire [E-1:0] way = EPOCH - own;
                assign meant[g*EPOCHS + e_of]   = way <= own_way;
                assign present[g*EPOCHS + e_of] = mapped_q[g] && !held[e_of] && way <= own_way;
            end
            assign after[g*E +: E] = next;
            assign free[g]    = !held[next] && next_way < old_way;
            assign room[g]    = free[g] && !shut_q[g];
            assign flushed[g] = now == old && !shut_q[g];
            assign single[g]  = first_q[g*E +: E] == now && !shut_q[g];
            assign earlier[g] = first_q[g*E +: E] != old;
            assign message[g] = with_message[old];
            assign pair[g]    = with_pair[old];
        end
    endgenerate
    assign current   = epoch_q;
    assign oldest    = oldest_q;
    assign mapped    = mapped_q;
    assign reserved  = reserved_q;
    assign abandoned = abandoned_q;
    assign dropped   = dropped_q;
    assign lost      = lost_q;

    wire [QUEUES-1:0] moves = shut_q & free;        // the slot goes on in another epoch

    wire [E-1:0] close_epoch  = epoch_q[intake_close_queue*E +: E];
    wire [E-1:0] packet_epoch = epoch_q[arbiter_selected*E +: E];
    wire [E-1:0] serve_epoch  = oldest_q[fence_serve*E +: E];
    wire         serve_last   = epoch_q[fence_serve*E +: E] == serve_epoch;     // it is the current one, shut
    wire         mapping      = load_valid && load_kind == LOAD_ACTIVE;
    wire [E-1:0] load_epoch   = epoch_q[load_queue*E +: E];
    wire [E-1:0] load_next    = after[load_queue*E +: E];
    wire unused = &{1'b0, load_data};

    // Of the slot that is abandoned.
    wire [EPOCHS-1:0] lost_epochs  = meant[settle_drop_queue*EPOCHS +: EPOCHS];
    wire [EPOCHS-1:0] lost_full    = ~flight_empty[settle_drop_queue*EPOCHS +: EPOCHS];
    wire [EPOCHS-1:0] lost_current = {{(EPOCHS-1){1'b0}}, 1'b1} << epoch_q[settle_drop_queue*E +: E];
    wire [EPOCHS-1:0] lost_pairs   = pair_q[settle_drop_queue*EPOCHS +: EPOCHS];
    wire [EPOCHS-1:0] lost_fences  = lost_epochs & message_q[settle_drop_queue*EPOCHS +: EPOCHS] & ~lost_current &
                                     ~lost_pairs;
    wire [EPOCHS-1:0] lost_closed  = shut_q[settle_drop_queue] ? {EPOCHS{1'b1}} : ~lost_current;
    // lost_keeps: written
    wire [EPOCHS-1:0] lost_keeps   = mapped_q[settle_drop_queue] ? {EPOCHS{1'b0}} : lost_pairs & lost_closed;
    wire [EPOCHS-1:0] lost_held    = lost_full & (lost_epochs | reserved_q[settle_drop_queue*EPOCHS +: EPOCHS]);
    reg  [3:0]        lost_sum;
    reg  [7:0]        lost_mask;

    integer i, n;
    always @* begin
        lost_sum  = 4'd0;
        lost_mask = 8'd0;
        lost_mask[EPOCHS-1:0] = lost_held;
        for (i = 0; i < EPOCHS; i = i + 1)
            lost_sum = lost_sum + {3'd0, lost_fences[i]};
    end

    always @* begin
        epoch_d     = epoch_q;
        oldest_d    = oldest_q;
        first_d     = first_q;
        mapped_d    = mapped_q;
        shut_d      = shut_q & ~moves;
        message_d   = message_q;
        pair_d      = pair_q;
        reserved_d  = reserved_q & ~flight_empty;
        abandoned_d = {QUEUES{1'b0}};
        dropped_d   = dropped_q;
        lost_d      = lost_q;

        if (intake_close) begin
            message_d[{intake_close_queue, close_epoch}] = 1'b1;
            pair_d[{intake_close_queue, close_epoch}]    = intake_close_pair;
            if (free[intake_close_queue])
                epoch_d[intake_close_queue*E +: E] = after[intake_close_queue*E +: E];
            else
                shut_d[intake_close_queue] = 1'b1;
        end
        for (n = 0; n < QUEUES; n = n + 1)
            if (moves[n])
                epoch_d[n*E +: E] = after[n*E +: E];
        if (packet_fence_close) begin
            message_d[{arbiter_selected, packet_epoch}] = 1'b0;
            epoch_d[arbiter_selected*E +: E]            = after[arbiter_selected*E +: E];
        end

        if (settle_drop_valid) begin
            reserved_d[settle_drop_queue*EPOCHS +: EPOCHS] = lost_held;
            message_d[settle_drop_queue*EPOCHS +: EPOCHS]  = message_d[settle_drop_queue*EPOCHS +: EPOCHS] &
                                                            (~lost_epochs | lost_keeps);
            first_d[settle_drop_queue*E +: E] = mapped_q[settle_drop_queue] ? epoch_q[settle_drop_queue*E +: E] :
                                                                            oldest_q[settle_drop_queue*E +: E];
            shut_d[settle_drop_queue]         = shut_d[settle_drop_queue] && !mapped_q[settle_drop_queue];
            abandoned_d[settle_drop_queue]    = 1'b1;
            dropped_d = {lost_sum, lost_mask};
            lost_d    = (lost_q > 16'hffff - {12'd0, lost_sum}) ? 16'hffff : lost_q + {12'd0, lost_sum};
        end

        if (fence_done) begin
            message_d[{fence_serve, serve_epoch}] = 1'b0;     // it may be passed over, reserved
            if (serve_last)
                shut_d[fence_serve] = 1'b0;                   // open again
            else begin
                oldest_d[fence_serve*E +: E] = serve_epoch + ONE;
                if (first_q[fence_serve*E +: E] == serve_epoch)
                    first_d[fence_serve*E +: E] = serve_epoch + ONE;
            end
        end

        if (mapping) begin
            mapped_d[load_queue] = load_data[0];
            if (load_data[0]) begin
                first_d[load_queue*E +: E] = load_epoch;
                if (!flight_empty[{load_queue, load_epoch}]) begin
                    message_d[{load_queue, load_epoch}] = 1'b0;
                    epoch_d[load_queue*E +: E]          = load_next;
                    first_d[load_queue*E +: E]          = load_next;
                end
            end
        end
    end

    always @(posedge clk) begin
        epoch_q     <= epoch_d;
        oldest_q    <= oldest_d;
        first_q     <= first_d;
        mapped_q    <= mapped_d;
        shut_q      <= shut_d;
        message_q   <= message_d;
        pair_q      <= pair_d;
        reserved_q  <= reserved_d;
        abandoned_q <= abandoned_d;
        dropped_q   <= dropped_d;
        lost_q      <= lost_d;
        if (rst) begin
            epoch_q     <= {QUEUES*E{1'b0}};
            oldest_q    <= {QUEUES*E{1'b0}};
            first_q     <= {QUEUES*E{1'b0}};
            mapped_q    <= {QUEUES{1'b0}};
            shut_q      <= {QUEUES{1'b0}};
            reserved_q  <= {ENTRIES{1'b0}};
            abandoned_q <= {QUEUES{1'b0}};
            lost_q      <= 16'd0;
        end
    end

`ifdef FORMAL
    // formal: maxsteps=4 params=QUEUES=2,EPOCHS=4 timeout=900
    // Assumed: packet closes only where there is room, one thing at a time; record's queue is not selected. fence ends
    // an epoch only if it is closed and nothing of it is in flight.
    // Contract 2: an epoch is done only if it is closed, in its turn: oldest goes up by one, never past epoch.
    // Contract 4: a close never runs into the oldest epoch.
    // Contract 5: present says whether the chosen epoch became current in the present mapping (f_mine), is not
    // reserved, and the slot is mapped.
    // Contract 8: a reserved epoch has no fence, or a pair of record's; it is free when its last end has come.
    // Contract 9: of a mapped slot what is given up keeps no message, and earlier mappings keep all; of an unmapped
    // one exactly the pairs stay.
    // Contract 10: a shut epoch has a pair and no room; it stays shut until it is done, given up with its mapping, or
    // another is free, and then no longer.
    // Contract 11: flushed ends only by a close, or by a mapping that finds something in flight; an epoch is reserved
    // only where the slot is abandoned.
    initial assume (rst);
    (* anyconst *) wire [Q-1:0] f_queue;
    (* anyconst *) wire [E-1:0] f_epoch;
    wire [E-1:0] f_now   = epoch_q[f_queue*E +: E];
    wire [E-1:0] f_old   = oldest_q[f_queue*E +: E];
    wire [E-1:0] f_first = first_q[f_queue*E +: E];
    wire [E-1:0] f_now_d = epoch_d[f_queue*E +: E];
    wire [E-1:0] f_old_d = oldest_d[f_queue*E +: E];
    wire [E-1:0] f_next  = after[f_queue*E +: E];
    wire [E-1:0] f_age     = f_epoch - f_old;
    wire [E-1:0] f_now_age = f_now - f_old;
    wire [E-1:0] f_fst_age = f_first - f_old;
    wire         f_held    = reserved_q[{f_queue, f_epoch}];
    wire         f_shut    = shut_q[f_queue];
    wire         f_closed  = f_epoch != f_now || f_shut;
    wire         f_open    = f_old == f_now && !f_shut;                             // no epoch is closed
    wire         f_kept    = message_q[{f_queue, f_epoch}] && f_closed;             // closed with a fence
    wire         f_full    = !flight_empty[{f_queue, f_epoch}];
    wire         f_lost    = settle_drop_valid && settle_drop_queue == f_queue;
    wire         f_done    = fence_done && fence_serve == f_queue;
    wire         f_stored  = intake_close && intake_close_queue == f_queue;
    wire         f_close   = packet_fence_close && arbiter_selected == f_queue;
    wire         f_load    = mapping && load_queue == f_queue;
    wire         f_mapping = f_load && load_data[0];
    reg f_mine  = 1'b1;             // the chosen epoch became current in the present mapping
    reg f_was   = 1'b1;             // flushed in the clock before
    reg f_calm  = 1'b0;             // and nothing that ends it came
    reg f_loose = 1'b1;             // not reserved in the clock before, and not abandoned
    reg f_had   = 1'b0;             // something in flight in the clock before
    reg f_used  = 1'b0;             // the epoch was the current one

    always @(posedge clk) begin
        if (!rst) begin
            if (f_close) assume (room[f_queue] && !f_stored);
            if (f_stored) assume (!f_shut && (room[f_queue] || intake_close_pair) && !reserved_q[{f_queue, f_now}]);
            if (f_mapping) assume (room[f_queue] && !f_close && !f_stored);
            // hqd abandons only what has left the pipe, and a mapping does not go on in an epoch that is reserved.
            if (f_lost) assume (!f_close && !f_stored && !f_load && !fence_done);
            if (f_done) assume (!f_open);
            if (f_done && f_old == f_epoch) assume (!f_full || f_held);
            // What is in flight is of an epoch that is not done, or reserved.
            if (f_full && !f_held) assume (f_age <= f_now_age);
            if (f_full && !f_had) assume (f_used);          // only the current one is granted and written
        end
        if (f_mapping)
            f_mine <= f_now_d == f_epoch;
        else if (f_lost)
            f_mine <= !mapped_q[f_queue] || f_epoch == f_now || f_epoch == f_now_d;     // the two differ if it was shut
        else if (f_now != f_now_d && f_now_d == f_epoch)
            f_mine <= 1'b1;
        f_was   <= flushed[f_queue];
        f_calm  <= !f_close && !f_stored && !(f_mapping && !flight_empty[{f_queue, f_now}]);
        f_loose <= !f_held && !f_lost;
        f_had   <= f_full;
        f_used  <= !rst && f_epoch == f_now && !f_held && !f_lost;
        if (rst) begin
            f_mine  <= 1'b1;
            f_was   <= 1'b1;
            f_calm  <= 1'b1;
            f_loose <= 1'b1;
            f_had   <= 1'b0;
        end

        if (!rst) begin
            if (f_old != f_old_d)
                assert (f_old_d == f_old + ONE && f_old != f_now && f_done);                            // 2
            if (f_now != f_now_d)
                assert (f_now_d == f_next && f_next != f_old && !reserved_q[{f_queue, f_next}]);        // 4
            assert (f_fst_age <= f_now_age);
            if (f_epoch == f_now) assert (f_mine);
            if (f_age <= f_now_age && (f_kept || (f_full && !f_held))) assert (f_mine == (f_age >= f_fst_age));
            if (f_age <= f_now_age && f_full)
                assert (present[{f_queue, f_epoch}] == (mapped_q[f_queue] && f_mine && !f_held));       // 5
            if (!mapped_q[f_queue] || f_held) assert (!present[{f_queue, f_epoch}]);                    // 5
            if (f_held && message_q[{f_queue, f_epoch}])
                assert (pair_q[{f_queue, f_epoch}] && (f_age < f_now_age || (f_epoch == f_now && f_shut)));     // 8
            if (f_held && !f_full) assert (!reserved_d[{f_queue, f_epoch}]);                            // 8
            if (f_lost) assert (first_d[f_queue*E +: E] == (mapped_q[f_queue] ? f_now : f_old));        // 8
            if (f_lost && f_kept && f_age <= f_now_age)
                assert (message_d[{f_queue, f_epoch}] ==
                        (mapped_q[f_queue] ? f_age < f_fst_age : pair_q[{f_queue, f_epoch}]));          // 9
            if (f_lost && mapped_q[f_queue] && f_age < f_fst_age)
                assert (reserved_d[{f_queue, f_epoch}] == (f_held && f_full));                          // 9
            if (f_shut)
                assert (message_q[{f_queue, f_now}] && pair_q[{f_queue, f_now}] && !room[f_queue]);     // 10
            if (f_shut && free[f_queue]) assert (f_now_d == f_next && !shut_d[f_queue]);                // 10
            if (f_shut && f_now == f_now_d && !(f_lost && mapped_q[f_queue]))
                assert (shut_d[f_queue] || (f_done && f_old == f_now));                                 // 10
            if (f_was && f_calm) assert (flushed[f_queue]);                                             // 11
            if (f_loose) assert (!f_held);                                                              // 11
            cover (fence_done && message[fence_serve]);
            cover (f_shut && settle_drop_valid);
        end
    end
`endif
endmodule

`default_nettype wire
