// SPDX-License-Identifier: Apache-2.0
//
// totem_issue: twin of rtl/issue/totem_issue.v, from docs/contract/issue.md.

#include "totem_issue.h"

#include "totem_port_values.h"

enum { PIPE_COUNT = TOTEM_FE_COUNT * TOTEM_PIPES, FRONTS = TOTEM_FE_COUNT };

enum { KINDS = 3 }; // of heads of graphics, as grant_kind

// A head of graphics.
typedef struct {
    bool     wants, fits, blocked, eligible;
    uint8_t  tier;
    unsigned slots, vgprs, lds; // what it needs
} graphics_head;

static bool lacks(const graphics_head *h)
{
    return h->wants && (!h->fits || h->blocked);
}

// 2 Tier, continued: of a pipe.
static uint8_t tier_of(uint8_t priority)
{
    return priority == PRIORITY_HIGH ? TIER_CS_HIGH : priority == PRIORITY_MEDIUM ? TIER_CS_MEDIUM : TIER_CS_LOW;
}

void totem_issue_outputs(const totem_issue *s, totem_issue_out *o)
{
    o->grant_valid      = s->grant_valid;
    o->grant_fe         = s->grant_fe;
    o->grant_pipe       = s->grant_pipe;
    o->grant_buffer     = s->grant_buffer;
    o->grant_new        = s->grant_new;
    o->grant_group      = s->grant_group;
    o->grant_waves      = s->grant_waves;
    o->grant_threads    = s->grant_threads;
    o->grant_wave32     = s->grant_wave32;
    o->grant_invalidate = s->grant_invalidate;
    o->grant_vgprs      = s->grant_vgprs;
    o->grant_lds        = s->grant_lds;
    o->grant_program    = s->grant_program;
    o->grant_queue      = s->grant_queue;
    o->grant_epoch      = s->grant_epoch;
    o->free_slots       = s->free_slots;
    o->free_vgprs_left  = s->free_vgprs_left;
    o->free_lds_left    = s->free_lds_left;
    o->idle             = s->free_slots == TOTEM_SLOTS;
    o->fault            = s->fault;

    o->grant_kind       = s->grant_kind;
    o->grant_draw       = s->grant_draw;
    o->grant_set        = s->grant_set;
    o->grant_primitives = s->grant_primitives;
    o->grant_throttle   = s->grant_throttle;
    o->grant_drawn      = s->grant_kind != WAVE_COMPUTE;
    for (unsigned f = 0; f < FRONTS; f++) {
        const unsigned front = s->gfx_turn[WAVE_COMPUTE] + f;

        o->group_order[f]     = (uint8_t)((front >= FRONTS ? front - FRONTS : front) & ((1 << TOTEM_FE_BITS) - 1));
        o->group_lacks[f]     = s->group_lacks[f];
        o->group_passed[f]    = s->group_passed[f];
        o->geometry_lacks[f]  = s->geometry_lacks[f];
        o->geometry_passed[f] = s->geometry_passed[f];
        o->pixel_lacks[f]     = s->pixel_lacks[f];
        o->pixel_passed[f]    = s->pixel_passed[f];
    }
    for (unsigned n = 0; n < PIPE_COUNT; n++) {
        o->order[n]  = s->order[n];
        o->lacks[n]  = s->lacks[n];
        o->passed[n] = s->passed[n];
    }
}

// 9 Self-check, continued: a number is missing in an order, or a count is above its total.
static bool broken(const totem_issue *s)
{
    bool bad = s->free_slots > TOTEM_SLOTS || s->free_vgprs_left > TOTEM_VGPRS || s->free_lds_left > TOTEM_LDS ||
               s->held_slots > TOTEM_SLOTS || s->held_vgprs > TOTEM_VGPRS || s->held_lds > TOTEM_LDS;
    for (unsigned number = 0; number < PIPE_COUNT; number++) {
        bool there = false;
        for (unsigned n = 0; n < PIPE_COUNT; n++)
            there = there || s->order[n] == number;
        bad = bad || !there;
    }
    for (unsigned kind = 0; kind < KINDS; kind++) {
        bool in_hp3d = false, in_gfx = false;
        for (unsigned n = 0; n < KINDS; n++) {
            in_hp3d = in_hp3d || s->hp3d_order[n] == kind;
            in_gfx  = in_gfx || s->gfx_order[n] == kind;
        }
        bad = bad || !in_hp3d || !in_gfx;
    }
    return bad;
}

// 1 Heads, continued: the graphics head of kind k of front end f.
// 2 Tier, continued
static graphics_head look(const totem_issue *s, const totem_issue_in *i, unsigned k, unsigned f)
{
    const bool    popped = s->grant_valid && s->grant_fe == f && s->grant_pipe == PIPE_GRAPHICS && s->grant_kind == k;
    graphics_head h      = {.slots = 1, .tier = TIER_GFX};
    bool          valid;

    if (k == WAVE_COMPUTE) {
        valid   = i->graphics_head_valid[f];
        h.slots = i->graphics_head_waves[f];
        h.vgprs = i->graphics_head_total[f];
        h.lds   = i->graphics_head_lds[f];
    } else if (k == WAVE_GEOMETRY) {
        valid   = i->geometry_valid[f];
        h.tier  = i->geometry_hp3d[f] ? TIER_HP3D : TIER_GFX;
        h.vgprs = i->geometry_vgprs[f];
        h.lds   = i->geometry_lds[f];
    } else {
        valid   = i->pixel_valid[f];
        h.tier  = i->pixel_hp3d[f] ? TIER_HP3D : TIER_GFX;
        h.vgprs = i->pixel_vgprs[f];
        h.lds   = i->pixel_lds[f];
    }
    h.wants = TOTEM_GRAPHICS && valid && !popped;
    h.fits  = h.slots <= s->free_slots && h.vgprs <= s->free_vgprs_left && h.lds <= s->free_lds_left;
    if (k == WAVE_GEOMETRY)
        h.fits = h.fits && h.slots + i->settings_reserve_slots <= (unsigned)s->free_slots + s->held_slots &&
                 h.vgprs + i->settings_reserve_vgprs <= (unsigned)s->free_vgprs_left + s->held_vgprs &&
                 h.lds + i->settings_reserve_lds <= (unsigned)s->free_lds_left + s->held_lds;
    return h;
}

// 4 Turns
// 5 Winner, continued: in one tier of graphics, the contender of the least recently issued kind that has one.
typedef struct {
    bool     some;
    unsigned place, kind, front; // place of the kind in the order
    bool     has[KINDS][FRONTS]; // has the turn
} choice;

static choice choose(graphics_head heads[KINDS][FRONTS], unsigned tier, const uint8_t *order, const uint8_t *turn)
{
    choice c = {0};

    for (unsigned k = 0; k < KINDS; k++) {
        bool taken = false;
        for (unsigned step = 0; step < 2 * FRONTS; step++) { // behind the last front end the first one follows
            const unsigned       f = step % FRONTS;
            const graphics_head *h = &heads[k][f];
            if (!taken && step >= turn[k] && h->wants && !h->blocked && h->tier == tier)
                c.has[k][f] = taken = true;
        }
    }
    for (unsigned place = 0; place < KINDS; place++)
        for (unsigned k = 0; k < KINDS; k++)
            for (unsigned f = 0; f < FRONTS; f++)
                if (!c.some && order[place] == k && c.has[k][f] && heads[k][f].eligible) {
                    c.some  = true;
                    c.place = place;
                    c.kind  = k;
                    c.front = f;
                }
    return c;
}

// 7 Pole, continued: in one tier of graphics.
static void move_on(const choice *c, bool wins, uint8_t *order, uint8_t *turn)
{
    for (unsigned k = 0; k < KINDS; k++)
        for (unsigned f = 0; f < FRONTS; f++)
            if (c->has[k][f])
                turn[k] = (uint8_t)(wins && c->kind == k ? (f + 1) % FRONTS : f);
    if (!wins)
        return;
    for (unsigned place = 0; place + 1 < KINDS; place++)
        if (place >= c->place)
            order[place] = order[place + 1];
    order[KINDS - 1] = (uint8_t)c->kind;
}

// 6 Grant, continued: a head of graphics.
static void grant_graphics(totem_issue *s, const totem_issue_in *i, unsigned k, unsigned f)
{
    s->grant_fe         = (uint8_t)f;
    s->grant_pipe       = PIPE_GRAPHICS;
    s->grant_kind       = (uint8_t)k;
    s->grant_buffer     = false;
    s->grant_new        = true;
    s->grant_waves      = 1;
    s->grant_queue      = 0;
    s->grant_draw       = 0;
    s->grant_set        = 0;
    s->grant_primitives = 0;
    s->grant_throttle   = 0;
    s->grant_invalidate = 0;
    if (k == WAVE_COMPUTE) {
        s->grant_buffer  = i->graphics_head_buffer[f];
        s->grant_new     = i->graphics_head_new[f];
        s->grant_group   = i->graphics_head_group[f];
        s->grant_waves   = i->graphics_head_waves[f];
        s->grant_threads = i->graphics_head_threads[f];
        s->grant_wave32  = i->graphics_head_wave32[f];
        s->grant_vgprs   = i->graphics_head_vgprs[f];
        s->grant_lds     = i->graphics_head_lds[f];
        s->grant_program = i->graphics_head_program[f];
        s->grant_queue   = i->graphics_head_queue[f];
        s->grant_epoch   = i->graphics_head_epoch[f];
        s->grant_set     = i->graphics_head_set[f];
        s->grant_draw    = i->graphics_head_set[f];
    } else if (k == WAVE_GEOMETRY) {
        s->grant_group      = i->geometry_number[f];
        s->grant_wave32     = i->geometry_wave32[f];
        s->grant_vgprs      = i->geometry_vgprs[f];
        s->grant_lds        = i->geometry_lds[f];
        s->grant_program    = i->geometry_program[f];
        s->grant_epoch      = i->geometry_epoch[f];
        s->grant_draw       = i->geometry_draw[f];
        s->grant_set        = i->geometry_set[f];
        s->grant_primitives = i->geometry_primitives[f];
        s->grant_throttle   = i->geometry_throttle[f];
        s->grant_threads    = i->geometry_wave32[f] ? 32 : 64;
    } else {
        s->grant_group   = i->pixel_number[f];
        s->grant_wave32  = i->pixel_wave32[f];
        s->grant_vgprs   = i->pixel_vgprs[f];
        s->grant_lds     = i->pixel_lds[f];
        s->grant_program = i->pixel_program[f];
        s->grant_epoch   = i->pixel_epoch[f];
        s->grant_draw    = i->pixel_draw[f];
        s->grant_set     = i->pixel_set[f];
        s->grant_threads = i->pixel_threads[f];
    }
}

void totem_issue_step(totem_issue *s, const totem_issue_in *i)
{
    const bool    fault = broken(s);
    const bool    open  = i->launch_room && !i->events_stop && !s->fault;
    bool          wants[PIPE_COUNT], fits[PIPE_COUNT], blocked[PIPE_COUNT], eligible[PIPE_COUNT];
    uint8_t       tier[PIPE_COUNT];
    graphics_head heads[KINDS][FRONTS];
    uint8_t       best = TIER_CS_LOW + 1; // worse than any tier

    // 1 Heads
    // 2 Tier
    for (unsigned n = 0; n < PIPE_COUNT; n++) {
        const bool popped = s->grant_valid && s->grant_fe == n / TOTEM_PIPES && s->grant_pipe == n % TOTEM_PIPES;

        wants[n] = i->head_valid[n] && !popped;
        fits[n]  = i->head_waves[n] <= s->free_slots && i->head_total[n] <= s->free_vgprs_left &&
                  i->head_lds[n] <= s->free_lds_left;
        tier[n] = tier_of(i->head_priority[n]);
    }
    for (unsigned k = 0; k < KINDS; k++)
        for (unsigned f = 0; f < FRONTS; f++)
            heads[k][f] = look(s, i, k, f);

    // 3 Holds
    for (unsigned n = 0; n < PIPE_COUNT; n++) {
        blocked[n] = false;
        for (unsigned h = 0; h < PIPE_COUNT; h++)
            if (h != n && wants[h] && i->hold_valid[h])
                blocked[n] = blocked[n] || tier[h] < tier[n] ||
                             (tier[h] == tier[n] && (!i->hold_valid[n] || (i->hold_before[n] >> h & 1) != 0));
        for (unsigned f = 0; f < FRONTS; f++)
            blocked[n] =
                blocked[n] || (heads[WAVE_COMPUTE][f].wants && i->graphics_hold_valid[f] && TIER_GFX < tier[n]);
        eligible[n] = wants[n] && fits[n] && !blocked[n] && open;
        if (eligible[n] && tier[n] < best)
            best = tier[n];
    }
    bool held_back[TIER_CS_LOW + 1] = {false}; // heads of graphics of that tier, by a pipe of a better one
    for (unsigned t = 0; t <= TIER_CS_LOW; t++)
        for (unsigned n = 0; n < PIPE_COUNT; n++)
            held_back[t] = held_back[t] || (wants[n] && i->hold_valid[n] && tier[n] < t);
    for (unsigned k = 0; k < KINDS; k++)
        for (unsigned f = 0; f < FRONTS; f++) {
            graphics_head *h = &heads[k][f];

            h->blocked = held_back[h->tier];
            for (unsigned g = 0; g < FRONTS; g++)
                if (heads[WAVE_COMPUTE][g].wants && i->graphics_hold_valid[g] && h->tier == TIER_GFX &&
                    (k != WAVE_COMPUTE || g != f))
                    h->blocked = h->blocked || k != WAVE_COMPUTE || !i->graphics_hold_valid[f] ||
                                 (i->graphics_hold_before[f] >> g & 1) != 0;
            if (k == WAVE_PIXEL)
                h->blocked = held_back[h->tier] && s->geometry_slots == 0 && !s->owed;
            const bool gated = k == WAVE_GEOMETRY && (!i->gate || (s->grant_valid && s->grant_kind == WAVE_GEOMETRY));
            h->eligible      = h->wants && h->fits && !h->blocked && !gated && open;
        }

    // 5 Winner
    const choice hp3d = choose(heads, TIER_HP3D, s->hp3d_order, s->hp3d_turn);
    const choice gfx  = choose(heads, TIER_GFX, s->gfx_order, s->gfx_turn);
    if (hp3d.some && best > TIER_HP3D)
        best = TIER_HP3D;
    if (gfx.some && best > TIER_GFX)
        best = TIER_GFX;

    bool     won    = false;
    unsigned winner = 0;
    unsigned place  = 0; // in the order
    for (unsigned k = 0; k < PIPE_COUNT; k++)
        for (unsigned n = 0; n < PIPE_COUNT; n++)
            if (!won && eligible[n] && tier[n] == best && n == s->order[k]) {
                won    = true;
                winner = n;
                place  = k;
            }
    const bool   drawn    = best == TIER_HP3D || best == TIER_GFX; // graphics wins
    const choice graphics = best == TIER_HP3D ? hp3d : gfx;

    for (unsigned n = 0; n < PIPE_COUNT; n++) {
        s->lacks[n]  = wants[n] && (!fits[n] || blocked[n]);
        s->passed[n] = eligible[n] && !(won && n == winner);
    }
    for (unsigned f = 0; f < FRONTS; f++) {
        const bool mine = drawn && graphics.front == f;

        s->group_lacks[f]     = lacks(&heads[WAVE_COMPUTE][f]);
        s->group_passed[f]    = heads[WAVE_COMPUTE][f].eligible && !(mine && graphics.kind == WAVE_COMPUTE);
        s->geometry_lacks[f]  = lacks(&heads[WAVE_GEOMETRY][f]);
        s->geometry_passed[f] = heads[WAVE_GEOMETRY][f].eligible && !(mine && graphics.kind == WAVE_GEOMETRY);
        s->pixel_lacks[f]     = lacks(&heads[WAVE_PIXEL][f]);
        s->pixel_passed[f]    = heads[WAVE_PIXEL][f].eligible && !(mine && graphics.kind == WAVE_PIXEL);
    }

    // 8 Counts
    unsigned slots      = s->free_slots;
    unsigned vgprs      = s->free_vgprs_left;
    unsigned lds        = s->free_lds_left;
    unsigned held_slots = s->held_slots;
    unsigned held_vgprs = s->held_vgprs;
    unsigned held_lds   = s->held_lds;
    unsigned geometry   = s->geometry_slots;
    s->grant_valid      = won || drawn;
    for (unsigned n = 0; n < PIPE_COUNT; n++)
        if (won && n == winner) {
            // 6 Grant
            s->grant_fe         = (uint8_t)(n / TOTEM_PIPES);
            s->grant_pipe       = (uint8_t)(n % TOTEM_PIPES);
            s->grant_buffer     = i->head_buffer[n];
            s->grant_new        = i->head_new[n];
            s->grant_group      = i->head_group[n];
            s->grant_waves      = i->head_waves[n];
            s->grant_threads    = i->head_threads[n];
            s->grant_wave32     = i->head_wave32[n];
            s->grant_invalidate = i->head_invalidate[n];
            s->grant_vgprs      = i->head_vgprs[n];
            s->grant_lds        = i->head_lds[n];
            s->grant_program    = i->head_program[n];
            s->grant_queue      = i->head_queue[n];
            s->grant_epoch      = i->head_epoch[n];

            s->grant_kind       = WAVE_COMPUTE;
            s->grant_draw       = 0;
            s->grant_set        = 0;
            s->grant_primitives = 0;
            s->grant_throttle   = 0;

            // 7 Pole
            for (unsigned k = 0; k + 1 < PIPE_COUNT; k++)
                if (k >= place)
                    s->order[k] = s->order[k + 1];
            s->order[PIPE_COUNT - 1] = (uint8_t)n;

            slots -= i->head_waves[n];
            vgprs -= i->head_total[n];
            lds -= i->head_lds[n];
            if (TOTEM_GRAPHICS && i->hold_valid[n])
                s->owed = true;
        }
    for (unsigned k = 0; k < KINDS; k++)
        for (unsigned f = 0; f < FRONTS; f++)
            if (drawn && graphics.kind == k && graphics.front == f) {
                grant_graphics(s, i, k, f);
                slots -= heads[k][f].slots;
                vgprs -= heads[k][f].vgprs;
                lds -= heads[k][f].lds;
                if (k == WAVE_PIXEL) {
                    held_slots += heads[k][f].slots;
                    held_vgprs += heads[k][f].vgprs;
                    held_lds += heads[k][f].lds;
                    s->owed = false;
                } else if (k == WAVE_GEOMETRY)
                    geometry += 1;
            }
    move_on(&hp3d, best == TIER_HP3D, s->hp3d_order, s->hp3d_turn);
    move_on(&gfx, best == TIER_GFX, s->gfx_order, s->gfx_turn);

    if (i->free_valid) {
        slots += 1;
        vgprs += i->free_vgprs;
        lds += i->free_lds;
        if (TOTEM_GRAPHICS && i->free_kind == WAVE_PIXEL) {
            held_slots -= 1;
            held_vgprs -= i->free_vgprs;
            held_lds -= i->free_lds;
        }
        if (TOTEM_GRAPHICS && i->free_kind == WAVE_GEOMETRY)
            geometry -= 1;
    }
    s->free_slots      = (uint8_t)(slots & 0x7f);
    s->free_vgprs_left = (uint16_t)(vgprs & 0xfff);
    s->free_lds_left   = (uint16_t)(lds & 0x3ff);
    s->held_slots      = (uint8_t)(held_slots & 0x7f);
    s->held_vgprs      = (uint16_t)(held_vgprs & 0xfff);
    s->held_lds        = (uint16_t)(held_lds & 0x3ff);
    s->geometry_slots  = (uint8_t)(geometry & 0x7f);

    // 9 Self-check
    if (fault)
        s->fault = true;
}

// What the turns rely on: they name front ends.
bool totem_issue_invariant(const totem_issue *s)
{
    bool good = true;
    for (unsigned k = 0; k < KINDS; k++)
        good = good && s->hp3d_turn[k] < FRONTS && s->gfx_turn[k] < FRONTS;
    return good;
}
