// SPDX-License-Identifier: Apache-2.0
//
// totem_board: the machine with memory, run control, signature, trace and a serial line, as it stands on a board. Wiring
// only; what a board adds are clock, reset and lights (fpga/<board>/). Twin: tb/lockstep/session/run_board_model.c,
// without the serial line.
//
// Boundary  one front end. `heard` is 1 for one clock with every right frame; `failed`, `running`, `machine_reset` as
//           in docs/contract/boot.md; `dropped` frames since reset.

`default_nettype none

`include "totem_config.vh"

module totem_board #(
    parameter NUMBER       = 0,             // of the board: 0 simulation
    parameter CLOCK_KHZ    = 25000,
    parameter BYTES        = 262144,        // system memory, a power of two from 4096
    parameter DIVIDE       = 25,            // clocks of a bit on the serial line, 4 or more
    parameter LIST_ENTRIES = 512,
    parameter POINTS       = 512,
    parameter RECORDS      = 512,           // of the trace
    parameter FE_COUNT     = `TOTEM_FE_COUNT,
    parameter READERS      = `TOTEM_READERS,
    parameter STREAMS      = `TOTEM_STREAMS,
    parameter FENCES       = `TOTEM_FENCES,
    parameter READER_BITS   = (READERS > 1) ? $clog2(READERS) : 1,
    parameter WRITE_ID_BITS = 1 + $clog2(STREAMS > FENCES ? STREAMS : FENCES)
) (
    input  wire        clk,
    input  wire        rst,
    input  wire        rxd,
    output wire        txd,
    output wire        heard,
    output wire        machine_reset,
    output wire        running,
    output wire        failed,
    output wire        irq_pin,
    output wire [15:0] dropped
);
    localparam        WORD_BITS  = $clog2(BYTES / 8);
    localparam        PLACE_BITS = $clog2(4 * LIST_ENTRIES);
    localparam        POINT_BITS = $clog2(POINTS);
    localparam        RECORD_BITS = $clog2(RECORDS);
    // With TOTEM_FOLDS the machine's wiring has that many folds (docs/contract/fold.md).
`ifdef TOTEM_FOLDS
    localparam [15:0] FOLDS      = `TOTEM_FOLDS;
`else
    localparam [15:0] FOLDS      = 16'd0;
`endif
    // With TOTEM_RV32 a RISC-V core stands in the place of the wave engine.
`ifdef TOTEM_RV32
    localparam        CORE       = 1'b1;
`else
    localparam        CORE       = 1'b0;
`endif
    localparam [31:0] FEATURES   = {28'd0, CORE, FOLDS != 16'd0, 2'd3};     // core, folds, trace, signature

    // uart
    wire                              uart_byte_valid;
    wire [7:0]                        uart_byte_data;
    wire                              uart_byte_broken;
    wire                              uart_ready;
    // frame
    wire                              frame_send_valid;
    wire [7:0]                        frame_send_data;
    wire                              frame_head_valid;
    wire                              frame_head_second;
    wire [31:0]                       frame_head_data;
    wire                              request_write_enable;
    wire [5:0]                        request_write_addr;
    wire [31:0]                       request_write_data;
    wire                              frame_end_valid;
    wire [6:0]                        frame_end_words;
    wire [15:0]                       frame_dropped;
    wire                              frame_answer_ready;
    // bridge
    wire                              request_read_enable;
    wire [5:0]                        request_read_addr;
    wire [31:0]                       request_read_data;
    wire                              response_write_enable;
    wire [5:0]                        response_write_addr;
    wire [31:0]                       response_write_data;
    wire                              response_read_enable;
    wire [5:0]                        response_read_addr;
    wire [31:0]                       response_read_data;
    wire                              bridge_busy;
    wire                              bridge_answer_valid;
    wire [31:0]                       bridge_answer_data;
    wire                              bridge_answer_last;
    wire                              bridge_memory_valid;
    wire                              bridge_machine_valid;
    wire                              bridge_control_valid;
    wire                              bridge_points_valid;
    wire                              bridge_trace_valid;
    wire                              bridge_request_write;
    wire [31:0]                       bridge_request_address;
    wire [31:0]                       bridge_request_data;
    // boot
    wire                              boot_machine_done;
    wire [2:0]                        boot_machine_status;
    wire [31:0]                       boot_machine_rdata;
    wire                              boot_control_done;
    wire [2:0]                        boot_control_status;
    wire [31:0]                       boot_control_rdata;
    wire                              boot_busy;
    wire                              boot_reset;
    wire                              boot_start;
    wire                              boot_running;
    wire                              boot_failed;
    wire [19:0]                       s_axil_awaddr;
    wire [2:0]                        s_axil_awprot;
    wire                              s_axil_awvalid;
    wire [31:0]                       s_axil_wdata;
    wire [3:0]                        s_axil_wstrb;
    wire                              s_axil_wvalid;
    wire                              s_axil_bready;
    wire [19:0]                       s_axil_araddr;
    wire [2:0]                        s_axil_arprot;
    wire                              s_axil_arvalid;
    wire                              s_axil_rready;
    wire                              list_write_enable;
    wire [PLACE_BITS-1:0]             list_write_addr;
    wire [31:0]                       list_write_data;
    wire                              list_read_enable;
    wire [PLACE_BITS-1:0]             list_read_addr;
    wire [31:0]                       list_read_data;
    // store
    wire                              store_done;
    wire [31:0]                       store_rdata;
    wire [7:0]                        store_write_enable;
    wire [8*WORD_BITS-1:0]            store_write_addr;
    wire [63:0]                       store_write_data;
    wire [7:0]                        store_read_enable;
    wire [8*WORD_BITS-1:0]            store_read_addr;
    wire [63:0]                       store_read_data;
    // signature
    wire                              signature_done;
    wire [2:0]                        signature_status;
    wire [31:0]                       signature_rdata;
    wire                              fold_live;
    wire                              fold_shift;
    wire [15:0]                       fold_word;
    wire [15:0]                       inner;
    wire                              point_write_enable;
    wire [POINT_BITS-1:0]             point_write_addr;
    wire [63:0]                       point_write_data;
    wire                              point_read_enable;
    wire [POINT_BITS-1:0]             point_read_addr;
    wire [63:0]                       point_read_data;
    // trace
    wire                              trace_done;
    wire [2:0]                        trace_status;
    wire [31:0]                       trace_rdata;
    wire                              record_write_enable;
    wire [RECORD_BITS-1:0]            record_write_addr;
    wire [127:0]                      record_write_data;
    wire                              record_read_enable;
    wire [RECORD_BITS-1:0]            record_read_addr;
    wire [127:0]                      record_read_data;
    // totem
    wire [FE_COUNT-1:0]               m_axi_awready;
    wire [FE_COUNT-1:0]               m_axi_wready;
    wire [FE_COUNT*WRITE_ID_BITS-1:0] m_axi_bid;
    wire [FE_COUNT*2-1:0]             m_axi_bresp;
    wire [FE_COUNT-1:0]               m_axi_bvalid;
    wire [FE_COUNT-1:0]               m_axi_arready;
    wire [FE_COUNT*READER_BITS-1:0]   m_axi_rid;
    wire [FE_COUNT*64-1:0]            m_axi_rdata;
    wire [FE_COUNT*2-1:0]             m_axi_rresp;
    wire [FE_COUNT-1:0]               m_axi_rlast;
    wire [FE_COUNT-1:0]               m_axi_rvalid;
    wire                              s_axil_awready;
    wire                              s_axil_wready;
    wire [1:0]                        s_axil_bresp;
    wire                              s_axil_bvalid;
    wire                              s_axil_arready;
    wire [31:0]                       s_axil_rdata;
    wire [1:0]                        s_axil_rresp;
    wire                              s_axil_rvalid;
    wire                              irq;
    wire [FE_COUNT*WRITE_ID_BITS-1:0] m_axi_awid;
    wire [FE_COUNT*40-1:0]            m_axi_awaddr;
    wire [FE_COUNT*8-1:0]             m_axi_awlen;
    wire [FE_COUNT*3-1:0]             m_axi_awsize;
    wire [FE_COUNT*2-1:0]             m_axi_awburst;
    wire [FE_COUNT-1:0]               m_axi_awlock;
    wire [FE_COUNT-1:0]               m_axi_awvalid;
    wire [FE_COUNT*64-1:0]            m_axi_wdata;
    wire [FE_COUNT*8-1:0]             m_axi_wstrb;
    wire [FE_COUNT-1:0]               m_axi_wlast;
    wire [FE_COUNT-1:0]               m_axi_wvalid;
    wire [FE_COUNT-1:0]               m_axi_bready;
    wire [FE_COUNT*READER_BITS-1:0]   m_axi_arid;
    wire [FE_COUNT*40-1:0]            m_axi_araddr;
    wire [FE_COUNT*8-1:0]             m_axi_arlen;
    wire [FE_COUNT*3-1:0]             m_axi_arsize;
    wire [FE_COUNT*2-1:0]             m_axi_arburst;
    wire [FE_COUNT-1:0]               m_axi_arlock;
    wire [FE_COUNT-1:0]               m_axi_arvalid;
    wire [FE_COUNT-1:0]               m_axi_rready;
    // core
    wire [39:0]                       core_araddr, core_awaddr;
    wire [7:0]                        core_arlen, core_wstrb;
    wire [63:0]                       core_rdata, core_wdata;
    wire [1:0]                        core_rresp, core_bresp;
    wire                              core_arvalid, core_arready, core_rvalid, core_rready, core_rlast;
    wire                              core_awvalid, core_awready, core_wvalid, core_wready, core_wlast;
    wire                              core_bvalid, core_bready;

    assign heard         = frame_end_valid;
    assign machine_reset = boot_reset;
    assign running       = boot_running;
    assign failed        = boot_failed;
    assign irq_pin     = irq;
    assign dropped       = frame_dropped;

    totem_uart uart (
        .clk(clk), .rst(rst), .divide(DIVIDE[15:0]), .rxd(rxd), .txd(txd), .byte_valid(uart_byte_valid),
        .byte_data(uart_byte_data), .byte_broken(uart_byte_broken), .frame_send_valid(frame_send_valid),
        .frame_send_data(frame_send_data), .ready(uart_ready)
    );

    totem_frame frame (
        .clk(clk), .rst(rst), .uart_byte_valid(uart_byte_valid), .uart_byte_data(uart_byte_data),
        .uart_byte_broken(uart_byte_broken), .uart_ready(uart_ready), .send_valid(frame_send_valid),
        .send_data(frame_send_data), .head_valid(frame_head_valid), .head_second(frame_head_second),
        .head_data(frame_head_data), .request_write_enable(request_write_enable),
        .request_write_addr(request_write_addr), .request_write_data(request_write_data),
        .end_valid(frame_end_valid), .end_words(frame_end_words), .dropped(frame_dropped),
        .bridge_busy(bridge_busy), .bridge_answer_valid(bridge_answer_valid),
        .bridge_answer_data(bridge_answer_data), .bridge_answer_last(bridge_answer_last),
        .answer_ready(frame_answer_ready)
    );

    totem_bridge bridge (
        .clk(clk), .rst(rst), .frame_head_valid(frame_head_valid), .frame_head_second(frame_head_second),
        .frame_head_data(frame_head_data), .frame_end_valid(frame_end_valid), .frame_end_words(frame_end_words),
        .frame_dropped(frame_dropped), .frame_answer_ready(frame_answer_ready),
        .request_read_enable(request_read_enable), .request_read_addr(request_read_addr),
        .request_read_data(request_read_data), .response_write_enable(response_write_enable),
        .response_write_addr(response_write_addr), .response_write_data(response_write_data),
        .response_read_enable(response_read_enable), .response_read_addr(response_read_addr),
        .response_read_data(response_read_data), .busy(bridge_busy), .answer_valid(bridge_answer_valid),
        .answer_data(bridge_answer_data), .answer_last(bridge_answer_last), .memory_valid(bridge_memory_valid),
        .machine_valid(bridge_machine_valid), .control_valid(bridge_control_valid),
        .points_valid(bridge_points_valid), .trace_valid(bridge_trace_valid), .request_write(bridge_request_write),
        .request_address(bridge_request_address), .request_data(bridge_request_data), .store_done(store_done),
        .store_rdata(store_rdata), .boot_machine_done(boot_machine_done),
        .boot_machine_status(boot_machine_status), .boot_machine_rdata(boot_machine_rdata),
        .boot_control_done(boot_control_done), .boot_control_status(boot_control_status),
        .boot_control_rdata(boot_control_rdata), .boot_busy(boot_busy), .signature_done(signature_done),
        .signature_status(signature_status), .signature_rdata(signature_rdata),
        .trace_done(trace_done), .trace_status(trace_status), .trace_rdata(trace_rdata),
        .board_config(`TOTEM_CONFIG_HASH), .board_memory(BYTES[31:0]), .board_clock(CLOCK_KHZ[31:0]),
        .board_entries(LIST_ENTRIES[15:0]), .board_points(POINTS[15:0]), .board_records(RECORDS[15:0]),
        .board_folds(FOLDS),
        .board_features(FEATURES), .board_number(NUMBER[31:0])
    );

    totem_boot #(.LIST_ENTRIES(LIST_ENTRIES)) boot (
        .clk(clk), .rst(rst), .bridge_machine_valid(bridge_machine_valid),
        .bridge_control_valid(bridge_control_valid), .bridge_request_write(bridge_request_write),
        .bridge_request_address(bridge_request_address), .bridge_request_data(bridge_request_data),
        .machine_done(boot_machine_done), .machine_status(boot_machine_status),
        .machine_rdata(boot_machine_rdata), .control_done(boot_control_done),
        .control_status(boot_control_status), .control_rdata(boot_control_rdata), .busy(boot_busy),
        .reset(boot_reset), .start(boot_start), .running(boot_running), .failed(boot_failed),
        .s_axil_awaddr(s_axil_awaddr), .s_axil_awprot(s_axil_awprot), .s_axil_awvalid(s_axil_awvalid),
        .s_axil_awready(s_axil_awready), .s_axil_wdata(s_axil_wdata), .s_axil_wstrb(s_axil_wstrb),
        .s_axil_wvalid(s_axil_wvalid), .s_axil_wready(s_axil_wready), .s_axil_bresp(s_axil_bresp),
        .s_axil_bvalid(s_axil_bvalid), .s_axil_bready(s_axil_bready), .s_axil_araddr(s_axil_araddr),
        .s_axil_arprot(s_axil_arprot), .s_axil_arvalid(s_axil_arvalid), .s_axil_arready(s_axil_arready),
        .s_axil_rdata(s_axil_rdata), .s_axil_rresp(s_axil_rresp), .s_axil_rvalid(s_axil_rvalid),
        .s_axil_rready(s_axil_rready), .irq(irq), .list_write_enable(list_write_enable),
        .list_write_addr(list_write_addr), .list_write_data(list_write_data),
        .list_read_enable(list_read_enable), .list_read_addr(list_read_addr), .list_read_data(list_read_data)
    );

    totem_store #(.BYTES(BYTES), .READERS(READERS), .STREAMS(STREAMS), .FENCES(FENCES)) store (
        .clk(clk), .rst(rst), .boot_reset(boot_reset), .m_axi_awid(m_axi_awid), .m_axi_awaddr(m_axi_awaddr),
        .m_axi_awlock(m_axi_awlock), .m_axi_awvalid(m_axi_awvalid), .m_axi_awready(m_axi_awready),
        .m_axi_wdata(m_axi_wdata), .m_axi_wstrb(m_axi_wstrb), .m_axi_wlast(m_axi_wlast),
        .m_axi_wvalid(m_axi_wvalid), .m_axi_wready(m_axi_wready), .m_axi_bid(m_axi_bid),
        .m_axi_bresp(m_axi_bresp), .m_axi_bvalid(m_axi_bvalid), .m_axi_bready(m_axi_bready),
        .m_axi_arid(m_axi_arid), .m_axi_araddr(m_axi_araddr), .m_axi_arlen(m_axi_arlen),
        .m_axi_arlock(m_axi_arlock), .m_axi_arvalid(m_axi_arvalid), .m_axi_arready(m_axi_arready),
        .m_axi_rid(m_axi_rid), .m_axi_rdata(m_axi_rdata), .m_axi_rresp(m_axi_rresp), .m_axi_rlast(m_axi_rlast),
        .m_axi_rvalid(m_axi_rvalid), .m_axi_rready(m_axi_rready), .core_awaddr(core_awaddr),
        .core_awvalid(core_awvalid), .core_awready(core_awready), .core_wdata(core_wdata),
        .core_wstrb(core_wstrb), .core_wlast(core_wlast), .core_wvalid(core_wvalid), .core_wready(core_wready),
        .core_bresp(core_bresp), .core_bvalid(core_bvalid), .core_bready(core_bready), .core_araddr(core_araddr),
        .core_arlen(core_arlen), .core_arvalid(core_arvalid), .core_arready(core_arready),
        .core_rdata(core_rdata), .core_rresp(core_rresp), .core_rlast(core_rlast), .core_rvalid(core_rvalid),
        .core_rready(core_rready), .bridge_memory_valid(bridge_memory_valid),
        .bridge_request_write(bridge_request_write), .bridge_request_address(bridge_request_address),
        .bridge_request_data(bridge_request_data), .done(store_done), .rdata(store_rdata),
        .ram_write_enable(store_write_enable), .ram_write_addr(store_write_addr),
        .ram_write_data(store_write_data), .ram_read_enable(store_read_enable), .ram_read_addr(store_read_addr),
        .ram_read_data(store_read_data)
    );

    totem_signature #(.FE_COUNT(FE_COUNT), .READERS(READERS), .STREAMS(STREAMS), .FENCES(FENCES),
        .POINTS(POINTS)) signature (
        .clk(clk), .rst(rst), .boot_start(boot_start), .boot_running(boot_running),
        .s_axil_awready(s_axil_awready), .s_axil_wready(s_axil_wready), .s_axil_bresp(s_axil_bresp),
        .s_axil_bvalid(s_axil_bvalid), .s_axil_arready(s_axil_arready), .s_axil_rdata(s_axil_rdata),
        .s_axil_rresp(s_axil_rresp), .s_axil_rvalid(s_axil_rvalid), .irq(irq), .m_axi_awid(m_axi_awid),
        .m_axi_awaddr(m_axi_awaddr), .m_axi_awlen(m_axi_awlen), .m_axi_awsize(m_axi_awsize),
        .m_axi_awburst(m_axi_awburst), .m_axi_awlock(m_axi_awlock), .m_axi_awvalid(m_axi_awvalid),
        .m_axi_wdata(m_axi_wdata), .m_axi_wstrb(m_axi_wstrb), .m_axi_wlast(m_axi_wlast),
        .m_axi_wvalid(m_axi_wvalid), .m_axi_bready(m_axi_bready), .m_axi_arid(m_axi_arid),
        .m_axi_araddr(m_axi_araddr), .m_axi_arlen(m_axi_arlen), .m_axi_arsize(m_axi_arsize),
        .m_axi_arburst(m_axi_arburst), .m_axi_arlock(m_axi_arlock), .m_axi_arvalid(m_axi_arvalid),
        .m_axi_rready(m_axi_rready), .bridge_points_valid(bridge_points_valid),
        .bridge_request_write(bridge_request_write), .bridge_request_address(bridge_request_address),
        .bridge_request_data(bridge_request_data), .done(signature_done), .status(signature_status),
        .rdata(signature_rdata), .fold_live(fold_live), .fold_shift(fold_shift), .fold_word(fold_word),
        .point_write_enable(point_write_enable), .point_write_addr(point_write_addr),
        .point_write_data(point_write_data), .point_read_enable(point_read_enable),
        .point_read_addr(point_read_addr), .point_read_data(point_read_data)
    );

    totem_trace #(.FE_COUNT(FE_COUNT), .SIGNALS(16), .RECORDS(RECORDS)) trace (
        .clk(clk), .rst(rst), .boot_start(boot_start), .boot_running(boot_running), .s_axil_awaddr(s_axil_awaddr),
        .s_axil_awvalid(s_axil_awvalid), .s_axil_awready(s_axil_awready), .s_axil_wdata(s_axil_wdata),
        .s_axil_wvalid(s_axil_wvalid), .s_axil_wready(s_axil_wready), .s_axil_bresp(s_axil_bresp),
        .s_axil_bvalid(s_axil_bvalid), .s_axil_bready(s_axil_bready), .s_axil_araddr(s_axil_araddr),
        .s_axil_arvalid(s_axil_arvalid), .s_axil_arready(s_axil_arready), .s_axil_rdata(s_axil_rdata),
        .s_axil_rresp(s_axil_rresp), .s_axil_rvalid(s_axil_rvalid), .s_axil_rready(s_axil_rready), .irq(irq),
        .m_axi_awvalid(m_axi_awvalid), .m_axi_awready(m_axi_awready), .m_axi_wvalid(m_axi_wvalid),
        .m_axi_wready(m_axi_wready), .m_axi_bresp(m_axi_bresp), .m_axi_bvalid(m_axi_bvalid),
        .m_axi_bready(m_axi_bready), .m_axi_arvalid(m_axi_arvalid), .m_axi_arready(m_axi_arready),
        .m_axi_rresp(m_axi_rresp), .m_axi_rvalid(m_axi_rvalid), .m_axi_rready(m_axi_rready), .inner(inner),
        .bridge_trace_valid(bridge_trace_valid), .bridge_request_write(bridge_request_write),
        .bridge_request_address(bridge_request_address), .bridge_request_data(bridge_request_data),
        .done(trace_done), .status(trace_status), .rdata(trace_rdata), .record_write_enable(record_write_enable),
        .record_write_addr(record_write_addr), .record_write_data(record_write_data),
        .record_read_enable(record_read_enable), .record_read_addr(record_read_addr),
        .record_read_data(record_read_data)
    );

`ifndef TOTEM_FOLDS
    assign fold_word = 16'd0;
    assign inner     = 16'd0;
    wire   unused    = &{1'b0, fold_live, fold_shift};
`endif

`ifdef TOTEM_RV32
    totem_rv32_machine machine (
        .core_araddr(core_araddr), .core_arlen(core_arlen), .core_arvalid(core_arvalid),
        .core_arready(core_arready), .core_rdata(core_rdata), .core_rresp(core_rresp), .core_rlast(core_rlast),
        .core_rvalid(core_rvalid), .core_rready(core_rready), .core_awaddr(core_awaddr),
        .core_awvalid(core_awvalid), .core_awready(core_awready), .core_wdata(core_wdata),
        .core_wstrb(core_wstrb), .core_wlast(core_wlast), .core_wvalid(core_wvalid), .core_wready(core_wready),
        .core_bresp(core_bresp), .core_bvalid(core_bvalid), .core_bready(core_bready),
`else
    assign {core_awaddr, core_awvalid, core_wdata, core_wstrb, core_wlast, core_wvalid, core_bready, core_araddr,
            core_arlen, core_arvalid, core_rready} = 0;
    wire   unused_core = &{1'b0, core_awready, core_wready, core_bresp, core_bvalid, core_arready, core_rdata,
                           core_rresp, core_rlast, core_rvalid};

    totem machine (
`endif
`ifdef TOTEM_FOLDS
        .signature_live(fold_live), .signature_shift(fold_shift), .chain_in(fold_word), .chain_out(fold_word),
        .level_in(16'd0), .level_out(inner),
`endif
        .clk(clk), .rst(boot_reset), .s_axil_awaddr(s_axil_awaddr), .s_axil_awprot(s_axil_awprot),
        .s_axil_awvalid(s_axil_awvalid), .s_axil_wdata(s_axil_wdata), .s_axil_wstrb(s_axil_wstrb),
        .s_axil_wvalid(s_axil_wvalid), .s_axil_bready(s_axil_bready), .s_axil_araddr(s_axil_araddr),
        .s_axil_arprot(s_axil_arprot), .s_axil_arvalid(s_axil_arvalid), .s_axil_rready(s_axil_rready),
        .m_axi_awready(m_axi_awready), .m_axi_wready(m_axi_wready), .m_axi_bid(m_axi_bid),
        .m_axi_bresp(m_axi_bresp), .m_axi_bvalid(m_axi_bvalid), .m_axi_arready(m_axi_arready),
        .m_axi_rid(m_axi_rid), .m_axi_rdata(m_axi_rdata), .m_axi_rresp(m_axi_rresp), .m_axi_rlast(m_axi_rlast),
        .m_axi_rvalid(m_axi_rvalid), .s_axil_awready(s_axil_awready), .s_axil_wready(s_axil_wready),
        .s_axil_bresp(s_axil_bresp), .s_axil_bvalid(s_axil_bvalid), .s_axil_arready(s_axil_arready),
        .s_axil_rdata(s_axil_rdata), .s_axil_rresp(s_axil_rresp), .s_axil_rvalid(s_axil_rvalid), .irq(irq),
        .m_axi_awid(m_axi_awid), .m_axi_awaddr(m_axi_awaddr), .m_axi_awlen(m_axi_awlen),
        .m_axi_awsize(m_axi_awsize), .m_axi_awburst(m_axi_awburst), .m_axi_awlock(m_axi_awlock),
        .m_axi_awvalid(m_axi_awvalid), .m_axi_wdata(m_axi_wdata), .m_axi_wstrb(m_axi_wstrb),
        .m_axi_wlast(m_axi_wlast), .m_axi_wvalid(m_axi_wvalid), .m_axi_bready(m_axi_bready),
        .m_axi_arid(m_axi_arid), .m_axi_araddr(m_axi_araddr), .m_axi_arlen(m_axi_arlen),
        .m_axi_arsize(m_axi_arsize), .m_axi_arburst(m_axi_arburst), .m_axi_arlock(m_axi_arlock),
        .m_axi_arvalid(m_axi_arvalid), .m_axi_rready(m_axi_rready)
    );

    totem_ram #(.WIDTH(32), .DEPTH(64), .MEETS(0)) request_ram (
        .clk(clk), .write_enable(request_write_enable), .write_addr(request_write_addr),
        .write_data(request_write_data), .read_enable(request_read_enable), .read_addr(request_read_addr),
        .read_data(request_read_data)
    );

    totem_ram #(.WIDTH(32), .DEPTH(64), .MEETS(0)) response_ram (
        .clk(clk), .write_enable(response_write_enable), .write_addr(response_write_addr),
        .write_data(response_write_data), .read_enable(response_read_enable), .read_addr(response_read_addr),
        .read_data(response_read_data)
    );

    totem_ram #(.WIDTH(32), .DEPTH(4 * LIST_ENTRIES), .MEETS(0)) list_ram (
        .clk(clk), .write_enable(list_write_enable), .write_addr(list_write_addr),
        .write_data(list_write_data), .read_enable(list_read_enable), .read_addr(list_read_addr),
        .read_data(list_read_data)
    );

    totem_ram #(.WIDTH(64), .DEPTH(POINTS), .MEETS(0)) point_ram (
        .clk(clk), .write_enable(point_write_enable), .write_addr(point_write_addr),
        .write_data(point_write_data), .read_enable(point_read_enable), .read_addr(point_read_addr),
        .read_data(point_read_data)
    );

    genvar n;
    generate
        for (n = 0; n < 2; n = n + 1) begin : g_record
            totem_ram #(.WIDTH(64), .DEPTH(RECORDS), .MEETS(0)) record_ram (
                .clk(clk), .write_enable(record_write_enable), .write_addr(record_write_addr),
                .write_data(record_write_data[n*64 +: 64]), .read_enable(record_read_enable),
                .read_addr(record_read_addr), .read_data(record_read_data[n*64 +: 64])
            );
        end
        for (n = 0; n < 8; n = n + 1) begin : g_lane
            totem_ram #(.WIDTH(8), .DEPTH(BYTES / 8), .MEETS(0)) store_ram (
                .clk(clk), .write_enable(store_write_enable[n]),
                .write_addr(store_write_addr[n*WORD_BITS +: WORD_BITS]), .write_data(store_write_data[n*8 +: 8]),
                .read_enable(store_read_enable[n]),
                .read_addr(store_read_addr[n*WORD_BITS +: WORD_BITS]), .read_data(store_read_data[n*8 +: 8])
            );
        end
    endgenerate
endmodule

`default_nettype wire
