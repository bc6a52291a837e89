// SPDX-License-Identifier: Apache-2.0
//
// roster: the harness's own account of the run list (docs/runlist.md): which entries wait and since when, which queue
// is in which slot, and why it left. From commands, doorbells, the accesses of `proxy` and wires of the slots it knows
// who may be mapped, evicted, freed and rung. Of what `runlist` keeps it looks at nothing but the count of placements
// that the host reads (MOVES), and what SLOT and STATUS show, which it compares.

#ifndef ROSTER_H
#define ROSTER_H

#include "memory.h"
#include "totem_machine.h"

#include <stdbool.h>
#include <stdint.h>

typedef struct roster roster;

// NULL if memory is short.
roster *roster_create(void);
void    roster_destroy(roster *r);
// One clock. False: the rules are broken, message.
bool roster_step(roster *r, const totem_machine_out *out, const memory *m, uint64_t clock, char message[256]);

#endif
