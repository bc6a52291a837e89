// SPDX-License-Identifier: Apache-2.0
//
// totem_upper: twin of rtl/lib/totem_upper.v, from docs/contract/upper.md.

#include "totem_upper.h"

void totem_upper_outputs(const totem_upper_in *i, totem_upper_out *o)
{
    const uint8_t bits = (uint8_t)(i->address >> 8);

    o->page    = (uint8_t)i->address;
    o->strange = bits != 0 && bits != i->above;
    if (i->above != 0) {
        o->strange = o->strange || (i->address & 0x80) != 0;
        o->page    = (uint8_t)((i->address & 0x7f) | (bits != 0 ? 0x80 : 0));
    }
}
