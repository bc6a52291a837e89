// SPDX-License-Identifier: Apache-2.0
//
// Properties of totem_poll, included at the end of the module. The numbers are those of docs/contract/poll.md.

    initial assume (rst);
    (* anyconst *) wire [Q-1:0] f_queue;
    reg         f_held = 1'b0;
    reg  [40:0] f_addr;
    reg  [32:0] f_clock;
    reg         f_counts = 1'b0;
    reg         f_polled = 1'b0;            // the wait of f_queue has been polled
    reg  [6:0]  f_since = 7'd0;             // clocks since then, at most 64
    wire        f_poll  = phase_q != POLL_FREE && !own_q && !pointer_q && live_q;
    wire        f_mine  = f_poll && queue_q == f_queue;
    wire        f_asked = f_mine && ((phase_q == POLL_ASK && read_ready) || (phase_q == POLL_WINDOW && hqd_done));
    reg         f_first = 1'b0;             // a word of a wait, not the last, came in the clock before
    reg [Q-1:0] f_giver;                    // of this queue
    reg [1:0]   f_step = 2'd0;              // its number
    wire        f_again = f_begin && !packet_wait_timer && ended_q[f_queue];
    reg         f_open = 1'b0;              // an access was open
    reg  [Q+38:0] f_access;
    reg         f_loads = 1'b0;             // a load word of its kinds came with it
    reg         f_started = 1'b0;           // a read of a register for the packet processor was taken
    reg  [39:0] f_named_addr;
    wire        f_begin = packet_wait_valid && packet_wait_last && arbiter_active[dispatch_queue] &&
                          dispatch_queue == f_queue;
    wire [32:0] f_left  = deadline_q[f_queue*33 +: 33] - clock[32:0];
    reg         f_read = 1'b0;              // the write pointer of f_queue has been read since its mapping
    reg         f_shot = 1'b0;              // the read under way is a one-shot's
    reg  [6:0]  f_passed = 7'd0;            // clocks since then, at most 64
    reg         f_old = 1'b0;               // f_queue has been mapped or unmapped since the read under way was chosen
    reg         f_told = 1'b0;
    reg  [64:0] f_message;
    reg         f_halted = 1'b0;
    wire        f_looks = phase_q != POLL_FREE && !own_q && pointer_q && queue_q == f_queue;
    wire        f_reads = f_looks && phase_q == POLL_ASK && read_ready;
    wire [12:0] f_rest  = again_q[f_queue*13 +: 13] - clock[12:0];
    wire        f_named = load_valid && load_queue == f_queue;
    wire        f_maps  = f_named && load_kind == LOAD_ACTIVE;
    wire        f_taken = events_mqd_error_ready && (phase_q == POLL_WORD || (!record_error_valid && !mqd_error_valid));
    reg         f_sent = 1'b0;              // a word of the message was taken
    reg         f_answer = 1'b0;            // the answer to a poll of f_queue came
    reg         f_right;                    // it satisfies the wait
    reg         f_began = 1'b0;             // f_queue began to wait
    reg  [32:0] f_end;                      // the clock at which it ends, if it is for time
    reg         f_took = 1'b0;              // the words of the wait were read
    reg  [19:0] f_pause;                    // its interval
    reg         f_forgot = 1'b0;            // the one-shot of f_queue is forgotten
    wire        f_comes = (phase_q == POLL_ANSWER && data_valid) || (phase_q == POLL_WINDOW && hqd_done);
    wire [31:0] f_dword = phase_q == POLL_WINDOW ? hqd_rdata : data_word[address_q[0]*32 +: 32];
    wire [63:0] f_value = whole_q ? data_word & mask_q : {32'd0, f_dword & ram_read_data[63:32]};
    wire [63:0] f_limit = whole_q ? ram_read_data : {32'd0, ram_read_data[31:0]};
    wire        f_fits  = compare_q == `TOTEM_COMPARE_LT ? f_value <  f_limit :
                          compare_q == `TOTEM_COMPARE_LE ? f_value <= f_limit :
                          compare_q == `TOTEM_COMPARE_EQ ? f_value == f_limit :
                          compare_q == `TOTEM_COMPARE_NE ? f_value != f_limit :
                          compare_q == `TOTEM_COMPARE_GE ? f_value >= f_limit :
                          compare_q == `TOTEM_COMPARE_GT ? f_value >  f_limit : 1'b1;

    always @* begin
        if (f_counts) assume (clock[32:0] == f_clock + 33'd1);                                       // A1 clock
        if (packet_wait_valid) assume (!waiting_q[dispatch_queue]);                                  // A2 waiting
        if (packet_wait_valid && packet_wait_step != 2'd0)
            assume (f_first && f_giver == dispatch_queue && packet_wait_step == f_step + 2'd1);      // A3 words
        if (packet_wait_valid)
            assume (packet_wait_step == 2'd0 ? packet_wait_last == packet_wait_timer
                    : !packet_wait_timer && (packet_wait_last || packet_wait_step == 2'd1));         // A3 words
        if (load_valid && load_kind == LOAD_POLLED && load_data[1])
            assume (!arbiter_active[load_queue]);                                                    // A4 refused
    end

    always @(posedge clk) begin
        f_held   <= !rst && read_valid && !read_ready;
        f_addr   <= {read_exclusive, read_addr};
        f_clock  <= clock[32:0];
        f_counts <= !rst;
        if (f_since != 7'd64)
            f_since <= f_since + 7'd1;
        if (f_asked) begin
            f_polled <= 1'b1;
            f_since  <= 7'd1;
        end
        if (rst || f_begin || !waiting_q[f_queue])
            f_polled <= f_again && !rst;
        if (f_again)
            f_since <= 7'd1 + {5'd0, packet_wait_step};     // since the first word of its message
        f_first  <= !rst && packet_wait_valid && !packet_wait_last;
        f_giver  <= dispatch_queue;
        f_step   <= packet_wait_step;
        f_open   <= !rst && access_valid && !hqd_done;
        f_access <= {access_write, access_queue, access_dword, access_data};
        f_loads  <= load_valid;
        f_started    <= !rst && packet_poll_valid && packet_read_ready && packet_poll_register;
        f_named_addr <= packet_poll_addr;
        if (rst)
            f_since <= 7'd64;

        f_answer <= !rst && f_mine && f_comes && !f_begin && !(f_named &&
                    (load_kind == LOAD_ACTIVE || load_kind == LOAD_RESUME || load_kind == LOAD_SKIP)) &&
                    !(packet_commit && dispatch_queue == f_queue);
        f_right  <= (phase_q == POLL_ANSWER && data_error != MEMORY_OK) || f_fits;
        f_began  <= !rst && f_begin;
        f_end    <= {1'b0, packet_wait_word[31:0]} + clock[32:0];
        f_took   <= !rst && phase_q == POLL_TAKE;
        f_pause  <= (ram_read_data[58:43] < 16'd4) ? 20'd64 : ram_read_data[58:43] * 5'd16;
        f_forgot <= !rst && f_named && load_kind == LOAD_POLLED && load_data[1] && !host_poll_once[f_queue];
        f_sent    <= !rst && error_valid && f_taken;
        f_told    <= !rst && error_valid && !f_taken;
        f_message <= {error_second, error_word};
        f_halted  <= !rst && halt;
        if (f_passed != 7'd64)
            f_passed <= f_passed + 7'd1;
        f_old <= !rst && phase_d != POLL_FREE && (f_old || f_maps);
        if (f_reads && !f_old) begin
            f_read   <= 1'b1;
            f_passed <= 7'd1;
        end
        if (phase_q == POLL_FREE)
            f_shot <= once_q[queue_d];
        if (rst || f_maps)
            f_read <= 1'b0;
        if (rst)
            f_passed <= 7'd64;
    end

    always @*
        if (!rst) begin
            assert ((due_q & ~waiting_q) == {QUEUES{1'b0}} && (due_q & timer_q) == {QUEUES{1'b0}});  // 1 waits
            assert ((waiting_q & ended_q) == {QUEUES{1'b0}});                                        // 1 waits
            assert (phase_q <= POLL_MASK);                                                         // 1 waits
            assert ((ripe_q & ~polled_q) == {QUEUES{1'b0}});                                         // 1 waits
            if (phase_q == POLL_LOOK || phase_q == POLL_TAKE || phase_q == POLL_MASK)
                assert (!own_q && !pointer_q);                                                       // helper
            if (phase_q >= POLL_LOW && phase_q < POLL_WINDOW) assert (!own_q && pointer_q);         // helper
            if (phase_q == POLL_WINDOW) assert (own_q || !pointer_q);                                // helper
            if (f_poll) assert (waiting_q[queue_q] && !timer_q[queue_q] && !due_q[queue_q]);         // helper
            if (phase_q == POLL_ASK || phase_q == POLL_ANSWER || phase_q == POLL_WINDOW)
                assert (own_q || pointer_q || pause_q >= 20'd64);                                    // helper
            if (f_held) assert (read_valid && {read_exclusive, read_addr} == f_addr);               // 2 request
            assert (f_since <= 7'd64);                                                               // helper
            if (f_polled && waiting_q[f_queue] && f_since < 7'd64) begin
                assert (!due_q[f_queue] && (!f_mine || phase_q == POLL_ANSWER));                     // helper
                assert (f_left >= 33'd64 - {26'd0, f_since} && !f_left[32]);                         // helper
            end
            if (f_asked) assert (!f_polled || f_since == 7'd64);                                     // 3 distance
            assert (f_passed <= 7'd64);                                                              // helper
            assert (!(f_looks && !f_old && ripe_q[f_queue]) && !(phase_q == POLL_FREE && f_old));    // helper
            if (f_looks && f_old) assert (!live_q);                                                  // helper
            if (f_read && f_passed < 7'd64) begin
                assert (!ripe_q[f_queue] &&
                        (!f_looks || f_old || phase_q == POLL_ANSWER || phase_q >= POLL_GIVE || f_shot
                                || !live_q));  // helper
                assert (phase_q != POLL_FREE || !wanted_q[f_queue] || once_q[f_queue]);              // helper
                assert (f_rest >= 13'd64 - {6'd0, f_passed} && !f_rest[12]);                         // helper
            end
            if (f_reads && !f_old && live_q && !f_shot) assert (!f_read || f_passed == 7'd64);       // 4 pointers
            if (f_told) assert (error_valid && {error_second, error_word} == f_message);             // 5 message
            if (f_sent) assert (f_message[64] ? !error_valid : error_valid && error_second);         // 5 message
            if (f_halted) assert (error_valid && !error_second);                                     // 5 message
            if (f_answer) assert (ended_q[f_queue] == f_right && waiting_q[f_queue] == !f_right);    // 6 answer
            if (f_took) assert (own_q || pointer_q || pause_q == f_pause);                           // 7 interval
            if (f_began && timer_q[f_queue]) assert (deadline_q[f_queue*33 +: 33] == f_end);         // 7 interval
            if (f_forgot) assert (!once_q[f_queue]);                                                 // 7 interval
            if (f_open && !f_loads)
                assert (access_valid && {access_write, access_queue, access_dword, access_data}
                        == f_access);  // 8 access
            if (f_started) assert (access_valid && !access_write && access_dword == f_named_addr[7:2] &&
                                   access_queue == f_named_addr[8 +: Q]);                            // 8 access
            cover (f_asked && f_polled);
            cover (f_reads && f_read && !f_shot);
            cover (f_halted);
            cover (f_asked && phase_q == POLL_WINDOW);
            cover (f_again);
        end
