// SPDX-License-Identifier: Apache-2.0
//
// totem_decode: finds the packets in the dwords of the selected queue and hands them to totem_execute.
//
// Policy    a header is looked at when execute has nothing in hand; what its packet is, which of its dwords
//           are operands and what they may be is in totem_decode_table, generated from pm4.yaml. Errors
//           are handed over like packets; nothing else sees this block. In a stream of pairs the offsets
//           become addresses. In a group of a graphics queue only context registers may be written.
// Latency   header and check 2 clocks, body 1 per dword, a stream one word per clock.
// Boundary  a word does not change until execute takes it. `execute_drop` and `execute_left` empty fetch and the own
//           inbox of what was delivered ahead.
// Cost      about 330 flip-flops, of which 70 are the inbox.
// Proved    a word that waits does not change (invariant 2), no boundary inside a packet (3), a first word comes within
//           the clocks of its packet (4) and not before (5).
// Twin      cmodel/packet/totem_decode.c, same names.

`default_nettype none
`include "totem_pm4.vh"

module totem_decode #(
    parameter TASKS   = 1,                  // 1: the machine has tasks
    parameter RUNLIST = 0                   // 1: the machine has a run list
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
    output wire [63:0] second,
    // host
    input  wire [31:0] settings_address_high,
    // constants
    input  wire [1:0]  fe_number,
    input  wire        graphics
);
`include "totem_decode_values.vh"
`include "totem_memory_values.vh"
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
    reg        far_q, far_d;
    reg [31:0] control_q, control_d;
    reg [39:0] address_q, address_d;
    reg [63:0] data_q, data_d;
    reg [31:0] extra_q, extra_d;
    reg [63:0] second_q, second_d;

    // Registers that reset leaves alone read 0 at start, as in the model.
    initial begin
        phase_q = 0; header_q = 0; drawn_q = 0; fault_q = 0; length_q = 0; rest_q = 0; place_q = 0; turn_q = 0;
        kind_q = 0; code_q = 0; counted_q = 0; control_q = 0; address_q = 0; data_q = 0; extra_q = 0;
        far_q = 0; second_q = 0;
    end

    // 1 Inbox. What was delivered ahead is forgotten when the queue leaves or jumps.
    wire        offered;
    wire [33:0] head;
    wire        wrong = head[33:32] != MEMORY_OK;
    wire        take = (phase_q == DECODE_HEADER && execute_ready && !arbiter_leave && !execute_drop) ||
                       (phase_q == DECODE_BODY && (!wrong || execute_ready)) ||
                       (phase_q == DECODE_DATA && execute_ready);
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
    wire [3:0]  at_control, at_address, at_data, at_high, at_extra, at_second, at_stream;
    wire [1:0]  pairs;
    wire [2:0]  stride;
    wire [16:0] window;
    wire [7:0]  window_code, row_code;
    wire        accessed, accessed_data, accessed_second;
    totem_decode_table table_row (
        .graphics(drawn_q), .runlist(RUNLIST != 0), .op(op), .count(header_q[`TOTEM_PM4_HEADER_COUNT]),
        .control(control_q),
        .known(known), .executed(executed), .refused(refused), .sized(sized), .kind(row_kind), .at_control(at_control),
        .at_address(at_address), .at_data(at_data), .at_high(at_high), .at_extra(at_extra), .at_second(at_second),
        .at_stream(at_stream), .pairs(pairs), .stride(stride), .window(window), .window_code(window_code),
        .code(row_code),
        .accessed(accessed), .accessed_data(accessed_data), .accessed_second(accessed_second)
    );
    wire        fits_group = op == `TOTEM_OP_NOP || row_kind == `TOTEM_KIND_CONTEXT || row_kind == `TOTEM_KIND_MODIFY
                             || row_kind == `TOTEM_KIND_LOAD;
    wire        of_bank = row_kind == `TOTEM_KIND_REGISTERS || row_kind == `TOTEM_KIND_SHADER
                          || row_kind == `TOTEM_KIND_COPY || row_kind == `TOTEM_KIND_LOAD_REGISTERS;

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
    wire [16:0] offset = {1'b0, address_q[15:0]};
    wire        beyond = window != 17'd0 && ((pairs != 2'd0 || rest_q == 15'd0) ? offset >= window
                                             : offset + {2'd0, rest_q} > window);
    wire [7:0]  above   = settings_address_high[fe_number*8 +: 8];
    wire [7:0]  page;
    wire        strange;
    totem_upper upper (
        .address(word[15:0]), .above(above), .strange(strange), .page(page)
    );
    wire        ends    = (accessed && at_address != 4'd0 && place_q == at_address + 4'd1)
                          || (accessed_data && at_high != 4'd0 && place_q == at_high)
                          || (accessed_second && at_second != 4'd0 && place_q == at_second + 4'd1);
    wire        elsewhere = kind_q == `TOTEM_KIND_REGISTERS
                            && (address_q[15:10] != 6'd0 || address_q[9:0] < `TOTEM_SH_COMPUTE_FIRST
                                || address_q[9:0] > `TOTEM_SH_COMPUTE_LAST);

    assign boundary = phase_q == DECODE_HEADER || phase_q == DECODE_CHECK;
    assign stream   = phase_q == DECODE_DATA;
    assign unread   = ((phase_q == DECODE_BODY || phase_q == DECODE_DATA) && offered && wrong)
                    || (phase_q == DECODE_GIVE && fault_q != MEMORY_OK);
    wire   is_offset = phase_q == DECODE_DATA && pairs != 2'd0 && turn_q == TURN_OFFSET;
    assign valid    = phase_q == DECODE_GIVE || unread || (phase_q == DECODE_DATA && offered && !is_offset);
    assign kind     = kind_q;
    assign last     = phase_q == DECODE_GIVE || rest_q == 15'd1;
    assign code     = (code_q != 8'd0) ? code_q
                    : unread ? READ_FAILED + {6'd0, head[33:32]}
                    : far_q ? `TOTEM_ERROR_PACKET_ADDRESS
                    : (ruled && row_code != 8'd0) ? row_code
                    : (ruled && beyond) ? window_code : 8'd0;
    assign header   = header_q;
    assign length   = length_q;
    assign counted  = counted_q || elsewhere;
    assign writes_context = row_kind == `TOTEM_KIND_CONTEXT || row_kind == `TOTEM_KIND_MODIFY
                            || row_kind == `TOTEM_KIND_LOAD || row_kind == `TOTEM_KIND_CLEAR;
    assign control  = control_q;
    assign address  = address_q;
    assign data     = {data_q[63:32], (phase_q == DECODE_DATA) ? word : data_q[31:0]};
    assign extra    = extra_q;
    assign second   = second_q;

    wire [13:0] word_count    = word[`TOTEM_PM4_HEADER_COUNT];
    wire        word_bodyless = word[`TOTEM_PM4_HEADER_TYPE] != HEADER_PACKET
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
        far_d     = far_q;
        control_d = control_q;
        address_d = address_q;
        data_d    = data_q;
        extra_d   = extra_q;
        second_d  = second_q;

        // 2 Packet
        case (phase_q)
            DECODE_HEADER:
                if (take && offered) begin
                    header_d = word;
                    drawn_d  = graphics;
                    fault_d  = head[33:32];
                    length_d = word_bodyless ? 15'd1 : {1'b0, word_count} + 15'd2;
                    phase_d  = DECODE_CHECK;
                end

            DECODE_CHECK:
                if (arbiter_leave)
                    phase_d = DECODE_HEADER;
                else begin
                    code_d    = header_code;
                    counted_d = 1'b0;
                    far_d     = 1'b0;
                    control_d = header_q;
                    phase_d   = DECODE_GIVE;
                    if (header_code != 8'd0)
                        kind_d = `TOTEM_KIND_ERROR;
                    else if (pass) begin
                        kind_d = `TOTEM_KIND_PASS;
                        if (stranger)
                            length_d = 15'd1;
                    end else if (filler)
                        kind_d = `TOTEM_KIND_NONE;
                    else if (of_bank && !bank_loaded)
                        phase_d = DECODE_CHECK;
                    else if (length_q == 15'd1)
                        kind_d = `TOTEM_KIND_NONE;
                    else begin
                        kind_d    = row_kind;
                        rest_d    = length_q - 15'd1;
                        place_d   = 4'd1;
                        turn_d    = TURN_OFFSET;
                        counted_d = !executed;
                        phase_d   = (at_stream == 4'd1) ? DECODE_DATA : DECODE_BODY;
                    end
                end

            DECODE_BODY:
                if (offered && wrong) begin
                    if (execute_ready)
                        phase_d = DECODE_HEADER;
                end else if (offered) begin
                    rest_d  = rest_q - 15'd1;
                    place_d = (place_q == 4'd15) ? 4'd15 : place_q + 4'd1;
                    if (at_control != 4'd0 && place_q == at_control && !far_q)
                        control_d = word;
                    if (at_address != 4'd0 && place_q == at_address)
                        address_d[31:0] = word;
                    if (at_address != 4'd0 && place_q == at_address + 4'd1)
                        address_d[39:32] = page;
                    if (at_data != 4'd0 && place_q == at_data)
                        data_d[31:0] = word;
                    if (at_high != 4'd0 && place_q == at_high)
                        data_d[63:32] = accessed_data ? {24'd0, page} : word;
                    if (at_extra != 4'd0 && place_q == at_extra)
                        extra_d = word;
                    if (at_second != 4'd0 && place_q == at_second)
                        second_d[31:0] = word;
                    if (at_second != 4'd0 && place_q == at_second + 4'd1)
                        second_d[63:32] = accessed_second ? {24'd0, page} : word;
                    if (ends && strange && !far_q) begin
                        far_d     = 1'b1;
                        control_d = word;
                    end
                    if (rest_q == 15'd1)
                        phase_d = DECODE_GIVE;
                    else if (at_stream != 4'd0 && place_q + 4'd1 == at_stream)
                        phase_d = DECODE_DATA;
                end

            DECODE_DATA:
                if (offered && execute_ready) begin
                    rest_d = rest_q - 15'd1;
                    if (is_offset && !wrong) begin
                        if (!far_q)
                            control_d = word;
                        address_d = {24'd0, word[15:0]};
                        turn_d    = TURN_FIRST;
                        if (rest_q == 15'd1)
                            phase_d = DECODE_GIVE;
                    end else begin
                        counted_d = counted;
                        address_d = (pairs != 2'd0) ? {24'd0, control_q[31:16]} : address_q + {37'd0, stride};
                        if (pairs != 2'd0)
                            turn_d = (turn_q == TURN_FIRST && pairs == 2'd2) ? TURN_SECOND : TURN_OFFSET;
                        if (rest_q == 15'd1 || wrong || code != 8'd0)
                            phase_d = DECODE_HEADER;
                    end
                end

            DECODE_GIVE:
                if (execute_ready)
                    phase_d = DECODE_HEADER;

            default: ;
        endcase

        // 3 Left
        if (execute_left)
            phase_d = DECODE_HEADER;
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
        far_q     <= far_d;
        control_q <= control_d;
        address_q <= address_d;
        data_q    <= data_d;
        extra_q   <= extra_d;
        second_q  <= second_d;
        if (rst) begin
            phase_q   <= DECODE_HEADER;
            header_q  <= 32'd0;
            drawn_q   <= 1'b0;
            fault_q   <= 2'd0;
            length_q  <= 15'd0;
            rest_q    <= 15'd0;
            place_q   <= 4'd0;
            turn_q    <= TURN_OFFSET;
            kind_q    <= 5'd0;
            code_q    <= 8'd0;
            counted_q <= 1'b0;
            far_q     <= 1'b0;
        end
    end

`ifdef FORMAL
`include "totem_decode_properties.vh"
`endif
endmodule

`default_nettype wire
