// SPDX-License-Identifier: Apache-2.0
//
// totem_decode_check: part of totem_decode: what a header says before its packet is looked at.
//
// Policy    first that applies: its read failed, its type or opcode is none, it does not fit the open group,
//           it reaches past what is written, its packet is to be skipped, its count is no size of the packet,
//           its rule is missing.
// Boundary  pure function; what it has to know of the opcode is given to it.
// Twin      check() in cmodel/packet/totem_decode.c.

`default_nettype none
`include "totem_pm4.vh"

module totem_decode_check (
    input  wire [1:0]  header_type,
    input  wire [1:0]  fault,
    input  wire [14:0] length,
    input  wire [31:0] available,
    input  wire        in_buffer,
    input  wire        skip,
    input  wire        known,
    input  wire        sized,
    input  wire        refused,
    input  wire [13:0] group,       // dwords left of the open group, 0: none is open
    input  wire        fits_group,  // such a packet may stand in a group
    input  wire [14:0] deferred,
    output reg         stranger,    // where its packet ends is not known
    output reg         filler,      // nothing but one dword
    output reg         pass,        // skip it
    output reg  [7:0]  code         // error, 0 none
);
`include "totem_decode_values.vh"
`include "totem_memory_values.vh"
    localparam [7:0] READ_FAILED = `TOTEM_ERROR_MEMORY_READ_SLVERR - 8'd1;  // plus the error of the beat

    // 2 Packet, continued
    always @* begin
        code     = 8'd0;
        pass     = 1'b0;
        filler   = 1'b0;
        stranger = 1'b0;
        if (fault != MEMORY_OK)
            code = READ_FAILED + {6'd0, fault};
        else if (header_type == HEADER_FILLER)
            filler = 1'b1;
        else if (header_type != HEADER_PACKET || !known) begin
            stranger = 1'b1;
            pass     = skip;
            if (!skip)
                code = (header_type == HEADER_PACKET) ? `TOTEM_ERROR_PACKET_OPCODE : `TOTEM_ERROR_PACKET_HEADER_TYPE;
        end else if (group != 14'd0 && {1'b0, group} < length)
            code = `TOTEM_ERROR_PACKET_BOUNCE_COUNT;
        else if (group != 14'd0 && !fits_group)
            code = `TOTEM_ERROR_PACKET_BOUNCE_CONTENT;
        else if (available < {17'd0, deferred} + {17'd0, length})
            code = in_buffer ? `TOTEM_ERROR_PACKET_COUNT_PAST_IB : `TOTEM_ERROR_PACKET_COUNT_PAST_WPTR;
        else if (skip)
            pass = 1'b1;
        else if (!sized)
            code = `TOTEM_ERROR_PACKET_COUNT_FORM;
        else if (refused)
            code = `TOTEM_ERROR_PACKET_FEATURE;
    end
endmodule

`default_nettype wire
