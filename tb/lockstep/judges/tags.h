// SPDX-License-Identifier: Apache-2.0
//
// tags: to whom the states on chip belong (docs/context.md), for draws. From the packets in memory at the read pointer,
// mappings, SKIPs and writes of BOUNCE_FLUSH it knows which hashes a CONTEXT_BOUNCE may find, and when groups run
// plainly. It looks at nothing of context.

#ifndef TAGS_H
#define TAGS_H

#include "memory.h"
#include "totem_machine.h"

#include <stddef.h>
#include <stdint.h>

// Of one ring. Zeroed at first: no mapping yet.
typedef struct {
    const memory *memory;
    uint64_t      base; // of the ring
    uint32_t      size; // in dwords
    uint64_t     *hash; // tagged since the tags were dropped
    size_t        count, room;
    uint64_t      group;             // hash of the open group
    bool          open, plain;       // groups are executed plainly until CLEAR_STATE
    uint32_t      flushing, enabled; // clocks until a flush counts; for which BOUNCE_EN has been 1
} tags;

void tags_end(tags *t);
// One clock of the ring of this front end. What is broken, NULL: nothing.
const char *tags_clock(tags *t, const totem_machine_out *out, int fe);

#endif
