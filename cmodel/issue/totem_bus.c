// SPDX-License-Identifier: Apache-2.0
//
// totem_bus: twin of rtl/issue/totem_bus.v, from docs/contract/bus.md.

#include "totem_bus.h"

void totem_bus_outputs(const totem_bus *s, totem_bus_out *o)
{
    for (unsigned n = 0; n < TOTEM_LANES; n++) {
        o->lane_valid[n] = s->lane_valid[n];
        o->lane_word[n]  = s->lane_word[n];
        o->lane_tag[n]   = s->lane_tag[n];
    }
}

void totem_bus_step(totem_bus *s, const totem_bus_in *i)
{
    unsigned lane = s->turn; // of the next word

    // 1.
    for (unsigned n = 0; n < TOTEM_LANES; n++)
        s->lane_valid[n] = false;

    // 2.
    for (unsigned f = 0; f < TOTEM_FE_COUNT; f++)
        if (i->dc_valid[f]) {
            for (unsigned n = 0; n < TOTEM_LANES; n++)
                if (n == lane) {
                    s->lane_valid[n] = true;
                    s->lane_word[n]  = i->dc_word[f];
                    s->lane_tag[n]   = i->dc_tag[f];
                }
            lane = lane + 1 == TOTEM_LANES ? 0 : lane + 1;
        }

    // 3.
    s->turn = (uint8_t)lane;
}

// From the Invariants of the contract: what the step relies on.
bool totem_bus_invariant(const totem_bus *s)
{
    return s->turn < TOTEM_LANES;
}
