// SPDX-License-Identifier: Apache-2.0
//
// Kernels on the cores of one engine: results, word by word, at the end of the last wave, for memories of several
// latencies; and what a wave may read of its launch. Run by sim/tests.d/77-core.sh.

#include "tests.h"

#include "world.h"

#include <stdio.h>

enum { A = 0x20000, B = 0x24000, C = 0x28000, D = 0x2c000 };

static void fill(world *w, uint32_t address, uint32_t count)
{
    for (uint32_t n = 0; n < count; n++)
        put_word(w, address + 4 * n, draw_random(w));
}

static void expect_word(const world *w, uint32_t address, uint32_t n, uint32_t value)
{
    if (word_at(w, address + 4 * n) != value)
        fail_msg("word %u: %08x, expected %08x", n, word_at(w, address + 4 * n), value);
}

static const struct {
    unsigned latency;
    bool     busy;
} memories[] = {{1, false}, {20, true}, {100, false}, {3, true}};

#define EACH_MEMORY(w)                                                                                      \
    for (unsigned m_ = 0; m_ < COUNT(memories); m_++)                                                       \
        if ((w)->latency = memories[m_].latency, (w)->busy = memories[m_].busy, (w)->count = (w)->done = 0, \
            (w)->offered = 0, memset((w)->memory + A, 0xa5, MEMORY - A), true)

RULE(vecadd)
{
    load(w, "vecadd", PROGRAM);
    EACH_MEMORY(w)
    {
        fill(w, A, 600);
        fill(w, B, 600);
        dispatch(
            w,
            &(grid){
                .program = PROGRAM, .groups_x = 3, .groups_y = 1, .waves = 4, .user_count = 4, .user = {A, B, C, 600}});
        const unsigned clocks = run(w, 400000);
        printf("# vecadd, 600 elements, memory %u%s: %u clocks\n", w->latency, w->busy ? " busy" : "", clocks);
        for (uint32_t n = 0; n < 600; n++)
            expect_word(w, C, n, word_at(w, A + 4 * n) + word_at(w, B + 4 * n));
        expect_word(w, C, 600, 0xa5a5a5a5);
    }
}

// Groups of 1, 2 and 4 waves: with less than 4, several share the cores, each with LDS of its own.
RULE(matmul)
{
    enum { N = 32 };
    load(w, "matmul", PROGRAM);
    static const uint8_t waves[] = {4, 2, 1, 2};
    EACH_MEMORY(w)
    {
        fill(w, A, N * N);
        fill(w, B, N * N);
        dispatch(w, &(grid){.program    = PROGRAM,
                            .groups_x   = N / 16,
                            .groups_y   = N / 16,
                            .waves      = waves[m_],
                            .lds        = 4,
                            .user_count = 4,
                            .user       = {A, B, C, N}});
        const unsigned clocks = run(w, 2000000);
        printf("# matmul, %d x %d, groups of %u waves, memory %u%s: %u clocks\n", N, N, waves[m_], w->latency,
               w->busy ? " busy" : "", clocks);
        for (uint32_t n = 0; n < N * N; n++) {
            uint32_t sum = 0;
            for (uint32_t k = 0; k < N; k++)
                sum += word_at(w, A + 4 * (n / N * N + k)) * word_at(w, B + 4 * (k * N + n % N));
            expect_word(w, C, n, sum);
        }
    }
}

RULE(scan)
{
    load(w, "scan", PROGRAM);
    load(w, "scan_add", PROGRAM + 0x1000);
    EACH_MEMORY(w)
    {
        grid g = {.program    = PROGRAM,
                  .groups_x   = 3,
                  .groups_y   = 1,
                  .waves      = 3,
                  .lds        = 1,
                  .user_count = 4,
                  .user       = {A, B, C, 500}};
        fill(w, A, 500);
        dispatch(w, &g);
        run(w, 400000);
        g.program = PROGRAM + 0x1000, g.lds = 0;
        memcpy(g.user, (uint32_t[]){B, C, 500}, 12);
        dispatch(w, &g);
        run(w, 400000);
        uint32_t sum = 0;
        for (uint32_t n = 0; n < 500; n++)
            expect_word(w, B, n, sum += word_at(w, A + 4 * n));
        expect_word(w, B, 500, 0xa5a5a5a5);
    }
}

RULE(histogram)
{
    enum { BINS = 32, GROUPS = 3, COUNTED = 3 * 2 * 32 - 5 };
    load(w, "histogram", PROGRAM);
    load(w, "histogram_sum", PROGRAM + 0x1000);
    EACH_MEMORY(w)
    {
        uint32_t bins[BINS] = {0};
        fill(w, A, COUNTED);
        for (uint32_t n = 0; n < COUNTED; n++)
            bins[word_at(w, A + 4 * n) % BINS]++;
        dispatch(w, &(grid){.program      = PROGRAM,
                            .groups_x     = GROUPS,
                            .groups_y     = 1,
                            .waves        = 2,
                            .wave32       = true,
                            .last_threads = 32,
                            .lds          = 1,
                            .user_count   = 4,
                            .user         = {A, B, COUNTED, BINS}});
        run(w, 400000);
        dispatch(w, &(grid){.program    = PROGRAM + 0x1000,
                            .groups_x   = 1,
                            .groups_y   = 1,
                            .waves      = 1,
                            .user_count = 4,
                            .user       = {B, C, GROUPS, BINS}});
        run(w, 400000);
        for (uint32_t n = 0; n < BINS; n++)
            expect_word(w, C, n, bins[n]);
    }
}

// A chain, as tasks make it; then a draw.
RULE(scale_add_reduce_pixel)
{
    static const char *const names[] = {"scale", "add", "reduce", "pixel"};
    for (uint32_t n = 0; n < COUNT(names); n++)
        load(w, names[n], PROGRAM + 0x1000 * n);
    EACH_MEMORY(w)
    {
        grid g = {
            .program = PROGRAM, .groups_x = 2, .groups_y = 1, .waves = 1, .user_count = 4, .user = {A, B, 100, 7}};
        fill(w, A, 100);
        dispatch(w, &g);
        run(w, 200000);
        g.program = PROGRAM + 0x1000;
        memcpy(g.user, (uint32_t[]){B, C, 100, 9}, 16);
        dispatch(w, &g);
        run(w, 200000);
        g.program = PROGRAM + 0x2000, g.waves = 4, g.lds = 1;
        memcpy(g.user, (uint32_t[]){C, D, 50}, 12);
        dispatch(w, &g);
        run(w, 200000);
        for (uint32_t half = 0; half < 2; half++) {
            uint32_t sum = 0;
            for (uint32_t n = 0; n < 50; n++)
                sum += word_at(w, A + 4 * (50 * half + n)) * 7 + 9;
            expect_word(w, D, half, sum);
        }
        dispatch(w, &(grid){.kind         = PIXEL,
                            .program      = PROGRAM + 0x3000,
                            .groups_x     = 2,
                            .groups_y     = 1,
                            .waves        = 1,
                            .pipe         = 2,
                            .last_threads = 60,
                            .user_count   = 4,
                            .user         = {D, 110, 10, 0x123}});
        run(w, 200000);
        for (uint32_t p = 0; p < 110; p++)
            expect_word(w, D, p, p >= 60 && p < 64 ? 0xa5a5a5a5 : 0xff000023 | p % 10 << 16 | p / 10 << 8);
    }
}

// The 50 dwords of a wave; user data that RSRC2 does not count are 0, what lies in the RAM of the machine is not seen.
RULE(registers_of_a_wave)
{
    load(w, "registers", PROGRAM);
    const grid g = {.program      = PROGRAM,
                    .groups_x     = 2,
                    .groups_y     = 3,
                    .waves        = 2,
                    .last_threads = 13,
                    .wave32       = true,
                    .lds          = 3,
                    .pipe         = 1,
                    .queue        = 2,
                    .epoch        = 3,
                    .scratch      = true,
                    .user_count   = 3,
                    .user         = {A, 0x77, 0x88}};
    dispatch(w, &g);
    w->waves[9].launch.launch_group = 0x7fff000200000000;
    run(w, 100000);
    // Groups with the same x write to the same place, the last of them last; its waves are number 8, 9 and 10, 11.
    static const uint32_t common[] = {0x1111, 3 << 1 | 1, 0x33330000, 0x44440000, A, 0x77, 0x88};
    for (uint32_t n = 0; n < 36; n++)
        expect_word(w, A + 200, n, n < COUNT(common) ? common[n] : 0);
    const totem_engine_pins_out *l = &w->waves[9].launch;
    const uint32_t launch[]        = {0, 0x7fff0002, 1, 13, 32, 0, l->launch_slot, 0, 2, 3 * 512, PROGRAM, 0x00032100};
    for (uint32_t n = 0; n < COUNT(launch); n++)
        expect_word(w, A + 200 + 144, n, launch[n]);
    expect_word(w, A + 200 + 192, 0, 0x5555);
    expect_word(w, A + 200 + 192, 1, 0x66);
    const uint32_t other[] = {1, 2, 0, 32, 32, 0};
    for (uint32_t n = 0; n < COUNT(other); n++)
        expect_word(w, A + 400 + 144, n, other[n]);
}
