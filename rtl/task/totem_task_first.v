// SPDX-License-Identifier: Apache-2.0
//
// totem_task_first: part of totem_task: the lowest member of a set of queues or entries.
//
// Boundary  pure function of its inputs; 0 if the set is empty.
// Twin      the loops from 0 up in cmodel/task/totem_task*.c.

`default_nettype none

module totem_task_first #(
    parameter COUNT = 16,   // members that the set can have
    parameter WIDTH = 4     // bits of the number of one
) (
    input  wire [COUNT-1:0] members,
    output reg  [WIDTH-1:0] first
);
    integer n;
    always @* begin
        first = {WIDTH{1'b0}};
        for (n = COUNT - 1; n >= 0; n = n - 1)
            if (members[n])
                first = n[WIDTH-1:0];
    end
endmodule

`default_nettype wire
