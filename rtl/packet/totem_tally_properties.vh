// SPDX-License-Identifier: Apache-2.0
//
// Properties of totem_tally, included at the end of the module. The numbers are those of docs/contract/tally.md.

    initial assume (rst);
    (* anyconst *) wire [Q+7:0] f_place;
    reg  [63:0] f_memory;                   // the RAM's word with that counter
    reg  [15:0] f_count;                    // what it is to be
    reg  [2:0]  f_gap = 3'd7;               // clocks since the last packet, at most 7
    reg  [3:0]  f_wait = 4'd0;              // clocks for which the host has waited for its turn
    reg         f_held = 1'b0;
    reg         f_write;
    reg  [2:0]  f_queue;
    reg  [7:0]  f_dword;
    reg  [3:0]  f_strobe;

    wire        f_here    = place_q[Q+7:2] == f_place[Q+7:2];
    wire        f_choice  = phase_q == TALLY_IDLE || phase_q == TALLY_STORE;
    wire        f_working = phase_q == TALLY_READ || phase_q == TALLY_TAKE || phase_q == TALLY_STORE;
    wire        f_in_hand = f_working && !for_host_q && place_q == f_place;
    wire        f_waits   = pending_q && pending_place_q == f_place;
    wire        f_empties = host_write && |host_strobe;     // the host's access clears
    wire        f_clears  = host_done && f_empties && place_q == f_place;
    wire [15:0] f_stored  = f_memory[f_place[1:0]*16 +: 16];
    wire [16:0] f_sum     = {1'b0, f_stored} + {16'd0, f_in_hand} + {16'd0, f_waits};
    // Clocks until the next choice; age that a packet can have there; choices that packets can win until the host's
    // turn.
    wire [2:0]  f_left    = f_choice ? 3'd0 : (phase_q == TALLY_TAKE) ? 3'd1 : 3'd2;
    wire [3:0]  f_age     = {1'b0, f_gap} + {1'b0, f_left};
    wire [3:0]  f_before  = pending_q ? f_age : (f_age < 4'd4) ? 4'd0 : (f_age - 4'd4 < {1'b0, f_left}) ? f_age -
            4'd4 : {1'b0, f_left};
    wire [5:0]  f_rank    = {3'd0, f_left} + {2'd0, f_before} + {1'b0, f_before, 1'b0};

    always @* begin
        if (phase_q == TALLY_SWEEP || f_gap < 3'd4) assume (!packet_ignored);                        // A1 apart
        if (f_held) assume (host_valid && host_write == f_write && host_queue == f_queue && host_dword == f_dword
                            && host_strobe == f_strobe);                                                // A2 held
        if (phase_q == TALLY_TAKE && f_here) assume (ram_read_data == f_memory);                 // A3 memory
    end

    always @(posedge clk) begin
        f_held   <= !rst && host_valid && !host_done;
        f_write  <= host_write;
        f_queue  <= host_queue;
        f_dword  <= host_dword;
        f_strobe <= host_strobe;
        if (ram_write_enable && f_here)
            f_memory <= ram_write_data;
        f_gap <= packet_ignored ? 3'd1 : (f_gap == 3'd7) ? 3'd7 : f_gap + 3'd1;
        if (f_clears)
            f_count <= {15'd0, f_waits} + {15'd0, packet_ignored &&
                    {dispatch_queue, packet_executed_opcode} == f_place};
        else if (packet_ignored && {dispatch_queue, packet_executed_opcode} == f_place && f_count != 16'hffff)
            f_count <= f_count + 16'd1;
        f_wait <= (host_valid && phase_q != TALLY_SWEEP && !(f_working && for_host_q) && !(f_choice &&
                !pending_q)) ? f_wait + 4'd1 : 4'd0;
        if (rst) begin
            f_count <= 16'd0;
            f_gap   <= 3'd7;
            f_wait  <= 4'd0;
        end
    end

    always @*
        if (!rst) begin
            assert (phase_q <= TALLY_STORE);                                                         // 1 pending
            if (packet_ignored) assert (!pending_q);                                                 // 1 pending
            if (pending_q) assert (f_age <= 4'd3);                                                   // helper
            if (phase_q == TALLY_SWEEP) begin
                assert (!pending_q && !for_host_q && place_q[1:0] == 2'd0 && f_count == 16'd0 && f_gap
                        == 3'd7);  // 2 count
                if (place_q[Q+7:2] > f_place[Q+7:2]) assert (f_stored == 16'd0);                     // 2 count
            end else
                assert (f_count == (f_sum[16] ? 16'hffff : f_sum[15:0]));                            // 2 count
            if (f_working && !for_host_q) assert (f_gap >= 3'd1);                                    // helper
            if (f_working && for_host_q) assert (f_held && place_q == {host_queue[Q-1:0], host_dword});  // helper
            if (phase_q == TALLY_STORE && f_here) begin
                if (place_q != f_place) assert (word_q[f_place[1:0]*16 +: 16] == f_stored);          // 2 count
                else if (for_host_q)
                    assert (word_q[f_place[1:0]*16 +: 16] == (f_empties ? 16'd0 : f_stored));  // 2 count
                else assert (word_q[f_place[1:0]*16 +: 16] == f_stored + {15'd0, f_stored != 16'hffff});  // 2 count
            end
            if (host_valid && phase_q != TALLY_SWEEP && !(f_working && for_host_q))
                assert ({2'd0, f_wait} + f_rank <= 6'd11);  // 3 answered
            cover (host_done && f_empties && pending_q);
        end
