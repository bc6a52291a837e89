// SPDX-License-Identifier: Apache-2.0
//
// totem_rv32_unit: one PicoRV32 with its cache and its data path, and the course of a wave on it.
//
// Policy    a wave is loaded (what the state RAM says of it), its program's header is read and checked, the core runs
//           from its reset on until the program ends, an error occurs or a kill comes. Then every access that has
//           begun ends, an error is recorded, and the wave is done.
// Boundary  the core is in reset but while its wave runs, so nothing of a wave is left in it but register values.

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
    localparam E = $clog2(EPOCHS);
    localparam [2:0] IDLE = 3'd0, LOAD = 3'd1, HEADER = 3'd2, CHECK = 3'd3, RUN = 3'd4, DRAIN = 3'd5, RECORD = 3'd6,
                     DONE = 3'd7;
    // Words of the state RAM (totem_rv32_accept.v).
    localparam [4:0] GROUP = 5'd18, SIZES = 5'd22, PROGRAM = 5'd23;
    localparam [3:0] JUMP = 4'd1, MISALIGNED = 4'd2, ILLEGAL = 4'd3, ACCESS = 4'd4, BAD_HEADER = 4'd5, BAD_LDS = 4'd7;
    localparam [31:0] BOOT = 32'hF0FF0000, STACK = 32'hF0020000 + PRIVATE * 4;
    localparam [4:0] T0 = 5'd5;

    reg [2:0]       state_q, state_d;
    reg [4:0]       word_q, word_d;         // of the state RAM, while it is loaded
    reg [S-1:0]     slot_q, slot_d;
    reg [OWNER-1:0] owner_q, owner_d;
    reg             killed_q, killed_d;
    reg [31:0]      program_q, program_d;
    reg             range_q, range_d;       // the program's address is one of this machine
    reg [6:0]       waves_q, waves_d;
    reg [31:0]      lds_q, lds_d;
    reg             boot_q, boot_d;         // the core has not reached the program yet
    reg             out_q, out_d;           // it has asked for an instruction outside, and for none inside since then
    reg [31:0]      out_addr_q, out_addr_d;
    reg             error_q, error_d;
    reg [3:0]       code_q, code_d;
    reg [31:0]      addr_q, addr_d;

    wire        run = state_q == RUN;
    wire        trap, mem_valid, mem_instr, la_read;
    wire [31:0] mem_addr, mem_wdata, la_addr;
    wire [3:0]  mem_wstrb;
    wire        fetch_ready, fetch_busy, fetch_failed, header_done, header_good, fetch_read;
    wire [31:0] fetch_word, size, entry, fetch_read_addr;
    wire        data_ready, data_busy, data_error, data_read, data_state, leave;
    wire [31:0] data_word, data_addr, data_read_addr;
    wire [3:0]  data_code;

    // The first instructions jump to the entry; the core's own reset address is a constant.
    wire [31:0] target  = program_q + entry;
    wire [31:0] jump    = mem_addr[2] ? {target[11:0], T0, 3'b000, 5'd0, 7'h67} :
                          {target[31:12] + {19'd0, target[11]}, T0, 7'h37};
    wire        instr   = run && mem_valid && mem_instr;
    wire        booting = boot_q && mem_addr[31:3] == BOOT[31:3];
    wire [31:0] offset  = mem_addr - program_q;
    wire        inside  = offset < size;
    wire        ready   = mem_instr ? instr && (booting || !inside || fetch_ready) : data_ready;
    wire [31:0] rdata   = !mem_instr ? data_word : booting ? jump : inside ? fetch_word : 32'd0;
    // First the header's line, then the program as a whole.
    wire [31:0] end_at  = program_q + (state_q == CHECK ? size - 32'd1 : 32'd31);
    wire        allowed = program_q[31:2] >= window_low[31:2] && end_at[31:2] <= window_high[31:2];
    wire        unused  = &{1'b0, end_at[1:0]};
    wire        fits    = lds_q <= LDS * 4;
    wire        hit     = kill_valid && {kill_fe, kill_pipe, kill_queue} == owner_d[OWNER-1:E] &&
                          kill_epochs[owner_d[E-1:0]];

    /* verilator lint_off PINCONNECTEMPTY */
    picorv32 #(.ENABLE_COUNTERS(0), .ENABLE_COUNTERS64(0), .BARREL_SHIFTER(1), .ENABLE_FAST_MUL(1), .ENABLE_DIV(1),
               .CATCH_MISALIGN(1), .CATCH_ILLINSN(1), .REGS_INIT_ZERO(1), .PROGADDR_RESET(BOOT),
               .STACKADDR(STACK)) core (
        .clk(clk), .resetn(run), .trap(trap),
        .mem_valid(mem_valid), .mem_instr(mem_instr), .mem_ready(ready), .mem_addr(mem_addr), .mem_wdata(mem_wdata),
        .mem_wstrb(mem_wstrb), .mem_rdata(rdata),
        .mem_la_read(la_read), .mem_la_write(), .mem_la_addr(la_addr), .mem_la_wdata(), .mem_la_wstrb(),
        .pcpi_valid(), .pcpi_insn(), .pcpi_rs1(), .pcpi_rs2(), .pcpi_wr(1'b0), .pcpi_rd(32'd0), .pcpi_wait(1'b0),
        .pcpi_ready(1'b0), .irq(32'd0), .eoi(), .trace_valid(), .trace_data());
    /* verilator lint_on PINCONNECTEMPTY */

    totem_rv32_fetch #(.LINES(LINES)) fetch (
        .clk(clk), .rst(rst),
        .ahead_valid(la_read), .ahead_addr(la_addr), .fetch_valid(instr && inside && !booting), .fetch_addr(mem_addr),
        .fetch_ready(fetch_ready), .fetch_word(fetch_word),
        .clear(start), .header_read(state_q == HEADER && !fetch_busy && range_q && fits && allowed),
        .program(program_q), .header_done(header_done), .header_good(header_good), .size(size), .entry(entry),
        .read_valid(fetch_read), .read_addr(fetch_read_addr), .read_take(read_take), .beat_valid(beat_valid),
        .beat_data(beat_data), .beat_error(beat_error), .busy(fetch_busy), .failed(fetch_failed));

    totem_rv32_data #(.CORES(CORES), .PRIVATE(PRIVATE), .TASKS(TASKS)) data (
        .clk(clk), .rst(rst),
        .number(number), .run(run && !trap), .access_valid(mem_valid && !mem_instr), .access_addr(mem_addr),
        .access_data(mem_wdata), .access_strobe(mem_wstrb), .access_ready(data_ready), .access_word(data_word),
        .window_low(window_low), .window_high(window_high), .lds_bytes(lds_q), .waves(waves_q),
        .compute(!owner_q[OWNER-3]),
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
    assign busy          = state_q != IDLE;
    assign done_valid    = state_q == DONE;
    assign slot          = slot_q;
    assign owner         = owner_q;
    assign state_valid   = data_state || state_q == LOAD || state_q == RECORD;
    assign local_addr    = state_q == LOAD ? {8'd0, word_q, 3'd0} : state_q == RECORD ? {8'd0, GROUP, 3'd0} :
                           mem_addr[15:0];
    assign local_wdata   = mem_wdata;
    assign local_strobe  = run ? mem_wstrb : 4'd0;
    assign error_valid   = state_q == RECORD && local_done;
    assign error_code    = code_q;
    assign error_addr    = addr_q;
    assign error_program = program_q;

    always @* begin
        state_d    = state_q;
        word_d     = word_q;
        slot_d     = slot_q;
        owner_d    = owner_q;
        program_d  = program_q;
        range_d    = range_q;
        waves_d    = waves_q;
        lds_d      = lds_q;
        boot_d     = boot_q;
        out_d      = out_q;
        out_addr_d = out_addr_q;
        error_d    = error_q;
        code_d     = code_q;
        addr_d     = addr_q;
        case (state_q)
            IDLE: begin
                word_d  = PROGRAM;
                boot_d  = 1'b1;
                out_d   = 1'b0;
                error_d = 1'b0;
                slot_d  = start_slot;
                owner_d = start_owner;
                if (start)
                    state_d = LOAD;
            end
            LOAD: if (local_done) begin
                if (word_q == PROGRAM) begin
                    program_d = local_data[31:0];
                    range_d   = !local_data[63];
                    word_d    = SIZES;
                end else begin
                    waves_d = local_data[6:0];
                    lds_d   = local_data[63:32];
                    state_d = HEADER;
                end
            end
            HEADER: begin
                if (!range_q || !fits || !allowed) begin
                    error_d = 1'b1;
                    code_d  = !range_q ? BAD_HEADER : !fits ? BAD_LDS : ACCESS;
                    addr_d  = program_q;
                    state_d = DRAIN;
                end
                if (header_done)
                    state_d = CHECK;
            end
            CHECK: begin
                state_d = RUN;
                if (!header_good || !allowed) begin
                    error_d = 1'b1;
                    code_d  = header_good ? ACCESS : BAD_HEADER;
                    addr_d  = program_q;
                    state_d = DRAIN;
                end
            end
            RUN: begin
                // A core asks ahead: for the word behind a jump, and for the one behind a word outside.
                if (instr && ready && !booting) begin
                    if (inside)
                        boot_d = 1'b0;
                    if (!out_q || mem_addr != out_addr_q + 32'd4) begin
                        out_d      = !inside;
                        out_addr_d = mem_addr;
                    end
                end
                if (leave)
                    state_d = DRAIN;
                if (trap) begin
                    error_d = 1'b1;
                    code_d  = mem_valid && !mem_instr ? MISALIGNED : out_q ? JUMP : ILLEGAL;
                    addr_d  = mem_valid && !mem_instr ? mem_addr : out_q ? out_addr_q : mem_addr - 32'd4;
                    state_d = DRAIN;
                end
                if (data_error) begin
                    error_d = 1'b1;
                    code_d  = data_code;
                    addr_d  = data_addr;
                    state_d = DRAIN;
                end
            end
            DRAIN: if (!fetch_busy && !data_busy) state_d = error_q ? RECORD : DONE;
            RECORD: if (local_done) state_d = DONE;
            default: if (done_take) state_d = IDLE;
        endcase
        // A line that has not come, and a store that is refused late, end the wave at any time.
        if ((fetch_failed || (data_error && !run)) && !error_q) begin
            error_d = 1'b1;
            code_d  = ACCESS;
            addr_d  = fetch_failed ? fetch_read_addr : data_addr;
            state_d = DRAIN;
        end
        killed_d = busy ? killed_q || hit : start && hit;
        if (killed_q && (state_q == LOAD || state_q == HEADER || state_q == CHECK || state_q == RUN))
            state_d = DRAIN;
    end

    always @(posedge clk) begin
        state_q    <= state_d;
        word_q     <= word_d;
        slot_q     <= slot_d;
        owner_q    <= owner_d;
        killed_q   <= killed_d;
        program_q  <= program_d;
        range_q    <= range_d;
        waves_q    <= waves_d;
        lds_q      <= lds_d;
        boot_q     <= boot_d;
        out_q      <= out_d;
        out_addr_q <= out_addr_d;
        error_q    <= error_d;
        code_q     <= code_d;
        addr_q     <= addr_d;
        if (rst) begin
            state_q  <= IDLE;
            killed_q <= 1'b0;
        end
    end
endmodule

`default_nettype wire
