// SPDX-License-Identifier: Apache-2.0
//
// Properties of totem_hqd, included at the end of the module. The numbers are those of docs/contract/hqd.md.

    initial assume (rst);
    reg            f_sent = 1'b0;           // the access has sent a word
    reg [4:0]      f_age  = 5'd0;           // clocks since it was taken up
    reg            f_was  = 1'b0;           // the values of the clock before are known
    reg [QUEUES-1:0] f_active, f_leaving, f_unasked, f_resetting, f_drained, f_free, f_killing;
    reg [QUEUES-1:0] f_over = {QUEUES{1'b0}};       // killing has fallen in this reset
    integer f;
    wire [BITS-1:0]  f_slot   = addr_q[BITS+5:6];       // of the access
    wire [2:0]       f_asked  = request_q[f_slot*3 +: 3];
    wire [2:0]       f_type   = dequeue_q[f_slot*3 +: 3];
    wire             f_mapped = active_q[f_slot];
    wire [QUEUES-1:0] f_this   = {{QUEUES-1{1'b0}}, 1'b1} << f_slot;
    wire             f_switches = f_asked == REQUEST_SWITCH_SAVE || f_asked == REQUEST_SWITCH_LOAD;
    reg  [QUEUES-1:0] f_serves;             // a save, or the end of a reset, is asked for
    reg  [2:0]       f_asks;                // job of a slot
    wire             f_forgets = load_valid_q && load_kind_q == LOAD_POLLED && load_data_q == POLLED_FORGET;

    // Jobs, and killing, in the next clock, if the access that is under way does not change them (f_touches).
    reg [QUEUES*3-1:0] f_job, f_job_was, f_dequeue;
    reg [QUEUES-1:0] f_kills, f_kills_was, f_touches, f_touched;
    reg              f_three;                           // a request of type 3 has come
    reg [15:0]       f_drains;
    always @* begin
        f_job     = request_q;
        f_kills   = {QUEUES{1'b0}};
        f_touches = {QUEUES{1'b0}};
        f_three   = 1'b0;
        f_serves  = {QUEUES{1'b0}};
        for (f = 0; f < QUEUES; f = f + 1) begin
            f_serves[f] = request_q[f*3 +: 3] == REQUEST_SAVE || request_q[f*3 +: 3] == REQUEST_END;
            if (request_q[f*3 +: 3] == REQUEST_NONE) begin
                if (active_q[f] && dequeue_q[f*3 +: 3] != DEQUEUE_NONE && leaving_q[f] && drain_not_selected[f] &&
                    settle_q == 3'd0
                    && drain_drained[f])
                    f_job[f*3 +: 3] = REQUEST_SAVE;
                if (!active_q[f] && dequeue_q[f*3 +: 3] != DEQUEUE_NONE && drain_drained[f])
                    f_job[f*3 +: 3] = REQUEST_END;
                if (active_q[f] && arbiter_move_queue == f[BITS-1:0] && !(load_valid && load_kind == LOAD_MOVED)) begin
                    if (arbiter_move == MOVE_SAVE) f_job[f*3 +: 3] = REQUEST_SWITCH_SAVE;
                    if (arbiter_move == MOVE_LOAD) f_job[f*3 +: 3] = REQUEST_SWITCH_LOAD;
                end
                f_kills[f] = f_job[f*3 +: 3] == REQUEST_NONE && ((leaving_q[f] && drain_not_selected[f] && settle_q == 3'd0)
                                                         || !active_q[f]);
            end
            if (killing_q[f] && f_job[f*3 +: 3] != REQUEST_SAVE && f_job[f*3 +: 3] != REQUEST_END)
                f_kills[f] = 1'b1;
            if (dequeue_q[f*3 +: 3] != DEQUEUE_RESET)
                f_kills[f] = 1'b0;
            if (f_slot == f[BITS-1:0] && (phase_q == HQD_DECIDE || phase_q == HQD_MAP || phase_q == HQD_SAVED))
                f_touches[f] = 1'b1;
            if (dequeue_q[f*3 +: 3] == DEQUEUE_SAVE_WAVES && f_dequeue[f*3 +: 3] != DEQUEUE_SAVE_WAVES)
                f_three = 1'b1;
        end
    end

    // A write that clears ACTIVE.
    wire f_clears   = phase_q == HQD_DECIDE && access_write && !(from_mqd_q && access_load) && !access_doorbell &&
                      !pointer_q && addr_q[5:0] == `TOTEM_REG_QUEUE_CP_HQD_ACTIVE &&
                      !(access_strobe[0] ? access_data[0] : view_value[0]);
    wire f_waiting  = (f_type == DEQUEUE_DRAIN || f_type == DEQUEUE_SAVE_WAVES || f_type == DEQUEUE_LEAVE) &&
        f_job[f_slot*3 +: 3] != REQUEST_SAVE;
    wire f_replaces = f_clears && f_mapped && (!leaving_q[f_slot] || f_waiting);
    reg  f_cleared, f_replaced, f_tells, f_was_active;
    reg [2:0] f_was_type;

    // A mapping: dwords to be read, by step; what it has read; the word that it sends, and the error of this step.
    localparam [149:0] F_READS = {
        `TOTEM_REG_QUEUE_CP_HQD_ACTIVE, `TOTEM_REG_QUEUE_CP_HQD_PQ_DOORBELL_CONTROL,
        `TOTEM_REG_QUEUE_CP_HQD_PIPE_PRIORITY, `TOTEM_REG_QUEUE_CP_HQD_QUANTUM, `TOTEM_REG_QUEUE_CP_MQD_BASE_ADDR_HI,
        `TOTEM_REG_QUEUE_CP_MQD_BASE_ADDR, `TOTEM_REG_QUEUE_CP_HQD_PQ_RPTR_REPORT_ADDR_HI,
        `TOTEM_REG_QUEUE_CP_HQD_PQ_RPTR_REPORT_ADDR, `TOTEM_REG_QUEUE_CP_HQD_PQ_WPTR_LO,
        `TOTEM_REG_QUEUE_CP_HQD_PQ_RPTR, `TOTEM_REG_QUEUE_CP_HQD_PQ_CONTROL, `TOTEM_REG_QUEUE_CP_HQD_PQ_BASE,
        `TOTEM_REG_QUEUE_CP_HQD_PQ_BASE_HI, `TOTEM_REG_QUEUE_CP_HQD_PQ_WPTR_LO, `TOTEM_REG_QUEUE_CP_HQD_PQ_RPTR,
        `TOTEM_REG_QUEUE_CP_HQD_PQ_WPTR_POLL_ADDR_HI, `TOTEM_REG_QUEUE_CP_HQD_PQ_RPTR_REPORT_ADDR_HI,
        `TOTEM_REG_QUEUE_CP_MQD_BASE_ADDR_HI, `TOTEM_REG_QUEUE_CP_MQD_BASE_ADDR, `TOTEM_REG_QUEUE_CP_HQD_AQL_CONTROL,
        `TOTEM_REG_QUEUE_CP_HQD_PQ_CONTROL, `TOTEM_REG_QUEUE_CP_HQD_IB_BASE_ADDR_HI,
        `TOTEM_REG_QUEUE_CP_HQD_IB_CONTROL, `TOTEM_REG_QUEUE_CP_HQD_PIPE_PRIORITY,
        `TOTEM_REG_QUEUE_CP_HQD_PERSISTENT_STATE};
    wire [5:0]  f_reads = (step_q > 5'd24) ? `TOTEM_REG_QUEUE_CP_HQD_ACTIVE : F_READS[step_q*6 +: 6];
    wire [31:0] f_data  = ram_read_data;
    wire [31:0] f_ahead = f_data - f_low;
    wire        f_empty = poll_once[f_slot];
    reg         f_needs, f_described, f_quiet;
    reg  [5:0]  f_size;
    reg  [31:0] f_low;
    reg  [4:0]  f_first = 5'd0;
    reg  [7:0]  f_fails;
    reg  [45:0] f_sends, f_send;                        // {valid, kind, data}
    reg         f_map = 1'b0, f_buffer;
    // An address of 48 bits, of which [15:0] are the upper ones: is it another than that at the port, and bit 39 there.
    wire [15:0] f_high  = (step_q == 5'd14) ? {f_low[7:0], f_data[31:24]} : f_data[15:0];
    wire [7:0]  f_above = settings_address_high[fe_number*8 +: 8];
    wire        f_top   = (f_above == 8'd0) ? f_high[7] : |f_high[15:8];
    wire        f_alien = f_high[15:7] != ((f_above == 8'd0) ? {8'd0, f_high[7]} : {f_top ? f_above : 8'd0, 1'b0});
    reg  [4:0]  f_step;
    always @* begin
        f_fails = 8'd0;
        f_sends = 46'd0;
        case (step_q)
            5'd1:  if (f_data[31] && !f_data[0]) f_fails = `TOTEM_ERROR_HOST_MAP_STATE;
            5'd2:  if (&f_data[1:0]) f_fails = `TOTEM_ERROR_HOST_MAP_PIPE_PRIORITY;
            5'd4:  if (f_alien && f_buffer) f_fails = `TOTEM_ERROR_HOST_MAP_ADDRESS;
            5'd5:
                if (f_data[26] || f_data[25]) f_fails = `TOTEM_ERROR_HOST_MAP_AQL;
                else if (f_data[5:0] <= 6'd2 || f_data[5:0] >= 6'd31) f_fails = `TOTEM_ERROR_HOST_MAP_QUEUE_SIZE;
            5'd6:  if (f_data != 32'd0) f_fails = `TOTEM_ERROR_HOST_MAP_AQL;
            5'd7:  if (f_data[2:0] != 3'd0) f_fails = `TOTEM_ERROR_HOST_MAP_MQD;
            5'd8: begin
                if (f_alien) f_fails = `TOTEM_ERROR_HOST_MAP_ADDRESS;
                if (f_needs && !f_described && f_data[15:0] == 16'd0) f_fails = `TOTEM_ERROR_HOST_MAP_STATE;
            end
            5'd9:  if (f_alien && !f_quiet) f_fails = `TOTEM_ERROR_HOST_MAP_ADDRESS;
            5'd10: if (f_alien) f_fails = `TOTEM_ERROR_HOST_MAP_ADDRESS;
            5'd12: begin
                if (!fence_spare[f_slot]) f_fails = `TOTEM_ERROR_HOST_MAP_NO_EPOCH;
                if (!f_empty && {1'b0, f_ahead} > (33'd2 << f_size[4:0])) f_fails = `TOTEM_ERROR_HOST_MAP_POINTERS;
            end
            5'd14: begin
                if (f_alien) f_fails = `TOTEM_ERROR_HOST_MAP_ADDRESS;
                f_sends = (f_first != 5'd0 || f_fails != 8'd0) ? {1'b1, LOAD_POLLED, POLLED_FORGET} :
                    {1'b1, LOAD_PQ_BASE, f_top, f_data[30:0], 8'd0};
            end
            5'd15: f_sends = {1'b1, LOAD_PQ_CONTROL, 8'd0, f_data};
            5'd16: f_sends = {1'b1, LOAD_RPTR, 8'd0, f_data};
            5'd17: f_sends = {1'b1, LOAD_WPTR, 8'd0, f_empty ? f_low : f_data};
            5'd19: f_sends = {1'b1, LOAD_REPORT_ADDR, f_quiet ? 40'd0 : {f_top, f_data[6:0], f_low[31:2], 2'd0}};
            5'd21: f_sends = {1'b1, LOAD_MQD_ADDR, f_top, f_data[6:0], f_low[31:2], 2'd0};
            5'd22: f_sends = {1'b1, LOAD_QUANTUM, 8'd0, f_data};
            5'd23: f_sends = {1'b1, LOAD_PIPE_PRIORITY, 38'd0, f_data[1:0]};
            5'd24: f_sends = {1'b1, LOAD_POLLED, 39'd0, !f_data[30]};
            5'd25: if (!f_described) f_sends = {1'b1, LOAD_ACTIVE, 40'd1};
            default: ;
        endcase
    end

    always @(posedge clk) begin
        f_job_was    <= f_job;
        f_kills_was  <= f_kills;
        f_touched    <= f_touches;
        f_dequeue    <= dequeue_q;
        f_drains     <= drains_q;
        f_cleared    <= f_clears;
        f_replaced   <= f_replaces;
        f_tells      <= f_replaces && f_asked != REQUEST_PRELOAD;
        f_was_active <= f_mapped;
        f_was_type   <= f_type;
        f_map        <= !rst && phase_q == HQD_MAP;
        f_step       <= step_q;
        f_send       <= f_sends;
        f_first      <= (rst || phase_q != HQD_MAP) ? 5'd0 : (f_first != 5'd0) ? f_first : f_fails[4:0];
        if (phase_q == HQD_MAP)
            case (step_q)
                5'd1: f_needs <= f_data[0];
                5'd3: begin f_buffer <= f_data[31]; if (f_data[31]) f_needs <= 1'b1; end
                5'd5: {f_size, f_quiet} <= {f_data[5:0], f_data[27]};
                5'd7: f_described <= |f_data;
                5'd8: if (f_data[15:0] != 16'd0) f_described <= 1'b1;
                5'd11, 5'd13, 5'd16, 5'd18, 5'd20: f_low <= f_data;
                default: ;
            endcase
        f_sent    <= (phase_d != HQD_IDLE) && (f_sent || load_valid_q);
        f_age     <= (phase_q == HQD_READ || phase_q == HQD_DECIDE || phase_q == HQD_RING || phase_q == HQD_MAP ||
                      phase_q == HQD_STORE) ?
                     f_age + 5'd1 : 5'd0;
        f_was     <= !rst;
        f_active  <= active_q;
        f_leaving <= leaving_q;
        f_resetting <= resetting;
        f_drained <= drain_drained;
        f_free    <= drain_free & drain_not_selected;
        f_killing <= killing_q;
        for (f = 0; f < QUEUES; f = f + 1)
            f_unasked[f] <= request_q[f*3 +: 3] == REQUEST_NONE;
        for (f = 0; f < QUEUES; f = f + 1)
            f_over[f] <= (f_over[f] || (killing_q[f] && !killing_d[f])) && dequeue_d[f*3 +: 3] == DEQUEUE_RESET;
        if (rst) begin
            f_sent <= 1'b0;
            f_age  <= 5'd0;
            f_over <= {QUEUES{1'b0}};
        end

        if (!rst && from_mqd_q && access_load && phase_q == HQD_DECIDE) begin
            assume (f_asked != REQUEST_NONE);                                                           // A1 job
            assume (addr_q[4:0] != LOAD_MOVED || f_switches);                                           // A2 moved
            assume (addr_q[4:0] != LOAD_ACTIVE ||
                    (!f_switches && (f_asked != REQUEST_END || !access_data[0])));                      // A3 active
        end

        if (!rst) begin
            if (phase_q == HQD_DONE && error_q != 5'd0) assert (!f_sent && (!load_valid_q || f_forgets));  // 1 refused
            assert (f_age <= 5'd29);                                                                    // 2 bound
            if (f_was && (active_q & ~f_active) != 0)
                assert ((active_q & ~f_active) == f_this &&
                        ((load_valid_q && load_kind_q == LOAD_ACTIVE && load_data_q[0]) ||
                         f_asked == REQUEST_PRELOAD));                                                  // 3 mapped
            if (f_was) assert ((f_active & ~active_q & ~f_leaving & f_unasked) == 0);                   // 3 mapped
            assert (!(ram_write_enable && ram_read_enable));                                            // 4 ram
            if (f_was && (f_resetting & ~resetting) != 0)
                assert (phase_q == HQD_DONE && from_mqd_q && word_q == {29'd0, silent_q[f_slot] ? 3'd0 : DEQUEUE_RESET}
                        && !f_mapped && (f_resetting & ~resetting) == f_this);                                       // 5 reset

            if (f_was && phase_q == HQD_SAVE && !from_mqd_q) assert (f_free[f_slot]);                   // 6 drained
            for (f = 0; f < QUEUES; f = f + 1)
                if (f_was && f_unasked[f] && f_serves[f])
                    assert (f_drained[f]);                                                              // 6 drained

            for (f = 0; f < QUEUES; f = f + 1)
                if (f_was && f_killing[f] && !killing_q[f])
                    assert (f_unasked[f] && f_serves[f]);                                               // 7 killing
            assert ((f_over & killing_q) == 0);                                                         // 7 killing

            if (f_was && phase_q == HQD_MAP)
                assert (shown_dword == f_reads && error_q == f_first);                                  // 8 mapping
            if (f_was && f_map)
                assert (load_valid == f_send[45] &&
                        (!load_valid || {load_kind, load_data} == f_send[44:0]));                       // 8 mapping
            if (f_was && f_map && f_step == 5'd14 && f_first != 5'd0)
                assert (phase_q == HQD_DONE && error_q == f_first);                                     // 8 mapping
            if (f_was && f_map && f_step < 5'd25 && (f_step != 5'd14 || f_first == 5'd0))
                assert (phase_q == HQD_MAP && step_q == f_step + 5'd1);                                 // 8 mapping
            if (f_was && f_map && f_step == 5'd25)
                assert (f_mapped && f_asked == (f_described ? REQUEST_PRELOAD : REQUEST_NONE));         // 8 mapping
            for (f = 0; f < QUEUES; f = f + 1)
                if (f_was && !f_touched[f])
                    assert (request_q[f*3 +: 3] == f_job_was[f*3 +: 3] && killing_q[f] == f_kills_was[f]);  // 9 jobs
            if (f_was && f_cleared)
                assert (leaving_q[f_slot] == f_was_active && f_type == (f_replaced ? DEQUEUE_NONE : f_was_type)
                        && load_valid == f_tells && (!load_valid || {load_kind, load_data} == 45'd0));  // 10 cleared
            if (f_was)
                assert (drains == ((f_three && f_drains != 16'hffff) ? f_drains + 16'd1 : f_drains));   // 11 drains

            assert ((leaving_q & ~active_q) == 0);                                                      // 12 slot
            for (f = 0; f < QUEUES; f = f + 1) begin
                f_asks = request_q[f*3 +: 3];
                assert (!dequeuing[f] || leaving_q[f] || (resetting[f] && !active_q[f]));               // 12 slot
                assert (dequeue_q[f*3 +: 3] <= DEQUEUE_LEAVE && f_asks != REQUEST_CLOSE);               // 12 slot
                assert (f_asks == REQUEST_NONE ||
                        active_q[f] == (f_asks != REQUEST_WINDOW && f_asks != REQUEST_END));            // 12 slot
                assert (f_asks != REQUEST_SAVE || dequeuing[f]);                                        // 12 slot
                assert (f_asks != REQUEST_END || resetting[f]);                                         // 12 slot
                assert (f_asks != REQUEST_WINDOW || !dequeuing[f]);                                     // 12 slot
                assert (!later_q[f] || (f_asks == REQUEST_SAVE && resetting[f]));                       // 12 slot
                assert (!killing_q[f] || (resetting[f] && !f_serves[f]));                               // 12 slot
            end
            assert (phase_q <= HQD_DONE);                                                               // 13 phase
            if (phase_q == HQD_SAVE || phase_q == HQD_SAVED) assert (f_mapped);                         // 13 phase
            if (phase_q == HQD_MAP) assert (step_q <= 5'd25 && !f_mapped && f_type == DEQUEUE_NONE);    // 13 phase
            if (phase_q == HQD_MAP && step_q >= 5'd15) assert (error_q == 5'd0);                        // 13 phase
            if (phase_q == HQD_RING) assert (step_q <= 5'd2);                                           // 13 phase
            if (phase_q == HQD_STORE) assert (error_q == 5'd0);                                         // 13 phase

            // helpers
            if (phase_q == HQD_MAP && step_q > 5'd1) assert (needs_q == f_needs);
            if (phase_q == HQD_MAP && step_q > 5'd5) assert (quiet_q == f_quiet && size_q == f_size);
            if (phase_q == HQD_MAP && step_q > 5'd5 && f_first == 5'd0) assert (f_size > 6'd2 && f_size < 6'd31);
            if (phase_q == HQD_MAP && step_q > 5'd7) assert (described_q == f_described);
            if (phase_q == HQD_MAP && step_q > 5'd11) assert (low_q == f_low);
            if (phase_q == HQD_MAP && step_q == 5'd4) assert (low_q[31] == f_buffer);
            if (phase_q == HQD_SAVE || phase_q == HQD_SAVED)
                assert ((leaving_q[f_slot] || f_asked != REQUEST_NONE) && (from_mqd_q || f_type == DEQUEUE_NONE));
            for (f = 0; f < QUEUES; f = f + 1) begin
                f_asks = request_q[f*3 +: 3];
                assert (!killing_q[f] || f_asks != REQUEST_PRELOAD);
                assert (!f_over[f] || (resetting[f] && !later_q[f] && f_serves[f]));
                assert (!(killing_q[f] && f == f_slot && (phase_q == HQD_SAVE || phase_q == HQD_SAVED)));
            end
            if (phase_q == HQD_RING) assert (f_age == step_q + 5'd2 && error_q == 5'd0);
            if (phase_q == HQD_MAP) assert (f_age == step_q + 5'd2);
            if (phase_q == HQD_STORE) assert (f_age <= 5'd28);
            if (phase_q == HQD_READ || phase_q == HQD_IDLE || phase_q == HQD_SWEEP || phase_q == HQD_SAVED)
                assert (f_age == 5'd0);
            if (phase_q == HQD_SAVE) assert (f_age == 5'd0 || from_mqd_q);
            if (phase_q == HQD_DECIDE) assert (f_age == 5'd1);
            if (f_sent || load_valid_q)
                assert (phase_q == HQD_STORE || (phase_q == HQD_MAP && step_q > 5'd14) || phase_q == HQD_DONE ||
                        phase_q == HQD_IDLE || ((phase_q == HQD_SAVE || phase_q == HQD_SAVED) && from_mqd_q));
            if ((f_sent || (load_valid_q && !f_forgets)) && phase_q == HQD_DONE) assert (error_q == 5'd0);
            if (phase_q == HQD_IDLE) assert (!f_sent && !load_valid_q);
            cover (phase_q == HQD_DONE && f_sent && f_mapped);
        end
    end
