// SPDX-License-Identifier: Apache-2.0
//
// totem_hub: twin of rtl/throttle/totem_hub.v, from docs/contract/hub.md.

#include "totem_hub.h"

enum { DEPTH = TOTEM_HUB_DEPTH, COUNTS = 2 * DEPTH }; // a count has the values below COUNTS

_Static_assert(DEPTH >= 4 && DEPTH <= 128 && (DEPTH & (DEPTH - 1)) == 0, "DEPTH is a power of two from 4 to 128");

static unsigned unread(const totem_hub *s, unsigned c)
{
    return (unsigned)(DEPTH + s->write_place[c] - s->read_place[c]) % DEPTH;
}

static bool reads(const totem_hub *s, unsigned c)
{
    return s->read_place[c] != s->write_place[c] && (!s->fetched[c] || s->held[c] < 2);
}

void totem_hub_outputs(const totem_hub *s, totem_hub_out *o)
{
    for (unsigned c = 0; c < TOTEM_SE_COUNT; c++) {
        o->push_ready[c]       = s->count[c] < DEPTH;
        o->pop_valid[c]        = s->held[c] != 0;
        o->pop_data[c]         = s->head[c];
        o->ram_write_enable[c] = s->entry_valid[c];
        o->ram_write_addr[c]   = s->write_place[c];
        o->ram_write_data[c]   = s->entry_data[c];
        o->ram_read_enable[c]  = reads(s, c);
        o->ram_read_addr[c]    = s->read_place[c];
        o->count[c]            = s->count[c];
    }
    o->fault = s->fault;
}

// The count is too large, or not what the stages hold.
static bool wrong(const totem_hub *s, unsigned c)
{
    return s->count[c] > DEPTH || s->count[c] != s->entry_valid[c] + unread(s, c) + s->fetched[c] + s->held[c];
}

// One converter; n is what follows the clock edge.
static void step_converter(totem_hub *n, const totem_hub *s, const totem_hub_in *i, unsigned c)
{
    const bool accept = i->push_valid[c] && s->count[c] < DEPTH;
    const bool take   = i->pop_ready[c] && s->held[c] != 0;
    const bool move   = s->fetched[c] && s->held[c] < 2;

    // 1 Entry
    n->entry_valid[c] = accept;
    n->entry_data[c]  = i->push_data[c];

    // 2 Write
    if (s->entry_valid[c])
        n->write_place[c] = (uint8_t)((s->write_place[c] + 1) % DEPTH);

    // 3 Read
    if (reads(s, c)) {
        n->read_place[c] = (uint8_t)((s->read_place[c] + 1) % DEPTH);
        n->fetched[c]    = true;
    } else if (move)
        n->fetched[c] = false;

    // 4 Buffer
    if (take || s->held[c] == 0)
        n->head[c] = s->held[c] >= 2 ? s->tail[c] : i->ram_read_data[c];
    if (s->held[c] < 2)
        n->tail[c] = i->ram_read_data[c];
    n->held[c] = (uint8_t)(s->held[c] + move - take);

    // 5 Count
    n->count[c] = (uint8_t)((unsigned)(COUNTS + s->count[c] + accept - take) % COUNTS);
}

void totem_hub_step(totem_hub *s, const totem_hub_in *i)
{
    totem_hub n = *s; // what follows the clock edge; s stays as it was before

    for (unsigned c = 0; c < TOTEM_SE_COUNT; c++) {
        step_converter(&n, s, i, c);
        // 6 Fault
        if (wrong(s, c))
            n.fault = true;
    }

    *s = n;
}
