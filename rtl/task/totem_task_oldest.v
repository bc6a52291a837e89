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
    // A tree: those that stay of the first round are COUNT to 2*COUNT-1, the one of n is of 2n and 2n+1.
    wire [2*COUNT-1:0]       some;
    wire [2*COUNT*4-1:0]     age;
    wire [2*COUNT*WIDTH-1:0] entry;
    assign some[0]              = 1'b0;
    assign age[3:0]             = 4'd0;
    assign entry[WIDTH-1:0]     = {WIDTH{1'b0}};
    assign some[2*COUNT-1:COUNT] = members;
    assign age[8*COUNT-1:4*COUNT] = ages;
    genvar n;
    generate
        for (n = 0; n < COUNT; n = n + 1) begin : leaf
            assign entry[(COUNT + n)*WIDTH +: WIDTH] = n[WIDTH-1:0];
        end
        for (n = 1; n < COUNT; n = n + 1) begin : round
            wire [3:0] since  = age[(2*n + 1)*4 +: 4] - age[2*n*4 +: 4];
            wire       older  = since[3];
            wire       second = some[2*n + 1] && (!some[2*n] || older);
            assign some[n]                 = some[2*n] || some[2*n + 1];
            assign age[n*4 +: 4]           = second ? age[(2*n + 1)*4 +: 4] : age[2*n*4 +: 4];
            assign entry[n*WIDTH +: WIDTH] = second ? entry[(2*n + 1)*WIDTH +: WIDTH] : entry[2*n*WIDTH +: WIDTH];
            wire       unused = &{1'b0, since[2:0]};
        end
    endgenerate
    assign oldest = some[1] ? entry[WIDTH +: WIDTH] : {WIDTH{1'b0}};

    wire unused = &{1'b0, some[0], age[7:0], entry[WIDTH-1:0]};
endmodule

`default_nettype wire
