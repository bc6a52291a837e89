// SPDX-License-Identifier: Apache-2.0
//
// totem_finish: twin of rtl/task/totem_finish.v, from docs/contract/finish.md.

#include "totem_finish.h"

enum { IDLE, PLACE, FLAGS, VALUE, WRITE, NEXT };
enum { SIZE_FOUR = 0, SIZE_ONE = 1 };
enum { ALL = TOTEM_PIPES * TOTEM_QUEUES };

static bool bit(uint64_t word, unsigned place)
{
    return (word >> place & 1) != 0;
}

// Word of the metadata that is read.
static unsigned word_of(const totem_finish *s)
{
    if (s->phase == FLAGS)
        return s->second ? 6 : 4;
    return s->second ? 5 : 3;
}

static uint64_t message(const totem_finish *s)
{
    if (s->step) {
        const uint64_t low = s->value & 0xffffffffu;
        if (s->upper)
            return s->stamp;
        return s->size == SIZE_ONE ? low << 32 | low : s->value;
    }
    const uint64_t at     = (s->where & ~(uint64_t)7) + (s->upper ? 8 : 0);
    uint64_t       strobe = 0xff;
    if (s->size == SIZE_ONE)
        strobe = bit(s->where, 2) ? 0xf0 : 0x0f;
    return (at & 0xffffffffffu) | strobe << 40 | (uint64_t)s->queue << 48;
}

void totem_finish_outputs(const totem_finish *s, totem_finish_out *o)
{
    const uint8_t x = s->over_queue;

    for (unsigned p = 0; p < TOTEM_PIPES; p++)
        o->fence_ready[p] = s->phase == IDLE && s->turn == p;
    for (unsigned q = 0; q < ALL; q++) {
        o->ending[q] = s->ending[q];
        o->item[q]   = s->entry[q];
    }
    o->meta_read_enable = s->phase == PLACE || s->phase == FLAGS;
    o->meta_read_addr   = (TOTEM_FINISH_META_ADDR)(s->entry[s->queue] * 8u + word_of(s));
    o->write_valid      = s->phase == WRITE;
    o->write_word       = message(s);
    o->over_valid       = s->over_valid;
    o->over_queue       = x;
    o->over_entry       = s->entry[x];
    o->over_error       = s->error[x];
    o->over_addr        = s->address[x];
    o->over_trap        = s->trap[x];
}

// Rule 1.
static void acknowledge(totem_finish *n, const totem_finish *s, const totem_finish_in *i)
{
    const unsigned a = i->ack_tag % ALL;

    if (!i->write_ack)
        return;
    n->owed[a] = (s->owed[a] - 1u) & 7;
    if (i->ack_error != 0 && s->error[a] == 0) {
        n->error[a]   = i->ack_error;
        n->address[a] = i->ack_addr;
    }
}

// Rule 2.
static void pick(totem_finish *n, const totem_finish *s, const totem_finish_in *i)
{
    if (s->over_valid) {
        if (i->task_over_ready) {
            n->over_valid            = false;
            n->ending[s->over_queue] = false;
        }
        return;
    }
    for (unsigned k = 1; k <= ALL; k++) {
        const unsigned x = (s->over_queue + k) % ALL;
        if (!s->ending[x] || !s->sent[x] || s->owed[x] != 0)
            continue;
        n->over_valid = true;
        n->over_queue = (uint8_t)x;
        return;
    }
}

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
        n->error[x]  = 0;
        n->trap[x]   = false;
        n->entry[x]  = i->fence_task_entry[p];
        n->second    = false;
        n->phase     = PLACE;
    }
}

// Rule 3.
static void phases(totem_finish *n, const totem_finish *s, const totem_finish_in *i)
{
    const uint64_t w = i->meta_read_data;
    const uint8_t  y = s->queue;

    switch (s->phase) {
    case IDLE: take(n, s, i); break;
    case PLACE: n->phase = FLAGS; break;
    case FLAGS:
        n->where = w & 0xffffffffffu;
        n->size  = w >> 41 & 3;
        n->wide  = bit(w, 43);
        n->phase = NEXT;
        if (bit(w, 40)) {
            n->phase = VALUE;
            if (bit(w, 44))
                n->trap[y] = true;
        }
        break;
    case VALUE:
        n->value = s->wide ? w : w & 0xffffffffu;
        n->stamp = i->clock;
        n->upper = s->size == SIZE_FOUR;
        n->step  = false;
        n->phase = WRITE;
        break;
    case WRITE:
        if (!i->write_ready)
            break;
        n->step = !s->step;
        if (s->step) {
            n->owed[y] = (n->owed[y] + 1u) & 7;
            n->upper   = false;
            if (!s->upper)
                n->phase = NEXT;
        }
        break;
    case NEXT:
        if (s->second) {
            n->sent[y] = true;
            n->phase   = IDLE;
        } else {
            n->second = true;
            n->phase  = PLACE;
        }
        break;
    default: break;
    }
}

void totem_finish_step(totem_finish *s, const totem_finish_in *i)
{
    totem_finish n = *s;

    acknowledge(&n, s, i);
    pick(&n, s, i);
    phases(&n, s, i);

    *s = n;
}
