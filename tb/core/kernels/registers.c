// SPDX-License-Identifier: Apache-2.0
//
// Each wave stores the 50 dwords that the adapter holds for it, for tests.

#include "totem_kernel.h"

void wave(void)
{
    buffer out = BUFFER(0) + 50 * wave_of_grid();
    for (uint32_t n = 0; n < 50; n++)
        out[n] = REGISTER(4 * n);
}
