// SPDX-License-Identifier: Apache-2.0
//
// totem_task: twin of rtl/task/totem_task.v and totem_task_beside.vh, from docs/contract/task.md.

#include "totem_task.h"

#include "../lib/totem_lists_values.h"
#include "../queue/totem_hqd_values.h"
#include "totem_task_begin.h"
#include "totem_task_end.h"
#include "totem_task_lists.h"
#include "totem_task_queues.h"
#include "totem_task_save.h"

static bool away(const totem_task_in *i, unsigned x)
{
    const unsigned p = x / TOTEM_QUEUES;
    return !i->arbiter_selected_valid[p] || i->arbiter_selected[p] != x % TOTEM_QUEUES;
}

static void lists(const totem_task *s, totem_task_out *o)
{
    const uint8_t x = s->queue, own = s->entry[x];
    uint8_t       level = s->level[s->item];

    o->list_valid = s->phase == TASK_TAKE || s->phase == TASK_BACK || s->phase == TASK_PUSH || s->phase == TASK_POP ||
                    s->phase == TASK_FREE;
    o->list_entry = s->item;
    switch (s->phase) {
    case TASK_TAKE: o->list_op = LISTS_TAKE; break;
    case TASK_BACK:
        o->list_op    = LISTS_PUSH_HEAD;
        o->list_entry = own;
        level         = s->level[own];
        break;
    case TASK_PUSH: o->list_op = to_head(s) ? LISTS_PUSH_HEAD : LISTS_PUSH_TAIL; break;
    case TASK_POP:
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
        o->launch_done[p] = s->phase == TASK_ANSWER && x / TOTEM_QUEUES == p;
        o->fault_valid[p] = s->phase == TASK_FAULT && x / TOTEM_QUEUES == p;
    }
    for (unsigned y = 0; y < ALL; y++) {
        const bool held = y == x && (s->phase == TASK_HOLD || s->phase == TASK_BACK || s->phase == TASK_BACKED);

        o->room[y]    = room(s, y);
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
    o->idle         = s->phase == TASK_IDLE && s->free == TOTEM_ENTRIES;
    for (unsigned y = 0; y < ALL; y++)
        o->idle = o->idle && !waits(s, y);
    for (unsigned e = 0; e < TOTEM_ENTRIES; e++)
        if (s->out[e] && !s->orphaned[e])
            o->owed[s->owner[e]] = true;
    lists(s, o);
    o->load_valid         = s->phase == TASK_LOAD && s->ask == 0;
    o->load_second        = s->phase == TASK_LOAD && s->ask == 1;
    o->load_entry         = s->item;
    o->load_pointer       = s->load_target[s->ask];
    o->load_group         = s->load_group;
    o->setup_valid        = s->setup_valid;
    o->setup_pipe         = s->setup_x / TOTEM_QUEUES != 0;
    o->setup_queue        = s->setup_x % TOTEM_QUEUES;
    o->setup_entry        = s->setup_item;
    o->setup_resume       = s->setup_resume;
    o->over_ready         = s->phase == TASK_REPORT;
    o->call_done          = s->called;
    o->call_answer        = s->call_answer;
    o->fault_queue        = x % TOTEM_QUEUES;
    o->fault_code         = s->code;
    o->fault_word         = s->word;
    o->fault_addr         = s->address;
    o->fault_orphaned     = s->job == JOB_OVER && s->orphaned[s->item];
    o->unload_done        = s->phase == TASK_UNLOADED;
    o->restore_ready      = s->restored;
    o->unload_last        = s->last;
    o->unload_pointer     = s->own;
    o->store_write_enable = s->put_valid;
    o->store_write_addr   = (TOTEM_TASK_STORE_ADDR)(s->put_x << 6 | (s->stored[s->put_x] & 63));
    o->store_write_data   = s->put_data;
    o->store_read_enable  = s->phase == TASK_DRAW;
    o->store_read_addr    = (TOTEM_TASK_STORE_ADDR)(x << 6 | (s->drawn[x] & 63));

    o->pointer_write_enable = s->phase == TASK_STORE;
    o->pointer_write_addr   = s->item;
    o->pointer_write_data   = (uint64_t)s->word << 32 | s->load_target[loader(s)];
    o->pointer_read_enable  = s->phase == TASK_LOOK;
    o->pointer_read_addr    = s->item;
    o->report_read_enable   = s->phase == TASK_LOOK;
    o->report_read_addr     = x;
    o->report_write_enable  = s->phase == TASK_REPORT && !s->silent;
    o->report_write_addr    = x;
    o->report_write_data    = (uint64_t)s->own << 32 | s->total;
}

// 2 Mappings
static void mappings(totem_task *n, const totem_task *s, const totem_task_in *i)
{
    for (unsigned y = 0; y < ALL; y++)
        if (s->gone[y] && away(i, y)) {
            n->gone[y]  = false;
            n->purge[y] = true;
            for (unsigned e = 0; e < TOTEM_ENTRIES; e++)
                if (s->out[e] && s->owner[e] == y)
                    n->orphaned[e] = true;
        }
    for (unsigned p = 0; p < TOTEM_PIPES; p++)
        if (i->hqd_load_valid[p] && i->hqd_load_kind[p] == LOAD_ACTIVE) {
            const unsigned y      = p * TOTEM_QUEUES + i->hqd_load_queue[p];
            const bool     mapped = (i->hqd_load_data[p] & 1) != 0;

            n->live[y] = mapped;
            n->gone[y] = n->gone[y] || !mapped;
        }
}

// 3 Abandoned
static void abandoned(totem_task *n, const totem_task *s, const totem_task_in *i)
{
    for (unsigned p = 0; p < TOTEM_PIPES; p++) {
        if (!i->slot_idle_drop_valid[p])
            continue;
        const unsigned y = p * TOTEM_QUEUES + i->slot_idle_drop_queue[p];

        for (unsigned e = 0; e < TOTEM_ENTRIES; e++) {
            const bool meant = s->out[e] && s->owner[e] == y && (!s->orphaned[e] || !i->epoch_mapped[y]);
            if (meant && (!i->finish_ending[y] || i->finish_item[y] != e))
                n->lost[e] = true;
        }
    }
}

// 4 Given back
static void given_back(totem_task *n, const totem_task *s, const totem_task_in *i)
{
    n->put_valid = false;
    n->restored  = false;
    if (s->put_valid) {
        n->stored[s->put_x] = (s->stored[s->put_x] + 1u) & WAITING;
        if (s->put_resume)
            n->resume[s->put_x] = true;
        return;
    }
    if (i->spill_restore_valid) {
        n->put_valid  = true;
        n->put_x      = i->spill_restore_queue;
        n->put_data   = i->spill_restore_pointer;
        n->put_resume = i->spill_restore_resume;
        n->restored   = true;
    }
}

// 5 Runner
static void runner(totem_task *n, const totem_task *s, const totem_task_in *i)
{
    for (unsigned p = 0; p < TOTEM_PIPES; p++) {
        const unsigned y = p * TOTEM_QUEUES + i->runner_queue[p];
        const uint8_t  e = s->entry[y];

        if (i->runner_taken[p]) {
            n->running[y] = true;
            n->resume[y]  = false;
            n->started[y] = (s->started[y] + 1u) & AGES;
            n->age[e]     = s->started[y];
            if (s->dependent[e] && s->prefetch[e])
                n->child[e] = CHILD_WANTED;
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

// 6 Registers
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

void totem_task_step(totem_task *s, const totem_task_in *i)
{
    totem_task n     = *s;
    bool       asked = false;

    // 1 Defaults
    for (unsigned p = 0; p < TOTEM_PIPES; p++)
        asked = asked || i->runner_launch_valid[p];
    n.called = false;
    if (asked && TOTEM_PIPES == 2)
        n.turn = !s->turn;
    for (unsigned k = 0; k < LOADS; k++)
        if (i->tmd_load_answer_valid[k])
            n.answered[k] = true;
    mappings(&n, s, i);
    abandoned(&n, s, i);
    given_back(&n, s, i);
    runner(&n, s, i);
    registers(&n, s, i);

    if (s->phase == TASK_IDLE)
        totem_task_begin(&n, s, i);
    totem_task_lists(&n, s, i);
    totem_task_end(&n, s, i);
    totem_task_save(&n, s, i);

    *s = n;
}
