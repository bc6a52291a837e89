// SPDX-License-Identifier: Apache-2.0
//
// totem_memory_answers: part of totem_memory: whom a beat or response of the bus is for, and who is given up instead.
//
// Policy    a response of a reserved ID is late and dropped. When none is forwarded, the lowest requester that has
//           expired is due: a stream before a fence.
// Boundary  combinational; state of the block and the R and B channels come in. One bit per requester: arrays are
//           small, and indexed writes of flattened arrays would become barrel shifters.
// Twin      read_answers and write_answers in cmodel/memory/totem_memory.c.

`default_nettype none

module totem_memory_answers #(
    parameter READERS = 6,
    parameter STREAMS = 6,
    parameter FENCES  = 8,
    parameter READER_BITS = $clog2(READERS),
    parameter ID_BITS = 1 + $clog2(STREAMS > FENCES ? STREAMS : FENCES)
) (
    // AXI4
    input  wire                   m_axi_rvalid,
    input  wire [READER_BITS-1:0] m_axi_rid,
    input  wire [1:0]             m_axi_rresp,
    input  wire                   m_axi_rlast,
    input  wire                   m_axi_bvalid,
    input  wire [ID_BITS-1:0]     m_axi_bid,
    input  wire [1:0]             m_axi_bresp,
    // reads
    input  wire [READERS*2-1:0]   reads,
    input  wire [READERS*2-1:0]   reads_late,
    input  wire [READERS*5-1:0]   beats,
    input  wire [READERS-1:0]     read_expired,
    output wire                   beat_forwarded,
    output wire [1:0]             beat_error,       // of a burst of the wrong length too
    output wire                   beat_last,
    output reg  [READERS-1:0]     read_drop,        // the beat of this requester is dropped
    output reg  [READERS-1:0]     read_forward,     // it is forwarded
    output wire [READERS-1:0]     read_due,         // a read of it is given up
    // streams
    input  wire [STREAMS*2-1:0]   writes,
    input  wire [STREAMS*2-1:0]   writes_late,
    input  wire [STREAMS-1:0]     write_expired,
    output wire                   response_forwarded,
    output wire [1:0]             response_error,
    output reg  [STREAMS-1:0]     write_drop,
    output reg  [STREAMS-1:0]     write_forward,
    output wire [STREAMS-1:0]     write_due,
    // fence writes
    input  wire [FENCES-1:0]      fence_busy,
    input  wire [FENCES-1:0]      fence_late,
    input  wire [FENCES-1:0]      fence_expired,
    output reg  [FENCES-1:0]      fence_drop,
    output reg  [FENCES-1:0]      fence_forward,
    output wire [FENCES-1:0]      fence_due
);
`include "totem_memory_values.vh"

    reg  [READERS-1:0] r_at, expected;
    reg  [STREAMS-1:0] b_at;
    reg  [FENCES-1:0]  fence_at;
    integer            i;

    always @* begin
        for (i = 0; i < READERS; i = i + 1) begin
            r_at[i]         = m_axi_rvalid && m_axi_rid == i[READER_BITS-1:0];
            read_drop[i]    = r_at[i] && reads_late[i*2 +: 2] != 2'd0;
            read_forward[i] = r_at[i] && !read_drop[i] && reads[i*2 +: 2] != 2'd0;
            expected[i]     = beats[i*5 +: 5] == 5'd1;
        end
        for (i = 0; i < STREAMS; i = i + 1) begin
            b_at[i]          = m_axi_bvalid && m_axi_bid == i[ID_BITS-1:0];
            write_drop[i]    = b_at[i] && writes_late[i*2 +: 2] != 2'd0;
            write_forward[i] = b_at[i] && !write_drop[i] && writes[i*2 +: 2] != 2'd0;
        end
        for (i = 0; i < FENCES; i = i + 1) begin
            fence_at[i]      = m_axi_bvalid && m_axi_bid == {1'b1, i[ID_BITS-2:0]};
            fence_drop[i]    = fence_at[i] && fence_late[i];
            fence_forward[i] = fence_at[i] && !fence_late[i] && fence_busy[i];
        end
    end

    wire       fits = m_axi_rlast == (|(read_forward & expected));
    wire [1:0] code = m_axi_rresp[1] ? (m_axi_rresp[0] ? MEMORY_DECERR : MEMORY_SLVERR) : MEMORY_OK;

    assign beat_forwarded     = |read_forward;
    assign beat_error         = (code == MEMORY_OK && !fits) ? MEMORY_SLVERR : code;
    assign beat_last          = m_axi_rlast || !fits;
    assign response_forwarded = (|write_forward) || (|fence_forward);
    assign response_error     = m_axi_bresp[1] ? (m_axi_bresp[0] ? MEMORY_DECERR : MEMORY_SLVERR) : MEMORY_OK;
    assign read_due           = beat_forwarded ? {READERS{1'b0}} :
                                read_expired & (~read_expired + {{(READERS-1){1'b0}}, 1'b1});
    assign write_due          = response_forwarded ? {STREAMS{1'b0}} :
                                write_expired & (~write_expired + {{(STREAMS-1){1'b0}}, 1'b1});
    assign fence_due          = (response_forwarded || (|write_expired)) ? {FENCES{1'b0}} :
                                fence_expired & (~fence_expired + {{(FENCES-1){1'b0}}, 1'b1});
endmodule

`default_nettype wire
