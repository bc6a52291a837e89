// SPDX-License-Identifier: Apache-2.0
//
// totem_epoch: epochs are closed, are done, and make room; their meetings (docs/contract/epoch.md).

#include "fence_bench.h"

// An epoch without message is done 2 clocks after its last completion is counted.
static void close_without_message(void **state)
{
    entry_bench t;
    (void)state;
    open_bench(&t);
    grant(&t, 2, 0, 1);
    clock_edge(&t);
    close_epoch(&t, 2);
    clock_edge(&t);
    assert_int_equal(t.b.o.epoch.current[2], 1);
    assert_false(t.b.o.epoch.flushed[2]);
    clocks(&t, 10);
    assert_false(t.b.o.epoch.flushed[2]);
    complete(&t, 2, 0);
    clock_edge(&t); // counted
    clock_edge(&t);
    assert_false(t.b.o.epoch.flushed[2]);
    clock_edge(&t);
    assert_true(t.b.o.epoch.flushed[2] && t.b.o.settle.idle[2]);
}

static void room_for_epochs(void **state)
{
    entry_bench t;
    (void)state;
    open_bench(&t);
    grant(&t, 0, 0, 1);
    clock_edge(&t);
    for (unsigned n = 0; n < TOTEM_EPOCHS - 1; n++) {
        assert_true(t.b.o.epoch.room[0]);
        close_epoch(&t, 0);
        clock_edge(&t);
    }
    assert_false(t.b.o.epoch.room[0]);
    assert_true(t.b.o.epoch.room[1]);
    complete(&t, 0, 0);
    clock_edge(&t);
    until(&t, &t.b.o.epoch.room[0]);
    until(&t, &t.b.o.epoch.flushed[0]); // the others follow, one after the other
    assert_int_equal(t.b.o.epoch.current[0], TOTEM_EPOCHS - 1);
}

static void last_completion_meets_close(void **state)
{
    entry_bench t;
    (void)state;
    open_bench(&t);
    grant(&t, 0, 0, 1);
    clock_edge(&t);
    complete(&t, 0, 0);
    close_epoch(&t, 0);
    clock_edge(&t); // due in this clock
    assert_false(t.b.o.epoch.flushed[0]);
    clocks(&t, 2);
    assert_true(t.b.o.epoch.flushed[0]);
}

static void epoch_done_meets_epoch_closed(void **state)
{
    entry_bench t;
    (void)state;
    open_bench(&t);
    close_epoch(&t, 0);
    clock_edge(&t);
    clock_edge(&t);
    assert_int_equal(t.b.s.fence.phase, FENCE_DONE); // in this clock
    close_epoch(&t, 0);
    clock_edge(&t);
    assert_int_equal(t.b.s.epoch.oldest[0], 1);
    assert_int_equal(t.b.o.epoch.current[0], 2);
}

static void mapping_with_nothing_left(void **state)
{
    entry_bench t;
    (void)state;
    open_bench(&t);
    load(&t, 1, true);
    assert_int_equal(t.b.o.epoch.current[1], 0); // nothing to close
    assert_true(t.b.o.settle.settled[1] && t.b.o.epoch.flushed[1]);
    LOAD_WORD(&t.b, 1, LOAD_QUEUE_PRIORITY, 0); // other words of the load bus
    clock_edge(&t);
    assert_true(t.b.s.epoch.mapped[1]);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(close_without_message),
        cmocka_unit_test(room_for_epochs),
        cmocka_unit_test(last_completion_meets_close),
        cmocka_unit_test(epoch_done_meets_epoch_closed),
        cmocka_unit_test(mapping_with_nothing_left),
    };

    return cmocka_run_group_tests_name("epoch", tests, NULL, NULL);
}
