// SPDX-License-Identifier: Apache-2.0
//
// totem_draw_count: twin of rtl/graphics/totem_draw_count.v, from docs/contract/draw_count.md.

#include "totem_draw_count.h"

enum { ENGINES = TOTEM_SE_COUNT, STATES = TOTEM_DRAW_STATES };

void totem_draw_count_outputs(const totem_draw_count *s, totem_draw_count_out *o)
{
    o->idle  = true;
    o->fault = s->fault;
    for (unsigned d = 0; d < STATES; d++) {
        o->empty[d] = s->count[d] == 0;
        o->idle     = o->idle && o->empty[d];
    }
}

void totem_draw_count_step(totem_draw_count *s, const totem_draw_count_in *i)
{
    // 1 Count
    for (unsigned d = 0; d < STATES; d++) {
        unsigned more = 0, less = 0;

        for (unsigned e = 0; e < ENGINES; e++) {
            const bool granted = i->grant_state[e] == d;
            if (granted && i->geometry_valid[e])
                more += ENGINES;
            if (granted && i->pixel_valid[e])
                more++;
            if (i->complete_valid[e] && i->complete_state[e] == d)
                less++;
            if (i->mark_valid[e] && i->mark_state[e] == d)
                less++;
            if (i->cull_valid[e] && i->cull_state[e] == d)
                less += i->cull_count[e];
        }
        if (less > s->count[d]) {
            s->fault    = true;
            s->count[d] = (uint16_t)more;
        } else
            s->count[d] = (uint16_t)((s->count[d] - less + more) & 0xfff);
    }
}
