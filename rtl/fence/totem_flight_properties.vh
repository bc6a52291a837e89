// SPDX-License-Identifier: Apache-2.0
//
// Properties of totem_flight, included at the end of the module. The numbers are those of docs/contract/flight.md.

    initial assume (rst);
    (* anyconst *) wire [Q-1:0] f_queue;
    (* anyconst *) wire [E-1:0] f_epoch;
    reg [C-1:0] f_count = {C{1'b0}};
    reg [C-1:0] f_in, f_out;                // of the entry in this clock: never more ends than there are
    reg f_was = 1'b1;
    reg f_begins = 1'b0;
    reg [15:0] f_waves = 16'd0, f_late = 16'd0;
    reg [15:0] f_change;                    // of the waves of the queue
    reg [16:0] f_ends;                      // late in the next clock, without its limit
    integer k, m;

    always @* begin
        f_in  = {{(C-1){1'b0}}, packet_fence_write && arbiter_selected == f_queue
                                && epoch_current[f_queue*E +: E] == f_epoch};
        f_out = {{(C-1){1'b0}}, packet_write_ack && ack_tag[Q-1:0] == f_queue && ack_tag[3 +: E] == f_epoch};
        if (f_queue == {Q{1'b0}}) begin
            f_in  = f_in + {{(C-1){1'b0}}, draw_begun && epoch_current[E-1:0] == f_epoch};
            f_out = f_out + {{(C-1){1'b0}}, draw_end_valid && draw_end_epoch == f_epoch};
        end
        for (k = 0; k < SE_COUNT; k = k + 1) begin
            if (grant_valid[k] && grant_queue[k*Q +: Q] == f_queue && grant_epoch[k*E +: E] == f_epoch)
                f_in = f_in + {3'd0, grant_waves[k*7 +: 7]};
            if (geometry_valid[k] && grant_queue[k*Q +: Q] == f_queue && grant_epoch[k*E +: E] == f_epoch)
                f_in = f_in + {{(C-1){1'b0}}, 1'b1};
            if (complete_valid[k] && complete_queue[k*Q +: Q] == f_queue && complete_epoch[k*E +: E] == f_epoch)
                f_out = f_out + {{(C-1){1'b0}}, 1'b1};
        end
        f_change = 16'd0;
        f_ends   = {1'b0, f_late};
        for (k = 0; k < SE_COUNT; k = k + 1) begin
            if (grant_valid[k] && grant_queue[k*Q +: Q] == f_queue)
                f_change = f_change + {9'd0, grant_waves[k*7 +: 7]};
            if (geometry_valid[k] && grant_queue[k*Q +: Q] == f_queue)
                f_change = f_change + 16'd1;
            if (complete_valid[k] && complete_queue[k*Q +: Q] == f_queue)
                f_change = f_change - 16'd1;
            if (complete_valid[k] && epoch_reserved[complete_queue[k*Q +: Q]*EPOCHS + complete_epoch[k*E +: E]])
                f_ends = f_ends + 17'd1;
        end
    end

    always @(posedge clk) begin
        if (!rst) begin
            for (k = 1; k < SE_COUNT; k = k + 1)
                for (m = 0; m < k; m = m + 1)
                    if (grant_valid[k] && grant_valid[m])
                        assume (grant_queue[k*Q +: Q] == grant_queue[m*Q +: Q]
                                && grant_epoch[k*E +: E] == grant_epoch[m*E +: E]);                     // A1 dispatch
            assume (f_count >= f_out);                                                                  // A2 ends
        end
        f_count  <= f_count + f_in - f_out;
        f_was    <= empty[{f_queue, f_epoch}];
        f_begins <= f_in != {C{1'b0}};
        f_waves  <= f_waves + f_change;
        f_late   <= f_ends[16] ? 16'hffff : f_ends[15:0];
        if (rst) begin
            f_count <= {C{1'b0}};
            f_waves <= 16'd0;
            f_late  <= 16'd0;
            f_was   <= 1'b1;
        end

        if (!rst) begin
            assert (f_count == count_q[{f_queue, f_epoch}*C +: C]);                                     // 1 count
            assert (empty[{f_queue, f_epoch}] == (f_count == {C{1'b0}}));                               // 1 count
            if (f_was && !f_begins) assert (empty[{f_queue, f_epoch}]);                                 // 1 count
            assert (waves[f_queue*16 +: 16] == f_waves);                                                // 2 waves
            assert (late == f_late);                                                                    // 3 late
            cover (f_was == 1'b0 && f_count == {C{1'b0}});
        end
    end
