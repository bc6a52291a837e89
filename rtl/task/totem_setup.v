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

module totem_setup #(
    parameter PIPES   = 2,                  // 1 or 2
    parameter QUEUES  = 8,                  // a power of two, 2 to 8
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
    // roll
    input  wire                         roll_relay_valid,
    input  wire                         roll_relay_write,
    input  wire                         roll_relay_pipe,
    input  wire [$clog2(QUEUES)-1:0]    roll_relay_queue,
    input  wire [6:0]                   roll_relay_offset,
    input  wire [31:0]                  roll_relay_data,
    output wire                         relay_done,
    output wire [31:0]                  relay_data,
    // runner
    input  wire [PIPES-1:0]             runner_loading,
    // RAM of metadata
    output wire                         meta_read_enable,
    output wire [$clog2(ENTRIES)+2:0]   meta_read_addr,
    input  wire [63:0]                  meta_read_data,
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
    localparam Q = $clog2(QUEUES);
    localparam N = $clog2(ENTRIES);

    generate
        if (PIPES < 1 || PIPES > 2 || QUEUES < 2 || QUEUES > 8 || QUEUES != (1 << Q) || ENTRIES < 2 || ENTRIES > 4096
            || ENTRIES != (1 << N)) begin : check
            totem_setup_needs_sizes_as_its_parameters_say refused ();
        end
    endgenerate

    localparam [3:0] REST = 4'd0, READ = 4'd1, TAKE = 4'd2, WRITE = 4'd3, DRAIN = 4'd4, SEND = 4'd5, PAUSE = 4'd6,
                     DONE = 4'd7, RELAY = 4'd8, HEAR = 4'd9, TOLD = 4'd10;
    localparam [4:0] LAST = 5'd22, BEFORE = 5'd12, BEHIND = 5'd17;      // the restart state lies between

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

    reg [2:0]  source;
    reg [6:0]  offset;
    reg [31:0] value;
    always @* begin
        source = 3'd0;
        offset = 7'd0;
        value  = 32'd0;
        case (step_q)
            5'd0:  {source, offset, value} = {3'd7, 7'h0c, w[39:8]};
            5'd1:  {source, offset, value} = {3'd7, 7'h0d, 32'd0};
            5'd2:  {source, offset, value} = {3'd1, 7'h01, w[31:0]};
            5'd3:  {source, offset, value} = {3'd1, 7'h02, 16'd0, w[47:32]};
            5'd4:  {source, offset, value} = {3'd1, 7'h03, 16'd0, w[63:48]};
            5'd5:  {source, offset, value} = {3'd2, 7'h07, 16'd0, w[31:16]};
            5'd6:  {source, offset, value} = {3'd2, 7'h08, 16'd0, w[47:32]};
            5'd7:  {source, offset, value} = {3'd2, 7'h09, 16'd0, w[63:48]};
            5'd8:  {source, offset, value} = {3'd2, 7'h12, 26'd0, vgprs};
            5'd9:  {source, offset, value} = {3'd3, 7'h13, 8'd0, blocks, 9'd0, 5'd2, 1'b0};
            5'd10: {source, offset, value} = {3'd0, 7'h40, w[23:0], 8'd0};
            5'd11: {source, offset, value} = {3'd0, 7'h41, 24'd0, w[31:24]};
            5'd12: {offset, value} = {7'h00, 32'h8005};
            5'd13: offset = 7'h1b;
            5'd14: offset = 7'h1c;
            5'd15: offset = 7'h1d;
            5'd16: offset = 7'h22;
            5'd17: {offset, value} = {7'h16, 32'hffffffff};
            5'd18: {offset, value} = {7'h17, 32'hffffffff};
            5'd19: {offset, value} = {7'h19, 32'hffffffff};
            5'd20: {offset, value} = {7'h1a, 32'hffffffff};
            5'd21: offset = 7'h18;
            5'd22: offset = 7'h28;
            default: ;
        endcase
    end

    wire [1:0] of_pipe = 2'd1 << pipe_q;
    wire       relays  = phase_q == RELAY;
    assign done             = phase_q == DONE;
    assign meta_read_enable = phase_q == READ;
    assign meta_read_addr   = {entry_q, source};
    assign mark_valid       = of_pipe[PIPES-1:0] & {PIPES{phase_q == WRITE && step_q == 5'd0}};
    assign mark_data        = {word_q[54:52], word_q[60:55]};
    assign bank_valid       = of_pipe[PIPES-1:0] & {PIPES{phase_q == WRITE || relays}};
    assign bank_queue       = queue_q;
    assign bank_write       = !relays || write_q;
    assign bank_offset      = relays ? offset_q : offset;
    assign bank_data        = relays ? word_q[31:0] : value;
    assign relay_done       = phase_q == TOLD;
    assign relay_data       = word_q[31:0];
    assign load_valid       = of_pipe[PIPES-1:0] & {PIPES{phase_q == SEND}};
    assign load_queue       = queue_q;
    assign load_kind        = LOAD_ACTIVE;
    assign load_data        = 40'd7;

    wire ready = |(bank_ready & of_pipe[PIPES-1:0]);
    wire heard = |(bank_answer & of_pipe[PIPES-1:0]);
    wire busy  = |(runner_loading & of_pipe[PIPES-1:0]);
    wire unused = &{1'b0, of_pipe, below[2:0], bytes[8:0]};

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
            REST:
                if (task_setup_valid) begin
                    pipe_d  = task_setup_pipe;
                    queue_d = task_setup_queue;
                    entry_d = task_setup_entry;
                    resume_d = task_setup_resume;
                    step_d  = 5'd0;
                    phase_d = READ;
                end else if (roll_relay_valid) begin
                    pipe_d   = roll_relay_pipe;
                    queue_d  = roll_relay_queue;
                    write_d  = roll_relay_write;
                    offset_d = roll_relay_offset;
                    word_d   = {32'd0, roll_relay_data};
                    phase_d  = RELAY;
                end
            READ:
                if (!busy)
                    phase_d = TAKE;
            TAKE: begin
                word_d  = meta_read_data;
                phase_d = WRITE;
            end
            WRITE:
                if (ready) begin
                    step_d = (step_q == BEFORE && resume_q) ? BEHIND : step_q + 5'd1;
                    if (step_q >= LAST)
                        phase_d = DRAIN;
                    else if (step_q == 5'd1 || step_q == 5'd4 || step_q == 5'd8 || step_q == 5'd9)
                        phase_d = READ;
                end
            DRAIN:
                if (ready)
                    phase_d = SEND;
            SEND:    phase_d = PAUSE;
            PAUSE:   phase_d = DONE;
            RELAY:
                if (ready)
                    phase_d = write_q ? TOLD : HEAR;
            HEAR:
                if (heard) begin
                    word_d  = {32'd0, bank_read_data[(PIPES == 2 && pipe_q ? 32 : 0) +: 32]};
                    phase_d = TOLD;
                end
            default: phase_d = REST;        // DONE, TOLD
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
            phase_q <= REST;
            step_q  <= 5'd0;
        end
    end

`ifdef FORMAL
`include "totem_setup_properties.vh"
`endif
endmodule

`default_nettype wire
