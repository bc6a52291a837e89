// SPDX-License-Identifier: Apache-2.0
//
// account: see account.h. Packets are cut by cmodel/tool/pm4_decode; what a dispatch means is read here from the rules
// of docs/queue.md, not from the model.

#include "account.h"

#include "../../cmodel/queue/totem_pm4.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { QUEUES = TOTEM_PIPE_COUNT * TOTEM_QUEUES, REGISTERS = 128, WAVES_MOST = 64 };

typedef struct {
    uint32_t  start[3], end[3]; // groups, end exclusive
    uint32_t  full[3], last[3]; // threads of a group in each dimension; of the last group there
    uint32_t  size;             // threads of a wave
    uint64_t  waves;            // of all groups
    uint32_t  vgprs, lds;       // blocks: of a wave, of a group
    uint64_t  program;
    bool      engines[4];
    uint64_t  groups, launched; // launched counts waves
    uint64_t *seen;             // one bit for each wave of the group: groups words
} dispatch;

typedef struct {
    uint32_t  registers[REGISTERS];
    dispatch *list;
    size_t    count, room;
    size_t    first; // before it everything is launched
} queue_account;

typedef struct {
    bool     running;
    uint32_t vgprs;
    int      group; // place in groups
} slot;

typedef struct {
    uint32_t waves_left, lds; // a group holds its LDS until its last wave has ended
} group_entry;

typedef struct {
    slot        slots[TOTEM_SLOTS];
    group_entry groups[TOTEM_SLOTS + 1];
    int         current; // the group on the launch port: its waves come one after the other
    uint32_t    vgprs, lds;
} engine;

struct account {
    queue_account queues[QUEUES];
    engine        engines[TOTEM_SE_COUNT];
    account_sums  sums;
};

account *account_create(void)
{
    account *a = calloc(1, sizeof *a);
    if (!a)
        return NULL;
    for (int q = 0; q < QUEUES; q++)
        account_remap(a, q / TOTEM_QUEUES, q % TOTEM_QUEUES);
    return a;
}

void account_remap(account *a, int pipe, int queue)
{
    uint32_t *registers = a->queues[pipe * TOTEM_QUEUES + queue].registers;
    for (uint32_t r = 0; r < REGISTERS; r++) // COMPUTE_STATIC_THREAD_MGMT_SE0..3
        registers[r] = r == 0x16 || r == 0x17 || r == 0x19 || r == 0x1a ? 0xffffffffu : 0;
}

void account_destroy(account *a)
{
    if (!a)
        return;
    for (int q = 0; q < QUEUES; q++) {
        for (size_t d = 0; d < a->queues[q].count; d++)
            free(a->queues[q].list[d].seen);
        free(a->queues[q].list);
    }
    free(a);
}

static uint32_t waves_of(const dispatch *d, uint64_t threads)
{
    const uint64_t waves = (threads + d->size - 1) / d->size;
    return waves > UINT32_MAX ? UINT32_MAX : (uint32_t)waves;
}

// Threads of one group: in the last group of a dimension there may be fewer.
static uint32_t threads_of(const dispatch *d, const uint32_t id[3])
{
    uint32_t threads = 1;
    for (int k = 0; k < 3; k++)
        threads *= id[k] == d->end[k] - 1 ? d->last[k] : d->full[k];
    return threads;
}

static void group_id(const totem_launch_out *l, uint32_t id[3])
{
    id[0] = (uint32_t)l->launch_group;
    id[1] = (uint32_t)(l->launch_group >> 32 & 0xffff);
    id[2] = (uint32_t)(l->launch_group >> 48);
}

static bool add(account *a, queue_account *q, const uint32_t *body, char message[256])
{
    const uint32_t *r         = q->registers;
    const uint32_t  initiator = body[3];
    dispatch        d         = {0};
    d.groups                  = 1;
    for (int k = 0; k < 3; k++) {
        d.full[k]  = r[7 + k] & 0xffff;
        d.last[k]  = initiator & 1u << 1 ? r[7 + k] >> 16 : d.full[k];
        d.start[k] = initiator & 1u << 2 ? 0 : r[4 + k];
        d.end[k]   = body[k];
        if (initiator & 1u << 5 && d.full[k]) // counted in threads: groups that hold them all
            d.end[k] = body[k] / d.full[k] + (body[k] % d.full[k] != 0);
        d.groups *= d.end[k] > d.start[k] ? d.end[k] - d.start[k] : 0;
    }
    d.size       = initiator & 1u << 15 ? 32 : 64;
    d.program    = ((uint64_t)r[0xd] << 32 | r[0xc]) & 0xffffffffffu;
    d.vgprs      = (r[0x12] & 0x3f) + 1;
    d.lds        = r[0x13] >> 15 & 0x1ff;
    d.engines[0] = r[0x16] != 0;
    d.engines[1] = r[0x17] != 0;
    d.engines[2] = r[0x19] != 0;
    d.engines[3] = r[0x1a] != 0;
    if (d.groups == 0)
        return true;
    const uint32_t largest = waves_of(&d, (uint64_t)d.full[0] * d.full[1] * d.full[2]);
    if (largest < 1 || largest > WAVES_MOST || d.groups > 1u << 24) {
        snprintf(message, 256, "account: a dispatch of %llu groups of %u waves is beyond what the account keeps",
                 (unsigned long long)d.groups, largest);
        return false;
    }
    for (unsigned edge = 0; edge < 8; edge++) { // bit k: the last group of dimension k
        uint64_t groups = 1, threads = 1;
        for (int k = 0; k < 3; k++) {
            groups *= edge >> k & 1 ? 1 : d.end[k] - d.start[k] - 1;
            threads *= edge >> k & 1 ? d.last[k] : d.full[k];
        }
        d.waves += groups * waves_of(&d, threads);
    }
    d.seen = calloc(d.groups, sizeof *d.seen);
    if (q->count == q->room) {
        q->room          = q->room ? 2 * q->room : 16;
        dispatch *larger = realloc(q->list, q->room * sizeof *larger);
        if (!larger)
            abort();
        q->list = larger;
    }
    if (!d.seen)
        abort();
    q->list[q->count++] = d;
    a->sums.dispatches++;
    a->sums.groups += d.groups;
    a->sums.waves += d.waves;
    return true;
}

typedef struct {
    const memory *memory;
    uint64_t      base;
    uint32_t      wrap; // ring: size - 1; indirect buffer: all ones
    uint32_t      from, dwords;
} source;

static uint32_t word(const source *s, uint32_t at)
{
    return memory_read32(s->memory, s->base + 4 * (uint64_t)((s->from + at) & s->wrap));
}

// Address in the first two body dwords of the packet at `at`.
static uint64_t operand(const source *s, uint32_t at)
{
    return ((uint64_t)(word(s, at + 2) & 0xff) << 32 | word(s, at + 1)) & ~(uint64_t)3;
}

static bool walk(account *a, queue_account *q, source s, bool nested, char message[256])
{
    for (uint32_t at = 0; at < s.dwords;) {
        const uint32_t header = word(&s, at), op = header >> 8 & 0xff;
        const uint32_t body = header == 0xffff1000u ? 0 : (header >> 16 & 0x3fff) + 1;
        if (header >> 30 == 2) {
            at++;
            continue;
        }
        if (header >> 30 != 3 || body >= s.dwords - at) {
            snprintf(message, 256, "account: no packet at dword %u of %s (0x%08x)", at,
                     nested ? "an indirect buffer" : "the ring", header);
            return false;
        }
        if (op == TOTEM_OP_SET_SH_REG) {
            const uint32_t first = word(&s, at + 1) & 0xffff;
            for (uint32_t n = 0; n + 1 < body; n++)
                if (first + n >= 0x200 && first + n < 0x200 + REGISTERS)
                    q->registers[first + n - 0x200] = word(&s, at + 2 + n);
        } else if (op == TOTEM_OP_DISPATCH_DIRECT) {
            uint32_t words[4];
            for (uint32_t n = 0; n < 4; n++)
                words[n] = word(&s, at + 1 + n);
            if (!add(a, q, words, message))
                return false;
        } else if (op == TOTEM_OP_DISPATCH_INDIRECT) {
            uint32_t words[4];
            for (uint32_t n = 0; n < 3; n++)
                words[n] = memory_read32(s.memory, operand(&s, at) + 4 * (uint64_t)n);
            words[3] = word(&s, at + 3);
            if (!add(a, q, words, message))
                return false;
        } else if (op == TOTEM_OP_COND_EXEC && memory_read32(s.memory, operand(&s, at)) == 0) {
            const uint32_t skipped = word(&s, at + 4) & 0x3fff;
            if (skipped > s.dwords - at - 5) {
                snprintf(message, 256, "account: COND_EXEC at dword %u of %s skips %u dwords, past its end", at,
                         nested ? "an indirect buffer" : "the ring", skipped);
                return false;
            }
            at += skipped;
        } else if (op == TOTEM_OP_INDIRECT_BUFFER) {
            const uint32_t control = word(&s, at + 3);
            const source   inner   = {
                    .memory = s.memory,
                    .base   = operand(&s, at),
                    .wrap   = 0xffffffffu,
                    .dwords = control & 0xfffff,
            };
            if (nested && control & 1u << 20) { // a chained buffer takes the place of this one
                s  = inner;
                at = 0;
                continue;
            }
            if (!walk(a, q, inner, true, message))
                return false;
        }
        at += 1 + body;
    }
    return true;
}

bool account_stream(account *a, int pipe, int queue, const memory *m, uint64_t base, uint32_t size, uint32_t from,
                    uint32_t dwords, char message[256])
{
    const source s = {.memory = m, .base = base, .wrap = size - 1, .from = from, .dwords = dwords};
    return walk(a, &a->queues[pipe * TOTEM_QUEUES + queue], s, false, message);
}

void account_move(account *a, int pipe, int queue, int to_pipe, int to_queue)
{
    queue_account *from = &a->queues[pipe * TOTEM_QUEUES + queue], *to = &a->queues[to_pipe * TOTEM_QUEUES + to_queue];
    const queue_account other = *to;
    *to                       = *from;
    *from                     = other;
}

void account_skip(account *a, int pipe, int queue)
{
    queue_account *q = &a->queues[pipe * TOTEM_QUEUES + queue];
    if (q->first == q->count)
        return;
    dispatch *d = &q->list[q->first++];
    a->sums.waves -= d->waves - d->launched;
    d->waves = d->launched;
}

static bool broken(char message[256], uint64_t clock, int e, const totem_launch_out *l, const char *what)
{
    snprintf(message, 256, "clock %llu: engine %d, pipe %d queue %u, group (%u, %u, %u) wave %u: %s",
             (unsigned long long)clock, e, l->launch_fe * TOTEM_PIPES + l->launch_pipe, l->launch_queue,
             (unsigned)(uint32_t)l->launch_group, (unsigned)(l->launch_group >> 32 & 0xffff),
             (unsigned)(l->launch_group >> 48), l->launch_index, what);
    return false;
}

// The dispatch that this wave belongs to: the first of its queue that still wants it.
static dispatch *owner(queue_account *q, const totem_launch_out *l, uint64_t *index, bool *doubled)
{
    uint32_t id[3];
    group_id(l, id);
    *doubled = false;
    for (size_t n = q->first; n < q->count; n++) {
        dispatch *d      = &q->list[n];
        bool      inside = l->launch_program == d->program && l->launch_index < waves_of(d, threads_of(d, id));
        uint64_t  at     = 0;
        for (int k = 2; k >= 0; k--) {
            inside = inside && id[k] >= d->start[k] && id[k] < d->end[k];
            at     = at * (d->end[k] - d->start[k]) + (id[k] - d->start[k]);
        }
        if (inside && !(d->seen[at] >> l->launch_index & 1)) {
            *index = at;
            return d;
        }
        *doubled = *doubled || inside;
        // A queue goes on to its next dispatch when the last group of this one is granted; groups still launching then
        // are at most one an engine, so a dispatch with more missing than that is the only one in question.
        if (d->launched + (uint64_t)4 * TOTEM_SE_COUNT * WAVES_MOST < d->waves)
            break;
    }
    return NULL;
}

static bool launch(account *a, const totem_launch_out *l, int e, uint64_t clock, char message[256])
{
    queue_account *q = &a->queues[(l->launch_fe * TOTEM_PIPES + l->launch_pipe) * TOTEM_QUEUES + l->launch_queue];
    engine        *s = &a->engines[e];
    uint64_t       index;
    bool           doubled;
    dispatch      *d = owner(q, l, &index, &doubled);
    if (!d)
        return broken(message, clock, e, l, doubled ? "launched twice" : "no dispatch of this queue wants it now");
    uint32_t id[3];
    group_id(l, id);
    const uint32_t waves   = waves_of(d, threads_of(d, id));
    const uint32_t last    = threads_of(d, id) - (waves - 1) * d->size;
    const uint32_t threads = l->launch_index + 1u == waves ? last : d->size;
    if (!d->engines[e])
        return broken(message, clock, e, l, "the dispatch excludes this engine");
    if (l->launch_waves != waves || l->launch_threads != threads || l->launch_wave32 != (d->size == 32) ||
        l->launch_vgprs != d->vgprs || l->launch_lds != d->lds)
        return broken(message, clock, e, l, "wrong shape (waves, threads, wave size, registers or LDS)");
    if (s->slots[l->launch_slot].running)
        return broken(message, clock, e, l, "its slot is taken");
    d->seen[index] |= (uint64_t)1 << l->launch_index;
    d->launched++;
    a->sums.launched++;
    while (q->first < q->count && q->list[q->first].launched == q->list[q->first].waves)
        q->first++;

    if (l->launch_index == 0) {
        s->current = 0;
        while (s->groups[s->current].waves_left)
            s->current++; // there are more places than slots
        s->groups[s->current] = (group_entry){.waves_left = waves, .lds = d->lds};
        s->lds += d->lds;
    }
    s->slots[l->launch_slot] = (slot){.running = true, .vgprs = d->vgprs, .group = s->current};
    s->vgprs += d->vgprs;
    if (s->vgprs > TOTEM_VGPRS || s->lds > TOTEM_LDS)
        return broken(message, clock, e, l, "the engine now holds more registers or LDS than it has");
    return true;
}

bool account_step(account *a, const totem_machine_out *out, uint64_t clock, char message[256])
{
    for (int e = 0; e < TOTEM_SE_COUNT; e++) {
        const totem_launch_out *l = &out->se[e].launch;
        const totem_wave_out   *w = &out->wave[e];
        if (w->done_valid) {
            slot *s = &a->engines[e].slots[w->done_slot];
            if (!s->running) {
                snprintf(message, 256, "clock %llu: engine %d: slot %u is done but holds no wave",
                         (unsigned long long)clock, e, w->done_slot);
                return false;
            }
            group_entry *g = &a->engines[e].groups[s->group];
            a->engines[e].vgprs -= s->vgprs;
            if (--g->waves_left == 0)
                a->engines[e].lds -= g->lds;
            s->running = false;
            a->sums.ended++;
        }
        if (l->launch_valid && w->launch_ready && !launch(a, l, e, clock, message))
            return false;
    }
    return true;
}

account_sums account_sum(const account *a)
{
    return a->sums;
}

bool account_complete(const account *a, char message[256])
{
    for (int q = 0; q < QUEUES; q++)
        for (size_t n = a->queues[q].first; n < a->queues[q].count; n++) {
            const dispatch *d = &a->queues[q].list[n];
            if (d->launched != d->waves) {
                snprintf(message, 256, "pipe %d queue %d: dispatch %zu has launched %llu of %llu waves",
                         q / TOTEM_QUEUES, q % TOTEM_QUEUES, n, (unsigned long long)d->launched,
                         (unsigned long long)d->waves);
                return false;
            }
        }
    if (a->sums.launched != a->sums.ended) {
        snprintf(message, 256, "%llu waves are still running", (unsigned long long)(a->sums.launched - a->sums.ended));
        return false;
    }
    return true;
}
