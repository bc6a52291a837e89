// SPDX-License-Identifier: Apache-2.0
//
// program: what a stream does, played plainly: the registers at its draws, and what the figures of docs/context.md say
// of it. What a driver makes of it is totem_bounce_plan (cmodel/tool/pm4_bounce.h).

#ifndef PROGRAM_H
#define PROGRAM_H

#include "../../cmodel/tool/pm4_bounce.h"
#include "stream.h"

// Registers at every draw and dispatch of the stream, in order: a replay of the stream as it is, with registers that
// begin with 0.
typedef uint32_t registers[TOTEM_REGISTERS];
registers       *program_replay(const totem_context_stream *s, const uint32_t *table);

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

program_facts program_look(const totem_context_stream *s, const uint32_t *table);

#endif
