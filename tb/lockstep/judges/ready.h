// SPDX-License-Identifier: Apache-2.0
//
// ready: the harness's own judgement of readiness. A queue that is mapped, has work and waits for nothing becomes ready
// in time; no other is ready (docs/queue.md, "Life of a queue"). What a queue has to do follows from its mapping, the
// doorbells of the host, pointers that were polled and the packets that were executed; what it waits for from closed
// epochs as the harness counts them (interrupts.h), and from what halts it. A task that may start is work (tasks.h). Lines, and what fetch says of them, are not
// looked at.

#ifndef READY_H
#define READY_H

#include "host.h"
#include "interrupts.h"
#include "memory.h"
#include "tasks.h"
#include "totem_machine.h"

#include <stdbool.h>
#include <stdint.h>

enum {
    // Clocks between two reads of the ring by a pipe, as long as memory holds none up: the other requesters of the
    // front end go first; twelve bring the last beat on chip and ask for what is wanted, or show the queue as ready.
    READY_READ = TOTEM_READERS + 12,
    // Reads until a queue has its first dwords: three of each queue, each behind one of the queue that runs. Three
    // more for each that was selected meanwhile, or that a word on the load bus has changed.
    READY_READS = 6,
    // Clocks until the registers of a queue are in place: those of all queues are cleared first, then sixteen products
    // wait for at most fifteen others each, of 34 clocks.
    READY_PREPARED = 160 * TOTEM_QUEUES + 16 * 16 * 34
};

typedef struct readiness readiness;

// NULL: no memory.
readiness *ready_create(void);
void       ready_destroy(readiness *r);
// One clock, from the first after reset on, behind interrupts_step. False: a queue is ready that may not be, or is not
// ready in time; message.
bool ready_step(readiness *r, const totem_machine_out *out, const interrupts *i, const tasks *t, const host_port *h,
                const memory *m, uint64_t clock, char message[256]);

#endif
