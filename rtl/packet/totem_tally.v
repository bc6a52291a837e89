// SPDX-License-Identifier: Apache-2.0
//
// totem_tally: counts the packets that a pipe consumed without a rule, per queue and opcode.
//
// Policy    read, change, store: one counter at a time, packets before the host. At most one packet comes in 4 clocks
//           and a counter takes 3, so one place to wait is enough, and the host gets its turn.
// Latency   an access of the host is done in 3 clocks, at most 14; a packet is in the RAM 5 to 7 clocks after its end.
// Boundary  four counters of 16 bits share a word of the RAM, which is cleared after reset.
// Cost      64 + 2*(QUEUE_BITS + 8) + 5 flip-flops, QUEUES*64 words of 64 bits of RAM.
// Proved    no packet is lost (invariant 1); RAM, packet in hand and pending one make up the count (2); the host is
//           answered (3).
// Twin      cmodel/packet/totem_tally.c, same names.

`default_nettype none

module totem_tally #(
    parameter QUEUES = 8                    // a power of two, 2 to 8
) (
    input  wire                      clk,
    input  wire                      rst,
    // packet
    input  wire                      packet_ignored,
    input  wire [$clog2(QUEUES)-1:0] dispatch_queue,
    input  wire [7:0]                packet_executed_opcode,
    // host
    input  wire                      host_valid,
    input  wire                      host_write,
    input  wire [2:0]                host_queue,
    input  wire [7:0]                host_dword,
    input  wire [3:0]                host_strobe,
    output wire                      host_done,
    output wire [15:0]               host_rdata,
    // tally RAM
    output wire                      ram_write_enable,
    output wire [$clog2(QUEUES)+5:0] ram_write_addr,
    output wire [63:0]               ram_write_data,
    output wire                      ram_read_enable,
    output wire [$clog2(QUEUES)+5:0] ram_read_addr,
    input  wire [63:0]               ram_read_data
);
`include "totem_tally_values.vh"
    localparam Q = $clog2(QUEUES);

    generate
        if (QUEUES < 2 || QUEUES > 8 || QUEUES != (1 << Q)) begin : check
            totem_tally_needs_QUEUES_a_power_of_two_from_2_to_8 refused ();
        end
    endgenerate

    reg [2:0]   phase_q, phase_d;
    reg [Q+7:0] place_q, place_d;
    reg         for_host_q, for_host_d;
    reg [63:0]  word_q, word_d;
    reg         pending_q, pending_d;
    reg [Q+7:0] pending_place_q, pending_place_d;

    // Registers that reset leaves alone read 0 at start, as in the model.
    initial begin
        phase_q = 0; place_q = 0; for_host_q = 0; word_q = 0; pending_q = 0; pending_place_q = 0;
    end

    assign host_done        = phase_q == TALLY_STORE && for_host_q;
    assign host_rdata       = word_q[place_q[1:0]*16 +: 16];
    assign ram_write_enable = phase_q == TALLY_SWEEP || phase_q == TALLY_STORE;
    assign ram_write_addr   = place_q[Q+7:2];
    assign ram_write_data   = (phase_q == TALLY_SWEEP) ? 64'd0 : word_q;
    assign ram_read_enable  = phase_q == TALLY_READ;
    assign ram_read_addr    = place_q[Q+7:2];

    wire [15:0] counter = ram_read_data[place_q[1:0]*16 +: 16];
    wire        clear   = host_write && host_strobe != 4'd0;

    always @* begin
        phase_d         = phase_q;
        place_d         = place_q;
        for_host_d      = for_host_q;
        word_d          = word_q;
        pending_d       = pending_q;
        pending_place_d = pending_place_q;

        // 1 Counter in hand
        case (phase_q)
            TALLY_SWEEP: begin
                place_d = place_q + {{(Q+5){1'b0}}, 3'd4};
                if (&place_q[Q+7:2])
                    phase_d = TALLY_IDLE;
            end
            TALLY_READ:
                phase_d = TALLY_TAKE;
            TALLY_TAKE: begin
                word_d = ram_read_data;
                if (!for_host_q)
                    word_d[place_q[1:0]*16 +: 16] = counter + {15'd0, counter != 16'hffff};
                else if (clear)
                    word_d[place_q[1:0]*16 +: 16] = 16'd0;
                phase_d = TALLY_STORE;
            end
            TALLY_IDLE, TALLY_STORE: begin
                phase_d = TALLY_IDLE;
                if (pending_q) begin
                    place_d    = pending_place_q;
                    pending_d  = 1'b0;
                    for_host_d = 1'b0;
                    phase_d    = TALLY_READ;
                end else if (host_valid && !host_done) begin
                    place_d    = {host_queue[Q-1:0], host_dword};
                    for_host_d = 1'b1;
                    phase_d    = TALLY_READ;
                end
            end
            default:
                phase_d = TALLY_IDLE;
        endcase

        // 2 A packet
        if (packet_ignored) begin
            pending_d       = 1'b1;
            pending_place_d = {dispatch_queue, packet_executed_opcode};
        end
    end

    always @(posedge clk) begin
        phase_q         <= phase_d;
        place_q         <= place_d;
        for_host_q      <= for_host_d;
        word_q          <= word_d;
        pending_q       <= pending_d;
        pending_place_q <= pending_place_d;
        if (rst) begin
            phase_q    <= TALLY_SWEEP;
            place_q    <= {(Q+8){1'b0}};
            for_host_q <= 1'b0;
            pending_q  <= 1'b0;
        end
    end

    generate
        if (Q < 3) begin : narrow
            wire unused = &{1'b0, host_queue[2:Q]};
        end
    endgenerate

`ifdef FORMAL
`include "totem_tally_properties.vh"
`endif
endmodule

`default_nettype wire
