// SPDX-License-Identifier: Apache-2.0
//
// Properties of totem_frame, included at the end of the module. The numbers are those of docs/contract/frame.md.

    initial assume (rst);
    // The frame that arrives, followed by its bytes as they come.
    reg        f_good = 1'b0;           // since its first flag: no broken byte, and bridge was not busy at a byte
    reg        f_open = 1'b0;           // an escape is open
    reg [8:0]  f_bytes = 9'd0;          // unstuffed bytes, at most 300
    reg        f_some = 1'b0;           // anything but flags has come, and it was not dropped yet
    reg        f_end = 1'b0;            // a good frame has ended in the clock before
    reg [6:0]  f_words = 7'd0;
    reg        f_lost = 1'b0;           // a frame was lost in the clock before
    reg [15:0] f_dropped = 16'd0;       // dropped, in the clock before
    reg        f_busy = 1'b0;
    reg        f_came = 1'b0;           // a byte in the clock before
    reg [6:0]  f_place = 7'd0;          // number of the word that this byte has ended
    reg        f_ended = 1'b0;          // it has ended one
    wire       f_is_flag = uart_byte_data == 8'h7e;
    wire       f_fails   = f_some && (!f_good || f_open || f_bytes < 9'd12 || f_bytes > 9'd268 || f_bytes % 9'd4 != 9'd0
                                             || check_q != 32'hdebb20e3 || bridge_busy);
    // The answer that is sent.
    reg        f_known = 1'b0;          // there is a clock before
    reg        f_offer = 1'b0, f_send = 1'b0;
    reg [31:0] f_data;
    reg        f_last;
    reg [7:0]  f_byte;
    reg        f_within = 1'b0;         // the first flag has been given, the last has not
    wire       f_new  = send_valid_d && !send_valid_q;      // a byte is made
    wire       f_outer = phase_q == FRAME_IDLE || phase_q == FRAME_CLOSE;

    always @(posedge clk) begin
        f_known   <= 1'b1;
        f_end     <= 1'b0;
        f_lost    <= 1'b0;
        f_busy    <= bridge_busy;
        f_came    <= uart_byte_valid || uart_byte_broken;
        f_dropped <= dropped_q;
        f_ended   <= 1'b0;
        if (uart_byte_broken) begin
            f_good <= 1'b0;
            f_some <= 1'b0;
            f_lost <= f_good;
        end else if (uart_byte_valid && f_is_flag) begin
            f_good  <= 1'b1;
            f_some  <= 1'b0;
            f_open  <= 1'b0;
            f_bytes <= 9'd0;
            f_end   <= f_some && !f_fails;
            f_words <= f_bytes[8:2] - 7'd1;
            f_lost  <= f_fails;
        end else if (uart_byte_valid && f_good) begin
            f_some <= 1'b1;
            if (bridge_busy || f_bytes == 9'd268) begin
                f_good <= 1'b0;
                f_some <= 1'b0;
                f_lost <= 1'b1;
            end else if (uart_byte_data == 8'h7d && !f_open)
                f_open <= 1'b1;
            else begin
                f_open  <= 1'b0;
                f_bytes <= f_bytes + 9'd1;
                f_ended <= f_bytes % 9'd4 == 9'd3;
                f_place <= f_bytes[8:2];
            end
        end
        if (rst) begin
            f_good    <= 1'b0;
            f_some    <= 1'b0;
            f_open    <= 1'b0;
            f_bytes   <= 9'd0;
            f_end     <= 1'b0;
            f_lost    <= 1'b0;
            f_ended   <= 1'b0;
            f_dropped <= 16'd0;
            f_came    <= 1'b0;
        end

        f_offer <= !rst && bridge_answer_valid && !answer_ready;
        f_data  <= bridge_answer_data;
        f_last  <= bridge_answer_last;
        f_send  <= !rst && send_valid && !uart_ready;
        f_byte  <= send_data;
        if (f_new)
            f_within <= phase_q != FRAME_CLOSE;
        if (rst)
            f_within <= 1'b0;

        if (f_offer)
            assume (bridge_answer_valid && bridge_answer_data == f_data && bridge_answer_last == f_last);   // A1 answer
        assume (!(uart_byte_valid && uart_byte_broken));                                        // A2 byte
        if (f_came) assume (!uart_byte_valid && !uart_byte_broken);                             // A2 byte
        if (!rst) begin
            assert (length_q <= 9'd268);                                                        // 1 limit
            if (head_valid)
                assert (f_ended && f_place < 7'd2 && head_second == (f_place == 7'd1));         // 1 limit
            if (request_write_enable)
                assert (f_ended && f_place >= 7'd2 && f_place <= 7'd65 &&
                        {1'b0, request_write_addr} + 7'd2 == f_place);                          // 1 limit
            assert (end_valid == f_end);                                                        // 2 right
            if (end_valid) assert (end_words == f_words && end_words >= 7'd2 && end_words <= 7'd66);    // 2 right
            if (head_valid || request_write_enable) assert (!f_busy);                           // 3 kept
            if (f_send) assert (send_valid && send_data == f_byte);                             // 4 offer
            if (f_new) assert ((send_data_d == 8'h7e) == f_outer);                              // 5 stuffing
            assert (f_within == !(phase_q == FRAME_IDLE));                                      // 5 stuffing
            if (f_known) assert (dropped_q == f_dropped + {15'd0, f_lost && f_dropped != 16'hffff});    // 6 count

            // helpers
            assert (f_good == !hunting_q);
            if (f_good) assert (f_bytes == length_q && f_open == escaped_q && f_some == (f_open || f_bytes != 9'd0));
            if (!f_good) assert (!f_some);
            assert (f_bytes <= 9'd268);
            assert (phase_q <= FRAME_CLOSE);
            if (phase_q == FRAME_IDLE || phase_q == FRAME_WORD || phase_q == FRAME_CLOSE) assert (!send_changed_q);
            if (send_changed_q) assert (send_word_q[7:0] == 8'h7e || send_word_q[7:0] == 8'h7d);

            cover (head_valid && head_second);
            cover (dropped_q == 16'd2);
            cover (send_valid && send_data == 8'h7d);
            cover (phase_q == FRAME_CLOSE && send_valid);
        end
    end
