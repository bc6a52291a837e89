// SPDX-License-Identifier: Apache-2.0
//
// totem_task_oldest: part of totem_task: the oldest of a set of entries, in rounds of neighbours.
//
// Boundary  pure function of its inputs; 0 if the set is empty. Ages count modulo 16.
// Twin      oldest() in cmodel/task/totem_task_begin.c.

`default_nettype none

module totem_task_oldest #(
    parameter COUNT = 64,   // entries, a power of two
    parameter WIDTH = 6     // bits of the number of one
) (
    input  wire [COUNT-1:0]     members,
    input  wire [COUNT*4-1:0]   ages,
    output wire [WIDTH-1:0]     oldest
);
    // A tree: those of the first round are COUNT to 2*COUNT-1, the one that stays of 2n and 2n+1 is n.
    genvar n;
    generate
        for (n = 1; n < 2*COUNT; n = n + 1) begin : node
            wire             some;
            wire [3:0]       age;
            wire [WIDTH-1:0] entry;
            if (n >= COUNT) begin : leaf
                assign some  = members[n - COUNT];
                assign age   = ages[(n - COUNT)*4 +: 4];
                assign entry = n[WIDTH-1:0];
            end else begin : round
                wire [3:0] since  = node[2*n + 1].age - node[2*n].age;
                wire       older  = since[3];
                wire       second = node[2*n + 1].some && (!node[2*n].some || older);
                wire       unused = &{1'b0, since[2:0]};
                assign some  = node[2*n].some || node[2*n + 1].some;
                assign age   = second ? node[2*n + 1].age : node[2*n].age;
                assign entry = second ? node[2*n + 1].entry : node[2*n].entry;
            end
        end
    endgenerate
    assign oldest = node[1].some ? node[1].entry : {WIDTH{1'b0}};

    wire unused = &{1'b0, node[1].age};
endmodule

`default_nettype wire
