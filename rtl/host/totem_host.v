// SPDX-License-Identifier: Apache-2.0
//
// totem_host: AXI4-Lite slave and a second requester, address decode, registers of the whole machine.
//
// Policy    one access at a time; when a write and a read wait, the kind that was not served last goes first; so it is
//           with AXI4-Lite and proxy. What no block has, and what a block refuses, is answered with SLVERR, and an
//           error message goes to events (proxy has its own); the bus never waits for that message: while one is still
//           on its way, further ones are only counted. A shader core may never answer: it has a time-out.
// Latency   the response is valid 3 clocks after the last word was transferred, plus the time of the target block.
// Boundary  address, data and read address channel have a register each, the two response channels too: none waits
//           for another, and every ready and valid comes from state alone.
// Cost      about 630 flip-flops, of which 530 are data, settings and counters.
// Proved    1 answered to 10 owed of the contract.
// Parts     _target (decode of the address), _registers (what the machine's registers read), _answer (of the target).
// Twin      cmodel/host/totem_host.c, same names.

`default_nettype none

`include "totem_config.vh"
`include "totem_pm4.vh"
`include "totem_regs.vh"

module totem_host #(
    parameter FE_COUNT = 4,                 // 1..4, FE_COUNT*PIPES: 1..8
    parameter PIPES    = 2,
    parameter QUEUES   = 8,                 // 1..8
    parameter SE_COUNT = 4,                 // 1..4
    parameter EPOCHS   = 8,                 // these five are only shown to the host
    parameter SLOTS    = 64,
    parameter VGPRS    = 2048,
    parameter LDS      = 512,
    parameter LANES    = 8,
    parameter GRAPHICS = 0,                 // 0: nothing of rings exists
    parameter GRAPHICS_QUEUES = 2,
    parameter TASKS    = 0,                 // 0: there are no tasks
    parameter RUNLIST  = 0,                 // 0: there is no run list
    parameter RUN_QUEUES = 1024
) (
    input  wire                          clk,
    input  wire                          rst,
    // AXI4-Lite
    input  wire [19:0]                   s_axil_awaddr,
    input  wire [2:0]                    s_axil_awprot,
    input  wire                          s_axil_awvalid,
    output wire                          s_axil_awready,
    input  wire [31:0]                   s_axil_wdata,
    input  wire [3:0]                    s_axil_wstrb,
    input  wire                          s_axil_wvalid,
    output wire                          s_axil_wready,
    output wire [1:0]                    s_axil_bresp,
    output wire                          s_axil_bvalid,
    input  wire                          s_axil_bready,
    input  wire [19:0]                   s_axil_araddr,
    input  wire [2:0]                    s_axil_arprot,
    input  wire                          s_axil_arvalid,
    output wire                          s_axil_arready,
    output wire [31:0]                   s_axil_rdata,
    output wire [1:0]                    s_axil_rresp,
    output wire                          s_axil_rvalid,
    input  wire                          s_axil_rready,
    // proxy
    input  wire                          proxy_valid,
    input  wire                          proxy_write,
    input  wire [17:0]                   proxy_address,
    input  wire [31:0]                   proxy_data,
    output wire                          proxy_done,
    output wire [4:0]                    proxy_error,
    output wire [31:0]                   proxy_rdata,
    // request
    output wire [FE_COUNT*PIPES-1:0]     hqd_valid,
    output wire [FE_COUNT*PIPES-1:0]     tally_valid,
    output wire [SE_COUNT-1:0]           wave_valid,
    output wire [SE_COUNT-1:0]           stats_valid,
    output wire [FE_COUNT-1:0]           graphics_hqd_valid,
    output wire [FE_COUNT-1:0]           graphics_tally_valid,
    output wire [FE_COUNT-1:0]           graphics_valid,
    output wire [SE_COUNT-1:0]           graphics_stats_valid,
    output wire [SE_COUNT-1:0]           geometry_stats_valid,
    output wire [SE_COUNT-1:0]           pixel_stats_valid,
    output wire                          controls_valid,
    output wire [FE_COUNT-1:0]           submit_valid,
    output wire                          events_valid,
    output wire                          ledger_valid,
    output wire                          bell_valid,
    output wire                          request_write,
    output wire                          request_quiet,
    output wire                          request_doorbell,
    output wire [2:0]                    request_queue,
    output wire [7:0]                    request_dword,
    output wire [$clog2(RUN_QUEUES)-1:0] request_entry,
    output wire [3:0]                    request_strobe,
    output wire [31:0]                   request_data,
    // answer
    input  wire [FE_COUNT*PIPES-1:0]     hqd_done,
    input  wire [FE_COUNT*PIPES*5-1:0]   hqd_error,
    input  wire [FE_COUNT*PIPES*32-1:0]  hqd_rdata,
    input  wire [FE_COUNT*PIPES-1:0]     tally_done,
    input  wire [FE_COUNT*PIPES*16-1:0]  tally_rdata,
    input  wire [SE_COUNT-1:0]           wave_done,
    input  wire [SE_COUNT*5-1:0]         wave_error,
    input  wire [SE_COUNT*32-1:0]        wave_rdata,
    input  wire [SE_COUNT-1:0]           stats_done,
    input  wire [SE_COUNT*32-1:0]        stats_rdata,
    input  wire [FE_COUNT-1:0]           graphics_hqd_done,
    input  wire [FE_COUNT*5-1:0]         graphics_hqd_error,
    input  wire [FE_COUNT*32-1:0]        graphics_hqd_rdata,
    input  wire [FE_COUNT-1:0]           graphics_tally_done,
    input  wire [FE_COUNT*16-1:0]        graphics_tally_rdata,
    input  wire [FE_COUNT-1:0]           graphics_done,
    input  wire [FE_COUNT*5-1:0]         graphics_error,
    input  wire [FE_COUNT*32-1:0]        graphics_rdata,
    input  wire [SE_COUNT-1:0]           graphics_stats_done,
    input  wire [SE_COUNT*32-1:0]        graphics_stats_rdata,
    input  wire [SE_COUNT-1:0]           geometry_stats_done,
    input  wire [SE_COUNT*32-1:0]        geometry_stats_rdata,
    input  wire [SE_COUNT-1:0]           pixel_stats_done,
    input  wire [SE_COUNT*32-1:0]        pixel_stats_rdata,
    input  wire                          controls_done,
    input  wire [4:0]                    controls_error,
    input  wire [31:0]                   controls_rdata,
    input  wire [FE_COUNT-1:0]           submit_done,
    input  wire [FE_COUNT*5-1:0]         submit_error,
    input  wire [FE_COUNT*32-1:0]        submit_rdata,
    input  wire                          events_done,
    input  wire [4:0]                    events_error,
    input  wire [31:0]                   events_rdata,
    input  wire                          ledger_done,
    input  wire [4:0]                    ledger_error,
    input  wire [31:0]                   ledger_rdata,
    input  wire                          bell_done,
    input  wire [4:0]                    bell_error,
    input  wire [31:0]                   bell_rdata,
    // settings
    output wire [31:0]                   settings_timeout,
    output wire [23:0]                   settings_quantum_unit0,
    output wire [23:0]                   settings_quantum_unit1,
    output wire [23:0]                   settings_turn_limit,
    output wire                          settings_event_on_priority_write,
    output wire                          settings_priority_write_open,
    output wire                          settings_mqd_save,
    output wire                          settings_task_priority,
    output wire                          settings_group_strict,
    output wire                          settings_strict,
    output wire                          settings_rsrc3_gfx9,
    output wire [2:0]                    settings_die,
    output wire [23:0]                   settings_dequeue_timeout,
    output wire [31:0]                   settings_address_high,
    output wire [23:0]                   settings_hold_high,
    output wire [23:0]                   settings_hold_medium,
    output wire [23:0]                   settings_hold_low,
    output wire [23:0]                   settings_hold_graphics,
    output wire [6:0]                    settings_reserve_slots,
    output wire [11:0]                   settings_reserve_vgprs,
    output wire [9:0]                    settings_reserve_lds,
    output wire                          settings_poll_enable,
    output wire [7:0]                    settings_poll_period,
    output wire [FE_COUNT*PIPES*QUEUES-1:0] poll_once,
    output wire [FE_COUNT*GRAPHICS_QUEUES-1:0] graphics_poll_once,
    // counters
    input  wire [FE_COUNT*PIPES*16-1:0]  hqd_drains,
    input  wire [FE_COUNT*PIPES*16-1:0]  fence_lost,
    input  wire [FE_COUNT*PIPES*16-1:0]  fence_late,
    input  wire [FE_COUNT*16-1:0]        graphics_hqd_drains,
    input  wire [FE_COUNT*16-1:0]        graphics_fence_lost,
    input  wire [FE_COUNT*16-1:0]        graphics_fence_late,
    // time
    output wire [63:0]                   clock,
    input  wire                          machine_idle,
    input  wire                          rings_idle,
    input  wire [FE_COUNT-1:0]           memory_dead,
    // error
    output wire                          error_valid,
    output wire [63:0]                   error_word,
    input  wire                          events_error_ready
);
`include "totem_host_values.vh"

    localparam PIPE_COUNT = FE_COUNT*PIPES;
    localparam PLACES     = PIPE_COUNT + FE_COUNT;      // pipes, then rings
    localparam FULL       = (GRAPHICS != 0) ? PLACES : PIPE_COUNT;      // of these exist

    generate
        if (FE_COUNT < 1 || PIPES < 1 || FE_COUNT > 4 || PIPE_COUNT > 8 || QUEUES < 1 || QUEUES > 8 || SE_COUNT < 1
            || SE_COUNT > 4) begin : check
            totem_host_needs_1_to_8_pipes_1_to_8_QUEUES_and_1_to_4_engines refused ();
        end
    endgenerate

    localparam [7:0] CODE_HOLE = `TOTEM_ERROR_HOST_HOLE, CODE_READ_ONLY = `TOTEM_ERROR_HOST_READ_ONLY;
    localparam [7:0] CODE_LOCKED = `TOTEM_ERROR_HOST_LOCKED, CODE_TIME_OUT = `TOTEM_ERROR_HOST_TIME_OUT;
    localparam [31:0] RESERVE = `TOTEM_REG_MACHINE_RESET(`TOTEM_REG_MACHINE_PS_RESERVE);
    localparam [63:0] WRITABLE = `TOTEM_REG_MACHINE_WRITABLE;

    reg        aw_valid_q, aw_valid_d;
    reg [17:0] aw_addr_q, aw_addr_d;
    reg        w_valid_q, w_valid_d;
    reg [31:0] w_data_q, w_data_d;
    reg [3:0]  w_strobe_q, w_strobe_d;
    reg        ar_valid_q, ar_valid_d;
    reg [17:0] ar_addr_q, ar_addr_d;
    reg        b_valid_q, b_valid_d;
    reg        b_error_q, b_error_d;
    reg        r_valid_q, r_valid_d;
    reg        r_error_q, r_error_d;
    reg [31:0] r_data_q, r_data_d;
    reg [1:0]  phase_q, phase_d;
    reg        write_q, write_d;
    reg        proxy_q, proxy_d;
    reg        proxy_writes_q, proxy_writes_d;
    reg [17:0] proxy_addr_q, proxy_addr_d;
    reg [31:0] proxy_word_q, proxy_word_d;
    reg        proxy_done_q, proxy_done_d;
    reg [4:0]  proxy_error_q, proxy_error_d;
    reg [31:0] proxy_rdata_q, proxy_rdata_d;
    reg [23:0] host_timeout_q, host_timeout_d;
    reg [23:0] left_q, left_d;
    reg [SE_COUNT-1:0] owing_q, owing_d;
    reg [31:0] settings_timeout_q, settings_timeout_d;
    reg [23:0] settings_quantum_unit0_q, settings_quantum_unit0_d;
    reg [23:0] settings_quantum_unit1_q, settings_quantum_unit1_d;
    reg [23:0] settings_turn_limit_q, settings_turn_limit_d;
    reg [23:0] settings_dequeue_timeout_q, settings_dequeue_timeout_d;
    reg [31:0] settings_address_high_q, settings_address_high_d;
    reg [23:0] settings_hold_high_q, settings_hold_high_d;
    reg [23:0] settings_hold_medium_q, settings_hold_medium_d;
    reg [23:0] settings_hold_low_q, settings_hold_low_d;
    reg [23:0] settings_hold_graphics_q, settings_hold_graphics_d;
    reg [6:0]  settings_reserve_slots_q, settings_reserve_slots_d;
    reg [11:0] settings_reserve_vgprs_q, settings_reserve_vgprs_d;
    reg [9:0]  settings_reserve_lds_q, settings_reserve_lds_d;
    reg        settings_event_on_priority_write_q, settings_event_on_priority_write_d;
    reg        settings_priority_write_open_q, settings_priority_write_open_d;
    reg        settings_mqd_save_q, settings_mqd_save_d;
    reg        settings_task_priority_q, settings_task_priority_d;
    reg        settings_group_strict_q, settings_group_strict_d;
    reg        settings_strict_q, settings_strict_d;
    reg        settings_rsrc3_gfx9_q, settings_rsrc3_gfx9_d;
    reg [2:0]  settings_die_q, settings_die_d;
    reg        settings_poll_enable_q, settings_poll_enable_d;
    reg [7:0]  settings_poll_period_q, settings_poll_period_d;
    reg [PIPE_COUNT*QUEUES-1:0] poll_once_q, poll_once_d;
    reg [FE_COUNT-1:0] ring_poll_once_q, ring_poll_once_d;
    reg [63:0] clock_q, clock_d;
    reg [31:0] clock_high_q, clock_high_d;
    reg [1:0]  error_left_q, error_left_d;
    reg [4:0]  error_code_q, error_code_d;
    reg [2:0]  error_queue_q, error_queue_d;
    reg [17:0] error_addr_q, error_addr_d;
    reg [31:0] error_data_q, error_data_d;
    reg [15:0] lost_q, lost_d;

    // Registers that reset leaves alone read 0 at start, as in the model.
    initial begin
        aw_addr_q     = 18'd0;
        w_data_q      = 32'd0;
        w_strobe_q    = 4'd0;
        ar_addr_q     = 18'd0;
        b_error_q     = 1'b0;
        r_error_q     = 1'b0;
        r_data_q      = 32'd0;
        clock_high_q  = 32'd0;
        proxy_writes_q = 1'b0;
        proxy_addr_q  = 18'd0;
        proxy_word_q  = 32'd0;
        proxy_error_q = 5'd0;
        proxy_rdata_q = 32'd0;
        left_q        = 24'd0;
        error_code_q  = 5'd0;
        error_queue_q = 3'd0;
        error_addr_q  = 18'd0;
        error_data_q  = 32'd0;
    end

    wire unused = &{1'b0, s_axil_awprot, s_axil_arprot, s_axil_awaddr[1:0], s_axil_araddr[1:0]};

    // The access under way.
    wire        writes = proxy_q ? proxy_writes_q : write_q;
    wire [17:0] a      = proxy_q ? proxy_addr_q : write_q ? aw_addr_q : ar_addr_q;
    wire [31:0] word   = proxy_q ? proxy_word_q : w_data_q;
    wire [3:0]  strobe = proxy_q ? 4'hf : w_strobe_q;
    wire [3:0]  target, index;
    totem_host_target #(
        .FE_COUNT(FE_COUNT), .PIPES(PIPES), .QUEUES(QUEUES), .SE_COUNT(SE_COUNT), .GRAPHICS(GRAPHICS), .TASKS(TASKS),
        .RUNLIST(RUNLIST), .RUN_QUEUES(RUN_QUEUES)
    ) targets (
        .a(a), .target(target), .index(index), .request_queue(request_queue), .request_dword(request_dword)
    );

    wire                waits   = (phase_q == HOST_WAIT);
    wire                to_pipe = (target == TARGET_DOORBELL) || (target == TARGET_WINDOW);
    wire [PLACES-1:0]   to_hqd, to_tally;
    genvar place;
    generate
        for (place = 0; place < PLACES; place = place + 1) begin : pipe
            assign to_hqd[place]   = place < FULL && waits && to_pipe && index == place;
            assign to_tally[place] = place < FULL && waits && target == TARGET_TALLY && index == place;
        end
        for (place = 0; place < FE_COUNT; place = place + 1) begin : front
            assign graphics_valid[place] = waits && target == TARGET_PAGE && index == place;
            assign submit_valid[place]     = waits && target == TARGET_TASKS && index == place;
            assign graphics_poll_once[place*GRAPHICS_QUEUES +: GRAPHICS_QUEUES] = ring_poll_once_q[place] ? 1 : 0;
        end
        for (place = 0; place < SE_COUNT; place = place + 1) begin : engine
            assign wave_valid[place]           = waits && target == TARGET_ENGINE && index == place;
            assign stats_valid[place]          = waits && target == TARGET_STATS && index == place;
            assign graphics_stats_valid[place] = waits && target == TARGET_RING_STATS && index == place;
            assign geometry_stats_valid[place] = waits && target == TARGET_GEOMETRY_STATS && index == place;
            assign pixel_stats_valid[place]    = waits && target == TARGET_PIXEL_STATS && index == place;
        end
    endgenerate
    assign {graphics_hqd_valid, hqd_valid}     = to_hqd;
    assign {graphics_tally_valid, tally_valid} = to_tally;
    assign events_valid     = waits && target == TARGET_EVENTS;
    assign controls_valid   = waits && target == TARGET_CONTROLS;
    assign ledger_valid     = waits && target == TARGET_LEDGER;
    assign bell_valid       = waits && target == TARGET_BELL;
    assign request_entry    = (RUNLIST != 0) ? a[$clog2(RUN_QUEUES):1] : {$clog2(RUN_QUEUES){1'b0}};
    assign request_write    = writes;
    assign request_quiet    = proxy_q;
    assign request_doorbell = (target == TARGET_DOORBELL);
    assign request_strobe   = strobe;
    assign request_data     = word;
    assign proxy_done       = proxy_done_q;
    assign proxy_error      = proxy_error_q;
    assign proxy_rdata      = proxy_rdata_q;

    assign s_axil_awready   = !aw_valid_q;
    assign s_axil_wready    = !w_valid_q;
    assign s_axil_arready   = !ar_valid_q;
    assign s_axil_bvalid    = b_valid_q;
    assign s_axil_bresp     = {b_error_q, 1'b0};
    assign s_axil_rvalid    = r_valid_q;
    assign s_axil_rresp     = {r_error_q, 1'b0};
    assign s_axil_rdata     = r_data_q;
    assign settings_timeout = settings_timeout_q;
    assign settings_quantum_unit0           = settings_quantum_unit0_q;
    assign settings_quantum_unit1           = settings_quantum_unit1_q;
    assign settings_turn_limit              = settings_turn_limit_q;
    assign settings_event_on_priority_write = settings_event_on_priority_write_q;
    assign settings_priority_write_open     = settings_priority_write_open_q;
    assign settings_mqd_save                = settings_mqd_save_q;
    assign settings_task_priority           = settings_task_priority_q;
    assign settings_group_strict            = settings_group_strict_q;
    assign settings_strict                  = settings_strict_q;
    assign settings_rsrc3_gfx9              = settings_rsrc3_gfx9_q;
    assign settings_die                     = settings_die_q;
    assign settings_dequeue_timeout         = settings_dequeue_timeout_q;
    assign settings_address_high            = settings_address_high_q;
    assign settings_hold_high               = settings_hold_high_q;
    assign settings_hold_medium             = settings_hold_medium_q;
    assign settings_hold_low                = settings_hold_low_q;
    assign settings_hold_graphics           = settings_hold_graphics_q;
    assign settings_reserve_slots           = settings_reserve_slots_q;
    assign settings_reserve_vgprs           = settings_reserve_vgprs_q;
    assign settings_reserve_lds             = settings_reserve_lds_q;
    assign settings_poll_enable             = settings_poll_enable_q;
    assign settings_poll_period             = settings_poll_period_q;
    assign poll_once                        = poll_once_q;
    assign clock            = clock_q;
    assign error_valid      = (error_left_q != 2'd0);
    assign error_word       = (error_left_q == 2'd2)
                              ? {3'b100, error_code_q, 5'd0, error_queue_q, 28'd0, error_addr_q, 2'd0}
                                                     : {32'd0, error_data_q};

    wire [31:0] mask = {{8{strobe[3]}}, {8{strobe[2]}}, {8{strobe[1]}}, {8{strobe[0]}}};

    wire [31:0] value;          // of the global register
    wire [31:0] setting = (value & ~mask) | (word & mask);
    totem_host_registers #(
        .FE_COUNT(FE_COUNT), .PIPES(PIPES), .QUEUES(QUEUES), .SE_COUNT(SE_COUNT), .EPOCHS(EPOCHS), .SLOTS(SLOTS),
        .VGPRS(VGPRS), .LDS(LDS), .LANES(LANES), .GRAPHICS(GRAPHICS)
    ) registers (
        .dword(a[`TOTEM_REG_MACHINE_DWORD]), .clock_low(clock_q[31:0]), .clock_high(clock_high_q), .lost(lost_q),
        .settings_timeout(settings_timeout_q), .settings_quantum_unit0(settings_quantum_unit0_q),
        .settings_quantum_unit1(settings_quantum_unit1_q), .settings_turn_limit(settings_turn_limit_q),
        .settings_event_on_priority_write(settings_event_on_priority_write_q),
        .settings_priority_write_open(settings_priority_write_open_q), .settings_mqd_save(settings_mqd_save_q),
        .settings_task_priority(settings_task_priority_q), .settings_group_strict(settings_group_strict_q),
        .settings_dequeue_timeout(settings_dequeue_timeout_q), .settings_address_high(settings_address_high_q),
        .host_timeout(host_timeout_q),
        .settings_hold_high(settings_hold_high_q), .settings_strict(settings_strict_q),
        .settings_rsrc3_gfx9(settings_rsrc3_gfx9_q), .settings_die(settings_die_q),
        .settings_hold_medium(settings_hold_medium_q), .settings_hold_low(settings_hold_low_q),
        .settings_hold_graphics(settings_hold_graphics_q), .settings_reserve_lds(settings_reserve_lds_q),
        .settings_reserve_vgprs(settings_reserve_vgprs_q), .settings_reserve_slots(settings_reserve_slots_q),
        .settings_poll_period(settings_poll_period_q), .settings_poll_enable(settings_poll_enable_q),
        .machine_idle(machine_idle), .memory_dead(memory_dead), .hqd_drains(hqd_drains),
        .fence_lost(fence_lost), .fence_late(fence_late), .graphics_hqd_drains(graphics_hqd_drains),
        .graphics_fence_lost(graphics_fence_lost), .graphics_fence_late(graphics_fence_late), .value(value)
    );

    // Queues that a write of CP_PQ_WPTR_POLL_CNTL1 names: a byte for a pipe, the register after it for pipes 4 to 7.
    wire [63:0] named = {a[`TOTEM_REG_MACHINE_DWORD] == `TOTEM_REG_MACHINE_CP_PQ_WPTR_POLL_CNTL1 + 5'd1
                         ? word & mask : 32'd0,
                         a[`TOTEM_REG_MACHINE_DWORD] == `TOTEM_REG_MACHINE_CP_PQ_WPTR_POLL_CNTL1
                         ? word & mask : 32'd0};

    wire        answered;
    wire [4:0]  answer_code;
    wire [31:0] answer_data;
    totem_host_answer #(.FE_COUNT(FE_COUNT), .PIPES(PIPES), .SE_COUNT(SE_COUNT), .GRAPHICS(GRAPHICS)) answer (
        .target(target), .index(index), .hqd_done(hqd_done), .hqd_error(hqd_error), .hqd_rdata(hqd_rdata),
        .tally_done(tally_done), .tally_rdata(tally_rdata), .graphics_hqd_done(graphics_hqd_done),
        .graphics_hqd_error(graphics_hqd_error), .graphics_hqd_rdata(graphics_hqd_rdata),
        .graphics_tally_done(graphics_tally_done), .graphics_tally_rdata(graphics_tally_rdata),
        .graphics_done(graphics_done), .graphics_error(graphics_error), .graphics_rdata(graphics_rdata),
        .submit_done(submit_done), .submit_error(submit_error), .submit_rdata(submit_rdata), .wave_done(wave_done),
        .wave_error(wave_error), .wave_rdata(wave_rdata), .stats_done(stats_done), .stats_rdata(stats_rdata),
        .graphics_stats_done(graphics_stats_done), .graphics_stats_rdata(graphics_stats_rdata),
        .geometry_stats_done(geometry_stats_done), .geometry_stats_rdata(geometry_stats_rdata),
        .pixel_stats_done(pixel_stats_done), .pixel_stats_rdata(pixel_stats_rdata), .events_done(events_done),
        .events_error(events_error), .events_rdata(events_rdata), .controls_done(controls_done),
        .controls_error(controls_error), .controls_rdata(controls_rdata), .ledger_done(ledger_done),
        .ledger_error(ledger_error), .ledger_rdata(ledger_rdata), .bell_done(bell_done), .bell_error(bell_error),
        .bell_rdata(bell_rdata), .finish(answered), .code(answer_code), .data(answer_data)
    );

    // PS_RESERVE stands while there is work of rings.
    wire locked = GRAPHICS != 0 && writes && !rings_idle && target == TARGET_GLOBAL
                  && a[`TOTEM_REG_MACHINE_DWORD] == `TOTEM_REG_MACHINE_PS_RESERVE;

    // A shader core that has not answered in time, or owes an answer.
    wire [3:0] owes      = {{4-SE_COUNT{1'b0}}, owing_q};
    wire       owed      = target == TARGET_ENGINE && owes[index[1:0]];
    wire       upper     = target == TARGET_BELL && a[0];
    wire       timed_out = waits && !answered && target == TARGET_ENGINE && left_q == 24'd1;

    // How the access ends in this clock.
    reg        finish;
    reg [4:0]  code;
    reg [31:0] data;
    always @* begin
        finish = waits && answered || timed_out;
        code   = timed_out ? CODE_TIME_OUT[4:0] : answer_code;
        data   = answer_data;
        if (phase_q == HOST_ROUTE) begin
            finish = target == TARGET_HOLE || target == TARGET_GLOBAL || owed || upper;
            code   = 5'd0;
            data   = upper ? 32'd0 : value;
            if (target == TARGET_HOLE)
                code = CODE_HOLE[4:0];
            else if (owed)
                code = CODE_TIME_OUT[4:0];
            else if (!upper && writes && !WRITABLE[a[`TOTEM_REG_MACHINE_DWORD]])
                code = CODE_READ_ONLY[4:0];
            else if (locked)
                code = CODE_LOCKED[4:0];
        end
    end

    integer slot;
    wire can_write  = aw_valid_q && w_valid_q && !b_valid_q;
    wire can_read   = ar_valid_q && !r_valid_q;
    wire can_proxy  = proxy_valid && !proxy_done_q;
    wire proxy_goes = can_proxy && !(proxy_q && (can_write || can_read));

    always @* begin
        aw_valid_d         = aw_valid_q;
        aw_addr_d          = aw_addr_q;
        w_valid_d          = w_valid_q;
        w_data_d           = w_data_q;
        w_strobe_d         = w_strobe_q;
        ar_valid_d         = ar_valid_q;
        ar_addr_d          = ar_addr_q;
        b_valid_d          = b_valid_q;
        b_error_d          = b_error_q;
        r_valid_d          = r_valid_q;
        r_error_d          = r_error_q;
        r_data_d           = r_data_q;
        phase_d            = phase_q;
        write_d            = write_q;
        proxy_d            = proxy_q;
        proxy_writes_d     = proxy_writes_q;
        proxy_addr_d       = proxy_addr_q;
        proxy_word_d       = proxy_word_q;
        proxy_error_d      = proxy_error_q;
        proxy_rdata_d      = proxy_rdata_q;
        host_timeout_d     = host_timeout_q;
        left_d             = left_q;
        owing_d            = owing_q;
        settings_timeout_d = settings_timeout_q;
        settings_quantum_unit0_d           = settings_quantum_unit0_q;
        settings_quantum_unit1_d           = settings_quantum_unit1_q;
        settings_turn_limit_d              = settings_turn_limit_q;
        settings_event_on_priority_write_d = settings_event_on_priority_write_q;
        settings_priority_write_open_d     = settings_priority_write_open_q;
        settings_mqd_save_d                = settings_mqd_save_q;
        settings_task_priority_d           = settings_task_priority_q;
        settings_group_strict_d            = settings_group_strict_q;
        settings_strict_d                  = settings_strict_q;
        settings_rsrc3_gfx9_d              = settings_rsrc3_gfx9_q;
        settings_die_d                     = settings_die_q;
        settings_dequeue_timeout_d         = settings_dequeue_timeout_q;
        settings_address_high_d            = settings_address_high_q;
        settings_hold_high_d               = settings_hold_high_q;
        settings_hold_medium_d             = settings_hold_medium_q;
        settings_hold_low_d                = settings_hold_low_q;
        settings_hold_graphics_d           = settings_hold_graphics_q;
        settings_reserve_slots_d           = settings_reserve_slots_q;
        settings_reserve_vgprs_d           = settings_reserve_vgprs_q;
        settings_reserve_lds_d             = settings_reserve_lds_q;
        settings_poll_enable_d             = settings_poll_enable_q;
        settings_poll_period_d             = settings_poll_period_q;
        clock_high_d       = clock_high_q;
        error_left_d       = error_left_q;
        error_code_d       = error_code_q;
        error_queue_d      = error_queue_q;
        error_addr_d       = error_addr_q;
        error_data_d       = error_data_q;
        lost_d             = lost_q;

        // 1 Clock
        clock_d          = clock_q + 64'd1;
        poll_once_d      = {PIPE_COUNT*QUEUES{1'b0}};
        ring_poll_once_d = {FE_COUNT{1'b0}};
        proxy_done_d     = 1'b0;

        // 2 Channels
        if (s_axil_awvalid && !aw_valid_q) begin
            aw_valid_d = 1'b1;
            aw_addr_d  = s_axil_awaddr[19:2];
        end
        if (s_axil_wvalid && !w_valid_q) begin
            w_valid_d  = 1'b1;
            w_data_d   = s_axil_wdata;
            w_strobe_d = s_axil_wstrb;
        end
        if (s_axil_arvalid && !ar_valid_q) begin
            ar_valid_d = 1'b1;
            ar_addr_d  = s_axil_araddr[19:2];
        end
        if (s_axil_bready)
            b_valid_d = 1'b0;
        if (s_axil_rready)
            r_valid_d = 1'b0;

        // 3 Error message
        if (error_left_q != 2'd0 && events_error_ready)
            error_left_d = error_left_q - 2'd1;

        case (phase_q)
        // 4 Choice
        HOST_IDLE:
            if (proxy_goes) begin
                phase_d        = HOST_ROUTE;
                proxy_d        = 1'b1;
                proxy_writes_d = proxy_write;
                proxy_addr_d   = proxy_address;
                proxy_word_d   = proxy_data;
            end else if (can_write || can_read) begin
                phase_d = HOST_ROUTE;
                proxy_d = 1'b0;
                write_d = can_write && !(can_read && write_q);
            end
        // 5 Route
        HOST_ROUTE: begin
            if (!finish) begin
                phase_d = HOST_WAIT;
                left_d  = host_timeout_q;
            end
            if (target == TARGET_GLOBAL && writes && !locked)
                case (a[`TOTEM_REG_MACHINE_DWORD])
                    `TOTEM_REG_MACHINE_MEMORY_TIMEOUT: settings_timeout_d = setting;
                    `TOTEM_REG_MACHINE_QUANTUM_UNIT0:  settings_quantum_unit0_d = setting[23:0];
                    `TOTEM_REG_MACHINE_QUANTUM_UNIT1:  settings_quantum_unit1_d = setting[23:0];
                    `TOTEM_REG_MACHINE_TURN_LIMIT:     settings_turn_limit_d = setting[23:0];
                    `TOTEM_REG_MACHINE_DEQUEUE_TIMEOUT: settings_dequeue_timeout_d = setting[23:0];
                    `TOTEM_REG_MACHINE_ADDRESS_HIGH:   settings_address_high_d = setting;
                    `TOTEM_REG_MACHINE_HOST_TIMEOUT:   host_timeout_d = setting[23:0];
                    `TOTEM_REG_MACHINE_HOLD_AFTER_HIGH:   settings_hold_high_d = setting[23:0];
                    `TOTEM_REG_MACHINE_HOLD_AFTER_MEDIUM: settings_hold_medium_d = setting[23:0];
                    `TOTEM_REG_MACHINE_HOLD_AFTER_LOW:    settings_hold_low_d = setting[23:0];
                    `TOTEM_REG_MACHINE_HOLD_AFTER_GFX:
                        if (GRAPHICS != 0)      // else they are holes, and synthesis sees constants
                            settings_hold_graphics_d = setting[23:0];
                    `TOTEM_REG_MACHINE_PS_RESERVE: if (GRAPHICS != 0) begin
                        settings_reserve_slots_d = setting[`TOTEM_REG_MACHINE_PS_RESERVE_SLOTS];
                        settings_reserve_vgprs_d = setting[`TOTEM_REG_MACHINE_PS_RESERVE_VGPRS];
                        settings_reserve_lds_d   = setting[`TOTEM_REG_MACHINE_PS_RESERVE_LDS];
                    end
                    `TOTEM_REG_MACHINE_RING_POLL_ONCE:
                        if (GRAPHICS != 0)
                            ring_poll_once_d = setting[FE_COUNT-1:0];   // reads 0: what is written
                    `TOTEM_REG_MACHINE_QUEUE_OPTIONS: begin
                        settings_event_on_priority_write_d =
                            setting[`TOTEM_REG_MACHINE_QUEUE_OPTIONS_EVENT_ON_PRIORITY_WRITE];
                        settings_priority_write_open_d     = setting[`TOTEM_REG_MACHINE_QUEUE_OPTIONS_PRIO_WRITE_OPEN];
                        settings_mqd_save_d                = setting[`TOTEM_REG_MACHINE_QUEUE_OPTIONS_MQD_SAVE];
                        settings_task_priority_d = TASKS != 0 && setting[`TOTEM_REG_MACHINE_QUEUE_OPTIONS_TMD_PRIORITY];
                        settings_group_strict_d  = TASKS != 0 && setting[`TOTEM_REG_MACHINE_QUEUE_OPTIONS_GROUP_STRICT];
                        settings_strict_d        = setting[`TOTEM_REG_MACHINE_QUEUE_OPTIONS_STRICT];
                        settings_rsrc3_gfx9_d    = setting[`TOTEM_REG_MACHINE_QUEUE_OPTIONS_RSRC3_GFX9];
                        settings_die_d           = setting[`TOTEM_REG_MACHINE_QUEUE_OPTIONS_DIE];
                    end
                    `TOTEM_REG_MACHINE_CP_PQ_WPTR_POLL_CNTL: begin
                        settings_poll_period_d = setting[`TOTEM_REG_MACHINE_CP_PQ_WPTR_POLL_CNTL_PERIOD];
                        settings_poll_enable_d = setting[`TOTEM_REG_MACHINE_CP_PQ_WPTR_POLL_CNTL_EN];
                    end
                    default:
                        for (slot = 0; slot < PIPE_COUNT; slot = slot + 1)
                            poll_once_d[slot*QUEUES +: QUEUES] = named[slot*8 +: QUEUES];
                endcase
            if (target == TARGET_GLOBAL && a[`TOTEM_REG_MACHINE_DWORD] == `TOTEM_REG_MACHINE_CLOCK_LO && !writes)
                clock_high_d = clock_q[63:32];
        end
        // 6 Wait, continued: the answer is in totem_host_answer
        HOST_WAIT: begin
            if (left_q != 24'd0)
                left_d = left_q - 24'd1;
            for (slot = 0; slot < SE_COUNT; slot = slot + 1)
                if (timed_out && index == slot[3:0])
                    owing_d[slot] = 1'b1;
        end
        // 7 No phase
        default: phase_d = HOST_IDLE;
        endcase

        // 8 Finish
        if (finish) begin
            phase_d = HOST_IDLE;
            if (proxy_q) begin
                proxy_done_d  = 1'b1;
                proxy_error_d = code;
                proxy_rdata_d = (code != 5'd0 || writes) ? 32'd0 : data;
            end else if (write_q) begin
                aw_valid_d = 1'b0;
                w_valid_d  = 1'b0;
                b_valid_d  = 1'b1;
                b_error_d  = (code != 5'd0);
            end else begin
                ar_valid_d = 1'b0;
                r_valid_d  = 1'b1;
                r_error_d  = (code != 5'd0);
                r_data_d   = (code != 5'd0) ? 32'd0 : data;
            end
            if (code != 5'd0 && !proxy_q) begin
                if (error_left_q == 2'd0) begin
                    error_left_d  = 2'd2;
                    error_code_d  = code;
                    error_queue_d = request_queue;
                    error_addr_d  = a;
                    error_data_d  = write_q ? w_data_q : 32'd0;
                end else if (lost_q != 16'hffff)
                    lost_d = lost_q + 16'd1;
            end
        end

        // 9 Late
        owing_d = owing_d & ~wave_done;
    end

    localparam [31:0] UNIT0 = `TOTEM_REG_MACHINE_RESET(`TOTEM_REG_MACHINE_QUANTUM_UNIT0);
    localparam [31:0] UNIT1 = `TOTEM_REG_MACHINE_RESET(`TOTEM_REG_MACHINE_QUANTUM_UNIT1);
    localparam [31:0] LIMIT = `TOTEM_REG_MACHINE_RESET(`TOTEM_REG_MACHINE_TURN_LIMIT);
    localparam [31:0] POLLS = `TOTEM_REG_MACHINE_RESET(`TOTEM_REG_MACHINE_CP_PQ_WPTR_POLL_CNTL);

    always @(posedge clk) begin
        aw_valid_q         <= aw_valid_d;
        aw_addr_q          <= aw_addr_d;
        w_valid_q          <= w_valid_d;
        w_data_q           <= w_data_d;
        w_strobe_q         <= w_strobe_d;
        ar_valid_q         <= ar_valid_d;
        ar_addr_q          <= ar_addr_d;
        b_valid_q          <= b_valid_d;
        b_error_q          <= b_error_d;
        r_valid_q          <= r_valid_d;
        r_error_q          <= r_error_d;
        r_data_q           <= r_data_d;
        phase_q            <= phase_d;
        write_q            <= write_d;
        proxy_q            <= proxy_d;
        proxy_writes_q     <= proxy_writes_d;
        proxy_addr_q       <= proxy_addr_d;
        proxy_word_q       <= proxy_word_d;
        proxy_done_q       <= proxy_done_d;
        proxy_error_q      <= proxy_error_d;
        proxy_rdata_q      <= proxy_rdata_d;
        host_timeout_q     <= host_timeout_d;
        left_q             <= left_d;
        owing_q            <= owing_d;
        settings_timeout_q <= settings_timeout_d;
        settings_quantum_unit0_q           <= settings_quantum_unit0_d;
        settings_quantum_unit1_q           <= settings_quantum_unit1_d;
        settings_turn_limit_q              <= settings_turn_limit_d;
        settings_event_on_priority_write_q <= settings_event_on_priority_write_d;
        settings_priority_write_open_q     <= settings_priority_write_open_d;
        settings_mqd_save_q                <= settings_mqd_save_d;
        settings_task_priority_q           <= settings_task_priority_d;
        settings_group_strict_q            <= settings_group_strict_d;
        settings_strict_q                  <= settings_strict_d;
        settings_rsrc3_gfx9_q              <= settings_rsrc3_gfx9_d;
        settings_die_q                     <= settings_die_d;
        settings_dequeue_timeout_q         <= settings_dequeue_timeout_d;
        settings_address_high_q            <= settings_address_high_d;
        settings_hold_high_q               <= settings_hold_high_d;
        settings_hold_medium_q             <= settings_hold_medium_d;
        settings_hold_low_q                <= settings_hold_low_d;
        settings_hold_graphics_q           <= settings_hold_graphics_d;
        settings_reserve_slots_q           <= settings_reserve_slots_d;
        settings_reserve_vgprs_q           <= settings_reserve_vgprs_d;
        settings_reserve_lds_q             <= settings_reserve_lds_d;
        settings_poll_enable_q             <= settings_poll_enable_d;
        settings_poll_period_q             <= settings_poll_period_d;
        poll_once_q        <= poll_once_d;
        ring_poll_once_q   <= ring_poll_once_d;
        clock_q            <= clock_d;
        clock_high_q       <= clock_high_d;
        error_left_q       <= error_left_d;
        error_code_q       <= error_code_d;
        error_queue_q      <= error_queue_d;
        error_addr_q       <= error_addr_d;
        error_data_q       <= error_data_d;
        lost_q             <= lost_d;
        if (rst) begin
            aw_valid_q         <= 1'b0;
            w_valid_q          <= 1'b0;
            ar_valid_q         <= 1'b0;
            b_valid_q          <= 1'b0;
            r_valid_q          <= 1'b0;
            phase_q            <= HOST_IDLE;
            write_q            <= 1'b0;
            proxy_q            <= 1'b0;
            proxy_done_q       <= 1'b0;
            host_timeout_q     <= 24'd0;
            owing_q            <= {SE_COUNT{1'b0}};
            settings_timeout_q <= `TOTEM_REG_MACHINE_RESET(`TOTEM_REG_MACHINE_MEMORY_TIMEOUT);
            settings_quantum_unit0_q           <= UNIT0[23:0];
            settings_quantum_unit1_q           <= UNIT1[23:0];
            settings_turn_limit_q              <= LIMIT[23:0];
            settings_event_on_priority_write_q <= 1'b0;
            settings_priority_write_open_q     <= 1'b0;
            settings_mqd_save_q                <= 1'b0;
            settings_task_priority_q           <= 1'b0;
            settings_group_strict_q            <= 1'b0;
            settings_strict_q                  <= 1'b0;
            settings_rsrc3_gfx9_q              <= 1'b0;
            settings_die_q                     <= 3'd0;
            settings_dequeue_timeout_q         <= 24'd0;
            settings_address_high_q            <= 32'd0;
            settings_hold_high_q               <= 24'd0;
            settings_hold_medium_q             <= 24'd4096;
            settings_hold_low_q                <= 24'd4096;
            settings_hold_graphics_q           <= 24'd4096;
            settings_reserve_slots_q           <= RESERVE[`TOTEM_REG_MACHINE_PS_RESERVE_SLOTS];
            settings_reserve_vgprs_q           <= RESERVE[`TOTEM_REG_MACHINE_PS_RESERVE_VGPRS];
            settings_reserve_lds_q             <= RESERVE[`TOTEM_REG_MACHINE_PS_RESERVE_LDS];
            settings_poll_enable_q             <= POLLS[`TOTEM_REG_MACHINE_CP_PQ_WPTR_POLL_CNTL_EN];
            settings_poll_period_q             <= POLLS[`TOTEM_REG_MACHINE_CP_PQ_WPTR_POLL_CNTL_PERIOD];
            poll_once_q        <= {PIPE_COUNT*QUEUES{1'b0}};
            ring_poll_once_q   <= {FE_COUNT{1'b0}};
            clock_q            <= 64'd0;
            error_left_q       <= 2'd0;
            lost_q             <= 16'd0;
        end
    end

    // formal: maxsteps=4
    // formal: maxsteps=4 params=FE_COUNT=2,GRAPHICS=1,TASKS=1,RUNLIST=1 configs=mini
`ifdef FORMAL
`include "totem_host_properties.vh"
`endif
endmodule

`default_nettype wire
