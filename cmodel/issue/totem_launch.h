// SPDX-License-Identifier: Apache-2.0
//
// totem_launch: launch port of an engine: one wave per clock of the granted group, a free slot for each.
// Twin of rtl/issue/totem_launch.v: the same names, the same rules, one step per clock. Rules and
// their numbers are those of docs/contract/launch.md.

#ifndef TOTEM_LAUNCH_H
#define TOTEM_LAUNCH_H

#include <stdbool.h>
#include <stdint.h>

#include "../lib/totem_config.h"

// Three groups, entry 0 the oldest: the one that launches.
typedef struct {
    uint8_t  count;
    bool     asked; // room one clock ago
    uint8_t  index; // waves of entry 0 accepted so far
    uint8_t  fe[3];
    bool     pipe[3];
    bool     buffer[3];
    bool     fresh[3];
    uint64_t group[3];
    uint8_t  waves[3];
    uint8_t  threads[3];
    bool     wave32[3];
    uint8_t  vgprs[3];
    uint16_t lds[3];
    uint64_t program_addr[3];
    uint8_t  queue[3];
    uint8_t  epoch[3];
    bool     used[TOTEM_SLOTS];
    bool     slot_valid; // slot is free and set aside for the next wave
    uint8_t  slot;
    bool     release_valid;
    uint8_t  release_fe;
    bool     release_pipe;
    bool     release_buffer;
    bool     alloc_valid;
    uint8_t  alloc_slot;
    bool     alloc_first;
    uint8_t  alloc_waves;
    uint8_t  alloc_fe;
    bool     alloc_pipe;
    uint8_t  alloc_queue;
    uint8_t  alloc_epoch;
    uint8_t  alloc_vgprs;
    uint16_t alloc_lds;
} totem_launch;

typedef struct {
    bool     grant_valid;
    uint8_t  grant_fe;
    bool     grant_pipe;
    bool     grant_buffer;
    bool     grant_new;
    uint64_t grant_group;
    uint8_t  grant_waves;
    uint8_t  grant_threads;
    bool     grant_wave32;
    uint8_t  grant_vgprs;
    uint16_t grant_lds;
    uint64_t grant_program;
    uint8_t  grant_queue;
    uint8_t  grant_epoch;
    bool     launch_ready;
    bool     free_valid;
    uint8_t  free_slot;
} totem_launch_in;

typedef struct {
    bool room;
    // counts only while launch_valid
    bool     launch_valid;
    uint8_t  launch_kind;
    uint8_t  launch_path;
    uint8_t  launch_fe;
    bool     launch_pipe;
    uint8_t  launch_queue;
    uint8_t  launch_epoch;
    uint64_t launch_group;
    uint8_t  launch_index;
    uint8_t  launch_waves;
    bool     launch_wave32;
    uint8_t  launch_threads;
    uint64_t launch_program;
    uint8_t  launch_vgprs;
    uint16_t launch_lds;
    uint8_t  launch_slot;
    bool     launch_buffer;
    bool     launch_state_new;
    // counts only while release_valid
    bool    release_valid;
    uint8_t release_fe;
    bool    release_pipe;
    bool    release_buffer;
    // counts only while alloc_valid
    bool     alloc_valid;
    uint8_t  alloc_slot;
    bool     alloc_first;
    uint8_t  alloc_waves;
    uint8_t  alloc_fe;
    bool     alloc_pipe;
    uint8_t  alloc_queue;
    uint8_t  alloc_epoch;
    uint8_t  alloc_vgprs;
    uint16_t alloc_lds;
    bool     idle; // no wave is offered
} totem_launch_out;

void totem_launch_reset(totem_launch *s);
void totem_launch_outputs(const totem_launch *s, totem_launch_out *o);
void totem_launch_step(totem_launch *s, const totem_launch_in *i);

#endif
