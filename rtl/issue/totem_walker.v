// SPDX-License-Identifier: Apache-2.0
//
// totem_walker: walks the grid of a pipe's dispatch and knows where every work-group is.
//
// Policy    ids in the order x, y, z; a window of 8 ids from the lowest ungranted one; offered is the
//           lowest of them that is neither presented nor granted; at most 4 at an engine. Groups that an
//           engine returns are offered again, lowest first. What is left when the pipe is stopped is
//           one id (low) and a mask of 7 later ids already granted: the restart state.
// Latency   start in clock n: offer in n+1; then one offer a clock. See docs/contract/walker.md.
// Boundary  every output is a function of state; dc_take is the ready of the offer.
// Cost      ids are not stored per place: two registers walk, one behind the grants (low), one before
//           the offers (next), a clock per id each. 3 bits a presented group name its place.
// Twin      cmodel/issue/totem_walker.c, same names.

`default_nettype none

module totem_walker #(
    parameter SE_COUNT = 4                  // 1 to 4; each costs 15 flip-flops
) (
    input  wire                  clk,
    input  wire                  rst,
    // packet
    input  wire                  packet_start,
    input  wire                  packet_start_resume,
    input  wire                  packet_start_fresh_at_zero,
    input  wire [63:0]           packet_start_end,
    input  wire                  packet_start_partial,
    input  wire                  packet_stop,
    // bank
    input  wire [63:0]           bank_origin,
    input  wire [63:0]           bank_restart,
    input  wire [6:0]            bank_restart_mask,
    input  wire [63:0]           bank_restart_end,
    input  wire [63:0]           bank_restart_origin,
    // packet, bank
    output wire                  busy,
    output wire                  stopped,
    output wire [63:0]           low,
    output wire [6:0]            mask,
    // dispatch controller
    output wire                  group_valid,
    output wire [63:0]           group,
    output wire [2:0]            group_partial,
    output wire [SE_COUNT-1:0]   room,
    output wire [SE_COUNT-1:0]   outstanding,
    input  wire                  dc_take,
    input  wire [1:0]            dc_take_engine,
    // engines
    input  wire [SE_COUNT-1:0]   grant_valid,
    input  wire [SE_COUNT-1:0]   answer_valid,
    input  wire [SE_COUNT*3-1:0] answer_count,
    output wire                  mismatch
);
    generate
        if (SE_COUNT < 1 || SE_COUNT > 4) begin : check
            totem_walker_needs_SE_COUNT_1_to_4 refused ();
        end
    endgenerate

    localparam [2:0] DEPTH = 3'd4;          // groups presented to an engine

    reg                   busy_q, busy_d;
    reg                   stop_q, stop_d;
    reg [63:0]            low_q, low_d;
    reg [63:0]            next_q, next_d;
    reg [63:0]            first_q, first_d;
    reg [63:0]            last_q, last_d;
    reg                   partial_q, partial_d;
    reg [2:0]             head_q, head_d;
    reg [3:0]             ahead_q, ahead_d;
    reg                   beyond_q, beyond_d;
    reg [7:0]             presented_q, presented_d;
    reg [7:0]             granted_q, granted_d;
    reg [SE_COUNT*12-1:0] fifo_q, fifo_d;
    reg [SE_COUNT*3-1:0]  count_q, count_d;
    reg                   mismatch_q, mismatch_d;

    // Registers that reset leaves alone read 0 at start, as in the model.
    initial begin
        low_q     = 64'd0;
        next_q    = 64'd0;
        first_q   = 64'd0;
        last_q    = 64'd0;
        partial_q = 1'b0;
        fifo_q    = {SE_COUNT*12{1'b0}};
    end

    wire [2:0]  at        = head_q + ahead_q[2:0];
    wire        in_window = !beyond_q && !ahead_q[3];
    wire        placed    = presented_q[at] || granted_q[at];

    reg [3:0]          open;                // room, of engines that exist
    reg [SE_COUNT-1:0] waiting;
    reg [6:0]          later;
    reg [2:0]          later_place;
    integer            e, i;

    always @* begin
        open        = 4'd0;
        waiting     = {SE_COUNT{1'b0}};
        later       = 7'd0;
        later_place = 3'd0;
        for (e = 0; e < SE_COUNT; e = e + 1) begin
            open[e]    = count_q[e*3 +: 3] < DEPTH;
            waiting[e] = count_q[e*3 +: 3] != 3'd0;
        end
        for (i = 0; i < 7; i = i + 1) begin
            later_place = head_q + i[2:0] + 3'd1;
            later[i]    = granted_q[later_place];
        end
    end

    assign busy        = busy_q;
    assign stopped     = stop_q && !(|waiting) && !(busy_q && granted_q[head_q]);
    assign low         = low_q;
    assign mask        = later;
    assign group_valid = busy_q && !stop_q && in_window && !placed;
    assign group       = next_q;
    assign group_partial = {3{partial_q}} & {{1'b0, next_q[63:48]} + 17'd1 >= {1'b0, last_q[63:48]},
                                             {1'b0, next_q[47:32]} + 17'd1 >= {1'b0, last_q[47:32]},
                                             {1'b0, next_q[31:0]} + 33'd1 >= {1'b0, last_q[31:0]}};
    assign room        = open[SE_COUNT-1:0];
    assign outstanding = waiting;
    assign mismatch    = mismatch_q;

    wire        offered_take = group_valid && open[dc_take_engine];
    wire        taken        = dc_take && offered_take;
    wire        moves        = busy_q && (taken || (in_window && placed));
    wire        slides       = busy_q && granted_q[head_q] && (ahead_q != 4'd0 || moves);

    // The id after another, of next_q and low_q: {walk ends, id}. Compares are one bit wider than the coordinate, so
    // that an id from a descriptor in memory that lies beyond the grid ends the walk instead of wrapping.
    wire [129:0] after;
    genvar       g;
    generate
        for (g = 0; g < 2; g = g + 1) begin : g_after
            wire [63:0] id    = g == 0 ? next_q : low_q;
            wire [32:0] x     = {1'b0, id[31:0]} + 33'd1;
            wire [16:0] y     = {1'b0, id[47:32]} + 17'd1;
            wire [16:0] z     = {1'b0, id[63:48]} + 17'd1;
            wire        x_end = x >= {1'b0, last_q[31:0]};
            wire        y_end = y >= {1'b0, last_q[47:32]};
            wire        z_end = z >= {1'b0, last_q[63:48]};
            assign after[g*65 +: 65] = {x_end && y_end && z_end,
                                        x_end && y_end ? z[15:0] : id[63:48],
                                        !x_end ? id[47:32] : y_end ? first_q[47:32] : y[15:0],
                                        x_end ? first_q[31:0] : x[31:0]};
            wire unused = &{1'b0, z[16]};
        end
    endgenerate
    wire [64:0] after_next   = after[64:0];
    wire [64:0] after_low    = after[129:65];

    reg [2:0]  rest;
    reg        returned;
    reg [63:0] begin_id;
    integer    engine, entry;

    wire unused = &{1'b0, after_low[64]};

    always @* begin
        presented_d = presented_q;
        granted_d   = granted_q;
        fifo_d      = fifo_q;
        count_d     = count_q;
        mismatch_d  = mismatch_q;
        returned    = 1'b0;
        rest        = 3'd0;
        // 1 Stop
        stop_d      = packet_stop;

        for (engine = 0; engine < SE_COUNT; engine = engine + 1) begin
            rest = count_q[engine*3 +: 3];
            // 2 Grants
            if (grant_valid[engine]) begin
                if (rest == 3'd0)
                    mismatch_d = 1'b1;
                else begin
                    presented_d[fifo_q[engine*12 +: 3]] = 1'b0;
                    granted_d[fifo_q[engine*12 +: 3]]   = 1'b1;
                    fifo_d[engine*12 +: 9]              = fifo_q[engine*12+3 +: 9];
                    rest = rest - 3'd1;
                end
            end
            // 3 Answers
            for (entry = 0; entry < 4; entry = entry + 1)
                if (answer_valid[engine] && entry[2:0] < rest) begin
                    presented_d[fifo_d[engine*12+entry*3 +: 3]] = 1'b0;
                    returned = 1'b1;
                end
            if (answer_valid[engine]) begin
                if (answer_count[engine*3 +: 3] != rest)
                    mismatch_d = 1'b1;
                rest = 3'd0;
            end
            // 4 Take
            if (taken && {1'b0, dc_take_engine} == engine[2:0]) begin
                fifo_d[engine*12 + rest[1:0]*3 +: 3] = at;
                rest = rest + 3'd1;
            end
            count_d[engine*3 +: 3] = rest;
        end
        // 4 Take, continued
        if (dc_take && !offered_take)
            mismatch_d = 1'b1;
        if (taken)
            presented_d[at] = 1'b1;

        // 5 Walk
        next_d   = next_q;
        ahead_d  = ahead_q;
        beyond_d = beyond_q;
        if (moves) begin
            next_d   = after_next[63:0];
            ahead_d  = ahead_q + 4'd1;
            beyond_d = after_next[64];
        end
        // 6 Window
        low_d  = low_q;
        head_d = head_q;
        if (slides) begin
            low_d             = after_low[63:0];
            granted_d[head_q] = 1'b0;
            head_d            = head_q + 3'd1;
            ahead_d           = ahead_d - 4'd1;
        end
        // 7 Return
        if (returned) begin
            next_d   = low_d;
            ahead_d  = 4'd0;
            beyond_d = 1'b0;
        end

        // 8 End
        busy_d = busy_q;
        if (beyond_d && count_d == {SE_COUNT*3{1'b0}})
            busy_d = 1'b0;
        if (stopped && !packet_stop)
            busy_d = 1'b0;

        // 9 Start
        first_d   = first_q;
        last_d    = last_q;
        partial_d = partial_q;
        begin_id  = packet_start_resume        ? bank_restart :
                   packet_start_fresh_at_zero ? 64'd0        : bank_origin;
        if (packet_start && !busy_q) begin
            first_d     = packet_start_resume ? bank_restart_origin : begin_id;
            last_d      = packet_start_resume ? bank_restart_end : packet_start_end;
            partial_d   = packet_start_partial;
            low_d       = begin_id;
            next_d      = begin_id;
            head_d      = 3'd0;
            ahead_d     = 4'd0;
            beyond_d    = 1'b0;
            presented_d = 8'd0;
            granted_d   = packet_start_resume ? {bank_restart_mask, 1'b0} : 8'd0;
            busy_d      = begin_id[31:0] < last_d[31:0] && begin_id[47:32] < last_d[47:32] &&
                          begin_id[63:48] < last_d[63:48];
        end
    end

    always @(posedge clk) begin
        busy_q      <= busy_d;
        stop_q      <= stop_d;
        low_q       <= low_d;
        next_q      <= next_d;
        first_q     <= first_d;
        last_q      <= last_d;
        partial_q   <= partial_d;
        head_q      <= head_d;
        ahead_q     <= ahead_d;
        beyond_q    <= beyond_d;
        presented_q <= presented_d;
        granted_q   <= granted_d;
        fifo_q      <= fifo_d;
        count_q     <= count_d;
        mismatch_q  <= mismatch_d;
        if (rst) begin
            busy_q      <= 1'b0;
            stop_q      <= 1'b0;
            head_q      <= 3'd0;
            ahead_q     <= 4'd0;
            beyond_q    <= 1'b0;
            presented_q <= 8'd0;
            granted_q   <= 8'd0;
            count_q     <= {SE_COUNT*3{1'b0}};
            mismatch_q  <= 1'b0;
        end
    end
`ifdef FORMAL
`include "totem_walker_properties.vh"
`endif
endmodule

`default_nettype wire
