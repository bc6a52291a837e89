// SPDX-License-Identifier: Apache-2.0
//
// The platform of totem_driver on libtotem: registers, memory and time are those of a machine in this process. On a
// chip the same four functions are a few lines (docs/driver.md).

#ifndef PLATFORM_H
#define PLATFORM_H

#include "surroundings.h"

#include <totem_driver.h>

#include <stdlib.h>

enum { PLATFORM_CLOCKS = 10000 }; // within which an access of a register is answered

typedef struct {
    surroundings around;
    totem       *machine;
    size_t       used;
} platform;

static inline void platform_clock(platform *p, const totem_host_pins_in *host, totem_outputs *pins)
{
    totem_inputs in = {0};
    in.host         = *host;
    for (int f = 0; f < TOTEM_FRONT_ENDS_MAX; f++)
        memory_clock(&p->around, f, &pins->memory[f], &in.memory[f]);
    totem_step(p->machine, &in, pins);
}

static inline int platform_read32(void *context, uint32_t address, uint32_t *value)
{
    platform          *p    = context;
    totem_host_pins_in host = {0};
    totem_outputs      pins;
    host.arvalid = host.rready = true;
    host.araddr                = address;
    totem_look(p->machine, &pins);
    for (int clock = 0; clock < PLATFORM_CLOCKS; clock++) {
        const bool taken = host.arvalid && pins.host.arready, answered = pins.host.rvalid;
        const int  error = pins.host.rresp;
        *value           = pins.host.rdata;
        platform_clock(p, &host, &pins);
        if (answered)
            return error;
        host.arvalid = host.arvalid && !taken;
    }
    return -1;
}

static inline int platform_write32(void *context, uint32_t address, uint32_t value)
{
    platform          *p    = context;
    totem_host_pins_in host = {0};
    totem_outputs      pins;
    host.awvalid = host.wvalid = host.bready = true;
    host.awaddr                              = address;
    host.wdata                               = value;
    host.wstrb                               = 15;
    totem_look(p->machine, &pins);
    for (int clock = 0; clock < PLATFORM_CLOCKS; clock++) {
        const bool address_taken = pins.host.awready, data_taken = pins.host.wready, answered = pins.host.bvalid;
        const int  error = pins.host.bresp;
        platform_clock(p, &host, &pins);
        if (answered)
            return error;
        host.awvalid = host.awvalid && !address_taken;
        host.wvalid  = host.wvalid && !data_taken;
    }
    return -1;
}

// From address 4096 on; never given back.
static inline int platform_allocate(void *context, size_t bytes, size_t alignment, totem_driver_memory *memory)
{
    platform    *p  = context;
    const size_t at = (p->used + 4096 + alignment - 1) & ~(alignment - 1);
    if (at + bytes > MEMORY_BYTES)
        return -1;
    p->used        = at + bytes - 4096;
    memory->cpu    = p->around.bytes + at;
    memory->device = at;
    memory->bytes  = bytes;
    return 0;
}

// Some clocks pass between two polls.
static inline int platform_pause(void *context, uint32_t poll)
{
    platform          *p    = context;
    totem_host_pins_in host = {0};
    totem_outputs      pins;
    (void)poll;
    totem_look(p->machine, &pins);
    for (int clock = 0; clock < 64; clock++)
        platform_clock(p, &host, &pins);
    return 0;
}

static inline totem_driver_platform platform_open(void)
{
    totem_driver_platform callbacks = {0};
    platform             *p         = calloc(1, sizeof *p);
    if (!p || !(p->machine = totem_create()))
        exit(1);
    callbacks.context  = p;
    callbacks.read32   = platform_read32;
    callbacks.write32  = platform_write32;
    callbacks.allocate = platform_allocate;
    callbacks.pause    = platform_pause;
    callbacks.polls    = 200;
    return callbacks;
}

static inline void platform_close(totem_driver_platform *callbacks)
{
    platform *p = callbacks->context;
    totem_destroy(p->machine);
    free(p);
}

#endif
