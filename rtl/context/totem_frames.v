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
// Proved    frames are a permutation (1); a register picked at will has in every set the value that operations, rolls
//           and hits give it (2); counts and length of a copy (3); no meeting in a bank (4); what writes a frame (5).
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

    localparam [1:0]            WRITE = 2'd0, CLEAR = 2'd1, READ = 2'd2, REFUSED = 2'd3;
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
    wire                     table_turn = table_held_q && !table_look_q && !issue &&
                                          !(op_count_q != 2'd0 && kind == CLEAR) &&
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
    wire        clear = op_count_q != 2'd0 && kind == CLEAR && !look_q && !want_q && !table_look_q;

    wire        take  = op_valid && op_ready;
    wire        wrong = op_kind == REFUSED || (!op_kind[0] && (op_index >> REGISTER_BITS) != 16'd0);

    wire [FRAME_BITS-1:0] hit_frame = frame_q[context_hit_set*FRAME_BITS +: FRAME_BITS];

    reg         start, stop, leave;
    reg [1:0]   last;
    integer     n, s;

    always @* begin
        op_kind_d        = op_kind_q;
        op_index_d       = op_index_q;
        op_data_d        = op_data_q;
        op_mask_d        = op_mask_q;
        look_d           = issue;
        want_d           = want_q;
        put_d            = 1'b0;
        put_frame_d      = put_frame_q;
        put_index_d      = put_index_q;
        put_data_d       = put_data_q;
        put_table_d      = 1'b0;
        table_held_d     = table_held_q;
        table_look_d     = table_turn;
        table_index_d    = table_index_q;
        table_data_d     = table_data_q;
        frame_d          = frame_q;
        spare_d          = spare_q;
        now_d            = now_q;
        fresh_d          = fresh_q;
        copying_d        = copying_q && !(&ended);
        copy_source_d    = copy_source_q;
        copy_target_d    = copy_target_q;
        copy_read_d      = copy_read_q;
        copy_done_d      = copy_done_q;
        copy_look_d      = copy_turn;
        copy_put_d       = copy_look_q;
        copy_data_d      = copy_data_q;
        read_valid_d     = 1'b0;
        read_data_d      = read_data_q;
        refused_d        = 1'b0;
        cleared_d        = 1'b0;
        written_d        = written_q;
        filtered_d       = filtered_q;
        exposed_clocks_d = exposed_clocks_q;
        start            = 1'b0;
        stop             = 1'b0;
        leave            = 1'b0;

        for (n = 0; n < BANKS; n = n + 1) begin
            if (copy_put_q[n])
                copy_done_d[n*COUNT_BITS +: COUNT_BITS] = copy_done_q[n*COUNT_BITS +: COUNT_BITS] + ONE;
            if (copy_turn[n])
                copy_read_d[n*COUNT_BITS +: COUNT_BITS] = copy_read_q[n*COUNT_BITS +: COUNT_BITS] + ONE;
            if (copy_look_q[n])
                copy_data_d[n*32 +: 32] = ram_read_data[n*32 +: 32];
        end

        if ((context_used || context_has_tag) && !fresh_q && !copying_q && !put_q && !roll && !context_hit_valid) begin
            start         = 1'b1;
            copy_source_d = now_q;
            copy_target_d = spare_q;
            fresh_d       = 1'b1;
        end

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

        if (look_q && kind == READ) begin
            read_valid_d = 1'b1;
            read_data_d  = old;
            leave        = 1'b1;
        end
        if (look_q && kind == WRITE) begin
            if (filter_enable && same) begin
                filtered_d = filtered_q + 32'd1;
                leave      = 1'b1;
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
                leave       = 1'b1;
                if (fresh_d) begin
                    fresh_d = 1'b0;
                    stop    = copying_d || start;
                end
            end
        end
        if (!look_q && !want_q && op_count_q != 2'd0 && kind == REFUSED) begin
            refused_d = 1'b1;
            leave     = 1'b1;
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
                leave         = 1'b1;
            end
        end
        if (want_q && !roll && !context_used)
            want_d = 1'b0;

        if (context_hit_valid && hit_frame != now_q) begin
            now_d = hit_frame;
            if (fresh_q) begin
                fresh_d = 1'b0;
                if (copying_q)
                    stop = 1'b1;
            end
        end

        if (roll) begin
            now_d   = spare_q;
            fresh_d = 1'b0;
            want_d  = 1'b0;
            for (n = 0; n < SETS; n = n + 1)
                if (context_roll_set == n[$clog2(SETS)-1:0]) begin
                    spare_d = frame_q[n*FRAME_BITS +: FRAME_BITS];
                    frame_d[n*FRAME_BITS +: FRAME_BITS] = spare_q;
                end
            if (want_q && kind == CLEAR) begin
                start         = 1'b1;
                stop          = 1'b0;
                copy_source_d = TABLE;
                copy_target_d = spare_q;
                cleared_d     = 1'b1;
                leave         = 1'b1;
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

        if (leave) begin
            op_kind_d[0 +: 4]                = op_kind_q[2 +: 4];
            op_index_d[0 +: 2*REGISTER_BITS] = op_index_q[REGISTER_BITS +: 2*REGISTER_BITS];
            op_data_d[0 +: 64]               = op_data_q[32 +: 64];
            op_mask_d[0 +: 64]               = op_mask_q[32 +: 64];
        end
        last = op_count_q - {1'b0, leave};
        for (n = 0; n < 3; n = n + 1)
            if (take && last == n[1:0]) begin
                op_kind_d[n*2 +: 2]                          = wrong ? REFUSED : op_kind;
                op_index_d[n*REGISTER_BITS +: REGISTER_BITS] = op_index[REGISTER_BITS-1:0];
                op_data_d[n*32 +: 32]                        = op_data;
                op_mask_d[n*32 +: 32]                        = op_mask;
            end
        op_count_d = last + {1'b0, take};

        if ((candidate && !there) || (clear && !context_used && hold) ||
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
    // A register f_x is picked at will; its bank is f_bank, its row f_row. f_word holds the RAM's word of it in every
    // frame, f_value what it is to be in every set: both follow the ports. An operation that left in the clock before
    // shows at the outputs.
    // Contract 1: frame and spare are a permutation of 0..SETS; now is the frame of the set that rolls and hits make
    //             current; the target of a copy is the spare if and only if fresh.
    // Contract 2: f_x has in every set the value f_value: in its frame, or in the source of a copy that has not done
    //             its row. Operations leave in their order, each once, and do what they are: READ answers with that
    //             value, a filtered WRITE changes nothing, while the filter is on no other WRITE changes nothing, none
    //             changes a used set. Without a cause to wait operation 0 leaves within two clocks, the next one a
    //             clock later. Every word for the table is written once.
    // Contract 3: counts of the copy; a row in every clock in which nobody else has the turn, the end three clocks
    //             after the last one. Copy-ahead starts as soon as the set is used or tagged and nothing is in its way.
    // Contract 4: put and copy_put never want the same bank; no word is read while it is written.
    // Contract 5: nothing but a WRITE, a CLEAR or a copy into a row that is not there writes the frame of a set.
    //             exposed_clocks counts the clocks in which something waits for a copy.
    // Assumed: the RAM gives back what was written. A hit, or a miss that wants a roll, comes only while idle and while
    // no operation is given, never both at once. The set of a roll is not the current one, and no draw uses it in the
    // clock after. A set becomes used only by a draw, which comes only while idle, or by a hit.
    initial assume (rst);
    (* anyconst *) wire [REGISTER_BITS-1:0] f_x;
    reg [(SETS+2)*32-1:0]       f_word;
    reg [SETS*32-1:0]           f_value;
    reg [$clog2(SETS)-1:0]      f_set;              // the current set
    reg                         f_seen;             // f_x was read in the clock before: frame and word
    reg [FRAME_BITS-1:0]        f_seen_frame;
    reg [31:0]                  f_seen_word;
    reg [4*2-1:0]               f_kind;             // operations as they were given, in a ring
    reg [4*16-1:0]              f_index;
    reg [4*32-1:0]              f_data, f_mask;
    reg [1:0]                   f_head, f_tail;
    reg                         f_table;            // a word for the table is under way
    reg [REGISTER_BITS-1:0]     f_table_index;
    reg [31:0]                  f_table_data;
    reg                         f_known = 1'b0;     // the last clock was without rst; the others are of that clock
    reg                         f_used, f_idle, f_filter, f_roll, f_moved, f_copying;
    reg [31:0]                  f_written, f_filtered, f_exposed;
    reg                         f_exposes;          // something waited for a copy
    reg                         f_ran, f_must;      // operation 0 had no cause to wait; in two clocks
    reg                         f_second, f_flows;  // operation 1 had none
    reg                         f_turn;             // the table had no cause to wait
    reg                         f_ahead;            // copy-ahead had none
    reg [COUNT_BITS-1:0]        f_free_q;           // clocks of the copy in which bank f_bank was free
    reg [1:0]                   f_over;             // clocks since the last row was read
    integer                     f_i, f_j;

    wire [BANK_BITS-1:0]  f_bank  = f_x[BANK_BITS-1:0];
    wire [ROW_BITS-1:0]   f_row   = f_x[REGISTER_BITS-1:BANK_BITS];
    wire                  f_rolls = (context_roll_want || roll_want) && context_roll_free && roll_room;
    wire [FRAME_BITS-1:0] f_frame = frame[f_set*FRAME_BITS +: FRAME_BITS];
    wire [31:0]           f_load  = f_word[(SETS+1)*32 +: 32];

    // What left.
    wire                  f_filters = filtered != f_filtered;
    wire [2:0]            f_leaves  = {2'd0, read_valid} + {2'd0, refused} + {2'd0, cleared} + {2'd0, changed} +
                                      {2'd0, f_filters};
    wire [1:0]            f_o_kind  = f_kind[f_head*2 +: 2];
    wire [15:0]           f_o_index = f_index[f_head*16 +: 16];
    wire [31:0]           f_o_data  = f_data[f_head*32 +: 32];
    wire [31:0]           f_o_mask  = f_mask[f_head*32 +: 32];
    wire                  f_o_bad   = f_o_kind == 2'd3 || (f_o_kind != 2'd1 && {16'd0, f_o_index} >= REGISTERS);
    wire                  f_o_mine  = f_o_index == {{(16-REGISTER_BITS){1'b0}}, f_x};
    wire [31:0]           f_before  = f_value[f_set*32 +: 32];
    wire [31:0]           f_after   = f_before ^ ((f_before ^ f_o_data) & f_o_mask);

    // Operations 0 and 1, from the ring.
    wire [1:0]            f_zero   = f_head + f_leaves[1:0];
    wire [1:0]            f_one    = f_zero + 2'd1;
    wire [1:0]            f_held   = f_tail - f_zero;
    wire [1:0]            f_kind0  = f_kind[f_zero*2 +: 2];
    wire [1:0]            f_kind1  = f_kind[f_one*2 +: 2];
    wire [15:0]           f_index0 = f_index[f_zero*16 +: 16];
    wire [15:0]           f_index1 = f_index[f_one*16 +: 16];
    wire                  f_bad0   = f_kind0 == 2'd3 || (f_kind0 != 2'd1 && {16'd0, f_index0} >= REGISTERS);
    wire                  f_bad1   = f_kind1 == 2'd3 || (f_kind1 != 2'd1 && {16'd0, f_index1} >= REGISTERS);
    wire                  f_move0  = f_held != 2'd0 && !f_bad0 && f_kind0 != 2'd1;
    wire                  f_move1  = f_held > 2'd1 && !f_bad1 && f_kind1 != 2'd1;
    wire                  f_clear0 = f_held != 2'd0 && f_kind0 == 2'd1;
    wire [BANK_BITS-1:0]  f_bank0  = f_index0[BANK_BITS-1:0];
    wire [BANK_BITS-1:0]  f_bank1  = f_index1[BANK_BITS-1:0];
    wire [BANK_BITS-1:0]  f_bank2  = put_index_q[BANK_BITS-1:0];
    wire [COUNT_BITS-1:0] f_row0   = {1'b0, f_index0[REGISTER_BITS-1:BANK_BITS]};
    wire [COUNT_BITS-1:0] f_row1   = {1'b0, f_index1[REGISTER_BITS-1:BANK_BITS]};
    wire [COUNT_BITS-1:0] f_row2   = {1'b0, put_index_q[REGISTER_BITS-1:BANK_BITS]};

    // Rows on which operations may not work: those that a copy into the current set, or out of it into another one, has
    // not done.
    wire                  f_away   = copying && copy_target != spare_q;
    wire                  f_part   = f_away && (copy_target == f_frame || copy_source_q == f_frame);
    wire                  f_there0 = !f_part || copy_done_q[f_bank0*COUNT_BITS +: COUNT_BITS] > f_row0;
    wire                  f_there1 = !f_part || copy_done_q[f_bank1*COUNT_BITS +: COUNT_BITS] > f_row1;
    wire                  f_there2 = !f_part || copy_done_q[f_bank2*COUNT_BITS +: COUNT_BITS] > f_row2;
    wire                  f_lacks0 = f_move0 && !look_q && !roll_want && !f_there0;
    wire                  f_lacks1 = f_move1 && look_q && !roll_want && !f_there1;
    wire                  f_stays  = f_clear0 && !roll_want && !table_look_q && !context_used && f_away &&
                                     copy_target != f_frame;
    wire                  f_cause  = roll_want || f_lacks0 || f_stays || (f_clear0 && table_look_q);
    wire                  f_pass0  = f_move0 && !look_q && !roll_want && f_there0;
    wire                  f_pass1  = f_move1 && look_q && !roll_want && f_there1;
    wire                  f_host   = table_held_q && !table_look_q && !f_pass0 && !f_pass1 && !f_clear0 &&
                                     !(copying && copy_source_q == SETS + 1);
    wire                  f_taken  = (f_pass0 && f_bank0 == f_bank) || (f_pass1 && f_bank1 == f_bank) ||
                                     (f_host && table_index_q[BANK_BITS-1:0] == f_bank);

    // The copy at the row of f_x.
    wire [COUNT_BITS-1:0] f_read   = copy_read_q[f_bank*COUNT_BITS +: COUNT_BITS];
    wire [COUNT_BITS-1:0] f_done   = copy_done_q[f_bank*COUNT_BITS +: COUNT_BITS];
    wire                  f_copied = {1'b0, f_row} < f_done;
    wire [31:0]           f_source = f_word[copy_source_q*32 +: 32];
    wire                  f_begins = copying && (!f_copying || cleared);
    wire [COUNT_BITS-1:0] f_free   = f_begins ? {COUNT_BITS{1'b0}} : f_free_q;
    reg                   f_all;
    wire                  f_looks  = look_q && op_index_q[REGISTER_BITS-1:0] == f_x;
    wire                  f_past   = past_q && past_frame_q == now_q && past_index_q == f_x;

    // Ports of the bank of f_x.
    wire [ADDR_BITS-1:0]  f_write_addr  = ram_write_addr[f_bank*ADDR_BITS +: ADDR_BITS];
    wire [ADDR_BITS-1:0]  f_read_addr   = ram_read_addr[f_bank*ADDR_BITS +: ADDR_BITS];
    wire [FRAME_BITS-1:0] f_write_frame = f_write_addr[ADDR_BITS-1:ROW_BITS];
    wire [FRAME_BITS-1:0] f_read_frame  = f_read_addr[ADDR_BITS-1:ROW_BITS];
    wire                  f_writes      = ram_write_enable[f_bank] && f_write_addr[ROW_BITS-1:0] == f_row;
    wire                  f_reads       = ram_read_enable[f_bank] && f_read_addr[ROW_BITS-1:0] == f_row;

    reg [(SETS+2)*32-1:0] f_word_d;
    reg [SETS*32-1:0]     f_value_d;

    always @* begin
        if (context_roll_want || context_hit_valid) assume (idle && !op_valid);
        assume (!(context_roll_want && context_hit_valid));
        if (context_roll_free) assume (context_roll_set != f_set);
        if (f_known && (f_roll || (!f_used && !f_idle && !f_moved))) assume (!context_used);
        if (f_seen) assume (ram_read_data[f_bank*32 +: 32] == f_seen_word);

        f_word_d = f_word;
        for (f_i = 0; f_i < SETS + 2; f_i = f_i + 1)
            if (f_writes && f_write_frame == f_i)
                f_word_d[f_i*32 +: 32] = ram_write_data[f_bank*32 +: 32];

        // The current set's value with what left, then of the set that a roll takes.
        f_value_d = f_value;
        for (f_i = 0; f_i < SETS; f_i = f_i + 1) begin
            if (f_set == f_i || (f_rolls && context_roll_set == f_i))
                f_value_d[f_i*32 +: 32] = cleared ? f_load : (changed && f_o_mine) ? f_after : f_before;
            if (rst)
                f_value_d[f_i*32 +: 32] = f_word_d[f_i*32 +: 32];
        end

        f_all = 1'b1;
        for (f_i = 0; f_i < BANKS; f_i = f_i + 1)
            if (copy_read_q[f_i*COUNT_BITS +: COUNT_BITS] != ROWS) f_all = 1'b0;
    end

    always @(posedge clk) begin
        f_word       <= f_word_d;
        f_value      <= f_value_d;
        f_set        <= f_rolls ? context_roll_set : context_hit_valid ? context_hit_set : f_set;
        f_seen       <= f_reads;
        f_seen_frame <= f_read_frame;
        f_seen_word  <= f_word[f_read_frame*32 +: 32];
        for (f_i = 0; f_i < 4; f_i = f_i + 1)
            if (op_valid && op_ready && f_tail == f_i) begin
                f_kind[f_i*2 +: 2]    <= op_kind;
                f_index[f_i*16 +: 16] <= op_index;
                f_data[f_i*32 +: 32]  <= op_data;
                f_mask[f_i*32 +: 32]  <= op_mask;
            end
        f_tail  <= f_tail + {1'b0, op_valid && op_ready};
        f_head  <= f_zero;
        f_table <= (table_valid && table_ready) || (f_table && !put_table_q);
        if (table_valid && table_ready) begin
            f_table_index <= table_index;
            f_table_data  <= table_data;
        end
        f_known    <= !rst;
        f_used     <= context_used;
        f_idle     <= idle;
        f_filter   <= filter_enable;
        f_roll     <= f_rolls;
        f_moved    <= f_rolls || context_hit_valid;
        f_copying  <= copying;
        f_written  <= written;
        f_filtered <= filtered;
        f_exposed  <= exposed_clocks;
        f_exposes  <= f_lacks0 || f_lacks1 || f_stays ||
                      ((roll_want || context_roll_want) && context_roll_free && f_away);
        f_ran      <= f_held != 2'd0 && !f_cause;
        f_must     <= f_held != 2'd0 && !f_cause && (!f_move0 || (f_ran && f_leaves == 3'd0));
        f_second   <= f_move0 && f_move1 && f_there1;
        f_flows    <= f_second && f_leaves != 3'd0;
        f_turn     <= f_host;
        f_ahead    <= (context_used || context_has_tag) && !copying && !fresh_q && !put_q && !f_rolls &&
                      !context_hit_valid;
        f_free_q   <= f_free + {{ROW_BITS{1'b0}}, copying && !f_taken && f_free != ROWS};
        f_over     <= (copying && f_all) ? f_over + 2'd1 : 2'd0;
        if (rst) begin
            f_set      <= 0;
            f_seen     <= 1'b0;
            f_head     <= 2'd0;
            f_tail     <= 2'd0;
            f_table    <= 1'b0;
            f_copying  <= 1'b0;
            f_filtered <= 32'd0;
            f_ran      <= 1'b0;
            f_must     <= 1'b0;
            f_second   <= 1'b0;
            f_flows    <= 1'b0;
            f_turn     <= 1'b0;
            f_ahead    <= 1'b0;
            f_over     <= 2'd0;
        end
    end

    always @*
        if (f_known && !rst) begin
            for (f_i = 0; f_i < SETS; f_i = f_i + 1) begin                                                      // 1
                assert (frame[f_i*FRAME_BITS +: FRAME_BITS] <= SETS && frame[f_i*FRAME_BITS +: FRAME_BITS] != spare_q);
                for (f_j = 0; f_j < f_i; f_j = f_j + 1)
                    assert (frame[f_i*FRAME_BITS +: FRAME_BITS] != frame[f_j*FRAME_BITS +: FRAME_BITS]);
            end
            assert (spare_q <= SETS && now_q == f_frame);
            if (copying) begin
                assert (copy_target <= SETS && copy_source_q <= SETS + 1);
                assert (copy_source_q != copy_target && copy_source_q != spare_q);
                assert (fresh_q == (copy_target == spare_q));
                if (fresh_q) assert (copy_source_q == now_q);
            end

            for (f_i = 0; f_i < SETS; f_i = f_i + 1)                                                            // 2
                if (!(cleared && f_set == f_i))
                    assert (f_value[f_i*32 +: 32] ==
                            ((copying && copy_target == frame[f_i*FRAME_BITS +: FRAME_BITS] && !f_copied)
                             ? f_source : f_word[frame[f_i*FRAME_BITS +: FRAME_BITS]*32 +: 32]));
            if (cleared) assert (copying && copy_target == f_frame && copy_source_q == SETS + 1 && !f_copied);
            assert (f_leaves <= 3'd1);
            if (f_leaves != 3'd0) assert (f_tail != f_head);
            assert (op_count_q == f_held && !(op_count_q == 2'd3 && f_leaves != 3'd0));
            assert (idle == (f_held == 2'd0 && !changed));
            if (read_valid) begin
                assert (f_o_kind == 2'd2 && !f_o_bad);
                if (f_o_mine) assert (read_data == f_before);
            end
            if (refused) assert (f_o_bad);
            if (cleared) assert (f_o_kind == 2'd1 && (f_roll || !f_used));
            if (changed) begin
                assert (f_o_kind == 2'd0 && !f_o_bad && f_o_index == {{(16-REGISTER_BITS){1'b0}}, put_index_q});
                assert (put_frame_q == f_frame && !f_used && !context_used);
                if (f_o_mine) assert (put_data_q == f_after && !(f_filter && f_after == f_before));
            end
            if (f_filters) begin
                assert (f_o_kind == 2'd0 && !f_o_bad && f_filter);
                if (f_o_mine) assert (f_after == f_before);
            end
            if (roll_want) assert (f_held != 2'd0 && !f_bad0 && f_kind0 != 2'd2);
            if (f_must) assert (f_leaves != 3'd0 || roll_want);
            if (f_flows) assert (f_leaves != 3'd0 || roll_want);
            assert (f_table == (table_held_q || put_table_q));
            if (put_table_q) begin
                assert (put_q && put_frame_q == SETS + 1);
                assert (put_index_q == f_table_index && put_data_q == f_table_data);
            end
            if (f_turn) assert (table_look_q);

            for (f_i = 0; f_i < BANKS; f_i = f_i + 1)                                                           // 3
                if (copying) begin
                    assert (copy_read_q[f_i*COUNT_BITS +: COUNT_BITS] <= ROWS);
                    assert (copy_read_q[f_i*COUNT_BITS +: COUNT_BITS] == copy_done_q[f_i*COUNT_BITS +: COUNT_BITS] +
                            {{ROW_BITS{1'b0}}, copy_look_q[f_i]} + {{ROW_BITS{1'b0}}, copy_put_q[f_i]});
                end else
                    assert (!copy_look_q[f_i] && !copy_put_q[f_i]);
            if (copying) assert (f_read == f_free);
            if (f_ahead && !changed && !cleared)
                assert (f_begins && copy_source_q == f_frame && copy_target == spare_q);
            if (copying && f_all) assert (f_over <= 2'd2);
            if (copying && f_all && f_over == 2'd2) assert (copy_look_q == 0 && copy_put_q == 0);
            if (copying && f_all && f_over == 2'd1) assert (copy_look_q == 0);

            for (f_i = 0; f_i < BANKS; f_i = f_i + 1) begin                                                     // 4
                assert (!(put_q && put_index_q[BANK_BITS-1:0] == f_i && copy_put_q[f_i]));
                assert (!(ram_write_enable[f_i] && ram_read_enable[f_i] &&
                          ram_write_addr[f_i*ADDR_BITS +: ADDR_BITS] == ram_read_addr[f_i*ADDR_BITS +: ADDR_BITS]));
            end

            if (f_writes) begin                                                                                 // 5
                assert (f_write_frame <= SETS + 1);
                if (f_write_frame == SETS + 1) assert (put_table_q);
                else if (f_write_frame != spare_q) assert ((changed && f_o_mine && f_write_frame == f_frame) ||
                                                           (copying && copy_target == f_write_frame && !f_copied));
            end
            assert (written == f_written + {31'd0, changed} && exposed_clocks == f_exposed + {31'd0, f_exposes});

            // helpers: the stages
            for (f_i = 0; f_i < 3; f_i = f_i + 1)
                if (op_count_q > f_i) begin
                    f_j = (f_zero + f_i) % 4;
                    assert (op_kind_q[f_i*2 +: 2] == f_kind[f_j*2 +: 2] || op_kind_q[f_i*2 +: 2] == 2'd3);
                    assert ((op_kind_q[f_i*2 +: 2] == 2'd3) ==
                            (f_kind[f_j*2 +: 2] == 2'd3 ||
                             (f_kind[f_j*2 +: 2] != 2'd1 && {16'd0, f_index[f_j*16 +: 16]} >= REGISTERS)));
                    assert (op_index_q[f_i*REGISTER_BITS +: REGISTER_BITS] == f_index[f_j*16 +: REGISTER_BITS]);
                    assert (op_data_q[f_i*32 +: 32] == f_data[f_j*32 +: 32]);
                    assert (op_mask_q[f_i*32 +: 32] == f_mask[f_j*32 +: 32]);
                end
            if (look_q) assert (f_move0 && !roll_want && !table_look_q && f_there0);
            if (table_look_q) assert (table_held_q);
            if (table_held_q) assert (table_index_q == f_table_index && table_data_q == f_table_data);
            if (table_look_q || put_table_q) assert (!(copying && copy_source_q == SETS + 1));
            if (changed) assert (!fresh_q && f_there2);
            for (f_i = 0; f_i < BANKS; f_i = f_i + 1)
                if (copy_look_q[f_i])
                    assert (!(look_q && f_bank0 == f_i) && !(table_look_q && table_index_q[BANK_BITS-1:0] == f_i));
            // helpers: the word of f_x on its way
            if (past_q && past_index_q == f_x)
                assert (past_frame_q <= SETS + 1 && past_data_q == f_word[past_frame_q*32 +: 32]);
            if (f_looks && !f_past)
                assert (f_seen && f_seen_frame == now_q && f_seen_word == f_word[now_q*32 +: 32]);
            if (copy_look_q[f_bank] && f_read == {1'b0, f_row} + 1)
                assert (f_seen && f_seen_frame == copy_source_q && f_seen_word == f_source);
            if (copy_put_q[f_bank] && f_done == {1'b0, f_row}) assert (copy_data_q[f_bank*32 +: 32] == f_source);
            if (fresh_q && (!copying || f_copied)) assert (f_word[spare_q*32 +: 32] == f_word[now_q*32 +: 32]);

            cover (f_rolls && copying && roll_want);
            cover (f_rolls && copying && context_roll_want);
            cover (f_lacks0 && copy_target == f_frame);
            cover (f_lacks0 && copy_target != f_frame);
            cover (f_copying && !copying && f_moved && !f_roll && !f_all);      // a hit stops a copy
            cover (cleared && f_copying && !f_roll);                            // CLEAR in place during a copy
            cover (changed && f_looks && f_o_mine);                             // forwarding
            cover (f_past && !put_q && f_looks);
            cover (fresh_q && !copying && f_rolls);
            cover (read_valid && f_o_mine && f_before != f_load && f_before != 32'd0);
        end
`endif
endmodule

`default_nettype wire
