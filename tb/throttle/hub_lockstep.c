// SPDX-License-Identifier: Apache-2.0
//
// hub_world: see hub_world.h. C twins and RTL.

#include "hub_world.h"

#include "../block/block.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

extern const block_kind hub_block, monitor_block;

typedef struct {
    block *hub, *monitor;
} pair;

hub_world *hub_world_open(void *given)
{
    hub_world *w = calloc(1, sizeof *w);
    pair      *p = calloc(1, sizeof *p);
    if (!w || !p) {
        fprintf(stderr, "no memory for the blocks\n");
        exit(2);
    }
    p->hub     = block_open(given, &hub_block);
    p->monitor = block_open(given, &monitor_block);
    *w         = (hub_world){block_in(p->hub), block_in(p->monitor), block_out(p->hub), block_out(p->monitor), 0, p};
    return w;
}

void hub_world_close(hub_world *w)
{
    pair *p = w->side;
    block_close(p->hub);
    block_close(p->monitor);
    free(p);
    free(w);
}

bool hub_world_step(hub_world *w)
{
    pair         *p        = w->side;
    const uint8_t interval = w->monitor_in->interval;
    memcpy(w->monitor_in->count, w->hub->count, sizeof w->monitor_in->count);
    const bool hub     = block_step(p->hub, false);
    const bool monitor = block_step(p->monitor, false);
    memset(w->hub_in, 0, sizeof *w->hub_in);
    memset(w->monitor_in, 0, sizeof *w->monitor_in);
    w->monitor_in->interval = interval;
    w->clock++;
    return hub && monitor;
}
