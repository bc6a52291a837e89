// SPDX-License-Identifier: Apache-2.0
//
// hub_world: see hub_world.h. The C twins alone.

#include "hub_world.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef struct {
    hub_world         world;
    totem_hub         hub;
    totem_hub_in      hub_in;
    totem_hub_out     hub_out;
    totem_monitor     monitor;
    totem_monitor_in  monitor_in;
    totem_monitor_out monitor_out;
    uint32_t          ram[TOTEM_SE_COUNT][TOTEM_HUB_DEPTH], read[TOTEM_SE_COUNT];
} twins;

hub_world *hub_world_open(void *given)
{
    twins *t = calloc(1, sizeof *t);
    (void)given;
    if (!t) {
        fprintf(stderr, "no memory for the blocks\n");
        exit(2);
    }
    t->world = (hub_world){&t->hub_in, &t->monitor_in, &t->hub_out, &t->monitor_out, 0, NULL};
    totem_hub_reset(&t->hub);
    totem_monitor_reset(&t->monitor);
    totem_hub_outputs(&t->hub, &t->hub_out);
    totem_monitor_outputs(&t->monitor, &t->monitor_out);
    return &t->world;
}

void hub_world_close(hub_world *w)
{
    free(w);
}

bool hub_world_step(hub_world *w)
{
    twins        *t        = (twins *)w;
    const uint8_t interval = t->monitor_in.interval;
    memcpy(t->monitor_in.count, t->hub_out.count, sizeof t->monitor_in.count);
    memcpy(t->hub_in.ram_read_data, t->read, sizeof t->read);
    for (unsigned n = 0; n < TOTEM_SE_COUNT; n++) {
        if (t->hub_out.ram_read_enable[n])
            t->read[n] = t->ram[n][t->hub_out.ram_read_addr[n]];
        if (t->hub_out.ram_write_enable[n])
            t->ram[n][t->hub_out.ram_write_addr[n]] = t->hub_out.ram_write_data[n];
    }
    totem_hub_step(&t->hub, &t->hub_in);
    totem_monitor_step(&t->monitor, &t->monitor_in);
    totem_hub_outputs(&t->hub, &t->hub_out);
    totem_monitor_outputs(&t->monitor, &t->monitor_out);
    t->hub_in     = (totem_hub_in){0};
    t->monitor_in = (totem_monitor_in){.interval = interval};
    w->clock++;
    return true;
}
