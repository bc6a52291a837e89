// SPDX-License-Identifier: Apache-2.0
//
// Properties of totem_draw_count, included at the end of the module. The numbers are those of
// docs/contract/draw_count.md.

    initial assume (rst);
    (* anyconst *) wire [DRAW_BITS-1:0] f_mine;     // any draw state
    reg [13:0] f_out = 14'd0;       // marks and pixel waves that are out
    reg [13:0] f_in, f_back;
    integer    f_e;
    always @* begin
        f_in   = 14'd0;
        f_back = 14'd0;
        for (f_e = 0; f_e < SE_COUNT; f_e = f_e + 1) begin
            if (geometry_valid[f_e] && grant_state[f_e*DRAW_BITS +: DRAW_BITS] == f_mine)    f_in   = f_in + SE_COUNT;
            if (pixel_valid[f_e] && grant_state[f_e*DRAW_BITS +: DRAW_BITS] == f_mine)       f_in   = f_in + 14'd1;
            if (complete_valid[f_e] && complete_state[f_e*DRAW_BITS +: DRAW_BITS] == f_mine) f_back = f_back + 14'd1;
            if (mark_valid[f_e] && mark_state[f_e*DRAW_BITS +: DRAW_BITS] == f_mine)         f_back = f_back + 14'd1;
            if (cull_valid[f_e] && cull_state[f_e*DRAW_BITS +: DRAW_BITS] == f_mine)
                f_back = f_back + {11'd0, cull_count[f_e*3 +: 3]};
        end
        assume (f_back <= f_out && f_out + f_in <= 14'd4095);                                       // A1 counted
    end
    always @(posedge clk) f_out <= rst ? 14'd0 : f_out + f_in - f_back;
    always @* if (!rst) begin
        assert (f_out == {2'd0, count_q[f_mine*12 +: 12]} && empty[f_mine] == (f_out == 14'd0));    // 1 count
        if (idle) assert (f_out == 14'd0);                                                          // 1 count
        assert (f_back <= {2'd0, count_q[f_mine*12 +: 12]});                                        // 2 fault
        cover (f_out == 14'd9 && f_back == 14'd3);
    end
