// SPDX-License-Identifier: Apache-2.0
//
// totem_rv32_accept: takes launches. It writes all that a wave may read into the state RAM, then accepts the wave.
//
// Policy    a wave's 32 words of the state RAM are laid out as its program reads them (docs/core.md): words 0..17 are
//           the state words of the launch; words 18..23 are the launch; word 24 is the state word of scratch memory.
//           User data that RSRC2 does not count are 0.
// Latency   one word a clock: a launch takes 26 clocks. launch_ready depends on nothing else.
// Boundary  state_index is the step, so the word of the clock before is on state_data.

`default_nettype none

module totem_rv32_accept #(
    parameter QUEUES = 8,
    parameter EPOCHS = 8,
    parameter SLOTS  = 64
) (
    input  wire                      clk,
    input  wire                      rst,
    // launch
    input  wire                      launch_valid,
    input  wire [1:0]                launch_kind,
    input  wire [1:0]                launch_fe,
    input  wire [1:0]                launch_pipe,
    input  wire [$clog2(QUEUES)-1:0] launch_queue,
    input  wire [$clog2(EPOCHS)-1:0] launch_epoch,
    input  wire [63:0]               launch_group,
    input  wire [6:0]                launch_index,
    input  wire [6:0]                launch_waves,
    input  wire                      launch_wave32,
    input  wire [6:0]                launch_threads,
    input  wire [39:0]               launch_program,
    input  wire [8:0]                launch_lds,
    input  wire [$clog2(SLOTS)-1:0]  launch_slot,
    input  wire [3:0]                launch_draw,
    input  wire [2:0]                launch_set,
    input  wire [6:0]                launch_primitives,
    output wire                      launch_ready,
    output wire [4:0]                state_index,
    input  wire [63:0]               state_data,
    // state RAM
    output wire                      write_enable,
    output wire [4:0]                write_word,
    output wire [63:0]               write_data,
    // queues
    output wire                      accepted
);
    localparam [4:0] USER = 5'd2, LAUNCH = 5'd18, LAST = 5'd24;     // words: user data, launch, scratch
    localparam [4:0] SCRATCH = 5'd15;           // state word
    localparam [1:0] COMPUTE = 2'd0;

    reg [4:0] step_q, step_d;       // word that is asked for; the one before is written
    reg [5:0] count_q, count_d;     // user-data registers of the wave
    reg       scratch_q, scratch_d; // it has scratch memory
    reg [63:0] word;

    wire [4:0]  at     = step_q - 5'd1;
    wire [4:0]  user   = at - USER;
    wire [31:0] owner  = {|launch_program[39:24] || &launch_program[23:20], 11'd0,
                          {4-$clog2(EPOCHS){1'b0}}, launch_epoch, {4-$clog2(QUEUES){1'b0}}, launch_queue,
                          2'd0, launch_pipe, 2'd0, launch_fe, 4'd0};
    // RSRC2 counts the registers; of compute 16 are sent at most, of graphics the number has one bit more.
    wire [4:0]  low    = state_data[37:33];
    wire [5:0]  asked  = {state_data[59] && launch_kind != COMPUTE, low};
    wire [5:0]  most   = launch_kind == COMPUTE ? 6'd16 : 6'd32;

    assign launch_ready = step_q == LAST + 5'd1;
    assign state_index  = step_q == LAST ? SCRATCH : step_q;
    assign accepted     = launch_valid && launch_ready;
    assign write_enable = launch_valid && step_q != 5'd0;
    assign write_word   = at;
    assign write_data   = word;

    always @* begin
        step_d  = !launch_valid || launch_ready ? 5'd0 : step_q + 5'd1;
        count_d = step_q == 5'd1 ? (asked > most ? most : asked) : count_q;
        scratch_d = step_q == 5'd1 ? state_data[32] && launch_kind == COMPUTE : scratch_q;
        word    = state_data;
        if (at >= USER) begin
            if ({user, 1'b0} >= count_q)
                word[31:0] = 32'd0;
            if ({user, 1'b1} >= count_q)
                word[63:32] = 32'd0;
        end
        case (at)
            LAUNCH:          word = launch_group;
            LAUNCH + 5'd1:   word = {25'd0, launch_threads, 25'd0, launch_index};
            LAUNCH + 5'd2:   word = {30'd0, launch_kind, 25'd0, launch_wave32 ? 7'd32 : 7'd64};
            LAUNCH + 5'd3:   word = {9'd0, launch_primitives, 5'd0, launch_set, 4'd0, launch_draw,
                                     {32-$clog2(SLOTS){1'b0}}, launch_slot};
            LAUNCH + 5'd4:   word = {14'd0, launch_lds, 9'd0, 25'd0, launch_waves};
            LAUNCH + 5'd5:   word = {owner, launch_program[23:0], 8'd0};
            LAST:            word = scratch_q ? state_data : 64'd0;
            default: ;
        endcase
    end

    always @(posedge clk) begin
        step_q  <= step_d;
        count_q <= count_d;
        scratch_q <= scratch_d;
        if (rst)
            step_q <= 5'd0;
    end
endmodule

`default_nettype wire
