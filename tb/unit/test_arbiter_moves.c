// SPDX-License-Identifier: Apache-2.0
//
// totem_arbiter: the sources' switch, which moves a queue's state through memory (docs/contract/arbiter.md).

#include "arbiter_bench.h"

static void moved(bench *b, uint8_t queue, uint64_t data)
{
    load(b, LOAD_MOVED, queue, data);
    tick(b);
}

// Queue 0 has left, queue 1 has been chosen, and the save of queue 0 is asked for.
static void saving(bench *b)
{
    two_equals(b, 0);
    LEVEL(b, settings_mqd_save, true);
    ticks(b, 5);
    b->i.packet_left = true;
    tick(b);
    ticks(b, 3);
    assert_int_equal(b->o.move, 1);
    assert_int_equal(b->o.move_queue, 0);
    assert_false(b->o.go || b->o.selected_valid);
}

static void goes_in_four(bench *b, uint8_t queue)
{
    for (unsigned n = 0; n < 3; n++) {
        assert_false(b->o.go);
        assert_int_equal(b->o.move, 0);
        tick(b);
    }
    assert_true(b->o.go);
    assert_int_equal(b->o.selected, queue);
}

static void no_line_needed(void **state)
{
    bench b;
    (void)state;
    fresh(&b);
    map(&b, 1, 5);
    LEVEL(&b, fetch_pending[1], true);
    LEVEL(&b, bank_prepared[1], true);
    ticks(&b, 2);
    assert_false(b.o.ready[1]);
    LEVEL(&b, settings_mqd_save, true);
    tick(&b);
    assert_true(b.o.ready[1]);
    LEVEL(&b, bank_prepared[1], false);
    tick(&b);
    assert_false(b.o.ready[1]);
    LEVEL(&b, bank_prepared[1], true);
    tick(&b);
    assert_true(b.o.ready[1]);
    LEVEL(&b, packet_halted[1], true);
    tick(&b);
    assert_false(b.o.ready[1]);
}

static void switch_through_memory(void **state)
{
    bench b;
    (void)state;
    saving(&b);
    moved(&b, 1, 2); // not the one that is waited for
    b.s.away[1] = false;
    ticks(&b, 50);
    assert_int_equal(b.o.move, 1);
    moved(&b, 0, 2);
    goes_in_four(&b, 1); // it has never been away
    assert_true(b.s.away[0] && !b.s.away[1]);
    tick(&b);
    b.i.packet_left = true;
    tick(&b);
    ticks(&b, 3);
    assert_int_equal(b.o.move, 1);
    assert_int_equal(b.o.move_queue, 1);
    moved(&b, 1, 2);
    ticks(&b, 3);
    assert_int_equal(b.o.move, 2);
    assert_int_equal(b.o.move_queue, 0);
    assert_false(b.o.go);
    LEVEL(&b, bank_prepared[0], false);
    moved(&b, 0, 7);
    ticks(&b, 50); // queue 1 is ready, but nobody is moved while the bank derives
    assert_int_equal(b.o.move, 3);
    assert_int_equal(b.o.move_queue, 0);
    assert_false(b.o.selected_valid);
    LEVEL(&b, bank_prepared[0], true);
    tick(&b);
    goes_in_four(&b, 0);
    assert_int_equal(b.s.turn, 0); // the quantum begins here
    assert_true(!b.s.away[0] && b.s.away[1]);
}

// A load that failed: the queue stays away. A save that failed, or without an MQD: it is not away.
static void moves_that_fail(void **state)
{
    bench b;
    (void)state;
    saving(&b);
    moved(&b, 0, 8);
    assert_false(b.s.away[0]);
    goes_in_four(&b, 1);
    saving(&b);
    moved(&b, 0, 2);
    work(&b, 1, false);
    ticks(&b, 3);
    ticks(&b, 3);
    assert_int_equal(b.o.move, 2); // queue 0 itself comes back
    moved(&b, 0, 10);
    assert_true(b.s.away[0]);
    LEVEL(&b, packet_halted[0], true); // as packet makes of that word
    ticks(&b, 20);
    assert_int_equal(b.o.move, 0);
    assert_false(b.o.selected_valid);
}

static void not_switched(void **state)
{
    bench b;
    (void)state;
    for (unsigned row = 0; row < 3; row++) {
        two_equals(&b, 0);
        LEVEL(&b, settings_mqd_save, row != 2);
        ticks(&b, 5);
        if (row == 0)
            work(&b, 1, false); // the same queue again
        else
            work(&b, 0, true);
        LEVEL(&b, hqd_dequeuing[0], row == 1); // saved by its dequeue
        b.i.packet_left = true;
        tick(&b);
        goes_in_four(&b, row == 0 ? 0 : 1);
    }
    // Unmapped meanwhile: nothing to save; mapped anew: not away.
    two_equals(&b, 0);
    LEVEL(&b, settings_mqd_save, true);
    b.s.away[0] = true;
    load(&b, LOAD_ACTIVE, 0, 0);
    tick(&b);
    assert_false(b.s.away[0]);
    b.i.packet_left = true;
    tick(&b);
    goes_in_four(&b, 1);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(no_line_needed),
        cmocka_unit_test(switch_through_memory),
        cmocka_unit_test(moves_that_fail),
        cmocka_unit_test(not_switched),
    };

    return cmocka_run_group_tests_name("arbiter_moves", tests, NULL, NULL);
}
