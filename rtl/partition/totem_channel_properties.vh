// SPDX-License-Identifier: Apache-2.0
//
// Properties of totem_channel, included at the end of the module. The numbers are those of docs/contract/channel.md.

    initial assume (rst);
    (* anyconst *) wire [S-1:0] f_any_a, f_any_b;
    wire [S-1:0] f_a = {1'b0, f_any_a} < MASTERS ? f_any_a : {S{1'b0}};     // any two masters
    wire [S-1:0] f_b = {1'b0, f_any_b} < MASTERS ? f_any_b : {S{1'b0}};
    reg          f_was = 1'b0;                                              // the clock before was not one of reset

    wire [S+W+44:0] f_ar = {m_axi_arid, m_axi_araddr, m_axi_arlen[3:0], m_axi_arlock};
    wire [S+W+44:0] f_aw = {m_axi_awid, m_axi_awaddr, m_axi_awlen[3:0], m_axi_awlock};
    wire [72:0]     f_w  = {m_axi_wdata, m_axi_wstrb, m_axi_wlast};
    reg             f_ar_stood = 1'b0, f_aw_stood = 1'b0, f_w_stood = 1'b0; // offered and not taken
    reg [S+W+44:0]  f_ar_was, f_aw_was;
    reg [72:0]      f_w_was;
    reg             f_passed = 1'b0, f_written = 1'b0;      // a has left while b waited, which still does: read, write
    reg             f_open = 1'b0;                          // a write has left and its last beat has not come
    reg [S-1:0]     f_source;                               // its master

    // How many masters are looked at before this one.
    wire [S:0] f_from_a  = {1'b0, f_a} + ({1'b0, f_a} < {1'b0, ar_turn_q} ? MASTERS : 0) - {1'b0, ar_turn_q};
    wire [S:0] f_from_b  = {1'b0, f_b} + ({1'b0, f_b} < {1'b0, ar_turn_q} ? MASTERS : 0) - {1'b0, ar_turn_q};
    wire [S:0] f_write_a = {1'b0, f_a} + ({1'b0, f_a} < {1'b0, aw_turn_q} ? MASTERS : 0) - {1'b0, aw_turn_q};
    wire [S:0] f_write_b = {1'b0, f_b} + ({1'b0, f_b} < {1'b0, aw_turn_q} ? MASTERS : 0) - {1'b0, aw_turn_q};

    wire f_read  = m_axi_arvalid && m_axi_arready;
    // The next write is chosen in this clock: the first of the turn.
    reg [S-1:0] f_picked;
    wire        f_begins = !m_axi_awvalid && !f_open && aw_valid_q != {MASTERS{1'b0}};
    integer     k;

    always @* begin
        f_picked = aw_turn_q;
        for (k = 2 * MASTERS - 1; k >= 0; k = k - 1)
            if (k >= aw_turn_q && aw_valid_q[k % MASTERS]) f_picked = k % MASTERS;
    end

    // What a master has asked last.
    reg          f_asked = 1'b0, f_wrote = 1'b0;
    reg [W+41:0] f_request, f_store;                        // its ID as wide as at the port
    wire         f_mine_ar = m_axi_arvalid && m_axi_arid[S+W-1:W] == f_a;
    wire         f_mine_aw = m_axi_awvalid && m_axi_awid[S+W-1:W] == f_a;

    always @(posedge clk) begin
        f_was      <= !rst;
        f_ar_stood <= m_axi_arvalid && !m_axi_arready;
        f_aw_stood <= m_axi_awvalid && !m_axi_awready;
        f_w_stood  <= m_axi_wvalid && !m_axi_wready;
        f_ar_was   <= f_ar;
        f_aw_was   <= f_aw;
        f_w_was    <= f_w;
        if (f_read && m_axi_arid[S+W-1:W] == f_a) f_passed <= ar_valid_q[f_b];
        if (f_read && m_axi_arid[S+W-1:W] == f_b) f_passed <= 1'b0;
        if (f_begins && f_picked == f_a) f_written <= aw_valid_q[f_b];
        if (f_begins && f_picked == f_b) f_written <= 1'b0;
        if (source_w_valid[f_source] && w_ready[f_source] && source_w_last[f_source]) f_open <= 1'b0;
        if (f_begins) begin
            f_open   <= 1'b1;
            f_source <= f_picked;
        end
        if (f_mine_ar && m_axi_arready) f_asked <= 1'b0;
        if (f_mine_aw && m_axi_awready) f_wrote <= 1'b0;
        if (source_ar_valid[f_a] && ar_ready[f_a]) begin
            f_asked   <= 1'b1;
            f_request <= {{W-R{1'b0}}, source_ar_id[f_a*R +: R], source_ar_addr[f_a*37 +: 37],
                          source_ar_len[f_a*4 +: 4], source_ar_lock[f_a]};
        end
        if (source_aw_valid[f_a] && aw_ready[f_a]) begin
            f_wrote <= 1'b1;
            f_store <= {source_aw_id[f_a*W +: W], source_aw_addr[f_a*37 +: 37], source_aw_len[f_a*4 +: 4],
                        source_aw_lock[f_a]};
        end
        if (rst) begin
            f_ar_stood <= 1'b0;
            f_aw_stood <= 1'b0;
            f_w_stood  <= 1'b0;
            f_passed   <= 1'b0;
            f_written  <= 1'b0;
            f_open     <= 1'b0;
            f_asked    <= 1'b0;
            f_wrote    <= 1'b0;
        end

        if (f_was) begin
            if (f_ar_stood) assert (m_axi_arvalid && f_ar == f_ar_was);                                 // 1 held
            if (f_aw_stood) assert (m_axi_awvalid && f_aw == f_aw_was);                                 // 1 held
            if (f_w_stood) assert (m_axi_wvalid && f_w == f_w_was);                                     // 1 held
            if (f_passed && f_a != f_b) assert (!(f_read && m_axi_arid[S+W-1:W] == f_a));               // 2 turn
            if (f_written && f_a != f_b) assert (!(f_begins && f_picked == f_a));                       // 2 turn
            if (w_ready[f_a]) assert (f_open && f_source == f_a);                                       // 3 data
            if (f_open && f_mine_aw) assert (f_source == f_a);                                          // 3 data
            if (f_mine_ar) assert (f_asked && f_request == {m_axi_arid[W-1:0], m_axi_araddr[39:3],
                                                            m_axi_arlen[3:0], m_axi_arlock});           // 4 source
            if (f_mine_aw) assert (f_wrote && f_store == {m_axi_awid[W-1:0], m_axi_awaddr[39:3],
                                                          m_axi_awlen[3:0], m_axi_awlock});             // 4 source
            // helpers
            assert ({1'b0, ar_turn_q} < MASTERS && {1'b0, aw_turn_q} < MASTERS);
            if (f_ar_stood) assert (ar_turn_q == f_ar_was[S+W+44:W+45] && ar_valid_q[ar_turn_q]);
            if (aw_out_q) assert (aw_valid_q[open_source_q]);
            if (f_b == open_source_q && aw_out_q) assert (!f_written);
            if (f_passed && f_a != f_b) assert (ar_valid_q[f_b] && f_from_b < f_from_a);
            if (f_written && f_a != f_b) assert (aw_valid_q[f_b] && f_write_b < f_write_a);
            assert (f_asked == ar_valid_q[f_a] && f_wrote == aw_valid_q[f_a]);
            if (f_asked) assert (f_request == {{W-R{1'b0}}, ar_id_q[f_a*R +: R], ar_addr_q[f_a*37 +: 37],
                                               ar_len_q[f_a*4 +: 4], ar_lock_q[f_a]});
            if (f_wrote) assert (f_store == {aw_id_q[f_a*W +: W], aw_addr_q[f_a*37 +: 37], aw_len_q[f_a*4 +: 4],
                                             aw_lock_q[f_a]});
            assert (w_count_q != 2'd3);
            assert (f_open == open_q && (!open_q || f_source == open_source_q));
            cover (m_axi_wvalid && m_axi_awvalid);
            cover (f_passed && f_a != f_b);
        end
    end
