// SPDX-License-Identifier: Apache-2.0
//
// totem_mqd: twin of rtl/descriptor/totem_mqd.v, from docs/contract/mqd.md.

#include "totem_mqd.h"

#include "../memory/totem_memory_values.h"
#include "../packet/totem_pm4.h"
#include "../queue/totem_hqd_values.h"
#include "totem_mqd_layout.h"
#include "totem_mqd_load.h"
#include "totem_mqd_save.h"

// Window dwords that MQD_HEAD reads, in their order.
static const uint8_t head_dword[8] = {
    TOTEM_REG_QUEUE_CP_MQD_BASE_ADDR,        TOTEM_REG_QUEUE_CP_MQD_BASE_ADDR_HI,
    TOTEM_REG_QUEUE_CP_HQD_PERSISTENT_STATE, TOTEM_REG_QUEUE_CP_HQD_IB_BASE_ADDR,
    TOTEM_REG_QUEUE_CP_HQD_IB_BASE_ADDR_HI,  TOTEM_REG_QUEUE_CP_HQD_IB_CONTROL,
    TOTEM_REG_QUEUE_CP_HQD_IB_RPTR,          TOTEM_REG_QUEUE_CP_HQD_IB_RPTR,
};

// The value goes into the bank.
static bool to_bank(const totem_mqd *s)
{
    return s->phase == MQD_SET && (s->job == REQUEST_PRELOAD || (s->job == REQUEST_SWITCH_LOAD && low(s)));
}

// The port of memory is record's too: its words go first, its acknowledges have the other tag.
static bool taken(const totem_mqd_in *i)
{
    return i->write_ready && !i->record_write_valid;
}

static bool acked(const totem_mqd_in *i)
{
    return i->write_ack && (i->ack_tag & 1) == 0;
}

// What goes to events before this block's words: all of record's, and the second one of poll.
static bool told(const totem_mqd_in *i)
{
    if (i->record_error_valid)
        return false;
    if (i->poll_error_valid && i->poll_error_second)
        return false;
    return i->events_error_ready;
}

static bool noticed(const totem_mqd_in *i)
{
    return i->events_interrupt_ready && !i->fence_interrupt_valid;
}

// The word that ends a job of a switch.
static void moved(const totem_mqd *s, totem_mqd_out *o)
{
    const bool good = s->code == 0;
    const bool load = s->job == REQUEST_SWITCH_LOAD;

    if (!load && s->job != REQUEST_SWITCH_SAVE)
        return;
    o->access_dword = LOAD_MOVED;
    o->access_data  = s->grid ? 4 : 0;
    if (load && good)
        o->access_data |= 1; // loaded
    if (load || (good && s->base != 0))
        o->access_data |= 2; // the MQD holds the state
    if (!good)
        o->access_data |= 8;
}

static void access_outputs(const totem_mqd *s, totem_mqd_out *o)
{
    o->access_valid = false;
    o->access_kind  = ACCESS_LOAD;
    o->access_queue = s->queue;
    o->access_dword = above(s);
    o->access_data  = s->value;
    switch (s->phase) {
    case MQD_HEAD:
        o->access_valid = true;
        o->access_kind  = ACCESS_READ;
        o->access_dword = head_dword[s->step & 7];
        break;
    case MQD_BUFFER:
        o->access_valid = true;
        o->access_dword = s->step & 4 ? LOAD_RPTR : (uint8_t)(LOAD_BUFFER + (s->step & 3));
        if (s->step & 4)
            o->access_data = s->pair & 0xffffffffu;
        else if (s->step == 0)
            o->access_data = s->place << 2;
        else if (s->step == 1)
            o->access_data = s->left;
        break;
    case MQD_SET:
        o->access_valid = s->job == REQUEST_WINDOW || s->job == REQUEST_CLOSE ||
                          (s->job == REQUEST_SWITCH_LOAD && !low(s) && !own(s));
        o->access_kind = ACCESS_WRITE;
        break;
    case MQD_GET:
        o->access_valid = !low(s) && !spared(s);
        o->access_kind  = ACCESS_READ;
        break;
    case MQD_ACTIVATE:
        o->access_valid = true;
        o->access_kind  = ACCESS_WRITE;
        o->access_dword = TOTEM_REG_QUEUE_CP_HQD_ACTIVE;
        o->access_data  = 1;
        break;
    case MQD_FINISH:
        o->access_valid = true;
        o->access_dword = LOAD_ACTIVE;
        o->access_data  = 0;
        if (s->job == REQUEST_PRELOAD && s->code == 0)
            o->access_data = 1u | (uint64_t)s->preload << 1 | (uint64_t)s->grid << 2 | (uint64_t)s->turn << 3;
        moved(s, o);
        break;
    default: break;
    }
}

void totem_mqd_outputs(const totem_mqd *s, totem_mqd_out *o)
{
    const uint64_t place = at(s);
    const uint64_t end   = (s->base + part_end(s)) & PLACE_MASK;
    const unsigned from  = place >> 1 & 15;
    const unsigned upto  = end >> 5 == place >> 5 ? (unsigned)(end >> 1 & 15) : 15;

    access_outputs(s, o);
    o->bank_valid  = to_bank(s) || (s->phase == MQD_GET && low(s));
    o->bank_write  = s->phase == MQD_SET;
    o->bank_queue  = s->queue;
    o->bank_offset = (uint8_t)((s->dword - 1) & 127);
    o->bank_data   = s->value;

    o->ram_write_enable = s->beat_valid;
    o->ram_write_addr   = s->beat_place;
    o->ram_write_data   = s->beat;
    o->ram_read_enable  = s->phase == MQD_FIND || s->phase == MQD_PUT || (s->phase == MQD_SET && odd(s));
    o->ram_read_addr    = s->phase == MQD_PUT ? s->fill : sought(s);

    o->read_valid  = s->phase == MQD_ASK;
    o->read_addr   = place >> 1 << 3;
    o->read_beats  = (uint8_t)((upto - from + 1) & 31);
    o->write_valid = s->phase == MQD_PUT && !s->beat_valid;
    switch (s->step) {
    case 0: o->write_word = place >> 5 << 7 | 0xffull << 40 | 1ull << 55; break;
    case 1: o->write_word = s->mask; break;
    default: o->write_word = s->pair; break;
    }

    o->interrupt_valid = s->phase == MQD_INTERRUPT;
    o->interrupt_word  = s->reason | (uint64_t)s->queue << 32;
    o->error_valid     = s->phase == MQD_ERROR;
    o->error_word      = s->value;
    if (s->step == 0)
        o->error_word = (read_failed(s) ? place : s->base) << 2 | (uint64_t)s->queue << 48 | (uint64_t)s->code << 56;
    o->spill_valid = s->phase == MQD_SPILL;
    o->spill_op    = SPILL_LOAD;
    if (s->job != REQUEST_PRELOAD)
        o->spill_op = s->clear ? SPILL_CLEAR : SPILL_SAVE;
    o->spill_queue = s->queue;
    o->spill_base  = s->base;
    o->spill_grid  = s->grid;
    o->busy        = s->phase != MQD_IDLE;
    for (unsigned q = 0; q < TOTEM_QUEUES; q++) {
        o->records_differ[q] = s->records_differ[q];
        o->lost[q]           = s->lost[q];
    }
}

static bool asks(const totem_mqd *s, const totem_mqd_in *i, unsigned q)
{
    return i->hqd_request[q] != REQUEST_NONE && (!s->records_differ[q] || s->pause == 0 || i->hqd_leaving[q]);
}

// 4 Choice
static void choose(totem_mqd *n, const totem_mqd *s, const totem_mqd_in *i)
{
    for (unsigned k = 1; k <= TOTEM_QUEUES; k++) {
        const uint8_t q = (uint8_t)((s->queue + k) & (TOTEM_QUEUES - 1));
        if (asks(s, i, q)) {
            n->queue = q;
            n->job   = i->hqd_request[q];
            n->step  = 0;
            n->code  = 0;
            n->mask  = 0;
            n->turn  = false;
            n->phase = i->hqd_request[q] == REQUEST_END ? MQD_FINISH : MQD_HEAD;
            return;
        }
    }
}

static uint8_t descriptor_code(uint8_t error)
{
    switch (TOTEM_ERROR_HOST_HOLE - 1 + error) {
    case TOTEM_ERROR_HOST_MAP_PIPE_PRIORITY: return TOTEM_ERROR_DESCRIPTOR_PIPE_PRIORITY;
    case TOTEM_ERROR_HOST_MAP_AQL: return TOTEM_ERROR_DESCRIPTOR_AQL;
    case TOTEM_ERROR_HOST_MAP_QUEUE_SIZE: return TOTEM_ERROR_DESCRIPTOR_QUEUE_SIZE;
    case TOTEM_ERROR_HOST_MAP_NO_EPOCH: return TOTEM_ERROR_DESCRIPTOR_NO_EPOCH;
    default: return TOTEM_ERROR_DESCRIPTOR_MQD_FIELD;
    }
}

// 14 Activate
static void activate(totem_mqd *n, const totem_mqd_in *i)
{
    n->phase = MQD_IDLE;
    if (i->hqd_error != 0) {
        n->value = i->hqd_rdata;
        n->code  = descriptor_code(i->hqd_error);
        n->phase = MQD_FINISH;
    } else {
        n->kept[n->queue] = true;
    }
}

// 13 Roll: the list of tasks has been moved.
static void rolled(totem_mqd *n, const totem_mqd *s, const totem_mqd_in *i)
{
    n->turn = i->spill_turn;
    if (i->spill_code != 0)
        n->code = i->spill_code;
    if (s->job == REQUEST_SAVE) {
        totem_mqd_close(n);
        return;
    }
    if (i->spill_resume && s->job == REQUEST_PRELOAD)
        n->grid = false;
    n->value = i->spill_word;
    n->base  = i->spill_where;
    n->dword = MQD_START;
    n->phase = MQD_FINISH;
}

// 15 Finish
static void finish(totem_mqd *n, const totem_mqd *s, const totem_mqd_in *i)
{
    n->records_differ[s->queue] = false;
    if (s->job == REQUEST_SWITCH_SAVE && s->base != 0 && s->code == 0)
        n->kept[s->queue] = true;
    n->lost[s->queue] = s->job == REQUEST_CLOSE && s->code != 0;

    n->reason = i->hqd_rdata & 7;
    n->step   = 0;
    n->phase  = n->reason != 0 ? MQD_INTERRUPT : MQD_IDLE;
    if (s->code != 0)
        n->phase = MQD_ERROR;
}

void totem_mqd_step(totem_mqd *s, const totem_mqd_in *i)
{
    totem_mqd n = *s; // what follows the clock edge; s stays as it was before

    // 1 Beat and pause
    n.beat_valid = false;
    if (i->data_valid)
        totem_mqd_beat(&n, s, i);
    if (s->pause != 0)
        n.pause = (uint8_t)(s->pause - 1);
    for (unsigned q = 0; q < TOTEM_QUEUES; q++)
        n.kept[q] = s->kept[q] && i->hqd_active[q];

    // 2 Bursts
    n.owed = (uint8_t)((s->owed + put(s) + (s->phase == MQD_ASK && i->read_ready) - acked(i) -
                        (i->data_valid && i->data_last)) &
                       7);

    // 3 Write error
    if (acked(i) && i->ack_error != MEMORY_OK && s->code == 0)
        n.code = (uint8_t)(TOTEM_ERROR_MEMORY_WRITE_SLVERR - 1 + i->ack_error);

    switch (s->phase) {
    case MQD_IDLE: choose(&n, s, i); break;
    case MQD_HEAD:
        if (i->hqd_done)
            totem_mqd_head(&n, s, i);
        break;
    case MQD_BUFFER:
        if (i->hqd_done)
            totem_mqd_buffer(&n, s);
        break;
    // 7 Reads
    case MQD_ASK: totem_mqd_ask(&n, s, i); break;
    case MQD_FIND:
        if (s->code != 0)
            n.phase = MQD_DRAIN;
        else if (there(s))
            n.phase = MQD_TAKE;
        break;
    case MQD_TAKE: totem_mqd_take(&n, s, i); break;
    case MQD_SET:
        if (s->job == REQUEST_CLOSE) {
            if (i->hqd_done)
                totem_mqd_closed(&n, s);
        } else if ((s->job == REQUEST_SWITCH_LOAD && own(s)) || (to_bank(s) ? i->bank_ready : i->hqd_done))
            totem_mqd_set(&n, s, i);
        break;
    case MQD_GET: totem_mqd_get(&n, s, i); break;
    case MQD_ANSWER:
        if (i->bank_answer)
            totem_mqd_collect(&n, s, i->register_ram_read_data);
        break;
    case MQD_PUT: totem_mqd_put(&n, s, i, !s->beat_valid && taken(i)); break;
    case MQD_DRAIN: totem_mqd_drain(&n, s, i); break;
    case MQD_ACTIVATE:
        if (i->hqd_done)
            activate(&n, i);
        break;
    case MQD_SPILL:
        if (i->spill_done)
            rolled(&n, s, i);
        break;
    case MQD_FINISH:
        if (i->hqd_done)
            finish(&n, s, i);
        break;
    // 16 Messages
    case MQD_INTERRUPT:
        if (noticed(i))
            n.phase = MQD_IDLE;
        break;
    default:
        if (told(i) && s->step == 0)
            n.step = 1;
        else if (told(i))
            n.phase = s->reason != 0 ? MQD_INTERRUPT : MQD_IDLE;
        break;
    }

    *s = n;
}
