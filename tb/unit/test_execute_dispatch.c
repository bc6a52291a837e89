// SPDX-License-Identifier: Apache-2.0
//
// totem_execute with totem_decode: dispatches, and grids that are recalled and go on (docs/contract/execute.md).

#include "execute_bench.h"

static const uint32_t dispatch[] = {HEADER(DISPATCH, 4), 0x12345678, 0x9abc, 0xdef0, 0x00000041};

static void dispatch_starts(void **state)
{
    (void)state;
    for (unsigned at_zero = 0; at_zero < 2; at_zero++) {
        uint32_t      words[5];
        execute_bench t;
        memcpy(words, dispatch, sizeof words);
        words[4] |= at_zero ? 4 : 0;
        open_bench(&t);
        offer(&t, words, 5);
        quiet_until(&t, 8); // the last dword is taken in 6
        assert_true(t.b.o.bank_write);
        assert_int_equal(t.b.o.bank_offset, 0); // DISPATCH_INITIATOR
        assert_int_equal(t.b.o.bank_data, words[4]);
        clock_edge(&t);
        assert_true(t.b.o.start);
        assert_false(t.b.o.start_resume || t.b.o.bank_write);
        assert_int_equal(t.b.o.start_fresh_at_zero, at_zero);
        assert_int_equal(t.b.o.start_end, 0xdef09abc12345678);
        assert_int_equal(t.b.o.dispatch_waves, 1);
        assert_int_equal(t.b.o.dispatch_threads, 64);
        assert_false(t.b.o.dispatch_wave32);
        assert_int_equal(t.b.o.dispatch_queue, QUEUE);
        assert_int_equal(t.b.o.dispatch_epoch, QUEUE % TOTEM_EPOCHS);
        clock_edge(&t);
        LEVEL(&t.b, walker_busy, true);
        quiet_until(&t, 30);
        LEVEL(&t.b, walker_busy, false);
        clock_edge(&t);
        committed(&t, 5, false);
        assert_int_equal(t.b.o.executed_opcode, DISPATCH);
    }
}

static void waves_of_a_group(void **state)
{
    static const struct {
        uint16_t threads;
        bool     wave32;
        uint8_t  waves, last;
    } rows[] = {{1, 0, 1, 1}, {63, 0, 1, 63}, {64, 0, 1, 64}, {65, 0, 2, 1}, {1000, 0, 16, 40}, {1024, 0, 16, 64},
                {1, 1, 1, 1}, {31, 1, 1, 31}, {32, 1, 1, 32}, {33, 1, 2, 1}, {500, 1, 16, 20},  {512, 1, 16, 32}};
    (void)state;
    for (unsigned n = 0; n < sizeof rows / sizeof *rows; n++) {
        const uint32_t words[] = {dispatch[0], 1, 1, 1, rows[n].wave32 ? 0x8001 : 1};
        execute_bench  t;
        open_bench(&t);
        LEVEL(&t.b, bank_threads, rows[n].threads);
        offer(&t, words, 5);
        to_clock(&t, 9);
        assert_true(t.b.o.start);
        assert_int_equal(t.b.o.dispatch_waves, rows[n].waves);
        assert_int_equal(t.b.o.dispatch_threads, rows[n].last);
        assert_int_equal(t.b.o.dispatch_wave32, rows[n].wave32);
    }
}

static void dispatch_waits_for_the_bank(void **state)
{
    execute_bench t;
    (void)state;
    open_bench(&t);
    LEVEL(&t.b, bank_loaded, false);
    LEVEL(&t.b, bank_busy, true);
    LEVEL(&t.b, bank_threads, 0);
    offer(&t, dispatch, 5);
    quiet_until(&t, 15);
    LEVEL(&t.b, bank_loaded, true);
    quiet_until(&t, 20);
    LEVEL(&t.b, bank_busy, false);
    LEVEL(&t.b, bank_threads, 128);
    quiet_until(&t, 22);
    assert_true(t.b.o.start);
    assert_int_equal(t.b.o.dispatch_waves, 2);
}

// What an empty engine can hold starts, one more is an error.
static void group_and_engine(void **state)
{
    static const struct {
        uint16_t threads;
        uint8_t  vgprs;
        uint16_t lds;
        uint32_t word; // 0: it starts
    } rows[] = {
        {64 * TOTEM_SLOTS, 1, 0, 0},
        {64 * TOTEM_SLOTS + 1, 1, 0, TOTEM_SLOTS + 1},
        {TOTEM_VGPRS, 64, 0, 0}, // VGPRS / 64 waves of 64 blocks
        {TOTEM_VGPRS + 1, 64, 0, TOTEM_VGPRS / 64 + 1},
#if TOTEM_LDS < 511
        {64, 1, TOTEM_LDS, 0},
        {64, 1, TOTEM_LDS + 1, 1},
#else
        {64, 1, 511, 0}, // more than its register can say
#endif
    };
    (void)state;
    for (unsigned n = 0; n < sizeof rows / sizeof *rows; n++) {
        execute_bench t;
        open_bench(&t);
        LEVEL(&t.b, bank_threads, rows[n].threads);
        LEVEL(&t.b, bank_vgprs, rows[n].vgprs);
        LEVEL(&t.b, bank_lds, rows[n].lds);
        offer(&t, dispatch, 5);
        if (rows[n].word != 0) {
            halts_with(&t, 9, POSITION, 0x34, rows[n].word);
        } else {
            quiet_until(&t, 9);
            assert_true(t.b.o.start);
        }
    }
    execute_bench t;
    open_bench(&t);
    LEVEL(&t.b, bank_threads, 0);
    offer(&t, dispatch, 5);
    halts_with(&t, 8, POSITION, 0x32, 0);
    open_bench(&t);
    for (unsigned n = 0; n < TOTEM_SE_COUNT; n++)
        LEVEL(&t.b, bank_engines[n], false);
    LEVEL(&t.b, bank_threads, 64 * TOTEM_SLOTS + 1); // no engine comes first
    offer(&t, dispatch, 5);
    halts_with(&t, 9, POSITION, 0x35, 0);
    open_bench(&t);
    for (unsigned n = 0; n + 1 < TOTEM_SE_COUNT; n++)
        LEVEL(&t.b, bank_engines[n], false);
    offer(&t, dispatch, 5); // one is enough
    quiet_until(&t, 9);
    assert_true(t.b.o.start);
}

static void running(execute_bench *t)
{
    open_bench(t);
    offer(t, dispatch, 5);
    to_clock(t, 10);
    LEVEL(&t->b, walker_busy, true);
    to_clock(t, 12);
}

static void leave_recalls_the_grid(void **state)
{
    execute_bench t;
    (void)state;
    running(&t);
    LEVEL(&t.b, arbiter_leave, true);
    clock_edge(&t);
    for (; t.now < 20; clock_edge(&t)) {
        assert_true(t.b.o.stop);
        assert_false(t.b.o.left || t.b.o.bank_save);
    }
    t.b.i.walker_stopped = true;
    clock_edge(&t);
    assert_true(t.b.o.left && t.b.o.bank_save && t.b.o.unfinished[QUEUE]);
    assert_false(t.b.o.stop || t.b.o.commit);
    clock_edge(&t);
    assert_false(t.b.o.left || t.b.o.bank_save);
    assert_true(t.b.o.unfinished[QUEUE]);
}

static void nothing_was_left_to_recall(void **state)
{
    execute_bench t;
    (void)state;
    running(&t);
    LEVEL(&t.b, arbiter_leave, true);
    clock_edge(&t);
    LEVEL(&t.b, walker_busy, false);
    clock_edge(&t);
    assert_true(t.b.o.stop); // until the walker has stopped
    t.b.i.walker_stopped = true;
    clock_edge(&t);
    committed(&t, 5, false);
    assert_false(t.b.o.left || t.b.o.bank_save || t.b.o.unfinished[QUEUE]);
    clock_edge(&t);
    assert_true(t.b.o.left); // the boundary
}

static void last_group_meets_leave(void **state)
{
    execute_bench t;
    (void)state;
    running(&t);
    LEVEL(&t.b, arbiter_leave, true);
    LEVEL(&t.b, walker_busy, false);
    clock_edge(&t);
    committed(&t, 5, false);
    assert_false(t.b.o.stop);
    clock_edge(&t);
    assert_true(t.b.o.left);
    assert_false(t.b.o.unfinished[QUEUE]);
}

static void unmapped_while_it_is_recalled(void **state)
{
    execute_bench t;
    (void)state;
    running(&t); // not active: nothing is kept
    LEVEL(&t.b, arbiter_leave, true);
    clock_edge(&t);
    LEVEL(&t.b, arbiter_active[QUEUE], false);
    t.b.i.walker_stopped = true;
    clock_edge(&t);
    assert_true(t.b.o.left);
    assert_false(t.b.o.bank_save || t.b.o.unfinished[QUEUE] || t.b.o.commit);

    running(&t); // ACTIVE is cleared as STOP ends
    LEVEL(&t.b, arbiter_leave, true);
    clock_edge(&t);
    t.b.i.walker_stopped = true;
    LOAD_WORD(&t.b, QUEUE, LOAD_ACTIVE, 0);
    clock_edge(&t);
    assert_true(t.b.o.left);
    assert_false(t.b.o.unfinished[QUEUE]);
}

static void recalled(execute_bench *t)
{
    running(t);
    t->b.i.arbiter_leave = true;
    clock_edge(t);
    t->b.i.walker_stopped = true;
    clock_edge(t);
    LEVEL(&t->b, walker_busy, false);
    clock_edge(t);
    assert_true(t->b.o.unfinished[QUEUE]);
}

static void unfinished_grid_goes_on(void **state)
{
    static const uint32_t words[] = {0, 0, 0}; // what fetch has read again is not looked at
    execute_bench         t;
    (void)state;
    recalled(&t);
    LEVEL(&t.b, bank_loaded, false);
    LEVEL(&t.b, bank_initiator, 0x8045);
    LEVEL(&t.b, bank_threads, 33);
    go(&t);
    offer(&t, words, 3);
    quiet_until(&t, 9);
    LEVEL(&t.b, bank_loaded, true);
    LEVEL(&t.b, bank_busy, true);
    quiet_until(&t, 11);
    LEVEL(&t.b, bank_busy, false);
    for (; t.now < 14; clock_edge(&t)) // RESUME, EXECUTE, FIT
        assert_false(t.b.o.bank_write || t.b.o.start);
    assert_true(t.b.o.start && t.b.o.start_resume && t.b.o.start_fresh_at_zero && t.b.o.dispatch_wave32);
    assert_int_equal(t.b.o.dispatch_waves, 2);
    assert_int_equal(t.b.o.dispatch_threads, 1);
    assert_true(t.b.o.unfinished[QUEUE]);
    clock_edge(&t);
    assert_false(t.b.o.unfinished[QUEUE]);
    LEVEL(&t.b, walker_busy, true);
    quiet_until(&t, 20);
    assert_false(t.b.d_o.dword_ready); // nobody has taken one
    t.left = 0;
    LEVEL(&t.b, walker_busy, false);
    clock_edge(&t);
    committed(&t, 5, false);
    assert_int_equal(t.b.o.executed_opcode, DISPATCH);
    clock_edge(&t); // forgotten
    assert_int_equal(t.b.d.dwords.count, 0);
    offer(&t, dispatch, 1);
    clock_edge(&t);
    clock_edge(&t);
    assert_int_equal(t.b.d.header, dispatch[0]);
}

static void leave_before_the_grid_goes_on(void **state)
{
    execute_bench t;
    (void)state;
    recalled(&t);
    go(&t);
    t.b.i.arbiter_leave = true; // and the bank is loaded
    clock_edge(&t);
    assert_true(t.b.o.left && t.b.o.unfinished[QUEUE]);
}

// PARTIAL_TG_EN waits for the table of partial groups, gives way meanwhile, and looks at what it says.
static void partial_groups(void **state)
{
    static execute_bench  t;
    static const uint32_t words[] = {HEADER(DISPATCH, 4), 2, 3, 4, 0x07};
    (void)state;
    open_bench(&t);
    offer(&t, words, 5);
    quiet_until(&t, 40); // bank_partial is 0
    LEVEL(&t.b, bank_partial, 1);
    while (!t.b.o.start)
        clock_edge(&t);
    assert_int_equal(t.now, 42);
    assert_true(t.b.o.start_partial && t.b.o.start_fresh_at_zero);

    open_bench(&t);
    offer(&t, words, 5);
    quiet_until(&t, 40);
    LEVEL(&t.b, arbiter_leave, true);
    clock_edge(&t);
    assert_true(t.b.o.left);
    assert_false(t.b.o.unfinished[QUEUE] || t.b.o.halted[QUEUE] || t.b.o.commit);

    for (uint8_t n = 2; n < 4; n++) {
        open_bench(&t);
        LEVEL(&t.b, bank_partial, n);
        offer(&t, words, 5);
        halts_with(&t, 8, POSITION, n == 2 ? 0x32 : 0x39, n == 2);
    }

    static const uint32_t full[] = {HEADER(DISPATCH, 4), 2, 3, 4, 0x05};
    open_bench(&t);
    offer(&t, full, 5); // without the bit nothing waits
    while (!t.b.o.start)
        clock_edge(&t);
    assert_false(t.b.o.start_partial);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(partial_groups),
        cmocka_unit_test(dispatch_starts),
        cmocka_unit_test(waves_of_a_group),
        cmocka_unit_test(dispatch_waits_for_the_bank),
        cmocka_unit_test(group_and_engine),
        cmocka_unit_test(leave_recalls_the_grid),
        cmocka_unit_test(nothing_was_left_to_recall),
        cmocka_unit_test(last_group_meets_leave),
        cmocka_unit_test(unmapped_while_it_is_recalled),
        cmocka_unit_test(unfinished_grid_goes_on),
        cmocka_unit_test(leave_before_the_grid_goes_on),
    };

    return cmocka_run_group_tests_name("execute_dispatch", tests, NULL, NULL);
}
