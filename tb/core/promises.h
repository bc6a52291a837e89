// SPDX-License-Identifier: Apache-2.0
//
// promises: judges what a shader core shows on the wave interface of one engine, clock by clock, from the pins alone.
// The promises are those of docs/engine.md, "Timing". One state for each engine; all 0 is the state after reset.

#ifndef CORE_PROMISES_H
#define CORE_PROMISES_H

#include "../../cmodel/totem.h"

enum {
    PROMISES_SLOTS = 64,
    PROMISES_READY = 4096, // clocks within which a launch is accepted,
    PROMISES_HOST  = 4096, // and an access of the host answered
    PROMISES_TEXT  = 160
};

typedef struct {
    bool     busy, exported; // a wave that was accepted and is not done; of geometry: its primitives were taken
    uint8_t  kind, fe, pipe, queue, epoch;
    uint64_t accepted; // clock
} promises_wave;

typedef struct {
    uint64_t             clock;
    promises_wave        waves[PROMISES_SLOTS];
    unsigned             launch_waits, host_waits; // clocks in which what is offered was not answered
    totem_engine_pins_in before;                   // exports and tasks that were offered and not taken
    uint64_t             accepted, done;           // waves
    char                 text[PROMISES_TEXT];
} promises;

// The present clock: what the core shows and what it gets. NULL, or the promise that it breaks, as one line.
const char *promises_clock(promises *p, const totem_engine_pins_in *shown, const totem_engine_pins_out *given);

#endif
