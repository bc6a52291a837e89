// SPDX-License-Identifier: Apache-2.0
//
// totem_slot_idle: what the slots show, and which one is abandoned (docs/contract/slot_idle.md). What the blocks around
// it do with that is looked at in the tests of epoch and fence.

#include <string.h>

#include "tests.h"

#include "totem_slot_idle.h"

enum { ALL = (1 << TOTEM_EPOCHS) - 1 };

// Every slot is flushed and mapped, and nothing is in flight.
static void rest(totem_slot_idle_in *i)
{
    memset(i, 0, sizeof *i);
    i->fence_free = true;
    for (unsigned q = 0; q < TOTEM_QUEUES; q++) {
        i->flight_empty[q]  = ALL;
        i->epoch_flushed[q] = i->epoch_mapped[q] = true;
        i->epoch_present[q]                      = 1;
    }
}

static totem_slot_idle_out shown(const totem_slot_idle_in *i)
{
    totem_slot_idle_out o;
    totem_slot_idle_outputs(i, &o);
    return o;
}

// Each of what keeps a slot from being idle, alone.
TEST(idle_needs_all)
{
    for (unsigned row = 0; row < 7; row++) {
        totem_slot_idle_in i;
        rest(&i);
        i.epoch_closed[1]     = row == 1 ? 2 : 0;
        i.flight_empty[1]     = row == 2 ? ALL & ~2 : ALL;
        i.epoch_reserved[1]   = row == 3 ? 2 : 0;
        i.failure_waits[1]    = row == 4;
        i.fence_telling[1]    = row == 5;
        i.intake_storing[1]   = row == 6;
        totem_slot_idle_out o = shown(&i);
        assert_int_equal(o.idle[1], row == 0);
        assert_true(o.idle[0] && o.settled[1] && o.quiet[1]); // of this mapping nothing is left
        i.epoch_mapped[1] = false;                            // what a kill of a slot that is not mapped waits for
        assert_int_equal(shown(&i).quiet[1], row == 0);
    }
}

// Two epochs that are neither closed nor reserved and have nothing in flight; the current one is open.
TEST(spare_is_two_free_epochs)
{
    for (unsigned row = 0; row < 6; row++) {
        totem_slot_idle_in i;
        rest(&i);
        i.epoch_current[1]  = 1;
        i.epoch_closed[1]   = row == 5 ? 2 : ALL & ~3 & ~(row == 4 ? 4 : 0);
        i.flight_empty[1]   = row == 1 ? ALL & ~1 : row == 2 || row == 4 ? ALL & ~2 : ALL;
        i.epoch_reserved[1] = row == 3 ? 1 : 0;
        assert_int_equal(shown(&i).spare[1], row == 0 || row == 4);
        assert_true(shown(&i).spare[0]);
    }
}

// Each of what keeps a slot from being abandoned, alone; the lowest that can go goes.
TEST(abandoned_is_the_lowest_that_can_go)
{
    for (unsigned row = 0; row < 12; row++) {
        totem_slot_idle_in i;
        rest(&i);
        i.kill_abandon[0] = i.kill_abandon[1] = true;
        i.flight_empty[0] = i.flight_empty[1] = ALL & ~1;
        i.kill_abandon[0]                     = row != 1;
        i.epoch_abandoned[0]                  = row == 2;
        i.flight_empty[0]                     = row == 3 ? ALL : ALL & ~1; // quiet
        i.fence_write_pending[0]              = row == 4 ? 1 : row == 5 || row == 6 ? 2 : 0;
        i.epoch_mapped[0]                     = row != 6; // else the fence of an earlier mapping holds up nothing
        i.record_fence_valid                  = row == 7 || row == 8;
        i.record_fence_queue                  = row == 8 ? TOTEM_QUEUES - 1 : 0;
        i.intake_storing[0]                   = row == 9;
        i.fence_free                          = row != 10;
        i.failure_valid                       = row == 11;
        const totem_slot_idle_out o           = shown(&i);
        const bool                goes        = row == 0 || row == 5 || row == 8;
        assert_int_equal(o.drop_valid, row < 10);
        if (row < 10)
            assert_int_equal(o.drop_queue, goes ? 0 : 1);
    }
}
