// SPDX-License-Identifier: Apache-2.0
//
// totem_execute with totem_decode: dispatches with USE_THREAD_DIMENSIONS, whose dimensions go through `divide`
// (docs/contract/execute.md).

#include "execute_bench.h"

enum { IN_THREADS = 0x20, DIVISION = 109 };

static const uint32_t threads[] = {HEADER(DISPATCH, 4), 0xfedcba98, 0x12345, 0xffffffff, 0x41 | IN_THREADS};

static void quotients(execute_bench *t, uint32_t x, uint32_t y, uint32_t z)
{
    LEVEL(&t->b, divide_busy, false);
    LEVEL(&t->b, divide_quotient[0], x);
    LEVEL(&t->b, divide_quotient[1], y);
    LEVEL(&t->b, divide_quotient[2], z);
}

// Up to the clock after the start of the division: `divide` is busy.
static void dividing(execute_bench *t)
{
    offer(t, threads, 5);
    to_clock(t, 11);
    assert_true(t->b.o.divide_start);
    clock_edge(t);
    LEVEL(&t->b, divide_busy, true);
}

// Three dimensions are handed over, one a clock.
static void hands_over(execute_bench *t, const uint32_t *dimensions)
{
    for (unsigned n = 0; n < 3; n++, clock_edge(t)) {
        assert_true(t->b.o.divide_valid && !t->b.o.divide_start);
        assert_int_equal(t->b.o.divide_place, n);
        assert_int_equal(t->b.o.divide_data, dimensions[n]);
    }
    assert_true(t->b.o.divide_start && !t->b.o.divide_valid);
}

// ---- leaving

// The queue is to leave while its division is under way: it does, if that is given up.
static void asked_to_leave(execute_bench *t, bool given_up)
{
    dividing(t);
    LEVEL(&t->b, arbiter_leave, true);
    clock_edge(t);
    assert_int_equal(t->b.o.left, given_up);
    if (!given_up)
        return;
    assert_true(t->b.o.divide_valid && !t->b.o.commit); // the division is given up
    clock_edge(t);
    LEVEL(&t->b, arbiter_leave, false);
    LEVEL(&t->b, divide_busy, false);
}

// Who maps a slot anew owes nothing to the queue before it, nor does one that is unmapped.
TEST(patience_ends_with_the_mapping)
{
    for (unsigned data = 0; data < 2; data++) {
        execute_bench t;
        open_bench(&t);
        asked_to_leave(&t, true);
        t.b.s.patient[LAST] = true;
        LOAD_WORD(&t.b, QUEUE, LOAD_RESUME, 0);
        clock_edge(&t);
        assert_true(t.b.s.patient[QUEUE]); // nothing else does
        LOAD_WORD(&t.b, QUEUE, LOAD_ACTIVE, data);
        clock_edge(&t);
        assert_true(!t.b.s.patient[QUEUE] && t.b.s.patient[LAST]);
        go(&t);
        asked_to_leave(&t, true);
    }
}

// A division is given up for a switch once, the next one of that queue goes to its end, the one behind that may be
// given up again. So with another queue, whatever the first one has.
TEST(division_is_given_up_once)
{
    execute_bench t;
    open_bench(&t);
    for (unsigned round = 0; round < 3; round++) {
        asked_to_leave(&t, true);
        assert_true(t.b.s.patient[QUEUE] && t.b.s.patient[LAST] == (round > 0));

        t.b.i.arbiter_go       = true;
        t.b.i.arbiter_selected = LAST;
        clock_edge(&t);
        asked_to_leave(&t, round == 0);
        if (round > 0) { // its quotient is an error
            quotients(&t, 1, 65536, 1);
            while (!t.b.o.left)
                clock_edge(&t);
            LEVEL(&t.b, arbiter_leave, false);
            clock_edge(&t);
            assert_false(t.b.s.patient[LAST]);
            t.b.s.patient[LAST] = true;
        }

        go(&t);
        asked_to_leave(&t, false);
        for (unsigned n = 1; n < DIVISION; n++, clock_edge(&t))
            assert_false(t.b.o.left || t.b.o.start);
        quotients(&t, 2, 2, 2);
        clock_edge(&t);
        clock_edge(&t);
        assert_true(t.b.o.start && !t.b.s.patient[QUEUE]);
        LEVEL(&t.b, walker_busy, true);
        clock_edge(&t);
        clock_edge(&t);
        assert_true(t.b.o.stop); // and is recalled
        LEVEL(&t.b, walker_busy, false);
        t.b.i.walker_stopped = true;
        clock_edge(&t);
        committed(&t, 5, false);
        clock_edge(&t);
        assert_true(t.b.o.left);
        LEVEL(&t.b, arbiter_leave, false);
        clock_edge(&t);
        go(&t);
    }
}

// To the end of a division that leaves groups which are not whole: NUM_THREAD gets their threads, one a clock.
static void trims(execute_bench *t)
{
    for (uint32_t n = 0; n < 3; n++)
        LEVEL(&t->b, divide_fields[n], 0x10001u * (n + 5));
    LEVEL(&t->b, divide_uneven, true);
    quotients(t, 2, 2, 2);
    clock_edge(t);
    LEVEL(&t->b, bank_partial, PARTIAL_COMPUTING);
    for (uint32_t n = 0; n < 3; n++, clock_edge(t)) {
        assert_true(t->b.o.bank_write);
        assert_int_equal(t->b.o.bank_offset, 7 + n);
        assert_int_equal(t->b.o.bank_data, 0x10001u * (n + 5));
    }
}

// The table is waited for. A queue that is to leave does so there too, once; then the grid is one of partial groups.
TEST(groups_are_trimmed)
{
    execute_bench t;
    open_bench(&t);
    dividing(&t);
    trims(&t);
    for (unsigned n = 0; n < 300; n++, clock_edge(&t))
        assert_false(t.b.o.bank_write || t.b.o.start || t.b.o.left);
    LEVEL(&t.b, arbiter_leave, true);
    LEVEL(&t.b, bank_partial, PARTIAL_READY);
    clock_edge(&t);
    assert_true(t.b.o.left && t.b.s.patient[QUEUE]);
    LEVEL(&t.b, arbiter_leave, false);
    clock_edge(&t);

    go(&t);
    asked_to_leave(&t, false);
    trims(&t);
    clock_edge(&t);
    assert_false(t.b.o.left || t.b.o.bank_write);
    LEVEL(&t.b, bank_partial, PARTIAL_READY);
    clock_edge(&t);
    assert_true(t.b.o.bank_write && t.b.o.bank_offset == 0 && !t.b.s.patient[QUEUE]);
    assert_int_equal(t.b.o.bank_data, 0x43 | IN_THREADS);
    clock_edge(&t);
    assert_true(t.b.o.start && t.b.o.start_partial);
    assert_int_equal(t.b.o.start_end, 2ull << 48 | 2ull << 32 | 2);
}

// Dimensions out of memory are handed over when they have been read.
TEST(indirect_dimensions_are_divided)
{
    static const uint32_t words[] = {HEADER(DISPATCH_INDIRECT, 3), 0x100, 0, 0x41 | IN_THREADS};
    static const uint32_t grid[]  = {0x12345678, 70000, 0x80000001};
    execute_bench         t;
    begin(&t, words, 4);
    quiet_until(&t, 7);
    for (unsigned n = 0; n < 3; n++)
        answer_read(&t, 0x100 + 4 * n, grid[n], 0);
    clock_edge(&t);
    clock_edge(&t);
    hands_over(&t, grid);
    quotients(&t, 9, 8, 7);
    starts_within(&t, 5);
    assert_int_equal(t.b.o.start_end, 7ull << 48 | 8ull << 32 | 9);
}
