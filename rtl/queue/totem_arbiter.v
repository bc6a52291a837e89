// SPDX-License-Identifier: Apache-2.0
//
// totem_arbiter: chooses which queue of a compute pipe runs, and when it is replaced.
//
// Policy    the highest priority among the ready queues; among equals the first after the one that
//           the scoreboard of that level remembers. A selected queue is asked to leave for a better
//           queue (condition 1), when it is empty and drained and another one is ready (5), and when
//           it is stalled or unmapped (7); it may leave by itself (4). See docs/contract/arbiter.md.
// Latency   a word of the neighbours in clock n is go in n+3; packet_left in n is go in n+4, always.
// Boundary  neighbours' words end in flip-flops (ready_q, leave_q); outputs come from state alone.
// Cost      two stages keep the clock short: all pairs are compared for level and candidates, then the
//           successor is taken among the candidates that are still ready. Each queue costs about 15
//           flip-flops, the scoreboard 16 x $clog2(QUEUES).
// Twin      cmodel/queue/totem_arbiter.c, same names.

`default_nettype none

module totem_arbiter #(
    parameter QUEUES = 8                    // 2, 4, 8 or 16
) (
    input  wire                      clk,
    input  wire                      rst,
    // hqd
    input  wire                      load_valid,
    input  wire [$clog2(QUEUES)-1:0] load_queue,
    input  wire [3:0]                load_kind,
    input  wire [39:0]               load_data,
    // fetch
    input  wire [QUEUES-1:0]         fetch_pending,
    input  wire [QUEUES-1:0]         fetch_line,
    // packet
    input  wire                      packet_left,
    input  wire [QUEUES-1:0]         packet_unfinished,
    input  wire [QUEUES-1:0]         packet_halted,
    input  wire [QUEUES-1:0]         packet_wait_flush,
    input  wire [QUEUES-1:0]         packet_wait_epoch,
    // fence
    input  wire [QUEUES-1:0]         fence_flushed,
    input  wire [QUEUES-1:0]         fence_room,
    // walker
    input  wire                      walker_busy,
    // everybody in the pipe
    output wire                      go,
    output wire                      selected_valid,
    output wire [$clog2(QUEUES)-1:0] selected,
    output wire                      leave,
    output wire [1:0]                pipe_priority,
    output wire [QUEUES-1:0]         active,
    output wire [QUEUES-1:0]         ready,
    output wire [QUEUES*4-1:0]       queue_priority
);
    localparam BITS = $clog2(QUEUES);

    generate
        if (QUEUES != 2 && QUEUES != 4 && QUEUES != 8 && QUEUES != 16) begin : check
            totem_arbiter_needs_QUEUES_2_4_8_or_16 refused ();
        end
    endgenerate

    localparam KIND_ACTIVE         = 4'd0;
    localparam KIND_QUEUE_PRIORITY = 4'd1;
    localparam KIND_PIPE_PRIORITY  = 4'd2;

    // Clocks after packet_left until candidates_q rest on what the neighbours say after it.
    localparam SETTLE = 2'd2;

    reg [QUEUES-1:0]   active_q, active_d;
    reg [QUEUES*4-1:0] queue_priority_q, queue_priority_d;
    reg [QUEUES*2-1:0] pipe_priorities_q, pipe_priorities_d;
    reg [QUEUES-1:0]   ready_q, ready_d;
    reg [3:0]          level_q, level_d;
    reg [QUEUES-1:0]   candidates_q, candidates_d;
    reg [16*BITS-1:0]  scoreboard_q, scoreboard_d;
    reg [1:0]          settle_q, settle_d;
    reg                go_q, go_d;
    reg                selected_valid_q, selected_valid_d;
    reg [BITS-1:0]     selected_q, selected_d;
    reg                leave_q, leave_d;

    // Registers that reset leaves alone read 0 at start, as in the model.
    initial begin
        queue_priority_q  = {QUEUES*4{1'b0}};
        pipe_priorities_q = {QUEUES*2{1'b0}};
    end

    assign go             = go_q;
    assign selected_valid = selected_valid_q;
    assign selected       = selected_q;
    assign leave          = leave_q;
    assign pipe_priority  = pipe_priorities_q[selected_q*2 +: 2];
    assign active         = active_q;
    assign ready          = ready_q;
    assign queue_priority = queue_priority_q;

    wire [QUEUES-1:0] stalled = packet_halted | (packet_wait_flush & ~fence_flushed)
                                              | (packet_wait_epoch & ~fence_room);
    wire [QUEUES-1:0] empty   = ~fetch_pending & ~packet_unfinished;

    // Lowest member of a set, as an index; 0 for the empty set.
    function [BITS-1:0] lowest(input [QUEUES-1:0] set);
        integer n;
        begin
            lowest = {BITS{1'b0}};
            for (n = QUEUES - 1; n >= 0; n = n - 1)
                if (set[n])
                    lowest = n[BITS-1:0];
        end
    endfunction

    // Stage 1: all pairs side by side. A tournament has three comparisons one behind the other and misses
    // the 100 MHz of the ECP5; written out, a comparison stays in LUTs instead of a carry chain.
    reg [QUEUES-1:0] beaten;
    reg [QUEUES-1:0] best;
    integer          queue, other;

    function above(input [3:0] a, input [3:0] b);
        above = (a[3] && !b[3]) || (a[3] == b[3] &&
               ((a[2] && !b[2]) || (a[2] == b[2] &&
               ((a[1] && !b[1]) || (a[1] == b[1] && a[0] && !b[0])))));
    endfunction

    // Stage 2: those of the set that come after the last served one go first.
    wire [QUEUES-1:0] choice = candidates_q & ready_q & active_d;
    wire [BITS-1:0]   last   = scoreboard_q[level_q*BITS +: BITS];
    wire [QUEUES-1:0] after  = choice & ({{QUEUES-1{1'b1}}, 1'b0} << last);
    wire [BITS-1:0]   winner = |after ? lowest(after) : lowest(choice);

    wire [QUEUES-1:0] self         = {{QUEUES-1{1'b0}}, 1'b1} << selected_q;
    wire              better       = |choice && level_q > queue_priority_q[selected_q*4 +: 4];
    wire              exhausted    = empty[selected_q] && !walker_busy && |(ready_q & ~self);
    wire              out_of_order = stalled[selected_q] || !active_q[selected_q];

    always @* begin
        active_d          = active_q;
        queue_priority_d  = queue_priority_q;
        pipe_priorities_d = pipe_priorities_q;
        if (load_valid)
            case (load_kind)
                KIND_ACTIVE:         active_d[load_queue] = load_data[0];
                KIND_QUEUE_PRIORITY: queue_priority_d[load_queue*4 +: 4] = load_data[3:0];
                KIND_PIPE_PRIORITY:  pipe_priorities_d[load_queue*2 +: 2] = load_data[1:0];
                default: ;
            endcase

        // A queue just mapped waits a clock: the neighbours still show what its slot held before.
        ready_d = active_q & active_d & ~empty & ~stalled & (fetch_line | packet_unfinished);

        beaten = {QUEUES{1'b0}};
        for (queue = 0; queue < QUEUES; queue = queue + 1)
            for (other = 0; other < QUEUES; other = other + 1)
                if (ready_q[other] && above(queue_priority_q[other*4 +: 4], queue_priority_q[queue*4 +: 4]))
                    beaten[queue] = 1'b1;
        best         = ready_q & ~beaten;
        candidates_d = best;
        level_d      = 4'd0;
        for (queue = 0; queue < QUEUES; queue = queue + 1)
            if (best[queue])
                level_d = level_d | queue_priority_q[queue*4 +: 4];
        if (load_valid && load_kind == KIND_QUEUE_PRIORITY)
            candidates_d = {QUEUES{1'b0}};

        settle_d         = settle_q == 2'd0 ? 2'd0 : settle_q - 2'd1;
        go_d             = 1'b0;
        selected_valid_d = selected_valid_q;
        selected_d       = selected_q;
        scoreboard_d     = scoreboard_q;
        if (!selected_valid_q && settle_q == 2'd0 && |choice) begin
            go_d             = 1'b1;
            selected_valid_d = 1'b1;
            selected_d       = winner;
            scoreboard_d[level_q*BITS +: BITS] = winner;
        end

        leave_d = leave_q;
        if (selected_valid_q && (better || exhausted || out_of_order))
            leave_d = 1'b1;

        if (packet_left && selected_valid_q) begin
            selected_valid_d = 1'b0;
            leave_d          = 1'b0;
            go_d             = 1'b0;
            settle_d         = SETTLE;
        end
    end

    always @(posedge clk) begin
        active_q          <= active_d;
        queue_priority_q  <= queue_priority_d;
        pipe_priorities_q <= pipe_priorities_d;
        ready_q           <= ready_d;
        level_q           <= level_d;
        candidates_q      <= candidates_d;
        scoreboard_q      <= scoreboard_d;
        settle_q          <= settle_d;
        go_q              <= go_d;
        selected_valid_q  <= selected_valid_d;
        selected_q        <= selected_d;
        leave_q           <= leave_d;
        if (rst) begin
            active_q         <= {QUEUES{1'b0}};
            ready_q          <= {QUEUES{1'b0}};
            level_q          <= 4'd0;
            candidates_q     <= {QUEUES{1'b0}};
            scoreboard_q     <= {16*BITS{1'b1}};
            settle_q         <= 2'd0;
            go_q             <= 1'b0;
            selected_valid_q <= 1'b0;
            selected_q       <= {BITS{1'b0}};
            leave_q          <= 1'b0;
        end
    end

    wire unused = &{1'b0, load_data[39:4]};

`ifdef FORMAL
    // Contract 1: go and leave belong to a selected, go to a mapped queue; nothing is selected unready.
    // Contract 2: no queue ready in both clocks of the decision was better than the one selected.
    // Contract 3: among equals none was passed over between the one served last and the selected one.
    // Contract 4: a queue that stays ready at its priority sees at most QUEUES-1 others of it served.
    // Contract 5: the pipe is given up only by packet_left, and leave stays until then.
    initial assume (rst);
    (* anyconst *) wire [BITS-1:0] f_queue;         // any queue: the claims hold for all of them
    (* anyconst *) wire [3:0]      f_level;

    wire       f_pick   = go_d;
    wire [3:0] f_mine   = queue_priority_q[f_queue*4 +: 4];
    wire       f_wants  = ready_q[f_queue] && f_mine == f_level;
    wire       f_keeps  = f_wants && active_d[f_queue] &&
                          !(load_valid && load_kind == KIND_QUEUE_PRIORITY && load_queue == f_queue);
    reg        f_wanted;                            // f_keeps in the clock before
    reg        f_ready;                             // f_queue was ready in the clock before
    reg        f_blank;                             // a priority was written in the clock before
    reg [BITS:0] f_passed;                          // others of the level served since f_queue wants
    wire [BITS-1:0] f_ahead = f_queue - scoreboard_q[f_level*BITS +: BITS] - 1'b1;
    wire [BITS-1:0] f_before = winner - last - 1'b1; // places between last served and winner
    wire [BITS-1:0] f_place  = f_queue - last - 1'b1;
    reg        f_leave, f_valid, f_left;

    always @(posedge clk) begin
        f_ready  <= ready_q[f_queue];
        f_blank  <= load_valid && load_kind == KIND_QUEUE_PRIORITY;
        f_wanted <= f_keeps;
        if (!(f_wanted && f_keeps))
            f_passed <= {BITS+1{1'b0}};
        else if (f_pick && level_q == f_level && winner != f_queue)
            f_passed <= f_passed + 1'b1;
        else if (f_pick && winner == f_queue)
            f_passed <= {BITS+1{1'b0}};
        f_leave <= leave_q;
        f_valid <= selected_valid_q;
        f_left  <= packet_left;
        if (rst) begin
            f_ready  <= 1'b0;
            f_blank  <= 1'b0;
            f_wanted <= 1'b0;
            f_passed <= {BITS+1{1'b0}};
            f_leave  <= 1'b0;
            f_valid  <= 1'b0;
        end

        if (!rst) begin
            assert (!go_q || selected_valid_q);                                         // 1
            assert (!leave_q || selected_valid_q);
            assert (!go_q || active_q[selected_q]);
            assert (!ready_q[f_queue] || active_q[f_queue]);
            if (f_pick) assert (ready_q[winner] && candidates_q[winner]);
            if (f_pick && f_ready && ready_q[f_queue]) assert (f_mine <= level_q);      // 2
            if (f_pick) assert (queue_priority_q[winner*4 +: 4] == level_q);
            if (f_pick && f_ready && ready_q[f_queue] && active_d[f_queue] && f_mine == level_q)
                assert (f_place >= f_before);                                           // 3
            assert ({1'b0, f_ahead} + f_passed <= QUEUES - 1);                           // 4
            assert (f_passed <= QUEUES - 1);
            if (f_valid && !f_left) assert (selected_valid_q);                          // 5
            if (f_valid && f_leave && !f_left) assert (leave_q);

            // helpers
            assert (settle_q == 2'd0 || !selected_valid_q);
            assert (settle_q <= 2'd2);
            assert (!candidates_q[f_queue] || f_mine == level_q);
            if (f_blank) assert (candidates_q == {QUEUES{1'b0}});
            if (f_ready && !f_blank) assert (f_mine <= level_q);
            if (f_ready && !f_blank && f_mine == level_q) assert (candidates_q[f_queue]);
            if (f_wanted) assert (f_ready && f_mine == f_level);
            if (!f_wanted) assert (f_passed == {BITS+1{1'b0}});

            cover (go_q && f_passed == QUEUES - 1);
            cover (leave_q && packet_left);
        end
    end
`endif
endmodule

`default_nettype wire
