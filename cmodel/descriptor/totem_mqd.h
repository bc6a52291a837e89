// SPDX-License-Identifier: Apache-2.0
//
// totem_mqd: carries a queue between its slot and its descriptor in memory. Twin of rtl/descriptor/totem_mqd.v: the same
// names, the same rules, one step per clock. Rules are those of docs/contract/mqd.md.

#ifndef TOTEM_MQD_H
#define TOTEM_MQD_H

#include <stdbool.h>
#include <stdint.h>

#include "../lib/totem_config.h"

typedef struct {
    uint8_t  phase;
    uint8_t  queue;      // slot of the job; in IDLE of the last one
    uint8_t  job;        // 1 preload, 2 window, 3 save, 5 switch save, 6 switch load, 7 end
    uint8_t  step;       // word of HEAD, BUFFER, PUT, ERROR
    uint64_t base;       // MQD, byte address [39:2]
    bool     preload;    // PRELOAD_REQ of the window
    bool     grid;       // DISP_ACTIVE of the window, in a switch load of the MQD
    uint64_t place;      // committed position in the open indirect buffer, byte address [39:2]
    uint32_t left;       // dwords from there to its end
    uint8_t  dword;      // dword of the MQD that is dealt with
    uint32_t value;      // its value; in ERROR the offending dword
    uint64_t pair;       // the two dwords of a write; in a switch load [31:0] the read pointer
    uint8_t  strobe;     // which of them are there
    uint8_t  fill;       // place of the next beat in the block RAM
    bool     beat_valid; // a beat on its way to the block RAM
    uint8_t  beat_place;
    uint64_t beat;
    uint8_t  owed;                 // writes not acknowledged
    uint8_t  code;                 // error of the job, 0 none
    uint8_t  reason;               // type of the dequeue request that ended with the job, 0 none
    bool     unequal;              // read pointers of the two records differ
    bool     behind[TOTEM_QUEUES]; // records of an earlier mapping differ
    uint8_t  pause;                // clocks until records that differ are read again
} totem_mqd;

typedef struct {
    uint8_t  hqd_request[TOTEM_QUEUES];
    bool     hqd_leaving[TOTEM_QUEUES];
    bool     hqd_done;
    uint8_t  hqd_error;
    uint32_t hqd_rdata;
    bool     bank_ready;
    bool     bank_answer;
    uint32_t register_ram_read_data;
    bool     packet_unfinished[TOTEM_QUEUES];
    bool     hqd_dropping[TOTEM_QUEUES];
    bool     fetch_buffer[TOTEM_QUEUES];
    uint64_t fetch_buffer_addr[TOTEM_QUEUES];
    uint32_t fetch_buffer_left[TOTEM_QUEUES];
    uint64_t ram_read_data;
    bool     read_ready;
    bool     data_valid;
    uint64_t data_word;
    bool     data_last;
    uint8_t  data_error;
    bool     write_ready;
    bool     record_write_valid;
    bool     write_ack;
    uint8_t  ack_tag;
    uint8_t  ack_error;
    bool     events_interrupt_ready;
    bool     fence_interrupt_valid;
    bool     events_error_ready;
    bool     record_error_valid;
    bool     poll_error_valid;
    bool     poll_error_second;
} totem_mqd_in;

typedef struct {
    bool     access_valid;
    uint8_t  access_kind; // 0 read, 1 write, 2 load bus word
    uint8_t  access_queue;
    uint8_t  access_dword;
    uint64_t access_data;
    bool     bank_valid;
    bool     bank_write;
    uint8_t  bank_queue;
    uint8_t  bank_offset;
    uint32_t bank_data;
    bool     ram_write_enable;
    uint8_t  ram_write_addr;
    uint64_t ram_write_data;
    bool     ram_read_enable;
    uint8_t  ram_read_addr;
    bool     read_valid;
    uint64_t read_addr;
    uint8_t  read_beats;
    bool     write_valid;
    uint64_t write_word;
    bool     interrupt_valid;
    uint64_t interrupt_word;
    bool     error_valid;
    uint64_t error_word;
    bool     busy;
    bool     behind[TOTEM_QUEUES];
} totem_mqd_out;

void totem_mqd_reset(totem_mqd *s);
void totem_mqd_outputs(const totem_mqd *s, totem_mqd_out *o);
void totem_mqd_step(totem_mqd *s, const totem_mqd_in *i);

#endif
