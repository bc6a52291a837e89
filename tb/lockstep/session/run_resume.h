// SPDX-License-Identifier: Apache-2.0
//
// run_resume: the host of a workload with memory.resume: it answers every record of a failed access of a queue, so many
// clocks later, with RESUME, if the queue has halted. What it does not answer are mappings and saves.

#ifndef RUN_RESUME_H
#define RUN_RESUME_H

#include "session.h"

typedef struct {
    uint32_t after; // clocks; 0: it does nothing
    uint64_t seen;  // records that are dealt with
} run_resume;

// Before a step.
void run_resume_clock(run_resume *r, session *s);
// Every record is dealt with.
bool run_resume_done(const run_resume *r, session *s);

// Records of failed accesses, of a RESUME that was refused (the queue had left meanwhile), and of doorbells of a queue
// whose save has failed.
uint64_t run_resume_records(session *s);
// Each of them is about the 4 KiB of a listed fault that has occurred, and every write that failed has one; else the
// message says which.
bool run_resume_check(session *s, char message[256]);

#endif
