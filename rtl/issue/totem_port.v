// SPDX-License-Identifier: Apache-2.0
//
// totem_port: receiving side of one front end at one engine.
//
// Policy    takes the word of the lane whose tag names its front end and engine, if it is of its class;
//           groups wait in one FIFO of 4 per pipe, whose heads the issue stage sees side by side; a
//           recall empties the FIFO of its pipe. Its groups have one priority, that of the last word with one. Headers stand in registers per (pipe, buffer); state
//           words go on to the engine's RAM.
// Latency   a group on the lane is at the head one clock later; a popped head makes way in one clock; a
//           recall is answered two clocks after it was on the lane.
// Boundary  all outputs are functions of state. A head is masked while its pipe's recall is carried
//           out, because a grant decided before is still to be popped in that clock and must be counted.
// Mask      head_* of a pipe count only while its head_valid, answer_* while answer_valid, state_write_* while enabled.
// Cost      about 2 x PIPES x 65 flip-flops of FIFO for each two groups, 94 a header.
// Proof     invariants 1 (room) to 6 (told).
// Twin      cmodel/issue/totem_port.c, same names.

`default_nettype none

module totem_port #(
    parameter PIPES  = 2,               // 1 or 2
    parameter QUEUES = 8,               // 2 to 8
    parameter EPOCHS = 8,               // 2 to 8
    parameter LANES  = 8,               // at least 1
    parameter SETS   = 8,               // up to 16
    parameter QUEUE_BITS = (QUEUES > 1) ? $clog2(QUEUES) : 1,   // follow from the others
    parameter EPOCH_BITS = (EPOCHS > 1) ? $clog2(EPOCHS) : 1,
    parameter SET_BITS   = (SETS > 1) ? $clog2(SETS) : 1
) (
    input  wire                  clk,
    input  wire                  rst,
    // what it is: constants
    input  wire [1:0]            fe_number,
    input  wire [1:0]            se_number,
    input  wire [1:0]            bus_class,
    // bus
    input  wire [LANES-1:0]      bus_lane_valid,
    input  wire [LANES*64-1:0]   bus_lane_word,
    input  wire [LANES*16-1:0]   bus_lane_tag,
    // issue
    output wire [PIPES-1:0]      head_valid,
    output wire [PIPES*2-1:0]    head_priority,
    output wire [PIPES-1:0]      head_buffer,
    output wire [PIPES-1:0]      head_new,
    output wire [PIPES*64-1:0]   head_group,
    output wire [PIPES*7-1:0]    head_waves,
    output wire [PIPES*7-1:0]    head_threads,
    output wire [PIPES-1:0]      head_wave32,
    output wire [PIPES*6-1:0]    head_invalidate,
    output wire [PIPES*7-1:0]    head_vgprs,
    output wire [PIPES*13-1:0]   head_total,
    output wire [PIPES*9-1:0]    head_lds,
    output wire [PIPES*40-1:0]   head_program,
    output wire [PIPES*QUEUE_BITS-1:0] head_queue,
    output wire [PIPES*EPOCH_BITS-1:0] head_epoch,
    output wire [PIPES*SET_BITS-1:0]   head_set,
    input  wire                  pop,
    input  wire [1:0]            grant_pipe,
    // front end
    output wire                  answer_valid,
    output wire [1:0]            answer_pipe,
    output wire [2:0]            answer_count,
    // state RAM
    output wire                  state_write_enable,
    output wire [6:0]            state_write_addr,
    output wire [63:0]           state_write_data,
    // wave interface
    output wire                  kill_valid,
    output wire                  kill_pipe,
    output wire [QUEUE_BITS-1:0] kill_queue,
    output wire [EPOCHS-1:0]     kill_epochs,
    input  wire                  engine_kill_kill_ready,
    // rest, self-check
    output wire                  idle,
    output wire                  overrun
);
`include "totem_dc_values.vh"
    generate
        if (PIPES < 1 || PIPES > 2 || QUEUES < 1 || QUEUES > 8 || EPOCHS < 1 || EPOCHS > 8 ||
            SET_BITS > 4) begin : check
            totem_port_needs_PIPES_1_or_2_QUEUES_and_EPOCHS_1_to_8_and_SETS_up_to_16 refused ();
        end
    endgenerate

    localparam HEADERS = PIPES*2;
    localparam PLACES  = PIPES*4;

    reg [PIPES*3-1:0]            count_q, count_d;
    reg [PIPES*2-1:0]            first_q, first_d;
    reg [PLACES*64-1:0]          fifo_group_q, fifo_group_d;
    reg [PIPES*2-1:0]            pipe_priority_q, pipe_priority_d;
    reg [PLACES-1:0]             fifo_buffer_q, fifo_buffer_d;
    reg [PLACES-1:0]             fifo_partial_q, fifo_partial_d;
    reg [PLACES*7-1:0]           fifo_waves_q, fifo_waves_d;
    reg [PLACES*7-1:0]           fifo_threads_q, fifo_threads_d;
    reg [PLACES*13-1:0]          fifo_total_q, fifo_total_d;
    reg                          awaited_q, awaited_d;
    reg                          awaited_pipe_q, awaited_pipe_d;
    reg [1:0]                    awaited_place_q, awaited_place_d;
    reg [PIPES*4-1:0]            index_q, index_d;
    reg [HEADERS*40-1:0]         header_program_q, header_program_d;
    reg [HEADERS*7-1:0]          header_vgprs_q, header_vgprs_d;
    reg [HEADERS*9-1:0]          header_lds_q, header_lds_d;
    reg [HEADERS-1:0]            header_wave32_q, header_wave32_d;
    reg [HEADERS*6-1:0]          header_invalidate_q, header_invalidate_d;
    reg [HEADERS*7-1:0]          header_waves_q, header_waves_d;
    reg [HEADERS*7-1:0]          header_threads_q, header_threads_d;
    reg [HEADERS*QUEUE_BITS-1:0] header_queue_q, header_queue_d;
    reg [HEADERS*EPOCH_BITS-1:0] header_epoch_q, header_epoch_d;
    reg [HEADERS*SET_BITS-1:0]   header_set_q, header_set_d;
    reg [HEADERS*13-1:0]         header_total_q, header_total_d;
    reg [HEADERS-1:0]            header_fresh_q, header_fresh_d;
    reg                          recall_valid_q, recall_valid_d;
    reg                          recall_pipe_q, recall_pipe_d;
    reg                          answer_valid_q, answer_valid_d;
    reg [1:0]                    answer_pipe_q, answer_pipe_d;
    reg [2:0]                    answer_count_q, answer_count_d;
    reg                          state_write_enable_q, state_write_enable_d;
    reg [6:0]                    state_write_addr_q, state_write_addr_d;
    reg [63:0]                   state_write_data_q, state_write_data_d;
    reg [PIPES-1:0]              kill_pending_q, kill_pending_d;
    reg [PIPES*QUEUE_BITS-1:0]   kill_queues_q, kill_queues_d;
    reg [PIPES*EPOCHS-1:0]       kill_masks_q, kill_masks_d;
    reg                          overrun_q, overrun_d;

    // Registers that reset leaves alone read 0 at start, as in the model.
    initial begin
        fifo_group_q        = {PLACES*64{1'b0}};
        pipe_priority_q     = {PIPES*2{1'b0}};
        fifo_buffer_q       = {PLACES{1'b0}};
        fifo_partial_q      = {PLACES{1'b0}};
        fifo_waves_q        = {PLACES*7{1'b0}};
        fifo_threads_q      = {PLACES*7{1'b0}};
        fifo_total_q        = {PLACES*13{1'b0}};
        awaited_pipe_q      = 1'b0;
        awaited_place_q     = 2'd0;
        header_program_q    = {HEADERS*40{1'b0}};
        header_vgprs_q      = {HEADERS*7{1'b0}};
        header_lds_q        = {HEADERS*9{1'b0}};
        header_wave32_q     = {HEADERS{1'b0}};
        header_invalidate_q = {HEADERS*6{1'b0}};
        header_waves_q      = {HEADERS*7{1'b0}};
        header_threads_q    = {HEADERS*7{1'b0}};
        header_queue_q      = {HEADERS*QUEUE_BITS{1'b0}};
        header_epoch_q      = {HEADERS*EPOCH_BITS{1'b0}};
        header_set_q        = {HEADERS*SET_BITS{1'b0}};
        header_total_q      = {HEADERS*13{1'b0}};
        recall_pipe_q       = 1'b0;
        answer_pipe_q       = 2'd0;
        answer_count_q      = 3'd0;
        state_write_addr_q  = 7'd0;
        state_write_data_q  = 64'd0;
        kill_queues_q       = {PIPES*QUEUE_BITS{1'b0}};
        kill_masks_q        = {PIPES*EPOCHS{1'b0}};
    end

    // A single pipe has no number: its index bits fold away.
    localparam [0:0] PAIR = PIPES > 1;

    // The head of a pipe: entry from its FIFO, header from the entry's buffer.
    genvar p;
    generate
        for (p = 0; p < PIPES; p = p + 1) begin : g_head
            localparam [0:0] PIPE = p;
            wire [2:0] entry   = {PIPE, first_q[p*2 +: 2]};
            wire [1:0] header  = {PIPE, fifo_buffer_q[entry*1 +: 1]};
            wire       partial = fifo_partial_q[entry*1 +: 1];
            wire       awaits    = awaited_q && (PAIR && awaited_pipe_q) == PIPE && awaited_place_q == entry[1:0];

            assign head_valid[p]            = count_q[p*3 +: 3] != 3'd0 &&
                                              !(recall_valid_q && (PAIR && recall_pipe_q) == PIPE) && !awaits;
            assign head_priority[p*2 +: 2]  = pipe_priority_q[p*2 +: 2];
            assign head_buffer[p]           = fifo_buffer_q[entry*1 +: 1];
            assign head_new[p]              = header_fresh_q[header*1 +: 1];
            assign head_group[p*64 +: 64]   = fifo_group_q[entry*64 +: 64];
            assign head_waves[p*7 +: 7]     = partial ? fifo_waves_q[entry*7 +: 7] : header_waves_q[header*7 +: 7];
            assign head_threads[p*7 +: 7]   = partial ? fifo_threads_q[entry*7 +: 7] : header_threads_q[header*7 +: 7];
            assign head_wave32[p]           = header_wave32_q[header*1 +: 1];
            assign head_invalidate[p*6 +: 6] = header_invalidate_q[header*6 +: 6];
            assign head_vgprs[p*7 +: 7]     = header_vgprs_q[header*7 +: 7];
            assign head_total[p*13 +: 13]   = partial ? fifo_total_q[entry*13 +: 13] : header_total_q[header*13 +: 13];
            assign head_lds[p*9 +: 9]       = header_lds_q[header*9 +: 9];
            assign head_program[p*40 +: 40] = header_program_q[header*40 +: 40];
            assign head_queue[p*QUEUE_BITS +: QUEUE_BITS] = header_queue_q[header*QUEUE_BITS +: QUEUE_BITS];
            assign head_epoch[p*EPOCH_BITS +: EPOCH_BITS] = header_epoch_q[header*EPOCH_BITS +: EPOCH_BITS];
            assign head_set[p*SET_BITS +: SET_BITS]       = header_set_q[header*SET_BITS +: SET_BITS];
        end
    endgenerate

    // The head that is granted.
    wire       popped     = pop && grant_pipe[1] == (bus_class != CLASS_COMPUTE);
    wire       lead       = PAIR && grant_pipe[0];
    wire [1:0] lead_first = first_q[lead*2 +: 2];
    wire [2:0] lead_entry = {lead, lead_first};
    wire [1:0] lead_header = {lead, fifo_buffer_q[lead_entry*1 +: 1]};

    assign answer_valid       = answer_valid_q;
    assign answer_pipe        = answer_pipe_q;
    assign answer_count       = answer_count_q;
    assign state_write_enable = state_write_enable_q;
    assign state_write_addr   = state_write_addr_q;
    assign state_write_data   = state_write_data_q;
    assign idle               = head_valid == {PIPES{1'b0}};
    assign overrun            = overrun_q;

    // A kill: of the lowest pipe that has one.
    wire killing = (PIPES > 1) && kill_pending_q != {PIPES{1'b0}} && !kill_pending_q[0];
    assign kill_valid  = |kill_pending_q;
    assign kill_pipe   = killing;
    assign kill_queue  = kill_queues_q[killing*QUEUE_BITS +: QUEUE_BITS];
    assign kill_epochs = kill_masks_q[killing*EPOCHS +: EPOCHS];

    // The word on the bus for this port: at most one lane carries one in a clock.
    reg        word_valid;
    reg [63:0] word;
    reg [15:0] word_tag;
    integer    lane;

    always @* begin
        word_valid = 1'b0;
        word       = 64'd0;
        word_tag   = 16'd0;
        for (lane = 0; lane < LANES; lane = lane + 1)
            if (bus_lane_valid[lane] && bus_lane_tag[lane*16+2 +: 2] == fe_number &&
                bus_lane_tag[lane*16+4 +: 2] == se_number) begin
                word_valid = 1'b1;
                word       = word | bus_lane_word[lane*64 +: 64];
                word_tag   = word_tag | bus_lane_tag[lane*16 +: 16];
            end
    end

    wire       taken       = word_valid && word_tag[7:6] == bus_class && !(word_tag[8] && bus_class != CLASS_COMPUTE);
    wire [2:0] kind        = word_tag[13:11];
    wire       word_pipe   = PAIR && word_tag[8];
    wire [1:0] word_header = {word_pipe, word_tag[14]};
    wire       recalled    = PAIR && recall_pipe_q;
    wire [12:0] blocks     = {6'd0, word[6:0]} * {6'd0, header_vgprs_q[word_header*7 +: 7]};  // of the group
    wire [2:0] awaited_entry = {PAIR && awaited_pipe_q, awaited_place_q};

    reg [2:0] place;    // entry that a new group takes

    // Path, front end and engine brought the word here; nothing in this block needs them.
    wire unused = &{1'b0, word_tag[5:0], grant_pipe[0]};

    always @* begin
        count_d              = count_q;
        first_d              = first_q;
        fifo_group_d         = fifo_group_q;
        pipe_priority_d      = pipe_priority_q;
        fifo_buffer_d        = fifo_buffer_q;
        fifo_partial_d       = fifo_partial_q;
        fifo_waves_d         = fifo_waves_q;
        fifo_threads_d       = fifo_threads_q;
        fifo_total_d         = fifo_total_q;
        awaited_d            = awaited_q;
        awaited_pipe_d       = awaited_pipe_q;
        awaited_place_d      = awaited_place_q;
        index_d              = index_q;
        header_program_d     = header_program_q;
        header_vgprs_d       = header_vgprs_q;
        header_lds_d         = header_lds_q;
        header_wave32_d      = header_wave32_q;
        header_invalidate_d  = header_invalidate_q;
        header_waves_d       = header_waves_q;
        header_threads_d     = header_threads_q;
        header_queue_d       = header_queue_q;
        header_epoch_d       = header_epoch_q;
        header_set_d         = header_set_q;
        header_total_d       = header_total_q;
        header_fresh_d       = header_fresh_q;
        // 1 Pulses
        recall_valid_d       = 1'b0;
        recall_pipe_d        = recall_pipe_q;
        answer_valid_d       = 1'b0;
        answer_pipe_d        = answer_pipe_q;
        answer_count_d       = answer_count_q;
        state_write_enable_d = 1'b0;
        state_write_addr_d   = state_write_addr_q;
        state_write_data_d   = state_write_data_q;
        overrun_d            = overrun_q;
        kill_pending_d       = kill_pending_q;
        kill_queues_d        = kill_queues_q;
        kill_masks_d         = kill_masks_q;
        // 10 Kill taken
        if (kill_valid && engine_kill_kill_ready)
            kill_pending_d[killing*1 +: 1] = 1'b0;

        // 2 Grant. Not masked by a recall: this grant was decided a clock ago.
        if (popped && count_q[lead*3 +: 3] != 3'd0) begin
            header_fresh_d[lead_header*1 +: 1] = 1'b0;
            count_d[lead*3 +: 3]               = count_q[lead*3 +: 3] - 3'd1;
            first_d[lead*2 +: 2]               = lead_first + 2'd1;
        end

        // 3 Recall
        if (recall_valid_q) begin
            answer_valid_d           = 1'b1;
            answer_pipe_d            = {bus_class != CLASS_COMPUTE, recalled};
            answer_count_d           = count_d[recalled*3 +: 3];
            count_d[recalled*3 +: 3] = 3'd0;
            if ((PAIR && awaited_pipe_q) == recalled)
                awaited_d = 1'b0;
        end

        place = {word_pipe, first_d[word_pipe*2 +: 2] + count_d[word_pipe*3 +: 2]};

        if (taken)
            case (kind)
                // 4 Header A
                WORD_HEADER_A: begin
                    header_program_d[word_header*40 +: 40] = word[39:0];
                    header_vgprs_d[word_header*7 +: 7]     = word[46:40];
                    header_lds_d[word_header*9 +: 9]       = word[55:47];
                    header_wave32_d[word_header*1 +: 1]    = word[56];
                    header_invalidate_d[word_header*6 +: 6] = word[62:57];
                    header_fresh_d[word_header*1 +: 1]     = 1'b1;
                    index_d[word_pipe*4 +: 4]              = {4{word[63]}};
                end
                // 5 Header B
                WORD_HEADER_B: begin
                    header_waves_d[word_header*7 +: 7]                   = word[6:0];
                    header_threads_d[word_header*7 +: 7]                 = word[13:7];
                    header_queue_d[word_header*QUEUE_BITS +: QUEUE_BITS] = word[14 +: QUEUE_BITS];
                    header_epoch_d[word_header*EPOCH_BITS +: EPOCH_BITS] = word[17 +: EPOCH_BITS];
                    header_set_d[word_header*SET_BITS +: SET_BITS]       = word[24 +: SET_BITS];
                    header_total_d[word_header*13 +: 13]                 = blocks;
                end
                // 6 State word
                WORD_STATE: begin
                    state_write_enable_d      = 1'b1;
                    state_write_addr_d        = {word_header, 1'b0, index_q[word_pipe*4 +: 4]};
                    state_write_data_d        = word;
                    index_d[word_pipe*4 +: 4] = index_q[word_pipe*4 +: 4] + 4'd1;
                end
                // 7 Group
                WORD_GROUP:
                    if (count_q[word_pipe*3 + 2])
                        overrun_d = 1'b1;
                    else begin
                        fifo_group_d[place*64 +: 64]  = word;
                        fifo_buffer_d[place*1 +: 1]   = word_tag[14];
                        fifo_partial_d[place*1 +: 1]  = word_tag[15];
                        awaited_d                     = word_tag[15];
                        awaited_pipe_d                = word_pipe;
                        awaited_place_d               = place[1:0];
                        count_d[word_pipe*3 +: 3]     = count_d[word_pipe*3 +: 3] + 3'd1;
                        pipe_priority_d[word_pipe*2 +: 2] = word_tag[10:9];
                    end
                // 8 Partial word
                WORD_PARTIAL:
                    if (awaited_d) begin
                        fifo_waves_d[awaited_entry*7 +: 7]   = word[6:0];
                        fifo_threads_d[awaited_entry*7 +: 7] = word[13:7];
                        fifo_total_d[awaited_entry*13 +: 13] = blocks;
                        awaited_d                            = 1'b0;
                    end
                // 9 Recall word
                WORD_RECALL: begin
                    recall_valid_d = 1'b1;
                    recall_pipe_d  = word_pipe;
                end
                // 11 Kill word
                WORD_KILL: begin
                    kill_pending_d[word_pipe*1 +: 1]                     = 1'b1;
                    kill_queues_d[word_pipe*QUEUE_BITS +: QUEUE_BITS]    = word[QUEUE_BITS-1:0];
                    kill_masks_d[word_pipe*EPOCHS +: EPOCHS]             = word[8 +: EPOCHS];
                end
                // 12 Priority word
                WORD_PRIORITY: pipe_priority_d[word_pipe*2 +: 2] = word_tag[10:9];
            endcase
    end

    always @(posedge clk) begin
        count_q              <= count_d;
        first_q              <= first_d;
        fifo_group_q         <= fifo_group_d;
        pipe_priority_q      <= pipe_priority_d;
        fifo_buffer_q        <= fifo_buffer_d;
        fifo_partial_q       <= fifo_partial_d;
        fifo_waves_q         <= fifo_waves_d;
        fifo_threads_q       <= fifo_threads_d;
        fifo_total_q         <= fifo_total_d;
        awaited_q            <= awaited_d;
        awaited_pipe_q       <= awaited_pipe_d;
        awaited_place_q      <= awaited_place_d;
        index_q              <= index_d;
        header_program_q     <= header_program_d;
        header_vgprs_q       <= header_vgprs_d;
        header_lds_q         <= header_lds_d;
        header_wave32_q      <= header_wave32_d;
        header_invalidate_q  <= header_invalidate_d;
        header_waves_q       <= header_waves_d;
        header_threads_q     <= header_threads_d;
        header_queue_q       <= header_queue_d;
        header_epoch_q       <= header_epoch_d;
        header_set_q         <= header_set_d;
        header_total_q       <= header_total_d;
        header_fresh_q       <= header_fresh_d;
        recall_valid_q       <= recall_valid_d;
        recall_pipe_q        <= recall_pipe_d;
        answer_valid_q       <= answer_valid_d;
        answer_pipe_q        <= answer_pipe_d;
        answer_count_q       <= answer_count_d;
        state_write_enable_q <= state_write_enable_d;
        state_write_addr_q   <= state_write_addr_d;
        state_write_data_q   <= state_write_data_d;
        kill_pending_q       <= kill_pending_d;
        kill_queues_q        <= kill_queues_d;
        kill_masks_q         <= kill_masks_d;
        overrun_q            <= overrun_d;
        if (rst) begin
            count_q              <= {PIPES*3{1'b0}};
            first_q              <= {PIPES*2{1'b0}};
            awaited_q            <= 1'b0;
            index_q              <= {PIPES*4{1'b0}};
            header_fresh_q       <= {HEADERS{1'b0}};
            recall_valid_q       <= 1'b0;
            answer_valid_q       <= 1'b0;
            state_write_enable_q <= 1'b0;
            kill_pending_q       <= {PIPES{1'b0}};
            overrun_q            <= 1'b0;
        end
    end

    // formal: configs=full,board,pole
    // formal: params=PIPES=2 configs=mini
`ifdef FORMAL
`include "totem_port_properties.vh"
`endif
endmodule

`default_nettype wire
