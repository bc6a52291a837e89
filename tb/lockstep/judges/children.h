// SPDX-License-Identifier: Apache-2.0
//
// children: the harness's own account of launches by waves and by the host (docs/task.md), from the writes of the host,
// the launches, kills and ends of waves alone. A compute wave whose program has a child task asks for it once before it
// ends, for its own queue and epoch, unless it was killed; no other wave asks. A launch that is taken is of a wave or
// of the host, and each gets one answer. It is refused only while its queue has a task, leaves, or is not mapped. Which
// programs have a child is read from writes to the shipped wave engine, so other cores are not judged.

#ifndef CHILDREN_H
#define CHILDREN_H

#include "tasks.h"

typedef struct children children;

children *children_create(const tasks *t);
void      children_destroy(children *c);

// Watches one clock, before tasks_step. False: a rule is broken; message says which.
bool children_step(children *c, const totem_machine_out *out, uint64_t clock, char message[256]);

// Launches so far.
typedef struct {
    uint64_t waves, waves_refused, host, host_refused;
} children_sums;
children_sums children_sum(const children *c);

#endif
