// SPDX-License-Identifier: Apache-2.0
//
// Rules 32 to 34 of totem_task: pointers that wait.

#ifndef TOTEM_TASK_SAVE_H
#define TOTEM_TASK_SAVE_H

#include "totem_task.h"

void totem_task_save(totem_task *n, const totem_task *s, const totem_task_in *i);

#endif
