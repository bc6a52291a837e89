// SPDX-License-Identifier: Apache-2.0
//
// totem_proxy: register accesses of the run list, one at a time.
//
// Policy    an access is held until the host has ended it. An error, or the reset of a queue that is late, makes a
//           message to events; the next access does not wait for it: while one is on its way, others are only counted.
// Latency   one clock to the host, one back.
// Boundary  request and answer are registers. Outputs are functions of state only.
// Mask      the access counts only while valid, the answer only while done, the word only while error_valid.
// Cost      166 flip-flops and $clog2(RUN_QUEUES).
// Proved    1 answered, 2 same, 3 steady, 4 told, 5 held.
// Twin      cmodel/schedule/totem_proxy.c, same names.

`default_nettype none
`include "totem_pm4.vh"

module totem_proxy #(
    parameter RUN_QUEUES = 1024         // a power of two, 2 to 1024
) (
    input  wire                          clk,
    input  wire                          rst,
    // requester
    input  wire                          runlist_valid,
    input  wire                          runlist_write,
    input  wire [17:0]                   runlist_address,
    input  wire [31:0]                   runlist_data,
    input  wire [$clog2(RUN_QUEUES)-1:0] runlist_entry,
    input  wire                          runlist_late,
    output wire                          done,
    output wire [4:0]                    error,
    output wire [31:0]                   rdata,
    // host
    output wire                          valid,
    output wire                          write,
    output wire [17:0]                   address,
    output wire [31:0]                   data,
    input  wire                          host_proxy_done,
    input  wire [4:0]                    host_proxy_error,
    input  wire [31:0]                   host_proxy_rdata,
    // events
    output wire                          error_valid,
    output wire [63:0]                   error_word,
    input  wire                          events_error_ready,
    output wire [15:0]                   lost
);
`include "totem_proxy_values.vh"
    localparam E = $clog2(RUN_QUEUES);

    reg [1:0]   phase_q, phase_d;
    reg         write_q, write_d;
    reg [17:0]  address_q, address_d;
    reg [31:0]  data_q, data_d;
    reg [4:0]   error_q, error_d;
    reg [31:0]  rdata_q, rdata_d;
    reg [1:0]   error_left_q, error_left_d;
    reg [7:0]   error_code_q, error_code_d;
    reg [E-1:0] error_entry_q, error_entry_d;
    reg [17:0]  error_address_q, error_address_d;
    reg [31:0]  error_data_q, error_data_d;
    reg [15:0]  lost_q, lost_d;

    // Registers that reset leaves alone read 0 at start, as in the model.
    initial begin
        phase_q = 0; write_q = 0; address_q = 0; data_q = 0; error_q = 0; rdata_q = 0; error_left_q = 0;
        error_code_q = 0; error_entry_q = 0; error_address_q = 0; error_data_q = 0; lost_q = 0;
    end

    assign valid       = phase_q == PROXY_ASK;
    assign done        = phase_q == PROXY_DONE;
    assign write       = write_q;
    assign address     = address_q;
    assign data        = data_q;
    assign error       = error_q;
    assign rdata       = rdata_q;
    assign lost        = lost_q;
    assign error_valid = error_left_q != 2'd0;
    assign error_word  = error_left_q == 2'd2 ?
                             {error_code_q, 24'd0, {12-E{1'b0}}, error_entry_q, error_address_q, 2'd0} :
                             {32'd0, error_data_q};

    wire fails = host_proxy_error != 5'd0;
    wire tells = valid && host_proxy_done && (fails || runlist_late);

    always @* begin
        phase_d         = phase_q;
        write_d         = write_q;
        address_d       = address_q;
        data_d          = data_q;
        error_d         = error_q;
        rdata_d         = rdata_q;
        error_left_d    = error_left_q;
        error_code_d    = error_code_q;
        error_entry_d   = error_entry_q;
        error_address_d = error_address_q;
        error_data_d    = error_data_q;
        lost_d          = lost_q;

        // 1 Message
        if (error_valid && events_error_ready)
            error_left_d = error_left_q - 2'd1;

        case (phase_q)
            // 2 Take
            PROXY_REST:
                if (runlist_valid) begin
                    phase_d   = PROXY_ASK;
                    write_d   = runlist_write;
                    address_d = runlist_address;
                    data_d    = runlist_data;
                end
            // 3 Answer
            PROXY_ASK:
                if (host_proxy_done) begin
                    phase_d = PROXY_DONE;
                    error_d = host_proxy_error;
                    rdata_d = host_proxy_rdata;
                end
            // 5 End
            default: phase_d = PROXY_REST;
        endcase

        // 4 Told
        if (tells && !error_valid) begin
            error_left_d    = 2'd2;
            error_code_d    = fails ? {3'b100, host_proxy_error} : `TOTEM_ERROR_RUNLIST_LATE;
            error_entry_d   = runlist_entry;
            error_address_d = address_q;
            error_data_d    = write_q ? data_q : 32'd0;
        end else if (tells && lost_q != 16'hffff)
            lost_d = lost_q + 16'd1;
    end

    always @(posedge clk) begin
        phase_q         <= phase_d;
        write_q         <= write_d;
        address_q       <= address_d;
        data_q          <= data_d;
        error_q         <= error_d;
        rdata_q         <= rdata_d;
        error_left_q    <= error_left_d;
        error_code_q    <= error_code_d;
        error_entry_q   <= error_entry_d;
        error_address_q <= error_address_d;
        error_data_q    <= error_data_d;
        lost_q          <= lost_d;
        if (rst) begin
            phase_q      <= PROXY_REST;
            error_left_q <= 2'd0;
            lost_q       <= 16'd0;
        end
    end

    // formal: maxsteps=4
`ifdef FORMAL
`include "totem_proxy_properties.vh"
`endif
endmodule

`default_nettype wire
