// SPDX-License-Identifier: Apache-2.0
//
// totem_dc: dispatch controller of a front end: two pipes to one, choice of engine, header, state and
// group words, credits, recalls.
// Twin of rtl/issue/totem_dc.v: the same names, the same rules, one step per clock. Rules and
// their numbers are those of docs/contract/dc.md.

#ifndef TOTEM_DC_H
#define TOTEM_DC_H

#include <stdbool.h>
#include <stdint.h>

#include "../lib/totem_config.h"

typedef struct {
    uint8_t  presented[TOTEM_PIPES * TOTEM_SE_COUNT];
    uint8_t  used[TOTEM_PIPES * TOTEM_SE_COUNT * 2];
    bool     buffer[TOTEM_PIPES * TOTEM_SE_COUNT];
    bool     header_sent[TOTEM_PIPES * TOTEM_SE_COUNT];
    bool     recalled[TOTEM_PIPES * TOTEM_SE_COUNT];
    uint16_t total[TOTEM_PIPES];
    bool     served;
    uint8_t  last;
    bool     stream_valid;
    bool     stream_pipe;
    uint8_t  stream_engine;
    uint8_t  stream_step;
    uint8_t  stream_partial;
    bool     bus_valid;
    uint64_t bus_word;
    uint16_t bus_tag;
    bool     take[TOTEM_PIPES];
    uint8_t  take_engine;
    bool     killed[TOTEM_PIPES];
} totem_dc;

typedef struct {
    bool     walker_group_valid[TOTEM_PIPES];
    uint64_t walker_group[TOTEM_PIPES];
    uint8_t  walker_group_partial[TOTEM_PIPES]; // x (bit 0), y, z
    bool     walker_room[TOTEM_PIPES * TOTEM_SE_COUNT];
    bool     walker_outstanding[TOTEM_PIPES * TOTEM_SE_COUNT];
    bool     packet_stop[TOTEM_PIPES];
    bool     packet_start[TOTEM_PIPES];
    uint8_t  dispatch_waves[TOTEM_PIPES];
    uint8_t  dispatch_threads[TOTEM_PIPES];
    bool     dispatch_wave32[TOTEM_PIPES];
    uint8_t  dispatch_queue[TOTEM_PIPES];
    uint8_t  dispatch_epoch[TOTEM_PIPES];
    uint8_t  arbiter_pipe_priority[TOTEM_PIPES];
    uint64_t bank_program_addr[TOTEM_PIPES];
    uint8_t  bank_vgprs[TOTEM_PIPES];
    uint16_t bank_lds[TOTEM_PIPES];
    bool     bank_engines[TOTEM_PIPES * TOTEM_SE_COUNT];
    uint8_t  bank_words[TOTEM_PIPES];
    uint32_t state_low_data[TOTEM_PIPES];
    uint32_t state_high_data[TOTEM_PIPES];
    uint8_t  issue_free_slots[TOTEM_SE_COUNT];
    uint16_t issue_free_vgprs_left[TOTEM_SE_COUNT];
    uint16_t issue_free_lds_left[TOTEM_SE_COUNT];
    bool     grant_valid[TOTEM_PIPES * TOTEM_SE_COUNT];
    bool     release_valid[TOTEM_PIPES * TOTEM_SE_COUNT];
    bool     release_buffer[TOTEM_SE_COUNT];
    bool     answer_valid[TOTEM_PIPES * TOTEM_SE_COUNT];
    uint8_t  answer_count[TOTEM_SE_COUNT];
    bool     kill_word_valid[TOTEM_PIPES];
    uint8_t  kill_word_engine[TOTEM_PIPES];
    uint8_t  kill_word_queue[TOTEM_PIPES];
    uint8_t  kill_word_epochs[TOTEM_PIPES];
    uint8_t  fe_number;
} totem_dc_in;

typedef struct {
    bool     take[TOTEM_PIPES];
    uint8_t  take_engine;
    bool     killed[TOTEM_PIPES];
    bool     state_read_enable[TOTEM_PIPES];
    uint8_t  state_read_addr[TOTEM_PIPES]; // counts only while state_read_enable
    bool     bus_valid;
    uint64_t bus_word; // counts only while bus_valid
    uint16_t bus_tag;  // counts only while bus_valid
} totem_dc_out;

void totem_dc_reset(totem_dc *s);
void totem_dc_outputs(const totem_dc *s, totem_dc_out *o);
void totem_dc_step(totem_dc *s, const totem_dc_in *i);
bool totem_dc_invariant(const totem_dc *s);

#endif
