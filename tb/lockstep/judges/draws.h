// SPDX-License-Identifier: Apache-2.0
//
// draws: the harness's own judgement of graphics rings, in every clock. From the packets in memory it knows each draw,
// the values of all registers at it, and the waves that it becomes. Every wave is sent, granted, launched and ended
// once, in order, for the draw at which the ring is; its set holds exactly the registers of the draw from the draw's
// issue until its last wave has ended; that of a dispatch has them when the dispatch starts; no set in use is rolled or
// copied into; a fence is written when all draws before it have ended. A CONTEXT_BOUNCE finds only states of its mapping
// (tags.h).

#ifndef DRAWS_H
#define DRAWS_H

#include "memory.h"
#include "totem_machine.h"

#include <stdbool.h>
#include <stdint.h>

typedef struct draws draws;

draws *draws_create(void);
void   draws_destroy(draws *d);

// The host has written DIE of QUEUE_OPTIONS, before any stream is given.
void draws_die(draws *d, uint32_t die);
// Reads the draws of a ring out of memory, as account_stream does: groups of CONTEXT_BOUNCE are followed like any other
// packets, since a hit has to give the same registers. What an error keeps from being executed must not be in it, or
// must change nothing. Memory that the packets look at (registers to load, arguments of indirect draws, COND_EXEC) is
// read now. The table of CLEAR_STATE is what has been loaded by now.
bool draws_stream(draws *d, int ring, const memory *m, uint64_t base, uint32_t size, uint32_t from, uint32_t dwords,
                  char message[256]);
// What of ring n is not issued or executed by now nobody expects any more; its registers are not known until they are
// written.
void draws_drop(draws *d, int n);
// A dequeue request 2 of the ring is made, or answered.
void draws_kill(draws *d, int ring, bool begins);

// Fences that are executed and not written; fences that the last abandonment of the ring has ended.
uint32_t draws_owed(const draws *d, int ring);
uint32_t draws_lost(const draws *d, int ring);
// A fence at this address is not tried, and never will be.
void draws_forget(draws *d, int ring, uint64_t address);
// The packet of the last draw issued stands again in front of ring n: it is issued once more.
void draws_repeat(draws *d, int n);
// Draws of the ring that were issued so far.
uint64_t draws_issued(const draws *d, int ring);

// Watches one clock. False: a rule is broken; message says which.
bool draws_step(draws *d, const totem_machine *model, const totem_machine_out *out, uint64_t clock, char message[256]);
// Memory takes a write of these 4 bytes. False: it is a fence, and not all draws before it have ended.
bool draws_write(draws *d, uint64_t address, uint32_t data, uint64_t clock, char message[256]);
// Every expected draw has been issued and has ended.
bool draws_complete(const draws *d, char message[256]);

typedef struct {
    uint64_t draws, waves; // issued; launched
    uint64_t compared;     // registers compared at draws
} draws_sums;
draws_sums draws_sum(const draws *d);

#endif
