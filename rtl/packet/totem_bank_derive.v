// SPDX-License-Identifier: Apache-2.0
//
// totem_bank_derive: part of totem_bank: rule 2, what a dispatch needs of the registers of every queue.
//
// Policy    one multiplier serves all queues. Every second choice is the selected queue if a value of it is due; at the
//           other choices the queues take turns. A product saturates at 8191: no such group fits an engine. A read
//           that the RAM gave to somebody else is repeated.
// Boundary  pure function: the next state of the product from its state, and the register that it reads.
// Twin      cmodel/packet/totem_bank_derive.c.

`default_nettype none
`include "totem_pm4.vh"

module totem_bank_derive #(
    parameter QUEUES   = 8,                 // a power of two, 2 to 8
    parameter SE_COUNT = 4                  // 1 to 4
) (
    input  wire [QUEUES*4-1:0]       stages,
    input  wire [$clog2(QUEUES)-1:0] own,           // the selected queue
    input  wire                      written,       // the result is stored in this clock
    input  wire                      displaced,     // the RAM reads for somebody else
    input  wire [31:0]               read_data,
    // state
    input  wire [3:0]                derive_step_q,
    input  wire [$clog2(QUEUES)-1:0] derive_queue_q, derive_turn_q,
    input  wire                      derive_own_q,
    input  wire [12:0]               factor_q, times_y_q, times_z_q, sum_q,
    input  wire                      above_q,
    // next state
    output reg  [3:0]                derive_step_d,
    output reg  [$clog2(QUEUES)-1:0] derive_queue_d, derive_turn_d,
    output reg                       derive_own_d,
    output reg  [12:0]               factor_d, times_y_d, times_z_d, sum_d,
    output reg                       above_d,
    // terms
    output wire                      reads_itself,
    output wire [2:0]                combo,
    output wire                      in_table,
    output reg  [9:0]                derive_register
);
`include "totem_bank_values.vh"
    localparam QBITS = $clog2(QUEUES);

    wire [3:0] stage = stages[derive_queue_q*4 +: 4];

    assign combo        = stage[2:0] - STAGE_FULL[2:0];
    assign in_table     = stage != STAGE_WORDS && stage != STAGE_FULL;
    assign reads_itself = (derive_step_q >= DERIVE_READ_X && derive_step_q <= DERIVE_READ_Z) ||
                          (derive_step_q >= DERIVE_READ_WORDS && derive_step_q < DERIVE_TAKE_SE3);

    always @*
        case (derive_step_q)
            DERIVE_READ_X:     derive_register = `TOTEM_SH_COMPUTE_NUM_THREAD_X;
            DERIVE_READ_Y:     derive_register = `TOTEM_SH_COMPUTE_NUM_THREAD_Y;
            DERIVE_READ_WORDS: derive_register = `TOTEM_SH_COMPUTE_PGM_RSRC1;
            DERIVE_TAKE_WORD:  derive_register = `TOTEM_SH_COMPUTE_STATIC_THREAD_MGMT_SE0;
            DERIVE_TAKE_SE0:   derive_register = `TOTEM_SH_COMPUTE_STATIC_THREAD_MGMT_SE1;
            DERIVE_TAKE_SE1:   derive_register = `TOTEM_SH_COMPUTE_STATIC_THREAD_MGMT_SE2;
            DERIVE_TAKE_SE2:   derive_register = `TOTEM_SH_COMPUTE_STATIC_THREAD_MGMT_SE3;
            default:           derive_register = `TOTEM_SH_COMPUTE_NUM_THREAD_Z;
        endcase

    // The queue whose turn is next.
    reg [QBITS-1:0] next_turn, candidate;
    reg             any_turn;
    integer         k;
    always @* begin
        next_turn = derive_turn_q;
        any_turn  = 1'b0;
        candidate = derive_turn_q;
        for (k = QUEUES; k >= 1; k = k - 1) begin
            candidate = derive_turn_q + k[QBITS-1:0];
            if (stages[candidate*4 +: 4] != STAGE_NONE) begin
                next_turn = candidate;
                any_turn  = 1'b1;
            end
        end
    end

    wire [13:0] added = {1'b0, sum_q} + {1'b0, factor_q};
    wire [12:0] sum   = !times_y_q[0] ? sum_q : added[13] ? 13'h1fff : added[12:0];

    // A register read for the product: the field that the combo asks for, and whether partial is above full.
    wire        takes_partial = (derive_step_q == DERIVE_READ_Y) ? combo[0] :
                                (derive_step_q == DERIVE_READ_Z) ? combo[1] : combo[2];
    wire [15:0] taken_half    = takes_partial ? read_data[31:16] : read_data[15:0];
    wire [12:0] taken         = taken_half[15:13] != 3'd0 ? 13'h1fff : taken_half[12:0];
    wire        over          = read_data[31:16] > read_data[15:0];

    integer i;
    always @* begin
        i              = 0;
        derive_step_d  = derive_step_q;
        derive_queue_d = derive_queue_q;
        derive_turn_d  = derive_turn_q;
        derive_own_d   = derive_own_q;
        factor_d       = factor_q;
        times_y_d      = times_y_q;
        times_z_d      = times_z_q;
        sum_d          = sum_q;
        above_d        = above_q;

        // 2 Deriving
        case (derive_step_q)
            DERIVE_IDLE:
                if (any_turn) begin
                    derive_own_d   = stages[own*4 +: 4] != STAGE_NONE && !derive_own_q;
                    derive_queue_d = derive_own_d ? own : next_turn;
                    if (!derive_own_d)
                        derive_turn_d = next_turn;
                    derive_step_d = (stages[derive_queue_d*4 +: 4] == STAGE_WORDS) ? DERIVE_READ_WORDS : DERIVE_READ_X;
                end
            DERIVE_RESULT:
                if (written)
                    derive_step_d = DERIVE_IDLE;
            DERIVE_READ_X: derive_step_d = DERIVE_READ_Y;
            DERIVE_READ_Y: begin
                derive_step_d = DERIVE_READ_Z;
                factor_d      = taken;
                above_d       = over;
            end
            DERIVE_READ_Z: begin
                derive_step_d = DERIVE_TAKE_Z;
                times_y_d     = taken;
                above_d       = above_q || over;
            end
            DERIVE_TAKE_Z: begin
                derive_step_d = DERIVE_TIMES_Y;
                times_z_d     = taken;
                above_d       = above_q || over;
                sum_d         = 13'd0;
            end
            DERIVE_TIMES_Y, DERIVE_TIMES_Z: begin
                sum_d = sum;
                if (times_y_q[12:1] != 12'd0) begin
                    factor_d  = factor_q[12] ? 13'h1fff : {factor_q[11:0], 1'b0};
                    times_y_d = {1'b0, times_y_q[12:1]};
                end else if (derive_step_q == DERIVE_TIMES_Y) begin
                    derive_step_d = DERIVE_TIMES_Z;
                    factor_d      = sum;
                    sum_d         = 13'd0;
                    times_y_d     = times_z_q;
                end else
                    derive_step_d = DERIVE_RESULT;
            end
            DERIVE_READ_WORDS: derive_step_d = DERIVE_TAKE_WORD;
            DERIVE_TAKE_WORD: begin
                derive_step_d = DERIVE_TAKE_SE0;
                sum_d         = {7'd0, read_data[`TOTEM_COMPUTE_PGM_RSRC1_VGPRS]};
            end
            DERIVE_TAKE_SE0, DERIVE_TAKE_SE1, DERIVE_TAKE_SE2, DERIVE_TAKE_SE3: begin
                derive_step_d = (derive_step_q == DERIVE_TAKE_SE3) ? DERIVE_RESULT : derive_step_q + 4'd1;
                for (i = 0; i < SE_COUNT; i = i + 1)
                    if (derive_step_q == DERIVE_TAKE_SE0 + i[3:0])
                        sum_d[6 + i] = read_data != 32'd0;
            end
            default: ;
        endcase
        if (reads_itself && displaced)
            derive_step_d = (derive_step_q >= DERIVE_READ_WORDS) ? DERIVE_READ_WORDS : DERIVE_READ_X;
    end
endmodule

`default_nettype wire
