// SPDX-License-Identifier: Apache-2.0
//
// totem_arbiter: the sources' switch, which moves a queue's state through memory (docs/contract/arbiter.md).

#include "arbiter_bench.h"

enum { SAVE = 1, LOAD, DERIVE };

static void moves(const bench *b, unsigned move, unsigned queue)
{
    assert_int_equal(b->o.move, move);
    assert_int_equal(b->o.move_queue, queue);
    assert_false(b->o.go || b->o.selected_valid);
}

// Queue 0 has left, queue 1 has been chosen, and the save of queue 0 is asked for.
static void saving(bench *b)
{
    two_equals(b, 0);
    LEVEL(b, settings_mqd_save, true);
    ticks(b, 5);
    left(b);
    ticks(b, 3);
    moves(b, SAVE, 0);
}

static void goes_in_four(bench *b, uint8_t queue)
{
    for (unsigned n = 0; n < 3; n++, tick(b))
        assert_false(b->o.go || b->o.move);
    goes(b, queue);
}

RULE(no_line_needed)
{
    static const struct {
        bool save, prepared, halted, ready;
    } rows[] = {{0, 1, 0, 0}, {1, 1, 0, 1}, {1, 0, 0, 0}, {1, 1, 0, 1}, {1, 1, 1, 0}};
    map(b, 1, 5);
    LEVEL(b, fetch_pending[1], true);
    for (unsigned n = 0; n < COUNT(rows); n++) {
        LEVEL(b, settings_mqd_save, rows[n].save);
        LEVEL(b, bank_prepared[1], rows[n].prepared);
        LEVEL(b, packet_halted[1], rows[n].halted);
        tick(b);
        assert_int_equal(b->o.ready[1], rows[n].ready);
    }
}

RULE(switch_through_memory)
{
    saving(b);
    load(b, LOAD_MOVED, 1, 2); // not the one that is waited for
    b->s.in_mqd[1] = false;
    ticks(b, 50);
    moves(b, SAVE, 0);
    load(b, LOAD_MOVED, 0, 2);
    goes_in_four(b, 1); // it has never been in_mqd
    assert_true(b->s.in_mqd[0] && !b->s.in_mqd[1]);
    tick(b);
    left(b);
    ticks(b, 3);
    moves(b, SAVE, 1);
    load(b, LOAD_MOVED, 1, 2);
    ticks(b, 3);
    moves(b, LOAD, 0);
    LEVEL(b, bank_prepared[0], false);
    load(b, LOAD_MOVED, 0, 7);
    ticks(b, 50); // queue 1 is ready, but nobody is moved while the bank derives
    moves(b, DERIVE, 0);
    LEVEL(b, bank_prepared[0], true);
    tick(b);
    goes_in_four(b, 0);
    assert_int_equal(b->s.turn, 0); // the quantum begins here
    assert_true(!b->s.in_mqd[0] && b->s.in_mqd[1]);
}

RULE(not_switched)
{
    enum { SAME_QUEUE_AGAIN, SAVED_BY_ITS_DEQUEUE, NOT_SET, UNMAPPED_MEANWHILE, CASES };
    for (unsigned row = 0; row < CASES; row++) {
        two_equals(b, 0);
        LEVEL(b, settings_mqd_save, row != NOT_SET);
        ticks(b, 5);
        work(b, 1, row != SAME_QUEUE_AGAIN);
        LEVEL(b, hqd_dequeuing[0], row == SAVED_BY_ITS_DEQUEUE);
        b->s.in_mqd[0] = row == UNMAPPED_MEANWHILE;
        if (row == UNMAPPED_MEANWHILE)
            load(b, LOAD_ACTIVE, 0, 0);
        assert_false(b->s.in_mqd[0]);
        left(b);
        goes_in_four(b, row == SAME_QUEUE_AGAIN ? 0 : 1);
    }
}
