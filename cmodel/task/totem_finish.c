// SPDX-License-Identifier: Apache-2.0
//
// totem_finish: twin of rtl/task/totem_finish.v, from docs/contract/finish.md.

#include "totem_finish.h"

#include "../memory/totem_memory_values.h"
#include "totem_tmd_load_values.h"

enum { ALL = TOTEM_PIPES * TOTEM_QUEUES };

static bool bit(uint64_t word, unsigned place)
{
    return (word >> place & 1) != 0;
}

// Word of the metadata that is read.
static unsigned source(const totem_finish *s)
{
    if (s->phase == FINISH_FLAGS)
        return s->second ? META_PAYLOAD1 : META_PAYLOAD0;
    return s->second ? META_RELEASE1 : META_RELEASE0;
}

static uint64_t head(const totem_finish *s)
{
    const uint64_t at     = (s->where & ~(uint64_t)7) + (s->upper ? 8 : 0);
    uint64_t       strobe = 0xff;
    if (s->size == SIZE_ONE)
        strobe = bit(s->where, 2) ? 0xf0 : 0x0f;
    return (at & 0xffffffffffu) | strobe << 40 | (uint64_t)s->queue << 48;
}

static uint64_t data(const totem_finish *s)
{
    const uint64_t low = s->value & 0xffffffffu;
    if (s->upper)
        return s->stamp;
    return s->size == SIZE_ONE ? low << 32 | low : s->value;
}

void totem_finish_outputs(const totem_finish *s, totem_finish_out *o)
{
    const uint8_t x = s->over_queue;

    for (unsigned p = 0; p < TOTEM_PIPES; p++)
        o->fence_ready[p] = s->phase == FINISH_IDLE && s->turn == p;
    for (unsigned q = 0; q < ALL; q++) {
        o->ending[q] = s->ending[q];
        o->item[q]   = s->entry[q];
    }
    o->tmd_read_enable = s->phase == FINISH_PLACE || s->phase == FINISH_FLAGS;
    o->tmd_read_addr   = (TOTEM_FINISH_TMD_ADDR)(s->entry[s->queue] * 8u + source(s));
    o->write_valid     = s->phase == FINISH_WRITE;
    o->write_word      = s->step ? data(s) : head(s);
    o->over_valid      = s->over_valid;
    o->over_queue      = x;
    o->over_entry      = s->entry[x];
    o->over_error      = s->error[x];
    o->over_addr       = s->address[x];
    o->over_trap       = s->trap[x];
}

// 1 Acknowledged
static void acknowledge(totem_finish *n, const totem_finish *s, const totem_finish_in *i)
{
    const unsigned a = i->ack_tag % ALL;

    if (!i->write_ack)
        return;
    n->owed[a] = (s->owed[a] - 1u) & 7;
    if (i->ack_error != MEMORY_OK && s->error[a] == MEMORY_OK) {
        n->error[a]   = i->ack_error;
        n->address[a] = i->ack_addr;
    }
}

// The next queue whose actions are done; false: there is none.
static bool pick(const totem_finish *s, uint8_t *queue)
{
    for (unsigned k = 1; k <= ALL; k++) {
        const unsigned x = (s->over_queue + k) % ALL;
        if (!s->ending[x] || !s->sent[x] || s->owed[x] != 0)
            continue;
        *queue = (uint8_t)x;
        return true;
    }
    return false;
}

// 2 Over
static void over(totem_finish *n, const totem_finish *s, const totem_finish_in *i)
{
    if (!s->over_valid) {
        n->over_valid = pick(s, &n->over_queue);
    } else if (i->task_over_ready) {
        n->over_valid            = false;
        n->ending[s->over_queue] = false;
    }
}

// 3 Taken
static void take(totem_finish *n, const totem_finish *s, const totem_finish_in *i)
{
    bool any = false;
    for (unsigned p = 0; p < TOTEM_PIPES; p++)
        any = any || i->fence_task_valid[p];
    if (any && TOTEM_PIPES == 2)
        n->turn = !s->turn;
    for (unsigned p = 0; p < TOTEM_PIPES; p++) {
        if (s->turn != p || !i->fence_task_valid[p])
            continue;
        const unsigned x = p * TOTEM_QUEUES + i->fence_task_queue[p];

        n->queue     = (uint8_t)x;
        n->ending[x] = true;
        n->sent[x]   = false;
        n->owed[x]   = 0;
        n->error[x]  = MEMORY_OK;
        n->trap[x]   = false;
        n->entry[x]  = i->fence_task_entry[p];
        n->second    = false;
        n->phase     = FINISH_PLACE;
    }
}

static void phases(totem_finish *n, const totem_finish *s, const totem_finish_in *i)
{
    const uint64_t w = i->tmd_read_data;
    const uint8_t  y = s->queue;

    switch (s->phase) {
    case FINISH_IDLE: take(n, s, i); break;
    // 4 Release
    case FINISH_PLACE: n->phase = FINISH_FLAGS; break;
    case FINISH_FLAGS:
        n->where = w & 0xffffffffffu;
        n->size  = w >> 41 & 3;
        n->wide  = bit(w, 43);
        n->phase = FINISH_NEXT;
        if (bit(w, 40)) {
            n->phase = FINISH_VALUE;
            if (bit(w, 44))
                n->trap[y] = true;
        }
        break;
    // 5 Payload
    case FINISH_VALUE:
        n->value = s->wide ? w : w & 0xffffffffu;
        n->stamp = i->clock;
        n->upper = s->size == SIZE_FOUR;
        n->step  = false;
        n->phase = FINISH_WRITE;
        break;
    // 6 Write
    case FINISH_WRITE:
        if (!i->write_ready)
            break;
        n->step = !s->step;
        if (s->step) {
            n->owed[y] = (n->owed[y] + 1u) & 7;
            n->upper   = false;
            if (!s->upper)
                n->phase = FINISH_NEXT;
        }
        break;
    // 7 Next
    case FINISH_NEXT:
        if (s->second) {
            n->sent[y] = true;
            n->phase   = FINISH_IDLE;
        } else {
            n->second = true;
            n->phase  = FINISH_PLACE;
        }
        break;
    default: break;
    }
}

void totem_finish_step(totem_finish *s, const totem_finish_in *i)
{
    totem_finish n = *s;

    acknowledge(&n, s, i);
    over(&n, s, i);
    phases(&n, s, i);

    *s = n;
}
