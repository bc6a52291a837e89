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
    for (unsigned n = 0; n < PIPE_COUNT; n++) {
        o->order[n]  = s->order[n];
        o->lacks[n]  = s->lacks[n];
        o->passed[n] = s->passed[n];
    }
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
    bool       wants[PIPE_COUNT], fits[PIPE_COUNT], eligible[PIPE_COUNT];
    uint8_t    tier[PIPE_COUNT];
    uint8_t    best = 5; // worse than any tier

    // 1. and 2. Heads and tiers.
    for (unsigned n = 0; n < PIPE_COUNT; n++) {
        const bool granted = s->grant_valid && s->grant_fe == n / TOTEM_PIPES && s->grant_pipe == n % TOTEM_PIPES;

        wants[n] = i->head_valid[n] && !granted;
        fits[n]  = i->head_waves[n] <= s->free_slots && i->head_total[n] <= s->free_vgprs_left &&
                  i->head_lds[n] <= s->free_lds_left;
        tier[n] = tier_of(i->head_priority[n]);
    }

    // 3. Holds, and the winner.
    for (unsigned n = 0; n < PIPE_COUNT; n++) {
        bool blocked = false;
        for (unsigned h = 0; h < PIPE_COUNT; h++)
            if (h != n && wants[h] && i->hold_valid[h])
                blocked = blocked || tier[h] < tier[n] ||
                          (tier[h] == tier[n] && (!i->hold_valid[n] || (i->hold_before[n] >> h & 1) != 0));
        eligible[n] = wants[n] && fits[n] && !blocked && i->launch_room && !i->events_stop && !s->fault;
        if (eligible[n] && tier[n] < best)
            best = tier[n];
    }

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
    for (unsigned n = 0; n < PIPE_COUNT; n++) {
        s->lacks[n]  = wants[n] && !fits[n];
        s->passed[n] = eligible[n] && !(won && n == winner);
    }

    // 4. to 6. The grant, the pole, the counts.
    unsigned slots = s->free_slots;
    unsigned vgprs = s->free_vgprs_left;
    unsigned lds   = s->free_lds_left;
    s->grant_valid = won;
    for (unsigned n = 0; n < PIPE_COUNT; n++)
        if (won && n == winner) {
            s->grant_fe      = (uint8_t)(n / TOTEM_PIPES);
            s->grant_pipe    = (uint8_t)(n % TOTEM_PIPES);
            s->grant_buffer  = i->head_buffer[n];
            s->grant_new     = i->head_new[n];
            s->grant_group   = i->head_group[n];
            s->grant_waves   = i->head_waves[n];
            s->grant_threads = i->head_threads[n];
            s->grant_wave32  = i->head_wave32[n];
            s->grant_vgprs   = i->head_vgprs[n];
            s->grant_lds     = i->head_lds[n];
            s->grant_program = i->head_program[n];
            s->grant_queue   = i->head_queue[n];
            s->grant_epoch   = i->head_epoch[n];

            for (unsigned k = 0; k + 1 < PIPE_COUNT; k++)
                if (k >= place)
                    s->order[k] = s->order[k + 1];
            s->order[PIPE_COUNT - 1] = (uint8_t)n;

            slots -= i->head_waves[n];
            vgprs -= i->head_total[n];
            lds -= i->head_lds[n];
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
