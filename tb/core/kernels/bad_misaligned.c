// SPDX-License-Identifier: Apache-2.0
//
// One wave stores a dword beside its place; the others store their number + 1.

#include "totem_kernel.h"

void wave(void)
{
    const uint32_t w = wave_of_grid();
    if (w == USER_DATA(2))
        *(volatile uint32_t *)(uintptr_t)(USER_DATA(0) + 2) = 1;
    else
        BUFFER(1)[w] = w + 1;
}
