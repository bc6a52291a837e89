// SPDX-License-Identifier: Apache-2.0
//
// totem_dc: rules, latencies and meetings of docs/contract/dc.md. Engine 0 unless a test says otherwise.

#include "block_bench.h"

#include "totem_dc.h"

BENCH(dc)

#define SCRIPT_BENCH bench
#define SCRIPT_CLOCK tick
#include "script_bench.h"

enum { SES = TOTEM_SE_COUNT, WORDS = 4 };

static uint64_t kind(const bench *b)
{
    return b->o.bus_tag >> 11 & 7;
}

static uint64_t pipe(const bench *b)
{
    return b->o.bus_tag >> 8 & 1;
}

static uint64_t engine(const bench *b)
{
    return b->o.bus_tag >> 4 & 3;
}

static uint64_t buffer(const bench *b)
{
    return b->o.bus_tag >> 14;
}

static uint64_t level(const bench *b)
{
    return b->o.bus_tag >> 9 & 3;
}

// A dispatch of pipe p whose walker always has a group.
static void dispatch(bench *b, unsigned p, uint64_t none)
{
    (void)none;
    b->hold.walker_group_valid[p] = true;
    b->hold.walker_group[p]       = 100 + p;
    b->hold.dispatch_waves[p]     = 2;
    b->hold.dispatch_threads[p]   = 17;
    b->hold.dispatch_wave32[p]    = true;
    b->hold.dispatch_queue[p]     = 3;
    b->hold.dispatch_epoch[p]     = 1;
    b->hold.bank_program_addr[p]  = 0x9876543210;
    b->hold.bank_vgprs[p]         = 5;
    b->hold.bank_lds[p]           = 7;
    b->hold.bank_words[p]         = WORDS;
    b->hold.bank_scratch[p]       = p == 0;
    b->hold.state_low_data[p]     = 0xabcd;
    b->hold.bank_engines[p * SES] = b->hold.walker_room[p * SES] = true;
    b->i                                                         = b->hold;
}

static void open_bench(bench *b)
{
    fresh(b);
    for (unsigned s = 0; s < SES; s++) {
        b->hold.issue_free_slots[s]      = TOTEM_SLOTS;
        b->hold.issue_free_vgprs_left[s] = TOTEM_VGPRS;
        b->hold.issue_free_lds_left[s]   = TOTEM_LDS;
    }
    b->hold.fe_number = TOTEM_FE_COUNT - 1;
    b->hold.bus_ready = true;
    b->i              = b->hold;
}

// The clock after the first group of pipe 0 is on the bus: its header has been sent.
static void first_group(bench *b)
{
    open_bench(b);
    dispatch(b, 0, 0);
    CLOCKS_UNTIL(b, b->o.take[0], 10);
}

// walker_valid in n: header A in n+1, B in n+2, words from n+3, the group and its take in n+3+words.
TEST(header_words_group)
{
    bench b;
    open_bench(&b);
    dispatch(&b, 0, 0);
    LEVEL(&b, arbiter_pipe_priority[0], 2);
    const unsigned tag = (TOTEM_FE_COUNT - 1) << 2 | 1u << 14; // the other state buffer first: 1
    tick(&b);
    assert_true(b.o.bus_valid);
    assert_int_equal(b.o.bus_tag, tag | WORD_HEADER_A << 11);
    assert_int_equal(b.o.bus_word, 0x9876543210u | 5ull << 40 | 7ull << 47 | 1ull << 56 | 1ull << 63);
    tick(&b);
    assert_int_equal(b.o.bus_tag, tag | WORD_HEADER_B << 11);
    assert_int_equal(b.o.bus_word, 2u | 17u << 7 | 3u << 14 | 1u << 17 | WORDS << 20);
    for (unsigned n = 0; n < WORDS; n++) {
        assert_true(b.o.state_read_enable[0]);
        assert_int_equal(b.o.state_read_addr[0], n); // its answer is sent one clock later
        b.i.state_low_data[0]  = 1000 + n;
        b.i.state_high_data[0] = 500 + n;
        tick(&b);
        assert_int_equal(b.o.bus_tag, tag | WORD_STATE << 11);
        assert_int_equal(b.o.bus_word, (500ull + n) << 32 | (1000 + n));
        assert_false(b.o.take[0]);
    }
    tick(&b);
    assert_true(b.o.take[0]);
    assert_int_equal(b.o.take_engine, 0);
    assert_int_equal(b.o.bus_tag, tag | 2u << 9 | WORD_GROUP << 11); // with the pipe's priority
    assert_int_equal(b.o.bus_word, 100);
    tick(&b);
    assert_false(b.o.bus_valid || b.o.take[0]); // the take is visible: not ready
    tick(&b);
    assert_true(b.o.take[0]); // header sent: a group every two clocks
    assert_int_equal(b.o.bus_tag, tag | 2u << 9 | WORD_GROUP << 11);
}

#if TOTEM_SE_COUNT >= 4
static void open_engines(bench *b, unsigned p)
{
    for (unsigned s = 0; s < SES; s++)
        b->hold.bank_engines[p * SES + s] = b->hold.walker_room[p * SES + s] = true;
    b->i = b->hold;
}

// Most free slots among those where it fits; none fits: among all; ties: next after the last used.
TEST(choice_of_the_engine)
{
    static const struct {
        uint8_t  slots[4];
        uint16_t vgprs[4], lds[4];
        uint8_t  last, engine;
    } rows[] = {
        {{9, 12, 3, 10}, {99, 99, 99, 99}, {99, 99, 99, 99}, 3, 1},
        {{9, 12, 3, 10}, {99, 9, 99, 99}, {99, 99, 99, 99}, 3, 3}, // 1: too few registers (2 waves of 5)
        {{9, 12, 3, 10}, {99, 10, 99, 99}, {99, 7, 99, 99}, 3, 1}, // just enough
        {{9, 12, 3, 10}, {99, 99, 99, 99}, {99, 6, 99, 6}, 3, 0},  // 1, 3: too little LDS
        {{1, 1, 0, 1}, {99, 99, 99, 99}, {99, 99, 99, 99}, 3, 0},  // fits nowhere: the freest
        {{0, 1, 0, 0}, {99, 0, 99, 99}, {99, 99, 99, 99}, 3, 1},
        {{8, 8, 8, 8}, {99, 99, 99, 99}, {99, 99, 99, 99}, 1, 2}, // ties: after the last one
        {{8, 8, 8, 8}, {99, 99, 99, 99}, {99, 99, 99, 99}, 3, 0},
        {{8, 8, 1, 1}, {99, 99, 99, 99}, {99, 99, 99, 99}, 1, 0},
    };
    for (unsigned n = 0; n < COUNT(rows); n++) {
        bench b;
        open_bench(&b);
        tick(&b);
        dispatch(&b, 0, 0);
        LEVEL(&b, walker_group_valid[0], false);
        open_engines(&b, 0);
        for (unsigned s = 0; s < 4; s++) {
            LEVEL(&b, issue_free_slots[s], rows[n].slots[s]);
            LEVEL(&b, issue_free_vgprs_left[s], rows[n].vgprs[s]);
            LEVEL(&b, issue_free_lds_left[s], rows[n].lds[s]);
        }
        tick(&b); // `total` is there
        b.s.last = rows[n].last;
        LEVEL(&b, walker_group_valid[0], true);
        tick(&b);
        assert_int_equal(kind(&b), WORD_HEADER_A);
        assert_int_equal(engine(&b), rows[n].engine);
        CLOCKS_UNTIL(&b, b.o.take[0], 10);
        assert_int_equal(b.o.take_engine, rows[n].engine); // without a new choice
    }
}

#endif

// A partial group: its word two clocks behind it, from the table, also when the pipe is stopped between.
TEST(partial_group)
{
    static const struct {
        uint64_t table;
        uint8_t  partial;
        bool     wave32;
        unsigned address, waves, threads;
    } rows[] = {
        {0x64ull << 32 | 7, 1, false, 10, 2, 36}, {0x64ull << 32 | 7, 2, false, 11, 1, 7},
        {0x41ull << 32 | 7, 3, true, 11, 3, 1},   {0x40ull << 32 | 64, 4, false, 12, 1, 64},
        {0x40ull << 32 | 64, 5, true, 12, 2, 32}, {4096, 6, false, 13, 64, 64},
        {1ull << 32, 7, true, 13, 1, 1},
    };
    for (unsigned row = 0; row < COUNT(rows); row++)
        for (unsigned stop = 0; stop < 2; stop++) {
            bench b;
            open_bench(&b);
            dispatch(&b, 0, 0);
            LEVEL(&b, walker_group_partial[0], rows[row].partial);
            CLOCKS_UNTIL(&b, b.o.take[0], 10);
            const unsigned tag = b.o.bus_tag;
            assert_int_equal(kind(&b), WORD_GROUP);
            assert_int_equal(tag >> 15, 1);
            assert_true(b.o.state_read_enable[0]);
            assert_int_equal(b.o.state_read_addr[0], rows[row].address);
            b.hold.walker_group_valid[0]   = false;
            b.hold.dispatch_wave32[0]      = rows[row].wave32;
            b.hold.walker_group_partial[0] = 0;
            b.hold.packet_stop[0] = b.hold.walker_outstanding[0] = stop;
            b.i                                                  = b.hold;
            tick(&b);
            assert_false(b.o.bus_valid || b.o.take[0]);
            b.i.state_low_data[0]  = (uint32_t)rows[row].table;
            b.i.state_high_data[0] = (uint32_t)(rows[row].table >> 32);
            tick(&b);
            assert_true(b.o.bus_valid && !b.o.take[0]);
            assert_int_equal(b.o.bus_tag, (tag & 0x47ff) | 4u << 11);
            assert_int_equal(b.o.bus_word, rows[row].waves | rows[row].threads << 7);
            tick(&b);
            assert_int_equal(b.o.bus_valid, stop);
            if (stop)
                assert_int_equal(kind(&b), WORD_RECALL);
        }
}

static const script_word words[] = {
    VIEW(kind),
    VIEW(pipe),
    VIEW(engine),
    VIEW(buffer),
    VIEW(level),
    ACT(dispatch),
    WORD(offer, i.walker_group_valid[0]),
    WORD(start, i.packet_start[0]),
    WORD(stop, i.packet_stop[0]),
    WORD(outstanding, i.walker_outstanding[0]),
    WORD(priority, i.arbiter_pipe_priority[0]),
    WORD(slots, i.issue_free_slots[0]),
    WORD(grant, i.grant_valid[0]),
    WORD(release, i.release_valid[0]),
    WORD(release_buffer, i.release_buffer[0]),
    WORD(answer, i.answer_valid[0]),
    WORD(left, i.answer_count[0]),
    WORD(kill, i.kill_word_valid[0]),
    WORD(kill_queue, i.kill_word_queue[0]),
    WORD(kill_epochs, i.kill_word_epochs[0]),
    WORD(valid, o.bus_valid),
    WORD(word, o.bus_word),
    WORD(take, o.take[0]),
    WORD(killed, o.killed[0]),
    WORD(stream, s.stream_valid),
    WORD(presented, s.presented[0]),
    WORD(used, s.used[0]),
    WORD(recalled, s.recalled[0]),
    WORD(served, s.served),
    {0},
};

static void dispatching(bench *b)
{
    open_bench(b);
    dispatch(b, 0, 0);
}

static inline void two_dispatches(bench *b)
{
    dispatching(b);
    dispatch(b, 1, 0);
}

#if TOTEM_SE_COUNT >= 4
static void first_group_of_all_engines(bench *b)
{
    dispatching(b);
    open_engines(b, 0);
    CLOCKS_UNTIL(b, b->o.take[0], 10);
}
#endif

// Kinds: 0 header A, 5 recall, 6 kill, 7 priority.
static const script_row rows[] = {
    {"no_more_than_four_presented", dispatching, "40; take:0 presented:4; grant 2; take:1"},
    {"buffers_in_turn", first_group, // from buffer 1 on; the next dispatch takes the other one, once nothing uses it
     "offer==0 grant start; offer==1; kind:0 buffer:0; 5; take:1 offer==0 grant start; offer==1; valid:0 10;"
     "release release_buffer 2; kind:0 buffer:1"},
    {"priority_written", first_group, // once; not of groups that are granted or recalled; a group tells it too
     "offer==0 priority==2; kind:7 engine:0 buffer:0 level:2 word:0; valid:0 5; priority==1 grant; valid:0 5; offer==1;"
     "take:1 level:1 offer==0; valid:0 5; priority==0 stop==1; valid:0 5;"},
    {"priority_written_within_a_header", first_group, // a word of the stream follows before the next priority
     "start; valid:0; kind:0 priority==2; kind:7; valid:0; kind:1 priority==1; kind:7; valid:0; kind:2"},
    {"start_ends_a_header_without_a_group", dispatching, "3; start; valid:0 stream:0; kind:0 buffer:1"},
    {"recall_and_answer", first_group, // one recall, when the walker shows the group, and none for the answer
     "stop==1 offer==0; valid:0 outstanding==1; valid:1 kind:5 engine:0 buffer:0 word:0; valid:0 5; answer left=1;"
     "outstanding==0 presented:0 used[1]:0 recalled:0; valid:0"},
    {"kill_words", dispatching, // behind a header and recalls, before groups; acknowledged with the word, sent once
     "1; kind:0 kill==1 kill_queue==1 kill_epochs==9 outstanding==1; valid:1 killed:0 5; valid:1 killed:0 take:1"
     " stop==1; kind:5; kind:6 buffer:0 killed:1 word:0x901; valid:0 killed:0 kill_epochs==3; valid:1 killed:1 "
     "word:0x301"},
    {"nothing_is_taken_between_recall_and_answer", first_group,
     "outstanding==1 stop==1; kind:5 stop==0; valid:0 8; answer left=1 2; take:1"},
#if TOTEM_SE_COUNT >= 4
    {"equals_behind_the_last_engine", first_group_of_all_engines, // which is 0
     "slots==9 slots[1]==7 slots[2]==7 slots[3]==7 2; engine:1"},
    {"called_back_when_another_engine_has_room", first_group_of_all_engines, // once until a grant
     "offer==0 slots==1 slots[1]==1 slots[2]==1 slots[3]==1 80; valid:0 slots[2]==2; kind:5 engine:0 word:1 recalled:1;"
     "valid:0 90; answer left=1; offer==1; kind:0 engine:2; 5; take:1 offer==0 slots==9 slots[2]==1; valid:0 99;"},
    {"not_called_back_before_64_clocks", first_group_of_all_engines, // in which it fits once
     "offer==0 slots==1 60; slots=2; 64; valid:0; kind:5"},
    {"recall_of_several_engines", open_bench,
     "outstanding[1]==1 outstanding[3]==1 stop==1; engine:1; valid:1 engine:3; valid:0"},
#endif
#if TOTEM_PIPES == 2
    {"after_reset_pipe_0_is_first", two_dispatches, "1; pipe:0"},
    {"higher_pipe_priority_of_pipe_0", two_dispatches, "served=0 priority==1; pipe:0"},
    {"stop_meets_the_stream_of_the_other_pipe", first_group, // its header and group go first
     "offer==0 dispatch[1]; kind:0 pipe:1 stop==1 outstanding==1; valid:1 pipe:1 5; take[1]:1; kind:5"},
#endif
};

SCRIPTS(rows)

// A clock in which another source has the bus, every third one, and a state RAM that knows its words by their address.
static void shared_clock(bench *b, unsigned clock)
{
    b->i.bus_ready = clock % 3 != 0;
    if (b->o.state_read_enable[0])
        b->hold.state_low_data[0] = 1000u + b->o.state_read_addr[0];
    tick(b);
    b->i = b->hold;
}

// A word that is not taken stays on the bus, with nothing else; no word is lost, doubled or of another step; take is
// visible for one clock. The class is that of the input.
TEST(words_wait_for_the_bus)
{
    static const unsigned kinds[] = {WORD_HEADER_A, WORD_HEADER_B, WORD_STATE, WORD_STATE,
                                     WORD_STATE,    WORD_STATE,    WORD_GROUP, WORD_GROUP};
    bench                 b;
    unsigned              taken = 0, takes = 0;
    open_bench(&b);
    dispatch(&b, 0, 0);
    b.hold.bus_class = 2;
    b.i              = b.hold;
    for (unsigned clock = 0; taken < sizeof kinds / sizeof kinds[0]; clock++) {
        assert_true(clock < 60);
        const totem_dc_out before  = b.o;
        const bool         refused = clock % 3 == 0 && before.bus_valid;
        if (before.bus_valid && !refused) {
            assert_int_equal(kind(&b), kinds[taken]);
            assert_int_equal(b.o.bus_tag >> 6 & 3, 2);
            if (kinds[taken] == WORD_STATE)
                assert_int_equal(b.o.bus_word & 0xffff, 1000 + ((taken - 3) & 15));
            taken++;
        }
        shared_clock(&b, clock);
        takes += b.o.take[0];
        if (refused) {
            assert_true(b.o.bus_valid && !b.o.take[0]);
            assert_int_equal(b.o.bus_word, before.bus_word);
            assert_int_equal(b.o.bus_tag, before.bus_tag);
        }
    }
    assert_int_equal(takes, 2);
}
