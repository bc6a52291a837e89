// SPDX-License-Identifier: Apache-2.0
//
// Properties of totem_controls, included at the end of the module. The numbers are those of docs/contract/controls.md.

    initial assume (rst);
    (* anyconst *) wire [1:0] f_choice;
    wire [1:0]            f_front = (f_choice < FE_COUNT) ? f_choice : 2'd0;    // any front end

    (* anyconst *) wire [1:0] f_any_engine;
    wire [1:0]            f_engine = (f_any_engine < SE_COUNT) ? f_any_engine : 2'd0;    // any engine
    reg [74:0]            f_shown;              // what it showed in the clock before

    reg                   f_was = 1'b0;         // the clock before was not one of reset
    reg [1:0]             f_status;
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
    wire        f_host1 = f_asked && f_write && f_dword == `TOTEM_REG_CONTROLS_SPI_GS_THROTTLE_CNTL1
                          && host_error == 5'd0;
    wire        f_host2 = f_asked && f_write && f_dword == `TOTEM_REG_CONTROLS_SPI_GS_THROTTLE_CNTL2
                          && host_error == 5'd0;
    wire        f_host4 = f_asked && f_write && f_dword == `TOTEM_REG_CONTROLS_PH_THRESHOLDS && host_error == 5'd0;
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
        f_shown      <= {throttle_closed[f_engine*32 +: 32], throttle_dead[f_engine*10 +: 10],
                         throttle_stall_a[f_engine*11 +: 11], throttle_stall_b[f_engine*11 +: 11],
                         throttle_stall_c[f_engine*11 +: 11]};
        f_status     <= monitor_status[f_engine*2 +: 2];
        f_settings   <= {thresholds_valid, ph_enable, spi_enable, b_hold, limit};
        f_thresholds <= thresholds;
        f_clamped    <= clamped_q;
        f_bad        <= f_sum;
    end

    always @*
        if (!rst) begin
            assert (cntl1[15:12] < 10 && cntl1[19:16] < 10
                    && cntl2[1:0] <= SPI_MODE_ANY && cntl2[31:17] == 0);                            // 1 fields
            assert (thresholds[0 +: C] >= 1 && thresholds[0 +: C] < thresholds[C +: C] &&
                    thresholds[C +: C] < thresholds[2*C +: C] && thresholds[2*C +: C] <= DEPTH);    // 2 thresholds
            if (f_was) begin
                assert (thresholds_valid == f_host4);                                               // 2 thresholds
                if (!thresholds_valid) assert (thresholds == f_thresholds);                         // 2 thresholds
                assert (host_done == f_asked);                                                      // 3 access
                if (f_asked && host_error != 5'd0) begin
                    assert ({ph_enable, spi_enable, b_hold, limit} == f_settings[9:0]);             // 3 access
                    if (!f_any) assert (cntl1 == f_cntl1 && cntl2 == f_cntl2);                      // 3 access
                end
                if (f_host1) assert (cntl1 == f_word);                                              // 4 order
                else if (f_mine && !f_second) assert (cntl1 == f_first);                            // 4 order
                if (f_host2) assert (cntl2 == {15'd0, f_word[16:0]});                               // 4 order
                else if (f_mine && f_second) assert (cntl2 == f_next);                              // 4 order
                if (!f_any && !f_host1) assert (cntl1 == f_cntl1);                                  // 4 order
                if (!f_any && !f_host2) assert (cntl2 == f_cntl2);                                  // 4 order
                assert (clamped_q == f_clamped + {28'd0, f_bad});                                   // 5 clamped
                if (f_asked && f_dword[1:0] == f_engine)
                    case (f_dword[7:2])
                        6'd2: assert (host_rdata == f_shown[74:43]);                                // 6 shown
                        6'd3: assert (host_rdata == {22'd0, f_shown[42:33]});                       // 6 shown
                        6'd4: assert (host_rdata == {21'd0, f_shown[32:22]});                       // 6 shown
                        6'd5: assert (host_rdata == {21'd0, f_shown[21:11]});                       // 6 shown
                        6'd6: assert (host_rdata == {21'd0, f_shown[10:0]});                        // 6 shown
                        6'd7: assert (host_rdata == {30'd0, f_status});                             // 6 shown
                        default: ;
                    endcase
            end

            // helpers
            if (!f_was)
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
