// SPDX-License-Identifier: Apache-2.0
//
// totem_failure: twin of rtl/fence/totem_failure.v, from docs/contract/failure.md.

#include "totem_failure.h"

#include "../memory/totem_memory_values.h"

enum { PLACES = 4 }; // for failed packet writes

void totem_failure_outputs(const totem_failure *s, totem_failure_out *o)
{
    o->write_room = s->owed + s->failures <= PLACES;
    o->halt       = s->halt;
    o->halt_queue = s->halt_queue;
    o->valid      = s->failures != 0;
    o->slot       = s->failure_queue[0];
    o->code       = s->failure_code[0];
    o->addr       = s->failure_addr[0];
    for (unsigned q = 0; q < TOTEM_QUEUES; q++) {
        o->waits[q] = false;
        for (unsigned f = 0; f < PLACES; f++)
            o->waits[q] = o->waits[q] || (f < s->failures && s->failure_queue[f] == q);
    }
}

// 3 Taken
static void take(totem_failure *s)
{
    for (unsigned f = 0; f + 1 < PLACES; f++) {
        s->failure_queue[f] = s->failure_queue[f + 1];
        s->failure_code[f]  = s->failure_code[f + 1];
        s->failure_addr[f]  = s->failure_addr[f + 1];
    }
    s->failures--;
}

void totem_failure_step(totem_failure *s, const totem_failure_in *i)
{
    const uint8_t ack_queue = i->ack_tag & (TOTEM_QUEUES - 1);
    const uint8_t ack_epoch = i->ack_tag >> 3 & (TOTEM_EPOCHS - 1);
    const bool    failed    = i->ack_error != MEMORY_OK;

    // 1 Owed
    s->owed = (uint8_t)((s->owed + i->packet_fence_write - i->packet_write_ack) & 7);

    // 2 Halt
    s->halt =
        (i->fence_write_ack || i->packet_write_ack) && failed && (i->epoch_present[ack_queue] >> ack_epoch & 1) != 0;
    if (s->halt)
        s->halt_queue = ack_queue;
    if (i->fence_free && s->failures != 0)
        take(s);

    // 4 Kept
    const uint8_t f = s->failures;
    if (i->packet_write_ack && failed && f < PLACES) {
        s->failure_queue[f] = ack_queue;
        s->failure_code[f]  = i->ack_error;
        s->failure_addr[f]  = i->ack_addr;
        s->failures         = (uint8_t)(f + 1);
    }
}

// Counters that are narrower than their C type.
bool totem_failure_invariant(const totem_failure *s)
{
    return s->failures <= PLACES;
}
