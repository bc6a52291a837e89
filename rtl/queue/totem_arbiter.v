// SPDX-License-Identifier: Apache-2.0
//
// totem_arbiter: chooses which queue of a compute pipe runs, and when it is replaced.
//
// Policy    the highest priority among the ready queues; among equals the first after the one that the scoreboard of
//           that level stores. The arbiter asks the selected queue to leave for a better queue (condition 1); for an
//           equal one if its quantum is used up (2) or it has yielded (3: by a priority write, or an unsuccessful poll)
//           and something of it has run; if it is empty and drained and another one is ready (5); and if it is stalled
//           or unmapped (7). A queue may leave by itself (4). With MQD_SAVE a queue that is replaced is saved, and the
//           next one loaded, before it is selected. See docs/contract/arbiter.md.
// Latency   what the neighbours say in clock n is go in n+3; packet_left in n is go in n+4 if there is a choice by
//           then.
// Boundary  inputs end in flip-flops (ready_q, leave_q); outputs come from state alone.
//           The clocks of the quantum (6 x 24 bits) end in flip-flops too, a clock before they are compared.
// Cost      two stages keep the clock short: all pairs are compared for level and candidates, then the
//           successor is taken among the candidates that are still ready. Each queue costs about 20
//           flip-flops, the scoreboard 16 x $clog2(QUEUES), the turn 64.
// Twin      cmodel/queue/totem_arbiter.c, same names.

`default_nettype none

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
    input  wire                      packet_unsuccessful,
    input  wire                      packet_priority_write,
    input  wire [$clog2(QUEUES)-1:0] packet_priority_queue,
    input  wire [3:0]                packet_priority_data,
    input  wire [QUEUES-1:0]         packet_unfinished,
    input  wire [QUEUES-1:0]         packet_halted,
    input  wire [QUEUES-1:0]         packet_wait_flush,
    input  wire [QUEUES-1:0]         packet_wait_epoch,
    input  wire [QUEUES-1:0]         packet_wait_entry,
    // service
    input  wire                      schedule_waiting,
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
`include "totem_hqd_values.vh"
`include "totem_arbiter_values.vh"
    localparam BITS = $clog2(QUEUES);

    generate
        if (QUEUES != 2 && QUEUES != 4 && QUEUES != 8 && QUEUES != 16) begin : check
            totem_arbiter_needs_QUEUES_2_4_8_or_16 refused ();
        end
    endgenerate

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
    reg [QUEUES-1:0]   in_mqd_q, in_mqd_d;
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
    reg                unsuccessful_q, unsuccessful_d;

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
                                              | (held & ~runner_due) | {{QUEUES-1{1'b0}}, schedule_waiting};
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
    wire              pick    = !selected_valid_q && settle_q == 2'd0 && move_q == MOVE_NONE && |choice;
    wire              answered = load_valid && load_kind == LOAD_MOVED &&
        (move_q == MOVE_SAVE || move_q == MOVE_LOAD) && load_queue == move_queue_q;
    wire              loaded  = answered && move_q == MOVE_LOAD && load_data[0];
    wire              ended   = (answered && !loaded) || (move_q == MOVE_DERIVE && bank_prepared[move_queue_q]);
    wire              to_save = settings_mqd_save && resident_q && winner != selected_q && active_d[selected_q] &&
        !hqd_dequeuing[selected_q];

    wire [QUEUES-1:0] self         = {{QUEUES-1{1'b0}}, 1'b1} << selected_q;
    wire              better       = |choice && level_q > queue_priority_q[selected_q*4 +: 4];
    wire              exhausted    = empty[selected_q] && !walker_busy && |(ready_q & ~self);
    wire              unable       = stalled[selected_q] || !active_q[selected_q];

    wire              host_write   = load_valid && load_kind == LOAD_QUEUE_PRIORITY;
    wire [23:0]       set_unit     = quantum_scale_q[selected_q] ? settings_quantum_unit1 : settings_quantum_unit0;
    wire [23:0]       unit         = set_unit == 24'd0 ? 24'd1 : set_unit;
    wire              equal        = |(choice & ~self) && level_q == queue_priority_q[selected_q*4 +: 4];
    wire              timed        = quantum_enable_q[selected_q];
    wire              used_up      = timed_q && turn_q >= limit_q;
    wire              unsuccessful = packet_executed ? packet_unsuccessful : unsuccessful_q;
    wire              yielded      = unsuccessful || (wrote_q && !timed) ||
        (settings_event_on_priority_write && (wrote_q || host_wrote_q));
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
        in_mqd_d           = in_mqd_q;
        resident_d         = resident_q;
        move_d             = move_q;
        move_queue_d       = move_queue_q;
        // 1 Packet write
        if (packet_priority_write)
            queue_priority_d[packet_priority_queue*4 +: 4] = packet_priority_data;
        // 2 Load bus
        if (load_valid)
            case (load_kind)
                LOAD_ACTIVE: begin
                    active_d[load_queue] = load_data[0];
                    in_mqd_d[load_queue] = 1'b0;
                end
                LOAD_QUEUE_PRIORITY: queue_priority_d[load_queue*4 +: 4] = load_data[3:0];
                LOAD_PIPE_PRIORITY:  pipe_priorities_d[load_queue*2 +: 2] = load_data[1:0];
                LOAD_QUANTUM: begin
                    quantum_enable_d[load_queue]          = load_data[0];
                    quantum_scale_d[load_queue]           = load_data[4];
                    quantum_duration_d[load_queue*6 +: 6] = load_data[13:8];
                end
                LOAD_MOVED: begin
                    in_mqd_d[load_queue] = load_data[1] && !load_data[0];
                    if (answered && move_q == MOVE_SAVE)
                        resident_d = 1'b0;
                end
                default: ;
            endcase

        if (ended)
            move_d = MOVE_NONE;
        else if (loaded)
            move_d = MOVE_DERIVE;

        // 3 Readiness. A queue just mapped waits a clock: the neighbours still show what its slot held before.
        ready_d = active_q & active_d & ~empty & ~stalled & bank_prepared & begins;

        // 4 Maximum
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

        // 6 The turn
        turn_d         = turn_q;
        limit_d        = {24'd0, quantum_duration_q[selected_q*6 +: 6]} * {6'd0, unit};
        timed_d        = timed;
        ran_d          = ran_q;
        wrote_d        = wrote_q;
        host_wrote_d   = host_wrote_q;
        unsuccessful_d = unsuccessful_q;
        if (selected_valid_q) begin
            if (turn_q != 30'h3fffffff)
                turn_d = turn_q + 30'd1;
            ran_d          = ran_q || runs;
            wrote_d        = wrote_q || packet_priority_write;
            host_wrote_d   = host_wrote_q || host_write;
            unsuccessful_d = unsuccessful;
        end

        // 5 Settling
        settle_d         = ended ? SETTLE : settle_q == 2'd0 ? 2'd0 : settle_q - 2'd1;
        // 7 Selection
        go_d             = 1'b0;
        selected_valid_d = selected_valid_q;
        selected_d       = selected_q;
        scoreboard_d     = scoreboard_q;
        if (pick && to_save) begin
            move_d       = MOVE_SAVE;
            move_queue_d = selected_q;
        end else if (pick && in_mqd_q[winner]) begin
            move_d       = MOVE_LOAD;
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
            unsuccessful_d   = 1'b0;
        end

        // 8 Replacement
        leave_d = leave_q;
        if (selected_valid_q &&
            (better || exhausted || unable || (equal && may && (used_up || yielded))))
            leave_d = 1'b1;

        // 9 Giving up
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
        in_mqd_q           <= in_mqd_d;
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
        unsuccessful_q     <= unsuccessful_d;
        if (rst) begin
            active_q         <= {QUEUES{1'b0}};
            queue_priority_q <= {QUEUES*4{1'b0}};
            ready_q          <= {QUEUES{1'b0}};
            level_q          <= 4'd0;
            candidates_q     <= {QUEUES{1'b0}};
            scoreboard_q     <= {16*BITS{1'b1}};
            in_mqd_q         <= {QUEUES{1'b0}};
            resident_q       <= 1'b0;
            move_q           <= MOVE_NONE;
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
            unsuccessful_q   <= 1'b0;
        end
    end

    wire unused = &{1'b0, load_data[39:14], load_data[7:5]};

`ifdef FORMAL
`include "totem_arbiter_properties.vh"
`endif
endmodule

`default_nettype wire
