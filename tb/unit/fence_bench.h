// SPDX-License-Identifier: Apache-2.0
//
// fence_bench: totem_fence alone. The bench holds the entry RAM and answers writes when the test says so.

#ifndef FENCE_BENCH_H
#define FENCE_BENCH_H

#include "block_bench.h"

#include "totem_fence.h"
#include "totem_load.h"
#include "totem_phases.h"

BENCH(fence)

#define FENCE_PHASE(name, number) FENCE_##name = (number)
enum { TOTEM_FENCE_PHASES(FENCE_PHASE) };

enum { WORDS = TOTEM_QUEUES * TOTEM_EPOCHS * 4 };

typedef struct {
    bench    b;
    uint64_t ram[WORDS];
} entry_bench;

static inline void open_bench(entry_bench *t)
{
    memset(t, 0, sizeof *t);
    fresh(&t->b);
    t->b.hold.write_ready = t->b.hold.events_interrupt_ready = t->b.hold.events_error_ready = true;
    t->b.i                                                                    = t->b.hold;
}

static inline void clock_edge(entry_bench *t)
{
    TICK_WITH_RAM(t, t->ram, ram);
}

static inline void clocks(entry_bench *t, unsigned count)
{
    while (count--)
        clock_edge(t);
}

static inline unsigned until(entry_bench *t, const bool *condition)
{
    unsigned n = 0;
    while (!*condition) {
        assert_true(n++ < 100);
        clock_edge(t);
    }
    return n;
}

static inline void grant(entry_bench *t, uint8_t queue, uint8_t epoch, uint8_t waves)
{
    t->b.i.grant_valid[0] = true;
    t->b.i.grant_waves[0] = waves;
    t->b.i.grant_queue[0] = queue;
    t->b.i.grant_epoch[0] = epoch;
}

static inline void complete(entry_bench *t, uint8_t queue, uint8_t epoch)
{
    t->b.i.complete_valid[0] = true;
    t->b.i.complete_queue[0] = queue;
    t->b.i.complete_epoch[0] = epoch;
}

static inline void close_epoch(entry_bench *t, uint8_t queue)
{
    t->b.i.arbiter_selected = queue;
    t->b.i.packet_close = true;
}

static inline void load(entry_bench *t, uint8_t queue, bool active)
{
    LOAD_WORD(&t->b, queue, LOAD_ACTIVE, active);
    clock_edge(t);
}

static inline void packet_write(entry_bench *t, uint8_t queue)
{
    t->b.i.packet_write = true;
    t->b.i.arbiter_selected = queue;
    clock_edge(t);
}

static inline void packet_answer(entry_bench *t, uint8_t queue, uint8_t epoch, uint8_t error, uint64_t address)
{
    t->b.i.packet_write_ack = true;
    t->b.i.ack_tag    = (uint8_t)(epoch << 3 | queue);
    t->b.i.ack_error  = error;
    t->b.i.ack_addr   = address;
    clock_edge(t);
}

static inline void fence_answer(entry_bench *t, uint8_t queue, uint8_t epoch, uint8_t error)
{
    t->b.i.write_ack = true;
    t->b.i.ack_tag   = (uint8_t)(epoch << 3 | queue);
    t->b.i.ack_error = error;
    clock_edge(t);
}

static inline void message(entry_bench *t, uint8_t queue, uint64_t address, unsigned data_sel, unsigned int_sel,
                           uint64_t data, uint32_t ctxid)
{
    const uint64_t words[3] = {address | (uint64_t)data_sel << 40 | (uint64_t)int_sel << 43, data, ctxid};
    for (unsigned n = 0; n < 3; n++) {
        assert_true(t->b.o.packet_ready);
        t->b.i.arbiter_selected = queue;
        t->b.i.packet_valid = true;
        t->b.i.packet_word  = words[n];
        clock_edge(t);
        if (n == 1)
            clock_edge(t); // other clocks may lie between
    }
    t->b.i.arbiter_selected = queue;
    clock_edge(t); // stored, closed
}

// A pair of record's, from its first word to its epoch closed.
static inline void pair(entry_bench *t, uint8_t queue, uint64_t address, uint64_t data)
{
    const uint64_t words[3] = {address | 2ull << 40, data, 0};
    LEVEL(&t->b, record_valid, true);
    LEVEL(&t->b, record_queue, queue);
    LEVEL(&t->b, record_word, words[0]);
    until(t, &t->b.o.record_ready);
    for (unsigned n = 0; n < 3; n++) {
        LEVEL(&t->b, record_word, words[n]);
        assert_true(t->b.o.record_ready);
        clock_edge(t);
        assert_false(t->b.o.idle[queue]); // also while the last word is on its way
    }
    LEVEL(&t->b, record_valid, false);
    clocks(t, 2);
}

// Slot 1 is mapped, and waves are granted in its epoch.
static inline void mapped_with(entry_bench *t, uint8_t waves)
{
    load(t, 1, true);
    grant(t, 1, t->b.o.epoch[1], waves);
    clock_edge(t);
}

// What slot 1 has in flight is given up.
static inline void give_up(entry_bench *t)
{
    LEVEL(&t->b, kill_abandon[1], true);
    until(t, &t->b.o.abandoned[1]);
    LEVEL(&t->b, kill_abandon[1], false);
}

// Its waves of that epoch end, and the fence or pair behind them is written.
static inline void completes(entry_bench *t, uint8_t epoch, uint64_t place)
{
    complete(t, 1, epoch);
    clock_edge(t);
    until(t, &t->b.o.write_valid);
    assert_int_equal(t->b.o.write_word & 0xffff, place);
}

#endif
