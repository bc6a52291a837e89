// SPDX-License-Identifier: Apache-2.0
//
// rings: see rings.h.

#include "rings.h"

#include "../../cmodel/host/totem_regs_map.h"
#include "../../cmodel/packet/totem_pm4.h"
#include "driver.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

// Places in memory that the agent leaves alone; dwords of a batch; states in turn, and the registers that they differ in.
enum { RING_AT = 0x3000000, RING_APART = 0x10000, FENCE_AT = 0x3800000, BATCH = 1024, STATES = 12, DIFFERENT = 24 };
enum { CONTEXT = 1024, TABLE = 40, PROGRAMS = 14 };

typedef struct {
    uint32_t size, written;
    uint32_t fences;
    uint64_t next;           // clock of the next look
    uint32_t states;         // how many there are
    uint32_t value[CONTEXT]; // of the context registers, behind all that was written
    uint32_t table[CONTEXT]; // of CLEAR_STATE
    bool     mapped, began;
} ring;

struct rings {
    session     *s;
    totem_random random;
    uint64_t     clocks;
    ring         ring[TOTEM_FE_COUNT];
    uint32_t     words[BATCH];
    uint32_t     count;
    char         message[256];
};

rings *rings_create(session *s, uint64_t seed, uint64_t clocks)
{
    rings *r = calloc(1, sizeof *r);
    if (!r)
        return NULL;
    r->s      = s;
    r->clocks = clocks;
    r->random = (totem_random){.state = seed ^ 0x9e3779b97f4a7c15u};
    for (int f = 0; f < RINGS; f++) {
        r->ring[f].size   = 1024u << random_below(&r->random, 3);
        r->ring[f].next   = random_below(&r->random, 2000);
        r->ring[f].states = 1 + random_below(&r->random, STATES);
    }
    return r;
}

void rings_destroy(rings *r)
{
    free(r);
}

const char *rings_message(const rings *r)
{
    return r->message;
}

#if TOTEM_GRAPHICS
static uint32_t below(rings *r, uint32_t count)
{
    return random_below(&r->random, count);
}

static void packet(rings *r, uint32_t op, const uint32_t *body, uint32_t count)
{
    r->words[r->count++] = 3u << 30 | (count - 1) << 16 | op << 8;
    memcpy(r->words + r->count, body, count * sizeof *body);
    r->count += count;
}

#define PACKET(r, op, ...)                                             \
    do {                                                               \
        const uint32_t body_[] = {__VA_ARGS__};                        \
        packet(r, TOTEM_OP_##op, body_, sizeof body_ / sizeof *body_); \
    } while (0)

// What equal states give equal values of: FNV-1a over all registers.
static uint64_t hash_of(const ring *g)
{
    uint64_t h = 0xcbf29ce484222325u;
    for (int n = 0; n < CONTEXT; n++)
        h = (h ^ g->value[n]) * 0x100000001b3u;
    return h;
}

static void write_context(rings *r, ring *g, uint32_t index, uint32_t value)
{
    g->value[index] = value;
    if (below(r, 4) == 0)
        PACKET(r, CONTEXT_REG_RMW, index, 0xffffffffu, value);
    else
        PACKET(r, SET_CONTEXT_REG, index, value);
}

// The registers in which states differ lie in all banks; 0x2d5 and 0x2d6 shape the waves of a draw.
static void go_to_state(rings *r, ring *g)
{
    const uint32_t state  = below(r, g->states);
    const bool     bounce = below(r, 4) != 0;
    const uint32_t at     = r->count;
    if (bounce)
        PACKET(r, CONTEXT_BOUNCE, 0, 0, 0);
    const uint32_t begin = r->count;
    for (uint32_t n = 0; n < DIFFERENT; n++) {
        const uint32_t index = 0x100 + 37 * n % 0x200, value = state * 0x10001 + n % 3;
        if (g->value[index] != value || below(r, 8) == 0)
            write_context(r, g, index, value);
    }
    if (r->count == begin)
        write_context(r, g, 0x100, state * 0x10001);
    if (!bounce)
        return;
    const uint64_t hash = hash_of(g);
    r->words[at + 1]    = r->count - begin;
    r->words[at + 2]    = (uint32_t)hash;
    r->words[at + 3]    = (uint32_t)(hash >> 32);
}

static void shader(rings *r)
{
    const uint32_t users = below(r, 17), first = below(r, 8) == 0 ? 0x84 : 0x48;
    if (first == 0x84) // the merged stage; CLEAR_STATE goes back to VS
        PACKET(r, SET_SH_REG, 0xc8, 0x4000 + below(r, PROGRAMS), 0);
    PACKET(r, SET_SH_REG, 0x48, 0x2000 + below(r, PROGRAMS), below(r, 4), below(r, 12), users << 1);
    for (uint32_t n = 0; n < users; n += 4)
        PACKET(r, SET_SH_REG, 0x4c + n, below(r, 1u << 31), n, below(r, 99), n + 3);
}

static void draw(rings *r)
{
    static const uint8_t types[] = {1, 2, 3, 4, 5, 6, 7, 9, 10, 12, 17, 19, 20, 21, 0};
    if (below(r, 3) == 0)
        PACKET(r, SET_UCONFIG_REG, 0x242, types[below(r, sizeof types)]);
    if (below(r, 6) == 0)
        PACKET(r, NUM_INSTANCES, below(r, 16) == 0 ? 0 : 1 + below(r, 4));
    const uint32_t vertices = below(r, 12) == 0 ? below(r, 4000) : below(r, 300);
    switch (below(r, 3)) {
    case 0: PACKET(r, DRAW_INDEX_AUTO, vertices, 2); break;
    case 1: PACKET(r, DRAW_INDEX_2, 0xffff, 0, 0, vertices, 0); break;
    default: PACKET(r, DRAW_INDEX_OFFSET_2, 0xffff, 0, vertices, 0); break;
    }
}

static void dispatch(rings *r)
{
    PACKET(r, SET_SH_REG, 0x20c, 0x6000 + below(r, PROGRAMS), 0);
    PACKET(r, SET_SH_REG, 0x212, below(r, 8), below(r, 8) << 15 | below(r, 9) << 1);
    PACKET(r, SET_SH_REG, 0x207, 1 + below(r, 130), 1, 1);
    PACKET(r, DISPATCH_DIRECT, 1 + below(r, 5), 1 + below(r, 3), 1, 5);
}

static void fence(rings *r, ring *g, int f)
{
    PACKET(r, RELEASE_MEM, 0x528, 1u << 29, FENCE_AT + 16u * (uint32_t)f, 0, ++g->fences, 0, 0);
}

static void clear(rings *r, ring *g)
{
    PACKET(r, CLEAR_STATE, 0);
    memcpy(g->value, g->table, sizeof g->value);
}

static void batch(rings *r, ring *g, int f)
{
    r->count = 0;
    if (!g->began) {
        clear(r, g);
        shader(r);
        PACKET(r, SET_UCONFIG_REG, 0x242, 4);
    }
    g->began = true;
    while (r->count < BATCH / 2) {
        switch (below(r, 16)) {
        case 0: shader(r); break;
        case 1: fence(r, g, f); break;
        case 2: PACKET(r, NOP, 1, 2, 3, 4, 5); break;
        case 3:
            PACKET(r, EVENT_WRITE,
                   TOTEM_EVENT_INDEX_PARTIAL_FLUSH << 8 |
                       (below(r, 2) ? TOTEM_EVENT_CS_PARTIAL_FLUSH : TOTEM_EVENT_VS_PARTIAL_FLUSH));
            break;
        case 4: dispatch(r); break;
        case 5:
            if (below(r, 8) == 0)
                clear(r, g);
            break;
        case 6:
        case 7:
        case 8:
        case 9: go_to_state(r, g); break;
        default: draw(r); break;
        }
        if (below(r, 12) == 0)
            break;
    }
    fence(r, g, f);
}

static void map(rings *r, ring *g, int f)
{
    host_port     *h    = session_host(r->s);
    const uint64_t at   = session_clock(r->s);
    const uint32_t page = TOTEM_REG_GRAPHICS_BASE + (uint32_t)f * TOTEM_REG_GRAPHICS_STRIDE;
    host_write(h, at, page + 4 * TOTEM_REG_GRAPHICS_GRAPHICS,
               below(r, 2) | (uint32_t)(below(r, 4) != 0) << 1 | (uint32_t)(below(r, 4) != 0) << 2 | below(r, 3) << 4);
    const uint32_t first = below(r, CONTEXT - TABLE);
    host_write(h, at, page + 4 * TOTEM_REG_GRAPHICS_TABLE_INDEX, first);
    for (uint32_t n = first; n < first + TABLE; n++) {
        g->table[n] = below(r, 2) ? 0 : below(r, 1u << 31);
        if (n == 0x2d6) // control points of a patch
            g->table[n] = 3u << 8;
        host_write(h, at, page + 4 * TOTEM_REG_GRAPHICS_TABLE_DATA, g->table[n]);
    }
    const driver_queue q = {
        .pipe = RING_PIPE + (uint32_t)f, .size = g->size, .ring = RING_AT + (uint64_t)f * RING_APART};
    driver_map(h, at, &q);
    g->mapped = true;
}

// Dwords that the ring has not executed.
static uint32_t open_dwords(const rings *r, const ring *g, int f)
{
    return g->written - session_out(r->s)->fe[f].graphics_fetch.rptr[0];
}

static bool give(rings *r, ring *g, int f)
{
    memory        *m    = session_memory(r->s);
    const uint64_t base = RING_AT + (uint64_t)f * RING_APART;
    const uint32_t from = g->written;
    batch(r, g, f);
    for (uint32_t n = 0; n < r->count; n++)
        memory_write32(m, base + 4 * (uint64_t)(g->written++ % g->size), r->words[n]);
    if (!account_stream(session_account(r->s), RING_PIPE + f, 0, m, base, g->size, from, r->count, r->message) ||
        !draws_stream(session_draws(r->s), f, m, base, g->size, from, r->count, r->message))
        return false;
    driver_doorbell(session_host(r->s), session_clock(r->s), RING_PIPE + (uint32_t)f, 0, g->written);
    return true;
}

bool rings_step(rings *r)
{
    const uint64_t clock = session_clock(r->s);
    for (int f = 0; f < RINGS; f++) {
        ring *g = &r->ring[f];
        if (clock < g->next || clock >= r->clocks)
            continue;
        if (!g->mapped) {
            map(r, g, f);
            g->next = clock + 1;
        } else if (!session_out(r->s)->fe[f].graphics_arbiter.active[0])
            g->next = clock + 16; // its table is loaded before
        else if (open_dwords(r, g, f) + BATCH >= g->size)
            g->next = clock + 64;
        else {
            if (!give(r, g, f))
                return false;
            g->next = clock + below(r, below(r, 4) ? 400 : 4000);
        }
    }
    return true;
}

bool rings_done(const rings *r)
{
    for (int f = 0; f < RINGS; f++) {
        const ring *g = &r->ring[f];
        if (g->fences && memory_read32(session_memory(r->s), FENCE_AT + 16u * (uint32_t)f) != g->fences)
            return false;
    }
    return true;
}

bool rings_check(rings *r)
{
    return draws_complete(session_draws(r->s), r->message);
}
#else
bool rings_step(rings *r)
{
    (void)r;
    return true;
}

bool rings_done(const rings *r)
{
    (void)r;
    return true;
}

bool rings_check(rings *r)
{
    (void)r;
    return true;
}
#endif
