// SPDX-License-Identifier: Apache-2.0
//
// What surrounds a machine in an example: a memory behind every front end, which answers one access at a time, and a
// host, which does its writes one after the other.

#ifndef SURROUNDINGS_H
#define SURROUNDINGS_H

#include <totem.h>

#include <string.h>

enum { MEMORY_BYTES = 1 << 16, WRITES = 64 };

typedef struct {
    uint8_t  bytes[MEMORY_BYTES]; // addresses wrap
    uint64_t read_at[TOTEM_FRONT_ENDS_MAX], write_at[TOTEM_FRONT_ENDS_MAX];
    unsigned beats[TOTEM_FRONT_ENDS_MAX];
    uint8_t  read_id[TOTEM_FRONT_ENDS_MAX], write_id[TOTEM_FRONT_ENDS_MAX];
    bool     open[TOTEM_FRONT_ENDS_MAX], answer[TOTEM_FRONT_ENDS_MAX];
    struct {
        uint32_t address, data;
    } writes[WRITES];
    unsigned count, done; // writes of the host
    bool     address_taken, data_taken;
} surroundings;

static inline void memory_clock(surroundings *s, int f, const totem_memory_pins_out *o, totem_memory_pins_in *i)
{
    *i = (totem_memory_pins_in){.arready = !s->beats[f],
                                .rvalid  = s->beats[f],
                                .rid     = s->read_id[f],
                                .rlast   = s->beats[f] == 1,
                                .awready = !s->open[f] && !s->answer[f],
                                .wready  = s->open[f],
                                .bvalid  = s->answer[f],
                                .bid     = s->write_id[f]};
    memcpy(&i->rdata, s->bytes + (s->read_at[f] & (MEMORY_BYTES - 8)), 8);
    if (i->rvalid && o->rready) {
        s->beats[f]--;
        s->read_at[f] += 8;
    }
    if (i->arready && o->arvalid) {
        s->beats[f]   = o->arlen + 1u;
        s->read_at[f] = o->araddr;
        s->read_id[f] = o->arid;
    }
    if (i->bvalid && o->bready)
        s->answer[f] = false;
    if (i->wready && o->wvalid) {
        for (unsigned b = 0; b < 8; b++)
            if (o->wstrb >> b & 1)
                s->bytes[(s->write_at[f] & (MEMORY_BYTES - 8)) + b] = (uint8_t)(o->wdata >> 8 * b);
        s->write_at[f] += 8;
        s->open[f]   = !o->wlast;
        s->answer[f] = o->wlast;
    }
    if (i->awready && o->awvalid) {
        s->open[f]     = true;
        s->write_at[f] = o->awaddr;
        s->write_id[f] = o->awid;
    }
}

static inline void host_clock(surroundings *s, const totem_host_pins_out *o, totem_host_pins_in *i)
{
    *i = (totem_host_pins_in){.bready = true};
    if (s->done == s->count)
        return;
    i->awaddr        = s->writes[s->done].address;
    i->wdata         = s->writes[s->done].data;
    i->wstrb         = 15;
    i->awvalid       = !s->address_taken;
    i->wvalid        = !s->data_taken;
    s->address_taken = s->address_taken || o->awready;
    s->data_taken    = s->data_taken || o->wready;
    if (o->bvalid) {
        s->done++;
        s->address_taken = s->data_taken = false;
    }
}

static inline void host_write(surroundings *s, uint32_t address, uint32_t data)
{
    s->writes[s->count].address = address;
    s->writes[s->count++].data  = data;
}

// A type 3 packet into the ring at `at`, behind `dwords` others. Returns the dwords then.
static inline uint32_t packet(surroundings *s, uint32_t at, uint32_t dwords, uint32_t opcode, uint32_t count,
                              const uint32_t *body)
{
    const uint32_t header = 3u << 30 | (count - 1) << 16 | opcode << 8;
    memcpy(s->bytes + at + 4 * dwords, &header, 4);
    memcpy(s->bytes + at + 4 * dwords + 4, body, 4 * (size_t)count);
    return dwords + 1 + count;
}

#endif
