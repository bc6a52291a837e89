// SPDX-License-Identifier: Apache-2.0
//
// trace: see trace.h.
#include "trace.h"

#include "run.h"
#include "trace_list.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { PIPES = 12, QUEUES = 8, ENGINES = 4, SLOTS = 64, SETS = 16 };

// What is open on a track; name NULL: nothing.
typedef struct {
    const char *name;
    uint64_t    from;
} open_slice;

// A granted work-group: its waves that are not launched yet, and where its dispatch began.
typedef struct {
    uint32_t    pipe, queue, waves;
    json_int_t  group[3];
    trace_point dispatch;
} grant;

typedef struct {
    open_slice  mapped, state;
    trace_point doorbell, dispatch, wave; // last ones; process 0: none. Of the wave: the last one that ended
} queue_track;

struct totem_trace {
    trace_list  list;
    uint64_t    clock;
    open_slice  turn[PIPES], dispatch[PIPES];
    uint64_t    packet[PIPES]; // its first clock
    queue_track queue[PIPES][QUEUES];
    open_slice  wave[ENGINES][SLOTS], lacks[ENGINES][PIPES], set[ENGINES][SETS];
    uint32_t    used[ENGINES];
    grant      *grants[ENGINES];
    size_t      grants_count[ENGINES], grants_room[ENGINES];
};

totem_trace *totem_trace_open(void)
{
    return calloc(1, sizeof(totem_trace));
}

static json_int_t of(const json_t *event, const char *key)
{
    return json_integer_value(json_object_get(event, key));
}

static trace_point point(uint32_t process, uint32_t thread, uint64_t clock)
{
    return (trace_point){process, thread, clock};
}

static void close_slice(totem_trace *t, open_slice *o, uint32_t process, uint32_t thread, uint64_t to, int depth,
                        const char *category)
{
    if (o->name)
        trace_slice(&t->list, point(process, thread, o->from), to, depth, category, o->name);
    o->name = NULL;
}

static void open_at(open_slice *o, const char *name, uint64_t clock)
{
    *o = (open_slice){name, clock};
}

static void instant(totem_trace *t, uint32_t pipe, uint32_t queue, const char *name)
{
    trace_add(&t->list,
              (trace_entry){.at = point(TRACE_QUEUES, 8 * pipe + queue, t->clock), .phase = 'i', .name = name});
}

// ---- pipes and queues

static void state(totem_trace *t, uint32_t pipe, uint32_t queue, const char *reason)
{
    queue_track   *q      = &t->queue[pipe][queue];
    const uint32_t thread = 8 * pipe + queue;
    close_slice(t, &q->state, TRACE_QUEUES, thread, t->clock, 1, "state");
    if (!reason || strcmp(reason, "unmapped") == 0) {
        close_slice(t, &q->mapped, TRACE_QUEUES, thread, t->clock, 0, "mapped");
        return;
    }
    if (!q->mapped.name)
        open_at(&q->mapped, "mapped", t->clock);
    open_at(&q->state, trace_name(&t->list, reason), t->clock);
}

static void dispatch(totem_trace *t, uint32_t pipe, uint32_t queue, const char *name)
{
    queue_track   *q  = &t->queue[pipe][queue];
    const uint64_t at = t->clock > t->packet[pipe] ? t->clock : t->packet[pipe];
    open_at(&t->dispatch[pipe], name, at);
    q->dispatch = point(TRACE_PIPES, pipe, at);
    if (q->doorbell.process)
        trace_flow(&t->list, q->doorbell, q->dispatch, "doorbell");
}

static void end_dispatch(totem_trace *t, uint32_t pipe, uint64_t to)
{
    open_slice *o = &t->dispatch[pipe];
    close_slice(t, o, TRACE_PIPES, pipe, to, 2, o->name && strcmp(o->name, "task") == 0 ? "task" : "dispatch");
}

static void executed(totem_trace *t, uint32_t pipe, const char *packet)
{
    end_dispatch(t, pipe, t->clock + 1);
    trace_slice(&t->list, point(TRACE_PIPES, pipe, t->packet[pipe]), t->clock + 1, 1, "packet",
                packet ? trace_name(&t->list, packet) : "task");
    t->packet[pipe] = t->clock + 1;
}

static void selected(totem_trace *t, uint32_t pipe, uint32_t queue)
{
    char text[40];
    snprintf(text, sizeof text, pipe < 8 ? "queue %u.%u" : "ring %u", pipe < 8 ? pipe : pipe - 8, queue);
    open_at(&t->turn[pipe], trace_name(&t->list, text), t->clock);
    t->packet[pipe] = t->clock;
}

static void left(totem_trace *t, uint32_t pipe, uint64_t to, uint64_t condition)
{
    end_dispatch(t, pipe, to);
    if (t->turn[pipe].name)
        trace_add(&t->list, (trace_entry){.at       = point(TRACE_PIPES, pipe, t->turn[pipe].from),
                                          .clocks   = to - t->turn[pipe].from,
                                          .phase    = 'X',
                                          .category = "turn",
                                          .name     = t->turn[pipe].name,
                                          .key      = condition ? "condition" : NULL,
                                          .value    = condition});
    t->turn[pipe].name = NULL;
}

// A doorbell or a fence: a slice of one clock, so that a flow can begin or end there.
static trace_point mark(totem_trace *t, uint32_t pipe, uint32_t queue, int depth, const char *name)
{
    const trace_point at = point(TRACE_QUEUES, 8 * pipe + queue, t->clock);
    trace_slice(&t->list, at, t->clock + 1, depth, name, name);
    return at;
}

static void fence(totem_trace *t, uint32_t pipe, uint32_t queue)
{
    queue_track      *q  = &t->queue[pipe][queue];
    const trace_point at = mark(t, pipe, queue, 3, "fence");
    if (q->wave.process)
        trace_flow(&t->list, q->wave, at, "fence");
    q->wave.process = 0;
}

// ---- engines

static void count_slots(totem_trace *t, uint32_t engine)
{
    trace_add(&t->list, (trace_entry){.at    = point(TRACE_ENGINES + engine, 0, t->clock),
                                      .phase = 'C',
                                      .name  = "wave slots",
                                      .value = t->used[engine]});
}

static void granted(totem_trace *t, const json_t *event, uint32_t engine, uint32_t pipe, uint32_t queue)
{
    // Waves of a draw come from no dispatch.
    const char *kind = json_string_value(json_object_get(event, "kind"));
    if (!kind || strcmp(kind, "compute") != 0)
        return;
    if (t->grants_count[engine] == t->grants_room[engine]) {
        const size_t room = 2 * t->grants_room[engine] + 64;
        grant       *more = realloc(t->grants[engine], room * sizeof *more);
        if (!more) {
            t->list.short_of_memory = true;
            return;
        }
        t->grants[engine]      = more;
        t->grants_room[engine] = room;
    }
    grant *g = &t->grants[engine][t->grants_count[engine]++];
    *g       = (grant){pipe, queue, (uint32_t)of(event, "waves"), {0}, t->queue[pipe][queue].dispatch};
    for (size_t n = 0; n < 3; n++)
        g->group[n] = json_integer_value(json_array_get(json_object_get(event, "group"), n));
}

// The grant that this wave belongs to gives one away.
static trace_point taken(totem_trace *t, const json_t *event, uint32_t engine, uint32_t pipe, uint32_t queue)
{
    trace_point   dispatch = {0};
    const json_t *group    = json_object_get(event, "group");
    for (size_t n = 0; n < t->grants_count[engine]; n++) {
        grant *g    = &t->grants[engine][n];
        bool   same = g->pipe == pipe && g->queue == queue;
        for (size_t k = 0; k < 3; k++)
            same = same && g->group[k] == json_integer_value(json_array_get(group, k));
        if (!same)
            continue;
        dispatch = g->dispatch;
        if (--g->waves == 0)
            memmove(g, g + 1, (--t->grants_count[engine] - n) * sizeof *g);
        break;
    }
    return dispatch;
}

static void launched(totem_trace *t, const json_t *event, uint32_t engine, uint32_t pipe, uint32_t queue)
{
    char              text[60];
    const char       *kind = json_string_value(json_object_get(event, "kind"));
    const uint32_t    slot = (uint32_t)of(event, "slot") % SLOTS;
    const bool        any  = kind && strcmp(kind, "compute") == 0;
    const trace_point from = any ? taken(t, event, engine, pipe, queue) : (trace_point){0};
    snprintf(text, sizeof text, pipe < 8 ? "%s %u.%u" : "%s ring %u", kind ? kind : "?", pipe < 8 ? pipe : pipe - 8,
             queue);
    open_at(&t->wave[engine][slot], trace_name(&t->list, text), t->clock);
    t->used[engine]++;
    count_slots(t, engine);
    if (from.process)
        trace_flow(&t->list, from, point(TRACE_ENGINES + engine, slot, t->clock), "wave");
}

static void done(totem_trace *t, const json_t *event, uint32_t engine, uint32_t pipe, uint32_t queue)
{
    const uint32_t slot        = (uint32_t)of(event, "slot") % SLOTS;
    t->queue[pipe][queue].wave = point(TRACE_ENGINES + engine, slot, t->wave[engine][slot].from);
    close_slice(t, &t->wave[engine][slot], TRACE_ENGINES + engine, slot, t->clock, 0, "wave");
    t->used[engine]--;
    count_slots(t, engine);
}

static void lacks(totem_trace *t, const json_t *event, uint32_t engine, uint32_t pipe)
{
    char          text[80] = "lacks";
    const json_t *what     = json_object_get(event, "what");
    for (size_t n = 0; n < json_array_size(what); n++) {
        const size_t used = strlen(text);
        snprintf(text + used, sizeof text - used, " %s", json_string_value(json_array_get(what, n)));
    }
    open_at(&t->lacks[engine][pipe], trace_name(&t->list, text), t->clock);
}

// ---- context sets

static void sets(totem_trace *t, const json_t *event, uint32_t ring)
{
    const json_t *list = json_object_get(event, "sets");
    for (size_t n = 0; n < json_array_size(list) && n < SETS; n++) {
        const json_t *set  = json_array_get(list, n);
        const char   *name = (json_int_t)n == of(event, "current")           ? "current"
                             : of(set, "uses")                               ? "used by draws"
                             : json_is_true(json_object_get(set, "pending")) ? "done event pending"
                                                                             : NULL;
        open_slice   *o    = &t->set[ring][n];
        if (o->name == name)
            continue;
        close_slice(t, o, TRACE_SETS + ring, (uint32_t)n, t->clock, 0, "set");
        open_at(o, name, t->clock);
    }
}

// ---- events

void totem_trace_event(totem_trace *t, json_t *event)
{
    const char    *name   = json_string_value(json_object_get(event, "event"));
    const uint32_t pipe   = (uint32_t)of(event, "pipe") % PIPES;
    const uint32_t queue  = (uint32_t)of(event, "queue") % QUEUES;
    const uint32_t engine = (uint32_t)of(event, "engine") % ENGINES;
    t->clock              = (uint64_t)of(event, "clock");
#define IS(text) (strcmp(name, text) == 0)
    if (IS("state"))
        state(t, pipe, queue, json_string_value(json_object_get(event, "reason")));
    else if (IS("doorbell"))
        t->queue[pipe][queue].doorbell = mark(t, pipe, queue, 2, "doorbell");
    else if (IS("selected"))
        selected(t, pipe, queue);
    else if (IS("dispatch"))
        dispatch(t, pipe, queue, json_is_true(json_object_get(event, "resumed")) ? "resumed" : "dispatch");
    else if (IS("task") && strcmp(json_string_value(json_object_get(event, "step")), "started") == 0)
        dispatch(t, pipe, queue, "task");
    else if (IS("executed"))
        executed(t, pipe, json_string_value(json_object_get(event, "packet")));
    else if (IS("left"))
        left(t, pipe, t->clock + 1, (uint64_t)of(event, "condition"));
    else if (IS("fence"))
        fence(t, pipe, queue);
    else if (IS("interrupt"))
        instant(t, pipe, queue, "interrupt");
    else if (IS("error") && json_object_get(event, "pipe"))
        instant(t, pipe, queue, trace_name(&t->list, json_string_value(json_object_get(event, "error"))));
    else if (IS("granted"))
        granted(t, event, engine, pipe, queue);
    else if (IS("launched"))
        launched(t, event, engine, pipe, queue);
    else if (IS("done"))
        done(t, event, engine, pipe, queue);
    else if (IS("lacks"))
        lacks(t, event, engine, pipe);
    else if (IS("fits"))
        close_slice(t, &t->lacks[engine][pipe], TRACE_ENGINES + engine, TRACE_HEADS + pipe, t->clock, 0, "lacks");
    else if (IS("sets"))
        sets(t, event, (pipe - 8) % ENGINES);
#undef IS
}

bool totem_trace_close(totem_trace *t, uint64_t clock, const char *path)
{
    t->clock = clock;
    for (uint32_t pipe = 0; pipe < PIPES; pipe++) {
        left(t, pipe, clock, 0);
        for (uint32_t queue = 0; queue < QUEUES; queue++)
            state(t, pipe, queue, NULL);
    }
    for (uint32_t e = 0; e < ENGINES; e++) {
        for (uint32_t n = 0; n < SLOTS; n++)
            close_slice(t, &t->wave[e][n], TRACE_ENGINES + e, n, clock, 0, "wave");
        for (uint32_t n = 0; n < PIPES; n++)
            close_slice(t, &t->lacks[e][n], TRACE_ENGINES + e, TRACE_HEADS + n, clock, 0, "lacks");
        for (uint32_t n = 0; n < SETS; n++)
            close_slice(t, &t->set[e][n], TRACE_SETS + e, n, clock, 0, "set");
        free(t->grants[e]);
    }
    const bool good = trace_write(&t->list, path);
    free(t);
    return good;
}
