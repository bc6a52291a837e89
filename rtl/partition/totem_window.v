// SPDX-License-Identifier: Apache-2.0
//
// totem_window: looks an address of a path up: channel and address there.
//
// Policy    the lowest window that has the address; its offset is cut into chunks that lie in turn in its channels
//           (docs/contract/window.md).
// Latency   none: combinational, between the request of a master and the inbox of its route.
// Boundary  window by its bits above the size -> offset -> two shifts -> sum.
// Cost      a comparison of 33 bits for each window, two shifters and an adder of 40 bits.
// Twin      cmodel/partition/totem_window.c, same names.

`default_nettype none

module totem_window #(
    parameter WINDOWS  = 4,     // windows of a path, 1 to 4
    parameter CHANNELS = 4      // memory channels, 1, 2 or 4
) (
    // master
    input  wire [36:0]           address,
    // partition
    input  wire [WINDOWS-1:0]    window_valid,
    input  wire [WINDOWS*33-1:0] window_base,
    input  wire [WINDOWS*6-1:0]  window_size,
    input  wire [WINDOWS*2-1:0]  window_first,
    input  wire [WINDOWS*2-1:0]  window_spread,
    input  wire [WINDOWS*6-1:0]  window_chunk,
    input  wire [WINDOWS*6-1:0]  window_stride,
    input  wire [WINDOWS*33-1:0] window_place,
    // route
    output reg                   hit,
    output reg  [1:0]            target,
    output reg  [36:0]           moved
);
    generate
        if (WINDOWS < 1 || WINDOWS > 4 || (CHANNELS != 1 && CHANNELS != 2 && CHANNELS != 4)) begin : check
            totem_window_needs_WINDOWS_1_to_4_and_CHANNELS_1_2_or_4 refused ();
        end
    endgenerate

    localparam [39:0] ALL  = 40'hFF_FFFF_FFFF;
    localparam [1:0]  LAST = CHANNELS == 4 ? 2'd3 : CHANNELS == 2 ? 2'd1 : 2'd0;

    wire [39:0] whole = {address, 3'd0};
    reg  [39:0] offset, bits, chunks, beyond, place;
    reg  [5:0]  chunk, stride;
    reg  [1:0]  first, spread;
    integer     w;

    always @* begin
        hit    = 1'b0;
        offset = 40'd0;
        place  = 40'd0;
        chunk  = 6'd0;
        stride = 6'd0;
        first  = 2'd0;
        spread = 2'd0;
        for (w = WINDOWS - 1; w >= 0; w = w - 1) begin
            beyond = ALL << window_size[w*6 +: 6];
            if (window_valid[w] && ((whole ^ {window_base[w*33 +: 33], 7'd0}) & beyond) == 40'd0) begin
                hit    = 1'b1;
                offset = whole & ~beyond;
                place  = {window_place[w*33 +: 33], 7'd0};
                chunk  = window_chunk[w*6 +: 6];
                stride = window_stride[w*6 +: 6];
                first  = window_first[w*2 +: 2];
                spread = window_spread[w*2 +: 2];
            end
        end
        beyond = ALL << chunk;
        bits   = offset & ~beyond;
        chunks = offset >> chunk;
        target = hit ? (first + (chunks[1:0] & {spread[1], spread != 2'd0})) & LAST : 2'd0;
        place  = place + (chunks << stride) + bits;
        moved  = hit ? place[39:3] : 37'd0;
    end

endmodule

`default_nettype wire
