// SPDX-License-Identifier: Apache-2.0
//
// totem_scan: twin of rtl/throttle/totem_scan.v, from docs/contract/scan.md.

#include "totem_scan.h"

#include "totem_issue_values.h"

enum { ASSEMBLERS = TOTEM_SE_COUNT, STATES = TOTEM_DRAW_STATES };
enum { WAVE32 = 32, WAVE64 = 64, RATE = 16 }; // pixels of a wave, and of a clock
enum { PRIMITIVE = (1 << 27) - 1 };           // bits of a hub's word
enum { NONE = ASSEMBLERS };

// Fields of a primitive.
static uint32_t prim_pixels(uint32_t primitive)
{
    return primitive & 0xfffff;
}

static bool prim_mark(uint32_t primitive)
{
    return (primitive >> 20 & 1) != 0;
}

static uint8_t prim_fe(uint32_t primitive)
{
    return primitive >> 21 & 3;
}

static uint8_t prim_draw(uint32_t primitive)
{
    return primitive >> 23 & (STATES - 1);
}

static unsigned place(unsigned fe, unsigned draw)
{
    return (fe < TOTEM_FE_COUNT ? fe : fe % TOTEM_FE_COUNT) * STATES + draw;
}

static bool waits(const totem_scan *s, unsigned e)
{
    return s->waiting[e] != 0;
}

static bool same(const totem_scan *s, unsigned e)
{
    return waits(s, e) && prim_fe(s->head[e]) == s->fe && prim_draw(s->head[e]) == s->draw;
}

void totem_scan_outputs(const totem_scan *s, totem_scan_out *o)
{
    const bool busy = s->prim_valid || s->count != 0;

    o->hp3d = busy && s->urgent[place(s->fe, s->draw)];
    o->idle = !busy && !s->wave_valid;
    for (unsigned e = 0; e < ASSEMBLERS; e++) {
        o->hub_ready[e] = s->waiting[e] < 2;
        if (waits(s, e)) {
            o->idle = false;
            if (s->urgent[place(prim_fe(s->head[e]), prim_draw(s->head[e]))])
                o->hp3d = true;
        }
    }
    o->wave_valid   = s->wave_valid;
    o->wave_fe      = s->wave_fe;
    o->wave_state   = s->wave_state;
    o->wave_threads = s->wave_threads;
    o->wave_mark    = s->wave_mark;
}

// What one clock does to the pixels: terms of the contract.
typedef struct {
    bool     gone, ends, free, gives, stuck;
    unsigned held, take, after;
    uint32_t pixels;
} work;

static work work_of(const totem_scan *s, const totem_scan_in *i)
{
    const unsigned here = place(s->fe, s->draw);
    const unsigned size = s->wave32[here] ? WAVE32 : WAVE64;
    work           w    = {.gone = s->dead[here], .free = true};

    w.held   = w.gone ? 0 : s->count;
    w.pixels = w.gone ? 0 : s->left;
    w.take   = w.held < size ? size - w.held : 0;
    if (w.take > RATE)
        w.take = RATE;
    if (w.take > w.pixels)
        w.take = w.pixels;
    w.after = w.held + w.take;
    w.ends  = s->prim_valid && w.pixels == w.take;

    for (unsigned fe = 0; fe < TOTEM_FE_COUNT; fe++)
        if (s->wave_valid && s->wave_fe == fe && !i->pixel_ready[fe])
            w.free = false;
    w.gives = s->prim_valid && (w.after >= size || (w.ends && s->mark));
    w.stuck = w.gives && !w.free;
    return w;
}

// The first assembler from `turn` on at which a primitive waits, of any draw state or of that here; or NONE.
static unsigned first_of(const totem_scan *s, bool any)
{
    for (unsigned e = 0; e < ASSEMBLERS; e++)
        if (e >= s->turn && (any ? waits(s, e) : same(s, e)))
            return e;
    for (unsigned e = 0; e < ASSEMBLERS; e++)
        if (any ? waits(s, e) : same(s, e))
            return e;
    return NONE;
}

static unsigned choice(const totem_scan *s, const work *w)
{
    const bool     open = !s->prim_valid || (w->ends && !w->stuck);
    const bool     rest = !w->gives && (s->prim_valid ? w->after : w->held) != 0;
    const unsigned e    = first_of(s, false);

    if (!open)
        return NONE;
    return e == NONE && !rest ? first_of(s, true) : e;
}

static void give(totem_scan *n, const totem_scan *s, unsigned threads, bool mark)
{
    n->wave_valid   = true;
    n->wave_fe      = s->fe;
    n->wave_state   = s->draw;
    n->wave_threads = (uint8_t)threads;
    n->wave_mark    = mark;
    n->count        = 0;
}

// 4 Next primitive, continued: the places of one assembler.
static void step_places(totem_scan *n, const totem_scan *s, const totem_scan_in *i, unsigned e, bool chosen)
{
    const bool     room = s->waiting[e] < 2;
    const uint32_t word = i->hub_data[e] & PRIMITIVE;

    if (chosen || !waits(s, e))
        n->head[e] = room ? word : s->tail[e];
    if (room)
        n->tail[e] = word;
    n->waiting[e] = (uint8_t)(s->waiting[e] + (i->hub_valid[e] && room) - chosen);
}

void totem_scan_step(totem_scan *s, const totem_scan_in *i)
{
    totem_scan     n = *s; // what follows the clock edge; s stays as it was before
    const work     w = work_of(s, i);
    const unsigned c = choice(s, &w);

    // 1 Taken
    if (w.free)
        n.wave_valid = false;

    // 2 Collect
    if (s->prim_valid && !w.stuck) {
        n.left       = w.pixels - w.take;
        n.count      = (uint8_t)w.after;
        n.prim_valid = !w.ends;
        if (w.gives)
            give(&n, s, w.after, w.ends && s->mark);
    }

    // 3 Leftovers
    const bool others =
        !s->prim_valid && !w.gone && s->count != 0 && first_of(s, true) != NONE && first_of(s, false) == NONE;
    if (!s->prim_valid && w.gone)
        n.count = 0;
    if (others && w.free)
        give(&n, s, s->count, false);

    // 4 Next primitive
    for (unsigned e = 0; e < ASSEMBLERS; e++) {
        step_places(&n, s, i, e, e == c);
        if (e == c) {
            n.prim_valid = true;
            n.left       = prim_pixels(s->head[e]);
            n.mark       = prim_mark(s->head[e]);
            n.fe         = prim_fe(s->head[e]);
            n.draw       = prim_draw(s->head[e]);
            n.turn       = (uint8_t)((e + 1) % ASSEMBLERS);
        }
    }

    // 5 Kill
    if (i->kill_valid && i->kill_pipe == PIPE_GRAPHICS)
        for (unsigned k = 0; k < TOTEM_FE_COUNT * STATES; k++)
            if (k / STATES == i->kill_fe && i->kill_epochs >> s->epoch[k] & 1)
                n.dead[k] = true;

    // 6 Header
    for (unsigned fe = 0; fe < TOTEM_FE_COUNT; fe++)
        if (i->header_valid[fe]) {
            const unsigned k = place(fe, i->header_state[fe]);
            n.wave32[k]      = (i->header_data[fe] >> 55 & 1) != 0;
            n.epoch[k]       = (uint8_t)(i->header_data[fe] >> 60 & (TOTEM_EPOCHS - 1));
            n.urgent[k]      = i->header_data[fe] >> 63 != 0;
            n.dead[k]        = false;
        }

    *s = n;
}
