// SPDX-License-Identifier: Apache-2.0
//
// totem_bank: compute registers of a pipe's queues, and what a dispatch needs of them at hand.
//
// Policy    registers live in a RAM beside the block; the selected queue's share that a dispatch
//           needs stands in flip-flops. Derived values are computed when registers are written and
//           kept in a word of the RAM that no register uses (DERIVED), so a switch only reads.
// Latency   go to loaded: 9 clocks, 17 with an unfinished grid; a save 7; threads: 5 clocks and one
//           for each bit of NUM_THREAD_Y and Z; those of partial groups 7 times as long, behind them. Clearing at mapping: 128 clocks in the background.
// Boundary  ram_read_data is a flip-flop of the RAM; it shows one clock later what was asked for.
//           No word is read while it is written (the RAM may have MEETS 0): property 1.
// Cost      about 450 flip-flops; QUEUES costs only RAM words and two flip-flops each.
// Twin      cmodel/queue/totem_bank.c, same names.

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
    input  wire                        packet_start,
    input  wire [63:0]                 packet_start_end,
    output wire                        loaded,
    output wire                        busy,
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
    input  wire [1:0]                  divide_place,
    // dispatch controller
    output wire [39:0]                 program_addr,
    output wire [3:0]                  words,
    // launch state RAM
    output wire                        state_write_low,
    output wire                        state_write_high,
    output wire [$clog2(QUEUES)+3:0]   state_write_addr,
    output wire [63:0]                 state_write_data,
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
    localparam [6:0] TMPRING_SIZE = 7'h18, RESTART_X = 7'h1b, RESTART_Y = 7'h1c, RESTART_Z = 7'h1d;
    localparam [6:0] RELAUNCH = 7'h22;
    localparam [6:0] DERIVED = 7'h7c;       // no register has this offset
    localparam [127:0] RESET_ONES = `TOTEM_SH_RESET_ONES;

    // The part of a word that the named offset keeps in the launch state: {word, high half}, and
    // whether it keeps any.
    function [5:0] state_place;
        input [6:0] offset;
        begin
            case (offset)
                RSRC1:        state_place = {1'b1, 4'd0, 1'b0};
                RSRC2:        state_place = {1'b1, 4'd0, 1'b1};
                RSRC3:        state_place = {1'b1, 4'd1, 1'b0};
                TMPRING_SIZE: state_place = {1'b1, 4'd1, 1'b1};
                default:
                    if (offset[6:4] == 3'b100)      // USER_DATA
                        state_place = {1'b1, {1'b0, offset[3:1]} + 4'd2, offset[0]};
                    else
                        state_place = 6'd0;
            endcase
        end
    endfunction

    function [15:0] clamp;
        input [31:0] value;
        clamp = (value[31:16] != 16'd0) ? 16'hffff : value[15:0];
    endfunction

    function [12:0] saturated;
        input [15:0] value;
        saturated = (value[15:13] != 3'd0) ? 13'h1fff : value[12:0];
    endfunction

    function [6:0] load_offset;             // register read in a step of a load
        input [4:0] at;
        case (at)
            5'd0:    load_offset = DERIVED;
            5'd1:    load_offset = RSRC2;
            5'd2:    load_offset = PGM_LO;
            5'd3:    load_offset = PGM_HI;
            5'd4:    load_offset = START_X;
            5'd5:    load_offset = START_Y;
            5'd6:    load_offset = START_Z;
            5'd7:    load_offset = INITIATOR;
            5'd8:    load_offset = DIM_X;
            5'd9:    load_offset = DIM_Y;
            5'd10:   load_offset = DIM_Z;
            5'd11:   load_offset = RESTART_X;
            5'd12:   load_offset = RESTART_Y;
            5'd13:   load_offset = RESTART_Z;
            5'd14:   load_offset = RELAUNCH;
            5'd15:   load_offset = RSRC1;
            5'd16:   load_offset = MGMT_SE0;
            5'd17:   load_offset = MGMT_SE1;
            5'd18:   load_offset = MGMT_SE2;
            default: load_offset = MGMT_SE3;
        endcase
    endfunction

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
    reg [2:0]          product_step_q, product_step_d;
    reg                asked_q, asked_d;
    reg [1:0]          asked_place_q, asked_place_d;
    reg [12:0]         factor_q, factor_d;
    reg [12:0]         times_y_q, times_y_d;
    reg [12:0]         times_z_q, times_z_d;
    reg [12:0]         sum_q, sum_d;
    reg [2:0]          combo_q, combo_d;
    reg                above_q, above_d;
    reg                table_valid_q, table_valid_d;
    reg [12:0]         threads_q, threads_d;
    reg [1:0]          partial_q, partial_d;
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
    reg [QUEUES-1:0]   raw_q, raw_d;
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
        product_step_q = 0;   factor_q = 0;      times_y_q = 0;       times_z_q = 0;
        threads_q = 0;        vgprs_q = 0;       lds_q = 0;           user_q = 0;
        engines_q = 0;        program_addr_q = 0; origin_q = 0;       initiator_q = 0;
        restart_q = 0;        restart_mask_q = 0; restart_end_q = 0;  clear_pending_q = 0;
        clear_active_q = 0;   clear_queue_q = 0; clear_step_q = 0;     raw_q = 0;
        guest_valid_q = 0;    guest_write_q = 0; guest_queue_q = 0;   guest_offset_q = 0;
        guest_data_q = 0;     answer_q = 0;        asked_q = 0;          asked_place_q = 0; sum_q = 0;           combo_q = 0;
        above_q = 0;          table_valid_q = 0; partial_q = 0;
    end

    assign loaded         = loaded_q;
    // Only the full group holds anybody up; the partial ones are computed behind everybody's back.
    wire   full_product   = product_step_q != 3'd0 && combo_q == 3'd0;
    assign busy           = saving_q || full_product;
    assign threads        = threads_q;
    assign partial        = partial_q;
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

    // Who writes: a register cannot wait; the others can.
    wire dimensions    = product_step_q == 3'd2 || product_step_q == 3'd3 || product_step_q == 3'd4;    // are read for the product
    wire write_derived = stale_q && !full_product && !loading_q && !saving_q && !write_valid_q;
    wire write_clear   = clear_active_q && !table_valid_q && !write_derived && !saving_q && !write_valid_q;
    wire write_table   = table_valid_q && !write_valid_q;

    // mqd waits for everybody, also for the clears that are to come.
    wire nothing_clear = !clear_active_q && clear_pending_q == {QUEUES{1'b0}};
    wire guest_writes  = guest_valid_q && guest_write_q && nothing_clear && !table_valid_q && !write_derived && !saving_q && !write_valid_q;
    wire guest_reads   = guest_valid_q && !guest_write_q && nothing_clear && !ram_write_enable && !loading_q && !dimensions && !asked_q;
    assign mqd_ready  = !guest_valid_q;
    assign mqd_answer = answer_q;

    wire [3:0]  present      = {{(4-SE_COUNT){1'b0}}, engines_q};
    wire [31:0] derived_word = {7'd0, partial_q, present, vgprs_q, threads_q};
    wire [31:0] every_engine = ((32'd1 << SE_COUNT) - 32'd1) << 19;
    wire [31:0] reset_word   = (clear_step_q == DERIVED) ? every_engine : {32{RESET_ONES[clear_step_q]}};

    wire [5:0]  place = state_place(write_valid_q ? write_offset_q : guest_writes ? guest_offset_q : clear_step_q);
    assign state_write_addr = {write_valid_q || write_table ? queue_q : guest_writes ? guest_queue_q : clear_queue_q, write_table ? 4'd10 + {2'd0, combo_q[2:1]} : place[4:1]};
    assign state_write_data = write_valid_q ? {write_data_q, write_data_q} : write_table ? {19'd0, sum_q, 19'd0, sum_q} :
                              guest_writes ? {guest_data_q, guest_data_q} : 64'd0;
    assign state_write_low  = ((write_valid_q || write_clear || guest_writes) && place[5] && !place[0]) || (write_table && !combo_q[0]);
    assign state_write_high = ((write_valid_q || write_clear || guest_writes) && place[5] && place[0]) || (write_table && combo_q[0]);

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
            end else begin
                ram_write_enable = (clear_active_q && !table_valid_q) || guest_writes;
                ram_write_addr   = clear_active_q ? {clear_queue_q, clear_step_q} : {guest_queue_q, guest_offset_q};
                ram_write_data   = clear_active_q ? reset_word : guest_data_q;
            end
        end
    end

    wire [4:0] reads     = raw_q[queue_q] ? 5'd20 : saved_q[queue_q] ? 5'd15 : 5'd7;
    wire       multiply  = product_step_q == 3'd6 || product_step_q == 3'd7;
    wire [6:0] dimension = (product_step_q == 3'd2) ? NUM_THREAD_X : (product_step_q == 3'd3) ? NUM_THREAD_Y : NUM_THREAD_Z;
    assign ram_read_enable = guest_reads || (loading_q ? step_q < reads : dimensions || asked_q);
    assign ram_read_addr   = guest_reads ? {guest_queue_q, guest_offset_q} : {queue_q, loading_q ? load_offset(step_q) : asked_q ? NUM_THREAD_X + {5'd0, asked_place_q} : dimension};

    // Saturation keeps the sum exact up to 8190 and at 8191 beyond; no such group fits an engine.
    wire [13:0] added = {1'b0, sum_q} + {1'b0, factor_q};
    wire [12:0] sum   = !times_y_q[0] ? sum_q : added[13] ? 13'h1fff : added[12:0];

    // A register read for the product: the field that the combo asks for, and whether partial is above full.
    wire        takes_partial = (product_step_q == 3'd3) ? combo_q[0] : (product_step_q == 3'd4) ? combo_q[1] : combo_q[2];
    wire [12:0] taken         = saturated(takes_partial ? ram_read_data[31:16] : ram_read_data[15:0]);
    wire        over          = ram_read_data[31:16] > ram_read_data[15:0];

    wire [QBITS-1:0] target = arbiter_go ? arbiter_selected : next_queue_q;
    wire             ready  = !saving_q && !packet_save && !write_valid_q && !packet_write && !stale_q
                              && !full_product && !clear_pending_q[target]
                              && !(clear_active_q && clear_queue_q == target);

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
        product_step_d  = product_step_q;
        asked_d         = divide_read;
        asked_place_d   = divide_place;
        factor_d        = factor_q;
        times_y_d       = times_y_q;
        times_z_d       = times_z_q;
        sum_d           = sum_q;
        combo_d         = combo_q;
        above_d         = above_q;
        table_valid_d   = table_valid_q;
        threads_d       = threads_q;
        partial_d       = partial_q;
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
        raw_d           = raw_q;
        guest_valid_d   = guest_valid_q && !guest_writes && !guest_reads;
        guest_write_d   = guest_write_q;
        guest_queue_d   = guest_queue_q;
        guest_offset_d  = guest_offset_q;
        guest_data_d    = guest_data_q;
        answer_d        = guest_reads;

        // product
        if (product_step_q != 3'd0 && !multiply)
            product_step_d = product_step_q + 3'd1;
        if (product_step_q == 3'd3) begin
            factor_d = taken;
            above_d  = over;
        end
        if (product_step_q == 3'd4) begin
            times_y_d = taken;
            above_d   = above_q || over;
        end
        if (product_step_q == 3'd5) begin
            times_z_d = taken;
            above_d   = above_q || over;
            sum_d     = 13'd0;
        end
        if (multiply) begin
            sum_d = sum;
            if (times_y_q[12:1] != 12'd0) begin
                factor_d  = factor_q[12] ? 13'h1fff : {factor_q[11:0], 1'b0};
                times_y_d = {1'b0, times_y_q[12:1]};
            end else if (product_step_q == 3'd6) begin
                factor_d       = sum;
                sum_d          = 13'd0;
                times_y_d      = times_z_q;
                product_step_d = 3'd7;
            end else if (combo_q == 3'd0) begin
                threads_d      = sum;
                combo_d        = 3'd1;
                product_step_d = 3'd2;
            end else begin
                table_valid_d  = 1'b1;
                product_step_d = 3'd0;
            end
        end
        if (asked_q && (product_step_q == 3'd2 || product_step_q == 3'd3 || product_step_q == 3'd4))
            product_step_d = 3'd2;              // its read was displaced

        if (write_derived)
            stale_d = 1'b0;

        if (write_table) begin
            table_valid_d = 1'b0;
            combo_d       = combo_q + 3'd1;     // 0 behind the last
            if (combo_q == 3'd7) begin
                partial_d = (sum_q == 13'd0) ? 2'd2 : above_q ? 2'd3 : 2'd1;
                stale_d   = 1'b1;
            end else
                product_step_d = 3'd2;
        end

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
                    threads_d = ram_read_data[12:0];
                    vgprs_d   = ram_read_data[18:13];
                    engines_d = ram_read_data[19 +: SE_COUNT];
                    partial_d = ram_read_data[24:23];
                end
                5'd2: begin
                    lds_d  = ram_read_data[`TOTEM_COMPUTE_PGM_RSRC2_LDS_SIZE];
                    user_d = ram_read_data[`TOTEM_COMPUTE_PGM_RSRC2_USER_SGPR];
                end
                5'd3:  program_addr_d[31:0]  = ram_read_data;
                5'd4:  program_addr_d[39:32] = ram_read_data[7:0];
                5'd5:  origin_d[31:0]        = ram_read_data;
                5'd6:  origin_d[47:32]       = clamp(ram_read_data);
                5'd7:  origin_d[63:48]       = clamp(ram_read_data);
                5'd8:  initiator_d           = ram_read_data;
                5'd9:  restart_end_d[31:0]   = ram_read_data;
                5'd10: restart_end_d[47:32]  = ram_read_data[15:0];
                5'd11: restart_end_d[63:48]  = ram_read_data[15:0];
                5'd12: restart_d[31:0]       = ram_read_data;
                5'd13: restart_d[47:32]      = ram_read_data[15:0];
                5'd14: restart_d[63:48]      = ram_read_data[15:0];
                5'd15: restart_mask_d        = ram_read_data[6:0];
                5'd16: vgprs_d               = ram_read_data[`TOTEM_COMPUTE_PGM_RSRC1_VGPRS];
                default: ;
            endcase
            for (i = 0; i < SE_COUNT; i = i + 1)
                if (step_q == 5'd17 + i[4:0])
                    engines_d[i] = ram_read_data != 32'd0;
            if (step_q >= reads) begin
                loading_d = 1'b0;
                loaded_d  = 1'b1;
                if (raw_q[queue_q]) begin
                    if (!arbiter_go) begin
                        product_step_d = 3'd2;
                        combo_d        = 3'd0;
                        partial_d      = 2'd0;
                        stale_d        = 1'b1;
                        raw_d[queue_q] = 1'b0;
                    end
                end else if (partial_q == 2'd0) begin
                    product_step_d = 3'd2;
                    combo_d        = 3'd1;
                end
            end else
                step_d = step_q + 5'd1;
        end

        if (packet_write) begin
            write_valid_d  = packet_offset != DERIVED;
            write_offset_d = packet_offset;
            write_data_d   = packet_data;
            case (packet_offset)
                INITIATOR: initiator_d           = packet_data;
                START_X:   origin_d[31:0]        = packet_data;
                START_Y:   origin_d[47:32]       = clamp(packet_data);
                START_Z:   origin_d[63:48]       = clamp(packet_data);
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
                    // X is read first, so it must have reached the RAM first.
                    product_step_d = (packet_offset == NUM_THREAD_X) ? 3'd1 : 3'd2;
                    combo_d        = 3'd0;
                    table_valid_d  = 1'b0;
                    partial_d      = 2'd0;
                    stale_d        = 1'b1;
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
            product_step_d = 3'd0;      // a table that is not complete is begun again at the next load
            combo_d        = 3'd0;
            table_valid_d  = 1'b0;
            stale_d        = 1'b0;      // set only by a table that completes now
        end

        if (load_valid && load_kind == 5'd11)           // SKIP drops the grid with its packet
            saved_d[load_queue] = 1'b0;
        if (load_valid && (load_kind == 5'd0 || load_kind == 5'd16) && load_data[0]) begin
            if (load_kind == 5'd16) begin                  // MOVED: a grid dropped by SKIP does not come back
                raw_d[load_queue]   = 1'b1;
                saved_d[load_queue] = saved_q[load_queue] && load_data[2];
            end else begin
                raw_d[load_queue]   = load_data[1];
                saved_d[load_queue] = load_data[1] && load_data[2];
                if (!load_data[1])
                    clear_pending_d[load_queue] = 1'b1;
            end
            if (load_queue == queue_q) begin
                product_step_d = 3'd0;
                combo_d        = 3'd0;
                table_valid_d  = 1'b0;
            end
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
        product_step_q  <= product_step_d;
        asked_q         <= asked_d;
        asked_place_q   <= asked_place_d;
        factor_q        <= factor_d;
        times_y_q       <= times_y_d;
        times_z_q       <= times_z_d;
        sum_q           <= sum_d;
        combo_q         <= combo_d;
        above_q         <= above_d;
        table_valid_q   <= table_valid_d;
        threads_q       <= threads_d;
        partial_q       <= partial_d;
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
        raw_q           <= raw_d;
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
            product_step_q  <= 3'd0;
            asked_q         <= 1'b0;
            combo_q         <= 3'd0;
            table_valid_q   <= 1'b0;
            clear_pending_q <= {QUEUES{1'b0}};
            clear_active_q  <= 1'b0;
            raw_q           <= {QUEUES{1'b0}};
            guest_valid_q   <= 1'b0;
            answer_q        <= 1'b0;
        end
    end

`ifdef FORMAL
    // Assumed of packet, hqd and arbiter (invariant 3 of the contract).
    // Contract 1: no word of the register RAM is read while it is written.
    // Contract 2: registers are loaded, saved and complete one at a time; a queue being cleared is not loaded.
    // Contract 3: a save writes exactly the seven words it must.
    // Contract 4: the table is said to be complete only when nothing of it is under way.
    initial assume (rst);
    reg [2:0] f_words = 3'd0;               // words of the save under way
    reg       f_gone = 1'b0;                // the queue left and was mapped anew; its next go is to come
    wire      f_mapped  = load_valid && (load_kind == 5'd0 || load_kind == 5'd16) && load_data[0] && load_queue == queue_q;
    wire      f_reading = product_step_q >= 3'd1 && product_step_q <= 3'd4;

    always @(posedge clk) begin
        if (!rst) begin
            if (packet_write || packet_start || packet_save) assume (loaded_q);
            if (packet_start || packet_save) assume (!busy && !packet_write);
            assume (!(arbiter_go && (packet_write || packet_start || packet_save)));
            if (f_mapped) assume (!loading_q && !saving_q && !packet_write && !divide_read && !(f_reading && combo_q == 3'd0));
            if (load_valid && (arbiter_go || go_pending_q)) assume (load_queue != target);
            if (f_gone) assume (!packet_write && !packet_start && !packet_save && !divide_read);
            if (divide_read) assume (loaded_q && !busy && !packet_write && !arbiter_go && divide_place <= 2'd2);
            // mqd writes registers of a queue that is not mapped, so it is neither loaded nor multiplied.
            if (guest_valid_q && guest_write_q && (loading_q || f_reading || asked_q)) assume (guest_queue_q != queue_q);
        end
        f_gone <= (f_gone || f_mapped) && !arbiter_go && !loading_d;
        if (rst)
            f_gone <= 1'b0;
        if (packet_save)
            f_words <= 3'd0;
        else if (saving_q && !write_valid_q)
            f_words <= f_words + 3'd1;
        if (rst)
            f_words <= 3'd0;

        if (!rst) begin
            if (ram_write_enable && ram_read_enable) assert (ram_write_addr != ram_read_addr);      // 1
            assert (!(loading_q && saving_q));                                                      // 2
            assert (!(loaded_q && (loading_q || go_pending_q)));
            assert (!(loading_q && go_pending_q));
            if (loading_q) assert (!(clear_active_q && clear_queue_q == queue_q) && !clear_pending_q[queue_q]);
            if (loading_q) assert (!write_valid_q && !stale_q && product_step_q == 3'd0 && !table_valid_q);
            if (saving_q) assert (step_q <= 5'd6 && {2'b00, f_words} == step_q && !full_product);    // 3
            if (product_step_q == 3'd1) assert (write_valid_q && write_offset_q == NUM_THREAD_X);
            if (product_step_q == 3'd2 && write_valid_q) assert (write_offset_q != NUM_THREAD_X);
            if (product_step_q == 3'd3 && write_valid_q) assert (write_offset_q != NUM_THREAD_X && write_offset_q != NUM_THREAD_Y);
            if (product_step_q == 3'd4 && write_valid_q)
                assert (write_offset_q != NUM_THREAD_X && write_offset_q != NUM_THREAD_Y && write_offset_q != NUM_THREAD_Z);
            if (full_product) assert (stale_q && partial_q == 2'd0);
            if (combo_q == 3'd0) assert (!table_valid_q);                                           // 4
            if (table_valid_q) assert (product_step_q == 3'd0);
            if (product_step_q != 3'd0 || table_valid_q) assert (!loading_q && !(clear_active_q && clear_queue_q == queue_q) && !clear_pending_q[queue_q]);
            if (combo_q != 3'd0) assert ((product_step_q != 3'd0) != table_valid_q && product_step_q != 3'd1 && partial_q == 2'd0);
            if (loaded_q && !f_gone) assert (!(clear_active_q && clear_queue_q == queue_q) && !clear_pending_q[queue_q]);
            if (f_reading) assert (!f_gone);
            if (asked_q) assert (!loading_q && !write_valid_q && !full_product && asked_place_q <= 2'd2 &&
                                 !(clear_active_q && clear_queue_q == queue_q));
            assert (!(loaded_q && saving_q));
            if (full_product) assert (loaded_q || go_pending_q);
            if (f_gone) assert (product_step_q == 3'd0 && !table_valid_q && !loading_q);
            cover (loaded_q && saved_q[queue_q]);
        end
    end
`endif
endmodule

`default_nettype wire
