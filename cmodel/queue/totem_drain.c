// SPDX-License-Identifier: Apache-2.0
//
// totem_drain: twin of rtl/queue/totem_drain.v, from docs/contract/drain.md.

#include "totem_drain.h"

#include "totem_hqd_values.h"

static bool writing(const totem_drain_in *i, unsigned q)
{
    return i->record_busy[q] || i->fetch_reporting[q];
}

static bool ended(const totem_drain_in *i, unsigned q)
{
    switch (i->hqd_dequeue[q]) {
    case DEQUEUE_RESET: return i->hqd_killing[q] && i->kill_ended[q];
    case DEQUEUE_LEAVE: return !i->task_owed[q];
    default: return i->fence_settled[q] && !i->task_owed[q];
    }
}

void totem_drain_outputs(const totem_drain_in *i, totem_drain_out *o)
{
    for (unsigned q = 0; q < TOTEM_QUEUES; q++) {
        o->not_selected[q] = !i->arbiter_selected_valid || i->arbiter_selected != q;
        o->drained[q]      = !writing(i, q) && ended(i, q);
        o->free[q]         = !writing(i, q) && !i->arbiter_active[q];
    }
}
