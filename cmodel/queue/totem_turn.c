// SPDX-License-Identifier: Apache-2.0
//
// totem_turn: twin of rtl/queue/totem_turn.v, from docs/contract/turn.md.

#include "totem_turn.h"

void totem_turn_outputs(const totem_turn *s, totem_turn_out *o)
{
    o->clocks = s->clocks;
}

void totem_turn_step(totem_turn *s, const totem_turn_in *i)
{
    if (i->arbiter_selected_valid)
        s->clocks++;
}
