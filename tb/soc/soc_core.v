// SPDX-License-Identifier: Apache-2.0
//
// soc_core: the place of a shader core, on the wave interface of one engine (docs/engine.md).
//
// Policy    a wave runs for USER_DATA[0] clocks, FOREVER until it is killed. A real core starts launch_program instead,
//           and has a memory port of its own; it answers done when the writes of the wave are acknowledged.
// Latency   a wave is accepted in the third clock in which it is offered: its state word is there one clock after it is
//           named, and launch_ready is a register. Waves that end together answer one a clock.
// Boundary  launch_ready never waits for a wave that runs. Compute waves only: geometry waves have to export, for which
//           cmodel/example/core.h is an example.

`default_nettype none

module soc_core #(
    parameter SLOTS      = 64,
    parameter EPOCHS     = 8,
    parameter QUEUE_BITS = 3,
    parameter EPOCH_BITS = 3,
    parameter SLOT_BITS  = 6
) (
    input  wire                  clk,
    input  wire                  rst,
    // launch
    input  wire                  launch_valid,
    output reg                   launch_ready,
    input  wire [SLOT_BITS-1:0]  launch_slot,
    input  wire [1:0]            launch_fe,
    input  wire [1:0]            launch_pipe,
    input  wire [QUEUE_BITS-1:0] launch_queue,
    input  wire [EPOCH_BITS-1:0] launch_epoch,
    output wire [4:0]            state_index,
    input  wire [63:0]           state_data,
    // end
    output reg                   done_valid,
    output reg  [SLOT_BITS-1:0]  done_slot,
    input  wire                  kill_valid,
    input  wire [1:0]            kill_fe,
    input  wire [1:0]            kill_pipe,
    input  wire [QUEUE_BITS-1:0] kill_queue,
    input  wire [EPOCHS-1:0]     kill_epochs
);
    localparam        USER_DATA  = 5'd2;    // state word 2: registers 1 and 0
    localparam        FOREVER    = 32'hffffffff;
    localparam        OWNER_BITS = 4 + QUEUE_BITS;

    reg               asked_q;              // the word of the wave that is offered is there
    reg  [31:0]       clocks_q;
    wire [SLOTS-1:0]  over;                 // waves whose time is over
    reg  [SLOT_BITS-1:0] first;

    wire              unused = &{1'b0, state_data[63:32]};

    assign state_index = USER_DATA;

    genvar s;
    generate for (s = 0; s < SLOTS; s = s + 1) begin : slot
        reg                  busy_q;
        reg [31:0]           left_q;
        reg [OWNER_BITS-1:0] owner_q;
        reg [EPOCH_BITS-1:0] epoch_q;

        assign over[s] = busy_q && left_q == 32'd0;

        always @(posedge clk) begin
            if (launch_valid && launch_ready && launch_slot == s) begin
                busy_q  <= 1'b1;
                left_q  <= clocks_q;
                owner_q <= {launch_fe, launch_pipe, launch_queue};
                epoch_q <= launch_epoch;
            end else begin
                if (kill_valid && owner_q == {kill_fe, kill_pipe, kill_queue} && kill_epochs[epoch_q])
                    left_q <= 32'd0;
                else if (left_q != 32'd0 && left_q != FOREVER)
                    left_q <= left_q - 32'd1;
                if (over[s] && first == s)
                    busy_q <= 1'b0;
            end
            if (rst)
                busy_q <= 1'b0;
        end
    end endgenerate

    integer n;
    always @* begin
        first = {SLOT_BITS{1'b0}};
        for (n = SLOTS - 1; n >= 0; n = n - 1)
            if (over[n])
                first = n[SLOT_BITS-1:0];
    end

    always @(posedge clk) begin
        asked_q      <= launch_valid && !asked_q && !launch_ready;
        launch_ready <= asked_q;
        clocks_q     <= state_data[31:0];
        done_valid   <= |over;
        done_slot    <= first;
        if (rst) begin
            asked_q      <= 1'b0;
            launch_ready <= 1'b0;
            done_valid   <= 1'b0;
        end
    end
endmodule

`default_nettype wire
