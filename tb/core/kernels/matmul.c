// SPDX-License-Identifier: Apache-2.0
//
// c = a x b, matrices of n x n dwords by rows. A group makes one tile of c: it brings a tile of a and one of b after
// the other into LDS, and each of its waves adds to its own part of the tile of c.

#include "totem_kernel.h"

enum { TILE = 16, ELEMENTS = TILE * TILE };

void wave(void)
{
    buffer         local = lds();
    buffer         a = BUFFER(0), b = BUFFER(1), c = BUFFER(2);
    const uint32_t n = USER_DATA(3), row = GROUP_Y * TILE, column = GROUP_X * TILE;
    const uint32_t part = ELEMENTS / WAVES, first = WAVE * part;
    uint32_t       sums[ELEMENTS];
    for (uint32_t e = 0; e < part; e++)
        sums[e] = 0;
    for (uint32_t k = 0; k < n; k += TILE) {
        for (uint32_t e = first; e < first + part; e++) {
            local[e]            = a[(row + e / TILE) * n + k + e % TILE];
            local[ELEMENTS + e] = b[(k + e / TILE) * n + column + e % TILE];
        }
        barrier();
        for (uint32_t e = 0; e < part; e++) {
            buffer   left = opaque(local + (first + e) / TILE * TILE), right = opaque(local + ELEMENTS + e % TILE);
            uint32_t sum = sums[e];
#pragma GCC unroll 16
            for (uint32_t i = 0; i < TILE; i++)
                sum += left[i] * right[i * TILE];
            sums[e] = sum;
        }
        barrier();
    }
    for (uint32_t e = 0; e < part; e++)
        c[(row + (first + e) / TILE) * n + column + e % TILE] = sums[e];
}
