// SPDX-License-Identifier: Apache-2.0
//
// Properties of totem_mqd, included at the end of the module. The numbers are those of docs/contract/mqd.md.

    initial assume (rst);
    wire        f_closes  = job_q == REQUEST_CLOSE;
    wire        f_loads   = job_q == REQUEST_SWITCH_LOAD;
    wire        f_saves   = job_q == REQUEST_SAVE || job_q == REQUEST_SWITCH_SAVE;
    wire        f_failed  = |code_q;
    wire        f_low     = dword_q <= MQD_LAST_REGISTER;
    wire        f_records = dword_q > MQD_LAST_REGISTER && dword_q <= MQD_TOP_SEQUENCE;
    wire [37:0] f_at      = base_q + {30'd0, dword_q};
    wire [37:0] f_stop    = base_q + (f_low ? 38'd83 : f_records ? 38'd107 : 38'd183);
    wire        f_taken   = !record_write_valid && write_ready;
    wire        f_acked   = write_ack && !ack_tag[0];
    wire        f_full    = f_at[4:0] == 5'd31 || dword_q == MQD_LAST_REGISTER || dword_q == MQD_LAST_WINDOW;
    // Window dwords 0 to 2, 4 to 7, 10, 18 to 21, 24, 54 and 55 are saved always.
    localparam [63:0] F_OWN = 64'h00c0_0000_013c_04f7;
    wire        f_collects = (phase_q == MQD_ANSWER && bank_answer) ||
                             (phase_q == MQD_GET && !f_closes && !f_low && hqd_done && access_valid);
    wire        f_saving  = (phase_q == MQD_GET && !f_closes) || phase_q == MQD_ANSWER || phase_q == MQD_PUT;
    // A dword of a block is picked at will: whether it is saved, what was collected of it, and the place of the block
    // RAM in which it lies: what is there, and whether the RAM shows it. Of a part that is read a place is picked too.
    (* anyconst *) wire [4:0] f_pick;
    (* anyconst *) wire [5:0] f_spot;
    wire        f_of_pick = f_spot == {2'd0, f_pick[4:1]};
    wire [8:0]  f_picked  = {1'b0, dword_q} + {4'd0, f_pick} - {4'd0, f_at[4:0]};
    wire        f_part    = f_low ? f_picked >= 9'd1 && f_picked <= 9'd83 : f_picked >= 9'd128 && f_picked <= 9'd183;
    wire        f_saved   = f_part && (f_low || F_OWN[f_picked[5:0]] || !kept_q[queue_q]) &&
                            (f_pick < f_at[4:0] || (phase_q == MQD_PUT && f_pick == f_at[4:0]));
    reg  [31:0] f_value_of;
    reg  [63:0] f_stored, f_shown;
    reg         f_shows = 1'b0;
    wire [31:0] f_half    = write_word[f_pick[0]*32 +: 32];
    wire        f_on_way  = beat_valid_q && beat_place_q == f_spot;
    // What memory has sent for that place, and whether it has (f_here). f_rest: beats of the
    // part that are still to come.
    reg  [63:0] f_came;
    wire [31:0] f_half_came = f_came[f_at[0]*32 +: 32];
    wire        f_reading = (phase_q >= MQD_ASK && phase_q <= MQD_SET && !f_closes);
    wire [37:0] f_begin   = base_q + (f_low ? 38'd1 : f_records ? 38'd93 : 38'd130);
    wire [5:0]  f_rest    = f_stop[6:1] + 6'd1 - fill_q;
    wire [5:0]  f_whole   = f_stop[6:1] + 6'd1 - f_begin[6:1];
    wire [5:0]  f_done_beats = fill_q - f_begin[6:1];
    wire [5:0]  f_consumed = f_at[6:1] - f_begin[6:1];
    wire [5:0]  f_index   = f_spot - f_begin[6:1];
    wire        f_here    = f_index < f_done_beats;
    wire [37:0] f_fault   = base_q + {30'd0, fault_q};
    wire [5:0]  f_faulty  = f_fault[6:1] - f_begin[6:1];
    wire [2:0]  f_blocks  = {1'b0, f_stop[6:5] - fill_q[5:4]} + 3'd1;  // that the rest lies in
    wire [2:0]  f_asked   = {1'b0, f_at[6:5] - fill_q[5:4]};
    // A word that nobody takes in this clock.
    wire        f_stands  = (write_valid && !f_taken) ||
                            (interrupt_valid && (!events_interrupt_ready || fence_interrupt_valid)) ||
                            (error_valid && (!events_error_ready || record_error_valid ||
                                             (poll_error_valid && poll_error_second)));
    wire [63:0] f_offer   = write_valid ? write_word : error_valid ? error_word : interrupt_word;
    wire [31:0] f_fetched = ram_read_data[f_at[0]*32 +: 32];
    wire        f_asks    = hqd_request[f_slot*3 +: 3] != REQUEST_NONE &&
                            (!records_differ_q[f_slot] || pause_q == 6'd0 || hqd_leaving[f_slot]);
    wire [Q-1:0] f_before = queue_d - queue_q - 1'b1;       // slots between the last one and the one taken up
    wire [Q-1:0] f_where  = f_slot - queue_q - 1'b1;
    reg        f_was = 1'b0;        // the clock before was no reset
    reg        f_stood = 1'b0;
    reg [63:0] f_word;
    reg [3:0]  f_phase;             // what was in the clock before
    reg [2:0]  f_job;
    reg [7:0]  f_dword;
    reg [31:0] f_value;
    reg        f_waits;             // for acknowledges or for the bank
    reg        f_done;              // the window answered
    reg        f_grid;              // bit 31 of DISPATCH state, to be saved
    reg        f_less;              // something is left of the buffer
    reg [2:0]  f_step;
    reg        f_same;              // the dword is that of the pair
    reg        f_apart;             // the records differ
    reg        f_wrong;             // a memory access failed
    reg        f_has = 1'b0;        // the slot has its window in the MQD
    reg        f_lost = 1'b0;       // `lost` of it
    reg [2:0] f_owed = 3'd0;
    (* anyconst *) wire [Q-1:0] f_slot;
    reg [5:0] f_since = 6'd63;      // clocks since the records of that slot were found to differ, at most 63
    reg [2:0] f_puts = 3'd0;        // bursts of the job
    reg       f_ended = 1'b0;
    reg       f_loaded = 1'b0;      // a load word other than the last has gone out
    wire [37:0] f_first = base_q + 38'd1, f_registers = base_q + 38'd83, f_window = base_q + 38'd128;
    wire [2:0] f_most = f_low ? f_at[7:5] - f_first[7:5] :
                        f_registers[7:5] - f_first[7:5] + 3'd1 + f_at[7:5] - f_window[7:5];
    reg  [4:0] f_words = 5'd0;      // words of the burst that are taken
    wire       f_sent = write_valid && f_words == 5'd17 && f_taken;
    wire [5:0] f_end  = {2'b00, f_at[4:1]} + {1'b0, read_beats};

    always @(posedge clk) begin
        if (!rst) begin
            assume (!(f_acked && (f_owed == 3'd0 || !f_saves)));                             // A1 acknowledged
            assume (!(hqd_done && !access_valid));                                           // A2 asked
            assume (!(bank_answer && phase_q != MQD_ANSWER));                                // A2 asked
            assume (!(data_valid && (owed_q == 3'd0 || f_saves)));                           // A2 asked
            if (data_valid && data_error == MEMORY_OK && !f_failed)
                assume (data_last == (fill_q[3:0] == 4'd15 || f_rest == 6'd1));              // A7 length
            if (phase_q == MQD_PUT && step_q != 3'd0) assume (f_taken);                      // A5 once
            if (f_saves && phase_q != MQD_IDLE && !(phase_q == MQD_FINISH)) assume (hqd_active[queue_q]);  // A4 mapped
            assume (!f_shows || ram_read_data == f_shown);                                   // A6 ram
            if (phase_q == MQD_IDLE && phase_d != MQD_IDLE)
                assume (hqd_request[queue_d*3 +: 3] != REQUEST_CLOSE);                       // A3 requests
        end
        f_was    <= !rst;
        f_stood  <= !rst && f_stands;
        f_word   <= f_offer;
        f_phase  <= phase_q;
        f_lost   <= lost_q[f_slot];
        f_job    <= job_q;
        f_dword  <= dword_q;
        f_step   <= step_q;
        f_value  <= value_q;
        f_waits  <= owed_q != 3'd0 || !bank_ready;
        f_done   <= hqd_done;
        f_grid   <= (f_closes && f_failed) ||
                    ((packet_unfinished[queue_q] || runner_begun[queue_q] || task_resume[queue_q]) &&
                     !hqd_dropping[queue_q]);
        f_less   <= hqd_rdata[19:0] < left_q;
        f_same   <= f_fetched == pair_q[31:0];
        f_apart  <= f_fetched != pair_q[31:0] || unequal_q;
        f_wrong  <= f_failed;
        f_has    <= !rst && ((f_has && hqd_active[f_slot]) || (hqd_done && queue_q == f_slot &&
                    ((phase_q == MQD_ACTIVATE && hqd_error == 5'd0) || (phase_q == MQD_FINISH &&
                     job_q == REQUEST_SWITCH_SAVE && !f_failed && base_q != 38'd0))));
        f_owed <= f_owed + {2'd0, f_sent} + {2'd0, read_valid && read_ready} - {2'd0, f_acked} -
                  {2'd0, data_valid && data_last};
        f_words <= (phase_d != MQD_PUT) ? 5'd0 : f_words + {4'd0, write_valid && f_taken};
        if (f_collects && f_at[4:0] == f_pick) f_value_of <= value_d;
        if (ram_write_enable && ram_write_addr == f_spot) f_stored <= ram_write_data;
        if (ram_read_enable) begin
            f_shows <= ram_read_addr == f_spot && !(ram_write_enable && ram_write_addr == f_spot);
            f_shown <= f_stored;
        end
        if (data_valid && fill_q == f_spot) f_came <= data_word;
        if (phase_q == MQD_TAKE && f_records && dword_q == MQD_TOP_SEQUENCE && records_differ_d[queue_q]
            && queue_q == f_slot)
            f_since <= 6'd0;
        else if (f_since != 6'd63)
            f_since <= f_since + 6'd1;
        if (phase_q == MQD_IDLE)
            f_puts <= 3'd0;
        else
            f_puts <= f_puts + {2'd0, f_sent};
        f_ended <= phase_q != MQD_IDLE && (f_ended || (phase_q == MQD_FINISH && hqd_done) || (phase_q == MQD_ACTIVATE &&
                hqd_done && hqd_error == 5'd0));
        f_loaded <= phase_q != MQD_IDLE && (f_loaded || phase_q == MQD_BUFFER);
        if (rst) begin
            f_loaded <= 1'b0;
            f_owed  <= 3'd0;
            f_puts  <= 3'd0;
            f_words <= 5'd0;
            f_shows <= 1'b0;
            f_ended <= 1'b0;
            f_since <= 6'd63;
        end

        if (!rst) begin
            assert (f_owed == owed_q && (f_reading || phase_q == MQD_DRAIN || f_owed <= f_puts));  // 1 owed
            if (phase_q == MQD_DRAIN && f_saves) assert (f_owed <= f_puts);                  // 1 owed
            if (phase_q == MQD_DRAIN && !f_saves) assert (f_owed <= (f_failed ? 3'd4 : 3'd0));  // 1 owed
            if (f_reading) assert (f_owed <= 3'd4);                                          // 1 owed
            if (f_reading && !f_failed && phase_q != MQD_ASK) begin
                assert (f_rest <= f_whole && owed_q == (f_rest == 6'd0 ? 3'd0 : f_blocks));  // helper
                assert (f_consumed <= f_done_beats);                                         // helper
                if (phase_q != MQD_FIND) assert (f_consumed < f_done_beats);                 // helper
                if (f_records && (phase_q == MQD_TAKE || dword_q != MQD_TOP_RPTR)) assert (f_rest == 6'd0);  // helper
            end
            if ((phase_q == MQD_TAKE || (phase_q == MQD_SET && !f_closes)) && f_failed)
                assert (f_faulty < f_whole && f_consumed < f_faulty);                        // helper
            if (phase_q == MQD_HEAD || phase_q == MQD_BUFFER) assert (!f_failed);            // helper
            if (phase_q == MQD_ASK) begin
                assert (f_at[4:0] == 5'd0 || f_at == f_begin);                               // helper
                assert (f_consumed < f_whole);                                               // helper
                if (f_at == f_begin)
                    assert (owed_q == 3'd0 && !f_failed);                                    // helper
                else
                    assert (owed_q <= {1'b0, f_at[6:5] - f_begin[6:5]} &&
                            (f_failed || (owed_q == f_asked && f_done_beats <= f_consumed)));  // helper
            end
            if (f_saving) assert (f_puts == f_most);                                         // helper
            if (phase_q == MQD_PUT) assert (f_puts != 3'd7);                                 // 1 owed
            if (phase_q == MQD_PUT) assert (f_full);                                         // 13 blocks
            assert (mask_q[f_pick] == (f_saving && f_saved));                                // 13 blocks
            if (write_valid) assert (f_words == 5'd0 ? write_word == {8'd0, 1'b1, 7'd0, 8'hff, f_at[37:5], 7'd0} :
                f_words != 5'd1 || write_word == {32'd0, mask_q});                           // 13 blocks
            if (write_valid && f_of_pick && mask_q[f_pick] && f_words == {1'b0, f_pick[4:1]} + 5'd2)
                assert (f_half == f_value_of);                                               // 13 blocks
            if (mask_q[f_pick] && f_of_pick)
                assert (f_value_of == (f_on_way ? beat_q[f_pick[0]*32 +: 32] :
                        f_stored[f_pick[0]*32 +: 32]));                                      // helper
            if (mask_q[f_pick] && phase_q != MQD_PUT && f_at[4:0] == f_pick + 5'd1 && !f_pick[0])
                assert (f_value_of == pair_q[31:0]);                                         // helper
            if (phase_q == MQD_PUT) begin
                assert (step_q == 3'd0 ? fill_q == 6'd0 && f_words == 5'd0 : !beat_valid_q);      // helper
                if (step_q == 3'd1) assert (fill_q == 6'd1 && f_words == 5'd1);              // helper
                if (step_q == 3'd2)
                    assert (fill_q == {1'b0, f_words} && f_words >= 5'd2 && f_words <= 5'd17);  // helper
                if (step_q != 3'd0 && {1'b0, f_words} - 6'd1 == f_spot)
                    assert (f_shows && f_shown == f_stored);                                 // helper
                if (step_q == 3'd2 && {1'b0, f_words} - 6'd2 == f_spot)
                    assert (pair_q == f_stored);                                             // helper
            end else
                assert (f_words == 5'd0);                                                    // helper
            if (phase_q != MQD_GET && phase_q != MQD_ANSWER && phase_q != MQD_PUT && phase_q != MQD_DRAIN && !f_reading)
                    assert (owed_q == 3'd0);                                                 // 1 owed
            if (f_closes) assert (owed_q == 3'd0);                                           // 1 owed
            if (phase_q == MQD_FINISH || phase_q == MQD_ACTIVATE) assert (!f_ended);         // 2 once
            if (phase_q == MQD_ERROR || phase_q == MQD_INTERRUPT) assert (f_ended);          // 2 once
            if (phase_q != MQD_IDLE && phase_q != MQD_ERROR && phase_q != MQD_INTERRUPT) assert (!f_ended);  // 2 once
            if (phase_q != MQD_IDLE && phase_d == MQD_IDLE)
                assert (f_ended || (phase_q == MQD_FINISH && hqd_done) || (phase_q == MQD_ACTIVATE && hqd_done &&
                        hqd_error == 5'd0)
                        || (phase_q == MQD_TAKE && f_records && records_differ_d[queue_q]));         // 2 once
            if (phase_q == MQD_ERROR) assert (code_q != 8'd0);                               // helper
            if (phase_q >= MQD_ASK && phase_q <= MQD_SET)
                assert (job_q == REQUEST_PRELOAD || job_q == REQUEST_WINDOW || f_loads ||
                    (f_closes && phase_q == MQD_SET));                                       // 3 jobs
            if (phase_q == MQD_BUFFER) assert (job_q == REQUEST_PRELOAD || f_loads);         // 3 jobs
            if (f_loaded && f_loads) assert (!f_failed && (phase_q == MQD_BUFFER || phase_q == MQD_DRAIN ||
                    phase_q == MQD_FINISH || phase_q == MQD_INTERRUPT || phase_q == MQD_IDLE));  // helper
            if (phase_q == MQD_ACTIVATE) assert (job_q == REQUEST_WINDOW);                   // 3 jobs
            if (phase_q >= MQD_GET && phase_q <= MQD_PUT)
                assert (f_saves || (f_closes && phase_q == MQD_GET));                        // 3 jobs
            if (phase_q == MQD_DRAIN) assert (!f_closes && job_q != REQUEST_END);            // 3 jobs
            if (phase_q == MQD_DRAIN && job_q == REQUEST_WINDOW) assert (f_failed);          // helper
            if (f_closes && phase_q != MQD_IDLE)
                assert (phase_q == MQD_GET || phase_q == MQD_SET ||
                        (phase_q >= MQD_FINISH && phase_q != MQD_SPILL));                     // 6 closed
            if (phase_q == MQD_SPILL)
                assert (job_q == REQUEST_PRELOAD || (job_q == REQUEST_SAVE && !f_failed));   // 3 jobs
            if (f_closes && (phase_q == MQD_GET || phase_q == MQD_SET))
                assert (dword_q == MQD_STATE || (dword_q >= MQD_BUFFER_LOW &&
                    dword_q <= MQD_BUFFER_CONTROL));                                         // 6 closed
            if (phase_q == MQD_FINISH) assert (job_q != REQUEST_SAVE);                       // 6 closed
            if (phase_q != MQD_IDLE) assert (job_q != REQUEST_NONE);                         // 3 jobs
            if (phase_q == MQD_HEAD) assert (!f_closes);                                     // helper
            if (phase_q == MQD_HEAD) assert (job_q != REQUEST_END);                          // helper
            if (phase_q == MQD_HEAD && (job_q == REQUEST_WINDOW || f_loads)) assert (step_q <= 3'd1);  // helper
            if (phase_q == MQD_HEAD && f_saves) assert (step_q <= 3'd2);                     // helper
            if (phase_q == MQD_HEAD) assert (step_q <= 3'd6);                                // 15 steps
            if (phase_q == MQD_PUT) assert (step_q <= 3'd2);                                 // 15 steps
            if (phase_q == MQD_ERROR) assert (step_q <= 3'd1);                               // 15 steps
            if (phase_q == MQD_BUFFER) assert (step_q <= 3'd1 || step_q == (f_loads ? 3'd4 : 3'd2));  // 15 steps
            if (phase_q >= MQD_ASK && phase_q <= MQD_PUT)
                assert (dword_q >= MQD_FIRST_REGISTER && dword_q <= MQD_LAST_WINDOW &&
                        (f_low || f_records || dword_q >= MQD_WINDOW));                      // 14 dwords
            if (f_records && phase_q >= MQD_ASK && phase_q <= MQD_PUT)
                assert (phase_q <= MQD_TAKE &&
                        (phase_q == MQD_ASK || dword_q == MQD_TOP_RPTR || dword_q == MQD_END_RPTR ||
                        dword_q == MQD_END_SEQUENCE ||
                        dword_q == MQD_TOP_SEQUENCE));                                       // 14 dwords
            if (phase_q >= MQD_ASK && phase_q <= MQD_SET)
                assert (f_loads ? !f_records :
                        (f_low || f_records) == (job_q == REQUEST_PRELOAD));                 // 14 dwords
            if (phase_q == MQD_ANSWER) assert (f_low);                                       // helper
            if (f_reading) assert (f_low || dword_q >= (f_records ? MQD_TOP_RPTR : MQD_ACTIVE));  // 14 dwords
            if (read_valid) assert (read_beats >= 5'd1 && f_end <= 6'd16);                   // 4 burst
            if (read_valid) assert ({1'b0, f_at[37:1]} + {33'd0, read_beats} <= {1'b0, f_stop[37:1]} + 38'd1 ||
                    f_stop < f_at);                                                          // 4 burst
            if (phase_q == MQD_HEAD || phase_q == MQD_BUFFER || phase_q == MQD_ACTIVATE ||
                    (phase_q >= MQD_ASK && phase_q <= MQD_SET && !f_closes))
                assert (f_puts == 3'd0);                                                     // helper
            if (records_differ_q[f_slot]) assert (7'd63 <= {1'b0, pause_q} + {1'b0, f_since});       // 5 pause
            if (phase_q == MQD_IDLE && phase_d != MQD_IDLE && queue_d == f_slot && records_differ_q[f_slot] &&
                    !hqd_leaving[f_slot]) assert (f_since == 6'd63);                         // 5 pause
            if (f_stood) assert ((write_valid || error_valid || interrupt_valid) && f_offer == f_word);  // 7 steady
            if (f_was && f_phase == MQD_DRAIN && f_waits) assert (phase_q == MQD_DRAIN);     // 8 drained
            if (phase_q == MQD_SET && !f_closes && !f_failed && f_at[6:1] == f_spot)
                assert ((dword_q == MQD_ACTIVE ? value_q == {f_half_came[31:1], 1'b0}
                                                         : value_q == f_half_came));         // 9 loaded
            if (f_reading && !f_failed && f_here && (phase_q != MQD_ASK || f_at != f_begin))
                assert (f_came == (f_on_way ? beat_q : f_stored));                           // helper
            if ((phase_q == MQD_TAKE || (phase_q == MQD_SET && !f_closes && !f_at[0])) && f_at[6:1] == f_spot &&
                    !f_failed)
                assert (f_shows && f_shown == f_came && f_stored == f_came && !f_on_way);    // helper
            if (f_was && f_phase == MQD_GET && f_dword == MQD_STATE && f_done)
                assert (value_q[31] == f_grid);                                              // 10 grid
            if (f_was && f_phase == MQD_SET && f_job == REQUEST_SWITCH_LOAD && f_dword == MQD_STATE)
                assert (grid_q == f_value[31]);                                              // 10 grid
            if (phase_q == MQD_IDLE && phase_d != MQD_IDLE && f_asks) assert (f_before <= f_where);  // 11 turn
            if (f_was && f_phase == MQD_TAKE && f_dword == MQD_END_RPTR) assert (unequal_q == !f_same);  // 12 equal
            if (f_was && f_phase == MQD_TAKE && f_dword == MQD_TOP_SEQUENCE)
                assert (records_differ_q[queue_q] == f_apart && (phase_q == MQD_BUFFER) == !f_apart);  // 12 equal
            if (f_was && f_phase == MQD_HEAD && f_step == 3'd6 && f_done)
                assert ((phase_q == MQD_BUFFER) == f_less);                                  // 12 equal
            if (f_was && (f_phase == MQD_GET || f_phase == MQD_ANSWER) && f_wrong)
                assert (phase_q != MQD_PUT);                                                 // 13 blocks
            if (f_was && f_phase == MQD_SET && f_job == REQUEST_CLOSE && f_done)
                assert (f_dword == MQD_BUFFER_CONTROL ? phase_q == MQD_FINISH :
                        phase_q == MQD_GET &&
                        dword_q == (f_dword == MQD_STATE ? MQD_BUFFER_LOW : f_dword + 8'd1));  // 6 closed
            assert (kept_q[f_slot] == f_has);                                                // 16 kept
            if (f_was && f_phase == MQD_FINISH && f_done && queue_q == f_slot)
                assert (lost_q[f_slot] == (f_job == REQUEST_CLOSE && phase_q == MQD_ERROR)); // 17 lost
            else if (f_was) assert (lost_q[f_slot] == f_lost);                               // 17 lost
            cover (phase_q == MQD_DRAIN && owed_q == 3'd2);
            cover (phase_q == MQD_BUFFER && step_q == 3'd1);
            cover (phase_q == MQD_BUFFER && f_loads);
            cover (phase_q == MQD_FINISH && f_closes && f_failed);
        end
    end
