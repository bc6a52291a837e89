// SPDX-License-Identifier: Apache-2.0
//
// totem_spill: twin of rtl/task/totem_spill.v, from docs/contract/spill.md.

#include "totem_spill.h"

#include "../descriptor/totem_mqd_values.h"
#include "../memory/totem_memory_values.h"
#include "../packet/totem_pm4.h"

enum { MOST = 64 }; // pointers

#define PLACE_MASK ((1ull << 38) - 1)

static uint64_t dword_address(const totem_spill *s)
{
    return (s->base + s->dword) & PLACE_MASK;
}

static unsigned number(const totem_spill *s)
{
    return (unsigned)s->pipe * TOTEM_QUEUES + s->queue;
}

void totem_spill_outputs(const totem_spill *s, totem_spill_out *o)
{
    const uint64_t at = dword_address(s), line = at >> 1 << 3;
    const uint64_t strobe = (at & 1) != 0 ? 0xf0 : 0x0f;
    const unsigned x      = number(s) % (TOTEM_PIPES * TOTEM_QUEUES);

    for (unsigned p = 0; p < TOTEM_PIPES; p++)
        o->done[p] = s->phase == SPILL_DONE && s->pipe == p;
    o->code            = s->code;
    o->word            = s->word;
    o->where           = s->where;
    o->turn            = s->turn;
    o->resume          = s->resume;
    o->unload_valid    = s->phase == SPILL_UNLOAD;
    o->unload_queue    = (uint8_t)x;
    o->restore_valid   = s->phase == SPILL_RESTORE;
    o->restore_queue   = (uint8_t)x;
    o->restore_pointer = s->value;
    o->restore_resume  = s->resume && s->dword == DWORD_FIRST;
    o->relay_valid     = s->phase == SPILL_RELAY;
    o->relay_write     = s->op == SPILL_LOAD;
    o->relay_pipe      = s->pipe;
    o->relay_queue     = s->queue;
    o->relay_offset    = (uint8_t)((s->dword - 1u) & 127);
    o->relay_data      = s->value;
    o->read_valid      = s->phase == SPILL_ASK;
    o->read_addr       = line;
    o->read_beats      = 1;
    o->write_valid     = s->phase == SPILL_WRITE;
    o->write_word      = s->step ? (uint64_t)s->value << 32 | s->value : line | strobe << 40;
}

// The next dword of the restart state, or the list behind it.
static uint16_t onward(const totem_spill *s)
{
    switch (s->dword) {
    case DWORD_RESTART_Z: return DWORD_RELAUNCH;
    case DWORD_RELAUNCH: return DWORD_FIRST;
    default: return (s->dword + 1u) & 511;
    }
}

// 2 Request
static void begin(totem_spill *n, const totem_spill_in *i)
{
    for (unsigned p = 0; p < TOTEM_PIPES; p++) {
        if (!i->mqd_spill_valid[p])
            continue;
        const unsigned x     = p * TOTEM_QUEUES + i->mqd_spill_queue[p];
        const bool     begun = i->runner_begun[x] || i->task_resume[x];

        n->pipe   = p != 0;
        n->queue  = i->mqd_spill_queue[p];
        n->op     = i->mqd_spill_op[p];
        n->base   = i->mqd_spill_base[p];
        n->where  = n->base;
        n->grid   = i->mqd_spill_grid[p];
        n->count  = 0;
        n->turn   = false;
        n->step   = false;
        n->code   = 0;
        n->resume = n->op == SPILL_SAVE && begun;
        n->phase  = SPILL_LAST;
        if (n->op == SPILL_LOAD) {
            n->dword = DWORD_COUNT;
            n->phase = SPILL_CLEAN;
        } else if (n->resume) {
            n->dword = DWORD_RESTART_X;
            n->phase = SPILL_RELAY;
        } else if (n->op == SPILL_SAVE) {
            n->phase = SPILL_UNLOAD;
        }
        return;
    }
}

static void fail(totem_spill *n, uint8_t code, uint32_t word)
{
    n->code  = code;
    n->word  = word;
    n->phase = SPILL_END;
}

// 4 Heard
static void hear(totem_spill *n, const totem_spill *s, const totem_spill_in *i)
{
    const uint64_t at    = dword_address(s);
    const uint32_t heard = (uint32_t)(i->data_word >> ((at & 1) != 0 ? 32 : 0));

    n->value = heard;
    if (i->data_error != MEMORY_OK) {
        fail(n, (uint8_t)(TOTEM_ERROR_MEMORY_READ_SLVERR - 1 + i->data_error), (uint32_t)(at << 2));
        n->where = at;
    } else if (s->dword != DWORD_COUNT) {
        n->phase = s->dword < DWORD_COUNT ? SPILL_RELAY : SPILL_RESTORE;
    } else if ((heard & 0x3fffffff) > MOST) {
        fail(n, TOTEM_ERROR_DESCRIPTOR_MQD_FIELD, heard);
    } else {
        n->count = heard & 127;
        n->turn  = (heard >> 30 & 1) != 0;
        n->phase = SPILL_END;
        if (n->count != 0) {
            n->resume = heard >> 31 != 0 && s->grid;
            n->dword  = n->resume ? DWORD_RESTART_X : DWORD_FIRST;
            n->phase  = SPILL_ASK;
        }
    }
}

// 8 Write
static void written(totem_spill *n, const totem_spill *s)
{
    n->step = !s->step;
    if (!s->step)
        return;
    if (s->dword == DWORD_COUNT) {
        n->phase = SPILL_END;
    } else if (s->dword > DWORD_COUNT) {
        n->count = (s->count + 1u) & 127;
        n->phase = SPILL_UNLOAD;
    } else if (s->dword == DWORD_RELAUNCH) {
        n->phase = SPILL_UNLOAD;
    } else {
        n->dword = onward(s);
        n->phase = SPILL_RELAY;
    }
}

void totem_spill_step(totem_spill *s, const totem_spill_in *i)
{
    totem_spill    n    = *s;
    const unsigned x    = number(s) % (TOTEM_PIPES * TOTEM_QUEUES);
    const bool     sent = s->phase == SPILL_WRITE && s->step && i->write_ready;

    // 1 Acknowledged
    n.owed = (uint8_t)((s->owed + sent - i->write_ack) & 127);
    if (i->write_ack && i->ack_error != MEMORY_OK && s->code == 0) {
        n.code = (uint8_t)(TOTEM_ERROR_MEMORY_WRITE_SLVERR - 1 + i->ack_error);
        n.word = (uint32_t)(s->base << 2);
    }
    switch (s->phase) {
    case SPILL_REST: begin(&n, i); break;
    // 3 Read
    case SPILL_CLEAN:
        if (!i->task_purging[x])
            n.phase = SPILL_ASK;
        break;
    case SPILL_ASK:
        if (i->read_ready)
            n.phase = SPILL_HEAR;
        break;
    case SPILL_HEAR:
        if (i->data_valid)
            hear(&n, s, i);
        break;
    // 5 Relay
    case SPILL_RELAY:
        if (!i->setup_relay_done)
            break;
        if (s->op == SPILL_LOAD) {
            n.dword = onward(s);
            n.phase = SPILL_ASK;
        } else {
            n.value = i->setup_relay_data;
            n.phase = SPILL_WRITE;
        }
        break;
    // 6 Restore
    case SPILL_RESTORE:
        if (i->task_restore_ready) {
            n.dword = (s->dword + 1u) & 511;
            n.phase = s->dword == ((DWORD_COUNT + (unsigned)s->count) & 511) ? SPILL_END : SPILL_ASK;
        }
        break;
    // 7 Unload
    case SPILL_UNLOAD:
        if (!i->task_unload_done)
            break;
        n.phase = SPILL_LAST;
        if (!i->task_unload_last) {
            n.value = i->task_unload_pointer;
            n.dword = (uint16_t)(DWORD_FIRST + (s->count & 63));
            n.phase = SPILL_WRITE;
        }
        break;
    case SPILL_WRITE:
        if (i->write_ready)
            written(&n, s);
        break;
    // 9 Last
    case SPILL_LAST:
        n.dword = DWORD_COUNT;
        n.value = s->count;
        if (s->op == SPILL_SAVE)
            n.value |= (uint32_t)s->resume << 31 | (uint32_t)(s->resume || i->runner_lists_turn[x]) << 30;
        n.phase = SPILL_WRITE;
        break;
    // 10 End
    case SPILL_END:
        if (s->owed == 0)
            n.phase = SPILL_DONE;
        break;
    default: n.phase = SPILL_REST; break;
    }

    *s = n;
}
