// SPDX-License-Identifier: Apache-2.0
//
// interrupts: the harness's own judgement of interrupts. Every one that is due comes, once, in time and with its
// int_ctxid, and no other comes (docs/queue.md, "Fences by epoch" and "Dequeue"). What is due follows from the words of
// the RELEASE_MEM packets in memory, from grants, ends of waves, answers of writes, and from the dequeue requests that
// the host has made. Judged is what arrives where software looks: int_ctxid, status bits and irq.

#ifndef INTERRUPTS_H
#define INTERRUPTS_H

#include "host.h"
#include "memory.h"
#include "tasks.h"
#include "totem_machine.h"

#include <stdbool.h>
#include <stdint.h>

// What a closed epoch waits for when all before it and in it has ended. The fence unit of its pipe serves at most every
// epoch of every slot before it. From one to the next it takes at most INTERRUPTS_SERVE clocks, as long as memory does
// not hold it up: eight for the end of a wave to arrive there, four of reading, four of its own, and either an
// interrupt, which is taken within one round of the pipes, or a write, which comes behind one of every other requester,
// six clocks each.
enum {
    INTERRUPTS_SERVES = TOTEM_QUEUES * TOTEM_EPOCHS,
    INTERRUPTS_SERVE  = 16 + (TOTEM_PIPE_COUNT > 6 * TOTEM_WRITERS ? TOTEM_PIPE_COUNT : 6 * TOTEM_WRITERS)
};
// Clocks from the end of a dequeue to its interrupt, if no fence of the pipe has one: the record of a save that failed
// waits for two messages of its own source, each behind one of every other; then a round of the pipes.
enum { INTERRUPTS_DEQUEUE = 16 + 3 * 4 * TOTEM_ERROR_SOURCES + TOTEM_PIPE_COUNT };

typedef struct interrupts interrupts;

// NULL: no memory.
interrupts *interrupts_create(void);
void        interrupts_destroy(interrupts *i);
// One clock, from the first after reset on. False: an interrupt is missing, or one comes that is not due; message.
bool interrupts_step(interrupts *i, const totem_machine_out *out, const host_port *h, const memory *m, const tasks *t,
                     uint64_t clock, char message[256]);
// An error record has been taken in this clock.
void interrupts_error(interrupts *i, uint8_t code);
// Nothing is under way any more. False: an interrupt that is due has not come, message.
bool interrupts_complete(const interrupts *i, char message[256]);

// No closed epoch of the present mapping of the slot is left; nothing of the slot is.
bool interrupts_flushed(const interrupts *i, int slot);
bool interrupts_empty(const interrupts *i, int slot);

#endif
