// SPDX-License-Identifier: Apache-2.0
//
// totem_failure: writes that failed.
//
// Policy    a failed write of the present mapping halts its queue; a failed packet write is kept until its record is
//           given out, oldest first.
// Latency   halt: one clock.
// Boundary  write_room bounds the packet writes whose failure may have to be kept: 4 places, and the one that is taken.
// Proved    a halt exactly for the present mapping (invariant 1); a place for every failed packet write (2).
// Twin      cmodel/fence/totem_failure.c, same names.

`default_nettype none

module totem_failure #(
    parameter QUEUES = 8,                   // a power of two, 2 to 8
    parameter EPOCHS = 8                    // a power of two, 2 to 8
) (
    input  wire                             clk,
    input  wire                             rst,
    // packet
    input  wire                             packet_fence_write,
    output wire                             halt,
    output wire [$clog2(QUEUES)-1:0]        halt_queue,
    // memory
    input  wire                             fence_write_ack,
    input  wire                             packet_write_ack,
    input  wire [5:0]                       ack_tag,
    input  wire [1:0]                       ack_error,
    input  wire [39:0]                      ack_addr,
    output wire                             write_room,
    // epoch
    input  wire [QUEUES*EPOCHS-1:0]         epoch_present,
    // fence
    input  wire                             fence_free,
    output wire                             valid,
    output wire [$clog2(QUEUES)-1:0]        slot,
    output wire [1:0]                       code,
    output wire [39:0]                      addr,
    // slot_idle
    output wire [QUEUES-1:0]                waits
);
`include "totem_memory_values.vh"
    localparam Q = $clog2(QUEUES);
    localparam E = $clog2(EPOCHS);
    localparam K = 4;                       // places

    generate
        if (QUEUES < 2 || QUEUES > 8 || QUEUES != (1 << Q) || EPOCHS < 2 || EPOCHS > 8 || EPOCHS != (1 << E))
        begin : check
            totem_failure_needs_QUEUES_and_EPOCHS_2_4_or_8 refused ();
        end
    endgenerate

    reg [2:0]      owed_q, owed_d;
    reg [2:0]      failures_q, failures_d;
    reg [K*Q-1:0]  failure_queue_q, failure_queue_d;
    reg [K*2-1:0]  failure_code_q, failure_code_d;
    reg [K*40-1:0] failure_addr_q, failure_addr_d;
    reg            halt_q, halt_d;
    reg [Q-1:0]    halt_queue_q, halt_queue_d;

    // Registers that reset leaves alone read 0 at start, as in the model.
    initial begin
        owed_q = 0; failures_q = 0; failure_queue_q = 0; failure_code_q = 0; failure_addr_q = 0;
        halt_q = 0; halt_queue_q = 0;
    end

    wire [Q-1:0] ack_queue = ack_tag[Q-1:0];
    wire [E-1:0] ack_epoch = ack_tag[3 +: E];
    wire         failed    = ack_error != MEMORY_OK;
    wire unused = &{1'b0, ack_tag};         // the fields of the tag have 3 bits whatever the sizes

    genvar g;
    generate
        for (g = 0; g < QUEUES; g = g + 1) begin : of_slot
            localparam [Q-1:0] SLOT = g;
            assign waits[g] = (failures_q != 3'd0 && failure_queue_q[0 +: Q] == SLOT) ||
                              (failures_q > 3'd1 && failure_queue_q[Q +: Q] == SLOT) ||
                              (failures_q > 3'd2 && failure_queue_q[2*Q +: Q] == SLOT) ||
                              (failures_q > 3'd3 && failure_queue_q[3*Q +: Q] == SLOT);
        end
    endgenerate
    assign write_room = {1'b0, owed_q} + {1'b0, failures_q} <= K[3:0];
    assign halt       = halt_q;
    assign halt_queue = halt_queue_q;
    assign valid      = failures_q != 3'd0;
    assign slot       = failure_queue_q[0 +: Q];
    assign code       = failure_code_q[1:0];
    assign addr       = failure_addr_q[39:0];

    always @* begin
        // 1 Owed
        owed_d          = owed_q + {2'd0, packet_fence_write} - {2'd0, packet_write_ack};
        failures_d      = failures_q;
        failure_queue_d = failure_queue_q;
        failure_code_d  = failure_code_q;
        failure_addr_d  = failure_addr_q;
        // 2 Halt
        halt_d          = (fence_write_ack || packet_write_ack) && failed &&
                          epoch_present[{ack_queue, ack_epoch}];
        halt_queue_d    = halt_d ? ack_queue : halt_queue_q;
        // 3 Taken
        if (fence_free && failures_q != 3'd0) begin
            failures_d                    = failures_q - 3'd1;
            failure_queue_d[0 +: (K-1)*Q] = failure_queue_q[Q +: (K-1)*Q];
            failure_code_d[0 +: (K-1)*2]  = failure_code_q[2 +: (K-1)*2];
            failure_addr_d[0 +: (K-1)*40] = failure_addr_q[40 +: (K-1)*40];
        end
        // 4 Kept: behind the others, also where the oldest is taken in this clock.
        if (packet_write_ack && failed && !failures_d[2]) begin
            failure_queue_d[failures_d[1:0]*Q +: Q]  = ack_queue;
            failure_code_d[failures_d[1:0]*2 +: 2]   = ack_error;
            failure_addr_d[failures_d[1:0]*40 +: 40] = ack_addr;
            failures_d = failures_d + 3'd1;
        end
    end

    always @(posedge clk) begin
        owed_q          <= owed_d;
        failures_q      <= failures_d;
        failure_queue_q <= failure_queue_d;
        failure_code_q  <= failure_code_d;
        failure_addr_q  <= failure_addr_d;
        halt_q          <= halt_d;
        halt_queue_q    <= halt_queue_d;
        if (rst) begin
            owed_q     <= 3'd0;
            failures_q <= 3'd0;
            halt_q     <= 1'b0;
        end
    end

    // formal: maxsteps=4
`ifdef FORMAL
`include "totem_failure_properties.vh"
`endif
endmodule

`default_nettype wire
