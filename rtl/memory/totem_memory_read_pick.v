// SPDX-License-Identifier: Apache-2.0
//
// totem_memory_read_pick: part of totem_memory: which read is looked at, and whether a write keeps it back.
//
// Policy    in turn, from read_turn on; a requester with two reads, or with a late response, is passed over.
// Boundary  combinational; state of the block comes in. read_pick has at most one bit.
// Cost      a comparator of 28 bits for each write that can be outstanding.
// Twin      read_pick and read_blocked in cmodel/memory/totem_memory.c.

`default_nettype none

module totem_memory_read_pick #(
    parameter READERS = 6,
    parameter STREAMS = 6,
    parameter FENCES  = 8,
    parameter READER_BITS = $clog2(READERS)
) (
    // reads
    input  wire [READERS-1:0]      ask_valid,
    input  wire [READERS*37-1:0]   ask_addr,
    input  wire [READERS*5-1:0]    ask_beats,
    input  wire [READERS*2-1:0]    reads,
    input  wire [READERS*2-1:0]    reads_late,
    input  wire [READER_BITS-1:0]  read_turn,
    output reg  [READERS-1:0]      read_pick,
    output reg  [36:0]             pick_addr,
    output reg  [4:0]              pick_beats,
    output reg                     read_blocked,
    // writes
    input  wire [1:0]              stage,
    input  wire                    held_fail,
    input  wire [27:0]             held_page,
    input  wire [STREAMS*2-1:0]    writes,
    input  wire [STREAMS*2*38-1:0] write_addr,
    input  wire [FENCES-1:0]       fence_busy,
    input  wire [FENCES*38-1:0]    fence_addr
);
`include "totem_memory_values.vh"

    reg [READERS-1:0] can;
    integer           i;

    always @* begin
        for (i = 0; i < READERS; i = i + 1)
            can[i] = ask_valid[i] && !reads[i*2 + 1] && reads_late[i*2 +: 2] == 2'd0;
        read_pick = can & ({READERS{1'b1}} << read_turn);
        if (read_pick == {READERS{1'b0}})
            read_pick = can;
        read_pick = read_pick & (~read_pick + {{(READERS-1){1'b0}}, 1'b1});

        pick_addr  = 37'd0;
        pick_beats = 5'd0;
        for (i = 0; i < READERS; i = i + 1)
            if (read_pick[i]) begin
                pick_addr  = ask_addr[i*37 +: 37];
                pick_beats = ask_beats[i*5 +: 5];
            end

        read_blocked = (stage == MEMORY_SECOND || stage == MEMORY_HELD) && !held_fail &&
                       held_page == pick_addr[36:9];
        for (i = 0; i < STREAMS; i = i + 1) begin
            if (writes[i*2 +: 2] != 2'd0 && write_addr[i*76 + 10 +: 28] == pick_addr[36:9])
                read_blocked = 1'b1;
            if (writes[i*2 + 1] && write_addr[i*76 + 48 +: 28] == pick_addr[36:9])
                read_blocked = 1'b1;
        end
        for (i = 0; i < FENCES; i = i + 1)
            if (fence_busy[i] && fence_addr[i*38 + 10 +: 28] == pick_addr[36:9])
                read_blocked = 1'b1;
    end
endmodule

`default_nettype wire
