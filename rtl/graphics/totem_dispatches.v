// SPDX-License-Identifier: Apache-2.0
//
// totem_dispatches: which context sets the dispatches of a graphics queue use.
//
// Policy    one use of a set for all dispatches on it: taken when the first one starts, given back when none is under
//           way on it and no wave granted on it is in flight. Ends of draws go first.
// Latency   a use is shown to context one clock behind the start, an end of a draw one clock behind it; the end of a
//           use two clocks behind its last wave.
// Boundary  all outputs are registers, but idle.
// Mask      dispatch_set counts from the first start on, end_set while end_valid.
// Cost      11 flip-flops for each set and its comparators.
// Proved    uses (1), waves in flight (2), giving back (3), ends of draws (4), fault (5).
// Twin      cmodel/graphics/totem_dispatches.c, same names.

`default_nettype none

module totem_dispatches #(
    parameter SE_COUNT = 4,                         // 1 to 4
    parameter SETS     = 8,                         // a power of two, 2 to 16
    parameter SET_BITS = $clog2(SETS)               // follows
) (
    input  wire                         clk,
    input  wire                         rst,
    // packet processor, walker, dispatch controller
    input  wire                         packet_start,
    input  wire                         walker_busy,
    output wire [SET_BITS-1:0]          dispatch_set,
    // context, render, draws
    input  wire [SET_BITS-1:0]          context_current,
    input  wire                         context_draw_ready,
    input  wire                         render_draw_valid,
    output wire                         use_valid,
    input  wire                         draws_end_valid,
    input  wire [SET_BITS-1:0]          draws_end_set,
    output wire                         end_valid,
    output wire [SET_BITS-1:0]          end_set,
    // engines
    input  wire [SE_COUNT-1:0]          grant_valid,
    input  wire [SE_COUNT*7-1:0]        grant_waves,
    input  wire [SE_COUNT*SET_BITS-1:0] grant_set,
    input  wire [SE_COUNT-1:0]          complete_valid,
    input  wire [SE_COUNT*SET_BITS-1:0] complete_set,
    // rest, self-check
    output wire                         idle,
    output wire                         fault
);
    generate
        if (SE_COUNT < 1 || SE_COUNT > 4 || SETS < 2 || SETS > 16 || SETS != (1 << SET_BITS)) begin : check
            totem_dispatches_needs_SE_COUNT_1_to_4_and_SETS_a_power_of_two_from_2_to_16 refuse ();
        end
    endgenerate

    reg                open_q, open_d;
    reg [SET_BITS-1:0] dispatch_set_q, dispatch_set_d;
    reg                use_valid_q, use_valid_d;
    reg [SETS-1:0]     held_q, held_d;
    reg [SETS*10-1:0]  flight_q, flight_d;
    reg                end_valid_q, end_valid_d;
    reg [SET_BITS-1:0] end_set_q, end_set_d;
    reg                fault_q, fault_d;

    initial begin
        open_q = 0; dispatch_set_q = 0; use_valid_q = 0; held_q = 0; flight_q = 0; end_valid_q = 0; end_set_q = 0;
        fault_q = 0;
    end

    assign dispatch_set = dispatch_set_q;
    assign use_valid    = use_valid_q;
    assign end_valid    = end_valid_q;
    assign end_set      = end_set_q;
    assign idle         = !open_q && held_q == {SETS{1'b0}} && !end_valid_q;
    assign fault        = fault_q;

    wire [SETS-1:0] over;           // nothing uses the set any more
    wire [SETS-1:0] lowest = over & (~over + {{SETS-1{1'b0}}, 1'b1});
    wire            give   = over != {SETS{1'b0}} && !packet_start && !draws_end_valid;
    genvar          g;
    integer         s, e;

    generate
        for (g = 0; g < SETS; g = g + 1) begin : g_set
            assign over[g] = held_q[g] && flight_q[g*10 +: 10] == 10'd0 && !(open_q && dispatch_set_q == g);
        end
    endgenerate

    reg [8:0] granted;
    reg [2:0] ended;

    always @* begin
        // 2 Dispatch
        open_d         = packet_start || (open_q && walker_busy);
        dispatch_set_d = packet_start ? context_current : dispatch_set_q;
        held_d         = held_q;
        flight_d       = flight_q;
        // 1 Draws
        use_valid_d    = 1'b0;
        end_valid_d    = draws_end_valid || give;
        end_set_d      = draws_end_valid ? draws_end_set : end_set_q;
        // 5 Fault
        fault_d        = fault_q || (use_valid_q && (render_draw_valid || !context_draw_ready ||
                                                     context_current != dispatch_set_q));
        granted        = 9'd0;
        ended          = 3'd0;

        for (s = 0; s < SETS; s = s + 1) begin
            // 3 Give back
            if (give && lowest[s]) begin
                held_d[s] = 1'b0;
                end_set_d = s[SET_BITS-1:0];
            end
            // 2 Dispatch, continued
            if (packet_start && context_current == s[SET_BITS-1:0]) begin
                use_valid_d = !held_q[s];
                held_d[s]   = 1'b1;
            end

            // 4 Waves
            granted = 9'd0;
            ended   = 3'd0;
            for (e = 0; e < SE_COUNT; e = e + 1) begin
                if (grant_valid[e] && grant_set[e*SET_BITS +: SET_BITS] == s[SET_BITS-1:0]) begin
                    granted = granted + {2'd0, grant_waves[e*7 +: 7]};
                    if (!open_q || dispatch_set_q != s[SET_BITS-1:0])
                        fault_d = 1'b1;
                end
                ended = ended + {2'd0, complete_valid[e] && complete_set[e*SET_BITS +: SET_BITS] == s[SET_BITS-1:0]};
            end
            if (flight_q[s*10 +: 10] < {7'd0, ended}) begin
                flight_d[s*10 +: 10] = {1'b0, granted};
                fault_d              = 1'b1;
            end else
                flight_d[s*10 +: 10] = flight_q[s*10 +: 10] - {7'd0, ended} + {1'b0, granted};
        end
    end

    always @(posedge clk) begin
        open_q         <= open_d;
        dispatch_set_q <= dispatch_set_d;
        use_valid_q    <= use_valid_d;
        held_q         <= held_d;
        flight_q       <= flight_d;
        end_valid_q    <= end_valid_d;
        end_set_q      <= end_set_d;
        fault_q        <= fault_d;
        if (rst) begin
            open_q      <= 1'b0;
            use_valid_q <= 1'b0;
            held_q      <= {SETS{1'b0}};
            flight_q    <= {SETS*10{1'b0}};
            end_valid_q <= 1'b0;
            fault_q     <= 1'b0;
        end
    end

`ifdef FORMAL
`include "totem_dispatches_properties.vh"
`endif
endmodule

`default_nettype wire
