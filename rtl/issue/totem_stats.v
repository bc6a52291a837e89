// SPDX-License-Identifier: Apache-2.0
//
// totem_stats: how long the heads of an engine waited, and why.
//
// Policy    per pipe two sums, of clocks eligible and not chosen and of clocks lacking the engine, and
//           the longest of each between two grants, a wait under way included. All saturate. The host
//           reads them; a write clears those of the pipe.
// Latency   a clock counts two clocks later; an access is done one clock after it is asked for.
// Boundary  all outputs are flip-flops.
// Cost      of a pipe: 2 x COUNT_BITS + 72 flip-flops.
// Proof     invariants 1 (counted) and 2 (access).
// Twin      cmodel/issue/totem_stats.h, docs/contract/stats.md.

`default_nettype none

`include "totem_regs.vh"

module totem_stats #(
    parameter FE_COUNT   = 4,           // 1 to 4
    parameter PIPES      = 2,           // 1 or 2
    parameter COUNT_BITS = 32           // 16 to 32
) (
    input  wire                         clk,
    input  wire                         rst,
    // issue
    input  wire [FE_COUNT*PIPES-1:0]    issue_passed,
    input  wire [FE_COUNT*PIPES-1:0]    issue_lacks,
    input  wire                         grant_valid,
    input  wire [1:0]                   grant_fe,
    input  wire [1:0]                   grant_pipe,
    // hold
    input  wire [FE_COUNT*PIPES*24-1:0] hold_waited,
    // host
    input  wire                         host_valid,
    input  wire                         host_write,
    input  wire [7:0]                   host_dword,
    input  wire [3:0]                   host_strobe,
    output wire                         host_done,
    output wire [31:0]                  host_rdata
);
    localparam COUNT = FE_COUNT*PIPES;
    localparam [COUNT_BITS-1:0] FULL = {COUNT_BITS{1'b1}};

    generate
        if (FE_COUNT < 1 || FE_COUNT > 4 || PIPES < 1 || PIPES > 2 || COUNT_BITS < 16 || COUNT_BITS > 32) begin : check
            totem_stats_needs_FE_COUNT_1_to_4_PIPES_1_or_2_COUNT_BITS_16_to_32 refused ();
        end
    endgenerate

    reg [COUNT*COUNT_BITS-1:0] passed_q, passed_d;
    reg [COUNT*COUNT_BITS-1:0] lacked_q, lacked_d;
    reg [COUNT*24-1:0]         run_q, run_d;
    reg [COUNT*24-1:0]         passed_longest_q, passed_longest_d;
    reg [COUNT*24-1:0]         lacked_longest_q, lacked_longest_d;
    reg                        done_q, done_d;
    reg [31:0]                 rdata_q, rdata_d;

    // Registers that reset leaves alone read 0 at start, as in the model.
    initial begin
        rdata_q = 32'd0;
    end

    assign host_done  = done_q;
    assign host_rdata = rdata_q;

    wire [COUNT-1:0]    granted;
    wire [COUNT-1:0]    asked;          // the access is to this pipe
    wire [COUNT*32-1:0] value;          // what it would read
    wire                access = host_valid && !done_q;
    wire                clear  = access && host_write && host_strobe != 4'd0;
    genvar              p;
    generate
        for (p = 0; p < COUNT; p = p + 1) begin : g_pipe
            localparam FE   = p / PIPES;
            localparam PIPE = p % PIPES;
            localparam [2:0] PLACE = p;
            wire [32:0] passed = {{(33-COUNT_BITS){1'b0}}, passed_q[p*COUNT_BITS +: COUNT_BITS]};
            wire [32:0] lacked = {{(33-COUNT_BITS){1'b0}}, lacked_q[p*COUNT_BITS +: COUNT_BITS]};
            wire        unused = &{1'b0, passed[32], lacked[32]};
            assign granted[p] = grant_valid && grant_fe == FE[1:0] && grant_pipe == PIPE[1:0];
            assign asked[p]   = host_dword[4:2] == PLACE;
            assign value[p*32 +: 32] =
                (host_dword[1:0] == `TOTEM_REG_WAITS_PASSED)         ? passed[31:0] :
                (host_dword[1:0] == `TOTEM_REG_WAITS_LACKED)         ? lacked[31:0] :
                (host_dword[1:0] == `TOTEM_REG_WAITS_PASSED_LONGEST) ? {8'd0, passed_longest_q[p*24 +: 24]} :
                                                            {8'd0, lacked_longest_q[p*24 +: 24]};
        end
    endgenerate

    wire unused = &{1'b0, host_dword[7:5]};

    integer n;

    always @* begin
        passed_d         = passed_q;
        lacked_d         = lacked_q;
        run_d            = run_q;
        passed_longest_d = passed_longest_q;
        lacked_longest_d = lacked_longest_q;
        // 4 Access, continued
        done_d           = access;
        rdata_d          = access ? 32'd0 : rdata_q;
        for (n = 0; n < COUNT; n = n + 1) begin
            // 1 Sums
            if (issue_passed[n] && passed_q[n*COUNT_BITS +: COUNT_BITS] != FULL)
                passed_d[n*COUNT_BITS +: COUNT_BITS] = passed_q[n*COUNT_BITS +: COUNT_BITS] + 1'b1;
            if (issue_lacks[n] && lacked_q[n*COUNT_BITS +: COUNT_BITS] != FULL)
                lacked_d[n*COUNT_BITS +: COUNT_BITS] = lacked_q[n*COUNT_BITS +: COUNT_BITS] + 1'b1;
            // 2 Run
            if (granted[n])
                run_d[n*24 +: 24] = 24'd0;
            else if (issue_passed[n] && run_q[n*24 +: 24] != 24'hFFFFFF)
                run_d[n*24 +: 24] = run_q[n*24 +: 24] + 24'd1;
            // 3 Longest
            if (run_q[n*24 +: 24] > passed_longest_q[n*24 +: 24])
                passed_longest_d[n*24 +: 24] = run_q[n*24 +: 24];
            if (hold_waited[n*24 +: 24] > lacked_longest_q[n*24 +: 24])
                lacked_longest_d[n*24 +: 24] = hold_waited[n*24 +: 24];
            // 4 Access
            if (access && asked[n])
                rdata_d = value[n*32 +: 32];
            if (clear && asked[n]) begin
                passed_d[n*COUNT_BITS +: COUNT_BITS] = {COUNT_BITS{1'b0}};
                lacked_d[n*COUNT_BITS +: COUNT_BITS] = {COUNT_BITS{1'b0}};
                passed_longest_d[n*24 +: 24]         = 24'd0;
                lacked_longest_d[n*24 +: 24]         = 24'd0;
            end
        end
    end

    always @(posedge clk) begin
        passed_q         <= passed_d;
        lacked_q         <= lacked_d;
        run_q            <= run_d;
        passed_longest_q <= passed_longest_d;
        lacked_longest_q <= lacked_longest_d;
        done_q           <= done_d;
        rdata_q          <= rdata_d;
        if (rst) begin
            passed_q         <= {COUNT*COUNT_BITS{1'b0}};
            lacked_q         <= {COUNT*COUNT_BITS{1'b0}};
            run_q            <= {COUNT*24{1'b0}};
            passed_longest_q <= {COUNT*24{1'b0}};
            lacked_longest_q <= {COUNT*24{1'b0}};
            done_q           <= 1'b0;
        end
    end

`ifdef FORMAL
`include "totem_stats_properties.vh"
`endif
endmodule

`default_nettype wire
