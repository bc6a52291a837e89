// SPDX-License-Identifier: Apache-2.0
//
// totem_arbiter: readiness, selection, conditions 1, 5 and 7, their latencies and meetings (docs/contract/arbiter.md).

#include "arbiter_bench.h"

RULE(three_clocks_from_word_to_go)
{
    map(b, 1, 5);
    assert_true(b->o.active[1]);
    assert_int_equal(b->o.queue_priority[1], 5);
    work(b, 1, true);
    for (unsigned n = 0; n < 3; n++, tick(b)) {
        assert_int_equal(b->o.ready[1], n != 0);
        assert_false(b->o.go);
    }
    goes(b, 1);
    assert_int_equal(b->o.pipe_priority, 1);
    tick(b);
    assert_true(!b->o.go && b->o.selected_valid);
}

RULE(condition_5)
{
    map(b, 0, 9);
    map(b, 1, 0);
    run(b, 0);
    work(b, 0, false);
    ticks(b, 5);
    assert_false(b->o.leave); // a lone queue keeps the pipe
    LEVEL(b, walker_busy, true);
    work(b, 1, true);
    ticks(b, 5);
    assert_false(b->o.leave); // not drained
    LEVEL(b, walker_busy, false);
    tick(b);
    assert_true(b->o.leave);
}

// Condition 6 with it: a queue that is to be dequeued is stalled.
RULE(condition_7)
{
    for (unsigned row = 0; row < 8; row++) {
        const uint8_t q = row == 7; // a packet of the scheduler is one of queue 0
        fresh(b);
        map(b, q, 3);
        run(b, q);
        assert_false(b->o.leave);
        if (row == 0)
            load(b, LOAD_ACTIVE, 0, 0);
        b->i.packet_halted[0]     = row == 1;
        b->i.packet_wait_flush[0] = row == 2;
        b->i.packet_wait_epoch[0] = row == 3;
        b->i.poll_waiting[0]      = row == 4;
        b->i.hqd_dequeuing[0]     = row == 5;
        b->i.schedule_waiting     = row >= 6;
        tick(b);
        assert_int_equal(b->o.leave, q == 0);
    }
}

RULE(active_cleared_meets_readiness_and_selection)
{
    map(b, 0, 3);
    work(b, 0, true);
    load(b, LOAD_ACTIVE, 0, 0);
    assert_false(b->o.ready[0] || b->o.active[0]);
    load(b, LOAD_ACTIVE, 0, 1);
    assert_false(b->o.ready[0]); // at the earliest one clock after ACTIVE
    tick(b);
    assert_true(b->o.ready[0]);
    tick(b);
    load(b, LOAD_ACTIVE, 0, 0); // in the clock of the selection
    assert_false(b->o.go);
    ticks(b, 4);
    assert_false(b->o.selected_valid);
}
