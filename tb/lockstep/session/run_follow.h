// SPDX-License-Identifier: Apache-2.0
//
// run_follow: tells the account what the host does to queues: in which slot a queue goes on, that a grid begins anew,
// or is to be skipped. It reads the host's accesses, those of `writes` too.

#ifndef RUN_FOLLOW_H
#define RUN_FOLLOW_H

#include "../../totem/workload.h"
#include "session.h"

enum { RUN_QUEUES = TOTEM_PIPE_COUNT * TOTEM_QUEUES };

typedef struct {
    const totem_workload *workload;
    int                   in[RUN_QUEUES]; // of each slot: number of its queue in the workload, -1 none
    struct {
        uint32_t ring[2], mqd_high;
        bool     grid;    // PERSISTENT_STATE: a grid is unfinished
    } window[RUN_QUEUES]; // as the host wrote it
    size_t seen;          // accesses looked at when they ended
    size_t begun;         // and when they began
    bool   given[4];      // the ring of the front end is known to the judge of draws
} run_follow;

void run_follow_open(run_follow *f, const totem_workload *w);
// Before a step.
void run_follow_clock(run_follow *f, session *s);

// The queue whose doorbell or window has that address; false: it is another register.
bool run_follow_queue(uint32_t address, int *pipe, unsigned *queue);

#endif
