// SPDX-License-Identifier: Apache-2.0
//
// Properties of totem_render, included at the end of the module. The numbers are those of docs/contract/render.md.

    initial assume (rst);
    reg        f_idle = 1'b0;               // frames was idle, and nothing was offered, a clock ago
    reg        f_done = 1'b0;
    reg        f_clear = 1'b0;              // frames took a CLEAR a clock ago
    reg [3:0]  f_before = 4'd0;             // words in front of the chosen one and itself; 0: it is not here
    reg [15:0] f_index;
    reg [31:0] f_data;
    (* anyseq *) wire f_choose;
    integer    f_n;
    wire       f_stream = execute_service_valid && execute_service_kind == `TOTEM_KIND_CONTEXT;
    wire       f_leaves = held_q != 4'd0 && op_valid && frames_op_ready;
    reg        f_issued = 1'b0;             // the packet in hand has issued a draw
    reg [15:0] f_offset;                    // the last one that was read

    always @(posedge clk) begin
        f_idle   <= frames_idle && !op_valid;
        f_done   <= done;
        if (read && item_q == ITEM_OFFSET && execute_service_read_done)
            f_offset <= execute_service_read_data[15:0];
        f_clear  <= op_valid && op_kind == OP_CLEAR && frames_op_ready;
        f_issued <= (draw_valid && context_draw_ready) || (f_issued && phase_q != RENDER_IDLE);
        if (f_before != 4'd0 && f_leaves)
            f_before <= f_before - 4'd1;
        else if (f_before == 4'd0 && f_stream && f_choose) begin
            f_before <= held_q - {3'd0, f_leaves} + 4'd1;
            f_index  <= execute_service_address[15:0];
            f_data   <= execute_service_data[31:0];
        end
        if (rst) begin
            f_idle   <= 1'b0;
            f_done   <= 1'b0;
            f_clear  <= 1'b0;
            f_issued <= 1'b0;
            f_before <= 4'd0;
        end
        if (!rst) begin
            if (f_stream) assume (held_q < 4'd8 && phase_q == RENDER_IDLE);                         // A1 room
            if (execute_service_group_end)
                assume (phase_q == RENDER_IDLE && !(execute_service_valid &&
                                                    execute_service_kind >= `TOTEM_KIND_MODIFY));   // A2 groups
            assert (phase_q <= RENDER_DONE && held_q <= 4'd8);                                      // 1 ranges
            assert (inside_q <= held_q && (ending_q || inside_q == 4'd0));                          // 1 ranges
            if (group_end) assert (f_idle);                                                         // 2 idle
            if ($past(!draw_valid) && draw_valid) assert (f_idle || $past(rst));                    // 2 idle
            if ($past(!hash_valid) && hash_valid) assert (f_idle || $past(rst));                    // 2 idle
            if (draw_valid || hash_valid) assert (!op_valid && !group_end && !ending_q);            // 2 idle
            if (done && again) assert (!f_issued);                                                  // 3 again
            if (f_done) assert (!done);                                                             // 4 done
            assert (clear == f_clear);                                                              // 6 clear
            if (phase_q == RENDER_PUT) assert (extra_q[15:10] == 6'd0);                             // 7 loads
            if (phase_q == RENDER_PUT && extra_q[31]) assert (extra_q[15:0] == f_offset);           // 7 loads
            if (f_before != 4'd0) begin
                assert (f_before <= held_q);                                                        // 5 order
                for (f_n = 0; f_n < 8; f_n = f_n + 1)
                    if (f_before == f_n + 1)
                        assert (held_index_q[f_n*16 +: 16] == f_index &&
                                held_data_q[f_n*32 +: 32] == f_data);                               // 5 order
                if (f_before == 4'd1 && op_valid)
                    assert (op_index == f_index && op_data == f_data && op_kind == OP_WRITE);       // 5 order
            end

            // helpers
            if (phase_q != RENDER_IDLE && phase_q != RENDER_DONE) assert (issued_q == f_issued);
            if (phase_q == RENDER_SEND || phase_q == RENDER_NEXT) assert (f_issued || phase_q == RENDER_NEXT);
            if (phase_q == RENDER_OP) assert (kind_q == `TOTEM_KIND_MODIFY || kind_q == `TOTEM_KIND_CLEAR);
            if ((phase_q >= RENDER_GATHER && phase_q <= RENDER_NEXT)
                || (phase_q == RENDER_READ && item_q != ITEM_REGISTER && item_q != ITEM_OFFSET))
                assert (kind_q == `TOTEM_KIND_DRAW || kind_q == `TOTEM_KIND_DRAW_INDIRECT
                        || kind_q == `TOTEM_KIND_DRAW_MULTI);
            if (phase_q == RENDER_PUT) assert (item_q == ITEM_REGISTER);
            if (phase_q == RENDER_READ && item_q == ITEM_OFFSET)
                assert (extra_q[31] && kind_q == `TOTEM_KIND_LOAD && !f_issued);
            if ((phase_q == RENDER_PUT || (phase_q == RENDER_READ && item_q == ITEM_REGISTER)) && !extra_q[31])
                assert (left_q != 32'd0 && left_q <= 32'h400 && {16'd0, extra_q[15:0]} + left_q <= 32'h400);
            if (phase_q == RENDER_READ && item_q == ITEM_REGISTER && extra_q[31])
                assert (extra_q[15:0] == f_offset && extra_q[15:10] == 6'd0);
            if (phase_q == RENDER_PUT || (phase_q == RENDER_READ && item_q == ITEM_REGISTER))
                assert (kind_q == `TOTEM_KIND_LOAD && !f_issued);
            if (phase_q >= RENDER_HASH && phase_q <= RENDER_ANSWER)
                assert (kind_q == `TOTEM_KIND_BOUNCE && !f_issued);
            cover (done && skip != 14'd0);
            cover (done && group != 14'd0);
            cover (message_valid && message_last);
            cover (group_end);
        end
    end
