// SPDX-License-Identifier: Apache-2.0
//
// account: the harness's own bookkeeping of work-groups and waves, made from the command streams, the grants and the
// wave interface alone, in every clock: every work-group of every dispatch is granted once, while its queue is at that
// dispatch, on an engine that may have it; its waves are launched once, with the right shape, and end once; no engine
// holds more than it has; every slot's waves in flight are those that its fence unit counts; a fence is written when
// all before it has ended.

#ifndef ACCOUNT_H
#define ACCOUNT_H

#include "memory.h"
#include "totem_machine.h"

#include <stdbool.h>
#include <stdint.h>

typedef struct account account;

account *account_create(void);
void     account_destroy(account *a);

// Reads the dispatches of a queue out of memory: `dwords` of the ring at `base` (`size` dwords, a power of two) from
// running position `from` on, indirect buffers included. The words that a COND_EXEC or DISPATCH_INDIRECT looks at are
// read now: they must stay as they are. May be called again for dwords that follow. False: the stream holds something
// that the account cannot follow; message says what and where.
bool account_stream(account *a, int pipe, int queue, const memory *m, uint64_t base, uint32_t size, uint32_t from,
                    uint32_t dwords, char message[256]);

// Instead a queue may be read as it executes: a packet, and the memory that it looks at, in the clock in which it is
// executed. What the machine says of a packet is when it starts or is passed, its opcode and how far it goes on; which
// packet that is, and what comes of it, is read here. A dword is what memory holds; but where it was written since the
// machine may have read it, what memory delivered last since then (memory_seen). A dword of the stream may be read
// since it was announced, and since the last buffer began or ended; an operand since the packet before was passed.

// Slot of the queue (pipe x queues + queue) that has this ring and is read so; of one of which nothing is known; -1.
int account_find(const account *a, uint64_t ring);
int account_unused(const account *a);
// The queue of the slot has this ring, and is read so from now on. Its position stays.
void account_execute(account *a, int pipe, int queue, const memory *m, uint64_t ring, uint32_t size, uint64_t clock);
// Its position, in no buffer, with nothing announced; polled: its write pointer stands in memory.
void account_position(account *a, int pipe, int queue, uint32_t rptr, bool polled);
// One-shots were asked for: the write pointers of all queues may come from memory.
void account_polled(account *a);
// The open indirect buffer, if any, is left out.
void account_buffer_lost(account *a, int pipe, int queue);
// Its compute registers are those of the MQD.
void account_registers(account *a, int pipe, int queue, uint64_t mqd);
// The host writes a write pointer; it was refused.
void account_announce(account *a, int pipe, int queue, uint32_t pointer, uint64_t clock);
void account_refused(account *a, int pipe, int queue);
// Its packet may be passed over, or not any more.
void account_pass(account *a, int pipe, int queue, bool pass);
// Such a queue is mapped and has packets left, or fences that were not written: message says which.
bool account_behind(const account *a, int pipe, int queue, char message[256]);

// The queue is mapped anew: its compute registers are at their reset values, and no fence or flush that is given from
// now on waits for what was given before.
void account_remap(account *a, int pipe, int queue);
// A ring is mapped anew and goes on where it stood: no fence with a higher value than `fence`, and no flush, waits for
// what is granted by now.
void account_resume(account *a, int pipe, uint32_t fence);
// A queue goes on in another slot: what it still owes goes with it, and what belonged to that slot comes here. Waves
// that are granted already stay with the slot that they name.
void account_move(account *a, int pipe, int queue, int to_pipe, int to_queue);

// What the host wants of the dispatch that this queue is in, whose rest the machine has kept.
typedef enum {
    ACCOUNT_GOES_ON, // it is to go on: it may not be passed over
    ACCOUNT_SKIPPED, // it is to be passed over: no group of it may be granted
    ACCOUNT_LEFT     // the queue is taken away: it is passed over if it was to be skipped, or goes on later
} account_wish;
void account_skip(account *a, int pipe, int queue, account_wish wish);
// Memory or the MQD has been changed by hand: what of the queue's dispatch is not granted by now, nobody expects any
// more.
void account_cut(account *a, int pipe, int queue);
// The queue was taken from its pipe and does not go on: nothing that is not granted by now is expected any more.
void account_drop(account *a, int pipe, int queue);
// Whether the dispatch that this queue is at has some groups granted and others not.
bool account_begun(account *a, int pipe, int queue);
// Groups of that dispatch, or of the task that is open, and how many of them are granted; false: there is none.
bool account_grid(account *a, int pipe, int queue, uint64_t *granted, uint64_t *groups);
bool account_task_grid(const account *a, int pipe, int queue, uint64_t *granted, uint64_t *groups);
// That dispatch begins anew, with its first group; what of it is granted by now stays.
void account_restart(account *a, int pipe, int queue);

// A task begins in the slot: groups that are granted while the pipe runs a task are of the first that is open. Its
// number in the slot; SIZE_MAX: message says why not. Whether one is open; whether all waves of one have ended.
size_t account_task(account *a, int pipe, int queue, const uint32_t registers[128], const uint32_t body[4],
                    uint32_t invalidate, char message[256]);
bool   account_task_open(const account *a, int pipe, int queue);
// What is not granted of the task that is open is not expected any more.
void account_task_cut(account *a, int pipe, int queue);
bool account_task_ended(const account *a, int pipe, int queue, size_t number);

// What the host has written into DIE and RSRC3_GFX9 of QUEUE_OPTIONS, before any stream is given.
void account_options(account *a, uint32_t die, bool rsrc3_gfx9);
// The engines' program table: from then on a wave that ends before its time must be named by a kill.
void account_program(account *a, uint32_t entry, uint32_t duration);
// A dequeue request 2 of this slot is made, or answered.
void account_kill(account *a, int pipe, int queue, bool begins);
// Mappings of this slot so far.
uint32_t account_mapping(const account *a, int pipe, int queue);
// Waves of the slot's last mapping, or of all of them, that are granted, not ended and not abandoned.
uint32_t account_running(const account *a, int pipe, int queue, bool all);
// Epochs, bit = epoch, whose waves ran when the slot was abandoned last.
uint32_t account_left_behind(const account *a, int pipe, int queue);

// Watches one clock of the machine. False: a rule is broken; message says which.
bool account_step(account *a, const totem_machine_out *out, uint64_t clock, char message[256]);

// Memory takes a write of these 4 bytes. False: it is a fence, and not all that was given before it has ended.
bool account_write(account *a, uint64_t address, uint32_t data, uint64_t clock, char message[256]);

typedef struct {
    uint64_t dispatches, groups, waves; // expected
    uint64_t launched, ended;           // waves seen
    uint64_t disabled;                  // dispatches without COMPUTE_SHADER_EN; the first of them:
    int      disabled_pipe, disabled_queue;
    uint8_t  disabled_op;
    uint64_t disabled_at; // its address
} account_sums;
account_sums account_sum(const account *a);

// Every expected wave has been launched and has ended. False: message says what is missing.
bool account_complete(const account *a, char message[256]);

#endif
