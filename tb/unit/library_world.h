// SPDX-License-Identifier: Apache-2.0
//
// library_world: what surrounds a machine in the tests of the library: a memory with random delays behind every
// front end, a host that works off a list, and a random workload of mapped queues. Everything follows from the seed.

#ifndef LIBRARY_WORLD_H
#define LIBRARY_WORLD_H

#include "../../cmodel/packet/totem_pm4.h"
#include "../../cmodel/totem.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

enum {
    WORLD_BYTES      = 1 << 17,
    WORLD_PENDING    = 64,
    WORLD_ACCESSES   = 4096,
    WORLD_RING       = 0x10000,
    WORLD_RING_BYTES = 1024,
    WORLD_DRAWS      = 0xc000 // graphics ring
};

typedef struct {
    uint8_t  id;
    uint64_t address;
    unsigned beats;
    uint64_t due;
} world_answer;

typedef struct {
    world_answer list[WORLD_PENDING];
    unsigned     count;
} world_answers;

typedef struct {
    uint64_t at; // not before this clock
    bool     write;
    uint32_t address;
    uint32_t data;
} world_access;

typedef struct {
    uint64_t      random;
    uint32_t      latency;  // of most answers, at most
    uint32_t      straggle; // of 256 answers, how many take much longer
    uint32_t      hold;     // clocks of a stretch in which the ready lines stay; of 4 stretches one is not ready
    uint8_t       bytes[WORLD_BYTES];
    world_answers reads[TOTEM_FRONT_ENDS_MAX];
    world_answers writes[TOTEM_FRONT_ENDS_MAX];
    uint64_t      write_at[TOTEM_FRONT_ENDS_MAX]; // address that waits for its data, with its ID
    uint8_t       write_id[TOTEM_FRONT_ENDS_MAX];
    bool          write_open[TOTEM_FRONT_ENDS_MAX];
    bool          answering; // a beat or a response was driven
    world_access  accesses[WORLD_ACCESSES];
    unsigned      accesses_count, accesses_done;
    int           host_state; // 0 waits for its clock, 1 offers, 2 awaits the response
    bool          aw_left, w_left;
    uint64_t      refused; // accesses answered by SLVERR
    uint64_t      response_hash;
} world;

static inline uint32_t world_random(world *w, uint32_t below)
{
    uint64_t z = (w->random += 0x9e3779b97f4a7c15u);
    z          = (z ^ z >> 30) * 0xbf58476d1ce4e5b9u;
    z          = (z ^ z >> 27) * 0x94d049bb133111ebu;
    return (uint32_t)(((z ^ z >> 31) >> 32) * below >> 32);
}

static inline bool world_ready(const world *w, uint64_t clock)
{
    return w->hold == 0 || ((clock / w->hold + w->hold) & 3) != 0;
}

static inline void world_push(world *w, world_answers *a, uint8_t id, uint64_t address, unsigned beats, uint64_t clock)
{
    uint64_t due = clock + 1 + world_random(w, w->latency);
    if (world_random(w, 256) < w->straggle)
        due += 40 * (uint64_t)w->latency;
    assert(a->count < WORLD_PENDING);
    a->list[a->count++] = (world_answer){id, address, beats, due};
}

static inline void world_pop(world_answers *a)
{
    memmove(a->list, a->list + 1, sizeof *a->list * --a->count);
}

static inline uint64_t world_word(const world *w, uint64_t address)
{
    uint64_t word;
    memcpy(&word, w->bytes + (address & (WORLD_BYTES - 8)), 8);
    return word;
}

static inline void world_memory(world *w, uint64_t clock, int f, const totem_memory_pins_out *out,
                                totem_memory_pins_in *in)
{
    world_answers *reads = &w->reads[f], *writes = &w->writes[f];

    memset(in, 0, sizeof *in);
    in->arready = world_ready(w, clock) && reads->count < WORLD_PENDING;
    in->awready = world_ready(w, clock + 7) && !w->write_open[f] && writes->count < WORLD_PENDING;
    in->wready  = w->write_open[f];
    if (reads->count && reads->list[0].due <= clock) {
        world_answer *a = &reads->list[0];
        in->rvalid      = true;
        in->rid         = a->id;
        in->rdata       = world_word(w, a->address);
        in->rlast       = a->beats == 1;
        if (out->rready) {
            a->address += 8;
            if (--a->beats == 0)
                world_pop(reads);
        }
        w->answering = true;
    }
    if (writes->count && writes->list[0].due <= clock) {
        in->bvalid = true;
        in->bid    = writes->list[0].id;
        if (out->bready)
            world_pop(writes);
        w->answering = true;
    }
    if (out->arvalid && in->arready)
        world_push(w, reads, out->arid, out->araddr, out->arlen + 1u, clock);
    if (out->wvalid && in->wready) {
        for (unsigned b = 0; b < 8; b++)
            if (out->wstrb >> b & 1)
                w->bytes[(w->write_at[f] + b) & (WORLD_BYTES - 1)] = (uint8_t)(out->wdata >> 8 * b);
        w->write_at[f] += 8;
        w->write_open[f] = !out->wlast;
        if (out->wlast)
            world_push(w, writes, w->write_id[f], 0, 1, clock);
    }
    if (out->awvalid && in->awready) {
        w->write_open[f] = true;
        w->write_at[f]   = out->awaddr;
        w->write_id[f]   = out->awid;
    }
}

static inline void world_host(world *w, uint64_t clock, const totem_host_pins_out *out, totem_host_pins_in *in)
{
    const world_access *a = &w->accesses[w->accesses_done];

    memset(in, 0, sizeof *in);
    if (w->host_state == 0 && w->accesses_done < w->accesses_count && a->at <= clock) {
        w->host_state = 1;
        w->aw_left = w->w_left = true;
    }
    if (w->host_state == 1) {
        in->awvalid = a->write && w->aw_left;
        in->awaddr  = a->address;
        in->wvalid  = a->write && w->w_left;
        in->wdata   = a->data;
        in->wstrb   = 15;
        in->arvalid = !a->write && w->aw_left;
        in->araddr  = a->address;
        if ((in->awvalid && out->awready) || (in->arvalid && out->arready))
            w->aw_left = false;
        if (in->wvalid && out->wready)
            w->w_left = false;
        if (!w->aw_left && !(a->write && w->w_left))
            w->host_state = 2;
    } else if (w->host_state == 2) {
        in->bready = a->write;
        in->rready = !a->write;
        if (a->write ? out->bvalid : out->rvalid) {
            w->refused += (a->write ? out->bresp : out->rresp) != 0;
            w->response_hash = (w->response_hash ^ (a->write ? out->bresp : out->rdata)) * 0x100000001b3u;
            w->accesses_done++;
            w->host_state = 0;
        }
    }
}

static inline void world_drive(void *user, uint64_t clock, const totem_outputs *outputs, totem_inputs *inputs)
{
    world *w     = user;
    w->answering = false;
    for (int f = 0; f < TOTEM_FRONT_ENDS_MAX; f++)
        world_memory(w, clock, f, &outputs->memory[f], &inputs->memory[f]);
    world_host(w, clock, &outputs->host, &inputs->host);
}

static inline uint64_t world_steady(void *user, uint64_t clock)
{
    const world *w    = user;
    uint64_t     next = UINT64_MAX;

    if (w->answering || w->host_state == 1)
        return clock;
    for (int f = 0; f < TOTEM_FRONT_ENDS_MAX; f++) {
        if (w->write_open[f])
            return clock;
        if (w->reads[f].count && w->reads[f].list[0].due < next)
            next = w->reads[f].list[0].due;
        if (w->writes[f].count && w->writes[f].list[0].due < next)
            next = w->writes[f].list[0].due;
    }
    if (w->host_state == 0 && w->accesses_done < w->accesses_count && w->accesses[w->accesses_done].at < next)
        next = w->accesses[w->accesses_done].at;
    if (w->hold != 0) {
        const uint64_t edge = clock % w->hold ? clock + w->hold - clock % w->hold : clock;
        const uint64_t late = (clock + 7) % w->hold ? clock + w->hold - (clock + 7) % w->hold : clock;
        next                = edge < next ? edge : next;
        next                = late < next ? late : next;
    }
    return next < clock ? clock : next;
}

// -- workload ------------------------------------------------------------------------------------------------------

static inline void world_write(world *w, uint64_t at, uint32_t address, uint32_t data)
{
    assert(w->accesses_count < WORLD_ACCESSES);
    w->accesses[w->accesses_count++] = (world_access){at, true, address, data};
}

static inline void world_read(world *w, uint64_t at, uint32_t address)
{
    assert(w->accesses_count < WORLD_ACCESSES);
    w->accesses[w->accesses_count++] = (world_access){at, false, address, 0};
}

typedef struct {
    uint8_t *to;
    unsigned count;
} world_ring;

static inline void world_dword(world_ring *r, uint32_t dword)
{
    for (unsigned b = 0; b < 4; b++)
        r->to[r->count * 4 + b] = (uint8_t)(dword >> 8 * b);
    r->count++;
}

static inline void world_packet(world_ring *r, uint32_t op, unsigned count, const uint32_t *body)
{
    world_dword(r, 3u << 30 | (count - 1) << 16 | op << 8);
    for (unsigned n = 0; n < count; n++)
        world_dword(r, body[n]);
}

// Packets of a queue: a few dispatches with fences, flushes, writes and waits between them.
static inline unsigned world_fill(world *w, world_ring *r, unsigned number)
{
    const unsigned parts = 1 + world_random(w, 4);
    for (unsigned n = 0; n < parts; n++) {
        const uint32_t threads[] = {0x207, 1 + world_random(w, 130), 1 + world_random(w, 2), 1};
        const uint32_t program[] = {
            0x20c, world_random(w, 16), 0, 0, 0, 0, 0, world_random(w, 8), world_random(w, 3) << 15};
        const uint32_t dispatch[] = {1 + world_random(w, 6), 1 + world_random(w, 3), 1, 1};
        const uint32_t release[]  = {
             0x14, (1 + world_random(w, 3)) << 29 | world_random(w, 3) << 24, 0x8000 + 16 * number, 0, n + 1, 0, number};
        const uint32_t flush[] = {TOTEM_EVENT_CS_PARTIAL_FLUSH};
        const uint32_t write[] = {5 << 8, 0x9000 + 8 * number, 0, n + 1};
        const uint32_t wait[]  = {0x13, 0x9000 + 8 * number, 0, n + 1, 0xffffffff, 4};
        world_packet(r, TOTEM_OP_SET_SH_REG, 4, threads);
        world_packet(r, TOTEM_OP_SET_SH_REG, 9, program);
        world_packet(r, TOTEM_OP_DISPATCH_DIRECT, 4, dispatch);
        if (world_random(w, 2))
            world_packet(r, TOTEM_OP_RELEASE_MEM, 7, release);
        if (world_random(w, 3) == 0)
            world_packet(r, TOTEM_OP_EVENT_WRITE, 1, flush);
        if (world_random(w, 3) == 0) {
            world_packet(r, TOTEM_OP_WRITE_DATA, 4, write);
            world_packet(r, TOTEM_OP_WAIT_REG_MEM, 6, wait);
        }
    }
    if (world_random(w, 8) == 0)
        world_dword(r, 0x1234); // header of type 0: an error
    return r->count;
}

static inline void world_map(world *w, uint64_t at, unsigned pipe, unsigned queue)
{
    const uint32_t window = 0x10000 + pipe * 0x1000 + queue * 0x100;
    const uint32_t ring   = WORLD_RING + (pipe * 8 + queue) * WORLD_RING_BYTES;
    world_ring     r      = {w->bytes + ring, 0};
    const unsigned count  = world_fill(w, &r, pipe * 8 + queue);

    assert(count * 4 <= WORLD_RING_BYTES);
    world_write(w, at, window + 4 * 4, 0x0be05300);
    world_write(w, at, window + 5 * 4, world_random(w, 3));
    world_write(w, at, window + 6 * 4, world_random(w, 16));
    // Three of four with a quantum, of both units, from none to 6 of them.
    world_write(w, at, window + 7 * 4, (queue % 4 != 3) | (queue & 1) << 4 | (queue * 5 + pipe) % 7 << 8);
    world_write(w, at, window + 8 * 4, ring >> 8);
    world_write(w, at, window + 11 * 4, 0xa000 + (pipe * 8 + queue) * 8);
    world_write(w, at, window + 15 * 4, 1u << 30);
    world_write(w, at, window + 17 * 4, 0x00300007);
    world_write(w, at, window + 54 * 4, 0);
    world_write(w, at, window + 2 * 4, 1);
    world_write(w, at + world_random(w, 3000), 0x4000 + (pipe * 8 + queue) * 4, count);
}

// The ring of front end 0 with draws and fences, before all that is mapped; nothing where there is no graphics.
static inline void world_map_ring(world *w)
{
    const uint32_t window = 0x18000, clear[] = {0}, type[] = {0x242, 1};
    world_ring     r      = {w->bytes + WORLD_DRAWS, 0};
    world          queues = *w;
    totem_sizes    sizes;

    totem_configuration(&sizes);
    if (!sizes.graphics)
        return;
    world_packet(&r, TOTEM_OP_CLEAR_STATE, 1, clear);
    world_packet(&r, TOTEM_OP_SET_UCONFIG_REG, 2, type);
    for (unsigned n = 0; n < 6; n++) {
        const uint32_t vertex[]  = {0x48, world_random(w, 16), 0, world_random(w, 8), 4 << 1};
        const uint32_t pixel[]   = {0x08, world_random(w, 16), 0, world_random(w, 8), 0};
        const uint32_t draw[]    = {1 + world_random(w, 500), 2};
        const uint32_t release[] = {0x14, 1u << 29, 0xb000, 0, n + 1, 0, 0};
        world_packet(&r, TOTEM_OP_SET_SH_REG, 5, vertex);
        world_packet(&r, TOTEM_OP_SET_SH_REG, 5, pixel);
        world_packet(&r, TOTEM_OP_DRAW_INDEX_AUTO, 2, draw);
        if (world_random(w, 2))
            world_packet(&r, TOTEM_OP_RELEASE_MEM, 7, release);
    }
    assert(r.count * 4 <= WORLD_RING_BYTES);
    w->accesses_count = 0;
    for (unsigned e = 0; e < sizes.engines; e++)
        for (unsigned n = 0; n < 16; n++) {
            world_write(w, 0, 0x20c0 + e * 0x400 + n * 4, world_random(w, 5) | world_random(w, 200) << 8);
            world_write(w, 0, 0x2100 + e * 0x400 + n * 4, world_random(w, 100));
        }
    world_write(w, 0, window + 4 * 4, 0x0be05300);
    world_write(w, 0, window + 8 * 4, WORLD_DRAWS >> 8);
    world_write(w, 0, window + 15 * 4, 1u << 30 | 0x100);
    world_write(w, 0, window + 17 * 4, 0x00300007);
    world_write(w, 0, window + 2 * 4, 1);
    world_write(w, 0, 0x4100, r.count);
    assert(w->accesses_count + queues.accesses_count <= WORLD_ACCESSES);
    memcpy(w->accesses + w->accesses_count, queues.accesses, queues.accesses_count * sizeof *queues.accesses);
    w->accesses_count += queues.accesses_count;
}

static inline void world_init(world *w, uint64_t seed)
{
    static const uint32_t holds[] = {0, 5, 40, 700};
    totem_sizes           sizes;

    totem_configuration(&sizes);
    memset(w, 0, sizeof *w);
    w->random   = seed;
    w->latency  = 1 + world_random(w, 200);
    w->straggle = world_random(w, 2) ? 0 : 4 + world_random(w, 24);
    w->hold     = holds[world_random(w, 4)];
    world_write(w, 0, 0x40, 2 * w->latency + world_random(w, 20 * w->latency)); // time-out of the memory port
    world_write(w, 0, 0x44, (uint32_t)(1 + seed * 37 % 900)); // units of the quantum, limit of a turn, events
    world_write(w, 0, 0x48, (uint32_t)(50 + seed * 211 % 3000));
    world_write(w, 0, 0x4c, (uint32_t)(seed % 3 ? 100 + seed * 131 % 2000 : 0));
    world_write(w, 0, 0x50, seed & 1);
    world_write(w, 0, 0x1004, 0x7f);
    for (unsigned e = 0; e < sizes.engines; e++) {
        for (unsigned n = 0; n < 16; n++) {
            world_write(w, 0, 0x2000 + e * 0x400 + n * 4,
                        world_random(w, 4) ? world_random(w, 300) : world_random(w, 9000));
            world_write(w, 0, 0x2040 + e * 0x400 + n * 4, world_random(w, 8));
        }
        if (world_random(w, 3) == 0)
            world_write(w, 0, 0x2084 + e * 0x400, world_random(w, 500));
    }
    for (unsigned n = 0; n < 6; n++) {
        const unsigned pipe = world_random(w, sizes.front_ends * sizes.pipes), queue = world_random(w, sizes.queues);
        const uint64_t at = (uint64_t)n * world_random(w, 6000);
        world_map(w, at, pipe, queue);
        world_read(w, at, 0x10000 + pipe * 0x1000 + queue * 0x100 + 59 * 4);
        world_read(w, at, 0x20); // the low half of the clock
        world_read(w, at, 0x3ffc0);
    }
}

#endif
