// SPDX-License-Identifier: Apache-2.0
//
// totem_port: receiving side of one front end at one engine: headers per pipe and buffer, state words
// to the engine's RAM, a FIFO of 4 groups per pipe with one order, recall.
// Twin of rtl/issue/totem_port.v: the same names, the same rules, one step per clock. Rules and
// their numbers are those of docs/contract/port.md.

#ifndef TOTEM_PORT_H
#define TOTEM_PORT_H

#include <stdbool.h>
#include <stdint.h>

#include "../lib/totem_config.h"

typedef struct {
    uint8_t  count[TOTEM_PIPES];
    uint8_t  first[TOTEM_PIPES];
    uint64_t fifo_group[TOTEM_PIPES * 4];
    uint8_t  fifo_priority[TOTEM_PIPES * 4];
    bool     fifo_buffer[TOTEM_PIPES * 4];
    bool     fifo_partial[TOTEM_PIPES * 4];
    uint8_t  fifo_waves[TOTEM_PIPES * 4];
    uint8_t  fifo_threads[TOTEM_PIPES * 4];
    uint16_t fifo_total[TOTEM_PIPES * 4];
    bool     awaited; // the group that came last is partial and its numbers are not here yet
    bool     awaited_pipe;
    uint8_t  awaited_place;
    bool     order[8];
    uint8_t  index[TOTEM_PIPES];
    uint64_t header_program[TOTEM_PIPES * 2];
    uint8_t  header_vgprs[TOTEM_PIPES * 2];
    uint16_t header_lds[TOTEM_PIPES * 2];
    bool     header_wave32[TOTEM_PIPES * 2];
    uint8_t  header_waves[TOTEM_PIPES * 2];
    uint8_t  header_threads[TOTEM_PIPES * 2];
    uint8_t  header_queue[TOTEM_PIPES * 2];
    uint8_t  header_epoch[TOTEM_PIPES * 2];
    uint16_t header_total[TOTEM_PIPES * 2];
    bool     header_fresh[TOTEM_PIPES * 2];
    bool     recall_valid;
    bool     recall_pipe;
    bool     answer_valid;
    bool     answer_pipe;
    uint8_t  answer_count;
    bool     state_write_enable;
    uint8_t  state_write_addr;
    uint64_t state_write_data;
    bool     kill_pending[TOTEM_PIPES]; // a kill that has not been on the wave interface
    uint8_t  kill_queues[TOTEM_PIPES];
    uint8_t  kill_masks[TOTEM_PIPES];
    bool     overrun;
} totem_port;

typedef struct {
    uint8_t  fe_number;
    uint8_t  se_number;
    bool     bus_lane_valid[TOTEM_LANES];
    uint64_t bus_lane_word[TOTEM_LANES];
    uint16_t bus_lane_tag[TOTEM_LANES];
    bool     pop;
    bool     share_kill_ready;
} totem_port_in;

typedef struct {
    bool     head_valid;
    bool     head_pipe;     // counts only while head_valid
    uint8_t  head_priority; // counts only while head_valid
    bool     head_buffer;   // counts only while head_valid
    bool     head_new;      // counts only while head_valid
    uint64_t head_group;    // counts only while head_valid
    uint8_t  head_waves;    // counts only while head_valid
    uint8_t  head_threads;  // counts only while head_valid
    bool     head_wave32;   // counts only while head_valid
    uint8_t  head_vgprs;    // counts only while head_valid
    uint16_t head_total;    // counts only while head_valid
    uint16_t head_lds;      // counts only while head_valid
    uint64_t head_program;  // counts only while head_valid
    uint8_t  head_queue;    // counts only while head_valid
    uint8_t  head_epoch;    // counts only while head_valid
    bool     answer_valid;
    bool     answer_pipe;  // counts only while answer_valid
    uint8_t  answer_count; // counts only while answer_valid
    bool     state_write_enable;
    uint8_t  state_write_addr; // counts only while state_write_enable
    uint64_t state_write_data; // counts only while state_write_enable
    bool     kill_valid;
    bool     kill_pipe;   // counts only while kill_valid
    uint8_t  kill_queue;  // counts only while kill_valid
    uint8_t  kill_epochs; // counts only while kill_valid
    bool     idle;
    bool     overrun;
} totem_port_out;

void totem_port_reset(totem_port *s);
void totem_port_outputs(const totem_port *s, totem_port_out *o);
void totem_port_step(totem_port *s, const totem_port_in *i);
bool totem_port_invariant(const totem_port *s);

#endif
