// SPDX-License-Identifier: Apache-2.0
//
// totem_walker: walks the grid of a pipe's dispatch: a window of 8 work-group ids from the lowest
// ungranted one, who holds them, recall and restart state.
// Twin of rtl/issue/totem_walker.v: the same names, the same rules, one step per clock. Rules and
// their numbers are those of docs/contract/walker.md.

#ifndef TOTEM_WALKER_H
#define TOTEM_WALKER_H

#include <stdbool.h>
#include <stdint.h>

#include "../lib/totem_config.h"

// Ids are {z[15:0], y[15:0], x[31:0]}; a place is the number of an id in the walk modulo 8.
typedef struct {
    bool     busy;
    bool     stop;
    uint64_t low;
    uint64_t next;
    uint64_t first;
    uint64_t last;
    bool     partial;
    uint8_t  head;
    uint8_t  ahead;
    bool     beyond;
    bool     presented[8];
    bool     granted[8];
    uint8_t  fifo[TOTEM_SE_COUNT * 4];
    uint8_t  count[TOTEM_SE_COUNT];
    bool     mismatch;
} totem_walker;

typedef struct {
    bool     packet_start;
    bool     packet_start_resume;
    bool     packet_start_fresh_at_zero;
    uint64_t packet_start_end;
    bool     packet_start_partial;
    bool     packet_stop;
    uint64_t bank_origin;
    uint64_t bank_restart;
    uint8_t  bank_restart_mask;
    uint64_t bank_restart_end;
    uint64_t bank_restart_origin;
    bool     dc_take;
    uint8_t  dc_take_engine;
    bool     grant_valid[TOTEM_SE_COUNT];
    bool     answer_valid[TOTEM_SE_COUNT];
    uint8_t  answer_count[TOTEM_SE_COUNT];
} totem_walker_in;

typedef struct {
    bool     busy;
    bool     stopped;
    uint64_t low;
    uint8_t  mask;
    bool     group_valid;
    uint64_t group;         // counts only while group_valid
    uint8_t  group_partial; // counts only while group_valid: x (bit 0), y, z
    bool     room[TOTEM_SE_COUNT];
    bool     outstanding[TOTEM_SE_COUNT];
    bool     mismatch;
} totem_walker_out;

void totem_walker_reset(totem_walker *s);
void totem_walker_outputs(const totem_walker *s, totem_walker_out *o);
void totem_walker_step(totem_walker *s, const totem_walker_in *i);

// What the proof of the step rests on: holds after reset and after every step.
bool totem_walker_invariant(const totem_walker *s);

#endif
