// SPDX-License-Identifier: Apache-2.0
//
// totem_decode: finds the packets in the dwords of the selected queue and hands them to totem_execute.
//
// Policy    a header is looked at when execute has nothing in hand; what its packet is, which of its dwords
//           are operands and what they may be is in totem_decode_table, generated from pm4.yaml. Errors
//           are handed over like packets; nothing else sees this block. In a stream of pairs the offsets
//           become addresses. In a group of a graphics queue only context registers may be written.
// Latency   header and check 2 clocks, body 1 per dword, a stream one word per clock.
// Boundary  a word stands still until execute takes it. `execute_drop` and `execute_left` tell fetch and
//           the own inbox alike to forget what was delivered ahead.
// Cost      about 330 flip-flops, of which 70 are the inbox.
// Proved    a word that waits does not change (2), no boundary inside a packet (3), a first word comes within
//           the clocks of its packet (4), none in the clock behind a commit (5).
// Twin      cmodel/packet/totem_decode.c, same names.

`default_nettype none
`include "totem_pm4.vh"

module totem_decode #(
    parameter TASKS = 1                     // 1: the machine has tasks
) (
    input  wire        clk,
    input  wire        rst,
    // arbiter
    input  wire        arbiter_leave,
    // fetch
    input  wire        fetch_dword_valid,
    input  wire [31:0] fetch_dword_data,
    input  wire [1:0]  fetch_dword_error,
    output wire        dword_ready,
    input  wire [31:0] fetch_available,
    input  wire        fetch_in_buffer,
    // bank
    input  wire        bank_loaded,
    // execute
    input  wire        execute_ready,
    input  wire        execute_skip,
    input  wire        execute_drop,
    input  wire        execute_left,
    input  wire [13:0] execute_group,
    input  wire [14:0] execute_deferred,
    output wire        boundary,
    output wire        stream,
    output wire        valid,
    output wire [4:0]  kind,
    output wire        last,
    output wire        unread,
    output wire [7:0]  code,
    output wire [31:0] header,
    output wire [14:0] length,
    output wire        counted,
    output wire        writes_context,
    output wire [31:0] control,
    output wire [39:0] address,
    output wire [63:0] data,
    output wire [31:0] extra,
    // constant
    input  wire        graphics
);
    localparam [2:0] HEADER = 3'd0, CHECK = 3'd1, BODY = 3'd2, DATA = 3'd3, GIVE = 3'd4;
    localparam [7:0] READ_FAILED = `TOTEM_ERROR_MEMORY_READ_SLVERR - 8'd1;  // plus the error of the beat

    reg [2:0]  phase_q, phase_d;
    reg [31:0] header_q, header_d;
    reg        drawn_q, drawn_d;
    reg [1:0]  fault_q, fault_d;
    reg [14:0] length_q, length_d;
    reg [14:0] rest_q, rest_d;
    reg [3:0]  place_q, place_d;
    reg [1:0]  turn_q, turn_d;
    reg [4:0]  kind_q, kind_d;
    reg [7:0]  code_q, code_d;
    reg        counted_q, counted_d;
    reg [31:0] control_q, control_d;
    reg [39:0] address_q, address_d;
    reg [63:0] data_q, data_d;
    reg [31:0] extra_q, extra_d;

    // Registers that reset leaves alone read 0 at start, as in the model.
    initial begin
        phase_q = 0; header_q = 0; drawn_q = 0; fault_q = 0; length_q = 0; rest_q = 0; place_q = 0; turn_q = 0;
        kind_q = 0; code_q = 0; counted_q = 0; control_q = 0; address_q = 0; data_q = 0; extra_q = 0;
    end

    // Dwords from fetch. What was delivered ahead is forgotten when the queue leaves or jumps.
    wire        offered;
    wire [33:0] head;
    wire        wrong = head[33:32] != 2'd0;
    wire        take = (phase_q == HEADER && execute_ready && !arbiter_leave && !execute_drop) ||
                       (phase_q == BODY && (!wrong || execute_ready)) || (phase_q == DATA && execute_ready);
    totem_inbox #(.WIDTH(34)) dwords (
        .clk(clk), .rst(rst || execute_left || execute_drop),
        .in_valid(fetch_dword_valid), .in_ready(dword_ready), .in_data({fetch_dword_error, fetch_dword_data}),
        .out_valid(offered), .out_data(head), .out_take(take)
    );
    wire [31:0] word  = head[31:0];

    // What there is to know of the packet.
    wire [7:0]  op = header_q[`TOTEM_PM4_HEADER_OPCODE];
    wire        known, executed, refused, sized;
    wire [4:0]  row_kind;
    wire [3:0]  at_control, at_address, at_data, at_high, at_extra, at_stream;
    wire [1:0]  pairs;
    wire [2:0]  stride;
    wire [16:0] window;
    wire [7:0]  window_code, row_code;
    totem_decode_table table_row (
        .graphics(drawn_q), .op(op), .count(header_q[`TOTEM_PM4_HEADER_COUNT]), .control(control_q),
        .known(known), .executed(executed), .refused(refused), .sized(sized), .kind(row_kind), .at_control(at_control),
        .at_address(at_address), .at_data(at_data), .at_high(at_high), .at_extra(at_extra), .at_stream(at_stream),
        .pairs(pairs), .stride(stride), .window(window), .window_code(window_code), .code(row_code)
    );
    wire        fits_group = op == `TOTEM_OP_NOP || row_kind == `TOTEM_KIND_CONTEXT || row_kind == `TOTEM_KIND_MODIFY
                             || row_kind == `TOTEM_KIND_LOAD;
    wire        of_bank = row_kind == `TOTEM_KIND_REGISTERS || row_kind == `TOTEM_KIND_SHADER;

    wire       stranger, filler, pass;
    wire [7:0] header_code;
    totem_decode_check looks (
        .header_type(header_q[`TOTEM_PM4_HEADER_TYPE]), .fault(fault_q), .length(length_q), .available(fetch_available),
        .in_buffer(fetch_in_buffer), .skip(execute_skip), .known(known), .sized(sized), .refused(refused && TASKS == 0),
        .group(execute_group), .fits_group(fits_group), .deferred(execute_deferred),
        .stranger(stranger), .filler(filler), .pass(pass), .code(header_code)
    );

    // Operands. Offset and values of a window end at its last register; an offset beyond it is wrong without a value
    // too.
    wire        ruled  = kind_q != `TOTEM_KIND_NONE && kind_q != `TOTEM_KIND_ERROR && kind_q != `TOTEM_KIND_PASS;
    wire        writes = ruled && window != 17'd0;
    wire [16:0] offset = {1'b0, address_q[15:0]};
    wire        beyond = (pairs != 2'd0 || rest_q == 15'd0) ? offset >= window : offset + {2'd0, rest_q} > window;
    wire        here   = address_q[15:10] == 6'd0 && address_q[9:0] >= `TOTEM_SH_COMPUTE_FIRST
                         && address_q[9:0] <= `TOTEM_SH_COMPUTE_LAST;

    assign boundary = phase_q == HEADER || phase_q == CHECK;
    assign stream   = phase_q == DATA;
    assign unread   = ((phase_q == BODY || phase_q == DATA) && offered && wrong)
                    || (phase_q == GIVE && fault_q != 2'd0);
    wire   places   = phase_q == DATA && pairs != 2'd0 && turn_q == 2'd0;       // the dword is an offset, or two
    assign valid    = phase_q == GIVE || unread || (phase_q == DATA && offered && !places);
    assign kind     = kind_q;
    assign last     = phase_q == GIVE || rest_q == 15'd1;
    assign code     = (code_q != 8'd0) ? code_q
                    : unread ? READ_FAILED + {6'd0, head[33:32]}
                    : (ruled && row_code != 8'd0) ? row_code
                    : (writes && beyond) ? window_code : 8'd0;
    assign header   = header_q;
    assign length   = length_q;
    assign counted  = counted_q || (kind_q == `TOTEM_KIND_REGISTERS && !here);
    assign writes_context = row_kind == `TOTEM_KIND_CONTEXT || row_kind == `TOTEM_KIND_MODIFY
                            || row_kind == `TOTEM_KIND_LOAD || row_kind == `TOTEM_KIND_CLEAR;
    assign control  = control_q;
    assign address  = address_q;
    assign data     = {data_q[63:32], (phase_q == DATA) ? word : data_q[31:0]};
    assign extra    = extra_q;

    wire [13:0] word_count    = word[`TOTEM_PM4_HEADER_COUNT];
    wire        word_bodyless = word[`TOTEM_PM4_HEADER_TYPE] != 2'd3
                                || (word[`TOTEM_PM4_HEADER_OPCODE] == `TOTEM_OP_NOP && word_count == 14'h3fff);

    always @* begin
        phase_d   = phase_q;
        header_d  = header_q;
        drawn_d   = drawn_q;
        fault_d   = fault_q;
        length_d  = length_q;
        rest_d    = rest_q;
        place_d   = place_q;
        turn_d    = turn_q;
        kind_d    = kind_q;
        code_d    = code_q;
        counted_d = counted_q;
        control_d = control_q;
        address_d = address_q;
        data_d    = data_q;
        extra_d   = extra_q;

        case (phase_q)
            HEADER:
                if (take && offered) begin
                    header_d = word;
                    drawn_d  = graphics;
                    fault_d  = head[33:32];
                    length_d = word_bodyless ? 15'd1 : {1'b0, word_count} + 15'd2;
                    phase_d  = CHECK;
                end

            CHECK:
                if (arbiter_leave)
                    phase_d = HEADER;
                else begin
                    code_d    = header_code;
                    counted_d = 1'b0;
                    control_d = header_q;
                    phase_d   = GIVE;
                    if (header_code != 8'd0)
                        kind_d = `TOTEM_KIND_ERROR;
                    else if (pass) begin
                        kind_d = `TOTEM_KIND_PASS;
                        if (stranger)
                            length_d = 15'd1;
                    end else if (filler)
                        kind_d = `TOTEM_KIND_NONE;
                    else if (of_bank && !bank_loaded)
                        phase_d = CHECK;
                    else if (length_q == 15'd1)
                        kind_d = `TOTEM_KIND_NONE;
                    else begin
                        kind_d    = row_kind;
                        rest_d    = length_q - 15'd1;
                        place_d   = 4'd1;
                        turn_d    = 2'd0;
                        counted_d = !executed;
                        phase_d   = (at_stream == 4'd1) ? DATA : BODY;
                    end
                end

            BODY:
                if (offered && wrong) begin
                    if (execute_ready)
                        phase_d = HEADER;
                end else if (offered) begin
                    rest_d  = rest_q - 15'd1;
                    place_d = (place_q == 4'd15) ? 4'd15 : place_q + 4'd1;
                    if (at_control != 4'd0 && place_q == at_control)
                        control_d = word;
                    if (at_address != 4'd0 && place_q == at_address)
                        address_d[31:0] = word;
                    if (at_address != 4'd0 && place_q == at_address + 4'd1)
                        address_d[39:32] = word[7:0];
                    if (at_data != 4'd0 && place_q == at_data)
                        data_d[31:0] = word;
                    if (at_high != 4'd0 && place_q == at_high)
                        data_d[63:32] = word;
                    if (at_extra != 4'd0 && place_q == at_extra)
                        extra_d = word;
                    if (rest_q == 15'd1)
                        phase_d = GIVE;
                    else if (at_stream != 4'd0 && place_q + 4'd1 == at_stream)
                        phase_d = DATA;
                end

            DATA:
                if (offered && execute_ready) begin
                    rest_d = rest_q - 15'd1;
                    if (places && !wrong) begin
                        control_d = word;
                        address_d = {24'd0, word[15:0]};
                        turn_d    = 2'd1;
                        if (rest_q == 15'd1)
                            phase_d = GIVE;
                    end else begin
                        counted_d = counted;
                        address_d = (pairs != 2'd0) ? {24'd0, control_q[31:16]} : address_q + {37'd0, stride};
                        if (pairs != 2'd0)
                            turn_d = (turn_q == 2'd1 && pairs == 2'd2) ? 2'd2 : 2'd0;
                        if (rest_q == 15'd1 || wrong || code != 8'd0)
                            phase_d = HEADER;
                    end
                end

            GIVE:
                if (execute_ready)
                    phase_d = HEADER;

            default: ;
        endcase

        if (execute_left)
            phase_d = HEADER;
    end

    always @(posedge clk) begin
        phase_q   <= phase_d;
        header_q  <= header_d;
        drawn_q   <= drawn_d;
        fault_q   <= fault_d;
        length_q  <= length_d;
        rest_q    <= rest_d;
        place_q   <= place_d;
        turn_q    <= turn_d;
        kind_q    <= kind_d;
        code_q    <= code_d;
        counted_q <= counted_d;
        control_q <= control_d;
        address_q <= address_d;
        data_q    <= data_d;
        extra_q   <= extra_d;
        if (rst) begin
            phase_q   <= HEADER;
            header_q  <= 32'd0;
            drawn_q   <= 1'b0;
            fault_q   <= 2'd0;
            length_q  <= 15'd0;
            rest_q    <= 15'd0;
            place_q   <= 4'd0;
            turn_q    <= 2'd0;
            kind_q    <= 5'd0;
            code_q    <= 8'd0;
            counted_q <= 1'b0;
        end
    end

`ifdef FORMAL
    // Contract 1: a body has dwords left.
    // Contract 2: a word that is not taken stays as it is; in a stream all operands but the address do.
    // Contract 3: a header is taken when it is there, execute is ready and the queue stays. A packet that has begun has
    //             no boundary until its last word, or one with an error, is taken.
    // Contract 4: of a compute queue a first word comes in the 10th clock at the latest, of a dispatch and of others in
    //             the 7th, not counting those in which it waits for a dword, for execute or for the registers.
    // Contract 5: no word in the first two clocks in which execute has nothing in hand, of a packet with a body in the
    //             third.
    // Contract 6: an operand that the rules of its packet refuse has the error of the rule, any other none; a register
    //             that the bank does not have is counted; a stream's addresses follow each other.
    // Contract 7: what a header leads to, and the error that it has.
    // Contract 8: in a stream of pairs every value has the offset that stood in front of it, and an offset is no word.
    // Contract 9: in a group nothing but its kinds is handed over, and nothing that reaches beyond it.
    // f_held counts the inbox: dwords that came and were not consumed. f_turn counts the dwords of a pair.
    initial assume (rst);
    reg        f_past = 1'b0;
    reg        f_kept = 1'b0;               // a word was offered a clock ago, not taken and not forgotten
    reg [4:0]  f_kind;
    reg [31:0] f_header, f_control, f_extra;
    reg [39:0] f_address;
    reg [63:0] f_data;
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
    reg [31:0] f_offsets;                   // the last dword of offsets that was taken
    reg [13:0] f_group;                     // what was left of the group when the header was looked at
    reg        f_drawn;                     // a graphics queue, a clock ago
    wire [7:0] f_op = header_q[`TOTEM_PM4_HEADER_OPCODE];
    wire       f_consumed = kind_q == `TOTEM_KIND_NONE;
    wire       f_begins = phase_q == HEADER && f_held != 2'd0 && execute_ready && !execute_drop && !arbiter_leave;
    wire       f_eats   = f_begins || (f_held != 2'd0 && ((phase_q == BODY && (execute_ready || !unread))
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
            `TOTEM_OP_WAIT_REG_MEM:      begin f_rule = `TOTEM_KIND_WAIT;              f_size = f_body == 15'd6; end
            `TOTEM_OP_INDIRECT_BUFFER:   begin f_rule = `TOTEM_KIND_BUFFER;            f_size = f_body == 15'd3; end
            `TOTEM_OP_RELEASE_MEM:       begin f_rule = `TOTEM_KIND_RELEASE;           f_size = f_body == 15'd7; end
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
                `TOTEM_OP_LOAD_CONTEXT_REG, `TOTEM_OP_LOAD_CONTEXT_REG_INDEX: begin
                    f_rule = `TOTEM_KIND_LOAD;
                    f_size = f_body == 15'd4;
                end
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
    wire        f_done     = drawn_q ? F_DRAWN[f_op] : F_DONE[f_op];
    wire        f_grouped  = f_rule == `TOTEM_KIND_CONTEXT || f_rule == `TOTEM_KIND_MODIFY
                             || f_rule == `TOTEM_KIND_LOAD;
    wire        f_of_bank  = f_rule == `TOTEM_KIND_REGISTERS || f_rule == `TOTEM_KIND_SHADER;
    wire        f_waits    = ((phase_q == HEADER || phase_q == BODY || phase_q == DATA) && f_held == 2'd0)
                             || !execute_ready || (phase_q == CHECK && f_of_bank && !bank_loaded);

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
        if (header_q[31:30] != 2'd3 || !F_NAMED[f_op]) begin
            f_want  = `TOTEM_KIND_PASS;
            f_error = execute_skip ? 8'd0 : header_q[31:30] == 2'd3 ? `TOTEM_ERROR_PACKET_OPCODE
                                          : `TOTEM_ERROR_PACKET_HEADER_TYPE;
        end
        if (header_q[31:30] == 2'd2)
            {f_want, f_error} = {`TOTEM_KIND_NONE, 8'd0};
        if (fault_q != 2'd0)
            f_error = 8'h60 + {6'd0, fault_q};
        if (f_error != 8'd0)
            f_want = `TOTEM_KIND_ERROR;
        f_brief = f_want == `TOTEM_KIND_ERROR || f_want == `TOTEM_KIND_PASS
                  || (f_want == `TOTEM_KIND_NONE && (header_q[31:30] == 2'd2 || length_q == 15'd1));
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
            `TOTEM_KIND_USER: if (f_end > 17'h3fff) f_breaks = `TOTEM_ERROR_PACKET_CONTEXT_OFFSET;
            `TOTEM_KIND_CLEAR: if (control[3:0] != 4'd0) f_breaks = `TOTEM_ERROR_PACKET_CLEAR_COMMAND;
            `TOTEM_KIND_BUFFER:    if (control[19:0] == 20'd0) f_breaks = `TOTEM_ERROR_PACKET_IB_SIZE_ZERO;
            `TOTEM_KIND_WRITE:
                if (control[11:8] != 4'd0 && control[11:8] != 4'd2 && control[11:8] != 4'd5
                    && !(drawn_q && control[11:8] == 4'd8))
                    f_breaks = `TOTEM_ERROR_PACKET_WRITE_DESTINATION;
            `TOTEM_KIND_WAIT:
                if (control[5] || (control[4] && (control[7] != control[6])))
                    f_breaks = `TOTEM_ERROR_PACKET_WAIT_OPERATION;
                else if (control[4] && control[2:0] == 3'd7)
                    f_breaks = `TOTEM_ERROR_PACKET_WAIT_FUNCTION;
            `TOTEM_KIND_RELEASE: begin
                if (control[17])                              f_breaks = `TOTEM_ERROR_PACKET_RELEASE_DESTINATION;
                if (control[26])                              f_breaks = `TOTEM_ERROR_PACKET_RELEASE_INT_SEL;
                if (control[31] && control[30:29] != 2'd0)    f_breaks = `TOTEM_ERROR_PACKET_RELEASE_DATA_SEL;
            end
            default: ;
        endcase
    end

    always @(posedge clk) begin
        f_past    <= 1'b1;
        f_kept    <= valid && !execute_ready && !execute_left && !(execute_drop && (stream || phase_q == BODY));
        f_streams <= stream && valid && execute_ready && !execute_left && !last && !unread && code == 8'd0;
        f_kind    <= kind;
        f_header  <= header;
        f_control <= control;
        f_extra   <= extra;
        f_address <= address;
        f_data    <= data;
        f_length  <= length;
        f_code    <= code;
        f_last    <= last;
        f_unread  <= unread;
        f_counted <= counted;
        f_taken   <= f_begins && !execute_left;
        f_idle    <= phase_q == HEADER;
        f_checked <= phase_q == CHECK;
        f_drawn   <= graphics;
        if (phase_q == CHECK) begin
            f_turn  <= 2'd0;
            f_group <= execute_group;
        end else if (stream && f_pairs != 2'd0 && f_held != 2'd0 && execute_ready && !unread) begin
            if (f_turn == 2'd0)
                f_offsets <= data[31:0];
            f_turn <= (f_turn == f_pairs) ? 2'd0 : f_turn + 2'd1;
        end
        f_own     <= (phase_d == HEADER) ? 4'd0 : (f_own == 4'd15) ? 4'd15 : f_own + {3'd0, !f_waits};
        f_held    <= (execute_left || execute_drop) ? 2'd0
                     : f_held + {1'b0, fetch_dword_valid && dword_ready} - {1'b0, f_eats};
        f_looked    <= phase_q == CHECK && !arbiter_leave && !execute_left;
        f_want_was  <= f_want;
        f_error_was <= f_error;
        f_brief_was <= f_brief;
        f_bank_was  <= bank_loaded;
        f_size_was  <= (f_want == `TOTEM_KIND_PASS && (header_q[31:30] != 2'd3 || !F_NAMED[f_op])) ? 15'd1 : length_q;
        f_word_was  <= header_q;
        if (stream && valid && execute_ready) begin
            f_follows   <= address + {37'd0, f_stride};
            f_elsewhere <= f_elsewhere || (f_sets && f_no_bank);
            f_runs      <= 1'b1;
        end
        if (execute_left || !stream) begin
            f_elsewhere <= 1'b0;
            f_runs      <= 1'b0;
        end
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
            assert (phase_q <= GIVE);                                                                       // 1
            if (phase_q == BODY || phase_q == DATA) assert (rest_q != 15'd0 && rest_q < length_q && code_q == 8'd0);
            if (phase_q == BODY) assert (place_q != 4'd0);
            if (phase_q == BODY && place_q != 4'd15) assert (length_q - rest_q == {11'd0, place_q});
            if (phase_q == BODY && f_stream != 4'd0) assert (place_q < f_stream);
            if (phase_q == DATA) assert (f_stream != 4'd0 && length_q - rest_q >= {11'd0, f_stream});
            if (phase_q == BODY || phase_q == DATA) assert (kind_q == f_rule && f_size && !f_missing && F_NAMED[f_op]);
            if (phase_q == GIVE && f_ruled)
                assert (kind_q == f_rule && f_size && rest_q == 15'd0
                    && length_q == {1'b0, header_q[`TOTEM_PM4_HEADER_COUNT]} + 15'd2);
            if (phase_q == BODY || phase_q == DATA)
                assert (length_q == {1'b0, header_q[`TOTEM_PM4_HEADER_COUNT]} + 15'd2);
            if (phase_q == CHECK)
                assert (length_q == ((header_q[31:30] != 2'd3 || (f_op == `TOTEM_OP_NOP && (&header_q[29:16]))) ? 15'd1
                                     : {1'b0, header_q[29:16]} + 15'd2));
            if (phase_q == GIVE) assert (length_q != 15'd0);
            if (f_kept)                                                                                     // 2
                assert (valid && kind == f_kind && header == f_header && control == f_control && extra == f_extra
                        && address == f_address && data == f_data && length == f_length && code == f_code
                        && last == f_last && unread == f_unread && counted == f_counted);
            if (f_streams)
                assert (stream && kind == f_kind && header == f_header && control == f_control && length == f_length);
            if (f_taken) assert (phase_q == CHECK && boundary);                                             // 3
            if (f_past && f_idle && !f_taken) assert (phase_q == HEADER && boundary);
            if (f_past && boundary && !f_taken && phase_q == HEADER && !f_idle)
                assert ($past(arbiter_leave && phase_q == CHECK) || $past(execute_left)
                        || $past(valid && execute_ready && (last || unread || code != 8'd0)));
            if (phase_q == CHECK) assert (f_own <= 4'd1);                                                   // 4
            if (phase_q == BODY && !f_consumed) assert ({11'd0, f_own} <= 15'd1 + length_q - rest_q);
            if (phase_q == DATA && !drawn_q && rest_q == length_q - {11'd0, f_stream})
                assert (f_own <= 4'd1 + f_stream);
            if (phase_q == GIVE && !drawn_q && f_ruled) assert (f_own <= 4'd9);
            if (phase_q == GIVE && !drawn_q && f_ruled && kind_q != `TOTEM_KIND_RELEASE && kind_q != `TOTEM_KIND_WAIT)
                assert (f_own <= 4'd6);
            if (phase_q == GIVE && (kind_q == `TOTEM_KIND_ERROR || kind_q == `TOTEM_KIND_PASS)) assert (f_own <= 4'd2);
            if (f_taken) assert (!valid);                                                                   // 5
            if (valid) assert (!f_idle && !f_taken);
            if (phase_q == GIVE || phase_q == BODY || phase_q == DATA) assert (!f_idle);
            if (f_checked && valid) assert (unread || (kind <= `TOTEM_KIND_PASS && !counted));
            if (valid && f_ruled && !unread) begin                                                          // 6
                assert (code == f_breaks);
                assert (counted == (f_sets && (f_no_bank || f_elsewhere)));
                assert (writes_context == (f_grouped || f_rule == `TOTEM_KIND_CLEAR));
            end
            if (phase_q == GIVE && fault_q != 2'd0) assert (code_q == {6'h18, fault_q});
            if (phase_q == BODY || phase_q == DATA) assert (fault_q == 2'd0 && code_q == 8'd0);
            if (unread) assert (code == 8'h61 || code == 8'h62 || code == 8'h63);
            if (f_runs && stream && f_pairs == 2'd0) assert (address == f_follows);
            if (f_taken) assert (drawn_q == f_drawn);
            if (f_looked && !f_brief_was && (f_want_was == `TOTEM_KIND_REGISTERS || f_want_was == `TOTEM_KIND_SHADER)
                && !f_bank_was)                                                                             // 7
                assert (phase_q == CHECK);
            else if (f_looked && f_brief_was)
                assert (phase_q == GIVE && kind == f_want_was && code == f_error_was && length == f_size_was
                        && control == f_word_was && !counted && last);
            else if (f_looked)
                assert (phase_q == (f_stream == 4'd1 ? DATA : BODY) && kind == f_want_was && rest_q == f_body
                        && place_q == 4'd1 && counted_q == !f_done);
            if (stream) assert (valid == (f_held != 2'd0 && (unread || f_pairs == 2'd0 || f_turn != 2'd0)));// 8
            if (f_pairs != 2'd0 && f_turn != 2'd0 && (stream || (phase_q == GIVE && f_ruled)))
                assert (control == f_offsets
                        && address == {24'd0, f_turn == 2'd1 ? f_offsets[15:0] : f_offsets[31:16]});
            if (f_pairs != 2'd0 && phase_q == GIVE && f_ruled) assert (f_turn == 2'd1);
            if (phase_q >= BODY && f_group != 14'd0 && kind != `TOTEM_KIND_ERROR)                           // 9
                assert ({1'b0, f_group} >= length && (kind == `TOTEM_KIND_NONE || kind == `TOTEM_KIND_PASS
                        || kind == `TOTEM_KIND_CONTEXT || kind == `TOTEM_KIND_MODIFY || kind == `TOTEM_KIND_LOAD));
            if (valid && kind > `TOTEM_KIND_BUFFER && kind != `TOTEM_KIND_LAUNCH) assert (drawn_q);
            // Helpers.
            assert (dword_ready == (f_held < 2'd2) && offered == (f_held != 2'd0) && f_held != 2'd3);
            if (phase_q == BODY && f_ruled) assert (!counted_q);
            if (phase_q == BODY) assert (turn_q == 2'd0 && f_turn == 2'd0);
            if (stream) assert (counted_q == f_elsewhere && (f_sets || !f_elsewhere));
            if (stream) assert (turn_q == f_turn && f_turn <= f_pairs);
            if ((phase_q == GIVE && f_ruled) || stream) assert (code_q == 8'd0);
            if (phase_q == GIVE && f_ruled) assert (!counted_q);
            cover (valid && stream && !last && code == 8'd0);
            cover (valid && kind_q == `TOTEM_KIND_RELEASE && code == 8'd0);
            cover (unread);
            cover (valid && kind_q == `TOTEM_KIND_PASS);
        end
    end
`endif
endmodule

`default_nettype wire
