// SPDX-License-Identifier: Apache-2.0
//
// Properties of totem_service, included at the end of the module. The numbers are those of docs/contract/service.md.

    localparam E = $clog2(RUN_QUEUES);
    initial assume (rst);
    reg [223:0] f_words = 224'd0;       // dwords as they were handed over
    reg         f_there = 1'b0;         // a packet is there and not answered
    reg         f_gone = 1'b0;          // a packet was given up; since then no other dword has come
    reg         f_back = 1'b0;          // the packet that is there is that one again
    reg         f_good = 1'b0;          // the queue of the packet was privileged
    reg         f_ran = 1'b0;           // a command of the packet has ended
    reg         f_cleared = 1'b0;       // behind the last one no removed entry was in a slot
    reg [3:0]   f_stops = 4'd0;         // clocks of packet_stop in which the packet was not answered
    reg         f_waited = 1'b0;        // one clock ago: waiting,
    reg         f_bare = 1'b0;          // .. without a reason,
    reg         f_open = 1'b0;          // a command was not done,
    reg [165+E:0] f_was;                // what it was,
    reg         f_inside;               // packet_inside,
    reg [7:0]   f_above;                // ADDRESS_HIGH
    reg [15:0]  f_process = 16'd0;      // of the last MAP_PROCESS
    reg [6:0]   f_quantum = 7'd0;

    wire          f_last    = packet_valid && ready && packet_last;
    wire [31:0]   f_one     = f_words[63:32];
    wire [31:0]   f_two     = f_words[95:64];
    wire [7:0]    f_op      = f_words[15:8];
    wire [31:0]   f_door    = f_words[64 + {30'd0, step_q}*32 +: 32];
    wire [25:0]   f_twice   = {{25-E{1'b0}}, command_entry, 1'b0};
    wire          f_differs = packet_index < 4'd7 && f_words[{29'd0, packet_index[2:0]}*32 +: 32] != packet_word;
    wire          f_single  = f_op == `TOTEM_OP_MAP_QUEUES || f_op == `TOTEM_OP_SET_RESOURCES;
    wire          f_unmap   = f_op == `TOTEM_OP_UNMAP_QUEUES;
    wire          f_works   = phase_q == SERVICE_ACT || phase_q == SERVICE_COMMAND || phase_q == SERVICE_LEAVE;
    wire          f_finish  = done && !again && code == `TOTEM_ERROR_NONE;
    wire [165+E:0] f_what   = {command_op, command_entry, command_mqd, command_pointer, command_process,
                               command_quantum, command_static, command_reset, command_data};

    // Bits 39:32 of an address that is not refused.
    wire [7:0] f_page    = f_above == 8'd0 ? f_words[135:128] : {f_words[143:136] == f_above, f_words[134:128]};
    wire [7:0] f_pointer = f_above == 8'd0 ? f_words[199:192] : {f_words[207:200] == f_above, f_words[198:192]};

    always @(posedge clk) begin
        f_waited <= waiting;
        f_bare   <= waiting && !command_valid && !runlist_removing;
        f_open   <= command_valid && !runlist_command_done;
        f_was    <= f_what;
        f_inside <= packet_inside;
        if (phase_q == SERVICE_ACT) f_above <= settings_address_high;
        f_stops  <= f_there && packet_stop && !done ? f_stops + 4'd1 : 4'd0;
        if (packet_valid && ready) begin
            if (packet_index < 4'd7) f_words[{29'd0, packet_index[2:0]}*32 +: 32] <= packet_word;
            if (f_differs) f_gone <= 1'b0;
        end
        if (f_last) begin
            f_there <= 1'b1;
            f_good  <= packet_privileged;
            f_back  <= f_gone && !f_differs && packet_privileged;
            if (!packet_privileged) f_gone <= 1'b0;
            if (!f_gone || f_differs) begin
                f_ran     <= 1'b0;
                f_cleared <= 1'b0;
            end
        end
        if (command_valid) f_cleared <= 1'b0;
        if (command_valid && runlist_command_done) f_ran <= 1'b1;
        if (f_works && !command_valid && f_ran && !runlist_removing) f_cleared <= 1'b1;
        if (done) begin
            f_there <= 1'b0;
            f_back  <= 1'b0;
            f_gone  <= again;
        end
        if (f_finish && f_op == `TOTEM_OP_MAP_PROCESS) begin
            f_process <= f_one[15:0];
            f_quantum <= f_one[31:25];
        end
        if (rst) begin
            f_there   <= 1'b0;
            f_gone    <= 1'b0;
            f_back    <= 1'b0;
            f_waited  <= 1'b0;
            f_bare    <= 1'b0;
            f_open    <= 1'b0;
            f_stops   <= 4'd0;
            f_process <= 16'd0;
            f_quantum <= 7'd0;
        end
    end

    always @* begin
        assert (words_q == f_words);                                                            // helper
        if (!rst) begin
            assert (done ? f_there && !command_valid || again : ready || f_there || waiting);   // 1 answered
            if (f_there) assert (!ready);                                                       // 1 answered
            if (done && !f_good) assert (code == `TOTEM_ERROR_RUNLIST_PRIVILEGE);               // 1 answered
            if (f_back) assert (done && !again && !command_valid);                              // 2 once
            if (f_single && command_valid) assert (!f_ran);                                     // 2 once
            if (command_valid) begin
                assert (f_good && (f_single || f_unmap));                                       // 3 said
                if (f_op == `TOTEM_OP_SET_RESOURCES)
                    assert (command_op == RUN_MASK
                            && command_data == {f_words[127:96], f_two[31:1], 1'b0});           // 3 said
                if (f_op == `TOTEM_OP_MAP_QUEUES) begin
                    assert (command_op == RUN_ADD && f_two[27:2] == f_twice
                            && command_process == f_process && command_quantum == f_quantum
                            && command_static == (f_one[22:21] >= 2'd2) && !f_one[23]
                            && command_tenant == 2'd0);                                         // 3 said
                    assert ({command_mqd[28:0], 3'd0} == f_words[127:96]
                            && {command_pointer[28:0], 3'd0} == f_words[191:160]);              // 3 said
                    assert (command_mqd[36:29] == f_page && command_pointer[36:29] == f_pointer); // 3 said
                end
                if (f_unmap) begin
                    assert (f_one[1:0] != 2'd3 && command_op == {1'b0, f_one[5:4]} + 3'd1);     // 3 said
                    if (command_op == RUN_REMOVE)
                        assert ({1'b0, step_q} < f_one[31:29] && f_one[31:29] <= 3'd4
                                && f_door[27:2] == f_twice);                                    // 3 said
                    if (command_op == RUN_REMOVE_PROCESS) assert (command_process == f_two[15:0]); // 3 said
                end
            end
            if (f_open) assert (command_valid && f_what == f_was);                              // 4 steady
            if (f_finish && f_unmap) assert (f_cleared);                                        // 5 left
            assert (f_stops <= 4'd9);                                                           // 6 stop
            assert (!waiting || f_waited || again);                                             // 7 waits
            assert (!f_bare || !waiting || command_valid || runlist_removing);                  // 7 waits
            if (done && answer == SERVICE_LIST) assert (!f_inside);                             // 8 list
            if (done && answer == SERVICE_END) assert (f_inside);                               // 8 list
            assert (phase_q <= SERVICE_DONE);                                                   // 9 held
            if (phase_q == SERVICE_ACT && step_q == 2'd0) assert (!gone_q);                     // 9 held
            if (phase_q == SERVICE_DONE) assert (!gone_q);                                      // 9 held

            // helpers
            assert (gone_q == ((f_gone && !f_back) || again_q));
            if (!(f_finish && f_op == `TOTEM_OP_MAP_PROCESS))
                assert (process_q == f_process && quantum_q == f_quantum);
            else
                assert (process_q == f_one[15:0] && quantum_q == f_one[31:25]);
            assert (f_there == ((!ready && !gone_q) || phase_q == SERVICE_DONE || again_q));
            assert (!again_q || (gone_q && f_works));
            if (gone_q && !again_q) assert (f_stops == 4'd0);
            if (f_works) assert (f_good && code_q == `TOTEM_ERROR_NONE);
            if (f_works || gone_q) assert (answer_q == SERVICE_PLAIN && (f_single || f_unmap || !gone_q));
            if (phase_q == SERVICE_LEAVE) assert (f_unmap && f_ran);
            if (f_works && !f_unmap) assert (step_q == 2'd0 && !f_ran);
            if (phase_q == SERVICE_ACT && step_q != 2'd0)
                assert (f_one[5:4] == 2'd0 && {1'b0, step_q} < f_one[31:29] && f_one[31:29] <= 3'd4);
            if (phase_q == SERVICE_ACT && !gone_q) assert (f_stops <= {1'b0, step_q, 1'b0});
            if (phase_q == SERVICE_COMMAND && !gone_q) assert (f_stops <= {1'b0, step_q, 1'b1});
            if (phase_q == SERVICE_LEAVE && !gone_q) assert (f_stops <= {1'b0, step_q, 1'b0} + 4'd2);
            if ((ready && gone_q) || f_back) assert (f_good && (!f_unmap || code_q != `TOTEM_ERROR_NONE || f_cleared));
        end
    end

    always @(posedge clk)
        if (!rst) begin
            cover (f_back && done && f_unmap && f_one[5:4] == 2'd2);
            cover (done && answer == SERVICE_END);
            cover (command_valid && command_op == RUN_ADD && command_quantum == 7'd10);
        end
