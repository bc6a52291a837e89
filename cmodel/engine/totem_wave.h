// SPDX-License-Identifier: Apache-2.0
//
// totem_wave: wave engine, a stand-in for shader cores: each wave runs a timer looked up by its program,
// then answers done.
// Twin of rtl/engine/totem_wave.v: the same names, the same rules, one step per clock. Rules and
// their numbers are those of docs/contract/wave.md.

#ifndef TOTEM_WAVE_H
#define TOTEM_WAVE_H

#include <stdbool.h>
#include <stdint.h>

#include "../lib/totem_config.h"

typedef struct {
    uint32_t duration[16];
    uint8_t  spread[16];
    uint32_t seed;
    uint16_t rate;
    uint32_t now;
    uint16_t wait_clocks; // until the next launch is taken
    bool     occupied[TOTEM_SLOTS];
    bool     endless[TOTEM_SLOTS]; // the wave has no deadline
    bool     deaf[TOTEM_SLOTS];    // it does not hear a kill
    uint8_t  owner_fe[TOTEM_SLOTS];
    bool     owner_pipe[TOTEM_SLOTS];
    uint8_t  owner_queue[TOTEM_SLOTS];
    uint8_t  owner_epoch[TOTEM_SLOTS];
    bool     killed[TOTEM_SLOTS]; // it is to end at its next visit
    bool     start_valid;         // a wave was taken in the clock before
    uint8_t  start_slot;
    uint8_t  start_entry;
    uint8_t  visit; // slot whose deadline is read in this clock
    bool     look_valid;
    uint8_t  look_slot;
    bool     done_valid;
    uint8_t  done_slot;
    bool     host_done;
    uint8_t  host_error;
    uint32_t host_rdata;
} totem_wave;

typedef struct {
    bool     launch_valid;
    uint8_t  launch_slot;
    uint64_t launch_program;
    bool     launch_state_new;
    uint8_t  launch_fe;
    bool     launch_pipe;
    uint8_t  launch_queue;
    uint8_t  launch_epoch;
    bool     kill_valid;
    uint8_t  kill_fe;
    bool     kill_pipe;
    uint8_t  kill_queue;
    uint8_t  kill_epochs; // bit = epoch
    uint64_t state_data;
    bool     host_valid;
    bool     host_write;
    uint8_t  host_dword;
    uint8_t  host_strobe;
    uint32_t host_data;
    uint32_t time_read_data;
} totem_wave_in;

typedef struct {
    bool     launch_ready;
    uint8_t  state_index;
    bool     done_valid;
    uint8_t  done_slot; // counts only while done_valid
    bool     host_done;
    uint8_t  host_error; // counts only while host_done
    uint32_t host_rdata;
    bool     time_write_enable;
    uint8_t  time_write_addr; // counts only while time_write_enable
    uint32_t time_write_data;
    bool     time_read_enable;
    uint8_t  time_read_addr; // counts only while time_read_enable
    bool     occupied[TOTEM_SLOTS];
} totem_wave_out;

void totem_wave_reset(totem_wave *s);
void totem_wave_outputs(const totem_wave *s, totem_wave_out *o);
void totem_wave_step(totem_wave *s, const totem_wave_in *i);

#endif
