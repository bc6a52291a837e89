// SPDX-License-Identifier: Apache-2.0
//
// totem_epoch: epochs are closed, are done, and make room; their meetings (docs/contract/epoch.md).

#include "fence_bench.h"

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
