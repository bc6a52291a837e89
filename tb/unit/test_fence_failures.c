// SPDX-License-Identifier: Apache-2.0
//
// totem_fence: fence writes that fail, of the present mapping and of earlier ones (docs/contract/fence.md).

#include "fence_bench.h"

TEST(fence_write_that_fails)
{
    for (uint8_t error = 1; error <= 3; error++) {
        entry_bench t;
        open_bench(&t);
        load(&t, 2, true);
        message(&t, 2, 0x9876543214, 1, 2, 5, 6);
        until(&t, &t.b.o->fence.write_valid);
        clocks(&t, 2);
        fence_answer(&t, 2, 0, error);
        assert_true(t.b.o->failure.halt);
        assert_int_equal(t.b.o->failure.halt_queue, 2);
        clock_edge(&t);
        assert_false(t.b.o->failure.halt); // one clock
        until(&t, &t.b.o->fence.error_valid);
        assert_int_equal(t.b.o->fence.error_word, 0x9876543214u | 2ull << 48 | (uint64_t)(0x64u + error) << 56);
        clock_edge(&t);
        assert_int_equal(t.b.o->fence.error_word, 0x76543214);
        assert_false(t.b.o->epoch.flushed[2]);
        clocks(&t, 2);
        assert_true(t.b.o->epoch.flushed[2]); // its epoch counts as done, without its interrupt
        for (unsigned n = 0; n < 5; n++, clock_edge(&t))
            assert_false(t.b.o->fence.interrupt_valid || t.b.o->fence.error_valid);
    }
}

// Of two fences of slot 2, at 0x1000 and 0x2000, the first is with memory.
static void two_fences(entry_bench *t)
{
    open_bench(t);
    load(t, 2, true);
    message(t, 2, 0x1000, 1, 2, 5, 6);
    until(t, &t->b.o->fence.write_valid);
    message(t, 2, 0x2000, 1, 2, 5, 6);
    clocks(t, 3);
}

static void expect_time_out(entry_bench *t, uint8_t queue, uint64_t address)
{
    until(t, &t->b.o->fence.error_valid);
    assert_int_equal(t->b.o->fence.error_word, address | (uint64_t)queue << 48 | 0x67ull << 56);
    clocks(t, 2);
}

// Fences behind one that is never answered are not tried: each would take an ID that all queues share. Pairs of
// record's are, and so is a fence behind RESUME, SKIP, of a new mapping, and of another queue.
TEST(fence_without_an_answer_is_the_last)
{
    enum { RESUMED, SKIPPED, MAPPED, PAIR, OTHER, WAYS };
    for (unsigned way = 0; way < WAYS; way++) {
        entry_bench t;
        two_fences(&t);
        fence_answer(&t, 2, 0, 3);
        expect_time_out(&t, 2, 0x1000);
        expect_time_out(&t, 2, 0x2000);
        assert_false(t.b.o->fence.write_valid || t.b.o->fence.interrupt_valid);
        message(&t, 2, 0x2800, 0, 2, 0, 9); // no write, an interrupt
        until(&t, &t.b.o->fence.interrupt_valid);
        until(&t, &t.b.o->slot_idle.idle[2]);
        if (way == RESUMED || way == SKIPPED) {
            LOAD_WORD(&t.b, 2, way == RESUMED ? LOAD_RESUME : LOAD_SKIP, 0);
            clock_edge(&t);
        } else if (way == MAPPED) {
            load(&t, 2, false);
            load(&t, 2, true);
        }
        if (way == PAIR)
            pair(&t, 2, 0x3000, 7);
        else
            message(&t, way == OTHER ? 1 : 2, 0x3000, 1, 0, 7, 0);
        writes_at(&t, 0x3000);
    }
}

// The same of a mapping that has gone: what it left is not tried, what the next one closes is, before and after.
TEST(silence_of_an_earlier_mapping)
{
    for (unsigned row = 0; row < 2; row++) {
        entry_bench t;
        two_fences(&t);
        load(&t, 2, false);
        load(&t, 2, true);
        granted(&t, 2, 2, 1);
        message(&t, 2, 0x3000, 1, 0, 7, 0);
        if (row == 0) {
            completed(&t, 2, 2);
            writes_at(&t, 0x3000);
            clocks(&t, 2);
            fence_answer(&t, 2, 2, 0);
        }
        fence_answer(&t, 2, 0, 3);
        assert_false(t.b.o->failure.halt);
        expect_time_out(&t, 2, 0x1000);
        expect_time_out(&t, 2, 0x2000);
        if (row == 1) {
            completed(&t, 2, 2);
            writes_at(&t, 0x3000);
        }
    }
}

// A fence of an earlier mapping without an answer silences neither the present mapping nor another earlier one; and one
// of the present mapping no earlier one.
TEST(silence_is_of_one_mapping)
{
    for (uint8_t silent = 0; silent < 3; silent++) {
        entry_bench t;
        open_bench(&t);
        for (uint8_t m = 0; m < 3; m++) { // each has a fence with memory
            load(&t, 2, true);
            message(&t, 2, 0x1000 * (m + 1u), 1, 0, 5, 0);
            writes_at(&t, 0x1000 * (m + 1u));
            clocks(&t, 2);
        }
        fence_answer(&t, 2, silent, 3);
        assert_int_equal(t.b.o->failure.halt, silent == 2);
        expect_time_out(&t, 2, 0x1000 * (silent + 1u));
        for (uint8_t m = 0; m < 3; m++)
            if (m != silent)
                fence_answer(&t, 2, m, 0);
        clocks(&t, 8);
        message(&t, 2, 0x4000, 1, 0, 5, 0); // of the present one
        if (silent == 2)
            expect_time_out(&t, 2, 0x4000);
        else
            writes_at(&t, 0x4000);
    }
}

TEST(fence_of_an_earlier_mapping)
{
    entry_bench t;
    open_bench(&t);
    load(&t, 1, true);
    message(&t, 1, 0x1000, 1, 0, 5, 0);
    until(&t, &t.b.o->fence.write_valid);
    load(&t, 1, false);
    load(&t, 1, true);
    assert_true(t.b.o->slot_idle.settled[1] && t.b.o->epoch.flushed[1] && !t.b.o->slot_idle.idle[1]);
    fence_answer(&t, 1, 0, 1);
    assert_false(t.b.o->failure.halt);
    until(&t, &t.b.o->fence.error_valid);
    assert_int_equal(t.b.o->fence.error_word, 0x1000 | 1ull << 48 | 0x65ull << 56);
    until(&t, &t.b.o->slot_idle.idle[1]);
}
