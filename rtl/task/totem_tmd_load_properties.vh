// SPDX-License-Identifier: Apache-2.0
//
// Properties of totem_tmd_load, included at the end of the module. The numbers are those of docs/contract/tmd_load.md.

    (* anyconst *) wire [2047:0] f_tmd;
    initial assume (rst);

    reg         f_busy = 1'b0;          // a load is under way
    reg [A-1:0] f_entry;
    reg [31:0]  f_pointer;
    reg         f_strict;
    reg [5:0]   f_group;
    reg [1:0]   f_asked;                // bursts asked for
    reg         f_half;                 // the burst whose beats come
    reg [3:0]   f_in;                   // the beat of it that comes next
    reg         f_done = 1'b0;          // the last beat came in the clock before
    reg         f_step = 1'b0;          // a beat did
    reg [4:0]   f_number;               // which
    reg         f_failed;               // a beat had an error
    reg [7:0]   f_failure;
    reg [31:0]  f_place;
    reg         f_offered = 1'b0;       // a burst was asked for and not taken
    reg [39:0]  f_addr;
    reg         f_far;                  // ADDRESS_HIGH of the front end is not 0
    reg         f_refused = 1'b0;       // the request of the clock before was for bit 39 then

    wire        f_accept = request_valid && request_ready;
    wire        f_above  = (settings_address_high >> {fe_number, 3'd0} & 32'hff) != 32'd0;
    wire [4:0]  f_next   = {f_half, f_in};
    wire [5:0]  f_seen   = f_done ? 6'd32 : {1'b0, f_next};
    wire        f_ends   = data_valid && data_last && f_half;

    // What the map says of the descriptor.
    wire [7:0]  f_version = {f_tmd[`TOTEM_TMD_03_00_QMD_MAJOR_VERSION], f_tmd[`TOTEM_TMD_03_00_QMD_VERSION]};
    wire        f_old     = f_version == 8'h22;
    wire        f_new     = f_version == 8'h30;
    wire        f_enable  = f_old ? f_tmd[`TOTEM_TMD_02_02_DEPENDENT_ENABLE] : f_tmd[`TOTEM_TMD_03_00_DEPENDENT_ENABLE];
    wire [2:0]  f_action  = f_tmd[`TOTEM_TMD_03_00_DEPENDENT_ACTION];
    wire        f_r0      = f_old ? f_tmd[`TOTEM_TMD_02_02_RELEASE0_ENABLE] : f_tmd[`TOTEM_TMD_03_00_RELEASE0_ENABLE];
    wire        f_r1      = f_old ? f_tmd[`TOTEM_TMD_02_02_RELEASE1_ENABLE] : f_tmd[`TOTEM_TMD_03_00_RELEASE1_ENABLE];
    wire        f_bad0    = f_r0 && (f_old ? f_tmd[`TOTEM_TMD_02_02_RELEASE0_REDUCTION] :
                                     f_tmd[`TOTEM_TMD_03_00_RELEASE0_REDUCTION] ||
                                     f_tmd[`TOTEM_TMD_03_00_RELEASE0_SIZE] == 2'd3 ||
                                     f_tmd[`TOTEM_TMD_03_00_RELEASE0_TRAP] > 2'd1);
    wire        f_bad1    = f_r1 && (f_old ? f_tmd[`TOTEM_TMD_02_02_RELEASE1_REDUCTION] :
                                     f_tmd[`TOTEM_TMD_03_00_RELEASE1_REDUCTION] ||
                                     f_tmd[`TOTEM_TMD_03_00_RELEASE1_SIZE] == 2'd3 ||
                                     f_tmd[`TOTEM_TMD_03_00_RELEASE1_TRAP] > 2'd1);
    wire        f_counts  = f_tmd[`TOTEM_TMD_03_00_COUNT_INCREMENT] || f_tmd[`TOTEM_TMD_03_00_COUNT_DECREMENT] ||
                            f_tmd[`TOTEM_TMD_03_00_SEQUENTIAL] || f_tmd[`TOTEM_TMD_03_00_MEMBAR_TYPE] == 2'd2;

    // The error that the beats before f_seen give.
    reg [7:0]   f_code;
    reg [31:0]  f_value;
    reg [63:0]  f_word;
    reg [3:0]   f_which;                // the word that stands behind f_number; 8: none

    always @* begin
        if (data_valid) begin
            assume (f_busy && {1'b0, f_half} < f_asked);                                         // A1 beats
            assume (data_last == (f_in == 4'd15) || (data_last && data_error != MEMORY_OK));          // A2 length
            if (data_error == MEMORY_OK) assume (data_word == f_tmd[f_next*64 +: 64]);           // A3 descriptor
        end
        if (f_busy) assume (f_above == f_far);                                               // A4 constant

        f_code  = 8'd0;
        f_value = 32'd0;
        if (f_seen > 6'd26 && f_new && f_tmd[`TOTEM_TMD_03_00_RELEASE2_ENABLE]) begin
            f_code = `TOTEM_ERROR_DESCRIPTOR_TMD_FIELD; f_value = f_tmd[53*32 +: 32];
        end
        if (f_seen > 6'd14 && f_r1 && f_far && f_tmd[f_old ? 871 : 935]) begin
            f_code = `TOTEM_ERROR_DESCRIPTOR_TMD_ADDRESS; f_value = f_old ? f_tmd[27*32 +: 32] : f_tmd[29*32 +: 32];
        end
        if (f_seen > 6'd14 && f_bad1) begin
            f_code = `TOTEM_ERROR_DESCRIPTOR_TMD_FIELD; f_value = f_old ? f_tmd[27*32 +: 32] : f_tmd[29*32 +: 32];
        end
        if (f_seen > 6'd12 && f_r0 && f_far && f_tmd[f_old ? 775 : 807]) begin
            f_code = `TOTEM_ERROR_DESCRIPTOR_TMD_ADDRESS; f_value = f_old ? f_tmd[24*32 +: 32] : f_tmd[25*32 +: 32];
        end
        if (f_seen > 6'd12 && f_bad0) begin
            f_code = `TOTEM_ERROR_DESCRIPTOR_TMD_FIELD; f_value = f_old ? f_tmd[24*32 +: 32] : f_tmd[25*32 +: 32];
        end
        if (f_seen > 6'd9) begin
            if (f_tmd[`TOTEM_TMD_03_00_BLOCK_Y] == 16'd0 || f_tmd[`TOTEM_TMD_03_00_BLOCK_Z] == 16'd0) begin
                f_code = `TOTEM_ERROR_DESCRIPTOR_TMD_FIELD; f_value = f_tmd[19*32 +: 32];
            end
            if (f_tmd[`TOTEM_TMD_03_00_BLOCK_X] == 16'd0) begin
                f_code = `TOTEM_ERROR_DESCRIPTOR_TMD_FIELD; f_value = f_tmd[18*32 +: 32];
            end
            if (f_new && f_enable && f_action != 3'd1 && f_action != 3'd3) begin
                f_code = `TOTEM_ERROR_DESCRIPTOR_TMD_ACTION; f_value = f_tmd[16*32 +: 32];
            end
            if (f_new && f_tmd[`TOTEM_TMD_03_00_DEPENDENT1_ENABLE]) begin
                f_code = `TOTEM_ERROR_DESCRIPTOR_TMD_DEPENDENT1; f_value = f_tmd[16*32 +: 32];
            end
            if (f_enable && f_far && f_tmd[511]) begin
                f_code = `TOTEM_ERROR_DESCRIPTOR_TMD_ADDRESS; f_value = f_tmd[15*32 +: 32];
            end
        end
        if (f_seen > 6'd5 && f_counts) begin
            f_code = `TOTEM_ERROR_DESCRIPTOR_TMD_FIELD; f_value = f_tmd[11*32 +: 32];
        end
        if (f_seen > 6'd9) begin
            if (f_strict && f_tmd[`TOTEM_TMD_03_00_GROUP_ID] != f_group) begin
                f_code = `TOTEM_ERROR_DESCRIPTOR_TMD_GROUP; f_value = f_tmd[4*32 +: 32];
            end
            if (f_old && f_enable && !f_tmd[`TOTEM_TMD_02_02_DEPENDENT_TYPE]) begin
                f_code = `TOTEM_ERROR_DESCRIPTOR_TMD_TYPE; f_value = f_tmd[4*32 +: 32];
            end
            if (f_new && f_tmd[`TOTEM_TMD_03_00_DEPENDENCE_COUNTER] != 16'd0) begin
                f_code = `TOTEM_ERROR_DESCRIPTOR_TMD_COUNTER; f_value = f_tmd[4*32 +: 32];
            end
            if (f_tmd[`TOTEM_TMD_03_00_IS_QUEUE]) begin
                f_code = `TOTEM_ERROR_DESCRIPTOR_TMD_QUEUE; f_value = f_tmd[4*32 +: 32];
            end
            if (!f_old && !f_new) begin
                f_code = `TOTEM_ERROR_DESCRIPTOR_TMD_VERSION; f_value = f_tmd[18*32 +: 32];
            end
        end

        f_which = f_number == 5'd8 ? 4'd0 : f_number == 5'd7 ? 4'd1 : f_number == 5'd10 ? 4'd2 :
                  f_number == 5'd24 ? 4'd7 : f_number >= 5'd12 && f_number <= 5'd15 ? {2'b00, f_number[1:0]} + 4'd3 :
                  4'd8;
        case (f_which)
            4'd0: f_word = {f_tmd[`TOTEM_TMD_03_00_DEPENDENT_POINTER], f_pointer};
            4'd1: f_word = {f_tmd[`TOTEM_TMD_03_00_GRID_Z], f_tmd[`TOTEM_TMD_03_00_GRID_Y],
                            f_tmd[`TOTEM_TMD_03_00_GRID_X]};
            4'd2: f_word = {f_tmd[`TOTEM_TMD_03_00_BLOCK_Z], f_tmd[`TOTEM_TMD_03_00_BLOCK_Y],
                            f_tmd[`TOTEM_TMD_03_00_BLOCK_X], 3'd0, f_tmd[675:672],
                            f_tmd[`TOTEM_TMD_03_00_REGISTER_COUNT]};
            4'd3: f_word = {f_tmd[`TOTEM_TMD_03_00_LDS_SIZE], 1'b0, f_old ?
                            {2'b00, 1'b0, f_tmd[`TOTEM_TMD_02_02_RELEASE0_SIZE], f_r0,
                             f_tmd[`TOTEM_TMD_02_02_RELEASE0_ADDRESS_HIGH],
                             f_tmd[`TOTEM_TMD_02_02_RELEASE0_ADDRESS_LOW]} :
                            {f_tmd[827], f_tmd[`TOTEM_TMD_03_00_RELEASE0_PAYLOAD64],
                             f_tmd[`TOTEM_TMD_03_00_RELEASE0_SIZE], f_r0,
                             f_tmd[`TOTEM_TMD_03_00_RELEASE0_ADDRESS_HIGH],
                             f_tmd[`TOTEM_TMD_03_00_RELEASE0_ADDRESS_LOW]}};
            4'd4: f_word = f_old ? {32'd0, f_tmd[`TOTEM_TMD_02_02_RELEASE0_PAYLOAD_LOW]} :
                           {f_tmd[`TOTEM_TMD_03_00_RELEASE0_PAYLOAD_HIGH],
                            f_tmd[`TOTEM_TMD_03_00_RELEASE0_PAYLOAD_LOW]};
            4'd5: f_word = {19'd0, f_old ?
                            {2'b00, 1'b0, f_tmd[`TOTEM_TMD_02_02_RELEASE1_SIZE], f_r1,
                             f_tmd[`TOTEM_TMD_02_02_RELEASE1_ADDRESS_HIGH],
                             f_tmd[`TOTEM_TMD_02_02_RELEASE1_ADDRESS_LOW]} :
                            {f_tmd[955], f_tmd[`TOTEM_TMD_03_00_RELEASE1_PAYLOAD64],
                             f_tmd[`TOTEM_TMD_03_00_RELEASE1_SIZE], f_r1,
                             f_tmd[`TOTEM_TMD_03_00_RELEASE1_ADDRESS_HIGH],
                             f_tmd[`TOTEM_TMD_03_00_RELEASE1_ADDRESS_LOW]}};
            4'd6: f_word = f_old ? {32'd0, f_tmd[`TOTEM_TMD_02_02_RELEASE1_PAYLOAD_LOW]} :
                           {f_tmd[`TOTEM_TMD_03_00_RELEASE1_PAYLOAD_HIGH],
                            f_tmd[`TOTEM_TMD_03_00_RELEASE1_PAYLOAD_LOW]};
            default:
                  f_word = {3'd0, f_tmd[`TOTEM_TMD_03_00_INVALIDATE], f_tmd[`TOTEM_TMD_03_00_MEMBAR_TYPE],
                            f_old && f_tmd[`TOTEM_TMD_02_02_DEPENDENT_FIELD_COPY],
                            f_old || f_tmd[`TOTEM_TMD_03_00_DEPENDENT_PREFETCH], f_old ? 3'd3 : f_action,
                            f_tmd[1583:1568], f_tmd[`TOTEM_TMD_03_00_PROGRAM_LOW]};
        endcase
    end

    always @(posedge clk) begin
        f_done    <= f_ends;
        f_step    <= data_valid;
        f_number  <= f_next;
        f_offered <= read_valid && !read_ready;
        f_addr    <= read_addr;
        if (read_valid && read_ready) f_asked <= f_asked + 2'd1;
        if (data_valid) begin
            f_in   <= data_last ? 4'd0 : f_in + 4'd1;
            f_half <= f_half || data_last;
            if (data_error != MEMORY_OK && !f_failed) begin
                f_failed  <= 1'b1;
                f_failure <= READ_FAILED + {6'd0, data_error};
                f_place   <= {f_pointer[23:0], f_next, 3'd0};
            end
        end
        if (f_ends) f_busy <= 1'b0;
        f_refused <= f_accept && f_above && request_pointer[31];
        if (f_accept) begin
            f_busy    <= !(f_above && request_pointer[31]);
            f_far     <= f_above;
            f_entry   <= request_entry;
            f_pointer <= request_pointer;
            f_strict  <= request_strict;
            f_group   <= request_group;
            f_asked   <= 2'd0;
            f_half    <= 1'b0;
            f_in      <= 4'd0;
            f_failed  <= 1'b0;
        end
        if (rst) begin
            f_busy    <= 1'b0;
            f_done    <= 1'b0;
            f_step    <= 1'b0;
            f_offered <= 1'b0;
            f_refused <= 1'b0;
        end
    end

    always @*
        if (!rst) begin
            assert (request_ready == !f_busy && answer_valid == (f_done || f_refused));      // 1 answer
            if (answer_valid) assert (!f_busy && answer_entry == f_entry);                   // 1 answer
            if (tmd_write_enable) assert (f_step && f_which != 4'd8);                       // 2 entry
            if (f_step && f_which != 4'd8) assert (tmd_write_enable);                       // 5 checks
            if (tmd_write_enable)
                assert ((f_busy || f_done) && tmd_write_addr == {f_entry, f_which[2:0]});   // 2 entry
            if (tmd_write_enable && !f_failed) assert (tmd_write_data == f_word);          // 5 checks
            assert (read_valid == (f_busy && f_asked != 2'd2));                              // 3 bursts
            if (read_valid) assert (read_addr == {f_pointer, f_asked[0], 7'd0} && read_beats == 5'd16);  // 3 bursts
            if (f_offered) assert (read_valid && read_addr == f_addr);                       // 3 bursts
            if (f_refused)
                assert (answer_error == `TOTEM_ERROR_DESCRIPTOR_TMD_ADDRESS && answer_word == f_pointer);  // 5 checks
            if (f_done && f_failed) assert (answer_error == f_failure && answer_word == f_place);  // 4 failed
            if (f_done && !f_failed) begin
                assert (answer_error == f_code && answer_word == f_value);                   // 5 checks
                assert (answer_group == f_tmd[`TOTEM_TMD_03_00_GROUP_ID] && answer_dependent == f_enable &&
                        answer_head == f_tmd[`TOTEM_TMD_03_00_ADD_TO_HEAD] &&
                        answer_pointer == f_tmd[`TOTEM_TMD_03_00_DEPENDENT_POINTER] &&
                        answer_prefetch == (f_old || f_tmd[`TOTEM_TMD_03_00_DEPENDENT_PREFETCH]) &&
                        answer_renew == (f_old || f_action[1]) &&
                        answer_empty == (f_tmd[`TOTEM_TMD_03_00_GRID_X] == 32'd0 ||
                                         f_tmd[`TOTEM_TMD_03_00_GRID_Y] == 16'd0 ||
                                         f_tmd[`TOTEM_TMD_03_00_GRID_Z] == 16'd0));          // 5 checks
            end

            // helpers
            // The registers of the load, and what each holds of the beats before f_seen.
            assert (!(f_busy && f_done) && !(f_done && !f_step) && !(f_refused && (f_busy || f_step)));
            if (f_busy) assert (phase_q == f_asked + 2'd1 && f_asked <= 2'd2 && beat_q == f_next);
            if (f_busy) assert ({1'b0, f_half} <= f_asked && (f_in == 4'd0 || {1'b0, f_half} < f_asked));
            if (f_busy || f_done) begin
                assert (entry_q == f_entry && pointer_q == f_pointer && strict_q == f_strict && group_q == f_group);
                if (f_failed) assert (code_q == f_failure && value_q == f_place && f_failure[7:2] == 6'b011000);
                else begin
                    assert (code_q == f_code && value_q == f_value);
                    if (f_seen != 6'd0) assert (kept_q == f_tmd[(f_seen - 6'd1)*64 +: 64]);
                    if (f_step) assert ({1'b0, f_number} + 6'd1 == f_seen);
                    if (f_seen > 6'd2)
                        assert (common_q == f_tmd[4*32 +: 32] && invalidate_q == f_tmd[`TOTEM_TMD_03_00_INVALIDATE]);
                    if (f_seen > 6'd5) assert (membar_q == f_tmd[`TOTEM_TMD_03_00_MEMBAR_TYPE]);
                    if (f_seen > 6'd7)
                        assert (target_q == f_tmd[`TOTEM_TMD_03_00_DEPENDENT_POINTER] &&
                                empty_q == (f_tmd[`TOTEM_TMD_03_00_GRID_X] == 32'd0 ||
                                            f_tmd[`TOTEM_TMD_03_00_GRID_Y] == 16'd0 ||
                                            f_tmd[`TOTEM_TMD_03_00_GRID_Z] == 16'd0));
                    if (f_seen > 6'd8) assert (lds_q == f_tmd[`TOTEM_TMD_03_00_LDS_SIZE]);
                    if (f_seen > 6'd9)
                        assert (older_q == f_old && dependent_q == f_enable && action_q == (f_old ? 3'd3 : f_action) &&
                                prefetch_q == (f_old || f_tmd[`TOTEM_TMD_03_00_DEPENDENT_PREFETCH]));
                end
            end
        end

    always @(posedge clk)
        if (!rst) begin
            cover (f_busy && f_half && f_asked == 2'd2);
            cover (answer_valid && f_failed);
            cover (read_valid && f_step);
        end
