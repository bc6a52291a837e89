// SPDX-License-Identifier: Apache-2.0
//
// Properties of totem_proxy, included at the end of the module. The numbers are those of docs/contract/proxy.md.

    initial assume (rst);
    reg        f_was = 1'b0;            // the clock before was not one of reset
    reg        f_open = 1'b0;           // an access was taken and is not answered
    reg        f_ended = 1'b0;          // the host has just ended it
    reg        f_write;                 // what was taken
    reg [17:0] f_address;
    reg [31:0] f_data;
    reg [4:0]  f_error;                 // what the host has answered
    reg [31:0] f_rdata;
    reg        f_offered, f_busy;       // one clock ago: an access was offered; words of a message were left
    reg        f_stood = 1'b0;          // a word was not taken
    reg [63:0] f_word;
    reg [1:0]  f_words = 2'd0;          // of the message that are not taken
    reg [63:0] f_first, f_second;       // those words
    reg [15:0] f_lost = 16'd0;

    wire f_end = f_open && host_proxy_done;
    wire f_bad = f_end && (|host_proxy_error || runlist_late);

    always @(posedge clk) begin
        f_was     <= !rst;
        f_open    <= f_open ? !host_proxy_done : runlist_valid && !f_ended;
        f_ended   <= f_end;
        f_offered <= runlist_valid && !f_open && !f_ended;
        if (!f_open && !f_ended && runlist_valid) begin
            f_write   <= runlist_write;
            f_address <= runlist_address;
            f_data    <= runlist_data;
        end
        if (f_end) begin
            f_error <= host_proxy_error;
            f_rdata <= host_proxy_rdata;
        end
        f_stood <= error_valid && !events_error_ready;
        f_word  <= error_word;
        f_busy  <= f_words != 2'd0;
        if (f_words != 2'd0 && events_error_ready) f_words <= f_words - 2'd1;
        if (f_bad && f_words == 2'd0) begin
            f_words  <= 2'd2;
            f_first  <= 64'd0;
            f_first[63:56]       <= host_proxy_error == 5'd0 ? 8'hE6 : 8'h80 + {3'd0, host_proxy_error};
            f_first[20 +: E]     <= runlist_entry;
            f_first[19:2]        <= f_address;
            f_second <= f_write ? {32'd0, f_data} : 64'd0;
        end
        if (f_bad && f_words != 2'd0 && f_lost != 16'hffff) f_lost <= f_lost + 16'd1;
        if (rst) begin
            f_open  <= 1'b0;
            f_ended <= 1'b0;
            f_stood <= 1'b0;
            f_words <= 2'd0;
            f_lost  <= 16'd0;
        end
    end

    always @*
        if (!rst) begin
            assert (done == f_ended && valid == f_open && !(done && valid));                 // 1 answered
            if (f_was && f_offered) assert (valid);                                          // 1 answered
            if (valid) assert (write == f_write && address == f_address && data == f_data);  // 2 same
            if (done) assert (error == f_error && rdata == f_rdata);                         // 2 same
            if (f_stood) assert (error_valid && error_word == f_word);                       // 3 steady
            assert (error_valid == (f_words != 2'd0));                                       // 4 told
            if (f_words == 2'd2) assert (error_word == f_first);                             // 4 told
            if (f_words == 2'd1) assert (error_word == f_second);                            // 4 told
            if (f_was && done && error != 5'd0 && !f_busy) assert (f_words == 2'd2);         // 4 told
            assert (lost == f_lost);                                                         // 4 told
            assert (phase_q <= PROXY_DONE && error_left_q <= 2'd2);                          // 5 held

            // helpers
            assert (error_left_q == f_words);
            if (f_words == 2'd2) assert ({32'd0, error_data_q} == f_second);
        end

    always @(posedge clk)
        if (!rst) begin
            cover (done && f_busy && lost == 16'd1);
            cover (done && error == 5'd0 && valid == 1'b0 && f_offered == 1'b0);
            cover (error_valid && f_words == 2'd1 && f_write);
        end
