// SPDX-License-Identifier: Apache-2.0
//
// Rules 18 to 26 of totem_task: entries and lists. Twin of rtl/task/totem_task_lists.vh, from docs/contract/task.md.

#include "totem_task_lists.h"

#include "totem_task_queues.h"

// 19 Taken
static void taken(totem_task *n, const totem_task *s, const totem_task_in *i)
{
    const uint8_t x = s->queue, e = i->lists_answer_entry, p = x / TOTEM_QUEUES;

    if (!reserved(s)) {
        n->free     = (s->free - 1u) & COUNTER;
        n->taken[x] = (s->taken[x] + 1u) & COUNTER;
    }
    n->item        = e;
    n->owner[e]    = x;
    n->orphaned[e] = false;
    n->out[e]      = false;
    n->lost[e]     = false;
    if (s->job == JOB_LAUNCH) {
        n->waiting[p] = true;
        load(n, i, s->job, e, i->runner_launch_pointer[p]);
    } else if (s->job == JOB_OTHER) {
        load(n, i, s->job, e, s->word);
    } else {
        n->parent[s->ask]      = s->item;
        n->child[s->item]      = CHILD_COMING;
        n->child_item[s->item] = e;
        load(n, i, s->job, e, s->word);
    }
}

// 21 Pushed
static void pushed(totem_task *n, const totem_task *s)
{
    if (s->job == JOB_LAUNCH) {
        n->phase = TASK_ANSWER;
    } else if (s->job == JOB_OTHER) {
        n->phase = TASK_IDLE;
    } else if (s->heir) {
        n->heir  = false;
        n->item  = s->kin;
        n->phase = TASK_FREE;
    } else {
        n->phase = TASK_CLOSE;
    }
}

// 22 Popped
static void popped(totem_task *n, const totem_task *s, uint8_t e)
{
    const uint8_t x = s->queue;

    if (s->purge[x] || s->unload) {
        n->item  = e;
        n->phase = s->purge[x] ? TASK_FREE : TASK_LOOK;
        return;
    }
    n->next[x]  = true;
    n->early[x] = false;
    n->set[x]   = false;
    n->entry[x] = e;
    n->phase    = TASK_IDLE;
}

// 23 Freed
static void freed(totem_task *n, const totem_task *s, const totem_task_in *i)
{
    const uint8_t x = s->queue;

    n->free     = (s->free + 1u) & COUNTER;
    n->taken[x] = (s->taken[x] - 1u) & COUNTER;
    n->phase    = TASK_IDLE;
    if (s->job == JOB_LAUNCH)
        n->phase = TASK_ANSWER;
    if (s->job == JOB_PREFETCH)
        n->child[s->parent[loader(s)]] = CHILD_NONE;
    if (s->job == JOB_OVER)
        n->phase = s->code != 0 ? TASK_FAULT : TASK_CLOSE;
    if (s->job == JOB_OTHER && s->unload)
        n->phase = TASK_UNLOADED;
    if (s->job == JOB_OTHER && s->code != 0) {
        n->phase = TASK_FAULT;
        // Unless the unfinished one is there already.
        if (!s->kept[x] && !s->next[x] && !listed(i, x))
            n->resume[x] = false;
    }
}

static void answer(totem_task *n, const totem_task *s, const totem_task_in *i)
{
    switch (s->phase) {
    case TASK_TAKEN: taken(n, s, i); break;
    // 20 Back
    case TASK_BACKED:
        replace(n, s->queue);
        n->phase = TASK_PUSH;
        break;
    case TASK_PUSHED: pushed(n, s); break;
    case TASK_POPPED: popped(n, s, i->lists_answer_entry); break;
    default: freed(n, s, i); break;
    }
}

// The entry of the job goes before the next task.
static bool overtakes(const totem_task *s)
{
    const uint8_t x = s->queue, level = s->level[s->item], other = s->level[s->entry[x]];

    return !s->resume[x] && (level > other || (level == other && to_head(s)));
}

// 25 Insert
static void insert(totem_task *n, const totem_task *s)
{
    const uint8_t x = s->queue;

    n->phase = TASK_PUSH;
    if (s->job == JOB_OVER && incomplete(s, x) && !s->head[s->item] && !s->stands[s->item]) {
        n->phase = TASK_STASH;
    } else if (placed(s, x) && s->early[x]) {
        replace(n, x);
    } else if (placed(s, x) && overtakes(s)) {
        n->count = 3;
        n->phase = TASK_HOLD;
    }
}

void totem_task_lists(totem_task *n, const totem_task *s, const totem_task_in *i)
{
    const uint8_t x = s->queue;

    switch (s->phase) {
    // 18 Request
    case TASK_TAKE:
    case TASK_BACK:
    case TASK_PUSH:
    case TASK_POP:
    case TASK_FREE:
        if (i->lists_request_ready)
            n->phase = (uint8_t)(s->phase + 1);
        break;
    case TASK_TAKEN:
    case TASK_BACKED:
    case TASK_PUSHED:
    case TASK_POPPED:
    case TASK_FREED:
        if (i->lists_answer_valid)
            answer(n, s, i);
        break;
    // 24 Load
    case TASK_LOAD:
        if (i->tmd_load_request_ready[s->ask]) {
            n->ask   = !s->ask;
            n->phase = TASK_IDLE;
        }
        break;
    case TASK_STORE:
        n->phase = TASK_INSERT;
        if (s->job == JOB_PREFETCH) {
            n->child[s->parent[loader(s)]] = CHILD_HERE;
            n->phase                       = TASK_IDLE;
        }
        break;
    case TASK_INSERT: insert(n, s); break;
    case TASK_HOLD:
        if (s->count != 0)
            n->count = (uint8_t)(s->count - 1);
        else
            n->phase = placed(s, x) ? TASK_BACK : TASK_PUSH;
        break;
    // 26 Answer
    case TASK_ANSWER:
        n->waiting[x / TOTEM_QUEUES] = false;
        n->phase                     = TASK_IDLE;
        break;
    default: break;
    }
}
