// SPDX-License-Identifier: Apache-2.0
//
// rules_ring: graphics rings in a world of rules_world.h: mapped, filled packet by packet for the judge of draws too,
// run. One of them at a time is written, that of front end 0 at first.

#ifndef RULES_RING_H
#define RULES_RING_H

#include "rules_world.h"

#if TOTEM_GRAPHICS

enum { RING = 0x300000, RING_STRIDE = 0x10000, SIZE = 1024, FENCE = WORLD_DATA + 0x100 };
enum { PROGRAM = 0x48, USER = 0x4c, PROGRAM_PS = 0x08, POINTS = 1, GEOMETRY = 1, PIXELS = 2 };

#define PUT(r, op, ...) put(r, TOTEM_OP_##op, WORDS(__VA_ARGS__))

// A world with rings. `at`: dwords written into that of `front_end`.
typedef struct {
    world    w;
    uint32_t front_end;
    uint32_t at, kept[TOTEM_FE_COUNT];
    uint32_t fences; // given
} ring;

// The ring of this front end is written and mapped next.
static inline void ring_on(ring *r, uint32_t front_end)
{
    r->kept[r->front_end] = r->at;
    r->front_end          = front_end;
    r->at                 = r->kept[front_end];
}

static inline uint64_t ring_address(const ring *r)
{
    return RING + RING_STRIDE * (uint64_t)r->front_end;
}

static inline void ring_map(ring *r)
{
    const driver_queue q     = {.pipe = RING_PIPE + r->front_end, .size = SIZE, .ring = ring_address(r), .rptr = r->at};
    const size_t       first = host(&r->w)->count;
    driver_map(host(&r->w), now(&r->w), &q);
    UNTIL(&r->w, host_done(host(&r->w)));
    for (size_t n = first; n < host(&r->w)->count; n++)
        assert_int_equal(host(&r->w)->list[n].response, 0);
}

static inline void raw_put(ring *r, const uint32_t *words, uint32_t count)
{
    while (count--)
        set(&r->w, ring_address(r) + 4 * (uint64_t)(r->at++ % SIZE), *words++);
}

// The judge reads what is written from dword `from` on.
static inline void tell(ring *r, uint32_t from)
{
    char message[256];
    if (!draws_stream(session_draws(r->w.s), (int)r->front_end, session_memory(r->w.s), ring_address(r), SIZE, from,
                      r->at - from, message))
        fail_msg("%s", message);
}

static inline void put(ring *r, uint32_t op, const uint32_t *body, uint32_t count)
{
    const uint32_t from = r->at;
    raw_put(r, WORDS(TYPE3(op, count)));
    raw_put(r, body, count);
    tell(r, from);
}

static inline void ring_go(ring *r)
{
    driver_doorbell(host(&r->w), now(&r->w), RING_PIPE + r->front_end, 0, r->at);
    UNTIL(&r->w, host_done(host(&r->w)));
    assert_int_equal(host(&r->w)->list[host(&r->w)->count - 1].response, 0);
}

// What a stream begins with: VGPR blocks 2, four words of user data.
static inline void begin(ring *r, uint32_t entry)
{
    PUT(r, CLEAR_STATE, 0);
    PUT(r, SET_SH_REG, PROGRAM, 0x2000 + entry, 0, 1, 4u << 1);
    PUT(r, SET_SH_REG, USER, 0x11, 0x22, 0x33, 0x44);
    PUT(r, SET_UCONFIG_REG, 0x242, POINTS);
    PUT(r, NUM_INSTANCES, 1);
}

static inline void draw(ring *r, uint32_t vertices)
{
    PUT(r, DRAW_INDEX_AUTO, vertices, 2);
}

static inline uint32_t ring_fence(ring *r)
{
    PUT(r, RELEASE_MEM, 0x528, 1u << 29, FENCE, 0, ++r->fences, 0, 0);
    return r->fences;
}

// As world_close, and every draw has ended.
static inline void ring_close(ring *r)
{
    char message[256];
    UNTIL(&r->w, session_idle(r->w.s));
    if (!draws_complete(session_draws(r->w.s), message))
        fail_msg("%s", message);
    world_close(&r->w);
}

#endif
#endif
