// SPDX-License-Identifier: Apache-2.0
//
// totem_flight: what is in flight of every (queue, epoch).
//
// Policy    waves count from their grant to their end, packet writes from their way to memory to their acknowledge,
//           draws of a ring from their issue to the end of their last wave, pixel waves too.
// Latency   an end is seen one clock later.
// Boundary  sums stay below 1024 per entry.
// Cost      10 flip-flops and an adder per (queue, epoch): several engines may end waves of any
//           entries in one clock.
// Proved    nothing lost, nothing doubled (invariant 1).
// Twin      cmodel/fence/totem_flight.c, same names.

`default_nettype none

module totem_flight #(
    parameter QUEUES   = 8,                 // a power of two, 2 to 8
    parameter EPOCHS   = 8,                 // a power of two, 2 to 8
    parameter SE_COUNT = 4                  // 1 to 4
) (
    input  wire                                             clk,
    input  wire                                             rst,
    // packet
    input  wire                                             packet_fence_write,
    input  wire [$clog2(QUEUES)-1:0]                        arbiter_selected,
    // epoch
    input  wire [QUEUES*$clog2(EPOCHS)-1:0]                 epoch_current,
    input  wire [QUEUES*EPOCHS-1:0]                         epoch_reserved,
    // draws of queue 0: issued, ended
    input  wire                                             draw_begun,
    input  wire                                             draw_end_valid,
    input  wire [$clog2(EPOCHS)-1:0]                        draw_end_epoch,
    // engines (geometry_valid: a geometry or pixel wave is granted)
    input  wire [SE_COUNT-1:0]                              grant_valid,
    input  wire [SE_COUNT*7-1:0]                            grant_waves,
    input  wire [SE_COUNT*$clog2(QUEUES)-1:0]               grant_queue,
    input  wire [SE_COUNT*$clog2(EPOCHS)-1:0]               grant_epoch,
    input  wire [SE_COUNT-1:0]                              geometry_valid,
    input  wire [SE_COUNT-1:0]                              complete_valid,
    input  wire [SE_COUNT*$clog2(QUEUES)-1:0]               complete_queue,
    input  wire [SE_COUNT*$clog2(EPOCHS)-1:0]               complete_epoch,
    // memory
    input  wire                                             packet_write_ack,
    input  wire [5:0]                                       ack_tag,
    // what is in flight
    output wire [QUEUES*16-1:0]                             waves,
    output wire [QUEUES*EPOCHS-1:0]                         empty,
    output wire [15:0]                                      late
);
    localparam Q = $clog2(QUEUES);
    localparam E = $clog2(EPOCHS);
    localparam ENTRIES = QUEUES * EPOCHS;
    localparam C = 10;                      // bits of a count

    generate
        if (QUEUES < 2 || QUEUES > 8 || QUEUES != (1 << Q) || EPOCHS < 2 || EPOCHS > 8 || EPOCHS != (1 << E)
            || SE_COUNT < 1 || SE_COUNT > 4) begin : check
            totem_flight_needs_QUEUES_and_EPOCHS_2_4_or_8_and_SE_COUNT_1_to_4 refused ();
        end
    endgenerate

    reg [ENTRIES*C-1:0] count_q, count_d;
    reg [QUEUES*16-1:0] waves_q, waves_d;
    reg [15:0]          late_q, late_d;

    initial begin
        count_q = 0; waves_q = 0; late_q = 0;
    end

    genvar g;
    generate
        for (g = 0; g < ENTRIES; g = g + 1) begin : entry
            assign empty[g] = count_q[g*C +: C] == {C{1'b0}};
        end
    endgenerate
    assign waves = waves_q;
    assign late  = late_q;

    // The groups that are granted in one clock are of one dispatch, so they have one entry.
    reg            any_grant;
    reg [8:0]      grant_sum;
    reg [Q+E-1:0]  grant_entry;
    wire [Q+E-1:0] write_entry = {arbiter_selected, epoch_current[arbiter_selected*E +: E]};
    wire [Q+E-1:0] ack_entry   = {ack_tag[Q-1:0], ack_tag[3 +: E]};
    wire [Q+E-1:0] begun_entry = {{Q{1'b0}}, epoch_current[E-1:0]};
    wire [Q+E-1:0] ended_entry = {{Q{1'b0}}, draw_end_epoch};
    wire unused = &{1'b0, ack_tag};         // the fields of the tag have 3 bits whatever the sizes

    wire changes = (grant_valid | geometry_valid | complete_valid) != {SE_COUNT{1'b0}} || packet_fence_write ||
                   packet_write_ack || draw_begun || draw_end_valid;

    integer i, n, e;
    reg [C-1:0] tally;
    reg [15:0]  total;
    reg [3:0]   late_sum;

    always @* begin
        grant_sum   = 9'd0;
        grant_entry = {(Q+E){1'b0}};
        any_grant   = 1'b0;
        late_sum    = 4'd0;
        for (i = 0; i < SE_COUNT; i = i + 1) begin
            if (grant_valid[i]) begin
                if (!any_grant)
                    grant_entry = {grant_queue[i*Q +: Q], grant_epoch[i*E +: E]};
                any_grant = 1'b1;
                grant_sum = grant_sum + {2'd0, grant_waves[i*7 +: 7]};
            end
            late_sum = late_sum + {3'd0, complete_valid[i] &&
                                         epoch_reserved[{complete_queue[i*Q +: Q], complete_epoch[i*E +: E]}]};
        end
    end

    always @* begin
        count_d = count_q;
        waves_d = waves_q;
        late_d  = (late_q > 16'hffff - {12'd0, late_sum}) ? 16'hffff : late_q + {12'd0, late_sum};
        tally   = {C{1'b0}};
        total   = 16'd0;
        n       = 0;
        e       = 0;
        if (changes) begin
            for (n = 0; n < ENTRIES; n = n + 1) begin
                // 1 Grants
                tally = count_q[n*C +: C] + ((any_grant && grant_entry == n[Q+E-1:0]) ? {1'b0, grant_sum} : {C{1'b0}});
                for (e = 0; e < SE_COUNT; e = e + 1)
                    tally = tally + {{(C-1){1'b0}},
                        geometry_valid[e] && {grant_queue[e*Q +: Q], grant_epoch[e*E +: E]} == n[Q+E-1:0]};
                // 2 Completions
                for (e = 0; e < SE_COUNT; e = e + 1)
                    tally = tally - {{(C-1){1'b0}},
                        complete_valid[e] && {complete_queue[e*Q +: Q], complete_epoch[e*E +: E]} == n[Q+E-1:0]};
                // 3 Writes
                tally = tally + {{(C-1){1'b0}}, packet_fence_write && write_entry == n[Q+E-1:0]};
                tally = tally - {{(C-1){1'b0}}, packet_write_ack && ack_entry == n[Q+E-1:0]};
                // 4 Draws
                tally = tally + {{(C-1){1'b0}}, draw_begun && begun_entry == n[Q+E-1:0]};
                count_d[n*C +: C] = tally - {{(C-1){1'b0}}, draw_end_valid && ended_entry == n[Q+E-1:0]};
            end
            for (n = 0; n < QUEUES; n = n + 1) begin
                // 1 Grants, continued
                total = waves_q[n*16 +: 16] +
                        ((any_grant && grant_entry[Q+E-1:E] == n[Q-1:0]) ? {7'd0, grant_sum} : 16'd0);
                for (e = 0; e < SE_COUNT; e = e + 1)
                    total = total + {15'd0, geometry_valid[e] && grant_queue[e*Q +: Q] == n[Q-1:0]};
                // 2 Completions, continued
                for (e = 0; e < SE_COUNT; e = e + 1)
                    total = total - {15'd0, complete_valid[e] && complete_queue[e*Q +: Q] == n[Q-1:0]};
                waves_d[n*16 +: 16] = total;
            end
        end
    end

    always @(posedge clk) begin
        count_q <= count_d;
        waves_q <= waves_d;
        late_q  <= late_d;
        if (rst) begin
            count_q <= {ENTRIES*C{1'b0}};
            waves_q <= {QUEUES*16{1'b0}};
            late_q  <= 16'd0;
        end
    end

    // No rule depends on how many entries there are; the adders of 64 are beyond this prover.
    // formal: maxsteps=4 params=QUEUES=2,EPOCHS=4,SE_COUNT=2 timeout=900
`ifdef FORMAL
`include "totem_flight_properties.vh"
`endif
endmodule

`default_nettype wire
