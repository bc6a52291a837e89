// SPDX-License-Identifier: Apache-2.0
//
// totem_runlist: which queue of the run list stands in which slot.
//
// Policy    one thing after the other: a move that has ended, a move that is late, a command, a doorbell, a placement;
//           doorbells and placements in turn (docs/contract/runlist.md). The longest wait of the highest priority goes
//           first, one placement in YIELD takes the longest of all. Nothing waits for a slot: moves of several overlap.
// Latency   an act takes at most 40 clocks beside those of the neighbours; a scan as long as place needs.
// Boundary  entries lie in a RAM beside the block, read and written in different phases: MEETS 0. Each neighbour is
//           asked in a phase of its own. Outputs are functions of state only.
// Mask      what a neighbour is asked for counts only while it is asked.
// Cost      FE_COUNT*PIPES*QUEUES: 2*$clog2(RUN_QUEUES) + 76 flip-flops a slot, and the multiplexers of _slots. About
//           545 others. RUN_QUEUES costs RAM.
// Proved    1 one to 10 eldest of the contract, at small sizes.
// Parts     _act.vh (rules 12 and 13), _slots (what place is shown), _access (register and data of an access).
// Twin      cmodel/schedule/totem_runlist.c, same names.

`default_nettype none

module totem_runlist #(
    parameter FE_COUNT   = 4,           // FE_COUNT*PIPES: 1 to 8
    parameter PIPES      = 2,
    parameter QUEUES     = 8,           // a power of two, 2 to 8
    parameter RUN_QUEUES = 1024         // a power of two, 2 to 1024
) (
    input  wire                                                 clk,
    input  wire                                                 rst,
    // service
    input  wire                                                 command_valid,
    input  wire [2:0]                                           command_op,
    input  wire [$clog2(RUN_QUEUES)-1:0]                        command_entry,
    input  wire [36:0]                                          command_mqd,
    input  wire [36:0]                                          command_pointer,
    input  wire [15:0]                                          command_process,
    input  wire [1:0]                                           command_tenant,
    input  wire [6:0]                                           command_quantum,
    input  wire                                                 command_static,
    input  wire                                                 command_reset,
    input  wire [63:0]                                          command_data,
    output wire                                                 command_done,
    output wire [1:0]                                           command_answer,
    output wire                                                 removing,
    // bell
    input  wire                                                 bell_event_valid,
    input  wire [$clog2(RUN_QUEUES)-1:0]                        bell_event_entry,
    output wire                                                 event_take,
    output wire                                                 order_valid,
    output wire [1:0]                                           order_op,
    output wire [$clog2(RUN_QUEUES)-1:0]                        order_entry,
    output wire [31:0]                                          order_data,
    input  wire                                                 bell_order_done,
    input  wire                                                 bell_order_pending,
    input  wire [31:0]                                          bell_order_wptr,
    // roster
    output wire                                                 request_valid,
    output wire [1:0]                                           request_op,
    output wire [5:0]                                           request_list,
    output wire [$clog2(RUN_QUEUES)-1:0]                        request_entry,
    input  wire                                                 roster_request_ready,
    input  wire                                                 roster_answer_valid,
    input  wire                                                 roster_answer_refused,
    input  wire [$clog2(RUN_QUEUES)-1:0]                        roster_answer_entry,
    input  wire [63:0]                                          roster_filled,
    // place
    output wire                                                 start,
    output wire [3:0]                                           start_priority,
    output wire                                                 start_yield,
    input  wire                                                 place_ask,
    input  wire [$clog2(FE_COUNT*PIPES*QUEUES)-1:0]             place_slot,
    output wire                                                 slot_usable,
    output wire [1:0]                                           slot_phase,
    output wire                                                 slot_wants,
    output wire                                                 slot_parked,
    output wire                                                 slot_turn,
    output wire                                                 slot_used,
    output wire [3:0]                                           slot_priority,
    output wire [23:0]                                          slot_selected,
    output wire [4:0]                                           pipe_running,
    output wire [3:0]                                           pipe_mapped,
    output wire [3:0]                                           pipe_empty,
    output wire [4:0]                                           pipe_highest,
    input  wire                                                 place_done,
    input  wire                                                 place_found,
    input  wire [$clog2(FE_COUNT*PIPES*QUEUES)-1:0]             place_chosen,
    input  wire [2:0]                                           place_reason,
    // proxy
    output wire                                                 access_valid,
    output wire [17:0]                                          access_address,
    output wire [31:0]                                          access_data,
    output wire [$clog2(RUN_QUEUES)-1:0]                        access_entry,
    output wire                                                 access_late,
    input  wire                                                 proxy_done,
    input  wire [4:0]                                           proxy_error,
    // memory
    output wire                                                 read_valid,
    output wire [39:0]                                          read_addr,
    output wire [4:0]                                           read_beats,
    input  wire                                                 read_ready,
    input  wire                                                 data_valid,
    input  wire [63:0]                                          data_word,
    input  wire [1:0]                                           data_error,
    // RAM of entries
    output wire                                                 ram_write_enable,
    output wire [$clog2(RUN_QUEUES)+1:0]                        ram_write_addr,
    output wire [63:0]                                          ram_write_data,
    output wire                                                 ram_read_enable,
    output wire [$clog2(RUN_QUEUES)+1:0]                        ram_read_addr,
    input  wire [63:0]                                          ram_read_data,
    // slots
    input  wire [FE_COUNT*PIPES*QUEUES-1:0]                     hqd_active,
    input  wire [FE_COUNT*PIPES*QUEUES*3-1:0]                   hqd_request,
    input  wire [FE_COUNT*PIPES*QUEUES-1:0]                     hqd_dequeuing,
    input  wire [FE_COUNT*PIPES*QUEUES-1:0]                     mqd_lost,
    input  wire [FE_COUNT*PIPES*QUEUES-1:0]                     fetch_pending,
    input  wire [FE_COUNT*PIPES*QUEUES-1:0]                     packet_unfinished,
    input  wire [FE_COUNT*PIPES*QUEUES-1:0]                     runner_due,
    input  wire [FE_COUNT*PIPES*QUEUES-1:0]                     task_pending,
    input  wire [FE_COUNT*PIPES*QUEUES-1:0]                     packet_halted,
    input  wire [FE_COUNT*PIPES*QUEUES-1:0]                     record_busy,
    input  wire [FE_COUNT*PIPES*QUEUES-1:0]                     fence_spare,
    input  wire [FE_COUNT*PIPES-1:0]                            packet_executed,
    input  wire [FE_COUNT*PIPES-1:0]                            packet_unsuccessful,
    input  wire [FE_COUNT*PIPES*QUEUES-1:0]                     arbiter_ready,
    input  wire [FE_COUNT*PIPES-1:0]                            arbiter_selected_valid,
    input  wire [FE_COUNT*PIPES*$clog2(QUEUES)-1:0]             arbiter_selected,
    input  wire [FE_COUNT*PIPES*QUEUES*4-1:0]                   arbiter_queue_priority,
    // host
    input  wire [23:0]                                          settings_quantum_unit0,
    input  wire [7:0]                                           settings_yield,
    input  wire [15:0]                                          settings_park,
    input  wire [3:0]                                           settings_spare,
    input  wire [23:0]                                          settings_leave,
    output wire [31:0]                                          decisions,
    output wire [31:0]                                          moves,
    output wire                                                 idle,
    output wire [FE_COUNT*PIPES*QUEUES*2-1:0]                   place_phase,
    output wire [FE_COUNT*PIPES*QUEUES*$clog2(RUN_QUEUES)-1:0]  place_entry
);
`include "totem_bell_values.vh"
`include "totem_hqd_values.vh"
`include "totem_memory_values.vh"
`include "totem_place_values.vh"
`include "totem_roster_values.vh"
`include "totem_runlist_values.vh"

    localparam P = FE_COUNT*PIPES;
    localparam N = P*QUEUES;
    localparam S = $clog2(N);
    localparam Q = $clog2(QUEUES);
    localparam E = $clog2(RUN_QUEUES);
    localparam C = E + 1;                   // of a count of entries
    localparam A = $clog2(P+1);

    generate
        if (P < 1 || P > 8 || QUEUES < 2 || QUEUES > 8 || QUEUES != (1 << Q) || RUN_QUEUES < 2 || RUN_QUEUES > 1024 ||
            RUN_QUEUES != (1 << E))
        begin : check
            totem_runlist_needs_1_to_8_pipes_QUEUES_2_4_or_8_and_RUN_QUEUES_2_to_1024_a_power_of_two refused ();
        end
    endgenerate

    localparam [31:0]  LAST        = N - 1;
    localparam [31:0]  LAST_PIPE   = P - 1;
    localparam [E-1:0] LAST_ENTRY  = {E{1'b1}};
    localparam [C-1:0] ONE_REMOVAL = 1;
    localparam [E-1:0] ONE_ENTRY   = 1;
    localparam [A-1:0] ONE_PIPE    = 1;
    localparam [S-1:0] ONE_PLACE   = 1;
    localparam [N-1:0] NO_SLOT     = 0;
    localparam [N-1:0] ONE_SLOT    = 1;

    reg [3:0]      phase_q, phase_d;
    reg            command_done_q, command_done_d;
    reg [1:0]      command_answer_q, command_answer_d;
    reg [3:0]      act_q, act_d;
    reg [3:0]      step_q, step_d;
    reg [E-1:0]    entry_q, entry_d;
    reg [S-1:0]    slot_q, slot_d;
    reg [5:0]      list_q, list_d;
    reg [63:0]     head_q, head_d;
    reg [63:0]     tail_q, tail_d;
    reg [63:0]     word_q, word_d;
    reg            wants_q, wants_d;
    reg            wrong_q, wrong_d;
    reg            commanded_q, commanded_d;
    reg            sweeping_q, sweeping_d;
    reg            yielding_q, yielding_d;
    reg            missed_q, missed_d;
    reg            aged_q, aged_d;
    reg [31:0]     age_q, age_d;
    reg [E-1:0]    eldest_q, eldest_d;
    reg            ahead_q, ahead_d;
    reg [A-1:0]    ahead_pipe_q, ahead_pipe_d;
    reg [7:0]      next_yield_q, next_yield_d;
    reg [30:0]     lull_q, lull_d;
    reg [6:0]      dull_q, dull_d;
    reg [S-1:0]    looked_q, looked_d;
    reg [31:0]     now_q, now_d;
    reg [C-1:0]    removals_q, removals_d;
    reg [31:0]     decisions_q, decisions_d;
    reg [31:0]     moves_q, moves_d;
    reg            heard_q, heard_d;
    reg            idle_q, idle_d;
    reg            slot_usable_q;
    reg [1:0]      slot_phase_q;
    reg            slot_wants_q;
    reg            slot_parked_q;
    reg            slot_turn_q;
    reg            slot_used_q;
    reg [3:0]      slot_priority_q;
    reg [23:0]     slot_selected_q;
    reg [4:0]      pipe_running_q;
    reg [3:0]      pipe_mapped_q;
    reg [3:0]      pipe_empty_q;
    reg [4:0]      pipe_highest_q;
    reg [N-1:0]    owned_q, owned_d;
    reg [N*2-1:0]  place_phase_q, place_phase_d;
    reg [N*E-1:0]  place_entry_q, place_entry_d;
    reg [N-1:0]    claimed_q, claimed_d;
    reg [N*E-1:0]  claimant_q, claimant_d;
    reg [N*4-1:0]  priority_q, priority_d;
    reg [N*24-1:0] limit_q, limit_d;
    reg [N*24-1:0] ran_q, ran_d;
    reg [N*16-1:0] still_q, still_d;
    reg [N-1:0]    vain_q, vain_d;
    reg [N-1:0]    turn_q, turn_d;
    reg [N-1:0]    wanted_q, wanted_d;
    reg [N-1:0]    stuck_q, stuck_d;
    reg [N-1:0]    settled_q, settled_d;

    // Registers that reset leaves alone read 0 at start, as in the model.
    initial begin
        phase_q = 0; command_done_q = 0; command_answer_q = 0; act_q = 0; step_q = 0; entry_q = 0; slot_q = 0;
        list_q = 0; head_q = 0; tail_q = 0; word_q = 0; wants_q = 0; wrong_q = 0; commanded_q = 0; sweeping_q = 0;
        yielding_q = 0; missed_q = 0; aged_q = 0; age_q = 0; eldest_q = 0; ahead_q = 0; ahead_pipe_q = 0;
        next_yield_q = 0; lull_q = 0; dull_q = 0; looked_q = 0; now_q = 0; removals_q = 0; decisions_q = 0; moves_q = 0; heard_q = 0;
        idle_q = 0; slot_usable_q = 0; slot_phase_q = 0; slot_wants_q = 0; slot_parked_q = 0; slot_turn_q = 0;
        slot_used_q = 0; slot_priority_q = 0; slot_selected_q = 0; pipe_running_q = 0; pipe_mapped_q = 0;
        pipe_empty_q = 0; pipe_highest_q = 0; owned_q = 0; place_phase_q = 0; place_entry_q = 0; claimed_q = 0;
        claimant_q = 0; priority_q = 0; limit_q = 0; ran_q = 0; still_q = 0; vain_q = 0; turn_q = 0; wanted_q = 0;
        stuck_q = 0; settled_q = 0;
    end

    // The entry in hand.
    wire [1:0]  state   = head_q[61:60];
    wire        waits   = head_q[62];
    wire        removed = head_q[63];
    wire        meant   = state != RUN_FREE &&
                          (command_op == RUN_REMOVE_ALL ||
                           (command_op == RUN_REMOVE_PROCESS && head_q[52:37] == command_process) ||
                           (command_op == RUN_REMOVE_DYNAMIC && !head_q[53]));
    wire [31:0] waited  = now_q - tail_q[63:32];
    wire [32:0] in_all  = {1'b0, ram_read_data[31:0]} + {1'b0, waited};     // ram_read_data is the third word read
    wire [30:0] clocks  = {24'd0, tail_q[31:25] == 7'd0 ? 7'd1 : tail_q[31:25]} * {7'd0, settings_quantum_unit0};
    wire [23:0] product = clocks[30:24] != 7'd0 ? 24'hFFFFFF : clocks[23:0];

    wire        unused  = &{1'b0, command_data};     // a small machine has fewer slots

    // Slots.
    wire [N-1:0] works  = fetch_pending | packet_unfinished | runner_due | task_pending;
    wire [N-1:0] here   = ONE_SLOT << slot_q;
    reg  [N-1:0] selects, turns, free, quiet;      // free: mqd has no job of it
    reg  [N-1:0] arrived;
    integer      i, j;
    always @* begin
        for (i = 0; i < N; i = i + 1) begin
            selects[i] = arbiter_selected_valid[i/QUEUES] && arbiter_selected[(i/QUEUES)*Q +: Q] == i[Q-1:0];
            turns[i]   = arbiter_ready[i];
            for (j = 0; j < QUEUES; j = j + 1)
                if (arbiter_selected_valid[i/QUEUES] && arbiter_selected[(i/QUEUES)*Q +: Q] == j[Q-1:0] &&
                        arbiter_queue_priority[(i/QUEUES*QUEUES + j)*4 +: 4] > arbiter_queue_priority[i*4 +: 4])
                    turns[i] = 1'b0;
            free[i]    = hqd_request[i*3 +: 3] == REQUEST_NONE;
            quiet[i]   = free[i] && !hqd_dequeuing[i];
            arrived[i] = quiet[i] && settled_q[i] && hqd_active[i] && place_phase_q[i*2 +: 2] == PHASE_LOADING;
        end
    end
    wire [1:0]  at     = place_phase_q[looked_q*2 +: 2];
    wire        moving = at == PHASE_LOADING || at == PHASE_LEAVING;
    wire [23:0] since  = ran_q[looked_q*24 +: 24];
    wire        ended  = arrived[looked_q] || (arrived == NO_SLOT && moving && quiet[looked_q] && settled_q[looked_q] &&
                                               !hqd_active[looked_q] && !record_busy[looked_q]);
    wire        late   = moving && hqd_active[looked_q] && settings_leave != 24'd0 && since >= settings_leave &&
                         since[23:12] != 12'd0;

    // Lists.
    reg [3:0] level;
    always @* begin
        level = 4'd0;
        for (i = 0; i < 16; i = i + 1)
            if (roster_filled[i] || roster_filled[16 + i] || roster_filled[32 + i] || roster_filled[48 + i])
                level = i[3:0];
    end
    wire         filled    = roster_filled != 64'd0;
    wire         yields    = !missed_q && settings_yield != 8'd0
                             && {1'b0, next_yield_q} + 9'd1 >= {1'b0, settings_yield};
    wire         lulled    = lull_q[30:7] >= settings_quantum_unit0;
    wire [A-1:0] next_pipe = ahead_pipe_q == LAST_PIPE[A-1:0] ? {A{1'b0}} : ahead_pipe_q + ONE_PIPE;

    // Place.
    wire        shown_usable, shown_wants, shown_parked, shown_turn, shown_used, scarce;
    wire [1:0]  shown_phase;
    wire [3:0]  shown_priority, shown_mapped, shown_empty;
    wire [23:0] shown_selected;
    wire [4:0]  shown_running, shown_highest;

    totem_runlist_slots #(.FE_COUNT(FE_COUNT), .PIPES(PIPES), .QUEUES(QUEUES)) slots (
        .slot(place_slot), .ahead(ahead_q), .ahead_pipe(ahead_pipe_q),
        .owned(owned_q), .place_phase(place_phase_q), .claimed(claimed_q), .stuck(stuck_q), .priorities(priority_q),
        .limit(limit_q), .ran(ran_q), .still(still_q), .turn(turn_q), .works(works), .active(hqd_active),
        .halted(packet_halted), .spare(fence_spare), .selected_valid(arbiter_selected_valid),
        .selected(arbiter_selected), .queue_priority(arbiter_queue_priority), .settings_park(settings_park),
        .settings_spare(settings_spare), .slot_usable(shown_usable), .slot_phase(shown_phase),
        .slot_wants(shown_wants), .slot_parked(shown_parked), .slot_turn(shown_turn), .slot_used(shown_used),
        .slot_priority(shown_priority), .slot_selected(shown_selected), .pipe_running(shown_running),
        .pipe_mapped(shown_mapped), .pipe_empty(shown_empty), .pipe_highest(shown_highest), .scarce(scarce));

    totem_runlist_access #(.SLOTS(N), .QUEUES(QUEUES)) accesses (
        .act(act_q), .step(step_q), .slot(slot_q), .late(access_late), .resets(head_q[63:62] == 2'b11),
        .mqd(head_q[36:0]), .queue_priority(head_q[57:54]), .pointer(word_q[31:0]),
        .address(access_address), .data(access_data));

    wire [36:0] offset = step_q == 4'd1 ? 37'd66 : step_q == 4'd2 ? 37'd67 : step_q == 4'd3 ? 37'd69 :
                         step_q == 4'd4 ? 37'd74 : 37'd191;
    wire [36:0] source = step_q >= 4'd1 && step_q <= 4'd5 ? head_q[36:0] + offset : word_q[36:0];

    assign command_done   = command_done_q;
    assign command_answer = command_answer_q;
    assign removing       = removals_q != {C{1'b0}};
    assign event_take     = phase_q == RUNLIST_HEAD && act_q == ACT_EVENT;
    assign order_valid    = phase_q == RUNLIST_ORDER;
    assign order_op       = act_q == ACT_ADD && step_q != 4'd10 ? BELL_LIST :
                            act_q == ACT_EVENT || act_q == ACT_IN || (act_q == ACT_OUT && step_q == 4'd1) ? BELL_TAKE :
                            BELL_DROP;
    assign order_entry    = entry_q;
    assign order_data     = word_q[31:0];
    assign request_valid  = phase_q == RUNLIST_REQUEST;
    assign request_op     = act_q == ACT_CHOOSE ? ROSTER_FIRST :
                            act_q == ACT_REMOVE || act_q == ACT_PLACE || (act_q == ACT_PRIORITY && step_q == 4'd1) ?
                            ROSTER_REMOVE : act_q == ACT_FILL ? ROSTER_PUSH_FIRST : ROSTER_PUSH;
    assign request_list   = list_q;
    assign request_entry  = entry_q;
    assign start          = phase_q == RUNLIST_START;
    assign start_priority = ahead_q ? 4'd15 : head_q[57:54];
    assign start_yield    = yielding_q;
    assign slot_usable    = slot_usable_q;
    assign slot_phase     = slot_phase_q;
    assign slot_wants     = slot_wants_q;
    assign slot_parked    = slot_parked_q;
    assign slot_turn      = slot_turn_q;
    assign slot_used      = slot_used_q;
    assign slot_priority  = slot_priority_q;
    assign slot_selected  = slot_selected_q;
    assign pipe_running   = pipe_running_q;
    assign pipe_mapped    = pipe_mapped_q;
    assign pipe_empty     = pipe_empty_q;
    assign pipe_highest   = pipe_highest_q;
    assign access_valid   = phase_q == RUNLIST_ACCESS;
    assign access_entry   = entry_q;
    assign access_late    = act_q == ACT_RESET && place_phase_q[slot_q*2 +: 2] != PHASE_LOADING;
    assign read_valid     = phase_q == RUNLIST_ASK;
    assign read_addr      = {source, 3'd0};
    assign read_beats     = 5'd1;
    assign decisions      = decisions_q;
    assign moves          = moves_q;
    assign idle           = idle_q;
    assign place_phase    = place_phase_q;
    assign place_entry    = place_entry_q;

    // Words 2 and 3 are written in steps that need the RAM for nothing else.
    wire clears = phase_q == RUNLIST_ACT && act_q == ACT_ADD && step_q[3:1] == 3'd1;
    wire mends  = phase_q == RUNLIST_ACT && (act_q == ACT_IN || act_q == ACT_EVICT) && step_q == 4'd1;

    assign ram_read_enable  = phase_q == RUNLIST_HEAD || phase_q == RUNLIST_TAIL || phase_q == RUNLIST_LOADED;
    assign ram_read_addr    = {entry_q, phase_q == RUNLIST_LOADED, phase_q == RUNLIST_TAIL ||
                                        (phase_q == RUNLIST_LOADED && act_q != ACT_IN)};
    assign ram_write_enable = phase_q == RUNLIST_STORE || phase_q == RUNLIST_STORED || phase_q == RUNLIST_SWEEP ||
                              clears || mends;
    assign ram_write_addr   = {entry_q, clears || mends, phase_q == RUNLIST_STORED || (clears && step_q[0]) ||
                                                         (mends && act_q == ACT_EVICT)};
    assign ram_write_data   = phase_q == RUNLIST_SWEEP || clears ? 64'd0 :
                              phase_q == RUNLIST_STORED ? tail_q : mends ? word_q : head_q;

    reg         lists;                  // the list in hand is that of the entry,
    reg [5:0]   its_list;               // which is this
    reg         onward;                 // ACT_CHOOSE: the next list
    reg         ends;
    reg [1:0]   answer;
    reg         sets_phase, sets_entry, sets_claimant, sets_priority;   // of the slot in hand
    reg [1:0]   new_phase;
    reg [N-1:0] sets_ran, still_clear;  // of these slots they become 0

    always @* begin
        phase_d          = phase_q;
        command_answer_d = command_answer_q;
        act_d            = act_q;
        step_d           = step_q;
        entry_d          = entry_q;
        slot_d           = slot_q;
        list_d           = list_q;
        head_d           = head_q;
        tail_d           = tail_q;
        word_d           = word_q;
        wants_d          = wants_q;
        wrong_d          = wrong_q;
        commanded_d      = commanded_q;
        sweeping_d       = sweeping_q;
        yielding_d       = yielding_q;
        missed_d         = missed_q;
        aged_d           = aged_q;
        eldest_d         = eldest_q;
        ahead_d          = ahead_q;
        ahead_pipe_d     = ahead_pipe_q;
        next_yield_d     = next_yield_q;
        looked_d         = looked_q;
        removals_d       = removals_q;
        decisions_d      = decisions_q;
        moves_d          = moves_q;
        heard_d          = heard_q;
        owned_d          = owned_q;
        place_phase_d    = place_phase_q;
        place_entry_d    = place_entry_q;
        claimed_d        = claimed_q;
        claimant_d       = claimant_q;
        priority_d       = priority_q;
        limit_d          = limit_q;
        ran_d            = ran_q;
        still_d          = still_q;
        vain_d           = vain_q;
        turn_d           = turn_q;
        wanted_d         = wanted_q;
        stuck_d          = stuck_q;
        lists            = 1'b0;
        onward           = 1'b0;
        ends             = 1'b0;
        answer           = RUN_GOOD;
        sets_phase       = 1'b0;
        sets_entry       = 1'b0;
        sets_claimant    = 1'b0;
        sets_priority    = 1'b0;
        new_phase        = PHASE_EMPTY;
        sets_ran         = NO_SLOT;
        still_clear      = NO_SLOT;

        // 1 Clocks
        now_d          = now_q + 32'd1;
        idle_d         = (phase_q == RUNLIST_REST || phase_q == RUNLIST_SWEEP) && !command_valid && !bell_event_valid
                         && !filled;
        for (i = 0; i < N; i = i + 1)
            if (place_phase_q[2*i +: 2] == PHASE_LOADING || place_phase_q[2*i +: 2] == PHASE_LEAVING)
                idle_d = 1'b0;
        age_d          = age_q + 32'd1;
        lull_d         = !filled || lulled ? 31'd0 : lull_q + 31'd1;
        if (filled && lulled && next_yield_q != 8'hFF)
            next_yield_d = next_yield_q + 8'd1;
        dull_d         = dull_q == 7'd0 ? 7'd0 : dull_q - 7'd1;
        command_done_d = 1'b0;

        // 2 Slots
        settled_d = quiet;
        for (i = 0; i < N; i = i + 1) begin
            if (hqd_active[i] && free[i])
                wanted_d[i] = works[i];
            if (place_phase_q[i*2 +: 2] != PHASE_EMPTY && (place_phase_q[i*2 +: 2] != PHASE_RUNNING || selects[i]) &&
                    ran_q[i*24 +: 24] != 24'hFFFFFF)
                ran_d[i*24 +: 24] = ran_q[i*24 +: 24] + 24'd1;
            if (place_phase_q[i*2 +: 2] == PHASE_RUNNING) begin
                if (selects[i] && (packet_executed[i/QUEUES] || |ran_q[i*24 + 6 +: 18]))
                    turn_d[i] = 1'b1;
                if (selects[i] && packet_executed[i/QUEUES])
                    vain_d[i] = packet_unsuccessful[i/QUEUES];
                if (!works[i] || (selects[i] && !vain_q[i]))
                    still_d[i*16 +: 16] = 16'd0;
                else if ((vain_q[i] || !turns[i]) && still_q[i*16 +: 16] != 16'hFFFF)
                    still_d[i*16 +: 16] = still_q[i*16 +: 16] + 16'd1;
            end
        end

        // 4 Looked
        if (!ended && !late)
            looked_d = looked_q == LAST[S-1:0] ? {S{1'b0}} : looked_q + ONE_PLACE;

        case (phase_q)
            // 5 Choice
            RUNLIST_REST: if (ended) begin
                step_d      = 4'd0;
                commanded_d = 1'b0;
                slot_d      = looked_q;
                entry_d     = place_entry_q[looked_q*E +: E];
                act_d       = at == PHASE_LOADING ? ACT_IN : ACT_OUT;
                phase_d     = RUNLIST_HEAD;
            end else if (late) begin
                step_d      = 4'd0;
                commanded_d = 1'b0;
                slot_d      = looked_q;
                entry_d     = place_entry_q[looked_q*E +: E];
                sets_ran    = ONE_SLOT << looked_q;
                act_d       = ACT_RESET;
                phase_d     = RUNLIST_ACT;
            end else if (command_valid && !command_done_q) begin
                step_d      = 4'd0;
                commanded_d = command_op != RUN_MASK;
                if (command_op == RUN_MASK) begin
                    owned_d          = {command_data[N-1:1], 1'b0};
                    command_done_d   = 1'b1;
                    command_answer_d = RUN_GOOD;
                end else begin
                    sweeping_d = command_op >= RUN_REMOVE_PROCESS && command_op <= RUN_REMOVE_DYNAMIC;
                    entry_d    = sweeping_d ? {E{1'b0}} : command_entry;
                    act_d      = command_op == RUN_ADD ? ACT_ADD :
                                 command_op == RUN_PRIORITY ? ACT_PRIORITY : ACT_REMOVE;
                    phase_d    = RUNLIST_HEAD;
                end
            end else if (bell_event_valid && !(heard_q && filled && dull_q == 7'd0)) begin
                step_d      = 4'd0;
                commanded_d = 1'b0;
                heard_d     = 1'b1;
                entry_d     = bell_event_entry;
                act_d       = ACT_EVENT;
                phase_d     = RUNLIST_HEAD;
            end else if (filled && dull_q == 7'd0) begin
                step_d      = 4'd0;
                commanded_d = 1'b0;
                heard_d     = 1'b0;
                ahead_d     = scarce;
                if (scarce) begin
                    act_d   = ACT_AHEAD;
                    phase_d = RUNLIST_START;
                end else begin
                    ahead_pipe_d = next_pipe;
                    aged_d       = 1'b0;
                    yielding_d   = yields;
                    act_d        = ACT_CHOOSE;
                    phase_d      = RUNLIST_ACT;
                end
            end
            // 6 Entry
            RUNLIST_HEAD: phase_d = RUNLIST_TAIL;
            RUNLIST_TAIL: begin
                head_d  = ram_read_data;
                phase_d = RUNLIST_LOADED;
            end
            RUNLIST_LOADED: begin
                tail_d  = ram_read_data;
                phase_d = RUNLIST_ACT;
            end
            RUNLIST_STORE:  phase_d = RUNLIST_STORED;
            RUNLIST_STORED: phase_d = RUNLIST_ACT;
            RUNLIST_SWEEP: begin
                entry_d = entry_q + ONE_ENTRY;
                if (entry_q == LAST_ENTRY)
                    phase_d = RUNLIST_REST;
            end
            // 7 Bell
            RUNLIST_ORDER: if (bell_order_done) begin
                word_d[31:0] = bell_order_wptr;
                if (act_q == ACT_OUT)
                    wants_d = wanted_q[slot_q] || bell_order_pending;
                phase_d = RUNLIST_ACT;
            end
            // 8 Roster
            RUNLIST_REQUEST: if (roster_request_ready) phase_d = RUNLIST_ANSWER;
            RUNLIST_ANSWER: if (roster_answer_valid) begin
                phase_d = RUNLIST_ACT;
                if (act_q == ACT_CHOOSE) begin
                    entry_d = roster_answer_entry;
                    phase_d = roster_answer_refused ? RUNLIST_REST : RUNLIST_HEAD;
                end
            end
            // 9 Place
            RUNLIST_START: begin
                decisions_d = decisions_q + 32'd1;
                phase_d     = RUNLIST_SCAN;
            end
            RUNLIST_SCAN: if (place_done) begin
                wrong_d     = !place_found;
                slot_d      = place_chosen;
                word_d[2:0] = place_reason;
                phase_d     = RUNLIST_ACT;
            end
            // 10 Access
            RUNLIST_ACCESS: if (proxy_done) begin
                wrong_d = proxy_error != 5'd0;
                phase_d = RUNLIST_ACT;
            end
            // 11 Memory
            RUNLIST_ASK: if (read_ready) phase_d = RUNLIST_BEAT;
            RUNLIST_BEAT: if (data_valid) begin
                word_d  = data_word;
                wrong_d = data_error != MEMORY_OK;
                phase_d = RUNLIST_ACT;
            end
`include "totem_runlist_act.vh"
        endcase

        // 12 Act, continued: what a row says of the list and the slot in hand
        its_list = head_d[59:54];
        if (lists)
            list_d = its_list;
        if (onward && (list_q == 6'd63 || (list_q > 6'd47 && !yielding_q))) begin
            if (aged_d)
                {phase_d, step_d} = {RUNLIST_ACT, 4'd4};
            else
                phase_d = RUNLIST_REST;
        end else if (onward) begin
            list_d = list_q + (yielding_q ? 6'd1 : 6'd16);
            {phase_d, step_d} = {RUNLIST_ACT, 4'd1};
        end
        for (i = 0; i < N; i = i + 1) begin
            if (sets_ran[i])    ran_d[i*24 +: 24]   = 24'd0;
            if (still_clear[i]) begin
                still_d[i*16 +: 16] = 16'd0;
                vain_d[i]           = 1'b0;
            end
            if (slot_d == i[S-1:0]) begin
                if (sets_phase)    place_phase_d[i*2 +: 2] = new_phase;
                if (sets_claimant) claimant_d[i*E +: E]    = entry_q;
                if (sets_priority) priority_d[i*4 +: 4]    = head_d[57:54];
                if (sets_entry) begin
                    place_entry_d[i*E +: E] = entry_q;
                    limit_d[i*24 +: 24]     = product;
                end
            end
        end

        // 13 End
        if (ends) begin
            dull_d  = 7'd0;
            phase_d = RUNLIST_REST;
            if (commanded_q && sweeping_q && entry_q != LAST_ENTRY) begin
                entry_d = entry_q + ONE_ENTRY;
                act_d   = ACT_REMOVE;
                {phase_d, step_d} = {RUNLIST_HEAD, 4'd0};
            end else if (commanded_q) begin
                command_done_d   = 1'b1;
                command_answer_d = answer;
            end
        end
    end

    always @(posedge clk) begin
        phase_q          <= phase_d;
        command_done_q   <= command_done_d;
        command_answer_q <= command_answer_d;
        act_q            <= act_d;
        step_q           <= step_d;
        entry_q          <= entry_d;
        slot_q           <= slot_d;
        list_q           <= list_d;
        head_q           <= head_d;
        tail_q           <= tail_d;
        word_q           <= word_d;
        wants_q          <= wants_d;
        wrong_q          <= wrong_d;
        commanded_q      <= commanded_d;
        sweeping_q       <= sweeping_d;
        yielding_q       <= yielding_d;
        missed_q         <= missed_d;
        aged_q           <= aged_d;
        age_q            <= age_d;
        eldest_q         <= eldest_d;
        ahead_q          <= ahead_d;
        ahead_pipe_q     <= ahead_pipe_d;
        next_yield_q     <= next_yield_d;
        lull_q           <= lull_d;
        dull_q           <= dull_d;
        looked_q         <= looked_d;
        now_q            <= now_d;
        removals_q       <= removals_d;
        decisions_q      <= decisions_d;
        moves_q          <= moves_d;
        heard_q          <= heard_d;
        idle_q           <= idle_d;
        owned_q          <= owned_d;
        place_phase_q    <= place_phase_d;
        place_entry_q    <= place_entry_d;
        claimed_q        <= claimed_d;
        claimant_q       <= claimant_d;
        priority_q       <= priority_d;
        limit_q          <= limit_d;
        ran_q            <= ran_d;
        still_q          <= still_d;
        vain_q           <= vain_d;
        turn_q           <= turn_d;
        wanted_q         <= wanted_d;
        stuck_q          <= stuck_d;
        settled_q        <= settled_d;
        // 3 Shown
        if (place_ask) begin
            slot_usable_q   <= shown_usable;
            slot_phase_q    <= shown_phase;
            slot_wants_q    <= shown_wants;
            slot_parked_q   <= shown_parked;
            slot_turn_q     <= shown_turn;
            slot_used_q     <= shown_used;
            slot_priority_q <= shown_priority;
            slot_selected_q <= shown_selected;
            pipe_running_q  <= shown_running;
            pipe_mapped_q   <= shown_mapped;
            pipe_empty_q    <= shown_empty;
            pipe_highest_q  <= shown_highest;
        end
        if (rst) begin
            phase_q        <= RUNLIST_SWEEP;
            command_done_q <= 1'b0;
            entry_q        <= {E{1'b0}};
            ahead_pipe_q   <= {A{1'b0}};
            next_yield_q   <= 8'd0;
            missed_q       <= 1'b0;
            dull_q         <= 7'd0;
            looked_q       <= {S{1'b0}};
            now_q          <= 32'd0;
            removals_q     <= {C{1'b0}};
            decisions_q    <= 32'd0;
            moves_q        <= 32'd0;
            heard_q        <= 1'b0;
            idle_q         <= 1'b0;
            owned_q        <= NO_SLOT;
            place_phase_q  <= {N{PHASE_EMPTY}};
            claimed_q      <= NO_SLOT;
            stuck_q        <= NO_SLOT;
        end
    end

    // formal: maxsteps=2 params=FE_COUNT=1,PIPES=1,QUEUES=2,RUN_QUEUES=2
    // formal: maxsteps=2 params=FE_COUNT=1,PIPES=1,QUEUES=4,RUN_QUEUES=4 covers=0 timeout=3600
`ifdef FORMAL
`include "totem_runlist_properties.vh"
`endif
endmodule

`default_nettype wire
