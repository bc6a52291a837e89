// SPDX-License-Identifier: Apache-2.0
//
// totem_fold: see totem_fold.h and docs/contract/fold.md.

#include "totem_fold.h"

static uint16_t bit(bool value, unsigned place)
{
    return (uint16_t)(value ? 1u << place : 0);
}

// 3 Step
uint16_t totem_fold_stepped(uint16_t signature, uint16_t fold)
{
    return (uint16_t)(signature << 1 ^ signature >> 1 ^ (signature & FOLD_RULE) ^ fold);
}

void totem_fold_outputs(const totem_fold *s, totem_fold_out *o)
{
    o->chain_out = s->signature;
}

void totem_fold_step(totem_fold *s, const totem_fold_in *i)
{
    if (i->signature_live)
        s->signature = totem_fold_stepped(s->signature, s->fold);
    else if (i->signature_shift)
        s->signature = i->chain_in;

    // 2 Fold: bit 16 n + k of the data goes to bit k + 5 n modulo 16.
    s->fold = 0;
    for (unsigned k = 0; k < TOTEM_FOLD_WIDTH; k++)
        s->fold ^= bit(s->data[k] && s->keep[k], (k + 5 * (k / 16)) % 16);

    // 1 Outputs
    for (unsigned k = 0; k < TOTEM_FOLD_WIDTH; k++) {
        s->data[k] = i->data[k];
        s->keep[k] = i->keep[k];
    }
}
