// SPDX-License-Identifier: Apache-2.0
//
// soc_bench: the host of the example system, under a simulator that knows unknown values.
//
// Policy    identifies the machine, tries what is not there, maps a queue by register writes, runs a grid from a ring
//           in memory, waits for fence and interrupt, resets the queue under waves that do not end. In every clock
//           after reset no handshake may be unknown, and no payload while its valid is 1.
// Use       the last line is "N passed, N failed".

`default_nettype none

`include "totem_config.vh"

module soc_bench;
    localparam OKAY     = 2'd0;
    localparam SLVERR   = 2'd2;
    localparam FE       = `TOTEM_FE_COUNT;
    localparam SE       = `TOTEM_SE_COUNT;
    localparam SB       = `TOTEM_SLOT_BITS;

    // addresses of registers: docs/registers.md
    localparam MAGIC = 20'h00000, CONFIG_HASH = 20'h00008, ENGINE = 20'h00018, STATUS = 20'h00028, HOLE = 20'h00ff0;
    localparam INTERRUPT_ENABLE = 20'h01004, EOP_STATUS = 20'h01010, EOP_ENABLE = 20'h01018, INT_CTXID = 20'h01100;
    localparam CORE_PAGE = 20'h02000, DOORBELL = 20'h04000;
    localparam WINDOW = 20'h10000;          // of queue 0 of pipe 0; dwords of it:
    localparam MQD_BASE = 0, ACTIVE = 2, PERSISTENT = 4, PQ_BASE = 8, DOORBELL_CONTROL = 15, PQ_CONTROL = 17,
               DEQUEUE_REQUEST = 24;

    // memory
    localparam RING = 16'h1000, MQD = 16'h2000, FENCE = 16'h3000;
    // packets: docs/pm4.md
    localparam DISPATCH_DIRECT = 8'h15, RELEASE_MEM = 8'h49, SET_SH_REG = 8'h76;

    reg clk = 1'b0;
    reg rst = 1'b1;
    always #5 clk = !clk;

    reg  [19:0] awaddr = 20'd0, araddr = 20'd0;
    reg  [31:0] wdata = 32'd0;
    reg         awvalid = 1'b0, wvalid = 1'b0, arvalid = 1'b0;
    wire        awready, wready, bvalid, arready, rvalid, irq;
    wire [1:0]  bresp, rresp;
    wire [31:0] rdata;

    soc dut (
        .clk(clk), .rst(rst),
        .s_axil_awaddr(awaddr), .s_axil_awvalid(awvalid), .s_axil_awready(awready),
        .s_axil_wdata(wdata), .s_axil_wstrb(4'hf), .s_axil_wvalid(wvalid), .s_axil_wready(wready),
        .s_axil_bresp(bresp), .s_axil_bvalid(bvalid), .s_axil_bready(1'b1),
        .s_axil_araddr(araddr), .s_axil_arvalid(arvalid), .s_axil_arready(arready),
        .s_axil_rdata(rdata), .s_axil_rresp(rresp), .s_axil_rvalid(rvalid), .s_axil_rready(1'b1),
        .irq(irq)
    );

    integer passed = 0;
    integer failed = 0;
    integer unknown = 0;

    task check(input good, input [8*48-1:0] what);
        if (good === 1'b1)
            passed = passed + 1;
        else begin
            failed = failed + 1;
            $display("FAIL clock %0d: %0s", $time / 10, what);
        end
    endtask

    // Seen just before each clock edge, when everything has settled.
    integer f, s;
    integer accepted = 0;
    integer ended = 0;
    reg     bad;
    always @(posedge clk)
        if (!rst) begin
            bad = (^{awready, wready, bvalid, arready, rvalid, irq}) === 1'bx || (bvalid && (^bresp) === 1'bx)
                  || (rvalid && (^{rresp, rdata}) === 1'bx)
                  || (^{dut.awvalid, dut.wvalid, dut.bready, dut.arvalid, dut.rready, dut.launch_valid,
                        dut.kill_valid}) === 1'bx;
            for (f = 0; f < FE; f = f + 1)
                bad = bad || (dut.awvalid[f] && (^dut.awaddr[f*40 +: 40]) === 1'bx)
                      || (dut.wvalid[f] && (^{dut.wstrb[f*8 +: 8], dut.wdata[f*64 +: 64]}) === 1'bx)
                      || (dut.arvalid[f] && (^{dut.araddr[f*40 +: 40], dut.arlen[f*8 +: 8]}) === 1'bx);
            for (s = 0; s < SE; s = s + 1) begin
                bad      = bad || (dut.launch_valid[s] && (^dut.launch_slot[s*SB +: SB]) === 1'bx);
                accepted = accepted + (dut.launch_valid[s] && dut.launch_ready[s]);
                ended    = ended + dut.done_valid[s];
            end
            if (bad && unknown == 0)
                $display("FAIL clock %0d: an output is unknown", $time / 10);
            unknown = unknown + bad;
        end

    // Everything happens at the falling edge: inputs change there, outputs of the clock are settled there.
    integer patience, n;

    task read(input [19:0] address);
        begin
            araddr   = address;
            arvalid  = 1'b1;
            patience = 500;
            while (!arready && patience > 0) begin
                @(negedge clk);
                patience = patience - 1;
            end
            @(negedge clk);
            arvalid = 1'b0;
            while (!rvalid && patience > 0) begin
                @(negedge clk);
                patience = patience - 1;
            end
            check(patience > 0, "a read is answered within 500 clocks");
        end
    endtask

    task expect_read(input [19:0] address, input [31:0] data, input [8*48-1:0] what);
        begin
            read(address);
            check(rresp == OKAY && rdata == data, what);
            @(negedge clk);
        end
    endtask

    reg aw_done, w_done;

    task write(input [19:0] address, input [31:0] data, input [1:0] response);
        begin
            awaddr   = address;
            wdata    = data;
            awvalid  = 1'b1;
            wvalid   = 1'b1;
            patience = 500;
            while ((awvalid || wvalid) && patience > 0) begin
                aw_done = awready;
                w_done  = wready;
                @(negedge clk);
                if (aw_done) awvalid = 1'b0;
                if (w_done)  wvalid  = 1'b0;
                patience = patience - 1;
            end
            while (!bvalid && patience > 0) begin
                @(negedge clk);
                patience = patience - 1;
            end
            check(patience > 0 && bresp == response, "a write is answered within 500 clocks");
            @(negedge clk);
        end
    endtask

    // The ring is written as host software would: dwords, the first one low in its word.
    integer dwords = 0;

    task put(input [31:0] dword);
        begin
            dut.ram.words[(RING + 4 * dwords) >> 3][32 * (dwords % 2) +: 32] = dword;
            dwords = dwords + 1;
        end
    endtask

    task header(input [7:0] opcode, input [13:0] body);
        put({2'd3, body - 14'd1, opcode, 8'd0});
    endtask

    // Groups of one wave of 64 threads, which runs for so many clocks.
    task grid(input [31:0] groups, input [31:0] clocks);
        begin
            header(SET_SH_REG, 4);
            put(32'h207); put(64); put(1); put(1);      // COMPUTE_NUM_THREAD_X .. Z
            header(SET_SH_REG, 3);
            put(32'h212); put(0); put(2 << 1);          // COMPUTE_PGM_RSRC1, 2: two registers of user data
            header(SET_SH_REG, 3);
            put(32'h240); put(clocks); put(0);          // COMPUTE_USER_DATA_0, 1
            header(DISPATCH_DIRECT, 4);
            put(groups); put(1); put(1); put(1);
        end
    endtask

    // When all before it is done: value to FENCE, then an interrupt with this int_ctxid.
    task fence(input [31:0] value, input [31:0] ctxid);
        begin
            header(RELEASE_MEM, 7);
            put(32'h14); put(32'h22000000); put(FENCE); put(0); put(value); put(0); put(ctxid);
        end
    endtask

    task until_irq;
        begin
            patience = 5000;
            while (!irq && patience > 0) begin
                @(negedge clk);
                patience = patience - 1;
            end
            check(patience > 0, "an interrupt within 5000 clocks");
        end
    endtask

    initial begin
        repeat (4) @(negedge clk);
        rst = 1'b0;
        repeat (2) @(negedge clk);

        expect_read(MAGIC, 32'h544F544D, "the machine says who it is");
        expect_read(CONFIG_HASH, `TOTEM_CONFIG_HASH, "it has this configuration");
        expect_read(ENGINE, `TOTEM_SLOTS, "an engine has its wave slots");
        read(HOLE);
        check(rresp == SLVERR, "reading where nothing is gives SLVERR");
        @(negedge clk);
        write(HOLE, 32'hffffffff, SLVERR);
        write(CORE_PAGE, 32'd0, SLVERR);                // a core without registers
        repeat (1000) @(negedge clk);
        check(dut.awvalid == 0 && dut.wvalid == 0 && dut.arvalid == 0, "an idle machine leaves the memory alone");
        expect_read(STATUS, 32'd1, "and says that it is idle");

        // Map queue 0 of pipe 0, as a driver does, and let its fences interrupt.
        dut.ram.words[FENCE >> 3] = 64'd0;
        for (n = 0; n < 512; n = n + 1)
            dut.ram.words[(MQD >> 3) + n] = 64'd0;
        write(WINDOW + 4 * MQD_BASE, MQD, OKAY);
        write(WINDOW + 4 * PERSISTENT, 32'h0be05300, OKAY);
        write(WINDOW + 4 * PQ_BASE, RING >> 8, OKAY);
        write(WINDOW + 4 * DOORBELL_CONTROL, 32'h40000000, OKAY);
        write(WINDOW + 4 * PQ_CONTROL, 32'h00300007, OKAY);     // 256 dwords
        write(WINDOW + 4 * ACTIVE, 32'd1, OKAY);
        write(EOP_ENABLE, 32'd1, OKAY);
        write(INTERRUPT_ENABLE, 32'd1, OKAY);

        grid(10, 100);
        fence(32'h5a, 32'hc0ffee);
        write(DOORBELL, dwords, OKAY);
        repeat (100) @(negedge clk);
        check(dut.ram.words[FENCE >> 3] == 64'd0 && ended == 0, "the fence waits for the waves");
        until_irq;
        check(dut.ram.words[FENCE >> 3] == 64'h5a, "the fence is in memory");
        check(accepted == 10 && ended == 10, "every wave has run once");
        expect_read(INT_CTXID, 32'hc0ffee, "the interrupt says whose it is");
        write(EOP_STATUS, 32'd1, OKAY);
        repeat (4) @(negedge clk);
        check(irq == 1'b0, "the interrupt is gone");

        // Waves that do not end, and a reset of their queue.
        grid(4, 32'hffffffff);
        write(DOORBELL, dwords, OKAY);
        patience = 2000;
        while (accepted != 14 && patience > 0) begin
            @(negedge clk);
            patience = patience - 1;
        end
        write(WINDOW + 4 * DEQUEUE_REQUEST, 32'd2, OKAY);
        until_irq;
        expect_read(INT_CTXID, 32'd2, "the reset is done");
        expect_read(WINDOW + 4 * ACTIVE, 32'd0, "the queue is unmapped");
        check(accepted == 14 && ended == 14, "its waves have been killed");
        expect_read(STATUS, 32'd1, "the machine is idle");
        check(unknown == 0, "no output was unknown");

        $display("%0d passed, %0d failed", passed, failed);
        $finish;
    end
endmodule

`default_nettype wire
