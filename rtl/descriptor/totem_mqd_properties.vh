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
    wire        f_last    = dword_q == MQD_LAST_REGISTER || dword_q == MQD_LAST_WINDOW;
    wire [37:0] f_at      = base_q + {30'd0, dword_q};
    wire [37:0] f_stop    = base_q + (f_low ? 38'd83 : f_records ? 38'd107 : 38'd183);
    wire        f_taken   = !record_write_valid && write_ready;
    wire        f_acked   = write_ack && !ack_tag[0];
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
    reg [4:0]  f_phase;             // what was in the clock before
    reg [2:0]  f_job;
    reg [7:0]  f_dword;
    reg [31:0] f_value;
    reg        f_waits;             // for acknowledges or for the bank
    reg [31:0] f_memory;            // the dword of the block RAM
    reg [32:0] f_block;             // the block that was read
    reg        f_done;              // the window answered
    reg        f_grid;              // bit 31 of DISPATCH state, to be saved
    reg        f_less;              // something is left of the buffer
    reg [2:0]  f_step;
    reg        f_same;              // the dword is that of the pair
    reg        f_apart;             // the records differ
    reg        f_wrong;             // a memory access failed
    reg        f_gave;              // the bank answered
    reg [6:0] f_owed = 7'd0;
    (* anyconst *) wire [Q-1:0] f_slot;
    reg [5:0] f_since = 6'd63;      // clocks since the records of that slot were found to differ, at most 63
    reg [6:0] f_puts = 7'd0;        // writes of the job
    reg       f_ended = 1'b0;
    reg       f_loaded = 1'b0;      // a load word other than the last has gone out
    wire [7:0] f_first  = dword_q - {7'd0, base_q[0]};
    wire [7:0] f_high = dword_q - MQD_WINDOW + {7'd0, base_q[0]};
    wire [6:0] f_most = f_low ? f_first[7:1] : 7'd42 + f_high[7:1];
    wire       f_sent = write_valid && step_q != 3'd0 && f_taken;
    wire [5:0] f_end  = {2'b00, f_at[4:1]} + {1'b0, read_beats};

    always @(posedge clk) begin
        if (!rst) begin
            assume (!(f_acked && f_owed == 7'd0));                                           // A1 acknowledged
            assume (!(hqd_done && !access_valid));                                           // A2 asked
            assume (!(bank_answer && phase_q != MQD_ANSWER));                                // A2 asked
            assume (!(data_valid && phase_q != MQD_BEATS));                                  // A2 asked
            if (phase_q == MQD_IDLE && phase_d != MQD_IDLE)
                assume (hqd_request[queue_d*3 +: 3] != REQUEST_CLOSE);                       // A3 requests
        end
        f_was    <= !rst;
        f_stood  <= !rst && f_stands;
        f_word   <= f_offer;
        f_phase  <= phase_q;
        f_job    <= job_q;
        f_dword  <= dword_q;
        f_step   <= step_q;
        f_value  <= value_q;
        f_waits  <= owed_q != 7'd0 || !bank_ready;
        f_memory <= f_fetched;
        if (phase_q == MQD_ASK)
            f_block <= f_at[37:5];
        f_done   <= hqd_done;
        f_grid   <= (f_closes && f_failed) ||
                    ((packet_unfinished[queue_q] || runner_begun[queue_q] || task_resume[queue_q]) &&
                     !hqd_dropping[queue_q]);
        f_less   <= hqd_rdata[19:0] < left_q;
        f_same   <= f_fetched == pair_q[31:0];
        f_apart  <= f_fetched != pair_q[31:0] || unequal_q;
        f_wrong  <= f_failed;
        f_gave   <= bank_answer;
        f_owed <= f_owed + {6'd0, f_sent} - {6'd0, f_acked};
        if (phase_q == MQD_TAKE && f_records && dword_q == MQD_TOP_SEQUENCE && records_differ_d[queue_q]
            && queue_q == f_slot)
            f_since <= 6'd0;
        else if (f_since != 6'd63)
            f_since <= f_since + 6'd1;
        if (phase_q == MQD_IDLE)
            f_puts <= 7'd0;
        else
            f_puts <= f_puts + {6'd0, f_sent};
        f_ended <= phase_q != MQD_IDLE && (f_ended || (phase_q == MQD_FINISH && hqd_done) || (phase_q == MQD_ACTIVATE &&
                hqd_done && hqd_error == 5'd0));
        f_loaded <= phase_q != MQD_IDLE && (f_loaded || phase_q == MQD_BUFFER);
        if (rst) begin
            f_loaded <= 1'b0;
            f_owed  <= 7'd0;
            f_puts  <= 7'd0;
            f_ended <= 1'b0;
            f_since <= 6'd63;
        end

        if (!rst) begin
            assert (f_owed == owed_q && f_owed <= f_puts && f_puts <= 7'd71);                // 1 owed
            if ((phase_q == MQD_GET && !f_closes) || phase_q == MQD_ANSWER || phase_q == MQD_PUT)
                assert (f_puts <= f_most);                                                   // helper
            if (phase_q == MQD_PUT) assert (f_at[0] || f_last);                              // 13 pairs
            if (phase_q == MQD_PUT) assert (f_puts < 7'd71);                                 // 1 owed
            if (phase_q != MQD_GET && phase_q != MQD_ANSWER && phase_q != MQD_PUT && !(phase_q == MQD_DRAIN && f_saves))
                    assert (owed_q == 7'd0);                                                 // 1 owed
            if (f_closes) assert (owed_q == 7'd0);                                           // 1 owed
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
            if (phase_q == MQD_DRAIN) assert (f_saves || job_q == REQUEST_PRELOAD || f_loads);  // 3 jobs
            if (f_closes && phase_q != MQD_IDLE)
                assert (phase_q == MQD_GET || phase_q == MQD_SET ||
                        (phase_q >= MQD_FINISH && phase_q != MQD_SPILL));                     // 6 closed
            assert (phase_q <= MQD_SPILL);                                                    // 15 steps
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
            if (phase_q == MQD_PUT || phase_q == MQD_ERROR) assert (step_q <= 3'd1);         // 15 steps
            if (phase_q == MQD_BUFFER) assert (step_q <= 3'd1 || step_q == (f_loads ? 3'd4 : 3'd2));  // 15 steps
            if (phase_q == MQD_BUFFER && f_loads) assert (!f_failed);                        // helper
            if (phase_q >= MQD_ASK && phase_q <= MQD_PUT)
                assert (dword_q >= MQD_FIRST_REGISTER && dword_q <= MQD_LAST_WINDOW &&
                        (f_low || f_records || dword_q >= MQD_WINDOW));                      // 14 dwords
            if (f_records && phase_q >= MQD_ASK && phase_q <= MQD_PUT)
                assert (phase_q <= MQD_TAKE &&
                        (dword_q == MQD_TOP_RPTR || dword_q == MQD_END_RPTR || dword_q == MQD_END_SEQUENCE ||
                        dword_q == MQD_TOP_SEQUENCE));                                       // 14 dwords
            if (phase_q >= MQD_ASK && phase_q <= MQD_SET)
                assert (f_loads ? !f_records :
                        (f_low || f_records) == (job_q == REQUEST_PRELOAD));                 // 14 dwords
            if (phase_q == MQD_ANSWER) assert (f_low);                                       // helper
            if (read_valid) assert (read_beats >= 5'd1 && f_end <= 6'd16);                   // 4 burst
            if (read_valid) assert ({1'b0, f_at[37:1]} + {33'd0, read_beats} <= {1'b0, f_stop[37:1]} + 38'd1 ||
                    f_stop < f_at);                                                          // 4 burst
            if (phase_q == MQD_HEAD || phase_q == MQD_BUFFER || phase_q == MQD_ACTIVATE ||
                    (phase_q >= MQD_ASK && phase_q <= MQD_SET && !f_closes))
                assert (f_puts == 7'd0);                                                     // helper
            if (phase_q == MQD_FIND || phase_q == MQD_TAKE || (phase_q == MQD_SET && !f_closes))
                assert (code_q == 8'd0);                                                     // helper
            if (records_differ_q[f_slot]) assert (7'd63 <= {1'b0, pause_q} + {1'b0, f_since});       // 5 pause
            if (phase_q == MQD_IDLE && phase_d != MQD_IDLE && queue_d == f_slot && records_differ_q[f_slot] &&
                    !hqd_leaving[f_slot]) assert (f_since == 6'd63);                         // 5 pause
            if (f_stood) assert ((write_valid || error_valid || interrupt_valid) && f_offer == f_word);  // 7 steady
            if (f_was && f_phase == MQD_DRAIN && f_waits) assert (phase_q == MQD_DRAIN);     // 8 drained
            if (f_was && f_phase == MQD_TAKE && phase_q == MQD_SET)
                assert (value_q == {f_memory[31:1], f_memory[0] && dword_q != MQD_ACTIVE});  // 9 loaded
            if (phase_q == MQD_BEATS || phase_q == MQD_FIND || phase_q == MQD_TAKE || (phase_q == MQD_SET && !f_closes))
                assert (f_at[37:5] == f_block);                                              // 9 loaded
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
            if (f_was && f_phase == MQD_ANSWER && f_gave && f_dword == MQD_LAST_REGISTER)
                assert (phase_q == MQD_PUT || phase_q == MQD_DRAIN);                         // 13 pairs
            if (f_was && (f_phase == MQD_GET || f_phase == MQD_ANSWER) && f_wrong)
                assert (phase_q != MQD_PUT);                                                 // 13 pairs
            if (f_was && f_phase == MQD_SET && f_job == REQUEST_CLOSE && f_done)
                assert (f_dword == MQD_BUFFER_CONTROL ? phase_q == MQD_FINISH :
                        phase_q == MQD_GET &&
                        dword_q == (f_dword == MQD_STATE ? MQD_BUFFER_LOW : f_dword + 8'd1));  // 6 closed
            cover (phase_q == MQD_DRAIN && owed_q == 7'd2);
            cover (phase_q == MQD_BUFFER && step_q == 3'd1);
            cover (phase_q == MQD_BUFFER && f_loads);
            cover (phase_q == MQD_FINISH && f_closes && f_failed);
        end
    end
