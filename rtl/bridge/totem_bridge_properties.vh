// SPDX-License-Identifier: Apache-2.0
//
// Properties of totem_bridge, included at the end of the module. The numbers are those of docs/contract/bridge.md.

    initial assume (rst);
    reg         f_past = 1'b0;          // no reset in the clock before
    reg [207:0] f_board;                // constants of the board, in the clock before
    reg [4:0]   f_valids = 5'd0;        // valid of each target, in the clock before
    reg         f_done = 1'b0;          // its done
    reg         f_patient = 1'b0;       // it was waited for, and not the last clock
    reg [64:0]  f_request;
    reg         f_offer = 1'b0;         // an offer to frame was not taken
    reg [32:0]  f_answer;
    reg [6:0]   f_sent = 7'd0;          // words of the answer taken behind its head
    reg         f_again = 1'b0;         // the request came before
    reg [18:0]  f_before;               // what its answer says
    wire [4:0]  f_now   = {trace_valid, points_valid, control_valid, machine_valid, memory_valid};
    wire [4:0]  f_dones = {trace_done, signature_done, boot_control_done, boot_machine_done, store_done};
    wire        f_works = phase_q == BRIDGE_AIM || phase_q == BRIDGE_TAKE || phase_q == BRIDGE_ACCESS ||
                          phase_q == BRIDGE_STORE;
    wire        f_command = reads_q ? command_q == BRIDGE_READ : command_q == BRIDGE_WRITE;
    wire        f_sends = phase_q == BRIDGE_LOAD || phase_q == BRIDGE_COPY || phase_q == BRIDGE_SEND;
    wire [32:0] f_end   = {1'b0, address_q} + {23'd0, count_q - {1'b0, done_q}, 2'd0};      // behind the last word
    wire [32:0] f_most  = address_q[31:20] == 12'h100 ? 33'h0_1010_0000 :                   // where it has to end
                          address_q[31:20] != 12'h200 ? {1'b0, board_memory} :
                          address_q[19:16] == 4'd0 ? 33'h0_2000_0070 :
                          address_q[19:16] == 4'd1 ? 33'h0_2001_0000 + {13'd0, board_entries, 4'd0} :
                          address_q[19:16] == 4'd2 ? 33'h0_2002_0000 + {14'd0, board_points, 3'd0} :
                          address_q[19:16] == 4'd3 ? 33'h0_2003_0000 + {13'd0, board_records, 4'd0} :
                          address_q[19:16] == 4'd4 ? 33'h0_2004_0000 + {15'd0, board_folds, 2'd0} : 33'd0;

    always @(posedge clk) begin
        f_past    <= !rst;
        f_board   <= {board_config, board_memory, board_clock, board_entries, board_points, board_records, board_folds,
                      board_features, board_number[15:0]};
        f_valids  <= rst ? 5'd0 : f_now;
        f_done    <= |(f_now & f_dones);
        f_patient <= patience_q != 16'hffff;
        f_request <= {request_write, request_address, request_data};
        f_offer   <= !rst && answer_valid && !frame_answer_ready;
        f_answer  <= {answer_last, answer_data};
        if (phase_q == BRIDGE_CHECK)
            f_sent <= 7'd0;
        else if (answer_valid && frame_answer_ready && f_sends)
            f_sent <= f_sent + 7'd1;
        if (phase_q == BRIDGE_CHECK) begin
            f_again  <= request_sequence_q != 8'd0 && request_sequence_q == last_q;
            f_before <= {reads_q, status_q, done_q, last_q};
        end else if (phase_q == BRIDGE_IDLE)
            f_again <= 1'b0;
        if (rst) begin
            f_sent  <= 7'd0;
            f_again <= 1'b0;
        end
        assume (board_memory <= 32'h1000_0000 && board_memory[1:0] == 2'd0 && board_entries <= 16'd4096 &&
                board_points <= 16'd8192 && board_records <= 16'd4096 && board_folds <= 16'd16384); // A1 board
        if (f_past)
            assume (f_board == {board_config, board_memory, board_clock, board_entries, board_points, board_records,
                                board_folds, board_features, board_number[15:0]});            // A1 board
        if (!rst) begin
            assert (done_q <= 7'd64 && sent_q <= done_q);                                    // 1 bound
            if (f_works) assert ({1'b0, done_q} < count_q);                                  // 1 bound
            if (memory_valid) assert ({1'b0, address_q} + 33'd4 <= {1'b0, board_memory});    // 2 inside
            if (machine_valid) assert (address_q[31:20] == 12'h100);                         // 2 inside
            if (control_valid && address_q[19:16] != 4'd0)
                assert (address_q[31:16] == 16'h2001 && {1'b0, address_q[15:4]} < board_entries[12:0]); // 2 inside
            if (points_valid && address_q[19:16] != 4'd0)
                assert (address_q[31:16] == 16'h2002 ? {1'b0, address_q[15:3]} < board_points[13:0] :
                        address_q[31:16] == 16'h2004 && {1'b0, address_q[15:2]} < board_folds[14:0]); // 2 inside
            if (trace_valid && address_q[19:16] != 4'd0)
                assert (address_q[31:16] == 16'h2003 && {1'b0, address_q[15:4]} < board_records[12:0]); // 2 inside
            assert ((f_now & (f_now - 5'd1)) == 5'd0);                                       // 3 nothing
            if (f_works)
                assert (f_command &&
                        count_q != 8'd0 && count_q <= 8'd64 && address_q[1:0] == 2'd0 && f_end <= f_most &&
                        words_q == (reads_q ? 7'd2 : 7'd2 + count_q[6:0]) && !f_again);      // 3 nothing
            if (f_past && f_now != 5'd0 && f_valids != 5'd0)
                assert (f_now == f_valids && f_request == {request_write, request_address, request_data}); // 4 request
            if (f_past && f_valids != 5'd0 && !f_done && f_patient) assert (f_now == f_valids); // 4 request
            if (f_past && f_valids != 5'd0 && f_done) assert (f_now == 5'd0);                // 4 request
            if (f_past && f_offer)
                assert (answer_valid && f_answer == {answer_last, answer_data});             // 5 answer
            if (answer_valid)
                assert (answer_last == (f_sent + (f_sends ? 7'd1 : 7'd0) == (reads_q ? done_q : 7'd0))); // 5 answer
            if (f_again) assert (f_now == 5'd0 && !response_write_enable &&
                                 f_before == {reads_q, status_q, done_q, last_q});           // 6 again
            // helpers
            assert (phase_q <= BRIDGE_SEND && target_q <= BRIDGE_TO_TRACE);
            if (phase_q == BRIDGE_RANGE || f_works) assert (!f_again);
            if (phase_q == BRIDGE_RANGE)
                assert (done_q == 7'd0 && f_command &&
                        count_q != 8'd0 && count_q <= 8'd64 &&
                        words_q == (reads_q ? 7'd2 : 7'd2 + count_q[6:0]));
            if (phase_q == BRIDGE_RANGE || phase_q == BRIDGE_HEAD || f_works) assert (f_sent == 7'd0 && sent_q == 7'd0);
            if (f_sends) assert (f_sent == sent_q && sent_q < done_q && reads_q);
            if (phase_q == BRIDGE_STORE) assert (reads_q);
            if (phase_q == BRIDGE_TAKE) assert (!reads_q);
            if (phase_q == BRIDGE_TAKE || phase_q == BRIDGE_ACCESS) begin
                assert ((target_q == BRIDGE_TO_MACHINE) == (address_q[31:20] == 12'h100));
                assert ((target_q == BRIDGE_TO_MEMORY) == (address_q[31:20] != 12'h100 && address_q[31:20] != 12'h200));
                if (target_q == BRIDGE_TO_CONTROL) assert (address_q[19:16] != 4'd2 && address_q[19:16] != 4'd3);
                if (target_q == BRIDGE_TO_POINTS) assert (address_q[19:16] != 4'd1 && address_q[19:16] != 4'd3);
                if (target_q == BRIDGE_TO_TRACE) assert (address_q[19:16] == 4'd0 || address_q[19:16] == 4'd3);
            end
            cover (memory_valid && request_write && done_q == 7'd1);
            cover (answer_valid && answer_last && f_sends);
        end
    end
