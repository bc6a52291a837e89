// SPDX-License-Identifier: Apache-2.0
//
// totem_share: twin of rtl/issue/totem_share.v, from docs/contract/share.md.

#include "totem_share.h"

// The lowest front end with a kill; 0 if there is none.
static unsigned front_of(const totem_share_in *i)
{
    for (unsigned f = 0; f < TOTEM_FE_COUNT; f++)
        if (i->port_kill_valid[f])
            return f;
    return 0;
}

void totem_share_outputs(const totem_share_in *i, totem_share_out *o)
{
    const unsigned front = front_of(i);

    o->kill_valid  = i->port_kill_valid[front];
    o->kill_path   = 0;
    o->kill_fe     = (uint8_t)front;
    o->kill_pipe   = i->port_kill_pipe[front];
    o->kill_queue  = i->port_kill_queue[front];
    o->kill_epochs = i->port_kill_epochs[front];
    for (unsigned f = 0; f < TOTEM_FE_COUNT; f++)
        o->kill_ready[f] = f == front;
}
