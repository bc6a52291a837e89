// SPDX-License-Identifier: Apache-2.0
//
// trace: what the pictures of docs/context.md are drawn from (sim/context_picture.py): state of the blocks, a line of
// CSV a clock.

#ifndef TRACE_H
#define TRACE_H

#include "world.h"

#include <stdio.h>

void trace_head(FILE *file);
// `item` of the program, a packet of that name, is under way in this clock; -1: none.
void trace_clock(FILE *file, const world *w, uint64_t clock, int item, const char *name);

#endif
