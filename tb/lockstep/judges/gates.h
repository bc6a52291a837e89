// SPDX-License-Identifier: Apache-2.0
//
// gates: the harness's own judgement of geometry throttling, in every clock. It follows the page of controls by the
// host's writes and what streams write there (that this is what their packets say, draws judges). From it, what goes
// into the primitive hubs and out of them, grants, waves that the core accepts and that end, and pixel waves that find
// no room, it computes for every engine polls, status and the stall counts of measurements A, B and C, which the engine
// must show, and in which clocks its gate is open: a geometry wave granted in clock t with stall count N lets the next
// one pass in t + 1 + N, not before, and then it does. A closed gate keeps back nothing but geometry: grants judges
// that.

#ifndef GATES_H
#define GATES_H

#include "host.h"
#include "totem_machine.h"

#include <stdbool.h>
#include <stdint.h>

typedef struct gates gates;

// NULL: no memory.
gates *gates_create(void);
void   gates_destroy(gates *g);
// One clock, from the first after reset on. False: a gate is open or closed against the rules, or a register is not as
// written; message.
bool gates_step(gates *g, const totem_machine_out *out, const host_port *h, uint64_t clock, char message[256]);

#endif
