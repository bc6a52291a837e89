// SPDX-License-Identifier: Apache-2.0
//
// totem_divide: twin of rtl/packet/totem_divide.v, from docs/contract/divide.md.

#include "totem_divide.h"

void totem_divide_outputs(const totem_divide *s, totem_divide_out *o)
{
    o->busy       = s->phase != DIVIDE_IDLE;
    o->read       = s->phase == DIVIDE_ASK;
    o->read_place = s->place;
    o->uneven     = s->uneven;
    for (unsigned n = 0; n < 3; n++) {
        o->quotient[n] = s->value[n];
        o->fields[n]   = s->fields[n];
    }
}

// 1 Division, continued: a bit leaves element 2 on top, its bit of the quotient enters element 0 below.
static void shift(totem_divide *s)
{
    const uint32_t grown = (uint32_t)s->rest * 2 + (s->value[2] >> 31);
    const bool     goes  = grown >= s->divisor;

    s->rest     = (uint16_t)(goes ? grown - s->divisor : grown);
    s->value[2] = s->value[2] << 1 | s->value[1] >> 31;
    s->value[1] = s->value[1] << 1 | s->value[0] >> 31;
    s->value[0] = s->value[0] << 1 | (goes ? 1u : 0u);
    if (s->step == 31)
        s->phase = DIVIDE_ROUND;
    s->step = (s->step + 1) & 31;
}

// 1 Division, continued: a quotient is complete. The last group of its dimension has what is left over.
static void round_up(totem_divide *s)
{
    if (s->place < 3)
        s->fields[s->place] = (uint32_t)(s->rest != 0 ? s->rest : s->divisor) << 16 | s->divisor;
    if (s->rest != 0) {
        s->value[0]++;
        s->uneven = true;
    }
    if (s->place == 0) {
        s->phase = DIVIDE_IDLE;
    } else {
        s->place = (s->place - 1) & 3;
        s->phase = DIVIDE_ASK;
    }
}

void totem_divide_step(totem_divide *s, const totem_divide_in *i)
{
    // 1 Division
    switch (s->phase) {
    case DIVIDE_ASK: s->phase = DIVIDE_WAIT; break;
    case DIVIDE_WAIT: s->phase = DIVIDE_TAKE; break;
    case DIVIDE_TAKE:
        s->divisor = (uint16_t)(i->register_ram_read_data & 0xffff);
        s->rest    = 0;
        s->step    = 0;
        s->phase   = DIVIDE_SHIFT;
        break;
    case DIVIDE_SHIFT: shift(s); break;
    case DIVIDE_ROUND: round_up(s); break;
    default: break;
    }

    // 2 Start
    if (i->packet_start) {
        s->place  = 2;
        s->uneven = false;
        s->phase  = DIVIDE_ASK;
    }

    // 3 Dimension
    if (i->packet_valid) {
        if (i->packet_place < 3)
            s->value[i->packet_place] = i->packet_data;
        s->place = 0;
        s->phase = DIVIDE_IDLE;
    }
}

// From the Invariants of the contract: what the step relies on.
bool totem_divide_invariant(const totem_divide *s)
{
    return s->phase <= DIVIDE_ROUND && s->place <= 2;
}
