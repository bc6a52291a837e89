// SPDX-License-Identifier: Apache-2.0
//
// Rules 7 to 17 of totem_task: a job begins.

#ifndef TOTEM_TASK_BEGIN_H
#define TOTEM_TASK_BEGIN_H

#include "totem_task.h"

void totem_task_begin(totem_task *n, const totem_task *s, const totem_task_in *i);

#endif
