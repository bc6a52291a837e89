// SPDX-License-Identifier: Apache-2.0
//
// totem_rv32_queue: accepted waves that wait, in the order of their acceptance.
//
// Policy    the head is taken by its owner. A kill marks the waves that it names; with DROP they leave the queue from
//           any place, one a clock, and `drop` names each. Waves of a group follow each other, and the first of them
//           to start has a mark. If that wave is dropped, the next wave of the group gets the mark, also if it is
//           accepted later.
// Boundary  with DROP the head is offered only while it is not marked as killed; without DROP, with that mark.
// Cost      a place of the shift register has SLOT_BITS + OWNER + EXTRA + 2 bits and a compare of its owner.

`default_nettype none

module totem_rv32_queue #(
    parameter QUEUES = 8,
    parameter EPOCHS = 8,
    parameter SLOTS  = 64,
    parameter EXTRA  = 1,                   // bits that are kept with a wave
    parameter DROP   = 1,
    parameter S      = $clog2(SLOTS),       // these follow, and are not to be set
    parameter OWNER  = 4 + $clog2(QUEUES) + $clog2(EPOCHS)
) (
    input  wire                      clk,
    input  wire                      rst,
    // accept
    input  wire                      in_valid,
    input  wire                      in_first,
    input  wire                      in_last,       // of its group
    input  wire [S-1:0]              in_slot,
    input  wire [OWNER-1:0]          in_owner,      // {fe, pipe, queue, epoch}
    input  wire [EXTRA-1:0]          in_extra,
    // kill
    input  wire                      kill_valid,
    input  wire [1:0]                kill_fe,
    input  wire [1:0]                kill_pipe,
    input  wire [$clog2(QUEUES)-1:0] kill_queue,
    input  wire [EPOCHS-1:0]         kill_epochs,
    // head
    output wire                      head_valid,
    output wire                      head_first,
    output wire                      head_killed,
    output wire [S-1:0]              head_slot,
    output wire [OWNER-1:0]          head_owner,
    output wire [EXTRA-1:0]          head_extra,
    input  wire                      head_take,
    // waves that a kill removed
    output wire                      drop_valid,
    output wire [S-1:0]              drop_slot,
    input  wire                      drop_take,
    // status
    output wire [S:0]                count,
    output wire                      closed         // no wave of the last group that began is still to start
);
    localparam E = $clog2(EPOCHS);

    reg [SLOTS-1:0]       first_q, first_d, killed_q, killed_d;
    reg [SLOTS*S-1:0]     slot_q, slot_d;
    reg [SLOTS*OWNER-1:0] owner_q, owner_d;
    reg [SLOTS*EXTRA-1:0] extra_q, extra_d;
    reg [S:0]             count_q, count_d;
    reg                   last_q, last_d;       // the wave accepted last was the last of its group
    reg                   inherit_q, inherit_d; // the first wave of a group was dropped before the next one came
    reg [S:0]             gone, place;          // place that is removed; place of the wave that comes
    reg                   removed, dropped;
    reg [S-1:0]           drop;
    integer               n;

    assign count       = count_q;
    assign head_valid  = count_q != 0 && !(DROP != 0 && killed_q[0]);
    assign head_first  = first_q[0];
    assign head_killed = killed_q[0];
    assign head_slot   = slot_q[S-1:0];
    assign head_owner  = owner_q[OWNER-1:0];
    assign head_extra  = extra_q[EXTRA-1:0];
    assign drop_valid  = DROP != 0 && killed_q != 0;
    assign drop_slot   = slot_q[drop*S +: S];
    assign closed      = count_q != 0 ? first_q[0] : last_q || inherit_q;

    always @* begin
        drop = {S{1'b0}};
        for (n = SLOTS - 1; n >= 0; n = n - 1)
            if (killed_q[n])
                drop = n[S-1:0];
        dropped   = drop_valid && drop_take;
        removed   = head_take || dropped;
        gone      = head_take ? {S+1{1'b0}} : {1'b0, drop};
        first_d   = first_q;
        killed_d  = killed_q;
        slot_d    = slot_q;
        owner_d   = owner_q;
        extra_d   = extra_q;
        inherit_d = inherit_q;
        last_d    = last_q;
        count_d   = removed ? count_q - 1'b1 : count_q;
        if (kill_valid)
            for (n = 0; n < SLOTS; n = n + 1)
                if (n < count_q && owner_q[n*OWNER+E +: OWNER-E] == {kill_fe, kill_pipe, kill_queue} &&
                        kill_epochs[owner_q[n*OWNER +: E]])
                    killed_d[n] = 1'b1;
        if (removed) begin
            if (!head_take && first_q[gone[S-1:0]]) begin
                if (gone == count_q - 1'b1)
                    inherit_d = 1'b1;
                else
                    first_d[gone[S-1:0] + 1'b1] = 1'b1;
            end
            for (n = 0; n < SLOTS - 1; n = n + 1)
                if (n >= gone) begin
                    first_d[n]                = first_d[n+1];
                    killed_d[n]               = killed_d[n+1];
                    slot_d[n*S +: S]          = slot_q[(n+1)*S +: S];
                    owner_d[n*OWNER +: OWNER] = owner_q[(n+1)*OWNER +: OWNER];
                    extra_d[n*EXTRA +: EXTRA] = extra_q[(n+1)*EXTRA +: EXTRA];
                end
            first_d[SLOTS-1]  = 1'b0;
            killed_d[SLOTS-1] = 1'b0;
        end
        place = count_d;
        if (in_valid) begin
            for (n = 0; n < SLOTS; n = n + 1)
                if (n[S:0] == place) begin
                    first_d[n]                = in_first || inherit_d;
                    killed_d[n]               = 1'b0;
                    slot_d[n*S +: S]          = in_slot;
                    owner_d[n*OWNER +: OWNER] = in_owner;
                    extra_d[n*EXTRA +: EXTRA] = in_extra;
                end
            count_d   = count_d + 1'b1;
            inherit_d = 1'b0;
            last_d    = in_last;
        end
    end

    always @(posedge clk) begin
        first_q   <= first_d;
        killed_q  <= killed_d;
        slot_q    <= slot_d;
        owner_q   <= owner_d;
        extra_q   <= extra_d;
        count_q   <= count_d;
        last_q    <= last_d;
        inherit_q <= inherit_d;
        if (rst) begin
            killed_q  <= {SLOTS{1'b0}};
            first_q   <= {SLOTS{1'b0}};
            count_q   <= {S+1{1'b0}};
            last_q    <= 1'b1;
            inherit_q <= 1'b0;
        end
    end
endmodule

`default_nettype wire
