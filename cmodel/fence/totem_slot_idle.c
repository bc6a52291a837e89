// SPDX-License-Identifier: Apache-2.0
//
// totem_slot_idle: twin of rtl/fence/totem_slot_idle.v, from docs/contract/slot_idle.md.

#include "totem_slot_idle.h"

#include "totem_epochs.h"

enum { ALL = (1 << TOTEM_EPOCHS) - 1 };

static bool ended(const totem_slot_idle_in *i, unsigned q, uint8_t epoch)
{
    return has(i->flight_empty[q], epoch) || has(i->epoch_reserved[q], epoch);
}

static uint8_t meant(const totem_slot_idle_in *i, unsigned q)
{
    return i->epoch_mapped[q] ? i->epoch_present[q] : ALL;
}

static bool idle(const totem_slot_idle_in *i, unsigned q)
{
    const bool kept = i->failure_waits[q] || i->fence_telling[q] || i->intake_storing[q];
    return i->epoch_closed[q] == 0 && i->flight_empty[q] == ALL && i->epoch_reserved[q] == 0 && !kept;
}

static bool spare(const totem_slot_idle_in *i, unsigned q)
{
    unsigned vacant = 0;
    for (uint8_t e = 0; e < TOTEM_EPOCHS; e++)
        vacant += has(i->flight_empty[q], e) && !has(i->epoch_closed[q], e) && !has(i->epoch_reserved[q], e);
    return vacant >= 2 && !has(i->epoch_closed[q], i->epoch_current[q]);
}

static bool goes(const totem_slot_idle_in *i, const totem_slot_idle_out *o, unsigned q)
{
    const bool arrives = (i->record_fence_valid && i->record_fence_queue == q) || i->intake_storing[q];
    const bool writes  = (i->fence_write_pending[q] & meant(i, q)) != 0;
    return i->kill_abandon[q] && !i->epoch_abandoned[q] && !arrives && !writes && !o->quiet[q];
}

void totem_slot_idle_outputs(const totem_slot_idle_in *i, totem_slot_idle_out *o)
{
    o->drop_valid = false;
    o->drop_queue = 0;
    for (uint8_t q = 0; q < TOTEM_QUEUES; q++) {
        o->targets[q] = (uint8_t)(meant(i, q) & ~i->flight_empty[q]);
        o->settled[q] = i->epoch_flushed[q] && ended(i, q, i->epoch_current[q]);
        o->idle[q]    = idle(i, q);
        o->quiet[q]   = i->epoch_mapped[q] ? o->settled[q] : o->idle[q];
        o->over[q]    = i->epoch_turn[q] & (i->flight_empty[q] | i->epoch_reserved[q]);
        o->spare[q]   = spare(i, q);
    }
    for (uint8_t q = 0; q < TOTEM_QUEUES; q++)
        if (!o->drop_valid && goes(i, o, q)) {
            o->drop_valid = true;
            o->drop_queue = q;
        }
    o->drop_valid = o->drop_valid && i->fence_free && !i->failure_valid;
}
