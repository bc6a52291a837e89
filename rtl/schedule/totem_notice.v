// SPDX-License-Identifier: Apache-2.0
//
// totem_notice: interrupts of queues of the run list, {entry, int_ctxid}, in their order for the host.
//
// Policy    the first one is shown, DEPTH more wait in a RAM; what does not fit is lost, which is kept.
// Latency   4 clocks from a notice to its place at the front.
// Boundary  nothing waits for the host.
// Cost      about 105 flip-flops and DEPTH x 42 bits of RAM.
// Proved    1 order to 3 held of the contract.
// Twin      cmodel/schedule/totem_notice.c, same names.

`default_nettype none

module totem_notice #(
    parameter DEPTH = 64            // a power of two, 2 to 256
) (
    input  wire                     clk,
    input  wire                     rst,
    // events
    input  wire                     events_notice_valid,
    input  wire [9:0]               events_notice_entry,
    input  wire [31:0]              events_notice_context,
    // ledger
    input  wire                     ledger_take,
    input  wire                     ledger_clear,
    output wire                     valid,
    output wire [9:0]               entry,
    output wire [31:0]              ctxid,
    output wire                     lost,
    output wire                     due,
    // RAM
    output wire                     ram_write_enable,
    output wire [$clog2(DEPTH)-1:0] ram_write_addr,
    output wire [41:0]              ram_write_data,
    output wire                     ram_read_enable,
    output wire [$clog2(DEPTH)-1:0] ram_read_addr,
    input  wire [41:0]              ram_read_data
);
    localparam D = $clog2(DEPTH);

    generate
        if (DEPTH < 2 || DEPTH > 256 || DEPTH != (1 << D)) begin : check
            totem_notice_needs_DEPTH_2_to_256_a_power_of_two refused ();
        end
    endgenerate

    reg         arrived_q;
    reg [9:0]   arrived_entry_q, arrived_entry_d;
    reg [31:0]  arrived_context_q, arrived_context_d;
    reg [D:0]   count_q, count_d;
    reg [D-1:0] first_q, first_d;
    reg         coming_q;
    reg         valid_q, valid_d;
    reg [9:0]   entry_q, entry_d;
    reg [31:0]  ctxid_q, ctxid_d;
    reg         lost_q, lost_d;

    // Registers that reset leaves alone read 0 at start, as in the model.
    initial begin
        arrived_q = 0; arrived_entry_q = 0; arrived_context_q = 0;
        count_q = 0; first_q = 0; coming_q = 0; valid_q = 0; entry_q = 0; ctxid_q = 0; lost_q = 0;
    end

    wire full    = count_q[D];
    wire kept    = arrived_q && !full;
    wire fetches = |count_q && !valid_q && !coming_q;

    assign valid            = valid_q;
    assign entry            = entry_q;
    assign ctxid            = ctxid_q;
    assign lost             = lost_q;
    assign due              = valid_q || lost_q;
    assign ram_write_enable = kept;
    assign ram_write_addr   = first_q + count_q[D-1:0];
    assign ram_write_data   = {arrived_entry_q, arrived_context_q};
    assign ram_read_enable  = fetches;
    assign ram_read_addr    = first_q;

    always @* begin
        // 4 Clear
        lost_d = lost_q && !ledger_clear;
        // 1 Arrive
        if (arrived_q && full)
            lost_d = 1'b1;
        arrived_entry_d   = events_notice_valid ? events_notice_entry : arrived_entry_q;
        arrived_context_d = events_notice_valid ? events_notice_context : arrived_context_q;
        // 2 Fetch
        count_d = count_q + {{D{1'b0}}, kept} - {{D{1'b0}}, fetches};
        first_d = first_q + {{D-1{1'b0}}, fetches};
        // 3 First
        valid_d   = coming_q || (valid_q && !ledger_take);
        entry_d   = coming_q ? ram_read_data[41:32] : entry_q;
        ctxid_d   = coming_q ? ram_read_data[31:0] : ctxid_q;
    end

    always @(posedge clk) begin
        arrived_q         <= events_notice_valid;
        arrived_entry_q   <= arrived_entry_d;
        arrived_context_q <= arrived_context_d;
        count_q   <= count_d;
        first_q   <= first_d;
        coming_q  <= fetches;
        valid_q   <= valid_d;
        entry_q   <= entry_d;
        ctxid_q   <= ctxid_d;
        lost_q    <= lost_d;
        if (rst) begin
            arrived_q <= 1'b0;
            count_q  <= {D+1{1'b0}};
            first_q  <= {D{1'b0}};
            coming_q <= 1'b0;
            valid_q  <= 1'b0;
            lost_q   <= 1'b0;
        end
    end

    // formal: maxsteps=4 params=DEPTH=4
`ifdef FORMAL
`include "totem_notice_properties.vh"
`endif
endmodule

`default_nettype wire
