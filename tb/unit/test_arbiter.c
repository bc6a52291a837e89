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

// Ready: not empty, not stalled, registers in place, and a line or an unfinished grid.
RULE(readiness)
{
    enum { PENDING = 1, LINE = 2, GRID = 4, HALTED = 8, WAIT_FLUSH = 16, FLUSHED = 32, WAIT_EPOCH = 64, ROOM = 128 };
    enum { POLLS = 256, BANK = 512 };
    static const struct {
        unsigned what;
        bool     ready;
    } rows[] = {
        {BANK | PENDING | LINE, true},
        {BANK | PENDING, false},
        {BANK | LINE, false},
        {BANK | GRID, false}, // its write pointer is to come
        {BANK | PENDING | GRID, true},
        {BANK | PENDING | LINE | POLLS, false},
        {BANK | PENDING | LINE | HALTED | FLUSHED | ROOM, false},
        {BANK | PENDING | LINE | WAIT_FLUSH | ROOM, false},
        {BANK | PENDING | GRID | WAIT_FLUSH | ROOM, false},
        {BANK | PENDING | LINE | WAIT_FLUSH | FLUSHED, true},
        {BANK | PENDING | LINE | WAIT_EPOCH | FLUSHED, false},
        {BANK | PENDING | LINE | WAIT_EPOCH | ROOM, true},
        {PENDING | LINE, false},
        {PENDING | GRID, false},
    };
    map(b, 2, 0);
    for (unsigned n = 0; n < COUNT(rows); n++) {
        b->i.fetch_pending[2]     = rows[n].what & PENDING;
        b->i.fetch_line[2]        = rows[n].what & LINE;
        b->i.packet_unfinished[2] = rows[n].what & GRID;
        b->i.packet_halted[2]     = rows[n].what & HALTED;
        b->i.packet_wait_flush[2] = rows[n].what & WAIT_FLUSH;
        b->i.fence_flushed[2]     = rows[n].what & FLUSHED;
        b->i.packet_wait_epoch[2] = rows[n].what & WAIT_EPOCH;
        b->i.fence_room[2]        = rows[n].what & ROOM;
        b->i.poll_waiting[2]      = rows[n].what & POLLS;
        b->i.bank_prepared[2]     = rows[n].what & BANK;
        tick(b);
        assert_int_equal(b->o.ready[2], rows[n].ready);
    }
}

RULE(four_clocks_from_left_to_go)
{
    map(b, 0, 3);
    map(b, 1, 3);
    run(b, 0);
    work(b, 1, true);
    ticks(b, 5);
    left(b);
    assert_false(b->o.selected_valid);
    work(b, 0, false); // what is said in the clock after counts, in it nothing of before
    for (unsigned n = 0; n < 3; n++, tick(b))
        assert_false(b->o.go);
    goes(b, 1);
}

// Rule 5 on one level: ascending from the one served last, wrapping; every level has its own memory.
RULE(scoreboard)
{
    for (uint8_t q = 0; q < 4; q++)
        map(b, q, 6);
    for (uint8_t q = 0; q < 4; q++)
        work(b, q, true);
    for (unsigned turn = 0; turn < 6; turn++) {
        CLOCKS_UNTIL(b, b->o.go, 4);
        goes(b, turn % 4);
        assert_int_equal(b->s.scoreboard[6], turn % 4);
        left(b);
    }
    assert_int_equal(b->s.scoreboard[5], TOTEM_QUEUES - 1);
}

RULE(condition_1)
{
    map(b, 0, 3);
    map(b, 1, 3);
    map(b, 2, 4);
    run(b, 0);
    work(b, 1, true); // equal: stays
    ticks(b, 5);
    assert_false(b->o.leave);
    work(b, 2, true); // ready in n, leave in n+3
    ticks(b, 2);
    assert_false(b->o.leave);
    tick(b);
    assert_true(b->o.leave);
    ticks(b, 4);
    assert_true(b->o.leave); // until it has left
    left(b);
    assert_false(b->o.leave);
    CLOCKS_UNTIL(b, b->o.go, 3);
    goes(b, 2);
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
    for (unsigned row = 0; row < 6; row++) {
        fresh(b);
        map(b, 0, 3);
        run(b, 0);
        assert_false(b->o.leave);
        if (row == 0)
            load(b, LOAD_ACTIVE, 0, 0);
        b->i.packet_halted[0]     = row == 1;
        b->i.packet_wait_flush[0] = row == 2;
        b->i.packet_wait_epoch[0] = row == 3;
        b->i.poll_waiting[0]      = row == 4;
        b->i.hqd_dequeuing[0]     = row == 5;
        tick(b);
        assert_true(b->o.leave);
    }
}

// ---- meetings

RULE(left_meets_a_condition)
{
    map(b, 0, 3);
    run(b, 0);
    b->i.packet_halted[0] = true;
    left(b);
    assert_false(b->o.leave || b->o.selected_valid);
}

// In the clock of the selection it means no queue, in that of the go the new one.
RULE(left_meets_selection_and_go)
{
    map(b, 0, 3);
    work(b, 0, true);
    ticks(b, 2);
    left(b);
    goes(b, 0);
    left(b);
    assert_false(b->o.go || b->o.selected_valid);
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

RULE(priority_written_meets_selection)
{
    map(b, 0, 3);
    work(b, 0, true);
    ticks(b, 2);
    load(b, LOAD_QUEUE_PRIORITY, 0, 8);
    assert_true(b->o.go); // by the priority before the edge
    assert_int_equal(b->s.scoreboard[3], 0);
    assert_int_equal(b->s.scoreboard[8], TOTEM_QUEUES - 1);
}

RULE(priority_written_meets_comparison)
{
    map(b, 0, 3);
    work(b, 0, true);
    tick(b);
    load(b, LOAD_QUEUE_PRIORITY, 0, 8); // one clock without candidates
    tick(b);
    assert_false(b->o.go);
    tick(b);
    assert_true(b->o.go);
    assert_int_equal(b->s.scoreboard[8], 0);
}

RULE(candidate_that_is_not_ready_any_more)
{
    map(b, 0, 3);
    work(b, 0, true);
    tick(b);
    work(b, 0, false);
    for (unsigned n = 0; n < 5; n++, tick(b))
        assert_false(b->o.go);
}

RULE(better_queue_meets_selection)
{
    map(b, 0, 3);
    map(b, 1, 4);
    work(b, 0, true);
    tick(b);
    work(b, 1, true); // ready in the clock in which queue 0 is selected
    ticks(b, 2);
    goes(b, 0);
    tick(b);
    assert_true(b->o.leave);
}

RULE(other_kinds_change_nothing)
{
    map(b, 0, 3);
    load(b, LOAD_QUANTUM, 0, 0x2a11);
    for (unsigned kind = LOAD_PQ_BASE; kind < LOAD_MOVED; kind++)
        load(b, kind, 0, 0xffff);
    assert_true(b->o.active[0]);
    assert_int_equal(b->o.queue_priority[0], 3);
    assert_int_equal(b->s.pipe_priorities[0], 0);
    assert_true(b->s.quantum_enable[0] && b->s.quantum_scale[0]);
    assert_int_equal(b->s.quantum_duration[0], 42);
}
