// SPDX-License-Identifier: Apache-2.0
//
// totem_rv32_course: the course of a wave on its core.
//
// Policy    the block loads the wave from the state RAM, then reads and checks the header of its program. The core runs
//           from its reset until the program ends, an error occurs or a kill comes. Then every access that has begun
//           ends, an error is recorded, and the wave is done.
// Boundary  `run` is the core's reset, so only register values of a wave remain in the core.

`default_nettype none

module totem_rv32_course #(
    parameter QUEUES  = 8,
    parameter EPOCHS  = 8,
    parameter SLOTS   = 64,
    parameter LDS     = 1024,               // dwords of LDS of a group
    parameter S       = $clog2(SLOTS),      // these follow, and are not to be set
    parameter OWNER   = 4 + $clog2(QUEUES) + $clog2(EPOCHS)
) (
    input  wire                      clk,
    input  wire                      rst,
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
    output wire [31:0]               program,
    output wire [6:0]                waves,
    output wire [31:0]               lds_bytes,
    // state RAM
    output wire                      word_valid,
    output wire [4:0]                word,
    input  wire                      word_done,
    input  wire [63:0]               word_data,
    // header
    output wire                      header_read,
    input  wire                      header_done,
    input  wire                      header_good,
    input  wire [31:0]               size,
    // core
    output wire                      run,
    output wire                      boot,              // the core has not reached the program yet
    input  wire                      trap,
    input  wire                      mem_valid,
    input  wire                      mem_instr,
    input  wire [31:0]               mem_addr,
    input  wire                      instr_take,        // it gets an instruction,
    input  wire                      inside,            // of the program
    input  wire                      leave,
    // accesses
    input  wire                      fetch_busy,
    input  wire                      fetch_failed,
    input  wire [31:0]               fetch_addr,
    input  wire                      data_busy,
    input  wire                      data_error,
    input  wire [3:0]                data_code,
    input  wire [31:0]               data_addr,
    // host
    input  wire [31:0]               window_low,
    input  wire [31:0]               window_high,
    output wire                      error_valid,       // with the group on word_data
    output wire [3:0]                error_code,
    output wire [31:0]               error_addr
);
    localparam E = $clog2(EPOCHS);
    localparam [2:0] IDLE = 3'd0, LOAD = 3'd1, HEADER = 3'd2, CHECK = 3'd3, RUN = 3'd4, DRAIN = 3'd5, RECORD = 3'd6,
                     DONE = 3'd7;
    // Words of the state RAM (totem_rv32_accept.v).
    localparam [4:0] GROUP = 5'd18, SIZES = 5'd22, PROGRAM = 5'd23;
    localparam [3:0] JUMP = 4'd1, MISALIGNED = 4'd2, ILLEGAL = 4'd3, ACCESS = 4'd4, BAD_HEADER = 4'd5, BAD_LDS = 4'd7;

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

    // First the header's line, then the program as a whole.
    wire [31:0] end_at  = program_q + (state_q == CHECK ? size - 32'd1 : 32'd31);
    wire        allowed = program_q[31:2] >= window_low[31:2] && end_at[31:2] <= window_high[31:2];
    wire        fits    = lds_q <= LDS * 4;
    wire        hit     = kill_valid && {kill_fe, kill_pipe, kill_queue} == owner_d[OWNER-1:E] &&
                          kill_epochs[owner_d[E-1:0]];

    assign busy        = state_q != IDLE;
    assign done_valid  = state_q == DONE;
    assign slot        = slot_q;
    assign owner       = owner_q;
    assign program     = program_q;
    assign waves       = waves_q;
    assign lds_bytes   = lds_q;
    assign word_valid  = state_q == LOAD || state_q == RECORD;
    assign word        = state_q == RECORD ? GROUP : word_q;
    assign header_read = state_q == HEADER && !fetch_busy && range_q && fits && allowed;
    assign run         = state_q == RUN;
    assign boot        = boot_q;
    assign error_valid = state_q == RECORD && word_done;
    assign error_code  = code_q;
    assign error_addr  = addr_q;

    wire unused = &{1'b0, end_at[1:0], window_low[1:0], window_high[1:0]};

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
            LOAD: if (word_done) begin
                if (word_q == PROGRAM) begin
                    program_d = word_data[31:0];
                    range_d   = !word_data[63];
                    word_d    = SIZES;
                end else begin
                    waves_d = word_data[6:0];
                    lds_d   = word_data[63:32];
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
                if (instr_take) begin
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
            RECORD: if (word_done) state_d = DONE;
            default: if (done_take) state_d = IDLE;
        endcase
        // A line that has not come, and a store that is refused late, end the wave at any time.
        if ((fetch_failed || (data_error && !run)) && !error_q) begin
            error_d = 1'b1;
            code_d  = ACCESS;
            addr_d  = fetch_failed ? fetch_addr : data_addr;
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
