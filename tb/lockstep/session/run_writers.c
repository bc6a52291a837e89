// SPDX-License-Identifier: Apache-2.0
//
// run_writers: see run_writers.h.

#include "run_writers.h"

#include "../../../cmodel/host/totem_regs_map.h"
#include "../../../cmodel/packet/totem_pm4.h"
#include "address.h"

#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { WORDS = 16, SCANNED = 1 << 16, DEPTH = 4, NEAR = 64, RELEASES = 2 };

// What a packet writes first, and where.
typedef struct {
    uint64_t to, value;
    uint32_t bytes;
    bool     valued;
} target;

void run_writers_open(run_writers *w, const totem_workload *workload)
{
    memset(w, 0, sizeof *w);
    w->workload = workload;
}

void run_writers_close(run_writers *w)
{
    free(w->writes);
    free(w->tasks);
}

// Dwords one behind the other: a piece of a ring, a buffer, or what the host has not written yet.
typedef struct {
    const memory   *memory;
    const uint32_t *words; // NULL: memory holds them
    uint64_t        base;
    uint32_t        from, mask, count;
    bool            ring;
} source;

static uint64_t address_of(const source *from, uint32_t n)
{
    return from->base + 4 * (uint64_t)((from->from + n) & from->mask);
}

// False: there is none.
static bool packet_of(const source *from, uint32_t n, uint32_t words[WORDS], totem_pm4_packet *p)
{
    const uint32_t left = from->count > n ? from->count - n : 0, count = left < WORDS ? left : WORDS;
    for (uint32_t k = 0; k < count; k++)
        words[k] = from->words ? from->words[n + k] : memory_read32(from->memory, address_of(from, n + k));
    if (count)
        totem_pm4_cut(words, count, 0, from->ring, p);
    return count;
}

static target target_of(const totem_pm4_packet *p, const uint32_t w[WORDS])
{
    target t = {0};
    if (p->type != 3 || p->present < 4)
        return t;
    const bool memory = (w[1] >> 8 & 15) == 5 || (w[1] >> 8 & 15) == 2;
    switch (p->op) {
    case TOTEM_OP_WRITE_DATA:
        t = (target){.to     = memory ? packet_address(w[2], w[3]) : 0,
                     .value  = p->present > 4 ? w[4] : 0,
                     .bytes  = (w[1] >> 16 & 1) != 0 ? 4 : 4 * (uint32_t)(p->dwords - 4),
                     .valued = p->present > 4 && (w[1] >> 16 & 1) == 0};
        break;
    case TOTEM_OP_RELEASE_MEM: {
        const uint32_t select = w[2] >> 29;
        t.to                  = p->present > 4 ? packet_address(w[3], w[4]) : 0;
        t.bytes               = select == 0 ? 0 : select == 1 ? 4 : 8;
        t.valued              = p->present > 6 && (select == 1 || select == 2);
        t.value               = t.valued ? (select == 2 ? (uint64_t)w[6] << 32 : 0) | w[5] : 0;
        break;
    }
    case TOTEM_OP_COPY_DATA:
        t = (target){.to    = p->present > 5 && (memory || (w[1] >> 8 & 15) == 1) ? packet_address(w[4], w[5]) : 0,
                     .bytes = (w[1] >> 16 & 1) != 0 ? 8 : 4};
        break;
    case TOTEM_OP_DMA_DATA:
        // Neither GDS nor nowhere.
        t = (target){.to    = p->present > 6 && ((w[1] >> 20 & 3) % 3) == 0 ? packet_address(w[4], w[5]) : 0,
                     .bytes = p->present <= 6         ? 0
                              : (w[6] >> 29 & 1) != 0 ? 4
                                                      : w[6] & 0x3ffffff}; // daic: one dword
        break;
    case TOTEM_OP_ATOMIC_MEM:
        t = (target){.to = packet_address(w[2], w[3]), .bytes = (w[1] >> 5 & 1) != 0 ? 8 : 4};
        break;
    default: break;
    }
    return t;
}

// ---- while the run goes on

static void *larger(void *list, size_t count, size_t *room, size_t size)
{
    if (count < *room)
        return list;
    *room      = *room ? 2 * *room : 64;
    void *more = realloc(list, *room * size);
    if (!more)
        abort();
    return more;
}

static void note_write(run_writers *w, const session *s, const source *from, int pipe, unsigned queue, uint8_t opcode)
{
    uint32_t         words[WORDS] = {0};
    totem_pm4_packet p;
    if (!packet_of(from, 0, words, &p) || p.type != 3 || p.op != opcode)
        return;
    const target t = target_of(&p, words);
    if (!t.to || !t.bytes)
        return;
    w->writes = larger(w->writes, w->writes_count, &w->writes_room, sizeof *w->writes);
    w->writes[w->writes_count++] =
        (run_write){p.name, pipe, queue, address_of(from, 0), t.to, session_clock(s), t.value, t.bytes, t.valued};
}

// Of pipe `pipe`: the packet that was executed, where it lies.
#define EXECUTED(model, out)                                                                                         \
    do {                                                                                                             \
        const unsigned q      = (out)->arbiter.selected;                                                             \
        const bool     buffer = (model)->fetch.buffer[q];                                                            \
        source         from   = {.memory = session_memory(s), .count = WORDS, .ring = pipe >= RING_PIPE};            \
        from.base             = buffer ? (model)->fetch.buffer_addr[q] << 2 : (uint64_t)(model)->fetch.base[q] << 8; \
        from.from             = (buffer ? 0 : (model)->fetch.rptr[q]) + (model)->execute.deferred;                   \
        from.mask             = buffer ? UINT32_MAX : (uint32_t)((UINT64_C(2) << (model)->fetch.size[q]) - 1);       \
        if ((out)->execute.executed && !(out)->execute.unsuccessful && (out)->execute.executed_opcode)               \
            note_write(w, s, &from, pipe, q, (out)->execute.executed_opcode);                                        \
    } while (0)

static run_task *task_at(run_writers *w, uint64_t address)
{
    for (size_t n = 0; n < w->tasks_count; n++)
        if (w->tasks[n].address == address)
            return &w->tasks[n];
    w->tasks                   = larger(w->tasks, w->tasks_count, &w->tasks_room, sizeof *w->tasks);
    w->tasks[w->tasks_count++] = (run_task){.address = address};
    return &w->tasks[w->tasks_count - 1];
}

void run_writers_clock(run_writers *w, const session *s)
{
    const totem_machine     *m = session_model(s);
    const totem_machine_out *o = session_out(s);
    for (int pipe = 0; m && pipe < TOTEM_PIPE_COUNT; pipe++)
        EXECUTED(&m->fe[pipe / TOTEM_PIPES].pipe[pipe % TOTEM_PIPES].front,
                 &o->fe[pipe / TOTEM_PIPES].pipe[pipe % TOTEM_PIPES].front);
#if TOTEM_GRAPHICS
    for (int pipe = RING_PIPE; m && pipe < RING_PIPE + RINGS; pipe++)
        EXECUTED(&m->fe[pipe - RING_PIPE].graphics_pipe.front, &o->fe[pipe - RING_PIPE].graphics_pipe.front);
#endif
#if TOTEM_TASKS
    for (int f = 0; m && f < TOTEM_FE_COUNT; f++) {
        const totem_fe_out *p = &o->fe[f];
        if (p->tasks.pointer_write_enable) {
            const uint64_t address                 = (p->tasks.pointer_write_data & 0xffffffff) << 8;
            w->own[f][p->tasks.pointer_write_addr] = address;
            task_at(w, address)->loaded            = session_clock(s);
        }
        if (p->finish.over_valid)
            task_at(w, w->own[f][p->finish.over_entry])->over = session_clock(s);
    }
#endif
}

// ---- at the end

// The best that was found of these ranks; if none, what is nearest.
typedef enum { ANNOUNCED, OWN, LATER, TASK, DONE, UNMAPPED, NOBODY } rank;
typedef struct {
    run_writers *w;
    session     *s;
    uint64_t     address, distance;
    uint32_t     bytes, scanned;
    int          pipe;
    unsigned     queue;
    rank         best;
    bool         cut; // a stream had more packets than are looked at
    char         text[200], near[200];
} hunt;

// Who, and the ends of the sentence: if it writes there, and if only near there.
static void consider(hunt *h, rank of, uint64_t to, uint32_t bytes, const char *who, const char *exact,
                     const char *near)
{
    if (to < h->address + h->bytes && h->address < to + bytes) {
        if (of < h->best || (of == DONE && h->best == DONE)) // of what was executed the last
            snprintf(h->text, sizeof h->text, "%s%s", who, exact);
        h->best = of < h->best ? of : h->best;
        return;
    }
    const bool     beyond   = to > h->address;
    const uint64_t distance = beyond ? to - h->address : h->address - (to + bytes - 1);
    if (bytes == 0 || distance > NEAR || distance >= h->distance)
        return;
    h->distance = distance;
    snprintf(h->near, sizeof h->near, "; nearest write: 0x%010" PRIx64 " (%" PRIu64 " bytes %s) by %s%s", to,
             beyond ? to - h->address : h->address - to, beyond ? "beyond" : "before", who, near);
}

static void scan(hunt *h, const source *from, rank of, const char *owner, const char *exact, const char *near,
                 unsigned depth)
{
    uint32_t         words[WORDS] = {0};
    totem_pm4_packet p;
    if (depth == 0)
        h->scanned = 0;
    for (uint32_t n = 0; h->scanned < SCANNED && packet_of(from, n, words, &p); n += (uint32_t)p.dwords, h->scanned++) {
        const target t = target_of(&p, words);
        char         who[120];
        if (t.to && p.name) {
            snprintf(who, sizeof who, "%s of %s at 0x%010" PRIx64, p.name, owner, address_of(from, n));
            consider(h, of, t.to, t.bytes, who, exact, near);
        } else if (p.type == 3 && (p.op == TOTEM_OP_INDIRECT_BUFFER || (p.op == TOTEM_OP_RUN_LIST && depth == 0)) &&
                   p.present > 3 && depth < DEPTH) {
            const source called = {.memory = from->memory,
                                   .base   = packet_address(words[1], words[2]),
                                   .mask   = UINT32_MAX,
                                   .count  = words[3] & 0xfffff,
                                   .ring   = from->ring};
            scan(h, &called, of, owner, exact, near, depth + 1);
        } else if (p.type == 3 && p.op == TOTEM_OP_LAUNCH_TASK && p.present > 1)
            task_at(h->w, (uint64_t)words[1] << 8);
    }
    h->cut = h->cut || h->scanned == SCANNED;
}

// The stream of the workload that has this ring.
static const totem_workload_queue *stream_of(const totem_workload *w, uint64_t ring)
{
    for (uint32_t n = 0; n < w->queues_count + w->rings_count; n++) {
        const totem_workload_queue *q = n < w->queues_count ? &w->queues[n] : &w->rings[n - w->queues_count];
        if (q->ring.address == ring)
            return q;
    }
    return NULL;
}

static void slot_writes(hunt *h, int pipe, unsigned q, const run_slot *v)
{
    const bool same = pipe == h->pipe, own = same && q == h->queue;
    char       owner[40], exact[120];
    run_slot_owner(pipe, q, owner);
    snprintf(exact, sizeof exact, " writes it%s",
             own                                                            ? ", behind this packet: never"
             : v->halted                                                    ? ", but that queue is halted"
             : same && v->reason == TOTEM_REG_QUEUE_STATE_REASON_WAITS_TURN ? "; that queue wants the same pipe"
                                                                            : "");
    const uint32_t mask = (uint32_t)((UINT64_C(2) << v->size) - 1);
    source         from = {.memory = session_memory(h->s), .ring = pipe >= RING_PIPE};
    if (v->buffer) {
        from.base  = v->address;
        from.mask  = UINT32_MAX;
        from.count = v->left;
        scan(h, &from, own ? OWN : ANNOUNCED, owner, exact, ", not executed yet", 0);
    }
    from.base  = (uint64_t)v->base << 8;
    from.from  = v->rptr;
    from.mask  = mask;
    from.count = v->wptr - v->rptr;
    scan(h, &from, own ? OWN : ANNOUNCED, owner, exact, ", not executed yet", 0);
    const totem_workload_queue *stream = stream_of(h->w->workload, from.base);
    if (!stream || stream->stream.words_count <= v->wptr)
        return;
    snprintf(exact, sizeof exact, " would write it, but its doorbell has announced %" PRIu32 " of %" PRIu32 " dwords",
             v->wptr, stream->stream.words_count);
    from.words = stream->stream.words + v->wptr;
    from.from  = v->wptr;
    from.count = stream->stream.words_count - v->wptr;
    scan(h, &from, LATER, owner, exact, ", not announced by a doorbell", 0);
}

static void executed_writes(hunt *h)
{
    for (size_t n = 0; n < h->w->writes_count; n++) {
        const run_write *e = &h->w->writes[n];
        char             owner[40], who[140], value[40] = "there";
        snprintf(who, sizeof who, "%s of %s at 0x%010" PRIx64 ", executed in clock %" PRIu64, e->name,
                 run_slot_owner(e->pipe, e->queue, owner), e->at, e->clock);
        if (e->valued && e->to == h->address)
            snprintf(value, sizeof value, "0x%" PRIx64 " there", e->value);
        char exact[60];
        snprintf(exact, sizeof exact, ", writes %s", value);
        consider(h, DONE, e->to, e->bytes, who, exact, "");
    }
}

// Queues of the workload that no slot has.
static void unmapped_writes(hunt *h)
{
    const totem_workload *w = h->w->workload;
    for (uint32_t n = 0; n < w->queues_count; n++) {
        bool mapped = false;
        for (int pipe = 0; pipe < TOTEM_PIPE_COUNT; pipe++)
            for (unsigned q = 0; q < TOTEM_QUEUES; q++) {
                run_slot v;
                mapped = mapped || (run_slot_read(h->s, pipe, q, &v) && v.mapped &&
                                    (uint64_t)v.base << 8 == w->queues[n].ring.address);
            }
        const totem_workload_queue *own  = &w->queues[n];
        const source                from = {.memory = session_memory(h->s),
                                            .words  = own->stream.words,
                                            .base   = own->ring.address,
                                            .mask   = own->ring.size - 1,
                                            .count  = own->stream.words_count};
        char                        owner[40];
        if (!mapped)
            scan(h, &from, UNMAPPED, run_slot_owner((int)own->pipe, own->queue, owner),
                 " would write it, but that queue is not mapped", ", of a queue that is not mapped", 0);
    }
}

void run_writers_task(const run_writers *w, uint64_t address, char *text, size_t size)
{
    const char *name = NULL;
    for (uint32_t n = 0; n < w->workload->tasks_count; n++)
        if (w->workload->tasks[n].address == address)
            name = w->workload->tasks[n].name;
    snprintf(text, size, "task%s%s at 0x%010" PRIx64, name ? " " : "", name ? name : "", address);
}

unsigned run_writers_descriptor(session *s, uint64_t address, uint32_t words[TOTEM_TMD_DWORDS])
{
    for (uint32_t k = 0; k < TOTEM_TMD_DWORDS; k++)
        words[k] = memory_read32(session_memory(s), address + 4 * (uint64_t)k);
    return totem_tmd_version(words);
}

// All tasks that the workload has, that its waves launch, and that these name.
static void know_tasks(run_writers *w, session *s)
{
    for (uint32_t n = 0; n < w->workload->tasks_count; n++)
        task_at(w, w->workload->tasks[n].address);
    for (uint32_t n = 0; n < w->workload->programs_count; n++)
        if (w->workload->programs[n].child)
            task_at(w, *w->workload->programs[n].child);
    for (size_t n = 0; n < w->tasks_count && w->tasks_count < SCANNED; n++) {
        uint32_t       words[TOTEM_TMD_DWORDS];
        const unsigned version = run_writers_descriptor(s, w->tasks[n].address, words);
        if (version != TOTEM_TMD_VERSIONS && totem_tmd_value(words, version, TOTEM_TMD_DEPENDENT_ENABLE))
            task_at(w, (uint64_t)totem_tmd_value(words, version, TOTEM_TMD_DEPENDENT_POINTER) << 8);
    }
}

bool run_writers_parent(run_writers *w, session *s, uint64_t address, uint64_t *parent)
{
    know_tasks(w, s);
    for (size_t n = 0; n < w->tasks_count; n++) {
        uint32_t       words[TOTEM_TMD_DWORDS];
        const unsigned version = run_writers_descriptor(s, w->tasks[n].address, words);
        *parent                = w->tasks[n].address;
        if (*parent != address && version != TOTEM_TMD_VERSIONS &&
            totem_tmd_value(words, version, TOTEM_TMD_DEPENDENT_ENABLE) &&
            (uint64_t)totem_tmd_value(words, version, TOTEM_TMD_DEPENDENT_POINTER) << 8 == address)
            return true;
    }
    return false;
}

static void task_writes(hunt *h, const run_task *t)
{
    uint32_t       words[TOTEM_TMD_DWORDS];
    const unsigned version = run_writers_descriptor(h->s, t->address, words);
    if (version == TOTEM_TMD_VERSIONS)
        return;
    char task[60], who[140], state[60];
    run_writers_task(h->w, t->address, task, sizeof task);
    if (!t->loaded)
        snprintf(state, sizeof state, " which was not loaded");
    else if (t->over < t->loaded)
        snprintf(state, sizeof state, " loaded in clock %" PRIu64 " and not ended", t->loaded);
    else
        snprintf(state, sizeof state, " ended in clock %" PRIu64, t->over);
    for (unsigned n = 0; n < RELEASES; n++) {
        const unsigned off = n ? TOTEM_TMD_RELEASE1_ENABLE - TOTEM_TMD_RELEASE0_ENABLE : 0;
#define V(key) totem_tmd_value(words, version, TOTEM_TMD_RELEASE0_##key + off)
        if (!V(ENABLE))
            continue;
        const uint64_t to = packet_address(V(ADDRESS_LOW), V(ADDRESS_HIGH));
        snprintf(who, sizeof who, "release %u of %s,%s", n, task, state);
        consider(h, t->loaded && t->over >= t->loaded ? DONE : TASK, to,
                 V(SIZE) == 1   ? 4
                 : V(SIZE) == 2 ? 8
                                : 16,
                 who, t->loaded && t->over >= t->loaded ? ", writes there" : ", would write it", "");
#undef V
    }
}

bool run_writers_find(run_writers *w, session *s, int pipe, unsigned queue, uint64_t address, uint32_t bytes,
                      char *text, size_t size)
{
    hunt h     = {.w = w, .s = s, .address = address, .bytes = bytes, .pipe = pipe, .queue = queue};
    h.best     = NOBODY;
    h.distance = NEAR + 1;
    for (int p = 0; p < RUN_PIPES; p++)
        for (unsigned q = 0; q < TOTEM_QUEUES; q++) {
            run_slot v;
            if (run_slot_read(s, p, q, &v) && v.mapped)
                slot_writes(&h, p, q, &v);
        }
    executed_writes(&h);
    unmapped_writes(&h);
    know_tasks(w, s);
    for (size_t n = 0; n < w->tasks_count; n++)
        task_writes(&h, &w->tasks[n]);
    const char *nobody = h.cut ? "nothing among the first 65536 packets of a stream writes it"
                               : "nothing that the workload holds writes it";
    snprintf(text, size, "%s%s", h.best == NOBODY ? nobody : h.text, h.best == NOBODY ? h.near : "");
    return h.best != NOBODY;
}
