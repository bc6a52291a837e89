// SPDX-License-Identifier: Apache-2.0
//
// run_waits: what every queue and ring does in a run, by REASON of its STATE as the machine shows it, and how full every
// engine is. REASON is read again only in clocks in which something changes from which it follows.

#ifndef RUN_WAITS_H
#define RUN_WAITS_H

#include "../../totem/run.h"
#include "ring.h"
#include "session.h"

enum { WAITS_PIPES = RING_PIPE + TOTEM_FE_COUNT, WAITS_PARTS = 13 };

typedef struct {
    uint8_t  part[WAITS_PARTS][TOTEM_QUEUES]; // of each queue: what REASON follows from
    uint16_t selected;                        // queue that has the pipe + 1; 0 none
} run_waits_shown;

typedef struct {
    uint8_t         reason[WAITS_PIPES][TOTEM_QUEUES]; // in the present clock
    uint64_t        since[WAITS_PIPES][TOTEM_QUEUES];  // first clock of it
    totem_run_queue queue[WAITS_PIPES][TOTEM_QUEUES];
    run_waits_shown shown[WAITS_PIPES];
    uint64_t        slots[TOTEM_SE_COUNT]; // sum over the clocks: wave slots in use
    uint8_t         most[TOTEM_SE_COUNT];
    uint64_t        clock;
} run_waits;

void run_waits_open(run_waits *w);
// Before a clock is stepped; only with a model.
void run_waits_clock(run_waits *w, const session *s);
// At the end: fills `queues` and what `engines` say of wave slots.
void run_waits_end(run_waits *w, totem_run_result *r);

#endif
