// SPDX-License-Identifier: Apache-2.0
//
// One wave executes an illegal instruction; the others store their number + 1.

#include "totem_kernel.h"

void wave(void)
{
    const uint32_t w = wave_of_grid();
    if (w == USER_DATA(2))
        __asm__ volatile(".word 0");
    else
        BUFFER(1)[w] = w + 1;
}
