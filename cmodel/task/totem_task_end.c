// SPDX-License-Identifier: Apache-2.0
//
// Rules 27 to 31 of totem_task: the end of a task. Twin of rtl/task/totem_task_end.vh, from docs/contract/task.md.

#include "totem_task_end.h"

#include "totem_task_queues.h"

// 28 Early
static void early(totem_task *n, const totem_task *s)
{
    n->phase = TASK_TAKE;
    if (s->stands[s->item]) {
        n->child[s->item] = CHILD_NONE;
        n->phase          = TASK_IDLE;
    }
}

// 29 Decide
static void decide(totem_task *n, const totem_task *s, const totem_task_in *i)
{
    const uint8_t x = s->queue, e = s->item;

    n->looked   = true;
    n->child[e] = CHILD_NONE;
    if (s->dependent[e] && s->word == s->own)
        n->silent = true;
    if (leads(s, e)) {
        n->early[x] = false;
        n->phase    = TASK_FREE;
    } else if (s->child[e] == CHILD_HERE) {
        n->heir  = true;
        n->kin   = e;
        n->item  = s->child_item[e];
        n->phase = TASK_INSERT;
    } else if (s->job == JOB_OTHER || s->settled || s->orphaned[e] || !s->dependent[e]) {
        n->phase = TASK_FREE;
    } else if (s->stands[s->item]) {
        n->phase = TASK_INSERT;
    } else {
        load(n, i, JOB_OVER, e, s->word);
    }
}

void totem_task_end(totem_task *n, const totem_task *s, const totem_task_in *i)
{
    switch (s->phase) {
    // 27 Look
    case TASK_LOOK: n->phase = TASK_SEE; break;
    case TASK_SEE:
        n->own   = (uint32_t)i->pointer_read_data;
        n->word  = (uint32_t)(i->pointer_read_data >> 32);
        n->total = (uint32_t)i->report_read_data + 1;
        n->phase = TASK_DECIDE;
        break;
    case TASK_DECIDE:
        if (s->job == JOB_PREFETCH)
            early(n, s);
        else
            decide(n, s, i);
        break;
    // 30 Fault
    case TASK_FAULT:
        if (i->runner_fault_ready[s->queue / TOTEM_QUEUES]) {
            n->code  = 0;
            n->phase = s->job == JOB_OTHER ? TASK_IDLE : s->looked ? TASK_CLOSE : TASK_LOOK;
        }
        break;
    // 31 Report
    case TASK_CLOSE:
        if (i->submit_room)
            n->phase = TASK_REPORT;
        break;
    case TASK_REPORT:
        n->out[s->item] = false;
        n->phase        = TASK_IDLE;
        break;
    default: break;
    }
}
