// SPDX-License-Identifier: Apache-2.0
//
// totem_issue: issue stage of an engine: contenders, tiers, totem pole, fit, grant, resource counts.
// Twin of rtl/issue/totem_issue.v: the same names, the same rules, one step per clock. Rules and
// their numbers are those of docs/contract/issue.md.

#ifndef TOTEM_ISSUE_H
#define TOTEM_ISSUE_H

#include <stdbool.h>
#include <stdint.h>

#include "../lib/totem_config.h"

typedef struct {
    uint8_t  order[TOTEM_FE_COUNT * TOTEM_PIPES];
    uint8_t  free_slots;
    uint16_t free_vgprs_left;
    uint16_t free_lds_left;
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
    bool     fault;
} totem_issue;

typedef struct {
    bool     head_valid[TOTEM_FE_COUNT];
    bool     head_pipe[TOTEM_FE_COUNT];
    uint8_t  head_priority[TOTEM_FE_COUNT];
    bool     head_buffer[TOTEM_FE_COUNT];
    bool     head_new[TOTEM_FE_COUNT];
    uint64_t head_group[TOTEM_FE_COUNT];
    uint8_t  head_waves[TOTEM_FE_COUNT];
    uint8_t  head_threads[TOTEM_FE_COUNT];
    bool     head_wave32[TOTEM_FE_COUNT];
    uint8_t  head_vgprs[TOTEM_FE_COUNT];
    uint16_t head_total[TOTEM_FE_COUNT];
    uint16_t head_lds[TOTEM_FE_COUNT];
    uint64_t head_program[TOTEM_FE_COUNT];
    uint8_t  head_queue[TOTEM_FE_COUNT];
    uint8_t  head_epoch[TOTEM_FE_COUNT];
    bool     events_stop;
    bool     launch_room;
    bool     free_valid;
    uint8_t  free_vgprs;
    uint16_t free_lds;
} totem_issue_in;

typedef struct {
    bool     grant_valid;
    uint8_t  grant_fe;      // counts only while grant_valid
    bool     grant_pipe;    // counts only while grant_valid
    bool     grant_buffer;  // counts only while grant_valid
    bool     grant_new;     // counts only while grant_valid
    uint64_t grant_group;   // counts only while grant_valid
    uint8_t  grant_waves;   // counts only while grant_valid
    uint8_t  grant_threads; // counts only while grant_valid
    bool     grant_wave32;  // counts only while grant_valid
    uint8_t  grant_vgprs;   // counts only while grant_valid
    uint16_t grant_lds;     // counts only while grant_valid
    uint64_t grant_program; // counts only while grant_valid
    uint8_t  grant_queue;   // counts only while grant_valid
    uint8_t  grant_epoch;   // counts only while grant_valid
    uint8_t  free_slots;
    uint16_t free_vgprs_left;
    uint16_t free_lds_left;
    uint8_t  order[TOTEM_FE_COUNT * TOTEM_PIPES];
    bool     idle;
    bool     fault;
} totem_issue_out;

void totem_issue_reset(totem_issue *s);
void totem_issue_outputs(const totem_issue *s, totem_issue_out *o);
void totem_issue_step(totem_issue *s, const totem_issue_in *i);

#endif
