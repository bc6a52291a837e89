// SPDX-License-Identifier: Apache-2.0
//
// random: the generator behind every random choice of the harness (splitmix64): one seed, one sequence, everywhere.

#ifndef RANDOM_H
#define RANDOM_H

#include <stdint.h>

typedef struct {
    uint64_t state;
} totem_random;

static inline uint64_t random_next(totem_random *r)
{
    uint64_t z = (r->state += 0x9e3779b97f4a7c15u);
    z          = (z ^ z >> 30) * 0xbf58476d1ce4e5b9u;
    z          = (z ^ z >> 27) * 0x94d049bb133111ebu;
    return z ^ z >> 31;
}

// 0 .. count-1; count at least 1.
static inline uint32_t random_below(totem_random *r, uint32_t count)
{
    return (uint32_t)((random_next(r) >> 32) * count >> 32);
}

#endif
