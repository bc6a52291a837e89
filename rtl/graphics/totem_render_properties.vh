// SPDX-License-Identifier: Apache-2.0
//
// Properties of totem_render, included at the end of the module. The numbers are those of docs/contract/render.md.

    // Contract 1: ranges of phase, words held, words inside a group that ends.
    // Contract 2: hash, draw and end of a group begin while frames is idle, and nothing goes there in that clock.
    // Contract 3: what is given back has issued no draw.
    // Contract 4: an answer lasts one clock, and is given to a packet.
    // Contract 5: the words held are those that came and were not taken, in their order: one of them, chosen at
    //             will, is offered when those before it were taken, unchanged.
    // Assumed: no word beyond the eighth; no word of a stream and no end of a group while a packet is in hand.
    initial assume (rst);
    reg        f_idle = 1'b0;               // frames was idle, and nothing was offered, a clock ago
    reg        f_done = 1'b0;
    reg        f_packet = 1'b0;             // a packet is in hand
    reg [3:0]  f_before = 4'd0;             // words in front of the chosen one and itself; 0: it is not here
    reg [15:0] f_index;
    reg [31:0] f_data;
    (* anyseq *) wire f_choose;
    integer    f_n;
    wire       f_stream = execute_service_valid && execute_service_kind == `TOTEM_KIND_CONTEXT;
    wire       f_leaves = held_q != 4'd0 && op_valid && frames_op_ready;
    reg        f_issued = 1'b0;             // the packet in hand has issued a draw

    always @(posedge clk) begin
        f_idle   <= frames_idle && !op_valid;
        f_done   <= done;
        f_packet <= phase_d != IDLE && phase_d != DONE;
        f_issued <= (draw_valid && context_draw_ready) || (f_issued && phase_q != IDLE);
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
            f_packet <= 1'b0;
            f_issued <= 1'b0;
            f_before <= 4'd0;
        end
        if (!rst) begin
            if (f_stream) assume (held_q < 4'd8 && phase_q == IDLE);
            if (execute_service_group_end)
                assume (phase_q == IDLE && !(execute_service_valid && execute_service_kind >= `TOTEM_KIND_MODIFY));
            assert (phase_q <= DONE && held_q <= 4'd8 && inside_q <= held_q && (ending_q || inside_q == 4'd0));     // 1
            if (group_end) assert (f_idle);                                                                // 2
            if ($past(!draw_valid) && draw_valid) assert (f_idle || $past(rst));
            if ($past(!hash_valid) && hash_valid) assert (f_idle || $past(rst));
            if (draw_valid || hash_valid) assert (!op_valid && !group_end && !ending_q);
            if (done && again) assert (!f_issued);                                                         // 3
            if (phase_q != IDLE && phase_q != DONE) assert (issued_q == f_issued);
            if (phase_q == SEND || phase_q == NEXT) assert (f_issued || phase_q == NEXT);
            if (phase_q == OP) assert (kind_q == `TOTEM_KIND_MODIFY || kind_q == `TOTEM_KIND_CLEAR);
            if ((phase_q >= GATHER && phase_q <= NEXT) || (phase_q == READ && item_q != REGISTER))
                assert (kind_q == `TOTEM_KIND_DRAW || kind_q == `TOTEM_KIND_DRAW_INDIRECT
                        || kind_q == `TOTEM_KIND_DRAW_MULTI);
            if (phase_q == PUT) assert (item_q == REGISTER);
            if (phase_q == PUT || (phase_q == READ && item_q == REGISTER))
                assert (kind_q == `TOTEM_KIND_LOAD && !f_issued);
            if (phase_q >= HASH && phase_q <= ANSWER) assert (kind_q == `TOTEM_KIND_BOUNCE && !f_issued);
            if (f_done) assert (!done);                                                                    // 4
            if (f_before != 4'd0) begin                                                                    // 5
                assert (f_before <= held_q);
                for (f_n = 0; f_n < 8; f_n = f_n + 1)
                    if (f_before == f_n + 1)
                        assert (held_index_q[f_n*16 +: 16] == f_index && held_data_q[f_n*32 +: 32] == f_data);
                if (f_before == 4'd1 && op_valid) assert (op_index == f_index && op_data == f_data && op_kind == 2'd0);
            end
            cover (done && skip != 14'd0);
            cover (done && group != 14'd0);
            cover (message_valid && message_last);
            cover (group_end);
        end
    end
