// SPDX-License-Identifier: Apache-2.0
//
// totem_frames: context registers of a graphics pipe: SETS sets in SETS + 2 frames of block RAM, and the copies.
// Twin of rtl/context/totem_frames.v: the same names, the same rules, one step per clock. Rules and
// their numbers are those of docs/contract/frames.md.

#ifndef TOTEM_FRAMES_H
#define TOTEM_FRAMES_H

#include <stdbool.h>
#include <stdint.h>

#include "../lib/totem_config.h"

// Number of a register; rows of a copy, 0 to all; address {frame, row} in a bank of 2 * TOTEM_SETS frames.
#if TOTEM_REGISTERS > 256
#define TOTEM_FRAMES_INDEX uint16_t
#else
#define TOTEM_FRAMES_INDEX uint8_t
#endif
#if TOTEM_REGISTERS / TOTEM_BANKS > 128
#define TOTEM_FRAMES_ROWS uint16_t
#else
#define TOTEM_FRAMES_ROWS uint8_t
#endif
#if 2 * TOTEM_SETS * (TOTEM_REGISTERS / TOTEM_BANKS) > 256
#define TOTEM_FRAMES_ADDR uint16_t
#else
#define TOTEM_FRAMES_ADDR uint8_t
#endif

typedef struct {
    uint8_t            op_count;   // operations held; element 0 is the oldest
    uint8_t            op_kind[3]; // 0 WRITE, 1 CLEAR, 2 READ, 3 refused
    TOTEM_FRAMES_INDEX op_index[3];
    uint32_t           op_data[3];
    uint32_t           op_mask[3];
    bool               look; // operation 0 was read in the clock before
    bool               want; // operation 0 waits for a roll
    bool               put;  // a word is written in this clock
    uint8_t            put_frame;
    TOTEM_FRAMES_INDEX put_index;
    uint32_t           put_data;
    bool               put_table; // it belongs to the table
    bool               past;      // `put` one clock ago, with the next three
    uint8_t            past_frame;
    TOTEM_FRAMES_INDEX past_index;
    uint32_t           past_data;
    bool               table_held; // a word for the table is held
    bool               table_look; // it was given its turn in the clock before
    TOTEM_FRAMES_INDEX table_index;
    uint32_t           table_data;
    uint8_t            frame[TOTEM_SETS]; // of every set
    uint8_t            spare;
    uint8_t            now;     // frame of the current set
    bool               fresh;   // the spare is, or is becoming, a copy of the current set
    bool               copying; // a copy runs
    uint8_t            copy_source;
    uint8_t            copy_target;
    TOTEM_FRAMES_ROWS  copy_read[TOTEM_BANKS]; // rows read
    TOTEM_FRAMES_ROWS  copy_done[TOTEM_BANKS]; // rows written
    bool               copy_look[TOTEM_BANKS]; // a row of the copy is on ram_read_data
    bool               copy_put[TOTEM_BANKS];  // copy_data is written in this clock into row copy_done
    uint32_t           copy_data[TOTEM_BANKS];
    bool               read_valid;
    uint32_t           read_data;
    bool               refused;
    bool               cleared;
    uint32_t           written;
    uint32_t           filtered;
    uint32_t           exposed_clocks;
} totem_frames;

typedef struct {
    bool               op_valid;
    uint8_t            op_kind;
    uint16_t           op_index;
    uint32_t           op_data;
    uint32_t           op_mask;
    bool               filter_enable;
    bool               table_valid;
    TOTEM_FRAMES_INDEX table_index;
    uint32_t           table_data;
    bool               context_used;
    bool               context_has_tag;
    bool               context_roll_want;
    bool               context_roll_free;
    uint8_t            context_roll_set;
    bool               context_hit_valid;
    uint8_t            context_hit_set;
    uint32_t           ram_read_data[TOTEM_BANKS];
} totem_frames_in;

typedef struct {
    bool              op_ready;
    bool              idle;
    bool              read_valid;
    uint32_t          read_data; // counts only while read_valid
    bool              refused;
    bool              table_ready;
    bool              roll_want;
    bool              roll_room;
    bool              changed;
    bool              cleared;
    uint8_t           frame[TOTEM_SETS];
    bool              copying;
    uint8_t           copy_target; // counts only while copying
    uint32_t          written;
    uint32_t          filtered;
    uint32_t          exposed_clocks;
    bool              ram_write_enable[TOTEM_BANKS];
    TOTEM_FRAMES_ADDR ram_write_addr[TOTEM_BANKS];
    uint32_t          ram_write_data[TOTEM_BANKS];
    bool              ram_read_enable[TOTEM_BANKS];
    TOTEM_FRAMES_ADDR ram_read_addr[TOTEM_BANKS];
} totem_frames_out;

void totem_frames_reset(totem_frames *s);
void totem_frames_outputs(const totem_frames *s, totem_frames_out *o);
void totem_frames_step(totem_frames *s, const totem_frames_in *i);
bool totem_frames_invariant(const totem_frames *s);

#endif
