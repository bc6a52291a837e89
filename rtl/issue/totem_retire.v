// SPDX-License-Identifier: Apache-2.0
//
// totem_retire: ends waves: frees their slot and registers, the LDS of a group with its last wave.
//
// Policy    what a wave holds is written to the slot table at its launch and looked up when it is done.
//           A group has a name of its own while it lives: the slot of its first wave may be used again
//           before the group ends. See docs/contract/retire.md.
// Latency   done in clock n: free and completion in n+4; one a clock, also of one group.
// Boundary  done is always taken; a done may follow the acceptance of its wave in the next clock,
//           which is what the second of the four stages is for.
// Cost      a count of 7 bits and a bit per slot, the table in RAM.
// Twin      cmodel/issue/totem_retire.c, same names.

`default_nettype none

module totem_retire #(
    parameter QUEUES = 8,                   // 2 to 8
    parameter EPOCHS = 8,                   // 2 to 8
    parameter SLOTS  = 64,                  // a power of two from 2 to 64
    parameter DRAW_STATES = 16,             // up to 16
    parameter GRAPHICS = 0,                 // 0: kind and draw state are 0
    parameter DRAW_BITS = (DRAW_STATES > 1) ? $clog2(DRAW_STATES) : 1   // follows from the others
) (
    input  wire                      clk,
    input  wire                      rst,
    // launch
    input  wire                      alloc_valid,
    input  wire [$clog2(SLOTS)-1:0]  alloc_slot,
    input  wire                      alloc_first,
    input  wire [6:0]                alloc_waves,
    input  wire [1:0]                alloc_fe,
    input  wire [1:0]                alloc_pipe,
    input  wire [$clog2(QUEUES)-1:0] alloc_queue,
    input  wire [$clog2(EPOCHS)-1:0] alloc_epoch,
    input  wire [1:0]                alloc_kind,
    input  wire [DRAW_BITS-1:0]      alloc_draw,
    input  wire [6:0]                alloc_vgprs,
    input  wire [8:0]                alloc_lds,
    // core
    input  wire                      done_valid,
    input  wire [$clog2(SLOTS)-1:0]  done_slot,
    // slot table
    output wire                      table_write_enable,
    output wire [$clog2(SLOTS)-1:0]  table_write_addr,
    output wire [63:0]               table_write_data,
    output wire                      table_read_enable,
    output wire [$clog2(SLOTS)-1:0]  table_read_addr,
    input  wire [63:0]               table_read_data,
    // issue, launch
    output wire                      free_valid,
    output wire [$clog2(SLOTS)-1:0]  free_slot,
    output wire [6:0]                free_vgprs,
    output wire [8:0]                free_lds,
    output wire [1:0]                free_kind,
    // front end
    output wire                      complete_valid,
    output wire [1:0]                complete_fe,
    output wire [1:0]                complete_pipe,
    output wire [$clog2(QUEUES)-1:0] complete_queue,
    output wire [$clog2(EPOCHS)-1:0] complete_epoch,
    output wire [1:0]                complete_kind,
    output wire [DRAW_BITS-1:0]      complete_draw,
    output wire                      fault
);
    localparam QUEUE_BITS = $clog2(QUEUES);
    localparam EPOCH_BITS = $clog2(EPOCHS);
    localparam SLOT_BITS  = $clog2(SLOTS);

    generate
        if (QUEUES < 2 || QUEUES > 8 || EPOCHS < 2 || EPOCHS > 8 || SLOTS < 2 || SLOTS > 64 ||
            SLOTS != (1 << SLOT_BITS) || DRAW_STATES > 16) begin : check
            totem_retire_needs_QUEUES_and_EPOCHS_2_to_8_SLOTS_a_power_of_two_to_64_DRAW_STATES_to_16 refused ();
        end
    endgenerate

`include "totem_issue_values.vh"
    // Fields of a word of the table.
    localparam LDS_AT = 0, VGPRS_AT = 9, FE_AT = 16, PIPE_AT = 18, QUEUE_AT = 20, EPOCH_AT = 23, NAME_AT = 26,
               KIND_AT = 32, DRAW_AT = 34;

    reg [SLOTS*7-1:0]    live_q, live_d;
    reg [SLOT_BITS-1:0]  name_q, name_d;
    reg [SLOTS-1:0]      occupied_q, occupied_d;
    reg                  write_valid_q, write_valid_d;
    reg [SLOT_BITS-1:0]  write_slot_q, write_slot_d;
    reg [63:0]           write_word_q, write_word_d;
    reg                  end_valid_q, end_valid_d;
    reg [SLOT_BITS-1:0]  end_slot_q, end_slot_d;
    reg                  read_valid_q, read_valid_d;
    reg [SLOT_BITS-1:0]  read_slot_q, read_slot_d;
    reg                  look_valid_q, look_valid_d;
    reg [SLOT_BITS-1:0]  look_slot_q, look_slot_d;
    reg                  free_valid_q, free_valid_d;
    reg [SLOT_BITS-1:0]  free_slot_q, free_slot_d;
    reg [6:0]            free_vgprs_q, free_vgprs_d;
    reg [8:0]            free_lds_q, free_lds_d;
    reg [1:0]            complete_fe_q, complete_fe_d;
    reg [1:0]            complete_pipe_q, complete_pipe_d;
    reg [QUEUE_BITS-1:0] complete_queue_q, complete_queue_d;
    reg [EPOCH_BITS-1:0] complete_epoch_q, complete_epoch_d;
    reg [1:0]            complete_kind_q, complete_kind_d;
    reg [DRAW_BITS-1:0]  complete_draw_q, complete_draw_d;
    reg                  fault_q, fault_d;

    // Registers that reset leaves alone read 0 at start, as in the model.
    initial begin
        name_q           = {SLOT_BITS{1'b0}};
        write_slot_q     = {SLOT_BITS{1'b0}};
        write_word_q     = 64'd0;
        end_slot_q       = {SLOT_BITS{1'b0}};
        read_slot_q      = {SLOT_BITS{1'b0}};
        look_slot_q      = {SLOT_BITS{1'b0}};
        free_slot_q      = {SLOT_BITS{1'b0}};
        free_vgprs_q     = 7'd0;
        free_lds_q       = 9'd0;
        complete_fe_q    = 2'd0;
        complete_pipe_q  = 2'd0;
        complete_queue_q = {QUEUE_BITS{1'b0}};
        complete_epoch_q = {EPOCH_BITS{1'b0}};
        complete_kind_q  = WAVE_COMPUTE;
        complete_draw_q  = {DRAW_BITS{1'b0}};
    end

    assign table_write_enable = write_valid_q;
    assign table_write_addr   = write_slot_q;
    assign table_write_data   = write_word_q;
    assign table_read_enable  = read_valid_q;
    assign table_read_addr    = read_slot_q;
    assign free_valid         = free_valid_q;
    assign free_slot          = free_slot_q;
    assign free_vgprs         = free_vgprs_q;
    assign free_lds           = free_lds_q;
    assign complete_valid     = free_valid_q;
    assign complete_fe        = complete_fe_q;
    assign complete_pipe      = complete_pipe_q;
    assign complete_queue     = complete_queue_q;
    assign complete_epoch     = complete_epoch_q;
    assign complete_kind      = complete_kind_q;
    assign complete_draw      = complete_draw_q;
    assign free_kind          = complete_kind_q;
    assign fault              = fault_q;

    wire [SLOT_BITS-1:0] owner = table_read_data[NAME_AT +: SLOT_BITS];
    wire [6:0]           alive = live_q[owner*7 +: 7];

    // The lowest name without a living wave.
    reg                  spare_valid;
    reg [SLOT_BITS-1:0]  spare;
    reg [SLOT_BITS-1:0]  name_new;
    integer              n;

    always @* begin
        spare_valid = 1'b0;
        spare       = {SLOT_BITS{1'b0}};
        for (n = SLOTS - 1; n >= 0; n = n - 1)
            if (live_q[n*7 +: 7] == 7'd0) begin
                spare_valid = 1'b1;
                spare       = n[SLOT_BITS-1:0];
            end
    end

    always @* begin
        occupied_d   = occupied_q;
        live_d       = live_q;
        fault_d      = fault_q;

        // 1 Stage 1
        end_valid_d  = done_valid;
        end_slot_d   = done_valid ? done_slot : end_slot_q;

        // 2 Stage 2
        read_valid_d = end_valid_q && occupied_q[end_slot_q];
        read_slot_d  = end_valid_q ? end_slot_q : read_slot_q;
        if (end_valid_q) begin
            occupied_d[end_slot_q] = 1'b0;
            if (!occupied_q[end_slot_q])
                fault_d = 1'b1;
        end

        // 3 Stage 3
        look_valid_d = read_valid_q;
        look_slot_d  = read_valid_q ? read_slot_q : look_slot_q;

        // 4 End
        free_valid_d     = look_valid_q;
        free_slot_d      = free_slot_q;
        free_vgprs_d     = free_vgprs_q;
        free_lds_d       = free_lds_q;
        complete_fe_d    = complete_fe_q;
        complete_pipe_d  = complete_pipe_q;
        complete_queue_d = complete_queue_q;
        complete_epoch_d = complete_epoch_q;
        complete_kind_d  = complete_kind_q;
        complete_draw_d  = complete_draw_q;
        if (look_valid_q) begin
            free_slot_d      = look_slot_q;
            free_vgprs_d     = table_read_data[VGPRS_AT +: 7];
            free_lds_d       = alive == 7'd1 ? table_read_data[LDS_AT +: 9] : 9'd0;
            complete_fe_d    = table_read_data[FE_AT +: 2];
            complete_pipe_d  = table_read_data[PIPE_AT +: 2];
            complete_queue_d = table_read_data[QUEUE_AT +: QUEUE_BITS];
            complete_epoch_d = table_read_data[EPOCH_AT +: EPOCH_BITS];
            if (GRAPHICS != 0) begin
                complete_kind_d = table_read_data[KIND_AT +: 2];
                complete_draw_d = table_read_data[DRAW_AT +: DRAW_BITS];
            end
            if (alive == 7'd0)
                fault_d = 1'b1;
            else
                live_d[owner*7 +: 7] = alive - 7'd1;
        end

        // 5 Launch
        name_new      = alloc_first ? spare : name_q;
        name_d        = name_q;
        write_valid_d = alloc_valid;
        write_slot_d  = write_slot_q;
        write_word_d  = write_word_q;
        if (alloc_valid) begin
            write_slot_d = alloc_slot;
            write_word_d = 64'd0;
            write_word_d[LDS_AT +: 9]            = alloc_lds;
            write_word_d[VGPRS_AT +: 7]          = alloc_vgprs;
            write_word_d[FE_AT +: 2]             = alloc_fe;
            write_word_d[PIPE_AT +: 2]           = alloc_pipe;
            write_word_d[QUEUE_AT +: QUEUE_BITS] = alloc_queue;
            write_word_d[EPOCH_AT +: EPOCH_BITS] = alloc_epoch;
            write_word_d[NAME_AT +: SLOT_BITS]   = name_new;
            if (GRAPHICS != 0) begin
                write_word_d[KIND_AT +: 2]         = alloc_kind;
                write_word_d[DRAW_AT +: DRAW_BITS] = alloc_draw;
            end
            occupied_d[alloc_slot]               = 1'b1;
            if (alloc_first) begin
                name_d                = spare;
                live_d[spare*7 +: 7] = alloc_waves;
                if (!spare_valid)
                    fault_d = 1'b1;
            end
        end
    end

    always @(posedge clk) begin
        live_q           <= live_d;
        name_q           <= name_d;
        occupied_q       <= occupied_d;
        write_valid_q    <= write_valid_d;
        write_slot_q     <= write_slot_d;
        write_word_q     <= write_word_d;
        end_valid_q      <= end_valid_d;
        end_slot_q       <= end_slot_d;
        read_valid_q     <= read_valid_d;
        read_slot_q      <= read_slot_d;
        look_valid_q     <= look_valid_d;
        look_slot_q      <= look_slot_d;
        free_valid_q     <= free_valid_d;
        free_slot_q      <= free_slot_d;
        free_vgprs_q     <= free_vgprs_d;
        free_lds_q       <= free_lds_d;
        complete_fe_q    <= complete_fe_d;
        complete_pipe_q  <= complete_pipe_d;
        complete_queue_q <= complete_queue_d;
        complete_epoch_q <= complete_epoch_d;
        complete_kind_q  <= complete_kind_d;
        complete_draw_q  <= complete_draw_d;
        fault_q          <= fault_d;
        if (rst) begin
            live_q        <= {SLOTS*7{1'b0}};
            occupied_q    <= {SLOTS{1'b0}};
            write_valid_q <= 1'b0;
            end_valid_q   <= 1'b0;
            read_valid_q  <= 1'b0;
            look_valid_q  <= 1'b0;
            free_valid_q  <= 1'b0;
            fault_q       <= 1'b0;
        end
    end

    wire unused = &{1'b0, alloc_kind, alloc_draw, table_read_data[63:NAME_AT+SLOT_BITS],
                    table_read_data[NAME_AT-1:EPOCH_AT+EPOCH_BITS-1],
                        table_read_data[EPOCH_AT-1:QUEUE_AT+QUEUE_BITS-1]};
`ifdef FORMAL
`include "totem_retire_properties.vh"
`endif
endmodule

`default_nettype wire
