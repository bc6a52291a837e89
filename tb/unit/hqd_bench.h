// SPDX-License-Identifier: Apache-2.0
//
// hqd_bench: totem_hqd alone. The bench holds the window RAM and notes what goes over the load bus, with the clock in which
// it goes; clock 0 is the one in which the host asks.

#ifndef HQD_BENCH_H
#define HQD_BENCH_H

#include "block_bench.h"

#include "totem_hqd.h"
#include "totem_load.h"

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
    bench     b;
    uint32_t  ram[WORDS];
    unsigned  now, loads;
    load_word load[16];
} window_bench;

static inline void clock_edge(window_bench *t)
{
    const totem_hqd_out o = t->b.o;
    if (o.load_valid) {
        assert_true(t->loads < 16);
        t->load[t->loads++] = (load_word){t->now, o.load_queue, o.load_kind, o.load_data};
    }
    // The arbiter keeps who is active, and the queue priorities.
    if (o.load_valid && o.load_kind == LOAD_ACTIVE)
        LEVEL(&t->b, arbiter_active[o.load_queue], (o.load_data & 1) != 0);
    if (o.load_valid && o.load_kind == LOAD_QUEUE_PRIORITY)
        LEVEL(&t->b, arbiter_queue_priority[o.load_queue], (uint8_t)o.load_data);
    TICK_WITH_RAM(t, t->ram, ram);
    t->now++;
    assert_true(totem_hqd_invariant(&t->b.s));
}

static inline void open_bench(window_bench *t)
{
    memset(t, 0, sizeof *t);
    fresh(&t->b);
    for (unsigned q = 0; q < TOTEM_QUEUES; q++)
        t->b.hold.fence_room[q] = t->b.hold.fence_flushed[q] = t->b.hold.fence_idle[q] = t->b.hold.fence_settled[q] =
            true;
    t->b.i = t->b.hold;
    for (unsigned n = 0; n < WORDS; n++)
        clock_edge(t);
}

static inline void ask(window_bench *t, uint8_t queue, uint8_t dword, bool write, uint8_t strobe, uint32_t data)
{
    LEVEL(&t->b, host_valid, true);
    LEVEL(&t->b, host_write, write);
    LEVEL(&t->b, host_doorbell, false);
    LEVEL(&t->b, host_queue, queue);
    LEVEL(&t->b, host_dword, dword);
    LEVEL(&t->b, host_strobe, strobe);
    LEVEL(&t->b, host_data, data);
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
    t->b.hold.host_valid = false; // still 1 in this clock
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
    LEVEL(&t->b, host_doorbell, true);
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

static inline void loads_are(const window_bench *t, unsigned count, unsigned clock, uint8_t queue, uint8_t kind,
                             uint64_t data)
{
    assert_int_equal(t->loads, count);
    if (count == 0)
        return;
    assert_int_equal(t->load[0].clock, clock);
    assert_int_equal(t->load[0].queue, queue);
    assert_int_equal(t->load[0].kind, kind);
    assert_int_equal(t->load[0].data, data);
}

static inline void map(window_bench *t, uint8_t queue)
{
    put(t, queue, 4, 0x0be05300, 4, 0);
    put(t, queue, 2, 1, 26, 0);
}

// An access of mqd, of that kind; gives what it answers.
static inline uint32_t guest(window_bench *t, uint8_t kind, uint8_t queue, uint8_t dword, uint64_t data, uint8_t error)
{
    LEVEL(&t->b, mqd_access_valid, true);
    LEVEL(&t->b, mqd_access_kind, kind);
    LEVEL(&t->b, mqd_access_queue, queue);
    LEVEL(&t->b, mqd_access_dword, dword);
    LEVEL(&t->b, mqd_access_data, data);
    t->now   = 0;
    t->loads = 0;
    while (!t->b.o.mqd_done) {
        assert_true(t->now < 100);
        assert_false(t->b.o.host_done);
        clock_edge(t);
    }
    const uint32_t answer = t->b.o.mqd_rdata;
    assert_int_equal(t->b.o.mqd_error, error);
    t->b.hold.mqd_access_valid = false;
    clock_edge(t);
    return answer;
}

#endif
