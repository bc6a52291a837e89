// SPDX-License-Identifier: Apache-2.0
//
// totem_dispatches: twin of rtl/graphics/totem_dispatches.v, from docs/contract/dispatches.md.

#include "totem_dispatches.h"

enum { SETS = TOTEM_SETS, ENGINES = TOTEM_SE_COUNT };

static bool over(const totem_dispatches *s, unsigned set)
{
    return s->held[set] && s->flight[set] == 0 && !(s->open && s->dispatch_set == set);
}

void totem_dispatches_outputs(const totem_dispatches *s, totem_dispatches_out *o)
{
    o->dispatch_set = s->dispatch_set;
    o->use_valid    = s->use_valid;
    o->end_valid    = s->end_valid;
    o->end_set      = s->end_set;
    o->fault        = s->fault;
    o->idle         = !s->open && !s->end_valid;
    for (unsigned set = 0; set < SETS; set++)
        o->idle = o->idle && !s->held[set];
}

void totem_dispatches_step(totem_dispatches *s, const totem_dispatches_in *i)
{
    totem_dispatches n = *s; // what follows the clock edge; s stays as it was before

    // 1 Draws
    n.use_valid = false;
    n.end_valid = i->draws_end_valid;
    if (i->draws_end_valid)
        n.end_set = i->draws_end_set;

    // 2 Dispatch
    if (i->packet_start) {
        n.open                     = true;
        n.dispatch_set             = i->context_current;
        n.use_valid                = !s->held[i->context_current];
        n.held[i->context_current] = true;
    } else if (!i->walker_busy) {
        n.open = false;
    }

    // 3 Give back
    if (!i->packet_start && !i->draws_end_valid)
        for (unsigned set = 0; set < SETS && !n.end_valid; set++)
            if (over(s, set)) {
                n.held[set] = false;
                n.end_valid = true;
                n.end_set   = (uint8_t)set;
            }

    // 4 Waves
    for (unsigned set = 0; set < SETS; set++) {
        unsigned granted = 0, ended = 0;
        for (unsigned e = 0; e < ENGINES; e++) {
            if (i->grant_valid[e] && i->grant_set[e] == set)
                granted += i->grant_waves[e];
            if (i->complete_valid[e] && i->complete_set[e] == set)
                ended++;
        }
        if (ended > s->flight[set]) {
            n.fault = true;
            ended   = s->flight[set];
        }
        n.flight[set] = (uint16_t)((s->flight[set] - ended + granted) & 0x3ff);
    }

    // 5 Fault
    if (s->use_valid && (i->render_draw_valid || !i->context_draw_ready || i->context_current != s->dispatch_set))
        n.fault = true;
    for (unsigned e = 0; e < ENGINES; e++)
        if (i->grant_valid[e] && (!s->open || i->grant_set[e] != s->dispatch_set))
            n.fault = true;

    *s = n;
}
