// SPDX-License-Identifier: Apache-2.0
//
// totem_se: one shader engine without its core. Wiring only: a port per front end, issue, launch, retire and
// their RAMs, no state of its own. The wave interface (launch_*, state_*, done_*, kill_*) leaves here: the wave engine
// of rtl/engine, or a shader core, is its other side.
//
// Policy    docs/architecture.md. A net is called after the block that drives it: <block>_<port>.
// Boundary  a lane's word belongs to the port of the front end and engine in its tag.
// Twin      cmodel/top/totem_se.c.

`default_nettype none

module totem_se #(
    parameter FE_COUNT = 4,
    parameter PIPES    = 2,
    parameter QUEUES   = 8,
    parameter EPOCHS   = 8,
    parameter SLOTS    = 64,
    parameter VGPRS    = 2048,
    parameter LDS      = 512,
    parameter LANES    = 8,
    parameter QUEUE_BITS = (QUEUES > 1) ? $clog2(QUEUES) : 1,   // follow from the others
    parameter EPOCH_BITS = (EPOCHS > 1) ? $clog2(EPOCHS) : 1,
    parameter SLOT_BITS  = (SLOTS > 1) ? $clog2(SLOTS) : 1
) (
    input  wire clk,
    input  wire rst,
    input  wire [1:0]                          se_number,
    input  wire                                events_stop,
    input  wire [LANES-1:0]                    lane_valid,
    input  wire [LANES*64-1:0]                 lane_word,
    input  wire [LANES*16-1:0]                 lane_tag,
    output wire                                issue_grant_valid,
    output wire [1:0]                          issue_grant_fe,
    output wire                                issue_grant_pipe,
    output wire [6:0]                          issue_grant_waves,
    output wire [QUEUE_BITS-1:0]               issue_grant_queue,
    output wire [EPOCH_BITS-1:0]               issue_grant_epoch,
    output wire [6:0]                          issue_free_slots,
    output wire [11:0]                         issue_free_vgprs_left,
    output wire [9:0]                          issue_free_lds_left,
    output wire                                launch_release_valid,
    output wire [1:0]                          launch_release_fe,
    output wire                                launch_release_pipe,
    output wire                                launch_release_buffer,
    output wire                                retire_complete_valid,
    output wire [1:0]                          retire_complete_fe,
    output wire                                retire_complete_pipe,
    output wire [QUEUE_BITS-1:0]               retire_complete_queue,
    output wire [EPOCH_BITS-1:0]               retire_complete_epoch,
    output wire                                launch_valid,
    output wire [1:0]                          launch_kind,
    output wire [1:0]                          launch_path,
    output wire [1:0]                          launch_fe,
    output wire                                launch_pipe,
    output wire [QUEUE_BITS-1:0]               launch_queue,
    output wire [EPOCH_BITS-1:0]               launch_epoch,
    output wire [63:0]                         launch_group,
    output wire [6:0]                          launch_index,
    output wire [6:0]                          launch_waves,
    output wire                                launch_wave32,
    output wire [6:0]                          launch_threads,
    output wire [39:0]                         launch_program,
    output wire [6:0]                          launch_vgprs,
    output wire [8:0]                          launch_lds,
    output wire [SLOT_BITS-1:0]                launch_slot,
    output wire                                launch_buffer,
    output wire                                launch_state_new,
    output wire [FE_COUNT-1:0]                 answer_valid,
    output wire [FE_COUNT-1:0]                 answer_pipe,
    output wire [FE_COUNT*3-1:0]               answer_count,
    input  wire                                launch_ready,
    input  wire [3:0]                          state_index,
    output wire [63:0]                         state_data,
    input  wire                                done_valid,
    input  wire [SLOT_BITS-1:0]                done_slot,
    output wire                                kill_valid,
    output wire [1:0]                          kill_path,
    output wire [1:0]                          kill_fe,
    output wire                                kill_pipe,
    output wire [QUEUE_BITS-1:0]               kill_queue,
    output wire [EPOCHS-1:0]                   kill_epochs,
    output wire                                idle,
    output wire                                fault
);
    localparam PIPE_COUNT = FE_COUNT*PIPES;
    localparam ORDER_BITS = (PIPE_COUNT > 1) ? $clog2(PIPE_COUNT) : 1;
    wire                                      issue_grant_buffer;
    wire                                      issue_grant_new;
    wire [63:0]                               issue_grant_group;
    wire [6:0]                                issue_grant_threads;
    wire                                      issue_grant_wave32;
    wire [6:0]                                issue_grant_vgprs;
    wire [8:0]                                issue_grant_lds;
    wire [39:0]                               issue_grant_program;
    wire [(FE_COUNT*PIPES)*ORDER_BITS-1:0] issue_order;
    wire                                      issue_fault;
    wire                                      launch_room;
    wire                                      launch_alloc_valid;
    wire [SLOT_BITS-1:0]                      launch_alloc_slot;
    wire                                      launch_alloc_first;
    wire [6:0]                                launch_alloc_waves;
    wire [1:0]                                launch_alloc_fe;
    wire                                      launch_alloc_pipe;
    wire [QUEUE_BITS-1:0]                     launch_alloc_queue;
    wire [EPOCH_BITS-1:0]                     launch_alloc_epoch;
    wire [6:0]                                launch_alloc_vgprs;
    wire [8:0]                                launch_alloc_lds;
    wire                                      retire_table_write_enable;
    wire [SLOT_BITS-1:0]                      retire_table_write_addr;
    wire [63:0]                               retire_table_write_data;
    wire                                      retire_table_read_enable;
    wire [SLOT_BITS-1:0]                      retire_table_read_addr;
    wire                                      retire_free_valid;
    wire [SLOT_BITS-1:0]                      retire_free_slot;
    wire [6:0]                                retire_free_vgprs;
    wire [8:0]                                retire_free_lds;
    wire                                      retire_fault;
    wire [FE_COUNT-1:0]                       head_valid;
    wire [FE_COUNT-1:0]                       head_pipe;
    wire [FE_COUNT*2-1:0]                     head_priority;
    wire [FE_COUNT-1:0]                       head_buffer;
    wire [FE_COUNT-1:0]                       head_new;
    wire [FE_COUNT*64-1:0]                    head_group;
    wire [FE_COUNT*7-1:0]                     head_waves;
    wire [FE_COUNT*7-1:0]                     head_threads;
    wire [FE_COUNT-1:0]                       head_wave32;
    wire [FE_COUNT*7-1:0]                     head_vgprs;
    wire [FE_COUNT*13-1:0]                    head_total;
    wire [FE_COUNT*9-1:0]                     head_lds;
    wire [FE_COUNT*40-1:0]                    head_program;
    wire [FE_COUNT*QUEUE_BITS-1:0]            head_queue;
    wire [FE_COUNT*EPOCH_BITS-1:0]            head_epoch;
    wire [FE_COUNT-1:0]                  overrun;
    wire [FE_COUNT-1:0]                  kills;
    wire [FE_COUNT-1:0]                  kills_pipe;
    wire [FE_COUNT*QUEUE_BITS-1:0]       kills_queue;
    wire [FE_COUNT*EPOCHS-1:0]           kills_epochs;
    wire [FE_COUNT*64-1:0]               state_word;
    wire [63:0]                          table_read_data;

    genvar f;
    generate
        for (f = 0; f < FE_COUNT; f = f + 1) begin : g_fe
            // At most one lane carries a word of this front end in a clock.
            localparam [1:0] FE = f;
            reg        word_valid;
            reg [63:0] word;
            reg [15:0] word_tag;
            integer    lane;

            always @* begin
                word_valid = 1'b0;
                word       = 64'd0;
                word_tag   = 16'd0;
                for (lane = 0; lane < LANES; lane = lane + 1)
                    if (lane_valid[lane] && lane_tag[lane*16+2 +: 2] == FE && lane_tag[lane*16+4 +: 2] == se_number) begin
                        word_valid = 1'b1;
                        word       = word | lane_word[lane*64 +: 64];
                        word_tag   = word_tag | lane_tag[lane*16 +: 16];
                    end
            end

            wire        state_write_enable;
            wire [5:0]  state_write_addr;
            wire [63:0] state_write_data;

            totem_port #(
                .PIPES(PIPES), .QUEUES(QUEUES), .EPOCHS(EPOCHS)
            ) port (
                .clk(clk), .rst(rst),
                .word_valid(word_valid),
                .word(word),
                .word_tag(word_tag),
                .head_valid(head_valid[f]),
                .head_pipe(head_pipe[f]),
                .head_priority(head_priority[f*2 +: 2]),
                .head_buffer(head_buffer[f]),
                .head_new(head_new[f]),
                .head_group(head_group[f*64 +: 64]),
                .head_waves(head_waves[f*7 +: 7]),
                .head_threads(head_threads[f*7 +: 7]),
                .head_wave32(head_wave32[f]),
                .head_vgprs(head_vgprs[f*7 +: 7]),
                .head_total(head_total[f*13 +: 13]),
                .head_lds(head_lds[f*9 +: 9]),
                .head_program(head_program[f*40 +: 40]),
                .head_queue(head_queue[f*QUEUE_BITS +: QUEUE_BITS]),
                .head_epoch(head_epoch[f*EPOCH_BITS +: EPOCH_BITS]),
                .pop(issue_grant_valid && issue_grant_fe == FE),
                .answer_valid(answer_valid[f]),
                .answer_pipe(answer_pipe[f]),
                .answer_count(answer_count[f*3 +: 3]),
                .state_write_enable(state_write_enable),
                .state_write_addr(state_write_addr),
                .state_write_data(state_write_data),
                .kill_valid(kills[f]),
                .kill_pipe(kills_pipe[f]),
                .kill_queue(kills_queue[f*QUEUE_BITS +: QUEUE_BITS]),
                .kill_epochs(kills_epochs[f*EPOCHS +: EPOCHS]),
                .kill_ready(kill_fe == FE),
                .overrun(overrun[f])
            );

            totem_ram #(.WIDTH(64), .DEPTH(64)) state_ram (
                .clk(clk),
                .write_enable(state_write_enable), .write_addr(state_write_addr), .write_data(state_write_data),
                .read_enable(launch_valid), .read_addr({launch_pipe, launch_buffer, state_index}),
                .read_data(state_word[f*64 +: 64])
            );
        end
    endgenerate

    reg [63:0] state_pick;
    integer    front;

    always @* begin
        state_pick = state_word[63:0];
        for (front = 1; front < FE_COUNT; front = front + 1)
            if (launch_fe == front[1:0])
                state_pick = state_word[front*64 +: 64];
    end

    // One kill a clock, of the lowest front end that has one; there are few of them (docs/contract/kill.md).
    reg [1:0] killer;
    integer   from;

    always @* begin
        killer = 2'd0;
        for (from = FE_COUNT - 1; from >= 0; from = from - 1)
            if (kills[from])
                killer = from[1:0];
    end

    assign kill_valid  = |kills;
    assign kill_path   = 2'd0;
    assign kill_fe     = killer;
    assign kill_pipe   = kills_pipe[killer*1 +: 1];
    assign kill_queue  = kills_queue[killer*QUEUE_BITS +: QUEUE_BITS];
    assign kill_epochs = kills_epochs[killer*EPOCHS +: EPOCHS];

    assign state_data = state_pick;
    assign fault      = issue_fault || retire_fault || (|overrun);
    assign idle       = (issue_free_slots == SLOTS[6:0]) && !(|head_valid) && !launch_valid;

    totem_issue #(
        .FE_COUNT(FE_COUNT), .PIPES(PIPES), .QUEUES(QUEUES), .EPOCHS(EPOCHS), .SLOTS(SLOTS), .VGPRS(VGPRS), .LDS(LDS)
    ) issue (
        .clk(clk), .rst(rst),
        .head_valid(head_valid),
        .head_pipe(head_pipe),
        .head_priority(head_priority),
        .head_buffer(head_buffer),
        .head_new(head_new),
        .head_group(head_group),
        .head_waves(head_waves),
        .head_threads(head_threads),
        .head_wave32(head_wave32),
        .head_vgprs(head_vgprs),
        .head_total(head_total),
        .head_lds(head_lds),
        .head_program(head_program),
        .head_queue(head_queue),
        .head_epoch(head_epoch),
        .events_stop(events_stop),
        .launch_room(launch_room),
        .grant_valid(issue_grant_valid),
        .grant_fe(issue_grant_fe),
        .grant_pipe(issue_grant_pipe),
        .grant_buffer(issue_grant_buffer),
        .grant_new(issue_grant_new),
        .grant_group(issue_grant_group),
        .grant_waves(issue_grant_waves),
        .grant_threads(issue_grant_threads),
        .grant_wave32(issue_grant_wave32),
        .grant_vgprs(issue_grant_vgprs),
        .grant_lds(issue_grant_lds),
        .grant_program(issue_grant_program),
        .grant_queue(issue_grant_queue),
        .grant_epoch(issue_grant_epoch),
        .free_valid(retire_free_valid),
        .free_vgprs(retire_free_vgprs),
        .free_lds(retire_free_lds),
        .free_slots(issue_free_slots),
        .free_vgprs_left(issue_free_vgprs_left),
        .free_lds_left(issue_free_lds_left),
        .order(issue_order),
        .fault(issue_fault)
    );

    totem_launch #(
        .FE_COUNT(FE_COUNT), .QUEUES(QUEUES), .EPOCHS(EPOCHS), .SLOTS(SLOTS)
    ) launch (
        .clk(clk), .rst(rst),
        .grant_valid(issue_grant_valid),
        .grant_fe(issue_grant_fe),
        .grant_pipe(issue_grant_pipe),
        .grant_buffer(issue_grant_buffer),
        .grant_new(issue_grant_new),
        .grant_group(issue_grant_group),
        .grant_waves(issue_grant_waves),
        .grant_threads(issue_grant_threads),
        .grant_wave32(issue_grant_wave32),
        .grant_vgprs(issue_grant_vgprs),
        .grant_lds(issue_grant_lds),
        .grant_program(issue_grant_program),
        .grant_queue(issue_grant_queue),
        .grant_epoch(issue_grant_epoch),
        .room(launch_room),
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
        .launch_ready(launch_ready),
        .release_valid(launch_release_valid),
        .release_fe(launch_release_fe),
        .release_pipe(launch_release_pipe),
        .release_buffer(launch_release_buffer),
        .alloc_valid(launch_alloc_valid),
        .alloc_slot(launch_alloc_slot),
        .alloc_first(launch_alloc_first),
        .alloc_waves(launch_alloc_waves),
        .alloc_fe(launch_alloc_fe),
        .alloc_pipe(launch_alloc_pipe),
        .alloc_queue(launch_alloc_queue),
        .alloc_epoch(launch_alloc_epoch),
        .alloc_vgprs(launch_alloc_vgprs),
        .alloc_lds(launch_alloc_lds),
        .retire_valid(retire_free_valid),
        .retire_slot(retire_free_slot)
    );

    totem_retire #(
        .QUEUES(QUEUES), .EPOCHS(EPOCHS), .SLOTS(SLOTS)
    ) retire (
        .clk(clk), .rst(rst),
        .alloc_valid(launch_alloc_valid),
        .alloc_slot(launch_alloc_slot),
        .alloc_first(launch_alloc_first),
        .alloc_waves(launch_alloc_waves),
        .alloc_fe(launch_alloc_fe),
        .alloc_pipe(launch_alloc_pipe),
        .alloc_queue(launch_alloc_queue),
        .alloc_epoch(launch_alloc_epoch),
        .alloc_vgprs(launch_alloc_vgprs),
        .alloc_lds(launch_alloc_lds),
        .done_valid(done_valid),
        .done_slot(done_slot),
        .table_write_enable(retire_table_write_enable),
        .table_write_addr(retire_table_write_addr),
        .table_write_data(retire_table_write_data),
        .table_read_enable(retire_table_read_enable),
        .table_read_addr(retire_table_read_addr),
        .table_read_data(table_read_data),
        .free_valid(retire_free_valid),
        .free_slot(retire_free_slot),
        .free_vgprs(retire_free_vgprs),
        .free_lds(retire_free_lds),
        .complete_valid(retire_complete_valid),
        .complete_fe(retire_complete_fe),
        .complete_pipe(retire_complete_pipe),
        .complete_queue(retire_complete_queue),
        .complete_epoch(retire_complete_epoch),
        .fault(retire_fault)
    );

    totem_ram #(.WIDTH(64), .DEPTH(SLOTS)) table_ram (
        .clk(clk),
        .write_enable(retire_table_write_enable), .write_addr(retire_table_write_addr), .write_data(retire_table_write_data),
        .read_enable(retire_table_read_enable), .read_addr(retire_table_read_addr), .read_data(table_read_data)
    );

    wire unused = &{1'b0, issue_order};
endmodule

`default_nettype wire
