// SPDX-License-Identifier: Apache-2.0
//
// What a kernel sees of its wave: the local region of a core (docs/core.md). A kernel is a function `wave`, which runs
// once for each wave and loops over its threads itself.

#ifndef TOTEM_KERNEL_H
#define TOTEM_KERNEL_H

#include <stdint.h>

#define LOCAL(address) ((volatile uint32_t *)(uintptr_t)(address))
#define REGISTER(at) (*LOCAL(0xf0010000u + (at)))

#ifdef TASK // user data 0 is the address of the descriptor; what a kernel calls user data stands behind its 64 dwords
#define USER_DATA(n) (((buffer)(uintptr_t)REGISTER(0x10))[64 + (n)])
#else
#define USER_DATA(n) REGISTER(0x10 + 4 * (n))
#endif
#define GROUP_X REGISTER(0x90)
#define GROUP_Y (REGISTER(0x94) & 0xffff)
#define GROUP_Z (REGISTER(0x94) >> 16)
#define WAVE REGISTER(0x98)    // of the group
#define THREADS REGISTER(0x9c) // of the wave
#define LANES REGISTER(0xa0)   // threads of a whole wave, 64 or 32
#define WAVES REGISTER(0xb0)   // of the group

typedef volatile uint32_t *buffer;
#define BUFFER(n) ((buffer)(uintptr_t)USER_DATA(n))

// A pointer of which the compiler does not see where it comes from: accesses near it have offsets in the instruction.
static inline buffer opaque(buffer pointer)
{
    __asm__("" : "+r"(pointer));
    return pointer;
}

// LDS of the group. It holds what the last group left there.
static inline buffer lds(void)
{
    return opaque(LOCAL(0xf0000000u));
}

// Waits until all waves of the group that have not ended are here. Writes before it are there for all of them.
static inline void barrier(void)
{
    REGISTER(0x100) = 0;
}

// Launches the task whose descriptor's address >> 8 is given. 0: it was taken, 1: refused.
static inline uint32_t launch_task(uint32_t pointer)
{
    REGISTER(0x104) = pointer;
    return REGISTER(0x104);
}

// Number of the wave in a grid of one dimension, and of its first thread, where groups have whole waves.
static inline uint32_t wave_of_grid(void)
{
    return GROUP_X * WAVES + WAVE;
}
static inline uint32_t first_element(void)
{
    return wave_of_grid() * LANES;
}

// Element behind the last thread of the wave, at most `count`.
static inline uint32_t last_element(uint32_t count)
{
    const uint32_t end = first_element() + THREADS;
    return end < count ? end : count;
}

void wave(void);

#endif
