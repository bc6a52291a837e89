// SPDX-License-Identifier: Apache-2.0
//
// Properties of totem_record, included at the end of the module. The numbers are those of docs/contract/record.md.

    // For a queue picked at will, with f_pair what the RAM holds as its pair:
    // Contract 1: an end record is the pair of the last switch-out when it is taken, one for each switch-out at most,
    // and one more for each time that what was in flight is abandoned.
    // Contract 2: it is taken only when the top record of that switch-out has been written, and every write of it
    // answered.
    // Contract 3: an end record is written only if nothing of its queue was in flight when it was taken up.
    // Contract 4: TOP_PENDING stands from the clock after a switch-out until a top record, all of which was read
    // behind it, is acknowledged without an error.
    // Contract 5: writes that are not acknowledged are counted exactly; a record ends with none.
    // Contract 6: after a record without an answer no word of the mapping is written, and TOP_PENDING stands until
    // the slot is mapped again.
    // Contract 7: an end record is taken up only when its queue has settled, or when it parts: hqd says so, it does
    // not have the pipe, and if it is killed that has ended; a pair is handed to fence only while it parts.
    // Contract 8: a word of a message stands still until it is taken, not while the second word of poll is there.
    // Assumed: switch-outs are at least 5 clocks apart; the load word MQD, or a sequence number, comes only for a
    // queue of which nothing is to be written or abandoned and that does not have the pipe; load words of these kinds
    // are 2 clocks apart; answers come to what was sent.
    initial assume (rst);
    (* anyconst *) wire [Q-1:0] f_queue;
    reg [63:0] f_pair = 64'd0;      // of f_queue in the RAM
    reg [63:0] f_read = 64'd0;      // what the RAM gave last
    reg        f_own = 1'b0;        // it is f_pair, as it was then
    reg [2:0]  f_apart = 3'd5;      // clocks since a switch-out, at most 5
    reg        f_loaded = 1'b0;     // a load word in the clock before
    reg        f_fresh = 1'b0;      // f_queue has left, and no top record begun since is acknowledged
    reg        f_newer = 1'b0;      // f_queue has left since its top record was taken up
    reg        f_ended = 1'b1;      // an end record was taken since f_queue has left
    reg        f_settled = 1'b0;    // nothing of the queue was in flight when its end record was taken up
    reg        f_dead = 1'b0;       // a record of f_queue was never answered, since it was mapped
    reg [1:0]  f_owed = 2'd0;
    wire f_top    = job_q == TOP;
    wire f_ack    = write_ack && ack_tag[0];
    wire [QUEUES-1:0] f_gives_up = hqd_leaving & fence_abandoned;
    wire f_parts  = hqd_parting[f_queue] && (!hqd_killing[f_queue] || kill_ended[f_queue])
                    && !(arbiter_selected_valid && arbiter_selected == f_queue);
    reg        f_stood = 1'b0;      // a word of a message that nobody took
    reg [63:0] f_said;
    wire f_left   = packet_left && dispatch_queue == f_queue && described_d[f_queue];
    wire f_under  = phase_q != IDLE && queue_q == f_queue;
    wire f_over   = phase_q == WAIT && f_under && owed_q == 2'd0 && fault_q == TIME_OUT;
    wire f_begins = phase_q == IDLE && phase_d == READ && queue_d == f_queue;
    wire f_taken  = phase_q == TAKE && f_under && !f_top && phase_d != IDLE && phase_d != READ;
    wire f_acked  = phase_q == WAIT && f_under && f_top && owed_q == 2'd0 && fault_q == 2'd0;
    wire f_again  = f_gives_up[f_queue] && described_d[f_queue];
    wire f_load   = load_valid && (load_kind == LOAD_MQD || load_kind == LOAD_SEQUENCE);

    always @* begin
        if (f_own) assume (ram_read_data == f_read);
        if (packet_left) assume (f_apart == 3'd5);
        if (f_load) assume (!f_loaded && !again_q);
        if (f_load) assume (!busy[load_queue] && !(packet_left && dispatch_queue == load_queue)
                            && !(turn_q != 2'd0 && last_q == load_queue)
                            && !(keep_valid_q && keep_queue_q == load_queue) && !f_gives_up[load_queue]);
        if (f_ack) assume (f_owed != 2'd0);
    end

    always @(posedge clk) begin
        if (ram_write_enable && ram_write_addr == {f_queue, PAIR}) f_pair <= ram_write_data;
        if (ram_read_enable) begin
            f_own  <= ram_read_addr == {f_queue, PAIR};
            f_read <= f_pair;
        end
        f_apart  <= packet_left ? 3'd1 : f_apart == 3'd5 ? 3'd5 : f_apart + 3'd1;
        f_loaded <= f_load;
        f_owed   <= f_owed + {1'b0, write_valid && step_q != 2'd0 && write_ready} - {1'b0, f_ack};
        if (f_left)
            f_newer <= 1'b1;
        else if (f_begins && job_d == TOP || f_over)
            f_newer <= 1'b0;
        if (f_left)
            f_fresh <= 1'b1;
        else if (f_acked && !f_newer || load_valid && load_kind == LOAD_MQD && // a mapping begins
                load_queue == f_queue)
            f_fresh <= 1'b0;
        if (f_left)
            f_ended <= 1'b0;
        else if (f_taken && !f_again || f_over)
            f_ended <= 1'b1;
        else if (f_again)
            f_ended <= 1'b0;
        f_stood <= !rst && error_valid && (!events_mqd_error_ready || (poll_error_valid && poll_error_second));
        f_said  <= error_word;
        if (f_begins) f_settled <= fence_settled[f_queue];
        if (f_over)
            f_dead <= 1'b1;
        else if (load_valid && load_kind == LOAD_MQD && load_queue == f_queue)
            f_dead <= 1'b0;
        if (rst) begin
            f_apart  <= 3'd5;
            f_loaded <= 1'b0;
            f_fresh  <= 1'b0;
            f_newer  <= 1'b0;
            f_ended  <= 1'b1;
            f_dead   <= 1'b0;
            f_owed   <= 2'd0;
        end

        if (!rst) begin
            if (f_taken) assert (word_d == f_pair && f_own && !f_ended);                                  // 1
            if (f_taken) assert (!top_due_q[f_queue] && !f_newer && (!f_fresh || lost_q[f_queue]));       // 2
            if (f_under && job_q == END) assert (f_settled);                                              // 3
            if (f_under && job_q == CLOSE) assert (phase_q != ASK && phase_q != WRITE && phase_q != WAIT);
            if (f_begins && job_d != TOP) assert (fence_settled[f_queue] || f_parts);                     // 7
            if (f_taken && job_q == CLOSE) assert (f_parts);
            if (f_stood) assert (error_valid && error_word == f_said);                                    // 8
            if (f_fresh) assert (top_pending[f_queue]);                                                   // 4
            assert (owed_q == f_owed);                                                                    // 5
            if (phase_q == IDLE || phase_q >= MARK) assert (owed_q == 2'd0);
            if (f_dead) assert (top_pending[f_queue] && !described_q[f_queue] && lost_q[f_queue]);         // 6
            if (f_dead && f_under) assert (phase_q == REPORT || phase_q == ERROR);

            // Helpers.
            assert (top_due_q[f_queue] == f_newer);
            if ((phase_q == READ || phase_q == TAKE) && !f_top) assert (end_due_q[queue_q]);
            if (phase_q == TAKE && place_q == PAIR && queue_q == f_queue) assert (f_own && f_read == f_pair);
            if (f_own) assert (turn_q == 2'd1 || f_read == f_pair || phase_q != TAKE || queue_q != f_queue);
            assert (f_ended == !end_due_q[f_queue]);
            assert (!(!described_q[f_queue] && (top_due_q[f_queue] || end_due_q[f_queue])));
            assert (job_q <= CLOSE && phase_q <= ERROR);
            if (phase_q == ASK || phase_q == WRITE) assert (place_q != MQD);
            if (phase_q == MARK) assert (job_q == END);
            if (phase_q == FENCE) assert (job_q == CLOSE);
            if (phase_q == ASK || phase_q == WRITE || phase_q == WAIT || phase_q == REPORT ||
                    phase_q == ERROR) assert (!job_q[1]);
            if ((phase_q == REPORT || phase_q == ERROR) && f_top) assert (lost_q[queue_q]);
            if (phase_q == WRITE || phase_q == ERROR) assert (step_q <= 2'd1);
            if (phase_q == ASK || phase_q == REPORT) assert (step_q == 2'd0);
            if (phase_q == FENCE) assert (step_q <= 2'd2);
            if (!f_top && phase_q >= ASK) assert (place_q == PAIR);
            if (phase_q >= READ && phase_q <= WRITE) assert (owed_q <= ((!f_top || place_q == MQD) ? 2'd0 :
                    place_q == WAVES ? 2'd0 : place_q == BUFFER ? 2'd1 : 2'd2));
            if ((phase_q == READ || phase_q == TAKE) && !f_top) assert (place_q == MQD || place_q == PAIR);
            if (phase_q == WAIT && !f_top) assert (owed_q <= 2'd1);
            if (phase_q == WAIT && f_top) assert (place_q == PAIR || fault_q != 2'd0);
            if (phase_q == WAIT) assert (place_q != MQD);
            cover (phase_q == WAIT && !f_top && owed_q == 2'd0);
            cover (phase_q == FENCE && step_q == 2'd2);
            cover (f_dead && phase_q == IDLE);
        end
    end
