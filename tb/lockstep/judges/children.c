// SPDX-License-Identifier: Apache-2.0
//
// children: see children.h.

#include "children.h"

#include "../../../cmodel/host/totem_regs_map.h"
#include "../../../cmodel/packet/totem_pm4.h"
#include "../../../cmodel/queue/totem_hqd_values.h"
#include "../../../cmodel/task/totem_task_values.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

enum { PROGRAMS = 16, SLOTS = TOTEM_PIPE_COUNT * TOTEM_QUEUES, FE_SLOTS = TOTEM_PIPES * TOTEM_QUEUES };
enum { LAUNCH = TOTEM_REG_TASKS_TASK_LAUNCH, SEEN = 16 }; // clocks until a call is answered as its queue then is

// Waves of one program, of one epoch of a queue, at one engine.
typedef struct {
    uint64_t may, must, asked; // launched with a child; ended and not killed; answered
} share;

typedef struct {
    bool    owes, killed;
    uint8_t fe, pipe, queue, epoch, program;
} wave;

struct children {
    const tasks  *tasks;
    uint32_t      child[TOTEM_SE_COUNT][PROGRAMS];
    bool          changed[TOTEM_SE_COUNT][PROGRAMS]; // while a wave of it ran: how many ask is not known
    wave          waves[TOTEM_SE_COUNT][TOTEM_SLOTS];
    share         shares[TOTEM_SE_COUNT][SLOTS][TOTEM_EPOCHS][PROGRAMS];
    uint32_t      pointer[TOTEM_FE_COUNT];                        // TASK_POINTER
    uint64_t      calls[TOTEM_FE_COUNT], answers[TOTEM_FE_COUNT]; // taken; told so
    uint64_t      live_since[SLOTS]; // it is mapped, and does not leave, since then; 0: not now
    uint64_t      free_since[SLOTS]; // it can take a task since then; 0: not now
    children_sums sums;
};

children *children_create(const tasks *t)
{
    children *c = calloc(1, sizeof *c);
    if (c)
        c->tasks = t;
    return c;
}

void children_destroy(children *c)
{
    free(c);
}

children_sums children_sum(const children *c)
{
    return c->sums;
}

#if TOTEM_TASKS
static bool broken(char message[256], uint64_t clock, const char *format, ...) __attribute__((format(printf, 3, 4)));
static bool broken(char message[256], uint64_t clock, const char *format, ...)
{
    va_list   arguments;
    const int used = snprintf(message, 256, "clock %llu: ", (unsigned long long)clock);
    va_start(arguments, format);
    vsnprintf(message + used, 256 - (size_t)used, format, arguments);
    va_end(arguments);
    return false;
}

static uint32_t merged(uint32_t value, const totem_host_out *h)
{
    for (unsigned n = 0; n < 4; n++)
        if (h->request_strobe >> n & 1)
            value = (value & ~(0xffu << 8 * n)) | (h->request_data & 0xffu << 8 * n);
    return value;
}

static share *share_of(children *c, int engine, const wave *w)
{
    return &c->shares[engine][(w->fe * TOTEM_PIPES + w->pipe) * TOTEM_QUEUES + w->queue][w->epoch][w->program];
}

static void follow_table(children *c, const totem_machine_out *out, int e)
{
    const totem_host_out *h = &out->host;
    const uint32_t        n = h->request_dword - (uint32_t)TOTEM_REG_ENGINE_CHILD;
    if (!h->wave_valid[e] || !h->request_write || !out->wave[e].host_done || out->wave[e].host_error || n >= PROGRAMS)
        return;
    c->child[e][n] = merged(c->child[e][n], h);
    for (int slot = 0; slot < TOTEM_SLOTS; slot++)
        c->changed[e][n] = c->changed[e][n] || out->wave[e].occupied[slot];
}

// The request of an engine: of waves that owe one. Its answer.
static bool follow_request(children *c, const totem_machine_out *out, int e, uint64_t clock, char message[256])
{
    const totem_wave_out *o = &out->wave[e];
    if (!o->task_valid)
        return !out->se[e].task_answer.any || broken(message, clock, "engine %d: an answer that nothing asked for", e);
    uint8_t n = 0;
    while (n < PROGRAMS && c->child[e][n] != o->task_pointer && !c->changed[e][n])
        n++;
    const wave w = {
        .fe = o->task_fe, .pipe = o->task_pipe, .queue = o->task_queue, .epoch = o->task_epoch, .program = n};
    if (n == PROGRAMS || w.fe >= TOTEM_FE_COUNT || w.pipe >= TOTEM_PIPES)
        return broken(message, clock, "engine %d: a wave asks for a task 0x%08x that no program has", e,
                      o->task_pointer);
    share *s = share_of(c, e, &w);
    if (!c->changed[e][n] && s->asked >= s->may)
        return broken(message, clock, "engine %d: more requests for a task of program %d than waves of queue %d.%d.%d",
                      e, n, w.fe, w.pipe, w.queue);
    if (!out->se[e].task_answer.any)
        return true;
    s->asked++;
    if (!out->se[e].task_refusal.any) {
        c->sums.waves++;
        c->answers[w.fe]++;
        return true;
    }
    c->sums.waves_refused++;
    const int  slot    = (w.fe * TOTEM_PIPES + w.pipe) * TOTEM_QUEUES + w.queue;
    const bool present = out->fe[w.fe].pipe[w.pipe].front.epoch.present[w.queue] >> w.epoch & 1;
    return !(present && c->free_since[slot] && clock - c->free_since[slot] > SEEN * TOTEM_SE_COUNT) ||
           broken(message, clock, "engine %d: a launch for queue %d.%d.%d is refused, which has no task", e, w.fe,
                  w.pipe, w.queue);
}

static bool follow_waves(children *c, const totem_machine_out *out, int e, uint64_t clock, char message[256])
{
    const totem_launch_out      *l = &out->se[e].launch;
    const totem_engine_kill_out *k = &out->se[e].engine_kill;
    const totem_wave_out        *o = &out->wave[e];
    if (o->done_valid) {
        wave  *w = &c->waves[e][o->done_slot];
        share *s = share_of(c, e, w);
        s->must += w->owes && !w->killed;
        if (w->owes && !c->changed[e][w->program] && s->asked < s->must)
            return broken(message, clock, "engine %d slot %d: a wave of program %d ends without its child task", e,
                          o->done_slot, w->program);
        w->owes = false;
    }
    for (int slot = 0; k->kill_valid && slot < TOTEM_SLOTS; slot++) {
        wave *w   = &c->waves[e][slot];
        w->killed = w->killed || (w->fe == k->kill_fe && w->pipe == k->kill_pipe && w->queue == k->kill_queue &&
                                  k->kill_epochs >> w->epoch & 1);
    }
    if (l->launch_valid && o->launch_ready) {
        const uint8_t program = l->launch_program & (PROGRAMS - 1);
        const bool owes = l->launch_kind == WAVE_COMPUTE && l->launch_pipe < TOTEM_PIPES && c->child[e][program] != 0;
        wave      *w    = &c->waves[e][l->launch_slot];
        *w              = (wave){.owes    = owes,
                                 .fe      = l->launch_fe,
                                 .pipe    = owes ? l->launch_pipe : 0,
                                 .queue   = l->launch_queue,
                                 .epoch   = l->launch_epoch,
                                 .program = program};
        share_of(c, e, w)->may += owes;
    }
    return true;
}

// Calls of a front end are of a wave or of the host.
static bool follow_submit(children *c, const totem_machine_out *out, int f, uint64_t clock, char message[256])
{
    const totem_host_out   *h      = &out->host;
    const totem_submit_out *d      = &out->fe[f].submit;
    const bool              access = h->submit_valid[f] && h->request_write;
    const int               queue  = (int)((h->request_data >> 3 & 1) * TOTEM_QUEUES + (h->request_data & 7));
    if (access && d->host_done && !d->host_error && h->request_dword == TOTEM_REG_TASKS_TASK_POINTER)
        c->pointer[f] = merged(c->pointer[f], h);
    if (out->fe[f].tasks.call_done) {
        bool asked = access && h->request_dword == LAUNCH && c->pointer[f] == d->call_pointer && queue == d->call_queue;
        for (int e = 0; e < TOTEM_SE_COUNT; e++) {
            const totem_wave_out *o = &out->wave[e];
            asked = asked || (o->task_valid && o->task_fe == f && o->task_pointer == d->call_pointer &&
                              o->task_pipe * TOTEM_QUEUES + o->task_queue == d->call_queue);
        }
        c->calls[f] += out->fe[f].tasks.call_answer == CALL_TAKEN;
        if (!asked)
            return broken(message, clock, "front end %d: a launch of task 0x%08x that nobody asked for", f,
                          d->call_pointer);
    }
    if (access && d->host_done && h->request_dword == LAUNCH) {
        const int slot = f * FE_SLOTS + queue;
        c->answers[f] += !d->host_error;
        c->sums.host += !d->host_error;
        c->sums.host_refused += d->host_error != 0;
        const uint64_t since = d->host_error == (TOTEM_ERROR_HOST_TASK_FULL & 31)       ? c->free_since[slot]
                               : d->host_error == (TOTEM_ERROR_HOST_TASK_UNMAPPED & 31) ? c->live_since[slot]
                                                                                        : 0;
        if (since && clock - since > SEEN * TOTEM_SE_COUNT)
            return broken(message, clock, "front end %d: a launch of the host for queue %d is refused without a reason",
                          f, queue);
    }
    return true;
}
#endif

bool children_step(children *c, const totem_machine_out *out, uint64_t clock, char message[256])
{
#if TOTEM_TASKS
    for (int slot = 0; slot < SLOTS; slot++) {
        const totem_pipe_out *p = &out->fe[slot / FE_SLOTS].pipe[slot / TOTEM_QUEUES % TOTEM_PIPES];
        const int             q = slot % TOTEM_QUEUES;
        const totem_task_out *t = &out->fe[slot / FE_SLOTS].tasks;
        // A packet of it that waits for its descriptor has an entry too.
        const bool launches = p->runner.launch_valid && p->runner.launch_queue == q;
        const bool live =
            p->front.hqd.active[q] && p->front.arbiter.active[q] && p->front.hqd.dequeue[q] == DEQUEUE_NONE;
        const bool free     = live && !launches && !t->purging[slot % FE_SLOTS] && !tasks_any(c->tasks, slot);
        c->live_since[slot] = !live ? 0 : c->live_since[slot] ? c->live_since[slot] : clock + 1;
        c->free_since[slot] = !free ? 0 : c->free_since[slot] ? c->free_since[slot] : clock + 1;
    }
    for (int e = 0; e < TOTEM_SE_COUNT; e++) {
        follow_table(c, out, e);
        if (!follow_request(c, out, e, clock, message) || !follow_waves(c, out, e, clock, message))
            return false;
    }
    for (int f = 0; f < TOTEM_FE_COUNT; f++) {
        if (!follow_submit(c, out, f, clock, message))
            return false;
        if (c->calls[f] - c->answers[f] > 1)
            return broken(message, clock, "front end %d: %llu launches were taken, and %llu were told so", f,
                          (unsigned long long)c->calls[f], (unsigned long long)c->answers[f]);
    }
#else
    (void)c, (void)out, (void)clock, (void)message;
#endif
    return true;
}
