// SPDX-License-Identifier: Apache-2.0
//
// totem_execute with totem_decode: leaving meets packets, halts, the sources' switch (docs/contract/execute.md).

#include "execute_bench.h"

// ---- halts

typedef enum { BY_FENCE, BY_POLL, BY_FETCH, BY_UNMAPPING } halt_source;

// A failure of that queue, by whoever reports it.
static void halt(execute_bench *t, halt_source source, uint8_t queue)
{
    if (source == BY_POLL) {
        t->b.i.poll_halt       = true;
        t->b.i.poll_halt_queue = queue;
    } else if (source == BY_FETCH) {
        t->b.i.fetch_halt       = true;
        t->b.i.fetch_halt_queue = queue;
    } else {
        t->b.i.fence_halt       = true;
        t->b.i.fence_halt_queue = queue;
    }
}

static void load(execute_bench *t, uint8_t queue, unsigned kind, uint64_t data)
{
    LOAD_WORD(&t->b, queue, kind, data);
    clock_edge(t);
}

// RESUME, SKIP and a mapping end a halt, other words and those of another queue do not; nor do RESUME and SKIP in the
// clock of the halt, which the host has not seen yet.
TEST(halts)
{
    for (halt_source source = BY_FENCE; source <= BY_FETCH; source++) {
        execute_bench t;
        open_bench(&t);
        for (unsigned kind = LOAD_ACTIVE; kind <= LOAD_SKIP; kind++)
            for (unsigned data = 0; data < 2; data++) {
                const bool host = kind == LOAD_RESUME || kind == LOAD_SKIP, mapping = kind == LOAD_ACTIVE && data == 1;
                halt(&t, source, LAST);
                clock_edge(&t);
                load(&t, 0, kind, data);
                assert_true(t.b.o.halted[LAST]);
                load(&t, LAST, kind, data);
                assert_int_equal(t.b.o.halted[LAST], !host && !mapping);
                halt(&t, source, LAST);
                load(&t, LAST, kind, data);
                assert_true(t.b.o.halted[LAST] || mapping);
            }
        halt(&t, source, LAST); // one of each, of two queues
        halt(&t, (halt_source)((source + 1) % 3), 0);
        clock_edge(&t);
        assert_true(t.b.o.halted[LAST] && t.b.o.halted[0]);
    }
}

// The sources' switch: a grid comes back from memory unless it has been dropped meanwhile; a failure halts.
TEST(moved)
{
    execute_bench t;
    open_bench(&t);
    for (unsigned kept = 0; kept < 2; kept++)
        for (uint64_t data = 0; data < 16; data++) {
            t.b.s.unfinished[LAST] = kept;
            t.b.s.halted[LAST]     = false;
            t.b.s.closed[LAST] = t.b.s.skip[LAST] = true;
            load(&t, LAST, LOAD_MOVED, data);
            assert_int_equal(t.b.o.unfinished[LAST], kept && ((data & 1) == 0 || (data & 4) != 0));
            assert_int_equal(t.b.o.halted[LAST], (data & 8) != 0);
            assert_true(t.b.s.closed[LAST] && t.b.s.skip[LAST]);
        }
}

// ---- a cut between two dwords of a WRITE_DATA to memory stops it there

// The clocks in which its dwords begin.
enum { DWORDS = 3, FIRST_DWORD = 6, DWORD_CLOCKS = 3, DONE = FIRST_DWORD + DWORDS * DWORD_CLOCKS };

static const uint32_t write_data[] = {HEADER(WRITE_DATA, 6), 0x500, 0x1000, 0, 7, 8, 9};

// Writes that begin until the packet has ended. Stopped in clock `clock`, by a halt or by the loss of its mapping.
static unsigned writes_of_a_stopped_packet(execute_bench *t, unsigned clock, halt_source source)
{
    unsigned count = 0;
    while (!t->b.o.left && !t->b.o.commit) {
        if (t->now == clock && source != BY_UNMAPPING)
            halt(t, source, QUEUE);
        else if (t->now == clock)
            LEVEL(&t->b, arbiter_active[QUEUE], false);
        clock_edge(t);
        count += t->b.o.fence_write;
        assert_true(t->now <= DONE);
        assert_true(t->b.o.write_valid == (t->b.s.phase == EXECUTE_WRITE));
    }
    return count;
}

TEST(write_data_is_cut)
{
    for (halt_source source = BY_FENCE; source <= BY_UNMAPPING; source++)
        for (unsigned clock = 3; clock < DONE; clock++) {
            const unsigned first    = source == BY_UNMAPPING ? clock : clock + 1; // clock in which the packet sees it
            unsigned       expected = 0;
            execute_bench  t;
            while (expected < DWORDS && FIRST_DWORD + expected * DWORD_CLOCKS < first)
                expected++;
            begin(&t, write_data, 7);
            const unsigned count = writes_of_a_stopped_packet(&t, clock, source);
            if (count != expected)
                fail_msg("source %d, clock %u: %u writes, not %u", source, clock, count, expected);
            assert_int_equal(t.b.o.commit, expected == DWORDS);
            assert_int_equal(t.now, FIRST_DWORD + expected * DWORD_CLOCKS + (expected < DWORDS));
            if (expected == DWORDS)
                continue;
            assert_true(t.b.o.left && !t.b.o.executed && !t.b.o.error_valid); // the read pointer stays on it
            clock_edge(&t);
            assert_int_equal(t.b.s.phase, EXECUTE_IDLE);
            assert_int_equal(t.b.d.dwords.count, 0);
        }
}

// A register is no write that can fail.
TEST(priority_write_is_not_cut)
{
    const uint32_t own = 0x4006 + 0x40 * QUEUE, words[] = {HEADER(WRITE_DATA, 6), 1u << 16, own, 0, 1, 2, 3};
    execute_bench  t;
    unsigned       count = 0;
    begin(&t, words, 7);
    to_clock(&t, 4);
    halt(&t, BY_FENCE, QUEUE);
    LEVEL(&t.b, arbiter_active[QUEUE], false);
    for (; t.now < DONE; clock_edge(&t))
        count += t.b.o.priority_write;
    committed(&t, 7, false);
    assert_int_equal(count, 3);
}
