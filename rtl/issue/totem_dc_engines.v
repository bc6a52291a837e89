// SPDX-License-Identifier: Apache-2.0
//
// totem_dc_engines: part of totem_dc: what the engines have left for each pipe, and the engine for its next group.
//
// Policy    what waits at an engine from here counts as taken, of a worse pipe priority not. An engine is possible if
//           the group may go there at all. Among those: one where it fits, then the most slots left, then the next
//           after the last used.
// Boundary  combinational; state and inputs come from totem_dc.
// Cost      of an engine: three sums of held x need (held <= 4); of a pipe, three comparisons of 18 bits.
// Twin      cmodel/issue/totem_dc.c (held, left_of, possible, fits, lacking, and the choice in rule 8).

`default_nettype none

module totem_dc_engines #(
    parameter PIPES    = 2,
    parameter SE_COUNT = 4
) (
    // state of totem_dc
    input  wire [PIPES*SE_COUNT*3-1:0] presented,
    input  wire [PIPES*SE_COUNT*8-1:0] used,
    input  wire [PIPES*SE_COUNT-1:0]   buffer,
    input  wire [PIPES*SE_COUNT-1:0]   header_sent,
    input  wire [PIPES*13-1:0]         total,
    input  wire [1:0]                  last,
    // its inputs
    input  wire [PIPES*SE_COUNT-1:0]   walker_room,
    input  wire [PIPES*7-1:0]          dispatch_waves,
    input  wire [PIPES*2-1:0]          arbiter_pipe_priority,
    input  wire [PIPES*9-1:0]          bank_lds,
    input  wire [PIPES*SE_COUNT-1:0]   bank_engines,
    input  wire [SE_COUNT*7-1:0]       issue_free_slots,
    input  wire [SE_COUNT*12-1:0]      issue_free_vgprs_left,
    input  wire [SE_COUNT*10-1:0]      issue_free_lds_left,
    input  wire [PIPES*SE_COUNT-1:0]   grant_valid,
    input  wire [PIPES*SE_COUNT-1:0]   answer_valid,
    input  wire [SE_COUNT*3-1:0]       answer_count,
    // terms
    output wire [PIPES*SE_COUNT*3-1:0] held,
    output wire [PIPES*SE_COUNT-1:0]   open,
    output wire [PIPES*SE_COUNT-1:0]   lacking,
    output wire [PIPES-1:0]            some,    // an engine is possible
    output wire [PIPES*2-1:0]          best     // the one for a group of the pipe, if there is some
);
    localparam PLACES = PIPES*SE_COUNT;     // index pipe*SE_COUNT + engine
    localparam [3:0] USED_LIMIT = 4'd15;    // what a count of uses can hold

    // Two pipes of 7 groups is more than counts allow; the widths hold even that, with a sign.
    wire [PLACES*12-1:0]  left_slots;
    wire [PLACES*18-1:0]  left_vgprs;
    wire [PLACES*14-1:0]  left_lds;

    // 8 Group, continued. An engine as a candidate of a pipe, in one number: the greatest is the choice. possible, fits,
    // slots left (bit 11 turned to compare without sign), nearness after the last used, its number.
    wire [PIPES*4*18-1:0] candidate;

    genvar p, s;
    generate
        for (s = 0; s < SE_COUNT; s = s + 1) begin : g_engine
            wire [12*PIPES-1:0] slots;
            wire [18*PIPES-1:0] vgprs;
            wire [14*PIPES-1:0] lds;

            for (p = 0; p < PIPES; p = p + 1) begin : g_pipe
                localparam I = p*SE_COUNT + s;
                wire [2:0] returned = answer_valid[I] ? answer_count[s*3 +: 3] : 3'd0;
                wire [3:0] gone     = {3'd0, grant_valid[I]} + {1'b0, returned};
                wire [3:0] rest     = {1'b0, presented[I*3 +: 3]} - gone;
                assign held[I*3 +: 3]    = ({1'b0, presented[I*3 +: 3]} < gone) ? 3'd0 : rest[2:0];
                assign slots[p*12 +: 12] = {9'd0, held[I*3 +: 3]} * {5'd0, dispatch_waves[p*7 +: 7]};
                assign vgprs[p*18 +: 18] = {15'd0, held[I*3 +: 3]} * {5'd0, total[p*13 +: 13]};
                assign lds[p*14 +: 14]   = {11'd0, held[I*3 +: 3]} * {5'd0, bank_lds[p*9 +: 9]};
                wire unused = &{1'b0, rest[3]};
            end

            for (p = 0; p < PIPES; p = p + 1) begin : g_left
                localparam I = p*SE_COUNT + s;
                localparam Q = PIPES - 1 - p;       // the partner
                wire       both = PIPES > 1 &&
                                  arbiter_pipe_priority[Q*2 +: 2] >= arbiter_pipe_priority[p*2 +: 2];
                assign left_slots[I*12 +: 12] = {5'd0, issue_free_slots[s*7 +: 7]} - slots[p*12 +: 12] -
                    (both ? slots[Q*12 +: 12] : 12'd0);
                assign left_vgprs[I*18 +: 18] = {6'd0, issue_free_vgprs_left[s*12 +: 12]} - vgprs[p*18 +: 18] -
                    (both ? vgprs[Q*18 +: 18] : 18'd0);
                assign left_lds[I*14 +: 14]   = {4'd0, issue_free_lds_left[s*10 +: 10]} - lds[p*14 +: 14] -
                    (both ? lds[Q*14 +: 14] : 14'd0);
                assign lacking[I] = held[I*3 +: 3] != 3'd0 &&
                                    (dispatch_waves[p*7 +: 7] > issue_free_slots[s*7 +: 7] ||
                                     total[p*13 +: 13] > {1'b0, issue_free_vgprs_left[s*12 +: 12]} ||
                                     {1'b0, bank_lds[p*9 +: 9]} > issue_free_lds_left[s*10 +: 10]);
            end
        end

        for (p = 0; p < PIPES; p = p + 1) begin : g_pipe
            for (s = 0; s < 4; s = s + 1) begin : g_candidate
                localparam [1:0] ENGINE = s;
                if (s < SE_COUNT) begin : g_real
                    localparam I = p*SE_COUNT + s;
                    wire [12:0] slots_after = {left_slots[I*12 + 11], left_slots[I*12 +: 12]} -
                        {6'd0, dispatch_waves[p*7 +: 7]};
                    wire [18:0] vgprs_after = {left_vgprs[I*18 + 17], left_vgprs[I*18 +: 18]} -
                        {6'd0, total[p*13 +: 13]};
                    wire [14:0] lds_after   = {left_lds[I*14 + 13], left_lds[I*14 +: 14]} - {6'd0, bank_lds[p*9 +: 9]};
                    wire        fits        = !slots_after[12] && !vgprs_after[18] && !lds_after[14];
                    wire [2:0]  turn        = {1'b0, last} - {1'b0, ENGINE};
                    wire [1:0]  near        = turn[2] ? turn[1:0] + SE_COUNT[1:0] : turn[1:0];
                    wire        next_buffer = !buffer[I];
                    wire        possible    = bank_engines[I] && walker_room[I] && presented[I*3 +: 3] < 3'd4 &&
                                              (header_sent[I] ? used[I*8 + buffer[I]*4 +: 4] != USED_LIMIT :
                                                                used[I*8 + next_buffer*4 +: 4] == 4'd0);
                    assign candidate[(p*4 + s)*18 +: 18] =
                        {possible, fits, !left_slots[I*12 + 11], left_slots[I*12 +: 11], near, ENGINE};
                    assign open[I] = possible && fits;
                    wire unused = &{1'b0, slots_after[11:0], vgprs_after[17:0], lds_after[13:0]};
                end else begin : g_none
                    assign candidate[(p*4 + s)*18 +: 18] = 18'd0;
                end
            end
            wire [17:0] low  = candidate[p*72 +: 18] > candidate[p*72 + 18 +: 18] ?
                               candidate[p*72 +: 18] : candidate[p*72 + 18 +: 18];
            wire [17:0] high = candidate[p*72 + 36 +: 18] > candidate[p*72 + 54 +: 18] ?
                               candidate[p*72 + 36 +: 18] : candidate[p*72 + 54 +: 18];
            wire [17:0] choice = low > high ? low : high;
            assign some[p]        = choice[17];
            assign best[p*2 +: 2] = choice[1:0];
            wire unused = &{1'b0, choice[16:2]};
        end
    endgenerate
endmodule

`default_nettype wire
