// SPDX-License-Identifier: Apache-2.0
//
// totem_regs_bench: plays the accesses of tb/regs/cases.py over AXI4-Lite into the blocks that answer them and compares
// each answer. Around host, events, hqd and wave stands only what they need: a load bus receiver that keeps the
// pointers, a stand-in for mqd that ends every job at once, and levels that a case sets. Addresses, data and ready come
// in random order and after random pauses. +first: the first case that fails ends the run.

`default_nettype none

`include "totem_config.vh"

module totem_regs_bench;
`include "totem_hqd_values.vh"
    localparam FE_COUNT = `TOTEM_FE_COUNT, PIPES = `TOTEM_PIPES, QUEUES = `TOTEM_QUEUES, EPOCHS = `TOTEM_EPOCHS;
    localparam SE_COUNT = `TOTEM_SE_COUNT;
    // few: no register of an engine depends on them, and Icarus looks at each in every clock
    localparam SLOTS = 8;
    localparam GRAPHICS = `TOTEM_GRAPHICS;
    // Pipes; pipes and rings as ports have them; those that exist. A ring has as many slots as a pipe here.
    localparam P = FE_COUNT*PIPES, N = P + FE_COUNT, PLACES = P + FE_COUNT*GRAPHICS;
    localparam BITS = $clog2(QUEUES), CONTEXT = $clog2(FE_COUNT*PIPES*8*(1+GRAPHICS));
    localparam READ = 4'd0, WRITE = 4'd1, PAUSE = 4'd2, END = 4'd3, LEVELS = 4'd4, MESSAGE = 4'd5, INTERRUPT = 4'd6,
        IRQ = 4'd7, LOAD = 4'd8, IGNORED = 4'd9;

    reg clk = 1'b0, rst = 1'b1;
    always #5 clk = !clk;

    // AXI4-Lite
    reg  [19:0] awaddr, araddr;
    reg         awvalid = 1'b0, wvalid = 1'b0, arvalid = 1'b0, bready = 1'b0, rready = 1'b0;
    reg  [31:0] wdata;
    reg  [3:0]  wstrb;
    wire        awready, wready, arready, bvalid, rvalid;
    wire [1:0]  bresp, rresp;
    wire [31:0] rdata;

    wire [N-1:0]        pipe_valid, pipe_done, tally_valid, tally_done;
    wire [N*5-1:0]      pipe_error;
    wire [N*32-1:0]     pipe_rdata;
    wire [N*16-1:0]     tally_rdata;
    wire [FE_COUNT-1:0]    page_valid, page_done;
    wire [FE_COUNT*5-1:0]  page_error;
    wire [FE_COUNT*32-1:0] page_rdata;
    wire [SE_COUNT-1:0]    groups_valid, groups_done, geometry_valid, geometry_done;
    wire [SE_COUNT*32-1:0] groups_rdata, geometry_rdata;
    wire [SE_COUNT-1:0]    pixels_valid, pixels_done;
    wire [SE_COUNT*32-1:0] pixels_rdata;
    wire                   controls_valid, controls_done;
    wire [4:0]             controls_error;
    wire [31:0]            controls_rdata;
    wire [FE_COUNT-1:0]    submit_valid, submit_done;
    wire [FE_COUNT*5-1:0]  submit_error;
    wire [FE_COUNT*32-1:0] submit_rdata;
    wire [SE_COUNT-1:0] engine_valid, engine_done;
    wire [SE_COUNT-1:0] stats_valid, stats_done;
    wire [SE_COUNT*32-1:0] stats_rdata;
    wire [SE_COUNT*5-1:0]  engine_error;
    wire [SE_COUNT*32-1:0] engine_rdata;
    wire        events_valid, events_done, request_write, request_doorbell, error_valid, irq;
    wire [4:0]  events_error;
    wire [31:0] events_rdata, request_data, settings_timeout;
    wire [2:0]  request_queue;
    wire [7:0]  request_dword;
    wire [3:0]  request_strobe;
    wire [63:0] clock, error_word;
    wire         error_ready;

    // Levels that cases set: [7:0] halted, [15:8] room, [16] selected_valid, [19:17] selected, [20] fatal, [21] idle,
    // [25:22] dead.
    reg [31:0] levels = 32'h0020ff00;

    totem_host #(.FE_COUNT(FE_COUNT), .PIPES(PIPES), .QUEUES(QUEUES), .SE_COUNT(SE_COUNT), .EPOCHS(`TOTEM_EPOCHS),
        .SLOTS(`TOTEM_SLOTS),
        .VGPRS(`TOTEM_VGPRS), .LDS(`TOTEM_LDS), .LANES(`TOTEM_LANES), .GRAPHICS(GRAPHICS), .TASKS(`TOTEM_TASKS),
        .RUNLIST(`TOTEM_RUNLIST), .RUN_QUEUES(`TOTEM_RUN_QUEUES)) host (
        .clk(clk), .rst(rst),
        .s_axil_awaddr(awaddr), .s_axil_awprot(3'd0), .s_axil_awvalid(awvalid), .s_axil_awready(awready),
        .s_axil_wdata(wdata), .s_axil_wstrb(wstrb), .s_axil_wvalid(wvalid), .s_axil_wready(wready),
        .s_axil_bresp(bresp), .s_axil_bvalid(bvalid), .s_axil_bready(bready),
        .s_axil_araddr(araddr), .s_axil_arprot(3'd0), .s_axil_arvalid(arvalid), .s_axil_arready(arready),
        .s_axil_rdata(rdata), .s_axil_rresp(rresp), .s_axil_rvalid(rvalid), .s_axil_rready(rready),
        .hqd_valid(pipe_valid[P-1:0]), .graphics_hqd_valid(pipe_valid[N-1:P]), .tally_valid(tally_valid[P-1:0]),
        .graphics_tally_valid(tally_valid[N-1:P]), .tally_done(tally_done[P-1:0]),
        .graphics_tally_done(tally_done[N-1:P]), .tally_rdata(tally_rdata[P*16-1:0]),
        .graphics_tally_rdata(tally_rdata[N*16-1:P*16]), .graphics_valid(page_valid), .graphics_done(page_done),
        .graphics_error(page_error), .graphics_rdata(page_rdata), .graphics_stats_valid(groups_valid),
        .graphics_stats_done(groups_done), .graphics_stats_rdata(groups_rdata), .geometry_stats_valid(geometry_valid),
        .geometry_stats_done(geometry_done), .geometry_stats_rdata(geometry_rdata),
        .pixel_stats_valid(pixels_valid), .pixel_stats_done(pixels_done), .pixel_stats_rdata(pixels_rdata),
        .controls_valid(controls_valid), .controls_done(controls_done), .controls_error(controls_error),
        .controls_rdata(controls_rdata), .submit_valid(submit_valid), .submit_done(submit_done),
        .submit_error(submit_error), .submit_rdata(submit_rdata), .rings_idle(1'b1), .proxy_valid(1'b0),
        .proxy_write(1'b0), .proxy_address(18'd0), .proxy_data(32'd0), .ledger_valid(ledger_valid),
        .ledger_done(ledger_done), .ledger_error(ledger_error), .ledger_rdata(ledger_rdata), .bell_valid(bell_valid),
        .bell_done(bell_valid), .bell_error(5'd0), .bell_rdata(32'd0),
        .graphics_hqd_drains({FE_COUNT*16{1'b0}}), .graphics_fence_lost({FE_COUNT*16{1'b0}}),
        .graphics_fence_late({FE_COUNT*16{1'b0}}),
            .wave_valid(engine_valid), .stats_valid(stats_valid), .stats_done(stats_done), .stats_rdata(stats_rdata),
            .events_valid(events_valid), .request_write(request_write),
        .request_doorbell(request_doorbell), .request_queue(request_queue), .request_dword(request_dword),
        .request_strobe(request_strobe), .request_data(request_data), .hqd_done(pipe_done[P-1:0]),
        .graphics_hqd_done(pipe_done[N-1:P]), .hqd_error(pipe_error[P*5-1:0]),
        .graphics_hqd_error(pipe_error[N*5-1:P*5]), .hqd_rdata(pipe_rdata[P*32-1:0]),
        .graphics_hqd_rdata(pipe_rdata[N*32-1:P*32]), .wave_done(engine_done),
        .wave_error(engine_error), .wave_rdata(engine_rdata),
        .events_done(events_done), .events_error(events_error), .events_rdata(events_rdata),
        .settings_timeout(settings_timeout), .hqd_drains({FE_COUNT*PIPES*16{1'b0}}),
            .fence_lost({FE_COUNT*PIPES*16{1'b0}}),
        .fence_late({FE_COUNT*PIPES*16{1'b0}}), .clock(clock), .machine_idle(levels[21]),
            .memory_dead(levels[22 +: FE_COUNT]),
        .error_valid(error_valid), .error_word(error_word), .events_error_ready(error_ready));

    // The page of the run list, whose entries and slots are empty.
    wire        ledger_valid, bell_valid, ledger_done;
    wire [4:0]  ledger_error;
    wire [31:0] ledger_rdata;
    generate
        if (`TOTEM_RUNLIST != 0) begin : runlist
            totem_ledger #(.FE_COUNT(FE_COUNT), .PIPES(PIPES), .QUEUES(QUEUES), .RUN_QUEUES(`TOTEM_RUN_QUEUES)) ledger (
                .clk(clk), .rst(rst), .host_ledger_valid(ledger_valid), .host_request_write(request_write),
                .host_request_dword(request_dword), .host_request_strobe(request_strobe),
                .host_request_data(request_data), .host_done(ledger_done), .host_error(ledger_error),
                .host_rdata(ledger_rdata), .service_command_valid(1'b0), .runlist_command_done(1'b1),
                .runlist_command_answer(2'd0), .runlist_removing(1'b0), .runlist_decisions(32'd0),
                .runlist_moves(32'd0), .runlist_place_phase({P*QUEUES*2{1'b0}}),
                .runlist_place_entry({P*QUEUES*$clog2(`TOTEM_RUN_QUEUES){1'b0}}), .proxy_lost(16'd0),
                .notice_valid(1'b0), .notice_entry(10'd0), .notice_ctxid(32'd0), .notice_lost(1'b0),
                .view_read_data(64'd0));
        end else begin : no_runlist
            assign {ledger_done, ledger_error, ledger_rdata} = 38'd0;
        end
    endgenerate

    // Messages of fence of pipe 0 (error source 2) and pipe 0's interrupts come from cases.
    reg         message_valid = 1'b0, interrupt_valid = 1'b0;
    reg  [63:0] message_word, interrupt_word;
    wire [P-1:0] message_ready, interrupt_ready;
    wire        context_write, context_read;
    wire [CONTEXT-1:0] context_write_addr, context_read_addr;
    wire [31:0] context_write_data, context_read_data;

    totem_events #(.FE_COUNT(FE_COUNT), .PIPES(PIPES), .QUEUES(QUEUES), .ERROR_SOURCES(`TOTEM_ERROR_SOURCES),
        .GRAPHICS(GRAPHICS), .TASKS(`TOTEM_TASKS), .RUNLIST(`TOTEM_RUNLIST)) events (
        .clk(clk), .rst(rst), .host_valid(events_valid), .host_write(request_write), .host_dword(request_dword),
        .host_strobe(request_strobe), .host_data(request_data), .host_done(events_done), .host_error(events_error),
        .host_rdata(events_rdata), .host_error_valid(error_valid), .host_error_word(error_word),
            .host_error_ready(error_ready),
        .fence_error_valid({P{1'b0}} | message_valid), .fence_error_word({P*64{1'b0}} | message_word),
        .fence_error_ready(message_ready), .packet_error_valid({P{1'b0}}), .packet_error_word({P*64{1'b0}}),
        .mqd_error_valid({P{1'b0}}), .mqd_error_word({P*64{1'b0}}), .record_error_valid({P{1'b0}}),
        .record_error_word({P*64{1'b0}}), .poll_error_valid({P{1'b0}}), .poll_error_word({P*64{1'b0}}),
        .poll_error_second({P{1'b0}}), .fetch_error_valid({P{1'b0}}), .fetch_error_word({P*64{1'b0}}),
        .memory_error_valid({FE_COUNT{1'b0}}), .memory_error_word({FE_COUNT*64{1'b0}}),
        .runner_error_valid({P{1'b0}}), .runner_error_word({P*64{1'b0}}), .runner_error_ready(),
        .proxy_error_valid(1'b0), .proxy_error_word(64'd0), .proxy_error_ready(), .notice_due(1'b0),
        .fence_interrupt_valid({P{1'b0}} | interrupt_valid), .fence_interrupt_word({P*64{1'b0}} | interrupt_word),
        .mqd_interrupt_valid({P{1'b0}}), .mqd_interrupt_word({P*64{1'b0}}),
        .graphics_packet_error_valid({FE_COUNT{1'b0}}), .graphics_packet_error_word({FE_COUNT*64{1'b0}}),
        .graphics_fence_error_valid({FE_COUNT{1'b0}}), .graphics_fence_error_word({FE_COUNT*64{1'b0}}),
        .graphics_mqd_error_valid({FE_COUNT{1'b0}}), .graphics_mqd_error_word({FE_COUNT*64{1'b0}}),
        .graphics_record_error_valid({FE_COUNT{1'b0}}), .graphics_record_error_word({FE_COUNT*64{1'b0}}),
        .graphics_poll_error_valid({FE_COUNT{1'b0}}), .graphics_poll_error_word({FE_COUNT*64{1'b0}}),
        .graphics_fetch_error_valid({FE_COUNT{1'b0}}), .graphics_fetch_error_word({FE_COUNT*64{1'b0}}),
        .graphics_poll_error_second({FE_COUNT{1'b0}}),
        .graphics_fence_interrupt_valid({FE_COUNT{1'b0}}),
        .graphics_fence_interrupt_word({FE_COUNT*64{1'b0}}),
        .graphics_mqd_interrupt_valid({FE_COUNT{1'b0}}),
        .graphics_mqd_interrupt_word({FE_COUNT*64{1'b0}}),
        .submit_interrupt_valid({P{1'b0}}), .submit_interrupt_word({FE_COUNT*64{1'b0}}),
        .interrupt_ready(interrupt_ready), .clock(clock), .machine_fatal(levels[20]), .irq(irq),
        .ram_write_enable(context_write), .ram_write_addr(context_write_addr), .ram_write_data(context_write_data),
        .ram_read_enable(context_read), .ram_read_addr(context_read_addr), .ram_read_data(context_read_data));
    totem_ram #(.WIDTH(32), .DEPTH(1 << CONTEXT)) contexts (
        .clk(clk), .write_enable(context_write), .write_addr(context_write_addr), .write_data(context_write_data),
        .read_enable(context_read), .read_addr(context_read_addr), .read_data(context_read_data));

    // Packets without a rule come from cases.
    reg         ignored = 1'b0;
    reg  [31:0] ignored_packet;             // pipe [23:16], queue [15:8], opcode [7:0]

    // The load bus words of pipe 0, for comparison; priorities of queues not mapped are seen by reading them back.
    reg  [48:0] loads [0:255];
    integer     loads_in = 0, loads_out = 0;

    genvar g;
    generate
        for (g = 0; g < PLACES; g = g + 1) begin : pipe
            wire            we, re, load_valid;
            wire [BITS+5:0] wa, ra;
            wire [31:0]     wd, rd;
            wire [BITS-1:0] load_queue;
            wire [4:0]      load_kind;
            wire [39:0]     load_data;
            reg [QUEUES*32-1:0] rptr = 0, wptr = 0;
            reg [QUEUES*4-1:0]  priorities = 0;
            reg [QUEUES-1:0]    active = 0, pending;
            wire [QUEUES*3-1:0] request;
            wire                mqd_done;
            wire [4:0]          unused_error;
            wire [31:0]         unused_rdata;
            wire [QUEUES-1:0]   unused_dequeuing, unused_parting;
            wire                unused_busy;
            // The blocks around hqd, and the write pointer that it asks fetch about.
            wire                next_valid, next_from_mqd, next_pointer, from_mqd, pointer, is_write, doorbell, is_load, waiting, stopped;
            wire                offer_valid;
            wire [BITS-1:0]     next_queue, queue, offer_queue;
            wire [5:0]          next_dword, dword;
            wire [3:0]          strobe;
            wire [39:0]         access_data;
            wire [31:0]         value, offer_wptr;
            wire [QUEUES-1:0]   hqd_active, hqd_killing, hqd_leaving, not_selected, drained, free;
            wire [QUEUES*3-1:0] dequeue;
            reg  [QUEUES*5-1:0] size = 0;
            reg  [BITS-1:0]     asked_queue = 0;
            reg  [31:0]         asked = 0;
            wire [31:0]         lead = asked - rptr[asked_queue*32 +: 32];
            wire                fits = lead <= (32'd2 << size[asked_queue*5 +: 5])
                                       && lead >= wptr[asked_queue*32 +: 32] - rptr[asked_queue*32 +: 32];
            reg                 mqd_valid = 1'b0, mqd_map = 1'b0;
            reg [BITS-1:0]      mqd_queue = 0;
            integer q;
            always @* for (q = 0; q < QUEUES; q = q + 1) pending[q] = (rptr[q*32 +: 32] != wptr[q*32 +: 32]);
            always @(posedge clk) begin
                if (mqd_done)
                    mqd_valid <= 1'b0;
                else if (!mqd_valid)
                    for (q = 0; q < QUEUES; q = q + 1)
                        if (request[q*3 +: 3] != 3'd0) begin
                            mqd_valid <= 1'b1;
                            mqd_queue <= q;
                            mqd_map   <= request[q*3 +: 3] == 3'd1;
                        end
                if (load_valid && load_kind == LOAD_ACTIVE) active[load_queue] <= load_data[0];
                if (load_valid && load_kind == LOAD_QUEUE_PRIORITY)
                    priorities[load_queue*4 +: 4] <= load_data[3:0];
                if (offer_valid) begin
                    asked_queue <= offer_queue;
                    asked       <= offer_wptr;
                end
                if (load_valid && load_kind == LOAD_PQ_CONTROL) size[load_queue*5 +: 5] <= load_data[4:0];
                if (load_valid && load_kind == LOAD_RPTR) rptr[load_queue*32 +: 32] <= load_data[31:0];
                if (load_valid && load_kind == LOAD_WPTR) wptr[load_queue*32 +: 32] <= load_data[31:0];
                if (load_valid && g == 0 && (load_kind != LOAD_QUEUE_PRIORITY || active[load_queue])) begin
                    loads[loads_in % 256] <= {{4-BITS{1'b0}}, load_queue, load_kind, load_data};
                    loads_in <= loads_in + 1;
                end
            end
            totem_access #(.QUEUES(QUEUES)) access (
                .host_valid(pipe_valid[g]), .host_write(request_write), .host_doorbell(request_doorbell),
                .host_queue(request_queue), .host_dword(request_dword), .host_strobe(request_strobe),
                .host_data(request_data), .mqd_access_valid(mqd_valid), .mqd_access_kind(2'd2),
                .mqd_access_queue(mqd_queue), .mqd_access_dword(6'd0), .mqd_access_data({39'd0, mqd_map}),
                .poll_access_valid(1'b0), .poll_access_write(1'b0), .poll_access_queue({BITS{1'b0}}),
                .poll_access_dword(6'd0), .poll_access_data(32'd0), .hqd_from_mqd(from_mqd), .hqd_pointer(pointer),
                .next_valid(next_valid), .next_from_mqd(next_from_mqd), .next_pointer(next_pointer), .next_queue(next_queue),
                .next_dword(next_dword), .write(is_write), .doorbell(doorbell), .load(is_load), .strobe(strobe),
                .data(access_data));
            totem_view #(.QUEUES(QUEUES)) view (
                .hqd_shown_queue(queue), .hqd_shown_dword(dword), .hqd_active(hqd_active), .hqd_leaving(hqd_leaving),
                .hqd_dequeue(dequeue), .hqd_request(request), .hqd_killing(hqd_killing), .window_data(rd),
                .sequence_data(32'd0), .arbiter_selected_valid(levels[16]), .arbiter_selected(levels[17 +: BITS]),
                .arbiter_ready({QUEUES{1'b0}}), .arbiter_queue_priority(priorities), .fetch_pending(pending),
                .fetch_line({QUEUES{1'b0}}), .fetch_rptr(rptr), .fetch_wptr(wptr), .packet_unfinished({QUEUES{1'b0}}),
                .packet_halted(levels[0 +: QUEUES]), .packet_wait_flush({QUEUES{1'b0}}),
                .packet_wait_epoch({QUEUES{1'b0}}), .poll_waiting({QUEUES{1'b0}}), .poll_polled({QUEUES{1'b0}}),
                .poll_once({QUEUES{1'b0}}), .fence_waves({QUEUES*16{1'b0}}), .fence_room(levels[8 +: QUEUES]),
                .fence_flushed({QUEUES{1'b1}}), .fence_idle({QUEUES{1'b1}}), .record_top_pending({QUEUES{1'b0}}),
                .schedule_waiting({QUEUES{1'b0}}), .record_end_pending({QUEUES{1'b0}}), .mqd_records_differ({QUEUES{1'b0}}),
                .value(value), .waiting(waiting), .stopped(stopped));
            totem_drain #(.QUEUES(QUEUES)) drain (
                .hqd_dequeue(dequeue), .hqd_killing(hqd_killing), .arbiter_selected_valid(levels[16]),
                .arbiter_selected(levels[17 +: BITS]), .arbiter_active(active), .fence_settled({QUEUES{1'b1}}),
                .kill_ended({QUEUES{1'b1}}), .record_busy({QUEUES{1'b0}}), .fetch_reporting({QUEUES{1'b0}}),
                .task_owed({QUEUES{1'b0}}), .not_selected(not_selected), .drained(drained), .free(free));
            totem_hqd #(.QUEUES(QUEUES), .EPOCHS(EPOCHS)) hqd (
                .clk(clk), .rst(rst), .access_next_valid(next_valid), .access_next_from_mqd(next_from_mqd),
                .access_next_pointer(next_pointer), .access_next_queue(next_queue), .access_next_dword(next_dword),
                .access_write(is_write), .access_doorbell(doorbell), .access_load(is_load), .access_strobe(strobe),
                .access_data(access_data), .from_mqd(from_mqd), .pointer(pointer), .shown_queue(queue), .shown_dword(dword),
                .active(hqd_active), .dequeue(dequeue), .view_value(value), .view_waiting(waiting),
                .view_stopped(stopped), .drain_not_selected(not_selected), .drain_drained(drained), .drain_free(free),
                .host_request_quiet(1'b0), .host_done(pipe_done[g]), .host_error(pipe_error[g*5 +: 5]),
                .host_rdata(pipe_rdata[g*32 +: 32]),
                .ram_write_enable(we), .ram_write_addr(wa), .ram_write_data(wd), .ram_read_enable(re),
                .ram_read_addr(ra), .ram_read_data(rd), .load_valid(load_valid), .load_queue(load_queue),
                .load_kind(load_kind), .load_data(load_data), .arbiter_move(2'd0), .arbiter_move_queue({BITS{1'b0}}),
                .poll_once({QUEUES{1'b0}}), .fetch_rptr(rptr), .fetch_wptr(wptr), .offer_valid(offer_valid),
                .offer_queue(offer_queue), .offer_wptr(offer_wptr), .fetch_offer_fits(fits),
                .settings_address_high(32'd0), .fe_number(2'd0),
                .fence_spare(levels[8 +: QUEUES]), .killing(hqd_killing), .leaving(hqd_leaving),
                .parting(unused_parting), .mqd_done(mqd_done), .mqd_error(unused_error), .mqd_rdata(unused_rdata),
                .request(request), .dequeuing(unused_dequeuing), .busy(unused_busy));
            totem_ram #(.WIDTH(32), .DEPTH(QUEUES*64), .MEETS(0)) window (
                .clk(clk), .write_enable(we), .write_addr(wa), .write_data(wd), .read_enable(re), .read_addr(ra),
                    .read_data(rd));

            wire            tally_we, tally_re;
            wire [BITS+5:0] tally_wa, tally_ra;
            wire [63:0]     tally_wd, tally_rd;
            totem_tally #(.QUEUES(QUEUES)) tally (
                .clk(clk), .rst(rst), .packet_ignored(ignored && ignored_packet[23:16] == (g < P ? g : g - P + 8)),
                    .dispatch_queue(ignored_packet[8 +: BITS]),
                .packet_executed_opcode(ignored_packet[7:0]), .host_valid(tally_valid[g]), .host_write(request_write),
                    .host_queue(request_queue),
                .host_dword(request_dword), .host_strobe(request_strobe), .host_done(tally_done[g]),
                    .host_rdata(tally_rdata[g*16 +: 16]),
                .ram_write_enable(tally_we), .ram_write_addr(tally_wa), .ram_write_data(tally_wd),
                    .ram_read_enable(tally_re),
                .ram_read_addr(tally_ra), .ram_read_data(tally_rd));
            totem_ram #(.WIDTH(64), .DEPTH(QUEUES*64), .MEETS(0)) counters (
                .clk(clk), .write_enable(tally_we), .write_addr(tally_wa), .write_data(tally_wd),
                    .read_enable(tally_re), .read_addr(tally_ra),
                .read_data(tally_rd));
        end
        for (g = PLACES; g < N; g = g + 1) begin : absent
            assign pipe_done[g]           = 1'b0;
            assign pipe_error[g*5 +: 5]   = 5'd0;
            assign pipe_rdata[g*32 +: 32] = 32'd0;
            assign tally_done[g]          = 1'b0;
            assign tally_rdata[g*16 +: 16] = 16'd0;
        end
        for (g = 0; g < FE_COUNT; g = g + 1) begin : ring
            totem_graphics graphics (
                .clk(clk), .rst(rst), .host_valid(page_valid[g]), .host_write(request_write),
                .host_dword(request_dword), .host_strobe(request_strobe), .host_data(request_data),
                .host_done(page_done[g]), .host_error(page_error[g*5 +: 5]), .host_rdata(page_rdata[g*32 +: 32]),
                .frames_table_ready(1'b1), .arbiter_active(8'd0), .context_rolls(32'd0), .context_hits(32'd0),
                .context_misses(32'd0), .context_full_clocks(32'd0), .frames_written(32'd0), .frames_filtered(32'd0),
                .frames_exposed_clocks(32'd0), .render_draw_begun(1'b0));
        end
        for (g = 0; g < FE_COUNT; g = g + 1) begin : tasks
            if (`TOTEM_TASKS) begin : present
                // A call is refused at once: there is no entry. Nothing is ever reported.
                wire call;
                totem_submit #(.PIPES(PIPES), .QUEUES(QUEUES), .EPOCHS(EPOCHS), .SE_COUNT(SE_COUNT),
                    .ENTRIES(`TOTEM_ENTRIES)) submit (
                    .clk(clk), .rst(rst), .host_valid(submit_valid[g]), .host_write(request_write),
                    .host_dword(request_dword), .host_strobe(request_strobe), .host_data(request_data),
                    .host_done(submit_done[g]), .host_error(submit_error[g*5 +: 5]),
                    .host_rdata(submit_rdata[g*32 +: 32]),
                    .wave_task_valid({SE_COUNT{1'b0}}), .wave_task_pointer({SE_COUNT*32{1'b0}}),
                    .wave_task_fe({SE_COUNT*2{1'b0}}), .wave_task_pipe({SE_COUNT*2{1'b0}}),
                    .wave_task_queue({SE_COUNT*$clog2(QUEUES){1'b0}}),
                    .wave_task_epoch({SE_COUNT*$clog2(EPOCHS){1'b0}}), .fe_number(2'd0),
                    .epoch_present({PIPES*QUEUES*EPOCHS{1'b0}}), .call_valid(call), .tasks_call_done(call),
                    .tasks_call_answer(2'd2), .tasks_over_ready(1'b0), .tasks_report_write_enable(1'b0),
                    .tasks_report_write_addr({$clog2(PIPES*QUEUES){1'b0}}), .tasks_report_write_data(64'd0),
                    .finish_over_trap(1'b0), .runner_granted({PIPES{1'b0}}), .runner_marks({PIPES*9{1'b0}}),
                    .events_interrupt_ready({PIPES{1'b0}}), .fence_interrupt_valid({PIPES{1'b0}}),
                    .mqd_interrupt_valid({PIPES{1'b0}}), .report_read_data(64'd0));
            end else begin : absent
                assign submit_done[g]           = 1'b0;
                assign submit_error[g*5 +: 5]   = 5'd0;
                assign submit_rdata[g*32 +: 32] = 32'd0;
            end
        end
        for (g = 0; g < SE_COUNT; g = g + 1) begin : engine
            wire we, re, unused_ready, unused_done;
            wire [$clog2(SLOTS)-1:0] wa, ra, unused_slot;
            wire [31+GRAPHICS*12:0] wd, rd;
            wire unused_export;
            wire [$clog2(SLOTS)-1:0] unused_export_slot;
            wire [8:0] unused_primitives;
            wire [19:0] unused_pixels;
            wire unused_task;
            wire [31:0] unused_pointer;
            wire [1:0] unused_fe, unused_pipe;
            wire [$clog2(QUEUES)-1:0] unused_queue;
            wire [$clog2(EPOCHS)-1:0] unused_epoch;
            wire [4:0] unused_index;
            wire [SLOTS-1:0] unused_occupied;
            totem_wave #(.QUEUES(QUEUES), .EPOCHS(EPOCHS), .SLOTS(SLOTS), .GRAPHICS(GRAPHICS),
                .TASKS(`TOTEM_TASKS)) wave (
                .clk(clk), .rst(rst), .launch_valid(1'b0), .launch_slot({$clog2(SLOTS){1'b0}}), .launch_program(40'd0),
                .launch_state_new(1'b0), .launch_fe(2'd0), .launch_pipe(2'd0), .launch_queue({$clog2(QUEUES){1'b0}}),
                .launch_epoch({$clog2(EPOCHS){1'b0}}), .kill_valid(1'b0), .kill_fe(2'd0), .kill_pipe(2'd0),
                .kill_queue({$clog2(QUEUES){1'b0}}), .kill_epochs({EPOCHS{1'b0}}), .launch_ready(unused_ready),
                    .state_index(unused_index), .state_data(64'd0),
                .launch_kind(2'd0), .launch_primitives(7'd0), .export_valid(unused_export),
                .export_slot(unused_export_slot), .export_primitives(unused_primitives),
                .export_pixels(unused_pixels), .export_ready(1'b1), .task_valid(unused_task),
                .task_pointer(unused_pointer), .task_fe(unused_fe), .task_pipe(unused_pipe), .task_queue(unused_queue),
                .task_epoch(unused_epoch), .task_ready(1'b0), .task_refused(1'b0),
                .done_valid(unused_done), .done_slot(unused_slot), .host_valid(engine_valid[g]),
                    .host_write(request_write),
                .host_dword(request_dword), .host_strobe(request_strobe), .host_data(request_data),
                    .host_done(engine_done[g]),
                .host_error(engine_error[g*5 +: 5]), .host_rdata(engine_rdata[g*32 +: 32]), .time_write_enable(we),
                .time_write_addr(wa), .time_write_data(wd), .time_read_enable(re), .time_read_addr(ra),
                    .time_read_data(rd),
                .occupied(unused_occupied));
            totem_stats #(.FE_COUNT(FE_COUNT), .PIPES(PIPES), .COUNT_BITS(`TOTEM_COUNT_BITS)) stats (
                .clk(clk), .rst(rst), .issue_passed({P{1'b0}}), .issue_lacks({P{1'b0}}), .grant_valid(1'b0),
                .grant_fe(2'd0), .grant_pipe(2'd0), .hold_waited({P*24{1'b0}}), .host_valid(stats_valid[g]),
                .host_write(request_write), .host_dword(request_dword), .host_strobe(request_strobe),
                .host_done(stats_done[g]), .host_rdata(stats_rdata[g*32 +: 32]));
            totem_stats #(.FE_COUNT(FE_COUNT), .PIPES(1), .COUNT_BITS(`TOTEM_COUNT_BITS)) groups (
                .clk(clk), .rst(rst), .issue_passed({FE_COUNT{1'b0}}), .issue_lacks({FE_COUNT{1'b0}}),
                .grant_valid(1'b0), .grant_fe(2'd0), .grant_pipe(2'd0), .hold_waited({FE_COUNT*24{1'b0}}),
                .host_valid(groups_valid[g]), .host_write(request_write), .host_dword(request_dword),
                .host_strobe(request_strobe), .host_done(groups_done[g]), .host_rdata(groups_rdata[g*32 +: 32]));
            totem_stats #(.FE_COUNT(FE_COUNT), .PIPES(1), .COUNT_BITS(`TOTEM_COUNT_BITS)) geometry (
                .clk(clk), .rst(rst), .issue_passed({FE_COUNT{1'b0}}), .issue_lacks({FE_COUNT{1'b0}}),
                .grant_valid(1'b0), .grant_fe(2'd0), .grant_pipe(2'd0), .hold_waited({FE_COUNT*24{1'b0}}),
                .host_valid(geometry_valid[g]), .host_write(request_write), .host_dword(request_dword),
                .host_strobe(request_strobe), .host_done(geometry_done[g]), .host_rdata(geometry_rdata[g*32 +: 32]));
            totem_stats #(.FE_COUNT(FE_COUNT), .PIPES(1), .COUNT_BITS(`TOTEM_COUNT_BITS)) pixels (
                .clk(clk), .rst(rst), .issue_passed({FE_COUNT{1'b0}}), .issue_lacks({FE_COUNT{1'b0}}),
                .grant_valid(1'b0), .grant_fe(2'd0), .grant_pipe(2'd0), .hold_waited({FE_COUNT*24{1'b0}}),
                .host_valid(pixels_valid[g]), .host_write(request_write), .host_dword(request_dword),
                .host_strobe(request_strobe), .host_done(pixels_done[g]), .host_rdata(pixels_rdata[g*32 +: 32]));
            totem_ram #(.WIDTH(32+GRAPHICS*12), .DEPTH(SLOTS)) times (
                .clk(clk), .write_enable(we), .write_addr(wa), .write_data(wd), .read_enable(re), .read_addr(ra),
                    .read_data(rd));
        end
    endgenerate

    totem_controls #(.FE_COUNT(FE_COUNT), .SE_COUNT(SE_COUNT)) controls (
        .clk(clk), .rst(rst), .host_valid(controls_valid), .host_write(request_write), .host_dword(request_dword),
        .host_strobe(request_strobe), .host_data(request_data), .host_done(controls_done), .host_error(controls_error),
        .host_rdata(controls_rdata), .packet_valid({FE_COUNT{1'b0}}), .packet_second({FE_COUNT{1'b0}}),
        .packet_data({FE_COUNT*32{1'b0}}), .throttle_closed({SE_COUNT*32{1'b0}}), .throttle_dead({SE_COUNT*10{1'b0}}),
        .throttle_stall_a({SE_COUNT*11{1'b0}}), .throttle_stall_b({SE_COUNT*11{1'b0}}),
        .throttle_stall_c({SE_COUNT*11{1'b0}}), .monitor_status({SE_COUNT*2{1'b0}}));

    // A case: kind 4, address 20, strobe 4, SLVERR expected 4, data 32, mask 32, expected 32 bits.
    reg [127:0]  cases [0:65535];
    reg [1023:0] file;
    reg [3:0]    kind;
    reg [31:0]   data, mask, expected, got;
    reg [1:0]    answer;
    reg          wanted;
    integer      place = 0, passed = 0, failed = 0, seed = 1, limit, quiet;

    task pause;     // 0 to 3 clocks
        repeat ({$random(seed)} % 4) @(posedge clk);
    endtask

    // A case that gets no answer ends the run.
    integer since = 0, last = 0;
    always @(posedge clk) begin
        since <= (place == last) ? since + 1 : 0;
        last  <= place;
        if (since == 100000) begin
            $display("FAIL case %0d: no answer", place);
            $display("%0d passed, %0d failed", passed, failed + 1);
            $finish;
        end
    end

    // One channel: valid up, until the clock in which ready is up too.
    task send_address; begin
        pause; awvalid <= 1'b1; @(posedge clk);
        while (!awready) @(posedge clk);
        awvalid <= 1'b0;
    end endtask
    task send_data; begin
        pause; wvalid <= 1'b1; @(posedge clk);
        while (!wready) @(posedge clk);
        wvalid <= 1'b0;
    end endtask

    task access(input write); begin
        if (write) begin
            fork
                send_address;
                send_data;
            join
            pause;
            bready <= 1'b1;
            @(posedge clk);
            while (!bvalid) @(posedge clk);
            answer = bresp;
            got    = 32'd0;
            bready <= 1'b0;
        end else begin
            pause; arvalid <= 1'b1; @(posedge clk);
            while (!arready) @(posedge clk);
            arvalid <= 1'b0;
            pause;
            rready <= 1'b1;
            @(posedge clk);
            while (!rvalid) @(posedge clk);
            answer = rresp;
            got    = rdata;
            rready <= 1'b0;
        end
    end endtask

    initial begin
        if (!$value$plusargs("cases=%s", file) || !$value$plusargs("count=%d", limit)) begin
            $display("FAIL: +cases=FILE or +count=NUMBER is missing");
            $finish;
        end
        $readmemh(file, cases, 0, limit - 1);
        repeat (4) @(posedge clk);
        rst <= 1'b0;
        kind = READ;
        while (kind != END && !($test$plusargs("first") && failed != 0)) begin
            {kind, awaddr, wstrb} = cases[place][127:100];
            {wanted, data, mask, expected} = cases[place][96:0];
            araddr = awaddr;
            wdata  = data;
            case (kind)
                READ, WRITE: begin
                    access(kind == WRITE);
                    if (answer !== {wanted, 1'b0} || ((got ^ expected) & mask) !== 32'd0) begin
                        failed = failed + 1;
                        if (failed < 20)
                            $display("FAIL case %0d: %0s 0x%h strobe %b data 0x%h: response %0d, expected %0d; got 0x%h, expected 0x%h mask 0x%h", place,
                                     kind == WRITE ? "write" : "read", awaddr, wstrb, data, answer, {wanted, 1'b0},
                                         got, expected, mask);
                    end else
                        passed = passed + 1;
                end
                // With a mask it ends sooner, when host has had no error record to give for so many clocks.
                PAUSE:
                    for (quiet = 0; data != 32'd0 && !(mask != 32'd0 && quiet == mask); data = data - 32'd1) begin
                        @(posedge clk);
                        quiet = error_valid ? 0 : quiet + 1;
                    end
                LEVELS: levels <= data;
                // MESSAGE: code 0x61, queue 3, address 0x12_3456_7890; INTERRUPT: queue 2
                MESSAGE, INTERRUPT: begin
                    if (kind == MESSAGE) begin
                        message_word  <= {8'h61, 5'd0, 3'd3, 8'd0, 40'h1234567890};
                        message_valid <= 1'b1;
                        @(posedge clk);
                        while (!message_ready[0]) @(posedge clk);
                        message_word <= {32'hffffffff, data};
                        @(posedge clk);
                        while (!message_ready[0]) @(posedge clk);
                        message_valid <= 1'b0;
                    end else begin
                        interrupt_word  <= {29'd0, 3'd2, data};
                        interrupt_valid <= 1'b1;
                        @(posedge clk);
                        while (!interrupt_ready[0]) @(posedge clk);
                        interrupt_valid <= 1'b0;
                    end
                end
                IGNORED: begin                              // one packet; the next one comes 4 clocks later
                    ignored_packet <= data;
                    ignored        <= 1'b1;
                    @(posedge clk);
                    ignored        <= 1'b0;
                    repeat (3) @(posedge clk);
                end
                IRQ, LOAD: begin                            // the level irq; the next load bus word of pipe 0
                    got = (kind == IRQ) ? {31'd0, irq} : 32'd0;
                    if (kind == IRQ ? got !== expected : loads[loads_out % 256] !== {1'b0, cases[place][47:0]} ||
                        loads_out >= loads_in) begin
                        failed = failed + 1;
                        $display("FAIL case %0d: %0s 0x%h, expected 0x%h", place, kind == IRQ ? "irq" : "load bus",
                            kind == IRQ ? got : loads[loads_out % 256],
                                 cases[place][47:0]);
                    end else
                        passed = passed + 1;
                    if (kind == LOAD)
                        loads_out = loads_out + 1;
                end
                default: ;
            endcase
            place = place + 1;
        end
        if (loads_out != loads_in) begin
            failed = failed + 1;
            $display("FAIL: %0d load bus words, %0d expected", loads_in, loads_out);
        end
        $display("%0d passed, %0d failed", passed, failed);
        $finish;
    end
endmodule

`default_nettype wire
