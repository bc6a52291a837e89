// SPDX-License-Identifier: Apache-2.0
//
// arbiter_bench: totem_arbiter alone, with what its tests say to it.

#ifndef ARBITER_BENCH_H
#define ARBITER_BENCH_H

#include "block_bench.h"

#include "totem_arbiter.h"
#include "totem_hqd_values.h"

BENCH(arbiter)

#define RULE(name) RULE_OF(bench, fresh, b, name)

// A word on the load bus, and a clock.
static inline void load(bench *b, unsigned kind, uint8_t queue, uint64_t data)
{
    LOAD_WORD(b, queue, kind, data);
    tick(b);
}

static inline void map(bench *b, uint8_t queue, uint64_t priority)
{
    load(b, LOAD_QUEUE_PRIORITY, queue, priority);
    load(b, LOAD_PIPE_PRIORITY, queue, queue % 3);
    load(b, LOAD_ACTIVE, queue, 1);
}

// The neighbours say from this clock on that the queue could run, or that it has nothing.
static inline void work(bench *b, uint8_t queue, bool has)
{
    LEVEL(b, fetch_pending[queue], has);
    LEVEL(b, fetch_line[queue], has);
    LEVEL(b, bank_prepared[queue], true);
}

static inline void goes(const bench *b, uint8_t queue)
{
    assert_true(b->o.go && b->o.selected_valid);
    assert_int_equal(b->o.selected, queue);
}

static inline void left(bench *b)
{
    b->i.packet_left = true;
    tick(b);
}

// The queue has the pipe from the clock before on.
static inline void run(bench *b, uint8_t queue)
{
    work(b, queue, true);
    ticks(b, 3);
    goes(b, queue);
    tick(b);
}

// Queues 0 and 1 of priority 5, units of 10 and 25 clocks; the bench stands in the clock of the go of queue 0, queue 1
// is ready.
static inline void two_equals(bench *b, uint64_t quantum)
{
    fresh(b);
    LEVEL(b, settings_quantum_unit0, 10);
    LEVEL(b, settings_quantum_unit1, 25);
    for (uint8_t q = 0; q < 2; q++) {
        map(b, q, 5);
        load(b, LOAD_QUANTUM, q, quantum);
    }
    work(b, 0, true);
    work(b, 1, true);
    ticks(b, 3);
    goes(b, 0);
}

#endif
