// SPDX-License-Identifier: Apache-2.0
//
// scale as a task.

#include "task.h"

#include "scale.c"
