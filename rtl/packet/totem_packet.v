// SPDX-License-Identifier: Apache-2.0
//
// totem_packet: packet processor of a compute pipe.
//
// Policy    executes the PM4 packets of the selected queue one after the other; known packets without
//           a rule are consumed and counted, anything else is an error that halts this queue only. A
//           queue leaves between packets, between polls, or inside a dispatch after a recall.
// Latency   header and check 2 clocks, body 1 per dword, execution 1, commit in the clock after;
//           a dispatch starts 3 clocks after its last dword.
// Boundary  messages (fence, write, poll, error) stand still until taken. `drop` tells fetch and the
//           own inbox alike to forget what was delivered ahead.
// Cost      about 350 flip-flops, of which 70 are the inbox; QUEUES costs 8 flip-flops each.
// Proved    no start while the walker is busy or a launch state is incomplete (1), one boundary per
//           selection (2), a packet moves the pointer by its length exactly once (3), an unfinished
//           grid comes before anything else of its queue (5).
// Twin      cmodel/packet/totem_packet.c, same names.

`default_nettype none
`include "totem_load.vh"
`include "totem_pm4.vh"

module totem_packet #(
    parameter PIPES    = 2,                 // 1 or 2
    parameter QUEUES   = 8,                 // a power of two, 2 to 8
    parameter EPOCHS   = 8,                 // a power of two, 2 to 8
    parameter SE_COUNT = 4,                 // 1 to 4
    parameter SLOTS    = 64,                // at most 64
    parameter VGPRS    = 2048,              // at most 8191
    parameter LDS      = 512                // at most 512
) (
    input  wire                             clk,
    input  wire                             rst,
    // hqd
    input  wire                             load_valid,
    input  wire [$clog2(QUEUES)-1:0]        load_queue,
    input  wire [4:0]                       load_kind,
    input  wire [39:0]                      load_data,
    // arbiter
    input  wire                             arbiter_go,
    input  wire [$clog2(QUEUES)-1:0]        arbiter_selected,
    input  wire                             arbiter_leave,
    input  wire [QUEUES-1:0]                arbiter_active,
    output wire                             left,
    output wire [QUEUES-1:0]                unfinished,
    output wire [QUEUES-1:0]                halted,
    output wire [QUEUES-1:0]                wait_flush,
    output wire [QUEUES-1:0]                wait_epoch,
    output wire                             executed,
    output wire [7:0]                       executed_opcode,
    output wire                             ignored,
    // fetch
    input  wire                             fetch_dword_valid,
    input  wire [31:0]                      fetch_dword_data,
    input  wire [1:0]                       fetch_dword_error,
    output wire                             dword_ready,
    input  wire [31:0]                      fetch_available,
    input  wire                             fetch_in_buffer,
    input  wire [39:0]                      fetch_position,
    input  wire [39:0]                      fetch_fault_position,
    output wire                             commit,
    output wire [14:0]                      commit_count,
    output wire                             drop,
    output wire                             open,
    output wire [39:0]                      open_addr,
    output wire [19:0]                      open_size,
    // bank
    output wire                             bank_write,
    output wire [6:0]                       bank_offset,
    output wire [31:0]                      bank_data,
    output wire                             bank_save,
    output wire                             bank_forget,
    input  wire                             bank_loaded,
    input  wire                             bank_busy,
    input  wire [12:0]                      bank_threads,
    input  wire [1:0]                       bank_partial,
    input  wire [6:0]                       bank_vgprs,
    input  wire [8:0]                       bank_lds,
    input  wire [SE_COUNT-1:0]              bank_engines,
    input  wire [31:0]                      bank_initiator,
    // divide
    output wire                             divide_valid,
    output wire [1:0]                       divide_place,
    output wire [31:0]                      divide_data,
    output wire                             divide_start,
    input  wire                             divide_busy,
    input  wire [95:0]                      divide_quotient,
    // walker
    output wire                             start,
    output wire                             start_resume,
    output wire                             start_fresh_at_zero,
    output wire                             start_partial,
    output wire [63:0]                      start_end,
    output wire                             stop,
    input  wire                             walker_busy,
    input  wire                             walker_stopped,
    // dispatch controller
    output wire [6:0]                       dispatch_waves,
    output wire [6:0]                       dispatch_threads,
    output wire                             dispatch_wave32,
    output wire [$clog2(QUEUES)-1:0]        dispatch_queue,
    output wire [$clog2(EPOCHS)-1:0]        dispatch_epoch,
    // fence
    input  wire [QUEUES*$clog2(EPOCHS)-1:0] fence_epoch,
    input  wire [QUEUES-1:0]                fence_room,
    input  wire [QUEUES-1:0]                fence_flushed,
    input  wire [QUEUES-1:0]                fence_settled,
    output wire                             fence_close,
    output wire                             fence_valid,
    output wire [63:0]                      fence_word,
    input  wire                             fence_ready,
    output wire                             fence_write,
    // poll
    output wire                             wait_valid,
    output wire                             wait_last,
    output wire                             wait_timer,
    output wire [63:0]                      wait_word,
    input  wire [QUEUES-1:0]                poll_ended,
    input  wire [QUEUES*2-1:0]              poll_error,
    output wire                             poll_valid,
    output wire [39:0]                      poll_addr,
    input  wire                             poll_read_ready,
    input  wire                             poll_packet_answer,
    // memory
    input  wire                             poll_data_valid,
    input  wire [63:0]                      data_word,
    input  wire [1:0]                       data_error,
    output wire                             priority_write,
    output wire [$clog2(QUEUES)-1:0]        priority_queue,
    output wire [3:0]                       priority_data,
    output wire                             write_valid,
    output wire [63:0]                      write_word,
    input  wire                             write_ready,
    // events
    output wire                             error_valid,
    output wire [63:0]                      error_word,
    input  wire                             events_error_ready,
    // fence
    input  wire                             fence_halt,
    input  wire [$clog2(QUEUES)-1:0]        fence_halt_queue,
    input  wire                             poll_halt,
    input  wire [$clog2(QUEUES)-1:0]        poll_halt_queue,
    input  wire                             fetch_halt,
    input  wire [$clog2(QUEUES)-1:0]        fetch_halt_queue,
    // host
    input  wire                             settings_priority_write_open,
    // constants
    input  wire [1:0]                       fe_number,
    input  wire                             pipe_number
);
    localparam Q = $clog2(QUEUES);
    localparam E = $clog2(EPOCHS);

    generate
        if (PIPES < 1 || PIPES > 2 || QUEUES < 2 || QUEUES > 8 || QUEUES != (1 << Q)
            || EPOCHS < 2 || EPOCHS > 8 || EPOCHS != (1 << E)
            || SE_COUNT < 1 || SE_COUNT > 4 || SLOTS < 1 || SLOTS > 64 || VGPRS < 1 || VGPRS > 8191
            || LDS < 1 || LDS > 512) begin : check
            totem_packet_needs_sizes_as_its_parameters_say refused ();
        end
    endgenerate

    localparam [4:0] IDLE = 5'd0, RESUME = 5'd1, HEADER = 5'd2, CHECK = 5'd3, BODY = 5'd4, SET = 5'd5, EXECUTE = 5'd6;
    localparam [4:0] FIT = 5'd7, START = 5'd8, RUN = 5'd9, STOP = 5'd10, FLUSH = 5'd11, RELEASE = 5'd12, CLOSED = 5'd13;
    localparam [4:0] WRITE = 5'd14, POLL = 5'd15, ANSWER = 5'd16, RETRY = 5'd17, ERROR = 5'd18, LEAVE = 5'd19;
    localparam [4:0] GRID = 5'd20, DIM = 5'd21, REGISTER = 5'd22, GIVE = 5'd23, DIVIDE = 5'd24;

    localparam [4:0]   LOAD_ACTIVE = `TOTEM_LOAD_ACTIVE, LOAD_PQ_CONTROL = `TOTEM_LOAD_PQ_CONTROL, LOAD_RESUME = `TOTEM_LOAD_RESUME;
    localparam [4:0]   LOAD_SKIP = `TOTEM_LOAD_SKIP, LOAD_MOVED = `TOTEM_LOAD_MOVED;
    localparam [255:0] RULED = `TOTEM_OP_EXECUTED;
    localparam [7:0]   READ_FAILED = `TOTEM_ERROR_MEMORY_READ_SLVERR - 8'd1;    // plus the error of the beat
    localparam [31:0]  DIRECT_HEADER = {2'd3, `TOTEM_COUNT_MIN_DISPATCH_DIRECT, `TOTEM_OP_DISPATCH_DIRECT, 8'd0};
    localparam [31:0]  INDIRECT_HEADER = {2'd3, `TOTEM_COUNT_MIN_DISPATCH_INDIRECT, `TOTEM_OP_DISPATCH_INDIRECT, 8'd0};
    // A queue-priority register in dwords of the register map: 0x4006 + 0x400 * pipe + 0x40 * queue.
    localparam [17:0]  WINDOWS = 18'd1;                 // [31:14]

    reg [4:0]        phase_q, phase_d;
    reg [Q-1:0]      queue_q, queue_d;
    reg [QUEUES-1:0] unfinished_q, unfinished_d;
    reg [QUEUES-1:0] halted_q, halted_d;
    reg [QUEUES-1:0] wait_flush_q, wait_flush_d;
    reg [QUEUES-1:0] wait_epoch_q, wait_epoch_d;
    reg [QUEUES-1:0] closed_q, closed_d;
    reg [QUEUES-1:0] skip_q, skip_d;
    reg [QUEUES-1:0] patient_q, patient_d;
    reg [QUEUES-1:0] privileged_q, privileged_d;
    reg [31:0]       header_q, header_d;
    reg [1:0]        fault_q, fault_d;
    reg [14:0]       length_q, length_d;
    reg [14:0]       rest_q, rest_d;
    reg [2:0]        place_q, place_d;
    reg [31:0]       control_q, control_d;
    reg [39:0]       address_q, address_d;
    reg [63:0]       data_q, data_d;
    reg [31:0]       extra_q, extra_d;
    reg              range_q, range_d;
    reg              counted_q, counted_d;
    reg              resume_q, resume_d;
    reg [8:0]        waves_q, waves_d;
    reg [6:0]        dispatch_threads_q, dispatch_threads_d;
    reg [E-1:0]      dispatch_epoch_q, dispatch_epoch_d;
    reg [1:0]        step_q, step_d;
    reg [7:0]        code_q, code_d;
    reg              commit_q, commit_d;
    reg              drop_q, drop_d;
    reg              open_q, open_d;
    reg              executed_q, executed_d;
    reg              ignored_q, ignored_d;
    reg              bank_save_q, bank_save_d;
    reg              bank_forget_q, bank_forget_d;
    reg              priority_write_q, priority_write_d;
    reg              fence_close_q, fence_close_d;
    reg              fence_write_q, fence_write_d;

    // Registers that reset leaves alone read 0 at start, as in the model.
    initial begin
        phase_q = 0;       queue_q = 0;      unfinished_q = 0; halted_q = 0;     wait_flush_q = 0;  wait_epoch_q = 0;
        closed_q = 0;      header_q = 0;     fault_q = 0;      length_q = 0;     rest_q = 0;        place_q = 0;
        control_q = 0;     address_q = 0;    data_q = 0;       extra_q = 0;      range_q = 0;       counted_q = 0;
        resume_q = 0;      waves_q = 0;      step_q = 0;       code_q = 0;       commit_q = 0;      drop_q = 0;
        open_q = 0;        priority_write_q = 0; skip_q = 0; patient_q = 0; privileged_q = 0; executed_q = 0;   ignored_q = 0;    bank_save_q = 0;
        bank_forget_q = 0;
        fence_close_q = 0; fence_write_q = 0; dispatch_threads_q = 0; dispatch_epoch_q = 0;
    end

    wire [7:0] op = header_q[`TOTEM_PM4_HEADER_OPCODE];

    // Dwords from fetch. What was delivered ahead is forgotten when the queue leaves or jumps.
    wire        offered;
    wire [33:0] head;
    wire        take = (phase_q == HEADER && !arbiter_leave && !drop_q) || phase_q == BODY || phase_q == SET;
    totem_inbox #(.WIDTH(34)) dwords (
        .clk(clk), .rst(rst || phase_q == LEAVE || drop_q),
        .in_valid(fetch_dword_valid), .in_ready(dword_ready), .in_data({fetch_dword_error, fetch_dword_data}),
        .out_valid(offered), .out_data(head), .out_take(take)
    );
    wire [31:0] word  = head[31:0];
    wire [1:0]  wrong = head[33:32];

    assign left            = phase_q == LEAVE;
    assign unfinished      = unfinished_q;
    assign halted          = halted_q;
    assign wait_flush      = wait_flush_q;
    assign wait_epoch      = wait_epoch_q;
    assign executed        = executed_q;
    assign executed_opcode = header_q[`TOTEM_PM4_HEADER_OPCODE];
    assign ignored         = ignored_q;
    assign commit          = commit_q;
    assign commit_count    = length_q;
    assign drop            = drop_q;
    assign open            = open_q;
    assign open_addr       = {address_q[39:2], 2'd0};
    assign open_size       = control_q[`TOTEM_PM4_INDIRECT_BUFFER_IB_SIZE];
    assign bank_save       = bank_save_q;
    assign bank_forget     = bank_forget_q;
    assign priority_write  = priority_write_q;
    assign priority_queue  = address_q[6 +: Q];
    assign priority_data   = data_q[3:0];
    assign fence_close     = fence_close_q;
    assign fence_write     = fence_write_q;

    // A register is written straight from the inbox; the initiator is kept for a resumed grid.
    wire set_here       = control_q[9:7] == 3'b100;     // offsets 0x200 to 0x27f
    wire set_write      = phase_q == SET && offered && wrong == 2'd0 && set_here;
    assign bank_write   = set_write || (phase_q == FIT && !resume_q);
    assign bank_offset  = (phase_q == SET) ? control_q[6:0] : 7'd0;
    // A resumed grid sees in bit 31 how long its packet is.
    assign bank_data    = (phase_q == SET) ? word : {op == `TOTEM_OP_DISPATCH_INDIRECT, control_q[30:0]};

    // Every dimension is handed over, since the option comes behind them; leaving ends a division.
    wire dimension = op == `TOTEM_OP_DISPATCH_DIRECT && place_q != 3'd0 && !place_q[2];
    assign divide_valid = (phase_q == BODY && offered && wrong == 2'd0 && dimension) || phase_q == DIM || left;
    assign divide_place = (phase_q == BODY) ? place_q[1:0] - 2'd1 : (phase_q == DIM) ? step_q : 2'd0;
    assign divide_data  = (phase_q == BODY) ? word : extra_q;
    assign divide_start = phase_q == DIVIDE && step_q == 2'd0;
    wire [31:0] groups_x = divide_quotient[31:0], groups_y = divide_quotient[63:32], groups_z = divide_quotient[95:64];
    wire        in_threads = control_q[`TOTEM_PM4_DISPATCH_DIRECT_USE_THREAD_DIMENSIONS];
    wire        divides = in_threads && !resume_q;      // a resumed grid has groups

    assign start               = phase_q == START;
    assign start_resume        = resume_q;
    assign start_fresh_at_zero = control_q[`TOTEM_PM4_DISPATCH_DIRECT_FORCE_START_AT_000];
    assign start_partial       = control_q[`TOTEM_PM4_DISPATCH_DIRECT_PARTIAL_TG_EN];
    assign start_end           = data_q;
    assign stop                = phase_q == STOP;
    assign dispatch_waves      = waves_q[6:0];
    assign dispatch_threads    = dispatch_threads_q;
    assign dispatch_wave32     = control_q[`TOTEM_PM4_DISPATCH_DIRECT_CS_W32_EN];
    assign dispatch_queue      = queue_q;
    assign dispatch_epoch      = dispatch_epoch_q;

    assign fence_valid = phase_q == RELEASE;
    assign poll_valid  = phase_q == POLL;
    assign poll_addr   = {address_q[39:3], 3'd0};
    assign write_valid = phase_q == WRITE;
    assign error_valid = phase_q == ERROR;
    assign wait_valid  = phase_q == GIVE;
    assign wait_timer  = op == `TOTEM_OP_WAIT_TIMER;
    totem_packet_words messages (
        .op(op), .step(step_q), .slot({{(3-Q){1'b0}}, queue_q}), .epoch({{(3-E){1'b0}}, dispatch_epoch_q}),
        .control(control_q), .address(address_q), .data(data_q), .extra(extra_q), .code(code_q),
        .fence(fence_word), .write(write_word), .error(error_word), .wait_last(wait_last), .wait_word(wait_word)
    );
    wire [2:0] data_sel = control_q[`TOTEM_PM4_RELEASE_MEM_DATA_SEL];
    wire [2:0] int_sel  = control_q[`TOTEM_PM4_RELEASE_MEM_INT_SEL];

    // Header.
    wire [13:0] word_count = word[`TOTEM_PM4_HEADER_COUNT];
    wire        word_bodyless = word[`TOTEM_PM4_HEADER_TYPE] != 2'd3
                                || (word[`TOTEM_PM4_HEADER_OPCODE] == `TOTEM_OP_NOP && word_count == 14'h3fff);
    wire        filler, known, pass;
    wire [7:0]  header_code;
    totem_packet_check looks (
        .header(header_q), .fault(fault_q), .length(length_q), .available(fetch_available), .in_buffer(fetch_in_buffer),
        .skip(skip_q[queue_q]), .filler(filler), .known(known), .pass(pass), .code(header_code)
    );

    // Body.
    wire [31:0] keep_control, keep_extra;
    wire [39:0] keep_address;
    wire [63:0] keep_data;
    wire        keep_range;
    totem_packet_keep keeps (
        .op(op), .place(place_q), .word(word),
        .control_in(control_q), .address_in(address_q), .data_in(data_q), .extra_in(extra_q), .range_in(range_q),
        .control(keep_control), .address(keep_address), .data(keep_data), .extra(keep_extra), .range(keep_range)
    );
    wire set_sh = op == `TOTEM_OP_SET_SH_REG, write_data = op == `TOTEM_OP_WRITE_DATA;

    // Offset and values of SET_SH_REG end at the last register of the window.
    wire [16:0] set_end = {1'b0, word[15:0]} + {2'd0, rest_q} - 17'd1;

    // Shape of a work-group.
    wire [8:0]  waves;
    wire [6:0]  last_threads;
    wire        too_large;
    totem_packet_group #(.SLOTS(SLOTS), .VGPRS(VGPRS), .LDS(LDS)) group (
        .threads(bank_threads), .wave32(control_q[`TOTEM_PM4_DISPATCH_DIRECT_CS_W32_EN]), .waves(waves), .last_threads(last_threads),
        .group_waves(waves_q), .vgprs(bank_vgprs), .lds(bank_lds), .too_large(too_large)
    );

    // Answer to a poll.
    wire [31:0] read   = address_q[2] ? data_word[63:32] : data_word[31:0];
    wire [31:0] polled = read & data_q[63:32];
    reg         holds;
    always @* begin
        case (control_q[`TOTEM_PM4_WAIT_REG_MEM_FUNCTION])
            `TOTEM_COMPARE_LT: holds = polled < data_q[31:0];
            `TOTEM_COMPARE_LE: holds = polled <= data_q[31:0];
            `TOTEM_COMPARE_EQ: holds = polled == data_q[31:0];
            `TOTEM_COMPARE_NE: holds = polled != data_q[31:0];
            `TOTEM_COMPARE_GE: holds = polled >= data_q[31:0];
            `TOTEM_COMPARE_GT: holds = polled > data_q[31:0];
            default:           holds = 1'b1;
        endcase
    end

    wire [E-1:0] epoch_now = fence_epoch[queue_q*E +: E];
    wire [1:0]   operation = control_q[`TOTEM_PM4_WAIT_REG_MEM_OPERATION];
    wire [3:0]   dst_sel   = word[`TOTEM_PM4_WRITE_DATA_DST_SEL];

    wire [1:0]   ended_error = poll_error[queue_q*2 +: 2];

    // Skipped by a COND_EXEC, from its header on.
    wire [14:0] skipped = length_q + {1'b0, control_q[`TOTEM_PM4_COND_EXEC_EXEC_COUNT]};

    // WRITE_DATA to a register.
    wire [31:0] target  = address_q[31:0];
    wire [2:0]  number  = (PIPES == 2) ? {fe_number, pipe_number} : {1'b0, fe_number};  // in the register map
    wire        priority_register = target[31:14] == WINDOWS && target[13:10] == {1'b0, number}
                                    && {28'd0, target[9:6]} < QUEUES && target[5:0] == 6'd6;
    wire        foreign = target[6 +: Q] != queue_q && !privileged_q[queue_q] && !settings_priority_write_open;

    wire unused = &{1'b0, pipe_number, load_data[39:31], load_data[29:3], load_data[1]};

    // A WRITE_DATA to memory is cut when a write of its queue has failed, or would fail without halting anybody.
    wire to_memory = write_data && control_q[`TOTEM_PM4_WRITE_DATA_DST_SEL] != `TOTEM_WRITE_DST_REGISTER;
    wire cut       = to_memory && place_q[2] && (halted_q[queue_q] || !arbiter_active[queue_q]);

    reg finish;         // the packet is done: the read pointer moves, the next header is looked for
    reg ignore;         // and is counted as ignored
    reg fail;           // error: `code_d` and `extra_d` say what
    reg fail_read;      // .. that the beat of a poll was bad
    reg [1:0] beat;     // .. its error
    reg unread;         // .. that a dword of the packet behind its header could not be read
    reg over;           // the packet is passed over
    always @* begin
        phase_d            = phase_q;
        queue_d            = queue_q;
        unfinished_d       = unfinished_q;
        halted_d           = halted_q;
        wait_flush_d       = wait_flush_q;
        wait_epoch_d       = wait_epoch_q;
        closed_d           = closed_q;
        header_d           = header_q;
        fault_d            = fault_q;
        length_d           = length_q;
        rest_d             = rest_q;
        place_d            = place_q;
        control_d          = control_q;
        address_d          = address_q;
        data_d             = data_q;
        extra_d            = extra_q;
        range_d            = range_q;
        counted_d          = counted_q;
        resume_d           = resume_q;
        waves_d            = waves_q;
        dispatch_threads_d = dispatch_threads_q;
        dispatch_epoch_d   = dispatch_epoch_q;
        step_d             = step_q;
        code_d             = code_q;
        commit_d           = 1'b0;
        drop_d             = 1'b0;
        open_d             = 1'b0;
        skip_d             = skip_q;
        patient_d          = patient_q;
        privileged_d       = privileged_q;
        priority_write_d   = 1'b0;
        executed_d         = 1'b0;
        ignored_d          = 1'b0;
        bank_save_d        = 1'b0;
        bank_forget_d      = 1'b0;
        fence_close_d      = 1'b0;
        fence_write_d      = 1'b0;
        finish             = 1'b0;
        ignore             = counted_q;
        fail               = 1'b0;
        fail_read          = 1'b0;
        beat               = data_error;
        over               = 1'b0;
        unread             = 1'b0;

        case (phase_q)
            IDLE:
                if (arbiter_go) begin
                    queue_d                        = arbiter_selected;
                    wait_flush_d[arbiter_selected] = 1'b0;
                    wait_epoch_d[arbiter_selected] = 1'b0;
                    phase_d                        = unfinished_q[arbiter_selected] ? RESUME : HEADER;
                end

            RESUME:
                if (arbiter_leave)
                    phase_d = LEAVE;
                else if (bank_loaded && !bank_busy && fetch_available < (bank_initiator[31] ? 32'd4 : 32'd5)) begin
                    fail    = 1'b1;
                    code_d  = fetch_in_buffer ? `TOTEM_ERROR_PACKET_COUNT_PAST_IB : `TOTEM_ERROR_PACKET_COUNT_PAST_WPTR;
                    extra_d = bank_initiator[31] ? INDIRECT_HEADER : DIRECT_HEADER;
                end else if (bank_loaded && !bank_busy) begin
                    header_d = bank_initiator[31] ? INDIRECT_HEADER : DIRECT_HEADER;
                    length_d = bank_initiator[31] ? 15'd4 : 15'd5;
                    if (skip_q[queue_q]) begin          // passed with its packet, which need not be read for it
                        unfinished_d[queue_q] = 1'b0;
                        bank_forget_d         = 1'b1;
                        resume_d              = 1'b0;
                        over                  = 1'b1;
                    end else begin
                        control_d = bank_initiator;
                        range_d   = 1'b0;
                        counted_d = 1'b0;
                        resume_d  = 1'b1;
                        phase_d   = GRID;
                    end
                end

            HEADER:
                if (arbiter_leave)
                    phase_d = LEAVE;
                else if (offered && !drop_q) begin
                    header_d = word;
                    fault_d  = wrong;
                    resume_d = 1'b0;
                    length_d = word_bodyless ? 15'd1 : {1'b0, word_count} + 15'd2;
                    phase_d  = CHECK;
                end

            CHECK:
                if (arbiter_leave)
                    phase_d = LEAVE;
                else if (header_code != 8'd0) begin
                    fail    = 1'b1;
                    code_d  = header_code;
                    extra_d = (fault_q != 2'd0) ? fetch_position[31:0] : header_q;
                end else if (filler) begin
                    counted_d = 1'b0;
                    ignore    = 1'b0;
                    finish    = 1'b1;
                end else if (pass) begin
                    over = 1'b1;
                    if (!known)
                        length_d = 15'd1;
                end else if (!set_sh || bank_loaded) begin
                    if (length_q == 15'd1) begin
                        ignore = 1'b0;
                        finish = 1'b1;
                    end else begin
                        rest_d    = length_q - 15'd1;
                        place_d   = 3'd1;
                        range_d   = 1'b0;
                        counted_d = !RULED[op];
                        phase_d   = BODY;
                    end
                end

            BODY:
                if (cut)
                    phase_d = LEAVE;        // not executed: RESUME begins with its header again
                else if (offered) begin
                    if (wrong != 2'd0)
                        unread = 1'b1;
                    else begin
                        rest_d  = rest_q - 15'd1;
                        place_d = (place_q == 3'd7) ? 3'd7 : place_q + 3'd1;
                        control_d = keep_control;
                        address_d = keep_address;
                        data_d    = keep_data;
                        extra_d   = keep_extra;
                        range_d   = keep_range;
                        if (rest_q == 15'd1)
                            phase_d = (op == `TOTEM_OP_DISPATCH_DIRECT) ? GRID : EXECUTE;
                        else if (set_sh)
                            phase_d = SET;
                        if (write_data && place_q == 3'd1 && dst_sel != `TOTEM_WRITE_DST_MEMORY
                            && dst_sel != `TOTEM_WRITE_DST_TC_L2 && dst_sel != `TOTEM_WRITE_DST_REGISTER) begin
                            fail    = 1'b1;
                            code_d  = `TOTEM_ERROR_PACKET_WRITE_DESTINATION;
                            extra_d = word;
                        end
                        if (set_sh && place_q == 3'd1 && word[9:7] != 3'b100)
                            counted_d = 1'b1;       // also one without a value
                        if (set_sh && place_q == 3'd1 && (word[15:10] != 6'd0 || set_end > 17'h00400)) begin
                            fail    = 1'b1;
                            code_d  = `TOTEM_ERROR_PACKET_SH_OFFSET;
                            extra_d = word;
                        end
                        if (write_data && place_q[2]) begin
                            step_d = 2'd0;
                            if (control_q[`TOTEM_PM4_WRITE_DATA_DST_SEL] == `TOTEM_WRITE_DST_REGISTER)
                                phase_d = REGISTER;
                            else begin
                                fence_write_d    = 1'b1;
                                dispatch_epoch_d = epoch_now;
                                phase_d          = WRITE;
                            end
                        end
                    end
                end

            SET:
                if (offered) begin
                    if (wrong != 2'd0)
                        unread = 1'b1;
                    else begin
                        control_d[9:0] = control_q[9:0] + 10'd1;
                        rest_d         = rest_q - 15'd1;
                        if (!set_here) begin
                            counted_d = 1'b1;
                            ignore    = 1'b1;
                        end
                        finish = rest_q == 15'd1;
                    end
                end

            EXECUTE:
                case (op)
                    `TOTEM_OP_DISPATCH_INDIRECT, `TOTEM_OP_COND_EXEC: begin
                        step_d  = 2'd0;
                        phase_d = POLL;
                    end
                    `TOTEM_OP_WAIT_TIMER:
                        if (data_q[31:0] == 32'd0 || poll_ended[queue_q])
                            finish = 1'b1;
                        else begin
                            step_d  = 2'd0;
                            phase_d = GIVE;
                        end
                    `TOTEM_OP_RELEASE_MEM:
                        if (data_sel > `TOTEM_DATA_SYSTEM_CLOCK || int_sel > `TOTEM_INT_DATA_AFTER_WRITE
                            || control_q[`TOTEM_PM4_RELEASE_MEM_DST_SEL] > `TOTEM_RELEASE_DST_TC_L2) begin
                            fail    = 1'b1;
                            code_d  = (data_sel > `TOTEM_DATA_SYSTEM_CLOCK) ? `TOTEM_ERROR_PACKET_RELEASE_DATA_SEL
                                    : (int_sel > `TOTEM_INT_DATA_AFTER_WRITE) ? `TOTEM_ERROR_PACKET_RELEASE_INT_SEL
                                    : `TOTEM_ERROR_PACKET_RELEASE_DESTINATION;
                            extra_d = control_q;
                        end else if (!fence_room[queue_q]) begin
                            wait_epoch_d[queue_q] = 1'b1;
                            phase_d               = LEAVE;
                        end else begin
                            dispatch_epoch_d = epoch_now;
                            step_d           = 2'd0;
                            phase_d          = RELEASE;
                        end
                    `TOTEM_OP_EVENT_WRITE:
                        if (control_q[`TOTEM_PM4_EVENT_WRITE_EVENT_TYPE] != `TOTEM_EVENT_CS_PARTIAL_FLUSH)
                            finish = 1'b1;
                        else if (closed_q[queue_q])
                            phase_d = FLUSH;
                        else if (fence_flushed[queue_q] && fence_settled[queue_q])
                            finish = 1'b1;              // nothing to wait for: no epoch is spent, the pipe is kept
                        else if (fence_room[queue_q]) begin
                            closed_d[queue_q] = 1'b1;
                            fence_close_d     = 1'b1;
                            phase_d           = FLUSH;
                        end else begin
                            wait_epoch_d[queue_q] = 1'b1;
                            phase_d               = LEAVE;
                        end
                    `TOTEM_OP_WAIT_REG_MEM:
                        if (control_q[`TOTEM_PM4_WAIT_REG_MEM_MEM_SPACE] == `TOTEM_SPACE_REGISTER) begin
                            ignore = 1'b1;
                            finish = 1'b1;
                        end else if (control_q[`TOTEM_PM4_WAIT_REG_MEM_MEM_SPACE] != `TOTEM_SPACE_MEMORY
                            || (operation != `TOTEM_WAIT_OPERATION_WAIT_REG_MEM
                                && operation != `TOTEM_WAIT_OPERATION_WAIT_MEM_PREEMPTABLE)) begin
                            fail    = 1'b1;
                            code_d  = `TOTEM_ERROR_PACKET_WAIT_OPERATION;
                            extra_d = control_q;
                        end else if (control_q[`TOTEM_PM4_WAIT_REG_MEM_FUNCTION] == 3'd7) begin
                            fail    = 1'b1;
                            code_d  = `TOTEM_ERROR_PACKET_WAIT_FUNCTION;
                            extra_d = control_q;
                        end else if (control_q[`TOTEM_PM4_WAIT_REG_MEM_FUNCTION] == `TOTEM_COMPARE_ALWAYS)
                            finish = 1'b1;
                        else if (operation == `TOTEM_WAIT_OPERATION_WAIT_REG_MEM)
                            phase_d = POLL;
                        else if (poll_ended[queue_q]) begin
                            beat      = ended_error;
                            fail_read = ended_error != 2'd0;
                            finish    = ended_error == 2'd0;
                        end else begin
                            step_d  = 2'd0;
                            phase_d = GIVE;
                        end
                    `TOTEM_OP_INDIRECT_BUFFER:
                        if (control_q[`TOTEM_PM4_INDIRECT_BUFFER_IB_SIZE] == 20'd0) begin
                            fail    = 1'b1;
                            code_d  = `TOTEM_ERROR_PACKET_IB_SIZE_ZERO;
                            extra_d = control_q;
                        end else if (fetch_in_buffer && !control_q[`TOTEM_PM4_INDIRECT_BUFFER_CHAIN]) begin
                            fail    = 1'b1;
                            code_d  = `TOTEM_ERROR_PACKET_IB_NESTED;
                            extra_d = header_q;
                        end else begin
                            open_d       = 1'b1;
                            drop_d       = 1'b1;
                            finish       = 1'b1;
                        end
                    default: finish = 1'b1;
                endcase

            GRID:
                if (range_q && !divides) begin
                    fail   = 1'b1;
                    code_d = `TOTEM_ERROR_PACKET_GRID_RANGE;
                end else if (bank_loaded && !bank_busy) begin
                    if (bank_threads == 13'd0) begin
                        fail    = 1'b1;
                        code_d  = `TOTEM_ERROR_PACKET_NUM_THREAD_ZERO;
                        extra_d = 32'd0;
                    end else if (start_partial && bank_partial == 2'd0) begin
                        // Threads of partial groups are computed behind the full ones; a switch need not wait.
                        if (arbiter_leave)
                            phase_d = LEAVE;
                    end else if (start_partial && bank_partial[1]) begin
                        fail    = 1'b1;
                        code_d  = bank_partial[0] ? `TOTEM_ERROR_PACKET_NUM_THREAD_PARTIAL
                                                  : `TOTEM_ERROR_PACKET_NUM_THREAD_ZERO;
                        extra_d = {31'd0, !bank_partial[0]};
                    end else begin
                        waves_d            = waves;
                        dispatch_threads_d = last_threads;
                        phase_d            = FIT;
                        if (divides) begin
                            step_d  = 2'd0;
                            phase_d = DIVIDE;
                        end
                    end
                end

            DIVIDE:
                if (step_q == 2'd0)
                    step_d = 2'd1;
                else if (arbiter_leave && !patient_q[queue_q]) begin
                    patient_d[queue_q] = 1'b1;      // given up once, or it would never end under a better queue's turns
                    phase_d            = LEAVE;
                end else if (!divide_busy) begin
                    patient_d[queue_q] = 1'b0;
                    if (groups_y[31:16] != 16'd0 || groups_z[31:16] != 16'd0) begin
                        fail    = 1'b1;
                        code_d  = `TOTEM_ERROR_PACKET_GRID_RANGE;
                        extra_d = (groups_y[31:16] != 16'd0) ? groups_y : groups_z;
                    end else begin
                        data_d  = {groups_z[15:0], groups_y[15:0], groups_x};
                        phase_d = FIT;
                    end
                end

            DIM: begin
                if (step_q == 2'd0)
                    data_d[31:0] = extra_q;
                else if (step_q == 2'd1)
                    data_d[47:32] = extra_q[15:0];
                else
                    data_d[63:48] = extra_q[15:0];
                if (step_q != 2'd0 && extra_q[31:16] != 16'd0 && !in_threads) begin
                    range_d = 1'b1;
                    phase_d = GRID;
                end else if (step_q[1])
                    phase_d = GRID;
                else begin
                    step_d    = step_q + 2'd1;
                    address_d = address_q + 40'd4;
                    phase_d   = POLL;
                end
            end

            REGISTER:
                if (step_q != 2'd0) begin
                    if (!control_q[`TOTEM_PM4_WRITE_DATA_ADDR_INCR])
                        address_d = address_q + 40'd1;
                    if (rest_q == 15'd0)
                        finish = 1'b1;
                    else
                        phase_d = BODY;
                end else if (!priority_register || foreign) begin
                    fail    = 1'b1;
                    code_d  = priority_register ? `TOTEM_ERROR_PACKET_PRIORITY_FOREIGN : `TOTEM_ERROR_PACKET_WRITE_REGISTER;
                    extra_d = target;
                end else if (data_q[31:4] != 28'd0) begin
                    fail    = 1'b1;
                    code_d  = `TOTEM_ERROR_PACKET_PRIORITY_VALUE;
                    extra_d = data_q[31:0];
                end else begin
                    priority_write_d = 1'b1;
                    step_d           = 2'd1;
                end

            FIT:
                if (bank_engines == {SE_COUNT{1'b0}}) begin
                    fail    = 1'b1;
                    code_d  = `TOTEM_ERROR_PACKET_NO_ENGINE;
                    extra_d = 32'd0;
                end else if (too_large) begin
                    fail    = 1'b1;
                    code_d  = `TOTEM_ERROR_PACKET_GROUP_TOO_LARGE;
                    extra_d = {23'd0, waves_q};
                end else begin
                    dispatch_epoch_d = epoch_now;
                    phase_d          = START;
                end

            START: begin
                if (resume_q)
                    unfinished_d[queue_q] = 1'b0;
                phase_d = RUN;
            end

            RUN:
                if (!walker_busy) begin
                    drop_d = resume_q;
                    finish = 1'b1;
                end else if (arbiter_leave)
                    phase_d = STOP;

            STOP:
                if (walker_stopped) begin
                    if (walker_busy) begin
                        if (arbiter_active[queue_q]) begin
                            bank_save_d           = 1'b1;
                            unfinished_d[queue_q] = 1'b1;
                        end
                        phase_d = LEAVE;
                    end else begin
                        drop_d = resume_q;
                        finish = 1'b1;
                    end
                end

            FLUSH:
                if (!fence_close_q) begin       // fence has seen the close
                    if (fence_flushed[queue_q]) begin
                        closed_d[queue_q] = 1'b0;
                        finish            = 1'b1;
                    end else begin
                        wait_flush_d[queue_q] = 1'b1;
                        phase_d               = LEAVE;
                    end
                end

            RELEASE:
                if (fence_ready) begin
                    step_d = step_q + 2'd1;
                    if (step_q[1])
                        phase_d = CLOSED;
                end

            CLOSED:
                if (epoch_now != dispatch_epoch_q)
                    finish = 1'b1;

            WRITE:
                if (write_ready) begin
                    if (step_q == 2'd0)
                        step_d = 2'd1;
                    else begin
                        if (!control_q[`TOTEM_PM4_WRITE_DATA_ADDR_INCR])
                            address_d = address_q + 40'd4;
                        if (rest_q == 15'd0)
                            finish = 1'b1;
                        else
                            phase_d = BODY;
                    end
                end

            POLL:
                if (poll_read_ready)
                    phase_d = ANSWER;

            ANSWER:
                if (poll_data_valid && poll_packet_answer) begin
                    if (data_error != 2'd0)
                        fail_read = 1'b1;
                    else if (op == `TOTEM_OP_DISPATCH_INDIRECT) begin
                        extra_d = read;
                        phase_d = DIM;
                    end else if (op == `TOTEM_OP_COND_EXEC) begin
                        if (read != 32'd0)
                            finish = 1'b1;
                        else if ({17'd0, skipped} > fetch_available) begin
                            fail    = 1'b1;
                            code_d  = `TOTEM_ERROR_PACKET_COND_SKIP;
                            extra_d = control_q;
                        end else begin
                            length_d = skipped;
                            drop_d   = 1'b1;
                            finish   = 1'b1;
                        end
                    end else if (holds)
                        finish = 1'b1;
                    else begin
                        executed_d = 1'b1;
                        phase_d    = RETRY;
                    end
                end

            RETRY:
                if (!executed_q)
                    phase_d = arbiter_leave ? LEAVE : POLL;

            GIVE:
                if (wait_last)
                    phase_d = LEAVE;
                else
                    step_d = 2'd1;

            ERROR:
                if (events_error_ready) begin
                    if (step_q == 2'd0)
                        step_d = 2'd1;
                    else begin
                        halted_d[queue_q] = 1'b1;
                        phase_d           = LEAVE;
                    end
                end

            LEAVE:
                phase_d = IDLE;

            default: ;
        endcase

        if (fail_read) begin
            code_d  = READ_FAILED + {6'd0, beat};
            extra_d = {address_q[31:2], 2'd0};
        end
        if (unread) begin
            code_d  = READ_FAILED + {6'd0, wrong};
            extra_d = fetch_fault_position[31:0];
        end
        if (finish || over) begin
            commit_d = 1'b1;
            phase_d  = HEADER;
        end
        if (finish) begin
            executed_d = 1'b1;
            ignored_d  = ignore;
        end
        if (over)
            drop_d = 1'b1;
        if (fail || fail_read || unread) begin
            address_d = fail_read ? {address_q[39:2], 2'd0} : unread ? fetch_fault_position : fetch_position;
            step_d    = 2'd0;
            phase_d   = ERROR;
        end
        if (finish || over || fail || fail_read || unread)
            skip_d[queue_q] = 1'b0;

        if (fence_halt)
            halted_d[fence_halt_queue] = 1'b1;
        if (poll_halt)
            halted_d[poll_halt_queue] = 1'b1;
        if (fetch_halt)
            halted_d[fetch_halt_queue] = 1'b1;

        if (load_valid && load_kind == LOAD_ACTIVE) begin
            unfinished_d[load_queue] = load_data[0] && load_data[2];
            wait_flush_d[load_queue] = 1'b0;
            wait_epoch_d[load_queue] = 1'b0;
            closed_d[load_queue]     = 1'b0;
            skip_d[load_queue]       = 1'b0;
            patient_d[load_queue]    = 1'b0;
            if (load_data[0])
                halted_d[load_queue] = 1'b0;
        end
        if (load_valid && load_kind == LOAD_PQ_CONTROL)
            privileged_d[load_queue] = load_data[30];
        if (load_valid && load_kind == LOAD_MOVED) begin
            if (load_data[0])           // memory brings back no grid that the queue had not
                unfinished_d[load_queue] = unfinished_q[load_queue] && load_data[2];
            if (load_data[3])
                halted_d[load_queue] = 1'b1;
        end
        if (load_valid && (load_kind == LOAD_RESUME || load_kind == LOAD_SKIP)) begin
            // A failure reported in this very clock is not the one that the host has seen.
            if (!(fence_halt && fence_halt_queue == load_queue) && !(poll_halt && poll_halt_queue == load_queue)
                && !(fetch_halt && fetch_halt_queue == load_queue))
                halted_d[load_queue] = 1'b0;
            closed_d[load_queue] = 1'b0;
            skip_d[load_queue]   = load_kind == LOAD_SKIP;
        end
    end

    always @(posedge clk) begin
        phase_q            <= phase_d;
        queue_q            <= queue_d;
        unfinished_q       <= unfinished_d;
        halted_q           <= halted_d;
        wait_flush_q       <= wait_flush_d;
        wait_epoch_q       <= wait_epoch_d;
        closed_q           <= closed_d;
        header_q           <= header_d;
        fault_q            <= fault_d;
        length_q           <= length_d;
        rest_q             <= rest_d;
        place_q            <= place_d;
        control_q          <= control_d;
        address_q          <= address_d;
        data_q             <= data_d;
        extra_q            <= extra_d;
        range_q            <= range_d;
        counted_q          <= counted_d;
        resume_q           <= resume_d;
        waves_q            <= waves_d;
        dispatch_threads_q <= dispatch_threads_d;
        dispatch_epoch_q   <= dispatch_epoch_d;
        step_q             <= step_d;
        code_q             <= code_d;
        commit_q           <= commit_d;
        drop_q             <= drop_d;
        open_q             <= open_d;
        skip_q             <= skip_d;
        patient_q          <= patient_d;
        privileged_q       <= privileged_d;
        priority_write_q   <= priority_write_d;
        executed_q         <= executed_d;
        ignored_q          <= ignored_d;
        bank_save_q        <= bank_save_d;
        bank_forget_q      <= bank_forget_d;
        fence_close_q      <= fence_close_d;
        fence_write_q      <= fence_write_d;
        if (rst) begin
            phase_q       <= IDLE;
            queue_q       <= {Q{1'b0}};
            unfinished_q  <= {QUEUES{1'b0}};
            halted_q      <= {QUEUES{1'b0}};
            wait_flush_q  <= {QUEUES{1'b0}};
            wait_epoch_q  <= {QUEUES{1'b0}};
            closed_q      <= {QUEUES{1'b0}};
            header_q      <= 32'd0;
            fault_q       <= 2'd0;
            length_q      <= 15'd0;
            rest_q        <= 15'd0;
            place_q       <= 3'd0;
            range_q       <= 1'b0;
            counted_q     <= 1'b0;
            resume_q      <= 1'b0;
            step_q        <= 2'd0;
            commit_q      <= 1'b0;
            drop_q        <= 1'b0;
            open_q        <= 1'b0;
            skip_q        <= {QUEUES{1'b0}};
            patient_q     <= {QUEUES{1'b0}};
            priority_write_q <= 1'b0;
            executed_q    <= 1'b0;
            ignored_q     <= 1'b0;
            bank_save_q   <= 1'b0;
            bank_forget_q <= 1'b0;
            fence_close_q <= 1'b0;
            fence_write_q <= 1'b0;
        end
    end

`ifdef FORMAL
    // Contract 1: a dispatch starts only with loaded registers, not while the walker is busy.
    // Contract 2: a queue leaves once per selection; nothing is committed, written, polled or started without one.
    // Contract 3: every header taken is committed once at most, by its own length, before the next is taken.
    // Contract 4: a save goes with leaving, and only out of a stopped dispatch.
    // Contract 5: a queue with an unfinished grid executes nothing else before that grid is taken up again.
    // Contract 6: a first packet acts in the 11th clock after go, not counting those in which it waits for fetch or bank.
    // Contract 7: ignored packets are at least 4 clocks apart.
    // Contract 8: what goes to fence or walker is over and counted when a flush asks fence; it passes at once if and only if nothing is in flight.
    // Contract 9: no packet write begins for a queue that is halted or has lost its mapping.
    // Contract 10: a dword of the body that could not be read is recorded with its own address, in BODY and SET and nowhere else; a SET_SH_REG that is
    //              executed without a value is counted unless its offset is in the compute block, and none begins or ends beyond 0x3ff.
    // Contract 11: a mapping begins with a division to give up.
    // Assumed: bank keeps `loaded` until the next go, walker is busy only between start and end.
    initial assume (rst);
    reg        f_selected = 1'b0;
    reg        f_open = 1'b0;               // a header is taken and not yet committed
    reg [14:0] f_length;
    reg [2:0]  f_since = 3'd4;              // clocks since the last ignored packet, at most 4
    reg [1:0]  f_calm = 2'd2;               // clocks since the last one in which fence was told, or could be told, anything, at most 2
    reg        f_unread = 1'b0;             // a clock ago a body dword was taken that could not be read
    reg [39:0] f_fault_position;
    reg        f_mapping = 1'b0;            // a clock ago this queue was mapped or unmapped
    reg [Q-1:0] f_mapped;
    reg        f_barred = 1'b0;             // a clock ago no write of the queue was to begin
    reg        f_loaded = 1'b0;
    reg        f_walking = 1'b0;
    wire       f_dispatching = phase_q == RUN || phase_q == STOP;
    reg        f_acted = 1'b1;              // the first packet since go has acted
    reg [3:0]  f_own = 4'd0;                // clocks since go, without those in which it waited
    wire       f_flush = phase_q == EXECUTE && op == `TOTEM_OP_EVENT_WRITE
                         && control_q[`TOTEM_PM4_EVENT_WRITE_EVENT_TYPE] == `TOTEM_EVENT_CS_PARTIAL_FLUSH;
    wire       f_consumed = phase_q == BODY && (counted_q || op == `TOTEM_OP_NOP);
    wire       f_acts = start || left || commit || executed || poll_valid || divide_start || write_valid || priority_write || fence_valid
                        || fence_close || wait_valid || error_valid || ((phase_q == SET || f_consumed) && offered);
    wire       f_waits = phase_q == IDLE || ((phase_q == HEADER || phase_q == BODY || phase_q == SET) && !offered)
                         || (phase_q == CHECK && op == `TOTEM_OP_SET_SH_REG && !bank_loaded)
                         || (phase_q == RESUME && !(bank_loaded && !bank_busy))
                         || (phase_q == GRID && (!(bank_loaded && !bank_busy) || bank_partial == 2'd0));

    always @(posedge clk) begin
        f_loaded  <= bank_loaded && !arbiter_go && !bank_save_q;
        f_walking <= start || (f_dispatching && walker_busy);      // in LEAVE the walker of a stopped grid is still busy
        if (!rst) begin
            if (f_loaded) assume (bank_loaded);
            if (!f_walking) assume (!walker_busy);
            assume (!(arbiter_go && f_selected));
            if (load_valid && ((load_kind == LOAD_ACTIVE && load_data[0]) || load_kind == LOAD_MOVED))  // only while it has not the pipe
                assume (!(arbiter_go && arbiter_selected == load_queue) && !(f_selected && queue_q == load_queue));
        end
        if (left)
            f_selected <= 1'b0;
        else if (arbiter_go)
            f_selected <= 1'b1;
        if (phase_q == LEAVE || commit_q)
            f_open <= 1'b0;
        if (phase_q == HEADER && phase_d == CHECK) begin
            f_open   <= 1'b1;
            f_length <= length_d;
        end
        if (phase_q == RESUME && (phase_d == GRID || phase_d == HEADER)) begin
            f_open   <= 1'b1;
            f_length <= length_d;
        end
        if (phase_q == CHECK || phase_q == ANSWER)      // a skip adds to it, or takes a bad header alone
            f_length <= length_d;
        f_unread         <= (phase_q == BODY || phase_q == SET) && offered && wrong != 2'd0 && !cut;
        f_fault_position <= fetch_fault_position;
        f_mapping        <= load_valid && load_kind == LOAD_ACTIVE;
        f_mapped         <= load_queue;
        f_barred <= halted_q[queue_q] || !arbiter_active[queue_q];
        f_since <= ignored ? 3'd1 : (f_since < 3'd4) ? f_since + 3'd1 : 3'd4;
        f_calm  <= (fence_write || fence_close || fence_valid || walker_busy) ? 2'd0 : (f_calm < 2'd2) ? f_calm + 2'd1 : 2'd2;
        f_acted <= !arbiter_go && (f_acted || f_acts);
        f_own   <= arbiter_go ? 4'd0 : f_own + {3'd0, !f_acted && !f_waits};
        if (rst) begin
            f_unread   <= 1'b0;
            f_mapping  <= 1'b0;
            f_barred   <= 1'b0;
            f_since    <= 3'd4;
            f_calm     <= 2'd2;
            f_acted    <= 1'b1;
            f_selected <= 1'b0;
            f_open     <= 1'b0;
            f_loaded   <= 1'b0;
            f_walking  <= 1'b0;
        end

        if (!rst) begin
            if (start) assert (bank_loaded && !walker_busy && waves_q != 9'd0 && {23'd0, waves_q} <= SLOTS);    // 1
            if (phase_q == FIT || phase_q == START || phase_q == DIVIDE) assert (waves_q != 9'd0);
            if (phase_q == BODY && op == `TOTEM_OP_SET_SH_REG) assert (f_loaded);
            if (phase_q == WRITE) assert (op == `TOTEM_OP_WRITE_DATA);
            if (phase_q == SET) assert (op == `TOTEM_OP_SET_SH_REG);
            if (phase_q == GRID || phase_q == DIVIDE || phase_q == FIT || phase_q == START || f_dispatching) assert (op == `TOTEM_OP_DISPATCH_DIRECT || op == `TOTEM_OP_DISPATCH_INDIRECT);
            if (phase_q == START) assert ({23'd0, waves_q} <= SLOTS);
            if (phase_q == FIT || phase_q == START || phase_q == SET || phase_q == DIVIDE) assert (f_loaded);
            if (divide_start) assert (bank_loaded && !divide_valid);
            assert (f_selected == (phase_q != IDLE));                                                       // 2
            if (left || commit || bank_write || write_valid || wait_valid || priority_write || poll_valid || start || stop || fence_valid || fence_close)
                assert (f_selected);
            if (commit) assert (f_open && commit_count == f_length);                                        // 3
            if (phase_q != IDLE && phase_q != RESUME && phase_q != HEADER && phase_q != LEAVE && phase_q != ERROR)
                assert (f_open && length_q == f_length);
            if (phase_q == HEADER) assert (f_open == commit_q);
            if (phase_q == CHECK)
                assert (length_q == ((header_q[31:30] != 2'd3 || (op == `TOTEM_OP_NOP && (&header_q[29:16]))) ? 15'd1 : {1'b0, header_q[29:16]} + 15'd2));
            if ((phase_q == BODY || phase_q == EXECUTE || phase_q == POLL || phase_q == ANSWER) && op == `TOTEM_OP_COND_EXEC)
                assert (length_q == 15'd5);
            if (f_open) assert (f_length != 15'd0);
            if (phase_q == IDLE || phase_q == RESUME) assert (!f_open);
            if (commit_q) assert (phase_q == HEADER);
            if (bank_forget) assert (commit && drop && bank_loaded && !unfinished_q[queue_q]);
            if (bank_save) assert (left && unfinished_q[queue_q] == !$past(load_valid && load_kind == LOAD_ACTIVE && load_queue == queue_q)); // 4
            if (resume_q) assert (phase_q != CHECK && phase_q != BODY && phase_q != SET && phase_q != FLUSH     // 5
                && phase_q != RELEASE && phase_q != CLOSED && phase_q != WRITE && phase_q != POLL && phase_q != ANSWER
                && phase_q != RETRY && phase_q != EXECUTE && phase_q != DIM && phase_q != REGISTER && phase_q != GIVE && phase_q != DIVIDE);
            if (unfinished_q[queue_q] && phase_q != IDLE && phase_q != RESUME && phase_q != LEAVE && phase_q != ERROR)
                assert (resume_q && phase_q != HEADER && !f_dispatching);
            if (phase_q == BODY || phase_q == SET) assert (rest_q != 15'd0);
            if (phase_q == BODY || phase_q == SET || phase_q == WRITE || phase_q == REGISTER) assert (rest_q < length_q);
            if (phase_q == REGISTER) assert (write_data);
            if (phase_q == GIVE) assert (op == `TOTEM_OP_WAIT_TIMER || op == `TOTEM_OP_WAIT_REG_MEM);
            if (phase_q == BODY || phase_q == WRITE || phase_q == REGISTER) assert (place_q != 3'd0);
            if (!f_acted) begin                                                                             // 6
                assert (f_own <= 4'd10);
                if (phase_q == IDLE || phase_q == RESUME || (phase_q == HEADER && !commit_q)) assert (f_own == 4'd0);
                if (phase_q == CHECK) assert (f_own == 4'd1);
                if (phase_q == BODY && !f_consumed) begin
                    assert ({11'd0, f_own} == 15'd1 + length_q - rest_q);
                    if (place_q != 3'd7) assert (length_q - rest_q == {12'd0, place_q});
                    if (op == `TOTEM_OP_SET_SH_REG) assert (place_q == 3'd1);
                    if (op == `TOTEM_OP_WRITE_DATA) assert (place_q <= 3'd4);
                end
                if ((phase_q == BODY && !f_consumed && op != `TOTEM_OP_SET_SH_REG && op != `TOTEM_OP_WRITE_DATA) || phase_q == EXECUTE) begin
                    assert (length_q <= 15'd8);
                    if (op == `TOTEM_OP_EVENT_WRITE || op == `TOTEM_OP_DISPATCH_DIRECT) assert (length_q <= 15'd5);
                end
                if (phase_q == EXECUTE) assert ({11'd0, f_own} <= length_q + 15'd1);
                if (phase_q == FLUSH) assert (f_own <= 4'd7);
                if (phase_q == GRID) assert (f_own <= (resume_q ? 4'd1 : 4'd6));
                if (phase_q == DIVIDE) assert (step_q == 2'd0);
                if (phase_q == DIVIDE || phase_q == FIT) assert (f_own <= 4'd7);
                if (phase_q == REGISTER) assert (f_own <= ((step_q == 2'd0) ? 4'd6 : 4'd7));
                assert (!f_dispatching && phase_q != ANSWER && phase_q != RETRY && phase_q != DIM && phase_q != CLOSED);
            end
            assert (phase_q <= DIVIDE);
            if (ignored) assert (commit && f_since == 3'd4);                                                // 7
            if (phase_q != HEADER) assert (f_since >= 3'd1);
            if (phase_q != HEADER && phase_q != CHECK && phase_q != LEAVE) assert (f_since >= 3'd2);
            if (phase_q != HEADER && phase_q != CHECK && phase_q != BODY && phase_q != LEAVE && phase_q != IDLE && phase_q != ERROR)
                assert (f_since >= 3'd3);
            if (f_walking) assert (f_dispatching || phase_q == LEAVE);                                     // 8
            if (fence_write) assert (phase_q == WRITE && step_q == 2'd0);
            if (fence_write) assert (!f_barred);                                                            // 9
            if (fence_close) assert (phase_q == FLUSH);
            if (f_unread) assert (error_valid && error_word[63:56] > READ_FAILED && error_word[63:56] <= READ_FAILED + 8'd3 && step_q == 2'd0     // 10
                                  && error_word[39:0] == f_fault_position && extra_q == f_fault_position[31:0]);
            if (phase_q == BODY && set_sh) assert (place_q == 3'd1 && !counted_q);
            if (phase_q == SET) assert ({1'b0, control_q[9:0]} + rest_q[10:0] <= 11'h400 && rest_q <= 15'h400);
            if (phase_q == EXECUTE && set_sh) assert (control_q[15:10] == 6'd0 && counted_q == !set_here);
            if (f_mapping) assert (!patient_q[f_mapped]);                                                   // 11
            if (phase_q == HEADER) assert (f_calm != 2'd0);
            if (phase_q == CHECK || ((phase_q == BODY || phase_q == EXECUTE) && op == `TOTEM_OP_EVENT_WRITE)) assert (f_calm == 2'd2);
            if (f_flush) assert (f_calm == 2'd2 && !walker_busy && !fence_write && !fence_close && !fence_valid);
            if (f_flush && !closed_q[queue_q]) assert ((phase_d == HEADER) == (fence_flushed[queue_q] && fence_settled[queue_q]));
            if (f_flush && phase_d == HEADER) assert (commit_d && !fence_close_d);
            cover (f_flush && commit_d);
            cover (phase_q == DIVIDE && phase_d == FIT);
            cover (bank_save);
            cover (bank_forget && commit);
            cover (open);
            cover (commit && op == `TOTEM_OP_COND_EXEC && commit_count > 15'd5);
        end
    end
`endif
endmodule

`default_nettype wire
