// SPDX-License-Identifier: Apache-2.0
//
// totem_bank: what is derived of the registers: the derived word, threads of a group, table of partial groups
// (docs/contract/bank.md).
// Configuration: full, because a preload brings a word of each of several engines.

#include "bank_bench.h"

static const uint8_t mgmt[4] = {0x16, 0x17, 0x19, 0x1a};

// What is derived stands in the RAM two clocks after the write.
TEST(derived_word)
{
    static register_bench t;
    uint32_t              engines = 0;
    selected(&t, Q);
    puts_in(&t, RSRC1, 0xffffffff);
    assert_int_equal(t.b.o.vgprs, 64);
    clock_edge(&t);
    writes(&t, Q, DERIVED);
    assert_int_equal(t.b.o.ram_write_data, 0x3fu);
    clock_edge(&t);
    assert_false(t.b.o.ram_write_enable);
    for (unsigned n = 0; n < 5; n++) { // the last one takes engine 0 back
        put(&t, mgmt[n % 4], n < 4 ? 0x80000000 : 0);
        clocks(&t, 3);
        engines = n < 4 ? engines | (n < TOTEM_SE_COUNT ? 1u << n : 0) : engines & ~1u;
        for (unsigned e = 0; e < TOTEM_SE_COUNT; e++)
            assert_int_equal(t.b.o.engines[e], engines >> e & 1);
        assert_int_equal(t.ram[Q * 128 + DERIVED], engines << 6 | 0x3fu);
    }
}

// A factor is written in this clock: so many clocks until the product stands there.
static void computes(register_bench *t, unsigned length, unsigned threads)
{
    t->now = 0;
    clock_edge(t);
    while (t->b.o.busy)
        clock_edge(t);
    assert_int_equal(t->now, length);
    assert_int_equal(t->b.o.threads, threads);
    assert_int_equal(t->ram[Q * 128 + THREADS], threads);
}

TEST(three_in_three_clocks)
{
    static register_bench t;
    selected(&t, Q);
    puts_in(&t, THREAD_X, 2);
    puts_in(&t, THREAD_Y, 3);
    put(&t, THREAD_Z, 4);
    computes(&t, 2 + 3 + 7, 24);
}

static void threads_xyz(register_bench *t, const uint32_t full[3], const uint32_t partial[3])
{
    for (unsigned d = 0; d < 3; d++) {
        puts_in(t, (uint8_t)(THREAD_X + d), full[d] | partial[d] << 16);
    }
}

static void table_complete(register_bench *t, const uint32_t full[3], const uint32_t partial[3])
{
    for (unsigned combo = 1; combo < 8; combo++) {
        uint64_t threads = 1;
        for (unsigned d = 0; d < 3; d++)
            threads *= combo >> d & 1 ? partial[d] : full[d];
        const unsigned at = Q * 16 + 10 + combo / 2;
        assert_int_equal(combo & 1 ? t->high[at] : t->low[at], threads < 8191 ? threads : 8191);
    }
}

// All that is derived for queue Q stands there, in so many clocks at most.
static void derived_within(register_bench *t, unsigned most, const uint32_t full[3], const uint32_t partial[3])
{
    for (unsigned n = 0; t->b.s.stage[Q] != STAGE_NONE; n++, clock_edge(t))
        assert_true(n < most);
    table_complete(t, full, partial);
    assert_int_equal(t->b.s.partial[Q], PARTIAL_READY);
}

// ---- queues that do not run

// A queue is prepared when its clear has ended; a clear of one holds up no load of another.
TEST(prepared_after_the_clear)
{
    static register_bench t;
    open_bench(&t);
    for (unsigned q = 0; q < TOTEM_QUEUES; q++)
        assert_true(t.b.o.prepared[q]);
    mapped(&t, Q);
    t.now = 0;
    clock_edge(&t);
    for (; !t.b.o.prepared[Q]; clock_edge(&t))
        assert_true(t.b.o.prepared[0]);
    assert_int_equal(t.now, 130); // pending in 1, cleared in 2 to 129
    open_bench(&t);
    mapped(&t, Q);
    clock_edge(&t);
    goes(&t, 0, LOADED);
    mapped(&t, 1);
    clock_edge(&t);
    assert_true(t.b.o.loaded);
}

// What a preload brought is derived before the queue is prepared: blocks, engines, threads, table.
TEST(prepared_after_a_preload)
{
    static const uint32_t full[3] = {9, 5, 3}, partial[3] = {8, 1, 2};
    for (unsigned absent = 0; absent < TOTEM_SE_COUNT; absent++) {
        static register_bench t;
        selected(&t, 0);
        t.ram[Q * 128 + RSRC1] = 0xffffffc0u | 0x2a;
        for (unsigned n = 0; n < 4; n++)
            t.ram[Q * 128 + mgmt[n]] = n == absent ? 0 : 0x10000;
        for (unsigned d = 0; d < 3; d++)
            t.ram[Q * 128 + THREAD_X + d] = full[d] | partial[d] << 16;
        mapped(&t, Q);
        t.b.i.load_data = 3;
        clock_edge(&t);
        derived_within(&t, 200, full, partial);
        assert_true(t.b.o.prepared[Q]);
        goes(&t, Q, LOADED);
        assert_false(t.b.o.busy);
        assert_int_equal(t.b.o.partial, PARTIAL_READY);
        assert_int_equal(t.b.o.threads, 135);
        assert_int_equal(t.b.o.vgprs, 0x2b);
        for (unsigned n = 0; n < TOTEM_SE_COUNT; n++)
            assert_int_equal(t.b.o.engines[n], n != absent);
    }
}

// mqd writes registers of a queue whose earlier mapping left something to derive: nothing of it goes on.
TEST(guest_ends_what_is_derived)
{
    for (unsigned before = 0; before < 60; before++) {
        static register_bench t;
        selected(&t, Q);
        put(&t, THREAD_Z, 9);
        clocks(&t, 2 + before);
        goes(&t, 0, LOADED);
        t.b.i.mqd_valid = t.b.i.mqd_write = true;
        t.b.i.mqd_queue                   = Q;
        t.b.i.mqd_offset                  = THREAD_X;
        t.b.i.mqd_data                    = 0x12345678;
        clock_edge(&t);
        for (unsigned spent = 0; t.ram[Q * 128 + THREAD_X] != 0x12345678; spent++, clock_edge(&t))
            assert_true(spent < 8);
        assert_int_equal(t.b.s.stage[Q], STAGE_NONE);
        assert_true(t.b.s.derive_step == DERIVE_IDLE || t.b.s.derive_queue != Q);
    }
}

// ---- partial groups

TEST(table_of_partial_groups)
{
    static const struct {
        uint32_t full[3], partial[3];
        uint8_t  result;
    } rows[] = {
        {{8, 8, 1}, {8, 8, 1}, 1},       {{64, 2, 3}, {1, 1, 1}, 1},        {{16, 16, 4}, {15, 3, 2}, 1},
        {{8, 8, 1}, {0, 8, 1}, 2},       {{8, 8, 1}, {8, 8, 0}, 2},         {{8, 8, 1}, {8, 9, 1}, 3},
        {{8, 8, 1}, {9, 8, 1}, 3},       {{8, 8, 1}, {9, 0, 1}, 2},         {{8, 8, 1}, {8, 8, 2}, 3},
        {{100, 100, 1}, {90, 91, 1}, 1}, {{65535, 1, 1}, {65535, 1, 1}, 1},
    };
    for (unsigned row = 0; row < COUNT(rows); row++) {
        static register_bench t;
        selected(&t, Q);
        clocks(&t, 7);
        threads_xyz(&t, rows[row].full, rows[row].partial);
        assert_int_equal(t.b.o.partial, PARTIAL_COMPUTING);
        unsigned spent = 0;
        for (; t.b.o.partial == PARTIAL_COMPUTING; spent++) {
            assert_true(spent < 400);
            // divide asks now and then: it is answered two clocks later, whatever is under way
            const bool ask          = spent % 23 == 5 && !t.b.o.busy;
            t.b.i.divide_read       = ask;
            t.b.i.divide_read_place = (uint8_t)(spent % 3);
            clock_edge(&t);
            if (ask) {
                assert_true(t.b.o.ram_read_enable);
                assert_int_equal(t.b.o.ram_read_addr, Q * 128 + THREAD_X + spent % 3);
            }
        }
        assert_int_equal(t.b.o.partial, rows[row].result);
        table_complete(&t, rows[row].full, rows[row].partial);
        goes(&t, Q, LOADED); // it is kept: nothing is computed again
        assert_int_equal(t.b.o.partial, rows[row].result);
        t.reads = 0;
        clocks(&t, 30);
        assert_int_equal(t.reads, 0);
    }
}

// A switch does not wait for the table, and nothing of it is lost: it goes on while other queues run.
TEST(table_survives_a_switch)
{
    static const uint32_t full[3] = {8, 8, 2}, partial[3] = {7, 5, 1};
    for (unsigned before = 0; before < 160; before++) {
        static register_bench t;
        selected(&t, Q);
        threads_xyz(&t, full, partial);
        clocks(&t, 1 + before);
        goes(&t, 0, LOADED);
        assert_int_equal(t.b.o.threads, 0);
        derived_within(&t, 150, full, partial);
        goes(&t, Q, LOADED);
        assert_int_equal(t.b.o.threads, 128);
        assert_int_equal(t.b.o.partial, PARTIAL_READY);
    }
}

// Products of two queues: the selected one comes first, and then they take turns; both are right.
TEST(products_take_turns)
{
    static const uint32_t full[3] = {8, 8, 2}, partial[3] = {7, 5, 1};
    for (unsigned after = 4; after < 100; after++) {
        static register_bench t;
        selected(&t, Q);
        threads_xyz(&t, full, partial);
        clocks(&t, after);
        goes(&t, 0, LOADED);
        puts_in(&t, THREAD_X, 3u << 16 | 4);
        puts_in(&t, THREAD_Y, 5u << 16 | 6);
        put(&t, THREAD_Z, 1u << 16 | 2);
        unsigned spent = 0, own = 0, others = 0;
        for (; t.b.s.stage[0] != STAGE_NONE || t.b.s.stage[Q] != STAGE_NONE || spent == 0; spent++) {
            const uint8_t queue = t.b.s.derive_queue;
            const bool    ends  = t.b.s.derive_step == DERIVE_RESULT;
            assert_true(spent < 400);
            clock_edge(&t);
            if (ends && t.b.s.stage[Q] != STAGE_NONE) {
                own += queue == 0;
                others += queue == Q;
                assert_true(own <= 3 * others + 3); // every second choice, and its turn among the two
            }
            if (!t.b.o.busy && spent > 2)
                assert_int_equal(t.b.o.threads, 48);
        }
        table_complete(&t, full, partial);
        assert_int_equal(t.b.o.partial, PARTIAL_READY);
        assert_int_equal(t.high[10], 3 * 6 * 2);
        assert_int_equal(t.high[13], 3 * 5 * 1);
        assert_int_equal(t.ram[Q * 128 + THREADS], 128);
        assert_int_equal(t.ram[THREADS], 48);
    }
}
