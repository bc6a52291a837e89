// SPDX-License-Identifier: Apache-2.0
//
// turns: see turns.h.

#include "turns.h"

#include "../../../cmodel/queue/totem_hqd_values.h"
#include "ring.h"

#include <stdio.h>
#include <string.h>

enum { QUEUES = TOTEM_QUEUES };
// What is so for as long has reached the arbiter's decision; what was so longer ago is no reason any more.
enum { SURE = 5, RECENT = 4 };

void turns_open(turn_watch *w)
{
    memset(w, 0, sizeof *w);
    memset(w->served, QUEUES - 1, sizeof w->served);
    w->set = w->better = w->equal = w->hindered = w->spare = w->ran_for = TURNS_LONG;
}

static uint8_t later(uint8_t clocks)
{
    return clocks < TURNS_LONG ? (uint8_t)(clocks + 1) : clocks;
}

static uint32_t place_after(uint8_t last, uint32_t queue)
{
    return (queue + QUEUES - 1 - last) % QUEUES;
}

// Whoever is selected was one of the best two clocks ago, and the first of them after the one served last.
static const char *judge_choice(turn_watch *w, const totem_arbiter_out *a)
{
    const uint8_t s = a->selected, level = w->priority[1][s];
    const char   *fault = NULL;
    if (!w->ready[0][s] || !w->ready[1][s])
        fault = "it was not ready";
    for (uint32_t q = 0; q < QUEUES && !fault; q++) {
        if (q == s || !w->ready[1][q] || !a->active[q])
            continue;
        if (w->priority[1][q] > level)
            fault = "a better queue was ready";
        if (w->priority[1][q] == level && w->ready[0][q] &&
            place_after(w->served[level], q) < place_after(w->served[level], s))
            fault = "another one of its priority was next";
    }
    w->served[level] = s;
    return fault;
}

// A task of the queue comes before its next packet, whatever the ring waits for.
static bool task_due(const totem_pipe_out *o, uint8_t s)
{
#if TOTEM_TASKS
    return o->runner.due[s];
#else
    (void)o, (void)s;
    return false;
#endif
}

// It has a task that is not wholly granted.
static bool has_task(const totem_machine_out *out, int pipe, uint8_t s)
{
#if TOTEM_TASKS
    return out->fe[pipe / TOTEM_PIPES].tasks.pending[pipe % TOTEM_PIPES * QUEUES + s];
#else
    (void)out, (void)pipe, (void)s;
    return false;
#endif
}

// What lasts until the queue has left.
static bool stuck(const totem_pipe_out *pipe, uint8_t s)
{
    const totem_front_out *o = &pipe->front;
    return o->execute.halted[s] || (o->poll.waiting[s] && !task_due(pipe, s)) || o->hqd.dequeuing[s] ||
           !o->arbiter.active[s];
}

// Reasons that have nothing to do with other queues.
static bool hindered(const totem_pipe_out *pipe, uint8_t s)
{
    const totem_front_out *o = &pipe->front;
    return stuck(pipe, s) || o->execute.wait_flush[s] || o->execute.wait_epoch[s] || o->execute.wait_entry[s];
}

// It has nothing left to do, its work-groups are all granted, and another queue, of whatever priority, is ready.
static bool spare(const totem_machine_out *out, int pipe, uint8_t s)
{
    const totem_pipe_out  *own = &out->fe[pipe / TOTEM_PIPES].pipe[pipe % TOTEM_PIPES];
    const totem_front_out *o   = &own->front;

    bool other = false;
    for (uint32_t q = 0; q < QUEUES; q++)
        other = other || (q != s && o->arbiter.ready[q]);
    return other && !o->fetch.pending[s] && !o->execute.unfinished[s] && !own->walker.busy && !has_task(out, pipe, s);
}

static const char *judge_leave(turn_watch *w, const totem_host *settings, const totem_arbiter_out *a)
{
    const uint32_t quantum = w->quantum[a->selected];
    const uint64_t unit = w->unit[quantum >> 4 & 1] ? w->unit[quantum >> 4 & 1] : 1, span = (quantum >> 8 & 63) * unit;
    const uint32_t set = settings->settings_turn_limit, limit = set && set < 1024 ? 1024 : set;
    const bool     timed  = quantum & 1;
    const bool     event  = w->event && (w->wrote || w->host_wrote);
    const bool     yields = (w->wrote && !timed) || event || w->unsuccessful;
    const bool     kept   = limit && w->clocks > limit;
    if (w->set < SURE)
        return NULL;
    if (a->leave && !w->left) {
        if (w->better <= RECENT || w->hindered <= RECENT || w->spare <= RECENT)
            return NULL;
        if (w->equal > RECENT)
            return "it is asked to leave, and nobody is there";
        if (!w->ran && !kept)
            return "it is asked to leave for an equal queue before it has run anything";
        if (!yields && !(timed && w->clocks > span))
            return "it is asked to leave for an equal queue, and its turn is not over";
    }
    if (a->leave)
        return NULL;
    if (w->stuck >= SURE)
        return "it cannot go on, and is not asked to leave";
    if (w->spared >= SURE)
        return "it is empty, and stays, although another queue is ready";
    for (uint32_t q = 0; q < QUEUES; q++) {
        if (q == a->selected || w->stood[q] < SURE)
            continue;
        if (a->queue_priority[q] > a->queue_priority[a->selected])
            return "it stays, and a better queue is ready";
        if (a->queue_priority[q] == a->queue_priority[a->selected] && w->ran && w->ran_for >= SURE &&
            (yields || (timed && w->clocks > span + SURE)) && w->better > RECENT)
            return "its turn is over, and it stays, although an equal queue is ready";
    }
    return NULL;
}

// What this clock brings, for the next ones.
static void look(turn_watch *w, const totem_machine *model, const totem_machine_out *out, int pipe)
{
    const totem_pipe_out    *own        = &out->fe[pipe / TOTEM_PIPES].pipe[pipe % TOTEM_PIPES];
    const totem_front_out   *o          = &own->front;
    const totem_arbiter_out *a          = &o->arbiter;
    const uint8_t            s          = a->selected;
    const bool               host_write = o->hqd.load_valid && o->hqd.load_kind == LOAD_QUEUE_PRIORITY;
    const bool               written    = host_write || o->execute.priority_write;
    const uint32_t           unit[2]    = {model->host.settings_quantum_unit0, model->host.settings_quantum_unit1};

    w->set = later(w->set);
    if (memcmp(unit, w->unit, sizeof unit) != 0 || w->event != model->host.settings_event_on_priority_write ||
        (o->hqd.load_valid && o->hqd.load_kind == LOAD_QUANTUM))
        w->set = 0;
    memcpy(w->unit, unit, sizeof unit);
    w->event = model->host.settings_event_on_priority_write;
    if (o->hqd.load_valid && o->hqd.load_kind == LOAD_QUANTUM)
        w->quantum[o->hqd.load_queue] = (uint32_t)o->hqd.load_data;

    bool ran = o->execute.executed;
    for (int e = 0; e < TOTEM_SE_COUNT; e++) {
        const totem_issue_out *g = &out->se[e].issue;
        ran                      = ran || (g->grant_valid && ring_pipe(g->grant_fe, g->grant_pipe) == pipe);
    }
    if (a->go) {
        w->clocks = 0;
        w->ran = w->wrote = w->host_wrote = w->unsuccessful = false;
        w->ran_for                                          = TURNS_LONG;
    }
    w->clocks += a->selected_valid;
    if (a->selected_valid && ran && !w->ran)
        w->ran_for = 0;
    else
        w->ran_for = later(w->ran_for);
    w->ran        = w->ran || (a->selected_valid && ran);
    w->wrote      = w->wrote || (a->selected_valid && o->execute.priority_write);
    w->host_wrote = w->host_wrote || (a->selected_valid && host_write);
    // A packet that was executed and not passed is an unsuccessful poll; a task has no packet.
    if (a->selected_valid && o->execute.executed)
        w->unsuccessful = !o->execute.commit && o->execute.executed_opcode != 0;
    w->left = a->leave && a->selected_valid;

    w->better        = later(w->better);
    w->equal         = later(w->equal);
    const bool waits = scheduler_waits(out, pipe, s);

    w->stuck    = a->selected_valid && (waits || stuck(own, s)) ? later(w->stuck) : 0;
    w->hindered = waits || hindered(own, s) ? 0 : later(w->hindered);
    w->spare    = spare(out, pipe, s) ? 0 : later(w->spare);
    w->spared   = a->selected_valid && spare(out, pipe, s) ? later(w->spared) : 0;
    for (uint32_t q = 0; q < QUEUES; q++) {
        w->stood[q] = !a->ready[q] || written ? 0 : later(w->stood[q]);
        if (q != s && a->ready[q] && a->queue_priority[q] > a->queue_priority[s])
            w->better = 0;
        if (q != s && a->ready[q] && a->queue_priority[q] == a->queue_priority[s])
            w->equal = 0;
        w->ready[1][q]    = w->ready[0][q];
        w->priority[1][q] = w->priority[0][q];
        w->ready[0][q]    = a->ready[q];
        w->priority[0][q] = a->queue_priority[q];
    }
}

bool turns_step(turn_watch *w, const totem_machine *model, const totem_machine_out *out, int pipe, char *message,
                size_t room)
{
    const totem_arbiter_out *a     = &out->fe[pipe / TOTEM_PIPES].pipe[pipe % TOTEM_PIPES].front.arbiter;
    const char              *fault = NULL;
    if (a->go)
        fault = judge_choice(w, a);
    else if (a->selected_valid)
        fault = judge_leave(w, &model->host, a);
    if (fault)
        snprintf(message, room, "pipe %d queue %d, %llu clocks of its turn: %s", pipe, a->selected,
                 (unsigned long long)w->clocks, fault);
    look(w, model, out, pipe);
    return !fault;
}
