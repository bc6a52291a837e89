// SPDX-License-Identifier: Apache-2.0
//
// totem_rv32_machine: the machine of a board with one RISC-V core (docs/core.md) in the place of its wave engine.
// Wiring only, for configurations with one front end and one engine. The ports are those of totem, and the core's AXI4
// master.

`default_nettype none

`include "totem_config.vh"

module totem_rv32_machine #(
    parameter READER_BITS   = `TOTEM_READER_BITS,
    parameter WRITE_ID_BITS = `TOTEM_WRITE_ID_BITS,
    parameter DRAW_BITS     = (`TOTEM_DRAW_STATES > 1) ? $clog2(`TOTEM_DRAW_STATES) : 1,
    parameter SET_BITS      = (`TOTEM_SETS > 1) ? $clog2(`TOTEM_SETS) : 1
) (
    input  wire                     clk,
    input  wire                     rst,
    // pins
    input  wire [19:0]              s_axil_awaddr,
    input  wire [2:0]               s_axil_awprot,
    input  wire                     s_axil_awvalid,
    input  wire [31:0]              s_axil_wdata,
    input  wire [3:0]               s_axil_wstrb,
    input  wire                     s_axil_wvalid,
    input  wire                     s_axil_bready,
    input  wire [19:0]              s_axil_araddr,
    input  wire [2:0]               s_axil_arprot,
    input  wire                     s_axil_arvalid,
    input  wire                     s_axil_rready,
    input  wire                     m_axi_awready,
    input  wire                     m_axi_wready,
    input  wire [WRITE_ID_BITS-1:0] m_axi_bid,
    input  wire [1:0]               m_axi_bresp,
    input  wire                     m_axi_bvalid,
    input  wire                     m_axi_arready,
    input  wire [READER_BITS-1:0]   m_axi_rid,
    input  wire [63:0]              m_axi_rdata,
    input  wire [1:0]               m_axi_rresp,
    input  wire                     m_axi_rlast,
    input  wire                     m_axi_rvalid,
    output wire                     s_axil_awready,
    output wire                     s_axil_wready,
    output wire [1:0]               s_axil_bresp,
    output wire                     s_axil_bvalid,
    output wire                     s_axil_arready,
    output wire [31:0]              s_axil_rdata,
    output wire [1:0]               s_axil_rresp,
    output wire                     s_axil_rvalid,
    output wire                     irq,
    output wire [WRITE_ID_BITS-1:0] m_axi_awid,
    output wire [39:0]              m_axi_awaddr,
    output wire [7:0]               m_axi_awlen,
    output wire [2:0]               m_axi_awsize,
    output wire [1:0]               m_axi_awburst,
    output wire                     m_axi_awlock,
    output wire                     m_axi_awvalid,
    output wire [63:0]              m_axi_wdata,
    output wire [7:0]               m_axi_wstrb,
    output wire                     m_axi_wlast,
    output wire                     m_axi_wvalid,
    output wire                     m_axi_bready,
    output wire [READER_BITS-1:0]   m_axi_arid,
    output wire [39:0]              m_axi_araddr,
    output wire [7:0]               m_axi_arlen,
    output wire [2:0]               m_axi_arsize,
    output wire [1:0]               m_axi_arburst,
    output wire                     m_axi_arlock,
    output wire                     m_axi_arvalid,
    output wire                     m_axi_rready,
    // core
    input  wire [63:0]              core_rdata,
    input  wire [1:0]               core_rresp,
    input  wire                     core_rlast,
    input  wire                     core_rvalid,
    input  wire                     core_arready,
    input  wire                     core_awready,
    input  wire                     core_wready,
    input  wire [1:0]               core_bresp,
    input  wire                     core_bvalid,
    output wire [39:0]              core_araddr,
    output wire [7:0]               core_arlen,
    output wire                     core_arvalid,
    output wire                     core_rready,
    output wire [39:0]              core_awaddr,
    output wire                     core_awvalid,
    output wire [63:0]              core_wdata,
    output wire [7:0]               core_wstrb,
    output wire                     core_wlast,
    output wire                     core_wvalid,
    output wire                     core_bready
);
    generate
        if (`TOTEM_FE_COUNT != 1 || `TOTEM_SE_COUNT != 1) begin : check
            totem_rv32_machine_needs_one_front_end_and_one_engine refused ();
        end
    endgenerate

    wire                         launch_valid, launch_wave32, launch_ready, export_valid, export_ready, task_valid,
                                 task_ready, task_refused, kill_valid, done_valid, host_valid, host_write, host_done;
    wire [1:0]                   launch_kind, launch_fe, launch_pipe, task_fe, task_pipe, kill_fe, kill_pipe;
    wire [`TOTEM_QUEUE_BITS-1:0] launch_queue, task_queue, kill_queue;
    wire [`TOTEM_EPOCH_BITS-1:0] launch_epoch, task_epoch;
    wire [63:0]                  launch_group, state_data;
    wire [6:0]                   launch_index, launch_waves, launch_threads, launch_primitives;
    wire [39:0]                  launch_program;
    wire [8:0]                   launch_lds, export_primitives;
    wire [`TOTEM_SLOT_BITS-1:0]  launch_slot, export_slot, done_slot;
    wire [DRAW_BITS-1:0]         launch_draw;
    wire [SET_BITS-1:0]          launch_set;
    wire [4:0]                   state_index, host_error;
    wire [19:0]                  export_pixels;
    wire [31:0]                  task_pointer, host_data, host_rdata;
    wire [`TOTEM_EPOCHS-1:0]     kill_epochs;
    wire [7:0]                   host_dword;
    wire [3:0]                   host_strobe;

    totem_core core (
        .clk(clk), .rst(rst), .s_axil_awaddr(s_axil_awaddr), .s_axil_awprot(s_axil_awprot),
        .s_axil_awvalid(s_axil_awvalid), .s_axil_wdata(s_axil_wdata), .s_axil_wstrb(s_axil_wstrb),
        .s_axil_wvalid(s_axil_wvalid), .s_axil_bready(s_axil_bready), .s_axil_araddr(s_axil_araddr),
        .s_axil_arprot(s_axil_arprot), .s_axil_arvalid(s_axil_arvalid), .s_axil_rready(s_axil_rready),
        .m_axi_awready(m_axi_awready), .m_axi_wready(m_axi_wready), .m_axi_bid(m_axi_bid), .m_axi_bresp(m_axi_bresp),
        .m_axi_bvalid(m_axi_bvalid), .m_axi_arready(m_axi_arready), .m_axi_rid(m_axi_rid), .m_axi_rdata(m_axi_rdata),
        .m_axi_rresp(m_axi_rresp), .m_axi_rlast(m_axi_rlast), .m_axi_rvalid(m_axi_rvalid),
        .s_axil_awready(s_axil_awready), .s_axil_wready(s_axil_wready), .s_axil_bresp(s_axil_bresp),
        .s_axil_bvalid(s_axil_bvalid), .s_axil_arready(s_axil_arready), .s_axil_rdata(s_axil_rdata),
        .s_axil_rresp(s_axil_rresp), .s_axil_rvalid(s_axil_rvalid), .irq(irq), .m_axi_awid(m_axi_awid),
        .m_axi_awaddr(m_axi_awaddr), .m_axi_awlen(m_axi_awlen), .m_axi_awsize(m_axi_awsize),
        .m_axi_awburst(m_axi_awburst), .m_axi_awlock(m_axi_awlock), .m_axi_awvalid(m_axi_awvalid),
        .m_axi_wdata(m_axi_wdata), .m_axi_wstrb(m_axi_wstrb), .m_axi_wlast(m_axi_wlast), .m_axi_wvalid(m_axi_wvalid),
        .m_axi_bready(m_axi_bready), .m_axi_arid(m_axi_arid), .m_axi_araddr(m_axi_araddr), .m_axi_arlen(m_axi_arlen),
        .m_axi_arsize(m_axi_arsize), .m_axi_arburst(m_axi_arburst), .m_axi_arlock(m_axi_arlock),
        .m_axi_arvalid(m_axi_arvalid), .m_axi_rready(m_axi_rready), .launch_valid(launch_valid),
        .launch_kind(launch_kind), .launch_fe(launch_fe), .launch_pipe(launch_pipe), .launch_queue(launch_queue),
        .launch_epoch(launch_epoch), .launch_group(launch_group), .launch_index(launch_index),
        .launch_waves(launch_waves), .launch_wave32(launch_wave32), .launch_threads(launch_threads),
        .launch_program(launch_program), .launch_lds(launch_lds), .launch_slot(launch_slot),
        .launch_draw(launch_draw), .launch_set(launch_set), .launch_primitives(launch_primitives),
        .launch_ready(launch_ready), .state_index(state_index), .state_data(state_data), .export_valid(export_valid),
        .export_slot(export_slot), .export_primitives(export_primitives), .export_pixels(export_pixels),
        .export_ready(export_ready), .task_valid(task_valid), .task_pointer(task_pointer), .task_fe(task_fe),
        .task_pipe(task_pipe), .task_queue(task_queue), .task_epoch(task_epoch), .task_ready(task_ready),
        .task_refused(task_refused), .kill_valid(kill_valid), .kill_fe(kill_fe), .kill_pipe(kill_pipe),
        .kill_queue(kill_queue), .kill_epochs(kill_epochs), .done_valid(done_valid), .done_slot(done_slot),
        .wave_host_valid(host_valid), .host_write(host_write), .host_dword(host_dword), .host_strobe(host_strobe),
        .host_data(host_data), .wave_host_done(host_done), .wave_host_error(host_error), .wave_host_rdata(host_rdata),
        .launch_path(), .launch_state_new(), .launch_invalidate(), .launch_vgprs(), .launch_buffer(), .kill_path()
    );

    totem_rv32 #(.CORES(1)) rv32 (
        .clk(clk), .rst(rst), .launch_valid(launch_valid), .launch_kind(launch_kind), .launch_fe(launch_fe),
        .launch_pipe(launch_pipe), .launch_queue(launch_queue), .launch_epoch(launch_epoch),
        .launch_group(launch_group), .launch_index(launch_index), .launch_waves(launch_waves),
        .launch_wave32(launch_wave32), .launch_threads(launch_threads), .launch_program(launch_program),
        .launch_lds(launch_lds), .launch_slot(launch_slot), .launch_draw({{4-DRAW_BITS{1'b0}}, launch_draw}),
        .launch_set({{3-SET_BITS{1'b0}}, launch_set}), .launch_primitives(launch_primitives),
        .launch_ready(launch_ready), .state_index(state_index), .state_data(state_data), .export_valid(export_valid),
        .export_slot(export_slot), .export_primitives(export_primitives), .export_pixels(export_pixels),
        .export_ready(export_ready), .task_valid(task_valid), .task_pointer(task_pointer), .task_fe(task_fe),
        .task_pipe(task_pipe), .task_queue(task_queue), .task_epoch(task_epoch), .task_ready(task_ready),
        .task_refused(task_refused), .kill_valid(kill_valid), .kill_fe(kill_fe), .kill_pipe(kill_pipe),
        .kill_queue(kill_queue), .kill_epochs(kill_epochs), .done_valid(done_valid), .done_slot(done_slot),
        .host_valid(host_valid), .host_write(host_write), .host_dword(host_dword), .host_strobe(host_strobe),
        .host_data(host_data), .host_done(host_done), .host_error(host_error), .host_rdata(host_rdata), .m_axi_arid(),
        .m_axi_araddr(core_araddr), .m_axi_arlen(core_arlen), .m_axi_arsize(), .m_axi_arburst(),
        .m_axi_arvalid(core_arvalid), .m_axi_arready(core_arready), .m_axi_rid(1'b0), .m_axi_rdata(core_rdata),
        .m_axi_rresp(core_rresp), .m_axi_rlast(core_rlast), .m_axi_rvalid(core_rvalid), .m_axi_rready(core_rready),
        .m_axi_awid(), .m_axi_awaddr(core_awaddr), .m_axi_awlen(), .m_axi_awsize(), .m_axi_awburst(),
        .m_axi_awvalid(core_awvalid), .m_axi_awready(core_awready), .m_axi_wdata(core_wdata),
        .m_axi_wstrb(core_wstrb), .m_axi_wlast(core_wlast), .m_axi_wvalid(core_wvalid), .m_axi_wready(core_wready),
        .m_axi_bid(1'b0), .m_axi_bresp(core_bresp), .m_axi_bvalid(core_bvalid), .m_axi_bready(core_bready)
    );
endmodule

`default_nettype wire
