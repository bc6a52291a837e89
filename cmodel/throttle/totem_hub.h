// SPDX-License-Identifier: Apache-2.0
//
// totem_hub: primitive hub of one primitive assembler, a FIFO for each scan converter.
// Twin of rtl/throttle/totem_hub.v: the same names, the same rules, one step per clock. Rules and
// their numbers are those of docs/contract/hub.md.

#ifndef TOTEM_HUB_H
#define TOTEM_HUB_H

#include <stdbool.h>
#include <stdint.h>

#include "../lib/totem_config.h"

// Primitives of a FIFO: parameter DEPTH.
#define TOTEM_HUB_DEPTH 64

typedef struct {
    uint8_t  count[TOTEM_SE_COUNT];       // primitives accepted and not yet popped
    bool     entry_valid[TOTEM_SE_COUNT]; // one is on its way into the RAM
    uint32_t entry_data[TOTEM_SE_COUNT];
    uint8_t  write_place[TOTEM_SE_COUNT]; // word of the RAM that is written next
    uint8_t  read_place[TOTEM_SE_COUNT];  // read next; equal: nothing unread is in the RAM
    bool     fetched[TOTEM_SE_COUNT];     // ram_read_data is a primitive that is not in the buffer yet
    uint8_t  held[TOTEM_SE_COUNT];        // in the buffer, 0 to 2
    uint32_t head[TOTEM_SE_COUNT];
    uint32_t tail[TOTEM_SE_COUNT];
    bool     fault;
} totem_hub;

typedef struct {
    bool     push_valid[TOTEM_SE_COUNT];
    uint32_t push_data[TOTEM_SE_COUNT];
    bool     pop_ready[TOTEM_SE_COUNT];
    uint32_t ram_read_data[TOTEM_SE_COUNT];
} totem_hub_in;

typedef struct {
    bool     push_ready[TOTEM_SE_COUNT];
    bool     pop_valid[TOTEM_SE_COUNT];
    uint32_t pop_data[TOTEM_SE_COUNT]; // counts only while pop_valid
    bool     ram_write_enable[TOTEM_SE_COUNT];
    uint8_t  ram_write_addr[TOTEM_SE_COUNT];
    uint32_t ram_write_data[TOTEM_SE_COUNT];
    bool     ram_read_enable[TOTEM_SE_COUNT];
    uint8_t  ram_read_addr[TOTEM_SE_COUNT];
    uint8_t  count[TOTEM_SE_COUNT];
    bool     fault;
} totem_hub_out;

void totem_hub_reset(totem_hub *s);
void totem_hub_outputs(const totem_hub *s, totem_hub_out *o);
void totem_hub_step(totem_hub *s, const totem_hub_in *i);

#endif
