// SPDX-License-Identifier: Apache-2.0
//
// A shader core of one's own: a wave reads USER_DATA[0] and runs for so many clocks, 0xffffffff for ever. A geometry
// wave then exports its primitives, PIXELS of each. core_clock is called once a clock with the pins of the wave
// interface (docs/engine.md).

#ifndef CORE_H
#define CORE_H

#include <totem.h>

enum { SLOTS_MAX = 64, USER_DATA = 2, PIXELS = 16 };
enum { COMPUTE, GEOMETRY, PIXEL }; // kinds of waves

typedef struct {
    bool     busy, owes; // owes: it has primitives to export
    uint8_t  fe, pipe, queue, epoch, primitives;
    uint64_t end;
} wave;

typedef struct {
    wave  waves[SLOTS_MAX];
    wave *exports; // the one that offers its primitives, or NULL
    bool  asked;   // state_index was shown while a wave was offered: its word is there
} core;

typedef struct {
    unsigned accepted, ended, killed, kinds[3], primitives;
} core_counts;

// One wave after the other offers its primitives, until all of them are taken.
static void export_clock(core *c, core_counts *n, uint64_t clock, const totem_engine_pins_out *o,
                         totem_engine_pins_in *i)
{
    for (wave *v = c->waves; !c->exports && v < c->waves + SLOTS_MAX; v++)
        if (v->busy && v->owes && v->end <= clock)
            c->exports = v;
    if (!c->exports)
        return;
    i->export_valid      = true;
    i->export_slot       = (uint8_t)(c->exports - c->waves);
    i->export_primitives = c->exports->primitives;
    i->export_pixels     = PIXELS;
    if (o->export_ready) {
        n->primitives += c->exports->primitives;
        c->exports->owes = false;
        c->exports       = NULL;
    }
}

static void core_clock(core *c, core_counts *n, uint64_t clock, const totem_engine_pins_out *o, totem_engine_pins_in *i)
{
    // A core without registers answers every access to its page at once: no such register.
    *i = (totem_engine_pins_in){.state_index = USER_DATA, .host_done = o->host_valid, .host_error = 1};
    for (uint8_t slot = 0; slot < SLOTS_MAX && !i->done_valid; slot++)
        if (c->waves[slot].busy && !c->waves[slot].owes && c->waves[slot].end <= clock) {
            c->waves[slot].busy = false;
            i->done_valid       = true;
            i->done_slot        = slot;
            n->ended++;
        }
    export_clock(c, n, clock, o, i);
    for (wave *v = c->waves; o->kill_valid && v < c->waves + SLOTS_MAX; v++)
        if (v->busy && v->fe == o->kill_fe && v->pipe == o->kill_pipe && v->queue == o->kill_queue &&
            (o->kill_epochs >> v->epoch & 1) && v->end > clock) {
            v->end        = clock;
            v->primitives = 0; // none if it is killed before
            n->killed++;
        }
    if (o->launch_valid && c->asked) {
        const uint32_t clocks    = (uint32_t)o->state_data;
        const uint64_t end       = clocks == UINT32_MAX ? UINT64_MAX : clock + (clocks < 2 ? 2 : clocks);
        c->waves[o->launch_slot] = (wave){.busy       = true,
                                          .owes       = o->launch_kind == GEOMETRY,
                                          .fe         = o->launch_fe,
                                          .pipe       = o->launch_pipe,
                                          .queue      = o->launch_queue,
                                          .epoch      = o->launch_epoch,
                                          .primitives = o->launch_primitives,
                                          .end        = end};
        i->launch_ready          = true;
        n->accepted++;
        n->kinds[o->launch_kind]++;
    }
    c->asked = o->launch_valid && !c->asked;
}

#endif
