// SPDX-License-Identifier: Apache-2.0
//
// totem_monitor: twin of rtl/throttle/totem_monitor.v, from docs/contract/monitor.md.

#include "totem_monitor.h"

enum { DEPTH = TOTEM_MONITOR_DEPTH, ELAPSED_VALUES = 1 << 22 };

// Clocks between two polls.
static uint32_t length(uint8_t code)
{
    return code == 0 ? 100 : (uint32_t)125 << code;
}

static bool ordered(const uint8_t t[3])
{
    return 1 <= t[0] && t[0] < t[1] && t[1] < t[2] && t[2] <= DEPTH;
}

void totem_monitor_outputs(const totem_monitor *s, totem_monitor_out *o)
{
    for (unsigned k = 0; k < 3; k++)
        o->thresholds[k] = s->thresholds[k];
    o->refused = s->refused;
    o->status  = s->status;
    o->polled  = s->polled;
}

// Class of the fullest FIFO.
static uint8_t fullness(const totem_monitor *s, const totem_monitor_in *i)
{
    uint8_t most = 0;
    for (unsigned c = 0; c < TOTEM_SE_COUNT; c++)
        if (i->count[c] > most)
            most = i->count[c];
    if (most >= s->thresholds[2])
        return 3;
    if (most >= s->thresholds[1])
        return 2;
    return most >= s->thresholds[0];
}

void totem_monitor_step(totem_monitor *s, const totem_monitor_in *i)
{
    // 1 Poll: with the thresholds as they were.
    const bool poll = s->elapsed + 1 >= length(i->interval);
    s->polled       = poll;
    if (poll) {
        s->elapsed = 0;
        s->status  = fullness(s, i);
    } else
        s->elapsed = (s->elapsed + 1) % ELAPSED_VALUES;

    // 2 Thresholds
    const bool good = ordered(i->write_thresholds);
    if (i->write_valid && good)
        for (unsigned k = 0; k < 3; k++)
            s->thresholds[k] = i->write_thresholds[k];
    s->refused = i->write_valid && !good;
}
