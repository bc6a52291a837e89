// SPDX-License-Identifier: Apache-2.0
//
// world: see world.h. What both variants have.

#include "world.h"

void world_join(world *w)
{
    totem_context_in        *c = w->context_in;
    totem_frames_in         *f = w->frames_in;
    const totem_context_out *o = w->context;

    c->frames_want       = w->frames->roll_want;
    c->frames_room       = w->frames->roll_room;
    c->frames_changed    = w->frames->changed;
    c->frames_cleared    = w->frames->cleared;
    f->context_used      = o->used;
    f->context_has_tag   = o->has_tag;
    f->context_roll_want = o->roll_want;
    f->context_roll_free = o->roll_free;
    f->context_roll_set  = o->roll_set;
    f->context_hit_valid = o->hit_valid;
    f->context_hit_set   = o->hit_set;
}

void world_write_ram(world *w)
{
    for (uint32_t b = 0; b < TOTEM_BANKS; b++)
        if (w->frames->ram_write_enable[b])
            w->ram[b][w->frames->ram_write_addr[b]] = w->frames->ram_write_data[b];
}

static uint32_t in_frame(const world *w, uint32_t frame, uint32_t x)
{
    return w->ram[x % TOTEM_BANKS][frame * WORLD_ROWS + x / TOTEM_BANKS];
}

uint32_t world_register(const world *w, uint32_t set, uint32_t x)
{
    return in_frame(w, w->frames->frame[set], x);
}

uint32_t world_logical(const world *w, uint32_t set, uint32_t x)
{
    const totem_frames *s     = w->frames_state;
    uint32_t            frame = s->frame[set];
    if (s->copying && s->copy_target == frame && x / TOTEM_BANKS >= s->copy_done[x % TOTEM_BANKS])
        frame = s->copy_source;
    return in_frame(w, frame, x);
}
