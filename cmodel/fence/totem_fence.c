// SPDX-License-Identifier: Apache-2.0
//
// totem_fence: twin of rtl/fence/totem_fence.v, from docs/contract/fence.md.

#include "totem_fence.h"

#include "../packet/totem_pm4.h"
#include "../queue/totem_load.h"
#include "../queue/totem_phases.h"

enum { TOTEM_FENCE_PHASES(TOTEM_PHASE) };
enum { TIME_OUT = 3 }; // error of a write that was never answered
enum { CODE_TIMEOUT = 4 };

void totem_fence_outputs(const totem_fence *s, totem_fence_out *o)
{
    o->free  = s->phase == IDLE;
    o->done  = s->phase == DONE;
    o->serve = s->serve;
    for (unsigned q = 0; q < TOTEM_QUEUES; q++) {
        o->away[q]    = s->sent[q] || s->answered[q];
        o->telling[q] = s->phase == ERROR && s->serve == q;
    }

    o->ram_read_enable = s->phase == READ && s->step < 3;
    o->ram_read_addr   = (uint8_t)((s->serve * TOTEM_EPOCHS + s->serve_epoch) * 4 + s->step);

    const uint64_t low    = s->data & 0xffffffffu;
    const uint64_t strobe = s->data_sel != 1 ? 0xff : (s->address & 4) != 0 ? 0xf0 : 0x0f;
    const uint64_t tag    = (uint64_t)s->serve_epoch << 3 | s->serve;
    o->write_valid        = s->phase == WRITE;
    if (s->step == 0)
        o->write_word = tag << 48 | strobe << 40 | (s->address & ~(uint64_t)7);
    else
        o->write_word = s->data_sel == 1 ? low << 32 | low : s->data;

    o->interrupt_valid = s->phase == INTERRUPT;
    o->interrupt_word  = (uint64_t)s->serve << 32 | s->ctxid;

    o->error_valid         = s->phase == ERROR;
    const bool     timeout = s->code == CODE_TIMEOUT;
    const uint64_t code =
        timeout ? TOTEM_ERROR_HOST_DEQUEUE_TIMEOUT : TOTEM_ERROR_MEMORY_WRITE_SLVERR - 1u + (s->code & 3u);
    if (s->step == 0)
        o->error_word = code << 56 | (uint64_t)s->serve << 48 | s->address;
    else
        o->error_word = (timeout ? s->data : s->address) & 0xffffffffu;
}

// Rule 1.
static void answers(totem_fence *n, const totem_fence_in *i)
{
    const uint8_t q = i->ack_tag & (TOTEM_QUEUES - 1);
    for (unsigned k = 0; k < TOTEM_QUEUES; k++)
        n->silent_before[k] = n->silent_before[k] && i->epoch_earlier[k];
    if (!i->write_ack)
        return;
    n->sent[q]     = false;
    n->answered[q] = true;
    n->fault[q]    = i->ack_error;
    if (i->ack_error == TIME_OUT) {
        if (i->epoch_earlier[q])
            n->silent_before[q] = true;
        else
            n->silent[q] = true;
    }
}

// Rule 2, IDLE: a record that is given out before the next epoch is dealt with.
static void tell(totem_fence *n, uint8_t queue, uint8_t code, uint64_t address)
{
    n->serve   = queue;
    n->code    = code;
    n->address = address;
    n->own     = false;
    n->step    = 0;
    n->phase   = ERROR;
}

// Rule 2, IDLE: the oldest failure of a packet write, else a queue that is given up, else the next one with something
// to be done.
static void choose(totem_fence *n, const totem_fence *s, const totem_fence_in *i)
{
    if (i->failure_valid) {
        tell(n, i->failure_slot, i->failure_code, i->failure_addr);
        return;
    }
    if (i->settle_drop_valid) {
        tell(n, i->settle_drop_queue, CODE_TIMEOUT, 0);
        return;
    }
    for (unsigned k = 1; k <= TOTEM_QUEUES; k++) {
        const uint8_t q = (uint8_t)((s->serve + k) & (TOTEM_QUEUES - 1));
        if (!s->answered[q] && (s->sent[q] || !i->settle_over[q]))
            continue;
        n->serve       = q;
        n->serve_epoch = i->epoch_oldest[q];
        n->step        = 0;
        n->own         = true;
        n->again       = s->answered[q];
        if (s->answered[q]) {
            n->answered[q] = false;
            n->code        = s->fault[q];
            n->phase       = s->fault[q] != 0 || s->notify[q] ? READ : DONE;
        } else {
            n->code  = 0;
            n->phase = i->epoch_message[q] ? READ : DONE;
        }
        return;
    }
}

// int_sel 3 asks for the data alone.
static bool wants_interrupt(const totem_fence *s)
{
    return s->int_sel == TOTEM_INT_INTERRUPT || s->int_sel == TOTEM_INT_INTERRUPT_AFTER_WRITE;
}

// A fence was closed behind one without an answer, which has halted its queue: it would take one more ID that all
// share.
static bool is_hushed(const totem_fence *s, const totem_fence_in *i)
{
    const uint8_t q      = s->serve;
    const bool    silent = i->epoch_earlier[q] ? s->silent_before[q] : s->silent[q];
    return silent && !i->epoch_pair[q];
}

// Rule 2, READ.
static void reading(totem_fence *n, const totem_fence *s, const totem_fence_in *i)
{
    if (s->step < 3) {
        n->step = (uint8_t)(s->step + 1);
    } else {
        n->step = 0;
        if (s->again)
            n->phase = s->code != 0 ? ERROR : INTERRUPT;
        else if (s->data_sel != 0 && is_hushed(s, i)) {
            n->code  = TIME_OUT;
            n->phase = ERROR;
        } else
            n->phase = s->data_sel != 0 ? WRITE : wants_interrupt(s) ? INTERRUPT : DONE;
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
}

// Rule 2.
static void phases(totem_fence *n, const totem_fence *s, const totem_fence_in *i)
{
    switch (s->phase) {
    case IDLE: choose(n, s, i); break;
    case READ: reading(n, s, i); break;
    case WRITE:
        if (i->write_ready && s->step == 0) {
            n->step = 1;
        } else if (i->write_ready) {
            n->sent[s->serve]   = true;
            n->notify[s->serve] = wants_interrupt(s);
            n->phase            = IDLE;
        }
        break;
    case INTERRUPT:
        if (i->events_interrupt_ready)
            n->phase = DONE;
        break;
    case DONE: n->phase = IDLE; break;
    case ERROR:
        if (s->step == 0 && s->code == CODE_TIMEOUT)
            n->data = i->epoch_dropped;
        if (i->events_error_ready) {
            if (s->step == 0)
                n->step = 1;
            else
                n->phase = s->own ? DONE : IDLE;
        }
        break;
    default: break;
    }
}

// Rule 3.
static void loads(totem_fence *n, const totem_fence_in *i)
{
    const uint8_t q = i->load_queue;
    if (!i->load_valid)
        return;
    if (i->load_kind == LOAD_RESUME || i->load_kind == LOAD_SKIP)
        n->silent[q] = false;
    if (i->load_kind == LOAD_ACTIVE && (i->load_data & 1)) {
        n->silent_before[q] = n->silent_before[q] || n->silent[q];
        n->silent[q]        = false;
    }
}

void totem_fence_step(totem_fence *s, const totem_fence_in *i)
{
    totem_fence n = *s; // what follows the clock edge; s stays as it was before

    answers(&n, i);
    phases(&n, s, i);
    loads(&n, i);

    *s = n;
}

// Representation of the contract: sizes of counters that are narrower than their C type.
bool totem_fence_invariant(const totem_fence *s)
{
    return s->phase <= ERROR && s->phase != 3 && (s->step <= 1 || (s->phase != WRITE && s->phase != ERROR));
}
