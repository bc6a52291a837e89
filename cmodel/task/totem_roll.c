// SPDX-License-Identifier: Apache-2.0
//
// totem_roll: twin of rtl/task/totem_roll.v, from docs/contract/roll.md.

#include "totem_roll.h"

#include "../descriptor/totem_mqd_values.h"
#include "../memory/totem_memory_values.h"
#include "../packet/totem_pm4.h"

enum { MOST = 64 }; // pointers

#define PLACE_MASK ((1ull << 38) - 1)

static uint64_t dword_address(const totem_roll *s)
{
    return (s->base + s->dword) & PLACE_MASK;
}

static unsigned number(const totem_roll *s)
{
    return (unsigned)s->pipe * TOTEM_QUEUES + s->queue;
}

void totem_roll_outputs(const totem_roll *s, totem_roll_out *o)
{
    const uint64_t at = dword_address(s), line = at >> 1 << 3;
    const uint64_t strobe = (at & 1) != 0 ? 0xf0 : 0x0f;
    const unsigned x      = number(s) % (TOTEM_PIPES * TOTEM_QUEUES);

    for (unsigned p = 0; p < TOTEM_PIPES; p++)
        o->done[p] = s->phase == ROLL_DONE && s->pipe == p;
    o->code            = s->code;
    o->word            = s->word;
    o->where           = s->where;
    o->turn            = s->turn;
    o->resume          = s->resume;
    o->unload_valid    = s->phase == ROLL_UNLOAD;
    o->unload_queue    = (uint8_t)x;
    o->restore_valid   = s->phase == ROLL_RESTORE;
    o->restore_queue   = (uint8_t)x;
    o->restore_pointer = s->value;
    o->restore_resume  = s->resume && s->dword == DWORD_FIRST;
    o->relay_valid     = s->phase == ROLL_RELAY;
    o->relay_write     = s->op == ROLL_LOAD;
    o->relay_pipe      = s->pipe;
    o->relay_queue     = s->queue;
    o->relay_offset    = (uint8_t)((s->dword - 1u) & 127);
    o->relay_data      = s->value;
    o->read_valid      = s->phase == ROLL_ASK;
    o->read_addr       = line;
    o->read_beats      = 1;
    o->write_valid     = s->phase == ROLL_WRITE;
    o->write_word      = s->step ? (uint64_t)s->value << 32 | s->value : line | strobe << 40;
}

// The next dword of the restart state, or the list behind it.
static uint16_t onward(const totem_roll *s)
{
    switch (s->dword) {
    case DWORD_RESTART_Z: return DWORD_RELAUNCH;
    case DWORD_RELAUNCH: return DWORD_FIRST;
    default: return (s->dword + 1u) & 511;
    }
}

// 2 Request
static void begin(totem_roll *n, const totem_roll_in *i)
{
    for (unsigned p = 0; p < TOTEM_PIPES; p++) {
        if (!i->mqd_roll_valid[p])
            continue;
        const unsigned x     = p * TOTEM_QUEUES + i->mqd_roll_queue[p];
        const bool     begun = i->runner_begun[x] || i->task_resume[x];

        n->pipe   = p != 0;
        n->queue  = i->mqd_roll_queue[p];
        n->op     = i->mqd_roll_op[p];
        n->base   = i->mqd_roll_base[p];
        n->where  = n->base;
        n->grid   = i->mqd_roll_grid[p];
        n->count  = 0;
        n->turn   = false;
        n->step   = false;
        n->code   = 0;
        n->resume = n->op == ROLL_SAVE && begun;
        n->phase  = ROLL_LAST;
        if (n->op == ROLL_LOAD) {
            n->dword = DWORD_COUNT;
            n->phase = ROLL_CLEAN;
        } else if (n->resume) {
            n->dword = DWORD_RESTART_X;
            n->phase = ROLL_RELAY;
        } else if (n->op == ROLL_SAVE) {
            n->phase = ROLL_UNLOAD;
        }
        return;
    }
}

static void fail(totem_roll *n, uint8_t code, uint32_t word)
{
    n->code  = code;
    n->word  = word;
    n->phase = ROLL_END;
}

// 4 Heard
static void hear(totem_roll *n, const totem_roll *s, const totem_roll_in *i)
{
    const uint64_t at    = dword_address(s);
    const uint32_t heard = (uint32_t)(i->data_word >> ((at & 1) != 0 ? 32 : 0));

    n->value = heard;
    if (i->data_error != MEMORY_OK) {
        fail(n, (uint8_t)(TOTEM_ERROR_MEMORY_READ_SLVERR - 1 + i->data_error), (uint32_t)(at << 2));
        n->where = at;
    } else if (s->dword != DWORD_COUNT) {
        n->phase = s->dword < DWORD_COUNT ? ROLL_RELAY : ROLL_RESTORE;
    } else if ((heard & 0x3fffffff) > MOST) {
        fail(n, TOTEM_ERROR_DESCRIPTOR_MQD_FIELD, heard);
    } else {
        n->count = heard & 127;
        n->turn  = (heard >> 30 & 1) != 0;
        n->phase = ROLL_END;
        if (n->count != 0) {
            n->resume = heard >> 31 != 0 && s->grid;
            n->dword  = n->resume ? DWORD_RESTART_X : DWORD_FIRST;
            n->phase  = ROLL_ASK;
        }
    }
}

// 8 Write
static void written(totem_roll *n, const totem_roll *s)
{
    n->step = !s->step;
    if (!s->step)
        return;
    if (s->dword == DWORD_COUNT) {
        n->phase = ROLL_END;
    } else if (s->dword > DWORD_COUNT) {
        n->count = (s->count + 1u) & 127;
        n->phase = ROLL_UNLOAD;
    } else if (s->dword == DWORD_RELAUNCH) {
        n->phase = ROLL_UNLOAD;
    } else {
        n->dword = onward(s);
        n->phase = ROLL_RELAY;
    }
}

void totem_roll_step(totem_roll *s, const totem_roll_in *i)
{
    totem_roll     n    = *s;
    const unsigned x    = number(s) % (TOTEM_PIPES * TOTEM_QUEUES);
    const bool     sent = s->phase == ROLL_WRITE && s->step && i->write_ready;

    // 1 Acknowledged
    n.owed = (uint8_t)((s->owed + sent - i->write_ack) & 127);
    if (i->write_ack && i->ack_error != MEMORY_OK && s->code == 0) {
        n.code = (uint8_t)(TOTEM_ERROR_MEMORY_WRITE_SLVERR - 1 + i->ack_error);
        n.word = (uint32_t)(s->base << 2);
    }
    switch (s->phase) {
    case ROLL_REST: begin(&n, i); break;
    // 3 Read
    case ROLL_CLEAN:
        if (!i->task_purging[x])
            n.phase = ROLL_ASK;
        break;
    case ROLL_ASK:
        if (i->read_ready)
            n.phase = ROLL_HEAR;
        break;
    case ROLL_HEAR:
        if (i->data_valid)
            hear(&n, s, i);
        break;
    // 5 Relay
    case ROLL_RELAY:
        if (!i->setup_relay_done)
            break;
        if (s->op == ROLL_LOAD) {
            n.dword = onward(s);
            n.phase = ROLL_ASK;
        } else {
            n.value = i->setup_relay_data;
            n.phase = ROLL_WRITE;
        }
        break;
    // 6 Restore
    case ROLL_RESTORE:
        if (i->task_restore_ready) {
            n.dword = (s->dword + 1u) & 511;
            n.phase = s->dword == ((DWORD_COUNT + (unsigned)s->count) & 511) ? ROLL_END : ROLL_ASK;
        }
        break;
    // 7 Unload
    case ROLL_UNLOAD:
        if (!i->task_unload_done)
            break;
        n.phase = ROLL_LAST;
        if (!i->task_unload_last) {
            n.value = i->task_unload_pointer;
            n.dword = (uint16_t)(DWORD_FIRST + (s->count & 63));
            n.phase = ROLL_WRITE;
        }
        break;
    case ROLL_WRITE:
        if (i->write_ready)
            written(&n, s);
        break;
    // 9 Last
    case ROLL_LAST:
        n.dword = DWORD_COUNT;
        n.value = s->count;
        if (s->op == ROLL_SAVE)
            n.value |= (uint32_t)s->resume << 31 | (uint32_t)(s->resume || i->runner_lists_turn[x]) << 30;
        n.phase = ROLL_WRITE;
        break;
    // 10 End
    case ROLL_END:
        if (s->owed == 0)
            n.phase = ROLL_DONE;
        break;
    default: n.phase = ROLL_REST; break;
    }

    *s = n;
}
