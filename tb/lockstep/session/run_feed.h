// SPDX-License-Identifier: Apache-2.0
//
// run_feed: the host of a queue whose stream is longer than its ring. It reads the read pointer, writes packets behind
// it into the ring, and rings the doorbell for them, as far as the doorbells of the workload say by then.

#ifndef RUN_FEED_H
#define RUN_FEED_H

#include "../../totem/workload.h"
#include "session.h"

typedef struct {
    uint32_t rung, rptr; // announced; the read pointer as the host knows it
    bool     asked;      // a read of it is under way
    size_t   access;     // that one
    uint64_t next;       // no read before this clock
} run_feed_queue;

typedef struct {
    const totem_workload *workload;
    run_feed_queue       *queues;
} run_feed;

void run_feed_open(run_feed *f, const totem_workload *w);
void run_feed_close(run_feed *f);
// Before a step.
void run_feed_clock(run_feed *f, session *s);
// Everything is announced.
bool run_feed_done(const run_feed *f);

#endif
