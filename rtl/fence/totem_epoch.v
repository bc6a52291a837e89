// SPDX-License-Identifier: Apache-2.0
//
// totem_epoch: epochs of the queue slots of a pipe.
//
// Policy    a message, a flush or a mapping closes an epoch. It waits only for the one that its own mapping took before
//           it; the slot takes the next free one. What is abandoned and still has something in flight is reserved, and
//           not taken until that has ended.
// Latency   a close is seen one clock later.
// Boundary  packet closes only with room; messages of record close also without, and the slot is blocked.
// Cost      log2(EPOCHS) + 7 flip-flops for each epoch: the one before it, and its flags.
// Proved    an epoch has its turn exactly when all that its mapping took before it are done (invariant 2), and never
//           waits for one of another mapping (3); an epoch is taken only if it is free (4); present says what belongs
//           to the present mapping (5); of what is abandoned only the pairs of an unmapped slot stay (6, 7); only a
//           pair blocks a slot, and no longer than needed (8); flushed ends only by a close (9); behind a fence without
//           an answer all of its mapping are inhibited (10).
// Twin      cmodel/fence/totem_epoch.c, same names.

`default_nettype none

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
    // slot_idle
    input  wire                                 slot_idle_drop_valid,
    input  wire [$clog2(QUEUES)-1:0]            slot_idle_drop_queue,
    // fence
    input  wire                                 fence_done,
    input  wire [$clog2(QUEUES)-1:0]            fence_serve,
    input  wire [$clog2(EPOCHS)-1:0]            fence_serve_epoch,
    // memory
    input  wire                                 fence_write_ack,
    input  wire [5:0]                           ack_tag,
    input  wire [1:0]                           ack_error,
    // load bus
    input  wire                                 load_valid,
    input  wire [$clog2(QUEUES)-1:0]            load_queue,
    input  wire [4:0]                           load_kind,
    input  wire [39:0]                          load_data,
    // the slots
    output wire [QUEUES*$clog2(EPOCHS)-1:0]     current,
    output wire [QUEUES*EPOCHS-1:0]             closed,
    output wire [QUEUES*EPOCHS-1:0]             turn,
    output wire [QUEUES-1:0]                    room,
    output wire [QUEUES-1:0]                    flushed,
    output wire [QUEUES-1:0]                    mapped,
    output wire [QUEUES*EPOCHS-1:0]             reserved,
    output wire [QUEUES*EPOCHS-1:0]             present,
    output wire [QUEUES*EPOCHS-1:0]             message,
    output wire [QUEUES*EPOCHS-1:0]             inhibited,
    // what is abandoned
    output wire [QUEUES-1:0]                    abandoned,
    output wire [11:0]                          dropped,
    output wire [15:0]                          lost
);
`include "totem_hqd_values.vh"
`include "totem_memory_values.vh"
    localparam Q = $clog2(QUEUES);
    localparam E = $clog2(EPOCHS);
    localparam ENTRIES = QUEUES * EPOCHS;
    localparam [E-1:0] ONE = {{(E-1){1'b0}}, 1'b1};
    localparam [EPOCHS-1:0] FIRST = {{(EPOCHS-1){1'b0}}, 1'b1};
    localparam [EPOCHS-1:0] NONE  = {EPOCHS{1'b0}};
    localparam [EPOCHS-1:0] ALL   = {EPOCHS{1'b1}};

    generate
        if (QUEUES < 2 || QUEUES > 8 || QUEUES != (1 << Q) || EPOCHS < 2 || EPOCHS > 8 || EPOCHS != (1 << E))
        begin : check
            totem_epoch_needs_QUEUES_and_EPOCHS_2_4_or_8 refused ();
        end
    endgenerate

    reg  [QUEUES*E-1:0]  epoch_q;
    reg  [ENTRIES-1:0]   closed_q;
    reg  [ENTRIES-1:0]   own_q;
    reg  [ENTRIES-1:0]   waits_q;
    reg  [ENTRIES*E-1:0] before_q;
    reg  [QUEUES-1:0]    mapped_q;
    reg  [ENTRIES-1:0]   message_q;
    reg  [ENTRIES-1:0]   pair_q;
    reg  [ENTRIES-1:0]   unanswered_q;
    reg  [ENTRIES-1:0]   reserved_q;
    reg  [QUEUES-1:0]    abandoned_q;
    reg  [11:0]          dropped_q, dropped_d;
    reg  [15:0]          lost_q, lost_d;
    wire [QUEUES*E-1:0]  epoch_d;
    wire [ENTRIES-1:0]   closed_d, own_d, waits_d, message_d, pair_d, unanswered_d, reserved_d;
    wire [ENTRIES*E-1:0] before_d;
    wire [QUEUES-1:0]    mapped_d, abandoned_d;

    // Registers that reset leaves alone read 0 at start, as in the model.
    initial begin
        epoch_q = 0;  closed_q = 0; own_q = 0;    waits_q = 0;    before_q = 0;    mapped_q = 0;  message_q = 0;
        pair_q  = 0;   unanswered_q = 0; reserved_q = 0; abandoned_q = 0; dropped_q = 0; lost_q = 0;
    end

    wire       activates = load_valid && load_kind == LOAD_ACTIVE;
    wire       resumes   = load_valid && (load_kind == LOAD_RESUME || load_kind == LOAD_SKIP);
    wire       timed_out = fence_write_ack && ack_error == MEMORY_TIME_OUT;
    wire unused = &{1'b0, ack_tag, load_data};

    wire [ENTRIES-1:0] drop_fences;
    genvar g, e_of;
    generate
        for (g = 0; g < QUEUES; g = g + 1) begin : slot
            localparam [Q-1:0] SLOT = g;
            localparam BASE = g * EPOCHS;
            wire [E-1:0]      now    = epoch_q[g*E +: E];
            wire [EPOCHS-1:0] here   = FIRST << now;
            wire [EPOCHS-1:0] closed_set  = closed_q[BASE +: EPOCHS];
            wire [EPOCHS-1:0] mine       = own_q[BASE +: EPOCHS];
            wire [EPOCHS-1:0] held       = reserved_q[BASE +: EPOCHS];
            wire [EPOCHS-1:0] pairs      = pair_q[BASE +: EPOCHS];
            wire [EPOCHS-1:0] unanswered = unanswered_q[BASE +: EPOCHS];
            wire [EPOCHS-1:0] full       = ~flight_empty[BASE +: EPOCHS];
            wire              blocked   = closed_set[now];
            wire [EPOCHS-1:0] free_epochs   = ~(closed_set | held | here);
            reg  [E-1:0]      next_epoch;
            integer           hop;
            always @* begin
                next_epoch = now + ONE;
                for (hop = EPOCHS - 1; hop > 0; hop = hop - 1)
                    if (free_epochs[now + hop[E-1:0]])
                        next_epoch = now + hop[E-1:0];
            end

            wire stores = intake_close && intake_close_queue == SLOT;
            wire closes = packet_fence_close && arbiter_selected == SLOT;
            wire drops  = slot_idle_drop_valid && slot_idle_drop_queue == SLOT;
            wire ends   = fence_done && fence_serve == SLOT;
            wire loads  = activates && load_queue == SLOT;
            wire begins = loads && load_data[0];
            // 6 Mapping: whether an earlier mapping has left something in the current epoch
            wire leaves = begins && full[now];

            // 2 Closing
            wire moves = (stores || closes || blocked) && free_epochs != NONE;
            wire takes = moves || leaves;
            wire [E-1:0]      goes  = moves ? next_epoch : now;           // before a mapping
            wire [E-1:0]      then  = takes ? next_epoch : now;
            wire [EPOCHS-1:0] taken = takes ? FIRST << next_epoch : NONE;
            wire [EPOCHS-1:0] moved = moves ? FIRST << next_epoch : NONE;
            wire [EPOCHS-1:0] there = FIRST << then;
            wire [EPOCHS-1:0] ended = ends ? FIRST << fence_serve_epoch : NONE;

            // 3 Abandoned: of a mapped slot all is over at once, of another one only the pairs are still written.
            wire [EPOCHS-1:0] meant = mapped_q[g] ? mine : closed_set | here;
            wire              clears         = drops && mapped_q[g];
            wire              drops_unmapped = drops && !mapped_q[g];

            wire [EPOCHS-1:0] open  = FIRST << goes;
            wire [EPOCHS-1:0] owned = (clears ? open : drops_unmapped ? closed_set | open : mine | moved) &
                                      (open | ~ended);

            for (e_of = 0; e_of < EPOCHS; e_of = e_of + 1) begin : of_epoch
                localparam AT = BASE + e_of;
                localparam [E-1:0] EPOCH = e_of;
                wire [E-1:0] ahead  = taken[e_of] ? now : before_q[AT*E +: E];
                wire         waited = waits_q[AT] || moved[e_of];
                wire         frees  = clears && goes == EPOCH;
                // 4 Done
                wire         behind = ends && waited && !frees && ahead == fence_serve_epoch;
                // 5 Unanswered
                wire         times_out = timed_out && ack_tag[Q-1:0] == SLOT && ack_tag[3 +: E] == EPOCH;
                assign before_d[AT*E +: E] = ahead;
                assign waits_d[AT]      = waited && !frees && !behind && !(begins && there[e_of]);
                assign unanswered_d[AT] = ((unanswered[e_of] && !moved[e_of]) ||
                                           (behind && unanswered[fence_serve_epoch]) || times_out) &&
                                          !(resumes && load_queue == SLOT && owned[e_of]) && !(begins && there[e_of]);
            end

            assign epoch_d[g*E +: E]           = then;
            assign closed_d[BASE +: EPOCHS]    = ((closed_set | (stores || closes ? here : NONE)) &
                                                  ~(clears ? mine : NONE) & ~ended) | (leaves ? here : NONE);
            assign own_d[BASE +: EPOCHS]       = begins ? there : owned;
            assign message_d[BASE +: EPOCHS]   = (message_q[BASE +: EPOCHS] | (stores ? here : NONE))
                                                 & ~(closes || leaves ? here : NONE) & (drops_unmapped ? pairs : ALL);
            assign pair_d[BASE +: EPOCHS]      = !stores ? pairs : intake_close_pair ? pairs | here : pairs & ~here;
            // 1 Reserved
            assign reserved_d[BASE +: EPOCHS]  = full & (held | (drops ? meant : NONE));
            // 6 Mapping, continued
            assign mapped_d[g]                 = loads ? load_data[0] : mapped_q[g];
            // 3 Abandoned, continued
            assign abandoned_d[g]              = drops;
            assign drop_fences[BASE +: EPOCHS] = meant & closed_set & message_q[BASE +: EPOCHS] & ~pairs;

            assign turn[BASE +: EPOCHS]    = closed_set & ~waits_q[BASE +: EPOCHS];
            assign room[g]                 = free_epochs != NONE && !blocked;
            assign flushed[g]              = (closed_set & mine) == NONE;
            assign present[BASE +: EPOCHS] = mapped_q[g] ? mine & ~held : NONE;
        end
    endgenerate
    assign current   = epoch_q;
    assign closed    = closed_q;
    assign mapped    = mapped_q;
    assign reserved  = reserved_q;
    assign message   = message_q;
    assign inhibited = unanswered_q & ~pair_q;
    assign abandoned = abandoned_q;
    assign dropped   = dropped_q;
    assign lost      = lost_q;

    reg [3:0] lost_sum;
    integer i;
    always @* begin
        dropped_d = dropped_q;
        lost_d    = lost_q;
        lost_sum  = 4'd0;
        for (i = 0; i < EPOCHS; i = i + 1)
            lost_sum = lost_sum + {3'd0, drop_fences[slot_idle_drop_queue*EPOCHS + i]};
        if (slot_idle_drop_valid) begin
            dropped_d = {lost_sum, 8'd0};
            dropped_d[EPOCHS-1:0] = reserved_d[slot_idle_drop_queue*EPOCHS +: EPOCHS];
            lost_d    = (lost_q > 16'hffff - {12'd0, lost_sum}) ? 16'hffff : lost_q + {12'd0, lost_sum};
        end
    end

    always @(posedge clk) begin
        epoch_q      <= epoch_d;
        closed_q     <= closed_d;
        own_q        <= own_d;
        waits_q      <= waits_d;
        before_q     <= before_d;
        mapped_q     <= mapped_d;
        message_q    <= message_d;
        pair_q       <= pair_d;
        unanswered_q <= unanswered_d;
        reserved_q   <= reserved_d;
        abandoned_q  <= abandoned_d;
        dropped_q    <= dropped_d;
        lost_q       <= lost_d;
        if (rst) begin
            epoch_q      <= {QUEUES*E{1'b0}};
            closed_q     <= {ENTRIES{1'b0}};
            own_q        <= {QUEUES{FIRST}};
            waits_q      <= {ENTRIES{1'b0}};
            mapped_q     <= {QUEUES{1'b0}};
            message_q    <= {ENTRIES{1'b0}};
            unanswered_q <= {ENTRIES{1'b0}};
            reserved_q   <= {ENTRIES{1'b0}};
            abandoned_q  <= {QUEUES{1'b0}};
            lost_q       <= 16'd0;
        end
    end

    // formal: maxsteps=4 params=QUEUES=2,EPOCHS=4 timeout=900
`ifdef FORMAL
`include "totem_epoch_properties.vh"
`endif
endmodule

`default_nettype wire
