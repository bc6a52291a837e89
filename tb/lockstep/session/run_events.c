// SPDX-License-Identifier: Apache-2.0
//
// run_events: see run_events.h. Jansson writes the lines, as everything that is JSON here.

#include "run_events.h"

#include "../../../cmodel/packet/totem_pm4.h"
#include "../../../cmodel/tool/pm4_context.h"
#include "../../../cmodel/tool/pm4_decode.h"
#include "../../../cmodel/top/totem_offers.h"
#include "../../totem/run_summary.h"
#include "../../totem/trace.h"
#include "ring.h"
#include "run_blocked.h"
#include "run_entries.h"

#include <inttypes.h>
#include <jansson.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct run_events {
    FILE            *file;  // NULL: none is written
    totem_trace     *trace; // likewise
    bool             bad;
    uint64_t         errors;                            // written so far
    uint8_t          reason[WAITS_PIPES][TOTEM_QUEUES]; // REASON of every queue, as told last
    uint32_t         wptr[WAITS_PIPES][TOTEM_QUEUES];   // of the clock before, as what follows
    bool             mapped[WAITS_PIPES][TOTEM_QUEUES], ready[WAITS_PIPES][TOTEM_QUEUES];
    bool             lacks[TOTEM_SE_COUNT][TOTEM_PIPE_COUNT];
    totem_issue_in   heads[TOTEM_SE_COUNT];
    totem_issue_out  free[TOTEM_SE_COUNT];
    totem_launch_out waves[TOTEM_SE_COUNT][TOTEM_SLOTS]; // as they were launched
#if TOTEM_TASKS
    uint32_t own[TOTEM_FE_COUNT][TOTEM_ENTRIES]; // pointer of the descriptor of each entry
    uint64_t over[TOTEM_FE_COUNT];               // bit x: queue x has a task whose releases are acknowledged
    uint64_t early[TOTEM_FE_COUNT];              // bit x: its next task waits for its parent
#endif
#if TOTEM_GRAPHICS
    json_t  *sets[TOTEM_FE_COUNT];  // members of the last event of its name
    uint64_t asked[TOTEM_FE_COUNT]; // what fetch asked for in the clock before, + 1; 0: nothing
#endif
};

run_events *run_events_open(const char *path, bool trace)
{
    run_events *e = calloc(1, sizeof *e);
    if (!e)
        return NULL;
    memset(e->reason, TOTEM_REASON_UNMAPPED, sizeof e->reason);
    e->file  = path ? fopen(path, "w") : NULL;
    e->trace = trace ? totem_trace_open() : NULL;
    e->bad   = (path && !e->file) || (trace && !e->trace);
    return e;
}

bool run_events_close(run_events *e, uint64_t clock, const char *trace)
{
#if TOTEM_GRAPHICS
    for (int f = 0; f < TOTEM_FE_COUNT; f++)
        json_decref(e->sets[f]);
#endif
    bool good = !e->file || fclose(e->file) == 0;
    good      = good && (!e->trace || totem_trace_close(e->trace, clock, trace)) && !e->bad;
    free(e);
    return good;
}

// One line: clock and event, then the members of `more`, which it takes.
static void line(run_events *e, uint64_t clock, const char *name, json_t *more)
{
    json_t *object = json_pack("{s:I, s:s}", "clock", (json_int_t)clock, "event", name);
    if (!object || !more || json_object_update(object, more) ||
        (e->file && (json_dumpf(object, e->file, JSON_COMPACT | JSON_PRESERVE_ORDER) || putc('\n', e->file) == EOF)))
        e->bad = true;
    else if (e->trace)
        totem_trace_event(e->trace, object);
    json_decref(object);
    json_decref(more);
}

static json_t *queue_of(int pipe, int queue)
{
    return json_pack("{s:i, s:i}", "pipe", pipe, "queue", queue);
}

static json_t *group_of(int engine, int pipe, int queue, uint64_t group)
{
    return json_pack("{s:i, s:i, s:i, s:[I,I,I]}", "engine", engine, "pipe", pipe, "queue", queue, "group",
                     (json_int_t)(group & 0xffffffffu), (json_int_t)(group >> 32 & 0xffff), (json_int_t)(group >> 48));
}

static json_t *with(json_t *object, const char *name, json_int_t value)
{
    json_object_set_new(object, name, json_integer(value));
    return object;
}

static void executed(run_events *e, uint64_t clock, int pipe, int queue, uint8_t opcode, bool in_vain)
{
    const char *name   = totem_pm4_opcode_name(opcode);
    json_t     *object = with(queue_of(pipe, queue), "opcode", opcode);
    if (name)
        json_object_set_new(object, "packet", json_string(name));
    if (in_vain)
        json_object_set_new(object, "in_vain", json_true());
    line(e, clock, "executed", object);
}

static void answered(run_events *e, uint64_t clock, const char *name, int pipe, int queue, const totem_memory_out *m)
{
    static const char *const answers[] = {"ok", "SLVERR", "DECERR", "timeout"};
    json_t                  *object    = with(queue_of(pipe, queue), "address", (json_int_t)m->ack_addr);
    json_object_set_new(object, "answer", json_string(answers[m->ack_error & 3]));
    line(e, clock, name, object);
}

// What has happened to a queue since the clock before: it is mapped, has another write pointer, is ready, and does
// something else.
static void queue_clock(run_events *e, const session *s, const run_waits *w, int pipe, int q, bool mapped,
                        uint32_t wptr, bool ready)
{
    if (mapped && !e->mapped[pipe][q])
        line(e, w->clock, "mapped", queue_of(pipe, q));
    else if (mapped && wptr != e->wptr[pipe][q])
        line(e, w->clock, "doorbell", with(queue_of(pipe, q), "wptr", wptr));
    if (ready && !e->ready[pipe][q])
        line(e, w->clock, "ready", queue_of(pipe, q));
    if (w->reason[pipe][q] != e->reason[pipe][q]) {
        json_t *object = queue_of(pipe, q);
        json_object_set_new(object, "reason", json_string(totem_reason_name(w->reason[pipe][q])));
        totem_run_blocked wait;
        if ((w->reason[pipe][q] == TOTEM_REASON_WAIT || w->reason[pipe][q] == TOTEM_REASON_POLLS) &&
            run_blocked_wait(s, pipe, (unsigned)q, &wait))
            json_object_set_new(object, "for",
                                json_pack("{s:s, s:I, s:s, s:o, s:o}", "of", wait.wait_memory ? "memory" : "register",
                                          "address", (json_int_t)wait.wait_address, "function", wait.wait_function,
                                          "reference", totem_wide_json(wait.wait_wanted), "mask",
                                          totem_wide_json(wait.wait_mask)));
        line(e, w->clock, "state", object);
    }
    e->mapped[pipe][q] = mapped;
    e->wptr[pipe][q]   = wptr;
    e->ready[pipe][q]  = ready;
    e->reason[pipe][q] = w->reason[pipe][q];
}

static json_t *started(int pipe, int queue, bool resumed)
{
    json_t *object = queue_of(pipe, queue);
    json_object_set_new(object, "resumed", json_boolean(resumed));
    return object;
}

static void pipe_clock(run_events *e, const totem_machine_out *o, int pipe, uint64_t clock, unsigned condition)
{
    const totem_front_out  *p     = &o->fe[pipe / TOTEM_PIPES].pipe[pipe % TOTEM_PIPES].front;
    const totem_memory_out *m     = &o->fe[pipe / TOTEM_PIPES].memory;
    const int               queue = p->arbiter.selected;
    if (p->arbiter.go)
        line(e, clock, "selected", queue_of(pipe, queue));
    if (p->execute.executed)
        executed(e, clock, pipe, queue, p->execute.executed_opcode, p->execute.unsuccessful);
    if (p->execute.start)
        line(e, clock, "dispatch", started(pipe, queue, p->execute.start_resume));
    if (condition)
        line(e, clock, "left", with(queue_of(pipe, queue), "condition", condition));
    if (m->ack_valid && m->ack_target == TOTEM_WRITER_FENCE(pipe % TOTEM_PIPES))
        answered(e, clock, "fence", pipe, m->ack_tag & 7, m);
    if (totem_offers_interrupt(p) && o->events.interrupt_ready[pipe])
        line(e, clock, "interrupt", queue_of(pipe, (int)(totem_offers_interrupt_word(p) >> 32 & 7)));
}

#if TOTEM_TASKS
// `x`: queue of the front end.
static void task(run_events *e, uint64_t clock, int f, unsigned x, const char *step, uint32_t pointer)
{
    json_t *object = queue_of(f * TOTEM_PIPES + (int)(x / TOTEM_QUEUES), (int)(x % TOTEM_QUEUES));
    json_object_set_new(object, "step", json_string(step));
    line(e, clock, "task", with(object, "address", (json_int_t)pointer << 8));
}

static void tasks_clock(run_events *e, const totem_fe *state, const totem_fe_out *p, int f, uint64_t clock)
{
    uint32_t *own = e->own[f];
    for (unsigned n = 0; n < TOTEM_PIPES; n++) {
        const totem_runner_out *r = &p->pipe[n].runner;
        const unsigned          x = n * TOTEM_QUEUES + r->task_queue;
        if (p->tasks.launch_done[n] && !p->tasks.launch_again && !p->tasks.launch_code)
            task(e, clock, f, n * TOTEM_QUEUES + r->launch_queue, "launched", r->launch_pointer);
        if (r->taken)
            task(e, clock, f, x, "started", own[p->tasks.entry[x]]);
        if (r->granted)
            task(e, clock, f, x, "granted", own[p->tasks.entry[x]]);
        if (p->pipe[n].front.fence.task_valid && p->finish.fence_ready[n])
            task(e, clock, f, n * TOTEM_QUEUES + p->pipe[n].front.fence.task_queue, "ended",
                 own[p->pipe[n].front.fence.task_entry]);
    }
    if (p->tasks.pointer_write_enable) {
        own[p->tasks.pointer_write_addr] = (uint32_t)p->tasks.pointer_write_data;
        task(e, clock, f, state->tasks.queue, "loaded", own[p->tasks.pointer_write_addr]);
    }
    if (p->finish_write_ack.mine[0])
        answered(e, clock, "release", f * TOTEM_PIPES + p->memory.ack_tag / TOTEM_QUEUES,
                 p->memory.ack_tag % TOTEM_QUEUES, &p->memory);
    const uint64_t over = p->finish.over_valid ? UINT64_C(1) << p->finish.over_queue : 0;
    if (over & ~e->over[f])
        task(e, clock, f, p->finish.over_queue, "over", own[p->finish.over_entry]);
    e->over[f] = p->tasks.over_ready ? 0 : over;
    for (unsigned x = 0; x < TOTEM_PIPES * TOTEM_QUEUES; x++) {
        const uint64_t bit = UINT64_C(1) << x;
        if (e->early[f] & bit && p->tasks.pending[x])
            task(e, clock, f, x, "inserted", own[p->tasks.entry[x]]);
        e->early[f] = (e->early[f] & ~bit) | (state->tasks.early[x] ? bit : 0);
    }
    const bool     push = p->tasks.list_op == LISTS_PUSH_HEAD || p->tasks.list_op == LISTS_PUSH_TAIL;
    const unsigned y    = state->tasks.queue;
    // A next task that gives up its place goes back to its list: it was inserted before.
    if (p->tasks.list_valid && p->lists.request_ready && push &&
        !(state->tasks.next[y] && state->tasks.entry[y] == p->tasks.list_entry))
        task(e, clock, f, y, "inserted", own[p->tasks.list_entry]);
    if (p->tasks.report_write_enable)
        task(e, clock, f, p->tasks.report_write_addr, "reported", (uint32_t)(p->tasks.report_write_data >> 32));
}
#endif

#if TOTEM_GRAPHICS
// Of the registers of the current set; what is not copied yet lies in the frame before (docs/contract/frames.md).
static uint64_t digest(const totem_fe *fe, uint32_t set)
{
    enum { ROWS = TOTEM_REGISTERS / TOTEM_BANKS };
    const totem_frames *s     = &fe->graphics_pipe.graphics_frames;
    const uint32_t      frame = s->frame[set];
    uint32_t            value[TOTEM_CONTEXT_REGISTERS];
    for (uint32_t x = 0; x < TOTEM_CONTEXT_REGISTERS; x++) {
        const uint32_t bank = x % TOTEM_BANKS, row = x / TOTEM_BANKS;
        const bool     late = s->copying && s->copy_target == frame && row >= s->copy_done[bank];
        value[x] = fe->graphics_pipe.graphics_frame_ram[bank].data[(late ? s->copy_source : frame) * ROWS + row];
    }
    return totem_context_digest(value);
}

// Which set is current, what every set is, and the copy that runs: when one of these is not as it was.
static void sets(run_events *e, const totem_fe *fe, int f, uint64_t clock)
{
    const totem_context *c    = &fe->graphics_pipe.graphics_context;
    const totem_frames  *s    = &fe->graphics_pipe.graphics_frames;
    json_t              *list = json_array(), *object = queue_of(RING_PIPE + f, 0);
    for (uint32_t n = 0; n < TOTEM_SETS; n++) {
        json_t *set = json_pack("{s:i, s:i, s:b}", "frame", s->frame[n], "uses", c->uses[n], "pending", c->pending[n]);
        char    text[20];
        snprintf(text, sizeof text, "%08" PRIx32 "%08" PRIx32, c->tag_high[n], c->tag_low[n]);
        if (c->tagged[n])
            json_object_set_new(set, "tag", json_string(text));
        json_array_append_new(list, set);
    }
    with(object, "current", c->current);
    json_object_set_new(object, "sets", list);
    if (s->copying) {
        with(object, "copy_source", s->copy_source);
        with(object, "copy_target", s->copy_target);
    }
    if (e->sets[f] && json_equal(e->sets[f], object)) {
        json_decref(object);
        return;
    }
    json_decref(e->sets[f]);
    e->sets[f] = json_deep_copy(object);
    line(e, clock, "sets", object);
}

// A lookup of a CONTEXT_BOUNCE; a roll; a burst that the ring's fetch begins to ask for.
static void context(run_events *e, const totem_fe_out *p, int f, uint64_t clock)
{
    static const char *const        answers[] = {"hit", "miss", "plain", "refused"};
    const totem_context_out        *c         = &p->graphics_pipe.graphics_context;
    const totem_graphics_fetch_out *r         = &p->graphics_pipe.front.fetch;
    const int                       ring      = RING_PIPE + f;
    if (c->answer_valid) {
        json_t *object = with(queue_of(ring, 0), "set", c->current);
        json_object_set_new(object, "answer", json_string(answers[c->answer & 3]));
        line(e, clock, "lookup", object);
    }
    if ((c->roll_want || p->graphics_pipe.graphics_frames.roll_want) && c->roll_free &&
        p->graphics_pipe.graphics_frames.roll_room)
        line(e, clock, "roll", with(queue_of(ring, 0), "set", c->roll_set));
    if (r->read_valid && e->asked[f] != r->read_addr + 1)
        line(e, clock, "fetch",
             with(with(queue_of(ring, 0), "address", (json_int_t)r->read_addr), "bytes", 8 * r->read_beats));
    e->asked[f] = r->read_valid ? r->read_addr + 1 : 0;
}

static void ring_clock(run_events *e, const totem_fe *state, const totem_machine_out *o, int f, uint64_t clock,
                       unsigned condition)
{
    const totem_fe_out     *p    = &o->fe[f];
    const totem_memory_out *m    = &p->memory;
    const int               ring = RING_PIPE + f;
    sets(e, state, f, clock);
    context(e, p, f, clock);
    if (p->graphics_pipe.front.arbiter.go)
        line(e, clock, "selected", queue_of(ring, 0));
    if (p->graphics_pipe.front.execute.executed)
        executed(e, clock, ring, 0, p->graphics_pipe.front.execute.executed_opcode,
                 p->graphics_pipe.front.execute.unsuccessful);
    if (p->graphics_pipe.front.execute.start)
        line(e, clock, "dispatch", started(ring, 0, p->graphics_pipe.front.execute.start_resume));
    if (condition)
        line(e, clock, "left", with(queue_of(ring, 0), "condition", condition));
    if (p->graphics_pipe.graphics_render.draw_valid && p->graphics_pipe.graphics_context.draw_ready) {
        const uint32_t set = p->graphics_pipe.graphics_context.current;
        char           text[20];
        snprintf(text, sizeof text, "%016" PRIx64, digest(state, set));
        json_t *object = with(queue_of(ring, 0), "set", set);
        json_object_set_new(object, "digest", json_string(text));
        line(e, clock, "draw", object);
    }
    if (m->ack_valid && m->ack_target == TOTEM_WRITER_GRAPHICS_FENCE)
        answered(e, clock, "fence", ring, 0, m);
    if (o->events.graphics_interrupt_ready[f] &&
        (p->graphics_pipe.front.fence.interrupt_valid || p->graphics_pipe.front.mqd.interrupt_valid))
        line(e, clock, "interrupt", queue_of(ring, 0));
}
#endif

static const char *const kinds[] = {"compute", "geometry", "pixel", "?"};

// What is not compute has a context set.
static json_t *of_kind(json_t *object, unsigned kind, unsigned set)
{
    json_object_set_new(object, "kind", json_string(kinds[kind & 3]));
    return kind ? with(object, "set", set) : object;
}

static void engine_clock(run_events *e, const totem_machine_out *o, int engine, uint64_t clock)
{
    const totem_issue_out  *g = &o->se[engine].issue;
    const totem_launch_out *l = &o->se[engine].launch;
    const totem_wave_out   *w = &o->wave[engine];
    if (w->done_valid) {
        const totem_launch_out *d = &e->waves[engine][w->done_slot];
        line(e, clock, "done",
             of_kind(
                 with(with(group_of(engine, ring_pipe(d->launch_fe, d->launch_pipe), d->launch_queue, d->launch_group),
                           "wave", d->launch_index),
                      "slot", w->done_slot),
                 d->launch_kind, d->launch_set));
    }
    if (g->grant_valid)
        line(e, clock, "granted",
             of_kind(with(group_of(engine, ring_pipe(g->grant_fe, g->grant_pipe), g->grant_queue, g->grant_group),
                          "waves", g->grant_waves),
                     g->grant_kind, g->grant_set));
    if (l->launch_valid && w->launch_ready) {
        e->waves[engine][l->launch_slot] = *l;
        line(e, clock, "launched",
             of_kind(with(with(with(group_of(engine, ring_pipe(l->launch_fe, l->launch_pipe), l->launch_queue,
                                             l->launch_group),
                                    "wave", l->launch_index),
                               "slot", l->launch_slot),
                          "threads", l->launch_threads),
                     l->launch_kind, l->launch_set));
    }
}

// Heads that begin to lack the engine, and those that do no longer: `lacks` is of the clock before, and of its head.
static void heads_clock(run_events *e, const totem_machine_out *o, int engine, uint64_t clock)
{
    const totem_issue_out *g    = &o->se[engine].issue;
    const totem_issue_in  *head = &e->heads[engine];
    const totem_issue_out *free = &e->free[engine];
    for (int n = 0; n < TOTEM_PIPE_COUNT; n++) {
        if (g->lacks[n] && !e->lacks[engine][n]) {
            json_t *object = group_of(engine, n, head->head_queue[n], head->head_group[n]);
            json_t *what   = json_array();
            if (head->head_waves[n] > free->free_slots)
                json_array_append_new(what, json_string("slots"));
            if (head->head_total[n] > free->free_vgprs_left)
                json_array_append_new(what, json_string("vgprs"));
            if (head->head_lds[n] > free->free_lds_left)
                json_array_append_new(what, json_string("lds"));
            if (json_array_size(what) == 0)
                json_array_append_new(what, json_string("hold"));
            json_object_set_new(object, "what", what);
            line(e, clock, "lacks", with(object, "waves", head->head_waves[n]));
        } else if (!g->lacks[n] && e->lacks[engine][n])
            line(e, clock, "fits", json_pack("{s:i, s:i}", "engine", engine, "pipe", n));
        e->lacks[engine][n] = g->lacks[n];
    }
    e->free[engine] = *g;
    totem_wire_issue(o, NULL, engine, &e->heads[engine]);
}

// Of pipe `pipe`, in which these `front` are.
#define QUEUES_OF(front, queues)       \
    for (int q = 0; q < (queues); q++) \
    queue_clock(e, s, w, n, q, (front)->arbiter.active[q], (front)->fetch.wptr[q], (front)->arbiter.ready[q])

// What becomes of a queue of the run list; with its slot, and why it got it, if it moves or is mapped.
static void entry_clock(run_events *e, const session *s)
{
    totem_run_entry x;
    if (!run_entries_clock(s, &x))
        return;
    json_t *object = with(json_object(), "entry", x.entry);
    json_object_set_new(object, "state", json_string(totem_entry_state(&x)));
    if (x.state >= 2) {
        json_object_update_new(object, queue_of((int)x.pipe, (int)x.queue));
        json_object_set_new(object, "reason", json_string(totem_entry_reason(&x)));
    }
    line(e, session_clock(s), "entry", object);
}

void run_events_clock(run_events *e, const session *s, const run_waits *w)
{
    const totem_machine_out *o = session_out(s);
    entry_clock(e, s);
    for (int n = 0; n < TOTEM_PIPE_COUNT; n++) {
        QUEUES_OF(&o->fe[n / TOTEM_PIPES].pipe[n % TOTEM_PIPES].front, TOTEM_QUEUES);
        pipe_clock(e, o, n, session_clock(s), w->condition[n]);
    }
#if TOTEM_TASKS
    for (int f = 0; f < TOTEM_FE_COUNT; f++)
        tasks_clock(e, &session_model(s)->fe[f], &session_out(s)->fe[f], f, session_clock(s));
#endif
#if TOTEM_GRAPHICS
    for (int f = 0; f < TOTEM_FE_COUNT; f++) {
        const int n = RING_PIPE + f;
        QUEUES_OF(&o->fe[f].graphics_pipe.front, 1);
        ring_clock(e, &session_model(s)->fe[f], o, f, session_clock(s), w->condition[n]);
    }
#endif
    for (int n = 0; n < TOTEM_SE_COUNT; n++) {
        engine_clock(e, o, n, session_clock(s));
        heads_clock(e, o, n, session_clock(s));
    }
}

// Of a port of memory: of a front end, or of the cores of an engine.
static void accesses(run_events *e, session *s, int port)
{
    const uint64_t      clock  = session_clock(s) - 1;
    const char         *whose  = port < TOTEM_FE_COUNT ? "front_end" : "engine";
    const int           number = port < TOTEM_FE_COUNT ? port : port - TOTEM_FE_COUNT;
    const memory_read  *r      = memory_asked(session_memory(s), port);
    uint32_t            count;
    const memory_write *w = memory_taken(session_memory(s), port, &count);
    if (r)
        line(e, clock, "read",
             json_pack("{s:i, s:i, s:I, s:i}", whose, number, "requester", (int)r->id, "address",
                       (json_int_t)r->address, "bytes", (int)(8 * r->beats)));
    for (; count-- > 0; w++)
        line(e, clock, "write",
             json_pack("{s:i, s:I, s:i}", whose, number, "address", (json_int_t)w->address, "strobe", (int)w->strobe));
}

void run_events_after(run_events *e, session *s)
{
    for (int port = 0; port < MEMORY_PORTS; port++)
        accesses(e, s, port);
    for (; e->errors < session_count(s).errors; e->errors++) {
        const session_error *error = session_error_at(s, e->errors);
        const char          *name  = totem_error_name(error->code);
        json_t *object = with(with(json_object(), "address", (json_int_t)error->address), "word", error->word);
        if (error->pipe >= 0) // else of the host or of a memory path
            json_object_update_new(object, queue_of(error->pipe, error->queue));
        json_object_set_new(object, "error", json_string(name ? name : "?"));
        line(e, error->clock, "error", object);
    }
}
