// SPDX-License-Identifier: Apache-2.0
//
// Properties of totem_store, included at the end of the module. The numbers are those of docs/contract/store.md.

    initial assume (rst);
    reg        f_past   = 1'b0;
    // Of both masters, those of the core in bit 1.
    wire [1:0] f_ar     = {core_arvalid && core_arready, m_axi_arvalid && m_axi_arready};
    wire [1:0] f_aw     = {core_awvalid && core_awready, m_axi_awvalid && m_axi_awready};
    wire [1:0] f_w      = {core_wvalid && core_wready, m_axi_wvalid && m_axi_wready};
    wire [1:0] f_rv     = {core_rvalid, m_axi_rvalid};
    wire [1:0] f_bv     = {core_bvalid, m_axi_bvalid};
    wire [1:0] f_rgo    = f_rv & {core_rready, m_axi_rready};
    wire [1:0] f_bgo    = f_bv & {core_bready, m_axi_bready};
    reg  [1:0] f_reads    = 2'd0;               // whose read burst is under way
    reg  [1:0] f_writes   = 2'd0;
    reg  [1:0] f_passed_r = 2'd0;               // the other has begun a burst while this one's address waits
    reg  [1:0] f_passed_w = 2'd0;
    reg        f_b      = 1'b0;                 // a response was shown and not taken, masters not in reset
    reg [1:0]  f_resp   = 2'd0;
    reg        f_r      = 1'b0;                 // likewise a beat
    reg [63:0] f_data   = 64'd0;
    reg        f_last   = 1'b0;
    reg [8:0]  f_owed   = 9'd0;                 // beats that the master has asked for and not taken
    reg        f_begun  = 1'b0;                 // a write burst whose response has not been taken
    reg        f_refuse = 1'b0;                 // the beat of the clock before is beyond, or a refused exclusive one
    reg        f_clean  = 1'b0;                 // no write of the monitor's word since the exclusive read
    wire [9:0] f_kept   = {1'b0, read_left_q} + {9'd0, fetched_q} + {9'd0, skid_valid_q} + {9'd0, r_valid_q};
    reg [1:0]  f_wait   = 2'd0;                 // clocks for which the bridge waits without a burst being read

    always @(posedge clk) begin
        f_past   <= 1'b1;
        f_b      <= !rst && !boot_reset && (f_bv & ~f_bgo) != 2'd0;
        f_resp   <= m_axi_bresp;
        f_r      <= !rst && !boot_reset && (f_rv & ~f_rgo) != 2'd0;
        f_data   <= m_axi_rdata;
        f_last   <= m_axi_rlast;
        f_owed   <= (rst || boot_reset) ? 9'd0
                    : f_ar != 2'd0 ? {1'b0, f_ar[1] ? core_arlen : m_axi_arlen} + 9'd1
                    : f_owed - {8'd0, f_rgo != 2'd0};
        f_begun  <= !rst && !boot_reset && (f_aw != 2'd0 || (f_begun && f_bgo == 2'd0));
        f_reads  <= (rst || boot_reset) ? 2'd0 : f_ar != 2'd0 ? f_ar : f_reads & ~{2{f_rgo != 2'd0 && m_axi_rlast}};
        f_writes <= (rst || boot_reset) ? 2'd0 : f_aw != 2'd0 ? f_aw : f_writes & ~f_bgo;
        f_passed_r <= {2{!rst && !boot_reset}} & {core_arvalid, m_axi_arvalid} & ~f_ar
                      & (f_passed_r | {f_ar[0], f_ar[1]});
        f_passed_w <= {2{!rst && !boot_reset}} & {core_awvalid, m_axi_awvalid} & ~f_aw
                      & (f_passed_w | {f_aw[0], f_aw[1]});
        f_refuse <= !rst && f_w != 2'd0 && (write_error_q || (write_lock_q && !(monitor_valid_q
                    && f_clean && monitor_word_q == write_word_q
                    && !(ram_write_enable != 8'd0 && put_word_q == write_word_q))));
        if (ram_write_enable != 8'd0 && put_word_q == monitor_word_q)
            f_clean <= 1'b0;
        if (m_axi_arvalid && m_axi_arready && m_axi_arlock && m_axi_arlen == 8'd0)
            f_clean <= 1'b1;
        f_wait   <= (rst || access_q != STORE_WAIT || read_busy_q) ? 2'd0 : f_wait + 2'd1;

        if (!rst) begin
            if (ram_write_enable != 8'd0 && ram_read_enable != 8'd0)
                assert (ram_write_addr[WORD_BITS-1:0] != ram_read_addr[WORD_BITS-1:0]);     // 1 apart
            assert (f_kept == {1'b0, f_owed} && read_busy_q == (f_owed != 9'd0));            // 2 beats
            if (r_valid_q) assert (r_last_q == (f_kept == 10'd1));                           // 2 beats
            if (skid_valid_q) assert (r_valid_q && skid_last_q == (f_kept == 10'd2));        // 3 order
            if (fetched_q) assert (fetched_last_q == (read_left_q == 9'd0));                 // 3 order
            if (f_past && f_b) assert (f_bv != 2'd0 && m_axi_bresp == f_resp);               // 4 steady
            if (f_past && f_r) assert (f_rv != 2'd0 && m_axi_rdata == f_data && m_axi_rlast == f_last); // 4 steady
            assert (f_begun == (write_busy_q || b_valid_q) && !(write_busy_q && b_valid_q)); // 5 answered
            if (f_refuse) assert (ram_write_enable == 8'd0);                                 // 6 inside
            if (monitor_valid_q) assert (f_clean);                                           // 7 exclusive
            assert (f_wait <= 2'd1);                                                         // 8 bridge
            if (access_q == STORE_READ) assert (read_left_q == 9'd0);                        // 8 bridge
            assert ((f_rv & ~f_reads) == 2'd0 && (f_bv & ~f_writes) == 2'd0);                // 9 owner
            assert (f_reads != 2'd3 && f_writes != 2'd3 && (f_w & ~f_writes) == 2'd0);       // 9 owner
            assert ((f_passed_r & {f_ar[0], f_ar[1]}) == 2'd0);                              // 10 fair
            assert ((f_passed_w & {f_aw[0], f_aw[1]}) == 2'd0);                              // 10 fair
            if (access_q == STORE_DONE) assume (bridge_memory_valid);                        // A1 held
            // helpers
            assert (access_q <= STORE_DONE && read_left_q <= 9'd256);
            if (access_q == STORE_READ) assert (put_strobe_q == 8'd0);
            cover (m_axi_rvalid && m_axi_rlast && m_axi_rresp == 2'd1);
            cover (m_axi_bvalid && m_axi_bresp == 2'd1);
            assert ((f_reads != 2'd0) == read_busy_q && (f_writes != 2'd0) == f_begun);
            if (read_busy_q) assert (f_reads[1] == read_core_q);
            if (f_begun) assert (f_writes[1] == write_core_q);
            assert (!f_passed_r[read_busy_q ? read_core_q : !read_core_q]);
            assert (!f_passed_w[f_begun ? write_core_q : !write_core_q]);
            cover (skid_valid_q && fetched_q);
            cover (core_rvalid && f_passed_r[0]);
            cover (core_bvalid && f_passed_w[0]);
        end
    end
