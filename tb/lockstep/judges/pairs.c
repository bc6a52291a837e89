// SPDX-License-Identifier: Apache-2.0
//
// pairs: see pairs.h.

#include "pairs.h"

#include "../../../cmodel/queue/totem_hqd_values.h"
#include "ring.h"

#include <stdio.h>
#include <stdlib.h>

enum {
    SLOTS  = TOTEM_PIPE_COUNT * TOTEM_QUEUES,
    MQDS   = SLOTS + TOTEM_SE_COUNT * TOTEM_SLOTS + 1,
    GRANTS = 64,
    NONE   = -1
};
enum { TOP_RPTR = 93, END_RPTR = 96, END_SEQUENCE = 97, TOP_SEQUENCE = 107 };

typedef struct {
    int      mqd;
    int      slot;
    uint32_t mapping; // number of the mapping that launched it
    uint32_t waves;   // granted, not launched
} granted;

typedef struct {
    granted  list[GRANTS]; // in the order in which they are launched
    unsigned first, count;
    granted  owner[TOTEM_SLOTS];
} engine;

struct pairs {
    uint64_t     address[MQDS];
    uint32_t     running[MQDS]; // waves granted that have not ended
    uint32_t     older[MQDS];   // of these, of mappings before the last one
    uint32_t     mapping[MQDS]; // mappings so far
    int          mqds;
    int          slot[SLOTS]; // MQD with which a slot was mapped last
    engine       engines[TOTEM_SE_COUNT];
    pairs_counts counts;
};

pairs *pairs_create(void)
{
    pairs *p = calloc(1, sizeof *p);
    for (int n = 0; p && n < SLOTS; n++)
        p->slot[n] = NONE;
    for (int n = 0; p && n < TOTEM_SE_COUNT * TOTEM_SLOTS; n++)
        p->engines[n / TOTEM_SLOTS].owner[n % TOTEM_SLOTS].mqd = NONE;
    return p;
}

void pairs_destroy(pairs *p)
{
    free(p);
}

pairs_counts pairs_count(const pairs *p)
{
    return p->counts;
}

// One of which nothing runs, and with which no slot was mapped last: its pairs say nothing any more. NONE if there is
// none.
static int unused(const pairs *p)
{
    for (int n = 0; n < p->mqds; n++) {
        bool used = p->running[n] != 0;
        for (int k = 0; k < SLOTS && !used; k++)
            used = p->slot[k] == n;
        if (!used)
            return n;
    }
    return NONE;
}

// NONE: there is no address.
static int number_of(pairs *p, uint64_t address)
{
    if (address == 0)
        return NONE;
    for (int n = 0; n < p->mqds; n++)
        if (p->address[n] == address)
            return n;
    int place = unused(p);
    if (place == NONE) {
        if (p->mqds == MQDS) // each of them is a slot's or has a wave
            abort();
        place = p->mqds++;
    }
    p->address[place] = address;
    p->mapping[place]++;
    return place;
}

static void end_wave(pairs *p, const granted *owner)
{
    if (owner->mqd == NONE)
        return;
    p->running[owner->mqd]--;
    if (owner->mapping != p->mapping[owner->mqd])
        p->older[owner->mqd]--;
}

// Waves that a dequeue request 2 has given up after its time-out: equal records do not speak of them.
static void forget(pairs *p, granted *g, int slot, bool mapped, uint32_t waves)
{
    if (g->mqd == NONE || g->slot != slot || (mapped && (g->mqd != p->slot[slot] || g->mapping != p->mapping[g->mqd])))
        return;
    p->running[g->mqd] -= waves;
    if (g->mapping != p->mapping[g->mqd])
        p->older[g->mqd] -= waves;
    g->mqd = NONE;
}

// An active slot's request names the waves of its mapping, else all of the slot.
static void watch_abandonments(pairs *p, const totem_machine *model, const totem_machine_out *out, int slot)
{
    const int          pipe = slot / TOTEM_QUEUES, queue = slot % TOTEM_QUEUES;
    const totem_front *s = &model->fe[pipe / TOTEM_PIPES].pipe[pipe % TOTEM_PIPES].front;
    if (!out->fe[pipe / TOTEM_PIPES].pipe[pipe % TOTEM_PIPES].front.epoch.abandoned[queue])
        return;
    for (int e = 0; e < TOTEM_SE_COUNT; e++) {
        engine *n = &p->engines[e];
        for (unsigned k = 0; k < n->count; k++)
            forget(p, &n->list[(n->first + k) % GRANTS], slot, s->epoch.mapped[queue],
                   n->list[(n->first + k) % GRANTS].waves);
        for (int k = 0; k < TOTEM_SLOTS; k++)
            forget(p, &n->owner[k], slot, s->epoch.mapped[queue], 1);
    }
}

// False: a wave is granted in front of older ones of its queue.
static bool watch_engine(pairs *p, const totem_machine_out *out, int e)
{
    const totem_issue_out  *g = &out->se[e].issue;
    const totem_launch_out *l = &out->se[e].launch;
    engine                 *s = &p->engines[e];

    if (out->wave[e].done_valid) {
        end_wave(p, &s->owner[out->wave[e].done_slot]);
        s->owner[out->wave[e].done_slot].mqd = NONE;
    }
    if (l->launch_valid && out->wave[e].launch_ready && s->count != 0) {
        granted *oldest          = &s->list[s->first];
        s->owner[l->launch_slot] = *oldest;
        if (--oldest->waves == 0) {
            s->first = (s->first + 1) % GRANTS;
            s->count--;
        }
    }
    if (g->grant_valid) {
        const int slot = ring_of_front_end(g->grant_pipe)
                             ? NONE
                             : (g->grant_fe * TOTEM_PIPES + g->grant_pipe) * TOTEM_QUEUES + g->grant_queue;
        const int mqd  = slot == NONE ? NONE : p->slot[slot];
        s->list[(s->first + s->count++) % GRANTS] =
            (granted){mqd, slot, mqd == NONE ? 0 : p->mapping[mqd], g->grant_waves};
        if (mqd != NONE)
            p->running[mqd] += g->grant_waves;
        return mqd == NONE || p->older[mqd] == 0;
    }
    return true;
}

// The status of the slots with this MQD lets a driver believe its records.
static bool to_be_believed(const pairs *p, const totem_machine *model, const totem_machine_out *out, int mqd)
{
    for (int n = 0; n < SLOTS; n++) {
        const int              pipe = n / TOTEM_QUEUES, queue = n % TOTEM_QUEUES;
        const totem_front     *s = &model->fe[pipe / TOTEM_PIPES].pipe[pipe % TOTEM_PIPES].front;
        const totem_front_out *o = &out->fe[pipe / TOTEM_PIPES].pipe[pipe % TOTEM_PIPES].front;
        if (p->slot[n] != mqd)
            continue;
        if ((s->hqd.active[queue] && o->arbiter.selected_valid && o->arbiter.selected == queue) ||
            o->record.top_pending[queue])
            return false;
    }
    return true;
}

static uint32_t dword(const memory *m, uint64_t mqd, uint32_t n)
{
    return memory_read32(m, mqd + 4 * (uint64_t)n);
}

bool pairs_step(pairs *p, const totem_machine *model, const totem_machine_out *out, const memory *m, uint64_t clock,
                char message[256])
{
    for (int e = 0; e < TOTEM_SE_COUNT; e++)
        if (!watch_engine(p, out, e)) {
            snprintf(message, 256,
                     "clock %llu: engine %d grants a wave while older ones of its queue, of another mapping, run",
                     (unsigned long long)clock, e);
            return false;
        }
    for (int n = 0; n < SLOTS; n++)
        watch_abandonments(p, model, out, n);
    for (int n = 0; n < p->mqds; n++) {
        const uint64_t at       = p->address[n];
        const uint32_t sequence = dword(m, at, TOP_SEQUENCE);
        const bool equal = dword(m, at, TOP_RPTR) == dword(m, at, END_RPTR) && sequence == dword(m, at, END_SEQUENCE);
        if (!to_be_believed(p, model, out, n))
            continue;
        if (equal && p->running[n] != 0) {
            snprintf(message, 256,
                     "clock %llu: the records of the MQD at 0x%llx are equal (switch-out %u), and %u of its waves run",
                     (unsigned long long)clock, (unsigned long long)at, sequence, p->running[n]);
            return false;
        }
        if (equal)
            p->counts.equal++;
        else
            p->counts.unequal++;
    }
    for (int pipe = 0; pipe < TOTEM_PIPE_COUNT; pipe++) {
        const totem_hqd_out *h = &out->fe[pipe / TOTEM_PIPES].pipe[pipe % TOTEM_PIPES].front.hqd;
        if (!h->load_valid || h->load_kind != LOAD_MQD_ADDR)
            continue;
        const int mqd = number_of(p, h->load_data & ~(uint64_t)7);
        for (int n = 0; n < SLOTS && mqd != NONE; n++)
            if (p->slot[n] == mqd)
                p->slot[n] = NONE; // it is mapped elsewhere: that slot says nothing of it any more
        p->slot[pipe * TOTEM_QUEUES + h->load_queue] = mqd;
        if (mqd != NONE) {
            p->mapping[mqd]++;
            p->older[mqd] = p->running[mqd];
        }
    }
    return true;
}
