// SPDX-License-Identifier: Apache-2.0
//
// totem_kill: ends the waves of slots that are being reset.
// Twin of rtl/queue/totem_kill.v: the same names, the same rules, one step per clock. Rules and
// their numbers are those of docs/contract/kill.md.

#ifndef TOTEM_KILL_H
#define TOTEM_KILL_H

#include <stdbool.h>
#include <stdint.h>

#include "../lib/totem_config.h"

typedef struct {
    uint32_t since[TOTEM_QUEUES];   // time since the stage of the reset began, in units of TOTEM_QUEUES clocks
    bool     before[TOTEM_QUEUES];  // hqd_killing of the clock before
    bool     slow[TOTEM_QUEUES];    // the stage takes too long
    bool     abandon[TOTEM_QUEUES]; // the time-out has passed
    bool     expired[TOTEM_QUEUES]; // what was left is abandoned
    bool     ended[TOTEM_QUEUES];
    bool     word_valid;
    uint8_t  word_engine;
    uint8_t  word_queue;
    uint8_t  word_epochs; // bit = epoch
    uint8_t  pause;       // clocks until the next round
} totem_kill;

typedef struct {
    bool     hqd_resetting[TOTEM_QUEUES];
    bool     hqd_killing[TOTEM_QUEUES];
    uint8_t  fence_targets[TOTEM_QUEUES]; // bit = epoch
    bool     fence_quiet[TOTEM_QUEUES];
    bool     fence_settled[TOTEM_QUEUES];
    bool     fence_abandoned[TOTEM_QUEUES];
    bool     dc_killed;
    uint32_t settings_dequeue_timeout;
    uint64_t clock;
} totem_kill_in;

typedef struct {
    bool    abandon[TOTEM_QUEUES];
    bool    ended[TOTEM_QUEUES];
    bool    overdue;
    bool    word_valid;
    uint8_t word_engine; // counts only while word_valid
    uint8_t word_queue;  // counts only while word_valid
    uint8_t word_epochs; // counts only while word_valid
} totem_kill_out;

void totem_kill_reset(totem_kill *s);
void totem_kill_outputs(const totem_kill *s, totem_kill_out *o);
void totem_kill_step(totem_kill *s, const totem_kill_in *i);

#endif
