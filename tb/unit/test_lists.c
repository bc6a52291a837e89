// SPDX-License-Identifier: Apache-2.0
//
// totem_lists: requests, clocks and meetings of docs/contract/lists.md. The bench is the two RAMs, and keeps the lists
// and the free entries in arrays of its own.

#include "block_bench.h"

#include "totem_lists.h"

BENCH(lists)

enum { ENTRIES = TOTEM_ENTRIES, LISTS = TOTEM_LISTS, NOTHING = 7 };

typedef struct {
    bench                      b;
    TOTEM_LISTS_ENTRY          link[ENTRIES];
    TOTEM_LISTS_ENDS_READ_DATA ends[LISTS];
    unsigned                   order[LISTS][ENTRIES]; // entries of a list, the first in place 0
    unsigned                   length[LISTS];
    unsigned                   held[ENTRIES], holds;
    unsigned                   stack[ENTRIES], returned; // entries that were freed, the last on top
    unsigned                   mark;                     // entries from it on were never taken
} lists_bench;

static void clock_edge(lists_bench *t)
{
    const totem_lists_out *o = &t->b.o;
    assert_false(o->link_read_enable && o->link_write_enable);
    assert_false(o->ends_read_enable && o->ends_write_enable);
    if (o->ends_read_enable)
        t->b.hold.ends_read_data = t->ends[o->ends_read_addr];
    if (o->ends_write_enable)
        t->ends[o->ends_write_addr] = o->ends_write_data;
    TICK_WITH_RAM(t, t->link, link);
}

// All entries are free; the RAMs keep what they hold.
static void forget(lists_bench *t)
{
    totem_lists_reset(&t->b.s);
    memset(t->length, 0, sizeof t->length);
    t->holds = t->returned = t->mark = 0;
    show(&t->b);
}

static void open_bench(lists_bench *t)
{
    memset(t, 0, sizeof *t);
    for (unsigned n = 0; n < ENTRIES; n++)
        t->link[n] = (TOTEM_LISTS_ENTRY)((n * 5 + 3) % ENTRIES);
    for (unsigned n = 0; n < LISTS; n++)
        t->ends[n] = (TOTEM_LISTS_ENDS_READ_DATA)(n % ENTRIES);
    fresh(&t->b);
}

static void close_bench(lists_bench *t)
{
    (void)t;
}

#define LISTS_RULE(name) RULE_IN(lists_bench, open_bench, close_bench, t, name)

static void drop(unsigned *list, unsigned *length, unsigned place)
{
    memmove(&list[place], &list[place + 1], (--*length - place) * sizeof *list);
}

static void insert(unsigned *list, unsigned *length, unsigned place, unsigned entry)
{
    memmove(&list[place + 1], &list[place], ((*length)++ - place) * sizeof *list);
    list[place] = entry;
}

static void no_longer_held(lists_bench *t, unsigned entry)
{
    for (unsigned n = 0; n < t->holds; n++)
        if (t->held[n] == entry) {
            drop(t->held, &t->holds, n);
            return;
        }
    fail_msg("entry %u is not held", entry);
}

// What is due: the answer, and the clocks until the next request.
typedef struct {
    bool     refused;
    unsigned entry, answer, ready;
} due;

static due expect(lists_bench *t, unsigned op, unsigned list, unsigned entry)
{
    unsigned *const order  = t->order[list];
    unsigned *const length = &t->length[list];
    due             d      = {.refused = true, .answer = 3, .ready = 3};
    switch (op) {
    case LISTS_PUSH_TAIL:
    case LISTS_PUSH_HEAD:
        no_longer_held(t, entry);
        insert(order, length, op == LISTS_PUSH_TAIL ? *length : 0, entry);
        d.refused = false;
        d.entry   = entry;
        break;
    case LISTS_POP:
    case LISTS_PEEK:
    case LISTS_REPLACE:
        if (*length == 0)
            break;
        d.refused = false;
        d.entry   = order[0];
        if (op == LISTS_PEEK)
            break;
        d.ready = *length > 1 ? 5 : 3;
        drop(order, length, 0);
        if (op == LISTS_REPLACE) {
            no_longer_held(t, entry);
            insert(order, length, 0, entry);
        }
        t->held[t->holds++] = d.entry;
        break;
    case LISTS_TAKE:
        d.answer = d.ready = 1;
        if (t->returned) {
            d.refused = false;
            d.entry   = t->stack[--t->returned];
            d.ready   = 3;
        } else if (t->mark < ENTRIES) {
            d.refused = false;
            d.entry   = t->mark++;
        }
        if (!d.refused)
            t->held[t->holds++] = d.entry;
        break;
    case LISTS_FREE:
        d.answer = d.ready = 1;
        if (t->returned == t->mark)
            break;
        no_longer_held(t, entry);
        d.refused               = false;
        d.entry                 = entry;
        t->stack[t->returned++] = entry;
        break;
    default: d.answer = d.ready = 1; break;
    }
    return d;
}

// A request in the first clock in which it is accepted; afterwards the next one can be offered.
static due ask(lists_bench *t, unsigned op, unsigned list, unsigned entry)
{
    assert_true(t->b.o.request_ready);
    assert_int_equal(t->b.o.room, t->returned + ENTRIES - t->mark);
    for (unsigned n = 0; n < LISTS; n++) // those of the last request may be written only now
        if (t->b.s.phase != 6 || n != t->b.s.list)
            assert_int_equal(t->b.o.filled[n], t->length[n] != 0);
    const due d          = expect(t, op, list, entry);
    t->b.i.request_valid = true;
    t->b.i.request_op    = (uint8_t)op;
    t->b.i.request_list  = (uint8_t)list;
    t->b.i.request_entry = (TOTEM_LISTS_ENTRY)entry;
    for (unsigned n = 1; n <= d.ready; n++) {
        clock_edge(t);
        assert_int_equal(t->b.o.answer_valid, n == d.answer);
        if (n == d.answer) {
            assert_int_equal(t->b.o.answer_refused, d.refused);
            if (!d.refused)
                assert_int_equal(t->b.o.answer_entry, d.entry);
        }
        assert_int_equal(t->b.o.request_ready, n == d.ready);
    }
    return d;
}

static unsigned take(lists_bench *t)
{
    const due d = ask(t, LISTS_TAKE, 0, 0);
    assert_false(d.refused);
    return d.entry;
}

static void quiet(lists_bench *t, unsigned count)
{
    while (count--) {
        clock_edge(t);
        assert_false(t->b.o.answer_valid);
        assert_true(t->b.o.request_ready);
    }
}

// Entries come in the order 0, 1, .. ; the one freed last comes again first; none too many.
LISTS_RULE(take_and_free)
{
    assert_true(ask(t, LISTS_FREE, 0, 1).refused);
    for (unsigned n = 0; n < ENTRIES; n++)
        assert_int_equal(take(t), n);
    assert_int_equal(t->b.o.room, 0);
    assert_true(ask(t, LISTS_TAKE, 0, 0).refused);
    for (unsigned n = 0; n < ENTRIES; n++)
        ask(t, LISTS_FREE, LISTS - 1, (n * 3 + 1) % ENTRIES); // three is odd: each once
    assert_true(ask(t, LISTS_FREE, 0, 0).refused);
    for (unsigned n = ENTRIES; n-- > 0;)
        assert_int_equal(take(t), (n * 3 + 1) % ENTRIES);
    assert_true(ask(t, LISTS_TAKE, 0, 0).refused);
    assert_true(ask(t, NOTHING, 1, 1).refused);
    quiet(t, 5);
}

static unsigned draw(uint64_t *seed, unsigned below)
{
    *seed = *seed * 6364136223846793005u + 1442695040888963407u;
    return (unsigned)((*seed >> 33) % below);
}

// All requests in any order, with and without pauses, few lists and all lists, nearly full and nearly empty.
LISTS_RULE(any_order)
{
    for (uint64_t seed = 1; seed <= 40; seed++) {
        uint64_t       random = seed;
        const unsigned lists  = seed % 4 ? 2 : LISTS;
        forget(t);
        for (unsigned n = 0; n < 600; n++) {
            const unsigned list = draw(&random, lists);
            unsigned       op   = draw(&random, 8);
            const bool     names =
                op == LISTS_PUSH_TAIL || op == LISTS_PUSH_HEAD || op == LISTS_REPLACE || op == LISTS_FREE;
            if (op == LISTS_FREE && n % 200 < 120)
                op = LISTS_PUSH_TAIL;
            if (names && t->holds == 0)
                op = draw(&random, 2) ? LISTS_TAKE : LISTS_POP;
            ask(t, op, list, t->holds ? t->held[draw(&random, t->holds)] : 0);
            if (draw(&random, 4) == 0)
                quiet(t, 1 + draw(&random, 3));
        }
    }
}
