// SPDX-License-Identifier: Apache-2.0
//
// totem_place: says which slot a queue of the run list takes, and why.
//
// Policy    the lowest reason first: a free slot, then one whose queue is idle, is parked, has a lower priority, has
//           used up its quantum; then any. Within a reason the quietest pipe or the longest selected; then by number.
// Latency   one slot a clock: done is FE_COUNT*PIPES*QUEUES + 3 clocks after start.
// Boundary  a slot is shown in the clock after it is asked. Its rank is a register, so the comparison of 31 bits has a
//           clock of its own. Outputs are functions of state only.
// Mask      slot counts only while ask, the answer only while done.
// Cost      71 flip-flops and 4*$clog2(FE_COUNT*PIPES*QUEUES).
// Proved    1 best, 2 true, 3 none, 4 once, 5 all.
// Twin      cmodel/schedule/totem_place.c, same names.

`default_nettype none

module totem_place #(
    parameter FE_COUNT = 4,         // each costs time: slots are looked at one after the other
    parameter PIPES    = 2,
    parameter QUEUES   = 8
) (
    input  wire                                     clk,
    input  wire                                     rst,
    // owner
    input  wire                                     start,
    input  wire [3:0]                               start_priority,
    input  wire                                     start_yield,
    output wire                                     ask,
    output wire [$clog2(FE_COUNT*PIPES*QUEUES)-1:0] slot,
    // the slot that was asked in the clock before
    input  wire                                     slot_usable,
    input  wire [1:0]                               slot_phase,
    input  wire                                     slot_wants,
    input  wire                                     slot_parked,
    input  wire                                     slot_turn,
    input  wire                                     slot_used,
    input  wire [3:0]                               slot_priority,
    input  wire [23:0]                              slot_selected,
    // its pipe
    input  wire [4:0]                               pipe_running,
    input  wire [3:0]                               pipe_mapped,
    input  wire [3:0]                               pipe_empty,
    input  wire [4:0]                               pipe_highest,
    input  wire [3:0]                               spare,
    // owner
    output wire                                     done,
    output wire                                     found,
    output wire [$clog2(FE_COUNT*PIPES*QUEUES)-1:0] chosen,
    output wire [2:0]                               reason
);
`include "totem_place_values.vh"

    localparam N = FE_COUNT*PIPES*QUEUES;
    localparam B = $clog2(N);
    localparam [31:0] LAST = N - 1;

    generate
        if (FE_COUNT < 1 || PIPES < 1 || QUEUES < 1 || N < 2 || N > 64) begin : check
            totem_place_needs_2_to_64_slots refused ();
        end
    endgenerate

    reg [3:0]   candidate_q, candidate_d;
    reg         yield_q, yield_d;
    reg         ask_q, ask_d;
    reg [B-1:0] slot_q, slot_d;
    reg         shown_q, shown_d;
    reg [B-1:0] shown_slot_q, shown_slot_d;
    reg         ranked_q, ranked_d;
    reg [B-1:0] ranked_slot_q, ranked_slot_d;
    reg [2:0]   ranked_reason_q, ranked_reason_d;
    reg [27:0]  ranked_key_q, ranked_key_d;
    reg [B-1:0] chosen_q, chosen_d;
    reg [2:0]   reason_q, reason_d;
    reg [27:0]  key_q, key_d;
    reg         done_q, done_d;

    // Registers that reset leaves alone read 0 at start, as in the model.
    initial begin
        candidate_q = 0; yield_q = 0; ask_q = 0; slot_q = 0; shown_q = 0; shown_slot_q = 0; ranked_q = 0;
        ranked_slot_q = 0; ranked_reason_q = 0; ranked_key_q = 0; chosen_q = 0; reason_q = 0; key_q = 0; done_q = 0;
    end

    assign ask    = ask_q;
    assign slot   = slot_q;
    assign done   = done_q;
    assign chosen = chosen_q;
    assign reason = reason_q;
    assign found  = reason_q != PLACE_NONE;

    wire scanning   = ask_q || shown_q || ranked_q;
    wire begin_scan = start && !scanning;
    wire roomy      = pipe_empty > spare || {1'b0, candidate_q} >= pipe_highest;
    wire better     = {ranked_reason_q, ranked_key_q} < {reason_q, key_q};

    reg [2:0]  why;
    reg [27:0] order;
    always @* begin
        why = PLACE_NONE;
        if (slot_usable && slot_phase == SLOT_EMPTY && roomy)
            why = PLACE_FREE;
        if (slot_usable && slot_phase == SLOT_RUNNING)
            why = !slot_wants                                               ? PLACE_IDLE :
                  slot_parked                                               ? PLACE_PARKED :
                  slot_priority < candidate_q                               ? PLACE_LOWER :
                  slot_priority == candidate_q && slot_turn && slot_used    ? PLACE_QUANTUM :
                  yield_q && slot_turn                                      ? PLACE_YIELD : PLACE_NONE;
        case (why)
            PLACE_FREE, PLACE_IDLE, PLACE_PARKED: order = {pipe_running, pipe_mapped, 19'd0};
            PLACE_LOWER:                          order = {slot_priority, ~slot_selected};
            PLACE_QUANTUM, PLACE_YIELD:           order = {4'd0, ~slot_selected};
            default:                              order = 28'd0;
        endcase
    end

    always @* begin
        candidate_d = candidate_q;
        yield_d     = yield_q;
        ask_d       = ask_q;
        slot_d      = slot_q;
        chosen_d    = chosen_q;
        reason_d    = reason_q;
        key_d       = key_q;

        // 1 Compare
        if (ranked_q && better) begin
            chosen_d = ranked_slot_q;
            reason_d = ranked_reason_q;
            key_d    = ranked_key_q;
        end
        done_d = ranked_q && !ask_q && !shown_q;

        // 2 Rank
        ranked_d        = shown_q;
        ranked_slot_d   = shown_slot_q;
        ranked_reason_d = why;
        ranked_key_d    = order;

        // 3 Show
        shown_d      = ask_q;
        shown_slot_d = slot_q;

        // 4 Ask
        if (ask_q) begin
            ask_d  = slot_q != LAST[B-1:0];
            slot_d = slot_q != LAST[B-1:0] ? slot_q + {{B-1{1'b0}}, 1'b1} : {B{1'b0}};
        end

        // 5 Start
        if (begin_scan) begin
            ask_d       = 1'b1;
            candidate_d = start_priority;
            yield_d     = start_yield;
            reason_d    = PLACE_NONE;
            key_d       = 28'd0;
        end
    end

    always @(posedge clk) begin
        candidate_q     <= candidate_d;
        yield_q         <= yield_d;
        ask_q           <= ask_d;
        slot_q          <= slot_d;
        shown_q         <= shown_d;
        shown_slot_q    <= shown_slot_d;
        ranked_q        <= ranked_d;
        ranked_slot_q   <= ranked_slot_d;
        ranked_reason_q <= ranked_reason_d;
        ranked_key_q    <= ranked_key_d;
        chosen_q        <= chosen_d;
        reason_q        <= reason_d;
        key_q           <= key_d;
        done_q          <= done_d;
        if (rst) begin
            ask_q    <= 1'b0;
            slot_q   <= {B{1'b0}};
            shown_q  <= 1'b0;
            ranked_q <= 1'b0;
            done_q   <= 1'b0;
        end
    end

    // formal: maxsteps=4
    // formal: maxsteps=4 params=FE_COUNT=3,PIPES=2,QUEUES=1 configs=mini
`ifdef FORMAL
`include "totem_place_properties.vh"
`endif
endmodule

`default_nettype wire
