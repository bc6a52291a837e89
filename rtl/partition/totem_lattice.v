// SPDX-License-Identifier: Apache-2.0
//
// totem_lattice: what goes across between the routes of front ends and the channels.
//
// Policy    every request before every channel.
// Latency   combinational.
// Boundary  names only; ready of a port is that of all routes.
// Cost      wires, and two AND gates of FE_COUNT inputs for each port.
// Twin      cmodel/partition/totem_lattice.c, same names.

`default_nettype none

module totem_lattice #(
    parameter FE_COUNT = 4,     // front ends, and channels, 2 to 4
    parameter READERS  = 6,     // of a master, as of memory
    parameter STREAMS  = 6,
    parameter FENCES   = 8,
    parameter READER_BITS   = $clog2(READERS),
    parameter WRITE_ID_BITS = 1 + $clog2(STREAMS > FENCES ? STREAMS : FENCES)
) (
    // routes
    input  wire [FE_COUNT*FE_COUNT-1:0]              route_to_ar_valid,
    input  wire [FE_COUNT*READER_BITS-1:0]           route_to_ar_id,
    input  wire [FE_COUNT*37-1:0]                    route_to_ar_addr,
    input  wire [FE_COUNT*4-1:0]                     route_to_ar_len,
    input  wire [FE_COUNT-1:0]                       route_to_ar_lock,
    input  wire [FE_COUNT*FE_COUNT-1:0]              route_to_aw_valid,
    input  wire [FE_COUNT*WRITE_ID_BITS-1:0]         route_to_aw_id,
    input  wire [FE_COUNT*37-1:0]                    route_to_aw_addr,
    input  wire [FE_COUNT*4-1:0]                     route_to_aw_len,
    input  wire [FE_COUNT-1:0]                       route_to_aw_lock,
    input  wire [FE_COUNT*FE_COUNT-1:0]              route_to_w_valid,
    input  wire [FE_COUNT*64-1:0]                    route_to_w_data,
    input  wire [FE_COUNT*8-1:0]                     route_to_w_strobe,
    input  wire [FE_COUNT-1:0]                       route_to_w_last,
    input  wire [FE_COUNT*FE_COUNT-1:0]              route_r_room,
    input  wire [FE_COUNT*FE_COUNT-1:0]              route_b_room,
    // channels
    output wire [FE_COUNT*FE_COUNT-1:0]              source_ar_valid,
    output wire [FE_COUNT*READER_BITS-1:0]           source_ar_id,
    output wire [FE_COUNT*37-1:0]                    source_ar_addr,
    output wire [FE_COUNT*4-1:0]                     source_ar_len,
    output wire [FE_COUNT-1:0]                       source_ar_lock,
    output wire [FE_COUNT*FE_COUNT-1:0]              source_aw_valid,
    output wire [FE_COUNT*WRITE_ID_BITS-1:0]         source_aw_id,
    output wire [FE_COUNT*37-1:0]                    source_aw_addr,
    output wire [FE_COUNT*4-1:0]                     source_aw_len,
    output wire [FE_COUNT-1:0]                       source_aw_lock,
    output wire [FE_COUNT*FE_COUNT-1:0]              source_w_valid,
    output wire [FE_COUNT*64-1:0]                    source_w_data,
    output wire [FE_COUNT*8-1:0]                     source_w_strobe,
    output wire [FE_COUNT-1:0]                       source_w_last,
    // channels
    input  wire [FE_COUNT*FE_COUNT-1:0]              channel_ar_ready,
    input  wire [FE_COUNT*FE_COUNT-1:0]              channel_aw_ready,
    input  wire [FE_COUNT*FE_COUNT-1:0]              channel_w_ready,
    // routes
    output wire [FE_COUNT*FE_COUNT-1:0]              target_ar_ready,
    output wire [FE_COUNT*FE_COUNT-1:0]              target_aw_ready,
    output wire [FE_COUNT*FE_COUNT-1:0]              target_w_ready,
    // ports
    output wire [FE_COUNT-1:0]                       r_ready,
    output wire [FE_COUNT-1:0]                       b_ready,
    // routes
    output wire [FE_COUNT-1:0]                       target_r_ready,
    output wire [FE_COUNT-1:0]                       target_b_ready
);
    assign source_ar_id       = route_to_ar_id;
    assign source_ar_addr     = route_to_ar_addr;
    assign source_ar_len      = route_to_ar_len;
    assign source_ar_lock     = route_to_ar_lock;
    assign source_aw_id       = route_to_aw_id;
    assign source_aw_addr     = route_to_aw_addr;
    assign source_aw_len      = route_to_aw_len;
    assign source_aw_lock     = route_to_aw_lock;
    assign source_w_data      = route_to_w_data;
    assign source_w_strobe    = route_to_w_strobe;
    assign source_w_last      = route_to_w_last;
    assign r_ready            = target_r_ready;
    assign b_ready            = target_b_ready;

    genvar f, c;
    generate
        for (c = 0; c < FE_COUNT; c = c + 1) begin : g_channel
            wire [FE_COUNT-1:0] r_rooms, b_rooms;

            assign target_r_ready[c]                     = &r_rooms;
            assign target_b_ready[c]                     = &b_rooms;
            for (f = 0; f < FE_COUNT; f = f + 1) begin : g_master
                assign source_ar_valid[c*FE_COUNT + f] = route_to_ar_valid[f*FE_COUNT + c];
                assign source_aw_valid[c*FE_COUNT + f] = route_to_aw_valid[f*FE_COUNT + c];
                assign source_w_valid[c*FE_COUNT + f]  = route_to_w_valid[f*FE_COUNT + c];
                assign target_ar_ready[f*FE_COUNT + c] = channel_ar_ready[c*FE_COUNT + f];
                assign target_aw_ready[f*FE_COUNT + c] = channel_aw_ready[c*FE_COUNT + f];
                assign target_w_ready[f*FE_COUNT + c]  = channel_w_ready[c*FE_COUNT + f];
                assign r_rooms[f]                      = route_r_room[f*FE_COUNT + c];
                assign b_rooms[f]                      = route_b_room[f*FE_COUNT + c];
            end
        end
    endgenerate
endmodule

`default_nettype wire
