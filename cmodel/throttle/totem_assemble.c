// SPDX-License-Identifier: Apache-2.0
//
// totem_assemble: twin of rtl/throttle/totem_assemble.v, from docs/contract/assemble.md.

#include "totem_assemble.h"

#include "totem_issue_values.h"

enum { CONVERTERS = TOTEM_SE_COUNT };

static bool offers(const totem_assemble *s)
{
    return s->run && s->good && s->next < s->primitives;
}

// A primitive: pixels, mark, front end, draw state. `whose` is {draw state, front end}.
static uint32_t primitive(const totem_assemble *s)
{
    const bool     mark  = s->next + CONVERTERS >= s->primitives;
    const uint32_t fe    = s->whose & 3;
    const uint32_t state = s->whose >> 2;

    return s->pixels | (uint32_t)mark << 20 | fe << 21 | state << 23;
}

void totem_assemble_outputs(const totem_assemble *s, totem_assemble_out *o)
{
    for (unsigned c = 0; c < CONVERTERS; c++) {
        o->push_valid[c] = offers(s) && s->turn == c;
        o->push_data[c]  = primitive(s);
    }
    o->export_ready = s->ready;
    o->cull_valid   = s->cull_valid;
    o->cull_fe      = s->cull_fe;
    o->cull_state   = s->cull_state;
    o->cull_count   = s->cull_count;
    o->idle         = !(s->run || s->ready || s->cull_valid);
    o->fault        = s->fault;
}

// The primitive on offer is taken.
static bool accepted(const totem_assemble *s, const totem_assemble_in *i)
{
    for (unsigned c = 0; c < CONVERTERS; c++)
        if (c == s->turn)
            return offers(s) && i->hub_push_ready[c];
    return false; // no converter has that number
}

void totem_assemble_step(totem_assemble *s, const totem_assemble_in *i)
{
    totem_assemble n      = *s; // what follows the clock edge; s stays as it was before
    const bool     accept = accepted(s, i);
    const bool     last   = accept && s->next + 1 == s->primitives;
    const bool     ends   = s->run && (!s->good || s->next >= s->primitives || last);

    // 1 Without export
    if (i->done_valid && s->owes[i->done_slot]) {
        n.fault              = true;
        n.owes[i->done_slot] = false;
    }

    // 2 Begin
    if (i->export_valid && !s->run && !s->ready) {
        n.run        = true;
        n.good       = s->owes[i->export_slot];
        n.slot       = i->export_slot;
        n.whose      = s->owner[i->export_slot];
        n.primitives = i->export_primitives;
        n.pixels     = i->export_pixels;
        n.next       = 0;
        n.turn       = 0;
    }

    // 3 Take
    if (accept) {
        n.next = (uint16_t)((s->next + 1) & 0x1ff);
        n.turn = (uint8_t)(s->turn == CONVERTERS - 1 ? 0 : (s->turn + 1) & 3);
    }

    // 4 End
    n.cull_valid = false;
    n.ready      = ends;
    if (ends) {
        n.run = false;
        if (s->good) {
            n.owes[s->slot] = false;
            if (s->primitives < CONVERTERS) {
                n.cull_valid = true;
                n.cull_count = (uint8_t)(CONVERTERS - s->primitives);
                n.cull_fe    = s->whose & 3;
                n.cull_state = (uint8_t)(s->whose >> 2);
            }
        } else
            n.fault = true;
    }

    // 5 Allocation
    if (i->alloc_valid && i->alloc_kind == WAVE_GEOMETRY) {
        n.owes[i->alloc_slot]  = true;
        n.owner[i->alloc_slot] = (uint8_t)(i->alloc_draw << 2 | i->alloc_fe);
    }

    *s = n;
}
