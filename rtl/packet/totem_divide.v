// SPDX-License-Identifier: Apache-2.0
//
// totem_divide: grid dimensions in threads, divided by NUM_THREAD, rounded up, to work-groups.
//
// Policy    shift and subtract, a bit of a quotient a clock, z, then y, then x. Dividends leave a shift
//           register on top while quotients come in below, so 96 flip-flops hold both.
// Latency   108 clocks from the clock after packet_start, whatever the values are.
// Boundary  every output is a function of flip-flops. The divisor comes from the register RAM, two
//           clocks after read: bank passes the question on.
// Cost      a 17-bit subtraction, a 32-bit increment, 235 flip-flops; no parameter.
// Proved    the quotient, rounded up, and what is left for the last group (invariant 2), and the time (3).
// Twin      cmodel/packet/totem_divide.c, same names.

`default_nettype none

module totem_divide (
    input  wire        clk,
    input  wire        rst,
    // packet
    input  wire        packet_valid,
    input  wire [1:0]  packet_place,
    input  wire [31:0] packet_data,
    input  wire        packet_start,
    output wire        busy,
    output wire [95:0] quotient,
    output wire [95:0] fields,
    output wire        uneven,
    // bank
    output wire        read,
    output wire [1:0]  read_place,
    // register RAM
    input  wire [31:0] register_ram_read_data
);
`include "totem_divide_values.vh"
    reg [2:0]  phase_q, phase_d;
    reg [1:0]  place_q, place_d;
    reg [4:0]  step_q, step_d;
    reg [15:0] divisor_q, divisor_d;
    reg [15:0] rest_q, rest_d;
    reg [95:0] value_q, value_d;
    reg [95:0] fields_q, fields_d;
    reg        uneven_q, uneven_d;

    // Registers that reset leaves alone read 0 at start, as in the model.
    initial begin
        phase_q   = DIVIDE_IDLE;
        place_q   = 2'd0;
        step_q    = 5'd0;
        divisor_q = 16'd0;
        rest_q    = 16'd0;
        value_q   = 96'd0;
        fields_q  = 96'd0;
        uneven_q  = 1'b0;
    end

    assign busy       = phase_q != DIVIDE_IDLE;
    assign quotient   = value_q;
    assign fields     = fields_q;
    assign uneven     = uneven_q;
    assign read       = phase_q == DIVIDE_ASK;
    assign read_place = place_q;

    // The sign of the subtraction is the bit of the quotient.
    wire [16:0] grown   = {rest_q, value_q[95]};
    wire [17:0] reduced = {1'b0, grown} - {2'd0, divisor_q};
    wire        goes    = !reduced[17];
    wire        whole   = rest_q == 16'd0;
    wire [31:0] field   = {whole ? divisor_q : rest_q, divisor_q};

    wire unused = &{1'b0, register_ram_read_data[31:16], reduced[16]};

    always @* begin
        phase_d   = phase_q;
        place_d   = place_q;
        step_d    = step_q;
        divisor_d = divisor_q;
        rest_d    = rest_q;
        value_d   = value_q;
        fields_d  = fields_q;
        uneven_d  = uneven_q;

        // 1 Division
        case (phase_q)
            DIVIDE_ASK:  phase_d = DIVIDE_WAIT;
            DIVIDE_WAIT: phase_d = DIVIDE_TAKE;
            DIVIDE_TAKE: begin
                divisor_d = register_ram_read_data[15:0];
                rest_d    = 16'd0;
                step_d    = 5'd0;
                phase_d   = DIVIDE_SHIFT;
            end
            DIVIDE_SHIFT: begin
                rest_d  = goes ? reduced[15:0] : grown[15:0];
                value_d = {value_q[94:0], goes};
                step_d  = step_q + 5'd1;
                if (step_q == 5'd31)
                    phase_d = DIVIDE_ROUND;
            end
            DIVIDE_ROUND: begin
                value_d[31:0] = value_q[31:0] + {31'd0, !whole};
                uneven_d      = uneven_q || !whole;
                case (place_q)
                    2'd0:    fields_d[31:0]  = field;
                    2'd1:    fields_d[63:32] = field;
                    2'd2:    fields_d[95:64] = field;
                    default: ;
                endcase
                if (place_q == 2'd0)
                    phase_d = DIVIDE_IDLE;
                else begin
                    place_d = place_q - 2'd1;
                    phase_d = DIVIDE_ASK;
                end
            end
            default: ;
        endcase

        // 2 Start
        if (packet_start) begin
            place_d  = 2'd2;
            uneven_d = 1'b0;
            phase_d  = DIVIDE_ASK;
        end

        // 3 Dimension
        if (packet_valid) begin
            case (packet_place)
                2'd0:    value_d[31:0]  = packet_data;
                2'd1:    value_d[63:32] = packet_data;
                2'd2:    value_d[95:64] = packet_data;
                default: ;
            endcase
            place_d = 2'd0;
            phase_d = DIVIDE_IDLE;
        end
    end

    always @(posedge clk) begin
        phase_q   <= phase_d;
        place_q   <= place_d;
        step_q    <= step_d;
        divisor_q <= divisor_d;
        rest_q    <= rest_d;
        value_q   <= value_d;
        fields_q  <= fields_d;
        uneven_q  <= uneven_d;
        if (rst) begin
            phase_q  <= DIVIDE_IDLE;
            place_q  <= 2'd0;
            step_q   <= 5'd0;
            uneven_q <= 1'b0;
        end
    end

`ifdef FORMAL
`include "totem_divide_properties.vh"
`endif
endmodule

`default_nettype wire
