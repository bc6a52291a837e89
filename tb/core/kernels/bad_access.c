// SPDX-License-Identifier: Apache-2.0
//
// One wave reads and writes where it must not; the others store their number + 1.

#include "totem_kernel.h"

void wave(void)
{
    const uint32_t w = wave_of_grid();
    if (w == USER_DATA(2))
        BUFFER(0)[0]++;
    else
        BUFFER(1)[w] = w + 1;
}
