// SPDX-License-Identifier: Apache-2.0
//
// block_bench: one block alone, clock by clock. BENCH(name) makes a type `bench`: `b.o` is what the block shows in the
// present clock, `b.i` what it gets in it; `tick` goes to the next clock, in which the inputs are again those of
// `b.hold`. So a pulse is set in `b.i`, a level with LEVEL.

#ifndef BLOCK_BENCH_H
#define BLOCK_BENCH_H

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

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
