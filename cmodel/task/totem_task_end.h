// SPDX-License-Identifier: Apache-2.0
//
// Rules 27 to 31 of totem_task: the end of a task.

#ifndef TOTEM_TASK_END_H
#define TOTEM_TASK_END_H

#include "totem_task.h"

void totem_task_end(totem_task *n, const totem_task *s, const totem_task_in *i);

#endif
