// SPDX-License-Identifier: Apache-2.0
//
// totem_render_message: twin of rtl/graphics/totem_render_message.v, from docs/contract/render.md.

#include "totem_render_message.h"

enum { HEADS = 3 }; // words before the first state word

bool totem_render_header(const totem_render *s, const totem_render_waves *w)
{
    return s->step == w->words + HEADS;
}

static uint64_t shape(const totem_render *s, const totem_render_waves *w)
{
    return s->primitive | (uint64_t)s->points << 6 | (uint64_t)w->wave32 << 12 | (uint64_t)w->vgprs << 13 |
           (uint64_t)w->blocks << 20 | (uint64_t)s->set << 29 | (uint64_t)s->epoch << 33 | (uint64_t)s->hp3d << 36 |
           (uint64_t)w->words << 37 | (uint64_t)w->pixel_words << 42;
}

static uint64_t pixel_header(const totem_render *s, const totem_render_waves *w)
{
    const bool wave32 = s->pixel_wave32 && !s->old;

    return s->pixel_program | (uint64_t)(w->pixel_vgprs - 1u) << 40 | (uint64_t)w->pixel_blocks << 46 |
           (uint64_t)wave32 << 55 | (uint64_t)s->set << 56 | (uint64_t)s->epoch << 60 | (uint64_t)s->hp3d << 63;
}

void totem_render_message(const totem_render *s, const totem_render_waves *w, totem_render_out *o)
{
    const bool header = totem_render_header(s, w);

    o->message_valid = s->phase == RENDER_SEND && (s->step < HEADS || header || s->full);
    o->message_last  = s->step == w->words + w->pixel_words + HEADS;
    switch (s->step) {
    case 0: o->message_word = (uint64_t)s->copies << 32 | s->vertices; break;
    case 1: o->message_word = shape(s, w); break;
    case 2: o->message_word = s->program_addr | (uint64_t)s->throttle << 40; break;
    default: o->message_word = header ? pixel_header(s, w) : s->state_word; break;
    }
}
