// SPDX-License-Identifier: Apache-2.0
//
// totem_context: which context set is current, which draws use which set, which set a roll takes, and the hash CAM.
//
// Policy    a roll takes a free set: untagged ones first, then the least recently used. A hash that a set is tagged
//           with makes that set current (hit); any other opens a group, in place or after a roll; its end tags the set.
// Latency   high dword in clock t: decided in t+1, answer and current in t+2; a miss waits while no set is free or
//           frames have no room. One lookup every 2 clocks while they hit, else every 3.
// Boundary  outputs are functions of state alone. The 32-bit comparisons end in flip-flops: near_q with the low dword,
//           match_q with the high one, so that found is one gate behind a flip-flop when a lookup is decided.
//           The choice of a roll is a matrix of all pairs: who is worse than whom waits for no count.
// Cost      of each set: 64 flip-flops of tag and 12 more, two comparisons of 32 bits; SETS*(SETS-1)/2 flip-flops of
//           order. The rest is 128 of statistics, 96 of the lookup and 11 + $clog2(SETS) of control.
// Proved    one match (1); a set in use is never retired (2); exact order (3); counts (4); events (5); no fault (6); an
//           answer waits for a free set and frames only (7); a group and a waiting lookup alone refuse a dword (8); no
//           tag outlives a flush (9).
// Twin      cmodel/context/totem_context.c, same names.

`default_nettype none

module totem_context #(
    parameter SETS = 8                      // a power of two, 2 to 16
) (
    input  wire                    clk,
    input  wire                    rst,
    // sender
    input  wire                    hash_valid,
    output wire                    hash_ready,
    input  wire [31:0]             hash_data,
    input  wire [13:0]             hash_count,
    input  wire                    bounce_enable,
    output wire                    answer_valid,
    output wire [1:0]              answer,
    input  wire                    group_end,
    input  wire                    draw_valid,
    output wire                    draw_ready,
    input  wire                    resume_valid,
    input  wire                    resume_plain,
    input  wire                    render_clear,
    output wire [$clog2(SETS)-1:0] current,
    output wire                    used,
    output wire                    has_tag,
    output wire                    group,
    output wire                    idle,
    // graphics
    input  wire                    graphics_flush_valid,
    input  wire                    graphics_flush_plain,
    // completions
    input  wire                    end_valid,
    input  wire [$clog2(SETS)-1:0] end_set,
    output wire                    end_refused,
    output wire [SETS-1:0]         done,
    // frames
    input  wire                    frames_want,
    input  wire                    frames_room,
    input  wire                    frames_changed,
    input  wire                    frames_cleared,
    output wire                    roll_want,
    output wire                    roll_free,
    output wire [$clog2(SETS)-1:0] roll_set,
    output wire                    hit_valid,
    output wire [$clog2(SETS)-1:0] hit_set,
    // statistics
    output wire [31:0]             rolls,
    output wire [31:0]             hits,
    output wire [31:0]             misses,
    output wire [31:0]             full_clocks,
    output wire                    fault
);
`include "totem_context_values.vh"
    localparam BITS = $clog2(SETS);

    generate
        if (SETS != 2 && SETS != 4 && SETS != 8 && SETS != 16) begin : check
            totem_context_needs_SETS_2_4_8_or_16 refused ();
        end
    endgenerate

    reg [BITS-1:0]      current_q, current_d;
    reg [SETS*8-1:0]    uses_q, uses_d;
    reg [SETS-1:0]      pending_q, pending_d;
    reg [SETS-1:0]      tagged_q, tagged_d;
    reg [SETS*32-1:0]   tag_low_q, tag_low_d;
    reg [SETS*32-1:0]   tag_high_q, tag_high_d;
    reg [SETS*SETS-1:0] newer_q, newer_d;
    reg                 half_q, half_d;
    reg [31:0]          low_q, low_d;
    reg [SETS-1:0]      near_q, near_d;
    reg                 looking_q, looking_d;
    reg [1:0]           kind_q, kind_d;
    reg [31:0]          hash_low_q, hash_low_d;
    reg [31:0]          hash_high_q, hash_high_d;
    reg [SETS-1:0]      match_q, match_d;
    reg                 group_q, group_d;
    reg                 plain_q, plain_d;
    reg                 answer_valid_q, answer_valid_d;
    reg [1:0]           answer_q, answer_d;
    reg                 end_refused_q, end_refused_d;
    reg [31:0]          rolls_q, rolls_d;
    reg [31:0]          hits_q, hits_d;
    reg [31:0]          misses_q, misses_d;
    reg [31:0]          full_clocks_q, full_clocks_d;
    reg                 fault_q, fault_d;

    // Everything reads 0 at start, as in the model.
    initial begin
        current_q = 0; uses_q = 0; pending_q = 0; tagged_q = 0; tag_low_q = 0; tag_high_q = 0; newer_q = 0; half_q = 0;
        low_q = 0; near_q = 0; looking_q = 0; kind_q = 0; hash_low_q = 0; hash_high_q = 0; match_q = 0; group_q = 0;
        plain_q = 0; answer_valid_q = 0; answer_q = 0; end_refused_q = 0; rolls_q = 0; hits_q = 0; misses_q = 0;
        full_clocks_q = 0; fault_q = 0;
    end

    // One bit of each set. here: it is current; zero: no draw uses it; full: 255 draws do; free: a roll can take it;
    // victim: the roll takes it; found: its tag matches; first: it is the set of the hit.
    wire [SETS-1:0] here  = {{SETS-1{1'b0}}, 1'b1} << current_q;
    wire [SETS-1:0] found = match_q & tagged_q;
    wire [SETS-1:0] first, zero, full, free, victim;

    // Set s is worse than set t for a roll. It is said of flip-flops alone, so it is there before free is.
    genvar s, t;
    generate
        for (s = 0; s < SETS; s = s + 1) begin : set
            wire [SETS-1:0] worse;
            for (t = 0; t < SETS; t = t + 1) begin : than
                if (t == s) begin : same
                    assign worse[t] = 1'b0;
                end else if (t < s) begin : below
                    assign worse[t] = (tagged_q[s] == tagged_q[t]) ? newer_q[s*SETS + t] : tagged_q[s];
                end else begin : above
                    assign worse[t] = (tagged_q[s] == tagged_q[t]) ? !newer_q[t*SETS + s] : tagged_q[s];
                end
            end
            assign first[s]  = found[s] && !(|(found & ({SETS{1'b1}} >> (SETS - s))));
            assign zero[s]   = uses_q[s*8 +: 8] == 8'd0;
            assign full[s]   = &uses_q[s*8 +: 8];
            assign free[s]   = zero[s] && !pending_q[s] && !here[s];
            assign victim[s] = free[s] && !(|(free & worse));
        end
    endgenerate

    // Numbers of the sets that are picked one bit each.
    genvar b;
    generate
        for (b = 0; b < BITS; b = b + 1) begin : number
            // Bit n is 1 if bit b of n is.
            wire [SETS-1:0] odd = {(SETS >> (b + 1)){{(1 << b){1'b1}}, {(1 << b){1'b0}}}};
            assign roll_set[b] = |(victim & odd);
            assign hit_set[b]  = |(first & odd);
        end
    endgenerate

    wire cam      = looking_q && kind_q == LOOKUP_CAM;
    wire hit      = cam && found != {SETS{1'b0}};
    wire in_place = !used && !has_tag;
    wire want     = roll_want || frames_want;
    wire roll     = want && roll_free && frames_room;
    wire take     = hash_valid && half_q && !group_q && !looking_q;     // the high dword

    assign hash_ready   = !group_q && (!looking_q || (hit && !half_q));
    assign answer_valid = answer_valid_q;
    assign answer       = answer_q;
    assign draw_ready   = !looking_q && !full[current_q];
    assign current      = current_q;
    assign used         = !zero[current_q];
    assign has_tag      = tagged_q[current_q];
    assign group        = group_q;
    assign idle         = !half_q && !looking_q;
    assign end_refused  = end_refused_q;
    assign done         = pending_q & zero;
    assign roll_want    = cam && !hit && !in_place;
    assign roll_free    = free != {SETS{1'b0}};
    assign hit_valid    = hit;
    assign rolls        = rolls_q;
    assign hits         = hits_q;
    assign misses       = misses_q;
    assign full_clocks  = full_clocks_q;
    assign fault        = fault_q;

    // Count of a set: the draw is counted without draw_ready, whose choice among all sets would come first.
    reg up, down;
    integer n, m;

    always @* begin
        current_d      = current_q;
        uses_d         = uses_q;
        tagged_d       = tagged_q;
        tag_low_d      = tag_low_q;
        tag_high_d     = tag_high_q;
        newer_d        = newer_q;
        half_d         = half_q;
        low_d          = low_q;
        near_d         = near_q;
        looking_d      = looking_q;
        kind_d         = kind_q;
        hash_low_d     = hash_low_q;
        hash_high_d    = hash_high_q;
        match_d        = match_q;
        group_d        = group_q;
        plain_d        = plain_q;
        answer_d       = answer_q;
        rolls_d        = rolls_q;
        hits_d         = hits_q;
        misses_d       = misses_q;
        full_clocks_d  = full_clocks_q;
        // 1 Events
        answer_valid_d = 1'b0;
        pending_d      = pending_q & ~done;
        // 7 Draws
        end_refused_d  = end_valid && zero[end_set];
        // 10 Fault
        fault_d        = fault_q || (cam && found != first);

        // 2 Changes
        if (frames_changed || frames_cleared)
            tagged_d = tagged_d & ~here;
        if (render_clear)
            plain_d = 1'b0;

        // 3 Group end
        if (group_end && group_q) begin
            tagged_d = tagged_d | here;
            group_d  = 1'b0;
        end

        // 4 Roll
        if (roll) begin
            current_d = roll_set;
            pending_d = pending_d | here;
            tagged_d  = tagged_d & ~victim;
            rolls_d   = rolls_q + 32'd1;
        end
        if (want && !roll_free)
            full_clocks_d = full_clocks_q + 32'd1;

        // 5 Lookup
        if (looking_q && kind_q != LOOKUP_CAM) begin
            answer_valid_d = 1'b1;
            answer_d       = (kind_q == ANSWER_REFUSED) ? ANSWER_REFUSED : ANSWER_PLAIN;
            misses_d       = misses_q + {31'd0, kind_q == LOOKUP_MISS};
            looking_d      = 1'b0;
        end
        if (hit) begin
            current_d      = hit_set;
            hits_d         = hits_q + 32'd1;
            answer_valid_d = 1'b1;
            answer_d       = ANSWER_HIT;
            looking_d      = 1'b0;
        end
        if (cam && !hit && (in_place || roll)) begin
            misses_d       = misses_q + 32'd1;
            group_d        = 1'b1;
            answer_valid_d = 1'b1;
            answer_d       = ANSWER_MISS;
            looking_d      = 1'b0;
        end

        // 4 Roll, continued: its set, and then the set of a hit, becomes the most recently used. Both at once come only
        // from a sender that writes during a lookup.
        for (n = 0; n < SETS; n = n + 1)
            for (m = 0; m < SETS; m = m + 1)
                if (m >= n)
                    newer_d[n*SETS + m] = 1'b0;
                else begin
                    if (roll && victim[m]) newer_d[n*SETS + m] = 1'b0;
                    if (roll && victim[n]) newer_d[n*SETS + m] = 1'b1;
                    if (hit && first[m])   newer_d[n*SETS + m] = 1'b0;
                    if (hit && first[n])   newer_d[n*SETS + m] = 1'b1;
                end

        for (n = 0; n < SETS; n = n + 1) begin
            // 3 Group end, continued
            if (group_end && group_q && here[n]) begin
                tag_low_d[n*32 +: 32]  = hash_low_q;
                tag_high_d[n*32 +: 32] = hash_high_q;
            end
            // 6 Hash
            if (hash_valid && !half_q)
                near_d[n] = tag_low_q[n*32 +: 32] == hash_data;
            if (take)
                match_d[n] = near_q[n] && tag_high_q[n*32 +: 32] == hash_data;
            // 7 Draws, continued
            up   = draw_valid && !looking_q && here[n] && !full[n];
            down = end_valid && end_set == n[BITS-1:0] && !zero[n];
            uses_d[n*8 +: 8] = uses_q[n*8 +: 8] + {{7{down && !up}}, down != up};
        end

        // 6 Hash, continued: the low dword's registers follow what is on offer, so that only half waits for the lookup
        // before.
        if (hash_valid && !half_q) begin
            low_d  = hash_data;
            half_d = hash_ready;
        end
        if (take) begin
            hash_low_d  = low_q;
            hash_high_d = hash_data;
            half_d      = 1'b0;
            looking_d   = 1'b1;
            kind_d      = !bounce_enable ? ANSWER_PLAIN : plain_q ? LOOKUP_MISS
                          : (hash_count == 14'd0) ? ANSWER_REFUSED : LOOKUP_CAM;
        end

        // 8 Resume
        if (resume_valid) begin
            tagged_d       = {SETS{1'b0}};
            group_d        = 1'b0;
            half_d         = 1'b0;
            looking_d      = 1'b0;
            answer_valid_d = 1'b0;
            if (resume_plain)
                plain_d = 1'b1;
        end

        // 9 Flush
        if (graphics_flush_valid) begin
            tagged_d = {SETS{1'b0}};
            group_d  = 1'b0;
            if (graphics_flush_plain) begin
                plain_d = 1'b1;
                if (looking_d && kind_d == LOOKUP_CAM)
                    kind_d = LOOKUP_MISS;
            end
        end
    end

    integer i, j;

    always @(posedge clk) begin
        current_q      <= current_d;
        uses_q         <= uses_d;
        pending_q      <= pending_d;
        tagged_q       <= tagged_d;
        tag_low_q      <= tag_low_d;
        tag_high_q     <= tag_high_d;
        newer_q        <= newer_d;
        half_q         <= half_d;
        low_q          <= low_d;
        near_q         <= near_d;
        looking_q      <= looking_d;
        kind_q         <= kind_d;
        hash_low_q     <= hash_low_d;
        hash_high_q    <= hash_high_d;
        match_q        <= match_d;
        group_q        <= group_d;
        plain_q        <= plain_d;
        answer_valid_q <= answer_valid_d;
        answer_q       <= answer_d;
        end_refused_q  <= end_refused_d;
        rolls_q        <= rolls_d;
        hits_q         <= hits_d;
        misses_q       <= misses_d;
        full_clocks_q  <= full_clocks_d;
        fault_q        <= fault_d;
        if (rst) begin
            current_q      <= {BITS{1'b0}};
            uses_q         <= {SETS*8{1'b0}};
            pending_q      <= {SETS{1'b0}};
            tagged_q       <= {SETS{1'b0}};
            half_q         <= 1'b0;
            looking_q      <= 1'b0;
            group_q        <= 1'b0;
            plain_q        <= 1'b0;
            answer_valid_q <= 1'b0;
            end_refused_q  <= 1'b0;
            rolls_q        <= 32'd0;
            hits_q         <= 32'd0;
            misses_q       <= 32'd0;
            full_clocks_q  <= 32'd0;
            fault_q        <= 1'b0;
            for (i = 0; i < SETS; i = i + 1)
                for (j = 0; j < SETS; j = j + 1)
                    newer_q[i*SETS + j] <= j != 0 && j < i;
        end
    end

`ifdef FORMAL
`include "totem_context_properties.vh"
`endif
endmodule

`default_nettype wire
