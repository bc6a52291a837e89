// SPDX-License-Identifier: Apache-2.0
//
// Second part of the prefix sums: out[e] += sums of the groups before.

#include "totem_kernel.h"

void wave(void)
{
    buffer         out = BUFFER(0), sums = BUFFER(1);
    const uint32_t end = last_element(USER_DATA(2)), group = GROUP_X;
    uint32_t       before = 0;
    for (uint32_t g = 0; g < group; g++)
        before += sums[g];
    for (uint32_t e = first_element(); e < end; e++)
        out[e] += before;
}
