// SPDX-License-Identifier: Apache-2.0
//
// add as a task.

#include "task.h"

#include "add.c"
