// SPDX-License-Identifier: Apache-2.0
//
// totem_channel: one memory channel, requests of several masters to one AXI4 port.
//
// Policy    one request of each master waits here; reads and writes leave in turn; data of a write are taken
//           from when it is offered, and neither waits for the other.
// Latency   a read is at the port in the clock after it came, a write one clock later.
// Boundary  request registers -> port; data -> two registers -> port. Responses do not pass here.
// Mask      payload of AR, AW, W counts only while its valid.
// Cost      of each master 88 flip-flops and both IDs; 146 for data.
// Proved    1 held, 2 turn, 3 data, 4 source.
// Twin      cmodel/partition/totem_channel.c, same names.

`default_nettype none

module totem_channel #(
    parameter MASTERS = 8,      // masters, 2 to 8
    parameter READERS = 6,      // of a master, as of memory
    parameter STREAMS = 6,
    parameter FENCES  = 8,
    parameter READER_BITS   = $clog2(READERS),
    parameter WRITE_ID_BITS = 1 + $clog2(STREAMS > FENCES ? STREAMS : FENCES),  // at most 5
    parameter PORT_BITS     = $clog2(MASTERS) + WRITE_ID_BITS
) (
    input  wire                                    clk,
    input  wire                                    rst,
    // masters
    input  wire [MASTERS-1:0]                      source_ar_valid,
    input  wire [MASTERS*READER_BITS-1:0]          source_ar_id,
    input  wire [MASTERS*37-1:0]                   source_ar_addr,
    input  wire [MASTERS*4-1:0]                    source_ar_len,
    input  wire [MASTERS-1:0]                      source_ar_lock,
    output wire [MASTERS-1:0]                      ar_ready,
    input  wire [MASTERS-1:0]                      source_aw_valid,
    input  wire [MASTERS*WRITE_ID_BITS-1:0]        source_aw_id,
    input  wire [MASTERS*37-1:0]                   source_aw_addr,
    input  wire [MASTERS*4-1:0]                    source_aw_len,
    input  wire [MASTERS-1:0]                      source_aw_lock,
    output wire [MASTERS-1:0]                      aw_ready,
    input  wire [MASTERS-1:0]                      source_w_valid,
    input  wire [MASTERS*64-1:0]                   source_w_data,
    input  wire [MASTERS*8-1:0]                    source_w_strobe,
    input  wire [MASTERS-1:0]                      source_w_last,
    output reg  [MASTERS-1:0]                      w_ready,
    // memory
    output reg  [PORT_BITS-1:0]                    m_axi_arid,
    output reg  [39:0]                             m_axi_araddr,
    output reg  [7:0]                              m_axi_arlen,
    output wire [2:0]                              m_axi_arsize,
    output wire [1:0]                              m_axi_arburst,
    output reg                                     m_axi_arlock,
    output wire                                    m_axi_arvalid,
    input  wire                                    m_axi_arready,
    output reg  [PORT_BITS-1:0]                    m_axi_awid,
    output reg  [39:0]                             m_axi_awaddr,
    output reg  [7:0]                              m_axi_awlen,
    output wire [2:0]                              m_axi_awsize,
    output wire [1:0]                              m_axi_awburst,
    output reg                                     m_axi_awlock,
    output wire                                    m_axi_awvalid,
    input  wire                                    m_axi_awready,
    output wire [63:0]                             m_axi_wdata,
    output wire [7:0]                              m_axi_wstrb,
    output wire                                    m_axi_wlast,
    output wire                                    m_axi_wvalid,
    input  wire                                    m_axi_wready,
    // partition
    output wire                                    idle
);
    localparam S = $clog2(MASTERS);
    localparam R = READER_BITS;
    localparam W = WRITE_ID_BITS;
    localparam LAST = MASTERS - 1;

    generate
        if (MASTERS < 2 || MASTERS > 8) begin : check
            totem_channel_needs_MASTERS_2_to_8 refused ();
        end
        if (R < 1 || W < 2 || W > 5 || R > W) begin : check_ids
            totem_channel_needs_write_IDs_of_2_to_5_bits_and_read_IDs_of_no_more refused ();
        end
    endgenerate

    reg [MASTERS-1:0]    ar_valid_q, ar_valid_d, ar_lock_q, ar_lock_d;
    reg [MASTERS*R-1:0]  ar_id_q, ar_id_d;
    reg [MASTERS*37-1:0] ar_addr_q, ar_addr_d;
    reg [MASTERS*4-1:0]  ar_len_q, ar_len_d;
    reg [S-1:0]          ar_turn_q, ar_turn_d;
    reg [MASTERS-1:0]    aw_valid_q, aw_valid_d, aw_lock_q, aw_lock_d;
    reg [MASTERS*W-1:0]  aw_id_q, aw_id_d;
    reg [MASTERS*37-1:0] aw_addr_q, aw_addr_d;
    reg [MASTERS*4-1:0]  aw_len_q, aw_len_d;
    reg [S-1:0]          aw_turn_q, aw_turn_d;
    reg                  open_q, open_d, aw_out_q, aw_out_d;
    reg [S-1:0]          open_source_q, open_source_d;
    reg [1:0]            w_count_q, w_count_d;
    reg [63:0]           w_head_q, w_head_d, w_tail_q, w_tail_d;
    reg [8:0]            w_head_tag_q, w_head_tag_d, w_tail_tag_q, w_tail_tag_d;

    initial begin
        ar_valid_q = 0; ar_lock_q = 0; ar_id_q = 0; ar_addr_q = 0; ar_len_q = 0; ar_turn_q = 0; aw_valid_q = 0;
        aw_lock_q = 0; aw_id_q = 0; aw_addr_q = 0; aw_len_q = 0; aw_turn_q = 0; open_q = 0; aw_out_q = 0;
        open_source_q = 0;
        w_count_q = 0; w_head_q = 0; w_tail_q = 0; w_head_tag_q = 0; w_tail_tag_q = 0;
    end

    reg [S-1:0] ar_pick, aw_pick;
    reg         offered, is_last;
    reg [63:0]  offered_data;
    reg [7:0]   offered_strobe;
    integer     i;

    // The first from the turn on; those below it come behind.
    always @* begin
        ar_pick = ar_turn_q;
        for (i = MASTERS - 1; i >= 0; i = i - 1)
            if (ar_valid_q[i] && i[S-1:0] < ar_turn_q)
                ar_pick = i[S-1:0];
        for (i = MASTERS - 1; i >= 0; i = i - 1)
            if (ar_valid_q[i] && i[S-1:0] >= ar_turn_q)
                ar_pick = i[S-1:0];
        aw_pick = aw_turn_q;
        for (i = MASTERS - 1; i >= 0; i = i - 1)
            if (aw_valid_q[i] && i[S-1:0] < aw_turn_q)
                aw_pick = i[S-1:0];
        for (i = MASTERS - 1; i >= 0; i = i - 1)
            if (aw_valid_q[i] && i[S-1:0] >= aw_turn_q)
                aw_pick = i[S-1:0];
    end

    always @* begin
        m_axi_arid   = {ar_pick, {W{1'b0}}};
        m_axi_araddr = 40'd0;
        m_axi_arlen  = 8'd0;
        m_axi_arlock = 1'b0;
        m_axi_awid   = {open_source_q, {W{1'b0}}};
        m_axi_awaddr = 40'd0;
        m_axi_awlen  = 8'd0;
        m_axi_awlock = 1'b0;
        for (i = 0; i < MASTERS; i = i + 1) begin
            if (i[S-1:0] == ar_pick) begin
                m_axi_arid[R-1:0] = ar_id_q[i*R +: R];
                m_axi_araddr      = {ar_addr_q[i*37 +: 37], 3'd0};
                m_axi_arlen       = {4'd0, ar_len_q[i*4 +: 4]};
                m_axi_arlock      = ar_lock_q[i];
            end
            if (i[S-1:0] == open_source_q) begin
                m_axi_awid[W-1:0] = aw_id_q[i*W +: W];
                m_axi_awaddr      = {aw_addr_q[i*37 +: 37], 3'd0};
                m_axi_awlen       = {4'd0, aw_len_q[i*4 +: 4]};
                m_axi_awlock      = aw_lock_q[i];
            end
        end
    end

    assign ar_ready      = ~ar_valid_q;
    assign aw_ready      = ~aw_valid_q;
    assign m_axi_arvalid = |ar_valid_q;
    assign m_axi_arsize  = 3'd3;
    assign m_axi_arburst = 2'd1;
    assign m_axi_awvalid = aw_out_q;
    assign m_axi_awsize  = 3'd3;
    assign m_axi_awburst = 2'd1;

    wire room = w_count_q != 2'd2;

    // What the master of the open write offers.
    always @* begin
        offered        = 1'b0;
        is_last        = 1'b0;
        offered_data   = 64'd0;
        offered_strobe = 8'd0;
        w_ready        = {MASTERS{1'b0}};
        for (i = 0; i < MASTERS; i = i + 1)
            if (i[S-1:0] == open_source_q) begin
                offered        = source_w_valid[i];
                is_last        = source_w_last[i];
                offered_data   = source_w_data[i*64 +: 64];
                offered_strobe = source_w_strobe[i*8 +: 8];
                w_ready[i]     = open_q && room;
            end
    end

    wire beat = open_q && offered && room;

    wire gone = m_axi_wvalid && m_axi_wready;

    assign m_axi_wvalid               = w_count_q != 2'd0;
    assign m_axi_wdata                = w_head_q;
    assign {m_axi_wlast, m_axi_wstrb} = w_head_tag_q;

    assign idle = ar_valid_q == {MASTERS{1'b0}} && aw_valid_q == {MASTERS{1'b0}} && !aw_out_q && !open_q &&
                  !m_axi_wvalid;

    always @* begin
        ar_valid_d    = ar_valid_q;
        ar_id_d       = ar_id_q;
        ar_addr_d     = ar_addr_q;
        ar_len_d      = ar_len_q;
        ar_lock_d     = ar_lock_q;
        ar_turn_d     = ar_turn_q;
        aw_valid_d    = aw_valid_q;
        aw_id_d       = aw_id_q;
        aw_addr_d     = aw_addr_q;
        aw_len_d      = aw_len_q;
        aw_lock_d     = aw_lock_q;
        aw_turn_d     = aw_turn_q;
        open_d        = open_q;
        aw_out_d      = aw_out_q;
        open_source_d = open_source_q;
        w_head_d      = w_head_q;
        w_head_tag_d  = w_head_tag_q;
        w_tail_d      = w_tail_q;
        w_tail_tag_d  = w_tail_tag_q;

        // 1 Reads
        for (i = 0; i < MASTERS; i = i + 1) begin
            if (source_ar_valid[i] && !ar_valid_q[i]) begin
                ar_valid_d[i]         = 1'b1;
                ar_id_d[i*R +: R]     = source_ar_id[i*R +: R];
                ar_addr_d[i*37 +: 37] = source_ar_addr[i*37 +: 37];
                ar_len_d[i*4 +: 4]    = source_ar_len[i*4 +: 4];
                ar_lock_d[i]          = source_ar_lock[i];
            end
            if (m_axi_arvalid && m_axi_arready && i[S-1:0] == ar_pick)
                ar_valid_d[i] = 1'b0;
        end
        if (m_axi_arvalid)
            ar_turn_d = !m_axi_arready ? ar_pick : ar_pick == LAST[S-1:0] ? {S{1'b0}} : ar_pick + 1'b1;

        // 2 Writes
        for (i = 0; i < MASTERS; i = i + 1) begin
            if (source_aw_valid[i] && !aw_valid_q[i]) begin
                aw_valid_d[i]         = 1'b1;
                aw_id_d[i*W +: W]     = source_aw_id[i*W +: W];
                aw_addr_d[i*37 +: 37] = source_aw_addr[i*37 +: 37];
                aw_len_d[i*4 +: 4]    = source_aw_len[i*4 +: 4];
                aw_lock_d[i]          = source_aw_lock[i];
            end
            if (aw_out_q && m_axi_awready && i[S-1:0] == open_source_q)
                aw_valid_d[i] = 1'b0;
        end
        if (m_axi_awready)
            aw_out_d = 1'b0;
        if (!aw_out_q && !open_q && aw_valid_q != {MASTERS{1'b0}}) begin
            aw_out_d      = 1'b1;
            open_d        = 1'b1;
            open_source_d = aw_pick;
            aw_turn_d     = aw_pick == LAST[S-1:0] ? {S{1'b0}} : aw_pick + 1'b1;
        end

        // 3 Data
        if (gone) begin
            w_head_d     = w_tail_q;
            w_head_tag_d = w_tail_tag_q;
        end
        if (beat && (w_count_q == 2'd0 || (gone && w_count_q == 2'd1))) begin
            w_head_d     = offered_data;
            w_head_tag_d = {is_last, offered_strobe};
        end else if (beat) begin
            w_tail_d     = offered_data;
            w_tail_tag_d = {is_last, offered_strobe};
        end
        w_count_d = w_count_q + {1'b0, beat} - {1'b0, gone};
        if (beat && is_last)
            open_d = 1'b0;
    end

    always @(posedge clk) begin
        ar_valid_q    <= ar_valid_d;
        ar_id_q       <= ar_id_d;
        ar_addr_q     <= ar_addr_d;
        ar_len_q      <= ar_len_d;
        ar_lock_q     <= ar_lock_d;
        ar_turn_q     <= ar_turn_d;
        aw_valid_q    <= aw_valid_d;
        aw_id_q       <= aw_id_d;
        aw_addr_q     <= aw_addr_d;
        aw_len_q      <= aw_len_d;
        aw_lock_q     <= aw_lock_d;
        aw_turn_q     <= aw_turn_d;
        open_q        <= open_d;
        aw_out_q      <= aw_out_d;
        open_source_q <= open_source_d;
        w_count_q     <= w_count_d;
        w_head_q      <= w_head_d;
        w_head_tag_q  <= w_head_tag_d;
        w_tail_q      <= w_tail_d;
        w_tail_tag_q  <= w_tail_tag_d;
        if (rst) begin
            ar_valid_q <= {MASTERS{1'b0}};
            ar_turn_q  <= {S{1'b0}};
            aw_valid_q <= {MASTERS{1'b0}};
            aw_turn_q  <= {S{1'b0}};
            open_q     <= 1'b0;
            aw_out_q   <= 1'b0;
            w_count_q  <= 2'd0;
        end
    end

`ifdef FORMAL
`include "totem_channel_properties.vh"
`endif
endmodule

`default_nettype wire
