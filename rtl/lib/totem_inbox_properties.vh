// SPDX-License-Identifier: Apache-2.0
//
// Properties of totem_inbox, included at the end of the module. The numbers are those of docs/contract/inbox.md.

    // Contract 1: never more than two words.
    // Contract 2: a word, picked at will when it enters, leaves unchanged and in its turn.
    initial assume (rst);
    (* anyseq *) wire f_pick;
    reg [1:0]       f_place = 2'd0;     // 0 not inside, 1 at the head, 2 behind the head
    reg [WIDTH-1:0] f_word;

    always @(posedge clk) begin
        if (f_place == 2'd0) begin
            if (in_valid && in_ready && f_pick) begin
                f_word  <= in_data;
                f_place <= count_d;
            end
        end else if (out_take && out_valid)
            f_place <= f_place - 2'd1;
        if (rst)
            f_place <= 2'd0;

        if (!rst) begin
            assert (count_q <= 2'd2);
            assert (f_place <= count_q);
            if (f_place == 2'd1) assert (head_q == f_word);
            if (f_place == 2'd2) assert (tail_q == f_word);
        end
    end
