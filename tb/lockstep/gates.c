// SPDX-License-Identifier: Apache-2.0
//
// gates: see gates.h.

#include "gates.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#if TOTEM_GRAPHICS

enum { GEOMETRY = 1, PIXELS = 2, MOST = 1024, SAMPLES = 8 };
enum { FREE_DELAY = 4, ENDS = 8 }; // clocks from a wave's end until its engine knows of it; ends on their way

typedef struct {
    uint32_t kind, vgprs, lds;
} wave;

typedef struct {
    bool     on;
    uint64_t at;
    wave     wave;
} end;

typedef struct {
    // A: primitives of each FIFO of its hub.
    uint32_t fifo[TOTEM_SE_COUNT], thresholds[3];
    uint32_t polling; // clocks since the last poll
    uint32_t status, seen;
    bool     polled; // it is shown in this clock
    uint32_t stall_a;
    // B
    uint32_t sampling, stalls, counts[SAMPLES], stall_b;
    bool     wide;              // the last stall of the interval was of a wave64
    wave     held[3];           // by kind: VGPRs and LDS; `kind` of it: waves
    wave     slot[TOTEM_SLOTS]; // what has a slot
    end      ends[ENDS];
    uint32_t enables, limit;          // of the geometry wave granted last; GS_LIMIT of the clock before
    uint64_t closed_until, open_from; // the first clock whose gate may be open; in which it is
} engine;

struct gates {
    engine engines[TOTEM_SE_COUNT];
};

gates *gates_create(void)
{
    gates *g = calloc(1, sizeof *g);
    for (int e = 0; g && e < TOTEM_SE_COUNT; e++)
        for (uint32_t n = 0; n < 3; n++)
            g->engines[e].thresholds[n] = 16 * (n + 1);
    return g;
}

void gates_destroy(gates *g)
{
    free(g);
}

static uint32_t field(uint32_t word, uint32_t low, uint32_t bits)
{
    return word >> low & ((1u << bits) - 1);
}

static uint32_t least(uint32_t a, uint32_t b)
{
    return a < b ? a : b;
}

static uint32_t most(uint32_t a, uint32_t b)
{
    return a > b ? a : b;
}

static uint32_t interval(uint32_t code)
{
    return code ? 125u << code : 100;
}

static uint32_t dead_cycles(uint32_t code)
{
    return least(16u << code, MOST);
}

// Measurement A at a poll that is shown in this clock.
static void fullness(engine *n, uint32_t cntl1, bool level)
{
    const uint32_t base = dead_cycles(field(cntl1, 4, 4)), step = dead_cycles(field(cntl1, 8, 4));
    if (level)
        n->stall_a = n->status ? base << n->status : 0;
    else if (n->status == 0)
        n->stall_a = 0;
    else if (n->seen == 0)
        n->stall_a = base + (n->status - 1) * step;
    else if (n->status < n->seen)
        n->stall_a -= least(n->stall_a, (n->seen - n->status) * step);
    else
        n->stall_a += (n->status > n->seen ? n->status - n->seen : n->status == 3) * step;
    n->stall_a = least(n->stall_a, MOST);
    n->seen    = n->status;
}

// Polls: the fullest FIFO against the thresholds.
static void poll(engine *n, uint32_t code)
{
    uint32_t fullest = 0;
    n->polled        = n->polling + 1 >= interval(code);
    n->polling       = n->polled ? 0 : n->polling + 1;
    if (!n->polled)
        return;
    for (int c = 0; c < TOTEM_SE_COUNT; c++)
        fullest = most(fullest, n->fifo[c]);
    n->status = 0;
    for (uint32_t k = 0; k < 3; k++)
        n->status += fullest >= n->thresholds[k];
}

// T1, T2: what geometry holds, against a threshold of tenths.
static bool holds_much(uint32_t mode, uint32_t geometry, uint32_t pixels, uint32_t all, uint32_t tenths)
{
    return mode == 2 || (geometry && 10 * geometry >= tenths * (mode ? geometry + pixels : all));
}

// Measurement B at a sample.
static void resources(engine *n, const totem_controls_out *c, bool on)
{
    static const uint32_t eighths[] = {0, 1, 2, 4};
    const uint32_t        length = interval(field(c->cntl1, 20, 4)), count = n->stalls << n->wide;
    const uint32_t        mode = field(c->cntl2, 0, 2), step = dead_cycles(field(c->cntl1, 28, 4));
    uint32_t              sum = 0;
    for (int k = 0; k < SAMPLES; k++)
        sum += n->counts[k];
    const bool t3 = count && (8 * count >= sum || count >= length << n->wide) &&
                    8 * count >= eighths[field(c->cntl2, 14, 2)] * length;
    const bool t1 = holds_much(mode, n->held[GEOMETRY].lds, n->held[PIXELS].lds, TOTEM_LDS, field(c->cntl1, 16, 4));
    const bool t2 =
        holds_much(mode, n->held[GEOMETRY].vgprs, n->held[PIXELS].vgprs, TOTEM_VGPRS, field(c->cntl1, 12, 4));
    if (on && t3 && (t1 || t2))
        n->stall_b = least(n->stall_b ? n->stall_b + step : dead_cycles(field(c->cntl1, 24, 4)), MOST);
    else if (!c->b_hold)
        n->stall_b -= least(n->stall_b, step);
    else if (!count)
        n->stall_b = 0;
    memmove(n->counts + 1, n->counts, sizeof n->counts - sizeof n->counts[0]);
    n->counts[0] = count;
}

static void sample(engine *n, const totem_machine_out *out, int e)
{
    const totem_controls_out *c    = &out->controls;
    bool                      lack = false, wide = false;
    for (int f = TOTEM_FE_COUNT - 1; f >= 0; f--)
        if (out->se[e].issue.pixel_lacks[f]) {
            lack = true;
            wide = !out->se[e].graphics_engine[f].graphics_pixel.head_wave32;
        }
    const bool due = n->sampling + 1 >= interval(field(c->cntl1, 20, 4));
    if (due)
        resources(n, c, c->spi_enable || n->enables >> 1);
    n->sampling = due ? 0 : n->sampling + 1;
    n->stalls   = (due ? 0 : n->stalls) + lack;
    n->wide     = lack ? wide : n->wide && !due;
}

static void hold(engine *n, const wave *w, bool more)
{
    wave *h = &n->held[w->kind];
    h->kind += more ? 1u : ~0u;
    h->vgprs += more ? w->vgprs : 0u - w->vgprs;
    h->lds += more ? w->lds : 0u - w->lds;
}

// What begins and ends in this clock, for the next one.
static void waves(engine *n, const totem_issue_out *i, const totem_launch_out *l, const totem_wave_out *w,
                  uint64_t clock)
{
    for (int k = 0; k < ENDS; k++)
        if (n->ends[k].on && n->ends[k].at + FREE_DELAY == clock) {
            hold(n, &n->ends[k].wave, false);
            n->ends[k].on = false;
        }
    for (int k = 0; w->done_valid && n->slot[w->done_slot].kind && k < ENDS; k++)
        if (!n->ends[k].on) {
            n->ends[k]            = (end){true, clock, n->slot[w->done_slot]};
            n->slot[w->done_slot] = (wave){0};
        }
    if (l->launch_valid && w->launch_ready && l->launch_kind)
        n->slot[l->launch_slot] = (wave){l->launch_kind, l->launch_vgprs, l->launch_lds};
    if (i->grant_valid && i->grant_kind)
        hold(n, &(wave){i->grant_kind, i->grant_vgprs, i->grant_lds}, true);
}

static bool gate_right(const engine *n, bool gate, uint64_t clock)
{
    const bool full = n->limit && n->held[GEOMETRY].kind >= n->limit;
    return gate ? !full && clock >= n->closed_until : full || clock < n->open_from;
}

static bool engine_step(engine *n, const totem_machine_out *out, int e, uint64_t clock, char message[256])
{
    const totem_se_out       *s        = &out->se[e];
    const totem_controls_out *c        = &out->controls;
    const totem_issue_out    *i        = &s->issue;
    const bool                geometry = i->grant_valid && i->grant_kind == GEOMETRY;
    if (s->monitor.polled != n->polled || s->monitor.status != n->status || s->throttle.stall_a != n->stall_a ||
        s->throttle.stall_b != n->stall_b) {
        snprintf(message, 256,
                 "clock %llu: engine %d: polled %d, status %u, stall counts A %u, B %u; by the rules %d, %u, %u, %u",
                 (unsigned long long)clock, e, s->monitor.polled, s->monitor.status, s->throttle.stall_a,
                 s->throttle.stall_b, n->polled, n->status, n->stall_a, n->stall_b);
        return false;
    }
    if (!geometry && !gate_right(n, s->throttle.gate, clock)) {
        snprintf(
            message, 256,
            "clock %llu: engine %d: the gate of geometry is %s; by the stall counts A %u, B %u it opens from clock "
            "%llu to %llu, %u of at most %u waves run",
            (unsigned long long)clock, e, s->throttle.gate ? "open" : "closed", n->stall_a, n->stall_b,
            (unsigned long long)n->closed_until, (unsigned long long)n->open_from, n->held[GEOMETRY].kind, n->limit);
        return false;
    }
    // A decision in the clock before it is visible: so the gate opens in t + N.
    if (geometry) {
        const bool     a = c->ph_enable || (i->grant_throttle & 1), b = c->spi_enable || i->grant_throttle >> 1;
        const uint32_t stall = most(a ? n->stall_a : 0, b ? n->stall_b : 0);
        n->enables           = i->grant_throttle;
        if (clock <= n->closed_until && n->closed_until) {
            snprintf(message, 256, "clock %llu: engine %d: geometry is granted, and may be only behind clock %llu",
                     (unsigned long long)clock, e, (unsigned long long)n->closed_until);
            return false;
        }
        n->closed_until = clock + stall;
        n->open_from    = clock + (b && field(c->cntl2, 2, 4) ? MOST : stall);
    }
    if (n->polled)
        fullness(n, c->cntl1, c->cntl2 >> 16);
    sample(n, out, e);
    poll(n, c->interval);
    for (int k = 0; k < TOTEM_SE_COUNT; k++) {
        n->fifo[k] += s->assemble.push_valid[k] && s->hub.push_ready[k];
        n->fifo[k] -= s->hub.pop_valid[k] && out->se[k].scan.hub_ready[e];
    }
    for (int k = 0; k < 3; k++)
        n->thresholds[k] = c->thresholds[k];
    waves(n, i, &s->launch, &out->wave[e], clock);
    n->limit = c->limit;
    return true;
}

bool gates_step(gates *g, const totem_machine_out *out, uint64_t clock, char message[256])
{
    for (int e = 0; e < TOTEM_SE_COUNT; e++)
        if (!engine_step(&g->engines[e], out, e, clock, message))
            return false;
    return true;
}

#endif
