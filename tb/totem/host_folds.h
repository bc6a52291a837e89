// SPDX-License-Identifier: Apache-2.0
//
// In which block a run differs first. Every block of the machine has a fold of its outputs (docs/contract/fold.md):
// shorter runs find the first clock in which one is not the model's.
#ifndef TOTEM_HOST_FOLDS_H
#define TOTEM_HOST_FOLDS_H

#include "board_plan.h"
#include "host_board.h"

#include <jansson.h>

enum { HOST_FOLDS_MOST = 4096 };

typedef struct {
    uint32_t count;                  // folds of the board; 0: it has none
    uint32_t board[HOST_FOLDS_MOST]; // of its last run
    bool     looked;                 // shorter runs were made: so many, and what they say
    uint32_t runs;
    uint64_t clock;   // the first one in which a block differs; if none does, the end of the clocks that were looked at
    bool     repeats; // further runs gave the same folds again
    json_t  *blocks;  // {block, place, board, model} of those that differ in that clock
} host_folds;

// Whether the board has as many as the model. False: `message`.
bool host_folds_fit(const host_board *b, char *message, size_t size);
// Behind a run: the folds of the board. False: link.message.
bool host_folds_read(host_board *b, host_folds *f);
bool host_folds_equal(const host_folds *f, const board_result *m);

// A run on the board, so many clocks long. False: link.message.
typedef bool host_folds_run(void *user, uint64_t clocks);

// In the clocks before `end` pins or folds differ. False: link.message.
bool host_folds_find(host_board *b, const board_plan *plan, uint64_t end, host_folds_run *run, void *user, bool show,
                     host_folds *f);
void host_folds_print(const host_folds *f);
void host_folds_json(const host_folds *f, json_t *run);
void host_folds_free(host_folds *f);

#endif
