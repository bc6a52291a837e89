// SPDX-License-Identifier: Apache-2.0
//
// Properties of totem_uart, included at the end of the module. The numbers are those of docs/contract/uart.md.

    initial assume (rst);
    reg [15:0] f_divide;
    reg        f_known = 1'b0;          // there is a clock before
    reg        f_told = 1'b0;           // a byte, or a broken one, was told in it
    reg        f_sending = 1'b0;        // a byte is on the line to the host
    reg [3:0]  f_bit = 4'd0;            // its bit: 0 start bit, 9 stop bit
    reg [15:0] f_clocks = 16'd0;        // for which that bit has been on the line
    reg [7:0]  f_byte = 8'd0;

    always @(posedge clk) begin
        f_known  <= 1'b1;
        f_divide <= divide;
        f_told   <= !rst && (byte_valid || byte_broken);
        if (ready) begin
            f_sending <= frame_send_valid;
            f_bit     <= 4'd0;
            f_clocks  <= 16'd1;
            f_byte    <= frame_send_data;
        end else if (f_clocks == divide) begin
            f_sending <= f_bit != 4'd9;
            f_bit     <= f_bit + 4'd1;
            f_clocks  <= 16'd1;
        end else
            f_clocks  <= f_clocks + 16'd1;
        if (rst)
            f_sending <= 1'b0;

        assume (divide >= 16'd4);                                                               // A1 constant
        if (f_known) assume (divide == f_divide);                                               // A1 constant
        if (!rst) begin
            assert (!(byte_valid && byte_broken));                                              // 1 once
            if (f_told) assert (!byte_valid && !byte_broken);                                   // 1 once
            assert (bits_q <= 4'd10 && send_bits_q <= 4'd10);                                   // 2 idle
            if (ready) assert (txd);                                                            // 2 idle
            assert (ready == !f_sending);                                                       // 3 bit
            if (f_sending) begin
                assert (f_bit <= 4'd9 && f_clocks >= 16'd1 && f_clocks <= divide);              // 3 bit
                if (f_bit == 4'd0) assert (!txd);                                               // 4 stop
                else if (f_bit == 4'd9) assert (txd && send_bits_q == 4'd1);                    // 4 stop
                else assert (txd == f_byte[f_bit[2:0] - 3'd1]);                                 // 3 bit
            end

            // helpers
            if (f_sending) begin
                assert (send_bits_q == 4'd10 - f_bit && f_clocks + send_timer_q == divide);
                assert (send_shift_q == ({2'b11, f_byte, 1'b0} >> f_bit | (11'h7ff << (4'd10 - f_bit))) % 11'd1024);
            end else
                assert (send_shift_q == 10'h3ff);
            if (bits_q != 4'd0) assert (timer_q < divide);

            cover (byte_valid && byte_data == 8'h55);
            cover (byte_broken);
            cover (f_sending && f_bit == 4'd9);
        end
    end
