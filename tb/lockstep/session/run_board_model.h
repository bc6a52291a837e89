// SPDX-License-Identifier: Apache-2.0
//
// board_model: the C model of a board without its line: machine, store, boot, signature and trace, wired as
// fpga/totem_board.v wires them, and the accesses that the bridge would make. For machines with one front end. In a
// program that is linked with the cores of tb/core (cores_port.h) it is that of a board with a core.

#ifndef BOARD_MODEL_H
#define BOARD_MODEL_H

#include "../../../cmodel/bridge/totem_boot.h"
#include "../../../cmodel/bridge/totem_bridge_values.h"
#include "../../../cmodel/bridge/totem_signature.h"
#include "../../../cmodel/bridge/totem_store.h"
#include "../../../cmodel/bridge/totem_trace.h"
#include "cores_port.h"
#include "probe.h"
#include "totem_machine.h"

#include <stdbool.h>
#include <stdint.h>

enum {
    BOARD_WORDS = TOTEM_STORE_BYTES / 8,
    BOARD_LIST  = 4 * TOTEM_BOOT_LIST_ENTRIES,
    BOARD_BLOCK = 256, // bytes of memory of which it is kept whether the machine has read any
};

typedef struct board_model {
    totem_machine      machine;
    totem_machine_seen seen;
    totem_machine_out  out;   // what the machine shows in the present clock
    cores_port        *cores; // NULL: it has its wave engine
    totem_store        store;
    totem_boot         boot;
    totem_signature    signature;
    totem_trace        trace;
    uint64_t           records[TOTEM_TRACE_RECORDS][2]; // beside trace
    uint8_t            lanes[8][BOARD_WORDS], lane_data[8];
    uint32_t           list[BOARD_LIST], list_data;
    uint64_t           clock;
    uint64_t           highest; // address that machine and core have accessed in runs
    bool               read[TOTEM_STORE_BYTES / BOARD_BLOCK];
    bool               folding;            // the board has folds and levels of blocks; it is slower
    uint16_t           folds[PROBE_FOLDS]; // of the clocks of the run so far, as they are read
} board_model;

// After power-on. NULL: memory is short.
board_model *board_model_create(void);
void         board_model_destroy(board_model *b);

// Goes on to the next clock, with an access of boot by the bridge (none: valid false).
typedef struct {
    bool     valid, machine, write; // machine: of its registers, else of control and list
    uint32_t address, data;
} board_access;
void board_model_step(board_model *b, const board_access *access);

// The same without its machine, for one that stands elsewhere: what it gets in this clock; on to the next one behind
// what it has shown.
void board_model_drive(const board_model *b, totem_machine_in *in);
void board_model_around(board_model *b, const totem_machine_out *shown);

// An access of the bridge, until it is done. Returns its status.
uint8_t board_model_access(board_model *b, const board_access *access, uint32_t *value);

void board_model_put(board_model *b, uint32_t address, uint32_t value);

#endif
