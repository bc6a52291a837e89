// SPDX-License-Identifier: Apache-2.0
//
// totem_arbiter: chooses which queue of a compute pipe runs, and when it is replaced.
//
// Policy    the highest priority among the ready queues; among equals the first after the one that the scoreboard of
//           that level remembers. A selected queue is asked to leave for a better queue (condition 1), for an equal
//           one when its quantum is used up (2) or it has yielded (3: by a priority write, or it polls in vain) and
//           something of it has run, when it is empty and drained and another one is ready (5), and when it is
//           stalled or unmapped (7); it may leave by itself (4). With MQD_SAVE a queue that is replaced is saved and
//           the next one loaded before it is selected. See docs/contract/arbiter.md.
// Latency   a word of the neighbours in clock n is go in n+3; packet_left in n is go in n+4 if there is a choice by
//           then.
// Boundary  neighbours' words end in flip-flops (ready_q, leave_q); outputs come from state alone.
//           The clocks of the quantum (6 x 24 bits) end in flip-flops too, a clock before they are compared.
// Cost      two stages keep the clock short: all pairs are compared for level and candidates, then the
//           successor is taken among the candidates that are still ready. Each queue costs about 20
//           flip-flops, the scoreboard 16 x $clog2(QUEUES), the turn 64.
// Twin      cmodel/queue/totem_arbiter.c, same names.

`default_nettype none
`include "totem_load.vh"

module totem_arbiter #(
    parameter QUEUES   = 8,                 // 2, 4, 8 or 16
    parameter SE_COUNT = 4
) (
    input  wire                      clk,
    input  wire                      rst,
    // hqd
    input  wire                      load_valid,
    input  wire [$clog2(QUEUES)-1:0] load_queue,
    input  wire [4:0]                load_kind,
    input  wire [39:0]               load_data,
    // settings
    input  wire [23:0]               settings_quantum_unit0,
    input  wire [23:0]               settings_quantum_unit1,
    input  wire [23:0]               settings_turn_limit,
    input  wire                      settings_event_on_priority_write,
    input  wire                      settings_mqd_save,
    // fetch
    input  wire [QUEUES-1:0]         fetch_pending,
    input  wire [QUEUES-1:0]         fetch_line,
    // bank
    input  wire [QUEUES-1:0]         bank_prepared,
    // packet
    input  wire                      packet_left,
    input  wire                      packet_executed,
    input  wire                      packet_vain,
    input  wire                      packet_priority_write,
    input  wire [$clog2(QUEUES)-1:0] packet_priority_queue,
    input  wire [3:0]                packet_priority_data,
    input  wire [QUEUES-1:0]         packet_unfinished,
    input  wire [QUEUES-1:0]         packet_halted,
    input  wire [QUEUES-1:0]         packet_wait_flush,
    input  wire [QUEUES-1:0]         packet_wait_epoch,
    input  wire [QUEUES-1:0]         packet_wait_entry,
    // runner, task
    input  wire [QUEUES-1:0]         runner_due,
    input  wire [QUEUES-1:0]         task_pending,
    input  wire [QUEUES-1:0]         task_stall,
    input  wire [QUEUES-1:0]         task_room,
    // poll
    input  wire [QUEUES-1:0]         poll_waiting,
    // hqd
    input  wire [QUEUES-1:0]         hqd_dequeuing,
    // fence
    input  wire [QUEUES-1:0]         fence_flushed,
    input  wire [QUEUES-1:0]         fence_room,
    // walker
    input  wire                      walker_busy,
    // issue
    input  wire [SE_COUNT-1:0]       grant_valid,
    // everybody in the pipe
    output wire                      go,
    output wire                      selected_valid,
    output wire [$clog2(QUEUES)-1:0] selected,
    output wire                      leave,
    output wire [1:0]                pipe_priority,
    output wire [QUEUES-1:0]         active,
    output wire [QUEUES-1:0]         ready,
    output wire [QUEUES*4-1:0]       queue_priority,
    // hqd
    output wire [1:0]                move,
    output wire [$clog2(QUEUES)-1:0] move_queue
);
    localparam BITS = $clog2(QUEUES);

    generate
        if (QUEUES != 2 && QUEUES != 4 && QUEUES != 8 && QUEUES != 16) begin : check
            totem_arbiter_needs_QUEUES_2_4_8_or_16 refused ();
        end
    endgenerate

    localparam KIND_ACTIVE         = `TOTEM_LOAD_ACTIVE;
    localparam KIND_QUEUE_PRIORITY = `TOTEM_LOAD_QUEUE_PRIORITY;
    localparam KIND_PIPE_PRIORITY  = `TOTEM_LOAD_PIPE_PRIORITY;
    localparam KIND_QUANTUM        = `TOTEM_LOAD_QUANTUM;
    localparam KIND_MOVED          = `TOTEM_LOAD_MOVED;

    localparam [1:0] STAY = 2'd0, TO_MEMORY = 2'd1, FROM_MEMORY = 2'd2, DERIVING = 2'd3;

    // Clocks after packet_left, or the end of a move, until candidates_q rest on what the neighbours say after it.
    localparam SETTLE = 2'd2;

    reg [QUEUES-1:0]   active_q, active_d;
    reg [QUEUES*4-1:0] queue_priority_q, queue_priority_d;
    reg [QUEUES*2-1:0] pipe_priorities_q, pipe_priorities_d;
    reg [QUEUES-1:0]   quantum_enable_q, quantum_enable_d;
    reg [QUEUES-1:0]   quantum_scale_q, quantum_scale_d;
    reg [QUEUES*6-1:0] quantum_duration_q, quantum_duration_d;
    reg [QUEUES-1:0]   ready_q, ready_d;
    reg [3:0]          level_q, level_d;
    reg [QUEUES-1:0]   candidates_q, candidates_d;
    reg [16*BITS-1:0]  scoreboard_q, scoreboard_d;
    reg [QUEUES-1:0]   away_q, away_d;
    reg                resident_q, resident_d;
    reg [1:0]          move_q, move_d;
    reg [BITS-1:0]     move_queue_q, move_queue_d;
    reg [1:0]          settle_q, settle_d;
    reg                go_q, go_d;
    reg                selected_valid_q, selected_valid_d;
    reg [BITS-1:0]     selected_q, selected_d;
    reg                leave_q, leave_d;
    reg [29:0]         turn_q, turn_d;
    reg [29:0]         limit_q, limit_d;
    reg                timed_q, timed_d;
    reg                ran_q, ran_d;
    reg                wrote_q, wrote_d;
    reg                host_wrote_q, host_wrote_d;
    reg                vain_q, vain_d;

    // Registers that reset leaves alone read 0 at start, as in the model.
    initial begin
        pipe_priorities_q  = {QUEUES*2{1'b0}};
        quantum_enable_q   = {QUEUES{1'b0}};
        quantum_scale_q    = {QUEUES{1'b0}};
        quantum_duration_q = {QUEUES*6{1'b0}};
    end

    assign go             = go_q;
    assign selected_valid = selected_valid_q;
    assign selected       = selected_q;
    assign leave          = leave_q;
    assign pipe_priority  = pipe_priorities_q[selected_q*2 +: 2];
    assign active         = active_q;
    assign ready          = ready_q;
    assign queue_priority = queue_priority_q;
    assign move           = move_q;
    assign move_queue     = move_queue_q;

    // What holds the ring does not hold its tasks.
    wire [QUEUES-1:0] held    = (packet_wait_flush & ~fence_flushed) | poll_waiting | (packet_wait_entry & ~task_room);
    wire [QUEUES-1:0] stalled = task_stall | packet_halted | (packet_wait_epoch & ~fence_room) | hqd_dequeuing
                                              | (held & ~runner_due);
    wire [QUEUES-1:0] empty   = ~fetch_pending & ~task_pending;
    wire [QUEUES-1:0] begins  = runner_due | (fetch_pending & ~held
                                              & (fetch_line | packet_unfinished | {QUEUES{settings_mqd_save}}));

    // Stage 1: all pairs side by side. A tournament has three comparisons one behind the other and misses
    // the 100 MHz of the ECP5; written out, a comparison stays in LUTs instead of a carry chain.
    reg [QUEUES-1:0] beaten;
    reg [QUEUES-1:0] best;
    integer          queue, other;
    reg [3:0]        a, b;      // priorities of a pair

    // Stage 2: those of the set that come after the last served one go first.
    wire [QUEUES-1:0] choice = candidates_q & ready_q & active_d;
    wire [BITS-1:0]   last   = scoreboard_q[level_q*BITS +: BITS];
    wire [QUEUES-1:0] after  = choice & ({{QUEUES-1{1'b1}}, 1'b0} << last);
    wire [QUEUES-1:0] first  = |after ? after : choice;
    reg  [BITS-1:0]   winner;   // the lowest of them
    integer           member;
    always @* begin
        winner = {BITS{1'b0}};
        for (member = QUEUES - 1; member >= 0; member = member - 1)
            if (first[member])
                winner = member[BITS-1:0];
    end

    // The sources' switch: the old queue's state goes to memory before another queue is selected.
    wire              pick    = !selected_valid_q && settle_q == 2'd0 && move_q == STAY && |choice;
    wire              ended   = load_valid && load_kind == KIND_MOVED &&
        (move_q == TO_MEMORY || move_q == FROM_MEMORY) && load_queue == move_queue_q;
    wire              loaded  = ended && move_q == FROM_MEMORY && load_data[0];
    wire              over    = (ended && !loaded) || (move_q == DERIVING && bank_prepared[move_queue_q]);
    wire              to_save = settings_mqd_save && resident_q && winner != selected_q && active_d[selected_q] &&
        !hqd_dequeuing[selected_q];

    wire [QUEUES-1:0] self         = {{QUEUES-1{1'b0}}, 1'b1} << selected_q;
    wire              better       = |choice && level_q > queue_priority_q[selected_q*4 +: 4];
    wire              exhausted    = empty[selected_q] && !walker_busy && |(ready_q & ~self);
    wire              out_of_order = stalled[selected_q] || !active_q[selected_q];

    wire              host_write   = load_valid && load_kind == KIND_QUEUE_PRIORITY;
    wire [23:0]       set_unit     = quantum_scale_q[selected_q] ? settings_quantum_unit1 : settings_quantum_unit0;
    wire [23:0]       unit         = set_unit == 24'd0 ? 24'd1 : set_unit;
    wire              equal        = |(choice & ~self) && level_q == queue_priority_q[selected_q*4 +: 4];
    wire              timed        = quantum_enable_q[selected_q];
    wire              used_up      = timed_q && turn_q >= limit_q;
    wire              yielded      = (wrote_q && !timed) ||
        (settings_event_on_priority_write && (wrote_q || host_wrote_q));
    wire              waits        = packet_executed ? packet_vain : vain_q;   // maybe for an equal queue
    wire              kept         = settings_turn_limit != 24'd0 && |turn_q[29:10] &&
        turn_q >= {6'd0, settings_turn_limit};
    wire              runs         = packet_executed || |grant_valid;
    wire              may          = ran_q || runs || kept;

    always @* begin
        active_d           = active_q;
        queue_priority_d   = queue_priority_q;
        pipe_priorities_d  = pipe_priorities_q;
        quantum_enable_d   = quantum_enable_q;
        quantum_scale_d    = quantum_scale_q;
        quantum_duration_d = quantum_duration_q;
        away_d             = away_q;
        resident_d         = resident_q;
        move_d             = move_q;
        move_queue_d       = move_queue_q;
        if (packet_priority_write)
            queue_priority_d[packet_priority_queue*4 +: 4] = packet_priority_data;
        if (load_valid)
            case (load_kind)
                KIND_ACTIVE: begin
                    active_d[load_queue] = load_data[0];
                    away_d[load_queue]   = 1'b0;
                end
                KIND_QUEUE_PRIORITY: queue_priority_d[load_queue*4 +: 4] = load_data[3:0];
                KIND_PIPE_PRIORITY:  pipe_priorities_d[load_queue*2 +: 2] = load_data[1:0];
                KIND_QUANTUM: begin
                    quantum_enable_d[load_queue]          = load_data[0];
                    quantum_scale_d[load_queue]           = load_data[4];
                    quantum_duration_d[load_queue*6 +: 6] = load_data[13:8];
                end
                KIND_MOVED: begin
                    away_d[load_queue] = load_data[1] && !load_data[0];
                    if (ended && move_q == TO_MEMORY)
                        resident_d = 1'b0;
                end
                default: ;
            endcase

        if (over)
            move_d = STAY;
        else if (loaded)
            move_d = DERIVING;

        // A queue just mapped waits a clock: the neighbours still show what its slot held before.
        ready_d = active_q & active_d & ~empty & ~stalled & bank_prepared & begins;

        beaten = {QUEUES{1'b0}};
        for (queue = 0; queue < QUEUES; queue = queue + 1)
            for (other = 0; other < QUEUES; other = other + 1) begin
                a = queue_priority_q[other*4 +: 4];
                b = queue_priority_q[queue*4 +: 4];
                if (ready_q[other] && ((a[3] && !b[3]) || (a[3] == b[3] &&
                                      ((a[2] && !b[2]) || (a[2] == b[2] &&
                                      ((a[1] && !b[1]) || (a[1] == b[1] && a[0] && !b[0])))))))
                    beaten[queue] = 1'b1;
            end
        best         = ready_q & ~beaten;
        candidates_d = best;
        level_d      = 4'd0;
        for (queue = 0; queue < QUEUES; queue = queue + 1)
            if (best[queue])
                level_d = level_d | queue_priority_q[queue*4 +: 4];
        if (packet_priority_write || host_write)
            candidates_d = {QUEUES{1'b0}};

        turn_d       = turn_q;
        limit_d      = {24'd0, quantum_duration_q[selected_q*6 +: 6]} * {6'd0, unit};
        timed_d      = timed;
        ran_d        = ran_q;
        wrote_d      = wrote_q;
        host_wrote_d = host_wrote_q;
        vain_d       = vain_q;
        if (selected_valid_q) begin
            if (turn_q != 30'h3fffffff)
                turn_d = turn_q + 30'd1;
            ran_d        = ran_q || runs;
            wrote_d      = wrote_q || packet_priority_write;
            host_wrote_d = host_wrote_q || host_write;
            vain_d       = waits;
        end

        settle_d         = over ? SETTLE : settle_q == 2'd0 ? 2'd0 : settle_q - 2'd1;
        go_d             = 1'b0;
        selected_valid_d = selected_valid_q;
        selected_d       = selected_q;
        scoreboard_d     = scoreboard_q;
        if (pick && to_save) begin
            move_d       = TO_MEMORY;
            move_queue_d = selected_q;
        end else if (pick && away_q[winner]) begin
            move_d       = FROM_MEMORY;
            move_queue_d = winner;
        end else if (pick) begin
            go_d             = 1'b1;
            resident_d       = 1'b1;
            selected_valid_d = 1'b1;
            selected_d       = winner;
            scoreboard_d[level_q*BITS +: BITS] = winner;
            turn_d           = 30'd0;
            ran_d            = 1'b0;
            wrote_d          = 1'b0;
            host_wrote_d     = 1'b0;
            vain_d           = 1'b0;
        end

        leave_d = leave_q;
        if (selected_valid_q &&
            (better || exhausted || out_of_order || (equal && may && (used_up || yielded || waits))))
            leave_d = 1'b1;

        if (packet_left && selected_valid_q) begin
            selected_valid_d = 1'b0;
            leave_d          = 1'b0;
            go_d             = 1'b0;
            settle_d         = SETTLE;
        end
    end

    always @(posedge clk) begin
        active_q           <= active_d;
        queue_priority_q   <= queue_priority_d;
        pipe_priorities_q  <= pipe_priorities_d;
        ready_q            <= ready_d;
        level_q            <= level_d;
        candidates_q       <= candidates_d;
        scoreboard_q       <= scoreboard_d;
        away_q             <= away_d;
        resident_q         <= resident_d;
        move_q             <= move_d;
        move_queue_q       <= move_queue_d;
        settle_q           <= settle_d;
        go_q               <= go_d;
        selected_valid_q   <= selected_valid_d;
        selected_q         <= selected_d;
        leave_q            <= leave_d;
        quantum_enable_q   <= quantum_enable_d;
        quantum_scale_q    <= quantum_scale_d;
        quantum_duration_q <= quantum_duration_d;
        turn_q             <= turn_d;
        limit_q            <= limit_d;
        timed_q            <= timed_d;
        ran_q              <= ran_d;
        wrote_q            <= wrote_d;
        host_wrote_q       <= host_wrote_d;
        vain_q             <= vain_d;
        if (rst) begin
            active_q         <= {QUEUES{1'b0}};
            queue_priority_q <= {QUEUES*4{1'b0}};
            ready_q          <= {QUEUES{1'b0}};
            level_q          <= 4'd0;
            candidates_q     <= {QUEUES{1'b0}};
            scoreboard_q     <= {16*BITS{1'b1}};
            away_q           <= {QUEUES{1'b0}};
            resident_q       <= 1'b0;
            move_q           <= STAY;
            move_queue_q     <= {BITS{1'b0}};
            settle_q         <= 2'd0;
            go_q             <= 1'b0;
            selected_valid_q <= 1'b0;
            selected_q       <= {BITS{1'b0}};
            leave_q          <= 1'b0;
            turn_q           <= 30'd0;
            limit_q          <= 30'd0;
            timed_q          <= 1'b0;
            ran_q            <= 1'b0;
            wrote_q          <= 1'b0;
            host_wrote_q     <= 1'b0;
            vain_q           <= 1'b0;
        end
    end

    wire unused = &{1'b0, load_data[39:14], load_data[7:5]};

`ifdef FORMAL
    // Contract 1: go and leave belong to a selected, go to a mapped queue; nothing is selected unready.
    // Contract 2: no queue ready in both clocks of the decision was better than the one selected.
    // Contract 3: among equals none was passed over between the one served last and the selected one.
    // Contract 4: a queue that stays ready at its priority sees at most QUEUES-1 others of it served.
    // Contract 5: the pipe is given up only by packet_left, and leave stays until then.
    // Contract 6: a queue is asked to leave for a higher one, by 5 or 7, or for an equal one: then its quantum is
    // used up, it has yielded, or its latest packet is a poll in vain, and something has run in its turn or that has
    // lasted TURN_LIMIT clocks.
    // Contract 7: from packet_left to go, or to the first move of a switch through memory, it is 4 clocks, if there
    // is a queue to select in the clock before.
    // Contract 8: the quantum misses no clock, and is as long as the registers said a clock ago: DURATION times the
    // unit, a bit at a time.
    // Contract 9: a queue is asked to leave for a better one, by 5 and by 7, each time that these hold; and for an
    // equal one if its quantum is used up, it has yielded or has just polled in vain, and it has run.
    // Contract 10: no queue is selected while its state is in its MQD, or with MQD_SAVE while that of another one,
    // left, mapped and not to be dequeued, is still to be saved; a move lasts until its MOVED, after a load until the
    // bank is prepared; without MQD_SAVE and no queue away there is none.
    // Contract 11: a queue is ready if it is mapped and stays so, has something to run, is not stalled and is prepared.
    // Contract 12: a priority changes for the queue that is named, the host's write before a packet's; a queue is
    // away from the MOVED that says so until the one that brings it, or a new mapping.
    initial assume (rst);
    (* anyconst *) wire [BITS-1:0] f_queue;         // any queue: the claims hold for all of them
    (* anyconst *) wire [3:0]      f_level;

    wire       f_pick   = go_d;
    wire [3:0] f_mine   = queue_priority_q[f_queue*4 +: 4];
    wire       f_wants  = ready_q[f_queue] && f_mine == f_level;
    wire       f_keeps  = f_wants && active_d[f_queue] &&
                          !(load_valid && load_kind == KIND_QUEUE_PRIORITY && load_queue == f_queue) &&
                          !(packet_priority_write && packet_priority_queue == f_queue);
    reg        f_wanted;                            // f_keeps in the clock before
    reg        f_ready;                             // f_queue was ready in the clock before
    reg        f_blank;                             // a priority was written in the clock before
    reg [BITS:0] f_passed;                          // others of the level served since f_queue wants
    wire [BITS-1:0] f_ahead = f_queue - scoreboard_q[f_level*BITS +: BITS] - 1'b1;
    wire [BITS-1:0] f_winner = selected_d;           // with f_pick
    wire [BITS-1:0] f_last   = scoreboard_q[level_q*BITS +: BITS];
    wire [BITS-1:0] f_before = f_winner - f_last - 1'b1; // places between last served and winner
    wire [BITS-1:0] f_where  = f_queue - f_last - 1'b1;
    reg        f_leave, f_valid, f_left;
    reg [3:0]  f_since;                             // bit n: packet_left n+1 clocks ago
    reg        f_choice;                            // there was a choice in the clock before
    reg        f_forced;                            // condition 1, 5 or 7 has held in this turn
    reg        f_met;                               // another ready queue of its priority was there
    reg        f_worked;                            // something has run in this turn
    reg        f_kept;                              // it has lasted TURN_LIMIT clocks
    reg        f_polls = 1'b0;                      // its latest packet is a poll in vain
    reg [29:0] f_clock;                             // clocks of the turn
    reg [29:0] f_span;                              // clocks of the quantum
    reg        f_timed;                             // it is enabled
    reg        f_due;                               // a condition to leave held in the clock before
    reg        f_blocked = 1'b0;                    // the winner was away, or the queue before it was to be saved
    reg        f_fit = 1'b0;                        // f_queue could run in the clock before
    reg [3:0]  f_priority = 4'd0;                   // of f_queue, by what was written
    reg        f_away = 1'b0;                       // f_queue is away, by what was said
    reg        f_moving = 1'b0, f_moved = 1'b0;     // a move was under way, and its MOVED came
    reg        f_derived = 1'b0, f_prepared = 1'b0; // the bank derived, and was prepared
    reg        f_through = 1'b0;                    // MQD_SAVE, or a queue was away

    // The rules once more, from the state alone and queue by queue.
    wire [3:0] f_own     = queue_priority_q[selected_q*4 +: 4];
    wire       f_limited = settings_turn_limit != 24'd0 && |turn_q[29:10] && turn_q >= {6'd0, settings_turn_limit};
    wire       f_used    = f_timed && limit_q <= turn_q;
    wire       f_yield   = (wrote_q && !quantum_enable_q[selected_q])
                         || (settings_event_on_priority_write && (wrote_q || host_wrote_q));
    wire       f_vain    = (packet_executed && packet_vain) || (!packet_executed && f_polls);
    reg        f_higher, f_rival, f_stray;           // f_stray: a candidate of another priority than level
    reg        f_others, f_chance;                   // another queue is ready; there is one to select
    reg        f_above, f_equal;                     // there is another one to select, of higher or of equal priority
    integer    f_place;
    // Condition 5 and 7 of the selected queue.
    wire       f_alone  = !fetch_pending[selected_q] && !task_pending[selected_q] && !walker_busy && f_others;
    wire       f_ring   = poll_waiting[selected_q] || (packet_wait_flush[selected_q] && !fence_flushed[selected_q])
                        || (packet_wait_entry[selected_q] && !task_room[selected_q]);
    wire       f_stops  = task_stall[selected_q] || packet_halted[selected_q] || hqd_dequeuing[selected_q]
                        || (f_ring && !runner_due[selected_q])
                        || (packet_wait_epoch[selected_q] && !fence_room[selected_q]) || !active_q[selected_q];
    // f_queue: is it stalled, and has it something to run?
    wire       f_held   = poll_waiting[f_queue] || (packet_wait_flush[f_queue] && !fence_flushed[f_queue])
                        || (packet_wait_entry[f_queue] && !task_room[f_queue]);
    wire       f_waits  = task_stall[f_queue] || packet_halted[f_queue] || hqd_dequeuing[f_queue]
                        || (packet_wait_epoch[f_queue] && !fence_room[f_queue]);
    wire       f_some   = fetch_pending[f_queue] || task_pending[f_queue];
    wire       f_work   = f_some && (runner_due[f_queue] || (fetch_pending[f_queue] && !f_held
                        && (settings_mqd_save || fetch_line[f_queue] || packet_unfinished[f_queue])));
    wire       f_unmaps = load_valid && load_kind == KIND_ACTIVE && load_queue == f_queue && !load_data[0];
    wire       f_named  = load_valid && load_queue == f_queue;
    wire [5:0]  f_duration = quantum_duration_q[selected_q*6 +: 6];
    wire [23:0] f_set      = quantum_scale_q[selected_q] ? settings_quantum_unit1 : settings_quantum_unit0;
    reg  [29:0] f_sum;
    always @* begin
        f_sum = 30'd0;
        for (f_place = 0; f_place < 6; f_place = f_place + 1)
            if (f_duration[f_place])
                f_sum = f_sum + ({6'd0, |f_set ? f_set : 24'd1} << f_place);
    end
    always @* begin
        f_higher = 1'b0;
        f_rival  = 1'b0;
        f_stray  = 1'b0;
        f_others = 1'b0;
        f_chance = 1'b0;
        f_above  = 1'b0;
        f_equal  = 1'b0;
        for (f_place = 0; f_place < QUEUES; f_place = f_place + 1) begin
            f_stray = f_stray || (candidates_q[f_place] && queue_priority_q[f_place*4 +: 4] != level_q);
            if (candidates_q[f_place] && ready_q[f_place] && active_d[f_place]) begin
                f_chance = 1'b1;
                f_above  = f_above || queue_priority_q[f_place*4 +: 4] > f_own;
                f_equal  = f_equal || (queue_priority_q[f_place*4 +: 4] == f_own && f_place[BITS-1:0] != selected_q);
            end
            if (ready_q[f_place] && f_place[BITS-1:0] != selected_q) begin
                f_others = 1'b1;
                f_higher = f_higher || queue_priority_q[f_place*4 +: 4] > f_own;
                f_rival  = f_rival || queue_priority_q[f_place*4 +: 4] == f_own;
            end
        end
    end

    always @(posedge clk) begin
        f_ready  <= ready_q[f_queue];
        f_blank  <= (load_valid && load_kind == KIND_QUEUE_PRIORITY) || packet_priority_write;
        f_wanted <= f_keeps;
        if (!(f_wanted && f_keeps))
            f_passed <= {BITS+1{1'b0}};
        else if (f_pick && level_q == f_level && f_winner != f_queue)
            f_passed <= f_passed + 1'b1;
        else if (f_pick && f_winner == f_queue)
            f_passed <= {BITS+1{1'b0}};
        f_leave <= leave_q;
        f_valid <= selected_valid_q;
        f_left  <= packet_left;
        f_blocked <= away_q[f_winner] || (settings_mqd_save && resident_q && f_winner != selected_q &&
                     active_d[selected_q] && !hqd_dequeuing[selected_q]);
        f_fit     <= active_q[f_queue] && !f_unmaps && f_work && !f_waits && bank_prepared[f_queue];
        if (f_named && load_kind == KIND_QUEUE_PRIORITY)
            f_priority <= load_data[3:0];
        else if (packet_priority_write && packet_priority_queue == f_queue)
            f_priority <= packet_priority_data;
        if (f_named && load_kind == KIND_ACTIVE)
            f_away <= 1'b0;
        else if (f_named && load_kind == KIND_MOVED)
            f_away <= load_data[1:0] == 2'b10;
        f_moving  <= !rst && (move_q == TO_MEMORY || move_q == FROM_MEMORY);
        f_derived <= !rst && move_q == DERIVING;
        f_prepared <= bank_prepared[move_queue_q];
        f_moved   <= load_valid && load_kind == KIND_MOVED && load_queue == move_queue_q;
        f_through <= settings_mqd_save || |away_q;
        f_since  <= {f_since[2:0], packet_left && selected_valid_q};
        f_choice <= f_chance;
        f_due    <= selected_valid_q && !packet_left && (f_above || f_alone || f_stops || (f_equal &&
                    (f_used || f_yield || f_vain) && (ran_q || packet_executed || |grant_valid || f_limited)));
        if (go_d) begin
            f_forced <= 1'b0;
            f_met    <= 1'b0;
            f_worked <= 1'b0;
            f_kept   <= 1'b0;
            f_polls  <= 1'b0;
            f_clock  <= 30'd0;
        end else if (selected_valid_q) begin
            f_forced <= f_forced || f_higher || f_alone || f_stops;
            f_met    <= f_met || (f_rival && (f_used || f_yield || f_vain));
            f_clock  <= f_clock + 30'd1;
            f_worked <= f_worked || packet_executed || |grant_valid;
            f_polls  <= f_vain;
            f_kept   <= f_kept || f_limited;
        end
        f_span  <= f_sum;
        f_timed <= quantum_enable_q[selected_q];
        if (rst) begin
            f_since  <= 4'd0;
            f_choice <= 1'b0;
            f_forced <= 1'b0;
            f_met    <= 1'b0;
            f_worked <= 1'b0;
            f_kept   <= 1'b0;
            f_polls  <= 1'b0;
            f_clock  <= 30'd0;
            f_span   <= 30'd0;
            f_timed  <= 1'b0;
            f_due    <= 1'b0;
            f_ready  <= 1'b0;
            f_blank  <= 1'b0;
            f_wanted <= 1'b0;
            f_passed <= {BITS+1{1'b0}};
            f_leave  <= 1'b0;
            f_valid  <= 1'b0;
            f_fit      <= 1'b0;
            f_priority <= 4'd0;
            f_away     <= 1'b0;
        end

        if (!rst) begin
            assert (!go_q || selected_valid_q);                                         // 1
            assert (!leave_q || selected_valid_q);
            assert (!go_q || active_q[selected_q]);
            assert (!ready_q[f_queue] || active_q[f_queue]);
            if (f_pick) assert (ready_q[f_winner] && candidates_q[f_winner]);
            if (f_pick && f_ready && ready_q[f_queue]) assert (f_mine <= level_q);      // 2
            if (f_pick) assert (queue_priority_q[f_winner*4 +: 4] == level_q);
            if (f_pick && f_ready && ready_q[f_queue] && active_d[f_queue] && f_mine == level_q)
                assert (f_where >= f_before);                                           // 3
            assert ({1'b0, f_ahead} + f_passed <= QUEUES - 1);                           // 4
            assert (f_passed <= QUEUES - 1);
            if (f_valid && !f_left) assert (selected_valid_q);                          // 5
            if (f_valid && f_leave && !f_left) assert (leave_q);

            if (selected_valid_q && leave_q) assert (f_forced || (f_met && (f_worked || f_kept)));   // 6
            if (f_since[0]) assert (settle_q == 2'd2 && !selected_valid_q);             // 7
            if (f_since[1]) assert (settle_q == 2'd1 && !selected_valid_q);
            if (f_since[2]) assert (settle_q == 2'd0 && !selected_valid_q);
            if (f_since[3]) assert ((go_q || move_q != STAY) == f_choice && selected_valid_q == go_q);
            if (!(&turn_q)) assert (turn_q == f_clock);                               // 8
            assert (timed_q == f_timed && limit_q == f_span && limit_q <= 30'd63 * 30'hffffff);
            if (f_due) assert (leave_q);                                                // 9
            if (go_q) assert (resident_q && !f_blocked);                                // 10
            if (f_moving) assert ((move_q == STAY || (move_q == DERIVING && !f_derived)) == f_moved);
            if (f_derived) assert ((move_q == STAY) == f_prepared);
            if (!f_through) assert (f_moving || f_derived || move_q == STAY);
            assert (ready_q[f_queue] == f_fit);                                         // 11
            assert (f_mine == f_priority && away_q[f_queue] == f_away);                 // 12

            // helpers
            if (selected_valid_q) assert (f_worked == ran_q && f_polls == vain_q);
            assert (settle_q == 2'd0 || !selected_valid_q);
            assert (settle_q <= 2'd2);
            assert (move_q == STAY || (!selected_valid_q && settle_q == 2'd0));
            assert (!f_stray);
            if (f_blank) assert (candidates_q == {QUEUES{1'b0}});
            if (f_ready && !f_blank) assert (f_mine <= level_q);
            if (f_ready && !f_blank && f_mine == level_q) assert (candidates_q[f_queue]);
            if (f_wanted) assert (f_ready && f_mine == f_level);
            if (!f_wanted) assert (f_passed == {BITS+1{1'b0}});

            cover (go_q && f_passed == QUEUES - 1);
            cover (leave_q && packet_left);
            cover (leave_q && !f_forced && f_worked && limit_q != 30'd0 && turn_q >= limit_q);
            cover (leave_q && !f_forced && wrote_q && !quantum_enable_q[selected_q]);
            cover (leave_q && !f_forced && vain_q && !wrote_q && turn_q < limit_q);
            cover (f_since[3] && go_q);
            cover (move_q == FROM_MEMORY);
            cover (move_q == DERIVING);
        end
    end
`endif
endmodule

`default_nettype wire
