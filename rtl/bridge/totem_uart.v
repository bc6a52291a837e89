// SPDX-License-Identifier: Apache-2.0
//
// totem_uart: serial line of the host bridge, 8 data bits, no parity, one stop bit.
//
// Policy    a bit is sampled once, in its middle; a start bit that is over by then was a disturbance. A byte without
//           its stop bit is dropped and reported. The line has to be 1 before the next byte begins.
// Latency   a byte is valid 2 or 3 clocks after the middle of its stop bit; a start bit follows a clock after the byte
//           is taken.
// Boundary  rxd ends in the first flip-flop of a synchroniser; outputs are functions of state alone.
// Cost      about 80 flip-flops; two 16-bit counters set the clock.
// Proved    1 once to 4 stop of the contract.
// Twin      cmodel/bridge/totem_uart.c, same names.

`default_nettype none

module totem_uart (
    input  wire        clk,
    input  wire        rst,
    // board
    input  wire [15:0] divide,
    // pins
    input  wire        rxd,
    output wire        txd,
    // frame
    output wire        byte_valid,
    output wire [7:0]  byte_data,
    output wire        byte_broken,
    input  wire        frame_send_valid,
    input  wire [7:0]  frame_send_data,
    output wire        ready
);
    localparam [3:0] BITS = 4'd10;      // start bit, eight of data, stop bit

    reg [2:0]  line_q, line_d;
    reg [3:0]  bits_q, bits_d;
    reg [15:0] timer_q, timer_d;
    reg [7:0]  shift_q, shift_d;
    reg        byte_valid_q, byte_valid_d;
    reg        byte_broken_q, byte_broken_d;
    reg [3:0]  send_bits_q, send_bits_d;
    reg [15:0] send_timer_q, send_timer_d;
    reg [9:0]  send_shift_q, send_shift_d;

    // Registers that reset leaves alone read 0 at start, as in the model.
    initial begin
        timer_q      = 16'd0;
        shift_q      = 8'd0;
        send_timer_q = 16'd0;
    end

    assign txd         = send_shift_q[0];
    assign ready       = send_bits_q == 4'd0;
    assign byte_valid  = byte_valid_q;
    assign byte_data   = shift_q;
    assign byte_broken = byte_broken_q;

    wire fall   = line_q[2] && !line_q[1];
    wire sample = bits_q != 4'd0 && timer_q == 16'd0;
    wire start  = bits_q == BITS;
    wire stop   = bits_q == 4'd1;

    always @* begin
        // 1 Line
        line_d = {line_q[1:0], rxd};

        // 2 Start
        bits_d  = bits_q;
        timer_d = timer_q;
        shift_d = shift_q;
        if (bits_q == 4'd0 && fall) begin
            bits_d  = BITS;
            timer_d = {1'b0, divide[15:1]} - 16'd1;
        end

        // 3 Sample
        byte_valid_d  = 1'b0;
        byte_broken_d = 1'b0;
        if (bits_q != 4'd0)
            timer_d = timer_q - 16'd1;
        if (sample) begin
            timer_d = divide - 16'd1;
            bits_d  = bits_q - 4'd1;
            if (start) begin
                if (line_q[1])
                    bits_d = 4'd0;
            end else if (stop) begin
                byte_valid_d  = line_q[1];
                byte_broken_d = !line_q[1];
            end else
                shift_d = {line_q[1], shift_q[7:1]};
        end

        // 4 Send
        send_bits_d  = send_bits_q;
        send_timer_d = send_timer_q;
        send_shift_d = send_shift_q;
        if (send_bits_q != 4'd0) begin
            send_timer_d = send_timer_q - 16'd1;
            if (send_timer_q == 16'd0) begin
                send_timer_d = divide - 16'd1;
                send_bits_d  = send_bits_q - 4'd1;
                send_shift_d = {1'b1, send_shift_q[9:1]};
            end
        end

        // 5 Take
        if (ready && frame_send_valid) begin
            send_bits_d  = BITS;
            send_timer_d = divide - 16'd1;
            send_shift_d = {1'b1, frame_send_data, 1'b0};
        end
    end

    always @(posedge clk) begin
        line_q        <= line_d;
        bits_q        <= bits_d;
        timer_q       <= timer_d;
        shift_q       <= shift_d;
        byte_valid_q  <= byte_valid_d;
        byte_broken_q <= byte_broken_d;
        send_bits_q   <= send_bits_d;
        send_timer_q  <= send_timer_d;
        send_shift_q  <= send_shift_d;
        if (rst) begin
            line_q        <= 3'b111;
            bits_q        <= 4'd0;
            byte_valid_q  <= 1'b0;
            byte_broken_q <= 1'b0;
            send_bits_q   <= 4'd0;
            send_shift_q  <= 10'h3ff;
        end
    end

`ifdef FORMAL
`include "totem_uart_properties.vh"
`endif
endmodule

`default_nettype wire
