// SPDX-License-Identifier: Apache-2.0
//
// totem_slot_idle: what every slot shows of being drained, and which slot is abandoned.
//
// Policy    five blocks hold what is closed, in flight, reserved, failed and on its way; here it becomes idle, settled,
//           quiet, spare and the epochs that a kill names. Of the slots whose kill has timed out, and that have no
//           write with memory, the lowest is abandoned.
// Boundary  combinational.
// Twin      cmodel/fence/totem_slot_idle.c, same names.

`default_nettype none

module totem_slot_idle #(
    parameter QUEUES = 8,                   // a power of two, 2 to 8
    parameter EPOCHS = 8                    // a power of two, 2 to 8
) (
    // flight
    input  wire [QUEUES*EPOCHS-1:0]             flight_empty,
    // intake
    input  wire [QUEUES-1:0]                    intake_storing,
    // epoch
    input  wire [QUEUES*$clog2(EPOCHS)-1:0]     epoch_current,
    input  wire [QUEUES*EPOCHS-1:0]             epoch_closed,
    input  wire [QUEUES*EPOCHS-1:0]             epoch_turn,
    input  wire [QUEUES-1:0]                    epoch_flushed,
    input  wire [QUEUES-1:0]                    epoch_mapped,
    input  wire [QUEUES*EPOCHS-1:0]             epoch_reserved,
    input  wire [QUEUES*EPOCHS-1:0]             epoch_present,
    input  wire [QUEUES-1:0]                    epoch_abandoned,
    // failure
    input  wire                                 failure_valid,
    input  wire [QUEUES-1:0]                    failure_waits,
    // fence
    input  wire                                 fence_free,
    input  wire [QUEUES-1:0]                    fence_telling,
    input  wire [QUEUES*EPOCHS-1:0]             fence_write_pending,
    // kill
    input  wire [QUEUES-1:0]                    kill_abandon,
    // record
    input  wire                                 record_fence_valid,
    input  wire [$clog2(QUEUES)-1:0]            record_fence_queue,
    // what the slots show
    output wire [QUEUES-1:0]                    idle,
    output wire [QUEUES-1:0]                    settled,
    output wire [QUEUES*EPOCHS-1:0]             targets,
    output wire [QUEUES-1:0]                    quiet,
    output wire [QUEUES*EPOCHS-1:0]             over,
    output wire [QUEUES-1:0]                    spare,
    output wire                                 drop_valid,
    output wire [$clog2(QUEUES)-1:0]            drop_queue
);
    localparam Q = $clog2(QUEUES);
    localparam E = $clog2(EPOCHS);

    generate
        if (QUEUES < 2 || QUEUES > 8 || QUEUES != (1 << Q) || EPOCHS < 2 || EPOCHS > 8 || EPOCHS != (1 << E))
        begin : check
            totem_slot_idle_needs_QUEUES_and_EPOCHS_2_4_or_8 refused ();
        end
    endgenerate

    localparam [EPOCHS-1:0] NONE = {EPOCHS{1'b0}}, ALL = {EPOCHS{1'b1}};

    wire [QUEUES*EPOCHS-1:0] ended  = flight_empty | epoch_reserved;
    wire [QUEUES*EPOCHS-1:0] vacant = flight_empty & ~epoch_closed & ~epoch_reserved;
    wire [QUEUES-1:0]        goes;
    genvar g;
    generate
        for (g = 0; g < QUEUES; g = g + 1) begin : slot
            localparam [Q-1:0] SLOT = g;
            wire [E-1:0]      now    = epoch_current[g*E +: E];
            wire [EPOCHS-1:0] none   = flight_empty[g*EPOCHS +: EPOCHS];
            wire [EPOCHS-1:0] over_e = ended[g*EPOCHS +: EPOCHS];
            wire [EPOCHS-1:0] closed_set  = epoch_closed[g*EPOCHS +: EPOCHS];
            wire [EPOCHS-1:0] rooms  = vacant[g*EPOCHS +: EPOCHS];
            wire [EPOCHS-1:0] meant  = epoch_present[g*EPOCHS +: EPOCHS] | {EPOCHS{!epoch_mapped[g]}};
            wire              kept   = failure_waits[g] || fence_telling[g] || intake_storing[g];
            wire              words  = intake_storing[g] || (record_fence_valid && record_fence_queue == SLOT);
            assign targets[g*EPOCHS +: EPOCHS] = meant & ~none;
            assign over[g*EPOCHS +: EPOCHS]    = epoch_turn[g*EPOCHS +: EPOCHS] & over_e;
            assign settled[g] = epoch_flushed[g] && over_e[now];
            assign idle[g]    = closed_set == NONE && none == ALL &&
                                epoch_reserved[g*EPOCHS +: EPOCHS] == NONE && !kept;
            assign quiet[g]   = epoch_mapped[g] ? settled[g] : idle[g];
            // Two or more are vacant.
            assign spare[g]   = !closed_set[now] && (rooms & (rooms - {{(EPOCHS-1){1'b0}}, 1'b1})) != NONE;
            assign goes[g]    = kill_abandon[g] && !epoch_abandoned[g] && !words && !quiet[g] &&
                                (fence_write_pending[g*EPOCHS +: EPOCHS] & meant) == NONE;
        end
    endgenerate

    reg [Q-1:0] lowest;
    integer i;
    always @* begin
        lowest = {Q{1'b0}};
        for (i = QUEUES - 1; i >= 0; i = i - 1)
            if (goes[i])
                lowest = i[Q-1:0];
    end
    assign drop_valid = fence_free && !failure_valid && goes != {QUEUES{1'b0}};
    assign drop_queue = lowest;
`ifdef FORMAL
`include "totem_slot_idle_properties.vh"
`endif
endmodule

`default_nettype wire
