// SPDX-License-Identifier: Apache-2.0
//
// totem_arbiter: rules, latencies and meetings of docs/contract/arbiter.md.

#include "block_bench.h"

#include "totem_arbiter.h"
#include "totem_load.h"

BENCH(arbiter)

static void load(bench *b, unsigned kind, uint8_t queue, uint64_t data)
{
    b->i.load_valid = true;
    b->i.load_kind  = (uint8_t)kind;
    b->i.load_queue = queue;
    b->i.load_data  = data;
}

static void map(bench *b, uint8_t queue, uint64_t priority)
{
    load(b, LOAD_QUEUE_PRIORITY, queue, priority);
    tick(b);
    load(b, LOAD_PIPE_PRIORITY, queue, queue % 3);
    tick(b);
    load(b, LOAD_ACTIVE, queue, 1);
    tick(b);
}

// The neighbours say from this clock on that the queue could run, or that it has nothing.
static void work(bench *b, uint8_t queue, bool has)
{
    LEVEL(b, fetch_pending[queue], has);
    LEVEL(b, fetch_line[queue], has);
    LEVEL(b, bank_prepared[queue], true);
}

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
        {0, 0, 1, 0, 0, 0, 0, 0, 1, 0}, {1, 1, 0, 1, 0, 1, 0, 1, 0, 0}, {1, 1, 0, 0, 1, 0, 0, 1, 0, 0},
        {1, 1, 0, 0, 1, 1, 0, 0, 1, 0}, {1, 1, 0, 0, 0, 1, 1, 0, 0, 0}, {1, 1, 0, 0, 0, 0, 1, 1, 1, 0},
        {0, 0, 1, 0, 1, 0, 0, 1, 0, 0}, {1, 1, 0, 0, 0, 0, 0, 0, 0, 1}, {0, 0, 1, 0, 0, 0, 0, 0, 0, 1},
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

static void condition_7(void **state)
{
    (void)state;
    for (unsigned row = 0; row < 4; row++) {
        bench b;
        fresh(&b);
        map(&b, 0, 3);
        run(&b, 0);
        assert_false(b.o.leave);
        switch (row) {
        case 0: b.i.packet_halted[0] = true; break;
        case 1: b.i.packet_wait_flush[0] = true; break;
        case 2: b.i.packet_wait_epoch[0] = true; break;
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

// ---- conditions 2 and 3

// Queues 0 and 1 of priority 5, units of 10 and 25 clocks; the bench stands in the clock of the go of queue 0, queue 1 is ready.
static void two_equals(bench *b, uint64_t quantum)
{
    fresh(b);
    LEVEL(b, settings_quantum_unit0, 10);
    LEVEL(b, settings_quantum_unit1, 25);
    for (uint8_t q = 0; q < 2; q++) {
        map(b, q, 5);
        load(b, LOAD_QUANTUM, q, quantum);
        tick(b);
    }
    work(b, 0, true);
    work(b, 1, true);
    ticks(b, 3);
    assert_true(b->o.go);
    assert_int_equal(b->o.selected, 0);
}

// `leave` is seen for the first time so many clocks after this one, or not at all in so many.
static void leaves_in(bench *b, unsigned clocks)
{
    for (unsigned n = 0; n < clocks; n++) {
        assert_false(b->o.leave);
        tick(b);
    }
    assert_true(b->o.leave);
}

static void stays(bench *b, unsigned clocks)
{
    while (clocks--) {
        assert_false(b->o.leave);
        tick(b);
    }
}

static void executes(bench *b)
{
    b->i.packet_executed = true;
    tick(b);
}

static void packet_writes(bench *b, uint8_t queue, uint8_t priority)
{
    b->i.packet_priority_write = true;
    b->i.packet_priority_queue = queue;
    b->i.packet_priority_data  = priority;
    tick(b);
}

// The quantum is used up DURATION units after go: seen then, leave one clock later.
static void quantum_counts_clocks(void **state)
{
    static const struct {
        uint64_t quantum;
        unsigned clocks;
    } rows[] = {{0x101, 10}, {0x201, 20}, {0x3f01, 630}, {0x111, 25}, {0x3f11, 1575}, {0x411, 100}, {0x3fffc501, 50}};
    (void)state;
    for (unsigned n = 0; n < sizeof rows / sizeof *rows; n++) {
        bench b;
        two_equals(&b, rows[n].quantum);
        executes(&b);
        leaves_in(&b, rows[n].clocks);
    }
}

// Stalls count: no line, a packet that takes long, polls; what runs runs late.
static void quantum_counts_stalls(void **state)
{
    bench b;
    (void)state;
    two_equals(&b, 0x301);
    LEVEL(&b, fetch_line[0], false);
    stays(&b, 50);
    executes(&b);
    assert_true(b.o.leave);
}

static void quantum_only_permits(void **state)
{
    bench b;
    (void)state;
    two_equals(&b, 0x101);
    work(&b, 1, false);
    ticks(&b, 1);
    executes(&b);
    stays(&b, 500); // a lone queue
    map(&b, 2, 4);
    work(&b, 2, true);
    stays(&b, 50); // a lower one
    work(&b, 1, true);
    leaves_in(&b, 3); // ready, candidate, leave
}

static void quantum_off(void **state)
{
    bench b;
    (void)state;
    two_equals(&b, 0x100);
    executes(&b);
    stays(&b, 500);
    load(&b, LOAD_QUANTUM, 0, 0x3f01); // enabled: what has gone by counts
    tick(&b);
    leaves_in(&b, 630 - 500 - 2 + 1);
}

// DURATION 0 is used up at once, but something must have run.
static void turns_of_a_packet(void **state)
{
    (void)state;
    for (unsigned group = 0; group < 2; group++) {
        bench b;
        two_equals(&b, 0x001);
        stays(&b, 2000);
        if (group)
            b.i.grant_valid[TOTEM_SE_COUNT - 1] = true;
        else
            b.i.packet_executed = true;
        tick(&b);
        assert_true(b.o.leave);
        b.i.packet_left = true;
        tick(&b);
        CLOCKS_UNTIL(&b, b.o.go, 3);
        assert_int_equal(b.o.selected, 1);
        stays(&b, 20); // what the last queue has run does not count for this one
        executes(&b);
        assert_true(b.o.leave);
    }
}

static void turn_limit(void **state)
{
    bench b;
    (void)state;
    two_equals(&b, 0x001);
    stays(&b, 100000); // 0: no limit
    two_equals(&b, 0x001);
    LEVEL(&b, settings_turn_limit, 1077);
    leaves_in(&b, 1078);
    two_equals(&b, 0x001);
    LEVEL(&b, settings_turn_limit, 77); // counts as 1024
    leaves_in(&b, 1025);
    two_equals(&b, 0x001);
    LEVEL(&b, settings_turn_limit, 77);
    executes(&b);
    assert_true(b.o.leave);
    two_equals(&b, 0x1001); // the limit is not the quantum
    LEVEL(&b, settings_turn_limit, 77);
    leaves_in(&b, 1025);
}

static void units_that_change(void **state)
{
    bench b;
    (void)state;
    two_equals(&b, 0x301);
    executes(&b);
    ticks(&b, 14); // 15 clocks: one unit and a half
    LEVEL(&b, settings_quantum_unit0, 3);
    leaves_in(&b, 1 + 3 + 1); // the one begun ends at once, then one of 3
    two_equals(&b, 0x501);
    LEVEL(&b, settings_quantum_unit0, 0); // counts as 1
    executes(&b);
    leaves_in(&b, 5);
    two_equals(&b, 0x3f01);
    executes(&b);
    ticks(&b, 9999);
    assert_int_equal(b.s.units, 63);
    assert_int_equal(b.s.unit_clock, 0);
    assert_int_equal(b.s.turn, 10000);
}

static void cooperative_yield(void **state)
{
    static const uint8_t written[][2] = {{0, 5}, {1, 5}, {2, 3}, {3, 5}};
    (void)state;
    for (unsigned n = 0; n < 4; n++) {
        bench b;
        two_equals(&b, 0);
        stays(&b, 100);
        packet_writes(&b, written[n][0], written[n][1]);
        assert_int_equal(b.o.queue_priority[written[n][0]], written[n][1]);
        stays(&b, 20); // nothing has been executed yet
        executes(&b);
        assert_true(b.o.leave);
        b.i.packet_left = true;
        tick(&b);
        CLOCKS_UNTIL(&b, b.o.go, 3);
        assert_int_equal(b.o.selected, 1);
        executes(&b);
        stays(&b, 100); // a new turn, without a write
    }
}

// The clock of the write has no candidates; leave three clocks after it.
static void yield_latency(void **state)
{
    bench b;
    (void)state;
    two_equals(&b, 0);
    executes(&b);
    packet_writes(&b, 0, 5);
    leaves_in(&b, 2);
    two_equals(&b, 0x3f01); // with a quantum: only when that is used up
    executes(&b);
    packet_writes(&b, 0, 5);
    leaves_in(&b, 630 - 1);
}

static void packet_lowers_and_raises(void **state)
{
    bench b;
    (void)state;
    two_equals(&b, 0x3f01);
    packet_writes(&b, 0, 4); // condition 1, nothing executed
    leaves_in(&b, 2);
    two_equals(&b, 0x3f01);
    packet_writes(&b, 1, 6);
    leaves_in(&b, 2);
    two_equals(&b, 0);
    executes(&b);
    packet_writes(&b, 1, 4); // no equal one any more
    stays(&b, 100);
}

static void host_write_is_no_yield(void **state)
{
    bench b;
    (void)state;
    two_equals(&b, 0);
    executes(&b);
    load(&b, LOAD_QUEUE_PRIORITY, 0, 5);
    tick(&b);
    stays(&b, 100);
}

static void event_on_priority_write(void **state)
{
    (void)state;
    for (unsigned row = 0; row < 8; row++) {
        bench b;
        two_equals(&b, row & 1 ? 0x3f01 : 0);
        executes(&b);
        if (!(row & 4))
            LEVEL(&b, settings_event_on_priority_write, true);
        if (row & 2)
            packet_writes(&b, 3, 0);
        else {
            load(&b, LOAD_QUEUE_PRIORITY, 3, 0);
            tick(&b);
        }
        if (row & 4)
            LEVEL(&b, settings_event_on_priority_write, true);
        leaves_in(&b, 2);
    }
    bench b;
    two_equals(&b, 0x3f01);
    LEVEL(&b, settings_event_on_priority_write, true);
    load(&b, LOAD_QUEUE_PRIORITY, 0, 5); // something must have run
    tick(&b);
    stays(&b, 200);
    executes(&b);
    assert_true(b.o.leave);
    two_equals(&b, 0x3f01);
    LEVEL(&b, settings_event_on_priority_write, true);
    executes(&b);
    stays(&b, 200); // no write
}

static void host_write_meets_selection(void **state)
{
    bench b;
    (void)state;
    two_equals(&b, 0);
    LEVEL(&b, settings_event_on_priority_write, true);
    b.i.packet_left = true;
    tick(&b);
    ticks(&b, 2);
    load(&b, LOAD_QUEUE_PRIORITY, 3, 2); // in the clock of the selection: before the turn
    tick(&b);
    assert_true(b.o.go);
    executes(&b);
    stays(&b, 100);
}

static void packet_write_meets_host_write(void **state)
{
    bench b;
    (void)state;
    two_equals(&b, 0);
    load(&b, LOAD_QUEUE_PRIORITY, 2, 9);
    packet_writes(&b, 2, 4);
    assert_int_equal(b.o.queue_priority[2], 9);
    load(&b, LOAD_QUEUE_PRIORITY, 2, 8);
    packet_writes(&b, 3, 4);
    assert_int_equal(b.o.queue_priority[2], 8);
    assert_int_equal(b.o.queue_priority[3], 4);
}

// Priorities belong to the slot: unmapped queues have one, and a mapping keeps it.
static void priority_outlives_the_mapping(void **state)
{
    bench b;
    (void)state;
    two_equals(&b, 0);
    packet_writes(&b, 2, 11);
    load(&b, LOAD_ACTIVE, 2, 1);
    tick(&b);
    load(&b, LOAD_ACTIVE, 2, 0);
    tick(&b);
    assert_int_equal(b.o.queue_priority[2], 11);
    totem_arbiter_reset(&b.s);
    totem_arbiter_outputs(&b.s, &b.o);
    assert_int_equal(b.o.queue_priority[2], 0);
}

static void smart_wait(void **state)
{
    bench b;
    (void)state;
    two_equals(&b, 0);
    b.i.poll_waiting[0] = true;
    tick(&b);
    assert_true(b.o.leave); // condition 7
    LEVEL(&b, poll_waiting[1], true);
    tick(&b);
    assert_false(b.o.ready[1]);
    LEVEL(&b, poll_waiting[1], false);
    tick(&b);
    assert_true(b.o.ready[1]);
}

// Five queues of one priority with DURATION 0: whatever they execute, each gets its turn before another gets a second.
static void nobody_is_passed_over(void **state)
{
    enum { COUNT = TOTEM_QUEUES < 5 ? TOTEM_QUEUES : 5 };
    bench    b;
    unsigned last = COUNT - 1, turns = 0;
    (void)state;
    fresh(&b);
    for (unsigned q = 0; q < COUNT; q++) {
        map(&b, (uint8_t)q, 5);
        load(&b, LOAD_QUANTUM, (uint8_t)q, 1);
        tick(&b);
    }
    for (unsigned q = 0; q < COUNT; q++)
        work(&b, (uint8_t)q, true);
    for (unsigned n = 0; n < 3000; n++) {
        if (b.o.go) {
            assert_int_equal(b.o.selected, (last + 1) % COUNT);
            last = b.o.selected;
            turns++;
        }
        b.i.packet_executed = b.o.selected_valid && n % 7 == 0;
        b.i.packet_left     = b.o.selected_valid && b.o.leave && n % 3 == 0;
        tick(&b);
    }
    assert_true(turns > 100);
}

// ---- the sources' switch

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
        cmocka_unit_test(quantum_counts_clocks),
        cmocka_unit_test(quantum_counts_stalls),
        cmocka_unit_test(quantum_only_permits),
        cmocka_unit_test(quantum_off),
        cmocka_unit_test(turns_of_a_packet),
        cmocka_unit_test(turn_limit),
        cmocka_unit_test(units_that_change),
        cmocka_unit_test(cooperative_yield),
        cmocka_unit_test(yield_latency),
        cmocka_unit_test(packet_lowers_and_raises),
        cmocka_unit_test(host_write_is_no_yield),
        cmocka_unit_test(event_on_priority_write),
        cmocka_unit_test(host_write_meets_selection),
        cmocka_unit_test(packet_write_meets_host_write),
        cmocka_unit_test(priority_outlives_the_mapping),
        cmocka_unit_test(smart_wait),
        cmocka_unit_test(nobody_is_passed_over),
        cmocka_unit_test(no_line_needed),
        cmocka_unit_test(switch_through_memory),
        cmocka_unit_test(moves_that_fail),
        cmocka_unit_test(not_switched),
    };

    return cmocka_run_group_tests_name("arbiter", tests, NULL, NULL);
}
