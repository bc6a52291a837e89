// SPDX-License-Identifier: Apache-2.0
//
// totem_poll: conditions for which the queues of a pipe wait, write pointers that are polled, and the pipe's poll port.
// Twin of rtl/packet/totem_poll.v: the same names, the same rules, one step per clock. Rules and
// their numbers are those of docs/contract/poll.md.

#ifndef TOTEM_POLL_H
#define TOTEM_POLL_H

#include <stdbool.h>
#include <stdint.h>

#include "../lib/totem_config.h"

typedef struct {
    uint8_t  phase;   // as in the contract
    bool     own;     // the read is the packet processor's
    bool     pointer; // the last poll is of a write pointer
    uint8_t  queue;   // polled last
    bool     live;    // its result is wanted
    uint64_t address;
    uint32_t value; // write pointer read; word of the record
    uint8_t  fault; // error of that read
    uint8_t  compare;
    uint32_t pause; // clocks to the next poll of that queue
    bool     waiting[TOTEM_QUEUES];
    bool     timer[TOTEM_QUEUES];
    bool     due[TOTEM_QUEUES];
    bool     ended[TOTEM_QUEUES];
    uint8_t  error[TOTEM_QUEUES];
    uint64_t deadline[TOTEM_QUEUES];
    bool     polled[TOTEM_QUEUES]; // its write pointer is
    bool     ripe[TOTEM_QUEUES];   // and is to be read
    bool     once[TOTEM_QUEUES];   // a one-shot is to come
    bool     wanted[TOTEM_QUEUES]; // takes part in the turns
    uint16_t again[TOTEM_QUEUES];  // when it may be read again
} totem_poll;

typedef struct {
    bool     load_valid;
    uint8_t  load_queue;
    uint8_t  load_kind;
    uint64_t load_data;
    bool     arbiter_active[TOTEM_QUEUES];
    bool     packet_halted[TOTEM_QUEUES];
    uint8_t  dispatch_queue;
    bool     packet_commit;
    bool     packet_wait_valid;
    bool     packet_wait_last;
    bool     packet_wait_timer;
    uint64_t packet_wait_word;
    bool     packet_poll_valid;
    uint64_t packet_poll_addr;
    uint64_t ram_read_data;
    bool     read_ready;
    bool     data_valid;
    uint64_t data_word;
    uint8_t  data_error;
    uint64_t clock;
    bool     host_poll_once[TOTEM_QUEUES];
    bool     settings_poll_enable;
    uint8_t  settings_poll_period;
    bool     hqd_done;
    uint8_t  hqd_error;
    uint32_t hqd_rdata;
    bool     events_mqd_error_ready;
    bool     record_error_valid;
    bool     mqd_error_valid;
} totem_poll_in;

typedef struct {
    bool     packet_read_ready;
    bool     packet_answer;
    bool     waiting[TOTEM_QUEUES];
    bool     ended[TOTEM_QUEUES];
    uint8_t  error[TOTEM_QUEUES];
    bool     ram_read_enable;
    uint8_t  ram_read_addr;
    bool     polled[TOTEM_QUEUES];
    bool     once[TOTEM_QUEUES];
    bool     access_valid;
    bool     access_write; // counts only while access_valid, as the next three
    uint8_t  access_queue;
    uint8_t  access_dword;
    uint32_t access_data;
    bool     halt;
    uint8_t  halt_queue; // counts only while halt
    bool     error_valid;
    uint64_t error_word; // counts only while error_valid
    bool     error_second;
    bool     busy;
    bool     read_valid;
    uint64_t read_addr;
    uint8_t  read_beats;
} totem_poll_out;

void totem_poll_reset(totem_poll *s);
void totem_poll_outputs(const totem_poll *s, totem_poll_out *o);
void totem_poll_step(totem_poll *s, const totem_poll_in *i);

// Clocks until a deadline is found reached (rule 1), if nothing else happens and `clock` is now.
uint64_t totem_poll_quiet(const totem_poll *s, uint64_t clock);

#endif
