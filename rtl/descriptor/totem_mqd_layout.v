// SPDX-License-Identifier: Apache-2.0
//
// totem_mqd_layout: part of totem_mqd: where a dword of the MQD lies, what it is, and how far a burst from it goes.
//
// Policy    registers, records and window are read apart; a burst ends with its part or with its 128 bytes.
// Boundary  combinational.
// Twin      cmodel/descriptor/totem_mqd_layout.h.

`default_nettype none

`include "totem_regs.vh"

module totem_mqd_layout (
    input  wire [37:0] base,            // MQD, byte address [39:2]
    input  wire [7:0]  dword,
    output wire [37:0] at,              // the place of the dword, byte address [39:2]
    output wire        low,             // a compute register
    output wire        records,         // a dword of the records
    output wire        own,             // a dword of the window that a switch load leaves alone
    output wire        full,            // the last dword of a block that is saved
    output wire [4:0]  read_beats,
    output wire [7:0]  onward,          // dword of the records that is compared next
    output wire [7:0]  start,           // the first dword that is read of its part
    output wire        last_block       // it lies in the last block of its part
);
`include "totem_mqd_values.vh"

    // What the pipe itself holds, and what the host may have written since the save.
    localparam [63:0] OWN =
        64'd1 << `TOTEM_REG_QUEUE_CP_HQD_ACTIVE | 64'd1 << `TOTEM_REG_QUEUE_CP_HQD_PERSISTENT_STATE |
        64'd1 << `TOTEM_REG_QUEUE_CP_HQD_PIPE_PRIORITY | 64'd1 << `TOTEM_REG_QUEUE_CP_HQD_QUEUE_PRIORITY |
        64'd1 << `TOTEM_REG_QUEUE_CP_HQD_QUANTUM | 64'd1 << `TOTEM_REG_QUEUE_CP_HQD_PQ_RPTR |
        64'd1 << `TOTEM_REG_QUEUE_CP_HQD_IB_BASE_ADDR | 64'd1 << `TOTEM_REG_QUEUE_CP_HQD_IB_BASE_ADDR_HI |
        64'd1 << `TOTEM_REG_QUEUE_CP_HQD_IB_RPTR | 64'd1 << `TOTEM_REG_QUEUE_CP_HQD_IB_CONTROL |
        64'd1 << `TOTEM_REG_QUEUE_CP_HQD_DEQUEUE_REQUEST | 64'd1 << `TOTEM_REG_QUEUE_CP_HQD_PQ_WPTR_LO |
        64'd1 << `TOTEM_REG_QUEUE_CP_HQD_PQ_WPTR_HI;

    wire [37:0] stop  = base + {30'd0, low ? MQD_LAST_REGISTER : records ? MQD_TOP_SEQUENCE : MQD_LAST_WINDOW};
    wire [3:0]  limit = last_block ? stop[4:1] : 4'd15;
    wire        unused = &{1'b0, stop[0]};

    assign at         = base + {30'd0, dword};
    assign low        = dword <= MQD_LAST_REGISTER;
    assign records    = !low && dword <= MQD_TOP_SEQUENCE;
    assign own        = !low && !records && OWN[dword[5:0]];        // the window begins at a multiple of 64
    assign full       = (&at[4:0]) || dword == MQD_LAST_REGISTER || dword == MQD_LAST_WINDOW;
    assign read_beats = {1'b0, limit} - {1'b0, at[4:1]} + 5'd1;
    assign onward     = (dword == MQD_TOP_RPTR) ? MQD_END_RPTR : (dword == MQD_END_RPTR) ? MQD_END_SEQUENCE :
                        MQD_TOP_SEQUENCE;
    assign start      = low ? MQD_FIRST_REGISTER : records ? MQD_TOP_RPTR : MQD_ACTIVE;
    assign last_block = stop[37:5] == at[37:5];
endmodule

`default_nettype wire
