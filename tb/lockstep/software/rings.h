// SPDX-License-Identifier: Apache-2.0
//
// rings: random graphics work on a session, beside the work of the agent. Every ring of a machine with graphics pipes
// is mapped with options drawn at random and gets batches of packets while it runs: context registers of a few states,
// plain and behind a CONTEXT_BOUNCE, shader registers, draws of all primitive types, dispatches, flushes, fences. The
// judges account and draws know what must come of it. Without graphics pipes there is nothing to do.

#ifndef RINGS_H
#define RINGS_H

#include "session.h"
#include "tally.h"

#include <stdbool.h>
#include <stdint.h>

typedef struct rings rings;

typedef struct {
    uint64_t seed;
    uint64_t clocks;   // new work is given up to this one
    uint64_t patience; // DEQUEUE_TIMEOUT, 0 none
    bool     failures; // memory fails
    tally   *tally;
} rings_options;

// Whether this address in memory belongs to a ring.
static inline bool rings_own(uint64_t address)
{
    return address >= 0x3000000 && address < 0x4000000;
}

rings *rings_create(session *s, const rings_options *options);
void   rings_destroy(rings *r);
// Before every session_step. False: a stream cannot be followed, or a record is not one that is due; rings_message says
// why.
bool rings_step(rings *r);
// Everything given has been executed.
bool rings_done(const rings *r);
// After the machine is idle: every draw has ended. False: rings_message says what is wrong.
bool        rings_check(rings *r);
const char *rings_message(const rings *r);

#endif
