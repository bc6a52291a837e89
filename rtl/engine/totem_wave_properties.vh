// SPDX-License-Identifier: Apache-2.0
//
// Properties of totem_wave, included at the end of the module. The numbers are those of docs/contract/wave.md.

    initial assume (rst);
    (* anyconst *) wire [SLOT_BITS-1:0] f_slot;
    reg [43:0]          f_word;                 // of the wave in f_slot, once it is written
    reg                 f_written = 1'b0;
    reg [43:0]          f_read;                 // what the RAM shows, if it was asked for f_slot
    reg                 f_asked = 1'b0;
    reg                 f_had;                  // f_slot was occupied one clock ago
    reg                 f_passed;               // its deadline had passed one clock ago
    reg [SLOT_BITS+1:0] f_late = 0;             // clocks since it has passed and is in the RAM
    wire [31:0]         f_over  = now_q - f_word[31:0];
    wire                f_due   = f_written && occupied_q[f_slot] &&
                                  (killed_q[f_slot] || (!endless_q[f_slot] && !f_over[31]));
    wire                f_named = kill_valid && kill_fe == owner_fe_q[f_slot*2 +: 2] &&
                                  kill_pipe == owner_pipe_q[f_slot*2 +: 2] &&
                                  kill_queue == owner_queue_q[f_slot*Q +: Q] &&
                                  kill_epochs[owner_epoch_q[f_slot*E +: E]];
    reg  [15:0]         f_rests = 16'd0;        // clocks until the next launch may come
    wire [SLOT_BITS-1:0] f_until = f_slot - visit_q;
    wire                f_mine  = start_valid_q && start_slot_q == f_slot;

    // The wave in f_slot as it was launched, whether it was over in some clock, and what became of its export.
    reg                 f_geometry;
    reg [3:0]           f_entry;
    reg [6:0]           f_primitives;
    reg                 f_ripe;
    reg                 f_exported;
    // What its table entry says and whether it is killed, one to three clocks ago.
    reg [2:0]           f_multiplier, f_multiplier_2;
    reg [7:0]           f_culled, f_culled_2;
    reg [19:0]          f_pixels, f_pixels_2;
    reg                 f_killed, f_killed_2, f_killed_3;
    wire [8:0]          f_all  = f_killed_3 ? 9'd0 : f_primitives * f_multiplier_2;
    wire [16:0]         f_lost = f_all * f_culled_2;
    // The offer one clock ago, and whether it stands.
    reg                 f_offered = 1'b0, f_stands = 1'b0;
    reg [SLOT_BITS-1:0] f_offer_slot;
    reg [8:0]           f_offer_primitives;
    reg [19:0]          f_offer_pixels;
    wire                f_own    = phase_q != EXPORT_NONE && export_slot_q == f_slot;
    wire                f_open   = f_due && f_geometry && phase_q == EXPORT_NONE &&
                                   !(due_valid_q && due_slot_q != f_slot);
    reg [SLOT_BITS+1:0] f_waited = 0;           // clocks of f_open
    reg [SLOT_BITS+1:0] f_taken  = 0;           // clocks since its export was taken
    reg                 f_next   = 1'b0;        // one clock ago: no export, and f_slot is to be the next one

    // Whose wave the one in f_slot is, as it was launched, and what became of its child task.
    reg                 f_may;
    reg [1:0]           f_fe, f_pipe;
    reg [Q-1:0]         f_queue;
    reg [E-1:0]         f_epoch;
    reg                 f_told;                 // its request was answered
    reg                 f_none;                 // it was over, and its program had no child task
    wire [31:0]         f_child = child_q[f_entry*32 +: 32];
    reg [31:0]          f_child_before;
    reg                 f_asking = 1'b0, f_request = 1'b0;      // a request one clock ago, and whether it stands
    reg [SLOT_BITS-1:0] f_request_slot;
    reg [31:0]          f_request_pointer;
    reg [Q+E+3:0]       f_request_owner;
    reg [31:0]          f_taken_tasks = 32'd0, f_refused_tasks = 32'd0;
    reg [SLOT_BITS+1:0] f_unheard = 0;          // clocks that it has begun to ask and nobody is heard
    wire [SLOT_BITS-1:0] f_ahead = f_slot - task_turn_q;

    integer             f_n;

    always @(posedge clk) begin
        assume (!(launch_valid && occupied_q[launch_slot]));                                 // A1 slot
        if (f_asked) assume (word == f_read);                                                // A2 word

        f_asked <= time_read_addr == f_slot;
        f_read  <= f_word;
        if (f_mine) begin
            f_word    <= GRAPHICS != 0 ? time_write_data : {12'd0, time_write_data[31:0]};
            f_written <= 1'b1;
        end
        f_ripe <= f_ripe || f_due;
        if (export_valid && export_ready && export_slot == f_slot)
            f_exported <= 1'b1;
        if (launch_valid && launch_ready && launch_slot == f_slot) begin
            f_written    <= 1'b0;
            f_geometry   <= GRAPHICS != 0 && launch_kind == WAVE_GEOMETRY;
            f_entry      <= launch_program[3:0];
            f_primitives <= GRAPHICS != 0 ? launch_primitives : 7'd0;
            f_ripe       <= 1'b0;
            f_exported   <= 1'b0;
            f_may        <= TASKS != 0 && launch_kind == WAVE_COMPUTE && launch_pipe < PIPE_GRAPHICS;
            f_fe         <= launch_fe;
            f_pipe       <= launch_pipe;
            f_queue      <= launch_queue;
            f_epoch      <= launch_epoch;
            f_told       <= 1'b0;
            f_none       <= 1'b0;
        end else begin
            if (task_valid && task_ready && task_turn_q == f_slot)
                f_told <= 1'b1;
            if (f_due && f_child == 32'd0)
                f_none <= 1'b1;
        end
        f_child_before    <= f_child;
        f_asking          <= task_valid;
        f_request         <= task_valid && !task_ready;
        f_request_slot    <= task_turn_q;
        f_request_pointer <= task_pointer;
        f_request_owner   <= {task_fe, task_pipe, task_queue, task_epoch};
        if (task_valid && task_ready && !task_refused) f_taken_tasks <= f_taken_tasks + 32'd1;
        if (task_valid && task_ready && task_refused) f_refused_tasks <= f_refused_tasks + 32'd1;
        if (task_valid)
            f_unheard <= (task_turn_q == f_slot) ? 0 : f_unheard;
        else
            f_unheard <= asks_q[f_slot] ? f_unheard + 1'b1 : 0;
        f_multiplier   <= multiplier_q[f_entry*3 +: 3];
        f_multiplier_2 <= f_multiplier;
        f_culled       <= culled_q[f_entry*8 +: 8];
        f_culled_2     <= f_culled;
        f_pixels       <= pixels_q[f_entry*20 +: 20];
        f_pixels_2     <= f_pixels;
        f_killed       <= killed_q[f_slot];
        f_killed_2     <= f_killed;
        f_killed_3     <= f_killed_2;
        f_offered      <= export_valid;
        f_stands       <= export_valid && !export_ready;
        f_offer_slot   <= export_slot;
        f_offer_primitives <= export_primitives;
        f_offer_pixels <= export_pixels;
        f_waited       <= f_open ? f_waited + 1'b1 : 0;
        f_taken        <= f_exported && occupied_q[f_slot] ? f_taken + 1'b1 : 0;
        f_next         <= phase_q == EXPORT_NONE && due_valid_q && due_rounds_q == 2'd3 && due_slot_q == f_slot;
        f_rests  <= (launch_valid && launch_ready && rate_q != 16'd0) ? rate_q - 16'd1 : f_rests - {15'd0, |f_rests};
        f_late   <= f_due && !f_geometry && !asks_q[f_slot] && !asks_d[f_slot] && occupied_d[f_slot]
                    ? f_late + 1'b1 : 0;
        f_had    <= occupied_q[f_slot];
        f_passed <= f_due;
        if (rst) begin
            f_rests   <= 16'd0;
            f_written <= 1'b0;
            f_late    <= 0;
            f_had     <= 1'b0;
            f_offered <= 1'b0;
            f_stands  <= 1'b0;
            f_waited  <= 0;
            f_taken   <= 0;
            f_next    <= 1'b0;
            f_asking  <= 1'b0;
            f_request <= 1'b0;
            f_taken_tasks   <= 32'd0;
            f_refused_tasks <= 32'd0;
            f_unheard <= 0;
        end

        if (!rst) begin
            if (done_valid_q && done_slot_q == f_slot) assert (f_had && !occupied_q[f_slot]);  // 1 once
            if (done_valid_q && done_slot_q == f_slot) assert (f_passed || (f_geometry && f_ripe));  // 2 time
            assert (f_late <= SLOTS + 1);                                                    // 2 time
            assert (seed_q != 32'd0);                                                        // 3 seed
            if (occupied_q[f_slot])
                assert (killed_d[f_slot] == (killed_q[f_slot] || (f_named && !deaf_q[f_slot])));  // 4 kill
            assert (launch_ready == (f_rests == 16'd0));                                     // 5 rate
            if (export_valid && export_slot == f_slot)
                assert (occupied_q[f_slot] && f_geometry && f_ripe && !f_exported);          // 6 exports
            if (done_valid_q && done_slot_q == f_slot) assert (f_geometry == f_exported);    // 6 exports
            if (f_stands)
                assert (export_valid && export_slot == f_offer_slot && export_primitives == f_offer_primitives &&
                        export_pixels == f_offer_pixels);                                    // 7 offer
            if (export_valid && !f_offered && export_slot == f_slot)
                assert (export_primitives == f_all - f_lost[16:8] && export_pixels == f_pixels_2);  // 7 offer
            assert (f_waited <= SLOTS + 1);                                                  // 8 prompt
            assert (f_taken <= SLOTS);                                                       // 8 prompt
            if (f_next && phase_q != EXPORT_NONE) assert (export_slot_q == f_slot);          // 9 refused
            if (GRAPHICS == 0) assert (!export_valid);                                       // 6 exports
            if (task_valid && task_turn_q == f_slot)
                assert (occupied_q[f_slot] && f_may && f_ripe && !f_told);                   // 10 asks
            if (done_valid_q && done_slot_q == f_slot && f_may) assert (f_told || f_killed || f_none);  // 10 asks
            if (f_request)
                assert (task_valid && task_turn_q == f_request_slot && task_pointer == f_request_pointer &&
                        {task_fe, task_pipe, task_queue, task_epoch} == f_request_owner);    // 11 request
            if (task_valid && task_turn_q == f_slot)
                assert ({task_fe, task_pipe, task_queue, task_epoch} == {f_fe, f_pipe, f_queue, f_epoch} &&
                        task_pointer != 32'd0);                                              // 11 request
            if (task_valid && !f_asking && task_turn_q == f_slot) assert (task_pointer == f_child_before); // 11 request
            assert (f_unheard <= SLOTS);                                                     // 12 heard
            assert (children_q == f_taken_tasks && refused_q == f_refused_tasks);            // 12 heard
            if (TASKS == 0) assert (!task_valid);                                            // 10 asks

            // helpers
            if (f_rests != 16'd0) assert (wait_clocks_q == f_rests);
            if (occupied_q[f_slot]) assert (f_written != f_mine);
            if (f_mine) assert (occupied_q[f_slot]);                                         // 13 range
            if (look_valid_q && look_slot_q == f_slot) assert (occupied_q[f_slot] && f_written && f_asked);
            if (look_valid_q && look_slot_q == f_slot) assert (f_read == f_word);
            if (f_mine)
                assert (start_geometry_q == f_geometry && start_entry_q == f_entry &&
                        start_primitives_q == f_primitives);
            if (occupied_q[f_slot] && f_written && GRAPHICS != 0)
                assert (f_word[43:32] == {f_geometry, f_primitives, f_entry});
            if (GRAPHICS == 0 && occupied_q[f_slot]) assert (!f_geometry);
            if (GRAPHICS == 0 && f_written) assert (f_word[43:32] == 12'd0);
            if (GRAPHICS == 0) assert (phase_q == EXPORT_NONE && !due_valid_q);
            assert (phase_q <= EXPORT_TAKEN);                                                // 13 range
            for (f_n = 0; f_n < 16; f_n = f_n + 1)
                assert (multiplier_q[f_n*3 +: 3] <= 3'd4 && spread_q[f_n*5 +: 5] <= 5'd30);  // 13 range
            if (f_own) assert (occupied_q[f_slot] && f_written && f_geometry && f_ripe);
            if (f_own) assert (f_exported == (phase_q == EXPORT_TAKEN));
            else if (occupied_q[f_slot]) assert (!f_exported);
            if (f_own && phase_q == EXPORT_MULTIPLY)
                assert (export_entry_q == f_entry && export_primitives_q == (f_killed ? 7'd0 : f_primitives));
            if (f_own && phase_q == EXPORT_CULL)
                assert (export_primitives_q == (f_killed_2 ? 9'd0 : f_primitives * f_multiplier) &&
                        export_culled_q == f_culled && export_pixels_q == f_pixels);
            if (f_own && phase_q == EXPORT_CULL) assert (!f_offered);
            if (f_stands) assert (f_offered);
            if (due_valid_q && due_slot_q == f_slot) assert (occupied_q[f_slot] && f_written && f_geometry && !f_own);
            if (f_waited != 0) assert (f_written && occupied_q[f_slot]);
            if (f_waited != 0 && f_open && !(look_valid_q && look_slot_q == f_slot))
                assert (f_waited + f_until < SLOTS);
            if (f_taken != 0 && f_exported && occupied_q[f_slot] && !(look_valid_q && look_slot_q == f_slot))
                assert (f_taken + f_until < SLOTS - 1);
            if (occupied_q[f_slot]) begin
                assert (!may_ask_q[f_slot] || (f_may && !f_told && !asks_q[f_slot]));
                if (f_may && !f_told && !may_ask_q[f_slot] && !asks_q[f_slot]) assert (f_none);
                if (TASKS != 0) assert (entry_q[f_slot*4 +: 4] == f_entry);
                assert ({owner_fe_q[f_slot*2 +: 2], owner_pipe_q[f_slot*2 +: 2], owner_queue_q[f_slot*Q +: Q],
                         owner_epoch_q[f_slot*E +: E]} == {f_fe, f_pipe, f_queue, f_epoch});
            end
            if (asks_q[f_slot]) assert (occupied_q[f_slot] && f_may && f_ripe && !f_told);
            if (task_valid_q && task_turn_q == f_slot) assert (asks_q[f_slot]);
            if (f_request) assert (f_asking);
            if (f_unheard != 0) assert (asks_q[f_slot]);
            if (asks_q[f_slot] && !(task_valid_q && task_turn_q == f_slot))
                assert (f_unheard + f_ahead < SLOTS + task_valid_q);
            if (TASKS == 0) assert (!task_valid_q && asks_q == 0 && may_ask_q == 0);
            assert (look_slot_q == visit_q - 1'b1 || (look_slot_q == 0 && visit_q == 0));
            if (f_late != 0) assert (f_written && occupied_q[f_slot]);
            if (f_late != 0 && !(look_valid_q && look_slot_q == f_slot))
                assert (f_late + f_until <= SLOTS);
            cover (f_late == SLOTS);
            if (TASKS != 0) begin
                cover (f_unheard == SLOTS - 1);
                cover (f_request && task_valid && killed_q[f_slot] && task_turn_q == f_slot);
                cover (done_valid_q && done_slot_q == f_slot && f_told);
            end
            if (GRAPHICS != 0) begin
                cover (f_waited == SLOTS);
                cover (f_stands && export_valid && export_primitives == 9'd3 && export_pixels == 20'd5);
                cover (f_taken != 0);
            end
        end
    end
