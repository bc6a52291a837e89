// SPDX-License-Identifier: Apache-2.0
//
// totem_window: twin of rtl/partition/totem_window.v, from docs/contract/window.md.

#include "totem_window.h"

enum { WINDOWS = TOTEM_WINDOW_WINDOWS, CHANNELS = TOTEM_CHANNELS };

static const uint64_t SPACE = (UINT64_C(1) << 40) - 1;

// The bits of an address from `bits` on.
static uint64_t above(unsigned bits)
{
    return SPACE << bits & SPACE;
}

static bool has(const totem_window_in *i, unsigned w, uint64_t address)
{
    return i->window_valid[w] && ((address ^ i->window_base[w] << 7) & above(i->window_size[w])) == 0;
}

void totem_window_outputs(const totem_window_in *i, totem_window_out *o)
{
    const uint64_t address = i->address << 3;
    uint64_t       offset = 0, place = 0;
    unsigned       chunk = 0, stride = 0, first = 0, spread = 0;

    o->hit = false;
    for (unsigned w = WINDOWS; w-- > 0;) // the lowest one last
        if (has(i, w, address)) {
            o->hit = true;
            offset = address & ~above(i->window_size[w]);
            place  = i->window_place[w] << 7;
            chunk  = i->window_chunk[w];
            stride = i->window_stride[w];
            first  = i->window_first[w];
            spread = i->window_spread[w];
        }

    const uint64_t number = offset >> chunk;
    const unsigned turn   = spread == 0 ? 0 : spread == 1 ? (unsigned)(number & 1) : (unsigned)(number & 3);
    place                 = (place + (number << stride & SPACE) + (offset & ~above(chunk))) & SPACE;
    o->target             = (uint8_t)(o->hit ? (first + turn) % CHANNELS : 0);
    o->moved              = o->hit ? place >> 3 : 0;
}
