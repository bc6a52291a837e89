// SPDX-License-Identifier: Apache-2.0
//
// totem_execute_grid: part of totem_execute: from the dimensions of a grid to its start.

#ifndef TOTEM_EXECUTE_GRID_H
#define TOTEM_EXECUTE_GRID_H

#include "totem_execute.h"

// The dimensions are in the operands of n: a packet that is taken, or the last one that was read.
void totem_execute_dispatch(totem_execute *n, const totem_execute_in *i, bool taken);

// The phases EXECUTE_GRID, EXECUTE_PARTS, EXECUTE_DIVIDE, EXECUTE_DIM and EXECUTE_FIT.
void totem_execute_grid(totem_execute *n, const totem_execute *s, const totem_execute_in *i);

#endif
