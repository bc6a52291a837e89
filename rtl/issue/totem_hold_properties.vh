// SPDX-License-Identifier: Apache-2.0
//
// Properties of totem_hold, included at the end of the module. The numbers are those of docs/contract/hold.md.

    initial assume (rst);
    (* anyconst *) wire [2:0] f_a;      // two pipes
    (* anyconst *) wire [2:0] f_b;
    reg         f_past = 1'b0;          // the clock before was not one of reset
    reg         f_two = 1'b0, f_first;  // both held, and which of them began first
    reg         f_held = 1'b0, f_head, f_won;
    reg  [24:0] f_lacked = 25'd0;       // clocks of lacking since the last grant of f_a
    reg  [23:0] f_after;
    reg         f_due_a, f_due_b, f_above;
    integer     f_n, f_k;
    reg [COUNT-1:0] f_wants;            // may begin to hold now
    reg [23:0]  f_limit;
    always @*
        for (f_k = 0; f_k < COUNT; f_k = f_k + 1) begin
            f_limit = head_priority[f_k*2 +: 2] == PRIORITY_HIGH ? settings_hold_high :
                      head_priority[f_k*2 +: 2] == PRIORITY_MEDIUM ? settings_hold_medium : settings_hold_low;
            f_wants[f_k] = head_valid[f_k] && issue_lacks[f_k] && !valid_q[f_k] && f_limit <= waited_q[f_k*24 +: 24] &&
                           !(grant_valid && {30'd0, grant_pipe} < PIPES && grant_fe * PIPES + grant_pipe == f_k);
        end
    wire        f_grant_a = grant_valid && !grant_pipe[1] &&
                            {grant_fe, grant_pipe[0]} == (PIPES > 1 ? f_a : {f_a[1:0], 1'b0});

    always @* begin
        assume (f_a < COUNT && f_b < COUNT && f_a != f_b || COUNT == 1 && f_a == 0 && f_b == 0);  // A1 pipes
        f_above = 1'b0;
        for (f_n = COUNT - 1; f_n >= 0; f_n = f_n - 1) begin
            if (issue_order[f_n*ORDER_BITS +: ORDER_BITS] == f_a) f_above = 1'b1;
            if (issue_order[f_n*ORDER_BITS +: ORDER_BITS] == f_b) f_above = 1'b0;
        end
    end

    always @(posedge clk) begin
        f_past  <= !rst;
        f_two   <= !rst && valid_q[f_a] && valid_q[f_b];
        f_first <= hold_before_q[f_b*COUNT + f_a];
        f_held  <= !rst && valid_q[f_a];
        f_head  <= head_valid[f_a];
        f_won   <= f_grant_a;
        f_lacked <= (rst || f_grant_a) ? 25'd0 :
                    (issue_lacks[f_a] && f_lacked != 25'h0FFFFFF) ? f_lacked + 25'd1 : f_lacked;
        f_after  <= head_priority[f_a*2 +: 2] == PRIORITY_HIGH ? settings_hold_high :
                    head_priority[f_a*2 +: 2] == PRIORITY_MEDIUM ? settings_hold_medium : settings_hold_low;
        f_due_a  <= f_wants[f_a] && f_above;
        f_due_b  <= f_wants[f_b];
        if (!rst) begin
            assert (!hold_before_q[f_a*COUNT + f_a]);                                        // 1 names
            if (hold_before_q[f_a*COUNT + f_b]) assert (valid_q[f_a] && valid_q[f_b]);       // 1 names
            if (valid_q[f_a] && valid_q[f_b] && f_a != f_b)
                assert (hold_before_q[f_a*COUNT + f_b] != hold_before_q[f_b*COUNT + f_a]);   // 2 age
            if (f_two && valid_q[f_a] && valid_q[f_b])     
                assert (hold_before_q[f_b*COUNT + f_a] == f_first);                          // 2 age
            assert ({1'b0, waited_q[f_a*24 +: 24]} == f_lacked);                             // 3 earned
            if (f_past && valid_q[f_a])
                assert (f_head && !f_won &&
                        (f_held || f_lacked > {1'b0, f_after} || f_lacked == 25'h0FFFFFF));  // 3 earned
            if (f_past && f_held && f_head && !f_won) assert (valid_q[f_a]);                 // 3 earned
            if (f_past && f_due_a && f_due_b) assert (!valid_q[f_b]);                        // 4 pole
        end
        cover (f_two && f_first);
    end
