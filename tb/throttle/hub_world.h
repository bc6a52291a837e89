// SPDX-License-Identifier: Apache-2.0
//
// hub_world: the blocks hub and monitor, joined, with the RAM of each FIFO. hub_twin.c: the C twins alone.
// hub_lockstep.c: C twins and RTL (tb/block), every output compared in every clock.

#ifndef HUB_WORLD_H
#define HUB_WORLD_H

#include "totem_hub.h"
#include "totem_monitor.h"

typedef struct {
    totem_hub_in            *hub_in;
    totem_monitor_in        *monitor_in;
    const totem_hub_out     *hub;
    const totem_monitor_out *monitor;
    uint64_t                 clock;
    void                    *side;
} hub_world;

// `given` is the block_bench of a lockstep, else NULL.
hub_world *hub_world_open(void *given);
void       hub_world_close(hub_world *w);

// One clock; the inputs are 0 again behind it, but for the interval. False: RTL and C twin differ.
bool hub_world_step(hub_world *w);

#endif
