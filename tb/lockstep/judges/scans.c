// SPDX-License-Identifier: Apache-2.0
//
// scans: see scans.h.

#include "scans.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#if TOTEM_GRAPHICS

enum { ROOM = 2, RATE = 16, GRAPHICS = 2, NOBODY = -1 };

typedef struct {
    uint32_t pixels;
    bool     mark;
    uint32_t fe, state;
} primitive;

typedef struct {
    uint32_t fe, state, threads;
    bool     mark;
} wave;

// What its pixel header says of a draw.
typedef struct {
    bool     wave32, hp3d, dead;
    uint32_t epoch;
} header;

typedef struct {
    primitive room[TOTEM_SE_COUNT][ROOM]; // of each assembler, the oldest first
    int       waits[TOTEM_SE_COUNT];
    primitive here; // the last one that was taken, and what is left of it
    bool      busy; // it is not collected
    uint32_t  collected;
    int       turn;
    wave      given;
    bool      gives;   // it is not taken yet
    bool      pressed; // HP3D primitives waited a clock ago
    header    headers[TOTEM_FE_COUNT][TOTEM_DRAW_STATES];
} converter;

struct scans {
    converter converters[TOTEM_SE_COUNT];
};

scans *scans_create(void)
{
    return calloc(1, sizeof(scans));
}

void scans_destroy(scans *s)
{
    free(s);
}

static bool same_draw(const primitive *a, const primitive *b)
{
    return a->fe == b->fe && a->state == b->state;
}

static const header *header_of(const converter *c, const primitive *p)
{
    return &c->headers[p->fe][p->state];
}

// A primitive of an HP3D draw is the next one of its assembler, or is collected.
static bool hp3d_waits(const converter *c)
{
    bool waits = (c->busy || c->collected) && header_of(c, &c->here)->hp3d;
    for (int e = 0; e < TOTEM_SE_COUNT; e++)
        waits = waits || (c->waits[e] && header_of(c, &c->room[e][0])->hp3d);
    return waits;
}

// The assembler whose primitive is taken next: the first in turn with one of the draw at hand, else, if nothing is
// collected, the first in turn.
static int next_of(const converter *c, bool collected)
{
    for (int any = 0; any <= !collected; any++)
        for (int k = 0; k < TOTEM_SE_COUNT; k++) {
            const int e = (c->turn + k) % TOTEM_SE_COUNT;
            if (c->waits[e] && (any || same_draw(&c->room[e][0], &c->here)))
                return e;
        }
    return NOBODY;
}

static const char *shown(const converter *c, const totem_se_out *o)
{
    const totem_scan_out *w = &o->pixels.scan;
    if (w->wave_valid != c->gives)
        return c->gives ? "gives no pixel wave where one ends" : "ends a pixel wave too early";
    if (c->gives && (w->wave_fe != c->given.fe || w->wave_state != c->given.state ||
                     w->wave_threads != c->given.threads || w->wave_mark != c->given.mark))
        return "gives another pixel wave";
    for (uint32_t f = 0; f < TOTEM_FE_COUNT; f++) {
        const totem_pixel_out *p = &o->graphics_engine[f].graphics_pixel;
        if (p->head_valid && p->head_hp3d != (c->pressed || c->headers[f][p->head_state].hp3d))
            return "offers a pixel wave of the wrong tier";
    }
    return NULL;
}

static void give(converter *c, uint32_t threads, bool mark)
{
    c->given     = (wave){c->here.fe, c->here.state, threads, mark};
    c->gives     = true;
    c->collected = 0;
}

static void advance(converter *c, const totem_machine_out *out, int n)
{
    const totem_se_out *o    = &out->se[n];
    const bool          free = !c->gives || o->graphics_engine[c->given.fe].graphics_pixel.ready;
    const header       *h    = header_of(c, &c->here);
    c->pressed               = hp3d_waits(c);
    c->gives                 = !free;
    if (h->dead) { // what is here has no pixels any more
        c->here.pixels = 0;
        c->collected   = 0;
    }
    // Pixels of the primitive at hand; a wave that is full, or at its mark, waits until there is room for it.
    const uint32_t size = h->wave32 ? 32 : 64;
    int            next = NOBODY;
    if (c->busy) {
        const uint32_t space = size > c->collected ? size - c->collected : 0;
        uint32_t       some  = c->here.pixels < space ? c->here.pixels : space;
        some                 = some < RATE ? some : RATE;
        const bool last = some == c->here.pixels, whole = c->collected + some >= size || (last && c->here.mark);
        if (last && (!whole || free))
            next = next_of(c, !whole && c->collected + some);
        if (!whole || free) {
            c->here.pixels -= some;
            c->collected += some;
            c->busy = !last;
            if (whole)
                give(c, c->collected, last && c->here.mark);
        }
    } else {
        bool waits = false;
        for (int e = 0; e < TOTEM_SE_COUNT; e++)
            waits = waits || c->waits[e];
        next = next_of(c, c->collected != 0);
        if (c->collected && next == NOBODY && waits && free) // only other draws wait
            give(c, c->collected, false);
    }
    if (next != NOBODY) {
        c->here          = c->room[next][0];
        c->busy          = true;
        c->room[next][0] = c->room[next][1];
        c->waits[next]--;
        c->turn = (next + 1) % TOTEM_SE_COUNT;
    }
    for (int e = 0; e < TOTEM_SE_COUNT; e++) {
        const uint32_t word = out->se[e].pixels.hub.pop_data[n];
        if (out->se[e].pixels.hub.pop_valid[n] && o->pixels.scan.hub_ready[e] && c->waits[e] < ROOM)
            c->room[e][c->waits[e]++] = (primitive){.pixels = word & 0xfffff,
                                                    .mark   = word >> 20 & 1,
                                                    .fe     = (word >> 21 & 3) % TOTEM_FE_COUNT,
                                                    .state  = (word >> 23 & 15) % TOTEM_DRAW_STATES};
    }
    for (uint32_t f = 0; f < TOTEM_FE_COUNT; f++) {
        const totem_geometry_out *y = &o->graphics_engine[f].graphics_geometry;
        for (uint32_t d = 0; d < TOTEM_DRAW_STATES; d++)
            if (o->engine_kill.kill_valid && o->engine_kill.kill_pipe == GRAPHICS && o->engine_kill.kill_fe == f &&
                o->engine_kill.kill_epochs >> c->headers[f][d].epoch & 1)
                c->headers[f][d].dead = true;
        if (y->header_write_enable)
            c->headers[f][y->header_write_addr] = (header){.wave32 = y->header_write_data >> 55 & 1,
                                                           .hp3d   = y->header_write_data >> 63,
                                                           .epoch  = (y->header_write_data >> 60 & 7) % TOTEM_EPOCHS};
    }
}

bool scans_step(scans *s, const totem_machine_out *out, uint64_t clock, char message[256])
{
    for (int n = 0; n < TOTEM_SE_COUNT; n++) {
        converter  *c    = &s->converters[n];
        const char *what = shown(c, &out->se[n]);
        // A primitive is taken from a hub exactly where there is room.
        for (int e = 0; !what && e < TOTEM_SE_COUNT; e++)
            if (out->se[n].pixels.scan.hub_ready[e] != (c->waits[e] < ROOM))
                what = "takes its primitives in another order";
        if (what) {
            snprintf(message, 256,
                     "clock %llu: the scan converter of engine %d %s; due: valid %d, front end %u, draw state %u, "
                     "threads %u, mark %d",
                     (unsigned long long)clock, n, what, c->gives, c->given.fe, c->given.state, c->given.threads,
                     c->given.mark);
            return false;
        }
        advance(c, out, n);
    }
    return true;
}

#endif
