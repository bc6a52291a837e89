// SPDX-License-Identifier: Apache-2.0
//
// Rules of docs/graphics.md on the whole model: a graphics ring, from its packets to geometry waves and back.
// Configuration: board, because it is the smallest with a graphics pipe.

#include "tests.h"

#include "rules_world.h"

enum { RING = 0x300000, SIZE = 1024, FENCE = WORLD_DATA + 0x100, ARGUMENTS = WORLD_DATA + 0x200, TABLE = 8 };
enum { POINTS = 1, LINES = 2, TRIANGLES = 4, FAN = 5, STRIP = 6, PATCH = 9 };
enum { RSRC1 = 0x4a, PROGRAM = 0x48, USER = 0x4c, CONTEXT = 0x100 };

#define GRAPHICS(name) (TOTEM_REG_GRAPHICS_BASE + 4 * TOTEM_REG_GRAPHICS_##name)
#define PUT(r, op, ...) put(r, TOTEM_OP_##op, WORDS(__VA_ARGS__))

// A world with the ring of front end 0.
typedef struct {
    world    w;
    uint32_t at;     // dwords written
    uint32_t fences; // given
} ring;

static const totem_fe_out *fe(const ring *r)
{
    return &session_out(r->w.s)->fe[0];
}

static uint32_t graphics_get(ring *r, uint32_t address)
{
    return host_get(&r->w, address);
}

static void ring_map(ring *r)
{
    const driver_queue q     = {.pipe = SESSION_RING, .size = SIZE, .ring = RING, .rptr = r->at};
    const size_t       first = host(&r->w)->count;
    driver_map(host(&r->w), now(&r->w), &q);
    UNTIL(&r->w, host_done(host(&r->w)));
    for (size_t n = first; n < host(&r->w)->count; n++)
        assert_int_equal(host(&r->w)->list[n].response, 0);
}

static void raw_put(ring *r, const uint32_t *words, uint32_t count)
{
    while (count--)
        set(&r->w, RING + 4 * (uint64_t)(r->at++ % SIZE), *words++);
}

// The judge reads what is written from dword `from` on.
static void tell(ring *r, uint32_t from)
{
    char message[256];
    if (!draws_stream(session_draws(r->w.s), 0, session_memory(r->w.s), RING, SIZE, from, r->at - from, message))
        fail_msg("%s", message);
}

static void put(ring *r, uint32_t op, const uint32_t *body, uint32_t count)
{
    const uint32_t from = r->at;
    raw_put(r, WORDS(TYPE3(op, count)));
    raw_put(r, body, count);
    tell(r, from);
}

static void ring_go(ring *r)
{
    driver_doorbell(host(&r->w), now(&r->w), SESSION_RING, 0, r->at);
    UNTIL(&r->w, host_done(host(&r->w)));
    assert_int_equal(host(&r->w)->list[host(&r->w)->count - 1].response, 0);
}

static uint32_t ring_window(ring *r, uint32_t dword)
{
    return host_get(&r->w, driver_window(SESSION_RING, 0, dword));
}

static void ring_open(ring *r)
{
    memset(r, 0, sizeof *r);
    world_open(&r->w);
    for (uint32_t entry = 0; entry < 4; entry++)
        program(&r->w, entry, 50u << 2 * entry);
    host_put(&r->w, GRAPHICS(TABLE_INDEX), CONTEXT);
    for (uint32_t n = 0; n < TABLE; n++)
        host_put(&r->w, GRAPHICS(TABLE_DATA), 0x1000 + n);
    ring_map(r);
    PUT(r, CLEAR_STATE, 0);
    PUT(r, SET_SH_REG, PROGRAM, 0x2000, 0, 1, 4u << 1); // program entry 0; 2 VGPR blocks, 4 user words
    PUT(r, SET_SH_REG, USER, 0x11, 0x22, 0x33, 0x44);
}

static void ring_close(ring *r)
{
    char message[256];
    UNTIL(&r->w, session_idle(r->w.s));
    if (!draws_complete(session_draws(r->w.s), message))
        fail_msg("%s", message);
    world_close(&r->w);
}

static void type(ring *r, uint32_t primitive)
{
    PUT(r, SET_UCONFIG_REG, 0x242, primitive);
}

static void draw(ring *r, uint32_t vertices)
{
    PUT(r, DRAW_INDEX_AUTO, vertices, 2);
}

static void state(ring *r, uint32_t value)
{
    PUT(r, SET_CONTEXT_REG, CONTEXT, value);
}

static uint32_t ring_fence(ring *r)
{
    PUT(r, RELEASE_MEM, 0x528, 1u << 29, FENCE, 0, ++r->fences, 0, 0);
    return r->fences;
}

static unsigned draw_waves(const ring *r)
{
    unsigned count = 0;
    for (unsigned n = 0; n < r->w.count; n++)
        count += r->w.events[n].kind == LAUNCH && r->w.events[n].pipe == 2;
    return count;
}

// Runs what is written, to its end.
static void play(ring *r)
{
    const uint32_t last = ring_fence(r);
    ring_go(r);
    UNTIL(&r->w, get(&r->w, FENCE) == last);
}

#define GIVEN(name) RULE_IN(ring, ring_open, ring_close, r, name)

// 64 primitives a wave, an instance never shares one.
GIVEN(draw_becomes_waves)
{
    static const struct {
        uint32_t type, vertices, waves;
    } rows[] = {{POINTS, 64, 1}, {LINES, 130, 2}, {TRIANGLES, 3 * 65, 2}, {FAN, 3, 1},
                {STRIP, 130, 2}, {STRIP, 131, 3}, {TRIANGLES, 2, 0}};
    unsigned waves = 0;
    for (size_t n = 0; n < COUNT(rows); n++) {
        type(r, rows[n].type);
        draw(r, rows[n].vertices);
        waves += rows[n].waves;
    }
    PUT(r, NUM_INSTANCES, 3);
    draw(r, 3);
    play(r);
    assert_int_equal(draw_waves(r), waves + 3);
    assert_int_equal(graphics_get(r, GRAPHICS(DRAWS)), COUNT(rows) + 1);
    assert_int_equal(ring_window(r, WINDOW(CP_HQD_PQ_RPTR)) % SIZE, r->at % SIZE);
    (void)fe;
    (void)state;
}
