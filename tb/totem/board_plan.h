// SPDX-License-Identifier: Apache-2.0
//
// The seam between `totem host run` and a configuration: what a workload is on a board, and what the C model of the
// board makes of it. It is in tb/lockstep/session/run_board.c; build/totem hands over to the program that has it
// (hand_over.c).
#ifndef TOTEM_BOARD_PLAN_H
#define TOTEM_BOARD_PLAN_H

#include "../../cmodel/bridge/totem_boot_values.h"
#include "workload.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

// Of the boot list (docs/contract/boot.md). A read is a wait without a mask.
typedef struct {
    uint32_t clock, address, data, mask;
    bool     wait;
} board_entry;

// Its dwords in the RAM of the list.
static inline void board_entry_pack(const board_entry *e, uint32_t dwords[4])
{
    dwords[0] = e->clock;
    dwords[1] = e->address | (uint32_t)(e->wait ? ENTRY_WAIT : ENTRY_WRITE) << 30;
    dwords[2] = e->data;
    dwords[3] = e->mask;
}

typedef struct {
    const char  *configuration;
    uint32_t     hash;
    board_entry *list;
    uint32_t     count;
    uint32_t    *image; // of memory from address 0 on, `bytes` of it; behind `end` there is nothing
    uint32_t     bytes, end;
} board_plan;

// Settings of the trace (docs/contract/trace.md), as its registers have them.
typedef struct {
    uint32_t mask, trigger, value, care, behind;
} board_trace;

// Record n of the run is at n % most; there are the last `most` of `written`.
typedef struct {
    uint64_t (*records)[2];
    uint32_t most, written, at, state;
} board_records;

enum { BOARD_PLAN_BLOCK = 256 };

typedef struct {
    uint64_t            clocks;
    bool                idle; // at the end
    uint64_t            signature;
    uint32_t            stride; // k: checkpoints stand behind every 2^k clocks
    uint32_t            points_count;
    uint64_t           *points;
    uint32_t           *reads; // of each entry of the list: what its last read gave
    bool               *read;  // of each block of BOARD_PLAN_BLOCK bytes of memory: the machine has read some of them
    uint64_t            waves, geometry, draws, fences, interrupts;
    board_records       trace; // of the model
    const uint16_t     *folds; // behind the run, board_folds() of them, if they were asked for
    struct board_model *model;
} board_result;

// Exit codes of commands.h; if not good, `message` says why. words: the arguments of the command, for the hand-over;
// rtl: to a program that has the Verilog, too.
int  board_plan_make(const totem_workload *w, char **words, bool rtl, board_plan *plan, char *message, size_t size);
void board_plan_free(board_plan *plan);

// A run on the model: with `clocks` 0 until all is idle, at most `limit`.
typedef void board_shown(void *user, uint64_t clock);
typedef struct {
    uint32_t     bytes, points; // of the board: memory, checkpoints at most
    int          stride;        // negative: the smallest with which the checkpoints reach over the run
    uint64_t     clocks, limit;
    board_trace  trace;
    bool         folds; // of the blocks, too: slower
    board_shown *shown; // called now and then with the clock; NULL: not
    void        *user;
} board_run;
int board_model_run(const board_plan *plan, const board_run *run, board_result *r, char *message, size_t size);
// Model and Verilog in lockstep, with memory and boot list of a board around them, for so many clocks or to the first
// that differs: a bundle is then in `folder` (words, waves, GTKWave view; board.txt and so on).
typedef struct {
    bool     ran, equal;
    uint64_t clocks; // that are equal
    char     folder[512];
} board_replay;
int board_lockstep(const board_plan *plan, uint64_t clocks, const char *folder, board_shown *shown, void *user,
                   board_replay *r, char *message, size_t size);
// Registers of the model's machine behind that run, as the host would read them; false: answered with an error.
bool board_model_register(const board_result *r, uint32_t address, uint32_t *value);
// How many blocks have a fold; the n-th that is read (docs/contract/fold.md): its name, and where it stands.
uint32_t    board_folds(void);
const char *board_fold_name(uint32_t n, const char **place);
void        board_result_free(board_result *r);

#endif
