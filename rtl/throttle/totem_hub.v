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
            // The sum is one bit wider than a count, so that it cannot wrap.
            wire [A-1:0] unread = write_place_q[g*A +: A] - read_place_q[g*A +: A];
            wire [C:0]   sum    = {2'd0, unread} + {{C{1'b0}}, entry_valid_q[g]} + {{C{1'b0}}, fetched_q[g]} +
                                  {{C-1{1'b0}}, held_q[g*2 +: 2]};

            assign room[g]            = !held_q[g*2 + 1];
            assign wrong[g]           = count_q[g*C +: C] > FULL || {1'b0, count_q[g*C +: C]} != sum;
            assign push_ready[g]      = count_q[g*C +: C] < FULL;
            assign pop_valid[g]       = held_q[g*2 +: 2] != 2'd0;
            assign ram_read_enable[g] = unread != {A{1'b0}} && (!fetched_q[g] || room[g]);
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
        // 1 Entry
        entry_valid_d = accept;
        entry_data_d  = push_data;
        write_place_d = write_place_q;
        read_place_d  = read_place_q;
        held_d        = held_q;
        head_d        = head_q;
        tail_d        = tail_q;
        // 3 Read
        fetched_d     = ram_read_enable | (fetched_q & ~move);
        // 6 Fault
        fault_d       = fault_q || wrong != {SE_COUNT{1'b0}};

        for (n = 0; n < SE_COUNT; n = n + 1) begin
            // 2 Write
            write_place_d[n*A +: A] = write_place_q[n*A +: A] + {{A-1{1'b0}}, entry_valid_q[n]};
            // 3 Read, continued
            read_place_d[n*A +: A]  = read_place_q[n*A +: A] + {{A-1{1'b0}}, ram_read_enable[n]};
            // 5 Count
            count_d[n*C +: C]       = count_q[n*C +: C] + {{C-1{1'b0}}, accept[n]} - {{C-1{1'b0}}, take[n]};
            // 4 Buffer
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

    // formal: maxsteps=4
    // formal: maxsteps=4 params=SE_COUNT=1,DEPTH=4
    // formal: maxsteps=4 params=SE_COUNT=3,DEPTH=128 configs=full
`ifdef FORMAL
`include "totem_hub_properties.vh"
`endif
endmodule

`default_nettype wire
