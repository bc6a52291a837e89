// SPDX-License-Identifier: Apache-2.0
//
// run_events: what happens in a run, as JSON lines (docs/workloads.md, Events), from the outputs of the blocks.

#ifndef RUN_EVENTS_H
#define RUN_EVENTS_H

#include "run_waits.h"
#include "session.h"

typedef struct run_events run_events;

// NULL: memory is short. To the file, if there is a path; and a trace, if it is wanted, of the same events.
run_events *run_events_open(const char *path, bool trace);
// Before a step, behind run_waits_clock: everything of the session's present clock but errors.
void run_events_clock(run_events *e, const session *s, const run_waits *w);
// After it: the accesses that memory has taken, and the error records that have come.
void run_events_after(run_events *e, session *s);
// The trace ends at this clock and goes to that file. False: not everything could be written.
bool run_events_close(run_events *e, uint64_t clock, const char *trace);

#endif
