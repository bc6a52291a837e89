// SPDX-License-Identifier: Apache-2.0
//
// Properties of totem_bus, included at the end of the module. The numbers are those of docs/contract/bus.md.

    // Equal words would hide a doubled one, so invariant 2 counts words, and also looks for one.
    initial assume (rst);
    (* anyconst *) wire [$clog2(FE_COUNT+1)-1:0] f_front;
    (* anyconst *) wire [$clog2(SOURCES+1)-1:0] f_source;
    wire [31:0] f_at = f_front*SOURCES + f_source;
    reg        f_valid = 1'b0;
    reg [79:0] f_word;
    reg [7:0]  f_sent = 8'd0;
    reg [7:0]  f_sum, f_lanes, f_ready;
    reg        f_found, f_others;
    reg        f_alone = 1'b0;
    reg [7:0]  f_waits = 8'd0;          // clocks that the source has had a word and was not ready
    integer    n_f;

    always @* begin
        assume (f_front < FE_COUNT && f_source < SOURCES);                                   // A1 source
        f_sum    = 8'd0;
        f_lanes  = 8'd0;
        f_ready  = 8'd0;
        f_found  = 1'b0;
        f_others = 1'b0;
        for (n_f = 0; n_f < FE_COUNT*SOURCES; n_f = n_f + 1)
            f_sum = f_sum + {7'd0, source_valid[n_f] && source_ready[n_f]};
        for (n_f = 0; n_f < SOURCES; n_f = n_f + 1) begin
            f_ready  = f_ready + {7'd0, source_ready[f_front*SOURCES + n_f]};
            f_others = f_others || (n_f != 0 && source_valid[f_front*SOURCES + n_f]);
        end
        for (n_f = 0; n_f < LANES; n_f = n_f + 1) begin
            f_lanes = f_lanes + {7'd0, lane_valid_q[n_f]};
            if (lane_valid_q[n_f] && {lane_tag_q[n_f*16 +: 16], lane_word_q[n_f*64 +: 64]} == f_word)
                f_found = 1'b1;
        end
    end

    always @(posedge clk) begin
        f_sent  <= rst ? 8'd0 : f_sum;
        f_valid <= source_valid[f_at] && source_ready[f_at] && !rst;
        f_word  <= {source_tag[f_at*16 +: 16], source_word[f_at*64 +: 64]};
        f_alone <= rst || !f_others;
        f_waits <= (rst || !source_valid[f_at] || source_ready[f_at]) ? 8'd0 : f_waits + 8'd1;

        if (!rst) begin
            assert ({{32-TURN_BITS{1'b0}}, turn_q} < LANES);                                 // 1 range
            assert ({{32-OWNER_BITS{1'b0}}, owner_q[f_front*OWNER_BITS +: OWNER_BITS]} < SOURCES);  // 1 range
            assert (f_lanes == f_sent);                                                      // 2 once
            if (f_valid) assert (f_found);                                                   // 2 once
            assert (f_ready == 8'd1);                                                        // 3 place
            if (f_alone) assert (source_ready[f_front*SOURCES]);                             // 3 place
            assert (f_waits < SOURCES);                                                      // 4 bound
            // It is this near after the owner.
            if (f_waits != 8'd0)
                assert (((f_source + SOURCES - owner_q[f_front*OWNER_BITS +: OWNER_BITS]) % SOURCES) + f_waits
                        <= SOURCES);                                                         // helper
        end
        cover (f_lanes == FE_COUNT);
        cover (f_waits == SOURCES - 1);
    end
