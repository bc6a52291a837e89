// SPDX-License-Identifier: Apache-2.0
//
// neighbour: waves of another queue beside those that a test ends. Their results have to be right.

#ifndef CORE_NEIGHBOUR_H
#define CORE_NEIGHBOUR_H

#include "world.h"

enum { A = 0x20000, B = 0x24000, C = 0x28000, CORES = 4, MOST = 100000 };
enum { BAD = PROGRAM, GOOD = PROGRAM + 0x1000 };
// Dwords of the host's page.
enum { RUNNING = 2, WAITING, WAVES, ERRORS, RECORD, ADDRESS, RUN_PROGRAM, GROUP_X, GROUP_YZ, LOW, HIGH };

// A neighbour of another queue: a vecadd of 64 elements a wave.
static inline grid neighbour(uint32_t groups)
{
    return (grid){.program    = GOOD,
                  .groups_x   = groups,
                  .groups_y   = 1,
                  .waves      = 1,
                  .queue      = 1,
                  .user_count = 4,
                  .user       = {A, A, B, 64 * groups}};
}

static inline void expect_neighbour(world *w, uint32_t groups)
{
    for (uint32_t n = 0; n < 64 * groups; n++)
        assert_int_equal(word_at(w, B + 4 * n), 2 * n);
}

// Kernels in place, and what the neighbour reads.
static inline void prepare(world *w, const char *bad)
{
    load(w, bad, BAD);
    load(w, "vecadd", GOOD);
    for (uint32_t n = 0; n < 1024; n++)
        put_word(w, A + 4 * n, n);
}

#endif
