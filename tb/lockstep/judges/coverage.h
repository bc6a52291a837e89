// SPDX-License-Identifier: Apache-2.0
//
// coverage: functional coverage of the rules: which of the situations listed in coverage.def a run has been in. It
// looks at the C model; the lockstep says that the RTL was in the same.

#ifndef COVERAGE_H
#define COVERAGE_H

#include "totem_machine.h"

#include <stdbool.h>
#include <stdint.h>

typedef struct coverage coverage;

// NULL if memory is short.
coverage *coverage_create(void);
// Writes the hits of every point into a new file of the folder (tab-separated: hits, section, point, waiver, sentence).
// False: it cannot be written.
bool coverage_write(const coverage *c, const char *folder);
void coverage_destroy(coverage *c);

// After a clock edge: the outputs of the clock before it, and the state that follows it.
void coverage_step(coverage *c, const totem_machine *after, const totem_machine_out *before);
// An error record left its block.
void coverage_error(coverage *c, uint8_t code);

#endif
