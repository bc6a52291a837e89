// SPDX-License-Identifier: Apache-2.0
//
// The issue stage under load, on the whole machine: partners at a full engine, holds, groups called back to another
// engine, statistics. Rules: docs/issue.md.
// Configuration: full, because a front end needs two pipes and a group a choice of engines.

#include <string.h>

#include "tests.h"

#include "rules_world.h"

#if TOTEM_PIPES == 2 && TOTEM_SE_COUNT >= 2
#define STATISTICS(engine, pipe) \
    (TOTEM_REG_STATS_BASE + (engine)*TOTEM_REG_STATS_STRIDE + (pipe)*TOTEM_REG_WAITS_STRIDE)

enum { CS_LOW, CS_MEDIUM, CS_HIGH };
enum { FILL = TOTEM_SLOTS, OTHER = 2, LONG = 6 }; // waves of an engine; a pipe of another front end; a program

// The queue of that pipe is written next; its groups go to engine 0.
static void open_pipe(world *w, int pipe, uint32_t pipe_priority)
{
    driver_queue q  = world_queue(pipe, 0, 3);
    q.pipe_priority = pipe_priority;
    map_queue(w, &q);
    on(w, pipe, 0);
    one_engine(w);
}

// Groups of so many waves, whose program runs entry x 100 clocks, or 5000 with the last entry.
static void groups(world *w, uint32_t waves, uint32_t entry, uint32_t count)
{
    shape(w, 64 * waves, entry, 1, 0);
    dispatch(w, count, 1, 1);
}

static void programs(world *w)
{
    for (uint32_t entry = 1; entry < LONG; entry++)
        program(w, entry, 100 * entry);
    program(w, LONG, 5000);
}

static unsigned grants(const world *w, int pipe, unsigned from)
{
    return count_of(w, GRANT, pipe, 0, from);
}

static bool presented(const world *w, int pipe, int engine)
{
    return session_out(w->s)->se[engine].port[pipe / TOTEM_PIPES].head_valid[pipe % TOTEM_PIPES];
}

static uint32_t statistics(world *w, unsigned engine, unsigned pipe, unsigned which)
{
    return host_get(w, STATISTICS(engine, pipe) + 4 * which);
}

// A better pipe does not wait for what its partner presented before it: it is the next that is granted.
RULE(better_partner_is_next)
{
    programs(w);
    open_pipe(w, 0, CS_LOW);
    groups(w, FILL, 2, 20);
    open_pipe(w, 1, CS_HIGH);
    groups(w, FILL, 1, 1);
    doorbell(w, 0, 0);
    UNTIL(w, grants(w, 0, 0) == 2);
    doorbell(w, 1, 0);
    UNTIL(w, presented(w, 1, 0));
    const unsigned from = w->count;
    UNTIL(w, grants(w, 1, 0) == 1);
    assert_int_equal(grants(w, 0, from), 0);
}

// A pipe priority written while groups wait: they are granted by it at once.
RULE(priority_of_waiting_groups)
{
    programs(w);
    for (int pipe = OTHER; pipe < OTHER + 4; pipe++) {
        open_pipe(w, pipe, CS_MEDIUM);
        groups(w, 1, 1, 1000);
    }
    open_pipe(w, 0, CS_LOW);
    groups(w, 1, 1, 1);
    for (int pipe = OTHER; pipe < OTHER + 4; pipe++)
        doorbell(w, pipe, 0);
    UNTIL(w, session_out(w->s)->se[0].issue.free_slots == 0);
    doorbell(w, 0, 0);
    UNTIL(w, presented(w, 0, 0));
    const uint64_t begin = now(w);
    UNTIL(w, now(w) == begin + 500);
    assert_int_equal(grants(w, 0, 0), 0);
    window_put(w, 0, 0, WINDOW(CP_HQD_PIPE_PRIORITY), CS_HIGH);
    const uint64_t written = now(w);
    UNTIL(w, grants(w, 0, 0) == 1);
    assert_in_range(now(w) - written, 1, 64);
}

// Equal partners take turns at a full engine.
RULE(equal_partners_alternate)
{
    int last = -1;
    programs(w);
    for (int pipe = 0; pipe < 2; pipe++) {
        open_pipe(w, pipe, CS_MEDIUM);
        groups(w, FILL, 1, 8);
    }
    for (uint32_t pipe = 0; pipe < 2; pipe++)
        driver_doorbell(host(w), now(w), pipe, 0, w->written[pipe][0]);
    UNTIL(w, grants(w, 0, 0) + grants(w, 1, 0) == 16);
    for (unsigned n = 0; n < w->count; n++)
        if (w->events[n].kind == GRANT) {
            assert_true(w->events[n].pipe != last);
            last = w->events[n].pipe;
        }
}

// A head that its partner's pipe leaves no room for does not keep it back.
RULE(head_that_does_not_fit_gives_way)
{
    programs(w);
    host_put(w, MACHINE(HOLD_AFTER_HIGH), 0xffffff);
    open_pipe(w, OTHER, CS_LOW);
    groups(w, FILL / 2, LONG, 1);
    doorbell(w, OTHER, 0);
    UNTIL(w, grants(w, OTHER, 0) == 1);
    open_pipe(w, 1, CS_HIGH);
    groups(w, FILL, 1, 1);
    doorbell(w, 1, 0);
    UNTIL(w, presented(w, 1, 0));
    open_pipe(w, 0, CS_LOW);
    groups(w, 1, 1, 3);
    doorbell(w, 0, 0);
    UNTIL(w, grants(w, 0, 0) == 3);
    assert_int_equal(grants(w, 1, 0), 0);
}

// Small groups of CS_LOW keep the engine full; then one that needs half of it comes. Returns the clocks that it waits.
static uint64_t wait_of_a_large_group(world *w, uint32_t pipe_priority, unsigned *passed)
{
    programs(w);
    for (int pipe = OTHER; pipe < OTHER + 4; pipe++) {
        open_pipe(w, pipe, CS_LOW);
        groups(w, 1, 1 + (uint32_t)pipe % 4, 200);
    }
    open_pipe(w, 0, pipe_priority);
    groups(w, FILL / 2, 1, 1);
    for (int pipe = OTHER; pipe < OTHER + 4; pipe++)
        doorbell(w, pipe, 0);
    UNTIL(w, session_out(w->s)->se[0].issue.free_slots == 0);
    doorbell(w, 0, 0);
    UNTIL(w, presented(w, 0, 0));
    const uint64_t begin = now(w);
    const unsigned from  = w->count;
    UNTIL(w, grants(w, 0, 0) == 1);
    *passed = 0;
    for (int pipe = OTHER; pipe < OTHER + 4; pipe++)
        *passed += grants(w, pipe, from);
    const uint64_t clocks = now(w) - begin;
    assert_true(statistics(w, 0, 0, 3) + 4 > clocks && statistics(w, 0, 0, 3) <= clocks); // the longest
    assert_int_equal(statistics(w, 0, 0, 1), statistics(w, 0, 0, 3));                     // and the only one
    return clocks;
}

// HOLD_AFTER 0: about as long as the longest wave, and next to nothing passes it.
RULE(hold_at_once)
{
    unsigned passed;
    assert_true(wait_of_a_large_group(w, CS_HIGH, &passed) < 400 + 20);
    assert_true(passed < 4);
}

// HOLD_AFTER of its tier, and then as long.
RULE(hold_after)
{
    unsigned passed;
    host_put(w, MACHINE(HOLD_AFTER_LOW), 300);
    const uint64_t clocks = wait_of_a_large_group(w, CS_LOW, &passed);
    assert_true(clocks > 300 && clocks < 300 + 400 + 20);
}

// Without a hold the small ones pass it as long as there are some.
RULE(no_hold)
{
    unsigned passed;
    host_put(w, MACHINE(HOLD_AFTER_LOW), 0xffffff);
    assert_true(wait_of_a_large_group(w, CS_LOW, &passed) > 1500);
    assert_true(passed > 500);
}

// Two holds of a tier are granted in the order in which they began, and a better tier passes both.
RULE(older_hold_first)
{
    programs(w);
    host_put(w, MACHINE(HOLD_AFTER_MEDIUM), 50);
    open_pipe(w, 7, CS_LOW);
    groups(w, FILL, LONG, 1);
    doorbell(w, 7, 0);
    UNTIL(w, grants(w, 7, 0) == 1);
    static const int order[] = {4, 1, 3}; // 1 and 3 are higher in the pole
    for (unsigned n = 0; n < COUNT(order); n++) {
        open_pipe(w, order[n], CS_MEDIUM);
        groups(w, FILL, 1, 1);
        doorbell(w, order[n], 0);
        UNTIL(w, session_out(w->s)->se[0].hold.valid[order[n]]);
    }
    open_pipe(w, 6, CS_HIGH);
    groups(w, FILL, 1, 1);
    doorbell(w, 6, 0);
    UNTIL(w, grants(w, 3, 0) == 1);
    const uint64_t first = find_event(w, GRANT, 4, 0, 0)->clock, second = find_event(w, GRANT, 1, 0, 0)->clock;
    assert_true(find_event(w, GRANT, 6, 0, 0)->clock < first);
    assert_true(first < second && second < find_event(w, GRANT, 3, 0, 0)->clock);
}

// A group that fits does not starve behind two pipes of its tier whose large groups hold the engine in turn.
RULE(no_starvation_behind_holds)
{
    programs(w);
    for (int pipe = 0; pipe < 2 * OTHER; pipe += OTHER) {
        open_pipe(w, pipe, CS_HIGH);
        groups(w, FILL - 4, 3, 20);
    }
    open_pipe(w, 2 * OTHER, CS_HIGH);
    groups(w, 1, 1, 1);
    for (int pipe = 0; pipe < 2 * OTHER; pipe += OTHER)
        doorbell(w, pipe, 0);
    UNTIL(w, grants(w, 0, 0) + grants(w, OTHER, 0) == 3);
    doorbell(w, 2 * OTHER, 0);
    UNTIL(w, grants(w, 2 * OTHER, 0) == 1);
    assert_true(grants(w, 0, 0) + grants(w, OTHER, 0) <= 6);
}

// A group that waits at a full engine is called back when another one has room, and launched there.
RULE(called_back_to_another_engine)
{
    programs(w);
    static const uint32_t entry[] = {LONG, 3}; // engine 1 is free first
    for (int e = 0; e < 2; e++) {
        open_pipe(w, OTHER + e, CS_LOW);
        SET_SH(w, 0x16, e == 0 ? ~0u : 0, e == 1 ? ~0u : 0);
        groups(w, FILL, entry[e], 1);
    }
    open_pipe(w, 0, CS_LOW);
    SET_SH(w, 0x16, ~0u, ~0u);
    groups(w, FILL, 1, 1);
    for (int e = 0; e < 2; e++) {
        doorbell(w, OTHER + e, 0);
        UNTIL(w, grants(w, OTHER + e, 0) == 1);
    }
    doorbell(w, 0, 0);
    UNTIL(w, presented(w, 0, 0));
    UNTIL(w, grants(w, 0, 0) == 1);
    assert_int_equal(find_event(w, GRANT, 0, 0, 0)->engine, 1);
    assert_int_equal(grants(w, 0, 0), 1);
}

// Groups of one wave of four front ends: a wave a clock.
RULE(one_wave_a_clock_and_engine)
{
    uint64_t first = 0, last = 0;
    unsigned waves = 0;
    program(w, 1, 2000);
    for (int pipe = 0; pipe < WORLD_PIPES; pipe++) {
        open_pipe(w, pipe, CS_LOW);
        groups(w, 1, 1, FILL);
    }
    for (uint32_t pipe = 0; pipe < WORLD_PIPES; pipe++)
        driver_doorbell(host(w), now(w), pipe, 0, w->written[pipe][0]);
    UNTIL(w, session_out(w->s)->se[0].issue.free_slots == 0);
    for (unsigned n = 0; n < w->count; n++)
        if (w->events[n].kind == LAUNCH) {
            first = waves++ == 16 ? w->events[n].clock : first; // the first ones have their headers in front
            last  = w->events[n].clock;
        }
    assert_int_equal(last - first, waves - 17);
}

// A pipe that is granted at once is passed by nobody; the host clears what it has read.
RULE(statistics_are_cleared)
{
    programs(w);
    for (int pipe = 0; pipe < 2; pipe++) {
        open_pipe(w, pipe, CS_MEDIUM);
        groups(w, FILL, 1, 3);
    }
    for (uint32_t pipe = 0; pipe < 2; pipe++)
        driver_doorbell(host(w), now(w), pipe, 0, w->written[pipe][0]);
    UNTIL(w, session_idle(w->s));
    for (unsigned pipe = 0; pipe < 2; pipe++) {
        assert_in_range(statistics(w, 0, pipe, 1), 300, 5 * (FILL + 140)); // three groups in turn with three
        assert_in_range(statistics(w, 0, pipe, 3), 100, 2 * (FILL + 140));
        assert_int_equal(statistics(w, 1, pipe, 1), 0);
        host_put(w, STATISTICS(0, pipe) + 4, 0);
        for (unsigned which = 0; which < 4; which++)
            assert_int_equal(statistics(w, 0, pipe, which), 0);
    }
}
#endif
