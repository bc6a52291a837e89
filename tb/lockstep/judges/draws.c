// SPDX-License-Identifier: Apache-2.0
//
// draws: see draws.h. Packets are cut, and values given to registers, by cmodel/tool/pm4_decode; what a draw means is
// read here from docs/graphics.md, not from the model.

#include "draws.h"
#include "address.h"
#include "pixels.h"
#include "ring.h"
#include "tags.h"
#include "written.h"

#include "../../../cmodel/graphics/totem_draws_values.h"
#include "../../../cmodel/graphics/totem_graphics_values.h"
#include "../../../cmodel/packet/totem_pm4.h"
#include "../../../cmodel/queue/totem_hqd_values.h"
#include "../../../cmodel/tool/pm4_decode.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#if TOTEM_GRAPHICS

enum {
    CONTEXT   = 0xa000,
    SHADER    = 0x2c00,
    USER      = 0xc000,
    PRIMITIVE = 0x242,
    INSTANCES = 0x24d,
    THROTTLE  = USER + TOTEM_UCONFIG_SPI_GS_THROTTLE_CNTL1
};
enum {
    REGISTERS = 1024,
    SHADERS   = 512,
    WORDS     = 18,
    PACKET    = 0x4001,
    CREDIT    = 8,
    DEPTH     = 64,
    LATE      = 2,   // waves on their way to the bus
    SOON      = 256, // clocks until context has heard of the end of a dispatch
    ROWS      = TOTEM_REGISTERS / TOTEM_BANKS
};
enum { GEOMETRY = 1, PIXELS = 2, NOBODY = -1 };

// Context registers that a stream has written so far.
typedef struct {
    uint32_t context[REGISTERS];
    bool     known[REGISTERS];
} values;

// All that it has written.
typedef struct {
    uint32_t shader[SHADERS];
    bool     given[SHADERS];
    values   v;
    uint32_t primitive, instances;
    uint64_t base; // of indirect draws
} registers;

typedef struct {
    registers r;
    uint32_t  vertices;
    size_t    flushed; // draws before the last flush before it
    bool      issued;
    bool      killed;  // by a dequeue request 2
    bool      stopped; // and no more waves than last_sent are sent
    uint64_t  last_sent;
    bool      told; // context has been told its end
    // From its issue on.
    uint32_t set, epoch, wave_size, vgprs, lds, per_instance, last; // waves of an instance; primitives of the last one
    bool     hp3d, throttle_given;
    uint32_t throttle; // enables of throttling
    uint64_t program, program_given, digest, waves;
    uint64_t word[WORDS], word_given[WORDS];
    uint32_t words;
    uint64_t sent, granted, launched, ended;

    pixel_draw pixels;
} draw;

// A RELEASE_MEM: `before` it these draws are given; of them it waits for those from `own` on, of its mapping.
typedef struct {
    uint64_t address;
    uint32_t data;
    size_t   own, before;
    uint32_t mapping;
    bool     executed;
    bool     seen; // written, abandoned, or it writes nothing that is known
} release;

// A word for a register of throttling, behind `before` draws.
typedef struct {
    size_t   before;
    bool     second; // CNTL2, else CNTL1
    uint32_t data;
    bool     either; // the ring's generation has changed about here: it was taken or not
} control;

typedef struct {
    size_t   draw;
    uint64_t number;
} wave;

typedef struct {
    wave   list[DEPTH];
    size_t first, count;
} fifo;

// Waves of a ring at an engine.
typedef struct {
    fifo     sent, granted;
    uint64_t words[TOTEM_DRAW_STATES * 32]; // state words as geometry writes them
} station;

typedef struct {
    registers now; // behind all that was read
    uint32_t  table[REGISTERS];
    bool      loaded[REGISTERS]; // into the table
    draw    **list;
    uint32_t  die; // number of this die
    size_t    count, room, issued, flushed;
    size_t    complete; // before it all have ended
    release  *releases;
    size_t    releases_count, releases_room, released; // of these, executed
    control  *controls;
    size_t    controls_count, controls_room, controlled; // of these, taken
    uint32_t  generation;                                // one clock ago
    // Context registers as each dispatch finds them; of these, executed to the end.
    values  *dispatches;
    size_t   dispatches_count, dispatches_room, dispatched;
    size_t   own;     // draws issued before the present mapping
    uint32_t mapping; // mappings so far
    uint32_t lost;    // fences that the last abandonment has ended
    bool     killing;
    size_t   under_way;                 // the draw of the last header
    size_t   headers;                   // sent so far: draws
    bool     stated[TOTEM_DRAW_STATES]; // the draw state has had a draw
    uint32_t turn;                      // engine of the next wave
    uint32_t state_draw[TOTEM_DRAW_STATES];
    uint32_t uses[TOTEM_SETS];    // of each set: draws, as context has heard of their ends
    int      ending;              // set of the draw that ended in the clock before, NOBODY none
    uint32_t running[TOTEM_SETS]; // waves of dispatches, granted and not ended
    uint32_t idle[TOTEM_SETS];    // clocks for which no dispatch has had anything there, and context counts one
    uint8_t  dispatch_set;        // that of the last dispatch
    bool     copying;
    uint8_t  copy_target;
    tags     tags;
    station  station[TOTEM_SE_COUNT];
} ring;

typedef struct {
    int  ring; // NOBODY: none of graphics
    wave wave;
    int  group_ring, group_set; // of a wave of a dispatch; NOBODY: it is none
} slot;

struct draws {
    pixels    *pixels;
    ring       rings[TOTEM_FE_COUNT];
    slot       slots[TOTEM_SE_COUNT][TOTEM_SLOTS];
    bool       asked[TOTEM_SE_COUNT]; // in the clock before: a geometry wave was on offer, and this word asked for
    uint8_t    asked_index[TOTEM_SE_COUNT], asked_fe[TOTEM_SE_COUNT], asked_state[TOTEM_SE_COUNT];
    draws_sums sums;
};

draws *draws_create(void)
{
    draws *d = calloc(1, sizeof *d);
    if (d && !(d->pixels = pixels_create())) {
        free(d);
        return NULL;
    }
    for (int e = 0; d && e < TOTEM_SE_COUNT; e++)
        for (int n = 0; n < TOTEM_SLOTS; n++)
            d->slots[e][n].ring = d->slots[e][n].group_ring = NOBODY;
    for (int f = 0; d && f < TOTEM_FE_COUNT; f++) {
        d->rings[f].now.instances = 1;
        d->rings[f].ending        = NOBODY;
    }
    return d;
}

void draws_destroy(draws *d)
{
    for (int f = 0; d && f < TOTEM_FE_COUNT; f++) {
        for (size_t n = 0; n < d->rings[f].count; n++)
            free(d->rings[f].list[n]);
        free(d->rings[f].list);
        free(d->rings[f].releases);
        tags_end(&d->rings[f].tags);
        free(d->rings[f].dispatches);
        free(d->rings[f].controls);
    }
    if (d)
        pixels_destroy(d->pixels);
    free(d);
}

// ---- the stream

typedef struct {
    const memory *memory;
    written      *own; // by its packets
    uint64_t      base;
    uint32_t      wrap; // ring: size - 1; indirect buffer: all ones
    uint32_t      from, dwords;
} source;

static uint32_t read(const source *s, uint64_t address)
{
    return written_read(s->own, s->memory, address);
}

static uint32_t word(const source *s, uint32_t at)
{
    return memory_read32(s->memory, s->base + 4 * (uint64_t)((s->from + at) & s->wrap));
}

static void *longer(void *list, size_t count, size_t *room, size_t size)
{
    if (count < *room)
        return list;
    *room        = *room ? 2 * *room : 16;
    void *larger = realloc(list, *room * size);
    if (!larger)
        abort();
    return larger;
}

static void add(ring *g, uint32_t vertices, uint32_t instances)
{
    if (!vertices || !instances)
        return;
    draw *d = calloc(1, sizeof *d);
    if (!d)
        abort();
    d->r           = g->now;
    d->r.instances = instances;
    d->vertices    = vertices;
    d->flushed     = g->flushed;
    g->list        = longer(g->list, g->count, &g->room, sizeof(draw *));

    g->list[g->count++] = d;
}

// The packet gives this register a value.
static void give(registers *r, uint32_t address, uint32_t value)
{
    if (address >= CONTEXT && address < CONTEXT + REGISTERS) {
        r->v.context[address - CONTEXT] = value;
        r->v.known[address - CONTEXT]   = true;
    } else if (address >= SHADER && address < SHADER + SHADERS) {
        r->shader[address - SHADER] = value;
        r->given[address - SHADER]  = true;
    } else if (address == USER + PRIMITIVE)
        r->primitive = value & 0x3f;
    else if (address == USER + INSTANCES)
        r->instances = value;
}

// Registers of a window, whose values stand one behind the other, or each behind its offset.
static void load(registers *r, const source *s, const uint32_t *w, uint32_t window)
{
    const bool     pairs = w[3] >> 31 != 0;
    const uint64_t from  = packet_address(w[1], w[2]);
    for (uint32_t n = 0; n < (w[4] & 0x3fff); n++)
        if (pairs)
            give(r, window + (read(s, from + 8 * (uint64_t)n) & 0xffff), read(s, from + 8 * (uint64_t)n + 4));
        else
            give(r, window + (w[3] & 0xffff) + n, read(s, from + 4 * (uint64_t)n));
}

// Ranges of context registers: a value lies in memory where its register lies in the window.
static void load_ranges(registers *r, const source *s, const uint32_t *w, size_t dwords)
{
    for (size_t k = 3; k + 1 < dwords; k += 2)
        for (uint32_t n = w[k] & 0xffff; n < (w[k] & 0xffff) + (w[k + 1] & 0x3fff); n++)
            give(r, CONTEXT + n, read(s, packet_address(w[1], w[2]) + 4 * (uint64_t)n));
}

static void indirect(ring *g, const source *s, const uint32_t *w, bool multi)
{
    uint64_t at    = (g->now.base + w[1]) & 0xffffffffffu & ~(uint64_t)3;
    uint32_t count = 1;
    if (multi) {
        count = w[5];
        if (w[4] >> 30 & 1) {
            const uint32_t there = read(s, packet_address(w[6], w[7]));
            count                = there < count ? there : count;
        }
    }
    for (; count--; at += multi ? w[8] : 0)
        add(g, read(s, at), read(s, at + 4));
}

// What a packet of a graphics queue does.
static void follow(ring *g, const source *s, const totem_pm4_packet *p, const uint32_t *w)
{
    registers *r = &g->now;
    switch (p->op) {
    case TOTEM_OP_CLEAR_STATE:
        for (uint32_t x = 0; (w[1] & 15) == 0 && x < REGISTERS; x++) {
            r->v.context[x] = g->table[x];
            r->v.known[x]   = g->loaded[x];
        }
        if ((w[1] & 15) == 0)
            r->given[0x8a] = r->given[0x8b] = false; // the geometry stage's are no longer those of a draw
        break;
    case TOTEM_OP_CONTEXT_REG_RMW:
        if ((w[1] & 0xffff) < REGISTERS)
            r->v.context[w[1] & 0xffff] = (r->v.context[w[1] & 0xffff] & ~w[2]) | (w[3] & w[2]);
        break;
    case TOTEM_OP_LOAD_CONTEXT_REG: load_ranges(r, s, w, p->dwords); break;
    case TOTEM_OP_LOAD_CONTEXT_REG_INDEX: load(r, s, w, CONTEXT); break;
    case TOTEM_OP_LOAD_SH_REG_INDEX: load(r, s, w, SHADER); break;
    case TOTEM_OP_COPY_DATA: written_copy(s->own, s->memory, w); break;
    case TOTEM_OP_DMA_DATA: written_move(s->own, s->memory, w); break;
    case TOTEM_OP_NUM_INSTANCES: r->instances = w[1]; break;
    case TOTEM_OP_SET_BASE:
        if ((w[1] & 15) == 1)
            r->base = packet_address(w[2], w[3]) & ~(uint64_t)7;
        break;
    case TOTEM_OP_DRAW_INDEX_2: add(g, w[p->dwords - 2], r->instances); break;
    case TOTEM_OP_DRAW_INDEX_AUTO: add(g, w[1], r->instances); break;
    case TOTEM_OP_DRAW_INDEX_OFFSET_2: add(g, w[p->dwords - 2], r->instances); break;
    case TOTEM_OP_DRAW_INDIRECT:
    case TOTEM_OP_DRAW_INDEX_INDIRECT: indirect(g, s, w, false); break;
    case TOTEM_OP_DRAW_INDIRECT_MULTI:
    case TOTEM_OP_DRAW_INDEX_INDIRECT_MULTI: indirect(g, s, w, true); break;
    case TOTEM_OP_DISPATCH_DIRECT:
    case TOTEM_OP_DISPATCH_INDIRECT:
        g->dispatches = longer(g->dispatches, g->dispatches_count, &g->dispatches_room, sizeof *g->dispatches);

        g->dispatches[g->dispatches_count++] = r->v;
        break;
    case TOTEM_OP_RELEASE_MEM:
        g->releases = longer(g->releases, g->releases_count, &g->releases_room, sizeof *g->releases);

        g->releases[g->releases_count++] = (release){.address = packet_address(w[3], w[4]),
                                                     .data    = w[5],
                                                     .before  = g->count,
                                                     .seen    = w[2] >> 29 != 1 && w[2] >> 29 != 2};
        break;
    case TOTEM_OP_EVENT_WRITE:
        if ((w[1] & 0x3f) == TOTEM_EVENT_CS_PARTIAL_FLUSH || (w[1] & 0x3f) == TOTEM_EVENT_VS_PARTIAL_FLUSH ||
            (w[1] & 0x3f) == TOTEM_EVENT_PS_PARTIAL_FLUSH)
            g->flushed = g->count;
        break;
    case TOTEM_OP_SET_CONTEXT_REG:
    case TOTEM_OP_SET_CONTEXT_REG_INDEX:
    case TOTEM_OP_SET_CONTEXT_REG_PAIRS:
    case TOTEM_OP_SET_CONTEXT_REG_PAIRS_PACKED:
    case TOTEM_OP_SET_SH_REG:
    case TOTEM_OP_SET_SH_REG_INDEX:
    case TOTEM_OP_SET_SH_REG_PAIRS:
    case TOTEM_OP_SET_SH_REG_PAIRS_PACKED:
    case TOTEM_OP_SET_SH_REG_PAIRS_PACKED_N:
    case TOTEM_OP_SET_UCONFIG_REG:
    case TOTEM_OP_SET_UCONFIG_REG_INDEX:
        for (size_t n = 1; n < p->dwords; n++) {
            totem_pm4_word value;
            totem_pm4_word_of(p, w, n, TOTEM_CHIP_ANY, &value);
            if (value.is_register)
                give(r, value.address, w[n]);
            if (value.is_register && (value.address == THROTTLE || value.address == THROTTLE + 1)) {
                g->controls = longer(g->controls, g->controls_count, &g->controls_room, sizeof *g->controls);

                g->controls[g->controls_count++] = (control){g->count, value.address != THROTTLE, w[n], false};
            }
        }
        break;
    default: break;
    }
}

static bool walk(ring *g, source s, bool nested, char message[256])
{
    static uint32_t w[PACKET];
    for (uint32_t at = 0; at < s.dwords;) {
        totem_pm4_packet p;
        w[0] = word(&s, at);
        totem_pm4_cut(w, 1, 0, true, &p);
        if (p.fault == TOTEM_PM4_HEADER_TYPE || p.dwords > s.dwords - at) {
            snprintf(message, 256, "draws: no packet at dword %u of %s (0x%08x)", at,
                     nested ? "an indirect buffer" : "the ring", w[0]);
            return false;
        }
        for (uint32_t n = 1; n < p.dwords; n++)
            w[n] = word(&s, at + n);
        totem_pm4_cut(w, p.dwords, 0, true, &p);
        at += (uint32_t)p.dwords;
        if (p.type != 3 || p.dwords == 1)
            continue;
        const uint64_t operand = packet_address(w[1], w[2]);
        if (p.op == TOTEM_OP_COND_EXEC && read(&s, operand) == 0)
            at += w[4] & 0x3fff;
        else if (p.op == TOTEM_OP_PRED_EXEC && (w[1] >> 24 >> g->die & 1) == 0)
            at += w[1] & 0x3fff;
        else if (p.op == TOTEM_OP_INDIRECT_BUFFER) {
            const uint32_t control = w[3];
            const source   inner   = {
                    .memory = s.memory, .own = s.own, .base = operand, .wrap = 0xffffffffu, .dwords = control & 0xfffff};
            if (nested && control & 1u << 20) { // a chained buffer takes the place of this one
                s  = inner;
                at = 0;
            } else if (!nested && !walk(g, inner, true, message))
                return false;
        } else
            follow(g, &s, &p, w);
    }
    return true;
}

void draws_die(draws *d, uint32_t die)
{
    for (int f = 0; f < TOTEM_FE_COUNT; f++)
        d->rings[f].die = die;
}

bool draws_stream(draws *d, int ring, const memory *m, uint64_t base, uint32_t size, uint32_t from, uint32_t dwords,
                  char message[256])
{
    written      own = {0};
    const source s   = {.memory = m, .own = &own, .base = base, .wrap = size - 1, .from = from, .dwords = dwords};

    d->rings[ring].tags.memory = m;
    d->rings[ring].tags.base   = base;
    d->rings[ring].tags.size   = size;
    return walk(&d->rings[ring], s, false, message);
}

void draws_drop(draws *d, int n)
{
    ring *g = &d->rings[n];
    while (g->count > g->issued)
        free(g->list[--g->count]);
    g->flushed          = g->count < g->flushed ? g->count : g->flushed;
    g->releases_count   = g->released;
    g->dispatches_count = g->dispatched;
    g->controls_count   = g->controlled;
    memset(g->now.v.known, 0, sizeof g->now.v.known);
    memset(g->now.given, 0, sizeof g->now.given);
}

void draws_kill(draws *d, int ring, bool begins)
{
    d->rings[ring].killing = begins;
}

void draws_forget(draws *d, int ring, uint64_t address)
{
    release *r = d->rings[ring].releases;
    for (size_t k = 0; k < d->rings[ring].released; k++)
        r[k].seen = r[k].seen || r[k].address == address;
}

void draws_repeat(draws *d, int n)
{
    ring        *g  = &d->rings[n];
    const size_t at = g->issued;
    draw        *c  = calloc(1, sizeof *c);
    if (!c)
        abort();
    c->r        = g->list[at - 1]->r;
    c->vertices = g->list[at - 1]->vertices;
    c->flushed  = g->list[at - 1]->flushed;
    g->list     = longer(g->list, g->count, &g->room, sizeof(draw *));
    memmove(g->list + at + 1, g->list + at, (g->count++ - at) * sizeof(draw *)); // NOLINT(bugprone-sizeof-expression)
    g->list[at] = c;
    for (size_t k = at + 1; k < g->count; k++)
        g->list[k]->flushed += g->list[k]->flushed >= at;
    for (size_t k = g->released; k < g->releases_count; k++)
        g->releases[k].before += g->releases[k].before >= at;
    for (size_t k = g->controlled; k < g->controls_count; k++)
        g->controls[k].before += g->controls[k].before >= at;
    g->flushed += g->flushed >= at;
}

uint64_t draws_issued(const draws *d, int ring)
{
    return d->rings[ring].issued;
}

uint32_t draws_owed(const draws *d, int ring)
{
    const release *r     = d->rings[ring].releases;
    uint32_t       count = 0;
    for (size_t k = 0; k < d->rings[ring].released; k++)
        count += !r[k].seen;
    return count;
}

uint32_t draws_lost(const draws *d, int ring)
{
    return d->rings[ring].lost;
}

draws_sums draws_sum(const draws *d)
{
    return d->sums;
}

// ---- what a draw becomes

static bool broken(char message[256], uint64_t clock, int f, size_t n, const char *what, uint64_t has, uint64_t due)
{
    snprintf(message, 256, "clock %llu: ring %d, draw %zu: %s (0x%llx, expected 0x%llx)", (unsigned long long)clock, f,
             n, what, (unsigned long long)has, (unsigned long long)due);
    return false;
}

// Vertices of the first primitive, and of each further one (docs/contract/draws.md).
static void strides(uint32_t type, uint32_t points, uint32_t *first, uint32_t *step)
{
    static const uint8_t table[32][2] = {
        [0x01] = {1, 1}, [0x02] = {2, 2}, [0x03] = {2, 1}, [0x04] = {3, 3}, [0x05] = {3, 1}, [0x06] = {3, 1},
        [0x07] = {3, 3}, [0x0a] = {4, 4}, [0x0b] = {4, 1}, [0x0c] = {6, 6}, [0x0d] = {6, 2}, [0x11] = {3, 3},
        [0x12] = {2, 1}, [0x13] = {4, 4}, [0x14] = {4, 2}, [0x15] = {3, 1}};
    *first = type == 9 ? points : type < 32 ? table[type][0] : 0;
    *step  = type == 9 ? points : type < 32 ? table[type][1] : 0;
}

static uint32_t all_ones(bool yes)
{
    return yes ? 0xffffffffu : 0;
}

// Everything of a draw that follows from its registers, for a generation of the chip.
static void resolve(draw *d, uint32_t generation)
{
    const registers *r  = &d->r;
    const bool       g1 = r->given[0x8a], g2 = r->given[0x8b], old = generation == GENERATION_GFX9;
    const uint32_t   one = g1 ? 0x8a : 0x4a, two = g2 ? 0x8b : 0x4b, three = g1 ? 0x87 : 0x46,
                   program = !g1   ? 0x48
                             : old ? 0x84
                                   : 0xc8,
                   user    = !g1   ? 0x4c
                             : old ? 0xcc
                                   : 0x8c;
    const uint32_t rsrc1 = r->shader[one], rsrc2 = r->shader[two];
    const uint32_t users = (rsrc2 >> 1 & 31) | (rsrc2 >> (old ? 28 : 27) & 1) << 5, used = users < 32 ? users : 32;
    d->wave_size      = !old && r->v.context[0x2d5] >> (g1 ? 22 : 23) & 1 ? 32 : 64;
    d->vgprs          = (rsrc1 & 63) + 1;
    d->lds            = g2 ? rsrc2 >> 19 & 0xff : 0;
    d->program        = ((uint64_t)r->shader[program + 1] << 32 | r->shader[program]) & 0xffffffffffu;
    d->program_given  = ((uint64_t)all_ones(r->given[program + 1]) << 32 | all_ones(r->given[program])) & 0xffffffffffu;
    d->throttle       = generation == GENERATION_GFX11 && g1 ? r->shader[0x81] >> 14 & 3 : 0;
    d->throttle_given = generation != GENERATION_GFX11 || !g1 || r->given[0x81];
    d->words          = 2 + (used + 1) / 2;
    d->word[0]        = (uint64_t)rsrc2 << 32 | rsrc1;
    d->word_given[0]  = (uint64_t)all_ones(r->given[two]) << 32 | all_ones(r->given[one]);
    d->word[1]        = (uint64_t)r->v.context[0x1ba] << 32 | r->shader[three];
    d->word_given[1]  = (uint64_t)all_ones(r->v.known[0x1ba]) << 32 | all_ones(r->given[three]);
    for (uint32_t k = 2; k < d->words; k++) {
        const uint32_t low = user + 2 * (k - 2);
        d->word[k]         = (uint64_t)r->shader[low + 1] << 32 | r->shader[low];
        d->word_given[k]   = (uint64_t)all_ones(r->given[low + 1]) << 32 | all_ones(r->given[low]);
    }
    pixels_shape(&d->pixels, r->shader, r->given, r->v.context[0x1b6], r->v.known[0x1b6], generation);
    uint32_t first, step;
    strides(r->primitive, r->v.context[0x2d6] >> 8 & 63, &first, &step);
    const uint32_t primitives = first == 0 || d->vertices < first ? 0 : 1 + (d->vertices - first) / step;
    d->per_instance           = primitives / 64 + (primitives % 64 != 0);
    d->last                   = primitives == 0 ? 0 : (primitives - 1) % 64 + 1;
    d->waves                  = (uint64_t)d->per_instance * r->instances;
}

static uint32_t primitives_of(const draw *d, uint64_t number)
{
    return number % d->per_instance == d->per_instance - 1 ? d->last : 64;
}

static bool all_ended(const draw *d)
{
    return d->issued && d->ended == (d->killed ? d->sent : d->waves) && pixels_ended(&d->pixels, d->killed);
}

// A register of a set as a draw sees it: one that the running copy has not reached is still where it comes from.
static uint32_t value_of(const totem_fe *model, uint32_t set, uint32_t place)
{
    const totem_frames *f    = &model->graphics_pipe.graphics_frames;
    const uint32_t      bank = place % TOTEM_BANKS, row = place / TOTEM_BANKS;
    uint32_t            frame = f->frame[set];
    if (f->copying && f->copy_target == frame && row >= f->copy_done[bank])
        frame = f->copy_source;
    return model->graphics_pipe.graphics_frame_ram[bank].data[frame * ROWS + row];
}

static uint64_t digest_of(const totem_fe *model, uint32_t set)
{
    uint64_t digest = 0xcbf29ce484222325u;
    for (uint32_t place = 0; place < TOTEM_REGISTERS; place++)
        digest = (digest ^ value_of(model, set, place)) * 0x100000001b3u;
    return digest;
}

// The set has the registers that the stream has written.
static bool as_written(draws *w, const totem_fe *model, const values *v, uint32_t set, int f, size_t n, uint64_t clock,
                       char message[256])
{
    for (uint32_t place = 0; place < TOTEM_REGISTERS; place++) {
        if (v->known[place] && value_of(model, set, place) != v->context[place]) {
            snprintf(message, 256,
                     "clock %llu: ring %d, draw %zu, or dispatch before it: context register 0x%x of set %u is 0x%x, "
                     "of its stream 0x%x",
                     (unsigned long long)clock, f, n, place, set, value_of(model, set, place), v->context[place]);
            return false;
        }
        w->sums.compared += v->known[place];
    }
    return true;
}

// A dispatch starts, or continues: its set has all that was written in front of it, and nothing is under way there.
static bool dispatch(draws *w, const totem_fe *model, const totem_fe_out *o, int f, uint64_t clock, char message[256])
{
    const totem_graphics_execute_out *e = &o->graphics_pipe.front.execute;
    ring                             *g = &w->rings[f];
    if (e->start && g->dispatched == g->dispatches_count)
        return broken(message, clock, f, g->issued, "a dispatch starts in front of it, and the ring holds none", 0, 0);
    if (e->start)
        g->dispatch_set = o->graphics_pipe.graphics_context.current;
    const bool right =
        !e->start || as_written(w, model, &g->dispatches[g->dispatched], g->dispatch_set, f, g->issued, clock, message);
    g->dispatched +=
        e->executed && g->dispatched < g->dispatches_count &&
        (e->executed_opcode == TOTEM_OP_DISPATCH_DIRECT || e->executed_opcode == TOTEM_OP_DISPATCH_INDIRECT);
    return right;
}

static bool is_control(const control *c, const totem_graphics_render_out *o)
{
    return c->second == o->throttle_write_second && c->data == o->throttle_write_data;
}

// Of what stands between the last draw and the next one nobody knows how much was executed before the change.
static void generation_changes(ring *g, uint32_t generation)
{
    for (size_t n = g->controlled; generation != g->generation && n < g->controls_count; n++)
        g->controls[n].either = g->controls[n].either || g->controls[n].before <= g->issued;
    g->generation = generation;
}

// What the stream writes into registers of throttling goes there, once, if the ring is one of GFX11. (A packet may be
// executed again.)
static bool control_told(ring *g, const totem_graphics_render_out *o, int f, uint64_t clock, char message[256])
{
    if (!o->throttle_write_valid)
        return true;
    for (size_t n = g->controlled; n < g->controls_count && (n == g->controlled || g->controls[n - 1].either); n++)
        if (is_control(&g->controls[n], o)) {
            g->controlled = n + 1;
            return true;
        }
    if (g->controlled && is_control(&g->controls[g->controlled - 1], o))
        return true;
    return broken(message, clock, f, g->issued, "a register of throttling gets a word that is not next in the stream",
                  o->throttle_write_data, g->controlled);
}

static bool controls_in_front(ring *g, uint32_t generation, int f, uint64_t clock, char message[256])
{
    for (; g->controlled < g->controls_count && g->controls[g->controlled].before <= g->issued; g->controlled++)
        if (generation == GENERATION_GFX11 && !g->controls[g->controlled].either)
            return broken(message, clock, f, g->issued, "a register of throttling has not got the word in front of it",
                          0, g->controls[g->controlled].data);
    return true;
}

static bool issue(draws *w, const totem_fe *model, const totem_fe_out *o, int f, uint64_t clock, char message[256])
{
    ring *g = &w->rings[f];
    if (!o->graphics_pipe.graphics_render.draw_valid || !o->graphics_pipe.graphics_context.draw_ready)
        return true;
    const size_t n = g->issued;
    if (n == g->count)
        return broken(message, clock, f, n, "issued, but the ring holds none", 0, 0);
    draw *d = g->list[n];
    while (g->complete < n && g->list[g->complete]->told)
        g->complete++;
    for (size_t k = g->complete > g->own ? g->complete : g->own; k < d->flushed; k++)
        if (!all_ended(g->list[k]))
            return broken(message, clock, f, n, "issued, but a flush before it waits for a draw that has not ended", k,
                          0);
    if (!controls_in_front(g, o->graphics_pipe.graphics_graphics.generation, f, clock, message))
        return false;
    resolve(d, o->graphics_pipe.graphics_graphics.generation);
    d->set   = o->graphics_pipe.graphics_context.current;
    d->epoch = o->graphics_pipe.front.epoch.current[0];
    d->hp3d  = o->graphics_pipe.graphics_graphics.hp3d;

    d->pixels.ring  = (uint32_t)f;
    d->pixels.set   = d->set;
    d->pixels.epoch = d->epoch;
    if (!as_written(w, model, &d->r.v, d->set, f, n, clock, message))
        return false;
    d->digest = digest_of(model, d->set);
    g->uses[d->set]++;
    g->issued++;
    d->issued = true;
    w->sums.draws++;
    return true;
}

static void push(fifo *q, wave item)
{
    q->list[(q->first + q->count++) % DEPTH] = item;
}

static wave pop(fifo *q)
{
    const wave item = q->list[q->first];
    q->first        = (q->first + 1) % DEPTH;
    q->count--;
    return item;
}

// The end of a draw names its set and epoch, not its draw state. If it was taken for that of the draw in this state, or
// was not, another one may have been meant that has ended too.
static bool exchange(ring *g, uint32_t state, bool told)
{
    draw *d = g->list[g->state_draw[state]];
    for (uint32_t s = 0; s < TOTEM_DRAW_STATES; s++) {
        draw *other = g->stated[s] ? g->list[g->state_draw[s]] : d;
        if (other == d || other->told != told || other->set != d->set || other->epoch != d->epoch || !all_ended(other))
            continue;
        const size_t at = g->state_draw[told ? s : state];
        other->told     = !told;
        d->told         = told;
        g->complete     = at < g->complete ? at : g->complete;
        return true;
    }
    return false;
}

// A header or wave on the command bus.
static bool sent(ring *g, int f, uint64_t data, uint32_t tag, uint64_t clock, char message[256])
{
    const uint32_t kind = tag >> 9 & 3, state = tag >> 12, engine = tag >> 4 & 3;
    if (kind == DRAW_HEADER) {
        if (g->headers != 0 && !g->list[g->under_way]->killed &&
            g->list[g->under_way]->sent != g->list[g->under_way]->waves)
            return broken(message, clock, f, g->under_way, "another draw begins, and it has sent so many waves",
                          g->list[g->under_way]->sent, g->list[g->under_way]->waves);
        if (g->headers == g->issued)
            return broken(message, clock, f, g->headers, "its state is sent, but it is not issued", 0, 0);
        const draw *old = g->stated[state] ? g->list[g->state_draw[state]] : NULL;
        if (old && !old->told && !(all_ended(old) && exchange(g, state, true)))
            return broken(message, clock, f, g->headers, "it gets the draw state of a draw that has not ended", state,
                          g->state_draw[state]);
        g->stated[state]     = true;
        g->under_way         = g->headers++;
        const draw *d        = g->list[g->under_way];
        g->state_draw[state] = (uint32_t)g->under_way;
        if ((data ^ d->program) & d->program_given)
            return broken(message, clock, f, g->under_way, "wrong program", data, d->program);
        if (d->throttle_given && data >> 40 != d->throttle)
            return broken(message, clock, f, g->under_way, "wrong enables of throttling", data >> 40, d->throttle);
        return true;
    }
    if (kind == DRAW_PIXEL_HEADER && g->headers != 0 && data >> 63 != g->list[g->under_way]->hp3d)
        return broken(message, clock, f, g->under_way, "its pixel header has the wrong tier", data >> 63, data);
    if (kind != DRAW_WAVE)
        return true;
    if (g->headers == 0)
        return broken(message, clock, f, 0, "a wave without a draw", data, 0);
    draw *d = g->list[g->under_way];
    if (d->stopped && d->sent == d->last_sent)
        return broken(message, clock, f, g->under_way, "its waves are sent behind a kill", d->sent, d->last_sent);
    if (d->sent == d->waves)
        return broken(message, clock, f, g->under_way, "a wave more than the draw has", d->sent + 1, d->waves);
    const uint64_t due = (d->sent & 0x1ffffffff) << 31 | (uint64_t)d->set << 27 | (uint64_t)d->epoch << 24 |
                         (uint64_t)(d->wave_size == 32) << 23 | (uint64_t)primitives_of(d, d->sent) << 16 |
                         (uint64_t)d->lds << 7 | d->vgprs;
    if (data != due)
        return broken(message, clock, f, g->under_way, "wrong wave on the bus", data, due);
    const uint32_t class = d->hp3d ? CLASS_HP3D : CLASS_GFX;
    if ((tag >> 6 & 3) != class)
        return broken(message, clock, f, g->under_way, "a wave of the wrong class", tag >> 6 & 3, class);
    if (engine != g->turn)
        return broken(message, clock, f, g->under_way, "a wave goes to the wrong engine", engine, g->turn);
    if (g->station[engine].sent.count == CREDIT)
        return broken(message, clock, f, g->under_way, "an engine has no room for the wave", engine, 0);
    push(&g->station[engine].sent, (wave){g->under_way, d->sent++});
    g->turn = (g->turn + 1) % TOTEM_SE_COUNT;
    return true;
}

static bool grant(draws *w, const totem_issue_out *i, int e, uint64_t clock, char message[256])
{
    const int f = i->grant_fe;
    ring     *g = &w->rings[f];
    station  *s = &g->station[e];
    if (s->sent.count == 0)
        return broken(message, clock, f, 0, "a geometry wave is granted that was not sent", i->grant_group, 0);
    const wave v = pop(&s->sent);
    draw      *d = g->list[v.draw];
    if (i->grant_group != v.number || i->grant_set != d->set || i->grant_epoch != d->epoch ||
        i->grant_primitives != primitives_of(d, v.number) || i->grant_vgprs != d->vgprs || i->grant_lds != d->lds ||
        i->grant_waves != 1 || i->grant_threads != d->wave_size || i->grant_wave32 != (d->wave_size == 32) ||
        g->state_draw[i->grant_draw] != v.draw)
        return broken(message, clock, f, v.draw, "another wave is granted than was sent next", i->grant_group,
                      v.number);
    d->granted++;
    push(&s->granted, v);
    return true;
}

static bool launch(draws *w, const totem_launch_out *l, int e, uint64_t clock, char message[256])
{
    const int f = l->launch_fe;
    ring     *g = &w->rings[f];
    station  *s = &g->station[e];
    if (s->granted.count == 0)
        return broken(message, clock, f, 0, "a geometry wave is launched that was not granted", l->launch_group, 0);
    const wave v = pop(&s->granted);
    draw      *d = g->list[v.draw];
    if (l->launch_group != v.number || l->launch_set != d->set || l->launch_epoch != d->epoch ||
        l->launch_primitives != primitives_of(d, v.number) || l->launch_threads != d->wave_size ||
        l->launch_wave32 != (d->wave_size == 32) || l->launch_index != 0 || l->launch_waves != 1 ||
        l->launch_vgprs != d->vgprs || l->launch_lds != d->lds || !l->launch_state_new)
        return broken(message, clock, f, v.draw, "a wave of wrong shape is launched", l->launch_group, v.number);
    if ((l->launch_program ^ d->program) & d->program_given)
        return broken(message, clock, f, v.draw, "a wave is launched with the wrong program", l->launch_program,
                      d->program);
    for (uint32_t k = 0; k < d->words; k++) {
        const uint64_t has = s->words[32u * l->launch_draw + k];
        if ((has ^ d->word[k]) & d->word_given[k])
            return broken(message, clock, f, v.draw, "a state word (resources or user data) is not that of its stream",
                          has, d->word[k]);
    }
    if (w->slots[e][l->launch_slot].ring != NOBODY)
        return broken(message, clock, f, v.draw, "its wave slot is taken", l->launch_slot, 0);
    w->slots[e][l->launch_slot] = (slot){f, v, NOBODY, 0};
    pixels_geometry(w->pixels, e, l->launch_slot, &d->pixels);
    d->launched++;
    w->sums.waves++;
    return true;
}

// The draw in a draw state of a ring.
static draw *in_state(const draws *w, int f, uint32_t state)
{
    const ring *g = &w->rings[f];
    return g->stated[state] ? g->list[g->state_draw[state]] : NULL;
}

static bool pixel_waves(draws *w, const totem_issue_out *i, const totem_launch_out *l, bool launched, int e,
                        uint64_t clock, char message[256])
{
    if (launched && ring_of_front_end(l->launch_pipe) && l->launch_kind == PIXELS) {
        draw       *d    = in_state(w, l->launch_fe, l->launch_draw);
        const char *what = !d ? "no draw has the state of a pixel wave" : pixels_launch(w->pixels, l, e, &d->pixels);
        if (what)
            return broken(message, clock, l->launch_fe, w->rings[l->launch_fe].state_draw[l->launch_draw], what,
                          l->launch_group, 0);
    }
    if (i->grant_valid && ring_of_front_end(i->grant_pipe) && i->grant_kind == PIXELS) {
        draw       *d    = in_state(w, i->grant_fe, i->grant_draw);
        const char *what = !d ? "no draw has the state of a pixel wave"
                           : d->told && !exchange(&w->rings[i->grant_fe], i->grant_draw, false)
                               ? "a pixel wave of it is granted, and it has ended"
                               : pixels_grant(w->pixels, i, e, &d->pixels);
        if (what)
            return broken(message, clock, i->grant_fe, w->rings[i->grant_fe].state_draw[i->grant_draw], what,
                          i->grant_group, 0);
    }
    return true;
}

// The state word asked for in the clock before is sure while a wave with the same state is still on offer.
static bool state_word(draws *w, const totem_machine_out *out, int e, uint64_t clock, char message[256])
{
    const totem_launch_out *l    = &out->se[e].launch;
    const bool              mine = l->launch_valid && ring_of_front_end(l->launch_pipe) && l->launch_kind == GEOMETRY;
    const bool     sure  = mine && w->asked[e] && w->asked_fe[e] == l->launch_fe && w->asked_state[e] == l->launch_draw;
    const uint32_t index = w->asked_index[e];
    w->asked[e]          = mine;
    w->asked_index[e]    = out->wave[e].state_index;
    w->asked_fe[e]       = l->launch_fe;
    w->asked_state[e]    = l->launch_draw;
    const fifo *q        = &w->rings[l->launch_fe].station[e].granted;
    if (!sure || q->count == 0)
        return true;
    const wave  v = q->list[q->first];
    const draw *d = w->rings[l->launch_fe].list[v.draw];
    if (index < d->words && (out->se[e].word_pick.word ^ d->word[index]) & d->word_given[index])
        return broken(message, clock, l->launch_fe, v.draw, "the core reads another state word",
                      out->se[e].word_pick.word, d->word[index]);
    return true;
}

// Ends of draws as context hears of them.
static bool ends(ring *g, const totem_fe *model, const totem_fe_out *o, int f, uint64_t clock, char message[256])
{
    const totem_draws_out *p = &o->graphics_pipe.graphics_draws;
    if (!p->end_valid)
        return true;
    size_t n = g->complete;
    while (n < g->headers && (g->list[n]->told || g->list[n]->set != p->end_set || g->list[n]->epoch != p->end_epoch ||
                              !all_ended(g->list[n])))
        n++;
    if (n >= g->headers)
        return broken(message, clock, f, n,
                      "a draw of this set and its epoch ends, and none has ended all its waves and pixels", p->end_set,
                      0);
    draw *d = g->list[n];
    d->told = true;
    if (digest_of(model, d->set) != d->digest)
        return broken(message, clock, f, n, "registers of its set have changed while it was in flight, set", d->set,
                      d->set);
    g->ending = (int)d->set;
    return true;
}

// Context counts the draws of a set, and one more while dispatches use it: from the first of their waves on until soon
// after the last one.
static bool counted(ring *g, const totem_fe *model, const totem_fe_out *o, uint32_t s, int f, uint64_t clock,
                    char message[256])
{
    const uint32_t more = model->graphics_pipe.graphics_context.uses[s] - g->uses[s];
    if (more > 1 || (g->running[s] != 0 && more == 0))
        return broken(message, clock, f, g->issued, "draws and dispatches that use a set, as context counts them",
                      model->graphics_pipe.graphics_context.uses[s], g->uses[s] + (g->running[s] != 0));
    g->idle[s] = more == 1 && g->running[s] == 0 && !o->graphics_pipe.graphics_walker.busy ? g->idle[s] + 1 : 0;
    if (g->idle[s] > SOON)
        return broken(message, clock, f, g->issued, "no dispatch uses the set any more, and context counts one", s, 0);
    return true;
}

// Sets in use: neither roll nor copy touches them, and context counts them.
static bool sets(ring *g, const totem_fe *model, const totem_fe_out *o, int f, uint64_t clock, char message[256])
{
    const totem_context_out *c    = &o->graphics_pipe.graphics_context;
    const totem_frames_out  *r    = &o->graphics_pipe.graphics_frames;
    const bool               roll = (c->roll_want || r->roll_want) && c->roll_free && r->roll_room;
    if (roll && (g->uses[c->roll_set] || g->running[c->roll_set] || c->roll_set == c->current))
        return broken(message, clock, f, g->issued, "a roll takes a set in use, set", c->roll_set, 0);
    const bool starts = r->copying && (!g->copying || r->copy_target != g->copy_target);
    for (uint32_t s = 0; s < TOTEM_SETS; s++) {
        if (starts && r->frame[s] == r->copy_target && g->uses[s])
            return broken(message, clock, f, g->issued, "a copy goes into a set in use, set", s, 0);
        if (!counted(g, model, o, s, f, clock, message))
            return false;
    }
    if (g->ending != NOBODY)
        g->uses[g->ending]--;
    g->ending      = NOBODY;
    g->copying     = r->copying;
    g->copy_target = r->copy_target;
    return true;
}

// The waves of a request 2: what is not sent of these draws never comes.
static bool kills(ring *g, const totem_fe_out *o, int f, uint64_t clock, char message[256])
{
    const totem_graphics_kill_out *k = &o->graphics_pipe.front.kill;
    if (!k->word_valid)
        return true;
    if (!g->killing)
        return broken(message, clock, f, g->headers, "its waves are killed, and nobody has asked for it", 0, 0);
    for (size_t n = g->complete; n < g->issued; n++) {
        draw *d = g->list[n];
        if (d->told || !(k->word_epochs >> d->epoch & 1))
            continue;
        d->killed = true;
        if (n < g->headers && !d->stopped) {
            d->stopped   = true;
            d->last_sent = d->sent + LATE;
        }
    }
    return true;
}

// Mappings, what a fence waits for, fences that are never written.
static void mappings(ring *g, const totem_fe_out *o)
{
    const totem_graphics_hqd_out     *h = &o->graphics_pipe.front.hqd;
    const totem_graphics_execute_out *e = &o->graphics_pipe.front.execute;
    if (e->executed && e->executed_opcode == TOTEM_OP_RELEASE_MEM && g->released < g->releases_count) {
        release *r  = &g->releases[g->released++];
        r->own      = g->own;
        r->mapping  = g->mapping;
        r->executed = true;
    }
    if (o->graphics_pipe.front.epoch.abandoned[0]) {
        g->lost = 0;
        for (size_t k = 0; k < g->released; k++)
            if (!g->releases[k].seen && g->releases[k].mapping == g->mapping)
                g->lost += g->releases[k].seen = true;
    }
    if (h->load_valid && h->load_kind == LOAD_ACTIVE && h->load_data & 1) {
        g->own = g->issued;
        g->mapping++;
    }
}

static bool ring_step(draws *w, const totem_fe *model, const totem_machine_out *out, int f, uint64_t clock,
                      char message[256])
{
    ring               *g = &w->rings[f];
    const totem_fe_out *o = &out->fe[f];
    if (o->graphics_pipe.graphics_graphics.table_valid && o->graphics_pipe.graphics_frames.table_ready) {
        g->table[o->graphics_pipe.graphics_graphics.table_index]  = o->graphics_pipe.graphics_graphics.table_data;
        g->loaded[o->graphics_pipe.graphics_graphics.table_index] = true;
    }
    mappings(g, o);
    const char *what = tags_clock(&g->tags, out, f);
    if (what)
        return broken(message, clock, f, g->issued, what, o->graphics_pipe.front.fetch.position, 0);
    generation_changes(g, o->graphics_pipe.graphics_graphics.generation);
    if (!control_told(g, &o->graphics_pipe.graphics_render, f, clock, message) ||
        !sets(g, model, o, f, clock, message) || !kills(g, o, f, clock, message) ||
        !ends(g, model, o, f, clock, message) || !issue(w, model, o, f, clock, message) ||
        !dispatch(w, model, o, f, clock, message))
        return false;
    for (int e = 0; e < TOTEM_SE_COUNT; e++) {
        const totem_geometry_out *y = &out->se[e].graphics_engine[f].graphics_geometry;
        if (y->state_write_enable)
            g->station[e].words[y->state_write_addr] = y->state_write_data;
    }
    return true;
}

bool draws_step(draws *w, const totem_machine *model, const totem_machine_out *out, uint64_t clock, char message[256])
{
    for (int e = 0; e < TOTEM_SE_COUNT; e++) {
        const totem_issue_out  *i = &out->se[e].issue;
        const totem_launch_out *l = &out->se[e].launch;
        slot                   *s = &w->slots[e][out->wave[e].done_slot];
        if (out->wave[e].done_valid && s->ring != NOBODY) {
            w->rings[s->ring].list[s->wave.draw]->ended++;
            s->ring = NOBODY;
        }
        if (out->wave[e].done_valid && s->group_ring != NOBODY) {
            w->rings[s->group_ring].running[s->group_set]--;
            s->group_ring = NOBODY;
        }
        int         whose = 0;
        const char *what  = pixels_clock(w->pixels, out, e, &whose);
        if (what)
            return broken(message, clock, whose, w->rings[whose].headers, what, (uint64_t)e, 0);
        if (!state_word(w, out, e, clock, message))
            return false;
        if (l->launch_valid && out->wave[e].launch_ready && ring_of_front_end(l->launch_pipe) &&
            l->launch_kind == WAVE_COMPUTE) {
            w->slots[e][l->launch_slot].group_ring = l->launch_fe;
            w->slots[e][l->launch_slot].group_set  = l->launch_set;
        }
        if (i->grant_valid && ring_of_front_end(i->grant_pipe) && i->grant_kind == WAVE_COMPUTE) {
            ring *g = &w->rings[i->grant_fe];
            if (i->grant_set != g->dispatch_set)
                return broken(message, clock, i->grant_fe, g->issued, "a group has another set than its dispatch",
                              i->grant_set, g->dispatch_set);
            g->running[i->grant_set] += i->grant_waves;
        }
        if (l->launch_valid && out->wave[e].launch_ready && ring_of_front_end(l->launch_pipe) &&
            l->launch_kind == GEOMETRY && !launch(w, l, e, clock, message))
            return false;
        if (i->grant_valid && ring_of_front_end(i->grant_pipe) && i->grant_kind == GEOMETRY &&
            !grant(w, i, e, clock, message))
            return false;
        if (!pixel_waves(w, i, l, l->launch_valid && out->wave[e].launch_ready, e, clock, message))
            return false;
    }
    for (int lane = 0; lane < TOTEM_LANES; lane++) {
        const uint32_t tag = out->bus.lane_tag[lane], class = tag >> 6 & 3;
        if (out->bus.lane_valid[lane] && (class == CLASS_HP3D || class == CLASS_GFX) && tag >> 8 & 1 &&
            !sent(&w->rings[tag >> 2 & 3], (int)(tag >> 2 & 3), out->bus.lane_word[lane], tag, clock, message))
            return false;
    }
    for (int f = 0; f < TOTEM_FE_COUNT; f++)
        if (!ring_step(w, &model->fe[f], out, f, clock, message))
            return false;
    return true;
}

bool draws_write(draws *w, uint64_t address, uint32_t data, uint64_t clock, char message[256])
{
    // Rings may write the same value to the same place: then it is that of one whose work has ended.
    bool early = false;
    for (int f = 0; f < TOTEM_FE_COUNT; f++) {
        ring *g = &w->rings[f];
        for (size_t k = 0; k < g->releases_count; k++) {
            release *r = &g->releases[k];
            if (r->seen || r->address != address || r->data != data)
                continue;
            size_t n = g->complete > r->own ? g->complete : r->own;
            while (n < r->before && all_ended(g->list[n]))
                n++;
            if (r->executed && n >= r->before) {
                r->seen = true;
                return true;
            }
            if (!early && !r->executed)
                broken(message, clock, f, r->before, "a fence behind it is written, and was not executed", r->data, 0);
            else if (!early)
                broken(message, clock, f, n, "a fence behind it is written, and so many waves have ended",
                       g->list[n]->ended, g->list[n]->waves);
            early = true;
        }
    }
    return !early;
}

bool draws_complete(const draws *w, char message[256])
{
    for (int f = 0; f < TOTEM_FE_COUNT; f++) {
        const ring *g = &w->rings[f];
        for (size_t n = 0; n < g->count; n++)
            if (n >= g->issued || !g->list[n]->told)
                return broken(message, 0, f, n, n < g->issued ? "it has not ended" : "it was not issued", 0, 0);
        for (size_t k = 0; k < g->releases_count; k++)
            if (!g->releases[k].seen) {
                snprintf(message, 256, "ring %d: the fence 0x%x behind %zu draws was not written", f,
                         (unsigned)g->releases[k].data, g->releases[k].before);
                return false;
            }
    }
    return true;
}

#endif
