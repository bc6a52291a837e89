// SPDX-License-Identifier: Apache-2.0
//
// totem_frame: frames with a 32-bit check on the serial line of the host bridge.
//
// Policy    the words of a request go to bridge and to the request RAM as they come; end_valid alone says that they
//           count. A frame that is not whole is dropped and counted, and the next flag begins a new one. While bridge
//           is busy every frame is dropped. Answers go out with their check, independent of what comes in.
// Latency   end_valid one clock after the last flag; a byte of an answer is offered a clock after it could be.
// Boundary  outputs are functions of state alone.
// Cost      about 220 flip-flops, two checks of a byte a clock.
// Proved    1 limit to 6 count of the contract.
// Twin      cmodel/bridge/totem_frame.c, same names.

`default_nettype none

module totem_frame (
    input  wire        clk,
    input  wire        rst,
    // uart
    input  wire        uart_byte_valid,
    input  wire [7:0]  uart_byte_data,
    input  wire        uart_byte_broken,
    input  wire        uart_ready,
    output wire        send_valid,
    output wire [7:0]  send_data,
    // bridge, request
    output wire        head_valid,
    output wire        head_second,
    output wire [31:0] head_data,
    output wire        request_write_enable,
    output wire [5:0]  request_write_addr,
    output wire [31:0] request_write_data,
    output wire        end_valid,
    output wire [6:0]  end_words,
    output wire [15:0] dropped,
    input  wire        bridge_busy,
    // bridge, answer
    input  wire        bridge_answer_valid,
    input  wire [31:0] bridge_answer_data,
    input  wire        bridge_answer_last,
    output wire        answer_ready
);
`include "totem_frame_values.vh"
    localparam [8:0] LENGTH_MOST = 9'd268;      // 2 words, 64 of data, the check
    localparam [8:0] LENGTH_RAM  = 9'd264;      // the word from here on can only be the check

    reg        hunting_q, hunting_d;
    reg        escaped_q, escaped_d;
    reg [8:0]  length_q, length_d;
    reg [31:0] check_q, check_d;
    reg [31:0] word_q, word_d;
    reg        head_valid_q, head_valid_d;
    reg        write_enable_q, write_enable_d;
    reg [6:0]  place_q, place_d;
    reg        end_valid_q, end_valid_d;
    reg [6:0]  end_words_q, end_words_d;
    reg [15:0] dropped_q, dropped_d;
    reg [2:0]  phase_q, phase_d;
    reg        send_valid_q, send_valid_d;
    reg [7:0]  send_data_q, send_data_d;
    reg [31:0] send_word_q, send_word_d;
    reg [1:0]  send_left_q, send_left_d;
    reg        send_last_q, send_last_d;
    reg        send_changed_q, send_changed_d;
    reg [31:0] send_check_q, send_check_d;

    // Registers that reset leaves alone read 0 at start, as in the model.
    initial begin
        check_q      = 32'd0;
        word_q       = 32'd0;
        place_q      = 7'd0;
        end_words_q  = 7'd0;
        send_data_q  = 8'd0;
        send_word_q  = 32'd0;
        send_left_q  = 2'd0;
        send_last_q  = 1'b0;
        send_check_q = 32'd0;
    end

    assign send_valid           = send_valid_q;
    assign send_data            = send_data_q;
    assign head_valid           = head_valid_q;
    assign head_second          = place_q[0];
    assign head_data            = word_q;
    assign request_write_enable = write_enable_q;
    assign request_write_addr   = place_q[5:0] - 6'd2;
    assign request_write_data   = word_q;
    assign end_valid            = end_valid_q;
    assign end_words            = end_words_q;
    assign dropped              = dropped_q;
    assign answer_ready         = phase_q == FRAME_WORD;

    wire       flag    = uart_byte_valid && uart_byte_data == FRAME_FLAG;
    wire       of_frame  = uart_byte_valid && uart_byte_data != FRAME_FLAG && !hunting_q;
    wire [7:0] plain   = uart_byte_data ^ (escaped_q ? FRAME_CHANGE : 8'd0);
    wire       whole   = length_q[1:0] == 2'd0 && length_q >= 9'd12 && check_q == FRAME_RIGHT && !escaped_q
                       && !bridge_busy;
    wire       begun   = !hunting_q && (length_q != 9'd0 || escaped_q);
    wire       full    = length_q == LENGTH_MOST;
    wire [7:0] next_byte = send_word_q[7:0];
    wire       stuffed = (next_byte == FRAME_FLAG || next_byte == FRAME_ESCAPE) && !send_changed_q;

    // The check takes a byte as eight steps of one bit, low bit first.
    reg [31:0] check_next, send_check_next;
    integer    b;
    always @* begin
        check_next      = check_q ^ {24'd0, plain};
        send_check_next = send_check_q ^ {24'd0, next_byte};
        for (b = 0; b < 8; b = b + 1) begin
            check_next      = {1'b0, check_next[31:1]} ^ (check_next[0] ? FRAME_POLYNOMIAL : 32'd0);
            send_check_next = {1'b0, send_check_next[31:1]} ^ (send_check_next[0] ? FRAME_POLYNOMIAL : 32'd0);
        end
    end

    reg drop;
    always @* begin
        // 1 Flag
        drop           = 1'b0;
        head_valid_d   = 1'b0;
        write_enable_d = 1'b0;
        end_valid_d    = 1'b0;
        end_words_d    = end_words_q;
        hunting_d      = hunting_q;
        escaped_d      = escaped_q;
        length_d       = length_q;
        check_d        = check_q;
        word_d         = word_q;
        place_d        = place_q;
        if (flag) begin
            hunting_d = 1'b0;
            escaped_d = 1'b0;
            length_d  = 9'd0;
            check_d   = FRAME_START;
            if (begun && whole) begin
                end_valid_d = 1'b1;
                end_words_d = length_q[8:2] - 7'd1;
            end else if (begun)
                drop = 1'b1;
        end

        // 2 Byte
        if (of_frame) begin
            if (bridge_busy || full) begin
                drop      = 1'b1;
                hunting_d = 1'b1;
            end else if (!escaped_q && uart_byte_data == FRAME_ESCAPE)
                escaped_d = 1'b1;
            else begin
                escaped_d = 1'b0;
                length_d  = length_q + 9'd1;
                check_d   = check_next;
                word_d    = {plain, word_q[31:8]};
                if (length_q[1:0] == 2'd3) begin
                    place_d        = length_q[8:2];
                    head_valid_d   = length_q < 9'd8;
                    write_enable_d = length_q >= 9'd8 && length_q < LENGTH_RAM;
                end
            end
        end

        // 3 Broken
        if (uart_byte_broken) begin
            hunting_d   = 1'b1;
            end_valid_d = 1'b0;
            if (!hunting_q)
                drop = 1'b1;
        end

        // 4 Count
        dropped_d = dropped_q;
        if (drop && dropped_q != 16'hffff)
            dropped_d = dropped_q + 16'd1;
    end

    always @* begin
        // 5 Taken
        send_valid_d   = send_valid_q && !uart_ready;
        send_data_d    = send_data_q;
        send_word_d    = send_word_q;
        send_left_d    = send_left_q;
        send_last_d    = send_last_q;
        send_changed_d = send_changed_q;
        send_check_d   = send_check_q;
        phase_d        = phase_q;

        // 6 Answer
        case (phase_q)
            FRAME_IDLE:
                if (bridge_answer_valid && !send_valid_q) begin
                    send_valid_d = 1'b1;
                    send_data_d  = FRAME_FLAG;
                    send_check_d = FRAME_START;
                    phase_d      = FRAME_WORD;
                end
            FRAME_WORD:
                if (bridge_answer_valid) begin
                    send_word_d = bridge_answer_data;
                    send_last_d = bridge_answer_last;
                    send_left_d = 2'd3;
                    phase_d     = FRAME_BYTE;
                end
            FRAME_BYTE, FRAME_CHECK:
                if (!send_valid_q) begin
                    send_valid_d = 1'b1;
                    if (stuffed) begin
                        send_data_d    = FRAME_ESCAPE;
                        send_changed_d = 1'b1;
                    end else begin
                        send_data_d    = next_byte ^ (send_changed_q ? FRAME_CHANGE : 8'd0);
                        send_changed_d = 1'b0;
                        send_word_d    = {8'd0, send_word_q[31:8]};
                        send_left_d    = send_left_q - 2'd1;
                        send_check_d   = send_check_next;
                        if (send_left_q == 2'd0) begin
                            if (phase_q == FRAME_CHECK)
                                phase_d = FRAME_CLOSE;
                            else if (send_last_q) begin
                                send_word_d = send_check_next ^ FRAME_START;
                                phase_d     = FRAME_CHECK;
                            end else
                                phase_d = FRAME_WORD;
                        end
                    end
                end
            FRAME_CLOSE:
                if (!send_valid_q) begin
                    send_valid_d = 1'b1;
                    send_data_d  = FRAME_FLAG;
                    phase_d      = FRAME_IDLE;
                end
            default: ;
        endcase
    end

    always @(posedge clk) begin
        hunting_q      <= hunting_d;
        escaped_q      <= escaped_d;
        length_q       <= length_d;
        check_q        <= check_d;
        word_q         <= word_d;
        head_valid_q   <= head_valid_d;
        write_enable_q <= write_enable_d;
        place_q        <= place_d;
        end_valid_q    <= end_valid_d;
        end_words_q    <= end_words_d;
        dropped_q      <= dropped_d;
        phase_q        <= phase_d;
        send_valid_q   <= send_valid_d;
        send_data_q    <= send_data_d;
        send_word_q    <= send_word_d;
        send_left_q    <= send_left_d;
        send_last_q    <= send_last_d;
        send_changed_q <= send_changed_d;
        send_check_q   <= send_check_d;
        if (rst) begin
            hunting_q      <= 1'b1;
            escaped_q      <= 1'b0;
            length_q       <= 9'd0;
            head_valid_q   <= 1'b0;
            write_enable_q <= 1'b0;
            end_valid_q    <= 1'b0;
            dropped_q      <= 16'd0;
            phase_q        <= FRAME_IDLE;
            send_valid_q   <= 1'b0;
            send_changed_q <= 1'b0;
        end
    end

`ifdef FORMAL
`include "totem_frame_properties.vh"
`endif
endmodule

`default_nettype wire
