// SPDX-License-Identifier: Apache-2.0
//
// Second part of the histogram: a thread adds up one bin of all groups.

#include "totem_kernel.h"

void wave(void)
{
    buffer         partial = BUFFER(0), out = BUFFER(1);
    const uint32_t groups = USER_DATA(2), bins = USER_DATA(3), end = last_element(bins);
    for (uint32_t e = first_element(); e < end; e++) {
        uint32_t sum = 0;
        for (uint32_t g = 0; g < groups; g++)
            sum += partial[g * bins + e];
        out[e] = sum;
    }
}
