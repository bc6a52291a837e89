// SPDX-License-Identifier: Apache-2.0
//
// Part of totem_mqd: rules 9 to 12 and 18 to 20 of docs/contract/mqd.md: what is saved, and how a save ends.

#include "totem_mqd_save.h"

#include "../queue/totem_hqd_values.h"
#include "totem_mqd_layout.h"

// 18 Close
void totem_mqd_close(totem_mqd *n)
{
    n->job   = REQUEST_CLOSE;
    n->dword = MQD_STATE;
    n->phase = MQD_GET;
}

// 9 Set, continued: a dword of the window is as it was saved.
void totem_mqd_closed(totem_mqd *n, const totem_mqd *s)
{
    n->phase = MQD_GET;
    switch (s->dword) {
    case MQD_STATE: n->dword = MQD_BUFFER_LOW; break;
    case MQD_BUFFER_CONTROL:
        n->value = low_dword(s->base);
        n->phase = MQD_FINISH;
        break;
    default: n->dword = (uint8_t)(s->dword + 1); break;
    }
}

// A grid of the queue is kept, and no reset drops it.
static bool unfinished(const totem_mqd_in *i, uint8_t q)
{
    return (i->packet_unfinished[q] || i->runner_begun[q] || i->task_resume[q]) && !i->hqd_dropping[q];
}

// What is saved of a window dword: the window knows everything but the grid and the buffer.
static uint32_t saved(const totem_mqd *s, const totem_mqd_in *i)
{
    const uint32_t d      = i->hqd_rdata;
    const bool     open   = i->fetch_buffer[s->queue];
    const uint64_t buffer = i->fetch_buffer_addr[s->queue];

    switch (above(s)) {
    case TOTEM_REG_QUEUE_CP_HQD_ACTIVE: return d & ~1u;
    case TOTEM_REG_QUEUE_CP_HQD_PERSISTENT_STATE: {
        const uint32_t kept = (d & 0x7ffffffeu) | (uint32_t)unfinished(i, s->queue) << 31;
        if (s->job != REQUEST_CLOSE)
            return kept | 1u;
        if (s->code != 0)
            return kept | 1u << 31; // refused until the driver has written it
        return kept | (s->base != 0 ? 1u : 0);
    }
    case TOTEM_REG_QUEUE_CP_HQD_IB_BASE_ADDR: return open ? low_dword(buffer) : d;
    case TOTEM_REG_QUEUE_CP_HQD_IB_BASE_ADDR_HI: return open ? high_dword(i, buffer) : d;
    case TOTEM_REG_QUEUE_CP_HQD_IB_RPTR: return open ? 0 : d;
    case TOTEM_REG_QUEUE_CP_HQD_IB_CONTROL:
        return open ? 1u << 31 | (d & 0x7ff00000u) | i->fetch_buffer_left[s->queue] : d & 0x7fffffffu;
    case TOTEM_REG_QUEUE_CP_HQD_DEQUEUE_REQUEST: return d & ~7u;
    default: return d;
    }
}

// 20 Next: the dword is done with; a complete block is written, unless a write has failed.
static void next(totem_mqd *n, const totem_mqd *s)
{
    if (!full(s)) {
        n->dword = (uint8_t)(s->dword + 1);
        n->phase = MQD_GET;
    } else if (s->code != 0) {
        n->mask  = 0;
        n->phase = MQD_DRAIN;
    } else {
        n->step  = 0;
        n->fill  = 0;
        n->phase = MQD_PUT;
    }
}

// 19 Collect
void totem_mqd_collect(totem_mqd *n, const totem_mqd *s, uint32_t value)
{
    n->value      = value;
    n->pair       = odd(s) ? high_word(s->pair, value) : low_word(s->pair, value);
    n->beat_valid = true;
    n->beat_place = at(s) >> 1 & 15;
    n->beat       = n->pair;
    n->mask       = s->mask | 1u << (at(s) & 31);
    next(n, s);
}

// 10 Get
void totem_mqd_get(totem_mqd *n, const totem_mqd *s, const totem_mqd_in *i)
{
    if (low(s)) {
        if (i->bank_ready)
            n->phase = MQD_ANSWER;
    } else if (spared(s)) {
        next(n, s);
    } else if (i->hqd_done && s->job == REQUEST_CLOSE) {
        n->value = saved(s, i);
        n->phase = MQD_SET;
    } else if (i->hqd_done) {
        totem_mqd_collect(n, s, saved(s, i));
    }
}

// 11 Put: a clock of a burst. `begins`: its first word is taken.
void totem_mqd_put(totem_mqd *n, const totem_mqd *s, const totem_mqd_in *i, bool begins)
{
    if (s->step == 0) {
        if (begins) {
            n->step = 1;
            n->fill = 1;
        }
        return;
    }
    n->step = 2;
    n->pair = i->ram_read_data;
    n->fill = (s->fill + 1) & 63;
    if (!put(s))
        return;
    n->mask  = 0;
    n->phase = MQD_GET;
    if (s->dword == MQD_LAST_REGISTER)
        n->dword = MQD_WINDOW;
    else if (s->dword == MQD_LAST_WINDOW)
        n->phase = MQD_DRAIN;
    else
        n->dword = (uint8_t)(s->dword + 1);
}

// 12 Drain
void totem_mqd_drain(totem_mqd *n, const totem_mqd *s, const totem_mqd_in *i)
{
    if (s->owed != 0 || !i->bank_ready)
        return;
    if (i->task_present && s->code == 0 && (s->job == REQUEST_PRELOAD || s->job == REQUEST_SAVE)) {
        n->clear = i->hqd_dropping[s->queue];
        n->phase = MQD_SPILL;
    } else if (s->job == REQUEST_SAVE) {
        totem_mqd_close(n);
    } else {
        if (s->code != 0)
            n->value = low_dword(s->base);
        if (read_failed(s)) {
            n->dword = s->fault;
            n->value = low_dword(at(n));
        }
        n->phase = MQD_FINISH;
    }
}
