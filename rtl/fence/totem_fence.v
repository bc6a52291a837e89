// SPDX-License-Identifier: Apache-2.0
//
// totem_fence: ends the closed epochs of a pipe's slots, and gives out the records of failed writes.
//
// Policy    closed epochs of a slot are done in order: nothing in flight, fence write acknowledged, interrupt sent.
//           Slots take turns; while one awaits its acknowledge the others go on. Every failed write becomes a record.
// Latency   last completion to the end of an epoch without a write: 2 clocks; with one: 4 clocks and
//           the write itself.
// Boundary  one fence write of a queue is with memory at a time.
// Proved    no epoch done early or twice (properties 3, 7); nothing that is abandoned has a write with memory (8);
//           nothing is tried behind a fence without an answer (12).
// Twin      cmodel/fence/totem_fence.c, same names.

`default_nettype none
`include "totem_load.vh"
`include "totem_pm4.vh"

module totem_fence #(
    parameter QUEUES = 8,                   // a power of two, 2 to 8
    parameter EPOCHS = 8                    // a power of two, 2 to 8
) (
    input  wire                                         clk,
    input  wire                                         rst,
    // epoch
    input  wire [QUEUES*$clog2(EPOCHS)-1:0]             epoch_oldest,
    input  wire [QUEUES-1:0]                            epoch_message,
    input  wire [QUEUES-1:0]                            epoch_pair,
    input  wire [QUEUES-1:0]                            epoch_earlier,
    input  wire [11:0]                                  epoch_dropped,
    output wire                                         done,
    output wire [$clog2(QUEUES)-1:0]                    serve,
    // settle
    input  wire [QUEUES-1:0]                            settle_over,
    input  wire                                         settle_drop_valid,
    input  wire [$clog2(QUEUES)-1:0]                    settle_drop_queue,
    output wire                                         free,
    output wire [QUEUES-1:0]                            away,
    output wire [QUEUES-1:0]                            telling,
    // failure
    input  wire                                         failure_valid,
    input  wire [$clog2(QUEUES)-1:0]                    failure_slot,
    input  wire [1:0]                                   failure_code,
    input  wire [39:0]                                  failure_addr,
    // load bus
    input  wire                                         load_valid,
    input  wire [$clog2(QUEUES)-1:0]                    load_queue,
    input  wire [4:0]                                   load_kind,
    input  wire [39:0]                                  load_data,
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
    input  wire [63:0]                                  clock
);
    localparam Q = $clog2(QUEUES);
    localparam E = $clog2(EPOCHS);

    generate
        if (QUEUES < 2 || QUEUES > 8 || QUEUES != (1 << Q) || EPOCHS < 2 || EPOCHS > 8 || EPOCHS != (1 << E))
        begin : check
            totem_fence_needs_QUEUES_and_EPOCHS_2_4_or_8 refused ();
        end
    endgenerate

    localparam [2:0] IDLE = 3'd0, READ = 3'd1, WRITE = 3'd2, INTERRUPT = 3'd4, DONE = 3'd5, ERROR = 3'd6;
    localparam [7:0] TIMEOUT = `TOTEM_ERROR_HOST_DEQUEUE_TIMEOUT;
    localparam [1:0] TIME_OUT = 2'd3;       // error of a write that was never answered
    localparam [2:0] CODE_TIMEOUT = 3'd4;   // waves did not end in time
    localparam [7:0] WRITE_FAILED = `TOTEM_ERROR_MEMORY_WRITE_SLVERR - 8'd1;    // plus the error of the response

    reg [QUEUES-1:0]   sent_q, sent_d;
    reg [QUEUES-1:0]   answered_q, answered_d;
    reg [QUEUES-1:0]   notify_q, notify_d;
    reg [QUEUES*2-1:0] fault_q, fault_d;
    reg [QUEUES-1:0]   silent_q, silent_d;
    reg [QUEUES-1:0]   silent_before_q, silent_before_d;
    reg [2:0]          phase_q, phase_d;
    reg [Q-1:0]        serve_q, serve_d;
    reg [E-1:0]        serve_epoch_q, serve_epoch_d;
    reg [1:0]          step_q, step_d;
    reg                again_q, again_d;
    reg [39:0]         address_q, address_d;
    reg [2:0]          data_sel_q, data_sel_d;
    reg [2:0]          int_sel_q, int_sel_d;
    reg [63:0]         data_q, data_d;
    reg [31:0]         ctxid_q, ctxid_d;
    reg [2:0]          code_q, code_d;
    reg                own_q, own_d;

    // Registers that reset leaves alone read 0 at start, as in the model.
    initial begin
        sent_q = 0;        answered_q = 0; notify_q = 0; fault_q = 0;       silent_q = 0;   silent_before_q = 0;
        phase_q = 0;       serve_q = 0;    step_q = 0;   serve_epoch_q = 0; again_q = 0;    address_q = 0;
        data_sel_q = 0;    int_sel_q = 0;  data_q = 0;   ctxid_q = 0;       code_q = 0;     own_q = 0;
    end

    assign free    = phase_q == IDLE;
    assign done    = phase_q == DONE;
    assign serve   = serve_q;
    assign away    = sent_q | answered_q;
    assign telling = {{(QUEUES-1){1'b0}}, phase_q == ERROR} << serve_q;
    assign ram_read_enable = phase_q == READ && step_q != 2'd3;
    assign ram_read_addr   = {serve_q, serve_epoch_q, step_q};

    // Memory, interrupt and error messages.
    wire        interrupts = int_sel_q == `TOTEM_INT_INTERRUPT || int_sel_q == `TOTEM_INT_INTERRUPT_AFTER_WRITE;
    wire        narrow = data_sel_q == `TOTEM_DATA_32_BITS;
    wire [7:0]  strobe = !narrow ? 8'hff : address_q[2] ? 8'hf0 : 8'h0f;
    wire [63:0] wide   = narrow ? {data_q[31:0], data_q[31:0]} : data_q;
    wire [2:0]  serve3 = {{(3-Q){1'b0}}, serve_q};
    wire [2:0]  epoch3 = {{(3-E){1'b0}}, serve_epoch_q};
    wire        timeout = code_q == CODE_TIMEOUT;
    wire [7:0]  told    = timeout ? TIMEOUT : WRITE_FAILED + {6'd0, code_q[1:0]};
    assign write_valid     = phase_q == WRITE;
    assign write_word      = (step_q == 2'd0) ? {10'd0, epoch3, serve3, strobe, address_q[39:3], 3'd0} : wide;
    assign interrupt_valid = phase_q == INTERRUPT;
    assign interrupt_word  = {29'd0, serve3, ctxid_q};
    assign error_valid     = phase_q == ERROR;
    assign error_word      = (step_q == 2'd0) ? {told, 5'd0, serve3, 8'd0, address_q}
                                              : {32'd0, timeout ? data_q[31:0] : address_q[31:0]};

    wire [QUEUES-1:0] due = answered_q | (~sent_q & settle_over);
    // What was closed behind a fence without an answer is not tried, but a pair of record's.
    wire         hushed    = !epoch_pair[serve_q] &&
                             (epoch_earlier[serve_q] ? silent_before_q[serve_q] : silent_q[serve_q]);
    wire [Q-1:0] ack_queue = ack_tag[Q-1:0];
    wire         mapping   = load_valid && load_kind == `TOTEM_LOAD_ACTIVE && load_data[0];
    wire         resumes   = load_valid && (load_kind == `TOTEM_LOAD_RESUME || load_kind == `TOTEM_LOAD_SKIP);
    wire unused = &{1'b0, ack_tag, load_data};

    // Pick: the first due queue after the last one served.
    reg [Q-1:0] pick, candidate;
    integer i;
    always @* begin
        pick      = serve_q;
        candidate = serve_q;
        for (i = QUEUES - 1; i > 0; i = i - 1) begin
            candidate = serve_q + i[Q-1:0];
            if (due[candidate])
                pick = candidate;
        end
    end

    always @* begin
        sent_d          = sent_q;
        answered_d      = answered_q;
        notify_d        = notify_q;
        fault_d         = fault_q;
        silent_d        = silent_q;
        silent_before_d = silent_before_q & epoch_earlier;
        phase_d         = phase_q;
        serve_d         = serve_q;
        serve_epoch_d   = serve_epoch_q;
        step_d          = step_q;
        again_d         = again_q;
        address_d       = address_q;
        data_sel_d      = data_sel_q;
        int_sel_d       = int_sel_q;
        data_d          = data_q;
        ctxid_d         = ctxid_q;
        code_d          = code_q;
        own_d           = own_q;

        if (write_ack) begin
            sent_d[ack_queue]         = 1'b0;
            answered_d[ack_queue]     = 1'b1;
            fault_d[ack_queue*2 +: 2] = ack_error;
            if (ack_error == TIME_OUT) begin
                if (epoch_earlier[ack_queue])
                    silent_before_d[ack_queue] = 1'b1;
                else
                    silent_d[ack_queue] = 1'b1;
            end
        end

        case (phase_q)
            IDLE:
                if (failure_valid) begin
                    serve_d   = failure_slot;
                    code_d    = {1'b0, failure_code};
                    address_d = failure_addr;
                    own_d     = 1'b0;
                    step_d    = 2'd0;
                    phase_d   = ERROR;
                end else if (settle_drop_valid) begin
                    serve_d   = settle_drop_queue;
                    own_d     = 1'b0;
                    code_d    = CODE_TIMEOUT;
                    address_d = 40'd0;
                    step_d    = 2'd0;
                    phase_d   = ERROR;
                end else if (due != {QUEUES{1'b0}}) begin
                    serve_d       = pick;
                    serve_epoch_d = epoch_oldest[pick*E +: E];
                    step_d        = 2'd0;
                    own_d         = 1'b1;
                    again_d       = answered_q[pick];
                    if (answered_q[pick]) begin
                        answered_d[pick] = 1'b0;
                        code_d           = {1'b0, fault_q[pick*2 +: 2]};
                        phase_d          = (fault_q[pick*2 +: 2] != 2'd0 || notify_q[pick]) ? READ : DONE;
                    end else begin
                        code_d  = 3'd0;
                        phase_d = epoch_message[pick] ? READ : DONE;
                    end
                end
            READ: begin
                step_d = step_q + 2'd1;
                if (step_q == 2'd1) begin
                    address_d  = ram_read_data[39:0];
                    data_sel_d = ram_read_data[42:40];
                    int_sel_d  = ram_read_data[45:43];
                end
                if (step_q == 2'd2)
                    data_d = ram_read_data;
                if (step_q == 2'd3) begin
                    ctxid_d = ram_read_data[31:0];
                    if (data_sel_q == `TOTEM_DATA_GPU_CLOCK || data_sel_q == `TOTEM_DATA_SYSTEM_CLOCK)
                        data_d = clock;
                    step_d  = 2'd0;
                    if (again_q)
                        phase_d = (code_q != 3'd0) ? ERROR : INTERRUPT;
                    else if (data_sel_q != `TOTEM_DATA_NONE && hushed) begin
                        code_d  = {1'b0, TIME_OUT};
                        phase_d = ERROR;
                    end else
                        phase_d = (data_sel_q != `TOTEM_DATA_NONE) ? WRITE : interrupts ? INTERRUPT : DONE;
                end
            end
            WRITE:
                if (write_ready) begin
                    if (step_q == 2'd0)
                        step_d = 2'd1;
                    else begin
                        sent_d[serve_q]   = 1'b1;
                        notify_d[serve_q] = interrupts;
                        phase_d           = IDLE;
                    end
                end
            INTERRUPT:
                if (events_interrupt_ready)
                    phase_d = DONE;
            DONE:
                phase_d = IDLE;
            ERROR: begin
                if (step_q == 2'd0 && timeout)
                    data_d = {52'd0, epoch_dropped};
                if (events_error_ready) begin
                    if (step_q == 2'd0)
                        step_d = 2'd1;
                    else
                        phase_d = own_q ? DONE : IDLE;
                end
            end
            default: ;
        endcase

        if (resumes)
            silent_d[load_queue] = 1'b0;
        if (mapping) begin
            silent_before_d[load_queue] = silent_d[load_queue] || silent_before_d[load_queue];
            silent_d[load_queue]        = 1'b0;
        end
    end

    always @(posedge clk) begin
        sent_q          <= sent_d;
        answered_q      <= answered_d;
        notify_q        <= notify_d;
        fault_q         <= fault_d;
        silent_q        <= silent_d;
        silent_before_q <= silent_before_d;
        phase_q         <= phase_d;
        serve_q         <= serve_d;
        serve_epoch_q   <= serve_epoch_d;
        step_q          <= step_d;
        again_q         <= again_d;
        address_q       <= address_d;
        data_sel_q      <= data_sel_d;
        int_sel_q       <= int_sel_d;
        data_q          <= data_d;
        ctxid_q         <= ctxid_d;
        code_q          <= code_d;
        own_q           <= own_d;
        if (rst) begin
            sent_q          <= {QUEUES{1'b0}};
            answered_q      <= {QUEUES{1'b0}};
            silent_q        <= {QUEUES{1'b0}};
            silent_before_q <= {QUEUES{1'b0}};
            phase_q         <= IDLE;
            serve_q         <= {Q{1'b0}};
            step_q          <= 2'd0;
            code_q          <= 3'd0;
        end
    end

`ifdef FORMAL
    // formal: maxsteps=4 params=QUEUES=2,EPOCHS=4 timeout=900
    // Assumed: an epoch that is over stays so, with its message, until it is done (epoch, settle); so does f_closed,
    // the queue has a closed epoch. memory answers what it has. A slot is abandoned only while fence is free.
    // Contract 3: an epoch is taken up only if it is over or its write is answered.
    // Contract 7: a queue has one fence write under way, and its epoch is not done before the acknowledge.
    // Contract 8: what is abandoned has no write with memory, or it is of an earlier mapping.
    // Contract 11: a record of a queue begins only with its failure, its abandonment or an epoch of it that is closed.
    // Contract 12: behind a fence of the present mapping without an answer no other is written, until RESUME, SKIP or a
    // mapping; but pairs are.
    initial assume (rst);
    (* anyconst *) wire [Q-1:0] f_queue;
    wire [E-1:0] f_old    = epoch_oldest[f_queue*E +: E];
    wire f_lost    = settle_drop_valid && settle_drop_queue == f_queue;
    wire f_mapping = mapping && load_queue == f_queue;
    wire f_working = (phase_q == READ || phase_q == WRITE || phase_q == INTERRUPT || phase_q == DONE
                      || (phase_q == ERROR && own_q)) && serve_q == f_queue;
    reg f_hushed = 1'b0;            // a fence of the present mapping was not answered
    reg f_closed = 1'b0;            // the epoch that is taken up is closed and not done
    reg f_told   = 1'b0;            // telling in the clock before,
    reg f_tells  = 1'b0;            // or to begin
    reg [E-1:0] f_was;              // oldest in the clock before
    reg f_same = 1'b0;              // and it is not done, nor given up
    reg f_letter = 1'b0;            // its message,
    reg f_pair;                     // which is record's
    reg f_before = 1'b0;            // it is of an earlier mapping, and stays that

    always @(posedge clk) begin
        if (!rst) begin
            if (write_ack && ack_queue == f_queue) assume (sent_q[f_queue] && ack_tag[3 +: E] == f_old);
            if (settle_drop_valid) assume (free && !failure_valid);
            if (f_lost) assume (epoch_earlier[f_queue] || !(sent_q[f_queue] || answered_q[f_queue]));
            if (f_lost) assume (!f_mapping);
            if (f_same) assume (epoch_oldest[f_queue*E +: E] == f_was);
            if (f_same && f_closed && f_letter) assume (epoch_message[f_queue] && epoch_pair[f_queue] == f_pair);
            if (failure_valid) assume (failure_code != 2'd0);
            if (f_before) assume (epoch_earlier[f_queue]);
        end
        f_was    <= f_old;
        f_same   <= !rst && !(done && serve_q == f_queue);
        f_letter <= epoch_message[f_queue];
        f_pair   <= epoch_pair[f_queue];
        f_before <= !rst && epoch_earlier[f_queue] && !f_lost && !(done && serve_q == f_queue);
        f_closed <= !(done && serve_q == f_queue) &&
                    (f_closed || (phase_q == IDLE && phase_d != IDLE && own_d && serve_d == f_queue));
        f_told   <= telling[f_queue];
        f_tells  <= (free && failure_valid && failure_slot == f_queue) || f_lost || (f_working && !done);
        if (rst || (load_valid && load_queue == f_queue &&
                    (f_mapping || load_kind == `TOTEM_LOAD_RESUME || load_kind == `TOTEM_LOAD_SKIP)))
            f_hushed <= 1'b0;
        else if (write_ack && ack_error == TIME_OUT && ack_queue == f_queue && !epoch_earlier[f_queue])
            f_hushed <= 1'b1;
        if (rst) begin
            f_closed <= 1'b0;
            f_told   <= 1'b0;
            f_tells  <= 1'b0;
            f_letter <= 1'b0;
        end

        if (!rst) begin
            if (f_hushed) assert (silent_q[f_queue]);                                                   // 12
            if (phase_q == IDLE && phase_d != IDLE && own_d && serve_d == f_queue)
                assert (answered_q[f_queue] || (settle_over[f_queue] && !sent_q[f_queue]));              // 3
            if (f_working) assert (!sent_q[f_queue] && !answered_q[f_queue]);                           // 7
            assert (!(sent_q[f_queue] && answered_q[f_queue]));                                         // 7
            if (sent_q[f_queue] || answered_q[f_queue]) assert (f_closed && epoch_message[f_queue]);    // 7
            if (f_working) assert (f_closed && serve_epoch_q == f_old);                                 // 7
            if (f_working && phase_q != DONE) assert (epoch_message[f_queue]);                          // 7
            if (f_lost) assert (!f_working);                                                            // 8
            if (f_hushed && write_valid && serve_q == f_queue && !epoch_earlier[f_queue])
                assert (epoch_pair[f_queue]);                                                           // 12
            if (telling[f_queue] && !f_told) assert (f_tells);                                          // 11
            assert (phase_q <= ERROR && phase_q != 3'd3);
            if (phase_q == WRITE || phase_q == ERROR) assert (step_q <= 2'd1);
            cover (phase_q == DONE && epoch_message[serve_q]);
        end
    end
`endif
endmodule

`default_nettype wire
