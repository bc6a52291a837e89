// SPDX-License-Identifier: Apache-2.0
//
// player: plays a program as the packet processor of the graphics pipe will: a dword of the stream a clock, each
// context write, lookup, draw and end of a group in its turn, with the promises that the contracts of context and
// frames ask for. Draws go down a pipe of `latency` clocks and leave it in order, one in `service` clocks.
//
// Checked: all registers of the set at every draw and dispatch are those of a plain replay, looked at when it is
// issued (through the map of frames and the copy that may run) and where they lie physically when it ends; and
// everything that judge.h says.

#ifndef PLAYER_H
#define PLAYER_H

#include "program.h"
#include "world.h"

#include <stdio.h>

typedef struct {
    bool     bounce_enable, filter;
    uint32_t latency, service;
} player_settings;

typedef struct {
    uint64_t clocks;        // from the first dword until the last draw has ended
    uint64_t stream_clocks; // until the last dword is consumed
    uint64_t waits[4];      // clocks in which no dword was consumed, by what it waited for: PLAYER_WAITS
    uint32_t written, filtered, rolls, hits, misses, full, exposed;
    uint32_t most_sets;       // in use at a time
    uint32_t uses, unsettled; // draws and dispatches; those that ended before the copy of their set did
    uint64_t digest;          // of all registers of all draws
} player_figures;

enum { PLAYER_WAIT_WRITE, PLAYER_WAIT_LOOKUP, PLAYER_WAIT_DRAW, PLAYER_WAIT_GROUP, PLAYER_WAITS };

// `given` is for world_open. `trace`: a line of CSV a clock, or NULL. False: `message` says what is wrong; empty: RTL
// and C twin differ, and the bench has told.
bool play(void *given, const totem_context_stream *s, const totem_bounce_plan *p, const uint32_t *table,
          registers *expected, const player_settings *settings, player_figures *figures, FILE *trace, char *message,
          size_t size);

#endif
