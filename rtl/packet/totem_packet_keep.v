// SPDX-License-Identifier: Apache-2.0
//
// totem_packet_keep: part of totem_packet: where a body dword goes.
//
// Policy    rule BODY of docs/contract/packet.md; what a packet does not need is forgotten.
// Boundary  pure function: the four registers before the dword and after it.
// Twin      keep() in cmodel/packet/totem_packet.c.

`default_nettype none
`include "totem_pm4.vh"

module totem_packet_keep (
    input  wire [7:0]  op,
    input  wire [2:0]  place,
    input  wire [31:0] word,
    input  wire [31:0] control_in,
    input  wire [39:0] address_in,
    input  wire [63:0] data_in,
    input  wire [31:0] extra_in,
    input  wire        range_in,
    output reg  [31:0] control,
    output reg  [39:0] address,
    output reg  [63:0] data,
    output reg  [31:0] extra,
    output reg         range
);
    // Places of control dword, address and data of the packet; 0: none.
    reg [2:0] at_control, at_address, at_data;
    reg       data_on;          // all that follows goes to data[31:0]
    always @* begin
        at_control = 3'd0;
        at_address = 3'd0;
        at_data    = 3'd0;
        data_on    = 1'b0;
        case (op)
            `TOTEM_OP_DISPATCH_INDIRECT: begin at_address = 3'd1; at_control = 3'd3; end
            `TOTEM_OP_COND_EXEC:         begin at_address = 3'd1; at_control = 3'd4; end
            `TOTEM_OP_INDIRECT_BUFFER:   begin at_address = 3'd1; at_control = 3'd3; end
            `TOTEM_OP_RELEASE_MEM:       begin at_address = 3'd3; at_control = 3'd2; at_data = 3'd5; end
            `TOTEM_OP_WAIT_REG_MEM:      begin at_address = 3'd2; at_control = 3'd1; at_data = 3'd4; end
            `TOTEM_OP_WRITE_DATA:        begin at_address = 3'd2; at_control = 3'd1; data_on = 1'b1; end
            `TOTEM_OP_WAIT_TIMER:        at_data = 3'd1;
            `TOTEM_OP_EVENT_WRITE:       at_control = 3'd1;
            `TOTEM_OP_SET_SH_REG:        at_control = 3'd1;
            default: ;
        endcase
    end

    wire direct = op == `TOTEM_OP_DISPATCH_DIRECT;
    wire far    = word[31:16] != 16'd0;

    always @* begin
        control = control_in;
        address = address_in;
        data    = data_in;
        extra   = extra_in;
        range   = range_in;
        if (at_control != 3'd0 && place == at_control)
            control = word;
        if (at_address != 3'd0 && place == at_address)
            address[31:0] = word;
        if (at_address != 3'd0 && place == at_address + 3'd1)
            address[39:32] = word[7:0];
        if ((at_data != 3'd0 && place == at_data) || (data_on && place[2]))
            data[31:0] = word;
        if (at_data != 3'd0 && op != `TOTEM_OP_WAIT_TIMER && place == at_data + 3'd1)
            data[63:32] = word;
        if ((op == `TOTEM_OP_RELEASE_MEM && place == 3'd7) || (op == `TOTEM_OP_WAIT_REG_MEM && place == 3'd6))
            extra = word;
        if (direct)
            case (place)
                3'd0: ;
                3'd1: data[31:0] = word;
                3'd2, 3'd3: begin
                    if (place == 3'd2)
                        data[47:32] = word[15:0];
                    else
                        data[63:48] = word[15:0];
                    if (far && !(range_in && place == 3'd3)) begin
                        range = 1'b1;
                        extra = word;
                    end
                end
                default: control = word;
            endcase
    end
endmodule

`default_nettype wire
