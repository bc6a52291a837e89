// SPDX-License-Identifier: Apache-2.0
//
// totem_crossbar: the crossbar between hubs and scan converters of a path.
//
// Policy    FIFO n of the hub of assembler e stands before converter n.
// Latency   combinational.
// Boundary  names only: element e x SE_COUNT + n on the side of the hubs is n x SE_COUNT + e on that of the converters.
// Cost      wires.
// Twin      cmodel/throttle/totem_crossbar.c, same names.

`default_nettype none

module totem_crossbar #(
    parameter SE_COUNT = 4      // 1 to 4
) (
    // hubs
    input  wire [SE_COUNT*SE_COUNT-1:0]    hub_pop_valid,
    input  wire [SE_COUNT*SE_COUNT*32-1:0] hub_pop_data,
    output wire [SE_COUNT*SE_COUNT-1:0]    ready,
    // scan converters
    output wire [SE_COUNT*SE_COUNT-1:0]    valid,
    output wire [SE_COUNT*SE_COUNT*32-1:0] data,
    input  wire [SE_COUNT*SE_COUNT-1:0]    scan_hub_ready
);
    genvar e, n;
    generate
        for (e = 0; e < SE_COUNT; e = e + 1) begin : g_assembler
            for (n = 0; n < SE_COUNT; n = n + 1) begin : g_converter
                assign valid[n*SE_COUNT + e]              = hub_pop_valid[e*SE_COUNT + n];
                assign data[(n*SE_COUNT + e)*32 +: 32]    = hub_pop_data[(e*SE_COUNT + n)*32 +: 32];
                assign ready[e*SE_COUNT + n]              = scan_hub_ready[n*SE_COUNT + e];
            end
        end
    endgenerate
endmodule

`default_nettype wire
