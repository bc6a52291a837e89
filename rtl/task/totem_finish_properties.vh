// SPDX-License-Identifier: Apache-2.0
//
// Properties of totem_finish, included at the end of the module. The numbers are those of docs/contract/finish.md.

    initial assume (rst);
    (* anyconst *) wire [X-1:0] f_queue;
    wire [2:0] f_owed  = owed_q[f_queue*3 +: 3];
    // fence_ready says which pipe is looked at.
    wire       f_high  = PIPES == 2 && fence_ready[PIPES-1] && PIPES != 1;
    wire       f_comes = |(fence_task_valid & fence_ready);
    wire [X-1:0] f_comer = {X{1'b0}} | (f_high ? QUEUES[X-1:0] | fence_task_queue[PIPES*Q-1 -: Q]
                                               : fence_task_queue[Q-1:0]);
    wire       f_takes = f_comes && f_comer == f_queue;
    wire       f_acked = write_ack && ack_tag[X-1:0] == f_queue;
    wire       f_works = phase_q != FINISH_IDLE && queue_q == f_queue;
    reg        f_open = 1'b0;               // taken and not over
    reg [2:0]  f_writes = 3'd0;             // its writes with memory
    always @(posedge clk) begin
        if (!rst) begin
            if (f_takes) assume (!ending_q[f_queue]);                                        // A1 offers
            if (f_comes) assume (!ending[f_comer]);                                          // A1 offers
            if (f_acked) assume (f_writes != 3'd0);                                          // A2 acknowledged
            if (task_over_ready) assume (over_valid);                                        // A3 over
        end
        f_open   <= !rst && (f_takes || (f_open && !(task_over_ready && over_queue_q == f_queue)));
        f_writes <= rst ? 3'd0 : f_writes + {2'd0, write_valid && write_ready && step_q && queue_q == f_queue}
                                 - {2'd0, f_acked};
        if (!rst) begin
            assert (phase_q <= FINISH_NEXT && ending_q[f_queue] == f_open && f_owed == f_writes);  // 1 writes
            if (f_works) assert (f_open && !sent_q[f_queue]);                                // 1 writes
            if (f_open && !sent_q[f_queue]) assert (f_works);                                // 1 writes
            if (!f_open) assert (f_owed == 3'd0);                                            // 1 writes
            if (f_works)
                assert ({1'b0, f_owed} + {3'd0, upper_q && phase_q == FINISH_WRITE} <= (second_q ? 4'd2 : 4'd0)
                        + (phase_q == FINISH_NEXT ? 4'd2 : phase_q == FINISH_WRITE ? 4'd1 : 4'd0));  // 1 writes
            assert (f_owed <= 3'd4);                                                         // 1 writes
            if (phase_q != FINISH_WRITE) assert (!upper_q && !step_q);                            // helper
            if (over_valid && over_queue_q == f_queue)
                assert (f_open && sent_q[f_queue] && f_writes == 3'd0);                           // 2 over
            cover (over_valid && over_queue_q == f_queue);
        end
    end
