// SPDX-License-Identifier: Apache-2.0
//
// totem_engine_kill: the kills of the ports of an engine share its wave interface.
//
// Policy    one kill a clock, of the lowest front end that has one; compute before graphics.
// Boundary  combinational.
// Mask      kill_* count only while kill_valid; kill_ready always.
// Proof     invariants 1 (one) and 2 (lowest).
// Twin      cmodel/issue/totem_engine_kill.h, docs/contract/engine_kill.md.

`default_nettype none

module totem_engine_kill #(
    parameter FE_COUNT = 4,             // 1 to 4
    parameter QUEUES   = 8,             // from 2
    parameter EPOCHS   = 8,
    parameter GRAPHICS_QUEUES = 2,      // up to QUEUES
    parameter GRAPHICS = 0,             // 0: graphics ports have no kill
    parameter QUEUE_BITS = (QUEUES > 1) ? $clog2(QUEUES) : 1,   // follow from the others
    parameter RING_BITS = (GRAPHICS_QUEUES > 1) ? $clog2(GRAPHICS_QUEUES) : 1
) (
    input  wire [FE_COUNT-1:0]            port_kill_valid,
    input  wire [FE_COUNT-1:0]            port_kill_pipe,
    input  wire [FE_COUNT*QUEUE_BITS-1:0] port_kill_queue,
    input  wire [FE_COUNT*EPOCHS-1:0]     port_kill_epochs,
    input  wire [FE_COUNT-1:0]            graphics_port_kill_valid,
    input  wire [FE_COUNT*RING_BITS-1:0]  graphics_port_kill_queue,
    input  wire [FE_COUNT*EPOCHS-1:0]     graphics_port_kill_epochs,
    output wire                           kill_valid,
    output wire [1:0]                     kill_path,
    output wire [1:0]                     kill_fe,
    output wire [1:0]                     kill_pipe,
    output wire [QUEUE_BITS-1:0]          kill_queue,
    output wire [EPOCHS-1:0]              kill_epochs,
    output wire [FE_COUNT-1:0]            kill_ready,
    output wire [FE_COUNT-1:0]            graphics_port_kill_ready
);
`include "totem_issue_values.vh"
    generate
        if (FE_COUNT < 1 || FE_COUNT > 4 || QUEUES < 2 || GRAPHICS_QUEUES > QUEUES) begin : check
            totem_engine_kill_needs_FE_COUNT_1_to_4_QUEUES_from_2_and_GRAPHICS_QUEUES_up_to_QUEUES refused ();
        end
    endgenerate

    reg [1:0]            front, ring;   // the lowest of the compute ports, of the graphics ports
    reg [FE_COUNT-1:0]   ready, ring_ready;
    integer              f;

    wire [FE_COUNT-1:0]  rings    = (GRAPHICS != 0) ? graphics_port_kill_valid : {FE_COUNT{1'b0}};
    wire                 graphics = !(|port_kill_valid) && |rings;

    always @* begin
        front    = 2'd0;
        ready    = {FE_COUNT{1'b0}};
        ready[0] = 1'b1;
        for (f = FE_COUNT - 1; f >= 0; f = f - 1)
            if (port_kill_valid[f]) begin
                front    = f[1:0];
                ready    = {FE_COUNT{1'b0}};
                ready[f] = 1'b1;
            end

        ring       = 2'd0;
        ring_ready = {FE_COUNT{1'b0}};
        for (f = FE_COUNT - 1; f >= 0; f = f - 1)
            if (rings[f]) begin
                ring          = f[1:0];
                ring_ready    = {FE_COUNT{1'b0}};
                ring_ready[f] = graphics;
            end
    end

    wire [QUEUE_BITS:0] ring_queue = {{(QUEUE_BITS+1-RING_BITS){1'b0}},
                                      graphics_port_kill_queue[ring*RING_BITS +: RING_BITS]};
    wire                unused     = &{1'b0, ring_queue[QUEUE_BITS]};

    assign kill_valid  = |port_kill_valid || graphics;
    assign kill_path   = 2'd0;
    assign kill_fe     = graphics ? ring : front;
    assign kill_pipe   = graphics ? PIPE_GRAPHICS : {1'b0, port_kill_pipe[front*1 +: 1]};
    assign kill_queue  = graphics ? ring_queue[QUEUE_BITS-1:0] : port_kill_queue[front*QUEUE_BITS +: QUEUE_BITS];
    assign kill_epochs = graphics ? graphics_port_kill_epochs[ring*EPOCHS +: EPOCHS] :
                                    port_kill_epochs[front*EPOCHS +: EPOCHS];
    assign kill_ready  = ready;
    assign graphics_port_kill_ready = ring_ready;

    // formal: configs=full,board,pole
    // formal: params=FE_COUNT=3 configs=mini
    // formal: params=FE_COUNT=3,GRAPHICS=1 configs=mini
`ifdef FORMAL
`include "totem_engine_kill_properties.vh"
`endif
endmodule

`default_nettype wire
