// SPDX-License-Identifier: Apache-2.0
//
// totem_mqd: carries a queue between its slot and its descriptor in memory.
//
// Policy    one job of a pipe at a time, slots in turn: preload at a mapping, window by register MAP, save at a
//           dequeue, with MQD_SAVE save and load at every switch (docs/contract/mqd.md). The pipe runs on meanwhile;
//           only the slot of the job waits.
// Latency   preload about 230 clocks and 2 memory answers, save about 620 clocks and one answer, load of a switch about
//           500 and 2 answers.
// Boundary  the window belongs to hqd and the registers to bank: both are reached by requests, so neither RAM has a
//           second master. Memory is read and written by blocks of 128 bytes through a RAM beside this block; all that
//           is read of a part of the MQD has its place there, so the bursts of a part follow each other without a wait.
//           Words to memory and events yield to those of record, of fence, and to the second of poll.
// Cost      QUEUES: the choice of the slot and the multiplexers of what fetch shows, 60 bits wide. About 320
//           flip-flops.
// Proved    1 owed to 13 blocks of the contract.
// Parts     _layout (where a dword lies), _access (accesses to window and load bus), _saved (what is saved of a dword).
// Twin      cmodel/descriptor/totem_mqd.c, same names.

`default_nettype none
`include "totem_pm4.vh"
`include "totem_regs.vh"

module totem_mqd #(
    parameter QUEUES = 8                    // a power of two, 2 to 8
) (
    input  wire                         clk,
    input  wire                         rst,
    // hqd
    input  wire [QUEUES*3-1:0]          hqd_request,
    input  wire [QUEUES-1:0]            hqd_leaving,
    input  wire [QUEUES-1:0]            hqd_active,
    output wire [QUEUES-1:0]            records_differ,
    output wire [QUEUES-1:0]            lost,
    output wire                         access_valid,
    output wire [1:0]                   access_kind,
    output wire [$clog2(QUEUES)-1:0]    access_queue,
    output wire [5:0]                   access_dword,
    output wire [39:0]                  access_data,
    input  wire                         hqd_done,
    input  wire [4:0]                   hqd_error,
    input  wire [31:0]                  hqd_rdata,
    // bank
    output wire                         bank_valid,
    output wire                         bank_write,
    output wire [$clog2(QUEUES)-1:0]    bank_queue,
    output wire [6:0]                   bank_offset,
    output wire [31:0]                  bank_data,
    input  wire                         bank_ready,
    input  wire                         bank_answer,
    input  wire [31:0]                  register_ram_read_data,
    // packet, fetch
    input  wire [QUEUES-1:0]            packet_unfinished,
    input  wire [QUEUES-1:0]            hqd_dropping,
    input  wire [QUEUES-1:0]            fetch_buffer,
    input  wire [QUEUES*38-1:0]         fetch_buffer_addr,
    input  wire [QUEUES*20-1:0]         fetch_buffer_left,
    // host
    input  wire [31:0]                  settings_address_high,
    input  wire [1:0]                   fe_number,
    // block RAM
    output wire                         ram_write_enable,
    output wire [5:0]                   ram_write_addr,
    output wire [63:0]                  ram_write_data,
    output wire                         ram_read_enable,
    output wire [5:0]                   ram_read_addr,
    input  wire [63:0]                  ram_read_data,
    // memory
    output wire                         read_valid,
    output wire [39:0]                  read_addr,
    output wire [4:0]                   read_beats,
    input  wire                         read_ready,
    input  wire                         data_valid,
    input  wire [63:0]                  data_word,
    input  wire                         data_last,
    input  wire [1:0]                   data_error,
    output wire                         write_valid,
    output wire [63:0]                  write_word,
    input  wire                         write_ready,
    input  wire                         record_write_valid,
    input  wire                         write_ack,
    input  wire [5:0]                   ack_tag,
    input  wire [1:0]                   ack_error,
    // events
    output wire                         interrupt_valid,
    output wire [63:0]                  interrupt_word,
    input  wire                         events_interrupt_ready,
    input  wire                         fence_interrupt_valid,
    output wire                         error_valid,
    output wire [63:0]                  error_word,
    input  wire                         events_error_ready,
    input  wire                         record_error_valid,
    input  wire                         poll_error_valid,
    input  wire                         poll_error_second,
    // spill: the list of tasks
    input  wire                         task_present,
    input  wire [QUEUES-1:0]            runner_begun,
    input  wire [QUEUES-1:0]            task_resume,
    output wire                         spill_valid,
    output wire [1:0]                   spill_op,
    output wire [$clog2(QUEUES)-1:0]    spill_queue,
    output wire [37:0]                  spill_base,
    output wire                         spill_grid,
    input  wire                         spill_done,
    input  wire [7:0]                   spill_code,
    input  wire [31:0]                  spill_word,
    input  wire [37:0]                  spill_where,
    input  wire                         spill_turn,
    input  wire                         spill_resume,
    // pipe
    output wire                         busy
);
`include "totem_hqd_values.vh"
`include "totem_memory_values.vh"
`include "totem_mqd_values.vh"
    localparam Q = $clog2(QUEUES);

    generate
        if (QUEUES < 2 || QUEUES > 8 || QUEUES != (1 << Q)) begin : check
            totem_mqd_needs_QUEUES_2_4_or_8 refused ();
        end
    endgenerate

    localparam [7:0] READ_FAILED  = `TOTEM_ERROR_MEMORY_READ_SLVERR - 8'd1;     // plus the error of the beat
    localparam [7:0] WRITE_FAILED = `TOTEM_ERROR_MEMORY_WRITE_SLVERR - 8'd1;    // plus the error of the response

    reg [3:0]   phase_q, phase_d;
    reg [Q-1:0] queue_q, queue_d;
    reg [2:0]   job_q, job_d;
    reg [2:0]   step_q, step_d;
    reg [37:0]  base_q, base_d;
    reg         preload_q, preload_d;
    reg         grid_q, grid_d;
    reg         turn_q, turn_d;
    reg         clear_q, clear_d;
    reg [37:0]  place_q, place_d;
    reg [19:0]  left_q, left_d;
    reg [7:0]   dword_q, dword_d;
    reg [31:0]  value_q, value_d;
    reg [63:0]  pair_q, pair_d;
    reg [31:0]  mask_q, mask_d;
    reg [5:0]   fill_q, fill_d;
    reg         beat_valid_q, beat_valid_d;
    reg [5:0]   beat_place_q, beat_place_d;
    reg [63:0]  beat_q, beat_d;
    reg [2:0]   owed_q, owed_d;
    reg [7:0]   code_q, code_d;
    reg [7:0]   fault_q, fault_d;
    reg [2:0]   reason_q, reason_d;
    reg         unequal_q, unequal_d;
    reg [QUEUES-1:0] records_differ_q, records_differ_d;
    reg [5:0]   pause_q, pause_d;
    reg [QUEUES-1:0] kept_q, kept_d;
    reg [QUEUES-1:0] lost_q, lost_d;

    // Registers that reset leaves alone read 0 at start, as in the model.
    initial begin
        phase_q = 0;  queue_q = 0;  job_q = 0;        step_q = 0;       base_q = 0;  preload_q = 0;  grid_q = 0;
        place_q = 0;  left_q = 0;       dword_q = 0;      value_q = 0; pair_q = 0;     mask_q = 0;
        fill_q = 0;   beat_q = 0;   beat_valid_q = 0; beat_place_q = 0; owed_q = 0;  code_q = 0;     reason_q = 0;
        unequal_q = 0; records_differ_q = 0; pause_q = 0; turn_q = 0; clear_q = 0; kept_q = 0; lost_q = 0; fault_q = 0;
    end

    // What this block shares with others: whose word is taken, whose write is acknowledged.
    wire        taken    = write_ready && !record_write_valid;
    wire        acked    = write_ack && !ack_tag[0];
    wire        told     = events_error_ready && !record_error_valid && !(poll_error_valid && poll_error_second);
    wire        noticed  = events_interrupt_ready && !fence_interrupt_valid;

    wire [37:0] at;
    wire        low, records, own, full, last_block;
    wire [7:0]  onward, start;
    totem_mqd_layout layout (
        .base(base_q), .dword(dword_q), .at(at), .low(low), .records(records), .own(own), .full(full),
        .read_beats(read_beats), .onward(onward), .start(start), .last_block(last_block)
    );
    wire [5:0]  above = dword_q[5:0];       // dword of the window, which begins at a multiple of 64
    wire [7:0]  next  = dword_q + 8'd1;

    wire        loads     = job_q == REQUEST_SWITCH_LOAD;
    wire        saves     = job_q == REQUEST_SAVE || job_q == REQUEST_SWITCH_SAVE;
    wire        closes    = job_q == REQUEST_CLOSE;
    wire        failed    = code_q != 8'd0;
    wire        described = base_q != 38'd0;
    wire        spared    = dword_q > MQD_ACTIVE && !own && kept_q[queue_q];
    wire        put       = phase_q == MQD_PUT && step_q == 3'd2 && fill_q == 6'd17;
    // The records are not looked at in turn: they are there when all has come.
    wire [5:0]  sought    = at[6:1] + {5'd0, phase_q == MQD_SET};
    wire        there     = (records ? owed_q == 3'd0 : sought != fill_q) &&
                            !(beat_valid_q && beat_place_q == sought);
    wire [6:0]  filled    = {fill_q, 1'b0} - base_q[6:0];
    wire [7:0]  failing   = {!low && !records, filled};
    wire [29:0] faulty    = base_q[29:0] + {22'd0, fault_q};

    assign access_queue = queue_q;
    totem_mqd_access accesses (
        .phase(phase_q), .job(job_q), .step(step_q), .described(described), .failed(failed), .low(low), .own(own),
        .spared(spared), .above(above), .value(value_q), .preload(preload_q), .grid(grid_q), .turn(turn_q),
        .place(place_q), .left(left_q), .rptr(pair_q[31:0]), .access_valid(access_valid), .access_kind(access_kind),
        .access_dword(access_dword), .access_data(access_data)
    );

    assign bank_valid  = (phase_q == MQD_SET && (job_q == REQUEST_PRELOAD || (loads && low))) ||
                         (phase_q == MQD_GET && low);
    assign bank_write  = phase_q == MQD_SET;
    assign bank_queue  = queue_q;
    assign bank_offset = dword_q[6:0] - 7'd1;
    assign bank_data   = value_q;

    assign ram_write_enable = beat_valid_q;
    assign ram_write_addr   = beat_place_q;
    assign ram_write_data   = beat_q;
    assign ram_read_enable  = phase_q == MQD_FIND || phase_q == MQD_PUT || (phase_q == MQD_SET && at[0]);
    assign ram_read_addr    = (phase_q == MQD_PUT) ? fill_q : sought;

    assign read_valid = phase_q == MQD_ASK;
    assign read_addr  = {at[37:1], 3'b000};

    assign write_valid = phase_q == MQD_PUT && !beat_valid_q;
    assign write_word  = (step_q == 3'd0) ? {8'd0, 1'b1, 7'd0, 8'hff, at[37:5], 7'd0} :
                         (step_q == 3'd1) ? {32'd0, mask_q} : pair_q;

    assign interrupt_valid = phase_q == MQD_INTERRUPT;
    assign interrupt_word  = {{(32-Q){1'b0}}, queue_q, 29'd0, reason_q};

    wire        read_failed = code_q > READ_FAILED && code_q <= WRITE_FAILED;
    wire [37:0] where       = read_failed ? at : base_q;
    wire [2:0]  slot        = {{(3-Q){1'b0}}, queue_q};
    assign error_valid = phase_q == MQD_ERROR;
    assign error_word  = (step_q == 3'd0) ? {code_q, 5'd0, slot, 8'd0, where, 2'b00} : {32'd0, value_q};

    assign spill_valid = phase_q == MQD_SPILL;
    assign spill_op    = (job_q == REQUEST_PRELOAD) ? SPILL_LOAD : clear_q ? SPILL_CLEAR : SPILL_SAVE;
    assign spill_queue = queue_q;
    assign spill_base  = base_q;
    assign spill_grid  = grid_q;

    assign busy   = phase_q != MQD_IDLE;
    assign records_differ = records_differ_q;
    assign lost           = lost_q;

    wire [31:0] saved;
    wire        unfinished = (packet_unfinished[queue_q] || runner_begun[queue_q] || task_resume[queue_q]) &&
                             !hqd_dropping[queue_q];
    totem_mqd_saved saves_dword (
        .above(above), .hqd_rdata(hqd_rdata), .closes(closes), .described(described), .failed(failed),
        .unfinished(unfinished), .open(fetch_buffer[queue_q]), .buffer_addr(fetch_buffer_addr[queue_q*38 +: 38]),
        .buffer_left(fetch_buffer_left[queue_q*20 +: 20]), .front(front), .saved(saved)
    );

    // An upper dword of an address: of the window, or of the MQD.
    wire [7:0]  front = settings_address_high[fe_number*8 +: 8];
    wire        strange;
    wire [7:0]  page;
    totem_upper upper (
        .address((phase_q == MQD_HEAD) ? hqd_rdata[15:0] : value_q[15:0]), .above(front), .strange(strange), .page(page)
    );

    reg [7:0] descriptor_code;      // of the mapping that hqd refuses
    always @*
        case ({3'b100, hqd_error})
            `TOTEM_ERROR_HOST_MAP_PIPE_PRIORITY: descriptor_code = `TOTEM_ERROR_DESCRIPTOR_PIPE_PRIORITY;
            `TOTEM_ERROR_HOST_MAP_AQL:           descriptor_code = `TOTEM_ERROR_DESCRIPTOR_AQL;
            `TOTEM_ERROR_HOST_MAP_QUEUE_SIZE:    descriptor_code = `TOTEM_ERROR_DESCRIPTOR_QUEUE_SIZE;
            `TOTEM_ERROR_HOST_MAP_NO_EPOCH:      descriptor_code = `TOTEM_ERROR_DESCRIPTOR_NO_EPOCH;
            default:                             descriptor_code = `TOTEM_ERROR_DESCRIPTOR_MQD_FIELD;
        endcase

    wire [31:0] fetched = at[0] ? ram_read_data[63:32] : ram_read_data[31:0];
    wire        equals  = fetched == pair_q[31:0];
    wire        unused  = &{1'b0, ack_tag[5:1]};

    // First slot that asks, after the last one served.
    reg  [QUEUES-1:0] asks;
    reg  [Q-1:0]      chosen;
    reg  [Q-1:0]      candidate;
    integer           i;
    always @* begin
        for (i = 0; i < QUEUES; i = i + 1)
            asks[i] = hqd_request[i*3 +: 3] != REQUEST_NONE
                      && (!records_differ_q[i] || pause_q == 6'd0 || hqd_leaving[i]);
        chosen = queue_q;
        for (i = QUEUES; i >= 1; i = i - 1) begin
            candidate = queue_q + i[Q-1:0];
            if (asks[candidate])
                chosen = candidate;
        end
    end

    reg registers;                  // what the window holds is known: go on with the registers
    reg got;                        // value_d is to be saved
    reg passed;                     // the dword is collected, or spared
    reg close;                      // the window is to be closed

    always @* begin
        phase_d      = phase_q;
        queue_d      = queue_q;
        job_d        = job_q;
        step_d       = step_q;
        base_d       = base_q;
        preload_d    = preload_q;
        grid_d       = grid_q;
        turn_d       = turn_q;
        clear_d      = clear_q;
        place_d      = place_q;
        left_d       = left_q;
        dword_d      = dword_q;
        value_d      = value_q;
        pair_d       = pair_q;
        mask_d       = mask_q;
        fill_d       = fill_q;
        beat_valid_d = beat_valid_q;
        beat_place_d = beat_place_q;
        beat_d       = beat_q;
        owed_d       = owed_q;
        code_d       = code_q;
        fault_d      = fault_q;
        reason_d     = reason_q;
        unequal_d    = unequal_q;
        records_differ_d = records_differ_q;
        pause_d      = pause_q;
        kept_d       = kept_q & hqd_active;
        lost_d       = lost_q;
        registers    = 1'b0;
        got          = 1'b0;
        passed       = 1'b0;
        close        = 1'b0;

        // 1 Beat and pause
        beat_valid_d = data_valid;
        if (data_valid) begin
            beat_place_d = fill_q;
            beat_d       = data_word;
            fill_d       = fill_q + 6'd1;
            if (data_error != MEMORY_OK && code_q == 8'd0) begin
                code_d  = READ_FAILED + {6'd0, data_error};
                fault_d = failing;
            end
        end
        if (pause_q != 6'd0)
            pause_d = pause_q - 6'd1;

        // 2 Bursts
        owed_d = owed_q + {2'd0, put} + {2'd0, read_valid && read_ready} - {2'd0, acked}
                 - {2'd0, data_valid && data_last};

        // 3 Write error
        if (acked && ack_error != MEMORY_OK && code_q == 8'd0)
            code_d = WRITE_FAILED + {6'd0, ack_error};

        case (phase_q)
            // 4 Choice
            MQD_IDLE: if (asks != {QUEUES{1'b0}}) begin
                queue_d  = chosen;
                job_d    = hqd_request[chosen*3 +: 3];
                step_d   = 3'd0;
                code_d   = 8'd0;
                mask_d   = 32'd0;
                turn_d   = 1'b0;
                phase_d  = (hqd_request[chosen*3 +: 3] == REQUEST_END) ? MQD_FINISH : MQD_HEAD;
            end
            // 5 Head
            MQD_HEAD: if (hqd_done) begin
                step_d = step_q + 3'd1;
                case (step_q)
                    3'd0: base_d[29:0] = hqd_rdata[31:2];
                    3'd1: begin
                        base_d[37:30] = page;
                        if (job_q == REQUEST_WINDOW) begin
                            dword_d = MQD_ACTIVE;
                            phase_d = MQD_ASK;
                            if (strange) begin
                                dword_d = dword_q;
                                code_d  = `TOTEM_ERROR_DESCRIPTOR_MQD_FIELD;
                                value_d = hqd_rdata;
                                phase_d = MQD_FINISH;
                            end
                        end
                        if (loads) begin
                            dword_d = MQD_FIRST_REGISTER;
                            phase_d = MQD_ASK;
                        end
                    end
                    3'd2: begin
                        preload_d = hqd_rdata[`TOTEM_REG_QUEUE_CP_HQD_PERSISTENT_STATE_PRELOAD_REQ];
                        grid_d    = hqd_rdata[`TOTEM_REG_QUEUE_CP_HQD_PERSISTENT_STATE_DISP_ACTIVE];
                        if (saves) begin
                            if (!described) begin
                                phase_d = MQD_FINISH;
                                close   = job_q == REQUEST_SAVE;
                            end else begin
                                dword_d = MQD_FIRST_REGISTER;
                                phase_d = MQD_GET;
                            end
                        end else if (job_q == REQUEST_PRELOAD) begin
                            dword_d   = MQD_TOP_RPTR;
                            unequal_d = 1'b0;
                            phase_d   = MQD_ASK;
                        end
                    end
                    3'd3: place_d[29:0] = hqd_rdata[31:2];
                    3'd4: place_d[37:30] = page;
                    3'd5: begin
                        left_d    = hqd_rdata[19:0];
                        registers = !hqd_rdata[`TOTEM_REG_QUEUE_CP_HQD_IB_CONTROL_PROCESSING_IB];
                    end
                    default: begin
                        place_d = place_q + {18'd0, hqd_rdata[19:0]};
                        left_d  = left_q - hqd_rdata[19:0];
                        if (hqd_rdata[19:0] < left_q) begin
                            step_d  = 3'd0;
                            phase_d = MQD_BUFFER;
                        end else
                            registers = 1'b1;
                    end
                endcase
            end
            // 6 Buffer
            MQD_BUFFER: if (hqd_done) begin
                if (step_q == 3'd0)
                    step_d = 3'd1;
                else if (step_q[2])
                    step_d = 3'd0;
                else if (step_q == 3'd1 && loads)
                    phase_d = MQD_DRAIN;
                else if (step_q == 3'd1)
                    registers = 1'b1;
                else begin
                    step_d  = 3'd3;
                    phase_d = MQD_HEAD;
                end
            end
            // 7 Reads
            MQD_ASK: begin
                if (owed_q == 3'd0)
                    fill_d = at[6:1];
                if (read_ready) begin
                    dword_d = dword_q + 8'd32 - {3'd0, at[4:0]};
                    if (last_block || failed) begin
                        dword_d = start;
                        phase_d = MQD_FIND;
                    end
                end
            end
            MQD_FIND: if (failed) phase_d = MQD_DRAIN; else if (there) phase_d = MQD_TAKE;
            // 8 Take
            MQD_TAKE:
                if (!records) begin
                    // ACTIVE in memory would map the slot before its window is in place.
                    value_d = {fetched[31:1], fetched[0] && dword_q != MQD_ACTIVE};
                    phase_d = MQD_SET;
                end else if (dword_q == MQD_TOP_RPTR || dword_q == MQD_END_RPTR || dword_q == MQD_END_SEQUENCE) begin
                    if (dword_q == MQD_END_RPTR)
                        unequal_d = !equals;
                    else
                        pair_d[31:0] = fetched;
                    dword_d = onward;
                    phase_d = MQD_FIND;
                end else begin
                    value_d           = fetched;
                    records_differ_d[queue_q] = !equals || unequal_q;
                    if (equals && !unequal_q) begin
                        step_d  = 3'd2;
                        phase_d = MQD_BUFFER;
                    end else begin
                        pause_d = 6'd63;
                        phase_d = hqd_leaving[queue_q] ? MQD_FINISH : MQD_IDLE;
                    end
                end
            // 9 Set
            MQD_SET: if (closes) begin
                if (hqd_done) begin
                    dword_d = (dword_q == MQD_STATE) ? MQD_BUFFER_LOW : next;
                    phase_d = MQD_GET;
                    if (dword_q == MQD_BUFFER_CONTROL) begin
                        dword_d = dword_q;
                        value_d = {base_q[29:0], 2'b00};
                        phase_d = MQD_FINISH;
                    end
                end
            end else if ((loads && own) || (bank_valid ? bank_ready : hqd_done)) begin
                dword_d = next;
                if (dword_q == MQD_LAST_REGISTER) begin
                    phase_d = loads ? MQD_ASK : MQD_DRAIN;
                    if (loads) dword_d = MQD_ACTIVE;
                end else if (dword_q == MQD_LAST_WINDOW) begin
                    phase_d = loads ? MQD_BUFFER : MQD_ACTIVATE;
                    if (loads) step_d = 3'd4;
                end else if (at[0])
                    phase_d = (there && !failed) ? MQD_TAKE : MQD_FIND;
                else
                    value_d = ram_read_data[63:32];     // of the same beat
                // Pointers and grid go where they belong when everything has been read.
                if (loads && own)
                    case (above)
                        `TOTEM_REG_QUEUE_CP_HQD_PERSISTENT_STATE:
                            grid_d = value_q[`TOTEM_REG_QUEUE_CP_HQD_PERSISTENT_STATE_DISP_ACTIVE];
                        `TOTEM_REG_QUEUE_CP_HQD_PQ_RPTR:         pair_d[31:0]   = value_q;
                        `TOTEM_REG_QUEUE_CP_HQD_IB_BASE_ADDR:    place_d[29:0]  = value_q[31:2];
                        `TOTEM_REG_QUEUE_CP_HQD_IB_BASE_ADDR_HI: place_d[37:30] = page;
                        `TOTEM_REG_QUEUE_CP_HQD_IB_CONTROL:
                            left_d = value_q[`TOTEM_REG_QUEUE_CP_HQD_IB_CONTROL_PROCESSING_IB] ? value_q[19:0] : 20'd0;
                        default: ;
                    endcase
            end
            // 10 Get
            MQD_GET:
                if (low) begin
                    if (bank_ready) phase_d = MQD_ANSWER;
                end else if (spared)
                    passed = 1'b1;
                else if (hqd_done) begin
                    value_d = saved;
                    got     = !closes;
                    if (closes) phase_d = MQD_SET;
                end
            MQD_ANSWER: if (bank_answer) begin
                value_d = register_ram_read_data;
                got     = 1'b1;
            end
            // 11 Put
            MQD_PUT: if (step_q == 3'd0) begin
                if (write_valid && taken) begin
                    step_d = 3'd1;
                    fill_d = 6'd1;
                end
            end else begin
                // What is offered in this clock is taken; the RAM is two beats ahead.
                step_d = 3'd2;
                pair_d = ram_read_data;
                fill_d = fill_q + 6'd1;
                if (put) begin
                    mask_d  = 32'd0;
                    phase_d = (dword_q == MQD_LAST_WINDOW) ? MQD_DRAIN : MQD_GET;
                    if (dword_q == MQD_LAST_REGISTER)
                        dword_d = MQD_WINDOW;
                    else if (dword_q != MQD_LAST_WINDOW)
                        dword_d = next;
                end
            end
            // 12 Drain
            MQD_DRAIN: if (owed_q == 3'd0 && bank_ready) begin
                if (task_present && !failed && (job_q == REQUEST_SAVE || job_q == REQUEST_PRELOAD)) begin
                    clear_d = hqd_dropping[queue_q];
                    phase_d = MQD_SPILL;
                end else if (job_q == REQUEST_SAVE)
                    close = 1'b1;
                else begin
                    if (failed) value_d = {read_failed ? faulty : base_q[29:0], 2'b00};
                    if (read_failed) dword_d = fault_q;
                    phase_d = MQD_FINISH;
                end
            end
            // 13 Roll
            MQD_SPILL: if (spill_done) begin
                turn_d = spill_turn;
                if (spill_resume && job_q == REQUEST_PRELOAD) grid_d = 1'b0;
                if (spill_code != 8'd0) code_d = spill_code;
                if (job_q == REQUEST_SAVE)
                    close = 1'b1;
                else begin
                    value_d = spill_word;
                    base_d  = spill_where;
                    dword_d = MQD_START;
                    phase_d = MQD_FINISH;
                end
            end
            // 14 Activate
            MQD_ACTIVATE: if (hqd_done) begin
                if (hqd_error == 5'd0) begin
                    kept_d[queue_q] = 1'b1;
                    phase_d         = MQD_IDLE;
                end else begin
                    value_d = hqd_rdata;
                    code_d  = descriptor_code;
                    phase_d = MQD_FINISH;
                end
            end
            // 15 Finish
            MQD_FINISH: if (hqd_done) begin
                if (job_q == REQUEST_SWITCH_SAVE && described && !failed) kept_d[queue_q] = 1'b1;
                lost_d[queue_q] = job_q == REQUEST_CLOSE && failed;
                records_differ_d[queue_q] = 1'b0;
                reason_d = hqd_rdata[2:0];
                step_d   = 3'd0;
                phase_d  = (code_q != 8'd0) ? MQD_ERROR : (hqd_rdata[2:0] != 3'd0) ? MQD_INTERRUPT : MQD_IDLE;
            end
            // 16 Messages
            MQD_INTERRUPT: if (noticed) phase_d = MQD_IDLE;
            MQD_ERROR: if (told) begin
                if (step_q == 3'd0)
                    step_d = 3'd1;
                else
                    phase_d = (reason_q != 3'd0) ? MQD_INTERRUPT : MQD_IDLE;
            end
        endcase

        // 17 Registers
        if (registers) begin
            step_d  = 3'd0;
            phase_d = preload_q ? MQD_ASK : MQD_FINISH;
            if (preload_q) dword_d = MQD_FIRST_REGISTER;
        end
        // 18 Close
        if (close) begin
            job_d   = REQUEST_CLOSE;
            dword_d = MQD_STATE;
            phase_d = MQD_GET;
        end
        // 19 Collect
        if (got) begin
            if (at[0])
                pair_d[63:32] = value_d;
            else
                pair_d[31:0] = value_d;
            beat_valid_d    = 1'b1;
            beat_place_d    = {2'd0, at[4:1]};
            beat_d          = pair_d;
            mask_d[at[4:0]] = 1'b1;
        end
        // 20 Next
        if (got || passed) begin
            if (!full) begin
                dword_d = next;
                phase_d = MQD_GET;
            end else if (failed) begin
                mask_d  = 32'd0;
                phase_d = MQD_DRAIN;
            end else begin
                step_d  = 3'd0;
                fill_d  = 6'd0;
                phase_d = MQD_PUT;
            end
        end
    end

    always @(posedge clk) begin
        phase_q      <= phase_d;
        queue_q      <= queue_d;
        job_q        <= job_d;
        step_q       <= step_d;
        base_q       <= base_d;
        preload_q    <= preload_d;
        grid_q       <= grid_d;
        turn_q       <= turn_d;
        clear_q      <= clear_d;
        place_q      <= place_d;
        left_q       <= left_d;
        dword_q      <= dword_d;
        value_q      <= value_d;
        pair_q       <= pair_d;
        mask_q       <= mask_d;
        fill_q       <= fill_d;
        beat_valid_q <= beat_valid_d;
        beat_place_q <= beat_place_d;
        beat_q       <= beat_d;
        owed_q       <= owed_d;
        code_q       <= code_d;
        fault_q      <= fault_d;
        reason_q     <= reason_d;
        unequal_q    <= unequal_d;
        records_differ_q <= records_differ_d;
        pause_q      <= pause_d;
        kept_q       <= kept_d;
        lost_q       <= lost_d;
        if (rst) begin
            phase_q      <= MQD_IDLE;
            queue_q      <= {Q{1'b0}};
            job_q        <= REQUEST_NONE;
            step_q       <= 3'd0;
            dword_q      <= MQD_START;
            mask_q       <= 32'd0;
            beat_valid_q <= 1'b0;
            owed_q       <= 3'd0;
            code_q       <= 8'd0;
            reason_q     <= 3'd0;
            turn_q       <= 1'b0;
            records_differ_q <= {QUEUES{1'b0}};
            pause_q      <= 6'd0;
            kept_q       <= {QUEUES{1'b0}};
            lost_q       <= {QUEUES{1'b0}};
        end
    end

`ifdef FORMAL
`include "totem_mqd_properties.vh"
`endif
endmodule

`default_nettype wire
