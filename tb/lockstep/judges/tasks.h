// SPDX-License-Identifier: Apache-2.0
//
// tasks: the harness's own account of tasks (docs/task.md), from the descriptors that memory delivers: what a
// LAUNCH_TASK names, or the host or a wave has launched, and the dependents of what has ended, start, each once, on its
// own queue, in the order of its list, with the grid, registers and user data of its descriptor (the account of waves
// looks at these). A dependent starts only when every wave of its parent has ended and every release of it is in
// memory; a release is written once, with its value, and not before; a task is reported once, behind its releases. A
// task that names itself starts again, from the same entry, or from a new load if its descriptor says so; only its last
// round is reported. A descriptor that must be refused is refused with the error and word of its first check that
// fails, a group that is larger than an engine is given up; every error of a task halts its queue.

#ifndef TASKS_H
#define TASKS_H

#include "account.h"

typedef struct tasks tasks;

tasks *tasks_create(account *a, const memory *m);
void   tasks_destroy(tasks *t);

// Watches one clock, before the account does. False: a rule is broken; message says which.
bool tasks_step(tasks *t, const totem_machine_out *out, uint64_t clock, char message[256]);

// As account_move: the queues of these two slots (pipe x queues + queue) have changed places.
void tasks_move(tasks *t, int from, int to);

// Memory takes a write of these 4 bytes. False: it is a release before its time, or a second time.
bool tasks_write(tasks *t, uint64_t address, uint32_t data, uint64_t clock, char message[256]);

// An error record of this slot (pipe x queues + queue), from the runner of its pipe or not. *mine: it is of a task, not
// of a packet. False: no task of the slot has this error. Whether an access has failed is
// not looked at: the memory knows.
bool tasks_error(tasks *t, int slot, bool runner, uint8_t code, uint64_t address, uint32_t word, uint64_t clock,
                 bool *mine, char message[256]);

// Whether a task of this slot (pipe x queues + queue) may start, or has started and was not wholly granted
// TASKS_SEEN clocks ago.
enum { TASKS_SEEN = 6 }; // from the last grant to `ready` of the arbiter
bool tasks_wait(const tasks *t, int slot, uint64_t clock);

// Some task of this slot has not been reported.
bool tasks_any(const tasks *t, int slot);

// The queue of this slot is mapped anew: what was saved for it is forgotten.
void tasks_remap(tasks *t, int slot);

// A task that was dropped with its mapping, with all dependents behind it: its pointer. False: no further one.
bool tasks_dropped(tasks *t, uint32_t *pointer);

// Tasks of the mapping of this slot that have started and are not over.
uint32_t tasks_unended(const tasks *t, int slot);

// In this clock a task of this slot ends, one of whose releases asks for an interrupt.
bool tasks_trap(const tasks *t, int slot);

// A task of this slot has started, and not all of its groups are granted.
bool tasks_inside(const tasks *t, int slot);

// A task with this pointer has started.
bool tasks_begun(const tasks *t, uint32_t pointer);

// The first task of this slot was unfinished when its mapping ended: until it runs again nothing else of it does.
bool tasks_resume(const tasks *t, int slot);

// Every task has started, ended, and released. False: message says what is missing.
bool tasks_complete(const tasks *t, char message[256]);

typedef struct {
    uint64_t started;                             // and wholly granted
    uint64_t reported;                            // all but the rounds that another one follows
    uint64_t rounds;                              // of tasks that name themselves, from the second one on
    uint64_t empty;                               // without a work-group
    uint64_t large;                               // given up: a group larger than an engine
    uint64_t interrupted;                         // recalled, and continued later
    uint64_t early;                               // started before its parent was reported
    uint64_t waited;                              // launches that found no entry
    uint64_t dependents_refused, releases_failed; // recorded
} tasks_sums;
tasks_sums tasks_sum(const tasks *t);

#endif
