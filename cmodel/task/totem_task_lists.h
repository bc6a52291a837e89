// SPDX-License-Identifier: Apache-2.0
//
// Rules 18 to 26 of totem_task: entries and lists.

#ifndef TOTEM_TASK_LISTS_H
#define TOTEM_TASK_LISTS_H

#include "totem_task.h"

void totem_task_lists(totem_task *n, const totem_task *s, const totem_task_in *i);

#endif
