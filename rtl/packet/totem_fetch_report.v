// SPDX-License-Identifier: Apache-2.0
//
// totem_fetch_report: part of totem_fetch: rule 1, one report of a read pointer after the other.
//
// Policy    the queues take turns. A report that fails sends its error message, and halts the queue if it is of its
//           present mapping.
// Boundary  pure function: messages and next state from the state of the report.
// Twin      report() in cmodel/packet/totem_fetch.c.

`default_nettype none
`include "totem_pm4.vh"

module totem_fetch_report #(
    parameter QUEUES = 8                    // 2, 4 or 8
) (
    input  wire [QUEUES-1:0]         due,
    input  wire [QUEUES*38-1:0]      addresses,
    input  wire [QUEUES*32-1:0]      pointers,
    input  wire [QUEUES-1:0]         active,
    input  wire                      write_ready, write_ack,
    input  wire [1:0]                ack_error,
    input  wire                      error_ready,
    // state
    input  wire [2:0]                report_state_q,
    input  wire [$clog2(QUEUES)-1:0] report_queue_q,
    input  wire [37:0]               report_to_q,
    input  wire [31:0]               report_value_q,
    input  wire                      report_live_q,
    input  wire [1:0]                report_error_q,
    // next state
    output reg  [2:0]                report_state_d,
    output reg  [$clog2(QUEUES)-1:0] report_queue_d,
    output reg  [37:0]               report_to_d,
    output reg  [31:0]               report_value_d,
    output reg                       report_live_d,
    output reg  [1:0]                report_error_d,
    output reg                       halt,
    output reg  [QUEUES-1:0]         begun,         // the report of this queue begins
    // messages
    output wire                      write_valid,
    output wire [63:0]               write_word,
    output wire                      error_valid,
    output wire [63:0]               error_word
);
`include "totem_memory_values.vh"
`include "totem_fetch_values.vh"
    localparam Q = $clog2(QUEUES);
    localparam [7:0] WRITE_FAILED = `TOTEM_ERROR_MEMORY_WRITE_SLVERR - 8'd1;    // plus the error of the acknowledge

    assign write_valid = report_state_q == REPORT_ADDRESS || report_state_q == REPORT_VALUE;
    assign write_word  = (report_state_q == REPORT_VALUE) ? {report_value_q, report_value_q} :
                         {10'd0, {(6-Q){1'b0}}, report_queue_q, {4{report_to_q[0]}}, {4{!report_to_q[0]}},
                          report_to_q[37:1], 3'b000};
    assign error_valid = report_state_q == REPORT_ERROR || report_state_q == REPORT_WORD;
    assign error_word  = (report_state_q == REPORT_ERROR)
        ? {WRITE_FAILED + {6'd0, report_error_q}, 5'd0, {(3-Q){1'b0}}, report_queue_q, 8'd0, report_to_q, 2'b00}
        : {32'd0, report_to_q[29:0], 2'b00};

    // The first queue behind the last one that has a report to send.
    reg [QUEUES-1:0] first;
    integer          i;
    always @* begin
        first = due & ~(({{(QUEUES-1){1'b0}}, 1'b1} << report_queue_q << 1) - {{(QUEUES-1){1'b0}}, 1'b1});
        if (first == {QUEUES{1'b0}})
            first = due;
        first = first & (~first + {{(QUEUES-1){1'b0}}, 1'b1});
    end

    // 1 Report
    always @* begin
        report_state_d = report_state_q;
        report_queue_d = report_queue_q;
        report_to_d    = report_to_q;
        report_value_d = report_value_q;
        report_live_d  = report_live_q;
        report_error_d = report_error_q;
        halt           = 1'b0;
        begun          = {QUEUES{1'b0}};
        case (report_state_q)
            REPORT_NONE:
                if (|due) begin
                    report_state_d = REPORT_ADDRESS;
                    begun          = first;
                    for (i = 0; i < QUEUES; i = i + 1)
                        if (first[i]) begin
                            report_queue_d = i[Q-1:0];
                            report_to_d    = addresses[i*38 +: 38];
                            report_value_d = pointers[i*32 +: 32];
                            report_live_d  = active[i];
                        end
                end
            REPORT_ADDRESS: if (write_ready) report_state_d = REPORT_VALUE;
            REPORT_VALUE:   if (write_ready) report_state_d = REPORT_ANSWER;
            REPORT_ANSWER:
                if (write_ack) begin
                    report_state_d = REPORT_NONE;
                    if (ack_error != MEMORY_OK) begin
                        report_state_d = REPORT_ERROR;
                        report_error_d = ack_error;
                        halt           = report_live_q;
                    end
                end
            REPORT_ERROR: if (error_ready) report_state_d = REPORT_WORD;
            REPORT_WORD:  if (error_ready) report_state_d = REPORT_NONE;
            default:      report_state_d = REPORT_NONE;
        endcase
    end
endmodule

`default_nettype wire
