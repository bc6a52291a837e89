// SPDX-License-Identifier: Apache-2.0
//
// run_waits: what every queue and ring does in a run, by REASON of its STATE as the machine shows it, why it leaves
// its pipe, and how full every engine is. What a queue does is looked at again only in clocks in which something
// changes from which it follows.

#ifndef RUN_WAITS_H
#define RUN_WAITS_H

#include "../../totem/run.h"
#include "ring.h"
#include "run_left.h"
#include "session.h"

enum { WAITS_PIPES = RING_PIPE + TOTEM_FE_COUNT, WAITS_PARTS = 15 };

typedef struct {
    uint8_t  part[WAITS_PARTS][TOTEM_QUEUES]; // of each queue: what follows
    uint16_t selected;                        // queue that has the pipe + 1; 0 none
    uint16_t busy;                            // groups of the pipe, or draws of the ring, are not granted
    uint16_t ordered;                         // a packet of the scheduler waits in the pipe
} run_waits_shown;

typedef struct {
    uint8_t         reason[WAITS_PIPES][TOTEM_QUEUES]; // in the present clock
    bool            vain[WAITS_PIPES][TOTEM_QUEUES];   // its packet has polled in vain
    uint64_t        since[WAITS_PIPES][TOTEM_QUEUES];  // first clock of it
    totem_run_queue queue[WAITS_PIPES][TOTEM_QUEUES];
    run_waits_shown shown[WAITS_PIPES];
    run_left        left;
    uint8_t         condition[WAITS_PIPES]; // by which the queue of the pipe leaves in this clock; 0: it does not
    uint8_t         gives_up[WAITS_PIPES];  // queue that left by condition 4 in the clock before, + 1
    uint64_t        slots[TOTEM_SE_COUNT];  // sum over the clocks: wave slots in use
    uint8_t         most[TOTEM_SE_COUNT];
    uint64_t        clock;
} run_waits;

void run_waits_open(run_waits *w);
// Before a clock is stepped; only with a model.
void run_waits_clock(run_waits *w, const session *s);
// At the end: fills `queues` and what `engines` say of wave slots.
void run_waits_end(run_waits *w, totem_run_result *r);

#endif
