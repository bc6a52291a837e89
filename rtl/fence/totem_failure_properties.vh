// SPDX-License-Identifier: Apache-2.0
//
// Properties of totem_failure, included at the end of the module. The numbers are those of docs/contract/failure.md.

    initial assume (rst);
    (* anyconst *) wire [Q-1:0] f_queue;
    (* anyseq *) wire f_take;
    (* anyseq *) wire f_pick;
    reg f_waits = 1'b0;             // a packet write that memory has not taken
    reg f_halts = 1'b0;
    reg [Q-1:0] f_of;
    reg f_held = 1'b0, f_more = 1'b0, f_less = 1'b0;
    reg [3:0] f_kept = 4'd0;        // failed packet writes whose records are not taken
    reg [3:0] f_ahead;              // of them, those before the one that is watched
    reg f_watch = 1'b0;
    reg [Q+41:0] f_record;
    wire f_bad   = packet_write_ack && ack_error != MEMORY_OK;
    wire f_taken = fence_free && valid;

    always @(posedge clk) begin
        if (!rst) begin
            assume (!(fence_write_ack && packet_write_ack));                                            // A1 one
            assume (!(packet_fence_write && f_waits));                                                  // A2 room
            if (packet_write_ack) assume (owed_q > {2'd0, f_waits});                                    // A3 sent
        end
        f_waits <= packet_fence_write || (f_waits && !(f_take && write_room));
        f_halts <= !rst && (fence_write_ack || packet_write_ack) && ack_error != MEMORY_OK &&
                   epoch_present[{ack_tag[Q-1:0], ack_tag[3 +: E]}];
        f_of    <= ack_tag[Q-1:0];
        f_held  <= waits[f_queue];
        f_more  <= f_bad && ack_tag[Q-1:0] == f_queue;
        f_less  <= fence_free && valid && slot == f_queue;
        if (rst) begin
            f_waits <= 1'b0;
            f_held  <= 1'b0;
            f_more  <= 1'b0;
        end

        f_kept <= f_kept + {3'd0, f_bad} - {3'd0, f_taken};
        if (!f_watch) begin
            f_watch  <= f_bad && f_pick;
            f_ahead  <= f_kept - {3'd0, f_taken};
            f_record <= {ack_tag[Q-1:0], ack_error, ack_addr};
        end else if (f_taken) begin
            f_watch  <= f_ahead != 4'd0;
            f_ahead  <= f_ahead - 4'd1;
        end
        if (rst) begin
            f_kept  <= 4'd0;
            f_watch <= 1'b0;
        end

        if (!rst) begin
            assert (halt == f_halts);                                                                   // 1 halt
            if (halt) assert (halt_queue == f_of);                                                      // 1 halt
            assert ({1'b0, owed_q} + {1'b0, failures_q} <= 4'd4 + {3'd0, f_waits} &&
                    owed_q >= {2'd0, f_waits});                                                         // helper
            assert (f_kept == {1'b0, failures_q} && f_kept <= 4'd4 && valid == (f_kept != 4'd0));       // 2 place
            if (f_watch && f_ahead == 4'd0) assert ({slot, code, addr} == f_record);                    // 2 place
            if (f_watch)
                assert (f_ahead < f_kept && f_record == {failure_queue_q[f_ahead[1:0]*Q +: Q],
                        failure_code_q[f_ahead[1:0]*2 +: 2], failure_addr_q[f_ahead[1:0]*40 +: 40]});   // helper
            if (f_more) assert (waits[f_queue]);                                                        // 3 waits
            if (!f_held && !f_more) assert (!waits[f_queue]);                                           // 3 waits
            if (f_held && !f_less) assert (waits[f_queue]);                                             // 3 waits
            cover (failures_q == 3'd4);
        end
    end
