// SPDX-License-Identifier: Apache-2.0
//
// totem_rv32_stores: stores of a core to memory that are not acknowledged yet.
//
// Policy    up to 4, acknowledged in their order. A load of the same 8 bytes waits: `meets`.
// Boundary  a store is taken while `room` is 1. A write stays on the port until memory takes it.

`default_nettype none

module totem_rv32_stores (
    input  wire        clk,
    input  wire        rst,
    // store
    input  wire        push,                // only while room
    input  wire [31:0] addr,                // of the access, load or store
    input  wire [31:0] data,
    input  wire [3:0]  strobe,
    output wire        room,
    output reg         meets,               // a store to these 8 bytes is not acknowledged
    output wire        settled,             // every store is
    output wire [31:0] oldest,              // address of the store that is acknowledged next
    // memory
    output wire        write_valid,
    output wire [31:0] write_addr,
    output wire [31:0] write_data,
    output wire [3:0]  write_strobe,
    input  wire        write_take,
    input  wire        ack_valid
);
    reg            write_q, write_d;
    reg [31:0]     addr_q, addr_d, data_q, data_d;
    reg [3:0]      strobe_q, strobe_d;
    reg [2:0]      count_q, count_d;        // stores that are not acknowledged
    reg [4*30-1:0] place_q, place_d;        // their dwords, the oldest first
    integer        n;

    assign room         = !write_q && !count_q[2] && !ack_valid;
    assign settled      = count_q == 3'd0;
    assign oldest       = {place_q[29:0], 2'b00};
    assign write_valid  = write_q;
    assign write_addr   = addr_q;
    assign write_data   = data_q;
    assign write_strobe = strobe_q;

    always @* begin
        write_d  = write_q && !write_take;
        addr_d   = addr_q;
        data_d   = data_q;
        strobe_d = strobe_q;
        count_d  = count_q;
        place_d  = place_q;
        meets    = 1'b0;
        for (n = 0; n < 4; n = n + 1)
            if (n < count_q && place_q[n*30+1 +: 29] == addr[31:3])
                meets = 1'b1;
        if (ack_valid) begin
            count_d = count_q - 3'd1;
            place_d = place_q >> 30;
        end
        if (push) begin
            write_d  = 1'b1;
            addr_d   = addr;
            data_d   = data;
            strobe_d = strobe;
            count_d  = count_q + 3'd1;
            for (n = 0; n < 4; n = n + 1)
                if (n[2:0] == count_q)
                    place_d[n*30 +: 30] = addr[31:2];
        end
    end

    always @(posedge clk) begin
        write_q  <= write_d;
        addr_q   <= addr_d;
        data_q   <= data_d;
        strobe_q <= strobe_d;
        count_q  <= count_d;
        place_q  <= place_d;
        if (rst) begin
            write_q <= 1'b0;
            count_q <= 3'd0;
        end
    end
endmodule

`default_nettype wire
