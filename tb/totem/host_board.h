// SPDX-License-Identifier: Apache-2.0
//
// A board with the machine, reached over a line (docs/contract/bridge.md): what it says it is, its registers by name,
// its memory.
#ifndef TOTEM_HOST_BOARD_H
#define TOTEM_HOST_BOARD_H

#include "host_link.h"

#include <jansson.h>
#include <stdbool.h>
#include <stdint.h>

enum {
    HOST_MACHINE  = 0x10000000, // byte address of the machine's host port
    HOST_BRIDGE   = 0x20000000,
    HOST_LIST     = 0x20010000,
    HOST_POINTS   = 0x20020000,
    HOST_CONFIG   = 0x08,
    HOST_MEMORY   = 0x0c,
    HOST_CONTROL  = 0x20,
    HOST_STATUS   = 0x24,
    HOST_CLOCKS   = 0x28,
    HOST_NOW      = 0x2c,
    HOST_STRIDE   = 0x30,
    HOST_WRITTEN  = 0x34, // POINTS
    HOST_FOLDED   = 0x38, // SIGNATURE, low and high
    HOST_DROPPED  = 0x40,
    HOST_RESET    = 1, // of CONTROL
    HOST_RUN      = 2,
    HOST_ABORT    = 4,
    HOST_UNDERWAY = 1, // of STATUS
    HOST_LISTED   = 2,
    HOST_FAILED   = 4,
    HOST_IRQ      = 16, // seen in the run
};

typedef struct {
    host_link   link;
    uint32_t    version, config, memory, khz, entries, points, features, number;
    const char *configuration; // NULL: none that this tool knows
    const char *name;          // of the board
    bool        known;         // the board has said what it is
} host_board;

// Reaches the board. False: link.message.
bool    host_board_open(host_board *b, const char *port, uint32_t baud, uint32_t timeout);
json_t *host_board_json(const host_board *b);
void    host_board_print(const host_board *b);

// A word of the bridge.
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

// Memory in pieces, with progress.
bool host_board_load(host_board *b, uint32_t address, const uint32_t *words, uint32_t count, const char *what,
                     bool show);
bool host_board_fetch(host_board *b, uint32_t address, uint32_t *words, uint32_t count, const char *what, bool show);

#endif
