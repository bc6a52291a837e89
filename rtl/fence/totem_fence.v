// SPDX-License-Identifier: Apache-2.0
//
// totem_fence: ends the closed epochs of a pipe's slots, and gives out the records of failed writes.
//
// Policy    a closed epoch whose turn has come is done: nothing in flight, fence write acknowledged, interrupt sent.
//           Queues take turns, and the due epochs of a queue too. While one waits for its acknowledge, fence serves
//           others. Every failed write becomes a record. The end of a task goes to finish.
// Latency   last completion to the end of an epoch without a write: 2 clocks; with one: 4 clocks and
//           the write itself.
// Boundary  one fence write of an epoch is with memory at a time, so one of each mapping.
// Cost      5 flip-flops for each epoch.
// Proved    no epoch is done early or twice (invariants 1, 2); nothing that is abandoned has a write with memory (3);
//           what is inhibited is not tried (5); the epochs of a queue take turns (6).
// Twin      cmodel/fence/totem_fence.c, same names.

`default_nettype none
`include "totem_pm4.vh"

module totem_fence #(
    parameter QUEUES = 8,                   // a power of two, 2 to 8
    parameter EPOCHS = 8,                   // a power of two, 2 to 8
    parameter ENTRIES = 64,                 // of tasks, a power of two
    parameter RUNLIST = 0                   // 1: the machine has a run list
) (
    input  wire                                         clk,
    input  wire                                         rst,
    // epoch
    input  wire [QUEUES*EPOCHS-1:0]                     epoch_message,
    input  wire [QUEUES*EPOCHS-1:0]                     epoch_inhibited,
    input  wire [11:0]                                  epoch_dropped,
    output wire                                         done,
    output wire [$clog2(QUEUES)-1:0]                    serve,
    output wire [$clog2(EPOCHS)-1:0]                    serve_epoch,
    // slot_idle
    input  wire [QUEUES*EPOCHS-1:0]                     slot_idle_over,
    input  wire                                         slot_idle_drop_valid,
    input  wire [$clog2(QUEUES)-1:0]                    slot_idle_drop_queue,
    output wire                                         free,
    output wire [QUEUES*EPOCHS-1:0]                     write_pending,
    output wire [QUEUES-1:0]                            telling,
    // failure
    input  wire                                         failure_valid,
    input  wire [$clog2(QUEUES)-1:0]                    failure_slot,
    input  wire [1:0]                                   failure_code,
    input  wire [39:0]                                  failure_addr,
    // fence entry RAM
    output wire                                         ram_read_enable,
    output wire [$clog2(QUEUES)+$clog2(EPOCHS)+1:0]     ram_read_addr,
    input  wire [63:0]                                  ram_read_data,
    // memory
    output wire                                         write_valid,
    output wire [63:0]                                  write_word,
    input  wire                                         write_ready,
    input  wire                                         write_ack,
    input  wire [5:0]                                   ack_tag,
    input  wire [1:0]                                   ack_error,
    // events
    output wire                                         interrupt_valid,
    output wire [63:0]                                  interrupt_word,
    input  wire                                         events_interrupt_ready,
    output wire                                         error_valid,
    output wire [63:0]                                  error_word,
    input  wire                                         events_error_ready,
    // host
    input  wire [63:0]                                  clock,
    // finish
    output wire                                         task_valid,
    output wire [$clog2(QUEUES)-1:0]                    task_queue,
    output wire [$clog2(ENTRIES)-1:0]                   task_entry,
    input  wire                                         finish_ready,
    input  wire [QUEUES-1:0]                            finish_ending
);
`include "totem_fence_values.vh"
`include "totem_memory_values.vh"
    localparam Q = $clog2(QUEUES);
    localparam E = $clog2(EPOCHS);
    localparam PLACES = QUEUES * EPOCHS;

    generate
        if (QUEUES < 2 || QUEUES > 8 || QUEUES != (1 << Q) || EPOCHS < 2 || EPOCHS > 8 || EPOCHS != (1 << E))
        begin : check
            totem_fence_needs_QUEUES_and_EPOCHS_2_4_or_8 refused ();
        end
    endgenerate

    localparam [7:0] TIMEOUT = `TOTEM_ERROR_HOST_DEQUEUE_TIMEOUT;
    localparam [7:0] WRITE_FAILED = `TOTEM_ERROR_MEMORY_WRITE_SLVERR - 8'd1;    // plus the error of the response

    reg [PLACES-1:0]    sent_q, sent_d;
    reg [PLACES-1:0]    answered_q, answered_d;
    reg [PLACES-1:0]    notify_q, notify_d;
    reg [PLACES*2-1:0]  fault_q, fault_d;
    reg [2:0]           phase_q, phase_d;
    reg [Q-1:0]         serve_q, serve_d;
    reg [QUEUES*E-1:0]  latest_q, latest_d;
    reg [1:0]           step_q, step_d;
    reg                 again_q, again_d;
    reg [39:0]          address_q, address_d;
    reg [2:0]           data_sel_q, data_sel_d;
    reg [2:0]           int_sel_q, int_sel_d;
    reg [63:0]          data_q, data_d;
    reg [31:0]          ctxid_q, ctxid_d;
    reg [10:0]          name_q, name_d;
    reg [2:0]           code_q, code_d;
    reg                 own_q, own_d;

    // Registers that reset leaves alone read 0 at start, as in the model.
    initial begin
        sent_q = 0;  answered_q = 0; notify_q = 0;   fault_q = 0;   phase_q = 0; serve_q = 0; latest_q = 0; step_q = 0;
        again_q = 0; address_q = 0;  data_sel_q = 0; int_sel_q = 0; data_q = 0;  ctxid_q = 0; code_q = 0;   own_q = 0;
        name_q = 0;
    end

    assign free    = phase_q == FENCE_IDLE;
    assign done    = phase_q == FENCE_DONE;
    assign serve   = serve_q;
    assign serve_epoch = latest_q[serve_q*E +: E];
    assign write_pending = sent_q | answered_q;
    assign telling         = {{(QUEUES-1){1'b0}}, phase_q == FENCE_ERROR} << serve_q;
    assign ram_read_enable = phase_q == FENCE_READ && step_q != 2'd3;
    assign ram_read_addr   = {serve_q, serve_epoch, step_q};

    // Memory, interrupt and error messages.
    wire        interrupts = int_sel_q == `TOTEM_INT_INTERRUPT || int_sel_q == `TOTEM_INT_INTERRUPT_AFTER_WRITE;
    wire        narrow = data_sel_q == `TOTEM_DATA_32_BITS;
    wire [7:0]  strobe = !narrow ? 8'hff : address_q[2] ? 8'hf0 : 8'h0f;
    wire [63:0] wide   = narrow ? {data_q[31:0], data_q[31:0]} : data_q;
    wire [2:0]  serve3 = {{(3-Q){1'b0}}, serve_q};
    wire [2:0]  epoch3 = {{(3-E){1'b0}}, serve_epoch};
    wire        timeout = code_q == CODE_ABANDONED;
    wire [7:0]  told    = timeout ? TIMEOUT : WRITE_FAILED + {6'd0, code_q[1:0]};
    assign write_valid     = phase_q == FENCE_WRITE;
    assign write_word      = (step_q == 2'd0) ? {10'd0, epoch3, serve3, strobe, address_q[39:3], 3'd0} : wide;
    assign task_valid      = phase_q == FENCE_TASK;
    assign task_queue      = serve_q;
    assign task_entry      = address_q[2 +: $clog2(ENTRIES)];
    assign interrupt_valid = phase_q == FENCE_INTERRUPT;
    assign interrupt_word  = {17'd0, name_q, 1'b0, serve3, ctxid_q};
    assign error_valid     = phase_q == FENCE_ERROR;
    assign error_word      = (step_q == 2'd0) ? {told, 5'd0, serve3, 8'd0, address_q}
                                              : {32'd0, timeout ? data_q[31:0] : address_q[31:0]};

    wire [PLACES-1:0]  ending;                                  // epochs of queues whose task is dealt with
    wire [PLACES-1:0]  due = (answered_q | (~sent_q & slot_idle_over)) & ~ending;
    wire [Q+E-1:0]     now = {serve_q, serve_epoch};            // what is dealt with
    wire [Q+E-1:0]     ack = {ack_tag[Q-1:0], ack_tag[3 +: E]};
    wire unused = &{1'b0, ack_tag};

    // Of every queue the first due epoch after the one that was dealt with last.
    wire [QUEUES-1:0]   calls;
    wire [QUEUES*E-1:0] firsts;
    genvar g;
    generate
        for (g = 0; g < QUEUES; g = g + 1) begin : slot
            assign ending[g*EPOCHS +: EPOCHS] = {EPOCHS{finish_ending[g]}};
            wire [EPOCHS-1:0] mine = due[g*EPOCHS +: EPOCHS];
            wire [E-1:0]      last = latest_q[g*E +: E];
            reg  [E-1:0]      first;
            integer           hop;
            always @* begin
                first = last;
                for (hop = EPOCHS - 1; hop > 0; hop = hop - 1)
                    if (mine[last + hop[E-1:0]])
                        first = last + hop[E-1:0];
            end
            assign calls[g]         = mine != {EPOCHS{1'b0}};
            assign firsts[g*E +: E] = first;
        end
    endgenerate

    // The first queue after the last one served.
    reg [Q-1:0] pick, candidate;
    integer i;
    always @* begin
        pick      = serve_q;
        candidate = serve_q;
        for (i = QUEUES - 1; i > 0; i = i - 1) begin
            candidate = serve_q + i[Q-1:0];
            if (calls[candidate])
                pick = candidate;
        end
    end
    wire [E-1:0]   pick_epoch = firsts[pick*E +: E];
    wire [Q+E-1:0] chosen     = {pick, pick_epoch};

    always @* begin
        sent_d     = sent_q;
        answered_d = answered_q;
        notify_d   = notify_q;
        fault_d    = fault_q;
        phase_d    = phase_q;
        serve_d    = serve_q;
        latest_d   = latest_q;
        step_d     = step_q;
        again_d    = again_q;
        address_d  = address_q;
        data_sel_d = data_sel_q;
        int_sel_d  = int_sel_q;
        data_d     = data_q;
        ctxid_d    = ctxid_q;
        name_d     = name_q;
        code_d     = code_q;
        own_d      = own_q;

        // 1 Answers
        if (write_ack) begin
            sent_d[ack]         = 1'b0;
            answered_d[ack]     = 1'b1;
            fault_d[ack*2 +: 2] = ack_error;
        end

        case (phase_q)
            // 2 Choice
            FENCE_IDLE:
                if (failure_valid) begin
                    serve_d   = failure_slot;
                    code_d    = {1'b0, failure_code};
                    address_d = failure_addr;
                    own_d     = 1'b0;
                    step_d    = 2'd0;
                    phase_d   = FENCE_ERROR;
                end else if (slot_idle_drop_valid) begin
                    serve_d   = slot_idle_drop_queue;
                    own_d     = 1'b0;
                    code_d    = CODE_ABANDONED;
                    address_d = 40'd0;
                    step_d    = 2'd0;
                    phase_d   = FENCE_ERROR;
                end else if (calls != {QUEUES{1'b0}}) begin
                    serve_d = pick;
                    latest_d[pick*E +: E] = pick_epoch;
                    step_d  = 2'd0;
                    own_d   = 1'b1;
                    again_d = answered_q[chosen];
                    if (answered_q[chosen]) begin
                        answered_d[chosen] = 1'b0;
                        code_d             = {1'b0, fault_q[chosen*2 +: 2]};
                        phase_d            = (fault_q[chosen*2 +: 2] != MEMORY_OK || notify_q[chosen]) ? FENCE_READ
                                                                                                  : FENCE_DONE;
                    end else begin
                        code_d  = CODE_NONE;
                        phase_d = epoch_message[chosen] ? FENCE_READ : FENCE_DONE;
                    end
                end
            // 3 Reading
            FENCE_READ: begin
                step_d = step_q + 2'd1;
                if (step_q == 2'd1) begin
                    address_d  = ram_read_data[39:0];
                    data_sel_d = ram_read_data[42:40];
                    int_sel_d  = ram_read_data[45:43];
                    if (ram_read_data[46] && !again_q)
                        phase_d = FENCE_TASK;
                end
                if (step_q == 2'd2)
                    data_d = ram_read_data;
                if (step_q == 2'd3) begin
                    ctxid_d = ram_read_data[31:0];
                    name_d  = (RUNLIST != 0) ? ram_read_data[46:36] : 11'd0;
                    if (data_sel_q == `TOTEM_DATA_GPU_CLOCK || data_sel_q == `TOTEM_DATA_SYSTEM_CLOCK)
                        data_d = clock;
                    step_d  = 2'd0;
                    if (again_q)
                        phase_d = (code_q != CODE_NONE) ? FENCE_ERROR : FENCE_INTERRUPT;
                    else if (data_sel_q != `TOTEM_DATA_NONE && epoch_inhibited[now]) begin
                        code_d  = {1'b0, MEMORY_TIME_OUT};
                        phase_d = FENCE_ERROR;
                    end else
                        phase_d = (data_sel_q != `TOTEM_DATA_NONE) ? FENCE_WRITE :
                                  interrupts ? FENCE_INTERRUPT : FENCE_DONE;
                end
            end
            // 4 Writing
            FENCE_WRITE:
                if (write_ready) begin
                    if (step_q == 2'd0)
                        step_d = 2'd1;
                    else begin
                        sent_d[now]   = 1'b1;
                        notify_d[now] = interrupts;
                        phase_d       = FENCE_IDLE;
                    end
                end
            // 5 Giving out
            FENCE_TASK:
                if (finish_ready)
                    phase_d = FENCE_DONE;
            FENCE_INTERRUPT:
                if (events_interrupt_ready)
                    phase_d = FENCE_DONE;
            // 6 Done
            FENCE_DONE:
                phase_d = FENCE_IDLE;
            // 7 Record
            FENCE_ERROR: begin
                if (step_q == 2'd0 && timeout)
                    data_d = {52'd0, epoch_dropped};
                if (events_error_ready) begin
                    if (step_q == 2'd0)
                        step_d = 2'd1;
                    else
                        phase_d = own_q ? FENCE_DONE : FENCE_IDLE;
                end
            end
            default: ;
        endcase
    end

    always @(posedge clk) begin
        sent_q     <= sent_d;
        answered_q <= answered_d;
        notify_q   <= notify_d;
        fault_q    <= fault_d;
        phase_q    <= phase_d;
        serve_q    <= serve_d;
        latest_q   <= latest_d;
        step_q     <= step_d;
        again_q    <= again_d;
        address_q  <= address_d;
        data_sel_q <= data_sel_d;
        int_sel_q  <= int_sel_d;
        data_q     <= data_d;
        ctxid_q    <= ctxid_d;
        name_q     <= name_d;
        code_q     <= code_d;
        own_q      <= own_d;
        if (rst) begin
            sent_q     <= {PLACES{1'b0}};
            answered_q <= {PLACES{1'b0}};
            latest_q   <= {QUEUES*E{1'b0}};
            phase_q    <= FENCE_IDLE;
            serve_q    <= {Q{1'b0}};
            step_q     <= 2'd0;
            code_q     <= CODE_NONE;
        end
    end

    // formal: maxsteps=4 params=QUEUES=2,EPOCHS=4 timeout=900
`ifdef FORMAL
`include "totem_fence_properties.vh"
`endif
endmodule

`default_nettype wire
