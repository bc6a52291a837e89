// SPDX-License-Identifier: Apache-2.0
//
// totem_fold: see totem_fold.h and docs/contract/fold.md.

#include "totem_fold.h"

enum { PARTS = (TOTEM_FOLD_WIDTH + 63) / 64 };

// The fold of so many words of 32 bits.
uint16_t totem_fold_of(const uint32_t *words, unsigned count)
{
    uint32_t fold = 0;
    for (unsigned n = 0; n < 2 * count; n++) {
        const uint32_t half = words[n / 2] >> n % 2 * 16 & 0xffff, left = 5 * n % 16;
        fold ^= half << left | half >> (16 - left);
    }
    return (uint16_t)fold;
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

    // 2 Fold
    s->fold = 0;
    for (unsigned m = 0; m < PARTS; m++)
        s->fold ^= s->parts[m];

    // 1 Parts: the fold of data in which only those four words are not 0
    for (unsigned m = 0; m < PARTS; m++) {
        uint32_t words[2 * PARTS] = {0};
        for (unsigned k = 64 * m; k < 64 * m + 64 && k < TOTEM_FOLD_WIDTH; k++)
            words[k / 32] |= (uint32_t)(i->data[k] && i->keep[k]) << k % 32;
        s->parts[m] = totem_fold_of(words, 2 * PARTS);
    }
}
