// SPDX-License-Identifier: Apache-2.0
//
// Pixel waves: a thread writes one pixel of an image, ARGB: red grows with x, green with y, blue is that of the draw.

#include "totem_kernel.h"

void wave(void)
{
    buffer         image = BUFFER(0);
    const uint32_t end = last_element(USER_DATA(1)), width = USER_DATA(2), blue = USER_DATA(3) & 0xff;
    for (uint32_t p = first_element(); p < end; p++)
        image[p] = 0xff000000 | (p % width & 0xff) << 16 | (p / width & 0xff) << 8 | blue;
}
