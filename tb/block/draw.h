// SPDX-License-Identifier: Apache-2.0
//
// draw: constrained random inputs of a block. Each input is drawn as the contract's Stimuli table says, or by its
// shape. In spells of 64 to 1024 clocks, each input by itself: inputs of one bit come more often, more rarely or
// stick; words without a row are any values, few different ones, low ones, or held. A seed gives the same inputs
// everywhere.

#ifndef DRAW_H
#define DRAW_H

#include "block.h"

#include "../lockstep/session/random.h"

enum { DRAW_PORTS = 256 };

typedef struct {
    block_draw draw;
    uint64_t   number;
    uint32_t   rate; // of 65536, for one bit
    uint32_t   left; // spells of 64 clocks
} draw_port;

typedef struct {
    totem_random random;
    uint64_t     clock;
    uint32_t     reset_rate; // resets in 2^16 spells
    uint32_t     reset_left; // clocks
    uint32_t     reset_in;   // clocks until it begins
    draw_port    port[DRAW_PORTS];
} draw;

void draw_begin(draw *d, uint64_t seed);

// Sets the inputs of this clock; what rst is.
bool draw_inputs(draw *d, const block_kind *kind, void *in);

#endif
