// SPDX-License-Identifier: Apache-2.0
//
// Properties of totem_graphics, included at the end of the module. The numbers are those of docs/contract/graphics.md.

    initial assume (rst);
    reg                  f_was = 1'b0, f_asked, f_word, f_given, f_held, f_mapped, f_before, f_reset, f_flush;
    reg                  f_long = 1'b0;     // two clocks without reset
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
        f_before   <= f_mapped;
        f_long     <= f_was && !rst;
        f_reset    <= hqd_resetting[0];
        f_flush    <= host_write && host_dword == 8'd3 && host_strobe != 4'd0;
        f_settings <= {hp3d, generation, bounce_enable, filter_enable, table_valid, table_index};
        f_index    <= table_index;
        f_data     <= table_data;
        if (!rst && f_was) begin
            assert (host_done == (f_given || (f_asked && !table_valid)));                           // 1 done
            if (f_held) assert (table_valid && table_index == f_index && table_data == f_data);     // 1 done
            if (host_done && host_error != 5'd0 && !f_given)
                assert (f_settings == {hp3d, generation, bounce_enable, filter_enable, table_valid,
                                       table_index});                                               // 2 refused
            if (f_mapped) assert ({hp3d, generation} == f_settings[5+INDEX_BITS:3+INDEX_BITS]);     // 3 mapped
            if (f_given) assert (!table_valid && table_index == f_index + 1'b1);                    // 4 table
            if (f_asked) assert (table_valid == f_word);                                            // 4 table
            if (!f_given && !f_asked) assert (table_index == f_index);                              // 4 table
            if (f_long)
                assert ((flush_valid && flush_plain) == (f_reset || (f_mapped && !f_before)));      // 5 flush
            if (f_reset) assert (flush_valid && flush_plain);                                       // 5 flush
            assert (flush_valid == (flush_plain || (f_asked && f_flush)));                          // 5 flush
        end
        if (!rst) begin
            assert (generation <= GENERATION_GFX11);                                                // 3 mapped
            assert (!(table_valid && host_done));                                                   // 1 done
            cover (host_done && table_index == {INDEX_BITS{1'b0}} && f_given);
            cover (host_done && {3'd4, host_error} == LOCKED);
        end
    end
