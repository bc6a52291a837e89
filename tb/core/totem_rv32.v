// SPDX-License-Identifier: Apache-2.0
//
// totem_rv32: RISC-V cores behind the wave interface of one engine. An example of a shader core of one's own
// (docs/core.md).
//
// Policy    a compute or pixel wave runs its program on the next free one of CORES cores. Waves start in the order of
//           their acceptance. Geometry waves export. A kill ends the waves that it names, queued or running.
// Latency   a launch takes 25 clocks; done comes when all accesses of the wave are answered.
// Boundary  every output is a function of the state. launch_ready depends on the rate alone.
// Cost      per core a PicoRV32, 2 KiB of cache and PRIVATE dwords; LDS dwords for as many groups as cores.

`default_nettype none

`include "totem_config.vh"

module totem_rv32 #(
    parameter QUEUES   = `TOTEM_QUEUES,     // these as those of totem_core
    parameter EPOCHS   = `TOTEM_EPOCHS,
    parameter SLOTS    = `TOTEM_SLOTS,
    parameter GRAPHICS = `TOTEM_GRAPHICS,
    parameter TASKS    = `TOTEM_TASKS,
    parameter CORES    = 4,                 // 1 to 16
    parameter LDS      = 1024,              // dwords of LDS of a group at most, a power of two from 128 to 16,384
    parameter PRIVATE  = 512,               // dwords of a core alone (stack), a power of two from 64 to 16,384
    parameter LINES    = 64,                // of 32 bytes in each instruction cache, a power of two from 2
    parameter R        = CORES > 1 ? $clog2(CORES) : 1      // follows, not to be set
) (
    input  wire                      clk,
    input  wire                      rst,
    // launch
    input  wire                      launch_valid,
    input  wire [1:0]                launch_kind,
    input  wire [1:0]                launch_fe,
    input  wire [1:0]                launch_pipe,
    input  wire [$clog2(QUEUES)-1:0] launch_queue,
    input  wire [$clog2(EPOCHS)-1:0] launch_epoch,
    input  wire [63:0]               launch_group,
    input  wire [6:0]                launch_index,
    input  wire [6:0]                launch_waves,
    input  wire                      launch_wave32,
    input  wire [6:0]                launch_threads,
    input  wire [39:0]               launch_program,
    input  wire [8:0]                launch_lds,
    input  wire [$clog2(SLOTS)-1:0]  launch_slot,
    input  wire [3:0]                launch_draw,
    input  wire [2:0]                launch_set,
    input  wire [6:0]                launch_primitives,
    output wire                      launch_ready,
    output wire [4:0]                state_index,
    input  wire [63:0]               state_data,
    // assembler
    output wire                      export_valid,
    output wire [$clog2(SLOTS)-1:0]  export_slot,
    output wire [8:0]                export_primitives,
    output wire [19:0]               export_pixels,
    input  wire                      export_ready,
    // submit
    output wire                      task_valid,
    output wire [31:0]               task_pointer,
    output wire [1:0]                task_fe,
    output wire [1:0]                task_pipe,
    output wire [$clog2(QUEUES)-1:0] task_queue,
    output wire [$clog2(EPOCHS)-1:0] task_epoch,
    input  wire                      task_ready,
    input  wire                      task_refused,
    // kill
    input  wire                      kill_valid,
    input  wire [1:0]                kill_fe,
    input  wire [1:0]                kill_pipe,
    input  wire [$clog2(QUEUES)-1:0] kill_queue,
    input  wire [EPOCHS-1:0]         kill_epochs,
    // retire
    output wire                      done_valid,
    output wire [$clog2(SLOTS)-1:0]  done_slot,
    // host
    input  wire                      host_valid,
    input  wire                      host_write,
    input  wire [7:0]                host_dword,
    input  wire [3:0]                host_strobe,
    input  wire [31:0]               host_data,
    output wire                      host_done,
    output wire [4:0]                host_error,
    output wire [31:0]               host_rdata,
    // memory
    output wire [R-1:0]              m_axi_arid,
    output wire [39:0]               m_axi_araddr,
    output wire [7:0]                m_axi_arlen,
    output wire [2:0]                m_axi_arsize,
    output wire [1:0]                m_axi_arburst,
    output wire                      m_axi_arvalid,
    input  wire                      m_axi_arready,
    input  wire [R-1:0]              m_axi_rid,
    input  wire [63:0]               m_axi_rdata,
    input  wire [1:0]                m_axi_rresp,
    input  wire                      m_axi_rlast,
    input  wire                      m_axi_rvalid,
    output wire                      m_axi_rready,
    output wire [R-1:0]              m_axi_awid,
    output wire [39:0]               m_axi_awaddr,
    output wire [7:0]                m_axi_awlen,
    output wire [2:0]                m_axi_awsize,
    output wire [1:0]                m_axi_awburst,
    output wire                      m_axi_awvalid,
    input  wire                      m_axi_awready,
    output wire [63:0]               m_axi_wdata,
    output wire [7:0]                m_axi_wstrb,
    output wire                      m_axi_wlast,
    output wire                      m_axi_wvalid,
    input  wire                      m_axi_wready,
    input  wire [R-1:0]              m_axi_bid,
    input  wire [1:0]                m_axi_bresp,
    input  wire                      m_axi_bvalid,
    output wire                      m_axi_bready
);
    localparam S = $clog2(SLOTS);
    localparam Q = $clog2(QUEUES);
    localparam E = $clog2(EPOCHS);
    localparam OWNER = 4 + Q + E;
    localparam [1:0] GEOMETRY = 2'd1;

    generate
        if (QUEUES < 2 || QUEUES > 8 || EPOCHS < 2 || EPOCHS > 8 || SLOTS < 4 || SLOTS > 64 || SLOTS != (1 << S) ||
            CORES < 1 || CORES > 16 || LDS < 128 || LDS > 16384 || LDS != (1 << $clog2(LDS)) || PRIVATE < 64 ||
            PRIVATE > 16384 || PRIVATE != (1 << $clog2(PRIVATE)) || LINES < 2 || LINES != (1 << $clog2(LINES)))
            begin : check
                totem_rv32_needs_sizes_as_its_parameters_say refused ();
            end
    endgenerate

    // accept
    wire                   accepted, write_enable;
    wire [4:0]             write_word;
    wire [63:0]            write_data;
    wire [OWNER-1:0]       launch_owner = {launch_fe, launch_pipe, launch_queue, launch_epoch};
    wire                   geometry = GRAPHICS != 0 && launch_kind == GEOMETRY;
    // queue and groups
    wire                   head_valid, head_first, head_take, drop_valid, drop_take, closed;
    wire [S-1:0]           head_slot, drop_slot;
    wire [OWNER-1:0]       head_owner;
    wire [S:0]             count, exports;
    wire [CORES-1:0]       start, busy, arrived, pass;
    wire [CORES*R-1:0]     region;
    // units
    wire [CORES-1:0]       unit_done, unit_take, unit_task, unit_task_done, error_valid;
    wire [CORES*S-1:0]     slot;
    wire [CORES*OWNER-1:0] owner;
    wire [CORES*32-1:0]    unit_pointer, error_addr, error_program;
    wire [CORES*4-1:0]     error_code;
    // their memory
    wire [CORES-1:0]       read_valid, read_line, read_take, beat_valid, write_valid, write_take, ack_valid;
    wire [CORES*32-1:0]    read_addr, write_addr, write_dword;
    wire [CORES*4-1:0]     write_strobe;
    wire [63:0]            beat_data;
    wire                   beat_error, ack_error;
    wire [CORES-1:0]       lds_valid, state_valid, local_done;
    wire [CORES*16-1:0]    local_addr;
    wire [CORES*32-1:0]    local_wdata;
    wire [CORES*4-1:0]     local_strobe;
    wire [63:0]            local_data;
    // exports
    wire                   gone_valid, gone_take;
    wire [S-1:0]           gone_slot;
    wire                   export_enable;
    wire [19:0]            pixels;
    wire [31:0]            window_low, window_high;

    totem_rv32_accept #(.QUEUES(QUEUES), .EPOCHS(EPOCHS), .SLOTS(SLOTS)) accept (
        .clk(clk), .rst(rst),
        .launch_valid(launch_valid), .launch_kind(launch_kind), .launch_fe(launch_fe), .launch_pipe(launch_pipe),
        .launch_queue(launch_queue), .launch_epoch(launch_epoch), .launch_group(launch_group),
        .launch_index(launch_index), .launch_waves(launch_waves), .launch_wave32(launch_wave32),
        .launch_threads(launch_threads), .launch_program(launch_program), .launch_lds(launch_lds),
        .launch_slot(launch_slot), .launch_draw(launch_draw), .launch_set(launch_set),
        .launch_primitives(launch_primitives), .launch_ready(launch_ready), .state_index(state_index),
        .state_data(state_data),
        .write_enable(write_enable), .write_word(write_word), .write_data(write_data), .accepted(accepted));

    totem_rv32_queue #(.QUEUES(QUEUES), .EPOCHS(EPOCHS), .SLOTS(SLOTS)) queue (
        .clk(clk), .rst(rst),
        .in_valid(accepted && !geometry), .in_first(launch_index == 7'd0),
        .in_last(launch_index + 7'd1 == launch_waves), .in_slot(launch_slot), .in_owner(launch_owner), .in_extra(1'b0),
        .kill_valid(kill_valid), .kill_fe(kill_fe), .kill_pipe(kill_pipe), .kill_queue(kill_queue),
        .kill_epochs(kill_epochs),
        .head_valid(head_valid), .head_first(head_first), .head_killed(), .head_slot(head_slot),
        .head_owner(head_owner), .head_extra(), .head_take(head_take),
        .drop_valid(drop_valid), .drop_slot(drop_slot), .drop_take(drop_take), .count(count), .closed(closed));

    totem_rv32_groups #(.CORES(CORES)) groups (
        .clk(clk), .rst(rst),
        .head_valid(head_valid), .head_first(head_first), .closed(closed), .head_take(head_take),
        .busy(busy), .arrived(arrived), .start(start), .region(region), .pass(pass));

    localparam [63:0] NUMBERS = 64'hFEDCBA9876543210;
    genvar c;
    generate
        for (c = 0; c < CORES; c = c + 1) begin : units
            totem_rv32_unit #(.QUEUES(QUEUES), .EPOCHS(EPOCHS), .SLOTS(SLOTS), .CORES(CORES), .LDS(LDS),
                              .PRIVATE(PRIVATE), .LINES(LINES), .TASKS(TASKS)) one (
                .clk(clk), .rst(rst), .number(NUMBERS[c*4 +: 4]),
                .start(start[c]), .start_slot(head_slot), .start_owner(head_owner),
                .kill_valid(kill_valid), .kill_fe(kill_fe), .kill_pipe(kill_pipe), .kill_queue(kill_queue),
                .kill_epochs(kill_epochs), .busy(busy[c]), .done_valid(unit_done[c]), .done_take(unit_take[c]),
                .slot(slot[c*S +: S]), .owner(owner[c*OWNER +: OWNER]), .arrived(arrived[c]), .pass(pass[c]),
                .task_valid(unit_task[c]), .task_pointer(unit_pointer[c*32 +: 32]), .task_done(unit_task_done[c]),
                .task_refused(task_refused),
                .window_low(window_low), .window_high(window_high),
                .error_valid(error_valid[c]), .error_code(error_code[c*4 +: 4]), .error_addr(error_addr[c*32 +: 32]),
                .error_program(error_program[c*32 +: 32]),
                .read_valid(read_valid[c]), .read_line(read_line[c]), .read_addr(read_addr[c*32 +: 32]),
                .read_take(read_take[c]), .beat_valid(beat_valid[c]), .beat_data(beat_data), .beat_error(beat_error),
                .write_valid(write_valid[c]), .write_addr(write_addr[c*32 +: 32]),
                .write_data(write_dword[c*32 +: 32]), .write_strobe(write_strobe[c*4 +: 4]),
                .write_take(write_take[c]), .ack_valid(ack_valid[c]), .ack_error(ack_error),
                .lds_valid(lds_valid[c]), .state_valid(state_valid[c]), .local_addr(local_addr[c*16 +: 16]),
                .local_wdata(local_wdata[c*32 +: 32]), .local_strobe(local_strobe[c*4 +: 4]),
                .local_done(local_done[c]), .local_data(local_data));
        end
    endgenerate

    totem_rv32_local #(.SLOTS(SLOTS), .CORES(CORES), .LDS(LDS)) local_rams (
        .clk(clk), .rst(rst),
        .write_enable(write_enable), .write_slot(launch_slot), .write_word(write_word), .write_data(write_data),
        .lds_valid(lds_valid), .state_valid(state_valid), .addr(local_addr), .wdata(local_wdata),
        .strobe(local_strobe), .slot(slot), .region(region), .done(local_done), .data(local_data));

    totem_rv32_memory #(.CORES(CORES)) memory (
        .clk(clk), .rst(rst),
        .read_valid(read_valid), .read_line(read_line), .read_addr(read_addr), .read_take(read_take),
        .beat_valid(beat_valid), .beat_data(beat_data), .beat_error(beat_error),
        .write_valid(write_valid), .write_addr(write_addr), .write_data(write_dword), .write_strobe(write_strobe),
        .write_take(write_take), .ack_valid(ack_valid), .ack_error(ack_error),
        .m_axi_arid(m_axi_arid), .m_axi_araddr(m_axi_araddr), .m_axi_arlen(m_axi_arlen), .m_axi_arsize(m_axi_arsize),
        .m_axi_arburst(m_axi_arburst), .m_axi_arvalid(m_axi_arvalid), .m_axi_arready(m_axi_arready),
        .m_axi_rid(m_axi_rid), .m_axi_rdata(m_axi_rdata), .m_axi_rresp(m_axi_rresp), .m_axi_rlast(m_axi_rlast),
        .m_axi_rvalid(m_axi_rvalid), .m_axi_rready(m_axi_rready),
        .m_axi_awid(m_axi_awid), .m_axi_awaddr(m_axi_awaddr), .m_axi_awlen(m_axi_awlen), .m_axi_awsize(m_axi_awsize),
        .m_axi_awburst(m_axi_awburst), .m_axi_awvalid(m_axi_awvalid), .m_axi_awready(m_axi_awready),
        .m_axi_wdata(m_axi_wdata), .m_axi_wstrb(m_axi_wstrb), .m_axi_wlast(m_axi_wlast), .m_axi_wvalid(m_axi_wvalid),
        .m_axi_wready(m_axi_wready),
        .m_axi_bid(m_axi_bid), .m_axi_bresp(m_axi_bresp), .m_axi_bvalid(m_axi_bvalid), .m_axi_bready(m_axi_bready));

    generate
        if (GRAPHICS != 0) begin : graphics
            totem_rv32_export #(.QUEUES(QUEUES), .EPOCHS(EPOCHS), .SLOTS(SLOTS)) one (
                .clk(clk), .rst(rst),
                .in_valid(accepted && geometry), .in_slot(launch_slot), .in_owner(launch_owner),
                .in_primitives(launch_primitives),
                .kill_valid(kill_valid), .kill_fe(kill_fe), .kill_pipe(kill_pipe), .kill_queue(kill_queue),
                .kill_epochs(kill_epochs), .enable(export_enable), .pixels(pixels),
                .export_valid(export_valid), .export_slot(export_slot), .export_primitives(export_primitives),
                .export_pixels(export_pixels), .export_ready(export_ready),
                .done_valid(gone_valid), .done_slot(gone_slot), .done_take(gone_take), .count(exports));
        end else begin : no_graphics
            assign export_valid      = 1'b0;
            assign export_slot       = {S{1'b0}};
            assign export_primitives = 9'd0;
            assign export_pixels     = 20'd0;
            assign gone_valid        = 1'b0;
            assign gone_slot         = {S{1'b0}};
            assign exports           = {S+1{1'b0}};
            wire   unused            = &{1'b0, export_ready, gone_take, export_enable, pixels};
        end
    endgenerate

    totem_rv32_answers #(.QUEUES(QUEUES), .EPOCHS(EPOCHS), .SLOTS(SLOTS), .CORES(CORES), .LDS(LDS), .PRIVATE(PRIVATE),
                         .GRAPHICS(GRAPHICS)) answers (
        .clk(clk), .rst(rst),
        .unit_done(unit_done), .unit_take(unit_take), .slot(slot), .owner(owner), .drop_valid(drop_valid),
        .drop_slot(drop_slot), .drop_take(drop_take), .head_take(head_take), .gone_valid(gone_valid),
        .gone_slot(gone_slot), .gone_take(gone_take), .done_valid(done_valid), .done_slot(done_slot),
        .unit_task(unit_task), .unit_pointer(unit_pointer), .unit_task_done(unit_task_done),
        .task_valid(task_valid), .task_pointer(task_pointer), .task_fe(task_fe), .task_pipe(task_pipe),
        .task_queue(task_queue), .task_epoch(task_epoch), .task_ready(task_ready),
        .error_valid(error_valid), .error_code(error_code), .error_addr(error_addr), .error_program(error_program),
        .error_group(local_data), .busy(busy), .count(count), .exports(exports),
        .host_valid(host_valid), .host_write(host_write), .host_dword(host_dword), .host_strobe(host_strobe),
        .host_data(host_data), .host_done(host_done), .host_error(host_error), .host_rdata(host_rdata),
        .window_low(window_low), .window_high(window_high), .export_enable(export_enable), .export_pixels(pixels));
endmodule

`default_nettype wire
