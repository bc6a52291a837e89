// SPDX-License-Identifier: Apache-2.0
//
// trace_list: see trace_list.h.
#include "trace_list.h"

#include <jansson.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

const char *trace_name(trace_list *l, const char *text)
{
    for (size_t n = 0; n < l->names_count; n++)
        if (strcmp(l->names[n], text) == 0)
            return l->names[n];
    char **more = realloc(l->names, (l->names_count + 1) * sizeof *more);
    if (more)
        l->names = more;
    char *copy = more ? strdup(text) : NULL;
    if (!copy) {
        l->short_of_memory = true;
        return "?";
    }
    return l->names[l->names_count++] = copy;
}

void trace_add(trace_list *l, trace_entry entry)
{
    if (l->count == l->room) {
        const size_t room = l->room ? 2 * l->room : 4096;
        trace_entry *more = realloc(l->entries, room * sizeof *more);
        if (!more) {
            l->short_of_memory = true;
            return;
        }
        l->entries = more;
        l->room    = room;
    }
    l->entries[l->count++] = entry;
}

void trace_slice(trace_list *l, trace_point from, uint64_t to, int depth, const char *category, const char *name)
{
    trace_add(l, (trace_entry){.at       = from,
                               .clocks   = to - from.clock,
                               .phase    = 'X',
                               .depth    = (uint8_t)depth,
                               .category = category,
                               .name     = name});
}

void trace_flow(trace_list *l, trace_point from, trace_point to, const char *category)
{
    const uint64_t number = ++l->flows;
    trace_add(l, (trace_entry){.at = from, .phase = 's', .value = number, .category = category, .name = category});
    trace_add(l, (trace_entry){.at = to, .phase = 'f', .value = number, .category = category, .name = category});
}

// In the order of clocks; of slices that begin together the outer one first, and slices before the ends of flows.
static int order(const void *left, const void *right)
{
    const trace_entry *a = left, *b = right;
    const bool         flow_a = a->phase == 's' || a->phase == 'f', flow_b = b->phase == 's' || b->phase == 'f';
    if (a->at.clock != b->at.clock)
        return a->at.clock < b->at.clock ? -1 : 1;
    if (flow_a != flow_b)
        return flow_a ? 1 : -1;
    if (a->clocks != b->clocks)
        return a->clocks > b->clocks ? -1 : 1;
    return a->depth - b->depth;
}

static void name_of_process(uint32_t process, char text[40])
{
    if (process >= TRACE_SETS)
        snprintf(text, 40, "context sets of ring %u", process - TRACE_SETS);
    else if (process >= TRACE_ENGINES)
        snprintf(text, 40, "engine %u", process - TRACE_ENGINES);
    else
        snprintf(text, 40, "%s", process == TRACE_PIPES ? "pipes" : "queues");
}

static void name_of_thread(uint32_t process, uint32_t thread, char text[40])
{
    const uint32_t pipe = process == TRACE_QUEUES ? thread / 8 : thread % TRACE_HEADS;
    if (process >= TRACE_SETS)
        snprintf(text, 40, "set %u", thread);
    else if (process >= TRACE_ENGINES && thread < TRACE_HEADS)
        snprintf(text, 40, "slot %u", thread);
    else if (process != TRACE_QUEUES)
        snprintf(text, 40, pipe < 8 ? "pipe %u" : "ring %u", pipe < 8 ? pipe : pipe - 8);
    else if (pipe < 8)
        snprintf(text, 40, "queue %u.%u", pipe, thread % 8);
    else
        snprintf(text, 40, "ring %u", pipe - 8);
}

static json_t *named(const char *what, uint32_t process, uint32_t thread, const char *text)
{
    return json_pack("{s:s, s:s, s:I, s:I, s:{s:s}}", "ph", "M", "name", what, "pid", (json_int_t)process, "tid",
                     (json_int_t)thread, "args", "name", text);
}

static json_t *entry_json(const trace_entry *e)
{
    const char phase[2] = {e->phase, 0};
    json_t *object = json_pack("{s:s, s:s, s:I, s:I, s:I}", "ph", phase, "name", e->name, "ts", (json_int_t)e->at.clock,
                               "pid", (json_int_t)e->at.process, "tid", (json_int_t)e->at.thread);
    if (e->category)
        json_object_set_new(object, "cat", json_string(e->category));
    switch (e->phase) {
    case 'X':
        json_object_set_new(object, "dur", json_integer((json_int_t)e->clocks));
        if (e->key)
            json_object_set_new(object, "args", json_pack("{s:I}", e->key, (json_int_t)e->value));
        break;
    case 'C': json_object_set_new(object, "args", json_pack("{s:I}", e->name, (json_int_t)e->value)); break;
    case 'i': json_object_set_new(object, "s", json_string("t")); break;
    default:
        json_object_set_new(object, "id", json_integer((json_int_t)e->value));
        if (e->phase == 'f')
            json_object_set_new(object, "bp", json_string("e")); // it ends in the slice around it
    }
    return object;
}

static bool put(FILE *file, json_t *object, const char *before)
{
    const bool good = object && fputs(before, file) >= 0 && json_dumpf(object, file, JSON_COMPACT) == 0;
    json_decref(object);
    return good;
}

// Names of all tracks that have something.
static bool put_names(const trace_list *l, FILE *file)
{
    static const char *const between       = ",\n";
    bool                     seen[64][256] = {{0}}, good = true;
    const char              *before = "";
    for (size_t n = 0; n < l->count; n++) {
        const uint32_t process = l->entries[n].at.process % 64, thread = l->entries[n].at.thread % 255;
        char           text[40];
        if (!seen[process][255]) {
            name_of_process(process, text);
            good   = put(file, named("process_name", process, 0, text), before) && good;
            before = between;
        }
        if (!seen[process][thread]) {
            name_of_thread(process, thread, text);
            good = put(file, named("thread_name", process, thread, text), between) && good;
        }
        seen[process][255] = seen[process][thread] = true;
    }
    return good;
}

bool trace_write(trace_list *l, const char *path)
{
    FILE *file = fopen(path, "w");
    bool  good = file && !l->short_of_memory;
    if (l->count)
        qsort(l->entries, l->count, sizeof *l->entries, order);
    if (file) {
        good = fputs("{\"traceEvents\":[\n", file) >= 0 && put_names(l, file) && good;
        for (size_t n = 0; n < l->count; n++)
            good = put(file, entry_json(&l->entries[n]), ",\n") && good;
        good = fputs("\n]}\n", file) >= 0 && good;
        good = fclose(file) == 0 && good;
    }
    for (size_t n = 0; n < l->names_count; n++)
        free(l->names[n]);
    free(l->names);
    free(l->entries);
    return good;
}
