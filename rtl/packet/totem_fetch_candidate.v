// SPDX-License-Identifier: Apache-2.0
//
// totem_fetch_candidate: part of totem_fetch: rule 6, the queue that gets the next burst.
//
// Policy    the running queue, but not twice in succession while another queue wants a burst; of the others the highest
//           priority, found bit by bit, and among equals the first behind the one served last.
// Boundary  pure function.
// Twin      choose() in cmodel/packet/totem_fetch.c.

`default_nettype none

module totem_fetch_candidate #(
    parameter QUEUES = 8                    // 2, 4 or 8
) (
    input  wire [QUEUES-1:0]         wants,
    input  wire [QUEUES*4-1:0]       queue_priority,
    input  wire                      running,
    input  wire [$clog2(QUEUES)-1:0] own_queue,
    input  wire                      turn,          // the last burst was for the running queue
    input  wire [$clog2(QUEUES)-1:0] served,        // the last burst of another queue was for this one
    output wire                      pick_valid,
    output wire [$clog2(QUEUES)-1:0] pick
);
    localparam Q = $clog2(QUEUES);

    reg [QUEUES-1:0] others, level, behind;
    reg [Q-1:0]      others_pick;
    integer          b, i;

    // 6 Candidate
    always @* begin
        others = wants;
        if (running)
            others[own_queue] = 1'b0;
        level  = others;
        behind = {QUEUES{1'b0}};
        for (b = 3; b >= 0; b = b - 1) begin
            for (i = 0; i < QUEUES; i = i + 1)
                behind[i] = level[i] && queue_priority[i*4 + b];
            if (|behind)
                level = behind;
        end
        behind = level & ~(({{(QUEUES-1){1'b0}}, 1'b1} << served << 1) - {{(QUEUES-1){1'b0}}, 1'b1});
        if (behind == {QUEUES{1'b0}})
            behind = level;
        others_pick = {Q{1'b0}};
        for (i = QUEUES - 1; i >= 0; i = i - 1)
            if (behind[i])
                others_pick = i[Q-1:0];
    end

    wire own = running && wants[own_queue] && !(turn && |others);
    assign pick_valid = own || |others;
    assign pick       = own ? own_queue : others_pick;
endmodule

`default_nettype wire
