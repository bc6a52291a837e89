// SPDX-License-Identifier: Apache-2.0
//
// totem_windows: twin of rtl/partition/totem_windows.v, from docs/contract/windows.md.

#include "totem_windows.h"

#include <string.h>

enum { WINDOWS = TOTEM_WINDOWS_WINDOWS };

_Static_assert(WINDOWS >= 1 && WINDOWS <= 4, "WINDOWS is 1 to 4");

void totem_windows_outputs(const totem_windows *s, totem_windows_out *o)
{
    memcpy(o->window_valid, s->window_valid, sizeof o->window_valid);
    memcpy(o->window_base, s->window_base, sizeof o->window_base);
    memcpy(o->window_size, s->window_size, sizeof o->window_size);
    memcpy(o->window_first, s->window_first, sizeof o->window_first);
    memcpy(o->window_spread, s->window_spread, sizeof o->window_spread);
    memcpy(o->window_chunk, s->window_chunk, sizeof o->window_chunk);
    memcpy(o->window_stride, s->window_stride, sizeof o->window_stride);
    memcpy(o->window_place, s->window_place, sizeof o->window_place);
}

void totem_windows_step(totem_windows *s, const totem_windows_in *i)
{
    // 1 Write
    for (unsigned w = 0; w < WINDOWS; w++)
        if (i->write_valid && i->write_window == w) {
            s->window_valid[w]  = i->write_present;
            s->window_base[w]   = i->write_base;
            s->window_size[w]   = i->write_size;
            s->window_first[w]  = i->write_first;
            s->window_spread[w] = i->write_spread;
            s->window_chunk[w]  = i->write_chunk;
            s->window_stride[w] = i->write_stride;
            s->window_place[w]  = i->write_place;
        }
}
