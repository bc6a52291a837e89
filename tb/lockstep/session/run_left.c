// SPDX-License-Identifier: Apache-2.0
//
// run_left: see run_left.h. The terms are those of docs/contract/arbiter.md.

#include "run_left.h"

enum { BETTER = 1, USED_UP, YIELDS, GIVES_UP, EMPTY, DEQUEUED, UNABLE };

// A packet of queue q has given the pipe up: it waits.
static bool gives_up(const totem_arbiter_in *i, unsigned q)
{
    return (i->packet_wait_flush[q] && !i->fence_flushed[q]) || (i->packet_wait_epoch[q] && !i->fence_room[q]) ||
           (i->packet_wait_entry[q] && !i->task_room[q]) || i->poll_waiting[q] || (q == 0 && i->schedule_waiting);
}

// The first condition that held, of a queue that was asked to leave by the last edge; `n` is the state behind it.
static unsigned condition(const totem_arbiter *s, const totem_arbiter *n, const totem_arbiter_in *i)
{
    const unsigned own = s->selected;
    bool           any = false, rival = false, other = false;
    for (unsigned q = 0; q < TOTEM_QUEUES; q++) {
        const bool choice = s->candidates[q] && s->ready[q] && n->active[q];
        any               = any || choice;
        rival             = rival || (choice && q != own);
        other             = other || (s->ready[q] && q != own);
    }
    const bool may   = n->ran || (i->settings_turn_limit && s->turn >= 1024 && s->turn >= i->settings_turn_limit);
    const bool equal = rival && may && s->level == s->queue_priority[own];
    const bool event = i->settings_event_on_priority_write && (s->wrote || s->host_wrote);
    const bool empty = !i->fetch_pending[own] && !i->task_pending[own] && !i->walker_busy;
    return any && s->level > s->queue_priority[own]                                       ? BETTER
           : equal && s->timed && s->turn >= s->limit                                     ? USED_UP
           : equal && (n->unsuccessful || event || (s->wrote && !s->quantum_enable[own])) ? YIELDS
           : gives_up(i, own)                                                             ? GIVES_UP
           : empty && other                                                               ? EMPTY
           : i->hqd_dequeuing[own]                                                        ? DEQUEUED
                                                                                          : UNABLE;
}

unsigned run_left_clock(run_left *l, const session *s, int pipe)
{
    const int                f = pipe / TOTEM_PIPES, p = pipe % TOTEM_PIPES;
    const totem_machine_out *o     = session_out(s);
    const totem_front       *model = &session_model(s)->fe[f].pipe[p].front;
    const totem_front_out   *shown = &o->fe[f].pipe[p].front;
    if (l->may[pipe] && shown->arbiter.leave)
        l->asked[pipe] = (uint8_t)condition(&l->state[pipe], &model->arbiter, &l->in[pipe]);
    l->may[pipe] = shown->arbiter.selected_valid && !shown->arbiter.leave && !shown->execute.left;
    if (l->may[pipe]) {
        l->state[pipe] = model->arbiter;
        totem_wire_arbiter(o, NULL, f, p, &l->in[pipe]);
    }
    if (shown->arbiter.go)
        l->asked[pipe] = 0;
    if (shown->execute.left) {
        const unsigned q    = shown->arbiter.selected;
        const bool     able = !shown->execute.halted[q] && shown->arbiter.active[q];
        return l->asked[pipe] ? l->asked[pipe] : able ? GIVES_UP : UNABLE;
    }
    return 0;
}

unsigned run_left_ring(const session *s, int f)
{
#if TOTEM_GRAPHICS
    const totem_graphics_front_out *p = &session_out(s)->fe[f].graphics_pipe.front;
    if (p->execute.left)
        return p->execute.halted[0] || !p->arbiter.active[0] ? UNABLE : p->hqd.dequeuing[0] ? DEQUEUED : GIVES_UP;
#else
    (void)s;
    (void)f;
#endif
    return 0;
}
