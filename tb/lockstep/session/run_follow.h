// SPDX-License-Identifier: Apache-2.0
//
// run_follow: tells the account what host and run list do to queues: which ring a slot has, in which slot a queue goes on, how
// far it may go, that a grid begins anew, or is to be skipped. It reads the host's accesses, those of `writes` too.

#ifndef RUN_FOLLOW_H
#define RUN_FOLLOW_H

#include "../../totem/workload.h"
#include "ring.h"
#include "session.h"

enum { RUN_QUEUES = TOTEM_PIPE_COUNT * TOTEM_QUEUES };

// What the host has written to a window.
typedef struct {
    uint32_t dword[56];
    uint64_t since;  // dwords written since the queue there was mapped or asked to leave, a bit each
    bool     mapped; // and not asked to leave
} run_window;

typedef struct {
    const totem_workload *workload;
    run_window            window[RUN_QUEUES];
    uint32_t asked[HARNESS_PLACES]; // of a queue, the dequeue request since its mapping, which keeps its state; 0: none
    uint64_t mqd[HARNESS_PLACES];   // from which it was last mapped by MAP
    size_t   seen;                  // accesses looked at when they ended
    size_t   begun;                 // and when they began
    bool     once;                  // a one-shot poll was asked for
    bool     told[2];  // the write pointer of the last such access, of host or proxy, was told to the account
    bool     proxied;  // an access of the proxy has begun
    bool     given[4]; // the ring of the front end is known to account and judge of draws
} run_follow;

void run_follow_open(run_follow *f, const totem_workload *w);
// Before a step.
void run_follow_clock(run_follow *f, session *s);

// The queue whose doorbell or window has that address; false: it is another register.
bool run_follow_queue(uint32_t address, int *pipe, unsigned *queue);

#endif
