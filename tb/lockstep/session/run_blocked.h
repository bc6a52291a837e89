// SPDX-License-Identifier: Apache-2.0
//
// run_blocked: which queues and rings of a run stand when it ends, at which packet, since when, and what for. Follows
// the model clock by clock, since its read pointers alone do not say when a queue came to its packet.

#ifndef RUN_BLOCKED_H
#define RUN_BLOCKED_H

#include "../../totem/run.h"
#include "run_slot.h"
#include "run_writers.h"

typedef struct {
    uint64_t    since[RUN_PIPES][TOTEM_QUEUES]; // clock of the last packet passed, mapping, halt or doorbell
    uint32_t    polls[RUN_PIPES][TOTEM_QUEUES]; // reads of memory or registers for its wait since then
    uint32_t    wptr[RUN_PIPES][TOTEM_QUEUES];
    uint16_t    waves[RUN_PIPES][TOTEM_QUEUES];
    uint64_t    moved[RUN_PIPES][TOTEM_QUEUES]; // clock in which its waves were granted or ended last
    bool        mapped[RUN_PIPES][TOTEM_QUEUES], halted[RUN_PIPES][TOTEM_QUEUES];
    uint8_t     phase[RUN_PIPES]; // of poll
    run_writers writers;
} run_blocked;

void run_blocked_open(run_blocked *b, const totem_workload *w);
void run_blocked_close(run_blocked *b);
// Before a clock is stepped; only with a model.
void run_blocked_clock(run_blocked *b, const session *s);
// For what the queue waits with the packet that it is at; false: that is no wait for memory or a register.
bool run_blocked_wait(const session *s, int pipe, unsigned q, totem_run_blocked *b);
// At the end: fills `blocked` and `stuck` of the result.
void run_blocked_end(run_blocked *f, session *s, totem_run_result *r);

#endif
