// SPDX-License-Identifier: Apache-2.0
//
// totem_rv32_answers: sends done, tasks and errors of cores and queues, one at a time; holds the host's page.
//
// Policy    done: cores first (a core is busy for many clocks before its next done), then waves that a kill dropped,
//           then geometry. Tasks: the lowest core that asks keeps the port until its answer.
// Latency   one clock from the end of a wave to done_valid, and from a request to task_valid.
// Boundary  a dropped wave leaves the queue only in a clock in which no wave starts, so the head does not change.

`default_nettype none

module totem_rv32_answers #(
    parameter QUEUES = 8,
    parameter EPOCHS = 8,
    parameter SLOTS  = 64,
    parameter CORES  = 4,
    parameter LDS    = 1024,
    parameter PRIVATE = 512,
    parameter GRAPHICS = 1,
    parameter S      = $clog2(SLOTS),       // these follow, and are not to be set
    parameter OWNER  = 4 + $clog2(QUEUES) + $clog2(EPOCHS)
) (
    input  wire                      clk,
    input  wire                      rst,
    // cores
    input  wire [CORES-1:0]          busy,
    input  wire [CORES*S-1:0]        slot,
    input  wire [CORES*OWNER-1:0]    owner,
    input  wire [CORES-1:0]          unit_done,
    output wire [CORES-1:0]          unit_take,
    input  wire [CORES-1:0]          unit_task,
    input  wire [CORES*32-1:0]       unit_pointer,
    output wire [CORES-1:0]          unit_task_done,
    input  wire [CORES-1:0]          error_valid,       // one at a time
    input  wire [CORES*4-1:0]        error_code,
    input  wire [CORES*32-1:0]       error_addr,
    input  wire [CORES*32-1:0]       error_program,
    input  wire [63:0]               error_group,
    // queue
    input  wire [S:0]                count,
    input  wire                      head_take,
    input  wire                      drop_valid,
    input  wire [S-1:0]              drop_slot,
    output wire                      drop_take,
    // export
    input  wire [S:0]                exports,
    input  wire                      gone_valid,
    input  wire [S-1:0]              gone_slot,
    output wire                      gone_take,
    output wire                      export_enable,
    output wire [19:0]               export_pixels,
    output wire [31:0]               window_low,
    output wire [31:0]               window_high,
    // retire
    output wire                      done_valid,
    output wire [S-1:0]              done_slot,
    // submit
    output wire                      task_valid,
    output wire [31:0]               task_pointer,
    output wire [1:0]                task_fe,
    output wire [1:0]                task_pipe,
    output wire [$clog2(QUEUES)-1:0] task_queue,
    output wire [$clog2(EPOCHS)-1:0] task_epoch,
    input  wire                      task_ready,
    // host
    input  wire                      host_valid,
    input  wire                      host_write,
    input  wire [7:0]                host_dword,
    input  wire [3:0]                host_strobe,
    input  wire [31:0]               host_data,
    output wire                      host_done,
    output wire [4:0]                host_error,
    output wire [31:0]               host_rdata
);
    localparam Q = $clog2(QUEUES);
    localparam E = $clog2(EPOCHS);

    reg             done_q, done_d;
    reg [S-1:0]     done_slot_q, done_slot_d;
    reg             task_q, task_d;
    reg [CORES-1:0] asker_q, asker_d;
    reg [31:0]      pointer_q, pointer_d;
    reg [OWNER-1:0] task_owner_q, task_owner_d, bad_owner;
    reg [3:0]       bad_code;
    reg [31:0]      bad_addr, bad_program;
    reg [S-1:0]     bad_slot;
    reg [7:0]       running;
    integer         n;

    assign unit_take      = unit_done & (~unit_done + 1'b1);
    assign drop_take      = unit_done == 0 && drop_valid && !head_take;
    assign gone_take      = unit_done == 0 && !drop_take && gone_valid;
    assign unit_task_done = task_q && task_ready ? asker_q : {CORES{1'b0}};
    assign done_valid     = done_q;
    assign done_slot      = done_slot_q;
    assign task_valid     = task_q;
    assign task_pointer   = pointer_q;
    assign {task_fe, task_pipe, task_queue, task_epoch} = task_owner_q;

    wire [3:0] bad_fe    = {2'd0, bad_owner[OWNER-1 -: 2]};
    wire [3:0] bad_pipe  = {2'd0, bad_owner[OWNER-3 -: 2]};
    wire [3:0] bad_queue = {{4-Q{1'b0}}, bad_owner[E +: Q]};
    wire [3:0] bad_epoch = {{4-E{1'b0}}, bad_owner[E-1:0]};

    totem_rv32_host #(.CORES(CORES), .LDS(LDS), .PRIVATE(PRIVATE), .GRAPHICS(GRAPHICS), .SLOT_BITS(S)) host (
        .clk(clk), .rst(rst),
        .host_valid(host_valid), .host_write(host_write), .host_dword(host_dword), .host_strobe(host_strobe),
        .host_data(host_data), .host_done(host_done), .host_error(host_error), .host_rdata(host_rdata),
        .running(running), .queued({{7-S{1'b0}}, count} + {{7-S{1'b0}}, exports}), .done(done_q),
        .error_valid(error_valid != 0), .error_code(bad_code), .error_addr(bad_addr), .error_program(bad_program),
        .error_slot(bad_slot), .error_owner({bad_epoch, bad_queue, bad_pipe, bad_fe}), .error_group(error_group),
        .window_low(window_low), .window_high(window_high), .export_enable(export_enable),
        .export_pixels(export_pixels));

    always @* begin
        done_d      = unit_done != 0 || drop_take || gone_take;
        done_slot_d = drop_take ? drop_slot : gone_slot;
        running     = 8'd0;
        bad_code    = error_code[3:0];
        bad_addr    = error_addr[31:0];
        bad_program = error_program[31:0];
        bad_slot    = slot[S-1:0];
        bad_owner   = owner[OWNER-1:0];
        task_d       = task_q && !task_ready;
        asker_d      = asker_q;
        pointer_d    = pointer_q;
        task_owner_d = task_owner_q;
        if (!task_q && unit_task != 0) begin
            task_d  = 1'b1;
            asker_d = unit_task & (~unit_task + 1'b1);
        end
        for (n = 0; n < CORES; n = n + 1) begin
            if (unit_take[n])
                done_slot_d = slot[n*S +: S];
            if (busy[n])
                running = running + 8'd1;
            if (!task_q && asker_d[n]) begin
                pointer_d    = unit_pointer[n*32 +: 32];
                task_owner_d = owner[n*OWNER +: OWNER];
            end
            if (error_valid[n]) begin
                bad_code    = error_code[n*4 +: 4];
                bad_addr    = error_addr[n*32 +: 32];
                bad_program = error_program[n*32 +: 32];
                bad_slot    = slot[n*S +: S];
                bad_owner   = owner[n*OWNER +: OWNER];
            end
        end
    end

    always @(posedge clk) begin
        done_q       <= done_d;
        done_slot_q  <= done_slot_d;
        task_q       <= task_d;
        asker_q      <= asker_d;
        pointer_q    <= pointer_d;
        task_owner_q <= task_owner_d;
        if (rst) begin
            done_q <= 1'b0;
            task_q <= 1'b0;
        end
    end
endmodule

`default_nettype wire
