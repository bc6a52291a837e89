// SPDX-License-Identifier: Apache-2.0
//
// Properties of totem_fold, included at the end of the module. The numbers are those of its contract.

    initial assume (rst);
    reg        f_reset = 1'b0;
    reg        f_quiet = 1'b0;                 // neither step nor shift in the clock before
    reg [15:0] f_was;
    (* anyseq *) wire [15:0] f_apart;           // any difference of two signatures; a step is linear

    always @(posedge clk) begin
        f_reset <= rst;
        f_quiet <= !rst && !signature_live && !signature_shift;
        f_was   <= signature_q;
        if (f_reset) assert (signature_q == FOLD_START);                                        // 1 start
        if (f_quiet) assert (signature_q == f_was);                                             // 2 stays
        if (f_apart != 16'd0)
            assert ((f_apart << 1 ^ f_apart >> 1 ^ (f_apart & FOLD_RULE)) != 16'd0);            // 3 inverse
    end
