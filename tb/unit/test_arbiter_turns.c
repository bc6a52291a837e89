// SPDX-License-Identifier: Apache-2.0
//
// totem_arbiter: how long a turn lasts, conditions 2 and 3, and writes of priorities (docs/contract/arbiter.md).

#include "arbiter_bench.h"

enum { NEVER = 1000000 };

static void stays(bench *b, unsigned clocks)
{
    while (clocks--) {
        assert_false(b->o.leave);
        tick(b);
    }
}

// `leave` is seen for the first time so many clocks after this one.
static void leaves_in(bench *b, unsigned clocks)
{
    stays(b, clocks);
    assert_true(b->o.leave);
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

static void next_turn(bench *b)
{
    left(b);
    CLOCKS_UNTIL(b, b->o.go, 3);
    goes(b, 1);
}

// The quantum is used up DURATION units after go: seen then, leave one clock later. The limit ends a turn in which
// nothing has run; up to 1024 it counts as that, and 0 is none.
RULE(length_of_a_turn)
{
    static const struct {
        uint64_t quantum;
        unsigned limit;
        bool     runs;
        unsigned clocks;
    } rows[] = {
        {0x101, 0, true, 10},      {0x201, 0, true, 20},     {0x3f01, 0, true, 630},
        {0x111, 0, true, 25},      {0x3f11, 0, true, 1575},  {0x411, 0, true, 100},
        {0x3fffc501, 0, true, 50}, {0x001, 0, false, NEVER}, {0x001, 1077, false, 1078},
        {0x001, 77, false, 1025},  {0x001, 77, true, 0},     {0x1001, 77, false, 1025}, // the limit is not the quantum
    };
    for (unsigned n = 0; n < COUNT(rows); n++) {
        two_equals(b, rows[n].quantum);
        LEVEL(b, settings_turn_limit, rows[n].limit);
        if (rows[n].runs)
            executes(b);
        if (rows[n].clocks == NEVER)
            stays(b, 100000);
        else
            leaves_in(b, rows[n].clocks);
    }
}

// DURATION 0 is used up at once, but something must have run.
RULE(turns_of_a_packet)
{
    for (unsigned group = 0; group < 2; group++) {
        two_equals(b, 0x001);
        stays(b, 2000);
        b->i.grant_valid[TOTEM_SE_COUNT - 1] = group;
        b->i.packet_executed                 = !group;
        tick(b);
        assert_true(b->o.leave);
        next_turn(b);
        stays(b, 20); // what the last queue has run does not count for this one
        executes(b);
        assert_true(b->o.leave);
    }
}

// After a unit and a half of 10 clocks; 0 counts as 1.
RULE(units_that_change)
{
    static const struct {
        uint32_t unit;
        unsigned clocks;
    } rows[] = {{3, 2}, {100, 300 - 15 + 1}, {0, 2}};
    for (unsigned n = 0; n < COUNT(rows); n++) {
        two_equals(b, 0x301);
        executes(b);
        ticks(b, 14);
        LEVEL(b, settings_quantum_unit0, rows[n].unit);
        leaves_in(b, rows[n].clocks);
    }
    two_equals(b, 0x501);
    LEVEL(b, settings_quantum_unit0, 0);
    executes(b);
    leaves_in(b, 5);
    ticks(b, 9994);
    assert_int_equal(b->s.turn, 10000);
}

// The longest quantum there is ends, and a turn that lasts longer than can be counted stays at its end.
RULE(longest_turn)
{
    two_equals(b, 0x3f01);
    LEVEL(b, settings_quantum_unit0, 0xffffff);
    executes(b);
    ticks(b, 3);
    assert_int_equal(b->s.limit, 63 * 0xffffff);
    b->s.turn = 63 * 0xffffff - 5;
    leaves_in(b, 6);
    two_equals(b, 0);
    LEVEL(b, settings_turn_limit, 2000);
    b->s.turn = 0x3ffffffe;
    for (unsigned n = 0; n < 10; n++) {
        tick(b);
        assert_int_equal(b->s.turn, 0x3fffffff);
    }
}

// When the turn ends after a write; the clock of the write has no candidates, so leave comes three clocks after it.
RULE(writes_of_priorities)
{
    enum { PACKET, HOST, NOBODY };
    static const struct {
        uint64_t quantum;
        bool     runs, event; // something has run; EVENT_ON_PRIORITY_WRITE
        uint8_t  writer, queue, priority;
        unsigned clocks;
    } rows[] = {
        {0, true, false, PACKET, 0, 5, 2},            // a yield
        {0x3f01, true, false, PACKET, 0, 5, 630 - 1}, // with a quantum: only when that is used up
        {0x3f01, false, false, PACKET, 0, 4, 2},      // lowers itself: condition 1, nothing executed
        {0x3f01, false, false, PACKET, 1, 6, 2},      // raises the other
        {0, true, false, PACKET, 1, 4, NEVER},        // no equal one any more
        {0, true, false, HOST, 0, 5, NEVER},          // is no yield
        {0, true, true, HOST, 3, 0, 2},
        {0, true, true, PACKET, 3, 0, 2},
        {0x3f01, true, true, HOST, 3, 0, 2},
        {0x3f01, true, true, PACKET, 3, 0, 2},
        {0x3f01, false, true, HOST, 0, 5, NEVER}, // something must have run
        {0x3f01, true, true, NOBODY, 0, 0, NEVER},
    };
    for (unsigned n = 0; n < COUNT(rows); n++)
        for (unsigned late = 0; late <= rows[n].event; late++) { // set after the write
            two_equals(b, rows[n].quantum);
            if (rows[n].runs)
                executes(b);
            LEVEL(b, settings_event_on_priority_write, rows[n].event && !late);
            if (rows[n].writer == PACKET)
                packet_writes(b, rows[n].queue, rows[n].priority);
            else if (rows[n].writer == HOST)
                load(b, LOAD_QUEUE_PRIORITY, rows[n].queue, rows[n].priority);
            LEVEL(b, settings_event_on_priority_write, rows[n].event);
            if (rows[n].clocks != NEVER) {
                leaves_in(b, rows[n].clocks);
                continue;
            }
            stays(b, 200);
            if (!rows[n].runs) {
                executes(b);
                assert_true(b->o.leave);
            }
        }
}
