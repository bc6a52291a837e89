// SPDX-License-Identifier: Apache-2.0
//
// reduce as a task.

#include "task.h"

#include "reduce.c"
