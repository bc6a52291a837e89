// SPDX-License-Identifier: Apache-2.0
//
// totem_roster: doubly linked lists of entries of the run list, one for each tenant and priority.
//
// Policy    push at either end, remove from any place, look at the first. One request at a time. The links outwards of
//           the first and last entry of a list do not count, so an end that moves writes no link.
// Latency   every request is answered in the third clock; the next is accepted 3 or, where two links are written, 6
//           clocks later, whatever the length of the list; docs/contract/roster.md has the table.
// Boundary  links and ends (first and last entry of every list) lie in two RAMs beside the block, read and written in
//           different phases: MEETS 0 for both. Outputs are functions of state only.
// Mask      the answer counts only while answer_valid, the RAMs' addresses and data while their enable.
// Cost      RUN_LISTS + 7*log2(RUN_QUEUES) + log2(RUN_LISTS) + 9 flip-flops, and the RAMs.
// Proved    1 order, 2 chain, 3 filled, 4 refused, 5 answer, 6 apart, 7 clocks.
// Twin      cmodel/schedule/totem_roster.c, same names.

`default_nettype none

module totem_roster #(
    parameter RUN_QUEUES = 1024,    // a power of two, 2 to 1024: a word of the RAM of links each
    parameter RUN_LISTS  = 64       // a power of two, 2 to 64: a flip-flop and a word of the RAM of ends each
) (
    input  wire                            clk,
    input  wire                            rst,
    // owner
    input  wire                            request_valid,
    output wire                            request_ready,
    input  wire [1:0]                      request_op,
    input  wire [$clog2(RUN_LISTS)-1:0]    request_list,
    input  wire [$clog2(RUN_QUEUES)-1:0]   request_entry,
    output wire                            answer_valid,
    output wire                            answer_refused,
    output wire [$clog2(RUN_QUEUES)-1:0]   answer_entry,
    output wire [RUN_LISTS-1:0]            filled,
    output wire [$clog2(RUN_QUEUES+1)-1:0] waiting,
    // RAM of links
    output wire                            link_write_enable,
    output wire [$clog2(RUN_QUEUES)-1:0]   link_write_addr,
    output wire [2*$clog2(RUN_QUEUES)-1:0] link_write_data,
    output wire                            link_read_enable,
    output wire [$clog2(RUN_QUEUES)-1:0]   link_read_addr,
    input  wire [2*$clog2(RUN_QUEUES)-1:0] link_read_data,
    // RAM of ends
    output wire                            ends_write_enable,
    output wire [$clog2(RUN_LISTS)-1:0]    ends_write_addr,
    output wire [2*$clog2(RUN_QUEUES)-1:0] ends_write_data,
    output wire                            ends_read_enable,
    output wire [$clog2(RUN_LISTS)-1:0]    ends_read_addr,
    input  wire [2*$clog2(RUN_QUEUES)-1:0] ends_read_data
);
`include "totem_roster_values.vh"

    localparam A = $clog2(RUN_QUEUES);
    localparam L = $clog2(RUN_LISTS);
    localparam C = A + 1;

    generate
        if (RUN_QUEUES < 2 || RUN_QUEUES > 1024 || RUN_QUEUES != (1 << A) ||
            RUN_LISTS < 2 || RUN_LISTS > 64 || RUN_LISTS != (1 << L))
        begin : check
            totem_roster_needs_RUN_QUEUES_2_to_1024_and_RUN_LISTS_2_to_64_both_powers_of_two refused ();
        end
    endgenerate

    reg [2:0]           phase_q, phase_d;
    reg [1:0]           op_q, op_d;
    reg [L-1:0]         list_q, list_d;
    reg [A-1:0]         entry_q, entry_d;
    reg [A-1:0]         ahead_q, ahead_d;
    reg [A-1:0]         behind_q, behind_d;
    reg [A-1:0]         ahead_previous_q, ahead_previous_d;
    reg [A-1:0]         behind_next_q, behind_next_d;
    reg                 linked_q, linked_d;
    reg [RUN_LISTS-1:0] filled_q, filled_d;
    reg [C-1:0]         waiting_q, waiting_d;
    reg                 answer_valid_q, answer_valid_d;
    reg                 answer_refused_q, answer_refused_d;
    reg [A-1:0]         answer_entry_q, answer_entry_d;

    // Registers that reset leaves alone read 0 at start, as in the model.
    initial begin
        phase_q = 0; op_q = 0; list_q = 0; entry_q = 0; ahead_q = 0; behind_q = 0; ahead_previous_q = 0;
        behind_next_q = 0; linked_q = 0; filled_q = 0; waiting_q = 0; answer_valid_q = 0; answer_refused_q = 0;
        answer_entry_q = 0;
    end

    wire removes = op_q == ROSTER_REMOVE;
    wire asks    = op_q == ROSTER_FIRST;
    wire pushes  = !op_q[1];
    wire present = filled_q[list_q];
    wire accept  = request_valid && request_ready;

    wire [A-1:0] first = ends_read_data[A-1:0];
    wire [A-1:0] last  = ends_read_data[2*A-1:A];
    wire at_first = entry_q == first;
    wire at_last  = entry_q == last;
    wire joins    = removes ? !at_first && !at_last : present;

    assign request_ready  = phase_q == ROSTER_REST || phase_q == ROSTER_WRITE;
    assign answer_valid   = answer_valid_q;
    assign answer_refused = answer_refused_q;
    assign answer_entry   = answer_entry_q;
    assign filled         = filled_q;
    assign waiting        = waiting_q;

    assign ends_read_enable = phase_q == ROSTER_READ;
    assign ends_read_addr   = list_q;
    assign link_read_enable = phase_q == ROSTER_READ || phase_q == ROSTER_AHEAD || phase_q == ROSTER_BEHIND;
    assign link_read_addr   = phase_q == ROSTER_AHEAD ? ahead_q : phase_q == ROSTER_BEHIND ? behind_q : entry_q;

    assign link_write_enable = phase_q == ROSTER_LINK || (phase_q == ROSTER_WRITE && linked_q);
    assign ends_write_enable = phase_q == ROSTER_WRITE && !(removes && linked_q);
    assign ends_write_addr   = list_q;

    // The link of the entry itself, or that of a neighbour.
    wire links = phase_q == ROSTER_LINK;
    wire own   = op_q == ROSTER_PUSH_FIRST ? links : op_q == ROSTER_PUSH && !links;
    wire [2*A-1:0] of_ahead  = {ahead_previous_q, pushes ? entry_q : behind_q};
    wire [2*A-1:0] of_behind = {pushes ? entry_q : ahead_q, behind_next_q};

    assign link_write_addr = own ? entry_q : links ? ahead_q : behind_q;
    assign link_write_data = own ? {ahead_q, behind_q} : links ? of_ahead : of_behind;
    assign ends_write_data = {op_q == ROSTER_PUSH || (pushes && !linked_q) ? entry_q : ahead_q,
                              op_q == ROSTER_PUSH_FIRST || (pushes && !linked_q) ? entry_q : behind_q};

    always @* begin
        phase_d          = phase_q;
        op_d             = op_q;
        list_d           = list_q;
        entry_d          = entry_q;
        ahead_d          = ahead_q;
        behind_d         = behind_q;
        ahead_previous_d = ahead_previous_q;
        behind_next_d    = behind_next_q;
        linked_d         = linked_q;
        filled_d         = filled_q;
        waiting_d        = waiting_q;
        answer_refused_d = answer_refused_q;
        answer_entry_d   = answer_entry_q;

        // 1 Answer
        answer_valid_d = 1'b0;

        case (phase_q)
            // 2 Read
            ROSTER_READ: phase_d = ROSTER_LOOK;
            // 3 Look
            ROSTER_LOOK: begin
                answer_valid_d   = 1'b1;
                answer_refused_d = asks && !present;
                answer_entry_d   = asks ? first : entry_q;
                linked_d         = joins;
                phase_d          = asks ? ROSTER_REST : joins ? ROSTER_AHEAD : ROSTER_WRITE;
                // 4 Neighbours
                ahead_d          = removes && !at_first ? link_read_data[2*A-1:A] : last;
                behind_d         = removes && !at_last ? link_read_data[A-1:0] : first;
                // 5 Count
                if (pushes) begin
                    filled_d[list_q] = 1'b1;
                    waiting_d        = waiting_q + {{C-1{1'b0}}, 1'b1};
                end else if (removes) begin
                    waiting_d = waiting_q - {{C-1{1'b0}}, 1'b1};
                    if (at_first && at_last) filled_d[list_q] = 1'b0;
                end
            end
            // 6 Links
            ROSTER_AHEAD: phase_d = ROSTER_BEHIND;
            ROSTER_BEHIND: begin
                ahead_previous_d = link_read_data[2*A-1:A];
                phase_d          = ROSTER_LINK;
            end
            ROSTER_LINK: begin
                behind_next_d = link_read_data[A-1:0];
                phase_d       = ROSTER_WRITE;
            end
            ROSTER_WRITE: phase_d = ROSTER_REST;
            default: ;
        endcase

        // 7 Accept
        if (accept) begin
            op_d    = request_op;
            list_d  = request_list;
            entry_d = request_entry;
            phase_d = ROSTER_READ;
        end
    end

    always @(posedge clk) begin
        phase_q          <= phase_d;
        op_q             <= op_d;
        list_q           <= list_d;
        entry_q          <= entry_d;
        ahead_q          <= ahead_d;
        behind_q         <= behind_d;
        ahead_previous_q <= ahead_previous_d;
        behind_next_q    <= behind_next_d;
        linked_q         <= linked_d;
        filled_q         <= filled_d;
        waiting_q        <= waiting_d;
        answer_valid_q   <= answer_valid_d;
        answer_refused_q <= answer_refused_d;
        answer_entry_q   <= answer_entry_d;
        if (rst) begin
            phase_q        <= ROSTER_REST;
            filled_q       <= {RUN_LISTS{1'b0}};
            waiting_q      <= {C{1'b0}};
            answer_valid_q <= 1'b0;
        end
    end

    // formal: maxsteps=4 params=RUN_QUEUES=2,RUN_LISTS=2 covers=0
    // formal: maxsteps=4 params=RUN_QUEUES=4,RUN_LISTS=2
    // formal: maxsteps=4 params=RUN_QUEUES=4,RUN_LISTS=4 covers=0 configs=full
    // formal: maxsteps=4 params=RUN_QUEUES=8,RUN_LISTS=2 covers=0 configs=full timeout=3600
`ifdef FORMAL
`include "totem_roster_properties.vh"
`endif
endmodule

`default_nettype wire
