// SPDX-License-Identifier: Apache-2.0
//
// Properties of totem_decode, included at the end of the module. The numbers are those of docs/contract/decode.md.

    // f_held counts the inbox: dwords that came and were not consumed. f_turn counts the dwords of a pair.
    initial assume (rst);
    reg        f_past = 1'b0;
    reg        f_kept = 1'b0;               // a word was offered a clock ago, not taken and not forgotten
    reg [4:0]  f_kind;
    reg [31:0] f_header, f_control, f_extra;
    reg [39:0] f_address;
    reg [63:0] f_data, f_second;
    reg [14:0] f_length;
    reg [7:0]  f_code;
    reg        f_last, f_unread, f_counted;
    reg        f_streams = 1'b0;            // a word of a stream was taken, another one follows
    reg        f_taken = 1'b0;              // a header was taken in the clock before
    reg        f_checked = 1'b0;            // a header was looked at in the clock before
    reg        f_idle = 1'b1;               // a header was looked for in the clock before
    reg [3:0]  f_own = 4'd0;                // clocks of this packet in which it has not waited
    reg [1:0]  f_held = 2'd0;
    reg [1:0]  f_turn = 2'd0;
    reg        f_far = 1'b0;                // the address of the packet in hand is refused
    reg [31:0] f_upper;                     // .. its upper dword
    wire [7:0] f_above = fe_number == 2'd0 ? settings_address_high[7:0]
                         : fe_number == 2'd1 ? settings_address_high[15:8] : fe_number == 2'd2 ? settings_address_high[23:16] : settings_address_high[31:24];
    reg [3:0]  f_reach;                     // place of the upper dword of an address, 0: there is none
    reg        f_there;                     // it is one in memory
    reg        f_given = 1'b0, f_high;      // it has come; bit 39 that it leads to
    reg [31:0] f_offsets;                   // the last dword of offsets that was taken
    reg [13:0] f_group;                     // what was left of the group when the header was looked at
    reg        f_drawn;                     // a graphics queue, a clock ago
    wire [7:0] f_op = header_q[`TOTEM_PM4_HEADER_OPCODE];
    wire       f_ranges = kind_q == `TOTEM_KIND_LOAD && f_op == `TOTEM_OP_LOAD_CONTEXT_REG;
    wire       f_consumed = kind_q == `TOTEM_KIND_NONE;
    wire       f_begins = phase_q == DECODE_HEADER && f_held != 2'd0 && execute_ready && !execute_drop
        && !arbiter_leave;
    wire       f_eats   = f_begins || (f_held != 2'd0 && ((phase_q == DECODE_BODY && (execute_ready || !unread))
                                                          || (stream && execute_ready)));

    // Of every packet: its kind, whether it has a legal size, the body dword that its stream begins with, and how many
    // offsets stand in a dword of it.
    localparam [255:0] F_NAMED = `TOTEM_OP_KNOWN, F_DONE = `TOTEM_OP_EXECUTED, F_DRAWN = `TOTEM_OP_DRAWN;
    wire [14:0] f_body = {1'b0, header_q[29:16]} + 15'd1;
    reg [4:0]  f_rule;
    reg        f_size;
    reg [3:0]  f_stream;
    reg [1:0]  f_pairs;
    always @* begin
        f_rule   = `TOTEM_KIND_NONE;
        f_size   = 1'b1;
        f_stream = 4'd0;
        f_pairs  = 2'd0;
        case (f_op)         // of both queues
            `TOTEM_OP_DISPATCH_DIRECT:   begin f_rule = `TOTEM_KIND_DISPATCH;          f_size = f_body == 15'd4; end
            `TOTEM_OP_COND_EXEC:         begin f_rule = `TOTEM_KIND_COND_EXEC;         f_size = f_body == 15'd4; end
            `TOTEM_OP_PRED_EXEC:         begin f_rule = `TOTEM_KIND_COND_EXEC;         f_size = f_body == 15'd1; end
            `TOTEM_OP_WAIT_REG_MEM:      begin f_rule = `TOTEM_KIND_WAIT;              f_size = f_body == 15'd6; end
            `TOTEM_OP_INDIRECT_BUFFER:   begin f_rule = `TOTEM_KIND_BUFFER;            f_size = f_body == 15'd3; end
            `TOTEM_OP_RELEASE_MEM:       begin f_rule = `TOTEM_KIND_RELEASE;           f_size = f_body == 15'd7; end
            `TOTEM_OP_WAIT_REG_MEM64:    begin f_rule = `TOTEM_KIND_WAIT_64;           f_size = f_body == 15'd8; end
            `TOTEM_OP_COPY_DATA:         begin f_rule = `TOTEM_KIND_COPY;              f_size = f_body == 15'd5; end
            `TOTEM_OP_DMA_DATA:          begin f_rule = `TOTEM_KIND_DMA;               f_size = f_body == 15'd6; end
            `TOTEM_OP_LOAD_SH_REG_INDEX: begin f_rule = `TOTEM_KIND_LOAD_REGISTERS;    f_size = f_body == 15'd4; end
            `TOTEM_OP_EVENT_WRITE: begin
                f_rule = `TOTEM_KIND_EVENT;
                f_size = f_body == 15'd1 || f_body == 15'd3;
            end
            `TOTEM_OP_WRITE_DATA: begin
                f_rule   = `TOTEM_KIND_WRITE;
                f_size   = f_body > 15'd2;
                f_stream = 4'd4;
            end
            `TOTEM_OP_SET_SH_REG: begin
                f_rule   = drawn_q ? `TOTEM_KIND_SHADER : `TOTEM_KIND_REGISTERS;
                f_stream = 4'd2;
            end
            `TOTEM_OP_ACQUIRE_MEM: f_size = f_body == 15'd6 || f_body == 15'd7;
            default: ;
        endcase
        if (!drawn_q)
            case (f_op)
                `TOTEM_OP_DISPATCH_INDIRECT: begin
                    f_rule = `TOTEM_KIND_DISPATCH_INDIRECT;
                    f_size = f_body == 15'd3;
                end
                `TOTEM_OP_SET_SH_REG_INDEX: begin
                    f_rule   = `TOTEM_KIND_REGISTERS;
                    f_size   = f_body > 15'd1;
                    f_stream = 4'd2;
                end
                `TOTEM_OP_SET_SH_REG_PAIRS_PACKED, `TOTEM_OP_SET_SH_REG_PAIRS_PACKED_N: begin
                    f_rule   = `TOTEM_KIND_REGISTERS;
                    f_size   = f_body > 15'd3;
                    f_stream = 4'd2;
                    f_pairs  = 2'd2;
                end
                `TOTEM_OP_SET_RESOURCES, `TOTEM_OP_MAP_PROCESS, `TOTEM_OP_MAP_QUEUES, `TOTEM_OP_UNMAP_QUEUES,
                `TOTEM_OP_QUERY_STATUS, `TOTEM_OP_RUN_LIST:
                    if (RUNLIST != 0) begin
                        f_rule   = `TOTEM_KIND_ORDER;
                        f_size   = f_body == (f_op == `TOTEM_OP_SET_RESOURCES ? 15'd7 : f_op == `TOTEM_OP_MAP_PROCESS
                                              ? 15'd15 : f_op == `TOTEM_OP_UNMAP_QUEUES ? 15'd5
                                              : f_op == `TOTEM_OP_RUN_LIST ? 15'd3 : 15'd6);
                        f_stream = 4'd2;
                    end
                `TOTEM_OP_ATOMIC_MEM:  begin f_rule = `TOTEM_KIND_ATOMIC; f_size = f_body == 15'd8; end
                `TOTEM_OP_WAIT_TIMER:  begin f_rule = `TOTEM_KIND_TIMER; f_size = f_body == 15'd1; end
                `TOTEM_OP_LAUNCH_TASK: begin f_rule = `TOTEM_KIND_LAUNCH; f_size = f_body == 15'd1; end
                default: ;
            endcase
        else
            case (f_op)
                `TOTEM_OP_SET_SH_REG_INDEX: begin
                    f_rule   = `TOTEM_KIND_SHADER;
                    f_size   = f_body > 15'd1;
                    f_stream = 4'd2;
                end
                `TOTEM_OP_SET_CONTEXT_REG, `TOTEM_OP_SET_CONTEXT_REG_INDEX: begin
                    f_rule   = `TOTEM_KIND_CONTEXT;
                    f_size   = f_body > 15'd1;
                    f_stream = 4'd2;
                end
                `TOTEM_OP_SET_UCONFIG_REG, `TOTEM_OP_SET_UCONFIG_REG_INDEX: begin
                    f_rule   = `TOTEM_KIND_USER;
                    f_size   = f_body > 15'd1;
                    f_stream = 4'd2;
                end
                `TOTEM_OP_SET_CONTEXT_REG_PAIRS, `TOTEM_OP_SET_SH_REG_PAIRS: begin
                    f_rule   = (f_op == `TOTEM_OP_SET_SH_REG_PAIRS) ? `TOTEM_KIND_SHADER : `TOTEM_KIND_CONTEXT;
                    f_size   = f_body > 15'd1;
                    f_stream = 4'd1;
                    f_pairs  = 2'd1;
                end
                `TOTEM_OP_SET_CONTEXT_REG_PAIRS_PACKED, `TOTEM_OP_SET_SH_REG_PAIRS_PACKED,
                `TOTEM_OP_SET_SH_REG_PAIRS_PACKED_N: begin
                    f_rule   = (f_op == `TOTEM_OP_SET_CONTEXT_REG_PAIRS_PACKED) ? `TOTEM_KIND_CONTEXT
                                                                                : `TOTEM_KIND_SHADER;
                    f_size   = f_body > 15'd3;
                    f_stream = 4'd2;
                    f_pairs  = 2'd2;
                end
                `TOTEM_OP_CONTEXT_REG_RMW:   begin f_rule = `TOTEM_KIND_MODIFY;        f_size = f_body == 15'd3; end
                `TOTEM_OP_LOAD_CONTEXT_REG: begin
                    f_rule   = `TOTEM_KIND_LOAD;
                    f_size   = f_body > 15'd3;
                    f_stream = 4'd3;
                    f_pairs  = 2'd1;
                end
                `TOTEM_OP_LOAD_CONTEXT_REG_INDEX: begin f_rule = `TOTEM_KIND_LOAD;     f_size = f_body == 15'd4; end
                `TOTEM_OP_CLEAR_STATE:       begin f_rule = `TOTEM_KIND_CLEAR;         f_size = f_body == 15'd1; end
                `TOTEM_OP_NUM_INSTANCES:     begin f_rule = `TOTEM_KIND_INSTANCES;     f_size = f_body == 15'd1; end
                `TOTEM_OP_SET_BASE:          begin f_rule = `TOTEM_KIND_BASE;          f_size = f_body == 15'd3; end
                `TOTEM_OP_DRAW_INDEX_2:      begin f_rule = `TOTEM_KIND_DRAW;          f_size = f_body == 15'd5; end
                `TOTEM_OP_DRAW_INDEX_AUTO:   begin f_rule = `TOTEM_KIND_DRAW;          f_size = f_body == 15'd2; end
                `TOTEM_OP_DRAW_INDEX_OFFSET_2: begin f_rule = `TOTEM_KIND_DRAW;        f_size = f_body == 15'd4; end
                `TOTEM_OP_DRAW_INDIRECT, `TOTEM_OP_DRAW_INDEX_INDIRECT: begin
                    f_rule = `TOTEM_KIND_DRAW_INDIRECT;
                    f_size = f_body == 15'd4;
                end
                `TOTEM_OP_DRAW_INDIRECT_MULTI, `TOTEM_OP_DRAW_INDEX_INDIRECT_MULTI: begin
                    f_rule = `TOTEM_KIND_DRAW_MULTI;
                    f_size = f_body == 15'd9;
                end
                `TOTEM_OP_CONTEXT_BOUNCE:    begin f_rule = `TOTEM_KIND_BOUNCE;        f_size = f_body == 15'd3; end
                `TOTEM_OP_INDEX_BUFFER_SIZE, `TOTEM_OP_INDEX_TYPE: f_size = f_body == 15'd1;
                `TOTEM_OP_INDEX_BASE, `TOTEM_OP_CONTEXT_CONTROL:   f_size = f_body == 15'd2;
                `TOTEM_OP_SET_CONFIG_REG:                          f_size = f_body > 15'd1;
                default: ;
            endcase
    end
    wire        f_missing  = f_op == `TOTEM_OP_LAUNCH_TASK && !drawn_q && TASKS == 0;
    wire        f_done     = drawn_q ? F_DRAWN[f_op] : F_DONE[f_op] || (RUNLIST != 0 && f_rule == `TOTEM_KIND_ORDER);
    wire        f_grouped  = f_rule == `TOTEM_KIND_CONTEXT || f_rule == `TOTEM_KIND_MODIFY
                             || f_rule == `TOTEM_KIND_LOAD;
    wire        f_of_bank  = f_rule == `TOTEM_KIND_REGISTERS || f_rule == `TOTEM_KIND_SHADER
                             || f_rule == `TOTEM_KIND_COPY || f_rule == `TOTEM_KIND_LOAD_REGISTERS;
    wire        f_waits    = ((phase_q == DECODE_HEADER || phase_q == DECODE_BODY || phase_q == DECODE_DATA)
        && f_held == 2'd0)
                             || !execute_ready || (phase_q == DECODE_CHECK && f_of_bank && !bank_loaded);

    // What the header that is looked at leads to: the rules from the last to the first.
    reg [4:0]  f_want, f_want_was;
    reg [7:0]  f_error, f_error_was;
    reg [14:0] f_size_was;
    reg [31:0] f_word_was;
    reg        f_brief, f_brief_was, f_bank_was, f_looked = 1'b0;
    always @* begin
        f_want  = f_rule;
        f_error = f_missing ? `TOTEM_ERROR_PACKET_FEATURE : 8'd0;
        if (!f_size)
            f_error = `TOTEM_ERROR_PACKET_COUNT_FORM;
        if (execute_skip)
            {f_want, f_error} = {`TOTEM_KIND_PASS, 8'd0};
        if ({17'd0, length_q} + {17'd0, execute_deferred} > fetch_available)
            f_error = fetch_in_buffer ? `TOTEM_ERROR_PACKET_COUNT_PAST_IB : `TOTEM_ERROR_PACKET_COUNT_PAST_WPTR;
        if (execute_group != 14'd0 && !f_grouped && f_op != `TOTEM_OP_NOP)
            f_error = `TOTEM_ERROR_PACKET_BOUNCE_CONTENT;
        if (execute_group != 14'd0 && length_q > {1'b0, execute_group})
            f_error = `TOTEM_ERROR_PACKET_BOUNCE_COUNT;
        if (header_q[31:30] != HEADER_PACKET || !F_NAMED[f_op]) begin
            f_want  = `TOTEM_KIND_PASS;
            f_error = execute_skip ? 8'd0 : header_q[31:30] == HEADER_PACKET ? `TOTEM_ERROR_PACKET_OPCODE
                                          : `TOTEM_ERROR_PACKET_HEADER_TYPE;
        end
        if (header_q[31:30] == HEADER_FILLER)
            {f_want, f_error} = {`TOTEM_KIND_NONE, 8'd0};
        if (fault_q != MEMORY_OK)
            f_error = READ_FAILED + {6'd0, fault_q};
        if (f_error != 8'd0)
            f_want = `TOTEM_KIND_ERROR;
        f_brief = f_want == `TOTEM_KIND_ERROR || f_want == `TOTEM_KIND_PASS
                  || (f_want == `TOTEM_KIND_NONE && (header_q[31:30] == HEADER_FILLER || length_q == 15'd1));
    end

    // The word of a packet with operands: the error of its first rule that is broken; the last register of a window;
    // the address that follows.
    wire        f_ruled    = kind_q != `TOTEM_KIND_NONE && kind_q != `TOTEM_KIND_PASS && kind_q != `TOTEM_KIND_ERROR;
    wire        f_sets     = kind_q == `TOTEM_KIND_REGISTERS;
    wire [16:0] f_end      = {1'b0, address[15:0]}
                             + ((rest_q == 15'd0 || f_pairs != 2'd0) ? 17'd0 : {2'd0, rest_q} - 17'd1);
    wire        f_no_bank  = address[15:7] != 9'h004;
    wire [2:0]  f_stride   = (kind_q != `TOTEM_KIND_WRITE) ? 3'd1 : control[16] ? 3'd0
                             : (control[11:8] == 4'd0) ? 3'd1 : 3'd4;
    reg         f_elsewhere = 1'b0, f_runs = 1'b0;
    reg [39:0]  f_follows;
    reg [7:0]   f_breaks;
    always @* begin
        f_breaks = 8'd0;
        case (kind_q)
            `TOTEM_KIND_REGISTERS, `TOTEM_KIND_SHADER:
                if (f_end > 17'h3ff) f_breaks = `TOTEM_ERROR_PACKET_SH_OFFSET;
            `TOTEM_KIND_CONTEXT, `TOTEM_KIND_MODIFY:
                if (f_end > 17'h3ff) f_breaks = `TOTEM_ERROR_PACKET_CONTEXT_OFFSET;
            `TOTEM_KIND_USER: if (drawn_q && f_end > 17'h3fff) f_breaks = `TOTEM_ERROR_PACKET_CONTEXT_OFFSET;
            `TOTEM_KIND_CLEAR: if (control[3:0] != 4'd0) f_breaks = `TOTEM_ERROR_PACKET_CLEAR_COMMAND;
            `TOTEM_KIND_BUFFER:    if (control[19:0] == 20'd0) f_breaks = `TOTEM_ERROR_PACKET_IB_SIZE_ZERO;
            `TOTEM_KIND_WRITE:
                if (control[11:8] != 4'd0 && control[11:8] != 4'd2 && control[11:8] != 4'd5
                    && !(drawn_q && control[11:8] == 4'd8))
                    f_breaks = `TOTEM_ERROR_PACKET_WRITE_DESTINATION;
            `TOTEM_KIND_WAIT, `TOTEM_KIND_WAIT_64:
                if (control[5] || (control[4] && (control[7] != control[6])))
                    f_breaks = `TOTEM_ERROR_PACKET_WAIT_OPERATION;
                else if (control[4] && control[2:0] == 3'd7)
                    f_breaks = `TOTEM_ERROR_PACKET_WAIT_FUNCTION;
            `TOTEM_KIND_COPY:
                if (control[3:0] != 4'd0 && control[3:0] != 4'd1 && control[3:0] != 4'd2 && control[3:0] != 4'd5
                    && control[3:0] != 4'd9)
                    f_breaks = `TOTEM_ERROR_PACKET_FEATURE;
                else if (control[11] || (control[10] && control[9:8] != 2'd1) || control[10:8] == 3'd3)
                    f_breaks = `TOTEM_ERROR_PACKET_WRITE_DESTINATION;
            `TOTEM_KIND_DMA: if (control[30:29] == 2'd1) f_breaks = `TOTEM_ERROR_PACKET_FEATURE;
            `TOTEM_KIND_ATOMIC:
                if ((control[4:0] != 5'd7 && control[4:0] != 5'd8 && control[4:0] != 5'd15) || control[11:10] != 2'd0)
                    f_breaks = `TOTEM_ERROR_PACKET_FEATURE;
            `TOTEM_KIND_RELEASE: begin
                if (control[17])                              f_breaks = `TOTEM_ERROR_PACKET_RELEASE_DESTINATION;
                if (control[26])                              f_breaks = `TOTEM_ERROR_PACKET_RELEASE_INT_SEL;
                if (control[31] && control[30:29] != 2'd0)    f_breaks = `TOTEM_ERROR_PACKET_RELEASE_DATA_SEL;
            end
            default: ;
        endcase
    end

    always @* begin
        f_reach = 4'd0;
        f_there = 1'b1;
        case (kind_q)
            `TOTEM_KIND_DISPATCH_INDIRECT, `TOTEM_KIND_COND_EXEC, `TOTEM_KIND_BUFFER,
            `TOTEM_KIND_LOAD_REGISTERS: f_reach = 4'd2;
            `TOTEM_KIND_LOAD: f_reach = f_ranges ? 4'd0 : 4'd2;
            `TOTEM_KIND_ATOMIC:     f_reach = 4'd3;
            `TOTEM_KIND_WAIT_64:    {f_reach, f_there} = {4'd3, control_q[5:4] == 2'd1};
            `TOTEM_KIND_WRITE: {f_reach, f_there} = {4'd3, control_q[11:8] == 4'd2 || control_q[11:8] == 4'd5};
            `TOTEM_KIND_WAIT:       {f_reach, f_there} = {4'd3, control_q[5:4] == 2'd1};
            `TOTEM_KIND_BASE:       {f_reach, f_there} = {4'd3, control_q[3:0] == 4'd1};
            `TOTEM_KIND_RELEASE:    {f_reach, f_there} = {4'd4, control_q[31:29] != 3'd0};
            `TOTEM_KIND_DRAW_MULTI: {f_reach, f_there} = {4'd7, control_q[30]};
            default: ;
        endcase
    end

    // A copy has two addresses, of its source behind dword 3, of its destination behind dword 5; a LOAD_CONTEXT_REG has
    // one in the same place, from dword 1 on.
    wire       f_copies = kind_q == `TOTEM_KIND_COPY || kind_q == `TOTEM_KIND_DMA;
    wire       f_from   = kind_q == `TOTEM_KIND_COPY ? control_q[3:0] == 4'd1 || control_q[3:0] == 4'd2
                          : control_q[30:29] == 2'd0 || control_q[30:29] == 2'd3;
    wire       f_to     = kind_q == `TOTEM_KIND_COPY ? control_q[11:8] == 4'd1 || control_q[11:8] == 4'd2
                                                       || control_q[11:8] == 4'd5
                          : control_q[21:20] == 2'd0 || control_q[21:20] == 2'd3;
    wire       f_ends   = (f_copies && ((place_q == 4'd3 && f_from) || (place_q == 4'd5 && f_to)))
                          || (f_ranges && place_q == 4'd2);
    wire       f_alien  = f_above == 8'd0 ? head[15:8] != 8'd0
                          : head[7] || !(head[15:8] == 8'd0 || head[15:8] == f_above);

    always @(posedge clk) begin
        if (phase_q == DECODE_BODY && f_held != 2'd0 && !unread && f_ends && !f_far && f_alien) begin
            f_far   <= 1'b1;
            f_upper <= head[31:0];
        end
        if (phase_q == DECODE_CHECK)
            {f_far, f_given} <= 2'd0;
        else if (phase_q == DECODE_BODY && f_held != 2'd0 && !unread && f_there && place_q == f_reach) begin
            f_far   <= f_alien;
            f_upper <= head[31:0];
            f_high  <= (f_above == 8'd0) ? head[7] : head[15:8] != 8'd0;
            f_given <= 1'b1;
        end
        if (rst)
            {f_far, f_given} <= 2'd0;
        f_past    <= 1'b1;
        f_kept    <= valid && !execute_ready && !execute_left && !(execute_drop && (stream || phase_q == DECODE_BODY));
        f_streams <= stream && valid && execute_ready && !execute_left && !last && !unread && code == 8'd0;
        f_kind    <= kind;
        f_header  <= header;
        f_control <= control;
        f_extra   <= extra;
        f_address <= address;
        f_data    <= data;
        f_second  <= second;
        f_length  <= length;
        f_code    <= code;
        f_last    <= last;
        f_unread  <= unread;
        f_counted <= counted;
        f_taken   <= f_begins && !execute_left;
        f_idle    <= phase_q == DECODE_HEADER;
        f_checked <= phase_q == DECODE_CHECK;
        f_drawn   <= graphics;
        if (phase_q == DECODE_CHECK) begin
            f_turn  <= 2'd0;
            f_group <= execute_group;
        end else if (stream && f_pairs != 2'd0 && f_held != 2'd0 && execute_ready && !unread) begin
            if (f_turn == 2'd0)
                f_offsets <= data[31:0];
            f_turn <= (f_turn == f_pairs) ? 2'd0 : f_turn + 2'd1;
        end
        f_own     <= (phase_d == DECODE_HEADER) ? 4'd0 : (f_own == 4'd15) ? 4'd15 : f_own + {3'd0, !f_waits};
        f_held    <= (execute_left || execute_drop) ? 2'd0
                     : f_held + {1'b0, fetch_dword_valid && dword_ready} - {1'b0, f_eats};
        f_looked    <= phase_q == DECODE_CHECK && !arbiter_leave && !execute_left;
        f_want_was  <= f_want;
        f_error_was <= f_error;
        f_brief_was <= f_brief;
        f_bank_was  <= bank_loaded;
        f_size_was  <= (f_want == `TOTEM_KIND_PASS && (header_q[31:30] != HEADER_PACKET || !F_NAMED[f_op])) ? 15'd1
                                                                                                            : length_q;
        f_word_was  <= header_q;
        if (stream && valid && execute_ready) begin
            f_follows   <= address + {37'd0, f_stride};
            f_elsewhere <= f_elsewhere || (f_sets && f_no_bank);
            f_runs      <= 1'b1;
        end
        if (execute_left || !stream)
            f_runs <= 1'b0;
        if (execute_left || !(stream || phase_q == DECODE_GIVE))
            f_elsewhere <= 1'b0;
        if (rst) begin
            f_held    <= 2'd0;
            f_looked  <= 1'b0;
            f_runs    <= 1'b0;
            f_elsewhere <= 1'b0;
            f_past    <= 1'b0;
            f_kept    <= 1'b0;
            f_streams <= 1'b0;
            f_taken   <= 1'b0;
            f_checked <= 1'b0;
            f_idle    <= 1'b1;
            f_own     <= 4'd0;
        end
        if (!rst) begin
            assert (phase_q <= DECODE_GIVE);                                                 // 1 state
            if (phase_q == DECODE_BODY || phase_q == DECODE_DATA)
                assert (rest_q != 15'd0 && rest_q < length_q && code_q == 8'd0);             // 1 state
            if (phase_q == DECODE_BODY) assert (place_q != 4'd0);                            // 1 state
            if (phase_q == DECODE_BODY && place_q != 4'd15) assert (length_q - rest_q == {11'd0, place_q});  // 1 state
            if (phase_q == DECODE_BODY && f_stream != 4'd0) assert (place_q < f_stream);     // 1 state
            if (phase_q == DECODE_DATA) assert (f_stream != 4'd0 && length_q - rest_q >= {11'd0, f_stream});  // 1 state
            if (phase_q == DECODE_BODY || phase_q == DECODE_DATA)
                assert (kind_q == f_rule && f_size && !f_missing && F_NAMED[f_op]);          // 1 state
            if (phase_q == DECODE_GIVE && f_ruled)
                assert (kind_q == f_rule && f_size && rest_q == 15'd0
                    && length_q == {1'b0, header_q[`TOTEM_PM4_HEADER_COUNT]} + 15'd2);       // 1 state
            if (phase_q == DECODE_BODY || phase_q == DECODE_DATA)
                assert (length_q == {1'b0, header_q[`TOTEM_PM4_HEADER_COUNT]} + 15'd2);      // 1 state
            if (phase_q == DECODE_CHECK)
                assert (length_q == ((header_q[31:30] != HEADER_PACKET || (f_op == `TOTEM_OP_NOP && (&header_q[29:16])))
                                     ? 15'd1 : {1'b0, header_q[29:16]} + 15'd2));                    // 1 state
            if (phase_q == DECODE_GIVE) assert (length_q != 15'd0);                          // 1 state
            if (f_kept)
                assert (valid && kind == f_kind && header == f_header && control == f_control && extra == f_extra
                        && address == f_address && data == f_data && second == f_second && length == f_length && code == f_code
                        && last == f_last && unread == f_unread && counted == f_counted);    // 2 stable
            if (f_streams)
                assert (stream && kind == f_kind && header == f_header && control == f_control && length
                        == f_length);  // 2 stable
            if (f_taken) assert (phase_q == DECODE_CHECK && boundary);                       // 3 boundary
            if (f_past && f_idle && !f_taken) assert (phase_q == DECODE_HEADER && boundary); // 3 boundary
            if (f_past && boundary && !f_taken && phase_q == DECODE_HEADER && !f_idle)
                assert ($past(arbiter_leave && phase_q == DECODE_CHECK) || $past(execute_left)
                        || $past(valid && execute_ready && (last || unread || code != 8'd0)));  // 3 boundary
            if (phase_q == DECODE_CHECK) assert (f_own <= 4'd1);                             // 4 bound
            if (phase_q == DECODE_BODY && !f_consumed) assert ({11'd0, f_own} <= 15'd1 + length_q - rest_q);  // 4 bound
            if (phase_q == DECODE_DATA && !drawn_q && rest_q == length_q - {11'd0, f_stream})
                assert (f_own <= 4'd1 + f_stream);                                           // 4 bound
            if (phase_q == DECODE_GIVE && !drawn_q && f_ruled && f_pairs == 2'd0) assert (f_own <= 4'd10);  // 4 bound
            if (phase_q == DECODE_GIVE && !drawn_q && f_ruled && kind_q != `TOTEM_KIND_RELEASE
                && kind_q != `TOTEM_KIND_WAIT && kind_q != `TOTEM_KIND_WAIT_64 && kind_q != `TOTEM_KIND_COPY
                && kind_q != `TOTEM_KIND_DMA && kind_q != `TOTEM_KIND_ATOMIC && f_pairs == 2'd0)
                assert (f_own <= 4'd6);                                                      // 4 bound
            if (phase_q == DECODE_GIVE && (kind_q == `TOTEM_KIND_ERROR || kind_q == `TOTEM_KIND_PASS))
                assert (f_own <= 4'd2);                                                      // 4 bound
            if (f_taken) assert (!valid);                                                    // 5 earliest
            if (valid) assert (!f_idle && !f_taken);                                         // 5 earliest
            if (phase_q == DECODE_GIVE || phase_q == DECODE_BODY || phase_q == DECODE_DATA)
                assert (!f_idle);  // 5 earliest
            if (f_checked && valid) assert (unread || (kind <= `TOTEM_KIND_PASS && !counted));  // 5 earliest
            if (valid && f_ruled && !unread) begin
                assert (code == (f_far ? `TOTEM_ERROR_PACKET_ADDRESS : f_breaks));           // 6 operands
                if (f_far) assert (control == f_upper);                                      // 6 operands
                if (!f_far && (f_ranges || (f_copies && f_to))) assert (second[63:40] == 24'd0);  // 6 operands
                if (f_copies && !f_far && f_from) assert (data[63:40] == 24'd0);             // 6 operands
                if (f_given && phase_q == DECODE_GIVE) assert (address[39] == f_high);       // 6 operands
                assert (counted == (f_sets && (f_no_bank || f_elsewhere)));                  // 6 operands
                assert (writes_context == (f_grouped || f_rule == `TOTEM_KIND_CLEAR));       // 6 operands
            end
            if (phase_q == DECODE_GIVE && fault_q != MEMORY_OK) assert (code_q == {6'h18, fault_q});  // 6 operands
            if (phase_q == DECODE_BODY || phase_q == DECODE_DATA)
                assert (fault_q == MEMORY_OK && code_q == 8'd0);  // 6 operands
            if (unread) assert (code == 8'h61 || code == 8'h62 || code == 8'h63);            // 6 operands
            if (f_runs && stream && f_pairs == 2'd0) assert (address == f_follows);          // 6 operands
            if (f_taken) assert (drawn_q == f_drawn);                                        // 6 operands
            if (f_looked && !f_brief_was && (f_want_was == `TOTEM_KIND_REGISTERS || f_want_was == `TOTEM_KIND_SHADER
                || f_want_was == `TOTEM_KIND_COPY || f_want_was == `TOTEM_KIND_LOAD_REGISTERS) && !f_bank_was)
                assert (phase_q == DECODE_CHECK);                                            // 7 header
            else if (f_looked && f_brief_was)
                assert (phase_q == DECODE_GIVE && kind == f_want_was && code == f_error_was && length == f_size_was
                        && control == f_word_was && !counted && last);                       // 7 header
            else if (f_looked)
                assert (phase_q == (f_stream == 4'd1 ? DECODE_DATA : DECODE_BODY) && kind == f_want_was
                    && rest_q == f_body
                        && place_q == 4'd1 && counted_q == !f_done);                         // 7 header
            if (stream) assert (valid == (f_held != 2'd0 && (unread || f_pairs == 2'd0 || f_turn != 2'd0)));  // 8 pairs
            if (f_pairs != 2'd0 && f_turn != 2'd0 && (stream || (phase_q == DECODE_GIVE && f_ruled)))
                assert (control == (f_far ? f_upper : f_offsets)
                        && address == {24'd0, f_turn == 2'd1 ? f_offsets[15:0] : f_offsets[31:16]});  // 8 pairs
            if (f_pairs != 2'd0 && phase_q == DECODE_GIVE && f_ruled) assert (f_turn == 2'd1);  // 8 pairs
            if (phase_q >= DECODE_BODY && f_group != 14'd0 && kind != `TOTEM_KIND_ERROR)
                assert ({1'b0, f_group} >= length && (kind == `TOTEM_KIND_NONE || kind == `TOTEM_KIND_PASS
                        || kind == `TOTEM_KIND_CONTEXT || kind == `TOTEM_KIND_MODIFY || kind
                                == `TOTEM_KIND_LOAD));  // 9 group
            if (valid && kind > `TOTEM_KIND_ATOMIC && kind != `TOTEM_KIND_LAUNCH)
                assert (drawn_q || (RUNLIST != 0 && kind == `TOTEM_KIND_ORDER));                     // 9 group
            // helpers
            if (phase_q == DECODE_BODY && (f_copies ? place_q <= 4'd3 : place_q <= (f_ranges ? 4'd2 : f_reach)))
                assert (!f_far && !f_given);
            if (f_reach == 4'd0 && phase_q > DECODE_CHECK) assert (!f_given);
            if (phase_q != DECODE_HEADER && phase_q != DECODE_CHECK) assert (far_q == f_far);
            if (phase_q == DECODE_BODY && f_copies && !f_far && f_from && place_q > 4'd3) assert (data_q[63:40] == 24'd0);
            if (phase_q == DECODE_BODY && f_copies && !f_far && f_to && place_q > 4'd5) assert (second_q[63:40] == 24'd0);
            if (stream && f_ranges && !f_far) assert (second_q[63:40] == 24'd0);
            if (phase_q == DECODE_GIVE && f_ranges && !f_far) assert (second_q[63:40] == 24'd0);
            if (phase_q > DECODE_CHECK && f_far)
                assert (f_ruled && (f_given || f_copies || f_ranges) && control_q == f_upper);
            if (phase_q > DECODE_CHECK && f_given) assert (f_ruled && address_q[39] == f_high || stream);
            assert (dword_ready == (f_held < 2'd2) && offered == (f_held != 2'd0) && f_held != 2'd3);
            if (phase_q == DECODE_BODY && f_ruled) assert (!counted_q);
            if (phase_q == DECODE_BODY) assert (turn_q == TURN_OFFSET && f_turn == 2'd0);
            if (stream || (phase_q == DECODE_GIVE && f_ruled))
                assert (counted_q == f_elsewhere && (f_sets || !f_elsewhere));
            if (stream) assert (turn_q == f_turn && f_turn <= f_pairs);
            if ((phase_q == DECODE_GIVE && f_ruled) || stream) assert (code_q == 8'd0);
            cover (valid && stream && !last && code == 8'd0);
            cover (valid && kind_q == `TOTEM_KIND_RELEASE && code == 8'd0);
            cover (unread);
            cover (valid && !unread && f_far && !stream);
            cover (valid && kind_q == `TOTEM_KIND_PASS);
        end
    end
