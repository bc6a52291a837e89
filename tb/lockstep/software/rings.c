// SPDX-License-Identifier: Apache-2.0
//
// rings: see rings.h.

#include "rings.h"

#include "../../../cmodel/host/totem_regs_map.h"
#include "../../../cmodel/memory/totem_memory_terms.h"
#include "../../../cmodel/packet/totem_pm4.h"
#include "../../../cmodel/queue/totem_hqd_values.h"
#include "../../../cmodel/tool/pm4_decode.h"
#include "driver.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

// Places in memory that the agent leaves alone; dwords of a batch; states in turn, and where they differ.
enum { RING_AT = 0x3000000, RING_APART = 0x10000, FENCE_AT = 0x3800000, OPERAND_AT = 0x3400000, OPERAND = 64 };
enum { OPERANDS = 2048, BATCH = 1024, STATES = 12, DIFFERENT = 24, FLAWS = 64, FLAW = 12 };
enum { CONTEXT = 1024, TABLE = 40, PROGRAMS = 14, GRIDS = 1024, RELEASES = 2048 };
enum { MQD_AT = 0x3a00000, MQD_APART = 0x1000, MQDS = 32 };
enum { ENTRIES = 16, LIGHT = 4, MOST = 4, AREA = 600 }; // of the program table; VGPR blocks of a draw's waves

// What geometry leaves to pixel waves: as after reset, little, nearly everything.
typedef enum { RESERVE_RESET, RESERVE_SMALL, RESERVE_LARGE } reserve_kind;

typedef enum { OUT, COMING, RUNNING, LEAVING } ring_state;

// A malformed packet that stands in the ring, and what becomes of it.
typedef struct {
    uint32_t stand;     // where the ring halts
    uint32_t at, count; // dwords that are not as they should be
    uint32_t bad[FLAW], good[FLAW];
    uint8_t  code;
    uint32_t word;
    bool     skip; // it is passed; else it is repaired
} flaw;

typedef struct {
    uint32_t   size, written;
    uint32_t   fences;              // the last one given; their places are at[]
    uint32_t   fences_at[RELEASES]; // modulo RELEASES
    uint32_t   fences_first;        // the first one behind the last reset
    uint32_t   grids[GRIDS][2];     // first dword of what a dispatch needs, and its own; modulo GRIDS
    uint32_t   grids_count;
    uint32_t   operands;        // given so far
    uint64_t   next;            // clock of the next look
    uint32_t   states;          // how many there are
    uint32_t   value[CONTEXT];  // of the context registers, behind all that was written
    uint32_t   intent[CONTEXT]; // the same, had nothing been passed: what the software takes them for
    uint32_t   table[CONTEXT];  // of CLEAR_STATE
    bool       plain;           // behind all that was written, groups are executed plainly
    ring_state state;
    uint64_t   mqd; // 0: none
    uint32_t   mqds;
    bool       kept;      // its state is in the MQD
    bool       fresh;     // nothing of it goes on: its table may be loaded
    uint32_t   type;      // LEAVING: dequeue request, 0: ACTIVE is cleared
    size_t     access;    // of the host list: what is waited for
    bool       asked;     // ACTIVE is read
    bool       timed_out; // its reset
    uint32_t   rptr;      // OUT: where it goes on
    bool       began, bounces;
    flaw       flaws[FLAWS];
    uint32_t   flaws_count, flaws_seen; // planted, recorded; modulo FLAWS
    bool       standing;                // at the last one that was recorded
    uint64_t   act;                     // clock from which on the host goes on
    uint64_t   issued;                  // draws by then
    bool       faulted, reads;          // a record of memory has come and nobody has gone on since; it was of a read
    bool       lasting;                 // it goes on, and may halt behind its packet: the record was of a fence
    uint64_t   recorded;
    size_t     control; // the last RESUME or SKIP
    bool       resumed; // there is one
} ring;

struct rings {
    session     *s;
    totem_random random;
    tally       *tally;
    uint64_t     clocks;
    uint64_t     errors_seen;
    bool         errors, moves, kills, failures;
    reserve_kind reserve;
    bool         throttled; // the page of controls is written
    uint32_t     patience;
    ring         ring[TOTEM_FE_COUNT];
    uint32_t     words[BATCH];
    uint32_t     count;
    char         message[256];
};

static uint32_t below(rings *r, uint32_t count)
{
    return random_below(&r->random, count);
}

// How programs export, as entries of the table: primitives of a wave, at most 256, times pixels seldom above AREA. The
// last LIGHT of them, of pixel waves, are over soon: a ring shall end all of its pixels with one slot.
static void programs(rings *r)
{
    host_port *h    = session_host(r->s);
    const bool none = below(r, 6) == 0;
    for (uint32_t n = 0; n < ENTRIES; n++) {
        const uint32_t pixels[] = {0, below(r, 4), below(r, 24), below(r, 70)};
        const uint32_t more = below(r, 5), culled = below(r, 2) ? below(r, 256) : 0;
        const uint32_t count = more * (256 - culled) / 4, each = none ? 0 : pixels[below(r, 4)];
        if (!none && below(r, 24) == 0) {
            driver_export(h, 0, n, 1, 255);
            driver_pixels(h, 0, n, below(r, 3000));
        } else {
            driver_export(h, 0, n, more, culled);
            driver_pixels(h, 0, n, count * each > AREA ? AREA / count : each);
        }
    }
    for (uint32_t n = PROGRAMS - LIGHT; n < PROGRAMS; n++) {
        const uint32_t duration = 1 + below(r, below(r, 4) ? 200 : 1000);
        driver_program(h, 0, n, duration, below(r, 2) ? below(r, 8) : 0);
        account_program(session_account(r->s), n, duration);
    }
}

// Pixel waves of MOST blocks of VGPRs and 2 of LDS fit the reserve, geometry waves what it leaves.
static void reserve(rings *r, uint64_t at)
{
    uint32_t slots = 1 + below(r, 4), vgprs = MOST + below(r, 60), lds = 2 + below(r, 252);
    if (r->reserve == RESERVE_LARGE) {
        slots = TOTEM_SLOTS - 1 - below(r, TOTEM_SLOTS / 2);
        vgprs = TOTEM_VGPRS - MOST - below(r, 60);
        lds   = TOTEM_LDS - 1 - below(r, 100);
    }
    if (r->reserve != RESERVE_RESET)
        host_write(session_host(r->s), at, TOTEM_REG_MACHINE_BASE + 4 * TOTEM_REG_MACHINE_PS_RESERVE,
                   slots | vgprs << 8 | lds << 20);
}

// A word for SPI_GS_THROTTLE_CNTL1, mostly with short intervals and few dead cycles.
static uint32_t throttle_word(rings *r)
{
    const uint32_t tenths = below(r, 2) ? below(r, 10) << 12 | below(r, 10) << 16 : 0;
    const uint32_t small  = below(r, 2) | below(r, 3) << 4 | below(r, 3) << 8 | below(r, 2) << 20 | below(r, 3) << 24;
    return tenths | (below(r, 4) ? small | below(r, 3) << 28 : below(r, 4096) | below(r, 4096) << 20);
}

// One for SPI_GS_THROTTLE_CNTL2: without measurement C, which would hide B; with a short threshold, 256 or 512 clocks;
// anything.
static uint32_t lifetime_word(rings *r)
{
    const uint32_t others = below(r, 2) << 16 | below(r, 2) << 14 | (below(r, 2) ? 2 : below(r, 2));
    switch (below(r, 4)) {
    case 0: return below(r, 1u << 15) << 2 | below(r, 3);
    case 1: return others | (1 + below(r, 2)) << 2 | below(r, 64) << 8;
    default: return others;
    }
}

// A register of the page of controls, with a word that the host may write.
static void control(rings *r, uint64_t at, uint32_t which)
{
    host_port     *h    = session_host(r->s);
    const uint32_t page = TOTEM_REG_CONTROLS_BASE, low = 1 + below(r, below(r, 3) ? 4 : 40);
    const uint32_t second = low + 1 + below(r, 3), third = second + 1 + below(r, below(r, 2) ? 3 : 20);
    switch (which) {
    case 0: host_write(h, at, page + 4 * TOTEM_REG_CONTROLS_SPI_GS_THROTTLE_CNTL1, throttle_word(r)); break;
    case 1: host_write(h, at, page + 4 * TOTEM_REG_CONTROLS_SPI_GS_THROTTLE_CNTL2, lifetime_word(r)); break;
    case 2: host_write(h, at, page + 4 * TOTEM_REG_CONTROLS_THROTTLE, below(r, 3) ? 3 : below(r, 8)); break;
    case 3: host_write(h, at, page + 4 * TOTEM_REG_CONTROLS_GS_LIMIT, below(r, 3) ? below(r, 6) : 0); break;
    default: host_write(h, at, page + 4 * TOTEM_REG_CONTROLS_PH_THRESHOLDS, low | second << 8 | third << 16); break;
    }
}

rings *rings_create(session *s, const rings_options *options)
{
    rings *r = calloc(1, sizeof *r);
    if (!r)
        return NULL;
    const uint64_t seed = options->seed;
    r->s                = s;
    r->clocks           = options->clocks;
    r->tally            = options->tally;
    r->random           = (totem_random){.state = seed ^ 0x9e3779b97f4a7c15u};
    r->errors           = random_below(&r->random, 2);
    r->moves            = random_below(&r->random, 2);
    r->kills            = random_below(&r->random, 2);
    r->patience         = (uint32_t)options->patience;
    r->failures         = options->failures;
    if (RINGS)
        host_write(session_host(s), 0, TOTEM_REG_MACHINE_BASE + 4 * TOTEM_REG_MACHINE_HOLD_AFTER_GFX,
                   random_below(&r->random, 3) ? random_below(&r->random, 600) : 0);
    r->reserve   = (reserve_kind)below(r, 3);
    r->throttled = below(r, 2);
    if (RINGS) {
        programs(r);
        reserve(r, 0);
        for (uint32_t n = 0; r->throttled && n < 5; n++)
            control(r, 0, n);
    }
    for (int f = 0; f < RINGS; f++) {
        r->ring[f].size   = 2048u << random_below(&r->random, 2);
        r->ring[f].next   = random_below(&r->random, 2000);
        r->ring[f].fresh  = true;
        r->ring[f].states = 1 + random_below(&r->random, random_below(&r->random, 2) ? 4 : STATES);
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
        h = (h ^ g->intent[n]) * 0x100000001b3u;
    return h;
}

static void set(ring *g, uint32_t index, uint32_t value, bool executed)
{
    g->intent[index] = value;
    if (executed)
        g->value[index] = value;
}

// A place in memory that a packet reads; none is used twice before its packet has been executed.
static uint32_t operand(rings *r, ring *g, const uint32_t *words, uint32_t count)
{
    const int      f  = (int)(g - r->ring);
    const uint32_t at = OPERAND_AT + ((uint32_t)f * OPERANDS + g->operands++ % OPERANDS) * OPERAND;
    for (uint32_t n = 0; n < count; n++)
        memory_write32(session_memory(r->s), at + 4 * n, words[n]);
    return at;
}

// The same for a packet outside a group: where nothing goes wrong, packets in front of it may bring the words there.
static uint32_t brought(rings *r, ring *g, const uint32_t *words, uint32_t count)
{
    if (r->failures || r->count > BATCH / 2 || below(r, 3))
        return operand(r, g, words, count);
    const uint32_t at   = operand(r, g, NULL, 0);
    const uint32_t sync = below(r, 4) == 0 ? 1u << 31 : 0, l2 = below(r, 2) * (3u << 20);
    switch (below(r, 3)) {
    case 0:
        for (uint32_t n = 0; n < count; n++)
            PACKET(r, COPY_DATA, 5 | 2u << 8, words[n], 0, at + 4 * n, 0);
        break;
    case 1: {
        const uint32_t from = operand(r, g, words, count);
        for (uint32_t n = 0; n < count; n += 2) // an upper half behind the words is not looked at
            PACKET(r, COPY_DATA, 2 | 5u << 8 | 1u << 16, from + 4 * n, 0, at + 4 * n, 0);
        break;
    }
    default: PACKET(r, DMA_DATA, sync | l2, operand(r, g, words, count), 0, at, 0, 4 * count); break;
    }
    return at;
}

static void write_context(rings *r, ring *g, uint32_t index, uint32_t value)
{
    const uint32_t pair[] = {index, value};
    set(g, index, value, true);
    switch (below(r, 10)) {
    case 0: PACKET(r, CONTEXT_REG_RMW, index, 0xffffffffu, value); break;
    case 1: PACKET(r, LOAD_CONTEXT_REG, operand(r, g, &value, 1) - 4 * index, 0, index, 1); break;
    case 2: PACKET(r, SET_CONTEXT_REG_PAIRS, index, value); break;
    case 3: PACKET(r, LOAD_CONTEXT_REG_INDEX, operand(r, g, &value, 1), 0, index, 1); break;
    case 4: PACKET(r, LOAD_CONTEXT_REG_INDEX, operand(r, g, pair, 2), 0, 1u << 31, 1); break;
    default: PACKET(r, SET_CONTEXT_REG, index, value); break;
    }
}

// Two of the registers in which states differ, and an empty range between them. The last offset may lack its number.
static void write_ranges(rings *r, ring *g, uint32_t state, uint32_t n)
{
    const uint32_t index = 0x100 + 37 * n % 0x200, first = state * 0x10001 + n % 3,
                   second   = state * 0x10001 + (n + 14) % 3;
    const uint32_t words[]  = {first, 1, 2, 3, 4, 5, second};
    const uint32_t ranges[] = {operand(r, g, words, 7) - 4 * index, 0, index, 1, 0x3ff, 0, index + 6, 1, 5};
    set(g, index, first, true);
    set(g, index + 6, second, true);
    packet(r, TOTEM_OP_LOAD_CONTEXT_REG, ranges, 8 + below(r, 2));
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
        if (n < 10 && 37 * n % 0x200 < 0x1fa && below(r, 24) == 0)
            write_ranges(r, g, state, n);
        else if (g->intent[index] != value || below(r, 8) == 0)
            write_context(r, g, index, value);
    }
    if (g->intent[0x1b6] != (state & 1) << 15 || r->count == begin)
        write_context(r, g, 0x1b6, (state & 1) << 15); // PS_W32_EN
    if (!bounce)
        return;
    const uint64_t hash = hash_of(g);
    r->words[at + 1]    = r->count - begin;
    r->words[at + 2]    = (uint32_t)hash;
    r->words[at + 3]    = (uint32_t)(hash >> 32);
}

// Consecutive shader registers, from the packet or from memory.
static void set_shaders(rings *r, ring *g, uint32_t at, const uint32_t *value, uint32_t count)
{
    uint32_t words[2 * 4 + 1] = {at};
    memcpy(words + 1, value, count * sizeof *value);
    switch (below(r, 8)) {
    case 0: packet(r, TOTEM_OP_SET_SH_REG_INDEX, words, 1 + count); break;
    case 1: PACKET(r, LOAD_SH_REG_INDEX, brought(r, g, value, count), 0, at, count); break;
    case 2:
        for (uint32_t n = 0; n < count; n++) {
            words[2 * n]     = at + n;
            words[2 * n + 1] = value[n];
        }
        PACKET(r, LOAD_SH_REG_INDEX, brought(r, g, words, 2 * count), 0, 1u << 31, count);
        break;
    default: packet(r, TOTEM_OP_SET_SH_REG, words, 1 + count); break;
    }
}

#define SHADERS(r, g, at, ...)                                         \
    do {                                                               \
        const uint32_t value_[] = {__VA_ARGS__};                       \
        set_shaders(r, g, at, value_, sizeof value_ / sizeof *value_); \
    } while (0)

static void user_data(rings *r, ring *g, uint32_t at, uint32_t users)
{
    for (uint32_t n = 0; n < users; n += 4)
        SHADERS(r, g, at + n, below(r, 1u << 31), n, below(r, 99), n + 3);
}

// Programs of geometry: of VS, and of the merged stage, which CLEAR_STATE leaves for VS.
static void shader(rings *r, ring *g)
{
    const uint32_t users = below(r, 17), pixel_users = below(r, below(r, 4) ? 17 : 32), merged = below(r, 6);
    SHADERS(r, g, 0x48, 0x2000 + below(r, PROGRAMS), below(r, 4), below(r, MOST), users << 1);
    user_data(r, g, 0x4c, users);
    if (merged == 0)
        PACKET(r, SET_SH_REG, 0xc8, 0x4000 + below(r, PROGRAMS), 0);
    if (merged == 1) {
        const uint32_t at = below(r, 2) ? 0x84 : 0xc8;
        SHADERS(r, g, at, 0x5000 + below(r, PROGRAMS), below(r, 4));
        PACKET(r, SET_SH_REG, 0x81, below(r, 4) << 14);
        SHADERS(r, g, 0x8a, below(r, MOST), users << 1 | below(r, 2) << 19);
        user_data(r, g, at == 0x84 ? 0xcc : 0x8c, users);
    }
    PACKET(r, SET_SH_REG, 0x07, below(r, 99), 0x3000 + PROGRAMS - LIGHT + below(r, LIGHT), below(r, 4), below(r, MOST),
           pixel_users << 1 | below(r, 3) << 8);
    user_data(r, g, 0x0c, pixel_users);
}

// One draw, or two with their number in memory.
static void indirect(rings *r, ring *g, uint32_t vertices)
{
    const uint32_t words[] = {vertices, 1 + below(r, 2), 0, 0, below(r, 200), 1, 0, 0, below(r, 3)};
    const uint32_t at = brought(r, g, words, 9), base = below(r, at) & ~7u;
    PACKET(r, SET_BASE, 1, base, 0);
    if (below(r, 2))
        PACKET(r, DRAW_INDIRECT, at - base, 0, 0, 2);
    else
        PACKET(r, DRAW_INDEX_INDIRECT_MULTI, at - base, 0, 0, 1u << 30, 2, at + 32, 0, 16, 0);
}

static void draw(rings *r, ring *g)
{
    static const uint8_t types[] = {1, 2, 3, 4, 5, 6, 7, 9, 10, 12, 17, 19, 20, 21, 0};
    if (below(r, 3) == 0)
        PACKET(r, SET_UCONFIG_REG, 0x242, types[below(r, sizeof types)]);
    if (below(r, 6) == 0)
        PACKET(r, NUM_INSTANCES, below(r, 16) == 0 ? 0 : 1 + below(r, 4));
    const uint32_t vertices = below(r, 12) == 0 ? below(r, 4000) : below(r, 300);
    switch (below(r, 4)) {
    case 0: PACKET(r, DRAW_INDEX_AUTO, vertices, 2); break;
    case 1: PACKET(r, DRAW_INDEX_2, 0xffff, 0, 0, vertices, 0); break;
    case 2: indirect(r, g, vertices); break;
    default: PACKET(r, DRAW_INDEX_OFFSET_2, 0xffff, 0, vertices, 0); break;
    }
}

static void shape(rings *r, ring *g)
{
    SHADERS(r, g, 0x20c, 0x6000 + below(r, PROGRAMS), 0);
    SHADERS(r, g, 0x212, below(r, 8), below(r, 8) << 15 | below(r, 9) << 1);
    if (below(r, 4))
        SHADERS(r, g, 0x207, 1 + below(r, 130), 1, 1);
    else {
        PACKET(r, SET_SH_REG, 0x208, 1, 1);
        PACKET(r, COPY_DATA, 5, 1 + below(r, 130), 0, 0x2e07, 0);
    }
}

static void dispatch(rings *r, ring *g)
{
    uint32_t *grid = g->grids[g->grids_count++ % GRIDS];
    grid[0]        = g->written + r->count;
    shape(r, g);
    grid[1] = g->written + r->count;
    PACKET(r, DISPATCH_DIRECT, 1 + below(r, below(r, 3) ? 5 : 60), 1 + below(r, 3), 1, 5);
}

static uint32_t fence_at(int f, uint32_t number)
{
    return FENCE_AT + ((uint32_t)f * RELEASES + number % RELEASES) * 8;
}

static void fence(rings *r, ring *g, int f)
{
    g->fences_at[(g->fences + 1) % RELEASES] = g->written + r->count;
    PACKET(r, RELEASE_MEM, 0x528, 1u << 29, fence_at(f, g->fences + 1), 0, g->fences + 1, 0, 0);
    g->fences++;
}

static void clear(rings *r, ring *g)
{
    PACKET(r, CLEAR_STATE, 0);
    memcpy(g->value, g->table, sizeof g->value);
    memcpy(g->intent, g->table, sizeof g->intent);
    g->plain = false;
}

// A read that decides at once.
static void look(rings *r, ring *g)
{
    const uint32_t zero = 0, seven[2] = {7, 8};
    switch (below(r, 4)) {
    case 3:
        PACKET(r, PRED_EXEC, (below(r, 2) ? 0xff000000u : 0) | 3);
        PACKET(r, DRAW_INDEX_AUTO, below(r, 200), 2);
        break;
    case 0:
        PACKET(r, COND_EXEC, brought(r, g, below(r, 2) ? &zero : seven, 1), 0, 0, 3);
        PACKET(r, DRAW_INDEX_AUTO, below(r, 200), 2);
        break;
    case 1: PACKET(r, WAIT_REG_MEM, below(r, 2) * 0xc0 + 0x13, brought(r, g, seven, 1), 0, 7, 0xff, 16); break;
    default:
        PACKET(r, WAIT_REG_MEM64, below(r, 2) * 0xc0 + 0x13, brought(r, g, seven, 2), 0, 7, 8, 0xff, 0xff, 16);
        break;
    }
}

// Copies that no packet looks at: the clock, registers of the own window or of none, a prefetch.
static void copies(rings *r, ring *g)
{
    const uint32_t f = (uint32_t)(g - r->ring), at = operand(r, g, NULL, 0), window = 0x6000 + 0x400 * f;
    if (r->failures)
        return;
    switch (below(r, 5)) {
    case 0: PACKET(r, COPY_DATA, 9 | 5u << 8 | 1u << 16, 0, 0, at, 0); break;
    case 1: PACKET(r, COPY_DATA, 0 | 5u << 8 | below(r, 2) << 16, window + below(r, 0x3f), 0, at, 0); break;
    case 2: PACKET(r, COPY_DATA, 5, below(r, 16), 0, window + 6, 0); break;
    case 3: PACKET(r, DMA_DATA, 2u << 29 | below(r, 3) << 20, below(r, 99), 0, at, 0, 4 * below(r, 16)); break;
    default: PACKET(r, COPY_DATA, below(r, 2) * 5, 0x9000, 0, 0x9000, 0); break;
    }
}

// ---- malformed packets

#define H(op, body) (3u << 30 | (uint32_t)((body)-1) << 16 | (uint32_t)TOTEM_OP_##op << 8)
#define CODE(name) TOTEM_ERROR_PACKET_##name
#define FILLER 0x80000000u

// What the judges read is what is executed: the repaired words (NULL: fillers), or fillers for the `passed` dwords that
// a SKIP passes and what stands behind them. In memory the malformed words take their place (give).
static flaw *plant(rings *r, ring *g, uint8_t code, uint32_t word, bool skip, uint32_t passed, const uint32_t *bad,
                   const uint32_t *good, uint32_t count)
{
    flaw *b = &g->flaws[g->flaws_count++ % FLAWS];
    *b      = (flaw){.stand = r->count, .at = r->count, .count = count, .code = code, .word = word, .skip = skip};
    for (uint32_t n = 0; n < count; n++) {
        b->bad[n]            = bad[n];
        b->good[n]           = good ? good[n] : FILLER;
        r->words[r->count++] = !skip ? b->good[n] : n < passed ? FILLER : bad[n];
    }
    tally_count2(r->tally, skip ? "ring skips" : "ring repairs", totem_error_name(code));
    return b;
}

#define PLANT(r, g, code, word, skip, bad, good) \
    plant(r, g, CODE(code), word, skip, sizeof(bad) / 4, bad, good, sizeof(bad) / 4)

// Context registers that are not written.
static void offsets(rings *r, ring *g, bool skip)
{
    const uint32_t n = below(r, DIFFERENT), first = 0x100 + 37 * n % 0x200; // one of a state, and one that is the same
    const uint32_t x = below(r, g->states) * 0x10001 + n % 3, y = g->intent[first + 1];
    const uint32_t beyond = 0x3ff + below(r, 2);
    if (below(r, 3) == 0) { // the first pair is written
        const uint32_t bad[]  = {H(SET_CONTEXT_REG_PAIRS, 4), first, x, beyond + 1, y};
        const uint32_t good[] = {bad[0], first, x, first + 1, y};
        flaw          *b      = PLANT(r, g, CONTEXT_OFFSET, beyond + 1, skip, bad, good);
        if (skip) {
            const uint32_t written[] = {H(SET_CONTEXT_REG_PAIRS, 2), first, x, FILLER, FILLER};
            memcpy(r->words + b->at, written, sizeof written);
        }
        set(g, first, x, true);
        set(g, first + 1, y, !skip);
    } else if (below(r, 2)) {
        const uint32_t values[] = {x, y}, at = operand(r, g, values, 2);
        const uint32_t bad[]  = {H(LOAD_CONTEXT_REG, 6), at - 4 * first, 0, 0, 0, beyond, 2};
        const uint32_t good[] = {bad[0], bad[1], 0, 0, 0, first, 2};
        PLANT(r, g, CONTEXT_OFFSET, beyond, skip, bad, good);
        set(g, first, x, !skip);
        set(g, first + 1, y, !skip);
    } else {
        const uint32_t bad[]  = {H(SET_CONTEXT_REG, 3), beyond, x, y};
        const uint32_t good[] = {bad[0], first, x, y};
        PLANT(r, g, CONTEXT_OFFSET, beyond, skip, bad, good);
        set(g, first, x, !skip);
        set(g, first + 1, y, !skip);
    }
    g->plain = g->plain || skip;
}

// Groups: SKIP passes the CONTEXT_BOUNCE alone.
static void groups(rings *r, ring *g, bool skip)
{
    const uint32_t index = 0x100 + 37 * below(r, DIFFERENT) % 0x200, value = below(r, 5), kind = below(r, 5);
    const uint32_t low = below(r, 1u << 31), vertices = below(r, 200), header = H(SET_CONTEXT_REG, 2);
    const uint32_t group[] = {H(CONTEXT_BOUNCE, 3), 3, low, 7, header, index, value};
    uint32_t       bad[7];
    memcpy(bad, group, sizeof bad);
    if (kind < 3) {
        bad[1] = kind == 0 ? 0 : kind == 1 ? 0x3fff : 1 + below(r, 2);
        plant(r, g, CODE(BOUNCE_COUNT), kind < 2 ? bad[1] : header, skip, 4, bad, group, 7);
        set(g, index, value, true);
    } else if (kind == 3) {
        bad[4] = H(DRAW_INDEX_AUTO, 2);
        bad[5] = vertices;
        bad[6] = 2;
        plant(r, g, CODE(BOUNCE_CONTENT), bad[4], skip, 4, bad, group, 7);
        if (!skip)
            set(g, index, value, true);
    } else { // a malformed packet in it: passed too, it halts the ring a second time
        bad[5] = 0x400;
        plant(r, g, CODE(CONTEXT_OFFSET), bad[5], skip, 7, bad, group, 7);
        set(g, index, value, !skip);
        if (skip) {
            flaw *b  = plant(r, g, CODE(CONTEXT_OFFSET), bad[5], true, 0, NULL, NULL, 0);
            b->stand = b->at = r->count - 3;
        }
        g->plain = g->plain || skip;
    }
}

// A draw whose waves are too large for what the reserve leaves, or a pixel wave for the reserve.
static void oversize(rings *r, ring *g, bool skip)
{
    const bool     geometry = r->reserve == RESERVE_LARGE;
    const bool     lds      = r->reserve == RESERVE_SMALL && below(r, 2);
    const uint32_t at       = geometry ? 0x8a : lds ? 0x0b : 0x0a;
    const uint32_t bad[]    = {H(DRAW_INDEX_AUTO, 2), 1 + below(r, 99), 2};
    const uint32_t good[]   = {H(SET_SH_REG, 2), at, 2};
    if (r->reserve == RESERVE_RESET)
        return;
    PACKET(r, NUM_INSTANCES, 1);
    if (geometry)
        PACKET(r, SET_SH_REG, 0x8a, 63, 0);
    else
        PACKET(r, SET_SH_REG, 0x0a, lds ? 2 : 63, lds ? 255u << 8 : 1u << 8);
    const uint32_t word = geometry ? 64 : 1u << 31 | (lds ? 255u << 16 | 3 : 1u << 16 | 64);
    PLANT(r, g, DRAW_STATE, word, skip, bad, good);
    PACKET(r, SET_SH_REG, at, 1);
}

static void spoil(rings *r, ring *g)
{
    static const uint32_t forms[] = {H(DRAW_INDEX_AUTO, 3),  H(DISPATCH_DIRECT, 3), H(RELEASE_MEM, 6),
                                     H(CONTEXT_REG_RMW, 2),  H(CLEAR_STATE, 2),     H(NUM_INSTANCES, 2),
                                     H(LOAD_CONTEXT_REG, 3), H(CONTEXT_BOUNCE, 2)};
    const bool            skip    = below(r, 2);
    if (g->flaws_count - g->flaws_seen >= FLAWS - 2)
        return;
    switch (below(r, 14)) {
    case 0: {
        const uint32_t bad[] = {below(r, 2) ? 0x1034u : 1u << 30};
        PLANT(r, g, HEADER_TYPE, bad[0], skip, bad, NULL);
        break;
    }
    case 1: {
        const uint32_t bad[] = {3u << 30 | 2u << 8};
        PLANT(r, g, OPCODE, bad[0], skip, bad, NULL);
        break;
    }
    case 2: {
        const uint32_t bad[] = {H(NOP, 5000)};
        PLANT(r, g, COUNT_PAST_WPTR, bad[0], false, bad, NULL);
        break;
    }
    case 3: {
        const uint32_t n         = below(r, sizeof forms / sizeof *forms);
        uint32_t       bad[FLAW] = {forms[n]};
        plant(r, g, CODE(COUNT_FORM), bad[0], skip, FLAW, bad, NULL, (bad[0] >> 16 & 0x3fff) + 2);
        g->plain = g->plain || (skip && (n == 3 || n == 4 || n == 6));
        break;
    }
    case 4: {
        const uint32_t bad[] = {H(CLEAR_STATE, 1), 1 + below(r, 15)}, good[] = {bad[0], 0};
        PLANT(r, g, CLEAR_COMMAND, bad[1], skip, bad, good);
        memcpy(g->intent, g->table, sizeof g->intent);
        if (!skip)
            memcpy(g->value, g->table, sizeof g->value);
        g->plain = skip;
        break;
    }
    case 5: {
        const uint32_t bad[] = {H(SET_UCONFIG_REG, 2), 0x4000 + below(r, 9), 1}, good[] = {bad[0], 0x242, 2};
        PLANT(r, g, CONTEXT_OFFSET, bad[1], skip, bad, good);
        break;
    }
    case 6: {
        const uint32_t bad[]  = {H(SET_SH_REG, 3), 0x3ff, 1, 2};
        const uint32_t good[] = {bad[0], 0x4c + below(r, 16), below(r, 99), 2};
        PLANT(r, g, SH_OFFSET, bad[1], skip, bad, good);
        break;
    }
    case 7: {
        uint32_t *grid = g->grids[g->grids_count++ % GRIDS];
        grid[0]        = g->written + r->count;
        shape(r, g);
        grid[1]               = g->written + r->count;
        const uint32_t bad[]  = {H(DISPATCH_DIRECT, 4), 1, 0x10000 + below(r, 9), 1, 5};
        const uint32_t good[] = {bad[0], 1 + below(r, 4), 2, 1, 5};
        PLANT(r, g, GRID_RANGE, bad[2], skip, bad, good);
        break;
    }
    case 8:
    case 9: offsets(r, g, skip); break;
    case 10:
    case 11: oversize(r, g, skip); break;
    default:
        // A mapping makes groups plain, whose errors are then none.
        if (g->bounces && !g->plain && !r->moves)
            groups(r, g, skip);
        break;
    }
}

static uint64_t ring_dword(const rings *r, const ring *g, uint32_t position)
{
    return RING_AT + (uint64_t)(g - r->ring) * RING_APART + 4 * (uint64_t)(position % g->size);
}

// Batch positions become those of the ring, and the malformed words stand there.
static void put_flaws(rings *r, ring *g, uint32_t first, uint32_t from)
{
    for (uint32_t n = first; n != g->flaws_count; n++) {
        flaw *b = &g->flaws[n % FLAWS];
        b->stand += from;
        b->at += from;
        for (uint32_t k = 0; k < b->count; k++)
            memory_write32(session_memory(r->s), ring_dword(r, g, b->at + k), b->bad[k]);
    }
}

static bool strange(rings *r, const session_error *e, const char *what)
{
    const char *name = totem_error_name(e->code);
    snprintf(r->message, sizeof r->message, "ring %d: %s: %s at 0x%llx word 0x%x", e->pipe - RING_PIPE, what,
             name ? name : "?", (unsigned long long)e->address, e->word);
    return false;
}

// A record of memory: of a fault that it drew at this place, or that a late answer before it has brought about.
static bool fault_record(rings *r, ring *g, const session_error *e)
{
    const int       f     = e->pipe - RING_PIPE;
    const bool      write = (e->code & 31) > 4, line = e->address < OPERAND_AT;
    const uint32_t  kind = (uint32_t)((e->code & 31) - (write ? 5 : 1)) + (write ? MEMORY_WRITE_SLVERR : 0);
    const bool      late = (e->code & 31) % 4 == 3;
    size_t          count;
    memory_failure *list = memory_failures(session_memory(r->s), &count), *found = NULL, *cause = NULL;
    for (size_t n = count; n-- > 0 && !found;) {
        memory_failure *m = &list[n];
        if (m->fe != f || m->kind != kind)
            continue;
        if (late && (rings_own(m->address) || (write && m->id >= TOTEM_MEMORY_FENCE_ID)))
            cause = m;
        if (rings_own(m->address) && !m->told &&
            (line ? m->address == (e->address & ~(uint64_t)7)
                  : m->address <= e->address && e->address < m->address + m->bytes))
            found = m;
    }
    if (!found && !cause)
        return strange(r, e, "a record of a fault that never was");
    if (e->word != (uint32_t)e->address)
        return strange(r, e, "the word of the record is not its address");
    if (found)
        found->told = true;
    else if (write)
        draws_forget(session_draws(r->s), f, e->address);
    tally_count2(r->tally, "ring fault", !found ? "behind a late one" : write ? "fence" : line ? "line" : "operand");
    // The second of two draws is not known: its packet comes again, and the first draw with it.
    const uint32_t at     = session_out(r->s)->fe[f].graphics_pipe.front.fetch.rptr[0];
    const uint32_t header = memory_read32(session_memory(r->s), ring_dword(r, g, at));
    if (!write && !line && (header >> 8 & 0xff) == TOTEM_OP_DRAW_INDEX_INDIRECT_MULTI && (e->address & 63) >= 16 &&
        (e->address & 63) < 24) {
        const uint32_t first = (uint32_t)e->address & ~63u;
        if (memory_read32(session_memory(r->s), first) && memory_read32(session_memory(r->s), first + 4))
            draws_repeat(session_draws(r->s), f);
    }
    g->faulted  = true;
    g->reads    = !write;
    g->recorded = session_clock(r->s);
    return true;
}

// A packet that may be passed: judges and software take it for nothing, or for what its group gives without it.
static bool harmless(const rings *r, const ring *g, uint32_t rptr)
{
    const uint32_t header = memory_read32(session_memory(r->s), ring_dword(r, g, rptr)), op = header >> 8 & 0xff;
    if (rptr == g->written || !host_done(session_host(r->s)) ||
        (g->flaws_seen != g->flaws_count && g->flaws[g->flaws_seen % FLAWS].stand == rptr))
        return false;
    return header >> 30 == 2 || op == TOTEM_OP_NOP || op == TOTEM_OP_WAIT_REG_MEM || op == TOTEM_OP_CONTEXT_BOUNCE;
}

// Each record is that of the next flaw, and the ring stands there; or of a fault of memory.
static bool records(rings *r)
{
    for (const uint64_t count = session_count(r->s).errors; r->errors_seen < count; r->errors_seen++) {
        const session_error *e = session_error_at(r->s, r->errors_seen);
        if (e->pipe < RING_PIPE)
            continue;
        const int   f = e->pipe - RING_PIPE;
        ring       *g = &r->ring[f];
        const flaw *b = &g->flaws[g->flaws_seen % FLAWS];
        if (e->code == TOTEM_ERROR_HOST_DEQUEUE_TIMEOUT) {
            if (g->state != LEAVING || g->type != 2 || g->timed_out || !r->patience || e->address ||
                e->word >> 8 != draws_lost(session_draws(r->s), f))
                return strange(r, e, "a time-out that nobody expects");
            g->timed_out = true;
            continue;
        }
        g->act    = session_clock(r->s) + below(r, 4) * below(r, 300);
        g->issued = draws_issued(session_draws(r->s), f);
        if (e->code >> 5 == 3) {
            if (!fault_record(r, g, e))
                return false;
            continue;
        }
        if (g->flaws_seen == g->flaws_count || g->standing)
            return strange(r, e, "a record that nobody expects");
        if (b->code != e->code || b->word != e->word || e->address != ring_dword(r, g, b->stand))
            return strange(r, e, "a record of something else than is planted");
        if (session_out(r->s)->fe[f].graphics_pipe.front.fetch.rptr[0] != b->stand)
            return strange(r, e, "the ring does not stand at its packet");
        g->flaws_seen++;
        g->standing = true;
    }
    return true;
}

// A ring that stands goes on by RESUME or SKIP.
static bool recover(rings *r, ring *g, int f)
{
    const totem_fe_out *o    = &session_out(r->s)->fe[f];
    const flaw         *b    = &g->flaws[(g->flaws_seen - 1) % FLAWS];
    const uint32_t      rptr = o->graphics_pipe.front.fetch.rptr[0];
    const bool stands = o->graphics_pipe.front.execute.halted[0] && !o->graphics_pipe.front.arbiter.selected_valid;
    if ((g->standing && rptr != b->stand) ||
        ((g->standing || g->reads) && draws_issued(session_draws(r->s), f) != g->issued) ||
        (g->faulted && g->reads && !stands && session_clock(r->s) > g->recorded + 64)) {
        snprintf(r->message, sizeof r->message, "ring %d: it has a record at dword 0x%x, and goes on", f, rptr);
        return false;
    }
    if (!stands && g->faulted && session_clock(r->s) > g->recorded + 64) { // or it is of an earlier mapping
        g->faulted = false;
        g->lasting = true;
    }
    if (session_clock(r->s) < g->act || !stands || (g->resumed && !session_host(r->s)->list[g->control].done))
        return true;
    bool skip = b->skip;
    if (g->standing)
        for (uint32_t n = 0; !skip && n < b->count; n++)
            memory_write32(session_memory(r->s), ring_dword(r, g, b->at + n), b->good[n]);
    else if (!g->flaws_seen || !skip || b->stand != rptr) // else what was to be passed is not
        skip = below(r, 2) && harmless(r, g, rptr);
    if (!g->standing)
        tally_count(r->tally, skip ? "ring.skipped at a fault" : "ring.resumed at a fault");
    g->control  = host_write(session_host(r->s), session_clock(r->s),
                             driver_window(RING_PIPE + (uint32_t)f, 0, TOTEM_REG_QUEUE_CONTROL), skip ? 2 : 1);
    g->resumed  = true;
    g->standing = g->faulted = g->reads = g->lasting = false;
    return true;
}

// ---- batches

static void batch(rings *r, ring *g, int f)
{
    r->count = 0;
    if (!g->began) {
        clear(r, g);
        shader(r, g);
        PACKET(r, SET_UCONFIG_REG, 0x242, 4);
        PACKET(r, NUM_INSTANCES, 1);
    }
    g->began = true;
    while (r->count < BATCH / 2) {
        if (r->errors && below(r, 12) == 0)
            spoil(r, g);
        switch (below(r, 18)) {
        case 0: shader(r, g); break;
        case 1: fence(r, g, f); break;
        case 2:
            if (below(r, 2))
                copies(r, g);
            else
                PACKET(r, NOP, 1, 2, 3, 4, 5);
            break;
        case 3:
            PACKET(r, EVENT_WRITE,
                   TOTEM_EVENT_INDEX_PARTIAL_FLUSH << 8 | (below(r, 2)   ? TOTEM_EVENT_CS_PARTIAL_FLUSH
                                                           : below(r, 2) ? TOTEM_EVENT_VS_PARTIAL_FLUSH
                                                                         : TOTEM_EVENT_PS_PARTIAL_FLUSH));
            break;
        case 4: dispatch(r, g); break;
        case 5:
            if (below(r, g->plain ? 3 : 8) == 0)
                clear(r, g);
            break;
        case 6:
        case 7:
        case 8:
        case 9: go_to_state(r, g); break;
        case 10: look(r, g); break;
        case 11:
            if (r->throttled && below(r, 2))
                PACKET(r, SET_UCONFIG_REG, 0x444 + below(r, 2), below(r, 2) ? throttle_word(r) : below(r, 1u << 31));
            break;
        default: draw(r, g); break;
        }
        if (below(r, 24) == 0)
            break;
    }
    fence(r, g, f);
}

// ---- mappings

// What a new life of the ring begins with: options that change nothing in packets that are given, and a table.
static void set_page(rings *r, ring *g, int f)
{
    host_port     *h    = session_host(r->s);
    const uint64_t at   = session_clock(r->s);
    const uint32_t page = TOTEM_REG_GRAPHICS_BASE + (uint32_t)f * TOTEM_REG_GRAPHICS_STRIDE;
    if (g->flaws_seen == g->flaws_count)
        g->bounces = below(r, 4) != 0;
    host_write(h, at, page + 4 * TOTEM_REG_GRAPHICS_GRAPHICS,
               below(r, 2) | (uint32_t)g->bounces << 1 | (uint32_t)(below(r, 4) != 0) << 2 | below(r, 3) << 4);
    if (!g->fresh)
        return;
    const uint32_t first = below(r, CONTEXT - TABLE);
    host_write(h, at, page + 4 * TOTEM_REG_GRAPHICS_TABLE_INDEX, first);
    for (uint32_t n = first; n < first + TABLE; n++) {
        g->table[n] = below(r, 2) ? 0 : below(r, 1u << 31);
        if (n == 0x2d6) // control points of a patch
            g->table[n] = 3u << 8;
        host_write(h, at, page + 4 * TOTEM_REG_GRAPHICS_TABLE_DATA, g->table[n]);
    }
}

static void map(rings *r, ring *g, int f)
{
    enum { DOORBELL = DRIVER_WINDOW + TOTEM_REG_QUEUE_CP_HQD_PQ_DOORBELL_CONTROL };
    host_port     *h  = session_host(r->s);
    memory        *m  = session_memory(r->s);
    const uint64_t at = session_clock(r->s);
    set_page(r, g, f);
    g->fresh = false;
    g->plain = true;
    g->state = COMING;
    tally_count(r->tally, g->kept ? "ring.mapped from its MQD" : "ring.mapped");
    if (!g->kept) {
        g->mqd = below(r, 2) && !r->failures ? MQD_AT + ((uint64_t)f * MQDS + g->mqds++ % MQDS) * MQD_APART : 0;
        uint32_t           image[DRIVER_MQD];
        const driver_queue q = {.pipe = RING_PIPE + (uint32_t)f,
                                .size = g->size,
                                .ring = RING_AT + (uint64_t)f * RING_APART,
                                .mqd  = g->mqd,
                                .rptr = g->rptr};
        if (!g->mqd) {
            driver_map(h, at, &q);
            return;
        }
        driver_image(&q, below(r, 2), image);
        for (uint32_t n = 0; n < DRIVER_MQD; n++)
            memory_write32(m, g->mqd + 4 * (uint64_t)n, image[n]);
    }
    memory_write32(m, g->mqd + 4 * DOORBELL, memory_read32(m, g->mqd + 4 * DOORBELL) | 1u << 30);
    driver_map_mqd(h, at, RING_PIPE + (uint32_t)f, 0, g->mqd);
}

static void leave(rings *r, ring *g, int f, uint32_t type)
{
    static const char *const names[] = {"ACTIVE cleared", "drained", "reset", "drained (3)", "left"};
    tally_count2(r->tally, "ring", names[type]);
    if (type == 2) {
        account_kill(session_account(r->s), RING_PIPE + f, 0, true);
        draws_kill(session_draws(r->s), f, true);
    }
    g->type  = type;
    g->state = LEAVING;
    g->asked = g->timed_out = false;
    g->access               = host_write(session_host(r->s), session_clock(r->s),
                                         driver_window(RING_PIPE + (uint32_t)f, 0,
                                         type ? TOTEM_REG_QUEUE_CP_HQD_DEQUEUE_REQUEST : TOTEM_REG_QUEUE_CP_HQD_ACTIVE),
                                         type);
}

// It has left. A reset ends it: it begins anew behind all that was given. Else it goes on, by its MQD or where it is;
// the registers of a dispatch are lost without an MQD, so they are written again.
static void left(rings *r, ring *g, int f)
{
    account *a = session_account(r->s);
    g->rptr    = session_out(r->s)->fe[f].graphics_pipe.front.fetch.rptr[0];
    g->state   = OUT;
    g->kept    = false;
    // What halted it, or was to be passed and is not, halts it again.
    flaw *b = &g->flaws[(g->flaws_seen - 1) % FLAWS];
    if (g->standing && !b->skip)
        for (uint32_t n = 0; n < b->count; n++)
            memory_write32(session_memory(r->s), ring_dword(r, g, b->at + n), b->good[n]);
    g->standing = g->faulted = g->reads = g->lasting = false;
    if (g->flaws_seen && b->skip && b->stand == g->rptr)
        g->flaws_seen--;
    uint32_t executed = g->fences;
    while (executed > g->fences_first && (int32_t)(g->fences_at[executed % RELEASES] - g->rptr) >= 0)
        executed--;
    if (g->type == 2) {
        account_kill(a, RING_PIPE + f, 0, false);
        draws_kill(session_draws(r->s), f, false);
        account_drop(a, RING_PIPE + f, 0);
        draws_drop(session_draws(r->s), f);
        g->flaws_seen   = g->flaws_count;
        g->fences_first = g->fences;
        g->rptr         = g->written;
        g->fresh        = true;
        g->began        = false;
        return;
    }
    g->kept = g->mqd && g->type;
    for (uint32_t n = g->grids_count > GRIDS ? g->grids_count - GRIDS : 0; !g->kept && n < g->grids_count; n++) {
        const uint32_t *grid = g->grids[n % GRIDS];
        if (g->rptr - grid[0] > grid[1] - grid[0])
            continue;
        if (g->rptr == grid[1] && account_begun(a, RING_PIPE + f, 0)) {
            tally_count(r->tally, "ring.grid begun anew");
            account_restart(a, RING_PIPE + f, 0);
        }
        g->rptr = grid[0];
        break;
    }
    account_resume(a, RING_PIPE + f, executed);
}

// Whether the ring has left; ACTIVE is read until it has.
static void depart(rings *r, ring *g, int f)
{
    const host_access *access = &session_host(r->s)->list[g->access];
    if (!access->done)
        return;
    if (g->asked && !(access->data & 1) &&
        session_out(r->s)->fe[f].graphics_pipe.front.hqd.request[0] == REQUEST_NONE) {
        left(r, g, f);
        return;
    }
    g->asked  = true;
    g->access = host_read(session_host(r->s), session_clock(r->s),
                          driver_window(RING_PIPE + (uint32_t)f, 0, TOTEM_REG_QUEUE_CP_HQD_ACTIVE));
}

static void tell(rings *r, const ring *g, int f)
{
    driver_doorbell(session_host(r->s), session_clock(r->s), RING_PIPE + (uint32_t)f, 0, g->written);
}

// Dwords that the ring has not executed.
static uint32_t open_dwords(const rings *r, const ring *g, int f)
{
    return g->written - session_out(r->s)->fe[f].graphics_pipe.front.fetch.rptr[0];
}

static bool give(rings *r, ring *g, int f)
{
    memory        *m    = session_memory(r->s);
    const uint64_t base = RING_AT + (uint64_t)f * RING_APART;
    const uint32_t from = g->written, first = g->flaws_count;
    batch(r, g, f);
    for (uint32_t n = 0; n < r->count; n++)
        memory_write32(m, base + 4 * (uint64_t)(g->written++ % g->size), r->words[n]);
    if (!account_stream(session_account(r->s), RING_PIPE + f, 0, m, base, g->size, from, r->count, r->message) ||
        !draws_stream(session_draws(r->s), f, m, base, g->size, from, r->count, r->message))
        return false;
    put_flaws(r, g, first, from);
    tell(r, g, f);
    return true;
}

static bool all_out(const rings *r)
{
    for (int f = 0; f < RINGS; f++)
        if (r->ring[f].state != OUT)
            return false;
    return true;
}

// What the host does with a ring next.
static bool act(rings *r, ring *g, int f)
{
    const totem_fe_out *o     = &session_out(r->s)->fe[f];
    const uint64_t      clock = session_clock(r->s);
    g->next                   = clock + 16;
    switch (g->state) {
    case OUT:
        if (all_out(r) && session_out(r->s)->rings_idle.all && below(r, 2))
            reserve(r, clock);
        if (o->graphics_pipe.front.slot_idle.spare[0])
            map(r, g, f);
        return true;
    case COMING:
        if (!o->graphics_pipe.front.arbiter.active[0])
            return true;
        g->state = RUNNING;
        tell(r, g, f);
        return true;
    case LEAVING: depart(r, g, f); return true;
    default: break;
    }
    if (clock >= r->clocks)
        return true;
    if (r->throttled && below(r, 6) == 0)
        control(r, clock, below(r, 5));
    if (below(r, 8) == 0)
        host_write(session_host(r->s), clock,
                   TOTEM_REG_GRAPHICS_BASE + (uint32_t)f * TOTEM_REG_GRAPHICS_STRIDE +
                       4 * TOTEM_REG_GRAPHICS_BOUNCE_FLUSH,
                   below(r, 2));
    if ((r->moves || r->kills) && below(r, 5) == 0) {
        static const uint32_t types[] = {0, 0, 1, 3, 4, 4};
        leave(r, g, f, r->kills && (!r->moves || below(r, 3) == 0) ? 2 : types[below(r, 6)]);
        return true;
    }
    if (open_dwords(r, g, f) + BATCH >= g->size)
        g->next = clock + 64;
    else {
        if (!give(r, g, f))
            return false;
        g->next = clock + below(r, below(r, 4) ? 400 : 4000);
    }
    return true;
}

bool rings_step(rings *r)
{
    const uint64_t clock = session_clock(r->s);
    if (!records(r))
        return false;
    for (int f = 0; f < RINGS; f++) {
        ring      *g      = &r->ring[f];
        const bool halted = g->lasting && session_out(r->s)->fe[f].graphics_pipe.front.execute.halted[0];
        if ((g->standing || g->faulted || halted) && g->state == RUNNING && !recover(r, g, f))
            return false;
        if (clock >= g->next && !act(r, g, f))
            return false;
    }
    return true;
}

bool rings_done(const rings *r)
{
    for (int f = 0; f < RINGS; f++) {
        const ring *g = &r->ring[f];
        if (g->state != RUNNING || g->standing || g->faulted || g->flaws_seen != g->flaws_count ||
            open_dwords(r, g, f) || draws_owed(session_draws(r->s), f))
            return false;
    }
    return true;
}

bool rings_check(rings *r)
{
    size_t                count;
    const memory_failure *list = memory_failures(session_memory(r->s), &count);
    for (size_t n = 0; n < count; n++)
        if (rings_own(list[n].address) && !list[n].told && list[n].kind >= MEMORY_WRITE_SLVERR) {
            snprintf(r->message, sizeof r->message, "the fault of a fence of ring %d at 0x%llx has no record",
                     list[n].fe, (unsigned long long)list[n].address);
            return false;
        }
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
