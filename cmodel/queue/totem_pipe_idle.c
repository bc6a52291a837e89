// SPDX-License-Identifier: Apache-2.0
//
// totem_pipe_idle: twin of rtl/queue/totem_pipe_idle.v, from docs/contract/pipe_idle.md.

#include "totem_pipe_idle.h"

static bool asks(const totem_pipe_idle_in *i, unsigned q)
{
    return i->arbiter_active[q] && (i->fetch_pending[q] || (i->poll_once[q] && !i->packet_halted[q]));
}

static bool leaving(const totem_pipe_idle_in *i, unsigned q)
{
    return i->arbiter_selected_valid && i->arbiter_selected == q && !i->arbiter_active[q];
}

void totem_pipe_idle_outputs(const totem_pipe_idle_in *i, totem_pipe_idle_out *o)
{
    o->idle = !i->walker_busy && !i->fetch_busy && !i->hqd_busy && !i->mqd_busy && !i->poll_busy;
    for (unsigned q = 0; q < TOTEM_QUEUES; q++)
        o->idle = o->idle && i->fence_idle[q] && !i->record_busy[q] && !i->packet_unfinished[q] && !asks(i, q) &&
                  !leaving(i, q);
}
