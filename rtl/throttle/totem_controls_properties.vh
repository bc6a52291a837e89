// SPDX-License-Identifier: Apache-2.0
//
// Properties of totem_controls, included at the end of the module. The numbers are those of docs/contract/controls.md.

    // Contract 1: fields of tenths are 0 to 9, the mode is 0, 1 or 2, bits without a field are 0.
    // Contract 2: the thresholds ascend from 1 to DEPTH, and change only where thresholds_valid says so.
    // Contract 3: an access is done in the next clock, and done is shown for nothing else. What is refused changes
    //             nothing.
    // Contract 4: cntl1 and cntl2 change by a write or a packet only. What the host wrote without an error stands, else
    //             what the highest front end wrote; a field that does not exist became the highest that does.
    // Contract 5: clamped counts the fields of all packets that do not exist, whoever has the last word.
    initial assume (rst);
    (* anyconst *) wire [1:0] f_front;      // a front end

    reg                   f_was = 1'b0;         // the clock before was not one of reset
    reg                   f_asked, f_write, f_mine, f_second, f_any;
    reg [7:0]             f_dword;
    reg [3:0]             f_strobe;
    reg [31:0]            f_data, f_packet, f_cntl1, f_cntl2, f_clamped;
    reg [10:0]            f_settings;
    reg [3*C-1:0]         f_thresholds;
    reg [3:0]             f_bad;        // fields that do not exist in the packets of the clock before
    reg [3:0]             f_sum;
    reg                   f_higher;
    integer               f_n;
    always @* begin
        f_sum    = 4'd0;
        f_higher = 1'b0;        // a higher front end writes the same register
        for (f_n = 0; f_n < FE_COUNT; f_n = f_n + 1) begin
            if (packet_valid[f_n])
                f_sum = f_sum + (packet_second[f_n] ? {3'd0, &packet_data[f_n*32 +: 2]} :
                                 {3'd0, packet_data[f_n*32+12 +: 4] >= 10}
                                 + {3'd0, packet_data[f_n*32+16 +: 4] >= 10});
            if (packet_valid[f_n] && packet_second[f_n] == packet_second[f_front] && f_n > f_front)
                f_higher = 1'b1;
        end
    end

    // The word of the host, and of the packet of f_front, as they have to be in force.
    wire [31:0] f_word = {f_strobe[3] ? f_data[31:24] : f_dword[0] ? f_cntl2[31:24] : f_cntl1[31:24],
                          f_strobe[2] ? f_data[23:16] : f_dword[0] ? f_cntl2[23:16] : f_cntl1[23:16],
                          f_strobe[1] ? f_data[15:8] : f_dword[0] ? f_cntl2[15:8] : f_cntl1[15:8],
                          f_strobe[0] ? f_data[7:0] : f_dword[0] ? f_cntl2[7:0] : f_cntl1[7:0]};
    wire        f_host1 = f_asked && f_write && f_dword == 8'd0 && host_error == 5'd0;
    wire        f_host2 = f_asked && f_write && f_dword == 8'd1 && host_error == 5'd0;
    wire [31:0] f_first = {f_packet[31:20], (f_packet[19:16] < 10) ? f_packet[19:16] : 4'd9,
                           (f_packet[15:12] < 10) ? f_packet[15:12] : 4'd9, f_packet[11:0]};
    wire [31:0] f_next  = {15'd0, f_packet[16:2], (f_packet[1:0] == 2'b11) ? 2'b10 : f_packet[1:0]};

    always @(posedge clk) begin
        f_was        <= !rst;
        f_asked      <= host_valid && !host_done;
        f_write      <= host_write;
        f_dword      <= host_dword;
        f_strobe     <= host_strobe;
        f_data       <= host_data;
        f_mine       <= packet_valid[f_front] && !f_higher;
        f_any        <= |packet_valid;
        f_second     <= packet_second[f_front];
        f_packet     <= packet_data[f_front*32 +: 32];
        f_cntl1      <= cntl1;
        f_cntl2      <= cntl2;
        f_settings   <= {thresholds_valid, ph_enable, spi_enable, b_hold, limit};
        f_thresholds <= thresholds;
        f_clamped    <= clamped_q;
        f_bad        <= f_sum;
    end

    always @* assume (f_front < FE_COUNT);

    always @*
        if (!rst) begin
            assert (cntl1[15:12] < 10 && cntl1[19:16] < 10 && cntl2[1:0] < 3 && cntl2[31:17] == 0);         // 1
            assert (thresholds[0 +: C] >= 1 && thresholds[0 +: C] < thresholds[C +: C] &&                   // 2
                    thresholds[C +: C] < thresholds[2*C +: C] && thresholds[2*C +: C] <= DEPTH);
            if (f_was) begin
                assert (host_done == f_asked);                                                              // 3
                assert (thresholds_valid == (f_asked && f_write && f_dword == 8'd4 && host_error == 5'd0)); // 2
                if (!thresholds_valid) assert (thresholds == f_thresholds);                                 // 2
                if (f_asked && host_error != 5'd0) begin                                                    // 3
                    assert ({ph_enable, spi_enable, b_hold, limit} == f_settings[9:0]);
                    if (!f_any) assert (cntl1 == f_cntl1 && cntl2 == f_cntl2);
                end
                if (f_host1) assert (cntl1 == f_word);                                                      // 4
                else if (f_mine && !f_second) assert (cntl1 == f_first);                                    // 4
                if (f_host2) assert (cntl2 == {15'd0, f_word[16:0]});                                       // 4
                else if (f_mine && f_second) assert (cntl2 == f_next);                                      // 4
                if (!f_any && !f_host1) assert (cntl1 == f_cntl1);                                          // 4
                if (!f_any && !f_host2) assert (cntl2 == f_cntl2);                                          // 4
                assert (clamped_q == f_clamped + {28'd0, f_bad});                                           // 5
            end else
                assert (!host_done && !thresholds_valid && cntl1 == 32'h12355123 && cntl2 == 32'h0001544D
                        && {ph_enable, spi_enable, b_hold, limit} == 10'd0 && clamped_q == 32'd0);
        end

    always @(posedge clk)
        if (!rst && f_was) begin
            cover (f_host1 && f_mine && !f_second && f_bad != 4'd0 && cntl1 == f_word);
            cover (f_mine && f_second && f_packet[1:0] == 2'd3);
            cover (thresholds_valid && thresholds != f_thresholds);
            cover (host_done && {3'd4, host_error} == VALUE);
            cover (host_done && {3'd4, host_error} == READ_ONLY);
        end
