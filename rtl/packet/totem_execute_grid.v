// SPDX-License-Identifier: Apache-2.0
//
// totem_execute_grid: part of totem_execute: rule 3, from the dimensions of a grid to its start.
//
// Policy    a dispatch waits for its registers and, if it has partial groups, for their table; in front of both for the
//           server. Dimensions in threads are divided. If groups are left that
//           are not whole, their threads go to NUM_THREAD, and the dispatch waits for the table as well. A queue that
//           is to leave does so while it waits; a division with its table is given up once only, or it would never end
//           under the turns of a better queue.
// Boundary  pure function of phase and operands. Its outputs count in its phases, and when a packet brings dimensions.
// Twin      cmodel/packet/totem_execute_grid.c.

`default_nettype none
`include "totem_pm4.vh"

module totem_execute_grid #(
    parameter SLOTS = 64,                   // at most 64
    parameter VGPRS = 2048,                 // at most 8191
    parameter LDS   = 512                   // at most 512
) (
    input  wire [4:0]  phase,
    input  wire [1:0]  step,
    input  wire        dispatch,            // READY: the packet has its dimensions
    input  wire        in_threads,          // they are in threads
    input  wire        partial,             // PARTIAL_TG_EN
    input  wire        wave32,
    input  wire [63:0] data,
    input  wire [31:0] extra,
    input  wire [8:0]  group_waves,         // waves of the group in EXECUTE_FIT
    // neighbours
    input  wire        leave,
    input  wire        patient,
    input  wire        divide_busy,
    input  wire [95:0] divide_quotient,
    input  wire [95:0] divide_fields,
    input  wire        divide_uneven,       // a last group is not whole
    input  wire        bank_ready,          // registers are in place, and what is derived of them
    input  wire [12:0] bank_threads,
    input  wire [1:0]  bank_partial,
    input  wire [6:0]  bank_vgprs,
    input  wire [8:0]  bank_lds,
    input  wire        bank_engine,         // some engine may be used
    input  wire        service_still,
    // next state
    output wire        acts,
    output reg  [4:0]  phase_next,
    output reg  [1:0]  step_next,
    output reg  [63:0] data_next,
    output reg  [31:0] extra_next,
    output reg  [7:0]  code,                // error, 0 none
    output reg  [31:0] word,                // .. its offending word
    output reg         gives_up,            // the division is given up
    output reg         divided,             // nothing of it can be given up any more
    output reg         trims,               // the last groups are partial from here on
    output reg         another,             // the next dimension is read
    output reg         shaped,              // `waves` and `last_threads` are those of the dispatch
    output wire [8:0]  waves,
    output wire [6:0]  last_threads,
    output reg         fits
);
`include "totem_bank_values.vh"
`include "totem_execute_values.vh"
    wire too_large;
    totem_execute_group #(.SLOTS(SLOTS), .VGPRS(VGPRS), .LDS(LDS)) work_group (
        .threads(bank_threads), .wave32(wave32), .waves(waves), .last_threads(last_threads),
        .group_waves(group_waves), .vgprs(bank_vgprs), .lds(bank_lds), .too_large(too_large)
    );

    wire [31:0] groups_x = divide_quotient[31:0], groups_y = divide_quotient[63:32], groups_z = divide_quotient[95:64];

    assign acts = dispatch || phase == EXECUTE_GRID || phase == EXECUTE_PARTS || phase == EXECUTE_DIVIDE
                  || phase == EXECUTE_TRIM || phase == EXECUTE_TABLE || phase == EXECUTE_DIM || phase == EXECUTE_FIT;

    reg measure;        // all dimensions are there
    reg shape;          // .. and the group may be shaped
    // 3 Phase, continued: a grid.
    always @* begin
        phase_next = phase;
        step_next  = step;
        data_next  = data;
        extra_next = extra;
        code       = 8'd0;
        word       = 32'd0;
        gives_up   = 1'b0;
        divided    = 1'b0;
        trims      = 1'b0;
        another    = 1'b0;
        shaped     = 1'b0;
        fits       = 1'b0;
        measure    = dispatch;
        shape      = phase == EXECUTE_GRID;

        case (phase)
            EXECUTE_PARTS:
                if (step[1]) begin
                    step_next  = 2'd0;
                    phase_next = EXECUTE_DIVIDE;
                end else
                    step_next = step + 2'd1;

            EXECUTE_DIVIDE:
                if (step == 2'd0)
                    step_next = 2'd1;
                else if (leave && !patient) begin
                    gives_up   = 1'b1;
                    phase_next = EXECUTE_LEAVE;
                end else if (!divide_busy) begin
                    divided = 1'b1;
                    if (groups_y[31:16] != 16'd0 || groups_z[31:16] != 16'd0) begin
                        code = `TOTEM_ERROR_PACKET_GRID_RANGE;
                        word = (groups_y[31:16] != 16'd0) ? groups_y : groups_z;
                    end else begin
                        data_next  = {groups_z[15:0], groups_y[15:0], groups_x};
                        phase_next = EXECUTE_FIT;
                        if (divide_uneven && !partial) begin
                            trims      = 1'b1;
                            divided    = 1'b0;
                            extra_next = divide_fields[31:0];
                            step_next  = 2'd0;
                            phase_next = EXECUTE_TRIM;
                        end
                    end
                end

            EXECUTE_TRIM:
                if (step[1])
                    phase_next = EXECUTE_TABLE;
                else begin
                    extra_next = step[0] ? divide_fields[95:64] : divide_fields[63:32];
                    step_next  = step + 2'd1;
                end

            EXECUTE_TABLE:
                if (leave && !patient) begin
                    gives_up   = 1'b1;
                    phase_next = EXECUTE_LEAVE;
                end else if (bank_partial != PARTIAL_COMPUTING) begin
                    divided    = 1'b1;
                    phase_next = EXECUTE_FIT;
                end

            EXECUTE_DIM: begin
                if (step == 2'd0)
                    data_next[31:0] = extra;
                else if (step == 2'd1)
                    data_next[63:32] = extra;
                if (step == 2'd1 && extra[31:16] != 16'd0 && !in_threads) begin
                    code = `TOTEM_ERROR_PACKET_GRID_RANGE;
                    word = extra;
                end else if (step[1])
                    measure = 1'b1;
                else begin
                    step_next  = step + 2'd1;
                    another    = 1'b1;
                    phase_next = EXECUTE_POLL;
                end
            end

            EXECUTE_FIT:
                if (!bank_engine)
                    code = `TOTEM_ERROR_PACKET_NO_ENGINE;
                else if (too_large) begin
                    code = `TOTEM_ERROR_PACKET_GROUP_TOO_LARGE;
                    word = {23'd0, group_waves};
                end else begin
                    fits       = 1'b1;
                    phase_next = EXECUTE_START;
                end

            default: ;
        endcase

        // Dimensions
        if (measure) begin
            if (!in_threads && (data[63:48] != 16'd0 || extra[31:16] != 16'd0)) begin
                code = `TOTEM_ERROR_PACKET_GRID_RANGE;
                word = (data[63:48] != 16'd0) ? data[63:32] : extra;
            end else begin
                if (!in_threads)
                    data_next = {extra[15:0], data[47:0]};
                phase_next = EXECUTE_GRID;
                shape      = dispatch;
            end
        end
        if (shape && bank_ready) begin
            if (!service_still) begin
                // What the packets in front wrote may roll; a roll can take long, and a switch need not wait for it.
                if (leave)
                    phase_next = EXECUTE_LEAVE;
            end else if (bank_threads == 13'd0)
                code = `TOTEM_ERROR_PACKET_NUM_THREAD_ZERO;
            else if (partial && bank_partial == PARTIAL_COMPUTING) begin
                if (leave)
                    phase_next = EXECUTE_LEAVE;
            end else if (partial && bank_partial == PARTIAL_ABOVE)
                code = `TOTEM_ERROR_PACKET_NUM_THREAD_PARTIAL;
            else if (partial && bank_partial == PARTIAL_ZERO) begin
                code = `TOTEM_ERROR_PACKET_NUM_THREAD_ZERO;
                word = 32'd1;
            end else begin
                shaped     = 1'b1;
                phase_next = EXECUTE_FIT;
                if (in_threads) begin
                    step_next  = 2'd0;
                    phase_next = EXECUTE_PARTS;
                end
            end
        end
    end
endmodule

`default_nettype wire
