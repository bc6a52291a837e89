// SPDX-License-Identifier: Apache-2.0
//
// Properties of totem_port, included at the end of the module. The numbers are those of docs/contract/port.md.

    initial assume (rst);
    (* anyseq *) wire f_pick;
    reg         f_held = 1'b0;
    reg         f_pipe;
    reg [2:0]   f_place;                // groups of its pipe before it
    reg [64:0]  f_word;
    reg         f_partial, f_latest;    // it is partial; no group came after it
    reg         f_come;                 // its word has come
    reg [13:0]  f_shape;
    reg [12:0]  f_blocks;
    integer     n, f_n;

    // The word for this port, in the lane that has it.
    reg         f_taken;
    reg  [63:0] f_data;
    reg  [15:0] f_tag;
    always @* begin
        f_taken = 1'b0;
        f_data  = 64'd0;
        f_tag   = 16'd0;
        for (n = 0; n < LANES; n = n + 1)
            if (bus_lane_valid[n] && bus_lane_tag[n*16 + 2 +: 4] == {se_number, fe_number}) begin
                f_taken = 1'b1;
                f_data  = f_data | bus_lane_word[n*64 +: 64];
                f_tag   = f_tag | bus_lane_tag[n*16 +: 16];
            end
        f_taken = f_taken && f_tag[7:6] == bus_class && (bus_class == CLASS_COMPUTE || !f_tag[8]);
    end
    wire [2:0]  f_kind  = f_tag[13:11];
    wire        f_whose = PIPES > 1 && f_tag[8];
    wire        f_lead  = PIPES > 1 && grant_pipe[0];
    wire        f_taken_head = pop && (bus_class != CLASS_COMPUTE) == grant_pipe[1];
    wire        f_recalled = PIPES > 1 && recall_pipe_q;
    wire [2:0]  f_entry_awaited = {PIPES > 1 && awaited_pipe_q, awaited_place_q};
    // Groups of its pipe before one that comes now.
    wire [2:0]  f_mine  = count_q[f_whose*3 +: 3];
    wire [2:0]  f_own   = (recall_valid_q && f_recalled == f_whose) ? 3'd0 :
                          f_mine - {2'd0, f_taken_head && f_lead == f_whose && f_mine != 3'd0};
    (* anyconst *) wire f_other;                // a pipe, and what happens to it
    wire        f_quiet = !(f_taken_head && f_lead == (PIPES > 1 && f_other)) &&
                          !(recall_valid_q && f_recalled == (PIPES > 1 && f_other)) &&
                          !(f_taken && f_kind == WORD_GROUP && f_whose == (PIPES > 1 && f_other));
    wire [2:0]  f_size  = count_q[(PIPES > 1 && f_other)*3 +: 3];
    reg         f_calm = 1'b0;
    reg [2:0]   f_size_before;
    (* anyconst *) wire [1:0] f_header;
    wire        f_at    = f_taken && {f_whose, f_tag[14]} == f_header;
    reg         f_came = 1'b0;              // its first word has come
    reg [56:0]  f_first;
    reg [3:0]   f_index;                    // words of state of the pipe of f_header since its last header
    reg         f_tells = 1'b0;             // a priority of the pipe f_other has come
    reg [1:0]   f_priority;                 // the last one
    reg         f_write = 1'b0;             // one came
    reg [67:0]  f_written;
    wire        f_push  = f_taken && f_kind == WORD_GROUP && !count_q[f_whose*3 + 2];
    wire        f_pop   = f_taken_head && f_lead == f_pipe;
    wire [2:0]  f_entry = {f_pipe, first_q[f_pipe*2 +: 2] + f_place[1:0]};

    always @(posedge clk) begin
        if (f_at && f_kind == WORD_HEADER_A) begin
            f_came  <= 1'b1;
            f_first <= f_data[56:0];
        end
        if (f_taken && f_whose == f_header[1] && f_kind == WORD_HEADER_A)
            f_index <= f_data[63] ? 4'd15 : 4'd0;
        else if (f_taken && f_whose == f_header[1] && f_kind == WORD_STATE)
            f_index <= f_index + 4'd1;
        f_write   <= !rst && f_came && f_at && f_kind == WORD_STATE;
        f_written <= {f_index, f_data};
        if (rst)
            f_came <= 1'b0;
        if (!f_held) begin
            if (f_push && f_pick) begin
                f_held   <= 1'b1;
                f_pipe   <= f_whose;
                f_place  <= f_own;
                f_word   <= {f_tag[14], f_data};
                f_partial <= f_tag[15];
                f_latest  <= 1'b1;
                f_come    <= 1'b0;
            end
        end else begin
            if (f_push)
                f_latest <= 1'b0;
            if (f_taken && f_kind == WORD_PARTIAL && f_partial && f_latest && !f_come) begin
                f_come  <= 1'b1;
                f_shape <= f_data[13:0];
                f_blocks <= header_vgprs_q[{f_whose, f_tag[14]}*7 +: 7] * {6'd0, f_data[6:0]};
            end
            if ((f_pop && f_place == 3'd0) || (recall_valid_q && f_recalled == f_pipe))
                f_held <= 1'b0;
            else
                f_place <= f_place - {2'd0, f_pop};
        end
        if (f_taken && f_whose == (PIPES > 1 && f_other) && (f_push || f_kind == WORD_PRIORITY)) begin
            f_tells    <= 1'b1;
            f_priority <= f_tag[10:9];
        end
        f_calm        <= !rst && f_quiet;
        f_size_before <= f_size;
        if (rst) begin
            f_held  <= 1'b0;
            f_tells <= 1'b0;
        end

        if (!rst) begin
            for (f_n = 0; f_n < PIPES; f_n = f_n + 1)
                assert (count_q[f_n*3 +: 3] <= 3'd4);                                        // 1 room
            if (recall_valid_q)
                assert (!head_valid[f_recalled]);                                            // 1 room
            if (f_calm)
                assert (f_size == f_size_before);                                            // 2 apart
            if (f_tells)
                assert (head_priority[(PIPES > 1 && f_other)*2 +: 2] == f_priority);         // 6 told
            if (f_size != 3'd0)
                assert (f_tells);                                                            // 6 told
            if (f_came)
                assert ({header_wave32_q[f_header], header_lds_q[f_header*9 +: 9], header_vgprs_q[f_header*7 +: 7],
                         header_program_q[f_header*40 +: 40]} == f_first && index_q[f_header[1]*4 +: 4] ==
                         f_index);                                                           // 5 header
            if (f_write)
                assert (state_write_enable && {state_write_addr, state_write_data} ==
                        {f_header, 1'b0, f_written});                                        // 5 header
            if (f_held) begin
                assert (f_place < count_q[f_pipe*3 +: 3]);                                   // 3 order
                assert ({fifo_buffer_q[f_entry], fifo_group_q[f_entry*64 +: 64]} == f_word);  // 3 order
                assert (fifo_partial_q[f_entry] == f_partial);                               // 4 partial
                assert ((awaited_q && f_entry_awaited == f_entry) == (f_partial && f_latest && !f_come));  // 4 partial
                if (f_come)
                    assert ({fifo_threads_q[f_entry*7 +: 7], fifo_waves_q[f_entry*7 +: 7]} == f_shape &&
                            fifo_total_q[f_entry*13 +: 13] == f_blocks);                     // 4 partial
                if (f_place == 3'd0 && head_valid[f_pipe] && f_partial && f_latest)
                    assert (f_come && {head_threads[f_pipe*7 +: 7], head_waves[f_pipe*7 +: 7]} == f_shape); // 4 partial
                if (f_place == 3'd0 && head_valid[f_pipe])
                    assert ({head_buffer[f_pipe], head_group[f_pipe*64 +: 64]} == f_word);   // 3 order
            end
        end
        cover (f_held && f_place == 3'd3);
    end
