// SPDX-License-Identifier: Apache-2.0
//
// Properties of totem_mqd, included at the end of the module. The numbers are those of docs/contract/mqd.md.

    // Assumed: answers come only to what was asked; every write is acknowledged once.
    // Contract 1: the writes not acknowledged are counted exactly, at most 71, and a job ends with none.
    // Contract 2: between IDLE and IDLE a job says ACTIVE or MOVED once, or writes ACTIVE without an error, or finds
    // records that differ.
    // Contract 3: memory is read only for jobs 1, 2 and 6 and written only for jobs 3 and 5.
    // Contract 4: a burst lies in its 128 bytes and within what the job needs.
    // Contract 5: a slot that is behind is not taken up for 63 clocks, unless it leaves.
    // Contract 6: a save ends with the window, of which five dwords are written, in order, no other.
    // Contract 7: a word is taken only when its neighbours have none: it stands still until then.
    // Contract 8: a job goes on from DRAIN when no write is owed and the bank has taken its last one.
    // Contract 9: what is set is what memory holds at that dword, without ACTIVE; the block in the RAM is that of the
    // dword.
    // Contract 10: the grid of a queue is saved unless a reset drops it, and marked in a window that is not to be
    // mapped; what a switch loads is kept.
    // Contract 11: no slot that asks is passed over between the one served last and the one taken up.
    // Contract 12: a queue goes on only from records that are equal, and in its buffer only if something is left.
    // Contract 13: the last register ends a word; nothing is written behind an error.
    initial assume (rst);
    wire        f_closes  = job_q == CLOSE;
    wire        f_loads   = job_q == SWITCH_LOAD;
    wire        f_saves   = job_q == SAVE || job_q == SWITCH_SAVE;
    wire        f_failed  = |code_q;
    wire        f_low     = dword_q < 8'd84;
    wire        f_records = dword_q > 8'd83 && dword_q < 8'd108;
    wire        f_last    = dword_q == 8'd83 || dword_q == 8'd183;
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
    wire        f_asks    = hqd_request[f_slot*3 +: 3] != 3'd0 &&
                            (!behind_q[f_slot] || pause_q == 6'd0 || hqd_leaving[f_slot]);
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
    wire [7:0] f_high = dword_q - WINDOW_START + {7'd0, base_q[0]};
    wire [6:0] f_most = f_low ? f_first[7:1] : 7'd42 + f_high[7:1];
    wire       f_sent = write_valid && step_q != 3'd0 && f_taken;
    wire [5:0] f_end  = {2'b00, f_at[4:1]} + {1'b0, read_beats};

    always @(posedge clk) begin
        if (!rst) begin
            assume (!(f_acked && f_owed == 7'd0));
            assume (!(hqd_done && !access_valid));
            assume (!(bank_answer && phase_q != ANSWER));
            assume (!(data_valid && phase_q != BEATS));
            if (phase_q == IDLE && phase_d != IDLE) assume (hqd_request[queue_d*3 +: 3] != 3'd4);
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
        if (phase_q == ASK)
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
        if (phase_q == TAKE && f_records && dword_q == TOP_SEQUENCE && behind_d[queue_q] && queue_q == f_slot)
            f_since <= 6'd0;
        else if (f_since != 6'd63)
            f_since <= f_since + 6'd1;
        if (phase_q == IDLE)
            f_puts <= 7'd0;
        else
            f_puts <= f_puts + {6'd0, f_sent};
        f_ended <= phase_q != IDLE && (f_ended || (phase_q == FINISH && hqd_done) || (phase_q == ACTIVATE &&
                hqd_done && hqd_error == 5'd0));
        f_loaded <= phase_q != IDLE && (f_loaded || phase_q == BUFFER);
        if (rst) begin
            f_loaded <= 1'b0;
            f_owed  <= 7'd0;
            f_puts  <= 7'd0;
            f_ended <= 1'b0;
            f_since <= 6'd63;
        end

        if (!rst) begin
            assert (f_owed == owed_q && f_owed <= f_puts && f_puts <= 7'd71);                       // 1
            if ((phase_q == GET && !f_closes) || phase_q == ANSWER || phase_q == PUT) assert (f_puts <= f_most);
            if (phase_q == PUT) assert (f_at[0] || f_last);
            if (phase_q == PUT) assert (f_puts < 7'd71);
            if (phase_q != GET && phase_q != ANSWER && phase_q != PUT && !(phase_q == DRAIN && f_saves))
                    assert (owed_q == 7'd0);
            if (f_closes) assert (owed_q == 7'd0);
            if (phase_q == FINISH || phase_q == ACTIVATE) assert (!f_ended);                        // 2
            if (phase_q == ERROR || phase_q == INTERRUPT) assert (f_ended);
            if (phase_q != IDLE && phase_q != ERROR && phase_q != INTERRUPT) assert (!f_ended);
            if (phase_q != IDLE && phase_d == IDLE)
                assert (f_ended || (phase_q == FINISH && hqd_done) || (phase_q == ACTIVATE && hqd_done &&
                        hqd_error == 5'd0)
                        || (phase_q == TAKE && f_records && behind_d[queue_q]));
            if (phase_q == ERROR) assert (code_q != 8'd0);
            if (phase_q >= ASK && phase_q <= SET) assert (job_q == PRELOAD || job_q == WINDOW || f_loads || // 3
                    (f_closes && phase_q == SET));
            if (phase_q == BUFFER) assert (job_q == PRELOAD || f_loads);
            if (f_loaded && f_loads) assert (!f_failed && (phase_q == BUFFER || phase_q == DRAIN || // 5
                    phase_q == FINISH || phase_q == INTERRUPT || phase_q == IDLE));
            if (phase_q == ACTIVATE) assert (job_q == WINDOW);
            if (phase_q >= GET && phase_q <= PUT) assert (f_saves || (f_closes && phase_q == GET));
            if (phase_q == DRAIN) assert (f_saves || job_q == PRELOAD || f_loads);
            if (f_closes && phase_q != IDLE)                                                        // 6
                assert (phase_q == GET || phase_q == SET || (phase_q >= FINISH && phase_q != ROLL));
            assert (phase_q <= ROLL);
            if (phase_q == ROLL) assert (job_q == PRELOAD || (job_q == SAVE && !f_failed));
            if (f_closes && (phase_q == GET || phase_q == SET)) assert (dword_q == 8'd132 || (dword_q >= 8'd146 &&
                    dword_q <= 8'd149));
            if (phase_q == FINISH) assert (job_q != SAVE);
            if (phase_q != IDLE) assert (job_q != 3'd0);
            if (phase_q == HEAD) assert (!f_closes);
            if (phase_q == HEAD) assert (job_q != END);
            if (phase_q == HEAD && (job_q == WINDOW || f_loads)) assert (step_q <= 3'd1);
            if (phase_q == HEAD && f_saves) assert (step_q <= 3'd2);
            if (phase_q == HEAD) assert (step_q <= 3'd6);
            if (phase_q == PUT || phase_q == ERROR) assert (step_q <= 3'd1);
            if (phase_q == BUFFER) assert (step_q <= 3'd1 || step_q == (f_loads ? 3'd4 : 3'd2));
            if (phase_q == BUFFER && f_loads) assert (!f_failed);
            if (phase_q >= ASK && phase_q <= PUT)
                assert (dword_q >= 8'd1 && dword_q <= WINDOW_END && (f_low || f_records || dword_q >= WINDOW_START));
            if (f_records && phase_q >= ASK && phase_q <= PUT)
                assert (phase_q <= TAKE && (dword_q == TOP_RPTR || dword_q == END_RPTR || dword_q == END_SEQUENCE ||
                        dword_q == TOP_SEQUENCE));
            if (phase_q >= ASK && phase_q <= SET) assert (f_loads ? !f_records : (f_low ||
                    f_records) == (job_q == PRELOAD));
            if (phase_q == ANSWER) assert (f_low);
            if (read_valid) assert (read_beats >= 5'd1 && f_end <= 6'd16);                          // 4
            if (read_valid) assert ({1'b0, f_at[37:1]} + {33'd0, read_beats} <= {1'b0, f_stop[37:1]} + 38'd1 ||
                    f_stop < f_at);
            if (phase_q == HEAD || phase_q == BUFFER || (phase_q >= ASK && phase_q <= SET && !f_closes) ||
                    phase_q == ACTIVATE) assert (f_puts == 7'd0);
            if (phase_q == FIND || phase_q == TAKE || (phase_q == SET && !f_closes)) assert (code_q == 8'd0);
            if (behind_q[f_slot]) assert (7'd63 <= {1'b0, pause_q} + {1'b0, f_since});                 // 5
            if (phase_q == IDLE && phase_d != IDLE && queue_d == f_slot && behind_q[f_slot] &&
                    !hqd_leaving[f_slot]) assert (f_since == 6'd63);
            if (f_stood) assert ((write_valid || error_valid || interrupt_valid) && f_offer == f_word);     // 7
            if (f_was && f_phase == DRAIN && f_waits) assert (phase_q == DRAIN);                            // 8
            if (f_was && f_phase == TAKE && phase_q == SET)                                                 // 9
                assert (value_q == {f_memory[31:1], f_memory[0] && dword_q != 8'd130});
            if (phase_q == BEATS || phase_q == FIND || phase_q == TAKE || (phase_q == SET && !f_closes))
                assert (f_at[37:5] == f_block);
            if (f_was && f_phase == GET && f_dword == 8'd132 && f_done) assert (value_q[31] == f_grid);     // 10
            if (f_was && f_phase == SET && f_job == SWITCH_LOAD && f_dword == 8'd132) assert (grid_q == f_value[31]);
            if (phase_q == IDLE && phase_d != IDLE && f_asks) assert (f_before <= f_where);                 // 11
            if (f_was && f_phase == TAKE && f_dword == END_RPTR) assert (unequal_q == !f_same);             // 12
            if (f_was && f_phase == TAKE && f_dword == TOP_SEQUENCE)
                assert (behind_q[queue_q] == f_apart && (phase_q == BUFFER) == !f_apart);
            if (f_was && f_phase == HEAD && f_step == 3'd6 && f_done) assert ((phase_q == BUFFER) == f_less);
            if (f_was && f_phase == ANSWER && f_gave && f_dword == 8'd83) assert (phase_q == PUT || // 13
                    phase_q == DRAIN);
            if (f_was && (f_phase == GET || f_phase == ANSWER) && f_wrong) assert (phase_q != PUT);
            if (f_was && f_phase == SET && f_job == CLOSE && f_done)                                        // 6
                assert (f_dword == 8'd149 ? phase_q == FINISH :
                        phase_q == GET && dword_q == (f_dword == 8'd132 ? 8'd146 : f_dword + 8'd1));
            cover (phase_q == DRAIN && owed_q == 7'd2);
            cover (phase_q == BUFFER && step_q == 3'd1);
            cover (phase_q == BUFFER && f_loads);
            cover (phase_q == FINISH && f_closes && f_failed);
        end
    end
