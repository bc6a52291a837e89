// SPDX-License-Identifier: Apache-2.0
//
// channels: see channels.h.

#include "channels.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

#if TOTEM_PARTITION

enum { PORTS = TOTEM_FE_COUNT, READS = 64, BLOCK = 7 };

struct channels {
    memory_read reads[PORTS][READS]; // of each front end, on the way
    uint32_t    count[PORTS];
};

channels *channels_create(void)
{
    return calloc(1, sizeof(channels));
}

static int channel_of(uint64_t address)
{
    return (int)(address >> BLOCK) % PORTS;
}

// A read of memory is one that a front end has asked for, with its number in the ID.
static bool asked(channels *c, const memory_read *read)
{
    const int    source = read->source % PORTS;
    memory_read *list   = c->reads[source];
    for (uint32_t n = 0; n < c->count[source]; n++)
        if (list[n].address == read->address && list[n].beats == read->beats && list[n].id == read->id) {
            list[n] = list[--c->count[source]];
            return true;
        }
    return false;
}

bool channels_step(channels *c, const totem_machine_out *out, const memory *m, uint64_t clock, char message[256])
{
    for (int port = 0; port < PORTS; port++) {
        const memory_read  *read = memory_asked(m, port);
        uint32_t            count;
        const memory_write *write = memory_taken(m, port, &count);
        for (; count-- > 0; write++)
            if (channel_of(write->address) != port) {
                snprintf(message, 256,
                         "clock %" PRIu64 ", channel %d: a write to 0x%010" PRIx64 ", which is of channel %d", clock,
                         port, write->address, channel_of(write->address));
                return false;
            }
        if (read && (channel_of(read->address) != port || !asked(c, read))) {
            snprintf(message, 256,
                     "clock %" PRIu64 ", channel %d: a read of 0x%010" PRIx64 " of front end %d, which %s", clock, port,
                     read->address, read->source,
                     channel_of(read->address) != port ? "is of another channel" : "it has not asked for");
            return false;
        }
    }
    for (int f = 0; f < PORTS; f++) {
        const totem_memory_out *o = &out->fe[f].memory;
        if (!o->m_axi_arvalid || !out->fe_route[f].ar_ready)
            continue;
        if (c->count[f] == READS) {
            snprintf(message, 256, "clock %" PRIu64 ", front end %d: %d reads are on the way to the channels", clock, f,
                     READS);
            return false;
        }
        c->reads[f][c->count[f]++] =
            (memory_read){.id = o->m_axi_arid, .address = o->m_axi_araddr, .beats = o->m_axi_arlen + 1u};
    }
    return true;
}

#else

channels *channels_create(void)
{
    return calloc(1, 1);
}

bool channels_step(channels *c, const totem_machine_out *out, const memory *m, uint64_t clock, char message[256])
{
    (void)c, (void)out, (void)m, (void)clock, (void)message;
    return true;
}

#endif

void channels_destroy(channels *c)
{
    free(c);
}
