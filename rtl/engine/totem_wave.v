// SPDX-License-Identifier: Apache-2.0
//
// totem_wave: wave engine, a stand-in for shader cores: every wave runs for a time and answers done.
//
// Policy    the time is looked up by program: a duration and a random spread. A deadline per slot lies
//           in RAM; one slot is visited per clock, round robin. A kill marks the slots of its epochs, which end at
//           their next visit; programs may be endless, or deaf to kills. A geometry wave exports its primitives
//           first, one wave at a time; others keep their slots and are found again. One that is refused again and
//           again comes next. A compute wave may launch a child task first: such waves take turns in the order of
//           their slots (docs/contract/wave.md).
// Latency   done within SLOTS clocks after the deadline, never before it; one launch and one done a clock.
// Boundary  launch_ready depends on the rate register alone, never on another wave's end; nor does the end of a wave
//           that is not geometry depend on an export.
// Cost      16 table entries of 37 flip-flops; 13 a slot, 9 of them say whose wave it is. GRAPHICS: 31 more an entry,
//           a multiplier of 9 x 8 bits, 12 bits a word of the RAM. TASKS: 32 more an entry, 6 a slot.
// Proof     invariants 1 (once) to 13 (range).
// Parts     totem_wave_host.
// Twin      cmodel/engine/totem_wave.c, same names.

`default_nettype none

module totem_wave #(
    parameter QUEUES = 8,                   // 2 to 8
    parameter EPOCHS = 8,                   // 2 to 8
    parameter SLOTS  = 64,                  // a power of two from 4 to 64
    parameter GRAPHICS = 0,                 // 0: no geometry waves, no exports
    parameter TASKS  = 0                    // 0: no child tasks
) (
    input  wire                     clk,
    input  wire                     rst,
    // launch
    input  wire                     launch_valid,
    input  wire [$clog2(SLOTS)-1:0] launch_slot,
    input  wire [39:0]              launch_program,
    input  wire [1:0]               launch_kind,
    input  wire [6:0]               launch_primitives,
    input  wire                     launch_state_new,
    input  wire [1:0]               launch_fe,
    input  wire [1:0]               launch_pipe,
    input  wire [$clog2(QUEUES)-1:0] launch_queue,
    input  wire [$clog2(EPOCHS)-1:0] launch_epoch,
    output wire                     launch_ready,
    output wire [4:0]               state_index,
    input  wire [63:0]              state_data,
    // assembler
    output wire                     export_valid,
    output wire [$clog2(SLOTS)-1:0] export_slot,
    output wire [8:0]               export_primitives,
    output wire [19:0]              export_pixels,
    input  wire                     export_ready,
    // submit
    output wire                     task_valid,
    output wire [31:0]              task_pointer,
    output wire [1:0]               task_fe,
    output wire [1:0]               task_pipe,
    output wire [$clog2(QUEUES)-1:0] task_queue,
    output wire [$clog2(EPOCHS)-1:0] task_epoch,
    input  wire                     task_ready,
    input  wire                     task_refused,
    // kill
    input  wire                     kill_valid,
    input  wire [1:0]               kill_fe,
    input  wire [1:0]               kill_pipe,
    input  wire [$clog2(QUEUES)-1:0] kill_queue,
    input  wire [EPOCHS-1:0]        kill_epochs,
    // retire
    output wire                     done_valid,
    output wire [$clog2(SLOTS)-1:0] done_slot,
    // host
    input  wire                     host_valid,
    input  wire                     host_write,
    input  wire [7:0]               host_dword,
    input  wire [3:0]               host_strobe,
    input  wire [31:0]              host_data,
    output wire                     host_done,
    output wire [4:0]               host_error,
    output wire [31:0]              host_rdata,
    // deadline RAM
    output wire                     time_write_enable,
    output wire [$clog2(SLOTS)-1:0] time_write_addr,
    output wire [31+GRAPHICS*12:0]  time_write_data,
    output wire                     time_read_enable,
    output wire [$clog2(SLOTS)-1:0] time_read_addr,
    input  wire [31+GRAPHICS*12:0]  time_read_data,
    // status
    output wire [SLOTS-1:0]         occupied
);
`include "totem_issue_values.vh"
`include "totem_wave_values.vh"
    localparam SLOT_BITS = $clog2(SLOTS);
    localparam Q = $clog2(QUEUES);
    localparam E = $clog2(EPOCHS);

    generate
        if (QUEUES < 2 || QUEUES > 8 || EPOCHS < 2 || EPOCHS > 8 || SLOTS < 4 || SLOTS > 64 ||
            SLOTS != (1 << SLOT_BITS)) begin : check
            totem_wave_needs_QUEUES_and_EPOCHS_2_to_8_and_SLOTS_a_power_of_two_from_4_to_64 refused ();
        end
    endgenerate

    reg [16*32-1:0]     duration_q, duration_d;
    reg [16*5-1:0]      spread_q, spread_d;
    reg [31:0]          seed_q, seed_d;
    reg [15:0]          rate_q, rate_d;
    reg [16*3-1:0]      multiplier_q, multiplier_d;
    reg [16*8-1:0]      culled_q, culled_d;
    reg [16*20-1:0]     pixels_q, pixels_d;
    reg [16*32-1:0]     child_q, child_d;
    reg [31:0]          children_q, children_d;
    reg [31:0]          refused_q, refused_d;
    reg [31:0]          now_q, now_d;
    reg [15:0]          wait_clocks_q, wait_clocks_d;
    reg [SLOTS-1:0]     occupied_q, occupied_d;
    reg [SLOTS-1:0]     endless_q, endless_d;
    reg [SLOTS-1:0]     deaf_q, deaf_d;
    reg [SLOTS*2-1:0]   owner_fe_q, owner_fe_d;
    reg [SLOTS*2-1:0]   owner_pipe_q, owner_pipe_d;
    reg [SLOTS*Q-1:0]   owner_queue_q, owner_queue_d;
    reg [SLOTS*E-1:0]   owner_epoch_q, owner_epoch_d;
    reg [SLOTS-1:0]     killed_q, killed_d;
    reg [SLOTS*4-1:0]   entry_q, entry_d;
    reg [SLOTS-1:0]     may_ask_q, may_ask_d;
    reg [SLOTS-1:0]     asks_q, asks_d;
    reg                 start_valid_q, start_valid_d;
    reg [SLOT_BITS-1:0] start_slot_q, start_slot_d;
    reg [3:0]           start_entry_q, start_entry_d;
    reg                 start_geometry_q, start_geometry_d;
    reg [6:0]           start_primitives_q, start_primitives_d;
    reg [SLOT_BITS-1:0] visit_q, visit_d;
    reg                 look_valid_q, look_valid_d;
    reg [SLOT_BITS-1:0] look_slot_q, look_slot_d;
    reg [2:0]           phase_q, phase_d;
    reg [SLOT_BITS-1:0] export_slot_q, export_slot_d;
    reg [3:0]           export_entry_q, export_entry_d;
    reg [7:0]           export_culled_q, export_culled_d;
    reg [8:0]           export_primitives_q, export_primitives_d;
    reg [19:0]          export_pixels_q, export_pixels_d;
    reg                 due_valid_q, due_valid_d;
    reg [SLOT_BITS-1:0] due_slot_q, due_slot_d;
    reg [1:0]           due_rounds_q, due_rounds_d;
    reg [SLOT_BITS-1:0] task_turn_q, task_turn_d;
    reg                 task_valid_q, task_valid_d;
    reg [31:0]          task_pointer_q, task_pointer_d;
    reg [1:0]           task_fe_q, task_fe_d;
    reg [1:0]           task_pipe_q, task_pipe_d;
    reg [Q-1:0]         task_queue_q, task_queue_d;
    reg [E-1:0]         task_epoch_q, task_epoch_d;
    reg                 done_valid_q, done_valid_d;
    reg [SLOT_BITS-1:0] done_slot_q, done_slot_d;
    reg                 host_done_q, host_done_d;
    reg [4:0]           host_error_q, host_error_d;
    reg [31:0]          host_rdata_q, host_rdata_d;

    // Registers that reset leaves alone read 0 at start, as in the model.
    initial begin
        endless_q           = {SLOTS{1'b0}};
        deaf_q              = {SLOTS{1'b0}};
        owner_fe_q          = {SLOTS*2{1'b0}};
        owner_pipe_q        = {SLOTS*2{1'b0}};
        owner_queue_q       = {SLOTS*Q{1'b0}};
        owner_epoch_q       = {SLOTS*E{1'b0}};
        killed_q            = {SLOTS{1'b0}};
        start_slot_q        = {SLOT_BITS{1'b0}};
        start_entry_q       = 4'd0;
        start_geometry_q    = 1'b0;
        start_primitives_q  = 7'd0;
        export_slot_q       = {SLOT_BITS{1'b0}};
        export_entry_q      = 4'd0;
        export_culled_q     = 8'd0;
        export_primitives_q = 9'd0;
        export_pixels_q     = 20'd0;
        due_slot_q          = {SLOT_BITS{1'b0}};
        due_rounds_q        = 2'd0;
        entry_q             = {SLOTS*4{1'b0}};
        task_pointer_q      = 32'd0;
        task_fe_q           = 2'd0;
        task_pipe_q         = 2'd0;
        task_queue_q        = {Q{1'b0}};
        task_epoch_q        = {E{1'b0}};
        done_slot_q         = {SLOT_BITS{1'b0}};
        host_error_q        = 5'd0;
        host_rdata_q        = 32'd0;
    end

    wire [4:0]  spread   = spread_q[start_entry_q*5 +: 5];
    wire [31:0] addition = seed_q & ~(32'hFFFFFFFF << spread);

    assign launch_ready      = wait_clocks_q == 16'd0;
    assign state_index       = 5'd0;
    assign done_valid        = done_valid_q;
    assign done_slot         = done_slot_q;
    assign host_done         = host_done_q;
    assign host_error        = host_error_q;
    assign host_rdata        = host_rdata_q;
    assign time_write_enable = start_valid_q;
    assign time_write_addr   = start_slot_q;
    assign export_valid      = phase_q == EXPORT_OFFER;
    assign export_slot       = export_slot_q;
    assign export_primitives = export_primitives_q;
    assign export_pixels     = export_pixels_q;
    assign task_valid        = task_valid_q;
    assign task_pointer      = task_pointer_q;
    assign task_fe           = task_fe_q;
    assign task_pipe         = task_pipe_q;
    assign task_queue        = task_queue_q;
    assign task_epoch        = task_epoch_q;
    assign time_read_enable  = 1'b1;
    assign time_read_addr    = visit_q;
    assign occupied          = occupied_q;

    wire [31:0] deadline = now_q + {2'd0, duration_q[start_entry_q*32 +: 30]} + addition;
    wire [43:0] word;       // of the RAM: geometry wave, primitives, table entry, deadline

    generate
        if (GRAPHICS != 0) begin : wide
            assign time_write_data = {start_geometry_q, start_primitives_q, start_entry_q, deadline};
            assign word            = time_read_data;
        end else begin : narrow
            assign time_write_data = deadline;
            assign word            = {12'd0, time_read_data};
        end
    endgenerate

    wire        accept   = launch_valid && launch_ready;
    wire [31:0] late     = now_q - word[31:0];
    wire        over     = look_valid_q && (killed_q[look_slot_q] || (!endless_q[look_slot_q] && !late[31]));
    wire        geometry = word[43];

    // Child tasks. Whose turn it is keeps the turn until its request is answered.
    wire [31:0] look_child = child_q[entry_q[look_slot_q*4 +: 4]*32 +: 32];
    wire [31:0] turn_child = child_q[entry_q[task_turn_q*4 +: 4]*32 +: 32];
    wire        ask     = over && !geometry && may_ask_q[look_slot_q] && !killed_q[look_slot_q] && look_child != 32'd0;
    wire        expired = over && !geometry && !ask && !asks_q[look_slot_q];

    // Exports. A wave whose visit comes during its own export is not refused.
    wire        wants   = over && geometry && !(phase_q != EXPORT_NONE && export_slot_q == look_slot_q);
    wire        barred  = due_valid_q && due_rounds_q == 2'd3 && due_slot_q != look_slot_q;
    wire        begins  = wants && phase_q == EXPORT_NONE && !barred;
    wire        give    = !expired && (phase_q == EXPORT_TAKEN || (phase_q == EXPORT_OFFER && export_ready));
    wire [16:0] product = export_primitives_q * export_culled_q;

    wire [31:0] seed_a  = seed_q ^ (seed_q << 13);
    wire [31:0] seed_b  = seed_a ^ (seed_a >> 17);

    wire        request  = host_valid && !host_done_q;
    wire        to_duration, to_spread, to_seed, to_rate, to_export, to_pixels, to_child;
    wire [31:0] present, merged;
    wire [4:0]  refusal;

    totem_wave_host #(.SLOTS(SLOTS), .GRAPHICS(GRAPHICS), .TASKS(TASKS)) host (
        .host_write(host_write), .host_dword(host_dword), .host_strobe(host_strobe), .host_data(host_data),
        .duration(duration_q), .spread(spread_q), .seed(seed_q), .rate(rate_q), .multiplier(multiplier_q),
        .culled(culled_q), .pixels(pixels_q), .child(child_q), .children(children_q), .refused(refused_q),
        .occupied(occupied_q), .to_duration(to_duration), .to_spread(to_spread), .to_seed(to_seed), .to_rate(to_rate),
        .to_export(to_export), .to_pixels(to_pixels), .to_child(to_child), .present(present), .merged(merged),
        .error(refusal));

    integer     n;

    wire unused = &{1'b0, launch_program[39:4], launch_state_new, late[30:0], state_data, product[7:0]};

    always @* begin
        // 1 Clock
        now_d         = now_q + 32'd1;
        visit_d       = visit_q + 1'b1;
        // 2 Rate
        wait_clocks_d = launch_ready ? 16'd0 : wait_clocks_q - 16'd1;
        if (accept && rate_q > 16'd1)
            wait_clocks_d = rate_q - 16'd1;
        // 3 Seed
        seed_d = start_valid_q ? seed_b ^ (seed_b << 5) : seed_q;

        // 4 Look
        look_valid_d  = occupied_q[visit_q] && !(start_valid_q && start_slot_q == visit_q);
        if (give && export_slot_q == visit_q)
            look_valid_d = 1'b0;
        look_slot_d   = visit_q;
        // 5 Done
        done_valid_d  = expired || give;
        done_slot_d   = give ? export_slot_q : look_valid_q ? look_slot_q : done_slot_q;
        occupied_d    = occupied_q;
        if (expired)
            occupied_d[look_slot_q] = 1'b0;
        if (give)
            occupied_d[export_slot_q] = 1'b0;

        // 6 Export
        phase_d             = phase_q;
        export_slot_d       = export_slot_q;
        export_entry_d      = export_entry_q;
        export_culled_d     = export_culled_q;
        export_primitives_d = export_primitives_q;
        export_pixels_d     = export_pixels_q;
        if (give)
            phase_d = EXPORT_NONE;
        else if (phase_q == EXPORT_OFFER && export_ready)
            phase_d = EXPORT_TAKEN;
        if (begins) begin
            phase_d             = EXPORT_MULTIPLY;
            export_slot_d       = look_slot_q;
            export_entry_d      = word[35:32];
            export_primitives_d = killed_q[look_slot_q] ? 9'd0 : {2'd0, word[42:36]};
        end
        if (phase_q == EXPORT_MULTIPLY) begin
            phase_d             = EXPORT_CULL;
            export_primitives_d = export_primitives_q * multiplier_q[export_entry_q*3 +: 3];
            export_culled_d     = culled_q[export_entry_q*8 +: 8];
            export_pixels_d     = pixels_q[export_entry_q*20 +: 20];
        end
        if (phase_q == EXPORT_CULL) begin
            phase_d             = EXPORT_OFFER;
            export_primitives_d = export_primitives_q - product[16:8];
        end

        // 7 Turn of exports
        due_valid_d  = due_valid_q;
        due_slot_d   = due_slot_q;
        due_rounds_d = due_rounds_q;
        if (wants && !begins) begin
            if (!due_valid_q) begin
                due_valid_d  = 1'b1;
                due_slot_d   = look_slot_q;
                due_rounds_d = 2'd0;
            end else if (due_slot_q == look_slot_q && due_rounds_q != 2'd3)
                due_rounds_d = due_rounds_q + 2'd1;
        end
        if (begins && due_slot_q == look_slot_q)
            due_valid_d = 1'b0;
        if (GRAPHICS == 0) begin
            phase_d     = EXPORT_NONE;
            due_valid_d = 1'b0;
        end

        // 8 Child tasks
        children_d     = children_q;
        refused_d      = refused_q;
        may_ask_d      = may_ask_q;
        asks_d         = asks_q;
        task_turn_d    = task_turn_q;
        task_valid_d   = task_valid_q;
        task_pointer_d = task_pointer_q;
        task_fe_d      = task_fe_q;
        task_pipe_d    = task_pipe_q;
        task_queue_d   = task_queue_q;
        task_epoch_d   = task_epoch_q;
        if (TASKS != 0) begin
            if (!task_valid_q && asks_q[task_turn_q] && turn_child != 32'd0) begin
                task_valid_d   = 1'b1;
                task_pointer_d = turn_child;
                task_fe_d      = owner_fe_q[task_turn_q*2 +: 2];
                task_pipe_d    = owner_pipe_q[task_turn_q*2 +: 2];
                task_queue_d   = owner_queue_q[task_turn_q*Q +: Q];
                task_epoch_d   = owner_epoch_q[task_turn_q*E +: E];
            end else if (!task_valid_q || task_ready) begin
                task_valid_d        = 1'b0;
                asks_d[task_turn_q] = 1'b0;
                task_turn_d         = task_turn_q + 1'b1;
            end
            if (task_valid_q && task_ready) begin
                if (task_refused)
                    refused_d = refused_q + 32'd1;
                else
                    children_d = children_q + 32'd1;
            end
            if (ask) begin
                asks_d[look_slot_q]    = 1'b1;
                may_ask_d[look_slot_q] = 1'b0;
            end
        end

        endless_d     = endless_q;
        deaf_d        = deaf_q;
        owner_fe_d    = owner_fe_q;
        owner_pipe_d  = owner_pipe_q;
        owner_queue_d = owner_queue_q;
        owner_epoch_d = owner_epoch_q;
        killed_d      = killed_q;
        entry_d       = entry_q;
        // 9 Kill
        for (n = 0; n < SLOTS; n = n + 1)
            if (kill_valid && occupied_q[n] && !deaf_q[n] && owner_fe_q[n*2 +: 2] == kill_fe &&
                owner_pipe_q[n*2 +: 2] == kill_pipe &&
                owner_queue_q[n*Q +: Q] == kill_queue && kill_epochs[owner_epoch_q[n*E +: E]])
                killed_d[n] = 1'b1;
        // 10 Launch
        start_valid_d      = accept;
        start_slot_d       = accept ? launch_slot : start_slot_q;
        start_entry_d      = accept ? launch_program[3:0] : start_entry_q;
        start_geometry_d   = accept ? GRAPHICS != 0 && launch_kind == WAVE_GEOMETRY : start_geometry_q;
        start_primitives_d = accept ? (GRAPHICS != 0 ? launch_primitives : 7'd0) : start_primitives_q;
        if (accept) begin
            occupied_d[launch_slot]           = 1'b1;
            endless_d[launch_slot]            = duration_q[launch_program[3:0]*32 + 30];
            deaf_d[launch_slot]               = duration_q[launch_program[3:0]*32 + 31];
            owner_fe_d[launch_slot*2 +: 2]    = launch_fe;
            owner_pipe_d[launch_slot*2 +: 2]  = launch_pipe;
            owner_queue_d[launch_slot*Q +: Q] = launch_queue;
            owner_epoch_d[launch_slot*E +: E] = launch_epoch;
            killed_d[launch_slot]             = 1'b0;
            if (TASKS != 0) begin
                entry_d[launch_slot*4 +: 4] = launch_program[3:0];
                may_ask_d[launch_slot]      = launch_kind == WAVE_COMPUTE && launch_pipe < PIPE_GRAPHICS;
            end
        end

        // 11 Host
        duration_d   = duration_q;
        spread_d     = spread_q;
        rate_d       = rate_q;
        multiplier_d = multiplier_q;
        culled_d     = culled_q;
        pixels_d     = pixels_q;
        child_d      = child_q;
        host_done_d  = request;
        host_error_d = host_error_q;
        host_rdata_d = host_rdata_q;
        if (request) begin
            host_rdata_d = host_write ? 32'd0 : present;
            host_error_d = refusal;
            if (host_write && refusal == 5'd0) begin
                if (to_seed)
                    seed_d = merged;
                if (to_rate)
                    rate_d = merged[15:0];
                for (n = 0; n < 16; n = n + 1)
                    if (host_dword[3:0] == n[3:0]) begin
                        if (to_duration)
                            duration_d[n*32 +: 32] = merged;
                        if (to_spread)
                            spread_d[n*5 +: 5] = merged[4:0];
                        if (to_export) begin
                            multiplier_d[n*3 +: 3] = merged[2:0];
                            culled_d[n*8 +: 8]     = merged[15:8];
                        end
                        if (to_pixels)
                            pixels_d[n*20 +: 20] = merged[19:0];
                        if (to_child)
                            child_d[n*32 +: 32] = merged;
                    end
            end
        end
    end

    always @(posedge clk) begin
        duration_q    <= duration_d;
        endless_q     <= endless_d;
        deaf_q        <= deaf_d;
        owner_fe_q    <= owner_fe_d;
        owner_pipe_q  <= owner_pipe_d;
        owner_queue_q <= owner_queue_d;
        owner_epoch_q <= owner_epoch_d;
        killed_q      <= killed_d;
        spread_q      <= spread_d;
        seed_q        <= seed_d;
        rate_q        <= rate_d;
        multiplier_q  <= multiplier_d;
        culled_q      <= culled_d;
        pixels_q      <= pixels_d;
        child_q       <= child_d;
        children_q    <= children_d;
        refused_q     <= refused_d;
        entry_q       <= entry_d;
        may_ask_q     <= may_ask_d;
        asks_q        <= asks_d;
        task_turn_q   <= task_turn_d;
        task_valid_q  <= task_valid_d;
        task_pointer_q <= task_pointer_d;
        task_fe_q     <= task_fe_d;
        task_pipe_q   <= task_pipe_d;
        task_queue_q  <= task_queue_d;
        task_epoch_q  <= task_epoch_d;
        now_q         <= now_d;
        wait_clocks_q <= wait_clocks_d;
        occupied_q    <= occupied_d;
        start_valid_q <= start_valid_d;
        start_slot_q  <= start_slot_d;
        start_entry_q <= start_entry_d;
        start_geometry_q    <= start_geometry_d;
        start_primitives_q  <= start_primitives_d;
        phase_q             <= phase_d;
        export_slot_q       <= export_slot_d;
        export_entry_q      <= export_entry_d;
        export_culled_q     <= export_culled_d;
        export_primitives_q <= export_primitives_d;
        export_pixels_q     <= export_pixels_d;
        due_valid_q         <= due_valid_d;
        due_slot_q          <= due_slot_d;
        due_rounds_q        <= due_rounds_d;
        visit_q       <= visit_d;
        look_valid_q  <= look_valid_d;
        look_slot_q   <= look_slot_d;
        done_valid_q  <= done_valid_d;
        done_slot_q   <= done_slot_d;
        host_done_q   <= host_done_d;
        host_error_q  <= host_error_d;
        host_rdata_q  <= host_rdata_d;
        if (rst) begin
            duration_q    <= {16*32{1'b0}};
            spread_q      <= {16*5{1'b0}};
            seed_q        <= 32'd1;
            rate_q        <= 16'd0;
            multiplier_q  <= {16{3'd1}};
            culled_q      <= {16*8{1'b0}};
            pixels_q      <= {16*20{1'b0}};
            child_q       <= {16*32{1'b0}};
            children_q    <= 32'd0;
            refused_q     <= 32'd0;
            may_ask_q     <= {SLOTS{1'b0}};
            asks_q        <= {SLOTS{1'b0}};
            task_turn_q   <= {SLOT_BITS{1'b0}};
            task_valid_q  <= 1'b0;
            phase_q       <= EXPORT_NONE;
            due_valid_q   <= 1'b0;
            now_q         <= 32'd0;
            wait_clocks_q <= 16'd0;
            occupied_q    <= {SLOTS{1'b0}};
            start_valid_q <= 1'b0;
            visit_q       <= {SLOT_BITS{1'b0}};
            look_valid_q  <= 1'b0;
            look_slot_q   <= {SLOT_BITS{1'b0}};
            done_valid_q  <= 1'b0;
            host_done_q   <= 1'b0;
        end
    end
`ifdef FORMAL
`include "totem_wave_properties.vh"
`endif
endmodule

`default_nettype wire
