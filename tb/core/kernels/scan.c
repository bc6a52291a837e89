// SPDX-License-Identifier: Apache-2.0
//
// Prefix sums within each group, and the sum of each group; scan_add makes them those of the whole array. Each wave
// sums its elements first; behind the barrier it knows the sums of the waves before it.

#include "totem_kernel.h"

void wave(void)
{
    buffer         local = lds();
    buffer         in = BUFFER(0), out = BUFFER(1), sums = BUFFER(2);
    const uint32_t first = first_element(), end = last_element(USER_DATA(3));
    uint32_t       sum = 0;
    for (uint32_t e = first; e < end; e++)
        sum += in[e];
    local[WAVE] = sum;
    barrier();
    const uint32_t before = WAVE, waves = WAVES;
    sum = 0;
    for (uint32_t w = 0; w < before; w++)
        sum += local[w];
    for (uint32_t e = first; e < end; e++) {
        sum += in[e];
        out[e] = sum;
    }
    if (before == waves - 1)
        sums[GROUP_X] = sum;
}
