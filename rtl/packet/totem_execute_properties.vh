// SPDX-License-Identifier: Apache-2.0
//
// Properties of totem_execute, included at the end of the module. The numbers are those of docs/contract/execute.md.

`include "totem_service_values.vh"
    initial assume (rst);
    reg        f_selected = 1'b0;
    reg        f_open = 1'b0;               // a packet is taken and not yet committed
    reg [14:0] f_length;
    reg [2:0]  f_since = 3'd4;              // clocks since the last ignored packet, at most 4
    reg [1:0]  f_looked = 2'd0;             // clocks in READY without a word, at most 3
    // f_calm: clocks since the last one in which fence was told, or could be told, anything, at most 2
    reg [1:0]  f_calm = 2'd2;
    reg        f_unread = 1'b0;             // a clock ago a word came whose dword could not be read
    reg        f_refused = 1'b0;            // .. that was an error of decode
    reg        f_wrote = 1'b0;              // .. for a register of the compute block
    reg [39:0] f_fault_position;
    reg [31:0] f_word;
    reg [7:0]  f_code;
    reg [6:0]  f_offset;
    reg        f_heard = 1'b0;              // a clock ago a read was answered
    reg        f_fits;                      // its value satisfies the wait
    wire       f_whole  = kind_q == `TOTEM_KIND_WAIT_64;
    wire       f_checks = kind_q == `TOTEM_KIND_WAIT || f_whole;
    wire       f_copies = kind_q == `TOTEM_KIND_COPY;
    wire       f_loads  = kind_q == `TOTEM_KIND_LOAD_REGISTERS;
    wire       f_moves  = kind_q == `TOTEM_KIND_DMA;
    wire       f_context = kind_q == `TOTEM_KIND_LOAD;
    reg        f_range = 1'b0;              // a clock ago a range of registers came
    reg [39:0] f_place;                     // of its values
    reg [31:0] f_first;
    reg [13:0] f_number;
    wire       f_wide   = control_q[`TOTEM_PM4_COPY_DATA_COUNT_SEL];
    wire       f_pair   = f_copies && f_wide && control_q[3:0] == 4'd0;     // two registers are copied
    // Of an atomic: its operands; what it is to write; that the memory has let it; how the clock before ended it.
    wire       f_atomic = kind_q == `TOTEM_KIND_ATOMIC;
    wire       f_adds   = f_atomic && control_q[4:0] == 5'd15;
    wire       f_swaps  = f_atomic && control_q[4:0] == 5'd8;       // .. if it compares
    reg [39:0] f_spot;
    reg [63:0] f_operand, f_compare, f_result;
    reg        f_granted, f_differed = 1'b0, f_confirmed = 1'b0, f_vain = 1'b0;
    wire [63:0] f_old    = control_q[5] ? data_word : {32'd0, data_word[address_q[2]*32 +: 32]};
    wire       f_differs = f_swaps && f_old != (control_q[5] ? f_compare : {32'd0, f_compare[31:0]});
    wire       f_acks    = phase_q == EXECUTE_CONFIRM && write_ack && ack_exclusive && ack_error == 2'd0;
    reg        f_sets = 1'b0;               // a clock ago a copy was to write a register of the compute block
    reg [39:0] f_from, f_to;                // where a copy stands in its source and its destination
    reg [63:0] f_got;                       // what it has to write
    wire       f_window = control_q[`TOTEM_PM4_WAIT_REG_MEM_MEM_SPACE] == `TOTEM_SPACE_REGISTER;
    wire [31:0] f_read = f_window ? hqd_poll_rdata : data_word[address_q[2]*32 +: 32];
    wire [63:0] f_value = f_whole ? data_word & second_q : {32'd0, f_read & data_q[63:32]};
    wire [63:0] f_limit = f_whole ? data_q : {32'd0, data_q[31:0]};
    reg        f_mapping = 1'b0;            // a clock ago this queue was mapped or unmapped
    reg [Q-1:0] f_mapped;
    reg        f_barred = 1'b0;             // a clock ago no write of the queue was to begin
    reg        f_loaded = 1'b0;
    reg        f_walking = 1'b0;
    wire       f_dispatching = phase_q == EXECUTE_RUN || phase_q == EXECUTE_STOP;
    reg        f_acted = 1'b1;              // the first packet since go has acted
    reg        f_taken = 1'b0;              // its first word has been taken
    reg [2:0]  f_own = 3'd0;                // clocks since then, without those in which it waited
    reg        f_graphics = 1'b0;
    wire       f_comes = ready && decode_valid;         // a word is taken
    wire       f_data  = decode_stream && decode_kind == `TOTEM_KIND_WRITE;
    wire [3:0] f_target = decode_control[`TOTEM_PM4_WRITE_DATA_DST_SEL];
    wire [2:0] f_function = control_q[`TOTEM_PM4_WAIT_REG_MEM_FUNCTION];
    wire       f_cuts  = phase_q == EXECUTE_READY && f_data && f_target != `TOTEM_WRITE_DST_REGISTER
                         && !(arbiter_active[queue_q] && !halted[queue_q]);
    wire       f_heeds = f_comes && !f_cuts && !decode_unread && decode_code == 8'd0;   // and executed
    reg        f_cut = 1'b0, f_begun = 1'b0, f_register;
    reg        f_nowhere = 1'b0;            // a clock ago a word was for a destination or register that Totem lacks
    wire [5:0] f_event = decode_control[`TOTEM_PM4_EVENT_WRITE_EVENT_TYPE];
    wire       f_flush = f_heeds && decode_kind == `TOTEM_KIND_EVENT
                         && (f_event == `TOTEM_EVENT_CS_PARTIAL_FLUSH
                             || (graphics && (f_event == `TOTEM_EVENT_VS_PARTIAL_FLUSH
                                              || f_event == `TOTEM_EVENT_PS_PARTIAL_FLUSH)));
    wire       f_flows = decode_kind == `TOTEM_KIND_SHADER || decode_kind == `TOTEM_KIND_CONTEXT
                         || decode_kind == `TOTEM_KIND_USER;
    wire       f_streams = kind_q == `TOTEM_KIND_REGISTERS || kind_q == `TOTEM_KIND_WRITE
                           || kind_q == `TOTEM_KIND_SHADER || kind_q == `TOTEM_KIND_CONTEXT
                           || kind_q == `TOTEM_KIND_USER || kind_q == `TOTEM_KIND_LOAD;
    // A task is under way, or has just been granted: no packet is taken for it.
    wire       f_task = kind_q == `TOTEM_KIND_TASK;
    wire       f_serves = f_task && (phase_q == EXECUTE_TASK || phase_q == EXECUTE_SERVICE
        || phase_q == EXECUTE_RELEASE || phase_q == EXECUTE_CLOSED);
    wire       f_asks = phase_q == EXECUTE_READY && phase_d == EXECUTE_TASK;
    wire       f_over = commit_q || (phase_q == EXECUTE_READY && executed_q && !f_task);    // the packet taken is over
    reg [14:0] f_deferred = 15'd0;          // dwords executed in the open group, and the packet in front of it
    reg        f_flowed = 1'b0;             // a clock ago a word came that goes to the server
    reg        f_brought = 1'b0;            // a clock ago a read of the server was answered
    reg        f_disabled = 1'b0;           // a clock ago a dispatch without COMPUTE_SHADER_EN came
    reg        f_alone = 1'b0;              // a clock ago a PRED_EXEC came: its dwords are executed,
    reg        f_with = 1'b0;               // they are skipped,
    reg        f_past = 1'b0;               // or not all of them are written
    reg [31:0] f_answer;
    reg [31:0] f_priority;                  // the register of queue 0 of this pipe that a packet may write
    reg        f_uneven = 1'b0;             // of the division that has ended: a group is not whole, and to be trimmed
    reg        f_table = 1'b0;              // a clock ago the table was complete
    wire       f_trims = phase_q == EXECUTE_TRIM || phase_q == EXECUTE_TABLE;
    reg [95:0] f_fields;
    wire       f_grid = kind_q == `TOTEM_KIND_DISPATCH || kind_q == `TOTEM_KIND_DISPATCH_INDIRECT;
    // Packets of the scheduler: dwords handed over of the one in hand; what was taken of it.
    wire       f_orders = RUNLIST != 0 && !graphics && kind_q == `TOTEM_KIND_ORDER;
    wire       f_order  = f_heeds && decode_stream && RUNLIST != 0 && !graphics && decode_kind == `TOTEM_KIND_ORDER;
    reg [3:0]  f_sent = 4'd0;
    reg [31:0] f_head, f_operands, f_dword;
    reg        f_ordered = 1'b0, f_entitled;    // a clock ago a dword of one came; from the queue that may have them
    reg        f_answered = 1'b0;               // .. one was answered, and does not continue as a fence
    reg        f_long;                          // .. more than a commit can pass ends with it
    wire       f_acts = start || left || commit || executed || poll_valid || divide_start || write_valid
                        || priority_write
                        || service_valid || order_valid
                        || phase_q == EXECUTE_REGISTER || fence_valid || fence_close || wait_valid || error_valid
                            || set_q
                        || (phase_q == EXECUTE_READY && decode_stream);
    wire       f_by_die = decode_kind == `TOTEM_KIND_COND_EXEC && decode_header[15:8] == `TOTEM_OP_PRED_EXEC;
    wire [31:0] f_dies  = decode_control >> 24;
    wire       f_bit    = f_dies[settings_die];
    wire [31:0] f_named = {17'd0, decode_length + {1'b0, decode_control[13:0]}};
    wire       f_shapes = phase_q == EXECUTE_GRID || (f_comes && decode_kind == `TOTEM_KIND_DISPATCH);
    wire       f_waits = ((phase_q == EXECUTE_RESUME || f_shapes) && !(bank_loaded && !bank_busy))
                         || (f_shapes && (bank_partial == PARTIAL_COMPUTING || !service_still));

    always @(posedge clk) begin
        f_loaded  <= bank_loaded && !arbiter_go && !bank_save_q;
        f_walking <= start || (f_dispatching && walker_busy);  // in LEAVE the walker of a stopped grid is still busy
        if (!rst) begin
            if (f_loaded) assume (bank_loaded);                                                      // A2 loaded
            if (!f_walking && !(f_task && phase_q == EXECUTE_SERVICE)) assume (!walker_busy);        // A3 walker
            assume (!(arbiter_go && f_selected));                                                    // A4 go
            // only while it has not the pipe
            if (load_valid && ((load_kind == LOAD_ACTIVE && load_data[0]) || load_kind == LOAD_MOVED))
                assume (!(arbiter_go && arbiter_selected == load_queue) && !(f_selected && queue_q
                        == load_queue));  // A1 mapped
            assume (graphics == f_graphics);                                                         // A9 pipe
            assume (!(decode_valid && (decode_boundary || f_over)));                                 // A5 first
            if (!graphics) assume (service_room && service_still && !service_read && service_skip == 14'd0
                                   && service_group == 14'd0
                                   && (decode_kind <= `TOTEM_KIND_ATOMIC || decode_kind == `TOTEM_KIND_LAUNCH
                                       || (RUNLIST != 0 && decode_kind == `TOTEM_KIND_ORDER)));      // A9 pipe
            if (graphics) assume (runner_due == {QUEUES{1'b0}} && decode_kind < `TOTEM_KIND_LAUNCH); // A9 pipe
            // A message closes its epoch two clocks behind its last word.
            if (f_task && phase_q == EXECUTE_CLOSED
                && f_calm == 2'd0) assume (fence_epoch[queue_q*E +: E] == dispatch_epoch_q);         // A10 epoch
            if (decode_valid && decode_code == 8'd0 && !decode_unread && group_q != 14'd0)
                assume ({1'b0, group_q} >= decode_length && (decode_kind == `TOTEM_KIND_NONE
                        || decode_kind == `TOTEM_KIND_CONTEXT || decode_kind == `TOTEM_KIND_MODIFY
                        || decode_kind == `TOTEM_KIND_LOAD) && !decode_counted);                     // A7 group
            if (service_done && group_q != 14'd0) assume (service_skip == 14'd0 && service_group == 14'd0);  // A7 group
            if (decode_valid && !f_open)
                assume (f_looked == 2'd3
                        || (f_looked == 2'd2
                            && (decode_unread || (decode_kind <= `TOTEM_KIND_PASS && !decode_counted))));  // A5 first
            if (decode_stream && (decode_kind == `TOTEM_KIND_REGISTERS || decode_kind == `TOTEM_KIND_SHADER))
                assume (f_loaded && bank_loaded);                                                    // A6 registers
            if (decode_valid && (decode_kind == `TOTEM_KIND_COPY || decode_kind == `TOTEM_KIND_LOAD_REGISTERS))
                assume (f_loaded && bank_loaded);                                                    // A6 registers
            if (decode_stream)
                assume (decode_kind == `TOTEM_KIND_REGISTERS || decode_kind == `TOTEM_KIND_WRITE
                        || decode_kind == `TOTEM_KIND_LOAD || f_flows);                              // A8 stream
            if (decode_stream) assume (!decode_boundary && !f_over);                                 // A8 stream
            if (decode_valid) assume (decode_length != 15'd0);                                       // A11 length
            if (decode_valid && decode_kind >= `TOTEM_KIND_MODIFY && decode_kind != `TOTEM_KIND_LOAD)
                assume (decode_length <= 15'd16);                                                    // A11 length
            if (RUNLIST != 0 && schedule_done)
                assume (phase_q == EXECUTE_ORDERED && (schedule_answer != SERVICE_END
                                                       || fetch_available >= {17'd0, f_length}));    // A12 answer
            if (kind_q == `TOTEM_KIND_LOAD) assume (service_skip == 14'd0 && service_group == 14'd0);  // A11 length
            if (decode_valid && f_open)
                assume (decode_stream && decode_kind == kind_q && decode_length == f_length);  // A8 stream
            if (f_open && phase_q == EXECUTE_READY && !f_over)
                assume (decode_stream && decode_kind == kind_q);  // A8 stream
        end
        if (left)
            f_selected <= 1'b0;
        else if (arbiter_go)
            f_selected <= 1'b1;
        if (phase_q == EXECUTE_LEAVE || f_over)
            f_open <= 1'b0;
        if (phase_q == EXECUTE_LEAVE || commit_q)
            f_deferred <= 15'd0;
        else if (f_over)
            f_deferred <= f_deferred + f_length;
        f_graphics <= graphics;
        f_table    <= bank_partial != PARTIAL_COMPUTING;
        f_fields   <= divide_fields;
        if (phase_q == EXECUTE_DIVIDE)
            f_uneven <= divide_uneven && !control_q[1];
        f_flowed   <= f_heeds && decode_stream && f_flows && !f_order
                      && !(decode_kind == `TOTEM_KIND_SHADER && decode_address[9:7] == 3'b100)
                      || phase_q == EXECUTE_REGISTER && f_loads && step_q == 2'd0 && step_d == 2'd1 && graphics
                         && address_q[9:7] != 3'b100;
        f_alone <= f_heeds && f_by_die && f_bit;
        f_with  <= f_heeds && f_by_die && !f_bit && f_named <= fetch_available;
        f_past  <= f_heeds && f_by_die && !f_bit && f_named > fetch_available;
        f_disabled <= f_heeds && !decode_control[0] && (decode_kind == `TOTEM_KIND_DISPATCH
                                                        || decode_kind == `TOTEM_KIND_DISPATCH_INDIRECT);
        f_range    <= f_heeds && decode_stream && decode_kind == `TOTEM_KIND_LOAD;
        f_place    <= {decode_second[39:2] + {22'd0, decode_address[15:0]}, 2'd0};
        f_first    <= decode_address[31:0];
        f_number   <= decode_data[13:0];
        f_brought  <= phase_q == EXECUTE_ANSWER && kind_q >= `TOTEM_KIND_MODIFY && poll_packet_answer && poll_data_valid
                      && data_error == MEMORY_OK;
        f_answer   <= address_q[2] ? data_word[63:32] : data_word[31:0];
        f_priority <= 32'h4006 + 32'h400 * (graphics ? 32'd8 + fe_number :
                                            PIPES == 2 ? 32'd2 * fe_number + pipe_number[0] : fe_number);
        if ((f_comes && !f_cuts) || (phase_q == EXECUTE_RESUME && (phase_d == EXECUTE_GRID
            || phase_d == EXECUTE_READY))) begin
            f_open   <= 1'b1;
            f_length <= !f_comes ? length_d : f_heeds && f_by_die && !f_bit && f_named <= fetch_available
                        ? f_named[14:0] : decode_length;
        end
        if (phase_q == EXECUTE_ANSWER)      // a skip adds to it
            f_length <= length_d;
        if (f_orders && phase_q == EXECUTE_ORDERED && schedule_done && !schedule_again && schedule_code == 8'd0
            && schedule_answer == SERVICE_END && fetch_available <= 32'h7fff)
            f_length <= fetch_available[14:0];
        f_ordered  <= f_order;
        f_entitled <= queue_q == {Q{1'b0}} && fe_number == 2'd0 && !pipe_number[0];
        if (f_comes)
            {f_head, f_operands, f_dword} <= {decode_control, decode_extra, decode_data[31:0]};
        if (phase_q == EXECUTE_LEAVE || (order_valid && schedule_ready && order_last))
            f_sent <= 4'd0;
        else if (order_valid && schedule_ready)
            f_sent <= f_sent + 4'd1;
        f_answered <= f_orders && phase_q == EXECUTE_ORDERED && schedule_done && !schedule_again
                      && schedule_code == 8'd0 && schedule_answer != SERVICE_FENCE;
        f_long     <= schedule_answer == SERVICE_END && fetch_available > 32'h7fff;
        if (phase_q == EXECUTE_SERVICE && service_done && service_code == 8'd0 && !service_again
            && service_group == 14'd0)
            f_length <= f_length + {1'b0, service_skip};
        f_sets           <= !rst && phase_q == EXECUTE_REGISTER && step_q == 2'd0
                            && ((f_copies && address_q[31:0] >= 32'h2e00 && address_q[31:0] <= 32'h2e7f)
                                || (f_loads && address_q[9:0] >= 10'h200 && address_q[9:0] <= 10'h27f));
        if (f_comes)
            {f_spot, f_operand, f_compare} <= {decode_address, decode_data, decode_second};
        if (phase_q == EXECUTE_ANSWER) begin
            f_granted <= data_exokay;
            f_result  <= f_adds ? f_old + f_operand : f_operand;
        end
        f_differed  <= phase_q == EXECUTE_ANSWER && poll_packet_answer && poll_data_valid && f_differs;
        f_confirmed <= f_acks && ack_exokay;
        f_vain      <= (f_acks && !ack_exokay) || (phase_q == EXECUTE_ANSWER && f_differs && control_q[11:8] == 4'd1);
        if (f_comes) begin
            f_from <= decode_data[39:0];
            f_to   <= decode_second[39:0];
            f_got  <= (decode_kind == `TOTEM_KIND_COPY && decode_control[3:0] == 4'd9) ? clock : decode_data;
        end else if (phase_q == EXECUTE_ANSWER && phase_d != EXECUTE_ANSWER) begin
            f_got  <= f_copies && f_wide ? data_word : {32'd0, f_copies && control_q[3:0] == 4'd0 ? hqd_poll_rdata
                                                               : data_word[address_q[2]*32 +: 32]};
            f_from <= f_from + (extra_q[28] ? 40'd0 : 40'd4);
        end else if (phase_q == EXECUTE_WRITE && write_ready && step_q != 2'd0)
            f_to   <= f_to + (extra_q[29] ? 40'd0 : 40'd4);
        f_cut            <= f_cuts;
        f_begun          <= f_heeds && f_data && f_target != `TOTEM_WRITE_DST_PREEMPTION_META;
        f_nowhere        <= f_heeds && f_data && f_target == `TOTEM_WRITE_DST_PREEMPTION_META
                            || phase_q == EXECUTE_REGISTER && step_q == 2'd0 && kind_q == `TOTEM_KIND_WRITE
                               && !settings_strict && !(address_q[31:0] >= 32'h4000 && address_q[31:0] <= 32'h7fff)
                               && !(address_q[31:0] >= 32'h2e00 && address_q[31:0] <= 32'h2e7f);
        f_register       <= f_target == `TOTEM_WRITE_DST_REGISTER;
        f_unread         <= f_comes && !f_cuts && decode_unread;
        f_refused        <= f_comes && !f_cuts && !decode_unread && decode_code != 8'd0;
        f_wrote          <= f_heeds && decode_stream
                            && (decode_kind == `TOTEM_KIND_REGISTERS || decode_kind == `TOTEM_KIND_SHADER)
                            && decode_address[9:7] == 3'b100;
        f_fault_position <= fetch_fault_position;
        f_word           <= decode_stream ? decode_data[31:0] : decode_control;
        if (!decode_stream || decode_code != 8'd0)
            f_word <= decode_control;
        if (phase_q == EXECUTE_REGISTER)
            f_word <= data_q[31:0];
        f_code           <= decode_code;
        f_offset         <= phase_q == EXECUTE_REGISTER ? address_q[6:0] : decode_address[6:0];
        f_heard          <= !rst && phase_q == EXECUTE_ANSWER && poll_packet_answer
                            && (kind_q == `TOTEM_KIND_WAIT && f_window ? hqd_poll_done : poll_data_valid);
        f_fits           <= f_function == `TOTEM_COMPARE_LT ? f_value <  f_limit :
                            f_function == `TOTEM_COMPARE_LE ? f_value <= f_limit :
                            f_function == `TOTEM_COMPARE_EQ ? f_value == f_limit :
                            f_function == `TOTEM_COMPARE_NE ? f_value != f_limit :
                            f_function == `TOTEM_COMPARE_GE ? f_value >= f_limit :
                            f_function == `TOTEM_COMPARE_GT ? f_value >  f_limit : 1'b1;
        f_mapping        <= load_valid && load_kind == LOAD_ACTIVE;
        f_mapped         <= load_queue;
        f_barred <= halted_q[queue_q] || !arbiter_active[queue_q];
        f_since  <= ignored ? 3'd1 : (f_since < 3'd4) ? f_since + 3'd1 : 3'd4;
        f_looked <= (f_task && phase_q == EXECUTE_CLOSED
            && phase_d == EXECUTE_READY) ? 2'd3     // decode may hold its word ready
                    : (phase_q != EXECUTE_READY || phase_d != EXECUTE_READY || f_comes) ? 2'd0
                    : (f_looked < 2'd3) ? f_looked + 2'd1 : 2'd3;
        f_calm  <= (fence_write || fence_close || fence_valid || walker_busy) ? 2'd0
                   : (f_calm < 2'd2) ? f_calm + 2'd1 : 2'd2;
        f_acted <= !arbiter_go && (f_acted || f_acts);
        f_taken <= !arbiter_go && (f_taken || f_comes || f_asks || (phase_q == EXECUTE_RESUME
            && phase_d == EXECUTE_GRID));
        f_own   <= (arbiter_go || !(f_taken || f_comes || f_asks)) ? 3'd0 : f_own + {2'd0, !f_acted && !f_waits};
        if (rst) begin
            f_cut       <= 1'b0;
            f_begun     <= 1'b0;
            f_nowhere   <= 1'b0;
            f_deferred  <= 15'd0;
            f_flowed    <= 1'b0;
            f_brought   <= 1'b0;
            f_range     <= 1'b0;
            f_disabled  <= 1'b0;
            f_alone     <= 1'b0;
            f_with      <= 1'b0;
            f_past      <= 1'b0;
            f_unread    <= 1'b0;
            f_refused   <= 1'b0;
            f_wrote     <= 1'b0;
            f_ordered   <= 1'b0;
            f_answered  <= 1'b0;
            f_sent      <= 4'd0;
            f_mapping   <= 1'b0;
            f_barred    <= 1'b0;
            f_since     <= 3'd4;
            f_looked    <= 2'd0;
            f_calm      <= 2'd2;
            f_acted     <= 1'b1;
            f_taken     <= 1'b0;
            f_selected  <= 1'b0;
            f_open      <= 1'b0;
            f_loaded    <= 1'b0;
            f_walking   <= 1'b0;
        end

        if (!rst) begin
            if (start) assert (bank_loaded && !walker_busy && waves_q != 9'd0 && {23'd0, waves_q} <= SLOTS);  // 1 start
            if (phase_q == EXECUTE_FIT || phase_q == EXECUTE_START || phase_q == EXECUTE_DIVIDE || f_trims
                || phase_q == EXECUTE_PARTS) assert (waves_q != 9'd0);                       // 1 start
            if (phase_q == EXECUTE_WRITE)
                assert (kind_q == `TOTEM_KIND_WRITE || f_copies || f_moves || f_atomic);     // helper
            if (phase_q == EXECUTE_REGISTER)
                assert (kind_q == `TOTEM_KIND_WRITE || f_copies || f_loads);                 // helper
            if ((f_copies || f_loads) && phase_q != EXECUTE_IDLE && phase_q != EXECUTE_RESUME
                && phase_q != EXECUTE_READY && phase_q != EXECUTE_LEAVE && phase_q != EXECUTE_ERROR)
                assert (f_loaded);                                                           // helper
            if (f_loads && (phase_q == EXECUTE_POLL || phase_q == EXECUTE_ANSWER
                || phase_q == EXECUTE_REGISTER)) assert (!step_q[1]);                        // helper
            if (phase_q == EXECUTE_FLUSH && f_moves) assert (control_q[31]);                 // helper
            if (phase_q == EXECUTE_GRID || phase_q == EXECUTE_PARTS || phase_q == EXECUTE_DIVIDE
                || phase_q == EXECUTE_FIT || phase_q == EXECUTE_START || f_trims || f_dispatching)
                assert (f_grid && control_q[0]);                                             // 17 disabled
            if (phase_q == EXECUTE_DIM)
                assert (kind_q == `TOTEM_KIND_DISPATCH_INDIRECT && control_q[0] && step_q <= 2'd2);  // 1 start
            if (phase_q == EXECUTE_PARTS || phase_q == EXECUTE_TRIM) assert (step_q <= 2'd2);  // 1 start
            if ((phase_q == EXECUTE_POLL || phase_q == EXECUTE_ANSWER) && kind_q == `TOTEM_KIND_DISPATCH_INDIRECT)
                assert (control_q[0] && step_q <= 2'd2);                                     // 17 disabled
            if (f_disabled) assert (commit && ignored && phase_q == EXECUTE_READY);          // 17 disabled
            if (f_alone) assert (commit && !drop && commit_count == f_length);               // 22 die
            if (f_with) assert (commit && drop && commit_count == f_length);                 // 22 die
            if (f_past) assert (error_valid && code_q == `TOTEM_ERROR_PACKET_COND_SKIP);     // 22 die
            if (phase_q == EXECUTE_START) assert ({23'd0, waves_q} <= SLOTS);                // 1 start
            if (phase_q == EXECUTE_FIT || phase_q == EXECUTE_START || phase_q == EXECUTE_DIVIDE || f_trims
                || phase_q == EXECUTE_PARTS || set_q) assert (f_loaded);                     // 1 start
            if (divide_start) assert (bank_loaded && !divide_valid);                         // 1 start
            if (divide_valid && !left) assert (f_loaded);                                    // 1 start
            assert (f_selected == (phase_q != EXECUTE_IDLE));                                // 2 selected
            if (left || commit || bank_write || write_valid || wait_valid || priority_write || poll_valid || start
                || stop || fence_valid || fence_close)
                assert (f_selected);                                                         // 2 selected
            if (commit) assert (f_open && commit_count == f_deferred + f_length);            // 3 commit
            if (phase_q != EXECUTE_IDLE && phase_q != EXECUTE_RESUME && phase_q != EXECUTE_READY
                && phase_q != EXECUTE_LEAVE && phase_q != EXECUTE_ERROR && !f_serves)
                assert (f_open && length_q == f_length);                                     // 3 commit
            if (f_serves) assert (!f_open && !commit && !drop && group_q == 14'd0);          // 16 task
            if (f_serves) assert (opcode_q == 8'd0 && !counted_q);                           // 16 task
            if (phase_q == EXECUTE_TASK) assert (f_task && !graphics);                       // 16 task
            if (fence_valid && step_q == 2'd0) assert (fence_word[46] == f_task);            // 16 task
            if (phase_q == EXECUTE_READY && f_open && !commit_q) assert (length_q == f_length);  // 3 commit
            if (phase_q == EXECUTE_READY && f_open && !f_over) assert (f_streams);           // helper
            if (f_open) assert (f_length != 15'd0 || commit_q);                              // 3 commit
            if (phase_q == EXECUTE_IDLE || phase_q == EXECUTE_RESUME) assert (!f_open);      // 3 commit
            if (commit_q) assert (phase_q == EXECUTE_READY);                                 // 3 commit
            if (bank_forget) assert (commit && drop && bank_loaded && !unfinished_q[queue_q]);  // 3 commit
            if (bank_save)
                assert (left && unfinished_q[queue_q]
                        == !$past(load_valid && load_kind == LOAD_ACTIVE && load_queue == queue_q));  // 4 save
            if (resume_q)
                assert (phase_q == EXECUTE_IDLE || phase_q == EXECUTE_RESUME || phase_q == EXECUTE_READY
                    || phase_q == EXECUTE_GRID || phase_q == EXECUTE_FIT
                        || phase_q == EXECUTE_START
                        || f_dispatching || phase_q == EXECUTE_ERROR || phase_q == EXECUTE_LEAVE);  // 5 unfinished
            if (unfinished_q[queue_q] && phase_q != EXECUTE_IDLE && phase_q != EXECUTE_RESUME
                && phase_q != EXECUTE_LEAVE && phase_q != EXECUTE_ERROR)
                assert (resume_q && phase_q != EXECUTE_READY && !f_dispatching);             // 5 unfinished
            if (phase_q == EXECUTE_GIVE)
                assert (kind_q == `TOTEM_KIND_TIMER || f_checks);  // helper
            if (!f_acted) begin
                assert (f_own <= 3'd4);                                                      // 6 acts
                if (!f_taken && !f_acts) assert (phase_q == EXECUTE_IDLE || phase_q == EXECUTE_RESUME
                    || phase_q == EXECUTE_READY);                                            // 6 acts
                if ((phase_q == EXECUTE_READY && !f_acts) || phase_q == EXECUTE_RESUME) assert (!f_taken);  // 6 acts
                assert (phase_q != EXECUTE_IDLE);                                            // 6 acts
                if (!f_taken) assert (f_own == 3'd0);                                        // 6 acts
                if (phase_q != EXECUTE_RESUME && phase_q != EXECUTE_READY && !f_grid)
                    assert (f_own <= 3'd1 + {2'd0, phase_q == EXECUTE_LEAVE || f_serves});   // 6 acts
                if (phase_q == EXECUTE_GRID) assert (f_own == 3'd0);                         // 6 acts
                if (f_shapes) assert (!flow_q);                                              // 6 acts
                if (phase_q == EXECUTE_PARTS) assert (f_own <= 3'd1 + {1'b0, step_q});       // 6 acts
                if (phase_q == EXECUTE_DIVIDE) assert (step_q == 2'd0 && f_own <= 3'd4);     // 6 acts
                if (phase_q == EXECUTE_FIT) assert (f_own <= 3'd2);                          // 6 acts
                if (phase_q == EXECUTE_START) assert (f_own <= 3'd3);                        // 6 acts
                assert (!f_dispatching && !f_trims && phase_q != EXECUTE_ANSWER && phase_q != EXECUTE_RETRY
                    && phase_q != EXECUTE_DIM && phase_q != EXECUTE_CLOSED
                    && phase_q != EXECUTE_CONFIRM && phase_q != EXECUTE_ORDERED);            // 6 acts
            end
            assert (phase_q <= (RUNLIST != 0 ? EXECUTE_ORDERED : EXECUTE_CONFIRM));          // 1 start
            if (ignored) assert (commit && f_since == 3'd4);                                 // 7 ignored
            if (phase_q == EXECUTE_LEAVE) assert (f_since >= 3'd1);                          // 7 ignored
            if (phase_q == EXECUTE_IDLE) assert (f_since >= 3'd2);                           // 7 ignored
            if (phase_q == EXECUTE_RESUME) assert (f_since >= 3'd3);                         // 7 ignored
            if (phase_q == EXECUTE_READY) assert (f_since >= {1'b0, f_looked});              // 7 ignored
            if (phase_q != EXECUTE_READY) assert (f_looked == 2'd0);                         // 7 ignored
            if (f_open && !commit_q && phase_q != EXECUTE_ERROR && phase_q != EXECUTE_LEAVE)
                assert (f_since == 3'd4);  // 7 ignored
            if (f_walking) assert (f_dispatching || phase_q == EXECUTE_LEAVE);               // 8 flush
            if (fence_write) assert (phase_q == EXECUTE_WRITE && step_q == 2'd0);            // 8 flush
            if (fence_write) assert (!f_barred);                                             // 9 cut
            if (f_cut) assert (phase_q == EXECUTE_LEAVE && !fence_write && !commit);         // 9 cut
            if (f_begun) assert (phase_q == (f_register ? EXECUTE_REGISTER : EXECUTE_WRITE)
                && fence_write == !f_register);                                              // 9 cut
            if (f_nowhere)
                assert (phase_q == EXECUTE_READY && !fence_write && executed == last_q && ignored == last_q);  // 9 cut
            if (priority_write)
                assert (address_q[31:0] == f_priority + {22'd0, address_q[9:6], 6'd0}
                        && {28'd0, address_q[9:6]} < QUEUES);                                // 9 cut
            if (fence_close) assert (phase_q == EXECUTE_FLUSH);                              // 8 flush
            if (f_unread) assert (error_valid && error_word[63:56] == f_code && step_q == 2'd0
                                  && error_word[39:0] == f_fault_position && extra_q
                                          == f_fault_position[31:0]);  // 10 errors
            if (f_refused)
                assert (error_valid && error_word[63:56] == f_code && step_q == 2'd0 && extra_q
                        == f_word);  // 10 errors
            if (f_mapping) assert (!patient_q[f_mapped]);                                    // 11 patient
            if (f_sets) assert (bank_write && bank_offset == f_offset && bank_data == f_word);  // 12 registers
            if (f_wrote) assert (bank_write && bank_offset == f_offset && bank_data == f_word);  // 12 registers
            if (bank_write && phase_q != EXECUTE_FIT && phase_q != EXECUTE_TRIM) assert (f_wrote || f_sets);  // 12 registers
            if (phase_q == EXECUTE_TRIM)
                assert (bank_write && bank_offset == 7'd7 + {5'd0, step_q} && f_uneven
                        && bank_data == f_fields[step_q*32 +: 32]);                          // 18 trim
            if (phase_q == EXECUTE_TABLE) assert (step_q == 2'd2 && f_uneven);               // 18 trim
            if (phase_q == EXECUTE_PARTS || phase_q == EXECUTE_DIVIDE || f_trims)
                assert (control_q[5] && !resume_q);                                          // 18 trim
            if (f_trims) assert (start_partial);                                             // 18 trim
            if ((phase_q == EXECUTE_FIT || start) && control_q[5] && !resume_q && f_uneven)
                assert (start_partial && step_q == 2'd2);                                    // 18 trim
            if (phase_q == EXECUTE_FIT && control_q[5] && !resume_q && f_uneven) assert (f_table);  // 18 trim
            if (commit && f_checks && !ignored
                && control_q[`TOTEM_PM4_WAIT_REG_MEM_FUNCTION] != `TOTEM_COMPARE_ALWAYS)
                assert (f_heard && f_fits);                                                  // 13 waits
            if (executed && unsuccessful && !f_atomic) assert (f_heard && !f_fits && f_checks);  // 13 waits
            if (executed && unsuccessful && f_atomic) assert (f_vain);                       // 21 atomic
            if (commit && f_atomic && !bank_forget) assert (f_differed || f_confirmed);      // 21 atomic
            if (poll_valid) assert (poll_exclusive == f_atomic);                             // 21 atomic
            if (write_valid && step_q == 2'd0) assert (write_word[54] == f_atomic);          // 21 atomic
            if (f_atomic && phase_q == EXECUTE_WRITE)
                assert (f_granted
                        && (control_q[5] ? data_q == f_result : data_q[31:0] == f_result[31:0]));  // 21 atomic
            if (f_atomic && (phase_q == EXECUTE_POLL || phase_q == EXECUTE_ANSWER || phase_q == EXECUTE_WRITE
                || phase_q == EXECUTE_CONFIRM || phase_q == EXECUTE_RETRY))
                assert (address_q == f_spot && (f_adds ? second_q : data_q) == f_operand
                        && (!f_swaps || second_q == f_compare));                             // 21 atomic
            if (phase_q == EXECUTE_CONFIRM) assert (f_atomic);                               // helper
            if (executed) assert (!(unsuccessful && commit) && (unsuccessful || commit || group_q != 14'd0 || f_task)); // 13 waits
            if (phase_q == EXECUTE_WRITE && (f_copies || f_moves)) assert (address_q == f_to);  // 19 copies
            if (phase_q == EXECUTE_WRITE && f_copies && !f_pair)
                assert (f_wide ? data_q == f_got : data_q[31:0] == f_got[31:0]);             // 19 copies
            if (phase_q == EXECUTE_WRITE && f_moves) assert (data_q[31:0] == f_got[31:0]);   // 19 copies
            if (phase_q == EXECUTE_POLL || phase_q == EXECUTE_ANSWER || (phase_q == EXECUTE_REGISTER && step_q[1])) begin
                if (f_copies || f_moves) assert (second_q[39:0] == f_to);                    // 19 copies
                if (f_moves || (f_copies && !f_pair)) assert (address_q == f_from);          // 19 copies
            end
            if (phase_q == EXECUTE_WRITE && f_moves && control_q[30:29] != 2'd2)
                assert (second_q[39:0] == f_from);                                           // helper
            if (executed && f_task) assert (opcode_q == 8'd0 && !commit && !unsuccessful);   // 16 task
            if (phase_q != EXECUTE_READY || !f_over)
                assert (deferred_q == f_deferred && (group_q == 14'd0) == (deferred_q == 15'd0));  // 14 group
            else
                assert (commit_q ? group_q == 14'd0 && deferred_q == 15'd0 : deferred_q
                        == f_deferred + f_length);  // 14 group
            if (group_q != 14'd0)
                assert ((phase_q == EXECUTE_READY || phase_q == EXECUTE_SERVICE || phase_q == EXECUTE_ERROR
                    || phase_q == EXECUTE_LEAVE
                         || ((phase_q == EXECUTE_POLL || phase_q == EXECUTE_ANSWER) && kind_q >= `TOTEM_KIND_MODIFY))
                        && {1'b0, deferred_q} + {2'd0, group_q} <= 16'h4010);                // 14 group
            if (group_q != 14'd0 && (phase_q == EXECUTE_SERVICE || phase_q == EXECUTE_POLL
                || phase_q == EXECUTE_ANSWER)) assert (!counted_q);                          // 14 group
            if (phase_q == EXECUTE_SERVICE && !f_context) assert (length_q <= 15'd16);       // helper
            if ((phase_q == EXECUTE_POLL || phase_q == EXECUTE_ANSWER)
                && kind_q >= `TOTEM_KIND_MODIFY && !f_context) assert (length_q <= 15'd16);  // helper
            if (f_deferred != 15'd0 && commit) assert (service_group_end);                   // 14 group
            if (service_group_end) assert (commit);                                          // 14 group
            if ($past(left && group_q != 14'd0 && !rst)) assert (service_resume && group_q == 14'd0);  // 14 group
            if (f_flowed) assert (service_valid && service_data[31:0] == f_word);            // 15 server
            if (f_range) assert (service_valid && service_kind == `TOTEM_KIND_LOAD && service_address == f_place
                                 && service_extra == f_first && service_control[13:0] == f_number);  // 20 ranges
            if (f_brought) assert (service_valid && service_read_done && service_read_data == f_answer);  // 15 server
            if (phase_q == EXECUTE_SERVICE)
                assert (kind_q >= `TOTEM_KIND_MODIFY && graphics == (kind_q < `TOTEM_KIND_LAUNCH));  // 15 server
            if (!graphics)
                assert (service_valid == (phase_q == EXECUTE_SERVICE) && group_q == 14'd0 && !flow_q
                        && (kind_q <= `TOTEM_KIND_ATOMIC || kind_q == `TOTEM_KIND_LAUNCH || f_task
                            || f_orders));                                                          // 15 server
            if (phase_q == EXECUTE_POLL || phase_q == EXECUTE_ANSWER)
                assert (kind_q == `TOTEM_KIND_DISPATCH_INDIRECT || kind_q == `TOTEM_KIND_COND_EXEC
                        || f_checks || f_copies || f_loads || f_moves || f_atomic
                        || (kind_q >= `TOTEM_KIND_MODIFY && kind_q < `TOTEM_KIND_LAUNCH));   // helper
            if (phase_q == EXECUTE_FLUSH) assert (kind_q == `TOTEM_KIND_EVENT || f_moves);   // helper
            if (phase_q == EXECUTE_RELEASE || phase_q == EXECUTE_CLOSED) assert (kind_q == `TOTEM_KIND_RELEASE
                || f_task || f_orders);                                                      // helper
            if (phase_q == EXECUTE_ORDER || phase_q == EXECUTE_ORDERED) assert (f_orders);   // helper
            if (place_q != 4'd0)
                assert ((f_orders && f_open && !f_over && (phase_q == EXECUTE_READY || phase_q == EXECUTE_ORDER))
                        || phase_q == EXECUTE_ERROR || phase_q == EXECUTE_LEAVE);            // 23 order
            assert (place_q == f_sent);                                                      // 23 order
            if (order_valid) assert ({control_q, extra_q, data_q[31:0]} == {f_head, f_operands, f_dword});  // 23 order
            if (order_valid)
                assert (order_index == f_sent
                        && order_word == (f_sent == 4'd0 ? f_head : f_sent == 4'd1 ? f_operands : f_dword)
                        && order_last == (f_sent > 4'd1 && last_q) && order_privileged == privileged_q[queue_q]
                        && queue_q == {Q{1'b0}});                                            // 23 order
            if (f_ordered && f_entitled) assert (order_valid && f_open);                     // 23 order
            if (f_ordered && !f_entitled)
                assert (error_valid && code_q == `TOTEM_ERROR_RUNLIST_PRIVILEGE && extra_q == f_head);  // 23 order
            if (f_answered && !f_long) assert (commit && executed);                          // 23 order
            if (f_answered && f_long) assert (error_valid && code_q == `TOTEM_ERROR_RUNLIST_LAYOUT);  // 23 order
            if (f_serves) assert (f_since >= (phase_q == EXECUTE_TASK ? 3'd1 : phase_q == EXECUTE_SERVICE ? 3'd2 :
                                              phase_q == EXECUTE_RELEASE
                                              ? 3'd3 : 3'd4));                               // 7 ignored
            if (phase_q == EXECUTE_RETRY && !f_atomic)
                assert (f_checks && control_q[`TOTEM_PM4_WAIT_REG_MEM_OPERATION]
                        == `TOTEM_WAIT_OPERATION_WAIT_REG_MEM && !extra_q[31]);              // 13 waits
            if (poll_valid) assert (poll_register == (f_copies ? control_q[3:0] == 4'd0 : kind_q == `TOTEM_KIND_WAIT && f_window));  // 13 waits
            if (poll_register && poll_valid) assert (poll_addr[39:2] == {6'd0, address_q[31:0]});  // 13 waits
            if (phase_q == EXECUTE_READY) assert (f_calm == 2'd2 || f_calm >= f_looked);     // 8 flush
            if (f_flush)
                assert (f_calm == 2'd2 && !walker_busy && !fence_write && !fence_close && !fence_valid);  // 8 flush
            if (f_flush && !closed_q[queue_q])
                assert ((phase_d == EXECUTE_READY) == (fence_flushed[queue_q] && fence_settled[queue_q]));  // 8 flush
            if (f_flush && phase_d == EXECUTE_READY) assert (commit_d && !fence_close_d);    // 8 flush
            cover (f_flush && commit_d);
            cover (phase_q == EXECUTE_DIVIDE && phase_d == EXECUTE_FIT);
            cover (bank_save);
            cover (phase_q == EXECUTE_TABLE && phase_d == EXECUTE_FIT);
            cover (bank_forget && commit);
            cover (f_atomic && executed && !commit);
            cover (open);
            cover (executed && !commit && wait_valid);
            cover (service_group_end && deferred == 15'd0);
            cover (poll_valid && poll_register);
            cover (RUNLIST == 0 || (open && f_orders));
            cover (commit && kind_q == `TOTEM_KIND_COND_EXEC && commit_count > 15'd5);
        end
    end
