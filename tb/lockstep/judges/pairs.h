// SPDX-License-Identifier: Apache-2.0
//
// pairs: the harness's own check of the records at top and end of pipe (docs/queue.md): whenever the two pairs in an
// MQD are equal and its slot shows neither SELECTED nor TOP_PENDING, mapped or not, all work that it has launched has
// ended; and no wave of a queue is granted while one of an earlier mapping of it runs. The waves are counted from the
// grants and from what the wave engines say.

#ifndef PAIRS_H
#define PAIRS_H

#include "memory.h"
#include "totem_machine.h"

#include <stdbool.h>
#include <stdint.h>

typedef struct pairs pairs;

pairs *pairs_create(void);
void   pairs_destroy(pairs *p);

// Watches one clock of the machine; `model` says what ACTIVE reads. False: the rule is broken; message says where.
bool pairs_step(pairs *p, const totem_machine *model, const totem_machine_out *out, const memory *m, uint64_t clock,
                char message[256]);

// Clocks in which the pairs of an MQD said that work had ended, and in which they said that some runs.
typedef struct {
    uint64_t equal, unequal;
} pairs_counts;
pairs_counts pairs_count(const pairs *p);

#endif
