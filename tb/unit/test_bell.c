// SPDX-License-Identifier: Apache-2.0
//
// totem_bell: doorbells, orders, events and clocks of docs/contract/bell.md. The bench is the two RAMs, keeps what each
// entry holds, and looks at every answer and event.

#include "block_bench.h"

#include "../packet/totem_pm4.h"
#include "totem_bell.h"

BENCH(bell)

enum { ENTRIES = TOTEM_RUN_QUEUES, UNMAPPED = TOTEM_ERROR_HOST_DOORBELL_UNMAPPED & 31, MOST = 13 };

typedef struct {
    bench            b;
    uint64_t         word[ENTRIES];
    TOTEM_BELL_ENTRY queue[ENTRIES];
    bool     known[ENTRIES], pending[ENTRIES], told[ENTRIES]; // told: its event was taken since it became pending
    uint32_t wptr[ENTRIES];
    bool     stands[ENTRIES]; // in the queue
    unsigned events;
    unsigned host, order; // clocks since the access or order began
    uint32_t rdata;       // of the last read of the host
    bool     answer;      // pending, of the last order
} bell_bench;

static void ring_done(bell_bench *t)
{
    const totem_bell_in *i = &t->b.i;
    const unsigned       e = i->host_request_entry;
    assert_int_equal(t->b.o.host_error, i->host_request_write && !t->known[e] ? UNMAPPED : 0);
    t->rdata = t->b.o.host_rdata;
    if (!i->host_request_write)
        assert_int_equal(t->rdata, t->wptr[e]);
    if (!i->host_request_write || !t->known[e])
        return;
    for (unsigned k = 0; k < 32; k += 8)
        if (i->host_request_strobe >> k / 8 & 1)
            t->wptr[e] = (t->wptr[e] & ~(UINT32_C(0xff) << k)) | (i->host_request_data & UINT32_C(0xff) << k);
    t->told[e]    = t->told[e] && t->pending[e];
    t->pending[e] = true;
}

static void order_done(bell_bench *t)
{
    const totem_bell_in *i = &t->b.i;
    const unsigned       e = i->order_entry;
    t->answer              = t->b.o.order_pending;
    assert_int_equal(t->answer, t->pending[e]);
    if (i->order_op == BELL_TAKE || i->order_op == BELL_PEEK) {
        assert_int_equal(t->b.o.order_known, t->known[e]);
        assert_int_equal(t->b.o.order_wptr, t->wptr[e]);
    }
    if (i->order_op == BELL_DROP || i->order_op == BELL_TAKE)
        t->pending[e] = false;
    if (i->order_op == BELL_LIST || i->order_op == BELL_DROP)
        t->known[e] = i->order_op == BELL_LIST;
    if (i->order_op == BELL_DROP)
        t->wptr[e] = 0;
    if (i->order_op == BELL_LIST && !t->pending[e])
        t->wptr[e] = i->order_data;
}

// A clock: looks at what is answered, and ends what is done.
static void clock_edge(bell_bench *t)
{
    const totem_bell_out o = t->b.o;
    assert_false(o.word_read_enable && o.word_write_enable);
    assert_false(o.queue_read_enable && o.queue_write_enable);
    assert_true(!o.host_done || t->b.i.host_bell_valid);
    assert_true(!o.order_done || t->b.i.order_valid);
    t->host  = t->b.i.host_bell_valid ? t->host + 1 : 0;
    t->order = t->b.i.order_valid ? t->order + 1 : 0;
    assert_true(t->b.s.phase == BELL_SWEEP || (t->host <= MOST + 1 && t->order <= MOST + 1));
    if (t->b.s.phase == BELL_SWEEP)
        t->host = t->order = 0;
    if (o.host_done)
        ring_done(t);
    if (o.order_done)
        order_done(t);
    if (o.event_valid && t->b.i.event_take) {
        t->events++;
        t->told[o.event_entry] = true;
    }
    if (o.queue_read_enable) {
        t->b.hold.queue_read_data            = t->queue[o.queue_read_addr];
        t->stands[t->b.hold.queue_read_data] = false;
    }
    if (o.queue_write_enable) {
        assert_false(t->stands[o.queue_write_data]);
        t->stands[o.queue_write_data] = true;
        t->queue[o.queue_write_addr]  = o.queue_write_data;
    }
    if (o.host_done) {
        t->b.hold.host_bell_valid = false;
        t->host                   = 0;
    }
    if (o.order_done) {
        t->b.hold.order_valid = false;
        t->order              = 0;
    }
    TICK_WITH_RAM(t, t->word, word);
}

static void clocks(bell_bench *t, unsigned count)
{
    while (count--)
        clock_edge(t);
}

static void sweep(bell_bench *t)
{
    for (unsigned n = 0; n < ENTRIES; n++) {
        assert_false(t->b.o.host_done || t->b.o.order_done || t->b.o.event_valid);
        assert_int_equal(t->b.s.phase, BELL_SWEEP);
        clock_edge(t);
    }
    assert_int_equal(t->b.s.phase, BELL_REST);
}

static void open_bench(bell_bench *t)
{
    memset(t, 0, sizeof *t);
    for (unsigned n = 0; n < ENTRIES; n++)
        t->word[n] = UINT64_C(0x712345678) + n; // what the RAM holds before the sweep
    fresh(&t->b);
    sweep(t);
}

#define BELL_RULE(name) RULE_OF(bell_bench, open_bench, t, name)

static void access_begins(bell_bench *t, bool write, unsigned entry, uint32_t data)
{
    LEVEL(&t->b, host_bell_valid, true);
    LEVEL(&t->b, host_request_write, write);
    LEVEL(&t->b, host_request_entry, (TOTEM_BELL_ENTRY)entry);
    LEVEL(&t->b, host_request_data, data);
    if (t->b.i.host_request_strobe == 0)
        LEVEL(&t->b, host_request_strobe, 15);
}

static void order_begins(bell_bench *t, unsigned op, unsigned entry, uint32_t data)
{
    LEVEL(&t->b, order_valid, true);
    LEVEL(&t->b, order_op, (uint8_t)op);
    LEVEL(&t->b, order_entry, (TOTEM_BELL_ENTRY)entry);
    LEVEL(&t->b, order_data, data);
}

static void ends(bell_bench *t)
{
    while (t->b.hold.host_bell_valid || t->b.hold.order_valid)
        clock_edge(t);
}

static void ring(bell_bench *t, unsigned entry, uint32_t data)
{
    access_begins(t, true, entry, data);
    ends(t);
}

static uint32_t read(bell_bench *t, unsigned entry)
{
    access_begins(t, false, entry, 0);
    ends(t);
    return t->rdata;
}

static bool order(bell_bench *t, unsigned op, unsigned entry, uint32_t data)
{
    order_begins(t, op, entry, data);
    ends(t);
    return t->answer;
}

// The event of an entry is shown and taken, if there is one.
static void event(bell_bench *t, bool there, unsigned entry)
{
    for (unsigned n = 0; n < 30 && !t->b.o.event_valid; n++)
        clock_edge(t);
    assert_int_equal(t->b.o.event_valid, there);
    if (!there)
        return;
    assert_int_equal(t->b.o.event_entry, entry);
    t->b.i.event_take = true;
    clock_edge(t);
    assert_false(t->b.o.event_valid);
}

// Nothing is known after reset: a doorbell is refused, a read gives 0; a listed entry has its pointer, a dropped none.
BELL_RULE(known)
{
    for (unsigned e = 0; e < ENTRIES; e++) {
        ring(t, e, 7);
        assert_int_equal(read(t, e), 0);
    }
    order(t, BELL_LIST, 3, 0x12345678);
    assert_int_equal(read(t, 3), 0x12345678);
    assert_int_equal(read(t, 2), 0);
    ring(t, 3, 0x20);
    order(t, BELL_DROP, 3, 0xffff);
    ring(t, 3, 0x30);
    assert_int_equal(read(t, 3), 0);
    assert_false(order(t, BELL_PEEK, 3, 0));
    event(t, false, 0);
    order(t, BELL_LIST, 3, 5); // the doorbell before does not count any more
    assert_false(order(t, BELL_TAKE, 3, 0));
}

// One event until the entry is taken; the last pointer is kept; only bytes with a strobe are written.
BELL_RULE(rung)
{
    order(t, BELL_LIST, 9, 0x11223344);
    ring(t, 9, 0x10);
    ring(t, 9, 0x20);
    event(t, true, 9);
    ring(t, 9, 0xaabbccdd);
    event(t, false, 0);
    assert_true(order(t, BELL_PEEK, 9, 0));
    assert_true(order(t, BELL_TAKE, 9, 0));
    assert_false(order(t, BELL_TAKE, 9, 0));
    LEVEL(&t->b, host_request_strobe, 6);
    ring(t, 9, 0x00010200);
    assert_int_equal(read(t, 9), 0xaa0102dd);
    event(t, true, 9);
    order(t, BELL_LIST, 9, 1); // a doorbell that is pending stays
    assert_true(order(t, BELL_TAKE, 9, 0));
    assert_int_equal(read(t, 9), 0xaa0102dd);
    order(t, BELL_LIST, 9, 1);
    assert_false(order(t, BELL_PEEK, 9, 0));
    assert_int_equal(read(t, 9), 1);
}

// The next event is shown though the one before was not taken yet; an entry stands in the queue once; what is not
// pending any more makes no event.
BELL_RULE(stale)
{
    for (unsigned e = 0; e < 4; e++)
        order(t, BELL_LIST, e, 0);
    ring(t, 0, 1);
    clocks(t, 10); // shown
    for (unsigned n = 0; n < 2 * ENTRIES; n++) {
        ring(t, 1, n);
        assert_true(order(t, BELL_TAKE, 1, 0));
    }
    ring(t, 2, 1);
    order(t, BELL_TAKE, 0, 0);
    ring(t, 0, 2); // again, while its event is shown
    ring(t, 3, 1);
    order(t, BELL_DROP, 3, 0);
    event(t, true, 0);
    event(t, true, 2);
    event(t, true, 0);
    event(t, false, 0);
    ring(t, 1, 8); // it has left the queue meanwhile
    event(t, true, 1);
}

// Every entry in the queue, in its order; again when all have been taken.
BELL_RULE(all_entries)
{
    for (unsigned e = 0; e < ENTRIES; e++)
        order(t, BELL_LIST, e, 0);
    for (unsigned round = 1; round < 4; round++) {
        for (unsigned e = 0; e < ENTRIES; e++)
            ring(t, (e * 5 + round) % ENTRIES, round); // five is odd: each once
        for (unsigned e = 0; e < ENTRIES; e++) {
            event(t, true, (e * 5 + round) % ENTRIES);
            assert_true(order(t, BELL_TAKE, (e * 5 + round) % ENTRIES, 0));
        }
        event(t, false, 0);
    }
}

// Alone 3 clocks to the answer, and 5 to an event.
BELL_RULE(latency)
{
    order_begins(t, BELL_LIST, 1, 0);
    clocks(t, 3);
    assert_true(t->b.o.order_done);
    clocks(t, 1);
    access_begins(t, true, 1, 4);
    clocks(t, 3);
    assert_true(t->b.o.host_done);
    clocks(t, 5);
    assert_false(t->b.o.event_valid);
    clocks(t, 1);
    assert_true(t->b.o.event_valid);
}

// Reset with a job under way, an event shown and a queue: nothing is known, and the sweep comes first.
BELL_RULE(reset)
{
    for (unsigned n = 0; n < 8; n++) {
        for (unsigned e = 0; e < 3; e++) {
            order(t, BELL_LIST, e, 9);
            ring(t, e, 1);
        }
        access_begins(t, true, 1, 2);
        clocks(t, n);
        totem_bell_reset(&t->b.s);
        show(&t->b);
        memset(t->known, 0, sizeof t->known);
        memset(t->pending, 0, sizeof t->pending);
        memset(t->wptr, 0, sizeof t->wptr);
        memset(t->stands, 0, sizeof t->stands);
        order_begins(t, BELL_PEEK, ENTRIES - 1, 0);
        sweep(t);
        ends(t);
        event(t, false, 0);
    }
}

static unsigned draw(uint64_t *seed, unsigned below)
{
    *seed = *seed * 6364136223846793005u + 1442695040888963407u;
    return (unsigned)((*seed >> 33) % below);
}

// Host, owner and events at once: no doorbell is lost, and nobody waits longer than the bound (clock_edge).
BELL_RULE(any_order)
{
    for (uint64_t seed = 1; seed <= 12; seed++) {
        uint64_t       random  = seed;
        const unsigned entries = seed % 3 ? 4 : ENTRIES, pause = seed % 2 ? 1 : 12, patience = seed % 4 ? 2 : 200;
        for (unsigned n = 0; n < 6000; n++) {
            LEVEL(&t->b, event_take, draw(&random, patience) == 0);
            if (!t->b.hold.host_bell_valid && draw(&random, pause) == 0) {
                LEVEL(&t->b, host_request_strobe, (uint8_t)draw(&random, 16));
                access_begins(t, draw(&random, 4) != 0, draw(&random, entries), draw(&random, 1u << 30));
            }
            if (!t->b.hold.order_valid && draw(&random, pause) == 0)
                order_begins(t, draw(&random, 8) ? draw(&random, 4) : BELL_LIST, draw(&random, entries), n);
            clock_edge(t);
        }
        LEVEL(&t->b, event_take, true);
        ends(t);
        clocks(t, 20 * ENTRIES);
        for (unsigned e = 0; e < ENTRIES; e++) {
            assert_true(!t->pending[e] || t->told[e]);
            order(t, BELL_PEEK, e, 0);
        }
    }
    assert_true(t->events > 500);
}
