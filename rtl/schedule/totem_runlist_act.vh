// SPDX-License-Identifier: Apache-2.0
//
// Rules 12 and 13 of totem_runlist (a step of an act, and its end), included in the `always` block that makes its next
// state.
//
// Policy    each row goes to a phase, with the step that follows it; what a row writes into the slot in hand is a flag
//           (sets_*), so that each table of the slots is written in one place.
// Twin      cmodel/schedule/totem_runlist.c.

            // 12 Act
            RUNLIST_ACT: case (act_q)
                ACT_ADD: case (step_q)
                    4'd0:
                        if (state != RUN_FREE) begin
                            ends   = 1'b1;
                            answer = RUN_ENTRY;
                        end else if (command_mqd == 37'd0) begin
                            ends   = 1'b1;
                            answer = RUN_MQD;
                        end else begin
                            head_d = {2'b00, RUN_LISTED, command_tenant, 4'd0, command_static, command_process,
                                      command_mqd};
                            tail_d = {32'd0, command_quantum, 16'd0, PLACE_NONE, 6'd0};
                            {phase_d, step_d} = {RUNLIST_ASK, 4'd1};
                        end
                    4'd1, 4'd2, 4'd3, 4'd4, 4'd5:
                        if (wrong_q) begin
                            ends   = 1'b1;
                            answer = RUN_MQD;
                        end else begin
                            {phase_d, step_d} = {RUNLIST_ASK, step_q + 4'd1};
                            case (step_q)
                                4'd1: wants_d       = word_q[31];
                                4'd2: head_d[57:54] = word_q[3:0];
                                4'd3: tail_d[63:32] = word_q[31:0];
                                4'd4: wants_d       = wants_q || word_q[63];
                                default: begin
                                    wants_d      = wants_q || word_q[38:32] != 7'd0;
                                    word_d[31:0] = tail_q[63:32];
                                    phase_d      = RUNLIST_ORDER;
                                end
                            endcase
                        end
                    4'd6: begin
                        word_d[36:0] = command_pointer;
                        {phase_d, step_d} = {RUNLIST_ASK, 4'd7};
                    end
                    4'd7:
                        if (wrong_q)
                            {phase_d, step_d} = {RUNLIST_ORDER, 4'd10};
                        else begin
                            wants_d = wants_q || word_q[31:0] != tail_q[63:32];
                            {phase_d, step_d} = {RUNLIST_ORDER, 4'd8};
                        end
                    4'd8: begin
                        head_d[62]    = wants_q;
                        tail_d[63:32] = now_q;
                        lists         = wants_q;
                        {phase_d, step_d} = wants_q ? {RUNLIST_REQUEST, 4'd9} : {RUNLIST_STORE, 4'd11};
                    end
                    4'd9: {phase_d, step_d} = {RUNLIST_STORE, 4'd11};
                    4'd10: begin
                        ends   = 1'b1;
                        answer = RUN_MQD;
                    end
                    default: ends = 1'b1;
                endcase
                ACT_REMOVE: case (step_q)
                    4'd0:
                        if (state == RUN_FREE || (sweeping_q && !meant) || (removed && (waits || !command_reset)))
                            ends = 1'b1;
                        else if (state == RUN_LISTED) begin
                            lists = waits;
                            {phase_d, step_d} = waits ? {RUNLIST_REQUEST, 4'd1} : {RUNLIST_ORDER, 4'd2};
                        end else begin
                            head_d[63:62] = {1'b1, command_reset};
                            slot_d        = tail_q[S-1:0];
                            if (!removed)
                                removals_d = removals_q + ONE_REMOVAL;
                            if (state == RUN_MAPPED && mqd_lost[slot_d]) begin
                                sets_phase    = 1'b1;
                                new_phase     = PHASE_LEAVING;
                                head_d[61:60] = RUN_MOVING;
                                {phase_d, step_d} = {RUNLIST_STORE, 4'd3};
                            end else if (state == RUN_MAPPED) begin
                                act_d = ACT_EVICT;
                                {phase_d, step_d} = {RUNLIST_ACT, 4'd0};
                            end else if (command_reset && place_phase_q[slot_d*2 +: 2] == PHASE_LEAVING &&
                                    hqd_active[slot_d] && place_entry_q[slot_d*E +: E] == entry_q)
                                {phase_d, step_d} = {RUNLIST_ACCESS, 4'd4};
                            else
                                {phase_d, step_d} = {RUNLIST_STORE, 4'd3};
                        end
                    4'd1: {phase_d, step_d} = {RUNLIST_ORDER, 4'd2};
                    4'd2: begin
                        head_d[63:60] = {2'b00, RUN_FREE};
                        {phase_d, step_d} = {RUNLIST_STORE, 4'd3};
                    end
                    4'd4: {phase_d, step_d} = {RUNLIST_STORE, 4'd3};
                    default: ends = 1'b1;
                endcase
                ACT_PRIORITY: case (step_q)
                    4'd0:
                        if (state == RUN_FREE) begin
                            ends   = 1'b1;
                            answer = RUN_ENTRY;
                        end else if (state == RUN_LISTED && waits) begin
                            lists = 1'b1;
                            {phase_d, step_d} = {RUNLIST_REQUEST, 4'd1};
                        end else begin
                            head_d[57:54] = command_data[3:0];
                            {phase_d, step_d} = {RUNLIST_STORE, 4'd4};
                            if (state == RUN_MAPPED) begin
                                slot_d        = tail_q[S-1:0];
                                sets_priority = 1'b1;
                                {phase_d, step_d} = {RUNLIST_ACCESS, 4'd3};
                            end
                        end
                    4'd1: begin
                        head_d[57:54] = command_data[3:0];
                        lists         = 1'b1;
                        {phase_d, step_d} = {RUNLIST_REQUEST, 4'd2};
                    end
                    4'd2, 4'd3: {phase_d, step_d} = {RUNLIST_STORE, 4'd4};
                    default: ends = 1'b1;
                endcase
                ACT_EVENT: case (step_q)
                    4'd0:
                        if (state == RUN_LISTED && !waits) begin
                            head_d[62]    = 1'b1;
                            tail_d[63:32] = now_q;
                            lists         = 1'b1;
                            {phase_d, step_d} = {RUNLIST_REQUEST, 4'd1};
                        end else if (state == RUN_MAPPED) begin
                            slot_d = tail_q[S-1:0];
                            {phase_d, step_d} = {RUNLIST_ORDER, 4'd2};
                        end else
                            ends = 1'b1;
                    4'd1: {phase_d, step_d} = {RUNLIST_STORE, 4'd4};
                    4'd2: {phase_d, step_d} = {RUNLIST_ACCESS, 4'd3};
                    4'd3: begin
                        stuck_d = stuck_q | (wrong_q ? here : NO_SLOT);
                        phase_d = RUNLIST_REST;
                    end
                    default: ends = 1'b1;
                endcase
                ACT_IN: case (step_q)
                    4'd0:
                        if (hqd_active[slot_q]) begin
                            sets_phase    = 1'b1;
                            new_phase     = PHASE_RUNNING;
                            sets_ran      = here;
                            sets_priority = 1'b1;
                            still_clear   = here;
                            turn_d        = turn_d & ~here;
                            word_d        = {waited > ram_read_data[63:32] ? waited : ram_read_data[63:32],
                                             in_all[32] ? 32'hFFFFFFFF : in_all[31:0]};
                            {phase_d, step_d} = {RUNLIST_ACCESS, 4'd1};
                        end else begin
                            act_d = ACT_OUT;
                            {phase_d, step_d} = {RUNLIST_ACT, 4'd0};
                        end
                    4'd1: {phase_d, step_d} = {RUNLIST_ORDER, 4'd2};
                    4'd2: {phase_d, step_d} = {RUNLIST_ACCESS, 4'd3};
                    4'd3: begin
                        stuck_d = (stuck_q & ~here) | (wrong_q ? here : NO_SLOT);
                        if (removed) begin
                            act_d = ACT_EVICT;
                            {phase_d, step_d} = {RUNLIST_HEAD, 4'd0};
                        end else begin
                            head_d[61:60] = RUN_MAPPED;
                            {phase_d, step_d} = {RUNLIST_STORE, 4'd4};
                        end
                    end
                    default: ends = 1'b1;
                endcase
                ACT_OUT: case (step_q)
                    4'd0:
                        if (mqd_lost[slot_q] && !removed && claimed_q[slot_q]) begin
                            claimed_d = claimed_q & ~here;
                            entry_d   = claimant_q[slot_q*E +: E];
                            act_d     = ACT_FILL;
                            {phase_d, step_d} = {RUNLIST_HEAD, 4'd5};
                        end else if (mqd_lost[slot_q] && !removed) begin
                            stuck_d       = stuck_q | here;
                            sets_phase    = 1'b1;
                            new_phase     = PHASE_RUNNING;
                            head_d[61:60] = RUN_MAPPED;
                            {phase_d, step_d} = {RUNLIST_STORE, 4'd5};
                        end else
                            {phase_d, step_d} = {RUNLIST_ORDER, removed ? 4'd2 : 4'd1};
                    4'd1: begin
                        head_d[62:60] = {wants_q, RUN_LISTED};
                        tail_d[63:32] = now_q;
                        lists         = wants_q;
                        {phase_d, step_d} = wants_q ? {RUNLIST_REQUEST, 4'd3} : {RUNLIST_STORE, 4'd4};
                    end
                    4'd2: begin
                        head_d[63:60] = {2'b00, RUN_FREE};
                        removals_d    = removals_q - ONE_REMOVAL;
                        {phase_d, step_d} = {RUNLIST_STORE, 4'd4};
                    end
                    4'd3: {phase_d, step_d} = {RUNLIST_STORE, 4'd4};
                    4'd5: ends = 1'b1;
                    default: begin
                        stuck_d = stuck_q & ~here;
                        if (claimed_q[slot_q]) begin
                            claimed_d = claimed_q & ~here;
                            entry_d   = claimant_q[slot_q*E +: E];
                            act_d     = ACT_FILL;
                            {phase_d, step_d} = {RUNLIST_HEAD, 4'd0};
                        end else begin
                            sets_phase = 1'b1;
                            ends       = 1'b1;
                        end
                    end
                endcase
                ACT_FILL: case (step_q)
                    4'd0:
                        if (removed) begin
                            act_d = ACT_OUT;
                            {phase_d, step_d} = {RUNLIST_ACT, 4'd0};
                        end else if (!owned_q[slot_q] || !fence_spare[slot_q]) begin
                            sets_phase    = 1'b1;
                            head_d[62:60] = {1'b1, RUN_LISTED};
                            lists         = 1'b1;
                            {phase_d, step_d} = {RUNLIST_REQUEST, 4'd3};
                        end else begin
                            wanted_d = wanted_d & ~here;
                            {phase_d, step_d} = {RUNLIST_ACCESS, 4'd1};
                        end
                    4'd1, 4'd2:
                        if (wrong_q) begin
                            act_d = ACT_OUT;
                            {phase_d, step_d} = {RUNLIST_ORDER, 4'd1};
                        end else if (step_q == 4'd1)
                            {phase_d, step_d} = {RUNLIST_ACCESS, 4'd2};
                        else begin
                            sets_phase    = 1'b1;
                            new_phase     = PHASE_LOADING;
                            sets_entry    = 1'b1;
                            sets_priority = 1'b1;
                            sets_ran      = here;
                            settled_d     = settled_d & ~here;
                            ends          = 1'b1;
                        end
                    4'd3: {phase_d, step_d} = {RUNLIST_STORE, 4'd4};
                    4'd5:
                        if (removed)
                            {phase_d, step_d} = {RUNLIST_ORDER, 4'd6};
                        else begin
                            head_d[62:60] = {1'b1, RUN_LISTED};
                            lists         = 1'b1;
                            {phase_d, step_d} = {RUNLIST_REQUEST, 4'd3};
                        end
                    4'd6: begin
                        head_d[63:60] = {2'b00, RUN_FREE};
                        removals_d    = removals_q - ONE_REMOVAL;
                        {phase_d, step_d} = {RUNLIST_STORE, 4'd4};
                    end
                    default: ends = 1'b1;
                endcase
                ACT_CHOOSE: case (step_q)
                    4'd0: begin
                        list_d = yielding_q ? 6'd0 : {2'd0, level};
                        {phase_d, step_d} = {RUNLIST_ACT, 4'd1};
                    end
                    4'd1:
                        if (roster_filled[list_q])
                            {phase_d, step_d} = {RUNLIST_REQUEST, 4'd2};
                        else
                            onward = 1'b1;
                    4'd2: begin
                        if (!aged_q || waited > age_q) begin
                            aged_d   = 1'b1;
                            age_d    = waited + 32'd1;
                            eldest_d = entry_q;
                        end
                        onward = 1'b1;
                    end
                    4'd4: begin
                        entry_d = eldest_q;
                        {phase_d, step_d} = {RUNLIST_HEAD, 4'd3};
                    end
                    default: begin
                        act_d = ACT_PLACE;
                        {phase_d, step_d} = {RUNLIST_START, 4'd0};
                    end
                endcase
                ACT_PLACE: case (step_q)
                    4'd0: begin
                        missed_d = wrong_q && yielding_q;
                        if (wrong_q || (missed_q && word_q[2:0] != PLACE_FREE)) begin
                            dull_d  = 7'd64;
                            phase_d = RUNLIST_REST;
                        end else begin
                            lists = 1'b1;
                            {phase_d, step_d} = {RUNLIST_REQUEST, 4'd1};
                        end
                    end
                    4'd1: begin
                        head_d[62:60] = {1'b0, RUN_MOVING};
                        tail_d[5:0]   = {{6-S{1'b0}}, slot_q};
                        tail_d[8:6]   = word_q[2:0];
                        if (tail_q[24:9] != 16'hFFFF)
                            tail_d[24:9] = tail_q[24:9] + 16'd1;
                        moves_d = moves_q + 32'd1;
                        lull_d  = 31'd0;
                        if (yielding_q)
                            next_yield_d = 8'd0;
                        else
                            next_yield_d = next_yield_q == 8'hFF ? 8'hFF : next_yield_q + 8'd1;
                        {phase_d, step_d} = {RUNLIST_STORE, 4'd2};
                    end
                    default:
                        if (place_phase_q[slot_q*2 +: 2] == PHASE_EMPTY) begin
                            act_d = ACT_FILL;
                            {phase_d, step_d} = {RUNLIST_ACT, 4'd0};
                        end else begin
                            claimed_d     = claimed_q | here;
                            sets_claimant = 1'b1;
                            entry_d       = place_entry_q[slot_q*E +: E];
                            act_d         = ACT_EVICT;
                            {phase_d, step_d} = {RUNLIST_HEAD, 4'd0};
                        end
                endcase
                ACT_EVICT: case (step_q)
                    4'd0: begin
                        head_d[61:60] = RUN_MOVING;
                        word_d        = ram_read_data + {40'd0, ran_q[slot_q*24 +: 24]};
                        {phase_d, step_d} = {RUNLIST_STORE, 4'd1};
                    end
                    4'd1: {phase_d, step_d} = {RUNLIST_ACCESS, 4'd2};
                    default: begin
                        sets_phase = 1'b1;
                        new_phase  = PHASE_LEAVING;
                        sets_ran   = here;
                        ends       = 1'b1;
                    end
                endcase
                ACT_RESET: case (step_q)
                    4'd0: begin
                        if (place_phase_q[slot_q*2 +: 2] == PHASE_LOADING)
                            wanted_d = wanted_d | here;
                        {phase_d, step_d} = {RUNLIST_ACCESS, 4'd1};
                    end
                    default: ends = 1'b1;
                endcase
                ACT_AHEAD: begin
                    ahead_d      = 1'b0;
                    ahead_pipe_d = next_pipe;
                    if (wrong_q) begin
                        aged_d     = 1'b0;
                        yielding_d = yields;
                        act_d      = ACT_CHOOSE;
                        {phase_d, step_d} = {RUNLIST_ACT, 4'd0};
                    end else begin
                        entry_d = place_entry_q[slot_q*E +: E];
                        act_d   = ACT_EVICT;
                        {phase_d, step_d} = {RUNLIST_HEAD, 4'd0};
                    end
                end
                default: phase_d = RUNLIST_REST;
            endcase
