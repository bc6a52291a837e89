// SPDX-License-Identifier: Apache-2.0
//
// totem_bank: compute registers of a pipe's queues, and what a dispatch needs of them at hand.
//
// Policy    registers live in a RAM beside the block; the selected queue's share that a dispatch
//           needs stands in flip-flops. Derived values are computed when registers are written and
//           kept in words of the RAM that no register uses (DERIVED, THREADS), so a switch only reads.
//           One multiplier serves all queues, selected or not: a switch neither waits for it nor
//           throws away what it has done (STAGE of every queue).
// Latency   go to loaded: 10 clocks, 18 with an unfinished grid, at most 22 (property 5); a save 7;
//           threads: 7 clocks and one for each bit of NUM_THREAD_Y and Z; those of the 7 partial groups
//           behind them, 6 clocks and their bits each. Clearing at mapping: 128 clocks in the background.
// Boundary  ram_read_data is a flip-flop of the RAM; it shows one clock later what was asked for.
//           No word is read while it is written (the RAM may have MEETS 0): property 1.
// Cost      about 500 flip-flops; QUEUES costs RAM words and nine flip-flops each.
// Twin      cmodel/packet/totem_bank.c, same names.

`default_nettype none
`include "totem_pm4.vh"

module totem_bank #(
    parameter QUEUES   = 8,                 // a power of two, 2 to 8
    parameter SE_COUNT = 4                  // 1 to 4
) (
    input  wire                        clk,
    input  wire                        rst,
    // hqd
    input  wire                        load_valid,
    input  wire [$clog2(QUEUES)-1:0]   load_queue,
    input  wire [4:0]                  load_kind,
    input  wire [39:0]                 load_data,
    // arbiter
    input  wire                        arbiter_go,
    input  wire [$clog2(QUEUES)-1:0]   arbiter_selected,
    // packet
    input  wire                        packet_write,
    input  wire [6:0]                  packet_offset,
    input  wire [31:0]                 packet_data,
    input  wire                        packet_save,
    input  wire                        packet_forget,
    input  wire                        packet_start,
    input  wire [63:0]                 packet_start_end,
    output wire                        loaded,
    output wire                        busy,
    output wire [QUEUES-1:0]           prepared,
    output wire [12:0]                 threads,
    output wire [1:0]                  partial,
    output wire [6:0]                  vgprs,
    output wire [8:0]                  lds,
    output wire [SE_COUNT-1:0]         engines,
    output wire [31:0]                 initiator,
    // walker
    input  wire [63:0]                 walker_low,
    input  wire [6:0]                  walker_mask,
    output wire [63:0]                 origin,
    output wire [63:0]                 restart,
    output wire [6:0]                  restart_mask,
    output wire [63:0]                 restart_end,
    output wire [63:0]                 restart_origin,
    // divide
    input  wire                        divide_read,
    input  wire [1:0]                  divide_read_place,
    // dispatch controller
    output wire [39:0]                 program_addr,
    output wire [3:0]                  words,
    // launch state RAMs
    output wire                        state_low_write_enable,
    output wire [$clog2(QUEUES)+3:0]   state_low_write_addr,
    output wire [31:0]                 state_low_write_data,
    output wire                        state_high_write_enable,
    output wire [$clog2(QUEUES)+3:0]   state_high_write_addr,
    output wire [31:0]                 state_high_write_data,
    // register RAM
    output reg                         ram_write_enable,
    output reg  [$clog2(QUEUES)+6:0]   ram_write_addr,
    output reg  [31:0]                 ram_write_data,
    output wire                        ram_read_enable,
    output wire [$clog2(QUEUES)+6:0]   ram_read_addr,
    input  wire [31:0]                 ram_read_data,
    // mqd
    input  wire                        mqd_valid,
    input  wire                        mqd_write,
    input  wire [$clog2(QUEUES)-1:0]   mqd_queue,
    input  wire [6:0]                  mqd_offset,
    input  wire [31:0]                 mqd_data,
    output wire                        mqd_ready,
    output wire                        mqd_answer
);
`include "totem_hqd_values.vh"
    localparam QBITS = $clog2(QUEUES);

    generate
        if (QUEUES < 2 || QUEUES > 8 || QUEUES != (1 << QBITS) || SE_COUNT < 1 || SE_COUNT > 4) begin : check
            totem_bank_needs_QUEUES_2_4_or_8_and_SE_COUNT_1_to_4 refused ();
        end
    endgenerate

    localparam [6:0] INITIATOR = 7'h00, DIM_X = 7'h01, DIM_Y = 7'h02, DIM_Z = 7'h03;
    localparam [6:0] START_X = 7'h04, START_Y = 7'h05, START_Z = 7'h06;
    localparam [6:0] NUM_THREAD_X = 7'h07, NUM_THREAD_Y = 7'h08, NUM_THREAD_Z = 7'h09;
    localparam [6:0] PGM_LO = 7'h0c, PGM_HI = 7'h0d, RSRC1 = 7'h12, RSRC2 = 7'h13, RSRC3 = 7'h28;
    localparam [6:0] MGMT_SE0 = 7'h16, MGMT_SE1 = 7'h17, MGMT_SE2 = 7'h19, MGMT_SE3 = 7'h1a;
    localparam [3:0] WORDS = 4'd1, FULL = 4'd2, LAST = 4'd9;   // stages; from 3 on the table
    localparam [3:0] IDLE = 4'd0, RESULT = 4'd1, READ_X = 4'd2, READ_Y = 4'd3, READ_Z = 4'd4, TAKE_Z = 4'd5;
    localparam [3:0] TIMES_Y = 4'd6, TIMES_Z = 4'd7, READ_WORDS = 4'd8, TAKE_WORD = 4'd9, TAKE_LAST = 4'd13;
    localparam [6:0] TMPRING_SIZE = 7'h18, RESTART_X = 7'h1b, RESTART_Y = 7'h1c, RESTART_Z = 7'h1d;
    localparam [6:0] RELAUNCH = 7'h22;
    localparam [6:0] DERIVED = 7'h7c, THREADS = 7'h7d;      // no registers have these offsets
    localparam [127:0] RESET_ONES = `TOTEM_SH_RESET_ONES;

    reg [QBITS-1:0]    queue_q, queue_d;
    reg                loaded_q, loaded_d;
    reg                go_pending_q, go_pending_d;
    reg [QBITS-1:0]    next_queue_q, next_queue_d;
    reg                loading_q, loading_d;
    reg                saving_q, saving_d;
    reg [4:0]          step_q, step_d;
    reg [QUEUES-1:0]   saved_q, saved_d;
    reg                write_valid_q, write_valid_d;
    reg [6:0]          write_offset_q, write_offset_d;
    reg [31:0]         write_data_q, write_data_d;
    reg                stale_q, stale_d;
    reg [QUEUES*4-1:0] stage_q, stage_d;
    reg [QUEUES*2-1:0] partial_q, partial_d;
    reg [3:0]          derive_step_q, derive_step_d;
    reg [QBITS-1:0]    derive_queue_q, derive_queue_d;
    reg [QBITS-1:0]    derive_turn_q, derive_turn_d;
    reg                derive_own_q, derive_own_d;
    reg                asked_q, asked_d;
    reg [1:0]          asked_place_q, asked_place_d;
    reg [12:0]         factor_q, factor_d;
    reg [12:0]         times_y_q, times_y_d;
    reg [12:0]         times_z_q, times_z_d;
    reg [12:0]         sum_q, sum_d;
    reg                above_q, above_d;
    reg [12:0]         threads_q, threads_d;
    reg [5:0]          vgprs_q, vgprs_d;
    reg [8:0]          lds_q, lds_d;
    reg [4:0]          user_q, user_d;
    reg [SE_COUNT-1:0] engines_q, engines_d;
    reg [39:0]         program_addr_q, program_addr_d;
    reg [63:0]         origin_q, origin_d;
    reg [31:0]         initiator_q, initiator_d;
    reg [63:0]         restart_q, restart_d;
    reg [6:0]          restart_mask_q, restart_mask_d;
    reg [63:0]         restart_end_q, restart_end_d;
    reg [QUEUES-1:0]   clear_pending_q, clear_pending_d;
    reg                clear_active_q, clear_active_d;
    reg [QBITS-1:0]    clear_queue_q, clear_queue_d;
    reg [6:0]          clear_step_q, clear_step_d;
    reg                guest_valid_q, guest_valid_d;
    reg                guest_write_q, guest_write_d;
    reg [QBITS-1:0]    guest_queue_q, guest_queue_d;
    reg [6:0]          guest_offset_q, guest_offset_d;
    reg [31:0]         guest_data_q, guest_data_d;
    reg                answer_q, answer_d;

    // Registers that reset leaves alone read 0 at start, as in the model.
    initial begin
        queue_q = 0;          loaded_q = 0;      go_pending_q = 0;    next_queue_q = 0;
        loading_q = 0;        saving_q = 0;      step_q = 0;          saved_q = 0;
        write_valid_q = 0;    write_offset_q = 0; write_data_q = 0;   stale_q = 0;
        stage_q = 0;          partial_q = 0;     derive_step_q = 0;   derive_queue_q = 0;
        derive_turn_q = 0;    derive_own_q = 0;  factor_q = 0;        times_y_q = 0;       times_z_q = 0;
        threads_q = 0;        vgprs_q = 0;       lds_q = 0;           user_q = 0;
        engines_q = 0;        program_addr_q = 0; origin_q = 0;       initiator_q = 0;
        restart_q = 0;        restart_mask_q = 0; restart_end_q = 0;  clear_pending_q = 0;
        clear_active_q = 0;   clear_queue_q = 0; clear_step_q = 0;
        guest_valid_q = 0;    guest_write_q = 0; guest_queue_q = 0;   guest_offset_q = 0;
        guest_data_q = 0;     answer_q = 0;      asked_q = 0;         asked_place_q = 0;
        sum_q = 0;            above_q = 0;
    end

    assign loaded         = loaded_q;
    // Only the full group holds anybody up; the partial ones are computed behind everybody's back.
    wire [3:0] own_stage  = stage_q[queue_q*4 +: 4];
    assign busy           = saving_q || own_stage == WORDS || own_stage == FULL;
    assign partial        = (own_stage == 4'd0) ? partial_q[queue_q*2 +: 2] : 2'd0;
    genvar g;
    generate
        for (g = 0; g < QUEUES; g = g + 1) begin : queues
            assign prepared[g] = stage_q[g*4 +: 4] == 4'd0 && !clear_pending_q[g] &&
                !(clear_active_q && clear_queue_q == g[QBITS-1:0]);
        end
    endgenerate
    assign threads        = threads_q;
    assign vgprs          = {1'b0, vgprs_q} + 7'd1;
    assign lds            = lds_q;
    assign engines        = engines_q;
    assign initiator      = initiator_q;
    assign origin         = origin_q;
    assign restart        = restart_q;
    assign restart_mask   = restart_mask_q;
    assign restart_end    = restart_end_q;
    assign restart_origin = initiator_q[`TOTEM_COMPUTE_DISPATCH_INITIATOR_FORCE_START_AT_000] ? 64'd0 : origin_q;
    assign program_addr   = program_addr_q;
    assign words          = user_q[4] ? 4'd10 : 4'd2 + {1'b0, user_q[3:1]} + {3'd0, user_q[0]};

    // What is derived: the stage of the queue at hand, and how its result is kept.
    wire [3:0] stage        = stage_q[derive_queue_q*4 +: 4];
    wire [2:0] combo        = stage[2:0] - 3'd2;                // partial in x, y, z
    wire       in_table     = stage != WORDS && stage != FULL;
    wire       reads_itself = (derive_step_q >= READ_X && derive_step_q <= READ_Z) ||
        (derive_step_q >= READ_WORDS && derive_step_q < TAKE_LAST);

    // Who writes: a register cannot wait; the others can.
    wire write_derived = stale_q && !loading_q && !saving_q && !write_valid_q;
    wire write_result  = derive_step_q == RESULT && !loading_q && !write_derived && !saving_q && !write_valid_q;
    wire others_write  = write_result || write_derived || saving_q || write_valid_q;
    wire write_clear   = clear_active_q && !others_write;

    // mqd waits for everybody, also for the clears that are to come.
    wire nothing_clear = !clear_active_q && clear_pending_q == {QUEUES{1'b0}};
    wire guest_writes  = guest_valid_q && guest_write_q && nothing_clear && !others_write && !reads_itself;
    wire guest_reads   = guest_valid_q && !guest_write_q && nothing_clear && !others_write && !loading_q &&
        !reads_itself && !asked_q;
    assign mqd_ready  = !guest_valid_q;
    assign mqd_answer = answer_q;

    wire [3:0]  present      = {{(4-SE_COUNT){1'b0}}, engines_q};
    wire [31:0] derived_word = {22'd0, present, vgprs_q};
    wire [31:0] every_engine = ((32'd1 << SE_COUNT) - 32'd1) << 6;
    wire [31:0] reset_word   = (clear_step_q == DERIVED) ? every_engine : {32{RESET_ONES[clear_step_q]}};

    // The part of a word that the named offset keeps in the launch state: {word, high half}, and
    // whether it keeps any.
    wire [6:0]  offset = write_valid_q ? write_offset_q : guest_writes ? guest_offset_q : clear_step_q;
    reg  [5:0]  place;
    always @*
        case (offset)
            RSRC1:        place = {1'b1, 4'd0, 1'b0};
            RSRC2:        place = {1'b1, 4'd0, 1'b1};
            RSRC3:        place = {1'b1, 4'd1, 1'b0};
            TMPRING_SIZE: place = {1'b1, 4'd1, 1'b1};
            default:
                if (offset[6:4] == 3'b100)      // USER_DATA
                    place = {1'b1, {1'b0, offset[3:1]} + 4'd2, offset[0]};
                else
                    place = 6'd0;
        endcase
    wire [QBITS+3:0] state_addr = {write_valid_q ? queue_q : write_result ? derive_queue_q :
                                   guest_writes ? guest_queue_q : clear_queue_q,
                                   write_result ? 4'd10 + {2'd0, combo[2:1]} : place[4:1]};
    wire [31:0] state_data  = write_valid_q ? write_data_q : write_result ? {19'd0, sum_q} :
                              guest_writes ? guest_data_q : 32'd0;
    wire        state_write = (write_valid_q || write_clear || guest_writes) && place[5];
    assign state_low_write_enable  = (state_write && !place[0]) || (write_result && in_table && !combo[0]);
    assign state_low_write_addr    = state_addr;
    assign state_low_write_data    = state_data;
    assign state_high_write_enable = (state_write && place[0]) || (write_result && in_table && combo[0]);
    assign state_high_write_addr   = state_addr;
    assign state_high_write_data   = state_data;

    always @* begin
        ram_write_enable = 1'b1;
        ram_write_addr   = {queue_q, write_offset_q};
        ram_write_data   = write_data_q;
        if (!write_valid_q) begin
            if (saving_q) begin
                case (step_q)
                    5'd0: begin ram_write_addr[6:0] = RESTART_X; ram_write_data = restart_q[31:0]; end
                    5'd1: begin ram_write_addr[6:0] = RESTART_Y; ram_write_data = {16'd0, restart_q[47:32]}; end
                    5'd2: begin ram_write_addr[6:0] = RESTART_Z; ram_write_data = {16'd0, restart_q[63:48]}; end
                    5'd3: begin ram_write_addr[6:0] = RELAUNCH;  ram_write_data = {25'd0, restart_mask_q}; end
                    5'd4: begin ram_write_addr[6:0] = DIM_X; ram_write_data = restart_end_q[31:0]; end
                    5'd5: begin ram_write_addr[6:0] = DIM_Y; ram_write_data = {16'd0, restart_end_q[47:32]}; end
                    default: begin ram_write_addr[6:0] = DIM_Z; ram_write_data = {16'd0, restart_end_q[63:48]}; end
                endcase
            end else if (write_derived) begin
                ram_write_addr[6:0] = DERIVED;
                ram_write_data      = derived_word;
            end else if (write_result) begin
                ram_write_enable = !in_table;
                ram_write_addr   = {derive_queue_q, (stage == WORDS) ? DERIVED : THREADS};
                ram_write_data   = {19'd0, sum_q};
            end else begin
                ram_write_enable = clear_active_q || guest_writes;
                ram_write_addr   = clear_active_q ? {clear_queue_q, clear_step_q} : {guest_queue_q, guest_offset_q};
                ram_write_data   = clear_active_q ? reset_word : guest_data_q;
            end
        end
    end

    wire [4:0] reads     = saved_q[queue_q] ? 5'd16 : 5'd8;
    assign ram_read_enable = guest_reads || (loading_q ? step_q < reads : reads_itself || asked_q);
    reg [6:0] load_offset;   // register read in a step of a load
    always @*
        case (step_q)
            5'd0:    load_offset = DERIVED;
            5'd1:    load_offset = THREADS;
            5'd2:    load_offset = RSRC2;
            5'd3:    load_offset = PGM_LO;
            5'd4:    load_offset = PGM_HI;
            5'd5:    load_offset = START_X;
            5'd6:    load_offset = START_Y;
            5'd7:    load_offset = START_Z;
            5'd8:    load_offset = INITIATOR;
            5'd9:    load_offset = DIM_X;
            5'd10:   load_offset = DIM_Y;
            5'd11:   load_offset = DIM_Z;
            5'd12:   load_offset = RESTART_X;
            5'd13:   load_offset = RESTART_Y;
            5'd14:   load_offset = RESTART_Z;
            default: load_offset = RELAUNCH;
        endcase

    reg [6:0] derive_offset; // register read in a step of a product
    always @*
        case (derive_step_q)
            READ_X:     derive_offset = NUM_THREAD_X;
            READ_Y:     derive_offset = NUM_THREAD_Y;
            READ_WORDS: derive_offset = RSRC1;
            4'd9:       derive_offset = MGMT_SE0;
            4'd10:      derive_offset = MGMT_SE1;
            4'd11:      derive_offset = MGMT_SE2;
            4'd12:      derive_offset = MGMT_SE3;
            default:    derive_offset = NUM_THREAD_Z;
        endcase

    assign ram_read_addr   = guest_reads ? {guest_queue_q, guest_offset_q} : loading_q ? {queue_q, load_offset} :
                             asked_q ? {queue_q, NUM_THREAD_X + {5'd0, asked_place_q}} :
                                 {derive_queue_q, derive_offset};

    // Saturation keeps the sum exact up to 8190 and at 8191 beyond; no such group fits an engine.
    wire [13:0] added = {1'b0, sum_q} + {1'b0, factor_q};
    wire [12:0] sum   = !times_y_q[0] ? sum_q : added[13] ? 13'h1fff : added[12:0];

    // A register read for the product: the field that the combo asks for, and whether partial is above full.
    wire        takes_partial = (derive_step_q == READ_Y) ? combo[0] : (derive_step_q == READ_Z) ? combo[1] : combo[2];
    wire [15:0] taken_half    = takes_partial ? ram_read_data[31:16] : ram_read_data[15:0];
    wire [12:0] taken         = taken_half[15:13] != 3'd0 ? 13'h1fff : taken_half[12:0];
    wire        over          = ram_read_data[31:16] > ram_read_data[15:0];

    wire [QBITS-1:0] target = arbiter_go ? arbiter_selected : next_queue_q;
    wire             ready  = !saving_q && !packet_save && !write_valid_q && !packet_write && !stale_q;

    // Who is served next: the selected queue, but another one after each time it came first.
    reg [QBITS-1:0]  next_turn, candidate;
    reg              any_turn;
    integer          k;
    always @* begin
        next_turn = derive_turn_q;
        any_turn  = 1'b0;
        candidate = derive_turn_q;
        for (k = QUEUES; k >= 1; k = k - 1) begin
            candidate = derive_turn_q + k[QBITS-1:0];
            if (stage_q[candidate*4 +: 4] != 4'd0) begin
                next_turn = candidate;
                any_turn  = 1'b1;
            end
        end
    end

    wire unused = &{1'b0, load_data[39:3]};

    integer i;
    always @* begin
        i               = 0;
        queue_d         = queue_q;
        loaded_d        = loaded_q;
        go_pending_d    = go_pending_q;
        next_queue_d    = next_queue_q;
        loading_d       = loading_q;
        saving_d        = saving_q;
        step_d          = step_q;
        saved_d         = saved_q;
        write_valid_d   = 1'b0;
        write_offset_d  = write_offset_q;
        write_data_d    = write_data_q;
        stale_d         = stale_q;
        stage_d         = stage_q;
        partial_d       = partial_q;
        derive_step_d   = derive_step_q;
        derive_queue_d  = derive_queue_q;
        derive_turn_d   = derive_turn_q;
        derive_own_d    = derive_own_q;
        asked_d         = divide_read;
        asked_place_d   = divide_read_place;
        factor_d        = factor_q;
        times_y_d       = times_y_q;
        times_z_d       = times_z_q;
        sum_d           = sum_q;
        above_d         = above_q;
        threads_d       = threads_q;
        vgprs_d         = vgprs_q;
        lds_d           = lds_q;
        user_d          = user_q;
        engines_d       = engines_q;
        program_addr_d  = program_addr_q;
        origin_d        = origin_q;
        initiator_d     = initiator_q;
        restart_d       = restart_q;
        restart_mask_d  = restart_mask_q;
        restart_end_d   = restart_end_q;
        clear_pending_d = clear_pending_q;
        clear_active_d  = clear_active_q;
        clear_queue_d   = clear_queue_q;
        clear_step_d    = clear_step_q;
        guest_valid_d   = guest_valid_q && !guest_writes && !guest_reads;
        guest_write_d   = guest_write_q;
        guest_queue_d   = guest_queue_q;
        guest_offset_d  = guest_offset_q;
        guest_data_d    = guest_data_q;
        answer_d        = guest_reads;

        // deriving
        case (derive_step_q)
            IDLE:
                if (any_turn) begin
                    derive_own_d   = own_stage != 4'd0 && !derive_own_q;
                    derive_queue_d = derive_own_d ? queue_q : next_turn;
                    if (!derive_own_d)
                        derive_turn_d = next_turn;
                    derive_step_d = (stage_q[derive_queue_d*4 +: 4] == WORDS) ? READ_WORDS : READ_X;
                end
            RESULT:
                if (write_result) begin
                    derive_step_d = IDLE;
                    stage_d[derive_queue_q*4 +: 4] = (stage == LAST) ? 4'd0 : stage + 4'd1;
                    if (stage == FULL && derive_queue_q == queue_q)
                        threads_d = sum_q;
                    if (stage == LAST)
                        partial_d[derive_queue_q*2 +: 2] = (sum_q == 13'd0) ? 2'd2 : above_q ? 2'd3 : 2'd1;
                end
            READ_X: derive_step_d = READ_Y;
            READ_Y: begin
                derive_step_d = READ_Z;
                factor_d      = taken;
                above_d       = over;
            end
            READ_Z: begin
                derive_step_d = TAKE_Z;
                times_y_d     = taken;
                above_d       = above_q || over;
            end
            TAKE_Z: begin
                derive_step_d = TIMES_Y;
                times_z_d     = taken;
                above_d       = above_q || over;
                sum_d         = 13'd0;
            end
            TIMES_Y, TIMES_Z: begin
                sum_d = sum;
                if (times_y_q[12:1] != 12'd0) begin
                    factor_d  = factor_q[12] ? 13'h1fff : {factor_q[11:0], 1'b0};
                    times_y_d = {1'b0, times_y_q[12:1]};
                end else if (derive_step_q == TIMES_Y) begin
                    derive_step_d = TIMES_Z;
                    factor_d      = sum;
                    sum_d         = 13'd0;
                    times_y_d     = times_z_q;
                end else
                    derive_step_d = RESULT;
            end
            READ_WORDS: derive_step_d = TAKE_WORD;
            TAKE_WORD: begin
                derive_step_d = derive_step_q + 4'd1;
                sum_d         = {7'd0, ram_read_data[`TOTEM_COMPUTE_PGM_RSRC1_VGPRS]};
            end
            4'd10, 4'd11, 4'd12, TAKE_LAST: begin
                derive_step_d = (derive_step_q == TAKE_LAST) ? RESULT : derive_step_q + 4'd1;
                for (i = 0; i < SE_COUNT; i = i + 1)
                    if (derive_step_q == 4'd10 + i[3:0])
                        sum_d[6 + i] = ram_read_data != 32'd0;
            end
            default: ;
        endcase
        if (reads_itself && (loading_q || asked_q))
            derive_step_d = (derive_step_q >= READ_WORDS) ? READ_WORDS : READ_X;    // its read was displaced

        if (write_derived)
            stale_d = 1'b0;

        // clearing
        if (write_clear) begin
            clear_step_d = clear_step_q + 7'd1;
            if (clear_step_q == 7'd127)
                clear_active_d = 1'b0;
        end
        if (!clear_active_q && clear_pending_q != {QUEUES{1'b0}}) begin
            clear_active_d = 1'b1;
            clear_step_d   = 7'd0;
            for (i = QUEUES - 1; i >= 0; i = i - 1)
                if (clear_pending_q[i])
                    clear_queue_d = i[QBITS-1:0];
            clear_pending_d[clear_queue_d] = 1'b0;
        end

        if (saving_q && !write_valid_q) begin
            if (step_q >= 5'd6)
                saving_d = 1'b0;
            else
                step_d = step_q + 5'd1;
        end

        if (loading_q) begin
            case (step_q)
                5'd0: ;
                5'd1: begin
                    vgprs_d   = ram_read_data[5:0];
                    engines_d = ram_read_data[6 +: SE_COUNT];
                end
                5'd2: threads_d = ram_read_data[12:0];
                5'd3: begin
                    lds_d  = ram_read_data[`TOTEM_COMPUTE_PGM_RSRC2_LDS_SIZE];
                    user_d = ram_read_data[`TOTEM_COMPUTE_PGM_RSRC2_USER_SGPR];
                end
                5'd4:  program_addr_d[31:0]  = ram_read_data;
                5'd5:  program_addr_d[39:32] = ram_read_data[7:0];
                5'd6:  origin_d[31:0]        = ram_read_data;
                5'd7:  origin_d[47:32]       = ram_read_data[31:16] != 16'd0 ? 16'hffff : ram_read_data[15:0];
                5'd8:  origin_d[63:48]       = ram_read_data[31:16] != 16'd0 ? 16'hffff : ram_read_data[15:0];
                5'd9:  initiator_d           = ram_read_data;
                5'd10: restart_end_d[31:0]   = ram_read_data;
                5'd11: restart_end_d[47:32]  = ram_read_data[15:0];
                5'd12: restart_end_d[63:48]  = ram_read_data[15:0];
                5'd13: restart_d[31:0]       = ram_read_data;
                5'd14: restart_d[47:32]      = ram_read_data[15:0];
                5'd15: restart_d[63:48]      = ram_read_data[15:0];
                5'd16: restart_mask_d        = ram_read_data[6:0];
                default: ;
            endcase
            if (step_q >= reads) begin
                loading_d = 1'b0;
                loaded_d  = 1'b1;
            end else
                step_d = step_q + 5'd1;
        end

        if (packet_write) begin
            write_valid_d  = packet_offset != DERIVED && packet_offset != THREADS;
            write_offset_d = packet_offset;
            write_data_d   = packet_data;
            case (packet_offset)
                INITIATOR: initiator_d           = packet_data;
                START_X:   origin_d[31:0]        = packet_data;
                START_Y:   origin_d[47:32]       = packet_data[31:16] != 16'd0 ? 16'hffff : packet_data[15:0];
                START_Z:   origin_d[63:48]       = packet_data[31:16] != 16'd0 ? 16'hffff : packet_data[15:0];
                PGM_LO:    program_addr_d[31:0]  = packet_data;
                PGM_HI:    program_addr_d[39:32] = packet_data[7:0];
                RSRC1: begin
                    vgprs_d = packet_data[`TOTEM_COMPUTE_PGM_RSRC1_VGPRS];
                    stale_d = 1'b1;
                end
                RSRC2: begin
                    lds_d  = packet_data[`TOTEM_COMPUTE_PGM_RSRC2_LDS_SIZE];
                    user_d = packet_data[`TOTEM_COMPUTE_PGM_RSRC2_USER_SGPR];
                end
                NUM_THREAD_X, NUM_THREAD_Y, NUM_THREAD_Z: begin
                    stage_d[queue_q*4 +: 4] = FULL;
                    if (derive_queue_d == queue_q)
                        derive_step_d = IDLE;           // what is under way is begun again
                end
                default: ;
            endcase
            for (i = 0; i < SE_COUNT; i = i + 1)
                if (packet_offset == ((i == 0) ? MGMT_SE0 : (i == 1) ? MGMT_SE1 : (i == 2) ? MGMT_SE2 : MGMT_SE3)) begin
                    engines_d[i] = packet_data != 32'd0;
                    stale_d      = 1'b1;
                end
        end

        if (packet_start) begin
            if (!saved_q[queue_q])
                restart_end_d = packet_start_end;
            saved_d[queue_q] = 1'b0;
        end
        if (packet_forget)
            saved_d[queue_q] = 1'b0;

        if (packet_save) begin
            saving_d         = 1'b1;
            loading_d        = 1'b0;
            loaded_d         = 1'b0;
            step_d           = 5'd0;
            saved_d[queue_q] = 1'b1;
            restart_d        = walker_low;
            restart_mask_d   = walker_mask;
        end

        if (arbiter_go) begin
            loaded_d     = 1'b0;
            loading_d    = 1'b0;
            go_pending_d = 1'b1;
            next_queue_d = arbiter_selected;
        end
        if ((arbiter_go || go_pending_q) && ready) begin
            go_pending_d   = 1'b0;
            loading_d      = 1'b1;
            step_d         = 5'd0;
            queue_d        = target;
        end

        // MOVED: memory brings back no grid that the queue had not.
        if (load_valid && (load_kind == LOAD_ACTIVE || load_kind == LOAD_MOVED) && load_data[0]) begin
            if (derive_queue_d == load_queue)
                derive_step_d = IDLE;
            saved_d[load_queue]        = (load_kind == LOAD_MOVED) ? saved_q[load_queue] && load_data[2] :
                load_data[1] && load_data[2];
            stage_d[load_queue*4 +: 4] = (load_data[1] || load_kind == LOAD_MOVED) ? WORDS : 4'd0;
            if (!load_data[1] && load_kind == LOAD_ACTIVE) begin
                clear_pending_d[load_queue]  = 1'b1;
                partial_d[load_queue*2 +: 2] = 2'd2;    // NUM_THREAD is 0
            end
        end

        // What an earlier mapping left to derive has no meaning any more.
        if (guest_writes) begin
            if (derive_queue_d == guest_queue_q)
                derive_step_d = IDLE;
            stage_d[guest_queue_q*4 +: 4] = 4'd0;
        end

        if (mqd_valid && !guest_valid_q) begin
            guest_valid_d  = 1'b1;
            guest_write_d  = mqd_write;
            guest_queue_d  = mqd_queue;
            guest_offset_d = mqd_offset;
            guest_data_d   = mqd_data;
        end
    end

    always @(posedge clk) begin
        queue_q         <= queue_d;
        loaded_q        <= loaded_d;
        go_pending_q    <= go_pending_d;
        next_queue_q    <= next_queue_d;
        loading_q       <= loading_d;
        saving_q        <= saving_d;
        step_q          <= step_d;
        saved_q         <= saved_d;
        write_valid_q   <= write_valid_d;
        write_offset_q  <= write_offset_d;
        write_data_q    <= write_data_d;
        stale_q         <= stale_d;
        stage_q         <= stage_d;
        partial_q       <= partial_d;
        derive_step_q   <= derive_step_d;
        derive_queue_q  <= derive_queue_d;
        derive_turn_q   <= derive_turn_d;
        derive_own_q    <= derive_own_d;
        asked_q         <= asked_d;
        asked_place_q   <= asked_place_d;
        factor_q        <= factor_d;
        times_y_q       <= times_y_d;
        times_z_q       <= times_z_d;
        sum_q           <= sum_d;
        above_q         <= above_d;
        threads_q       <= threads_d;
        vgprs_q         <= vgprs_d;
        lds_q           <= lds_d;
        user_q          <= user_d;
        engines_q       <= engines_d;
        program_addr_q  <= program_addr_d;
        origin_q        <= origin_d;
        initiator_q     <= initiator_d;
        restart_q       <= restart_d;
        restart_mask_q  <= restart_mask_d;
        restart_end_q   <= restart_end_d;
        clear_pending_q <= clear_pending_d;
        clear_active_q  <= clear_active_d;
        clear_queue_q   <= clear_queue_d;
        clear_step_q    <= clear_step_d;
        guest_valid_q   <= guest_valid_d;
        guest_write_q   <= guest_write_d;
        guest_queue_q   <= guest_queue_d;
        guest_offset_q  <= guest_offset_d;
        guest_data_q    <= guest_data_d;
        answer_q        <= answer_d;
        if (rst) begin
            queue_q         <= {QBITS{1'b0}};
            loaded_q        <= 1'b0;
            go_pending_q    <= 1'b0;
            loading_q       <= 1'b0;
            saving_q        <= 1'b0;
            step_q          <= 5'd0;
            saved_q         <= {QUEUES{1'b0}};
            write_valid_q   <= 1'b0;
            stale_q         <= 1'b0;
            stage_q         <= {QUEUES*4{1'b0}};
            derive_step_q   <= IDLE;
            derive_queue_q  <= {QBITS{1'b0}};
            derive_turn_q   <= {QBITS{1'b0}};
            derive_own_q    <= 1'b0;
            asked_q         <= 1'b0;
            clear_pending_q <= {QUEUES{1'b0}};
            clear_active_q  <= 1'b0;
            guest_valid_q   <= 1'b0;
            answer_q        <= 1'b0;
        end
    end

`ifdef FORMAL
`include "totem_bank_properties.vh"
`endif
endmodule

`default_nettype wire
