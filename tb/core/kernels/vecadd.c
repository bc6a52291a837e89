// SPDX-License-Identifier: Apache-2.0
//
// out[e] = a[e] + b[e]

#include "totem_kernel.h"

void wave(void)
{
    buffer         a = BUFFER(0), b = BUFFER(1), out = BUFFER(2);
    const uint32_t end = last_element(USER_DATA(3));
    for (uint32_t e = first_element(); e < end; e++)
        out[e] = a[e] + b[e];
}
