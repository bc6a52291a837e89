// SPDX-License-Identifier: Apache-2.0
//
// totem_bell: twin of rtl/schedule/totem_bell.v, from docs/contract/bell.md.

#include "totem_bell.h"

#include "../packet/totem_pm4.h"

enum { ENTRIES = TOTEM_RUN_QUEUES, PLACES = 2 * ENTRIES }; // head and tail have the values below PLACES

_Static_assert(ENTRIES >= 2 && ENTRIES <= 1024 && (ENTRIES & (ENTRIES - 1)) == 0,
               "RUN_QUEUES is a power of two from 2 to 1024");

// Places in a word, of which the low half is the write pointer.
enum { QUEUED = 32, PENDING = 33, KNOWN = 34 };

static bool bit(uint64_t word, unsigned place)
{
    return (word >> place & 1) != 0;
}

static TOTEM_BELL_HEAD next_place(unsigned place)
{
    return (TOTEM_BELL_HEAD)((place + 1) % PLACES);
}

void totem_bell_outputs(const totem_bell *s, totem_bell_out *o)
{
    const bool writes = s->phase == BELL_WRITE;

    o->host_done         = writes && s->source == BELL_HOST;
    o->host_error        = s->refused ? TOTEM_ERROR_HOST_DOORBELL_UNMAPPED & 31 : 0;
    o->host_rdata        = s->wptr;
    o->order_done        = writes && s->source == BELL_ORDER;
    o->order_known       = s->known;
    o->order_pending     = s->rung;
    o->order_wptr        = s->wptr;
    o->event_valid       = s->event_valid;
    o->event_entry       = s->event_entry;
    o->word_write_enable = writes || s->phase == BELL_SWEEP;
    o->word_write_addr   = s->entry;
    o->word_write_data =
        (uint64_t)s->known << KNOWN | (uint64_t)s->pending << PENDING | (uint64_t)s->queued << QUEUED | s->wptr;
    o->word_read_enable   = s->phase == BELL_READ;
    o->word_read_addr     = s->entry;
    o->queue_write_enable = writes && s->announces;
    o->queue_write_addr   = (TOTEM_BELL_ENTRY)(s->tail % ENTRIES);
    o->queue_write_data   = s->entry;
    o->queue_read_enable  = s->phase == BELL_POP;
    o->queue_read_addr    = (TOTEM_BELL_ENTRY)(s->head % ENTRIES);
}

// 3 Choice
static void choose(totem_bell *n, const totem_bell *s, const totem_bell_in *i)
{
    const bool due    = s->head != s->tail && !s->event_valid;
    const bool any    = i->host_bell_valid || i->order_valid || due;
    unsigned   choice = BELL_EVENT;

    if (!any)
        return;
    switch (s->source) {
    case BELL_HOST:
        if (i->order_valid)
            choice = BELL_ORDER;
        else if (!due)
            choice = BELL_HOST;
        break;
    case BELL_ORDER:
        if (!due)
            choice = i->host_bell_valid ? BELL_HOST : BELL_ORDER;
        break;
    default:
        if (i->host_bell_valid)
            choice = BELL_HOST;
        else if (i->order_valid)
            choice = BELL_ORDER;
        break;
    }
    n->source = (uint8_t)choice;
    n->entry  = choice == BELL_HOST ? i->host_request_entry : i->order_entry;
    n->phase  = choice == BELL_EVENT ? BELL_POP : BELL_READ;
}

// 6 Ring
static void ring(totem_bell *n, const totem_bell_in *i)
{
    const bool     was_known   = bit(i->word_read_data, KNOWN);
    const bool     was_pending = bit(i->word_read_data, PENDING);
    const bool     was_queued  = bit(i->word_read_data, QUEUED);
    const bool     rings       = i->host_request_write && was_known;
    const uint32_t was_wptr    = (uint32_t)i->word_read_data;
    uint32_t       merged      = 0;

    for (unsigned b = 0; b < 32; b += 8) {
        const uint32_t from = bit(i->host_request_strobe, b / 8) ? i->host_request_data : was_wptr;
        merged |= from & UINT32_C(0xff) << b;
    }
    n->refused = i->host_request_write && !was_known;
    if (!rings)
        return;
    n->wptr    = merged;
    n->pending = true;
    if (!was_pending) {
        n->queued    = true;
        n->announces = !was_queued;
    }
}

// 7 Order
static void carry_out(totem_bell *n, const totem_bell_in *i)
{
    switch (i->order_op) {
    case BELL_LIST:
        n->known = true;
        if (!n->pending)
            n->wptr = i->order_data;
        break;
    case BELL_DROP:
        n->known = n->pending = false;
        n->wptr               = 0;
        break;
    case BELL_TAKE: n->pending = false; break;
    default: break;
    }
}

void totem_bell_step(totem_bell *s, const totem_bell_in *i)
{
    totem_bell n = *s; // what follows the clock edge; s stays as it was before

    // 1 Taken
    if (i->event_take)
        n.event_valid = false;

    switch (s->phase) {
    // 2 Sweep
    case BELL_SWEEP:
        n.entry = (TOTEM_BELL_ENTRY)((s->entry + 1u) % ENTRIES);
        if (s->entry == ENTRIES - 1)
            n.phase = BELL_REST;
        break;
    case BELL_REST: choose(&n, s, i); break;
    // 4 Queue
    case BELL_POP: n.phase = BELL_NAME; break;
    case BELL_NAME:
        n.entry = i->queue_read_data;
        n.head  = next_place(s->head);
        n.phase = BELL_READ;
        break;
    // 5 Word
    case BELL_READ: n.phase = BELL_LOOK; break;
    case BELL_LOOK:
        n.phase     = BELL_WRITE;
        n.known     = bit(i->word_read_data, KNOWN);
        n.pending   = bit(i->word_read_data, PENDING);
        n.queued    = bit(i->word_read_data, QUEUED);
        n.wptr      = (uint32_t)i->word_read_data;
        n.rung      = n.pending;
        n.refused   = false;
        n.announces = false;
        if (s->source == BELL_HOST) {
            ring(&n, i);
        } else if (s->source == BELL_ORDER) {
            carry_out(&n, i);
        } else {
            // 8 Event
            n.queued      = false;
            n.event_valid = n.pending;
            n.event_entry = s->entry;
        }
        break;
    // 9 Write
    case BELL_WRITE:
        n.phase = BELL_REST;
        if (s->announces)
            n.tail = next_place(s->tail);
        break;
    default: break;
    }

    *s = n;
}
