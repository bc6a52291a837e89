// SPDX-License-Identifier: Apache-2.0
//
// promises: the harness's own judgement of both sides of every wave interface (docs/engine.md#timing), whatever core is
// on it. Of the machine: offers, groups, slots, resources, kills, host accesses. Of the core: done, exports, tasks and
// answers to the host.

#ifndef PROMISES_H
#define PROMISES_H

#include "totem_machine.h"

#include <stdbool.h>
#include <stdint.h>

typedef struct promises promises;

// NULL: no memory.
promises *promises_create(void);
void      promises_destroy(promises *p);
// One clock, from the first after reset on. False: a promise is broken, message.
bool promises_step(promises *p, const totem_machine_out *out, uint64_t clock, char message[256]);

#endif
