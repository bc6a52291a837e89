// SPDX-License-Identifier: Apache-2.0
//
// totem_controls: registers of geometry throttling, one page for the machine.
//
// Policy    the host is refused a value that does not exist; of a packet such a field is clamped and counted. Of
//           several packets in one clock the highest front end has the last word, and the host has it before them all.
// Latency   an access is done one clock after it is asked for; a packet's word is in force from the next clock on.
// Boundary  every output is a flip-flop.
// Cost      per front end, two comparators of 4 bits; about 190 flip-flops.
// Proved    values that exist (1), thresholds in order (2), an access within a clock (3), who has the last word (4),
//           what is counted (5), what is shown of engines (6).
// Twin      cmodel/throttle/totem_controls.c, same names.

`default_nettype none

`include "totem_pm4.vh"
`include "totem_regs.vh"

module totem_controls #(
    parameter FE_COUNT = 4,     // front ends, 1 to 4
    parameter SE_COUNT = 4,     // engines, 1 to 4: four multiplexers of 32 bits in all
    parameter DEPTH    = 64     // primitives of a FIFO of the hub, a power of two, 4 to 128
) (
    input  wire                         clk,
    input  wire                         rst,
    // host
    input  wire                         host_valid,
    input  wire                         host_write,
    input  wire [7:0]                   host_dword,
    input  wire [3:0]                   host_strobe,
    input  wire [31:0]                  host_data,
    output wire                         host_done,
    output wire [4:0]                   host_error,
    output wire [31:0]                  host_rdata,
    // render
    input  wire [FE_COUNT-1:0]          packet_valid,
    input  wire [FE_COUNT-1:0]          packet_second,
    input  wire [FE_COUNT*32-1:0]       packet_data,
    // throttle, monitor
    output wire [31:0]                  cntl1,
    output wire [31:0]                  cntl2,
    output wire [3:0]                   interval,
    output wire                         ph_enable,
    output wire                         spi_enable,
    output wire                         b_hold,
    output wire [6:0]                   limit,
    output wire                         thresholds_valid,
    output wire [3*$clog2(DEPTH+1)-1:0] thresholds,
    input  wire [SE_COUNT*32-1:0]       throttle_closed,
    input  wire [SE_COUNT*10-1:0]       throttle_dead,
    input  wire [SE_COUNT*11-1:0]       throttle_stall_a,
    input  wire [SE_COUNT*11-1:0]       throttle_stall_b,
    input  wire [SE_COUNT*11-1:0]       throttle_stall_c,
    input  wire [SE_COUNT*2-1:0]        monitor_status
);
`include "totem_controls_values.vh"
    localparam C = $clog2(DEPTH+1);

    generate
        if (FE_COUNT < 1 || FE_COUNT > 4 || SE_COUNT < 1 || SE_COUNT > 4 || DEPTH < 4 || DEPTH > 128
            || DEPTH != (1 << (C-1))) begin : check
            totem_controls_needs_FE_COUNT_and_SE_COUNT_1_to_4_and_DEPTH_a_power_of_two_from_4_to_128 refused ();
        end
    endgenerate

    localparam [7:0]     HOLE = `TOTEM_ERROR_HOST_HOLE, READ_ONLY = `TOTEM_ERROR_HOST_READ_ONLY;
    localparam [7:0]     VALUE = `TOTEM_ERROR_HOST_VALUE;
    localparam [31:0]    EXISTS = `TOTEM_REG_CONTROLS_EXISTS, WRITABLE = `TOTEM_REG_CONTROLS_WRITABLE;
    localparam [31:0]    ENGINES = SE_COUNT;
    localparam [31:0]    CNTL1 = `TOTEM_REG_CONTROLS_RESET(`TOTEM_REG_CONTROLS_SPI_GS_THROTTLE_CNTL1);
    localparam [31:0]    CNTL2 = `TOTEM_REG_CONTROLS_RESET(`TOTEM_REG_CONTROLS_SPI_GS_THROTTLE_CNTL2);
    localparam [7:0]     FULL  = DEPTH;
    localparam [C-1:0]   FIRST = DEPTH / 4, SECOND = DEPTH / 2, THIRD = DEPTH / 4 * 3;
    localparam [3*C-1:0] RESET = {THIRD, SECOND, FIRST};

    reg [31:0]    cntl1_q, cntl1_d;
    reg [31:0]    cntl2_q, cntl2_d;
    reg           ph_enable_q, ph_enable_d;
    reg           spi_enable_q, spi_enable_d;
    reg           b_hold_q, b_hold_d;
    reg [6:0]     limit_q, limit_d;
    reg           thresholds_valid_q, thresholds_valid_d;
    reg [3*C-1:0] thresholds_q, thresholds_d;
    reg [31:0]    clamped_q, clamped_d;
    reg           done_q, done_d;
    reg [4:0]     error_q, error_d;
    reg [31:0]    rdata_q, rdata_d;

    initial begin
        cntl1_q = CNTL1; cntl2_q = CNTL2; ph_enable_q = 1'b0; spi_enable_q = 1'b0; b_hold_q = 1'b0; limit_q = 7'd0;
        thresholds_valid_q = 1'b0; thresholds_q = RESET; clamped_q = 32'd0; done_q = 1'b0; error_q = 5'd0;
        rdata_q = 32'd0;
    end

    assign host_done        = done_q;
    assign host_error       = error_q;
    assign host_rdata       = rdata_q;
    assign cntl1            = cntl1_q;
    assign cntl2            = cntl2_q;
    assign interval         = cntl1_q[`TOTEM_REG_CONTROLS_SPI_GS_THROTTLE_CNTL1_PH_POLL_INTERVAL];
    assign ph_enable        = ph_enable_q;
    assign spi_enable       = spi_enable_q;
    assign b_hold           = b_hold_q;
    assign limit            = limit_q;
    assign thresholds_valid = thresholds_valid_q;
    assign thresholds       = thresholds_q;

    wire [4:0] dword     = host_dword[`TOTEM_REG_CONTROLS_DWORD];
    wire       of_engine = dword >= `TOTEM_REG_CONTROLS_CLOSED;       // four of each kind, the first of engine 0
    wire       there     = host_dword[7:5] == 3'd0 && EXISTS[dword] && !(of_engine && {30'd0, dword[1:0]} >= ENGINES);
    reg [31:0] of_one;      // of that engine
    integer    e;
    always @* begin
        of_one = 32'd0;
        for (e = 0; e < SE_COUNT; e = e + 1)
            if (dword[1:0] == e[1:0])
                case ({dword[4:2], 2'd0})
                    `TOTEM_REG_CONTROLS_CLOSED:  of_one = throttle_closed[e*32 +: 32];
                    `TOTEM_REG_CONTROLS_DEAD:    of_one = {22'd0, throttle_dead[e*10 +: 10]};
                    `TOTEM_REG_CONTROLS_STALL_A: of_one = {21'd0, throttle_stall_a[e*11 +: 11]};
                    `TOTEM_REG_CONTROLS_STALL_B: of_one = {21'd0, throttle_stall_b[e*11 +: 11]};
                    `TOTEM_REG_CONTROLS_STALL_C: of_one = {21'd0, throttle_stall_c[e*11 +: 11]};
                    default:                     of_one = {30'd0, monitor_status[e*2 +: 2]};
                endcase
    end
    reg [31:0] value;
    always @* begin
        value = 32'd0;
        if (there)
            case (dword)
                `TOTEM_REG_CONTROLS_SPI_GS_THROTTLE_CNTL1: value = cntl1_q;
                `TOTEM_REG_CONTROLS_SPI_GS_THROTTLE_CNTL2: value = cntl2_q;
                `TOTEM_REG_CONTROLS_THROTTLE: begin
                    value[`TOTEM_REG_CONTROLS_THROTTLE_PH_ENABLE]  = ph_enable_q;
                    value[`TOTEM_REG_CONTROLS_THROTTLE_SPI_ENABLE] = spi_enable_q;
                    value[`TOTEM_REG_CONTROLS_THROTTLE_B_HOLD]     = b_hold_q;
                end
                `TOTEM_REG_CONTROLS_GS_LIMIT: value[`TOTEM_REG_CONTROLS_GS_LIMIT_WAVES] = limit_q;
                `TOTEM_REG_CONTROLS_PH_THRESHOLDS: begin
                    value[0 +: C]  = thresholds_q[0 +: C];
                    value[8 +: C]  = thresholds_q[C +: C];
                    value[16 +: C] = thresholds_q[2*C +: C];
                end
                `TOTEM_REG_CONTROLS_CLAMPED: value = clamped_q;
                default: value = of_one;
            endcase
    end

    // What a write puts, and whether it is refused.
    wire [31:0] mask = {{8{host_strobe[3]}}, {8{host_strobe[2]}}, {8{host_strobe[1]}}, {8{host_strobe[0]}}};
    wire [31:0] put  = (value & ~mask) | (host_data & mask);
    wire [7:0]  put_0 = put[`TOTEM_REG_CONTROLS_PH_THRESHOLDS_FIRST];
    wire [7:0]  put_1 = put[`TOTEM_REG_CONTROLS_PH_THRESHOLDS_SECOND];
    wire [7:0]  put_2 = put[`TOTEM_REG_CONTROLS_PH_THRESHOLDS_THIRD];
    reg         legal;
    always @* begin
        case (dword)
            `TOTEM_REG_CONTROLS_SPI_GS_THROTTLE_CNTL1:
                legal = put[`TOTEM_REG_CONTROLS_SPI_GS_THROTTLE_CNTL1_SPI_VGPR_THRESHOLD] <= 4'd9
                        && put[`TOTEM_REG_CONTROLS_SPI_GS_THROTTLE_CNTL1_SPI_LDS_THRESHOLD] <= 4'd9;
            `TOTEM_REG_CONTROLS_SPI_GS_THROTTLE_CNTL2:
                legal = put[`TOTEM_REG_CONTROLS_SPI_GS_THROTTLE_CNTL2_SPI_THROTTLE_MODE] <= SPI_MODE_ANY;
            `TOTEM_REG_CONTROLS_PH_THRESHOLDS:
                legal = put_0 != 8'd0 && put_0 < put_1 && put_1 < put_2 && put_2 <= FULL;
            default:
                legal = 1'b1;
        endcase
    end
    wire [4:0] refused = !there ? HOLE[4:0] : !host_write ? 5'd0 : !WRITABLE[dword] ? READ_ONLY[4:0]
                         : !legal ? VALUE[4:0] : 5'd0;

    reg [31:0] word;                // of the packet that is looked at
    reg        first, second;       // it is there, and of this register
    reg        vgprs, lds, mode;    // the field is clamped
    integer    n;
    always @* begin
        cntl1_d            = cntl1_q;
        cntl2_d            = cntl2_q;
        ph_enable_d        = ph_enable_q;
        spi_enable_d       = spi_enable_q;
        b_hold_d           = b_hold_q;
        limit_d            = limit_q;
        thresholds_valid_d = 1'b0;
        thresholds_d       = thresholds_q;
        clamped_d          = clamped_q;
        done_d             = 1'b0;
        error_d            = error_q;
        rdata_d            = rdata_q;
        word               = 32'd0;
        first              = 1'b0;
        second             = 1'b0;
        vgprs              = 1'b0;
        lds                = 1'b0;
        mode               = 1'b0;

        // 1 Packets
        for (n = 0; n < FE_COUNT; n = n + 1) begin
            word   = packet_data[n*32 +: 32];
            first  = packet_valid[n] && !packet_second[n];
            second = packet_valid[n] && packet_second[n];
            vgprs  = first && word[`TOTEM_REG_CONTROLS_SPI_GS_THROTTLE_CNTL1_SPI_VGPR_THRESHOLD] > 4'd9;
            lds    = first && word[`TOTEM_REG_CONTROLS_SPI_GS_THROTTLE_CNTL1_SPI_LDS_THRESHOLD] > 4'd9;
            mode   = second && word[`TOTEM_REG_CONTROLS_SPI_GS_THROTTLE_CNTL2_SPI_THROTTLE_MODE] > SPI_MODE_ANY;
            if (first) begin
                cntl1_d = word;
                if (vgprs)
                    cntl1_d[`TOTEM_REG_CONTROLS_SPI_GS_THROTTLE_CNTL1_SPI_VGPR_THRESHOLD] = 4'd9;
                if (lds)
                    cntl1_d[`TOTEM_REG_CONTROLS_SPI_GS_THROTTLE_CNTL1_SPI_LDS_THRESHOLD] = 4'd9;
            end
            if (second) begin
                cntl2_d = {15'd0, word[16:0]};
                if (mode)
                    cntl2_d[`TOTEM_REG_CONTROLS_SPI_GS_THROTTLE_CNTL2_SPI_THROTTLE_MODE] = SPI_MODE_ANY;
            end
            clamped_d = clamped_d + {31'd0, vgprs} + {31'd0, lds || mode};
        end

        // 2 Host
        if (host_valid && !done_q) begin
            done_d  = 1'b1;
            error_d = refused;
            rdata_d = value;
            if (host_write && refused == 5'd0)
                case (dword)
                    `TOTEM_REG_CONTROLS_SPI_GS_THROTTLE_CNTL1: cntl1_d = put;
                    `TOTEM_REG_CONTROLS_SPI_GS_THROTTLE_CNTL2: cntl2_d = {15'd0, put[16:0]};
                    `TOTEM_REG_CONTROLS_THROTTLE: begin
                        ph_enable_d  = put[`TOTEM_REG_CONTROLS_THROTTLE_PH_ENABLE];
                        spi_enable_d = put[`TOTEM_REG_CONTROLS_THROTTLE_SPI_ENABLE];
                        b_hold_d     = put[`TOTEM_REG_CONTROLS_THROTTLE_B_HOLD];
                    end
                    `TOTEM_REG_CONTROLS_GS_LIMIT: limit_d = put[`TOTEM_REG_CONTROLS_GS_LIMIT_WAVES];
                    default: begin
                        thresholds_valid_d = 1'b1;
                        thresholds_d       = {put_2[C-1:0], put_1[C-1:0], put_0[C-1:0]};
                    end
                endcase
        end
    end

    always @(posedge clk) begin
        cntl1_q            <= cntl1_d;
        cntl2_q            <= cntl2_d;
        ph_enable_q        <= ph_enable_d;
        spi_enable_q       <= spi_enable_d;
        b_hold_q           <= b_hold_d;
        limit_q            <= limit_d;
        thresholds_valid_q <= thresholds_valid_d;
        thresholds_q       <= thresholds_d;
        clamped_q          <= clamped_d;
        done_q             <= done_d;
        error_q            <= error_d;
        rdata_q            <= rdata_d;
        if (rst) begin
            cntl1_q            <= CNTL1;
            cntl2_q            <= CNTL2;
            ph_enable_q        <= 1'b0;
            spi_enable_q       <= 1'b0;
            b_hold_q           <= 1'b0;
            limit_q            <= 7'd0;
            thresholds_valid_q <= 1'b0;
            thresholds_q       <= RESET;
            clamped_q          <= 32'd0;
            done_q             <= 1'b0;
        end
    end

    // formal: maxsteps=2
    // formal: maxsteps=2 params=FE_COUNT=2,DEPTH=4
    // formal: maxsteps=2 params=FE_COUNT=4,SE_COUNT=4,DEPTH=128
`ifdef FORMAL
`include "totem_controls_properties.vh"
`endif
endmodule

`default_nettype wire
