// SPDX-License-Identifier: Apache-2.0
//
// out[e] = in[e] + addend

#include "totem_kernel.h"

void wave(void)
{
    buffer         in = BUFFER(0), out = BUFFER(1);
    const uint32_t end = last_element(USER_DATA(2)), addend = USER_DATA(3);
    for (uint32_t e = first_element(); e < end; e++)
        out[e] = in[e] + addend;
}
