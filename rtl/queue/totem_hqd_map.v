// SPDX-License-Identifier: Apache-2.0
//
// totem_hqd_map: part of totem_hqd: a step of a mapping, its check or its word on the load bus.
//
// Policy    steps 1 to 14 read what is checked, 14 to 24 what is sent; step 25 ends it. So nothing is sent of a
//           mapping that is refused, except that its one-shot poll is forgotten. The table is in docs/contract/hqd.md,
//           rule 8.
// Boundary  pure function.
// Twin      step_map() in cmodel/queue/totem_hqd.c.

`default_nettype none

`include "totem_pm4.vh"
`include "totem_regs.vh"

module totem_hqd_map (
    input  wire [4:0]  step,
    input  wire [31:0] data,            // the dword that was read
    input  wire        failed,          // an earlier step has refused it
    input  wire        poll_once,       // mapped without a packet: its write pointer follows
    input  wire        spare,           // there are two free epochs
    input  wire [7:0]  above,           // bits 47:40 that an address may have beside 0
    // what earlier steps have read, and this one
    input  wire [31:0] low,
    input  wire [5:0]  size,
    input  wire        quiet,
    input  wire        needs,
    input  wire        described,
    output reg  [31:0] new_low,
    output reg  [5:0]  new_size,
    output reg         new_quiet,
    output reg         new_needs,
    output reg         new_described,
    output reg  [5:0]  dword,           // to be read next
    output reg  [4:0]  error,           // this step refuses it; 0: not
    output reg         ends,            // it ends here, refused
    output reg         last,            // it ends here, mapped
    output reg         send,
    output reg  [4:0]  kind,
    output reg  [39:0] word
);
`include "totem_hqd_values.vh"
    localparam [7:0] STATE = `TOTEM_ERROR_HOST_MAP_STATE, PIPE_PRIORITY = `TOTEM_ERROR_HOST_MAP_PIPE_PRIORITY;
    localparam [7:0] AQL = `TOTEM_ERROR_HOST_MAP_AQL, QUEUE_SIZE = `TOTEM_ERROR_HOST_MAP_QUEUE_SIZE;
    localparam [7:0] POINTERS = `TOTEM_ERROR_HOST_MAP_POINTERS, NO_EPOCH = `TOTEM_ERROR_HOST_MAP_NO_EPOCH;
    localparam [7:0] MQD = `TOTEM_ERROR_HOST_MAP_MQD, ADDRESS = `TOTEM_ERROR_HOST_MAP_ADDRESS;

    wire [31:0] ring     = 32'd2 << size[4:0];      // dwords
    wire [31:0] distance = data - low;              // of the write pointer from the read pointer
    wire [5:0]  new_ring = data[`TOTEM_REG_QUEUE_CP_HQD_PQ_CONTROL_QUEUE_SIZE];
    wire        enabled  = data[`TOTEM_REG_QUEUE_CP_HQD_PQ_DOORBELL_CONTROL_DOORBELL_EN];

    // 8 Map, continued: an address
    wire        strange;
    wire [7:0]  page;
    totem_upper upper (
        .address((step == 5'd14) ? {low[7:0], data[31:24]} : data[15:0]), .above(above), .strange(strange), .page(page)
    );

    always @* begin
        case (step)
            5'd0:    dword = `TOTEM_REG_QUEUE_CP_HQD_PIPE_PRIORITY;
            5'd1:    dword = `TOTEM_REG_QUEUE_CP_HQD_IB_CONTROL;
            5'd2:    dword = `TOTEM_REG_QUEUE_CP_HQD_IB_BASE_ADDR_HI;
            5'd3:    dword = `TOTEM_REG_QUEUE_CP_HQD_PQ_CONTROL;
            5'd4:    dword = `TOTEM_REG_QUEUE_CP_HQD_AQL_CONTROL;
            5'd5:    dword = `TOTEM_REG_QUEUE_CP_MQD_BASE_ADDR;
            5'd6:    dword = `TOTEM_REG_QUEUE_CP_MQD_BASE_ADDR_HI;
            5'd7:    dword = `TOTEM_REG_QUEUE_CP_HQD_PQ_RPTR_REPORT_ADDR_HI;
            5'd8:    dword = `TOTEM_REG_QUEUE_CP_HQD_PQ_WPTR_POLL_ADDR_HI;
            5'd9:    dword = `TOTEM_REG_QUEUE_CP_HQD_PQ_RPTR;
            5'd10:   dword = `TOTEM_REG_QUEUE_CP_HQD_PQ_WPTR_LO;
            5'd11:   dword = `TOTEM_REG_QUEUE_CP_HQD_PQ_BASE_HI;
            5'd12:   dword = `TOTEM_REG_QUEUE_CP_HQD_PQ_BASE;
            5'd13:   dword = `TOTEM_REG_QUEUE_CP_HQD_PQ_CONTROL;
            5'd14:   dword = `TOTEM_REG_QUEUE_CP_HQD_PQ_RPTR;
            5'd15:   dword = `TOTEM_REG_QUEUE_CP_HQD_PQ_WPTR_LO;
            5'd16:   dword = `TOTEM_REG_QUEUE_CP_HQD_PQ_RPTR_REPORT_ADDR;
            5'd17:   dword = `TOTEM_REG_QUEUE_CP_HQD_PQ_RPTR_REPORT_ADDR_HI;
            5'd18:   dword = `TOTEM_REG_QUEUE_CP_MQD_BASE_ADDR;
            5'd19:   dword = `TOTEM_REG_QUEUE_CP_MQD_BASE_ADDR_HI;
            5'd20:   dword = `TOTEM_REG_QUEUE_CP_HQD_QUANTUM;
            5'd21:   dword = `TOTEM_REG_QUEUE_CP_HQD_PIPE_PRIORITY;
            5'd22:   dword = `TOTEM_REG_QUEUE_CP_HQD_PQ_DOORBELL_CONTROL;
            default: dword = `TOTEM_REG_QUEUE_CP_HQD_ACTIVE;
        endcase
    end

    always @* begin
        new_low       = low;
        new_size      = size;
        new_quiet     = quiet;
        new_needs     = needs;
        new_described = described;
        error         = 5'd0;
        ends          = 1'b0;
        last          = 1'b0;
        send          = (step >= 5'd14) && (step != 5'd18) && (step != 5'd20);
        kind          = LOAD_POLLED;
        word          = {8'd0, data};
        case (step)
            5'd0: ;
            5'd1: begin
                new_needs = data[`TOTEM_REG_QUEUE_CP_HQD_PERSISTENT_STATE_PRELOAD_REQ];
                if (!new_needs && data[`TOTEM_REG_QUEUE_CP_HQD_PERSISTENT_STATE_DISP_ACTIVE])
                    error = STATE[4:0];
            end
            5'd2: if (data[`TOTEM_REG_QUEUE_CP_HQD_PIPE_PRIORITY_PIPE_PRIORITY] == 2'd3)
                error = PIPE_PRIORITY[4:0];
            5'd3: begin
                new_low = data;
                if (data[`TOTEM_REG_QUEUE_CP_HQD_IB_CONTROL_PROCESSING_IB])
                    new_needs = 1'b1;
            end
            5'd4: if (low[`TOTEM_REG_QUEUE_CP_HQD_IB_CONTROL_PROCESSING_IB] && strange)
                error = ADDRESS[4:0];
            5'd5: begin
                new_size  = new_ring;
                new_quiet = data[`TOTEM_REG_QUEUE_CP_HQD_PQ_CONTROL_NO_UPDATE_RPTR];
                if (data[`TOTEM_REG_QUEUE_CP_HQD_PQ_CONTROL_SLOT_BASED_WPTR] != 2'd0)
                    error = AQL[4:0];
                else if (new_ring < 6'd3 || new_ring > 6'd30)
                    error = QUEUE_SIZE[4:0];
            end
            5'd6: if (data != 32'd0)
                error = AQL[4:0];
            5'd7: begin
                new_described = data != 32'd0;
                if (data[2:0] != 3'd0)
                    error = MQD[4:0];
            end
            5'd8: begin
                new_described = described || data[15:0] != 16'd0;
                if (needs && !new_described)
                    error = STATE[4:0];
                else if (strange)
                    error = ADDRESS[4:0];
            end
            5'd9: if (!quiet && strange)
                error = ADDRESS[4:0];
            5'd10: if (strange)
                error = ADDRESS[4:0];
            5'd11, 5'd13, 5'd18, 5'd20: new_low = data;
            5'd12: if (!poll_once && distance > ring)
                error = POINTERS[4:0];
            else if (!spare)
                error = NO_EPOCH[4:0];
            5'd14: begin
                if (strange)
                    error = ADDRESS[4:0];
                ends = failed || error != 5'd0;
                if (ends)
                    word = POLLED_FORGET;
                else begin
                    kind = LOAD_PQ_BASE;
                    word = {page, data[23:0], 8'd0};
                end
            end
            5'd15: kind = LOAD_PQ_CONTROL;
            5'd16: begin kind = LOAD_RPTR; new_low = data; end
            5'd17: begin kind = LOAD_WPTR; word = {8'd0, poll_once ? low : data}; end
            5'd19: begin
                kind = LOAD_REPORT_ADDR;
                word = quiet ? 40'd0 : {page, low[31:2], 2'd0};
            end
            5'd21: begin kind = LOAD_MQD_ADDR; word = {page, low[31:2], 2'd0}; end
            5'd22: kind = LOAD_QUANTUM;
            5'd23: begin kind = LOAD_PIPE_PRIORITY; word = {38'd0, data[1:0]}; end
            5'd24: word = {39'd0, !enabled};
            default: begin
                last = 1'b1;
                send = !described;
                kind = LOAD_ACTIVE;
                word = 40'd1;
            end
        endcase
    end
endmodule

`default_nettype wire
