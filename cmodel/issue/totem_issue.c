// SPDX-License-Identifier: Apache-2.0
//
// totem_issue: twin of rtl/issue/totem_issue.v, from docs/contract/issue.md.

#include "totem_issue.h"

enum { PIPE_COUNT = TOTEM_FE_COUNT * TOTEM_PIPES };

// Tiers, best first: 0 CS_HIGH, 1 HP3D, 2 CS_MEDIUM, 3 GFX, 4 CS_LOW.
static uint8_t tier_of(uint8_t priority)
{
    return priority == 2 ? 0 : priority == 1 ? 2 : 4;
}

// Number of pipe `pipe` of front end `fe`.
static uint8_t pipe_number(unsigned fe, bool pipe)
{
    return (uint8_t)(fe * TOTEM_PIPES + (TOTEM_PIPES > 1 && pipe ? 1 : 0));
}

void totem_issue_outputs(const totem_issue *s, totem_issue_out *o)
{
    o->grant_valid     = s->grant_valid;
    o->grant_fe        = s->grant_fe;
    o->grant_pipe      = s->grant_pipe;
    o->grant_buffer    = s->grant_buffer;
    o->grant_new       = s->grant_new;
    o->grant_group     = s->grant_group;
    o->grant_waves     = s->grant_waves;
    o->grant_threads   = s->grant_threads;
    o->grant_wave32    = s->grant_wave32;
    o->grant_vgprs     = s->grant_vgprs;
    o->grant_lds       = s->grant_lds;
    o->grant_program   = s->grant_program;
    o->grant_queue     = s->grant_queue;
    o->grant_epoch     = s->grant_epoch;
    o->free_slots      = s->free_slots;
    o->free_vgprs_left = s->free_vgprs_left;
    o->free_lds_left   = s->free_lds_left;
    o->idle            = s->free_slots == TOTEM_SLOTS;
    o->fault           = s->fault;
    for (unsigned n = 0; n < PIPE_COUNT; n++)
        o->order[n] = s->order[n];
}

// Rule 7: a pipe number is missing in the order, or a count is above its total.
static bool broken(const totem_issue *s)
{
    bool bad = s->free_slots > TOTEM_SLOTS || s->free_vgprs_left > TOTEM_VGPRS || s->free_lds_left > TOTEM_LDS;
    for (unsigned number = 0; number < PIPE_COUNT; number++) {
        bool there = false;
        for (unsigned n = 0; n < PIPE_COUNT; n++)
            there = there || s->order[n] == number;
        bad = bad || !there;
    }
    return bad;
}

void totem_issue_step(totem_issue *s, const totem_issue_in *i)
{
    const bool fault = broken(s);
    bool       eligible[TOTEM_FE_COUNT];
    uint8_t    number[TOTEM_FE_COUNT];
    uint8_t    best = 5; // worse than any tier

    // 1. to 3. Contenders, tiers, pipe numbers.
    for (unsigned f = 0; f < TOTEM_FE_COUNT; f++) {
        const bool wants = i->head_valid[f] && !(s->grant_valid && s->grant_fe == f);
        const bool fits  = i->head_waves[f] <= s->free_slots && i->head_total[f] <= s->free_vgprs_left &&
                          i->head_lds[f] <= s->free_lds_left;
        eligible[f] = wants && fits && i->launch_room && !i->events_stop && !s->fault;
        number[f]   = pipe_number(f, i->head_pipe[f]);
        if (eligible[f] && tier_of(i->head_priority[f]) < best)
            best = tier_of(i->head_priority[f]);
    }

    bool     won    = false;
    unsigned winner = 0;
    unsigned place  = 0; // in the order
    for (unsigned k = 0; k < PIPE_COUNT; k++)
        for (unsigned f = 0; f < TOTEM_FE_COUNT; f++)
            if (!won && eligible[f] && tier_of(i->head_priority[f]) == best && number[f] == s->order[k]) {
                won    = true;
                winner = f;
                place  = k;
            }

    // 4. to 6. The grant, the pole, the counts.
    unsigned slots = s->free_slots;
    unsigned vgprs = s->free_vgprs_left;
    unsigned lds   = s->free_lds_left;
    s->grant_valid = won;
    for (unsigned f = 0; f < TOTEM_FE_COUNT; f++)
        if (won && f == winner) {
            s->grant_fe      = (uint8_t)f;
            s->grant_pipe    = TOTEM_PIPES > 1 && i->head_pipe[f];
            s->grant_buffer  = i->head_buffer[f];
            s->grant_new     = i->head_new[f];
            s->grant_group   = i->head_group[f];
            s->grant_waves   = i->head_waves[f];
            s->grant_threads = i->head_threads[f];
            s->grant_wave32  = i->head_wave32[f];
            s->grant_vgprs   = i->head_vgprs[f];
            s->grant_lds     = i->head_lds[f];
            s->grant_program = i->head_program[f];
            s->grant_queue   = i->head_queue[f];
            s->grant_epoch   = i->head_epoch[f];

            for (unsigned n = 0; n + 1 < PIPE_COUNT; n++)
                if (n >= place)
                    s->order[n] = s->order[n + 1];
            s->order[PIPE_COUNT - 1] = number[f];

            slots -= i->head_waves[f];
            vgprs -= i->head_total[f];
            lds -= i->head_lds[f];
        }
    if (i->free_valid) {
        slots += 1;
        vgprs += i->free_vgprs;
        lds += i->free_lds;
    }
    s->free_slots      = (uint8_t)(slots & 0x7f);
    s->free_vgprs_left = (uint16_t)(vgprs & 0xfff);
    s->free_lds_left   = (uint16_t)(lds & 0x3ff);

    // 7. Self-check.
    if (fault)
        s->fault = true;
}
