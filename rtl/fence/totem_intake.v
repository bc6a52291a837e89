// SPDX-License-Identifier: Apache-2.0
//
// totem_intake: fence messages of packet and of record on their way to the entry RAM.
//
// Policy    every word goes straight to the RAM; messages of packet and of record take turns, packet first.
// Latency   a word is written, and the third closes its epoch, one clock after it is taken.
// Boundary  the next message of a queue begins after the third word of the last one is stored.
// Proved    messages do not mix (invariant 1).
// Twin      cmodel/fence/totem_intake.c, same names.

`default_nettype none

module totem_intake #(
    parameter QUEUES = 8,                   // a power of two, 2 to 8
    parameter EPOCHS = 8,                   // a power of two, 2 to 8
    parameter RUNLIST = 0,                  // 1: the machine has a run list
    parameter RUN_QUEUES = 1024
) (
    input  wire                                             clk,
    input  wire                                             rst,
    // packet
    input  wire                                             packet_fence_valid,
    input  wire [63:0]                                      packet_fence_word,
    output wire                                             packet_ready,
    input  wire [$clog2(QUEUES)-1:0]                        arbiter_selected,
    // record
    input  wire                                             record_fence_valid,
    input  wire [63:0]                                      record_fence_word,
    input  wire [$clog2(QUEUES)-1:0]                        record_fence_queue,
    output wire                                             record_ready,
    // runlist
    input  wire [QUEUES*2-1:0]                              runlist_place_phase,
    input  wire [QUEUES*$clog2(RUN_QUEUES)-1:0]             runlist_place_entry,
    // epoch, slot_idle
    input  wire [QUEUES*$clog2(EPOCHS)-1:0]                 epoch_current,
    output wire [QUEUES-1:0]                                storing,
    output wire                                             close,
    output wire [$clog2(QUEUES)-1:0]                        close_queue,
    output wire                                             close_pair,
    // fence entry RAM
    output wire                                             ram_write_enable,
    output wire [$clog2(QUEUES)+$clog2(EPOCHS)+1:0]         ram_write_addr,
    output wire [63:0]                                      ram_write_data
);
    localparam Q = $clog2(QUEUES);
    localparam E = $clog2(EPOCHS);
    localparam N = $clog2(RUN_QUEUES);

    generate
        if (QUEUES < 2 || QUEUES > 8 || QUEUES != (1 << Q) || EPOCHS < 2 || EPOCHS > 8 || EPOCHS != (1 << E))
        begin : check
            totem_intake_needs_QUEUES_and_EPOCHS_2_4_or_8 refused ();
        end
    endgenerate

    reg [1:0]   place_q, place_d;
    reg         from_record_q, from_record_d;
    reg         store_valid_q, store_valid_d;
    reg [63:0]  store_word_q, store_word_d;
    reg [1:0]   store_place_q, store_place_d;
    reg [Q-1:0] store_queue_q, store_queue_d;
    reg [E-1:0] store_epoch_q, store_epoch_d;
    reg         store_from_record_q, store_from_record_d;

    // Registers that reset leaves alone read 0 at start, as in the model.
    initial begin
        place_q = 0;       from_record_q = 0; store_valid_q = 0; store_word_q = 0;
        store_place_q = 0; store_queue_q = 0; store_epoch_q = 0; store_from_record_q = 0;
    end

    assign packet_ready     = !from_record_q;
    assign record_ready     = from_record_q;
    assign storing          = {{(QUEUES-1){1'b0}}, store_valid_q} << store_queue_q;
    assign close            = store_valid_q && store_place_q == 2'd2;
    assign close_queue      = store_queue_q;
    assign close_pair       = store_from_record_q;
    assign ram_write_enable = store_valid_q;
    assign ram_write_addr   = {store_queue_q, store_epoch_q, store_place_q};
    assign ram_write_data   = store_word_q;

    wire         word_valid = from_record_q ? record_fence_valid : packet_fence_valid;
    wire [Q-1:0] word_queue = from_record_q ? record_fence_queue : arbiter_selected;

    // The queue's name in the run list: {it has one, entry}.
    wire [9:0]  entry;
    wire [10:0] name;
    generate
        if (RUNLIST != 0) begin : named
            assign entry = {{10-N{1'b0}}, runlist_place_entry[word_queue*N +: N]};
            assign name  = {|runlist_place_phase[word_queue*2 +: 2], entry};
        end else begin : nameless
            assign entry = 10'd0;
            assign name  = 11'd0;
        end
    endgenerate
    wire        unused = &{1'b0, runlist_place_phase, runlist_place_entry, entry};

    always @* begin
        // 2 Sender
        from_record_d       = from_record_q ? !(record_fence_valid && place_q[1]) :
                                  record_fence_valid && !packet_fence_valid && place_q == 2'd0;
        // 1 Word
        place_d             = place_q;
        store_valid_d       = word_valid;
        store_word_d        = store_word_q;
        store_place_d       = store_place_q;
        store_queue_d       = store_queue_q;
        store_epoch_d       = store_epoch_q;
        store_from_record_d = store_from_record_q;
        if (word_valid) begin
            store_word_d        = from_record_q ? record_fence_word : packet_fence_word;
            if (place_q[1])
                store_word_d[46:36] = name;
            store_place_d       = place_q;
            store_queue_d       = word_queue;
            store_epoch_d       = epoch_current[word_queue*E +: E];
            store_from_record_d = from_record_q;
            place_d             = place_q[1] ? 2'd0 : place_q + 2'd1;
        end
    end

    always @(posedge clk) begin
        place_q             <= place_d;
        from_record_q       <= from_record_d;
        store_valid_q       <= store_valid_d;
        store_word_q        <= store_word_d;
        store_place_q       <= store_place_d;
        store_queue_q       <= store_queue_d;
        store_epoch_q       <= store_epoch_d;
        store_from_record_q <= store_from_record_d;
        if (rst) begin
            place_q       <= 2'd0;
            from_record_q <= 1'b0;
            store_valid_q <= 1'b0;
            store_place_q <= 2'd0;
        end
    end

    // formal: maxsteps=4
`ifdef FORMAL
`include "totem_intake_properties.vh"
`endif
endmodule

`default_nettype wire
