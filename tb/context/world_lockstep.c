// SPDX-License-Identifier: Apache-2.0
//
// world: see world.h. C twins and RTL.

#include "world.h"

#include "../block/bundle.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

extern const block_kind context_block, frames_block;

typedef struct {
    world  world;
    block *context, *frames;
} pair;

world *world_open(void *given)
{
    pair *p = calloc(1, sizeof *p);
    if (!p) {
        fprintf(stderr, "no memory for the blocks\n");
        exit(2);
    }
    p->context             = block_open(given, &context_block);
    p->frames              = block_open(given, &frames_block);
    p->world.context_in    = block_in(p->context);
    p->world.frames_in     = block_in(p->frames);
    p->world.context       = block_out(p->context);
    p->world.frames        = block_out(p->frames);
    p->world.context_state = p->context->state;
    p->world.frames_state  = p->frames->state;
    p->world.side          = p;
    return &p->world;
}

void world_close(world *w)
{
    pair *p = w->side;
    block_close(p->context);
    block_close(p->frames);
    free(p);
}

bool world_step(world *w)
{
    pair *p = w->side;
    world_join(w);
    world_write_ram(w);
    bool context = block_step(p->context, false);
    bool frames  = block_step(p->frames, false);
    memset(w->context_in, 0, sizeof *w->context_in);
    memset(w->frames_in, 0, sizeof *w->frames_in);
    w->clock++;
    return context && frames;
}
