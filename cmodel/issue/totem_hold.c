// SPDX-License-Identifier: Apache-2.0
//
// totem_hold: twin of rtl/issue/totem_hold.v, from docs/contract/hold.md.

#include "totem_hold.h"

#include "totem_port_values.h"

enum { PIPE_COUNT = TOTEM_FE_COUNT * TOTEM_PIPES };

void totem_hold_outputs(const totem_hold *s, totem_hold_out *o)
{
    for (unsigned n = 0; n < PIPE_COUNT; n++) {
        o->valid[n]       = s->valid[n];
        o->hold_before[n] = s->hold_before[n];
        o->waited[n]      = s->waited[n];
    }
}

// HOLD_AFTER of the tier of a head.
static uint32_t after(const totem_hold_in *i, unsigned n)
{
    if (i->head_priority[n] == PRIORITY_HIGH)
        return i->settings_hold_high;
    return i->head_priority[n] == PRIORITY_MEDIUM ? i->settings_hold_medium : i->settings_hold_low;
}

void totem_hold_step(totem_hold *s, const totem_hold_in *i)
{
    bool due[PIPE_COUNT];

    for (unsigned n = 0; n < PIPE_COUNT; n++) {
        const bool granted = i->grant_valid && i->grant_fe == n / TOTEM_PIPES && i->grant_pipe == n % TOTEM_PIPES;

        due[n] = !s->valid[n] && !granted && i->head_valid[n] && i->issue_lacks[n] && s->waited[n] >= after(i, n);

        // 1 Clocks
        if (granted)
            s->waited[n] = 0;
        else if (i->issue_lacks[n] && s->waited[n] < 0xffffff)
            s->waited[n]++;

        // 2 End
        if (granted || !i->head_valid[n]) {
            s->valid[n]       = false;
            s->hold_before[n] = 0;
            for (unsigned m = 0; m < PIPE_COUNT; m++)
                s->hold_before[m] = (uint8_t)(s->hold_before[m] & ~(1u << n));
        }
    }

    // 3 Begin
    unsigned holds = 0;
    for (unsigned n = 0; n < PIPE_COUNT; n++)
        if (s->valid[n])
            holds |= 1u << n;
    bool found = false;
    for (unsigned k = 0; k < PIPE_COUNT; k++)
        for (unsigned n = 0; n < PIPE_COUNT; n++)
            if (!found && due[n] && i->issue_order[k] == n) {
                found             = true;
                s->valid[n]       = true;
                s->hold_before[n] = (uint8_t)holds;
            }
}

// From the Invariants of the contract: what the step relies on.
bool totem_hold_invariant(const totem_hold *s)
{
    bool good = true;
    for (unsigned n = 0; n < PIPE_COUNT; n++) {
        good = good && (s->valid[n] || s->hold_before[n] == 0) && !(s->hold_before[n] >> n & 1);
        for (unsigned m = 0; m < PIPE_COUNT; m++)
            good = good && (s->valid[m] || !(s->hold_before[n] >> m & 1));
    }
    return good;
}
