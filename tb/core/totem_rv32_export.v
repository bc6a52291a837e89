// SPDX-License-Identifier: Apache-2.0
//
// totem_rv32_export: geometry waves. They run no program. Each exports as many primitives as it was launched with if
// the host has set EXPORT, else none. Then it is done.
//
// Policy    in the order of their acceptance. A wave that is killed before it is offered exports 0 primitives.
// Boundary  no core and no compute or pixel wave waits for an export, so pixel waves end and the hub drains.
// Latency   an export is on the port two clocks after the acceptance at the earliest.

`default_nettype none

module totem_rv32_export #(
    parameter QUEUES = 8,
    parameter EPOCHS = 8,
    parameter SLOTS  = 64,
    parameter OWNER  = 4 + $clog2(QUEUES) + $clog2(EPOCHS)  // follows, not to be set
) (
    input  wire                      clk,
    input  wire                      rst,
    // accept
    input  wire                      in_valid,
    input  wire [$clog2(SLOTS)-1:0]  in_slot,
    input  wire [OWNER-1:0]          in_owner,
    input  wire [6:0]                in_primitives,
    // kill
    input  wire                      kill_valid,
    input  wire [1:0]                kill_fe,
    input  wire [1:0]                kill_pipe,
    input  wire [$clog2(QUEUES)-1:0] kill_queue,
    input  wire [EPOCHS-1:0]         kill_epochs,
    // host
    input  wire                      enable,
    input  wire [19:0]               pixels,
    // assembler
    output wire                      export_valid,
    output wire [$clog2(SLOTS)-1:0]  export_slot,
    output wire [8:0]                export_primitives,
    output wire [19:0]               export_pixels,
    input  wire                      export_ready,
    // done
    output wire                      done_valid,
    output wire [$clog2(SLOTS)-1:0]  done_slot,
    input  wire                      done_take,
    output wire [$clog2(SLOTS):0]    count
);
    localparam S = $clog2(SLOTS);
    localparam [1:0] REST = 2'd0, OFFER = 2'd1, DONE = 2'd2;

    wire             head_valid, head_killed;
    wire [S-1:0]     head_slot;
    wire [6:0]       head_primitives;
    reg  [1:0]       phase_q, phase_d;
    reg  [S-1:0]     slot_q, slot_d;
    reg  [8:0]       primitives_q, primitives_d;
    reg  [19:0]      pixels_q, pixels_d;
    wire             take = phase_q == REST && head_valid;

    totem_rv32_queue #(.QUEUES(QUEUES), .EPOCHS(EPOCHS), .SLOTS(SLOTS), .EXTRA(7), .DROP(0)) queue (
        .clk(clk), .rst(rst),
        .in_valid(in_valid), .in_first(1'b1), .in_last(1'b1), .in_slot(in_slot), .in_owner(in_owner),
        .in_extra(in_primitives),
        .kill_valid(kill_valid), .kill_fe(kill_fe), .kill_pipe(kill_pipe), .kill_queue(kill_queue),
        .kill_epochs(kill_epochs),
        .head_valid(head_valid), .head_first(), .head_killed(head_killed), .head_slot(head_slot), .head_owner(),
        .head_extra(head_primitives), .head_take(take),
        .drop_valid(), .drop_slot(), .drop_take(1'b0),
        .count(count), .closed());

    assign export_valid      = phase_q == OFFER;
    assign export_slot       = slot_q;
    assign export_primitives = primitives_q;
    assign export_pixels     = pixels_q;
    assign done_valid        = phase_q == DONE;
    assign done_slot         = slot_q;

    always @* begin
        phase_d      = phase_q;
        slot_d       = slot_q;
        primitives_d = primitives_q;
        pixels_d     = pixels_q;
        if (take) begin
            phase_d      = OFFER;
            slot_d       = head_slot;
            primitives_d = head_killed || !enable ? 9'd0 : {2'd0, head_primitives};
            pixels_d     = pixels;
        end else if (phase_q == OFFER && export_ready)
            phase_d = DONE;
        else if (phase_q == DONE && done_take)
            phase_d = REST;
    end

    always @(posedge clk) begin
        phase_q      <= phase_d;
        slot_q       <= slot_d;
        primitives_q <= primitives_d;
        pixels_q     <= pixels_d;
        if (rst)
            phase_q <= REST;
    end
endmodule

`default_nettype wire
