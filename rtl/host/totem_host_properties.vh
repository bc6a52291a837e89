// SPDX-License-Identifier: Apache-2.0
//
// Properties of totem_host, included at the end of the module. The numbers are those of docs/contract/host.md.

    initial assume (rst);
    localparam ASKED = 2*PLACES + 2*FE_COUNT + 5*SE_COUNT + 4;
    reg [1:0]  f_aw = 2'd0, f_w = 2'd0, f_ar = 2'd0;    // taken, not answered
    reg        f_was = 1'b0;
    reg        f_b, f_b_error, f_r, f_r_error, f_both, f_contest, f_write, f_proxy, f_error;
    reg        f_no_b, f_no_r;                          // one clock ago: no response was valid
    reg [1:0]  f_left;
    reg [15:0] f_lost;
    reg [24:0] f_clocks;                                // in HOST_WAIT; stops at the top bit
    reg [31:0] f_r_data;
    reg [63:0] f_word;
    reg [1:0]  f_phase;
    wire [ASKED-1:0] f_ask  = {bell_valid, ledger_valid, submit_valid, controls_valid, events_valid,
                               pixel_stats_valid, geometry_stats_valid, graphics_stats_valid, stats_valid, wave_valid, graphics_valid, graphics_tally_valid,
                               tally_valid, graphics_hqd_valid, hqd_valid};
    wire [ASKED-1:0] f_done = {bell_done, ledger_done, submit_done, controls_done, events_done, pixel_stats_done,
                               geometry_stats_done, graphics_stats_done, stats_done, wave_done, graphics_done, graphics_tally_done,
                               tally_done, graphics_hqd_done, hqd_done};
    reg  [ASKED-1:0] f_open;
    wire [19:0] f_addr = {proxy_q ? proxy_addr_q : write_q ? aw_addr_q : ar_addr_q, 2'd0};
    wire        f_writes = proxy_q && proxy_writes_q || !proxy_q && write_q;
    wire        f_axi  = aw_valid_q && w_valid_q && !b_valid_q || ar_valid_q && !r_valid_q;     // can go
    reg  [PLACES-1:0]     f_hqd, f_tally;               // whose address it is
    reg  [SE_COUNT-1:0]   f_wave, f_stats, f_groups, f_geometry, f_pixel;
    reg  [FE_COUNT-1:0]   f_page, f_desk;
    wire                  f_events = f_addr >= 20'h01000 && f_addr < 20'h01200;
    wire                  f_controls = GRAPHICS != 0 && f_addr >= 20'h06000 && f_addr < 20'h06080;
    wire                  f_ledger = RUNLIST != 0 && f_addr >= 20'h08000 && f_addr < 20'h08200;
    wire                  f_rung = RUNLIST != 0 && f_addr >= 20'h40000 && f_addr < 20'h40000 + RUN_QUEUES*8;
    wire                  f_low  = f_rung && !f_addr[2];        // a doorbell, not its high half
    wire                  f_high = f_rung && f_addr[2] && phase_q == HOST_ROUTE;
    wire [ASKED-1:0] f_whose = {f_rung, f_ledger, f_desk, f_controls, f_events, f_pixel, f_geometry, f_groups, f_stats, f_wave, f_page,
                                f_tally, f_hqd};
    wire             f_hole  = phase_q == HOST_ROUTE && f_whose == 0 && f_addr > 20'h000ff;
    reg  [31:0] f_answer;
    reg  [4:0]  f_said;
    wire        f_late = phase_q == HOST_WAIT && f_wave != 0 && host_timeout_q != 24'd0 &&
                         f_clocks >= {1'b0, host_timeout_q} && (f_whose & f_done) == 0;
    wire        f_debt = phase_q == HOST_ROUTE && (f_wave & owing_q) != 0;
    wire [4:0]  f_code = f_hole ? CODE_HOLE[4:0] : f_late || f_debt ? CODE_TIME_OUT[4:0] : f_said;
    wire        f_ends = f_hole || f_late || f_debt || f_high ||
                         (phase_q == HOST_WAIT && (f_whose & f_done) != 0);              // with f_answer, f_code
    reg         f_past_ends = 1'b0, f_past_write, f_past_proxy;
    reg  [4:0]  f_past_code;
    reg  [31:0] f_past_answer;
    reg  [SE_COUNT-1:0] f_owes = {SE_COUNT{1'b0}};
    integer     k;
    always @* begin
        f_answer = ({32{f_events}} & events_rdata) | ({32{f_controls}} & controls_rdata)
                   | ({32{f_ledger}} & ledger_rdata) | ({32{f_low}} & bell_rdata);
        f_said   = ({5{f_events}} & events_error) | ({5{f_controls}} & controls_error)
                   | ({5{f_ledger}} & ledger_error) | ({5{f_low}} & bell_error);
        for (k = 0; k < PIPE_COUNT; k = k + 1) begin
            f_hqd[k]   = (f_addr >= 20'h10000 + k*4096 && f_addr < 20'h10000 + k*4096 + QUEUES*256)
                         || (f_addr >= 20'h04000 + k*32 && f_addr < 20'h04000 + k*32 + QUEUES*4);
            f_tally[k] = f_addr >= 20'h20000 + k*8192 && f_addr < 20'h20000 + k*8192 + QUEUES*1024;
            f_answer   = f_answer | ({32{f_hqd[k]}} & hqd_rdata[k*32 +: 32])
                         | {16'd0, {16{f_tally[k]}} & tally_rdata[k*16 +: 16]};
            f_said     = f_said | ({5{f_hqd[k]}} & hqd_error[k*5 +: 5]);
        end
        for (k = 0; k < FE_COUNT; k = k + 1) begin
            f_hqd[PIPE_COUNT+k]   = GRAPHICS != 0 && ((f_addr >= 20'h18000 + k*4096 && f_addr < 20'h18100 + k*4096)
                                                      || f_addr[19:2] == 18'h01040 + k);
            f_tally[PIPE_COUNT+k] = GRAPHICS != 0 && f_addr >= 20'h30000 + k*8192 && f_addr < 20'h30400 + k*8192;
            f_desk[k]             = TASKS != 0 && f_addr >= 20'h07000 + k*1024 && f_addr < 20'h07400 + k*1024;
            f_page[k]             = GRAPHICS != 0 && f_addr >= 20'h05000 + k*1024 && f_addr < 20'h05400 + k*1024;
            f_answer = f_answer | ({32{f_hqd[PIPE_COUNT+k]}} & graphics_hqd_rdata[k*32 +: 32])
                       | {16'd0, {16{f_tally[PIPE_COUNT+k]}} & graphics_tally_rdata[k*16 +: 16]}
                       | ({32{f_page[k]}} & graphics_rdata[k*32 +: 32])
                       | ({32{f_desk[k]}} & submit_rdata[k*32 +: 32]);
            f_said   = f_said | ({5{f_hqd[PIPE_COUNT+k]}} & graphics_hqd_error[k*5 +: 5])
                       | ({5{f_page[k]}} & graphics_error[k*5 +: 5])
                       | ({5{f_desk[k]}} & submit_error[k*5 +: 5]);
        end
        for (k = 0; k < SE_COUNT; k = k + 1) begin
            f_wave[k]  = f_addr >= 20'h02000 + k*1024 && f_addr < 20'h02400 + k*1024;
            f_stats[k] = f_addr >= 20'h03000 + k*1024 && f_addr < 20'h03000 + k*1024 + PIPE_COUNT*16;
            f_groups[k]   = GRAPHICS != 0 && f_addr >= 20'h03080 + k*1024 && f_addr < 20'h03080 + k*1024 + FE_COUNT*16;
            f_geometry[k] = GRAPHICS != 0 && f_addr >= 20'h030c0 + k*1024 && f_addr < 20'h030c0 + k*1024 + FE_COUNT*16;
            f_pixel[k]    = GRAPHICS != 0 && f_addr >= 20'h03100 + k*1024 && f_addr < 20'h03100 + k*1024 + FE_COUNT*16;
            f_answer   = f_answer | ({32{f_wave[k]}} & wave_rdata[k*32 +: 32])
                         | ({32{f_pixel[k]}} & pixel_stats_rdata[k*32 +: 32])
                         | ({32{f_stats[k]}} & stats_rdata[k*32 +: 32])
                         | ({32{f_groups[k]}} & graphics_stats_rdata[k*32 +: 32])
                         | ({32{f_geometry[k]}} & geometry_stats_rdata[k*32 +: 32]);
            f_said     = f_said | ({5{f_wave[k]}} & wave_error[k*5 +: 5]);
        end
    end

    always @(posedge clk) begin
        f_aw      <= f_aw + {1'b0, s_axil_awvalid && s_axil_awready} - {1'b0, s_axil_bvalid && s_axil_bready};
        f_w       <= f_w + {1'b0, s_axil_wvalid && s_axil_wready} - {1'b0, s_axil_bvalid && s_axil_bready};
        f_ar      <= f_ar + {1'b0, s_axil_arvalid && s_axil_arready} - {1'b0, s_axil_rvalid && s_axil_rready};
        f_was     <= !rst;
        f_b       <= b_valid_q && !s_axil_bready;
        f_b_error <= b_error_q;
        f_r       <= r_valid_q && !s_axil_rready;
        f_r_error <= r_error_q;
        f_r_data  <= r_data_q;
        f_no_b    <= !b_valid_q;
        f_no_r    <= !r_valid_q;
        f_contest <= phase_q == HOST_IDLE && f_axi && proxy_valid && !proxy_done;
        f_proxy   <= proxy_q;
        f_left    <= error_left_q;
        f_lost    <= lost_q;
        f_clocks  <= phase_q != HOST_WAIT ? 25'd1 : f_clocks[24] ? f_clocks : f_clocks + 25'd1;
        f_owes    <= (f_owes | (f_late ? f_wave : {SE_COUNT{1'b0}})) & ~wave_done;
        f_both    <= phase_q == HOST_IDLE && aw_valid_q && w_valid_q && !b_valid_q && ar_valid_q && !r_valid_q;
        f_write   <= write_q;
        f_open    <= f_ask & ~f_done & ~(f_late ? f_ask : {ASKED{1'b0}});
        f_error   <= error_valid && !events_error_ready;
        f_word    <= error_word;
        f_phase   <= phase_q;
        f_past_ends   <= !rst && f_ends;
        f_past_write  <= f_writes;
        f_past_proxy  <= proxy_q;
        f_past_code   <= f_code;
        f_past_answer <= (f_code != 5'd0) ? 32'd0 : f_answer;
        if (rst) begin
            f_owes <= {SE_COUNT{1'b0}};
            f_aw <= 2'd0;
            f_w  <= 2'd0;
            f_ar <= 2'd0;
        end

        if (!rst) begin
            assert (f_aw == {1'b0, aw_valid_q} + {1'b0, b_valid_q});                         // 1 answered
            assert (f_w == {1'b0, w_valid_q} + {1'b0, b_valid_q});                           // 1 answered
            assert (f_ar == {1'b0, ar_valid_q} + {1'b0, r_valid_q});                         // 1 answered
            if (f_was && f_b) assert (b_valid_q && b_error_q == f_b_error);                  // 2 steady
            if (f_was && f_r) assert (r_valid_q && r_error_q == f_r_error && r_data_q == f_r_data);  // 2 steady
            if (f_was && f_error) assert (error_valid && error_word == f_word);              // 2 steady
            assert ((f_ask & (f_ask - 1'b1)) == 0);                                          // 3 asked
            if (f_was) assert ((f_open & ~f_ask) == 0);                                      // 3 asked
            if (f_was && f_both && !proxy_q) assert (phase_q == HOST_ROUTE && write_q != f_write);   // 4 fair
            if (f_was && f_both && proxy_q) assert (phase_q == HOST_ROUTE && write_q == f_write);    // 4 fair
            if (f_was && f_contest) assert (phase_q == HOST_ROUTE && proxy_q != f_proxy);    // 4 fair
            if (f_was && f_phase == HOST_ROUTE)
                assert (phase_q == HOST_WAIT ||
                        (phase_q == HOST_IDLE && (proxy_q ? proxy_done : b_valid_q || r_valid_q)));  // 5 prompt
            assert (f_ask == ((phase_q == HOST_WAIT) ? f_whose : {ASKED{1'b0}}));            // 6 routed
            if (f_past_ends) assert (phase_q == HOST_IDLE);                                  // 6 routed
            if (f_past_ends && !f_past_proxy && f_past_write)
                assert (s_axil_bvalid && s_axil_bresp == {f_past_code != 5'd0, 1'b0});       // 6 routed
            if (f_past_ends && !f_past_proxy && !f_past_write)
                assert (s_axil_rvalid && s_axil_rresp == {f_past_code != 5'd0, 1'b0} &&
                        s_axil_rdata == f_past_answer);                                      // 6 routed
            if (f_past_ends && f_past_proxy)
                assert (proxy_done && proxy_error == f_past_code &&
                        proxy_rdata == (f_past_write ? 32'd0 : f_past_answer));              // 6 routed

            assert (phase_q <= HOST_WAIT);                                                   // 7 held
            assert (error_left_q <= 2'd2);                                                   // 7 held
            if (phase_q != HOST_IDLE && !proxy_q && write_q)
                assert (aw_valid_q && w_valid_q && !b_valid_q);                              // 7 held
            if (phase_q != HOST_IDLE && !proxy_q && !write_q) assert (ar_valid_q && !r_valid_q);  // 7 held
            if (phase_q == HOST_WAIT) assert (f_ask != 0);                                   // 7 held
            if (proxy_done) assert (phase_q == HOST_IDLE && proxy_q);                        // 8 proxied
            if (f_was)
                assert (proxy_done == (f_proxy && f_phase != HOST_IDLE && phase_q == HOST_IDLE));  // 8 proxied
            if (f_was && f_proxy && f_phase != HOST_IDLE)
                assert (!(b_valid_q && f_no_b) && !(r_valid_q && f_no_r) && lost_q == f_lost &&
                        error_left_q <= f_left);                                             // 8 proxied
            if (phase_q == HOST_WAIT && f_wave != 0 && host_timeout_q != 24'd0)
                assert (f_clocks <= {1'b0, host_timeout_q});                                 // 9 patient
            assert (owing_q == f_owes && (wave_valid & f_owes) == 0);                        // 10 owed

            // helpers
            if (phase_q == HOST_WAIT) assert (!f_rung || f_low);
            if (phase_q == HOST_WAIT)
                assert (left_q == ({1'b0, host_timeout_q} < f_clocks ? 24'd0
                                   : host_timeout_q - f_clocks[23:0] + 24'd1));
            cover (proxy_done && proxy_error == CODE_HOLE[4:0] && b_valid_q);
            cover (owing_q != 0 && r_valid_q && r_error_q);
            cover (b_valid_q && r_valid_q && b_error_q && !r_error_q);
        end
    end
