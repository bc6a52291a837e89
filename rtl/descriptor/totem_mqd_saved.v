// SPDX-License-Identifier: Apache-2.0
//
// totem_mqd_saved: part of totem_mqd: what is saved of a window dword.
//
// Policy    the window knows everything but the grid and the open buffer. Where memory does not have everything, the
//           window alone is not enough for a mapping.
// Boundary  combinational.
// Twin      saved in cmodel/descriptor/totem_mqd_save.c.

`default_nettype none

`include "totem_regs.vh"

module totem_mqd_saved (
    input  wire [5:0]  above,           // dword of the window
    input  wire [31:0] hqd_rdata,
    input  wire        closes,          // the window is closed, not saved
    input  wire        described,       // the queue has an MQD
    input  wire        failed,
    input  wire        unfinished,      // a grid is kept that no reset drops
    // the open indirect buffer of the queue
    input  wire        open,
    input  wire [37:0] buffer_addr,
    input  wire [19:0] buffer_left,
    input  wire [7:0]  front,           // bits 47:40 of addresses with bit 39 at the memory port; 0: there are none
    output reg  [31:0] saved
);
    wire [7:0] far = buffer_addr[37] ? front : 8'd0;

    always @* begin
        saved = hqd_rdata;
        case (above)
            `TOTEM_REG_QUEUE_CP_HQD_ACTIVE: saved[`TOTEM_REG_QUEUE_CP_HQD_ACTIVE_ACTIVE] = 1'b0;
            `TOTEM_REG_QUEUE_CP_HQD_PERSISTENT_STATE: begin
                saved[`TOTEM_REG_QUEUE_CP_HQD_PERSISTENT_STATE_PRELOAD_REQ] = !closes || (described && !failed);
                saved[`TOTEM_REG_QUEUE_CP_HQD_PERSISTENT_STATE_DISP_ACTIVE] = unfinished || (closes && failed);
            end
            `TOTEM_REG_QUEUE_CP_HQD_IB_BASE_ADDR:    if (open) saved = {buffer_addr[29:0], 2'b00};
            `TOTEM_REG_QUEUE_CP_HQD_IB_BASE_ADDR_HI:
                if (open) saved = {16'd0, far, buffer_addr[37] && far == 8'd0, buffer_addr[36:30]};
            `TOTEM_REG_QUEUE_CP_HQD_IB_RPTR:         if (open) saved = 32'd0;
            `TOTEM_REG_QUEUE_CP_HQD_IB_CONTROL: begin
                saved[`TOTEM_REG_QUEUE_CP_HQD_IB_CONTROL_PROCESSING_IB] = open;
                if (open) saved[19:0] = buffer_left;
            end
            `TOTEM_REG_QUEUE_CP_HQD_DEQUEUE_REQUEST: saved[`TOTEM_REG_QUEUE_CP_HQD_DEQUEUE_REQUEST_DEQUEUE_REQ] = 3'd0;
            default: ;
        endcase
    end
endmodule

`default_nettype wire
