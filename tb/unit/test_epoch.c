// SPDX-License-Identifier: Apache-2.0
//
// totem_epoch: epochs are closed, are done, and make room; their meetings (docs/contract/epoch.md).

#include "fence_bench.h"

// An epoch without message is done 2 clocks after its last completion is counted.
TEST(close_without_message)
{
    entry_bench t;
    open_bench(&t);
    granted(&t, 2, 0, 1);
    closed(&t, 2);
    assert_int_equal(t.b.o->epoch.current[2], 1);
    assert_false(t.b.o->epoch.flushed[2]);
    clocks(&t, 10);
    assert_false(t.b.o->epoch.flushed[2]);
    completed(&t, 2, 0); // counted
    clock_edge(&t);
    assert_false(t.b.o->epoch.flushed[2]);
    clock_edge(&t);
    assert_true(t.b.o->epoch.flushed[2] && t.b.o->settle.idle[2]);
}

TEST(room_for_epochs)
{
    entry_bench t;
    open_bench(&t);
    granted(&t, 0, 0, 1);
    for (unsigned n = 0; n < TOTEM_EPOCHS - 1; n++) {
        assert_true(t.b.o->epoch.room[0]);
        closed(&t, 0);
    }
    assert_false(t.b.o->epoch.room[0]);
    assert_true(t.b.o->epoch.room[1]);
    completed(&t, 0, 0);
    until(&t, &t.b.o->epoch.room[0]);
    until(&t, &t.b.o->epoch.flushed[0]); // the others follow, one after the other
    assert_int_equal(t.b.o->epoch.current[0], TOTEM_EPOCHS - 1);
}

TEST(last_completion_meets_close)
{
    entry_bench t;
    open_bench(&t);
    granted(&t, 0, 0, 1);
    complete(&t, 0, 0);
    closed(&t, 0); // due in this clock
    assert_false(t.b.o->epoch.flushed[0]);
    clocks(&t, 2);
    assert_true(t.b.o->epoch.flushed[0]);
}

TEST(epoch_done_meets_epoch_closed)
{
    entry_bench t;
    open_bench(&t);
    closed(&t, 0);
    clock_edge(&t);
    assert_int_equal(t.b.s.fence.phase, FENCE_DONE); // in this clock
    closed(&t, 0);
    assert_int_equal(t.b.s.epoch.oldest[0], 1);
    assert_int_equal(t.b.o->epoch.current[0], 2);
}

TEST(mapping_with_nothing_left)
{
    entry_bench t;
    open_bench(&t);
    load(&t, 1, true);
    assert_int_equal(t.b.o->epoch.current[1], 0); // nothing to close
    assert_true(t.b.o->settle.settled[1] && t.b.o->epoch.flushed[1]);
    LOAD_WORD(&t.b, 1, LOAD_QUEUE_PRIORITY, 0); // other words of the load bus
    clock_edge(&t);
    assert_true(t.b.s.epoch.mapped[1]);
}
