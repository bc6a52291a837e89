// SPDX-License-Identifier: Apache-2.0
//
// totem_packet_check: part of totem_packet: what a header says before its packet is executed.
//
// Policy    first that applies: its read failed, its type or opcode is none, it reaches past what is
//           written, its packet is to be skipped, its count is no size of the packet, its rule is missing.
// Boundary  pure function.
// Twin      check() in cmodel/packet/totem_packet.c.

`default_nettype none
`include "totem_pm4.vh"

module totem_packet_check (
    input  wire [31:0] header,
    input  wire [1:0]  fault,
    input  wire [14:0] length,
    input  wire [31:0] available,
    input  wire        in_buffer,
    input  wire        skip,
    output wire        filler,      // nothing but one dword
    output wire        known,       // a type-3 header of a known opcode
    output reg         pass,        // skip it
    output reg  [7:0]  code         // error, 0 none
);
    localparam [255:0] KNOWN = `TOTEM_OP_KNOWN;
    localparam [7:0]   READ_FAILED = `TOTEM_ERROR_MEMORY_READ_SLVERR - 8'd1;    // plus the error of the beat

    wire [7:0]  op    = header[`TOTEM_PM4_HEADER_OPCODE];
    wire [13:0] count = header[`TOTEM_PM4_HEADER_COUNT];
    wire        typed = header[`TOTEM_PM4_HEADER_TYPE] == 2'd3;

    reg wrong_count;
    always @* begin
        case (op)
            `TOTEM_OP_DISPATCH_DIRECT:   wrong_count = count != `TOTEM_COUNT_MIN_DISPATCH_DIRECT;
            `TOTEM_OP_DISPATCH_INDIRECT: wrong_count = count != `TOTEM_COUNT_MIN_DISPATCH_INDIRECT;
            `TOTEM_OP_COND_EXEC:         wrong_count = count != `TOTEM_COUNT_MIN_COND_EXEC;
            `TOTEM_OP_WRITE_DATA:        wrong_count = count < `TOTEM_COUNT_MIN_WRITE_DATA;
            `TOTEM_OP_WAIT_REG_MEM:      wrong_count = count != `TOTEM_COUNT_MIN_WAIT_REG_MEM;
            `TOTEM_OP_INDIRECT_BUFFER:   wrong_count = count != `TOTEM_COUNT_MIN_INDIRECT_BUFFER;
            `TOTEM_OP_EVENT_WRITE:       wrong_count = count > `TOTEM_COUNT_MAX_EVENT_WRITE || count == 14'd1;
            `TOTEM_OP_RELEASE_MEM:       wrong_count = count != `TOTEM_COUNT_MIN_RELEASE_MEM;
            `TOTEM_OP_ACQUIRE_MEM:       wrong_count = count < `TOTEM_COUNT_MIN_ACQUIRE_MEM || count > `TOTEM_COUNT_MAX_ACQUIRE_MEM;
            `TOTEM_OP_LAUNCH_TASK:       wrong_count = count != `TOTEM_COUNT_MIN_LAUNCH_TASK;
            `TOTEM_OP_WAIT_TIMER:        wrong_count = count != `TOTEM_COUNT_MIN_WAIT_TIMER;
            default:                     wrong_count = 1'b0;    // NOP, SET_SH_REG, packets without a rule: any
        endcase
    end

    assign filler = header[`TOTEM_PM4_HEADER_TYPE] == 2'd2;
    assign known  = typed && KNOWN[op];

    wire unused = &{1'b0, header[7:0]};

    always @* begin
        code = 8'd0;
        pass = 1'b0;
        if (fault != 2'd0)
            code = READ_FAILED + {6'd0, fault};
        else if (filler)
            code = 8'd0;
        else if (!known) begin
            pass = skip;
            if (!skip)
                code = typed ? `TOTEM_ERROR_PACKET_OPCODE : `TOTEM_ERROR_PACKET_HEADER_TYPE;
        end else if (available < {17'd0, length})
            code = in_buffer ? `TOTEM_ERROR_PACKET_COUNT_PAST_IB : `TOTEM_ERROR_PACKET_COUNT_PAST_WPTR;
        else if (skip)
            pass = 1'b1;
        else if (wrong_count)
            code = `TOTEM_ERROR_PACKET_COUNT_FORM;
        else if (op == `TOTEM_OP_LAUNCH_TASK)
            code = `TOTEM_ERROR_PACKET_FEATURE;
    end
endmodule

`default_nettype wire
