// SPDX-License-Identifier: Apache-2.0
//
// draw: see draw.h.

#include "draw.h"

#include <string.h>

enum { SPELL = 64, SURE = 65536 };

void draw_begin(draw *d, uint64_t seed)
{
    memset(d, 0, sizeof *d);
    d->random.state = seed * 0x9e3779b97f4a7c15u + 1;
    // A reset every 1024, 16384 or 262144 clocks.
    d->reset_rate = (SURE / 16) >> 4 * random_below(&d->random, 3);
}

// The rate of an input of one bit for its next spell.
static void rate(draw *d, draw_port *to, const block_port *port)
{
    const uint32_t n      = (uint32_t)port->number;
    const uint32_t listed = port->draw == DRAW_ONE_IN ? SURE / n : SURE - SURE / n;
    to->rate              = listed;
    switch (random_below(&d->random, 16)) {
    case 0: to->rate = 0; break;
    case 1: to->rate = SURE; break;
    case 2:
    case 3:
    case 4: // more often
        to->rate = listed * 4 < SURE - (SURE - listed) / 4 ? listed * 4 : SURE - (SURE - listed) / 4;
        break;
    case 5:
    case 6:
    case 7: // more rarely
        to->rate = listed / 4 > 1 && listed < SURE - SURE / 16 ? listed / 4 : listed - (SURE - listed);
        break;
    default: break;
    }
}

// What a word without a row is for its next spell.
static void kind_of_word(draw *d, draw_port *to, const block_port *port)
{
    to->draw = DRAW_ANY;
    switch (random_below(&d->random, 16)) {
    case 0:
    case 1:
    case 2:
        to->draw   = DRAW_FEW;
        to->number = 1 + random_below(&d->random, 3);
        break;
    case 3:
    case 4:
        to->draw   = DRAW_LOW;
        to->number = 1 + random_below(&d->random, port->width);
        break;
    case 5:
    case 6:
        to->draw   = DRAW_CONSTANT; // held
        to->number = random_next(&d->random);
        break;
    case 7:
        to->draw   = DRAW_CONSTANT;
        to->number = random_below(&d->random, 2) ? ~0ull : 0;
        break;
    default: break;
    }
}

static void spell(draw *d, const block_kind *kind)
{
    for (uint32_t p = 0; p < kind->inputs; p++) {
        const block_port *port = &kind->ports[p];
        draw_port        *to   = &d->port[p];
        if (to->left > 0) {
            to->left--;
            continue;
        }
        to->left   = (1u << random_below(&d->random, 5)) - 1;
        to->draw   = port->draw;
        to->number = port->number;
        if (port->width == 1 && (port->draw == DRAW_ONE_IN || port->draw == DRAW_NOT_IN))
            rate(d, to, port);
        else if (!port->listed && port->draw == DRAW_ANY)
            kind_of_word(d, to, port);
    }
    if (random_below(&d->random, SURE) < d->reset_rate) {
        d->reset_in   = random_below(&d->random, SPELL);
        d->reset_left = 1 + random_below(&d->random, 2);
    }
}

static uint64_t word(draw *d, const draw_port *from, const block_port *port)
{
    uint64_t value = random_next(&d->random);
    switch (from->draw) {
    case DRAW_ONE_IN:
    case DRAW_NOT_IN:
        if (port->width == 1)
            return (value & (SURE - 1)) < from->rate;
        for (uint64_t n = from->number; n > 2; n >>= 1)
            value &= random_next(&d->random);
        return from->draw == DRAW_ONE_IN ? value : ~value;
    case DRAW_FEW:
        if (from->number >= 64)
            return value;
        value &= ~0ull >> (64 - from->number);
        for (uint64_t n = from->number; n < port->width; n *= 2)
            value |= value << n;
        return value;
    case DRAW_LOW: return value & ~0ull >> (64 - from->number);
    case DRAW_CONSTANT: return from->number;
    default: return value;
    }
}

bool draw_inputs(draw *d, const block_kind *kind, void *in)
{
    if (d->clock % SPELL == 0)
        spell(d, kind);
    d->clock++;
    for (uint32_t p = 0; p < kind->inputs; p++) {
        const block_port *port = &kind->ports[p];
        if (port->draw != DRAW_KEPT)
            for (uint32_t n = 0; n < (port->elements ? port->elements : 1); n++)
                block_set(in, port, n, word(d, &d->port[p], port));
    }
    if (d->reset_in > 0) {
        d->reset_in--;
        return false;
    }
    if (d->reset_left > 0) {
        d->reset_left--;
        return true;
    }
    return false;
}
