// SPDX-License-Identifier: Apache-2.0
//
// totem_bench: the machine under a simulator that knows unknown values.
//
// The lockstep runs in Verilator, where every bit is 0 or 1. Here a register that nothing set would show: after reset
// and in every clock from then on no handshake output may be unknown, and no payload while its valid is 1. The host
// side identifies the machine, reads what is not there, and writes where only reading is allowed.
// The last line is "N passed, N failed".

`default_nettype none
`timescale 1ns / 1ns

`include "totem_config.vh"

module totem_bench;
    localparam FE_COUNT = `TOTEM_FE_COUNT;
    localparam OKAY     = 2'd0;
    localparam SLVERR   = 2'd2;

    reg clk = 1'b0;
    reg rst = 1'b1;
    always #5 clk = !clk;

    // host
    reg  [19:0] awaddr = 20'd0, araddr = 20'd0;
    reg  [31:0] wdata = 32'd0;
    reg         awvalid = 1'b0, wvalid = 1'b0, arvalid = 1'b0;
    wire        awready, wready, bvalid, arready, rvalid, irq;
    wire [1:0]  bresp, rresp;
    wire [31:0] rdata;

    // memory: takes nothing and gives nothing, which stops no one who has nothing to do
    wire [FE_COUNT*`TOTEM_WRITE_ID_BITS-1:0] awid;
    wire [FE_COUNT*`TOTEM_READER_BITS-1:0] arid;
    wire [FE_COUNT*40-1:0] m_awaddr, m_araddr;
    wire [FE_COUNT*8-1:0]  awlen, arlen, wstrb;
    wire [FE_COUNT*3-1:0]  awsize, arsize;
    wire [FE_COUNT*2-1:0]  awburst, arburst;
    wire [FE_COUNT*64-1:0] m_wdata;
    wire [FE_COUNT-1:0]    awlock, arlock, m_awvalid, m_wvalid, wlast, bready, m_arvalid, m_rready;

    totem dut (
        .clk(clk), .rst(rst),
        .s_axil_awaddr(awaddr), .s_axil_awprot(3'd0), .s_axil_awvalid(awvalid), .s_axil_awready(awready),
        .s_axil_wdata(wdata), .s_axil_wstrb(4'hf), .s_axil_wvalid(wvalid), .s_axil_wready(wready),
        .s_axil_bresp(bresp), .s_axil_bvalid(bvalid), .s_axil_bready(1'b1),
        .s_axil_araddr(araddr), .s_axil_arprot(3'd0), .s_axil_arvalid(arvalid), .s_axil_arready(arready),
        .s_axil_rdata(rdata), .s_axil_rresp(rresp), .s_axil_rvalid(rvalid), .s_axil_rready(1'b1),
        .irq(irq),
        .m_axi_awid(awid), .m_axi_awaddr(m_awaddr), .m_axi_awlen(awlen), .m_axi_awsize(awsize),
        .m_axi_awburst(awburst), .m_axi_awlock(awlock), .m_axi_awvalid(m_awvalid), .m_axi_awready({FE_COUNT{1'b0}}),
        .m_axi_wdata(m_wdata), .m_axi_wstrb(wstrb), .m_axi_wlast(wlast), .m_axi_wvalid(m_wvalid),
        .m_axi_wready({FE_COUNT{1'b0}}),
        .m_axi_bid({FE_COUNT*`TOTEM_WRITE_ID_BITS{1'b0}}), .m_axi_bresp({FE_COUNT{2'd0}}), .m_axi_bvalid({FE_COUNT{1'b0}}),
        .m_axi_bready(bready),
        .m_axi_arid(arid), .m_axi_araddr(m_araddr), .m_axi_arlen(arlen), .m_axi_arsize(arsize),
        .m_axi_arburst(arburst), .m_axi_arlock(arlock), .m_axi_arvalid(m_arvalid),
        .m_axi_arready({FE_COUNT{1'b0}}),
        .m_axi_rid({FE_COUNT*`TOTEM_READER_BITS{1'b0}}), .m_axi_rdata({FE_COUNT{64'd0}}), .m_axi_rresp({FE_COUNT{2'd0}}),
        .m_axi_rlast({FE_COUNT{1'b0}}), .m_axi_rvalid({FE_COUNT{1'b0}}), .m_axi_rready(m_rready)
    );

    integer passed = 0;
    integer failed = 0;
    integer unknown = 0;

    task check(input good, input [8*40-1:0] what);
        if (good === 1'b1)
            passed = passed + 1;
        else begin
            failed = failed + 1;
            $display("FAIL clock %0d: %0s", $time / 10, what);
        end
    endtask

    // Seen just before each clock edge, when everything has settled.
    always @(posedge clk)
        if (!rst && ((^{awready, wready, bvalid, arready, rvalid, irq}) === 1'bx
                     || (^{m_awvalid, m_wvalid, bready, m_arvalid, m_rready}) === 1'bx
                     || (bvalid && (^bresp) === 1'bx) || (rvalid && (^{rresp, rdata}) === 1'bx))) begin
            if (unknown == 0)
                $display("FAIL clock %0d: an output is unknown", $time / 10);
            unknown = unknown + 1;
        end

    integer wait_left;

    task read(input [19:0] addr);
        begin
            araddr  = addr;
            arvalid = 1'b1;
            wait_left = 100;
            while (!arready && wait_left > 0) begin
                @(negedge clk);
                wait_left = wait_left - 1;
            end
            @(negedge clk);
            arvalid = 1'b0;
            while (!rvalid && wait_left > 0) begin
                @(negedge clk);
                wait_left = wait_left - 1;
            end
            check(wait_left > 0, "a read is answered within 100 clocks");
        end
    endtask

    reg aw_done, w_done;

    task write(input [19:0] addr, input [31:0] data);
        begin
            awaddr  = addr;
            wdata   = data;
            awvalid = 1'b1;
            wvalid  = 1'b1;
            wait_left = 100;
            while ((awvalid || wvalid) && wait_left > 0) begin
                aw_done = awready;
                w_done  = wready;
                @(negedge clk);
                if (aw_done) awvalid = 1'b0;
                if (w_done)  wvalid  = 1'b0;
                wait_left = wait_left - 1;
            end
            while (!bvalid && wait_left > 0) begin
                @(negedge clk);
                wait_left = wait_left - 1;
            end
            check(wait_left > 0, "a write is answered within 100 clocks");
        end
    endtask

    // Everything happens at the falling edge: inputs change there, outputs of the clock are settled there.
    initial begin
        repeat (4) @(negedge clk);
        rst = 1'b0;
        repeat (2) @(negedge clk);

        read(20'h00000);
        check(rresp == OKAY && rdata == 32'h544F544D, "the machine says who it is");
        @(negedge clk);
        read(20'h00008);
        check(rresp == OKAY && rdata == `TOTEM_CONFIG_HASH, "it has this configuration");
        @(negedge clk);
        read(20'h00018);
        check(rresp == OKAY && rdata == `TOTEM_SLOTS, "an engine has its wave slots");
        @(negedge clk);
        read(20'h00ff0);
        check(rresp == SLVERR, "reading where nothing is gives SLVERR");
        @(negedge clk);
        write(20'h00ff0, 32'hffffffff);
        check(bresp == SLVERR, "writing where nothing is gives SLVERR");
        @(negedge clk);
        read(20'h00000);
        check(rdata == 32'h544F544D, "the machine answers as before");
        @(negedge clk);
        repeat (1000) @(negedge clk);
        check(m_awvalid == 0 && m_wvalid == 0 && m_arvalid == 0, "an idle machine leaves the memory alone");
        read(20'h00028);
        check(rdata[0] == 1'b1, "and says that it is idle");
        check(unknown == 0, "no output was unknown");

        $display("%0d passed, %0d failed", passed, failed);
        $finish;
    end
endmodule

`default_nettype wire
