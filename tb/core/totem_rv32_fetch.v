// SPDX-License-Identifier: Apache-2.0
//
// totem_rv32_fetch: instruction cache of a core, direct mapped, lines of 32 bytes.
//
// Policy    empty at the start of each wave, so each wave reads its program from memory: INVALIDATE of instructions has
//           no effect. Line 0 of a program is its header; this block reads it first and checks it.
// Latency   a hit answers in the clock in which the core asks, because the core gives the address one clock ahead.
// Boundary  every address that the core asks for lies inside the program.

`default_nettype none

module totem_rv32_fetch #(
    parameter LINES = 64                    // a power of two from 2
) (
    input  wire        clk,
    input  wire        rst,
    // core
    input  wire        ahead_valid,
    input  wire [31:0] ahead_addr,          // of the next clock
    input  wire        fetch_valid,
    input  wire [31:0] fetch_addr,
    output wire        fetch_ready,
    output wire [31:0] fetch_word,
    // wave
    input  wire        clear,               // a wave begins: all lines are empty
    input  wire        header_read,         // one clock: line 0 of the program is read
    input  wire [31:0] program,
    output wire        header_done,         // one clock; behind it:
    output wire        header_good,
    output wire [31:0] size,
    output wire [31:0] entry,
    // memory
    output wire        read_valid,
    output wire [31:0] read_addr,
    input  wire        read_take,
    input  wire        beat_valid,
    input  wire [63:0] beat_data,
    input  wire        beat_error,
    output wire        busy,
    output wire        failed               // one clock: the line has not come
);
    localparam L = $clog2(LINES);
    localparam [31:0] MAGIC = 32'h32335652; // "RV32"
    localparam [1:0] REST = 2'd0, ASK = 2'd1, BEATS = 2'd2;

    reg [1:0]       phase_q, phase_d;
    reg [1:0]       beat_q, beat_d;
    reg             error_q, error_d;
    reg             look_q, look_d;         // the RAMs show the word that is asked for
    reg [LINES-1:0] valid_q, valid_d;
    reg [31:5]      line_q, line_d;         // that is read
    reg             header_q, header_d;     // it is the header
    reg             magic_q, magic_d, flags_q, flags_d;
    reg [31:0]      size_q, size_d, entry_q, entry_d;

    wire [63:0]     words;
    wire [31-5-L:0] tag;
    wire [31:0]     look_addr = ahead_valid ? ahead_addr : fetch_addr;
    wire [L-1:0]    index     = fetch_addr[5 +: L];
    wire            hit       = fetch_valid && look_q && valid_q[index] && tag == fetch_addr[31:5+L];
    wire            last      = phase_q == BEATS && beat_valid && beat_q == 2'd3;
    wire            bad       = error_q || beat_error;

    totem_ram #(.WIDTH(64), .DEPTH(LINES*4), .MEETS(1)) data (
        .clk(clk), .write_enable(phase_q == BEATS && beat_valid), .write_addr({line_q[5 +: L], beat_q}),
        .write_data(beat_data), .read_enable(1'b1), .read_addr(look_addr[3 +: L+2]), .read_data(words));
    totem_ram #(.WIDTH(32-5-L), .DEPTH(LINES), .MEETS(1)) tags (
        .clk(clk), .write_enable(last), .write_addr(line_q[5 +: L]), .write_data(line_q[31:5+L]),
        .read_enable(1'b1), .read_addr(look_addr[5 +: L]), .read_data(tag));

    assign fetch_ready = hit;
    assign fetch_word  = fetch_addr[2] ? words[63:32] : words[31:0];
    assign read_valid  = phase_q == ASK;
    assign read_addr   = {line_q, 5'd0};
    assign busy        = phase_q != REST;
    assign failed      = last && bad;
    assign header_done = last && header_q;
    assign header_good = magic_q && flags_q && size_q[4:0] == 5'd0 && entry_q[1:0] == 2'd0 && entry_q >= 32'd32 &&
                         entry_q < size_q && program + (size_q - 32'd1) >= program && program + (size_q - 32'd1) <
                         32'hF0000000;
    assign size        = size_q;
    assign entry       = entry_q;

    wire unused = &{1'b0, look_addr};

    always @* begin
        phase_d  = phase_q;
        beat_d   = beat_q;
        error_d  = error_q;
        valid_d  = clear ? {LINES{1'b0}} : valid_q;
        line_d   = line_q;
        header_d = header_q;
        magic_d  = magic_q;
        flags_d  = flags_q;
        size_d   = size_q;
        entry_d  = entry_q;
        look_d   = ahead_valid || (fetch_valid && !fetch_ready);
        case (phase_q)
            REST: begin
                beat_d  = 2'd0;
                error_d = 1'b0;
                if (header_read || (fetch_valid && look_q && !hit)) begin
                    phase_d  = ASK;
                    header_d = header_read;
                    line_d   = header_read ? program[31:5] : fetch_addr[31:5];
                end
            end
            ASK: if (read_take) phase_d = BEATS;
            default: if (beat_valid) begin
                beat_d  = beat_q + 2'd1;
                error_d = bad;
                if (header_q && beat_q == 2'd0) begin
                    magic_d = beat_data[31:0] == MAGIC;
                    size_d  = beat_data[63:32];
                end
                if (header_q && beat_q == 2'd1) begin
                    entry_d = beat_data[31:0];
                    flags_d = beat_data[63:32] == 32'd0;
                end
                if (last) begin
                    phase_d = REST;
                    valid_d[line_q[5 +: L]] = !bad;
                end
            end
        endcase
        // What was looked up while a line came may be older than it.
        if (phase_q != REST)
            look_d = 1'b0;
    end

    always @(posedge clk) begin
        phase_q  <= phase_d;
        beat_q   <= beat_d;
        error_q  <= error_d;
        look_q   <= look_d;
        valid_q  <= valid_d;
        line_q   <= line_d;
        header_q <= header_d;
        magic_q  <= magic_d;
        flags_q  <= flags_d;
        size_q   <= size_d;
        entry_q  <= entry_d;
        if (rst) begin
            phase_q <= REST;
            look_q  <= 1'b0;
            valid_q <= {LINES{1'b0}};
        end
    end
endmodule

`default_nettype wire
