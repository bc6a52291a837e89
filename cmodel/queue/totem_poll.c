// SPDX-License-Identifier: Apache-2.0
//
// totem_poll: twin of rtl/queue/totem_poll.v, from docs/contract/poll.md.

#include "totem_poll.h"

enum { FREE, LOOK, TAKE, ASK, ANSWER };

#define CLOCK_MASK (((uint64_t)1 << 33) - 1)
#define HALF ((uint64_t)1 << 32)

static uint8_t queue_index(uint64_t number)
{
    return (uint8_t)(number % TOTEM_QUEUES);
}

static bool any_due(const totem_poll *s)
{
    bool any = false;
    for (unsigned q = 0; q < TOTEM_QUEUES; q++)
        any = any || s->due[q];
    return any;
}

// The poll under way is one of this queue's wait.
static bool polled(const totem_poll *s, unsigned q)
{
    return s->phase != FREE && !s->own && s->live && s->queue == q;
}

void totem_poll_reset(totem_poll *s)
{
    s->phase = FREE;
    s->own   = false;
    s->queue = 0;
    s->live  = false;
    for (unsigned q = 0; q < TOTEM_QUEUES; q++) {
        s->waiting[q] = false;
        s->timer[q]   = false;
        s->due[q]     = false;
        s->ended[q]   = false;
        s->error[q]   = 0;
    }
}

void totem_poll_outputs(const totem_poll *s, totem_poll_out *o)
{
    for (unsigned q = 0; q < TOTEM_QUEUES; q++) {
        o->waiting[q] = s->waiting[q];
        o->ended[q]   = s->ended[q];
        o->error[q]   = s->error[q];
    }
    o->packet_read_ready = s->phase == FREE && !(s->own && any_due(s));
    o->packet_answer     = s->phase == ANSWER && s->own;
    o->ram_read_enable   = s->phase == LOOK || s->phase == TAKE;
    o->ram_read_addr     = (uint8_t)(s->queue * 2 + (s->phase == TAKE ? 1 : 0));
    o->busy              = s->phase != FREE;
    o->read_valid        = s->phase == ASK;
    o->read_addr         = s->address >> 1 << 3;
}

static void end_wait(totem_poll *n, unsigned q, uint8_t error)
{
    n->waiting[q] = false;
    n->due[q]     = false;
    n->ended[q]   = true;
    n->error[q]   = error;
}

static bool condition(const totem_poll *s, const totem_poll_in *i)
{
    const uint32_t read      = (uint32_t)((s->address & 1) != 0 ? i->data_word >> 32 : i->data_word);
    const uint32_t value     = read & (uint32_t)(i->ram_read_data >> 32);
    const uint32_t reference = (uint32_t)i->ram_read_data;

    switch (s->compare) {
    case 1: return value < reference;
    case 2: return value <= reference;
    case 3: return value == reference;
    case 4: return value != reference;
    case 5: return value >= reference;
    case 6: return value > reference;
    default: return true;
    }
}

// Rule 2, FREE.
static void choose(totem_poll *n, const totem_poll *s, const totem_poll_in *i)
{
    const bool any = any_due(s);

    if (i->packet_read_valid && !(s->own && any)) {
        n->own     = true;
        n->address = i->packet_read_addr >> 2;
        n->phase   = ASK;
    } else if (any) {
        // From the farthest to the nearest, so the nearest stays.
        for (unsigned distance = TOTEM_QUEUES; distance > 0; distance--) {
            const uint8_t q = queue_index(s->queue + distance);
            if (s->due[q])
                n->queue = q;
        }
        n->due[queue_index(n->queue)] = false;
        n->own                        = false;
        n->live                       = true;
        n->phase                      = LOOK;
    }
}

void totem_poll_step(totem_poll *s, const totem_poll_in *i)
{
    totem_poll    n     = *s; // what follows the clock edge; s stays as it was before
    const uint8_t visit = queue_index(i->clock);
    const uint8_t own   = queue_index(s->queue);
    const bool    wants = !s->own && s->live;

    // 1. Deadline.
    if (s->waiting[visit] && !s->due[visit] && !polled(s, visit) &&
        ((i->clock - s->deadline[visit]) & CLOCK_MASK) < HALF) {
        if (s->timer[visit])
            end_wait(&n, visit, 0);
        else
            n.due[visit] = true;
    }

    // 2. By phase.
    switch (s->phase) {
    case FREE: choose(&n, s, i); break;
    case LOOK: n.phase = TAKE; break;
    case TAKE: {
        const uint32_t interval = i->ram_read_data >> 43 & 0xffff;
        n.address               = (i->ram_read_data & 0xffffffffffu) >> 2;
        n.compare               = i->ram_read_data >> 40 & 7;
        n.pause                 = interval < 4 ? 64 : interval * 16;
        n.phase                 = ASK;
        break;
    }
    case ASK:
        if (i->read_ready) {
            if (wants)
                n.deadline[own] = (i->clock + s->pause) & CLOCK_MASK;
            n.phase = ANSWER;
        }
        break;
    case ANSWER:
        if (i->data_valid) {
            n.phase = FREE;
            if (wants && (i->data_error != 0 || condition(s, i)))
                end_wait(&n, own, i->data_error);
        }
        break;
    default: break;
    }

    // 3. Passed.
    if (i->packet_commit)
        n.ended[queue_index(i->packet_queue)] = false;

    // 4. Wait.
    if (i->packet_wait && i->packet_wait_last && i->arbiter_active[queue_index(i->packet_queue)]) {
        const uint8_t q = queue_index(i->packet_queue);
        n.waiting[q]    = true;
        n.ended[q]      = false;
        n.timer[q]      = i->packet_wait_timer;
        n.due[q]        = !i->packet_wait_timer;
        n.deadline[q]   = (i->clock + (uint32_t)i->packet_wait_word) & CLOCK_MASK;
    }

    // 5. Dropped.
    if (i->load_valid && (i->load_kind == 0 || i->load_kind == 10 || i->load_kind == 11)) {
        const uint8_t q = queue_index(i->load_queue);
        n.waiting[q]    = false;
        n.due[q]        = false;
        n.ended[q]      = false;
        if (n.queue == q)
            n.live = false;
    }

    *s = n;
}

uint64_t totem_poll_quiet(const totem_poll *s, uint64_t clock)
{
    uint64_t least = UINT64_MAX;
    for (unsigned q = 0; q < TOTEM_QUEUES; q++)
        if (s->waiting[q] && !s->due[q] && !polled(s, q)) {
            // To the deadline, and from there to the clock in which this queue is looked at.
            const uint64_t past = (clock - s->deadline[q]) & CLOCK_MASK;
            uint64_t       n    = past < HALF ? 0 : (CLOCK_MASK - past) + 1;
            n += (q + TOTEM_QUEUES - (clock + n) % TOTEM_QUEUES) % TOTEM_QUEUES;
            least = n < least ? n : least;
        }
    return least;
}
