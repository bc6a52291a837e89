// SPDX-License-Identifier: Apache-2.0
//
// rtl.h for programs that run the model alone and are built without Verilator: there is no RTL, so a session that asks
// for one is refused.

#include "rtl.h"

#include <stddef.h>

const rtl_calls *rtl_plain(void)
{
    return NULL;
}

const rtl_calls *rtl_waves(void)
{
    return NULL;
}
