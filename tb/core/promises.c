// SPDX-License-Identifier: Apache-2.0
//
// promises: see promises.h.

#include "promises.h"

#include <stdio.h>

enum { COMPUTE, GEOMETRY, GRAPHICS_PIPE = 2, PRIMITIVES = 256, ERRORS = 3 };

static const char *broken(promises *p, const char *what, unsigned slot)
{
    snprintf(p->text, sizeof p->text, "clock %llu, slot %u: %s", (unsigned long long)p->clock, slot, what);
    return p->text;
}

static const char *judge_done(promises *p, const totem_engine_pins_in *s)
{
    promises_wave *w = &p->waves[s->done_slot % PROMISES_SLOTS];
    if (!w->busy || s->done_slot >= PROMISES_SLOTS) // nor does one that is accepted in this clock
        return broken(p, "done of a slot that holds no wave", s->done_slot);
    if (w->kind == GEOMETRY && !w->exported)
        return broken(p, "done of a geometry wave that has not exported", s->done_slot);
    w->busy = false;
    p->done++;
    return NULL;
}

static const char *judge_export(promises *p, const totem_engine_pins_in *s, bool taken)
{
    const totem_engine_pins_in *b = &p->before;
    promises_wave              *w = &p->waves[s->export_slot % PROMISES_SLOTS];
    if (b->export_valid && (!s->export_valid || s->export_slot != b->export_slot ||
                            s->export_primitives != b->export_primitives || s->export_pixels != b->export_pixels))
        return broken(p, "an export changes before it is taken", b->export_slot);
    if (!s->export_valid)
        return NULL;
    if (!w->busy || s->export_slot >= PROMISES_SLOTS || w->kind != GEOMETRY || w->exported)
        return broken(p, "export of a slot that owes none", s->export_slot);
    if (p->clock < w->accepted + 2)
        return broken(p, "export earlier than two clocks after the acceptance", s->export_slot);
    if (s->export_primitives > PRIMITIVES)
        return broken(p, "export of more than 256 primitives", s->export_slot);
    w->exported = taken;
    return NULL;
}

static const char *judge_task(promises *p, const totem_engine_pins_in *s)
{
    const totem_engine_pins_in *b = &p->before;
    if (b->task_valid &&
        (!s->task_valid || s->task_pointer != b->task_pointer || s->task_fe != b->task_fe ||
         s->task_pipe != b->task_pipe || s->task_queue != b->task_queue || s->task_epoch != b->task_epoch))
        return broken(p, "a task changes before it is answered", 0);
    if (!s->task_valid)
        return NULL;
    for (unsigned n = 0; n < PROMISES_SLOTS; n++) {
        const promises_wave *w = &p->waves[n];
        if (w->busy && w->kind == COMPUTE && w->pipe < GRAPHICS_PIPE && w->fe == s->task_fe &&
            w->pipe == s->task_pipe && w->queue == s->task_queue && w->epoch == s->task_epoch)
            return NULL;
    }
    return broken(p, "a task of an owner without a wave of a compute pipe", 0);
}

static const char *judge_rates(promises *p, const totem_engine_pins_in *s, const totem_engine_pins_out *g)
{
    p->launch_waits = g->launch_valid && !s->launch_ready ? p->launch_waits + 1 : 0;
    p->host_waits   = g->host_valid && !s->host_done ? p->host_waits + 1 : 0;
    if (p->launch_waits >= PROMISES_READY)
        return broken(p, "a launch is not accepted", g->launch_slot);
    if (p->host_waits >= PROMISES_HOST)
        return broken(p, "an access of the host has no answer", 0);
    if (s->host_done && !g->host_valid)
        return broken(p, "an answer to the host without an access", 0);
    if (s->host_done && s->host_error > ERRORS)
        return broken(p, "an answer to the host with an error that is none", 0);
    return NULL;
}

const char *promises_clock(promises *p, const totem_engine_pins_in *shown, const totem_engine_pins_out *given)
{
    const char *text = shown->done_valid ? judge_done(p, shown) : NULL;
    if (!text)
        text = judge_export(p, shown, given->export_ready);
    if (!text)
        text = judge_task(p, shown);
    if (!text)
        text = judge_rates(p, shown, given);
    if (given->launch_valid && shown->launch_ready) {
        promises_wave *w = &p->waves[given->launch_slot % PROMISES_SLOTS];
        *w               = (promises_wave){.busy     = true,
                                           .kind     = given->launch_kind,
                                           .fe       = given->launch_fe,
                                           .pipe     = given->launch_pipe,
                                           .queue    = given->launch_queue,
                                           .epoch    = given->launch_epoch,
                                           .accepted = p->clock};
        p->accepted++;
    }
    p->before              = *shown;
    p->before.export_valid = shown->export_valid && !given->export_ready;
    p->before.task_valid   = shown->task_valid && !given->task_ready;
    p->clock++;
    return text;
}
