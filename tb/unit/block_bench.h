// SPDX-License-Identifier: Apache-2.0
//
// block_bench: one block alone, clock by clock. BENCH(name) makes a type `bench`: `b.o` is what the block shows in the
// present clock, `b.i` what it gets in it; `tick` goes to the next clock, in which the inputs are again those of
// `b.hold`. So a pulse is set in `b.i`, a level with LEVEL.

#ifndef BLOCK_BENCH_H
#define BLOCK_BENCH_H

#include <string.h>

#include "tests.h"

#define BENCH(name)                                    \
    typedef struct {                                   \
        totem_##name       s;                          \
        totem_##name##_in  i, hold;                    \
        totem_##name##_out o;                          \
    } bench;                                           \
    static void show(bench *b)                         \
    {                                                  \
        totem_##name##_outputs(&b->s, &b->o);          \
    }                                                  \
    static void fresh(bench *b)                        \
    {                                                  \
        memset(b, 0, sizeof *b);                       \
        totem_##name##_reset(&b->s);                   \
        show(b);                                       \
    }                                                  \
    static inline void tick(bench *b)                  \
    {                                                  \
        totem_##name##_step(&b->s, &b->i);             \
        b->i = b->hold;                                \
        show(b);                                       \
    }                                                  \
    static inline void ticks(bench *b, unsigned count) \
    {                                                  \
        while (count--)                                \
            tick(b);                                   \
    }

#define LEVEL(b, field, value) ((b)->hold.field = (b)->i.field = (value))

// A word on the load bus in this clock.
#define LOAD_WORD(b, queue, kind, data)                                                                  \
    ((b)->i.load_valid = true, (b)->i.load_queue = (uint8_t)(queue), (b)->i.load_kind = (uint8_t)(kind), \
     (b)->i.load_data = (data))

// A clock of a bench `t` that holds the RAM behind the ports <port>_* of its block: what is read stands there from the
// next clock on, as it was before a write of the same clock.
#define TICK_WITH_RAM(t, ram, port)                                          \
    do {                                                                     \
        if ((t)->b.o.port##_read_enable)                                     \
            (t)->b.hold.port##_read_data = (ram)[(t)->b.o.port##_read_addr]; \
        if ((t)->b.o.port##_write_enable)                                    \
            (ram)[(t)->b.o.port##_write_addr] = (t)->b.o.port##_write_data;  \
        tick(&(t)->b);                                                       \
    } while (0)

// Clocks until the condition holds, at most `most`.
#define CLOCKS_UNTIL(b, condition, most)                                                               \
    __extension__({                                                                                    \
        unsigned clocks_ = 0;                                                                          \
        while (!(condition)) {                                                                         \
            if (++clocks_ > (most))                                                                    \
                fail_msg("line %d: not within %u clocks: %s", __LINE__, (unsigned)(most), #condition); \
            tick(b);                                                                                   \
        }                                                                                              \
        clocks_;                                                                                       \
    })

#endif
