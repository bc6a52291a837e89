// SPDX-License-Identifier: Apache-2.0
//
// totem_arbiter: how long a turn lasts, conditions 2 and 3, and writes of priorities (docs/contract/arbiter.md).

#include "arbiter_bench.h"

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
    leaves_in(&b, 2); // 3 of 3 have passed
    two_equals(&b, 0x301);
    executes(&b);
    ticks(&b, 14);
    LEVEL(&b, settings_quantum_unit0, 100);
    leaves_in(&b, 300 - 15 + 1);
    two_equals(&b, 0x501);
    LEVEL(&b, settings_quantum_unit0, 0); // counts as 1
    executes(&b);
    leaves_in(&b, 5);
    two_equals(&b, 0x3f01);
    executes(&b);
    ticks(&b, 9999);
    assert_int_equal(b.s.turn, 10000);
}

// Whatever is written of a quantum within a turn counts for all of it; what is written together is seen together.
static void quantum_written_within_a_turn(void **state)
{
    static const struct {
        uint64_t before, after;
        unsigned at, clocks; // written in that clock of the turn; the quantum it then has
    } rows[] = {
        {0x100, 0x411, 200, 0},    // enabled in the longer unit, late: 100 clocks have passed long ago
        {0x100, 0x1411, 200, 500}, // enabled, DURATION and SCALE together
        {0x3001, 0x1411, 200, 500}, {0x3f11, 0x3001, 300, 480},                                  // to the shorter unit
        {0x3f11, 0x0301, 300, 0},   {0x3f01, 0x3f11, 600, 1575}, {0x1411, 0x0100, 200, 1000000}, // disabled
    };
    (void)state;
    for (unsigned n = 0; n < sizeof rows / sizeof *rows; n++) {
        bench b;
        two_equals(&b, rows[n].before);
        executes(&b);
        stays(&b, rows[n].at - 1);
        load(&b, LOAD_QUANTUM, 0, rows[n].after);
        if (rows[n].clocks == 1000000)
            stays(&b, 3000);
        else
            leaves_in(&b, rows[n].clocks > rows[n].at ? rows[n].clocks - rows[n].at + 1 : 3);
    }
}

// The longest quantum there is ends, and a turn that lasts longer than can be counted stays at its end.
static void longest_turn(void **state)
{
    bench b;
    (void)state;
    two_equals(&b, 0x3f01);
    LEVEL(&b, settings_quantum_unit0, 0xffffff);
    LEVEL(&b, settings_turn_limit, 0);
    executes(&b);
    ticks(&b, 3);
    assert_int_equal(b.s.limit, 63 * 0xffffff);
    b.s.turn = 63 * 0xffffff - 5;
    leaves_in(&b, 6);
    two_equals(&b, 0);
    LEVEL(&b, settings_turn_limit, 2000);
    b.s.turn = 0x3ffffffe;
    for (unsigned n = 0; n < 10; n++) {
        tick(&b);
        assert_int_equal(b.s.turn, 0x3fffffff);
    }
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

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(quantum_counts_clocks),
        cmocka_unit_test(quantum_counts_stalls),
        cmocka_unit_test(quantum_only_permits),
        cmocka_unit_test(quantum_off),
        cmocka_unit_test(turns_of_a_packet),
        cmocka_unit_test(turn_limit),
        cmocka_unit_test(units_that_change),
        cmocka_unit_test(quantum_written_within_a_turn),
        cmocka_unit_test(longest_turn),
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
    };

    return cmocka_run_group_tests_name("arbiter_turns", tests, NULL, NULL);
}
