// SPDX-License-Identifier: Apache-2.0
//
// totem_dc: rules, latencies and meetings of docs/contract/dc.md. Engine 0 unless a test says otherwise.

#include "block_bench.h"

#include "totem_dc.h"

BENCH(dc)

enum { HEADER_A, HEADER_B, STATE_WORD, GROUP, RECALL = 5, KILL, SES = TOTEM_SE_COUNT, WORDS = 4 };

static unsigned kind(const bench *b)
{
    return b->o.bus_tag >> 11 & 7;
}

static inline unsigned tag_engine(const bench *b)
{
    return b->o.bus_tag >> 4 & 3;
}

// A dispatch of pipe p whose walker always has a group.
static void dispatch(bench *b, unsigned p)
{
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
    b->i              = b->hold;
}

// Goes on to the clock after the first group of pipe 0 is on the bus: its header is sent then.
static void first_group(bench *b)
{
    dispatch(b, 0);
    CLOCKS_UNTIL(b, b->o.take[0], 10);
}

// walker_valid in n: header A in n+1, B in n+2, words from n+3, the group and its take in n+3+words.
static void header_words_group(void **state)
{
    bench b;
    (void)state;
    open_bench(&b);
    dispatch(&b, 0);
    LEVEL(&b, arbiter_pipe_priority[0], 2);
    const unsigned tag = (TOTEM_FE_COUNT - 1) << 2 | 1u << 14; // the other state buffer first: 1
    tick(&b);
    assert_true(b.o.bus_valid);
    assert_int_equal(b.o.bus_tag, tag | HEADER_A << 11);
    assert_int_equal(b.o.bus_word, 0x9876543210u | 5ull << 40 | 7ull << 47 | 1ull << 56);
    tick(&b);
    assert_int_equal(b.o.bus_tag, tag | HEADER_B << 11);
    assert_int_equal(b.o.bus_word, 2u | 17u << 7 | 3u << 14 | 1u << 17 | WORDS << 20);
    for (unsigned n = 0; n < WORDS; n++) {
        assert_true(b.o.state_read_enable[0]);
        assert_int_equal(b.o.state_read_addr[0], n + 1); // its answer is sent one clock later
        b.i.state_low_data[0]  = 1000 + n;
        b.i.state_high_data[0] = 500 + n;
        tick(&b);
        assert_int_equal(b.o.bus_tag, tag | STATE_WORD << 11);
        assert_int_equal(b.o.bus_word, (500ull + n) << 32 | (1000 + n));
        assert_false(b.o.take[0]);
    }
    tick(&b);
    assert_true(b.o.take[0]);
    assert_int_equal(b.o.take_engine, 0);
    assert_int_equal(b.o.bus_tag, tag | 2u << 9 | GROUP << 11); // with the pipe's priority
    assert_int_equal(b.o.bus_word, 100);
    tick(&b);
    assert_false(b.o.bus_valid || b.o.take[0]); // the take is visible: not ready
    tick(&b);
    assert_true(b.o.take[0]); // header sent: a group every two clocks
    assert_int_equal(b.o.bus_tag, tag | 2u << 9 | GROUP << 11);
}

static void no_more_than_four_presented(void **state)
{
    bench    b;
    unsigned taken = 0;
    (void)state;
    open_bench(&b);
    dispatch(&b, 0);
    for (unsigned n = 0; n < 40; n++) {
        tick(&b);
        taken += b.o.take[0];
    }
    assert_int_equal(taken, 4);
    b.i.grant_valid[0] = true;
    tick(&b);
    tick(&b);
    assert_true(b.o.take[0]);
}

static void nothing_without_room_or_engine(void **state)
{
    (void)state;
    for (unsigned row = 0; row < 2; row++) {
        bench b;
        open_bench(&b);
        dispatch(&b, 0);
        LEVEL(&b, bank_engines[0], row != 0);
        LEVEL(&b, walker_room[0], row != 1);
        for (unsigned n = 0; n < 10; n++) {
            tick(&b);
            assert_false(b.o.bus_valid);
        }
    }
}

// The next dispatch takes the other buffer, once nothing uses it.
static void buffers_in_turn(void **state)
{
    bench b;
    (void)state;
    open_bench(&b);
    first_group(&b); // buffer 1
    LEVEL(&b, walker_group_valid[0], false);
    b.i.grant_valid[0]  = true;
    b.i.packet_start[0] = true;
    tick(&b);
    LEVEL(&b, walker_group_valid[0], true);
    tick(&b);
    assert_int_equal(kind(&b), HEADER_A);
    assert_int_equal(b.o.bus_tag >> 14, 0);
    CLOCKS_UNTIL(&b, b.o.take[0], 10);
    LEVEL(&b, walker_group_valid[0], false);
    b.i.grant_valid[0]  = true;
    b.i.packet_start[0] = true;
    tick(&b);
    LEVEL(&b, walker_group_valid[0], true);
    for (unsigned n = 0; n < 10; n++) { // buffer 1 has not been released
        tick(&b);
        assert_false(b.o.bus_valid);
    }
    b.i.release_valid[0]  = true;
    b.i.release_buffer[0] = true;
    tick(&b);
    tick(&b);
    assert_int_equal(kind(&b), HEADER_A);
    assert_int_equal(b.o.bus_tag >> 14, 1);
}

// A new dispatch or a stop ends a header that no group has followed; the same buffer is used again.
static void stop_or_start_ends_the_stream(void **state)
{
    (void)state;
    for (unsigned row = 0; row < 2; row++) {
        bench b;
        open_bench(&b);
        dispatch(&b, 0);
        ticks(&b, 3);
        if (row)
            b.i.packet_stop[0] = true;
        else
            b.i.packet_start[0] = true;
        tick(&b);
        assert_false(b.o.bus_valid || b.s.stream_valid);
        tick(&b);
        assert_int_equal(kind(&b), HEADER_A);
        assert_int_equal(b.o.bus_tag >> 14, 1);
    }
}

static void recalls_and_answers(void **state)
{
    bench b;
    (void)state;
    open_bench(&b);
    first_group(&b);
    LEVEL(&b, packet_stop[0], true);
    LEVEL(&b, walker_group_valid[0], false);
    tick(&b);
    assert_false(b.o.bus_valid); // the walker does not show the group yet
    LEVEL(&b, walker_outstanding[0], true);
    tick(&b);
    assert_true(b.o.bus_valid);
    assert_int_equal(b.o.bus_tag, (TOTEM_FE_COUNT - 1) << 2 | RECALL << 11);
    assert_int_equal(b.o.bus_word, 0);
    for (unsigned n = 0; n < 5; n++) { // once
        tick(&b);
        assert_false(b.o.bus_valid);
    }
    // Answer, and the walker's notice of it, in the same clock: not sent again.
    b.i.answer_valid[0] = true;
    b.i.answer_count[0] = 1;
    tick(&b);
    LEVEL(&b, walker_outstanding[0], false);
    assert_int_equal(b.s.presented[0], 0);
    assert_int_equal(b.s.used[1], 0);
    assert_false(b.s.recalled[0]);
    tick(&b);
    assert_false(b.o.bus_valid);
}

// A kill goes before groups, behind a header and recalls; it is acknowledged with its word, and not sent twice.
static void kill_words(void **state)
{
    bench b;
    (void)state;
    open_bench(&b);
    dispatch(&b, 0);
    tick(&b);
    assert_int_equal(kind(&b), HEADER_A);
    LEVEL(&b, kill_word_valid[0], true);
    LEVEL(&b, kill_word_engine[0], SES - 1);
    LEVEL(&b, kill_word_queue[0], 1);
    LEVEL(&b, kill_word_epochs[0], 9);
    LEVEL(&b, walker_outstanding[0], true);
    for (unsigned n = 0; n < WORDS + 2; n++) { // B, the words, the group
        tick(&b);
        assert_true(b.o.bus_valid && !b.o.killed[0]);
        assert_int_not_equal(kind(&b), KILL);
    }
    assert_true(b.o.take[0]);
    LEVEL(&b, packet_stop[0], true);
    tick(&b);
    assert_int_equal(kind(&b), RECALL);
    tick(&b);
    assert_true(b.o.killed[0]);
    assert_int_equal(b.o.bus_tag, (TOTEM_FE_COUNT - 1) << 2 | (SES - 1) << 4 | KILL << 11);
    assert_int_equal(b.o.bus_word, 9u << 8 | 1u);
    tick(&b); // the sender takes it away one clock later
    assert_false(b.o.bus_valid || b.o.killed[0]);
    LEVEL(&b, kill_word_epochs[0], 3);
    tick(&b);
    assert_true(b.o.bus_valid && b.o.killed[0]);
    assert_int_equal(b.o.bus_word, 3u << 8 | 1u);
}

static void nothing_is_taken_between_recall_and_answer(void **state)
{
    bench b;
    (void)state;
    open_bench(&b);
    first_group(&b);
    LEVEL(&b, walker_outstanding[0], true);
    LEVEL(&b, packet_stop[0], true);
    tick(&b);
    assert_int_equal(kind(&b), RECALL);
    LEVEL(&b, packet_stop[0], false);
    for (unsigned n = 0; n < 8; n++) {
        tick(&b);
        assert_false(b.o.bus_valid);
    }
    b.i.answer_valid[0] = true;
    b.i.answer_count[0] = 1;
    ticks(&b, 2);
    assert_true(b.o.take[0]);
}

#if TOTEM_SE_COUNT >= 4
static void open_engines(bench *b, unsigned p)
{
    for (unsigned s = 0; s < SES; s++)
        b->hold.bank_engines[p * SES + s] = b->hold.walker_room[p * SES + s] = true;
    b->i = b->hold;
}

// Most free slots among those where it fits; none fits: among all; ties: next after the last used.
static void choice_of_the_engine(void **state)
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
    (void)state;
    for (unsigned n = 0; n < sizeof rows / sizeof *rows; n++) {
        bench b;
        open_bench(&b);
        tick(&b);
        dispatch(&b, 0);
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
        assert_int_equal(kind(&b), HEADER_A);
        assert_int_equal(tag_engine(&b), rows[n].engine);
        CLOCKS_UNTIL(&b, b.o.take[0], 10);
        assert_int_equal(b.o.take_engine, rows[n].engine); // without a new choice
    }
}

// What was presented and is not seen granted is taken off the report.
static void presented_groups_count(void **state)
{
    bench b;
    (void)state;
    open_bench(&b);
    dispatch(&b, 0);
    open_engines(&b, 0);
    CLOCKS_UNTIL(&b, b.o.take[0], 10);
    assert_int_equal(b.o.take_engine, 0);
    LEVEL(&b, issue_free_slots[1], TOTEM_SLOTS - 1); // engine 0 has 2 waves on their way
    LEVEL(&b, issue_free_slots[2], TOTEM_SLOTS - 3);
    LEVEL(&b, issue_free_slots[3], TOTEM_SLOTS - 3);
    ticks(&b, 2);
    assert_int_equal(tag_engine(&b), 1);

    // A grant notice seen in the clock of the choice: the group is in the report already.
    open_bench(&b);
    dispatch(&b, 0);
    open_engines(&b, 0);
    CLOCKS_UNTIL(&b, b.o.take[0], 10);
    LEVEL(&b, issue_free_slots[0], TOTEM_SLOTS - 2);
    LEVEL(&b, issue_free_slots[1], TOTEM_SLOTS - 3);
    LEVEL(&b, issue_free_slots[2], TOTEM_SLOTS - 3);
    LEVEL(&b, issue_free_slots[3], TOTEM_SLOTS - 3);
    tick(&b);
    b.i.grant_valid[0] = true;
    tick(&b);
    assert_true(b.o.take[0]);
    assert_int_equal(b.o.take_engine, 0);
}

static void recall_of_several_engines(void **state)
{
    bench b;
    (void)state;
    open_bench(&b);
    LEVEL(&b, walker_outstanding[1], true);
    LEVEL(&b, walker_outstanding[3], true);
    LEVEL(&b, packet_stop[0], true);
    tick(&b);
    assert_int_equal(tag_engine(&b), 1);
    tick(&b);
    assert_true(b.o.bus_valid);
    assert_int_equal(tag_engine(&b), 3);
    tick(&b);
    assert_false(b.o.bus_valid);
}
#endif

#if TOTEM_PIPES == 2
static void equal_pipes_alternate(void **state)
{
    bench b;
    int   last = -1;
    (void)state;
    open_bench(&b);
    dispatch(&b, 0);
    dispatch(&b, 1);
    unsigned taken = 0;
    for (unsigned n = 0; n < 60; n++) {
        tick(&b);
        assert_false(b.o.take[0] && b.o.take[1]);
        for (int p = 0; p < 2; p++)
            if (b.o.take[p]) {
                assert_int_equal(last, taken ? !p : -1);
                last = p;
                taken++;
                b.i.grant_valid[p * SES] = b.i.release_valid[p * SES] = true; // room again
                b.i.release_buffer[0]                                 = true;
            }
    }
    assert_true(taken > 40); // two pipes: one every clock, after the headers
    open_bench(&b);
    dispatch(&b, 0);
    dispatch(&b, 1);
    tick(&b);
    assert_int_equal(b.o.bus_tag >> 8 & 1, 0); // reset: pipe 1 was served last
}

// Both ready in one clock: the higher pipe priority, whoever was served last.
static void higher_pipe_priority_first(void **state)
{
    (void)state;
    for (unsigned high = 0; high < 2; high++) {
        bench b;
        open_bench(&b);
        dispatch(&b, 0);
        dispatch(&b, 1);
        b.s.served = high;
        LEVEL(&b, arbiter_pipe_priority[high], 1);
        tick(&b);
        assert_int_equal(b.o.bus_tag >> 8 & 1, high);
    }
}

// The other pipe's header and its group go first, then the recall.
static void stop_meets_the_stream_of_the_other_pipe(void **state)
{
    bench b;
    (void)state;
    open_bench(&b);
    first_group(&b);
    LEVEL(&b, walker_group_valid[0], false);
    dispatch(&b, 1);
    LEVEL(&b, walker_group_valid[0], false);
    tick(&b);
    assert_int_equal(kind(&b), HEADER_A);
    LEVEL(&b, packet_stop[0], true);
    LEVEL(&b, walker_outstanding[0], true);
    for (unsigned n = 0; n < 1 + WORDS; n++) {
        tick(&b);
        assert_true(b.o.bus_valid);
        assert_int_equal(b.o.bus_tag >> 8 & 1, 1);
    }
    tick(&b);
    assert_true(b.o.take[1]);
    tick(&b);
    assert_int_equal(kind(&b), RECALL);
}
#endif

// A partial group: its word two clocks behind it, from the table, also when the pipe is stopped between.
static void partial_group(void **state)
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
    (void)state;
    for (unsigned row = 0; row < sizeof rows / sizeof *rows; row++)
        for (unsigned stop = 0; stop < 2; stop++) {
            bench b;
            open_bench(&b);
            LEVEL(&b, walker_group_partial[0], rows[row].partial);
            first_group(&b);
            const unsigned tag = b.o.bus_tag;
            assert_int_equal(kind(&b), GROUP);
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
                assert_int_equal(kind(&b), RECALL);
        }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(partial_group),
        cmocka_unit_test(header_words_group),
        cmocka_unit_test(no_more_than_four_presented),
        cmocka_unit_test(nothing_without_room_or_engine),
        cmocka_unit_test(buffers_in_turn),
        cmocka_unit_test(stop_or_start_ends_the_stream),
        cmocka_unit_test(recalls_and_answers),
        cmocka_unit_test(kill_words),
        cmocka_unit_test(nothing_is_taken_between_recall_and_answer),
#if TOTEM_SE_COUNT >= 4
        cmocka_unit_test(choice_of_the_engine),
        cmocka_unit_test(presented_groups_count),
        cmocka_unit_test(recall_of_several_engines),
#endif
#if TOTEM_PIPES == 2
        cmocka_unit_test(equal_pipes_alternate),
        cmocka_unit_test(higher_pipe_priority_first),
        cmocka_unit_test(stop_meets_the_stream_of_the_other_pipe),
#endif
    };

    return cmocka_run_group_tests_name("dc", tests, NULL, NULL);
}
