// SPDX-License-Identifier: Apache-2.0
//
// totem_epoch: twin of rtl/fence/totem_epoch.v, from docs/contract/epoch.md.

#include "totem_epoch.h"

#include "../memory/totem_memory_values.h"
#include "../queue/totem_hqd_values.h"
#include "totem_epochs.h"

enum { COUNTER_END = 0xffff, ALL = (1u << TOTEM_EPOCHS) - 1 };

static bool blocked(const totem_epoch *s, uint8_t q)
{
    return has(s->closed[q], s->epoch[q]);
}

static uint8_t free_epochs(const totem_epoch *s, uint8_t q)
{
    const unsigned used = with(s->closed[q] | s->reserved[q], s->epoch[q]);
    return (uint8_t)(~used & ALL);
}

static uint8_t next_epoch(const totem_epoch *s, uint8_t q)
{
    for (unsigned k = 1; k < TOTEM_EPOCHS; k++) {
        const uint8_t candidate = (uint8_t)((s->epoch[q] + k) & (TOTEM_EPOCHS - 1));
        if (has(free_epochs(s, q), candidate))
            return candidate;
    }
    return (uint8_t)((s->epoch[q] + 1) & (TOTEM_EPOCHS - 1));
}

void totem_epoch_outputs(const totem_epoch *s, totem_epoch_out *o)
{
    for (uint8_t q = 0; q < TOTEM_QUEUES; q++) {
        o->current[q]   = s->epoch[q];
        o->closed[q]    = s->closed[q];
        o->turn[q]      = (uint8_t)(s->closed[q] & ~s->waits[q]);
        o->room[q]      = free_epochs(s, q) != 0 && !blocked(s, q);
        o->flushed[q]   = (s->closed[q] & s->own[q]) == 0;
        o->mapped[q]    = s->mapped[q];
        o->reserved[q]  = s->reserved[q];
        o->present[q]   = s->mapped[q] ? (uint8_t)(s->own[q] & ~s->reserved[q]) : 0;
        o->message[q]   = s->message[q];
        o->inhibited[q] = (uint8_t)(s->unanswered[q] & ~s->pair[q]);
        o->abandoned[q] = s->abandoned[q];
    }
    o->dropped = s->dropped;
    o->lost    = s->lost;
}

// 1 Reserved
static void freed(totem_epoch *n, const totem_epoch_in *i)
{
    for (uint8_t q = 0; q < TOTEM_QUEUES; q++) {
        n->reserved[q]  = (uint8_t)(n->reserved[q] & ~i->flight_empty[q]);
        n->abandoned[q] = false;
    }
}

// 2 Closing, continued: q takes an epoch.
static void take(totem_epoch *n, const totem_epoch *s, uint8_t q)
{
    const uint8_t next        = next_epoch(s, q);
    n->before[entry(q, next)] = s->epoch[q];
    n->waits[q]               = with(n->waits[q], next);
    n->own[q]                 = with(n->own[q], next);
    n->unanswered[q]          = without(n->unanswered[q], next);
    n->epoch[q]               = next;
}

// 2 Closing
static void closing(totem_epoch *n, const totem_epoch *s, const totem_epoch_in *i)
{
    for (uint8_t q = 0; q < TOTEM_QUEUES; q++) {
        const uint8_t e         = s->epoch[q];
        const bool    by_stored = i->intake_close && i->intake_close_queue == q;
        const bool    by_packet = i->packet_fence_close && i->arbiter_selected == q;
        if (by_stored) {
            n->message[q] = with(n->message[q], e);
            n->pair[q]    = i->intake_close_pair ? with(n->pair[q], e) : without(n->pair[q], e);
        }
        if (by_packet)
            n->message[q] = without(n->message[q], e);
        if (by_stored || by_packet)
            n->closed[q] = with(n->closed[q], e);
        if (has(n->closed[q], e) && free_epochs(s, q) != 0)
            take(n, s, q);
    }
}

static unsigned count(uint8_t epochs)
{
    unsigned sum = 0;
    for (uint8_t e = 0; e < TOTEM_EPOCHS; e++)
        sum += has(epochs, e);
    return sum;
}

// 3 Abandoned
static void abandon(totem_epoch *n, const totem_epoch *s, const totem_epoch_in *i)
{
    const uint8_t q = i->slot_idle_drop_queue;
    if (!i->slot_idle_drop_valid)
        return;
    const uint8_t  meant       = s->mapped[q] ? s->own[q] : with(s->closed[q], s->epoch[q]);
    const uint8_t  drop_fences = (uint8_t)(meant & s->closed[q] & s->message[q] & ~s->pair[q]);
    const unsigned fences      = count(drop_fences);

    n->reserved[q] = (uint8_t)((n->reserved[q] | meant) & ~i->flight_empty[q]);
    if (s->mapped[q]) {
        n->closed[q] = (uint8_t)(n->closed[q] & ~meant);
        n->waits[q]  = without(n->waits[q], n->epoch[q]);
        n->own[q]    = with(0, n->epoch[q]);
    } else { // only the pairs are still written
        n->message[q] = (uint8_t)(n->message[q] & s->pair[q]);
        n->own[q]     = with(s->closed[q], n->epoch[q]);
    }
    n->abandoned[q] = true;
    n->lost         = s->lost > COUNTER_END - fences ? COUNTER_END : (uint16_t)(s->lost + fences);
    n->dropped      = (uint16_t)(fences << 8 | n->reserved[q]);
}

// 4 Done
static void done(totem_epoch *n, const totem_epoch *s, const totem_epoch_in *i)
{
    const uint8_t q = i->fence_serve;
    const uint8_t d = i->fence_serve_epoch;
    if (!i->fence_done)
        return;
    n->closed[q] = without(n->closed[q], d);
    if (d != n->epoch[q]) // else the slot was blocked, and further work may use it
        n->own[q] = without(n->own[q], d);
    for (uint8_t e = 0; e < TOTEM_EPOCHS; e++)
        if (has(n->waits[q], e) && n->before[entry(q, e)] == d) {
            n->waits[q] = without(n->waits[q], e);
            if (has(s->unanswered[q], d))
                n->unanswered[q] = with(n->unanswered[q], e);
        }
}

// 5 Unanswered
static void answer(totem_epoch *n, const totem_epoch_in *i)
{
    const uint8_t a = i->ack_tag & (TOTEM_QUEUES - 1);
    if (i->fence_write_ack && i->ack_error == MEMORY_TIME_OUT)
        n->unanswered[a] = with(n->unanswered[a], i->ack_tag >> 3 & (TOTEM_EPOCHS - 1));
    if (i->load_valid && (i->load_kind == LOAD_RESUME || i->load_kind == LOAD_SKIP))
        n->unanswered[i->load_queue] = (uint8_t)(n->unanswered[i->load_queue] & ~n->own[i->load_queue]);
}

// 6 Mapping
static void mapping(totem_epoch *n, const totem_epoch *s, const totem_epoch_in *i)
{
    const uint8_t q = i->load_queue;
    if (!i->load_valid || i->load_kind != LOAD_ACTIVE)
        return;
    n->mapped[q] = i->load_data & 1;
    if (!n->mapped[q])
        return;
    if (!has(i->flight_empty[q], s->epoch[q])) {
        n->closed[q]  = with(n->closed[q], s->epoch[q]);
        n->message[q] = without(n->message[q], s->epoch[q]);
        take(n, s, q);
    }
    const uint8_t first = n->epoch[q];
    n->own[q]           = with(0, first);
    n->waits[q]         = without(n->waits[q], first);
    n->unanswered[q]    = without(n->unanswered[q], first);
}

void totem_epoch_step(totem_epoch *s, const totem_epoch_in *i)
{
    totem_epoch n = *s; // what follows the clock edge; s stays as it was before

    freed(&n, i);
    closing(&n, s, i);
    abandon(&n, s, i);
    done(&n, s, i);
    answer(&n, i);
    mapping(&n, s, i);

    *s = n;
}
