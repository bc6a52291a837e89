// SPDX-License-Identifier: Apache-2.0
//
// Properties of totem_kill, included at the end of the module. The numbers are those of docs/contract/kill.md.

    initial assume (rst);
    (* anyconst *) wire [Q-1:0] f_queue;
    (* anyconst *) wire [1:0]   f_engine;
    (* anyconst *) wire [23:0]  f_timeout;
    reg              f_was = 1'b0, f_valid, f_taken;
    reg [1:0]        f_at;
    reg [Q-1:0]      f_slot;
    reg [EPOCHS-1:0] f_epochs;
    reg [6:0]        f_since = 7'd64;       // clocks since a word for f_engine, up to 64
    reg [24:0]       f_age = 25'd0;         // clocks that the reset of f_queue is in its stage, up to 2^24
    reg [Q-1:0]      f_turn;                // the turn must come round
    reg [Q:0]        f_timed = {(Q+1){1'b0}};   // clocks for which the time-out has not been 0, up to QUEUES
    reg              f_gone = 1'b0;         // what the kill of f_queue names was abandoned
    reg              f_ended = 1'b0;        // its kill has ended
    wire [Q-1:0]     f_now  = clock[Q-1:0]; // whose turn it is
    wire [Q-1:0]     f_rest = f_queue - f_now;
    wire [T-1:0]     f_past = since_q[f_queue*T +: T];
    wire             f_zero = settings_dequeue_timeout == 24'd0;
    wire             f_stay = hqd_resetting[f_queue] && hqd_killing[f_queue] == before_q[f_queue];    // in its stage

    always @(posedge clk) begin
        assume ((settings_dequeue_timeout == f_timeout || f_zero) && f_engine <= LAST_ENGINE[1:0]);     // A1 timeout
        assume ((fence_abandoned & ~abandon_q) == {QUEUES{1'b0}});                                      // A2 asked
        assume ((hqd_killing & ~hqd_resetting) == {QUEUES{1'b0}});                                      // A3 reset
        if (f_was) assume (f_now == f_turn + {{(Q-1){1'b0}}, 1'b1});                                    // A4 clock
        f_was    <= !rst;
        f_turn   <= f_now;
        f_valid  <= word_valid_q;
        f_taken  <= dc_killed;
        f_at     <= word_engine_q;
        f_slot   <= word_queue_q;
        f_epochs <= word_epochs_q;
        f_since  <= (word_valid_q && word_engine_q == f_engine && dc_killed) ? 7'd1 :
                    (f_since == 7'd64) ? f_since : f_since + 7'd1;
        f_age    <= f_stay ? (f_age == 25'h1000000 ? f_age : f_age + 25'd1) : 25'd0;
        f_gone   <= hqd_killing[f_queue] && (f_gone || fence_abandoned[f_queue]);
        f_ended  <= hqd_killing[f_queue] && (fence_quiet[f_queue] || (f_gone && fence_settled[f_queue]));
        f_timed  <= f_zero ? {(Q+1){1'b0}} : f_timed[Q] ? f_timed : f_timed + {{Q{1'b0}}, 1'b1};
        if (rst) begin
            f_since <= 7'd64;
            f_age   <= 25'd0;
            f_timed <= {(Q+1){1'b0}};
            f_gone  <= 1'b0;
            f_ended <= 1'b0;
        end
        if (!rst) begin
            if (f_was && f_valid && !f_taken)
                assert (word_valid_q && word_engine_q == f_at &&
                        word_queue_q == f_slot && word_epochs_q == f_epochs);                           // 1 word
            if (word_valid_q) assert (word_epochs_q != {EPOCHS{1'b0}});                                 // 1 word
            if (word_valid_q && word_engine_q == f_engine) assert (f_since == 7'd64);                   // 2 apart
            if (f_was && f_valid && f_taken && f_at == LAST_ENGINE[1:0]) assert (!word_valid_q);        // 6 round
            if (f_was && f_valid && f_taken && f_at != LAST_ENGINE[1:0])
                assert (word_valid_q && word_engine_q == f_at + 2'd1 &&
                        word_queue_q == f_slot && word_epochs_q == f_epochs);                           // 6 round
            assert (expired_q[f_queue] == f_gone && ended_q[f_queue] == f_ended);                       // 7 end
            if (abandon_q[f_queue] || expired_q[f_queue]) begin
                assert (f_timeout != 24'd0);                                                            // 3 patience
                assert (f_age + 2*QUEUES >= {1'b0, f_timeout});                                         // 3 patience
            end
            if (slow_q[f_queue]) begin
                assert (f_timeout != 24'd0 && f_age + 2*QUEUES >= {1'b0, f_timeout});                   // 4 overdue
                assert (overdue);                                                                       // 4 overdue
            end
            if (f_timed[Q] && f_age >= {1'b0, f_timeout} + QUEUES) assert (slow_q[f_queue]);            // 4 overdue
            if (f_timed == {(Q+1){1'b0}}) assert ((slow_q | abandon_q) == {QUEUES{1'b0}});              // 5 zero

            // helpers
            assert (word_engine_q <= LAST_ENGINE[1:0] && !(word_valid_q && pause_q != 6'd0));
            if (!word_valid_q && pause_q != 6'd0) assert (f_since + {1'b0, pause_q} >= 7'd64);
            if (!word_valid_q && pause_q == 6'd0) assert (f_since == 7'd64);
            if (word_valid_q && word_engine_q < f_engine) assert (f_since == 7'd64);
            assert ((expired_q & abandon_q) == {QUEUES{1'b0}} && f_age <= 25'h1000000 && f_since <= 7'd64);
            if (f_age == 25'd0) assert (f_past == {T{1'b0}});
            assert (f_timed <= QUEUES && (f_timed == {(Q+1){1'b0}} || f_timeout != 24'd0));
            // Its last turn was QUEUES - f_rest clocks ago; the time-out has stood since then.
            if ({1'b0, f_timed} + {2'b0, f_rest} >= QUEUES && !slow_q[f_queue])
                assert (f_age + {{(25-Q){1'b0}}, f_rest} < {1'b0, f_timeout[23:Q], {Q{1'b0}}} + QUEUES);
            if (f_past != {T{1'b1}})
                assert ({1'b0, f_past, {Q{1'b0}}} + QUEUES > f_age + {{(25-Q){1'b0}}, f_rest});
            if (abandon_q[f_queue] || expired_q[f_queue]) assert (before_q[f_queue]);
            // A unit is counted in the clock of its turn; f_rest clocks are missing to the whole ones since then.
            if (f_age < 25'h1000000) assert ({1'b0, f_past, {Q{1'b0}}} <= f_age + {{(25-Q){1'b0}}, f_rest});
        end
        cover (word_valid_q && word_engine_q == LAST_ENGINE[1:0] && abandon_q != {QUEUES{1'b0}});
    end
