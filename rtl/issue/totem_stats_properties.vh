// SPDX-License-Identifier: Apache-2.0
//
// Properties of totem_stats, included at the end of the module. The numbers are those of docs/contract/stats.md.

    initial assume (rst);
    (* anyconst *) wire [2:0] f_pipe;
    reg  [COUNT_BITS:0] f_passed = 0;
    reg  [24:0] f_run = 25'd0, f_longest = 25'd0;
    reg         f_asked = 1'b0;
    wire        f_mine  = !grant_pipe[1] && {grant_fe, grant_pipe[0]} == (PIPES > 1 ? f_pipe : {f_pipe[1:0], 1'b0});
    wire        f_clear = host_valid && !host_done && host_write && host_strobe != 4'd0 && host_dword[4:2] == f_pipe;
    reg         f_read = 1'b0;
    reg  [31:0] f_value;

    always @* assume (f_pipe < COUNT);                                                       // A1 pipe

    always @(posedge clk) begin
        f_asked <= !rst && host_valid && !host_done;
        f_read  <= !rst && host_valid && !host_done && host_dword[4:2] == f_pipe && host_dword[1:0] == `TOTEM_REG_WAITS_PASSED;
        f_value <= f_passed[COUNT_BITS-1:0];
        f_passed <= (rst || f_clear) ? 0 : f_passed + (issue_passed[f_pipe] && f_passed[COUNT_BITS-1:0] != FULL);
        f_run    <= (rst || (grant_valid && f_mine)) ? 25'd0 :
                    f_run + {24'd0, issue_passed[f_pipe] && f_run != 25'h0FFFFFF};
        f_longest <= (rst || f_clear) ? 25'd0 : (f_run > f_longest) ? f_run : f_longest;
        if (!rst) begin
            assert (passed_q[f_pipe*COUNT_BITS +: COUNT_BITS] == f_passed[COUNT_BITS-1:0]);  // 1 counted
            assert (!f_passed[COUNT_BITS]);                                                  // 1 counted
            assert ({1'b0, run_q[f_pipe*24 +: 24]} == f_run);                                // 1 counted
            assert ({1'b0, passed_longest_q[f_pipe*24 +: 24]} == f_longest);                 // 1 counted
            assert (host_done == f_asked);                                                   // 2 access
            if (f_read) assert (host_rdata == f_value);                                      // 2 access
        end
        cover (f_read && f_value == 32'd3);
    end
