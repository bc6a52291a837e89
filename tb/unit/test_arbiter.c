// SPDX-License-Identifier: Apache-2.0
//
// totem_arbiter: readiness, selection, conditions 1, 5 and 7, their latencies and meetings (docs/contract/arbiter.md).

#include "arbiter_bench.h"

static void run(bench *b, uint8_t queue)
{
    work(b, queue, true);
    ticks(b, 3);
    assert_true(b->o.go && b->o.selected_valid);
    assert_int_equal(b->o.selected, queue);
    tick(b);
}

static void three_clocks_from_word_to_go(void **state)
{
    bench b;
    (void)state;
    fresh(&b);
    map(&b, 1, 5);
    assert_true(b.o.active[1]);
    assert_int_equal(b.o.queue_priority[1], 5);
    work(&b, 1, true);
    assert_false(b.o.ready[1]);
    tick(&b);
    assert_true(b.o.ready[1]);
    tick(&b);
    assert_false(b.o.go);
    tick(&b);
    assert_true(b.o.go && b.o.selected_valid);
    assert_int_equal(b.o.selected, 1);
    assert_int_equal(b.o.pipe_priority, 1);
    tick(&b);
    assert_false(b.o.go);
    assert_true(b.o.selected_valid);
}

// Ready: not empty, not stalled, registers in place, and a line or an unfinished grid.
static void readiness(void **state)
{
    static const struct {
        bool pending, line, unfinished, halted, wait_flush, flushed, wait_epoch, room, ready, unprepared;
    } rows[] = {
        {1, 1, 0, 0, 0, 0, 0, 0, 1, 0}, {1, 0, 0, 0, 0, 0, 0, 0, 0, 0}, {0, 1, 0, 0, 0, 0, 0, 0, 0, 0},
        {1, 0, 1, 0, 0, 0, 0, 0, 1, 0}, {1, 1, 0, 1, 0, 1, 0, 1, 0, 0}, {1, 1, 0, 0, 1, 0, 0, 1, 0, 0},
        {1, 1, 0, 0, 1, 1, 0, 0, 1, 0}, {1, 1, 0, 0, 0, 1, 1, 0, 0, 0}, {1, 1, 0, 0, 0, 0, 1, 1, 1, 0},
        {1, 0, 1, 0, 1, 0, 0, 1, 0, 0}, {1, 1, 0, 0, 0, 0, 0, 0, 0, 1}, {1, 0, 1, 0, 0, 0, 0, 0, 0, 1},
        {0, 0, 1, 0, 0, 0, 0, 0, 0, 0}, // its write pointer is to come
    };
    (void)state;
    for (unsigned n = 0; n < sizeof rows / sizeof *rows; n++) {
        bench b;
        fresh(&b);
        map(&b, 2, 0);
        b.i.fetch_pending[2]     = rows[n].pending;
        b.i.fetch_line[2]        = rows[n].line;
        b.i.packet_unfinished[2] = rows[n].unfinished;
        b.i.packet_halted[2]     = rows[n].halted;
        b.i.packet_wait_flush[2] = rows[n].wait_flush;
        b.i.fence_flushed[2]     = rows[n].flushed;
        b.i.packet_wait_epoch[2] = rows[n].wait_epoch;
        b.i.fence_room[2]        = rows[n].room;
        b.i.bank_prepared[2]     = !rows[n].unprepared;
        tick(&b);
        assert_int_equal(b.o.ready[2], rows[n].ready);
    }
}

static void four_clocks_from_left_to_go(void **state)
{
    bench b;
    (void)state;
    fresh(&b);
    map(&b, 0, 3);
    map(&b, 1, 3);
    run(&b, 0);
    work(&b, 1, true);
    ticks(&b, 5);
    b.i.packet_left = true;
    tick(&b);
    assert_false(b.o.selected_valid);
    work(&b, 0, false); // what is said in the clock after counts, in it nothing of before
    for (int n = 0; n < 3; n++) {
        assert_false(b.o.go);
        tick(&b);
    }
    assert_true(b.o.go);
    assert_int_equal(b.o.selected, 1);
}

// Rule 5 on one level: ascending from the one served last, wrapping; every level has its own memory.
static void scoreboard(void **state)
{
    static const uint8_t order[] = {0, 1, 2, 3};
    bench                b;
    (void)state;
    fresh(&b);
    for (uint8_t q = 0; q < 4; q++)
        map(&b, q, 6);
    for (uint8_t q = 0; q < 4; q++)
        work(&b, q, true);
    for (unsigned turn = 0; turn < 6; turn++) {
        CLOCKS_UNTIL(&b, b.o.go, 4);
        assert_int_equal(b.o.selected, order[turn % 4]);
        assert_int_equal(b.s.scoreboard[6], order[turn % 4]);
        b.i.packet_left = true;
        tick(&b);
    }
    assert_int_equal(b.s.scoreboard[5], TOTEM_QUEUES - 1);
}

static void condition_1(void **state)
{
    bench b;
    (void)state;
    fresh(&b);
    map(&b, 0, 3);
    map(&b, 1, 3);
    map(&b, 2, 4);
    run(&b, 0);
    work(&b, 1, true); // equal: stays
    ticks(&b, 5);
    assert_false(b.o.leave);
    work(&b, 2, true); // ready in n, leave in n+3
    ticks(&b, 2);
    assert_false(b.o.leave);
    tick(&b);
    assert_true(b.o.leave);
    ticks(&b, 4);
    assert_true(b.o.leave); // until it has left
    b.i.packet_left = true;
    tick(&b);
    assert_false(b.o.leave);
    CLOCKS_UNTIL(&b, b.o.go, 3);
    assert_int_equal(b.o.selected, 2);
}

// The running queue's present priority counts.
static void condition_1_after_a_write(void **state)
{
    bench b;
    (void)state;
    fresh(&b);
    map(&b, 0, 3);
    map(&b, 1, 3);
    run(&b, 0);
    work(&b, 1, true);
    ticks(&b, 5);
    load(&b, LOAD_QUEUE_PRIORITY, 0, 2);
    tick(&b);
    CLOCKS_UNTIL(&b, b.o.leave, 3);
}

static void condition_5(void **state)
{
    bench b;
    (void)state;
    fresh(&b);
    map(&b, 0, 9);
    map(&b, 1, 0);
    run(&b, 0);
    work(&b, 0, false);
    ticks(&b, 5);
    assert_false(b.o.leave); // a lone queue keeps the pipe
    LEVEL(&b, walker_busy, true);
    work(&b, 1, true);
    ticks(&b, 5);
    assert_false(b.o.leave); // not drained
    LEVEL(&b, walker_busy, false);
    tick(&b);
    assert_true(b.o.leave);
}

// Condition 6 with it: a queue that is to be dequeued is stalled.
static void condition_7(void **state)
{
    (void)state;
    for (unsigned row = 0; row < 6; row++) {
        bench b;
        fresh(&b);
        map(&b, 0, 3);
        run(&b, 0);
        assert_false(b.o.leave);
        switch (row) {
        case 0: b.i.packet_halted[0] = true; break;
        case 1: b.i.packet_wait_flush[0] = true; break;
        case 2: b.i.packet_wait_epoch[0] = true; break;
        case 3: b.i.poll_waiting[0] = true; break;
        case 4: b.i.hqd_dequeuing[0] = true; break;
        default:
            load(&b, LOAD_ACTIVE, 0, 0);
            tick(&b);
            break;
        }
        tick(&b);
        assert_true(b.o.leave);
    }
}

// ---- meetings

static void left_meets_a_condition(void **state)
{
    bench b;
    (void)state;
    fresh(&b);
    map(&b, 0, 3);
    run(&b, 0);
    b.i.packet_left      = true;
    b.i.packet_halted[0] = true;
    tick(&b);
    assert_false(b.o.leave || b.o.selected_valid);
}

static void left_meets_go(void **state)
{
    bench b;
    (void)state;
    fresh(&b);
    map(&b, 0, 3);
    work(&b, 0, true);
    ticks(&b, 3);
    assert_true(b.o.go);
    b.i.packet_left = true;
    tick(&b);
    assert_false(b.o.go || b.o.selected_valid);
}

static void left_meets_no_queue(void **state)
{
    bench b;
    (void)state;
    fresh(&b);
    map(&b, 0, 3);
    work(&b, 0, true);
    ticks(&b, 2);
    b.i.packet_left = true; // in the clock of the selection
    tick(&b);
    assert_true(b.o.go);
}

static void active_cleared_meets_readiness_and_selection(void **state)
{
    bench b;
    (void)state;
    fresh(&b);
    map(&b, 0, 3);
    work(&b, 0, true);
    load(&b, LOAD_ACTIVE, 0, 0);
    tick(&b);
    assert_false(b.o.ready[0] || b.o.active[0]);
    load(&b, LOAD_ACTIVE, 0, 1);
    tick(&b);
    assert_false(b.o.ready[0]); // at the earliest one clock after ACTIVE
    tick(&b);
    assert_true(b.o.ready[0]);
    tick(&b);
    load(&b, LOAD_ACTIVE, 0, 0); // in the clock of the selection
    ticks(&b, 1);
    assert_false(b.o.go);
    ticks(&b, 4);
    assert_false(b.o.selected_valid);
}

static void priority_written_meets_selection_and_comparison(void **state)
{
    bench b;
    (void)state;
    fresh(&b);
    map(&b, 0, 3);
    work(&b, 0, true);
    ticks(&b, 2);
    load(&b, LOAD_QUEUE_PRIORITY, 0, 8);
    tick(&b);
    assert_true(b.o.go); // by the priority before the edge
    assert_int_equal(b.s.scoreboard[3], 0);
    assert_int_equal(b.s.scoreboard[8], TOTEM_QUEUES - 1);

    fresh(&b);
    map(&b, 0, 3);
    work(&b, 0, true);
    tick(&b);
    load(&b, LOAD_QUEUE_PRIORITY, 0, 8); // in the clock of the comparison: one clock without candidates
    ticks(&b, 2);
    assert_false(b.o.go);
    tick(&b);
    assert_true(b.o.go);
    assert_int_equal(b.s.scoreboard[8], 0);
}

static void candidate_that_is_not_ready_any_more(void **state)
{
    bench b;
    (void)state;
    fresh(&b);
    map(&b, 0, 3);
    work(&b, 0, true);
    tick(&b);
    work(&b, 0, false);
    for (int n = 0; n < 4; n++) {
        tick(&b);
        assert_false(b.o.go);
    }
}

static void better_queue_meets_selection(void **state)
{
    bench b;
    (void)state;
    fresh(&b);
    map(&b, 0, 3);
    map(&b, 1, 4);
    work(&b, 0, true);
    tick(&b);
    work(&b, 1, true); // ready in the clock in which queue 0 is selected
    ticks(&b, 2);
    assert_true(b.o.go);
    assert_int_equal(b.o.selected, 0);
    tick(&b);
    assert_true(b.o.leave);
}

static void other_kinds_change_nothing(void **state)
{
    bench b;
    (void)state;
    fresh(&b);
    map(&b, 0, 3);
    load(&b, LOAD_QUANTUM, 0, 0x2a11);
    tick(&b);
    for (unsigned kind = LOAD_PQ_BASE; kind < LOAD_MOVED; kind++) {
        load(&b, kind, 0, 0xffff);
        tick(&b);
    }
    assert_true(b.o.active[0]);
    assert_int_equal(b.o.queue_priority[0], 3);
    assert_int_equal(b.s.pipe_priorities[0], 0);
    assert_true(b.s.quantum_enable[0] && b.s.quantum_scale[0]);
    assert_int_equal(b.s.quantum_duration[0], 42);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(three_clocks_from_word_to_go),
        cmocka_unit_test(readiness),
        cmocka_unit_test(four_clocks_from_left_to_go),
        cmocka_unit_test(scoreboard),
        cmocka_unit_test(condition_1),
        cmocka_unit_test(condition_1_after_a_write),
        cmocka_unit_test(condition_5),
        cmocka_unit_test(condition_7),
        cmocka_unit_test(left_meets_a_condition),
        cmocka_unit_test(left_meets_go),
        cmocka_unit_test(left_meets_no_queue),
        cmocka_unit_test(active_cleared_meets_readiness_and_selection),
        cmocka_unit_test(priority_written_meets_selection_and_comparison),
        cmocka_unit_test(candidate_that_is_not_ready_any_more),
        cmocka_unit_test(better_queue_meets_selection),
        cmocka_unit_test(other_kinds_change_nothing),
    };

    return cmocka_run_group_tests_name("arbiter", tests, NULL, NULL);
}
