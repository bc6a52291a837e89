// SPDX-License-Identifier: Apache-2.0
//
// trace_list: slices, flows, counts and instants of a trace, in any order, and the file that is made of them.
#ifndef TOTEM_TRACE_LIST_H
#define TOTEM_TRACE_LIST_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

// Processes of the trace; engines and front ends count from theirs on. Threads: pipe; 8 * pipe + queue; slot, or
// TRACE_HEADS + pipe; context set.
enum { TRACE_PIPES = 1, TRACE_QUEUES = 2, TRACE_ENGINES = 10, TRACE_SETS = 20, TRACE_HEADS = 100 };

typedef struct {
    uint32_t process, thread;
    uint64_t clock;
} trace_point;

typedef struct {
    trace_point at;
    uint64_t    clocks;   // of a slice
    uint64_t    value;    // of a count; of a flow: its number
    char        phase;    // as in the file: X slice, s and f ends of a flow, C count, i instant
    uint8_t     depth;    // of slices with the same clocks: the outer one has the lower depth
    const char *category; // NULL: none
    const char *name;     // of the list (trace_name), or constant
    const char *key;      // of a value that a slice has; NULL: none
} trace_entry;

typedef struct {
    trace_entry *entries;
    size_t       count, room;
    char       **names;
    size_t       names_count;
    uint64_t     flows;
    bool         short_of_memory;
} trace_list;

// The text, kept as long as the list.
const char *trace_name(trace_list *l, const char *text);
void        trace_add(trace_list *l, trace_entry entry);
void trace_slice(trace_list *l, trace_point from, uint64_t to, int depth, const char *category, const char *name);
void trace_flow(trace_list *l, trace_point from, trace_point to, const char *category);
// Writes all and frees it. False: it could not be written, or memory was short.
bool trace_write(trace_list *l, const char *path);

#endif
