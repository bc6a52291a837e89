// SPDX-License-Identifier: Apache-2.0
//
// out[GROUP_X] = sum of `count` elements. Waves take them in turn; behind the barrier the first wave adds their sums.

#include "totem_kernel.h"

void wave(void)
{
    buffer         local = lds();
    const uint32_t count = USER_DATA(2), waves = WAVES;
    buffer         in = BUFFER(0) + GROUP_X * count, out = BUFFER(1);
    uint32_t       sum = 0;
    for (uint32_t e = WAVE; e < count; e += waves)
        sum += in[e];
    local[WAVE] = sum;
    barrier();
    if (WAVE == 0) {
        for (uint32_t w = 1; w < waves; w++)
            sum += local[w];
        out[GROUP_X] = sum;
    }
}
