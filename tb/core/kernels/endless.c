// SPDX-License-Identifier: Apache-2.0
//
// Tells that it runs, and never ends.

#include "totem_kernel.h"

void wave(void)
{
    buffer         flag = BUFFER(0);
    const uint32_t w    = wave_of_grid();
    flag[w]             = 1;
    for (;;)
        (void)flag[w];
}
