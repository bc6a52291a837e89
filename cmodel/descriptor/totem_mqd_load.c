// SPDX-License-Identifier: Apache-2.0
//
// Part of totem_mqd: rules 5 to 9 and 17 of docs/contract/mqd.md: what is read of window and MQD, and where it goes.

#include "totem_mqd_load.h"

#include "../memory/totem_memory_values.h"
#include "../packet/totem_pm4.h"
#include "../queue/totem_hqd_values.h"
#include "totem_mqd_layout.h"
#include "totem_mqd_save.h"

enum { PAUSE = 63 };

// 17 Registers: what the window knows of the slot is read.
static void registers(totem_mqd *n)
{
    n->step  = 0;
    n->phase = MQD_FINISH;
    if (n->preload) {
        n->dword = MQD_FIRST_REGISTER;
        n->phase = MQD_ASK;
    }
}

// 5 Head
void totem_mqd_head(totem_mqd *n, const totem_mqd *s, const totem_mqd_in *i)
{
    const uint32_t data    = i->hqd_rdata;
    const uint32_t pointer = data & LEFT_MASK;

    n->step = (s->step + 1) & 7;
    switch (s->step) {
    case 0: n->base = low_place(s->base, data); break;
    case 1:
        n->base = high_place(i, s->base, data);
        if (s->job == REQUEST_WINDOW && upper(i, data).strange) {
            n->code  = TOTEM_ERROR_DESCRIPTOR_MQD_FIELD;
            n->value = data;
            n->phase = MQD_FINISH;
        } else if (s->job == REQUEST_WINDOW) {
            n->dword = MQD_ACTIVE;
            n->phase = MQD_ASK;
        } else if (s->job == REQUEST_SWITCH_LOAD) {
            n->dword = MQD_FIRST_REGISTER;
            n->phase = MQD_ASK;
        }
        break;
    case 2:
        n->preload = (data & 1) != 0;
        n->grid    = data >> 31 != 0;
        if (s->job == REQUEST_SAVE && s->base == 0) {
            totem_mqd_close(n);
        } else if (s->job == REQUEST_SWITCH_SAVE && s->base == 0) {
            n->phase = MQD_FINISH;
        } else if (s->job == REQUEST_SAVE || s->job == REQUEST_SWITCH_SAVE) {
            n->dword = MQD_FIRST_REGISTER;
            n->phase = MQD_GET;
        } else if (s->job == REQUEST_PRELOAD) {
            n->dword   = MQD_TOP_RPTR;
            n->unequal = false;
            n->phase   = MQD_ASK;
        }
        break;
    case 3: n->place = low_place(s->place, data); break;
    case 4: n->place = high_place(i, s->place, data); break;
    case 5:
        n->left = pointer;
        if (data >> 31 == 0)
            registers(n);
        break;
    default:
        n->place = (s->place + pointer) & PLACE_MASK;
        n->left  = (s->left - pointer) & LEFT_MASK;
        if (pointer < s->left) {
            n->step  = 0;
            n->phase = MQD_BUFFER;
        } else {
            registers(n);
        }
        break;
    }
}

// 1 Beat and pause, continued
void totem_mqd_beat(totem_mqd *n, const totem_mqd *s, const totem_mqd_in *i)
{
    n->beat_valid = true;
    n->beat_place = s->fill;
    n->beat       = i->data_word;
    n->fill       = (s->fill + 1) & 63;
    if (i->data_error != MEMORY_OK && s->code == 0) {
        const uint8_t failing = (uint8_t)((2u * s->fill - s->base) & 127);
        n->code               = (uint8_t)(TOTEM_ERROR_MEMORY_READ_SLVERR - 1 + i->data_error);
        n->fault              = low(s) || records(s) ? failing : failing | 128;
    }
}

// 7 Reads, continued: the bursts of a part
void totem_mqd_ask(totem_mqd *n, const totem_mqd *s, const totem_mqd_in *i)
{
    const uint64_t stop = (s->base + part_end(s)) & PLACE_MASK;

    if (s->owed == 0)
        n->fill = ram_place(s);
    if (!i->read_ready)
        return;
    if (at(s) >> 5 == stop >> 5 || s->code != 0) {
        n->dword = start(s);
        n->phase = MQD_FIND;
    } else {
        n->dword = (uint8_t)(s->dword + 32 - (at(s) & 31));
    }
}

// What a switch load takes over when everything has been read.
static void keep(totem_mqd *n, const totem_mqd *s, const totem_mqd_in *i)
{
    switch (above(s)) {
    case TOTEM_REG_QUEUE_CP_HQD_PERSISTENT_STATE: n->grid = s->value >> 31 != 0; break;
    case TOTEM_REG_QUEUE_CP_HQD_PQ_RPTR: n->pair = low_word(s->pair, s->value); break;
    case TOTEM_REG_QUEUE_CP_HQD_IB_BASE_ADDR: n->place = low_place(s->place, s->value); break;
    case TOTEM_REG_QUEUE_CP_HQD_IB_BASE_ADDR_HI: n->place = high_place(i, s->place, s->value); break;
    case TOTEM_REG_QUEUE_CP_HQD_IB_CONTROL: n->left = s->value >> 31 != 0 ? s->value & LEFT_MASK : 0; break;
    default: break;
    }
}

// The last dword of the records: go on, or look again later.
static void compared(totem_mqd *n, const totem_mqd *s, const totem_mqd_in *i, uint32_t sequence)
{
    n->value = sequence;
    if (sequence == (uint32_t)s->pair && !s->unequal) {
        n->records_differ[s->queue] = false;
        n->step                     = 2;
        n->phase                    = MQD_BUFFER;
    } else {
        n->records_differ[s->queue] = true;
        n->pause                    = PAUSE;
        n->phase                    = i->hqd_leaving[s->queue] ? MQD_FINISH : MQD_IDLE;
    }
}

// 8 Take
void totem_mqd_take(totem_mqd *n, const totem_mqd *s, const totem_mqd_in *i)
{
    const uint32_t v = (uint32_t)(odd(s) ? i->ram_read_data >> 32 : i->ram_read_data);

    if (!records(s)) {
        n->value = s->dword == MQD_ACTIVE ? v & ~1u : v;
        n->phase = MQD_SET;
        return;
    }
    switch (s->dword) {
    case MQD_TOP_RPTR:
        n->pair  = low_word(s->pair, v);
        n->dword = MQD_END_RPTR;
        break;
    case MQD_END_RPTR:
        n->unequal = v != (uint32_t)s->pair;
        n->dword   = MQD_END_SEQUENCE;
        break;
    case MQD_END_SEQUENCE:
        n->pair  = low_word(s->pair, v);
        n->dword = MQD_TOP_SEQUENCE;
        break;
    default: compared(n, s, i, v); return;
    }
    n->phase = MQD_FIND;
}

// 9 Set
void totem_mqd_set(totem_mqd *n, const totem_mqd *s, const totem_mqd_in *i)
{
    const bool load = s->job == REQUEST_SWITCH_LOAD;

    n->dword = (uint8_t)(s->dword + 1);
    if (s->dword == MQD_LAST_REGISTER && load) {
        n->dword = MQD_ACTIVE;
        n->phase = MQD_ASK;
    } else if (s->dword == MQD_LAST_REGISTER) {
        n->phase = MQD_DRAIN;
    } else if (s->dword == MQD_LAST_WINDOW && load) {
        n->step  = 4;
        n->phase = MQD_BUFFER;
    } else if (s->dword == MQD_LAST_WINDOW) {
        n->phase = MQD_ACTIVATE;
    } else if (odd(s)) {
        n->phase = there(s) && s->code == 0 ? MQD_TAKE : MQD_FIND;
    } else {
        n->value = (uint32_t)(i->ram_read_data >> 32); // the other half of the beat
    }
    if (load && own(s))
        keep(n, s, i);
}

// 6 Buffer
void totem_mqd_buffer(totem_mqd *n, const totem_mqd *s)
{
    if (s->step & 4) { // the read pointer of a switch load comes first
        n->step = 0;
    } else if (s->step == 0) {
        n->step = 1;
    } else if (s->step == 1 && s->job == REQUEST_SWITCH_LOAD) {
        n->phase = MQD_DRAIN;
    } else if (s->step == 1) {
        registers(n);
    } else { // the sequence number was the last of the records
        n->step  = 3;
        n->phase = MQD_HEAD;
    }
}
