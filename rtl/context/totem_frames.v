// SPDX-License-Identifier: Apache-2.0
//
// totem_frames: the context registers of a graphics pipe, SETS sets in SETS + 2 frames of block RAM.
//
// Policy    read, change, write: operations on the current set in their order, one a clock, with forwarding of the last
//           two words. Every bank has one turn a clock: operations first, then the table, then the copy.
// Latency   a WRITE is in the RAM at the end of the third clock after it was taken, a READ is answered in that clock.
//           A copy takes ROWS + 3 clocks, and one more for every turn that it does not get.
// Boundary  the banks are outside, with MEETS 0. totem_context says which set is current and which set a roll takes.
// Cost      a bank: 2*(ROW_BITS + 1) + 34 flip-flops and (SETS + 2)*ROWS words of 32 bits of RAM. A set: the number
//           of its frame. An operation held: 66 + REGISTER_BITS flip-flops.
// Proved    frames are a permutation (1); any register has in every set the value that operations, rolls and hits give
//           it (2); what operations do (3) and how soon (4); the table (5); counts and length of a copy (6); no meeting
//           in a bank (7); what writes a frame (8); statistics (9).
// Twin      cmodel/context/totem_frames.c, same names.

`default_nettype none

module totem_frames #(
    parameter SETS      = 8,                // a power of two, 2 to 16
    parameter BANKS     = 16,               // a power of two, from 2: registers that a copy moves in a clock
    parameter REGISTERS = 1024              // a power of two, 2*BANKS to 65536
) (
    input  wire                                                       clk,
    input  wire                                                       rst,
    // sender
    input  wire                                                       op_valid,
    output wire                                                       op_ready,
    input  wire [1:0]                                                 op_kind,
    input  wire [15:0]                                                op_index,
    input  wire [31:0]                                                op_data,
    input  wire [31:0]                                                op_mask,
    input  wire                                                       filter_enable,
    output wire                                                       idle,
    output wire                                                       read_valid,
    output wire [31:0]                                                read_data,
    output wire                                                       refused,
    // host
    input  wire                                                       table_valid,
    output wire                                                       table_ready,
    input  wire [$clog2(REGISTERS)-1:0]                               table_index,
    input  wire [31:0]                                                table_data,
    // context
    input  wire                                                       context_used,
    input  wire                                                       context_has_tag,
    input  wire                                                       context_roll_want,
    input  wire                                                       context_roll_free,
    input  wire [$clog2(SETS)-1:0]                                    context_roll_set,
    input  wire                                                       context_hit_valid,
    input  wire [$clog2(SETS)-1:0]                                    context_hit_set,
    output wire                                                       roll_want,
    output wire                                                       roll_room,
    output wire                                                       changed,
    output wire                                                       cleared,
    output wire [SETS*$clog2(SETS+2)-1:0]                             frame,
    output wire                                                       copying,
    output wire [$clog2(SETS+2)-1:0]                                  copy_target,
    // statistics
    output wire [31:0]                                                written,
    output wire [31:0]                                                filtered,
    output wire [31:0]                                                exposed_clocks,
    // banks
    output wire [BANKS-1:0]                                           ram_write_enable,
    output wire [BANKS*($clog2(SETS+2)+$clog2(REGISTERS/BANKS))-1:0]  ram_write_addr,
    output wire [BANKS*32-1:0]                                        ram_write_data,
    output wire [BANKS-1:0]                                           ram_read_enable,
    output wire [BANKS*($clog2(SETS+2)+$clog2(REGISTERS/BANKS))-1:0]  ram_read_addr,
    input  wire [BANKS*32-1:0]                                        ram_read_data
);
`include "totem_frames_values.vh"
    localparam ROWS          = REGISTERS / BANKS;
    localparam FRAME_BITS    = $clog2(SETS + 2);
    localparam BANK_BITS     = $clog2(BANKS);
    localparam ROW_BITS      = $clog2(ROWS);
    localparam COUNT_BITS    = ROW_BITS + 1;
    localparam ADDR_BITS     = FRAME_BITS + ROW_BITS;
    localparam REGISTER_BITS = $clog2(REGISTERS);

    generate
        if (SETS < 2 || SETS > 16 || SETS != (1 << $clog2(SETS)) || BANKS < 2 || BANKS != (1 << BANK_BITS) ||
            REGISTERS < 2*BANKS || REGISTERS > 65536 || REGISTERS != (1 << REGISTER_BITS)) begin : check
            totem_frames_needs_SETS_2_to_16_BANKS_from_2_and_REGISTERS_2_x_BANKS_to_65536_all_powers_of_two refuse ();
        end
    endgenerate

    localparam [31:0]           SPARE_AT = SETS, TABLE_AT = SETS + 1;
    localparam [FRAME_BITS-1:0] SPARE = SPARE_AT[FRAME_BITS-1:0], TABLE = TABLE_AT[FRAME_BITS-1:0];
    localparam [COUNT_BITS-1:0] ALL = {1'b1, {ROW_BITS{1'b0}}}, ONE = {{ROW_BITS{1'b0}}, 1'b1};

    reg [1:0]                   op_count_q, op_count_d;
    reg [3*2-1:0]               op_kind_q, op_kind_d;
    reg [3*REGISTER_BITS-1:0]   op_index_q, op_index_d;
    reg [3*32-1:0]              op_data_q, op_data_d;
    reg [3*32-1:0]              op_mask_q, op_mask_d;
    reg                         look_q, look_d;
    reg                         want_q, want_d;
    reg                         put_q, put_d;
    reg [FRAME_BITS-1:0]        put_frame_q, put_frame_d;
    reg [REGISTER_BITS-1:0]     put_index_q, put_index_d;
    reg [31:0]                  put_data_q, put_data_d;
    reg                         put_table_q, put_table_d;
    reg                         past_q;
    reg [FRAME_BITS-1:0]        past_frame_q;
    reg [REGISTER_BITS-1:0]     past_index_q;
    reg [31:0]                  past_data_q;
    reg                         table_held_q, table_held_d;
    reg                         table_look_q, table_look_d;
    reg [REGISTER_BITS-1:0]     table_index_q, table_index_d;
    reg [31:0]                  table_data_q, table_data_d;
    reg [SETS*FRAME_BITS-1:0]   frame_q, frame_d;
    reg [FRAME_BITS-1:0]        spare_q, spare_d;
    reg [FRAME_BITS-1:0]        now_q, now_d;
    reg                         fresh_q, fresh_d;
    reg                         copying_q, copying_d;
    reg [FRAME_BITS-1:0]        copy_source_q, copy_source_d;
    reg [FRAME_BITS-1:0]        copy_target_q, copy_target_d;
    reg [BANKS*COUNT_BITS-1:0]  copy_read_q, copy_read_d;
    reg [BANKS*COUNT_BITS-1:0]  copy_done_q, copy_done_d;
    reg [BANKS-1:0]             copy_look_q, copy_look_d;
    reg [BANKS-1:0]             copy_put_q, copy_put_d;
    reg [BANKS*32-1:0]          copy_data_q, copy_data_d;
    reg                         read_valid_q, read_valid_d;
    reg [31:0]                  read_data_q, read_data_d;
    reg                         refused_q, refused_d;
    reg                         cleared_q, cleared_d;
    reg [31:0]                  written_q, written_d;
    reg [31:0]                  filtered_q, filtered_d;
    reg [31:0]                  exposed_clocks_q, exposed_clocks_d;

    // Registers that reset leaves alone read 0 at start, as in the model.
    initial begin
        op_kind_q     = 0; op_index_q    = 0; op_data_q    = 0; op_mask_q  = 0;
        put_frame_q   = 0; put_index_q   = 0; put_data_q   = 0;
        past_frame_q  = 0; past_index_q  = 0; past_data_q  = 0;
        table_index_q = 0; table_data_q  = 0;
        copy_source_q = 0; copy_target_q = 0; copy_read_q  = 0; copy_done_q = 0; copy_data_q = 0;
        read_data_q   = 0;
    end

    assign op_ready       = op_count_q != 2'd3;
    assign idle           = op_count_q == 2'd0 && (!put_q || put_table_q);
    assign read_valid     = read_valid_q;
    assign read_data      = read_data_q;
    assign refused        = refused_q;
    assign table_ready    = !table_held_q;
    assign roll_want      = want_q;
    assign roll_room      = !copying_q || fresh_q;
    assign changed        = put_q && !put_table_q;
    assign cleared        = cleared_q;
    assign frame          = frame_q;
    assign copying        = copying_q;
    assign copy_target    = copy_target_q;
    assign written        = written_q;
    assign filtered       = filtered_q;
    assign exposed_clocks = exposed_clocks_q;

    // Operation 0, and the next one to be issued.
    wire [1:0]               kind       = op_kind_q[1:0];
    wire [REGISTER_BITS-1:0] index      = op_index_q[REGISTER_BITS-1:0];
    wire [31:0]              data       = op_data_q[31:0];
    wire [31:0]              mask       = op_mask_q[31:0];
    wire                     waiting    = op_count_q > {1'b0, look_q};
    wire                     next_moves = look_q ? !op_kind_q[2] : !kind[0];    // READ or WRITE
    wire [REGISTER_BITS-1:0] next_index = look_q ? op_index_q[REGISTER_BITS +: REGISTER_BITS] : index;
    wire [BANK_BITS-1:0]     next_bank  = next_index[BANK_BITS-1:0];
    wire [ROW_BITS-1:0]      next_row   = next_index[REGISTER_BITS-1:BANK_BITS];

    // A copy into the current set, or (after a hit) out of it into a set that was left, keeps operations off the rows
    // that it has not done. Copy-ahead does not: a write in place stops it.
    wire                     guarded    = copying_q && (copy_target_q == now_q || (copy_source_q == now_q && !fresh_q));
    wire [COUNT_BITS-1:0]    next_done  = copy_done_q[next_bank*COUNT_BITS +: COUNT_BITS];
    wire                     there      = !guarded || {1'b0, next_row} < next_done;
    wire                     candidate  = waiting && next_moves && !want_q;
    wire                     issue      = candidate && there;
    wire                     lacks      = candidate && !there;
    wire                     table_turn = table_held_q && !table_look_q && !issue &&
                                          !(op_count_q != 2'd0 && kind == OP_CLEAR) &&
                                          !(copying_q && copy_source_q == TABLE);
    wire                     meets      = put_q && put_frame_q == now_q && put_index_q == next_index;

    wire [ROW_BITS-1:0]      put_row    = put_index_q[REGISTER_BITS-1:BANK_BITS];
    wire [BANKS-1:0]         copy_turn;
    wire [BANKS-1:0]         ended;

    genvar b;
    generate
        for (b = 0; b < BANKS; b = b + 1) begin : bank
            wire                  issue_here = issue && next_bank == b;
            wire                  table_here = table_turn && table_index_q[BANK_BITS-1:0] == b;
            wire                  put_here   = put_q && put_index_q[BANK_BITS-1:0] == b;
            wire [COUNT_BITS-1:0] rows_read  = copy_read_q[b*COUNT_BITS +: COUNT_BITS];
            wire [COUNT_BITS-1:0] rows_done  = copy_done_q[b*COUNT_BITS +: COUNT_BITS];

            assign copy_turn[b] = copying_q && rows_read < ALL && !issue_here && !table_here;
            assign ended[b]     = rows_done == ALL;

            assign ram_read_enable[b]                       = copy_turn[b] || (issue_here && !meets);
            assign ram_read_addr[b*ADDR_BITS +: ADDR_BITS]  = issue_here ? {now_q, next_row}
                                                                         : {copy_source_q, rows_read[ROW_BITS-1:0]};
            assign ram_write_enable[b]                      = put_here || copy_put_q[b];
            assign ram_write_addr[b*ADDR_BITS +: ADDR_BITS] = put_here ? {put_frame_q, put_row}
                                                                       : {copy_target_q, rows_done[ROW_BITS-1:0]};
            assign ram_write_data[b*32 +: 32]               = put_here ? put_data_q : copy_data_q[b*32 +: 32];
        end
    endgenerate

    wire        roll  = (context_roll_want || want_q) && context_roll_free && roll_room;

    // The register of operation 0: two words may be on their way to it.
    wire [31:0] old   = (put_q && put_frame_q == now_q && put_index_q == index)    ? put_data_q
                      : (past_q && past_frame_q == now_q && past_index_q == index) ? past_data_q
                      : ram_read_data[{index[BANK_BITS-1:0], 5'd0} +: 32];
    wire [31:0] value = (old & ~mask) | (data & mask);
    wire        same  = ((old ^ data) & mask) == 32'd0;

    // CLEAR may not start while the copy into another set runs: there is one copy at a time.
    wire        hold  = copying_q && !fresh_q && copy_target_q != now_q;
    wire        clear = op_count_q != 2'd0 && kind == OP_CLEAR && !look_q && !want_q && !table_look_q;
    wire        clear_waits = clear && !context_used && hold;

    wire        take  = op_valid && op_ready;
    wire        wrong = op_kind == OP_REFUSED || (!op_kind[0] && (op_index >> REGISTER_BITS) != 16'd0);

    wire [FRAME_BITS-1:0] hit_frame = frame_q[context_hit_set*FRAME_BITS +: FRAME_BITS];

    reg         start, stop, leaves;
    reg [1:0]   last;
    integer     n, s;

    always @* begin
        op_kind_d        = op_kind_q;
        op_index_d       = op_index_q;
        op_data_d        = op_data_q;
        op_mask_d        = op_mask_q;
        want_d           = want_q;
        put_frame_d      = put_frame_q;
        put_index_d      = put_index_q;
        put_data_d       = put_data_q;
        table_held_d     = table_held_q;
        table_index_d    = table_index_q;
        table_data_d     = table_data_q;
        frame_d          = frame_q;
        spare_d          = spare_q;
        now_d            = now_q;
        fresh_d          = fresh_q;
        copy_source_d    = copy_source_q;
        copy_target_d    = copy_target_q;
        copy_read_d      = copy_read_q;
        copy_done_d      = copy_done_q;
        copy_data_d      = copy_data_q;
        read_data_d      = read_data_q;
        written_d        = written_q;
        filtered_d       = filtered_q;
        exposed_clocks_d = exposed_clocks_q;
        start            = 1'b0;
        stop             = 1'b0;
        leaves           = 1'b0;

        // 1 Past, continued
        put_d        = 1'b0;
        put_table_d  = 1'b0;
        read_valid_d = 1'b0;
        refused_d    = 1'b0;
        cleared_d    = 1'b0;

        // 2 Copy
        copying_d   = copying_q && !(&ended);
        copy_look_d = copy_turn;
        copy_put_d  = copy_look_q;
        for (n = 0; n < BANKS; n = n + 1) begin
            if (copy_put_q[n])
                copy_done_d[n*COUNT_BITS +: COUNT_BITS] = copy_done_q[n*COUNT_BITS +: COUNT_BITS] + ONE;
            if (copy_turn[n])
                copy_read_d[n*COUNT_BITS +: COUNT_BITS] = copy_read_q[n*COUNT_BITS +: COUNT_BITS] + ONE;
            if (copy_look_q[n])
                copy_data_d[n*32 +: 32] = ram_read_data[n*32 +: 32];
        end

        // 3 Copy-ahead
        if ((context_used || context_has_tag) && !fresh_q && !copying_q && !put_q && !roll && !context_hit_valid) begin
            start         = 1'b1;
            copy_source_d = now_q;
            copy_target_d = spare_q;
            fresh_d       = 1'b1;
        end

        // 4 Table
        table_look_d = table_turn;
        if (table_look_q) begin
            put_d        = 1'b1;
            put_table_d  = 1'b1;
            put_frame_d  = TABLE;
            put_index_d  = table_index_q;
            put_data_d   = table_data_q;
            table_held_d = 1'b0;
        end
        if (table_valid && table_ready) begin
            table_held_d  = 1'b1;
            table_index_d = table_index;
            table_data_d  = table_data;
        end

        // 5 Issue
        look_d = issue;

        // 6 Operation 0
        if (look_q && kind == OP_READ) begin
            read_valid_d = 1'b1;
            read_data_d  = old;
            leaves       = 1'b1;
        end
        if (look_q && kind == OP_WRITE) begin
            if (filter_enable && same) begin
                filtered_d = filtered_q + 32'd1;
                leaves     = 1'b1;
            end else if (context_used) begin
                want_d = 1'b1;
                look_d = 1'b0;
            end else begin
                put_d       = 1'b1;
                put_table_d = 1'b0;
                put_frame_d = now_q;
                put_index_d = index;
                put_data_d  = value;
                written_d   = written_q + 32'd1;
                leaves      = 1'b1;
                if (fresh_d) begin
                    fresh_d = 1'b0;
                    stop    = copying_d || start;
                end
            end
        end
        if (!look_q && !want_q && op_count_q != 2'd0 && kind == OP_REFUSED) begin
            refused_d = 1'b1;
            leaves    = 1'b1;
        end
        if (clear) begin
            if (context_used)
                want_d = 1'b1;
            else if (!hold) begin
                start         = 1'b1;
                copy_source_d = TABLE;
                copy_target_d = now_q;
                fresh_d       = 1'b0;
                cleared_d     = 1'b1;
                leaves        = 1'b1;
            end
        end
        if (want_q && !roll && !context_used)
            want_d = 1'b0;

        // 7 Hit
        if (context_hit_valid && hit_frame != now_q) begin
            now_d = hit_frame;
            if (fresh_q) begin
                fresh_d = 1'b0;
                if (copying_q)
                    stop = 1'b1;
            end
        end

        // 8 Roll
        if (roll) begin
            now_d   = spare_q;
            fresh_d = 1'b0;
            want_d  = 1'b0;
            for (n = 0; n < SETS; n = n + 1)
                if (context_roll_set == n[$clog2(SETS)-1:0]) begin
                    spare_d = frame_q[n*FRAME_BITS +: FRAME_BITS];
                    frame_d[n*FRAME_BITS +: FRAME_BITS] = spare_q;
                end
            if (want_q && kind == OP_CLEAR) begin
                start         = 1'b1;
                stop          = 1'b0;
                copy_source_d = TABLE;
                copy_target_d = spare_q;
                cleared_d     = 1'b1;
                leaves        = 1'b1;
            end else if (!fresh_q) begin
                start         = 1'b1;
                stop          = 1'b0;
                copy_source_d = now_q;
                copy_target_d = spare_q;
            end
        end

        // What a start sets stays set if a later rule stops that copy again.
        if (start) begin
            copying_d   = 1'b1;
            copy_read_d = {BANKS*COUNT_BITS{1'b0}};
            copy_done_d = {BANKS*COUNT_BITS{1'b0}};
        end
        if (stop)
            copying_d = 1'b0;
        if (start || stop) begin
            copy_look_d = {BANKS{1'b0}};
            copy_put_d  = {BANKS{1'b0}};
        end

        // 9 Queue
        if (leaves) begin
            op_kind_d[0 +: 4]                = op_kind_q[2 +: 4];
            op_index_d[0 +: 2*REGISTER_BITS] = op_index_q[REGISTER_BITS +: 2*REGISTER_BITS];
            op_data_d[0 +: 64]               = op_data_q[32 +: 64];
            op_mask_d[0 +: 64]               = op_mask_q[32 +: 64];
        end
        last = op_count_q - {1'b0, leaves};
        for (n = 0; n < 3; n = n + 1)
            if (take && last == n[1:0]) begin
                op_kind_d[n*2 +: 2]                          = wrong ? OP_REFUSED : op_kind;
                op_index_d[n*REGISTER_BITS +: REGISTER_BITS] = op_index[REGISTER_BITS-1:0];
                op_data_d[n*32 +: 32]                        = op_data;
                op_mask_d[n*32 +: 32]                        = op_mask;
            end
        op_count_d = last + {1'b0, take};

        // 10 Statistics
        if (lacks || clear_waits ||
            ((want_q || context_roll_want) && context_roll_free && !roll_room))
            exposed_clocks_d = exposed_clocks_q + 32'd1;
    end

    always @(posedge clk) begin
        op_count_q       <= op_count_d;
        op_kind_q        <= op_kind_d;
        op_index_q       <= op_index_d;
        op_data_q        <= op_data_d;
        op_mask_q        <= op_mask_d;
        look_q           <= look_d;
        want_q           <= want_d;
        put_q            <= put_d;
        put_frame_q      <= put_frame_d;
        put_index_q      <= put_index_d;
        put_data_q       <= put_data_d;
        put_table_q      <= put_table_d;
        // 1 Past
        past_q           <= put_q;
        past_frame_q     <= put_frame_q;
        past_index_q     <= put_index_q;
        past_data_q      <= put_data_q;
        table_held_q     <= table_held_d;
        table_look_q     <= table_look_d;
        table_index_q    <= table_index_d;
        table_data_q     <= table_data_d;
        frame_q          <= frame_d;
        spare_q          <= spare_d;
        now_q            <= now_d;
        fresh_q          <= fresh_d;
        copying_q        <= copying_d;
        copy_source_q    <= copy_source_d;
        copy_target_q    <= copy_target_d;
        copy_read_q      <= copy_read_d;
        copy_done_q      <= copy_done_d;
        copy_look_q      <= copy_look_d;
        copy_put_q       <= copy_put_d;
        copy_data_q      <= copy_data_d;
        read_valid_q     <= read_valid_d;
        read_data_q      <= read_data_d;
        refused_q        <= refused_d;
        cleared_q        <= cleared_d;
        written_q        <= written_d;
        filtered_q       <= filtered_d;
        exposed_clocks_q <= exposed_clocks_d;
        if (rst) begin
            op_count_q       <= 2'd0;
            look_q           <= 1'b0;
            want_q           <= 1'b0;
            put_q            <= 1'b0;
            put_table_q      <= 1'b0;
            past_q           <= 1'b0;
            table_held_q     <= 1'b0;
            table_look_q     <= 1'b0;
            for (s = 0; s < SETS; s = s + 1)
                frame_q[s*FRAME_BITS +: FRAME_BITS] <= s[FRAME_BITS-1:0];
            spare_q          <= SPARE;
            now_q            <= {FRAME_BITS{1'b0}};
            fresh_q          <= 1'b0;
            copying_q        <= 1'b0;
            copy_look_q      <= {BANKS{1'b0}};
            copy_put_q       <= {BANKS{1'b0}};
            read_valid_q     <= 1'b0;
            refused_q        <= 1'b0;
            cleared_q        <= 1'b0;
            written_q        <= 32'd0;
            filtered_q       <= 32'd0;
            exposed_clocks_q <= 32'd0;
        end
    end

`ifdef FORMAL
`include "totem_frames_properties.vh"
`endif
endmodule

`default_nettype wire
