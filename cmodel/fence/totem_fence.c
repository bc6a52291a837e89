// SPDX-License-Identifier: Apache-2.0
//
// totem_fence: twin of rtl/fence/totem_fence.v, from docs/contract/fence.md.

#include "totem_fence.h"

#include "../memory/totem_memory_values.h"
#include "../packet/totem_pm4.h"
#include "totem_epochs.h"
#include "totem_fence_values.h"

void totem_fence_outputs(const totem_fence *s, totem_fence_out *o)
{
    const uint8_t epoch = s->latest[s->serve];
    o->free             = s->phase == FENCE_IDLE;
    o->done             = s->phase == FENCE_DONE;
    o->serve            = s->serve;
    o->serve_epoch      = epoch;
    for (unsigned q = 0; q < TOTEM_QUEUES; q++) {
        o->write_pending[q] = s->sent[q] | s->answered[q];
        o->telling[q]       = s->phase == FENCE_ERROR && s->serve == q;
    }

    o->ram_read_enable = s->phase == FENCE_READ && s->step < 3;
    o->ram_read_addr   = (uint8_t)((s->serve * TOTEM_EPOCHS + epoch) * 4 + s->step);

    const bool     narrow = s->data_sel == TOTEM_DATA_32_BITS;
    const uint64_t low    = s->data & 0xffffffffu;
    const uint64_t strobe = !narrow ? 0xff : (s->address & 4) != 0 ? 0xf0 : 0x0f;
    const uint64_t tag    = (uint64_t)epoch << 3 | s->serve;
    o->write_valid        = s->phase == FENCE_WRITE;
    if (s->step == 0)
        o->write_word = tag << 48 | strobe << 40 | (s->address & ~(uint64_t)7);
    else
        o->write_word = narrow ? low << 32 | low : s->data;

    o->task_valid = s->phase == FENCE_TASK;
    o->task_queue = s->serve;
    o->task_entry = (uint8_t)(s->address >> 2 & (TOTEM_ENTRIES - 1));

    o->interrupt_valid = s->phase == FENCE_INTERRUPT;
    o->interrupt_word  = (uint64_t)s->name << 36 | (uint64_t)s->serve << 32 | s->ctxid;

    o->error_valid         = s->phase == FENCE_ERROR;
    const bool     timeout = s->code == CODE_ABANDONED;
    const uint64_t code =
        timeout ? TOTEM_ERROR_HOST_DEQUEUE_TIMEOUT : TOTEM_ERROR_MEMORY_WRITE_SLVERR - 1u + (s->code & 3u);
    if (s->step == 0)
        o->error_word = code << 56 | (uint64_t)s->serve << 48 | s->address;
    else
        o->error_word = (timeout ? s->data : s->address) & 0xffffffffu;
}

// 1 Answers
static void answers(totem_fence *n, const totem_fence_in *i)
{
    const uint8_t q = i->ack_tag & (TOTEM_QUEUES - 1);
    const uint8_t e = i->ack_tag >> 3 & (TOTEM_EPOCHS - 1);
    if (!i->write_ack)
        return;
    n->sent[q]            = without(n->sent[q], e);
    n->answered[q]        = with(n->answered[q], e);
    n->fault[entry(q, e)] = i->ack_error;
}

// 2 Choice, continued: a record is sent before the next epoch is dealt with.
static void tell(totem_fence *n, uint8_t queue, uint8_t code, uint64_t address)
{
    n->serve   = queue;
    n->code    = code;
    n->address = address;
    n->own     = false;
    n->step    = 0;
    n->phase   = FENCE_ERROR;
}

// 2 Choice, continued: an epoch is taken up.
static void deal(totem_fence *n, const totem_fence *s, const totem_fence_in *i, uint8_t q, uint8_t e)
{
    const uint8_t fault = s->fault[entry(q, e)];
    n->serve            = q;
    n->latest[q]        = e;
    n->step             = 0;
    n->own              = true;
    n->again            = has(s->answered[q], e);
    if (n->again) {
        n->answered[q] = without(n->answered[q], e);
        n->code        = fault;
        n->phase       = fault != MEMORY_OK || has(s->notify[q], e) ? FENCE_READ : FENCE_DONE;
    } else {
        n->code  = CODE_NONE;
        n->phase = has(i->epoch_message[q], e) ? FENCE_READ : FENCE_DONE;
    }
}

// The first due epoch of a queue after the one that was dealt with last.
static uint8_t first_due(uint8_t due, uint8_t latest)
{
    for (unsigned k = 1; k < TOTEM_EPOCHS; k++) {
        const uint8_t e = (uint8_t)((latest + k) & (TOTEM_EPOCHS - 1));
        if (has(due, e))
            return e;
    }
    return latest;
}

// 2 Choice
static void choose(totem_fence *n, const totem_fence *s, const totem_fence_in *i)
{
    if (i->failure_valid) {
        tell(n, i->failure_slot, i->failure_code, i->failure_addr);
        return;
    }
    if (i->slot_idle_drop_valid) {
        tell(n, i->slot_idle_drop_queue, CODE_ABANDONED, 0);
        return;
    }
    for (unsigned k = 1; k <= TOTEM_QUEUES; k++) {
        const uint8_t q   = (uint8_t)((s->serve + k) & (TOTEM_QUEUES - 1));
        const uint8_t due = i->finish_ending[q] ? 0 : (uint8_t)(s->answered[q] | (~s->sent[q] & i->slot_idle_over[q]));
        if (due != 0) {
            deal(n, s, i, q, first_due(due, s->latest[q]));
            return;
        }
    }
}

static bool interrupts(const totem_fence *s)
{
    return s->int_sel == TOTEM_INT_INTERRUPT || s->int_sel == TOTEM_INT_INTERRUPT_AFTER_WRITE;
}

// 3 Reading
static void reading(totem_fence *n, const totem_fence *s, const totem_fence_in *i)
{
    if (s->step < 3) {
        n->step = (uint8_t)(s->step + 1);
    } else {
        n->step = 0;
        if (s->again)
            n->phase = s->code != CODE_NONE ? FENCE_ERROR : FENCE_INTERRUPT;
        else if (s->data_sel != TOTEM_DATA_NONE && has(i->epoch_inhibited[s->serve], s->latest[s->serve])) {
            n->code  = MEMORY_TIME_OUT;
            n->phase = FENCE_ERROR;
        } else
            n->phase = s->data_sel != TOTEM_DATA_NONE ? FENCE_WRITE : interrupts(s) ? FENCE_INTERRUPT : FENCE_DONE;
    }
    if (s->step == 1) {
        n->address  = i->ram_read_data & 0xffffffffffu;
        n->data_sel = i->ram_read_data >> 40 & 7;
        n->int_sel  = i->ram_read_data >> 43 & 7;
        if ((i->ram_read_data >> 46 & 1) != 0 && !s->again)
            n->phase = FENCE_TASK;
    }
    if (s->step == 2)
        n->data = i->ram_read_data;
    if (s->step == 3) {
        n->ctxid = (uint32_t)i->ram_read_data;
        n->name  = TOTEM_RUNLIST != 0 ? i->ram_read_data >> 36 & 0x7ff : 0;
        if (s->data_sel == TOTEM_DATA_GPU_CLOCK || s->data_sel == TOTEM_DATA_SYSTEM_CLOCK)
            n->data = i->clock;
    }
}

static void phases(totem_fence *n, const totem_fence *s, const totem_fence_in *i)
{
    switch (s->phase) {
    case FENCE_IDLE: choose(n, s, i); break;
    case FENCE_READ: reading(n, s, i); break;
    // 4 Writing
    case FENCE_WRITE:
        if (i->write_ready && s->step == 0) {
            n->step = 1;
        } else if (i->write_ready) {
            const uint8_t q = s->serve, e = s->latest[q];
            n->sent[q]   = with(n->sent[q], e);
            n->notify[q] = interrupts(s) ? with(n->notify[q], e) : without(n->notify[q], e);
            n->phase     = FENCE_IDLE;
        }
        break;
    // 5 Giving out
    case FENCE_TASK:
        if (i->finish_ready)
            n->phase = FENCE_DONE;
        break;
    case FENCE_INTERRUPT:
        if (i->events_interrupt_ready)
            n->phase = FENCE_DONE;
        break;
    // 6 Done
    case FENCE_DONE: n->phase = FENCE_IDLE; break;
    // 7 Record
    case FENCE_ERROR:
        if (s->step == 0 && s->code == CODE_ABANDONED)
            n->data = i->epoch_dropped;
        if (i->events_error_ready) {
            if (s->step == 0)
                n->step = 1;
            else
                n->phase = s->own ? FENCE_DONE : FENCE_IDLE;
        }
        break;
    default: break;
    }
}

void totem_fence_step(totem_fence *s, const totem_fence_in *i)
{
    totem_fence n = *s; // what follows the clock edge; s stays as it was before

    answers(&n, i);
    phases(&n, s, i);

    *s = n;
}

// Counters that are narrower than their C type.
bool totem_fence_invariant(const totem_fence *s)
{
    return s->phase <= FENCE_ERROR && (s->step <= 1 || (s->phase != FENCE_WRITE && s->phase != FENCE_ERROR));
}
