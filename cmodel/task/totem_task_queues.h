// SPDX-License-Identifier: Apache-2.0
//
// Terms of totem_task (docs/contract/task.md) that several of its files use.

#ifndef TOTEM_TASK_QUEUES_H
#define TOTEM_TASK_QUEUES_H

#include "totem_task.h"

enum { ALL = TOTEM_PIPES * TOTEM_QUEUES, LEVELS = 4, LOADS = 2 };
enum { COUNTER = 2 * TOTEM_ENTRIES - 1 }; // mask of counters of entries
enum { WAITING = 127 };                   // mask of counters of pointers that wait
enum { AGES = 15 };                       // mask of ages of tasks

// An entry is free for the queue; every queue has one that no other takes.
static inline bool spare(const totem_task *s, unsigned x)
{
    unsigned queues_without_entry = 0;

    for (unsigned y = 0; y < ALL; y++)
        queues_without_entry += s->taken[y] == 0;
    return s->taken[x] == 0 ? s->free != 0 : s->free > (queues_without_entry & COUNTER);
}

// Pointers wait: given back by spill, without entries; or of calls, with entries.
static inline bool waits(const totem_task *s, unsigned x)
{
    return s->drawn[x] != s->stored[x];
}

// A load of the queue is for a pointer that waited.
static inline bool coming(const totem_task *s, unsigned x)
{
    bool any = false;
    for (unsigned k = 0; k < LOADS; k++)
        any = any || (s->loading[k] && s->load_job[k] == JOB_OTHER && s->load_queue[k] == x);
    return any;
}

// A pointer of the queue gets its entry as soon as a load can be asked for.
static inline bool draws(const totem_task *s, unsigned x)
{
    return waits(s, x) && (spare(s, x) || s->kept[x]) && !s->gone[x] && !s->purge[x] && !(s->resume[x] && coming(s, x));
}

// Not all that spill has given back is there.
static inline bool incomplete(const totem_task *s, unsigned x)
{
    return !s->kept[x] && (waits(s, x) || coming(s, x));
}

// Both tmd_load have a load.
static inline bool full(const totem_task *s)
{
    return s->loading[s->ask];
}

// The dependent of a task that is over is being loaded.
static inline bool loads_over(const totem_task *s)
{
    bool any = false;
    for (unsigned k = 0; k < LOADS; k++)
        any = any || (s->loading[k] && s->load_job[k] == JOB_OVER);
    return any;
}

// The tmd_load that has loaded the descriptor of the job.
static inline unsigned loader(const totem_task *s)
{
    return !s->deal;
}

// The child of some task is loaded: it can yield its entry.
static inline bool child_here(const totem_task *s)
{
    for (unsigned f = 0; f < TOTEM_ENTRIES; f++)
        if (s->child[f] == CHILD_HERE)
            return true;
    return false;
}

// A launch of the queue gets an entry.
static inline bool room(const totem_task *s, unsigned x)
{
    return !incomplete(s, x) && !s->gone[x] && !s->purge[x] && (spare(s, x) || child_here(s));
}

static inline bool listed(const totem_task_in *i, unsigned x)
{
    bool any = false;
    for (unsigned n = 0; n < LEVELS; n++)
        any = any || i->lists_filled[LEVELS * x + n];
    return any;
}

static inline uint8_t top(const totem_task_in *i, unsigned x)
{
    uint8_t level = 0;
    for (uint8_t n = 0; n < LEVELS; n++)
        if (i->lists_filled[LEVELS * x + n])
            level = n;
    return level;
}

static inline bool placed(const totem_task *s, unsigned x)
{
    return s->next[x] && !s->running[x] && !s->drop[x];
}

// The task is the parent of the next task of its queue.
static inline bool leads(const totem_task *s, unsigned f)
{
    const unsigned y = s->owner[f];
    return s->child[f] == CHILD_HERE && s->early[y] && s->entry[y] == s->child_item[f];
}

// The entry was set aside for a call.
static inline bool reserved(const totem_task *s)
{
    return s->job == JOB_OTHER && s->kept[s->queue];
}

// The entry of the job goes to the head of its list; what was given back keeps its order.
static inline bool to_head(const totem_task *s)
{
    return s->head[s->item] && (s->job != JOB_OTHER || reserved(s));
}

// The next task of the queue gives up its place.
static inline void replace(totem_task *n, unsigned x)
{
    n->next[x]  = false;
    n->early[x] = false;
    n->set[x]   = false;
    if (n->setup_x == x)
        n->stale = true;
}

// A descriptor is to be loaded for an entry of the job's queue.
static inline void load(totem_task *n, const totem_task_in *i, unsigned job, unsigned entry, uint32_t target)
{
    const unsigned k = n->ask, x = n->queue;
    const unsigned group = (unsigned)i->fe_number << 4 | x / TOTEM_QUEUES << 3 | x % TOTEM_QUEUES;

    n->loading[k]     = true;
    n->load_job[k]    = (uint8_t)job;
    n->load_queue[k]  = n->queue;
    n->load_item[k]   = (uint8_t)entry;
    n->load_target[k] = target;
    n->load_group     = (uint8_t)group;
    n->phase          = TASK_LOAD;
}

#endif
