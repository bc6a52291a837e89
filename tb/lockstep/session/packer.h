// SPDX-License-Identifier: Apache-2.0
//
// packer: puts fields of up to 64 bits one after the other into 32-bit words, from bit 0.

#ifndef PACKER_H
#define PACKER_H

#include <stdint.h>

typedef struct {
    uint32_t *to;
    uint64_t  held; // bits not yet written
    uint32_t  bits; // how many, below 32
} packer;

static inline void put_part(packer *k, uint64_t value, uint32_t width)
{
    k->held |= value << k->bits; // width <= 32, so nothing is lost
    k->bits += width;
    if (k->bits >= 32) {
        *k->to++ = (uint32_t)k->held;
        k->held >>= 32;
        k->bits -= 32;
    }
}

static inline void put(packer *k, uint64_t value, uint32_t width)
{
    if (width > 32) {
        put_part(k, (uint32_t)value, 32);
        put_part(k, value >> 32, width - 32);
    } else {
        put_part(k, value, width);
    }
}

static inline void finish(packer *k)
{
    if (k->bits)
        *k->to = (uint32_t)k->held;
}

#endif
