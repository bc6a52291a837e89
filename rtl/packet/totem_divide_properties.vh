// SPDX-License-Identifier: Apache-2.0
//
// Properties of totem_divide, included at the end of the module. The numbers are those of docs/contract/divide.md.

    // f_product is quotient x divisor, built by the shift-and-add that defines a product, so the prover
    // need not multiply; f_whole is the dividend as it stood when its division began, and where the
    // machine has got to in it is read from the bits that have left.
    initial assume (rst);
    reg [31:0] f_whole;
    reg [31:0] f_gone;                      // bits of the dividend taken so far, as a number
    reg [31:0] f_quotient;                  // bits of the quotient made so far
    reg [47:0] f_product;
    reg [63:0] f_kept;                      // the two words below
    reg [6:0]  f_left;                      // clocks until the end
    reg        f_rounded;
    reg [1:0]  f_place;                     // dimension that was rounded
    reg        f_uneven = 1'b0;             // one rounded since the start was not whole

    wire [5:0]  f_bits = (phase_q == DIVIDE_ROUND) ? 6'd32 : {1'b0, step_q};
    wire [95:0] f_line = {f_whole, f_kept};
    wire [16:0] f_next = {rest_q, value_q[95]};         // the remainder with the next bit of the dividend
    wire        f_goes = f_next >= {1'b0, divisor_q};   // the divisor goes into it

    always @(posedge clk) begin
        f_rounded <= 1'b0;
        if (phase_q == DIVIDE_TAKE) begin
            f_whole    <= value_q[95:64];
            f_kept     <= value_q[63:0];
            f_gone     <= 32'd0;
            f_quotient <= 32'd0;
            f_product  <= 48'd0;
        end
        if (phase_q == DIVIDE_SHIFT) begin
            f_gone     <= {f_gone[30:0], value_q[95]};
            f_quotient <= {f_quotient[30:0], f_goes};
            f_product  <= {f_product[46:0], 1'b0} + (f_goes ? {32'd0, divisor_q} : 48'd0);
        end
        f_rounded <= phase_q == DIVIDE_ROUND && !packet_valid && !packet_start && !rst;
        f_place   <= place_q;
        if (packet_start || rst)
            f_uneven <= 1'b0;
        else if (phase_q == DIVIDE_ROUND && (divisor_q == 16'd0 ? rest_q != 16'd0 : f_product != {16'd0, f_whole}))
            f_uneven <= 1'b1;
        f_left    <= (packet_start && !packet_valid) ? 7'd108 : f_left - 7'd1;

        if (!rst) begin
            assert (phase_q <= DIVIDE_ROUND && place_q <= 2'd2);                                     // 1 state
            if ((phase_q == DIVIDE_SHIFT || phase_q == DIVIDE_ROUND) && divisor_q != 16'd0) begin
                assert (rest_q < divisor_q);                                                         // 1 state
                assert ({16'd0, f_gone} == f_product + {32'd0, rest_q});                             // 2 quotient
            end
            if (phase_q == DIVIDE_SHIFT || phase_q == DIVIDE_ROUND) begin
                // What stands in the shift register, cut at the bits that have left.
                assert (value_q == ((f_line << f_bits) | {64'd0, f_quotient}));                      // helper
                assert (f_gone == ((f_bits == 6'd0) ? 32'd0 : f_whole >> (6'd32 - f_bits)));         // helper
                assert ((f_quotient >> f_bits) == 32'd0);                                            // helper
            end
            if (phase_q == DIVIDE_ROUND) assert (f_gone == f_whole && value_q[31:0] == f_quotient);  // 2 quotient
            if (f_rounded && divisor_q != 16'd0)
                assert (value_q[31:0] == ((f_product == {16'd0, f_whole}) ? f_quotient
                        : f_quotient + 32'd1));  // 2 quotient
            if (f_rounded && divisor_q != 16'd0)    // what is left for the last group
                assert (fields_q[f_place*32 +: 32]
                        == {(f_product == {16'd0, f_whole}) ? divisor_q : f_whole[15:0] - f_product[15:0],
                            divisor_q});  // 2 quotient
            assert (uneven_q == f_uneven);                                                           // 2 quotient
            case (phase_q)
                DIVIDE_IDLE:  ;
                DIVIDE_ASK:   assert (f_left == 7'd36 * place_q + 7'd36);          // 3 time
                DIVIDE_WAIT:  assert (f_left == 7'd36 * place_q + 7'd35);          // 3 time
                DIVIDE_TAKE:  assert (f_left == 7'd36 * place_q + 7'd34);          // 3 time
                DIVIDE_SHIFT: assert (f_left == 7'd36 * place_q + 7'd33 - {2'd0, step_q}); // 3 time
                default:      assert (f_left == 7'd36 * place_q + 7'd1);                  // 3 time
            endcase
            cover (phase_q == DIVIDE_IDLE && f_left == 7'd0);
        end
    end
