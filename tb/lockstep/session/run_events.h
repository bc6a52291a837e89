// SPDX-License-Identifier: Apache-2.0
//
// run_events: what happens in a run, as JSON lines (docs/workloads.md, Events), from the outputs of the blocks.

#ifndef RUN_EVENTS_H
#define RUN_EVENTS_H

#include "run_waits.h"
#include "session.h"

typedef struct run_events run_events;

// NULL: the file cannot be written, or memory is short.
run_events *run_events_open(const char *path);
// Before a step, behind run_waits_clock: everything of the session's present clock but errors.
void run_events_clock(run_events *e, const session *s, const run_waits *w);
// After it: the accesses that memory has taken, and the error records that have come.
void run_events_after(run_events *e, session *s);
// False: not everything could be written.
bool run_events_close(run_events *e);

#endif
