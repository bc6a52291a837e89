// SPDX-License-Identifier: Apache-2.0
//
// Rules 32 to 34 of totem_task: pointers that wait. Twin of rtl/task/totem_task_save.vh, from docs/contract/task.md.

#include "totem_task_save.h"

#include "totem_task_queues.h"

// 32 Stash
static void stash(totem_task *n, const totem_task *s, const totem_task_in *i)
{
    if (s->put_valid || i->spill_restore_valid)
        return;
    n->put_valid  = true;
    n->put_x      = s->queue;
    n->put_data   = s->load_target[loader(s)];
    n->put_resume = false;
    n->phase      = TASK_FREE;
}

// 33 Drawn
static void drawn(totem_task *n, const totem_task *s, uint32_t pointer)
{
    const uint8_t x = s->queue;

    n->drawn[x] = (s->drawn[x] + 1u) & WAITING;
    if (!s->unload) {
        n->word  = pointer;
        n->phase = TASK_TAKE;
        return;
    }
    if (s->kept[x]) {
        n->free     = (s->free + 1u) & COUNTER;
        n->taken[x] = (s->taken[x] - 1u) & COUNTER;
    }
    n->own   = pointer;
    n->phase = TASK_UNLOADED;
}

void totem_task_save(totem_task *n, const totem_task *s, const totem_task_in *i)
{
    switch (s->phase) {
    case TASK_STASH: stash(n, s, i); break;
    case TASK_DRAW: n->phase = TASK_DRAWN; break;
    case TASK_DRAWN: drawn(n, s, i->store_read_data); break;
    // 34 Unloaded
    case TASK_UNLOADED:
        n->unload = false;
        n->last   = false;
        n->phase  = TASK_IDLE;
        break;
    default: break;
    }
}
