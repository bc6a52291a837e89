// SPDX-License-Identifier: Apache-2.0
//
// totem_arbiter: twin of rtl/queue/totem_arbiter.v, from docs/contract/arbiter.md.

#include "totem_arbiter.h"

enum { LOAD_ACTIVE = 0, LOAD_QUEUE_PRIORITY = 1, LOAD_PIPE_PRIORITY = 2 };

// An index of a queue; QUEUES is a power of two.
static uint8_t queue_index(unsigned number)
{
    return (uint8_t)(number & (TOTEM_QUEUES - 1));
}

void totem_arbiter_reset(totem_arbiter *s)
{
    for (unsigned q = 0; q < TOTEM_QUEUES; q++) {
        s->active[q]     = false;
        s->ready[q]      = false;
        s->candidates[q] = false;
    }
    for (unsigned level = 0; level < 16; level++)
        s->scoreboard[level] = TOTEM_QUEUES - 1;
    s->level          = 0;
    s->settle         = 0;
    s->go             = false;
    s->selected_valid = false;
    s->selected       = 0;
    s->leave          = false;
}

void totem_arbiter_outputs(const totem_arbiter *s, totem_arbiter_out *o)
{
    o->go             = s->go;
    o->selected_valid = s->selected_valid;
    o->selected       = s->selected;
    o->leave          = s->leave;
    o->pipe_priority  = s->pipe_priorities[queue_index(s->selected)];
    for (unsigned q = 0; q < TOTEM_QUEUES; q++) {
        o->active[q]         = s->active[q];
        o->ready[q]          = s->ready[q];
        o->queue_priority[q] = s->queue_priority[q];
    }
}

void totem_arbiter_step(totem_arbiter *s, const totem_arbiter_in *i)
{
    totem_arbiter n = *s; // what follows the clock edge; s stays as it was before
    bool          stalled[TOTEM_QUEUES];
    bool          empty[TOTEM_QUEUES];
    bool          choice[TOTEM_QUEUES];
    bool          any_choice = false;

    // 1. Load bus.
    if (i->load_valid) {
        const uint8_t q = queue_index(i->load_queue);
        if (i->load_kind == LOAD_ACTIVE)
            n.active[q] = (i->load_data & 1) != 0;
        if (i->load_kind == LOAD_QUEUE_PRIORITY)
            n.queue_priority[q] = (uint8_t)(i->load_data & 15);
        if (i->load_kind == LOAD_PIPE_PRIORITY)
            n.pipe_priorities[q] = (uint8_t)(i->load_data & 3);
    }

    for (unsigned q = 0; q < TOTEM_QUEUES; q++) {
        choice[q]  = s->candidates[q] && s->ready[q] && n.active[q];
        any_choice = any_choice || choice[q];
    }

    for (unsigned q = 0; q < TOTEM_QUEUES; q++) {
        stalled[q] = i->packet_halted[q] || (i->packet_wait_flush[q] && !i->fence_flushed[q]) ||
                     (i->packet_wait_epoch[q] && !i->fence_room[q]);
        empty[q] = !i->fetch_pending[q] && !i->packet_unfinished[q];
    }

    // 2. Readiness.
    for (unsigned q = 0; q < TOTEM_QUEUES; q++)
        n.ready[q] =
            s->active[q] && n.active[q] && !empty[q] && !stalled[q] && (i->fetch_line[q] || i->packet_unfinished[q]);

    // 3. Maximum.
    n.level = 0;
    for (unsigned q = 0; q < TOTEM_QUEUES; q++)
        if (s->ready[q] && s->queue_priority[q] > n.level)
            n.level = s->queue_priority[q];
    for (unsigned q = 0; q < TOTEM_QUEUES; q++)
        n.candidates[q] =
            s->ready[q] && s->queue_priority[q] == n.level && !(i->load_valid && i->load_kind == LOAD_QUEUE_PRIORITY);

    // 4. Settling.
    if (s->settle != 0)
        n.settle = (uint8_t)(s->settle - 1);

    // 5. Selection: from the farthest to the nearest after the one served last, so the nearest stays.
    n.go = false;
    if (!s->selected_valid && s->settle == 0 && any_choice) {
        const unsigned served = s->scoreboard[s->level & 15];
        for (unsigned distance = TOTEM_QUEUES; distance > 0; distance--) {
            const uint8_t q = queue_index(served + distance);
            if (choice[q])
                n.selected = q;
        }
        n.scoreboard[s->level & 15] = n.selected;
        n.selected_valid            = true;
        n.go                        = true;
    }

    // 6. Replacement.
    if (s->selected_valid) {
        const uint8_t own   = queue_index(s->selected);
        bool          other = false;
        for (unsigned q = 0; q < TOTEM_QUEUES; q++)
            other = other || (s->ready[q] && q != own);

        const bool better    = any_choice && s->level > s->queue_priority[own]; // condition 1
        const bool done      = empty[own] && !i->walker_busy && other;          // condition 5
        const bool cannot_go = stalled[own] || !s->active[own];                 // condition 7
        if (better || done || cannot_go)
            n.leave = true;
    }

    // 7. Giving up.
    if (i->packet_left && s->selected_valid) {
        n.selected_valid = false;
        n.leave          = false;
        n.go             = false;
        n.settle         = 2;
    }

    *s = n;
}
