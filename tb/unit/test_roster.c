// SPDX-License-Identifier: Apache-2.0
//
// totem_roster: requests, clocks and meetings of docs/contract/roster.md. The bench is the two RAMs, and keeps the lists
// in arrays of its own.

#include "block_bench.h"

#include "totem_roster.h"

BENCH(roster)

enum { ENTRIES = TOTEM_RUN_QUEUES, LISTS = TOTEM_ROSTER_RUN_LISTS, NOWHERE = LISTS };

typedef struct {
    bench                       b;
    TOTEM_ROSTER_LINK_READ_DATA link[ENTRIES], ends[LISTS];
    unsigned                    order[LISTS][ENTRIES]; // entries of a list, the first in place 0
    unsigned                    length[LISTS];
    unsigned                    home[ENTRIES]; // list of an entry, or NOWHERE
    unsigned                    waiting;
} roster_bench;

static void clock_edge(roster_bench *t)
{
    const totem_roster_out *o = &t->b.o;
    assert_false(o->link_read_enable && o->link_write_enable);
    assert_false(o->ends_read_enable && o->ends_write_enable);
    if (o->ends_read_enable)
        t->b.hold.ends_read_data = t->ends[o->ends_read_addr];
    if (o->ends_write_enable)
        t->ends[o->ends_write_addr] = o->ends_write_data;
    TICK_WITH_RAM(t, t->link, link);
}

// Reset: all lists are empty; the RAMs keep what they hold.
static void forget(roster_bench *t)
{
    totem_roster_reset(&t->b.s);
    memset(t->length, 0, sizeof t->length);
    for (unsigned e = 0; e < ENTRIES; e++)
        t->home[e] = NOWHERE;
    t->waiting = 0;
    show(&t->b);
}

static void open_bench(roster_bench *t)
{
    memset(t, 0, sizeof *t);
    for (unsigned n = 0; n < ENTRIES; n++)
        t->link[n] = (TOTEM_ROSTER_LINK_READ_DATA)(n * 37 % (ENTRIES * ENTRIES));
    for (unsigned n = 0; n < LISTS; n++)
        t->ends[n] = (TOTEM_ROSTER_LINK_READ_DATA)(n * 21 % (ENTRIES * ENTRIES));
    fresh(&t->b);
    forget(t);
}

#define ROSTER_RULE(name) RULE_OF(roster_bench, open_bench, t, name)

static unsigned place_of(const roster_bench *t, unsigned entry)
{
    const unsigned *const order = t->order[t->home[entry]];
    unsigned              place = 0;
    while (order[place] != entry)
        place++;
    return place;
}

static void insert(roster_bench *t, unsigned list, unsigned place, unsigned entry)
{
    unsigned *const at = &t->order[list][place];
    memmove(at + 1, at, (t->length[list]++ - place) * sizeof *at);
    *at            = entry;
    t->home[entry] = list;
    t->waiting++;
}

static void drop(roster_bench *t, unsigned entry)
{
    const unsigned  list = t->home[entry], place = place_of(t, entry);
    unsigned *const at = &t->order[list][place];
    memmove(at, at + 1, (--t->length[list] - place) * sizeof *at);
    t->home[entry] = NOWHERE;
    t->waiting--;
}

// A request in the first clock in which it is accepted; afterwards the next one can be offered.
static void ask(roster_bench *t, unsigned op, unsigned list, unsigned entry)
{
    const unsigned length  = t->length[list];
    const bool     refused = op == ROSTER_FIRST && length == 0;
    const unsigned answer  = op != ROSTER_FIRST ? entry : refused ? 0 : t->order[list][0];
    unsigned       ready   = 3;

    switch (op) {
    case ROSTER_PUSH:
    case ROSTER_PUSH_FIRST:
        ready = length ? 6 : 3;
        insert(t, list, op == ROSTER_PUSH ? length : 0, entry);
        break;
    case ROSTER_REMOVE:
        ready = place_of(t, entry) == 0 || place_of(t, entry) == length - 1 ? 3 : 6;
        drop(t, entry);
        break;
    default: break;
    }
    assert_true(t->b.o.request_ready);
    t->b.i.request_valid = true;
    t->b.i.request_op    = (uint8_t)op;
    t->b.i.request_list  = (uint8_t)list;
    t->b.i.request_entry = (TOTEM_ROSTER_ENTRY)entry;
    for (unsigned n = 1; n <= ready; n++) {
        clock_edge(t);
        assert_int_equal(t->b.o.answer_valid, n == 3);
        assert_int_equal(t->b.o.request_ready, n == ready);
        if (n < 3)
            continue;
        assert_int_equal(t->b.o.waiting, t->waiting);
        for (unsigned l = 0; l < LISTS; l++)
            assert_int_equal(t->b.o.filled[l], t->length[l] != 0);
        if (n == 3 && !refused)
            assert_int_equal(t->b.o.answer_entry, answer);
        assert_true(n > 3 || t->b.o.answer_refused == refused);
    }
}

static void quiet(roster_bench *t, unsigned count)
{
    while (count--) {
        clock_edge(t);
        assert_false(t->b.o.answer_valid);
        assert_true(t->b.o.request_ready);
    }
}

// The first of a list leaves it, until it is empty.
static void empty(roster_bench *t, unsigned list)
{
    while (t->length[list]) {
        ask(t, ROSTER_FIRST, list, 0);
        ask(t, ROSTER_REMOVE, list, t->order[list][0]);
    }
    ask(t, ROSTER_FIRST, list, 0);
}

// Behind all and before all; another list has its own order.
ROSTER_RULE(push)
{
    ask(t, ROSTER_FIRST, 3, 0);
    ask(t, ROSTER_PUSH, 3, 4);
    ask(t, ROSTER_PUSH_FIRST, LISTS - 1, 9);
    ask(t, ROSTER_PUSH, 3, 5);
    ask(t, ROSTER_PUSH_FIRST, 3, 0);
    ask(t, ROSTER_PUSH_FIRST, LISTS - 1, 8);
    ask(t, ROSTER_PUSH, LISTS - 1, ENTRIES - 1);
    quiet(t, 4);
    empty(t, 3);
    empty(t, LISTS - 1);
    quiet(t, 4);
}

// First, last, the only one, and each place between: the others keep their order, in both directions.
ROSTER_RULE(remove)
{
    for (unsigned length = 1; length <= 5; length++)
        for (unsigned place = 0; place < length; place++) {
            for (unsigned e = 0; e < length; e++)
                ask(t, ROSTER_PUSH, 7, e * 5 + 2);
            ask(t, ROSTER_REMOVE, 7, place * 5 + 2);
            while (t->length[7] > 1) // the ends close in from both sides
                ask(t, ROSTER_REMOVE, 7, t->order[7][t->length[7] % 2 ? 0 : t->length[7] - 1]);
            empty(t, 7);
        }
}

// All entries in one list; removed in an order of its own.
ROSTER_RULE(all_entries)
{
    for (unsigned e = 0; e < ENTRIES; e++)
        ask(t, e % 3 ? ROSTER_PUSH : ROSTER_PUSH_FIRST, 0, e);
    assert_int_equal(t->b.o.waiting, ENTRIES);
    for (unsigned e = 0; e < ENTRIES; e++)
        ask(t, ROSTER_REMOVE, 0, (e * 11 + 6) % ENTRIES); // odd: each once
    assert_int_equal(t->b.o.waiting, 0);
}

// Reset in every clock of a request: all lists are empty afterwards.
ROSTER_RULE(reset)
{
    for (unsigned clocks = 0; clocks < 7; clocks++) {
        for (unsigned e = 0; e < 3; e++)
            ask(t, ROSTER_PUSH, 1, e);
        t->b.i.request_valid = true;
        t->b.i.request_op    = ROSTER_REMOVE;
        t->b.i.request_list  = 1;
        t->b.i.request_entry = 1;
        for (unsigned n = 0; n < clocks; n++)
            clock_edge(t);
        t->b.i = t->b.hold;
        forget(t);
        quiet(t, 1);
        ask(t, ROSTER_FIRST, 1, 0);
        ask(t, ROSTER_PUSH, 2, 1);
        empty(t, 2);
        forget(t);
    }
}

static unsigned draw(uint64_t *seed, unsigned below)
{
    *seed = *seed * 6364136223846793005u + 1442695040888963407u;
    return (unsigned)((*seed >> 33) % below);
}

// All requests in any order, with and without pauses, in few lists and in all.
ROSTER_RULE(any_order)
{
    for (uint64_t seed = 1; seed <= 20; seed++) {
        uint64_t       random = seed;
        const unsigned lists = seed % 4 ? 2 : LISTS, entries = seed % 2 ? 6 : ENTRIES;
        for (unsigned n = 0; n < 600; n++) {
            const unsigned entry = draw(&random, entries), list = draw(&random, lists);
            if (draw(&random, 4) == 0)
                ask(t, ROSTER_FIRST, list, entry);
            else if (t->home[entry] == NOWHERE)
                ask(t, draw(&random, 3) ? ROSTER_PUSH : ROSTER_PUSH_FIRST, list, entry);
            else
                ask(t, ROSTER_REMOVE, t->home[entry], entry);
            if (draw(&random, 4) == 0)
                quiet(t, 1 + draw(&random, 3));
        }
        forget(t);
    }
}
