// SPDX-License-Identifier: Apache-2.0
//
// run_waits: see run_waits.h.

#include "run_waits.h"

#include "../../../cmodel/host/totem_regs_map.h"

#include <string.h>

// Parts that are read here; the others count only by REASON.
enum { PENDING = 5, VAIN = 13, TASK };

void run_waits_open(run_waits *w)
{
    memset(w, 0, sizeof *w);
    memset(w->reason, TOTEM_REASON_UNMAPPED, sizeof w->reason);
    memset(w->shown, 0xff, sizeof w->shown); // as no machine shows it: all are read in the first clock
}

static bool is_wait(uint8_t reason)
{
    return reason != TOTEM_REASON_RUNNING && reason != TOTEM_REASON_UNMAPPED && reason != TOTEM_REASON_EMPTY &&
           reason != TOTEM_REASON_IDLE;
}

// The clocks since `since` are of the present reason.
static void account_for(run_waits *w, int pipe, unsigned q, uint64_t clock)
{
    totem_run_queue *queue  = &w->queue[pipe][q];
    const uint8_t    reason = w->reason[pipe][q];
    const uint64_t   clocks = clock - w->since[pipe][q];
    queue->clocks[reason] += clocks;
    if (is_wait(reason) && clocks > queue->longest) {
        queue->longest        = clocks;
        queue->longest_reason = reason;
        queue->longest_from   = w->since[pipe][q];
    }
    w->since[pipe][q] = clock;
}

static void change(run_waits *w, int pipe, unsigned q, uint32_t reason)
{
    if (reason == w->reason[pipe][q])
        return;
    account_for(w, pipe, q, w->clock);
    w->reason[pipe][q] = (uint8_t)reason;
}

// Of a queue that has its pipe: does it work?
static uint32_t running(const run_waits *w, int pipe, unsigned q)
{
    const run_waits_shown *now = &w->shown[pipe];
    return now->busy                                     ? TOTEM_REASON_RUNNING
           : w->vain[pipe][q]                            ? TOTEM_REASON_POLLS
           : now->part[PENDING][q] || now->part[TASK][q] ? TOTEM_REASON_RUNNING
                                                         : TOTEM_REASON_IDLE;
}

static void does(run_waits *w, int pipe, unsigned q, uint32_t reason)
{
    if (reason != TOTEM_REASON_RUNNING && reason != TOTEM_REASON_WAITS_TURN && reason != TOTEM_REASON_LINE)
        w->vain[pipe][q] = false;
    change(w, pipe, q, reason == TOTEM_REASON_RUNNING ? running(w, pipe, q) : reason);
}

// Whatever `view` computes REASON from and `running` reads, 1 byte a queue.
#define PART(n, signal) memcpy(now.part[n], signal, sizeof(signal))
#define LOOK(block, out, wire, queues, tasks, grants)                                \
    do {                                                                             \
        if ((out)->execute.executed)                                                 \
            w->vain[pipe][(out)->arbiter.selected] = (out)->execute.unsuccessful;    \
        const uint16_t  own = (uint16_t)((out)->arbiter.selected + 1);               \
        run_waits_shown now = {.selected = (out)->arbiter.selected_valid ? own : 0}; \
        now.busy            = grants;                                                \
        now.ordered         = scheduler_waits(o, pipe, 0);                           \
        PART(0, (out)->hqd.active);                                                  \
        PART(1, (out)->hqd.leaving);                                                 \
        PART(2, (out)->hqd.request);                                                 \
        PART(3, (out)->hqd.killing);                                                 \
        PART(4, (out)->arbiter.ready);                                               \
        PART(PENDING, (out)->fetch.pending);                                         \
        PART(6, (out)->execute.halted);                                              \
        PART(7, (out)->execute.wait_flush);                                          \
        PART(8, (out)->execute.wait_epoch);                                          \
        PART(9, (out)->poll.waiting);                                                \
        PART(10, (out)->epoch.room);                                                 \
        PART(11, (out)->epoch.flushed);                                              \
        PART(12, (out)->mqd.records_differ);                                         \
        PART(VAIN, w->vain[pipe]);                                                   \
        tasks;                                                                       \
        if (memcmp(&now, &w->shown[pipe], sizeof now) == 0)                          \
            break;                                                                   \
        w->shown[pipe] = now;                                                        \
        block##_in  in;                                                              \
        block##_out view;                                                            \
        memset(&in, 0, sizeof in);                                                   \
        wire;                                                                        \
        in.hqd_shown_dword = TOTEM_REG_QUEUE_STATE;                                  \
        for (unsigned q = 0; q < (queues); q++) {                                    \
            in.hqd_shown_queue = (uint8_t)q;                                         \
            block##_outputs(&in, &view);                                             \
            does(w, pipe, q, view.value >> 16 & 15);                                 \
        }                                                                            \
    } while (0)

#define NONE(signal) (memcmp(signal, none, sizeof(signal)) == 0)

// Heads that did not fit one clock ago, as `stats` counts them; here for each queue. Mostly there are none.
static void heads(run_waits *w, const totem_se_out *se)
{
    static const bool      none[TOTEM_PIPE_COUNT];
    const totem_issue_out *g = &se->issue;
    if (!NONE(g->lacks))
        for (int n = 0; n < TOTEM_PIPE_COUNT; n++)
            if (g->lacks[n])
                w->queue[n][se->port[n / TOTEM_PIPES].head_queue[n % TOTEM_PIPES]].lacked++;
    if (!NONE(g->group_lacks) || !NONE(g->geometry_lacks) || !NONE(g->pixel_lacks))
        for (int f = 0; f < RINGS; f++)
            w->queue[RING_PIPE + f][0].lacked +=
                (unsigned)g->group_lacks[f] + (unsigned)g->geometry_lacks[f] + (unsigned)g->pixel_lacks[f];
}

static void engine(run_waits *w, const totem_machine_out *o, int e)
{
    heads(w, &o->se[e]);
    const totem_launch_out *l    = &o->se[e].launch;
    const uint8_t           used = (uint8_t)(TOTEM_SLOTS - o->se[e].issue.free_slots);
    w->slots[e] += used;
    w->most[e] = used > w->most[e] ? used : w->most[e];
    if (l->launch_valid && o->wave[e].launch_ready)
        w->queue[ring_pipe(l->launch_fe, l->launch_pipe)][l->launch_queue].waves++;
}

#if TOTEM_TASKS
#define TASKS_OF(pipe)                                                                                      \
    memcpy(now.part[TASK], &o->fe[(pipe) / TOTEM_PIPES].tasks.pending[(pipe) % TOTEM_PIPES * TOTEM_QUEUES], \
           TOTEM_QUEUES)
#else
#define TASKS_OF(pipe)
#endif

// Why the queue of a pipe leaves. What a packet that gives the pipe up waits for is known a clock later.
#define LEAVES(out)                                                                       \
    do {                                                                                  \
        const unsigned q = w->gives_up[pipe] - 1u, why = w->condition[pipe];              \
        if (w->gives_up[pipe])                                                            \
            w->queue[pipe][q].left[(out)->execute.wait_flush[q]   ? TOTEM_LEFT_FLUSH      \
                                   : (out)->execute.wait_epoch[q] ? TOTEM_LEFT_EPOCH      \
                                   : (out)->execute.wait_entry[q] ? TOTEM_LEFT_ENTRY      \
                                   : (out)->poll.waiting[q]       ? TOTEM_LEFT_WAIT       \
                                                                  : TOTEM_LEFT_GIVES_UP]++;     \
        w->gives_up[pipe] = why == TOTEM_LEFT_GIVES_UP ? (out)->arbiter.selected + 1 : 0; \
        if (why && why != TOTEM_LEFT_GIVES_UP)                                            \
            w->queue[pipe][(out)->arbiter.selected].left[why]++;                          \
    } while (0)

void run_waits_clock(run_waits *w, const session *s)
{
    const totem_machine_out *o = session_out(s);
    if (!session_model(s))
        return;
    w->clock = session_clock(s);
    for (int pipe = 0; pipe < TOTEM_PIPE_COUNT; pipe++) {
        w->condition[pipe] = (uint8_t)run_left_clock(&w->left, s, pipe);
        LEAVES(&o->fe[pipe / TOTEM_PIPES].pipe[pipe % TOTEM_PIPES].front);
        LOOK(totem_view, &o->fe[pipe / TOTEM_PIPES].pipe[pipe % TOTEM_PIPES].front,
             totem_wire_view(o, NULL, pipe / TOTEM_PIPES, pipe % TOTEM_PIPES, &in), TOTEM_QUEUES, TASKS_OF(pipe),
             o->fe[pipe / TOTEM_PIPES].pipe[pipe % TOTEM_PIPES].walker.busy);
    }
#if TOTEM_GRAPHICS
    for (int pipe = RING_PIPE; pipe < RING_PIPE + RINGS; pipe++) {
        w->condition[pipe] = (uint8_t)run_left_ring(s, pipe - RING_PIPE);
        LEAVES(&o->fe[pipe - RING_PIPE].graphics_pipe.front);
        LOOK(totem_graphics_view, &o->fe[pipe - RING_PIPE].graphics_pipe.front,
             totem_wire_graphics_view(o, NULL, pipe - RING_PIPE, &in), 1, ,
             o->fe[pipe - RING_PIPE].graphics_pipe.graphics_walker.busy ||
                 !o->fe[pipe - RING_PIPE].graphics_pipe.graphics_draws.idle);
    }
#endif
    for (int e = 0; e < TOTEM_SE_COUNT; e++)
        engine(w, o, e);
}

void run_waits_end(run_waits *w, totem_run_result *r)
{
    for (int pipe = 0; pipe < WAITS_PIPES; pipe++)
        for (unsigned q = 0; q < TOTEM_QUEUES; q++) {
            totem_run_queue *queue = &w->queue[pipe][q];
            account_for(w, pipe, q, r->cycles);
            if (queue->clocks[TOTEM_REASON_UNMAPPED] == r->cycles && !queue->waves)
                continue;
            queue->pipe                  = (uint32_t)pipe;
            queue->queue                 = q;
            r->queues[r->queues_count++] = *queue;
        }
    for (int e = 0; e < TOTEM_SE_COUNT; e++) {
        r->engines[e].slots     = TOTEM_SLOTS;
        r->engines[e].slots_sum = w->slots[e];
        r->engines[e].slots_max = w->most[e];
    }
}
