// SPDX-License-Identifier: Apache-2.0
//
// totem_place: ranks, clocks and meetings of docs/contract/place.md. The bench has the slots and their pipes, and shows
// each slot in the clock after it is asked.

#include "block_bench.h"

#include "totem_place.h"

BENCH(place)

enum { N = TOTEM_PIPE_COUNT * TOTEM_QUEUES, CANDIDATE = 7 };

typedef struct {
    bench          b;
    totem_place_in slots[N]; // what is shown of each
    unsigned       asked;    // of this scan
} place_bench;

// Every slot has a queue that nobody may evict: equal priority, has work, has not used up its quantum.
static void open_bench(place_bench *t)
{
    memset(t, 0, sizeof *t);
    fresh(&t->b);
    for (unsigned n = 0; n < N; n++)
        t->slots[n] = (totem_place_in){.slot_usable   = true,
                                       .slot_phase    = SLOT_RUNNING,
                                       .slot_wants    = true,
                                       .slot_turn     = true,
                                       .slot_priority = CANDIDATE,
                                       .slot_selected = 100,
                                       .pipe_running  = 8,
                                       .pipe_mapped   = 4,
                                       .pipe_highest  = CANDIDATE + 1};
}

#define RULE(name) RULE_OF(place_bench, open_bench, t, name)

static void clock_edge(place_bench *t)
{
    const bool     asks = t->b.o.ask;
    const unsigned slot = t->b.o.slot;
    if (asks)
        assert_int_equal(slot, t->asked++);
    tick(&t->b);
    if (asks)
        t->b.i = t->slots[slot];
}

// A scan from its start to its answer, which is left standing.
static void scan(place_bench *t, unsigned level, bool may_yield)
{
    t->asked              = 0;
    t->b.i.start          = true;
    t->b.i.start_yield    = may_yield;
    t->b.i.start_priority = (uint8_t)level;
    for (unsigned n = 0; n < N + 3; n++) {
        clock_edge(t);
        assert_int_equal(t->b.o.done, n == N + 2);
    }
    assert_int_equal(t->asked, N);
}

static void finds(place_bench *t, unsigned slot, unsigned why)
{
    scan(t, CANDIDATE, false);
    assert_true(t->b.o.found);
    assert_int_equal(t->b.o.chosen, slot);
    assert_int_equal(t->b.o.reason, why);
}

static void nothing(place_bench *t, unsigned level)
{
    scan(t, level, false);
    assert_false(t->b.o.found);
    assert_int_equal(t->b.o.reason, PLACE_NONE);
}

// Each slot by one more reason: the lowest reason is taken, whatever comes first.
RULE(reasons)
{
    nothing(t, CANDIDATE);
    scan(t, CANDIDATE, true);
    assert_int_equal(t->b.o.reason, PLACE_YIELD);
    t->slots[3].slot_used = true;
    finds(t, 3, PLACE_QUANTUM);
    t->slots[0].slot_priority = CANDIDATE - 1;
    finds(t, 0, PLACE_LOWER);
    t->slots[2].slot_parked = true;
    finds(t, 2, PLACE_PARKED);
    t->slots[3].slot_wants = false;
    finds(t, 3, PLACE_IDLE);
    t->slots[1].slot_phase = SLOT_EMPTY;
    t->slots[1].pipe_empty = 1;
    finds(t, 1, PLACE_FREE);
    t->slots[1].slot_usable = false;
    finds(t, 3, PLACE_IDLE);
}

// An equal queue leaves only if it has had a turn and has used up its quantum; a better one only by a YIELD, and the
// longest selected of any priority first, if it has had a turn.
RULE(equals)
{
    for (unsigned n = 0; n < N; n++)
        t->slots[n].slot_used = true, t->slots[n].slot_turn = false;
    nothing(t, CANDIDATE);
    nothing(t, CANDIDATE - 1);
    t->slots[1].slot_turn = t->slots[2].slot_turn = true;
    t->slots[2].slot_selected                     = 0x800000;
    t->slots[3].slot_selected                     = 0xffffff;
    finds(t, 2, PLACE_QUANTUM);
    nothing(t, CANDIDATE - 1);
    t->slots[3].slot_priority = 15;
    scan(t, 0, true);
    assert_int_equal(t->b.o.chosen, 2); // the third has had no turn
    t->slots[3].slot_turn = true;
    scan(t, 0, true);
    assert_int_equal(t->b.o.chosen, 3);
    assert_int_equal(t->b.o.reason, PLACE_YIELD);
}

// Of lower queues the lowest, then the longest selected, then the first.
RULE(lower)
{
    static const unsigned levels[4] = {5, 3, 3, 3}, clocks[4] = {0xffffff, 10, 70000, 70000};
    for (unsigned n = 0; n < 4; n++) {
        t->slots[n].slot_priority = (uint8_t)levels[n];
        t->slots[n].slot_selected = clocks[n];
    }
    finds(t, 2, PLACE_LOWER);
    t->slots[2].slot_selected--;
    finds(t, 3, PLACE_LOWER);
    scan(t, 15, false);
    assert_int_equal(t->b.o.reason, PLACE_LOWER); // all are lower than 15
    nothing(t, 3);
}

// The pipe that runs the lowest priority, nothing at all before priority 0, then with the fewest queues.
RULE(quiet_pipes)
{
    static const struct {
        unsigned running[4], mapped[4], best;
    } rows[] = {
        {{3, 1, 0, 16}, {0, 0, 8, 0}, 2},
        {{2, 2, 2, 2}, {7, 6, 5, 6}, 2},
        {{16, 8, 8, 16}, {1, 8, 7, 0}, 2},
        {{4, 4, 4, 4}, {3, 3, 3, 3}, 0},
    };
    for (unsigned what = PLACE_FREE; what <= PLACE_PARKED; what++)
        for (unsigned k = 0; k < COUNT(rows); k++) {
            for (unsigned n = 0; n < 4; n++) {
                t->slots[n].slot_phase   = what == PLACE_FREE ? SLOT_EMPTY : SLOT_RUNNING;
                t->slots[n].slot_wants   = what == PLACE_PARKED;
                t->slots[n].slot_parked  = what == PLACE_PARKED;
                t->slots[n].pipe_empty   = 1;
                t->slots[n].pipe_running = (uint8_t)rows[k].running[n];
                t->slots[n].pipe_mapped  = (uint8_t)rows[k].mapped[n];
            }
            finds(t, rows[k].best, what);
        }
}

// SPARE slots of a pipe are for a priority above all that are mapped there; a pipe without queues has no such.
RULE(spare_slots)
{
    for (unsigned spare = 0; spare < 3; spare++)
        for (unsigned empty = 1; empty < 4; empty++)
            for (unsigned highest = 0; highest <= 16; highest++) {
                for (unsigned n = 0; n < N; n++)
                    t->slots[n].spare = (uint8_t)spare;
                t->slots[2].slot_phase   = SLOT_EMPTY;
                t->slots[2].pipe_empty   = (uint8_t)empty;
                t->slots[2].pipe_highest = (uint8_t)highest;
                if (empty > spare || highest <= CANDIDATE)
                    finds(t, 2, PLACE_FREE);
                else
                    nothing(t, CANDIDATE);
            }
}

// A slot that moves is not taken by any reason.
RULE(moving_slots)
{
    for (unsigned phase = SLOT_BUSY; phase < 4; phase++) {
        for (unsigned n = 0; n < N; n++) {
            t->slots[n].slot_phase = (uint8_t)phase;
            t->slots[n].slot_wants = n & 1;
            t->slots[n].pipe_empty = 15;
        }
        scan(t, 15, true);
        assert_false(t->b.o.found);
    }
}

// A start inside a scan is not looked at; one in the clock of the answer begins the next scan.
RULE(starts_that_meet)
{
    t->slots[1].slot_wants = false;
    finds(t, 1, PLACE_IDLE);
    t->slots[1].slot_wants = true; // at once: the answer before is still shown
    scan(t, CANDIDATE, false);
    assert_false(t->b.o.found);
    t->b.i.start          = true;
    t->b.i.start_priority = CANDIDATE;
    t->asked              = 0;
    for (unsigned n = 0; n < N + 3; n++) {
        clock_edge(t);
        if (n < N + 2) {
            assert_false(t->b.o.done);
            t->b.i.start          = true;
            t->b.i.start_yield    = true;
            t->b.i.start_priority = 15;
        }
    }
    assert_true(t->b.o.done && !t->b.o.found);
    clock_edge(t);
    assert_false(t->b.o.ask || t->b.o.done);
}
