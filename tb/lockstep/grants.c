// SPDX-License-Identifier: Apache-2.0
//
// grants: see grants.h.

#include "grants.h"

#include "ring.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { P = TOTEM_PIPE_COUNT, DEPTH = 4, NOBODY = -1 };
enum { FREE_DELAY = 4 }; // clocks from a wave's end until its engine has the resources back
enum { ON_THE_WAY = 8 }; // groups granted and not launched whole
enum { LONGEST = 0xffffff };

typedef struct {
    uint32_t waves, vgprs, lds; // VGPRs and LDS: blocks; vgprs of a wave
} shape;

typedef struct {
    shape    size;
    uint32_t priority;
    bool     awaited; // its own numbers come with the next word
} group;

typedef struct {
    uint32_t slots, vgprs, lds;
} resources;

typedef struct {
    bool     used;
    shape    size;
    uint32_t left; // waves that have not ended
} living;

typedef struct {
    shape     header[P][2];
    group     fifo[P][DEPTH];
    int       count[P];
    bool      recalled[P]; // the word came in the clock before
    int       order[P];    // totem pole
    resources free;
    resources back[FREE_DELAY]; // by clock: what comes back at its end
    uint32_t  waited[P];
    bool      lacked[P];            // in the clock before
    uint64_t  hold[P];              // not 0: holds, and the lower the longer
    uint64_t  holds;                // begun so far
    int       expected;             // pipe that is granted in the next clock, unless a graphics pipe is
    bool      kept;                 // then a group of a graphics pipe holds: it may keep others back
    int       slot_of[TOTEM_SLOTS]; // its group
    living    groups[TOTEM_SLOTS + ON_THE_WAY];
    int       launching[ON_THE_WAY]; // groups in the order in which they are launched
    int       launching_count;
    uint32_t  launched; // waves of the first of them
    bool      unknown;  // graphics has sent it something: this check knows groups of compute alone
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
        n->free     = (resources){TOTEM_SLOTS, TOTEM_VGPRS, TOTEM_LDS};
        n->expected = NOBODY;
    }
    return g;
}

void grants_destroy(grants *g)
{
    free(g);
}

// Tier of a pipe priority, the best is 0.
static int tier(uint32_t priority)
{
    return priority == 2 ? 0 : priority == 1 ? 1 : 2;
}

static bool fits(const engine *n, const shape *s)
{
    return s->waves <= n->free.slots && s->waves * s->vgprs <= n->free.vgprs && s->lds <= n->free.lds;
}

static bool offered(const engine *n, int p, int granted)
{
    return n->count[p] != 0 && !n->recalled[p] && !n->fifo[p][0].awaited && p != granted;
}

// Some hold of a better tier, or an older one of its own, keeps it back.
static bool kept_back(const engine *n, int p, int granted)
{
    const int own = tier(n->fifo[p][0].priority);
    for (int h = 0; P > 1 && h < P; h++) {
        if (h == p || !n->hold[h] || !offered(n, h, granted))
            continue;
        const int other = tier(n->fifo[h][0].priority);
        if (other < own || (other == own && (!n->hold[p] || n->hold[h] < n->hold[p])))
            return true;
    }
    return false;
}

// The pipe that is granted in the next clock. `granted`: the one in this clock.
static int decide(const engine *n, int granted)
{
    int best = NOBODY;
    for (int k = 0; k < P; k++) { // of equal ones the first in the pole stays
        const int p = n->order[k];
        if (offered(n, p, granted) && fits(n, &n->fifo[p][0].size) && !kept_back(n, p, granted) &&
            (best == NOBODY || tier(n->fifo[p][0].priority) < tier(n->fifo[best][0].priority)))
            best = p;
    }
    return best;
}

static void to_the_bottom(engine *n, int p)
{
    int k = 0;
    while (n->order[k] != p)
        k++;
    memmove(n->order + k, n->order + k + 1, sizeof n->order[0] * (size_t)(P - 1 - k));
    n->order[P - 1] = p;
}

// Holds in the next clock: one begins a clock, of those that are due the first in the pole as it was.
static void holds(engine *n, const int order[P], int granted, const totem_host_out *host)
{
    bool begun = false;
    for (int k = 0; k < P; k++) {
        const int      p     = order[k];
        const bool     head  = n->count[p] != 0 && !n->recalled[p] && !n->fifo[p][0].awaited;
        const uint32_t after = !head                               ? 0
                               : tier(n->fifo[p][0].priority) == 0 ? host->settings_hold_high
                               : tier(n->fifo[p][0].priority) == 1 ? host->settings_hold_medium
                                                                   : host->settings_hold_low;
        const bool     due   = head && p != granted && !n->hold[p] && n->lacked[p] && n->waited[p] >= after;
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

// The word of a front end for this engine, if there is one.
static void word(engine *n, int front, uint64_t data, uint32_t tag)
{
    const unsigned kind   = tag >> 11 & 7;
    const int      p      = front * TOTEM_PIPES + (TOTEM_PIPES > 1 ? (int)(tag >> 8 & 1) : 0);
    shape         *header = &n->header[p][tag >> 14 & 1];
    switch (kind) {
    case 0:
        header->vgprs = data >> 40 & 0x7f;
        header->lds   = data >> 47 & 0x1ff;
        break;
    case 1: header->waves = data & 0x7f; break;
    case 3:
        if (n->count[p] < DEPTH)
            n->fifo[p][n->count[p]++] =
                (group){.size = *header, .priority = tag >> 9 & 3, .awaited = (tag >> 15 & 1) != 0};
        break;
    case 4:
        for (int k = 0; k < n->count[p]; k++)
            if (n->fifo[p][k].awaited) {
                n->fifo[p][k].size.waves = data & 0x7f;
                n->fifo[p][k].awaited    = false;
            }
        break;
    case 5: n->recalled[p] = true; break;
    default: break;
    }
}

// What is launched and what ends in this clock.
static void waves(engine *n, const totem_launch_out *l, const totem_wave_out *w, uint64_t clock)
{
    if (w->done_valid) {
        living    *g    = &n->groups[n->slot_of[w->done_slot]];
        resources *back = &n->back[clock % FREE_DELAY];
        back->slots++;
        back->vgprs += g->size.vgprs;
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
static void take(engine *n, const shape *s)
{
    int k = 0;
    while (n->groups[k].used)
        k++;
    n->groups[k]                       = (living){.used = true, .size = *s, .left = s->waves};
    n->launching[n->launching_count++] = k;
    n->free.slots -= s->waves;
    n->free.vgprs -= s->waves * s->vgprs;
    n->free.lds -= s->lds;
}

static bool engine_step(engine *n, const totem_machine_out *out, int e, uint64_t clock, char message[256])
{
    const totem_issue_out *issue = &out->se[e].issue;
    // What a graphics pipe gets is not judged here; it comes before a pipe of a lower tier, or keeps it back by a hold.
    const bool graphics = issue->grant_valid && ring_of_front_end(issue->grant_pipe);
    const int  granted  = issue->grant_valid && !graphics ? issue->grant_fe * TOTEM_PIPES + issue->grant_pipe : NOBODY;
    if (graphics || n->kept)
        n->expected = granted;
    if (granted != n->expected) {
        snprintf(message, 256,
                 "clock %llu: engine %d grants pipe %d, by tiers, pole, fit and holds it is pipe %d (-1: none)",
                 (unsigned long long)clock, e, granted, n->expected);
        return false;
    }
    if (granted != NOBODY) {
        to_the_bottom(n, granted);
        take(n, &n->fifo[granted][0].size);
    }
    if (graphics)
        take(n, &(shape){issue->grant_waves, issue->grant_vgprs, issue->grant_lds});

    // The next grant.
    int order[P];
    memcpy(order, n->order, sizeof order);
    bool lacks[P];
    for (int p = 0; p < P; p++)
        lacks[p] = offered(n, p, granted) && !fits(n, &n->fifo[p][0].size);
    n->expected = out->se[e].launch.room && !out->events.stop && !issue->fault ? decide(n, granted) : NOBODY;
    holds(n, order, granted, &out->host);
    memcpy(n->lacked, lacks, sizeof lacks);
    n->kept = false;
#if TOTEM_GRAPHICS
    for (int f = 0; f < TOTEM_FE_COUNT; f++)
        n->kept = n->kept || out->se[e].graphics_hold.valid[f];
#endif

    // What leaves the FIFOs, what ends, what comes.
    if (granted != NOBODY)
        memmove(n->fifo[granted], n->fifo[granted] + 1, sizeof(group) * (size_t)--n->count[granted]);
    for (int p = 0; p < P; p++) {
        n->count[p]    = n->recalled[p] ? 0 : n->count[p];
        n->recalled[p] = false;
    }
    resources *back = &n->back[clock % FREE_DELAY];
    n->free.slots += back->slots;
    n->free.vgprs += back->vgprs;
    n->free.lds += back->lds;
    *back = (resources){0};
    waves(n, &out->se[e].launch, &out->wave[e], clock);
    for (int lane = 0; lane < TOTEM_LANES; lane++) {
        const uint32_t tag = out->bus.lane_tag[lane];
        if (out->bus.lane_valid[lane] && (tag >> 6 & 3) != 0)
            n->unknown = true;
        else if (out->bus.lane_valid[lane] && (int)(tag >> 4 & 3) == e)
            word(n, (int)(tag >> 2 & 3), out->bus.lane_word[lane], tag);
    }
    return true;
}

bool grants_step(grants *g, const totem_machine_out *out, uint64_t clock, char message[256])
{
    for (int e = 0; e < TOTEM_SE_COUNT; e++)
        if (!g->engines[e].unknown && !engine_step(&g->engines[e], out, e, clock, message))
            return false;
    return true;
}
