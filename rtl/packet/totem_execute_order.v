// SPDX-License-Identifier: Apache-2.0
//
// totem_execute_order: part of totem_execute: rule 3, packets of the scheduler.
//
// Policy    their dwords go to service one after the other: the header, the first operand, then those of the stream.
//           Its answer ends the packet, gives it up, or says how it continues.
// Boundary  pure function of phase and neighbours. Its outputs count with `acts`.
// Twin      cmodel/packet/totem_execute_order.c.

`default_nettype none
`include "totem_pm4.vh"

module totem_execute_order (
    input  wire [4:0]  phase,
    input  wire [3:0]  place,
    input  wire        last,
    input  wire [31:0] header,
    input  wire        leave,
    input  wire        room,            // of the queue: its epoch can be closed
    input  wire [31:0] available,
    // service
    input  wire        ready,
    input  wire        done,
    input  wire        again,
    input  wire [7:0]  error,
    input  wire [31:0] error_word,
    input  wire [1:0]  answer,
    // what it does
    output wire        acts,
    output reg  [4:0]  phase_next,
    output reg  [3:0]  place_next,
    output reg         finish,
    output reg         operands,        // those of service take the place of the packet's own
    output reg         open,
    output reg         rest,            // what is left of the buffer ends with the packet
    output reg         epoch,           // its fence is in the present epoch
    output reg         wait_epoch,
    output reg  [7:0]  code,            // error, 0: none
    output reg  [31:0] word
);
`include "totem_execute_values.vh"
`include "totem_service_values.vh"
    assign acts = phase == EXECUTE_ORDER || phase == EXECUTE_ORDERED;

    // 3 Phase, continued
    always @* begin
        phase_next = phase;
        place_next = place;
        finish     = 1'b0;
        operands   = 1'b0;
        open       = 1'b0;
        rest       = 1'b0;
        epoch      = 1'b0;
        wait_epoch = 1'b0;
        code       = 8'd0;
        word       = error_word;
        if (phase == EXECUTE_ORDER && ready) begin
            place_next = place + 4'd1;
            if (place > 4'd1 && last) begin
                place_next = 4'd0;
                phase_next = EXECUTE_ORDERED;
            end else if (place > 4'd1)
                phase_next = EXECUTE_READY;
        end else if (phase == EXECUTE_ORDER && place == 4'd0 && leave)
            phase_next = EXECUTE_LEAVE;     // service has another packet that was given up
        else if (phase == EXECUTE_ORDERED && done && again)
            phase_next = EXECUTE_LEAVE;
        else if (phase == EXECUTE_ORDERED && done && error != 8'd0)
            code = error;
        else if (phase == EXECUTE_ORDERED && done)
            case (answer)
                SERVICE_PLAIN: finish = 1'b1;
                SERVICE_END:
                    if (available > 32'h7fff) begin     // more than a commit can pass
                        code = `TOTEM_ERROR_RUNLIST_LAYOUT;
                        word = header;
                    end else begin
                        rest   = 1'b1;
                        finish = 1'b1;
                    end
                SERVICE_LIST: begin
                    operands = 1'b1;
                    open     = 1'b1;
                    finish   = 1'b1;
                end
                default: begin                          // SERVICE_FENCE
                    operands   = 1'b1;
                    epoch      = room;
                    wait_epoch = !room;
                    phase_next = room ? EXECUTE_RELEASE : EXECUTE_LEAVE;
                end
            endcase
    end
endmodule

`default_nettype wire
