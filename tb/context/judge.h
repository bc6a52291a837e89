// SPDX-License-Identifier: Apache-2.0
//
// judge: the rules of contexts said a second time, from docs/context.md: which set a roll takes (exact order of use),
// what is tagged, what a lookup must answer, which write is dropped, and what every register of every set is. It
// watches the inputs and outputs of the blocks; of frames it takes on trust only when a write is decided and when a
// roll has room.

#ifndef JUDGE_H
#define JUDGE_H

#include "world.h"

enum { JUDGE_OPS = 8 };

typedef struct {
    bool     clear;
    uint32_t index, data, mask;
} judge_op;

typedef struct {
    const uint32_t *table;
    bool            filter;
    uint32_t        value[TOTEM_SETS][TOTEM_REGISTERS];
    uint32_t        current, uses[TOTEM_SETS];
    bool            pending[TOTEM_SETS], tagged[TOTEM_SETS];
    uint64_t        tag[TOTEM_SETS], since[TOTEM_SETS], time; // `since`: when it was made current
    judge_op        op[JUDGE_OPS];                            // taken and not decided
    uint32_t        ops;
    bool            half, looking, plain, group, answered;
    bool            was_used, wanted; // in the clock before: the current set was in use, a write waited for a roll
    uint32_t        answer;
    uint64_t        hash;
    uint32_t        rolls, hits, misses, full, written, filtered; // what the blocks must have counted
    char            message[160];                                 // "": all as it must be
} judge;

void judge_open(judge *j, const uint32_t *table, bool filter);

// Around world_step: what happens in this clock, and what must be seen behind it.
void judge_clock(judge *j, const world *w);
void judge_check(judge *j, const world *w);

#endif
