// SPDX-License-Identifier: Apache-2.0
//
// The first wave launches a task and stores the answer: 1 taken, 2 refused.

#include "totem_kernel.h"

void wave(void)
{
    if (wave_of_grid() == 0)
        BUFFER(1)[0] = 1 + launch_task(USER_DATA(0));
}
