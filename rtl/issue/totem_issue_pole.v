// SPDX-License-Identifier: Apache-2.0
//
// totem_issue_pole: part of totem_issue: the totem pole, a list of all pipes, the most favoured one on top.
//
// Policy    of the pipes on offer the one nearest to the top wins, and goes to the bottom.
// Boundary  combinational. A damaged list finds nobody rather than somebody: a place is kept for every number that an
//           element can show.
// Twin      rules 5 and 7 in cmodel/issue/totem_issue.c.

`default_nettype none

module totem_issue_pole #(
    parameter COUNT      = 8,
    parameter ORDER_BITS = 3
) (
    input  wire [COUNT*ORDER_BITS-1:0] order,       // element 0 the top
    input  wire [COUNT-1:0]            offers,
    output reg                         found,       // there is a winner,
    output reg  [COUNT-1:0]            chosen,      // this one
    output reg  [COUNT*ORDER_BITS-1:0] order_d,
    output wire                        whole        // every pipe is in the list
);
    reg [ORDER_BITS-1:0] winner;
    reg [COUNT-1:0]      named;     // place n names a pipe on offer
    reg [COUNT-1:0]      reached;   // it or one above it does
    reg [7:0]            seen;
    integer              n;
    wire [7:0]           wanted = {{(8-COUNT){1'b0}}, offers};

    // 5 Winner
    always @* begin
        seen   = 8'd0;
        found  = 1'b0;
        winner = {ORDER_BITS{1'b0}};
        for (n = 0; n < COUNT; n = n + 1) begin
            seen     = seen | (8'd1 << order[n*ORDER_BITS +: ORDER_BITS]);
            named[n] = |(wanted & (8'd1 << order[n*ORDER_BITS +: ORDER_BITS]));
            if (named[n] && !found)
                winner = order[n*ORDER_BITS +: ORDER_BITS];
            found      = found || named[n];
            reached[n] = found;
        end
        for (n = 0; n < COUNT; n = n + 1)
            chosen[n] = found && winner == n[ORDER_BITS-1:0];
    end

    // 7 Pole. reached begins at the winner, so the list moves up from there and only if there is one.
    always @* begin
        order_d = order;
        for (n = 0; n < COUNT - 1; n = n + 1)
            if (reached[n])
                order_d[n*ORDER_BITS +: ORDER_BITS] = order[(n+1)*ORDER_BITS +: ORDER_BITS];
        if (found)
            order_d[(COUNT-1)*ORDER_BITS +: ORDER_BITS] = winner;
    end

    assign whole = seen[COUNT-1:0] == {COUNT{1'b1}};
endmodule

`default_nettype wire
