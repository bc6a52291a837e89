// SPDX-License-Identifier: Apache-2.0
//
// Task descriptors of a workload: made from fields by name (docs/tmd.md).
#ifndef TOTEM_WORKLOAD_TASKS_H
#define TOTEM_WORKLOAD_TASKS_H

#include "workload.h"

// Makes the dwords of all tasks. False: `key` names the value that is wrong, `text` says what and what to write
// instead.
bool totem_workload_tasks(totem_workload *w, char *key, size_t key_size, char *text, size_t size);

// Of a LAUNCH_TASK that names a task: the same with its pointer; of any other packet "". False: text says that there is
// no such task.
bool totem_workload_launch(const totem_workload *w, const char *packet, char launch[40], char *text, size_t size);

#endif
