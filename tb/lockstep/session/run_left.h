// SPDX-License-Identifier: Apache-2.0
//
// run_left: by which condition of docs/queue.md#when-the-selected-queue-is-replaced a queue leaves its pipe.

#ifndef RUN_LEFT_H
#define RUN_LEFT_H

#include "ring.h"
#include "session.h"

typedef struct {
    uint8_t          asked[TOTEM_PIPE_COUNT]; // condition for which the queue has been asked to leave; 0: it has not
    bool             may[TOTEM_PIPE_COUNT];   // a queue had the pipe a clock ago, and was not asked: with this
    totem_arbiter    state[TOTEM_PIPE_COUNT];
    totem_arbiter_in in[TOTEM_PIPE_COUNT];
} run_left;

// Every clock, of pipe `pipe`. Returns the condition in a clock in which its queue has left, else 0.
unsigned run_left_clock(run_left *l, const session *s, int pipe);
// Of ring f: no other queue wants its pipe.
unsigned run_left_ring(const session *s, int f);

#endif
