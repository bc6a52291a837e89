// SPDX-License-Identifier: Apache-2.0
//
// totem_mqd_access: part of totem_mqd: the access to the window or the load bus that a phase of a job makes.
//
// Boundary  combinational; outputs of the block from its state.
// Twin      access_outputs in cmodel/descriptor/totem_mqd.c.

`default_nettype none

`include "totem_regs.vh"

module totem_mqd_access (
    // the job
    input  wire [3:0]  phase,
    input  wire [2:0]  job,
    input  wire [2:0]  step,
    input  wire        described,       // the queue has an MQD
    input  wire        failed,
    // the dword that is dealt with
    input  wire        low,
    input  wire        own,
    input  wire        spared,          // it is not saved
    input  wire [5:0]  above,           // dword of the window
    input  wire [31:0] value,
    // what goes over the load bus
    input  wire        preload,
    input  wire        grid,
    input  wire        turn,
    input  wire [37:0] place,
    input  wire [19:0] left,
    input  wire [31:0] rptr,
    // hqd
    output wire        access_valid,
    output wire [1:0]  access_kind,
    output reg  [5:0]  access_dword,
    output reg  [39:0] access_data
);
`include "totem_hqd_values.vh"
`include "totem_mqd_values.vh"

    wire loads = job == REQUEST_SWITCH_LOAD;
    wire moves = loads || job == REQUEST_SWITCH_SAVE;
    wire sets  = job == REQUEST_WINDOW || job == REQUEST_CLOSE || (loads && !low && !own);

    reg [5:0] header;                   // dword of MQD_HEAD
    always @* begin
        case (step)
            3'd0:    header = `TOTEM_REG_QUEUE_CP_MQD_BASE_ADDR;
            3'd1:    header = `TOTEM_REG_QUEUE_CP_MQD_BASE_ADDR_HI;
            3'd2:    header = `TOTEM_REG_QUEUE_CP_HQD_PERSISTENT_STATE;
            3'd3:    header = `TOTEM_REG_QUEUE_CP_HQD_IB_BASE_ADDR;
            3'd4:    header = `TOTEM_REG_QUEUE_CP_HQD_IB_BASE_ADDR_HI;
            3'd5:    header = `TOTEM_REG_QUEUE_CP_HQD_IB_CONTROL;
            default: header = `TOTEM_REG_QUEUE_CP_HQD_IB_RPTR;
        endcase
    end

    assign access_valid = phase == MQD_HEAD || phase == MQD_BUFFER || phase == MQD_ACTIVATE || phase == MQD_FINISH ||
                          (phase == MQD_SET && sets) || (phase == MQD_GET && !low && !spared);
    assign access_kind  = (phase == MQD_HEAD || phase == MQD_GET) ? ACCESS_READ :
                          (phase == MQD_SET || phase == MQD_ACTIVATE) ? ACCESS_WRITE : ACCESS_LOAD;

    always @* begin
        access_dword = above;
        access_data  = {8'd0, value};
        case (phase)
            MQD_HEAD: access_dword = header;
            MQD_BUFFER: begin
                access_dword = {1'b0, step[2] ? LOAD_RPTR : LOAD_BUFFER + {3'd0, step[1:0]}};
                access_data  = step[2] ? {8'd0, rptr} : step == 3'd0 ? {place, 2'b00} :
                               step == 3'd1 ? {20'd0, left} : {8'd0, value};
            end
            MQD_ACTIVATE: begin
                access_dword = `TOTEM_REG_QUEUE_CP_HQD_ACTIVE;
                access_data  = 40'd1;
            end
            MQD_FINISH: begin
                access_dword = {1'b0, moves ? LOAD_MOVED : LOAD_ACTIVE};
                access_data  = moves ? {36'd0, failed, grid, loads || (described && !failed), loads && !failed} :
                               (job == REQUEST_PRELOAD && !failed) ? {36'd0, turn, grid, preload, 1'b1} : 40'd0;
            end
            default: ;
        endcase
    end
endmodule

`default_nettype wire
