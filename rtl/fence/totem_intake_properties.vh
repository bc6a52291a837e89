// SPDX-License-Identifier: Apache-2.0
//
// Properties of totem_intake, included at the end of the module. The numbers are those of docs/contract/intake.md.

    initial assume (rst);
    reg [Q-1:0] f_record;                   // whose message record sent in the clock before
    reg [1:0]   f_words = 2'd0;             // of the message that is stored
    reg [Q-1:0] f_queue;
    reg         f_pair;
    reg         f_taken = 1'b0;
    reg [63:0]  f_word;
    reg [10:0]  f_name;                     // of the queue whose word was taken
    wire [Q-1:0] f_whose = record_ready ? record_fence_queue : arbiter_selected;
    wire        f_middle = f_words != 2'd0;
    wire        f_now    = (packet_fence_valid && packet_ready) || (record_fence_valid && record_ready);
    wire [1:0]  f_behind = close ? 2'd0 : f_words + {1'b0, store_valid_q};

    always @(posedge clk) begin
        if (!rst) begin
            if (place_q != 2'd0 && !from_record_q && packet_fence_valid)
                assume (arbiter_selected == store_queue_q);                                             // A1 follow
            if (from_record_q) assume (record_fence_valid && record_fence_queue == f_record);           // A2 held
            if (record_fence_valid && packet_fence_valid) assume (arbiter_selected != record_fence_queue);  // A3 apart
            if (close && packet_fence_valid && packet_ready) assume (arbiter_selected != close_queue);  // A4 later
            if (close && record_fence_valid && record_ready) assume (record_fence_queue != close_queue);  // A4 later
            if (store_valid_q) assume (epoch_current[store_queue_q*E +: E] == store_epoch_q);           // A5 epoch
        end
        f_record <= record_fence_queue;
        f_words  <= f_behind;
        f_taken  <= f_now;
        f_name   <= 11'd0;
        if (RUNLIST != 0) begin
            f_name[10]       <= |runlist_place_phase[f_whose*2 +: 2];
            f_name[0 +: N]   <= runlist_place_entry[f_whose*N +: N];
        end
        f_word   <= (record_fence_valid && record_ready) ? record_fence_word : packet_fence_word;
        if (store_valid_q) begin
            f_queue <= store_queue_q;
            f_pair  <= store_from_record_q;
        end
        if (rst) begin
            f_words <= 2'd0;
            f_taken <= 1'b0;
        end

        if (!rst) begin
            assert (store_place_q != 2'd3 && place_q != 2'd3);                                          // 3 place
            assert (ram_write_enable == f_taken);                                                       // 2 word
            if (ram_write_enable) assert (ram_write_addr[1:0] == f_words);                              // 2 word
            if (ram_write_enable)
                assert (ram_write_data == (f_words == 2'd2 ? {f_word[63:47], f_name, f_word[35:0]}
                                                           : f_word));                              // 2 word
            if (ram_write_enable && f_middle) assert (close_queue == f_queue && close_pair == f_pair);  // 1 message
            if (ram_write_enable)
                assert (ram_write_addr[2 +: Q+E] == {close_queue, epoch_current[close_queue*E +: E]});  // 1 message
            assert (storing == (ram_write_enable ? {{(QUEUES-1){1'b0}}, 1'b1} << close_queue :
                                {QUEUES{1'b0}}));                                                       // 1 message
            // helpers
            assert (place_q == f_behind);
            if (f_middle) assert (f_queue == store_queue_q && f_pair == store_from_record_q);
            if (place_q != 2'd0) assert (store_from_record_q == from_record_q);
            if (from_record_q && place_q != 2'd0) assert (store_queue_q == f_record);
            assert (f_words != 2'd3);
            cover (close && close_pair);
            cover (close && !close_pair);
        end
    end
