// SPDX-License-Identifier: Apache-2.0
//
// fetch_bench: totem_fetch alone, clock by clock. The bench holds the line RAM.

#ifndef FETCH_BENCH_H
#define FETCH_BENCH_H

#include "block_bench.h"
#include "tests.h"

#include "totem_fetch.h"
#include "totem_hqd_values.h"

BENCH(fetch)

#define BASE 0xabcdef00u // ring base, byte address [39:8]
#define RING ((uint64_t)BASE << 8)

typedef struct {
    bench    b;
    uint64_t ram[TOTEM_QUEUES * 32];
} lines;

static inline void edge(lines *l)
{
    TICK_WITH_RAM(l, l->ram, line);
    assert_true(totem_fetch_invariant(&l->b.s));
}

static inline void edges(lines *l, unsigned count)
{
    while (count--)
        edge(l);
}

static inline void send(lines *l, unsigned q, uint8_t kind, uint64_t data)
{
    LOAD_WORD(&l->b, q, kind, data);
    edge(l);
}

static inline void ring_of(lines *l, unsigned q, uint32_t control, uint32_t pointer)
{
    LEVEL(&l->b, arbiter_active[q], false);
    send(l, q, LOAD_PQ_BASE, RING);
    send(l, q, LOAD_PQ_CONTROL, control);
    send(l, q, LOAD_RPTR, pointer);
    send(l, q, LOAD_WPTR, pointer);
    send(l, q, LOAD_REPORT_ADDR, 0);
    LEVEL(&l->b, arbiter_active[q], true);
}

static inline void open_bench(lines *l)
{
    memset(l, 0, sizeof *l);
    fresh(&l->b);
}

// Queue 1 alone.
static inline void open_ring(lines *l, uint32_t control, uint32_t pointer)
{
    open_bench(l);
    ring_of(l, 1, control, pointer);
}

// A queue with `count` dwords, all on chip: dword k reads k + 1000.
static inline void filled(lines *l, unsigned q, uint32_t count)
{
    open_bench(l);
    ring_of(l, q, 9 | 31u << 8, 0);
    for (uint32_t n = 0; n < 64; n += 2)
        l->ram[q << 5 | n >> 1] = (uint64_t)(n + 1001) << 32 | (n + 1000);
    l->b.s.have[q] = (uint8_t)count;
    send(l, q, LOAD_WPTR, count);
}

static inline void selects(lines *l, unsigned q)
{
    l->b.i.arbiter_go       = true;
    l->b.i.arbiter_selected = (uint8_t)q;
    edge(l);
}

static inline void takes(lines *l, uint32_t first, uint32_t count)
{
    for (uint32_t n = first; n < first + count; n++) {
        assert_true(l->b.o.dword_valid);
        assert_int_equal(l->b.o.dword_data, n + 1000);
        assert_int_equal(l->b.o.dword_error, 0);
        l->b.i.packet_dword_ready = true;
        edge(l);
    }
}

static inline void beat_of(lines *l, uint64_t word, bool last, uint8_t error)
{
    l->b.i.data_valid = true;
    l->b.i.data_word  = word;
    l->b.i.data_last  = last;
    l->b.i.data_error = error;
    edge(l);
}

#endif
