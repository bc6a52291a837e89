// SPDX-License-Identifier: Apache-2.0
//
// totem_memory_write_pick: part of totem_memory: who has a word to write, whose message may be sent, whose is next.
//
// Policy    in turn, from write_turn on. Packet writes need a place in fence for a failure; record has the stream of
//           mqd and goes first. A stream whose own ID is reserved borrows one of those for fence writes. While beats
//           of a burst are left nobody is served; who is barred so long gives up.
// Boundary  combinational; state of the block and offers come in. write_pick and vacant have at most one bit.
// Twin      offered, serve_word, may, barred, borrows, vacant and write_pick in cmodel/memory/totem_memory.c.

`default_nettype none
`include "totem_requesters.vh"

module totem_memory_write_pick #(
    parameter FE_PIPES = 2,
    parameter WRITERS  = 8,
    parameter STREAMS  = 6,
    parameter FENCES   = 8,
    parameter WRITER_BITS = $clog2(WRITERS)
) (
    // requesters
    input  wire [WRITERS-1:0]            write_valid,
    input  wire [WRITERS*64-1:0]         write_word,
    input  wire [FE_PIPES-1:0]           fence_write_room,
    input  wire [FE_PIPES-1:0]           packet_fence_write,
    input  wire [FE_PIPES-1:0]           record_write_valid,
    input  wire [FE_PIPES*64-1:0]        record_write_word,
    output reg  [WRITERS-1:0]            offered,
    // IDs
    input  wire [STREAMS*2-1:0]          writes,
    input  wire [STREAMS*2-1:0]          writes_late,
    input  wire [FENCES-1:0]             fence_busy,
    input  wire [FENCES-1:0]             fence_late,
    input  wire [FENCES*WRITER_BITS-1:0] fence_owner,
    output wire [FENCES-1:0]             vacant,
    input  wire [3:0]                    left,
    output reg  [STREAMS-1:0]            borrows,
    output reg  [WRITERS-1:0]            barred,
    // the message that is served, and the next one
    input  wire [WRITER_BITS-1:0]        serve,
    output reg  [WRITERS-1:0]            serve_at,
    output reg  [63:0]                   serve_word,
    output wire                          serve_offered,
    output wire                          serve_may,
    input  wire [WRITER_BITS-1:0]        write_turn,
    input  wire [WRITERS-1:0]            give_up,
    output reg  [WRITERS-1:0]            write_pick
);
    wire [FENCES-1:0] unused_ids = ~(fence_busy | fence_late);
    wire               free = left == 4'd0;
    reg  [WRITERS-1:0] may, can, ids_exhausted;
    reg  [STREAMS-1:0] lends;   // the stream has a fence's ID
    integer            i, j;

    assign vacant        = unused_ids & (~unused_ids + {{(FENCES-1){1'b0}}, 1'b1});
    assign serve_offered = |(serve_at & offered);
    assign serve_may     = |(serve_at & may);

    always @* begin
        offered = write_valid;
        for (i = 0; i < FE_PIPES; i = i + 1) begin
            offered[`TOTEM_WRITER_EXECUTE(i)] = write_valid[`TOTEM_WRITER_EXECUTE(i)] && fence_write_room[i] &&
                                                !packet_fence_write[i];
            offered[`TOTEM_WRITER_MQD(i)] = write_valid[`TOTEM_WRITER_MQD(i)] || record_write_valid[i];
        end

        for (i = 0; i < STREAMS; i = i + 1) begin
            lends[i] = 1'b0;
            for (j = 0; j < FENCES; j = j + 1)
                lends[i] = lends[i] ||
                           (fence_busy[j] && fence_owner[j*WRITER_BITS +: WRITER_BITS] == i[WRITER_BITS-1:0]);
            borrows[i] = writes_late[i*2 +: 2] != 2'd0;
            may[i]     = free && !lends[i] && (borrows[i] ? writes[i*2 +: 2] == 2'd0 && (|vacant) : !writes[i*2 + 1]);
            ids_exhausted[i] = borrows[i] && (&fence_late);
            barred[i]  = ids_exhausted[i] || (!free && writes[i*2 +: 2] == 2'd0 && !lends[i]);
        end
        for (i = STREAMS; i < WRITERS; i = i + 1) begin
            may[i]  = free && (|vacant);
            ids_exhausted[i] = &fence_late;
            barred[i] = ids_exhausted[i] || !free;
        end

        serve_word = 64'd0;
        for (i = 0; i < WRITERS; i = i + 1) begin
            serve_at[i] = serve == i[WRITER_BITS-1:0];
            if (serve_at[i])
                serve_word = write_word[i*64 +: 64];
        end
        for (i = 0; i < FE_PIPES; i = i + 1)
            if (serve_at[`TOTEM_WRITER_MQD(i)] && record_write_valid[i])
                serve_word = record_write_word[i*64 +: 64];

        can        = offered & (may | (barred & give_up));
        write_pick = can & ({WRITERS{1'b1}} << write_turn);
        if (write_pick == {WRITERS{1'b0}})
            write_pick = can;
        write_pick = write_pick & (~write_pick + {{(WRITERS-1){1'b0}}, 1'b1});
    end
endmodule

`default_nettype wire
