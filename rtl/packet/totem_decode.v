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

module totem_decode (
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
    input  wire [39:0] fetch_position,
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
        .in_buffer(fetch_in_buffer), .skip(execute_skip), .known(known), .sized(sized), .refused(refused),
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
    assign unread   = (phase_q == BODY || phase_q == DATA) && offered && wrong;
    wire   places   = phase_q == DATA && pairs != 2'd0 && turn_q == 2'd0;       // the dword is an offset, or two
    assign valid    = phase_q == GIVE || unread || (phase_q == DATA && offered && !places);
    assign kind     = kind_q;
    assign last     = phase_q == GIVE || rest_q == 15'd1;
    assign code     = unread ? READ_FAILED + {6'd0, head[33:32]}
                    : (code_q != 8'd0) ? code_q
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
                    control_d = (fault_q != 2'd0) ? fetch_position[31:0] : header_q;
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

    // Of the position the low half is recorded; an offset has 16 bits.
    wire unused = &{1'b0, fetch_position[39:32]};

`ifdef FORMAL
    // Contract 1: a body has dwords left.
    // Contract 2: a word that is not taken stays as it is; in a stream all operands but the address do.
    // Contract 3: a packet that has begun has no boundary until its last word, or one with an error, is taken.
    // Contract 4: of a compute queue a first word comes in the 10th clock at the latest, of a dispatch and of others in
    //             the 7th, not counting those in which it waits for a dword, for execute or for the registers.
    // Contract 5: no word in the first two clocks in which execute has nothing in hand, of a packet with a body in the
    //             third.
    // Contract 6: a word without an error keeps the rules of its packet: size, window, legal operands.
    // Contract 7: a value of a pair has the offset that stood in front of it, and there is one for every offset.
    // Contract 8: in a group nothing but its kinds is handed over, and nothing that reaches beyond it.
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
    wire [7:0] f_op = header_q[`TOTEM_PM4_HEADER_OPCODE];
    reg [31:0] f_offsets;                   // the last dword of offsets taken
    reg [1:0]  f_values = 2'd0;             // values taken behind it
    reg [13:0] f_group;                     // group and length when the header was looked at
    wire       f_pairs = f_op == 8'hb8 || f_op == 8'hba, f_packed = f_op == 8'hb9 || f_op == 8'hbb || f_op == 8'hbd;
    wire       f_waits = ((phase_q == HEADER || phase_q == BODY || phase_q == DATA) && !offered) || !execute_ready
                         || (phase_q == CHECK && of_bank && !bank_loaded);
    wire       f_consumed = kind_q == `TOTEM_KIND_NONE;

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
        f_taken   <= phase_q == HEADER && take && offered && !execute_left;
        f_idle    <= phase_q == HEADER;
        f_checked <= phase_q == CHECK;
        if (phase_q == CHECK) begin
            f_values <= 2'd0;
            f_group  <= execute_group;
        end else if (phase_q == DATA && offered && execute_ready && !unread) begin
            if (!valid)
                f_offsets <= word;
            f_values <= valid ? f_values + 2'd1 : 2'd0;
        end
        f_own     <= (phase_d == HEADER) ? 4'd0 : (f_own == 4'd15) ? 4'd15 : f_own + {3'd0, !f_waits};
        if (rst) begin
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
            if (phase_q == BODY && at_stream != 4'd0) assert (place_q < at_stream);
            if (phase_q == DATA) assert (at_stream != 4'd0 && length_q - rest_q >= {11'd0, at_stream});
            if (phase_q == BODY || phase_q == DATA) assert (kind_q == row_kind && sized && !refused && known);
            if (phase_q == GIVE && ruled)
                assert (kind_q == row_kind && sized && rest_q == 15'd0
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
            if (f_past && boundary && !f_taken && phase_q == HEADER && !f_idle)
                assert ($past(arbiter_leave && phase_q == CHECK) || $past(execute_left)
                        || $past(valid && execute_ready && (last || unread || code != 8'd0)));
            if (phase_q == CHECK) assert (f_own <= 4'd1);                                                   // 4
            if (phase_q == BODY && !f_consumed) assert ({11'd0, f_own} <= 15'd1 + length_q - rest_q);
            if (phase_q == DATA && !drawn_q && rest_q == length_q - {11'd0, at_stream})
                assert (f_own <= 4'd1 + at_stream);
            if (phase_q == GIVE && !drawn_q && ruled) assert (f_own <= 4'd9);
            if (phase_q == GIVE && !drawn_q && ruled && kind_q != `TOTEM_KIND_RELEASE && kind_q != `TOTEM_KIND_WAIT)
                assert (f_own <= 4'd6);
            if (phase_q == GIVE && (kind_q == `TOTEM_KIND_ERROR || kind_q == `TOTEM_KIND_PASS)) assert (f_own <= 4'd2);
            if (f_taken) assert (!valid);                                                                   // 5
            if (valid) assert (!f_idle && !f_taken);
            if (phase_q == GIVE || phase_q == BODY || phase_q == DATA) assert (!f_idle);
            if (f_checked && valid) assert (unread || (kind <= `TOTEM_KIND_PASS && !counted));
            if (valid && code == 8'd0 && f_op == `TOTEM_OP_RELEASE_MEM && kind_q == `TOTEM_KIND_RELEASE)    // 6
                assert (length == 15'd8 && control[31:29] <= 3'd4 && control[26:24] <= 3'd3 && !control[17]);
            if (valid && code == 8'd0 && kind_q == `TOTEM_KIND_REGISTERS)
                assert (address[15:10] == 6'd0 || rest_q == 15'd0);
            if (valid && code == 8'd0 && kind_q == `TOTEM_KIND_REGISTERS && stream)
                assert (address[15:0] + {1'b0, rest_q} <= 16'h0400);
            if (valid && code == 8'd0 && kind_q == `TOTEM_KIND_BUFFER) assert (control[19:0] != 20'd0);
            if (valid && code == 8'd0 && kind_q == `TOTEM_KIND_WRITE)
                assert (control[11:8] == 4'd0 || control[11:8] == 4'd2 || control[11:8] == 4'd5
                        || (drawn_q && control[11:8] == 4'd8));
            if (valid && code == 8'd0 && (kind_q == `TOTEM_KIND_CONTEXT || kind_q == `TOTEM_KIND_SHADER))
                assert (address[15:10] == 6'd0);
            if (valid && kind_q > `TOTEM_KIND_BUFFER) assert (drawn_q);
            if (phase_q == BODY) assert (turn_q == 2'd0 && f_values == 2'd0);                               // 7
            if (phase_q == DATA && (f_pairs || f_packed) && drawn_q)
                assert (turn_q == 2'd0 ? f_values == 2'd0 || f_values == (f_packed ? 2'd2 : 2'd1)
                                       : turn_q == f_values + 2'd1 && turn_q <= (f_packed ? 2'd2 : 2'd1)
                                         && control_q == f_offsets);
            if (phase_q == DATA && (f_pairs || f_packed) && drawn_q && turn_q != 2'd0)
                assert (address == {24'd0, f_values == 2'd0 ? f_offsets[15:0] : f_offsets[31:16]});
            if (phase_q >= BODY && f_group != 14'd0 && kind_q != `TOTEM_KIND_ERROR)                            // 8
                assert ({1'b0, f_group} >= length && (kind_q == `TOTEM_KIND_NONE || kind_q == `TOTEM_KIND_PASS
                        || kind_q == `TOTEM_KIND_CONTEXT || kind_q == `TOTEM_KIND_MODIFY
                        || kind_q == `TOTEM_KIND_LOAD));
            if (valid && code == 8'd0 && kind_q == `TOTEM_KIND_WAIT && control[5:4] != 2'd0)
                assert (control[5:4] == 2'd1 && (control[7:6] == 2'd0 || control[7:6] == 2'd3) && control[2:0] != 3'd7);
            cover (valid && stream && !last && code == 8'd0);
            cover (valid && kind_q == `TOTEM_KIND_RELEASE && code == 8'd0);
            cover (unread);
            cover (valid && kind_q == `TOTEM_KIND_PASS);
        end
    end
`endif
endmodule

`default_nettype wire
