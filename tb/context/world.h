// SPDX-License-Identifier: Apache-2.0
//
// world: the blocks context and frames, joined to each other, with the RAM banks of the registers. world_twin.c: the
// C twins alone. world_lockstep.c: C twins and RTL (tb/block), every output compared in every clock.

#ifndef WORLD_H
#define WORLD_H

#include "totem_context.h"
#include "totem_frames.h"

enum {
    WORLD_ROWS  = TOTEM_REGISTERS / TOTEM_BANKS,
    WORLD_WORDS = 2 * TOTEM_SETS * WORLD_ROWS, // of a bank
};

typedef struct {
    // Of the clock that is to be stepped.
    totem_context_in        *context_in;
    totem_frames_in         *frames_in;
    const totem_context_out *context;
    const totem_frames_out  *frames;
    // State of the C twins, to look into only.
    const totem_context *context_state;
    const totem_frames  *frames_state;
    uint32_t             ram[TOTEM_BANKS][WORLD_WORDS]; // as the writes of frames leave it
    uint64_t             clock;
    void                *side;
} world;

// `given` is the block_bench of a lockstep, else NULL.
world *world_open(void *given);
void   world_close(world *w);

// One clock. The inputs that join the blocks are set here; the others are 0 again after it. False: RTL and C twin
// differ.
bool world_step(world *w);

// Register x of the set: where it lies physically, and what a READ would give.
uint32_t world_register(const world *w, uint32_t set, uint32_t x);
uint32_t world_logical(const world *w, uint32_t set, uint32_t x);

// For the two variants: joins the blocks, and what the RAM does in this clock.
void world_join(world *w);
void world_write_ram(world *w);

#endif
