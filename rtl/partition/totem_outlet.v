// SPDX-License-Identifier: Apache-2.0
//
// totem_outlet: what one AXI4 port of the machine sends: that of a front end or of a channel.
//
// Policy    without PARTITION memory stands at the pins; with it the channel does, and memory before its route.
// Latency   combinational.
// Boundary  names only, of IDs the width.
// Cost      wires.
// Twin      cmodel/partition/totem_outlet.c, same names.

`default_nettype none

module totem_outlet #(
    parameter FE_COUNT        = 4,  // front ends, and channels
    parameter READERS         = 6,  // of memory
    parameter STREAMS         = 6,
    parameter FENCES          = 8,
    parameter IDS             = 32, // values of an ID at a channel, a power of two
    parameter PARTITION       = 0,
    parameter READER_BITS     = $clog2(READERS),
    parameter WRITE_BITS      = 1 + $clog2(STREAMS > FENCES ? STREAMS : FENCES),
    parameter ID_BITS         = $clog2(IDS),
    parameter CHANNEL_BITS    = (FE_COUNT > 1 ? $clog2(FE_COUNT) : 1) + ID_BITS,
    parameter PORT_READ_BITS  = PARTITION != 0 ? CHANNEL_BITS : READER_BITS,
    parameter PORT_WRITE_BITS = PARTITION != 0 ? CHANNEL_BITS : WRITE_BITS
) (
    // memory
    input  wire [WRITE_BITS-1:0]       memory_m_axi_awid,
    input  wire [39:0]                 memory_m_axi_awaddr,
    input  wire [7:0]                  memory_m_axi_awlen,
    input  wire [2:0]                  memory_m_axi_awsize,
    input  wire [1:0]                  memory_m_axi_awburst,
    input  wire                        memory_m_axi_awlock,
    input  wire                        memory_m_axi_awvalid,
    input  wire [63:0]                 memory_m_axi_wdata,
    input  wire [7:0]                  memory_m_axi_wstrb,
    input  wire                        memory_m_axi_wlast,
    input  wire                        memory_m_axi_wvalid,
    input  wire                        memory_m_axi_bready,
    input  wire [READER_BITS-1:0]      memory_m_axi_arid,
    input  wire [39:0]                 memory_m_axi_araddr,
    input  wire [7:0]                  memory_m_axi_arlen,
    input  wire [2:0]                  memory_m_axi_arsize,
    input  wire [1:0]                  memory_m_axi_arburst,
    input  wire                        memory_m_axi_arlock,
    input  wire                        memory_m_axi_arvalid,
    input  wire                        memory_m_axi_rready,
    // window and route
    output wire [36:0]                 read_address,
    output wire [36:0]                 write_address,
    output wire                        master_ar_valid,
    output wire [ID_BITS-1:0]          master_ar_id,
    output wire [3:0]                  master_ar_len,
    output wire                        master_ar_lock,
    output wire                        master_aw_valid,
    output wire [ID_BITS-1:0]          master_aw_id,
    output wire [3:0]                  master_aw_len,
    output wire                        master_aw_lock,
    output wire                        master_w_valid,
    output wire [63:0]                 master_w_data,
    output wire [7:0]                  master_w_strobe,
    output wire                        master_w_last,
    output wire                        master_r_ready,
    output wire                        master_b_ready,
    // channel
    input  wire [CHANNEL_BITS-1:0]     channel_m_axi_awid,
    input  wire [39:0]                 channel_m_axi_awaddr,
    input  wire [7:0]                  channel_m_axi_awlen,
    input  wire [2:0]                  channel_m_axi_awsize,
    input  wire [1:0]                  channel_m_axi_awburst,
    input  wire                        channel_m_axi_awlock,
    input  wire                        channel_m_axi_awvalid,
    input  wire [63:0]                 channel_m_axi_wdata,
    input  wire [7:0]                  channel_m_axi_wstrb,
    input  wire                        channel_m_axi_wlast,
    input  wire                        channel_m_axi_wvalid,
    input  wire [CHANNEL_BITS-1:0]     channel_m_axi_arid,
    input  wire [39:0]                 channel_m_axi_araddr,
    input  wire [7:0]                  channel_m_axi_arlen,
    input  wire [2:0]                  channel_m_axi_arsize,
    input  wire [1:0]                  channel_m_axi_arburst,
    input  wire                        channel_m_axi_arlock,
    input  wire                        channel_m_axi_arvalid,
    // lattice
    input  wire                        lattice_b_ready,
    input  wire                        lattice_r_ready,
    // AXI4
    output wire [PORT_WRITE_BITS-1:0]  m_axi_awid,
    output wire [39:0]                 m_axi_awaddr,
    output wire [7:0]                  m_axi_awlen,
    output wire [2:0]                  m_axi_awsize,
    output wire [1:0]                  m_axi_awburst,
    output wire                        m_axi_awlock,
    output wire                        m_axi_awvalid,
    output wire [63:0]                 m_axi_wdata,
    output wire [7:0]                  m_axi_wstrb,
    output wire                        m_axi_wlast,
    output wire                        m_axi_wvalid,
    output wire                        m_axi_bready,
    output wire [PORT_READ_BITS-1:0]   m_axi_arid,
    output wire [39:0]                 m_axi_araddr,
    output wire [7:0]                  m_axi_arlen,
    output wire [2:0]                  m_axi_arsize,
    output wire [1:0]                  m_axi_arburst,
    output wire                        m_axi_arlock,
    output wire                        m_axi_arvalid,
    output wire                        m_axi_rready
);
    generate
        if (PARTITION != 0) begin : g_channel
            if (ID_BITS < READER_BITS || ID_BITS < WRITE_BITS) begin : check
                totem_outlet_needs_IDS_that_those_of_memory_fit_in refused ();
            end
            assign m_axi_awid       = channel_m_axi_awid;
            assign m_axi_awaddr     = channel_m_axi_awaddr;
            assign m_axi_awlen      = channel_m_axi_awlen;
            assign m_axi_awsize     = channel_m_axi_awsize;
            assign m_axi_awburst    = channel_m_axi_awburst;
            assign m_axi_awlock     = channel_m_axi_awlock;
            assign m_axi_awvalid    = channel_m_axi_awvalid;
            assign m_axi_wdata      = channel_m_axi_wdata;
            assign m_axi_wstrb      = channel_m_axi_wstrb;
            assign m_axi_wlast      = channel_m_axi_wlast;
            assign m_axi_wvalid     = channel_m_axi_wvalid;
            assign m_axi_arid       = channel_m_axi_arid;
            assign m_axi_araddr     = channel_m_axi_araddr;
            assign m_axi_arlen      = channel_m_axi_arlen;
            assign m_axi_arsize     = channel_m_axi_arsize;
            assign m_axi_arburst    = channel_m_axi_arburst;
            assign m_axi_arlock     = channel_m_axi_arlock;
            assign m_axi_arvalid    = channel_m_axi_arvalid;
            assign m_axi_bready     = lattice_b_ready;
            assign m_axi_rready     = lattice_r_ready;
            assign read_address     = memory_m_axi_araddr[39:3];
            assign write_address    = memory_m_axi_awaddr[39:3];
            assign master_ar_valid  = memory_m_axi_arvalid;
            assign master_ar_id     = {{ID_BITS-READER_BITS{1'b0}}, memory_m_axi_arid};
            assign master_ar_len    = memory_m_axi_arlen[3:0];
            assign master_ar_lock   = memory_m_axi_arlock;
            assign master_aw_valid  = memory_m_axi_awvalid;
            assign master_aw_id     = {{ID_BITS-WRITE_BITS{1'b0}}, memory_m_axi_awid};
            assign master_aw_len    = memory_m_axi_awlen[3:0];
            assign master_aw_lock   = memory_m_axi_awlock;
            assign master_w_valid   = memory_m_axi_wvalid;
            assign master_w_data    = memory_m_axi_wdata;
            assign master_w_strobe  = memory_m_axi_wstrb;
            assign master_w_last    = memory_m_axi_wlast;
            assign master_r_ready   = memory_m_axi_rready;
            assign master_b_ready   = memory_m_axi_bready;
            wire unused = &{1'b0, memory_m_axi_arsize, memory_m_axi_arburst, memory_m_axi_awsize,
                            memory_m_axi_awburst, memory_m_axi_arlen[7:4], memory_m_axi_awlen[7:4],
                            memory_m_axi_araddr[2:0], memory_m_axi_awaddr[2:0]};
        end else begin : g_memory
            assign m_axi_awid       = memory_m_axi_awid;
            assign m_axi_awaddr     = memory_m_axi_awaddr;
            assign m_axi_awlen      = memory_m_axi_awlen;
            assign m_axi_awsize     = memory_m_axi_awsize;
            assign m_axi_awburst    = memory_m_axi_awburst;
            assign m_axi_awlock     = memory_m_axi_awlock;
            assign m_axi_awvalid    = memory_m_axi_awvalid;
            assign m_axi_wdata      = memory_m_axi_wdata;
            assign m_axi_wstrb      = memory_m_axi_wstrb;
            assign m_axi_wlast      = memory_m_axi_wlast;
            assign m_axi_wvalid     = memory_m_axi_wvalid;
            assign m_axi_bready     = memory_m_axi_bready;
            assign m_axi_arid       = memory_m_axi_arid;
            assign m_axi_araddr     = memory_m_axi_araddr;
            assign m_axi_arlen      = memory_m_axi_arlen;
            assign m_axi_arsize     = memory_m_axi_arsize;
            assign m_axi_arburst    = memory_m_axi_arburst;
            assign m_axi_arlock     = memory_m_axi_arlock;
            assign m_axi_arvalid    = memory_m_axi_arvalid;
            assign m_axi_rready     = memory_m_axi_rready;
            assign master_ar_valid  = 1'b0;
            assign master_ar_id     = {ID_BITS{1'b0}};
            assign master_ar_len    = 4'd0;
            assign master_ar_lock   = 1'b0;
            assign master_aw_valid  = 1'b0;
            assign master_aw_id     = {ID_BITS{1'b0}};
            assign master_aw_len    = 4'd0;
            assign master_aw_lock   = 1'b0;
            assign master_w_valid   = 1'b0;
            assign master_w_data    = 64'd0;
            assign master_w_strobe  = 8'd0;
            assign master_w_last    = 1'b0;
            assign master_r_ready   = 1'b0;
            assign master_b_ready   = 1'b0;
            assign read_address     = 37'd0;
            assign write_address    = 37'd0;
            wire unused = &{1'b0, channel_m_axi_awid, channel_m_axi_awaddr, channel_m_axi_awlen,
                            channel_m_axi_awsize, channel_m_axi_awburst, channel_m_axi_awlock,
                            channel_m_axi_awvalid, channel_m_axi_wdata, channel_m_axi_wstrb,
                            channel_m_axi_wlast, channel_m_axi_wvalid, channel_m_axi_arid,
                            channel_m_axi_araddr, channel_m_axi_arlen, channel_m_axi_arsize,
                            channel_m_axi_arburst, channel_m_axi_arlock, channel_m_axi_arvalid,
                            lattice_b_ready, lattice_r_ready};
        end
    endgenerate
endmodule

`default_nettype wire
