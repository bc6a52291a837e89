// SPDX-License-Identifier: Apache-2.0
//
// totem_task: twin of rtl/task/totem_task.v, from docs/contract/task.md.

#include "totem_task.h"

#include "../lib/totem_lists_values.h"
#include "../packet/totem_pm4.h"

enum {
    IDLE,
    TAKE,
    TAKEN,
    LOAD,
    INSERT,
    HOLD,
    BACK,
    BACKED,
    PUSH,
    PUSHED,
    POP,
    POPPED,
    FREE,
    FREED,
    LOOK,
    SEE,
    CLOSE,
    REPORT,
    ANSWER,
    FAULT,
    STORE,
    KIN,
    UNLOADED,
    DRAW,
    DRAWN,
    STASH
};
enum { JOB_LAUNCH, JOB_PREFETCH, JOB_OVER, JOB_OTHER };
enum { CALL_TAKEN, CALL_UNMAPPED, CALL_FULL };
enum { STORE_SIZE = 64 }; // pointers of a queue that wait
enum { CHILD_NONE, CHILD_WANTED, CHILD_COMING, CHILD_HERE };
enum { ALL = TOTEM_PIPES * TOTEM_QUEUES, LEVELS = 4 };
enum { COUNTER = 2 * TOTEM_ENTRIES - 1 }; // mask of counters of entries

static bool room(const totem_task *s, unsigned x)
{
    unsigned lonely = 0;

    for (unsigned y = 0; y < ALL; y++)
        lonely += s->taken[y] == 0;
    return s->taken[x] == 0 ? s->free != 0 : s->free > (lonely & COUNTER);
}

static bool listed(const totem_task_in *i, unsigned x)
{
    bool any = false;
    for (unsigned n = 0; n < LEVELS; n++)
        any = any || i->lists_filled[LEVELS * x + n];
    return any;
}

static uint8_t top(const totem_task_in *i, unsigned x)
{
    uint8_t level = 0;
    for (uint8_t n = 0; n < LEVELS; n++)
        if (i->lists_filled[LEVELS * x + n])
            level = n;
    return level;
}

// Pointers wait: given back by roll, without entries; or of calls, with entries.
static bool waits(const totem_task *s, unsigned x)
{
    return s->drawn[x] != s->stored[x];
}

// Not all that roll has given back is there.
static bool is_short(const totem_task *s, unsigned x)
{
    const bool coming = s->loading && s->load_job == JOB_OTHER && s->load_queue == x;
    return !s->kept[x] && (waits(s, x) || coming);
}

// A launch of the queue gets an entry.
static bool is_open(const totem_task *s, unsigned x)
{
    return room(s, x) && !is_short(s, x) && !s->gone[x] && !s->purge[x];
}

static bool away(const totem_task_in *i, unsigned x)
{
    const unsigned p = x / TOTEM_QUEUES;
    return !i->arbiter_selected_valid[p] || i->arbiter_selected[p] != x % TOTEM_QUEUES;
}

static bool placed(const totem_task *s, unsigned x)
{
    return s->next[x] && !s->running[x] && !s->drop[x];
}

static bool own_child(const totem_task *s, unsigned x, unsigned e)
{
    return s->child[x] != CHILD_NONE && s->child_of[x] == e;
}

static void replace(totem_task *n, unsigned x)
{
    n->next[x]  = false;
    n->early[x] = false;
    n->set[x]   = false;
    if (n->setup_x == x)
        n->stale = true;
}

static void lists(const totem_task *s, totem_task_out *o)
{
    const uint8_t x = s->queue, own = s->entry[x];
    uint8_t       level = s->level[s->item];

    o->list_valid = s->phase == TAKE || s->phase == BACK || s->phase == PUSH || s->phase == POP || s->phase == FREE;
    o->list_entry = s->item;
    switch (s->phase) {
    case TAKE: o->list_op = LISTS_TAKE; break;
    case BACK:
        o->list_op    = LISTS_PUSH_HEAD;
        o->list_entry = own;
        level         = s->level[own];
        break;
    case PUSH:
        o->list_op =
            s->head[s->item] && (s->job != JOB_OTHER || s->kept[x]) ? LISTS_PUSH_HEAD : LISTS_PUSH_TAIL;
        break;
    case POP:
        o->list_op = LISTS_POP;
        level      = s->place;
        break;
    default: o->list_op = LISTS_FREE; break;
    }
    o->list_list = (uint8_t)(x * LEVELS + level);
}

void totem_task_outputs(const totem_task *s, totem_task_out *o)
{
    const uint8_t x = s->queue;

    for (unsigned p = 0; p < TOTEM_PIPES; p++) {
        o->launch_done[p] = s->phase == ANSWER && x / TOTEM_QUEUES == p;
        o->fault_valid[p] = s->phase == FAULT && x / TOTEM_QUEUES == p;
    }
    for (unsigned y = 0; y < ALL; y++) {
        const bool held = y == x && (s->phase == HOLD || s->phase == BACK || s->phase == BACKED);

        o->room[y]    = is_open(s, y);
        o->pending[y] = (s->next[y] && !s->early[y] && !s->purge[y]) || waits(s, y);
        o->written[y] = s->set[y];
        o->run[y]  = s->next[y] && s->set[y] && !s->early[y] && !s->running[y] && !s->drop[y] && !s->purge[y] && !held;
        o->owed[y] = false;
        o->purging[y] = s->gone[y] || s->purge[y];
        o->resume[y]  = s->resume[y];
        o->entry[y]   = s->entry[y];
    }
    o->launch_again = s->again;
    o->launch_code  = s->code;
    o->launch_word  = s->word;
    o->present      = true;
    o->idle         = s->phase == IDLE && s->free == TOTEM_ENTRIES;
    for (unsigned y = 0; y < ALL; y++)
        o->idle = o->idle && !waits(s, y);
    for (unsigned e = 0; e < TOTEM_ENTRIES; e++)
        if (s->out[e] && !s->stray[e])
            o->owed[s->owner[e]] = true;
    lists(s, o);
    o->load_valid         = s->phase == LOAD;
    o->load_entry         = s->load_item;
    o->load_pointer       = s->load_target;
    o->load_group         = s->load_group;
    o->setup_valid        = s->setup_valid;
    o->setup_pipe         = s->setup_x / TOTEM_QUEUES != 0;
    o->setup_queue        = s->setup_x % TOTEM_QUEUES;
    o->setup_entry        = s->setup_item;
    o->setup_resume       = s->setup_resume;
    o->over_ready         = s->phase == REPORT;
    o->call_done          = s->called;
    o->call_answer        = s->call_answer;
    o->fault_queue        = x % TOTEM_QUEUES;
    o->fault_code         = s->code;
    o->fault_word         = s->word;
    o->fault_addr         = s->address;
    o->fault_stray        = s->job == JOB_OVER && s->stray[s->item];
    o->unload_done        = s->phase == UNLOADED;
    o->restore_ready      = s->restored;
    o->unload_last        = s->last;
    o->unload_pointer     = s->own;
    o->store_write_enable = s->put_valid;
    o->store_write_addr   = (TOTEM_TASK_STORE_ADDR)(s->put_x << 6 | (s->stored[s->put_x] & 63));
    o->store_write_data   = s->put_data;
    o->store_read_enable  = s->phase == DRAW;
    o->store_read_addr    = (TOTEM_TASK_STORE_ADDR)(x << 6 | (s->drawn[x] & 63));

    o->pointer_write_enable = s->phase == STORE;
    o->pointer_write_addr   = s->item;
    o->pointer_write_data   = (uint64_t)s->word << 32 | s->load_target;
    o->pointer_read_enable  = s->phase == LOOK;
    o->pointer_read_addr    = s->item;
    o->report_read_enable   = s->phase == LOOK;
    o->report_read_addr     = x;
    o->report_write_enable  = s->phase == REPORT && !s->silent;
    o->report_write_addr    = x;
    o->report_write_data    = (uint64_t)s->own << 32 | s->total;
}

// Rule 1: mappings that end, slots that are abandoned.
static void mappings(totem_task *n, const totem_task *s, const totem_task_in *i)
{
    for (unsigned y = 0; y < ALL; y++)
        if (s->gone[y] && away(i, y)) {
            n->gone[y]  = false;
            n->purge[y] = true;
            for (unsigned e = 0; e < TOTEM_ENTRIES; e++)
                if (s->out[e] && s->owner[e] == y)
                    n->stray[e] = true;
        }
    for (unsigned p = 0; p < TOTEM_PIPES; p++) {
        if (i->hqd_load_valid[p] && i->hqd_load_kind[p] == 0) {
            const unsigned x      = p * TOTEM_QUEUES + i->hqd_load_queue[p];
            const bool     mapped = (i->hqd_load_data[p] & 1) != 0;

            n->live[x] = mapped;
            n->gone[x] = n->gone[x] || !mapped;
        }
        if (!i->settle_drop_valid[p])
            continue;
        const unsigned y = p * TOTEM_QUEUES + i->settle_drop_queue[p];

        for (unsigned e = 0; e < TOTEM_ENTRIES; e++) {
            const bool meant = s->out[e] && s->owner[e] == y && (!s->stray[e] || !i->epoch_mapped[y]);
            if (meant && (!i->finish_ending[y] || i->finish_item[y] != e))
                n->lost[e] = true;
        }
    }
}

static void give_back(totem_task *n, const totem_task *s, const totem_task_in *i)
{
    n->put_valid = false;
    n->restored  = false;
    if (s->put_valid) {
        n->stored[s->put_x] = (s->stored[s->put_x] + 1u) & 127;
        if (s->put_resume)
            n->resume[s->put_x] = true;
        return;
    }
    if (i->roll_restore_valid) {
        n->put_valid  = true;
        n->put_x      = i->roll_restore_queue;
        n->put_data   = i->roll_restore_pointer;
        n->put_resume = i->roll_restore_resume;
        n->restored   = true;
    }
}

// Rule 2.
static void notices(totem_task *n, const totem_task *s, const totem_task_in *i)
{
    for (unsigned p = 0; p < TOTEM_PIPES; p++) {
        const unsigned y = p * TOTEM_QUEUES + i->runner_queue[p];
        const uint8_t  e = s->entry[y];

        if (i->runner_taken[p]) {
            n->running[y] = true;
            n->resume[y]  = false;
            if (s->child[y] == CHILD_NONE && s->dependent[e] && s->prefetch[e]) {
                n->child[y]    = CHILD_WANTED;
                n->child_of[y] = e;
            }
        }
        if (i->runner_granted[p]) {
            n->next[y]    = false;
            n->running[y] = false;
            n->set[y]     = false;
            n->out[e]     = true;
        }
        if (i->runner_refused[p]) {
            n->running[y] = false;
            n->drop[y]    = true;
        }
    }
}

// Rule 3.
static void registers(totem_task *n, const totem_task *s, const totem_task_in *i)
{
    if (s->setup_valid) {
        if (i->setup_done) {
            n->setup_valid = false;
            if (!s->stale)
                n->set[s->setup_x] = true;
        }
        return;
    }
    for (unsigned y = 0; y < ALL; y++)
        if (placed(s, y) && !s->set[y]) {
            n->setup_valid  = true;
            n->setup_x      = (uint8_t)y;
            n->setup_item   = s->entry[y];
            n->setup_resume = s->resume[y];
            n->stale        = false;
            return;
        }
}

static void loaded(totem_task *n, const totem_task *s, const totem_task_in *i)
{
    const uint8_t e = s->load_item;

    n->answered = false;
    n->loading  = false;
    n->queue    = s->load_queue;
    n->item     = e;
    n->job      = s->load_job;
    n->code     = i->meta_answer_error;
    n->address  = (uint64_t)s->load_target << 8;
    if (i->meta_answer_error != 0) {
        n->word  = i->meta_answer_word;
        n->phase = FREE;
        return;
    }
    n->word         = i->meta_answer_pointer;
    n->dependent[e] = i->meta_answer_dependent;
    n->prefetch[e]  = i->meta_answer_prefetch;
    n->head[e]      = i->meta_answer_head;
    n->level[e]     = i->settings_task_priority ? i->meta_answer_group >> 4 : 0;
    n->phase        = STORE;
}

// A task is over; false: it has to wait.
static bool over(totem_task *n, const totem_task *s, const totem_task_in *i)
{
    const uint8_t y = i->finish_over_queue, f = i->finish_over_entry;
    const bool    own = own_child(s, y, f), here = own && s->child[y] == CHILD_HERE;

    if (!i->finish_over_valid || (s->loading && s->load_job == JOB_OVER) || (own && s->child[y] == CHILD_COMING) ||
        (s->loading && s->dependent[f] && !here))
        return false;
    n->queue   = y;
    n->item    = f;
    n->job     = JOB_OVER;
    n->looked  = false;
    n->settled = false;
    n->heir    = false;
    n->silent  = s->stray[f];
    if (i->finish_over_error != 0) {
        n->code    = (uint8_t)(TOTEM_ERROR_MEMORY_WRITE_SLVERR - 1u + i->finish_over_error);
        n->word    = (uint32_t)i->finish_over_addr;
        n->address = i->finish_over_addr;
        n->phase   = FAULT;
        return true;
    }
    n->code  = 0;
    n->phase = LOOK;
    if (here && s->next[y] && s->early[y]) {
        n->early[y] = false;
        n->child[y] = CHILD_NONE;
        n->settled  = true;
    }
    return true;
}

static bool child_here(const totem_task *s)
{
    bool any = false;
    for (unsigned y = 0; y < ALL; y++)
        any = any || s->child[y] == CHILD_HERE;
    return any;
}

// A call that can be looked at: its answer goes to the RAM of pointers.
static bool calls(const totem_task *s, const totem_task_in *i)
{
    return i->desk_call_valid && !s->called && !s->put_valid && !i->roll_restore_valid;
}

// The launch of the pipe whose turn it is.
static bool launches(const totem_task *s, const totem_task_in *i, unsigned *x)
{
    for (unsigned p = 0; p < TOTEM_PIPES; p++)
        if (s->turn == p && i->runner_launch_valid[p] && !s->waiting[p] && !s->loading) {
            *x = p * TOTEM_QUEUES + i->runner_launch_queue[p];
            return true;
        }
    return false;
}

// The queue wants an entry, and there is none for it.
static bool lacks(const totem_task *s, const totem_task_in *i, unsigned y)
{
    unsigned x = ALL;

    if (room(s, y) || s->gone[y] || s->purge[y])
        return false;
    if (waits(s, y) && !s->kept[y])
        return true;
    if (launches(s, i, &x) && x == y)
        return true;
    return calls(s, i) && i->desk_call_queue == y && s->live[y];
}

static bool call(totem_task *n, const totem_task *s, const totem_task_in *i)
{
    const unsigned y = i->desk_call_queue;

    if (!calls(s, i) || (lacks(s, i, y) && child_here(s)))
        return false;
    n->called = true;
    if (!s->live[y]) {
        n->call_answer = CALL_UNMAPPED;
    } else if (!is_open(s, y) || ((s->stored[y] - s->drawn[y]) & 127) == STORE_SIZE) {
        n->call_answer = CALL_FULL;
    } else {
        n->call_answer = CALL_TAKEN;
        n->free        = (s->free - 1u) & COUNTER;
        n->taken[y]    = (s->taken[y] + 1u) & COUNTER;
        n->kept[y]     = true;
        n->put_valid   = true;
        n->put_x       = (uint8_t)y;
        n->put_data    = i->desk_call_pointer;
        n->put_resume  = false;
    }
    return true;
}

// A child that is loaded early gives its entry up.
static bool yields(totem_task *n, const totem_task *s, const totem_task_in *i)
{
    bool     any = false;
    unsigned z   = 0;

    for (unsigned y = 0; y < ALL; y++)
        any = any || lacks(s, i, y);
    if (!any || !child_here(s))
        return false;
    for (unsigned y = ALL; y-- > 0;)
        if (s->child[y] == CHILD_HERE)
            z = y;
    n->queue    = (uint8_t)z;
    n->job      = JOB_OTHER;
    n->code     = 0;
    n->unload   = false;
    n->child[z] = CHILD_NONE;
    n->item     = s->child_item[z];
    n->phase    = FREE;
    if (s->next[z] && s->early[z])
        replace(n, z);
    return true;
}

static bool launch(totem_task *n, const totem_task *s, const totem_task_in *i)
{
    unsigned y = 0;

    if (!launches(s, i, &y))
        return false;
    n->queue = (uint8_t)y;
    n->job   = JOB_LAUNCH;
    n->code  = 0;
    n->again = !is_open(s, y);
    n->phase = is_open(s, y) ? TAKE : ANSWER;
    return true;
}

// What was given up: the child first, then the task.
static bool drop(totem_task *n, const totem_task *s)
{
    for (unsigned y = 0; y < ALL; y++) {
        const bool own = own_child(s, y, s->entry[y]);
        if (!s->drop[y] || (own && s->child[y] == CHILD_COMING))
            continue;
        n->queue = (uint8_t)y;
        n->job   = JOB_OTHER;
        n->code  = 0;
        n->phase = FREE;
        if (own)
            n->child[y] = CHILD_NONE;
        if (own && s->child[y] == CHILD_HERE) {
            n->item = s->child_item[y];
            return true;
        }
        n->drop[y] = false;
        n->next[y] = false;
        n->set[y]  = false;
        n->item    = s->entry[y];
        return true;
    }
    return false;
}

// An entry whose end was abandoned.
static bool lost(totem_task *n, const totem_task *s)
{
    for (unsigned e = 0; e < TOTEM_ENTRIES; e++)
        if (s->lost[e]) {
            n->lost[e] = false;
            n->out[e]  = false;
            n->queue   = s->owner[e];
            n->item    = (TOTEM_TASK_ITEM)e;
            n->job     = JOB_OTHER;
            n->code    = 0;
            n->phase   = FREE;
            return true;
        }
    return false;
}

// A queue is emptied, or its first task taken out: child, next task, lists, pointers that wait.
static bool empty(totem_task *n, const totem_task *s, const totem_task_in *i)
{
    unsigned y = ALL;

    for (unsigned x = ALL; x-- > 0;) {
        const bool held = (s->loading && s->load_queue == x) || (s->put_valid && s->put_x == x);

        if (!held && s->purge[x])
            y = x;
    }
    if (y == ALL && i->roll_unload_valid && !(s->loading && s->load_job == JOB_OVER)) {
        const unsigned x    = i->roll_unload_queue;
        const bool     held = (s->loading && s->load_queue == x) || (s->put_valid && s->put_x == x);

        if (!held)
            y = x;
    }
    if (y == ALL)
        return false;
    n->queue  = (uint8_t)y;
    n->job    = JOB_OTHER;
    n->code   = 0;
    n->unload = !s->purge[y];
    if (!s->purge[y])
        n->live[y] = false;
    if (s->child[y] != CHILD_NONE) {
        n->unload   = false;
        n->child[y] = CHILD_NONE;
        if (s->child[y] == CHILD_HERE) {
            n->item  = s->child_item[y];
            n->phase = FREE;
            if (s->next[y] && s->early[y])
                replace(n, y);
        }
    } else if (s->next[y]) {
        replace(n, y);
        n->running[y] = false;
        n->drop[y]    = false;
        n->item       = s->entry[y];
        n->phase      = s->purge[y] ? FREE : LOOK;
    } else if (listed(i, y)) {
        n->place = top(i, y);
        n->phase = POP;
    } else if (waits(s, y) && !s->purge[y]) {
        n->phase = DRAW;
    } else {
        n->stored[y] = 0;
        n->drawn[y]  = 0;
        n->purge[y]  = false;
        n->kept[y]   = false;
        if (s->kept[y]) {
            const unsigned w = (s->stored[y] - s->drawn[y]) & 127u;

            n->free     = (s->free + w) & COUNTER;
            n->taken[y] = (s->taken[y] - w) & COUNTER;
        }
        if (s->purge[y]) {
            n->resume[y] = false;
        } else {
            n->last  = true;
            n->phase = UNLOADED;
        }
    }
    return true;
}

static bool prefetch(totem_task *n, const totem_task *s)
{
    for (unsigned y = 0; y < ALL && !s->loading; y++)
        if (s->child[y] == CHILD_WANTED && room(s, y) && !is_short(s, y)) {
            n->queue = (uint8_t)y;
            n->job   = JOB_PREFETCH;
            n->item  = s->child_of[y];
            n->phase = LOOK;
            return true;
        }
    return false;
}

// The next task of a queue that has none: of its lists, else its child.
static bool fill(totem_task *n, const totem_task *s, const totem_task_in *i)
{
    for (unsigned y = 0; y < ALL; y++)
        if (!s->next[y] && listed(i, y)) {
            n->queue  = (uint8_t)y;
            n->job    = JOB_OTHER;
            n->code   = 0;
            n->unload = false;
            n->place  = top(i, y);
            n->phase  = POP;
            return true;
        }
    for (unsigned y = 0; y < ALL; y++)
        if (!s->next[y] && s->child[y] == CHILD_HERE) {
            n->next[y]  = true;
            n->early[y] = true;
            n->set[y]   = false;
            n->entry[y] = s->child_item[y];
            return true;
        }
    return false;
}

// A pointer that waits, and an entry for it.
static void draw(totem_task *n, const totem_task *s)
{
    for (unsigned y = 0; y < ALL && !s->loading; y++)
        if (waits(s, y) && (room(s, y) || s->kept[y]) && !s->gone[y] && !s->purge[y]) {
            n->queue  = (uint8_t)y;
            n->job    = JOB_OTHER;
            n->code   = 0;
            n->unload = false;
            n->phase  = DRAW;
            return;
        }
}

static uint8_t group(const totem_task_in *i, unsigned x)
{
    return (uint8_t)((unsigned)i->fe_number << 4 | x / TOTEM_QUEUES << 3 | x % TOTEM_QUEUES);
}

static void load(totem_task *n, const totem_task_in *i, unsigned job, unsigned entry, uint32_t target)
{
    n->loading     = true;
    n->load_job    = (uint8_t)job;
    n->load_queue  = n->queue;
    n->load_item   = (uint8_t)entry;
    n->load_target = target;
    n->load_group  = group(i, n->queue);
    n->phase       = LOAD;
}

// Answers of lists.
static void answer(totem_task *n, const totem_task *s, const totem_task_in *i)
{
    const uint8_t x = s->queue, e = i->lists_answer_entry, p = x / TOTEM_QUEUES;

    if (!i->lists_answer_valid)
        return;
    switch (s->phase) {
    case TAKEN:
        if (s->job != JOB_OTHER || !s->kept[x]) {
            n->free     = (s->free - 1u) & COUNTER;
            n->taken[x] = (s->taken[x] + 1u) & COUNTER;
        }
        n->item     = e;
        n->owner[e] = x;
        n->stray[e] = false;
        n->out[e]   = false;
        n->lost[e]  = false;
        if (s->job == JOB_LAUNCH) {
            n->waiting[p] = true;
            load(n, i, s->job, e, i->runner_launch_pointer[p]);
        } else if (s->job == JOB_OTHER) {
            load(n, i, s->job, e, s->word);
        } else {
            n->child[x]      = CHILD_COMING;
            n->child_item[x] = e;
            load(n, i, s->job, e, s->word);
        }
        break;
    case BACKED:
        replace(n, x);
        n->phase = PUSH;
        break;
    case PUSHED:
        n->phase = s->job == JOB_LAUNCH ? ANSWER : s->job == JOB_OTHER ? IDLE : CLOSE;
        if (s->job != JOB_LAUNCH && s->job != JOB_OTHER && s->heir) {
            n->heir  = false;
            n->item  = s->kin;
            n->phase = FREE;
        }
        break;
    case POPPED:
        if (s->purge[x] || s->unload) {
            n->item  = e;
            n->phase = s->purge[x] ? FREE : LOOK;
            break;
        }
        n->next[x]  = true;
        n->early[x] = false;
        n->set[x]   = false;
        n->entry[x] = e;
        n->phase    = IDLE;
        break;
    default: // FREED
        n->free     = (s->free + 1u) & COUNTER;
        n->taken[x] = (s->taken[x] - 1u) & COUNTER;
        n->phase    = IDLE;
        if (s->job == JOB_LAUNCH)
            n->phase = ANSWER;
        if (s->job == JOB_PREFETCH)
            n->child[x] = CHILD_NONE;
        if (s->job == JOB_OVER)
            n->phase = s->code != 0 ? FAULT : CLOSE;
        if (s->job == JOB_OTHER && s->unload)
            n->phase = UNLOADED;
        if (s->job == JOB_OTHER && s->code != 0) {
            n->phase = FAULT;
            // Unless the unfinished one is there already.
            if (!s->kept[x] && !s->next[x] && !listed(i, x))
                n->resume[x] = false;
        }
        break;
    }
}

static void insert(totem_task *n, const totem_task *s)
{
    const uint8_t x = s->queue, e = s->item, other = s->entry[x];

    if (s->job == JOB_OVER && is_short(s, x) && !s->head[e]) {
        n->phase = STASH;
        return;
    }
    n->phase = PUSH;
    if (!placed(s, x))
        return;
    if (s->early[x]) {
        replace(n, x);
        return;
    }
    if (s->resume[x])
        return;
    // What was given back keeps its order.
    const bool head = s->head[e] && (s->job != JOB_OTHER || s->kept[x]);
    if (s->level[e] > s->level[other] || (s->level[e] == s->level[other] && head)) {
        n->count = 3;
        n->phase = HOLD;
    }
}

// The pointers of the task have been read.
static void kin(totem_task *n, const totem_task *s, const totem_task_in *i)
{
    const uint8_t x = s->queue, e = s->item;
    const bool    own = own_child(s, x, e);

    if (s->job == JOB_PREFETCH) {
        n->phase = TAKE;
        if (s->word == s->own) {
            n->child[x] = CHILD_NONE;
            n->phase    = IDLE;
        }
        return;
    }
    n->looked = true;
    if (s->job == JOB_OTHER || s->settled || s->stray[e] || !s->dependent[e]) {
        n->phase = FREE;
        return;
    }
    if (own)
        n->child[x] = CHILD_NONE;
    if (s->word == s->own) {
        n->silent = true;
        n->phase  = INSERT;
    } else if (own && s->child[x] == CHILD_HERE) {
        if (s->next[x] && s->early[x]) {
            n->early[x] = false;
            n->phase    = FREE;
        } else {
            n->heir  = true;
            n->kin   = e;
            n->item  = s->child_item[x];
            n->phase = INSERT;
        }
    } else {
        load(n, i, JOB_OVER, e, s->word);
    }
}

static bool heard(const totem_task_in *i, unsigned pipe)
{
    bool any = false;
    for (unsigned p = 0; p < TOTEM_PIPES; p++)
        any = any || (p == pipe && i->runner_fault_ready[p]);
    return any;
}

// Rule 4.
static void phases(totem_task *n, const totem_task *s, const totem_task_in *i)
{
    const uint8_t x = s->queue, p = x / TOTEM_QUEUES;

    switch (s->phase) {
    case IDLE:
        if (s->answered)
            loaded(n, s, i);
        else if (!call(n, s, i) && !over(n, s, i) && !yields(n, s, i) && !launch(n, s, i) && !drop(n, s) &&
                 !lost(n, s) && !empty(n, s, i) && !prefetch(n, s) && !fill(n, s, i))
            draw(n, s);
        break;
    case TAKE:
    case BACK:
    case PUSH:
    case POP:
    case FREE:
        if (i->lists_request_ready)
            n->phase = (uint8_t)(s->phase + 1);
        break;
    case TAKEN:
    case BACKED:
    case PUSHED:
    case POPPED:
    case FREED: answer(n, s, i); break;
    case LOAD:
        if (i->meta_request_ready)
            n->phase = IDLE;
        break;
    case STORE:
        n->phase = INSERT;
        if (s->job == JOB_PREFETCH) {
            n->child[x] = CHILD_HERE;
            n->phase    = IDLE;
        }
        break;
    case INSERT: insert(n, s); break;
    case HOLD:
        if (s->count != 0)
            n->count = (uint8_t)(s->count - 1);
        else
            n->phase = placed(s, x) ? BACK : PUSH;
        break;
    case LOOK: n->phase = SEE; break;
    case SEE:
        n->own   = (uint32_t)i->pointer_read_data;
        n->word  = (uint32_t)(i->pointer_read_data >> 32);
        n->total = (uint32_t)i->report_read_data + 1;
        n->phase = KIN;
        break;
    case KIN: kin(n, s, i); break;
    case FAULT:
        if (heard(i, p)) {
            n->code  = 0;
            n->phase = s->job == JOB_OTHER ? IDLE : s->looked ? CLOSE : LOOK;
        }
        break;
    case CLOSE:
        if (i->desk_room)
            n->phase = REPORT;
        break;
    case ANSWER:
        n->waiting[p] = false;
        n->phase      = IDLE;
        break;
    case REPORT:
        n->out[s->item] = false;
        n->phase        = IDLE;
        break;
    case UNLOADED:
        n->unload = false;
        n->last   = false;
        n->phase  = IDLE;
        break;
    case STASH:
        if (!s->put_valid && !i->roll_restore_valid) {
            n->put_valid  = true;
            n->put_x      = x;
            n->put_data   = s->silent ? s->own : s->load_target;
            n->put_resume = false;
            n->phase      = FREE;
        }
        break;
    case DRAW: n->phase = DRAWN; break;
    case DRAWN:
        n->drawn[x] = (s->drawn[x] + 1u) & 127;
        if (s->unload) {
            if (s->kept[x]) {
                n->free     = (s->free + 1u) & COUNTER;
                n->taken[x] = (s->taken[x] - 1u) & COUNTER;
            }
            n->own   = i->store_read_data;
            n->phase = UNLOADED;
        } else {
            n->word  = i->store_read_data;
            n->phase = TAKE;
        }
        break;
    default: break;
    }
}

void totem_task_step(totem_task *s, const totem_task_in *i)
{
    totem_task n     = *s;
    bool       asked = false;

    for (unsigned p = 0; p < TOTEM_PIPES; p++)
        asked = asked || i->runner_launch_valid[p];
    n.called = false;
    if (asked && TOTEM_PIPES == 2)
        n.turn = !s->turn;
    if (i->meta_answer_valid)
        n.answered = true;
    mappings(&n, s, i);
    give_back(&n, s, i);
    notices(&n, s, i);
    registers(&n, s, i);
    phases(&n, s, i);

    *s = n;
}
