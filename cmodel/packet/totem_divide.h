// SPDX-License-Identifier: Apache-2.0
//
// totem_divide: grid dimensions in threads, divided by NUM_THREAD, rounded up, to work-groups.
// Twin of rtl/packet/totem_divide.v: the same names, the same rules, one step per clock. Rules and
// their numbers are those of docs/contract/divide.md.

#ifndef TOTEM_DIVIDE_H
#define TOTEM_DIVIDE_H

#include <stdbool.h>
#include <stdint.h>

typedef struct {
    uint8_t  phase; // 0 IDLE, 1 ASK, 2 WAIT, 3 TAKE, 4 SHIFT, 5 ROUND
    uint8_t  place; // dimension that is being divided
    uint8_t  step;  // bit of its quotient
    uint16_t divisor;
    uint16_t rest;     // remainder so far
    uint32_t value[3]; // dividends not yet begun, and quotients
} totem_divide;

typedef struct {
    bool     packet_valid;
    uint8_t  packet_place; // 0 x, 1 y, 2 z
    uint32_t packet_data;  // threads
    bool     packet_start;
    uint32_t register_ram_read_data;
} totem_divide_in;

typedef struct {
    bool     busy;
    uint32_t quotient[3]; // work-groups, right when busy has fallen
    bool     read;
    uint8_t  read_place; // counts only while read
} totem_divide_out;

void totem_divide_reset(totem_divide *s);
void totem_divide_outputs(const totem_divide *s, totem_divide_out *o);
void totem_divide_step(totem_divide *s, const totem_divide_in *i);
bool totem_divide_invariant(const totem_divide *s);

#endif
