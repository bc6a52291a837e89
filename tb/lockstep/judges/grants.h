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
// Clocks so far in which a head of the engine was eligible and not chosen, or lacked something. Heads: a group of each
// pipe, then geometry of each ring, groups of each ring, pixels of each ring.
uint32_t grants_clocks(const grants *g, int engine, int head, bool lacking);

#endif
