// SPDX-License-Identifier: Apache-2.0
//
// Properties of totem_fence, included at the end of the module. The numbers are those of docs/contract/fence.md.

    initial assume (rst);
    (* anyconst *) wire [Q-1:0] f_queue;
    (* anyconst *) wire [E-1:0] f_epoch;
    (* anyseq *) wire f_meant;              // it is abandoned, where its slot is
    wire [E-1:0] f_latest = latest_q[f_queue*E +: E];
    wire f_over    = slot_idle_over[{f_queue, f_epoch}];
    wire f_message = epoch_message[{f_queue, f_epoch}];
    wire f_sent    = sent_q[{f_queue, f_epoch}];
    wire f_back    = answered_q[{f_queue, f_epoch}];
    wire f_lost    = slot_idle_drop_valid && slot_idle_drop_queue == f_queue;
    wire f_serves  = serve_q == f_queue && (phase_q == FENCE_READ || phase_q == FENCE_WRITE || phase_q == FENCE_TASK ||
                                            phase_q == FENCE_INTERRUPT || phase_q == FENCE_DONE ||
                                                (phase_q == FENCE_ERROR && own_q));
    wire f_working = f_serves && f_latest == f_epoch;
    wire f_ends    = done && serve == f_queue && serve_epoch == f_epoch;
    wire f_starts  = phase_q == FENCE_IDLE && phase_d != FENCE_IDLE && own_d && serve_d == f_queue;
    wire f_picks   = f_starts && latest_d[f_queue*E +: E] == f_epoch;
    reg f_taken = 1'b0;             // the epoch is taken up, and not done
    reg f_same  = 1'b0;             // it was over in the clock before, and is neither done nor abandoned
    reg f_letter = 1'b0;            // its message then
    reg f_told  = 1'b0;             // telling in the clock before,
    reg f_tells = 1'b0;             // or to begin

    always @(posedge clk) begin
        if (!rst) begin
            if (write_ack && ack_tag[Q-1:0] == f_queue && ack_tag[3 +: E] == f_epoch) assume (f_sent);  // A1 sent
            if (slot_idle_drop_valid) assume (free && !failure_valid);                                     // A2 drop
            if (f_lost && f_meant) assume (!f_sent && !f_back);                                         // A2 drop
            if (f_same) assume (f_over && f_message == f_letter);                                       // A3 stays
            if (failure_valid) assume (failure_code != MEMORY_OK);                                      // A4 code
        end
        f_same   <= !rst && f_over && !f_ends && !(f_lost && f_meant);
        f_letter <= f_message;
        f_taken  <= !rst && !f_ends && (f_taken || f_picks);
        f_told   <= !rst && telling[f_queue];
        f_tells  <= !rst && ((free && failure_valid && failure_slot == f_queue) || f_lost || (f_serves && !done));

        if (!rst) begin
            if (f_picks) assert (f_back || (f_over && !f_sent));                                        // 1 over
            if (f_working) assert (!f_sent && !f_back);                                                 // 2 once
            assert (!(f_sent && f_back));                                                               // 2 once
            if (f_sent || f_back || f_working) assert (f_taken && f_over);                              // 2 once
            if (f_sent || f_back || (f_working && phase_q != FENCE_DONE)) assert (f_message);           // 2 once
            if (f_taken) assert (f_sent || f_back || f_working);                                        // 2 once
            if (phase_q != FENCE_IDLE && phase_q != FENCE_ERROR) assert (own_q);                        // 2 once
            if (f_lost && f_meant) assert (!f_taken);                                                   // 3 abandoned
            if (telling[f_queue] && !f_told) assert (f_tells);                                          // 4 record
            if (f_working && phase_q == FENCE_READ && phase_d == FENCE_WRITE)
                assert (!epoch_inhibited[{f_queue, f_epoch}]);                                          // 5 inhibited
            if (f_starts && f_over && !f_sent && !f_picks && f_latest != f_epoch)
                assert (f_epoch - latest_d[f_queue*E +: E] < f_epoch - f_latest);                       // 6 turns
            assert (phase_q <= FENCE_ERROR);                                                            // 8 phase
            if (f_starts) assert (!finish_ending[f_queue]);                                             // 7 task
            if (task_valid) assert (!again_q && own_q);                                                 // 7 task
            if (phase_q == FENCE_WRITE || phase_q == FENCE_ERROR) assert (step_q <= 2'd1);              // 8 phase
            cover (f_ends && f_message);
            cover (f_sent && f_starts);
            cover (task_valid && finish_ready);
        end
    end
