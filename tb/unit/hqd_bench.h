// SPDX-License-Identifier: Apache-2.0
//
// hqd_bench: totem_hqd with the three combinational blocks around it: access, view and drain. The bench holds the
// window RAM, answers for fetch whether a write pointer fits, and notes what goes over the load bus, with the clock
// in which it goes; clock 0 is the one in which the host asks.

#ifndef HQD_BENCH_H
#define HQD_BENCH_H

#include "block_bench.h"

#include "totem_access.h"
#include "totem_drain.h"
#include "totem_hqd.h"
#include "totem_hqd_values.h"
#include "totem_view.h"

BENCH(hqd)

enum {
    WORDS             = TOTEM_QUEUES * 64,
    Q                 = TOTEM_QUEUES - 2,
    READ_ONLY         = 2,
    VALUE             = 3,
    LOCKED            = 4,
    UNMAPPED          = 5,
    DISABLED          = 6,
    RANGE             = 7,
    DEQUEUE_TYPE      = 8,
    RESUME            = 10,
    MAP_PIPE_PRIORITY = 12,
    MAP_AQL           = 13,
    MAP_QUEUE_SIZE    = 14,
    MAP_NO_EPOCH      = 15,
    MAP_BUSY          = 16,
    MAP_POINTERS      = 17,
    MAP_STATE         = 18,
    DEQUEUE           = 19,
    MAP_MQD           = 20,
};

typedef struct {
    unsigned clock;
    uint8_t  queue, kind;
    uint64_t data;
} load_word;

typedef struct {
    bench           b;
    totem_access_in access; // what the neighbours say
    totem_view_in   view;
    totem_drain_in  drain;
    uint32_t        ram[WORDS];
    unsigned        now, loads;
    load_word       load[16];
    uint8_t         size[TOTEM_QUEUES], offer_queue; // fetch
    uint32_t        offer_wptr;
} window_bench;

#define ACCESS(t, field, to) ((t)->access.field = (to))
#define VIEW(t, field, to) ((t)->view.field = (to))
#define DRAIN(t, field, to) ((t)->drain.field = (to))
#define VIEW_DRAIN(t, field, to) (VIEW(t, field, to), DRAIN(t, field, to))
#define VIEW_HQD(t, field, to) (VIEW(t, field, to), LEVEL(&(t)->b, field, to))

static inline bool offer_fits(const window_bench *t)
{
    const unsigned q    = t->offer_queue;
    const uint32_t lead = t->offer_wptr - t->view.fetch_rptr[q];
    return lead <= (uint32_t)(2ull << t->size[q]) && lead >= t->view.fetch_wptr[q] - t->view.fetch_rptr[q];
}

// What the blocks around hqd tell it in this clock.
static inline void join(window_bench *t)
{
    const totem_hqd_out *o = &t->b.o;
    totem_hqd_in        *i = &t->b.i;
    totem_access_out     a;
    totem_view_out       v;
    totem_drain_out      d;

    t->access.hqd_from_mqd = o->from_mqd;
    t->access.hqd_pointer  = o->pointer;
    totem_access_outputs(&t->access, &a);
    i->access_next_valid    = a.next_valid;
    i->access_next_from_mqd = a.next_from_mqd;
    i->access_next_pointer  = a.next_pointer;
    i->access_next_queue    = a.next_queue;
    i->access_next_dword    = a.next_dword;
    i->access_write         = a.write;
    i->access_doorbell      = a.doorbell;
    i->access_load          = a.load;
    i->access_strobe        = a.strobe;
    i->access_data          = a.data;

    t->view.hqd_shown_queue = o->shown_queue;
    t->view.hqd_shown_dword = o->shown_dword;
    t->view.window_data     = i->ram_read_data;
    memcpy(t->view.hqd_active, o->active, sizeof o->active);
    memcpy(t->view.hqd_leaving, o->leaving, sizeof o->leaving);
    memcpy(t->view.hqd_dequeue, o->dequeue, sizeof o->dequeue);
    memcpy(t->view.hqd_request, o->request, sizeof o->request);
    memcpy(t->view.hqd_killing, o->killing, sizeof o->killing);
    totem_view_outputs(&t->view, &v);
    i->view_value   = v.value;
    i->view_waiting = v.waiting;
    i->view_stopped = v.stopped;

    memcpy(t->drain.hqd_dequeue, o->dequeue, sizeof o->dequeue);
    memcpy(t->drain.hqd_killing, o->killing, sizeof o->killing);
    totem_drain_outputs(&t->drain, &d);
    memcpy(i->drain_not_selected, d.not_selected, sizeof d.not_selected);
    memcpy(i->drain_drained, d.drained, sizeof d.drained);
    memcpy(i->drain_free, d.free, sizeof d.free);

    i->fetch_offer_fits = offer_fits(t);
    if (o->offer_valid) { // it counts from the next clock on
        t->offer_queue = o->offer_queue;
        t->offer_wptr  = o->offer_wptr;
    }
}

static inline void clock_edge(window_bench *t)
{
    const totem_hqd_out o = t->b.o;
    if (o.load_valid) {
        assert_true(t->loads < 16);
        t->load[t->loads++] = (load_word){t->now, o.load_queue, o.load_kind, o.load_data};
    }
    // The arbiter keeps who is active, and the queue priorities.
    if (o.load_valid && o.load_kind == LOAD_ACTIVE)
        DRAIN(t, arbiter_active[o.load_queue], (o.load_data & 1) != 0);
    if (o.load_valid && o.load_kind == LOAD_QUEUE_PRIORITY)
        VIEW(t, arbiter_queue_priority[o.load_queue], (uint8_t)o.load_data);
    if (o.load_valid && o.load_kind == LOAD_PQ_CONTROL)
        t->size[o.load_queue] = o.load_data & 31;
    join(t);
    TICK_WITH_RAM(t, t->ram, ram);
    t->now++;
    assert_true(totem_hqd_invariant(&t->b.s));
}

static inline void open_bench(window_bench *t)
{
    memset(t, 0, sizeof *t);
    fresh(&t->b);
    for (unsigned q = 0; q < TOTEM_QUEUES; q++)
        LEVEL(&t->b, fence_spare[q], true), VIEW(t, fence_room[q], true), VIEW(t, fence_flushed[q], true),
            VIEW(t, fence_idle[q], true), DRAIN(t, fence_settled[q], true);
    for (unsigned n = 0; n < WORDS; n++)
        clock_edge(t);
}

#define RULE(name) RULE_OF(window_bench, open_bench, t, name)

static inline void clocks(window_bench *t, unsigned count)
{
    while (count--)
        clock_edge(t);
}

static inline void ask(window_bench *t, uint8_t queue, uint8_t dword, bool write, uint8_t strobe, uint32_t data)
{
    ACCESS(t, host_valid, true);
    ACCESS(t, host_write, write);
    ACCESS(t, host_doorbell, false);
    ACCESS(t, host_queue, queue);
    ACCESS(t, host_dword, dword);
    ACCESS(t, host_strobe, strobe);
    ACCESS(t, host_data, data);
    t->now   = 0;
    t->loads = 0;
}

// The access ends with that error; gives the clock.
static inline unsigned ends(window_bench *t, uint8_t error)
{
    while (!t->b.o.host_done) {
        assert_true(t->now < 1000);
        clock_edge(t);
    }
    assert_int_equal(t->b.o.host_error, error);
    t->access.host_valid = false; // still 1 in this clock
    clock_edge(t);
    return t->now - 1;
}

// The access ends in that clock, with that error, for one clock.
static inline void done(window_bench *t, unsigned clock, uint8_t error)
{
    assert_int_equal(ends(t, error), clock);
    assert_false(t->b.o.host_done || t->b.o.load_valid || t->b.o.ram_write_enable);
}

static inline void put(window_bench *t, uint8_t queue, uint8_t dword, uint32_t data, unsigned clock, uint8_t error)
{
    ask(t, queue, dword, true, 0xf, data);
    done(t, clock, error);
}

static inline void ring_bell(window_bench *t, uint8_t queue, uint32_t data, unsigned clock, uint8_t error)
{
    ask(t, queue, 0, true, 0xf, data);
    ACCESS(t, host_doorbell, true);
    done(t, clock, error);
}

static inline void read_is(window_bench *t, uint8_t queue, uint8_t dword, uint32_t expected)
{
    ask(t, queue, dword, false, 0, 0xffffffff);
    while (t->now < 3)
        clock_edge(t);
    assert_true(t->b.o.host_done);
    if (t->b.o.host_rdata != expected)
        fail_msg("queue %u, dword %u: %08x, not %08x", queue, dword, t->b.o.host_rdata, expected);
    done(t, 3, 0);
}

// The last access was the first of `count` words over the load bus.
static inline void loads_are(const window_bench *t, unsigned count, unsigned clock, uint8_t kind, uint64_t data)
{
    assert_int_equal(t->loads, count);
    if (count == 0)
        return;
    assert_int_equal(t->load[0].clock, clock);
    assert_int_equal(t->load[0].queue, Q);
    assert_int_equal(t->load[0].kind, kind);
    assert_int_equal(t->load[0].data, data);
}

// Writes of queue Q: one that is refused, one without and one with a word over the load bus.
static inline void refused(window_bench *t, uint8_t dword, uint32_t data, uint8_t error)
{
    put(t, Q, dword, data, 3, error);
    assert_int_equal(t->loads, 0);
}

static inline void stored(window_bench *t, uint8_t dword, uint32_t data)
{
    put(t, Q, dword, data, 4, 0);
    assert_int_equal(t->loads, 0);
}

static inline void sends(window_bench *t, uint8_t dword, uint32_t data, unsigned clock, uint8_t kind, uint64_t word)
{
    put(t, Q, dword, data, clock, 0);
    loads_are(t, 1, clock == 4 ? 3 : clock, kind, word);
}

static inline void map(window_bench *t, uint8_t queue)
{
    put(t, queue, 4, 0x0be05300, 4, 0);
    put(t, queue, 2, 1, 30, 0);
}

static inline void pipe_of_q(window_bench *t, bool has)
{
    VIEW_DRAIN(t, arbiter_selected, Q);
    VIEW_DRAIN(t, arbiter_selected_valid, has);
}

static inline void pointers_of_q(window_bench *t, uint32_t rptr, uint32_t wptr)
{
    VIEW_HQD(t, fetch_rptr[Q], rptr);
    VIEW_HQD(t, fetch_wptr[Q], wptr);
}

static inline void kill_ends(window_bench *t, uint8_t queue)
{
    DRAIN(t, kill_ended[queue], true);
    clock_edge(t);
    DRAIN(t, kill_ended[queue], false);
}

// An access of mqd, of that kind; gives what it answers.
static inline uint32_t mqd_access(window_bench *t, uint8_t kind, uint8_t queue, uint8_t dword, uint64_t data,
                                  uint8_t error)
{
    ACCESS(t, mqd_access_valid, true);
    ACCESS(t, mqd_access_kind, kind);
    ACCESS(t, mqd_access_queue, queue);
    ACCESS(t, mqd_access_dword, dword);
    ACCESS(t, mqd_access_data, data);
    t->now   = 0;
    t->loads = 0;
    while (!t->b.o.mqd_done) {
        assert_true(t->now < 100);
        assert_false(t->b.o.host_done);
        clock_edge(t);
    }
    const uint32_t answer = t->b.o.mqd_rdata;
    assert_int_equal(t->b.o.mqd_error, error);
    t->access.mqd_access_valid = false;
    clock_edge(t);
    return answer;
}

// mqd ends a job of that queue; the answer is the type of the request that waits for it.
static inline void job_ends(window_bench *t, uint8_t queue, uint32_t type)
{
    assert_int_equal(mqd_access(t, 2, queue, LOAD_ACTIVE, 0, 0), type);
}

#endif
