// SPDX-License-Identifier: Apache-2.0
//
// run_writers: who writes a place in memory that a queue waits for, of all that a run holds: packets that were
// executed, that are announced, or that lie in a stream and are not; buffers that packets call; releases of tasks.

#ifndef RUN_WRITERS_H
#define RUN_WRITERS_H

#include "../../totem/tmd_fields.h"
#include "../../totem/workload.h"
#include "run_slot.h"

// A write by a packet that was executed.
typedef struct {
    const char *name; // of the packet
    int         pipe;
    unsigned    queue;
    uint64_t    at, to, clock, value; // where the packet lies, and what it writes first
    uint32_t    bytes;
    bool        valued;
} run_write;

// A task whose descriptor was loaded, or that something names.
typedef struct {
    uint64_t address;
    uint64_t loaded, over; // clocks of the last time, 0: never
} run_task;

typedef struct {
    const totem_workload *workload;
    run_write            *writes;
    size_t                writes_count, writes_room;
    run_task             *tasks;
    size_t                tasks_count, tasks_room;
    uint64_t              own[TOTEM_FE_COUNT][TOTEM_ENTRIES]; // address of the descriptor of each entry
} run_writers;

void run_writers_open(run_writers *w, const totem_workload *workload);
void run_writers_close(run_writers *w);
// Before a step.
void run_writers_clock(run_writers *w, const session *s);

// Who writes one of the bytes for which this queue waits; if nobody does, what is written near it. False: nobody does.
bool run_writers_find(run_writers *w, session *s, int pipe, unsigned queue, uint64_t address, uint32_t bytes,
                      char *text, size_t size);
// "task filter at 0x0000300100"
void run_writers_task(const run_writers *w, uint64_t address, char *text, size_t size);
// The dwords of a descriptor as memory holds them; returns its version, TOTEM_TMD_VERSIONS: none that is known.
unsigned run_writers_descriptor(session *s, uint64_t address, uint32_t words[TOTEM_TMD_DWORDS]);
// A task that names this one as its dependent; false: none is known.
bool run_writers_parent(run_writers *w, session *s, uint64_t address, uint64_t *parent);

#endif
