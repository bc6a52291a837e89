// SPDX-License-Identifier: Apache-2.0
//
// totem_rv32_data: loads and stores of a core: system memory, and the local region from 0xF0000000 on (docs/core.md).
//
// Policy    stores to memory are posted; up to 4 may be unacknowledged. A load waits for those to its 8 bytes. A
//           barrier, a task and the end of the wave wait for all of them.
// Latency   an access starts in its second clock: in the first one the core may still report it as misaligned.
// Boundary  an access to memory that has begun ends, also after an error or a kill; until then `busy` is 1.

`default_nettype none

module totem_rv32_data #(
    parameter CORES   = 4,
    parameter PRIVATE = 512,                // dwords, a power of two
    parameter TASKS   = 1
) (
    input  wire        clk,
    input  wire        rst,
    // core
    input  wire [3:0]  number,
    input  wire        run,                 // the access counts
    input  wire        access_valid,
    input  wire [31:0] access_addr,
    input  wire [31:0] access_data,
    input  wire [3:0]  access_strobe,       // 0: a load
    output reg         access_ready,
    output reg  [31:0] access_word,
    // wave
    input  wire [31:0] window_low,
    input  wire [31:0] window_high,
    input  wire [31:0] lds_bytes,
    input  wire [6:0]  waves,
    input  wire        compute,             // of a compute pipe: it may launch tasks
    // read and write of memory
    output wire        read_valid,
    output wire [31:0] read_addr,
    input  wire        read_take,
    input  wire        beat_valid,
    input  wire [63:0] beat_data,
    input  wire        beat_error,
    output wire        write_valid,
    output wire [31:0] write_addr,
    output wire [31:0] write_data,
    output wire [3:0]  write_strobe,
    input  wire        write_take,
    input  wire        ack_valid,
    input  wire        ack_error,
    // LDS and state RAM
    output reg         lds_valid,
    output reg         state_valid,
    input  wire        local_done,
    input  wire [63:0] local_data,
    // barrier and task
    output wire        arrived,
    input  wire        pass,
    output wire        task_valid,
    output wire [31:0] task_pointer,
    input  wire        task_done,
    input  wire        task_refused,
    // unit
    output reg         leave,               // the wave ends
    output wire        busy,
    output reg         error,
    output reg  [3:0]  error_code,
    output wire [31:0] error_addr
);
    localparam [3:0] ACCESS = 4'd4, BARRIER = 4'd6;
    localparam [1:0] REST = 2'd0, ASK = 2'd1, BEAT = 2'd2;
    localparam [1:0] NO_TASK = 2'd0, OFFER = 2'd1, ANSWERED = 2'd2;
    localparam P = $clog2(PRIVATE);
    // Areas of the local region by address bits 27:16.
    localparam [11:0] LDS = 12'h000, REGISTERS = 12'h001, OWN = 12'h002;
    localparam [15:0] STATE_END = 16'h00C8, AT_BARRIER = 16'h0100, AT_TASK = 16'h0104, AT_END = 16'h0108,
                      AT_CORE = 16'h010C;

    reg        seen_q, seen_d;              // the access stands in its second clock or later
    reg        own_q, own_d;                // private RAM: the word has been read
    reg [1:0]  read_q, read_d;
    reg [31:0] read_addr_q, read_addr_d;
    reg [1:0]  task_q, task_d;
    reg [31:0] pointer_q, pointer_d;
    reg        refused_q, refused_d;
    reg        push, own_write;

    wire        act     = run && access_valid && seen_q;
    wire        store   = access_strobe != 4'd0;
    wire        word    = access_strobe == 4'hF;
    wire        local   = access_addr[31:28] == 4'hF;
    wire [11:0] area    = access_addr[27:16];
    wire [15:0] at      = access_addr[15:0];
    wire        inside  = access_addr[31:2] >= window_low[31:2] && access_addr[31:2] <= window_high[31:2];
    wire        own     = local && area == OWN && {18'd0, at[15:2]} < PRIVATE;
    wire        crowd   = {25'd0, waves} > CORES;    // such a group is never on the cores as a whole
    wire        room, meets, settled;
    wire [31:0] own_word, oldest;

    totem_rv32_stores stores (
        .clk(clk), .rst(rst),
        .push(push), .addr(access_addr), .data(access_data), .strobe(access_strobe), .room(room), .meets(meets),
        .settled(settled), .oldest(oldest),
        .write_valid(write_valid), .write_addr(write_addr), .write_data(write_data), .write_strobe(write_strobe),
        .write_take(write_take), .ack_valid(ack_valid));

    genvar lane;
    generate
        for (lane = 0; lane < 4; lane = lane + 1) begin : lanes
            totem_ram #(.WIDTH(8), .DEPTH(PRIVATE), .MEETS(0)) ram (
                .clk(clk), .write_enable(own_write && access_strobe[lane]), .write_addr(access_addr[2 +: P]),
                .write_data(access_data[lane*8 +: 8]), .read_enable(act && !store), .read_addr(access_addr[2 +: P]),
                .read_data(own_word[lane*8 +: 8]));
        end
    endgenerate

    assign read_valid   = read_q == ASK;
    assign read_addr    = read_addr_q;
    assign task_valid   = task_q == OFFER;
    assign task_pointer = pointer_q;
    assign arrived      = act && local && area == REGISTERS && at == AT_BARRIER && word && !crowd && settled;
    assign busy         = read_q != REST || !settled || task_q == OFFER;
    // An acknowledgement is of the oldest store.
    assign error_addr   = ack_valid && ack_error ? oldest : access_addr;

    wire unused = &{1'b0, window_low[1:0], window_high[1:0]};

    always @* begin
        access_ready = 1'b0;
        access_word  = read_addr_q[2] ? beat_data[63:32] : beat_data[31:0];
        seen_d       = run && access_valid;
        own_d        = 1'b0;
        read_d       = read_q;
        read_addr_d  = read_addr_q;
        task_d       = task_q;
        pointer_d    = pointer_q;
        refused_d    = refused_q;
        lds_valid    = 1'b0;
        state_valid  = 1'b0;
        leave        = 1'b0;
        own_write    = 1'b0;
        error        = 1'b0;
        error_code   = ACCESS;
        push         = 1'b0;

        if (read_q == ASK && read_take)
            read_d = BEAT;
        if (read_q == BEAT && beat_valid)
            read_d = REST;
        if (task_q == OFFER && task_done) begin
            task_d    = ANSWERED;
            refused_d = task_refused;
        end

        if (act) begin
            if (!local) begin
                if (!inside)
                    error = 1'b1;
                else if (store) begin
                    push         = room;
                    access_ready = room;
                end else begin
                    if (read_q == REST && !meets) begin
                        read_d      = ASK;
                        read_addr_d = access_addr;
                    end
                    access_ready = read_q == BEAT && beat_valid && !beat_error;
                    error        = read_q == BEAT && beat_valid && beat_error;
                end
            end else if (area == LDS && {16'd0, at} < lds_bytes) begin
                lds_valid    = 1'b1;
                access_word  = local_data[31:0];
                access_ready = local_done;
            end else if (own) begin
                own_write    = store;
                own_d        = 1'b1;
                access_word  = own_word;
                access_ready = store || own_q;
            end else if (area == REGISTERS && at < STATE_END && !store) begin
                state_valid  = 1'b1;
                access_word  = access_addr[2] ? local_data[63:32] : local_data[31:0];
                access_ready = local_done;
            end else if (area == REGISTERS && at == AT_BARRIER && word) begin
                access_ready = pass;
                error        = crowd;
                if (crowd)
                    error_code = BARRIER;
            end else if (area == REGISTERS && at == AT_TASK && word) begin
                if (task_q == ANSWERED) begin
                    task_d       = NO_TASK;
                    access_ready = 1'b1;
                end else if (task_q == NO_TASK && settled) begin
                    pointer_d = access_data;
                    if (TASKS != 0 && compute && access_data != 32'd0)
                        task_d = OFFER;
                    else begin
                        refused_d    = 1'b1;
                        access_ready = 1'b1;
                    end
                end
            end else if (area == REGISTERS && at == AT_TASK && !store) begin
                access_word  = {31'd0, refused_q};
                access_ready = 1'b1;
            end else if (area == REGISTERS && at == AT_END && word)
                leave = 1'b1;
            else if (area == REGISTERS && at == AT_CORE && !store) begin
                access_word  = {28'd0, number};
                access_ready = 1'b1;
            end else
                error = 1'b1;
        end
        if (access_ready || !run)
            seen_d = 1'b0;
        if (!run) begin
            refused_d = 1'b0;
            if (task_q == ANSWERED)
                task_d = NO_TASK;
        end
        if (ack_valid && ack_error) begin
            error      = 1'b1;
            error_code = ACCESS;
        end
    end

    always @(posedge clk) begin
        seen_q      <= seen_d;
        own_q       <= own_d;
        read_q      <= read_d;
        read_addr_q <= read_addr_d;
        task_q      <= task_d;
        pointer_q   <= pointer_d;
        refused_q   <= refused_d;
        if (rst) begin
            seen_q    <= 1'b0;
            own_q     <= 1'b0;
            read_q    <= REST;
            task_q    <= NO_TASK;
            refused_q <= 1'b0;
        end
    end
endmodule

`default_nettype wire
