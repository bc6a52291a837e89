// SPDX-License-Identifier: Apache-2.0
//
// Properties of totem_inbox, included at the end of the module. The numbers are those of docs/contract/inbox.md.

    // A word is picked at will when it enters, and followed.
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
            assert (count_q <= 2'd2);                       // 1 bound
            assert (f_place <= count_q);                    // 2 order
            if (f_place == 2'd1) assert (head_q == f_word); // 2 order
            if (f_place == 2'd2) assert (tail_q == f_word); // 2 order
        end
    end
