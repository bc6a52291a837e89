// SPDX-License-Identifier: Apache-2.0
//
// totem_memory_path: part of totem_memory, rule 13: the message about a path whose IDs are all reserved.
//
// Policy    one message for each time that a path closes, the lowest path first. A path that opens again while the
//           message of another waits has none.
// Boundary  combinational; state of the block comes in, its next values go out as *_next.
// Twin      tell in cmodel/memory/totem_memory.c.

`default_nettype none

module totem_memory_path #(
    parameter READERS = 6,
    parameter FENCES  = 8,
    parameter PATH_BITS = $clog2(READERS + 1)
) (
    input  wire [READERS*2-1:0] reads_late,
    input  wire [FENCES-1:0]    fence_late,
    output wire                 dead,
    // message
    input  wire [READERS:0]     told,
    input  wire [1:0]           error_left,
    input  wire [PATH_BITS-1:0] error_path,
    input  wire                 events_error_ready,
    output reg  [READERS:0]     told_next,
    output reg  [1:0]           error_left_next,
    output reg  [PATH_BITS-1:0] error_path_next
);
    reg  [READERS:0] closed;
    wire [READERS:0] untold = closed & ~told;
    integer          k;

    assign dead = |closed;

    always @* begin
        for (k = 0; k < READERS; k = k + 1)
            closed[k] = reads_late[k*2 +: 2] != 2'd0;
        closed[READERS] = &fence_late;
    end

    // 13 Path message
    always @* begin
        told_next       = told & closed;
        error_left_next = error_left;
        error_path_next = error_path;
        if (error_left != 2'd0) begin
            if (events_error_ready)
                error_left_next = error_left - 2'd1;
        end else if (|untold) begin
            told_next       = told_next | (untold & (~untold + {{READERS{1'b0}}, 1'b1}));
            error_left_next = 2'd2;
            for (k = READERS; k >= 0; k = k - 1)
                if (untold[k])
                    error_path_next = k[PATH_BITS-1:0];
        end
    end
endmodule

`default_nettype wire
