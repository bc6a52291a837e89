// SPDX-License-Identifier: Apache-2.0
//
// floats: what a kernel of a framework calls beside libgcc: roots, exact to the last bit, and truncation, of float and
// double by integers; blocks of bytes.

#include <stddef.h>
#include <stdint.h>

// Root of an integer, by bits, and whether there is a rest.
static uint64_t root_of(uint64_t n, uint64_t *rest)
{
    uint64_t root = 0;
    for (uint64_t bit = UINT64_C(1) << 62; bit; bit >>= 2) {
        const uint64_t with = root + bit;
        root >>= 1;
        if (n >= with) {
            n -= with;
            root += bit;
        }
    }
    *rest = n;
    return root;
}

typedef union {
    float    value;
    uint32_t bits;
} single;

typedef union {
    double   value;
    uint64_t bits;
} pair;

float sqrtf(float x)
{
    single s = {x};
    if (s.bits << 1 == 0 || s.bits == 0x7f800000) // 0 and infinity are their own
        return x;
    if (s.bits > 0x7f800000) // below 0, or no number
        return (single){.bits = s.bits << 1 > 0xff000000 ? s.bits | 0x400000 : 0x7fc00000}.value;
    int      exponent = (int)(s.bits >> 23);
    uint32_t fraction = s.bits & 0x7fffff;
    if (exponent == 0)
        for (exponent = 1; !(fraction >> 23); exponent--)
            fraction <<= 1;
    fraction |= 0x800000;
    exponent -= 127;
    // 25 bits of root: the last one rounds, and no root lies half way.
    uint64_t       rest;
    const uint32_t root = (uint32_t)root_of((uint64_t)fraction << (25 + (exponent & 1)), &rest);
    return (single){.bits = (uint32_t)((exponent >> 1) + 126) * 0x800000 + ((root + 1) >> 1)}.value;
}

double sqrt(double x)
{
    pair p = {x};
    if (p.bits << 1 == 0 || p.bits == UINT64_C(0x7ff) << 52)
        return x;
    if (p.bits > UINT64_C(0x7ff) << 52)
        return (pair){.bits = p.bits << 1 > UINT64_C(0x7ff) << 53 ? p.bits | UINT64_C(1) << 51 : UINT64_C(0x7ff8) << 48}
            .value;
    int      exponent = (int)(p.bits >> 52);
    uint64_t fraction = p.bits & ((UINT64_C(1) << 52) - 1);
    if (exponent == 0)
        for (exponent = 1; !(fraction >> 52); exponent--)
            fraction <<= 1;
    fraction |= UINT64_C(1) << 52;
    exponent -= 1023;
    // 54 bits of root: 32 from what 64 bits hold, the others one by one.
    uint64_t rest, root = root_of(fraction << (10 + (exponent & 1)), &rest);
    for (int n = 0; n < 22; n++) {
        const uint64_t with = 4 * root + 1;
        rest *= 4;
        root *= 2;
        if (rest >= with) {
            rest -= with;
            root++;
        }
    }
    return (pair){.bits = (uint64_t)((exponent >> 1) + 1022) * (UINT64_C(1) << 52) + ((root + 1) >> 1)}.value;
}

float truncf(float x)
{
    single    s        = {x};
    const int exponent = (int)(s.bits >> 23 & 255) - 127;
    if (exponent < 23)
        s.bits &= exponent < 0 ? 0x80000000 : ~(0x7fffffu >> exponent);
    return s.value;
}

double trunc(double x)
{
    pair      p        = {x};
    const int exponent = (int)(p.bits >> 52 & 2047) - 1023;
    if (exponent < 52)
        p.bits &= exponent < 0 ? UINT64_C(1) << 63 : ~(((UINT64_C(1) << 52) - 1) >> exponent);
    return p.value;
}

void *memset(void *to, int value, size_t bytes)
{
    for (volatile uint8_t *at = to; bytes; bytes--)
        *at++ = (uint8_t)value;
    return to;
}

void *memcpy(void *restrict to, const void *restrict from, size_t bytes)
{
    const uint8_t *read = from;
    for (volatile uint8_t *at = to; bytes; bytes--)
        *at++ = *read++;
    return to;
}
