// SPDX-License-Identifier: Apache-2.0
//
// totem_windows: the windows by which one front end sees memory.
//
// Policy    written one at a time; at reset window 0 is all of memory, in all channels in turn.
// Latency   a window holds from the clock after its write on.
// Boundary  registers.
// Cost      89 flip-flops a window.
// Proved    1 only.
// Twin      cmodel/partition/totem_windows.c, same names.

`default_nettype none

module totem_windows #(
    parameter WINDOWS  = 4,     // 1 to 4
    parameter CHANNELS = 4      // 1, 2 or 4
) (
    input  wire                  clk,
    input  wire                  rst,
    // partition
    input  wire                  write_valid,
    input  wire [1:0]            write_window,
    input  wire                  write_present,
    input  wire [32:0]           write_base,
    input  wire [5:0]            write_size,
    input  wire [1:0]            write_first,
    input  wire [1:0]            write_spread,
    input  wire [5:0]            write_chunk,
    input  wire [5:0]            write_stride,
    input  wire [32:0]           write_place,
    // window
    output wire [WINDOWS-1:0]    window_valid,
    output wire [WINDOWS*33-1:0] window_base,
    output wire [WINDOWS*6-1:0]  window_size,
    output wire [WINDOWS*2-1:0]  window_first,
    output wire [WINDOWS*2-1:0]  window_spread,
    output wire [WINDOWS*6-1:0]  window_chunk,
    output wire [WINDOWS*6-1:0]  window_stride,
    output wire [WINDOWS*33-1:0] window_place
);
    localparam [1:0] ALL_CHANNELS = CHANNELS == 4 ? 2'd2 : CHANNELS == 2 ? 2'd1 : 2'd0;     // log2

    generate
        if (WINDOWS < 1 || WINDOWS > 4 || (CHANNELS != 1 && CHANNELS != 2 && CHANNELS != 4)) begin : check
            totem_windows_needs_WINDOWS_1_to_4_and_CHANNELS_1_2_or_4 refused ();
        end
    endgenerate

    reg [WINDOWS-1:0]    window_valid_q, window_valid_d;
    reg [WINDOWS*33-1:0] window_base_q, window_base_d, window_place_q, window_place_d;
    reg [WINDOWS*6-1:0]  window_size_q, window_size_d, window_chunk_q, window_chunk_d, window_stride_q, window_stride_d;
    reg [WINDOWS*2-1:0]  window_first_q, window_first_d, window_spread_q, window_spread_d;
    integer              w;

    initial begin
        window_valid_q = 0; window_base_q = 0; window_place_q = 0; window_size_q = 0; window_chunk_q = 0;
        window_stride_q = 0; window_first_q = 0; window_spread_q = 0;
    end

    assign window_valid  = window_valid_q;
    assign window_base   = window_base_q;
    assign window_size   = window_size_q;
    assign window_first  = window_first_q;
    assign window_spread = window_spread_q;
    assign window_chunk  = window_chunk_q;
    assign window_stride = window_stride_q;
    assign window_place  = window_place_q;

    always @* begin
        window_valid_d  = window_valid_q;
        window_base_d   = window_base_q;
        window_size_d   = window_size_q;
        window_first_d  = window_first_q;
        window_spread_d = window_spread_q;
        window_chunk_d  = window_chunk_q;
        window_stride_d = window_stride_q;
        window_place_d  = window_place_q;

        // 1 Write
        for (w = 0; w < WINDOWS; w = w + 1)
            if (write_valid && write_window == w[1:0]) begin
                window_valid_d[w]          = write_present;
                window_base_d[w*33 +: 33]  = write_base;
                window_size_d[w*6 +: 6]    = write_size;
                window_first_d[w*2 +: 2]   = write_first;
                window_spread_d[w*2 +: 2]  = write_spread;
                window_chunk_d[w*6 +: 6]   = write_chunk;
                window_stride_d[w*6 +: 6]  = write_stride;
                window_place_d[w*33 +: 33] = write_place;
            end
    end

    always @(posedge clk) begin
        window_valid_q  <= window_valid_d;
        window_base_q   <= window_base_d;
        window_size_q   <= window_size_d;
        window_first_q  <= window_first_d;
        window_spread_q <= window_spread_d;
        window_chunk_q  <= window_chunk_d;
        window_stride_q <= window_stride_d;
        window_place_q  <= window_place_d;
        if (rst) begin
            window_valid_q  <= {{WINDOWS-1{1'b0}}, 1'b1};
            window_base_q   <= {WINDOWS*33{1'b0}};
            window_size_q   <= {WINDOWS{6'd40}};
            window_first_q  <= {WINDOWS*2{1'b0}};
            window_spread_q <= {WINDOWS{ALL_CHANNELS}};
            window_chunk_q  <= {WINDOWS{6'd7}};
            window_stride_q <= {WINDOWS{6'd7}};
            window_place_q  <= {WINDOWS*33{1'b0}};
        end
    end

`ifdef FORMAL
`include "totem_windows_properties.vh"
`endif
endmodule

`default_nettype wire
