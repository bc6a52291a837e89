// SPDX-License-Identifier: Apache-2.0
//
// totem_throttle: twin of rtl/throttle/totem_throttle.v, from docs/contract/throttle.md.

#include "totem_throttle.h"

#include "totem_controls_values.h"
#include "totem_issue_values.h"

enum {
    MOST      = 1024, // dead cycles
    HISTORY   = 8,
    VGPR_MASK = (1 << 12) - 1,
    LDS_MASK  = (1 << 10) - 1,
};

static uint32_t field(uint32_t word, unsigned low, unsigned bits)
{
    return word >> low & ((1u << bits) - 1);
}

// Dead cycles of a code.
static uint16_t cycles(uint32_t code)
{
    return (uint16_t)(code >= 6 ? MOST : 16u << code);
}

static uint16_t limited(int32_t value)
{
    return (uint16_t)(value < 0 ? 0 : value > MOST ? MOST : value);
}

// Dead cycles that a geometry wave loads which is granted now.
static uint16_t dead_cycles(const totem_throttle *s, const totem_throttle_in *i)
{
    const bool a    = i->controls_ph_enable || (i->grant_throttle & 1) != 0;
    const bool b    = i->controls_spi_enable || (i->grant_throttle & 2) != 0;
    const bool c    = b && field(i->controls_cntl2, 2, 4) != 0;
    uint16_t   most = 0;
    if (a && s->stall_a > most)
        most = s->stall_a;
    if (b && s->stall_b > most)
        most = s->stall_b;
    if (c && s->stall_c > most)
        most = s->stall_c;
    return most;
}

// Measurement A: from one status to another.
static uint16_t fullness(const totem_throttle *s, const totem_throttle_in *i, int32_t before, int32_t now)
{
    const int32_t base = cycles(field(i->controls_cntl1, 4, 4)), step = cycles(field(i->controls_cntl1, 8, 4));

    if (now == 0)
        return 0;
    if (field(i->controls_cntl2, 16, 1) == PH_MODE_LEVEL)
        return limited(base << now);
    if (before == 0)
        return limited(base + (now - 1) * step);
    if (now == 3 && before == 3)
        return limited(s->stall_a + step);
    return limited(s->stall_a + (now - before) * step);
}

// A trigger of B: what geometry holds, against tenths of everything or of what is held.
static bool trigger(uint32_t mode, uint32_t geometry, uint32_t pixels, uint32_t all, uint32_t tenths)
{
    if (mode >= SPI_MODE_ANY)
        return true;
    return geometry > 0 && 10 * geometry >= tenths * (mode == SPI_MODE_ENGINE ? all : geometry + pixels);
}

// Measurement B at a sample.
static uint16_t use(const totem_throttle *s, const totem_throttle_in *i, uint32_t length, uint32_t count)
{
    static const uint32_t part[4] = {0, 1, 2, 4};
    const uint32_t        mode    = field(i->controls_cntl2, 0, 2);
    const uint32_t        most    = s->wide ? 2 * length : length;
    const int32_t         step    = cycles(field(i->controls_cntl1, 28, 4));

    const bool lds_high   = trigger(mode, s->gs_lds, s->ps_lds, TOTEM_LDS, field(i->controls_cntl1, 16, 4));
    const bool vgprs_high = trigger(mode, s->gs_vgprs, s->ps_vgprs, TOTEM_VGPRS, field(i->controls_cntl1, 12, 4));
    const bool starved    = count > 0 && (8 * count >= s->sum || count >= most) &&
                         8 * count >= part[field(i->controls_cntl2, 14, 2)] * length;
    const bool active = (i->controls_spi_enable || (s->enables & 2) != 0) && starved && (lds_high || vgprs_high);

    if (active)
        return s->stall_b == 0 ? cycles(field(i->controls_cntl1, 24, 4)) : limited(s->stall_b + step);
    if (i->controls_b_hold)
        return count == 0 ? 0 : s->stall_b;
    return limited(s->stall_b - step);
}

static uint8_t lateness(const totem_throttle_in *i, uint32_t clocks)
{
    const uint32_t t         = field(i->controls_cntl2, 2, 4);
    const uint32_t threshold = (t * 256) << 2 * field(i->controls_cntl2, 6, 2);
    if (t == 0 || clocks >> 31 != 0 || clocks <= threshold)
        return LATE_NO;
    return clocks <= 2 * threshold ? LATE_ONCE : LATE_TWICE;
}

static uint16_t penalty(const totem_throttle_in *i, uint8_t late)
{
    switch (late) {
    case LATE_NO: return 0;
    case LATE_ONCE: return cycles(field(i->controls_cntl2, 11, 3));
    default: return cycles(field(i->controls_cntl2, 8, 3));
    }
}

static uint8_t larger(uint8_t a, uint8_t b)
{
    return a > b ? a : b;
}

void totem_throttle_outputs(const totem_throttle *s, totem_throttle_out *o)
{
    o->gate              = s->dead == 0 && (s->limit == 0 || s->waves < s->limit);
    o->closed            = s->closed;
    o->dead              = s->dead;
    o->stall_a           = s->stall_a;
    o->stall_b           = s->stall_b;
    o->stall_c           = s->stall_c;
    o->life_write_enable = s->born_valid;
    o->life_write_addr   = s->born_slot;
    o->life_write_data   = s->now - 1;
    o->life_read_enable  = s->look_valid || s->end_valid;
    o->life_read_addr    = s->end_valid ? s->end_slot : s->look_slot;
}

void totem_throttle_step(totem_throttle *s, const totem_throttle_in *i)
{
    totem_throttle n = *s; // what follows the clock edge; s stays as it was before

    const bool     geometry = i->grant_valid && i->grant_kind == WAVE_GEOMETRY;
    const bool     pixels   = i->grant_valid && i->grant_kind == WAVE_PIXEL;
    const bool     ends     = i->free_valid && i->free_kind == WAVE_GEOMETRY;
    const bool     leaves   = i->free_valid && i->free_kind == WAVE_PIXEL;
    const uint32_t code     = field(i->controls_cntl1, 20, 4);
    const uint32_t length   = code == 0 ? 100 : (uint32_t)125 << code;
    const bool     sample   = s->elapsed + 1 >= length;

    // 1 Clock
    n.now        = s->now + 1;
    n.limit      = i->controls_limit;
    n.born_valid = i->alloc_valid && i->alloc_kind == WAVE_GEOMETRY;
    n.born_slot  = i->alloc_slot;

    // 2 Count
    n.waves = (uint8_t)((unsigned)(s->waves + geometry - ends) & 127);
    n.gs_vgprs =
        (uint16_t)((unsigned)(s->gs_vgprs + (geometry ? i->grant_vgprs : 0) - (ends ? i->free_vgprs : 0)) & VGPR_MASK);
    n.gs_lds = (uint16_t)((unsigned)(s->gs_lds + (geometry ? i->grant_lds : 0) - (ends ? i->free_lds : 0)) & LDS_MASK);
    n.ps_vgprs =
        (uint16_t)((unsigned)(s->ps_vgprs + (pixels ? i->grant_vgprs : 0) - (leaves ? i->free_vgprs : 0)) & VGPR_MASK);
    n.ps_lds = (uint16_t)((unsigned)(s->ps_lds + (pixels ? i->grant_lds : 0) - (leaves ? i->free_lds : 0)) & LDS_MASK);

    // 3 Gate
    if (s->dead > 0)
        n.dead = (uint16_t)(s->dead - 1);
    if (geometry) {
        const uint16_t load = dead_cycles(s, i);
        n.enables           = i->grant_throttle;
        if (load > 0)
            n.dead = (uint16_t)(load - 1);
    }

    if (s->dead != 0 || (s->limit != 0 && s->waves >= s->limit))
        n.closed = s->closed + 1;

    // 4 Measurement A
    const bool a_counts = i->controls_ph_enable || (s->enables & 1) != 0;
    if (i->monitor_polled)
        n.seen_status = i->monitor_status;
    if (!a_counts)
        n.stall_a = fullness(s, i, 0, n.seen_status);
    else if (i->monitor_polled)
        n.stall_a = fullness(s, i, s->seen_status, n.seen_status);

    // 5 Stalls
    bool lack = false, wave64 = false;
    for (unsigned f = 0; f < TOTEM_FE_COUNT; f++)
        if (i->issue_pixel_lacks[f] && !lack) {
            lack   = true;
            wave64 = !i->pixel_wave32[f];
        }
    n.elapsed = sample ? 0 : s->elapsed + 1;
    n.stalls  = ((sample ? 0 : s->stalls) + lack) & ((1u << 22) - 1);
    if (lack)
        n.wide = wave64;
    else if (sample)
        n.wide = false;

    // 6 Measurement B
    if (sample) {
        const uint32_t count = s->wide ? 2 * s->stalls : s->stalls;
        n.stall_b            = use(s, i, length, count);
        n.sum                = (s->sum + count - s->history[HISTORY - 1]) & ((1u << 26) - 1);
        for (unsigned k = HISTORY - 1; k > 0; k--)
            n.history[k] = s->history[k - 1];
        n.history[0] = count;
    }

    // 7 Measurement C: ends first, then what the walk saw.
    n.end_valid         = ends && s->live[i->free_slot];
    n.end_slot          = i->free_slot;
    n.ended             = s->end_valid;
    const uint8_t ended = s->ended ? lateness(i, s->now - i->life_read_data - 5) : LATE_NO;
    n.late              = larger(s->late, ended);
    if (ended != LATE_NO)
        n.stall_c = penalty(i, n.late);

    n.look_slot  = s->walk_slot;
    n.look_valid = false;
    n.finish[0]  = false;
    if (s->walk && !ends) {
        n.look_valid = s->live[s->walk_slot];
        n.walk_slot  = (uint8_t)((s->walk_slot + 1) % TOTEM_SLOTS);
        n.walk       = n.walk_slot != 0;
        n.finish[0]  = n.walk_slot == 0;
    }
    n.looked = s->look_valid;
    if (s->looked)
        n.old = larger(s->old, lateness(i, s->walk_time - i->life_read_data + 1));
    n.finish[1] = s->finish[0];
    if (s->finish[1])
        n.stall_c = penalty(i, larger(n.old, n.late));

    if (sample) {
        const bool walking = s->walk || s->look_valid || s->looked || s->finish[0] || s->finish[1];
        n.old              = walking ? larger(n.late, n.old) : n.late;
        bool rests         = !walking && !s->born_valid;
        for (unsigned k = 0; k < TOTEM_SLOTS; k++)
            rests = rests && !s->live[k];
        if (rests)
            n.stall_c = penalty(i, n.old);
        else {
            n.walk      = true;
            n.walk_slot = 0;
            n.walk_time = s->now;
            n.finish[0] = false;
            n.finish[1] = false;
        }
        n.late = LATE_NO;
    }

    // 8 Live
    if (ends)
        n.live[i->free_slot] = false;
    if (s->born_valid)
        n.live[s->born_slot] = true;

    *s = n;
}

bool totem_throttle_invariant(const totem_throttle *s)
{
    return s->stall_a <= MOST && s->stall_b <= MOST && s->stall_c <= MOST && !(s->end_valid && s->look_valid) &&
           !(s->ended && s->looked);
}
