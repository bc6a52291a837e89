// SPDX-License-Identifier: Apache-2.0
//
// totem_store: system memory of a board, behind the AXI4 port of the machine's front end, that of a shader core, and a
// port of the bridge.
//
// Policy    one read burst and one write burst at a time; machine and core take turns; a waiting access of the bridge
//           goes before the next burst. Exclusive accesses, of the machine alone, have one monitor.
// Latency   first beat 3 clocks after the address, then one a clock; a write beat is in memory a clock after it is
//           taken, its response comes in the same clock.
// Boundary  eight RAMs of a byte each stand beside it. `boot_reset` drops what the masters have under way, not memory.
// Cost      about 290 flip-flops; the skid lets the RAMs read ahead without looking at rready. Without a core its
//           inputs are 0 and nothing of the turns is left.
// Proved    no word is read while it is written (1), so the RAMs need no bypass; no beat is lost or doubled (2); none
//           goes to the wrong master (9), and none waits for two bursts of the other (10).
// Twin      cmodel/bridge/totem_store.c, same names.

`default_nettype none

module totem_store #(
    parameter BYTES   = 262144,                 // a power of two from 4096
    parameter READERS = 6,
    parameter STREAMS = 6,
    parameter FENCES  = 8,
    parameter READ_ID_BITS  = (READERS > 1) ? $clog2(READERS) : 1,
    parameter WRITE_ID_BITS = 1 + $clog2(STREAMS > FENCES ? STREAMS : FENCES),
    parameter WORD_BITS     = $clog2(BYTES / 8)
) (
    input  wire                     clk,
    input  wire                     rst,
    // boot
    input  wire                     boot_reset,
    // machine
    input  wire [WRITE_ID_BITS-1:0] m_axi_awid,
    input  wire [39:0]              m_axi_awaddr,
    input  wire                     m_axi_awlock,
    input  wire                     m_axi_awvalid,
    output wire                     m_axi_awready,
    input  wire [63:0]              m_axi_wdata,
    input  wire [7:0]               m_axi_wstrb,
    input  wire                     m_axi_wlast,
    input  wire                     m_axi_wvalid,
    output wire                     m_axi_wready,
    output wire [WRITE_ID_BITS-1:0] m_axi_bid,
    output wire [1:0]               m_axi_bresp,
    output wire                     m_axi_bvalid,
    input  wire                     m_axi_bready,
    input  wire [READ_ID_BITS-1:0]  m_axi_arid,
    input  wire [39:0]              m_axi_araddr,
    input  wire [7:0]               m_axi_arlen,
    input  wire                     m_axi_arlock,
    input  wire                     m_axi_arvalid,
    output wire                     m_axi_arready,
    output wire [READ_ID_BITS-1:0]  m_axi_rid,
    output wire [63:0]              m_axi_rdata,
    output wire [1:0]               m_axi_rresp,
    output wire                     m_axi_rlast,
    output wire                     m_axi_rvalid,
    input  wire                     m_axi_rready,
    // core
    input  wire [39:0]              core_awaddr,
    input  wire                     core_awvalid,
    output wire                     core_awready,
    input  wire [63:0]              core_wdata,
    input  wire [7:0]               core_wstrb,
    input  wire                     core_wlast,
    input  wire                     core_wvalid,
    output wire                     core_wready,
    output wire [1:0]               core_bresp,
    output wire                     core_bvalid,
    input  wire                     core_bready,
    input  wire [39:0]              core_araddr,
    input  wire [7:0]               core_arlen,
    input  wire                     core_arvalid,
    output wire                     core_arready,
    output wire [63:0]              core_rdata,
    output wire [1:0]               core_rresp,
    output wire                     core_rlast,
    output wire                     core_rvalid,
    input  wire                     core_rready,
    // bridge
    input  wire                     bridge_memory_valid,
    input  wire                     bridge_request_write,
    input  wire [31:0]              bridge_request_address,
    input  wire [31:0]              bridge_request_data,
    output wire                     done,
    output wire [31:0]              rdata,
    // ram
    output wire [7:0]               ram_write_enable,
    output wire [8*WORD_BITS-1:0]   ram_write_addr,
    output wire [63:0]              ram_write_data,
    output wire [7:0]               ram_read_enable,
    output wire [8*WORD_BITS-1:0]   ram_read_addr,
    input  wire [63:0]              ram_read_data
);
`include "totem_store_values.vh"

    generate
        if (BYTES < 4096 || BYTES != (8 << WORD_BITS)) begin : check
            totem_store_needs_BYTES_a_power_of_two_from_4096 refused ();
        end
    endgenerate

    localparam NUMBER_BITS = READ_ID_BITS > WRITE_ID_BITS ? READ_ID_BITS : WRITE_ID_BITS;

    reg [2:0]               access_q, access_d;
    reg [31:0]              rdata_q, rdata_d;
    reg                     write_core_q, write_core_d;
    reg                     write_busy_q, write_busy_d;
    reg [WRITE_ID_BITS-1:0] write_id_q, write_id_d;
    reg [WORD_BITS-1:0]     write_word_q, write_word_d;
    reg                     write_error_q, write_error_d;
    reg                     write_lock_q, write_lock_d;
    reg                     b_valid_q, b_valid_d;
    reg [1:0]               b_resp_q, b_resp_d;
    reg [7:0]               put_strobe_q, put_strobe_d;
    reg [WORD_BITS-1:0]     put_word_q, put_word_d;
    reg [63:0]              put_data_q, put_data_d;
    reg                     read_core_q, read_core_d;
    reg                     read_busy_q, read_busy_d;
    reg [READ_ID_BITS-1:0]  read_id_q, read_id_d;
    reg [WORD_BITS-1:0]     read_word_q, read_word_d;
    reg [8:0]               read_left_q, read_left_d;
    reg                     read_error_q, read_error_d;
    reg                     read_lock_q, read_lock_d;
    reg                     fetched_q, fetched_d;
    reg                     fetched_last_q, fetched_last_d;
    reg                     skid_valid_q, skid_valid_d;
    reg                     skid_last_q, skid_last_d;
    reg [63:0]              skid_data_q, skid_data_d;
    reg                     r_valid_q, r_valid_d;
    reg                     r_last_q, r_last_d;
    reg [63:0]              r_data_q, r_data_d;
    reg                     monitor_valid_q, monitor_valid_d;
    reg [WORD_BITS-1:0]     monitor_word_q, monitor_word_d;
    reg [READ_ID_BITS-1:0]  monitor_id_q, monitor_id_d;

    // Registers that reset leaves alone read 0 at start, as in the model.
    initial begin
        rdata_q = 0;       write_id_q = 0;     write_word_q = 0;  write_error_q = 0; write_lock_q = 0; b_resp_q = 0;
        put_word_q = 0;    put_data_q = 0;     read_id_q = 0;     read_word_q = 0;   read_error_q = 0; read_lock_q = 0;
        fetched_last_q = 0; skid_last_q = 0;   skid_data_q = 0;   r_last_q = 0;      r_data_q = 0;
        monitor_word_q = 0; monitor_id_q = 0;
    end

    wire putting  = put_strobe_q != 8'd0;
    wire issue    = read_left_q != 9'd0 && !skid_valid_q && !(putting && put_word_q == read_word_q);
    wire spoiled  = putting && put_word_q == monitor_word_q;

    wire write_free = !write_busy_q && !b_valid_q;
    wire beat_free  = write_busy_q && access_q != STORE_WAIT;
    wire read_free  = !read_busy_q && access_q != STORE_WAIT;

    assign m_axi_awready    = write_free && !write_core_q;
    assign m_axi_wready     = beat_free && !write_core_q;
    assign m_axi_bid        = write_id_q;
    assign m_axi_bresp      = b_resp_q;
    assign m_axi_bvalid     = b_valid_q && !write_core_q;
    assign m_axi_arready    = read_free && !read_core_q;
    assign m_axi_rid        = read_id_q;
    assign m_axi_rdata      = r_data_q;
    assign m_axi_rresp      = read_error_q ? 2'd3 : {1'b0, read_lock_q};
    assign m_axi_rlast      = r_last_q;
    assign m_axi_rvalid     = r_valid_q && !read_core_q;
    assign core_awready     = write_free && write_core_q;
    assign core_wready      = beat_free && write_core_q;
    assign core_bresp       = b_resp_q;
    assign core_bvalid      = b_valid_q && write_core_q;
    assign core_arready     = read_free && read_core_q;
    assign core_rdata       = r_data_q;
    assign core_rresp       = m_axi_rresp;
    assign core_rlast       = r_last_q;
    assign core_rvalid      = r_valid_q && read_core_q;
    assign done             = access_q == STORE_DONE;
    assign rdata            = rdata_q;
    assign ram_write_enable = put_strobe_q;
    assign ram_write_addr   = {8{put_word_q}};
    assign ram_write_data   = put_data_q;
    assign ram_read_enable  = {8{issue || access_q == STORE_READ}};
    assign ram_read_addr    = {8{read_word_q}};

    wire [NUMBER_BITS:0] monitor_number = {{NUMBER_BITS-READ_ID_BITS+1{1'b0}}, monitor_id_q};
    wire [NUMBER_BITS:0] write_number   = {{NUMBER_BITS-WRITE_ID_BITS+1{1'b0}}, write_id_q};

    wire [WORD_BITS-1:0] asked_word = bridge_request_address[3 +: WORD_BITS];
    wire                 upper      = bridge_request_address[2];

    // Writer and reader: whose turn it is.
    wire        write_wanted  = write_core_q ? core_awvalid : m_axi_awvalid;
    wire        write_other   = write_core_q ? m_axi_awvalid : core_awvalid;
    wire [39:0] write_address = write_core_q ? core_awaddr : m_axi_awaddr;
    wire [63:0] beat_data     = write_core_q ? core_wdata : m_axi_wdata;
    wire [7:0]  beat_strobe   = write_core_q ? core_wstrb : m_axi_wstrb;
    wire        beat_last     = write_core_q ? core_wlast : m_axi_wlast;
    wire        read_wanted   = read_core_q ? core_arvalid : m_axi_arvalid;
    wire        read_other    = read_core_q ? m_axi_arvalid : core_arvalid;
    wire [39:0] read_address  = read_core_q ? core_araddr : m_axi_araddr;
    wire [7:0]  read_length   = read_core_q ? core_arlen : m_axi_arlen;

    wire write_taken  = write_wanted && write_free;
    wire beat_taken   = beat_free && (write_core_q ? core_wvalid : m_axi_wvalid);
    wire read_taken   = read_wanted && read_free;
    wire reserved     = monitor_valid_q && monitor_word_q == write_word_q && monitor_number == write_number && !spoiled;
    wire allowed      = !write_error_q && (!write_lock_q || reserved);
    wire write_beyond = write_address[39:WORD_BITS+3] != {37-WORD_BITS{1'b0}};
    wire read_beyond  = read_address[39:WORD_BITS+3] != {37-WORD_BITS{1'b0}};
    wire exclusive    = !read_core_q && m_axi_arlock && read_length == 8'd0 && !read_beyond;
    wire room         = !r_valid_q || (read_core_q ? core_rready : m_axi_rready);

    // With the skid before the RAMs four inputs a bit.
    wire [63:0] heard = ram_read_data & {64{!read_error_q}};

    wire unused = &{1'b0, write_address[2:0], read_address[2:0], bridge_request_address[31:WORD_BITS+3],
                    bridge_request_address[1:0]};

    always @* begin
        access_d        = access_q;
        rdata_d         = rdata_q;
        write_core_d    = write_core_q;
        write_busy_d    = write_busy_q;
        write_id_d      = write_id_q;
        write_word_d    = write_word_q;
        write_error_d   = write_error_q;
        write_lock_d    = write_lock_q;
        b_valid_d       = b_valid_q;
        b_resp_d        = b_resp_q;
        put_strobe_d    = 8'd0;
        put_word_d      = put_word_q;
        put_data_d      = put_data_q;
        read_core_d     = read_core_q;
        read_busy_d     = read_busy_q;
        read_id_d       = read_id_q;
        read_word_d     = read_word_q;
        read_left_d     = read_left_q;
        read_error_d    = read_error_q;
        read_lock_d     = read_lock_q;
        fetched_d       = fetched_q;
        fetched_last_d  = fetched_last_q;
        skid_valid_d    = skid_valid_q;
        skid_last_d     = skid_last_q;
        skid_data_d     = skid_data_q;
        r_valid_d       = r_valid_q;
        r_last_d        = r_last_q;
        r_data_d        = r_data_q;
        monitor_valid_d = monitor_valid_q;
        monitor_word_d  = monitor_word_q;
        monitor_id_d    = monitor_id_q;

        // 1 Bridge
        case (access_q)
        STORE_REST:
            if (bridge_memory_valid)
                access_d = STORE_WAIT;
        STORE_WAIT:
            if (!bridge_memory_valid)
                access_d = STORE_REST;
            else if (bridge_request_write) begin
                put_strobe_d = {{4{upper}}, {4{!upper}}};
                put_word_d   = asked_word;
                put_data_d   = {bridge_request_data, bridge_request_data};
                access_d     = STORE_DONE;
            end else if (!read_busy_q) begin
                read_word_d = asked_word;
                access_d    = STORE_READ;
            end
        STORE_READ:
            access_d = bridge_memory_valid ? STORE_TAKE : STORE_REST;
        STORE_TAKE:
            if (bridge_memory_valid) begin
                rdata_d  = upper ? ram_read_data[63:32] : ram_read_data[31:0];
                access_d = STORE_DONE;
            end else
                access_d = STORE_REST;
        default:
            access_d = STORE_REST;
        endcase

        // 2 Write address
        if (write_taken) begin
            write_busy_d  = 1'b1;
            write_word_d  = write_address[3 +: WORD_BITS];
            write_error_d = write_beyond;
            write_lock_d  = !write_core_q && m_axi_awlock;
            if (!write_core_q)
                write_id_d = m_axi_awid;
        end

        // 3 Response
        if (b_valid_q && (write_core_q ? core_bready : m_axi_bready))
            b_valid_d = 1'b0;

        // 4 Write beat
        if (beat_taken) begin
            put_strobe_d = beat_strobe & {8{allowed}};
            put_word_d   = write_word_q;
            put_data_d   = beat_data;
            write_word_d = write_word_q + {{WORD_BITS-1{1'b0}}, 1'b1};
            if (beat_last) begin
                write_busy_d = 1'b0;
                b_valid_d    = 1'b1;
                b_resp_d     = write_error_q ? 2'd3 : {1'b0, write_lock_q && reserved};
            end
        end

        // 5 Monitor
        if (spoiled)
            monitor_valid_d = 1'b0;
        if (read_taken && exclusive) begin
            monitor_valid_d = 1'b1;
            monitor_word_d  = read_address[3 +: WORD_BITS];
            monitor_id_d    = m_axi_arid;
        end

        // 6 Beat
        if (room) begin
            r_valid_d    = skid_valid_q || fetched_q;
            r_last_d     = skid_valid_q ? skid_last_q : fetched_last_q;
            r_data_d     = skid_valid_q ? skid_data_q : heard;
            skid_valid_d = 1'b0;
        end else if (fetched_q && !skid_valid_q) begin
            skid_valid_d = 1'b1;
            skid_last_d  = fetched_last_q;
            skid_data_d  = heard;
        end
        if (!skid_valid_q)
            fetched_d = 1'b0;
        if (r_valid_q && room && r_last_q)
            read_busy_d = 1'b0;

        // 7 Issue
        if (issue) begin
            fetched_d      = 1'b1;
            fetched_last_d = read_left_q == 9'd1;
            read_word_d    = read_word_q + {{WORD_BITS-1{1'b0}}, 1'b1};
            read_left_d    = read_left_q - 9'd1;
        end

        // 8 Read address
        if (read_taken) begin
            read_busy_d  = 1'b1;
            read_word_d  = read_address[3 +: WORD_BITS];
            read_left_d  = {1'b0, read_length} + 9'd1;
            read_error_d = read_beyond;
            read_lock_d  = exclusive;
            if (!read_core_q)
                read_id_d = m_axi_arid;
        end

        // 9 Turns
        if (!write_busy_d && !b_valid_d && (!write_free || !write_wanted) && write_other)
            write_core_d = !write_core_q;
        if (!read_busy_d && (read_busy_q || !read_wanted) && read_other)
            read_core_d = !read_core_q;

        // 10 In reset
        if (boot_reset) begin
            write_core_d    = 1'b0;
            read_core_d     = 1'b0;
            write_busy_d    = 1'b0;
            b_valid_d       = 1'b0;
            read_busy_d     = 1'b0;
            read_left_d     = 9'd0;
            fetched_d       = 1'b0;
            skid_valid_d    = 1'b0;
            r_valid_d       = 1'b0;
            monitor_valid_d = 1'b0;
        end
    end

    always @(posedge clk) begin
        access_q        <= access_d;
        rdata_q         <= rdata_d;
        write_core_q    <= write_core_d;
        write_busy_q    <= write_busy_d;
        write_id_q      <= write_id_d;
        write_word_q    <= write_word_d;
        write_error_q   <= write_error_d;
        write_lock_q    <= write_lock_d;
        b_valid_q       <= b_valid_d;
        b_resp_q        <= b_resp_d;
        put_strobe_q    <= put_strobe_d;
        put_word_q      <= put_word_d;
        put_data_q      <= put_data_d;
        read_core_q     <= read_core_d;
        read_busy_q     <= read_busy_d;
        read_id_q       <= read_id_d;
        read_word_q     <= read_word_d;
        read_left_q     <= read_left_d;
        read_error_q    <= read_error_d;
        read_lock_q     <= read_lock_d;
        fetched_q       <= fetched_d;
        fetched_last_q  <= fetched_last_d;
        skid_valid_q    <= skid_valid_d;
        skid_last_q     <= skid_last_d;
        skid_data_q     <= skid_data_d;
        r_valid_q       <= r_valid_d;
        r_last_q        <= r_last_d;
        r_data_q        <= r_data_d;
        monitor_valid_q <= monitor_valid_d;
        monitor_word_q  <= monitor_word_d;
        monitor_id_q    <= monitor_id_d;
        if (rst) begin
            access_q        <= STORE_REST;
            write_core_q    <= 1'b0;
            write_busy_q    <= 1'b0;
            b_valid_q       <= 1'b0;
            put_strobe_q    <= 8'd0;
            read_core_q     <= 1'b0;
            read_busy_q     <= 1'b0;
            read_left_q     <= 9'd0;
            fetched_q       <= 1'b0;
            skid_valid_q    <= 1'b0;
            r_valid_q       <= 1'b0;
            monitor_valid_q <= 1'b0;
        end
    end

`ifdef FORMAL
`include "totem_store_properties.vh"
`endif
endmodule

`default_nettype wire
