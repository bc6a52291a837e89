// SPDX-License-Identifier: Apache-2.0
//
// totem_arbiter: chooses which queue of a pipe runs: readiness, priorities, scoreboard, quantum, replacement.
// Twin of rtl/queue/totem_arbiter.v: the same names, the same rules, one step per clock. Rules and
// their numbers are those of docs/contract/arbiter.md.

#ifndef TOTEM_ARBITER_H
#define TOTEM_ARBITER_H

#include <stdbool.h>
#include <stdint.h>

#include "../lib/totem_config.h"

typedef struct {
    bool    active[TOTEM_QUEUES];
    uint8_t queue_priority[TOTEM_QUEUES];
    uint8_t pipe_priorities[TOTEM_QUEUES];
    bool    quantum_enable[TOTEM_QUEUES];
    bool    quantum_scale[TOTEM_QUEUES];
    uint8_t quantum_duration[TOTEM_QUEUES];
    bool    ready[TOTEM_QUEUES];
    uint8_t level;                    // highest priority among the queues ready one clock ago
    bool    candidates[TOTEM_QUEUES]; // the queues that had it
    uint8_t scoreboard[16];           // queue served last, of each priority level
    bool    away[TOTEM_QUEUES];       // the queue's state is in its MQD
    bool    resident;                 // the queue selected has not been switched out since its go
    uint8_t move;                     // the sources' switch waits for mqd: 1 save, 2 load
    uint8_t move_queue;               // of this queue
    uint8_t settle;                   // clocks until candidates count again after packet_left
    bool    go;
    bool    selected_valid;
    uint8_t selected;
    bool    leave;
    // Of the turn of the selected queue.
    uint32_t turn;  // clocks since go
    uint32_t limit; // clocks of its quantum, as set a clock ago
    bool     timed; // that is enabled
    bool     ran;
    bool     wrote;
    bool     host_wrote;
} totem_arbiter;

typedef struct {
    bool     load_valid;
    uint8_t  load_queue;
    uint8_t  load_kind;
    uint64_t load_data;
    uint32_t settings_quantum_unit0;
    uint32_t settings_quantum_unit1;
    uint32_t settings_turn_limit;
    bool     settings_event_on_priority_write;
    bool     settings_mqd_save;
    bool     fetch_pending[TOTEM_QUEUES];
    bool     fetch_line[TOTEM_QUEUES];
    bool     bank_prepared[TOTEM_QUEUES];
    bool     packet_left;
    bool     packet_executed;
    bool     packet_priority_write;
    uint8_t  packet_priority_queue;
    uint8_t  packet_priority_data;
    bool     packet_unfinished[TOTEM_QUEUES];
    bool     packet_halted[TOTEM_QUEUES];
    bool     packet_wait_flush[TOTEM_QUEUES];
    bool     packet_wait_epoch[TOTEM_QUEUES];
    bool     poll_waiting[TOTEM_QUEUES];
    bool     hqd_dequeuing[TOTEM_QUEUES];
    bool     fence_flushed[TOTEM_QUEUES];
    bool     fence_room[TOTEM_QUEUES];
    bool     walker_busy;
    bool     grant_valid[TOTEM_SE_COUNT];
} totem_arbiter_in;

typedef struct {
    bool    go;
    bool    selected_valid;
    uint8_t selected; // counts only while selected_valid
    bool    leave;
    uint8_t pipe_priority; // counts only while selected_valid
    bool    active[TOTEM_QUEUES];
    bool    ready[TOTEM_QUEUES];
    uint8_t queue_priority[TOTEM_QUEUES];
    uint8_t move;
    uint8_t move_queue;
} totem_arbiter_out;

void totem_arbiter_reset(totem_arbiter *s);
void totem_arbiter_outputs(const totem_arbiter *s, totem_arbiter_out *o);
void totem_arbiter_step(totem_arbiter *s, const totem_arbiter_in *i);

#endif
