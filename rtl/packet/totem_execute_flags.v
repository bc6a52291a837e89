// SPDX-License-Identifier: Apache-2.0
//
// totem_execute_flags: part of totem_execute: rules 4 and 5, halts and load words on what is kept of every queue.
//
// Policy    a failure halts its queue; mapping, RESUME and SKIP clear the halt. A failure that is reported in the clock
//           of RESUME or SKIP is not the one that the host has seen, so the queue stays halted.
// Boundary  pure function: `own_` is what rule 3 makes of the flags.
// Twin      load() and the rules behind it in cmodel/packet/totem_execute.c.

`default_nettype none

module totem_execute_flags #(
    parameter QUEUES = 8                    // a power of two, 2 to 8
) (
    input  wire                      load_valid,
    input  wire [$clog2(QUEUES)-1:0] load_queue,
    input  wire [4:0]                load_kind,
    input  wire [39:0]               load_data,
    input  wire                      fence_halt,
    input  wire [$clog2(QUEUES)-1:0] fence_halt_queue,
    input  wire                      poll_halt,
    input  wire [$clog2(QUEUES)-1:0] poll_halt_queue,
    input  wire                      fetch_halt,
    input  wire [$clog2(QUEUES)-1:0] fetch_halt_queue,
    input  wire                      runner_halt,
    input  wire [$clog2(QUEUES)-1:0] runner_halt_queue,
    input  wire [QUEUES-1:0]         unfinished_q, privileged_q,
    input  wire [QUEUES-1:0]         own_unfinished, own_halted, own_wait_flush, own_wait_epoch, own_wait_entry,
    input  wire [QUEUES-1:0]         own_closed, own_skip, own_patient,
    output reg  [QUEUES-1:0]         unfinished_d, halted_d, wait_flush_d, wait_epoch_d, wait_entry_d, closed_d, skip_d,
    output reg  [QUEUES-1:0]         patient_d, privileged_d
);
`include "totem_hqd_values.vh"
    wire [QUEUES-1:0] failing = ({{QUEUES-1{1'b0}}, fence_halt} << fence_halt_queue)
                                | ({{QUEUES-1{1'b0}}, poll_halt} << poll_halt_queue)
                                | ({{QUEUES-1{1'b0}}, fetch_halt} << fetch_halt_queue)
                                | ({{QUEUES-1{1'b0}}, runner_halt} << runner_halt_queue);

    always @* begin
        unfinished_d = own_unfinished;
        wait_flush_d = own_wait_flush;
        wait_epoch_d = own_wait_epoch;
        wait_entry_d = own_wait_entry;
        closed_d     = own_closed;
        skip_d       = own_skip;
        patient_d    = own_patient;
        privileged_d = privileged_q;

        // 4 Halts
        halted_d = own_halted | failing;

        // 5 Load bus
        if (load_valid)
            case (load_kind)
                LOAD_ACTIVE: begin
                    unfinished_d[load_queue] = load_data[0] && load_data[2];
                    wait_flush_d[load_queue] = 1'b0;
                    wait_epoch_d[load_queue] = 1'b0;
                    wait_entry_d[load_queue] = 1'b0;
                    closed_d[load_queue]     = 1'b0;
                    skip_d[load_queue]       = 1'b0;
                    patient_d[load_queue]    = 1'b0;
                    if (load_data[0])
                        halted_d[load_queue] = 1'b0;
                end
                LOAD_PQ_CONTROL: privileged_d[load_queue] = load_data[30];
                LOAD_MOVED: begin
                    if (load_data[0])       // memory brings back no grid that the queue had not
                        unfinished_d[load_queue] = unfinished_q[load_queue] && load_data[2];
                    if (load_data[3])
                        halted_d[load_queue] = 1'b1;
                end
                LOAD_RESUME, LOAD_SKIP: begin
                    halted_d[load_queue] = failing[load_queue];
                    closed_d[load_queue] = 1'b0;
                    skip_d[load_queue]   = load_kind == LOAD_SKIP;
                end
                default: ;
            endcase
    end

    wire unused = &{1'b0, load_data[39:31], load_data[29:4], load_data[1]};
endmodule

`default_nettype wire
