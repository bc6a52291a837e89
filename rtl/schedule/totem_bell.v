// SPDX-License-Identifier: Apache-2.0
//
// totem_bell: doorbells of the entries of the run list, and an event of each entry that becomes pending.
//
// Policy    one job at a time reads a word and writes it back: an access of the host, an order of the owner, or an
//           entry of the queue whose event is shown next; in turn. An entry stands in the queue once at most: its word
//           says so.
// Latency   3 clocks to host_done and order_done, 5 to an event, 13 at most of each while the others have jobs too. The
//           sweep after reset takes RUN_QUEUES clocks.
// Boundary  words and queue lie in two RAMs beside the block, read and written in different phases: MEETS 0 for both.
//           Outputs are functions of state only. Host and owner hold what they ask for until it is done.
// Mask      answers count only while their done, the RAMs' addresses and data while their enable.
// Cost      4*log2(RUN_QUEUES) + 46 flip-flops, and the RAMs.
// Proved    1 kept, 2 announced, 3 once, 4 refused, 5 unknown, 6 apart, 7 clocks, 8 shown.
// Twin      cmodel/schedule/totem_bell.c, same names.

`default_nettype none

`include "totem_pm4.vh"

module totem_bell #(
    parameter RUN_QUEUES = 1024     // a power of two, 2 to 1024: a word of both RAMs each
) (
    input  wire                          clk,
    input  wire                          rst,
    // host
    input  wire                          host_bell_valid,
    input  wire                          host_request_write,
    input  wire [$clog2(RUN_QUEUES)-1:0] host_request_entry,
    input  wire [3:0]                    host_request_strobe,
    input  wire [31:0]                   host_request_data,
    output wire                          host_done,
    output wire [4:0]                    host_error,
    output wire [31:0]                   host_rdata,
    // owner
    input  wire                          order_valid,
    input  wire [1:0]                    order_op,
    input  wire [$clog2(RUN_QUEUES)-1:0] order_entry,
    input  wire [31:0]                   order_data,
    output wire                          order_done,
    output wire                          order_known,
    output wire                          order_pending,
    output wire [31:0]                   order_wptr,
    output wire                          event_valid,
    output wire [$clog2(RUN_QUEUES)-1:0] event_entry,
    input  wire                          event_take,
    // RAM of words
    output wire                          word_write_enable,
    output wire [$clog2(RUN_QUEUES)-1:0] word_write_addr,
    output wire [34:0]                   word_write_data,
    output wire                          word_read_enable,
    output wire [$clog2(RUN_QUEUES)-1:0] word_read_addr,
    input  wire [34:0]                   word_read_data,
    // RAM of the queue
    output wire                          queue_write_enable,
    output wire [$clog2(RUN_QUEUES)-1:0] queue_write_addr,
    output wire [$clog2(RUN_QUEUES)-1:0] queue_write_data,
    output wire                          queue_read_enable,
    output wire [$clog2(RUN_QUEUES)-1:0] queue_read_addr,
    input  wire [$clog2(RUN_QUEUES)-1:0] queue_read_data
);
`include "totem_bell_values.vh"

    localparam A = $clog2(RUN_QUEUES);
    localparam [7:0] DOORBELL_UNMAPPED = `TOTEM_ERROR_HOST_DOORBELL_UNMAPPED;

    generate
        if (RUN_QUEUES < 2 || RUN_QUEUES > 1024 || RUN_QUEUES != (1 << A)) begin : check
            totem_bell_needs_RUN_QUEUES_2_to_1024_a_power_of_two refused ();
        end
    endgenerate

    reg [2:0]   phase_q, phase_d;
    reg [1:0]   source_q, source_d;
    reg [A-1:0] entry_q, entry_d;
    reg         known_q, known_d;
    reg         pending_q, pending_d;
    reg         queued_q, queued_d;
    reg [31:0]  wptr_q, wptr_d;
    reg         rung_q, rung_d;
    reg         refused_q, refused_d;
    reg         announces_q, announces_d;
    reg [A:0]   head_q, head_d;
    reg [A:0]   tail_q, tail_d;
    reg         event_valid_q, event_valid_d;
    reg [A-1:0] event_entry_q, event_entry_d;

    // Registers that reset leaves alone read 0 at start, as in the model.
    initial begin
        phase_q = 0; source_q = 0; entry_q = 0; known_q = 0; pending_q = 0; queued_q = 0; wptr_q = 0; rung_q = 0;
        refused_q = 0; announces_q = 0; head_q = 0; tail_q = 0; event_valid_q = 0; event_entry_q = 0;
    end

    wire due = head_q != tail_q && !event_valid_q;
    wire any = host_bell_valid || order_valid || due;
    wire [1:0] host_first  = host_bell_valid ? BELL_HOST : order_valid ? BELL_ORDER : BELL_EVENT;
    wire [1:0] order_first = order_valid ? BELL_ORDER : due ? BELL_EVENT : BELL_HOST;
    wire [1:0] event_first = due ? BELL_EVENT : host_bell_valid ? BELL_HOST : BELL_ORDER;
    wire [1:0] choice = source_q == BELL_HOST ? order_first : source_q == BELL_ORDER ? event_first : host_first;

    wire        was_known   = word_read_data[34];
    wire        was_pending = word_read_data[33];
    wire        was_queued  = word_read_data[32];
    wire [31:0] was_wptr    = word_read_data[31:0];
    wire [31:0] enabled = {{8{host_request_strobe[3]}}, {8{host_request_strobe[2]}},
                           {8{host_request_strobe[1]}}, {8{host_request_strobe[0]}}};
    wire [31:0] merged = (host_request_data & enabled) | (was_wptr & ~enabled);
    wire        rings  = source_q == BELL_HOST && host_request_write && was_known;

    wire writes = phase_q == BELL_WRITE;
    assign host_done     = writes && source_q == BELL_HOST;
    assign host_error    = refused_q ? DOORBELL_UNMAPPED[4:0] : 5'd0;
    assign host_rdata    = wptr_q;
    assign order_done    = writes && source_q == BELL_ORDER;
    assign order_known   = known_q;
    assign order_pending = rung_q;
    assign order_wptr    = wptr_q;
    assign event_valid   = event_valid_q;
    assign event_entry   = event_entry_q;

    // In the sweep these registers are still 0 from reset.
    assign word_write_enable = phase_q == BELL_SWEEP || writes;
    assign word_write_addr   = entry_q;
    assign word_write_data   = {known_q, pending_q, queued_q, wptr_q};
    assign word_read_enable  = phase_q == BELL_READ;
    assign word_read_addr    = entry_q;

    assign queue_write_enable = writes && announces_q;
    assign queue_write_addr   = tail_q[A-1:0];
    assign queue_write_data   = entry_q;
    assign queue_read_enable  = phase_q == BELL_POP;
    assign queue_read_addr    = head_q[A-1:0];

    always @* begin
        phase_d       = phase_q;
        source_d      = source_q;
        entry_d       = entry_q;
        known_d       = known_q;
        pending_d     = pending_q;
        queued_d      = queued_q;
        wptr_d        = wptr_q;
        rung_d        = rung_q;
        refused_d     = refused_q;
        announces_d   = announces_q;
        head_d        = head_q;
        tail_d        = tail_q;
        event_valid_d = event_valid_q;
        event_entry_d = event_entry_q;

        // 1 Taken
        if (event_take) event_valid_d = 1'b0;

        case (phase_q)
            // 2 Sweep
            BELL_SWEEP: begin
                entry_d = entry_q + {{A-1{1'b0}}, 1'b1};
                if (&entry_q) phase_d = BELL_REST;
            end
            // 3 Choice
            BELL_REST:
                if (any) begin
                    source_d = choice;
                    entry_d  = choice == BELL_HOST ? host_request_entry : order_entry;
                    phase_d  = choice == BELL_EVENT ? BELL_POP : BELL_READ;
                end
            // 4 Queue
            BELL_POP: phase_d = BELL_NAME;
            BELL_NAME: begin
                entry_d = queue_read_data;
                head_d  = head_q + {{A{1'b0}}, 1'b1};
                phase_d = BELL_READ;
            end
            // 5 Word
            BELL_READ: phase_d = BELL_LOOK;
            BELL_LOOK: begin
                phase_d     = BELL_WRITE;
                known_d     = was_known;
                pending_d   = was_pending;
                queued_d    = was_queued;
                wptr_d      = was_wptr;
                rung_d      = was_pending;
                refused_d   = 1'b0;
                announces_d = 1'b0;
                case (source_q)
                    // 6 Ring
                    BELL_HOST: begin
                        refused_d = host_request_write && !was_known;
                        if (rings) begin
                            pending_d   = 1'b1;
                            wptr_d      = merged;
                            announces_d = !was_pending && !was_queued;
                            queued_d    = !was_pending || was_queued;
                        end
                    end
                    // 7 Order
                    BELL_ORDER: begin
                        if (order_op == BELL_DROP || order_op == BELL_TAKE) pending_d = 1'b0;
                        if (order_op == BELL_LIST) begin
                            known_d = 1'b1;
                            if (!was_pending) wptr_d = order_data;
                        end
                        if (order_op == BELL_DROP) begin
                            known_d = 1'b0;
                            wptr_d  = 32'd0;
                        end
                    end
                    // 8 Event
                    default: begin
                        queued_d      = 1'b0;
                        event_valid_d = was_pending;
                        event_entry_d = entry_q;
                    end
                endcase
            end
            // 9 Write
            BELL_WRITE: begin
                phase_d = BELL_REST;
                if (announces_q) tail_d = tail_q + {{A{1'b0}}, 1'b1};
            end
            default: ;
        endcase
    end

    always @(posedge clk) begin
        phase_q       <= phase_d;
        source_q      <= source_d;
        entry_q       <= entry_d;
        known_q       <= known_d;
        pending_q     <= pending_d;
        queued_q      <= queued_d;
        wptr_q        <= wptr_d;
        rung_q        <= rung_d;
        refused_q     <= refused_d;
        announces_q   <= announces_d;
        head_q        <= head_d;
        tail_q        <= tail_d;
        event_valid_q <= event_valid_d;
        event_entry_q <= event_entry_d;
        if (rst) begin
            phase_q       <= BELL_SWEEP;
            source_q      <= BELL_HOST;
            entry_q       <= {A{1'b0}};
            known_q       <= 1'b0;
            pending_q     <= 1'b0;
            queued_q      <= 1'b0;
            wptr_q        <= 32'd0;
            head_q        <= {A+1{1'b0}};
            tail_q        <= {A+1{1'b0}};
            event_valid_q <= 1'b0;
        end
    end

    // formal: maxsteps=4 params=RUN_QUEUES=2
    // formal: maxsteps=4 params=RUN_QUEUES=4 covers=0
    // formal: maxsteps=4 params=RUN_QUEUES=8 covers=0
`ifdef FORMAL
`include "totem_bell_properties.vh"
`endif
endmodule

`default_nettype wire
