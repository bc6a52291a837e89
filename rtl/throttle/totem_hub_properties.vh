// SPDX-License-Identifier: Apache-2.0
//
// Properties of totem_hub, included at the end of the module. The numbers are those of docs/contract/hub.md.

    initial assume (rst);
    (* anyconst *) wire [1:0]   f_any;
    (* anyconst *) wire [A-1:0] f_place;        // word of the RAM that is followed
    (* anyseq *) wire f_pick;                   // the primitive that comes is followed
    wire [1:0]   f_converter = (f_any < SE_COUNT) ? f_any : 2'd0;       // any converter

    wire         f_offer = push_valid[f_converter];
    wire         f_ready = push_ready[f_converter];
    wire         f_shown = pop_valid[f_converter];
    wire         f_in    = f_offer && f_ready;
    wire         f_out   = f_shown && pop_ready[f_converter];
    wire [31:0]  f_front = pop_data[f_converter*32 +: 32];
    wire [C-1:0] f_count = count[f_converter*C +: C];
    wire         f_write = ram_write_enable[f_converter];
    wire         f_read  = ram_read_enable[f_converter];
    wire [A-1:0] f_write_addr = ram_write_addr[f_converter*A +: A];
    wire [A-1:0] f_read_addr  = ram_read_addr[f_converter*A +: A];
    wire [31:0]  f_read_data  = ram_read_data[f_converter*32 +: 32];

    // Stages, for the helpers.
    wire         f_entry   = entry_valid_q[f_converter];
    wire         f_fetched = fetched_q[f_converter];
    wire [1:0]   f_held    = held_q[f_converter*2 +: 2];
    wire [A-1:0] f_stored  = f_write_addr - f_read_addr;

    // It will go to the followed word: both are free, so every primitive can be the picked one.
    wire         f_picks   = f_pick && f_in && f_place == f_write_addr + {{A-1{1'b0}}, f_entry};

    reg [15:0]   f_pushes = 16'd0, f_pops = 16'd0;
    reg [2:0]    f_recent = 3'd0;       // bit k: one was accepted k + 1 clocks ago
    reg [1:0]    f_wait   = 2'd0;       // clocks for which a FIFO with primitives has not shown one
    reg          f_known  = 1'b0;       // the followed word was written
    reg [31:0]   f_memory;
    reg          f_latest = 1'b0;       // the last read was of that word
    reg [31:0]   f_register;
    reg          f_inside = 1'b0;       // the picked primitive is in the FIFO
    reg [31:0]   f_word;
    reg [C-1:0]  f_ahead;               // older ones
    // Its place among the unread words of the RAM.
    wire [C-1:0] f_depth  = f_ahead - {{C-2{1'b0}}, f_held} - {{C-1{1'b0}}, f_fetched};

    always @* if (f_latest) assume (f_read_data == f_register);                                     // A1 ram

    always @(posedge clk) begin
        f_pushes <= f_pushes + {15'd0, f_in};
        f_pops   <= f_pops + {15'd0, f_out};
        f_recent <= {f_recent[1:0], f_in};
        f_wait   <= (f_count != {C{1'b0}} && !f_shown) ? f_wait + 2'd1 : 2'd0;
        if (f_write && f_write_addr == f_place) begin
            f_known  <= 1'b1;
            f_memory <= ram_write_data[f_converter*32 +: 32];
        end
        if (f_read) begin
            f_latest   <= f_known && f_read_addr == f_place;
            f_register <= f_memory;
        end
        if (f_picks && !f_inside) begin
            f_inside <= 1'b1;
            f_word   <= push_data[f_converter*32 +: 32];
            f_ahead  <= f_count - {{C-1{1'b0}}, f_out};
        end else if (f_out && f_inside) begin
            f_ahead  <= f_ahead - {{C-1{1'b0}}, 1'b1};
            f_inside <= f_ahead != {C{1'b0}};
        end
        if (rst) begin
            f_pushes <= 16'd0;
            f_pops   <= 16'd0;
            f_recent <= 3'd0;
            f_wait   <= 2'd0;
            f_inside <= 1'b0;
        end
    end

    always @*
        if (!rst) begin
            assert (f_count <= DEPTH && !(f_in && f_count == DEPTH) && !fault_q);                   // 1 room
            assert (f_ready == (f_count != DEPTH));                                                 // 1 room
            assert ({{16-C{1'b0}}, f_count} == f_pushes - f_pops);                                  // 2 count
            if (f_inside) assert (f_ahead < f_count);                                               // 3 order
            if (f_inside && f_ahead == {C{1'b0}} && f_shown) assert (f_front == f_word);            // 3 order
            if (!f_shown) assert (f_count == f_recent[0] + f_recent[1] + f_recent[2]);              // 4 progress
            assert (f_wait + {1'b0, f_count != {C{1'b0}} && !f_shown} <= 3'd3);                     // 4 progress
            assert (!(f_write && f_read && f_write_addr == f_read_addr));                           // 5 places
            assert (f_stored <= DEPTH - 3);                                                         // 5 places

            // helpers
            // What the stages hold, and where the picked primitive is.
            assert (f_held <= 2'd2);
            assert ({1'b0, f_count} == f_stored + f_entry + f_fetched + f_held);
            assert (f_entry == f_recent[0]);
            if (f_stored >= 2) assert (f_fetched && f_held != 2'd0);
            if (f_inside) begin
                if (f_ahead == 0 && f_held >= 2'd1) assert (f_front == f_word);
                if (f_ahead == 1 && f_held == 2'd2) assert (tail_q[f_converter*32 +: 32] == f_word);
                if (f_ahead == f_held && f_fetched) assert (f_latest && f_register == f_word);
                if (f_ahead >= f_held + f_fetched) begin
                    if (f_depth == {1'b0, f_stored})
                        assert (f_entry && f_write_addr == f_place && entry_data_q[f_converter*32 +: 32] == f_word);
                    else assert (f_known && f_memory == f_word && f_place == f_read_addr + f_depth[A-1:0]);
                end
            end
        end

    always @(posedge clk)
        if (!rst) begin
            cover (f_wait == 2'd2 && !f_shown && f_count == 3);                         // 4 is tight
            cover (f_inside && f_ahead == {C{1'b0}} && f_out && f_word == 32'h600d);
            cover (f_stored == 1 && f_fetched && f_held == 2'd2);
        end
