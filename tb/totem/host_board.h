// SPDX-License-Identifier: Apache-2.0
//
// A board with the machine, reached over a line (docs/contract/bridge.md): what it says it is, its registers by name,
// its memory.
#ifndef TOTEM_HOST_BOARD_H
#define TOTEM_HOST_BOARD_H

#include "../../cmodel/bridge/totem_boot_values.h"
#include "host_link.h"

#include <jansson.h>
#include <stdbool.h>
#include <stdint.h>

enum {
    HOST_MACHINE  = BRIDGE_MACHINE << 20, // byte address of the machine's host port
    HOST_BRIDGE   = BRIDGE_REGISTERS << 20 | BRIDGE_PAGE_WORDS << 16,
    HOST_LIST     = BRIDGE_REGISTERS << 20 | BRIDGE_PAGE_LIST << 16,
    HOST_POINTS   = BRIDGE_REGISTERS << 20 | BRIDGE_PAGE_POINTS << 16,
    HOST_UNDERWAY = 1, // of BRIDGE_STATUS: status_word of docs/contract/boot.md
    HOST_FAILED   = 4,
};

typedef struct {
    host_link   link;
    uint32_t    version, config, memory, khz, entries, points, features, number;
    uint32_t    folds;         // of blocks; 0: it has none
    const char *configuration; // NULL: none that this tool knows
    const char *name;          // of the board
    bool        known;         // the board has said what it is
} host_board;

// Reaches the board. False: link.message.
bool    host_board_open(host_board *b, const char *port, uint32_t baud, uint32_t timeout);
json_t *host_board_json(const host_board *b);
void    host_board_print(const host_board *b);

// A word of the bridge: BRIDGE_STATUS and the like.
bool host_board_get(host_board *b, uint32_t offset, uint32_t *word);
bool host_board_set(host_board *b, uint32_t offset, uint32_t word);
// The machine into reset; a run under way is ended first.
bool host_board_reset(host_board *b);

// What a command names: a register of the machine, one of the bridge (bridge.NOW), or 0x.., an address of memory; with
// :COUNT dwords from there on. False: `message` says what is wrong.
typedef struct {
    const char *text;
    uint32_t    address, count;
} host_place;
bool host_board_place(const host_board *b, const char *text, host_place *place, char *message, size_t size);

// A line on standard error that is written anew, behind the first second, on a terminal.
typedef struct {
    const char *what;
    double      began, shown;
    bool        on, written;
} host_progress;
host_progress host_progress_begin(const char *what, bool on);
void          host_progress_show(host_progress *p, uint64_t done, uint64_t of, const char *unit);
void          host_progress_end(host_progress *p);

// Any number of words, in requests of HOST_WORDS, with progress.
bool host_board_transfer(host_board *b, uint8_t command, uint32_t address, uint32_t *words, uint32_t count,
                         const char *what, bool show);

#endif
