// SPDX-License-Identifier: Apache-2.0
//
// totem_bus: command bus: every front end sends one word a clock, the lanes are taken in turn.
// Twin of rtl/issue/totem_bus.v: the same names, the same rules, one step per clock. Rules and
// their numbers are those of docs/contract/bus.md.

#ifndef TOTEM_BUS_H
#define TOTEM_BUS_H

#include <stdbool.h>
#include <stdint.h>

#include "../lib/totem_config.h"

typedef struct {
    uint8_t  turn;
    bool     lane_valid[TOTEM_LANES];
    uint64_t lane_word[TOTEM_LANES];
    uint16_t lane_tag[TOTEM_LANES];
} totem_bus;

typedef struct {
    bool     dc_valid[TOTEM_FE_COUNT];
    uint64_t dc_word[TOTEM_FE_COUNT];
    uint16_t dc_tag[TOTEM_FE_COUNT];
} totem_bus_in;

typedef struct {
    bool     lane_valid[TOTEM_LANES];
    uint64_t lane_word[TOTEM_LANES]; // counts only while lane_valid
    uint16_t lane_tag[TOTEM_LANES];  // counts only while lane_valid
} totem_bus_out;

void totem_bus_reset(totem_bus *s);
void totem_bus_outputs(const totem_bus *s, totem_bus_out *o);
void totem_bus_step(totem_bus *s, const totem_bus_in *i);
bool totem_bus_invariant(const totem_bus *s);

#endif
