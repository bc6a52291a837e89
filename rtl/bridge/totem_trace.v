// SPDX-License-Identifier: Apache-2.0
//
// totem_trace: keeps the last events of a run: what pins and inner signals of the machine did, and accesses of its host
// port; stops behind a trigger.
//
// Policy    pins are registered as they come; levels, the comparison with the clock before and the decision follow in
//           clocks of their own, so the machine's paths end at a flip-flop and no stage has more than four LUTs.
// Latency   the record of clock n is written in n + 3.
// Boundary  records stand in two RAMs beside it.
// Cost      about 560 flip-flops and 900 LUT4 with one front end.
// Proved    clocks of records (1), no change is missed (2), events behind the trigger (4).
// Twin      cmodel/bridge/totem_trace.c, same names.

`default_nettype none

module totem_trace #(
    parameter FE_COUNT = 4,
    parameter SIGNALS  = 16,                    // 1 to 16
    parameter RECORDS  = 512,                   // a power of two from 2 to 4096
    parameter RECORD_BITS = $clog2(RECORDS)
) (
    input  wire                   clk,
    input  wire                   rst,
    // boot
    input  wire                   boot_start,
    input  wire                   boot_running,
    // pins
    input  wire [19:0]            s_axil_awaddr,
    input  wire                   s_axil_awvalid,
    input  wire                   s_axil_awready,
    input  wire [31:0]            s_axil_wdata,
    input  wire                   s_axil_wvalid,
    input  wire                   s_axil_wready,
    input  wire [1:0]             s_axil_bresp,
    input  wire                   s_axil_bvalid,
    input  wire                   s_axil_bready,
    input  wire [19:0]            s_axil_araddr,
    input  wire                   s_axil_arvalid,
    input  wire                   s_axil_arready,
    input  wire [31:0]            s_axil_rdata,
    input  wire [1:0]             s_axil_rresp,
    input  wire                   s_axil_rvalid,
    input  wire                   s_axil_rready,
    input  wire                   irq,
    input  wire [FE_COUNT-1:0]    m_axi_awvalid,
    input  wire [FE_COUNT-1:0]    m_axi_awready,
    input  wire [FE_COUNT-1:0]    m_axi_wvalid,
    input  wire [FE_COUNT-1:0]    m_axi_wready,
    input  wire [FE_COUNT*2-1:0]  m_axi_bresp,
    input  wire [FE_COUNT-1:0]    m_axi_bvalid,
    input  wire [FE_COUNT-1:0]    m_axi_bready,
    input  wire [FE_COUNT-1:0]    m_axi_arvalid,
    input  wire [FE_COUNT-1:0]    m_axi_arready,
    input  wire [FE_COUNT*2-1:0]  m_axi_rresp,
    input  wire [FE_COUNT-1:0]    m_axi_rvalid,
    input  wire [FE_COUNT-1:0]    m_axi_rready,
    input  wire [SIGNALS-1:0]     inner,
    // bridge
    input  wire                   bridge_trace_valid,
    input  wire                   bridge_request_write,
    input  wire [31:0]            bridge_request_address,
    input  wire [31:0]            bridge_request_data,
    output wire                   done,
    output wire [2:0]             status,
    output wire [31:0]            rdata,
    // record
    output wire                   record_write_enable,
    output wire [RECORD_BITS-1:0] record_write_addr,
    output wire [127:0]           record_write_data,
    output wire                   record_read_enable,
    output wire [RECORD_BITS-1:0] record_read_addr,
    input  wire [127:0]           record_read_data
);
`include "totem_bridge_values.vh"
`include "totem_trace_values.vh"

    generate
        if (FE_COUNT < 1 || SIGNALS < 1 || SIGNALS > 16 || RECORDS < 2 || RECORDS > 4096 ||
            RECORDS != (1 << RECORD_BITS)) begin : check
            totem_trace_needs_RECORDS_a_power_of_two_from_2_to_4096 refused ();
        end
    endgenerate

    reg [12:0]            host_q, host_d;
    reg [FE_COUNT*12-1:0] memory_q, memory_d;
    reg [19:0]            write_address_q, write_address_d;
    reg [19:0]            read_address_q, read_address_d;
    reg [31:0]            write_data_q, write_data_d;
    reg [31:0]            read_data_q, read_data_d;
    reg [SIGNALS-1:0]     inner_q, inner_d;
    reg                   pins_live_q, pins_live_d;
    reg [31:0]            levels_q, levels_d;
    reg                   ends_q, ends_d;
    reg                   writes_q, writes_d;
    reg                   fails_q, fails_d;
    reg [19:0]            address_q, address_d;
    reg [31:0]            data_q, data_d;
    reg                   levels_live_q, levels_live_d;
    reg                   first_q, first_d;
    reg                   event_q, event_d;
    reg                   matches_q, matches_d;
    reg                   suits_q, suits_d;
    reg                   rises_q, rises_d;
    reg [31:0]            before_q, before_d;
    reg [63:0]            about_q, about_d;
    reg [31:0]            clock_q, clock_d;
    reg [1:0]             capture_q, capture_d;
    reg [31:0]            written_q, written_d;
    reg [31:0]            at_q, at_d;
    reg [15:0]            left_q, left_d;
    reg [31:0]            mask_q, mask_d;
    reg [1:0]             kind_q, kind_d;
    reg [19:0]            place_q, place_d;
    reg [31:0]            value_q, value_d;
    reg [31:0]            care_q, care_d;
    reg [15:0]            behind_q, behind_d;
    reg [1:0]             access_q, access_d;
    reg [2:0]             status_q, status_d;
    reg [31:0]            rdata_q, rdata_d;
    reg [RECORD_BITS-1:0] chosen_record_q, chosen_record_d;
    reg [1:0]             chosen_part_q, chosen_part_d;

    // Registers that reset leaves alone read 0 at start, as in the model.
    initial begin
        host_q = 0; memory_q = 0; write_address_q = 0; read_address_q = 0; write_data_q = 0; read_data_q = 0;
        inner_q = 0; levels_q = 0; writes_q = 0; fails_q = 0; address_q = 0; data_q = 0; matches_q = 0; suits_q = 0;
        rises_q = 0; before_q = 0; about_q = 0; status_q = 0; rdata_q = 0; chosen_record_q = 0; chosen_part_q = 0;
    end

    wire kept  = event_q && (capture_q == TRACE_ARMED || capture_q == TRACE_BEHIND);
    wire fires = (kind_q == TRIGGER_ACCESS && matches_q && suits_q) || (kind_q == TRIGGER_RISE && rises_q);

    assign done                = access_q == TRACE_DONE;
    assign status              = status_q;
    assign rdata               = rdata_q;
    assign record_write_enable = kept;
    assign record_write_addr   = written_q[RECORD_BITS-1:0];
    assign record_write_data   = {about_q, before_q, clock_q};
    assign record_read_enable  = access_q == TRACE_READ && !kept;
    assign record_read_addr    = chosen_record_q;

    wire       in_records = bridge_request_address[16];
    wire [7:0] chosen     = bridge_request_address[7:0];
    wire       asked      = access_q == TRACE_REST && bridge_trace_valid;

    wire unused = &{1'b0, bridge_request_address[31:17], bridge_request_address[15:12], s_axil_bresp[0],
                     s_axil_rresp[0], m_axi_bresp, m_axi_rresp};

    wire [12:0] host = {irq, s_axil_rresp[1], s_axil_bresp[1], s_axil_rready, s_axil_rvalid, s_axil_arready,
                        s_axil_arvalid, s_axil_bready, s_axil_bvalid, s_axil_wready, s_axil_wvalid, s_axil_awready,
                        s_axil_awvalid};

    // Handshakes of the host port, and of each front end's port of memory.
    wire [4:0]            taken   = {host_q[9] && host_q[8], host_q[7] && host_q[6], host_q[5] && host_q[4],
                                     host_q[3] && host_q[2], host_q[1] && host_q[0]};
    wire                  refused = (taken[2] && host_q[10]) || (taken[4] && host_q[11]);
    wire [FE_COUNT*6-1:0] memory_taken;         // of each front end: its taken, and refused as bit 5
    wire [FE_COUNT*12-1:0] memory;
    reg  [5:0]            any_taken;

    genvar f;
    generate
        for (f = 0; f < FE_COUNT; f = f + 1) begin : front
            wire [11:0] pins = memory_q[f*12 +: 12];
            wire [4:0]  each = {pins[9] && pins[8], pins[7] && pins[6], pins[5] && pins[4], pins[3] && pins[2],
                                pins[1] && pins[0]};
            assign memory[f*12 +: 12] = {m_axi_rresp[f*2 + 1], m_axi_bresp[f*2 + 1], m_axi_rready[f], m_axi_rvalid[f],
                                         m_axi_arready[f], m_axi_arvalid[f], m_axi_bready[f], m_axi_bvalid[f],
                                         m_axi_wready[f], m_axi_wvalid[f], m_axi_awready[f], m_axi_awvalid[f]};
            assign memory_taken[f*6 +: 6] = {(each[2] && pins[10]) || (each[4] && pins[11]), each};
        end
    endgenerate

    integer n;
    always @* begin
        // 1 Pins
        host_d          = host;
        memory_d        = memory;
        write_address_d = s_axil_awaddr;
        read_address_d  = s_axil_araddr;
        write_data_d    = s_axil_wdata;
        read_data_d     = s_axil_rdata;
        inner_d         = inner;
        pins_live_d     = boot_running;

        // 2 Levels
        any_taken = 6'd0;
        for (n = 0; n < FE_COUNT; n = n + 1)
            any_taken = any_taken | memory_taken[n*6 +: 6];
        levels_d                       = 32'd0;
        levels_d[16 +: SIGNALS]        = inner_q;
        levels_d[TRACE_IRQ]            = host_q[12];
        levels_d[TRACE_HOST_WRITE]     = taken[0];
        levels_d[TRACE_HOST_READ]      = taken[3];
        levels_d[TRACE_HOST_ERROR]     = refused;
        levels_d[TRACE_MEMORY_WRITE]   = any_taken[0];
        levels_d[TRACE_MEMORY_DATA]    = any_taken[1];
        levels_d[TRACE_MEMORY_WRITTEN] = any_taken[2];
        levels_d[TRACE_MEMORY_READ]    = any_taken[3];
        levels_d[TRACE_MEMORY_GIVES]   = any_taken[4];
        levels_d[TRACE_MEMORY_ERROR]   = any_taken[5];
        ends_d        = pins_live_q && (taken[2] || taken[4]);
        writes_d      = taken[2];
        fails_d       = refused;
        address_d     = taken[0] ? write_address_q : taken[3] ? read_address_q : address_q;
        data_d        = taken[1] ? write_data_q : taken[4] ? read_data_q : data_q;
        levels_live_d = pins_live_q;

        // 3 Event
        rises_d   = !first_q && (levels_q & ~before_q & value_q) != 32'd0;
        matches_d = ends_q && address_q == place_q;
        suits_d   = ((data_q ^ value_q) & care_q) == 32'd0;
        event_d   = levels_live_q && (first_q || ends_q || ((levels_q ^ before_q) & mask_q) != 32'd0 ||
                                      (kind_q == TRIGGER_RISE && rises_d));
        about_d   = ends_q ? {1'b1, 9'd0, fails_q, writes_q, address_q, data_q} : 64'd0;
        before_d  = before_q;
        first_d   = first_q;
        clock_d   = clock_q;
        if (levels_live_q) begin
            before_d = levels_q;
            first_d  = 1'b0;
            clock_d  = clock_q + 32'd1;
        end

        // 4 Record
        written_d = written_q;
        capture_d = capture_q;
        left_d    = left_q;
        at_d      = at_q;
        if (kept) begin
            written_d = written_q + 32'd1;
            if (capture_q == TRACE_BEHIND) begin
                left_d = left_q - 16'd1;
                if (left_q == 16'd1)
                    capture_d = TRACE_STOPPED;
            end else if (fires) begin
                at_d      = clock_q;
                left_d    = behind_q;
                capture_d = behind_q == 16'd0 ? TRACE_STOPPED : TRACE_BEHIND;
            end
        end

        // 5 Access
        access_d        = access_q;
        status_d        = status_q;
        rdata_d         = rdata_q;
        chosen_record_d = chosen_record_q;
        chosen_part_d   = chosen_part_q;
        mask_d          = mask_q;
        kind_d          = kind_q;
        place_d         = place_q;
        value_d         = value_q;
        care_d          = care_q;
        behind_d        = behind_q;
        case (access_q)
        TRACE_REST:
            if (asked) begin
                access_d        = in_records && !bridge_request_write ? TRACE_READ : TRACE_DONE;
                status_d        = BRIDGE_OK;
                chosen_record_d = bridge_request_address[4 +: RECORD_BITS];
                chosen_part_d   = bridge_request_address[3:2];
                case (chosen)
                BRIDGE_TRACE_MASK[7:0]:    rdata_d = mask_q;
                BRIDGE_TRACE_TRIGGER[7:0]: rdata_d = {kind_q, 10'd0, place_q};
                BRIDGE_TRACE_VALUE[7:0]:   rdata_d = value_q;
                BRIDGE_TRACE_CARE[7:0]:    rdata_d = care_q;
                BRIDGE_TRACE_BEHIND[7:0]:  rdata_d = {16'd0, behind_q};
                BRIDGE_TRACE_STATE[7:0]:   rdata_d = {RECORDS[15:0], 14'd0, capture_q};
                BRIDGE_TRACE_WRITTEN[7:0]: rdata_d = written_q;
                default:                   rdata_d = at_q;
                endcase
                if (bridge_request_write && in_records)
                    status_d = BRIDGE_READONLY;
                else if (bridge_request_write)
                    case (chosen)
                    BRIDGE_TRACE_MASK[7:0]:    mask_d = bridge_request_data;
                    BRIDGE_TRACE_TRIGGER[7:0]: {kind_d, place_d} = {bridge_request_data[31:30],
                                                                    bridge_request_data[19:0]};
                    BRIDGE_TRACE_VALUE[7:0]:   value_d  = bridge_request_data;
                    BRIDGE_TRACE_CARE[7:0]:    care_d   = bridge_request_data;
                    BRIDGE_TRACE_BEHIND[7:0]:  behind_d = bridge_request_data[15:0];
                    default:                   status_d = BRIDGE_READONLY;
                    endcase
            end
        TRACE_READ:
            if (!kept)
                access_d = TRACE_TAKE;
        TRACE_TAKE: begin
            rdata_d  = record_read_data[chosen_part_q*32 +: 32];
            access_d = TRACE_DONE;
        end
        default:
            access_d = TRACE_REST;
        endcase
        if (!bridge_trace_valid)
            access_d = TRACE_REST;

        // 6 Start
        if (boot_start) begin
            pins_live_d   = 1'b0;
            levels_live_d = 1'b0;
            ends_d        = 1'b0;
            event_d       = 1'b0;
            first_d       = 1'b1;
            before_d      = 32'd0;
            clock_d       = 32'hffffffff;
            capture_d     = TRACE_ARMED;
            written_d     = 32'd0;
            at_d          = 32'd0;
        end
    end

    always @(posedge clk) begin
        host_q          <= host_d;
        memory_q        <= memory_d;
        write_address_q <= write_address_d;
        read_address_q  <= read_address_d;
        write_data_q    <= write_data_d;
        read_data_q     <= read_data_d;
        inner_q         <= inner_d;
        pins_live_q     <= pins_live_d;
        levels_q        <= levels_d;
        ends_q          <= ends_d;
        writes_q        <= writes_d;
        fails_q         <= fails_d;
        address_q       <= address_d;
        data_q          <= data_d;
        levels_live_q   <= levels_live_d;
        first_q         <= first_d;
        event_q         <= event_d;
        matches_q       <= matches_d;
        suits_q         <= suits_d;
        rises_q         <= rises_d;
        before_q        <= before_d;
        about_q         <= about_d;
        clock_q         <= clock_d;
        capture_q       <= capture_d;
        written_q       <= written_d;
        at_q            <= at_d;
        left_q          <= left_d;
        mask_q          <= mask_d;
        kind_q          <= kind_d;
        place_q         <= place_d;
        value_q         <= value_d;
        care_q          <= care_d;
        behind_q        <= behind_d;
        access_q        <= access_d;
        status_q        <= status_d;
        rdata_q         <= rdata_d;
        chosen_record_q <= chosen_record_d;
        chosen_part_q   <= chosen_part_d;
        if (rst) begin
            pins_live_q   <= 1'b0;
            ends_q        <= 1'b0;
            levels_live_q <= 1'b0;
            first_q       <= 1'b0;
            event_q       <= 1'b0;
            clock_q       <= 32'd0;
            capture_q     <= TRACE_OFF;
            written_q     <= 32'd0;
            at_q          <= 32'd0;
            left_q        <= 16'd0;
            mask_q        <= 32'd0;
            kind_q        <= TRIGGER_NEVER;
            place_q       <= 20'd0;
            value_q       <= 32'd0;
            care_q        <= 32'd0;
            behind_q      <= 16'd0;
            access_q      <= TRACE_REST;
        end
    end

`ifdef FORMAL
`include "totem_trace_properties.vh"
`endif
endmodule

`default_nettype wire
