// SPDX-License-Identifier: Apache-2.0
//
// Properties of totem_record, included at the end of the module. The numbers are those of docs/contract/record.md.

    // Of a queue picked at will; f_pair is what the RAM holds as its pair.
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
    wire f_top    = job_q == RECORD_TOP;
    wire f_ack    = write_ack && ack_tag[0];
    wire [QUEUES-1:0] f_gives_up = hqd_leaving & fence_abandoned;
    wire f_parts  = hqd_parting[f_queue] && (!hqd_killing[f_queue] || kill_ended[f_queue])
                    && !(arbiter_selected_valid && arbiter_selected == f_queue);
    reg        f_stood = 1'b0;      // a word of a message that nobody took
    reg [63:0] f_said;
    wire f_left   = packet_left && dispatch_queue == f_queue && described_d[f_queue];
    wire f_under  = phase_q != RECORD_IDLE && queue_q == f_queue;
    wire f_over   = phase_q == RECORD_WAIT && f_under && owed_q == 2'd0 && fault_q == MEMORY_TIME_OUT;
    wire f_begins = phase_q == RECORD_IDLE && phase_d == RECORD_READ && queue_d == f_queue;
    wire f_taken  = phase_q == RECORD_TAKE && f_under && !f_top && phase_d != RECORD_IDLE && phase_d != RECORD_READ;
    wire f_acked  = phase_q == RECORD_WAIT && f_under && f_top && owed_q == 2'd0 && fault_q == MEMORY_OK;
    wire f_again  = f_gives_up[f_queue] && described_d[f_queue];
    wire f_load   = load_valid && (load_kind == LOAD_MQD_ADDR || load_kind == LOAD_SEQUENCE);

    always @* begin
        if (f_own) assume (ram_read_data == f_read);                                         // A5 kept
        if (packet_left) assume (f_apart == 3'd5);                                           // A1 apart
        if (f_load) assume (!f_loaded && !again_q);                                          // A3 spaced
        if (f_load) assume (!busy[load_queue] && !(packet_left && dispatch_queue == load_queue)
                            && !(turn_q != 2'd0 && last_q == load_queue)
                            && !(keep_valid_q && keep_queue_q == load_queue) && !f_gives_up[load_queue]);  // A2 quiet
        if (f_ack) assume (f_owed != 2'd0);                                                  // A4 answers
    end

    always @(posedge clk) begin
        if (ram_write_enable && ram_write_addr == {f_queue, RECORD_PAIR}) f_pair <= ram_write_data;
        if (ram_read_enable) begin
            f_own  <= ram_read_addr == {f_queue, RECORD_PAIR};
            f_read <= f_pair;
        end
        f_apart  <= packet_left ? 3'd1 : f_apart == 3'd5 ? 3'd5 : f_apart + 3'd1;
        f_loaded <= f_load;
        f_owed   <= f_owed + {1'b0, write_valid && step_q != 2'd0 && write_ready} - {1'b0, f_ack};
        if (f_left)
            f_newer <= 1'b1;
        else if (f_begins && job_d == RECORD_TOP || f_over)
            f_newer <= 1'b0;
        if (f_left)
            f_fresh <= 1'b1;
        else if (f_acked && !f_newer || load_valid && load_kind == LOAD_MQD_ADDR && // a mapping begins
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
        else if (load_valid && load_kind == LOAD_MQD_ADDR && load_queue == f_queue)
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
            if (f_taken) assert (word_d == f_pair && f_own && !f_ended);                     // 1 pair
            if (f_taken) assert (!top_due_q[f_queue] && !f_newer && (!f_fresh || lost_q[f_queue]));  // 2 order
            if (f_under && job_q == RECORD_END) assert (f_settled);                          // 3 settled
            if (f_under && job_q == RECORD_CLOSE)
                assert (phase_q != RECORD_ASK && phase_q != RECORD_WRITE && phase_q != RECORD_WAIT);  // 3 settled
            if (f_begins && job_d != RECORD_TOP) assert (fence_settled[f_queue] || f_parts); // 7 begins
            if (f_taken && job_q == RECORD_CLOSE) assert (f_parts);                          // 7 begins
            if (f_stood) assert (error_valid && error_word == f_said);                       // 8 steady
            if (f_fresh) assert (top_pending[f_queue]);                                      // 4 pending
            assert (owed_q == f_owed);                                                       // 5 owed
            if (phase_q == RECORD_IDLE || phase_q >= RECORD_MARK) assert (owed_q == 2'd0);   // 5 owed
            if (f_dead) assert (top_pending[f_queue] && !described_q[f_queue] && lost_q[f_queue]);  // 6 silent
            if (f_dead && f_under) assert (phase_q == RECORD_REPORT || phase_q == RECORD_ERROR);  // 6 silent

            // helpers
            assert (top_due_q[f_queue] == f_newer);
            if ((phase_q == RECORD_READ || phase_q == RECORD_TAKE) && !f_top) assert (end_due_q[queue_q]);
            if (phase_q == RECORD_TAKE && place_q == RECORD_PAIR && queue_q == f_queue)
                assert (f_own && f_read == f_pair);
            if (f_own) assert (turn_q == 2'd1 || f_read == f_pair || phase_q != RECORD_TAKE || queue_q != f_queue);
            assert (f_ended == !end_due_q[f_queue]);
            assert (!(!described_q[f_queue] && (top_due_q[f_queue] || end_due_q[f_queue]))); // 9 described
            assert (job_q <= RECORD_CLOSE && phase_q <= RECORD_ERROR);                       // 10 ranges
            if (phase_q == RECORD_ASK || phase_q == RECORD_WRITE) assert (place_q != RECORD_MQD); // 10 ranges
            if (phase_q == RECORD_MARK) assert (job_q == RECORD_END);
            if (phase_q == RECORD_FENCE) assert (job_q == RECORD_CLOSE);
            if ((phase_q >= RECORD_ASK && phase_q <= RECORD_WAIT) || phase_q >= RECORD_REPORT)
                assert (job_q != RECORD_CLOSE);
            if ((phase_q == RECORD_REPORT || phase_q == RECORD_ERROR) && f_top) assert (lost_q[queue_q]);
            if (phase_q == RECORD_WRITE || phase_q == RECORD_ERROR) assert (step_q <= 2'd1); // 10 ranges
            if (phase_q == RECORD_ASK || phase_q == RECORD_REPORT) assert (step_q == 2'd0);
            if (phase_q == RECORD_FENCE) assert (step_q <= 2'd2);                            // 10 ranges
            if (!f_top && phase_q >= RECORD_ASK) assert (place_q == RECORD_PAIR);
            if (phase_q >= RECORD_READ && phase_q <= RECORD_WRITE)
                assert (owed_q <= ((!f_top || place_q == RECORD_MQD || place_q == RECORD_WAVES) ? 2'd0 :
                                   place_q == RECORD_BUFFER ? 2'd1 : 2'd2));
            if ((phase_q == RECORD_READ || phase_q == RECORD_TAKE) && !f_top)
                assert (place_q == RECORD_MQD || place_q == RECORD_PAIR);
            if (phase_q == RECORD_WAIT && !f_top) assert (owed_q <= 2'd1);
            if (phase_q == RECORD_WAIT && f_top) assert (place_q == RECORD_PAIR || fault_q != MEMORY_OK);
            if (phase_q == RECORD_WAIT) assert (place_q != RECORD_MQD);
            cover (phase_q == RECORD_WAIT && !f_top && owed_q == 2'd0);
            cover (phase_q == RECORD_FENCE && step_q == 2'd2);
            cover (f_dead && phase_q == RECORD_IDLE);
        end
    end
