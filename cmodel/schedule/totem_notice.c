// SPDX-License-Identifier: Apache-2.0
//
// totem_notice: interrupts of queues of the run list, in their order for the host.
// Twin of rtl/schedule/totem_notice.v; the rules are those of docs/contract/notice.md.

#include "totem_notice.h"

enum { CONTEXT_BITS = 32 };

static bool kept(const totem_notice *s)
{
    return s->arrived && s->count < TOTEM_NOTICE_DEPTH;
}

static bool fetches(const totem_notice *s)
{
    return s->count > 0 && !s->valid && !s->coming;
}

void totem_notice_outputs(const totem_notice *s, totem_notice_out *o)
{
    o->valid = s->valid;
    o->entry = s->entry;
    o->ctxid = s->ctxid;
    o->lost  = s->lost;
    o->due   = s->valid || s->lost;

    o->ram_write_enable = kept(s);
    o->ram_write_addr   = (uint8_t)((s->first + s->count) % TOTEM_NOTICE_DEPTH);
    o->ram_write_data   = (uint64_t)s->arrived_entry << CONTEXT_BITS | s->arrived_context;
    o->ram_read_enable  = fetches(s);
    o->ram_read_addr    = s->first;
}

void totem_notice_step(totem_notice *s, const totem_notice_in *i)
{
    totem_notice n = *s; // what follows the clock edge; s stays as it was before

    // 1 Arrive
    n.arrived = i->events_notice_valid;
    if (i->events_notice_valid) {
        n.arrived_entry   = i->events_notice_entry;
        n.arrived_context = i->events_notice_context;
    }
    if (kept(s))
        n.count++;

    // 2 Fetch
    n.coming = fetches(s);
    if (fetches(s)) {
        n.count--;
        n.first = (uint8_t)((s->first + 1) % TOTEM_NOTICE_DEPTH);
    }

    // 3 First
    if (s->valid && i->ledger_take)
        n.valid = false;
    if (s->coming) {
        n.valid = true;
        n.entry = (uint16_t)(i->ram_read_data >> CONTEXT_BITS);
        n.ctxid = (uint32_t)i->ram_read_data;
    }

    // 4 Clear
    if (i->ledger_clear)
        n.lost = false;
    if (s->arrived && !kept(s))
        n.lost = true;

    *s = n;
}
