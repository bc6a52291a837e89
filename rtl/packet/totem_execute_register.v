// SPDX-License-Identifier: Apache-2.0
//
// totem_execute_register: part of totem_execute: registers of the window of the pipe, for WRITE_DATA, WAIT_REG_MEM and
// COPY_DATA.
//
// Policy    a wait reads any register of the window. A packet writes a queue priority and nothing else: that of its own
//           queue, and of another one only if the queue is privileged or the host has allowed it. A write to a
//           register of a unit that Totem does not have is passed, or refused as well.
// Boundary  pure function of an address of the register map, in dwords, and a value.
// Twin      own() in cmodel/packet/totem_execute_packet.h, write_register() in cmodel/packet/totem_execute.c.

`default_nettype none
`include "totem_pm4.vh"
`include "totem_regs.vh"

module totem_execute_register #(
    parameter PIPES  = 2,                   // 1 or 2
    parameter QUEUES = 8                    // a power of two, 2 to 8
) (
    input  wire [31:0]               place,
    input  wire [31:0]               value,
    input  wire [1:0]                fe_number,
    input  wire [1:0]                pipe_number,
    input  wire                      graphics,
    input  wire                      strict,
    input  wire [$clog2(QUEUES)-1:0] own_queue,
    input  wire                      privileged,
    output wire                      own,           // a register of the pipe's window
    output wire                      compute,       // a register of the compute block
    output wire                      vanish,        // a write that has no effect here
    output reg  [7:0]                code,          // error of a write, 0 none
    output reg  [31:0]               word           // .. its offending word
);
    // 0x4000 + 0x400 x pipe + 0x40 x queue + dword
    localparam [17:0] WINDOWS = 18'd1;              // [31:14]
    localparam [24:0] COMPUTE = 25'h5c;             // [31:7] of the compute registers

    wire [3:0] number = graphics ? {2'b10, fe_number} :                                     // in the register map
                        (PIPES == 2) ? {1'b0, fe_number, pipe_number[0]} : {2'b00, fe_number};
    assign     compute = place[31:7] == COMPUTE;
    assign     own    = place[31:14] == WINDOWS && place[13:10] == number && {28'd0, place[9:6]} < QUEUES;
    wire       to_priority = own && place[5:0] == `TOTEM_REG_QUEUE_CP_HQD_QUEUE_PRIORITY;
    wire       foreign = place[31:14] != WINDOWS && !compute;      // of a unit that Totem does not have
    assign     vanish = !to_priority && (graphics || foreign) && !strict;

    always @* begin
        code = 8'd0;
        word = place;
        if (!to_priority)
            code = `TOTEM_ERROR_PACKET_WRITE_REGISTER;
        else if (place[6 +: $clog2(QUEUES)] != own_queue && !privileged)
            code = `TOTEM_ERROR_PACKET_PRIORITY_FOREIGN;
        else if (value[31:4] != 28'd0) begin
            code = `TOTEM_ERROR_PACKET_PRIORITY_VALUE;
            word = value;
        end
    end

    wire unused = &{1'b0, pipe_number};
endmodule

`default_nettype wire
