// SPDX-License-Identifier: Apache-2.0
//
// poll_bench: totem_poll alone. The bench counts the clock counter and is the condition RAM.

#ifndef POLL_BENCH_H
#define POLL_BENCH_H

#include "block_bench.h"
#include "tests.h"

#include "totem_hqd_values.h"
#include "totem_poll.h"

BENCH(poll)

enum { Q = 1, LAST = TOTEM_QUEUES - 1, FUNCTION_EQ = 3 };

typedef struct {
    bench    b;
    uint64_t ram[TOTEM_QUEUES * 4];
    uint64_t now;
} poll_bench;

static inline void clock_edge(poll_bench *t)
{
    const bool    read = t->b.o.ram_read_enable;
    const uint8_t at   = t->b.o.ram_read_addr;
    t->b.i.clock       = t->now;
    tick(&t->b);
    t->now++;
    if (read)
        t->b.hold.ram_read_data = t->b.i.ram_read_data = t->ram[at];
    for (unsigned q = 0; q < TOTEM_QUEUES; q++)
        assert_false(t->b.o.waiting[q] && t->b.o.ended[q]);
}

static inline void clocks(poll_bench *t, unsigned count)
{
    while (count--)
        clock_edge(t);
}

static inline void open_bench(poll_bench *t, uint64_t now)
{
    memset(t, 0, sizeof *t);
    fresh(&t->b);
    t->now = now;
    for (unsigned q = 0; q < TOTEM_QUEUES; q++)
        t->b.hold.arbiter_active[q] = true;
    t->b.hold.read_ready = true;
    t->b.i               = t->b.hold;
}

static inline void word(poll_bench *t, uint8_t q, bool last, uint64_t w)
{
    t->b.i.packet_wait_valid = true;
    t->b.i.packet_wait_last  = last;
    t->b.i.packet_wait_word  = w;
    t->b.i.dispatch_queue    = q;
    t->b.i.packet_wait_step  = t->b.i.packet_wait_timer ? 0 : last;
    t->ram[4 * q + last]     = w;
    clock_edge(t);
}

static inline void timer(poll_bench *t, uint8_t q, uint32_t count)
{
    t->b.i.packet_wait_timer = true;
    word(t, q, true, count);
}

// Waits until the dword at the address AND mask is 5 (by the function).
static inline void wait_for(poll_bench *t, uint8_t q, uint64_t address, uint64_t function, uint64_t interval,
                            uint32_t mask)
{
    word(t, q, false, address | function << 40 | interval << 43);
    word(t, q, true, (uint64_t)mask << 32 | 5);
}

// The whole dword, as often as it may be looked at.
static inline void wait_equal(poll_bench *t, uint8_t q, uint64_t address)
{
    wait_for(t, q, address, FUNCTION_EQ, 0, ~0u);
}

static inline void load(poll_bench *t, uint8_t q, unsigned kind, uint64_t data)
{
    LOAD_WORD(&t->b, q, kind, data);
    clock_edge(t);
}

static inline void answer(poll_bench *t, uint64_t value, uint8_t error)
{
    assert_int_equal(t->b.s.phase, POLL_ANSWER);
    t->b.i.data_valid = true;
    t->b.i.data_word  = value;
    t->b.i.data_error = error;
    clock_edge(t);
}

// To the next request of a poll; the clock it is seen in.
static inline uint64_t request(poll_bench *t, uint64_t address)
{
    for (unsigned n = 0; !t->b.o.read_valid; n++, clock_edge(t))
        assert_true(n < 2000);
    assert_int_equal(t->b.o.read_addr, address & ~7ull);
    const uint64_t seen = t->now;
    clock_edge(t);
    return seen;
}

// A clock, and what the idle skip relies on: the number of clocks to the next look that finds something.
static inline void clock_as_told(poll_bench *t)
{
    const uint64_t quiet = totem_poll_quiet(&t->b.s, t->now);
    totem_poll     before;
    memcpy(&before, &t->b.s, sizeof before);
    clock_edge(t);
    // NOLINTNEXTLINE(bugprone-suspicious-memory-comparison): the bytes between the members are copied too
    if ((memcmp(&before, &t->b.s, sizeof before) != 0) != (quiet == 0))
        fail_msg("clock %llu: quiet %llu", (unsigned long long)t->now, (unsigned long long)quiet);
    if (quiet != 0)
        assert_int_equal(totem_poll_quiet(&t->b.s, t->now), quiet - 1);
}

#endif
