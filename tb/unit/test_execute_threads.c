// SPDX-License-Identifier: Apache-2.0
//
// totem_execute with totem_decode: dispatches with USE_THREAD_DIMENSIONS, whose dimensions go through `divide`
// (docs/contract/execute.md).

#include "execute_bench.h"

enum { IN_THREADS = 0x20, GRID_RANGE = 0x33, DIVISION = 109 };

static const uint32_t threads[] = {HEADER(DISPATCH, 4), 0xfedcba98, 0x12345, 0xffffffff, 0x41 | IN_THREADS};

static void quotients(execute_bench *t, uint32_t x, uint32_t y, uint32_t z)
{
    LEVEL(&t->b, divide_quotient[0], x);
    LEVEL(&t->b, divide_quotient[1], y);
    LEVEL(&t->b, divide_quotient[2], z);
}

// Up to the clock after the start of the division: `divide` is busy.
static void dividing(execute_bench *t, const uint32_t *words)
{
    offer(t, words, 5);
    to_clock(t, 11);
    assert_true(t->b.o.divide_start);
    clock_edge(t);
    LEVEL(&t->b, divide_busy, true);
}

// The dimensions are handed over behind the last dword, divided, and the quotients are the grid.
static void dimensions_are_divided(void **state)
{
    execute_bench t;
    (void)state;
    open_bench(&t);
    offer(&t, threads, 5);
    for (; t.now < 11; clock_edge(&t)) {
        const bool dimension = t.now >= 8;
        assert_int_equal(t.b.o.divide_valid, dimension);
        assert_false(t.b.o.divide_start);
        if (dimension) {
            assert_int_equal(t.b.o.divide_place, t.now - 8);
            assert_int_equal(t.b.o.divide_data, threads[t.now - 7]);
        }
    }
    assert_true(t.b.o.divide_start);
    clock_edge(&t);
    LEVEL(&t.b, divide_busy, true);
    for (unsigned n = 1; n < DIVISION; n++, clock_edge(&t))
        assert_false(t.b.o.divide_start || t.b.o.divide_valid || t.b.o.start || t.b.o.error_valid || t.b.o.bank_write);
    LEVEL(&t.b, divide_busy, false);
    quotients(&t, 0x89abcdef, 65535, 0xfedc);
    clock_edge(&t);
    assert_true(t.b.o.bank_write);
    assert_int_equal(t.b.o.bank_data, threads[4]);
    clock_edge(&t);
    assert_true(t.b.o.start && !t.b.o.start_resume);
    assert_int_equal(t.b.o.start_end, 0xfedcffff89abcdef);
    LEVEL(&t.b, walker_busy, true);
    clock_edge(&t);
    clock_edge(&t);
    LEVEL(&t.b, walker_busy, false);
    clock_edge(&t);
    committed(&t, 5, false);
}

// Work-groups beyond 65535 are an error, threads are not.
static void quotient_too_large(void **state)
{
    static const struct {
        uint32_t y, z, word;
    } rows[] = {
        {65536, 1, 65536}, {1, 65536, 65536}, {0x10000000, 0x20000000, 0x10000000}, {65535, 0xffffffff, 0xffffffff}};
    (void)state;
    for (unsigned n = 0; n < sizeof rows / sizeof *rows; n++) {
        execute_bench t;
        open_bench(&t);
        dividing(&t, threads);
        clock_edge(&t);
        LEVEL(&t.b, divide_busy, false);
        quotients(&t, 0xffffffff, rows[n].y, rows[n].z);
        clock_edge(&t);
        t.now = 0;
        halts_with(&t, 0, POSITION, GRID_RANGE, rows[n].word);
    }
}

// Threads of the group are waited for, then partial groups, then the division begins.
static void division_waits_for_the_bank(void **state)
{
    static const uint32_t words[] = {HEADER(DISPATCH, 4), 1, 2, 3, 3 | IN_THREADS};
    execute_bench         t;
    (void)state;
    open_bench(&t);
    LEVEL(&t.b, bank_busy, true);
    LEVEL(&t.b, bank_partial, 0);
    offer(&t, words, 5);
    for (; t.now < 20; clock_edge(&t))
        assert_false(t.b.o.divide_start);
    LEVEL(&t.b, bank_busy, false);
    for (; t.now < 30; clock_edge(&t))
        assert_false(t.b.o.divide_start || t.b.o.left);
    LEVEL(&t.b, bank_partial, 1);
    for (clock_edge(&t); t.b.o.divide_valid; clock_edge(&t))
        assert_false(t.b.o.divide_start);
    assert_int_equal(t.now, 34);
    assert_true(t.b.o.divide_start && t.b.o.start_partial);
}

// Who maps a slot anew owes nothing to the queue before it, nor does one that is unmapped.
static void patience_ends_with_the_mapping(void **state)
{
    (void)state;
    for (unsigned data = 0; data < 2; data++) {
        execute_bench t;
        open_bench(&t);
        dividing(&t, threads);
        LEVEL(&t.b, arbiter_leave, true);
        clock_edge(&t);
        clock_edge(&t);
        LEVEL(&t.b, arbiter_leave, false);
        LEVEL(&t.b, divide_busy, false);
        t.b.s.patient[LAST] = true;
        assert_true(t.b.s.patient[QUEUE]);
        LOAD_WORD(&t.b, QUEUE, LOAD_RESUME, 0);
        clock_edge(&t);
        assert_true(t.b.s.patient[QUEUE]); // nothing else does
        LOAD_WORD(&t.b, QUEUE, LOAD_ACTIVE, data);
        clock_edge(&t);
        assert_false(t.b.s.patient[QUEUE]);
        assert_true(t.b.s.patient[LAST]);
        go(&t);
        dividing(&t, threads);
        LEVEL(&t.b, arbiter_leave, true);
        clock_edge(&t);
        assert_true(t.b.o.left);
    }
}

// A division is given up for a switch once, the next one of that queue goes to its end, the one behind that may be given
// up again.
static void division_is_given_up_once(void **state)
{
    execute_bench t;
    (void)state;
    open_bench(&t);
    for (unsigned round = 0; round < 3; round++) {
        dividing(&t, threads);
        LEVEL(&t.b, arbiter_leave, true);
        clock_edge(&t);
        assert_true(t.b.o.left && t.b.o.divide_valid && !t.b.o.commit); // the division is given up
        clock_edge(&t);
        LEVEL(&t.b, arbiter_leave, false);
        LEVEL(&t.b, divide_busy, false);
        assert_true(t.b.s.patient[QUEUE]);

        t.b.i.arbiter_go       = true; // another queue's division is given up as well
        t.b.i.arbiter_selected = LAST;
        clock_edge(&t);
        dividing(&t, threads);
        LEVEL(&t.b, arbiter_leave, true);
        clock_edge(&t);
        assert_int_equal(t.b.o.left, round == 0); // and so it has no more patience than it must
        if (round > 0) {
            LEVEL(&t.b, divide_busy, false);
            quotients(&t, 1, 65536, 1);
            while (!t.b.o.left)
                clock_edge(&t);
            LEVEL(&t.b, arbiter_leave, false);
            clock_edge(&t);
            assert_false(t.b.s.patient[LAST]);
            t.b.s.patient[LAST] = true;
        }
        clock_edge(&t);
        LEVEL(&t.b, arbiter_leave, false);
        LEVEL(&t.b, divide_busy, false);

        go(&t);
        dividing(&t, threads);
        LEVEL(&t.b, arbiter_leave, true);
        for (unsigned n = 1; n < DIVISION; n++, clock_edge(&t))
            assert_false(t.b.o.left || t.b.o.start);
        LEVEL(&t.b, divide_busy, false);
        quotients(&t, 2, 2, 2);
        clock_edge(&t);
        clock_edge(&t);
        assert_true(t.b.o.start);
        assert_false(t.b.s.patient[QUEUE]);
        LEVEL(&t.b, walker_busy, true);
        clock_edge(&t);
        clock_edge(&t);
        assert_true(t.b.o.stop); // and is recalled
        LEVEL(&t.b, walker_busy, false);
        t.b.i.walker_stopped = true;
        clock_edge(&t);
        committed(&t, 5, false);
        while (!t.b.o.left)
            clock_edge(&t);
        LEVEL(&t.b, arbiter_leave, false);
        clock_edge(&t);
        go(&t);
    }
}

// A grid that is taken up again has its dimensions in groups.
static void resumed_grid_is_not_divided(void **state)
{
    execute_bench t;
    (void)state;
    open_bench(&t);
    dividing(&t, threads);
    LEVEL(&t.b, divide_busy, false);
    quotients(&t, 5, 6, 7);
    clock_edge(&t);
    clock_edge(&t);
    assert_true(t.b.o.start);
    LEVEL(&t.b, walker_busy, true);
    clock_edge(&t);
    t.b.i.arbiter_leave = true;
    clock_edge(&t);
    t.b.i.walker_stopped = true;
    clock_edge(&t);
    assert_true(t.b.o.bank_save && t.b.o.left);
    LEVEL(&t.b, walker_busy, false);
    clock_edge(&t);
    LEVEL(&t.b, bank_initiator, threads[4]);
    go(&t);
    for (t.now = 0; !t.b.o.start; clock_edge(&t)) {
        assert_true(t.now < 4);
        assert_false(t.b.o.divide_start);
    }
    assert_true(t.b.o.start_resume);
}

// Dimensions out of memory are handed over when they have been read.
static void indirect_dimensions_are_divided(void **state)
{
    static const uint32_t words[] = {HEADER(DISPATCH_INDIRECT, 3), 0x100, 0, 0x41 | IN_THREADS};
    static const uint32_t grid[]  = {0x12345678, 70000, 0x80000001};
    execute_bench         t;
    (void)state;
    open_bench(&t);
    offer(&t, words, 4);
    for (unsigned n = 0; n < 3; n++) {
        while (!t.b.o.poll_valid)
            clock_edge(&t);
        assert_int_equal(t.b.o.poll_addr, 0x100 + 4 * n - 4 * (n % 2));
        clock_edge(&t);
        t.b.i.poll_data_valid = true;
        t.b.i.data_word       = (uint64_t)grid[n] << (n % 2 * 32) | 0xaaull << (n % 2 ? 0 : 32);
        clock_edge(&t);
    }
    clock_edge(&t);
    clock_edge(&t);
    for (unsigned n = 0; n < 3; n++, clock_edge(&t)) {
        assert_true(t.b.o.divide_valid);
        assert_int_equal(t.b.o.divide_place, n);
        assert_int_equal(t.b.o.divide_data, grid[n]);
    }
    assert_true(t.b.o.divide_start);
    quotients(&t, 9, 8, 7);
    while (!t.b.o.start)
        clock_edge(&t);
    assert_int_equal(t.b.o.start_end, 7ull << 48 | 8ull << 32 | 9);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(dimensions_are_divided),          cmocka_unit_test(quotient_too_large),
        cmocka_unit_test(division_waits_for_the_bank),     cmocka_unit_test(division_is_given_up_once),
        cmocka_unit_test(patience_ends_with_the_mapping),  cmocka_unit_test(resumed_grid_is_not_divided),
        cmocka_unit_test(indirect_dimensions_are_divided),
    };
    return cmocka_run_group_tests_name("execute_threads", tests, NULL, NULL);
}
