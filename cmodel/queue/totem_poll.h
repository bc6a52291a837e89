// SPDX-License-Identifier: Apache-2.0
//
// totem_poll: conditions for which the queues of a pipe wait, and the pipe's poll port.
// Twin of rtl/queue/totem_poll.v: the same names, the same rules, one step per clock. Rules and
// their numbers are those of docs/contract/poll.md.

#ifndef TOTEM_POLL_H
#define TOTEM_POLL_H

#include <stdbool.h>
#include <stdint.h>

#include "../top/totem_config.h"

typedef struct {
    uint8_t  phase; // as in the contract
    bool     own;   // the read is the packet processor's
    uint8_t  queue; // polled last
    bool     live;  // its result is wanted
    uint64_t address;
    uint8_t  compare;
    uint32_t pause; // clocks to the next poll of that queue
    bool     waiting[TOTEM_QUEUES];
    bool     timer[TOTEM_QUEUES];
    bool     due[TOTEM_QUEUES];
    bool     ended[TOTEM_QUEUES];
    uint8_t  error[TOTEM_QUEUES];
    uint64_t deadline[TOTEM_QUEUES];
} totem_poll;

typedef struct {
    bool     load_valid;
    uint8_t  load_queue;
    uint8_t  load_kind;
    bool     arbiter_active[TOTEM_QUEUES];
    uint8_t  packet_queue;
    bool     packet_commit;
    bool     packet_wait;
    bool     packet_wait_last;
    bool     packet_wait_timer;
    uint64_t packet_wait_word;
    bool     packet_read_valid;
    uint64_t packet_read_addr;
    uint64_t ram_read_data;
    bool     read_ready;
    bool     data_valid;
    uint64_t data_word;
    uint8_t  data_error;
    uint64_t clock;
} totem_poll_in;

typedef struct {
    bool     packet_read_ready;
    bool     packet_answer;
    bool     waiting[TOTEM_QUEUES];
    bool     ended[TOTEM_QUEUES];
    uint8_t  error[TOTEM_QUEUES];
    bool     ram_read_enable;
    uint8_t  ram_read_addr;
    bool     busy;
    bool     read_valid;
    uint64_t read_addr;
} totem_poll_out;

void totem_poll_reset(totem_poll *s);
void totem_poll_outputs(const totem_poll *s, totem_poll_out *o);
void totem_poll_step(totem_poll *s, const totem_poll_in *i);

// Clocks until a deadline is found reached (rule 1), if nothing else happens and `clock` is now.
uint64_t totem_poll_quiet(const totem_poll *s, uint64_t clock);

#endif
