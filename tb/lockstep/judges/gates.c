// SPDX-License-Identifier: Apache-2.0
//
// gates: see gates.h.

#include "gates.h"

#include "../../../cmodel/host/totem_regs_map.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#if TOTEM_GRAPHICS

enum { GEOMETRY = 1, PIXELS = 2, MOST = 1024, SAMPLES = 8 };
// Clocks from a wave's end until its engine knows of it, and until its lifetime is there; ends on their way.
enum { FREE_DELAY = 4, LIFE_DELAY = 6, ENDS = 8 };

typedef struct {
    uint32_t kind, vgprs, lds;
    uint64_t accepted; // by the core, in this clock
} wave;

typedef struct {
    bool     on;
    uint64_t at;
    uint32_t slot;
    wave     wave;
} end;

// A slot that was looked at for measurement C.
typedef struct {
    bool     geometry, last;
    uint64_t accepted;
} look;

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
    // C. The longest lifetime, in classes: 0 short, 1 beyond the threshold, 2 beyond twice that.
    bool     running[TOTEM_SLOTS];   // the engine knows of a geometry wave in this slot, or will within two clocks
    uint64_t accepted[TOTEM_SLOTS];  // of that wave
    uint32_t ended, flight, stall_c; // of those that ended in this interval; of the last one and in flight at its end
    bool     walking;                // slots are looked at, `next` is the next one
    uint32_t next;
    uint64_t sampled; // the clock of the sample
    look     looks[2];
    uint32_t enables, limit; // of the geometry wave granted last; GS_LIMIT of the clock before
    uint64_t opens;          // the first clock whose gate is open, but for the limit
    uint32_t closed;         // clocks with the gate closed
} engine;

// The page of controls, as host and streams have written it: its first dwords.
typedef struct {
    uint32_t word[TOTEM_REG_CONTROLS_CLAMPED];
    // What streams wrote in the clock before.
    bool     told[TOTEM_FE_COUNT], second[TOTEM_FE_COUNT];
    uint32_t data[TOTEM_FE_COUNT];
} page;

struct gates {
    page   page;
    engine engines[TOTEM_SE_COUNT];
};

gates *gates_create(void)
{
    gates *g = calloc(1, sizeof *g);
    if (g)
        g->page = (page){.word = {0x12355123, 0x1544d, 0, 0, 0x302010}};
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

// Measurement A at a poll that is shown in this clock; while it is off it has no past, and follows what is set.
static void fullness(engine *n, uint32_t cntl1, bool level, bool on)
{
    if (!on)
        n->seen = 0;
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

static uint32_t lifetime_class(uint32_t cntl2, uint64_t from, uint64_t to)
{
    const uint64_t threshold = (uint64_t)field(cntl2, 2, 4) * 256 << 2 * field(cntl2, 6, 2);
    const uint64_t clocks    = to > from ? to - from : 0;
    if (!threshold || clocks <= threshold)
        return 0;
    return clocks <= 2 * threshold ? 1 : 2;
}

static uint32_t penalty(uint32_t cntl2, uint32_t longest)
{
    return longest == 0 ? 0 : dead_cycles(longest == 2 ? field(cntl2, 8, 3) : field(cntl2, 11, 3));
}

// Measurement C. A lifetime counts when its wave has ended, in the interval of that clock, and is kept until the sample
// behind the next one. Those in flight at a sample are looked at slot by slot, in clocks in which no geometry wave
// ends; when all are, two clocks behind the last slot, the dead cycles follow from all that the interval saw.
static void lifetimes(engine *n, uint32_t cntl2, bool due, uint64_t clock)
{
    const bool under_way =
        n->walking || n->looks[0].geometry || n->looks[0].last || n->looks[1].geometry || n->looks[1].last;
    const look seen = n->looks[1];
    bool       ends = false;
    uint32_t class  = 0;
    for (int k = 0; k < ENDS; k++) {
        const end *x = &n->ends[k];
        if (!x->on || x->wave.kind != GEOMETRY)
            continue;
        ends = ends || x->at + FREE_DELAY == clock;
        if (x->at + LIFE_DELAY == clock)
            class = lifetime_class(cntl2, x->wave.accepted, x->at);
    }
    n->ended = most(n->ended, class);
    if (class)
        n->stall_c = penalty(cntl2, n->ended);
    if (seen.geometry)
        n->flight = most(n->flight, lifetime_class(cntl2, seen.accepted, n->sampled));
    if (seen.last)
        n->stall_c = penalty(cntl2, most(n->flight, n->ended));
    n->looks[1] = n->looks[0];
    n->looks[0] = (look){0};
    if (n->walking && !ends) {
        n->looks[0] = (look){n->running[n->next], n->next == TOTEM_SLOTS - 1, n->accepted[n->next]};
        n->walking  = !n->looks[0].last;
        n->next++;
    }
    if (!due)
        return;
    bool some = under_way;
    for (int k = 0; k < TOTEM_SLOTS; k++)
        some = some || (n->running[k] && n->accepted[k] + 2 <= clock);
    n->flight = under_way ? most(n->flight, n->ended) : n->ended;
    n->ended  = 0;
    if (!some)
        n->stall_c = penalty(cntl2, n->flight);
    else {
        n->walking       = true;
        n->next          = 0;
        n->sampled       = clock;
        n->looks[0].last = n->looks[1].last = false;
    }
}

// Is a sample due?
static bool sample(engine *n, const totem_machine_out *out, int e)
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
    return due;
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
    for (int k = 0; k < ENDS; k++) {
        end *x = &n->ends[k];
        if (x->on && x->at + FREE_DELAY == clock) {
            hold(n, &x->wave, false);
            n->running[x->slot] = false;
        }
        x->on = x->on && x->at + LIFE_DELAY != clock;
    }
    for (int k = 0; w->done_valid && n->slot[w->done_slot].kind && k < ENDS; k++)
        if (!n->ends[k].on) {
            n->ends[k]            = (end){true, clock, w->done_slot, n->slot[w->done_slot]};
            n->slot[w->done_slot] = (wave){0};
        }
    if (l->launch_valid && w->launch_ready && l->launch_kind) {
        n->slot[l->launch_slot]     = (wave){l->launch_kind, l->launch_vgprs, l->launch_lds, clock};
        n->running[l->launch_slot]  = l->launch_kind == GEOMETRY;
        n->accepted[l->launch_slot] = clock;
    }
    if (i->grant_valid && i->grant_kind)
        hold(n, &(wave){i->grant_kind, i->grant_vgprs, i->grant_lds, 0}, true);
}

static bool gate_right(const engine *n, bool gate, uint64_t clock)
{
    const bool full = n->limit && n->held[GEOMETRY].kind >= n->limit;
    return gate == (!full && clock >= n->opens);
}

static uint32_t fields_of(uint32_t word, bool second)
{
    if (second)
        return (word & 3) == 3 ? (word & 0x1fffc) | 2 : word & 0x1ffff;
    for (uint32_t low = 12; low <= 16; low += 4)
        if (field(word, low, 4) > 9)
            word = (word & ~(15u << low)) | 9u << low;
    return word;
}

// The page after the clock before: of streams the one of the highest front end, before them the host.
static bool page_right(page *p, const totem_machine_out *out, const host_port *h, uint64_t clock, char message[256])
{
    static const uint32_t     bits[] = {0xffffffff, 0x1ffff, 7, 127, 0xffffff};
    const totem_controls_out *c      = &out->controls;
    const host_access        *a      = c->host_done && !c->host_error && h->next < h->count ? &h->list[h->next] : NULL;
    const uint32_t            dword  = a && a->write ? (a->address - TOTEM_REG_CONTROLS_BASE) / 4 : ~0u;
    uint32_t                  value  = dword < TOTEM_REG_CONTROLS_CLAMPED ? p->word[dword] : 0;
    for (int f = 0; f < TOTEM_FE_COUNT; f++) {
        const totem_graphics_render_out *r = &out->fe[f].graphics_pipe.graphics_render;
        if (p->told[f])
            p->word[p->second[f]] = fields_of(p->data[f], p->second[f]);
        p->told[f]   = r->throttle_write_valid;
        p->second[f] = r->throttle_write_second;
        p->data[f]   = r->throttle_write_data;
    }
    for (int b = 0; a && b < 4; b++)
        if (a->bytes >> b & 1)
            value = (value & ~(0xffu << 8 * b)) | (a->data & 0xffu << 8 * b);
    if (dword < TOTEM_REG_CONTROLS_CLAMPED)
        p->word[dword] = value & bits[dword];
    const uint32_t has[] = {c->cntl1, c->cntl2, c->ph_enable | (uint32_t)c->spi_enable << 1 | (uint32_t)c->b_hold << 2,
                            c->limit,
                            c->thresholds[0] | (uint32_t)c->thresholds[1] << 8 | (uint32_t)c->thresholds[2] << 16};
    for (uint32_t n = 0; n < TOTEM_REG_CONTROLS_CLAMPED; n++)
        if (has[n] != p->word[n]) {
            snprintf(message, 256,
                     "clock %llu: register %u of throttling is 0x%08x, as host and streams wrote it 0x%08x",
                     (unsigned long long)clock, n, has[n], p->word[n]);
            return false;
        }
    return true;
}

static bool engine_step(engine *n, const totem_machine_out *out, int e, uint64_t clock, char message[256])
{
    const totem_se_out       *s        = &out->se[e];
    const totem_controls_out *c        = &out->controls;
    const totem_issue_out    *i        = &s->issue;
    const bool                geometry = i->grant_valid && i->grant_kind == GEOMETRY;
    if (s->pixels.monitor.polled != n->polled || s->pixels.monitor.status != n->status ||
        s->pixels.throttle.stall_a != n->stall_a || s->pixels.throttle.stall_b != n->stall_b ||
        s->pixels.throttle.stall_c != n->stall_c) {
        snprintf(message, 256,
                 "clock %llu: engine %d: polled %d, status %u, stall counts A %u, B %u, C %u; by the rules %d, %u, %u, "
                 "%u, %u",
                 (unsigned long long)clock, e, s->pixels.monitor.polled, s->pixels.monitor.status,
                 s->pixels.throttle.stall_a, s->pixels.throttle.stall_b, s->pixels.throttle.stall_c, n->polled,
                 n->status, n->stall_a, n->stall_b, n->stall_c);
        return false;
    }
    if (!geometry && !gate_right(n, s->pixels.throttle.gate, clock)) {
        snprintf(
            message, 256,
            "clock %llu: engine %d: the gate of geometry is %s; dead cycles (A %u, B %u, C %u) hold it until clock "
            "%llu, %u of at most %u waves run",
            (unsigned long long)clock, e, s->pixels.throttle.gate ? "open" : "closed", n->stall_a, n->stall_b,
            n->stall_c, (unsigned long long)n->opens, n->held[GEOMETRY].kind, n->limit);
        return false;
    }
    const bool a_was = c->ph_enable || (n->enables & 1);
    if (s->pixels.throttle.closed != n->closed) {
        snprintf(message, 256, "clock %llu: engine %d counts %u clocks with the gate closed, by the rules %u",
                 (unsigned long long)clock, e, s->pixels.throttle.closed, n->closed);
        return false;
    }
    n->closed += !s->pixels.throttle.gate;
    // A decision in the clock before it is visible: so the gate opens in t + N.
    if (geometry) {
        const bool     a = c->ph_enable || (i->grant_throttle & 1), b = c->spi_enable || i->grant_throttle >> 1;
        const uint32_t c_b = b ? most(n->stall_b, field(c->cntl2, 2, 4) ? n->stall_c : 0) : 0;
        n->enables         = i->grant_throttle;
        if (clock <= n->opens && n->opens) {
            snprintf(message, 256, "clock %llu: engine %d: geometry is granted, and may be only behind clock %llu",
                     (unsigned long long)clock, e, (unsigned long long)n->opens);
            return false;
        }
        n->opens = clock + most(a ? n->stall_a : 0, c_b);
    }
    if (n->polled || !a_was)
        fullness(n, c->cntl1, c->cntl2 >> 16, a_was);
    lifetimes(n, c->cntl2, sample(n, out, e), clock);
    poll(n, field(c->cntl1, 0, 4));
    for (int k = 0; k < TOTEM_SE_COUNT; k++) {
        n->fifo[k] += s->pixels.assemble.push_valid[k] && s->pixels.hub.push_ready[k];
        n->fifo[k] -= s->pixels.hub.pop_valid[k] && out->se[k].pixels.scan.hub_ready[e];
    }
    for (int k = 0; k < 3; k++)
        n->thresholds[k] = c->thresholds[k];
    waves(n, i, &s->launch, &out->wave[e], clock);
    n->limit = c->limit;
    return true;
}

bool gates_step(gates *g, const totem_machine_out *out, const host_port *h, uint64_t clock, char message[256])
{
    if (!page_right(&g->page, out, h, clock, message))
        return false;
    for (int e = 0; e < TOTEM_SE_COUNT; e++)
        if (!engine_step(&g->engines[e], out, e, clock, message))
            return false;
    return true;
}

#endif
