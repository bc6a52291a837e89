// SPDX-License-Identifier: Apache-2.0
//
// Histogram of each group. Nothing here is atomic, so each wave counts in bins of its own in LDS; behind the barrier
// the waves share the bins among them and add. histogram_sum adds those of the groups.

#include "totem_kernel.h"

void wave(void)
{
    buffer         local = lds();
    buffer         in = BUFFER(0), partial = BUFFER(1);
    const uint32_t end = last_element(USER_DATA(2)), bins = USER_DATA(3), waves = WAVES;
    buffer         own = local + WAVE * bins;
    for (uint32_t b = 0; b < bins; b++)
        own[b] = 0;
    for (uint32_t e = first_element(); e < end; e++)
        own[in[e] & (bins - 1)]++;
    barrier();
    for (uint32_t b = WAVE; b < bins; b += waves) {
        uint32_t sum = 0;
        for (uint32_t w = 0; w < waves; w++)
            sum += local[w * bins + b];
        partial[GROUP_X * bins + b] = sum;
    }
}
