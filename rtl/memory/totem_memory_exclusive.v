// SPDX-License-Identifier: Apache-2.0
//
// totem_memory_exclusive: part of totem_memory: which pipe's poll reads, and which pipe's packet writes; the requesters
// of exclusive accesses.
//
// Policy    the numbers of both are those of totem_requesters.vh, which totem_memory does not include itself: Icarus
//           passes macros with arguments on to files that it finds by name, and falls over them.
// Boundary  pure function.
// Twin      TOTEM_READER_POLL and TOTEM_WRITER_EXECUTE where cmodel/memory/totem_memory.c uses them.

`default_nettype none
`include "totem_requesters.vh"

module totem_memory_exclusive #(
    parameter FE_PIPES = 2,
    parameter READERS  = 6,
    parameter WRITERS  = 8
) (
    input  wire [READERS-1:0]  read_pick,
    input  wire [READERS-1:0]  read_asked,  // taken up in this clock
    input  wire [WRITERS-1:0]  serve_at,
    output wire [FE_PIPES-1:0] poll_pick,
    output wire [FE_PIPES-1:0] poll_asked,
    output wire [FE_PIPES-1:0] execute_at
);
    wire unused = &{1'b0, read_pick, read_asked, serve_at};  // those of other requesters
    genvar g;
    generate
        for (g = 0; g < FE_PIPES; g = g + 1) begin : pipe
            assign poll_pick[g]  = read_pick[`TOTEM_READER_POLL(g)];
            assign poll_asked[g] = read_asked[`TOTEM_READER_POLL(g)];
            assign execute_at[g] = serve_at[`TOTEM_WRITER_EXECUTE(g)];
        end
    endgenerate
endmodule

`default_nettype wire
