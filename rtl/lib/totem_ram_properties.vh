// SPDX-License-Identifier: Apache-2.0
//
// Properties of totem_ram, included at the end of the module. The numbers are those of docs/contract/ram.md.

    // A word is picked at will, and followed.
    (* anyconst *) wire [ADDR_BITS-1:0] f_addr;
    reg [WIDTH-1:0] f_word = {WIDTH{1'b0}};
    reg [WIDTH-1:0] f_read;
    reg             f_known = 1'b0;     // f_read is what read_data must show

    always @(posedge clk) begin
        if (write_enable && write_addr == f_addr)
            f_word <= write_data;
        if (read_enable) begin
            f_known <= (read_addr == f_addr);
            f_read  <= f_word;
        end

        assert (data_q[f_addr] == f_word);                                                      // 1 kept
        if (f_known) assert (read_data_q == f_read);                                            // 2 old
        if (MEETS == 0) assume (!(write_enable && read_enable && write_addr == read_addr));     // A1 apart
        cover (f_known && f_read != f_word);
    end
