// SPDX-License-Identifier: Apache-2.0
//
// totem_events: error records and counters, interrupts, last int_ctxid of every queue.
//
// Policy    the error sources are visited in turn and so are pipes and rings for interrupts, one a clock, so that none
//           waits for ever. The first error is kept until the host clears it, later ones are counted. A bit that is
//           cleared in the clock of its event stays set. mqd, record and poll of a pipe are one error source, fence and
//           mqd one source of interrupts; who yields to whom among them, they see themselves by each other's valid.
// Latency   an error is taken within as many clocks as there are sources, while no other source is in the middle of its
//           message, an interrupt within as many clocks as there are pipes and rings; irq one clock after its bit.
// Boundary  every ready comes from state alone: it belongs to the source whose turn it is.
// Cost      about 500 flip-flops, 16 for each pipe; int_ctxid lives in a RAM beside the block.
// Proved    1 irq to 6 ranges of the contract.
// Twin      cmodel/host/totem_events.c, same names.

`default_nettype none

`include "totem_pm4.vh"
`include "totem_regs.vh"
`include "totem_sources.vh"

module totem_events #(
    parameter FE_COUNT = 4,                 // FE_COUNT*PIPES: 1..8
    parameter PIPES    = 2,
    parameter QUEUES   = 8,                 // 1..8
    parameter ERROR_SOURCES = 37,           // as many as totem_sources.vh numbers
    parameter GRAPHICS = 0,                 // 0: nothing of rings exists
    parameter TASKS    = 0,                 // 1: there is a runner in every pipe
    parameter RUNLIST  = 0                  // 1: there is a proxy
) (
    input  wire                                clk,
    input  wire                                rst,
    // host
    input  wire                                host_valid,
    input  wire                                host_write,
    input  wire [7:0]                          host_dword,
    input  wire [3:0]                          host_strobe,
    input  wire [31:0]                         host_data,
    output wire                                host_done,
    output wire [4:0]                          host_error,
    output wire [31:0]                         host_rdata,
    // errors
    input  wire                               host_error_valid,
    input  wire [63:0]                        host_error_word,
    output wire                               host_error_ready,
    input  wire [FE_COUNT*PIPES-1:0]          packet_error_valid,
    input  wire [FE_COUNT*PIPES*64-1:0]       packet_error_word,
    output wire [FE_COUNT*PIPES-1:0]          packet_error_ready,
    input  wire [FE_COUNT*PIPES-1:0]          fence_error_valid,
    input  wire [FE_COUNT*PIPES*64-1:0]       fence_error_word,
    output wire [FE_COUNT*PIPES-1:0]          fence_error_ready,
    input  wire [FE_COUNT*PIPES-1:0]          mqd_error_valid,
    input  wire [FE_COUNT*PIPES*64-1:0]       mqd_error_word,
    output wire [FE_COUNT*PIPES-1:0]          mqd_error_ready,
    input  wire [FE_COUNT*PIPES-1:0]          record_error_valid,
    input  wire [FE_COUNT*PIPES*64-1:0]       record_error_word,
    input  wire [FE_COUNT*PIPES-1:0]          poll_error_valid,
    input  wire [FE_COUNT*PIPES*64-1:0]       poll_error_word,
    input  wire [FE_COUNT*PIPES-1:0]          poll_error_second,
    input  wire [FE_COUNT*PIPES-1:0]          runner_error_valid,
    input  wire [FE_COUNT*PIPES*64-1:0]       runner_error_word,
    output wire [FE_COUNT*PIPES-1:0]          runner_error_ready,
    input  wire                               proxy_error_valid,
    input  wire [63:0]                        proxy_error_word,
    output wire                               proxy_error_ready,
    input  wire [FE_COUNT*PIPES-1:0]          fetch_error_valid,
    input  wire [FE_COUNT*PIPES*64-1:0]       fetch_error_word,
    output wire [FE_COUNT*PIPES-1:0]          fetch_error_ready,
    input  wire [FE_COUNT-1:0]                memory_error_valid,
    input  wire [FE_COUNT*64-1:0]             memory_error_word,
    output wire [FE_COUNT-1:0]                memory_error_ready,
    // interrupts
    input  wire [FE_COUNT*PIPES-1:0]          fence_interrupt_valid,
    input  wire [FE_COUNT*PIPES*64-1:0]       fence_interrupt_word,
    input  wire [FE_COUNT*PIPES-1:0]          mqd_interrupt_valid,
    input  wire [FE_COUNT*PIPES*64-1:0]       mqd_interrupt_word,
    input  wire [FE_COUNT*PIPES-1:0]          submit_interrupt_valid,
    input  wire [FE_COUNT*64-1:0]             submit_interrupt_word,
    output wire [FE_COUNT*PIPES-1:0]          interrupt_ready,
    // those of graphics rings
    input  wire [FE_COUNT-1:0]                      graphics_packet_error_valid,
    input  wire [FE_COUNT*64-1:0]                   graphics_packet_error_word,
    output wire [FE_COUNT-1:0]                      graphics_packet_error_ready,
    input  wire [FE_COUNT-1:0]                      graphics_fence_error_valid,
    input  wire [FE_COUNT*64-1:0]                   graphics_fence_error_word,
    output wire [FE_COUNT-1:0]                      graphics_fence_error_ready,
    input  wire [FE_COUNT-1:0]                      graphics_mqd_error_valid,
    input  wire [FE_COUNT*64-1:0]                   graphics_mqd_error_word,
    input  wire [FE_COUNT-1:0]                      graphics_record_error_valid,
    input  wire [FE_COUNT*64-1:0]                   graphics_record_error_word,
    input  wire [FE_COUNT-1:0]                      graphics_poll_error_valid,
    input  wire [FE_COUNT*64-1:0]                   graphics_poll_error_word,
    input  wire [FE_COUNT-1:0]                      graphics_poll_error_second,
    output wire [FE_COUNT-1:0]                      graphics_mqd_error_ready,
    input  wire [FE_COUNT-1:0]                      graphics_fetch_error_valid,
    input  wire [FE_COUNT*64-1:0]                   graphics_fetch_error_word,
    output wire [FE_COUNT-1:0]                      graphics_fetch_error_ready,
    input  wire [FE_COUNT-1:0]                      graphics_fence_interrupt_valid,
    input  wire [FE_COUNT*64-1:0]                   graphics_fence_interrupt_word,
    input  wire [FE_COUNT-1:0]                      graphics_mqd_interrupt_valid,
    input  wire [FE_COUNT*64-1:0]                   graphics_mqd_interrupt_word,
    output wire [FE_COUNT-1:0]                      graphics_interrupt_ready,
    // notice
    input  wire                                notice_due,
    output wire                                notice_valid,
    output wire [9:0]                          notice_entry,
    output wire [31:0]                         notice_context,
    // machine
    input  wire [63:0]                         clock,
    input  wire                                machine_fatal,
    output wire                                stop,
    output wire                                irq,
    // ram
    output wire                                ram_write_enable,
    output wire [$clog2(FE_COUNT*PIPES*8*(1+GRAPHICS))-1:0] ram_write_addr,
    output wire [31:0]                         ram_write_data,
    output wire                                ram_read_enable,
    output wire [$clog2(FE_COUNT*PIPES*8*(1+GRAPHICS))-1:0] ram_read_addr,
    input  wire [31:0]                         ram_read_data
);
`include "totem_events_values.vh"

    localparam PIPE_COUNT   = FE_COUNT*PIPES;
    localparam SOURCES      = ERROR_SOURCES;
    localparam SOURCE_BITS  = $clog2(SOURCES);
    localparam PORTS        = PIPE_COUNT + FE_COUNT;                // pipes, then rings
    localparam PLACES       = (GRAPHICS != 0) ? PORTS : PIPE_COUNT; // of these exist
    localparam TURN_BITS    = (PLACES > 1) ? $clog2(PLACES) : 1;
    localparam CONTEXT_BITS = $clog2(FE_COUNT*PIPES*8*(1+GRAPHICS));
    localparam [31:0] LAST_PLACE = PLACES - 1, LAST_SOURCE = SOURCES - 1, RING_WORDS = PIPE_COUNT*8;

    generate
        if (FE_COUNT < 1 || PIPES < 1 || PIPE_COUNT > 8 || QUEUES < 1 || QUEUES > 8) begin : check
            totem_events_needs_1_to_8_pipes_and_1_to_8_QUEUES refused ();
        end
    endgenerate

    localparam [7:0]  HOLE = `TOTEM_ERROR_HOST_HOLE, READ_ONLY = `TOTEM_ERROR_HOST_READ_ONLY;
    localparam [7:0]  RING_INT_CTXID = {1'b0, `TOTEM_REG_EVENTS_RING_INT_CTXID};
    localparam [7:0]  LEGAL = (1 << QUEUES) - 1;
    localparam [127:0] EXISTS = (GRAPHICS != 0) ? `TOTEM_REG_EVENTS_EXISTS
                                : `TOTEM_REG_EVENTS_EXISTS & ~`TOTEM_REG_EVENTS_WITH_GRAPHICS;
    localparam [127:0] WRITABLE = `TOTEM_REG_EVENTS_WRITABLE;

    reg [1:0]              phase_q, phase_d;
    reg [7:0]              dword_q, dword_d;
    reg [31:0]             word_q, word_d;
    reg [4:0]              error_q, error_d;
    reg [SOURCE_BITS-1:0]  source_q, source_d;
    reg                    part_q, part_d;
    reg [63:0]             head_q, head_d;
    reg                    record_valid_q, record_valid_d;
    reg [7:0]              record_code_q, record_code_d;
    reg [2:0]              record_queue_q, record_queue_d;
    reg [SOURCE_BITS-1:0]  record_source_q, record_source_d;
    reg [39:0]             record_address_q, record_address_d;
    reg [31:0]             record_word_q, record_word_d;
    reg [63:0]             record_time_q, record_time_d;
    reg [15:0]             later_q, later_d;
    reg [7*16-1:0]         count_q, count_d;
    reg [6:0]              status_q, status_d;
    reg [8:0]              enable_q, enable_d;
    reg                    checked_q, checked_d;
    reg [TURN_BITS-1:0]    turn_q, turn_d;
    reg [PIPE_COUNT*8-1:0] eop_q, eop_d;
    reg [PIPE_COUNT*8-1:0] eop_enable_q, eop_enable_d;
    reg [FE_COUNT-1:0]     ring_eop_q, ring_eop_d;
    reg [FE_COUNT-1:0]     ring_eop_enable_q, ring_eop_enable_d;
    reg                    context_valid_q, context_valid_d;
    reg [CONTEXT_BITS-1:0] context_addr_q, context_addr_d;
    reg [31:0]             context_word_q, context_word_d;
    reg                    notice_valid_q, notice_valid_d;
    reg [9:0]              notice_entry_q, notice_entry_d;
    reg                    irq_q, irq_d;

    // Registers that reset leaves alone read 0 at start, as in the model.
    initial begin
        word_q           = 32'd0;
        error_q          = 5'd0;
        head_q           = 64'd0;
        record_code_q    = 8'd0;
        record_queue_q   = 3'd0;
        record_source_q  = {SOURCE_BITS{1'b0}};
        record_address_q = 40'd0;
        record_word_q    = 32'd0;
        record_time_q    = 64'd0;
        context_addr_q   = {CONTEXT_BITS{1'b0}};
        context_word_q   = 32'd0;
        notice_entry_q   = 10'd0;
    end

    assign host_done        = (phase_q == EVENTS_DONE);
    assign host_error       = error_q;
    assign host_rdata       = word_q;
    assign stop             = checked_q;
    assign irq              = irq_q;
    assign ram_write_enable = context_valid_q;
    assign ram_write_addr   = context_addr_q;
    assign ram_write_data   = context_word_q;
    assign ram_read_enable  = (phase_q == EVENTS_READ);
    assign notice_valid     = notice_valid_q;
    assign notice_entry     = notice_entry_q;
    assign notice_context   = context_word_q;
    wire        near_ring     = dword_q[7:2] == RING_INT_CTXID[7:2];
    wire        in_ring       = near_ring && {2'd0, dword_q[1:0]} < FE_COUNT[3:0];
    wire [6:0]  host_context  = (GRAPHICS != 0 && in_ring) ? RING_WORDS[6:0] + {5'd0, dword_q[1:0]}
                                                           : {1'b0, dword_q[5:0]};
    assign ram_read_addr    = host_context[CONTEXT_BITS-1:0];

    // What the sources offer, by their number.
    wire [SOURCES-1:0]       error_valid;
    wire [SOURCES*64-1:0]    error_word;
    wire [SOURCES-1:0]       error_ready;

    // Those of pipes and rings, by place.
    wire [PORTS-1:0]         packet_valid    = {graphics_packet_error_valid, packet_error_valid};
    wire [PORTS*64-1:0]      packet_word     = {graphics_packet_error_word, packet_error_word};
    wire [PORTS-1:0]         fence_valid     = {graphics_fence_error_valid, fence_error_valid};
    wire [PORTS*64-1:0]      fence_word      = {graphics_fence_error_word, fence_error_word};
    wire [PORTS-1:0]         mqd_valid       = {graphics_mqd_error_valid, mqd_error_valid};
    wire [PORTS*64-1:0]      mqd_word        = {graphics_mqd_error_word, mqd_error_word};
    wire [PORTS-1:0]         record_valid    = {graphics_record_error_valid, record_error_valid};
    wire [PORTS*64-1:0]      record_word     = {graphics_record_error_word, record_error_word};
    wire [PORTS-1:0]         poll_valid      = {graphics_poll_error_valid, poll_error_valid};
    wire [PORTS*64-1:0]      poll_word       = {graphics_poll_error_word, poll_error_word};
    wire [PORTS-1:0]         poll_second     = {graphics_poll_error_second, poll_error_second};
    wire [PORTS-1:0]         fetch_valid     = {graphics_fetch_error_valid, fetch_error_valid};
    wire [PORTS*64-1:0]      fetch_word      = {graphics_fetch_error_word, fetch_error_word};
    wire [PORTS-1:0]         fence_notifies  = {graphics_fence_interrupt_valid, fence_interrupt_valid};
    wire [PORTS*64-1:0]      fence_notice    = {graphics_fence_interrupt_word, fence_interrupt_word};
    wire [PORTS-1:0]         mqd_notifies    = {graphics_mqd_interrupt_valid, mqd_interrupt_valid};
    wire [PORTS*64-1:0]      mqd_notice      = {graphics_mqd_interrupt_word, mqd_interrupt_word};
    wire [PLACES-1:0]        interrupt_valid;
    wire [PLACES*64-1:0]     interrupt_word;
    wire [PORTS-1:0]         packet_ready, fence_ready, mqd_ready, fetch_ready, notice_ready;
    assign {graphics_packet_error_ready, packet_error_ready} = packet_ready;
    assign {graphics_fence_error_ready, fence_error_ready}   = fence_ready;
    assign {graphics_mqd_error_ready, mqd_error_ready}       = mqd_ready;
    assign {graphics_fetch_error_ready, fetch_error_ready}   = fetch_ready;
    assign {graphics_interrupt_ready, interrupt_ready}       = notice_ready;

    assign error_valid[`TOTEM_SOURCE_HOST]          = host_error_valid;
    assign error_word[`TOTEM_SOURCE_HOST*64 +: 64]  = host_error_word;
    assign host_error_ready                         = error_ready[`TOTEM_SOURCE_HOST];

    // Both words of a message of poll go without a word of another between.
    wire [PORTS-1:0] told = poll_valid & (poll_second | ~(record_valid | mqd_valid));

    genvar place;
    generate
        for (place = 0; place < SOURCES; place = place + 1) begin : source
            assign error_ready[place] = (source_q == place);
        end
        for (place = 0; place < PLACES; place = place + 1) begin : pipe
            localparam RING   = place - PIPE_COUNT;
            localparam PACKET = (place < PIPE_COUNT) ? `TOTEM_SOURCE_EXECUTE(place)
                                : `TOTEM_SOURCE_GRAPHICS_EXECUTE(RING);
            localparam FENCE  = (place < PIPE_COUNT) ? `TOTEM_SOURCE_FENCE(place) : `TOTEM_SOURCE_GRAPHICS_FENCE(RING);
            localparam MQD    = (place < PIPE_COUNT) ? `TOTEM_SOURCE_MQD(place) : `TOTEM_SOURCE_GRAPHICS_MQD(RING);
            localparam FETCH  = (place < PIPE_COUNT) ? `TOTEM_SOURCE_FETCH(place) : `TOTEM_SOURCE_GRAPHICS_FETCH(RING);
            assign error_valid[PACKET]         = packet_valid[place];
            assign error_word[PACKET*64 +: 64] = packet_word[place*64 +: 64];
            assign packet_ready[place]         = error_ready[PACKET];
            assign error_valid[FENCE]          = fence_valid[place];
            assign error_word[FENCE*64 +: 64]  = fence_word[place*64 +: 64];
            assign fence_ready[place]          = error_ready[FENCE];
            assign error_valid[MQD]            = mqd_valid[place] || record_valid[place] || poll_valid[place];
            assign error_word[MQD*64 +: 64]    = told[place] ? poll_word[place*64 +: 64] :
                                                 record_valid[place] ? record_word[place*64 +: 64] :
                                                 mqd_word[place*64 +: 64];
            assign mqd_ready[place]            = error_ready[MQD];
            assign error_valid[FETCH]          = fetch_valid[place];
            assign error_word[FETCH*64 +: 64]  = fetch_word[place*64 +: 64];
            assign fetch_ready[place]          = error_ready[FETCH];
            if (place < PIPE_COUNT && TASKS != 0) begin : tasks
                localparam RUNNER = `TOTEM_SOURCE_RUNNER(place);
                assign error_valid[RUNNER]         = runner_error_valid[place];
                assign error_word[RUNNER*64 +: 64] = runner_error_word[place*64 +: 64];
                assign runner_error_ready[place]   = error_ready[RUNNER];
            end else if (place < PIPE_COUNT) begin : none
                assign runner_error_ready[place]   = 1'b0;
            end
            wire        told_of;    // by submit
            wire [63:0] tidings;
            if (place < PIPE_COUNT && TASKS != 0) begin : submit
                assign told_of = submit_interrupt_valid[place];
                assign tidings = submit_interrupt_word[place/PIPES*64 +: 64];
            end else begin : no_desk
                assign told_of = 1'b0;
                assign tidings = 64'd0;
            end
            assign interrupt_valid[place]      = fence_notifies[place] || mqd_notifies[place] || told_of;
            assign interrupt_word[place*64 +: 64] = fence_notifies[place] ? fence_notice[place*64 +: 64] :
                                                    mqd_notifies[place] ? mqd_notice[place*64 +: 64] : tidings;
            assign notice_ready[place]         = (turn_q == place);
        end
        for (place = PLACES; place < PORTS; place = place + 1) begin : absent
            assign packet_ready[place] = 1'b0;
            assign fence_ready[place]  = 1'b0;
            assign mqd_ready[place]    = 1'b0;
            assign fetch_ready[place]  = 1'b0;
            assign notice_ready[place] = 1'b0;
        end
        if (RUNLIST != 0) begin : runlist
            localparam PROXY = `TOTEM_SOURCE_PROXY;
            assign error_valid[PROXY]         = proxy_error_valid;
            assign error_word[PROXY*64 +: 64] = proxy_error_word;
            assign proxy_error_ready          = error_ready[PROXY];
        end else begin : no_runlist
            assign proxy_error_ready          = 1'b0;
        end
        for (place = 0; place < FE_COUNT; place = place + 1) begin : front
            localparam MEMORY = `TOTEM_SOURCE_MEMORY(place);
            assign error_valid[MEMORY]            = memory_error_valid[place];
            assign error_word[MEMORY*64 +: 64]    = memory_error_word[place*64 +: 64];
            assign memory_error_ready[place]      = error_ready[MEMORY];
        end
    endgenerate

    // The error source and the place whose turn it is.
    wire        offered  = error_valid[source_q];
    wire [63:0] message  = error_word[source_q*64 +: 64];
    wire        taken    = interrupt_valid[turn_q];
    wire [63:0] notice   = interrupt_word[turn_q*64 +: 64];
    wire [6:0]  place_q  = {{7-TURN_BITS{1'b0}}, turn_q};
    wire        of_ring  = GRAPHICS != 0 && place_q >= PIPE_COUNT[6:0];
    wire [6:0]  ring     = place_q - PIPE_COUNT[6:0];
    wire [6:0]  member   = of_ring ? RING_WORDS[6:0] + ring : {place_q[3:0], notice[34:32]};
    wire        named    = RUNLIST != 0 && notice[46] && !of_ring;
    wire [2:0]  group    = head_q[63:61];               // class of the error
    wire        counted  = (group != 3'd0);
    wire [2:0]  kind     = counted ? group - 3'd1 : 3'd0;
    wire [15:0] tally    = count_q[kind*16 +: 16];
    wire        unused   = &{1'b0, proxy_error_valid, proxy_error_word, runner_error_valid, runner_error_word,
                             submit_interrupt_valid, submit_interrupt_word,
                             member, host_context, ring, place_q[6:4], packet_valid, packet_word, fence_valid,
                             fence_word, fetch_valid, fetch_word, told, mqd_word, record_word, poll_word,
                             fence_notifies, fence_notice, mqd_notifies, mqd_notice, notice[63:47],
                             notice[35], notice_due, head_q[55:51],
                             head_q[47:40]};

    wire        waiting  = RUNLIST != 0 && notice_due;
    wire [8:0]  pending  = {waiting, status_q, |{eop_q & eop_enable_q, ring_eop_q & ring_eop_enable_q}};
    wire [31:0] mask     = {{8{host_strobe[3]}}, {8{host_strobe[2]}}, {8{host_strobe[1]}}, {8{host_strobe[0]}}};
    wire [31:0] set      = host_data & mask;

    wire        in_context = dword_q[7:6] == 2'd1;
    wire        second     = (dword_q == `TOTEM_REG_EVENTS_EOP_STATUS + 8'd1)
                             || (dword_q == `TOTEM_REG_EVENTS_EOP_ENABLE + 8'd1)
                             || (dword_q == `TOTEM_REG_EVENTS_EOP_TEST + 8'd1);
    wire        hole       = dword_q[7] || !EXISTS[dword_q[6:0]] || (second && PIPE_COUNT <= 4)
                             || (in_context && ({1'b0, dword_q[5:3]} >= PIPE_COUNT[3:0]
                                                || {1'b0, dword_q[2:0]} >= QUEUES[3:0]))
                             || (near_ring && !in_ring);
    wire        refused    = host_write && !WRITABLE[dword_q[6:0]];
    wire        written    = (phase_q == EVENTS_DECIDE) && host_write && !hole && !refused;

    reg [31:0] value;
    integer    lane;
    always @* begin
        value = 32'd0;
        if (in_context || in_ring)
            value = ram_read_data;
        case (dword_q)
            {1'b0, `TOTEM_REG_EVENTS_INTERRUPT_STATUS}:  value[8:0] = pending;
            {1'b0, `TOTEM_REG_EVENTS_INTERRUPT_ENABLE}:  value[8:0] = enable_q;
            {1'b0, `TOTEM_REG_EVENTS_SELF_CHECK}:        value[`TOTEM_REG_EVENTS_SELF_CHECK_FIRED] = checked_q;
            {1'b0, `TOTEM_REG_EVENTS_RING_EOP_STATUS}:   value[FE_COUNT-1:0] = ring_eop_q;
            {1'b0, `TOTEM_REG_EVENTS_RING_EOP_ENABLE}:   value[FE_COUNT-1:0] = ring_eop_enable_q;
            {1'b0, `TOTEM_REG_EVENTS_RECORD}: begin
                value[`TOTEM_REG_EVENTS_RECORD_VALID]    = record_valid_q;
                value[`TOTEM_REG_EVENTS_RECORD_CODE]     = record_code_q;
                value[`TOTEM_REG_EVENTS_RECORD_QUEUE]    = record_queue_q;
                value[`TOTEM_REG_EVENTS_RECORD_SOURCE]   = {{6-SOURCE_BITS{1'b0}}, record_source_q};
            end
            {1'b0, `TOTEM_REG_EVENTS_RECORD_ADDRESS_LO}: value = record_address_q[31:0];
            {1'b0, `TOTEM_REG_EVENTS_RECORD_ADDRESS_HI}: value[7:0] = record_address_q[39:32];
            {1'b0, `TOTEM_REG_EVENTS_RECORD_WORD}:       value = record_word_q;
            {1'b0, `TOTEM_REG_EVENTS_RECORD_TIME_LO}:    value = record_time_q[31:0];
            {1'b0, `TOTEM_REG_EVENTS_RECORD_TIME_HI}:    value = record_time_q[63:32];
            {1'b0, `TOTEM_REG_EVENTS_RECORD_LATER}:      value[15:0] = later_q;
            default: ;
        endcase
        for (lane = 0; lane < 7; lane = lane + 1)
            if (dword_q == `TOTEM_REG_EVENTS_ERROR_COUNT + lane[7:0])
                value[15:0] = count_q[lane*16 +: 16];
        for (lane = 0; lane < PIPE_COUNT; lane = lane + 1) begin
            if (dword_q == `TOTEM_REG_EVENTS_EOP_STATUS + lane[9:2])
                value[(lane % 4)*8 +: 8] = eop_q[lane*8 +: 8];
            if (dword_q == `TOTEM_REG_EVENTS_EOP_ENABLE + lane[9:2])
                value[(lane % 4)*8 +: 8] = eop_enable_q[lane*8 +: 8];
        end
    end

    integer each;
    always @* begin
        phase_d          = phase_q;
        dword_d          = dword_q;
        word_d           = word_q;
        error_d          = error_q;
        source_d         = source_q;
        part_d           = part_q;
        head_d           = head_q;
        record_valid_d   = record_valid_q;
        record_code_d    = record_code_q;
        record_queue_d   = record_queue_q;
        record_source_d  = record_source_q;
        record_address_d = record_address_q;
        record_word_d    = record_word_q;
        record_time_d    = record_time_q;
        later_d          = later_q;
        count_d          = count_q;
        status_d         = status_q;
        enable_d         = enable_q;
        checked_d        = checked_q;
        eop_d            = eop_q;
        eop_enable_d     = eop_enable_q;
        ring_eop_d       = ring_eop_q;
        ring_eop_enable_d = ring_eop_enable_q;

        // 1 Level
        irq_d = |(pending & enable_q);

        // 2 Interrupts
        turn_d          = (turn_q == LAST_PLACE[TURN_BITS-1:0]) ? {TURN_BITS{1'b0}} : turn_q + 1'b1;
        context_valid_d = taken && !named;
        notice_valid_d  = taken && named;
        context_addr_d  = context_addr_q;
        context_word_d  = context_word_q;
        notice_entry_d  = notice_entry_q;
        if (taken) begin
            context_word_d = notice[31:0];
            notice_entry_d = notice[45:36];
            if (!named)
                context_addr_d = member[CONTEXT_BITS-1:0];
        end

        case (phase_q)
        // 3 Access
        EVENTS_IDLE:
            if (host_valid) begin
                dword_d = host_dword;
                error_d = 5'd0;
                phase_d = EVENTS_READ;
            end
        EVENTS_READ: phase_d = EVENTS_DECIDE;
        // 4 Decide
        EVENTS_DECIDE: begin
            phase_d = EVENTS_DONE;
            word_d  = hole ? 32'd0 : value;
            error_d = hole ? HOLE[4:0] : refused ? READ_ONLY[4:0] : 5'd0;
        end
        default: phase_d = EVENTS_IDLE;
        endcase

        if (written) begin
            case (dword_q)
                {1'b0, `TOTEM_REG_EVENTS_INTERRUPT_STATUS}: status_d = status_q & ~set[7:1];
                {1'b0, `TOTEM_REG_EVENTS_INTERRUPT_ENABLE}: enable_d = (enable_q & ~mask[8:0]) | set[8:0];
                {1'b0, `TOTEM_REG_EVENTS_INTERRUPT_TEST}:   status_d = status_q | set[7:1];
                {1'b0, `TOTEM_REG_EVENTS_RING_EOP_STATUS}:
                    if (GRAPHICS != 0) ring_eop_d = ring_eop_q & ~set[FE_COUNT-1:0];
                {1'b0, `TOTEM_REG_EVENTS_RING_EOP_ENABLE}:
                    if (GRAPHICS != 0)
                        ring_eop_enable_d = (ring_eop_enable_q & ~mask[FE_COUNT-1:0]) | set[FE_COUNT-1:0];
                {1'b0, `TOTEM_REG_EVENTS_RING_EOP_TEST}:
                    if (GRAPHICS != 0) ring_eop_d = ring_eop_q | set[FE_COUNT-1:0];
                {1'b0, `TOTEM_REG_EVENTS_RECORD}:
                    if (set[`TOTEM_REG_EVENTS_RECORD_VALID]) begin
                        record_valid_d = 1'b0;
                        later_d        = 16'd0;
                    end
                default: ;
            endcase
        end
        for (each = 0; each < PIPE_COUNT; each = each + 1) begin
            if (written && dword_q == `TOTEM_REG_EVENTS_EOP_STATUS + each[9:2])
                eop_d[each*8 +: 8] = eop_q[each*8 +: 8] & ~set[(each % 4)*8 +: 8];
            if (written && dword_q == `TOTEM_REG_EVENTS_EOP_ENABLE + each[9:2])
                eop_enable_d[each*8 +: 8] = ((eop_enable_q[each*8 +: 8] & ~mask[(each % 4)*8 +: 8])
                                             | set[(each % 4)*8 +: 8]) & LEGAL;
            if (written && dword_q == `TOTEM_REG_EVENTS_EOP_TEST + each[9:2])
                eop_d[each*8 +: 8] = eop_q[each*8 +: 8] | (set[(each % 4)*8 +: 8] & LEGAL);
        end

        // 5 End of pipe: behind the host's writes, so a bit that is cleared in the clock of its event stays set.
        for (each = 0; each < PIPE_COUNT; each = each + 1)
            if (taken && !named && turn_q == each[TURN_BITS-1:0] && LEGAL[notice[34:32]])
                eop_d[each*8 +: 8] = eop_d[each*8 +: 8] | (8'd1 << notice[34:32]);
        for (each = 0; each < FE_COUNT; each = each + 1)
            if (taken && of_ring && ring == each[6:0])
                ring_eop_d[each] = 1'b1;
        // 6 Errors
        if (offered && !part_q) begin
            head_d = message;
            part_d = 1'b1;
        end
        if (offered && part_q) begin
            part_d = 1'b0;
            if (counted) begin
                status_d[kind] = 1'b1;
                if (tally != 16'hffff)
                    count_d[kind*16 +: 16] = tally + 16'd1;
            end
            if (!record_valid_d) begin
                record_valid_d   = 1'b1;
                record_code_d    = head_q[63:56];
                record_queue_d   = head_q[50:48];
                record_source_d  = source_q;
                record_address_d = head_q[39:0];
                record_word_d    = message[31:0];
                record_time_d    = clock;
            end else if (later_d != 16'hffff)
                later_d = later_d + 16'd1;
        end
        if (offered == part_q)
            source_d = (source_q == LAST_SOURCE[SOURCE_BITS-1:0]) ? {SOURCE_BITS{1'b0}} : source_q + 1'b1;
        // 7 Self-check
        if (machine_fatal) begin
            checked_d = 1'b1;
            if (!checked_q)
                status_d[5] = 1'b1;
        end
    end

    always @(posedge clk) begin
        phase_q          <= phase_d;
        dword_q          <= dword_d;
        word_q           <= word_d;
        error_q          <= error_d;
        source_q         <= source_d;
        part_q           <= part_d;
        head_q           <= head_d;
        record_valid_q   <= record_valid_d;
        record_code_q    <= record_code_d;
        record_queue_q   <= record_queue_d;
        record_source_q  <= record_source_d;
        record_address_q <= record_address_d;
        record_word_q    <= record_word_d;
        record_time_q    <= record_time_d;
        later_q          <= later_d;
        count_q          <= count_d;
        status_q         <= status_d;
        enable_q         <= enable_d;
        checked_q        <= checked_d;
        turn_q           <= turn_d;
        eop_q            <= eop_d;
        eop_enable_q     <= eop_enable_d;
        ring_eop_q       <= ring_eop_d;
        ring_eop_enable_q <= ring_eop_enable_d;
        context_valid_q  <= context_valid_d;
        context_addr_q   <= context_addr_d;
        context_word_q   <= context_word_d;
        notice_valid_q   <= notice_valid_d;
        notice_entry_q   <= notice_entry_d;
        irq_q            <= irq_d;
        if (rst) begin
            phase_q         <= EVENTS_IDLE;
            dword_q         <= 8'd0;
            source_q        <= {SOURCE_BITS{1'b0}};
            part_q          <= 1'b0;
            record_valid_q  <= 1'b0;
            later_q         <= 16'd0;
            count_q         <= 112'd0;
            status_q        <= 7'd0;
            enable_q        <= 9'd0;
            checked_q       <= 1'b0;
            turn_q          <= {TURN_BITS{1'b0}};
            eop_q           <= {PIPE_COUNT*8{1'b0}};
            eop_enable_q    <= {PIPE_COUNT*8{1'b0}};
            ring_eop_q      <= {FE_COUNT{1'b0}};
            ring_eop_enable_q <= {FE_COUNT{1'b0}};
            context_valid_q <= 1'b0;
            notice_valid_q  <= 1'b0;
            irq_q           <= 1'b0;
        end
    end

    // formal: maxsteps=4
    // formal: maxsteps=4 params=FE_COUNT=2,GRAPHICS=1,ERROR_SOURCES=19 configs=mini
`ifdef FORMAL
`include "totem_events_properties.vh"
`endif
endmodule

`default_nettype wire
