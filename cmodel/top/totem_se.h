// SPDX-License-Identifier: Apache-2.0
//
// totem_se: one shader engine without its core: a port per front end, issue, launch, retire and their RAMs, and how
// they are wired. Twin of rtl/top/totem_se.v. No state of its own.

#ifndef TOTEM_SE_H
#define TOTEM_SE_H

#include "../issue/totem_issue.h"
#include "../issue/totem_launch.h"
#include "../issue/totem_port.h"
#include "../issue/totem_retire.h"
#include "../lib/totem_ram.h"
#include "totem_config.h"

TOTEM_RAM(totem_launch_state_ram, uint64_t, 64)
TOTEM_RAM(totem_table_ram, uint64_t, TOTEM_SLOTS)

typedef struct {
    totem_port             port[TOTEM_FE_COUNT];
    totem_launch_state_ram state_ram[TOTEM_FE_COUNT];
    totem_issue            issue;
    totem_launch           launch;
    totem_retire           retire;
    totem_table_ram        table_ram;
} totem_se;

// What every block of the engine shows in this clock.
typedef struct {
    totem_port_out             port[TOTEM_FE_COUNT];
    totem_launch_state_ram_out state_ram[TOTEM_FE_COUNT];
    totem_issue_out            issue;
    totem_launch_out           launch;
    totem_retire_out           retire;
    totem_table_ram_out        table_ram;
} totem_se_out;

typedef struct {
    uint8_t  number;
    bool     events_stop; // a self-check of any block has fired
    bool     lane_valid[TOTEM_LANES];
    uint64_t lane_word[TOTEM_LANES];
    uint16_t lane_tag[TOTEM_LANES];
    // the core
    bool    launch_ready;
    uint8_t state_index;
    bool    done_valid;
    uint8_t done_slot;
} totem_se_in;

void totem_se_reset(totem_se *s);
void totem_se_outputs(const totem_se *s, totem_se_out *o);
// The state word that the core asked for one clock ago, of the launch on the port.
uint64_t totem_se_state_data(const totem_se_out *o);
// Front end whose kill is on the wave interface, if there is one.
uint8_t totem_se_kill_fe(const totem_se_out *o);
// No wave, no group, no launch.
bool totem_se_idle(const totem_se_out *o);
// A self-check of this engine fired.
bool totem_se_fault(const totem_se_out *o);
void totem_se_step(totem_se *s, const totem_se_out *o, const totem_se_in *i);

#endif
