// SPDX-License-Identifier: Apache-2.0
//
// totem_roll: twin of rtl/task/totem_roll.v, from docs/contract/roll.md.

#include "totem_roll.h"

#include "../packet/totem_pm4.h"

enum { REST, CLEAN, ASK, HEAR, RELAY, RESTORE, UNLOAD, WRITE, LAST, END, DONE };
enum { OP_LOAD, OP_SAVE, OP_CLEAR };
// Dwords of the MQD.
enum { RESTART_X = 28, RESTART_Z = 30, RELAUNCH = 35, COUNT = 383, LIST = 384, MOST = 64 };

#define PLACE_MASK ((1ull << 38) - 1)

static uint64_t here(const totem_roll *s)
{
    return (s->base + s->dword) & PLACE_MASK;
}

static unsigned number(const totem_roll *s)
{
    return (unsigned)s->pipe * TOTEM_QUEUES + s->queue;
}

void totem_roll_outputs(const totem_roll *s, totem_roll_out *o)
{
    const uint64_t at = here(s), line = at >> 1 << 3;
    const uint64_t strobe = (at & 1) != 0 ? 0xf0 : 0x0f;
    const unsigned x      = number(s) % (TOTEM_PIPES * TOTEM_QUEUES);

    for (unsigned p = 0; p < TOTEM_PIPES; p++)
        o->done[p] = s->phase == DONE && s->pipe == p;
    o->code            = s->code;
    o->word            = s->word;
    o->where           = s->where;
    o->turn            = s->turn;
    o->resume          = s->resume;
    o->unload_valid    = s->phase == UNLOAD;
    o->unload_queue    = (uint8_t)x;
    o->restore_valid   = s->phase == RESTORE;
    o->restore_queue   = (uint8_t)x;
    o->restore_pointer = s->value;
    o->restore_resume  = s->resume && s->dword == LIST;
    o->relay_valid     = s->phase == RELAY;
    o->relay_write     = s->op == OP_LOAD;
    o->relay_pipe      = s->pipe;
    o->relay_queue     = s->queue;
    o->relay_offset    = (uint8_t)((s->dword - 1u) & 127);
    o->relay_data      = s->value;
    o->read_valid      = s->phase == ASK;
    o->read_addr       = line;
    o->read_beats      = 1;
    o->write_valid     = s->phase == WRITE;
    o->write_word      = s->step ? (uint64_t)s->value << 32 | s->value : line | strobe << 40;
}

// The next dword of the restart state, or the list behind it.
static void onward(totem_roll *n, const totem_roll *s)
{
    switch (s->dword) {
    case RESTART_Z: n->dword = RELAUNCH; break;
    case RELAUNCH: n->dword = LIST; break;
    default: n->dword = (s->dword + 1u) & 511; break;
    }
}

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
        n->resume = n->op == OP_SAVE && begun;
        n->phase  = LAST;
        if (n->op == OP_LOAD) {
            n->dword = COUNT;
            n->phase = CLEAN;
        } else if (n->resume) {
            n->dword = RESTART_X;
            n->phase = RELAY;
        } else if (n->op == OP_SAVE) {
            n->phase = UNLOAD;
        }
        return;
    }
}

static void fail(totem_roll *n, uint8_t code, uint32_t word)
{
    n->code  = code;
    n->word  = word;
    n->phase = END;
}

static void hear(totem_roll *n, const totem_roll *s, const totem_roll_in *i)
{
    const uint64_t at = here(s);
    const uint32_t v  = (uint32_t)(i->data_word >> ((at & 1) != 0 ? 32 : 0));

    n->value = v;
    if (i->data_error != 0) {
        fail(n, (uint8_t)(TOTEM_ERROR_MEMORY_READ_SLVERR - 1 + i->data_error), (uint32_t)(at << 2));
        n->where = at;
    } else if (s->dword != COUNT) {
        n->phase = s->dword < COUNT ? RELAY : RESTORE;
    } else if ((v & 0x3fffffff) > MOST) {
        fail(n, TOTEM_ERROR_DESCRIPTOR_MQD_FIELD, v);
    } else {
        n->count = v & 127;
        n->turn  = (v >> 30 & 1) != 0;
        n->phase = END;
        if (n->count != 0) {
            n->resume = v >> 31 != 0 && s->grid;
            n->dword  = n->resume ? RESTART_X : LIST;
            n->phase  = ASK;
        }
    }
}

static void written(totem_roll *n, const totem_roll *s)
{
    n->step = !s->step;
    if (!s->step)
        return;
    if (s->dword == COUNT) {
        n->phase = END;
    } else if (s->dword > COUNT) {
        n->count = (s->count + 1u) & 127;
        n->phase = UNLOAD;
    } else if (s->dword == RELAUNCH) {
        n->phase = UNLOAD;
    } else {
        onward(n, s);
        n->phase = RELAY;
    }
}

void totem_roll_step(totem_roll *s, const totem_roll_in *i)
{
    totem_roll     n    = *s;
    const unsigned x    = number(s) % (TOTEM_PIPES * TOTEM_QUEUES);
    const bool     sent = s->phase == WRITE && s->step && i->write_ready;

    n.owed = (uint8_t)((s->owed + sent - i->write_ack) & 127);
    if (i->write_ack && i->ack_error != 0 && s->code == 0) {
        n.code = (uint8_t)(TOTEM_ERROR_MEMORY_WRITE_SLVERR - 1 + i->ack_error);
        n.word = (uint32_t)(s->base << 2);
    }
    switch (s->phase) {
    case REST: begin(&n, i); break;
    case CLEAN:
        if (!i->task_purging[x])
            n.phase = ASK;
        break;
    case ASK:
        if (i->read_ready)
            n.phase = HEAR;
        break;
    case HEAR:
        if (i->data_valid)
            hear(&n, s, i);
        break;
    case RELAY:
        if (!i->setup_relay_done)
            break;
        if (s->op == OP_LOAD) {
            onward(&n, s);
            n.phase = ASK;
        } else {
            n.value = i->setup_relay_data;
            n.phase = WRITE;
        }
        break;
    case RESTORE:
        if (i->task_restore_ready) {
            n.dword = (s->dword + 1u) & 511;
            n.phase = s->dword == ((COUNT + (unsigned)s->count) & 511) ? END : ASK;
        }
        break;
    case UNLOAD:
        if (!i->task_unload_done)
            break;
        n.phase = LAST;
        if (!i->task_unload_last) {
            n.value = i->task_unload_pointer;
            n.dword = (uint16_t)(LIST + (s->count & 63));
            n.phase = WRITE;
        }
        break;
    case WRITE:
        if (i->write_ready)
            written(&n, s);
        break;
    case LAST:
        n.dword = COUNT;
        n.value = s->count;
        if (s->op == OP_SAVE)
            n.value |= (uint32_t)s->resume << 31 | (uint32_t)(s->resume || i->runner_lists_turn[x]) << 30;
        n.phase = WRITE;
        break;
    case END:
        if (s->owed == 0)
            n.phase = DONE;
        break;
    default: n.phase = REST; break;
    }

    *s = n;
}
