// SPDX-License-Identifier: Apache-2.0
//
// totem_execute: executes the packets of a compute pipe.
//
// Policy    does what totem_decode hands over, one packet after the other. A queue leaves between packets,
//           between polls, or inside a dispatch after a recall; a packet in error halts its queue only.
//           What only a server knows is given to it; behind such a packet it can open a group, which is
//           committed as a whole or not at all.
// Latency   a word is taken in the clock in which it is offered and executed in that clock; commit in the
//           clock after; a dispatch starts 3 clocks after its word.
// Boundary  messages (fence, write, poll, error) do not change until taken. `ready` is a state: no word waits
//           for a neighbour's clock.
// Cost      about 320 flip-flops; QUEUES costs 8 flip-flops each.
// Proved    no start while the walker is busy or a launch state is incomplete (invariant 1), one boundary per
//           selection (2), a packet moves the pointer by its length exactly once (3), an unfinished
//           grid comes before anything else of its queue (5).
// Twin      cmodel/packet/totem_execute.c, same names.

`default_nettype none
`include "totem_pm4.vh"

module totem_execute #(
    parameter PIPES    = 2,                 // 1 or 2
    parameter QUEUES   = 8,                 // a power of two, 2 to 8
    parameter EPOCHS   = 8,                 // a power of two, 2 to 8
    parameter SE_COUNT = 4,                 // 1 to 4
    parameter SLOTS    = 64,                // at most 64
    parameter VGPRS    = 2048,              // at most 8191
    parameter LDS      = 512,               // at most 512
    parameter RUNLIST  = 0                  // 1: packets of the scheduler are executed
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
    output wire [QUEUES-1:0]                wait_entry,
    // runner
    input  wire [QUEUES-1:0]                runner_due,
    input  wire                             runner_halt,
    input  wire [$clog2(QUEUES)-1:0]        runner_halt_queue,
    output wire                             executed,
    output wire [7:0]                       executed_opcode,
    output wire                             unsuccessful,
    output wire                             ignored,
    // decode
    input  wire                             decode_boundary,
    input  wire                             decode_stream,
    input  wire                             decode_valid,
    input  wire [4:0]                       decode_kind,
    input  wire                             decode_last,
    input  wire                             decode_unread,
    input  wire [7:0]                       decode_code,
    input  wire [31:0]                      decode_header,
    input  wire [14:0]                      decode_length,
    input  wire                             decode_counted,
    input  wire                             decode_writes_context,
    input  wire [31:0]                      decode_control,
    input  wire [39:0]                      decode_address,
    input  wire [63:0]                      decode_data,
    input  wire [31:0]                      decode_extra,
    input  wire [63:0]                      decode_second,
    output wire                             ready,
    output wire                             skip,
    output wire [13:0]                      group,
    output wire [14:0]                      deferred,
    // fetch
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
    input  wire [95:0]                      divide_fields,
    input  wire                             divide_uneven,
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
    input  wire                             fence_packet_ready,
    output wire                             fence_write,
    // poll
    output wire                             wait_valid,
    output wire                             wait_last,
    output wire [1:0]                       wait_step,
    output wire                             wait_timer,
    output wire [63:0]                      wait_word,
    input  wire [QUEUES-1:0]                poll_ended,
    input  wire [QUEUES*2-1:0]              poll_error,
    output wire                             poll_valid,
    output wire [39:0]                      poll_addr,
    output wire                             poll_register,
    output wire                             poll_exclusive,
    input  wire                             poll_packet_read_ready,
    input  wire                             poll_packet_answer,
    // hqd
    input  wire                             hqd_poll_done,
    input  wire [31:0]                      hqd_poll_rdata,
    // memory
    input  wire                             poll_data_valid,
    input  wire [63:0]                      data_word,
    input  wire [1:0]                       data_error,
    input  wire                             data_exokay,
    output wire                             priority_write,
    output wire [$clog2(QUEUES)-1:0]        priority_queue,
    output wire [3:0]                       priority_data,
    output wire                             write_valid,
    output wire [63:0]                      write_word,
    input  wire                             write_ready,
    input  wire                             write_ack,
    input  wire                             ack_exclusive,
    input  wire                             ack_exokay,
    input  wire [1:0]                       ack_error,
    // events
    output wire                             error_valid,
    output wire [63:0]                      error_word,
    input  wire                             events_packet_error_ready,
    // server
    output wire                             service_valid,
    output wire [4:0]                       service_kind,
    output wire [31:0]                      service_control,
    output wire [39:0]                      service_address,
    output wire [63:0]                      service_data,
    output wire [31:0]                      service_extra,
    output wire                             service_stop,
    input  wire                             service_room,
    input  wire                             service_still,
    input  wire                             service_read,
    input  wire [39:0]                      service_read_addr,
    output wire                             service_read_done,
    output wire [31:0]                      service_read_data,
    input  wire                             service_done,
    input  wire [7:0]                       service_code,
    input  wire [31:0]                      service_word,
    input  wire                             service_again,
    input  wire [13:0]                      service_skip,
    input  wire [13:0]                      service_group,
    output wire                             service_resume,
    output wire                             service_resume_plain,
    output wire                             service_group_end,
    // service
    output wire                             order_valid,
    output wire [31:0]                      order_word,
    output wire [3:0]                       order_index,
    output wire                             order_last,
    output wire                             order_privileged,
    input  wire                             schedule_ready,
    input  wire                             schedule_done,
    input  wire                             schedule_again,
    input  wire [7:0]                       schedule_code,
    input  wire [31:0]                      schedule_word,
    input  wire [1:0]                       schedule_answer,
    input  wire [31:0]                      schedule_control,
    input  wire [39:0]                      schedule_address,
    input  wire [63:0]                      schedule_data,
    input  wire [31:0]                      schedule_extra,
    // fence
    input  wire                             fence_halt,
    input  wire [$clog2(QUEUES)-1:0]        fence_halt_queue,
    input  wire                             poll_halt,
    input  wire [$clog2(QUEUES)-1:0]        poll_halt_queue,
    input  wire                             fetch_halt,
    input  wire [$clog2(QUEUES)-1:0]        fetch_halt_queue,
    // host
    input  wire [63:0]                      clock,
    input  wire                             settings_priority_write_open,
    input  wire                             settings_strict,
    input  wire [2:0]                       settings_die,
    // constants
    input  wire [1:0]                       fe_number,
    input  wire [1:0]                       pipe_number,
    input  wire                             graphics
);
`include "totem_hqd_values.vh"
`include "totem_memory_values.vh"
`include "totem_bank_values.vh"
`include "totem_execute_values.vh"
    localparam Q = $clog2(QUEUES);
    localparam E = $clog2(EPOCHS);

    generate
        if (PIPES < 1 || PIPES > 2 || QUEUES < 2 || QUEUES > 8 || QUEUES != (1 << Q)
            || EPOCHS < 2 || EPOCHS > 8 || EPOCHS != (1 << E)
            || SE_COUNT < 1 || SE_COUNT > 4 || SLOTS < 1 || SLOTS > 64 || VGPRS < 1 || VGPRS > 8191
            || LDS < 1 || LDS > 512) begin : check
            totem_execute_needs_sizes_as_its_parameters_say refused ();
        end
    endgenerate

    localparam [7:0]   READ_FAILED = `TOTEM_ERROR_MEMORY_READ_SLVERR - 8'd1;    // plus the error of the beat
    localparam [9:0]   NUM_THREAD    = `TOTEM_SH_COMPUTE_NUM_THREAD_X;
    localparam [6:0]   NUM_THREAD_X  = NUM_THREAD[6:0];
    localparam [31:0]  DIRECT_HEADER = {2'd3, `TOTEM_COUNT_MIN_DISPATCH_DIRECT, `TOTEM_OP_DISPATCH_DIRECT, 8'd0};
    localparam [31:0]  INDIRECT_HEADER = {2'd3, `TOTEM_COUNT_MIN_DISPATCH_INDIRECT, `TOTEM_OP_DISPATCH_INDIRECT, 8'd0};

    reg [4:0]        phase_q, phase_d;
    reg [Q-1:0]      queue_q, queue_d;
    // Kept of every queue; `own_` is what rule 3 makes of it.
    reg  [QUEUES-1:0] unfinished_q, halted_q, wait_flush_q, wait_epoch_q, wait_entry_q, closed_q, skip_q, patient_q,
                      privileged_q;
    wire [QUEUES-1:0] unfinished_d, halted_d, wait_flush_d, wait_epoch_d, wait_entry_d, closed_d, skip_d, patient_d,
                      privileged_d;
    reg  [QUEUES-1:0] own_unfinished, own_halted, own_wait_flush, own_wait_epoch, own_wait_entry, own_closed, own_skip,
                      own_patient;
    reg [4:0]        kind_q, kind_d;
    reg [7:0]        opcode_q, opcode_d;
    reg [14:0]       length_q, length_d;
    reg              last_q, last_d;
    reg [31:0]       control_q, control_d;
    reg [39:0]       address_q, address_d;
    reg [63:0]       data_q, data_d;
    reg [31:0]       extra_q, extra_d;
    reg [63:0]       second_q, second_d;
    reg              counted_q, counted_d;
    reg              resume_q, resume_d;
    reg [8:0]        waves_q, waves_d;
    reg [6:0]        dispatch_threads_q, dispatch_threads_d;
    reg [E-1:0]      dispatch_epoch_q, dispatch_epoch_d;
    reg [1:0]        step_q, step_d;
    reg [3:0]        place_q, place_d;
    reg [13:0]       group_q, group_d;
    reg [14:0]       deferred_q, deferred_d;
    reg              room_q;
    reg              service_stop_q, service_stop_d;
    reg [7:0]        code_q, code_d;

    // Single clocks.
    reg flow_q, service_read_done_q, service_resume_q, service_resume_plain_q, service_group_end_q, commit_q,
        drop_q, open_q, executed_q, ignored_q, set_q, bank_save_q, bank_forget_q, priority_write_q, fence_close_q,
        fence_write_q;
    reg flow_d, service_read_done_d, service_resume_d, service_resume_plain_d, service_group_end_d, commit_d,
        drop_d, open_d, executed_d, ignored_d, set_d, bank_save_d, bank_forget_d, priority_write_d, fence_close_d,
        fence_write_d;

    // Registers that reset leaves alone read 0 at start, as in the model.
    initial begin
        phase_q = 0;       queue_q = 0;      unfinished_q = 0; halted_q = 0;     wait_flush_q = 0;  wait_epoch_q = 0;
        closed_q = 0;      kind_q = 0;       opcode_q = 0;     length_q = 0;     last_q = 0;        set_q = 0;
        control_q = 0;     address_q = 0;    data_q = 0;       extra_q = 0;      counted_q = 0;     resume_q = 0;
        waves_q = 0;       step_q = 0;       code_q = 0;       commit_q = 0;     drop_q = 0;        open_q = 0;
        skip_q = 0;        patient_q = 0;    privileged_q = 0; executed_q = 0;   ignored_q = 0;     bank_save_q = 0;
        bank_forget_q = 0; fence_close_q = 0; fence_write_q = 0; priority_write_q = 0;
        dispatch_threads_q = 0; dispatch_epoch_q = 0; group_q = 0; deferred_q = 0; flow_q = 0; room_q = 0;
        service_stop_q = 0; service_read_done_q = 0; service_resume_q = 0; service_resume_plain_q = 0;
        service_group_end_q = 0; wait_entry_q = 0; second_q = 0; place_q = 0;
    end

    // 2 A word. It is taken and executed in one clock: what follows works on the operands as they are after it.
    wire        going = phase_q == EXECUTE_READY && arbiter_leave && decode_boundary;
    wire        taken = ready && decode_valid && !going;
    wire        task_due = phase_q == EXECUTE_READY && runner_due[queue_q] && decode_boundary && group_q == 14'd0
                           && !arbiter_leave;
    wire [4:0]  kind    = taken ? decode_kind : kind_q;
    wire [31:0] control = taken ? decode_control : control_q;
    wire [39:0] address = taken ? decode_address : address_q;
    wire [63:0] data    = taken ? decode_data : data_q;
    wire [31:0] extra   = taken ? decode_extra : extra_q;
    wire [63:0] second  = taken ? decode_second : second_q;
    wire        resume  = resume_q && !taken;

    assign ready           = phase_q == EXECUTE_READY && room_q;
    assign skip            = skip_q[queue_q] && group_q == 14'd0;
    assign group           = group_q;
    assign deferred        = deferred_q;
    assign left            = phase_q == EXECUTE_LEAVE;
    assign unfinished      = unfinished_q;
    assign halted          = halted_q;
    assign wait_flush      = wait_flush_q;
    assign wait_epoch      = wait_epoch_q;
    assign wait_entry      = wait_entry_q;
    assign executed        = executed_q;
    assign executed_opcode = opcode_q;
    assign unsuccessful    = phase_q == EXECUTE_RETRY || phase_q == EXECUTE_GIVE;
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

    // Operands stand until the first read of the server, whose address and data take their place.
    wire   serves               = kind_q >= `TOTEM_KIND_MODIFY;
    assign service_valid        = flow_q || phase_q == EXECUTE_SERVICE || ((phase_q == EXECUTE_POLL
        || phase_q == EXECUTE_ANSWER) && serves);
    assign service_kind         = (kind_q == `TOTEM_KIND_LOAD_REGISTERS) ? `TOTEM_KIND_SHADER : kind_q;
    assign service_control      = control_q;
    assign service_address      = address_q;
    assign service_data         = data_q;
    assign service_extra        = extra_q;
    assign service_stop         = service_stop_q;
    assign service_read_done    = service_read_done_q;
    assign service_read_data    = extra_q;
    assign service_resume       = service_resume_q;
    assign service_resume_plain = service_resume_plain_q;
    assign service_group_end    = service_group_end_q;

    // Packets of the scheduler.
    wire   scheduled        = queue_q == {Q{1'b0}} && !pipe_number[0] && fe_number == 2'd0;
    assign order_valid      = RUNLIST != 0 && phase_q == EXECUTE_ORDER;
    assign order_index      = place_q;
    assign order_word       = (place_q == 4'd0) ? control_q : (place_q == 4'd1) ? extra_q : data_q[31:0];
    assign order_last       = last_q && place_q > 4'd1;
    assign order_privileged = privileged_q[queue_q];

    // A register is written a clock behind its word; the initiator is kept for a resumed grid, which sees in bit 31 how
    // long its packet is.
    wire        trimming = phase_q == EXECUTE_TRIM;
    assign bank_write  = set_q || trimming || (phase_q == EXECUTE_FIT && !resume_q);
    assign bank_offset = (phase_q == EXECUTE_FIT) ? 7'd0
                         : trimming ? NUM_THREAD_X + {5'd0, step_q} : address_q[6:0];
    assign bank_data   = (phase_q == EXECUTE_FIT)
                         ? {kind_q == `TOTEM_KIND_DISPATCH_INDIRECT, control_q[30:0]}
                         : trimming ? extra_q : data_q[31:0];

    // Leaving ends a division.
    assign divide_valid = phase_q == EXECUTE_PARTS || left;
    assign divide_place = (phase_q == EXECUTE_PARTS) ? step_q : 2'd0;
    assign divide_data  = (divide_place == 2'd0) ? data_q[31:0] : (divide_place == 2'd1) ? data_q[63:32] : extra_q;
    assign divide_start = phase_q == EXECUTE_DIVIDE && step_q == 2'd0;
    // A resumed grid has its dimensions in groups.
    wire        in_threads = control[`TOTEM_PM4_DISPATCH_DIRECT_USE_THREAD_DIMENSIONS] && !resume;
    wire        disabled   = !bank_initiator[`TOTEM_COMPUTE_DISPATCH_INITIATOR_COMPUTE_SHADER_EN];

    assign start               = phase_q == EXECUTE_START;
    assign start_resume        = resume_q;
    assign start_fresh_at_zero = control_q[`TOTEM_PM4_DISPATCH_DIRECT_FORCE_START_AT_000];
    assign start_partial       = control_q[`TOTEM_PM4_DISPATCH_DIRECT_PARTIAL_TG_EN];
    assign start_end           = data_q;
    assign stop                = phase_q == EXECUTE_STOP;
    assign dispatch_waves      = waves_q[6:0];
    assign dispatch_threads    = dispatch_threads_q;
    assign dispatch_wave32     = control_q[`TOTEM_PM4_DISPATCH_DIRECT_CS_W32_EN];
    assign dispatch_queue      = queue_q;
    assign dispatch_epoch      = dispatch_epoch_q;

    assign fence_valid = phase_q == EXECUTE_RELEASE;
    assign poll_valid  = phase_q == EXECUTE_POLL;
    assign poll_addr   = poll_register ? {6'd0, address_q[31:0], 2'd0} : {address_q[39:3], 3'd0};
    assign poll_register = (kind_q == `TOTEM_KIND_WAIT
                            && control_q[`TOTEM_PM4_WAIT_REG_MEM_MEM_SPACE] == `TOTEM_SPACE_REGISTER)
                           || (kind_q == `TOTEM_KIND_COPY
                               && control_q[`TOTEM_PM4_COPY_DATA_SRC_SEL] == `TOTEM_COPY_SRC_REGISTER);
    assign poll_exclusive = kind_q == `TOTEM_KIND_ATOMIC;
    assign write_valid = phase_q == EXECUTE_WRITE;
    assign error_valid = phase_q == EXECUTE_ERROR;
    assign wait_valid  = phase_q == EXECUTE_GIVE;
    assign wait_timer  = kind_q == `TOTEM_KIND_TIMER;
    assign wait_step   = step_q;
    wire   waits_64    = kind_q == `TOTEM_KIND_WAIT_64;
    wire   wide        = (kind_q == `TOTEM_KIND_COPY && control_q[`TOTEM_PM4_COPY_DATA_COUNT_SEL])
                         || (poll_exclusive && control_q[`TOTEM_PM4_ATOMIC_MEM_WIDE]);
    totem_execute_words messages (
        .timer(wait_timer), .task_end(kind_q == `TOTEM_KIND_TASK), .window(poll_register), .waits_64(waits_64),
        .wide(wide), .exclusive(poll_exclusive), .step(step_q),
        .slot({{(3-Q){1'b0}}, queue_q}), .epoch({{(3-E){1'b0}}, dispatch_epoch_q}),
        .control(control_q), .address(address_q), .data(data_q), .extra(extra_q), .second(second_q),
        .code(code_q),
        .fence(fence_word), .write(write_word), .error(error_word), .wait_last(wait_last), .wait_word(wait_word)
    );
    // Answer to a poll.
    wire        answered = poll_packet_answer && (poll_register ? hqd_poll_done : poll_data_valid);
    wire        shared   = poll_exclusive && !data_exokay;      // the memory has no exclusive accesses there
    wire        heard    = phase_q == EXECUTE_ANSWER && answered && !shared
                           && (data_error == MEMORY_OK || poll_register);
    wire [31:0] read;
    wire        holds;
    totem_execute_answer reply (
        .window(poll_register), .upper(address_q[2]), .window_data(hqd_poll_rdata), .memory_data(data_word),
        .compare(control_q[`TOTEM_PM4_WAIT_REG_MEM_FUNCTION]), .data(data_q), .second(second_q), .whole(waits_64),
        .read(read), .holds(holds)
    );

    wire [E-1:0] epoch_now = fence_epoch[queue_q*E +: E];
    wire         polling   = control_q[`TOTEM_PM4_WAIT_REG_MEM_OPERATION] == `TOTEM_WAIT_OPERATION_WAIT_REG_MEM
                             && !extra_q[`TOTEM_PM4_WAIT_REG_MEM_OPTIMIZE_ACE_OFFLOAD_MODE];

    // Skipped by a COND_EXEC or PRED_EXEC, from its header on; by the server, or the end of the group that it opens.
    wire [14:0] skipped = (taken ? decode_length : length_q) + {1'b0, control[`TOTEM_PM4_COND_EXEC_EXEC_COUNT]};
    wire        opens   = service_group != 14'd0;
    wire        bounces = opens || service_skip != 14'd0;
    wire [14:0] bounced = length_q + {1'b0, opens ? service_group : service_skip};

    // Registers of the pipe's window: WRITE_DATA writes a priority, WAIT_REG_MEM reads any.
    wire        own, nowhere, compute;
    wire [7:0]  register_code;
    wire [31:0] register_word;
    totem_execute_register #(.PIPES(PIPES), .QUEUES(QUEUES)) window (
        .place(address[31:0]), .value(data_q[31:0]), .fe_number(fe_number), .pipe_number(pipe_number),
        .graphics(graphics), .strict(settings_strict), .own_queue(queue_q),
        .privileged(privileged_q[queue_q] || settings_priority_write_open),
        .own(own), .compute(compute), .vanish(nowhere), .code(register_code), .word(register_word)
    );

    // What a packet that is taken begins.
    wire [4:0] packet_phase;
    wire       packet_first, packet_finish, packet_ignore, packet_pass, packet_vanish, packet_dispatch, packet_nested;
    wire       packet_absent, packet_unable, packet_unread, packet_set, packet_flow, packet_range, packet_skips,
               packet_open,
               packet_write;
    wire       packet_epoch, packet_close;
    wire       packet_wait_epoch, packet_stranger;
    totem_execute_packet packet (
        .kind(kind), .stream(decode_stream), .last(decode_last),
        .ranges(decode_header[15:8] == `TOTEM_OP_LOAD_CONTEXT_REG),
        .by_die(decode_header[15:8] == `TOTEM_OP_PRED_EXEC), .die(settings_die), .control(control),
        .offload(extra[`TOTEM_PM4_WAIT_REG_MEM_OPTIMIZE_ACE_OFFLOAD_MODE]),
        .compute(address[9:7] == 3'b100), .zero(data[31:0] == 32'd0), .uneven(address[2]),
        .addressed(decode_length == 15'd4), .in_buffer(fetch_in_buffer), .own(own),
        .graphics(graphics), .ordered(RUNLIST != 0 && !graphics), .scheduled(scheduled), .strict(settings_strict),
        .room(fence_room[queue_q]), .flushed(fence_flushed[queue_q]),
        .settled(fence_settled[queue_q]), .closed(closed_q[queue_q]), .ended(poll_ended[queue_q]),
        .ended_error(poll_error[queue_q*2 +: 2]),
        .phase(packet_phase), .first_step(packet_first), .finish(packet_finish), .ignore(packet_ignore),
        .pass(packet_pass), .vanish(packet_vanish), .dispatch(packet_dispatch), .nested(packet_nested),
        .unable(packet_unable), .absent(packet_absent), .unread(packet_unread), .to_bank(packet_set),
        .flow(packet_flow), .range(packet_range), .skips(packet_skips),
        .open(packet_open), .write(packet_write),
        .epoch(packet_epoch), .close(packet_close), .wait_epoch(packet_wait_epoch), .stranger(packet_stranger)
    );

    // A WRITE_DATA to memory is cut when a write of its queue has failed, or would fail without halting anybody.
    wire barred    = halted_q[queue_q] || !arbiter_active[queue_q];
    wire writes    = decode_stream && decode_kind == `TOTEM_KIND_WRITE;
    wire to_memory = decode_control[`TOTEM_PM4_WRITE_DATA_DST_SEL] != `TOTEM_WRITE_DST_REGISTER;
    wire cut       = writes && to_memory && barred;

    // The word that is taken is executed.
    wire sound    = taken && !cut && !task_due && !decode_unread && decode_code == 8'd0;

    // COPY_DATA, LOAD_SH_REG_INDEX, DMA_DATA, ATOMIC_MEM.
    wire        copies = kind >= `TOTEM_KIND_COPY && kind <= `TOTEM_KIND_ATOMIC;
    wire        copy_acts, copy_last, copy_counted, copy_finish, copy_ignore, copy_to_bank, copy_flow, copy_write;
    wire        copy_vain, copy_close, copy_wait_epoch;
    wire [4:0]  copy_phase;
    wire [1:0]  copy_step;
    wire [13:0] copy_count;
    wire [39:0] copy_address;
    wire [63:0] copy_data, copy_second;
    wire [31:0] copy_extra, copy_word;
    wire [7:0]  copy_code;
    totem_execute_copy copy (
        .kind(kind), .taken(sound && copies), .heard(heard && copies), .phase(phase_q), .step(step_q),
        .last(taken ? decode_last : last_q), .control(control), .address(address), .data(data), .extra(extra),
        .second(second), .counted(taken ? decode_counted : counted_q), .own(own), .compute(compute),
        .nowhere(nowhere),
        .graphics(graphics), .room(room_q), .barred(barred), .closed(closed_q[queue_q]),
        .epoch_room(fence_room[queue_q]), .write_ready(write_ready), .confirmed(write_ack && ack_exclusive),
        .confirm_failed(ack_error != MEMORY_OK), .exokay(ack_exokay), .clock(clock), .read(read),
        .memory_data(data_word), .vain(copy_vain),
        .acts(copy_acts), .phase_next(copy_phase), .step_next(copy_step), .last_next(copy_last),
        .count_next(copy_count), .address_next(copy_address), .data_next(copy_data), .extra_next(copy_extra),
        .second_next(copy_second), .counted_next(copy_counted), .finish(copy_finish), .ignore(copy_ignore),
        .to_bank(copy_to_bank), .flow(copy_flow), .write(copy_write), .close(copy_close),
        .wait_epoch(copy_wait_epoch), .code(copy_code), .word(copy_word)
    );

    totem_execute_flags #(.QUEUES(QUEUES)) flags (
        .load_valid(load_valid), .load_queue(load_queue), .load_kind(load_kind), .load_data(load_data),
        .fence_halt(fence_halt), .fence_halt_queue(fence_halt_queue), .poll_halt(poll_halt),
        .poll_halt_queue(poll_halt_queue), .fetch_halt(fetch_halt), .fetch_halt_queue(fetch_halt_queue),
        .runner_halt(runner_halt), .runner_halt_queue(runner_halt_queue),
        .unfinished_q(unfinished_q), .privileged_q(privileged_q),
        .own_unfinished(own_unfinished), .own_halted(own_halted), .own_wait_flush(own_wait_flush),
        .own_wait_epoch(own_wait_epoch), .own_wait_entry(own_wait_entry), .own_closed(own_closed), .own_skip(own_skip),
        .own_patient(own_patient),
        .unfinished_d(unfinished_d), .halted_d(halted_d), .wait_flush_d(wait_flush_d), .wait_epoch_d(wait_epoch_d),
        .wait_entry_d(wait_entry_d), .closed_d(closed_d), .skip_d(skip_d), .patient_d(patient_d),
        .privileged_d(privileged_d)
    );

    // From the dimensions of a grid to its start.
    wire        grid_acts, gives_up, divided, trims, another, shaped, fits;
    wire [4:0]  grid_phase;
    wire [1:0]  grid_step;
    wire [63:0] grid_data;
    wire [7:0]  grid_code;
    wire [31:0] grid_extra;
    wire [31:0] grid_word;
    wire [8:0]  waves;
    wire [6:0]  last_threads;
    totem_execute_grid #(.SLOTS(SLOTS), .VGPRS(VGPRS), .LDS(LDS)) grid (
        .phase(phase_q), .step(step_q), .dispatch(sound && packet_dispatch), .in_threads(in_threads),
        .partial(control[`TOTEM_PM4_DISPATCH_DIRECT_PARTIAL_TG_EN]),
        .wave32(control[`TOTEM_PM4_DISPATCH_DIRECT_CS_W32_EN]), .data(data), .extra(extra), .group_waves(waves_q),
        .leave(arbiter_leave), .patient(patient_q[queue_q]), .divide_busy(divide_busy),
        .divide_quotient(divide_quotient), .divide_fields(divide_fields),
        .divide_uneven(divide_uneven), .bank_ready(bank_loaded && !bank_busy), .bank_threads(bank_threads),
        .bank_partial(bank_partial), .bank_vgprs(bank_vgprs), .bank_lds(bank_lds), .bank_engine(|bank_engines),
        .service_still(service_still),
        .acts(grid_acts), .phase_next(grid_phase), .step_next(grid_step), .data_next(grid_data),
        .extra_next(grid_extra), .code(grid_code), .word(grid_word), .gives_up(gives_up), .divided(divided),
        .trims(trims), .another(another), .shaped(shaped), .waves(waves), .last_threads(last_threads), .fits(fits)
    );

    // Packets of the scheduler.
    wire        order_phase, order_finish, order_operands, order_open, order_rest, order_epoch, order_wait_epoch;
    wire [4:0]  order_next;
    wire [3:0]  order_place;
    wire [7:0]  order_code;
    wire [31:0] order_error;
    totem_execute_order order (
        .phase(phase_q), .place(place_q), .last(last_q), .header(control_q), .leave(arbiter_leave),
        .room(fence_room[queue_q]), .available(fetch_available), .ready(schedule_ready), .done(schedule_done),
        .again(schedule_again), .error(schedule_code), .error_word(schedule_word), .answer(schedule_answer),
        .acts(order_phase), .phase_next(order_next), .place_next(order_place), .finish(order_finish),
        .operands(order_operands), .open(order_open), .rest(order_rest), .epoch(order_epoch),
        .wait_epoch(order_wait_epoch), .code(order_code), .word(order_error)
    );
    wire        order_acts = RUNLIST != 0 && order_phase;

    // The phases that wait for a neighbour.
    wire [4:0] wait_phase;
    wire [1:0] wait_next;
    wire       wait_finish, wait_ran, wait_begun, wait_save, wait_reopen, wait_for_flush, wait_for_epoch;
    wire       wait_takes_epoch, wait_task_done, wait_halt;
    totem_execute_wait waits (
        .phase(phase_q), .step(step_q), .last(last_q), .is_task(kind_q == `TOTEM_KIND_TASK), .message_end(wait_last),
        .executed(executed_q), .close(fence_close_q), .leave(arbiter_leave), .active(arbiter_active[queue_q]),
        .due(runner_due[queue_q]), .walker_busy(walker_busy), .walker_stopped(walker_stopped),
        .room(fence_room[queue_q]), .flushed(fence_flushed[queue_q]), .moved(epoch_now != dispatch_epoch_q),
        .fence_ready(fence_packet_ready), .write_ready(write_ready), .read_ready(poll_packet_read_ready),
        .events_ready(events_packet_error_ready),
        .phase_next(wait_phase), .step_next(wait_next), .finish(wait_finish), .ran(wait_ran), .begun(wait_begun),
        .save(wait_save), .reopen(wait_reopen), .wait_flush(wait_for_flush), .wait_epoch(wait_for_epoch),
        .epoch(wait_takes_epoch), .task_done(wait_task_done), .halt(wait_halt)
    );

    reg finish;         // the packet is done: the read pointer moves, the next header is looked for
    reg ignore;         // and is counted as ignored
    reg fail;           // error: `code_d` and `extra_d` say what
    reg fail_read;      // .. that the beat of a poll was bad
    reg [2:0] beat;     // .. its error, 4: it was not exclusive
    reg unread;         // .. that a dword of the packet behind its header could not be read
    reg pass_over;           // the packet is passed over
    reg vanish;         // a dword of a WRITE_DATA goes nowhere
    reg skips;          // dwords behind the packet are skipped with it
    always @* begin
        // 1 Single clocks
        {flow_d, service_read_done_d, service_resume_d, service_resume_plain_d, service_group_end_d, commit_d,
         drop_d, open_d, executed_d, ignored_d, set_d, bank_save_d, bank_forget_d, priority_write_d, fence_close_d,
         fence_write_d} = 16'd0;
        phase_d            = phase_q;
        queue_d            = queue_q;
        own_unfinished     = unfinished_q;
        own_halted         = halted_q;
        own_wait_flush     = wait_flush_q;
        own_wait_epoch     = wait_epoch_q;
        own_wait_entry     = wait_entry_q;
        own_closed         = closed_q;
        kind_d             = kind;
        opcode_d           = taken ? decode_header[`TOTEM_PM4_HEADER_OPCODE] : opcode_q;
        length_d           = taken ? decode_length : length_q;
        last_d             = taken ? decode_last : last_q;
        control_d          = control;
        address_d          = address;
        data_d             = data;
        extra_d            = extra;
        second_d           = second;
        counted_d          = taken ? decode_counted : counted_q;
        resume_d           = resume;
        waves_d            = waves_q;
        dispatch_threads_d = dispatch_threads_q;
        dispatch_epoch_d   = dispatch_epoch_q;
        step_d             = step_q;
        place_d            = place_q;
        group_d            = group_q;
        deferred_d         = deferred_q;
        service_stop_d     = phase_q == EXECUTE_SERVICE && arbiter_leave;
        code_d             = code_q;
        own_skip           = skip_q;
        own_patient        = patient_q;
        finish             = 1'b0;
        ignore             = taken ? decode_counted : counted_q;
        fail               = 1'b0;
        fail_read          = 1'b0;
        beat               = {1'b0, data_error};
        pass_over          = 1'b0;
        vanish             = 1'b0;
        unread             = 1'b0;
        skips              = 1'b0;

        // 3 Phase
        case (phase_q)
            EXECUTE_IDLE:
                if (arbiter_go) begin
                    queue_d                        = arbiter_selected;
                    own_wait_flush[arbiter_selected] = 1'b0;
                    own_wait_epoch[arbiter_selected] = 1'b0;
                    own_wait_entry[arbiter_selected] = 1'b0;
                    phase_d                        = unfinished_q[arbiter_selected] ? EXECUTE_RESUME : EXECUTE_READY;
                end

            EXECUTE_RESUME:
                if (arbiter_leave)
                    phase_d = EXECUTE_LEAVE;
                else if (bank_loaded && !bank_busy && fetch_available < (bank_initiator[31] ? 32'd4 : 32'd5)) begin
                    fail    = 1'b1;
                    code_d  = fetch_in_buffer ? `TOTEM_ERROR_PACKET_COUNT_PAST_IB : `TOTEM_ERROR_PACKET_COUNT_PAST_WPTR;
                    extra_d = bank_initiator[31] ? INDIRECT_HEADER : DIRECT_HEADER;
                end else if (bank_loaded && !bank_busy) begin
                    kind_d   = bank_initiator[31] ? `TOTEM_KIND_DISPATCH_INDIRECT : `TOTEM_KIND_DISPATCH;
                    opcode_d = bank_initiator[31] ? `TOTEM_OP_DISPATCH_INDIRECT : `TOTEM_OP_DISPATCH_DIRECT;
                    length_d = bank_initiator[31] ? 15'd4 : 15'd5;
                    if (skip_q[queue_q] || disabled) begin  // passed with its packet, which need not be read for it
                        own_unfinished[queue_q] = 1'b0;
                        bank_forget_d           = 1'b1;
                        resume_d                = 1'b0;
                        drop_d                  = 1'b1;
                        pass_over               = skip_q[queue_q];
                        finish                  = !skip_q[queue_q];
                        ignore                  = 1'b1;
                    end else begin
                        control_d = bank_initiator;
                        counted_d = 1'b0;
                        resume_d  = 1'b1;
                        phase_d   = EXECUTE_GRID;
                    end
                end

            EXECUTE_READY:
                if (going || cut)
                    phase_d = EXECUTE_LEAVE;   // a packet that is cut is executed later, from its header
                else if (task_due) begin
                    kind_d    = `TOTEM_KIND_TASK;       // before the packet that decode looks at
                    opcode_d  = 8'd0;
                    length_d  = 15'd0;
                    control_d = 32'd0;
                    counted_d = 1'b0;
                    resume_d  = 1'b0;
                    phase_d   = EXECUTE_TASK;
                end
                else if (taken && decode_unread)
                    unread = 1'b1;
                else if (taken && decode_code != 8'd0) begin
                    fail    = 1'b1;
                    code_d  = decode_code;
                    extra_d = control;
                end else if (taken) begin
                    phase_d  = packet_phase;
                    finish   = packet_finish;
                    skips    = packet_skips;
                    pass_over     = packet_pass;
                    vanish   = packet_vanish;
                    set_d    = packet_set;
                    flow_d   = packet_flow;
                    open_d   = packet_open;
                    drop_d   = packet_open;
                    service_resume_d       = packet_pass && decode_writes_context;
                    service_resume_plain_d = packet_pass && decode_writes_context;
                    fence_write_d          = packet_write;
                    fence_close_d          = packet_close;
                    if (packet_first)
                        step_d = 2'd0;
                    if (packet_range) begin
                        control_d = data[31:0];
                        extra_d   = address[31:0];
                        address_d = {second[39:2], 2'd0} + {22'd0, address[15:0], 2'd0};
                    end
                    if (packet_ignore)
                        ignore = 1'b1;
                    if (packet_epoch)
                        dispatch_epoch_d = epoch_now;
                    if (packet_close)
                        own_closed[queue_q] = 1'b1;
                    if (packet_wait_epoch)
                        own_wait_epoch[queue_q] = 1'b1;
                    if (packet_unread) begin
                        beat      = {1'b0, poll_error[queue_q*2 +: 2]};
                        fail_read = 1'b1;
                    end
                    if (packet_absent) begin
                        fail    = 1'b1;
                        code_d  = `TOTEM_ERROR_PACKET_WRITE_REGISTER;
                        extra_d = address[31:0];
                    end
                    if (packet_unable) begin
                        fail    = 1'b1;
                        code_d  = `TOTEM_ERROR_PACKET_FEATURE;
                        extra_d = control;
                    end
                    if (packet_stranger) begin
                        fail    = 1'b1;
                        code_d  = `TOTEM_ERROR_RUNLIST_PRIVILEGE;
                        extra_d = control;
                    end
                    if (packet_nested) begin
                        fail    = 1'b1;
                        code_d  = `TOTEM_ERROR_PACKET_IB_NESTED;
                        extra_d = decode_header;
                    end
                end

            EXECUTE_REGISTER:
                if (copy_acts)
                    ;       // below
                else if (step_q != 2'd0) begin
                    if (last_q)
                        finish = 1'b1;
                    else
                        phase_d = EXECUTE_READY;
                end else if (nowhere)
                    vanish = 1'b1;
                else if (register_code != 8'd0) begin
                    fail    = 1'b1;
                    code_d  = register_code;
                    extra_d = register_word;
                end else begin
                    priority_write_d = 1'b1;
                    step_d           = 2'd1;
                end

            EXECUTE_ANSWER:
                if (answered) begin
                    if (data_error != MEMORY_OK && !poll_register)
                        fail_read = 1'b1;
                    else if (shared) begin
                        fail_read = 1'b1;
                        beat      = 3'd4;
                    end else if (kind_q == `TOTEM_KIND_DISPATCH_INDIRECT) begin
                        extra_d = read;
                        phase_d = EXECUTE_DIM;
                    end else if (serves) begin
                        extra_d             = read;
                        service_read_done_d = 1'b1;
                        phase_d             = EXECUTE_SERVICE;
                    end else if (copies)
                        ;       // below
                    else if (kind_q == `TOTEM_KIND_COND_EXEC) begin
                        finish = read != 32'd0;
                        skips  = !finish;
                    end else if (holds)
                        finish = 1'b1;
                    else begin
                        executed_d = 1'b1;
                        phase_d    = polling ? EXECUTE_RETRY : EXECUTE_GIVE;
                        if (!polling)
                            step_d = 2'd0;
                    end
                end

            EXECUTE_LEAVE: begin
                place_d          = 4'd0;
                service_resume_d = group_q != 14'd0;
                group_d          = 14'd0;
                deferred_d       = 15'd0;
                phase_d          = EXECUTE_IDLE;
            end

            EXECUTE_SERVICE:
                if (service_done && service_code != 8'd0) begin
                    fail    = 1'b1;
                    code_d  = service_code;
                    extra_d = service_word;
                end else if (service_done && service_again) begin
                    phase_d = EXECUTE_LEAVE;
                    if (kind_q == `TOTEM_KIND_LAUNCH)
                        own_wait_entry[queue_q] = 1'b1;
                end else if (service_done && kind_q == `TOTEM_KIND_TASK) begin
                    address_d = {6'd0, service_word, 2'd0};     // of its end: the entry
                    step_d    = 2'd0;
                    phase_d   = EXECUTE_RELEASE;
                end else if (service_done && !last_q)
                    phase_d = EXECUTE_READY;
                else if (service_done && bounces && {17'd0, bounced} > fetch_available) begin
                    service_resume_d = 1'b1;
                    fail             = 1'b1;
                    code_d           = `TOTEM_ERROR_PACKET_BOUNCE_COUNT;
                    extra_d          = control_q;
                end else if (service_done && opens) begin
                    group_d    = service_group;
                    deferred_d = length_q;
                    executed_d = 1'b1;
                    phase_d    = EXECUTE_READY;
                end else if (service_done) begin
                    if (bounces) begin
                        length_d = bounced;
                        drop_d   = 1'b1;
                    end
                    finish = 1'b1;
                end else if (service_read && !service_read_done_q) begin
                    address_d = service_read_addr;
                    phase_d   = EXECUTE_POLL;
                end

            EXECUTE_GRID, EXECUTE_PARTS, EXECUTE_DIVIDE, EXECUTE_TRIM, EXECUTE_TABLE, EXECUTE_FIT,
            EXECUTE_DIM: ;      // below

            default: begin
                phase_d    = wait_phase;
                step_d     = wait_next;
                finish     = wait_finish;
                drop_d     = wait_ran && resume_q;
                executed_d = wait_task_done;
                bank_save_d             = wait_save;
                own_unfinished[queue_q] = wait_save || (unfinished_q[queue_q] && !(wait_begun && resume_q));
                own_halted[queue_q]     = halted_q[queue_q] || wait_halt;
                own_closed[queue_q]     = closed_q[queue_q] && !wait_reopen;
                own_wait_flush[queue_q] = wait_flush_q[queue_q] || wait_for_flush;
                own_wait_epoch[queue_q] = wait_epoch_q[queue_q] || wait_for_epoch;
                if (wait_takes_epoch)
                    dispatch_epoch_d = epoch_now;
            end
        endcase

        if (grid_acts) begin
            phase_d = grid_phase;
            step_d  = grid_step;
            data_d  = grid_data;
            extra_d = grid_extra;
            if (another)
                address_d = address_q + 40'd4;
            if (gives_up)
                own_patient[queue_q] = 1'b1;
            if (divided)
                own_patient[queue_q] = 1'b0;
            if (trims)
                control_d[`TOTEM_PM4_DISPATCH_DIRECT_PARTIAL_TG_EN] = 1'b1;
            if (shaped) begin
                waves_d            = waves;
                dispatch_threads_d = last_threads;
            end
            if (fits)
                dispatch_epoch_d = epoch_now;
            if (grid_code != 8'd0) begin
                fail    = 1'b1;
                code_d  = grid_code;
                extra_d = grid_word;
            end
        end

        if (copy_acts) begin
            phase_d         = copy_phase;
            step_d          = copy_step;
            last_d          = copy_last;
            control_d[13:0] = copy_count;
            address_d       = copy_address;
            data_d          = copy_data;
            extra_d         = copy_extra;
            second_d        = copy_second;
            counted_d       = copy_counted;
            executed_d      = copy_vain;
            finish          = copy_finish;
            ignore          = copy_counted || copy_ignore;
            fail            = copy_code != 8'd0;
            priority_write_d = 1'b0;
            set_d           = copy_to_bank;
            flow_d          = copy_flow;
            fence_write_d   = copy_write;
            fence_close_d   = copy_close;
            if (copy_write)
                dispatch_epoch_d = epoch_now;
            if (copy_close)
                own_closed[queue_q] = 1'b1;
            if (copy_wait_epoch)
                own_wait_epoch[queue_q] = 1'b1;
            if (fail) begin
                code_d  = copy_code;
                extra_d = copy_word;
            end
        end

        if (order_acts) begin
            phase_d = order_next;
            place_d = order_place;
            finish  = order_finish;
            open_d  = order_open;
            drop_d  = order_open || order_rest;
            if (order_operands) begin
                control_d = schedule_control;
                address_d = schedule_address;
                data_d    = schedule_data;
                extra_d   = schedule_extra;
            end
            if (order_rest)
                length_d = fetch_available[14:0];
            if (order_epoch) begin
                dispatch_epoch_d = epoch_now;
                step_d           = 2'd0;
            end
            if (order_wait_epoch)
                own_wait_epoch[queue_q] = 1'b1;
            if (order_code != 8'd0) begin
                fail    = 1'b1;
                code_d  = order_code;
                extra_d = order_error;
            end
        end

        if (fail_read) begin
            code_d  = READ_FAILED + {5'd0, beat};
            extra_d = {address[31:2], 2'd0};
        end
        if (unread) begin
            code_d  = decode_code;
            extra_d = fetch_fault_position[31:0];
        end
        if (vanish) begin
            ignore  = 1'b1;
            finish  = last_d;
            phase_d = EXECUTE_READY;
        end
        if (skips && {17'd0, skipped} > fetch_available) begin
            fail    = 1'b1;
            code_d  = `TOTEM_ERROR_PACKET_COND_SKIP;
            extra_d = control;
        end else if (skips) begin
            length_d = skipped;
            drop_d   = 1'b1;
            finish   = 1'b1;
        end
        if (finish || pass_over) begin
            commit_d = pass_over || group_q == 14'd0 || {1'b0, group_q} <= length_d;
            phase_d  = EXECUTE_READY;
        end
        if (finish) begin
            executed_d = 1'b1;
            ignored_d  = ignore;
        end
        // A packet of a group is committed with the last one.
        if (finish && group_q != 14'd0) begin
            group_d    = group_q - length_d[13:0];
            deferred_d = deferred_q + length_d;
            if (commit_d) begin
                length_d            = deferred_d;
                group_d             = 14'd0;
                deferred_d          = 15'd0;
                service_group_end_d = 1'b1;
            end
        end
        if (pass_over)
            drop_d = 1'b1;
        if (fail || fail_read || unread) begin
            address_d = fail_read ? {address[39:2], 2'd0} : unread ? fetch_fault_position : fetch_position;
            step_d    = 2'd0;
            phase_d   = EXECUTE_ERROR;
        end
        if (finish || pass_over || fail || fail_read || unread)
            own_skip[queue_q] = 1'b0;
    end

    always @(posedge clk) begin
        {flow_q, service_read_done_q, service_resume_q, service_resume_plain_q, service_group_end_q, commit_q,
         drop_q, open_q, executed_q, ignored_q, set_q, bank_save_q, bank_forget_q, priority_write_q, fence_close_q,
         fence_write_q} <=
            rst ? 16'd0 :
            {flow_d, service_read_done_d, service_resume_d, service_resume_plain_d, service_group_end_d, commit_d,
             drop_d, open_d, executed_d, ignored_d, set_d, bank_save_d, bank_forget_d, priority_write_d,
             fence_close_d, fence_write_d};
        phase_q            <= phase_d;
        queue_q            <= queue_d;
        unfinished_q       <= unfinished_d;
        halted_q           <= halted_d;
        wait_flush_q       <= wait_flush_d;
        wait_epoch_q       <= wait_epoch_d;
        wait_entry_q       <= wait_entry_d;
        closed_q           <= closed_d;
        kind_q             <= kind_d;
        opcode_q           <= opcode_d;
        length_q           <= length_d;
        last_q             <= last_d;
        control_q          <= control_d;
        address_q          <= address_d;
        data_q             <= data_d;
        extra_q            <= extra_d;
        second_q           <= second_d;
        counted_q          <= counted_d;
        resume_q           <= resume_d;
        waves_q            <= waves_d;
        dispatch_threads_q <= dispatch_threads_d;
        dispatch_epoch_q   <= dispatch_epoch_d;
        step_q             <= step_d;
        place_q            <= place_d;
        group_q            <= group_d;
        deferred_q         <= deferred_d;
        room_q             <= service_room;
        service_stop_q         <= service_stop_d;
        code_q             <= code_d;
        skip_q             <= skip_d;
        patient_q          <= patient_d;
        privileged_q       <= privileged_d;
        if (rst) begin
            control_q          <= 32'd0;
            phase_q       <= EXECUTE_IDLE;
            queue_q       <= {Q{1'b0}};
            unfinished_q  <= {QUEUES{1'b0}};
            halted_q      <= {QUEUES{1'b0}};
            wait_flush_q  <= {QUEUES{1'b0}};
            wait_epoch_q  <= {QUEUES{1'b0}};
            wait_entry_q  <= {QUEUES{1'b0}};
            closed_q      <= {QUEUES{1'b0}};
            kind_q        <= 5'd0;
            opcode_q      <= 8'd0;
            length_q      <= 15'd0;
            last_q        <= 1'b0;
            counted_q     <= 1'b0;
            resume_q      <= 1'b0;
            step_q        <= 2'd0;
            place_q       <= 4'd0;
            group_q       <= 14'd0;
            deferred_q    <= 15'd0;
            room_q        <= 1'b0;
            service_stop_q         <= 1'b0;
            skip_q        <= {QUEUES{1'b0}};
            patient_q     <= {QUEUES{1'b0}};
        end
    end

`ifdef FORMAL
`include "totem_execute_properties.vh"
`endif
endmodule

`default_nettype wire
