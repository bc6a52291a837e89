// SPDX-License-Identifier: Apache-2.0
//
// totem_rv32_groups: gives a free core the next wave and its group's region of LDS, and holds waves at their barrier.
//
// Policy    the lowest free core. The first wave of a group that starts gets a region that no running wave has; those
//           behind it get the same. CORES regions are enough, because waves start in order: when a group begins, all
//           waves of the groups before it have started or are gone, and at most CORES - 1 of them run.
// Barrier   a wave passes when all running waves of its group are at the barrier and no wave of the group has yet to
//           start. No wave waits for one that has ended by an error or a kill.

`default_nettype none

module totem_rv32_groups #(
    parameter CORES  = 4,
    parameter R      = CORES > 1 ? $clog2(CORES) : 1    // follows, not to be set
) (
    input  wire               clk,
    input  wire               rst,
    // queue
    input  wire               head_valid,
    input  wire               head_first,
    input  wire               closed,
    output wire               head_take,
    // cores
    input  wire [CORES-1:0]   busy,
    input  wire [CORES-1:0]   arrived,
    output wire [CORES-1:0]   start,
    output wire [CORES*R-1:0] region,
    output wire [CORES-1:0]   pass
);
    reg [CORES*R-1:0] region_q, region_d;
    reg [R-1:0]       current_q, current_d;     // of the group that began last
    reg [R-1:0]       free;
    reg [CORES-1:0]   used, waits, chosen;
    integer           n, m;

    assign head_take = head_valid && !(&busy);
    assign start     = head_take ? chosen : {CORES{1'b0}};
    assign region    = region_q;
    assign pass      = arrived & ~waits;

    always @* begin
        used   = {CORES{1'b0}};
        free   = {R{1'b0}};
        waits  = {CORES{1'b0}};
        chosen = ~busy & (busy + 1'b1);
        for (n = 0; n < CORES; n = n + 1)
            for (m = 0; m < CORES; m = m + 1) begin
                if (busy[n] && region_q[n*R +: R] == m[R-1:0])
                    used[m] = 1'b1;
                if (busy[m] && !arrived[m] && region_q[m*R +: R] == region_q[n*R +: R])
                    waits[n] = 1'b1;
            end
        for (n = 0; n < CORES; n = n + 1)
            if (region_q[n*R +: R] == current_q && !closed)
                waits[n] = 1'b1;
        for (n = CORES - 1; n >= 0; n = n - 1)
            if (!used[n])
                free = n[R-1:0];
        current_d = head_take && head_first ? free : current_q;
        region_d  = region_q;
        for (n = 0; n < CORES; n = n + 1)
            if (start[n])
                region_d[n*R +: R] = current_d;
    end

    always @(posedge clk) begin
        region_q  <= region_d;
        current_q <= current_d;
        if (rst)
            current_q <= {R{1'b0}};
    end
endmodule

`default_nettype wire
