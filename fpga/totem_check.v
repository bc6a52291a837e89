// SPDX-License-Identifier: Apache-2.0
//
// totem_check: counts the clocks of a self-check, keeps the signature, compares it with the model's.
//
// Policy    reset for 128 clocks, then CLOCKS clocks of work, then the verdict. The signature is an
//           automaton as in totem_random, to which the word of every clock is added: the step has an
//           inverse, so a wrong bit stays in it. After 1, 2, 4, .. clocks its low 16 bits are compared
//           with MARKS: `first` is the first of these that differs, so the first wrong clock lies
//           between 2^(first-1) and 2^first (31: all marks were right and the end is wrong).
// Latency   `word` is what the block showed LATENCY clocks before; verdict LATENCY + 4 clocks after the last.
// Restart   begins again with the reset; at power-on it begins by itself.

`default_nettype none

module totem_check #(
    parameter [31:0]  CLOCKS   = 32'd1024,
    parameter         LATENCY  = 2,
    parameter [63:0]  EXPECTED = 64'd0,
    parameter [511:0] MARKS    = 512'd0     // 16 bits for each power of two
) (
    input  wire        clk,
    input  wire        restart,
    // block
    output wire        reset,
    output wire [31:0] clock,               // of the reset, then of the work; from 0
    output wire        running,
    input  wire [63:0] word,
    // verdict
    output wire        pass,
    output wire        fail,
    output wire [4:0]  first,
    output wire [63:0] signature,
    output wire [31:0] folded               // words in the signature
);
    localparam [63:0] RULE  = 64'h420b0ebe378c74dc;
    localparam [63:0] START = 64'd1;

    reg               reset_q = 1'b1, reset_d;
    reg               running_q = 1'b0, running_d;
    reg [31:0]        clock_q = 32'd0, clock_d;
    // [n]: word n clocks on; the last three wait for the comparison
    reg [LATENCY+2:0] live_q = {LATENCY+3{1'b0}}, live_d;
    reg [63:0]        signature_q = START, signature_d;
    reg [31:0]        folded_q = 32'd0, folded_d;
    reg [15:0]        same_q = 16'd0, same_d;
    reg               pass_q = 1'b0, pass_d;
    reg               fail_q = 1'b0, fail_d;
    reg [4:0]         index_q = 5'd0, index_d;
    reg [4:0]         marked_q = 5'd0, marked_d;
    reg               reached_q = 1'b0, reached_d;
    reg [15:0]        low_q = 16'd0, low_d;
    reg [15:0]        want_q = 16'd0, want_d;
    reg [4:0]         first_q = 5'd31, first_d;

    assign reset     = reset_q;
    assign clock     = clock_q;
    assign running   = running_q;
    assign pass      = pass_q;
    assign fail      = fail_q;
    assign first     = first_q;
    assign signature = signature_q;
    assign folded    = folded_q;

    integer n;

    always @* begin
        reset_d     = reset_q;
        running_d   = running_q;
        clock_d     = clock_q + 32'd1;
        live_d      = {live_q[LATENCY+1:0], running_q};
        signature_d = signature_q;
        folded_d    = folded_q;
        index_d     = index_q;
        first_d     = first_q;

        if (reset_q && clock_q[6:0] == 7'd127) begin
            reset_d   = 1'b0;
            running_d = 1'b1;
            clock_d   = 32'd0;
        end
        if (running_q && clock_q == CLOCKS - 32'd1)
            running_d = 1'b0;

        if (live_q[LATENCY-1]) begin
            signature_d = {signature_q[62:0], 1'b0} ^ {1'b0, signature_q[63:1]} ^ (signature_q & RULE) ^ word;
            folded_d    = folded_q + 32'd1;
        end
        for (n = 0; n < 16; n = n + 1)
            same_d[n] = signature_q[n*4 +: 4] == EXPECTED[n*4 +: 4];
        pass_d = !reset_q && !running_q && live_q == {LATENCY+3{1'b0}} && &same_q;
        fail_d = !reset_q && !running_q && live_q == {LATENCY+3{1'b0}} && !(&same_q);

        // folded_q has its bit index_q for the first time when it is 2^index_q.
        marked_d  = index_q;
        reached_d = folded_q[index_q];
        low_d     = signature_q[15:0];
        want_d    = MARKS[index_q*16 +: 16];
        if (folded_q[index_q] && index_q != 5'd31)
            index_d = index_q + 5'd1;
        if (reached_q && low_q != want_q && first_q == 5'd31)
            first_d = marked_q;
    end

    always @(posedge clk) begin
        reset_q     <= reset_d;
        running_q   <= running_d;
        clock_q     <= clock_d;
        live_q      <= live_d;
        signature_q <= signature_d;
        folded_q    <= folded_d;
        same_q      <= same_d;
        pass_q      <= pass_d;
        fail_q      <= fail_d;
        index_q     <= index_d;
        marked_q    <= marked_d;
        reached_q   <= reached_d;
        low_q       <= low_d;
        want_q      <= want_d;
        first_q     <= first_d;
        if (restart) begin
            reset_q     <= 1'b1;
            running_q   <= 1'b0;
            clock_q     <= 32'd0;
        end
        if (restart || reset_q) begin
            live_q      <= {LATENCY+3{1'b0}};
            signature_q <= START;
            folded_q    <= 32'd0;
            pass_q      <= 1'b0;
            fail_q      <= 1'b0;
            index_q     <= 5'd0;
            reached_q   <= 1'b0;
            first_q     <= 5'd31;
        end
    end
endmodule

`default_nettype wire
