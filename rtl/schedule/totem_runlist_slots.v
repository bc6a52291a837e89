// SPDX-License-Identifier: Apache-2.0
//
// totem_runlist_slots: part of totem_runlist: what place is shown of a slot and its pipe, and whether a pipe is scarce.
//
// Policy    rule 3 of the contract; a slot that is claimed, loads or leaves is busy.
// Boundary  combinational; the owner registers it, so place has a clock for its rank.
// Cost      a multiplexer of FE_COUNT*PIPES*QUEUES x 58, and the counts of one pipe.
// Twin      totem_runlist_step of cmodel/schedule/totem_runlist.c.

`default_nettype none

module totem_runlist_slots #(
    parameter FE_COUNT = 4,
    parameter PIPES    = 2,
    parameter QUEUES   = 8
) (
    // the slot that is asked for
    input  wire [$clog2(FE_COUNT*PIPES*QUEUES)-1:0]      slot,
    input  wire                                          ahead,
    input  wire [$clog2(FE_COUNT*PIPES+1)-1:0]           ahead_pipe,
    // slots
    input  wire [FE_COUNT*PIPES*QUEUES-1:0]              owned,
    input  wire [FE_COUNT*PIPES*QUEUES*2-1:0]            place_phase,
    input  wire [FE_COUNT*PIPES*QUEUES-1:0]              claimed,
    input  wire [FE_COUNT*PIPES*QUEUES-1:0]              stuck,
    input  wire [FE_COUNT*PIPES*QUEUES*4-1:0]            priorities,
    input  wire [FE_COUNT*PIPES*QUEUES*24-1:0]           limit,
    input  wire [FE_COUNT*PIPES*QUEUES*24-1:0]           ran,
    input  wire [FE_COUNT*PIPES*QUEUES*16-1:0]           still,
    input  wire [FE_COUNT*PIPES*QUEUES-1:0]              turn,
    input  wire [FE_COUNT*PIPES*QUEUES-1:0]              works,
    input  wire [FE_COUNT*PIPES*QUEUES-1:0]              active,
    input  wire [FE_COUNT*PIPES*QUEUES-1:0]              halted,
    input  wire [FE_COUNT*PIPES*QUEUES-1:0]              spare,
    // pipes
    input  wire [FE_COUNT*PIPES-1:0]                     selected_valid,
    input  wire [FE_COUNT*PIPES*$clog2(QUEUES)-1:0]      selected,
    input  wire [FE_COUNT*PIPES*QUEUES*4-1:0]            queue_priority,
    // host
    input  wire [15:0]                                   settings_park,
    input  wire [3:0]                                    settings_spare,
    // place
    output wire                                          slot_usable,
    output wire [1:0]                                    slot_phase,
    output wire                                          slot_wants,
    output wire                                          slot_parked,
    output wire                                          slot_turn,
    output wire                                          slot_used,
    output wire [3:0]                                    slot_priority,
    output wire [23:0]                                   slot_selected,
    output reg  [4:0]                                    pipe_running,
    output reg  [3:0]                                    pipe_mapped,
    output reg  [3:0]                                    pipe_empty,
    output reg  [4:0]                                    pipe_highest,
    output wire                                          scarce         // of ahead_pipe
);
`include "totem_place_values.vh"
`include "totem_runlist_values.vh"
    localparam P = FE_COUNT*PIPES;
    localparam S = $clog2(P*QUEUES);
    localparam Q = $clog2(QUEUES);
    localparam A = $clog2(P+1);

    wire [5:0] upper = {{6-S{1'b0}}, slot} >> Q;
    wire [1:0] phase = place_phase[slot*2 +: 2];
    wire       empty = phase == PHASE_EMPTY;

    assign slot_usable   = owned[slot] && !stuck[slot] && (empty ? spare[slot] && !active[slot] : !halted[slot]) &&
                           (!ahead || (phase == PHASE_RUNNING && upper == {{6-A{1'b0}}, ahead_pipe}));
    assign slot_phase    = empty ? SLOT_EMPTY : phase == PHASE_RUNNING && !claimed[slot] ? SLOT_RUNNING : SLOT_BUSY;
    assign slot_wants    = works[slot];
    assign slot_parked   = still[slot*16 +: 16] >= settings_park;
    assign slot_turn     = turn[slot];
    assign slot_used     = ran[slot*24 +: 24] >= limit[slot*24 +: 24];
    wire shelters = works[slot] && !turn[slot] && !slot_parked;
    assign slot_priority = shelters ? 4'd15 : priorities[slot*4 +: 4];
    wire [22:0] clocks   = ran[slot*24 + 23] ? 23'h7FFFFF : ran[slot*24 +: 23];
    assign slot_selected = {!moves, clocks};

    reg         moves, loads;           // the pipe of `slot` moves a queue; ahead_pipe loads one
    integer     p, q, s;
    reg [3:0]   running, roomy;         // of ahead_pipe: slots that run, and those that are, or become, free
    reg [4:0]   rank;

    always @* begin
        pipe_running = 5'd0;
        pipe_mapped  = 4'd0;
        pipe_empty   = 4'd0;
        pipe_highest = 5'd0;
        running      = 4'd0;
        roomy        = 4'd0;
        moves        = 1'b0;
        loads        = 1'b0;
        for (p = 0; p < P; p = p + 1)
            for (q = 0; q < QUEUES; q = q + 1) begin
                s    = p*QUEUES + q;
                rank = {1'b0, priorities[s*4 +: 4]} + 5'd1;
                if (upper == p[5:0]) begin
                    if (selected_valid[p] && selected[p*Q +: Q] == q[Q-1:0] &&
                            {1'b0, queue_priority[s*4 +: 4]} >= pipe_running)
                        pipe_running = {1'b0, queue_priority[s*4 +: 4]} + 5'd1;
                    if ((active[s] || place_phase[s*2 +: 2] != PHASE_EMPTY) && pipe_mapped != 4'd15)
                        pipe_mapped = pipe_mapped + 4'd1;
                    if (place_phase[s*2 +: 2] == PHASE_LOADING || place_phase[s*2 +: 2] == PHASE_LEAVING) begin
                        moves = 1'b1;
                        if (rank > pipe_running)
                            pipe_running = rank;
                        if (pipe_mapped != 4'd15)
                            pipe_mapped = pipe_mapped + 4'd1;
                    end
                    pipe_empty  = pipe_empty + {3'd0, owned[s] && place_phase[s*2 +: 2] == PHASE_EMPTY};
                    if (place_phase[s*2 +: 2] != PHASE_EMPTY && place_phase[s*2 +: 2] != PHASE_LEAVING &&
                            rank > pipe_highest)
                        pipe_highest = rank;
                end
                if (ahead_pipe == p[A-1:0] && place_phase[s*2 +: 2] == PHASE_LOADING)
                    loads = 1'b1;
                if (ahead_pipe == p[A-1:0] && owned[s]) begin
                    running = running + {3'd0, place_phase[s*2 +: 2] == PHASE_RUNNING};
                    roomy   = roomy + {3'd0, place_phase[s*2 +: 2] == PHASE_EMPTY ||
                                             (place_phase[s*2 +: 2] == PHASE_LEAVING && !claimed[s])};
                end
            end
    end

    assign scarce = !loads && running >= 4'd2 && roomy < settings_spare;
endmodule

`default_nettype wire
