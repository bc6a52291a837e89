// SPDX-License-Identifier: Apache-2.0
//
// totem_record: records at top and end of pipe in the queues' MQDs. Twin of rtl/descriptor/totem_record.v: the same names,
// the same rules, one step per clock. Rules and their numbers are those of docs/contract/record.md.

#ifndef TOTEM_RECORD_H
#define TOTEM_RECORD_H

#include <stdbool.h>
#include <stdint.h>

#include "../lib/totem_config.h"

typedef struct {
    bool     described[TOTEM_QUEUES]; // the slot has an MQD
    bool     top_due[TOTEM_QUEUES];
    bool     end_due[TOTEM_QUEUES];
    bool     lost[TOTEM_QUEUES]; // its last top record failed
    uint8_t  turn;               // word of a switch-out that is made next, 0 none
    uint8_t  last;               // queue of the last switch-out
    bool     again;              // a loaded sequence number becomes that of the end record too
    bool     keep_valid;         // a word on its way to the record RAM
    uint8_t  keep_queue;
    uint8_t  keep_place;
    uint64_t keep_word;
    bool     keep_ended;
    uint8_t  phase; // as in the contract
    uint8_t  job;   // 0 top record, 1 end record, 2 end record to fence
    uint8_t  queue;
    uint8_t  place;
    uint64_t base; // MQD, byte address [39:3]
    uint64_t word;
    uint8_t  step;
    uint8_t  owed;  // writes not acknowledged
    uint8_t  fault; // first error of the record's writes
} totem_record;

typedef struct {
    bool     load_valid;
    uint8_t  load_queue;
    uint8_t  load_kind;
    uint64_t load_data;
    bool     packet_left;
    uint8_t  dispatch_queue;
    uint32_t fetch_rptr[TOTEM_QUEUES];
    bool     fetch_buffer[TOTEM_QUEUES];
    uint64_t fetch_buffer_addr[TOTEM_QUEUES];
    uint16_t fence_waves[TOTEM_QUEUES];
    bool     fence_settled[TOTEM_QUEUES];
    bool     fence_abandoned[TOTEM_QUEUES];
    bool     fence_ready;
    bool     hqd_parting[TOTEM_QUEUES];
    bool     hqd_killing[TOTEM_QUEUES];
    bool     hqd_leaving[TOTEM_QUEUES];
    bool     kill_ended[TOTEM_QUEUES];
    bool     arbiter_selected_valid;
    uint8_t  arbiter_selected;
    uint64_t ram_read_data;
    bool     mqd_write_valid;
    bool     write_ready;
    bool     write_ack;
    uint8_t  ack_tag;
    uint8_t  ack_error;
    bool     mqd_error_valid;
    bool     events_mqd_error_ready;
    bool     poll_error_valid;
    bool     poll_error_second;
} totem_record_in;

typedef struct {
    bool     fence_valid;
    uint64_t fence_word;
    uint8_t  fence_queue;
    bool     top_pending[TOTEM_QUEUES];
    bool     end_pending[TOTEM_QUEUES];
    bool     busy[TOTEM_QUEUES];
    bool     ram_write_enable;
    uint8_t  ram_write_addr;
    uint64_t ram_write_data;
    bool     ram_read_enable;
    uint8_t  ram_read_addr;
    bool     sequence_write_enable;
    uint8_t  sequence_write_addr;
    uint32_t sequence_write_data;
    bool     write_valid;
    uint64_t write_word;
    bool     error_valid;
    uint64_t error_word;
} totem_record_out;

void totem_record_reset(totem_record *s);
void totem_record_outputs(const totem_record *s, totem_record_out *o);
void totem_record_step(totem_record *s, const totem_record_in *i);

#endif
