// SPDX-License-Identifier: Apache-2.0
//
// totem_fence: epochs of the pipe's slots: counts, closes and completes them in order, writes fences.
// Twin of rtl/fence/totem_fence.v: the same names, the same rules, one step per clock. Rules and
// their numbers are those of docs/contract/fence.md.

#ifndef TOTEM_FENCE_H
#define TOTEM_FENCE_H

#include <stdbool.h>
#include <stdint.h>

#include "../lib/totem_config.h"

enum { TOTEM_FENCE_FAILURES = 4 }; // places for failed packet writes

typedef struct {
    uint8_t  epoch[TOTEM_QUEUES];  // current epoch
    uint8_t  oldest[TOTEM_QUEUES]; // oldest closed epoch; epoch if there is none
    uint8_t  first[TOTEM_QUEUES];  // oldest epoch of the present mapping
    bool     mapped[TOTEM_QUEUES];
    bool     shut[TOTEM_QUEUES]; // the current epoch is closed by a pair, and there was none to go on with
    bool     message[TOTEM_QUEUES * TOTEM_EPOCHS]; // the closed epoch has a message in the RAM
    bool     pair[TOTEM_QUEUES * TOTEM_EPOCHS];    // that message is record's
    uint8_t  reserved[TOTEM_QUEUES];               // abandoned epochs whose late ends are awaited, bit = epoch
    bool     abandoned[TOTEM_QUEUES];              // what was left of the slot has just been abandoned
    uint16_t lost;                                 // fences abandoned
    uint16_t late;                                 // ends of waves of reserved epochs
    uint16_t count[TOTEM_QUEUES * TOTEM_EPOCHS];   // waves and packet writes in flight
    uint16_t waves[TOTEM_QUEUES];                  // waves in flight
    uint8_t  place;                                // word of the message that arrives next
    bool     guest;                                // that message is record's
    bool     store_valid;                          // a word on its way to the RAM
    uint64_t store_word;
    uint8_t  store_place;
    uint8_t  store_queue;
    bool     store_guest;                 // it is record's
    bool     sent[TOTEM_QUEUES];          // the fence write of the oldest epoch is with memory
    bool     answered[TOTEM_QUEUES];      // it is acknowledged
    bool     notify[TOTEM_QUEUES];        // an interrupt follows it
    uint8_t  fault[TOTEM_QUEUES];         // its error, 0 none
    bool     silent[TOTEM_QUEUES];        // a fence write of the present mapping was never answered
    bool     silent_before[TOTEM_QUEUES]; // one of an earlier mapping, of which some is left
    uint8_t  owed;                        // packet writes that are not acknowledged
    uint8_t  failures;                    // failed packet writes that wait for their records
    uint8_t  failure_queue[TOTEM_FENCE_FAILURES];
    uint8_t  failure_code[TOTEM_FENCE_FAILURES];
    uint64_t failure_addr[TOTEM_FENCE_FAILURES];
    uint8_t  phase; // 0 IDLE, 1 READ, 2 WRITE, 4 INTERRUPT, 5 DONE, 6 ERROR
    uint8_t  serve; // queue that is dealt with
    uint8_t  step;  // word of READ, WRITE, ERROR
    bool     again; // READ comes after the write
    uint64_t address;
    uint8_t  data_sel;
    uint8_t  int_sel;
    uint64_t data;
    uint32_t ctxid;
    uint8_t  code; // error being reported, 4: waves did not end in time
    bool     own;  // of a fence write: an epoch ends with it
    bool     halt;
    uint8_t  halt_queue;
} totem_fence;

typedef struct {
    bool     packet_close;
    bool     packet_valid;
    uint64_t packet_word;
    bool     packet_write;
    uint8_t  arbiter_selected;
    bool     kill_abandon[TOTEM_QUEUES];
    bool     record_valid;
    uint64_t record_word;
    uint8_t  record_queue;
    bool     load_valid;
    uint8_t  load_queue;
    uint8_t  load_kind;
    uint64_t load_data;
    bool     grant_valid[TOTEM_SE_COUNT];
    uint8_t  grant_waves[TOTEM_SE_COUNT];
    uint8_t  grant_queue[TOTEM_SE_COUNT];
    uint8_t  grant_epoch[TOTEM_SE_COUNT];
    bool     complete_valid[TOTEM_SE_COUNT];
    uint8_t  complete_queue[TOTEM_SE_COUNT];
    uint8_t  complete_epoch[TOTEM_SE_COUNT];
    uint64_t ram_read_data;
    bool     write_ready;
    bool     write_ack;
    bool     packet_write_ack;
    uint8_t  ack_tag;
    uint8_t  ack_error;
    uint64_t ack_addr;
    bool     events_interrupt_ready;
    bool     events_error_ready;
    uint64_t clock;
} totem_fence_in;

typedef struct {
    bool     packet_ready;
    bool     record_ready;
    uint8_t  epoch[TOTEM_QUEUES];
    bool     room[TOTEM_QUEUES];
    bool     flushed[TOTEM_QUEUES];
    uint16_t waves[TOTEM_QUEUES];
    bool     idle[TOTEM_QUEUES];
    bool     settled[TOTEM_QUEUES];
    uint8_t  targets[TOTEM_QUEUES]; // bit = epoch
    bool     quiet[TOTEM_QUEUES];
    bool     abandoned[TOTEM_QUEUES];
    uint16_t lost;
    uint16_t late;
    bool     write_room;
    bool     halt;
    uint8_t  halt_queue; // counts only while halt
    bool     ram_write_enable;
    uint8_t  ram_write_addr; // {queue, epoch, word}
    uint64_t ram_write_data;
    bool     ram_read_enable;
    uint8_t  ram_read_addr;
    bool     write_valid;
    uint64_t write_word;
    bool     interrupt_valid;
    uint64_t interrupt_word;
    bool     error_valid;
    uint64_t error_word;
} totem_fence_out;

void totem_fence_reset(totem_fence *s);
void totem_fence_outputs(const totem_fence *s, totem_fence_out *o);
void totem_fence_step(totem_fence *s, const totem_fence_in *i);

// Representation of the contract: sizes of counters that are narrower than their C type.
bool totem_fence_invariant(const totem_fence *s);

#endif
