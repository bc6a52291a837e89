// SPDX-License-Identifier: Apache-2.0
//
// Properties of totem_bell, included at the end of the module. The numbers are those of docs/contract/bell.md.

    // Flags of all words and the whole queue are followed, so the sizes are small; no rule depends on them. Of the
    // write pointers that of one entry, any, is.
    // Larger sizes than these Yosys would not even read.
    generate
    if (RUN_QUEUES <= 32) begin : judged
    initial assume (rst);
    (* anyconst *) wire [A-1:0] f_pick;

    // What the RAMs hold.
    reg [RUN_QUEUES*3-1:0] f_flags;             // {known, pending, queued} of every word
    reg [RUN_QUEUES*A-1:0] f_queue;
    reg [31:0]             f_pointer;           // write pointer of the picked word
    reg [2:0]              f_flags_read;
    reg [31:0]             f_pointer_read;
    reg                    f_pick_read = 1'b0;  // the word last read is the picked one
    reg [A-1:0]            f_queue_read;

    // The picked entry, as the ports say it.
    reg                    f_listed = 1'b0, f_rung = 1'b0;
    reg                    f_told = 1'b0;       // an event of it has been taken since it rang
    reg [31:0]             f_wptr = 32'd0;

    reg                    f_past = 1'b0;       // there was a clock before, without reset:
    reg                    f_host, f_write, f_order, f_event;
    reg [A-1:0]            f_host_entry, f_order_entry, f_event_was;
    reg [3:0]              f_strobe;
    reg [31:0]             f_host_data, f_order_data;
    reg [1:0]              f_op;
    reg [4:0]              f_host_waits, f_order_waits, f_event_waits;  // clocks without an answer
    reg [A:0]              f_sweep;             // clocks of the sweep

    wire         f_host_mine  = host_done && host_request_entry == f_pick;
    wire         f_order_mine = order_done && order_entry == f_pick;
    wire         f_doorbell   = f_host_mine && host_request_write && host_error == 5'd0;
    wire         f_clears     = f_order_mine && (order_op == BELL_DROP || order_op == BELL_TAKE);
    wire         f_sweeps     = phase_q == BELL_SWEEP;
    wire         f_job        = phase_q == BELL_READ || phase_q == BELL_LOOK || phase_q == BELL_WRITE;
    wire         f_popped     = source_q == BELL_EVENT && f_job;
    wire         f_pops       = phase_q == BELL_POP || phase_q == BELL_NAME;
    wire         f_looks      = f_popped && phase_q == BELL_WRITE;
    wire         f_due        = f_pops || f_popped || (head_q != tail_q && !event_valid);
    wire [31:0]  f_mask       = {{8{host_request_strobe[3]}}, {8{host_request_strobe[2]}},
                                 {8{host_request_strobe[1]}}, {8{host_request_strobe[0]}}};
    wire [2:0]   f_pick_flags = f_flags[f_pick*3 +: 3];
    wire [2:0]   f_word       = f_flags[entry_q*3 +: 3];    // as it was when the job began
    wire         f_rings      = host_request_write && f_word[2];
    wire [31:0]  f_merged     = (host_request_data & f_mask) | (f_wptr & ~f_mask);
    wire         f_sets       = order_op == BELL_LIST || order_op == BELL_DROP;
    wire [31:0]  f_set        = order_op == BELL_LIST ? order_data : 32'd0;

    integer e;
    reg [RUN_QUEUES-1:0]   f_stands;            // entries that stand in the queue
    reg [A:0]              f_number, f_length;
    reg [A-1:0]            f_one, f_place;
    reg [4:0]              f_left, f_host_left, f_order_left, f_event_left;

    always @* begin
        assume (word_read_data[34:32] == f_flags_read);                                      // A2 words
        if (f_pick_read) assume (word_read_data[31:0] == f_pointer_read);                    // A2 words
        assume (queue_read_data == f_queue_read);                                            // A3 queue
        if (f_past && f_host)
            assume (host_bell_valid && host_request_write == f_write && host_request_entry == f_host_entry &&
                    host_request_strobe == f_strobe && host_request_data == f_host_data);    // A1 held
        if (f_past && f_order)
            assume (order_valid && order_op == f_op && order_entry == f_order_entry &&
                    order_data == f_order_data);                                             // A1 held
    end

    always @(posedge clk) begin
        if (word_write_enable) begin
            f_flags[word_write_addr*3 +: 3] <= word_write_data[34:32];
            if (word_write_addr == f_pick) f_pointer <= word_write_data[31:0];
        end
        if (word_read_enable) begin
            f_flags_read   <= f_flags[word_read_addr*3 +: 3];
            f_pointer_read <= f_pointer;
            f_pick_read    <= word_read_addr == f_pick;
        end
        if (queue_write_enable) f_queue[queue_write_addr*A +: A] <= queue_write_data;
        if (queue_read_enable)  f_queue_read <= f_queue[queue_read_addr*A +: A];

        if (event_valid && event_take && event_entry == f_pick) f_told <= 1'b1;
        if (f_doorbell) begin
            f_rung <= 1'b1;
            f_wptr <= f_merged;
            if (!f_rung) f_told <= 1'b0;
        end
        if (f_clears) f_rung <= 1'b0;
        if (f_order_mine && f_sets) begin
            f_listed <= order_op == BELL_LIST;
            if (order_op == BELL_DROP || !f_rung) f_wptr <= f_set;
        end

        f_past        <= !rst;
        f_host        <= host_bell_valid && !host_done;
        f_write       <= host_request_write;
        f_host_entry  <= host_request_entry;
        f_strobe      <= host_request_strobe;
        f_host_data   <= host_request_data;
        f_order       <= order_valid && !order_done;
        f_op          <= order_op;
        f_order_entry <= order_entry;
        f_order_data  <= order_data;
        f_event       <= event_valid && !event_take;
        f_event_was   <= event_entry;
        f_host_waits  <= host_bell_valid && !host_done && !f_sweeps ? f_host_waits + 5'd1 : 5'd0;
        f_order_waits <= order_valid && !order_done && !f_sweeps ? f_order_waits + 5'd1 : 5'd0;
        f_event_waits <= f_due && !f_looks ? f_event_waits + 5'd1 : 5'd0;
        f_sweep       <= f_sweep + {{A{1'b0}}, f_sweeps};
        if (rst) begin
            f_listed      <= 1'b0;
            f_rung        <= 1'b0;
            f_wptr        <= 32'd0;
            f_host_waits  <= 5'd0;
            f_order_waits <= 5'd0;
            f_event_waits <= 5'd0;
            f_sweep       <= {A+1{1'b0}};
        end
    end

    always @*
        if (!rst) begin
            if (f_order_mine) begin
                assert (order_pending == f_rung);                                            // 1 kept
                if (order_op == BELL_TAKE || order_op == BELL_PEEK)
                    assert (order_known == f_listed && order_wptr == f_wptr);                // 1 kept
            end
            if (f_host_mine) begin
                assert (host_error == (host_request_write && !f_listed ?
                                       DOORBELL_UNMAPPED[4:0] : 5'd0));                      // 4 refused
                if (!host_request_write) assert (host_rdata == f_wptr);                      // 1 kept
            end
            if (!f_listed) assert (!f_rung && f_wptr == 32'd0);                              // 5 unknown
            if (!f_sweeps || f_pick < entry_q)
                assert (f_pick_flags[2] == f_listed && f_pick_flags[1] == f_rung &&
                        f_pointer == f_wptr);                                                // 4 refused
            assert (!(word_read_enable && word_write_enable) &&
                    !(queue_read_enable && queue_write_enable));                             // 6 apart

            assert (f_host_waits <= 5'd13 && f_order_waits <= 5'd13 && f_event_waits <= 5'd13);  // 7 clocks
            assert (f_sweeps == !f_sweep[A]);                                                // 7 clocks
            if (f_sweeps) assert (!host_done && !order_done && !event_valid);                // 7 clocks
            if (f_past) begin
                if (f_event) assert (event_valid && event_entry == f_event_was);             // 8 shown
                if (event_valid && !f_event && event_entry == f_pick) assert (f_rung);       // 8 shown
            end

            // Behind the sweep: where every entry of the queue stands.
            f_length = tail_q - head_q;
            f_stands = {RUN_QUEUES{1'b0}};
            for (e = 0; e < RUN_QUEUES; e = e + 1) begin
                f_one   = f_queue[e*A +: A];
                f_place = e - head_q[A-1:0];
                if ({1'b0, f_place} < f_length) begin
                    assert (!f_stands[f_one]);                                               // 3 once
                    f_stands[f_one] = 1'b1;
                end
            end
            assert (!(queue_write_enable && f_length[A]));                                   // 3 once
            if (f_rung && !f_sweeps)
                assert (f_told || f_stands[f_pick] || (f_popped && entry_q == f_pick) ||
                        (event_valid && event_entry == f_pick));                             // 2 announced

            // helpers
            f_number = {A+1{1'b0}};
            for (e = 0; e < RUN_QUEUES; e = e + 1) begin
                if (!f_sweeps) begin
                    assert (f_stands[e] == (f_flags[e*3] && !(f_popped && entry_q == e)));
                    if (f_flags[e*3 + 1]) assert (f_flags[e*3 + 2]);
                end else if (e < entry_q) assert (f_flags[e*3 +: 3] == 3'd0);
                f_number = f_number + {{A{1'b0}}, f_stands[e]};
            end
            assert (f_length == f_number && f_number <= RUN_QUEUES);
            assert (phase_q <= BELL_WRITE && source_q <= BELL_EVENT);
            if (f_sweeps)
                assert (entry_q == f_sweep[A-1:0] && !f_listed && word_write_data == 35'd0 && head_q == tail_q);

            // The job.
            if (f_job && source_q == BELL_HOST) assert (f_past && f_host && entry_q == f_host_entry);
            if (f_job && source_q == BELL_ORDER) assert (f_past && f_order && entry_q == f_order_entry);
            if (f_pops) assert (source_q == BELL_EVENT && head_q != tail_q);
            if (f_pops || (f_popped && !f_looks)) assert (!event_valid);
            if (phase_q == BELL_NAME) assert (f_queue_read == f_queue[head_q[A-1:0]*A +: A]);
            if (phase_q == BELL_LOOK)
                assert (f_flags_read == f_word && f_pick_read == (entry_q == f_pick) &&
                        (!f_pick_read || f_pointer_read == f_pointer));
            if (phase_q == BELL_WRITE) begin
                assert (rung_q == f_word[1]);
                case (source_q)
                    BELL_HOST:  assert (known_q == f_word[2] && pending_q == (f_word[1] || f_rings) &&
                                        queued_q == (f_word[0] || (f_rings && !f_word[1])) &&
                                        announces_q == (f_rings && f_word[1:0] == 2'd0) &&
                                        refused_q == (host_request_write && !f_word[2]));
                    BELL_ORDER: assert (known_q == (f_sets ? order_op == BELL_LIST : f_word[2]) &&
                                        pending_q == (order_op != BELL_DROP && order_op != BELL_TAKE && f_word[1]) &&
                                        queued_q == f_word[0] && !announces_q);
                    default:    assert (known_q == f_word[2] && pending_q == f_word[1] && !queued_q && !announces_q &&
                                        event_valid == f_word[1] && (!event_valid || event_entry == entry_q));
                endcase
                if (entry_q == f_pick)
                    assert (wptr_q == (source_q == BELL_HOST && f_rings ? f_merged :
                                       source_q == BELL_ORDER && f_sets && !(order_op == BELL_LIST && f_rung) ?
                                       f_set : f_wptr));
            end

            // Clocks until the end of the job, and until it is the turn of each.
            case (phase_q)
                BELL_POP:  f_left = 5'd4;
                BELL_NAME: f_left = 5'd3;
                BELL_READ: f_left = 5'd2;
                BELL_LOOK: f_left = 5'd1;
                default:   f_left = 5'd0;
            endcase
            f_host_left  = f_left;
            f_order_left = f_left;
            f_event_left = f_left;
            if (phase_q == BELL_REST) begin
                f_host_left  = source_q == BELL_HOST ? 5'd13 : source_q == BELL_ORDER ? 5'd9 : 5'd3;
                f_order_left = source_q == BELL_HOST ? 5'd3 : source_q == BELL_ORDER ? 5'd13 : 5'd7;
                f_event_left = source_q == BELL_HOST ? 5'd9 : source_q == BELL_ORDER ? 5'd5 : 5'd13;
            end else begin
                if (source_q != BELL_HOST)  f_host_left  = f_left + (source_q == BELL_ORDER ? 5'd10 : 5'd4);
                if (source_q != BELL_ORDER) f_order_left = f_left + (source_q == BELL_HOST ? 5'd4 : 5'd8);
                if (source_q != BELL_EVENT) f_event_left = f_left + (source_q == BELL_HOST ? 5'd10 : 5'd6);
            end
            if (f_sweeps) assert (source_q == BELL_HOST && f_host_waits == 5'd0 && f_order_waits == 5'd0);
            else begin
                if (host_bell_valid) assert (f_host_waits + f_host_left <= 5'd13);
                if (order_valid)     assert (f_order_waits + f_order_left <= 5'd13);
                if (f_due)           assert (f_event_waits + f_event_left <= 5'd13);
            end
        end

    always @(posedge clk)
        if (!rst) begin
            cover (host_done && host_error != 5'd0);
            cover (event_valid && event_take);
            cover (f_looks && !event_valid);
            cover (order_done && order_op == BELL_TAKE && order_pending);
        end
    end
    endgenerate
