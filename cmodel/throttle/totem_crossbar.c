// SPDX-License-Identifier: Apache-2.0
//
// totem_crossbar: twin of rtl/throttle/totem_crossbar.v, from docs/contract/crossbar.md.

#include "totem_crossbar.h"

enum { ENGINES = TOTEM_SE_COUNT };

void totem_crossbar_outputs(const totem_crossbar_in *i, totem_crossbar_out *o)
{
    for (unsigned converter = 0; converter < ENGINES; converter++)
        for (unsigned assembler = 0; assembler < ENGINES; assembler++) {
            const unsigned here = converter * ENGINES + assembler, there = assembler * ENGINES + converter;

            o->valid[here]  = i->hub_pop_valid[there];
            o->data[here]   = i->hub_pop_data[there];
            o->ready[there] = i->scan_hub_ready[here];
        }
}
