// SPDX-License-Identifier: Apache-2.0
//
// Properties of totem_notice, included at the end of the module. The numbers are those of docs/contract/notice.md.

    // One word of the RAM, any, is followed; and one notice, by how many that were kept are before it.
    initial assume (rst);
    (* anyconst *) wire [D-1:0] f_pick;
    reg         f_past = 1'b0;          // the clock before was not one of reset; in it:
    reg         f_take, f_clear, f_lost, f_came, f_room;
    reg [41:0]  f_came_word;
    reg [41:0]  f_ram;                  // the picked word
    reg         f_pick_read = 1'b0;     // it was the word last read,
    reg [41:0]  f_read;                 // as this
    (* anyseq *) wire f_choose;
    reg         f_chosen = 1'b0;        // a notice is followed that the host has not got:
    reg [41:0]  f_notice;
    reg [D+1:0] f_before = 0;           // kept ones before it that the host has not got
    reg         f_was_valid;
    reg [41:0]  f_shown;

    wire [D+1:0] f_there = {1'b0, count_q} + {{D+1{1'b0}}, valid_q} + {{D+1{1'b0}}, coming_q};
    wire        f_goes  = valid && ledger_take;
    wire [D-1:0] f_place = first_q + f_before[D-1:0] - {{D-1{1'b0}}, valid_q || coming_q};

    always @(posedge clk) begin
        f_past  <= !rst;
        f_take  <= ledger_take;
        f_clear <= ledger_clear;
        f_lost  <= lost;
        f_came  <= arrived_q;
        f_room  <= !count_q[D];
        f_was_valid <= valid;
        f_shown <= {entry, ctxid};
        f_came_word <= {events_notice_entry, events_notice_context};
        f_pick_read <= ram_read_enable && ram_read_addr == f_pick;
        f_read  <= f_ram;
        if (ram_write_enable && ram_write_addr == f_pick) f_ram <= ram_write_data;
        // The one that is kept in this clock may be chosen.
        if (!f_chosen && f_choose && ram_write_enable && ram_write_addr == f_pick) begin
            f_chosen <= 1'b1;
            f_notice <= ram_write_data;
            f_before <= f_there - {{D+1{1'b0}}, f_goes};
        end
        if (f_chosen && f_goes) begin
            f_before <= f_before - 1'b1;
            if (f_before == 0) f_chosen <= 1'b0;
        end
        if (rst) begin
            f_chosen <= 1'b0;
            f_pick_read <= 1'b0;
        end

        if (!rst) begin
            if (f_pick_read) assume (ram_read_data == f_read);                          // A1 words
            if (f_chosen && valid && f_before == 0) assert ({entry, ctxid} == f_notice);  // 1 order
            if (f_past && arrived_q) assert ({arrived_entry_q, arrived_context_q} == f_came_word);  // 1 order
            if (f_past && f_was_valid && !f_take) assert (valid && {entry, ctxid} == f_shown);  // 1 order
            if (f_past && f_was_valid && f_take) assert (!valid);                       // 1 order
            if (ram_write_enable) assert (arrived_q && !count_q[D]);                    // 2 kept
            if (f_past && f_came && !f_room) assert (lost);                             // 2 kept
            if (f_past && f_lost && !f_clear) assert (lost);                            // 2 kept
            if (f_past && lost) assert ((f_lost && !f_clear) || (f_came && !f_room));   // 2 kept
            assert (count_q <= {1'b1, {D{1'b0}}});                                      // 3 held
            assert (!(coming_q && valid_q));                                            // 3 held
            assert (due == (valid || lost));                                            // 2 kept
            // helpers
            if (f_chosen) assert (f_before < f_there);
            if (f_chosen && f_before >= {{D+1{1'b0}}, valid_q || coming_q})
                assert (f_place == f_pick && f_ram == f_notice);
            if (f_chosen && coming_q && f_before == 0) assert (f_pick_read && f_read == f_notice);
            if (coming_q) assert (!f_pick_read || first_q == f_pick + 1'b1);
            if (coming_q && first_q == f_pick + 1'b1) assert (f_pick_read);
            cover (lost && count_q[D]);
            cover (f_chosen && valid && f_before == 0 && first_q == 2);
        end
    end
