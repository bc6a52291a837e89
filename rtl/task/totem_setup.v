// SPDX-License-Identifier: Apache-2.0
//
// totem_setup: writes the task registers of a queue from the fields of a descriptor.
//
// Policy    23 registers one after the other, as a preload writes them, then a load word: an unfinished grid of which
//           nothing is granted. It begins when the bank reads nothing.
// Latency   60 clocks from the request to `done` if nothing else wants the bank.
// Boundary  one request at a time, of either pipe; the owner holds it until `done`.
// Cost      $clog2(QUEUES)+$clog2(ENTRIES)+73 flip-flops.
// Proved    23 writes of the request's queue, each offered until taken, then one load word and one `done` (2).
// Twin      cmodel/task/totem_setup.c, same names.

`default_nettype none
`include "totem_pm4.vh"

module totem_setup #(
    parameter PIPES   = 2,                  // 1 or 2
    parameter QUEUES  = 8,                  // a power of two, 2 to 8
    parameter SE_COUNT = 4,                 // 1 to 4
    parameter ENTRIES = 64                  // a power of two, 2 to 4096
) (
    input  wire                         clk,
    input  wire                         rst,
    // task
    input  wire                         task_setup_valid,
    input  wire                         task_setup_pipe,
    input  wire [$clog2(QUEUES)-1:0]    task_setup_queue,
    input  wire [$clog2(ENTRIES)-1:0]   task_setup_entry,
    input  wire                         task_setup_resume,
    output wire                         done,
    // spill
    input  wire                         spill_relay_valid,
    input  wire                         spill_relay_write,
    input  wire                         spill_relay_pipe,
    input  wire [$clog2(QUEUES)-1:0]    spill_relay_queue,
    input  wire [6:0]                   spill_relay_offset,
    input  wire [31:0]                  spill_relay_data,
    output wire                         relay_done,
    output wire [31:0]                  relay_data,
    // runner
    input  wire [PIPES-1:0]             runner_loading,
    // RAM of metadata
    output wire                         tmd_read_enable,
    output wire [$clog2(ENTRIES)+2:0]   tmd_read_addr,
    input  wire [63:0]                  tmd_read_data,
    // task_bank
    output wire [PIPES-1:0]             mark_valid,
    output wire [8:0]                   mark_data,
    output wire [PIPES-1:0]             bank_valid,
    output wire                         bank_write,
    output wire [$clog2(QUEUES)-1:0]    bank_queue,
    output wire [6:0]                   bank_offset,
    output wire [31:0]                  bank_data,
    input  wire [PIPES-1:0]             bank_ready,
    input  wire [PIPES-1:0]             bank_answer,
    input  wire [PIPES*32-1:0]          bank_read_data,
    output wire [PIPES-1:0]             load_valid,
    output wire [$clog2(QUEUES)-1:0]    load_queue,
    output wire [4:0]                   load_kind,
    output wire [39:0]                  load_data
);
`include "totem_hqd_values.vh"
`include "totem_tmd_load_values.vh"
`include "totem_setup_values.vh"
    localparam Q = $clog2(QUEUES);
    localparam N = $clog2(ENTRIES);

    generate
        if (PIPES < 1 || PIPES > 2 || QUEUES < 2 || QUEUES > 8 || QUEUES != (1 << Q) || ENTRIES < 2 || ENTRIES > 4096
            || SE_COUNT < 1 || SE_COUNT > 4 || ENTRIES != (1 << N)) begin : check
            totem_setup_needs_sizes_as_its_parameters_say refused ();
        end
    endgenerate

    localparam [4:0] LAST = 5'd22, BEFORE = 5'd16, BEHIND = 5'd21;      // the restart state lies between

    reg [3:0]   phase_q, phase_d;
    reg [4:0]   step_q, step_d;
    reg         pipe_q, pipe_d;
    reg [Q-1:0] queue_q, queue_d;
    reg [N-1:0] entry_q, entry_d;
    reg [63:0]  word_q, word_d;
    reg         resume_q, resume_d;
    reg         write_q, write_d;
    reg [6:0]   offset_q, offset_d;

    // Registers that reset leaves alone read 0 at start, as in the model.
    initial begin
        phase_q = 0; step_q = 0; pipe_q = 0; queue_q = 0; entry_q = 0; word_q = 0; resume_q = 0; write_q = 0;
        offset_q = 0;
    end

    // Fields as registers.
    wire [63:0] w      = word_q;
    wire [8:0]  below  = w[8:0] - 9'd1;
    wire [5:0]  vgprs  = (w[8:0] == 9'd0) ? 6'd0 : below[8:3];
    wire [18:0] bytes  = {1'b0, w[63:46]} + 19'd511;
    wire [8:0]  blocks = bytes[18] ? 9'd511 : bytes[17:9];
    wire [3:0]  disabled = (&w[9 +: SE_COUNT]) ? 4'd0 : w[12:9];

    reg [2:0]  source;
    reg [9:0]  number;
    reg [31:0] value;
    always @* begin
        source   = META_POINTER;
        number = `TOTEM_SH_COMPUTE_FIRST;
        value    = 32'd0;
        case (step_q)
            5'd0:  {source, number, value} = {META_PROGRAM, `TOTEM_SH_COMPUTE_PGM_LO, w[39:8]};
            5'd1:  {source, number, value} = {META_PROGRAM, `TOTEM_SH_COMPUTE_PGM_HI, 24'd0, w[47:40]};
            5'd2:  {source, number, value} = {META_GRID, `TOTEM_SH_COMPUTE_DIM_X, w[31:0]};
            5'd3:  {source, number, value} = {META_GRID, `TOTEM_SH_COMPUTE_DIM_Y, 16'd0, w[47:32]};
            5'd4:  {source, number, value} = {META_GRID, `TOTEM_SH_COMPUTE_DIM_Z, 16'd0, w[63:48]};
            5'd5:  {source, number, value} = {META_BLOCK, `TOTEM_SH_COMPUTE_NUM_THREAD_X, 16'd0, w[31:16]};
            5'd6:  {source, number, value} = {META_BLOCK, `TOTEM_SH_COMPUTE_NUM_THREAD_Y, 16'd0, w[47:32]};
            5'd7:  {source, number, value} = {META_BLOCK, `TOTEM_SH_COMPUTE_NUM_THREAD_Z, 16'd0, w[63:48]};
            5'd8: begin
                {source, number} = {META_BLOCK, `TOTEM_SH_COMPUTE_PGM_RSRC1};
                value[`TOTEM_COMPUTE_PGM_RSRC1_VGPRS] = vgprs;
            end
            5'd9:  {source, number, value} = {META_BLOCK, `TOTEM_SH_COMPUTE_STATIC_THREAD_MGMT_SE0, {32{!disabled[0]}}};
            5'd10: {source, number, value} = {META_BLOCK, `TOTEM_SH_COMPUTE_STATIC_THREAD_MGMT_SE1, {32{!disabled[1]}}};
            5'd11: {source, number, value} = {META_BLOCK, `TOTEM_SH_COMPUTE_STATIC_THREAD_MGMT_SE2, {32{!disabled[2]}}};
            5'd12: {source, number, value} = {META_BLOCK, `TOTEM_SH_COMPUTE_STATIC_THREAD_MGMT_SE3, {32{!disabled[3]}}};
            5'd13: begin
                {source, number} = {META_RELEASE0, `TOTEM_SH_COMPUTE_PGM_RSRC2};
                value[`TOTEM_COMPUTE_PGM_RSRC2_USER_SGPR] = 5'd2;
                value[`TOTEM_COMPUTE_PGM_RSRC2_LDS_SIZE]  = blocks;
            end
            5'd14: {number, value} = {`TOTEM_SH_COMPUTE_USER_DATA_0, w[23:0], 8'd0};
            5'd15: {number, value} = {`TOTEM_SH_COMPUTE_USER_DATA_0 + 10'd1, 24'd0, w[31:24]};
            5'd16: begin
                number = `TOTEM_SH_COMPUTE_DISPATCH_INITIATOR;
                value[`TOTEM_COMPUTE_DISPATCH_INITIATOR_COMPUTE_SHADER_EN]  = 1'b1;
                value[`TOTEM_COMPUTE_DISPATCH_INITIATOR_FORCE_START_AT_000] = 1'b1;
                value[`TOTEM_COMPUTE_DISPATCH_INITIATOR_CS_W32_EN]          = 1'b1;
            end
            5'd17: number = `TOTEM_SH_COMPUTE_RESTART_X;
            5'd18: number = `TOTEM_SH_COMPUTE_RESTART_Y;
            5'd19: number = `TOTEM_SH_COMPUTE_RESTART_Z;
            5'd20: number = `TOTEM_SH_COMPUTE_RELAUNCH;
            5'd21: number = `TOTEM_SH_COMPUTE_TMPRING_SIZE;
            5'd22: number = `TOTEM_SH_COMPUTE_STATIC_THREAD_MGMT_SE7;   // RSRC3
            default: ;
        endcase
    end

    wire [1:0] of_pipe = 2'd1 << pipe_q;
    wire       relays  = phase_q == SETUP_RELAY;
    assign done             = phase_q == SETUP_DONE;
    assign tmd_read_enable = phase_q == SETUP_READ;
    assign tmd_read_addr   = {entry_q, source};
    assign mark_valid       = of_pipe[PIPES-1:0] & {PIPES{phase_q == SETUP_WRITE && step_q == 5'd0}};
    assign mark_data        = {word_q[54:52], word_q[60:55]};
    assign bank_valid       = of_pipe[PIPES-1:0] & {PIPES{phase_q == SETUP_WRITE || relays}};
    assign bank_queue       = queue_q;
    assign bank_write       = !relays || write_q;
    assign bank_offset      = relays ? offset_q : number[6:0];
    assign bank_data        = relays ? word_q[31:0] : value;
    assign relay_done       = phase_q == SETUP_TOLD;
    assign relay_data       = word_q[31:0];
    assign load_valid       = of_pipe[PIPES-1:0] & {PIPES{phase_q == SETUP_SEND}};
    assign load_queue       = queue_q;
    assign load_kind        = LOAD_ACTIVE;
    assign load_data        = 40'd7;

    wire ready = |(bank_ready & of_pipe[PIPES-1:0]);
    wire heard = |(bank_answer & of_pipe[PIPES-1:0]);
    wire busy  = |(runner_loading & of_pipe[PIPES-1:0]);
    wire unused = &{1'b0, of_pipe, below[2:0], bytes[8:0], number[9:7]};

    always @* begin
        phase_d = phase_q;
        step_d  = step_q;
        pipe_d  = pipe_q;
        queue_d = queue_q;
        entry_d = entry_q;
        word_d  = word_q;
        resume_d = resume_q;
        write_d = write_q;
        offset_d = offset_q;
        case (phase_q)
            // 1 Request
            SETUP_REST:
                if (task_setup_valid) begin
                    pipe_d  = task_setup_pipe;
                    queue_d = task_setup_queue;
                    entry_d = task_setup_entry;
                    resume_d = task_setup_resume;
                    step_d  = 5'd0;
                    phase_d = SETUP_READ;
                end else if (spill_relay_valid) begin
                    pipe_d   = spill_relay_pipe;
                    queue_d  = spill_relay_queue;
                    write_d  = spill_relay_write;
                    offset_d = spill_relay_offset;
                    word_d   = {32'd0, spill_relay_data};
                    phase_d  = SETUP_RELAY;
                end
            // 2 Word
            SETUP_READ:
                if (!busy)
                    phase_d = SETUP_TAKE;
            SETUP_TAKE: begin
                word_d  = tmd_read_data;
                phase_d = SETUP_WRITE;
            end
            // 3 Register
            SETUP_WRITE:
                if (ready) begin
                    step_d = (step_q == BEFORE && resume_q) ? BEHIND : step_q + 5'd1;
                    if (step_q >= LAST)
                        phase_d = SETUP_DRAIN;
                    else if (step_q == 5'd1 || step_q == 5'd4 || step_q == 5'd12 || step_q == 5'd13)
                        phase_d = SETUP_READ;
                end
            // 4 End
            SETUP_DRAIN:
                if (ready)
                    phase_d = SETUP_SEND;
            SETUP_SEND:    phase_d = SETUP_PAUSE;
            SETUP_PAUSE:   phase_d = SETUP_DONE;
            // 5 Relay
            SETUP_RELAY:
                if (ready)
                    phase_d = write_q ? SETUP_TOLD : SETUP_HEAR;
            SETUP_HEAR:
                if (heard) begin
                    word_d  = {32'd0, bank_read_data[(PIPES == 2 && pipe_q ? 32 : 0) +: 32]};
                    phase_d = SETUP_TOLD;
                end
            default: phase_d = SETUP_REST;        // SETUP_DONE, SETUP_TOLD
        endcase
    end

    always @(posedge clk) begin
        phase_q <= phase_d;
        step_q  <= step_d;
        pipe_q  <= pipe_d;
        queue_q <= queue_d;
        entry_q <= entry_d;
        word_q  <= word_d;
        resume_q <= resume_d;
        write_q <= write_d;
        offset_q <= offset_d;
        if (rst) begin
            phase_q <= SETUP_REST;
            step_q  <= 5'd0;
        end
    end

`ifdef FORMAL
`include "totem_setup_properties.vh"
`endif
endmodule

`default_nettype wire
