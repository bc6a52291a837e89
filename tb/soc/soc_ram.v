// SPDX-License-Identifier: Apache-2.0
//
// soc_ram: memory with an AXI4 port for each front end, all of which see the same words.
//
// Policy    a port has one read and one write under way, INCR bursts of 8-byte beats, of writes with strobes: what
//           Totem sends (docs/memory.md). Addresses wrap. Exclusive accesses are answered with OKAY, which halts a queue at
//           ATOMIC_MEM; a system that wants these needs an exclusive monitor.
// Latency   a beat a clock from the clock after the address; a write is answered in the clock after its last one.

`default_nettype none

module soc_ram #(
    parameter PORTS         = 1,
    parameter READ_ID_BITS  = 4,
    parameter WRITE_ID_BITS = 5,
    parameter ADDRESS_BITS  = 16
) (
    input  wire                           clk,
    input  wire                           rst,
    // write
    input  wire [PORTS*WRITE_ID_BITS-1:0] awid,
    input  wire [PORTS*40-1:0]            awaddr,
    input  wire [PORTS-1:0]               awvalid,
    output wire [PORTS-1:0]               awready,
    input  wire [PORTS*64-1:0]            wdata,
    input  wire [PORTS*8-1:0]             wstrb,
    input  wire [PORTS-1:0]               wlast,
    input  wire [PORTS-1:0]               wvalid,
    output wire [PORTS-1:0]               wready,
    output reg  [PORTS*WRITE_ID_BITS-1:0] bid,
    output wire [PORTS*2-1:0]             bresp,
    output wire [PORTS-1:0]               bvalid,
    input  wire [PORTS-1:0]               bready,
    // read
    input  wire [PORTS*READ_ID_BITS-1:0]  arid,
    input  wire [PORTS*40-1:0]            araddr,
    input  wire [PORTS*8-1:0]             arlen,
    input  wire [PORTS-1:0]               arvalid,
    output wire [PORTS-1:0]               arready,
    output reg  [PORTS*READ_ID_BITS-1:0]  rid,
    output wire [PORTS*64-1:0]            rdata,
    output wire [PORTS*2-1:0]             rresp,
    output wire [PORTS-1:0]               rlast,
    output wire [PORTS-1:0]               rvalid,
    input  wire [PORTS-1:0]               rready
);
    localparam WORD_BITS = ADDRESS_BITS - 3;

    reg [63:0]                words [0:(1<<WORD_BITS)-1];
    reg [PORTS-1:0]           reading_q, writing_q, written_q;
    reg [PORTS*WORD_BITS-1:0] read_at_q, write_at_q;
    reg [PORTS*8-1:0]         left_q;       // beats behind the one that is shown

    assign awready = ~writing_q & ~written_q;
    assign wready  = writing_q;
    assign bvalid  = written_q;
    assign bresp   = {PORTS{2'd0}};
    assign arready = ~reading_q;
    assign rvalid  = reading_q;
    assign rresp   = {PORTS{2'd0}};

    genvar g;
    generate for (g = 0; g < PORTS; g = g + 1) begin : port
        assign rdata[g*64 +: 64] = words[read_at_q[g*WORD_BITS +: WORD_BITS]];
        assign rlast[g]          = left_q[g*8 +: 8] == 8'd0;
    end endgenerate

    integer p, b;
    always @(posedge clk) begin
        for (p = 0; p < PORTS; p = p + 1) begin
            if (arvalid[p] && arready[p]) begin
                reading_q[p]                            <= 1'b1;
                rid[p*READ_ID_BITS +: READ_ID_BITS]     <= arid[p*READ_ID_BITS +: READ_ID_BITS];
                read_at_q[p*WORD_BITS +: WORD_BITS]     <= araddr[p*40+3 +: WORD_BITS];
                left_q[p*8 +: 8]                        <= arlen[p*8 +: 8];
            end else if (rvalid[p] && rready[p]) begin
                reading_q[p]                            <= !rlast[p];
                read_at_q[p*WORD_BITS +: WORD_BITS]     <= read_at_q[p*WORD_BITS +: WORD_BITS] + 1'b1;
                left_q[p*8 +: 8]                        <= left_q[p*8 +: 8] - 8'd1;
            end
            if (awvalid[p] && awready[p]) begin
                writing_q[p]                            <= 1'b1;
                bid[p*WRITE_ID_BITS +: WRITE_ID_BITS]   <= awid[p*WRITE_ID_BITS +: WRITE_ID_BITS];
                write_at_q[p*WORD_BITS +: WORD_BITS]    <= awaddr[p*40+3 +: WORD_BITS];
            end
            if (wvalid[p] && wready[p]) begin
                writing_q[p]                        <= !wlast[p];
                written_q[p]                        <= wlast[p];
                write_at_q[p*WORD_BITS +: WORD_BITS] <= write_at_q[p*WORD_BITS +: WORD_BITS] + 1'b1;
                for (b = 0; b < 8; b = b + 1)
                    if (wstrb[p*8+b])
                        words[write_at_q[p*WORD_BITS +: WORD_BITS]][b*8 +: 8] <= wdata[p*64+b*8 +: 8];
            end
            if (bvalid[p] && bready[p])
                written_q[p] <= 1'b0;
        end
        if (rst) begin
            reading_q <= {PORTS{1'b0}};
            writing_q <= {PORTS{1'b0}};
            written_q <= {PORTS{1'b0}};
        end
    end
endmodule

`default_nettype wire
