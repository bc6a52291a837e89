// SPDX-License-Identifier: Apache-2.0
//
// Rules 7 to 17 of totem_task: a job begins. Twin of rtl/task/totem_task_begin.vh, from docs/contract/task.md.

#include "totem_task_begin.h"

#include "../memory/totem_memory_values.h"
#include "../packet/totem_pm4.h"
#include "totem_task_queues.h"

enum { STORE_SIZE = 64 }; // pointers of a queue that wait

static void begin(totem_task *n, unsigned queue, uint8_t job)
{
    n->queue = (uint8_t)queue;
    n->job   = job;
    n->code  = 0;
}

// 7 Loaded
static void loaded(totem_task *n, const totem_task *s, const totem_task_in *i)
{
    const unsigned k = s->deal;
    const uint8_t  e = s->load_item[k];

    n->deal        = !s->deal;
    n->answered[k] = false;
    n->loading[k]  = false;
    n->queue       = s->load_queue[k];
    n->item        = e;
    n->job         = s->load_job[k];
    n->again       = false;
    n->code        = i->tmd_load_answer_error[k];
    n->address     = (uint64_t)s->load_target[k] << 8;
    if (i->tmd_load_answer_error[k] != 0) {
        if (s->load_job[k] == JOB_OVER)
            n->silent = false;
        n->word  = i->tmd_load_answer_word[k];
        n->phase = TASK_FREE;
        return;
    }
    n->word         = i->tmd_load_answer_pointer[k];
    n->dependent[e] = i->tmd_load_answer_dependent[k];
    n->prefetch[e]  = i->tmd_load_answer_prefetch[k];
    n->stands[e]    = i->tmd_load_answer_dependent[k] && !i->tmd_load_answer_renew[k] &&
                   i->tmd_load_answer_pointer[k] == s->load_target[k];
    n->head[e]  = i->tmd_load_answer_head[k];
    n->level[e] = i->settings_task_priority ? i->tmd_load_answer_group[k] >> 4 : 0;
    n->phase    = TASK_STORE;
}

// The task that is over has to wait.
static bool over_waits(const totem_task *s, unsigned y, uint8_t f)
{
    // What was given back comes before a round that has its entry.
    if (s->stands[f] && !s->head[f] && !s->kept[y] && (coming(s, y) || draws(s, y)))
        return true;
    if (loads_over(s))
        return true;
    return s->dependent[f] && (s->child[f] == CHILD_COMING || (full(s) && s->child[f] != CHILD_HERE));
}

// A call that can be looked at: its answer goes to the RAM of pointers.
static bool calls(const totem_task *s, const totem_task_in *i)
{
    return i->submit_call_valid && !s->called && !s->put_valid && !i->spill_restore_valid;
}

// The launch of the pipe whose turn it is.
static bool launches(const totem_task *s, const totem_task_in *i, unsigned *launch_x)
{
    for (unsigned p = 0; p < TOTEM_PIPES; p++)
        if (s->turn == p && i->runner_launch_valid[p] && !s->waiting[p] && !full(s)) {
            *launch_x = p * TOTEM_QUEUES + i->runner_launch_queue[p];
            return true;
        }
    return false;
}

// The queue wants an entry, and there is none for it.
static bool lacks(const totem_task *s, const totem_task_in *i, unsigned y)
{
    unsigned launch_x = ALL;

    if (spare(s, y) || s->gone[y] || s->purge[y])
        return false;
    if (waits(s, y) && !s->kept[y])
        return true;
    if (launches(s, i, &launch_x) && launch_x == y)
        return true;
    return calls(s, i) && i->submit_call_queue == y && s->live[y];
}

// 8 Call
static bool call(totem_task *n, const totem_task *s, const totem_task_in *i)
{
    const unsigned y = i->submit_call_queue;

    if (!calls(s, i) || (lacks(s, i, y) && child_here(s)))
        return false;
    n->called = true;
    if (!s->live[y]) {
        n->call_answer = CALL_UNMAPPED;
    } else if (!room(s, y) || ((s->stored[y] - s->drawn[y]) & WAITING) == STORE_SIZE) {
        n->call_answer = CALL_FULL;
    } else {
        n->call_answer = CALL_TAKEN;
        n->free        = (s->free - 1u) & COUNTER;
        n->taken[y]    = (s->taken[y] + 1u) & COUNTER;
        n->kept[y]     = true;
        n->put_valid   = true;
        n->put_x       = (uint8_t)y;
        n->put_data    = i->submit_call_pointer;
        n->put_resume  = false;
    }
    return true;
}

// 9 Over
static bool over(totem_task *n, const totem_task *s, const totem_task_in *i)
{
    const uint8_t y = i->finish_over_queue, f = i->finish_over_entry;

    if (!i->finish_over_valid || over_waits(s, y, f))
        return false;
    n->queue   = y;
    n->item    = f;
    n->job     = JOB_OVER;
    n->looked  = false;
    n->settled = false;
    n->heir    = false;
    n->silent  = s->orphaned[f];
    if (i->finish_over_error != MEMORY_OK) {
        n->code    = (uint8_t)(TOTEM_ERROR_MEMORY_WRITE_SLVERR - 1u + i->finish_over_error);
        n->word    = (uint32_t)i->finish_over_addr;
        n->address = i->finish_over_addr;
        n->phase   = TASK_FAULT;
        return true;
    }
    n->code  = 0;
    n->phase = TASK_LOOK;
    if (leads(s, f)) {
        n->early[y] = false;
        n->child[f] = CHILD_NONE;
        n->settled  = true;
    }
    return true;
}

// The entry of a task's child is freed.
static void free_child(totem_task *n, const totem_task *s, unsigned f)
{
    n->item  = s->child_item[f];
    n->phase = TASK_FREE;
    if (leads(s, f))
        replace(n, n->queue);
}

// 10 Yield
static bool yields(totem_task *n, const totem_task *s, const totem_task_in *i)
{
    bool     any = false;
    unsigned z   = 0;

    for (unsigned y = 0; y < ALL; y++)
        any = any || lacks(s, i, y);
    if (!any || !child_here(s))
        return false;
    for (unsigned f = TOTEM_ENTRIES; f-- > 0;)
        if (s->child[f] == CHILD_HERE)
            z = f;
    begin(n, s->owner[z], JOB_OTHER);
    n->unload   = false;
    n->child[z] = CHILD_WANTED;
    free_child(n, s, z);
    return true;
}

// 11 Launch
static bool launch(totem_task *n, const totem_task *s, const totem_task_in *i)
{
    unsigned y = 0;

    if (!launches(s, i, &y))
        return false;
    begin(n, y, JOB_LAUNCH);
    n->again = !room(s, y);
    n->phase = room(s, y) ? TASK_TAKE : TASK_ANSWER;
    return true;
}

// 12 Refused: the child first, then the task.
static bool drop(totem_task *n, const totem_task *s)
{
    unsigned y = ALL;

    for (unsigned x = ALL; x-- > 0;)
        if (s->drop[x] && s->child[s->entry[x]] != CHILD_COMING)
            y = x;
    if (y == ALL)
        return false;
    const uint8_t f = s->entry[y];
    begin(n, y, JOB_OTHER);
    n->child[f] = CHILD_NONE;
    if (s->child[f] == CHILD_HERE) {
        free_child(n, s, f);
        return true;
    }
    n->drop[y] = false;
    n->next[y] = false;
    n->set[y]  = false;
    n->item    = f;
    n->phase   = TASK_FREE;
    return true;
}

// 13 Lost: likewise.
static bool lost(totem_task *n, const totem_task *s)
{
    unsigned f = TOTEM_ENTRIES;

    for (unsigned g = TOTEM_ENTRIES; g-- > 0;)
        if (s->lost[g] && s->child[g] != CHILD_COMING)
            f = g;
    if (f == TOTEM_ENTRIES)
        return false;
    begin(n, s->owner[f], JOB_OTHER);
    n->unload   = false;
    n->child[f] = CHILD_NONE;
    if (s->child[f] == CHILD_HERE) {
        free_child(n, s, f);
        return true;
    }
    n->lost[f] = false;
    n->out[f]  = false;
    n->item    = (TOTEM_TASK_ITEM)f;
    n->phase   = TASK_FREE;
    return true;
}

// The queue can be emptied, or its first task taken out.
static bool empties(const totem_task *s, const totem_task_in *i, unsigned y)
{
    const bool asked = i->spill_unload_valid && i->spill_unload_queue == y && !loads_over(s);
    bool       held  = s->put_valid && s->put_x == y;

    for (unsigned k = 0; k < LOADS; k++)
        held = held || (s->loading[k] && s->load_queue[k] == y);
    return !held && (s->purge[y] || asked);
}

// 14 Empty: children, next task, lists, pointers that wait.
static bool empty(totem_task *n, const totem_task *s, const totem_task_in *i)
{
    unsigned y = ALL, f = TOTEM_ENTRIES;

    for (unsigned x = ALL; x-- > 0;)
        if (empties(s, i, x) && (s->purge[x] || y == ALL || !s->purge[y]))
            y = x;
    if (y == ALL)
        return false;
    begin(n, y, JOB_OTHER);
    n->unload = !s->purge[y];
    if (!s->purge[y])
        n->live[y] = false;
    for (unsigned g = TOTEM_ENTRIES; g-- > 0;)
        if (s->child[g] != CHILD_NONE && s->owner[g] == y)
            f = g;
    if (f < TOTEM_ENTRIES) {
        n->unload   = false;
        n->child[f] = CHILD_NONE;
        if (s->child[f] == CHILD_HERE)
            free_child(n, s, f);
    } else if (s->next[y]) {
        replace(n, y);
        n->running[y] = false;
        n->drop[y]    = false;
        n->item       = s->entry[y];
        n->phase      = s->purge[y] ? TASK_FREE : TASK_LOOK;
    } else if (listed(i, y)) {
        n->place = top(i, y);
        n->phase = TASK_POP;
    } else if (waits(s, y) && !s->purge[y]) {
        n->phase = TASK_DRAW;
    } else {
        n->stored[y] = 0;
        n->drawn[y]  = 0;
        n->purge[y]  = false;
        n->kept[y]   = false;
        if (s->kept[y]) {
            const unsigned w = (s->stored[y] - s->drawn[y]) & WAITING;

            n->free     = (s->free + w) & COUNTER;
            n->taken[y] = (s->taken[y] - w) & COUNTER;
        }
        if (s->purge[y]) {
            n->resume[y] = false;
        } else {
            n->last  = true;
            n->phase = TASK_UNLOADED;
        }
    }
    return true;
}

static bool wanting(const totem_task *s, unsigned f)
{
    return s->child[f] == CHILD_WANTED && spare(s, s->owner[f]) && !incomplete(s, s->owner[f]);
}

// A task in the rounds of the oldest.
struct rival {
    bool    some;
    uint8_t age;
    uint8_t entry;
};

static bool older(struct rival f, struct rival g)
{
    return ((f.age - g.age) & 8) != 0;
}

// Of the tasks of queue y in the set the oldest, in rounds of neighbours.
static uint8_t oldest(const totem_task *s, unsigned y, const bool *set)
{
    struct rival stay[TOTEM_ENTRIES];

    for (unsigned f = 0; f < TOTEM_ENTRIES; f++)
        stay[f] = (struct rival){.some = set[f] && s->owner[f] == y, .age = s->age[f], .entry = (uint8_t)f};
    for (unsigned left = TOTEM_ENTRIES / 2; left > 0; left /= 2)
        for (unsigned k = 0; k < left; k++) {
            const struct rival first = stay[2 * k], second = stay[2 * k + 1];
            const bool         take = second.some && (!first.some || older(second, first));

            stay[k]      = take ? second : first;
            stay[k].some = first.some || second.some;
        }
    return stay[0].entry;
}

// The lowest queue that has a task in the set; ALL: none. (Not the least of all owners: a chain of comparisons is far
// from the RTL, and the proof that the two are equal does not close.)
static unsigned lowest_owner(const totem_task *s, const bool *set)
{
    bool     has[ALL] = {false};
    unsigned y        = ALL;

    for (unsigned f = 0; f < TOTEM_ENTRIES; f++)
        if (set[f])
            has[s->owner[f]] = true;
    for (unsigned x = ALL; x-- > 0;)
        if (has[x])
            y = x;
    return y;
}

// 15 Fill: of its lists, else a child.
static bool fill(totem_task *n, const totem_task *s, const totem_task_in *i, unsigned early, uint8_t f)
{
    unsigned y = ALL;

    for (unsigned x = ALL; x-- > 0;)
        if (!s->next[x] && listed(i, x))
            y = x;
    if (y < ALL) {
        begin(n, y, JOB_OTHER);
        n->unload = false;
        n->place  = top(i, y);
        n->phase  = TASK_POP;
        return true;
    }
    if (early == ALL)
        return false;
    n->next[early]  = true;
    n->early[early] = true;
    n->set[early]   = false;
    n->entry[early] = s->child_item[f];
    return true;
}

// 16 Draw
static bool draw(totem_task *n, const totem_task *s)
{
    unsigned y = ALL;

    for (unsigned x = ALL; x-- > 0;)
        if (draws(s, x))
            y = x;
    if (y == ALL || full(s))
        return false;
    begin(n, y, JOB_OTHER);
    n->unload = false;
    n->phase  = TASK_DRAW;
    return true;
}

// Somebody asks for an entry.
static bool asks(const totem_task *s, const totem_task_in *i)
{
    bool any = i->submit_call_valid;
    for (unsigned p = 0; p < TOTEM_PIPES; p++)
        any = any || (i->runner_launch_valid[p] && !s->waiting[p]);
    return any;
}

// 17 Prefetch
static void prefetch(totem_task *n, const totem_task *s, const totem_task_in *i, unsigned want, uint8_t f)
{
    if (full(s) || loads_over(s) || asks(s, i) || want == ALL)
        return;
    n->queue = (uint8_t)want;
    n->job   = JOB_PREFETCH;
    n->item  = f;
    n->phase = TASK_LOOK;
}

void totem_task_begin(totem_task *n, const totem_task *s, const totem_task_in *i)
{
    if (s->answered[s->deal]) {
        loaded(n, s, i);
        return;
    }
    if (call(n, s, i) || over(n, s, i) || yields(n, s, i) || launch(n, s, i) || drop(n, s) || lost(n, s) ||
        empty(n, s, i))
        return;

    bool ready[TOTEM_ENTRIES], wanted[TOTEM_ENTRIES]; // the child can be next, or loaded
    for (unsigned f = 0; f < TOTEM_ENTRIES; f++) {
        ready[f]  = s->child[f] == CHILD_HERE && !s->next[s->owner[f]];
        wanted[f] = wanting(s, f);
    }
    const unsigned early = lowest_owner(s, ready), want = lowest_owner(s, wanted);
    const uint8_t  f = oldest(s, early < ALL ? early : want, early < ALL ? ready : wanted);

    if (!fill(n, s, i, early, f) && !draw(n, s))
        prefetch(n, s, i, want, f);
}
