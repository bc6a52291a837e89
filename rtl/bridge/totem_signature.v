// SPDX-License-Identifier: Apache-2.0
//
// totem_signature: folds the output pins of the machine in every clock of a run into 64 bits, with checkpoints.
//
// Policy    pins are registered as they come; masks, rotations and the step follow in clocks of their own, so the
//           machine's paths end at a flip-flop.
// Latency   the pins of clock n are in the signature from n + 3 on.
// Boundary  checkpoints stand in a RAM beside it.
// Cost      about 290 flip-flops for each front end and 200 more.
// Proved    each clock of a run is folded once (1); checkpoints at their clocks (2), none overwritten (4).
// Twin      cmodel/bridge/totem_signature.c, same names.

`default_nettype none

module totem_signature #(
    parameter FE_COUNT = 4,
    parameter READERS  = 6,
    parameter STREAMS  = 6,
    parameter FENCES   = 8,
    parameter POINTS   = 512,                   // a power of two from 2 to 8192
    parameter READ_ID_BITS  = (READERS > 1) ? $clog2(READERS) : 1,
    parameter WRITE_ID_BITS = 1 + $clog2(STREAMS > FENCES ? STREAMS : FENCES),
    parameter POINT_BITS    = $clog2(POINTS)
) (
    input  wire                              clk,
    input  wire                              rst,
    // boot
    input  wire                              boot_start,
    input  wire                              boot_running,
    // pins
    input  wire                              s_axil_awready,
    input  wire                              s_axil_wready,
    input  wire [1:0]                        s_axil_bresp,
    input  wire                              s_axil_bvalid,
    input  wire                              s_axil_arready,
    input  wire [31:0]                       s_axil_rdata,
    input  wire [1:0]                        s_axil_rresp,
    input  wire                              s_axil_rvalid,
    input  wire                              irq,
    input  wire [FE_COUNT*WRITE_ID_BITS-1:0] m_axi_awid,
    input  wire [FE_COUNT*40-1:0]            m_axi_awaddr,
    input  wire [FE_COUNT*8-1:0]             m_axi_awlen,
    input  wire [FE_COUNT*3-1:0]             m_axi_awsize,
    input  wire [FE_COUNT*2-1:0]             m_axi_awburst,
    input  wire [FE_COUNT-1:0]               m_axi_awlock,
    input  wire [FE_COUNT-1:0]               m_axi_awvalid,
    input  wire [FE_COUNT*64-1:0]            m_axi_wdata,
    input  wire [FE_COUNT*8-1:0]             m_axi_wstrb,
    input  wire [FE_COUNT-1:0]               m_axi_wlast,
    input  wire [FE_COUNT-1:0]               m_axi_wvalid,
    input  wire [FE_COUNT-1:0]               m_axi_bready,
    input  wire [FE_COUNT*READ_ID_BITS-1:0]  m_axi_arid,
    input  wire [FE_COUNT*40-1:0]            m_axi_araddr,
    input  wire [FE_COUNT*8-1:0]             m_axi_arlen,
    input  wire [FE_COUNT*3-1:0]             m_axi_arsize,
    input  wire [FE_COUNT*2-1:0]             m_axi_arburst,
    input  wire [FE_COUNT-1:0]               m_axi_arlock,
    input  wire [FE_COUNT-1:0]               m_axi_arvalid,
    input  wire [FE_COUNT-1:0]               m_axi_rready,
    // bridge
    input  wire                              bridge_points_valid,
    input  wire                              bridge_request_write,
    input  wire [31:0]                       bridge_request_address,
    input  wire [31:0]                       bridge_request_data,
    output wire                              done,
    output wire [2:0]                        status,
    output wire [31:0]                       rdata,
    // folds
    output wire                              fold_live,
    output wire                              fold_shift,
    input  wire [15:0]                       fold_word,
    // point
    output wire                              point_write_enable,
    output wire [POINT_BITS-1:0]             point_write_addr,
    output wire [63:0]                       point_write_data,
    output wire                              point_read_enable,
    output wire [POINT_BITS-1:0]             point_read_addr,
    input  wire [63:0]                       point_read_data
);
`include "totem_bridge_values.vh"
`include "totem_signature_values.vh"

    generate
        if (FE_COUNT < 1 || POINTS < 2 || POINTS > 8192 || POINTS != (1 << POINT_BITS)) begin : check
            totem_signature_needs_POINTS_a_power_of_two_from_2_to_8192 refused ();
        end
    endgenerate

    localparam WORDS = 1 + 4 * FE_COUNT;

    reg [WORDS*64-1:0]   words_q, words_d;
    reg                  words_live_q, words_live_d;
    reg [63:0]           fold_q, fold_d;
    reg                  fold_live_q, fold_live_d;
    reg [63:0]           signature_q, signature_d;
    reg [4:0]            stride_q, stride_d;
    reg [31:0]           gap_q, gap_d;
    reg                  mark_q, mark_d;
    reg [POINT_BITS:0]   points_q, points_d;
    reg [1:0]            access_q, access_d;
    reg [2:0]            status_q, status_d;
    reg [31:0]           rdata_q, rdata_d;
    reg [POINT_BITS-1:0] place_q, place_d;
    reg                  upper_q, upper_d;
    reg                  shift_q, shift_d;

    // Registers that reset leaves alone read 0 at start, as in the model.
    initial begin
        words_q = 0; fold_q = 0; status_q = 0; rdata_q = 0; place_q = 0; upper_q = 0;
    end

    wire mark_wanted = mark_q && !points_q[POINT_BITS];

    assign done               = access_q == SIGNATURE_DONE;
    assign status             = status_q;
    assign rdata              = rdata_q;
    assign fold_live          = fold_live_q;
    assign fold_shift         = shift_q;
    assign point_write_enable = mark_wanted;
    assign point_write_addr   = points_q[POINT_BITS-1:0];
    assign point_write_data   = signature_q;
    assign point_read_enable  = access_q == SIGNATURE_READ && !mark_wanted;
    assign point_read_addr    = place_q;

    wire        in_points = bridge_request_address[17];
    wire        in_folds  = bridge_request_address[18];
    wire [7:0]  chosen    = bridge_request_address[7:0];
    wire        asked     = access_q == SIGNATURE_REST && bridge_points_valid;
    wire [31:0] full_gap  = ~(32'hffffffff << stride_q);

    wire unused = &{1'b0, bridge_request_address[31:19], bridge_request_address[16:12], bridge_request_data[31:5]};

    // Words of this clock, and the words of the clock before without payloads that do not count, rotated.
    wire [WORDS*64-1:0] words;
    wire [WORDS*64-1:0] left_out;
    wire [WORDS*64-1:0] turned;
    assign words[63:0] = {22'd0, irq, s_axil_arready, s_axil_wready, s_axil_awready, s_axil_bvalid, s_axil_bresp,
                          s_axil_rvalid, s_axil_rresp, s_axil_rdata};
    assign left_out[63:0] = words_q[63:0] & {27'h7ffffff, {2{words_q[37]}}, 1'b1, {34{words_q[34]}}};
    assign turned[63:0]   = left_out[63:0];

    genvar f, n;
    generate
        for (f = 0; f < FE_COUNT; f = f + 1) begin : front
            localparam W = (4*f + 1)*64;
            assign words[W +: 64] = m_axi_wdata[f*64 +: 64];
            assign words[W+64 +: 64] = {{8-WRITE_ID_BITS{1'b0}}, m_axi_awid[f*WRITE_ID_BITS +: WRITE_ID_BITS], 1'b0,
                                        m_axi_awvalid[f], m_axi_awlock[f], m_axi_awburst[f*2 +: 2],
                                        m_axi_awsize[f*3 +: 3], m_axi_awlen[f*8 +: 8], m_axi_awaddr[f*40 +: 40]};
            assign words[W+128 +: 64] = {{8-READ_ID_BITS{1'b0}}, m_axi_arid[f*READ_ID_BITS +: READ_ID_BITS], 1'b0,
                                         m_axi_arvalid[f], m_axi_arlock[f], m_axi_arburst[f*2 +: 2],
                                         m_axi_arsize[f*3 +: 3], m_axi_arlen[f*8 +: 8], m_axi_araddr[f*40 +: 40]};
            assign words[W+192 +: 64] = {52'd0, m_axi_rready[f], m_axi_bready[f], m_axi_wvalid[f], m_axi_wlast[f],
                                         m_axi_wstrb[f*8 +: 8]};
            assign left_out[W +: 64]     = words_q[W +: 64] & {64{words_q[W+192+9]}};
            assign left_out[W+64 +: 64]  = words_q[W+64 +: 64] & {64{words_q[W+64+54]}};
            assign left_out[W+128 +: 64] = words_q[W+128 +: 64] & {64{words_q[W+128+54]}};
            assign left_out[W+192 +: 64] = words_q[W+192 +: 64] & {55'h7fffffffffffff, {9{words_q[W+192+9]}}};
        end
        for (n = 1; n < WORDS; n = n + 1) begin : turn
            localparam LEFT = (13*n) % 64;
            if (LEFT == 0) begin : whole
                assign turned[n*64 +: 64] = left_out[n*64 +: 64];
            end else begin : part
                assign turned[n*64 +: 64] = {left_out[n*64 +: 64-LEFT], left_out[n*64 + 64 - LEFT +: LEFT]};
            end
        end
    endgenerate

    integer w;
    always @* begin
        // 1 Pins
        words_d      = words;
        words_live_d = boot_running;

        // 2 Fold
        fold_d = 64'd0;
        for (w = 0; w < WORDS; w = w + 1)
            fold_d = fold_d ^ turned[w*64 +: 64];
        fold_live_d = words_live_q;

        // 3 Step
        signature_d = signature_q;
        stride_d    = stride_q;
        gap_d       = gap_q;
        mark_d      = 1'b0;
        if (fold_live_q) begin
            signature_d = {signature_q[62:0], 1'b0} ^ {1'b0, signature_q[63:1]} ^ (signature_q & SIGNATURE_RULE)
                          ^ fold_q;
            mark_d      = gap_q == 32'd0;
            gap_d       = gap_q == 32'd0 ? full_gap : gap_q - 32'd1;
        end

        // 4 Checkpoint
        points_d = points_q + {{POINT_BITS{1'b0}}, mark_wanted};

        // 5 Access
        access_d = access_q;
        status_d = status_q;
        rdata_d  = rdata_q;
        place_d  = place_q;
        upper_d  = upper_q;
        shift_d  = 1'b0;
        case (access_q)
        SIGNATURE_REST:
            if (asked) begin
                access_d = SIGNATURE_DONE;
                status_d = BRIDGE_OK;
                place_d  = bridge_request_address[3 +: POINT_BITS];
                upper_d  = bridge_request_address[2];
                case (chosen)
                BRIDGE_STRIDE[7:0]:        rdata_d = {27'd0, stride_q};
                BRIDGE_POINTS[7:0]:        rdata_d = {{31-POINT_BITS{1'b0}}, points_q};
                BRIDGE_SIGNATURE_LOW[7:0]: rdata_d = signature_q[31:0];
                default:                   rdata_d = signature_q[63:32];
                endcase
                if (bridge_request_write) begin
                    if (!in_points && !in_folds && chosen == BRIDGE_STRIDE[7:0])
                        stride_d = bridge_request_data[4:0];
                    else
                        status_d = BRIDGE_READONLY;
                end else if (in_points)
                    access_d = SIGNATURE_READ;
                else if (in_folds) begin
                    rdata_d  = {16'd0, fold_word};
                    shift_d  = !(boot_running || words_live_q || fold_live_q);
                    status_d = shift_d ? BRIDGE_OK : BRIDGE_BUSY;
                end
            end
        SIGNATURE_READ:
            if (!mark_wanted)
                access_d = SIGNATURE_TAKE;
        SIGNATURE_TAKE: begin
            rdata_d  = upper_q ? point_read_data[63:32] : point_read_data[31:0];
            access_d = SIGNATURE_DONE;
        end
        default:
            access_d = SIGNATURE_REST;
        endcase
        if (!bridge_points_valid)
            access_d = SIGNATURE_REST;

        // 6 Start
        if (boot_start) begin
            words_live_d = 1'b0;
            fold_live_d  = 1'b0;
            signature_d  = SIGNATURE_START;
            mark_d       = 1'b0;
            points_d     = {POINT_BITS+1{1'b0}};
            gap_d        = full_gap;
        end
    end

    always @(posedge clk) begin
        words_q      <= words_d;
        words_live_q <= words_live_d;
        fold_q       <= fold_d;
        fold_live_q  <= fold_live_d;
        signature_q  <= signature_d;
        stride_q     <= stride_d;
        gap_q        <= gap_d;
        mark_q       <= mark_d;
        points_q     <= points_d;
        access_q     <= access_d;
        status_q     <= status_d;
        rdata_q      <= rdata_d;
        place_q      <= place_d;
        upper_q      <= upper_d;
        shift_q      <= shift_d;
        if (rst) begin
            words_live_q <= 1'b0;
            fold_live_q  <= 1'b0;
            signature_q  <= SIGNATURE_START;
            stride_q     <= 5'd0;
            gap_q        <= 32'd0;
            mark_q       <= 1'b0;
            points_q     <= {POINT_BITS+1{1'b0}};
            access_q     <= SIGNATURE_REST;
            shift_q      <= 1'b0;
        end
    end

`ifdef FORMAL
`include "totem_signature_properties.vh"
`endif
endmodule

`default_nettype wire
