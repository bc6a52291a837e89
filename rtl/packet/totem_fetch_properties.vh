// SPDX-License-Identifier: Apache-2.0
//
// Properties of totem_fetch, included at the end of the module. The numbers are those of docs/contract/fetch.md.

    initial assume (rst);
    reg         f_read_held = 1'b0, f_write_held = 1'b0, f_error_held = 1'b0, f_failed = 1'b0, f_mapped = 1'b0;
    reg  [63:0] f_error;
    reg         f_left = 1'b0, f_known = 1'b0;
    reg  [QUEUES-1:0] f_reporting, f_mover, f_answered;
    reg  [2:0]  f_go = 3'd0;  // go of a queue with its line 1, 2, 3 clocks ago, and nothing has ended its turn since
    wire        f_own     = load_valid && load_queue == (arbiter_go ? arbiter_selected : queue_q);
    wire        f_dropped = f_own && (load_kind == LOAD_PQ_BASE || load_kind == LOAD_RPTR
                                      || load_kind == LOAD_BUFFER_LEFT || load_kind == LOAD_RESUME
                                      || load_kind == LOAD_SKIP || load_kind == LOAD_MOVED);
    wire        f_ends    = packet_left || packet_commit || f_dropped;
    wire [6:0]  f_have    = have_q[queue_q*7 +: 7];
    wire [1:0]  f_fault   = fault_q[queue_q*2 +: 2];
    reg  [41:0] f_read;
    reg  [63:0] f_write;
    wire        f_beat    = data_valid && burst_count_q != 2'd0;
    wire        f_ended   = burst_dwords_q[5:0] <= (burst_index_q[0] ? 6'd1 : 6'd2);
    wire        f_reports = report_addr_q[queue_q*38 +: 38] != 38'd0 && !quiet_q[queue_q];
    // Of the running queue: dwords of it are on their way; the position of the first that is not on chip.
    wire        f_coming  = (land_valid_q && land_queue_q == queue_q && land_count_q != 2'd0)
                            || (burst_live_q[0] && burst_queue_q[0 +: Q] == queue_q && burst_dwords_q[5:0] != 6'd0)
                            || (burst_live_q[1] && burst_queue_q[Q +: Q] == queue_q && burst_dwords_q[11:6] != 6'd0);
    wire [32:0] f_ring    = 33'd2 << size_q[queue_q*5 +: 5];
    wire [31:0] f_place   = (rptr_q[queue_q*32 +: 32] + {16'd0, f_bound}) & (f_ring[31:0] - 32'd1);
    wire [37:0] f_missing = buffer_q[queue_q] ? buffer_addr_q[queue_q*38 +: 38] + {22'd0, f_bound}
                                              : {base_q[queue_q*32 +: 32], 6'd0} + {6'd0, f_place};

    wire [15:0] f_bound = {1'b0, slid_q} + {9'd0, f_have};
    generate
        for (g = 0; g < QUEUES; g = g + 1) begin : f_lines
            always @*
                if (!rst && (fault_q[g*2 +: 2] != MEMORY_OK
                             || (land_valid_q && land_queue_q == g[Q-1:0] && land_error_q != MEMORY_OK))) begin
                    assert (!(burst_live_q[0] && burst_queue_q[0 +: Q] == g[Q-1:0])
                            && !(burst_live_q[1] && burst_queue_q[Q +: Q] == g[Q-1:0]));             // 6 fault
                    if (land_valid_q && land_queue_q == g[Q-1:0]) assert (fault_q[g*2 +: 2] == MEMORY_OK);  // 6 fault
                end
        end
    endgenerate

    always @* begin
        assume (!(arbiter_go && running_q));                                                         // A2 go
        assume (given_q < 15'd16392);                                                                // A3 size
        assume (!(packet_commit && packet_drop) || slid_q == 15'd0);                                 // A1 drop
        if (f_beat && data_error == MEMORY_OK) assume (data_last == f_ended);                             // A4 beats
        if (f_beat && f_ended) assume (data_last);                                                   // A4 beats
        assume (!(data_valid && burst_count_q == 2'd0));                                             // A4 beats
        assume (!(data_valid && burst_count_q == 2'd1 && read_valid_q));                             // A4 beats
    end

    always @(posedge clk) begin
        f_go         <= {f_go[1:0], arbiter_go && line[arbiter_selected]
                                    && have_q[arbiter_selected*7 +: 7] <= 7'd64} & {3{!rst && !f_ends}};
        f_read_held  <= !rst && read_valid_q && !read_ready;
        f_write_held <= !rst && write_valid && !write_ready;
        f_error_held <= !rst && error_valid && !events_error_ready;
        f_error      <= error_word;
        f_failed     <= !rst && report_state_q == REPORT_ANSWER && write_ack && ack_error != MEMORY_OK;
        // Mapped all the time since the report under way was begun.
        f_mapped     <= !rst && (report_state_q == REPORT_NONE ? arbiter_active[report_queue_d] : f_mapped)
                        && !(load_valid && load_kind == LOAD_ACTIVE && load_queue == report_queue_d);
        f_read       <= {read_addr_q, read_beats_q};
        f_known      <= !rst;
        f_reporting  <= reporting;
        f_mover      <= {{QUEUES-1{1'b0}}, running_q && (packet_commit || packet_left)} << queue_q;
        f_answered   <= ({{QUEUES-1{1'b0}}, (report_state_q == REPORT_ANSWER && write_ack && ack_error == MEMORY_OK)
                                            || (report_state_q == REPORT_WORD && events_error_ready)} << report_queue_q)
                        | ({{QUEUES-1{1'b0}}, load_valid && load_kind == LOAD_REPORT_ADDR} << load_queue);
        f_left       <= !rst && packet_left && running_q && f_reports
                        && !(load_valid && load_kind == LOAD_REPORT_ADDR && load_queue == queue_q);
        f_write      <= write_word;
    end

    always @*
        if (!rst) begin
            if (read_valid_q) begin
                assert (read_beats_q >= 5'd1 && {2'd0, read_addr_q[3:0]} + {1'b0, read_beats_q} <= 6'd16);  // 1 burst
                assert (burst_count_q != 2'd0);                                                      // 1 burst
            end
            if (f_read_held) assert (read_valid_q && f_read == {read_addr_q, read_beats_q});         // 1 burst
            if (f_write_held) assert (write_valid && f_write == write_word);                         // 5 report
            if (f_error_held) assert (error_valid && f_error == error_word);                         // 5 report
            if (f_failed)
                assert (error_valid && error_word[39:0] == {report_to_q, 2'b00}
                        && error_word[63:56]
                                == `TOTEM_ERROR_MEMORY_WRITE_SLVERR - 8'd1 + {6'd0, report_error_q});  // 5 report
            assert (report_state_q <= REPORT_WORD);                                                  // 5 report
            if (report_state_q != REPORT_NONE && report_state_q <= REPORT_ANSWER)
                assert (report_live_q == f_mapped);  // 5 report
            if (halt) assert (f_failed);                                                             // 5 report
            if (f_left) assert (|(reporting & f_mover));                                             // 5 report
            if (f_known) assert ((reporting & ~f_reporting & ~f_mover) == 0);                        // 5 report
            if (f_known) assert ((f_reporting & ~reporting & ~f_answered) == 0);                     // 5 report
            assert (burst_count_q <= 2'd2);                                                          // 2 bursts
            assert (!burst_live_q[0] || burst_count_q != 2'd0);                                      // 2 bursts
            assert (!burst_live_q[1] || burst_count_q == 2'd2);                                      // 2 bursts
            assert ({1'b0, out_count_q} + {2'd0, reading_q} <= 3'd3);                                // 3 buffer
            assert (slid_q <= given_q);                                                              // 3 buffer
            if (!running_q) assert (given_q == 15'd0 && out_count_q == 2'd0 && !reading_q);          // 3 buffer
            if (burst_count_q != 2'd0) assert (burst_dwords_q[5:0] <= 6'd32);                        // 2 bursts
            if (burst_count_q == 2'd2) assert (burst_dwords_q[11:6] <= 6'd32);                       // 2 bursts
            if (land_valid_q) assert (land_count_q <= ((land_error_q == MEMORY_OK) ? 2'd2 : 2'd0));  // 2 bursts
            if (running_q) begin
                if (dword_valid && dword_error != MEMORY_OK)
                    assert (f_fault != MEMORY_OK && {1'b0, given_q} >= f_bound);  // 6 fault
                if (out_count_q >= 2'd2 && out_error_q[3:2] != MEMORY_OK)
                    assert (f_fault != MEMORY_OK && {1'b0, given_q} + 16'd1 >= f_bound);             // 6 fault
                if (out_count_q == 2'd3 && out_error_q[5:4] != MEMORY_OK)
                    assert (f_fault != MEMORY_OK && {1'b0, given_q} + 16'd2 >= f_bound);             // 6 fault
                if (reading_q && reading_error_q != MEMORY_OK)
                    assert (f_fault != MEMORY_OK && {1'b0, given_q} + {14'd0, out_count_q} >= f_bound);  // 6 fault
                if (f_fault != MEMORY_OK) assert (!f_coming && fault_position == {f_missing, 2'b00});  // 6 fault
            end
            if (f_go != 3'd0)
                assert (running_q && given_q == 15'd0 && slid_q == 15'd0 && f_have <= 7'd70
                    && (f_have != 7'd0 || f_fault != MEMORY_OK));                                    // 4 first
            if (f_go[0]) assert (f_go == 3'd1 && out_count_q == 2'd0 && !reading_q && f_have <= 7'd66);  // 4 first
            if (f_go[1]) assert (f_go == 3'd2 && out_count_q == 2'd0 && reading_q && f_have <= 7'd68);  // 4 first
            if (f_go[2]) assert (f_go == 3'd4 && dword_valid);                                       // 4 first
        end
