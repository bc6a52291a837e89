// SPDX-License-Identifier: Apache-2.0
//
// grants: see grants.h.

#include "grants.h"

#include "ring.h"

#include "../../../cmodel/graphics/totem_draws_values.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

// Heads of an engine: a group of each pipe; of each ring a geometry wave, a group and a pixel wave.
enum { P = TOTEM_PIPE_COUNT, GEOMETRY = P, GROUPS = P + RINGS, PIXELS = P + 2 * RINGS, HEADS = P + 3 * RINGS };
enum { ROOM = HEADS + 3 * !RINGS }; // of arrays, also where there is no ring
enum { DEPTH = 8, NOBODY = -1 };
enum { HP3D = 1, GFX = 3 };                 // tiers of graphics
enum { KINDS = 3, ROUND = RINGS + !RINGS }; // kinds: 0 groups, 1 geometry, 2 pixels
enum { FREE_DELAY = 4 };                    // clocks from a wave's end until its engine has the resources back
enum { ON_THE_WAY = 8 };                    // groups granted and not launched whole
enum { LONGEST = 0xffffff };
enum { SOON = 64 }; // clocks until an engine knows a priority that was written

typedef struct {
    uint32_t waves, vgprs, lds; // VGPRs and LDS: blocks; vgprs of a wave
} shape;

typedef struct {
    shape    size;
    bool     awaited; // its own numbers come with the next word
    bool     hp3d;
    uint32_t draw; // state of a geometry wave
} group;

typedef struct {
    uint32_t slots, vgprs, lds;
} resources;

typedef struct {
    bool     used;
    int      kind; // as kind_of
    shape    size;
    uint32_t left; // waves that have not ended
} living;

typedef struct {
    shape     header[ROOM][2];
    group     fifo[ROOM][DEPTH];
    int       count[ROOM];
    uint32_t  priority[ROOM];     // told last, of all that wait
    int       untold[P];          // clocks that another one has been written
    bool      recalled[ROOM];     // the word came in the clock before
    int       order[P];           // totem pole
    int       kinds[2][KINDS];    // of HP3D, GFX: the least recently issued first
    int       turn[2][KINDS];     // front end
    uint32_t  program[RINGS + 1]; // draw state whose program a ring has at hand
    bool      has_program[RINGS + 1], new_program[RINGS + 1];
    resources free;
    resources held;     // by pixel waves
    int       geometry; // waves in flight
    int       back_geometry[FREE_DELAY];
    bool      owed;             // a hold was granted, and no pixel wave since
    resources back[FREE_DELAY]; // by clock: what comes back at its end
    resources back_held[FREE_DELAY];
    uint32_t  waited[ROOM];
    bool      lacked[ROOM];         // in the clock before
    uint32_t  sums[ROOM][2];        // clocks so far: eligible and not chosen; lacking
    uint64_t  hold[ROOM];           // not 0: holds, and the lower the longer
    uint64_t  holds;                // begun so far
    int       expected;             // head that is granted in the next clock
    bool      ends;                 // a pipe that holds now
    int       slot_of[TOTEM_SLOTS]; // its group
    living    groups[TOTEM_SLOTS + ON_THE_WAY];
    int       launching[ON_THE_WAY]; // groups in the order in which they are launched
    int       launching_count;
    uint32_t  launched; // waves of the first of them
} engine;

struct grants {
    engine engines[TOTEM_SE_COUNT];
};

grants *grants_create(void)
{
    grants *g = calloc(1, sizeof *g);
    for (int e = 0; g && e < TOTEM_SE_COUNT; e++) {
        engine *n = &g->engines[e];
        for (int p = 0; p < P; p++)
            n->order[p] = p;
        for (int k = 0; k < KINDS; k++)
            n->kinds[0][k] = n->kinds[1][k] = k;
        n->free     = (resources){TOTEM_SLOTS, TOTEM_VGPRS, TOTEM_LDS};
        n->expected = NOBODY;
    }
    return g;
}

void grants_destroy(grants *g)
{
    free(g);
}

static int kind_of(int h)
{
    return h < GROUPS ? 1 : h < PIXELS ? 0 : 2;
}

static int first_of(int kind)
{
    return kind == WAVE_COMPUTE ? GROUPS : kind == WAVE_GEOMETRY ? GEOMETRY : PIXELS;
}

// Tier of the first one of a head, the best is 0.
static int tier(const engine *n, int h)
{
    if (h >= P)
        return kind_of(h) && n->fifo[h][0].hp3d ? HP3D : GFX;
    return n->priority[h] == 2 ? 0 : n->priority[h] == 1 ? 2 : 4;
}

// Geometry leaves what pixel waves do not yet hold of the reserve.
static bool fits(const engine *n, int h, const totem_host_out *host)
{
    const shape *s = &n->fifo[h][0].size;
    if (s->waves > n->free.slots || s->waves * s->vgprs > n->free.vgprs || s->lds > n->free.lds)
        return false;
    return h < GEOMETRY || h >= GROUPS ||
           (s->waves + host->settings_reserve_slots <= n->free.slots + n->held.slots &&
            s->vgprs + host->settings_reserve_vgprs <= n->free.vgprs + n->held.vgprs &&
            s->lds + host->settings_reserve_lds <= n->free.lds + n->held.lds);
}

static bool there(const engine *n, int h)
{
    const int f = h - GEOMETRY;
    if (n->count[h] == 0 || n->recalled[h] || n->fifo[h][0].awaited)
        return false;
    return h < GEOMETRY || h >= GROUPS || (n->has_program[f] && n->program[f] == n->fifo[h][0].draw);
}

static bool offered(const engine *n, int h, int granted)
{
    return there(n, h) && h != granted;
}

// Some hold of a better tier, or an older one of its own, keeps it back; pixels only that of a pipe of a better tier,
// when no geometry is in flight and none is owed.
static bool kept_back(const engine *n, int p, int granted)
{
    const int own = tier(n, p);
    if (p >= PIXELS && (n->geometry || n->owed))
        return false;
    for (int h = 0; HEADS > 1 && h < (p >= PIXELS ? P : HEADS); h++) {
        if (h == p || !n->hold[h] || !offered(n, h, granted))
            continue;
        const int other = tier(n, h);
        if (other < own || (other == own && (!n->hold[p] || n->hold[h] < n->hold[p])))
            return true;
    }
    return false;
}

// Of a tier and kind of graphics: the head of the front end that has the turn, NOBODY none.
static int has_turn(const engine *n, int t, int kind, int granted)
{
    for (int k = 0; k < RINGS; k++) {
        const int h = first_of(kind) + (n->turn[t == GFX][kind] + k) % ROUND;
        if (offered(n, h, granted) && tier(n, h) == t && !kept_back(n, h, granted))
            return h;
    }
    return NOBODY;
}

// The head that is granted in the next clock, and the turns after it. `granted`: the one in this clock. Geometry is
// never granted in two clocks in a row, and only if the throttle's gate is open.
static int decide(engine *n, int granted, bool open, bool gate, const totem_host_out *host)
{
    int best = NOBODY;
    for (int k = 0; open && k < P; k++) { // of equal ones the first in the pole stays
        const int p = n->order[k];
        if (offered(n, p, granted) && fits(n, p, host) && !kept_back(n, p, granted) &&
            (best == NOBODY || tier(n, p) < tier(n, best)))
            best = p;
    }
    for (int t = HP3D; t <= GFX; t += GFX - HP3D)
        for (int k = 0; open && k < KINDS; k++) {
            const int  h    = has_turn(n, t, n->kinds[t == GFX][k], granted);
            const bool held = kind_of(h) == 1 && (!gate || (granted >= GEOMETRY && granted < GROUPS));
            if (h != NOBODY && !held && fits(n, h, host) && (best == NOBODY || t < tier(n, best)))
                best = h;
        }
    for (int t = HP3D; t <= GFX; t += GFX - HP3D)
        for (int k = 0; k < KINDS; k++) {
            const int h = has_turn(n, t, k, granted);
            if (h != NOBODY)
                n->turn[t == GFX][k] = ((h - GEOMETRY) % ROUND + (h == best)) % ROUND;
        }
    return best;
}

static void to_the_bottom(int *order, int count, int last)
{
    int k = 0;
    while (order[k] != last)
        k++;
    memmove(order + k, order + k + 1, sizeof *order * (size_t)(count - 1 - k));
    order[count - 1] = last;
}

static uint32_t hold_after(const engine *n, int h, const totem_host_out *host)
{
    switch (tier(n, h)) {
    case 0: return host->settings_hold_high;
    case 2: return host->settings_hold_medium;
    case GFX: return host->settings_hold_graphics;
    default: return host->settings_hold_low;
    }
}

// Holds in the next clock, of pipes or of the groups of rings: one begins a clock, of those that are due the first in
// their order as it was.
static void holds(engine *n, const int *order, int count, int granted, const totem_host_out *host)
{
    bool begun = false;
    for (int k = 0; k < count; k++) {
        const int  p    = order[k];
        const bool head = there(n, p);
        const bool due  = head && p != granted && !n->hold[p] && n->lacked[p] && n->waited[p] >= hold_after(n, p, host);
        if (p == granted)
            n->waited[p] = 0;
        else if (n->lacked[p] && n->waited[p] < LONGEST)
            n->waited[p]++;
        if (p == granted || !head)
            n->hold[p] = 0;
        if (due && !begun) {
            n->hold[p] = ++n->holds;
            begun      = true;
        }
    }
}

// The word of a front end for this engine, if there is one. The tag of a group says its pipe, of a ring none.
static void word(engine *n, int p, uint64_t data, uint32_t tag)
{
    const unsigned kind   = tag >> 11 & 7;
    shape         *header = &n->header[p][tag >> 14 & 1];
    switch (kind) {
    case 0:
        header->vgprs = data >> 40 & 0x7f;
        header->lds   = data >> 47 & 0x1ff;
        break;
    case 1: header->waves = data & 0x7f; break;
    case 3:
        if (n->count[p] < DEPTH)
            n->fifo[p][n->count[p]++] = (group){.size = *header, .awaited = (tag >> 15 & 1) != 0};
        n->priority[p] = tag >> 9 & 3;
        break;
    case 4:
        for (int k = 0; k < n->count[p]; k++)
            if (n->fifo[p][k].awaited) {
                n->fifo[p][k].size.waves = data & 0x7f;
                n->fifo[p][k].awaited    = false;
            }
        break;
    case 5: n->recalled[p] = true; break;
    case 7: n->priority[p] = tag >> 9 & 3; break;
    default: break;
    }
}

// A word of a draw: its header, which every engine takes, or a wave of this one.
static void wave(engine *n, int f, int e, uint64_t data, uint32_t tag)
{
    const int      h    = GEOMETRY + f;
    const uint32_t draw = tag >> 12 & (TOTEM_DRAW_STATES - 1);
    if ((tag >> 9 & 3) == DRAW_HEADER) {
        n->new_program[f] = true;
        n->has_program[f] = n->has_program[f] && n->program[f] != draw;
    } else if ((tag >> 9 & 3) == DRAW_WAVE && (int)(tag >> 4 & 3) == e && n->count[h] < DEPTH)
        n->fifo[h][n->count[h]++] =
            (group){.size = {1, data & 0x7f, data >> 7 & 0x1ff}, .hp3d = (tag >> 6 & 3) == CLASS_HP3D, .draw = draw};
}

// What is launched and what ends in this clock.
static void waves(engine *n, const totem_launch_out *l, const totem_wave_out *w, uint64_t clock)
{
    if (w->done_valid) {
        living    *g    = &n->groups[n->slot_of[w->done_slot]];
        resources *back = &n->back[clock % FREE_DELAY];
        back->slots++;
        back->vgprs += g->size.vgprs;
        n->back_geometry[clock % FREE_DELAY] += g->kind == WAVE_GEOMETRY;
        if (g->kind == WAVE_PIXEL) {
            n->back_held[clock % FREE_DELAY].slots++;
            n->back_held[clock % FREE_DELAY].vgprs += g->size.vgprs;
            n->back_held[clock % FREE_DELAY].lds += g->size.lds;
        }
        if (g->used && --g->left == 0) {
            back->lds += g->size.lds;
            g->used = false;
        }
    }
    if (l->launch_valid && w->launch_ready && n->launching_count) {
        n->slot_of[l->launch_slot] = n->launching[0];
        if (++n->launched == n->groups[n->launching[0]].size.waves) {
            memmove(n->launching, n->launching + 1, sizeof n->launching - sizeof n->launching[0]);
            n->launching_count--;
            n->launched = 0;
        }
    }
}

// A grant of the clock before takes effect.
static void take(engine *n, const shape *s, int kind)
{
    const bool pixels = kind == WAVE_PIXEL;
    int        k      = 0;
    while (n->groups[k].used)
        k++;
    n->groups[k]                       = (living){.used = true, .kind = kind, .size = *s, .left = s->waves};
    n->launching[n->launching_count++] = k;
    n->free.slots -= s->waves;
    n->free.vgprs -= s->waves * s->vgprs;
    n->free.lds -= s->lds;
    n->geometry += kind == WAVE_GEOMETRY;
    n->owed = !pixels && n->owed;
    n->held.slots += pixels;
    n->held.vgprs += pixels ? s->vgprs : 0;
    n->held.lds += pixels ? s->lds : 0;
}

// Heads of pixel waves as they are offered.
static void offer_pixels(engine *n, const totem_se_out *out)
{
#if TOTEM_GRAPHICS
    for (int f = 0; f < RINGS; f++) {
        const totem_pixel_out *p = &out->graphics_engine[f].graphics_pixel;
        n->count[PIXELS + f]     = p->head_valid;
        n->fifo[PIXELS + f][0] =
            (group){.size = {1, p->head_vgprs, p->head_lds}, .hp3d = p->head_hp3d, .draw = p->head_state};
    }
#else
    (void)n;
    (void)out;
#endif
}

// The head that is granted in this clock.
static int head_of(const totem_issue_out *i)
{
    if (!i->grant_valid)
        return NOBODY;
    return ring_of_front_end(i->grant_pipe) ? first_of(i->grant_kind) + i->grant_fe
                                            : i->grant_fe * TOTEM_PIPES + i->grant_pipe;
}

// A pipe whose groups have waited here for too long with another priority than its queue has; NOBODY: none.
static int told_too_late(engine *n, const totem_machine_out *out)
{
    for (int p = 0; p < P; p++) {
        const totem_front_out *o = &out->fe[p / TOTEM_PIPES].pipe[p % TOTEM_PIPES].front;
        const bool             same =
            !n->count[p] || n->recalled[p] || o->execute.stop || n->priority[p] == o->arbiter.pipe_priority;
        n->untold[p] = same ? 0 : n->untold[p] + 1;
        if (n->untold[p] > SOON)
            return p;
    }
    return NOBODY;
}

static bool engine_step(engine *n, const totem_machine_out *out, int e, uint64_t clock, char message[256])
{
    const totem_issue_out *issue   = &out->se[e].issue;
    const totem_host_out  *host    = &out->host;
    const int              granted = head_of(issue);
    if (granted != n->expected) {
        snprintf(
            message, 256,
            "clock %llu: engine %d grants head %d, by tiers, pole, turns, fit and holds it is %d (-1: none; pipes, "
            "from %d on geometry, from %d on groups of rings, from %d on pixels)",
            (unsigned long long)clock, e, granted, n->expected, GEOMETRY, GROUPS, PIXELS);
        return false;
    }
    const int late = told_too_late(n, out);
    if (late != NOBODY) {
        snprintf(message, 256, "clock %llu: engine %d does not know the pipe priority of pipe %d after %d clocks",
                 (unsigned long long)clock, e, late, SOON);
        return false;
    }
    if (granted != NOBODY) {
        if (granted < P)
            to_the_bottom(n->order, P, granted);
        else
            to_the_bottom(n->kinds[tier(n, granted) == GFX], KINDS, kind_of(granted));
        take(n, &n->fifo[granted][0].size, granted < P ? WAVE_COMPUTE : kind_of(granted));
        n->owed = n->owed || n->ends;
    }

    // The next grant.
    offer_pixels(n, &out->se[e]);
    bool gate = true;
#if TOTEM_GRAPHICS
    gate = out->se[e].pixels.throttle.gate;
#endif
    int groups[RINGS + 1] = {0};
    for (int k = 0; k < RINGS; k++)
        groups[k] = GROUPS + (n->turn[1][0] + k) % ROUND;
    bool lacks[ROOM];
    for (int h = 0; h < HEADS; h++)
        lacks[h] = offered(n, h, granted) && (!fits(n, h, host) || kept_back(n, h, granted));
    const bool open = out->se[e].launch.room && !out->events.stop && !issue->fault;
    n->expected     = decide(n, granted, open, gate, host);
    for (int h = 0; h < HEADS; h++) {
        const bool closed = kind_of(h) == 1 && h >= P && (!gate || (granted >= GEOMETRY && granted < GROUPS));
        n->sums[h][0] += open && !closed && h != n->expected && offered(n, h, granted) && !lacks[h];
        n->sums[h][1] += lacks[h];
    }
    n->ends = RINGS && n->expected != NOBODY && n->expected < P && n->hold[n->expected];
    holds(n, n->order, P, granted, host);
    holds(n, groups, RINGS, granted, host);
    memcpy(n->lacked, lacks, sizeof lacks);

    // What leaves the FIFOs, what ends, what comes.
    for (int f = 0; f < RINGS; f++) {
        const int h = GEOMETRY + f;
        if (n->count[h] && !there(n, h) && !n->new_program[f]) {
            n->has_program[f] = true;
            n->program[f]     = n->fifo[h][0].draw;
        }
        n->new_program[f] = false;
    }
    if (granted != NOBODY && granted < PIXELS)
        memmove(n->fifo[granted], n->fifo[granted] + 1, sizeof(group) * (size_t)--n->count[granted]);
    for (int h = 0; h < HEADS; h++) {
        n->count[h]    = n->recalled[h] ? 0 : n->count[h];
        n->recalled[h] = false;
    }
    resources *back = &n->back[clock % FREE_DELAY];
    n->free.slots += back->slots;
    n->free.vgprs += back->vgprs;
    n->free.lds += back->lds;
    *back = (resources){0};
    back  = &n->back_held[clock % FREE_DELAY];
    n->held.slots -= back->slots;
    n->held.vgprs -= back->vgprs;
    n->held.lds -= back->lds;
    *back = (resources){0};
    n->geometry -= n->back_geometry[clock % FREE_DELAY];
    n->back_geometry[clock % FREE_DELAY] = 0;
    waves(n, &out->se[e].launch, &out->wave[e], clock);
    for (int lane = 0; lane < TOTEM_LANES; lane++) {
        const uint32_t tag   = out->bus.lane_tag[lane];
        const int      front = (int)(tag >> 2 & 3), class = (int)(tag >> 6 & 3);
        if (!out->bus.lane_valid[lane])
            continue;
        if (class != 0 && tag >> 8 & 1)
            wave(n, front, e, out->bus.lane_word[lane], tag);
        else if ((int)(tag >> 4 & 3) == e)
            word(n,
                 class             ? GROUPS + front
                 : TOTEM_PIPES > 1 ? front * TOTEM_PIPES + (int)(tag >> 8 & 1)
                                   : front,
                 out->bus.lane_word[lane], tag);
    }
    return true;
}

uint32_t grants_clocks(const grants *g, int e, int head, bool lacking)
{
    return g->engines[e].sums[head][lacking];
}

bool grants_step(grants *g, const totem_machine_out *out, uint64_t clock, char message[256])
{
    for (int e = 0; e < TOTEM_SE_COUNT; e++)
        if (!engine_step(&g->engines[e], out, e, clock, message))
            return false;
    return true;
}
