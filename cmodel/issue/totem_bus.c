// SPDX-License-Identifier: Apache-2.0
//
// totem_bus: twin of rtl/issue/totem_bus.v, from docs/contract/bus.md.

#include "totem_bus.h"

static unsigned place(unsigned front, unsigned source)
{
    return front * TOTEM_SOURCES + source;
}

// 3 Owner, continued: the next source in turn that has a word; the first one if none has.
static unsigned next_owner(const totem_bus_in *i, unsigned front, unsigned owner)
{
    unsigned next = 0;
    for (unsigned n = TOTEM_SOURCES; n-- > 0;) // those before the owner come last
        if (n < owner && i->source_valid[place(front, n)])
            next = n;
    for (unsigned n = TOTEM_SOURCES; n-- > 0;)
        if (n > owner && i->source_valid[place(front, n)])
            next = n;
    return next;
}

void totem_bus_outputs(const totem_bus *s, totem_bus_out *o)
{
    for (unsigned n = 0; n < TOTEM_LANES; n++) {
        o->lane_valid[n] = s->lane_valid[n];
        o->lane_word[n]  = s->lane_word[n];
        o->lane_tag[n]   = s->lane_tag[n];
    }
    for (unsigned f = 0; f < TOTEM_FE_COUNT; f++)
        for (unsigned n = 0; n < TOTEM_SOURCES; n++)
            o->source_ready[place(f, n)] = s->owner[f] == n;
}

void totem_bus_step(totem_bus *s, const totem_bus_in *i)
{
    unsigned lane = s->turn; // of the next word

    // 1 Lanes
    for (unsigned n = 0; n < TOTEM_LANES; n++)
        s->lane_valid[n] = false;
    for (unsigned f = 0; f < TOTEM_FE_COUNT; f++) {
        bool     sends = false;
        uint64_t word  = 0;
        uint16_t tag   = 0;
        for (unsigned n = 0; n < TOTEM_SOURCES; n++)
            if (n == s->owner[f]) {
                sends = i->source_valid[place(f, n)];
                word  = i->source_word[place(f, n)];
                tag   = i->source_tag[place(f, n)];
            }
        if (sends) {
            for (unsigned n = 0; n < TOTEM_LANES; n++)
                if (n == lane) {
                    s->lane_valid[n] = true;
                    s->lane_word[n]  = word;
                    s->lane_tag[n]   = tag;
                }
            lane = lane + 1 == TOTEM_LANES ? 0 : lane + 1;
        }
    }

    // 2 Turn
    s->turn = (uint8_t)lane;

    // 3 Owner
    for (unsigned f = 0; f < TOTEM_FE_COUNT; f++)
        s->owner[f] = (uint8_t)next_owner(i, f, s->owner[f]);
}

// From the Invariants of the contract: what the step relies on.
bool totem_bus_invariant(const totem_bus *s)
{
    bool good = s->turn < TOTEM_LANES;
    for (unsigned f = 0; f < TOTEM_FE_COUNT; f++)
        good = good && s->owner[f] < TOTEM_SOURCES;
    return good;
}
