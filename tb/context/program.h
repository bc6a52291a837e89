// SPDX-License-Identifier: Apache-2.0
//
// program: what a driver gives to the ring. Plain: the packets of the stream as they are. Bounced: it shadows the
// registers, gathers the context writes between two draws in a group in front of the draw, and puts a CONTEXT_BOUNCE
// before it.

#ifndef PROGRAM_H
#define PROGRAM_H

#include "stream.h"

enum { BOUNCE_DWORDS = 4 }; // header, hash in two dwords, count

typedef struct {
    bool     bounce; // CONTEXT_BOUNCE; else packet `packet` of the stream
    uint32_t packet;
    bool     last; // the last packet of a group
    uint64_t hash;
    uint32_t dwords, packets; // of the group that follows
} program_item;

typedef struct {
    program_item *item;
    size_t        items;
    uint32_t      groups;  // sets of context writes between two draws, ended by a draw
    uint32_t      bounced; // of those, behind a CONTEXT_BOUNCE
    uint32_t      moved;   // of those, packets of which lay apart
    uint32_t      stuck;   // groups that stay plain: one packet at least would cross a barrier
    uint32_t      early;   // groups that stay plain: a register was not known yet
} program;

void program_plain(program *p, const stream *s);
void program_bounced(program *p, const stream *s, const uint32_t *table);
void program_free(program *p);

// Hash of a full state: XXH64, seed 0, over the registers as little-endian dwords.
uint64_t program_hash(const uint32_t *state);

// Registers at every draw and dispatch of the stream, in order: a replay of the stream as it is, with registers that
// begin with 0.
typedef uint32_t registers[TOTEM_REGISTERS];
registers       *program_replay(const stream *s, const uint32_t *table);

// What the stream has, whatever plays it (docs/context.md, the captured frame).
typedef struct {
    uint32_t writes, same;      // context writes; those that change nothing
    uint32_t rolls, draw_rolls; // first writes after a draw or dispatch; after a draw, with draws that never end
    uint32_t states, distinct;  // states before draws that differ from that before the last draw; different ones
    uint32_t reuse[5];          // of those, states that are among the last 1, 2, 4, 8, 16 (least recently used goes)
    // Medians: dwords from the last dword of the first draw on a set to the value of the next write, and from header to
    // header; writes and changes from roll to roll.
    uint32_t apart, headers, written, changed;
} program_facts;

program_facts program_look(const stream *s, const uint32_t *table);

#endif
