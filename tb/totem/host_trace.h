// SPDX-License-Identifier: Apache-2.0
//
// The trace of a run (docs/contract/trace.md): its settings by name, its records from the board, where they part from
// the model's, and waves of them.
#ifndef TOTEM_HOST_TRACE_H
#define TOTEM_HOST_TRACE_H

#include "board_plan.h"
#include "host_board.h"

// Names of levels with commas between. False: `message`.
bool host_trace_levels(const char *text, uint32_t *levels, char *message, size_t size);
// error, levels that rise, or a register of the machine; behind it may stand =VALUE or =VALUE/CARE.
bool host_trace_trigger(const char *text, board_trace *t, char *message, size_t size);
// The name of a level; NULL: there is none.
const char *host_trace_name(unsigned level);
// A name that ends in .fst or .vcd, and is not too long. False: `message`.
bool host_trace_path(const char *path, char *message, size_t size);
enum { HOST_TRACE_PATH = 1000 }; // longest one

// Levels that this board has: those of blocks come with its folds.
uint32_t host_trace_there(const host_board *b);

bool host_trace_set(host_board *b, const board_trace *t);
bool host_trace_fetch(host_board *b, board_records *r);

// Number of the first record that both still have; model may be NULL.
uint32_t host_trace_first(const board_records *board, const board_records *model);
// False: `part` is the first record in which they differ, or the number of records if only the trigger does; `clock`
// is of it.
bool    host_trace_equal(const board_records *board, const board_records *model, uint32_t *part, uint32_t *clock);
json_t *host_trace_json(const board_records *board, const board_records *model);
void    host_trace_print(const board_records *board, const board_records *model);

// Waves and a GTKWave view of them beside; a clock is 1 ns. With `model` its records are there too.
bool host_waves_write(const char *path, const board_trace *t, const board_records *board, const board_records *model,
                      uint32_t end, char *message, size_t size);

#endif
