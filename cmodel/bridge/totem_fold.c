// SPDX-License-Identifier: Apache-2.0
//
// totem_fold: see totem_fold.h and docs/contract/fold.md.

#include "totem_fold.h"

enum { WORDS = (TOTEM_FOLD_WIDTH + 31) / 32 };

// 2 Fold: of so many words of 32 bits
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

    // 2 Fold, continued
    uint32_t words[WORDS] = {0};
    for (unsigned k = 0; k < TOTEM_FOLD_WIDTH; k++)
        words[k / 32] |= (uint32_t)(s->data[k] && s->keep[k]) << k % 32;
    s->fold = totem_fold_of(words, WORDS);

    // 1 Outputs
    for (unsigned k = 0; k < TOTEM_FOLD_WIDTH; k++) {
        s->data[k] = i->data[k];
        s->keep[k] = i->keep[k];
    }
}
