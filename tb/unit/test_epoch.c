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
    assert_true(t.b.o->epoch.flushed[2] && t.b.o->slot_idle.idle[2]);
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

// Three mappings of a slot, each with waves in its only closed epoch: their epochs are done in any order, and what a
// mapping closes is in order within it.
TEST(mappings_do_not_wait_for_each_other)
{
    static const uint8_t orders[][3] = {{0, 1, 2}, {2, 1, 0}, {1, 2, 0}};
    for (unsigned row = 0; row < COUNT(orders); row++) {
        entry_bench t;
        open_bench(&t);
        for (uint8_t m = 0; m < 3; m++) {
            load(&t, 1, true);
            assert_int_equal(t.b.o->epoch.current[1], m);
            assert_true(t.b.o->epoch.flushed[1] && t.b.o->slot_idle.settled[1]); // nothing of this mapping
            granted(&t, 1, m, 1);
            closed(&t, 1);
            assert_int_equal(t.b.o->epoch.turn[1], (2u << m) - 1);
            assert_false(t.b.o->epoch.flushed[1]);
            load(&t, 1, false);
        }
        for (unsigned n = 0, left = 7; n < 3; n++) {
            completed(&t, 1, orders[row][n]);
            clocks(&t, 3);
            left &= ~(1u << orders[row][n]);
            assert_int_equal(t.b.o->epoch.closed[1], left);
            assert_int_equal(t.b.o->epoch.flushed[1], (left & 4) == 0);
            assert_int_equal(t.b.o->slot_idle.idle[1], left == 0);
        }
    }
}

// A mapping goes round past the epoch that an earlier one holds, as often as it likes, in order.
TEST(held_epoch_is_passed_over)
{
    entry_bench t;
    open_bench(&t);
    mapped_with(&t, 1);
    closed(&t, 1);
    load(&t, 1, false);
    load(&t, 1, true);
    uint8_t epoch = 1;
    for (unsigned n = 0; n < 3 * TOTEM_EPOCHS; n++) {
        assert_true(t.b.o->epoch.room[1]);
        assert_int_equal(t.b.o->epoch.current[1], epoch);
        const uint8_t next = epoch == TOTEM_EPOCHS - 1 ? 1 : (uint8_t)(epoch + 1);
        granted(&t, 1, epoch, 1);
        closed(&t, 1);
        closed(&t, 1); // nothing of its own, and it waits for the one before
        clocks(&t, 8);
        assert_int_equal(t.b.o->epoch.closed[1], 1u | 1u << epoch | 1u << next);
        assert_int_equal(t.b.o->epoch.turn[1], 1u | 1u << epoch);
        completed(&t, 1, epoch);
        clocks(&t, 8);
        assert_int_equal(t.b.o->epoch.closed[1], 1);
        epoch = next == TOTEM_EPOCHS - 1 ? 1 : (uint8_t)(next + 1);
    }
    completed(&t, 1, 0);
    clocks(&t, 3);
    assert_int_equal(t.b.o->epoch.closed[1], 0);
}

// A mapping needs two free epochs; the current one counts if nothing is in flight in it.
TEST(two_epochs_for_a_mapping)
{
    for (unsigned left = 0; left < 2; left++) { // in the current epoch
        entry_bench t;
        open_bench(&t);
        load(&t, 1, true);
        for (uint8_t e = 0; e + 1 < TOTEM_EPOCHS; e++) {
            assert_int_equal(t.b.o->slot_idle.spare[1], TOTEM_EPOCHS - e >= 2);
            granted(&t, 1, e, 1);
            assert_int_equal(t.b.o->slot_idle.spare[1], TOTEM_EPOCHS - e - 1 >= 2);
            if (e + 2 < TOTEM_EPOCHS || !left)
                closed(&t, 1);
        }
        assert_false(t.b.o->slot_idle.spare[1]);
        assert_int_equal(t.b.o->epoch.room[1], left); // one is free, and no more
        load(&t, 1, false);
        assert_false(t.b.o->slot_idle.spare[1]);
        completed(&t, 1, 0);
        until(&t, &t.b.o->slot_idle.spare[1]);
    }
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
    assert_int_equal(t.b.o->epoch.closed[0], 2);
    assert_int_equal(t.b.o->epoch.current[0], 2);
}

TEST(mapping_with_nothing_left)
{
    entry_bench t;
    open_bench(&t);
    load(&t, 1, true);
    assert_int_equal(t.b.o->epoch.current[1], 0); // nothing to close
    assert_true(t.b.o->slot_idle.settled[1] && t.b.o->epoch.flushed[1]);
    LOAD_WORD(&t.b, 1, LOAD_QUEUE_PRIORITY, 0); // other words of the load bus
    clock_edge(&t);
    assert_true(t.b.s.epoch.mapped[1]);
}
