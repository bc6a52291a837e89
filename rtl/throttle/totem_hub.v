// SPDX-License-Identifier: Apache-2.0
//
// totem_hub: primitive hub of one primitive assembler, a FIFO of DEPTH primitives for each scan converter.
//
// Policy    first in, first out, per converter; a full FIFO accepts nothing.
// Latency   a primitive accepted in clock t by an empty FIFO is on offer in t+4; one in and one out per clock.
// Boundary  push -> entry register -> RAM -> the RAM's register -> buffer of two -> pop. The RAM's register keeps its
//           word while nothing is read and so is the third entry that a pop per clock needs. A word is read only from
//           the clock after its write on, so the RAM is one with MEETS 0.
// Mask      pop_data counts only while pop_valid, the RAM's addresses and data while their enable.
// Cost      of a converter: 96 + 3*log2(DEPTH) + 5 flip-flops and a RAM of DEPTH words of 32 bits; one for fault.
// Proved    no overrun (1), exact count (2), order and contents (3), progress (4, tight), no meeting in the RAM (5).
// Twin      cmodel/throttle/totem_hub.c, same names.

`default_nettype none

module totem_hub #(
    parameter SE_COUNT = 4,     // scan converters, 1 to 4
    parameter DEPTH    = 64     // primitives of a FIFO, a power of two, 4 to 128
) (
    input  wire                                clk,
    input  wire                                rst,
    // primitive assembler
    input  wire [SE_COUNT-1:0]                 push_valid,
    output wire [SE_COUNT-1:0]                 push_ready,
    input  wire [SE_COUNT*32-1:0]              push_data,
    // scan converters
    output wire [SE_COUNT-1:0]                 pop_valid,
    output wire [SE_COUNT*32-1:0]              pop_data,
    input  wire [SE_COUNT-1:0]                 pop_ready,
    // primitive RAMs
    output wire [SE_COUNT-1:0]                 ram_write_enable,
    output wire [SE_COUNT*$clog2(DEPTH)-1:0]   ram_write_addr,
    output wire [SE_COUNT*32-1:0]              ram_write_data,
    output wire [SE_COUNT-1:0]                 ram_read_enable,
    output wire [SE_COUNT*$clog2(DEPTH)-1:0]   ram_read_addr,
    input  wire [SE_COUNT*32-1:0]              ram_read_data,
    // monitor
    output wire [SE_COUNT*$clog2(DEPTH+1)-1:0] count,
    // events
    output wire                                fault
);
    localparam A = $clog2(DEPTH);
    localparam C = A + 1;

    generate
        if (SE_COUNT < 1 || SE_COUNT > 4 || DEPTH < 4 || DEPTH > 128 || DEPTH != (1 << A)) begin : check
            totem_hub_needs_SE_COUNT_1_to_4_and_DEPTH_a_power_of_two_from_4_to_128 refused ();
        end
    endgenerate

    localparam [C-1:0] FULL = DEPTH;

    reg [SE_COUNT*C-1:0]  count_q, count_d;
    reg [SE_COUNT-1:0]    entry_valid_q, entry_valid_d;
    reg [SE_COUNT*32-1:0] entry_data_q, entry_data_d;
    reg [SE_COUNT*A-1:0]  write_place_q, write_place_d;
    reg [SE_COUNT*A-1:0]  read_place_q, read_place_d;
    reg [SE_COUNT-1:0]    fetched_q, fetched_d;
    reg [SE_COUNT*2-1:0]  held_q, held_d;
    reg [SE_COUNT*32-1:0] head_q, head_d;
    reg [SE_COUNT*32-1:0] tail_q, tail_d;
    reg                   fault_q, fault_d;

    // Registers that reset leaves alone read 0 at start, as in the model.
    initial begin
        count_q = 0; entry_valid_q = 0; entry_data_q = 0; write_place_q = 0; read_place_q = 0;
        fetched_q = 0; held_q = 0; head_q = 0; tail_q = 0; fault_q = 0;
    end

    wire [SE_COUNT-1:0] room;       // in the buffer
    wire [SE_COUNT-1:0] wrong;

    genvar g;
    generate
        for (g = 0; g < SE_COUNT; g = g + 1) begin : g_converter
            // What the RAM has unread; the sum is one bit wider than a count, so that it cannot wrap.
            wire [A-1:0] stored = write_place_q[g*A +: A] - read_place_q[g*A +: A];
            wire [C:0]   sum    = {2'd0, stored} + {{C{1'b0}}, entry_valid_q[g]} + {{C{1'b0}}, fetched_q[g]} +
                                  {{C-1{1'b0}}, held_q[g*2 +: 2]};

            assign room[g]            = !held_q[g*2 + 1];
            assign wrong[g]           = count_q[g*C +: C] > FULL || {1'b0, count_q[g*C +: C]} != sum;
            assign push_ready[g]      = count_q[g*C +: C] < FULL;
            assign pop_valid[g]       = held_q[g*2 +: 2] != 2'd0;
            assign ram_read_enable[g] = stored != {A{1'b0}} && (!fetched_q[g] || room[g]);
        end
    endgenerate

    assign pop_data         = head_q;
    assign ram_write_enable = entry_valid_q;
    assign ram_write_addr   = write_place_q;
    assign ram_write_data   = entry_data_q;
    assign ram_read_addr    = read_place_q;
    assign count            = count_q;
    assign fault            = fault_q;

    wire [SE_COUNT-1:0] accept = push_valid & push_ready;
    wire [SE_COUNT-1:0] take   = pop_valid & pop_ready;
    wire [SE_COUNT-1:0] move   = fetched_q & room;

    integer n;
    always @* begin
        count_d       = count_q;
        entry_valid_d = accept;
        entry_data_d  = push_data;
        write_place_d = write_place_q;
        read_place_d  = read_place_q;
        fetched_d     = ram_read_enable | (fetched_q & ~move);
        held_d        = held_q;
        head_d        = head_q;
        tail_d        = tail_q;
        fault_d       = fault_q || wrong != {SE_COUNT{1'b0}};

        for (n = 0; n < SE_COUNT; n = n + 1) begin
            count_d[n*C +: C]       = count_q[n*C +: C] + {{C-1{1'b0}}, accept[n]} - {{C-1{1'b0}}, take[n]};
            write_place_d[n*A +: A] = write_place_q[n*A +: A] + {{A-1{1'b0}}, entry_valid_q[n]};
            read_place_d[n*A +: A]  = read_place_q[n*A +: A] + {{A-1{1'b0}}, ram_read_enable[n]};
            held_d[n*2 +: 2]        = held_q[n*2 +: 2] + {1'b0, move[n]} - {1'b0, take[n]};
            if (take[n] || !pop_valid[n])
                head_d[n*32 +: 32] = room[n] ? ram_read_data[n*32 +: 32] : tail_q[n*32 +: 32];
            if (room[n])
                tail_d[n*32 +: 32] = ram_read_data[n*32 +: 32];
        end
    end

    always @(posedge clk) begin
        count_q       <= count_d;
        entry_valid_q <= entry_valid_d;
        entry_data_q  <= entry_data_d;
        write_place_q <= write_place_d;
        read_place_q  <= read_place_d;
        fetched_q     <= fetched_d;
        held_q        <= held_d;
        head_q        <= head_d;
        tail_q        <= tail_d;
        fault_q       <= fault_d;
        if (rst) begin
            count_q       <= {SE_COUNT*C{1'b0}};
            entry_valid_q <= {SE_COUNT{1'b0}};
            write_place_q <= {SE_COUNT*A{1'b0}};
            read_place_q  <= {SE_COUNT*A{1'b0}};
            fetched_q     <= {SE_COUNT{1'b0}};
            held_q        <= {SE_COUNT*2{1'b0}};
            fault_q       <= 1'b0;
        end
    end

`ifdef FORMAL
    // For a converter picked at will:
    // Contract 1: count is 0 to DEPTH, a full FIFO accepts nothing, and no self-check error is reachable.
    // Contract 2: count = accepted pushes - pops since reset (the difference of two counters that wrap).
    // Contract 3: a primitive, picked at will when it is accepted, is popped unchanged after exactly those held then.
    // Contract 4: without pop_valid, all that is held was accepted in the last 3 clocks; so pop_valid comes within 3
    //             clocks, and a FIFO that is fed in every clock is popped in every clock.
    // Contract 5: no word of the RAM is read in the clock in which it is written, and at most DEPTH - 3 are unread.
    // Assumed: a read gives what was last written to that word, and keeps it until the next read (proved in totem_ram).
    // formal: maxsteps=4
    // formal: maxsteps=4 params=SE_COUNT=1,DEPTH=4
    // formal: maxsteps=4 params=SE_COUNT=3,DEPTH=128 configs=full
    initial assume (rst);
    (* anyconst *) wire [1:0]   f_converter;
    (* anyconst *) wire [A-1:0] f_place;        // word of the RAM that is followed
    (* anyseq *) wire f_pick;

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

    always @* begin
        assume (f_converter < SE_COUNT);
        if (f_latest) assume (f_read_data == f_register);
    end

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
            assert (f_count <= DEPTH && !(f_in && f_count == DEPTH) && !fault_q);                           // 1
            assert (f_ready == (f_count != DEPTH));                                                         // 1
            assert ({{16-C{1'b0}}, f_count} == f_pushes - f_pops);                                          // 2
            if (f_inside) assert (f_ahead < f_count);                                                       // 3
            if (f_inside && f_ahead == {C{1'b0}} && f_shown) assert (f_front == f_word);                    // 3
            if (!f_shown) assert (f_count == f_recent[0] + f_recent[1] + f_recent[2]);                      // 4
            assert (f_wait + {1'b0, f_count != {C{1'b0}} && !f_shown} <= 3'd3);                             // 4
            assert (!(f_write && f_read && f_write_addr == f_read_addr));                                   // 5
            assert (f_stored <= DEPTH - 3);                                                                 // 5

            // Helpers: what the stages hold, and where the picked primitive is.
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
`endif
endmodule

`default_nettype wire
