// SPDX-License-Identifier: Apache-2.0
//
// world: see world.h. The C twins alone.

#include "world.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef struct {
    world             world;
    totem_context     context;
    totem_context_in  context_in;
    totem_context_out context_out;
    totem_frames      frames;
    totem_frames_in   frames_in;
    totem_frames_out  frames_out;
    uint32_t          read[TOTEM_BANKS];
} twins;

world *world_open(void *given)
{
    twins *t = calloc(1, sizeof *t);
    (void)given;
    if (!t) {
        fprintf(stderr, "no memory for the blocks\n");
        exit(2);
    }
    t->world.context_in    = &t->context_in;
    t->world.frames_in     = &t->frames_in;
    t->world.context       = &t->context_out;
    t->world.frames        = &t->frames_out;
    t->world.context_state = &t->context;
    t->world.frames_state  = &t->frames;
    totem_context_reset(&t->context);
    totem_frames_reset(&t->frames);
    totem_context_outputs(&t->context, &t->context_out);
    totem_frames_outputs(&t->frames, &t->frames_out);
    return &t->world;
}

void world_close(world *w)
{
    free(w);
}

bool world_step(world *w)
{
    twins *t = (twins *)w;
    world_join(w);
    memcpy(t->frames_in.ram_read_data, t->read, sizeof t->read);
    for (uint32_t b = 0; b < TOTEM_BANKS; b++)
        if (t->frames_out.ram_read_enable[b])
            t->read[b] = w->ram[b][t->frames_out.ram_read_addr[b]];
    world_write_ram(w);
    totem_context_step(&t->context, &t->context_in);
    totem_frames_step(&t->frames, &t->frames_in);
    totem_context_outputs(&t->context, &t->context_out);
    totem_frames_outputs(&t->frames, &t->frames_out);
    t->context_in = (totem_context_in){0};
    t->frames_in  = (totem_frames_in){0};
    w->clock++;
    return true;
}
