// SPDX-License-Identifier: Apache-2.0
//
// Properties of totem_graphics, included at the end of the module. The numbers are those of docs/contract/graphics.md.

    // Contract 1: an access is done one clock after it is asked for; a word of the table one clock after it was taken,
    //             and until then it stays as it is. What is refused changes nothing.
    // Contract 2: what the ring is changes only while it is not mapped; the generation is a known one.
    // Contract 3: a write of TABLE_DATA is a word of the table; these go to consecutive registers.
    initial assume (rst);
    reg                  f_was = 1'b0, f_asked, f_word, f_given, f_held, f_mapped;
    reg [5+INDEX_BITS:0] f_settings;
    reg [INDEX_BITS-1:0] f_index;
    reg [31:0]           f_data;
    always @(posedge clk) begin
        f_was      <= !rst;
        f_asked    <= host_valid && !host_done && !table_valid;
        f_word     <= host_write && host_dword == 8'd2 && host_strobe != 4'd0;
        f_given    <= table_valid && frames_table_ready;
        f_held     <= table_valid && !frames_table_ready;
        f_mapped   <= arbiter_active[0];
        f_settings <= {hp3d, generation, bounce_enable, filter_enable, table_valid, table_index};
        f_index    <= table_index;
        f_data     <= table_data;
        if (!rst && f_was) begin
            assert (host_done == (f_given || (f_asked && !table_valid)));                               // 1
            if (f_held) assert (table_valid && table_index == f_index && table_data == f_data);
            if (host_done && host_error != 5'd0 && !f_given)
                assert (f_settings == {hp3d, generation, bounce_enable, filter_enable, table_valid, table_index});
            if (f_mapped) assert ({hp3d, generation} == f_settings[5+INDEX_BITS:3+INDEX_BITS]);         // 2
            if (f_given) assert (!table_valid && table_index == f_index + 1'b1);                        // 3
            if (f_asked) assert (table_valid == f_word);
            if (!f_given && !f_asked) assert (table_index == f_index);
        end
        if (!rst) begin
            assert (generation != 2'd3);                                                                // 2
            assert (!(table_valid && host_done));
            cover (host_done && table_index == {INDEX_BITS{1'b0}} && f_given);
            cover (host_done && {3'd4, host_error} == LOCKED);
        end
    end
