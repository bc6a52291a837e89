// SPDX-License-Identifier: Apache-2.0
//
// totem_rest: twin of rtl/queue/totem_rest.v, from docs/contract/rest.md.

#include "totem_rest.h"

static bool asks(const totem_rest_in *i, unsigned q)
{
    return i->arbiter_active[q] && (i->fetch_pending[q] || (i->poll_once[q] && !i->packet_halted[q]));
}

static bool leaving(const totem_rest_in *i, unsigned q)
{
    return i->arbiter_selected_valid && i->arbiter_selected == q && !i->arbiter_active[q];
}

void totem_rest_outputs(const totem_rest_in *i, totem_rest_out *o)
{
    o->idle = !i->walker_busy && !i->fetch_busy && !i->hqd_busy && !i->mqd_busy && !i->poll_busy;
    for (unsigned q = 0; q < TOTEM_QUEUES; q++)
        o->idle = o->idle && i->fence_idle[q] && !i->record_busy[q] && !i->packet_unfinished[q] && !asks(i, q) &&
                  !leaving(i, q);
}
