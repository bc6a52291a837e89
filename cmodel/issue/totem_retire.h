// SPDX-License-Identifier: Apache-2.0
//
// totem_retire: ends waves: looks up the slot of a done wave, frees its resources, LDS with the last
// wave of its group, reports the completion.
// Twin of rtl/issue/totem_retire.v: the same names, the same rules, one step per clock. Rules and
// their numbers are those of docs/contract/retire.md.

#ifndef TOTEM_RETIRE_H
#define TOTEM_RETIRE_H

#include <stdbool.h>
#include <stdint.h>

#include "../lib/totem_config.h"

typedef struct {
    uint8_t  live[TOTEM_SLOTS];     // waves of the group of that name that have not ended
    uint8_t  name;                  // of the group launched last
    bool     occupied[TOTEM_SLOTS]; // the slot has a wave that has not answered done
    bool     write_valid;
    uint8_t  write_slot;
    uint64_t write_word;
    bool     end_valid;
    uint8_t  end_slot;
    bool     read_valid;
    uint8_t  read_slot;
    bool     look_valid;
    uint8_t  look_slot;
    bool     free_valid;
    uint8_t  free_slot;
    uint8_t  free_vgprs;
    uint16_t free_lds;
    uint8_t  complete_fe;
    bool     complete_pipe;
    uint8_t  complete_queue;
    uint8_t  complete_epoch;
    bool     fault;
} totem_retire;

typedef struct {
    bool     alloc_valid;
    uint8_t  alloc_slot;
    bool     alloc_first;
    uint8_t  alloc_waves;
    uint8_t  alloc_fe;
    bool     alloc_pipe;
    uint8_t  alloc_queue;
    uint8_t  alloc_epoch;
    uint8_t  alloc_vgprs;
    uint16_t alloc_lds;
    bool     done_valid;
    uint8_t  done_slot;
    uint64_t table_read_data;
} totem_retire_in;

typedef struct {
    bool     table_write_enable;
    uint8_t  table_write_addr; // counts only while table_write_enable
    uint64_t table_write_data;
    bool     table_read_enable;
    uint8_t  table_read_addr; // counts only while table_read_enable
    bool     free_valid;
    uint8_t  free_slot; // counts only while free_valid
    uint8_t  free_vgprs;
    uint16_t free_lds;
    bool     complete_valid;
    uint8_t  complete_fe; // counts only while complete_valid
    bool     complete_pipe;
    uint8_t  complete_queue;
    uint8_t  complete_epoch;
    bool     fault;
} totem_retire_out;

void totem_retire_reset(totem_retire *s);
void totem_retire_outputs(const totem_retire *s, totem_retire_out *o);
void totem_retire_step(totem_retire *s, const totem_retire_in *i);

#endif
