// SPDX-License-Identifier: Apache-2.0
//
// totem_issue_turns: part of totem_issue: the contender of one tier of graphics.
//
// Policy    of each of three kinds the front ends take turns, and keep the turn until they are granted; of the
//           kinds whose front end is able, the least recently issued one.
// Boundary  combinational. A head has the index kind*FE_COUNT + front end.
// Twin      choose() in cmodel/issue/totem_issue.c.

`default_nettype none

module totem_issue_turns #(
    parameter FE_COUNT = 4,
    parameter FE_BITS  = (FE_COUNT > 1) ? $clog2(FE_COUNT) : 1  // follows from the other
) (
    input  wire [3*FE_COUNT-1:0] asks,      // wants, and nothing blocks it
    input  wire [3*FE_COUNT-1:0] able,      // eligible
    input  wire [5:0]            order,     // kinds
    input  wire [3*FE_BITS-1:0]  turn,      // of each kind: front end
    input  wire                  take,      // the contender of this tier is granted
    output wire                  some,      // there is one
    output wire [3*FE_COUNT-1:0] contender, // which
    output reg  [5:0]            order_d,
    output reg  [3*FE_BITS-1:0]  turn_d
);
    reg [3*FE_COUNT-1:0] has;               // has the turn of its kind
    reg [FE_COUNT-1:0]   mine, ahead, pool; // of a kind: those that ask, from the turn on, of these or all
    reg [3:0]            named;             // kinds whose turn is at an able one; no order shows a fourth
    reg [1:0]            reached;           // one of the first places of the order, or one before it, is such a kind
    reg [1:0]            kind;
    reg                  found;
    integer              k, f, n;

    // 4 Turns
    always @* begin
        named = 4'd0;
        for (k = 0; k < 3; k = k + 1) begin
            mine  = asks[k*FE_COUNT +: FE_COUNT];
            ahead = mine & ({FE_COUNT{1'b1}} << turn[k*FE_BITS +: FE_BITS]);
            pool  = |ahead ? ahead : mine;
            has[k*FE_COUNT +: FE_COUNT] = pool & (~pool + 1'b1);
            named[k] = |(has[k*FE_COUNT +: FE_COUNT] & able[k*FE_COUNT +: FE_COUNT]);
        end

        found = 1'b0;
        kind  = 2'd0;
        for (n = 0; n < 3; n = n + 1) begin
            if (!found)
                kind = order[n*2 +: 2];
            found      = found || named[order[n*2 +: 2]];
            if (n < 2)
                reached[n] = found;
        end
    end

    assign some = found;

    genvar h;
    generate
        for (h = 0; h < 3*FE_COUNT; h = h + 1) begin : g_contender
            localparam KIND = h / FE_COUNT;
            assign contender[h] = found && kind == KIND[1:0] && has[h];
        end
    endgenerate

    // 7 Pole, continued
    always @* begin
        order_d = order;
        turn_d  = turn;
        if (take) begin
            if (reached[0])
                order_d[1:0] = order[3:2];
            if (reached[1])
                order_d[3:2] = order[5:4];
            order_d[5:4] = kind;
        end
        for (k = 0; k < 3; k = k + 1)
            for (f = 0; f < FE_COUNT; f = f + 1)
                if (has[k*FE_COUNT + f])
                    turn_d[k*FE_BITS +: FE_BITS] =
                        !(take && contender[k*FE_COUNT + f]) ? f[FE_BITS-1:0] :
                        (f == FE_COUNT - 1) ? {FE_BITS{1'b0}} : f[FE_BITS-1:0] + 1'b1;
    end
endmodule

`default_nettype wire
