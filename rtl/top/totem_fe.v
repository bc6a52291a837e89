// SPDX-License-Identifier: Apache-2.0
//
// totem_fe: one front end. Wiring only: its compute pipes, their dispatch controller and the memory port, no state
// of its own.
//
// Policy    docs/architecture.md. Reports of the engines come in raw; each pipe sees those that name it.
// Boundary  the filters are combinational functions of the engines' states.
// Twin      cmodel/top/totem_fe.c.

`default_nettype none

module totem_fe #(
    parameter PIPES    = 2,
    parameter QUEUES   = 8,
    parameter EPOCHS   = 8,
    parameter SE_COUNT = 4,
    parameter SLOTS    = 64,
    parameter VGPRS    = 2048,
    parameter LDS      = 512,
    parameter QUEUE_BITS = (QUEUES > 1) ? $clog2(QUEUES) : 1,   // follow from the others
    parameter EPOCH_BITS = (EPOCHS > 1) ? $clog2(EPOCHS) : 1
) (
    input  wire clk,
    input  wire rst,
    input  wire [1:0]                          fe_number,
    input  wire [PIPES-1:0]                    host_valid,
    input  wire [PIPES-1:0]                    tally_host_valid,
    input  wire                                host_write,
    input  wire                                host_doorbell,
    input  wire [2:0]                          host_queue,
    input  wire [7:0]                          host_dword,
    input  wire [3:0]                          host_strobe,
    input  wire [31:0]                         host_data,
    output wire [PIPES-1:0]                    host_done,
    output wire [PIPES*5-1:0]                  host_error,
    output wire [PIPES*32-1:0]                 host_rdata,
    output wire [PIPES-1:0]                    tally_host_done,
    output wire [PIPES*16-1:0]                 tally_host_rdata,
    input  wire [31:0]                         settings_timeout,
    input  wire [23:0]                         settings_quantum_unit0,
    input  wire [23:0]                         settings_quantum_unit1,
    input  wire [23:0]                         settings_turn_limit,
    input  wire                                settings_event_on_priority_write,
    input  wire                                settings_priority_write_open,
    input  wire                                settings_mqd_save,
    input  wire [23:0]                         settings_dequeue_timeout,
    input  wire                                settings_poll_enable,
    input  wire [7:0]                          settings_poll_period,
    input  wire [PIPES*QUEUES-1:0]             poll_once,
    input  wire [63:0]                         clock,
    output wire [PIPES-1:0]                    packet_error_valid,
    output wire [PIPES*64-1:0]                 packet_error_word,
    input  wire [PIPES-1:0]                    packet_error_ready,
    output wire [PIPES-1:0]                    fence_error_valid,
    output wire [PIPES*64-1:0]                 fence_error_word,
    input  wire [PIPES-1:0]                    fence_error_ready,
    output wire [PIPES-1:0]                    fetch_error_valid,
    output wire [PIPES*64-1:0]                 fetch_error_word,
    input  wire [PIPES-1:0]                    fetch_error_ready,
    output wire                                memory_error_valid,
    output wire [63:0]                         memory_error_word,
    input  wire                                memory_error_ready,
    output wire [PIPES-1:0]                    mqd_error_valid,
    output wire [PIPES*64-1:0]                 mqd_error_word,
    input  wire [PIPES-1:0]                    mqd_error_ready,
    output wire [PIPES-1:0]                    interrupt_valid,
    output wire [PIPES*64-1:0]                 interrupt_word,
    input  wire [PIPES-1:0]                    interrupt_ready,
    output wire [PIPES*16-1:0]                 drains,
    output wire [PIPES*16-1:0]                 lost,
    output wire [PIPES*16-1:0]                 late,
    output wire                                bus_valid,
    output wire [63:0]                         bus_word,
    output wire [15:0]                         bus_tag,
    input  wire [SE_COUNT-1:0]                 grant_valid,
    input  wire [SE_COUNT*2-1:0]               grant_fe,
    input  wire [SE_COUNT-1:0]                 grant_pipe,
    input  wire [SE_COUNT*7-1:0]               grant_waves,
    input  wire [SE_COUNT*QUEUE_BITS-1:0]      grant_queue,
    input  wire [SE_COUNT*EPOCH_BITS-1:0]      grant_epoch,
    input  wire [SE_COUNT-1:0]                 release_valid,
    input  wire [SE_COUNT*2-1:0]               release_fe,
    input  wire [SE_COUNT-1:0]                 release_pipe,
    input  wire [SE_COUNT-1:0]                 release_buffer,
    input  wire [SE_COUNT-1:0]                 complete_valid,
    input  wire [SE_COUNT*2-1:0]               complete_fe,
    input  wire [SE_COUNT-1:0]                 complete_pipe,
    input  wire [SE_COUNT*QUEUE_BITS-1:0]      complete_queue,
    input  wire [SE_COUNT*EPOCH_BITS-1:0]      complete_epoch,
    input  wire [SE_COUNT-1:0]                 answer_valid,
    input  wire [SE_COUNT-1:0]                 answer_pipe,
    input  wire [SE_COUNT*3-1:0]               answer_count,
    input  wire [SE_COUNT*7-1:0]               free_slots,
    input  wire [SE_COUNT*12-1:0]              free_vgprs,
    input  wire [SE_COUNT*10-1:0]              free_lds,
    output wire [3:0]                          m_axi_awid,
    output wire [39:0]                         m_axi_awaddr,
    output wire [7:0]                          m_axi_awlen,
    output wire [2:0]                          m_axi_awsize,
    output wire [1:0]                          m_axi_awburst,
    output wire                                m_axi_awvalid,
    input  wire                                m_axi_awready,
    output wire [63:0]                         m_axi_wdata,
    output wire [7:0]                          m_axi_wstrb,
    output wire                                m_axi_wlast,
    output wire                                m_axi_wvalid,
    input  wire                                m_axi_wready,
    input  wire [3:0]                          m_axi_bid,
    input  wire [1:0]                          m_axi_bresp,
    input  wire                                m_axi_bvalid,
    output wire                                m_axi_bready,
    output wire [3:0]                          m_axi_arid,
    output wire [39:0]                         m_axi_araddr,
    output wire [7:0]                          m_axi_arlen,
    output wire [2:0]                          m_axi_arsize,
    output wire [1:0]                          m_axi_arburst,
    output wire                                m_axi_arvalid,
    input  wire                                m_axi_arready,
    input  wire [3:0]                          m_axi_rid,
    input  wire [63:0]                         m_axi_rdata,
    input  wire [1:0]                          m_axi_rresp,
    input  wire                                m_axi_rlast,
    input  wire                                m_axi_rvalid,
    output wire                                m_axi_rready,
    output wire                                idle,
    output wire                                fault,
    output wire                                dead
);
    wire [PIPES*64-1:0]               state_read_data;
    wire [PIPES-1:0]                  packet_start;
    wire [PIPES-1:0]                  packet_stop;
    wire [PIPES*7-1:0]                packet_dispatch_waves;
    wire [PIPES*7-1:0]                packet_dispatch_threads;
    wire [PIPES-1:0]                  packet_dispatch_wave32;
    wire [PIPES*QUEUE_BITS-1:0]       packet_dispatch_queue;
    wire [PIPES*EPOCH_BITS-1:0]       packet_dispatch_epoch;
    wire [PIPES*2-1:0]                arbiter_pipe_priority;
    wire [PIPES*40-1:0]               bank_program_addr;
    wire [PIPES*7-1:0]                bank_vgprs;
    wire [PIPES*9-1:0]                bank_lds;
    wire [PIPES*SE_COUNT-1:0]         bank_engines;
    wire [PIPES*4-1:0]                bank_words;
    wire [PIPES-1:0]                  walker_group_valid;
    wire [PIPES*64-1:0]               walker_group;
    wire [PIPES*3-1:0]                walker_partial;
    wire [PIPES*SE_COUNT-1:0]         walker_room;
    wire [PIPES*SE_COUNT-1:0]         walker_outstanding;
    wire [PIPES-1:0]                 pipe_idle;
    wire [PIPES-1:0]                 mismatch;
    wire [3*PIPES-1:0]               read_valid;
    wire [3*PIPES*40-1:0]            read_addr;
    wire [3*PIPES*5-1:0]             read_beats;
    wire [4*PIPES-1:0]               write_valid;
    wire [4*PIPES*64-1:0]            write_word;
    wire [(3*PIPES)*1-1:0]                memory_read_ready;
    wire                                  memory_data_valid;
    wire [2:0]                            memory_data_target;
    wire [63:0]                           memory_data_word;
    wire                                  memory_data_last;
    wire [1:0]                            memory_data_error;
    wire [(4*PIPES)*1-1:0]                memory_write_ready;
    wire                                  memory_ack_valid;
    wire [2:0]                            memory_ack_target;
    wire [5:0]                            memory_ack_tag;
    wire [1:0]                            memory_ack_error;
    wire [39:0]                           memory_ack_addr;
    wire                                  memory_idle;
    wire [PIPES-1:0]                 dc_take;
    wire [PIPES-1:0]                 dc_killed;
    wire [PIPES-1:0]                 overdue;
    wire [PIPES-1:0]                 kill_valid;
    wire [PIPES*2-1:0]               kill_engine;
    wire [PIPES*QUEUE_BITS-1:0]      kill_queue;
    wire [PIPES*EPOCHS-1:0]          kill_epochs;
    wire [1:0]                       dc_take_engine;
    wire [PIPES-1:0]                 dc_state_read_enable;
    wire [PIPES*4-1:0]               dc_state_read_addr;
    wire [PIPES*SE_COUNT-1:0]        pipe_grant;
    wire [PIPES*SE_COUNT-1:0]        pipe_release;
    wire [PIPES*SE_COUNT-1:0]        pipe_answer;

    assign idle  = (&pipe_idle) && memory_idle;
    assign fault = |mismatch;

    genvar p, s;
    generate
        for (p = 0; p < PIPES; p = p + 1) begin : g_pipe
            localparam FENCE = 3*PIPES + p;     // as a write requester
            localparam [0:0] PIPE = p;
            wire [2:0] pipe_number = (PIPES == 2) ? {fe_number, PIPE} : {1'b0, fe_number};
            wire [SE_COUNT-1:0] mine_grant;
            wire [SE_COUNT-1:0] mine_complete;
            wire [SE_COUNT-1:0] mine_answer;

            for (s = 0; s < SE_COUNT; s = s + 1) begin : g_se
                assign mine_grant[s]    = grant_valid[s] && grant_fe[s*2 +: 2] == fe_number && grant_pipe[s] == PIPE;
                assign mine_complete[s] = complete_valid[s] && complete_fe[s*2 +: 2] == fe_number && complete_pipe[s] == PIPE;
                assign mine_answer[s]   = answer_valid[s] && answer_pipe[s] == PIPE;
                assign pipe_release[p*SE_COUNT+s] = release_valid[s] && release_fe[s*2 +: 2] == fe_number && release_pipe[s] == PIPE;
            end

            assign pipe_grant[p*SE_COUNT +: SE_COUNT]  = mine_grant;
            assign pipe_answer[p*SE_COUNT +: SE_COUNT] = mine_answer;
            assign read_beats[(2*p+1)*5 +: 5] = 5'd1;    // a poll is one beat

            totem_pipe #(
                .QUEUES(QUEUES), .EPOCHS(EPOCHS), .SE_COUNT(SE_COUNT), .SLOTS(SLOTS), .VGPRS(VGPRS), .LDS(LDS)
            ) pipe (
                .clk(clk), .rst(rst),
                .host_valid(host_valid[p]),
                .tally_host_valid(tally_host_valid[p]),
                .host_write(host_write),
                .host_doorbell(host_doorbell),
                .host_queue(host_queue),
                .host_dword(host_dword),
                .host_strobe(host_strobe),
                .host_data(host_data),
                .fetch_read_ready(memory_read_ready[2*p]),
                .fetch_data_valid(memory_data_valid && memory_data_target == 2*p),
                .data_word(memory_data_word),
                .data_last(memory_data_last),
                .data_error(memory_data_error),
                .fetch_write_ready(memory_write_ready[2*p]),
                .fetch_write_ack(memory_ack_valid && memory_ack_target == 2*p),
                .ack_error(memory_ack_error),
                .poll_read_ready(memory_read_ready[2*p+1]),
                .poll_data_valid(memory_data_valid && memory_data_target == 2*p+1),
                .packet_write_ready(memory_write_ready[2*p+1]),
                .packet_error_ready(packet_error_ready[p]),
                .settings_quantum_unit0(settings_quantum_unit0),
                .settings_quantum_unit1(settings_quantum_unit1),
                .settings_turn_limit(settings_turn_limit),
                .settings_event_on_priority_write(settings_event_on_priority_write),
                .settings_priority_write_open(settings_priority_write_open),
                .settings_mqd_save(settings_mqd_save),
                .settings_dequeue_timeout(settings_dequeue_timeout),
                .settings_poll_enable(settings_poll_enable),
                .settings_poll_period(settings_poll_period),
                .poll_once(poll_once[p*QUEUES +: QUEUES]),
                .pipe_number(pipe_number),
                .clock(clock),
                .killed(dc_killed[p]),
                .take(dc_take[p]),
                .take_engine(dc_take_engine),
                .grant_valid(mine_grant),
                .answer_valid(mine_answer),
                .answer_count(answer_count),
                .grant_waves(grant_waves),
                .grant_queue(grant_queue),
                .grant_epoch(grant_epoch),
                .complete_valid(mine_complete),
                .complete_queue(complete_queue),
                .complete_epoch(complete_epoch),
                .fence_write_ready(memory_write_ready[FENCE]),
                .fence_write_ack(memory_ack_valid && memory_ack_target == FENCE[2:0]),
                .packet_write_ack(memory_ack_valid && memory_ack_target == 2*p+1),
                .ack_tag(memory_ack_tag),
                .ack_addr(memory_ack_addr),
                .interrupt_ready(interrupt_ready[p]),
                .mqd_read_ready(memory_read_ready[2*PIPES+p]),
                .mqd_data_valid(memory_data_valid && {29'd0, memory_data_target} == 2*PIPES+p),
                .mqd_write_ready(memory_write_ready[2*PIPES+p]),
                .mqd_write_ack(memory_ack_valid && {29'd0, memory_ack_target} == 2*PIPES+p),
                .mqd_error_ready(mqd_error_ready[p]),
                .fetch_error_ready(fetch_error_ready[p]),
                .fetch_error_valid(fetch_error_valid[p]),
                .fetch_error_word(fetch_error_word[p*64 +: 64]),
                .fence_error_ready(fence_error_ready[p]),
                .state_read_enable(dc_state_read_enable[p]),
                .state_read_addr(dc_state_read_addr[p*4 +: 4]),
                .state_read_data(state_read_data[p*64 +: 64]),
                .hqd_host_done(host_done[p]),
                .hqd_host_error(host_error[p*5 +: 5]),
                .hqd_host_rdata(host_rdata[p*32 +: 32]),
                .tally_host_done(tally_host_done[p]),
                .tally_host_rdata(tally_host_rdata[p*16 +: 16]),
                .fetch_read_valid(read_valid[2*p]),
                .fetch_read_addr(read_addr[2*p*40 +: 40]),
                .fetch_read_beats(read_beats[2*p*5 +: 5]),
                .fetch_write_valid(write_valid[2*p]),
                .fetch_write_word(write_word[2*p*64 +: 64]),
                .poll_read_valid(read_valid[2*p+1]),
                .poll_read_addr(read_addr[(2*p+1)*40 +: 40]),
                .packet_write_valid(write_valid[2*p+1]),
                .packet_write_word(write_word[(2*p+1)*64 +: 64]),
                .packet_error_valid(packet_error_valid[p]),
                .packet_error_word(packet_error_word[p*64 +: 64]),
                .fence_write_valid(write_valid[FENCE]),
                .fence_write_word(write_word[FENCE*64 +: 64]),
                .fence_error_valid(fence_error_valid[p]),
                .fence_error_word(fence_error_word[p*64 +: 64]),
                .interrupt_valid(interrupt_valid[p]),
                .interrupt_word(interrupt_word[p*64 +: 64]),
                .mqd_read_valid(read_valid[2*PIPES+p]),
                .mqd_read_addr(read_addr[(2*PIPES+p)*40 +: 40]),
                .mqd_read_beats(read_beats[(2*PIPES+p)*5 +: 5]),
                .mqd_write_valid(write_valid[2*PIPES+p]),
                .mqd_write_word(write_word[(2*PIPES+p)*64 +: 64]),
                .mqd_error_valid(mqd_error_valid[p]),
                .mqd_error_word(mqd_error_word[p*64 +: 64]),
                .packet_start(packet_start[p]),
                .packet_stop(packet_stop[p]),
                .packet_dispatch_waves(packet_dispatch_waves[p*7 +: 7]),
                .packet_dispatch_threads(packet_dispatch_threads[p*7 +: 7]),
                .packet_dispatch_wave32(packet_dispatch_wave32[p]),
                .packet_dispatch_queue(packet_dispatch_queue[p*QUEUE_BITS +: QUEUE_BITS]),
                .packet_dispatch_epoch(packet_dispatch_epoch[p*EPOCH_BITS +: EPOCH_BITS]),
                .arbiter_pipe_priority(arbiter_pipe_priority[p*2 +: 2]),
                .bank_program_addr(bank_program_addr[p*40 +: 40]),
                .bank_vgprs(bank_vgprs[p*7 +: 7]),
                .bank_lds(bank_lds[p*9 +: 9]),
                .bank_engines(bank_engines[p*SE_COUNT +: SE_COUNT]),
                .bank_words(bank_words[p*4 +: 4]),
                .walker_group_valid(walker_group_valid[p]),
                .walker_group(walker_group[p*64 +: 64]),
                .walker_group_partial(walker_partial[p*3 +: 3]),
                .walker_room(walker_room[p*SE_COUNT +: SE_COUNT]),
                .walker_outstanding(walker_outstanding[p*SE_COUNT +: SE_COUNT]),
                .walker_mismatch(mismatch[p]),
                .overdue(overdue[p]),
                .kill_word_valid(kill_valid[p]),
                .kill_word_engine(kill_engine[p*2 +: 2]),
                .kill_word_queue(kill_queue[p*QUEUE_BITS +: QUEUE_BITS]),
                .kill_word_epochs(kill_epochs[p*EPOCHS +: EPOCHS]),
                .hqd_drains(drains[p*16 +: 16]),
                .fence_lost(lost[p*16 +: 16]),
                .fence_late(late[p*16 +: 16]),
                .idle(pipe_idle[p])
            );
        end
    endgenerate

    totem_dc #(
        .PIPES(PIPES), .SE_COUNT(SE_COUNT), .QUEUES(QUEUES), .EPOCHS(EPOCHS), .SLOTS(SLOTS), .VGPRS(VGPRS), .LDS(LDS)
    ) dc (
        .clk(clk), .rst(rst),
        .walker_valid(walker_group_valid),
        .walker_group(walker_group),
        .walker_partial(walker_partial),
        .walker_room(walker_room),
        .walker_outstanding(walker_outstanding),
        .walker_stop(packet_stop),
        .dispatch_start(packet_start),
        .dispatch_waves(packet_dispatch_waves),
        .dispatch_threads(packet_dispatch_threads),
        .dispatch_wave32(packet_dispatch_wave32),
        .dispatch_queue(packet_dispatch_queue),
        .dispatch_epoch(packet_dispatch_epoch),
        .pipe_priority(arbiter_pipe_priority),
        .bank_program_addr(bank_program_addr),
        .bank_vgprs(bank_vgprs),
        .bank_lds(bank_lds),
        .bank_engines(bank_engines),
        .bank_words(bank_words),
        .take(dc_take),
        .take_engine(dc_take_engine),
        .state_read_enable(dc_state_read_enable),
        .state_read_addr(dc_state_read_addr),
        .state_read_data(state_read_data),
        .free_slots(free_slots),
        .free_vgprs(free_vgprs),
        .free_lds(free_lds),
        .grant_valid(pipe_grant),
        .release_valid(pipe_release),
        .release_buffer(release_buffer),
        .answer_valid(pipe_answer),
        .answer_count(answer_count),
        .kill_valid(kill_valid),
        .kill_engine(kill_engine),
        .kill_queue(kill_queue),
        .kill_epochs(kill_epochs),
        .killed(dc_killed),
        .fe(fe_number),
        .bus_valid(bus_valid),
        .bus_word(bus_word),
        .bus_tag(bus_tag)
    );

    // While a reset takes too long memory waits in periods of its time-out, rounded up to 4096 n - 1.
    wire [31:0] hurried = {8'd0, settings_dequeue_timeout | 24'h000fff};
    wire        hurry   = overdue != {PIPES{1'b0}} && settings_dequeue_timeout != 24'd0 && (settings_timeout == 32'd0 || settings_timeout > hurried);

    totem_memory #(
        .PIPES(PIPES), .FENCES(PIPES*QUEUES < 8 ? PIPES*QUEUES : 8)
    ) memory (
        .clk(clk), .rst(rst),
        .read_valid(read_valid),
        .read_addr(read_addr),
        .read_beats(read_beats),
        .read_ready(memory_read_ready),
        .data_valid(memory_data_valid),
        .data_target(memory_data_target),
        .data_word(memory_data_word),
        .data_last(memory_data_last),
        .data_error(memory_data_error),
        .write_valid(write_valid),
        .write_word(write_word),
        .write_ready(memory_write_ready),
        .ack_valid(memory_ack_valid),
        .ack_target(memory_ack_target),
        .ack_tag(memory_ack_tag),
        .ack_error(memory_ack_error),
        .ack_addr(memory_ack_addr),
        .settings_timeout(hurry ? hurried : settings_timeout),
        .idle(memory_idle),
        .dead(dead),
        .error_valid(memory_error_valid),
        .error_word(memory_error_word),
        .error_ready(memory_error_ready),
        .m_axi_awid(m_axi_awid),
        .m_axi_awaddr(m_axi_awaddr),
        .m_axi_awlen(m_axi_awlen),
        .m_axi_awsize(m_axi_awsize),
        .m_axi_awburst(m_axi_awburst),
        .m_axi_awvalid(m_axi_awvalid),
        .m_axi_awready(m_axi_awready),
        .m_axi_wdata(m_axi_wdata),
        .m_axi_wstrb(m_axi_wstrb),
        .m_axi_wlast(m_axi_wlast),
        .m_axi_wvalid(m_axi_wvalid),
        .m_axi_wready(m_axi_wready),
        .m_axi_bid(m_axi_bid),
        .m_axi_bresp(m_axi_bresp),
        .m_axi_bvalid(m_axi_bvalid),
        .m_axi_bready(m_axi_bready),
        .m_axi_arid(m_axi_arid),
        .m_axi_araddr(m_axi_araddr),
        .m_axi_arlen(m_axi_arlen),
        .m_axi_arsize(m_axi_arsize),
        .m_axi_arburst(m_axi_arburst),
        .m_axi_arvalid(m_axi_arvalid),
        .m_axi_arready(m_axi_arready),
        .m_axi_rid(m_axi_rid),
        .m_axi_rdata(m_axi_rdata),
        .m_axi_rresp(m_axi_rresp),
        .m_axi_rlast(m_axi_rlast),
        .m_axi_rvalid(m_axi_rvalid),
        .m_axi_rready(m_axi_rready)
    );
endmodule

`default_nettype wire
