// SPDX-License-Identifier: Apache-2.0
//
// run_prepare: what a workload puts into memory before the first clock, and the host's list of accesses: for a run here
// (run.c) and on a board (run_board.c).

#ifndef RUN_PREPARE_H
#define RUN_PREPARE_H

#include "../../totem/workload.h"
#include "host.h"

typedef void run_word(void *user, uint64_t address, uint32_t value);

// Calls `word` for every dword of the memory image, and appends programs of the wave engines, mappings, doorbells and
// all other accesses to the list of h, which is then in the order of its clocks. A queue that is fed
// (totem_workload_fed) gets neither stream nor doorbells.
void run_prepare(const totem_workload *w, host_port *h, run_word *word, void *user);

#endif
