// SPDX-License-Identifier: Apache-2.0
//
// totem_submit: launches of tasks by the host and by running waves, and what the host sees of tasks.
//
// Policy    engines and the host in turn, one call at a time; a wave whose epoch is not of the present mapping of its
//           queue is refused. Counters of what tasks ask for, one interrupt of ended tasks.
// Latency   a call begins at most SE_COUNT clocks after it is asked for, or behind those before it; reads: 3 clocks.
// Boundary  every output is a flip-flop, or comes of flip-flops.
// Cost      about 600 flip-flops, most of them counters of the host.
// Proved    every request has one answer (1), in a bounded number of calls (2); an interrupt is neither lost nor
//           doubled (3); what the host is told (4).
// Twin      cmodel/task/totem_submit.c, same names.

`default_nettype none
`include "totem_pm4.vh"
`include "totem_regs.vh"

module totem_submit #(
    parameter PIPES    = 2,                 // 1 or 2
    parameter QUEUES   = 8,                 // a power of two, 2 to 8
    parameter EPOCHS   = 8,                 // a power of two, 2 to 8
    parameter SE_COUNT = 4,                 // 1 to 4
    parameter ENTRIES  = 64                 // only shown
) (
    input  wire                                 clk,
    input  wire                                 rst,
    // host
    input  wire                                 host_valid,
    input  wire                                 host_write,
    input  wire [7:0]                           host_dword,
    input  wire [3:0]                           host_strobe,
    input  wire [31:0]                          host_data,
    output wire                                 host_done,
    output wire [4:0]                           host_error,
    output wire [31:0]                          host_rdata,
    // cores
    input  wire [SE_COUNT-1:0]                  wave_task_valid,
    input  wire [SE_COUNT*32-1:0]               wave_task_pointer,
    input  wire [SE_COUNT*2-1:0]                wave_task_fe,
    input  wire [SE_COUNT*2-1:0]                wave_task_pipe,
    input  wire [SE_COUNT*$clog2(QUEUES)-1:0]   wave_task_queue,
    input  wire [SE_COUNT*$clog2(EPOCHS)-1:0]   wave_task_epoch,
    output wire [SE_COUNT-1:0]                  task_ready,
    output wire [SE_COUNT-1:0]                  task_refused,
    input  wire [1:0]                           fe_number,
    input  wire [PIPES*QUEUES*EPOCHS-1:0]       epoch_present,
    // task
    output wire                                 call_valid,
    output wire [$clog2(PIPES*QUEUES)-1:0]      call_queue,
    output wire [31:0]                          call_pointer,
    input  wire                                 tasks_call_done,
    input  wire [1:0]                           tasks_call_answer,
    input  wire                                 tasks_over_ready,
    input  wire                                 tasks_report_write_enable,
    input  wire [$clog2(PIPES*QUEUES)-1:0]      tasks_report_write_addr,
    input  wire [63:0]                          tasks_report_write_data,
    input  wire                                 finish_over_trap,
    output wire                                 room,
    // runner
    input  wire [PIPES-1:0]                     runner_granted,
    input  wire [PIPES*9-1:0]                   runner_marks,
    // events
    output wire [PIPES-1:0]                     interrupt_valid,
    output wire [63:0]                          interrupt_word,
    input  wire [PIPES-1:0]                     events_interrupt_ready,
    input  wire [PIPES-1:0]                     fence_interrupt_valid,
    input  wire [PIPES-1:0]                     mqd_interrupt_valid,
    // RAM of reports
    output wire                                 report_read_enable,
    output wire [$clog2(PIPES*QUEUES)-1:0]      report_read_addr,
    input  wire [63:0]                          report_read_data,
    output wire                                 idle
);
`include "totem_setup_values.vh"
`include "totem_task_values.vh"
`include "totem_submit_values.vh"
    localparam Q   = $clog2(QUEUES);
    localparam E   = $clog2(EPOCHS);
    localparam X   = $clog2(PIPES * QUEUES);
    localparam ALL = PIPES * QUEUES;

    generate
        if (PIPES < 1 || PIPES > 2 || QUEUES < 2 || QUEUES > 8 || QUEUES != (1 << Q) || EPOCHS < 2 || EPOCHS > 8
            || EPOCHS != (1 << E) || SE_COUNT < 1 || SE_COUNT > 4) begin : check
            totem_submit_needs_sizes_as_its_parameters_say refused ();
        end
    endgenerate

    localparam [7:0] HOLE = `TOTEM_ERROR_HOST_HOLE, READ_ONLY = `TOTEM_ERROR_HOST_READ_ONLY;
    localparam [7:0] VALUE = `TOTEM_ERROR_HOST_VALUE, UNMAPPED = `TOTEM_ERROR_HOST_TASK_UNMAPPED;
    localparam [7:0] FULL = `TOTEM_ERROR_HOST_TASK_FULL;
    localparam integer SOURCES = SE_COUNT;
    localparam [2:0]   HOST    = SOURCES[2:0];      // whose turn

    reg [2:0]          turn_q, turn_d;
    reg                call_valid_q, call_valid_d;
    reg [X-1:0]        call_queue_q, call_queue_d;
    reg [31:0]         call_pointer_q, call_pointer_d;
    reg [SE_COUNT-1:0] task_ready_q, task_ready_d;
    reg                refused_q, refused_d;
    reg [1:0]          step_q, step_d;
    reg                host_done_q, host_done_d;
    reg [4:0]          host_error_q, host_error_d;
    reg [31:0]         host_rdata_q, host_rdata_d;
    reg [X-1:0]        read_q, read_d;
    reg [31:0]         pointer_q, pointer_d;
    reg [ALL-1:0]      reports_q, reports_d;
    reg [9*32-1:0]     counts_q, counts_d;
    reg [31:0]         children_q, children_d;
    reg [31:0]         children_refused_q, children_refused_d;
    reg [31:0]         launches_q, launches_d;
    reg                interrupt_q, interrupt_d;
    reg [X-1:0]        interrupt_queue_q, interrupt_queue_d;
    reg [31:0]         interrupt_word_q, interrupt_word_d;

    initial begin
        turn_q = 3'd0; call_valid_q = 1'b0; call_queue_q = 0; call_pointer_q = 32'd0; task_ready_q = 0;
        refused_q = 1'b0; step_q = SUBMIT_REST; host_done_q = 1'b0; host_error_q = 5'd0; host_rdata_q = 32'd0;
        pointer_q = 32'd0;
        reports_q = 0;
        counts_q = 0; children_q = 32'd0; children_refused_q = 32'd0; launches_q = 32'd0; interrupt_q = 1'b0;
        read_q = 0; interrupt_queue_q = 0; interrupt_word_q = 32'd0;
    end

    wire            interrupt_pipe = PIPES == 2 && interrupt_queue_q[X-1];
    wire [1:0]      of_interrupt   = 2'd1 << interrupt_pipe;
    assign call_valid         = call_valid_q;
    assign call_queue         = call_queue_q;
    assign call_pointer       = call_pointer_q;
    assign task_ready         = task_ready_q;
    assign task_refused       = {SE_COUNT{refused_q}};
    assign host_done          = host_done_q;
    assign host_error         = host_error_q;
    assign host_rdata         = host_rdata_q;
    assign room               = !interrupt_q;
    assign interrupt_valid    = of_interrupt[PIPES-1:0] & {PIPES{interrupt_q}};
    assign interrupt_word     = {29'd0, {(3-Q){1'b0}}, interrupt_queue_q[Q-1:0], interrupt_word_q};
    assign report_read_enable = step_q == SUBMIT_READ;
    assign report_read_addr   = read_q;
    assign idle               = !call_valid_q && !interrupt_q && task_ready_q == {SE_COUNT{1'b0}};

    // The request of the engine whose turn it is. A queue that does not exist has no epoch.
    reg           asks, there;
    reg [1:0]     ask_pipe;
    reg [Q-1:0]   ask_queue;
    reg [E-1:0]   ask_epoch;
    reg [31:0]    ask_pointer;
    reg [EPOCHS-1:0] epochs;
    integer       s, x;
    always @* begin
        asks        = 1'b0;
        ask_pipe    = 2'd0;
        ask_queue   = {Q{1'b0}};
        ask_epoch   = {E{1'b0}};
        ask_pointer = 32'd0;
        for (s = 0; s < SE_COUNT; s = s + 1)
            if (turn_q == s[2:0]) begin
                asks        = wave_task_valid[s] && wave_task_fe[s*2 +: 2] == fe_number && !task_ready_q[s];
                ask_pipe    = wave_task_pipe[s*2 +: 2];
                ask_queue   = wave_task_queue[s*Q +: Q];
                ask_epoch   = wave_task_epoch[s*E +: E];
                ask_pointer = wave_task_pointer[s*32 +: 32];
            end
        epochs = {EPOCHS{1'b0}};
        for (x = 0; x < ALL; x = x + 1)
            if (x / QUEUES == {30'd0, ask_pipe} && x % QUEUES == {{(32-Q){1'b0}}, ask_queue})
                epochs = epoch_present[x*EPOCHS +: EPOCHS];
        there = epochs[ask_epoch];
    end
    wire [X+1:0] ask_x = {{X{1'b0}}, ask_pipe} << Q | {{(X+2-Q){1'b0}}, ask_queue};

    // The page.
    localparam integer REPORTS = 2 * ALL;
    wire        report  = host_dword >= `TOTEM_REG_TASKS_TASKS_DONE
                          && host_dword < `TOTEM_REG_TASKS_TASKS_DONE + REPORTS[7:0];
    wire        counter = host_dword >= `TOTEM_REG_TASKS_INVALIDATES && host_dword <= `TOTEM_REG_TASKS_BARRIERS_DEVICE;
    wire [3:0]  number  = host_dword[3:0] ^ 4'd8;   // of the counter, from dword 8 on
    reg         hole, read_only;
    reg [31:0]  value;
    always @* begin
        hole      = 1'b0;
        read_only = 1'b1;
        value     = 32'd0;
        case (host_dword)
            `TOTEM_REG_TASKS_TASK_POINTER: begin
                value     = pointer_q;
                read_only = 1'b0;
            end
            `TOTEM_REG_TASKS_TASK_LAUNCH:
                read_only = 1'b0;
            `TOTEM_REG_TASKS_REPORT_INTERRUPT: begin
                value[ALL-1:0] = reports_q;
                read_only      = 1'b0;
            end
            `TOTEM_REG_TASKS_TASK_ENTRIES:     value = ENTRIES;
            `TOTEM_REG_TASKS_CHILDREN:         value = children_q;
            `TOTEM_REG_TASKS_CHILDREN_REFUSED: value = children_refused_q;
            `TOTEM_REG_TASKS_HOST_LAUNCHES:    value = launches_q;
            default:
                if (counter)
                    value = counts_q[number*32 +: 32];
                else if (report)
                    value = host_dword[0] ? report_read_data[63:32] : report_read_data[31:0];
                else
                    hole = 1'b1;
        endcase
    end
    wire [31:0] mask   = {{8{host_strobe[3]}}, {8{host_strobe[2]}}, {8{host_strobe[1]}}, {8{host_strobe[0]}}};
    wire [31:0] put    = (value & ~mask) | (host_data & mask);
    wire        launch = host_dword == `TOTEM_REG_TASKS_TASK_LAUNCH;
    wire        legal  = !launch || (host_strobe == 4'hf && host_data[31:4] == 28'd0 && host_data[2:0] >> Q == 3'd0
                                     && (PIPES == 2 || !host_data[3]));
    wire [X:0]  host_x = {host_data[3], {X{1'b0}}} >> (PIPES == 2 ? 1 : X + 1) | {{(X+1-Q){1'b0}}, host_data[Q-1:0]};
    wire        taken  = |(of_interrupt[PIPES-1:0] & events_interrupt_ready & ~fence_interrupt_valid
                           & ~mqd_interrupt_valid);
    wire [2:0]  onward = (turn_q == HOST) ? 3'd0 : turn_q + 3'd1;

    wire unused = &{1'b0, tasks_report_write_data[31:0], host_x[X], ask_x[X+1:X], of_interrupt};

    integer p, n;
    always @* begin
        turn_d             = turn_q;
        call_valid_d       = call_valid_q;
        call_queue_d       = call_queue_q;
        call_pointer_d     = call_pointer_q;
        task_ready_d       = task_ready_q;
        refused_d          = refused_q;
        step_d             = step_q;
        host_done_d        = host_done_q;
        host_error_d       = host_error_q;
        host_rdata_d       = host_rdata_q;
        read_d             = read_q;
        pointer_d          = pointer_q;
        reports_d          = reports_q;
        counts_d           = counts_q;
        children_d         = children_q;
        children_refused_d = children_refused_q;
        launches_d         = launches_q;
        interrupt_d        = interrupt_q;
        interrupt_queue_d  = interrupt_queue_q;
        interrupt_word_d   = interrupt_word_q;

        // 1 Defaults
        task_ready_d = {SE_COUNT{1'b0}};
        host_done_d  = 1'b0;

        // 2 Call
        if (call_valid_q) begin
            if (tasks_call_done) begin
                call_valid_d = 1'b0;
                turn_d       = onward;
                if (turn_q == HOST) begin
                    step_d       = SUBMIT_REST;
                    host_done_d  = 1'b1;
                    host_rdata_d = 32'd0;
                    host_error_d = (tasks_call_answer == CALL_TAKEN) ? 5'd0
                                   : (tasks_call_answer == CALL_UNMAPPED) ? UNMAPPED[4:0] : FULL[4:0];
                    if (tasks_call_answer == CALL_TAKEN)
                        launches_d = launches_q + 32'd1;
                end else begin
                    for (s = 0; s < SE_COUNT; s = s + 1)
                        task_ready_d[s] = turn_q == s[2:0];
                    refused_d = tasks_call_answer != CALL_TAKEN;
                    if (tasks_call_answer == CALL_TAKEN)
                        children_d = children_q + 32'd1;
                    else
                        children_refused_d = children_refused_q + 32'd1;
                end
            end
        // 3 Engine
        end else if (asks && there) begin
            call_valid_d   = 1'b1;
            call_queue_d   = ask_x[X-1:0];
            call_pointer_d = ask_pointer;
        end else if (asks) begin
            for (s = 0; s < SE_COUNT; s = s + 1)
                task_ready_d[s] = turn_q == s[2:0];
            refused_d          = 1'b1;
            children_refused_d = children_refused_q + 32'd1;
            turn_d             = onward;
        // 4 Turn
        end else if (turn_q == HOST && step_q == SUBMIT_LAUNCH) begin
            call_valid_d   = 1'b1;
            call_queue_d   = host_x[X-1:0];
            call_pointer_d = pointer_q;
        end else
            turn_d = onward;

        // 5 Host
        case (step_q)
            SUBMIT_REST:
                if (host_valid && !host_done_q) begin
                    step_d = SUBMIT_READ;
                    read_d = host_dword[X:1];
                end
            SUBMIT_READ:
                step_d = SUBMIT_ACT;
            SUBMIT_ACT: begin
                step_d       = SUBMIT_REST;
                host_done_d  = 1'b1;
                host_rdata_d = value;
                host_error_d = hole ? HOLE[4:0] : (host_write && read_only) ? READ_ONLY[4:0]
                               : (host_write && !legal) ? VALUE[4:0] : 5'd0;
                // 6 Write
                if (host_write && !hole && !read_only && legal)
                    case (host_dword)
                        `TOTEM_REG_TASKS_TASK_POINTER:     pointer_d = put;
                        `TOTEM_REG_TASKS_REPORT_INTERRUPT: reports_d = put[ALL-1:0];
                        default: begin
                            host_done_d = 1'b0;
                            step_d      = SUBMIT_LAUNCH;
                        end
                    endcase
            end
            default: ;
        endcase

        // 7 Marks
        for (n = 0; n < 9; n = n + 1)
            for (p = 0; p < PIPES; p = p + 1)
                if (runner_granted[p] && (n < 7 ? runner_marks[p*9 + n]
                                          : runner_marks[p*9 + 7 +: 2]
                                            == (n == 7 ? MARK_BARRIER_SYSTEM : MARK_BARRIER_DEVICE)))
                    counts_d[n*32 +: 32] = counts_d[n*32 +: 32] + 32'd1;

        // 8 Interrupts
        if (interrupt_q && taken)
            interrupt_d = 1'b0;
        if (tasks_over_ready && (finish_over_trap
                                 || (tasks_report_write_enable && reports_q[tasks_report_write_addr]))) begin
            interrupt_d       = 1'b1;
            interrupt_queue_d = tasks_report_write_addr;
            interrupt_word_d  = tasks_report_write_data[63:32];
        end
    end

    always @(posedge clk) begin
        turn_q             <= turn_d;
        call_valid_q       <= call_valid_d;
        call_queue_q       <= call_queue_d;
        call_pointer_q     <= call_pointer_d;
        task_ready_q       <= task_ready_d;
        refused_q          <= refused_d;
        step_q             <= step_d;
        host_done_q        <= host_done_d;
        host_error_q       <= host_error_d;
        host_rdata_q       <= host_rdata_d;
        read_q             <= read_d;
        pointer_q          <= pointer_d;
        reports_q          <= reports_d;
        counts_q           <= counts_d;
        children_q         <= children_d;
        children_refused_q <= children_refused_d;
        launches_q         <= launches_d;
        interrupt_q        <= interrupt_d;
        interrupt_queue_q  <= interrupt_queue_d;
        interrupt_word_q   <= interrupt_word_d;
        if (rst) begin
            turn_q             <= 3'd0;
            call_valid_q       <= 1'b0;
            task_ready_q       <= {SE_COUNT{1'b0}};
            step_q             <= SUBMIT_REST;
            host_done_q        <= 1'b0;
            read_q             <= {X{1'b0}};
            pointer_q          <= 32'd0;
            reports_q          <= {ALL{1'b0}};
            counts_q           <= {9*32{1'b0}};
            children_q         <= 32'd0;
            children_refused_q <= 32'd0;
            launches_q         <= 32'd0;
            interrupt_q        <= 1'b0;
        end
    end

    // formal: maxsteps=4 params=PIPES=2,QUEUES=2,EPOCHS=2,SE_COUNT=2,ENTRIES=4
`ifdef FORMAL
`include "totem_submit_properties.vh"
`endif
endmodule

`default_nettype wire
