// SPDX-License-Identifier: Apache-2.0
//
// totem_lists: linked lists over one RAM of links, and the free entries.
//
// Policy    push at either end, pop, look at or replace the first; the entry freed last is taken first. One request at
//           a time. Free entries are those from mark on, never taken, and a list through the same links from top.
// Latency   LISTS_TAKE and LISTS_FREE are answered in the next clock, the others in the third. The next request is
//           accepted 1, 3 or, where the link of a head is read, 5 clocks later; docs/contract/lists.md has the table.
// Boundary  links and ends (head and tail of every list) lie in two RAMs beside the block, read and written in
//           different phases: MEETS 0 for both. Outputs are functions of state only.
// Mask      the answer counts only while answer_valid, the RAMs' addresses and data while their enable.
// Cost      LISTS + 6*log2(ENTRIES) + log2(LISTS) + 11 flip-flops, and the RAMs.
// Proved    1 conserved, 2 order, 3 filled, 4 refused, 5 apart, 6 clocks.
// Twin      cmodel/lib/totem_lists.c, same names.

`default_nettype none

module totem_lists #(
    parameter ENTRIES = 64,     // a power of two, 2 to 4096: a word of the RAM of links each
    parameter LISTS   = 64      // a power of two, 2 to 64: a flip-flop and a word of the RAM of ends each
) (
    input  wire                         clk,
    input  wire                         rst,
    // owner
    input  wire                         request_valid,
    output wire                         request_ready,
    input  wire [2:0]                   request_op,
    input  wire [$clog2(LISTS)-1:0]     request_list,
    input  wire [$clog2(ENTRIES)-1:0]   request_entry,
    output wire                         answer_valid,
    output wire                         answer_refused,
    output wire [$clog2(ENTRIES)-1:0]   answer_entry,
    output wire [LISTS-1:0]             filled,
    output wire [$clog2(ENTRIES+1)-1:0] room,
    // RAM of links
    output wire                         link_write_enable,
    output wire [$clog2(ENTRIES)-1:0]   link_write_addr,
    output wire [$clog2(ENTRIES)-1:0]   link_write_data,
    output wire                         link_read_enable,
    output wire [$clog2(ENTRIES)-1:0]   link_read_addr,
    input  wire [$clog2(ENTRIES)-1:0]   link_read_data,
    // RAM of ends
    output wire                         ends_write_enable,
    output wire [$clog2(LISTS)-1:0]     ends_write_addr,
    output wire [2*$clog2(ENTRIES)-1:0] ends_write_data,
    output wire                         ends_read_enable,
    output wire [$clog2(LISTS)-1:0]     ends_read_addr,
    input  wire [2*$clog2(ENTRIES)-1:0] ends_read_data
);
`include "totem_lists_values.vh"

    localparam A = $clog2(ENTRIES);
    localparam L = $clog2(LISTS);
    localparam C = A + 1;

    generate
        if (ENTRIES < 2 || ENTRIES > 4096 || ENTRIES != (1 << A) || LISTS < 2 || LISTS > 64 || LISTS != (1 << L))
        begin : check
            totem_lists_needs_ENTRIES_2_to_4096_and_LISTS_2_to_64_both_powers_of_two refused ();
        end
    endgenerate

    localparam [C-1:0] ALL = {1'b1, {A{1'b0}}};

    reg [2:0]       phase_q, phase_d;
    reg [2:0]       op_q, op_d;
    reg [L-1:0]     list_q, list_d;
    reg [A-1:0]     entry_q, entry_d;
    reg [A-1:0]     head_q, head_d;
    reg [A-1:0]     tail_q, tail_d;
    reg             sole_q, sole_d;
    reg [LISTS-1:0] filled_q, filled_d;
    reg [A-1:0]     top_q, top_d;
    reg [C-1:0]     returned_q, returned_d;
    reg [C-1:0]     mark_q, mark_d;
    reg             answer_valid_q, answer_valid_d;
    reg             answer_refused_q, answer_refused_d;
    reg [A-1:0]     answer_entry_q, answer_entry_d;

    // Registers that reset leaves alone read 0 at start, as in the model.
    initial begin
        phase_q = 0; op_q = 0; list_q = 0; entry_q = 0; head_q = 0; tail_q = 0; sole_q = 0; filled_q = 0;
        top_q = 0; returned_q = 0; mark_q = 0; answer_valid_q = 0; answer_refused_q = 0; answer_entry_q = 0;
    end

    wire writes  = phase_q == LISTS_WRITE;
    wire append  = op_q == LISTS_PUSH_TAIL;
    wire pushes  = append || op_q == LISTS_PUSH_HEAD;
    wire present = filled_q[list_q];
    wire accept  = request_valid && request_ready;

    wire [A-1:0] first = ends_read_data[A-1:0];
    wire [A-1:0] last  = ends_read_data[2*A-1:A];

    assign request_ready  = phase_q == LISTS_REST || phase_q == LISTS_RETURN || writes;
    assign answer_valid   = answer_valid_q;
    assign answer_refused = answer_refused_q;
    assign answer_entry   = answer_entry_q;
    assign filled         = filled_q;
    assign room           = returned_q + ALL - mark_q;

    assign ends_read_enable = phase_q == LISTS_READ;
    assign ends_read_addr   = list_q;
    assign link_read_enable = phase_q == LISTS_FOLLOW;
    assign link_read_addr   = head_q;

    assign link_write_enable = phase_q == LISTS_RETURN ||
                               (writes && ((pushes && present) || (op_q == LISTS_REPLACE && !sole_q)));
    assign link_write_addr   = writes && append ? tail_q : entry_q;
    assign link_write_data   = writes && append ? entry_q : head_q;

    wire head_new = op_q == LISTS_PUSH_HEAD || op_q == LISTS_REPLACE || (append && !present);
    wire tail_new = append || (op_q == LISTS_PUSH_HEAD && !present) || (op_q == LISTS_REPLACE && sole_q);

    assign ends_write_enable = writes && !(op_q == LISTS_POP && sole_q);
    assign ends_write_addr   = list_q;
    assign ends_write_data   = {tail_new ? entry_q : tail_q, head_new ? entry_q : head_q};

    always @* begin
        phase_d          = phase_q;
        op_d             = op_q;
        list_d           = list_q;
        entry_d          = entry_q;
        head_d           = head_q;
        tail_d           = tail_q;
        sole_d           = sole_q;
        filled_d         = filled_q;
        top_d            = top_q;
        returned_d       = returned_q;
        mark_d           = mark_q;
        answer_refused_d = answer_refused_q;
        answer_entry_d   = answer_entry_q;

        // 1 Answer
        answer_valid_d = 1'b0;

        case (phase_q)
            // 2 Return
            LISTS_RETURN: phase_d = LISTS_REST;
            // 3 Read
            LISTS_READ: phase_d = LISTS_LOOK;
            // 4 Look
            LISTS_LOOK: begin
                head_d           = first;
                tail_d           = last;
                sole_d           = first == last;
                answer_valid_d   = 1'b1;
                answer_refused_d = !pushes && !present;
                answer_entry_d   = pushes ? entry_q : first;
                if (pushes)
                    phase_d = LISTS_WRITE;
                else if (!present || (op_q != LISTS_POP && op_q != LISTS_REPLACE))
                    phase_d = LISTS_REST;
                else
                    phase_d = first == last ? LISTS_WRITE : LISTS_FOLLOW;
            end
            // 5 Follow
            LISTS_FOLLOW: phase_d = LISTS_NEXT;
            // 6 Next
            LISTS_NEXT:
                if (op_q == LISTS_TAKE) begin
                    top_d   = link_read_data;
                    phase_d = LISTS_REST;
                end else begin
                    head_d  = link_read_data;
                    phase_d = LISTS_WRITE;
                end
            // 7 Write
            LISTS_WRITE: begin
                phase_d = LISTS_REST;
                if (pushes)
                    filled_d[list_q] = 1'b1;
                else if (op_q == LISTS_POP && sole_q)
                    filled_d[list_q] = 1'b0;
            end
            default: ;
        endcase

        // 8 Accept
        if (accept) begin
            op_d    = request_op;
            list_d  = request_list;
            entry_d = request_entry;
            phase_d = request_op < LISTS_TAKE ? LISTS_READ : LISTS_REST;
            // 9 Free entries
            if (request_op >= LISTS_TAKE) begin
                answer_valid_d   = 1'b1;
                answer_refused_d = 1'b1;
                answer_entry_d   = request_entry;
            end
            if (request_op == LISTS_TAKE && returned_q != {C{1'b0}}) begin
                answer_refused_d = 1'b0;
                answer_entry_d   = top_q;
                head_d           = top_q;
                returned_d       = returned_q - {{C-1{1'b0}}, 1'b1};
                phase_d          = LISTS_FOLLOW;
            end else if (request_op == LISTS_TAKE && mark_q != ALL) begin
                answer_refused_d = 1'b0;
                answer_entry_d   = mark_q[A-1:0];
                mark_d           = mark_q + {{C-1{1'b0}}, 1'b1};
            end
            if (request_op == LISTS_FREE && returned_q != mark_q) begin
                answer_refused_d = 1'b0;
                head_d           = top_q;
                top_d            = request_entry;
                returned_d       = returned_q + {{C-1{1'b0}}, 1'b1};
                phase_d          = LISTS_RETURN;
            end
        end
    end

    always @(posedge clk) begin
        phase_q          <= phase_d;
        op_q             <= op_d;
        list_q           <= list_d;
        entry_q          <= entry_d;
        head_q           <= head_d;
        tail_q           <= tail_d;
        sole_q           <= sole_d;
        filled_q         <= filled_d;
        top_q            <= top_d;
        returned_q       <= returned_d;
        mark_q           <= mark_d;
        answer_valid_q   <= answer_valid_d;
        answer_refused_q <= answer_refused_d;
        answer_entry_q   <= answer_entry_d;
        if (rst) begin
            phase_q        <= LISTS_REST;
            filled_q       <= {LISTS{1'b0}};
            returned_q     <= {C{1'b0}};
            mark_q         <= {C{1'b0}};
            answer_valid_q <= 1'b0;
        end
    end

    // formal: maxsteps=4 params=ENTRIES=2,LISTS=2
    // formal: maxsteps=4 params=ENTRIES=4,LISTS=2
    // formal: maxsteps=4 params=ENTRIES=4,LISTS=4 covers=0 configs=full
    // formal: maxsteps=4 params=ENTRIES=8,LISTS=2 covers=0 configs=full timeout=3600
`ifdef FORMAL
`include "totem_lists_properties.vh"
`endif
endmodule

`default_nettype wire
