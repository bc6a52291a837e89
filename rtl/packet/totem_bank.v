// SPDX-License-Identifier: Apache-2.0
//
// totem_bank: compute registers of a pipe's queues, and what a dispatch needs of them at hand.
//
// Policy    registers live in a RAM beside the block; the selected queue's share that a dispatch
//           needs stands in flip-flops. Derived values are computed when registers are written and
//           kept in words of the RAM that no register uses (DERIVED, THREADS), so a switch only reads.
//           One multiplier serves all queues, selected or not: a switch neither waits for it nor
//           drops what it has done (`stage` of every queue).
// Latency   go to loaded: 10 clocks, 18 with an unfinished grid, at most 22 (invariant 5); a save 7;
//           threads: 7 clocks and one for each bit of NUM_THREAD_Y and Z; those of the 7 partial groups
//           behind them, 6 clocks and their bits each. Clearing at mapping: 128 clocks in the background.
// Boundary  ram_read_data is a flip-flop of the RAM; it shows one clock later what was asked for.
//           No word is read while it is written (the RAM may have MEETS 0): invariant 1.
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
    // host
    input  wire                        settings_rsrc3_gfx9,
    // divide
    input  wire                        divide_read,
    input  wire [1:0]                  divide_read_place,
    // dispatch controller
    output wire [39:0]                 program_addr,
    output wire                        scratch,
    output wire [3:0]                  words,
    // launch state RAMs
    output wire                        state_low_write_enable,
    output wire [$clog2(QUEUES)+3:0]   state_low_write_addr,
    output wire [31:0]                 state_low_write_data,
    output wire                        state_high_write_enable,
    output wire [$clog2(QUEUES)+3:0]   state_high_write_addr,
    output wire [31:0]                 state_high_write_data,
    // register RAM
    output wire                        ram_write_enable,
    output wire [$clog2(QUEUES)+6:0]   ram_write_addr,
    output wire [31:0]                 ram_write_data,
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
`include "totem_bank_values.vh"
    localparam QBITS = $clog2(QUEUES);

    generate
        if (QUEUES < 2 || QUEUES > 8 || QUEUES != (1 << QBITS) || SE_COUNT < 1 || SE_COUNT > 4) begin : check
            totem_bank_needs_QUEUES_2_4_or_8_and_SE_COUNT_1_to_4 refused ();
        end
    endgenerate

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
    reg                scratch_q, scratch_d;
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
    reg                access_valid_q, access_valid_d;
    reg                access_write_q, access_write_d;
    reg [QBITS-1:0]    access_queue_q, access_queue_d;
    reg [6:0]          access_offset_q, access_offset_d;
    reg [31:0]         access_data_q, access_data_d;
    reg                answer_q, answer_d;
    reg                rsrc3_gfx9_q, rsrc3_gfx9_d;

    // Registers that reset leaves alone read 0 at start, as in the model.
    initial begin
        queue_q = 0;          loaded_q = 0;      go_pending_q = 0;    next_queue_q = 0;
        loading_q = 0;        saving_q = 0;      step_q = 0;          saved_q = 0;
        write_valid_q = 0;    write_offset_q = 0; write_data_q = 0;   stale_q = 0;
        stage_q = 0;          partial_q = 0;     derive_step_q = 0;   derive_queue_q = 0;
        derive_turn_q = 0;    derive_own_q = 0;  factor_q = 0;        times_y_q = 0;       times_z_q = 0;
        threads_q = 0;        vgprs_q = 0;       lds_q = 0;           user_q = 0;
        scratch_q = 0;
        engines_q = 0;        program_addr_q = 0; origin_q = 0;       initiator_q = 0;
        restart_q = 0;        restart_mask_q = 0; restart_end_q = 0;  clear_pending_q = 0;
        clear_active_q = 0;   clear_queue_q = 0; clear_step_q = 0;
        access_valid_q = 0;   access_write_q = 0; access_queue_q = 0; access_offset_q = 0;
        access_data_q = 0;    answer_q = 0;      asked_q = 0;         asked_place_q = 0;
        sum_q = 0;            above_q = 0;       rsrc3_gfx9_q = 0;
    end

    assign loaded         = loaded_q;
    // A dispatch waits for the full group only; the partial ones are computed while it runs.
    wire [3:0] own_stage  = stage_q[queue_q*4 +: 4];
    assign busy           = saving_q || own_stage == STAGE_WORDS || own_stage == STAGE_FULL;
    assign partial        = (own_stage == STAGE_NONE) ? partial_q[queue_q*2 +: 2] : PARTIAL_COMPUTING;
    genvar g;
    generate
        for (g = 0; g < QUEUES; g = g + 1) begin : queues
            assign prepared[g] = stage_q[g*4 +: 4] == STAGE_NONE && !clear_pending_q[g] &&
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
    assign scratch        = scratch_q;
    assign words          = {3'd0, scratch_q} +
                            (user_q[4] ? 4'd10 : 4'd2 + {1'b0, user_q[3:1]} + {3'd0, user_q[0]});

    // The stage of the queue at hand, and the product.
    wire [3:0]       stage = stage_q[derive_queue_q*4 +: 4];
    wire             reads_itself, in_table;
    wire [2:0]       combo;
    wire [9:0]       derive_register;
    wire [3:0]       product_step;
    wire [QBITS-1:0] product_queue, product_turn;
    wire             product_own, product_above;
    wire [12:0]      product_factor, product_times_y, product_times_z, product_sum;
    totem_bank_derive #(.QUEUES(QUEUES), .SE_COUNT(SE_COUNT)) derive (
        .stages(stage_q), .own(queue_q), .written(write_result), .displaced(loading_q || asked_q),
        .read_data(ram_read_data),
        .derive_step_q(derive_step_q), .derive_queue_q(derive_queue_q), .derive_turn_q(derive_turn_q),
        .derive_own_q(derive_own_q), .factor_q(factor_q), .times_y_q(times_y_q), .times_z_q(times_z_q), .sum_q(sum_q),
        .above_q(above_q),
        .derive_step_d(product_step), .derive_queue_d(product_queue), .derive_turn_d(product_turn),
        .derive_own_d(product_own), .factor_d(product_factor), .times_y_d(product_times_y),
        .times_z_d(product_times_z), .sum_d(product_sum), .above_d(product_above),
        .reads_itself(reads_itself), .combo(combo), .in_table(in_table), .derive_register(derive_register)
    );

    // Who writes.
    wire write_save, write_derived, write_result, write_clear, write_access;
    totem_bank_write #(.QUEUES(QUEUES), .SE_COUNT(SE_COUNT)) writes (
        .rsrc3_gfx9(rsrc3_gfx9_q), .own_queue(queue_q), .write_register(write_valid_q), .write_offset(write_offset_q),
        .write_data(write_data_q),
        .saving(saving_q), .step(step_q), .restart(restart_q), .restart_mask(restart_mask_q),
        .restart_end(restart_end_q),
        .stale(stale_q), .loading(loading_q), .engines(engines_q), .vgprs(vgprs_q),
        .result(derive_step_q == DERIVE_RESULT), .derive_queue(derive_queue_q), .reads_itself(reads_itself),
        .combo(combo), .in_table(in_table), .words(stage == STAGE_WORDS), .sum(sum_q),
        .clear_active(clear_active_q), .clear_pending(|clear_pending_q), .clear_queue(clear_queue_q),
        .clear_step(clear_step_q),
        .access_valid(access_valid_q), .access_write(access_write_q), .access_queue(access_queue_q),
        .access_offset(access_offset_q), .access_data(access_data_q),
        .write_save(write_save), .write_derived(write_derived), .write_result(write_result),
        .write_clear(write_clear), .write_access(write_access),
        .ram_write_enable(ram_write_enable), .ram_write_addr(ram_write_addr), .ram_write_data(ram_write_data),
        .state_low(state_low_write_enable), .state_high(state_high_write_enable), .state_addr(state_low_write_addr),
        .state_data(state_low_write_data)
    );
    assign state_high_write_addr = state_low_write_addr;
    assign state_high_write_data = state_low_write_data;

    wire access_reads = access_valid_q && !access_write_q && !clear_active_q && !(|clear_pending_q) && !write_valid_q &&
                       !write_save && !write_derived && !write_result && !loading_q && !reads_itself && !asked_q;
    assign mqd_ready  = !access_valid_q;
    assign mqd_answer = answer_q;

    wire [4:0] reads     = saved_q[queue_q] ? 5'd16 : 5'd8;
    assign ram_read_enable = access_reads || (loading_q ? step_q < reads : reads_itself || asked_q);
    reg [9:0] load_register;    // read in a step of a load
    always @*
        case (step_q)
            5'd0:    load_register = {3'b100, OFFSET_DERIVED};
            5'd1:    load_register = {3'b100, OFFSET_THREADS};
            5'd2:    load_register = `TOTEM_SH_COMPUTE_PGM_RSRC2;
            5'd3:    load_register = `TOTEM_SH_COMPUTE_PGM_LO;
            5'd4:    load_register = `TOTEM_SH_COMPUTE_PGM_HI;
            5'd5:    load_register = `TOTEM_SH_COMPUTE_START_X;
            5'd6:    load_register = `TOTEM_SH_COMPUTE_START_Y;
            5'd7:    load_register = `TOTEM_SH_COMPUTE_START_Z;
            5'd8:    load_register = `TOTEM_SH_COMPUTE_DISPATCH_INITIATOR;
            5'd9:    load_register = `TOTEM_SH_COMPUTE_DIM_X;
            5'd10:   load_register = `TOTEM_SH_COMPUTE_DIM_Y;
            5'd11:   load_register = `TOTEM_SH_COMPUTE_DIM_Z;
            5'd12:   load_register = `TOTEM_SH_COMPUTE_RESTART_X;
            5'd13:   load_register = `TOTEM_SH_COMPUTE_RESTART_Y;
            5'd14:   load_register = `TOTEM_SH_COMPUTE_RESTART_Z;
            default: load_register = `TOTEM_SH_COMPUTE_RELAUNCH;
        endcase

    // divide's question: NUM_THREAD of a dimension.
    wire [9:0] asked_register = `TOTEM_SH_COMPUTE_NUM_THREAD_X + {8'd0, asked_place_q};

    assign ram_read_addr   = access_reads ? {access_queue_q, access_offset_q} :
                             loading_q   ? {queue_q, load_register[6:0]} :
                             asked_q     ? {queue_q, asked_register[6:0]} : {derive_queue_q, derive_register[6:0]};

    wire [QBITS-1:0] target = arbiter_go ? arbiter_selected : next_queue_q;
    wire [15:0]      clamped_write = packet_data[31:16] != 16'd0 ? 16'hffff : packet_data[15:0];
    wire [15:0]      clamped_read  = ram_read_data[31:16] != 16'd0 ? 16'hffff : ram_read_data[15:0];
    wire             ready  = !saving_q && !packet_save && !write_valid_q && !packet_write && !stale_q;

    wire unused = &{1'b0, load_data[39:3], load_register[9:7], asked_register[9:7], derive_register[9:7]};

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
        derive_step_d   = product_step;
        derive_queue_d  = product_queue;
        derive_turn_d   = product_turn;
        derive_own_d    = product_own;
        // 1 Question
        asked_d         = divide_read;
        rsrc3_gfx9_d    = settings_rsrc3_gfx9;
        asked_place_d   = divide_read_place;
        factor_d        = product_factor;
        times_y_d       = product_times_y;
        times_z_d       = product_times_z;
        sum_d           = product_sum;
        above_d         = product_above;
        threads_d       = threads_q;
        vgprs_d         = vgprs_q;
        lds_d           = lds_q;
        user_d          = user_q;
        scratch_d       = scratch_q;
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
        access_valid_d  = access_valid_q && !write_access && !access_reads;
        access_write_d  = access_write_q;
        access_queue_d  = access_queue_q;
        access_offset_d = access_offset_q;
        access_data_d   = access_data_q;
        answer_d        = access_reads;

        // 2 Deriving, continued: the result is stored.
        if (write_result) begin
            stage_d[derive_queue_q*4 +: 4] = (stage == STAGE_LAST) ? STAGE_NONE : stage + 4'd1;
            if (stage == STAGE_FULL && derive_queue_q == queue_q)
                threads_d = sum_q;
            if (stage == STAGE_LAST)
                partial_d[derive_queue_q*2 +: 2] = (sum_q == 13'd0) ? PARTIAL_ZERO :
                                                   above_q ? PARTIAL_ABOVE : PARTIAL_READY;
        end

        // 3 Derived word
        if (write_derived)
            stale_d = 1'b0;

        // 4 Clearing
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

        // 5 Save
        if (write_save) begin
            if (step_q >= 5'd6)
                saving_d = 1'b0;
            else
                step_d = step_q + 5'd1;
        end

        // 6 Load
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
                    scratch_d = ram_read_data[`TOTEM_COMPUTE_PGM_RSRC2_SCRATCH_EN];
                end
                5'd4:  program_addr_d[31:0]  = ram_read_data;
                5'd5:  program_addr_d[39:32] = ram_read_data[7:0];
                5'd6:  origin_d[31:0]        = ram_read_data;
                5'd7:  origin_d[47:32]       = clamped_read;
                5'd8:  origin_d[63:48]       = clamped_read;
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

        // 7 Packet write
        if (packet_write) begin
            write_valid_d  = packet_offset != OFFSET_DERIVED && packet_offset != OFFSET_THREADS;
            write_offset_d = packet_offset;
            write_data_d   = packet_data;
            case ({3'b100, packet_offset})
                `TOTEM_SH_COMPUTE_DISPATCH_INITIATOR: initiator_d = packet_data;
                `TOTEM_SH_COMPUTE_START_X: origin_d[31:0]        = packet_data;
                `TOTEM_SH_COMPUTE_START_Y: origin_d[47:32]       = clamped_write;
                `TOTEM_SH_COMPUTE_START_Z: origin_d[63:48]       = clamped_write;
                `TOTEM_SH_COMPUTE_PGM_LO:  program_addr_d[31:0]  = packet_data;
                `TOTEM_SH_COMPUTE_PGM_HI:  program_addr_d[39:32] = packet_data[7:0];
                `TOTEM_SH_COMPUTE_PGM_RSRC1: begin
                    vgprs_d = packet_data[`TOTEM_COMPUTE_PGM_RSRC1_VGPRS];
                    stale_d = 1'b1;
                end
                `TOTEM_SH_COMPUTE_PGM_RSRC2: begin
                    lds_d  = packet_data[`TOTEM_COMPUTE_PGM_RSRC2_LDS_SIZE];
                    user_d = packet_data[`TOTEM_COMPUTE_PGM_RSRC2_USER_SGPR];
                    scratch_d = packet_data[`TOTEM_COMPUTE_PGM_RSRC2_SCRATCH_EN];
                end
                `TOTEM_SH_COMPUTE_NUM_THREAD_X, `TOTEM_SH_COMPUTE_NUM_THREAD_Y, `TOTEM_SH_COMPUTE_NUM_THREAD_Z: begin
                    stage_d[queue_q*4 +: 4] = STAGE_FULL;
                    if (derive_queue_d == queue_q)
                        derive_step_d = DERIVE_IDLE;        // what is under way begins again
                end
                default: ;
            endcase
            for (i = 0; i < SE_COUNT; i = i + 1)
                if ({3'b100, packet_offset} == ((i == 0) ? `TOTEM_SH_COMPUTE_STATIC_THREAD_MGMT_SE0 :
                                                (i == 1) ? `TOTEM_SH_COMPUTE_STATIC_THREAD_MGMT_SE1 :
                                                (i == 2) ? `TOTEM_SH_COMPUTE_STATIC_THREAD_MGMT_SE2 :
                                                           `TOTEM_SH_COMPUTE_STATIC_THREAD_MGMT_SE3)) begin
                    engines_d[i] = packet_data != 32'd0;
                    stale_d      = 1'b1;
                end
        end

        // 8 Start
        if (packet_start) begin
            if (!saved_q[queue_q])
                restart_end_d = packet_start_end;
            saved_d[queue_q] = 1'b0;
        end
        if (packet_forget)
            saved_d[queue_q] = 1'b0;

        // 9 Save requested
        if (packet_save) begin
            saving_d         = 1'b1;
            loading_d        = 1'b0;
            loaded_d         = 1'b0;
            step_d           = 5'd0;
            saved_d[queue_q] = 1'b1;
            restart_d        = walker_low;
            restart_mask_d   = walker_mask;
        end

        // 10 Go
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

        // 11 Load bus. LOAD_MOVED: memory brings back no grid that the queue had not.
        if (load_valid && (load_kind == LOAD_ACTIVE || load_kind == LOAD_MOVED) && load_data[0]) begin
            if (derive_queue_d == load_queue)
                derive_step_d = DERIVE_IDLE;
            saved_d[load_queue]        = (load_kind == LOAD_MOVED) ? saved_q[load_queue] && load_data[2] :
                load_data[1] && load_data[2];
            stage_d[load_queue*4 +: 4] = (load_data[1] || load_kind == LOAD_MOVED) ? STAGE_WORDS : STAGE_NONE;
            if (!load_data[1] && load_kind == LOAD_ACTIVE) begin
                clear_pending_d[load_queue]  = 1'b1;
                partial_d[load_queue*2 +: 2] = PARTIAL_ZERO;     // NUM_THREAD is 0
            end
        end

        // 12 Access. What an earlier mapping left to derive has no meaning any more.
        if (write_access) begin
            if (derive_queue_d == access_queue_q)
                derive_step_d = DERIVE_IDLE;
            stage_d[access_queue_q*4 +: 4] = STAGE_NONE;
        end

        if (mqd_valid && !access_valid_q) begin
            access_valid_d  = 1'b1;
            access_write_d  = mqd_write;
            access_queue_d  = mqd_queue;
            access_offset_d = mqd_offset;
            access_data_d   = mqd_data;
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
        rsrc3_gfx9_q    <= rsrc3_gfx9_d;
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
        scratch_q       <= scratch_d;
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
        access_valid_q  <= access_valid_d;
        access_write_q  <= access_write_d;
        access_queue_q  <= access_queue_d;
        access_offset_q <= access_offset_d;
        access_data_q   <= access_data_d;
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
            derive_step_q   <= DERIVE_IDLE;
            derive_queue_q  <= {QBITS{1'b0}};
            derive_turn_q   <= {QBITS{1'b0}};
            derive_own_q    <= 1'b0;
            asked_q         <= 1'b0;
            rsrc3_gfx9_q    <= 1'b0;
            clear_pending_q <= {QUEUES{1'b0}};
            clear_active_q  <= 1'b0;
            access_valid_q  <= 1'b0;
            answer_q        <= 1'b0;
        end
    end

`ifdef FORMAL
`include "totem_bank_properties.vh"
`endif
endmodule

`default_nettype wire
