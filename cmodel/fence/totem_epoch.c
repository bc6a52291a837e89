// SPDX-License-Identifier: Apache-2.0
//
// totem_epoch: twin of rtl/fence/totem_epoch.v, from docs/contract/epoch.md.

#include "totem_epoch.h"

#include "../queue/totem_load.h"

enum { COUNTER_END = 0xffff };

static uint8_t epoch_after(uint8_t epoch)
{
    return (uint8_t)((epoch + 1) & (TOTEM_EPOCHS - 1));
}

// Steps from one epoch to another, round the ring.
static uint8_t way(uint8_t from, uint8_t to)
{
    return (uint8_t)((to - from) & (TOTEM_EPOCHS - 1));
}

static bool has(uint8_t epochs, uint8_t epoch)
{
    return (epochs >> epoch & 1) != 0;
}

// The epoch to go on with: the first behind the current one that is not reserved.
static uint8_t next_epoch(const totem_epoch *s, uint8_t queue)
{
    uint8_t candidate = s->epoch[queue];
    for (unsigned k = 1; k < TOTEM_EPOCHS; k++) {
        candidate = epoch_after(candidate);
        if (!has(s->reserved[queue], candidate))
            return candidate;
    }
    return epoch_after(s->epoch[queue]);
}

// There is an epoch to go on with.
static bool has_successor(const totem_epoch *s, uint8_t q)
{
    const uint8_t next = next_epoch(s, q);
    const uint8_t base = epoch_after(s->epoch[q]);
    return !has(s->reserved[q], next) && way(base, next) < way(base, s->oldest[q]);
}

// Does an epoch belong to what a kill of the slot means: its present mapping, or, while there is none, all of the ring?
static bool is_meant(const totem_epoch *s, uint8_t queue, uint8_t epoch)
{
    const uint8_t from = s->mapped[queue] ? s->first[queue] : s->oldest[queue];
    return way(from, epoch) <= way(from, s->epoch[queue]);
}

// Place of (queue, epoch) in the arrays of all epochs.
static unsigned entry(uint8_t queue, uint8_t epoch)
{
    return (unsigned)queue * TOTEM_EPOCHS + epoch;
}

// An epoch of the queue is closed and not done; the current one may be the only one.
static bool has_closed(const totem_epoch *s, uint8_t q)
{
    return s->shut[q] || s->oldest[q] != s->epoch[q];
}

// Epochs of the present mapping that are not reserved, bit = epoch.
static uint8_t present(const totem_epoch *s, uint8_t q)
{
    unsigned found = 0;
    for (uint8_t e = 0; e < TOTEM_EPOCHS; e++)
        if (s->mapped[q] && !has(s->reserved[q], e) && is_meant(s, q, e))
            found |= 1u << e;
    return (uint8_t)found;
}

void totem_epoch_outputs(const totem_epoch *s, totem_epoch_out *o)
{
    for (uint8_t q = 0; q < TOTEM_QUEUES; q++) {
        o->current[q]   = s->epoch[q];
        o->oldest[q]    = s->oldest[q];
        o->room[q]      = has_successor(s, q) && !s->shut[q];
        o->flushed[q]   = !has_closed(s, q);
        o->single[q]    = s->first[q] == s->epoch[q] && !s->shut[q];
        o->earlier[q]   = s->oldest[q] != s->first[q];
        o->mapped[q]    = s->mapped[q];
        o->reserved[q]  = s->reserved[q];
        o->present[q]   = present(s, q);
        o->message[q]   = s->message[entry(q, s->oldest[q])];
        o->pair[q]      = s->pair[entry(q, s->oldest[q])];
        o->abandoned[q] = s->abandoned[q];
    }
    o->dropped = s->dropped;
    o->lost    = s->lost;
}

// Rule 1.
static void freed(totem_epoch *n, const totem_epoch_in *i)
{
    for (uint8_t q = 0; q < TOTEM_QUEUES; q++) {
        n->reserved[q]  = (uint8_t)(n->reserved[q] & ~i->flight_empty[q]);
        n->abandoned[q] = false;
    }
}

// Rule 2.
static void closing(totem_epoch *n, const totem_epoch *s, const totem_epoch_in *i)
{
    for (uint8_t q = 0; q < TOTEM_QUEUES; q++) {
        const bool     closes = i->intake_close && i->intake_close_queue == q;
        const unsigned own    = entry(q, s->epoch[q]);
        if (closes) {
            n->message[own] = true;
            n->pair[own]    = i->intake_close_pair;
        }
        if (closes || s->shut[q]) {
            n->shut[q] = !has_successor(s, q);
            if (!n->shut[q])
                n->epoch[q] = next_epoch(s, q);
        }
    }
    if (i->packet_fence_close) {
        const uint8_t q                   = i->arbiter_selected;
        n->message[entry(q, s->epoch[q])] = false;
        n->epoch[q]                       = next_epoch(s, q);
    }
}

// Rule 3: what is left of a queue is abandoned.
static void abandon(totem_epoch *n, const totem_epoch *s, const totem_epoch_in *i)
{
    const uint8_t q      = i->settle_drop_queue;
    uint16_t      fences = 0;
    if (!i->settle_drop_valid)
        return;
    for (uint8_t e = 0; e < TOTEM_EPOCHS; e++) {
        const unsigned c = entry(q, e);
        if (!is_meant(s, q, e))
            continue;
        const bool current = e == s->epoch[q];
        const bool closed  = !current || s->shut[q];
        if (!current && s->message[c] && !s->pair[c])
            fences++;
        if (s->mapped[q] || !closed || !s->pair[c]) // the pairs of an unmapped slot are still written
            n->message[c] = false;
        if (!has(i->flight_empty[q], e))
            n->reserved[q] = (uint8_t)(n->reserved[q] | 1u << e);
        else
            n->reserved[q] = (uint8_t)(n->reserved[q] & ~(1u << e));
    }
    n->first[q]     = s->mapped[q] ? s->epoch[q] : s->oldest[q];
    n->shut[q]      = n->shut[q] && !s->mapped[q];
    n->abandoned[q] = true;
    n->lost         = s->lost > COUNTER_END - fences ? COUNTER_END : (uint16_t)(s->lost + fences);
    n->dropped      = (uint16_t)(fences << 8 | n->reserved[q]);
}

// Rule 4.
static void done(totem_epoch *n, const totem_epoch *s, const totem_epoch_in *i)
{
    const uint8_t q   = i->fence_serve;
    const uint8_t old = s->oldest[q];
    if (!i->fence_done)
        return;
    n->message[entry(q, old)] = false;
    if (old == s->epoch[q]) { // it was shut: work may go on in it
        n->shut[q] = false;
        return;
    }
    n->oldest[q] = epoch_after(old);
    if (s->first[q] == old)
        n->first[q] = epoch_after(old);
}

// Rule 5: a mapping begins with an epoch of its own.
static void mapping(totem_epoch *n, const totem_epoch *s, const totem_epoch_in *i)
{
    const uint8_t q     = i->load_queue;
    const uint8_t epoch = s->epoch[q];
    if (!i->load_valid || i->load_kind != LOAD_ACTIVE)
        return;
    n->mapped[q] = i->load_data & 1;
    if (!n->mapped[q])
        return;
    n->first[q] = epoch;
    if (!has(i->flight_empty[q], epoch)) {
        n->message[entry(q, epoch)] = false;
        n->epoch[q]                 = next_epoch(s, q);
        n->first[q]                 = next_epoch(s, q);
    }
}

void totem_epoch_step(totem_epoch *s, const totem_epoch_in *i)
{
    totem_epoch n = *s; // what follows the clock edge; s stays as it was before

    freed(&n, i);
    closing(&n, s, i);
    abandon(&n, s, i);
    done(&n, s, i);
    mapping(&n, s, i);

    *s = n;
}
