// SPDX-License-Identifier: Apache-2.0
//
// totem_fence: fence writes that fail, of the present mapping and of earlier ones (docs/contract/fence.md).

#include "fence_bench.h"

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
