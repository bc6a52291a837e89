// SPDX-License-Identifier: Apache-2.0
//
// totem_engine_kill: twin of rtl/issue/totem_engine_kill.v, from docs/contract/engine_kill.md.

#include "totem_engine_kill.h"

#include "totem_issue_values.h"

// The lowest front end with a kill; 0 if there is none.
static unsigned lowest(const bool *valid)
{
    for (unsigned f = 0; f < TOTEM_FE_COUNT; f++)
        if (valid[f])
            return f;
    return 0;
}

void totem_engine_kill_outputs(const totem_engine_kill_in *i, totem_engine_kill_out *o)
{
    const unsigned front    = lowest(i->port_kill_valid);
    const unsigned ring     = lowest(i->graphics_port_kill_valid);
    const bool     graphics = TOTEM_GRAPHICS && !i->port_kill_valid[front] && i->graphics_port_kill_valid[ring];

    o->kill_valid  = i->port_kill_valid[front];
    o->kill_path   = 0;
    o->kill_fe     = (uint8_t)front;
    o->kill_pipe   = i->port_kill_pipe[front];
    o->kill_queue  = i->port_kill_queue[front];
    o->kill_epochs = i->port_kill_epochs[front];
    if (graphics) {
        o->kill_valid  = true;
        o->kill_fe     = (uint8_t)ring;
        o->kill_pipe   = PIPE_GRAPHICS;
        o->kill_queue  = i->graphics_port_kill_queue[ring];
        o->kill_epochs = i->graphics_port_kill_epochs[ring];
    }
    for (unsigned f = 0; f < TOTEM_FE_COUNT; f++) {
        o->kill_ready[f]               = f == front;
        o->graphics_port_kill_ready[f] = graphics && f == ring;
    }
}
