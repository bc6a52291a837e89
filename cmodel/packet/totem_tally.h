// SPDX-License-Identifier: Apache-2.0
//
// totem_tally: counters of the packets that a pipe consumed without a rule, per queue and opcode.
// Twin of rtl/packet/totem_tally.v: the same names, the same rules, one step per clock. Rules and
// their numbers are those of docs/contract/tally.md.

#ifndef TOTEM_TALLY_H
#define TOTEM_TALLY_H

#include <stdbool.h>
#include <stdint.h>

#include "../lib/totem_config.h"

// An address of the RAM has 6 bits and those of the queue.
#if TOTEM_QUEUES > 4
#define TOTEM_TALLY_ADDR uint16_t
#else
#define TOTEM_TALLY_ADDR uint8_t
#endif

typedef struct {
    uint8_t  phase;         // as in the contract
    uint16_t place;         // {queue, opcode} of the counter in hand
    bool     for_host;      // the host wants it
    uint64_t word;          // to be stored
    bool     pending;       // a packet is to be counted
    uint16_t pending_place; // in this counter
} totem_tally;

typedef struct {
    bool     packet_ignored;
    uint8_t  dispatch_queue;
    uint8_t  packet_executed_opcode;
    bool     host_valid;
    bool     host_write;
    uint8_t  host_queue;
    uint8_t  host_dword;
    uint8_t  host_strobe;
    uint64_t ram_read_data;
} totem_tally_in;

typedef struct {
    bool             host_done;
    uint16_t         host_rdata;
    bool             ram_write_enable;
    TOTEM_TALLY_ADDR ram_write_addr;
    uint64_t         ram_write_data;
    bool             ram_read_enable;
    TOTEM_TALLY_ADDR ram_read_addr;
} totem_tally_out;

void totem_tally_reset(totem_tally *s);
void totem_tally_outputs(const totem_tally *s, totem_tally_out *o);
void totem_tally_step(totem_tally *s, const totem_tally_in *i);

#endif
