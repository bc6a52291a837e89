// SPDX-License-Identifier: Apache-2.0
//
// written: memory as the packets of a stream find it. When the stream is read in front of its execution, words that
// earlier packets of it write to memory stand in front of what memory holds. When it is read as it executes, memory has
// all that was written: what it delivered last counts (memory_seen).

#ifndef WRITTEN_H
#define WRITTEN_H

#include "../../../cmodel/packet/totem_pm4.h"
#include "address.h"
#include "memory.h"

#include <stddef.h>
#include <stdint.h>
#include <string.h>

// The latest words; older ones are forgotten.
typedef struct {
    struct {
        uint64_t address;
        uint32_t value;
    } list[256];
    size_t   count;
    bool     executing; // the stream is read as it executes
    uint64_t since;     // then: the clock from which on its packet may have read memory
} written;

static inline uint32_t written_read(const written *w, const memory *m, uint64_t address)
{
    for (size_t n = w->count; n-- > 0;)
        if (w->list[n].address == (address & ~(uint64_t)3))
            return w->list[n].value;
    return w->executing ? memory_seen(m, address, w->since) : memory_read32(m, address);
}

static inline void written_write(written *w, uint64_t address, uint32_t value)
{
    if (w->executing)
        return;
    if (w->count == sizeof w->list / sizeof w->list[0])
        memmove(w->list, w->list + 1, sizeof w->list[0] * --w->count);
    w->list[w->count].address = address & ~(uint64_t)3;
    w->list[w->count].value   = value;
    w->count++;
}

// What a COPY_DATA copies, if the stream and memory tell it: number of dwords, 0 if they do not.
static inline uint32_t written_copied(const written *w, const memory *m, const uint32_t *packet, uint32_t value[2])
{
    const uint32_t from = packet[1] & 15, count = 1 + (packet[1] >> 16 & 1);
    if (from != TOTEM_COPY_SRC_IMMEDIATE && from != TOTEM_COPY_SRC_MEMORY && from != TOTEM_COPY_SRC_TC_L2)
        return 0;
    for (uint32_t n = 0; n < count; n++)
        value[n] = from == TOTEM_COPY_SRC_IMMEDIATE
                       ? packet[2 + n]
                       : written_read(w, m, packet_address(packet[2], packet[3]) + 4 * (uint64_t)n);
    return count;
}

// A COPY_DATA to memory.
static inline void written_copy(written *w, const memory *m, const uint32_t *packet)
{
    uint32_t       value[2];
    const uint32_t count = (packet[1] >> 8 & 15) == TOTEM_WRITE_DST_REGISTER ? 0 : written_copied(w, m, packet, value);
    for (uint32_t n = 0; n < count; n++)
        written_write(w, packet_address(packet[4], packet[5]) + 4 * (uint64_t)n, value[n]);
}

// A DMA_DATA to memory.
static inline void written_move(written *w, const memory *m, const uint32_t *packet)
{
    const uint32_t target = packet[1] >> 20 & 3, from = packet[1] >> 29 & 3;
    if (target == TOTEM_DMA_DST_GDS || target == TOTEM_DMA_DST_NOWHERE)
        return;
    for (uint32_t n = 0; n < (packet[6] & 0x3ffffff) / 4; n++) {
        const uint64_t source = packet_address(packet[2], packet[3]) + (packet[6] >> 28 & 1 ? 0 : 4 * (uint64_t)n);
        written_write(w, packet_address(packet[4], packet[5]) + (packet[6] >> 29 & 1 ? 0 : 4 * (uint64_t)n),
                      from == TOTEM_DMA_SRC_DATA ? packet[2] : written_read(w, m, source));
    }
}

#endif
