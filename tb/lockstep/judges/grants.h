// SPDX-License-Identifier: Apache-2.0
//
// grants: the harness's own judgement of what every engine grants. From the words on the command bus, launches, ends of
// waves and the registers HOLD_AFTER follows, clock by clock, which group or geometry wave is granted next
// (docs/issue.md): tiers, totem pole, turns of graphics, fit and holds are computed here, not looked up.

#ifndef GRANTS_H
#define GRANTS_H

#include "totem_machine.h"

#include <stdbool.h>
#include <stdint.h>

typedef struct grants grants;

// NULL: no memory.
grants *grants_create(void);
void    grants_destroy(grants *g);
// One clock, from the first after reset on. False: an engine does not grant what the rules say, message.
bool grants_step(grants *g, const totem_machine_out *out, uint64_t clock, char message[256]);

#endif
