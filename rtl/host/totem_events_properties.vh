// SPDX-License-Identifier: Apache-2.0
//
// Properties of totem_events, included at the end of the module. The numbers are those of docs/contract/events.md.

    initial assume (rst);
    reg                    f_was = 1'b0, f_part = 1'b0;
    reg                    f_offers, f_notifies;
    reg [63:0]             f_message, f_head;
    reg [46:0]             f_notice;                        // {named, entry, 0, queue, int_ctxid}
    reg                    f_named;                         // it is one of the run list's
    reg [3:0]              f_pipe;
    reg [2:0]              f_class;
    reg [FE_COUNT-1:0]     f_rings, f_rings_d, f_ring_enable, f_ring_enable_d;
    reg [31:0]             f_mask, f_set;
    reg                    f_write;
    reg [6:0]              f_events, f_status, f_status_d;
    reg                    f_noticed;
    reg [41:0]             f_told;                          // {entry, int_ctxid} of it
    reg [PIPE_COUNT*8-1:0] f_eop, f_eop_d, f_enable, f_enable_d;
    reg                    f_irq, f_valid, f_clear, f_kept, f_quiet, f_middle, f_interrupt;
    reg [38:0]             f_new;                           // {word of the RAM, int_ctxid}
    reg [SOURCE_BITS+146:0] f_record, f_first;
    reg [15:0]             f_later;
    reg [111:0]            f_count, f_count_d;
    reg [SOURCE_BITS-1:0]  f_source;
    wire [SOURCE_BITS+146:0] f_shown = {record_code_q, record_queue_q, record_source_q, record_address_q, record_word_q,
                                        record_time_q};
    // Of pipes, then of rings.
    wire [PORTS-1:0]    f_packet_ready = {graphics_packet_error_ready, packet_error_ready};
    wire [PORTS-1:0]    f_fence_ready  = {graphics_fence_error_ready, fence_error_ready};
    wire [PORTS-1:0]    f_mqd_ready    = {graphics_mqd_error_ready, mqd_error_ready};
    wire [PORTS-1:0]    f_fetch_ready  = {graphics_fetch_error_ready, fetch_error_ready};
    wire [4*PORTS+FE_COUNT:0] f_ready = {memory_error_ready, f_fetch_ready, f_mqd_ready, f_fence_ready, f_packet_ready,
                                         host_error_ready};
    wire [PORTS-1:0]    f_packet_valid = {graphics_packet_error_valid, packet_error_valid};
    wire [PORTS-1:0]    f_fence_valid  = {graphics_fence_error_valid, fence_error_valid};
    wire [PORTS-1:0]    f_fetch_valid  = {graphics_fetch_error_valid, fetch_error_valid};
    wire [PORTS-1:0]    f_mqd_valid    = {graphics_mqd_error_valid, mqd_error_valid};
    wire [PORTS-1:0]    f_record_valid = {graphics_record_error_valid, record_error_valid};
    wire [PORTS-1:0]    f_poll_valid   = {graphics_poll_error_valid, poll_error_valid};
    wire [PORTS-1:0]    f_poll_second  = {graphics_poll_error_second, poll_error_second};
    wire [PORTS*64-1:0] f_packet_word  = {graphics_packet_error_word, packet_error_word};
    wire [PORTS*64-1:0] f_fence_word   = {graphics_fence_error_word, fence_error_word};
    wire [PORTS*64-1:0] f_fetch_word   = {graphics_fetch_error_word, fetch_error_word};
    wire [PORTS*64-1:0] f_mqd_word     = {graphics_mqd_error_word, mqd_error_word};
    wire [PORTS*64-1:0] f_record_word  = {graphics_record_error_word, record_error_word};
    wire [PORTS*64-1:0] f_poll_word    = {graphics_poll_error_word, poll_error_word};
    wire [PORTS-1:0]    f_fence_tells  = {graphics_fence_interrupt_valid, fence_interrupt_valid};
    wire [PORTS-1:0]    f_submit_tells   = {{PORTS-PIPE_COUNT{1'b0}},
                                          (TASKS != 0) ? submit_interrupt_valid : {PIPE_COUNT{1'b0}}};
    wire [PORTS-1:0]    f_mqd_tells    = {graphics_mqd_interrupt_valid, mqd_interrupt_valid};
    wire [PORTS*64-1:0] f_fence_tidings = {graphics_fence_interrupt_word, fence_interrupt_word};
    wire [PORTS*64-1:0] f_mqd_tidings  = {graphics_mqd_interrupt_word, mqd_interrupt_word};
    wire [PORTS-1:0]    f_may_tell     = {graphics_interrupt_ready, interrupt_ready};
    integer k;

    // What the ports offer to whom is ready.
    always @* begin
        f_offers   = host_error_valid;
        f_message  = host_error_word;
        f_notifies = 1'b0;
        f_notice   = 47'd0;
        f_pipe     = 3'd0;
        for (k = 0; k < FE_COUNT; k = k + 1)
            if (memory_error_ready[k]) begin
                f_offers  = memory_error_valid[k];
                f_message = memory_error_word[k*64 +: 64];
            end
        for (k = 0; k < PORTS; k = k + 1) begin
            if (f_packet_ready[k]) begin
                f_offers  = f_packet_valid[k];
                f_message = f_packet_word[k*64 +: 64];
            end
            if (f_fence_ready[k]) begin
                f_offers  = f_fence_valid[k];
                f_message = f_fence_word[k*64 +: 64];
            end
            if (f_fetch_ready[k]) begin
                f_offers  = f_fetch_valid[k];
                f_message = f_fetch_word[k*64 +: 64];
            end
            if (f_mqd_ready[k]) begin
                f_offers  = 1'b1;
                f_message = f_poll_word[k*64 +: 64];
                if (!(f_poll_valid[k] && f_poll_second[k])) begin
                    if (f_record_valid[k])
                        f_message = f_record_word[k*64 +: 64];
                    else if (f_mqd_valid[k])
                        f_message = f_mqd_word[k*64 +: 64];
                    else
                        f_offers = f_poll_valid[k];
                end
            end
            if (f_may_tell[k]) begin
                f_pipe     = k[3:0];
                f_notifies = f_fence_tells[k] || f_mqd_tells[k] || (f_submit_tells >> k & 1'b1);
                f_notice   = f_fence_tidings[k*64 +: 47];
                if (!f_fence_tells[k])
                    f_notice = f_mqd_tells[k] ? f_mqd_tidings[k*64 +: 47]
                               : submit_interrupt_word[(k < PIPE_COUNT ? k/PIPES : 0)*64 +: 47];
            end
        end
        f_named = RUNLIST != 0 && f_notice[46] && f_pipe < PIPE_COUNT[3:0];
    end

    // What has to become of the counts, of the status and of the end-of-pipe bits.
    always @* begin
        f_write = phase_q == EVENTS_DECIDE && host_write;
        for (k = 0; k < 32; k = k + 1)
            f_mask[k] = f_write && host_strobe[k/8];
        f_set     = host_data & f_mask;
        f_class   = f_head[63:61];
        f_events  = 7'd0;
        f_count_d = count_q;
        for (k = 1; k <= 7; k = k + 1)
            if (f_offers && f_part && f_class == k[2:0]) begin
                f_events[k-1] = 1'b1;
                if (count_q[(k-1)*16 +: 16] < 16'hffff)
                    f_count_d[(k-1)*16 +: 16] = count_q[(k-1)*16 +: 16] + 16'd1;
            end
        if (machine_fatal && !stop)
            f_events[5] = 1'b1;
        f_status_d = status_q;
        if (dword_q == {1'b0, `TOTEM_REG_EVENTS_INTERRUPT_STATUS}) f_status_d = status_q & ~f_set[7:1];
        if (dword_q == {1'b0, `TOTEM_REG_EVENTS_INTERRUPT_TEST})   f_status_d = status_q | f_set[7:1];
        f_eop_d    = eop_q;
        f_enable_d = eop_enable_q;
        for (k = 0; k < PIPE_COUNT*8; k = k + 1)
            if (k % 8 < QUEUES) begin
                if (f_set[k % 32] && dword_q == `TOTEM_REG_EVENTS_EOP_STATUS + k/32) f_eop_d[k] = 1'b0;
                if (f_set[k % 32] && dword_q == `TOTEM_REG_EVENTS_EOP_TEST + k/32)   f_eop_d[k] = 1'b1;
                if (f_mask[k % 32] && dword_q == `TOTEM_REG_EVENTS_EOP_ENABLE + k/32) f_enable_d[k] = f_set[k % 32];
                if (f_notifies && !f_named && {f_pipe, f_notice[34:32]} == k[6:0])               f_eop_d[k] = 1'b1;
            end
        f_rings_d       = ring_eop_q;
        f_ring_enable_d = ring_eop_enable_q;
        for (k = 0; k < FE_COUNT; k = k + 1)
            if (GRAPHICS != 0) begin
                if (f_set[k] && dword_q == {1'b0, `TOTEM_REG_EVENTS_RING_EOP_STATUS}) f_rings_d[k] = 1'b0;
                if (f_set[k] && dword_q == {1'b0, `TOTEM_REG_EVENTS_RING_EOP_TEST}) f_rings_d[k] = 1'b1;
                if (f_mask[k] && dword_q == {1'b0, `TOTEM_REG_EVENTS_RING_EOP_ENABLE}) f_ring_enable_d[k] = f_set[k];
                if (f_notifies && f_pipe == PIPE_COUNT[3:0] + k[3:0])                f_rings_d[k] = 1'b1;
            end
    end

    always @(posedge clk) begin
        f_was     <= !rst;
        f_irq     <= (enable_q[0] && ((eop_q & eop_enable_q) != 0 || (ring_eop_q & ring_eop_enable_q) != 0))
                     || (status_q & enable_q[7:1]) != 7'd0 || (RUNLIST != 0 && notice_due && enable_q[8]);
        f_valid   <= record_valid_q;
        f_clear   <= f_set[0] && dword_q == {1'b0, `TOTEM_REG_EVENTS_RECORD};
        f_kept    <= f_offers && f_part;
        f_part    <= !rst && f_offers != f_part;
        f_record  <= f_shown;
        f_first   <= {f_head[63:56], f_head[50:48], source_q, f_head[39:0], f_message[31:0], clock};
        f_later   <= later_q;
        f_count   <= f_count_d;
        f_status  <= f_status_d | f_events;
        f_eop     <= f_eop_d;
        f_enable  <= f_enable_d;
        f_rings   <= f_rings_d;
        f_ring_enable <= f_ring_enable_d;
        f_source  <= source_q;
        f_quiet   <= !f_offers && !f_part;
        f_middle  <= f_part && !f_offers;
        f_interrupt <= f_notifies && !f_named;
        f_noticed   <= f_notifies && f_named;
        f_told      <= {f_notice[45:36], f_notice[31:0]};
        f_new     <= {{f_pipe, f_notice[34:32]}, f_notice[31:0]};
        if (f_pipe >= PIPE_COUNT[3:0])
            f_new[38:32] <= PIPE_COUNT[6:0]*7'd8 + {3'd0, f_pipe} - PIPE_COUNT[6:0];
        if (f_offers && !f_part)
            f_head <= f_message;

        if (!rst) begin
            if (f_was) assert (irq == f_irq);                                                // 1 irq
            if (f_was && f_valid && !f_clear) assert (record_valid_q && f_shown == f_record);  // 2 record
            if (f_was && !f_kept) assert (record_valid_q == (f_valid && !f_clear));          // 2 record
            if (f_was && f_kept) assert (record_valid_q);                                    // 3 counted
            if (f_was && f_kept && (!f_valid || f_clear)) assert (f_shown == f_first);       // 3 counted
            if (f_was && f_kept && f_valid && !f_clear)
                assert (later_q == (f_later == 16'hffff ? f_later : f_later + 16'd1));       // 3 counted
            if (f_was && !f_kept && !f_clear) assert (later_q == f_later);                   // 3 counted
            if (f_was) assert (count_q == f_count && status_q == f_status);                  // 3 counted
            assert (f_ready != 0 && (f_ready & (f_ready - 1'b1)) == 0);                      // 4 turns
            assert (host_error_ready == (source_q == `TOTEM_SOURCE_HOST));                   // 4 turns
            assert (proxy_error_ready == (RUNLIST != 0 && source_q == `TOTEM_SOURCE_PROXY)); // 4 turns
            for (k = 0; k < FE_COUNT; k = k + 1)
                assert (memory_error_ready[k] == (source_q == `TOTEM_SOURCE_MEMORY(k)));     // 4 turns
            for (k = 0; k < PIPE_COUNT; k = k + 1) begin
                assert (packet_error_ready[k] == (source_q == `TOTEM_SOURCE_EXECUTE(k)));    // 4 turns
                assert (fence_error_ready[k] == (source_q == `TOTEM_SOURCE_FENCE(k)));       // 4 turns
                assert (mqd_error_ready[k] == (source_q == `TOTEM_SOURCE_MQD(k)));           // 4 turns
                assert (fetch_error_ready[k] == (source_q == `TOTEM_SOURCE_FETCH(k)));       // 4 turns
            end
            for (k = 0; k < FE_COUNT; k = k + 1) begin
                assert (graphics_packet_error_ready[k] ==
                        (GRAPHICS != 0 && source_q == `TOTEM_SOURCE_GRAPHICS_EXECUTE(k)));   // 4 turns
                assert (graphics_fence_error_ready[k] ==
                        (GRAPHICS != 0 && source_q == `TOTEM_SOURCE_GRAPHICS_FENCE(k)));     // 4 turns
                assert (graphics_mqd_error_ready[k] ==
                        (GRAPHICS != 0 && source_q == `TOTEM_SOURCE_GRAPHICS_MQD(k)));       // 4 turns
                assert (graphics_fetch_error_ready[k] ==
                        (GRAPHICS != 0 && source_q == `TOTEM_SOURCE_GRAPHICS_FETCH(k)));     // 4 turns
                if (GRAPHICS == 0) assert (!graphics_interrupt_ready[k]);                    // 4 turns
            end
            assert (f_may_tell != 0 && (f_may_tell & (f_may_tell - 1'b1)) == 0);             // 4 turns
            if (f_was && f_quiet) assert (source_q != f_source);                             // 4 turns
            if (f_was && f_middle) assert (source_q == f_source);                            // 4 turns
            if (f_was) assert (eop_q == f_eop && eop_enable_q == f_enable);                  // 5 end-of-pipe
            if (f_was) assert (ring_eop_q == f_rings && ring_eop_enable_q == f_ring_enable); // 5 end-of-pipe
            if (f_was) assert (notice_valid == f_noticed);                                   // 5 end-of-pipe
            if (f_was && notice_valid) assert ({notice_entry, notice_context} == f_told);    // 5 end-of-pipe
            if (f_was) assert (ram_write_enable == f_interrupt);                             // 5 end-of-pipe
            if (f_was && ram_write_enable)
                assert (ram_write_addr == f_new[32 +: CONTEXT_BITS] && ram_write_data == f_new[31:0]);  // 5 end-of-pipe

            // helpers
            assert (part_q == f_part);
            if (f_part) assert (head_q == f_head);
            assert (source_q <= LAST_SOURCE[SOURCE_BITS-1:0] && turn_q <= LAST_PLACE[TURN_BITS-1:0]);  // 6 ranges
            assert ((eop_q & ~{PIPE_COUNT{LEGAL}}) == 0 && (eop_enable_q & ~{PIPE_COUNT{LEGAL}}) == 0);  // 6 ranges
            if (GRAPHICS == 0) assert (ring_eop_q == 0 && ring_eop_enable_q == 0);           // 6 ranges
            cover (record_valid_q && later_q != 0 && irq_q);
        end
    end
