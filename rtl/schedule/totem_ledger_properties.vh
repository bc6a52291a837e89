// SPDX-License-Identifier: Apache-2.0
//
// Properties of totem_ledger, included at the end of the module. The numbers are those of docs/contract/ledger.md.

    // One register that can be written, any, and one slot are followed, from the ports.
    initial assume (rst);
    (* anyconst *) wire [4:0] f_pick;
    (* anyconst *) wire [5:0] f_any;
    wire [5:0]      f_slot = f_any < N ? f_any : 6'd0;

    reg             f_past = 1'b0;              // the clock before was not one of reset; in it:
    reg             f_host, f_write;            // the host had an access that was not done
    reg [7:0]       f_dword;
    reg [3:0]       f_strobe;
    reg [31:0]      f_data;
    reg [1:0]       f_heard;
    reg             f_was_busy;
    reg             f_given, f_ended;           // runlist had a command, and it went on or was done
    reg             f_asks, f_goes;             // it had none, and service or host had one
    reg [1:0]       f_result;
    reg [167+A:0]   f_asked, f_had;
    reg [32*4-1:0]  f_shown;                    // what dwords 4 to 7 had
    reg [63:0]      f_view;
    reg [43:0]      f_notice;                   // {valid, lost, entry, int_ctxid}
    reg [1:0]       f_phase;                    // of the slot
    reg [A-1:0]     f_entry;

    reg [1:0]       f_clocks = 2'd0;            // for which the host has had its access
    reg [31:0]      f_value;                    // what the picked register held
    reg             f_busy = 1'b0;              // a command of the host was under way
    reg [3:0]       f_command;                  // its operation
    reg [1:0]       f_answer = 2'd0;            // of the last one
    reg             f_mine = 1'b0;              // what runlist has or last had was the host's

    reg [31:0]      f_bits, f_first, f_inside;  // of the picked register: those it has, after reset, now
    reg             f_illegal;                  // a write of it, or of COMMAND

    wire [167+A:0]  f_offer = {service_command_op, service_command_reset, service_command_entry, service_command_mqd,
                               service_command_pointer, service_command_process, service_command_tenant,
                               service_command_quantum, service_command_static, service_command_data};
    wire [167+A:0]  f_out = {command_op, command_reset, command_entry, command_mqd, command_pointer, command_process,
                             command_tenant, command_quantum, command_static, command_data};
    wire            f_end    = command_valid && runlist_command_done;
    wire            f_waits  = service_command_valid && !service_command_done;
    // The access that is done in this clock.
    wire            f_picked = f_dword == {3'd0, f_pick} && f_pick != 5'd18;
    wire            f_wrote  = host_done && f_write && host_error == 5'd0;
    wire            f_gave   = f_wrote && f_dword == 8'd16;
    wire            f_now_busy = f_busy || f_gave;
    wire [31:0]     f_lanes  = {{8{f_strobe[3]}}, {8{f_strobe[2]}}, {8{f_strobe[1]}}, {8{f_strobe[0]}}};
    wire [31:0]     f_merged = (f_data & f_lanes) | (f_value & ~f_lanes);
    wire [31:0]     f_holds  = f_wrote && f_picked ? f_merged & f_bits : f_value;
    wire            f_slots  = f_dword >= 64 && f_dword < 64 + N;
    wire            f_words  = f_dword >= 24 && f_dword < 32;
    wire            f_none   = f_dword > 19 && !f_slots && !f_words;
    wire            f_fixed  = f_slots || f_words || f_dword == 8'd19 || (f_dword >= 4 && f_dword < 8);
    wire            f_lock   = f_dword >= 8 && f_dword < 17 && f_was_busy;

    always @* begin
        f_first  = 32'd0;
        f_bits   = 32'd0;
        f_inside = 32'd0;
        case (f_pick)
            5'd0:  begin f_bits = 32'hff; f_first = 32'd10; f_inside = {24'd0, settings_yield}; end
            5'd1:  begin f_bits = 32'hffff; f_first = 32'd2048; f_inside = {16'd0, settings_park}; end
            5'd2:  begin f_bits = 32'hf; f_first = 32'd1; f_inside = {28'd0, settings_spare}; end
            5'd3:  begin f_bits = 32'hffffff; f_inside = {8'd0, settings_leave}; end
            5'd8:  begin f_bits = RUN_QUEUES - 1; f_inside[A-1:0] = operand_entry_q; end
            5'd9:  begin f_bits = ~32'd7; f_inside = {operand_mqd_q[28:0], 3'd0}; end
            5'd10: begin f_bits = 32'hff; f_inside = {24'd0, operand_mqd_q[36:29]}; end
            5'd11: begin f_bits = ~32'd7; f_inside = {operand_pointer_q[28:0], 3'd0}; end
            5'd12: begin f_bits = 32'hff; f_inside = {24'd0, operand_pointer_q[36:29]}; end
            5'd13: begin
                f_bits   = 32'hfe07ffff;
                f_inside = {operand_quantum_q, 6'd0, operand_static_q, operand_tenant_q, operand_process_q};
            end
            5'd14: begin f_bits = ~32'd0; f_inside = operand_data_q[31:0]; end
            5'd15: begin f_bits = ~32'd0; f_inside = operand_data_q[63:32]; end
            5'd17: begin f_bits = RUN_QUEUES - 1; f_inside[A-1:0] = look_q; end
            default: ;
        endcase
        case (f_dword)
            8'd8, 8'd17:  f_illegal = f_merged >= RUN_QUEUES;
            8'd9, 8'd11:  f_illegal = |f_merged[2:0];
            8'd10, 8'd12: f_illegal = |f_merged[31:8];
            8'd16:        f_illegal = f_strobe != 4'd15 || !(f_data < 7 || (f_data > 8 && f_data < 13));
            default:      f_illegal = 1'b0;
        endcase
        if (f_past && f_host)
            assume (host_ledger_valid && host_request_write == f_write && host_request_dword == f_dword &&
                    host_request_strobe == f_strobe && host_request_data == f_data);            // A1 held
    end

    always @(posedge clk) begin
        f_past     <= !rst;
        f_host     <= host_ledger_valid && !host_done;
        f_write    <= host_request_write;
        f_dword    <= host_request_dword;
        f_strobe   <= host_request_strobe;
        f_data     <= host_request_data;
        f_heard    <= {notice_valid, notice_lost};
        f_was_busy <= f_now_busy;
        f_given    <= command_valid && !f_end;
        f_ended    <= f_end;
        f_asks     <= !command_valid && f_waits;
        f_goes     <= !command_valid && f_now_busy;
        f_result   <= runlist_command_answer;
        f_asked    <= f_offer;
        f_had      <= f_out;
        f_shown    <= {{16'd0, proxy_lost}, {28'd0, f_answer, f_now_busy, runlist_removing}, runlist_moves,
                       runlist_decisions};
        f_view     <= view_read_data;
        f_notice   <= {notice_valid, notice_lost, notice_valid ? {notice_entry, notice_ctxid} : 42'd0};
        f_phase    <= runlist_place_phase[f_slot*2 +: 2];
        f_entry    <= runlist_place_entry[f_slot*A +: A];

        f_clocks   <= host_ledger_valid && !host_done ? f_clocks + 2'd1 : 2'd0;
        f_value    <= f_holds;
        f_busy     <= f_now_busy && !(f_end && f_mine);
        if (f_gave) f_command <= f_data[3:0];
        if (f_end && f_mine) f_answer <= runlist_command_answer;
        if (!command_valid && (f_now_busy || f_waits)) f_mine <= f_now_busy && !(f_waits && f_mine);
        if (rst) begin
            f_clocks <= 2'd0;
            f_value  <= f_first;
            f_busy   <= 1'b0;
            f_answer <= 2'd0;
            f_mine   <= 1'b0;
        end
    end

    always @*
        if (!rst && f_past) begin
            assert (service_command_done == (f_ended && !f_mine));                              // 1 answered
            if (service_command_done) assert (service_command_answer == f_result);              // 1 answered
            if (command_valid && !f_given) begin
                if (!f_mine) assert (f_out == f_asked);                                         // 2 same
                else begin
                    assert ({command_reset, command_op} == f_command);                          // 2 same
                    case (f_pick)
                        5'd8:  assert (command_entry == f_value[A-1:0]);                        // 2 same
                        5'd9:  assert (command_mqd[28:0] == f_value[31:3]);                     // 2 same
                        5'd10: assert (command_mqd[36:29] == f_value[7:0]);                     // 2 same
                        5'd11: assert (command_pointer[28:0] == f_value[31:3]);                 // 2 same
                        5'd12: assert (command_pointer[36:29] == f_value[7:0]);                 // 2 same
                        5'd13: assert (command_process == f_value[15:0] && command_tenant == f_value[17:16] &&
                                       command_static == f_value[18] && command_quantum == f_value[31:25]); // 2 same
                        5'd14: assert (command_data[31:0] == f_value);                          // 2 same
                        5'd15: assert (command_data[63:32] == f_value);                         // 2 same
                        default: ;
                    endcase
                end
            end
            if (f_given) assert (command_valid && f_out == f_had);                              // 3 steady
            if (f_ended) assert (!command_valid);                                               // 3 steady
            assert (command_valid == (f_given || f_asks || f_goes));                            // 4 turn
            if (command_valid) assert (from_host_q == f_mine);                                  // 4 turn
            assert (host_done == (f_host && f_clocks == 2'd3));                                 // 5 access
            if (host_done && (f_picked || !f_write || f_none || f_fixed || f_dword == 8'd16 || f_dword == 8'd18))
                assert (host_error == (f_none ? HOLE[4:0] : !f_write ? 5'd0 : f_fixed ? READ_ONLY[4:0] :
                                       f_illegal ? VALUE[4:0] : f_lock ? LOCKED[4:0] : 5'd0));  // 5 access
            assert (take == (f_wrote && f_dword == 8'd18 && f_data[31] && f_strobe[3] && f_heard[1]));  // 6 kept
            assert (clear == (f_wrote && f_dword == 8'd18 && f_data[30] && f_strobe[3] && f_heard[0]));  // 6 kept
            assert (f_inside == f_holds);                                                       // 6 kept
            if (host_done && f_picked && !f_fixed && !f_none) assert (host_rdata == f_value);   // 6 kept
            assert (view_read_enable == (f_host && f_clocks == 2'd1));                          // 7 shown
            if (view_read_enable && f_pick == 5'd17)
                assert (view_read_addr == {f_value[A-1:0], f_dword[2:1]});                      // 7 shown
            if (host_done) begin
                if (f_dword >= 4 && f_dword < 8) assert (host_rdata == f_shown[f_dword[1:0]*32 +: 32]);  // 7 shown
                if (f_words) assert (host_rdata == f_view[f_dword[0]*32 +: 32]);                // 7 shown
                if (f_dword == 64 + f_slot)
                    assert (host_rdata == (f_phase == 2'd0 ? 0 : f_entry * 256 + f_phase));     // 7 shown
                if (f_dword == 8'd18) assert (host_rdata == {f_notice[43:42], 20'd0, f_notice[41:32]}); // 7 shown
                if (f_dword == 8'd19) assert (host_rdata == f_notice[31:0]);                    // 7 shown
                if (f_none) assert (host_rdata == 32'd0);                                       // 7 shown
            end
            assert (step_q <= LEDGER_ACT);                                                      // 8 held
            if (command_valid && f_mine) assert (f_now_busy);                                   // 8 held

            // helpers
            assert (step_q == (f_host ? f_clocks : 2'd0) || (host_done && step_q == LEDGER_REST));
            assert (f_host || f_clocks == 2'd0);
            assert ((f_value & ~f_bits) == 32'd0);
            assert (busy_q == f_now_busy && answer_q == f_answer && from_host_q == f_mine);
            if (f_now_busy) assert ({operand_reset_q, operand_op_q} == (f_gave ? f_data[3:0] : f_command));
        end else if (!rst) begin
            assert (step_q == LEDGER_REST && !host_done && !command_valid && !service_command_done && !busy_q &&
                    !take && !clear);
            assert (answer_q == 2'd0 && !from_host_q && f_inside == f_value && f_value == f_first);
            assert (f_clocks == 2'd0 && !f_busy && f_answer == 2'd0 && !f_mine);
        end

    always @(posedge clk)
        if (!rst && f_past) begin
            cover (f_asks && f_goes && f_mine);
            cover (f_asks && f_goes && !f_mine);
            cover (host_done && host_error == LOCKED[4:0]);
            cover (host_done && f_dword == 8'd6 && host_rdata[3:1] == 3'b010);
        end
