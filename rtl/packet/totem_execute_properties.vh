// SPDX-License-Identifier: Apache-2.0
//
// Properties of totem_execute, included at the end of the module. The numbers are those of docs/contract/execute.md.

    // Contract 1: a dispatch starts only with loaded registers, not while the walker is busy.
    // Contract 2: a queue leaves once per selection; nothing is committed, written, polled or started without one.
    // Contract 3: a packet taken is committed once at most, by its own length and that of the group that ends with it.
    // Contract 4: a save goes with leaving, and only out of a stopped dispatch.
    // Contract 5: a queue with an unfinished grid executes nothing else before that grid is taken up again.
    // Contract 6: the first packet acts in the clock behind its first word, a flush that leaves again one later, a
    //             dispatch in the 4th, not counting those in which it waits for the bank.
    // Contract 7: ignored packets are at least 4 clocks apart.
    // Contract 8: what goes to fence or walker is over and counted when a flush asks fence; it passes at once if and
    //             only if nothing is in flight.
    // Contract 9: no packet write begins for a queue that is halted or has lost its mapping: the packet is cut. Any
    //             other word of a WRITE_DATA without an error is written, unless its destination is none that Totem
    //             has; a register is a priority in the window of this pipe.
    // Contract 10: a dword of the body that could not be read is recorded with its own address; an error of decode with
    //              its own word.
    // Contract 11: a mapping begins with a division to give up.
    // Contract 12: a register is written a clock behind its word, in the compute block and nowhere else.
    // Contract 13: a wait that is read is passed a clock behind an answer that satisfies it, a smart one too; behind
    // another answer it polls again or hands its wait over. A register is read for a wait of its space alone.
    // Contract 14: a group is open while dwords are deferred; nothing of it is committed before its end, together with
    //              the packet in front of it; the queue does not leave without giving it up.
    // Contract 16: a task begins between packets; nothing is committed by it; its fence message, and no other, is
    //              marked.
    // Contract 15: a word of a stream for the server, and what a read of it brings, is there a clock behind.
    // Assumed: bank keeps `loaded` until the next go, walker is busy only between start and end; no word of decode in
    //          the first two clocks of READY, of a packet with a body in the third, none at a boundary, registers only
    //          with `loaded`, a stream of registers or of a WRITE_DATA only; in a group what may stand there. A server
    //          opens no group, and skips none, inside a group; none is beside a compute pipe.
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
    wire       f_window = control_q[`TOTEM_PM4_WAIT_REG_MEM_MEM_SPACE] == `TOTEM_SPACE_REGISTER;
    wire [31:0] f_read = f_window ? hqd_poll_rdata : data_word[address_q[2]*32 +: 32];
    wire [31:0] f_value = f_read & data_q[63:32];
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
    wire       f_cuts  = phase_q == EXECUTE_READY && f_data && decode_control[11:8] != 4'd0
                         && !(arbiter_active[queue_q] && !halted[queue_q]);
    wire       f_heeds = f_comes && !f_cuts && !decode_unread && decode_code == 8'd0;   // and executed
    reg        f_cut = 1'b0, f_begun = 1'b0, f_register;
    reg        f_nowhere = 1'b0;            // a clock ago a word for a destination came that Totem lacks
    wire [5:0] f_event = decode_control[`TOTEM_PM4_EVENT_WRITE_EVENT_TYPE];
    wire       f_flush = f_heeds && decode_kind == `TOTEM_KIND_EVENT
                         && (f_event == `TOTEM_EVENT_CS_PARTIAL_FLUSH
                             || (graphics && (f_event == `TOTEM_EVENT_VS_PARTIAL_FLUSH
                                              || f_event == `TOTEM_EVENT_PS_PARTIAL_FLUSH)));
    wire       f_flows = decode_kind == `TOTEM_KIND_SHADER || decode_kind == `TOTEM_KIND_CONTEXT
                         || decode_kind == `TOTEM_KIND_USER;
    wire       f_streams = kind_q == `TOTEM_KIND_REGISTERS || kind_q == `TOTEM_KIND_WRITE
                           || kind_q == `TOTEM_KIND_SHADER || kind_q == `TOTEM_KIND_CONTEXT
                           || kind_q == `TOTEM_KIND_USER;
    // A task is under way, or has just been granted: no packet is taken for it.
    wire       f_task = kind_q == `TOTEM_KIND_TASK;
    wire       f_serves = f_task && (phase_q == EXECUTE_TASK || phase_q == EXECUTE_SERVICE
        || phase_q == EXECUTE_RELEASE || phase_q == EXECUTE_CLOSED);
    wire       f_asks = phase_q == EXECUTE_READY && phase_d == EXECUTE_TASK;
    wire       f_over = commit_q || (phase_q == EXECUTE_READY && executed_q && !f_task);    // the packet taken is over
    reg [14:0] f_deferred = 15'd0;          // dwords executed in the open group, and the packet in front of it
    reg        f_flowed = 1'b0;             // a clock ago a word came that goes to the server
    reg        f_brought = 1'b0;            // a clock ago a read of the server was answered
    reg [31:0] f_answer;
    reg [31:0] f_priority;                  // the register of queue 0 of this pipe that a packet may write
    wire       f_grid = kind_q == `TOTEM_KIND_DISPATCH || kind_q == `TOTEM_KIND_DISPATCH_INDIRECT;
    wire       f_acts = start || left || commit || executed || poll_valid || divide_start || write_valid
                        || priority_write
                        || service_valid
                        || phase_q == EXECUTE_REGISTER || fence_valid || fence_close || wait_valid || error_valid
                            || set_q
                        || (phase_q == EXECUTE_READY && decode_stream);
    wire       f_shapes = phase_q == EXECUTE_GRID || (f_comes && decode_kind == `TOTEM_KIND_DISPATCH);
    wire       f_waits = ((phase_q == EXECUTE_RESUME || f_shapes) && !(bank_loaded && !bank_busy))
                         || (f_shapes && (bank_partial == 2'd0 || !service_still));

    always @(posedge clk) begin
        f_loaded  <= bank_loaded && !arbiter_go && !bank_save_q;
        f_walking <= start || (f_dispatching && walker_busy);  // in LEAVE the walker of a stopped grid is still busy
        if (!rst) begin
            if (f_loaded) assume (bank_loaded);
            if (!f_walking && !(f_task && phase_q == EXECUTE_SERVICE)) assume (!walker_busy);
            assume (!(arbiter_go && f_selected));
            // only while it has not the pipe
            if (load_valid && ((load_kind == LOAD_ACTIVE && load_data[0]) || load_kind == LOAD_MOVED))
                assume (!(arbiter_go && arbiter_selected == load_queue) && !(f_selected && queue_q == load_queue));
            assume (graphics == f_graphics);
            assume (!(decode_valid && (decode_boundary || f_over)));
            if (!graphics) assume (service_room && service_still && !service_read && service_skip == 14'd0
                                   && service_group == 14'd0
                                   && (decode_kind <= `TOTEM_KIND_BUFFER || decode_kind == `TOTEM_KIND_LAUNCH));
            if (graphics) assume (runner_due == {QUEUES{1'b0}} && decode_kind < `TOTEM_KIND_LAUNCH);
            // A message closes its epoch two clocks behind its last word.
            if (f_task && phase_q == EXECUTE_CLOSED
                && f_calm == 2'd0) assume (fence_epoch[queue_q*E +: E] == dispatch_epoch_q);
            if (decode_valid && decode_code == 8'd0 && !decode_unread && group_q != 14'd0)
                assume ({1'b0, group_q} >= decode_length && (decode_kind == `TOTEM_KIND_NONE
                        || decode_kind == `TOTEM_KIND_CONTEXT || decode_kind == `TOTEM_KIND_MODIFY
                        || decode_kind == `TOTEM_KIND_LOAD) && !decode_counted);
            if (service_done && group_q != 14'd0) assume (service_skip == 14'd0 && service_group == 14'd0);
            if (decode_valid && !f_open)
                assume (f_looked == 2'd3
                        || (f_looked == 2'd2
                            && (decode_unread || (decode_kind <= `TOTEM_KIND_PASS && !decode_counted))));
            if (decode_stream && (decode_kind == `TOTEM_KIND_REGISTERS || decode_kind == `TOTEM_KIND_SHADER))
                assume (f_loaded && bank_loaded);
            if (decode_stream)
                assume (decode_kind == `TOTEM_KIND_REGISTERS || decode_kind == `TOTEM_KIND_WRITE || f_flows);
            if (decode_stream) assume (!decode_boundary && !f_over);
            if (decode_valid) assume (decode_length != 15'd0);
            if (decode_valid && decode_kind >= `TOTEM_KIND_MODIFY) assume (decode_length <= 15'd16);
            if (decode_valid && f_open) assume (decode_stream && decode_kind == kind_q && decode_length == f_length);
            if (f_open && phase_q == EXECUTE_READY && !f_over) assume (decode_stream && decode_kind == kind_q);
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
        f_flowed   <= f_heeds && decode_stream && f_flows
                      && !(decode_kind == `TOTEM_KIND_SHADER && decode_address[9:7] == 3'b100);
        f_brought  <= phase_q == EXECUTE_ANSWER && kind_q >= `TOTEM_KIND_MODIFY && poll_packet_answer && poll_data_valid
                      && data_error == 2'd0;
        f_answer   <= address_q[2] ? data_word[63:32] : data_word[31:0];
        f_priority <= 32'h4006 + 32'h400 * (graphics ? 32'd8 + fe_number :
                                            PIPES == 2 ? 32'd2 * fe_number + pipe_number[0] : fe_number);
        if ((f_comes && !f_cuts) || (phase_q == EXECUTE_RESUME && (phase_d == EXECUTE_GRID
            || phase_d == EXECUTE_READY))) begin
            f_open   <= 1'b1;
            f_length <= f_comes ? decode_length : length_d;
        end
        if (phase_q == EXECUTE_ANSWER)      // a skip adds to it
            f_length <= length_d;
        if (phase_q == EXECUTE_SERVICE && service_done && service_code == 8'd0 && !service_again
            && service_group == 14'd0)
            f_length <= f_length + {1'b0, service_skip};
        f_cut            <= f_cuts;
        f_begun          <= f_heeds && f_data && decode_control[11:8] != 4'd8;
        f_nowhere        <= f_heeds && f_data && decode_control[11:8] == 4'd8;
        f_register       <= decode_control[11:8] == 4'd0;
        f_unread         <= f_comes && !f_cuts && decode_unread;
        f_refused        <= f_comes && !f_cuts && !decode_unread && decode_code != 8'd0;
        f_wrote          <= f_heeds && decode_stream
                            && (decode_kind == `TOTEM_KIND_REGISTERS || decode_kind == `TOTEM_KIND_SHADER)
                            && decode_address[9:7] == 3'b100;
        f_fault_position <= fetch_fault_position;
        f_word           <= decode_stream ? decode_data[31:0] : decode_control;
        if (!decode_stream || decode_code != 8'd0)
            f_word <= decode_control;
        f_code           <= decode_code;
        f_offset         <= decode_address[6:0];
        f_heard          <= !rst && phase_q == EXECUTE_ANSWER && poll_packet_answer
                            && (kind_q == `TOTEM_KIND_WAIT && f_window ? hqd_poll_done : poll_data_valid);
        f_fits           <= control_q[2:0] == `TOTEM_COMPARE_LT ? f_value <  data_q[31:0] :
                            control_q[2:0] == `TOTEM_COMPARE_LE ? f_value <= data_q[31:0] :
                            control_q[2:0] == `TOTEM_COMPARE_EQ ? f_value == data_q[31:0] :
                            control_q[2:0] == `TOTEM_COMPARE_NE ? f_value != data_q[31:0] :
                            control_q[2:0] == `TOTEM_COMPARE_GE ? f_value >= data_q[31:0] :
                            control_q[2:0] == `TOTEM_COMPARE_GT ? f_value >  data_q[31:0] : 1'b1;
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
            f_unread    <= 1'b0;
            f_refused   <= 1'b0;
            f_wrote     <= 1'b0;
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
            if (start) assert (bank_loaded && !walker_busy && waves_q != 9'd0 && {23'd0, waves_q} <= SLOTS);    // 1
            if (phase_q == EXECUTE_FIT || phase_q == EXECUTE_START || phase_q == EXECUTE_DIVIDE
                || phase_q == EXECUTE_PARTS) assert (waves_q != 9'd0);
            if (phase_q == EXECUTE_WRITE || phase_q == EXECUTE_REGISTER) assert (kind_q == `TOTEM_KIND_WRITE);
            if (phase_q == EXECUTE_GRID || phase_q == EXECUTE_PARTS || phase_q == EXECUTE_DIVIDE
                || phase_q == EXECUTE_FIT || phase_q == EXECUTE_START
                || f_dispatching)
                assert (f_grid);
            if (phase_q == EXECUTE_DIM) assert (kind_q == `TOTEM_KIND_DISPATCH_INDIRECT && step_q <= 2'd2);
            if (phase_q == EXECUTE_PARTS) assert (step_q <= 2'd2);
            if ((phase_q == EXECUTE_POLL || phase_q == EXECUTE_ANSWER) && kind_q == `TOTEM_KIND_DISPATCH_INDIRECT)
                assert (step_q <= 2'd2);
            if (phase_q == EXECUTE_START) assert ({23'd0, waves_q} <= SLOTS);
            if (phase_q == EXECUTE_FIT || phase_q == EXECUTE_START || phase_q == EXECUTE_DIVIDE
                || phase_q == EXECUTE_PARTS || set_q) assert (f_loaded);
            if (divide_start) assert (bank_loaded && !divide_valid);
            if (divide_valid && !left) assert (f_loaded);
            assert (f_selected == (phase_q != EXECUTE_IDLE));                                                       // 2
            if (left || commit || bank_write || write_valid || wait_valid || priority_write || poll_valid || start
                || stop
                || fence_valid || fence_close)
                assert (f_selected);
            if (commit) assert (f_open && commit_count == f_deferred + f_length);                           // 3
            if (phase_q != EXECUTE_IDLE && phase_q != EXECUTE_RESUME && phase_q != EXECUTE_READY
                && phase_q != EXECUTE_LEAVE && phase_q != EXECUTE_ERROR
                && !f_serves)
                assert (f_open && length_q == f_length);
            if (f_serves) assert (!f_open && !commit && !drop && group_q == 14'd0);                         // 16
            if (f_serves) assert (opcode_q == 8'd0 && !counted_q);
            if (phase_q == EXECUTE_TASK) assert (f_task && !graphics);
            if (fence_valid && step_q == 2'd0) assert (fence_word[46] == f_task);                           // 16
            if (phase_q == EXECUTE_READY && f_open && !commit_q) assert (length_q == f_length);
            if (phase_q == EXECUTE_READY && f_open && !f_over) assert (f_streams);
            if (f_open) assert (f_length != 15'd0 || commit_q);
            if (phase_q == EXECUTE_IDLE || phase_q == EXECUTE_RESUME) assert (!f_open);
            if (commit_q) assert (phase_q == EXECUTE_READY);
            if (bank_forget) assert (commit && drop && bank_loaded && !unfinished_q[queue_q]);
            if (bank_save)                                                                                  // 4
                assert (left && unfinished_q[queue_q]
                        == !$past(load_valid && load_kind == LOAD_ACTIVE && load_queue == queue_q));
            if (resume_q)                                                                                   // 5
                assert (phase_q == EXECUTE_IDLE || phase_q == EXECUTE_RESUME || phase_q == EXECUTE_READY
                    || phase_q == EXECUTE_GRID || phase_q == EXECUTE_FIT
                        || phase_q == EXECUTE_START
                        || f_dispatching || phase_q == EXECUTE_ERROR || phase_q == EXECUTE_LEAVE);
            if (unfinished_q[queue_q] && phase_q != EXECUTE_IDLE && phase_q != EXECUTE_RESUME
                && phase_q != EXECUTE_LEAVE && phase_q != EXECUTE_ERROR)
                assert (resume_q && phase_q != EXECUTE_READY && !f_dispatching);
            if (phase_q == EXECUTE_GIVE) assert (kind_q == `TOTEM_KIND_TIMER || kind_q == `TOTEM_KIND_WAIT);
            if (!f_acted) begin                                                                             // 6
                assert (f_own <= 3'd4);
                if (!f_taken && !f_acts) assert (phase_q == EXECUTE_IDLE || phase_q == EXECUTE_RESUME
                    || phase_q == EXECUTE_READY);
                if ((phase_q == EXECUTE_READY && !f_acts) || phase_q == EXECUTE_RESUME) assert (!f_taken);
                assert (phase_q != EXECUTE_IDLE);
                if (!f_taken) assert (f_own == 3'd0);
                if (phase_q != EXECUTE_RESUME && phase_q != EXECUTE_READY && !f_grid)
                    assert (f_own <= 3'd1 + {2'd0, phase_q == EXECUTE_LEAVE || f_serves});
                if (phase_q == EXECUTE_GRID) assert (f_own == 3'd0);
                if (f_shapes) assert (!flow_q);     // the server has the words of the packets in front
                if (phase_q == EXECUTE_PARTS) assert (f_own <= 3'd1 + {1'b0, step_q});
                if (phase_q == EXECUTE_DIVIDE) assert (step_q == 2'd0 && f_own <= 3'd4);
                if (phase_q == EXECUTE_FIT) assert (f_own <= 3'd2);
                if (phase_q == EXECUTE_START) assert (f_own <= 3'd3);
                assert (!f_dispatching && phase_q != EXECUTE_ANSWER && phase_q != EXECUTE_RETRY
                    && phase_q != EXECUTE_DIM && phase_q != EXECUTE_CLOSED);
            end
            assert (phase_q <= EXECUTE_TASK);
            if (ignored) assert (commit && f_since == 3'd4);                                                // 7
            if (phase_q == EXECUTE_LEAVE) assert (f_since >= 3'd1);
            if (phase_q == EXECUTE_IDLE) assert (f_since >= 3'd2);
            if (phase_q == EXECUTE_RESUME) assert (f_since >= 3'd3);
            if (phase_q == EXECUTE_READY) assert (f_since >= {1'b0, f_looked});
            if (phase_q != EXECUTE_READY) assert (f_looked == 2'd0);
            if (f_open && !commit_q && phase_q != EXECUTE_ERROR && phase_q != EXECUTE_LEAVE) assert (f_since == 3'd4);
            if (f_walking) assert (f_dispatching || phase_q == EXECUTE_LEAVE);                                      // 8
            if (fence_write) assert (phase_q == EXECUTE_WRITE && step_q == 2'd0);
            if (fence_write) assert (!f_barred);                                                            // 9
            if (f_cut) assert (phase_q == EXECUTE_LEAVE && !fence_write && !commit);                                // 9
            if (f_begun) assert (phase_q == (f_register ? EXECUTE_REGISTER : EXECUTE_WRITE)
                && fence_write == !f_register); // 9
            if (f_nowhere) assert (phase_q == EXECUTE_READY && !fence_write && executed == last_q && ignored == last_q);
            if (priority_write)
                assert (address_q[31:0] == f_priority + {22'd0, address_q[9:6], 6'd0}
                        && {28'd0, address_q[9:6]} < QUEUES);
            if (fence_close) assert (phase_q == EXECUTE_FLUSH);
            if (f_unread) assert (error_valid && error_word[63:56] == f_code && step_q == 2'd0              // 10
                                  && error_word[39:0] == f_fault_position && extra_q == f_fault_position[31:0]);
            if (f_refused) assert (error_valid && error_word[63:56] == f_code && step_q == 2'd0 && extra_q == f_word);
            if (f_mapping) assert (!patient_q[f_mapped]);                                                   // 11
            if (f_wrote) assert (bank_write && bank_offset == f_offset && bank_data == f_word);             // 12
            if (bank_write && phase_q != EXECUTE_FIT) assert (f_wrote);
            if (commit && kind_q == `TOTEM_KIND_WAIT && !ignored                                            // 13
                && control_q[`TOTEM_PM4_WAIT_REG_MEM_FUNCTION] != `TOTEM_COMPARE_ALWAYS)
                assert (f_heard && f_fits);
            if (executed && vain) assert (f_heard && !f_fits && kind_q == `TOTEM_KIND_WAIT);
            if (executed) assert (!(vain && commit) && (vain || commit || group_q != 14'd0 || f_task));
            if (executed && f_task) assert (opcode_q == 8'd0 && !commit && !vain);                          // 16
            if (phase_q != EXECUTE_READY
                || !f_over)                                                                // 14
                assert (deferred_q == f_deferred && (group_q == 14'd0) == (deferred_q == 15'd0));
            else
                assert (commit_q ? group_q == 14'd0 && deferred_q == 15'd0 : deferred_q == f_deferred + f_length);
            if (group_q != 14'd0)
                assert ((phase_q == EXECUTE_READY || phase_q == EXECUTE_SERVICE || phase_q == EXECUTE_ERROR
                    || phase_q == EXECUTE_LEAVE
                         || ((phase_q == EXECUTE_POLL || phase_q == EXECUTE_ANSWER) && kind_q >= `TOTEM_KIND_MODIFY))
                        && {1'b0, deferred_q} + {2'd0, group_q} <= 16'h4010);
            if (group_q != 14'd0 && (phase_q == EXECUTE_SERVICE || phase_q == EXECUTE_POLL
                || phase_q == EXECUTE_ANSWER)) assert (!counted_q);
            if (phase_q == EXECUTE_SERVICE) assert (length_q <= 15'd16);
            if ((phase_q == EXECUTE_POLL || phase_q == EXECUTE_ANSWER)
                && kind_q >= `TOTEM_KIND_MODIFY) assert (length_q <= 15'd16);
            if (f_deferred != 15'd0 && commit) assert (service_group_end);
            if (service_group_end) assert (commit);
            if ($past(left && group_q != 14'd0 && !rst)) assert (service_resume && group_q == 14'd0);
            if (f_flowed) assert (service_valid && service_data[31:0] == f_word);                           // 15
            if (f_brought) assert (service_valid && service_read_done && service_read_data == f_answer);
            if (phase_q == EXECUTE_SERVICE)
                assert (kind_q >= `TOTEM_KIND_MODIFY && graphics == (kind_q < `TOTEM_KIND_LAUNCH));
            if (!graphics)
                assert (service_valid == (phase_q == EXECUTE_SERVICE) && group_q == 14'd0 && !flow_q
                        && (kind_q <= `TOTEM_KIND_BUFFER || kind_q == `TOTEM_KIND_LAUNCH || f_task));
            if (phase_q == EXECUTE_POLL || phase_q == EXECUTE_ANSWER)
                assert (kind_q == `TOTEM_KIND_DISPATCH_INDIRECT || kind_q == `TOTEM_KIND_COND_EXEC
                        || kind_q == `TOTEM_KIND_WAIT
                        || (kind_q >= `TOTEM_KIND_MODIFY && kind_q < `TOTEM_KIND_LAUNCH));
            if (phase_q == EXECUTE_FLUSH) assert (kind_q == `TOTEM_KIND_EVENT);
            if (phase_q == EXECUTE_RELEASE || phase_q == EXECUTE_CLOSED) assert (kind_q == `TOTEM_KIND_RELEASE
                || f_task);
            if (f_serves) assert (f_since >= (phase_q == EXECUTE_TASK ? 3'd1 : phase_q == EXECUTE_SERVICE ? 3'd2 :
                                              phase_q == EXECUTE_RELEASE
                                              ? 3'd3 : 3'd4));
            if (phase_q == EXECUTE_RETRY)
                assert (kind_q == `TOTEM_KIND_WAIT && control_q[`TOTEM_PM4_WAIT_REG_MEM_OPERATION] == 2'd0);
            if (poll_valid) assert (poll_register == (kind_q == `TOTEM_KIND_WAIT && f_window));
            if (poll_register && poll_valid) assert (poll_addr[39:2] == {6'd0, address_q[31:0]});
            if (phase_q == EXECUTE_READY) assert (f_calm == 2'd2 || f_calm >= f_looked);
            if (f_flush) assert (f_calm == 2'd2 && !walker_busy && !fence_write && !fence_close && !fence_valid);
            if (f_flush && !closed_q[queue_q])
                assert ((phase_d == EXECUTE_READY) == (fence_flushed[queue_q] && fence_settled[queue_q]));
            if (f_flush && phase_d == EXECUTE_READY) assert (commit_d && !fence_close_d);
            cover (f_flush && commit_d);
            cover (phase_q == EXECUTE_DIVIDE && phase_d == EXECUTE_FIT);
            cover (bank_save);
            cover (bank_forget && commit);
            cover (open);
            cover (executed && !commit && wait_valid);
            cover (service_group_end && deferred == 15'd0);
            cover (poll_valid && poll_register);
            cover (commit && kind_q == `TOTEM_KIND_COND_EXEC && commit_count > 15'd5);
        end
    end
