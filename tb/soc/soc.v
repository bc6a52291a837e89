// SPDX-License-Identifier: Apache-2.0
//
// soc: an example of a system around totem_core, to copy from. It is Verilog-2005 and SystemVerilog alike.
//
// Files     totem.f lists those of Totem, tb/soc/*.v are these.
// Sizes     -DTOTEM_CONFIG_MINI, _BOARD or _POLE; without one, full. totem_config.vh then has them as `TOTEM_<name>.
//           The parameters of totem_core have these values already and stay as they are.
// Clock     one, all outputs are registered or a function of registers. rst is synchronous, active high, at least
//           one clock; the memory and all between it and the core are reset with it.
// Host      AXI4-Lite, 32 bits, 20-bit byte addresses; irq is a level, synchronous to clk.
// Memory    element f of m_axi_* is the AXI4 master of front end f: 64 bits, 40-bit addresses. The interconnect here is
//           a RAM with as many ports. What AXI4 has besides (cache, prot, qos, region) the system ties as it wants.
// Engines   element s of launch_*, done_*, .. is the wave interface of engine s. Tied here: export_* (no geometry),
//           task_* (waves launch no tasks), and the page of registers at 0x2000 + 0x400 s (every access is refused).

`default_nettype none

`include "totem_config.vh"

module soc #(
    parameter RAM_BITS = 16     // bytes of memory, log2
) (
    input  wire        clk,
    input  wire        rst,
    // host
    input  wire [19:0] s_axil_awaddr,
    input  wire        s_axil_awvalid,
    output wire        s_axil_awready,
    input  wire [31:0] s_axil_wdata,
    input  wire [3:0]  s_axil_wstrb,
    input  wire        s_axil_wvalid,
    output wire        s_axil_wready,
    output wire [1:0]  s_axil_bresp,
    output wire        s_axil_bvalid,
    input  wire        s_axil_bready,
    input  wire [19:0] s_axil_araddr,
    input  wire        s_axil_arvalid,
    output wire        s_axil_arready,
    output wire [31:0] s_axil_rdata,
    output wire [1:0]  s_axil_rresp,
    output wire        s_axil_rvalid,
    input  wire        s_axil_rready,
    output wire        irq
);
    localparam FE  = `TOTEM_FE_COUNT;
    localparam SE  = `TOTEM_SE_COUNT;
    localparam RID = `TOTEM_READER_BITS;
    localparam WID = `TOTEM_WRITE_ID_BITS;
    localparam QB  = `TOTEM_QUEUE_BITS;
    localparam EB  = `TOTEM_EPOCH_BITS;
    localparam SB  = `TOTEM_SLOT_BITS;
    localparam E   = `TOTEM_EPOCHS;
    localparam NO_REGISTER = 5'd1;

    // memory
    wire [FE*WID-1:0] awid, bid;
    wire [FE*RID-1:0] arid, rid;
    wire [FE*40-1:0]  awaddr, araddr;
    wire [FE*8-1:0]   arlen, wstrb;
    wire [FE*64-1:0]  wdata, rdata;
    wire [FE*2-1:0]   bresp, rresp;
    wire [FE-1:0]     awvalid, awready, wlast, wvalid, wready, bvalid, bready, arvalid, arready, rlast, rvalid, rready;

    // engines
    wire [SE-1:0]     launch_valid, launch_ready, done_valid, kill_valid, wave_host_valid;
    wire [SE*SB-1:0]  launch_slot, done_slot;
    wire [SE*2-1:0]   launch_fe, launch_pipe, kill_fe, kill_pipe;
    wire [SE*QB-1:0]  launch_queue, kill_queue;
    wire [SE*EB-1:0]  launch_epoch;
    wire [SE*E-1:0]   kill_epochs;
    wire [SE*5-1:0]   state_index;
    wire [SE*64-1:0]  state_data;

    totem_core totem (
        .clk(clk), .rst(rst),
        .s_axil_awaddr(s_axil_awaddr), .s_axil_awprot(3'd0), .s_axil_awvalid(s_axil_awvalid),
        .s_axil_awready(s_axil_awready), .s_axil_wdata(s_axil_wdata), .s_axil_wstrb(s_axil_wstrb),
        .s_axil_wvalid(s_axil_wvalid), .s_axil_wready(s_axil_wready), .s_axil_bresp(s_axil_bresp),
        .s_axil_bvalid(s_axil_bvalid), .s_axil_bready(s_axil_bready),
        .s_axil_araddr(s_axil_araddr), .s_axil_arprot(3'd0), .s_axil_arvalid(s_axil_arvalid),
        .s_axil_arready(s_axil_arready), .s_axil_rdata(s_axil_rdata), .s_axil_rresp(s_axil_rresp),
        .s_axil_rvalid(s_axil_rvalid), .s_axil_rready(s_axil_rready),
        .irq(irq),
        // All bursts are INCR, of 8-byte beats; the last one of a write says its length.
        .m_axi_awid(awid), .m_axi_awaddr(awaddr), .m_axi_awlen(), .m_axi_awsize(), .m_axi_awburst(), .m_axi_awlock(),
        .m_axi_awvalid(awvalid), .m_axi_awready(awready),
        .m_axi_wdata(wdata), .m_axi_wstrb(wstrb), .m_axi_wlast(wlast), .m_axi_wvalid(wvalid), .m_axi_wready(wready),
        .m_axi_bid(bid), .m_axi_bresp(bresp), .m_axi_bvalid(bvalid), .m_axi_bready(bready),
        .m_axi_arid(arid), .m_axi_araddr(araddr), .m_axi_arlen(arlen), .m_axi_arsize(), .m_axi_arburst(),
        .m_axi_arlock(), .m_axi_arvalid(arvalid), .m_axi_arready(arready),
        .m_axi_rid(rid), .m_axi_rdata(rdata), .m_axi_rresp(rresp), .m_axi_rlast(rlast), .m_axi_rvalid(rvalid),
        .m_axi_rready(rready),
        .launch_valid(launch_valid), .launch_ready(launch_ready), .launch_slot(launch_slot), .launch_fe(launch_fe),
        .launch_pipe(launch_pipe), .launch_queue(launch_queue), .launch_epoch(launch_epoch),
        .state_index(state_index), .state_data(state_data),
        // What a wave is: for cores that run programs.
        .launch_program(), .launch_kind(), .launch_path(), .launch_group(), .launch_index(), .launch_waves(),
        .launch_wave32(), .launch_threads(), .launch_vgprs(), .launch_lds(), .launch_invalidate(), .launch_buffer(),
        .launch_state_new(), .launch_primitives(), .launch_draw(), .launch_set(),
        .done_valid(done_valid), .done_slot(done_slot),
        .kill_valid(kill_valid), .kill_fe(kill_fe), .kill_pipe(kill_pipe), .kill_queue(kill_queue),
        .kill_epochs(kill_epochs), .kill_path(),
        .export_valid({SE{1'b0}}), .export_slot({SE*SB{1'b0}}), .export_primitives({SE{9'd0}}),
        .export_pixels({SE{20'd0}}), .export_ready(),
        .task_valid({SE{1'b0}}), .task_pointer({SE{32'd0}}), .task_fe({SE{2'd0}}), .task_pipe({SE{2'd0}}),
        .task_queue({SE*QB{1'b0}}), .task_epoch({SE*EB{1'b0}}), .task_ready(), .task_refused(),
        .wave_host_valid(wave_host_valid), .wave_host_done(wave_host_valid), .wave_host_error({SE{NO_REGISTER}}),
        .wave_host_rdata({SE{32'd0}}), .host_write(), .host_dword(), .host_strobe(), .host_data()
    );

    genvar s;
    generate for (s = 0; s < SE; s = s + 1) begin : engine
        soc_core #(.SLOTS(`TOTEM_SLOTS), .EPOCHS(E), .QUEUE_BITS(QB), .EPOCH_BITS(EB), .SLOT_BITS(SB)) core (
            .clk(clk), .rst(rst),
            .launch_valid(launch_valid[s]), .launch_ready(launch_ready[s]), .launch_slot(launch_slot[s*SB +: SB]),
            .launch_fe(launch_fe[s*2 +: 2]), .launch_pipe(launch_pipe[s*2 +: 2]),
            .launch_queue(launch_queue[s*QB +: QB]), .launch_epoch(launch_epoch[s*EB +: EB]),
            .state_index(state_index[s*5 +: 5]), .state_data(state_data[s*64 +: 64]),
            .done_valid(done_valid[s]), .done_slot(done_slot[s*SB +: SB]),
            .kill_valid(kill_valid[s]), .kill_fe(kill_fe[s*2 +: 2]), .kill_pipe(kill_pipe[s*2 +: 2]),
            .kill_queue(kill_queue[s*QB +: QB]), .kill_epochs(kill_epochs[s*E +: E])
        );
    end endgenerate

    soc_ram #(.PORTS(FE), .READ_ID_BITS(RID), .WRITE_ID_BITS(WID), .ADDRESS_BITS(RAM_BITS)) ram (
        .clk(clk), .rst(rst),
        .awid(awid), .awaddr(awaddr), .awvalid(awvalid), .awready(awready),
        .wdata(wdata), .wstrb(wstrb), .wlast(wlast), .wvalid(wvalid), .wready(wready),
        .bid(bid), .bresp(bresp), .bvalid(bvalid), .bready(bready),
        .arid(arid), .araddr(araddr), .arlen(arlen), .arvalid(arvalid), .arready(arready),
        .rid(rid), .rdata(rdata), .rresp(rresp), .rlast(rlast), .rvalid(rvalid), .rready(rready)
    );
endmodule

`default_nettype wire
