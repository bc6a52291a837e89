// SPDX-License-Identifier: Apache-2.0
//
// totem_graphics: page of registers of a graphics ring.
//
// Policy    one access at a time; what decides between HP3D and GFX, and between the generations, does not change while
//           the ring is mapped. A word of the default table waits until frames has a turn for it.
// Latency   an access is done one clock after it is asked for, a word of the table one clock after it was taken.
// Boundary  all outputs are flip-flops.
// Cost      about 130 flip-flops.
// Proved    accesses (1), refused ones (2), what stays while the ring is mapped (3), words of the table (4),
//           when the tags are dropped (5).
// Twin      cmodel/graphics/totem_graphics.c, same names.

`default_nettype none

`include "totem_pm4.vh"
`include "totem_regs.vh"

module totem_graphics #(
    parameter QUEUES     = 8,           // from 1
    parameter REGISTERS  = 1024,        // a power of two up to 1024
    parameter INDEX_BITS = (REGISTERS > 1) ? $clog2(REGISTERS) : 1      // follows from the others
) (
    input  wire                  clk,
    input  wire                  rst,
    // host
    input  wire                  host_valid,
    input  wire                  host_write,
    input  wire [7:0]            host_dword,
    input  wire [3:0]            host_strobe,
    input  wire [31:0]           host_data,
    output wire                  host_done,
    output wire [4:0]            host_error,
    output wire [31:0]           host_rdata,
    // what the ring is
    output wire                  hp3d,
    output wire [1:0]            generation,
    output wire                  bounce_enable,
    output wire                  filter_enable,
    output wire                  unmapped,
    output wire                  flush_valid,
    output wire                  flush_plain,
    // default table
    output wire                  table_valid,
    output wire [INDEX_BITS-1:0] table_index,
    output wire [31:0]           table_data,
    input  wire                  frames_table_ready,
    // ring
    input  wire [QUEUES-1:0]     arbiter_active,
    input  wire [QUEUES-1:0]     hqd_resetting,
    // counters
    input  wire [31:0]           context_rolls,
    input  wire [31:0]           context_hits,
    input  wire [31:0]           context_misses,
    input  wire [31:0]           context_full_clocks,
    input  wire [31:0]           frames_written,
    input  wire [31:0]           frames_filtered,
    input  wire [31:0]           frames_exposed_clocks,
    input  wire                  render_draw_begun
);
`include "totem_graphics_values.vh"
    generate
        if (QUEUES < 1 || REGISTERS < 2 || REGISTERS > 1024) begin : check
            totem_graphics_needs_QUEUES_from_1_and_REGISTERS_2_to_1024 refused ();
        end
    endgenerate

    localparam [7:0]   HOLE = `TOTEM_ERROR_HOST_HOLE, READ_ONLY = `TOTEM_ERROR_HOST_READ_ONLY;
    localparam [7:0]   VALUE = `TOTEM_ERROR_HOST_VALUE, LOCKED = `TOTEM_ERROR_HOST_LOCKED;
    localparam [255:0] EXISTS = `TOTEM_REG_GRAPHICS_EXISTS, WRITABLE = `TOTEM_REG_GRAPHICS_WRITABLE;
    localparam [31:0]  RESET = `TOTEM_REG_GRAPHICS_RESET(`TOTEM_REG_GRAPHICS_GRAPHICS);

    reg                  hp3d_q, hp3d_d;
    reg [1:0]            generation_q, generation_d;
    reg                  bounce_enable_q, bounce_enable_d;
    reg                  filter_enable_q, filter_enable_d;
    reg                  unmapped_q;
    reg                  flush_valid_q, flush_valid_d;
    reg                  flush_plain_q;
    reg [INDEX_BITS-1:0] index_q, index_d;
    reg [31:0]           draws_q, draws_d;
    reg                  table_valid_q, table_valid_d;
    reg [31:0]           table_data_q, table_data_d;
    reg                  done_q, done_d;
    reg [4:0]            error_q, error_d;
    reg [31:0]           rdata_q, rdata_d;

    // Registers that reset leaves alone read 0 at start, as in the model.
    initial begin
        table_data_q = 32'd0;
        error_q      = 5'd0;
        rdata_q      = 32'd0;
    end

    assign host_done     = done_q;
    assign host_error    = error_q;
    assign host_rdata    = rdata_q;
    assign hp3d          = hp3d_q;
    assign generation    = generation_q;
    assign bounce_enable = bounce_enable_q;
    assign filter_enable = filter_enable_q;
    assign unmapped      = unmapped_q;
    assign flush_valid   = flush_valid_q;
    assign flush_plain   = flush_plain_q;
    assign table_valid   = table_valid_q;
    assign table_index   = index_q;
    assign table_data    = table_data_q;

    reg [31:0] value;
    always @* begin
        value = 32'd0;
        case (host_dword)
            `TOTEM_REG_GRAPHICS_GRAPHICS: begin
                value[`TOTEM_REG_GRAPHICS_GRAPHICS_HP3D]           = hp3d_q;
                value[`TOTEM_REG_GRAPHICS_GRAPHICS_BOUNCE_EN]      = bounce_enable_q;
                value[`TOTEM_REG_GRAPHICS_GRAPHICS_FILTER_EN]      = filter_enable_q;
                value[`TOTEM_REG_GRAPHICS_GRAPHICS_GFX_GENERATION] = generation_q;
            end
            `TOTEM_REG_GRAPHICS_TABLE_INDEX:    value[INDEX_BITS-1:0] = index_q;
            `TOTEM_REG_GRAPHICS_ROLLS:          value = context_rolls;
            `TOTEM_REG_GRAPHICS_HITS:           value = context_hits;
            `TOTEM_REG_GRAPHICS_MISSES:         value = context_misses;
            `TOTEM_REG_GRAPHICS_FULL_CLOCKS:    value = context_full_clocks;
            `TOTEM_REG_GRAPHICS_WRITTEN:        value = frames_written;
            `TOTEM_REG_GRAPHICS_FILTERED:       value = frames_filtered;
            `TOTEM_REG_GRAPHICS_EXPOSED_CLOCKS: value = frames_exposed_clocks;
            `TOTEM_REG_GRAPHICS_DRAWS:          value = draws_q;
            default: ;
        endcase
    end

    // What a write puts, and whether it is refused.
    wire [31:0] mask = {{8{host_strobe[3]}}, {8{host_strobe[2]}}, {8{host_strobe[1]}}, {8{host_strobe[0]}}};
    wire [31:0] put  = (value & ~mask) | (host_data & mask);
    wire        of_kind = host_write && host_dword == `TOTEM_REG_GRAPHICS_GRAPHICS;
    wire        illegal = of_kind && put[`TOTEM_REG_GRAPHICS_GRAPHICS_GFX_GENERATION] > GENERATION_GFX11;
    wire        locked  = of_kind && arbiter_active[0]
                          && {put[`TOTEM_REG_GRAPHICS_GRAPHICS_HP3D], put[`TOTEM_REG_GRAPHICS_GRAPHICS_GFX_GENERATION]}
                             != {hp3d_q, generation_q};
    wire [4:0]  refused = !EXISTS[host_dword] ? HOLE[4:0] : host_write && !WRITABLE[host_dword] ? READ_ONLY[4:0]
                          : illegal ? VALUE[4:0] : locked ? LOCKED[4:0] : 5'd0;
    wire        access  = host_valid && !done_q && !table_valid_q;
    wire        owner   = hqd_resetting[0] || (arbiter_active[0] && unmapped_q);    // the tags lose theirs
    wire        unused  = &{1'b0, arbiter_active, hqd_resetting};

    always @* begin
        hp3d_d          = hp3d_q;
        generation_d    = generation_q;
        bounce_enable_d = bounce_enable_q;
        filter_enable_d = filter_enable_q;
        index_d         = index_q;
        table_valid_d   = table_valid_q;
        table_data_d    = table_data_q;
        error_d         = error_q;
        rdata_d         = rdata_q;

        // 1 Counts
        draws_d         = draws_q + {31'd0, render_draw_begun};
        done_d          = 1'b0;
        // 4 Flush
        flush_valid_d   = owner;

        // 2 Access
        if (access) begin
            done_d  = 1'b1;
            error_d = refused;
            rdata_d = value;
            if (host_write && refused == 5'd0)
                case (host_dword)
                    `TOTEM_REG_GRAPHICS_GRAPHICS: begin
                        hp3d_d          = put[`TOTEM_REG_GRAPHICS_GRAPHICS_HP3D];
                        bounce_enable_d = put[`TOTEM_REG_GRAPHICS_GRAPHICS_BOUNCE_EN];
                        filter_enable_d = put[`TOTEM_REG_GRAPHICS_GRAPHICS_FILTER_EN];
                        generation_d    = put[`TOTEM_REG_GRAPHICS_GRAPHICS_GFX_GENERATION];
                    end
                    `TOTEM_REG_GRAPHICS_TABLE_INDEX: index_d = put[INDEX_BITS-1:0];
                    `TOTEM_REG_GRAPHICS_BOUNCE_FLUSH: flush_valid_d = owner || host_strobe != 4'd0;
                    default:
                        if (host_strobe != 4'd0) begin
                            done_d        = 1'b0;
                            table_valid_d = 1'b1;
                            table_data_d  = put;
                        end
                endcase
        end
        // 3 Table
        if (table_valid_q && frames_table_ready) begin
            table_valid_d = 1'b0;
            index_d       = index_q + 1'b1;
            done_d        = 1'b1;
        end
    end

    always @(posedge clk) begin
        hp3d_q          <= hp3d_d;
        generation_q    <= generation_d;
        bounce_enable_q <= bounce_enable_d;
        filter_enable_q <= filter_enable_d;
        unmapped_q      <= !arbiter_active[0];
        flush_valid_q   <= flush_valid_d;
        flush_plain_q   <= owner;
        index_q         <= index_d;
        draws_q         <= draws_d;
        table_valid_q   <= table_valid_d;
        table_data_q    <= table_data_d;
        done_q          <= done_d;
        error_q         <= error_d;
        rdata_q         <= rdata_d;
        if (rst) begin
            hp3d_q          <= RESET[`TOTEM_REG_GRAPHICS_GRAPHICS_HP3D];
            generation_q    <= RESET[`TOTEM_REG_GRAPHICS_GRAPHICS_GFX_GENERATION];
            bounce_enable_q <= RESET[`TOTEM_REG_GRAPHICS_GRAPHICS_BOUNCE_EN];
            filter_enable_q <= RESET[`TOTEM_REG_GRAPHICS_GRAPHICS_FILTER_EN];
            index_q         <= {INDEX_BITS{1'b0}};
            draws_q         <= 32'd0;
            unmapped_q      <= 1'b0;
            flush_valid_q   <= 1'b0;
            flush_plain_q   <= 1'b0;
            table_valid_q   <= 1'b0;
            done_q          <= 1'b0;
        end
    end

`ifdef FORMAL
`include "totem_graphics_properties.vh"
`endif
endmodule

`default_nettype wire
