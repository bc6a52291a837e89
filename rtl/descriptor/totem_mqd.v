// SPDX-License-Identifier: Apache-2.0
//
// totem_mqd: carries a queue between its slot and its descriptor in memory.
//
// Policy    one job of a pipe at a time, slots in turn: preload at a mapping, window by register MAP, save at a
//           dequeue, with MQD_SAVE save and load at every switch (docs/contract/mqd.md). The pipe runs on meanwhile;
//           only the slot of the job waits.
// Latency   preload about 290 clocks and 4 memory answers, save about 900 clocks, load of a switch about 600 and 7
//           answers.
// Boundary  the window belongs to hqd and the registers to bank: both are reached by requests, so neither RAM has a
//           second master. Memory is read by blocks of 128 bytes into a RAM beside this block. Words to memory and
//           events yield to those of record, of fence, and to the second of poll.
// Cost      QUEUES: the choice of the slot and the multiplexers of what fetch shows, 60 bits wide. About 320
//           flip-flops.
// Proved    writes are counted exactly (property 1); a job ends in order and once (2, 3); bursts stay in their block
//           (4).
// Twin      cmodel/descriptor/totem_mqd.c, same names.

`default_nettype none
`include "totem_pm4.vh"

module totem_mqd #(
    parameter QUEUES = 8                    // a power of two, 2 to 8
) (
    input  wire                         clk,
    input  wire                         rst,
    // hqd
    input  wire [QUEUES*3-1:0]          hqd_request,
    input  wire [QUEUES-1:0]            hqd_leaving,
    output wire [QUEUES-1:0]            behind,
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
    // block RAM
    output wire                         ram_write_enable,
    output wire [3:0]                   ram_write_addr,
    output wire [63:0]                  ram_write_data,
    output wire                         ram_read_enable,
    output wire [3:0]                   ram_read_addr,
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
    // roll: the list of tasks
    input  wire                         task_present,
    input  wire [QUEUES-1:0]            runner_begun,
    input  wire [QUEUES-1:0]            task_resume,
    output wire                         roll_valid,
    output wire [1:0]                   roll_op,
    output wire [$clog2(QUEUES)-1:0]    roll_queue,
    output wire [37:0]                  roll_base,
    output wire                         roll_grid,
    input  wire                         roll_done,
    input  wire [7:0]                   roll_code,
    input  wire [31:0]                  roll_word,
    input  wire [37:0]                  roll_where,
    input  wire                         roll_turn,
    input  wire                         roll_resume,
    // pipe
    output wire                         busy
);
`include "totem_hqd_values.vh"
    localparam Q = $clog2(QUEUES);

    generate
        if (QUEUES < 2 || QUEUES > 8 || QUEUES != (1 << Q)) begin : check
            totem_mqd_needs_QUEUES_2_4_or_8 refused ();
        end
    endgenerate

    localparam [4:0] IDLE = 5'd0, HEAD = 5'd1, BUFFER = 5'd2, ASK = 5'd3, BEATS = 5'd4, FIND = 5'd5, TAKE = 5'd6,
        SET = 5'd7,
                     GET = 5'd8, ANSWER = 5'd9, PUT = 5'd10, DRAIN = 5'd11, ACTIVATE = 5'd12, FINISH = 5'd13,
                     INTERRUPT = 5'd14, ERROR = 5'd15, ROLL = 5'd16;
    localparam [2:0] PRELOAD = 3'd1, WINDOW = 3'd2, SAVE = 3'd3, CLOSE = 3'd4, SWITCH_SAVE = 3'd5, SWITCH_LOAD = 3'd6,
        END = 3'd7;
    // kinds of load words
    localparam [5:0] ACTIVE = {1'b0, LOAD_ACTIVE}, RPTR = {1'b0, LOAD_RPTR},
        MOVED = {1'b0, LOAD_MOVED};
    localparam [7:0] REGISTERS_END = 8'd83, WINDOW_START = 8'd128, WINDOW_END = 8'd183;
    localparam [7:0] TOP_RPTR = 8'd93, END_RPTR = 8'd96, END_SEQUENCE = 8'd97, TOP_SEQUENCE = 8'd107;   // records
    localparam [7:0] READ_FAILED  = `TOTEM_ERROR_MEMORY_READ_SLVERR - 8'd1;     // plus the error of the beat
    localparam [7:0] WRITE_FAILED = `TOTEM_ERROR_MEMORY_WRITE_SLVERR - 8'd1;    // plus the error of the response

    reg [4:0]   phase_q, phase_d;
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
    reg [1:0]   strobe_q, strobe_d;
    reg [3:0]   fill_q, fill_d;
    reg         beat_valid_q, beat_valid_d;
    reg [3:0]   beat_place_q, beat_place_d;
    reg [63:0]  beat_q, beat_d;
    reg [6:0]   owed_q, owed_d;
    reg [7:0]   code_q, code_d;
    reg [2:0]   reason_q, reason_d;
    reg         unequal_q, unequal_d;
    reg [QUEUES-1:0] behind_q, behind_d;
    reg [5:0]   pause_q, pause_d;

    // Registers that reset leaves alone read 0 at start, as in the model.
    initial begin
        phase_q = 0;  queue_q = 0;  job_q = 0;        step_q = 0;       base_q = 0;  preload_q = 0;  grid_q = 0;
        place_q = 0;  left_q = 0;       dword_q = 0;      value_q = 0; pair_q = 0;     strobe_q = 0;
        fill_q = 0;   beat_q = 0;   beat_valid_q = 0; beat_place_q = 0; owed_q = 0;  code_q = 0;     reason_q = 0;
        unequal_q = 0; behind_q = 0; pause_q = 0; turn_q = 0; clear_q = 0;
    end

    // What this block shares with others: whose word is taken, whose write is acknowledged.
    wire        taken    = write_ready && !record_write_valid;
    wire        acked    = write_ack && !ack_tag[0];
    wire        told     = events_error_ready && !record_error_valid && !(poll_error_valid && poll_error_second);
    wire        noticed  = events_interrupt_ready && !fence_interrupt_valid;

    // Where the dword lies, and how far its burst may go.
    wire [37:0] at    = base_q + {30'd0, dword_q};
    wire        low   = dword_q <= REGISTERS_END;
    wire        records = !low && dword_q <= TOP_SEQUENCE;
    wire [37:0] stop  = base_q + {30'd0, low ? REGISTERS_END : records ? TOP_SEQUENCE : WINDOW_END};
    wire [3:0]  limit = (stop[37:5] == at[37:5]) ? stop[4:1] : 4'd15;
    wire        last  = dword_q == REGISTERS_END || dword_q == WINDOW_END;
    wire [5:0]  above = dword_q[5:0];       // dword of the window: 128 is a multiple of 64
    wire [7:0]  next  = dword_q + 8'd1;

    reg [5:0] header;               // window dword of HEAD
    always @* begin
        case (step_q)
            3'd0:    header = 6'd0;
            3'd1:    header = 6'd1;
            3'd2:    header = 6'd4;
            3'd3:    header = 6'd18;
            3'd4:    header = 6'd19;
            3'd5:    header = 6'd21;
            default: header = 6'd20;
        endcase
    end

    wire   loads  = job_q == SWITCH_LOAD;
    wire   saves  = job_q == SAVE || job_q == SWITCH_SAVE;
    wire   closes = job_q == CLOSE;
    wire   moves  = job_q == SWITCH_SAVE || job_q == SWITCH_LOAD;
    wire   failed = code_q != 8'd0;

    // What the pipe itself holds, and what the host may have written since the save.
    localparam [63:0] OWN = 64'd1 << 2 | 64'd1 << 4 | 64'd1 << 5 | 64'd1 << 6 | 64'd1 << 7 | 64'd1 << 10 |
        64'd1 << 18 | 64'd1 << 19 |
                            64'd1 << 20 | 64'd1 << 21 | 64'd1 << 24 | 64'd1 << 54 | 64'd1 << 55;
    wire   own    = !low && !records && OWN[above];

    assign access_valid = phase_q == HEAD || phase_q == BUFFER || phase_q == ACTIVATE || phase_q == FINISH ||
                          (phase_q == SET && (job_q == WINDOW || closes || (loads && !low && !own))) ||
                              (phase_q == GET && !low);
    assign access_kind  = (phase_q == HEAD || phase_q == GET) ? 2'd0 : (phase_q == SET || phase_q == ACTIVATE) ? 2'd1 :
        2'd2;
    assign access_queue = queue_q;
    assign access_dword = (phase_q == HEAD) ? header :
        (phase_q == BUFFER) ? (step_q[2] ? RPTR : {4'b0011, step_q[1:0]}) :
                          (phase_q == FINISH) ? (moves ? MOVED : ACTIVE) : (phase_q == ACTIVATE) ? 6'd2 : above;
    assign access_data  = (phase_q == BUFFER)   ?
        (step_q[2] ? {8'd0, pair_q[31:0]} : step_q == 3'd0 ? {place_q, 2'b00} :
                                                   step_q == 3'd1 ? {20'd0, left_q} : {8'd0, value_q}) :
                          (phase_q == FINISH && moves) ?
                              {36'd0, failed, grid_q, loads || (base_q != 38'd0 && !failed), loads && !failed} :
                          (phase_q == FINISH)   ?
                              ((job_q == PRELOAD && !failed) ? {36'd0, turn_q, grid_q, preload_q, 1'b1} : 40'd0) :
                          (phase_q == ACTIVATE) ? 40'd1 : {8'd0, value_q};

    assign bank_valid  = (phase_q == SET && (job_q == PRELOAD || (loads && low))) || (phase_q == GET && low);
    assign bank_write  = phase_q == SET;
    assign bank_queue  = queue_q;
    assign bank_offset = dword_q[6:0] - 7'd1;
    assign bank_data   = value_q;

    assign ram_write_enable = beat_valid_q;
    assign ram_write_addr   = beat_place_q;
    assign ram_write_data   = beat_q;
    assign ram_read_enable  = phase_q == FIND;
    assign ram_read_addr    = at[4:1];

    assign read_valid = phase_q == ASK;
    assign read_addr  = {at[37:1], 3'b000};
    assign read_beats = {1'b0, limit} - {1'b0, at[4:1]} + 5'd1;

    assign write_valid = phase_q == PUT;
    assign write_word  = (step_q == 3'd0) ? {16'd0, {4{strobe_q[1]}}, {4{strobe_q[0]}}, at[37:1], 3'b000} : pair_q;

    assign interrupt_valid = phase_q == INTERRUPT;
    assign interrupt_word  = {{(32-Q){1'b0}}, queue_q, 29'd0, reason_q};

    wire        read_failed = code_q > READ_FAILED && code_q <= WRITE_FAILED;
    wire [37:0] where       = read_failed ? at : base_q;
    wire [2:0]  slot        = {{(3-Q){1'b0}}, queue_q};
    assign error_valid = phase_q >= ERROR && phase_q != ROLL;
    assign error_word  = (step_q == 3'd0) ? {code_q, 5'd0, slot, 8'd0, where, 2'b00} : {32'd0, value_q};

    assign roll_valid = phase_q == ROLL;
    assign roll_op    = (job_q == PRELOAD) ? 2'd0 : clear_q ? 2'd2 : 2'd1;
    assign roll_queue = queue_q;
    assign roll_base  = base_q;
    assign roll_grid  = grid_q;

    assign busy   = phase_q != IDLE;
    assign behind = behind_q;

    // What is saved of a window dword: the window knows everything but the grid and the buffer.
    wire        in_buffer   = fetch_buffer[queue_q];
    wire [37:0] buffer_addr = fetch_buffer_addr[queue_q*38 +: 38];
    wire [19:0] buffer_left = fetch_buffer_left[queue_q*20 +: 20];
    wire        cut = packet_unfinished[queue_q] || runner_begun[queue_q] || task_resume[queue_q];
    reg [31:0]  saved;
    always @* begin
        saved = hqd_rdata;
        case (above)
            6'd2:  saved[0] = 1'b0;
            6'd4: begin
                // Where memory has not everything, the window alone must not be enough for a mapping.
                saved[0]  = !closes || (base_q != 38'd0 && !failed);
                // A reset drops the grid.
                saved[31] = cut && !hqd_dropping[queue_q];
                if (closes && failed) saved[31] = 1'b1;
            end
            6'd18: if (in_buffer) saved = {buffer_addr[29:0], 2'b00};
            6'd19: if (in_buffer) saved = {24'd0, buffer_addr[37:30]};
            6'd20: if (in_buffer) saved = 32'd0;
            6'd21: begin
                saved[31] = in_buffer;
                if (in_buffer) saved[19:0] = buffer_left;
            end
            6'd24: saved[2:0] = 3'd0;
            default: ;
        endcase
    end

    reg [7:0] descriptor_code;      // of the mapping that hqd refuses
    always @*
        case ({3'b100, hqd_error})
            `TOTEM_ERROR_HOST_MAP_PIPE_PRIORITY: descriptor_code = `TOTEM_ERROR_DESCRIPTOR_PIPE_PRIORITY;
            `TOTEM_ERROR_HOST_MAP_AQL:           descriptor_code = `TOTEM_ERROR_DESCRIPTOR_AQL;
            `TOTEM_ERROR_HOST_MAP_QUEUE_SIZE:    descriptor_code = `TOTEM_ERROR_DESCRIPTOR_QUEUE_SIZE;
            `TOTEM_ERROR_HOST_MAP_NO_EPOCH:      descriptor_code = `TOTEM_ERROR_DESCRIPTOR_NO_EPOCH;
            default:                             descriptor_code = `TOTEM_ERROR_DESCRIPTOR_MQD_FIELD;
        endcase

    // The dword of the block RAM; which dword of the records comes after it, and where.
    wire [31:0] fetched = at[0] ? ram_read_data[63:32] : ram_read_data[31:0];
    wire        equals  = fetched == pair_q[31:0];
    wire [7:0]  onward  = (dword_q == TOP_RPTR) ? END_RPTR : (dword_q == END_RPTR) ? END_SEQUENCE : TOP_SEQUENCE;
    wire [37:0] ahead   = base_q + {30'd0, onward};
    wire        unused  = &{1'b0, stop[0], ahead[4:0], ack_tag[5:1]};

    // First slot that asks, after the last one served.
    reg         found;
    reg [Q-1:0] chosen;
    reg [Q-1:0] candidate;
    integer     i;
    always @* begin
        found  = 1'b0;
        chosen = queue_q;
        for (i = QUEUES; i >= 1; i = i - 1) begin
            candidate = queue_q + i[Q-1:0];
            if (hqd_request[candidate*3 +: 3] != 3'd0 &&
                (!behind_q[candidate] || pause_q == 6'd0 || hqd_leaving[candidate])) begin
                found  = 1'b1;
                chosen = candidate;
            end
        end
    end

    reg registers;                  // what the window holds is known: go on with the registers
    reg got;                        // value_d is to be saved
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
        strobe_d     = strobe_q;
        fill_d       = fill_q;
        beat_valid_d = 1'b0;
        beat_place_d = beat_place_q;
        beat_d       = beat_q;
        owed_d       = owed_q + {6'd0, phase_q == PUT && step_q != 3'd0 && taken} - {6'd0, acked};
        code_d       = code_q;
        reason_d     = reason_q;
        unequal_d    = unequal_q;
        behind_d     = behind_q;
        pause_d      = (pause_q == 6'd0) ? 6'd0 : pause_q - 6'd1;
        registers    = 1'b0;
        got          = 1'b0;
        close        = 1'b0;

        if (acked && ack_error != 2'd0 && code_q == 8'd0)
            code_d = WRITE_FAILED + {6'd0, ack_error};

        case (phase_q)
            IDLE: if (found) begin
                queue_d  = chosen;
                job_d    = hqd_request[chosen*3 +: 3];
                step_d   = 3'd0;
                code_d   = 8'd0;
                strobe_d = 2'd0;
                turn_d   = 1'b0;
                phase_d  = (hqd_request[chosen*3 +: 3] == END) ? FINISH : HEAD;
            end
            HEAD: if (hqd_done) begin
                step_d = step_q + 3'd1;
                case (step_q)
                    3'd0: base_d[29:0] = hqd_rdata[31:2];
                    3'd1: begin
                        base_d[37:30] = hqd_rdata[7:0];
                        if (job_q == WINDOW) begin
                            dword_d = WINDOW_START + 8'd2;
                            phase_d = ASK;
                        end
                        if (loads) begin
                            dword_d = 8'd1;
                            phase_d = ASK;
                        end
                    end
                    3'd2: begin
                        preload_d = hqd_rdata[0];
                        grid_d    = hqd_rdata[31];
                        if (saves) begin
                            if (base_q == 38'd0) begin
                                phase_d = FINISH;
                                close   = job_q == SAVE;
                            end else begin
                                dword_d = 8'd1;
                                phase_d = GET;
                            end
                        end else if (job_q == PRELOAD) begin
                            dword_d   = TOP_RPTR;
                            unequal_d = 1'b0;
                            phase_d   = ASK;
                        end
                    end
                    3'd3: place_d[29:0] = hqd_rdata[31:2];
                    3'd4: place_d[37:30] = hqd_rdata[7:0];
                    3'd5: begin
                        left_d    = hqd_rdata[19:0];
                        registers = !hqd_rdata[31];
                    end
                    default: begin
                        place_d = place_q + {18'd0, hqd_rdata[19:0]};
                        left_d  = left_q - hqd_rdata[19:0];
                        if (hqd_rdata[19:0] < left_q) begin
                            step_d  = 3'd0;
                            phase_d = BUFFER;
                        end else
                            registers = 1'b1;
                    end
                endcase
            end
            BUFFER: if (hqd_done) begin
                if (step_q == 3'd0)
                    step_d = 3'd1;
                else if (step_q[2])
                    step_d = 3'd0;
                else if (step_q == 3'd1 && loads)
                    phase_d = DRAIN;
                else if (step_q == 3'd1)
                    registers = 1'b1;
                else begin
                    step_d  = 3'd3;
                    phase_d = HEAD;
                end
            end
            ASK: begin
                fill_d = at[4:1];
                if (read_ready)
                    phase_d = BEATS;
            end
            BEATS: if (data_valid) begin
                beat_valid_d = 1'b1;
                beat_place_d = fill_q;
                beat_d       = data_word;
                fill_d       = fill_q + 4'd1;
                if (data_error != 2'd0 && code_q == 8'd0) begin
                    code_d  = READ_FAILED + {6'd0, data_error};
                    value_d = {at[29:0], 2'b00};
                end
                if (data_last)
                    phase_d = (code_d != 8'd0) ? FINISH : FIND;
            end
            FIND: if (!beat_valid_q) phase_d = TAKE;    // the last beat is in the RAM
            TAKE:
                if (!records) begin
                    // ACTIVE in memory would map the slot before its window is in place.
                    value_d = {fetched[31:1], fetched[0] && dword_q != WINDOW_START + 8'd2};
                    phase_d = SET;
                end else if (dword_q == TOP_RPTR || dword_q == END_RPTR || dword_q == END_SEQUENCE) begin
                    if (dword_q == END_RPTR)
                        unequal_d = !equals;
                    else
                        pair_d[31:0] = fetched;
                    dword_d = onward;
                    phase_d = (ahead[37:5] != at[37:5]) ? ASK : FIND;
                end else begin
                    value_d           = fetched;
                    behind_d[queue_q] = !equals || unequal_q;
                    if (equals && !unequal_q) begin
                        step_d  = 3'd2;
                        phase_d = BUFFER;
                    end else begin
                        pause_d = 6'd63;
                        phase_d = hqd_leaving[queue_q] ? FINISH : IDLE;
                    end
                end
            SET: if (closes) begin
                if (hqd_done) begin
                    dword_d = (dword_q == WINDOW_START + 8'd4) ? WINDOW_START + 8'd18 : next;
                    phase_d = GET;
                    if (dword_q == WINDOW_START + 8'd21) begin
                        dword_d = dword_q;
                        value_d = {base_q[29:0], 2'b00};
                        phase_d = FINISH;
                    end
                end
            end else if ((loads && own) || (bank_valid ? bank_ready : hqd_done)) begin
                dword_d = next;
                if (dword_q == REGISTERS_END) begin
                    phase_d = loads ? ASK : DRAIN;
                    if (loads) dword_d = WINDOW_START + 8'd2;
                end else if (dword_q == WINDOW_END) begin
                    phase_d = loads ? BUFFER : ACTIVATE;
                    if (loads) step_d = 3'd4;
                end else
                    phase_d = (at[4:0] == 5'd31) ? ASK : FIND;
                // Pointers and grid go where they belong when everything has been read.
                if (loads && own)
                    case (above)
                        6'd4:  grid_d         = value_q[31];
                        6'd10: pair_d[31:0]   = value_q;
                        6'd18: place_d[29:0]  = value_q[31:2];
                        6'd19: place_d[37:30] = value_q[7:0];
                        6'd21: left_d         = value_q[31] ? value_q[19:0] : 20'd0;
                        default: ;
                    endcase
            end
            GET:
                if (low) begin
                    if (bank_ready) phase_d = ANSWER;
                end else if (hqd_done) begin
                    value_d = saved;
                    got     = !closes;
                    if (closes) phase_d = SET;
                end
            ANSWER: if (bank_answer) begin
                value_d = register_ram_read_data;
                got     = 1'b1;
            end
            PUT: if (taken) begin
                if (step_q == 3'd0)
                    step_d = 3'd1;
                else begin
                    strobe_d = 2'd0;
                    phase_d  = (dword_q == WINDOW_END) ? DRAIN : GET;
                    if (dword_q == REGISTERS_END)
                        dword_d = WINDOW_START;
                    else if (dword_q != WINDOW_END)
                        dword_d = next;
                end
            end
            DRAIN: if (owed_q == 7'd0 && bank_ready) begin
                if (task_present && ((job_q == SAVE && !failed) || job_q == PRELOAD)) begin
                    clear_d = hqd_dropping[queue_q];
                    phase_d = ROLL;
                end else if (job_q == SAVE)
                    close = 1'b1;
                else begin
                    if (failed) value_d = {base_q[29:0], 2'b00};
                    phase_d = FINISH;
                end
            end
            ROLL: if (roll_done) begin
                turn_d = roll_turn;
                if (roll_resume && job_q == PRELOAD) grid_d = 1'b0;
                if (roll_code != 8'd0) code_d = roll_code;
                if (job_q == SAVE)
                    close = 1'b1;
                else begin
                    value_d = roll_word;
                    base_d  = roll_where;
                    dword_d = 8'd0;
                    phase_d = FINISH;
                end
            end
            ACTIVATE: if (hqd_done) begin
                if (hqd_error == 5'd0)
                    phase_d = IDLE;
                else begin
                    value_d = hqd_rdata;
                    code_d  = descriptor_code;
                    phase_d = FINISH;
                end
            end
            FINISH: if (hqd_done) begin
                behind_d[queue_q] = 1'b0;
                reason_d = hqd_rdata[2:0];
                step_d   = 3'd0;
                phase_d  = (code_q != 8'd0) ? ERROR : (hqd_rdata[2:0] != 3'd0) ? INTERRUPT : IDLE;
            end
            INTERRUPT: if (noticed) phase_d = IDLE;
            default: if (told) begin
                if (step_q == 3'd0)
                    step_d = 3'd1;
                else
                    phase_d = (reason_q != 3'd0) ? INTERRUPT : IDLE;
            end
        endcase

        if (registers) begin
            step_d  = 3'd0;
            phase_d = preload_q ? ASK : FINISH;
            if (preload_q) dword_d = 8'd1;
        end
        if (close) begin
            job_d   = CLOSE;
            dword_d = WINDOW_START + 8'd4;
            phase_d = GET;
        end
        if (got) begin
            if (at[0]) begin
                pair_d[63:32] = value_d;
                strobe_d[1]   = 1'b1;
            end else begin
                pair_d[31:0] = value_d;
                strobe_d[0]  = 1'b1;
            end
            if (at[0] || last) begin
                if (failed) begin
                    strobe_d = 2'd0;
                    phase_d  = DRAIN;
                end else begin
                    step_d  = 3'd0;
                    phase_d = PUT;
                end
            end else begin
                dword_d = next;
                phase_d = GET;
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
        strobe_q     <= strobe_d;
        fill_q       <= fill_d;
        beat_valid_q <= beat_valid_d;
        beat_place_q <= beat_place_d;
        beat_q       <= beat_d;
        owed_q       <= owed_d;
        code_q       <= code_d;
        reason_q     <= reason_d;
        unequal_q    <= unequal_d;
        behind_q     <= behind_d;
        pause_q      <= pause_d;
        if (rst) begin
            phase_q      <= IDLE;
            queue_q      <= {Q{1'b0}};
            job_q        <= 3'd0;
            step_q       <= 3'd0;
            dword_q      <= 8'd0;
            strobe_q     <= 2'd0;
            beat_valid_q <= 1'b0;
            owed_q       <= 7'd0;
            code_q       <= 8'd0;
            reason_q     <= 3'd0;
            turn_q       <= 1'b0;
            behind_q     <= {QUEUES{1'b0}};
            pause_q      <= 6'd0;
        end
    end

`ifdef FORMAL
`include "totem_mqd_properties.vh"
`endif
endmodule

`default_nettype wire
