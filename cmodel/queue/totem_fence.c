// SPDX-License-Identifier: Apache-2.0
//
// totem_fence: twin of rtl/queue/totem_fence.v, from docs/contract/fence.md.

#include "totem_fence.h"

#include "totem_pm4.h"

enum { IDLE, READ, WRITE, ACK, INTERRUPT, DONE, ERROR };
enum { COUNT_MASK = 0x3ff };

static uint8_t epoch_after(uint8_t epoch)
{
    return (uint8_t)((epoch + 1) & (TOTEM_EPOCHS - 1));
}

// Place of (queue, epoch) in the arrays of all epochs.
static unsigned entry(uint8_t queue, uint8_t epoch)
{
    return (unsigned)queue * TOTEM_EPOCHS + epoch;
}

static uint8_t ram_place(uint8_t queue, uint8_t epoch, uint8_t word)
{
    return (uint8_t)(entry(queue, epoch) * 4 + word);
}

void totem_fence_reset(totem_fence *s)
{
    for (unsigned q = 0; q < TOTEM_QUEUES; q++) {
        s->epoch[q]  = 0;
        s->oldest[q] = 0;
        s->waves[q]  = 0;
        s->failed[q] = 0;
    }
    for (unsigned n = 0; n < TOTEM_QUEUES * TOTEM_EPOCHS; n++)
        s->count[n] = 0;
    s->place       = 0;
    s->store_valid = false;
    s->store_place = 0;
    s->phase       = IDLE;
    s->serve       = 0;
    s->step        = 0;
    s->halt        = false;
}

void totem_fence_outputs(const totem_fence *s, totem_fence_out *o)
{
    o->packet_ready = true;
    for (uint8_t q = 0; q < TOTEM_QUEUES; q++) {
        bool nothing = true;
        for (uint8_t e = 0; e < TOTEM_EPOCHS; e++)
            nothing = nothing && s->count[entry(q, e)] == 0;
        o->epoch[q]   = s->epoch[q];
        o->room[q]    = epoch_after(s->epoch[q]) != s->oldest[q];
        o->flushed[q] = s->oldest[q] == s->epoch[q];
        o->waves[q]   = s->waves[q];
        o->idle[q]    = s->oldest[q] == s->epoch[q] && nothing && s->failed[q] == 0 && !(s->phase == ERROR && s->serve == q);
    }
    o->halt       = s->halt;
    o->halt_queue = s->serve;

    o->ram_write_enable = s->store_valid;
    o->ram_write_addr   = ram_place(s->store_queue, s->epoch[s->store_queue], s->store_place);
    o->ram_write_data   = s->store_word;
    o->ram_read_enable  = s->phase == READ && s->step < 3;
    o->ram_read_addr    = ram_place(s->serve, s->oldest[s->serve], s->step);

    const uint64_t low    = s->data & 0xffffffffu;
    const uint64_t strobe = s->data_sel != 1 ? 0xff : (s->address & 4) != 0 ? 0xf0 : 0x0f;
    o->write_valid        = s->phase == WRITE;
    if (s->step == 0)
        o->write_word = strobe << 40 | (s->address & ~(uint64_t)7);
    else
        o->write_word = s->data_sel == 1 ? low << 32 | low : s->data;

    o->interrupt_valid = s->phase == INTERRUPT;
    o->interrupt_word  = (uint64_t)s->serve << 32 | s->ctxid;

    o->error_valid = s->phase == ERROR;
    if (s->step == 0)
        o->error_word =
            (uint64_t)(TOTEM_ERROR_MEMORY_WRITE_SLVERR - 1 + s->code) << 56 | (uint64_t)s->serve << 48 | s->address;
    else
        o->error_word = s->address & 0xffffffffu;
}

// Rule 1: everything that begins or ends in this clock counts.
static void counts(totem_fence *n, const totem_fence *s, const totem_fence_in *i)
{
    const uint8_t acked       = i->packet_ack_tag & (TOTEM_QUEUES - 1);
    const uint8_t acked_epoch = i->packet_ack_tag >> 3 & (TOTEM_EPOCHS - 1);
    uint16_t      granted     = 0;
    bool          any         = false;
    uint8_t       queue       = 0;
    uint8_t       epoch       = 0;
    for (unsigned e = 0; e < TOTEM_SE_COUNT; e++) {
        if (!i->grant_valid[e])
            continue;
        if (!any) { // all grants of a clock are of one dispatch
            queue = i->grant_queue[e];
            epoch = i->grant_epoch[e];
        }
        any     = true;
        granted = (uint16_t)(granted + i->grant_waves[e]);
    }

    bool ends = i->packet_ack || i->packet_write;
    for (unsigned e = 0; e < TOTEM_SE_COUNT; e++)
        ends = ends || i->complete_valid[e];
    if (!any && !ends)
        return; // most clocks

    for (uint8_t q = 0; q < TOTEM_QUEUES; q++) {
        const uint16_t plus  = any && queue == q ? granted : 0;
        uint16_t       minus = 0;
        for (unsigned e = 0; e < TOTEM_SE_COUNT; e++)
            minus = (uint16_t)(minus + (i->complete_valid[e] && i->complete_queue[e] == q));
        n->waves[q] = (uint16_t)(s->waves[q] + plus - minus);

        for (uint8_t k = 0; k < TOTEM_EPOCHS; k++) {
            uint16_t more = any && queue == q && epoch == k ? granted : 0;
            uint16_t less = i->packet_ack && acked == q && acked_epoch == k;
            more          = (uint16_t)(more + (i->packet_write && i->packet_queue == q && s->epoch[q] == k));
            for (unsigned e = 0; e < TOTEM_SE_COUNT; e++)
                less =
                    (uint16_t)(less + (i->complete_valid[e] && i->complete_queue[e] == q && i->complete_epoch[e] == k));
            n->count[entry(q, k)] = (uint16_t)(s->count[entry(q, k)] + more - less) & COUNT_MASK;
        }
    }
}

// Rules 2 to 4: failures of packet writes, messages, closing.
static void messages(totem_fence *n, const totem_fence *s, const totem_fence_in *i)
{
    if (i->packet_ack && i->packet_ack_error != 0)
        n->failed[i->packet_ack_tag & (TOTEM_QUEUES - 1)] = i->packet_ack_error;

    n->store_valid = i->packet_valid;
    if (i->packet_valid) {
        n->store_word  = i->packet_word;
        n->store_place = s->place;
        n->store_queue = i->packet_queue;
        n->place       = s->place >= 2 ? 0 : (uint8_t)(s->place + 1);
    }
    if (s->store_valid && s->store_place == 2) {
        const uint8_t q                   = s->store_queue;
        n->message[entry(q, s->epoch[q])] = true;
        n->epoch[q]                       = epoch_after(s->epoch[q]);
    } else if (i->packet_close) {
        const uint8_t q                   = i->packet_queue;
        n->message[entry(q, s->epoch[q])] = false;
        n->epoch[q]                       = epoch_after(s->epoch[q]);
    }
}

// Rule 6, IDLE: the lowest queue with a failure, else the next one with an epoch to be ended.
static void choose(totem_fence *n, const totem_fence *s, const totem_fence_in *i)
{
    for (uint8_t q = 0; q < TOTEM_QUEUES; q++) {
        if (s->failed[q] == 0)
            continue;
        const bool again = i->packet_ack && i->packet_ack_error != 0 && (i->packet_ack_tag & (TOTEM_QUEUES - 1)) == q;
        if (!again)
            n->failed[q] = 0;
        n->serve   = q;
        n->code    = s->failed[q];
        n->address = 0;
        n->own     = false;
        n->step    = 0;
        n->halt    = true;
        n->phase   = ERROR;
        return;
    }
    for (unsigned k = 1; k <= TOTEM_QUEUES; k++) {
        const uint8_t  q = (uint8_t)((s->serve + k) & (TOTEM_QUEUES - 1));
        const unsigned c = entry(q, s->oldest[q]);
        if (s->oldest[q] != s->epoch[q] && s->count[c] == 0) {
            n->serve = q;
            n->step  = 0;
            n->phase = s->message[c] ? READ : DONE;
            return;
        }
    }
}

// Rule 6.
static void phases(totem_fence *n, const totem_fence *s, const totem_fence_in *i)
{
    switch (s->phase) {
    case IDLE: choose(n, s, i); break;
    case READ:
        if (s->step < 3) {
            n->step = (uint8_t)(s->step + 1);
        } else {
            n->step  = 0;
            n->phase = s->data_sel != 0 ? WRITE : s->int_sel != 0 ? INTERRUPT : DONE;
        }
        if (s->step == 1) {
            n->address  = i->ram_read_data & 0xffffffffffu;
            n->data_sel = i->ram_read_data >> 40 & 7;
            n->int_sel  = i->ram_read_data >> 43 & 7;
        }
        if (s->step == 2)
            n->data = i->ram_read_data;
        if (s->step == 3) {
            n->ctxid = (uint32_t)i->ram_read_data;
            if (s->data_sel == 3 || s->data_sel == 4)
                n->data = i->clock;
        }
        break;
    case WRITE:
        if (i->write_ready) {
            if (s->step == 0)
                n->step = 1;
            else
                n->phase = ACK;
        }
        break;
    case ACK:
        if (i->write_ack && i->write_ack_error != 0) {
            n->code  = i->write_ack_error;
            n->own   = true;
            n->step  = 0;
            n->halt  = true;
            n->phase = ERROR;
        } else if (i->write_ack) {
            n->phase = s->int_sel != 0 ? INTERRUPT : DONE;
        }
        break;
    case INTERRUPT:
        if (i->interrupt_ready)
            n->phase = DONE;
        break;
    case DONE:
        n->oldest[s->serve] = epoch_after(s->oldest[s->serve]);
        n->phase            = IDLE;
        break;
    case ERROR:
        if (i->error_ready) {
            if (s->step == 0)
                n->step = 1;
            else
                n->phase = s->own ? DONE : IDLE;
        }
        break;
    default: break;
    }
}

void totem_fence_step(totem_fence *s, const totem_fence_in *i)
{
    totem_fence n = *s; // what follows the clock edge; s stays as it was before

    counts(&n, s, i);
    messages(&n, s, i);
    n.halt = false;
    phases(&n, s, i);

    *s = n;
}

bool totem_fence_invariant(const totem_fence *s)
{
    bool good = s->place <= 2 && s->store_place <= 2 && s->phase <= ERROR;
    if (s->phase == WRITE || s->phase == ERROR)
        good = good && s->step <= 1;
    return good;
}
