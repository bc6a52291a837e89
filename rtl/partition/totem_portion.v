// SPDX-License-Identifier: Apache-2.0
//
// totem_portion: one cache portion, 64 lines of 64 bytes between the shader engines and the memory channels.
//
// Policy    direct-mapped, read-allocate, write-through. A write is sent to memory and empties its place; reads of its
//           line wait for its response. A snooped place is emptied, a fill under way there is poisoned: it answers its
//           requester and makes no line valid. Reads are looked up in turn, writes looked at in turn; one of them comes
//           first, and what it waits for is not begun anew (12 first, 13 turn).
// Latency   hit 6 clocks to the first beat, then one beat a clock; miss 4 to m_ar_valid; write 3 to m_aw_valid.
// Boundary  outputs are functions of state only. A lookup takes two clocks: the tag is read, then compared. Words of an
//           answer go from the RAM through its register into a buffer of two, as in totem_hub.
// Mask      payloads count only while their valid or enable.
// Cost      of an engine: 160 flip-flops and 2*$clog2(SLOTS); an entry: 35 and $clog2(SE_COUNT) + $clog2(SLOTS); the
//           others about 550. Two RAMs, 512 x 64 and 64 x 28.
// Proved    1 filling, 2 one, 3 outstanding, 4 emptied, 5 poisoned, 6 beats, 7 steady, 8 hit, 9 apart, 10 coherent,
//           11 order, 12 first, 13 turn.
// Parts     _place (place of a line), _next (rules 9 and 10: the next engine in turn).
// Twin      cmodel/partition/totem_portion.c, same names.

`default_nettype none

module totem_portion #(
    parameter SE_COUNT = 4,         // 1 to 4; each costs two registers of requests and a fill
    parameter SLOTS    = 64,
    parameter FE_COUNT = 4,         // each costs two decoders of 64 places
    parameter WRITES   = 8,         // a power of two from 2 to 16; each costs an entry and a comparator of 34 bits
    parameter SE_BITS    = SE_COUNT > 1 ? $clog2(SE_COUNT) : 1,
    parameter SLOT_BITS  = SLOTS > 1 ? $clog2(SLOTS) : 1,
    parameter WRITE_BITS = $clog2(WRITES)
) (
    input  wire                          clk,
    input  wire                          rst,
    // routes of the engines
    input  wire [SE_COUNT-1:0]           engine_ar_valid,
    input  wire [SE_COUNT*SLOT_BITS-1:0] engine_ar_id,
    input  wire [SE_COUNT*40-1:0]        engine_ar_addr,
    input  wire [SE_COUNT*3-1:0]         engine_ar_len,
    output reg  [SE_COUNT-1:0]           ar_ready,
    input  wire [SE_COUNT-1:0]           engine_aw_valid,
    input  wire [SE_COUNT*SLOT_BITS-1:0] engine_aw_id,
    input  wire [SE_COUNT*40-1:0]        engine_aw_addr,
    input  wire [SE_COUNT*64-1:0]        engine_w_data,
    input  wire [SE_COUNT*8-1:0]         engine_w_strb,
    output wire [SE_COUNT-1:0]           aw_ready,
    output wire                          r_valid,
    output wire [SE_BITS-1:0]            r_engine,
    output reg  [SLOT_BITS-1:0]          r_id,
    output wire [63:0]                   r_data,
    output reg  [1:0]                    r_resp,
    output wire                          r_last,
    input  wire                          r_ready,
    output wire                          b_valid,
    output wire [SE_BITS-1:0]            b_engine,
    output wire [SLOT_BITS-1:0]          b_id,
    output wire [1:0]                    b_resp,
    input  wire                          b_ready,
    // route of the portion
    output wire                          m_ar_valid,
    output wire [SE_BITS-1:0]            m_ar_id,
    output wire [39:0]                   m_ar_addr,
    input  wire                          route_ar_ready,
    output wire                          m_aw_valid,
    output wire [WRITE_BITS-1:0]         m_aw_id,
    output wire [39:0]                   m_aw_addr,
    output wire [63:0]                   m_w_data,
    output wire [7:0]                    m_w_strb,
    input  wire                          route_aw_ready,
    input  wire                          route_r_valid,
    input  wire [SE_BITS-1:0]            route_r_id,
    input  wire [63:0]                   route_r_data,
    input  wire [1:0]                    route_r_resp,
    input  wire                          route_r_last,
    output wire                          m_r_ready,
    input  wire                          route_b_valid,
    input  wire [WRITE_BITS-1:0]         route_b_id,
    input  wire [1:0]                    route_b_resp,
    output wire                          m_b_ready,
    // front ends of the path
    input  wire [FE_COUNT-1:0]           snoop_valid,
    input  wire [FE_COUNT*34-1:0]        snoop_addr,
    input  wire [FE_COUNT-1:0]           snoop_pair,
    // partition
    input  wire                          flush,
    // data_ram
    output wire                          data_read_enable,
    output reg  [8:0]                    data_read_addr,
    input  wire [63:0]                   data_read_data,
    output reg                           data_write_enable,
    output reg  [8:0]                    data_write_addr,
    output wire [63:0]                   data_write_data,
    // tag_ram
    output wire                          tag_read_enable,
    output wire [5:0]                    tag_read_addr,
    input  wire [27:0]                   tag_read_data,
    output wire                          tag_write_enable,
    output wire [5:0]                    tag_write_addr,
    output wire [27:0]                   tag_write_data,
    // registers
    output wire [31:0]                   hits,
    output wire [31:0]                   misses,
    output wire [31:0]                   refusals,
    output wire                          idle
);
`include "totem_portion_values.vh"

    localparam E = SE_COUNT;
    localparam B = SE_BITS;
    localparam S = SLOT_BITS;
    localparam W = WRITES;
    localparam [31:0] LAST_ENGINE = E - 1;

    generate
        if (E < 1 || E > 4 || SLOTS < 1 || FE_COUNT < 1 || W < 2 || W > 16 || W != (1 << WRITE_BITS)) begin : check
            totem_portion_needs_SE_COUNT_1_to_4_and_WRITES_a_power_of_two_from_2_to_16 refused ();
        end
    endgenerate

    // reads
    reg [E*3-1:0]  phase_q, phase_d;
    reg [E*S-1:0]  read_id_q, read_id_d;
    reg [E*37-1:0] read_addr_q, read_addr_d;
    reg [E*3-1:0]  read_len_q, read_len_d;
    reg [E*2-1:0]  read_resp_q, read_resp_d;
    reg [E-1:0]    behind_q, behind_d;
    reg [E-1:0]    poisoned_q, poisoned_d;
    reg [E*3-1:0]  fill_word_q, fill_word_d;
    // writes
    reg [E-1:0]    write_valid_q, write_valid_d;
    reg [E*S-1:0]  write_id_q, write_id_d;
    reg [E*37-1:0] write_addr_q, write_addr_d;
    reg [E*64-1:0] write_data_q, write_data_d;
    reg [E*8-1:0]  write_strb_q, write_strb_d;
    // lines and turns
    reg [63:0]     valid_q, valid_d;
    reg [B-1:0]    first_q, first_d;
    reg            first_write_q, first_write_d;
    reg [B-1:0]    turn_q, turn_d;
    reg            look_q, look_d;
    reg [B-1:0]    write_turn_q, write_turn_d;
    // answer
    reg            serve_valid_q, serve_valid_d;
    reg [B-1:0]    serve_engine_q, serve_engine_d;
    reg [2:0]      serve_word_q, serve_word_d;
    reg [2:0]      serve_left_q, serve_left_d;
    reg            fetched_q, fetched_d;
    reg [B-1:0]    fetched_engine_q, fetched_engine_d;
    reg            fetched_last_q, fetched_last_d;
    reg [1:0]      held_q, held_d;
    reg [63:0]     head_data_q, head_data_d;
    reg [B-1:0]    head_engine_q, head_engine_d;
    reg            head_last_q, head_last_d;
    reg [63:0]     tail_data_q, tail_data_d;
    reg [B-1:0]    tail_engine_q, tail_engine_d;
    reg            tail_last_q, tail_last_d;
    // memory
    reg            beat_valid_q, beat_valid_d;
    reg [B-1:0]    beat_fill_q, beat_fill_d;
    reg [63:0]     beat_data_q, beat_data_d;
    reg [1:0]      beat_resp_q, beat_resp_d;
    reg            beat_last_q, beat_last_d;
    reg            m_ar_valid_q, m_ar_valid_d;
    reg [B-1:0]    m_ar_id_q, m_ar_id_d;
    reg [33:0]     m_ar_line_q, m_ar_line_d;
    reg            m_aw_valid_q, m_aw_valid_d;
    reg [WRITE_BITS-1:0] m_aw_id_q, m_aw_id_d;
    reg [36:0]     m_aw_word_q, m_aw_word_d;
    reg [63:0]     m_w_data_q, m_w_data_d;
    reg [7:0]      m_w_strb_q, m_w_strb_d;
    reg [W-1:0]    flying_q, flying_d;
    reg [W*B-1:0]  flying_engine_q, flying_engine_d;
    reg [W*S-1:0]  flying_id_q, flying_id_d;
    reg [W*34-1:0] flying_line_q, flying_line_d;
    reg            b_valid_q, b_valid_d;
    reg [B-1:0]    b_engine_q, b_engine_d;
    reg [S-1:0]    b_id_q, b_id_d;
    reg [1:0]      b_resp_q, b_resp_d;
    reg [31:0]     hits_q, hits_d;
    reg [31:0]     misses_q, misses_d;
    reg [31:0]     refusals_q, refusals_d;

    // Registers that reset leaves alone read 0 at start, as in the model.
    initial begin
        phase_q = 0; read_id_q = 0; read_addr_q = 0; read_len_q = 0; read_resp_q = 0; behind_q = 0; poisoned_q = 0;
        fill_word_q = 0; write_valid_q = 0; write_id_q = 0; write_addr_q = 0; write_data_q = 0; write_strb_q = 0;
        valid_q = 0; first_q = 0; first_write_q = 0; turn_q = 0; look_q = 0; write_turn_q = 0; serve_valid_q = 0;
        serve_engine_q = 0; serve_word_q = 0; serve_left_q = 0; fetched_q = 0; fetched_engine_q = 0;
        fetched_last_q = 0; held_q = 0; head_data_q = 0; head_engine_q = 0; head_last_q = 0; tail_data_q = 0;
        tail_engine_q = 0; tail_last_q = 0; beat_valid_q = 0; beat_fill_q = 0; beat_data_q = 0; beat_resp_q = 0;
        beat_last_q = 0; m_ar_valid_q = 0; m_ar_id_q = 0; m_ar_line_q = 0; m_aw_valid_q = 0; m_aw_id_q = 0;
        m_aw_word_q = 0; m_w_data_q = 0; m_w_strb_q = 0; flying_q = 0; flying_engine_q = 0; flying_id_q = 0;
        flying_line_q = 0; b_valid_q = 0; b_engine_q = 0; b_id_q = 0; b_resp_q = 0; hits_q = 0; misses_q = 0;
        refusals_q = 0;
    end

    // Places of the reads, of the line that is asked for, and of the lines that are snooped.
    wire [E*6-1:0]        read_place;
    wire [FE_COUNT*6-1:0] snoop_place, pair_place;
    genvar g;
    generate
        for (g = 0; g < E; g = g + 1) begin : g_engine
            totem_portion_place u_read (.line(read_addr_q[g*37 + 3 +: 8]), .place(read_place[g*6 +: 6]));
        end
        for (g = 0; g < FE_COUNT; g = g + 1) begin : g_snoop
            totem_portion_place u_line (.line(snoop_addr[g*34 +: 8]), .place(snoop_place[g*6 +: 6]));
            totem_portion_place u_pair (.line(snoop_addr[g*34 +: 8] + 8'd1), .place(pair_place[g*6 +: 6]));
        end
    endgenerate
    totem_portion_place u_asked (.line(m_ar_line_q[7:0]), .place(tag_write_addr));

    wire unused = &{1'b0, snoop_addr};      // tags of snooped lines are not compared

    // The engines that the turns are at.
    reg  [E-1:0]  wants;
    reg  [2:0]    turn_phase;
    reg  [36:0]   turn_addr;
    reg  [2:0]    turn_len;
    reg  [5:0]    turn_place;
    reg           turn_behind;          // with a write of the same line
    reg  [36:0]   write_addr;
    reg  [S-1:0]  write_id;
    reg           write_there;
    reg  [63:0]   write_data;
    reg  [7:0]    write_strb;
    reg  [2:0]    first_phase;
    reg           first_behind;
    reg           first_there;          // a write of engine `first`
    reg  [33:0]   first_read_line, first_line;
    reg  [5:0]    first_place;
    wire [33:0]   turn_line  = turn_addr[36:3];
    wire [33:0]   write_line = write_addr[36:3];
    wire [5:0]    write_place;
    totem_portion_place u_write (.line(write_line[7:0]), .place(write_place));

    integer n;
    always @* begin
        data_read_addr    = {6'd0, serve_word_q};
        data_write_enable = 1'b0;
        data_write_addr   = 9'd0;
        r_id              = {S{1'b0}};
        r_resp            = 2'd0;
        turn_phase        = PORTION_EMPTY;
        turn_addr         = 37'd0;
        turn_len          = 3'd0;
        turn_place        = 6'd0;
        turn_behind       = 1'b0;
        write_there       = 1'b0;
        write_addr        = 37'd0;
        write_id          = {S{1'b0}};
        write_data        = 64'd0;
        write_strb        = 8'd0;
        first_phase       = PORTION_EMPTY;
        first_behind      = 1'b0;
        first_there       = 1'b0;
        first_read_line   = 34'd0;
        first_line        = 34'd0;
        first_place       = 6'd0;
        for (n = 0; n < E; n = n + 1) begin
            ar_ready[n] = phase_q[n*3 +: 3] == PORTION_EMPTY;
            wants[n]    = phase_q[n*3 +: 3] == PORTION_WAIT || phase_q[n*3 +: 3] == PORTION_FULL;
            if (n[B-1:0] == serve_engine_q)
                data_read_addr[8:3] = read_place[n*6 +: 6];
            if (n[B-1:0] == beat_fill_q) begin
                data_write_enable = beat_valid_q && phase_q[n*3 +: 3] == PORTION_FILL;
                data_write_addr   = {read_place[n*6 +: 6], fill_word_q[n*3 +: 3]};
            end
            if (n[B-1:0] == head_engine_q) begin
                r_id   = read_id_q[n*S +: S];
                r_resp = read_resp_q[n*2 +: 2];
            end
            if (n[B-1:0] == turn_q) begin
                turn_phase  = phase_q[n*3 +: 3];
                turn_addr   = read_addr_q[n*37 +: 37];
                turn_len    = read_len_q[n*3 +: 3];
                turn_place  = read_place[n*6 +: 6];
                turn_behind = behind_q[n] && write_addr_q[n*37 + 3 +: 34] == read_addr_q[n*37 + 3 +: 34];
            end
            if (n[B-1:0] == write_turn_q) begin
                write_there = write_valid_q[n];
                write_addr  = write_addr_q[n*37 +: 37];
                write_id    = write_id_q[n*S +: S];
                write_data  = write_data_q[n*64 +: 64];
                write_strb  = write_strb_q[n*8 +: 8];
            end
            if (n[B-1:0] == first_q) begin
                first_phase     = phase_q[n*3 +: 3];
                first_behind    = behind_q[n];
                first_there     = write_valid_q[n];
                first_read_line = read_addr_q[n*37 + 3 +: 34];
                first_line      = write_addr_q[n*37 + 3 +: 34];
                first_place     = read_place[n*6 +: 6];
            end
        end
    end

    wire         turn_wants = turn_phase == PORTION_WAIT || turn_phase == PORTION_FULL;
    wire         take       = r_valid && r_ready;
    wire         move       = fetched_q && !held_q[1];
    wire         room       = !serve_valid_q || (data_read_enable && serve_left_q == 3'd0);
    wire         looks      = look_q && turn_wants;
    wire         chief_read  = !first_write_q && first_phase == PORTION_WAIT;
    wire         chief_write = first_there && (first_write_q || (chief_read && first_behind));
    wire         ar_free    = !m_ar_valid_q || route_ar_ready;
    wire         aw_free    = !m_aw_valid_q || route_aw_ready;
    wire         returns;
    wire [B-1:0] next_turn, next_write_turn;

    assign aw_ready         = ~write_valid_q;
    assign r_valid          = held_q != 2'd0;
    assign r_engine         = head_engine_q;
    assign r_data           = head_data_q;
    assign r_last           = head_last_q;
    assign b_valid          = b_valid_q;
    assign b_engine         = b_engine_q;
    assign b_id             = b_id_q;
    assign b_resp           = b_resp_q;
    assign m_ar_valid       = m_ar_valid_q;
    assign m_ar_id          = m_ar_id_q;
    assign m_ar_addr        = {m_ar_line_q, 6'd0};
    assign m_aw_valid       = m_aw_valid_q;
    assign m_aw_id          = m_aw_id_q;
    assign m_aw_addr        = {m_aw_word_q, 3'd0};
    assign m_w_data         = m_w_data_q;
    assign m_w_strb         = m_w_strb_q;
    assign m_r_ready        = 1'b1;
    assign m_b_ready        = !b_valid_q;
    assign data_read_enable = serve_valid_q && (!fetched_q || !held_q[1]);
    assign data_write_data  = beat_data_q;
    assign tag_read_enable  = !look_q && turn_wants;
    assign tag_read_addr    = turn_place;
    assign tag_write_enable = m_ar_valid_q;
    assign tag_write_data   = m_ar_line_q[33:6];
    assign hits             = hits_q;
    assign misses           = misses_q;
    assign refusals         = refusals_q;
    assign idle             = &ar_ready && &aw_ready && flying_q == {W{1'b0}} && !b_valid_q;

    totem_portion_next #(.SE_COUNT(E)) u_turn (.wants(wants), .engine(turn_q), .next(next_turn));
    totem_portion_next #(.SE_COUNT(E)) u_write_turn (.wants(write_valid_q), .engine(write_turn_q),
                                                     .next(next_write_turn));

    // What a lookup finds, and what keeps a write back.
    integer              i;
    reg                  blocked;
    reg                  turn_valid;        // the line at the place of the read that looks
    reg                  same;
    reg                  one_free, two_free;
    reg [WRITE_BITS-1:0] entry;             // the lowest that is free
    always @* begin
        blocked  = turn_behind;
        same     = 1'b0;
        one_free = 1'b0;
        two_free = 1'b0;
        entry    = {WRITE_BITS{1'b0}};
        for (i = W - 1; i >= 0; i = i - 1) begin
            if (flying_q[i] && flying_line_q[i*34 +: 34] == turn_line)
                blocked = 1'b1;
            if (flying_q[i] && (flying_line_q[i*34 +: 34] == write_line ||
                (flying_engine_q[i*B +: B] == write_turn_q && flying_id_q[i*S +: S] == write_id)))
                same = 1'b1;
            if (!flying_q[i]) begin
                two_free = one_free;
                one_free = 1'b1;
                entry    = i[WRITE_BITS-1:0];
            end
        end
        for (i = 0; i < E; i = i + 1)
            if (i[B-1:0] != turn_q && read_place[i*6 +: 6] == turn_place &&
                (phase_q[i*3 +: 3] == PORTION_FILL || phase_q[i*3 +: 3] == PORTION_FULL))
                blocked = 1'b1;
        turn_valid = 1'b0;
        for (i = 0; i < 64; i = i + 1)
            if (i[5:0] == turn_place)
                turn_valid = valid_q[i];
    end

    wire open   = turn_phase == PORTION_WAIT && !blocked;
    wire full   = turn_phase == PORTION_FULL;
    wire hit    = open && turn_valid && tag_read_data == turn_line[33:6];
    wire miss   = open && !hit && !(chief_read && first_q != turn_q && first_place == turn_place);
    wire serves = looks && room && (hit || full);
    wire starts = looks && room && miss && ar_free;
    wire holds  = looks && (hit || miss || full) && !serves && !starts;

    wire chief  = chief_write && first_q == write_turn_q;
    wire yields = (chief_read && !chief && first_read_line == write_line) ||
                  (chief_write && !chief && first_line == write_line);
    wire spare  = one_free && (chief || two_free);
    wire sends  = write_there && !same && !yields && spare && aw_free;

    // Places that are emptied.
    reg [63:0] emptied;
    integer    f, p;
    always @* begin
        emptied = {64{flush}};
        for (p = 0; p < 64; p = p + 1) begin
            if (sends && write_place == p[5:0])
                emptied[p] = 1'b1;
            for (f = 0; f < FE_COUNT; f = f + 1)
                if (snoop_valid[f] && (snoop_place[f*6 +: 6] == p[5:0] ||
                    (snoop_pair[f] && pair_place[f*6 +: 6] == p[5:0])))
                    emptied[p] = 1'b1;
        end
    end

    // The entry that a response is for.
    integer      w;
    reg          answered;
    reg [B-1:0]  answered_engine;
    reg [S-1:0]  answered_id;
    always @* begin
        answered        = 1'b0;
        answered_engine = {B{1'b0}};
        answered_id     = {S{1'b0}};
        for (w = 0; w < W; w = w + 1)
            if (w[WRITE_BITS-1:0] == route_b_id) begin
                answered        = flying_q[w];
                answered_engine = flying_engine_q[w*B +: B];
                answered_id     = flying_id_q[w*S +: S];
            end
    end
    assign returns = route_b_valid && m_b_ready && answered;

    integer k, q;
    reg fails;          // of the fill that the beat is of
    reg refused;        // it ends with an error
    always @* begin
        phase_d        = phase_q;
        read_id_d      = read_id_q;
        read_addr_d    = read_addr_q;
        read_len_d     = read_len_q;
        read_resp_d    = read_resp_q;
        behind_d       = behind_q;
        poisoned_d     = poisoned_q;
        fill_word_d    = fill_word_q;
        write_valid_d  = write_valid_q;
        write_id_d     = write_id_q;
        write_addr_d   = write_addr_q;
        write_data_d   = write_data_q;
        write_strb_d   = write_strb_q;
        valid_d        = valid_q;
        first_d        = first_q;
        first_write_d  = first_write_q;
        turn_d         = turn_q;
        look_d         = look_q;
        write_turn_d   = write_turn_q;
        serve_valid_d  = serve_valid_q;
        serve_engine_d = serve_engine_q;
        serve_word_d   = serve_word_q;
        serve_left_d   = serve_left_q;
        fetched_d        = fetched_q;
        fetched_engine_d = fetched_engine_q;
        fetched_last_d   = fetched_last_q;
        held_d         = held_q;
        head_data_d    = head_data_q;
        head_engine_d  = head_engine_q;
        head_last_d    = head_last_q;
        tail_data_d    = tail_data_q;
        tail_engine_d  = tail_engine_q;
        tail_last_d    = tail_last_q;
        m_ar_valid_d   = m_ar_valid_q;
        m_ar_id_d      = m_ar_id_q;
        m_ar_line_d    = m_ar_line_q;
        m_aw_valid_d   = m_aw_valid_q;
        m_aw_id_d      = m_aw_id_q;
        m_aw_word_d    = m_aw_word_q;
        m_w_data_d     = m_w_data_q;
        m_w_strb_d     = m_w_strb_q;
        flying_d        = flying_q;
        flying_engine_d = flying_engine_q;
        flying_id_d     = flying_id_q;
        flying_line_d   = flying_line_q;
        b_valid_d      = b_valid_q;
        b_engine_d     = b_engine_q;
        b_id_d         = b_id_q;
        b_resp_d       = b_resp_q;
        hits_d         = hits_q;
        misses_d       = misses_q;
        fails          = 1'b0;
        refused        = 1'b0;

        for (k = 0; k < E; k = k + 1) begin
            // 1 Accept
            if (engine_ar_valid[k] && ar_ready[k]) begin
                phase_d[k*3 +: 3]      = PORTION_WAIT;
                read_id_d[k*S +: S]    = engine_ar_id[k*S +: S];
                read_addr_d[k*37 +: 37] = engine_ar_addr[k*40 + 3 +: 37];
                read_len_d[k*3 +: 3]   = engine_ar_len[k*3 +: 3];
                behind_d[k]            = write_valid_q[k];
            end
            if (engine_aw_valid[k] && aw_ready[k]) begin
                write_valid_d[k]         = 1'b1;
                write_id_d[k*S +: S]     = engine_aw_id[k*S +: S];
                write_addr_d[k*37 +: 37] = engine_aw_addr[k*40 + 3 +: 37];
                write_data_d[k*64 +: 64] = engine_w_data[k*64 +: 64];
                write_strb_d[k*8 +: 8]   = engine_w_strb[k*8 +: 8];
            end

            // 3 Fill
            if (data_write_enable && k[B-1:0] == beat_fill_q) begin
                fails = beat_resp_q[1] || beat_last_q != (fill_word_q[k*3 +: 3] == 3'd7);
                fill_word_d[k*3 +: 3] = fill_word_q[k*3 +: 3] + 3'd1;
                if (fails && read_resp_q[k*2 +: 2] == 2'd0)
                    read_resp_d[k*2 +: 2] = {1'b1, beat_resp_q[1] && beat_resp_q[0]};
                if (beat_last_q) begin
                    phase_d[k*3 +: 3] = PORTION_FULL;
                    refused           = read_resp_d[k*2 +: 2] != 2'd0;
                    for (q = 0; q < 64; q = q + 1)
                        if (read_place[k*6 +: 6] == q[5:0] && !refused && !poisoned_q[k])
                            valid_d[q] = 1'b1;
                end
            end

            // 4 Buffer
            if (take && head_last_q && k[B-1:0] == head_engine_q)
                phase_d[k*3 +: 3] = PORTION_EMPTY;
        end

        // 2 Beat
        beat_valid_d = route_r_valid;
        beat_fill_d  = route_r_id;
        beat_data_d  = route_r_data;
        beat_resp_d  = route_r_resp;
        beat_last_d  = route_r_last;

        // 4 Buffer, continued
        if (take || held_q == 2'd0) begin
            head_data_d   = held_q[1] ? tail_data_q : data_read_data;
            head_engine_d = held_q[1] ? tail_engine_q : fetched_engine_q;
            head_last_d   = held_q[1] ? tail_last_q : fetched_last_q;
        end
        if (!held_q[1]) begin
            tail_data_d   = data_read_data;
            tail_engine_d = fetched_engine_q;
            tail_last_d   = fetched_last_q;
        end
        held_d = held_q + {1'b0, move} - {1'b0, take};

        // 5 Read
        if (data_read_enable) begin
            fetched_d        = 1'b1;
            fetched_engine_d = serve_engine_q;
            fetched_last_d   = serve_left_q == 3'd0;
            serve_valid_d    = serve_left_q != 3'd0;
            serve_word_d     = serve_word_q + 3'd1;
            serve_left_d     = serve_left_q - 3'd1;
        end else if (move)
            fetched_d = 1'b0;

        // 6 Sent
        if (route_ar_ready) m_ar_valid_d = 1'b0;
        if (route_aw_ready) m_aw_valid_d = 1'b0;
        if (b_ready)        b_valid_d    = 1'b0;

        // 7 Serve
        if (serves) begin
            serve_valid_d  = 1'b1;
            serve_engine_d = turn_q;
            serve_word_d   = turn_addr[2:0];
            serve_left_d   = turn_len;
            hits_d         = hits_q + {31'd0, hit};
        end

        // 8 Start
        if (starts) begin
            m_ar_valid_d = 1'b1;
            m_ar_id_d    = turn_q;
            m_ar_line_d  = turn_line;
            misses_d     = misses_q + 32'd1;
            for (q = 0; q < 64; q = q + 1)
                if (turn_place == q[5:0])
                    valid_d[q] = 1'b0;
        end
        for (k = 0; k < E; k = k + 1)
            if (k[B-1:0] == turn_q) begin
                // 7 Serve, continued
                if (serves)
                    phase_d[k*3 +: 3] = PORTION_ANSWER;
                if (serves && hit)
                    read_resp_d[k*2 +: 2] = 2'd0;
                // 8 Start, continued
                if (starts) begin
                    phase_d[k*3 +: 3]     = PORTION_FILL;
                    read_resp_d[k*2 +: 2] = 2'd0;
                    poisoned_d[k]         = 1'b0;
                    fill_word_d[k*3 +: 3] = 3'd0;
                end
            end

        // 9 Turn
        if (tag_read_enable)
            look_d = 1'b1;
        else if (!holds) begin
            look_d = 1'b0;
            turn_d = next_turn;
        end

        // 10 Send
        if (sends) begin
            m_aw_valid_d = 1'b1;
            m_aw_id_d    = entry;
            m_aw_word_d  = write_addr;
            m_w_data_d   = write_data;
            m_w_strb_d   = write_strb;
            for (k = 0; k < E; k = k + 1)
                if (k[B-1:0] == write_turn_q) begin
                    write_valid_d[k] = 1'b0;
                    behind_d[k]      = 1'b0;
                end
            for (k = 0; k < W; k = k + 1)
                if (k[WRITE_BITS-1:0] == entry) begin
                    flying_d[k]               = 1'b1;
                    flying_engine_d[k*B +: B] = write_turn_q;
                    flying_id_d[k*S +: S]     = write_id;
                    flying_line_d[k*34 +: 34] = write_line;
                end
        end
        if (aw_free)
            write_turn_d = next_write_turn;

        // 11 Response
        if (returns) begin
            b_valid_d  = 1'b1;
            b_engine_d = answered_engine;
            b_id_d     = answered_id;
            b_resp_d   = route_b_resp;
            for (k = 0; k < W; k = k + 1)
                if (k[WRITE_BITS-1:0] == route_b_id)
                    flying_d[k] = 1'b0;
        end
        refusals_d = refusals_q + {31'd0, refused} + {31'd0, returns && route_b_resp[1]};

        // 12 First
        if (first_write_q && !first_there) begin
            first_write_d = 1'b0;
            first_d       = first_q == LAST_ENGINE[B-1:0] ? {B{1'b0}} : first_q + {{B-1{1'b0}}, 1'b1};
        end
        if (!first_write_q && !chief_read)
            first_write_d = 1'b1;

        // 13 Empty
        valid_d = valid_d & ~emptied;
        for (k = 0; k < E; k = k + 1)
            for (q = 0; q < 64; q = q + 1)
                if (read_place[k*6 +: 6] == q[5:0] && emptied[q])
                    poisoned_d[k] = 1'b1;
    end

    always @(posedge clk) begin
        phase_q          <= phase_d;
        read_id_q        <= read_id_d;
        read_addr_q      <= read_addr_d;
        read_len_q       <= read_len_d;
        read_resp_q      <= read_resp_d;
        behind_q         <= behind_d;
        poisoned_q       <= poisoned_d;
        fill_word_q      <= fill_word_d;
        write_valid_q    <= write_valid_d;
        write_id_q       <= write_id_d;
        write_addr_q     <= write_addr_d;
        write_data_q     <= write_data_d;
        write_strb_q     <= write_strb_d;
        valid_q          <= valid_d;
        first_q          <= first_d;
        first_write_q    <= first_write_d;
        turn_q           <= turn_d;
        look_q           <= look_d;
        write_turn_q     <= write_turn_d;
        serve_valid_q    <= serve_valid_d;
        serve_engine_q   <= serve_engine_d;
        serve_word_q     <= serve_word_d;
        serve_left_q     <= serve_left_d;
        fetched_q        <= fetched_d;
        fetched_engine_q <= fetched_engine_d;
        fetched_last_q   <= fetched_last_d;
        held_q           <= held_d;
        head_data_q      <= head_data_d;
        head_engine_q    <= head_engine_d;
        head_last_q      <= head_last_d;
        tail_data_q      <= tail_data_d;
        tail_engine_q    <= tail_engine_d;
        tail_last_q      <= tail_last_d;
        beat_valid_q     <= beat_valid_d;
        beat_fill_q      <= beat_fill_d;
        beat_data_q      <= beat_data_d;
        beat_resp_q      <= beat_resp_d;
        beat_last_q      <= beat_last_d;
        m_ar_valid_q     <= m_ar_valid_d;
        m_ar_id_q        <= m_ar_id_d;
        m_ar_line_q      <= m_ar_line_d;
        m_aw_valid_q     <= m_aw_valid_d;
        m_aw_id_q        <= m_aw_id_d;
        m_aw_word_q      <= m_aw_word_d;
        m_w_data_q       <= m_w_data_d;
        m_w_strb_q       <= m_w_strb_d;
        flying_q         <= flying_d;
        flying_engine_q  <= flying_engine_d;
        flying_id_q      <= flying_id_d;
        flying_line_q    <= flying_line_d;
        b_valid_q        <= b_valid_d;
        b_engine_q       <= b_engine_d;
        b_id_q           <= b_id_d;
        b_resp_q         <= b_resp_d;
        hits_q           <= hits_d;
        misses_q         <= misses_d;
        refusals_q       <= refusals_d;
        if (rst) begin
            phase_q       <= {E{PORTION_EMPTY}};
            behind_q      <= {E{1'b0}};
            write_valid_q <= {E{1'b0}};
            valid_q       <= 64'd0;
            first_q       <= {B{1'b0}};
            first_write_q <= 1'b0;
            turn_q        <= {B{1'b0}};
            look_q        <= 1'b0;
            write_turn_q  <= {B{1'b0}};
            serve_valid_q <= 1'b0;
            fetched_q     <= 1'b0;
            held_q        <= 2'd0;
            beat_valid_q  <= 1'b0;
            m_ar_valid_q  <= 1'b0;
            m_aw_valid_q  <= 1'b0;
            flying_q      <= {W{1'b0}};
            b_valid_q     <= 1'b0;
            hits_q        <= 32'd0;
            misses_q      <= 32'd0;
            refusals_q    <= 32'd0;
        end
    end

    // formal: maxsteps=2
    // formal: maxsteps=2 params=SE_COUNT=3,FE_COUNT=2,WRITES=2,SLOTS=4 configs=mini covers=0
`ifdef FORMAL
`include "totem_portion_properties.vh"
`endif
endmodule

`default_nettype wire
