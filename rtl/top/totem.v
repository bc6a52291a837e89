// SPDX-License-Identifier: Apache-2.0
//
// totem: the whole machine. Wiring only: host, events, front ends, command bus, shader engines and their wave
// engines, no state of its own.
//
// Policy    docs/architecture.md; sizes come from rtl/top/config.yaml through totem_config.vh.
// Boundary  s_axil_* is one AXI4-Lite slave, m_axi_* one AXI4 master per front end (element f of a flattened port),
//           irq a level. A shader core replaces totem_wave behind the wave interface of totem_se.
// Twin      cmodel/top/totem_machine.c.

`default_nettype none

`include "totem_config.vh"

module totem #(
    parameter FE_COUNT = `TOTEM_FE_COUNT,
    parameter SE_COUNT = `TOTEM_SE_COUNT,
    parameter PIPES    = `TOTEM_PIPES,
    parameter QUEUES   = `TOTEM_QUEUES,
    parameter EPOCHS   = `TOTEM_EPOCHS,
    parameter SLOTS    = `TOTEM_SLOTS,
    parameter VGPRS    = `TOTEM_VGPRS,
    parameter LDS      = `TOTEM_LDS,
    parameter LANES    = `TOTEM_LANES
) (
    input  wire clk,
    input  wire rst,
    input  wire [19:0]                         s_axil_awaddr,
    input  wire [2:0]                          s_axil_awprot,
    input  wire                                s_axil_awvalid,
    output wire                                s_axil_awready,
    input  wire [31:0]                         s_axil_wdata,
    input  wire [3:0]                          s_axil_wstrb,
    input  wire                                s_axil_wvalid,
    output wire                                s_axil_wready,
    output wire [1:0]                          s_axil_bresp,
    output wire                                s_axil_bvalid,
    input  wire                                s_axil_bready,
    input  wire [19:0]                         s_axil_araddr,
    input  wire [2:0]                          s_axil_arprot,
    input  wire                                s_axil_arvalid,
    output wire                                s_axil_arready,
    output wire [31:0]                         s_axil_rdata,
    output wire [1:0]                          s_axil_rresp,
    output wire                                s_axil_rvalid,
    input  wire                                s_axil_rready,
    output wire                                irq,
    output wire [FE_COUNT*4-1:0]               m_axi_awid,
    output wire [FE_COUNT*40-1:0]              m_axi_awaddr,
    output wire [FE_COUNT*8-1:0]               m_axi_awlen,
    output wire [FE_COUNT*3-1:0]               m_axi_awsize,
    output wire [FE_COUNT*2-1:0]               m_axi_awburst,
    output wire [FE_COUNT-1:0]                 m_axi_awvalid,
    input  wire [FE_COUNT-1:0]                 m_axi_awready,
    output wire [FE_COUNT*64-1:0]              m_axi_wdata,
    output wire [FE_COUNT*8-1:0]               m_axi_wstrb,
    output wire [FE_COUNT-1:0]                 m_axi_wlast,
    output wire [FE_COUNT-1:0]                 m_axi_wvalid,
    input  wire [FE_COUNT-1:0]                 m_axi_wready,
    input  wire [FE_COUNT*4-1:0]               m_axi_bid,
    input  wire [FE_COUNT*2-1:0]               m_axi_bresp,
    input  wire [FE_COUNT-1:0]                 m_axi_bvalid,
    output wire [FE_COUNT-1:0]                 m_axi_bready,
    output wire [FE_COUNT*4-1:0]               m_axi_arid,
    output wire [FE_COUNT*40-1:0]              m_axi_araddr,
    output wire [FE_COUNT*8-1:0]               m_axi_arlen,
    output wire [FE_COUNT*3-1:0]               m_axi_arsize,
    output wire [FE_COUNT*2-1:0]               m_axi_arburst,
    output wire [FE_COUNT-1:0]                 m_axi_arvalid,
    input  wire [FE_COUNT-1:0]                 m_axi_arready,
    input  wire [FE_COUNT*4-1:0]               m_axi_rid,
    input  wire [FE_COUNT*64-1:0]              m_axi_rdata,
    input  wire [FE_COUNT*2-1:0]               m_axi_rresp,
    input  wire [FE_COUNT-1:0]                 m_axi_rlast,
    input  wire [FE_COUNT-1:0]                 m_axi_rvalid,
    output wire [FE_COUNT-1:0]                 m_axi_rready
);
    localparam PIPE_COUNT = FE_COUNT*PIPES;
    localparam QUEUE_BITS = (QUEUES > 1) ? $clog2(QUEUES) : 1;
    localparam EPOCH_BITS = (EPOCHS > 1) ? $clog2(EPOCHS) : 1;
    localparam SLOT_BITS  = (SLOTS > 1) ? $clog2(SLOTS) : 1;
    localparam CONTEXT_BITS = $clog2(PIPE_COUNT*8);
    localparam CONTEXTS     = 1 << CONTEXT_BITS;

    wire [(FE_COUNT*PIPES)*1-1:0]                 pipe_valid;
    wire [(FE_COUNT*PIPES)*1-1:0]                 tally_valid;
    wire [SE_COUNT-1:0]                           engine_valid;
    wire                                          events_valid;
    wire                                          request_write;
    wire                                          request_doorbell;
    wire [2:0]                                    request_queue;
    wire [7:0]                                    request_dword;
    wire [3:0]                                    request_strobe;
    wire [31:0]                                   request_data;
    wire [31:0]                                   settings_timeout;
    wire [23:0]                                   settings_quantum_unit0;
    wire [23:0]                                   settings_quantum_unit1;
    wire [23:0]                                   settings_turn_limit;
    wire                                          settings_event_on_priority_write;
    wire                                          settings_priority_write_open;
    wire                                          settings_mqd_save;
    wire [23:0]                                   settings_dequeue_timeout;
    wire [PIPE_COUNT*16-1:0]                      pipe_drains;
    wire [PIPE_COUNT*16-1:0]                      pipe_lost;
    wire [PIPE_COUNT*16-1:0]                      pipe_late;
    wire                                          settings_poll_enable;
    wire [7:0]                                    settings_poll_period;
    wire [PIPE_COUNT*QUEUES-1:0]                  poll_once;
    wire [63:0]                                   clock;
    wire                                          host_error_valid;
    wire [63:0]                                   host_error_word;
    wire                                     events_ram_write_enable;
    wire [CONTEXT_BITS-1:0]                  events_ram_write_addr;
    wire [31:0]                              events_ram_write_data;
    wire                                     events_ram_read_enable;
    wire [CONTEXT_BITS-1:0]                  events_ram_read_addr;
    wire [31:0]                              events_ram_read_data;
    wire [PIPE_COUNT-1:0]                    pipe_done;
    wire [PIPE_COUNT*5-1:0]                  pipe_error;
    wire [PIPE_COUNT*32-1:0]                 pipe_rdata;
    wire [PIPE_COUNT-1:0]                    tally_done;
    wire [PIPE_COUNT*16-1:0]                 tally_rdata;
    wire [SE_COUNT-1:0]                      engine_done;
    wire [SE_COUNT*5-1:0]                    engine_error;
    wire [SE_COUNT*32-1:0]                   engine_rdata;
    wire                                     events_done;
    wire [4:0]                               events_error;
    wire [31:0]                              events_rdata;
    wire [4*PIPE_COUNT+FE_COUNT:0]           error_valid;
    wire [(1+4*PIPE_COUNT+FE_COUNT)*64-1:0]  error_word;
    wire [4*PIPE_COUNT+FE_COUNT:0]           error_ready;
    wire [PIPE_COUNT-1:0]                    interrupt_valid;
    wire [PIPE_COUNT*64-1:0]                 interrupt_word;
    wire [PIPE_COUNT-1:0]                    interrupt_ready;
    wire [FE_COUNT-1:0]                      fe_valid;
    wire [FE_COUNT*64-1:0]                   fe_word;
    wire [FE_COUNT*16-1:0]                   fe_tag;
    wire [LANES-1:0]                         lane_valid;
    wire [LANES*64-1:0]                      lane_word;
    wire [LANES*16-1:0]                      lane_tag;
    wire [FE_COUNT-1:0]                      fe_idle;
    wire [FE_COUNT-1:0]                      fe_fault;
    wire [FE_COUNT-1:0]                      fe_dead;
    wire [SE_COUNT-1:0]                      se_idle;
    wire [SE_COUNT-1:0]                      se_fault;
    wire [SE_COUNT*FE_COUNT-1:0]             answer_valid;
    wire [SE_COUNT*FE_COUNT-1:0]             answer_pipe;
    wire [SE_COUNT*FE_COUNT*3-1:0]           answer_count;
    wire [SE_COUNT-1:0]                           se_grant_valid;
    wire [SE_COUNT*2-1:0]                         se_grant_fe;
    wire [SE_COUNT-1:0]                           se_grant_pipe;
    wire [SE_COUNT*7-1:0]                         se_grant_waves;
    wire [SE_COUNT*QUEUE_BITS-1:0]                se_grant_queue;
    wire [SE_COUNT*EPOCH_BITS-1:0]                se_grant_epoch;
    wire [SE_COUNT-1:0]                           se_release_valid;
    wire [SE_COUNT*2-1:0]                         se_release_fe;
    wire [SE_COUNT-1:0]                           se_release_pipe;
    wire [SE_COUNT-1:0]                           se_release_buffer;
    wire [SE_COUNT-1:0]                           se_complete_valid;
    wire [SE_COUNT*2-1:0]                         se_complete_fe;
    wire [SE_COUNT-1:0]                           se_complete_pipe;
    wire [SE_COUNT*QUEUE_BITS-1:0]                se_complete_queue;
    wire [SE_COUNT*EPOCH_BITS-1:0]                se_complete_epoch;
    wire [SE_COUNT*7-1:0]                         se_free_slots;
    wire [SE_COUNT*12-1:0]                        se_free_vgprs;
    wire [SE_COUNT*10-1:0]                        se_free_lds;

    // A word between a dispatch controller and a port is on the bus, and its group is presented, hence its pipe is busy.
    wire idle  = (&fe_idle) && (&se_idle);
    wire fatal = (|fe_fault) || (|se_fault);
    wire events_stop;

    assign error_valid[0]    = host_error_valid;
    assign error_word[63:0]  = host_error_word;

    totem_host #(
        .FE_COUNT(FE_COUNT), .PIPES(PIPES), .QUEUES(QUEUES), .SE_COUNT(SE_COUNT), .EPOCHS(EPOCHS), .SLOTS(SLOTS), .VGPRS(VGPRS), .LDS(LDS),
        .LANES(LANES)
    ) host (
        .clk(clk), .rst(rst),
        .s_axil_awaddr(s_axil_awaddr),
        .s_axil_awprot(s_axil_awprot),
        .s_axil_awvalid(s_axil_awvalid),
        .s_axil_awready(s_axil_awready),
        .s_axil_wdata(s_axil_wdata),
        .s_axil_wstrb(s_axil_wstrb),
        .s_axil_wvalid(s_axil_wvalid),
        .s_axil_wready(s_axil_wready),
        .s_axil_bresp(s_axil_bresp),
        .s_axil_bvalid(s_axil_bvalid),
        .s_axil_bready(s_axil_bready),
        .s_axil_araddr(s_axil_araddr),
        .s_axil_arprot(s_axil_arprot),
        .s_axil_arvalid(s_axil_arvalid),
        .s_axil_arready(s_axil_arready),
        .s_axil_rdata(s_axil_rdata),
        .s_axil_rresp(s_axil_rresp),
        .s_axil_rvalid(s_axil_rvalid),
        .s_axil_rready(s_axil_rready),
        .pipe_valid(pipe_valid),
        .tally_valid(tally_valid),
        .engine_valid(engine_valid),
        .events_valid(events_valid),
        .request_write(request_write),
        .request_doorbell(request_doorbell),
        .request_queue(request_queue),
        .request_dword(request_dword),
        .request_strobe(request_strobe),
        .request_data(request_data),
        .pipe_done(pipe_done),
        .pipe_error(pipe_error),
        .pipe_rdata(pipe_rdata),
        .tally_done(tally_done),
        .tally_rdata(tally_rdata),
        .engine_done(engine_done),
        .engine_error(engine_error),
        .engine_rdata(engine_rdata),
        .events_done(events_done),
        .events_error(events_error),
        .events_rdata(events_rdata),
        .settings_timeout(settings_timeout),
        .settings_quantum_unit0(settings_quantum_unit0),
        .settings_quantum_unit1(settings_quantum_unit1),
        .settings_turn_limit(settings_turn_limit),
        .settings_event_on_priority_write(settings_event_on_priority_write),
        .settings_priority_write_open(settings_priority_write_open),
        .settings_mqd_save(settings_mqd_save),
        .settings_dequeue_timeout(settings_dequeue_timeout),
        .pipe_drains(pipe_drains),
        .pipe_lost(pipe_lost),
        .pipe_late(pipe_late),
        .settings_poll_enable(settings_poll_enable),
        .settings_poll_period(settings_poll_period),
        .poll_once(poll_once),
        .clock(clock),
        .idle(idle),
        .dead(fe_dead),
        .error_valid(host_error_valid),
        .error_word(host_error_word),
        .error_ready(error_ready[0])
    );

    totem_events #(
        .FE_COUNT(FE_COUNT), .PIPES(PIPES), .QUEUES(QUEUES)
    ) events (
        .clk(clk), .rst(rst),
        .host_valid(events_valid),
        .host_write(request_write),
        .host_dword(request_dword),
        .host_strobe(request_strobe),
        .host_data(request_data),
        .host_done(events_done),
        .host_error(events_error),
        .host_rdata(events_rdata),
        .error_valid(error_valid),
        .error_word(error_word),
        .error_ready(error_ready),
        .interrupt_valid(interrupt_valid),
        .interrupt_word(interrupt_word),
        .interrupt_ready(interrupt_ready),
        .clock(clock),
        .fatal(fatal),
        .stop(events_stop),
        .irq(irq),
        .ram_write_enable(events_ram_write_enable),
        .ram_write_addr(events_ram_write_addr),
        .ram_write_data(events_ram_write_data),
        .ram_read_enable(events_ram_read_enable),
        .ram_read_addr(events_ram_read_addr),
        .ram_read_data(events_ram_read_data)
    );

    totem_ram #(.WIDTH(32), .DEPTH(CONTEXTS)) context_ram (
        .clk(clk),
        .write_enable(events_ram_write_enable), .write_addr(events_ram_write_addr), .write_data(events_ram_write_data),
        .read_enable(events_ram_read_enable), .read_addr(events_ram_read_addr), .read_data(events_ram_read_data)
    );

    totem_bus #(
        .FE_COUNT(FE_COUNT), .LANES(LANES)
    ) bus (
        .clk(clk), .rst(rst),
        .fe_valid(fe_valid),
        .fe_word(fe_word),
        .fe_tag(fe_tag),
        .lane_valid(lane_valid),
        .lane_word(lane_word),
        .lane_tag(lane_tag)
    );

    genvar f, p, s;
    generate
        for (f = 0; f < FE_COUNT; f = f + 1) begin : g_fe
            localparam [1:0] FE = f;
            wire [PIPES-1:0]      packet_error_valid;
            wire [PIPES*64-1:0]   packet_error_word;
            wire [PIPES-1:0]      packet_error_ready;
            wire [PIPES-1:0]      fence_error_valid;
            wire [PIPES*64-1:0]   fence_error_word;
            wire [PIPES-1:0]      fence_error_ready;
            wire [PIPES-1:0]      mqd_error_valid;
            wire [PIPES*64-1:0]   mqd_error_word;
            wire [PIPES-1:0]      mqd_error_ready;
            wire [PIPES-1:0]      fetch_error_valid;
            wire [PIPES*64-1:0]   fetch_error_word;
            wire [PIPES-1:0]      fetch_error_ready;
            wire [SE_COUNT-1:0]   se_answer_valid;
            wire [SE_COUNT-1:0]   se_answer_pipe;
            wire [SE_COUNT*3-1:0] se_answer_count;

            for (p = 0; p < PIPES; p = p + 1) begin : g_pipe
                assign error_valid[1+2*(f*PIPES+p)]           = packet_error_valid[p];
                assign error_word[(1+2*(f*PIPES+p))*64 +: 64] = packet_error_word[p*64 +: 64];
                assign packet_error_ready[p]                  = error_ready[1+2*(f*PIPES+p)];
                assign error_valid[2+2*(f*PIPES+p)]           = fence_error_valid[p];
                assign error_word[(2+2*(f*PIPES+p))*64 +: 64] = fence_error_word[p*64 +: 64];
                assign fence_error_ready[p]                   = error_ready[2+2*(f*PIPES+p)];
                assign error_valid[1+2*PIPE_COUNT+f*PIPES+p]  = mqd_error_valid[p];
                assign error_word[(1+2*PIPE_COUNT+f*PIPES+p)*64 +: 64] = mqd_error_word[p*64 +: 64];
                assign mqd_error_ready[p]                     = error_ready[1+2*PIPE_COUNT+f*PIPES+p];
                assign error_valid[1+3*PIPE_COUNT+f*PIPES+p]  = fetch_error_valid[p];
                assign error_word[(1+3*PIPE_COUNT+f*PIPES+p)*64 +: 64] = fetch_error_word[p*64 +: 64];
                assign fetch_error_ready[p]                   = error_ready[1+3*PIPE_COUNT+f*PIPES+p];
            end

            for (s = 0; s < SE_COUNT; s = s + 1) begin : g_se
                assign se_answer_valid[s]         = answer_valid[s*FE_COUNT+f];
                assign se_answer_pipe[s]          = answer_pipe[s*FE_COUNT+f];
                assign se_answer_count[s*3 +: 3]  = answer_count[(s*FE_COUNT+f)*3 +: 3];
            end

            totem_fe #(
                .PIPES(PIPES), .QUEUES(QUEUES), .EPOCHS(EPOCHS), .SE_COUNT(SE_COUNT), .SLOTS(SLOTS), .VGPRS(VGPRS), .LDS(LDS)
            ) fe (
                .clk(clk), .rst(rst),
                .fe_number(FE),
                .host_valid(pipe_valid[f*PIPES +: PIPES]),
                .tally_host_valid(tally_valid[f*PIPES +: PIPES]),
                .host_write(request_write),
                .host_doorbell(request_doorbell),
                .host_queue(request_queue),
                .host_dword(request_dword),
                .host_strobe(request_strobe),
                .host_data(request_data),
                .host_done(pipe_done[f*PIPES +: PIPES]),
                .host_error(pipe_error[f*PIPES*5 +: PIPES*5]),
                .host_rdata(pipe_rdata[f*PIPES*32 +: PIPES*32]),
                .tally_host_done(tally_done[f*PIPES +: PIPES]),
                .tally_host_rdata(tally_rdata[f*PIPES*16 +: PIPES*16]),
                .settings_timeout(settings_timeout),
                .settings_quantum_unit0(settings_quantum_unit0),
                .settings_quantum_unit1(settings_quantum_unit1),
                .settings_turn_limit(settings_turn_limit),
                .settings_event_on_priority_write(settings_event_on_priority_write),
                .settings_priority_write_open(settings_priority_write_open),
                .settings_mqd_save(settings_mqd_save),
                .settings_dequeue_timeout(settings_dequeue_timeout),
                .drains(pipe_drains[f*PIPES*16 +: PIPES*16]),
                .lost(pipe_lost[f*PIPES*16 +: PIPES*16]),
                .late(pipe_late[f*PIPES*16 +: PIPES*16]),
                .settings_poll_enable(settings_poll_enable),
                .settings_poll_period(settings_poll_period),
                .poll_once(poll_once[f*PIPES*QUEUES +: PIPES*QUEUES]),
                .clock(clock),
                .packet_error_valid(packet_error_valid),
                .packet_error_word(packet_error_word),
                .packet_error_ready(packet_error_ready),
                .fence_error_valid(fence_error_valid),
                .fence_error_word(fence_error_word),
                .fence_error_ready(fence_error_ready),
                .mqd_error_valid(mqd_error_valid),
                .mqd_error_word(mqd_error_word),
                .mqd_error_ready(mqd_error_ready),
                .fetch_error_valid(fetch_error_valid),
                .fetch_error_word(fetch_error_word),
                .fetch_error_ready(fetch_error_ready),
                .memory_error_valid(error_valid[1+4*PIPE_COUNT+f]),
                .memory_error_word(error_word[(1+4*PIPE_COUNT+f)*64 +: 64]),
                .memory_error_ready(error_ready[1+4*PIPE_COUNT+f]),
                .interrupt_valid(interrupt_valid[f*PIPES +: PIPES]),
                .interrupt_word(interrupt_word[f*PIPES*64 +: PIPES*64]),
                .interrupt_ready(interrupt_ready[f*PIPES +: PIPES]),
                .bus_valid(fe_valid[f]),
                .bus_word(fe_word[f*64 +: 64]),
                .bus_tag(fe_tag[f*16 +: 16]),
                .grant_valid(se_grant_valid),
                .grant_fe(se_grant_fe),
                .grant_pipe(se_grant_pipe),
                .grant_waves(se_grant_waves),
                .grant_queue(se_grant_queue),
                .grant_epoch(se_grant_epoch),
                .release_valid(se_release_valid),
                .release_fe(se_release_fe),
                .release_pipe(se_release_pipe),
                .release_buffer(se_release_buffer),
                .complete_valid(se_complete_valid),
                .complete_fe(se_complete_fe),
                .complete_pipe(se_complete_pipe),
                .complete_queue(se_complete_queue),
                .complete_epoch(se_complete_epoch),
                .answer_valid(se_answer_valid),
                .answer_pipe(se_answer_pipe),
                .answer_count(se_answer_count),
                .free_slots(se_free_slots),
                .free_vgprs(se_free_vgprs),
                .free_lds(se_free_lds),
                .m_axi_awid(m_axi_awid[f*4 +: 4]),
                .m_axi_awaddr(m_axi_awaddr[f*40 +: 40]),
                .m_axi_awlen(m_axi_awlen[f*8 +: 8]),
                .m_axi_awsize(m_axi_awsize[f*3 +: 3]),
                .m_axi_awburst(m_axi_awburst[f*2 +: 2]),
                .m_axi_awvalid(m_axi_awvalid[f]),
                .m_axi_awready(m_axi_awready[f]),
                .m_axi_wdata(m_axi_wdata[f*64 +: 64]),
                .m_axi_wstrb(m_axi_wstrb[f*8 +: 8]),
                .m_axi_wlast(m_axi_wlast[f]),
                .m_axi_wvalid(m_axi_wvalid[f]),
                .m_axi_wready(m_axi_wready[f]),
                .m_axi_bid(m_axi_bid[f*4 +: 4]),
                .m_axi_bresp(m_axi_bresp[f*2 +: 2]),
                .m_axi_bvalid(m_axi_bvalid[f]),
                .m_axi_bready(m_axi_bready[f]),
                .m_axi_arid(m_axi_arid[f*4 +: 4]),
                .m_axi_araddr(m_axi_araddr[f*40 +: 40]),
                .m_axi_arlen(m_axi_arlen[f*8 +: 8]),
                .m_axi_arsize(m_axi_arsize[f*3 +: 3]),
                .m_axi_arburst(m_axi_arburst[f*2 +: 2]),
                .m_axi_arvalid(m_axi_arvalid[f]),
                .m_axi_arready(m_axi_arready[f]),
                .m_axi_rid(m_axi_rid[f*4 +: 4]),
                .m_axi_rdata(m_axi_rdata[f*64 +: 64]),
                .m_axi_rresp(m_axi_rresp[f*2 +: 2]),
                .m_axi_rlast(m_axi_rlast[f]),
                .m_axi_rvalid(m_axi_rvalid[f]),
                .m_axi_rready(m_axi_rready[f]),
                .idle(fe_idle[f]),
                .fault(fe_fault[f]),
                .dead(fe_dead[f])
            );
        end

        for (s = 0; s < SE_COUNT; s = s + 1) begin : g_se
            localparam [1:0] SE = s;
            wire                              launch_valid;
            wire [1:0]                        launch_kind;
            wire [1:0]                        launch_path;
            wire [1:0]                        launch_fe;
            wire                              launch_pipe;
            wire [QUEUE_BITS-1:0]             launch_queue;
            wire [EPOCH_BITS-1:0]             launch_epoch;
            wire [63:0]                       launch_group;
            wire [6:0]                        launch_index;
            wire [6:0]                        launch_waves;
            wire                              launch_wave32;
            wire [6:0]                        launch_threads;
            wire [39:0]                       launch_program;
            wire [6:0]                        launch_vgprs;
            wire [8:0]                        launch_lds;
            wire [SLOT_BITS-1:0]              launch_slot;
            wire                              launch_buffer;
            wire                              launch_state_new;
            wire                              launch_ready;
            wire [3:0]                        state_index;
            wire [63:0]                       state_data;
            wire                              kill_valid;
            wire [1:0]                        kill_path;
            wire [1:0]                        kill_fe;
            wire                              kill_pipe;
            wire [QUEUE_BITS-1:0]             kill_queue;
            wire [EPOCHS-1:0]                 kill_epochs;
            wire                              done_valid;
            wire [SLOT_BITS-1:0]              done_slot;
            wire                              time_write_enable;
            wire [SLOT_BITS-1:0]              time_write_addr;
            wire [31:0]                       time_write_data;
            wire                              time_read_enable;
            wire [SLOT_BITS-1:0]              time_read_addr;
            wire [SLOTS-1:0]                  occupied;
            wire [31:0]                  time_read_data;

            totem_se #(
                .FE_COUNT(FE_COUNT), .PIPES(PIPES), .QUEUES(QUEUES), .EPOCHS(EPOCHS), .SLOTS(SLOTS), .VGPRS(VGPRS), .LDS(LDS), .LANES(LANES)
            ) se (
                .clk(clk), .rst(rst),
                .se_number(SE),
                .events_stop(events_stop),
                .lane_valid(lane_valid),
                .lane_word(lane_word),
                .lane_tag(lane_tag),
                .issue_grant_valid(se_grant_valid[s]),
                .issue_grant_fe(se_grant_fe[s*2 +: 2]),
                .issue_grant_pipe(se_grant_pipe[s]),
                .issue_grant_waves(se_grant_waves[s*7 +: 7]),
                .issue_grant_queue(se_grant_queue[s*QUEUE_BITS +: QUEUE_BITS]),
                .issue_grant_epoch(se_grant_epoch[s*EPOCH_BITS +: EPOCH_BITS]),
                .issue_free_slots(se_free_slots[s*7 +: 7]),
                .issue_free_vgprs_left(se_free_vgprs[s*12 +: 12]),
                .issue_free_lds_left(se_free_lds[s*10 +: 10]),
                .launch_release_valid(se_release_valid[s]),
                .launch_release_fe(se_release_fe[s*2 +: 2]),
                .launch_release_pipe(se_release_pipe[s]),
                .launch_release_buffer(se_release_buffer[s]),
                .retire_complete_valid(se_complete_valid[s]),
                .retire_complete_fe(se_complete_fe[s*2 +: 2]),
                .retire_complete_pipe(se_complete_pipe[s]),
                .retire_complete_queue(se_complete_queue[s*QUEUE_BITS +: QUEUE_BITS]),
                .retire_complete_epoch(se_complete_epoch[s*EPOCH_BITS +: EPOCH_BITS]),
                .launch_valid(launch_valid),
                .launch_kind(launch_kind),
                .launch_path(launch_path),
                .launch_fe(launch_fe),
                .launch_pipe(launch_pipe),
                .launch_queue(launch_queue),
                .launch_epoch(launch_epoch),
                .launch_group(launch_group),
                .launch_index(launch_index),
                .launch_waves(launch_waves),
                .launch_wave32(launch_wave32),
                .launch_threads(launch_threads),
                .launch_program(launch_program),
                .launch_vgprs(launch_vgprs),
                .launch_lds(launch_lds),
                .launch_slot(launch_slot),
                .launch_buffer(launch_buffer),
                .launch_state_new(launch_state_new),
                .answer_valid(answer_valid[s*FE_COUNT +: FE_COUNT]),
                .answer_pipe(answer_pipe[s*FE_COUNT +: FE_COUNT]),
                .answer_count(answer_count[s*FE_COUNT*3 +: FE_COUNT*3]),
                .launch_ready(launch_ready),
                .state_index(state_index),
                .state_data(state_data),
                .done_valid(done_valid),
                .done_slot(done_slot),
                .kill_valid(kill_valid),
                .kill_path(kill_path),
                .kill_fe(kill_fe),
                .kill_pipe(kill_pipe),
                .kill_queue(kill_queue),
                .kill_epochs(kill_epochs),
                .idle(se_idle[s]),
                .fault(se_fault[s])
            );

            totem_wave #(
                .QUEUES(QUEUES), .EPOCHS(EPOCHS), .SLOTS(SLOTS)
            ) wave (
                .clk(clk), .rst(rst),
                .launch_valid(launch_valid),
                .launch_slot(launch_slot),
                .launch_program(launch_program),
                .launch_state_new(launch_state_new),
                .launch_fe(launch_fe),
                .launch_pipe(launch_pipe),
                .launch_queue(launch_queue),
                .launch_epoch(launch_epoch),
                .launch_ready(launch_ready),
                .state_index(state_index),
                .state_data(state_data),
                .kill_valid(kill_valid),
                .kill_fe(kill_fe),
                .kill_pipe(kill_pipe),
                .kill_queue(kill_queue),
                .kill_epochs(kill_epochs),
                .done_valid(done_valid),
                .done_slot(done_slot),
                .host_valid(engine_valid[s]),
                .host_write(request_write),
                .host_dword(request_dword),
                .host_strobe(request_strobe),
                .host_data(request_data),
                .host_done(engine_done[s]),
                .host_error(engine_error[s*5 +: 5]),
                .host_rdata(engine_rdata[s*32 +: 32]),
                .time_write_enable(time_write_enable),
                .time_write_addr(time_write_addr),
                .time_write_data(time_write_data),
                .time_read_enable(time_read_enable),
                .time_read_addr(time_read_addr),
                .time_read_data(time_read_data),
                .occupied(occupied)
            );

            totem_ram #(.WIDTH(32), .DEPTH(SLOTS)) time_ram (
                .clk(clk),
                .write_enable(time_write_enable), .write_addr(time_write_addr), .write_data(time_write_data),
                .read_enable(time_read_enable), .read_addr(time_read_addr), .read_data(time_read_data)
            );

            wire unused = &{1'b0, occupied, launch_kind, launch_path, kill_path, launch_group, launch_index, launch_waves, launch_wave32, launch_threads, launch_vgprs, launch_lds, launch_buffer};
        end
    endgenerate

endmodule

`default_nettype wire
