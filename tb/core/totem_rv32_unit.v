// SPDX-License-Identifier: Apache-2.0
//
// totem_rv32_unit: one PicoRV32 with its cache and its data path, and the course of a wave on it.
//
// Boundary  the core asks for one word at a time, so cache and data path share a read port.

`default_nettype none

module totem_rv32_unit #(
    parameter QUEUES  = 8,
    parameter EPOCHS  = 8,
    parameter SLOTS   = 64,
    parameter CORES   = 4,
    parameter LDS     = 1024,               // dwords of LDS of a group
    parameter PRIVATE = 512,                // dwords of the core alone
    parameter LINES   = 64,
    parameter TASKS   = 1,
    parameter S       = $clog2(SLOTS),      // these follow, and are not to be set
    parameter OWNER   = 4 + $clog2(QUEUES) + $clog2(EPOCHS)
) (
    input  wire                      clk,
    input  wire                      rst,
    input  wire [3:0]                number,        // of the core
    // wave
    input  wire                      start,
    input  wire [S-1:0]              start_slot,
    input  wire [OWNER-1:0]          start_owner,
    input  wire                      kill_valid,
    input  wire [1:0]                kill_fe,
    input  wire [1:0]                kill_pipe,
    input  wire [$clog2(QUEUES)-1:0] kill_queue,
    input  wire [EPOCHS-1:0]         kill_epochs,
    output wire                      busy,
    output wire                      done_valid,
    input  wire                      done_take,
    output wire [S-1:0]              slot,
    output wire [OWNER-1:0]          owner,
    output wire                      arrived,
    input  wire                      pass,
    output wire                      task_valid,
    output wire [31:0]               task_pointer,
    input  wire                      task_done,
    input  wire                      task_refused,
    // host
    input  wire [31:0]               window_low,
    input  wire [31:0]               window_high,
    output wire                      error_valid,   // with the group on local_data
    output wire [3:0]                error_code,
    output wire [31:0]               error_addr,
    output wire [31:0]               error_program,
    // memory
    output wire                      read_valid,
    output wire                      read_line,     // 32 bytes, else 8
    output wire [31:0]               read_addr,
    input  wire                      read_take,
    input  wire                      beat_valid,
    input  wire [63:0]               beat_data,
    input  wire                      beat_error,
    output wire                      write_valid,
    output wire [31:0]               write_addr,
    output wire [31:0]               write_data,
    output wire [3:0]                write_strobe,
    input  wire                      write_take,
    input  wire                      ack_valid,
    input  wire                      ack_error,
    // LDS and state RAM
    output wire                      lds_valid,
    output wire                      state_valid,
    output wire [15:0]               local_addr,
    output wire [31:0]               local_wdata,
    output wire [3:0]                local_strobe,
    input  wire                      local_done,
    input  wire [63:0]               local_data
);
    localparam [31:0] BOOT = 32'hF0FF0000, STACK = 32'hF0020000 + PRIVATE * 4;
    localparam [4:0] T0 = 5'd5;

    wire        run, boot, word_valid;
    wire [4:0]  word;
    wire [31:0] program, lds_bytes;
    wire [6:0]  waves;
    wire        trap, mem_valid, mem_instr, la_read;
    wire [31:0] mem_addr, mem_wdata, la_addr;
    wire [3:0]  mem_wstrb;
    wire        fetch_ready, fetch_busy, fetch_failed, header_read, header_done, header_good, fetch_read;
    wire [31:0] fetch_word, size, entry, fetch_read_addr;
    wire        data_ready, data_busy, data_error, data_read, data_state, leave;
    wire [31:0] data_word, data_addr, data_read_addr;
    wire [3:0]  data_code;

    // The first instructions jump to the entry; the core's own reset address is a constant.
    wire [31:0] target  = program + entry;
    wire [31:0] jump    = mem_addr[2] ? {target[11:0], T0, 3'b000, 5'd0, 7'h67} :
                          {target[31:12] + {19'd0, target[11]}, T0, 7'h37};
    wire        instr   = run && mem_valid && mem_instr;
    wire        booting = boot && mem_addr[31:3] == BOOT[31:3];
    wire [31:0] offset  = mem_addr - program;
    wire        inside  = offset < size;
    wire        ready   = mem_instr ? instr && (booting || !inside || fetch_ready) : data_ready;
    wire [31:0] rdata   = !mem_instr ? data_word : booting ? jump : inside ? fetch_word : 32'd0;

    totem_rv32_course #(.QUEUES(QUEUES), .EPOCHS(EPOCHS), .SLOTS(SLOTS), .LDS(LDS)) course (
        .clk(clk), .rst(rst),
        .start(start), .start_slot(start_slot), .start_owner(start_owner),
        .kill_valid(kill_valid), .kill_fe(kill_fe), .kill_pipe(kill_pipe), .kill_queue(kill_queue),
        .kill_epochs(kill_epochs), .busy(busy), .done_valid(done_valid), .done_take(done_take), .slot(slot),
        .owner(owner), .program(program), .waves(waves), .lds_bytes(lds_bytes),
        .word_valid(word_valid), .word(word), .word_done(local_done), .word_data(local_data),
        .header_read(header_read), .header_done(header_done), .header_good(header_good), .size(size),
        .run(run), .boot(boot), .trap(trap), .mem_valid(mem_valid), .mem_instr(mem_instr), .mem_addr(mem_addr),
        .instr_take(instr && ready && !booting), .inside(inside), .leave(leave),
        .fetch_busy(fetch_busy), .fetch_failed(fetch_failed), .fetch_addr(fetch_read_addr),
        .data_busy(data_busy), .data_error(data_error), .data_code(data_code), .data_addr(data_addr),
        .window_low(window_low), .window_high(window_high),
        .error_valid(error_valid), .error_code(error_code), .error_addr(error_addr));

    picorv32 #(.ENABLE_COUNTERS(0), .ENABLE_COUNTERS64(0), .BARREL_SHIFTER(1), .ENABLE_FAST_MUL(1), .ENABLE_DIV(1),
               .CATCH_MISALIGN(1), .CATCH_ILLINSN(1), .REGS_INIT_ZERO(1), .PROGADDR_RESET(BOOT),
               .STACKADDR(STACK)) core (
        .clk(clk), .resetn(run), .trap(trap),
        .mem_valid(mem_valid), .mem_instr(mem_instr), .mem_ready(ready), .mem_addr(mem_addr), .mem_wdata(mem_wdata),
        .mem_wstrb(mem_wstrb), .mem_rdata(rdata),
        .mem_la_read(la_read), .mem_la_write(), .mem_la_addr(la_addr), .mem_la_wdata(), .mem_la_wstrb(),
        .pcpi_valid(), .pcpi_insn(), .pcpi_rs1(), .pcpi_rs2(), .pcpi_wr(1'b0), .pcpi_rd(32'd0), .pcpi_wait(1'b0),
        .pcpi_ready(1'b0), .irq(32'd0), .eoi(), .trace_valid(), .trace_data());

    totem_rv32_fetch #(.LINES(LINES)) fetch (
        .clk(clk), .rst(rst),
        .ahead_valid(la_read), .ahead_addr(la_addr), .fetch_valid(instr && inside && !booting), .fetch_addr(mem_addr),
        .fetch_ready(fetch_ready), .fetch_word(fetch_word),
        .clear(start), .header_read(header_read),
        .program(program), .header_done(header_done), .header_good(header_good), .size(size), .entry(entry),
        .read_valid(fetch_read), .read_addr(fetch_read_addr), .read_take(read_take), .beat_valid(beat_valid),
        .beat_data(beat_data), .beat_error(beat_error), .busy(fetch_busy), .failed(fetch_failed));

    totem_rv32_data #(.CORES(CORES), .PRIVATE(PRIVATE), .TASKS(TASKS)) data (
        .clk(clk), .rst(rst),
        .number(number), .run(run && !trap), .access_valid(mem_valid && !mem_instr), .access_addr(mem_addr),
        .access_data(mem_wdata), .access_strobe(mem_wstrb), .access_ready(data_ready), .access_word(data_word),
        .window_low(window_low), .window_high(window_high), .lds_bytes(lds_bytes), .waves(waves),
        .compute(!owner[OWNER-3]),
        .read_valid(data_read), .read_addr(data_read_addr), .read_take(read_take),
        .beat_valid(beat_valid && !fetch_busy), .beat_data(beat_data), .beat_error(beat_error),
        .write_valid(write_valid), .write_addr(write_addr), .write_data(write_data), .write_strobe(write_strobe),
        .write_take(write_take), .ack_valid(ack_valid), .ack_error(ack_error),
        .lds_valid(lds_valid), .state_valid(data_state), .local_done(local_done), .local_data(local_data),
        .arrived(arrived), .pass(pass), .task_valid(task_valid), .task_pointer(task_pointer), .task_done(task_done),
        .task_refused(task_refused),
        .leave(leave), .busy(data_busy), .error(data_error), .error_code(data_code), .error_addr(data_addr));

    // Only one of the two reads at a time.
    assign read_valid    = fetch_read || data_read;
    assign read_line     = fetch_read;
    assign read_addr     = fetch_read ? fetch_read_addr : data_read_addr;
    assign state_valid   = data_state || word_valid;
    assign local_addr    = word_valid ? {8'd0, word, 3'd0} : mem_addr[15:0];
    assign local_wdata   = mem_wdata;
    assign local_strobe  = run ? mem_wstrb : 4'd0;
    assign error_program = program;
endmodule

`default_nettype wire
