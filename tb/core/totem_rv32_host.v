// SPDX-License-Identifier: Apache-2.0
//
// totem_rv32_host: the adapter's page of host registers (docs/core.md), with the record of the first error.
//
// Latency   an access is answered one clock behind its request.
// Boundary  errors come one a clock. ERRORS saturates, WAVES wraps.

`default_nettype none

`include "totem_pm4.vh"

module totem_rv32_host #(
    parameter CORES   = 4,
    parameter LDS     = 1024,
    parameter PRIVATE = 512,
    parameter GRAPHICS = 1,
    parameter SLOT_BITS = 6
) (
    input  wire                 clk,
    input  wire                 rst,
    // host
    input  wire                 host_valid,
    input  wire                 host_write,
    input  wire [7:0]           host_dword,
    input  wire [3:0]           host_strobe,
    input  wire [31:0]          host_data,
    output wire                 host_done,
    output wire [4:0]           host_error,
    output wire [31:0]          host_rdata,
    // status
    input  wire [7:0]           running,
    input  wire [7:0]           queued,
    input  wire                 done,
    // errors
    input  wire                 error_valid,
    input  wire [3:0]           error_code,
    input  wire [31:0]          error_addr,
    input  wire [31:0]          error_program,
    input  wire [SLOT_BITS-1:0] error_slot,
    input  wire [15:0]          error_owner,        // {epoch, queue, pipe, fe}, 4 bits each
    input  wire [63:0]          error_group,
    // settings
    output wire [31:0]          window_low,
    output wire [31:0]          window_high,
    output wire                 export_enable,
    output wire [19:0]          export_pixels
);
    localparam [7:0] AT_MAGIC = 8'd0, AT_SIZES = 8'd1, AT_RUNNING = 8'd2, AT_QUEUED = 8'd3, AT_WAVES = 8'd4,
                     AT_ERRORS = 8'd5, AT_RECORD = 8'd6, AT_ADDRESS = 8'd7, AT_PROGRAM = 8'd8, AT_GROUP_X = 8'd9,
                     AT_GROUP_YZ = 8'd10, AT_LOW = 8'd11, AT_HIGH = 8'd12, AT_EXPORT = 8'd13, AT_PIXELS = 8'd14;
    localparam [31:0] MAGIC = 32'h32335652; // "RV32"
    localparam [31:0] CORE_COUNT = CORES, LDS_BLOCKS = LDS / 128, PRIVATE_DWORDS = PRIVATE;
    localparam [7:0] CODE_HOLE = `TOTEM_ERROR_HOST_HOLE, CODE_READ_ONLY = `TOTEM_ERROR_HOST_READ_ONLY,
                     CODE_VALUE = `TOTEM_ERROR_HOST_VALUE;

    reg [31:0] waves_q, waves_d, errors_q, errors_d;
    reg [31:0] record_q, record_d, addr_q, addr_d, program_q, program_d, x_q, x_d, yz_q, yz_d;
    reg [31:0] low_q, low_d, high_q, high_d;
    reg        export_q, export_d;
    reg [19:0] pixels_q, pixels_d;
    reg        done_q, done_d;
    reg [4:0]  error_q, error_d;
    reg [31:0] rdata_q, rdata_d;
    reg [31:0] present, merged;
    reg        hole, fixed, illegal;
    integer    n;

    wire request = host_valid && !done_q;

    assign host_done     = done_q;
    assign host_error    = error_q;
    assign host_rdata    = rdata_q;
    assign window_low    = low_q;
    assign window_high   = high_q;
    assign export_enable = export_q;
    assign export_pixels = pixels_q;

    wire unused = &{1'b0, CODE_HOLE[7:5], CODE_READ_ONLY[7:5], CODE_VALUE[7:5]};

    always @* begin
        waves_d   = done ? waves_q + 32'd1 : waves_q;
        errors_d  = error_valid && !(&errors_q) ? errors_q + 32'd1 : errors_q;
        record_d  = record_q;
        addr_d    = addr_q;
        program_d = program_q;
        x_d       = x_q;
        yz_d      = yz_q;
        low_d     = low_q;
        high_d    = high_q;
        export_d  = export_q;
        pixels_d  = pixels_q;
        done_d    = request;
        error_d   = error_q;
        rdata_d   = rdata_q;

        hole  = 1'b0;
        fixed = 1'b1;
        case (host_dword)
            AT_MAGIC:    present = MAGIC;
            AT_SIZES:    present = {PRIVATE_DWORDS[15:0], LDS_BLOCKS[7:0], CORE_COUNT[7:0]};
            AT_RUNNING:  present = {24'd0, running};
            AT_QUEUED:   present = {24'd0, queued};
            AT_WAVES:    present = waves_q;
            AT_ERRORS:   present = errors_q;
            AT_ADDRESS:  present = addr_q;
            AT_PROGRAM:  present = program_q;
            AT_GROUP_X:  present = x_q;
            AT_GROUP_YZ: present = yz_q;
            default: begin
                fixed   = 1'b0;
                present = 32'd0;
                case (host_dword)
                    AT_RECORD:   present = record_q;
                    AT_LOW:      present = low_q;
                    AT_HIGH:     present = high_q;
                    AT_EXPORT: begin
                        present = {31'd0, export_q};
                        hole    = GRAPHICS == 0;
                    end
                    AT_PIXELS: begin
                        present = {12'd0, pixels_q};
                        hole    = GRAPHICS == 0;
                    end
                    default:     hole    = 1'b1;
                endcase
            end
        endcase
        for (n = 0; n < 4; n = n + 1)
            merged[n*8 +: 8] = host_strobe[n] ? host_data[n*8 +: 8] : present[n*8 +: 8];
        illegal = (host_dword == AT_RECORD && merged != 32'd0) || (host_dword == AT_EXPORT && merged[31:1] != 31'd0) ||
                  (host_dword == AT_PIXELS && merged[31:20] != 12'd0);
        if (request) begin
            rdata_d = host_write || hole ? 32'd0 : present;
            error_d = hole ? CODE_HOLE[4:0] : host_write && fixed ? CODE_READ_ONLY[4:0] :
                      host_write && illegal ? CODE_VALUE[4:0] : 5'd0;
            if (host_write && error_d == 5'd0) begin
                case (host_dword)
                    AT_RECORD: record_d = 32'd0;
                    AT_LOW:    low_d    = merged;
                    AT_HIGH:   high_d   = merged;
                    AT_EXPORT: export_d = merged[0];
                    default:   pixels_d = merged[19:0];
                endcase
            end
        end
        // An error that comes with the write that clears the record is recorded.
        if (error_valid && record_d[3:0] == 4'd0) begin
            record_d  = {error_owner, {8-SLOT_BITS{1'b0}}, error_slot, 4'd0, error_code};
            addr_d    = error_addr;
            program_d = error_program;
            x_d       = error_group[31:0];
            yz_d      = error_group[63:32];
        end
    end

    always @(posedge clk) begin
        waves_q   <= waves_d;
        errors_q  <= errors_d;
        record_q  <= record_d;
        addr_q    <= addr_d;
        program_q <= program_d;
        x_q       <= x_d;
        yz_q      <= yz_d;
        low_q     <= low_d;
        high_q    <= high_d;
        export_q  <= export_d;
        pixels_q  <= pixels_d;
        done_q    <= done_d;
        error_q   <= error_d;
        rdata_q   <= rdata_d;
        if (rst) begin
            waves_q   <= 32'd0;
            errors_q  <= 32'd0;
            record_q  <= 32'd0;
            addr_q    <= 32'd0;
            program_q <= 32'd0;
            x_q       <= 32'd0;
            yz_q      <= 32'd0;
            low_q     <= 32'd0;
            high_q    <= 32'hEFFFFFFF;
            export_q  <= 1'b0;
            pixels_q  <= 20'd0;
            done_q    <= 1'b0;
        end
    end
endmodule

`default_nettype wire
