// SPDX-License-Identifier: Apache-2.0
//
// run_blocked: which queues and rings of a run stand when it ends, at which packet, since when, and what for. Follows
// the model clock by clock, since its read pointers alone do not say when a queue came to its packet.

#ifndef RUN_BLOCKED_H
#define RUN_BLOCKED_H

#include "../../totem/run.h"
#include "ring.h"
#include "session.h"

enum { BLOCKED_PIPES = RING_PIPE + TOTEM_FE_COUNT };

typedef struct {
    uint64_t since[BLOCKED_PIPES][TOTEM_QUEUES]; // clock of the last packet passed, mapping, halt or doorbell
    uint32_t polls[BLOCKED_PIPES][TOTEM_QUEUES]; // reads of memory or registers for its wait since then
    uint32_t wptr[BLOCKED_PIPES][TOTEM_QUEUES];
    bool     mapped[BLOCKED_PIPES][TOTEM_QUEUES], halted[BLOCKED_PIPES][TOTEM_QUEUES];
    uint8_t  phase[BLOCKED_PIPES]; // of poll
} run_blocked;

// Before a clock is stepped; only with a model.
void run_blocked_clock(run_blocked *b, const session *s);
// At the end: fills `blocked` and `stuck` of the result.
void run_blocked_end(const run_blocked *f, session *s, totem_run_result *r);

#endif
