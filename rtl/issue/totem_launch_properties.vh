// SPDX-License-Identifier: Apache-2.0
//
// Properties of totem_launch, included at the end of the module. The numbers are those of docs/contract/launch.md.

    initial assume (rst);
    (* anyseq *) wire f_pick;
    reg [1:0] f_place = 2'd0;           // 0 not here, else place of the picked group + 1
    reg [63:0] f_group;
    reg [6:0]  f_waves;
    reg [6:0]  f_next;                  // wave of it that comes next
    reg        f_held;
    reg [SLOT_BITS-1:0] f_slot;
    reg [6:0]  f_index;
    reg [1:0]  f_eager;                 // clocks since a room was not followed by a grant, up to 2
    wire       f_taken  = launch_valid && launch_ready;
    wire       f_finish = f_taken && launch_index + 7'd1 >= launch_waves;
    wire [1:0] f_ahead = count_q - {1'b0, f_finish};       // groups that are before one that comes now

    always @(posedge clk) begin
        assume (!grant_valid || (asked_q && grant_waves != 7'd0 && grant_waves <= 7'd64));   // A1 grant
        if (f_place == 2'd0) begin
            if (grant_valid && f_pick) begin
                f_place <= f_ahead + 2'd1;
                f_group <= grant_group;
                f_waves <= grant_waves;
                f_next  <= 7'd0;
            end
        end else begin
            if (f_finish)
                f_place <= f_place - 2'd1;
            if (f_taken && f_place == 2'd1)
                f_next <= f_next + 7'd1;
        end
        f_held  <= launch_valid && !launch_ready;
        f_slot  <= slot_q;
        f_index <= index_q;
        if (asked_q && !grant_valid)
            f_eager <= 2'd0;
        else if (f_eager != 2'd2)
            f_eager <= f_eager + 2'd1;
        if (rst) begin
            f_place  <= 2'd0;
            f_held   <= 1'b0;
            f_eager  <= 2'd0;
        end

        if (!rst) begin
            assert ({1'b0, count_q} + {2'd0, asked_q} <= 3'd3);                              // 1 room
            if (grant_valid) assert (f_ahead != 2'd3);                                       // 1 room
            if (f_place == 2'd1) begin
                assert (launch_group == f_group && launch_waves == f_waves && launch_index == f_next);  // 2 waves
                assert (f_next < f_waves);                                                   // 2 waves
            end
            if (f_place == 2'd2) assert (group_q[127:64] == f_group && waves_q[13:7] == f_waves);  // 2 waves
            if (f_place == 2'd3) assert (group_q[191:128] == f_group && waves_q[20:14] == f_waves);  // 2 waves
            if (f_finish && f_place == 2'd1) assert (f_next == f_waves - 7'd1);              // 2 waves
            if (f_place > 2'd1) assert (f_next == 7'd0);                                     // 2 waves
            assert (f_place <= count_q);                                                     // 2 waves
            if (slot_valid_q) assert (!used_q[slot_q]);                                      // 3 offer
            if (f_held) assert (launch_valid && f_slot == slot_q && index_q == f_index);     // 3 offer

            if (f_eager == 2'd2) assert (count_q != 2'd0);                                   // 4 sustained

            if (count_q == 2'd0) assert (index_q == 7'd0);                                   // 2 waves

            // helpers
            if (count_q >= 2'd1) assert (waves_q[6:0] != 7'd0 && waves_q[6:0] <= 7'd64 && index_q < waves_q[6:0]);
            if (count_q >= 2'd2) assert (waves_q[13:7] != 7'd0 && waves_q[13:7] <= 7'd64);
            if (count_q == 2'd3) assert (waves_q[20:14] != 7'd0 && waves_q[20:14] <= 7'd64);

            cover (count_q == 2'd3);
        end
    end
