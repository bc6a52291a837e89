// SPDX-License-Identifier: Apache-2.0
//
// Properties of totem_arbiter, included at the end of the module. The numbers are those of docs/contract/arbiter.md.

    initial assume (rst);
    (* anyconst *) wire [BITS-1:0] f_queue;         // any queue: the claims hold for all of them
    (* anyconst *) wire [3:0]      f_level;

    wire       f_pick   = go_d;
    wire [3:0] f_mine   = queue_priority_q[f_queue*4 +: 4];
    wire       f_wants  = ready_q[f_queue] && f_mine == f_level;
    wire       f_keeps  = f_wants && active_d[f_queue] &&
                          !(load_valid && load_kind == LOAD_QUEUE_PRIORITY && load_queue == f_queue) &&
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
    reg        f_last_unsuccessful = 1'b0;          // its latest packet is an unsuccessful poll
    reg [29:0] f_clock;                             // clocks of the turn
    reg [29:0] f_span;                              // clocks of the quantum
    reg        f_timed;                             // it is enabled
    reg        f_due;                               // a condition to leave held in the clock before
    reg        f_blocked = 1'b0;                    // the winner was in_mqd, or the queue before it was to be saved
    reg        f_fit = 1'b0;                        // f_queue could run in the clock before
    reg [3:0]  f_priority = 4'd0;                   // of f_queue, by what was written
    reg        f_in_mqd = 1'b0;                     // f_queue is in_mqd, by what was said
    reg        f_moving = 1'b0, f_moved = 1'b0;     // a move was under way, and its MOVED came
    reg        f_derived = 1'b0, f_prepared = 1'b0; // the bank derived, and was prepared
    reg        f_through = 1'b0;                    // MQD_SAVE, or a queue was in_mqd

    // The rules once more, from the state alone and queue by queue.
    wire [3:0] f_own     = queue_priority_q[selected_q*4 +: 4];
    wire       f_limited = settings_turn_limit != 24'd0 && |turn_q[29:10] && turn_q >= {6'd0, settings_turn_limit};
    wire       f_used    = f_timed && limit_q <= turn_q;
    wire       f_yield   = (wrote_q && !quantum_enable_q[selected_q])
                         || (settings_event_on_priority_write && (wrote_q || host_wrote_q));
    wire       f_unsuccessful    = (packet_executed && packet_unsuccessful) || (!packet_executed && f_last_unsuccessful);
    reg        f_higher, f_rival, f_stray;           // f_stray: a candidate of another priority than level
    reg        f_others, f_chance;                   // another queue is ready; there is one to select
    reg        f_above, f_equal;                     // there is another one to select, of higher or of equal priority
    integer    f_place;
    // Condition 5 and 7 of the selected queue.
    wire       f_alone  = !fetch_pending[selected_q] && !task_pending[selected_q] && !walker_busy && f_others;
    wire       f_ring   = poll_waiting[selected_q] || (packet_wait_flush[selected_q] && !fence_flushed[selected_q])
                        || (packet_wait_entry[selected_q] && !task_room[selected_q]);
    wire       f_stops  = (selected_q == 0 && schedule_waiting) || task_stall[selected_q]
                        || packet_halted[selected_q] || hqd_dequeuing[selected_q]
                        || (f_ring && !runner_due[selected_q])
                        || (packet_wait_epoch[selected_q] && !fence_room[selected_q]) || !active_q[selected_q];
    // f_queue: is it stalled, and has it something to run?
    wire       f_held   = poll_waiting[f_queue] || (packet_wait_flush[f_queue] && !fence_flushed[f_queue])
                        || (packet_wait_entry[f_queue] && !task_room[f_queue]);
    wire       f_waits  = (f_queue == 0 && schedule_waiting) || task_stall[f_queue]
                        || packet_halted[f_queue] || hqd_dequeuing[f_queue]
                        || (packet_wait_epoch[f_queue] && !fence_room[f_queue]);
    wire       f_some   = fetch_pending[f_queue] || task_pending[f_queue];
    wire       f_work   = f_some && (runner_due[f_queue] || (fetch_pending[f_queue] && !f_held
                        && (settings_mqd_save || fetch_line[f_queue] || packet_unfinished[f_queue])));
    wire       f_unmaps = load_valid && load_kind == LOAD_ACTIVE && load_queue == f_queue && !load_data[0];
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
        f_blank  <= (load_valid && load_kind == LOAD_QUEUE_PRIORITY) || packet_priority_write;
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
        f_blocked <= in_mqd_q[f_winner] || (settings_mqd_save && resident_q && f_winner != selected_q &&
                     active_d[selected_q] && !hqd_dequeuing[selected_q]);
        f_fit     <= active_q[f_queue] && !f_unmaps && f_work && !f_waits && bank_prepared[f_queue];
        if (f_named && load_kind == LOAD_QUEUE_PRIORITY)
            f_priority <= load_data[3:0];
        else if (packet_priority_write && packet_priority_queue == f_queue)
            f_priority <= packet_priority_data;
        if (f_named && load_kind == LOAD_ACTIVE)
            f_in_mqd   <= 1'b0;
        else if (f_named && load_kind == LOAD_MOVED)
            f_in_mqd <= load_data[1:0] == 2'b10;
        f_moving  <= !rst && (move_q == MOVE_SAVE || move_q == MOVE_LOAD);
        f_derived <= !rst && move_q == MOVE_DERIVE;
        f_prepared <= bank_prepared[move_queue_q];
        f_moved   <= load_valid && load_kind == LOAD_MOVED && load_queue == move_queue_q;
        f_through <= settings_mqd_save || |in_mqd_q;
        f_since  <= {f_since[2:0], packet_left && selected_valid_q};
        f_choice <= f_chance;
        f_due    <= selected_valid_q && !packet_left && (f_above || f_alone || f_stops || (f_equal &&
                    (f_used || f_yield || f_unsuccessful) && (ran_q || packet_executed || |grant_valid || f_limited)));
        if (go_d) begin
            f_forced            <= 1'b0;
            f_met               <= 1'b0;
            f_worked            <= 1'b0;
            f_kept              <= 1'b0;
            f_last_unsuccessful <= 1'b0;
            f_clock             <= 30'd0;
        end else if (selected_valid_q) begin
            f_forced            <= f_forced || f_higher || f_alone || f_stops;
            f_met               <= f_met || (f_rival && (f_used || f_yield || f_unsuccessful));
            f_clock             <= f_clock + 30'd1;
            f_worked            <= f_worked || packet_executed || |grant_valid;
            f_last_unsuccessful <= f_unsuccessful;
            f_kept              <= f_kept || f_limited;
        end
        f_span  <= f_sum;
        f_timed <= quantum_enable_q[selected_q];
        if (rst) begin
            f_since             <= 4'd0;
            f_choice            <= 1'b0;
            f_forced            <= 1'b0;
            f_met               <= 1'b0;
            f_worked            <= 1'b0;
            f_kept              <= 1'b0;
            f_last_unsuccessful <= 1'b0;
            f_clock             <= 30'd0;
            f_span              <= 30'd0;
            f_timed             <= 1'b0;
            f_due               <= 1'b0;
            f_ready             <= 1'b0;
            f_blank             <= 1'b0;
            f_wanted            <= 1'b0;
            f_passed            <= {BITS+1{1'b0}};
            f_leave    <= 1'b0;
            f_valid    <= 1'b0;
            f_fit      <= 1'b0;
            f_priority <= 4'd0;
            f_in_mqd   <= 1'b0;
        end

        if (!rst) begin
            assert (!go_q || selected_valid_q);                                                         // 1 selected
            assert (!leave_q || selected_valid_q);                                                      // 1 selected
            assert (!go_q || active_q[selected_q]);                                                     // 1 selected
            assert (!ready_q[f_queue] || active_q[f_queue]);                                            // 11 readiness
            if (f_pick) assert (ready_q[f_winner] && candidates_q[f_winner]);                           // 1 selected
            if (f_pick && f_ready && ready_q[f_queue]) assert (f_mine <= level_q);                      // 2 highest
            if (f_pick) assert (queue_priority_q[f_winner*4 +: 4] == level_q);                          // 2 highest
            if (f_pick && f_ready && ready_q[f_queue] && active_d[f_queue] && f_mine == level_q)
                assert (f_where >= f_before);                                                           // 3 order
            assert ({1'b0, f_ahead} + f_passed <= QUEUES - 1);                                          // 4 bound
            assert (f_passed <= QUEUES - 1);                                                            // 4 bound
            if (f_valid && !f_left) assert (selected_valid_q);                                          // 5 kept
            if (f_valid && f_leave && !f_left) assert (leave_q);                                        // 5 kept

            if (selected_valid_q && leave_q) assert (f_forced || (f_met && (f_worked || f_kept)));      // 6 reason
            if (f_since[0]) assert (settle_q == 2'd2 && !selected_valid_q);                             // 7 switch
            if (f_since[1]) assert (settle_q == 2'd1 && !selected_valid_q);                             // 7 switch
            if (f_since[2]) assert (settle_q == 2'd0 && !selected_valid_q);                             // 7 switch
            if (f_since[3]) assert ((go_q || move_q != MOVE_NONE) == f_choice && selected_valid_q == go_q);  // 7 switch
            if (!(&turn_q)) assert (turn_q == f_clock);                                                 // 8 quantum
            assert (timed_q == f_timed && limit_q == f_span && limit_q <= 30'd63 * 30'hffffff);         // 8 quantum
            if (f_due) assert (leave_q);                                                                // 9 replaced
            if (go_q) assert (resident_q && !f_blocked);                                                // 10 moves
            if (f_moving)
                assert ((move_q == MOVE_NONE || (move_q == MOVE_DERIVE && !f_derived)) == f_moved);     // 10 moves
            if (f_derived) assert ((move_q == MOVE_NONE) == f_prepared);                                // 10 moves
            if (!f_through) assert (f_moving || f_derived || move_q == MOVE_NONE);                      // 10 moves
            assert (ready_q[f_queue] == f_fit);                                                         // 11 readiness
            assert (f_mine == f_priority && in_mqd_q[f_queue] == f_in_mqd);                             // 12 written

            // helpers
            if (selected_valid_q) assert (f_worked == ran_q && f_last_unsuccessful == unsuccessful_q);
            assert (settle_q == 2'd0 || !selected_valid_q);
            assert (settle_q <= 2'd2);
            assert (move_q == MOVE_NONE || (!selected_valid_q && settle_q == 2'd0));
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
            cover (leave_q && !f_forced && unsuccessful_q && !wrote_q && turn_q < limit_q);
            cover (f_since[3] && go_q);
            cover (move_q == MOVE_LOAD);
            cover (move_q == MOVE_DERIVE);
        end
    end
