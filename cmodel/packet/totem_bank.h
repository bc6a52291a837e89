// SPDX-License-Identifier: Apache-2.0
//
// totem_bank: compute registers of the pipe's queues, what a dispatch needs of them, restart state.
// Twin of rtl/packet/totem_bank.v: the same names, the same rules, one step per clock. Rules and
// their numbers are those of docs/contract/bank.md.

#ifndef TOTEM_BANK_H
#define TOTEM_BANK_H

#include <stdbool.h>
#include <stdint.h>

#include "../lib/totem_config.h"

typedef struct {
    uint8_t  queue;      // queue whose values the working registers hold
    bool     loaded;     // they are complete
    bool     go_pending; // a load is asked for and has not begun
    uint8_t  next_queue; // queue of that load
    bool     loading;
    bool     saving;
    uint8_t  step;                // read or write of the load or save
    bool     saved[TOTEM_QUEUES]; // the RAM holds the restart state of an unfinished grid
    bool     write_valid;         // a register write on its way to the RAM
    uint8_t  write_offset;
    uint32_t write_data;
    bool     stale;                 // the derived word in the RAM is older than the working registers
    uint8_t  stage[TOTEM_QUEUES];   // derived next: 0 nothing, 1 words, 2 full group, 3 to 9 partial group stage - 2
    uint8_t  partial[TOTEM_QUEUES]; // with stage 0: 1 table in place, 2 a partial field is 0, 3 one is above full
    uint8_t  derive_step;  // 0 idle, 1 result, 2 to 4 read X, Y, Z, 5 take Z, 6 times Y, 7 times Z, 8 to 13 words
    uint8_t  derive_queue; // of this queue
    uint8_t  derive_turn;  // queue that had its turn last
    bool     derive_own;   // the last choice was `queue`, ahead of the turns
    bool     asked;        // divide has asked one clock ago
    uint8_t  asked_place;  // for this dimension
    uint16_t factor;       // multiplicand
    uint16_t times_y;      // multiplier not yet used
    uint16_t times_z;      // Z
    uint16_t sum;          // product so far; the result
    bool     above;        // a partial field read in this product is above its full field
    uint16_t threads;      // threads of a work-group
    uint8_t  vgprs;        // field VGPRS
    uint16_t lds;          // field LDS_SIZE
    uint8_t  user;         // field USER_SGPR
    bool     engines[TOTEM_SE_COUNT];
    uint64_t program_addr;
    uint64_t origin; // {z, y, x}
    uint32_t initiator;
    uint64_t restart; // restart id
    uint8_t  restart_mask;
    uint64_t restart_end; // end of the grid in progress
    bool     clear_pending[TOTEM_QUEUES];
    bool     clear_active;
    uint8_t  clear_queue;
    uint8_t  clear_step;
    bool     guest_valid; // an access by mqd is held
    bool     guest_write;
    uint8_t  guest_queue;
    uint8_t  guest_offset;
    uint32_t guest_data;
    bool     answer; // the guest's read took place one clock ago
} totem_bank;

typedef struct {
    bool     load_valid;
    uint8_t  load_queue;
    uint8_t  load_kind;
    uint64_t load_data;
    bool     arbiter_go;
    uint8_t  arbiter_selected;
    bool     packet_write;
    uint8_t  packet_offset;
    uint32_t packet_data;
    bool     packet_save;
    bool     packet_forget;
    bool     packet_start;
    uint64_t packet_start_end;
    uint64_t walker_low;
    uint8_t  walker_mask;
    bool     divide_read;
    uint8_t  divide_read_place; // 0 x, 1 y, 2 z
    uint32_t ram_read_data;
    bool     mqd_valid;
    bool     mqd_write;
    uint8_t  mqd_queue;
    uint8_t  mqd_offset;
    uint32_t mqd_data;
} totem_bank_in;

typedef struct {
    bool     loaded;
    bool     busy;
    bool     prepared[TOTEM_QUEUES]; // registers are in place
    uint16_t threads;                // this and the next eight count only while loaded
    uint8_t  partial;
    uint8_t  vgprs;
    uint16_t lds;
    bool     engines[TOTEM_SE_COUNT];
    uint32_t initiator;
    uint64_t origin;
    uint64_t restart;
    uint8_t  restart_mask;
    uint64_t restart_end;
    uint64_t restart_origin;
    uint64_t program_addr;
    uint8_t  words;
    bool     state_low_write_enable;
    uint8_t  state_low_write_addr; // {queue, state word}
    uint32_t state_low_write_data;
    bool     state_high_write_enable;
    uint8_t  state_high_write_addr;
    uint32_t state_high_write_data;
    bool     ram_write_enable;
    uint16_t ram_write_addr; // {queue, offset}
    uint32_t ram_write_data;
    bool     ram_read_enable;
    uint16_t ram_read_addr;
    bool     mqd_ready;
    bool     mqd_answer;
} totem_bank_out;

void totem_bank_reset(totem_bank *s);
void totem_bank_outputs(const totem_bank *s, totem_bank_out *o);
void totem_bank_step(totem_bank *s, const totem_bank_in *i);

#endif
