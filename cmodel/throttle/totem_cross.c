// SPDX-License-Identifier: Apache-2.0
//
// totem_cross: twin of rtl/throttle/totem_cross.v, from docs/contract/cross.md.

#include "totem_cross.h"

enum { ENGINES = TOTEM_SE_COUNT };

void totem_cross_outputs(const totem_cross_in *i, totem_cross_out *o)
{
    for (unsigned converter = 0; converter < ENGINES; converter++)
        for (unsigned assembler = 0; assembler < ENGINES; assembler++) {
            const unsigned here = converter * ENGINES + assembler, there = assembler * ENGINES + converter;

            o->valid[here]  = i->hub_pop_valid[there];
            o->data[here]   = i->hub_pop_data[there];
            o->ready[there] = i->scan_hub_ready[here];
        }
}
