// SPDX-License-Identifier: Apache-2.0
//
// totem_launch: twin of rtl/issue/totem_launch.v, from docs/contract/launch.md.

#include "totem_launch.h"

#include "totem_issue_values.h"

enum { DEPTH = 3 };

// Waves of entry 0 that are still to be accepted.
static uint8_t rest_of(const totem_launch *s)
{
    return (uint8_t)((s->waves[0] - s->index) & 127);
}

void totem_launch_outputs(const totem_launch *s, totem_launch_out *o)
{
    const uint8_t rest = rest_of(s);
    const bool    last = rest <= 1;
    const bool    soon = s->count == 0 || (s->count == 1 && rest <= 2) || (s->count == 2 && rest + s->waves[1] <= 2);

    o->room = s->count + s->asked <= 2 && soon;

    o->launch_valid      = s->count != 0 && s->slot_valid;
    o->idle              = !o->launch_valid;
    o->launch_slot       = s->slot;
    o->launch_path       = 0;
    o->launch_fe         = s->fe[0];
    o->launch_pipe       = s->pipe[0];
    o->launch_queue      = s->queue[0];
    o->launch_epoch      = s->epoch[0];
    o->launch_group      = s->group[0];
    o->launch_index      = s->index;
    o->launch_waves      = s->waves[0];
    o->launch_wave32     = s->wave32[0];
    o->launch_invalidate = s->fresh[0] && s->index == 0 ? s->invalidate[0] : 0;
    o->launch_threads    = last ? s->threads[0] : s->wave32[0] ? 32 : 64;
    o->launch_program    = s->program_addr[0];
    o->launch_vgprs      = s->vgprs[0];
    o->launch_lds        = s->lds[0];
    o->launch_buffer     = s->buffer[0];
    o->header            = (uint8_t)((s->pipe[0] & 1u) << 1 | (s->buffer[0] ? 1u : 0u));
    o->launch_state_new  = s->fresh[0] && s->index == 0;

    o->launch_kind       = s->kind[0];
    o->launch_draw       = s->draw[0];
    o->launch_set        = s->set[0];
    o->launch_primitives = s->primitives[0];

    o->release_valid  = s->release_valid;
    o->release_fe     = s->release_fe;
    o->release_pipe   = s->release_pipe;
    o->release_buffer = s->release_buffer;

    o->alloc_valid = s->alloc_valid;
    o->alloc_slot  = s->alloc_slot;
    o->alloc_first = s->alloc_first;
    o->alloc_waves = s->alloc_waves;
    o->alloc_fe    = s->alloc_fe;
    o->alloc_pipe  = s->alloc_pipe;
    o->alloc_queue = s->alloc_queue;
    o->alloc_epoch = s->alloc_epoch;
    o->alloc_vgprs = s->alloc_vgprs;
    o->alloc_lds   = s->alloc_lds;
    o->alloc_kind  = s->alloc_kind;
    o->alloc_draw  = s->alloc_draw;
}

// Entry n becomes a copy of the entry behind it.
static void move_up(totem_launch *s, unsigned n)
{
    s->fe[n]           = s->fe[n + 1];
    s->pipe[n]         = s->pipe[n + 1];
    s->buffer[n]       = s->buffer[n + 1];
    s->fresh[n]        = s->fresh[n + 1];
    s->group[n]        = s->group[n + 1];
    s->waves[n]        = s->waves[n + 1];
    s->threads[n]      = s->threads[n + 1];
    s->wave32[n]       = s->wave32[n + 1];
    s->invalidate[n]   = s->invalidate[n + 1];
    s->vgprs[n]        = s->vgprs[n + 1];
    s->lds[n]          = s->lds[n + 1];
    s->program_addr[n] = s->program_addr[n + 1];
    s->queue[n]        = s->queue[n + 1];
    s->epoch[n]        = s->epoch[n + 1];
    s->kind[n]         = s->kind[n + 1];
    s->draw[n]         = s->draw[n + 1];
    s->set[n]          = s->set[n + 1];
    s->primitives[n]   = s->primitives[n + 1];
}

void totem_launch_step(totem_launch *s, const totem_launch_in *i)
{
    totem_launch_out out;
    totem_launch_outputs(s, &out);

    const bool accept = out.launch_valid && i->launch_ready;
    const bool finish = accept && rest_of(s) <= 1;
    const bool arrive = i->grant_valid && s->asked && s->count - finish != DEPTH;

    bool    any_spare = false;
    uint8_t lowest    = s->slot;
    for (unsigned n = TOTEM_SLOTS; n-- > 0;) {
        const bool spare = !s->used[n] && !(s->slot_valid && s->slot == n);
        any_spare        = any_spare || spare;
        lowest           = spare ? (uint8_t)n : lowest;
    }

    // 1 Room
    s->asked = out.room;

    // 2 Allocation
    s->alloc_valid = accept;
    if (accept) {
        s->alloc_slot  = out.launch_slot;
        s->alloc_first = s->index == 0;
        s->alloc_waves = s->waves[0];
        s->alloc_fe    = s->fe[0];
        s->alloc_pipe  = s->pipe[0];
        s->alloc_queue = s->queue[0];
        s->alloc_epoch = s->epoch[0];
        s->alloc_vgprs = s->vgprs[0];
        s->alloc_lds   = s->lds[0];
        s->alloc_kind  = s->kind[0];
        s->alloc_draw  = s->draw[0];
    }

    // 3 Release
    s->release_valid = finish && s->kind[0] == WAVE_COMPUTE;
    if (finish) {
        s->release_fe     = s->fe[0];
        s->release_pipe   = s->pipe[0];
        s->release_buffer = s->buffer[0];
    }

    // 4 Index
    if (accept)
        s->index = finish ? 0 : (uint8_t)((s->index + 1) & 127);

    // 5 Finish
    if (finish) {
        for (unsigned n = 0; n + 1 < DEPTH; n++)
            move_up(s, n);
        s->count = (uint8_t)(s->count - 1);
    }

    // 6 Arrival
    if (arrive) {
        for (unsigned n = 0; n < DEPTH; n++)
            if (n == s->count) {
                s->fe[n]           = i->grant_fe;
                s->pipe[n]         = i->grant_pipe;
                s->buffer[n]       = i->grant_buffer;
                s->fresh[n]        = i->grant_new;
                s->group[n]        = i->grant_group;
                s->waves[n]        = i->grant_waves;
                s->threads[n]      = i->grant_threads;
                s->wave32[n]       = i->grant_wave32;
                s->invalidate[n]   = i->grant_invalidate;
                s->vgprs[n]        = i->grant_vgprs;
                s->lds[n]          = i->grant_lds;
                s->program_addr[n] = i->grant_program;
                s->queue[n]        = i->grant_queue;
                s->epoch[n]        = i->grant_epoch;
                s->kind[n]         = TOTEM_GRAPHICS ? i->grant_kind : WAVE_COMPUTE;
                s->draw[n]         = TOTEM_GRAPHICS ? i->grant_draw : 0;
                s->set[n]          = TOTEM_GRAPHICS ? i->grant_set : 0;
                s->primitives[n]   = TOTEM_GRAPHICS ? i->grant_primitives : 0;
            }
        s->count = (uint8_t)(s->count + 1);
    }

    // 7 Slots
    if (i->free_valid)
        s->used[i->free_slot & (TOTEM_SLOTS - 1)] = false;
    if (accept)
        s->used[s->slot & (TOTEM_SLOTS - 1)] = true;

    // 8 Next slot
    if (accept || !s->slot_valid) {
        s->slot_valid = any_spare;
        s->slot       = lowest;
    }
}
