// SPDX-License-Identifier: Apache-2.0
//
// totem_rv32_memory: joins reads and writes of the cores to one AXI4 master, 64-bit data.
//
// Policy    round robin, separate for reads and writes. The ID is the number of the core, so memory answers the writes
//           of a core in their order. A core has at most one read outstanding, so this block stores no beats.
// Boundary  every output is a register; responses are always taken.

`default_nettype none

module totem_rv32_memory #(
    parameter CORES = 4,
    parameter R     = CORES > 1 ? $clog2(CORES) : 1     // follows, not to be set
) (
    input  wire                clk,
    input  wire                rst,
    // cores
    input  wire [CORES-1:0]    read_valid,
    input  wire [CORES-1:0]    read_line,               // 32 bytes, else 8
    input  wire [CORES*32-1:0] read_addr,
    output wire [CORES-1:0]    read_take,
    output wire [CORES-1:0]    beat_valid,
    output wire [63:0]         beat_data,
    output wire                beat_error,
    input  wire [CORES-1:0]    write_valid,
    input  wire [CORES*32-1:0] write_addr,
    input  wire [CORES*32-1:0] write_data,
    input  wire [CORES*4-1:0]  write_strobe,
    output wire [CORES-1:0]    write_take,
    output wire [CORES-1:0]    ack_valid,
    output wire                ack_error,
    // memory
    output wire [R-1:0]        m_axi_arid,
    output wire [39:0]         m_axi_araddr,
    output wire [7:0]          m_axi_arlen,
    output wire [2:0]          m_axi_arsize,
    output wire [1:0]          m_axi_arburst,
    output wire                m_axi_arvalid,
    input  wire                m_axi_arready,
    input  wire [R-1:0]        m_axi_rid,
    input  wire [63:0]         m_axi_rdata,
    input  wire [1:0]          m_axi_rresp,
    input  wire                m_axi_rlast,
    input  wire                m_axi_rvalid,
    output wire                m_axi_rready,
    output wire [R-1:0]        m_axi_awid,
    output wire [39:0]         m_axi_awaddr,
    output wire [7:0]          m_axi_awlen,
    output wire [2:0]          m_axi_awsize,
    output wire [1:0]          m_axi_awburst,
    output wire                m_axi_awvalid,
    input  wire                m_axi_awready,
    output wire [63:0]         m_axi_wdata,
    output wire [7:0]          m_axi_wstrb,
    output wire                m_axi_wlast,
    output wire                m_axi_wvalid,
    input  wire                m_axi_wready,
    input  wire [R-1:0]        m_axi_bid,
    input  wire [1:0]          m_axi_bresp,
    input  wire                m_axi_bvalid,
    output wire                m_axi_bready
);
    localparam [CORES-1:0] ONE = 1;

    reg         ar_q, ar_d, aw_q, aw_d, w_q, w_d;
    reg [R-1:0] arid_q, arid_d, awid_q, awid_d;         // also the turns
    reg [31:0]  araddr_q, araddr_d, awaddr_q, awaddr_d, wdata_q, wdata_d;
    reg [3:0]   strobe_q, strobe_d;
    reg         line_q, line_d;
    integer     n;

    wire read_free  = !ar_q || m_axi_arready;
    wire write_free = (!aw_q || m_axi_awready) && (!w_q || m_axi_wready);
    wire read_go    = read_free && read_valid != 0;
    wire write_go   = write_free && write_valid != 0;

    assign read_take     = read_go ? ONE << arid_d : {CORES{1'b0}};
    assign write_take    = write_go ? ONE << awid_d : {CORES{1'b0}};
    assign beat_valid    = m_axi_rvalid ? ONE << m_axi_rid : {CORES{1'b0}};
    assign beat_data     = m_axi_rdata;
    assign beat_error    = m_axi_rresp[1];
    assign ack_valid     = m_axi_bvalid ? ONE << m_axi_bid : {CORES{1'b0}};
    assign ack_error     = m_axi_bresp[1];
    assign m_axi_arid    = arid_q;
    assign m_axi_araddr  = {8'd0, araddr_q[31:3], 3'd0};
    assign m_axi_arlen   = line_q ? 8'd3 : 8'd0;
    assign m_axi_arsize  = 3'd3;
    assign m_axi_arburst = 2'd1;
    assign m_axi_arvalid = ar_q;
    assign m_axi_rready  = 1'b1;
    assign m_axi_awid    = awid_q;
    assign m_axi_awaddr  = {8'd0, awaddr_q[31:3], 3'd0};
    assign m_axi_awlen   = 8'd0;
    assign m_axi_awsize  = 3'd3;
    assign m_axi_awburst = 2'd1;
    assign m_axi_awvalid = aw_q;
    assign m_axi_wdata   = {wdata_q, wdata_q};
    assign m_axi_wstrb   = awaddr_q[2] ? {strobe_q, 4'd0} : {4'd0, strobe_q};
    assign m_axi_wlast   = 1'b1;
    assign m_axi_wvalid  = w_q;
    assign m_axi_bready  = 1'b1;

    wire unused = &{1'b0, m_axi_rlast, m_axi_rresp[0], m_axi_bresp[0], araddr_q[2:0], awaddr_q[1:0]};

    // The next one that asks behind the last, else the lowest.
    always @* begin
        ar_d     = ar_q && !m_axi_arready;
        aw_d     = aw_q && !m_axi_awready;
        w_d      = w_q && !m_axi_wready;
        arid_d   = arid_q;
        awid_d   = awid_q;
        araddr_d = araddr_q;
        line_d   = line_q;
        awaddr_d = awaddr_q;
        wdata_d  = wdata_q;
        strobe_d = strobe_q;
        if (read_go) begin
            ar_d = 1'b1;
            for (n = CORES - 1; n >= 0; n = n - 1)
                if (read_valid[n])
                    arid_d = n[R-1:0];
            for (n = CORES - 1; n >= 0; n = n - 1)
                if (read_valid[n] && n > arid_q)
                    arid_d = n[R-1:0];
            for (n = 0; n < CORES; n = n + 1)
                if (arid_d == n[R-1:0]) begin
                    araddr_d = read_addr[n*32 +: 32];
                    line_d   = read_line[n];
                end
        end
        if (write_go) begin
            aw_d = 1'b1;
            w_d  = 1'b1;
            for (n = CORES - 1; n >= 0; n = n - 1)
                if (write_valid[n])
                    awid_d = n[R-1:0];
            for (n = CORES - 1; n >= 0; n = n - 1)
                if (write_valid[n] && n > awid_q)
                    awid_d = n[R-1:0];
            for (n = 0; n < CORES; n = n + 1)
                if (awid_d == n[R-1:0]) begin
                    awaddr_d = write_addr[n*32 +: 32];
                    wdata_d  = write_data[n*32 +: 32];
                    strobe_d = write_strobe[n*4 +: 4];
                end
        end
    end

    always @(posedge clk) begin
        ar_q     <= ar_d;
        aw_q     <= aw_d;
        w_q      <= w_d;
        arid_q   <= arid_d;
        awid_q   <= awid_d;
        araddr_q <= araddr_d;
        line_q   <= line_d;
        awaddr_q <= awaddr_d;
        wdata_q  <= wdata_d;
        strobe_q <= strobe_d;
        if (rst) begin
            ar_q   <= 1'b0;
            aw_q   <= 1'b0;
            w_q    <= 1'b0;
            arid_q <= {R{1'b0}};
            awid_q <= {R{1'b0}};
        end
    end
endmodule

`default_nettype wire
