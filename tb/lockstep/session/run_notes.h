// SPDX-License-Identifier: Apache-2.0
//
// run_notes: what a run did that its author may not have meant: programs that the workload does not have, dispatches
// that launch nothing, accesses that the host made late.

#ifndef RUN_NOTES_H
#define RUN_NOTES_H

#include "../../totem/run.h"
#include "session.h"

enum { NOTES_ENTRIES = 16, NOTES_LATE = 100, NOTES_LATE_SHOWN = 4 };

typedef struct {
    bool    used[NOTES_ENTRIES];
    uint8_t pipe[NOTES_ENTRIES], queue[NOTES_ENTRIES]; // of the first wave of the program
} run_notes;

// In every clock.
void run_notes_clock(run_notes *n, const session *s);
// At the end.
void run_notes_end(const run_notes *n, session *s, const totem_workload *w, totem_run_result *r);
// The part of a list of accesses, in the order in which they were made, that came late, as a sentence; "" if none.
void run_notes_late(const host_access *list, size_t count, char *text, size_t size);

#endif
