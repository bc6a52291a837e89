// SPDX-License-Identifier: Apache-2.0
//
// What a driver does for bouncing (docs/context.md): it shadows the context registers, gathers the context writes
// between two draws in a group in front of the draw, and puts a CONTEXT_BOUNCE before the group.
//
// A group stays plain (its packets stay where they are) if a write would have to cross a barrier, if a register is not
// known before it, or if it is too long for the count of CONTEXT_BOUNCE.
#ifndef TOTEM_PM4_BOUNCE_H
#define TOTEM_PM4_BOUNCE_H

#include "pm4_context.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

enum { TOTEM_BOUNCE_DWORDS = 4 }; // header, count, hash in two dwords

typedef struct {
    bool     bounce; // CONTEXT_BOUNCE; else packet `packet` of the stream
    uint32_t packet;
    bool     last; // the last packet of a group
    uint64_t hash;
    uint32_t dwords, packets; // of the group that follows
} totem_bounce_item;

typedef struct {
    totem_bounce_item *item;
    size_t             items;
    uint32_t           groups;  // sets of context writes between two draws, ended by a draw
    uint32_t           bounced; // of those, behind a CONTEXT_BOUNCE
    uint32_t           moved;   // of those, packets of which lay apart
    uint32_t           crossed; // groups that stay plain: one packet at least would cross a barrier
    uint32_t           unknown; // a register was not known yet
    uint32_t           large;   // more dwords than the count can say
} totem_bounce_plan;

// The packets as they are; and with bouncing. `table`: values of CLEAR_STATE, NULL if they are not known. False: no
// memory.
bool totem_bounce_plain(totem_bounce_plan *plan, const totem_context_stream *s);
bool totem_bounce_make(totem_bounce_plan *plan, const totem_context_stream *s, const uint32_t *table);
void totem_bounce_free(totem_bounce_plan *plan);

// Hash of a full state: XXH64, seed 0, over the registers as little-endian dwords.
uint64_t totem_bounce_hash(const uint32_t value[TOTEM_CONTEXT_REGISTERS]);

// Writes the plan of a stream as hexadecimal dwords, a packet a line; `words` are the dwords of the stream.
void totem_bounce_write(FILE *out, const totem_bounce_plan *plan, const totem_context_stream *s, const uint32_t *words);

#endif
